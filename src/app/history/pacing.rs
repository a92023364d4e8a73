//! The pacing of frames. Which refresh of the display showed a frame is not reported, so it is estimated from
//! the intervals between frames.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) enum Pacing {
    NoVsync,
    /// The cap on the frame rate sets the intervals, not the display.
    Capped,
    TooFew,
    /// The intervals are no multiples of one period.
    Irregular,
    /// Frames come with the display's refreshes.
    Periodic(Periodic),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct Periodic {
    /// Milliseconds between refreshes. If every frame misses a refresh, the estimate is a multiple of the
    /// true period.
    pub period_ms: f32,
    /// Refreshes without a new frame.
    pub missed: u32,
    /// The number of frames in the estimate.
    pub frames: u32,
}

impl Pacing {
    /// Displays refresh 20 to 500 times a second.
    const PERIODS_MS: std::ops::RangeInclusive<f32> = 2.0..=50.0;
    /// The fewest frames for an estimate.
    const FEWEST: usize = 30;
    /// The largest distance from a multiple, in periods, of an interval that counts as one.
    const NEAR: f32 = 0.15;
    /// Share of the intervals that must be near a multiple.
    const MOST: f32 = 0.85;
    /// Largest median distance from a multiple, in periods: waiting for a display is more exact than
    /// rendering, whose times scatter by more.
    const TYPICAL: f32 = 0.04;

    /// Judges `intervals_ms`, oldest first, given the settings `vsync` and `capped`.
    pub fn estimate(intervals_ms: &[f32], vsync: bool, capped: bool) -> Self {
        if !vsync {
            return Self::NoVsync;
        }
        if capped {
            return Self::Capped;
        }
        let mut sorted: Vec<f32> = intervals_ms
            .iter()
            .copied()
            .filter(|interval| interval.is_finite() && *interval > 0.0)
            .collect();
        if sorted.len() < Self::FEWEST {
            return Self::TooFew;
        }
        sorted.sort_unstable_by(f32::total_cmp);
        // The period is what most intervals are multiples of, and the longest such. What is
        // common is the period or a small multiple; frames that caught up come below it.
        let common = [0.5, 0.25, 0.1, 0.75].map(|share| {
            let middle = sorted[(share * (sorted.len() - 1) as f32) as usize];
            centre(&sorted, middle)
        });
        let candidates = (1..=4).flat_map(|part| common.map(|common| common / part as f32));
        let fitting = candidates
            .filter(|period| Self::PERIODS_MS.contains(period))
            .filter(|period| fits(&mut sorted.clone(), *period));
        let Some(period_ms) = fitting.reduce(f32::max) else { return Self::Irregular };
        let period_ms = refined(&sorted, period_ms);

        // A frame that was late by less than a period is followed by one that is early, so that
        // the two come to two refreshes.
        let refreshes: f32 = sorted.iter().map(|interval| (interval / period_ms).round()).sum();
        let frames = sorted.len() as u32;
        let missed = (refreshes as u32).saturating_sub(frames);
        Self::Periodic(Periodic { period_ms, missed, frames })
    }
}

/// The mean of the intervals within 10 % of `middle`, which is one of them.
fn centre(intervals: &[f32], middle: f32) -> f32 {
    let near = intervals.iter().filter(|interval| (*interval / middle - 1.0).abs() < 0.1);
    let (sum, count) = near.fold((0.0, 0), |(sum, count), interval| (sum + interval, count + 1));
    sum / count as f32
}

/// Distance from the nearest multiple, in periods.
fn distance(interval: f32, period: f32) -> f32 {
    let periods = interval / period;
    (periods - periods.round().max(1.0)).abs()
}

/// Whether the intervals are multiples of `period`; replaces them by their distances.
fn fits(intervals: &mut [f32], period: f32) -> bool {
    for interval in intervals.iter_mut() {
        *interval = distance(*interval, period);
    }
    intervals.sort_unstable_by(f32::total_cmp);
    let most = intervals[(Pacing::MOST * (intervals.len() - 1) as f32) as usize];
    most <= Pacing::NEAR && intervals[intervals.len() / 2] <= Pacing::TYPICAL
}

