//! Compares algorithms while frames are drawn: all of them on the same spectra, in turn, within a budget of
//! GPU time a frame.
//!
//! [`Preparation::run`] compiles the rows, checks each against double precision and tries how long it takes,
//! on a thread and a device of its own ([`Running`]). Its results go to a [`Comparison`], which belongs to
//! the device that draws: [`Comparison::next_frame`], once a frame, runs the rows that the budget allows,
//! timed as `fft::lab` times ([`Clock`]), each row in one frame with its baseline. [`Comparison::table`]
//! returns the results so far.
//!
//! ```text
//! Problem, [Entry] -> prepare -> Candidate -> rounds -> table
//! ```

mod prepare;
mod problem;
mod rounds;
mod rows;
#[cfg(any(not(target_family = "wasm"), feature = "web"))]
mod running;
mod table;
#[cfg(test)]
mod table_tests;
mod work;

use std::collections::VecDeque;

pub use prepare::{Candidate, ComparisonError, Notice, Preparation};
pub use problem::{Entry, Problem, RowKind};
pub use rounds::Figures;
use rounds::{Planned, Rounds};
#[cfg(any(not(target_family = "wasm"), feature = "web"))]
pub use running::{Progress, Running};
pub use table::{Line, Measured, Table, microseconds, named};

use super::Outcome;
use crate::fft::lab::ClockStep;
use crate::fft::lab::timing::{Clock, Timer, Timing, Turn};
use crate::gpu::ReadbackError;

/// Most frames with times in flight; beyond that, frames submit nothing.
const FRAMES_AHEAD: usize = 4;

/// Most timed passes of a frame.
const PASSES: u32 = 64;

enum State {
    /// It is not prepared yet; the text is the present step.
    Pending(&'static str),
    /// It runs, or has no times for a reason.
    Done(Outcome<Box<Candidate>>),
}

impl State {
    /// Another row is being prepared.
    const WAITING: Self = Self::Pending("waiting");
    const PREPARING: Self = Self::Pending("compiling and checking");

    fn candidate(&self) -> Option<&Candidate> {
        match self {
            Self::Pending(_) => None,
            Self::Done(done) => done.figures().map(|candidate| &**candidate),
        }
    }

    /// Whether it may run, now or later.
    fn may_run(&self) -> bool {
        matches!(self, Self::Pending(_)) || self.candidate().is_some()
    }
}

/// Rows that run beside the frames of one device.
pub struct Comparison {
    problem: Problem,
    entries: Vec<Entry>,
    /// The states by row; the last is the copy.
    states: Vec<State>,
    rounds: Rounds,
    clock: Clock,
    /// Measured where the clock is coarse.
    clock_step: Option<ClockStep>,
    timings: VecDeque<(Vec<Planned>, Timing)>,
    device: wgpu::Device,
    paused: bool,
}

impl Comparison {
    /// Makes a comparison of `entries` on `subject` for the device that draws, with nothing to run yet.
    /// `budget_us` is the time that a frame may spend, in microseconds.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        problem: Problem,
        entries: Vec<Entry>,
        budget_us: f64,
    ) -> Self {
        let rows = entries.len() + 1;
        let mut comparison = Self {
            problem,
            states: (0..rows).map(|_| State::WAITING).collect(),
            rounds: Rounds::new(rows, RowKind::FAMILIES, budget_us),
            clock: Clock::by(Timer::of(device), device, queue, PASSES),
            clock_step: None,
            timings: VecDeque::new(),
            device: device.clone(),
            entries,
            paused: false,
        };
        for family in 0..RowKind::FAMILIES {
            let first = comparison.entries.iter().position(|entry| entry.kind.family() == family);
            comparison.rounds.set_baseline(family, first);
        }
        comparison
    }

    /// The rows, without the copy.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The clock of the times: the GPU's or the processor's.
    pub fn timer(&self) -> Timer {
        self.clock.timer()
    }

    /// Sets the time that a frame may spend, in microseconds, from the next one on.
    pub fn set_budget_us(&mut self, budget_us: f64) {
        self.rounds.set_budget_us(budget_us);
    }

