//! The sea's clock, apart from the sea: real time, faster, slower, paused or step by step.

/// Turns real time into the sea's time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clock {
    /// The sea's time, in seconds.
    pub time_s: f64,
    /// Seconds of the sea per second of real time.
    pub rate: f64,
    /// The sea stands still.
    pub paused: bool,
}

impl Default for Clock {
    fn default() -> Self {
        Self { time_s: 0.0, rate: 1.0, paused: false }
    }
}

impl Clock {
    /// Rates that the panel offers.
    pub const RATES: std::ops::RangeInclusive<f64> = 0.05..=10.0;
    /// One step while paused.
    pub const STEP_S: f64 = 1.0 / 30.0;
    /// Real time that one frame may take the sea forward: after a stall (a breakpoint, a closed
    /// lid) it goes on where it was.
    const LONGEST_FRAME_S: f64 = 0.25;

    /// One frame of `real_s` seconds has passed.
    pub fn advance(&mut self, real_s: f64) {
        if !self.paused && real_s.is_finite() {
            self.time_s += real_s.clamp(0.0, Self::LONGEST_FRAME_S) * self.rate;
        }
    }

    /// Pauses, and moves one step on.
    pub fn step(&mut self) {
        self.paused = true;
        self.time_s += Self::STEP_S;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_pauses_and_does_not_jump() {
        let mut clock = Clock { rate: 2.0, ..Clock::default() };
        clock.advance(0.1);
        assert_eq!(clock.time_s, 0.2);
        clock.advance(3_600.0);
        assert_eq!(clock.time_s, 0.7);
        clock.advance(f64::NAN);
        clock.advance(-1.0);
        assert_eq!(clock.time_s, 0.7);
        clock.paused = true;
        clock.advance(0.1);
        assert_eq!(clock.time_s, 0.7);
        clock.step();
        assert!((clock.time_s - 0.7 - Clock::STEP_S).abs() < 1e-12 && clock.paused);
    }
}
