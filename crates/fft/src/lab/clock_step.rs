//! The resolution of a clock. Browsers round their clocks to protect their users, so a time is known to one
//! step, over the repetitions that were timed together.
//!
//! ```
//! use seaway_fft::lab::{ClockStep, to_known, to_multiple};
//!
//! let step = ClockStep { step_us: 100.0 };
//! assert_eq!(step.known_us(10), 10.0); // over ten repetitions
//! assert_eq!(to_multiple(123.0, 10.0), 120.0);
//! assert!((to_known(123.4, 10.0) - 123.4).abs() <= 10.0);
//! ```

use std::time::Duration;

use super::timing::{Method, Regime, Timer};
use super::workload::{Workload, WorkloadError};
use crate::descriptor::{Descriptor, Layout};
use crate::gpu::Context;
use crate::platform::Instant;

/// The resolution of a clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockStep {
    /// Microseconds from one of its values to the next.
    pub step_us: f64,
}

impl ClockStep {
    /// The coarsest of usual browsers: for a clock without a result.
    pub const USUAL: Self = Self { step_us: 100.0 };

    /// Values closer than this are equal, since sums of binary fractions are inexact.
    const TOLERANCE_US: f64 = 5e-4;

    /// The step of a clock that measured these durations in microseconds: all of them are whole numbers of
    /// it. `None` without durations.
    pub fn of(durations_us: impl IntoIterator<Item = f64>) -> Option<Self> {
        let step_us = durations_us.into_iter().fold(0.0, common_measure);
        (step_us > Self::TOLERANCE_US).then_some(Self { step_us })
    }

    /// Measures the step of `timer` on `context`'s device; `None` if the clock stands still. The processor's
    /// clock is watched for some milliseconds; the GPU's times copies that take longer and longer.
    ///
    /// # Errors
    /// [`WorkloadError`] if the device refuses even that.
    pub async fn measure(context: &Context, timer: Timer) -> Result<Option<Self>, WorkloadError> {
        if timer == Timer::Wall {
            return Ok(Self::of(wall_steps_us()));
        }
        let task =
            Descriptor { size: [64; 2], batch: 4, layout: Layout::Pair, ..Descriptor::default() };
        let copy = Workload::copy(&context.device, &context.queue, &task, Regime::Hot).await?;
        let mut durations_us = Vec::new();
        // The lengths differ, so that their only common measure is the clock's step; and repetitions grow,
        // since a time below the step says nothing about their right number.
        for (sample_us, max_repetitions) in [(300.0, 100), (1100.0, 400), (2300.0, 1000)] {
            let method = Method {
                samples: 12,
                sample_us,
                max_repetitions,
                warm_up_us: 20_000.0,
                ..Method::default()
            };
            let measured = copy.measure_by(timer, &method, None).await?;
            let repetitions = f64::from(measured.repetitions);
            durations_us.extend(measured.samples_us.iter().map(|us| us * repetitions));
        }
        Ok(Self::of(durations_us))
    }

    /// The resolution in microseconds of the time of one repetition, if the given number was timed together.
    pub fn known_us(self, repetitions: u32) -> f64 {
        self.step_us / f64::from(repetitions.max(1))
    }

    /// Rounds `us` to the resolution of one repetition, if the given number was timed together.
    pub fn round(self, us: f64, repetitions: u32) -> f64 {
        to_multiple(us, self.known_us(repetitions))
    }

    /// A method for this clock, whose samples have many steps.
    pub fn method(self) -> Method {
        /// A step is half a per cent of a sample.
        const STEPS: f64 = 200.0;
        let usual = Method::default();
        let sample_us = usual.sample_us.max(STEPS * self.step_us);
        let max_repetitions =
            (f64::from(usual.max_repetitions) * sample_us / usual.sample_us) as u32;
        Method { sample_us, max_repetitions, ..usual }
    }
}

/// The steps between values of the processor's clock, in microseconds.
fn wall_steps_us() -> Vec<f64> {
    const WATCHED: Duration = Duration::from_millis(5);
    let begun = Instant::now();
    let mut last = begun;
    let mut steps_us = Vec::new();
    while last - begun < WATCHED && steps_us.len() < 1000 {
        let now = Instant::now();
        if now > last {
            steps_us.push((now - last).as_secs_f64() * 1e6);
            last = now;
        }
    }
    steps_us
}

/// Rounds `value` to a decimal place that is no finer than its resolution `known`; to its first digit at
/// least.
pub fn to_known(value: f64, known: f64) -> f64 {
    if known <= 0.0 || value <= 0.0 || !known.is_finite() {
        return value;
    }
    let place = known.log10().ceil().min(value.log10().floor());
    to_multiple(value, 10.0_f64.powf(place))
}

/// Rounds to the nearest multiple of `step`.
pub fn to_multiple(value: f64, step: f64) -> f64 {
    if step > 0.0 { (value / step).round() * step } else { value }
}

/// The largest number of which both are multiples, up to the tolerance (Euclid).
fn common_measure(one: f64, other: f64) -> f64 {
    let (mut larger, mut smaller) = (one.max(other), one.min(other));
    while smaller > ClockStep::TOLERANCE_US {
        let rest = larger % smaller;
        (larger, smaller) = (smaller, rest.min(smaller - rest));
    }
    larger
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_of_a_clock_shows_in_its_times() {
        let steps = |step_us: f64| [7.0, 3.0, 0.0, 22.0, 9.0].map(|count| count * step_us);
        for step_us in [100.0, 65.536, 5.0, 0.041_666_67, 0.001] {
            let clock = ClockStep::of(steps(step_us)).unwrap();
            assert!((clock.step_us / step_us - 1.0).abs() < 0.02, "{step_us}: {clock:?}");
        }
        // Sums of milliseconds have such values.
        let clock = ClockStep::of([300.000_02, 699.999_96, 500.000_01]).unwrap();
        assert!((clock.step_us - 100.0).abs() < 1e-3, "{clock:?}");
        assert_eq!(ClockStep::of([0.0, 0.0]), None);
        assert_eq!(ClockStep::of([]), None);
    }

    #[test]
    fn ratios_have_the_digits_that_are_known() {
        for known in [0.04, 0.06, 0.1] {
            assert!((to_known(1.2734, known) - 1.3).abs() < 1e-12, "{known}");
            assert_eq!(to_known(1.2734, known), to_known(1.2601, known));
        }
        assert!((to_known(1.2734, 0.004) - 1.27).abs() < 1e-12);
        // Never to nothing, and exactly where the clock is fine.
        assert!((to_known(0.0234, 5.0) - 0.02).abs() < 1e-12);
        assert_eq!((to_known(1.2734, 0.0), to_known(1.2734, f64::INFINITY)), (1.2734, 1.2734));
    }

    #[test]
    fn no_figure_is_finer_than_the_clock() {
        let clock = ClockStep { step_us: 100.0 };
        assert_eq!(clock.round(1234.0, 1), 1200.0);
        assert_eq!(clock.round(12.34, 1000), 12.3);
        assert_eq!(clock.round(12.0, 1), 0.0);
        let method = clock.method();
        assert!(method.sample_us >= 200.0 * clock.step_us);
        // A transform of 5 us fills a sample.
        assert!(f64::from(method.repetitions(5.0)) * 5.0 >= 0.9 * 5.0 * 1000.0);
    }
}
