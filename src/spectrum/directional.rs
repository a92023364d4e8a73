//! The directional spectrum Psi(k): the variance of the surface per area of wave-vector space.

use super::{Dispersion, FrequencySpectrum, Lobe, Spreading};
use crate::settings::SeaState;

/// Psi(k) = S(omega) D(theta; omega) |d omega/d k| / k of one sea state. Its integral over the
/// plane is the variance of the surface, which is the integral of S.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectionalSpectrum {
    /// The dispersion relation.
    pub dispersion: Dispersion,
    /// S(omega).
    pub frequency: FrequencySpectrum,
    /// D(theta; omega).
    pub spreading: Spreading,
    /// Unit vector (x, z) towards which the wind blows.
    pub wind: [f64; 2],
}

/// What all wave vectors of one length have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// Their frequency, in rad/s.
    pub omega_rad_per_s: f64,
    /// S(omega) |d omega/d k| / k, in m4: Psi before its spreading.
    pub density_m4: f64,
    /// D(theta) at their frequency.
    pub lobe: Lobe,
}

impl Ring {
    /// Psi in m4 for the wave vector at the angle from the wind whose cosine is given.
    pub fn psi_m4(&self, cos_theta: f64) -> f64 {
        self.density_m4 * self.lobe.density(cos_theta)
    }
}

impl DirectionalSpectrum {
    /// The spectrum of `sea`.
    pub fn of(sea: &SeaState) -> Self {
        let frequency = FrequencySpectrum::of(sea);
        let (sin, cos) = libm::sincos(sea.wind_direction_deg.to_radians());
        Self {
            dispersion: Dispersion::of(sea),
            frequency,
            spreading: Spreading::of(sea, frequency.peak_rad_per_s()),
            wind: [cos, sin],
        }
    }

    /// The ring of wave vectors of length `k_rad_per_m`, which is greater than 0.
    pub fn ring(&self, k_rad_per_m: f64) -> Ring {
        let omega = self.dispersion.omega_rad_per_s(k_rad_per_m);
        let jacobian = self.dispersion.group_velocity_mps(k_rad_per_m) / k_rad_per_m;
        Ring {
            omega_rad_per_s: omega,
            density_m4: self.frequency.density_m2_s(omega) * jacobian,
            lobe: self.spreading.lobe(omega),
        }
    }

    /// Cosine of the angle between the wind and (x, z), a vector of the given length.
    pub fn cos_theta(&self, x: f64, z: f64, length: f64) -> f64 {
        ((x * self.wind[0] + z * self.wind[1]) / length).clamp(-1.0, 1.0)
    }

    /// Psi of one wave vector (kx, kz) in rad/m; 0 for the zero vector.
    pub fn psi_m4(&self, kx: f64, kz: f64) -> f64 {
        let k = (kx * kx + kz * kz).sqrt();
        if k > 0.0 { self.ring(k).psi_m4(self.cos_theta(kx, kz, k)) } else { 0.0 }
    }

    /// Variance in m2 of the waves from one wavenumber to another: the integral of S between
    /// their frequencies.
    pub fn band_variance_m2(&self, first_rad_per_m: f64, last_rad_per_m: f64) -> f64 {
        let omega = |k| self.dispersion.omega_rad_per_s(k);
        // Nothing is left outside the spectrum's own range; skip it rather than sum zeros.
        let [lowest, highest] = self.frequency.range_rad_per_s();
        self.frequency.moment(
            0,
            omega(first_rad_per_m).max(lowest),
            omega(last_rad_per_m).min(highest),
        )
    }
}
