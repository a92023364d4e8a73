//! One scope API for processor and GPU time. Stages record their passes through a [`Recorder`],
//! which times them where the program asked for it and the device can, and costs nothing
//! elsewhere; processor scopes are `scope!`. The lean library compiles both away.

#[cfg(feature = "cli")]
mod capture;
#[cfg(feature = "cli")]
mod gpu_timers;
#[cfg(feature = "cli")]
mod marks;
#[cfg(feature = "cli")]
mod profiler;
mod recorder;
#[cfg(feature = "cli")]
mod streams;

#[cfg(feature = "cli")]
pub use capture::{Capture, CaptureError};
#[cfg(feature = "cli")]
pub use gpu_timers::{GpuFrame, GpuScope, GpuTimers};
#[cfg(feature = "cli")]
pub use profiler::Profiler;
pub use recorder::{Recorder, Stages};

/// Times the rest of the block on the processor, as a puffin scope.
macro_rules! scope {
    ($name:expr) => {
        #[cfg(feature = "cli")]
        puffin::profile_scope!($name);
    };
}
pub(crate) use scope;
