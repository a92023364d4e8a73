//! Register-tiled Stockham: 8, 16 or 32 points of a line in the registers of each invocation, which
//! exchange them through workgroup memory between stages; one dispatch per axis.
//!
//! Govindaraju, Lloyd, Dotsenko, Smith, Manferdelli: High Performance Discrete Fourier Transforms on
//! Graphics Processors (SC 2008), sections 4.1 to 4.3. The parts that do not depend on the stages are in
//! `shaders/fft/register_tiled.wgsl`; the butterflies and their wiring are generated from a
//! [`StagePlan`] (`emit.rs` explains why). `stockham_r8.rs` and its neighbours set the largest radix.

mod both;
mod emit;
mod means;
mod open;
mod stages;

pub use stages::StagePlan;

use crate::configuration::{
    Algorithm, Configuration, Kind, RegisterTiledLine, RegisterTiledParameters, Twiddles, Value,
};
use crate::descriptor::{Axes, Axis, Layout};
use crate::error::Unsupported;
use crate::program::kernel::{self, Ends, KernelParts, Load, Store};
use crate::program::{Dispatch, Kernel, Problem, Program, Role};
use emit::Emission;

/// Declares an algorithm of this kind with a largest radix.
macro_rules! register_tiled {
    ($name:ident, $max_radix:literal) => {
        pub(crate) struct $name;

        impl $crate::algorithms::AlgorithmFile for $name {
            const DESCRIPTION: &'static str = concat!(
                "register-tiled Stockham, up to ",
                $max_radix,
                " points an invocation, one dispatch per axis (Govindaraju 2008)"
            );

            type Parameters = $crate::algorithms::RegisterTiledParameters;

            fn complete(
                problem: &$crate::program::Problem<'_>,
                given: &Self::Parameters,
            ) -> Result<Self::Parameters, $crate::error::Unsupported> {
                $crate::algorithms::register_tiled::complete(problem, given, $max_radix)
            }

            fn program(
                problem: &$crate::program::Problem<'_>,
                parameters: &Self::Parameters,
            ) -> Result<$crate::program::Program, $crate::error::Unsupported> {
                $crate::algorithms::register_tiled::program(problem, parameters)
            }

            fn space(
                problem: &$crate::program::Problem<'_>,
            ) -> Vec<(&'static str, Vec<$crate::algorithms::Value>)> {
                $crate::algorithms::register_tiled::space(problem, $max_radix)
            }
        }
    };
}
pub(super) use register_tiled;

/// The algorithm of `parameters`, named for the larger of their radices.
pub(crate) fn configuration(parameters: RegisterTiledParameters) -> Configuration {
    let radix = |line: RegisterTiledLine| line.radix.unwrap_or(0);
    match radix(parameters.row).max(radix(parameters.column)) {
        0..=8 => Configuration::StockhamR8(parameters),
        9..=16 => Configuration::StockhamR16(parameters),
        _ => Configuration::StockhamR32(parameters),
    }
}

pub(crate) fn parameters(configuration: &Configuration) -> Option<RegisterTiledParameters> {
    match configuration {
        Configuration::StockhamR8(parameters)
        | Configuration::StockhamR16(parameters)
        | Configuration::StockhamR32(parameters) => Some(*parameters),
        _ => None,
    }
}

pub(crate) const FAMILY: [Algorithm; 3] =
    [Algorithm::StockhamR8, Algorithm::StockhamR16, Algorithm::StockhamR32];

pub(super) fn complete(
    problem: &Problem<'_>,
    given: &RegisterTiledParameters,
    max_radix: u32,
) -> Result<RegisterTiledParameters, Unsupported> {
    open::complete(problem, given, max_radix)
}

