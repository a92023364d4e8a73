//! `auto`: choosing the fastest by measuring.
//!
//! What is fastest depends on the adapter, the driver and the transform, in ways that no table
//! foretells. So [`tune`] tries [`candidates`] on the device at hand: every algorithm as it comes,
//! then the parameters of the register-tiled ones, rows and columns apart and one parameter at a
//! time, then the best of both together. What is clearly slower than the best is dropped after one
//! run. The winner counts only if its result passes the [`Gate`](super::Gate).
//!
//! [`Tuned`] is plain data: store it, and [`Tuned::apply`] it to the same descriptor on the same
//! device later. `seaway::tuned` (feature `cli`) keeps such values on disk.

mod candidates;
mod check;
mod choice;
mod search;
mod trial;

use std::ops::ControlFlow;

pub use candidates::{Candidate, candidates, check_any};
pub use choice::AlgorithmChoice;

use crate::fft::algorithms::{Algorithm, Tuning};
use crate::fft::descriptor::Descriptor;
use crate::fft::error::FftError;
use crate::fft::lab::timing::Timer;
use crate::gpu::{Capabilities, ReadbackError};

/// What [`tune`] chose.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tuned {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its parameters.
    pub tuning: Tuning,
    /// What one transform took, in microseconds: the median of several samples.
    pub median_us: f64,
    /// What that was measured with.
    pub timer: Timer,
    /// How many candidates were timed.
    pub candidates: u32,
}

impl Tuned {
    /// `task` by this choice.
    pub fn apply(&self, task: &Descriptor) -> Descriptor {
        Descriptor { algorithm: self.algorithm, tuning: self.tuning, ..task.clone() }
    }
}

/// How to tune.
pub struct TuneOptions<'a> {
    /// About how long it may take, in milliseconds. What has not been tried by then is not.
    pub budget_ms: f64,
    /// Whether parameters are searched, or only algorithms compared as they come.
    pub search: bool,
    /// Told before each candidate; [`ControlFlow::Break`] ends in [`TuneError::Cancelled`].
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

/// Told how far a search is.
pub type ProgressCallback<'a> = &'a mut (dyn FnMut(Progress) -> ControlFlow<()> + Send);

impl TuneOptions<'_> {
    /// What suits `device`: 1.5 s, and 4 s without a search of parameters where the processor plays
    /// GPU, which compiles a kernel for a good part of a second and gains little by them.
    pub fn of(device: &wgpu::Device) -> Self {
        let hooks = HookGroups::default();
        let defaults = Self { budget_ms: 1500.0, search: true, progress: None, hooks };
        match device.adapter_info().device_type {
            wgpu::DeviceType::Cpu => Self { budget_ms: 4000.0, search: false, ..defaults },
            _ => defaults,
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The candidate that is looked at now, counted from 1.
    pub candidate: u32,
    /// How many there are.
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
    #[error("the GPU refused the buffers to measure with: {0}")]
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
    check_any(task, &capabilities).map_err(FftError::from)?;
    let TuneOptions { budget_ms, hooks, .. } = options;
    let mut trial = trial::GpuTrial::new(device, queue, task, budget_ms, hooks).await?;
    search::search(&mut trial, task, &capabilities, options).await
}
