//! The places of low clouds: repeating maps whose values are uniform from 0 to 1, so that the share
//! above a threshold is known.

use half::f16;

use crate::shading::foam_noise::{random, smooth_noise};

pub(super) const SIZE: u32 = 128;

/// Two maps for cumulus and two for stratus, row by row.
pub(super) fn maps() -> Vec<[f16; 4]> {
    let maps = [
        uniform(|point| cumulus(point, 0)),
        uniform(|point| cumulus(point, 20)),
        uniform(|point| stratus(point, 40)),
        uniform(|point| stratus(point, 60)),
    ];
    (0..(SIZE * SIZE) as usize).map(|texel| maps.each_ref().map(|map| map[texel])).collect()
}

/// Heaps of two sizes, in groups.
fn cumulus(point: [f32; 2], seed: u32) -> f32 {
    let heaps = 0.7 * heap(point, 15, seed + 1) + 0.45 * heap(point, 31, seed + 2);
    let groups = smooth_noise(point, 4, seed + 3) + 0.6 * smooth_noise(point, 9, seed + 4);
    heaps + 0.3 * groups + 0.1 * smooth_noise(point, 37, seed + 5)
}

fn stratus(point: [f32; 2], seed: u32) -> f32 {
    [(3, 1.0), (7, 0.6), (13, 0.4), (29, 0.25), (53, 0.12)]
        .into_iter()
        .zip(seed..)
        .map(|((cells, weight), seed)| weight * smooth_noise(point, cells, seed))
        .sum()
}

/// 1 in the middle of the cells of a jittered grid, falling outwards (Worley 1996).
fn heap(point: [f32; 2], cells: i32, seed: u32) -> f32 {
    let scaled = point.map(|coordinate| coordinate * cells as f32);
    let cell = scaled.map(|coordinate| coordinate.floor() as i32);
    let mut nearest = f32::MAX;
    for z in -1..=1 {
        for x in -1..=1 {
            let neighbour = [cell[0] + x, cell[1] + z];
            let jitter = [0, 1].map(|axis| random(neighbour, cells, seed * 2 + axis));
            let apart = [0, 1].map(|axis| neighbour[axis] as f32 + jitter[axis] - scaled[axis]);
            nearest = nearest.min(apart[0].hypot(apart[1]));
        }
    }
    1.0 - nearest.min(1.4)
}

/// `noise` with its values replaced by their ranks.
fn uniform(noise: impl Fn([f32; 2]) -> f32) -> Vec<f16> {
    let count = SIZE * SIZE;
    let at = |texel: u32| [texel % SIZE, texel / SIZE].map(|i| (i as f32 + 0.5) / SIZE as f32);
    let values: Vec<f32> = (0..count).map(|texel| noise(at(texel))).collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![f16::ZERO; values.len()];
    for (rank, texel) in order.into_iter().enumerate() {
        ranks[texel] = f16::from_f32((rank as f32 + 0.5) / count as f32);
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_two_maps_has_a_triangular_distribution() {
        let maps = maps();
        for [first, second] in [[0, 1], [2, 3]] {
            for threshold in [0.5_f32, 1.0, 1.5] {
                let shift = 37;
                let above = (0..maps.len())
                    .filter(|texel| {
                        let other = (texel + shift * SIZE as usize + 51) % maps.len();
                        let sum = maps[*texel][first].to_f32() + maps[other][second].to_f32();
                        sum > threshold
                    })
                    .count();
                let share = above as f32 / maps.len() as f32;
                let expected = if threshold < 1.0 {
                    1.0 - 0.5 * threshold * threshold
                } else {
                    0.5 * (2.0 - threshold) * (2.0 - threshold)
                };
                // A few dozen clouds to a map, and their number varies.
                assert!((share - expected).abs() < 0.05, "{threshold}: {share}");
            }
        }
    }
}
