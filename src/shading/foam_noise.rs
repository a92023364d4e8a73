//! The pattern that foam breaks up in: a tile of noise, made once on the processor.
//!
//! Foam is a net of bubble rafts around holes, so the noise is the ridges of a cellular texture
//! (Worley 1996) in three sizes, in patches. Its values are then replaced by their ranks: with a
//! uniform distribution, covering the share c of the water is a threshold at 1 - c.

use std::sync::OnceLock;

use crate::platform::Cooperative;

pub(super) const SIZE: u32 = 256;

/// One tile with its mips, as two 8-bit channels: the noise, and its square. Averaged by mips and
/// filtering, the two give mean and variance of the noise in a footprint (as variance shadow maps
/// do), so that the threshold softens as detail is lost and the mean cover stays.
#[derive(Debug)]
pub(super) struct FoamNoise {
    /// Levels from fine to coarse, tightly packed.
    pub levels: Vec<Vec<[u8; 2]>>,
}

/// The tile is the same in every frame.
static TILE: OnceLock<FoamNoise> = OnceLock::new();

impl FoamNoise {
    /// Returns the tile, and makes it on first use.
    pub fn tile() -> &'static Self {
        TILE.get_or_init(|| Cooperative::finish(Self::new(&mut Cooperative::blocking())))
    }

    /// Makes the tile cooperatively unless it exists.
    pub async fn prepare(coop: &mut Cooperative) {
        if TILE.get().is_none() {
            // Another thread may have made the same tile first.
            let _ = TILE.set(Self::new(coop).await);
        }
    }

    async fn new(coop: &mut Cooperative) -> Self {
        let mut heights = Vec::with_capacity((SIZE * SIZE) as usize);
        for z in 0..SIZE {
            coop.yield_if_due().await;
            heights.extend((0..SIZE).map(|x| lace([x, z].map(|texel| texel as f32 / SIZE as f32))));
        }
        let mut order: Vec<u32> = (0..SIZE * SIZE).collect();
        order.sort_unstable_by(|a, b| heights[*a as usize].total_cmp(&heights[*b as usize]));
        let mut level = vec![[0.0f32; 2]; heights.len()];
        for (rank, index) in order.into_iter().enumerate() {
            let uniform = (rank as f32 + 0.5) / heights.len() as f32;
            level[index as usize] = [uniform, uniform * uniform];
        }
        let mut levels = Vec::new();
        let mut size = SIZE as usize;
        loop {
            levels
                .push(level.iter().map(|texel| texel.map(|v| (v * 255.0).round() as u8)).collect());
            if size == 1 {
                return Self { levels };
            }
            size /= 2;
            level = (0..size * size)
                .map(|index| {
                    let first = index / size * 4 * size + index % size * 2;
                    std::array::from_fn(|channel| {
                        [first, first + 1, first + 2 * size, first + 2 * size + 1]
                            .map(|texel| level[texel][channel])
                            .iter()
                            .sum::<f32>()
                            * 0.25
                    })
                })
                .collect();
        }
    }
}

/// High on the bubble rafts, low in the holes, at `point` in units of tiles.
fn lace(point: [f32; 2]) -> f32 {
    // Bends the cells' straight edges.
    let bend = |seed| 0.035 * (smooth_noise(point, 7, seed) + 0.5 * smooth_noise(point, 17, seed));
    let bent = [point[0] + bend(1), point[1] + bend(2)];
    let ridges = 0.5 * ridge(bent, 9, 3) + 0.32 * ridge(bent, 21, 4) + 0.18 * ridge(bent, 47, 5);
    ridges + 0.35 * smooth_noise(point, 5, 6) + 0.08 * smooth_noise(point, 61, 7)
}

/// 1 on the edges between the cells of a jittered grid, falling into them.
fn ridge(point: [f32; 2], cells: i32, seed: u32) -> f32 {
    let scaled = point.map(|coordinate| coordinate * cells as f32);
    let cell = scaled.map(|coordinate| coordinate.floor() as i32);
    let (mut first, mut second) = (f32::MAX, f32::MAX);
    for z in -1..=1 {
        for x in -1..=1 {
            let neighbour = [cell[0] + x, cell[1] + z];
            let jitter = [0, 1].map(|axis| random(neighbour, cells, seed * 2 + axis));
            let distance = f32::hypot(
                neighbour[0] as f32 + jitter[0] - scaled[0],
                neighbour[1] as f32 + jitter[1] - scaled[1],
            );
            if distance < first {
                second = first;
                first = distance;
            } else if distance < second {
                second = distance;
            }
        }
    }
    (-3.5 * (second - first)).exp()
}

