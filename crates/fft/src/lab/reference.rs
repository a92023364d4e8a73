//! The expected results of transforms, in double precision on the processor, for every [`Descriptor`]: all
//! kinds, axes and dimensions, with the normalization. The rest of the laboratory compares with it.
//!
//! The error is a few roundings of f64: below 1e-15 relative to the result up to lines of 512 points, which
//! the tests check against the definitions in twice the precision.
//!
//! ```
//! use seaway_fft::Descriptor;
//! use seaway_fft::lab::{Accuracy, Expected, Gate, Shape, Stored, data, input, noise};
//! use seaway_fft::lab::reference::{Lines, transform};
//!
//! let task = Descriptor::image([8, 8]);
//! let image = input(&task, 0); // random, as every check has it
//! assert_eq!(image.len(), Shape::input(&task).values());
//! assert_eq!(data::input_bytes(&task), Stored::input(&task).layer_bytes());
//! assert!(data::data_bytes(&task) <= data::input_bytes(&task) + data::output_bytes(&task));
//! let lines = &mut Lines::default();
//! let result = transform(image.clone(), &task, lines).unwrap();
//! // The gate that a result on the GPU has to pass.
//! let accuracy: Accuracy = Expected::of(&task, image, lines).accuracy(&result);
//! assert!(Gate::of(&task).passes(accuracy));
//! assert_eq!(noise(0, 64).len(), 64);
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use super::cpu::{AnyLine, Complex, multiply, root_of_unity};
use crate::descriptor::{Axis, Descriptor, Direction, Kind, Normalization};
use crate::platform::Cooperative;

/// The numbers of one image or volume, `[z][y][x]`.
#[derive(Clone, Debug, PartialEq)]
pub enum Array {
    /// Complex numbers as (re, im).
    Complex(Vec<Complex>),
    /// Real numbers, as in the input of a transform of real data, and on both sides of a cosine transform.
    Real(Vec<f64>),
}

impl Array {
    /// The numbers one after the other, two for a complex one.
    pub fn numbers(&self) -> &[f64] {
        match self {
            Self::Complex(values) => values.as_flattened(),
            Self::Real(values) => values,
        }
    }

    /// Makes an array of such numbers, real or pairs of (re, im).
    pub fn of_numbers(numbers: Vec<f64>, is_real: bool) -> Self {
        match is_real {
            true => Self::Real(numbers),
            // The same memory, if it is a whole number of pairs.
            false => Self::Complex(
                bytemuck::allocation::try_cast_vec(numbers)
                    .unwrap_or_else(|(_, numbers)| numbers.as_chunks().0.to_vec()),
            ),
        }
    }

    /// The number of values, whether real or complex.
    pub fn len(&self) -> usize {
        match self {
            Self::Complex(values) => values.len(),
            Self::Real(values) => values.len(),
        }
    }

    /// Whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn at(&self, places: &[usize]) -> Self {
        match self {
            Self::Complex(values) => {
                Self::Complex(places.iter().map(|place| values[*place]).collect())
            }
            Self::Real(values) => Self::Real(places.iter().map(|place| values[*place]).collect()),
        }
    }

    /// Converts to complex numbers; real ones get an imaginary part of 0.
    fn into_complex(self) -> Vec<Complex> {
        match self {
            Self::Complex(values) => values,
            Self::Real(values) => values.into_iter().map(|value| [value, 0.0]).collect(),
        }
    }

    /// The reverse of `into_complex`; for real numbers it drops the imaginary parts.
    fn of_complex(values: Vec<Complex>, is_real: bool) -> Self {
        match is_real {
            true => Self::Real(values.into_iter().map(|[re, _]| re).collect()),
            false => Self::Complex(values),
        }
    }
}

/// One image or volume on one side of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Width, height and depth, in complex or in real numbers.
    pub extent: [usize; 3],
    /// Whether its numbers are real.
    pub is_real: bool,
}

impl Shape {
    /// The shape of the input of `task`.
    pub fn input(task: &Descriptor) -> Self {
        let extent = task.input_size().map(|side| side as usize);
        Self { extent, is_real: task.loads_reals() }
    }

