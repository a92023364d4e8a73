//! The order in which candidates are tried. It uses the device through [`Trial`] alone, so that the tests can
//! replace it by known costs.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::ControlFlow;

use super::{Progress, ProgressCallback, Ranked, TuneError, TuneOptions, Tuned, space};
use crate::algorithms::{register_tiled, smooth};
use crate::choice::Choice as _;
use crate::configuration::{Configuration, Value};
use crate::descriptor::Descriptor;
use crate::error::FftError;
use crate::gpu::Capabilities;
use crate::lab::timing::Timer;
use crate::planner::{self, program};
use crate::program::Program;

pub(super) trait Evaluator {
    /// Gets ready what is compared next.
    fn prepare(&mut self, programs: &[Candidate]);

    /// Works until the device's clocks are where they stay under work.
    async fn warm_up(&mut self, program: &Candidate) -> Result<(), TuneError>;

    /// Times `others` in turn with `incumbent`.
    async fn compare(
        &mut self,
        incumbent: &Candidate,
        others: &[Candidate],
        effort: Effort,
    ) -> Result<Comparison, TuneError>;

    async fn is_right(&mut self, descriptor: &Descriptor) -> Result<bool, TuneError>;

    fn timer(&self) -> Timer;

    fn out_of_time(&self) -> bool;
}

#[derive(Clone)]
pub(super) struct Candidate {
    /// The [`fingerprint`] of the configuration.
    pub what: u64,
    /// The algorithm and its parameters, complete.
    pub configuration: Configuration,
    pub program: Program,
}

#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// The time of the incumbent, in microseconds; `None` if it does not run.
    pub incumbent_us: Option<f64>,
    /// The times of the others over the incumbent's; `None` if one does not run, or is far too slow.
    pub ratios: Vec<Option<f64>>,
}

/// The precision of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// A short measurement, which sorts out slow candidates.
    Short,
    /// A long measurement, which decides.
    Long,
}

/// A ratio above this is no gain, when sorting out.
const NOTHING: f64 = 0.997;
/// A ratio above this is no gain, when deciding.
const AS_FAST: f64 = 0.995;
/// Number of candidates compared at a time.
const GROUP: usize = 8;
/// Number of the fastest register-tiled algorithms that the search continues from.
const STARTS: usize = 3;
/// Rounds of changing every parameter.
const ROUNDS: usize = 4;
/// Number of the best candidates that are measured again with care.
const FINALISTS: usize = 8;
/// Consecutive decisions for the same candidate that end the measurements.
const SAME: usize = 2;
const DECISIONS: usize = 5;
/// Number of the best along each axis that a sweep combines.
const SWEPT: usize = 24;

/// Tries candidates for `task` and returns the best with a right result.
pub(super) async fn search<T: Evaluator>(
    trial: &mut T,
    task: &Descriptor,
    capabilities: &Capabilities,
    options: TuneOptions<'_>,
) -> Result<Tuned, TuneError> {
    let mut search = Search::new(trial, task, capabilities, options.progress)?;
    search.begin().await?;
    let starters = space::candidates(task, capabilities);
    let default = search.default.clone();
    search.challenge(&default, starters).await?;
    if options.search {
        for start in search.starts() {
            search.descend(start).await?;
        }
    }
    search.decide().await
}

