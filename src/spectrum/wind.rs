//! What the wind does to the smallest waves, which the eye sees as roughness.

use crate::settings::SeaState;

/// The wavenumber in rad/m of the slowest waves, between gravity and surface tension:
/// sqrt(g rho/sigma).
pub const SLOWEST_RAD_PER_M: f64 = 367.1;

/// The speed of the slowest waves, in m/s.
pub const SLOWEST_MPS: f64 = 0.2312;

/// The shortest waves that there are, of 2 mm, in rad/m: viscosity has the others.
pub(super) const SHORTEST_RAD_PER_M: f64 = 3_000.0;

/// The share of the wind's force that the water feels, by Wu (1982): for the wind at 10 m.
fn drag_coefficient(wind_speed_mps: f64) -> f64 {
    1e-3 * (0.8 + 0.065 * wind_speed_mps)
}

/// The friction velocity in m/s of a wind at 10 m.
pub fn friction_velocity_mps(wind_speed_mps: f64) -> f64 {
    drag_coefficient(wind_speed_mps).sqrt() * wind_speed_mps
}

/// The wind at 12.5 m, where Cox and Munk measured it: by the logarithmic profile over the sea.
pub fn wind_at_12_5_m_mps(wind_speed_mps: f64) -> f64 {
    const VON_KARMAN: f64 = 0.4;
    wind_speed_mps + friction_velocity_mps(wind_speed_mps) / VON_KARMAN * libm::log(1.25)
}

/// Variance of the slopes of a clean sea along and across the wind (Cox and Munk 1954), from the
/// glitter of the sun: 3.16e-3 W and 0.003 + 1.92e-3 W, W in m/s at 12.5 m.
pub fn cox_munk_slope_variance(sea: &SeaState) -> [f64; 2] {
    let wind = wind_at_12_5_m_mps(sea.wind_speed_mps);
    [3.16e-3 * wind, 0.003 + 1.92e-3 * wind]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spectrum::{Dispersion, GRAVITY_MPS2, SURFACE_TENSION_OVER_DENSITY};

    #[test]
    fn the_slowest_waves_are_the_slowest() {
        let deep =
            Dispersion { depth_m: 1e6, surface_tension_over_density: SURFACE_TENSION_OVER_DENSITY };
        let k = (GRAVITY_MPS2 / SURFACE_TENSION_OVER_DENSITY).sqrt();
        assert!((k - SLOWEST_RAD_PER_M).abs() < 0.05, "{k}");
        assert!((deep.omega_rad_per_s(k) / k - SLOWEST_MPS).abs() < 5e-5);
    }

    #[test]
    fn the_wind_grows_with_height_by_some_per_cent() {
        for wind in [2.0, 10.0, 20.0] {
            let ratio = wind_at_12_5_m_mps(wind) / wind;
            assert!((1.01..1.03).contains(&ratio), "{ratio}");
        }
    }
}
