//! One scope API for processor and GPU time. Stages record their passes through a [`Recorder`], which times
//! them if the program requests it and the device can, and costs nothing otherwise; processor scopes are
//! `scope!`. Without the feature `profile` both compile away.

#[cfg(feature = "profile")]
mod capture;
#[cfg(feature = "profile")]
mod cpu_scopes;
#[cfg(feature = "profile")]
mod frame_times;
#[cfg(feature = "profile")]
mod gpu_timers;
#[cfg(feature = "profile")]
mod marks;
#[cfg(feature = "profile")]
mod profiler;
mod recorder;
#[cfg(feature = "profile")]
pub mod statistics;
#[cfg(feature = "profile")]
mod streams;

#[cfg(feature = "profile")]
pub use capture::{Capture, CaptureError, CaptureInfo, PassSummary, Side, Summary};
#[cfg(feature = "profile")]
pub use frame_times::{CpuScope, FrameTimes, GpuTimes};
#[cfg(feature = "profile")]
pub use gpu_timers::{GpuFrame, GpuScope, GpuTimers};
#[cfg(feature = "profile")]
pub use profiler::Profiler;
pub use recorder::{Recorder, Stages};

/// Times the rest of the block on the processor, as a puffin scope.
macro_rules! scope {
    ($name:expr) => {
        #[cfg(feature = "profile")]
        puffin::profile_scope!($name);
    };
}
pub(crate) use scope;

/// [`scope`] for code that may yield: timed only if it has its own thread. In a page, the frames between
/// would count as parts of it.
macro_rules! cooperative_scope {
    ($name:expr) => {
        #[cfg(all(feature = "profile", not(target_family = "wasm")))]
        puffin::profile_scope!($name);
    };
}
pub(crate) use cooperative_scope;
