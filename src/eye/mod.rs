//! The height of a picture's eye over a moving sea: never inside a wave, on the water where requested, and never
//! inside the bed.
//!
//! A camera's pose has a height over *still* water ([`CameraPose::y_m`]), which a wave that passes may
//! rise above. The rule is [`EyeLevel::height_m`]: given the [`Water`] around the eye, the rule lifts an
//! eye that is too low, and adds the height of an eye that stands on the water. It changes the drawn
//! pose and no setting: a wave lifts the picture and lets it down again.
//!
//! The water is queried at [`points`] around the eye ([`query`](crate::query)). Callers that can wait
//! query the frame itself, which is exact and reproducible; a window uses an [`EyeTracker`], which never
//! waits and extrapolates the water of some frames ago. The tracker needs a
//! [`Frame`](crate::frame::Frame): with an [`Ocean`](crate::Ocean) alone, query [`points`] by
//! [`Queries`](crate::query::Queries), and pass [`Water::of`] the answer to [`EyeLevel::height_m`]. High
//! above all waves no query is needed ([`EyeLevel::needs_water`]). An eye in the water stays over the bed by
//! [`Ground::clear_m`].
//!
//! [`CameraPose::y_m`]: crate::settings::CameraPose::y_m

mod ground;
mod patch;
mod tracker;

use std::ops::RangeInclusive;

pub use self::ground::Ground;
pub use self::tracker::EyeTracker;
use crate::mesh::SeaBounds;
use crate::query::{Point, SurfacePoint};

/// The eye's clearance above the highest water around it: the near plane's corners are [0.05
/// m](crate::mesh::View::NEAR_M) and less than three times that away, and short crests between the
/// queried points are some centimetres higher.
pub const CLEARANCE_M: f64 = 0.4;

/// The distance around the eye at which the water is queried: a crest beside it fills the picture.
pub const RADIUS_M: f64 = 1.0;

/// The number of points for one eye.
pub const POINTS: usize = 20;

/// The distance between the points around the eye.
const PITCH_M: f64 = 0.5;

/// The footprint of a raft: waves shorter than twice this pass under it.
const RAFT_M: f64 = 2.0;

/// The reference of an eye's height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum EyeLevel {
    /// Still water: the pose's own height, which changes only where waves reach it.
    #[default]
    OverStillWater,
    /// The moving water: the eye follows it as on a raft of a few metres.
    OnWater {
        /// The height over the water, in metres.
        height_m: f64,
    },
}

/// The water around an eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// The height over still water, without waves that are shorter than a few metres, as a raft follows it.
    pub level_m: f64,
    /// The height of the highest water within [`RADIUS_M`], including all drawn waves.
    pub highest_m: f64,
}

impl EyeLevel {
    /// The range of useful heights over the water, in metres.
    pub const HEIGHTS_M: RangeInclusive<f64> = 0.5..=50.0;
    /// The height of a standing adult's eyes, in metres.
    pub const STANDING_M: f64 = 1.7;

    /// Returns the height over the water, in metres, of an eye that stands on it.
    pub fn above_water_m(self) -> Option<f64> {
        match self {
            Self::OverStillWater => None,
            Self::OnWater { height_m } => Some(height_m),
        }
    }

    /// Returns whether the water affects the height of an eye with a pose of `still_m` over still water.
    /// Otherwise `still_m` is the height: no wave of a sea within `bounds` reaches it.
    pub fn needs_water(self, still_m: f64, bounds: SeaBounds) -> bool {
        match self {
            Self::OverStillWater => (0.0..bounds.vertical_m + CLEARANCE_M).contains(&still_m),
            Self::OnWater { .. } => true,
        }
    }

    /// The requested height over still water, before [`Water::clear_m`].
    pub fn wanted_m(self, still_m: f64, water: &Water) -> f64 {
        match self {
            Self::OverStillWater => still_m,
            Self::OnWater { height_m } => water.level_m + height_m,
        }
    }

    /// The height over still water at which the eye is drawn, in metres: the requested one, raised where
    /// water would cover the eye. `still_m` is the pose's height: below 0 the eye is meant to be in the
    /// water, and stays there.
    pub fn height_m(self, still_m: f64, water: &Water) -> f64 {
        let wanted_m = self.wanted_m(still_m, water);
        if self.is_below(still_m) { wanted_m } else { water.clear_m(wanted_m) }
    }

    /// Returns whether an eye with a pose of `still_m` over still water is meant to be in the water.
    pub fn is_below(self, still_m: f64) -> bool {
        self == Self::OverStillWater && still_m < 0.0
    }
}

impl Water {
    /// Summarises the surface found at [`points`].
    pub fn of(found: &[SurfacePoint]) -> Self {
        Self::of_heights(found.iter().map(|point| point.height_m))
    }

    fn of_heights(mut heights_m: impl Iterator<Item = f64>) -> Self {
        let level_m = heights_m.next().unwrap_or(0.0);
        Self { level_m, highest_m: heights_m.fold(level_m, f64::max) }
    }

    /// Raises `height_m` to the least height that is clear of the water, if necessary.
    pub fn clear_m(&self, height_m: f64) -> f64 {
        height_m.max(self.highest_m + CLEARANCE_M)
    }
}