/// Tries every combination along each axis, and every pair of the best.
pub(super) async fn sweep<T: Evaluator>(
    trial: &mut T,
    task: &Descriptor,
    capabilities: &Capabilities,
    options: TuneOptions<'_>,
) -> Result<Vec<Ranked>, TuneError> {
    let mut search = Search::new(trial, task, capabilities, options.progress)?;
    search.begin().await?;
    let default = search.default.clone();
    search.challenge(&default, space::candidates(task, capabilities)).await?;
    // Whatever is best, its parameters are all turned from here.
    let Some(start) = search.starts().into_iter().next() else { return search.rank().await };
    let with = |configurations: &[Configuration], parameter| -> Vec<Configuration> {
        let turned = |here| space::turned(here, parameter, task, capabilities);
        configurations.iter().flat_map(turned).collect()
    };
    let axes: Vec<&str> = task.axes.list().iter().map(|axis| axis.name()).collect();
    for tiled in with(&[start.configuration], "tiles") {
        // The columns of a tile are those of a workgroup of the column pass, and rows are stored in
        // tiles: with them, the best rows are other ones for other columns.
        let depends = tiled.get("tiles") == Some(Value::Flag(true));
        let mut best = Vec::new();
        for axis in &axes {
            let bases = match (*axis, depends) {
                ("row", true) => with(&[tiled], "column-lines"),
                _ => vec![tiled],
            };
            let all = bases
                .iter()
                .flat_map(|base| space::along(base, axis, task, capabilities))
                .collect();
            best.push(search.best_of(&start, all, SWEPT).await?);
        }
        if let [rows, columns] = &best[..] {
            let pairs = rows.iter().flat_map(|rows| {
                let cross = |columns| space::crossed(rows, columns, task, capabilities);
                columns.iter().filter_map(cross)
            });
            let pairs = pairs.collect();
            search.challenge(&start, pairs).await?;
        }
    }
    let best: Vec<_> = search.leaders(SWEPT).iter().map(|leader| leader.configuration).collect();
    search.challenge(&start, with(&best, "layers-in-turn")).await?;
    search.challenge(&start, with(&best, "twiddles")).await?;
    search.rank().await
}

struct Search<'a, 'p, T> {
    trial: &'a mut T,
    task: &'a Descriptor,
    capabilities: &'a Capabilities,
    progress: Option<ProgressCallback<'p>>,
    done: u32,
    of: u32,
    default: Candidate,
    default_us: f64,
    /// The measured candidates by fingerprint, each with its time over the default's, as far as the
    /// comparisons tell.
    board: HashMap<u64, (Candidate, f64)>,
    /// The fingerprints of candidates that do not run, or run far too slowly.
    dropped: HashSet<u64>,
    /// How many of the best gave a wrong result.
    wrong: u32,
}

impl<'a, 'p, T: Evaluator> Search<'a, 'p, T> {
    fn new(
        trial: &'a mut T,
        task: &'a Descriptor,
        capabilities: &'a Capabilities,
        progress: Option<ProgressCallback<'p>>,
    ) -> Result<Self, TuneError> {
        let default = planner::choose(task, capabilities).map_err(FftError::from)?;
        let default = candidate(&default, task, capabilities).expect("the planner saw it run");
        Ok(Self {
            trial,
            task,
            capabilities,
            progress,
            done: 0,
            of: 0,
            default,
            default_us: 0.0,
            board: HashMap::new(),
            dropped: HashSet::new(),
            wrong: 0,
        })
    }

    /// Warms up on the default, and times it.
    async fn begin(&mut self) -> Result<(), TuneError> {
        self.tell(0)?;
        let default = self.default.clone();
        self.trial.prepare(std::slice::from_ref(&default));
        self.trial.warm_up(&default).await?;
        let comparison = self.trial.compare(&default, &[], Effort::Short).await?;
        let Some(us) = comparison.incumbent_us else { return Err(TuneError::NoTimes) };
        self.default_us = us;
        self.board.insert(default.what, (default, 1.0));
        Ok(())
    }

    /// Reports that `more` candidates were tried.
    fn tell(&mut self, more: usize) -> Result<(), TuneError> {
        self.done += more as u32;
        self.of = self.of.max(self.done);
        let progress = Progress { candidate: self.done, of: self.of };
        let callback = self.progress.as_mut();
        match callback.map(|callback| callback(progress)) {
            Some(ControlFlow::Break(())) => Err(TuneError::Cancelled),
            Some(ControlFlow::Continue(())) | None => Ok(()),
        }
    }

    /// The programs of `configurations` that the device can run and that were not timed yet.
    fn new_ones(&self, configurations: Vec<Configuration>) -> Vec<Candidate> {
        let mut new: Vec<Candidate> = Vec::new();
        for configuration in configurations {
            let Some(one) = candidate(&configuration, self.task, self.capabilities) else {
                continue;
            };
            let is_known = self.board.contains_key(&one.what)
                || self.dropped.contains(&one.what)
                || new.iter().any(|other| other.what == one.what);
            if !is_known {
                new.push(one);
            }
        }
        new
    }

