//! The order in which candidates are tried. It sees the device through [`Trial`] alone, so that the
//! tests can put costs of their own in its place.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::ControlFlow;

use super::candidates::{self, Candidate};
use super::{Progress, ProgressCallback, TuneError, TuneOptions, Tuned};
use crate::fft::algorithms::{Algorithm, LineTuning, Tuning, program};
use crate::fft::descriptor::{Axes, Axis, Descriptor, Placement};
use crate::fft::lab::timing::Timer;
use crate::fft::program::Program;
use crate::gpu::Capabilities;

/// Something that runs transforms.
pub(super) trait Trial {
    /// Told what is likely to be timed next: it may be compiled at once.
    fn prepare(&mut self, programs: Vec<Candidacy>);

    /// The median time of `descriptor`, whose program is `program`, in microseconds. `None` where it
    /// takes more than `limit_us` or does not run.
    async fn time(
        &mut self,
        descriptor: &Descriptor,
        program: Candidacy,
        limit_us: f64,
        effort: Effort,
    ) -> Result<Option<f64>, TuneError>;

    /// Whether `descriptor` gives the right result.
    async fn is_right(&mut self, descriptor: &Descriptor) -> Result<bool, TuneError>;

    /// What [`Trial::time`] measures with.
    fn timer(&self) -> Timer;

    /// The budget is spent.
    fn out_of_time(&self) -> bool;
}

/// A program that may be timed.
pub(super) struct Candidacy {
    /// Its [`fingerprint`].
    pub what: u64,
    /// The program.
    pub program: Program,
}

/// How carefully to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// To sort out.
    Short,
    /// To decide.
    Long,
}

/// What takes this many times as long as the best is dropped after one run ..
const DROP_FACTOR: f64 = 2.0;
/// .. beyond what a run on its own costs more than one among many, in microseconds.
const DROP_MARGIN_US: f64 = 20.0;
/// Starting points that a search along an axis follows up.
const SEEDS_FOLLOWED: usize = 2;
/// Ways to transform rows, and columns, that are tried together.
const LINES_COMBINED: usize = 3;
/// Pairs of those.
const COMBINATIONS: usize = 5;
/// How many of the best are measured again, with care.
const FINALISTS: usize = 3;

/// Tries candidates for `task` and gives the best that computes what it should.
pub(super) async fn search<T: Trial>(
    trial: &mut T,
    task: &Descriptor,
    capabilities: &Capabilities,
    options: TuneOptions<'_>,
) -> Result<Tuned, TuneError> {
    let starters = candidates::candidates(task, capabilities);
    let tiled = starters.iter().any(|starter| starter.algorithm == Algorithm::StockhamR8);
    let axes = if options.search && tiled { task.axes.list() } else { &[] };
    let mut search = Search {
        trial,
        task,
        capabilities,
        progress: options.progress,
        done: 0,
        of: planned(task, starters.len(), axes),
        known: HashMap::new(),
        measured: 0,
        whole: Vec::new(),
    };
    let first: Vec<_> = axes
        .iter()
        .flat_map(|axis| {
            let part = search.part(*axis);
            let seeds = candidates::seeds(task, *axis).into_iter();
            seeds.map(move |seed| Candidate::register_tiled(seed, seed).of(&part))
        })
        .chain(starters.iter().map(|starter| starter.of(task)))
        .collect();
    search.prepare(first);
    for starter in starters {
        search.try_whole(starter).await?;
    }
    if !axes.is_empty() {
        search.try_register_tiled(axes).await?;
    }
    search.decide().await
}

/// How many candidates a search looks at.
fn planned(task: &Descriptor, starters: usize, axes: &[Axis]) -> u32 {
    let along = |axis: &Axis| {
        let seeds = candidates::seeds(task, *axis).len();
        let turns: usize = candidates::knobs(*axis).iter().map(Vec::len).sum();
        seeds + seeds.min(SEEDS_FOLLOWED) * turns
    };
    let lines: usize = axes.iter().map(along).sum();
    let common: usize = candidates::common_knobs(task).iter().map(Vec::len).sum();
    let together = if axes.is_empty() { 0 } else { COMBINATIONS + common };
    (starters + lines + together + FINALISTS) as u32
}

struct Search<'a, 'p, T> {
    trial: &'a mut T,
    task: &'a Descriptor,
    capabilities: &'a Capabilities,
    progress: Option<ProgressCallback<'p>>,
    done: u32,
    of: u32,
    /// Times of programs, by what they run.
    known: HashMap<u64, Option<f64>>,
    measured: u32,
    /// Whole transforms with their times, the fastest first.
    whole: Vec<(Candidate, Timed)>,
}

