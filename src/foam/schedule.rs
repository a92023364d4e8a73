//! The schedule of the foam's steps, and of the levels that take them.

use std::ops::Range;

use super::MEMORY_S;
use super::gpu_data::MAX_LEVELS;

/// The number of steps that each level takes as one: the texels of the coarser ones are so large that no
/// crest crosses half of one in that time (19 m, where waves move by 4 m). Each is a multiple of the one
/// before.
const LEVEL_STEPS: [i64; MAX_LEVELS] = [1, 1, 2, 4];
const MOST_LEVEL_STEPS: i64 = LEVEL_STEPS[MAX_LEVELS - 1];

/// Steps at whole multiples of their length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Schedule {
    steps_per_s: u32,
    /// The most steps at once.
    limit: u32,
    /// The next step, and the last one of the schedule; none before the first, or where everything
    /// begins again.
    reached: Option<(i64, i64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Due {
    /// The numbers of the steps. Step k is at the time of k lengths.
    pub(super) steps: Range<i64>,
    /// Whether the first begins without any foam.
    pub(super) restarts: bool,
    /// Whether more steps remain for next time.
    pub(super) more: bool,
}

impl Schedule {
    pub(super) fn new(steps_per_s: u32, limit: u32) -> Self {
        Self { steps_per_s, limit, reached: None }
    }

    pub(super) fn restart(&mut self) {
        self.reached = None;
    }

    pub(super) fn time_s(&self, step: i64) -> f64 {
        step as f64 / f64::from(self.steps_per_s)
    }

    /// The number of levels that take a step, from the finest. The others wait.
    pub(super) fn levels_due(step: i64) -> u32 {
        LEVEL_STEPS.iter().take_while(|&&steps| step.rem_euclid(steps) == 0).count() as u32
    }

    pub(super) fn level_step_s(&self, level: u32) -> f64 {
        self.time_s(LEVEL_STEPS[level as usize])
    }

    /// The steps that lead to `time_s`: at most `most`, or twice as many as the time advances by, so
    /// that they catch up however fast it does. Where the time has jumped, back or by more than foam
    /// lasts, they begin that much earlier, with a step that every level takes.
    pub(super) fn due(&mut self, time_s: f64, most: u32) -> Due {
        // A time that is meant to be a step's survives rounding. There are none beyond 2^53.
        let last = (time_s * f64::from(self.steps_per_s) + 1e-6).floor().clamp(-9e15, 9e15) as i64;
        let memory = (MEMORY_S * f64::from(self.steps_per_s)) as i64;
        let first = last - last.rem_euclid(MOST_LEVEL_STEPS) - memory;
        let going_on =
            self.reached.filter(|&(next, before)| next <= last + 1 && last - before <= memory);
        let (begin, advanced) = going_on.map_or((first, 0), |(next, before)| (next, last - before));
        let most = i64::from(most).max(2 * advanced).min(self.limit.into());
        let end = (last + 1).min(begin + most);
        self.reached = Some((end, last));
        Due { steps: begin..end, restarts: going_on.is_none(), more: end <= last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(fps: f64, frames: u32) -> Vec<i64> {
        let mut schedule = Schedule::new(30, 1000);
        (0..frames)
            .flat_map(|frame| schedule.due(20.0 + f64::from(frame) / fps, 1000).steps)
            .collect()
    }

    #[test]
    fn the_frame_rate_changes_nothing() {
        let expected: Vec<i64> = (240..=630).collect();
        assert_eq!(steps(24.0, 25), expected);
        assert_eq!(steps(60.0, 61), expected);
        assert_eq!(steps(144.0, 145), expected);
        assert_eq!(steps(30.0, 31), expected);
    }

    #[test]
    fn coarse_levels_take_fewer_and_longer_steps() {
        let mut schedule = Schedule::new(30, 1000);
        let steps = schedule.due(7.03, 1000).steps;
        for level in 0..MAX_LEVELS as u32 {
            // The first is taken by all, and no time is left out.
            assert!(level < Schedule::levels_due(steps.start), "level {level}");
            let whole = steps.start..steps.start + 4 * 90;
            let taken = whole.filter(|&step| level < Schedule::levels_due(step)).count();
            let seconds = taken as f64 * schedule.level_step_s(level);
            assert!((seconds - 12.0).abs() < 1e-9, "level {level}: {seconds} s");
        }
        assert_eq!(Schedule::levels_due(6), 3);
    }

    #[test]
    fn a_jump_restarts_and_a_pause_does_nothing() {
        let mut schedule = Schedule::new(10, 1000);
        assert_eq!(schedule.due(5.0, 1000), Due { steps: -72..51, restarts: true, more: false });
        assert_eq!(schedule.due(5.0, 1000), Due { steps: 51..51, restarts: false, more: false });
        assert_eq!(schedule.due(5.04, 1000), Due { steps: 51..51, restarts: false, more: false });
        assert_eq!(schedule.due(5.1, 1000), Due { steps: 51..52, restarts: false, more: false });
        assert_eq!(schedule.due(4.9, 1000), Due { steps: -72..50, restarts: true, more: false });
        assert_eq!(schedule.due(17.0, 1000).steps, 48..171);
        assert!(schedule.due(60.0, 1000).restarts);
        schedule.restart();
        assert!(schedule.due(60.0, 1000).restarts);
    }

    #[test]
    fn a_fast_clock_is_caught_up_with() {
        for step_s in [0.1, 0.33, 0.8] {
            let mut schedule = Schedule::new(30, 32);
            let dues: Vec<Due> =
                (0..600).map(|frame| schedule.due(f64::from(frame) * step_s, 8)).collect();
            let restarts = dues.iter().filter(|due| due.restarts).count();
            assert_eq!(restarts, 1, "every {step_s} s");
            let behind = dues.last().unwrap().more;
            assert_eq!(behind, step_s > 32.0 / 30.0, "every {step_s} s");
        }
    }

    #[test]
    fn no_time_is_too_late() {
        for time_s in [1e18, f64::INFINITY, -1e300, f64::NAN] {
            let mut schedule = Schedule::new(60, 1000);
            let mut dues = 0;
            while schedule.due(time_s, 1000).more {
                dues += 1;
                assert!(dues < 100, "{time_s}");
            }
        }
    }

    #[test]
    fn long_work_comes_in_pieces() {
        let mut schedule = Schedule::new(10, 32);
        assert_eq!(schedule.due(12.0, 20), Due { steps: 0..20, restarts: true, more: true });
        assert_eq!(schedule.due(12.5, 20), Due { steps: 20..40, restarts: false, more: true });
        assert_eq!(schedule.due(14.0, 20), Due { steps: 40..70, restarts: false, more: true });
        assert_eq!(schedule.due(14.0, 1000), Due { steps: 70..102, restarts: false, more: true });
    }
}
