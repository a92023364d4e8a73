//! Additive transforms as lists of steps, run on the processor. A kernel runs the same steps.

use super::basis::{Linearized, span};
use super::{AdditiveError, Basis, Field};
use crate::choice::{Choice, choices};
use crate::descriptor::Direction;

choices! {
    /// An additive Fourier transform.
    pub enum Method {
        /// The transform of Wang and Zhu, and of Cantor: reduces modulo s_i + s_i(w), from the largest i down.
        WangZhuCantor = "wang-zhu-cantor",
        /// The new transform of Gao and Mateer: Taylor expansions at x^t + x, and transforms of columns and rows.
        GaoMateer = "gao-mateer",
    }
}

impl Method {
    /// Both methods.
    pub const ALL: &[Self] = <Self as Choice>::ALL;
}

/// The numbers of operations in the field that a transform takes, without those by 0 and products by 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// The number of products.
    pub multiplications: u64,
    /// The number of sums.
    pub additions: u64,
}

/// A transform of lines of 2^k elements of GF(2^m), k <= m.
///
/// Forward, coefficients of a polynomial, that of x^0 first, become its values at all sums of the first k
/// elements of the field's [`Basis`], in the order of [`Basis::point`]. Inverse, values become coefficients.
#[derive(Clone, Debug)]
pub struct Transform {
    field: Field,
    method: Method,
    bits: u32,
    pub(super) steps: Vec<Step>,
}

/// One step of the forward transform, in place. No pair of values of a step writes what another pair of it reads,
/// so that pairs may run in any order.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Makes the upper half of each block of 2^(bit+1) values the quotient by a [`Divisor`].
    Quotient(Divisor),
    /// Makes the lower half the remainder, once the upper half is the quotient.
    Remainder(Divisor),
    /// Multiplies value i by `factors[(i >> shift) % length]`.
    Scale { shift: u32, factors: Vec<u32> },
    /// With w = `weights[i >> (bit + 1)]`, replaces a and b, 2^bit apart, by a + w b and a + (w + 1) b: from
    /// b (s + w) + (a + w b), the values modulo s + w and modulo s + w + 1.
    Butterfly { bit: u32, weights: Vec<u32> },
}

/// The polynomial x^(2^bit) + sum of a x^(2^d) over the terms (d, a). The halves of a dividend modulo
/// s(y), y = x^(2^e), consist of 2^e interleaved polynomials in y, and d counts from x.
#[derive(Clone, Debug)]
pub(super) struct Divisor {
    pub bit: u32,
    pub terms: Vec<(u32, u32)>,
}

impl Step {
    /// The bits of an index that differ between the values that the step combines.
    pub fn window(&self) -> std::ops::Range<u32> {
        match self {
            Self::Quotient(Divisor { bit, terms }) | Self::Remainder(Divisor { bit, terms }) => {
                terms.iter().map(|(d, _)| *d).min().unwrap_or(*bit)..bit + 1
            }
            Self::Scale { shift, .. } => *shift..shift + 1,
            Self::Butterfly { bit, .. } => *bit..bit + 1,
        }
    }
}

impl Transform {
    /// The transform of lines of 2^`bits` elements of `field`.
    ///
    /// [`Method::GaoMateer`] needs Cantor's relation between the points. Longer lines than
    /// [`Basis::cantor_dimension`] allows take its form for any basis, with more products.
    ///
    /// # Errors
    /// [`AdditiveError::TooLong`] if there are more points than elements in the field.
    pub fn new(field: &Field, method: Method, bits: u32) -> Result<Self, AdditiveError> {
        field.check_points(bits)?;
        let basis = Basis::new(field);
        let elements = &basis.elements()[..bits as usize];
        let mut steps = Vec::new();
        match method {
            Method::WangZhuCantor => wang_zhu_cantor(&mut steps, field, elements),
            Method::GaoMateer if bits <= basis.cantor_dimension() => {
                gao_mateer(&mut steps, elements, 0, bits);
            }
            Method::GaoMateer => gao_mateer_of_any(&mut steps, field, elements),
        }
        Ok(Self { field: field.clone(), method, bits, steps })
    }

    /// The field of the values.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The number k of bits of an index.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The number of values in a line, 2^k.
    pub fn length(&self) -> usize {
        1 << self.bits
    }

