//! Algorithms that transform whole lines in workgroup memory, one dispatch per axis. They differ in
//! their kernel only; how many lines, invocations and butterflies a workgroup has is decided here.

use super::kernel::{self, KernelParts};
use super::problem::Problem;
use super::{Axis, Dispatch, Placement, Program, Role, Unsupported};

/// An algorithm of this kind.
pub(super) struct LineAlgorithm {
    /// Its file under `shaders/`.
    pub file: &'static str,
    /// Points that one butterfly takes.
    pub radix: u32,
}

/// Invocations that a workgroup should have at least, where there are lines enough: a whole warp
/// or wavefront on every GPU.
const WANTED_INVOCATIONS: u32 = 64;

/// Bytes of adjacent columns that a workgroup should touch at least: a cache line, so that each
/// memory transaction is used whole.
const WANTED_COLUMN_BYTES: u32 = 64;

/// How one axis is spread over workgroups.
struct Shape {
    lines: u32,
    lanes: u32,
    butterflies: u32,
}

impl LineAlgorithm {
    pub fn program(&self, problem: &Problem<'_>) -> Result<Program, Unsupported> {
        problem.check_powers_of_two(self.radix)?;
        let mut kernels = Vec::new();
        let mut dispatches = Vec::new();
        let mut source = problem.source();
        for &axis in problem.descriptor.axes.list() {
            let shape = self.shape(problem, axis)?;
            let kernel = KernelParts {
                body: &format!("#import \"{}\"\n", self.file),
                axis,
                in_place: source == Role::Output,
                has_params: false,
                workgroup_size: shape.lines * shape.lanes,
                workgroup_bytes: shape.lines * problem.length(axis) * problem.element_bytes(),
                split: false,
                trusted: false,
                constants: &[
                    ("LINES", shape.lines),
                    ("LANES", shape.lanes),
                    ("BUTTERFLIES", shape.butterflies),
                ],
            }
            .compose(problem);
            dispatches.push(Dispatch {
                kernel: kernels.len(),
                axis,
                roles: kernel::roles(&kernel, source, Role::Output),
                params: Vec::new(),
                workgroups: problem.workgroups(problem.image_lines(axis) / shape.lines)?,
                bytes_read: problem.data_bytes(),
                bytes_written: problem.data_bytes(),
            });
            kernels.push(kernel);
            // A workgroup reads its lines whole before it writes them: the second axis works in
            // place.
            source = Role::Output;
        }
        Ok(Program {
            kernels,
            dispatches,
            tables: kernel::tables(problem),
            data_bytes: problem.data_bytes(),
            scratch_bytes: 0,
            in_place: problem.descriptor.placement == Placement::InPlace,
        })
    }

    fn shape(&self, problem: &Problem<'_>, axis: Axis) -> Result<Shape, Unsupported> {
        let capabilities = problem.capabilities;
        let tuning = problem.descriptor.tuning.line(axis);
        let length = problem.length(axis);
        let fits_memory = |lines: u32| {
            problem.within(
                || format!("a workgroup with {lines} {axis}(s) of {length} points"),
                ("maxComputeWorkgroupStorageSize", "bytes"),
                u64::from(lines) * u64::from(length) * u64::from(problem.element_bytes()),
                u64::from(capabilities.max_workgroup_storage_bytes),
            )
        };
        let fits_invocations = |lines: u32, lanes: u32| {
            problem.within(
                || format!("a workgroup with {lines} {axis}(s) of {length} points"),
                ("maxComputeInvocationsPerWorkgroup", "invocations"),
                u64::from(lines) * u64::from(lanes),
                u64::from(capabilities.max_workgroup_invocations),
            )
        };

        let line_butterflies = length / self.radix;
        let butterflies = problem
            .tuned(
                "butterflies_per_invocation",
                tuning.butterflies_per_invocation,
                line_butterflies,
            )?
            .unwrap_or_else(|| {
                line_butterflies
                    .div_ceil(capabilities.max_workgroup_invocations)
                    .next_power_of_two()
            });
        let lanes = line_butterflies / butterflies;
        fits_memory(1)?;
        fits_invocations(1, lanes)?;

        // A power of two that divides the lines of an image, so that no workgroup is ragged.
        let most = 1 << problem.image_lines(axis).trailing_zeros();
        let tuned = problem.tuned("lines_per_workgroup", tuning.lines_per_workgroup, most)?;
        if let Some(lines) = tuned {
            fits_memory(lines)?;
            fits_invocations(lines, lanes)?;
            return Ok(Shape { lines, lanes, butterflies });
        }
        let mut lines = WANTED_INVOCATIONS.div_ceil(lanes);
        if axis == Axis::Column {
            lines = lines.max(WANTED_COLUMN_BYTES / problem.element_bytes());
        }
        lines = lines.min(most);
        while lines > 1 && (fits_memory(lines).is_err() || fits_invocations(lines, lanes).is_err())
        {
            lines /= 2;
        }
        Ok(Shape { lines, lanes, butterflies })
    }
}
