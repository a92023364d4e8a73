//! The capacity of a device for lines and parts of lines in a workgroup.

use super::plan::LinePlan;
use crate::gpu::Limit;
use crate::program::Problem;

/// The bytes of neighbouring parts that a workgroup should touch at least: a sector of a cache line.
pub const LEAST_BYTES: u32 = 32;

/// The default largest radix and values of an invocation, which suit the registers of every GPU.
pub const RADIX: u32 = 16;
pub const VALUES: u32 = 16;

/// The longest part of which a workgroup holds enough for whole memory transactions.
pub fn longest_part(problem: &Problem<'_>) -> u32 {
    let lines = LEAST_BYTES / problem.element_bytes();
    let capabilities = problem.capabilities;
    let memory = capabilities.max_workgroup_storage_bytes / problem.float_bytes() / lines;
    let invocations = capabilities.max_workgroup_invocations.saturating_mul(VALUES) / lines;
    memory.min(invocations).max(RADIX)
}

/// Returns whether a line of `points` points fits in a workgroup, alone and without empty slots.
pub fn fits(problem: &Problem<'_>, points: u32) -> bool {
    let most_lanes = problem.capabilities.max_workgroup_invocations.max(1);
    let bytes = u64::from(problem.float_bytes()) * u64::from(points);
    problem.fits(Limit::WorkgroupStorage, bytes) && {
        let plan = LinePlan::new(points, RADIX, VALUES, most_lanes);
        problem.fits(Limit::WorkgroupInvocations, plan.lanes.into())
    }
}