    /// The operations for one line, in either direction.
    ///
    /// With Cantor's basis, n = 2^k values take n k / 2 - n + 1 multiplications by both methods. The additions
    /// of [`Method::WangZhuCantor`] are n k - n + 1 + (n / 2) sum over i < k of (2^(ones of i) - 1), of which
    /// the sum is k^1.585 - k if k is a power of two. Those of [`Method::GaoMateer`] are then
    /// n k - n + 1 + (n k / 4) log2 k.
    pub fn operations(&self) -> Operations {
        let n = self.length() as u64;
        let mut count = Operations::default();
        for step in &self.steps {
            match step {
                Step::Quotient(Divisor { bit, terms })
                | Step::Remainder(Divisor { bit, terms }) => {
                    let blocks = n >> (bit + 1);
                    for (d, a) in terms {
                        let sums = match step {
                            Step::Quotient(_) => blocks << d,
                            _ => (blocks << bit) - (blocks << d),
                        };
                        count.additions += sums;
                        count.multiplications += if *a == 1 { 0 } else { sums };
                    }
                }
                Step::Scale { factors, .. } => {
                    let products = factors.iter().filter(|factor| **factor != 1).count();
                    count.multiplications += n / factors.len() as u64 * products as u64;
                }
                Step::Butterfly { bit, weights } => {
                    for weight in weights {
                        count.additions += if *weight == 0 { 1 << bit } else { 2 << bit };
                        count.multiplications += if *weight > 1 { 1 << bit } else { 0 };
                    }
                }
            }
        }
        count
    }

    /// Transforms `line` in place.
    ///
    /// # Errors
    /// [`AdditiveError::Length`] if the line has another length, and [`AdditiveError::NotInField`] if a value is
    /// no element of the field.
    pub fn transform(&self, line: &mut [u32], direction: Direction) -> Result<(), AdditiveError> {
        if line.len() != self.length() {
            return Err(AdditiveError::Length { expected: self.length(), found: line.len() });
        }
        self.field.check(line)?;
        match direction {
            Direction::Forward => {
                self.steps.iter().for_each(|step| self.run(step, line, direction))
            }
            Direction::Inverse => {
                self.steps.iter().rev().for_each(|step| self.run(step, line, direction));
            }
        }
        Ok(())
    }

    fn run(&self, step: &Step, line: &mut [u32], direction: Direction) {
        let Self { field, .. } = self;
        let blocks = |line, bit: u32| -> std::slice::ChunksExactMut<'_, u32> {
            <[u32]>::chunks_exact_mut(line, 2 << bit)
        };
        match step {
            // Both are their own inverses.
            Step::Quotient(Divisor { bit, terms }) => {
                for block in blocks(line, *bit) {
                    let (_, upper) = block.split_at_mut(1 << bit);
                    for (d, a) in terms {
                        let (to, from) = upper.split_at_mut((1 << bit) - (1 << d));
                        field.add_multiple(to, from, *a);
                    }
                }
            }
            Step::Remainder(Divisor { bit, terms }) => {
                for block in blocks(line, *bit) {
                    let (lower, upper) = block.split_at_mut(1 << bit);
                    for (d, a) in terms {
                        field.add_multiple(&mut lower[1 << d..], upper, *a);
                    }
                }
            }
            Step::Scale { shift, factors } => {
                for (i, value) in line.iter_mut().enumerate() {
                    let factor = factors[(i >> shift) % factors.len()];
                    *value = field.multiply(*value, field.toward(factor, direction));
                }
            }
            Step::Butterfly { bit, weights } => {
                for (block, weight) in blocks(line, *bit).zip(weights) {
                    let (lower, upper) = block.split_at_mut(1 << bit);
                    if direction == Direction::Forward {
                        field.add_multiple(lower, upper, *weight);
                        field.add_multiple(upper, lower, 1);
                    } else {
                        field.add_multiple(upper, lower, 1);
                        field.add_multiple(lower, upper, *weight);
                    }
                }
            }
        }
    }

    /// The product of two polynomials, coefficient of x^0 first: evaluates both, multiplies point by point, and
    /// interpolates.
    ///
    /// # Errors
    /// [`AdditiveError::Product`] if the product has more coefficients than [`Transform::length`], and
    /// [`AdditiveError::NotInField`] if a value is no element of the field.
    pub fn multiply(&self, a: &[u32], b: &[u32]) -> Result<Vec<u32>, AdditiveError> {
        let Some(length) =
            (a.len() + b.len()).checked_sub(1).filter(|_| !a.is_empty() && !b.is_empty())
        else {
            return Ok(Vec::new());
        };
        if length > self.length() {
            return Err(AdditiveError::Product { needed: length, length: self.length() });
        }
        let values = |of: &[u32]| {
            let mut line = of.to_vec();
            line.resize(self.length(), 0);
            self.transform(&mut line, Direction::Forward).map(|()| line)
        };
        let (mut product, b) = (values(a)?, values(b)?);
        for (value, b) in product.iter_mut().zip(b) {
            *value = self.field.multiply(*value, b);
        }
        self.transform(&mut product, Direction::Inverse)?;
        product.truncate(length);
        Ok(product)
    }
}

