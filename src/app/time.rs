//! The sea's clock: real time, faster, slower, paused or step by step; and the voyage through the hours of a
//! recorded sea.

use crate::settings::SeaState;

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

/// Moves a recorded sea through its hours.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Voyage {
    pub is_under_way: bool,
    /// Hours of the record in a minute of real time.
    pub hours_per_min: f64,
    /// Real time since the sea last moved.
    waited_s: f64,
}

impl Default for Voyage {
    fn default() -> Self {
        Self { is_under_way: false, hours_per_min: 6.0, waited_s: 0.0 }
    }
}

impl Voyage {
    /// The speeds that the panel offers, in hours a minute.
    pub const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=120.0;
    /// The time from one sea to the next, in which the picture moves from one to the other: a new sea takes
    /// some tenths of a second to compute.
    pub const STEP_S: f64 = 2.0;

    /// Advances by a frame of `real_s` seconds. At the last hour of the record the voyage ends.
    pub fn advance(&mut self, sea: &mut SeaState, real_s: f64) {
        let Some(record) = sea.recorded.as_ref().filter(|_| self.is_under_way) else {
            *self = Self { is_under_way: false, waited_s: 0.0, ..self.clone() };
            return;
        };
        self.waited_s += if real_s.is_finite() { real_s.clamp(0.0, Self::STEP_S) } else { 0.0 };
        if self.waited_s < Self::STEP_S {
            return;
        }
        let last = record.last_hour();
        let hour = sea.record_hour + self.hours_per_min * self.waited_s / 60.0;
        self.waited_s = 0.0;
        self.is_under_way = hour < last;
        sea.follow_hour(hour.min(last));
    }

    /// Starts or stops the voyage. From the last hour it starts again at the first.
    pub fn set_under_way(&mut self, sea: &mut SeaState, is_under_way: bool) {
        self.is_under_way = is_under_way;
        let at_end =
            sea.recorded.as_ref().is_some_and(|record| sea.record_hour >= record.last_hour());
        if is_under_way && at_end {
            sea.follow_hour(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Preset;
    use crate::spectrum::equilibrium_wind;

    #[test]
    fn a_voyage_moves_the_hour_in_steps_and_ends() {
        let mut sea = Preset::load("measured-gale").unwrap().sea;
        let (record, last) = (sea.recorded.clone().unwrap(), 16.0);
        sea.record_hour = 0.0;
        let mut voyage = Voyage { hours_per_min: 30.0, ..Default::default() };
        voyage.advance(&mut sea, 5.0);
        assert_eq!(sea.record_hour, 0.0, "it waits to be started");
        voyage.set_under_way(&mut sea, true);
        for _ in 0..4 {
            assert_eq!(sea.record_hour, 0.0);
            voyage.advance(&mut sea, 0.5);
        }
        assert_eq!(sea.record_hour, 1.0);
        for _ in 0..1000 {
            voyage.advance(&mut sea, 2.0);
        }
        assert_eq!((sea.record_hour, voyage.is_under_way), (last, false));
        let wind = equilibrium_wind(&record.at_hour(last)).unwrap();
        assert!((sea.wind_speed_mps - wind.speed_mps).abs() < 1e-9);
        voyage.set_under_way(&mut sea, true);
        assert_eq!((sea.record_hour, voyage.is_under_way), (0.0, true));
        sea.recorded = None;
        voyage.advance(&mut sea, 5.0);
        assert!(!voyage.is_under_way);
    }

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
