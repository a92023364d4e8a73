//! Every algorithm verified and timed on a device whose clock may be coarse: what a page does on its
//! visitor's GPU.

use std::collections::BTreeMap;

use super::row::{Figures, Outcome, Row, operations, placement};
use super::size::Size;
use crate::fft::lab::timing::{Regime, Timer};
use crate::fft::lab::{
    self, Accuracy, AlgorithmChoice, ClockStep, Gate, References, Workload, WorkloadError,
};
use crate::fft::{Descriptor, Direction, Layout};
use crate::gpu::{Context, ReadbackError};

/// Algorithms on images of one size.
pub struct Laboratory<'a> {
    context: &'a Context,
    task: Descriptor,
    clock: ClockStep,
    timer: Timer,
    copy_us: f64,
    references: References,
}

impl<'a> Laboratory<'a> {
    /// Images that are transformed together.
    const BATCH: u32 = 4;

    /// Measures the clock, and the copy that is the ceiling of transforms of `size` x `size` points.
    ///
    /// # Errors
    /// [`WorkloadError`] where the device refuses even that.
    pub async fn new(context: &'a Context, size: u32) -> Result<Self, WorkloadError> {
        let task = Descriptor {
            size: [size; 2],
            batch: Self::BATCH,
            direction: Direction::Inverse,
            layout: Layout::Pair,
            ..Descriptor::default()
        };
        let timer = Timer::of(&context.device);
        let clock = ClockStep::measure(context, timer).await?.unwrap_or(ClockStep::USUAL);
        let copy = Workload::copy(&context.device, &context.queue, &task, Regime::Hot).await?;
        let measured = copy.measure(&clock.method(), None).await?;
        let copy_us = clock.round(measured.median_us(), measured.repetitions);
        let references = References::default();
        Ok(Self { context, task, clock, timer, copy_us, references })
    }

    /// How coarse the clock is.
    pub fn clock(&self) -> ClockStep {
        self.clock
    }

    /// What the times are taken with.
    pub fn timer(&self) -> Timer {
        self.timer
    }

    /// What is timed: images of that size, so many at once.
    pub fn task(&self) -> &Descriptor {
        &self.task
    }

    /// The algorithms to verify and time.
    pub fn algorithms() -> impl Iterator<Item = AlgorithmChoice> {
        AlgorithmChoice::all().filter(|choice| choice.named().is_some())
    }

    /// Verifies `choice` in both directions and layouts, and times it if all of that is right.
    ///
    /// # Errors
    /// [`ReadbackError`] where the device does not answer, which says nothing about `choice`.
    pub async fn row(&mut self, choice: AlgorithmChoice) -> Result<Row, ReadbackError> {
        let outcome = match self.outcome(choice).await {
            Ok(outcome) => outcome,
            Err(WorkloadError::Readback(error)) => return Err(error),
            // It is not known to be wrong: the device cannot plan it, or has too little memory.
            Err(error) => Outcome::Skipped { skipped: error.to_string() },
        };
        let Descriptor { kind, size, batch, precision, direction, normalization, layout, .. } =
            self.task;
        Ok(Row {
            algorithm: choice.name().to_owned(),
            chosen: None,
            kind,
            dimensions: 2,
            size: Size::of([size[0], size[1], 1], 2),
            batch,
            precision,
            direction,
            normalization,
            layout,
            regime: Regime::Hot,
            placement: placement(self.task.placement).to_owned(),
            adapter: self.context.describe(),
            parameters: BTreeMap::new(),
            invocations: None,
            outcome,
        })
    }

    async fn outcome(&mut self, choice: AlgorithmChoice) -> Result<Outcome, WorkloadError> {
        let Context { device, queue, capabilities, .. } = self.context;
        let timed = match choice.named() {
            Some(algorithm) => self.task.clone().by(algorithm),
            None => self.task.clone(),
        };
        if let Err(reason) = lab::program(&timed, capabilities) {
            return Ok(Outcome::Skipped { skipped: reason.to_string() });
        }
        let mut worst = Accuracy::NONE;
        for direction in [Direction::Forward, Direction::Inverse] {
            for layout in [Layout::Planar, Layout::Pair] {
                let task = Descriptor { direction, layout, ..timed.clone() };
                let workload = Workload::new(device, queue, &task, Regime::Hot).await?;
                workload.run();
                let ends = [0, task.batch - 1];
                let accuracy = workload.accuracy(ends, &mut self.references).await?;
                let gate = Gate::of(&task);
                if !gate.passes(accuracy) {
                    let failed = format!("{direction}, {layout}: {}", gate.describe(accuracy));
                    return Ok(Outcome::Failed { failed });
                }
                worst = worst.worse(accuracy);
            }
        }
        let workload = Workload::new(device, queue, &timed, Regime::Hot).await?;
        let measured = workload.measure(&self.clock.method(), None).await?;
        let known = |us| self.clock.round(us, measured.repetitions);
        let median_us = known(measured.median_us());
        if median_us <= 0.0 {
            let skipped = "it is too fast for this browser's clock to measure".to_owned();
            return Ok(Outcome::Skipped { skipped });
        }
        Ok(Outcome::Measured(Box::new(Figures {
            median_us,
            p5_us: known(measured.quantile_us(0.05)),
            p95_us: known(measured.quantile_us(0.95)),
            samples: measured.samples_us.len(),
            repetitions: measured.repetitions,
            gb_per_s: (measured.timer == Timer::GpuTimestamps)
                .then(|| workload.bytes_moved() as f64 / median_us / 1000.0),
            gflops: operations(&timed) / median_us / 1000.0,
            copy_us: Some(self.copy_us),
            copy_ratio: (self.copy_us > 0.0).then(|| median_us / self.copy_us),
            relative_l2_error: worst.relative_l2,
            timer: measured.timer,
            clock_step_us: Some(self.clock.step_us),
            row_us: None,
            column_us: None,
            depth_us: None,
            row_encode_us: None,
            column_encode_us: None,
            speed_up: None,
            peer_us: BTreeMap::new(),
            peer_ratio: BTreeMap::new(),
        })))
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
        let mut laboratory = pollster::block_on(Laboratory::new(&context, 64)).unwrap();
        let mut measured = 0;
        for algorithm in Laboratory::algorithms() {
            let row = pollster::block_on(laboratory.row(algorithm)).unwrap();
            match &row.outcome {
                Outcome::Measured(figures) => {
                    measured += 1;
                    assert!(figures.median_us > 0.0 && figures.relative_l2_error < 1e-5, "{row:?}");
                    assert_eq!(figures.clock_step_us, Some(laboratory.clock().step_us));
                }
                Outcome::Skipped { skipped } => assert!(!skipped.is_empty()),
                Outcome::Failed { failed } => panic!("{algorithm}: {failed}"),
            }
        }
        assert!(measured > 5, "{measured}");
    }
}
