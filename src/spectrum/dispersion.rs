//! The dispersion relation: the frequency of a wave of a given length.

use crate::settings::SeaState;

/// Acceleration of gravity, in m/s2.
pub const GRAVITY_MPS2: f64 = 9.81;

/// Surface tension over density of sea water, in m3/s2.
pub const SURFACE_TENSION_OVER_DENSITY: f64 = 7.28e-5;

/// omega^2 = (g k + (sigma/rho) k^3) tanh(k d), for one depth, with or without surface tension
/// (Lamb, *Hydrodynamics*, articles 228 and 267).
///
/// Waves built with one relation must also move by it: the same value serves the spectrum's change of
/// variables and the waves' frequencies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dispersion {
    /// Depth of the water, in metres.
    pub depth_m: f64,
    /// Surface tension over density, in m3/s2; 0 leaves it out.
    pub surface_tension_over_density: f64,
}

impl Dispersion {
    /// The relation in `sea`'s water.
    pub fn of(sea: &SeaState) -> Self {
        Self {
            depth_m: sea.depth_m,
            surface_tension_over_density: if sea.capillary {
                SURFACE_TENSION_OVER_DENSITY
            } else {
                0.0
            },
        }
    }

    /// Frequency in rad/s of waves of `k_rad_per_m`.
    pub fn omega_rad_per_s(&self, k_rad_per_m: f64) -> f64 {
        self.omega_squared(k_rad_per_m).0.max(0.0).sqrt()
    }

    /// d omega/d k in m/s: the speed at which the energy of waves of `k_rad_per_m` travels.
    pub fn group_velocity_mps(&self, k_rad_per_m: f64) -> f64 {
        let (omega_squared, derivative) = self.omega_squared(k_rad_per_m);
        if omega_squared > 0.0 {
            derivative / (2.0 * omega_squared.sqrt())
        } else {
            // The limit of long waves.
            (GRAVITY_MPS2 * self.depth_m).sqrt()
        }
    }

    /// Wavenumber in rad/m of waves of `omega_rad_per_s`: the relation inverted, by Newton's
    /// method within a bracket.
    pub fn wavenumber_rad_per_m(&self, omega_rad_per_s: f64) -> f64 {
        if omega_rad_per_s.is_nan() || omega_rad_per_s <= 0.0 {
            return 0.0;
        }
        let wanted = omega_rad_per_s * omega_rad_per_s;
        // Depth only slows waves and never below the long-wave speed, so without surface tension
        // k lies between the two limits' sum and half of each.
        let mut high =
            wanted / GRAVITY_MPS2 + omega_rad_per_s / (GRAVITY_MPS2 * self.depth_m).sqrt();
        let mut low = 0.0;
        let mut k = high;
        for _ in 0..100 {
            let (omega_squared, derivative) = self.omega_squared(k);
            if omega_squared > wanted {
                high = k;
            } else {
                low = k;
            }
            let newton = k - (omega_squared - wanted) / derivative;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - k).abs() <= 1e-15 * k {
                return next;
            }
            k = next;
        }
        k
    }

    /// omega^2 and its derivative by k.
    fn omega_squared(&self, k: f64) -> (f64, f64) {
        let tension = self.surface_tension_over_density;
        let tanh = libm::tanh(k * self.depth_m);
        let deep = (GRAVITY_MPS2 + tension * k * k) * k;
        let deep_derivative = GRAVITY_MPS2 + 3.0 * tension * k * k;
        let sech_squared = (1.0 - tanh * tanh).max(0.0);
        (deep * tanh, deep_derivative * tanh + deep * self.depth_m * sech_squared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEEP: Dispersion = Dispersion { depth_m: 1e6, surface_tension_over_density: 0.0 };

    fn every_regime() -> impl Iterator<Item = (Dispersion, f64)> {
        [0.5, 3.0, 30.0, 1e3]
            .into_iter()
            .flat_map(|depth_m| {
                [0.0, SURFACE_TENSION_OVER_DENSITY].map(|surface_tension_over_density| Dispersion {
                    depth_m,
                    surface_tension_over_density,
                })
            })
            .flat_map(|dispersion| {
                [1e-3, 0.02, 0.3, 4.0, 60.0, 370.0, 5e3].map(|k| (dispersion, k))
            })
    }

    #[test]
    fn deep_water_is_the_square_root_of_g_k() {
        assert!((DEEP.omega_rad_per_s(0.1) - 0.981_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn shallow_water_has_one_speed() {
        let shallow = Dispersion { depth_m: 2.0, surface_tension_over_density: 0.0 };
        let speed = (2.0 * GRAVITY_MPS2).sqrt();
        assert!((shallow.omega_rad_per_s(1e-4) / 1e-4 - speed).abs() < 1e-6);
        assert!((shallow.group_velocity_mps(0.0) - speed).abs() < 1e-12);
    }

    /// (k/KM)^2 with KM = sqrt(g rho/sigma), not `k*k/KM*KM`: at KM both forces are equal, and
    /// there the phase speed has its minimum, 23 cm/s at 1.7 cm in sea water.
    #[test]
    fn surface_tension_gives_the_slowest_wave() {
        let sea = Dispersion { surface_tension_over_density: SURFACE_TENSION_OVER_DENSITY, ..DEEP };
        let km = (GRAVITY_MPS2 / SURFACE_TENSION_OVER_DENSITY).sqrt();
        let ratio = sea.omega_rad_per_s(km) / DEEP.omega_rad_per_s(km);
        assert!((ratio - 2.0_f64.sqrt()).abs() < 1e-12, "{ratio}");
        let speed = |k: f64| sea.omega_rad_per_s(k) / k;
        assert!(speed(km) < speed(0.9 * km) && speed(km) < speed(1.1 * km));
        assert!((speed(km) - 0.231).abs() < 1e-3, "{}", speed(km));
    }

    #[test]
    fn the_group_velocity_is_the_derivative() {
        for (dispersion, k) in every_regime() {
            let step = 1e-5 * k;
            let difference = (dispersion.omega_rad_per_s(k + step)
                - dispersion.omega_rad_per_s(k - step))
                / (2.0 * step);
            let analytic = dispersion.group_velocity_mps(k);
            assert!((analytic / difference - 1.0).abs() < 1e-7, "{dispersion:?} k={k}");
        }
    }

    #[test]
    fn the_wavenumber_inverts_the_frequency() {
        for (dispersion, k) in every_regime() {
            let back = dispersion.wavenumber_rad_per_m(dispersion.omega_rad_per_s(k));
            assert!((back / k - 1.0).abs() < 1e-12, "{dispersion:?} k={k} back={back}");
        }
        assert_eq!(DEEP.wavenumber_rad_per_m(0.0), 0.0);
        assert_eq!(DEEP.wavenumber_rad_per_m(f64::NAN), 0.0);
    }
}
