//! The default parameters of a register-tiled transform, and their reduction to the limits of a device.
//! Measurements of single cards are in the planner's table.

use super::means::MOST_LEVELS;
use super::stages::StagePlan;
use super::{Shape, both};
use crate::algorithms::Twiddles;
use crate::configuration::register_tiled::MOST_BUTTERFLIES;
use crate::configuration::{RegisterTiledLine, RegisterTiledParameters};
use crate::descriptor::{Axes, Axis, Descriptor, Layout, Precision};
use crate::error::Unsupported;
use crate::gpu::Limit;
use crate::hook::StoreHook;
use crate::program::Problem;

/// The least invocations of a workgroup, where there are enough lines: a whole warp or wavefront on
/// every GPU.
const WANTED_INVOCATIONS: u32 = 64;

const WANTED_COLUMN_BYTES: u32 = 64;

/// The rows of a tile. A column pass reads that many sectors, or pairs of them, at a time: on an H200 16
/// to 256 rows take equal time, and 4096 x 4096 points take 0.86 of the time that they take where a tile
/// is a workgroup's two rows.
const WANTED_TILE_ROWS: u32 = 64;

/// The length from which preparing heights once costs less than the registers for it.
const LONG_ENOUGH_FOR_TURNS: u32 = 512;

/// Checks `given`, and chooses its open parameters for `problem`.
pub(super) fn complete(
    problem: &Problem<'_>,
    given: &RegisterTiledParameters,
    max_radix: u32,
) -> Result<RegisterTiledParameters, Unsupported> {
    problem.check_powers_of_two(2)?;
    let descriptor = problem.descriptor;
    let axes = descriptor.axes.list();
    let prepares = descriptor.load.as_ref().is_some_and(|hook| hook.layers_per_prepare().is_some());
    let long = problem.length(axes[0]) >= LONG_ENOUGH_FOR_TURNS;
    // Tiles need two passes, and no memory where a store hook leaves the output to them.
    let default_tiles = descriptor.store.is_some() && given.one_dispatch != Some(true);
    let tiles = descriptor.axes == Axes::Both && given.tiles.unwrap_or(default_tiles);
    let mut complete = RegisterTiledParameters {
        twiddles: Some(problem.twiddles(given.twiddles, Twiddles::Computed)?),
        tiles: Some(tiles),
        tile_rows: Some(1),
        half_intermediates: Some(false),
        layers_in_turn: Some(prepares && given.layers_in_turn.unwrap_or(long)),
        one_dispatch: Some(given.one_dispatch == Some(true)),
        means: Some(levels_of_means(problem, given.means)),
        means_in_subgroups: Some(false),
        ..*given
    };
    let mut given_lines = *given;
    if complete.one_dispatch == Some(true) {
        let shared = both::check(problem, given)?;
        for line in [&mut given_lines.row, &mut given_lines.column] {
            *line = line.or(&shared);
        }
    }
    // Columns have more reasons for their shape.
    for &axis in axes.iter().rev() {
        if axis == Axis::Row && complete.one_dispatch == Some(true) {
            given_lines.row = given_lines.row.or(&both::shared(&complete.column));
        }
        let given = given_lines.line(axis);
        let wanted = Line::wanted(problem, axis, given, max_radix, tiles)?;
        *complete.line_mut(axis) = wanted.within_limits(problem, given)?.parameters();
    }
    if complete.one_dispatch == Some(true) {
        both::check_complete(problem, &complete)?;
    }
    if tiles {
        let height = problem.length(Axis::Column);
        let rows = problem
            .number("tile-rows", given.tile_rows, height, || WANTED_TILE_ROWS.min(height))?;
        complete.tile_rows = Some(rows);
    }
    complete.means_in_subgroups =
        Some(given.means_in_subgroups == Some(true) && takes_subgroups(problem, &complete));
    if tiles || complete.one_dispatch == Some(true) {
        complete.half_intermediates =
            Some(takes_halves(descriptor) && given.half_intermediates == Some(true));
    }
    Ok(complete)
}

/// The levels of means for the store hook, at most as many as it takes.
fn levels_of_means(problem: &Problem<'_>, given: Option<u32>) -> u32 {
    let taken = problem.descriptor.store.as_ref().map_or(0, StoreHook::means);
    given.unwrap_or(MOST_LEVELS).min(taken)
}

/// Returns whether each square of means lies within a subgroup.
fn takes_subgroups(problem: &Problem<'_>, complete: &RegisterTiledParameters) -> bool {
    if problem.descriptor.axes != Axes::Both {
        return false;
    }
    let columns = Shape::of(problem, Axis::Column, complete);
    let levels = columns.means(Axis::Column, complete.means);
    levels > 0
        && columns.stages.lanes() >> levels > 0
        && columns.lines << levels <= problem.capabilities.min_subgroup_size
}

/// Returns whether intermediate values may be 16-bit floats: the store hook must allow it, and with
/// another hook at the other end no kernel mixes both formats.
fn takes_halves(descriptor: &Descriptor) -> bool {
    descriptor.load.is_some()
        && descriptor.store.as_ref().is_some_and(StoreHook::keeps_halves)
        && descriptor.precision == Precision::F32
        && descriptor.axes == Axes::Both
}

/// The distribution of one axis over workgroups, with all parameters chosen.
#[derive(Clone)]
struct Line {
    axis: Axis,
    stages: StagePlan,
    max_radix: u32,
    butterflies: u32,
    lines: u32,
    split: bool,
    exchange_floats: u32,
    padding: u32,
}

