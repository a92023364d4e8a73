//! The height at which the eye is drawn: above the waves, and continuous where its reference changes.

use crate::eye::{EyeLevel, Water};

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct EyeHeight {
    drawn_m: Option<f64>,
    /// Decaying offset from the wanted height to the drawn one.
    offset_m: f64,
    has_changed: bool,
    is_below: bool,
    /// The eye passes through the surface.
    crosses: bool,
}

impl EyeHeight {
    /// Time constant of the approach to the wanted height.
    const SETTLING_S: f64 = 0.15;

    /// Changes the reference of the eye's height, without a jump in the next frame.
    pub fn change(&mut self) {
        self.has_changed = true;
    }

    pub fn advance(&mut self, dt_s: f64) {
        self.offset_m *= (-dt_s / Self::SETTLING_S).exp();
        if self.offset_m.abs() < 1e-3 {
            self.offset_m = 0.0;
            self.crosses = false;
        }
    }

    /// Returns the height of this frame, for a pose `still_m` above still water.
    pub fn drawn_m(&mut self, eye_level: EyeLevel, still_m: f64, water: Option<&Water>) -> f64 {
        let wanted_m = match (eye_level, water) {
            (_, Some(water)) => eye_level.wanted_m(still_m, water),
            (EyeLevel::OverStillWater, None) => still_m,
            // The water is not known yet: the eye stays.
            (EyeLevel::OnWater { .. }, None) => return self.drawn_m.unwrap_or(still_m),
        };
        let is_below = eye_level.is_below(still_m);
        let clear_m = |height_m: f64| match water {
            Some(water) if !is_below => water.clear_m(height_m),
            _ => height_m,
        };
        let before_m = self.drawn_m.unwrap_or(wanted_m);
        if std::mem::replace(&mut self.is_below, is_below) != is_below {
            self.crosses = true;
            self.offset_m = before_m - clear_m(wanted_m);
        } else if std::mem::take(&mut self.has_changed) {
            self.offset_m = before_m - wanted_m;
        }
        let drawn_m = if self.crosses {
            clear_m(wanted_m) + self.offset_m
        } else {
            clear_m(wanted_m + self.offset_m)
        };
        self.drawn_m = Some(drawn_m);
        drawn_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seaway_core::testing::tolerance::{at_most, near};

    #[test]
    fn the_eye_goes_on_where_it_was_and_settles() {
        let (still, raft) = (EyeLevel::OverStillWater, EyeLevel::OnWater { height_m: 1.7 });
        let water = Water { level_m: -2.0, highest_m: -1.8 };
        let mut height = EyeHeight::default();
        assert_eq!(height.drawn_m(still, 30.0, None), 30.0);
        height.change();
        // Until the first answer nothing moves, and then nothing jumps.
        assert_eq!(height.drawn_m(raft, 30.0, None), 30.0);
        assert_eq!(height.drawn_m(raft, 30.0, Some(&water)), 30.0);
        let mut last_m = 30.0;
        for _ in 0..120 {
            height.advance(1.0 / 60.0);
            let drawn_m = height.drawn_m(raft, last_m, Some(&water));
            assert!(drawn_m <= last_m, "{drawn_m} after {last_m}");
            // A ninth of the way in a sixtieth of a second.
            at_most(last_m - drawn_m, 0.11 * 30.3, "a frame's way down");
            last_m = drawn_m;
        }
        near(last_m, -0.3, 1e-12, "on the water");
        // Off again, in a trough: the pose cannot be so low, and the eye goes there by and by.
        height.change();
        near(height.drawn_m(still, 0.2, None), -0.3, 1e-12, "as it was seen");
        height.advance(1.0);
        near(height.drawn_m(still, 0.2, None), 0.2, 1e-3, "where the pose is");
    }

    #[test]
    fn settling_goes_around_crests() {
        let mut height = EyeHeight::default();
        height.drawn_m(EyeLevel::OverStillWater, 0.2, None);
        height.change();
        let crest = Water { level_m: 3.0, highest_m: 3.5 };
        let drawn_m = height.drawn_m(EyeLevel::OnWater { height_m: 1.7 }, 0.2, Some(&crest));
        near(drawn_m, 3.9, 1e-12, "clear of the water at once");
    }

    /// Between a pose just above still water, which a crest raises, and one just below, the eye glides.
    #[test]
    fn the_eye_glides_through_the_surface_both_ways() {
        let still = EyeLevel::OverStillWater;
        let crest = Water { level_m: 3.0, highest_m: 3.5 };
        let mut height = EyeHeight::default();
        near(height.drawn_m(still, 0.01, Some(&crest)), 3.9, 1e-12, "clear of the crest");
        near(height.drawn_m(still, -0.01, None), 3.9, 1e-12, "going below");
        height.advance(0.1);
        let between_m = height.drawn_m(still, -0.01, None);
        assert!((0.0..3.9).contains(&between_m), "{between_m}");
        height.advance(3.0);
        near(height.drawn_m(still, -0.01, None), -0.01, 1e-12, "below");
        near(height.drawn_m(still, 0.01, Some(&crest)), -0.01, 1e-12, "coming up");
        height.advance(3.0);
        near(height.drawn_m(still, 0.01, Some(&crest)), 3.9, 1e-12, "clear of the crest again");
    }
}
