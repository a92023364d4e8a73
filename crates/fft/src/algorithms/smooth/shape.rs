//! The distribution of the parts of one pass over workgroups, and the reduction of open parameters to
//! the limits of a device.

use super::part::Part;
use super::plan::LinePlan;
use super::room::{LEAST_BYTES, RADIX, VALUES};
use super::slots::Slots;
use super::stage::Stage;
use crate::configuration::SmoothLine;
use crate::configuration::smooth::MOST_LINES;
use crate::descriptor::{Axis, Direction, Kind};
use crate::error::Unsupported;
use crate::gpu::Limit;
use crate::program::Problem;

/// The least invocations of a workgroup, where there are enough lines: a whole warp or wavefront on
/// every GPU.
const WANTED_INVOCATIONS: u32 = 64;

/// The invocations beyond which a workgroup takes no more lines than memory transactions need: a few
/// large workgroups wait for each other more than many small ones.
const MOST_INVOCATIONS: u32 = 512;

/// The wanted bytes of neighbouring parts in a workgroup: two sectors of a cache line.
const WANTED_BYTES: u32 = 64;

/// The most bytes of values in an invocation where a line is exchanged in halves: it keeps those of one
/// half while it receives the other, and 1024 invocations must fit.
const HALVED_LINE_BYTES: u32 = 128;

/// The counterpart of `RADIX` and `VALUES` for passes that wait mostly for memory: with fewer values in
/// each invocation, more of them wait at a time.
const LIGHT: u32 = 8;

/// The points of a part from which a pass is of that kind.
const LONG_PART: u32 = 256;

/// The distribution of one pass over workgroups, with all parameters chosen.
#[derive(Clone, Debug)]
pub struct Shape {
    pub plan: LinePlan,
    pub stages: Vec<Stage>,
    /// The parts of one workgroup.
    pub lines: u32,
    pub exchange_floats: u32,
    pub slots: Slots,
    pub workgroup_bytes: u64,
    radix: u32,
    values: u32,
    padding: bool,
}

impl Shape {
    /// Checks `given`, and chooses the best of its open parameters that the device can run.
    pub fn of(problem: &Problem<'_>, part: &Part, given: &SmoothLine) -> Result<Self, Unsupported> {
        let floats = problem.descriptor.layout.element_floats();
        let name = match part.axis {
            Axis::Row => "row-exchange",
            Axis::Column | Axis::Depth => "column-exchange",
        };
        let wanted_bytes = if part.points <= 256 { 8 } else { 4 };
        let wanted = (wanted_bytes / problem.float_bytes()).clamp(1, floats);
        let exchange_floats = problem.number(name, given.exchange_floats, floats, || wanted)?;
        let shape = Self::within_limits(problem, part, given, exchange_floats);
        let what = || {
            let Self { lines, plan, .. } = &shape;
            format!("a workgroup with {lines} {} of {} points", part.name(), plan.points)
        };
        for (limit, needed) in shape.needs() {
            problem.within(what, limit, needed)?;
        }
        Ok(shape)
    }