impl Line {
    /// The checked parameters, with the best values of the others on a device without limits.
    fn wanted(
        problem: &Problem<'_>,
        axis: Axis,
        given: &RegisterTiledLine,
        max_radix: u32,
        tiles: bool,
    ) -> Result<Self, Unsupported> {
        let name = |row: &'static str, column: &'static str| match axis {
            Axis::Row => row,
            Axis::Column | Axis::Depth => column,
        };
        let length = problem.length(axis);
        let short = match axis {
            Axis::Row => length <= 512,
            Axis::Column | Axis::Depth => length <= 256,
        };
        // Hooks handle both images of a pair at once, and only an invocation that holds a whole pair can
        // exchange it at once.
        let split = problem.descriptor.layout == Layout::Pair
            && !problem.has_hook()
            && given.split_pairs.unwrap_or(short && given.exchange_floats != Some(4));
        let parts = if split { 2 } else { 1 };
        let element_floats = problem.element_bytes() / 4 / parts;
        let exchange_name = name("row-exchange", "column-exchange");
        let exchange_floats =
            problem.number(exchange_name, given.exchange_floats, element_floats, || {
                match (axis, length) {
                    (_, ..=256) => element_floats.min(2),
                    (Axis::Column, 512) if problem.has_hook() => 1,
                    (_, 512) if !split => 2,
                    (Axis::Row, _) if problem.has_hook() => 2,
                    _ => 1,
                }
            })?;
        let radix_name = name("row-radix", "column-radix");
        let max_radix = problem.number(radix_name, given.radix, max_radix, || max_radix)?;
        let butterflies_name = name("row-butterflies", "column-butterflies");
        let butterflies = problem.number(
            butterflies_name,
            given.butterflies_per_invocation,
            MOST_BUTTERFLIES,
            || 1,
        )?;
        let stages = StagePlan::new(length, max_radix, butterflies);
        // A power of two that divides the lines of an image, so that all workgroups are full.
        let most = 1 << problem.image_lines(axis).trailing_zeros();
        let lines_name = name("row-lines", "column-lines");
        let lines = problem.number(lines_name, given.lines_per_workgroup, most, || {
            let wanted = match axis {
                Axis::Row if tiles => 2,
                Axis::Row => 1,
                Axis::Column | Axis::Depth => WANTED_COLUMN_BYTES / problem.element_bytes(),
            };
            WANTED_INVOCATIONS.div_ceil(stages.lanes() * parts).max(wanted).min(most)
        })?;
        Ok(Self {
            axis,
            max_radix,
            butterflies,
            lines,
            split,
            exchange_floats,
            // The points that an invocation writes in the first exchange are neighbours: with a
            // slot left empty after each such row, invocations start in different banks.
            padding: given.padding.unwrap_or(stages.radices[0].max(8)),
            stages,
        })
    }

    /// Reduces open parameters to the limits: fewer floats exchanged at a time first, then fewer lines,
    /// then no padding.
    fn within_limits(
        self,
        problem: &Problem<'_>,
        given: &RegisterTiledLine,
    ) -> Result<Self, Unsupported> {
        let wanted_floats = self.exchange_floats;
        let mut line = self;
        while !line.needs().iter().all(|(limit, needed)| problem.fits(*limit, *needed)) {
            if given.exchange_floats.is_none() && line.exchange_floats > 1 {
                line.exchange_floats /= 2;
            } else if given.lines_per_workgroup.is_none() && line.lines > 1 {
                line.lines /= 2;
                line.exchange_floats = wanted_floats;
            } else if given.padding.is_none() && line.padding > 0 {
                line.padding = 0;
            } else {
                break;
            }
        }
        let what = || {
            let Self { axis, stages, .. } = &line;
            format!("a workgroup with {} {axis}(s) of {} points", line.lines, stages.length)
        };
        for (limit, needed) in line.needs() {
            problem.within(what, limit, needed)?;
        }
        Ok(line)
    }

    fn needs(&self) -> [(Limit, u64); 2] {
        let parts = if self.split { 2 } else { 1 };
        let bytes =
            workgroup_bytes(&self.stages, self.lines * parts, self.exchange_floats, self.padding);
        let invocations = u64::from(self.lines * parts) * u64::from(self.stages.lanes());
        [(Limit::WorkgroupStorage, bytes), (Limit::WorkgroupInvocations, invocations)]
    }

    fn parameters(&self) -> RegisterTiledLine {
        RegisterTiledLine {
            radix: Some(self.max_radix),
            lines_per_workgroup: Some(self.lines),
            butterflies_per_invocation: Some(self.butterflies),
            exchange_floats: Some(self.exchange_floats),
            padding: Some(self.padding),
            split_pairs: Some(self.split),
        }
    }
}

/// The bytes for the exchange of `lines` lines; each half of a pair of images counts as a line where
/// pairs are split.
pub(super) fn workgroup_bytes(
    stages: &StagePlan,
    lines: u32,
    exchange_floats: u32,
    padding: u32,
) -> u64 {
    if stages.lanes() == 1 {
        return 0;
    }
    let slots = u64::from(lines) * u64::from(line_slots(stages.length, padding));
    slots * u64::from(exchange_floats) * 4
}

pub(super) fn line_slots(length: u32, padding: u32) -> u32 {
    length + length.checked_div(padding).unwrap_or(0)
}
