//! Known answers, by the definition.

use super::super::gate::random_bits;
use super::{AdditiveError, Basis, Field};
use crate::descriptor::Direction;

/// Lines of random polynomials and their values at all points, by [`Field::evaluate`]: the exact results of a
/// transform in both directions.
#[derive(Clone, Debug)]
pub struct KnownAnswers {
    bits: u32,
    lines: u32,
    polynomials: Vec<u32>,
    values: Vec<u32>,
}

impl KnownAnswers {
    /// `lines` lines of 2^`bits` elements of `field`. This takes `lines` 4^`bits` products.
    ///
    /// # Errors
    /// [`AdditiveError::TooLong`] if there are more points than elements in the field.
    pub fn new(field: &Field, bits: u32, lines: u32) -> Result<Self, AdditiveError> {
        field.check_points(bits)?;
        let basis = Basis::new(field);
        let (mut polynomials, mut values) = (Vec::new(), Vec::new());
        for line in 0..lines {
            let elements = random_bits(line).map(|random| (random >> (64 - field.degree())) as u32);
            let polynomial: Vec<u32> = elements.take(1 << bits).collect();
            let points = (0..1 << bits).map(|i| basis.point(i));
            values.extend(points.map(|point| field.evaluate(&polynomial, point)));
            polynomials.extend(polynomial);
        }
        Ok(Self { bits, lines, polynomials, values })
    }

    /// The number k of bits of an index.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The number of lines.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// The lines to transform.
    pub fn given(&self, direction: Direction) -> &[u32] {
        match direction {
            Direction::Forward => &self.polynomials,
            Direction::Inverse => &self.values,
        }
    }

    /// The lines that result.
    pub fn expected(&self, direction: Direction) -> &[u32] {
        self.given(direction.reverse())
    }
}
