//! Cantor's basis, and the linearized polynomials that vanish on the spaces that it spans.

use super::Field;

/// A basis beta_0, beta_1, .. of GF(2^m) over GF(2). As far as the field allows it is Cantor's: beta_0 = 1 and
/// beta_i = beta_(i+1)^2 + beta_(i+1).
///
/// Cantor's relation holds for as many elements as the largest power of two that divides m: all of them if m is
/// 1, 2, 4, 8 or 16, four of them if m is 12, and only beta_0 if m is odd. (A solution y of y^2 + y = b exists
/// where the trace of b is 0, and the kernel of the i-th iterate of y^2 + y has dimension gcd((x + 1)^i,
/// x^m + 1).) Powers of x that are independent of these complete the basis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    elements: Vec<u32>,
    cantor_dimension: u32,
}

impl Basis {
    /// The basis of `field`.
    pub fn new(field: &Field) -> Self {
        let next = |of: u32| (2..field.size()).find(|y| field.multiply(*y, *y) ^ y == of);
        let mut elements: Vec<u32> = std::iter::successors(Some(1), |last| next(*last)).collect();
        let cantor_dimension = elements.len() as u32;
        let mut powers = (0..field.degree()).map(|power| 1 << power);
        while elements.len() < field.degree() as usize {
            let spanned = span(&elements);
            elements.extend(powers.by_ref().find(|power| !spanned.contains(power)));
        }
        Self { elements, cantor_dimension }
    }

    /// The elements beta_0, beta_1, .. of the basis.
    pub fn elements(&self) -> &[u32] {
        &self.elements
    }

    /// The number of elements for which Cantor's relation holds.
    pub fn cantor_dimension(&self) -> u32 {
        self.cantor_dimension
    }

    /// The evaluation point number `index`, the sum of beta_i over the bits i that are set in `index`.
    pub fn point(&self, index: u32) -> u32 {
        let is_set = |i: &usize| index >> i & 1 == 1;
        (0..self.elements.len()).filter(is_set).fold(0, |sum, i| sum ^ self.elements[i])
    }
}

/// All sums of `elements`: bit i of an index says whether element i is in the sum.
pub(super) fn span(elements: &[u32]) -> Vec<u32> {
    elements.iter().fold(vec![0], |mut sums, element| {
        sums.extend_from_within(..);
        let half = sums.len() / 2;
        sums[half..].iter_mut().for_each(|sum| *sum ^= element);
        sums
    })
}

/// s_i(x) = product of x + w over the span of beta_0 .. beta_(i-1), which is a sum of x^(2^d) with
/// coefficients: linear over GF(2).
pub(super) struct Linearized(Vec<u32>);

impl Linearized {
    /// s_0 = x
    pub fn first() -> Self {
        Self(vec![1])
    }

    /// s_(i+1) = s_i^2 + s_i(beta_i) s_i
    pub fn next(&self, field: &Field, beta: u32) -> Self {
        let at_beta = self.at(field, beta);
        let mut next: Vec<u32> = self.0.iter().map(|a| field.multiply(at_beta, *a)).collect();
        next.push(0);
        next[1..].iter_mut().zip(&self.0).for_each(|(next, a)| *next ^= field.multiply(*a, *a));
        Self(next)
    }

    /// The value at `x`.
    pub fn at(&self, field: &Field, mut x: u32) -> u32 {
        self.0.iter().fold(0, |sum, a| {
            let term = field.multiply(*a, x);
            x = field.multiply(x, x);
            sum ^ term
        })
    }

    /// The terms (d, a) of a x^(2^d) below the leading one.
    pub fn lower_terms(&self) -> impl Iterator<Item = (u32, u32)> {
        let lower = &self.0[..self.0.len() - 1];
        (0..).zip(lower.iter().copied()).filter(|(_, a)| *a != 0)
    }
}