/// A time.
#[derive(Clone, Copy)]
struct Timed {
    /// In microseconds.
    us: f64,
    /// What it is the time of: a [`fingerprint`].
    what: u64,
}

/// Adds a time to a list that starts with the shortest, unless the same program is there by another
/// name.
fn list<K>(times: &mut Vec<(K, Timed)>, key: K, timed: Timed) {
    if !times.iter().any(|(_, known)| known.what == timed.what) {
        times.push((key, timed));
        sort(times);
    }
}

fn sort<K>(times: &mut [(K, Timed)]) {
    times.sort_by(|(_, a), (_, b)| a.us.total_cmp(&b.us));
}

impl<T: Trial> Search<'_, '_, T> {
    /// Says that the next candidate is looked at.
    fn step(&mut self) -> Result<(), TuneError> {
        self.done = (self.done + 1).min(self.of);
        let progress = Progress { candidate: self.done, of: self.of };
        let callback = self.progress.as_mut();
        match callback.map(|callback| callback(progress)) {
            Some(ControlFlow::Break(())) => Err(TuneError::Cancelled),
            Some(ControlFlow::Continue(())) | None => Ok(()),
        }
    }

    /// The program of `descriptor`, if the device can run it.
    fn candidacy(&self, descriptor: &Descriptor) -> Option<Candidacy> {
        let program = program(descriptor, self.capabilities).ok()?;
        Some(Candidacy { what: fingerprint(&program), program })
    }

    /// Has compiled what is about to be tried, as far as it is not known already.
    fn prepare(&mut self, descriptors: impl IntoIterator<Item = Descriptor>) {
        if self.trial.out_of_time() {
            return;
        }
        let mut programs: Vec<Candidacy> = Vec::new();
        for descriptor in descriptors {
            let Some(program) = self.candidacy(&descriptor) else { continue };
            let is_there = |other: &Candidacy| other.what == program.what;
            if !self.known.contains_key(&program.what) && !programs.iter().any(is_there) {
                programs.push(program);
            }
        }
        self.trial.prepare(programs);
    }

    /// The time of `descriptor`, unless it is far over `best_us` or the time is up.
    async fn time(
        &mut self,
        descriptor: &Descriptor,
        best_us: Option<f64>,
    ) -> Result<Option<Timed>, TuneError> {
        self.step()?;
        // Something has to be chosen, however long it takes.
        if self.trial.out_of_time() && !self.whole.is_empty() {
            return Ok(None);
        }
        let Some(program) = self.candidacy(descriptor) else { return Ok(None) };
        let what = program.what;
        if let Some(known) = self.known.get(&what) {
            return Ok(known.map(|us| Timed { us, what }));
        }
        let limit_us = best_us.map_or(f64::INFINITY, |us| DROP_FACTOR * us + DROP_MARGIN_US);
        let time = self.trial.time(descriptor, program, limit_us, Effort::Short).await?;
        let time = time.filter(|us| us.is_finite());
        self.measured += u32::from(time.is_some());
        self.known.insert(what, time);
        Ok(time.map(|us| Timed { us, what }))
    }

    async fn try_whole(&mut self, candidate: Candidate) -> Result<(), TuneError> {
        let best_us = self.whole.first().map(|(_, best)| best.us);
        if let Some(timed) = self.time(&candidate.of(self.task), best_us).await? {
            list(&mut self.whole, candidate, timed);
        }
        Ok(())
    }

    /// Searches the parameters of the register-tiled algorithms, and tries the best of each axis
    /// together.
    async fn try_register_tiled(&mut self, axes: &[Axis]) -> Result<(), TuneError> {
        // An axis that is not transformed takes no time.
        let mut rows = vec![(LineTuning::default(), 0.0)];
        let mut columns = rows.clone();
        for &axis in axes {
            let found = self.lines(axis).await?;
            if found.is_empty() {
                continue;
            }
            let found = found.into_iter().map(|(line, timed)| (line, timed.us)).collect();
            match axis {
                Axis::Row => rows = found,
                Axis::Column => columns = found,
            }
        }
        let mut pairs: Vec<_> = rows
            .iter()
            .flat_map(|(row, row_us)| {
                let pair = move |(column, us): &(LineTuning, f64)| (*row, *column, row_us + us);
                columns.iter().map(pair)
            })
            .collect();
        pairs.sort_by(|a, b| a.2.total_cmp(&b.2));
        pairs.truncate(COMBINATIONS);
        let pairs: Vec<_> =
            pairs.iter().map(|pair| Candidate::register_tiled(pair.0, pair.1)).collect();
        self.prepare(pairs.iter().map(|pair| pair.of(self.task)));
        for pair in pairs {
            self.try_whole(pair).await?;
        }
        for knob in candidates::common_knobs(self.task) {
            let Some((best, _)) = self.whole.first().copied() else { return Ok(()) };
            let turned = |set: &fn(&mut Tuning)| {
                let mut turned = best;
                set(&mut turned.tuning);
                turned
            };
            self.prepare(knob.iter().map(|set| turned(set).of(self.task)));
            for set in &knob {
                self.try_whole(turned(set)).await?;
            }
        }
        Ok(())
    }