/// Value noise from -1 to 1.
pub(super) fn smooth_noise(point: [f32; 2], cells: i32, seed: u32) -> f32 {
    let scaled = point.map(|coordinate| coordinate * cells as f32);
    let cell = scaled.map(|coordinate| coordinate.floor() as i32);
    let fade = |axis: usize| {
        let t = scaled[axis] - cell[axis] as f32;
        t * t * (3.0 - 2.0 * t)
    };
    let corner = |x: i32, z: i32| random([cell[0] + x, cell[1] + z], cells, 64 + seed);
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let (tx, tz) = (fade(0), fade(1));
    2.0 * mix(mix(corner(0, 0), corner(1, 0), tx), mix(corner(0, 1), corner(1, 1), tx), tz) - 1.0
}

/// A number from 0 to 1 for a cell of a grid that repeats after `cells`, by the integer hash pcg3d of
/// Jarzynski and Olano, "Hash Functions for GPU Rendering" (2020).
pub(super) fn random(cell: [i32; 2], cells: i32, seed: u32) -> f32 {
    let [mut x, mut y] = cell.map(|index| index.rem_euclid(cells) as u32);
    let mut z = seed;
    for word in [&mut x, &mut y, &mut z] {
        *word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    }
    for round in 0..2 {
        x = x.wrapping_add(y.wrapping_mul(z));
        y = y.wrapping_add(z.wrapping_mul(x));
        z = z.wrapping_add(x.wrapping_mul(y));
        if round == 0 {
            (x, y, z) = (x ^ (x >> 16), y ^ (y >> 16), z ^ (z >> 16));
        }
    }
    (x >> 8) as f32 / (1u32 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::super::water::FOAM_TILES;
    use super::*;
    use crate::gpu::run_in_place;
    use seaway_core::testing::tolerance::near;

    #[test]
    fn values_are_uniform_and_mips_keep_the_mean() {
        let noise = FoamNoise::tile();
        assert_eq!(noise.levels.len(), 9);
        let mut counts = [0u32; 4];
        for texel in &noise.levels[0] {
            counts[usize::from(texel[0] / 64)] += 1;
        }
        for count in counts {
            assert!((count as f32 / (SIZE * SIZE) as f32 - 0.25).abs() < 0.01, "{counts:?}");
        }
        let [[mean, square]] = noise.levels[8][..] else { panic!("the last level is one texel") };
        assert!((i32::from(mean) - 128).abs() <= 1, "{mean}");
        assert!((i32::from(square) - 85).abs() <= 1, "{square}");
    }

    /// Covers to test; each of the two tiles is sampled at its finest level.
    const SHARES: [f32; 8] = [0.002, 0.004, 0.008, 0.02, 0.05, 0.15, 0.4, 0.8];

    /// The average of `foam_cover`, by `SHARES`, over two tiles with random offsets; thick foam counts
    /// for more by `weight` times the excess of its albedo over the mean.
    fn covered(level: &[[u8; 2]], weight: &str) -> Vec<f64> {
        let text = "#import \"maps/sample.wgsl\"
            #import \"shading/foam.wgsl\"
            // A pattern, then what of it is covered, by shares.
            const WEIGHT: f32 = {weight};
            const ALBEDO: f32 = 0.15;
            struct Case { pattern: vec4<f32>, a: vec4<f32>, b: vec4<f32> }
            fn update(i: u32) {
                let case_ = cases[i];
                for (var at = 0u; at < 4u; at++) {
                    let a = foam_cover(case_.a[at], case_.pattern);
                    let b = foam_cover(case_.b[at], case_.pattern);
                    cases[i].a[at] = a.cover * mix(1.0, foam_thick_albedo(ALBEDO, a.relief) / ALBEDO, WEIGHT);
                    cases[i].b[at] = b.cover * mix(1.0, foam_thick_albedo(ALBEDO, b.relief) / ALBEDO, WEIGHT);
                }
            }";
        let text = text.replace("{weight}", weight);
        let len = 1 << 15;
        let value = |index: u32, tile: u32| {
            let at = random([index as i32, 0], i32::MAX, tile);
            level[(at * level.len() as f32) as usize].map(|value| f32::from(value) / 255.0)
        };
        let data: Vec<[f32; 12]> = (0..len)
            .map(|index| {
                let pattern = [value(index, 0), value(index, 1)].concat();
                [pattern, SHARES.to_vec()].concat().try_into().unwrap()
            })
            .collect();
        let found = run_in_place("foam cover", &text, &data);
        let mean = |at: usize| found.iter().map(|case| f64::from(case[at])).sum::<f64>();
        (4..12).map(|at| mean(at) / f64::from(len)).collect()
    }

    #[test]
    fn foam_covers_its_share_from_any_distance() {
        for (number, level) in FoamNoise::tile().levels.iter().enumerate() {
            let found = covered(level, "0.0");
            let with_relief = covered(level, "1.0");
            println!("level {number}: {found:.4?} {with_relief:.4?}");
            for ((found, with_relief), share) in found.into_iter().zip(with_relief).zip(SHARES) {
                let what = format_args!("level {number}, {share}");
                // Small covers have few samples.
                let tolerance = if share < 0.02 { 0.3 } else { 0.1 };
                near(found / f64::from(share), 1.0, tolerance, what);
                near(with_relief / found, 1.0, 0.1, what);
            }
        }
    }

    /// A level's value at a place in units of tiles, as the sampler finds it.
    fn sampled(level: &[[u8; 2]], place: [f64; 2]) -> [f32; 2] {
        let side = level.len().isqrt();
        let [x, z] = place.map(|tiles| tiles * side as f64 - 0.5);
        let texel = |i: f64, j: f64| {
            let [i, j] = [i, j].map(|index| index.rem_euclid(side as f64) as usize);
            level[j * side + i].map(|value| f64::from(value) / 255.0)
        };
        let (i, j) = (x.floor(), z.floor());
        let (u, v) = (x - i, z - j);
        let [a, b, c, d] =
            [texel(i, j), texel(i + 1.0, j), texel(i, j + 1.0), texel(i + 1.0, j + 1.0)];
        std::array::from_fn(|at| {
            let (near, far) = (a[at] + u * (b[at] - a[at]), c[at] + u * (d[at] - c[at]));
            (near + v * (far - near)) as f32
        })
    }

    /// Wherever the foam is and whichever way the sun stands, relief does not change the mean light on
    /// covered water. Uses the two tiles of the net.
    #[test]
    fn relief_makes_no_light() {
        let text = "#import \"maps/sample.wgsl\"
            #import \"shading/foam.wgsl\"
            struct Case { here: vec4<f32>, towards: vec4<f32>, away: vec4<f32>, found: vec4<f32> }
            fn update(i: u32) {
                let case_ = cases[i];
                let sine = case_.found.y;
                let foam = foam_cover(case_.found.x, case_.here);
                let sunlit = foam_relief(case_.towards, case_.away, sine);
                let albedo = foam_thick_albedo(0.2, foam.relief) / 0.2;
                cases[i].found = foam.cover * vec4(1.0, sunlit, sunlit * albedo, 0.0);
            }";
        let thickness_m = 0.05;
        let count = 1 << 14;
        for level in &FoamNoise::tile().levels[..2] {
            for azimuth_deg in [0.0_f64, 50.0, 160.0] {
                for (share, sine) in [(0.05, 0.05), (0.05, 1.0), (0.3, 0.4), (0.8, 0.2)] {
                    let (z, x) = azimuth_deg.to_radians().sin_cos();
                    let pattern = |place: [f64; 2], along: f64| {
                        let [a, b] = [FOAM_TILES[0], FOAM_TILES[1]].map(|(size_m, [sin, cos])| {
                            let [x, z] = [place[0] + along * x, place[1] + along * z];
                            let turned = [cos * x - sin * z, sin * x + cos * z];
                            sampled(level, turned.map(|metres| metres / size_m))
                        });
                        [a, b].concat()
                    };
                    let cases: Vec<[f32; 16]> = (0..count)
                        .map(|index| {
                            let place = [0, 1].map(|axis| {
                                1e3 * f64::from(random([index, 0], i32::MAX, 7 + axis))
                            });
                            [
                                pattern(place, 0.0),
                                pattern(place, 0.5 * thickness_m),
                                pattern(place, -0.5 * thickness_m),
                                vec![share, sine, 0.0, 0.0],
                            ]
                            .concat()
                            .try_into()
                            .unwrap()
                        })
                        .collect();
                    let found = run_in_place("foam relief", text, &cases);
                    let sums = [12, 13, 14]
                        .map(|at: usize| found.iter().map(|case| f64::from(case[at])).sum::<f64>());
                    let (sunlit, bright) = (sums[1] / sums[0], sums[2] / sums[0]);
                    println!("{share} {sine} {azimuth_deg}: {sunlit:.4} {bright:.4}");
                    let case = format_args!("{share}, sine {sine}, {azimuth_deg} deg");
                    near(sunlit, 1.0, 0.035, format_args!("sunlight: {case}"));
                    near(bright, 1.0, 0.1, format_args!("brightness: {case}"));
                }
            }
        }
    }

    #[test]
    fn the_tile_repeats_without_a_seam() {
        for i in 0..50 {
            let along = i as f32 / 50.0;
            let step = (lace([0.0, along]) - lace([0.9999, along])).abs();
            assert!(step < 0.02, "{step} at {along}");
            let step = (lace([along, 0.0]) - lace([along, 0.9999])).abs();
            assert!(step < 0.02, "{step} at {along}");
        }
    }
}
