//! Checks results at any size: whole images against the reference in double precision if that is quick, else
//! some of their lines.

use std::collections::hash_map::{Entry, HashMap};

use super::data;
use super::gate::Accuracy;
use super::reference::{self, Array, Lines, Shape};
use crate::descriptor::{Axis, Descriptor};
use crate::platform::Cooperative;

/// Largest image that is compared whole, in values: a fraction of a second on one core.
const WHOLE_VALUES: usize = 1 << 18;

/// The expected result of a transform: all of it, or of a large image three lines along each transformed
/// axis. Every line of one axis crosses those of the others, so that a kernel that is wrong at one index of
/// its lines is found; and each value is a sum over the whole input.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Places of the values in the output, if they are not all of it.
    places: Option<Vec<usize>>,
    count: usize,
    values: Array,
}

impl Expected {
    /// Computes the result of `task` for the image or volume `values`.
    ///
    /// # Panics
    /// Panics if `values` do not have the shape of `task`'s input.
    pub fn of(task: &Descriptor, values: Array, lines: &mut Lines) -> Self {
        Cooperative::finish(Self::of_in(&mut Cooperative::blocking(), task, values, lines))
    }

    /// Does the work of [`Expected::of`] cooperatively, in slices.
    pub async fn of_in(
        coop: &mut Cooperative,
        task: &Descriptor,
        values: Array,
        lines: &mut Lines,
    ) -> Self {
        let output = Shape::output(task);
        let count = output.values();
        // A line alone is all of it.
        let axes = task.axes.list().iter().filter(|axis| task.length(**axis) > 1);
        let is_line =
            task.axes.list().iter().any(|axis| task.points() == u64::from(task.length(*axis)));
        if values.len().max(count) <= WHOLE_VALUES || is_line {
            let values = reference::transform_in(coop, values, task, lines).await;
            let values = values.expect("an input of the task");
            return Self { places: None, count, values };
        }
        let mut places = Vec::new();
        let mut numbers = Vec::new();
        for &axis in axes {
            let mut throughs: Vec<_> = [0, 1, 2].map(|third| through(output, axis, third)).into();
            throughs.dedup();
            for through in throughs {
                coop.yield_if_due().await;
                let line = reference::output_line(&values, task, axis, through, lines);
                numbers.extend_from_slice(line.numbers());
                places.extend(reference::places(output.extent, axis, through));
            }
        }
        let values = Array::of_numbers(numbers, output.is_real);
        Self { places: Some(places), count, values }
    }

    /// The error of `result`, one image or volume in the layout of the transform's output.
    pub fn accuracy(&self, result: &Array) -> Accuracy {
        match &self.places {
            None => Accuracy::between(result, &self.values),
            Some(places) if result.len() == self.count => {
                Accuracy::between(&result.at(places), &self.values)
            }
            // Not of its size.
            Some(_) => Accuracy::between(&Array::Real(Vec::new()), &self.values),
        }
    }
}

/// A point of a line along `axis`: the first, the last, or one a third of the way.
fn through(output: Shape, axis: Axis, third: usize) -> [usize; 3] {
    let mut through = output.extent.map(|count| match third {
        0 => 0,
        1 => count / 3,
        _ => count - 1,
    });
    through[axis as usize] = 0;
    through
}

/// Exact transforms of random images, each computed once, and their tables.
#[derive(Debug, Default)]
pub struct References {
    known: HashMap<(u32, Descriptor), Expected>,
    lines: Lines,
}

impl References {
    /// Returns the expected result of `task` for its random image or volume `index`, [`input`](super::input).
    pub fn of(&mut self, index: u32, task: &Descriptor) -> &Expected {
        Cooperative::finish(self.of_in(&mut Cooperative::blocking(), index, task))
    }

