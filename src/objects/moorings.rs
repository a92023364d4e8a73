//! The buoys of a marked fairway.

use super::buoy::LAMP_M;
use super::{Character, Lamp, Object};

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
    /// The colours of surfaces of the maritime buoyage system (IALA R0108), as paint that is some seasons old.
    fn paint(self) -> [f32; 3] {
        match self {
            Self::Port => [0.40, 0.028, 0.020],
            Self::Starboard => [0.010, 0.175, 0.060],
            Self::Special => [0.82, 0.46, 0.012],
            Self::SafeWater => [0.70, 0.70, 0.66],
        }
    }

    /// The lantern, with a range of two miles. Its colour and rhythm are those of the buoyage system (IALA R1001):
    /// Fl R 3s, Fl G 3s, Fl Y 5s and Iso W 4s, as charts abbreviate them.
    fn lamp(self) -> Lamp {
        let (colour, period_s, lit_s): (_, _, &[[f64; 2]]) = match self {
            Self::Port => ([1.0, 0.06, 0.03], 3.0, &[[0.0, 0.5]]),
            Self::Starboard => ([0.05, 1.0, 0.35], 3.0, &[[0.0, 0.5]]),
            Self::Special => ([1.0, 0.62, 0.05], 5.0, &[[0.0, 0.5]]),
            Self::SafeWater => ([1.0, 0.93, 0.8], 4.0, &[[0.0, 2.0]]),
        };
        let character = Character { period_s, lit_s };
        Lamp { height_m: LAMP_M, intensity_cd: 8.0, colour, character }
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
    /// Its buoy.
    fn object(&self) -> Object {
        Object {
            position_m: self.position_m,
            heading_rad: self.heading_rad,
            paint: self.mark.paint(),
            second_paint: Mark::Port.paint(),
            stripes: if self.mark == Mark::SafeWater { 3 } else { 0 },
            topmark: Some(self.mark as u32),
            lamp: Some(self.mark.lamp()),
            ..Default::default()
        }
    }

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
/// use seaway::objects::{MOORINGS, Mark, Mooring};
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

/// The buoys of [`MOORINGS`], as [`Frame`](crate::frame::Frame) shows them: objects of the model [`buoy`](super::buoy).
///
/// ```
/// let lit = seaway::objects::fairway().into_iter().filter(|buoy| buoy.lamp.is_some());
/// assert_eq!(lit.count(), 8);
/// ```
pub fn fairway() -> Vec<Object> {
    MOORINGS.iter().map(Mooring::object).collect()
}

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
            let lit: f64 = (0..steps)
                .map(|step| mark.lamp().character.brightness(f64::from(step) * 1e-3))
                .sum();
            assert!((lit / f64::from(steps) - share).abs() < 0.03, "{mark:?}");
            let lamp = |time_s| mark.lamp().character.brightness(time_s);
            assert!((lamp(1e6 + 0.3) - lamp(0.3 + 1e6 % 60.0)).abs() < 1e-6);
        }
    }
}
