//! Statistics of many times. Percentiles are defined here and nowhere else: captures, the live panel and the
//! command line agree.

use serde::{Deserialize, Serialize};

pub use crate::gpu::percentile;

/// A summary of many times, in microseconds, by [`percentile`].
///
/// ```
/// use seaway::profile::statistics::{TimeStatistics, percentile};
///
/// let mut times_ns: Vec<u64> = (1..=100).map(|ms| 1_000_000 * ms).collect();
/// let times = TimeStatistics::of_ns(&mut times_ns).unwrap();
/// assert_eq!(times.worst_us, 100_000.0);
/// assert_eq!(percentile(&times_ns, 1.0), Some(100_000_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeStatistics {
    /// The number of summarised times.
    pub count: usize,
    /// Half of them are no longer.
    pub median_us: f64,
    /// One in twenty is shorter.
    pub p5_us: f64,
    /// One in twenty is longer.
    pub p95_us: f64,
    /// One in a hundred is longer.
    pub p99_us: f64,
    /// The longest time, in microseconds.
    pub worst_us: f64,
}

impl TimeStatistics {
    /// Summarises times in nanoseconds, and sorts them; `None` if there are none.
    pub fn of_ns(times_ns: &mut [u64]) -> Option<Self> {
        times_ns.sort_unstable();
        let us = |share| percentile(times_ns, share).map(|ns| ns as f64 / 1e3);
        Some(Self {
            count: times_ns.len(),
            median_us: us(0.5)?,
            p5_us: us(0.05)?,
            p95_us: us(0.95)?,
            p99_us: us(0.99)?,
            worst_us: us(1.0)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_frame_moves_the_worst_but_no_median() {
        let mut times_ns: Vec<u64> = (1..=199).map(|us| us * 1_000).collect();
        times_ns.insert(3, 1_000_000_500);
        let statistics = TimeStatistics::of_ns(&mut times_ns).unwrap();
        let expected = TimeStatistics {
            count: 200,
            median_us: 101.0,
            p5_us: 11.0,
            p95_us: 190.0,
            p99_us: 198.0,
            worst_us: 1_000_000.5,
        };
        assert_eq!(statistics, expected);
        assert_eq!(TimeStatistics::of_ns(&mut []), None);
    }
}
