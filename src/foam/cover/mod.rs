//! The white share of a sea: the model of foam at one point of the water, and the compression at which
//! waves must break so that foam covers the observed share.
//!
//! At a point of the water the Jacobian J of the horizontal displacement is a random process in time,
//! whose spectrum follows from the sea's. The model runs on hours of it, for several thresholds, and the
//! threshold of the requested cover is read off: nothing is fitted by eye.

mod history;
mod process;
mod rare;
mod waves;

use std::sync::LazyLock;

pub(super) use history::{History, made};
pub(super) use waves::{Seen, Waves};

use crate::settings::SeaState;
pub use crate::spectrum::whitecaps::{BREAKING_EDGE, MONAHAN_MPS, observed_cover};

/// Seconds in which dense, fresh foam falls to 1/e: so short that fresh foam of the observed albedo and
/// its remains have the observed mean albedo (Koepke 1984).
pub const FRESH_DECAY_S: f64 = 0.3;
/// Seconds in which the thin, old foam falls to 1/e where the water keeps its area: Monahan and Zietlow
/// (1969) observed 3.85 s in salt water, and 2.54 s in fresh water.
pub const OLD_DECAY_S: f64 = 3.85;
/// The additional loss of both each second, so that no foam lasts.
pub const FADING_PER_S: f64 = 0.02;
/// Bounds of the factor by which the water's area, relative to that at rest, speeds up the decay of thin
/// foam: it lives longer where water converges.
pub const CONVERGENCE: [f64; 2] = [0.6, 1.4];
/// The share of the water that fresh foam covers.
pub const FRESH_DENSITY: f64 = 0.93;
/// The share of the water that the lace of the thinnest foam covers at first.
pub const OLD_DENSITY: f64 = 0.45;
/// The cover for the foam of `sea`: the observed share, scaled by its setting.
///
/// ```
/// let gale = seaway::settings::SeaState { wind_speed_mps: 20.0, ..Default::default() };
/// assert!(seaway::foam::cover::wanted(&gale) > 0.02);
/// ```
pub fn wanted(sea: &SeaState) -> f64 {
    (sea.foam * observed_cover(sea.wind_speed_mps)).min(0.9)
}

/// Foam at a point of the water. It is the twin of `shaders/foam/step.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Fresh foam, dense and bright: 1 where a wave breaks.
    pub fresh: f64,
    /// Old foam, the remains of fresh foam.
    pub old: f64,
}

impl Point {
    /// The foam after `seconds`, with the water at the Jacobian `jacobian` and waves that break below
    /// `threshold`.
    pub fn step(self, jacobian: f64, threshold: f64, seconds: f64) -> Self {
        let kept = [fresh_kept(seconds), old_kept(jacobian, seconds)];
        self.fade([breaking(jacobian, threshold); 2], kept, FADING_PER_S * seconds)
    }

    /// Keeps the given parts of fresh and old foam, reduced by `fading`, and adds `made`.
    pub(super) fn fade(self, made: [f64; 2], kept: [f64; 2], fading: f64) -> Self {
        Self {
            fresh: (self.fresh * kept[0] - fading).max(made[0]),
            old: (self.old * kept[1] - fading).max(made[1]),
        }
    }

    /// Interpolates to `other` by `share`.
    fn towards(self, other: Self, share: f64) -> Self {
        let between = |from: f64, to: f64| from + share * (to - from);
        Self { fresh: between(self.fresh, other.fresh), old: between(self.old, other.old) }
    }

    /// The share of the water that it covers.
    pub fn share(self) -> f64 {
        let old = OLD_DENSITY * self.old;
        old + self.fresh * (FRESH_DENSITY - old)
    }
}

/// The factor on fresh foam after `seconds`, without the fading.
pub(super) fn fresh_kept(seconds: f64) -> f64 {
    libm::exp(-seconds / FRESH_DECAY_S)
}

/// The factor on old foam after `seconds`, without the fading.
pub(super) fn old_kept(jacobian: f64, seconds: f64) -> f64 {
    libm::exp(-seconds * jacobian.clamp(CONVERGENCE[0], CONVERGENCE[1]) / OLD_DECAY_S)
}

/// The degree of breaking, from 0 to 1.
fn breaking(jacobian: f64, threshold: f64) -> f64 {
    normal_integral((threshold - jacobian) / BREAKING_EDGE)
}

/// The integral of the unit Gaussian up to `x`, to 2e-6, from a table for speed.
pub(super) fn normal_integral(x: f64) -> f64 {
    const REACH: f64 = 5.0;
    const A_UNIT: f64 = 128.0;
    static TABLE: LazyLock<Vec<f64>> = LazyLock::new(|| {
        (0..=(2.0 * REACH * A_UNIT) as u32 + 1)
            .map(|index| f64::from(index) / A_UNIT - REACH)
            .map(|x| 0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2))
            .collect()
    });
    if x.abs() >= REACH {
        return if x < 0.0 { 0.0 } else { 1.0 };
    }
    let at = (x + REACH) * A_UNIT;
    let (index, share) = (at as usize, at.fract());
    TABLE[index] + share * (TABLE[index + 1] - TABLE[index])
}

/// Means over the surface of the displaced sea.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cover {
    /// The share of the sea that foam covers.
    pub share: f64,
    /// The share of the sea that fresh foam covers.
    pub fresh: f64,
    /// The share of the water at rest that breaks at any time.
    pub breaking: f64,
    /// Even fresh and old foam that would cover the same shares of the sea, in all and freshly.
    pub even: [f64; 2],
}

