//! A system of waves: a wind sea, or a swell from elsewhere. A sea is the sum of its systems' variances.

use super::distribution::Distribution;
use super::{Dispersion, FrequencySpectrum, Lobe, Spreading};
use crate::settings::SeaState;

/// A system of waves with one origin.
#[derive(Clone, Debug, PartialEq)]
pub struct WaveSystem {
    /// "wind sea", "recorded sea", "swell" or "second swell".
    pub name: &'static str,
    /// The frequency spectrum S(omega) of its waves.
    pub frequency: FrequencySpectrum,
    /// The directions in which its waves run.
    pub directions: WaveDirections,
}

/// The directions in which the waves of a system run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WaveDirections {
    /// The waves spread around one direction.
    Spread {
        /// D(theta; omega), around `towards`.
        spreading: Spreading,
        /// The unit vector (x, z) of the mean direction.
        towards: [f64; 2],
    },
    /// The waves of each frequency have the directions of the record.
    Recorded,
}

/// The waves of one wavenumber that have one distribution over directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part<'a> {
    /// Their variance per wavenumber in m3, or per area of the plane in m4: that of [`Part::times`].
    pub density: f64,
    directions: Directions<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Directions<'a> {
    Lobe { lobe: Lobe, towards: [f64; 2] },
    Recorded(&'a Distribution),
}

impl Part<'_> {
    pub const NONE: Self = Self {
        density: 0.0,
        directions: Directions::Lobe { lobe: Lobe::EVEN, towards: [1.0, 0.0] },
    };

    /// Waves of one lobe.
    pub fn of_lobe(density: f64, lobe: Lobe, towards: [f64; 2]) -> Self {
        Self { density, directions: Directions::Lobe { lobe, towards } }
    }

    /// The same waves with another density.
    pub fn times(self, factor: f64) -> Self {
        Self { density: factor * self.density, ..self }
    }

    /// The density per radian towards (x, z), a unit vector; of a recorded distribution, the mean over
    /// `width_rad`.
    pub fn density_towards(&self, x: f64, z: f64, width_rad: f64) -> f64 {
        self.density
            * match self.directions {
                Directions::Lobe { lobe, towards } => {
                    lobe.density((x * towards[0] + z * towards[1]).clamp(-1.0, 1.0))
                }
                Directions::Recorded(distribution) => distribution.mean_density(x, z, width_rad),
            }
    }

    /// The density for all directions together, times the means of k_i k_j over k^2: (xx, zz, xz).
    pub fn second_moments(&self) -> [f64; 3] {
        let moments = match self.directions {
            Directions::Lobe { lobe, towards: [x, z] } => {
                let along = 0.5 * (1.0 + lobe.mean_cos_2_theta());
                let across = 1.0 - along;
                [
                    along * x * x + across * z * z,
                    along * z * z + across * x * x,
                    (along - across) * x * z,
                ]
            }
            Directions::Recorded(distribution) => {
                let [_, _, a2, b2] = distribution.moments();
                [0.5 * (1.0 + a2), 0.5 * (1.0 - a2), 0.5 * b2]
            }
        };
        moments.map(|moment| self.density * moment)
    }

    /// The parts of the density along and across the unit vector (x, z).
    pub fn along_and_across(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        let [xx, zz, xz] = self.second_moments();
        let along = xx * x * x + zz * z * z + 2.0 * xz * x * z;
        [along, xx + zz - along]
    }
}

impl WaveSystem {
    /// The systems of `sea`: the wind sea, or the recorded sea in its place, and then the swells.
    pub fn of(sea: &SeaState) -> Vec<Self> {
        let frequency = FrequencySpectrum::of(sea);
        let spread = |spreading, direction_deg| WaveDirections::Spread {
            spreading,
            towards: unit(direction_deg),
        };
        let (name, directions) = if sea.recorded.is_some() {
            ("recorded sea", WaveDirections::Recorded)
        } else {
            let spreading = Spreading::of(sea, frequency.peak_rad_per_s());
            ("wind sea", spread(spreading, sea.wind_direction_deg))
        };
        let wind_sea = Self { name, frequency, directions };
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
            let spreading = Spreading::cos_2s(s, frequency.peak_rad_per_s());
            Self { name, frequency, directions: spread(spreading, direction_deg) }
        });
        std::iter::once(wind_sea).chain(swells).collect()
    }

    /// The lowest frequency in rad/s of the visible waves of `systems`. An invisible swell, with less than a
    /// thousandth of the variance, does not count: it would change the whole sea.
    pub(super) fn lowest_rad_per_s(systems: &[Self]) -> f64 {
        let variances: Vec<f64> =
            systems.iter().map(|system| system.frequency.total_variance_m2()).collect();
        let least = 1e-3 * variances.iter().sum::<f64>();
        let visible = systems.iter().zip(&variances).filter(|(_, variance)| **variance >= least);
        visible.map(|(system, _)| system.frequency.lowest_rad_per_s()).fold(f64::INFINITY, f64::min)
    }

    /// The waves of wavenumber `k`, whose densities are variances per wavenumber in m3.
    pub(super) fn at(&self, dispersion: &Dispersion, k: f64) -> [Part<'_>; 2] {
        let omega = dispersion.omega_rad_per_s(k);
        let group_velocity_mps = dispersion.group_velocity_mps(k);
        match self.directions {
            WaveDirections::Spread { spreading, towards } => {
                let density = self.frequency.density_m2_s(omega) * group_velocity_mps;
                [Part::of_lobe(density, spreading.lobe(omega, k), towards), Part::NONE]
            }
            WaveDirections::Recorded => {
                let part = |(density_m2_s, distribution)| Part {
                    density: density_m2_s * group_velocity_mps,
                    directions: Directions::Recorded(distribution),
                };
                let parts = self.frequency.recorded_at(omega);
                parts.map_or([Part::NONE; 2], |parts| parts.map(part))
            }
        }
    }
}

/// The unit vector (x, z) of a direction in degrees from +X towards +Z.
pub(super) fn unit(direction_deg: f64) -> [f64; 2] {
    let (sin, cos) = libm::sincos(direction_deg.to_radians());
    [cos, sin]
}
