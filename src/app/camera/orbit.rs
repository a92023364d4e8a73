use super::{constrain, forward, frame_s, look_deg};
use crate::app::held::{Held, Push};
use crate::eye::Ground;
use crate::settings::CameraPose;
use crate::settings::table::Settings as _;

#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct Orbit {
    /// X, Y and Z of the point.
    pub pivot_m: [f64; 3],
    /// Distance from the point to the camera.
    pub distance_m: f64,
    /// The position set by the orbit: a different one means that something else moved the camera.
    placed_m: [f64; 3],
    /// The least height over still water, by the bed.
    lowest_m: f64,
}

impl Orbit {
    /// Range of the wheel, the keys and the panel.
    pub const DISTANCES_M: std::ops::RangeInclusive<f64> = 1.0..=20_000.0;
    /// Distance of the point where the view does not meet the water.
    const AHEAD_M: f64 = 100.0;
    /// Time in which W and S change the distance by a factor of e.
    const APPROACH_S: f64 = 1.0;
    /// Rate of A, D, E and Q.
    const TURN_DEG_PER_S: f64 = 40.0;

    /// Orbits the point of the still water that `pose` looks at. Above the horizon it orbits the origin, to
    /// which it turns; where that is too far, the water ahead.
    pub fn of(pose: &mut CameraPose) -> Self {
        let eye = [pose.x_m, pose.y_m, pose.z_m];
        let direction = forward(pose);
        let farthest = *Self::DISTANCES_M.end();
        let to_water_m = -pose.y_m / direction[1];
        let pivot_m = if (0.0..=farthest).contains(&to_water_m) {
            [eye[0] + direction[0] * to_water_m, 0.0, eye[2] + direction[2] * to_water_m]
        } else if length(eye) <= farthest {
            [0.0; 3]
        } else {
            let (sin_yaw, cos_yaw) = pose.yaw_deg.to_radians().sin_cos();
            [eye[0] + cos_yaw * Self::AHEAD_M, 0.0, eye[2] + sin_yaw * Self::AHEAD_M]
        };
        let to_pivot: [f64; 3] = std::array::from_fn(|axis| pivot_m[axis] - eye[axis]);
        let level_m = to_pivot[0].hypot(to_pivot[2]);
        if level_m > 1e-9 {
            pose.yaw_deg = to_pivot[2].atan2(to_pivot[0]).to_degrees();
        }
        pose.pitch_deg = to_pivot[1].atan2(level_m).to_degrees();
        let (lowest_m, _) = heights_m();
        let mut orbit = Self { pivot_m, distance_m: length(to_pivot), placed_m: eye, lowest_m };
        orbit.place(pose);
        orbit
    }

    /// Stays above the bed from now on.
    pub fn stay_above(&mut self, ground: Ground) {
        let (deepest_m, _) = heights_m();
        self.lowest_m = ground.clear_m(deepest_m);
    }

    /// Turns by a mouse movement in pixels: the point follows the hand.
    pub fn turn(&mut self, pose: &mut CameraPose, delta_pixels: (f64, f64)) {
        let (yaw_deg, pitch_deg) = look_deg(pose, delta_pixels);
        pose.yaw_deg += yaw_deg;
        pose.pitch_deg += pitch_deg;
        self.place(pose);
    }

    /// Zooms by wheel notches: up is nearer.
    pub fn wheel(&mut self, notches: f64) {
        self.distance_m *= 1.15_f64.powf(-notches.clamp(-20.0, 20.0));
    }

    /// Advances by `dt_s` seconds: W and S change the distance, A and D turn around, E and Q over the point.
    pub fn advance(&mut self, pose: &mut CameraPose, held: &Held, dt_s: f64) {
        if [pose.x_m, pose.y_m, pose.z_m] != self.placed_m {
            // A panel, or what undoes a change, has moved the camera.
            *self = Self::of(pose);
            return;
        }
        let speed = match (held.pushes(Push::Fast), held.pushes(Push::Slow)) {
            (true, false) => 3.0,
            (false, true) => 1.0 / 3.0,
            _ => 1.0,
        };
        let amount = frame_s(dt_s) * speed;
        let nearer = held.axis(Push::Forward, Push::Back);
        self.distance_m *= (-nearer * amount / Self::APPROACH_S).exp();
        // The camera goes to its right, so the view turns left.
        pose.yaw_deg -= held.axis(Push::Right, Push::Left) * amount * Self::TURN_DEG_PER_S;
        pose.pitch_deg -= held.axis(Push::Up, Push::Down) * amount * Self::TURN_DEG_PER_S;
        self.place(pose);
    }

    /// Puts the camera at its distance from the point, never lower than the bed or than a camera may be, and on the same
    /// side of still water.
    fn place(&mut self, pose: &mut CameraPose) {
        let distance_m = if self.distance_m.is_nan() { Self::AHEAD_M } else { self.distance_m };
        self.distance_m = distance_m.clamp(*Self::DISTANCES_M.start(), *Self::DISTANCES_M.end());
        constrain(pose);
        // pivot.y - distance sin(pitch) is the height.
        let (lowest_m, highest_m) = match heights_m() {
            _ if pose.y_m < 0.0 => (self.lowest_m, -super::LOWEST_ABOVE_M),
            (_, highest_m) => (super::LOWEST_ABOVE_M, highest_m),
        };
        let sine = |height_m: f64| (self.pivot_m[1] - height_m) / self.distance_m;
        let steepest = |sine: f64| sine.clamp(-1.0, 1.0).asin().to_degrees();
        let (down, up) = (steepest(sine(highest_m)), steepest(sine(lowest_m)));
        pose.pitch_deg = pose.pitch_deg.clamp(down.min(up), up);
        let direction = forward(pose);
        pose.x_m = self.pivot_m[0] - direction[0] * self.distance_m;
        pose.y_m = self.pivot_m[1] - direction[1] * self.distance_m;
        pose.z_m = self.pivot_m[2] - direction[2] * self.distance_m;
        // At the edge of the world, and for the last bit of the height.
        constrain(pose);
        pose.y_m = pose.y_m.clamp(lowest_m, highest_m);
        self.placed_m = [pose.x_m, pose.y_m, pose.z_m];
    }
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|axis| axis * axis).sum::<f64>().sqrt()
}

