//! Roots of unity in double precision, for tables, unrolled kernels and the reference.

use super::layout::Direction;

/// A complex number: (re, im).
pub type Complex = [f64; 2];

/// exp(sign 2 pi i k / n).
///
/// The angle is reduced to an eighth of a turn before sine and cosine are taken, so that the roots
/// have the symmetries of the circle exactly.
pub fn root_of_unity(k: usize, n: usize, direction: Direction) -> Complex {
    let k = k % n;
    // Eighths of a turn, and what is left in units of 1 / (8 n) of a turn.
    let (octant, rest) = (8 * k / n, 8 * k % n);
    let angle = |part: usize| std::f64::consts::TAU * part as f64 / (8 * n) as f64;
    let (sin, cos) = if octant % 2 == 0 {
        libm::sincos(angle(rest))
    } else {
        let (cos, sin) = libm::sincos(angle(n - rest));
        (sin, cos)
    };
    let [re, im] = match octant / 2 {
        0 => [cos, sin],
        1 => [-sin, cos],
        2 => [-cos, -sin],
        _ => [sin, -cos],
    };
    [re, direction.sign() * im]
}
