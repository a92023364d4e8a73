//! Schedules the rows and collects their times: plain numbers, apart from the GPU.
//!
//! Every frame may spend a budget of GPU time. A row that does not fit saves up over several frames, so that
//! the mean stays within it; rows that fit run in turn, each beside the baseline of its family in the same
//! frame, so that clocks drift alike for both: ranks go by the ratio of the two.

use crate::fft::lab::to_multiple;
use crate::gpu::{median, percentile};

/// Shortest pass worth its timestamps, in microseconds.
const PASS_US: f64 = 300.0;
/// Fewest steps of a coarse clock in a pass: two per cent each.
const STEPS: f64 = 50.0;
/// Share of the budget that one pass may take, if it can be split.
const SHARE_OF_BUDGET: f64 = 0.25;
const MOST_REPETITIONS: u32 = 400;
/// Newest samples that count for the figures.
const SAMPLES: usize = 101;
/// Fewest samples of a settled figure.
const FEWEST: usize = 11;
/// Largest standard error of a settled median, as a share of it.
const STANDARD_ERROR: f64 = 0.01;
/// With this many samples a figure counts as settled anyway.
const ENOUGH: usize = 61;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    pub row: usize,
    pub repetitions: u32,
}

/// The figures of a row's times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Microseconds of one run: the median of the samples.
    pub median_us: f64,
    /// The 5th percentile of the samples, in microseconds.
    pub p5_us: f64,
    /// The 95th percentile of the samples, in microseconds.
    pub p95_us: f64,
    /// Its time over that of its family's baseline: the median of the ratios within frames.
    pub ratio_to_baseline: Option<f64>,
    /// The number of samples behind the figures.
    pub samples: usize,
    /// Whether more samples would change little.
    pub settled: bool,
    /// Repetitions in the newest sample.
    pub repetitions: u32,
    /// Resolution of the clock for one run, in microseconds: times are multiples of this. 0 if the clock is
    /// fine.
    pub known_us: f64,
    /// Resolution of the clock as a share of the time, added to the baseline's if the ratio to one is
    /// compared. 0 if the clock is fine.
    pub known_share: f64,
}

#[derive(Debug)]
struct Runner {
    family: usize,
    /// The factor from a run's time to that of all images.
    scale: f64,
    /// Approximate time of one run, in microseconds.
    once_us: f64,
    /// Whether its first pass, which may compile and is not counted, has run.
    is_warm: bool,
    /// Most repetitions of the next pass: twice those of the one before, so that a first time that was far
    /// too short leads to no pass that is far too long.
    most: u32,
    /// Repetitions of the newest counted pass.
    counted: u32,
    times_us: Vec<f64>,
    ratios: Vec<f64>,
}

#[derive(Debug)]
pub struct Rounds {
    budget_us: f64,
    /// Microseconds between values of a coarse clock; else 0.
    clock_step_us: f64,
    saved_us: f64,
    /// By row; `None` for rows that cannot run.
    runners: Vec<Option<Runner>>,
    /// The baseline's row, by family.
    baselines: Vec<Option<usize>>,
    next: usize,
    /// The row whose turn it is while another one saves up.
    filler: usize,
}

impl Rounds {
    /// Rounds of `rows` rows, none of which can run yet, in `families` of comparable ones.
    pub fn new(rows: usize, families: usize, budget_us: f64) -> Self {
        let runners = (0..rows).map(|_| None).collect();
        Self {
            budget_us,
            clock_step_us: 0.0,
            saved_us: 0.0,
            runners,
            baselines: vec![None; families],
            next: 0,
            filler: 0,
        }
    }

    /// Sets the time that a frame may spend, in microseconds.
    pub fn set_budget_us(&mut self, budget_us: f64) {
        self.budget_us = budget_us;
    }

    /// Sets the step of a coarse clock, which is no small part of a pass.
    pub fn set_clock_step_us(&mut self, step_us: f64) {
        self.clock_step_us = step_us;
    }

