//! The camera: flying, orbiting a point, walking on the water, and bookmarks. All of them move one
//! [`CameraPose`], in real time, and waves lift the drawn pose ([`EyeHeight`]). The frame is a function of
//! this pose and of the sea's time alone.

mod bookmarks;
mod fly;
mod height;
mod orbit;
mod walk;

use std::ops::RangeInclusive;

pub(super) use self::bookmarks::{BookmarkAct, Bookmarks};
pub(super) use self::fly::FlyCamera;
use self::height::EyeHeight;
pub(super) use self::orbit::Orbit;
pub(super) use self::walk::Walk;
use super::held::{Held, Push};
use crate::eye::{EyeLevel, Ground, Water};
use crate::settings::CameraPose;
use crate::settings::table::{Settings as _, Value};

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cameras {
    /// Used where neither orbit nor walk is active.
    pub fly: FlyCamera,
    /// Set while the camera orbits a point.
    pub orbit: Option<Orbit>,
    pub walk: Walk,
    pub is_walking: bool,
    pub bookmarks: Bookmarks,
    glide: Option<Glide>,
    height: EyeHeight,
}

impl Cameras {
    /// Turns by a mouse movement with the right button down.
    pub fn look(&mut self, pose: &mut CameraPose, delta_pixels: (f64, f64)) {
        self.glide = None;
        match &mut self.orbit {
            Some(orbit) => orbit.turn(pose, delta_pixels),
            None => self.fly.look(pose, delta_pixels),
        }
    }

    pub fn wheel(&mut self, notches: f64) {
        match &mut self.orbit {
            Some(orbit) => orbit.wheel(notches),
            None if self.is_walking => self.walk.wheel(notches),
            None => self.fly.wheel(notches),
        }
    }

    /// Advances by `dt_s` seconds of real time with `held` keys down. The bed stops an eye that sinks.
    pub fn advance(&mut self, pose: &mut CameraPose, held: &Held, dt_s: f64, ground: Ground) {
        self.height.advance(frame_s(dt_s));
        if held.pushes_somewhere() {
            self.glide = None;
        }
        if let Some(glide) = &mut self.glide {
            if glide.advance(pose, frame_s(dt_s)) {
                self.glide = None;
            }
            return;
        }
        match &mut self.orbit {
            Some(orbit) => {
                orbit.stay_above(ground);
                orbit.advance(pose, held, dt_s);
            }
            None if self.is_walking => self.walk.walk(pose, held, dt_s),
            None => {
                let before_m = pose.y_m;
                self.fly.fly(pose, held, dt_s);
                // A pose from elsewhere may be under the bed. It comes up from where the eye is drawn.
                let rise_m = pose.y_m - before_m;
                let from_m = if rise_m > 0.0 { ground.clear_m(before_m) } else { before_m };
                pose.y_m = (from_m + rise_m).max(from_m.min(ground.clear_m(from_m + rise_m)));
            }
        }
    }

    /// Orbits the point that is looked at, or flies again.
    pub fn toggle_orbit(&mut self, pose: &mut CameraPose) {
        let was_orbiting = self.orbit.is_some();
        self.stay();
        self.orbit = (!was_orbiting).then(|| Orbit::of(pose));
    }

    /// Walks on the water, or flies again from where the eye is.
    pub fn toggle_walk(&mut self) {
        let was_walking = self.is_walking;
        self.stay();
        if !was_walking {
            self.is_walking = true;
            self.height.change();
        }
    }

    /// The reference of the eye's height.
    pub fn eye_level(&self) -> EyeLevel {
        if self.is_walking {
            EyeLevel::OnWater { height_m: self.walk.height_m }
        } else {
            EyeLevel::OverStillWater
        }
    }

    /// Returns the pose to draw, given the bed, and the water around the eye as far as it is known. Walking moves
    /// `pose`, too, to where the eye is seen, as near as its table allows.
    pub fn eye(
        &mut self,
        pose: &mut CameraPose,
        water: Option<&Water>,
        ground: Ground,
    ) -> CameraPose {
        let y_m = self.height.drawn_m(self.eye_level(), pose.y_m, water);
        if self.is_walking {
            pose.y_m = y_m.max(LOWEST_ABOVE_M);
            constrain(pose);
        }
        CameraPose { y_m: ground.clear_m(y_m), ..pose.clone() }
    }

    /// Starts a glide to `target`, and flies from there.
    pub fn glide_to(&mut self, from: &CameraPose, target: CameraPose) {
        self.stay();
        self.glide = Some(Glide { from: from.clone(), target, elapsed_s: 0.0 });
    }

