//! Walks on the water: keys move a [`CameraPose`] horizontally, and the waves carry it.

use super::{changed_speed_mps, constrain, follow, frame_s, pace};
use crate::app::held::{Held, Push};
use crate::eye::EyeLevel;
use crate::settings::CameraPose;

#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct Walk {
    /// Speed without Shift or Ctrl.
    pub speed_mps: f64,
    /// Height of the eye above the water.
    pub height_m: f64,
    /// Velocity along right and forward, smoothed.
    velocity_mps: [f64; 2],
}

impl Default for Walk {
    fn default() -> Self {
        Self { speed_mps: 1.4, height_m: EyeLevel::STANDING_M, velocity_mps: [0.0; 2] }
    }
}

impl Walk {
    pub const SPEEDS_MPS: std::ops::RangeInclusive<f64> = 0.2..=100.0;
    const FAST: f64 = 4.0;
    /// Time in which E and Q change the height by a factor of e.
    const CLIMB_S: f64 = 1.0;

    pub fn wheel(&mut self, notches: f64) {
        self.speed_mps = changed_speed_mps(self.speed_mps, notches, &Self::SPEEDS_MPS);
    }

    pub fn take_velocity(&mut self, other: &Self) {
        self.velocity_mps = other.velocity_mps;
    }

    pub fn stop(&mut self) {
        self.velocity_mps = [0.0; 2];
    }

    pub fn walk(&mut self, pose: &mut CameraPose, held: &Held, dt_s: f64) {
        let dt_s = frame_s(dt_s);
        let climb = held.axis(Push::Up, Push::Down) * dt_s / Self::CLIMB_S;
        let (lowest_m, highest_m) = (*EyeLevel::HEIGHTS_M.start(), *EyeLevel::HEIGHTS_M.end());
        self.height_m = (self.height_m * climb.exp()).clamp(lowest_m, highest_m);
        let wanted = [held.axis(Push::Right, Push::Left), held.axis(Push::Forward, Push::Back)];
        let speed_mps = self.speed_mps * pace(held, Self::FAST);
        if !follow(&mut self.velocity_mps, wanted, speed_mps, dt_s) {
            return;
        }
        let (sin_yaw, cos_yaw) = pose.yaw_deg.to_radians().sin_cos();
        let [right, forward] = self.velocity_mps.map(|velocity| velocity * dt_s);
        pose.x_m += forward * cos_yaw - right * sin_yaw;
        pose.z_m += forward * sin_yaw + right * cos_yaw;
        constrain(pose);
    }
}

#[cfg(test)]
mod tests {
    use winit::keyboard::KeyCode;

    use super::*;
    use crate::settings::Settings as _;

    fn walked(keys: &[KeyCode], seconds: f64) -> (Walk, CameraPose) {
        let mut pose = CameraPose { yaw_deg: 0.0, pitch_deg: -40.0, ..CameraPose::default() };
        let (mut walk, mut held) = (Walk::default(), Held::default());
        keys.iter().for_each(|key| held.set(*key, true));
        for _ in 0..(seconds / 0.01) as u32 {
            walk.walk(&mut pose, &held, 0.01);
        }
        (walk, pose)
    }

    #[test]
    fn keys_walk_level_wherever_the_camera_looks() {
        let start = CameraPose::default();
        let (walk, pose) = walked(&[KeyCode::KeyW], 10.0);
        // 14 m, less what the first steps take.
        assert!((13.7..14.0).contains(&pose.x_m) && pose.z_m.abs() < 1e-9, "{pose:?}");
        assert_eq!((pose.y_m, walk.height_m), (start.y_m, 1.7), "the water has the height");
        let (_, pose) = walked(&[KeyCode::KeyD, KeyCode::ShiftLeft], 1.0);
        assert!((4.9..5.6).contains(&pose.z_m) && pose.x_m.abs() < 1e-9, "{pose:?}");
        let (walk, pose) = walked(&[KeyCode::KeyE], 1.0);
        assert!((walk.height_m - 1.7 * std::f64::consts::E).abs() < 1e-6, "{walk:?}");
        assert_eq!((pose.x_m, pose.y_m), (start.x_m, start.y_m));
    }

    #[test]
    fn nothing_leaves_its_range() {
        for (keys, height_m) in
            [([KeyCode::KeyQ, KeyCode::KeyW], 0.5), ([KeyCode::KeyE, KeyCode::KeyW], 50.0)]
        {
            let (mut walk, mut pose) = walked(&keys, 20.0);
            assert_eq!(walk.height_m, height_m);
            walk.wheel(f64::MAX);
            walk.wheel(f64::MAX);
            assert_eq!(walk.speed_mps, *Walk::SPEEDS_MPS.end());
            walk.walk(&mut pose, &Held::default(), f64::NAN);
            pose.validate().unwrap();
        }
    }
}