    /// Adds `row`, of which one run takes about `once_us` microseconds; measured times count `scale` times.
    pub fn add(&mut self, row: usize, family: usize, once_us: f64, scale: f64) {
        self.runners[row] = Some(Runner {
            family,
            scale,
            once_us: once_us.max(0.1),
            is_warm: false,
            most: 1,
            counted: 1,
            times_us: Vec::with_capacity(SAMPLES + 1),
            ratios: Vec::with_capacity(SAMPLES + 1),
        });
    }

    /// Sets the baseline of `family`, and restarts its ratios.
    pub fn set_baseline(&mut self, family: usize, row: Option<usize>) {
        if self.baselines[family] != row {
            self.baselines[family] = row;
            let of_family = self.runners.iter_mut().flatten().filter(|one| one.family == family);
            of_family.for_each(|runner| runner.ratios.clear());
        }
    }

    pub fn baseline(&self, family: usize) -> Option<usize> {
        self.baselines[family]
    }

    /// The passes of the next frame, in order.
    pub fn next_frame(&mut self) -> Vec<Planned> {
        let mut planned: Vec<Planned> = Vec::new();
        let rows = self.runners.len();
        let mut spent_us = 0.0;
        self.saved_us += self.budget_us;
        let mut dearest_us = self.budget_us;
        for _ in 0..rows {
            let row = self.next;
            let passes = self.beside_baseline(row, &planned);
            let cost_us = self.cost_us(&passes);
            let fits = spent_us + cost_us <= self.budget_us.min(self.saved_us);
            let has_saved = planned.is_empty() && cost_us <= self.saved_us;
            if !fits && !has_saved {
                if planned.is_empty() {
                    dearest_us = cost_us;
                    spent_us = self.fill(row, &mut planned);
                }
                break;
            }
            spent_us += cost_us;
            planned.extend(passes);
            self.next = (self.next + 1) % rows;
        }
        self.saved_us = (self.saved_us - spent_us).min(dearest_us.max(self.budget_us));
        planned
    }

    /// Runs rows that fit while `dear` saves up, within half of the budget; returns their time.
    fn fill(&mut self, dear: usize, planned: &mut Vec<Planned>) -> f64 {
        let rows = self.runners.len();
        let allowed_us = 0.5 * self.budget_us;
        let mut spent_us = 0.0;
        for _ in 0..rows {
            let row = self.filler;
            let passes = self.beside_baseline(row, planned);
            let cost_us = self.cost_us(&passes);
            let has_dear = passes.iter().any(|pass| pass.row == dear);
            if !has_dear && spent_us + cost_us > allowed_us && cost_us <= allowed_us {
                // Its turn is next.
                break;
            }
            self.filler = (self.filler + 1) % rows;
            if !has_dear && spent_us + cost_us <= allowed_us {
                spent_us += cost_us;
                planned.extend(passes);
            }
        }
        spent_us
    }

    /// The passes of `row` and, before it, of its baseline, except for those that are `planned`; none if it
    /// cannot run.
    fn beside_baseline(&self, row: usize, planned: &[Planned]) -> Vec<Planned> {
        let is_planned = |row: usize| planned.iter().any(|planned| planned.row == row);
        let Some(runner) = self.runners[row].as_ref().filter(|_| !is_planned(row)) else {
            return Vec::new();
        };
        let baseline = self.baselines[runner.family];
        let baseline = baseline.filter(|baseline| *baseline != row && !is_planned(*baseline));
        baseline.into_iter().chain([row]).filter_map(|row| self.pass(row)).collect()
    }

    fn pass(&self, row: usize) -> Option<Planned> {
        let runner = self.runners[row].as_ref()?;
        let repetitions = self.wanted(runner.once_us).min(runner.most);
        Some(Planned { row, repetitions })
    }

    /// Repetitions for a pass of runs of `once_us` microseconds.
    fn wanted(&self, once_us: f64) -> u32 {
        ((self.pass_us() / once_us) as u32).clamp(1, self.most_repetitions())
    }

    /// The wanted time of a pass: on a coarse clock it may exceed the share of the budget, and is saved up
    /// for.
    fn pass_us(&self) -> f64 {
        PASS_US.min(SHARE_OF_BUDGET * self.budget_us).max(STEPS * self.clock_step_us)
    }

