//! Transforms in double precision on the CPU: the reference of every GPU algorithm ([`dft`] and [`Dit`]), and
//! the other algorithms of Mota 2022, table 2 ([`Dif`], [`recursive`]), for comparison; other lengths are
//! transformed by mixed radices. Values are (re, im). Nothing is scaled.
//!
//! ```
//! use seaway_fft::lab::cpu::{Complex, Dif, Dit, dft, recursive, root_of_unity};
//! use seaway_fft::Direction::Forward;
//!
//! let values: Vec<Complex> = (0..8).map(|n| [f64::from(n), 0.0]).collect();
//! let expected = dft(&values, Forward);
//! let is_near = |result: &[Complex]| {
//!     result.iter().flatten().zip(expected.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-12)
//! };
//! assert!(is_near(&recursive(&values, Forward).unwrap()));
//! let (mut by_time, mut by_frequency) = (values.clone(), values);
//! Dit::new(8, Forward).unwrap().transform(&mut by_time);
//! Dif::new(8, Forward).unwrap().transform(&mut by_frequency);
//! assert!(is_near(&by_time) && is_near(&by_frequency));
//! assert!((root_of_unity(1, 4, Forward)[1] + 1.0).abs() < 1e-15); // -i
//! ```

pub use crate::roots::{Complex, root_of_unity};

use crate::descriptor::{Axes, Axis, Direction};
use crate::exact;
use crate::platform::Cooperative;

