//! The times of one frame on both sides.

use std::sync::Arc;

use super::GpuScope;

/// One frame: scopes of the processor and passes of the GPU, on one clock.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameTimes {
    /// The profiler's number of the frame, from 1.
    pub frame: u64,
    /// Its begin in nanoseconds on puffin's clock (since 1970).
    pub begin_ns: i64,
    /// Nanoseconds from its begin to the next one's.
    pub interval_ns: u64,
    /// Scopes of the processor that ended in this frame, thread by thread, each followed by those within it.
    /// The drawing thread comes first.
    pub cpu: Vec<CpuScope>,
    /// The passes and stages of the GPU, if they are known.
    pub gpu: GpuTimes,
}

/// The GPU's half of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum GpuTimes {
    /// The device has no timestamps, or nothing was submitted in this frame.
    Untimed,
    /// The results were lost by the device or its driver.
    Lost,
    /// Passes in the order of execution, each followed by the stages within it.
    Timed {
        /// From the frame's begin to that of its first pass, in nanoseconds: not before its submission, nor
        /// before the end of the frame before.
        start_ns: u64,
        /// The passes, with times that count from the first one.
        scopes: Vec<GpuScope>,
    },
}

/// A scope of the processor.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuScope {
    /// The name that the scope was opened by.
    pub name: Arc<str>,
    /// The thread's name; no two threads have the same.
    pub thread: Arc<str>,
    /// Nanoseconds from the frame's begin; negative for scopes that began earlier, as on background threads.
    pub start_ns: i64,
    /// The end in nanoseconds, counted as `start_ns`.
    pub end_ns: i64,
    /// The number of scopes around it: 0 for outermost ones.
    pub depth: u32,
}

impl CpuScope {
    /// The duration in nanoseconds, from begin to end.
    pub fn duration_ns(&self) -> u64 {
        self.end_ns.saturating_sub(self.start_ns).max(0) as u64
    }
}

impl FrameTimes {
    /// The GPU's passes and stages, if they are known.
    pub fn gpu_scopes(&self) -> &[GpuScope] {
        match &self.gpu {
            GpuTimes::Timed { scopes, .. } => scopes,
            GpuTimes::Untimed | GpuTimes::Lost => &[],
        }
    }

    /// From the begin of the first pass to the end of the last, in nanoseconds, if that is known.
    pub fn gpu_ns(&self) -> Option<u64> {
        self.gpu_scopes().iter().map(|scope| scope.end_ns).max()
    }

    /// The time of the outermost scopes on the drawing thread, in nanoseconds.
    pub fn cpu_ns(&self) -> u64 {
        let Some(first) = self.cpu.first() else { return 0 };
        let own = self.cpu.iter().take_while(|scope| scope.thread == first.thread);
        own.filter(|scope| scope.depth == 0).map(CpuScope::duration_ns).sum()
    }
}
