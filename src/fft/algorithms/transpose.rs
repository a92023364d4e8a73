//! Rows, tiled transpose, rows, tiled transpose; the rows by the kernel of `stockham-r4`, the
//! transposes by `shaders/fft/transpose.wgsl`.

use super::stockham_r4;
use crate::fft::algorithms::Tuning;
use crate::fft::descriptor::{Axes, Axis, Descriptor};
use crate::fft::error::Unsupported;
use crate::fft::program::Problem;
use crate::fft::program::Program;
use crate::fft::program::kernel::KernelParts;
use crate::fft::program::passes::{self, Pass};

pub(super) const DESCRIPTION: &str =
    "rows, tiled transpose, rows, tiled transpose (Ukidave 2014, figure 16.6)";

/// Points along the edge of a tile.
const TILE: u32 = 16;

/// Slots of workgroup memory from one row of a tile to the next: one stays empty, so that a column
/// of the tile falls into different banks.
const PITCH: u32 = TILE + 1;

pub(super) fn program(problem: &Problem<'_>) -> Result<Program, Unsupported> {
    problem.check_powers_of_two(2)?;
    let transposed = transposed(problem.descriptor);
    let transposed = Problem { descriptor: &transposed, capabilities: problem.capabilities };
    let mut passes = Vec::new();
    for &axis in problem.descriptor.axes.list() {
        match axis {
            Axis::Row => passes.push(stockham_r4::LINES.pass(problem, Axis::Row)?),
            Axis::Column => {
                passes.push(transpose(problem)?);
                let mut columns = stockham_r4::LINES.pass(&transposed, Axis::Row)?;
                columns.axis = Axis::Column;
                passes.push(columns);
                passes.push(transpose(&transposed)?);
            }
        }
    }
    passes::program(problem, passes)
}

/// The same problem on the transposed images.
fn transposed(descriptor: &Descriptor) -> Descriptor {
    let [width, height] = descriptor.size;
    let axes = match descriptor.axes {
        Axes::Both => Axes::Both,
        Axes::Rows => Axes::Columns,
        Axes::Columns => Axes::Rows,
    };
    let Tuning { row, column, .. } = descriptor.tuning;
    let tuning = Tuning { row: column, column: row, ..descriptor.tuning };
    Descriptor { size: [height, width], axes, tuning, ..descriptor.clone() }
}

/// The pass that transposes every image of `problem`.
fn transpose<'a>(problem: &'a Problem<'a>) -> Result<Pass<'a>, Unsupported> {
    let [across, down] = problem.descriptor.size.map(|length| length.div_ceil(TILE));
    let workgroup_bytes = TILE * PITCH * problem.element_bytes();
    problem.within(
        || format!("a workgroup with a tile of {TILE} x {TILE} points"),
        ("maxComputeWorkgroupStorageSize", "bytes"),
        u64::from(workgroup_bytes),
        u64::from(problem.capabilities.max_workgroup_storage_bytes),
    )?;
    let workgroup_size = problem.workgroup_size()?.min(TILE * TILE);
    Ok(Pass {
        axis: Axis::Column,
        may_be_in_place: false,
        params: Vec::new(),
        workgroups: problem.workgroups(across * down)?,
        kernel: Box::new(move |ends| {
            KernelParts {
                body: "#import \"fft/transpose.wgsl\"\n",
                axis: Axis::Row,
                ends,
                scales: false,
                transposes: true,
                has_params: false,
                workgroup_size,
                workgroup_bytes,
                split: false,
                trusted: false,
                constants: &[("TILE", TILE), ("PITCH", PITCH)],
            }
            .compose(problem)
        }),
    })
}