    /// The shape of the output of `task`.
    pub fn output(task: &Descriptor) -> Self {
        let extent = task.output_size().map(|side| side as usize);
        Self { extent, is_real: task.stores_reals() }
    }

    /// The number of values: the product of the extent.
    pub fn values(&self) -> usize {
        self.extent.iter().product()
    }

    /// Numbers in a value: 1 or 2.
    pub fn parts(&self) -> usize {
        if self.is_real { 1 } else { 2 }
    }

    /// The number of numbers, two for a complex value.
    pub fn numbers(&self) -> usize {
        self.values() * self.parts()
    }
}

/// Distance of neighbours along `axis` in an array of `extent`.
fn stride(extent: [usize; 3], axis: Axis) -> usize {
    match axis {
        Axis::Row => 1,
        Axis::Column => extent[0],
        Axis::Depth => extent[0] * extent[1],
    }
}

/// The indices of the line along `axis` through `through`, in an array of `extent`.
pub(super) fn places(
    extent: [usize; 3],
    axis: Axis,
    through: [usize; 3],
) -> impl Iterator<Item = usize> + Clone {
    let [x, y, z] = through;
    let here = (z * extent[1] + y) * extent[0] + x;
    let step = stride(extent, axis);
    let first = here - through[axis as usize] * step;
    (0..extent[axis as usize]).map(move |n| first + n * step)
}

/// Tables of transformed lines, each made once.
#[derive(Clone, Default)]
pub struct Lines(HashMap<(usize, Direction), Arc<AnyLine>>);

impl Lines {
    fn transform(&mut self, line: &mut [Complex], direction: Direction) {
        let table = self.0.entry((line.len(), direction));
        let table = table.or_insert_with(|| Arc::new(AnyLine::new(line.len(), direction)));
        table.transform(line);
    }

    /// Transforms `line`, which lies along `axis` of `task`'s input, into that of the output.
    pub(super) fn transform_axis(
        &mut self,
        line: &mut Vec<Complex>,
        task: &Descriptor,
        axis: Axis,
    ) {
        match (task.kind, axis) {
            (Kind::Real, Axis::Row) => match task.direction {
                Direction::Forward => {
                    self.transform(line, Direction::Forward);
                    line.truncate(line.len() / 2 + 1);
                }
                Direction::Inverse => self.reals_of(line, task.size[0] as usize),
            },
            (Kind::Complex | Kind::Real, _) => self.transform(line, task.direction),
            _ => self.cosine(line, task),
        }
        let factor = task.factor(axis);
        line.as_flattened_mut().iter_mut().for_each(|part| *part *= factor);
    }

    /// Transforms the first half of a spectrum into a line of `length` real numbers. The imaginary parts of
    /// the first value, and of the one in the middle, are ignored, as in `numpy.fft.irfft`.
    fn reals_of(&mut self, line: &mut Vec<Complex>, length: usize) {
        line[0][1] = 0.0;
        line.resize(length, [0.0; 2]);
        if length.is_multiple_of(2) {
            line[length / 2][1] = 0.0;
        }
        for k in 1..length.div_ceil(2) {
            let [re, im] = line[k];
            line[length - k] = [re, -im];
        }
        self.transform(line, Direction::Inverse);
    }

    /// Cosine transforms of the real and of the imaginary parts: the sequence is continued to the even and
    /// periodic one of the type, with zeros where its points lie between those of the period, and that is
    /// transformed. There are no factors to be rounded.
    fn cosine(&mut self, line: &mut [Complex], task: &Descriptor) {
        let kind = cosine_type(task);
        let length = line.len();
        let (period, step, first) = match kind {
            Kind::Dct1 => (2 * (length - 1), 1, 0),
            Kind::Dct2 => (4 * length, 2, 1),
            Kind::Dct3 => (4 * length, 1, 0),
            _ => (8 * length, 2, 1),
        };
        let [before, after] = end_factors(task);
        let mut even = vec![[0.0; 2]; period];
        for (n, value) in line.iter().enumerate() {
            let value = value.map(|part| part * before.at(n, length));
            let place = step * n + first;
            even[place] = value;
            even[(period - place) % period] = value;
        }
        self.transform(&mut even, Direction::Forward);
        let (step, first) = match kind {
            Kind::Dct1 | Kind::Dct2 => (1, 0),
            _ => (2, 1),
        };
        for (k, value) in line.iter_mut().enumerate() {
            *value = even[step * k + first].map(|part| part * after.at(k, length));
        }
    }
}

