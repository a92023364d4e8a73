//! The sea's clock: real time, faster, slower, paused or step by step.

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clock {
    /// The sea's time, in seconds.
    pub time_s: f64,
    pub rate: f64,
    pub paused: bool,
}

impl Default for Clock {
    fn default() -> Self {
        Self { time_s: 0.0, rate: 1.0, paused: false }
    }
}

impl Clock {
    /// The rates that the panel offers.
    pub const RATES: std::ops::RangeInclusive<f64> = 0.05..=10.0;
    pub const STEP_S: f64 = 1.0 / 30.0;
    /// Real time that one frame may advance the sea: after a stall (a breakpoint, a closed lid) it continues
    /// where it was.
    const LONGEST_FRAME_S: f64 = 0.25;

    /// Advances by a frame of `real_s` seconds.
    pub fn advance(&mut self, real_s: f64) {
        if !self.paused && real_s.is_finite() {
            self.time_s += real_s.clamp(0.0, Self::LONGEST_FRAME_S) * self.rate;
        }
    }

    /// Pauses, and advances by one step.
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
