//! A system of waves: a wind sea, or a swell from elsewhere. A sea is the sum of its systems' variances.

use super::{Dispersion, FrequencySpectrum, Lobe, Spreading};
use crate::settings::SeaState;

/// A system of waves with one origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WaveSystem {
    /// "wind sea", "swell" or "second swell".
    pub name: &'static str,
    /// The frequency spectrum S(omega) of its waves.
    pub frequency: FrequencySpectrum,
    /// Its spreading D(theta; omega), around `towards`.
    pub spreading: Spreading,
    /// The unit vector (x, z) in whose direction the waves run.
    pub towards: [f64; 2],
}

impl WaveSystem {
    /// The systems of `sea`: the wind sea, and then its swells.
    pub fn of(sea: &SeaState) -> Vec<Self> {
        let frequency = FrequencySpectrum::of(sea);
        let wind_sea = Self {
            name: "wind sea",
            frequency,
            spreading: Spreading::of(sea, frequency.peak_rad_per_s()),
            towards: unit(sea.wind_direction_deg),
        };
        let swells = [
            (
                "swell",
                sea.swell_height_m,
                sea.swell_period_s,
                sea.swell_direction_deg,
                sea.swell_spreading_exponent,
            ),
            (
                "second swell",
                sea.swell_2_height_m,
                sea.swell_2_period_s,
                sea.swell_2_direction_deg,
                sea.swell_2_spreading_exponent,
            ),
        ];
        let swells = swells.into_iter().filter(|(_, height_m, ..)| *height_m > 0.0);
        let swells = swells.map(|(name, height_m, period_s, direction_deg, s)| {
            let frequency = FrequencySpectrum::swell(height_m, period_s);
            Self {
                name,
                frequency,
                spreading: Spreading::cos_2s(s, frequency.peak_rad_per_s()),
                towards: unit(direction_deg),
            }
        });
        std::iter::once(wind_sea).chain(swells).collect()
    }

    /// The lowest peak in rad/s of the systems of `sea`. An invisible swell, with less than a thousandth
    /// of the variance, does not count: it would change the whole sea.
    pub(super) fn lowest_peak_rad_per_s(sea: &SeaState) -> f64 {
        let systems = Self::of(sea);
        let variances: Vec<f64> =
            systems.iter().map(|system| system.frequency.total_variance_m2()).collect();
        let least = 1e-3 * variances.iter().sum::<f64>();
        let peaks = systems.iter().zip(&variances).filter(|(_, variance)| **variance >= least);
        peaks.map(|(system, _)| system.frequency.peak_rad_per_s()).fold(f64::INFINITY, f64::min)
    }

    /// F(k) in m3, the variance per wavenumber in all directions together, and the lobe.
    pub(super) fn at(&self, dispersion: &Dispersion, k: f64) -> (f64, Lobe) {
        let omega = dispersion.omega_rad_per_s(k);
        let density = self.frequency.density_m2_s(omega) * dispersion.group_velocity_mps(k);
        (density, self.spreading.lobe(omega, k))
    }
}

/// The unit vector (x, z) of a direction in degrees from +X towards +Z.
fn unit(direction_deg: f64) -> [f64; 2] {
    let (sin, cos) = libm::sincos(direction_deg.to_radians());
    [cos, sin]
}