/// The type that `task` computes: the inverse of II is III.
fn cosine_type(task: &Descriptor) -> Kind {
    match (task.kind, task.direction) {
        (Kind::Dct2, Direction::Inverse) => Kind::Dct3,
        (Kind::Dct3, Direction::Inverse) => Kind::Dct2,
        (kind, _) => kind,
    }
}

#[derive(Clone, Copy)]
struct EndFactors {
    first: f64,
    last: f64,
}

impl EndFactors {
    const NONE: Self = Self { first: 1.0, last: 1.0 };

    fn at(self, n: usize, length: usize) -> f64 {
        match n {
            0 => self.first,
            n if n + 1 == length => self.last,
            _ => 1.0,
        }
    }
}

/// The factors of the ends of a line before and after a cosine transform that make it unitary if requested,
/// as with scipy's `norm="ortho"`.
fn end_factors(task: &Descriptor) -> [EndFactors; 2] {
    use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};
    let none = EndFactors::NONE;
    if task.normalization != Normalization::Ortho {
        return [none; 2];
    }
    match cosine_type(task) {
        Kind::Dct1 => [
            EndFactors { first: SQRT_2, last: SQRT_2 },
            EndFactors { first: FRAC_1_SQRT_2, last: FRAC_1_SQRT_2 },
        ],
        Kind::Dct2 => [none, EndFactors { first: FRAC_1_SQRT_2, ..none }],
        Kind::Dct3 => [EndFactors { first: SQRT_2, ..none }, none],
        _ => [none; 2],
    }
}

/// The weights of the input in value k of a line along `axis` of the output: the sum of the values times
/// these, of which the real part counts if the output is real.
pub(super) fn weights(task: &Descriptor, axis: Axis, k: usize) -> Vec<Complex> {
    let points = task.length(axis) as usize;
    let count = Shape::input(task).extent[axis as usize];
    let factor = task.factor(axis);
    let root = |k: usize, n: usize| root_of_unity(k % n, n, task.direction);
    let cosine = |k: usize, n: usize| root(k, n)[0];
    let [before, after] = end_factors(task);
    let weight = |n: usize| match (task.kind, axis) {
        (Kind::Real, Axis::Row) if task.direction == Direction::Inverse => {
            // It stands for its conjugate, too; only the ends are alone.
            let times = if n == 0 || 2 * n == points { 1.0 } else { 2.0 };
            root(k * n, points).map(|part| times * part)
        }
        (Kind::Complex | Kind::Real, _) => root(k * n, points),
        _ => {
            let end = |n| if n == 0 || n + 1 == points { 1.0 } else { 2.0 };
            let value = match cosine_type(task) {
                Kind::Dct1 => end(n) * cosine(k * n, 2 * (points - 1)),
                Kind::Dct2 => 2.0 * cosine(k * (2 * n + 1), 4 * points),
                Kind::Dct3 => {
                    if n == 0 {
                        1.0
                    } else {
                        2.0 * cosine((2 * k + 1) * n, 4 * points)
                    }
                }
                _ => 2.0 * cosine((2 * k + 1) * (2 * n + 1), 8 * points),
            };
            [before.at(n, points) * value * after.at(k, points), 0.0]
        }
    };
    (0..count).map(|n| weight(n).map(|part| part * factor)).collect()
}

/// Transforms one image or volume by `task`, with its scale. `None` if `values` do not have its shape or its
/// kind, complex or real.
pub fn transform(values: Array, task: &Descriptor, lines: &mut Lines) -> Option<Array> {
    Cooperative::finish(transform_in(&mut Cooperative::blocking(), values, task, lines))
}

