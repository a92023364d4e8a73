//! Algorithms side by side while frames are drawn: every one of them on the same spectra, in turn,
//! within a budget of GPU time a frame.
//!
//! [`Preparation::run`] compiles the rows, checks each against double precision and tries how long it
//! takes, on a thread and a device of its own ([`Running`]). What it gives goes to a [`Comparison`], which belongs to
//! the device that draws: [`Comparison::next_frame`], once a frame, runs what the budget allows, timed
//! as `fft::lab` times ([`Clock`]), each row in one frame with what it
//! is compared with. [`Comparison::table`] is what is known so far.
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

pub use prepare::{Candidate, ComparisonError, Facts, Notice, Preparation};
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

/// Frames whose times may still be on their way: what runs ahead further is not waited for.
const FRAMES_AHEAD: usize = 4;

/// Passes that a frame times at most.
const PASSES: u32 = 64;

/// How far a row is.
enum State {
    /// It is not prepared yet: what is being done.
    Pending(&'static str),
    /// It runs, or has no times for a reason.
    Done(Outcome<Box<Candidate>>),
}

impl State {
    /// Its turn to be prepared has not come.
    const WAITING: Self = Self::Pending("waiting");
    /// It is being prepared.
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
    /// By row; the last is the copy.
    states: Vec<State>,
    rounds: Rounds,
    clock: Clock,
    /// Where that is coarse.
    clock_step: Option<ClockStep>,
    timings: VecDeque<(Vec<Planned>, Timing)>,
    device: wgpu::Device,
    paused: bool,
}

impl Comparison {
    /// A comparison of `entries` on `problem` for the device that draws, with nothing to run yet.
    /// `budget_us` is what a frame may spend, in microseconds.
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
            clock: Clock::by(Timer::believed(device), device, queue, PASSES),
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

    /// What is compared.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The rows.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What the times are taken with.
    pub fn timer(&self) -> Timer {
        self.clock.timer()
    }

    /// What a frame may spend, in microseconds, from the next one on.
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

    /// Runs nothing, and keeps what is known.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
    }

    /// Whether nothing runs.
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
                        let scale = candidate.facts.scale;
                        self.rounds.add(row, family, candidate.once_us, scale);
                    }
                    None => self.replace_baseline(row),
                }
                self.states[row] = State::Done(done);
            }
        }
    }

    /// `row` will never run: if others were to be compared with it, the next that may takes its place.
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

    /// Rows that are still to be prepared.
    pub fn waiting(&self) -> usize {
        let is_waiting = |state: &&State| matches!(state, State::Pending(_));
        self.states.iter().take(self.entries.len()).filter(is_waiting).count()
    }

    /// Every row that can run has figures that have settled.
    pub fn has_settled(&self) -> bool {
        let is_settled = |row| self.rounds.figures(row).is_some_and(|figures| figures.settled);
        let mut states = self.states.iter().enumerate();
        self.waiting() == 0
            && states.all(|(row, state)| state.candidate().is_none() || is_settled(row))
    }

    /// Takes the times that are back, and submits what this frame may spend. To be called once a
    /// frame, beside its own submission. Only where the processor's clock has to do, it waits for what
    /// it has submitted.
    ///
    /// # Errors
    /// [`ReadbackError`] where the device does not answer.
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
            // What was submitted before is not to be in the first time.
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

    /// What is known so far.
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