    /// Times the new ones of `configurations` beside `incumbent`.
    async fn challenge(
        &mut self,
        incumbent: &Candidate,
        configurations: Vec<Configuration>,
    ) -> Result<(), TuneError> {
        let new = self.new_ones(configurations);
        self.of = self.of.max(self.done + new.len() as u32);
        if self.trial.out_of_time() {
            return Ok(());
        }
        // A group more than is compared, so that compiling does not hold up measuring ..
        self.trial.prepare(&new);
        let score = self.score(incumbent);
        for group in new.chunks(GROUP) {
            self.tell(group.len())?;
            if self.trial.out_of_time() {
                break;
            }
            let comparison = self.trial.compare(incumbent, group, Effort::Short).await?;
            for (one, ratio) in group.iter().zip(comparison.ratios) {
                match ratio.filter(|ratio| ratio.is_finite()) {
                    Some(ratio) => {
                        self.board.insert(one.what, (one.clone(), score * ratio));
                    }
                    None => {
                        self.dropped.insert(one.what);
                    }
                }
            }
        }
        Ok(())
    }

    fn score(&self, candidate: &Candidate) -> f64 {
        self.board.get(&candidate.what).map_or(1.0, |(_, score)| *score)
    }

    /// The `count` fastest candidates, fastest first.
    fn leaders(&self, count: usize) -> Vec<Candidate> {
        let mut leaders: Vec<_> = self.board.values().collect();
        leaders.sort_by(|(a, x), (b, y)| x.total_cmp(y).then(a.what.cmp(&b.what)));
        leaders.into_iter().take(count).map(|(candidate, _)| candidate.clone()).collect()
    }

    /// The starts of the descent: the fastest register-tiled algorithms, of different radices, or, for other
    /// lengths, the fastest of the smooth ones.
    fn starts(&self) -> Vec<Candidate> {
        for family in [&register_tiled::FAMILY[..], &smooth::FAMILY] {
            let mut starts: Vec<Candidate> = Vec::new();
            for leader in self.leaders(usize::MAX) {
                let algorithm = leader.configuration.algorithm();
                let is_new = |start: &Candidate| start.configuration.algorithm() != algorithm;
                if family.contains(&algorithm) && starts.iter().all(is_new) {
                    starts.push(leader);
                }
            }
            if !starts.is_empty() {
                starts.truncate(STARTS);
                return starts;
            }
        }
        Vec::new()
    }

    /// Changes one knob after the other, from `start`, and keeps the fastest setting, until a whole round
    /// changes nothing.
    async fn descend(&mut self, start: Candidate) -> Result<(), TuneError> {
        let mut here = start;
        for _ in 0..ROUNDS {
            let before = here.what;
            let knobs = space::moves(&here.configuration, self.task, self.capabilities).len();
            for knob in 0..knobs {
                if self.trial.out_of_time() {
                    return Ok(());
                }
                let mut moves = space::moves(&here.configuration, self.task, self.capabilities);
                let moves = moves.swap_remove(knob);
                self.challenge(&here, moves.clone()).await?;
                here = self.best_among(&here, &moves);
            }
            if here.what == before {
                break;
            }
        }
        Ok(())
    }

    /// The best of `configurations`, if it beats `here`.
    fn best_among(&self, here: &Candidate, configurations: &[Configuration]) -> Candidate {
        let mut best = (here.clone(), self.score(here) * NOTHING);
        for (candidate, score) in self.board.values() {
            if *score < best.1 && configurations.contains(&candidate.configuration) {
                best = (candidate.clone(), *score);
            }
        }
        best.0
    }

    /// The `count` fastest of `configurations`.
    async fn best_of(
        &mut self,
        start: &Candidate,
        configurations: Vec<Configuration>,
        count: usize,
    ) -> Result<Vec<Configuration>, TuneError> {
        self.challenge(start, configurations.clone()).await?;
        let known: HashSet<_> = configurations.into_iter().collect();
        let mut found: Vec<_> = self
            .board
            .values()
            .filter(|(candidate, _)| known.contains(&candidate.configuration))
            .map(|(candidate, score)| (candidate.configuration, *score))
            .collect();
        found.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        Ok(found.into_iter().take(count).map(|(configuration, _)| configuration).collect())
    }

