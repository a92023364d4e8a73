//! `auto`: choosing the fastest by measuring.
//!
//! The fastest transform depends on the adapter, the driver and the problem, in ways that no table predicts.
//! So [`tune`] starts from the best known plan of two dispatches, since it does not try `one-dispatch`. It then
//! tries every algorithm with its defaults, and the parameters of the best register-tiled ones, a few at a
//! time, until a round changes nothing more. Candidates are timed in turn with the best so far, so that drift
//! of the clocks cancels; work keeps the clocks up while kernels compile. The winner must give the right result
//! (the [`Gate`](super::Gate)) and be faster than that plan in a direct comparison; otherwise that plan is the
//! answer.
//!
//! [`Tuned`] is plain data: store it, and [`Tuned::apply`] it to the same descriptor on the same device
//! later. A `Store` (feature `tune`) keeps such values on disk.
//!
//! [`sweep`] tries the same parameters without such short cuts, to find the true optimum: the planner's table
//! is made of its results, except for its entries of one dispatch.

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
use crate::configuration::Configuration;
use crate::descriptor::Descriptor;
use crate::error::FftError;
use crate::gpu::{Capabilities, ReadbackError};
use crate::planner;

/// The configuration that [`tune`] chose, with its times.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tuned {
    /// The algorithm and its parameters.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// Median time of one transform, in microseconds.
    pub median_us: f64,
    /// The clock of that time.
    pub timer: Timer,
    /// Its time over that of the planner's choice, measured in turn: 1 if it is just that.
    pub ratio_to_default: f64,
    /// The number of timed candidates.
    pub candidates: u32,
}

impl Tuned {
    /// Returns `task` with this choice.
    pub fn apply(&self, task: &Descriptor) -> Descriptor {
        task.clone().by(self.configuration)
    }
}

/// One of the fastest candidates of a [`sweep`].
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The algorithm and its parameters.
    pub configuration: Configuration,
    /// Median time of one transform, in microseconds.
    pub median_us: f64,
    /// Its time over that of the planner's choice, measured in turn.
    pub ratio_to_default: f64,
}

/// The limits and the callback of a search.
pub struct TuneOptions<'a> {
    /// Approximate time limit in milliseconds. Candidates that are left by then are not tried.
    pub budget_ms: f64,
    /// Whether to search parameters, or only to compare algorithms with their defaults.
    pub search: bool,
    /// Receives progress before candidates are compared; [`ControlFlow::Break`] ends in
    /// [`TuneError::Cancelled`].
    pub progress: Option<ProgressCallback<'a>>,
    /// The bind groups of the descriptor's hooks.
    pub hooks: HookGroups<'a>,
}

/// Bind groups of hooks that run during measuring, which writes to their outputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct HookGroups<'a> {
    /// The load hook's bind group.
    pub load: Option<&'a wgpu::BindGroup>,
    /// The load hook's dynamic offsets.
    pub load_offsets: &'a [u32],
    /// The store hook's bind group.
    pub store: Option<&'a wgpu::BindGroup>,
}

/// A callback that receives the progress of a search.
pub type ProgressCallback<'a> = &'a mut (dyn FnMut(Progress) -> ControlFlow<()> + Send);

impl TuneOptions<'_> {
    /// The defaults for `device`: 5 s, most of which is compiling; on a software adapter, which compiles a
    /// kernel in most of a second and gains little by parameters, 4 s without a search.
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
    /// The same options with the hooks' bind groups.
    pub fn with_hooks<'b>(self, hooks: HookGroups<'b>) -> TuneOptions<'b>
    where
        'a: 'b,
    {
        let Self { budget_ms, search, progress, .. } = self;
        let progress = progress.map(|progress| -> ProgressCallback<'b> { progress });
        TuneOptions { budget_ms, search, progress, hooks }
    }
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of candidates tried.
    pub candidate: u32,
    /// The approximate number of all candidates.
    pub of: u32,
}

/// The reasons why nothing was chosen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The device cannot run the transform by any algorithm; the reason of the first.
    #[error(transparent)]
    Fft(#[from] FftError),
    /// The device did not answer in time.
    #[error(transparent)]
    Readback(#[from] ReadbackError),
    /// The device refuses the memory, with its message.
    #[error("the GPU could not allocate buffers for measuring: {0}")]
    Buffers(String),
    /// The device returns no times.
    #[error("no FFT could be timed on this device")]
    NoTimes,
    /// No candidate gives the right result.
    #[error(
        "none of the {candidates} fastest FFTs gave the right result on this device: its driver is \
         broken"
    )]
    Wrong {
        /// The number of checked candidates.
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

/// Chooses algorithm and parameters for `task`, ignoring its own, by measuring on `device`. Compiles, submits
/// and waits; it writes only to its own buffers, and to those of hooks. The winner is checked without hooks.
///
/// # Errors
/// [`TuneError`]; [`TuneError::Fft`] if the device cannot run the transform at all.
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

/// Searches all parameters of the register-tiled algorithms, and returns the fastest, each compared with the
/// planner's choice: every combination along one axis, then every pair of the best of both. It takes minutes,
/// and ignores the time limit of `options`.
///
/// # Errors
/// Those of [`tune`].
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
