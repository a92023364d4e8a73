//! The bed under an eye.

use crate::settings::SeaBed;
use crate::shading::highest_bed_m;

/// The bed of a sea, below the highest places of which no eye sinks: what rises above the eye's level would not be
/// drawn there.
///
/// ```
/// use seaway::eye::Ground;
/// use seaway::settings::SeaBed;
///
/// let lowest_m = Ground::new(SeaBed::Sand, 3.0).clear_m(-50.0);
/// assert!((-3.0..-2.0).contains(&lowest_m), "{lowest_m}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    bed: SeaBed,
    depth_m: f64,
}

/// The eye's clearance above the highest ground, in metres, besides what the ground stays below that height.
const CLEARANCE_M: f64 = 0.1;

impl Ground {
    /// A bed of that kind, under `depth_m` metres of water on average. [`SeaBed::None`] stops no eye.
    pub const fn new(bed: SeaBed, depth_m: f64) -> Self {
        Self { bed, depth_m }
    }

    /// Raises a height over still water, in metres, to the least one that is clear of the bed, if necessary.
    pub fn clear_m(&self, y_m: f64) -> f64 {
        match self.bed {
            SeaBed::None => y_m,
            bed => y_m.max(highest_bed_m(bed, self.depth_m) - self.depth_m + CLEARANCE_M),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_eye_stays_over_the_bed() {
        for (bed, depth_m) in [(SeaBed::Sand, 2.0), (SeaBed::Reef, 4.5), (SeaBed::Sand, 5000.0)] {
            let ground = Ground::new(bed, depth_m);
            let lowest_m = ground.clear_m(-6000.0);
            assert!(lowest_m > -depth_m && lowest_m < -0.5 * depth_m, "{lowest_m} of {depth_m}");
            assert_eq!(ground.clear_m(lowest_m + 0.01), lowest_m + 0.01);
        }
        assert_eq!(Ground::new(SeaBed::None, 3.0).clear_m(-150.0), -150.0);
    }
}
