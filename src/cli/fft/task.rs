//! The task that the arguments describe, checked first by themselves and then with the array.

use crate::fft::{Direction, Kind};
use anyhow::{bail, ensure};

use super::Args;
use super::stages::{self, Lines, Stage};
use crate::cli::exit::Usage;
use crate::cli::npy::{self, Array};

const LONGEST: usize = 1 << 30;

/// `--norm`: the direction that divides, as in NumPy and SciPy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Norm {
    /// The inverse divides by the number of points
    Backward,
    /// Both directions divide by the square root of the number of points
    Ortho,
    /// The forward transform divides by the number of points
    Forward,
}

impl Norm {
    /// The factor of a transform; forward and inverse together multiply by `period`.
    fn scale(self, direction: Direction, period: f64) -> f64 {
        match (self, direction) {
            (Self::Backward, Direction::Forward) | (Self::Forward, Direction::Inverse) => 1.0,
            (Self::Backward, Direction::Inverse) | (Self::Forward, Direction::Forward) => {
                1.0 / period
            }
            (Self::Ortho, _) => 1.0 / period.sqrt(),
        }
    }
}

/// Refuses arguments that are wrong for any array.
pub fn check(args: &Args) -> Result<(), Usage> {
    let mut axes = args.axes.clone();
    axes.sort_unstable();
    if let Some(twice) = axes.windows(2).find(|pair| pair[0] == pair[1]) {
        let axis = twice[0];
        return Err(Usage(format!("--axes names axis {axis} twice: give every axis once")));
    }
    let to_real = args.kind == Kind::Real && args.inverse;
    if args.last_length.is_some() && !to_real {
        return Err(Usage(
            "--last-length needs --kind real --inverse: it is the number of real numbers along \
             the last of --axes"
                .into(),
        ));
    }
    Ok(())
}

pub struct Task {
    /// For cosine transforms, the computed type.
    kind: Kind,
    direction: Direction,
    norm: Norm,
    /// The transformed axes, from 0, in the given order.
    axes: Vec<usize>,
    /// The result's shape; for a real forward transform, the input's.
    shape: Vec<usize>,
}

impl Task {
    /// Fails if the array lacks the requested axes, or has the wrong numbers of values for them.
    pub fn of(array: &Array, args: &Args) -> anyhow::Result<Self> {
        let name = args.input.display();
        let axes = axes(args, &array.shape)?;
        let direction = if args.inverse { Direction::Inverse } else { Direction::Forward };
        let mut shape = array.shape.clone();
        if args.kind == Kind::Real {
            let last = *axes.last().expect("at least one axis");
            if direction == Direction::Inverse {
                let bins = shape[last];
                shape[last] = match args.last_length {
                    Some(length) => length as usize,
                    None => 2 * bins.saturating_sub(1),
                };
                ensure!(
                    bins > 0 && shape[last] > 0,
                    "axis {last} of {name} has {bins} bin(s), from which no real numbers follow: \
                     invalid number of data points ({}). Give their number with --last-length",
                    2 * bins as i64 - 2
                );
            } else {
                ensure!(
                    !array.is_complex,
                    "{name} is complex, and --kind real transforms real numbers: use --kind \
                     complex, or save array.real"
                );
            }
        }
        for &axis in &axes {
            let length = shape[axis];
            ensure!(
                length > 0,
                "{name} is empty along axis {axis}: invalid number of data points (0); its shape is \
                 {:?}",
                array.shape
            );
            ensure!(
                args.kind != Kind::Dct1 || length > 1,
                "axis {axis} of {name} has one point, and a cosine transform of type I needs at \
                 least two: leave it out of --axes, or use --kind dct2"
            );
            ensure!(
                length <= LONGEST,
                "axis {axis} of {name} has {length} points, and the maximum is 2^30"
            );
        }
        Ok(Self {
            kind: cosine_type(args.kind, direction),
            direction,
            norm: args.norm,
            axes,
            shape,
        })
    }