    /// Compares the rows of the same family with `row`, from now on.
    pub fn set_baseline(&mut self, row: usize) {
        if let Some(entry) = self.entries.get(row)
            && self.states[row].may_run()
        {
            self.rounds.set_baseline(entry.kind.family(), Some(row));
        }
    }

    /// Stops running rows, or continues; the results stay.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
    }

    /// Whether the comparison is paused.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Applies a notice of [`Preparation::run`].
    pub fn receive(&mut self, notice: Notice) {
        match notice {
            Notice::Clock(step) => {
                self.clock_step = Some(step);
                self.rounds.set_clock_step_us(step.step_us);
            }
            Notice::Begun(row) => self.states[row] = State::PREPARING,
            Notice::Done(row, done) => {
                match done.figures() {
                    Some(candidate) => {
                        let family = self.kind(row).family();
                        let scale = candidate.properties.scale;
                        self.rounds.add(row, family, candidate.once_us, scale);
                    }
                    None => self.replace_baseline(row),
                }
                self.states[row] = State::Done(done);
            }
        }
    }

    /// Replaces `row`, which will never run, as a baseline by the next row that may.
    fn replace_baseline(&mut self, row: usize) {
        let family = self.kind(row).family();
        if self.rounds.baseline(family) != Some(row) {
            return;
        }
        let may_run = |other: &usize| {
            *other != row
                && self.entries[*other].kind.family() == family
                && self.states[*other].may_run()
        };
        let other = (0..self.entries.len()).find(may_run);
        self.rounds.set_baseline(family, other);
    }

    /// The number of rows that are still to be prepared.
    pub fn waiting(&self) -> usize {
        let is_waiting = |state: &&State| matches!(state, State::Pending(_));
        self.states.iter().take(self.entries.len()).filter(is_waiting).count()
    }

    /// Whether every row that can run has settled figures.
    pub fn has_settled(&self) -> bool {
        let is_settled = |row| self.rounds.figures(row).is_some_and(|figures| figures.settled);
        let mut states = self.states.iter().enumerate();
        self.waiting() == 0
            && states.all(|(row, state)| state.candidate().is_none() || is_settled(row))
    }

    /// Takes the times that are back, and submits the rows that the frame's budget allows. To be called once
    /// a frame, beside its own submission. It waits for its submissions only if the processor's clock is the
    /// only one.
    ///
    /// # Errors
    /// [`ReadbackError`] if the device does not answer.
    pub fn next_frame(&mut self) -> Result<(), ReadbackError> {
        self.collect()?;
        if self.paused || self.timings.len() >= FRAMES_AHEAD {
            return Ok(());
        }
        let planned = self.rounds.next_frame();
        if planned.is_empty() {
            return Ok(());
        }
        if self.clock.timer() == Timer::Wall {
            // Earlier submissions must not count in the first time.
            self.device.poll(wgpu::PollType::wait_indefinitely())?;
        }
        let turn = |pass: &Planned| {
            let candidate = self.states[pass.row].candidate().expect("only what runs has a turn");
            let encode = |pass: &mut wgpu::ComputePass<'_>, repetition| {
                candidate.work.encode(pass, repetition);
            };
            Turn { repetitions: pass.repetitions, encode: Box::new(encode) }
        };
        let timing = self.clock.start(&planned.iter().map(turn).collect::<Vec<_>>())?;
        self.timings.push_back((planned, timing));
        Ok(())
    }

    fn collect(&mut self) -> Result<(), ReadbackError> {
        while let Some((planned, timing)) = self.timings.front_mut() {
            let Some(times) = self.clock.times_of(timing) else { break };
            self.rounds.took(planned, &times?);
            self.timings.pop_front();
        }
        Ok(())
    }

    /// The results so far, a line for each row.
    pub fn table(&self) -> Table {
        let copy = self.entries.len();
        Table::new(self, copy)
    }

    fn kind(&self, row: usize) -> RowKind {
        self.entries.get(row).map_or(RowKind::Transform, |entry| entry.kind)
    }
}

/// A table with a row of every outcome.
#[cfg(all(test, feature = "app"))]
pub(crate) use table_tests::example as example_table;

#[cfg(test)]
mod tests;