/// The range of heights that the table allows a camera.
fn heights_m() -> (f64, f64) {
    let field = CameraPose::field("y_m");
    field.and_then(|field| field.kind.range()).unwrap_or((0.0, f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use winit::keyboard::KeyCode;

    use super::*;

    fn looks_at(pose: &CameraPose, point_m: [f64; 3]) -> f64 {
        let to = [point_m[0] - pose.x_m, point_m[1] - pose.y_m, point_m[2] - pose.z_m];
        let along = forward(pose).iter().zip(to).map(|(a, b)| a * b).sum::<f64>();
        along / length(to)
    }

    #[test]
    fn it_turns_around_the_water_that_is_looked_at() {
        // 10 m up, 45 degrees down, towards +X: the water 10 m ahead.
        let mut pose = CameraPose {
            x_m: 5.0,
            y_m: 10.0,
            yaw_deg: 0.0,
            pitch_deg: -45.0,
            ..Default::default()
        };
        let start = pose.clone();
        let mut orbit = Orbit::of(&mut pose);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(near(orbit.pivot_m[0], 15.0) && near(orbit.pivot_m[1], 0.0), "{orbit:?}");
        assert!(near(orbit.distance_m, 200.0_f64.sqrt()));
        // Beginning to orbit moves nothing.
        assert!(near(pose.x_m, start.x_m) && near(pose.y_m, start.y_m), "{pose:?}");

        let mut held = Held::default();
        held.set(KeyCode::KeyD, true);
        let pivot_m = orbit.pivot_m;
        for _ in 0..50 {
            orbit.advance(&mut pose, &held, 0.02);
            assert!(looks_at(&pose, pivot_m) > 1.0 - 1e-12, "{pose:?}");
            assert!(near(pose.y_m, start.y_m));
        }
        // One second of 40 degrees, to the right, which is +Z when looking along +X.
        assert!(near(pose.yaw_deg, -40.0) && pose.z_m > 5.0, "{pose:?}");
        held.clear();
        held.set(KeyCode::KeyW, true);
        let before = orbit.distance_m;
        for _ in 0..50 {
            orbit.advance(&mut pose, &held, 0.02);
        }
        assert!(near(orbit.distance_m, before / std::f64::consts::E));
        orbit.wheel(-1.0);
        assert!(near(orbit.distance_m, 1.15 * before / std::f64::consts::E));
    }

    #[test]
    fn over_the_horizon_it_turns_around_the_origin() {
        let mut pose =
            CameraPose { x_m: 300.0, z_m: 400.0, y_m: 20.0, pitch_deg: 30.0, ..Default::default() };
        let orbit = Orbit::of(&mut pose);
        assert_eq!(orbit.pivot_m, [0.0; 3]);
        assert!(looks_at(&pose, [0.0; 3]) > 1.0 - 1e-12, "{pose:?}");
        // From where the origin is out of reach, around the water ahead.
        let mut far = CameraPose { x_m: 9e6, yaw_deg: 0.0, pitch_deg: 0.0, ..Default::default() };
        let orbit = Orbit::of(&mut far);
        assert!((far.x_m - 9e6).abs() < 1.0 && (orbit.pivot_m[0] - 9e6 - 100.0).abs() < 1.0);
    }

    #[test]
    fn it_stays_on_its_side_of_the_water() {
        for y_m in [9.0, -9.0] {
            turn_wildly(CameraPose { y_m, ..CameraPose::default() });
        }
    }

    fn turn_wildly(mut pose: CameraPose) {
        let is_above = pose.y_m > 0.0;
        let mut orbit = Orbit::of(&mut pose);
        let mut held = Held::default();
        for step in 0..4_000 {
            match step {
                1_000 => held.set(KeyCode::KeyQ, true),
                2_000 => held.set(KeyCode::KeyS, true),
                3_000 => held.set(KeyCode::ShiftLeft, true),
                _ => {}
            }
            let steps = f64::from(step);
            orbit.turn(&mut pose, (steps, if step % 500 < 250 { -300.0 } else { 300.0 }));
            orbit.wheel((steps * 0.7).sin() * 4.0);
            orbit.advance(&mut pose, &held, if step % 7 == 0 { f64::NAN } else { 0.1 });
            pose.validate().unwrap();
            assert_eq!(pose.y_m > 0.0, is_above);
            assert!(Orbit::DISTANCES_M.contains(&orbit.distance_m), "{orbit:?}");
        }
    }

    #[test]
    fn what_moves_the_camera_otherwise_moves_the_point() {
        let mut pose = CameraPose::default();
        let mut orbit = Orbit::of(&mut pose);
        pose.x_m += 1_000.0;
        let put = pose.clone();
        orbit.advance(&mut pose, &Held::default(), 0.01);
        assert!((pose.x_m - put.x_m).abs() < 1e-6, "{pose:?}");
        assert!(orbit.pivot_m[0] > 1_000.0);
    }
}
