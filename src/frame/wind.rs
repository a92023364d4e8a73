//! The wind that carries the clouds, where the sea changes gradually.

use crate::maps::finite;
use crate::settings::SeaState;

/// The wind at the surface and the air that it has moved, and the wind that was there before any gradual change:
/// cirrus and the ripples of a bed lie along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wind {
    /// The wind at 10 m in m/s, along X and Z.
    mps: [f64; 2],
    /// The distance that the air has come, less the product of today's wind and the time.
    run_before_m: [f64; 2],
    /// The wind before any gradual change, in m/s along X and Z.
    pub settled_mps: [f64; 2],
    /// Its direction in degrees from +X towards +Z.
    pub settled_deg: f64,
}

impl Wind {
    /// The wind of `sea`, as if it had never been another.
    pub fn of(sea: &SeaState) -> Self {
        let (sin, cos) = sea.wind_direction_deg.to_radians().sin_cos();
        let mps = [cos, sin].map(|along| along * sea.wind_speed_mps);
        let settled_deg = sea.wind_direction_deg;
        Self { mps, run_before_m: [0.0; 2], settled_mps: mps, settled_deg }
    }

    /// The distance that the air has come at `time_s`, in metres along X and Z.
    pub fn run_m(&self, time_s: f64) -> [f64; 2] {
        [0, 1].map(|axis| self.run_before_m[axis] + self.mps[axis] * time_s)
    }

    /// Moves the wind by `share` of the difference to that of `sea`. At `time_s`, the air is where it was. A
    /// time that is NaN or infinite is 0.
    pub fn change(&mut self, sea: &SeaState, share: f64, time_s: f64) {
        let [time_s] = finite([time_s]);
        let wanted = Self::of(sea).mps;
        for axis in [0, 1] {
            let change_mps = share * (wanted[axis] - self.mps[axis]);
            self.mps[axis] += change_mps;
            self.run_before_m[axis] -= change_mps * time_s;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changing_wind_moves_no_air_at_once() {
        let from = SeaState { wind_speed_mps: 8.0, wind_direction_deg: 0.0, ..Default::default() };
        let to = SeaState { wind_speed_mps: 12.0, wind_direction_deg: 90.0, ..from.clone() };
        let mut wind = Wind::of(&from);
        let before_m = wind.run_m(1000.0);
        assert_eq!(before_m, [8000.0, 0.0]);
        for share in [0.25, 0.5, 1.0] {
            wind.change(&to, share, 1000.0);
            for (run_m, before_m) in wind.run_m(1000.0).into_iter().zip(before_m) {
                assert!((run_m - before_m).abs() < 1e-9, "{share}: {run_m}");
            }
        }
        assert!(wind.mps[0].abs() < 1e-12 && (wind.mps[1] - 12.0).abs() < 1e-12);
        let [x, z] = wind.run_m(1010.0);
        assert!((x - 8000.0).abs() < 1e-9 && (z - 120.0).abs() < 1e-9);
    }
}
