//! The places of the levels' windows.
//!
//! A place of the water at rest, p, is q = p - drift * t in the foam's frame, where old foam rests.
//! Texel i of a level, a whole number along each axis, covers i to i + 1 texel lengths of q, and is kept
//! at i modulo the texels of a window: a moving window replaces the texels that leave on one side by
//! those that enter on the other, and touches nothing else.

/// The ratio of successive levels' texels.
pub(super) const RATIO: i32 = 4;
const FINEST_WINDOW_M: f64 = 77.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clipmap {
    /// The number of texels along one side of each window, a power of two.
    pub(super) texels: u32,
    pub(super) levels: u32,
}

impl Clipmap {
    pub(super) fn texel_m(&self, level: u32) -> f64 {
        FINEST_WINDOW_M / f64::from(self.texels) * f64::from(RATIO.pow(level))
    }

    pub(super) fn window_m(&self, level: u32) -> f64 {
        self.texel_m(level) * f64::from(self.texels)
    }

    /// The first texel along (x, z) of a level whose window is centred on `q_m`. It wraps around far out.
    pub(super) fn first(&self, level: u32, q_m: [f64; 2]) -> [i64; 2] {
        let half = i64::from(self.texels) / 2;
        q_m.map(|q_m| (q_m / self.texel_m(level)).round() as i64 - half)
    }

    pub(super) fn middle_m(&self, level: u32, first: [i64; 2]) -> [f64; 2] {
        let half = i64::from(self.texels) / 2;
        first.map(|first| (first + half) as f64 * self.texel_m(level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_centred_with_texels_four_times_as_wide() {
        let clipmap = Clipmap { texels: 256, levels: 4 };
        for level in 0..4 {
            for q_m in [[0.0, 0.0], [1e5 + 0.3, -7e4], [-3.1, 12.7]] {
                let first = clipmap.first(level, q_m);
                let middle = clipmap.middle_m(level, first);
                for axis in 0..2 {
                    assert!((middle[axis] - q_m[axis]).abs() <= 0.51 * clipmap.texel_m(level));
                }
            }
        }
        assert_eq!(clipmap.texel_m(1), 4.0 * clipmap.texel_m(0));
        assert_eq!(clipmap.window_m(0), FINEST_WINDOW_M);
    }
}
