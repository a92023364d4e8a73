//! Rows, tiled transpose, rows, tiled transpose; the rows by the kernel of `stockham-r4`, the
//! transposes by `shaders/fft/transpose.wgsl`.

use super::{AlgorithmFile, LineShape, TransposeParameters, Twiddles, stockham_r4};
use crate::descriptor::{Axes, Axis, Descriptor};
use crate::error::Unsupported;
use crate::gpu::Limit;
use crate::program::kernel::KernelParts;
use crate::program::lines::{Lines, lines, shape};
use crate::program::passes::{self, Pass};
use crate::program::{Problem, Program};

pub(crate) struct Transpose;

const TILE: u32 = 16;

/// The slots of workgroup memory from one row of a tile to the next: one stays empty, so that a column
/// of the tile falls into different banks.
const PITCH: u32 = TILE + 1;

impl AlgorithmFile for Transpose {
    const DESCRIPTION: &'static str =
        "rows, tiled transpose, rows, tiled transpose (Ukidave 2014, figure 16.6)";

    type Parameters = TransposeParameters;

    fn complete(
        problem: &Problem<'_>,
        given: &TransposeParameters,
    ) -> Result<TransposeParameters, Unsupported> {
        problem.check_powers_of_two(2)?;
        let size = problem.workgroup_size(given.workgroup_size)?;
        let mut complete = TransposeParameters {
            twiddles: Some(problem.twiddles(given.twiddles, Twiddles::Table)?),
            workgroup_size: Some(size.min(TILE * TILE)),
            ..*given
        };
        let descriptor = transposed(problem.descriptor);
        let transposed = problem.with(&descriptor);
        for &axis in problem.descriptor.axes.list() {
            let (lines, line) = match axis {
                Axis::Row => (lines(problem, axis), &mut complete.row),
                // This algorithm takes no volumes.
                Axis::Column | Axis::Depth => (columns(&transposed), &mut complete.column),
            };
            let shape = shape(problem, &lines, line, stockham_r4::LINES.radix)?;
            *line = LineShape {
                lines_per_workgroup: Some(shape.lines),
                butterflies_per_invocation: Some(shape.butterflies),
            };
        }
        Ok(complete)
    }

    fn program(
        problem: &Problem<'_>,
        parameters: &TransposeParameters,
    ) -> Result<Program, Unsupported> {
        let twiddles = parameters.twiddles.unwrap_or(Twiddles::Table);
        let workgroup_size = parameters.workgroup_size.unwrap_or(TILE * TILE);
        let descriptor = transposed(problem.descriptor);
        let transposed = problem.with(&descriptor);
        let lines_of = |axis| lines(problem, axis);
        let rows = &stockham_r4::LINES;
        let mut passes = Vec::new();
        for &axis in problem.descriptor.axes.list() {
            match axis {
                Axis::Row => {
                    passes.push(rows.pass(problem, lines_of(axis), twiddles, &parameters.row)?);
                }
                Axis::Column | Axis::Depth => {
                    let columns = columns(&transposed);
                    passes.push(transpose(problem, twiddles, workgroup_size)?);
                    passes.push(rows.pass(&transposed, columns, twiddles, &parameters.column)?);
                    passes.push(transpose(&transposed, twiddles, workgroup_size)?);
                }
            }
        }
        passes::program(problem, twiddles, passes)
    }
}

fn columns(transposed: &Problem<'_>) -> Lines {
    Lines { axis: Axis::Column, name: "column(s)".into(), ..lines(transposed, Axis::Row) }
}

fn transposed(descriptor: &Descriptor) -> Descriptor {
    let [width, height] = descriptor.size;
    let axes = match descriptor.axes {
        Axes::Rows => Axes::Columns,
        Axes::Columns => Axes::Rows,
        others => others,
    };
    Descriptor { size: [height, width], axes, ..descriptor.clone() }
}

fn transpose<'a>(
    problem: &'a Problem<'a>,
    twiddles: Twiddles,
    workgroup_size: u32,
) -> Result<Pass<'a>, Unsupported> {
    let [across, down] = problem.descriptor.size.map(|length| length.div_ceil(TILE));
    let workgroup_bytes = TILE * PITCH * problem.element_bytes();
    problem.within(
        || format!("a workgroup with a tile of {TILE} x {TILE} points"),
        Limit::WorkgroupStorage,
        u64::from(workgroup_bytes),
    )?;
    Ok(Pass::new(Axis::Column, problem.workgroups(across * down)?, move |ends| {
        KernelParts {
            body: "#import \"fft/transpose.wgsl\"\n",
            scales: false,
            transposes: true,
            workgroup_bytes,
            constants: &[("TILE", TILE), ("PITCH", PITCH)],
            ..KernelParts::new(problem, Axis::Row, ends, twiddles, workgroup_size)
        }
        .compose(problem)
    }))
}