    /// Measures the best again, beside the default, until the fastest stays the same, and returns it if it is
    /// right.
    async fn decide(mut self) -> Result<Tuned, TuneError> {
        loop {
            let default = self.default.clone();
            let mut finalists = self.leaders(FINALISTS);
            finalists.retain(|finalist| finalist.what != default.what);
            let ratios = self.settle(&default, &finalists).await?;
            let fastest = finalists
                .iter()
                .zip(ratios)
                .filter(|(_, ratio)| *ratio < AS_FAST)
                .min_by(|(_, a), (_, b)| a.total_cmp(b));
            let (winner, ratio) = fastest.map_or((&default, 1.0), |(one, ratio)| (one, ratio));
            if self.trial.is_right(&self.task.clone().by(winner.configuration)).await? {
                return Ok(Tuned {
                    configuration: winner.configuration,
                    median_us: self.default_us * ratio,
                    timer: self.trial.timer(),
                    ratio_to_default: ratio,
                    candidates: self.board.len() as u32,
                });
            }
            log::warn!("{:?} gives a wrong result here", winner.configuration);
            self.wrong += 1;
            self.board.remove(&winner.what);
            if winner.what == default.what {
                // Whatever is right is better than what was known; from now on beside the next best.
                let next = self.leaders(1).pop();
                self.default = next.ok_or(TuneError::Wrong { candidates: self.wrong })?;
            }
        }
    }

    /// The times of `finalists` over that of `default`, measured until the best of them stays the same.
    async fn settle(
        &mut self,
        default: &Candidate,
        finalists: &[Candidate],
    ) -> Result<Vec<f64>, TuneError> {
        let mut sums = vec![0.0; finalists.len()];
        let (mut last, mut same) = (None, 0);
        for round in 1..=DECISIONS {
            self.tell(0)?;
            let comparison = self.trial.compare(default, finalists, Effort::Long).await?;
            self.default_us = comparison.incumbent_us.unwrap_or(self.default_us);
            for (sum, ratio) in sums.iter_mut().zip(&comparison.ratios) {
                *sum += ratio.unwrap_or(f64::INFINITY).ln();
            }
            let best = (0..sums.len()).min_by(|a, b| sums[*a].total_cmp(&sums[*b]));
            same = if best == last { same + 1 } else { 1 };
            last = best;
            if same >= SAME || self.trial.out_of_time() {
                return Ok(sums.into_iter().map(|sum| (sum / round as f64).exp()).collect());
            }
        }
        Ok(sums.into_iter().map(|sum| (sum / DECISIONS as f64).exp()).collect())
    }

    /// All of the best, measured again beside the default.
    async fn rank(mut self) -> Result<Vec<Ranked>, TuneError> {
        let default = self.default.clone();
        let leaders = self.leaders(2 * SWEPT);
        let mut ranked = Vec::new();
        for group in leaders.chunks(GROUP) {
            let ratios = self.settle(&default, group).await?;
            for (one, ratio) in group.iter().zip(ratios) {
                ranked.push(Ranked {
                    configuration: one.configuration,
                    median_us: self.default_us * ratio,
                    ratio_to_default: ratio,
                });
            }
        }
        ranked.sort_by(|a, b| a.ratio_to_default.total_cmp(&b.ratio_to_default));
        Ok(ranked)
    }
}

/// The program of `configuration`, if the device can run it.
fn candidate(
    configuration: &Configuration,
    task: &Descriptor,
    capabilities: &Capabilities,
) -> Option<Candidate> {
    let program = program(&task.clone().by(*configuration), capabilities).ok()?;
    let configuration = program.configuration.unwrap_or(*configuration);
    Some(Candidate { what: fingerprint(&program), configuration, program })
}

/// Equal for programs that run the same code: different parameters may lead to one program.
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