    /// Does the work of [`References::of`] cooperatively, in slices.
    pub async fn of_in(
        &mut self,
        coop: &mut Cooperative,
        index: u32,
        task: &Descriptor,
    ) -> &Expected {
        let Self { known, lines } = self;
        match known.entry((index, Self::key(task))) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let input = data::input(task, index);
                coop.yield_if_due().await;
                place.insert(Expected::of_in(coop, task, input, lines).await)
            }
        }
    }

    /// `task` without the parts that do not affect its result.
    fn key(task: &Descriptor) -> Descriptor {
        let Descriptor { size, depth, kind, direction, normalization, axes, precision, .. } = *task;
        Descriptor {
            size,
            depth,
            kind,
            direction,
            normalization,
            axes,
            precision,
            ..Descriptor::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice as _;
    use crate::descriptor::{Axes, Direction, Kind, Normalization, Precision};
    use crate::lab::Gate;

    fn exact(task: &Descriptor, index: u32) -> Array {
        let image = data::input(task, index);
        let exact = reference::transform(image, task, &mut Lines::default()).unwrap();
        let rounded = exact.numbers().iter().map(|part| f64::from(*part as f32)).collect();
        Array::of_numbers(rounded, Shape::output(task).is_real)
    }

    fn accuracy(task: &Descriptor, index: u32, result: &Array) -> Accuracy {
        References::default().of(index, task).accuracy(result)
    }

    /// Makes the values wrong whose index along `axis` is 5.
    fn wrong(values: &Array, task: &Descriptor, axis: Axis) -> Array {
        let shape = Shape::output(task);
        let [width, height, _] = shape.extent;
        let parts = shape.parts();
        let mut numbers = values.numbers().to_vec();
        for (place, value) in numbers.chunks_exact_mut(parts).enumerate() {
            let index = match axis {
                Axis::Row => place % width,
                Axis::Column => place / width % height,
                Axis::Depth => place / width / height,
            };
            if index == 5 {
                value[parts - 1] += 1.0;
            }
        }
        Array::of_numbers(numbers, shape.is_real)
    }

    #[test]
    fn right_results_pass_and_wrong_ones_do_not() {
        // The second of each is so large that lines of it are compared.
        for (size, depth, axes) in [
            ([64, 16], 1, Axes::Both),
            ([1024, 512], 1, Axes::Both),
            ([1024, 512], 1, Axes::Rows),
            ([1024, 512], 1, Axes::Columns),
            ([20, 14], 15, Axes::All),
            ([100, 60], 70, Axes::All),
            ([100, 60], 70, Axes::RowsAndDepths),
        ] {
            for kind in [Kind::Complex, Kind::Real, Kind::Dct2] {
                if kind == Kind::Real && axes == Axes::Columns {
                    continue;
                }
                for &direction in Direction::ALL {
                    let task =
                        Descriptor { size, depth, axes, kind, direction, ..Descriptor::default() };
                    let result = exact(&task, 3);
                    let gate = Gate::of(&task);
                    assert!(gate.passes(accuracy(&task, 3, &result)), "{task:?}");
                    assert!(!gate.passes(accuracy(&task, 2, &result)), "another image: {task:?}");
                    // Imitates a kernel that is wrong at one index of its lines.
                    for &axis in axes.list() {
                        let wrong = wrong(&result, &task, axis);
                        assert!(!gate.passes(accuracy(&task, 3, &wrong)), "{axis}: {task:?}");
                    }
                    let less = Array::of_numbers(Vec::new(), Shape::output(&task).is_real);
                    assert!(!gate.passes(accuracy(&task, 3, &less)), "{task:?}");
                }
            }
        }
    }

    #[test]
    fn the_expected_result_follows_scale_and_precision() {
        let plain = Descriptor { size: [16, 8], ..Descriptor::default() };
        let scaled = Descriptor { normalization: Normalization::Points, ..plain.clone() };
        let result = exact(&plain, 0);
        let small = result.numbers().iter().map(|part| part / 128.0).collect();
        let gate = Gate::of(&plain);
        assert!(gate.passes(accuracy(&scaled, 0, &Array::of_numbers(small, false))));
        assert!(!gate.passes(accuracy(&scaled, 0, &result)));
        let halves = Descriptor { precision: Precision::F16, ..plain.clone() };
        let error = accuracy(&halves, 0, &result).relative_l2;
        assert!((1e-5..5e-4).contains(&error), "{error}: the input's rounding");
        // Numbers of 32 bits are no result in 64.
        let wide = Descriptor { precision: Precision::F64, ..plain };
        let error = accuracy(&wide, 0, &exact(&wide, 0)).relative_l2;
        assert!((1e-9..1e-6).contains(&error) && error > Gate::of(&wide).relative_l2, "{error}");
    }

    #[test]
    fn a_long_line_alone_is_compared_whole() {
        let task = Descriptor { size: [1, 1 << 19], ..Descriptor::default() };
        let result = exact(&task, 0);
        assert!(Gate::of(&task).passes(accuracy(&task, 0, &result)));
        let mut numbers = result.numbers().to_vec();
        numbers[1001] += 100.0;
        let wrong = Array::of_numbers(numbers, false);
        assert!(!Gate::of(&task).passes(accuracy(&task, 0, &wrong)));
    }
}