impl Field {
    /// `factor` forward, and its reciprocal inverse.
    pub(super) fn toward(&self, factor: u32, direction: Direction) -> u32 {
        match direction {
            Direction::Forward => factor,
            Direction::Inverse => self.invert(factor),
        }
    }
}

fn divide(steps: &mut Vec<Step>, bit: u32, terms: Vec<(u32, u32)>) {
    if !terms.is_empty() {
        let divisor = Divisor { bit, terms };
        steps.extend([Step::Quotient(divisor.clone()), Step::Remainder(divisor)]);
    }
}

/// Undoes figure 4.5 of the dissertation from its last step to its first: f mod (s_(i+1) + ..) divided by
/// s_i + s_i(w) gives q and r; r and q + r are f mod (s_i + ..) of the two halves. The constant s_i(w) of the
/// divisor waits for the butterfly. Other bases than Cantor's have s_i(beta_i) other than 1, which goes to q,
/// and s_i with coefficients (von zur Gathen and Gerhard 1996).
fn wang_zhu_cantor(steps: &mut Vec<Step>, field: &Field, elements: &[u32]) {
    let mut of_bits = Vec::new();
    let mut s = Linearized::first();
    for (bit, beta) in (0..).zip(elements) {
        let mut of_bit = Vec::new();
        divide(&mut of_bit, bit, s.lower_terms().collect());
        let at_beta = s.at(field, *beta);
        if at_beta != 1 {
            of_bit.push(Step::Scale { shift: bit, factors: vec![1, at_beta] });
        }
        let unit = field.invert(at_beta);
        let later = &elements[bit as usize + 1..];
        let later: Vec<u32> =
            later.iter().map(|beta| field.multiply(s.at(field, *beta), unit)).collect();
        of_bit.push(Step::Butterfly { bit, weights: span(&later) });
        of_bits.push(of_bit);
        s = s.next(field, *beta);
    }
    steps.extend(of_bits.into_iter().rev().flatten());
}

/// The Taylor expansion at x^t + x, t = 2^`tau`, of the polynomials in bits `low` to `low + bits` of the index:
/// splits by (x^t + x)^(2^l) = x^(t 2^l) + x^(2^l), from the largest l down.
fn taylor(steps: &mut Vec<Step>, low: u32, bits: u32, tau: u32) {
    for l in (0..bits - tau).rev() {
        divide(steps, low + tau + l, vec![(low + l, 1)]);
    }
}

/// Undoes figure 4.6 of the dissertation from its last step to its first. There a length is 2^k with k a
/// power of two, and t its root; here t = 2^`tau` with the largest power of two `tau` below k, since only then
/// x^t + x is s_tau.
fn gao_mateer(steps: &mut Vec<Step>, elements: &[u32], low: u32, bits: u32) {
    match bits {
        0 => {}
        1 => {
            let later = &elements[1..elements.len() - low as usize];
            steps.push(Step::Butterfly { bit: low, weights: span(later) });
        }
        _ => {
            let tau = 1 << (bits - 1).ilog2();
            taylor(steps, low, bits, tau);
            gao_mateer(steps, elements, low + tau, bits - tau);
            gao_mateer(steps, elements, low, tau);
        }
    }
}

/// The form for any basis (Gao and Mateer 2010, section III): f(beta_0 x) has the points beta_i / beta_0, and
/// its Taylor expansion at x^2 + x leaves two polynomials at the points y^2 + y of half as many y.
fn gao_mateer_of_any(steps: &mut Vec<Step>, field: &Field, elements: &[u32]) {
    let bits = elements.len() as u32;
    let mut basis = elements.to_vec();
    let mut butterflies = Vec::new();
    for low in 0..bits {
        let first = basis[0];
        if first != 1 {
            let powers =
                std::iter::successors(Some(1), |power| Some(field.multiply(*power, first)));
            let factors = powers.take(1 << (bits - low)).collect();
            steps.push(Step::Scale { shift: low, factors });
        }
        taylor(steps, low, bits - low, 1);
        let unit = field.invert(first);
        basis = basis[1..].iter().map(|beta| field.multiply(*beta, unit)).collect();
        butterflies.push(Step::Butterfly { bit: low, weights: span(&basis) });
        basis.iter_mut().for_each(|gamma| *gamma ^= field.multiply(*gamma, *gamma));
    }
    steps.extend(butterflies.into_iter().rev());
}
