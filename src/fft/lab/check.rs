//! Whether a result is right, at any size: whole images against the reference in double precision
//! where that is quick, and some of their lines where it is not.

use half::f16;

use crate::fft::descriptor::{Axes, Axis, Descriptor, Precision};
use crate::fft::lab::cpu::{self, Complex};
use crate::fft::lab::{Accuracy, noise};

/// Points of an image up to which all of it is compared: a fraction of a second on one core.
const WHOLE_POINTS: usize = 1 << 18;

/// The error of `result`, the transform of [`noise`] image `index`.
pub(super) fn accuracy(task: &Descriptor, index: u32, result: &[[f32; 2]]) -> Accuracy {
    let image = noise(index, task.points() as usize);
    accuracy_on(task, image.into_iter().map(|value| value.map(input(task))).collect(), result)
}

/// The error of `result`, the transform of `image` as it is: `task`'s normalization is in it.
///
/// Of a large image three output rows and three output columns are compared. Every line of one axis
/// crosses those of the other, so that a kernel that is wrong at one index of its lines is seen
/// there; and each value is a sum over the whole input.
pub(crate) fn accuracy_on(
    task: &Descriptor,
    mut image: Vec<Complex>,
    result: &[[f32; 2]],
) -> Accuracy {
    let [width, height] = task.size.map(|side| side as usize);
    let transformed = task.axes.list();
    if image.len() <= WHOLE_POINTS {
        cpu::transform(&mut image, task.size, task.axes, task.direction)
            .expect("an image of the task's size");
        return Accuracy::of(result, &image);
    }
    let mut seen = Vec::new();
    let mut exact = Vec::new();
    for (axis, count) in [(Axis::Row, height), (Axis::Column, width)] {
        // With one axis left alone, only lines along the other are transforms.
        if !transformed.contains(&axis) {
            continue;
        }
        for line in [0, count / 3, count - 1] {
            exact.extend(output_line(task, &image, axis, line));
            match axis {
                Axis::Row => seen.extend(&result[line * width..][..width]),
                Axis::Column => seen.extend(result.iter().skip(line).step_by(width)),
                Axis::Depth => {}
            }
        }
    }
    Accuracy::of(&seen, &exact)
}

/// A number as it lies in the input, times the factor of the normalization: scaled there, the result
/// is scaled too.
fn input(task: &Descriptor) -> impl Fn(f32) -> f64 {
    let factor = task.scale();
    let precision = task.precision;
    move |part| {
        factor
            * match precision {
                Precision::F32 | Precision::F64 => f64::from(part),
                Precision::F16 => f16::from_f32(part).to_f64(),
            }
    }
}

/// One output line along `axis`: the other axis is summed up for it alone, then it is transformed.
fn output_line(task: &Descriptor, image: &[Complex], axis: Axis, line: usize) -> Vec<Complex> {
    let [width, height] = task.size.map(|side| side as usize);
    let alone = task.axes != Axes::Both;
    let add = |sum: &mut Complex, value: Complex, root: Complex| {
        let term = cpu::multiply(value, root);
        *sum = [sum[0] + term[0], sum[1] + term[1]];
    };
    let mut values = match axis {
        Axis::Depth => Vec::new(),
        Axis::Row if alone => image[line * width..][..width].to_vec(),
        Axis::Column if alone => image.iter().skip(line).step_by(width).copied().collect(),
        Axis::Row => {
            let mut sums = vec![[0.0, 0.0]; width];
            for (y, row) in image.chunks_exact(width).enumerate() {
                let root = cpu::root_of_unity(y * line, height, task.direction);
                sums.iter_mut().zip(row).for_each(|(sum, value)| add(sum, *value, root));
            }
            sums
        }
        Axis::Column => {
            let root = |x| cpu::root_of_unity(x * line, width, task.direction);
            let roots: Vec<_> = (0..width).map(root).collect();
            let sum = |row: &[Complex]| {
                let mut sum = [0.0, 0.0];
                row.iter().zip(&roots).for_each(|(value, root)| add(&mut sum, *value, *root));
                sum
            };
            image.chunks_exact(width).map(sum).collect()
        }
    };
    cpu::transform_line(&mut values, task.direction);
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;
    use crate::fft::descriptor::{Direction, Normalization};
    use crate::fft::lab::Gate;

    fn exact(task: &Descriptor, index: u32) -> Vec<[f32; 2]> {
        let mut image: Vec<Complex> = noise(index, task.points() as usize)
            .into_iter()
            .map(|value| value.map(f64::from))
            .collect();
        cpu::transform(&mut image, task.size, task.axes, task.direction).unwrap();
        image.into_iter().map(|value| value.map(|part| part as f32)).collect()
    }

    #[test]
    fn right_results_pass_and_wrong_ones_do_not() {
        for size in [[64, 16], [1024, 512]] {
            for axes in Axes::OF_IMAGES {
                for &direction in Direction::ALL {
                    let task = Descriptor { size, axes, direction, ..Descriptor::default() };
                    let result = exact(&task, 3);
                    let gate = Gate::of(&task);
                    assert!(gate.passes(accuracy(&task, 3, &result)), "{task:?}");
                    assert!(!gate.passes(accuracy(&task, 2, &result)), "another image: {task:?}");

                    // What a kernel that is wrong at one index of its lines does.
                    let width = size[0] as usize;
                    for &axis in axes.list() {
                        let mut wrong = result.clone();
                        for (place, value) in wrong.iter_mut().enumerate() {
                            let index = match axis {
                                Axis::Row => place % width,
                                Axis::Column => place / width,
                                Axis::Depth => 0,
                            };
                            if index == 13 {
                                value[1] += 1.0;
                            }
                        }
                        assert!(!gate.passes(accuracy(&task, 3, &wrong)), "{axis}: {task:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn scaled_results_and_16_bit_inputs_are_expected_where_they_are_asked_for() {
        let plain = Descriptor { size: [16, 8], ..Descriptor::default() };
        let scaled = Descriptor { normalization: Normalization::Points, ..plain.clone() };
        let result = exact(&plain, 0);
        let small: Vec<_> = result.iter().map(|value| value.map(|part| part / 128.0)).collect();
        let gate = Gate::of(&plain);
        assert!(gate.passes(accuracy(&scaled, 0, &small)));
        assert!(!gate.passes(accuracy(&scaled, 0, &result)));
        let halves = Descriptor { precision: Precision::F16, ..plain };
        let error = accuracy(&halves, 0, &result).relative_l2;
        assert!((1e-5..5e-4).contains(&error), "{error}: the input's rounding");
    }

    #[test]
    fn lengths_that_are_no_powers_of_two_are_compared_too() {
        let task = Descriptor { size: [12, 10], ..Descriptor::default() };
        let points: Vec<Complex> =
            noise(0, 120).into_iter().map(|value| value.map(f64::from)).collect();
        let mut result: Vec<[f32; 2]> = (0..10)
            .flat_map(|row| output_line(&task, &points, Axis::Row, row))
            .map(|value| value.map(|part| part as f32))
            .collect();
        assert!(Gate::of(&task).passes(accuracy(&task, 0, &result)));
        result[2][0] += 0.01;
        assert!(!Gate::of(&task).passes(accuracy(&task, 0, &result)));
    }
}
