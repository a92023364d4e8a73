//! The horizontal motion of the surface water as a wave passes.

use super::WaveSystem;
use crate::settings::SeaState;

/// The orbits of the water at the surface: circles in deep water, flat ellipses in shallow water.
///
/// By linear theory (Airy 1845; Lamb, *Hydrodynamics*, article 229) the surface's displacement is D(k) = +i
/// (k/|k|) coth(|k| d) h(k) sideways for a height of h(k), at a depth of d. Waves that would fold over
/// sideways have broken before: by Miche (1944) a wave of height H breaks at H k = 0.89 tanh(k d), when the
/// water in its crest is compressed by H/2 k coth(k d) = 0.445, whatever the depth. So at every wavenumber
/// the orbits are at most as flat as those of waves as high as the sea's significant height that are about to
/// break, and never narrower than the circles of deep water. Heights stay as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbits {
    /// Depth of the water, in metres.
    pub depth_m: f64,
    /// The wavenumber in rad/m at which waves of the sea's significant height break in deep water:
    /// [`Orbits::MICHE`] over that height.
    pub breaking_rad_per_m: f64,
}

impl Orbits {
    /// H k of a wave that breaks in deep water (Miche 1944): 0.142 wavelengths.
    pub const MICHE: f64 = 0.89;

    pub(super) fn of(sea: &SeaState, systems: &[WaveSystem]) -> Self {
        let variance_m2: f64 =
            systems.iter().map(|system| system.frequency.total_variance_m2()).sum();
        let height_m = 4.0 * variance_m2.sqrt();
        // In a flat sea no wave breaks.
        let breaking_rad_per_m = Self::MICHE / height_m.max(1e-6);
        Self { depth_m: sea.depth_m, breaking_rad_per_m }
    }

    /// Horizontal over vertical semi-axis of the orbits in waves of `k_rad_per_m`: coth(k d), within
    /// Miche's limit; 1 in deep water.
    pub fn ratio(&self, k_rad_per_m: f64) -> f64 {
        // The mean level does not move, so any finite number will do.
        let relative_depth = (k_rad_per_m * self.depth_m).max(1e-3);
        let limit = self.breaking_rad_per_m / k_rad_per_m.max(1e-9);
        libm::tanh(relative_depth).recip().min(limit).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Preset;
    use crate::spectrum::{DirectionalSpectrum, Dispersion};

    #[test]
    fn orbits_flatten_as_the_water_gets_shallow() {
        for (period_s, depth_m, expected) in
            [(8.0, 8.0, 1.54), (12.0, 3.5, 3.25), (8.0, 200.0, 1.0)]
        {
            let dispersion = Dispersion { depth_m, surface_tension_over_density: 0.0 };
            let k = dispersion.wavenumber_rad_per_m(std::f64::consts::TAU / period_s);
            let ratio = Orbits { depth_m, breaking_rad_per_m: 1e9 }.ratio(k);
            assert!((ratio - expected).abs() < 0.006, "{period_s} s in {depth_m} m: {ratio}");
        }
        let bay = Preset::load("shallow-bay").unwrap().sea;
        let spectrum = DirectionalSpectrum::of(&bay);
        let peak = spectrum.systems()[0].frequency.peak_rad_per_s();
        let ratio = spectrum.orbits.ratio(spectrum.dispersion.wavenumber_rad_per_m(peak));
        assert!((ratio - 1.12).abs() < 0.006, "at the bay's peak: {ratio}");
    }

    /// A swell of 12 s on a flat bottom: a ratio of 3.25 where it is stable, and then Miche's 0.445 of
    /// compression for half its height, down to the circles of deep water.
    #[test]
    fn waves_that_would_fold_keep_to_miches_limit() {
        let depth_m = 3.5;
        let dispersion = Dispersion { depth_m, surface_tension_over_density: 0.0 };
        let k = dispersion.wavenumber_rad_per_m(std::f64::consts::TAU / 12.0);
        let mut before = f64::INFINITY;
        for swell_height_m in [0.5, 1.5, 2.9, 3.1, 4.0, 6.0, 9.0, 12.0] {
            let swell_period_s = 12.0;
            let sea = SeaState {
                wind_speed_mps: 1.0,
                fetch_m: 1_000.0,
                depth_m,
                swell_height_m,
                swell_period_s,
                ..Default::default()
            };
            let ratio = DirectionalSpectrum::of(&sea).orbits.ratio(k);
            // 0.89 tanh(0.317)/0.0905.
            let breaks_from_m = 3.02;
            if swell_height_m < breaks_from_m {
                assert!((ratio - 3.25).abs() < 0.006, "{swell_height_m} m: {ratio}");
            } else {
                let compression = 0.5 * swell_height_m * k * ratio;
                assert!(ratio == 1.0 || (compression - 0.445).abs() < 0.002, "{compression}");
                assert!(ratio < before || ratio == 1.0, "{swell_height_m} m: {ratio}");
            }
            before = ratio;
        }
        assert_eq!(before, 1.0, "12 m are steep in any depth");
    }

    /// However high the sea, no water of a shallow one folds over that would not in deep water.
    #[test]
    fn no_shallow_sea_is_compressed_past_what_breaks() {
        for depth_m in [2.0, 3.5, 8.0, 20.0] {
            for (swell_height_m, swell_period_s) in
                [(1.0, 12.0), (3.0, 25.0), (8.0, 9.0), (15.0, 20.0)]
            {
                let sea =
                    SeaState { depth_m, swell_height_m, swell_period_s, ..Default::default() };
                let spectrum = DirectionalSpectrum::of(&sea);
                let [first, last] = spectrum.range_rad_per_m();
                let mut k = first;
                while k < last {
                    let ratio = spectrum.orbits.ratio(k);
                    let most = (spectrum.orbits.breaking_rad_per_m / k).max(1.0);
                    assert!((1.0..=most).contains(&ratio), "{sea:?} {k}: {ratio}");
                    k *= 1.1;
                }
            }
        }
    }
}
