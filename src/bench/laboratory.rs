//! Checks and times single transforms: for the tasks of `seaway bench`, and for every algorithm on the page
//! of a visitor, whose clock may be coarse.

use super::Outcome;
use super::row::{Figures, Row};
use crate::fft::lab::timing::{Method, Regime, Timer, Times};
use crate::fft::lab::{
    self, Accuracy, AlgorithmChoice, ClockStep, Gate, References, Workload, WorkloadError,
};
use crate::fft::{Axis, Descriptor, Direction, FftError, Layout};
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
    /// Images that the page transforms together.
    const BATCH: u32 = 4;

    /// A laboratory that times by `method`.
    pub fn new(context: &'a Context, method: Method) -> Self {
        Self { context, method, clock: None, references: References::default() }
    }

    /// A laboratory that measures the step of the clock, and takes samples of many steps.
    ///
    /// # Errors
    /// [`WorkloadError`] if the device refuses even that.
    pub async fn on_coarse_clock(context: &'a Context) -> Result<Self, WorkloadError> {
        let step = ClockStep::measure(context, Timer::of(&context.device)).await?;
        let clock = step.unwrap_or(ClockStep::USUAL);
        Ok(Self { clock: Some(clock), ..Self::new(context, clock.method()) })
    }

    /// The step of the clock, if it was measured.
    pub fn clock(&self) -> Option<ClockStep> {
        self.clock
    }

    /// The clock of the times.
    pub fn timer(&self) -> Timer {
        Timer::of(&self.context.device)
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
        let ends = [0, task.batch - 1];
        let accuracy = match workload.accuracy(ends, &mut self.references).await {
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
        if times.median_us <= 0.0 {
            return Ok(Outcome::skipped("it is too fast for this clock to measure"));
        }
        Ok(Outcome::Measured(Box::new(Figures {
            copy_us,
            copy_ratio: copy_us.filter(|us| *us > 0.0).map(|us| times.median_us / us),
            clock_step_us: self.clock.map(|clock| clock.step_us),
            ..Figures::new(task, times, *accuracy, workload.bytes_moved())
        })))
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
        let times = workload.measure(&self.method, axis).await?.times();
        let known = |us| self.clock.map_or(us, |clock| clock.round(us, times.repetitions));
        let [median_us, p5_us, p95_us] = [times.median_us, times.p5_us, times.p95_us].map(known);
        Ok(Times { median_us, p5_us, p95_us, ..times })
    }

    /// The images of `size` x `size` points that the page transforms.
    pub fn task_of_page(size: u32) -> Descriptor {
        Descriptor {
            size: [size; 2],
            batch: Self::BATCH,
            direction: Direction::Inverse,
            layout: Layout::Pair,
            ..Descriptor::default()
        }
    }

    /// The algorithms of the page, in its order.
    pub fn algorithms() -> impl Iterator<Item = AlgorithmChoice> {
        AlgorithmChoice::all().filter(|choice| choice.named().is_some())
    }

    /// Checks `choice` in both directions and layouts, and times it if all results are right.
    ///
    /// # Errors
    /// [`WorkloadError::Readback`] if the device does not answer, which is no result about `choice`.
    pub async fn row_of_page(
        &mut self,
        choice: AlgorithmChoice,
        task: &Descriptor,
        copy_us: f64,
    ) -> Result<Row, WorkloadError> {
        let task = match choice.named() {
            Some(algorithm) => task.clone().by(algorithm),
            None => task.clone(),
        };
        let outcome = self.in_every_form(&task, copy_us).await?;
        let adapter = self.context.describe();
        Ok(Row::new(choice.name(), None, &task, Regime::Hot, adapter, outcome))
    }

    async fn in_every_form(
        &mut self,
        task: &Descriptor,
        copy_us: f64,
    ) -> Result<Outcome<Box<Figures>>, WorkloadError> {
        let mut worst = Accuracy::NONE;
        let mut timed = None;
        for direction in [Direction::Forward, Direction::Inverse] {
            for layout in [Layout::Planar, Layout::Pair] {
                let form = Descriptor { direction, layout, ..task.clone() };
                let checked = match self.check(&form, Regime::Hot).await? {
                    Outcome::Measured(checked) => checked,
                    Outcome::Skipped { skipped } => return Ok(Outcome::Skipped { skipped }),
                    Outcome::Failed { failed } => {
                        return Ok(Outcome::failed(format!("{direction}, {layout}: {failed}")));
                    }
                };
                worst = worst.worse(checked.accuracy);
                if form == *task {
                    timed = Some(checked);
                }
            }
        }
        let timed = timed.expect("the task is in one of the forms");
        self.figures(&Checked { accuracy: worst, ..timed }, Some(copy_us)).await
    }
}

/// The outcome of an error: the transform cannot run here, or it should and does not.
fn refused<T>(error: WorkloadError) -> Result<Outcome<T>, ReadbackError> {
    match error {
        WorkloadError::Readback(error) => Err(error),
        WorkloadError::TooSmall { .. }
        | WorkloadError::Refused(_)
        | WorkloadError::Fft(FftError::Unsupported(_)) => Ok(Outcome::skipped(error)),
        WorkloadError::Fft(_) => Ok(Outcome::failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::ContextOptions;

    #[test]
    fn every_algorithm_is_right_or_says_why_it_cannot_run() {
        let opened = Context::new(Context::headless_instance(), ContextOptions::default());
        let context = pollster::block_on(opened).expect("tests need an adapter");
        let mut laboratory = pollster::block_on(Laboratory::on_coarse_clock(&context)).unwrap();
        let step_us = laboratory.clock().map(|clock| clock.step_us);
        let task = Laboratory::task_of_page(64);
        let copy_us = pollster::block_on(laboratory.copy_us(&task, Regime::Hot)).unwrap();
        let mut measured = 0;
        for algorithm in Laboratory::algorithms() {
            let row = laboratory.row_of_page(algorithm, &task, copy_us);
            let row = pollster::block_on(row).unwrap();
            match &row.outcome {
                Outcome::Measured(figures) => {
                    measured += 1;
                    assert!(
                        figures.times.median_us > 0.0 && figures.relative_l2_error < 1e-5,
                        "{row:?}"
                    );
                    assert_eq!(figures.clock_step_us, step_us);
                }
                Outcome::Skipped { skipped } => assert!(!skipped.is_empty()),
                Outcome::Failed { failed } => panic!("{algorithm}: {failed}"),
            }
        }
        assert!(measured > 5, "{measured}");
    }
}
