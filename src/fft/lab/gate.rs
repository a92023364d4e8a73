//! How accurate a transform is, and how accurate it has to be.

use crate::choice::Choice as _;
use crate::fft::algorithms::{Algorithm, Configuration, Twiddles, Value, is_smooth};
use crate::fft::descriptor::{Axis, Descriptor, Precision};

/// The error of a result against a reference in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// Euclidean norm of the error over that of the reference.
    pub relative_l2: f64,
    /// Largest error of a value over the largest magnitude of the reference.
    pub relative_max: f64,
}

impl Accuracy {
    /// No error.
    pub const NONE: Self = Self { relative_l2: 0.0, relative_max: 0.0 };

    /// The worse of the two, error by error.
    pub fn worse(self, other: Self) -> Self {
        Self {
            relative_l2: self.relative_l2.max(other.relative_l2),
            relative_max: self.relative_max.max(other.relative_max),
        }
    }

    /// Compares complex values. A result that is not finite has an infinite error.
    pub fn of(result: &[[f32; 2]], reference: &[[f64; 2]]) -> Self {
        let (mut error_sum, mut sum, mut error_max, mut max) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        let mut finite = result.len() == reference.len();
        for (value, exact) in result.iter().zip(reference) {
            let error = [f64::from(value[0]) - exact[0], f64::from(value[1]) - exact[1]];
            finite &= error[0].is_finite() && error[1].is_finite();
            let square = |z: [f64; 2]| z[0] * z[0] + z[1] * z[1];
            error_sum += square(error);
            sum += square(*exact);
            error_max = error_max.max(square(error));
            max = max.max(square(*exact));
        }
        if !finite {
            return Self { relative_l2: f64::INFINITY, relative_max: f64::INFINITY };
        }
        let ratio = |error: f64, of: f64| if error == 0.0 { 0.0 } else { (error / of).sqrt() };
        Self { relative_l2: ratio(error_sum, sum), relative_max: ratio(error_max, max) }
    }
}

/// The largest errors that pass, on random data in [-1, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// For [`Accuracy::relative_l2`].
    pub relative_l2: f64,
    /// For [`Accuracy::relative_max`].
    pub relative_max: f64,
}

impl Gate {
    /// For `descriptor`: 1e-6, and pyvkfft's bound on the largest error, 2e-6 + 5e-7 log10(points),
    /// where points are those of one transform. Twice as much for lengths that only Bluestein's
    /// algorithm takes, and for that. With the device's sine and cosine 5e-6 for both at least. For storage in 16-bit floats 5e-4, and the same multiple of the other bound.
    pub fn of(descriptor: &Descriptor) -> Self {
        let lengths = descriptor.axes.list().iter().map(|axis| f64::from(descriptor.length(*axis)));
        let asked = |configuration: Configuration| configuration.get("twiddles");
        let sin_cos = Value::Name(Twiddles::SinCos.name());
        // There and back again, in twice the points and through three products.
        let is_smooth = |axis: &Axis| is_smooth(descriptor.length(*axis));
        let named = descriptor.algorithm.map(|configuration| configuration.algorithm());
        let direct = descriptor.axes.list().iter().all(is_smooth);
        let times =
            if named == Some(Algorithm::Bluestein) || !direct && named != Some(Algorithm::Dft) {
                2.0
            } else {
                1.0
            };
        let relative_max = times * (2e-6 + 5e-7 * lengths.product::<f64>().log10());
        match (descriptor.precision, descriptor.algorithm.and_then(asked)) {
            (Precision::F16, _) => Self { relative_l2: 5e-4, relative_max: 500.0 * relative_max },
            (Precision::F32, Some(twiddles)) if twiddles == sin_cos => {
                Self { relative_l2: 5e-6, relative_max: relative_max.max(5e-6) }
            }
            _ => Self { relative_l2: times * 1e-6, relative_max },
        }
    }

    /// Whether `accuracy` is good enough.
    pub fn passes(&self, accuracy: Accuracy) -> bool {
        accuracy.relative_l2 <= self.relative_l2 && accuracy.relative_max <= self.relative_max
    }

    /// How `accuracy` stands to it, for people.
    pub fn describe(&self, accuracy: Accuracy) -> String {
        format!(
            "relative L2 error {:.1e} (at most {:.1e} passes), largest error {:.1e} ({:.1e})",
            accuracy.relative_l2, self.relative_l2, accuracy.relative_max, self.relative_max
        )
    }
}

/// A random image in [-1, 1]: the data that the gate is for. Each index has its own, so that a kernel
/// that mixes up the images of a batch is seen.
pub fn noise(index: u32, points: usize) -> Vec<[f32; 2]> {
    // SplitMix64 (Steele, Lea, Flood 2014): each call of `next` is independent of the seed's size.
    let mut state = (u64::from(index) + 1) << 40;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let bits = z ^ (z >> 31);
        // The upper 24 bits of each half: what an f32 in [-1, 1) can hold.
        [bits >> 40, (bits >> 8) & 0xFF_FFFF].map(|bits| bits as f32 / (1 << 23) as f32 - 1.0)
    };
    (0..points).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_noise_and_differ() {
        let first = noise(0, 10_000);
        let mean = first.iter().flatten().sum::<f32>() / 20_000.0;
        let variance = first.iter().flatten().map(|v| v * v).sum::<f32>() / 20_000.0;
        assert!(mean.abs() < 0.02, "{mean}");
        assert!((variance - 1.0 / 3.0).abs() < 0.02, "{variance}");
        assert!(first.iter().flatten().all(|v| (-1.0..=1.0).contains(v)));
        assert_eq!(first, noise(0, 10_000));
        assert_ne!(first, noise(1, 10_000));
    }
}
