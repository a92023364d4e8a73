//! The bed under an eye.

use crate::settings::{CameraPose, Preset, SeaBed};
use crate::shading::bed_height_m;

/// The bed of a sea, through which no eye sinks.
///
/// ```
/// use seaway::eye::Ground;
/// use seaway::settings::{CameraPose, Preset};
///
/// let bay = Preset::load("shallow-bay").unwrap();
/// let sunk = CameraPose { y_m: -50.0, ..CameraPose::default() };
/// let y_m = Ground::of(&bay).clear_m(&sunk);
/// assert!((-3.0..-2.0).contains(&y_m), "3 m deep");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    bed: SeaBed,
    depth_m: f64,
}

/// The eye's clearance above the bed, in metres: the near plane is [0.05 m](crate::mesh::View::NEAR_M) away.
const CLEARANCE_M: f64 = 0.3;

/// The distance around the eye in which the bed keeps it away.
const AROUND_M: f64 = 0.25;
/// The size of the map's texels: smaller features are not drawn.
const TEXEL_M: f64 = 0.05;

impl Ground {
    /// The bed of the sea of `scene`.
    pub fn of(scene: &Preset) -> Self {
        Self::new(scene.scenery.bed, scene.sea.depth_m)
    }

    /// A bed of that kind, under `depth_m` metres of water on average. [`SeaBed::None`] stops no eye.
    pub const fn new(bed: SeaBed, depth_m: f64) -> Self {
        Self { bed, depth_m }
    }

    /// The height of `pose` over still water, in metres, raised where the bed would cover the eye.
    pub fn clear_m(&self, pose: &CameraPose) -> f64 {
        if self.bed == SeaBed::None || pose.y_m >= 0.0 {
            return pose.y_m;
        }
        let around =
            (-1..=1).flat_map(|row| (-1..=1).map(move |along| [row, along].map(f64::from)));
        let heights_m = around.map(|[row, along]| {
            let place_m = [pose.x_m + AROUND_M * row, pose.z_m + AROUND_M * along];
            bed_height_m(self.bed, self.depth_m, place_m, TEXEL_M)
        });
        heights_m.fold(pose.y_m, |y_m, height_m| y_m.max(height_m - self.depth_m + CLEARANCE_M))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seaway_core::testing::tolerance::near;

    #[test]
    fn an_eye_stays_over_the_bed() {
        let sunk = CameraPose { x_m: 12.0, z_m: -7.0, y_m: -150.0, ..Default::default() };
        for (bed, depth_m) in [(SeaBed::Sand, 3.0), (SeaBed::Reef, 4.5), (SeaBed::Sand, 100.0)] {
            let ground = Ground::new(bed, depth_m);
            for step in 0..2000 {
                let x_m = 1e4 + 0.37 * f64::from(step);
                let pose = CameraPose { x_m, ..sunk.clone() };
                let y_m = ground.clear_m(&pose);
                let bed_m = bed_height_m(bed, depth_m, [x_m, pose.z_m], TEXEL_M) - depth_m;
                assert!(
                    y_m >= bed_m + CLEARANCE_M && y_m < bed_m + 2.0,
                    "{y_m} over {bed_m} at {x_m}"
                );
                let raised = CameraPose { y_m: y_m + 0.01, ..pose };
                near(ground.clear_m(&raised), raised.y_m, 0.0, "clear of the bed");
            }
        }
        assert_eq!(Ground::new(SeaBed::None, 3.0).clear_m(&sunk), -150.0);
        let above = CameraPose { y_m: 0.0, ..sunk };
        assert_eq!(Ground::new(SeaBed::Reef, 2.0).clear_m(&above), 0.0);
    }
}