    fn most_repetitions(&self) -> u32 {
        (f64::from(MOST_REPETITIONS) * (self.pass_us() / PASS_US).max(1.0)) as u32
    }

    fn cost_us(&self, passes: &[Planned]) -> f64 {
        let cost_us = |pass: &Planned| {
            let once_us = self.runners[pass.row].as_ref().map_or(0.0, |runner| runner.once_us);
            once_us * f64::from(pass.repetitions)
        };
        passes.iter().map(cost_us).sum()
    }

    /// Records the microseconds per repetition of one frame's passes.
    pub fn took(&mut self, passes: &[Planned], times_us: &[f64]) {
        // Those that count, scaled: ratios are of passes of this frame only.
        let mut counted: Vec<(usize, f64)> = Vec::with_capacity(passes.len());
        for (pass, &us) in passes.iter().zip(times_us) {
            // A clock too coarse for the pass, or one that the driver did not write.
            let is_time = us.is_finite() && us > 0.0;
            let wanted = if is_time { self.wanted(us) } else { 1 };
            let most = self.most_repetitions();
            // Shorter than the clock's step, if it has steps: more of it will be seen.
            let step_us = self.clock_step_us;
            let is_below_step = us == 0.0 && step_us > 0.0 && pass.repetitions < most;
            let Some(runner) = &mut self.runners[pass.row] else { continue };
            if !is_time {
                let next = if is_below_step { pass.repetitions.saturating_mul(2) } else { 1 };
                runner.most = next.min(most);
                if is_below_step {
                    // One that seemed to take longer did so beside something else.
                    runner.once_us = runner.once_us.min(step_us / f64::from(pass.repetitions));
                }
                continue;
            }
            runner.once_us = us;
            let was_warm = std::mem::replace(&mut runner.is_warm, true);
            runner.most = pass.repetitions.saturating_mul(2).min(most);
            // Short passes are as much their marks as their work.
            if was_warm && pass.repetitions >= wanted / 2 {
                runner.counted = pass.repetitions;
                counted.push((pass.row, us * runner.scale));
            }
        }
        for &(row, us) in &counted {
            let Some(runner) = &mut self.runners[row] else { continue };
            keep(&mut runner.times_us, us);
            let baseline = self.baselines[runner.family];
            let beside = counted.iter().find(|(other, _)| Some(*other) == baseline);
            if let Some((_, baseline_us)) = beside {
                keep(&mut runner.ratios, us / baseline_us);
            }
        }
    }

    /// The figures of `row`, once there is a sample.
    pub fn figures(&self, row: usize) -> Option<Figures> {
        let runner = self.runners.get(row)?.as_ref()?;
        let mut times = runner.times_us.clone();
        times.sort_by(f64::total_cmp);
        let median_us = percentile(&times, 0.5)?;
        let mut ratios = runner.ratios.clone();
        ratios.sort_by(f64::total_cmp);
        let has_settled = |sorted: &[f64]| {
            let is_sharp = sorted.len() >= FEWEST && standard_error(sorted) < STANDARD_ERROR;
            is_sharp || sorted.len() >= ENOUGH
        };
        let baseline = self.baselines[runner.family]
            .filter(|baseline| *baseline != row && self.runners[*baseline].is_some());
        let known_us = self.known_us(runner);
        let ratio_to_baseline = percentile(&ratios, 0.5);
        let of_baseline = baseline.and_then(|baseline| self.share_known(baseline));
        let known_share = known_us / median_us + of_baseline.unwrap_or(0.0);
        Some(Figures {
            median_us: to_multiple(median_us, known_us),
            p5_us: to_multiple(percentile(&times, 0.05)?, known_us),
            p95_us: to_multiple(percentile(&times, 0.95)?, known_us),
            ratio_to_baseline,
            samples: times.len(),
            settled: has_settled(&times) && (baseline.is_none() || has_settled(&ratios)),
            repetitions: runner.counted,
            known_us,
            known_share,
        })
    }