    /// Reduces open parameters to the limits: fewer floats exchanged at a time first, then fewer lines
    /// down to the needs of memory transactions, then no empty slots, then fewer lines still, and last,
    /// for rows, halves of lines.
    fn within_limits(
        problem: &Problem<'_>,
        part: &Part,
        given: &SmoothLine,
        wanted_floats: u32,
    ) -> Self {
        let is_light = is_light(problem, part);
        let [open_radix, open_values] = if is_light { [LIGHT; 2] } else { [RADIX, VALUES] };
        let radix = given.radix.unwrap_or(open_radix);
        let values = given.values_per_invocation.unwrap_or(open_values);
        let line_plan = |lines| line_plan(problem, part.points, radix, values, lines);
        let along = part.stores_along();
        let count = problem.image_lines(part.axis).saturating_mul(part.in_line());
        let least = if along { 1 } else { LEAST_BYTES / problem.element_bytes() };
        let mut lines = given.lines_per_workgroup.unwrap_or_else(|| {
            let lanes = line_plan(least).lanes;
            let mut lines = WANTED_INVOCATIONS.div_ceil(lanes);
            if !along {
                let bytes = if is_light { LEAST_BYTES } else { WANTED_BYTES };
                lines = lines.max(bytes / problem.element_bytes()).next_power_of_two();
                while lines > least && lines * lanes > MOST_INVOCATIONS {
                    lines /= 2;
                }
            }
            lines.min(count).min(MOST_LINES)
        });
        let mut exchange_floats = wanted_floats;
        let mut padding = given.bank_padding.unwrap_or(true);
        let mut portions = 1;
        loop {
            let plan = line_plan(lines);
            let stages = part.stages(&plan.radices);
            let alternate = !along && lines > 1;
            let slot_bytes = problem.float_bytes() * exchange_floats;
            let slots =
                Slots::new(&plan, &stages, lines, alternate, slot_bytes / 4, padding, portions);
            let has_registers = plan.values() * problem.element_bytes() <= HALVED_LINE_BYTES;
            let is_row = portions == 1 && along && lines == 1;
            let may_halve = is_row
                && has_registers
                && Slots::may_halve(&plan, &stages)
                // The results of a pair are in different halves, except where a line is padded.
                && part.pairs_of().is_none_or(|points| points == plan.points);
            let workgroup_bytes = match plan.lanes > 1 && stages.len() > 1 {
                true => {
                    let line_bytes = u64::from(slots.line_slots) * u64::from(slot_bytes);
                    u64::from(lines) * line_bytes
                }
                false => 0,
            };
            let shape = Self {
                plan,
                stages,
                lines,
                exchange_floats,
                slots,
                workgroup_bytes,
                radix,
                values,
                padding,
            };
            if shape.needs().iter().all(|(limit, needed)| problem.fits(*limit, *needed)) {
                return shape;
            }
            let may_have_fewer = given.lines_per_workgroup.is_none() && lines > 1;
            if given.exchange_floats.is_none() && exchange_floats > 1 {
                exchange_floats /= 2;
            } else if may_have_fewer && lines > least {
                lines /= 2;
                exchange_floats = wanted_floats;
            } else if given.bank_padding.is_none() && padding {
                padding = false;
                exchange_floats = wanted_floats;
            } else if may_have_fewer {
                lines /= 2;
                padding = given.bank_padding.unwrap_or(true);
                exchange_floats = wanted_floats;
            } else if may_halve {
                portions = 2;
                padding = given.bank_padding.unwrap_or(true);
                exchange_floats = wanted_floats;
            } else {
                return shape;
            }
        }
    }

    fn needs(&self) -> [(Limit, u64); 2] {
        let invocations = u64::from(self.lines) * u64::from(self.plan.lanes);
        [
            (Limit::WorkgroupStorage, self.workgroup_bytes),
            (Limit::WorkgroupInvocations, invocations),
        ]
    }

    pub fn parameters(&self) -> SmoothLine {
        SmoothLine {
            radix: Some(self.radix),
            values_per_invocation: Some(self.values),
            lines_per_workgroup: Some(self.lines),
            exchange_floats: Some(self.exchange_floats),
            bank_padding: Some(self.padding),
        }
    }
}

/// Returns whether it is a pass over long parts of lines, or over the columns of half a spectrum, whose rows
/// begin anywhere in a cache line. (Measured on an H200: lines of 65,536 points took 172 us instead of 192,
/// columns of the spectra of 16 real images of 1024 x 1024 points 79 instead of 93; the way back is slower.)
fn is_light(problem: &Problem<'_>, part: &Part) -> bool {
    let of_half = problem.descriptor.kind == Kind::Real
        && problem.descriptor.direction == Direction::Forward
        && part.axis != Axis::Row;
    of_half || part.in_line() > 1 && part.points >= LONG_PART
}

/// The stages of a part of which `lines` share a workgroup. Where they would not fit, invocations hold
/// twice the values.
fn line_plan(problem: &Problem<'_>, points: u32, radix: u32, values: u32, lines: u32) -> LinePlan {
    let most = problem.capabilities.max_workgroup_invocations.max(1);
    let plan = LinePlan::new(points, radix, values, (most / lines.max(1)).max(1));
    if plan.values() <= 2 * values.max(radix) {
        return plan;
    }
    LinePlan::new(points, radix, values, most)
}
