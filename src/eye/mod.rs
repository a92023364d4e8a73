//! Where the eye of a picture is, over a sea that moves: never inside a wave, and on the water where
//! that is wanted.
//!
//! A camera's pose has a height over *still* water ([`CameraPose::y_m`]), which a wave that passes may
//! rise above. The rule is [`Stance::height_m`]: given the [`Water`] around the eye, an eye that is too
//! low is lifted over it, and one that stands on the water has its height over that. It changes the pose
//! that is drawn and no setting: a wave lifts the picture and lets it down again.
//!
//! The water is asked for at [`points`] around the eye ([`query`](crate::query)). Who can wait asks for
//! the very frame, which is exact and the same every time; a window takes an [`EyeTracker`], which never
//! waits and knows of the water what it was some frames ago and where it was going. That one is for a
//! [`Frame`](crate::frame::Frame): who embeds an [`Ocean`](crate::Ocean) alone asks
//! [`Queries`](crate::query::Queries) for [`points`], makes [`Water::of`] the answer, and has
//! [`Stance::height_m`] of that. High above all waves
//! nothing needs to be asked ([`Stance::needs_water`]).
//!
//! [`CameraPose::y_m`]: crate::settings::CameraPose::y_m

mod patch;
mod tracker;

use std::ops::RangeInclusive;

pub use self::tracker::EyeTracker;
use crate::mesh::SeaBounds;
use crate::query::{Point, SurfacePoint};

/// How far the eye stays above the highest water around it: the near plane's corners are
/// [0.05 m](crate::mesh::View::NEAR_M) and less than three times that away, and between the points that
/// are looked at short crests stand some centimetres higher.
pub const CLEARANCE_M: f64 = 0.4;

/// How far around the eye the water is looked at: a crest that passes beside it fills the picture.
pub const RADIUS_M: f64 = 1.0;

/// Points that are asked about for one eye.
pub const POINTS: usize = 20;

/// Between the points around the eye.
const PITCH_M: f64 = 0.5;

/// Somebody on a raft: waves shorter than twice this pass under it.
const RAFT_M: f64 = 2.0;

/// What an eye's height is over.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stance {
    /// Still water: the pose's own height, which only waves that reach it change.
    #[default]
    OverStillWater,
    /// The water as it is: the eye follows it as on a raft of a few metres.
    OnWater {
        /// Height over it, in metres.
        height_m: f64,
    },
}

/// The water around an eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// Height over still water, without waves that are shorter than a few metres: what a raft follows.
    pub level_m: f64,
    /// Height of the highest water within [`RADIUS_M`], of all waves that are drawn there.
    pub highest_m: f64,
}

impl Stance {
    /// Heights over the water that are useful, in metres.
    pub const HEIGHTS_M: RangeInclusive<f64> = 0.5..=50.0;
    /// A grown person's eyes.
    pub const STANDING_M: f64 = 1.7;

    /// The height over the water, in metres, of an eye that stands on it.
    pub fn above_water_m(self) -> Option<f64> {
        match self {
            Self::OverStillWater => None,
            Self::OnWater { height_m } => Some(height_m),
        }
    }

    /// The water has a say in the height of an eye whose pose is `still_m` over still water. Where it
    /// has none, `still_m` is the height: no wave of the sea of `bounds` reaches it.
    pub fn needs_water(self, still_m: f64, bounds: SeaBounds) -> bool {
        match self {
            Self::OverStillWater => still_m < bounds.vertical_m + CLEARANCE_M,
            Self::OnWater { .. } => true,
        }
    }

    /// The height over still water that is wanted, wherever crests are: see [`Water::clear_m`].
    pub fn wanted_m(self, still_m: f64, water: &Water) -> f64 {
        match self {
            Self::OverStillWater => still_m,
            Self::OnWater { height_m } => water.level_m + height_m,
        }
    }

    /// The height over still water at which the eye is drawn, in metres: what is wanted, or as much more
    /// as keeps it out of the water. `still_m` is the pose's own.
    pub fn height_m(self, still_m: f64, water: &Water) -> f64 {
        water.clear_m(self.wanted_m(still_m, water))
    }
}

impl Water {
    /// What was found at [`points`].
    pub fn of(found: &[SurfacePoint]) -> Self {
        Self::of_heights(found.iter().map(|point| point.height_m))
    }

    fn of_heights(mut heights_m: impl Iterator<Item = f64>) -> Self {
        let level_m = heights_m.next().unwrap_or(0.0);
        Self { level_m, highest_m: heights_m.fold(level_m, f64::max) }
    }

    /// `height_m`, or the least height above it that is clear of the water.
    pub fn clear_m(&self, height_m: f64) -> f64 {
        height_m.max(self.highest_m + CLEARANCE_M)
    }
}

/// Where to ask for the water around an eye at `eye_m` (x, z): first what a raft there would feel, then a
/// triangular lattice out to [`RADIUS_M`] of the waves that a mesh of `spacing_m` shows, the finest that
/// is drawn.
pub fn points(eye_m: [f64; 2], spacing_m: f64) -> [Point; POINTS] {
    let mut points = [Point { position_m: eye_m, footprint_m: RAFT_M }; POINTS];
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
        };
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::{at_most, near};

    #[test]
    fn the_points_cover_the_circle_around_the_eye() {
        let eye_m = [-3.0, 7.0];
        let points = points(eye_m, 0.1);
        assert_eq!(points[0], Point { position_m: eye_m, footprint_m: RAFT_M });
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
        let still = Stance::OverStillWater;
        assert_eq!(still.height_m(0.2, &water), 1.5 + CLEARANCE_M);
        assert_eq!(still.height_m(9.0, &water), 9.0);
        let raft = Stance::OnWater { height_m: 1.7 };
        near(raft.height_m(9.0, &water), 2.7, 1e-12, "height on the water");
        let low = Stance::OnWater { height_m: 0.5 };
        assert_eq!(low.height_m(9.0, &water), 1.5 + CLEARANCE_M, "a crest beside it");
        let trough = Water { level_m: -4.0, highest_m: -3.5 };
        near(raft.height_m(0.2, &trough), -2.3, 1e-12, "height in a trough");
        assert_eq!(still.height_m(0.2, &trough), 0.2);
    }

    #[test]
    fn nothing_is_asked_where_no_wave_reaches() {
        let bounds = SeaBounds { horizontal_m: 3.0, vertical_m: 6.0 };
        let still = Stance::OverStillWater;
        assert!(still.needs_water(6.0, bounds) && !still.needs_water(6.4, bounds));
        assert!(Stance::OnWater { height_m: 50.0 }.needs_water(1e4, bounds));
        // What the bounds say is what the rule would find: no eye there is raised.
        let water = Water { level_m: 6.0, highest_m: 6.0 };
        assert_eq!(still.height_m(6.0 + CLEARANCE_M, &water), 6.0 + CLEARANCE_M);
    }

    #[test]
    fn what_is_no_number_raises_nothing() {
        let water = Water::of_heights([0.5, f64::NAN, 0.7, f64::NAN].into_iter());
        assert_eq!(water, Water { level_m: 0.5, highest_m: 0.7 });
        assert_eq!(Water::of(&[]), Water { level_m: 0.0, highest_m: 0.0 });
    }
}
