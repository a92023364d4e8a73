//! The laboratory as a page: every algorithm on the device of a visitor, whose clock may be coarse.

use super::{Checked, Laboratory};
use crate::bench::{Figures, Outcome, Row};
use crate::fft::lab::timing::{Method, Regime, Timer};
use crate::fft::lab::{Accuracy, AlgorithmChoice, ClockStep, WorkloadError};
use crate::fft::{Descriptor, Direction, Layout};
use crate::gpu::Context;

/// Verifies and times every algorithm on images of `size` x `size` points, and reports each to `listener`:
/// first a JSON object `{adapter, timer, clock_step_us, size, batch, algorithms}`, then one row of
/// `seaway bench` for each algorithm.
///
/// # Errors
/// A message for the user.
pub async fn run(
    context: &Context,
    size: u32,
    mut listener: impl FnMut(String) -> Result<(), String>,
) -> Result<(), String> {
    let mut laboratory = Laboratory::on_coarse_clock(context).await.map_err(message)?;
    let task = Laboratory::task_of_page(size);
    let copy_us = laboratory.copy_us(&task, Regime::Hot).await.map_err(message)?;
    let algorithms =
        || AlgorithmChoice::of_powers_of_two().filter(|choice| choice.named().is_some());
    let header = serde_json::json!({
        "adapter": context.describe(),
        "is_software": context.is_software(),
        "timer": Timer::of(&context.device),
        "clock_step_us": laboratory.clock.map(|clock| clock.step_us),
        "size": size,
        "batch": task.batch,
        "algorithms": algorithms().map(|choice| choice.to_string()).collect::<Vec<_>>(),
    });
    listener(header.to_string())?;
    for algorithm in algorithms() {
        let row = laboratory.row_of_page(algorithm, &task, copy_us).await.map_err(message)?;
        listener(serde_json::to_string(&row).map_err(message)?)?;
    }
    Ok(())
}

fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl<'a> Laboratory<'a> {
    /// Images that the page transforms together.
    const BATCH: u32 = 4;

    /// A laboratory that measures the step of the clock, and takes samples of many steps.
    ///
    /// # Errors
    /// [`WorkloadError`] if the device refuses even that.
    pub async fn on_coarse_clock(context: &'a Context) -> Result<Self, WorkloadError> {
        let step = ClockStep::measure(context, Timer::of(&context.device)).await?;
        let clock = step.unwrap_or(ClockStep::USUAL);
        Ok(Self::on_clock(context, clock, clock.method()))
    }

    /// A laboratory that times by `method` on a clock of that step.
    pub fn on_clock(context: &'a Context, clock: ClockStep, method: Method) -> Self {
        Self { clock: Some(clock), ..Self::new(context, method) }
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

#[cfg(test)]
mod tests {
    use seaway_core::testing::context;
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_algorithm_is_right_or_gives_its_reason() {
        let context = context();
        let mut reports = Vec::<Value>::new();
        let listener = |report: String| {
            reports.push(serde_json::from_str(&report).unwrap());
            Ok(())
        };
        pollster::block_on(run(&context, 64, listener)).unwrap();
        let (header, rows) = reports.split_first().unwrap();
        assert_eq!(header["algorithms"].as_array().unwrap().len(), rows.len());
        let mut measured = 0;
        for row in rows {
            if let Some(skipped) = row.get("skipped") {
                assert!(!skipped.as_str().unwrap().is_empty());
                continue;
            }
            let number = |key: &str| row[key].as_f64().unwrap_or(f64::NAN);
            assert!(number("median_us") > 0.0 && number("relative_l2_error") < 1e-5, "{row}");
            assert_eq!(row["clock_step_us"], header["clock_step_us"]);
            measured += 1;
        }
        assert!(measured > 5, "{measured}");
    }
}
