//! The effect of the wind on the smallest waves, which show as roughness.
//!
//! ```
//! use seaway::settings::SeaState;
//! use seaway::spectrum::wind::*;
//!
//! let sea = SeaState { wind_speed_mps: 10.0, ..Default::default() };
//! // Glitter is longer along the wind than across it, as Cox and Munk measured from 12.5 m.
//! assert!(wind_at_12_5_m_mps(10.0) > 10.0);
//! let variance = cox_munk_slope_variance(&sea);
//! assert!(variance[0] > variance[1]);
//! // Choppy waves are steeper than their water at rest; the wind drags at the water by u*^2.
//! assert!(displaced_over_rest(variance, 1.0) > 1.0);
//! assert!((0.3..0.5).contains(&friction_velocity_mps(10.0)));
//! ```

use crate::settings::SeaState;

/// The wavenumber in rad/m of the slowest waves, between gravity and surface tension: sqrt(g rho/sigma).
pub const SLOWEST_RAD_PER_M: f64 = 367.1;

/// The speed of the slowest waves, in m/s.
pub const SLOWEST_MPS: f64 = 0.2312;

/// The wavenumber of the shortest waves, 2 mm long, in rad/m: viscosity damps all others.
pub(super) const SHORTEST_RAD_PER_M: f64 = 3_000.0;

/// The drag coefficient of the water by Wu (1982), for the wind at 10 m.
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

/// The strongest wind that Cox and Munk measured in, at 12.5 m.
const COX_MUNK_LAST_MPS: f64 = 14.0;

/// Variance of the slopes of a clean sea along and across the wind (Cox and Munk 1954), from the
/// glitter of the sun: 3.16e-3 W and 0.003 + 1.92e-3 W, W in m/s at 12.5 m.
///
/// They measured up to 14 m/s. In stronger winds the slopes grow with the logarithm of the wind
/// (Wu 1972): W counts as 14 + 6 ln(W/14). The factor is that of Katzberg, Torres and Ganoe (2006),
/// who put f(W) = 6 ln W - 4 in the place of W from 3.49 to 46 m/s, by GPS signals that hurricanes
/// reflected. Their f itself is 15% lower at 14 m/s, and Cox and Munk's value is kept there.
pub fn cox_munk_slope_variance(sea: &SeaState) -> [f64; 2] {
    let wind = wind_at_12_5_m_mps(sea.wind_speed_mps);
    let beyond = (wind / COX_MUNK_LAST_MPS).max(1.0);
    let wind = wind.min(COX_MUNK_LAST_MPS) + 6.0 * libm::log(beyond);
    [3.16e-3 * wind, 0.003 + 1.92e-3 * wind]
}

/// The ratio of the slopes' variance on the surface that choppiness displaces, per area seen from above,
/// to that on the surface at rest, whose variances along and across the wind are given.
///
/// To second order in the slopes, from Gaussian waves whose slopes and stretches are independent at a
/// point: the displaced surface's slope is the inverse of 1 + dD/dx times the slope at rest, and its
/// area is the Jacobian times that at rest. With a spreading of two harmonics the mean is 1 +
/// choppiness^2 (along + across) (1 + a^2)/2, a being (along - across)/(along + across).
pub fn displaced_over_rest([along, across]: [f64; 2], choppiness: f64) -> f64 {
    let sum = along + across;
    if sum <= 0.0 {
        return 1.0;
    }
    1.0 + choppiness * choppiness * sum * anisotropy([along, across])
}

/// The variances along and across the wind at rest that choppiness turns into `displaced`, by inverting
/// [`displaced_over_rest`].
pub(super) fn slope_variance_at_rest(displaced: [f64; 2], choppiness: f64) -> [f64; 2] {
    let factor = choppiness * choppiness * anisotropy(displaced);
    let sum = displaced[0] + displaced[1];
    // sum = rest (1 + factor rest)
    let share = 2.0 / (1.0 + (1.0 + 4.0 * factor * sum).sqrt());
    displaced.map(|variance| variance * share)
}

fn anisotropy([along, across]: [f64; 2]) -> f64 {
    let difference = (along - across) / (along + across);
    0.5 * (1.0 + difference * difference)
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

    /// Figures that were computed by hand, from calm to the storm of the presets: (wind at 10 m, along,
    /// across).
    #[test]
    fn slopes_are_cox_and_munks_and_level_off_beyond() {
        let at = |wind_speed_mps: f64| {
            cox_munk_slope_variance(&SeaState { wind_speed_mps, ..Default::default() })
        };
        for (wind_speed_mps, along, across) in [
            (1.0, 0.00321, 0.00495),
            (5.0, 0.01610, 0.01278),
            (10.0, 0.03227, 0.02261),
            (20.0, 0.05148, 0.03428),
            (26.0, 0.05650, 0.03733),
            (40.0, 0.06475, 0.04234),
        ] {
            let ours = at(wind_speed_mps);
            assert!((ours[0] - along).abs() < 1e-5, "{wind_speed_mps} m/s: {ours:?}");
            assert!((ours[1] - across).abs() < 1e-5, "{wind_speed_mps} m/s: {ours:?}");
        }
        // No step where one law takes over from the other, at 14 m/s 12.5 m up.
        for step in 0..400 {
            let wind = 12.0 + 0.01 * f64::from(step);
            let [here, next] = [at(wind)[0], at(wind + 0.01)[0]];
            assert!(next > here && next - here < 3.3e-5, "{wind} m/s");
        }
    }

    #[test]
    fn slopes_at_rest_invert_the_displacement() {
        for choppiness in [0.0, 0.5, 1.0, 1.6] {
            let displaced = [0.05, 0.03];
            let rest = slope_variance_at_rest(displaced, choppiness);
            let factor = displaced_over_rest(rest, choppiness);
            for (rest, displaced) in rest.into_iter().zip(displaced) {
                assert!((rest * factor - displaced).abs() < 1e-12, "{choppiness}");
            }
        }
        assert_eq!(displaced_over_rest([0.0, 0.0], 1.0), 1.0);
    }

    #[test]
    fn the_wind_grows_with_height_by_some_per_cent() {
        for wind in [2.0, 10.0, 20.0] {
            let ratio = wind_at_12_5_m_mps(wind) / wind;
            assert!((1.01..1.03).contains(&ratio), "{ratio}");
        }
    }
}