fn refined(intervals: &[f32], period: f32) -> f32 {
    let near = intervals.iter().filter(|interval| distance(**interval, period) <= Pacing::NEAR);
    let (sum, count) = near.fold((0.0_f64, 0.0_f64), |(sum, count), interval| {
        (sum + f64::from(*interval), count + f64::from((interval / period).round().max(1.0)))
    });
    (sum / count) as f32
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_distr::{Distribution as _, Normal};

    use super::*;

    fn random() -> rand_pcg::Pcg32 {
        rand_pcg::Pcg32::seed_from_u64(5)
    }

    /// Intervals of frames shown at refreshes `multiples` periods apart, each noticed late by some.
    fn shown(period_ms: f64, multiples: impl Iterator<Item = u32>, jitter_ms: f64) -> Vec<f32> {
        let mut random = random();
        let jitter = Normal::new(0.0, jitter_ms).unwrap();
        let mut time_ms = 0.0;
        let mut last_ms = 0.0;
        multiples
            .map(|multiple| {
                time_ms += f64::from(multiple) * period_ms;
                let noticed_ms = time_ms + jitter.sample(&mut random);
                let interval = noticed_ms - last_ms;
                last_ms = noticed_ms;
                interval as f32
            })
            .collect()
    }

    fn periodic(intervals: &[f32]) -> Periodic {
        match Pacing::estimate(intervals, true, false) {
            Pacing::Periodic(periodic) => periodic,
            other => panic!("{other:?}"),
        }
    }

    fn assert_period(found: Periodic, period_ms: f32) {
        assert!((found.period_ms / period_ms - 1.0).abs() < 0.01, "{found:?}, not {period_ms}");
    }

    #[test]
    fn a_steady_display_misses_nothing() {
        for hertz in [30.0, 59.94, 60.0, 120.0, 144.0, 240.0] {
            let period_ms = 1e3 / hertz;
            let found = periodic(&shown(period_ms, (0..240).map(|_| 1), 0.015 * period_ms));
            assert_period(found, period_ms as f32);
            assert_eq!((found.missed, found.frames), (0, 240), "{hertz}");
        }
    }

    #[test]
    fn doubled_intervals_are_missed_refreshes() {
        let every_third = |index| if index % 3 == 2 { 2 } else { 1 };
        let found = periodic(&shown(1e3 / 60.0, (0..240).map(every_third), 0.3));
        assert_period(found, 1e3 / 60.0);
        assert_eq!(found.missed, 80);
        // Most are doubled, some tripled, none in time: the period is in neither.
        let two_or_three = |index| if index % 5 == 4 { 3 } else { 2 };
        let found = periodic(&shown(1e3 / 60.0, (0..250).map(two_or_three), 0.3));
        assert_period(found, 1e3 / 60.0);
        assert_eq!(found.missed, 200 + 100);
        // One long wait, as when a driver compiles.
        let hitch = |index| if index == 100 { 31 } else { 1 };
        assert_eq!(periodic(&shown(1e3 / 60.0, (0..240).map(hitch), 0.3)).missed, 30);
    }

    #[test]
    fn a_frame_that_catches_up_missed_nothing() {
        let mut intervals = shown(10.0, (0..200).map(|_| 1), 0.1);
        for late in (10..190).step_by(30) {
            intervals[late] = 14.9;
            intervals[late + 1] = 5.1;
            intervals[late + 5] = 15.2;
            intervals[late + 6] = 4.8;
        }
        let found = periodic(&intervals);
        assert_period(found, 10.0);
        assert_eq!(found.missed, 0);
    }

    #[test]
    fn what_is_not_periodic_has_no_period() {
        let mut random = random();
        let mut noise = |low: f32, high: f32| -> Vec<f32> {
            (0..240).map(|_| random.random_range(low..high)).collect()
        };
        for intervals in [noise(4.0, 12.0), noise(25.0, 34.0), noise(1.0, 60.0), noise(90.0, 140.0)]
        {
            assert_eq!(Pacing::estimate(&intervals, true, false), Pacing::Irregular);
        }
        let steady = shown(1e3 / 60.0, (0..240).map(|_| 1), 0.1);
        assert_eq!(Pacing::estimate(&steady, false, false), Pacing::NoVsync);
        assert_eq!(Pacing::estimate(&steady, true, true), Pacing::Capped);
        assert_eq!(Pacing::estimate(&steady[..20], true, false), Pacing::TooFew);
        let broken = [f32::NAN, f32::INFINITY, 0.0, -3.0].repeat(20);
        assert_eq!(Pacing::estimate(&broken, true, false), Pacing::TooFew);
    }
}