/// [`transform`] with pauses for other tasks.
pub(super) async fn transform_in(
    coop: &mut Cooperative,
    values: Array,
    task: &Descriptor,
    lines: &mut Lines,
) -> Option<Array> {
    let shape = Shape::input(task);
    let is_real = matches!(values, Array::Real(_));
    let too_short = |axis: &Axis| task.kind == Kind::Dct1 && task.length(*axis) < 2;
    if values.len() != shape.values()
        || is_real != shape.is_real
        || task.axes.list().iter().any(too_short)
    {
        return None;
    }
    let mut extent = shape.extent;
    let mut values = values.into_complex();
    if values.is_empty() {
        return Some(Array::of_complex(values, Shape::output(task).is_real));
    }
    for axis in task.order() {
        let mut next = extent;
        if axis == Axis::Row {
            next[0] = Shape::output(task).extent[0];
        }
        let mut result = match next == extent {
            true => Vec::new(),
            false => vec![[0.0; 2]; next.iter().product()],
        };
        // Through every point of the face that the lines stand on.
        let mut face = extent;
        face[axis as usize] = 1;
        let mut line = Vec::new();
        for z in 0..face[2] {
            for y in 0..face[1] {
                for x in 0..face[0] {
                    coop.yield_if_due().await;
                    line.clear();
                    line.extend(places(extent, axis, [x, y, z]).map(|place| values[place]));
                    lines.transform_axis(&mut line, task, axis);
                    let to = if next == extent { &mut values } else { &mut result };
                    let places = places(next, axis, [x, y, z]);
                    places.zip(&line).for_each(|(place, value)| to[place] = *value);
                }
            }
        }
        if next != extent {
            (values, extent) = (result, next);
        }
    }
    Some(Array::of_complex(values, Shape::output(task).is_real))
}

/// Adds the contribution of a row of the input to `line`, times `factor`: all of its values one by one, or,
/// if the line crosses the rows, their sum by `weights` at one place of it.
fn add_row(
    line: &mut [Complex],
    row: impl Iterator<Item = Complex>,
    factor: Complex,
    to: Option<usize>,
    weights: Option<&[Complex]>,
) {
    let add = |sum: &mut Complex, value: Complex, factor: Complex| {
        let term = multiply(value, factor);
        *sum = [sum[0] + term[0], sum[1] + term[1]];
    };
    let Some(place) = to else {
        line.iter_mut().zip(row).for_each(|(sum, value)| add(sum, value, factor));
        return;
    };
    let mut sum = [0.0; 2];
    match weights {
        Some(weights) => {
            row.zip(weights).for_each(|(value, weight)| add(&mut sum, value, *weight));
        }
        None => row.for_each(|value| add(&mut sum, value, [1.0, 0.0])),
    }
    add(&mut line[place], sum, factor);
}

