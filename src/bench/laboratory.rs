//! Checks and times single transforms: for the tasks of `seaway bench`, and for every algorithm on the page
//! of a visitor, whose clock may be coarse.

#[cfg(any(test, all(feature = "web", target_family = "wasm")))]
pub mod page;

use super::Outcome;
use super::row::Figures;
#[cfg(any(test, all(feature = "web", target_family = "wasm")))]
use crate::fft::lab::timing;
use crate::fft::lab::timing::{Method, Regime, Timer, Times};
use crate::fft::lab::{self, Accuracy, ClockStep, Gate, References, Workload, WorkloadError};
use crate::fft::{Axis, Descriptor, FftError};
use crate::gpu::{Context, ReadbackError};

/// Checks and times transforms on one device.
pub struct Laboratory<'a> {
    context: &'a Context,
    method: Method,
    /// The step of the clock, if it was measured.
    clock: Option<ClockStep>,
    references: References,
}

/// A transform whose result is right.
pub struct Checked<'a> {
    /// The transform with its buffers, to be timed in other ways.
    pub workload: Workload<'a>,
    task: Descriptor,
    accuracy: Accuracy,
}

impl<'a> Laboratory<'a> {
    /// A laboratory that times by `method`.
    pub fn new(context: &'a Context, method: Method) -> Self {
        Self { context, method, clock: None, references: References::default() }
    }

    /// The method of its times.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The results that transforms are checked against. Keep those of one size only: those of all sizes would
    /// fill the memory.
    pub fn references(&mut self) -> &mut References {
        &mut self.references
    }

    /// Microseconds of a copy of the same bytes, which is the ceiling of `task`.
    ///
    /// # Errors
    /// [`WorkloadError`] if the copy cannot be built or timed.
    pub async fn copy_us(&self, task: &Descriptor, regime: Regime) -> Result<f64, WorkloadError> {
        let Context { device, queue, .. } = self.context;
        let copy = Workload::copy(device, queue, task, regime).await?;
        Ok(self.times(&copy, None).await?.median_us)
    }

    /// Builds `task` and checks the first and the last image of its result.
    ///
    /// # Errors
    /// [`ReadbackError`] if the device does not answer, which is no result about the task.
    pub async fn check(
        &mut self,
        task: &Descriptor,
        regime: Regime,
    ) -> Result<Outcome<Checked<'a>>, ReadbackError> {
        let Context { device, queue, capabilities, .. } = self.context;
        if let Err(reason) = lab::program(task, capabilities) {
            return Ok(Outcome::skipped(reason));
        }
        let workload = match Workload::new(device, queue, task, regime).await {
            Ok(workload) => workload,
            Err(error) => return refused(error),
        };
        workload.run();
        let accuracy = match workload.accuracy(lab::ends(task.batch), &mut self.references).await {
            Ok(accuracy) => accuracy,
            Err(error) => return refused(error),
        };
        let gate = Gate::of(task);
        Ok(match gate.passes(accuracy) {
            true => Outcome::Measured(Checked { workload, task: task.clone(), accuracy }),
            false => Outcome::failed(gate.describe(accuracy)),
        })
    }

    /// Times a checked transform, beside a copy that takes `copy_us`.
    ///
    /// # Errors
    /// [`WorkloadError::Readback`] if the device does not answer.
    pub async fn figures(
        &self,
        checked: &Checked<'_>,
        copy_us: Option<f64>,
    ) -> Result<Outcome<Box<Figures>>, WorkloadError> {
        let Checked { workload, task, accuracy } = checked;
        let times = self.times(workload, None).await?;
        Ok(self.outcome(task, times, *accuracy, workload.bytes_moved(), copy_us))
    }

    /// The figures of `times`, unless the clock cannot measure them.
    fn outcome(
        &self,
        task: &Descriptor,
        times: Times,
        accuracy: Accuracy,
        bytes_moved: u64,
        copy_us: Option<f64>,
    ) -> Outcome<Box<Figures>> {
        if times.median_us <= 0.0 {
            return Outcome::skipped("it is too fast for this clock to measure");
        }
        // On a GPU or in a browser the processor's clock also counts submissions, which take longer than small
        // transforms.
        let is_processor = self.context.is_software() && !self.context.is_in_browser();
        let is_of_adapter = times.timer == Timer::GpuTimestamps || is_processor;
        let bytes_moved = is_of_adapter.then_some(bytes_moved);
        Outcome::Measured(Box::new(Figures {
            copy_us,
            copy_ratio: copy_us.filter(|us| *us > 0.0).map(|us| times.median_us / us),
            clock_step_us: self.clock.map(|clock| clock.step_us),
            ..Figures::new(task, times, accuracy, bytes_moved)
        }))
    }

    /// Times `workload` or one axis of it, at the resolution of the clock.
    ///
    /// # Errors
    /// [`WorkloadError::Readback`] if the device does not answer.
    pub async fn times(
        &self,
        workload: &Workload<'_>,
        axis: Option<Axis>,
    ) -> Result<Times, WorkloadError> {
        Ok(self.known(workload.measure(&self.method, axis).await?.times()))
    }

    /// The figures of any commands that compute `task` with that accuracy.
    ///
    /// # Errors
    /// [`ReadbackError`] if the device does not answer.
    #[cfg(any(test, all(feature = "web", target_family = "wasm")))]
    pub async fn figures_of(
        &self,
        task: &Descriptor,
        accuracy: Accuracy,
        bytes_moved: u64,
        encode: impl Fn(&mut wgpu::ComputePass<'_>, u32),
    ) -> Result<Outcome<Box<Figures>>, ReadbackError> {
        let Context { device, queue, .. } = self.context;
        let times = timing::measure(device, queue, &self.method, encode).await?.times();
        Ok(self.outcome(task, self.known(times), accuracy, bytes_moved, None))
    }

    /// `times` at the resolution of the clock.
    fn known(&self, times: Times) -> Times {
        let known = |us| self.clock.map_or(us, |clock| clock.round(us, times.repetitions));
        let [median_us, p5_us, p95_us] = [times.median_us, times.p5_us, times.p95_us].map(known);
        Times { median_us, p5_us, p95_us, ..times }
    }
}

/// The outcome of an error: the transform cannot run here, or it should and does not.
fn refused<T>(error: WorkloadError) -> Result<Outcome<T>, ReadbackError> {
    match error {
        WorkloadError::Readback(error) => Err(error),
        WorkloadError::TooSmall { .. }
        | WorkloadError::Refused(_)
        | WorkloadError::Fft(FftError::Unsupported(_)) => Ok(Outcome::skipped(error)),
        WorkloadError::Fft(_) | WorkloadError::Wait(_) => Ok(Outcome::failed(error)),
    }
}