    /// The transform along `axis` alone, as it is in the whole one: there the second axis works in
    /// place on what the first has written.
    fn part(&self, axis: Axis) -> Descriptor {
        let axes = self.task.axes.list();
        let is_first = axes.first() == Some(&axis);
        let is_last = axes.last() == Some(&axis);
        Descriptor {
            axes: match axis {
                Axis::Row => Axes::Rows,
                Axis::Column => Axes::Columns,
            },
            placement: if is_first { self.task.placement } else { Placement::InPlace },
            load: self.task.load.clone().filter(|_| is_first),
            store: self.task.store.clone().filter(|_| is_last),
            ..self.task.clone()
        }
    }

    /// The best ways to transform lines along `axis` alone, the fastest first.
    async fn lines(&mut self, axis: Axis) -> Result<Vec<(LineTuning, Timed)>, TuneError> {
        let part = self.part(axis);
        let mut times = Vec::new();
        for seed in candidates::seeds(self.task, axis) {
            self.try_line(&part, seed, &mut times).await?;
        }
        let seeds: Vec<_> = times.iter().take(SEEDS_FOLLOWED).copied().collect();
        for (mut line, mut best) in seeds {
            for knob in candidates::knobs(axis) {
                self.prepare(knob.iter().map(|set| {
                    let mut turned = line;
                    set(&mut turned);
                    Candidate::register_tiled(turned, turned).of(&part)
                }));
                for set in knob {
                    let mut turned = line;
                    set(&mut turned);
                    let timed = self.try_line(&part, turned, &mut times).await?;
                    // Equal where the algorithm's own choice gets a name, and then stays while
                    // others change.
                    if let Some(timed) = timed.filter(|timed| timed.us <= best.us) {
                        (line, best) = (turned, timed);
                    }
                }
            }
        }
        times.truncate(LINES_COMBINED);
        Ok(times)
    }

    async fn try_line(
        &mut self,
        part: &Descriptor,
        line: LineTuning,
        times: &mut Vec<(LineTuning, Timed)>,
    ) -> Result<Option<Timed>, TuneError> {
        let best_us = times.first().map(|(_, best)| best.us);
        let timed = self.time(&Candidate::register_tiled(line, line).of(part), best_us).await?;
        if let Some(timed) = timed {
            list(times, line, timed);
        }
        Ok(timed)
    }

    /// Measures the best again and gives the fastest that is right.
    async fn decide(mut self) -> Result<Tuned, TuneError> {
        let finalists = self.whole.len().min(FINALISTS);
        for place in 0..finalists {
            self.step()?;
            if self.trial.out_of_time() {
                break;
            }
            let descriptor = self.whole[place].0.of(self.task);
            let Some(program) = self.candidacy(&descriptor) else { continue };
            let time = self.trial.time(&descriptor, program, f64::INFINITY, Effort::Long).await?;
            if let Some(us) = time.filter(|us| us.is_finite()) {
                self.whole[place].1.us = us;
            }
        }
        sort(&mut self.whole[..finalists]);
        for (candidate, timed) in &self.whole {
            if self.trial.is_right(&candidate.of(self.task)).await? {
                return Ok(Tuned {
                    algorithm: candidate.algorithm,
                    tuning: candidate.tuning,
                    median_us: timed.us,
                    timer: self.trial.timer(),
                    candidates: self.measured,
                });
            }
            log::warn!(
                "{} with {:?} gives a wrong result here",
                candidate.algorithm,
                candidate.tuning
            );
        }
        match self.whole.len() as u32 {
            0 => Err(TuneError::NoTimes),
            candidates => Err(TuneError::Wrong { candidates }),
        }
    }
}

/// The same for programs that run the same: different parameters may come to one program.
pub(super) fn fingerprint(program: &Program) -> u64 {
    let mut hasher = DefaultHasher::new();
    program.kernels.iter().for_each(|kernel| kernel.wgsl.hash(&mut hasher));
    for dispatch in &program.dispatches {
        (dispatch.kernel, &dispatch.roles, &dispatch.params, dispatch.workgroups).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests;