/// The line along `axis` of the output through `through`: the other axes are summed up for it alone, then it
/// is transformed.
pub(super) fn output_line(
    values: &Array,
    task: &Descriptor,
    axis: Axis,
    through: [usize; 3],
    lines: &mut Lines,
) -> Array {
    let input = Shape::input(task);
    let [width, height, depth] = input.extent;
    // Along an axis that is not transformed a line is the same line of the input.
    let others: [Option<Vec<Complex>>; 3] = [Axis::Row, Axis::Column, Axis::Depth].map(|other| {
        let sums = other != axis && task.axes.list().contains(&other);
        sums.then(|| weights(task, other, through[other as usize]))
    });
    // The part of the input that counts for the line, along each axis.
    let range = |other: Axis, count: usize| match (&others[other as usize], other == axis) {
        (None, false) => through[other as usize]..through[other as usize] + 1,
        _ => 0..count,
    };
    let factor = |other: Axis, n: usize| match &others[other as usize] {
        Some(weights) => weights[n],
        None => [1.0, 0.0],
    };
    let mut line = vec![[0.0; 2]; input.extent[axis as usize]];
    let columns = range(Axis::Row, width);
    for z in range(Axis::Depth, depth) {
        for y in range(Axis::Column, height) {
            let slow = multiply(factor(Axis::Depth, z), factor(Axis::Column, y));
            let first = (z * height + y) * width;
            let places = first + columns.start..first + columns.end;
            let to = match axis {
                Axis::Row => None,
                Axis::Column => Some(y),
                Axis::Depth => Some(z),
            };
            let weights = others[0].as_deref();
            match values {
                Array::Complex(values) => {
                    let row = values[places].iter().copied();
                    add_row(&mut line, row, slow, to, weights);
                }
                Array::Real(values) => {
                    let row = values[places].iter().map(|value| [*value, 0.0]);
                    add_row(&mut line, row, slow, to, weights);
                }
            }
        }
    }
    lines.transform_axis(&mut line, task, axis);
    Array::of_complex(line, Shape::output(task).is_real)
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice as _;
    use crate::descriptor::Axes;
    use crate::lab::{Accuracy, input};

    /// [`transform`] by the defining sums, in a loop over everything.
    fn definition(values: &Array, task: &Descriptor) -> Array {
        let output = Shape::output(task);
        let all = |axis: Axis| match task.axes.list().contains(&axis) {
            true => (0..output.extent[axis as usize])
                .map(|k| Some(weights(task, axis, k)))
                .collect::<Vec<_>>(),
            false => vec![None; output.extent[axis as usize]],
        };
        let [rows, columns, depths] = [Axis::Row, Axis::Column, Axis::Depth].map(all);
        let input = Shape::input(task).extent;
        let values = values.clone().into_complex();
        let mut result = Vec::new();
        for (kz, along_z) in depths.iter().enumerate() {
            for (ky, along_y) in columns.iter().enumerate() {
                for (kx, along_x) in rows.iter().enumerate() {
                    let mut sum = [0.0; 2];
                    let pick = |weights: &Option<Vec<Complex>>, n: usize, k: usize| match weights {
                        Some(weights) => weights[n],
                        None => [f64::from(u8::from(n == k)), 0.0],
                    };
                    for z in 0..input[2] {
                        for y in 0..input[1] {
                            for x in 0..input[0] {
                                let value = values[(z * input[1] + y) * input[0] + x];
                                let factor = multiply(
                                    pick(along_x, x, kx),
                                    multiply(pick(along_y, y, ky), pick(along_z, z, kz)),
                                );
                                let term = multiply(value, factor);
                                sum = [sum[0] + term[0], sum[1] + term[1]];
                            }
                        }
                    }
                    result.push(sum);
                }
            }
        }
        Array::of_complex(result, output.is_real)
    }

    fn tasks(kind: Kind, direction: Direction, normalization: Normalization) -> Descriptor {
        Descriptor {
            kind,
            direction,
            normalization,
            precision: crate::Precision::F64,
            ..Descriptor::default()
        }
    }

    fn every() -> Vec<Descriptor> {
        let mut all = Vec::new();
        for &kind in Kind::ALL {
            for &direction in Direction::ALL {
                for &normalization in Normalization::ALL {
                    all.push(tasks(kind, direction, normalization));
                }
            }
        }
        all
    }

    #[track_caller]
    fn same(result: &Array, exact: &Array, most: f64, what: &Descriptor) {
        let Accuracy { relative_l2, .. } = Accuracy::between(result, exact);
        assert!(relative_l2 <= most, "{relative_l2:.1e}: {what:?}");
    }

    /// Computes the cosine transforms term by term as in their documentation.
    #[test]
    fn the_weights_are_those_of_the_definitions() {
        use std::f64::consts::PI;
        for length in 2..=9_usize {
            for &kind in &Kind::ALL[2..] {
                let task = Descriptor {
                    size: [length as u32, 1],
                    ..tasks(kind, Direction::Forward, Normalization::None)
                };
                for k in 0..length {
                    let found = weights(&task, Axis::Row, k);
                    for (n, [re, im]) in found.into_iter().enumerate() {
                        let (points, k, at) = (length as f64, k as f64, n as f64);
                        let wanted = match kind {
                            Kind::Dct1 if n == 0 => 1.0,
                            Kind::Dct1 if n == length - 1 => (PI * k).cos(),
                            Kind::Dct1 => 2.0 * (PI * k * at / (points - 1.0)).cos(),
                            Kind::Dct2 => 2.0 * (PI * k * (2.0 * at + 1.0) / (2.0 * points)).cos(),
                            Kind::Dct3 if n == 0 => 1.0,
                            Kind::Dct3 => 2.0 * (PI * (2.0 * k + 1.0) * at / (2.0 * points)).cos(),
                            _ => {
                                let angle = PI * (2.0 * k + 1.0) * (2.0 * at + 1.0);
                                2.0 * (angle / (4.0 * points)).cos()
                            }
                        };
                        assert!((re - wanted).abs() < 1e-13 && im == 0.0, "{kind} {length}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_kind_of_lines_is_its_definition() {
        for task in every() {
            for length in 1..=33 {
                let task = Descriptor { size: [length, 3], axes: Axes::Rows, ..task.clone() };
                let values = input(&task, length);
                let fast = transform(values.clone(), &task, &mut Lines::default());
                if task.kind == Kind::Dct1 && length == 1 {
                    assert!(fast.is_none());
                    continue;
                }
                same(&fast.unwrap(), &definition(&values, &task), 3e-15, &task);
            }
        }
    }

    #[test]
    fn every_choice_of_axes_is_its_definition() {
        for task in every() {
            for &axes in Axes::ALL {
                for (size, depth) in [([6, 5], 4), ([5, 4], 3), ([2, 2], 2), ([7, 2], 6)] {
                    if task.kind == Kind::Real && !axes.list().contains(&Axis::Row) {
                        continue;
                    }
                    let task = Descriptor { size, depth, axes, ..task.clone() };
                    let values = input(&task, 1);
                    let exact = definition(&values, &task);
                    let mut lines = Lines::default();
                    let fast = transform(values.clone(), &task, &mut lines).unwrap();
                    same(&fast, &exact, 3e-15, &task);
                    // And each line of it alone.
                    let extent = Shape::output(&task).extent;
                    for &axis in axes.list() {
                        let mut through = [1, 1, 1];
                        through[axis as usize] = 0;
                        let line = output_line(&values, &task, axis, through, &mut lines);
                        let places: Vec<_> = places(extent, axis, through).collect();
                        same(&line, &exact.at(&places), 3e-15, &task);
                    }
                }
            }
        }
    }

    #[test]
    fn there_and_back_is_the_number_of_points() {
        for task in every() {
            if task.direction == Direction::Inverse {
                continue;
            }
            let task = Descriptor { size: [12, 7], depth: 5, axes: Axes::All, ..task };
            let values = input(&task, 2);
            let mut lines = Lines::default();
            let there = transform(values.clone(), &task, &mut lines).unwrap();
            let back = Descriptor { direction: Direction::Inverse, ..task.clone() };
            let back = transform(there, &back, &mut lines).unwrap();
            let period: f64 = [12, 7, 5].map(|points| task.kind.period(points)).iter().product();
            let factor = period * task.scale().powi(2);
            let scaled = values.numbers().iter().map(|part| part * factor).collect();
            let is_real = matches!(values, Array::Real(_));
            same(&back, &Array::of_numbers(scaled, is_real), 3e-15, &task);
        }
    }

    #[test]
    fn what_does_not_fit_is_none() {
        let task = Descriptor { size: [4, 3], ..Descriptor::default() };
        let mut lines = Lines::default();
        assert!(transform(Array::Real(vec![0.0; 12]), &task, &mut lines).is_none());
        assert!(transform(Array::Complex(vec![[0.0; 2]; 11]), &task, &mut lines).is_none());
        let real = Descriptor { kind: Kind::Real, direction: Direction::Inverse, ..task };
        assert!(transform(Array::Complex(vec![[0.0; 2]; 9]), &real, &mut lines).is_some());
        assert!(transform(Array::Complex(vec![[0.0; 2]; 12]), &real, &mut lines).is_none());
    }

    /// The imaginary parts of the spectrum's ends are ignored, as in numpy.
    #[test]
    fn half_spectra_of_no_real_line_follow_numpy() {
        let task = Descriptor {
            size: [4, 1],
            axes: Axes::Rows,
            ..tasks(Kind::Real, Direction::Inverse, Normalization::None)
        };
        let spectrum = Array::Complex(vec![[1.0, 5.0], [2.0, 3.0], [4.0, 6.0]]);
        // numpy.fft.irfft([1 + 5j, 2 + 3j, 4 + 6j], norm="forward")
        let exact = Array::Real(vec![9.0, -9.0, 1.0, 3.0]);
        let line = transform(spectrum, &task, &mut Lines::default()).unwrap();
        same(&line, &exact, 1e-15, &task);
    }
}
