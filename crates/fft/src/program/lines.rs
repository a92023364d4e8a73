//! Algorithms that transform whole lines in workgroup memory, one dispatch per axis. They differ in
//! their kernels only; this module chooses the lines, invocations and butterflies of a workgroup.

use crate::configuration::{LineParameters, LineShape, PingPong, Twiddles};
use crate::descriptor::Axis;
use crate::error::Unsupported;
use crate::gpu::Limit;
use crate::program::kernel::KernelParts;
use crate::program::passes::{self, Extra, Pass};
use crate::program::{Problem, Program};

pub(crate) struct LineAlgorithm {
    pub file: &'static str,
    /// The points of one butterfly; a line may have fewer.
    pub radix: u32,
    /// The number of writes of the points between two stages.
    pub steps: u32,
    /// Whether stages can exchange their results in storage, and in images.
    pub in_storage: bool,
}

/// The least invocations of a workgroup, where there are enough lines: a whole warp or wavefront on
/// every GPU.
const WANTED_INVOCATIONS: u32 = 64;

/// The bytes of adjacent columns that a workgroup should touch at least: a cache line, so that memory
/// transactions are fully used.
const WANTED_COLUMN_BYTES: u32 = 64;

pub(crate) struct Lines {
    /// The axis that they, or the lines that they are parts of, lie along.
    pub axis: Axis,
    pub name: String,
    pub length: u32,
    pub count: u32,
    /// Whether points of neighbouring lines, and not of the same line, are adjacent in memory.
    pub adjacent: bool,
    /// The memory for results between stages.
    pub memory: PingPong,
}

/// The distribution of lines over workgroups.
pub(crate) struct Shape {
    pub lines: u32,
    /// The invocations for each line.
    pub lanes: u32,
    /// The butterflies of each invocation.
    pub butterflies: u32,
}

impl LineAlgorithm {
    pub fn complete(
        &self,
        problem: &Problem<'_>,
        given: &LineParameters,
    ) -> Result<LineParameters, Unsupported> {
        match self.radix {
            3 => problem.check_powers_of_three()?,
            _ => problem.check_powers_of_two(2)?,
        }
        let twiddles = problem.twiddles(given.twiddles, Twiddles::Table)?;
        let ping_pong = given.ping_pong.unwrap_or(PingPong::Workgroup);
        if ping_pong != PingPong::Workgroup && !self.in_storage {
            let expected = "workgroup: its stages work in place";
            return Err(problem.refuse("ping-pong", ping_pong, expected));
        }
        if ping_pong == PingPong::Image {
            problem.check_images(true)?;
        }
        let mut complete =
            LineParameters { twiddles: Some(twiddles), ping_pong: Some(ping_pong), ..*given };
        for &axis in problem.descriptor.axes.list() {
            let lines = Lines { memory: ping_pong, ..lines(problem, axis) };
            let shape = shape(problem, &lines, given.line(axis), self.radix)?;
            *complete.line_mut(axis) = LineShape {
                lines_per_workgroup: Some(shape.lines),
                butterflies_per_invocation: Some(shape.butterflies),
            };
        }
        Ok(complete)
    }

    pub fn program(
        &self,
        problem: &Problem<'_>,
        parameters: &LineParameters,
    ) -> Result<Program, Unsupported> {
        let axes = problem.descriptor.axes.list().iter();
        let twiddles = twiddles(parameters);
        let memory = parameters.ping_pong.unwrap_or(PingPong::Workgroup);
        let lines = |axis| Lines { memory, ..lines(problem, axis) };
        let passes = axes
            .map(|axis| self.pass(problem, lines(*axis), twiddles, parameters.line(*axis)))
            .collect::<Result<_, _>>()?;
        passes::program(problem, twiddles, passes)
    }

    pub fn pass<'a>(
        &self,
        problem: &'a Problem<'a>,
        lines: Lines,
        twiddles: Twiddles,
        parameters: &LineShape,
    ) -> Result<Pass<'a>, Unsupported> {
        let axis = if lines.adjacent { Axis::Column } else { Axis::Row };
        let shape = shape(problem, &lines, parameters, self.radix)?;
        let file = self.file;
        let memory = lines.memory;
        let mut extra = Extra::default();
        if memory != PingPong::Workgroup {
            let bytes = match memory {
                PingPong::Image => problem.image().bytes(),
                _ => {
                    extra.works_in = self.check_storage(problem, &lines)?;
                    extra.works_in
                }
            };
            // Storage between stages adds memory traffic.
            let between = lines.length.ilog2().div_ceil(self.radix.ilog2()).saturating_sub(1);
            let moved = problem.data_bytes() + u64::from(between * self.steps) * bytes;
            extra.moved = [Some(moved); 2];
        }
        Ok(Pass {
            // A workgroup reads its lines completely before it writes them.
            may_be_in_place: true,
            extra,
            ..Pass::new(
                lines.axis,
                problem.workgroups(lines.count.div_ceil(shape.lines))?,
                move |ends| {
                    KernelParts {
                        body: &format!(
                            "#import \"fft/line_in_{memory}.wgsl\"\n#import \"{file}\"\n"
                        ),
                        ping_pong: memory,
                        workgroup_bytes: shape.lines * lines.length * lines.point_bytes(problem),
                        constants: &[
                            ("LINES", shape.lines),
                            ("LANES", shape.lanes),
                            ("BUTTERFLIES", shape.butterflies),
                        ],
                        ..KernelParts::new(problem, axis, ends, twiddles, shape.lines * shape.lanes)
                    }
                    .compose(problem)
                },
            )
        })
    }
}

