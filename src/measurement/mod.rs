//! Measurements of the sea against theory: significant wave height, mean square slopes, zero-crossing period
//! and spectrum of an ocean's maps, each with its expected value and the standard error by chance alone.
//!
//! [`Live`] measures an ocean while it runs. It reads back level 0 of the maps, a part in a frame, and
//! transforms heights and slopes into waves: the variances are sums over wave vectors (Parseval), and the
//! spectrum is the heights' variance by frequency, each wave vector having the frequency of its length. It
//! also watches a few fixed points in every frame, where it counts waves. The result is a [`Measured`].
//!
//! The spread of one measurement is computed ([`Theory`]): it is the scatter between seeds.
//!
//! ```
//! use seaway::measurement::{Subject, Theory};
//! use seaway::settings::SeaState;
//! use seaway::{Ocean, OceanOptions};
//!
//! let options = OceanOptions { size: 64, cascades: 2, ..Default::default() };
//! let spectrum = Ocean::prepare(&SeaState::default(), &options)?;
//! let theory = Theory::of(Subject::of(&spectrum, &[]));
//! println!(
//!     "expected: Hs {:.2} m, zero crossings every {:.1} s",
//!     theory.significant_wave_height_m(),
//!     theory.mean_zero_crossing_period_s(),
//! );
//! # Ok::<(), seaway::OceanError>(())
//! ```
//!
//! ```no_run
//! # fn f(
//! #     device: &wgpu::Device, queue: &wgpu::Queue, ocean: &seaway::Ocean, time_s: f64,
//! # ) -> Result<(), seaway::measurement::MeasurementError> {
//! use seaway::measurement::{Figure, Live};
//!
//! let mut live = Live::new(device, ocean, None)?; // once
//! let mut encoder = device.create_command_encoder(&Default::default());
//! ocean.encode(&mut encoder, time_s);
//! live.encode(&mut encoder, None, time_s);
//! queue.submit([encoder.finish()]);
//! live.submitted();
//! if let Some(measured) = live.measured() {
//!     let Figure { measured, expected, .. } = measured.significant_wave_height_m();
//!     println!("Hs: {measured:?} m of {expected} m");
//! }
//! # Ok(())
//! # }
//! ```

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

/// The reasons why an ocean cannot be measured.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeasurementError {
    /// A layer of the maps is larger than a buffer can be.
    #[error(
        "maps of this size cannot be measured: a layer takes {needed} bytes, and a buffer of this \
         device holds at most {available}"
    )]
    TooLarge {
        /// The bytes of a layer.
        needed: u64,
        /// The bytes that a buffer may have.
        available: u64,
    },
    /// The system cannot create a thread.
    #[error("no thread could be started for the measurement: {0}")]
    Thread(String),
    /// A shader file on disk was broken; the embedded ones are sound.
    #[error(transparent)]
    Shader(#[from] ShaderError),
}

/// The measurements of one sea so far.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The expected values of measurements.
    pub theory: Arc<Theory>,
    /// The newest measurement of the whole surface.
    pub surface: Option<Arc<Surface>>,
    /// The period Tz from the time series at fixed points.
    pub period: Option<Period>,
    /// The newest measurement of the foam, if any.
    pub whitecaps: Option<WhitecapCover>,
}

/// A measured number, with its expectation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The measured value, if there is one.
    pub measured: Option<f64>,
    /// The expected value for the waves of the maps.
    pub expected: f64,
    /// The standard deviation of one measurement by chance, where it is known.
    pub standard_error: Option<f64>,
    /// The expected value for the whole spectrum, down to the shortest ripples.
    pub whole: f64,
}

impl Figure {
    /// The distance of the measurement above the expected value, in standard errors.
    pub fn deviations(&self) -> Option<f64> {
        Some((self.measured? - self.expected) / self.standard_error?)
    }

    /// The same figure in other units, with `units` to one of the old.
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
    /// The significant wave height Hs = 4 sqrt(m0), in metres.
    pub fn significant_wave_height_m(&self) -> Figure {
        let expected = self.theory.significant_wave_height_m();
        Figure {
            measured: self.surface.as_ref().map(|surface| 4.0 * surface.variance_m2.sqrt()),
            expected,
            // The relative error of a square root is half of its argument's.
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

    /// The mean direction towards which the waves run, in degrees from +X towards +Z, of the waves in the
    /// maps whose direction two looks at the surface tell apart. The whole sea's is that of the spectrum
    /// file, if there is one.
    pub fn mean_direction_deg(&self) -> Figure {
        let expected = self.theory.direction_deg;
        let near = |degrees: f64| expected + (degrees - expected + 180.0).rem_euclid(360.0) - 180.0;
        let measured = self.surface.as_ref().and_then(|surface| {
            let sums = surface
                .towards_m2
                .iter()
                .fold([0.0; 3], |sums, bin| [0, 1, 2].map(|index| sums[index] + bin[index]));
            let [variance_m2, x, z] = sums;
            // Most of the waves count, or others might run elsewhere.
            (variance_m2 > 0.5 * surface.variance_m2).then(|| near(libm::atan2(z, x).to_degrees()))
        });
        let sea = &self.theory.subject.sea;
        let has_swells = sea.swell_height_m + sea.swell_2_height_m > 0.0;
        let file = self.theory.recorded.as_ref().filter(|_| !has_swells);
        let file = file.map(|record| record.summary().direction_deg);
        Figure {
            measured,
            expected,
            standard_error: Some(self.theory.direction_error_deg),
            whole: file.map_or(expected, near),
        }
    }

    /// The mean directions in bin `index`, in degrees from +X towards +Z: as measured, and as expected.
    pub fn direction_deg(&self, index: usize) -> Option<[f64; 2]> {
        let [variance_m2, x, z] = *self.surface.as_ref()?.towards_m2.get(index)?;
        let expected = self.theory.expected.get(index)?.towards;
        let degrees = |x: f64, z: f64| libm::atan2(z, x).to_degrees();
        (variance_m2 > 0.0).then(|| [degrees(x, z), degrees(expected[0], expected[1])])
    }

    /// Tz, the mean time between two rises through the still level, in seconds. Before enough waves are
    /// counted, the expected value is that of continuous observation.
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

    /// The whitecap cover, 0 to 1, which is expected to be the observed cover at the wind
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

    /// The measured S(omega) in m2 s/rad in bin `index`: the measured variance over the one expected of the
    /// bin's wave vectors, times the theoretical density. So the effect of a square lattice on a narrow ring
    /// is no error of the sea's.
    pub fn density_m2_s(&self, index: usize) -> Option<f64> {
        let expected = self.theory.expected.get(index)?;
        let measured_m2 = self.surface.as_ref()?.bins_m2.get(index)?;
        (expected.variance_m2 > 0.0)
            .then(|| measured_m2 / expected.variance_m2 * expected.density_m2_s)
    }
}

/// Every shader that this module compiles: label and complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    let text = |file| crate::gpu::shader::LIBRARY.compose(file).unwrap().text().to_owned();
    [points::SHADER, whitecaps::SHADER].map(|file| (file.to_owned(), text(file))).into()
}

#[cfg(test)]
mod tests;
