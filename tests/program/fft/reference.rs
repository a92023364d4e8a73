//! The transforms as NumPy and SciPy define them, as sums in double precision, and random questions to
//! compare them with the command.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2, TAU};
use std::fmt::Write as _;
use std::path::Path;

use half::f16;
use npyz::num_complex::Complex;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::{load, save};

/// A question, and the values to ask it of.
pub struct Case {
    pub kind: &'static str,
    pub inverse: bool,
    pub norm: &'static str,
    /// From 0, in the order in which they are given; the last one has the real numbers.
    pub axes: Vec<usize>,
    /// The value as the command line has it.
    named: Option<String>,
    pub last_length: Option<usize>,
    pub shape: Vec<usize>,
    pub dtype: &'static str,
    order: npyz::Order,
    /// In C order, as the dtype has rounded them.
    values: Vec<[f64; 2]>,
}

/// The choices that the cases are drawn from.
pub struct Choices<'a> {
    pub kinds: &'a [&'static str],
    pub lengths: &'a [usize],
    pub dtypes: &'a [&'static str],
}

pub const DTYPES: &[&str] =
    &["c8", "c16", "f2", "f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "b1"];

/// Most values of an array.
const MOST_VALUES: usize = 4000;

impl Case {
    pub fn random(random: &mut Pcg64Mcg, choices: &Choices<'_>) -> Self {
        fn one<T: Copy>(random: &mut Pcg64Mcg, of: &[T]) -> T {
            of[random.random_range(0..of.len())]
        }
        let kind = one(random, choices.kinds);
        let inverse = random.random();
        let rank = random.random_range(1..=4);
        let mut shape: Vec<usize>;
        loop {
            shape = (0..rank).map(|_| one(random, choices.lengths)).collect();
            if shape.iter().product::<usize>() <= MOST_VALUES {
                break;
            }
        }
        // Some of them, in any order; or those that go without saying.
        let goes_without_saying = random.random_range(0..4) == 0;
        let mut left: Vec<usize> = (0..rank).collect();
        let count = random.random_range(1..=rank);
        let axes: Vec<usize> = match goes_without_saying {
            true => (rank.saturating_sub(2)..rank).collect(),
            false => (0..count).map(|_| left.remove(random.random_range(0..left.len()))).collect(),
        };
        let name = |random: &mut Pcg64Mcg, axis: usize| match random.random() {
            true => axis.to_string(),
            false => (axis as i64 - rank as i64).to_string(),
        };
        let names: Vec<_> = axes.iter().map(|axis| name(random, *axis)).collect();
        let named = (!goes_without_saying).then(|| names.join(","));
        if kind == "dct1" {
            axes.iter().for_each(|axis| shape[*axis] = shape[*axis].max(2));
        }
        let bins = shape[*axes.last().unwrap()];
        let to_real = kind == "real" && inverse;
        let says_length = to_real && (bins == 1 || random.random());
        let last_length = says_length.then(|| one(random, choices.lengths));
        let mut dtype = one(random, choices.dtypes);
        if kind == "real" && !inverse {
            dtype = match dtype {
                "c8" => "f4",
                "c16" => "f8",
                real => real,
            };
        }
        let count = shape.iter().product();
        let values = (0..count).map(|_| value(random, dtype)).collect();
        Self {
            kind,
            inverse,
            norm: one(random, &["backward", "ortho", "forward"]),
            axes,
            named,
            last_length,
            shape,
            dtype,
            order: if random.random() { npyz::Order::C } else { npyz::Order::Fortran },
            values,
        }
    }

    pub fn options(&self) -> String {
        let mut options = format!("--kind {} --norm {}", self.kind, self.norm);
        if let Some(axes) = &self.named {
            write!(options, " --axes {axes}").unwrap();
        }
        if self.inverse {
            options.push_str(" --inverse");
        }
        if let Some(length) = self.last_length {
            write!(options, " --last-length {length}").unwrap();
        }
        options
    }

    /// NumPy 2's rule: of at most 32 bits in, of 32 bits out.
    pub fn is_single(&self) -> bool {
        matches!(self.dtype, "c8" | "f2" | "f4")
    }

    pub fn save(&self, path: &Path) {
        let values = match self.order {
            npyz::Order::C => self.values.clone(),
            npyz::Order::Fortran => transposed(&self.values, &self.shape),
        };
        let shape: Vec<u64> = self.shape.iter().map(|length| *length as u64).collect();
        macro_rules! write {
            ($convert:expr) => {{
                let values: Vec<_> = values.iter().map($convert).collect();
                save(path, &shape, self.order, &values)
            }};
        }
        match self.dtype {
            "c8" => write!(|[re, im]| Complex { re: *re as f32, im: *im as f32 }),
            "c16" => write!(|[re, im]| Complex { re: *re, im: *im }),
            "f2" => write!(|[re, _]| f16::from_f64(*re)),
            "f4" => write!(|[re, _]| *re as f32),
            "f8" => write!(|[re, _]| *re),
            "i1" => write!(|[re, _]| *re as i8),
            "u1" => write!(|[re, _]| *re as u8),
            "i2" => write!(|[re, _]| *re as i16),
            "u2" => write!(|[re, _]| *re as u16),
            "i4" => write!(|[re, _]| *re as i32),
            "u4" => write!(|[re, _]| *re as u32),
            "i8" => write!(|[re, _]| *re as i64),
            "u8" => write!(|[re, _]| *re as u64),
            _ => write!(|[re, _]| *re != 0.0),
        }
    }

    /// The result's shape and values.
    pub fn exact(&self) -> (Vec<usize>, Vec<[f64; 2]>) {
        let (mut shape, mut values) = (self.shape.clone(), self.values.clone());
        let (last, others) = self.axes.split_last().unwrap();
        // The real side first or last, and the others in any order.
        let mut order = vec![*last];
        order.extend(others);
        if self.inverse {
            order.reverse();
        }
        for axis in order {
            let kind = if self.kind == "real" && axis != *last { "complex" } else { self.kind };
            let length = match (kind, self.inverse) {
                ("real", true) => self.last_length.unwrap_or(2 * (shape[axis] - 1)),
                _ => shape[axis],
            };
            values = along(&values, &mut shape, axis, |line| self.line(kind, length, line));
        }
        (shape, values)
    }

    /// One line of `kind`, of `length` points on the real side.
    fn line(&self, kind: &str, length: usize, line: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let period = match kind {
            "complex" | "real" => length,
            "dct1" => 2 * (length - 1),
            _ => 2 * length,
        } as f64;
        let scale = match (self.norm, self.inverse) {
            ("ortho", _) => 1.0 / period.sqrt(),
            ("backward", true) | ("forward", false) => 1.0 / period,
            _ => 1.0,
        };
        let result = match (kind, self.inverse) {
            ("complex", inverse) => (0..length).map(|k| wave(line, k, length, inverse)).collect(),
            ("real", false) => {
                (0..=length / 2).map(|k| wave(line, k, length, false)).collect::<Vec<_>>()
            }
            ("real", true) => {
                let mut half = line.to_vec();
                half.resize(length / 2 + 1, [0.0; 2]);
                half[0][1] = 0.0;
                if length.is_multiple_of(2) {
                    half[length / 2][1] = 0.0;
                }
                let conjugate = |[re, im]: [f64; 2]| [re, -im];
                let whole: Vec<_> = (0..length)
                    .map(|k| if 2 * k <= length { half[k] } else { conjugate(half[length - k]) })
                    .collect();
                (0..length).map(|n| [wave(&whole, n, length, true)[0], 0.0]).collect()
            }
            _ => self.cosines(kind, line),
        };
        result.into_iter().map(|value| value.map(|part| part * scale)).collect()
    }

    /// With SciPy's `orthogonalize`, which goes with the norm `ortho`.
    fn cosines(&self, kind: &str, line: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let kind = match (kind, self.inverse) {
            ("dct2", true) => "dct3",
            ("dct3", true) => "dct2",
            _ => kind,
        };
        let (length, last) = (line.len(), line.len() - 1);
        let is_ortho = self.norm == "ortho";
        let is_end = |n: usize| match kind {
            "dct1" => n == 0 || n == last,
            _ => n == 0,
        };
        let before = |n: usize| {
            if is_ortho && matches!(kind, "dct1" | "dct3") && is_end(n) { SQRT_2 } else { 1.0 }
        };
        let after = |k: usize| {
            if is_ortho && matches!(kind, "dct1" | "dct2") && is_end(k) {
                FRAC_1_SQRT_2
            } else {
                1.0
            }
        };
        // cos of a fraction of a turn.
        let cos = |part: usize, whole: usize| (TAU * (part % whole) as f64 / whole as f64).cos();
        let factor = |n: usize, k: usize| match kind {
            "dct1" if n == 0 => 1.0,
            "dct1" if n == last => cos(k * (length - 1), 2 * (length - 1)),
            "dct1" => 2.0 * cos(k * n, 2 * (length - 1)),
            "dct2" => 2.0 * cos(k * (2 * n + 1), 4 * length),
            "dct3" if n == 0 => 1.0,
            "dct3" => 2.0 * cos((2 * k + 1) * n, 4 * length),
            _ => 2.0 * cos((2 * k + 1) * (2 * n + 1), 8 * length),
        };
        (0..length)
            .map(|k| {
                let mut sum = [0.0; 2];
                for (n, value) in line.iter().enumerate() {
                    let weight = before(n) * factor(n, k);
                    sum = [sum[0] + weight * value[0], sum[1] + weight * value[1]];
                }
                sum.map(|part| part * after(k))
            })
            .collect()
    }

    /// The relative L2 error of what is in `path`, which must be of the right dtype and shape.
    #[track_caller]
    pub fn error(&self, path: &Path) -> f64 {
        let (shape, exact) = self.exact();
        let is_real = match self.kind {
            "complex" => false,
            "real" => self.inverse,
            _ => !self.dtype.starts_with('c'),
        };
        let complex = |re: f64, im: f64| [re, im];
        let (found, values): (Vec<u64>, Vec<[f64; 2]>) = match (is_real, self.is_single()) {
            (true, true) => {
                let (shape, values) = load::<f32>(path);
                (shape, values.into_iter().map(|re| complex(re.into(), 0.0)).collect())
            }
            (true, false) => {
                let (shape, values) = load::<f64>(path);
                (shape, values.into_iter().map(|re| complex(re, 0.0)).collect())
            }
            (false, true) => {
                let (shape, values) = load::<Complex<f32>>(path);
                (shape, values.into_iter().map(|z| complex(z.re.into(), z.im.into())).collect())
            }
            (false, false) => {
                let (shape, values) = load::<Complex<f64>>(path);
                (shape, values.into_iter().map(|z| complex(z.re, z.im)).collect())
            }
        };
        let found: Vec<usize> = found.into_iter().map(|length| length as usize).collect();
        assert_eq!(found, shape);
        let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>();
        let differences = values.as_flattened().iter().zip(exact.as_flattened());
        let error = norm(&mut differences.map(|(a, b)| a - b));
        let size = norm(&mut exact.as_flattened().iter().copied());
        if error == 0.0 { 0.0 } else { (error / size).sqrt() }
    }
}

/// One that the dtype has.
fn value(random: &mut Pcg64Mcg, dtype: &str) -> [f64; 2] {
    let mut unit = || random.random_range(-1.0..1.0_f64);
    let (re, im) = (unit(), unit());
    match dtype {
        "c8" => [re, im].map(|part| f64::from(part as f32)),
        "c16" => [re, im],
        "f2" => [f16::from_f64(re).to_f64(), 0.0],
        "f4" => [f64::from(re as f32), 0.0],
        "f8" => [re, 0.0],
        "b1" => [f64::from(u8::from(re > 0.0)), 0.0],
        "i1" => [(re * 100.0).round(), 0.0],
        signed if signed.starts_with('i') => [(re * 30_000.0).round(), 0.0],
        "u1" => [(re.abs() * 200.0).round(), 0.0],
        _ => [(re.abs() * 60_000.0).round(), 0.0],
    }
}

/// sum over n of line(n) exp(-+ 2 pi i k n / length).
fn wave(line: &[[f64; 2]], k: usize, length: usize, inverse: bool) -> [f64; 2] {
    line.iter().enumerate().fold([0.0; 2], |sum, (n, [re, im])| {
        let (sin, cos) = (TAU * (k * n % length) as f64 / length as f64).sin_cos();
        let sin = if inverse { sin } else { -sin };
        [sum[0] + re * cos - im * sin, sum[1] + re * sin + im * cos]
    })
}

/// Replaces every line along `axis`, which may change its length.
fn along(
    values: &[[f64; 2]],
    shape: &mut [usize],
    axis: usize,
    transform: impl Fn(&[[f64; 2]]) -> Vec<[f64; 2]>,
) -> Vec<[f64; 2]> {
    let inner: usize = shape[axis + 1..].iter().product();
    let length = shape[axis];
    let mut result = Vec::new();
    for block in values.chunks_exact(length * inner) {
        let lines: Vec<_> = (0..inner)
            .map(|i| transform(&(0..length).map(|n| block[n * inner + i]).collect::<Vec<_>>()))
            .collect();
        shape[axis] = lines[0].len();
        result.extend((0..lines[0].len()).flat_map(|n| lines.iter().map(move |line| line[n])));
    }
    result
}

/// From C order to Fortran order.
fn transposed(values: &[[f64; 2]], shape: &[usize]) -> Vec<[f64; 2]> {
    (0..values.len())
        .map(|place| {
            let mut rest = place;
            let mut index = Vec::new();
            for length in shape {
                index.push(rest % length);
                rest /= length;
            }
            let at = shape.iter().zip(index).fold(0, |at, (length, index)| at * length + index);
            values[at]
        })
        .collect()
}

pub fn generator(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}
