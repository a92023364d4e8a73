//! The water around an eye at one moment, extrapolated over a short time.

use super::{POINTS, Water};
use crate::query::SurfacePoint;

/// The largest distance of extrapolation along the slope, that of the points.
const MOST_MOVED_M: f64 = super::PITCH_M;

/// The longest time of extrapolation. Waves that the eye follows accelerate by at most a third of
/// gravity, which makes 40 cm in that time.
const MOST_AHEAD_S: f64 = 0.5;

/// The largest vertical speed, which only crests exceed that pass within the points' distance.
const MOST_RATE_MPS: f64 = 6.0;

/// Steeper surfaces belong to ripples.
const MOST_SLOPE: f64 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Patch {
    pub time_s: f64,
    /// The centre (x, z) of the patch.
    pub place_m: [f64; 2],
    /// The number of the sea. Rates need two patches of the same sea.
    pub sea: u64,
    surface: [Surface; POINTS],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Surface {
    height_m: f64,
    /// The rise along X and Z.
    slope: [f64; 2],
}

impl Patch {
    /// Makes a patch of the points `found` around `place_m`.
    pub fn new(
        time_s: f64,
        place_m: [f64; 2],
        sea: u64,
        found: impl Iterator<Item = SurfacePoint>,
    ) -> Self {
        let mut surface = [Surface::default(); POINTS];
        for (surface, found) in surface.iter_mut().zip(found) {
            *surface = Surface::of(&found);
        }
        Self { time_s, place_m, sea, surface }
    }

    /// The water around `place_m` at `time_s`, extrapolated. Its rate of rise follows from the patch
    /// `before` this one, if that is near and of the same sea.
    pub fn water(&self, before: Option<&Self>, place_m: [f64; 2], time_s: f64) -> Water {
        let before = before.filter(|before| self.goes_on_from(before));
        let moved_m = shortened(from_to(self.place_m, place_m), MOST_MOVED_M);
        let ahead_s = (time_s - self.time_s).clamp(-MOST_AHEAD_S, MOST_AHEAD_S);
        Water::of_heights((0..POINTS).map(|i| {
            let now = self.surface[i];
            let rate_mps = before.map_or(0.0, |before| {
                // The part of the change that the move between the places causes.
                let from = before.surface[i];
                let slope = [0, 1].map(|axis| 0.5 * (from.slope[axis] + now.slope[axis]));
                let along_m = dot(slope, from_to(before.place_m, self.place_m));
                let rate = (now.height_m - from.height_m - along_m) / (self.time_s - before.time_s);
                rate.clamp(-MOST_RATE_MPS, MOST_RATE_MPS)
            });
            now.height_m + dot(now.slope, moved_m) + rate_mps * ahead_s
        }))
    }

    /// Returns whether both are moments of the same water, so that a rate follows.
    fn goes_on_from(&self, before: &Self) -> bool {
        let [x, z] = from_to(before.place_m, self.place_m);
        let after_s = (self.time_s - before.time_s).abs();
        self.sea == before.sea
            && x.hypot(z) <= MOST_MOVED_M
            // The rate is zero where the sea is paused.
            && (1e-4..=MOST_AHEAD_S).contains(&after_s)
    }
}

impl Surface {
    fn of(found: &SurfacePoint) -> Self {
        let [x, y, z] = found.normal;
        let slope = shortened([-x / y.max(1e-3), -z / y.max(1e-3)], MOST_SLOPE);
        Self { height_m: found.height_m, slope }
    }
}

fn from_to(from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    [to[0] - from[0], to[1] - from[1]]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Shortens `vector` to a length of at most `most`.
fn shortened(vector: [f64; 2], most: f64) -> [f64; 2] {
    let length = vector[0].hypot(vector[1]);
    if length <= most { vector } else { vector.map(|part| part * most / length) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eye::points;
    use seaway_core::testing::tolerance::near;

    /// A patch of a surface whose height at (x, z) and time is `height`, with the given slope.
    fn patch(
        time_s: f64,
        place_m: [f64; 2],
        height: impl Fn([f64; 2], f64) -> f64,
        slope: [f64; 2],
    ) -> Patch {
        let length = (1.0 + dot(slope, slope)).sqrt();
        let found = points(place_m, 0.1).into_iter().map(|point| SurfacePoint {
            height_m: height(point.position_m, time_s),
            normal: [-slope[0] / length, 1.0 / length, -slope[1] / length],
            velocity_mps: None,
            position_m: point.position_m,
            at_rest_m: point.position_m,
            jacobian: 1.0,
            residual_m: 0.0,
        });
        Patch::new(time_s, place_m, 1, found)
    }

    fn plane([x, z]: [f64; 2], time_s: f64) -> f64 {
        0.3 * x - 0.1 * z + 1.5 * time_s
    }
    const SLOPE: [f64; 2] = [0.3, -0.1];

    #[test]
    fn a_plane_that_rises_is_known_ahead() {
        let before = patch(10.0, [1.0, 2.0], plane, SLOPE);
        let newest = patch(10.1, [1.2, 2.1], plane, SLOPE);
        let (place_m, time_s) = ([1.5, 2.3], 10.25);
        let water = newest.water(Some(&before), place_m, time_s);
        near(water.level_m, plane(place_m, time_s), 1e-9, "level");
        // The highest point lies a metre up the slope, or at the lattice's point that comes closest to it.
        let highest = points(place_m, 0.1).map(|point| plane(point.position_m, time_s));
        near(water.highest_m, highest.into_iter().fold(f64::MIN, f64::max), 1e-9, "highest");
        let water = newest.water(Some(&before), place_m, 10.0);
        near(water.level_m, plane(place_m, 10.0), 1e-9, "level before");
    }

    #[test]
    fn without_a_rate_the_surface_stands_still() {
        let newest = patch(10.1, [0.0; 2], plane, SLOPE);
        let level = |before: Option<&Patch>| newest.water(before, [0.0; 2], 10.4).level_m;
        let still = plane([0.0; 2], 10.1);
        near(level(None), still, 1e-12, "alone");
        // The cases: the sea is paused; another sea; elsewhere; long ago.
        let paused = patch(10.1, [0.0; 2], plane, SLOPE);
        let other = Patch { sea: 2, ..patch(10.0, [0.0; 2], plane, SLOPE) };
        let elsewhere = patch(10.0, [3.0, 0.0], plane, SLOPE);
        let long_ago = patch(1.0, [0.0; 2], plane, SLOPE);
        for before in [paused, other, elsewhere, long_ago] {
            near(level(Some(&before)), still, 1e-12, "unrelated");
        }
        let related = patch(10.0, [0.0; 2], plane, SLOPE);
        near(level(Some(&related)), plane([0.0; 2], 10.4), 1e-9, "related");
    }

    #[test]
    fn no_jump_carries_the_surface_away() {
        let before = patch(10.0, [0.0; 2], plane, SLOPE);
        let newest = patch(10.1, [0.0; 2], plane, SLOPE);
        // An hour later and a kilometre away, and a steep and fast surface.
        let water = newest.water(Some(&before), [1e3, -1e3], 3.6e3);
        let most = 1.5 * MOST_AHEAD_S + MOST_MOVED_M * SLOPE[0].hypot(SLOPE[1]);
        near(water.level_m, plane([0.0; 2], 10.1) + most * 0.5, most, "held");
        let fast = patch(10.1, [0.0; 2], |_, _| 100.0, [50.0, 0.0]);
        let water = fast.water(Some(&before), [1.0, 0.0], 10.2);
        near(water.level_m, 100.0 + MOST_MOVED_M * MOST_SLOPE + 0.6, 1e-9, "bounded");
    }
}
