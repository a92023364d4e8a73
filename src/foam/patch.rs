//! Foam on a patch of sea that repeats, computed from its Jacobian on the processor.

use std::f64::consts::TAU;

use super::SHORTEST_BREAKING_WAVE_M;
use super::cover::{
    self, BREAKING_EDGE, Cover, FADING_PER_S, History, Point, Seen, fresh_kept, made,
    normal_integral, old_kept, wanted,
};
use crate::platform::Cooperative;
use crate::spectrum::InitialSpectrum;

/// The foam of the texels of a patch ([`InitialSpectrum::of_patch`]), each of which keeps to the water that
/// rests there. Foam does not drift from texel to texel as [`Foam`](super::Foam) lets it: the patch
/// repeats, and so can its foam.
///
/// A texel sees the patch's waves. Those that are shorter and still break count by their statistics, as in the
/// coarser levels of [`Foam`](super::Foam).
#[derive(Clone, Debug, PartialEq)]
pub struct PatchFoam {
    /// The Jacobian below which waves break.
    pub threshold: f64,
    /// The expected share of the sea that foam covers, and its fresh part.
    pub cover: Cover,
    /// The length of a step, in seconds.
    pub step_s: f64,
    /// The reciprocal of the standard deviation of J within which a texel begins to break.
    steepness: f64,
    /// Fresh and old foam per breaking share.
    made: [f64; 2],
}

impl PatchFoam {
    /// The age in seconds at which any foam has vanished. The thinnest lasts longest, where the water stays
    /// compressed: old foam that decays at 0.6 of its rate and fades by 0.02 a second is gone after 13.95 s.
    pub const LONGEST_MEMORY_S: f64 = 14.0;

    /// Values of J by which the threshold is found.
    const VALUES: usize = 1 << 18;

    /// The foam of the patch `waves`, in steps of `step_s`, which takes about a second to find.
    pub fn new(waves: &InitialSpectrum, step_s: f64) -> Self {
        let sea = &waves.sea;
        let band = waves.cascades[0];
        let last = band.last_rad_per_m.max(TAU / SHORTEST_BREAKING_WAVE_M);
        // The texels rest, and so does the place that meets the waves.
        let breaking = cover::Waves::new(&waves.spectrum, [band.first_rad_per_m, last], [0.0; 2]);
        let all = breaking.divergence_variance(|_| true);
        let lost = breaking.divergence_variance(|k| !band.contains(k));
        let lost_variance = sea.choppiness.powi(2) * lost;
        let unseen = lost / all.max(1e-9);
        let drawn = waves.drawn_divergence_variance(0) / waves.divergence_variance(0).max(1e-12);
        let steps_per_s = step_s.recip().round().max(1.0) as u32;
        let solve = |is_seen: &dyn Fn(f64) -> bool, lost_variance, unseen, over_breaking, share| {
            let seen = Seen {
                kept_power: |k: f64, _| if is_seen(k) { drawn } else { 0.0 },
                texel_m: 0.0,
                lost_variance,
                unseen,
                over_breaking,
            };
            let mut coop = Cooperative::blocking();
            Cooperative::finish(async {
                History::new(
                    &mut coop,
                    &breaking,
                    sea.choppiness,
                    &seen,
                    steps_per_s,
                    Self::VALUES,
                    share,
                )
                .await
                .solve(&mut Cooperative::blocking())
                .await
            })
        };
        let (mut threshold, cover) = solve(&|_| true, 0.0, 0.0, [1.0; 2], wanted(sea));
        if unseen > 0.0 {
            let over_breaking = cover.over_breaking();
            let is_seen = |k| band.contains(k);
            (threshold, _) = solve(&is_seen, lost_variance, unseen, over_breaking, cover.share);
        }
        Self {
            threshold,
            cover,
            step_s,
            steepness: (lost_variance + BREAKING_EDGE.powi(2)).sqrt().recip(),
            made: made(unseen, cover.over_breaking()),
        }
    }

    /// The foam one step after `before`, with the water at the Jacobian `jacobian`.
    pub fn step(&self, before: Point, jacobian: f64) -> Point {
        let breaking = normal_integral((self.threshold - jacobian) * self.steepness);
        let made = self.made.map(|made| (made * breaking).min(1.0));
        let kept = [fresh_kept(self.step_s), old_kept(jacobian, self.step_s)];
        before.fade(made, kept, FADING_PER_S * self.step_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SeaState;
    use crate::spectrum::least_patch_size_m;

    fn foam(size: u32, step_s: f64) -> PatchFoam {
        let sea = SeaState { wind_speed_mps: 16.0, ..Default::default() };
        let side_m = least_patch_size_m(&sea);
        PatchFoam::new(&InitialSpectrum::of_patch(&sea, size, side_m).unwrap(), step_s)
    }

    #[test]
    fn foam_leaves_nothing_after_its_longest_memory() {
        for step_s in [1.0 / 30.0, 1.0 / 60.0, 0.01] {
            let foam = foam(64, step_s);
            let mut point = Point { fresh: 1.0, old: 1.0 };
            // So far above the threshold that nothing breaks, and as compressed as counts.
            let calm = PatchFoam { threshold: -9.0, ..foam };
            for _ in 0..(PatchFoam::LONGEST_MEMORY_S / step_s).round() as u32 {
                point = calm.step(point, 0.1);
            }
            assert_eq!(point, Point::default(), "{step_s}");
        }
    }

    #[test]
    fn coarser_patches_break_at_other_thresholds() {
        let [coarse, fine] = [64, 512].map(|size| foam(size, 1.0 / 30.0));
        assert!((coarse.cover.share / fine.cover.share - 1.0).abs() < 0.3);
        assert!(coarse.steepness < fine.steepness && coarse.made[1] > fine.made[1]);
        for foam in [coarse, fine] {
            let broken = foam.step(Point::default(), -1.0).share();
            let still = foam.step(Point::default(), 1.5).share();
            assert!(broken > 0.9 && still < 0.01, "{broken} {still} of {foam:?}");
        }
    }
}