pub(super) fn multiply(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// The definition: X(k) = sum over n of x(n) exp(sign 2 pi i k n / N), for any N (Mota 2022, section 2.2).
pub fn dft(values: &[Complex], direction: Direction) -> Vec<Complex> {
    let n = values.len();
    let roots: Vec<Complex> = (0..n).map(|k| root_of_unity(k, n, direction)).collect();
    (0..n)
        .map(|k| {
            values.iter().enumerate().fold([0.0, 0.0], |sum, (index, value)| {
                let term = multiply(*value, roots[k * index % n]);
                [sum[0] + term[0], sum[1] + term[1]]
            })
        })
        .collect()
}

/// Radix-2 decimation in time for one length (Mota 2022, section 2.3.1 and algorithm 2).
#[derive(Clone, Debug)]
pub struct Dit {
    /// exp(sign 2 pi i k / N) for k in 0..N/2.
    roots: Vec<Complex>,
    length: usize,
}

impl Dit {
    /// Prepares lines of `length` points; `None` unless that is a power of two.
    pub fn new(length: usize, direction: Direction) -> Option<Self> {
        length.is_power_of_two().then(|| Self {
            roots: (0..length / 2).map(|k| root_of_unity(k, length, direction)).collect(),
            length,
        })
    }

    /// Transforms `line` in place.
    ///
    /// # Panics
    /// Panics if the length of `line` differs from the prepared one.
    pub fn transform(&self, line: &mut [Complex]) {
        assert_eq!(line.len(), self.length, "length of the line");
        let bits = self.length.ilog2();
        reverse_bits(line);
        for stage in 0..bits {
            let shift = 1 << stage;
            for group in line.chunks_exact_mut(2 * shift) {
                let (low, high) = group.split_at_mut(shift);
                for (index, (a, b)) in low.iter_mut().zip(high).enumerate() {
                    let wb = multiply(*b, self.roots[index << (bits - 1 - stage)]);
                    let was = *a;
                    *a = [was[0] + wb[0], was[1] + wb[1]];
                    *b = [was[0] - wb[0], was[1] - wb[1]];
                }
            }
        }
    }
}

/// Radix-2 decimation in frequency for one length: the butterflies of [`Dit`] in the reverse order,
/// each with its factor after the difference, and the bit reversal last (Mota 2022, section 2.3.2).
#[derive(Clone, Debug)]
pub struct Dif(Dit);

impl Dif {
    /// Prepares lines of `length` points; `None` unless that is a power of two.
    pub fn new(length: usize, direction: Direction) -> Option<Self> {
        Dit::new(length, direction).map(Self)
    }

    /// Transforms `line` in place.
    ///
    /// # Panics
    /// Panics if the length of `line` differs from the prepared one.
    pub fn transform(&self, line: &mut [Complex]) {
        let Dit { roots, length } = &self.0;
        assert_eq!(line.len(), *length, "length of the line");
        let bits = length.ilog2();
        for stage in (0..bits).rev() {
            let shift = 1 << stage;
            for group in line.chunks_exact_mut(2 * shift) {
                let (low, high) = group.split_at_mut(shift);
                for (index, (a, b)) in low.iter_mut().zip(high).enumerate() {
                    let difference = [a[0] - b[0], a[1] - b[1]];
                    *a = [a[0] + b[0], a[1] + b[1]];
                    *b = multiply(difference, roots[index << (bits - 1 - stage)]);
                }
            }
        }
        reverse_bits(line);
    }
}

/// Swaps every point of `line`, whose length is a power of two, with that of the reversed index.
fn reverse_bits(line: &mut [Complex]) {
    let bits = line.len().ilog2();
    // A single point needs no swap, and there is no bit to shift down.
    for index in 1..line.len() {
        let reversed = index.reverse_bits() >> (usize::BITS - bits);
        if index < reversed {
            line.swap(index, reversed);
        }
    }
}

/// Radix-2 decimation in time by recursion: the transforms of the even and of the odd points, then one stage
/// of butterflies; no bit reversal (Mota 2022, table 2). `None` unless the length is a power of two.
pub fn recursive(values: &[Complex], direction: Direction) -> Option<Vec<Complex>> {
    fn half(values: &[Complex], roots: &[Complex]) -> Vec<Complex> {
        let length = values.len();
        if length == 1 {
            return values.to_vec();
        }
        let points = |first: usize| -> Vec<Complex> {
            values.iter().skip(first).step_by(2).copied().collect()
        };
        let mut result = half(&points(0), roots);
        let odd = half(&points(1), roots);
        // exp(sign 2 pi i k / length), of the roots of the whole.
        let step = 2 * roots.len() / length;
        for (k, odd) in odd.into_iter().enumerate() {
            let (even, odd) = (result[k], multiply(odd, roots[k * step]));
            result[k] = [even[0] + odd[0], even[1] + odd[1]];
            result.push([even[0] - odd[0], even[1] - odd[1]]);
        }
        result
    }
    let Dit { roots, .. } = Dit::new(values.len(), direction)?;
    Some(half(values, &roots))
}

/// Lines of any length: powers of two by [`Dit`].
pub(super) enum AnyLine {
    Dit(Dit),
    Mixed(exact::Line),
}

impl AnyLine {
    pub(super) fn new(length: usize, direction: Direction) -> Self {
        match Dit::new(length, direction) {
            Some(dit) => Self::Dit(dit),
            None => Self::Mixed(exact::Line::new(length, direction)),
        }
    }

    pub(super) fn transform(&self, line: &mut [Complex]) {
        match self {
            Self::Dit(dit) => dit.transform(line),
            Self::Mixed(mixed) => mixed.transform(line),
        }
    }
}

/// Transforms the lines of one image `[y][x]` of `size` [width, height] along `axes`, in place. `None` if
/// `image` is not of that size.
pub fn transform(
    image: &mut [Complex],
    size: [u32; 2],
    axes: Axes,
    direction: Direction,
) -> Option<()> {
    Cooperative::finish(transform_in(&mut Cooperative::blocking(), image, size, axes, direction))
}

/// Does the work of [`transform`] cooperatively, in slices, for other crates of this workspace.
#[doc(hidden)]
pub async fn transform_in(
    coop: &mut Cooperative,
    image: &mut [Complex],
    size: [u32; 2],
    axes: Axes,
    direction: Direction,
) -> Option<()> {
    let [width, height] = size.map(|length| length as usize);
    if width.checked_mul(height)? != image.len() {
        return None;
    }
    if image.is_empty() {
        return Some(());
    }
    for axis in axes.list() {
        match axis {
            Axis::Row => {
                let line = AnyLine::new(width, direction);
                for row in image.chunks_exact_mut(width) {
                    line.transform(row);
                    coop.yield_if_due().await;
                }
            }
            // There is one slice.
            Axis::Depth => {}
            Axis::Column => {
                let line = AnyLine::new(height, direction);
                let mut column = vec![[0.0; 2]; height];
                for x in 0..width {
                    for (y, value) in column.iter_mut().enumerate() {
                        *value = image[y * width + x];
                    }
                    line.transform(&mut column);
                    coop.yield_if_due().await;
                    for (y, value) in column.iter().enumerate() {
                        image[y * width + x] = *value;
                    }
                }
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice as _;

    fn noise(count: usize) -> Vec<Complex> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        (0..count).map(|_| [next(), next()]).collect()
    }

    fn worst(a: &[Complex], b: &[Complex]) -> f64 {
        assert_eq!(a.len(), b.len());
        a.iter()
            .zip(b)
            .map(|(a, b)| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()))
            .fold(0.0, f64::max)
    }

    #[test]
    fn roots_of_unity_are_exact_where_they_can_be() {
        for n in [1, 2, 3, 4, 5, 8, 12, 16, 1024] {
            for k in 0..n {
                for &direction in Direction::ALL {
                    let angle = std::f64::consts::TAU * k as f64 / n as f64;
                    let [re, im] = root_of_unity(k, n, direction);
                    assert!((re - angle.cos()).abs() < 1e-15, "{k}/{n}");
                    assert!((im - direction.sign() * angle.sin()).abs() < 1e-15, "{k}/{n}");
                }
            }
        }
        assert_eq!(root_of_unity(1, 4, Direction::Forward), [0.0, -1.0]);
        assert_eq!(root_of_unity(2, 4, Direction::Inverse)[0], -1.0);
    }

    #[test]
    fn the_dft_of_known_sequences() {
        // An impulse at n = 1 is a wave with the sign of the exponent.
        let wave = dft(&[[0.0; 2], [1.0, 0.0], [0.0; 2], [0.0; 2]], Direction::Forward);
        let expected = [[1.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [0.0, 1.0]];
        assert!(worst(&wave, &expected) < 1e-15);
        let wave = dft(&[[0.0; 2], [1.0, 0.0], [0.0; 2], [0.0; 2]], Direction::Inverse);
        let expected = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
        assert!(worst(&wave, &expected) < 1e-15);
        // A constant is an impulse, of any length.
        let impulse = dft(&[[2.0, 1.0]; 3], Direction::Forward);
        assert!(worst(&impulse, &[[6.0, 3.0], [0.0; 2], [0.0; 2]]) < 1e-14);
    }

    #[test]
    fn decimation_and_recursion_are_the_dft() {
        for bits in 0..=10 {
            for &direction in Direction::ALL {
                let values = noise(1 << bits);
                let mut fast = values.clone();
                Dit::new(1 << bits, direction).unwrap().transform(&mut fast);
                let exact = dft(&values, direction);
                assert!(worst(&fast, &exact) < 1e-11, "2^{bits} {direction}");

                let mut in_frequency = values.clone();
                Dif::new(1 << bits, direction).unwrap().transform(&mut in_frequency);
                assert!(worst(&in_frequency, &exact) < 1e-11, "2^{bits} {direction}");
                let recursive = recursive(&values, direction).unwrap();
                assert!(worst(&recursive, &exact) < 1e-11, "2^{bits} {direction}");
            }
        }
        assert!(Dit::new(12, Direction::Forward).is_none());
        assert!(Dif::new(0, Direction::Forward).is_none());
        assert!(recursive(&[[0.0; 2]; 6], Direction::Forward).is_none());
    }

    #[test]
    fn the_2d_transform_is_its_definition() {
        let (width, height) = (8, 4);
        let image = noise(width * height);
        let mut fast = image.clone();
        transform(&mut fast, [width as u32, height as u32], Axes::Both, Direction::Inverse)
            .unwrap();
        let mut slow = Vec::new();
        for ky in 0..height {
            for kx in 0..width {
                let mut sum = [0.0; 2];
                for y in 0..height {
                    for x in 0..width {
                        let w = multiply(
                            root_of_unity(ky * y, height, Direction::Inverse),
                            root_of_unity(kx * x, width, Direction::Inverse),
                        );
                        let term = multiply(image[y * width + x], w);
                        sum = [sum[0] + term[0], sum[1] + term[1]];
                    }
                }
                slow.push(sum);
            }
        }
        assert!(worst(&fast, &slow) < 1e-13);
        assert!(transform(&mut fast, [7, 4], Axes::Both, Direction::Inverse).is_none());
        assert!(transform(&mut [], [0, 4], Axes::Both, Direction::Inverse).is_some());
    }
}