/// The points to query for an eye at `eye_m` (x, z): first one with the waves that a raft feels, then a
/// triangular lattice out to [`RADIUS_M`] with the waves that a mesh of `spacing_m` shows, the finest
/// that is drawn.
pub fn points(eye_m: [f64; 2], spacing_m: f64) -> [Point; POINTS] {
    let mut points = [Point { position_m: eye_m, footprint_m: RAFT_M, ..Point::default() }; POINTS];
    let steps = (RADIUS_M / PITCH_M).round() as i32;
    let lattice = (-steps..=steps)
        .flat_map(|row| (-steps..=steps).map(move |along| (row, along)))
        .filter(|(row, along)| (row + along).abs() <= steps);
    for (point, (row, along)) in points[1..].iter_mut().zip(lattice) {
        let [row, along] = [row, along].map(f64::from);
        let offset_m = [along + 0.5 * row, 0.75_f64.sqrt() * row].map(|steps| PITCH_M * steps);
        *point = Point {
            position_m: [eye_m[0] + offset_m[0], eye_m[1] + offset_m[1]],
            footprint_m: spacing_m,
            ..Point::default()
        };
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use seaway_core::testing::tolerance::{at_most, near};

    #[test]
    fn the_points_cover_the_circle_around_the_eye() {
        let eye_m = [-3.0, 7.0];
        let points = points(eye_m, 0.1);
        assert_eq!(points[0], Point { position_m: eye_m, footprint_m: RAFT_M, ..Point::default() });
        let distance_m = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        for (i, point) in points[1..].iter().enumerate() {
            at_most(distance_m(point.position_m, eye_m), 1.0 + 1e-12, "distance from the eye");
            assert_eq!(point.footprint_m, 0.1);
            for other in &points[i + 2..] {
                assert!(distance_m(point.position_m, other.position_m) > 0.499, "{point:?}");
            }
        }
        // No place of the lattice's hexagon is farther from a point than a triangle's middle is from its
        // corners.
        for i in 0..500 {
            let turn = f64::from(i) * 0.37;
            let reach_m = 0.75_f64.sqrt() * (f64::from(i) / 500.0).sqrt();
            let place = [eye_m[0] + reach_m * turn.cos(), eye_m[1] + reach_m * turn.sin()];
            let nearest = points[1..].iter().map(|point| distance_m(point.position_m, place));
            at_most(nearest.fold(f64::MAX, f64::min), PITCH_M / 3.0_f64.sqrt() + 1e-9, "gap");
        }
    }

    #[test]
    fn the_eye_is_raised_and_never_lowered() {
        let water = Water { level_m: 1.0, highest_m: 1.5 };
        let still = EyeLevel::OverStillWater;
        assert_eq!(still.height_m(0.2, &water), 1.5 + CLEARANCE_M);
        assert_eq!(still.height_m(9.0, &water), 9.0);
        let raft = EyeLevel::OnWater { height_m: 1.7 };
        near(raft.height_m(9.0, &water), 2.7, 1e-12, "height on the water");
        let low = EyeLevel::OnWater { height_m: 0.5 };
        assert_eq!(low.height_m(9.0, &water), 1.5 + CLEARANCE_M, "a crest beside it");
        let trough = Water { level_m: -4.0, highest_m: -3.5 };
        near(raft.height_m(0.2, &trough), -2.3, 1e-12, "height in a trough");
        assert_eq!(still.height_m(0.2, &trough), 0.2);
    }

    #[test]
    fn an_eye_that_is_meant_to_be_in_the_water_stays_there() {
        let water = Water { level_m: 1.0, highest_m: 1.5 };
        let still = EyeLevel::OverStillWater;
        assert!(still.is_below(-0.01) && !still.is_below(0.0));
        assert_eq!(still.height_m(-3.0, &water), -3.0);
        // On a raft the pose's own height does not count.
        let raft = EyeLevel::OnWater { height_m: 1.7 };
        assert!(!raft.is_below(-3.0));
        assert_eq!(raft.height_m(-3.0, &water), 2.7);
    }

    #[test]
    fn eyes_above_all_waves_need_no_query() {
        let bounds = SeaBounds { horizontal_m: 3.0, vertical_m: 6.0 };
        let still = EyeLevel::OverStillWater;
        assert!(still.needs_water(6.0, bounds) && !still.needs_water(6.4, bounds));
        assert!(EyeLevel::OnWater { height_m: 50.0 }.needs_water(1e4, bounds));
        let water = Water { level_m: 6.0, highest_m: 6.0 };
        assert_eq!(still.height_m(6.0 + CLEARANCE_M, &water), 6.0 + CLEARANCE_M);
    }

    #[test]
    fn nan_heights_do_not_raise_the_eye() {
        let water = Water::of_heights([0.5, f64::NAN, 0.7, f64::NAN].into_iter());
        assert_eq!(water, Water { level_m: 0.5, highest_m: 0.7 });
        assert_eq!(Water::of(&[]), Water { level_m: 0.0, highest_m: 0.0 });
    }
}
