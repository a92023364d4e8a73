//! The share of the sea that is white, as observed, and the Jacobian at which water breaks: oceans and foam
//! follow both.

use super::InitialSpectrum;

/// The standard deviation of J within which water begins to break.
pub const BREAKING_EDGE: f64 = 0.03;

/// The share of the sea that is white at a wind speed 10 m above it, in m/s.
///
/// Up to [`MONAHAN_MPS`] it follows Monahan and O'Muircheartaigh (1980), 3.84e-6 U^3.41, whose data end
/// there. In higher winds cover levels off (Holthuijsen, Powell and Pietrzak 2012): from there on it
/// grows as U^1.59, the power law of Salisbury, Anguelova and Brooks (2013) for all whitecaps, fresh and
/// decaying, as satellites see them at 37 GHz. That is 12% at 26 m/s, where Monahan's law has 26%.
///
/// ```
/// use seaway::spectrum::whitecaps::observed_cover;
///
/// assert!((0.009..0.011).contains(&observed_cover(10.0))); // a hundredth of the sea
/// ```
pub fn observed_cover(wind_speed_mps: f64) -> f64 {
    let measured_mps = wind_speed_mps.min(MONAHAN_MPS);
    3.84e-6 * measured_mps.powf(3.41) * (wind_speed_mps / measured_mps.max(1e-9)).powf(1.59)
}

/// The highest wind speed of the data of Monahan and O'Muircheartaigh (1980), in m/s.
pub const MONAHAN_MPS: f64 = 17.0;

/// The Jacobian below which the observed share of the water is under foam, for oceans drawn without
/// [`Foam`](crate::foam::Foam): to first order the Jacobian is a Gaussian around 1 with the variance of
/// the divergence (`ocean_foam`).
pub(crate) fn foam_threshold(spectrum: &InitialSpectrum) -> f64 {
    let sea = &spectrum.sea;
    let cover = sea.foam * observed_cover(sea.wind_speed_mps);
    let variance: f64 =
        (0..spectrum.cascades.len()).map(|cascade| spectrum.divergence_variance(cascade)).sum();
    // Its edge is as soft as that of a texel that shows every wave.
    let variance = sea.choppiness * sea.choppiness * variance + BREAKING_EDGE.powi(2);
    let deviations = if cover > 0.0 { normal_quantile(cover.clamp(1e-9, 0.9)) } else { -8.0 };
    1.0 + variance.sqrt() * deviations
}

/// The value that a standard normal variable stays below with `probability`, by bisection.
pub(crate) fn normal_quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        let below = 0.5 * libm::erfc(-middle * std::f64::consts::FRAC_1_SQRT_2);
        if below < probability { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observed_cover_follows_the_publications() {
        // Monahan and O'Muircheartaigh (1980): 1% at 10 m/s, and 6% where their data end.
        assert!((observed_cover(10.0) - 0.0099).abs() < 1e-4);
        assert!((observed_cover(17.0) - 0.0603).abs() < 1e-4);
        assert!(observed_cover(0.5) < 1e-6);
        assert_eq!(observed_cover(0.0), 0.0);
        // Beyond, the cover continues without a jump, and a doubled wind makes three times the foam.
        assert!((observed_cover(17.001) / observed_cover(17.0) - 1.0).abs() < 1e-3);
        assert!((observed_cover(34.0) / observed_cover(17.0) - 3.01).abs() < 0.01);
        assert!((observed_cover(26.0) - 0.1185).abs() < 1e-3);
    }

    #[test]
    fn quantiles_agree_with_tables() {
        for (probability, deviations) in [(0.5, 0.0), (0.158_655, -1.0), (0.998_650, 3.0)] {
            assert!((normal_quantile(probability) - deviations).abs() < 1e-4, "{probability}");
        }
    }
}
