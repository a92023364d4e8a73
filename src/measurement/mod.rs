//! The sea as it is, against the sea as it should be: significant wave height, mean square slopes,
//! zero-crossing period and spectrum of what an ocean's maps hold, each beside what theory expects and
//! how far chance alone takes a measurement from that.
//!
//! [`Live`] measures an ocean while it runs. It brings back level 0 of the maps, a part in a frame,
//! and transforms heights and slopes into waves: the variances are sums over wave vectors (Parseval),
//! and the spectrum is the heights' variance by frequency, each wave vector having the frequency of
//! its length. And it watches a few fixed points in every frame, where it counts waves. What it finds
//! is a [`Measured`].
//!
//! The spread of one measurement is worked out, not guessed ([`Theory`]): it is that of the waves of
//! a seed among all seeds.

mod bins;
mod lattice;
mod layers;
mod live;
mod points;
mod series;
mod subject;
mod surface;
mod theory;
mod waves;
mod whitecaps;
mod worker;

use std::sync::Arc;

pub use bins::FrequencyBins;
pub use live::Live;
pub use series::{Heights, POINTS, POINTS_A_SIDE, Period};
pub use subject::Subject;
pub use surface::Surface;
pub use theory::{ExpectedBin, Theory};
pub use whitecaps::{WhitecapCover, WhitecapSquare, Whitecaps};

use self::subject::along_and_across;
use crate::foam;
use crate::gpu::shader::ShaderError;
pub use crate::platform::Task;

/// Why an ocean cannot be measured.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum MeasurementError {
    /// A layer of the maps is larger than a buffer can be.
    #[error(
        "maps of this size cannot be measured: a layer takes {needed} bytes, and a buffer of this \
         device holds at most {available}"
    )]
    TooLarge {
        /// Bytes of a layer.
        needed: u64,
        /// Bytes that a buffer may have.
        available: u64,
    },
    /// The system gives no thread.
    #[error("no thread could be started for the measurement: {0}")]
    Thread(String),
    /// A shader file on disk was broken; the embedded ones are sound.
    #[error(transparent)]
    Shader(#[from] ShaderError),
}

/// What has been measured of one sea so far.
#[derive(Clone, Debug)]
pub struct Measured {
    /// What is to be expected.
    pub theory: Arc<Theory>,
    /// The newest look at the whole surface.
    pub surface: Option<Arc<Surface>>,
    /// Tz from the series of looks at fixed points.
    pub period: Option<Period>,
    /// The newest look at the foam, where there is any.
    pub whitecaps: Option<WhitecapCover>,
}

/// A number that was measured, beside what theory says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// As it was measured, if it was.
    pub measured: Option<f64>,
    /// What theory expects of the waves that the maps hold.
    pub expected: f64,
    /// How far from that one measurement lies by chance: its standard deviation, where it is known.
    pub standard_error: Option<f64>,
    /// What theory says of the whole spectrum, down to the shortest ripples.
    pub whole: f64,
}

impl Figure {
    /// How many standard errors the measurement lies above the expected value.
    pub fn deviations(&self) -> Option<f64> {
        Some((self.measured? - self.expected) / self.standard_error?)
    }

    /// The same in units of which there are so many to one.
    pub fn times(self, units: f64) -> Self {
        Self {
            measured: self.measured.map(|value| units * value),
            expected: units * self.expected,
            standard_error: self.standard_error.map(|value| units * value),
            whole: units * self.whole,
        }
    }
}

impl Measured {
    /// Hs = 4 sqrt(m0), in metres.
    pub fn significant_wave_height_m(&self) -> Figure {
        let expected = self.theory.significant_wave_height_m();
        Figure {
            measured: self.surface.as_ref().map(|surface| 4.0 * surface.variance_m2.sqrt()),
            expected,
            // Of a square root, half as much.
            standard_error: Some(0.5 * self.theory.variance_error * expected),
            whole: self.theory.subject.summary.significant_wave_height_m,
        }
    }

    /// Mean square slopes of the surface at rest, along and across the wind.
    pub fn mean_square_slopes(&self) -> [Figure; 2] {
        let theory = &self.theory;
        let measured = self.surface.as_ref();
        let measured =
            measured.map(|surface| along_and_across(surface.slope_covariance, theory.wind_towards));
        let (expected, whole) = (theory.mean_square_slopes(), theory.whole_mean_square_slopes());
        [0, 1].map(|axis| Figure {
            measured: measured.map(|measured| measured[axis]),
            expected: expected[axis],
            standard_error: Some(theory.slope_errors[axis] * expected[axis]),
            whole: whole[axis],
        })
    }

    /// Tz, the mean time between two rises through the still level, in seconds. Before waves enough
    /// are counted, what is expected of a look at every moment.
    pub fn mean_zero_crossing_period_s(&self) -> Figure {
        let period = self.period.as_ref();
        Figure {
            measured: period.map(|period| period.mean_zero_crossing_period_s),
            expected: period.map_or_else(
                || self.theory.mean_zero_crossing_period_s(),
                |period| period.expected_s,
            ),
            standard_error: period.map(|period| period.standard_error_s),
            whole: self.theory.subject.summary.mean_zero_crossing_period_s,
        }
    }

    /// Whitecap cover: the share of the sea that is white, 0 to 1, beside what is observed at the wind
    /// ([`observed_cover`](foam::cover::observed_cover)) times the sea's dial.
    pub fn whitecap_cover(&self) -> Figure {
        let sea = &self.theory.subject.sea;
        let expected = foam::cover::wanted(sea);
        Figure {
            measured: self.whitecaps.map(|found| found.share),
            expected,
            standard_error: self.whitecaps.map(|found| found.standard_error),
            whole: expected,
        }
    }

    /// S(omega) in m2 s/rad as it was measured in bin `index`: the bin's variance over the one that
    /// is expected of its wave vectors, times the density that theory has there. So what a square
    /// lattice does to a narrow ring is no error of the sea's.
    pub fn density_m2_s(&self, index: usize) -> Option<f64> {
        let expected = self.theory.expected.get(index)?;
        let measured_m2 = self.surface.as_ref()?.bins_m2.get(index)?;
        (expected.variance_m2 > 0.0)
            .then(|| measured_m2 / expected.variance_m2 * expected.density_m2_s)
    }
}

/// Every shader that this module hands to wgpu: label and complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    let text = |file| crate::gpu::shader::compose(file).unwrap().text().to_owned();
    [points::SHADER, whitecaps::SHADER].map(|file| (file.to_owned(), text(file))).into()
}

#[cfg(test)]
mod tests;
