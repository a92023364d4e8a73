//! The accuracy of a transform, and the required one.

use crate::algorithms::is_smooth;
use crate::choice::Choice as _;
use crate::configuration::{Algorithm, Configuration, Twiddles, Value};
use crate::descriptor::{Axis, Descriptor, Kind, Precision};

use super::reference::Array;

/// The error of a result against a reference in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// Euclidean norm of the error over that of the reference.
    pub relative_l2: f64,
    /// Largest error of a value over the largest magnitude of the reference.
    pub relative_max: f64,
}

impl Accuracy {
    /// The accuracy of an exact result.
    pub const NONE: Self = Self { relative_l2: 0.0, relative_max: 0.0 };

    const WRONG: Self = Self { relative_l2: f64::INFINITY, relative_max: f64::INFINITY };

    /// The worse of the two, error by error.
    pub fn worse(self, other: Self) -> Self {
        Self {
            relative_l2: self.relative_l2.max(other.relative_l2),
            relative_max: self.relative_max.max(other.relative_max),
        }
    }

    /// Compares complex values. A result that is not finite has an infinite error.
    pub fn of<N: Copy + Into<f64>>(result: &[[N; 2]], reference: &[[f64; 2]]) -> Self {
        Self::of_parts(result, reference)
    }

    /// Compares real values. A result that is not finite has an infinite error.
    pub fn of_real<N: Copy + Into<f64>>(result: &[N], reference: &[f64]) -> Self {
        Self::of_parts(result.as_chunks::<1>().0, reference.as_chunks::<1>().0)
    }

    /// Compares values of either kind. Values of different kinds have an infinite error.
    pub fn between(result: &Array, reference: &Array) -> Self {
        match (result, reference) {
            (Array::Complex(result), Array::Complex(reference)) => Self::of(result, reference),
            (Array::Real(result), Array::Real(reference)) => Self::of_real(result, reference),
            _ => Self::WRONG,
        }
    }

    fn of_parts<N: Copy + Into<f64>, const PARTS: usize>(
        result: &[[N; PARTS]],
        reference: &[[f64; PARTS]],
    ) -> Self {
        let (mut error_sum, mut sum, mut error_max, mut max) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        let mut finite = result.len() == reference.len();
        for (value, exact) in result.iter().zip(reference) {
            let (mut error, mut size) = (0.0, 0.0);
            for (part, exact) in value.iter().zip(exact) {
                let difference: f64 = (*part).into() - exact;
                error += difference * difference;
                size += exact * exact;
            }
            finite &= error.is_finite();
            error_sum += error;
            sum += size;
            error_max = error_max.max(error);
            max = max.max(size);
        }
        if !finite {
            return Self::WRONG;
        }
        let ratio = |error: f64, of: f64| if error == 0.0 { 0.0 } else { (error / of).sqrt() };
        Self { relative_l2: ratio(error_sum, sum), relative_max: ratio(error_max, max) }
    }
}

/// The largest errors that pass, on random data in [-1, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// The largest allowed [`Accuracy::relative_l2`].
    pub relative_l2: f64,
    /// The largest allowed [`Accuracy::relative_max`].
    pub relative_max: f64,
}

impl Gate {
    /// The gate for `descriptor`, in 32-bit floats: 1e-6, and pyvkfft's bound on the largest error, 2e-6 +
    /// 5e-7 log10(points), where points are those of one transform. 1.4 times as much for lengths that only
    /// convolutions take, and for Bluestein's and Rader's: twice the measured error. With the device's sine and cosine
    /// 5e-6 for both at least. In 16-bit floats 5e-4, and the same multiple of the other bound; in 64-bit
    /// floats a hundred-millionth of both, whatever the length: the rounding is less than half of that.
    pub fn of(descriptor: &Descriptor) -> Self {
        let axes = descriptor.axes.list();
        let lengths = axes.iter().map(|axis| f64::from(descriptor.length(*axis)));
        let asked = |configuration: Configuration| configuration.get("twiddles");
        let sin_cos = Value::Choice(Twiddles::SinCos.name());
        // There and back again, in twice the points and through three products.
        let is_direct = |axis: &Axis| {
            let length = descriptor.length(*axis);
            match descriptor.kind {
                // A period of it is that of as many intervals.
                Kind::Dct1 => is_smooth(length.saturating_sub(1).max(1)),
                _ => is_smooth(length),
            }
        };
        let named = descriptor.algorithm.map(|configuration| configuration.algorithm());
        let is_direct = axes.iter().all(is_direct) || named == Some(Algorithm::Dft);
        let convolves = matches!(named, Some(Algorithm::Bluestein | Algorithm::Rader));
        let times = if convolves || !is_direct { 1.4 } else { 1.0 };
        let relative_max = 2e-6 + 5e-7 * lengths.product::<f64>().log10();
        match (descriptor.precision, descriptor.algorithm.and_then(asked)) {
            (Precision::F64, _) => Self { relative_l2: 1e-14, relative_max: 1e-8 * relative_max },
            (Precision::F16, _) => {
                Self { relative_l2: 5e-4, relative_max: 500.0 * times * relative_max }
            }
            (Precision::F32, Some(twiddles)) if twiddles == sin_cos => {
                Self { relative_l2: 5e-6, relative_max: (times * relative_max).max(5e-6) }
            }
            (Precision::F32, _) => {
                Self { relative_l2: times * 1e-6, relative_max: times * relative_max }
            }
        }
    }

