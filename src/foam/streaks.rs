//! The pattern of the streaks into which the wind draws old foam.

/// The tile of the streaks' noise along the wind, and the number of tiles across it.
const TILE_M: f64 = 190.0;
const STRETCH: f64 = 8.0;

/// A pattern at rest in the foam's frame, along the wind. It turns about the eye: about any other place, a
/// small turn would move the streaks that are seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Streaks {
    /// The unit vector along which the wind blows, (x, z).
    towards: [f64; 2],
    /// The place about which the pattern turned last, in metres of the foam's frame, and its tiles.
    pivot_m: [f64; 2],
    pivot_tiles: [f64; 2],
}

impl Streaks {
    /// The pattern of a wind that has never been another.
    pub fn along(towards: [f64; 2]) -> Self {
        Self { towards, pivot_m: [0.0; 2], pivot_tiles: [0.0; 2] }
    }

    /// Tiles per metre along the wind, for x and z.
    pub fn tiles_per_m(&self) -> [f64; 2] {
        self.towards.map(|part| part / TILE_M)
    }

    /// The tiles, along and across the wind, of a place in metres of the foam's frame.
    pub fn tiles(&self, at_m: [f64; 2]) -> [f64; 2] {
        let [along_x, along_z] = self.tiles_per_m();
        let [x_m, z_m] = [0, 1].map(|axis| at_m[axis] - self.pivot_m[axis]);
        let tiles = [along_x * x_m + along_z * z_m, STRETCH * (along_x * z_m - along_z * x_m)];
        [0, 1].map(|axis| self.pivot_tiles[axis] + tiles[axis])
    }

    /// Turns the pattern by `share` of the way to a wind along `towards`, about a place in metres of the
    /// foam's frame. It stays where the two winds are opposed.
    pub fn turn(&mut self, towards: [f64; 2], share: f64, about_m: [f64; 2]) {
        let [x, z] = [0, 1].map(|axis| {
            let here = self.towards[axis];
            here + share * (towards[axis] - here)
        });
        let length = x.hypot(z);
        if length > 1e-6 {
            self.pivot_tiles = self.tiles(about_m);
            self.pivot_m = about_m;
            self.towards = [x / length, z / length];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(one: [f64; 2], other: [f64; 2]) -> f64 {
        (one[0] - other[0]).hypot(one[1] - other[1])
    }

    #[test]
    fn streaks_turn_about_the_eye() {
        let mut streaks = Streaks::along([1.0, 0.0]);
        let eye_m = [40_000.0, -25_000.0];
        let near_m = [eye_m[0] + 19.0, eye_m[1]];
        let [eye, near] = [eye_m, near_m].map(|at_m| streaks.tiles(at_m));
        // A tenth of the way to a wind from a right angle: atan(1/9), or 6.34 degrees.
        streaks.turn([0.0, 1.0], 0.1, eye_m);
        assert!(apart(streaks.tiles(eye_m), eye) < 1e-9);
        let [along, across] = streaks.tiles(near_m);
        let turn = 9_f64.recip().atan();
        let expected = [eye[0] + 0.1 * turn.cos(), eye[1] - 0.1 * STRETCH * turn.sin()];
        assert!(apart([along, across], expected) < 1e-9, "{near:?} to {along} {across}");

        // From another place, in steps, up to the end.
        let elsewhere_m = [-3.0, 8_000.0];
        let there = streaks.tiles(elsewhere_m);
        for share in [0.25, 0.5, 1.0] {
            streaks.turn([0.0, 1.0], share, elsewhere_m);
        }
        assert!(apart(streaks.tiles(elsewhere_m), there) < 1e-9);
        assert!(apart(streaks.towards, [0.0, 1.0]) < 1e-12);
        streaks.turn([0.0, -1.0], 0.5, elsewhere_m);
        assert!(apart(streaks.towards, [0.0, 1.0]) < 1e-12, "opposed winds");
    }
}
