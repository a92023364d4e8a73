//! Frames as a table of comma-separated values: `passes.csv`.
//!
//! | column | holds |
//! |---|---|
//! | `frame` | the profiler's number of the frame |
//! | `side` | `cpu` or `gpu` |
//! | `thread` | the thread's name; `GPU` for passes |
//! | `name` | the name of the scope, pass or stage |
//! | `depth` | 0 for outermost scopes |
//! | `start_us` | microseconds from the capture's start, which is the begin of its first frame; negative for scopes that began earlier |
//! | `duration_us` | microseconds |
//!
//! Rows are in the order of frames, threads and begins, each scope before those within it.

use std::io::{self, Write};
use std::sync::Arc;

use super::Side;
use crate::profile::{CpuScope, FrameTimes, GpuTimes};
use crate::text_table::csv_cell;

/// A scope, pass or stage of a frame.
pub(super) struct Row<'a> {
    pub frame: u64,
    pub side: Side,
    pub thread: &'a str,
    pub name: &'a Arc<str>,
    pub depth: u32,
    /// Nanoseconds from the capture's start.
    pub start_ns: i64,
    pub duration_ns: u64,
}

/// The GPU's name among the threads.
pub(super) const GPU: &str = "GPU";

/// The start of the capture on puffin's clock.
pub(super) fn origin_ns(frames: &[Arc<FrameTimes>]) -> i64 {
    frames.first().map_or(0, |frame| frame.begin_ns)
}

/// The rows of `frame`, with times from `origin_ns`.
pub(super) fn rows(frame: &FrameTimes, origin_ns: i64) -> impl Iterator<Item = Row<'_>> {
    let begin_ns = frame.begin_ns - origin_ns;
    let number = frame.frame;
    let cpu = frame.cpu.iter().map(move |scope: &CpuScope| Row {
        frame: number,
        side: Side::Cpu,
        thread: &scope.thread,
        name: &scope.name,
        depth: scope.depth,
        start_ns: begin_ns + scope.start_ns,
        duration_ns: scope.duration_ns(),
    });
    let gpu_begin_ns = match &frame.gpu {
        GpuTimes::Timed { start_ns, .. } => begin_ns.saturating_add_unsigned(*start_ns),
        GpuTimes::Untimed | GpuTimes::Lost => begin_ns,
    };
    let gpu = frame.gpu_scopes().iter().map(move |scope| Row {
        frame: number,
        side: Side::Gpu,
        thread: GPU,
        name: &scope.label,
        depth: scope.depth,
        start_ns: gpu_begin_ns.saturating_add_unsigned(scope.start_ns),
        duration_ns: scope.end_ns.saturating_sub(scope.start_ns),
    });
    cpu.chain(gpu)
}

pub(super) fn write(frames: &[Arc<FrameTimes>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "frame,side,thread,name,depth,start_us,duration_us")?;
    let origin_ns = origin_ns(frames);
    for row in frames.iter().flat_map(|frame| rows(frame, origin_ns)) {
        let Row { frame, side, thread, name, depth, start_ns, duration_ns } = row;
        let (thread, name) = (csv_cell(thread), csv_cell(name));
        let (start_us, duration_us) = (Micros(start_ns), Micros(duration_ns as i64));
        writeln!(out, "{frame},{side},{thread},{name},{depth},{start_us},{duration_us}")?;
    }
    Ok(())
}

/// Nanoseconds, written as microseconds without loss.
pub(super) struct Micros(pub i64);

impl std::fmt::Display for Micros {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let ns = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:03}", ns / 1_000, ns % 1_000)
    }
}
