//! Four-step: a line as a matrix, in two dispatches per axis, for lengths past one workgroup's
//! memory; the kernel is `shaders/fft/four_step.wgsl`.

use super::{AlgorithmFile, LineParameters, LineShape};
use crate::fft::descriptor::Axis;
use crate::fft::error::Unsupported;
use crate::fft::program::kernel::KernelParts;
use crate::fft::program::lines::{Lines, shape, twiddles as line_twiddles};
use crate::fft::program::passes::{self, Pass};
use crate::fft::program::{Problem, Program};

pub(in crate::fft) struct FourStep;

/// Points of a butterfly, and the shortest side of the matrix.
const RADIX: u32 = 4;

/// The sides of the matrix as which a line of `length` points is transformed: the length of its
/// columns and that of its rows. A line too short for two sides is a single row.
fn sides(length: u32) -> [u32; 2] {
    if length < RADIX * RADIX {
        return [1, length];
    }
    let row = 1 << (length.ilog2() / 2);
    [length / row, row]
}

impl AlgorithmFile for FourStep {
    const DESCRIPTION: &'static str = "four-step, for lengths past one workgroup's memory, two \
        dispatches per axis (Govindaraju 2008, section 4C)";

    type Parameters = LineParameters;

    /// Lines and butterflies stay open where nothing is given: they differ from step to step.
    fn complete(
        problem: &Problem<'_>,
        given: &LineParameters,
    ) -> Result<LineParameters, Unsupported> {
        problem.check_powers_of_two(RADIX)?;
        for &axis in problem.descriptor.axes.list() {
            let name = match axis {
                Axis::Row => "row-butterflies",
                Axis::Column => "column-butterflies",
            };
            let most = problem.length(axis) / RADIX;
            let butterflies = given.line(axis).butterflies_per_invocation;
            problem.number(name, butterflies, most, || most)?;
            for [part, others] in parts(problem, axis) {
                let lines = lines(problem, axis, part, others);
                shape(problem, &lines, &of_part(given.line(axis), part), RADIX)?;
            }
        }
        Ok(LineParameters { twiddles: Some(line_twiddles(problem, given)), ..*given })
    }

    fn program(problem: &Problem<'_>, parameters: &LineParameters) -> Result<Program, Unsupported> {
        let mut passes = Vec::new();
        for &axis in problem.descriptor.axes.list() {
            let [column, row] = sides(problem.length(axis));
            if column > 1 {
                passes.push(pass(problem, axis, Step::Columns, column, row, parameters)?);
            }
            passes.push(pass(problem, axis, Step::Rows, row, column, parameters)?);
        }
        passes::program(problem, line_twiddles(problem, parameters), passes)
    }
}

/// The passes over lines along `axis`: points of a part, and parts of a line.
fn parts(problem: &Problem<'_>, axis: Axis) -> Vec<[u32; 2]> {
    let [column, row] = sides(problem.length(axis));
    if column > 1 { vec![[column, row], [row, column]] } else { vec![[row, column]] }
}

/// The parts of all lines along `axis`.
fn lines(problem: &Problem<'_>, axis: Axis, part: u32, others: u32) -> Lines {
    Lines {
        axis,
        name: format!("part(s) of a {axis}"),
        length: part,
        count: problem.image_lines(axis) * others,
        adjacent: true,
    }
}

/// What is given for lines, for parts of them: of the butterflies a part may have fewer.
fn of_part(given: &LineShape, part: u32) -> LineShape {
    let fewer = |butterflies: u32| butterflies.min(part / RADIX);
    let butterflies_per_invocation = given.butterflies_per_invocation.map(fewer);
    LineShape { butterflies_per_invocation, ..*given }
}

/// What a pass transforms.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    /// The columns of each line's matrix, with the factors between the passes.
    Columns,
    /// Its rows, which it writes as columns.
    Rows,
}

/// The pass over `others` parts of each line, of `part` points each.
fn pass<'a>(
    problem: &'a Problem<'a>,
    axis: Axis,
    step: Step,
    part: u32,
    others: u32,
    parameters: &LineParameters,
) -> Result<Pass<'a>, Unsupported> {
    let lines = lines(problem, axis, part, others);
    let shape = shape(problem, &lines, &of_part(parameters.line(axis), part), RADIX)?;
    let twiddles = line_twiddles(problem, parameters);
    let workgroup_bytes = shape.lines * part * problem.element_bytes();
    Ok(Pass {
        axis,
        // A pass that leaves every part where it was.
        may_be_in_place: step == Step::Columns || others == 1,
        params: Vec::new(),
        workgroups: problem.workgroups(lines.count / shape.lines)?,
        kernel: Box::new(move |ends| {
            KernelParts {
                body: "#import \"fft/four_step.wgsl\"\n",
                axis,
                ends,
                scales: step == Step::Rows,
                transposes: false,
                has_params: false,
                workgroup_size: shape.lines * shape.lanes,
                workgroup_bytes,
                split: false,
                is_in_bounds: false,
                twiddles,
                constants: &[
                    ("COLUMN_STEP", u32::from(step == Step::Columns)),
                    ("PART", part),
                    ("LOG2_PART", part.ilog2()),
                    ("OTHERS", others),
                    ("LINES", shape.lines),
                    ("LANES", shape.lanes),
                    ("BUTTERFLIES", shape.butterflies),
                ],
            }
            .compose(problem)
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_multiply_to_the_length_and_each_takes_a_butterfly() {
        for bits in 2..26 {
            let [column, row] = sides(1 << bits);
            assert_eq!(column * row, 1 << bits);
            assert!(row >= RADIX && (column == 1 || column >= row && column <= 2 * row));
        }
        assert_eq!(sides(8192), [128, 64]);
    }
}