    /// Accepts a pose that was set from outside, and flies from there.
    pub fn stay(&mut self) {
        self.glide = None;
        self.orbit = None;
        if self.is_walking {
            self.is_walking = false;
            self.height.change();
        }
        self.fly.stop();
        self.walk.stop();
    }
}

/// The height over still water of the lowest pose above it, in metres.
const LOWEST_ABOVE_M: f64 = 0.2;

/// The way from one pose to another.
#[derive(Clone, Debug, PartialEq)]
struct Glide {
    from: CameraPose,
    target: CameraPose,
    elapsed_s: f64,
}

impl Glide {
    /// Long enough to see where the camera goes.
    const DURATION_S: f64 = 0.6;

    /// Advances the glide. Returns whether it has arrived, which is at the target to the last bit.
    fn advance(&mut self, pose: &mut CameraPose, dt_s: f64) -> bool {
        self.elapsed_s += dt_s;
        let t = self.elapsed_s / Self::DURATION_S;
        if t >= 1.0 {
            *pose = self.target.clone();
            return true;
        }
        let eased = t * t * (3.0 - 2.0 * t);
        let mix = |from: f64, to: f64| from + (to - from) * eased;
        let (from, to) = (&self.from, &self.target);
        *pose = CameraPose {
            x_m: mix(from.x_m, to.x_m),
            // Heights span decades: half way from 2 m to 2 km is 63 m.
            y_m: mix(from.y_m.asinh(), to.y_m.asinh()).sinh(),
            z_m: mix(from.z_m, to.z_m),
            yaw_deg: from.yaw_deg + degrees_from_to(from.yaw_deg, to.yaw_deg) * eased,
            pitch_deg: mix(from.pitch_deg, to.pitch_deg),
            fov_deg: mix(from.fov_deg, to.fov_deg),
        };
        constrain(pose);
        false
    }
}

/// Returns the shorter turn from one heading to another, within ±180 degrees.
fn degrees_from_to(from_deg: f64, to_deg: f64) -> f64 {
    (to_deg - from_deg + 180.0).rem_euclid(360.0) - 180.0
}

/// Returns yaw and pitch, in degrees, of a mouse movement.
fn look_deg(pose: &CameraPose, delta_pixels: (f64, f64)) -> (f64, f64) {
    const DEG_PER_PIXEL: f64 = 0.12;
    // A narrow view turns slower, so that the picture moves as far.
    let scale = DEG_PER_PIXEL * (pose.fov_deg / 50.0);
    (delta_pixels.0 * scale, -delta_pixels.1 * scale)
}

fn changed_speed_mps(speed_mps: f64, notches: f64, range: &RangeInclusive<f64>) -> f64 {
    (speed_mps * 1.2_f64.powf(notches.clamp(-20.0, 20.0))).clamp(*range.start(), *range.end())
}

/// Scales a speed for Shift and Ctrl, by `fast` or its inverse.
fn pace(held: &Held, fast: f64) -> f64 {
    match (held.pushes(Push::Fast), held.pushes(Push::Slow)) {
        (true, false) => fast,
        (false, true) => 1.0 / fast,
        _ => 1.0,
    }
}

/// Smoothly adapts a velocity to the keys, which push along `wanted`. Returns whether it is not zero.
fn follow<const AXES: usize>(
    velocity_mps: &mut [f64; AXES],
    wanted: [f64; AXES],
    speed_mps: f64,
    dt_s: f64,
) -> bool {
    const RESPONSE_S: f64 = 0.08;
    let length = |vector: &[f64; AXES]| vector.iter().map(|axis| axis * axis).sum::<f64>().sqrt();
    let most = length(&wanted).max(1.0);
    let blend = 1.0 - (-dt_s / RESPONSE_S).exp();
    for (velocity, wanted) in velocity_mps.iter_mut().zip(wanted) {
        *velocity += (wanted / most * speed_mps - *velocity) * blend;
    }
    let moves = length(velocity_mps) >= 1e-3;
    if !moves {
        *velocity_mps = [0.0; AXES];
    }
    moves
}

/// Limits a frame's time, so that no stall makes a leap.
fn frame_s(dt_s: f64) -> f64 {
    if dt_s.is_finite() { dt_s.clamp(0.0, 0.25) } else { 0.0 }
}

/// The unit vector of the view of `pose`.
fn forward(pose: &CameraPose) -> [f64; 3] {
    let (sin_yaw, cos_yaw) = pose.yaw_deg.to_radians().sin_cos();
    let (sin_pitch, cos_pitch) = pose.pitch_deg.to_radians().sin_cos();
    [cos_pitch * cos_yaw, sin_pitch, cos_pitch * sin_yaw]
}

