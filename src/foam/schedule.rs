//! Which steps are due.

use std::ops::Range;

use super::MEMORY_S;

/// Steps at whole multiples of their length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Schedule {
    steps_per_s: u32,
    /// The step that comes next; none before the first, or where everything is to begin anew.
    next: Option<i64>,
}

/// Steps to take now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Due {
    /// Their numbers: step k is at the time of k lengths.
    pub(super) steps: Range<i64>,
    /// The first of them begins without any foam.
    pub(super) anew: bool,
    /// There are more, for next time.
    pub(super) more: bool,
}

impl Schedule {
    pub(super) fn new(steps_per_s: u32) -> Self {
        Self { steps_per_s, next: None }
    }

    /// Forgets what was done.
    pub(super) fn begin_anew(&mut self) {
        self.next = None;
    }

    /// The time of a step.
    pub(super) fn time_s(&self, step: i64) -> f64 {
        step as f64 / f64::from(self.steps_per_s)
    }

    /// The steps that lead to `time_s`, `most` at most. Where the time has jumped, back or by more
    /// than foam lasts, they begin that long before.
    pub(super) fn due(&mut self, time_s: f64, most: u32) -> Due {
        // A time that is meant to be a step's is not missed by a rounding.
        let last = (time_s * f64::from(self.steps_per_s) + 1e-6).floor() as i64;
        let memory = (MEMORY_S * f64::from(self.steps_per_s)) as i64;
        let first = last.saturating_sub(memory);
        let anew = self.next.is_none_or(|next| next > last + 1 || next < first);
        let begin = if anew { first } else { self.next.unwrap_or(first) };
        let end = (last + 1).min(begin + i64::from(most));
        self.next = Some(end);
        Due { steps: begin..end, anew, more: end <= last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All steps of frames at `fps`, from a first frame at 20 s.
    fn steps(fps: f64, frames: u32) -> Vec<i64> {
        let mut schedule = Schedule::new(30);
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
    fn a_jump_begins_anew_and_a_pause_does_nothing() {
        let mut schedule = Schedule::new(10);
        assert_eq!(schedule.due(5.0, 1000), Due { steps: -70..51, anew: true, more: false });
        assert_eq!(schedule.due(5.0, 1000), Due { steps: 51..51, anew: false, more: false });
        assert_eq!(schedule.due(5.04, 1000), Due { steps: 51..51, anew: false, more: false });
        assert_eq!(schedule.due(5.1, 1000), Due { steps: 51..52, anew: false, more: false });
        assert_eq!(schedule.due(4.9, 1000), Due { steps: -71..50, anew: true, more: false });
        assert_eq!(schedule.due(17.0, 1000).steps, 50..171);
        assert!(schedule.due(60.0, 1000).anew);
        schedule.begin_anew();
        assert!(schedule.due(60.0, 1000).anew);
    }

    #[test]
    fn long_work_comes_in_pieces() {
        let mut schedule = Schedule::new(10);
        assert_eq!(schedule.due(12.0, 50), Due { steps: 0..50, anew: true, more: true });
        assert_eq!(schedule.due(12.5, 50), Due { steps: 50..100, anew: false, more: true });
        assert_eq!(schedule.due(12.5, 50), Due { steps: 100..126, anew: false, more: false });
    }
}
