//! References for transforms of any length that do not depend on the library's own: the definition in
//! numbers of twice the precision of f64, and rustfft in f64 for sizes that take the definition too long.

use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use seaway_fft::lab::{Accuracy, Array, input, reference};
use seaway_fft::{Axis, Descriptor, Direction, Kind, Precision};

use seaway_core::testing::tolerance::at_most;

/// The longest lines that are transformed by the definition.
const LONGEST_DEFINITION: usize = 512;

/// A number as the unevaluated sum of two, the second too small to change the first (Dekker, A
/// floating-point technique for extending the available precision, Numer. Math. 18, 1971).
#[derive(Clone, Copy, Debug)]
struct Double(f64, f64);

impl Double {
    fn sum(a: f64, b: f64) -> Self {
        let sum = a + b;
        let rest = sum - a;
        Self(sum, (a - (sum - rest)) + (b - rest))
    }

    fn add(self, other: Self) -> Self {
        let Self(high, low) = Self::sum(self.0, other.0);
        Self::sum(high, low + self.1 + other.1)
    }

    fn times(self, other: Self) -> Self {
        let high = self.0 * other.0;
        let low = self.0.mul_add(other.0, -high);
        Self::sum(high, low + (self.0 * other.1 + self.1 * other.0))
    }

    fn over(self, divisor: f64) -> Self {
        let high = self.0 / divisor;
        let rest = self.add(Self(high, 0.0).times(Self(-divisor, 0.0)));
        Self::sum(high, rest.0 / divisor)
    }
}

/// (cos, sin) of k / n turns.
fn cis(k: usize, n: usize) -> [Double; 2] {
    // To the nearest quarter of a turn, and what is left of it, at most an eighth.
    let k = k % n;
    let quarter = (4 * k + n / 2) / n;
    let rest = (4 * k) as f64 - (quarter * n) as f64;
    // pi / 2, whose second part is what f64 rounds off of the first.
    let half_pi = Double(std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17);
    let x = half_pi.times(Double(rest, 0.0)).over(n as f64);
    let square = x.times(x);
    // Taylor's series: the terms left out are below 1e-34.
    let series = |first: Double, from: usize| {
        let (mut sum, mut term) = (first, first);
        for order in (from..from + 30).step_by(2) {
            term = term.times(square).over(-((order * (order + 1)) as f64));
            sum = sum.add(term);
        }
        sum
    };
    let (cos, sin) = (series(Double(1.0, 0.0), 1), series(x, 2));
    let minus = |Double(high, low): Double| Double(-high, -low);
    match quarter % 4 {
        0 => [cos, sin],
        1 => [minus(sin), cos],
        2 => [minus(cos), minus(sin)],
        _ => [sin, minus(cos)],
    }
}

fn definition(line: &mut [[Double; 2]], direction: Direction) {
    let n = line.len();
    let roots: Vec<_> = (0..n)
        .map(|k| match direction {
            Direction::Inverse => cis(k, n),
            Direction::Forward => cis((n - k) % n, n),
        })
        .collect();
    let zero = Double(0.0, 0.0);
    let result: Vec<_> = (0..n)
        .map(|k| {
            line.iter().enumerate().fold([zero; 2], |[re, im], (index, [a, b])| {
                let [c, s] = roots[k * index % n];
                let minus = Double(-s.0, -s.1);
                [re.add(a.times(c)).add(b.times(minus)), im.add(a.times(s)).add(b.times(c))]
            })
        })
        .collect();
    line.copy_from_slice(&result);
}

fn by_rustfft(line: &mut [[Double; 2]], direction: Direction) {
    let mut values: Vec<_> = line.iter().map(|[re, im]| Complex { re: re.0, im: im.0 }).collect();
    let mut planner = FftPlanner::new();
    let fft = match direction {
        Direction::Forward => planner.plan_fft_forward(values.len()),
        Direction::Inverse => planner.plan_fft_inverse(values.len()),
    };
    fft.process(&mut values);
    for (to, value) in line.iter_mut().zip(values) {
        *to = [Double(value.re, 0.0), Double(value.im, 0.0)];
    }
}

