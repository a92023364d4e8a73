//! What a device has room for: which lines and parts of lines a workgroup holds.

use super::plan::LinePlan;
use crate::fft::program::Problem;
use crate::gpu::Limit;

/// Bytes of neighbouring parts that a workgroup should touch at least: a sector of a cache line.
pub const LEAST_BYTES: u32 = 32;

/// Radices and values of an invocation where nothing is asked for: what every GPU has registers for.
pub const RADIX: u32 = 16;
pub const VALUES: u32 = 16;

/// The longest part of which enough for whole memory transactions fit in a workgroup.
pub fn longest_part(problem: &Problem<'_>) -> u32 {
    let lines = LEAST_BYTES / problem.element_bytes();
    let capabilities = problem.capabilities;
    let memory = capabilities.max_workgroup_storage_bytes / problem.float_bytes() / lines;
    let invocations = capabilities.max_workgroup_invocations.saturating_mul(VALUES) / lines;
    memory.min(invocations).max(RADIX)
}

/// Whether a line of `points` points fits in a workgroup, by itself and without empty slots.
pub fn fits(problem: &Problem<'_>, points: u32) -> bool {
    let most_lanes = problem.capabilities.max_workgroup_invocations.max(1);
    let bytes = u64::from(problem.float_bytes()) * u64::from(points);
    problem.fits(Limit::WorkgroupStorage, bytes) && {
        let plan = LinePlan::new(points, RADIX, VALUES, most_lanes);
        problem.fits(Limit::WorkgroupInvocations, plan.lanes.into())
    }
}
