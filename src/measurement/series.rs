//! The mean zero-crossing period Tz from time series of the surface's upward crossings at fixed points.

use super::Theory;

/// Points along one side of the grid of points.
pub const POINTS_A_SIDE: usize = 8;
/// The number of watched points, spread over the patch of the longest waves, where the next one is some
/// three wavelengths of the peak away.
pub const POINTS: usize = POINTS_A_SIDE * POINTS_A_SIDE;

/// The side of the blocks of neighbouring points that are counted together, so that their correlation
/// does not make the error seem small.
const BLOCK_A_SIDE: usize = 2;
const BLOCKS_A_SIDE: usize = POINTS_A_SIDE / BLOCK_A_SIDE;
const BLOCKS: usize = BLOCKS_A_SIDE * BLOCKS_A_SIDE;

/// The heights of the water at the points at one time, in metres.
pub type Heights = [f32; POINTS];

/// The counts since the series began.
#[derive(Clone, Debug, Default)]
pub(super) struct Series {
    last: Option<(f64, Vec<f32>)>,
    duration_s: f64,
    rises: [u32; BLOCKS],
    /// The expected crossings at one point, in the steps so far.
    expected_rises: f64,
}

/// The measured mean zero-crossing period Tz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Period {
    /// The mean time between two rises through the still level, in seconds.
    pub mean_zero_crossing_period_s: f64,
    /// The expected value for the waves of the maps at the times of the samples, which miss crossings in
    /// between.
    pub expected_s: f64,
    /// The standard error of the measured period around the expected one, in seconds.
    pub standard_error_s: f64,
    /// The number of waves counted at all points together.
    pub waves: u32,
    /// The duration of the series, in seconds of the sea.
    pub duration_s: f64,
}

impl Series {
    /// The longest step of a series, in seconds of the sea: after a longer one the clock was set.
    const LONGEST_STEP_S: f64 = 3.0;
    /// The fewest waves that determine a period.
    const FEWEST_WAVES: u32 = 2 * BLOCKS as u32;

    /// Adds the heights at `time_s`. The series begins again where time went back or leapt; a paused sea
    /// adds nothing. In a looping sea the series ends after one loop.
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

    /// The period so far, once enough waves are counted.
    pub fn period(&self, theory: &Theory) -> Option<Period> {
        let waves: u32 = self.rises.iter().sum();
        if waves < Self::FEWEST_WAVES || self.expected_rises <= 0.0 {
            return None;
        }
        let mean = f64::from(waves) / BLOCKS as f64;
        let squares: f64 = self.rises.iter().map(|rises| (f64::from(*rises) - mean).powi(2)).sum();
        let of_the_mean = squares / ((BLOCKS - 1) * BLOCKS) as f64;
        // The scatter between points does not show that between seeds.
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
