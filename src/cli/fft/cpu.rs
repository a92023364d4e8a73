//! Lines of every kind in double precision on the processor, by the laboratory's reference.

use crate::fft::lab::reference::{self, Array, Lines};
use crate::fft::{Descriptor, Direction, Kind, Precision};

use super::stages;

/// The transforms, not scaled, of `rows` of `length` points (for [`Kind::Real`], on the real side), one after
/// the other. Cosine transforms have the type in `kind`, whatever the direction.
pub fn rows(kind: Kind, direction: Direction, length: usize, rows: &[f64]) -> Vec<f64> {
    let [components, _] = stages::components(kind, direction);
    let [points, _] = stages::points(kind, direction, length);
    let direction = match kind {
        Kind::Complex | Kind::Real => direction,
        _ => Direction::Forward,
    };
    let task = Descriptor {
        kind,
        direction,
        precision: Precision::F64,
        ..Descriptor::lines(length as u32, (rows.len() / (points * components)) as u32)
    };
    let values = Array::of_numbers(rows.to_vec(), task.loads_reals());
    let result = reference::transform(values, &task, &mut Lines::default());
    result.expect("so many lines of that length and kind").numbers().to_vec()
}
