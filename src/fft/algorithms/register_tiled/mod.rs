//! Register-tiled Stockham: 8 or 16 points of a line in the registers of each invocation, which
//! exchange them through workgroup memory between stages; one dispatch per axis.
//!
//! Govindaraju, Lloyd, Dotsenko, Smith, Manferdelli: High Performance Discrete Fourier Transforms
//! on Graphics Processors (SC 2008), sections 4.1 to 4.3. The kernels are generated from a
//! [`StagePlan`] (`emit.rs` says why).

mod emit;
mod stages;

pub use stages::StagePlan;

use emit::{Emission, line_slots};

use crate::fft::descriptor::{Axes, Axis, Descriptor, Layout, Normalization};
use crate::fft::error::Unsupported;
use crate::fft::program::Problem;
use crate::fft::program::kernel::{self, Ends, KernelParts, Load, Store};
use crate::fft::program::{Dispatch, Kernel, Program, Role};

pub(super) const DESCRIPTION_R8: &str =
    "register-tiled Stockham, 8 points an invocation, one dispatch per axis (Govindaraju 2008)";
pub(super) const DESCRIPTION_R16: &str =
    "register-tiled Stockham, 16 points an invocation, one dispatch per axis (Govindaraju 2008)";

/// The largest radix of a stage that can be asked for: 32 values are as many registers as there are
/// to be had.
const LARGEST_RADIX: u32 = 32;

/// Invocations that a workgroup should have at least, where there are lines enough.
const WANTED_INVOCATIONS: u32 = 64;

/// Bytes of adjacent columns that a workgroup should touch: two or more sectors of a cache line.
const WANTED_COLUMN_BYTES: u32 = 64;

/// How one axis is spread over workgroups.
struct Shape {
    stages: StagePlan,
    /// Lines of one workgroup; each half of a pair of images counts where pairs are split.
    lines: u32,
    split: bool,
    element_floats: u32,
    exchange_floats: u32,
    padding: u32,
}

pub(super) fn program(problem: &Problem<'_>, max_radix: u32) -> Result<Program, Unsupported> {
    problem.check_powers_of_two(2)?;
    let descriptor = problem.descriptor;
    let axes = descriptor.axes.list();
    let mut shapes = Vec::new();
    for &axis in axes {
        shapes.push(Shape::new(problem, axis, max_radix)?);
    }
    let tiles = match &shapes[..] {
        [rows, columns] if uses_tiles(descriptor) => Some(Tiles::between(rows, columns)),
        _ => None,
    };

    let mut kernels = Vec::new();
    let mut dispatches = Vec::new();
    let mut source = problem.source();
    for (number, (&axis, shape)) in axes.iter().zip(&shapes).enumerate() {
        let (is_first, is_last) = (number == 0, number + 1 == axes.len());
        // A pass from tiles writes elsewhere than it reads: the tiles are in scratch memory, unless
        // nothing else is in the output.
        let destination = match (is_last, descriptor.store.is_some()) {
            (false, false) if tiles.is_some() => Role::Scratch,
            _ => Role::Output,
        };
        let mut ends = Ends::buffers(source, destination);
        if is_first && descriptor.load.is_some() {
            ends.load = Load::Hook;
        }
        if is_last && descriptor.store.is_some() {
            ends.store = Store::Hook;
            if ends.load == Load::Destination {
                ends.load = Load::Source;
            }
        }
        if tiles.is_some() && is_first {
            ends.store = Store::Tiles;
        }
        if tiles.is_some() && is_last {
            ends.load = Load::Tiles;
        }
        let (kernel, workgroups) = shape.kernel(problem, axis, ends, tiles)?;
        dispatches.push(Dispatch {
            kernel: kernels.len(),
            axis,
            roles: kernel::roles(&kernel, source, destination),
            params: Vec::new(),
            workgroups,
            bytes_read: ends.bytes_read(problem),
            bytes_written: ends.bytes_written(problem),
        });
        kernels.push(kernel);
        source = destination;
    }
    Ok(Program::new(problem, kernels, dispatches))
}

