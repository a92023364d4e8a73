//! The mean zero-crossing period Tz from a time series: how often the surface rises through the still
//! level at fixed points.

use super::Theory;

/// Points along one side of the grid of points.
pub const POINTS_A_SIDE: usize = 8;
/// Points that are watched. Spread over the patch of the longest waves, where the next one is some
/// three wavelengths of the peak away.
pub const POINTS: usize = POINTS_A_SIDE * POINTS_A_SIDE;

/// Neighbouring points that are counted together along each side: what they have in common does not
/// make the error seem small.
const BLOCK_A_SIDE: usize = 2;
const BLOCKS_A_SIDE: usize = POINTS_A_SIDE / BLOCK_A_SIDE;
const BLOCKS: usize = BLOCKS_A_SIDE * BLOCKS_A_SIDE;

/// Heights of the water at the points at one time, in metres.
pub type Heights = [f32; POINTS];

/// What has been counted since the series began.
#[derive(Clone, Debug, Default)]
pub(super) struct Series {
    last: Option<(f64, Vec<f32>)>,
    duration_s: f64,
    rises: [u32; BLOCKS],
    /// Rises that theory expects at one point, in the steps that were taken.
    expected_rises: f64,
}

/// Tz as it was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Period {
    /// The mean time between two rises through the still level, in seconds.
    pub mean_zero_crossing_period_s: f64,
    /// What theory expects of the waves that the maps hold, looked at when they were looked at:
    /// crossings between two looks are missed.
    pub expected_s: f64,
    /// Standard error of the measured period around the expected one, in seconds.
    pub standard_error_s: f64,
    /// Waves that were counted, at all points together.
    pub waves: u32,
    /// For how long, in seconds of the sea.
    pub duration_s: f64,
}

impl Series {
    /// A later look than this is another series, in seconds of the sea: the sea's clock was set.
    const LONGEST_STEP_S: f64 = 3.0;
    /// Fewer waves tell no period.
    const FEWEST_WAVES: u32 = 2 * BLOCKS as u32;

    /// Looks at the points at `time_s`. The series begins anew where time went back or leapt; a sea
    /// that stands still adds nothing. In a sea that repeats itself the series ends after one loop.
    pub fn push(&mut self, theory: &Theory, time_s: f64, heights: &Heights) {
        let step_s = match &self.last {
            Some((last_s, _)) => time_s - last_s,
            None => f64::NAN,
        };
        if step_s == 0.0 {
            return;
        }
        let Some((_, before)) =
            self.last.as_mut().filter(|_| (0.0..=Self::LONGEST_STEP_S).contains(&step_s))
        else {
            *self = Self { last: Some((time_s, heights.to_vec())), ..Self::default() };
            return;
        };
        let loop_s = theory.subject.sea.loop_period_s;
        let is_complete = loop_s > 0.0 && self.duration_s + step_s > loop_s;
        if !is_complete {
            for (point, (before, now)) in before.iter().zip(heights).enumerate() {
                let [x, z] = [point % POINTS_A_SIDE, point / POINTS_A_SIDE];
                let block = z / BLOCK_A_SIDE * BLOCKS_A_SIDE + x / BLOCK_A_SIDE;
                self.rises[block] += u32::from(*before < 0.0 && *now >= 0.0);
            }
            self.duration_s += step_s;
            self.expected_rises += theory.rises_in(step_s);
        }
        before.copy_from_slice(heights);
        self.last.as_mut().expect("there was one before").0 = time_s;
    }

    /// The period so far, once there are waves enough to tell one.
    pub fn period(&self, theory: &Theory) -> Option<Period> {
        let waves: u32 = self.rises.iter().sum();
        if waves < Self::FEWEST_WAVES || self.expected_rises <= 0.0 {
            return None;
        }
        let mean = f64::from(waves) / BLOCKS as f64;
        let squares: f64 = self.rises.iter().map(|rises| (f64::from(*rises) - mean).powi(2)).sum();
        let of_the_mean = squares / ((BLOCKS - 1) * BLOCKS) as f64;
        // How the points differ does not show how the seas of two seeds would.
        let relative_error = (of_the_mean / (mean * mean) + theory.period_error.powi(2)).sqrt();
        let expected_s = self.duration_s / self.expected_rises;
        Some(Period {
            mean_zero_crossing_period_s: self.duration_s * POINTS as f64 / f64::from(waves),
            expected_s,
            standard_error_s: relative_error * expected_s,
            waves,
            duration_s: self.duration_s,
        })
    }
}