    /// Transforms `array` by `run`, which transforms one stage without scaling.
    pub fn apply(
        &self,
        array: Array,
        mut run: impl FnMut(&Stage, Vec<f64>) -> anyhow::Result<Vec<f64>>,
    ) -> anyhow::Result<Array> {
        let mut result = match self.kind {
            Kind::Complex => self.complex(array.into_complex(), &mut run)?,
            Kind::Real => self.real(array, &mut run)?,
            // Cosine transforms are real: of complex numbers, each part has its own.
            _ if array.is_complex => {
                let [mut re, mut im] = [0, 1].map(|part| {
                    array.parts.iter().skip(part).step_by(2).copied().collect::<Vec<f64>>()
                });
                re = self.cosine(re, &mut run)?;
                im = self.cosine(im, &mut run)?;
                let parts = re.into_iter().zip(im).flat_map(|(re, im)| [re, im]).collect();
                Array { parts, ..array }
            }
            _ => Array { parts: self.cosine(array.parts, &mut run)?, ..array },
        };
        let period = |axis: &usize| self.kind.period(self.shape[*axis] as u32);
        let scale = self.norm.scale(self.direction, self.axes.iter().map(period).product());
        if scale != 1.0 {
            result.parts.iter_mut().for_each(|part| *part *= scale);
        }
        Ok(result)
    }

    fn stages(&self, kind: Kind, shape: &[usize], axes: &[usize]) -> Vec<Stage> {
        // An array without values has nothing to transform.
        if shape.contains(&0) {
            return Vec::new();
        }
        let transformed: Vec<_> = (0..shape.len()).map(|axis| axes.contains(&axis)).collect();
        // The inverse of a cosine transform is in its type already.
        let direction = if kind.is_cosine() { Direction::Forward } else { self.direction };
        stages::stages(kind, direction, shape, &transformed)
    }

    fn complex(
        &self,
        mut array: Array,
        run: &mut impl FnMut(&Stage, Vec<f64>) -> anyhow::Result<Vec<f64>>,
    ) -> anyhow::Result<Array> {
        for stage in self.stages(Kind::Complex, &array.shape, &self.axes) {
            array.parts = run(&stage, array.parts)?;
        }
        Ok(array)
    }

    /// The last of the given axes has the real numbers: the array is turned so that it is the fastest one,
    /// and back.
    fn real(
        &self,
        array: Array,
        run: &mut impl FnMut(&Stage, Vec<f64>) -> anyhow::Result<Vec<f64>>,
    ) -> anyhow::Result<Array> {
        let forward = self.direction == Direction::Forward;
        let array = if forward { array } else { array.into_complex() };
        let rank = array.shape.len();
        let half = *self.axes.last().expect("at least one axis");
        let order: Vec<_> = (0..rank).filter(|axis| *axis != half).chain([half]).collect();
        let is_last = half + 1 == rank;
        let mut turned = if is_last { array } else { permute(array, &order) };
        let places = |axis: &usize| order.iter().position(|other| other == axis);
        let axes: Vec<_> = self.axes.iter().filter_map(places).collect();

        let length = self.shape[half];
        let (bins, last) = (length / 2 + 1, rank - 1);
        if !forward {
            resize_last(&mut turned, bins);
        }
        let mut shape = turned.shape.clone();
        shape[last] = length;
        let is_empty = shape.contains(&0);
        if length == 1 {
            // A number and its spectrum are the same, but for an imaginary part.
            let others: Vec<_> = axes.iter().copied().filter(|axis| *axis != last).collect();
            turned = turned.into_complex();
            for stage in self.stages(Kind::Complex, &shape, &others) {
                turned.parts = run(&stage, turned.parts)?;
            }
            if !forward {
                turned.parts = turned.parts.into_iter().step_by(2).collect();
            }
        } else if !is_empty {
            for stage in self.stages(Kind::Real, &shape, &axes) {
                turned.parts = run(&stage, turned.parts)?;
            }
        }
        turned.is_complex = forward;
        turned.shape[last] = if forward { bins } else { length };
        if is_last {
            return Ok(turned);
        }
        // Where each axis of the result is now.
        let back: Vec<_> = (0..rank).filter_map(|axis| places(&axis)).collect();
        Ok(permute(turned, &back))
    }

