//! The length of the transforms along an axis, and the position of the result in their output.

use crate::choice::choices;

choices! {
    /// The operation between image and kernel. Along one axis, with an image a and a kernel b:
    pub enum Operation {
        /// c(k) = sum over n of a(k - n) b(n).
        Convolution = "convolution",
        /// c(k) = sum over n of a(n + k - (B - 1)) conj(b(n)), B being the length of b: convolution
        /// with the kernel turned around and conjugated, as `scipy.signal.correlate`. With
        /// [`Extent::Circular`] c(k) = sum over n of a(n + k) conj(b(n)).
        Correlation = "correlation",
    }
}

choices! {
    /// The extent of the result. All but `Circular` take values beyond the image for zero, and are the modes
    /// of `scipy.signal.fftconvolve`.
    pub enum Extent {
        /// All points where the kernel touches the image: a + b - 1 values along an axis.
        Full = "full",
        /// The middle of `Full`, as large as the image.
        Same = "same",
        /// The points where the smaller of the two lies within the larger: |a - b| + 1 values along an axis.
        Valid = "valid",
        /// The image repeats periodically, and so does the result, which is as large. The kernel's first
        /// value is its origin, and a kernel that is larger than the image wraps around it.
        Circular = "circular",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub padded: u32,
    pub result: u32,
    /// Index of the result's first point in the transforms' output, which repeats every `padded` points.
    pub start: u32,
}

impl Line {
    pub fn whole(length: u32) -> Self {
        Self { padded: length, result: length, start: 0 }
    }

    /// A line along an axis on which the image has `a` points and the kernel `b`, padded to a multiple of
    /// `step` points; `None` if that exceeds 32 bits.
    pub fn new(a: u32, b: u32, step: u32, operation: Operation, extent: Extent) -> Option<Self> {
        if extent == Extent::Circular {
            return Some(Self { padded: a, result: a, start: 0 });
        }
        let full = a.checked_add(b)? - 1;
        // SciPy's, which is centred in the full result.
        let (result, first) = match extent {
            Extent::Full => (full, 0),
            Extent::Same => (a, (b - 1) / 2),
            _ => (a.abs_diff(b) + 1, a.min(b) - 1),
        };
        // The rest of the full result may wrap around, since it is not read.
        let least = (first + result).max(full - first).max(a).max(b);
        let padded = good_length(least, step)?;
        // The lag 0 of a correlation is at B - 1 of the full result.
        let origin = match operation {
            Operation::Convolution => 0,
            Operation::Correlation => b - 1,
        };
        let start = (u64::from(first) + u64::from(padded) - u64::from(origin)) % u64::from(padded);
        Some(Self { padded, result, start: start as u32 })
    }
}

/// The least multiple of `step`, from `least` on, that is a product of 2, 3, 5 and 7, which the fast
/// algorithms take.
fn good_length(least: u32, step: u32) -> Option<u32> {
    let is_good = |length: &u32| {
        let without = |mut rest: u32, prime: &u32| {
            while rest.is_multiple_of(*prime) {
                rest /= prime;
            }
            rest
        };
        [2, 3, 5, 7].iter().fold(*length, without) == 1
    };
    let first = least.checked_next_multiple_of(step)?;
    (first..=u32::MAX).step_by(step as usize).find(is_good)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice as _;

    /// Every point of the result comes from one place of the circle, and no other point overlaps it.
    #[test]
    fn what_wraps_around_is_not_kept() {
        for (a, b) in (1..12).flat_map(|a| (1..12).map(move |b| (a, b))) {
            for &operation in Operation::ALL {
                for extent in [Extent::Full, Extent::Same, Extent::Valid] {
                    let line = Line::new(a, b, 1 + a % 2, operation, extent).unwrap();
                    assert!(line.padded.is_multiple_of(1 + a % 2));
                    let full = a + b - 1;
                    let first = match extent {
                        Extent::Full => 0,
                        _ => (full - line.result) / 2,
                    };
                    let origin = if operation == Operation::Correlation { b - 1 } else { 0 };
                    for k in 0..full {
                        let at = (k + line.padded - origin % line.padded) % line.padded;
                        let place = (at + line.padded - line.start) % line.padded;
                        let is_kept = (first..first + line.result).contains(&k);
                        assert_eq!(
                            place < line.result,
                            is_kept,
                            "{a} {b} {operation} {extent} {k}"
                        );
                        assert!(!is_kept || place == k - first);
                    }
                    assert!(line.padded >= a.max(b));
                }
            }
        }
    }

    #[test]
    fn padded_lengths_are_products_of_small_primes() {
        for (least, good) in [(1, 1), (11, 12), (13, 14), (127, 128), (1025, 1029), (4097, 4116)] {
            assert_eq!(good_length(least, 1), Some(good));
        }
        assert_eq!(good_length(1025, 2), Some(1050));
        assert_eq!(Line::new(u32::MAX, 2, 1, Operation::Convolution, Extent::Full), None);
    }
}
