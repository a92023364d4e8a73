//! Algorithms that transform whole lines in workgroup memory, one dispatch per axis. They differ in
//! their kernel only; how many lines, invocations and butterflies a workgroup has is decided here.

use crate::fft::algorithms::LineTuning;
use crate::fft::descriptor::Axis;
use crate::fft::error::Unsupported;
use crate::fft::program::Problem;
use crate::fft::program::Program;
use crate::fft::program::kernel::KernelParts;
use crate::fft::program::passes::{self, Pass};

/// An algorithm of this kind.
pub(in crate::fft) struct LineAlgorithm {
    /// Its file under `shaders/`.
    pub file: &'static str,
    /// Points that one butterfly takes; a line may have fewer.
    pub radix: u32,
}

/// Invocations that a workgroup should have at least, where there are lines enough: a whole warp
/// or wavefront on every GPU.
const WANTED_INVOCATIONS: u32 = 64;

/// Bytes of adjacent columns that a workgroup should touch at least: a cache line, so that each
/// memory transaction is used whole.
const WANTED_COLUMN_BYTES: u32 = 64;

/// The lines that one dispatch transforms.
pub(in crate::fft) struct Lines {
    /// What they are called in messages.
    pub name: String,
    /// Points in each.
    pub length: u32,
    /// Lines in an image.
    pub count: u32,
    /// It is their neighbours that lie next to a line's points in memory, and not its own points.
    pub adjacent: bool,
}

/// How lines are spread over workgroups.
pub(in crate::fft) struct Shape {
    /// Lines in a workgroup.
    pub lines: u32,
    /// Invocations for each.
    pub lanes: u32,
    /// Butterflies for each invocation.
    pub butterflies: u32,
}

impl LineAlgorithm {
    pub fn program(&self, problem: &Problem<'_>) -> Result<Program, Unsupported> {
        problem.check_powers_of_two(2)?;
        let axes = problem.descriptor.axes.list().iter();
        let passes = axes.map(|axis| self.pass(problem, *axis)).collect::<Result<_, _>>()?;
        passes::program(problem, passes)
    }

    /// The pass over the lines along `axis`.
    pub fn pass<'a>(&self, problem: &'a Problem<'a>, axis: Axis) -> Result<Pass<'a>, Unsupported> {
        let lines = Lines {
            name: format!("{axis}(s)"),
            length: problem.length(axis),
            count: problem.image_lines(axis),
            adjacent: axis == Axis::Column,
        };
        let shape = shape(problem, &lines, problem.descriptor.tuning.line(axis), self.radix)?;
        let file = self.file;
        Ok(Pass {
            axis,
            // A workgroup reads its lines whole before it writes them.
            may_be_in_place: true,
            params: Vec::new(),
            workgroups: problem.workgroups(lines.count / shape.lines)?,
            kernel: Box::new(move |ends| {
                KernelParts {
                    body: &format!("#import \"{file}\"\n"),
                    axis,
                    ends,
                    scales: true,
                    transposes: false,
                    has_params: false,
                    workgroup_size: shape.lines * shape.lanes,
                    workgroup_bytes: shape.lines * lines.length * problem.element_bytes(),
                    split: false,
                    trusted: false,
                    constants: &[
                        ("LINES", shape.lines),
                        ("LANES", shape.lanes),
                        ("BUTTERFLIES", shape.butterflies),
                    ],
                }
                .compose(problem)
            }),
        })
    }
}

/// Spreads `lines` over workgroups for butterflies of `radix` points.
pub(in crate::fft) fn shape(
    problem: &Problem<'_>,
    lines: &Lines,
    tuning: &LineTuning,
    radix: u32,
) -> Result<Shape, Unsupported> {
    let capabilities = problem.capabilities;
    let Lines { name, length, .. } = lines;
    let length = *length;
    let fits_memory = |count: u32| {
        problem.within(
            || format!("a workgroup with {count} {name} of {length} points"),
            ("maxComputeWorkgroupStorageSize", "bytes"),
            u64::from(count) * u64::from(length) * u64::from(problem.element_bytes()),
            u64::from(capabilities.max_workgroup_storage_bytes),
        )
    };
    let fits_invocations = |count: u32, lanes: u32| {
        problem.within(
            || format!("a workgroup with {count} {name} of {length} points"),
            ("maxComputeInvocationsPerWorkgroup", "invocations"),
            u64::from(count) * u64::from(lanes),
            u64::from(capabilities.max_workgroup_invocations),
        )
    };

    let line_butterflies = (length / radix).max(1);
    let butterflies = problem
        .tuned("butterflies_per_invocation", tuning.butterflies_per_invocation, line_butterflies)?
        .unwrap_or_else(|| {
            line_butterflies.div_ceil(capabilities.max_workgroup_invocations).next_power_of_two()
        });
    let lanes = line_butterflies / butterflies;
    fits_memory(1)?;
    fits_invocations(1, lanes)?;

    // A power of two that divides the lines of an image, so that no workgroup is ragged.
    let most = 1 << lines.count.trailing_zeros();
    let tuned = problem.tuned("lines_per_workgroup", tuning.lines_per_workgroup, most)?;
    if let Some(lines) = tuned {
        fits_memory(lines)?;
        fits_invocations(lines, lanes)?;
        return Ok(Shape { lines, lanes, butterflies });
    }
    let mut wanted = WANTED_INVOCATIONS.div_ceil(lanes);
    if lines.adjacent {
        wanted = wanted.max(WANTED_COLUMN_BYTES / problem.element_bytes());
    }
    wanted = wanted.min(most);
    while wanted > 1 && (fits_memory(wanted).is_err() || fits_invocations(wanted, lanes).is_err()) {
        wanted /= 2;
    }
    Ok(Shape { lines: wanted, lanes, butterflies })
}