/// Whether the image lies in tiles between the passes. Where nothing is asked for it does if that
/// takes no memory: a store hook leaves the output to it.
fn uses_tiles(descriptor: &Descriptor) -> bool {
    descriptor.axes == Axes::Both && descriptor.tuning.tiles.unwrap_or(descriptor.store.is_some())
}

/// Rows and columns of the tiles in which an image lies between the passes (`tiles.wgsl`).
#[derive(Clone, Copy)]
struct Tiles {
    rows: u32,
    columns: u32,
}

impl Tiles {
    fn between(rows: &Shape, columns: &Shape) -> Self {
        let lines = |shape: &Shape| if shape.split { shape.lines / 2 } else { shape.lines };
        Self { rows: lines(rows), columns: lines(columns) }
    }
}

impl Shape {
    /// The kernel, and its workgroups.
    fn kernel(
        &self,
        problem: &Problem<'_>,
        axis: Axis,
        ends: Ends,
        tiles: Option<Tiles>,
    ) -> Result<(Kernel, [u32; 3]), Unsupported> {
        let descriptor = problem.descriptor;
        let parts = if self.split { 2 } else { 1 };
        let prepared = descriptor.load.as_ref().filter(|_| ends.load == Load::Hook);
        let prepared = prepared.and_then(|hook| hook.layers_per_prepare);
        // Short lines are too little work for too few workgroups already.
        let in_turn = descriptor.tuning.layers_in_turn.unwrap_or(self.stages.length >= 512);
        let layers_in_turn = prepared.filter(|_| in_turn);
        // Rows that are stored in tiles are loaded, kept and stored tile by tile.
        let tile_columns =
            tiles.filter(|_| axis == Axis::Row).map(|tiles| tiles.columns.min(self.stages.lanes()));
        let body = Emission {
            stages: &self.stages,
            direction: descriptor.direction,
            axis,
            split: self.split,
            element_floats: self.element_floats,
            exchange_floats: self.exchange_floats,
            padding: self.padding,
            twiddles: problem.twiddles(),
            tile_columns,
            layers_in_turn,
            scales: descriptor.normalization != Normalization::None,
        }
        .module();
        let mut constants = vec![("LINES", self.lines), ("LANES", self.stages.lanes())];
        if let Some(Tiles { rows, columns }) = tiles {
            constants.extend([("TILE_ROWS", rows), ("TILE_COLUMNS", columns * parts)]);
        }
        let kernel = KernelParts {
            body: &format!("#import \"fft/common.wgsl\"\n{body}"),
            axis,
            ends,
            scales: true,
            transposes: false,
            has_params: false,
            split: self.split,
            trusted: true,
            workgroup_size: self.lines * self.stages.lanes(),
            workgroup_bytes: self.workgroup_bytes() as u32,
            constants: &constants,
        }
        .compose(problem);
        let mut workgroups = problem.workgroups(self.tiles(problem, axis))?;
        workgroups[1] /= layers_in_turn.unwrap_or(1);
        Ok((kernel, workgroups))
    }

