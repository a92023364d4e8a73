//! Directional spreading D(theta; omega): how the waves of one frequency share their variance
//! between directions. Every model integrates to one over the circle at every frequency.

use std::f64::consts::PI;

use super::dispersion::GRAVITY_MPS2;
use crate::settings::{SeaState, SpreadingModel};

/// Q(s) = Gamma(s+1)/(2 sqrt(pi) Gamma(s+1/2)), which makes Q(s) |cos(theta/2)|^(2s) integrate
/// to one over the circle (Longuet-Higgins, Cartwright and Smith 1963).
pub fn cos_2s_normalisation(s: f64) -> f64 {
    libm::exp(libm::lgamma(s + 1.0) - libm::lgamma(s + 0.5)) / (2.0 * PI.sqrt())
}

/// Hasselmann, Dunckel and Ewing (1980): s = 6.97 x^4.06 up to the peak, beyond it
/// 9.77 x^(-2.33 - 1.45 (U omega_p/g - 1.17)), with x = omega/omega_p and `inverse_wave_age` =
/// U omega_p/g.
pub fn hasselmann_exponent(x: f64, inverse_wave_age: f64) -> f64 {
    if x <= 1.0 {
        6.97 * libm::pow(x, 4.06)
    } else {
        9.77 * libm::pow(x, -2.33 - 1.45 * (inverse_wave_age - 1.17))
    }
}

/// The spreading of one sea state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spreading {
    model: SpreadingModel,
    /// s of cos-2s.
    exponent: f64,
    omega_p: f64,
    inverse_wave_age: f64,
}

impl Spreading {
    /// The spreading of `sea`, whose spectrum peaks at `omega_p`.
    pub fn of(sea: &SeaState, omega_p: f64) -> Self {
        Self {
            model: sea.spreading,
            exponent: sea.spreading_exponent,
            omega_p,
            inverse_wave_age: sea.wind_speed_mps * omega_p / GRAVITY_MPS2,
        }
    }

    /// The lobe of waves of `omega`.
    pub fn lobe(&self, omega: f64) -> Lobe {
        Lobe::cos_2s(match self.model {
            SpreadingModel::Cos2s => self.exponent,
            SpreadingModel::Hasselmann => {
                hasselmann_exponent(omega / self.omega_p, self.inverse_wave_age)
            }
        })
    }
}

/// D(theta) at one frequency, normalised once for all directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lobe {
    s: f64,
    normalisation: f64,
}

impl Lobe {
    /// Q(s) |cos(theta/2)|^(2s).
    pub fn cos_2s(s: f64) -> Self {
        Self { s, normalisation: cos_2s_normalisation(s) }
    }

    /// D in 1/rad at the angle from the wind whose cosine is given. Lobes are symmetric about
    /// the wind, so the cosine is enough, and it comes without a single arc function:
    /// cos^2(theta/2) = (1 + cos(theta))/2.
    pub fn density(&self, cos_theta: f64) -> f64 {
        let cos_squared_half = (0.5 * (1.0 + cos_theta)).clamp(0.0, 1.0);
        self.normalisation * libm::pow(cos_squared_half, self.s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;

    fn spreadings() -> impl Iterator<Item = Spreading> {
        SpreadingModel::ALL.iter().flat_map(|&spreading| {
            [(0.0, 3.0), (2.5, 10.0), (25.0, 20.0), (75.0, 40.0)].map(
                move |(spreading_exponent, wind_speed_mps)| {
                    let sea = SeaState {
                        spreading,
                        spreading_exponent,
                        wind_speed_mps,
                        ..Default::default()
                    };
                    Spreading::of(&sea, 0.9)
                },
            )
        })
    }

    fn integral(lobe: &Lobe) -> f64 {
        // The trapezoid rule on a whole period: exact to rounding for a lobe this smooth.
        let steps = 4_000;
        let step = 2.0 * PI / f64::from(steps);
        (0..steps).map(|i| lobe.density((step * f64::from(i)).cos()) * step).sum()
    }

    #[test]
    fn every_model_integrates_to_one_at_every_frequency() {
        for spreading in spreadings() {
            for i in 1..80 {
                let omega = 0.05 * f64::from(i * i);
                let total = integral(&spreading.lobe(omega));
                // Below s = 1/2 the lobe has a cusp, which the rule feels.
                assert!((total - 1.0).abs() < 1e-3, "{spreading:?} omega={omega}: {total}");
            }
        }
    }

    #[test]
    fn the_normalisation_has_its_known_values() {
        assert!((cos_2s_normalisation(0.0) - 1.0 / (2.0 * PI)).abs() < 1e-12);
        assert!((cos_2s_normalisation(1.0) - 1.0 / PI).abs() < 1e-12);
        assert!((cos_2s_normalisation(2.0) - 4.0 / (3.0 * PI)).abs() < 1e-12);
    }

    #[test]
    fn lobes_point_downwind() {
        for spreading in spreadings().filter(|spreading| spreading.exponent > 0.0) {
            let lobe = spreading.lobe(0.9);
            assert!(lobe.density(1.0) > lobe.density(0.5));
            assert!(lobe.density(0.5) > lobe.density(-0.5));
            assert!(lobe.density(-1.0) < 1e-12);
        }
    }

    #[test]
    fn hasselmann_is_narrowest_at_the_peak() {
        assert!((hasselmann_exponent(1.0, 1.0) - 6.97).abs() < 1e-12);
        assert!((hasselmann_exponent(1.0 + 1e-12, 1.0) - 9.77).abs() < 1e-9);
        assert!((hasselmann_exponent(2.0, 1.17) - 9.77 * 2.0_f64.powf(-2.33)).abs() < 1e-12);
        assert!(hasselmann_exponent(0.5, 1.0) < 1.0 && hasselmann_exponent(5.0, 1.0) < 1.0);
    }
}
