//! Time and frequency as integers. The phase omega t of a wave after a day is tens of thousands of
//! radians, of which f32 keeps nothing useful. So frequencies are whole multiples n of 2 pi/T0, times
//! whole numbers of ticks of T0/2^32, and the phase in 2^-32 turns is their product modulo 2^32: one
//! exact integer multiplication on every machine. The same quantisation makes the sea repeat after T0
//! where a loop is requested.

use std::f64::consts::TAU;

use crate::settings::SeaState;

/// T0 in seconds without a loop: 36 hours, ticks of 2^-15 s, and frequencies in steps of 4.8e-5 rad/s.
pub const UNLOOPED_PERIOD_S: f64 = 131_072.0;

const TICKS_PER_PERIOD: f64 = 4_294_967_296.0;

/// Counts time and frequency in parts of a period T0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    period_s: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { period_s: UNLOOPED_PERIOD_S }
    }
}

impl Clock {
    /// The clock of `sea`, whose period is its loop period, or [`UNLOOPED_PERIOD_S`].
    pub fn of(sea: &SeaState) -> Self {
        if sea.loop_period_s > 0.0 { Self { period_s: sea.loop_period_s } } else { Self::default() }
    }

    /// Returns the period T0 in seconds.
    pub fn period_s(&self) -> f64 {
        self.period_s
    }

    /// The nearest tick to `time_s`, modulo T0. Any time is fine: negative, huge, or not a
    /// number (which is 0).
    pub fn ticks(&self, time_s: f64) -> u32 {
        let periods = (time_s / self.period_s).rem_euclid(1.0);
        // A float casts with saturation and NaN to 0; a whole period wraps to 0.
        (periods * TICKS_PER_PERIOD).round() as u64 as u32
    }

    /// The nearest lower multiple, at least one, of 2 pi/T0: waves stay slower than their dispersion relation
    /// by less than a step. (Beyond 2^32 steps, 200 000 rad/s without a loop, there are no waves.)
    pub fn multiple(&self, omega_rad_per_s: f64) -> u32 {
        ((omega_rad_per_s * self.period_s / TAU).floor() as u32).max(1)
    }

    /// The frequency in rad/s that `multiple` stands for.
    pub fn omega_rad_per_s(&self, multiple: u32) -> f64 {
        f64::from(multiple) * TAU / self.period_s
    }
}

/// The phase omega t, in 2^-32 turns.
pub fn turns(multiple: u32, ticks: u32) -> u32 {
    multiple.wrapping_mul(ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looped(loop_period_s: f64) -> Clock {
        Clock::of(&SeaState { loop_period_s, ..Default::default() })
    }

    #[test]
    fn the_phase_after_a_day_is_right() {
        let clock = looped(0.0);
        // Times on a tick, so that only the phase is compared and not the rounding of time.
        let time_s = 86_400.0 + 12_345.0 / 32_768.0;
        for omega in [0.3, 1.0, 7.77, 123.4, 999.0] {
            let multiple = clock.multiple(omega);
            let exact = (clock.omega_rad_per_s(multiple) / TAU * time_s).rem_euclid(1.0);
            let phase = f64::from(turns(multiple, clock.ticks(time_s))) / TICKS_PER_PERIOD;
            let error = (phase - exact + 0.5).rem_euclid(1.0) - 0.5;
            assert!(error.abs() < 1e-8, "omega {omega}: {phase} is not {exact} turns");
        }
    }

    #[test]
    fn frequencies_round_down_to_at_least_one() {
        let clock = looped(10.0);
        assert_eq!(clock.multiple(0.01), 1);
        assert_eq!(clock.multiple(TAU / 10.0 * 7.99), 7);
        assert_eq!(clock.multiple(1e300), u32::MAX);
        let free = looped(0.0);
        for omega in [0.2, 3.0, 50.0] {
            let lower = free.omega_rad_per_s(free.multiple(omega));
            assert!(lower <= omega && omega - lower < 4.8e-5, "{omega}: {lower}");
        }
    }

    #[test]
    fn a_loop_returns_to_its_start() {
        for period in [0.5, 7.3, 60.0, 3_600.0] {
            let clock = looped(period);
            assert_eq!(clock.ticks(period), 0);
            assert_eq!(clock.ticks(-3.0 * period), 0);
            assert_eq!(clock.ticks(0.25 * period), 1 << 30);
            assert_eq!(clock.ticks(1.25 * period), 1 << 30);
        }
    }

    #[test]
    fn every_time_has_a_tick() {
        let clock = looped(0.0);
        assert_eq!(clock.ticks(-1.0 / 32_768.0), u32::MAX);
        assert_eq!(clock.ticks(-1e-30), 0);
        for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(clock.ticks(time), 0);
        }
        // 2^60 s: no fraction of a period is left, and nothing overflows.
        assert_eq!(clock.ticks((1_u64 << 60) as f64), 0);
    }
}