/// Clamps every value to its table's range, and wraps the heading to ±180 degrees.
fn constrain(pose: &mut CameraPose) {
    pose.yaw_deg = (pose.yaw_deg + 180.0).rem_euclid(360.0) - 180.0;
    let fallback = CameraPose::default();
    for field in CameraPose::FIELDS {
        if let (Value::Number(number), Some((min, max))) = (field.get(pose), field.kind.range()) {
            let value = if number.is_nan() {
                field.get(&fallback)
            } else {
                Value::Number(number.clamp(min, max))
            };
            field.set(pose, value).expect("within the range");
        }
    }
}

#[cfg(test)]
mod tests {
    use winit::keyboard::KeyCode;

    use super::*;
    use crate::settings::SeaBed;

    const DEEP: Ground = Ground::new(SeaBed::None, 1000.0);

    #[test]
    fn a_glide_takes_the_shorter_way_around() {
        let from = CameraPose { yaw_deg: 170.0, y_m: 2.0, ..Default::default() };
        let to = CameraPose { yaw_deg: -170.0, y_m: 200.0, x_m: 5e3, ..Default::default() };
        let (mut cameras, mut pose) = (Cameras::default(), from.clone());
        cameras.glide_to(&from, to.clone());
        let mut frames = 0;
        while pose != to {
            cameras.advance(&mut pose, &Held::default(), 1.0 / 60.0, DEEP);
            assert!(pose.yaw_deg.abs() >= 170.0, "{pose:?}");
            pose.validate().unwrap();
            frames += 1;
            assert!(frames <= 37, "0.6 s at 60 frames a second");
        }
        assert!(frames >= 36);
    }

    #[test]
    fn a_key_ends_a_glide() {
        let (mut cameras, mut pose) = (Cameras::default(), CameraPose::default());
        let target = CameraPose { x_m: 1e4, ..pose.clone() };
        cameras.glide_to(&pose, target);
        let mut held = Held::default();
        cameras.advance(&mut pose, &held, 0.1, DEEP);
        held.set(KeyCode::KeyS, true);
        cameras.advance(&mut pose, &held, 0.1, DEEP);
        let here = pose.clone();
        held.clear();
        for _ in 0..100 {
            cameras.advance(&mut pose, &held, 0.1, DEEP);
        }
        assert!((pose.x_m - here.x_m).abs() < 20.0, "{pose:?} after {here:?}");
    }

    /// An eye that sinks stops at the bed, and rises from there at once when E is held.
    #[test]
    fn the_bed_stops_an_eye_that_sinks() {
        let reef = Ground::new(SeaBed::Reef, 4.5);
        let (mut cameras, mut pose) =
            (Cameras::default(), CameraPose { y_m: 3.0, ..Default::default() });
        let mut held = Held::default();
        held.set(KeyCode::KeyQ, true);
        for _ in 0..200 {
            cameras.advance(&mut pose, &held, 0.02, reef);
            let drawn = cameras.eye(&mut pose, None, reef);
            assert_eq!(drawn.y_m, reef.clear_m(drawn.y_m), "over the bed");
        }
        let lowest_m = pose.y_m;
        assert!((-4.5..-1.0).contains(&lowest_m), "{lowest_m}");
        held.clear();
        held.set(KeyCode::KeyE, true);
        for _ in 0..20 {
            cameras.advance(&mut pose, &held, 0.02, reef);
        }
        assert!(pose.y_m > lowest_m + 1.0, "{pose:?}");
        // A pose from elsewhere is not changed.
        pose.y_m = -50.0;
        cameras.stay();
        cameras.advance(&mut pose, &Held::default(), 0.02, reef);
        assert!(cameras.eye(&mut pose, None, reef).y_m > -4.5);
        assert_eq!(pose.y_m, -50.0);
        cameras.advance(&mut pose, &held, 0.02, reef);
        assert!(pose.y_m > -4.5, "{pose:?}");
    }

    #[test]
    fn an_orbit_stays_above_the_bed() {
        let reef = Ground::new(SeaBed::Reef, 4.5);
        let mut pose = CameraPose { y_m: -1.5, pitch_deg: 10.0, ..Default::default() };
        let mut cameras = Cameras::default();
        cameras.toggle_orbit(&mut pose);
        let pivot_m = cameras.orbit.as_ref().unwrap().pivot_m;
        let mut held = Held::default();
        [KeyCode::KeyQ, KeyCode::KeyS].iter().for_each(|key| held.set(*key, true));
        for _ in 0..200 {
            cameras.advance(&mut pose, &held, 0.02, reef);
            assert_eq!(cameras.eye(&mut pose, None, reef), pose);
        }
        assert_eq!(cameras.orbit.as_ref().unwrap().pivot_m, pivot_m, "the same point");
    }
}