impl LineAlgorithm {
    fn check_storage(&self, problem: &Problem<'_>, lines: &Lines) -> Result<u64, Unsupported> {
        let points = u64::from(lines.count) * u64::from(lines.length);
        let layers = u64::from(problem.layers());
        let needed = points * layers * u64::from(problem.element_bytes());
        let what = || format!("an array between the stages of {} {}", lines.count, lines.name);
        problem.within_index(what, needed)?;
        problem.within_buffer(what, needed)?;
        Ok(needed)
    }
}

pub(crate) fn twiddles(parameters: &LineParameters) -> Twiddles {
    parameters.twiddles.unwrap_or(Twiddles::Table)
}

pub(crate) fn lines(problem: &Problem<'_>, axis: Axis) -> Lines {
    Lines {
        axis,
        name: format!("{axis}(s)"),
        length: problem.length(axis),
        count: problem.image_lines(axis),
        adjacent: axis == Axis::Column,
        memory: PingPong::Workgroup,
    }
}

impl Lines {
    /// The bytes of workgroup memory for each point.
    fn point_bytes(&self, problem: &Problem<'_>) -> u32 {
        match self.memory {
            PingPong::Workgroup => problem.element_bytes(),
            PingPong::Storage | PingPong::Image => 0,
        }
    }
}

/// Distributes `lines` over workgroups for butterflies of `radix` points.
pub(crate) fn shape(
    problem: &Problem<'_>,
    lines: &Lines,
    given: &LineShape,
    radix: u32,
) -> Result<Shape, Unsupported> {
    let capabilities = problem.capabilities;
    let Lines { axis, name, length, .. } = lines;
    let length = *length;
    let point_bytes = lines.point_bytes(problem);
    let bytes = |count: u32| u64::from(count) * u64::from(length) * u64::from(point_bytes);
    let invocations = |count: u32, lanes: u32| u64::from(count) * u64::from(lanes);
    let fits = |count: u32, lanes: u32| {
        problem.fits(Limit::WorkgroupStorage, bytes(count))
            && problem.fits(Limit::WorkgroupInvocations, invocations(count, lanes))
    };
    let check = |count: u32, lanes: u32| {
        let what = || format!("a workgroup with {count} {name} of {length} points");
        problem.within(what, Limit::WorkgroupStorage, bytes(count))?;
        problem.within(what, Limit::WorkgroupInvocations, invocations(count, lanes))
    };
    let [lines_name, butterflies_name] = match axis {
        Axis::Row => ["row-lines", "row-butterflies"],
        Axis::Column | Axis::Depth => ["column-lines", "column-butterflies"],
    };

    let line_butterflies = (length / radix).max(1);
    let butterflies = problem.number(
        butterflies_name,
        given.butterflies_per_invocation,
        line_butterflies,
        || {
            line_butterflies
                .div_ceil(capabilities.max_workgroup_invocations.max(1))
                .next_power_of_two()
        },
    )?;
    // The last invocations of a line of a power of three have less to do.
    let lanes = line_butterflies.div_ceil(butterflies);
    check(1, lanes)?;

    // A power of two that divides the lines of an image, so that all workgroups are full. Images of powers of
    // three have no other than 1, and their last workgroup is not full.
    let most = match radix.is_power_of_two() {
        true => 1 << lines.count.trailing_zeros(),
        false => lines.count.next_power_of_two(),
    };
    let lines = problem.number(lines_name, given.lines_per_workgroup, most, || {
        let mut wanted = WANTED_INVOCATIONS.div_ceil(lanes).next_power_of_two();
        if lines.adjacent {
            wanted = wanted.max(WANTED_COLUMN_BYTES / problem.element_bytes());
        }
        wanted = wanted.min(most);
        while wanted > 1 && !fits(wanted, lanes) {
            wanted /= 2;
        }
        wanted
    })?;
    check(lines, lanes)?;
    Ok(Shape { lines, lanes, butterflies })
}