    /// Whether both errors of `accuracy` are within the bounds.
    pub fn passes(&self, accuracy: Accuracy) -> bool {
        accuracy.relative_l2 <= self.relative_l2 && accuracy.relative_max <= self.relative_max
    }

    /// Compares `accuracy` with the gate, for people.
    pub fn describe(&self, accuracy: Accuracy) -> String {
        format!(
            "relative L2 error {:.1e} (at most {:.1e} passes), largest error {:.1e} ({:.1e})",
            accuracy.relative_l2, self.relative_l2, accuracy.relative_max, self.relative_max
        )
    }
}

/// A random image in [-1, 1]: the data of the gate. Each index has a different one, so that a kernel that
/// mixes up the images of a batch is found.
pub fn noise(index: u32, points: usize) -> Vec<[f32; 2]> {
    self::points(index).take(points).collect()
}

/// The points of [`noise`].
pub(super) fn points(index: u32) -> impl Iterator<Item = [f32; 2]> {
    // The upper 24 bits of each half: what an f32 in [-1, 1) can hold.
    let point = |bits: u64| {
        [bits >> 40, (bits >> 8) & 0xFF_FFFF].map(|bits| bits as f32 / (1 << 23) as f32 - 1.0)
    };
    random_bits(index).map(point)
}

/// Random numbers in [-1, 1) with all bits of an f64 in that range, different for every index.
pub(super) fn wide_noise(index: u32) -> impl Iterator<Item = f64> {
    random_bits(index).map(|bits| (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
}

/// SplitMix64 (Steele, Lea, Flood 2014), whose values are random for small seeds, too.
pub(super) fn random_bits(index: u32) -> impl Iterator<Item = u64> {
    let mut state = (u64::from(index) + 1) << 40;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    })
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

    #[test]
    fn wide_noise_is_not_what_an_f32_holds() {
        let values: Vec<_> = wide_noise(3).take(10_000).collect();
        let mean = values.iter().sum::<f64>() / 10_000.0;
        assert!(mean.abs() < 0.02, "{mean}");
        assert!(values.iter().all(|value| (-1.0..1.0).contains(value)));
        let narrow = values.iter().filter(|value| f64::from(**value as f32) == **value).count();
        assert!(narrow < 10, "{narrow}");
    }

    #[test]
    fn real_and_complex_values_are_judged_alike() {
        let exact = [3.0, -4.0];
        let accuracy = Accuracy::of_real(&[3.0_f32, -4.5], &exact);
        assert_eq!(accuracy, Accuracy { relative_l2: 0.1, relative_max: 0.125 });
        let accuracy = Accuracy::of(&[[3.0_f64, -4.5]], &[exact]);
        assert_eq!(accuracy, Accuracy { relative_l2: 0.1, relative_max: 0.1 });
        for wrong in [Array::Real(vec![3.0]), Array::Complex(vec![exact])] {
            assert_eq!(Accuracy::between(&wrong, &Array::Real(exact.to_vec())), Accuracy::WRONG);
        }
        let exact = Array::Real(exact.to_vec());
        assert_eq!(Accuracy::between(&exact, &exact), Accuracy::NONE);
        let nothing = Array::Real(vec![f64::NAN, 1.0]);
        assert_eq!(Accuracy::between(&nothing, &exact), Accuracy::WRONG);
    }

    #[test]
    fn the_gate_follows_the_precision_and_the_algorithm() {
        let smooth = Descriptor { size: [60, 64], ..Descriptor::default() };
        let prime = Descriptor { size: [67, 64], ..smooth.clone() };
        let l2 = |task: &Descriptor| Gate::of(task).relative_l2;
        assert_eq!((l2(&smooth), l2(&prime)), (1e-6, 1.4e-6));
        assert_eq!(l2(&smooth.clone().by(Algorithm::Bluestein)), 1.4e-6);
        assert_eq!(l2(&prime.clone().by(Algorithm::Dft)), 1e-6);
        let wide = |task: Descriptor| Descriptor { precision: Precision::F64, ..task };
        let gate = Gate::of(&wide(prime));
        assert_eq!(gate.relative_l2, 1e-14);
        assert!((2e-14..5e-14).contains(&gate.relative_max), "{gate:?}");
        // 65 points of type I are 64 intervals.
        let ends = Descriptor { kind: Kind::Dct1, size: [65; 2], ..Descriptor::default() };
        assert_eq!(l2(&ends), 1e-6);
    }
}
