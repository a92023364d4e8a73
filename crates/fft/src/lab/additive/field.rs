//! Arithmetic in the fields of 2^m elements.

use super::AdditiveError;

/// The largest degree m of a field.
pub const MAX_DEGREE: u32 = 16;

/// A primitive polynomial of each degree from 1 on: bit i is the coefficient of x^i.
const PRIMITIVE: [u32; MAX_DEGREE as usize] = [
    0x3, 0x7, 0xb, 0x13, 0x25, 0x43, 0x83, 0x11d, 0x211, 0x409, 0x805, 0x1053, 0x201b, 0x4443,
    0x8003, 0x1100b,
];

/// The field of 2^m elements, m from 1 to 16. Bit i of an element is the coefficient of x^i of a polynomial
/// modulo a primitive one. The sum of two elements is their exclusive or.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    degree: u32,
    /// The powers of x from 0 on, twice: a sum of two logarithms is an index.
    pub(super) powers: Vec<u32>,
    /// The logarithms to the base x; that of 0 is not used.
    pub(super) logs: Vec<u32>,
}

impl Field {
    /// The field of 2^`degree` elements.
    ///
    /// # Errors
    /// [`AdditiveError::Degree`] unless `degree` is from 1 to 16.
    pub fn new(degree: u32) -> Result<Self, AdditiveError> {
        if !(1..=MAX_DEGREE).contains(&degree) {
            return Err(AdditiveError::Degree { degree });
        }
        let mut field = Self { degree, powers: Vec::new(), logs: vec![0; 1 << degree] };
        let order = field.size() - 1;
        let mut power = 1;
        for log in 0..order {
            field.powers.push(power);
            field.logs[power as usize] = log;
            power <<= 1;
            if power >> degree == 1 {
                power ^= field.modulus();
            }
        }
        field.powers.extend_from_within(..);
        Ok(field)
    }

    /// The number m of bits of an element.
    pub fn degree(&self) -> u32 {
        self.degree
    }

    /// The number of elements, 2^m.
    pub fn size(&self) -> u32 {
        1 << self.degree
    }

    /// The primitive polynomial of the field, of degree m.
    pub fn modulus(&self) -> u32 {
        PRIMITIVE[self.degree as usize - 1]
    }

    /// The product of two elements.
    ///
    /// # Panics
    /// Panics if a number is no element of the field.
    pub fn multiply(&self, a: u32, b: u32) -> u32 {
        let [log_a, log_b] = [a, b].map(|factor| self.logs[factor as usize]);
        if a == 0 || b == 0 { 0 } else { self.powers[(log_a + log_b) as usize] }
    }

    /// The reciprocal of an element; 0 for 0.
    ///
    /// # Panics
    /// Panics if `a` is no element of the field.
    pub fn invert(&self, a: u32) -> u32 {
        let log = self.logs[a as usize];
        if a == 0 { 0 } else { self.powers[(self.size() - 1 - log) as usize] }
    }

    /// The value at `x` of the polynomial with these coefficients, that of x^0 first, by Horner's rule: the
    /// definition of the transforms.
    ///
    /// # Panics
    /// Panics if a number is no element of the field.
    pub fn evaluate(&self, coefficients: &[u32], x: u32) -> u32 {
        coefficients
            .iter()
            .rev()
            .fold(0, |value, coefficient| self.multiply(value, x) ^ coefficient)
    }

    /// Adds `factor` times the values of `from` to those of `to`.
    pub(super) fn add_multiple(&self, to: &mut [u32], from: &[u32], factor: u32) {
        let log = self.logs[factor as usize];
        for (to, from) in to.iter_mut().zip(from) {
            *to ^= match (factor, *from) {
                (0, _) | (_, 0) => 0,
                (1, from) => from,
                (_, from) => self.powers[(log + self.logs[from as usize]) as usize],
            };
        }
    }

    /// Checks that there are 2^`bits` points.
    pub(super) fn check_points(&self, bits: u32) -> Result<(), AdditiveError> {
        if bits > self.degree {
            let needed = 1_u64.checked_shl(bits).unwrap_or(u64::MAX);
            return Err(AdditiveError::TooLong { needed, degree: self.degree });
        }
        Ok(())
    }

    /// Checks that all `values` are elements.
    pub(super) fn check(&self, values: &[u32]) -> Result<(), AdditiveError> {
        match values.iter().find(|value| **value >= self.size()) {
            Some(&value) => Err(AdditiveError::NotInField { value, degree: self.degree }),
            None => Ok(()),
        }
    }
}