pub(super) fn program(
    problem: &Problem<'_>,
    parameters: &RegisterTiledParameters,
) -> Result<Program, Unsupported> {
    let descriptor = problem.descriptor;
    let axes = descriptor.axes.list();
    let twiddles = parameters.twiddles.unwrap_or(Twiddles::Computed);
    let shapes: Vec<_> = axes.iter().map(|axis| Shape::of(problem, *axis, parameters)).collect();
    if let ([rows, columns], Some(true)) = (&shapes[..], parameters.one_dispatch) {
        return both::program(problem, [rows, columns], parameters, twiddles);
    }
    let tiles = match &shapes[..] {
        [_, columns] if parameters.tiles == Some(true) => {
            Some(Tiles { rows: parameters.tile_rows.unwrap_or(1), columns: columns.image_lines() })
        }
        _ => None,
    };

    // All buffers between two hooks are intermediate.
    let halves = parameters.half_intermediates == Some(true);
    let moved = halves.then(|| problem.data_bytes() / 2);
    let mut kernels = Vec::new();
    let mut dispatches = Vec::new();
    let mut source = problem.source();
    let mut means = 0;
    for (number, (&axis, shape)) in axes.iter().zip(&shapes).enumerate() {
        let (is_first, is_last) = (number == 0, number + 1 == axes.len());
        // A pass from tiles cannot work in place: the tiles are in scratch memory, or in the output if
        // that is free.
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
        ends.in_halves = halves;
        let in_turn = parameters.layers_in_turn == Some(true) && ends.load == Load::Hook;
        means = if is_last { shape.means(axis, parameters.means) } else { 0 };
        let (kernel, workgroups) =
            shape.kernel(problem, axis, ends, tiles, in_turn, means, twiddles)?;
        dispatches.push(Dispatch {
            kernel: kernels.len(),
            axis,
            roles: kernel::roles(&kernel, source, destination, problem.table_numbers(axis)),
            params: Vec::new(),
            workgroups,
            bytes_read: ends.bytes_read(problem, moved),
            bytes_written: ends.bytes_written(problem, moved),
        });
        kernels.push(kernel);
        source = destination;
    }
    Ok(Program { means, ..Program::new(problem, twiddles, kernels, dispatches) })
}

/// The parameters worth measuring: for each axis the values of an invocation, the lines of a workgroup,
/// and their exchange; then those of both axes, with sources of twiddle factors that pass the gate.
pub(super) fn space(problem: &Problem<'_>, max_radix: u32) -> Vec<(&'static str, Vec<Value>)> {
    let descriptor = problem.descriptor;
    let numbers = |values: &[u32]| values.iter().copied().map(Value::Integer).collect::<Vec<_>>();
    let splits = descriptor.layout == Layout::Pair && !problem.has_hook();
    let floats: &[u32] = if problem.element_bytes() == 16 { &[1, 2, 4] } else { &[1, 2] };
    let mut space = Vec::new();
    for &axis in descriptor.axes.list() {
        // Several largest radices may lead to the same stages.
        let length = problem.length(axis);
        let mut radices = vec![8, 16, 32];
        radices.retain(|radix| *radix <= max_radix);
        if length.is_power_of_two() && length > 1 {
            radices.dedup_by_key(|radix| StagePlan::new(length, *radix, 1).radices);
        }
        let [radix, split, lines, exchange, padding] = match axis {
            Axis::Row => ["row-radix", "row-split", "row-lines", "row-exchange", "row-padding"],
            Axis::Column | Axis::Depth => [
                "column-radix",
                "column-split",
                "column-lines",
                "column-exchange",
                "column-padding",
            ],
        };
        space.push((radix, numbers(&radices)));
        if splits {
            space.push((split, Kind::Flag.values()));
        }
        let line_counts: &[u32] = match axis {
            Axis::Row => &[1, 2, 4],
            Axis::Column | Axis::Depth => &[2, 4, 8, 16, 32],
        };
        space.push((lines, numbers(line_counts)));
        space.push((exchange, numbers(floats)));
        space.push((padding, numbers(&[0, 8, 16])));
    }
    if descriptor.axes == Axes::Both {
        space.push(("tiles", Kind::Flag.values()));
    }
    // `half-intermediates` is left out: candidates must be equally accurate. So is `means-in-subgroups`, since
    // nothing checks the means of candidates.
    if descriptor.load.as_ref().is_some_and(|load| load.layers_per_prepare().is_some()) {
        space.push(("layers-in-turn", Kind::Flag.values()));
    }
    let twiddles = [Twiddles::Computed, Twiddles::Powers, Twiddles::Table];
    let twiddles = twiddles.map(|twiddles| Value::Choice(crate::choice::Choice::name(twiddles)));
    space.push(("twiddles", twiddles.to_vec()));
    space
}

/// The rows and columns of the tiles of an image between the passes (`tiles.wgsl`).
#[derive(Clone, Copy)]
struct Tiles {
    rows: u32,
    columns: u32,
}

struct Shape {
    stages: StagePlan,
    /// The lines of one workgroup; each half of a pair of images counts where pairs are split.
    lines: u32,
    split: bool,
    element_floats: u32,
    exchange_floats: u32,
    padding: u32,
    has_main: bool,
    means_in_subgroups: bool,
}

