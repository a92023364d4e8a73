//! `auto`: choosing the fastest by measuring.
//!
//! What is fastest depends on the adapter, the driver and the transform, in ways that no table
//! foretells. So [`tune`] starts from what the planner takes, tries every algorithm as it comes, and
//! then the parameters of the best register-tiled ones, a few at a time, until a round changes
//! nothing more. Candidates are timed in turn with the best that is known, so that drift of the
//! clocks cancels; the clocks are kept up while kernels compile. What wins must give the right result
//! (the [`Gate`](super::Gate)) and be faster than what the planner takes, beside it: else that is
//! the answer.
//!
//! [`Tuned`] is plain data: store it, and [`Tuned::apply`] it to the same descriptor on the same
//! device later. A `Store` (feature `tune`) keeps such values on disk.
//!
//! [`sweep`] goes over the same parameters without such short cuts, for those who want to know what
//! there is to be found: the planner's table is made of what it finds.

mod choice;
mod search;
mod space;
#[cfg(feature = "tune")]
mod store;
mod trial;

use std::ops::ControlFlow;

pub use choice::AlgorithmChoice;
pub use space::candidates;
#[cfg(feature = "tune")]
pub use store::{Origin, Store, choose};

use super::timing::Timer;
use super::workload::WorkloadError;
use crate::fft::algorithms::Configuration;
use crate::fft::descriptor::Descriptor;
use crate::fft::error::FftError;
use crate::fft::planner;
use crate::gpu::{Capabilities, ReadbackError};

/// What [`tune`] chose.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tuned {
    /// The algorithm and its parameters.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// What one transform took, in microseconds: the median of several samples.
    pub median_us: f64,
    /// What that was measured with.
    pub timer: Timer,
    /// Its time over that of what the planner takes, measured in turn: 1 where it is just that.
    pub ratio_to_default: f64,
    /// How many candidates were timed.
    pub candidates: u32,
}

impl Tuned {
    /// `task` by this choice.
    pub fn apply(&self, task: &Descriptor) -> Descriptor {
        task.clone().by(self.configuration)
    }
}

/// One of the fastest of a [`sweep`].
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The algorithm and its parameters.
    pub configuration: Configuration,
    /// What one transform took, in microseconds.
    pub median_us: f64,
    /// Its time over that of what the planner takes, measured in turn.
    pub ratio_to_default: f64,
}

/// How to tune.
pub struct TuneOptions<'a> {
    /// About how long it may take, in milliseconds. What has not been tried by then is not.
    pub budget_ms: f64,
    /// Whether parameters are searched, or only algorithms compared as they come.
    pub search: bool,
    /// Notice before candidates are compared; [`ControlFlow::Break`] ends in [`TuneError::Cancelled`].
    pub progress: Option<ProgressCallback<'a>>,
    /// What the hooks of the descriptor bind.
    pub hooks: HookGroups<'a>,
}

/// Bind groups of hooks, to be run while measuring: what they store to is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct HookGroups<'a> {
    /// That of the load hook.
    pub load: Option<&'a wgpu::BindGroup>,
    /// Its dynamic offsets.
    pub load_offsets: &'a [u32],
    /// That of the store hook.
    pub store: Option<&'a wgpu::BindGroup>,
}

/// Notice how far a search is.
pub type ProgressCallback<'a> = &'a mut (dyn FnMut(Progress) -> ControlFlow<()> + Send);

impl TuneOptions<'_> {
    /// What suits `device`: 5 s, most of which is compiling, and 4 s without a search of parameters
    /// where the processor plays GPU, which compiles a kernel for a good part of a second and gains
    /// little by them.
    pub fn of(device: &wgpu::Device) -> Self {
        let hooks = HookGroups::default();
        let defaults = Self { budget_ms: 5000.0, search: true, progress: None, hooks };
        match device.adapter_info().device_type {
            wgpu::DeviceType::Cpu => Self { budget_ms: 4000.0, search: false, ..defaults },
            _ => defaults,
        }
    }
}

impl<'a> TuneOptions<'a> {
    /// The same, with what hooks bind.
    pub fn with_hooks<'b>(self, hooks: HookGroups<'b>) -> TuneOptions<'b>
    where
        'a: 'b,
    {
        let Self { budget_ms, search, progress, .. } = self;
        let progress = progress.map(|progress| -> ProgressCallback<'b> { progress });
        TuneOptions { budget_ms, search, progress, hooks }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Candidates looked at.
    pub candidate: u32,
    /// About how many there are to look at.
    pub of: u32,
}

/// Why nothing was chosen.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The device cannot run the transform by any algorithm; the reason of the first.
    #[error(transparent)]
    Fft(#[from] FftError),
    /// The device does not answer.
    #[error(transparent)]
    Readback(#[from] ReadbackError),
    /// The device refuses the memory.
    #[error("the GPU could not allocate buffers for measuring: {0}")]
    Buffers(String),
    /// The device gives no times.
    #[error("no FFT could be timed on this device")]
    NoTimes,
    /// No candidate computes what it should.
    #[error(
        "none of the {candidates} fastest FFTs gave the right result on this device: its driver is \
         broken"
    )]
    Wrong {
        /// How many were checked.
        candidates: u32,
    },
    /// The callback asked to stop.
    #[error("choosing an FFT was cancelled")]
    Cancelled,
}

impl From<WorkloadError> for TuneError {
    fn from(error: WorkloadError) -> Self {
        match error {
            WorkloadError::Fft(error) => Self::Fft(error),
            WorkloadError::Readback(error) => Self::Readback(error),
            error => Self::Buffers(error.to_string()),
        }
    }
}

/// Chooses algorithm and parameters for `task`, whose own are not looked at, by measuring on
/// `device`. Compiles, submits and waits; no buffers are touched but its own, and those that hooks
/// bind. What hooks make of values is not checked: the winner is, without them.
///
/// # Errors
/// [`TuneError`]; [`TuneError::Fft`] where the device cannot run the transform at all.
pub async fn tune(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    task: &Descriptor,
    options: TuneOptions<'_>,
) -> Result<Tuned, TuneError> {
    let capabilities = Capabilities::of(device);
    // Before memory is taken for it.
    planner::choose(task, &capabilities).map_err(FftError::from)?;
    let TuneOptions { budget_ms, hooks, .. } = options;
    let mut trial = trial::GpuEvaluator::new(device, queue, task, budget_ms, hooks).await?;
    search::search(&mut trial, task, &capabilities, options).await
}

/// All that the parameters of the register-tiled algorithms have to give, the fastest first, each
/// beside what the planner takes: every combination along one axis, then every pair of the best of
/// both. It takes minutes, whatever `options` say of time.
///
/// # Errors
/// As [`tune`].
pub async fn sweep(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    task: &Descriptor,
    options: TuneOptions<'_>,
) -> Result<Vec<Ranked>, TuneError> {
    let capabilities = Capabilities::of(device);
    planner::choose(task, &capabilities).map_err(FftError::from)?;
    let hooks = options.hooks;
    let mut trial = trial::GpuEvaluator::new(device, queue, task, f64::INFINITY, hooks).await?;
    search::sweep(&mut trial, task, &capabilities, options).await
}
