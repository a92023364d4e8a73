//! The height of the bed in double precision, for what stands or swims over it: the twin of
//! `shading/bed_relief.wgsl`, with the same constants.

use std::array;

use crate::settings::SeaBed;

use super::bed::PERIOD_M;

const BANKS: f64 = 0.10;
const BANKS_MOST_M: f64 = 0.6;
const CORAL: f64 = 0.30;
const CORAL_MOST_M: f64 = 2.2;

/// The height in metres of a bed over its mean, which is `depth_m` below still water, at a place (x, z), without
/// ripples. Features much smaller than `texel_m` are averaged.
pub(crate) fn bed_height_m(bed: SeaBed, depth_m: f64, place_m: [f64; 2], texel_m: f64) -> f64 {
    let noise = |size_m, seed| noise(place_m, size_m, texel_m, seed);
    let banks = noise(32.0, 1) + 0.5 * noise(16.0, 2) - 0.75;
    let banks_m = (BANKS * depth_m).min(BANKS_MOST_M) * banks;
    if bed != SeaBed::Reef {
        return banks_m;
    }
    let patches = noise(32.0, 3) + 0.7 * noise(8.0, 4);
    let lumps = noise(2.0, 5) + 0.5 * noise(0.5, 6);
    let coral = ((patches + 0.30 * lumps - 1.18) * 3.2).clamp(0.0, 1.0);
    banks_m + (CORAL * depth_m).min(CORAL_MOST_M) * coral.sqrt() * (0.6 + 0.4 * noise(1.0, 13))
}

/// Smooth noise from 0 to 1 with features `size_m` wide, or its mean where texels are too wide for them.
fn noise(place_m: [f64; 2], size_m: f64, texel_m: f64, seed: u32) -> f64 {
    let t = ((texel_m / size_m - 0.35) / (0.9 - 0.35)).clamp(0.0, 1.0);
    let shown = 1.0 - t * t * (3.0 - 2.0 * t);
    let cells = (PERIOD_M / size_m) as i64;
    let at = place_m.map(|metres| metres / size_m);
    let corner = |x: i64, z: i64| {
        let cell = [at[0].floor() as i64 + x, at[1].floor() as i64 + z];
        hash(cell.map(|cell| cell.rem_euclid(cells) as u32), seed)
    };
    let [sx, sz] = at.map(|at| {
        let t = at - at.floor();
        t * t * t * (t * (6.0 * t - 15.0) + 10.0)
    });
    let [near, far] = array::from_fn(|z| {
        let [left, right] = array::from_fn(|x| corner(x as i64, z as i64));
        left + (right - left) * sx
    });
    0.5 + (near + (far - near) * sz - 0.5) * shown
}

fn hash(cell: [u32; 2], seed: u32) -> f64 {
    let step = |word: u32| word.wrapping_mul(1_664_525);
    let mut x = step(cell[0]).wrapping_add(1_013_904_223);
    let mut y = step(cell[1]).wrapping_add(747_796_405_u32.wrapping_mul(seed));
    x = x.wrapping_add(step(y));
    y = y.wrapping_add(step(x));
    x ^= x >> 16;
    y ^= y >> 16;
    x = x.wrapping_add(step(y));
    f64::from(x >> 8) / 16_777_216.0
}