impl Shape {
    fn of(problem: &Problem<'_>, axis: Axis, parameters: &RegisterTiledParameters) -> Self {
        let line = parameters.line(axis);
        let split = line.split_pairs == Some(true);
        let parts = if split { 2 } else { 1 };
        let radix = line.radix.unwrap_or(8);
        let butterflies = line.butterflies_per_invocation.unwrap_or(1);
        Self {
            stages: StagePlan::new(problem.length(axis), radix, butterflies),
            lines: line.lines_per_workgroup.unwrap_or(1) * parts,
            split,
            element_floats: problem.element_bytes() / 4 / parts,
            exchange_floats: line.exchange_floats.unwrap_or(1),
            padding: line.padding.unwrap_or(0),
            has_main: parameters.one_dispatch != Some(true),
            means_in_subgroups: parameters.means_in_subgroups == Some(true),
        }
    }

    /// The lines of an image that a workgroup has.
    fn image_lines(&self) -> u32 {
        if self.split { self.lines / 2 } else { self.lines }
    }

    /// The levels of means that the kernel of `axis` hands to the store hook, of the `wanted` ones: none where
    /// lines are not adjacent columns, or no line crosses workgroup memory.
    fn means(&self, axis: Axis, wanted: Option<u32>) -> u32 {
        match axis {
            Axis::Column if self.stages.lanes() > 1 => {
                means::levels(wanted.unwrap_or(0), self.lines, self.stages.length)
            }
            _ => 0,
        }
    }

    #[expect(clippy::too_many_arguments)]
    fn kernel(
        &self,
        problem: &Problem<'_>,
        axis: Axis,
        ends: Ends,
        tiles: Option<Tiles>,
        in_turn: bool,
        means: u32,
        twiddles: Twiddles,
    ) -> Result<(Kernel, [u32; 3]), Unsupported> {
        let descriptor = problem.descriptor;
        let parts = if self.split { 2 } else { 1 };
        let prepared = descriptor.load.as_ref().and_then(|hook| hook.layers_per_prepare());
        let layers_in_turn = prepared.filter(|_| in_turn);
        let (lines, lanes) = (self.lines, self.stages.lanes());
        let (images_abreast, lanes_abreast, lines_abreast) = match (axis, tiles) {
            (Axis::Row, Some(tiles)) if ends.store == Store::Tiles => {
                (parts, tiles.columns.min(lanes), lines)
            }
            (Axis::Row, _) => (parts, lanes, parts),
            (Axis::Column | Axis::Depth, _) => (1, 1, lines),
        };
        let mut constants = vec![
            ("LINES", lines),
            ("LANES", lanes),
            ("LANES_ABREAST", lanes_abreast),
            ("IMAGES_ABREAST", images_abreast),
        ];
        if lanes > 1 {
            constants.extend([
                ("PADDING", self.padding),
                ("LINE_SLOTS", open::line_slots(self.stages.length, self.padding)),
                ("LINES_ABREAST", lines_abreast),
            ]);
        }
        if means > 0 && !self.means_in_subgroups {
            constants.push(("BLOCK_SIDE", means::block_side(means)));
        }
        if let Some(Tiles { rows, columns }) = tiles {
            constants.extend([("TILE_ROWS", rows), ("TILE_COLUMNS", columns * parts)]);
        }
        let bytes =
            open::workgroup_bytes(&self.stages, self.lines, self.exchange_floats, self.padding);
        let body = Emission {
            stages: &self.stages,
            direction: descriptor.direction,
            element_floats: self.element_floats,
            exchange_floats: self.exchange_floats,
            twiddles,
            layers_in_turn,
            means,
            means_in_subgroups: self.means_in_subgroups,
            waits: ends.load == Load::Passed,
            has_main: self.has_main,
        };
        let kernel = KernelParts {
            body: &body.module(),
            split: self.split,
            is_in_bounds: true,
            workgroup_bytes: bytes as u32,
            constants: &constants,
            ..KernelParts::new(problem, axis, ends, twiddles, lines * lanes)
        }
        .compose(problem);
        let workgroups_in_layer = problem.image_lines(axis) * parts / self.lines;
        let mut workgroups = problem.workgroups(workgroups_in_layer)?;
        workgroups[1] /= layers_in_turn.unwrap_or(1);
        Ok((kernel, workgroups))
    }
}