impl Cover {
    /// Even fresh and old foam per breaking share.
    pub fn over_breaking(&self) -> [f64; 2] {
        self.even.map(|mean| mean / self.breaking.max(1e-12))
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::platform::Cooperative;
    use crate::spectrum::DirectionalSpectrum;

    fn made(waves: &Waves, choppiness: f64, values: usize, share: f64) -> History {
        let coop = &mut Cooperative::blocking();
        Cooperative::finish(History::new(coop, waves, choppiness, &all(), 10, values, share))
    }

    fn solve(history: &History) -> (f64, Cover) {
        Cooperative::finish(history.solve(&mut Cooperative::blocking()))
    }

    fn cover_at(history: &History, threshold: f64) -> Cover {
        Cooperative::finish(history.cover(&mut Cooperative::blocking(), threshold))
    }

    fn history(wind_speed_mps: f64, share: f64, values: usize) -> History {
        let sea = SeaState { wind_speed_mps, ..Default::default() };
        let spectrum = DirectionalSpectrum::of(&sea);
        let waves = Waves::new(&spectrum, [0.01, TAU / 1.5], [0.0; 2]);
        made(&waves, 1.0, values, share)
    }

    const VALUES: usize = 1 << 18;

    fn all() -> Seen<impl Fn(f64, [f64; 2]) -> f64> {
        Seen {
            kept_power: |_, _| 1.0,
            texel_m: 0.0,
            lost_variance: 0.0,
            unseen: 0.0,
            over_breaking: [1.0; 2],
        }
    }

    /// Every wind has a threshold, and fresh foam is a part of all foam. `foam_picture_tests` checks the
    /// resulting cover in pictures, since the solver itself cannot.
    #[test]
    fn every_wind_has_a_threshold() {
        for wind_speed_mps in [3.0, 6.0, 9.0, 12.0, 18.0, 24.0, 40.0] {
            let asked = observed_cover(wind_speed_mps);
            let (threshold, cover) = solve(&history(wind_speed_mps, asked, VALUES));
            assert!(cover.fresh > 0.1 * cover.share && cover.fresh < cover.share, "{cover:?}");
            assert!((-0.2..0.9).contains(&threshold), "{threshold}");
        }
    }

    #[test]
    fn importance_sampling_agrees_with_plain_sampling() {
        for share in [0.0015, 0.004, 0.015] {
            let (threshold, rare) = solve(&history(8.0, share, VALUES));
            let waited = cover_at(&history(8.0, 1.0, 1 << 21), threshold);
            println!("{rare:?} {waited:?}");
            for (rare, waited) in [
                (rare.share, waited.share),
                (rare.fresh, waited.fresh),
                (rare.breaking, waited.breaking),
            ] {
                assert!((rare / waited - 1.0).abs() < 0.3, "{rare} and {waited} of {share}");
            }
        }
    }

    /// The Jacobian's variance is, to first order, that of the divergence: of the slopes in deep water,
    /// and more in shallow water.
    #[test]
    fn the_process_has_the_variance_of_its_spectrum() {
        for (depth_m, least) in [(1_000.0, 1.0), (3.5, 1.08)] {
            the_process_has_its_variance(depth_m, least);
        }
    }

    fn the_process_has_its_variance(depth_m: f64, least: f64) {
        let sea = SeaState {
            wind_speed_mps: 5.0,
            fetch_m: 50_000.0,
            depth_m,
            swell_height_m: 0.7,
            swell_period_s: 12.0,
            ..Default::default()
        };
        let spectrum = DirectionalSpectrum::of(&sea);
        let band = [0.05, TAU / 1.5];
        let choppiness = 0.1;
        let waves = Waves::new(&spectrum, band, [0.7, 0.2]);
        let history = made(&waves, choppiness, VALUES, 1.0);
        let [xx, zz, _] = spectrum.slope_covariance(band[0], band[1]);
        // The integral of (k coth(k d))^2 F(k): the swell of 12 s has 3.25 for coth.
        let steps = 4_000;
        let d_ln_k = (band[1] / band[0]).ln() / f64::from(steps);
        let divergence: f64 = (0..steps)
            .map(|step| band[0] * (d_ln_k * (f64::from(step) + 0.5)).exp())
            .map(|k| (k / (k * depth_m).tanh()).powi(2) * spectrum.density_m3(k) * k * d_ln_k)
            .sum();
        assert!(divergence > 0.99 * least * (xx + zz), "{divergence} in {depth_m} m");
        let variance = history.variance();
        let expected = choppiness * choppiness * divergence;
        assert!((variance / expected - 1.0).abs() < 0.03, "{variance} is not {expected}");
    }

    #[test]
    fn foam_is_gone_after_its_memory() {
        let mut point = Point { fresh: 1.0, old: 1.0 };
        let mut last = point.share();
        for _ in 0..(10.0 * super::super::MEMORY_S) as u32 {
            point = point.step(1.0, 0.3, 0.1);
            assert!(point.share() <= last);
            last = point.share();
        }
        assert_eq!(point, Point::default());
        let broken = point.step(0.1, 0.3, 0.1);
        assert!((broken.share() - FRESH_DENSITY).abs() < 1e-3);
        assert!(broken.step(1.2, 0.3, 1.0).share() < 0.7);
    }

    #[test]
    fn a_sea_without_choppiness_never_breaks() {
        let spectrum = DirectionalSpectrum::of(&SeaState::default());
        let waves = Waves::new(&spectrum, [0.05, 4.0], [0.0; 2]);
        let (threshold, cover) = solve(&made(&waves, 0.0, 1 << 14, 0.05));
        assert!(cover.share < 0.05, "{threshold} {cover:?}");
    }
}