    fn new(problem: &Problem<'_>, axis: Axis, max_radix: u32) -> Result<Self, Unsupported> {
        let tuning = problem.descriptor.tuning.line(axis);
        let length = problem.length(axis);
        // Where nothing is asked for: what an H200 did best at of what was tried there, in layout
        // `Pair` with 32-bit floats and computed twiddles. Other cases were not compared.
        let descriptor = problem.descriptor;
        // Hooks give and take both images of a pair at once.
        let has_hook = descriptor.load.is_some() || descriptor.store.is_some();
        let short = match axis {
            Axis::Row => length <= 512,
            Axis::Column => length <= 256,
        };
        // A whole pair can only be exchanged at once by an invocation that holds one.
        let split = descriptor.layout == Layout::Pair
            && !has_hook
            && tuning.split_pairs.unwrap_or(short && tuning.exchange_floats != Some(4));
        let parts = if split { 2 } else { 1 };
        let element_floats = problem.element_bytes() / 4 / parts;
        let butterflies = problem
            .tuned("butterflies_per_invocation", tuning.butterflies_per_invocation, 4)?
            .unwrap_or(1);
        let tuned_exchange =
            problem.tuned("exchange_floats", tuning.exchange_floats, element_floats)?;
        // A power of two that divides the lines of an image, so that no workgroup is ragged.
        let most = 1 << problem.image_lines(axis).trailing_zeros();
        let tuned_lines = problem.tuned("lines_per_workgroup", tuning.lines_per_workgroup, most)?;
        let first_exchange = tuned_exchange.unwrap_or(match (axis, length) {
            (_, ..=256) => element_floats.min(2),
            (Axis::Column, 512) if has_hook => 1,
            (_, 512) if !split => 2,
            (Axis::Row, _) if has_hook => 2,
            _ => 1,
        });
        let max_radix =
            problem.tuned("radix", tuning.radix, LARGEST_RADIX)?.unwrap_or(max_radix).max(2);
        let stages = StagePlan::new(length, max_radix, butterflies);
        let mut shape = Self {
            // The points that an invocation writes in the first exchange are neighbours: with a
            // slot left empty after each such row, invocations start in different banks.
            padding: tuning.padding.unwrap_or(stages.radices[0].max(8)),
            stages,
            lines: 1,
            split,
            element_floats,
            exchange_floats: first_exchange,
        };
        let lines = tuned_lines.unwrap_or_else(|| {
            let wanted = match axis {
                Axis::Row if uses_tiles(descriptor) => 2,
                Axis::Row => 1,
                Axis::Column => WANTED_COLUMN_BYTES / problem.element_bytes(),
            };
            WANTED_INVOCATIONS.div_ceil(shape.stages.lanes() * parts).max(wanted).min(most)
        });
        shape.lines = lines * parts;

        // What is not asked for gives way to the limits: fewer floats exchanged at a time first,
        // then fewer lines.
        loop {
            match shape.fits(problem, axis) {
                Ok(()) => return Ok(shape),
                Err(_) if tuned_exchange.is_none() && shape.exchange_floats > 1 => {
                    shape.exchange_floats /= 2;
                }
                Err(_) if tuned_lines.is_none() && shape.lines > parts => {
                    shape.lines /= 2;
                    shape.exchange_floats = first_exchange;
                }
                Err(_) if tuning.padding.is_none() && shape.padding > 0 => shape.padding = 0,
                Err(error) => return Err(error),
            }
        }
    }

    /// Workgroups that a layer takes.
    fn tiles(&self, problem: &Problem<'_>, axis: Axis) -> u32 {
        let parts = if self.split { 2 } else { 1 };
        problem.image_lines(axis) * parts / self.lines
    }

    fn workgroup_bytes(&self) -> u64 {
        if self.stages.lanes() == 1 {
            return 0;
        }
        let slots = u64::from(self.lines) * u64::from(line_slots(self.stages.length, self.padding));
        slots * u64::from(self.exchange_floats) * 4
    }

    fn fits(&self, problem: &Problem<'_>, axis: Axis) -> Result<(), Unsupported> {
        let what = || {
            format!("a workgroup with {} {axis}(s) of {} points", self.lines, self.stages.length)
        };
        let capabilities = problem.capabilities;
        problem.within(
            what,
            ("maxComputeWorkgroupStorageSize", "bytes"),
            self.workgroup_bytes(),
            u64::from(capabilities.max_workgroup_storage_bytes),
        )?;
        problem.within(
            what,
            ("maxComputeInvocationsPerWorkgroup", "invocations"),
            u64::from(self.lines * self.stages.lanes()),
            u64::from(capabilities.max_workgroup_invocations),
        )
    }
}
