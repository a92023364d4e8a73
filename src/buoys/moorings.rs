//! The buoys of a marked fairway.

/// The marks of the maritime buoyage system of the IALA, region A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mark {
    /// The port side of the fairway for ships that come in from the sea: red, with a can on top.
    Port,
    /// The starboard side: green, with a cone.
    Starboard,
    /// A special mark that a chart explains: yellow, with a cross.
    Special,
    /// The middle of the fairway: red and white stripes, with a ball.
    SafeWater,
}

impl Mark {
    /// The lantern's brightness at a time, 0 to 1: one flash in a period of seconds, or lit as long as dark.
    pub(super) fn lamp(self, time_s: f64) -> f64 {
        let (period_s, lit_s) = match self {
            Self::Port | Self::Starboard => (3.0, 0.5),
            Self::Special => (5.0, 0.5),
            Self::SafeWater => (4.0, 2.0),
        };
        // Light sources take a moment to come on and to go out.
        const RAMP_S: f64 = 0.08;
        let at_s = time_s.rem_euclid(period_s);
        (at_s / RAMP_S).min((lit_s - at_s) / RAMP_S).clamp(0.0, 1.0)
    }
}

/// The mooring of a buoy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mooring {
    /// The place (x, z) in the world.
    pub position_m: [f64; 2],
    /// The mark of the buoy.
    pub mark: Mark,
    /// The heading, from +X towards +Z.
    pub heading_rad: f64,
}

impl Mooring {
    const fn new(position_m: [f64; 2], mark: Mark, heading_rad: f64) -> Self {
        Self { position_m, mark, heading_rad }
    }
}

/// The number of buoys. Types with the length of [`MOORINGS`] use this constant: with `MOORINGS.len()`
/// the compiler (1.95) reports a cycle from there to asynchronous closures.
pub(super) const COUNT: usize = 8;

/// The buoys of a fairway, 54 m wide, which leads past the origin at 60 degrees from +X towards +Z. The
/// first are shown first. From the origin, the two nearest stand left and right of the camera's first
/// direction, and of the sun's path there.
///
/// ```
/// use seaway::buoys::{MOORINGS, Mark, Mooring};
///
/// let ports = MOORINGS.iter().filter(|mooring| mooring.mark == Mark::Port);
/// for Mooring { position_m: [x, z], .. } in ports {
///     println!("a red can at ({x} m, {z} m)");
/// }
/// ```
pub const MOORINGS: [Mooring; COUNT] = [
    Mooring::new([24.9, 23.2], Mark::Starboard, 0.3),
    Mooring::new([71.9, -3.8], Mark::Port, 1.1),
    Mooring::new([126.9, 91.5], Mark::Port, 2.4),
    Mooring::new([79.9, 118.5], Mark::Starboard, 4.0),
    Mooring::new([90.0, -63.0], Mark::Special, 0.8),
    Mooring::new([-11.6, -94.2], Mark::SafeWater, 5.2),
    Mooring::new([189.4, 199.8], Mark::Port, 3.3),
    Mooring::new([142.4, 226.8], Mark::Starboard, 5.9),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buoys_are_apart_and_away_from_the_eye() {
        for (index, mooring) in MOORINGS.iter().enumerate() {
            let [x, z] = mooring.position_m;
            assert!((25.0..300.0).contains(&x.hypot(z)), "{mooring:?}");
            for other in &MOORINGS[..index] {
                let [dx, dz] = [0, 1].map(|axis| mooring.position_m[axis] - other.position_m[axis]);
                assert!(dx.hypot(dz) > 25.0, "{mooring:?} {other:?}");
            }
        }
    }

    /// Entering along the fairway, red is to port and green to starboard.
    #[test]
    fn the_fairway_has_its_marks_on_their_sides() {
        let [cos, sin] = [60.0_f64.to_radians().cos(), 60.0_f64.to_radians().sin()];
        let gate = |mark| MOORINGS.iter().filter(move |mooring| mooring.mark == mark);
        let middle =
            |axis: usize| 0.5 * (MOORINGS[0].position_m[axis] + MOORINGS[1].position_m[axis]);
        let across = |mooring: &Mooring| {
            let [x, z] = [0, 1].map(|axis| mooring.position_m[axis] - middle(axis));
            cos * z - sin * x
        };
        for (mark, side) in [(Mark::Port, -1.0), (Mark::Starboard, 1.0)] {
            for mooring in gate(mark) {
                let off_m = side * across(mooring);
                assert!((26.0..28.5).contains(&off_m), "{mooring:?} is {off_m} m off");
            }
        }
        for mooring in gate(Mark::SafeWater) {
            assert!(across(mooring).abs() < 1.0, "{mooring:?}");
        }
    }

    #[test]
    fn lanterns_flash_for_their_duration() {
        for (mark, share) in [(Mark::Port, 0.5 / 3.0), (Mark::Special, 0.1), (Mark::SafeWater, 0.5)]
        {
            let steps = 60_000;
            let lit: f64 = (0..steps).map(|step| mark.lamp(f64::from(step) * 1e-3)).sum();
            assert!((lit / f64::from(steps) - share).abs() < 0.03, "{mark:?}");
            assert!((mark.lamp(1e6 + 0.3) - mark.lamp(0.3 + 1e6 % 60.0)).abs() < 1e-6);
        }
    }
}
