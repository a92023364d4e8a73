//! Flying: keys and mouse move a [`CameraPose`].

use super::{changed_speed_mps, constrain, follow, frame_s, look_deg, pace};
use crate::app::held::{Held, Push};
use crate::settings::CameraPose;

#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct FlyCamera {
    /// Speed without Shift or Ctrl.
    pub speed_mps: f64,
    /// Velocity along right, up and forward, smoothed.
    velocity_mps: [f64; 3],
}

impl Default for FlyCamera {
    fn default() -> Self {
        Self { speed_mps: 12.0, velocity_mps: [0.0; 3] }
    }
}

impl FlyCamera {
    pub const SPEEDS_MPS: std::ops::RangeInclusive<f64> = 0.5..=5_000.0;
    const FAST: f64 = 8.0;

    /// Turns by a mouse movement with the right button down.
    pub fn look(&self, pose: &mut CameraPose, delta_pixels: (f64, f64)) {
        let (yaw_deg, pitch_deg) = look_deg(pose, delta_pixels);
        pose.yaw_deg += yaw_deg;
        pose.pitch_deg += pitch_deg;
        constrain(pose);
    }

    pub fn wheel(&mut self, notches: f64) {
        self.speed_mps = changed_speed_mps(self.speed_mps, notches, &Self::SPEEDS_MPS);
    }

    pub fn take_velocity(&mut self, other: &Self) {
        self.velocity_mps = other.velocity_mps;
    }

    pub fn stop(&mut self) {
        self.velocity_mps = [0.0; 3];
    }

    /// Advances by `dt_s` seconds with `held` keys down. Returns whether the camera moved.
    pub fn fly(&mut self, pose: &mut CameraPose, held: &Held, dt_s: f64) -> bool {
        let dt_s = frame_s(dt_s);
        let wanted = [
            held.axis(Push::Right, Push::Left),
            held.axis(Push::Up, Push::Down),
            held.axis(Push::Forward, Push::Back),
        ];
        let speed_mps = self.speed_mps * pace(held, Self::FAST);
        if !follow(&mut self.velocity_mps, wanted, speed_mps, dt_s) {
            return false;
        }
        let (sin_yaw, cos_yaw) = pose.yaw_deg.to_radians().sin_cos();
        let (sin_pitch, cos_pitch) = pose.pitch_deg.to_radians().sin_cos();
        let [right, up, forward] = self.velocity_mps.map(|velocity| velocity * dt_s);
        // Forward is where the camera looks; up is the world's; right is level.
        pose.x_m += forward * cos_pitch * cos_yaw - right * sin_yaw;
        pose.z_m += forward * cos_pitch * sin_yaw + right * cos_yaw;
        pose.y_m += forward * sin_pitch + up;
        constrain(pose);
        true
    }
}

#[cfg(test)]
mod tests {
    use winit::keyboard::KeyCode;

    use super::*;
    use crate::settings::Settings as _;

    fn flown(keys: &[KeyCode], pose: &CameraPose) -> CameraPose {
        let (mut camera, mut pose, mut held) =
            (FlyCamera { speed_mps: 10.0, ..FlyCamera::default() }, pose.clone(), Held::default());
        keys.iter().for_each(|key| held.set(*key, true));
        for _ in 0..100 {
            camera.fly(&mut pose, &held, 0.01);
        }
        pose
    }

    #[test]
    fn keys_fly_where_the_camera_looks() {
        let start = CameraPose { yaw_deg: 0.0, pitch_deg: 0.0, y_m: 50.0, ..Default::default() };
        let forward = flown(&[KeyCode::KeyW], &start);
        assert!((9.0..10.0).contains(&forward.x_m) && forward.z_m.abs() < 1e-9, "{forward:?}");
        // Facing +X with Y up, right is +Z.
        let right = flown(&[KeyCode::KeyD], &start);
        assert!((9.0..10.0).contains(&right.z_m) && right.x_m.abs() < 1e-9, "{right:?}");
        let towards_z = CameraPose { yaw_deg: 90.0, ..start.clone() };
        assert!(flown(&[KeyCode::KeyW], &towards_z).z_m > 9.0);
        assert!(flown(&[KeyCode::KeyE], &start).y_m > 59.0 - 0.5);
        let up = CameraPose { pitch_deg: 45.0, ..start.clone() };
        assert!(flown(&[KeyCode::KeyW], &up).y_m > 56.0);
        assert!(flown(&[KeyCode::KeyW, KeyCode::ShiftLeft], &start).x_m > 70.0);
        assert!(flown(&[KeyCode::KeyW, KeyCode::ControlLeft], &start).x_m < 1.3);
    }

    #[test]
    fn nothing_leaves_the_table_s_ranges() {
        let mut camera = FlyCamera::default();
        let mut pose = CameraPose::default();
        let mut held = Held::default();
        for key in [KeyCode::KeyQ, KeyCode::KeyW, KeyCode::ShiftLeft] {
            held.set(key, true);
        }
        camera.wheel(1e9);
        assert!(FlyCamera::SPEEDS_MPS.contains(&camera.speed_mps));
        for step in 0..2_000 {
            camera.look(&mut pose, (f64::from(step) * 31.0, -500.0));
            camera.fly(&mut pose, &held, if step % 7 == 0 { f64::NAN } else { 10.0 });
            pose.validate().unwrap();
        }
        pose.x_m = f64::NAN;
        camera.fly(&mut pose, &held, 0.01);
        pose.validate().unwrap();
    }
}