/// A cosine transform by its definition, of real numbers.
fn cosine_definition(line: &[f64], kind: Kind) -> Vec<f64> {
    let n = line.len();
    // cos(2 pi numerator / denominator), some times.
    let factor = |k: usize, j: usize| {
        let is_end = j == 0 || j + 1 == n;
        let (times, numerator, denominator) = match kind {
            Kind::Dct1 => (if is_end { 1.0 } else { 2.0 }, k * j, 2 * (n - 1)),
            Kind::Dct2 => (2.0, k * (2 * j + 1), 4 * n),
            Kind::Dct3 => (if j == 0 { 1.0 } else { 2.0 }, (2 * k + 1) * j, 4 * n),
            _ => (2.0, (2 * k + 1) * (2 * j + 1), 8 * n),
        };
        cis(numerator, denominator)[0].times(Double(times, 0.0))
    };
    (0..n)
        .map(|k| {
            let terms = line.iter().enumerate();
            let add = |sum: Double, (j, value): (usize, &f64)| {
                sum.add(factor(k, j).times(Double(*value, 0.0)))
            };
            let Double(high, low) = terms.fold(Double(0.0, 0.0), add);
            high + low
        })
        .collect()
}

/// Returns the unscaled transform of `images` of complex numbers by the definition.
pub fn transformed<N: Copy + Into<f64>>(
    images: &[[N; 2]],
    descriptor: &Descriptor,
) -> Vec<[f64; 2]> {
    let [width, height] = descriptor.size.map(|side| side as usize);
    let double = |part: N| Double(part.into(), 0.0);
    let mut values: Vec<_> = images.iter().map(|value| value.map(double)).collect();
    for image in values.chunks_exact_mut(width * height) {
        for axis in descriptor.axes.list() {
            let (length, lines, step, line_step) = match axis {
                Axis::Row => (width, height, 1, width),
                Axis::Column => (height, width, width, 1),
                Axis::Depth => unreachable!("images have no depth"),
            };
            for first in (0..lines).map(|line| line * line_step) {
                let places = (0..length).map(|n| first + n * step);
                let mut line: Vec<_> = places.clone().map(|place| image[place]).collect();
                match length <= LONGEST_DEFINITION {
                    true => definition(&mut line, descriptor.direction),
                    false => by_rustfft(&mut line, descriptor.direction),
                }
                places.zip(line).for_each(|(place, value)| image[place] = value);
            }
        }
    }
    values.into_iter().map(|value| value.map(|Double(high, low)| high + low)).collect()
}

#[test]
fn roots_in_double_precision_lie_on_the_circle() {
    for n in [1, 2, 3, 5, 8, 12, 97, 512] {
        for k in 0..n {
            let [cos, sin] = cis(k, n);
            let square = cos.times(cos).add(sin.times(sin)).add(Double(-1.0, 0.0));
            assert!(square.0.abs() < 1e-30, "{k}/{n}: {square:?}");
            let angle = std::f64::consts::TAU * k as f64 / n as f64;
            assert!((cos.0 - angle.cos()).abs() < 1e-14 && (sin.0 - angle.sin()).abs() < 1e-14);
        }
    }
}

/// The error of the library's own reference in f64.
fn error_of_reference(descriptor: &Descriptor) -> f64 {
    let image = input(descriptor, 5);
    let exact = match &image {
        Array::Complex(values) => Array::Complex(transformed(values, descriptor)),
        Array::Real(values) => Array::Real(cosine_definition(values, descriptor.kind)),
    };
    let found = reference::transform(image, descriptor, &mut reference::Lines::default());
    Accuracy::between(&found.unwrap(), &exact).relative_l2
}

/// The library's reference in f64 is some ten million times better than the results in f32 that it
/// judges, and ten times better than those in f64.
#[test]
fn the_librarys_reference_is_one() {
    let lengths = (1..=64).chain((70..512).step_by(23));
    let primes = [67, 101, 127, 251, 257, 383, 431, 499, 503, 509];
    for length in lengths.chain(primes).chain([243, 343, 500, 512]) {
        let descriptor = Descriptor {
            direction: if length % 2 == 0 { Direction::Inverse } else { Direction::Forward },
            precision: Precision::F64,
            ..Descriptor::lines(length, 1)
        };
        let error = error_of_reference(&descriptor);
        at_most(error, 1e-15, format_args!("the reference at {length}"));
    }
    // Beyond, rustfft has roundings of its own.
    for length in [1009, 1024, 4096, 30_030, 65_537] {
        let descriptor = Descriptor { precision: Precision::F64, ..Descriptor::lines(length, 1) };
        let error = error_of_reference(&descriptor);
        at_most(error, 2.5e-15, format_args!("the reference at {length}"));
    }
}

#[test]
fn so_is_that_of_cosine_transforms() {
    for length in (2..=33).chain([60, 64, 65, 101, 128, 257]) {
        for kind in [Kind::Dct1, Kind::Dct2, Kind::Dct3, Kind::Dct4] {
            let descriptor =
                Descriptor { kind, precision: Precision::F64, ..Descriptor::lines(length, 1) };
            let error = error_of_reference(&descriptor);
            at_most(error, 1e-15, format_args!("{kind} of the reference at {length}"));
        }
    }
}