    /// Resolution of the clock for one run.
    fn known_us(&self, runner: &Runner) -> f64 {
        runner.scale * self.clock_step_us / f64::from(runner.counted)
    }

    /// Resolution of the clock as a share of the time of `row`.
    fn share_known(&self, row: usize) -> Option<f64> {
        let runner = self.runners[row].as_ref()?;
        Some(self.known_us(runner) / median(&mut runner.times_us.clone())?)
    }
}

fn keep(samples: &mut Vec<f64>, newest: f64) {
    if samples.len() == SAMPLES {
        samples.remove(0);
    }
    samples.push(newest);
}

/// The standard error of the median of `sorted`, over the median: 1.2533 s / sqrt(n) for a normal
/// distribution, whose s is 1.4826 times the median of the distances from the median, which outliers do not
/// move.
fn standard_error(sorted: &[f64]) -> f64 {
    let Some(middle) = percentile(sorted, 0.5) else { return f64::INFINITY };
    let mut distances: Vec<f64> = sorted.iter().map(|value| (value - middle).abs()).collect();
    let spread = 1.4826 * median(&mut distances).unwrap_or(f64::INFINITY);
    1.2533 * spread / (sorted.len() as f64).sqrt() / middle
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rounds of rows that take `once_us` each, all of one family whose baseline is the first.
    fn rounds(once_us: &[f64], budget_us: f64) -> Rounds {
        let mut rounds = Rounds::new(once_us.len(), 1, budget_us);
        for (row, us) in once_us.iter().enumerate() {
            rounds.add(row, 0, *us, 1.0);
        }
        rounds.set_baseline(0, Some(0));
        rounds
    }

    fn cost_us(passes: &[Planned], once_us: &[f64]) -> f64 {
        passes.iter().map(|pass| once_us[pass.row] * f64::from(pass.repetitions)).sum()
    }

    #[test]
    fn each_runs_beside_the_baseline_and_all_come_round() {
        let once_us = [10.0, 20.0, 30.0, 700.0];
        let mut rounds = rounds(&once_us, 2000.0);
        let mut seen = [0; 4];
        for _ in 0..40 {
            let passes = rounds.next_frame();
            assert!(cost_us(&passes, &once_us) <= 2000.0, "{passes:?}");
            assert!(passes.is_empty() || passes.iter().any(|pass| pass.row == 0), "{passes:?}");
            assert_eq!(passes[0].row, 0);
            passes.iter().for_each(|pass| seen[pass.row] += 1);
            let times: Vec<f64> = passes.iter().map(|pass| once_us[pass.row]).collect();
            rounds.took(&passes, &times);
        }
        assert!(seen.iter().all(|count| *count >= 13), "{seen:?}");
        for (row, us) in once_us.iter().enumerate() {
            let figures = rounds.figures(row).unwrap();
            assert_eq!(figures.median_us, *us);
            assert!((figures.ratio_to_baseline.unwrap() - us / 10.0).abs() < 1e-12);
            assert!(figures.settled);
        }
    }

    #[test]
    fn quick_candidates_do_not_wait_for_slow_ones() {
        // The third takes as long as a hundred frames may spend.
        let once_us = [10.0, 20.0, 200_000.0];
        let mut rounds = rounds(&once_us, 2000.0);
        let mut seen = [0; 3];
        for _ in 0..600 {
            let passes = rounds.next_frame();
            passes.iter().for_each(|pass| seen[pass.row] += 1);
            let times: Vec<f64> = passes.iter().map(|pass| once_us[pass.row]).collect();
            rounds.took(&passes, &times);
        }
        assert!(seen[0] > 400 && seen[1] > 400 && (2..=5).contains(&seen[2]), "{seen:?}");
    }

    #[test]
    fn drift_of_clocks_does_not_change_ratios() {
        let mut rounds = rounds(&[10.0, 15.0], 2000.0);
        for frame in 0..60 {
            let passes = rounds.next_frame();
            let clock = 1.0 + 0.5 * (f64::from(frame) * 0.7).sin();
            let times: Vec<f64> =
                passes.iter().map(|pass| [10.0, 15.0][pass.row] * clock).collect();
            rounds.took(&passes, &times);
        }
        let figures = rounds.figures(1).unwrap();
        assert!((figures.ratio_to_baseline.unwrap() - 1.5).abs() < 1e-12);
        assert!(figures.p95_us > 1.5 * figures.p5_us);
    }

    #[test]
    fn noise_takes_longer_to_settle() {
        let mut rounds = rounds(&[10.0, 10.0], 2000.0);
        let mut settled_at = [None; 2];
        for frame in 0..200 {
            let passes = rounds.next_frame();
            let noise = f64::from((frame * 7919) % 13) / 13.0;
            let noisy = |pass: &Planned| if pass.row == 0 { 10.0 } else { 10.0 + 8.0 * noise };
            let times: Vec<f64> = passes.iter().map(noisy).collect();
            rounds.took(&passes, &times);
            for (row, at) in settled_at.iter_mut().enumerate() {
                let figures = rounds.figures(row);
                if at.is_none() && figures.is_some_and(|figures| figures.settled) {
                    *at = figures.map(|figures| figures.samples);
                }
            }
        }
        assert_eq!(settled_at, [Some(FEWEST), Some(ENOUGH)]);
    }

    #[test]
    fn what_is_no_time_is_not_counted() {
        let mut rounds = rounds(&[1000.0], 2000.0);
        for us in [900.0, f64::NAN, 0.0, -1.0, f64::INFINITY, 700.0] {
            let passes = rounds.next_frame();
            assert!(passes.iter().all(|pass| pass.repetitions == 1), "{passes:?}");
            rounds.took(&[Planned { row: 0, repetitions: 1 }], &[us]);
        }
        // The first may have compiled.
        let figures = rounds.figures(0).unwrap();
        assert_eq!((figures.samples, figures.median_us, figures.settled), (1, 700.0, false));
        assert_eq!(rounds.figures(1), None);
    }

    /// A wrong first time leads to no pass of seconds.
    #[test]
    fn passes_grow_from_one_repetition() {
        let mut rounds = rounds(&[1e-9], 2000.0);
        let mut repetitions = Vec::new();
        for _ in 0..12 {
            let passes = rounds.next_frame();
            repetitions.extend(passes.iter().map(|pass| pass.repetitions));
            rounds.took(&passes, &vec![1.0; passes.len()]);
        }
        assert_eq!(repetitions[..9], [1, 2, 4, 8, 16, 32, 64, 128, 256]);
        // Only those that are long enough are samples.
        assert!(rounds.figures(0).unwrap().samples <= 5);
    }

    #[test]
    fn another_baseline_has_to_settle_anew() {
        let once_us = [100.0, 200.0, 300.0];
        let mut rounds = rounds(&once_us, 2000.0);
        let run = |rounds: &mut Rounds, frames: usize| {
            for _ in 0..frames {
                let passes = rounds.next_frame();
                let times: Vec<f64> = passes.iter().map(|pass| once_us[pass.row]).collect();
                rounds.took(&passes, &times);
            }
        };
        run(&mut rounds, 60);
        assert!((0..3).all(|row| rounds.figures(row).unwrap().settled));
        rounds.set_baseline(0, Some(2));
        let figures = rounds.figures(1).unwrap();
        assert_eq!((figures.settled, figures.ratio_to_baseline), (false, None));
        run(&mut rounds, 60);
        let figures = rounds.figures(1).unwrap();
        assert!(figures.settled && (figures.ratio_to_baseline.unwrap() - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_part_that_is_measured_counts_for_the_whole() {
        let mut rounds = Rounds::new(1, 1, 2000.0);
        rounds.add(0, 0, 100.0, 8.0);
        for _ in 0..3 {
            let passes = rounds.next_frame();
            rounds.took(&passes, &[100.0]);
        }
        assert_eq!(rounds.figures(0).unwrap().median_us, 800.0);
    }

    /// Like a browser's clock, it rounds the time of a pass to a whole number of steps, below or above.
    #[test]
    fn passes_outlast_a_coarse_clock() {
        let once_us = [3.0, 7.7, 15.0, 20_000.0];
        let step_us = 100.0;
        // The same clock said next to nothing about the trials.
        let mut rounds = rounds(&[0.0, 5000.0, 100.0, 20_000.0], 2000.0);
        rounds.set_clock_step_us(step_us);
        let (mut total_us, frames) = (0.0, 3000);
        for frame in 0..frames {
            let passes = rounds.next_frame();
            let times: Vec<f64> = passes
                .iter()
                .map(|pass| {
                    let count = f64::from(pass.repetitions);
                    let begin = (f64::from(frame) * 37.7) % step_us;
                    let steps = ((begin + once_us[pass.row] * count) / step_us).floor();
                    steps * step_us / count
                })
                .collect();
            total_us += cost_us(&passes, &once_us);
            rounds.took(&passes, &times);
        }
        for (row, us) in once_us.iter().enumerate() {
            let figures = rounds.figures(row).unwrap();
            assert!((figures.median_us / us - 1.0).abs() <= 0.03, "{row}: {figures:?}");
            let repetitions = f64::from(figures.repetitions);
            assert_eq!(figures.known_us, step_us / repetitions);
            assert!(repetitions * us >= 0.4 * STEPS * step_us, "{row}: {figures:?}");
            let steps = figures.median_us / figures.known_us;
            assert!((steps - steps.round()).abs() < 1e-9 * steps, "{row}: {figures:?}");
            assert!(figures.known_share > 0.0 && figures.known_share < 0.1, "{row}: {figures:?}");
            assert!(figures.settled, "{row}: {figures:?}");
        }
        // The time of a pass is better known than before the first.
        assert!(total_us <= 1.05 * 2000.0 * f64::from(frames), "{total_us}");
    }

    /// Models a clock that is always 0, as one that the driver does not write.
    #[test]
    fn passes_stay_bounded_under_a_stopped_clock() {
        let mut rounds = rounds(&[0.0], 2000.0);
        rounds.set_clock_step_us(100.0);
        let mut longest = 0;
        for _ in 0..200 {
            let passes = rounds.next_frame();
            longest = passes.iter().map(|pass| pass.repetitions).fold(longest, u32::max);
            rounds.took(&passes, &vec![0.0; passes.len()]);
        }
        assert_eq!(longest, rounds.most_repetitions());
        assert_eq!(rounds.figures(0), None);
        // And begins again after that.
        assert!(rounds.runners[0].as_ref().unwrap().most < rounds.most_repetitions());
    }

    proptest! {
        /// The mean over many frames is within the budget, no row is left out, and a frame exceeds the budget
        /// for a single pair of runs only.
        #[test]
        fn the_budget_holds(
            once_us in proptest::collection::vec(0.5..20_000.0_f64, 1..12),
            budget_us in 50.0..20_000.0_f64,
        ) {
            let mut rounds = rounds(&once_us, budget_us);
            let mut seen = vec![0; once_us.len()];
            let mut total_us = 0.0;
            let dearest: f64 = once_us.iter().fold(0.0, |a: f64, b| a.max(*b));
            let frames = 40 + (4.0 * once_us.iter().map(|us| us + once_us[0] + budget_us).sum::<f64>()
                / budget_us) as u32;
            for _ in 0..frames {
                let passes = rounds.next_frame();
                let cost_us = cost_us(&passes, &once_us);
                total_us += cost_us;
                if cost_us > budget_us + 1e-6 {
                    prop_assert!(passes.len() <= 2, "{passes:?}");
                    prop_assert!(cost_us <= 2.0 * dearest.max(budget_us));
                }
                passes.iter().for_each(|pass| seen[pass.row] += 1);
                let times: Vec<f64> = passes.iter().map(|pass| once_us[pass.row]).collect();
                rounds.took(&passes, &times);
            }
            prop_assert!(total_us <= budget_us * f64::from(frames) + 1e-6);
            prop_assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
        }
    }
}