    /// With `--norm ortho` the ends of the lines have further factors, which make the transforms unitary:
    /// SciPy's `orthogonalize`.
    fn cosine(
        &self,
        mut parts: Vec<f64>,
        run: &mut impl FnMut(&Stage, Vec<f64>) -> anyhow::Result<Vec<f64>>,
    ) -> anyhow::Result<Vec<f64>> {
        let weigh = |parts: &mut [f64], is_before: bool| {
            if self.norm != Norm::Ortho {
                return;
            }
            let factor =
                if is_before { std::f64::consts::SQRT_2 } else { std::f64::consts::FRAC_1_SQRT_2 };
            for &axis in &self.axes {
                let lines = Lines::of(&self.shape, axis);
                let last = self.shape[axis] - 1;
                let places: &[usize] = match (self.kind, is_before) {
                    (Kind::Dct1, _) => &[0, last],
                    (Kind::Dct2, false) | (Kind::Dct3, true) => &[0],
                    _ => &[],
                };
                for &place in places {
                    lines.scale(place, factor, 1, parts);
                }
            }
        };
        weigh(&mut parts, true);
        for stage in self.stages(self.kind, &self.shape, &self.axes) {
            parts = run(&stage, parts)?;
        }
        weigh(&mut parts, false);
        // A line of one point is no stage: 2 cos(0), 1 and 2 cos(pi / 4).
        let one_point = match self.kind {
            Kind::Dct2 => 2.0,
            Kind::Dct4 => std::f64::consts::SQRT_2,
            _ => 1.0,
        };
        let ones = self.axes.iter().filter(|axis| self.shape[**axis] == 1).count();
        let factor = f64::powi(one_point, ones as i32);
        parts.iter_mut().for_each(|part| *part *= factor);
        Ok(parts)
    }
}

/// The computed type: types II and III are each other's inverse.
fn cosine_type(kind: Kind, direction: Direction) -> Kind {
    match (kind, direction) {
        (Kind::Dct2, Direction::Inverse) => Kind::Dct3,
        (Kind::Dct3, Direction::Inverse) => Kind::Dct2,
        _ => kind,
    }
}

/// The requested axes, from 0.
fn axes(args: &Args, shape: &[usize]) -> anyhow::Result<Vec<usize>> {
    let name = args.input.display();
    let rank = shape.len() as i64;
    let of_shape = format!("{name} of shape {shape:?} has {rank} axes");
    ensure!(rank > 0, "{of_shape}: there is nothing to transform in a single number");
    // A line has no second axis to its last.
    let asked = match &args.axes[..] {
        [] if rank == 1 => &[-1],
        [] => &[-2, -1][..],
        axes => axes,
    };
    let mut axes = Vec::new();
    for &axis in asked {
        ensure!(
            (-rank..rank).contains(&axis),
            "{of_shape}, and --axes names axis {axis}: use axes from 0 to {}, or from -{rank} to \
             -1",
            rank - 1
        );
        let index = axis.rem_euclid(rank) as usize;
        if axes.contains(&index) {
            bail!("{of_shape}, and --axes names axis {index} twice: give every axis once");
        }
        axes.push(index);
    }
    Ok(axes)
}

fn permute(array: Array, order: &[usize]) -> Array {
    let (shape, parts) = npy::permuted(&array.parts, array.components(), &array.shape, order);
    Array { shape, parts, ..array }
}

/// Crops the last axis to `length` values, or adds zeros.
fn resize_last(array: &mut Array, length: usize) {
    let components = array.components();
    let last = array.shape.len() - 1;
    let was = array.shape[last];
    if was == length {
        return;
    }
    let kept = was.min(length) * components;
    let mut parts = Vec::with_capacity(array.parts.len() / was * length);
    for row in array.parts.chunks_exact(was * components) {
        parts.extend_from_slice(&row[..kept]);
        parts.resize(parts.len() + length * components - kept, 0.0);
    }
    array.parts = parts;
    array.shape[last] = length;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_trip_scales_by_one() {
        for norm in [Norm::Backward, Norm::Ortho, Norm::Forward] {
            let there = norm.scale(Direction::Forward, 64.0);
            let back = norm.scale(Direction::Inverse, 64.0);
            assert!((there * back * 64.0 - 1.0).abs() < 1e-15, "{norm:?}");
        }
    }
}
