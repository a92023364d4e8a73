//! Tiles of one patch with random offsets, which cover the plane without visible repetition. This is the
//! twin of `ocean_tiles` in `maps/sample.wgsl`.
//!
//! A linear sea is a Gaussian process, so the sum of independent ones, weighted with w_i over the
//! root of the sum of w_i^2, has the variance and the spectrum of each (Heitz and Neyret 2018, "On
//! histogram-preserving blending"). The vertices of a grid of triangles have an offset each; a point
//! blends those of its triangle's three, with barycentric weights.

/// The length of a triangle's side in units of patches. A vertex reaches two sides across, so that
/// nothing repeats within its reach. Longer sides keep more of the correlation between points.
const SIDE_PATCHES: f64 = 0.5;

/// A place in patches, along the axes of the grid whose unit squares consist of two triangles.
pub(super) fn skewed([u, v]: [f64; 2]) -> [f64; 2] {
    let root_3 = 3.0_f64.sqrt();
    [u - v / root_3, 2.0 * v / root_3].map(|patches| patches / SIDE_PATCHES)
}

/// One of the three tiles that a point blends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// The offset in units of the patch size.
    pub(super) offset: [f64; 2],
    pub(super) weight: f64,
}

/// The tiles blended at the place `patches` of a cascade.
pub(super) fn tiles(cascade: u32, patches: [f64; 2]) -> [Tile; 3] {
    let at = skewed(patches);
    let cell = at.map(|at| at.floor() as i64 as i32);
    let [x, z] = [at[0] - at[0].floor(), at[1] - at[1].floor()];
    // The half of the square: its corner is the vertex that the other half lacks.
    let rest = 1.0 - x - z;
    let (corner, weights) =
        if rest > 0.0 { (0, [rest, z, x]) } else { (1, [-rest, 1.0 - z, 1.0 - x]) };
    let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
    // The corner, and its neighbours along z and x (along x and z from the far corner).
    let vertices = [[corner; 2], [corner, 1 - corner], [1 - corner, corner]];
    std::array::from_fn(|vertex| Tile {
        offset: offset(cascade, [0, 1].map(|i| cell[i].wrapping_add(vertices[vertex][i]))),
        weight: weights[vertex] / squares.sqrt(),
    })
}

/// The offset of a vertex: two numbers from 0 to 1 of 24 bits each (pcg2d; Jarzynski and Olano 2020,
/// "Hash functions for GPU rendering").
fn offset(cascade: u32, cell: [i32; 2]) -> [f64; 2] {
    let [mut x, mut y] = cell.map(|index| index as u32);
    x = x.wrapping_add(cascade.wrapping_mul(0x9e37_79b9));
    let step = |value: u32| value.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (x, y) = (step(x), step(y));
    for _ in 0..2 {
        x = x.wrapping_add(y.wrapping_mul(1_664_525));
        y = y.wrapping_add(x.wrapping_mul(1_664_525));
        x ^= x >> 16;
        y ^= y >> 16;
    }
    [x, y].map(|bits| f64::from(bits >> 8) / 16_777_216.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> impl Iterator<Item = [f64; 2]> {
        (0..4_000).map(|i| {
            [0.754_877_67, 0.569_840_3].map(|step| 40.0 * (f64::from(i) * step).fract() - 20.0)
        })
    }

    #[test]
    fn the_variance_is_that_of_one() {
        for at in places() {
            let squares: f64 = tiles(1, at).iter().map(|tile| tile.weight * tile.weight).sum();
            assert!((squares - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn weights_are_continuous() {
        let sorted = |at| {
            let mut tiles = tiles(2, at);
            tiles.sort_by(|a, b| a.offset[0].total_cmp(&b.offset[0]));
            tiles
        };
        let step = 1e-5;
        for [u, v] in places() {
            let (here, there) = (sorted([u, v]), sorted([u + step, v + 0.3 * step]));
            for tile in here.iter().chain(&there) {
                let weight = |of: &[Tile; 3]| {
                    of.iter()
                        .filter(|other| other.offset == tile.offset)
                        .map(|other| other.weight)
                        .sum::<f64>()
                };
                assert!((weight(&here) - weight(&there)).abs() < 20.0 * step);
            }
        }
    }

    /// The far half of a square and the near half agree on the vertices that they share.
    #[test]
    fn the_nearest_vertex_has_the_largest_weight() {
        let root_3 = 3.0_f64.sqrt();
        // Squares (2, -3) of the grid: a vertex from skewed coordinates back in patches.
        let place =
            |x: f64, z: f64| [SIDE_PATCHES * (x + 0.5 * z), SIDE_PATCHES * z * 0.5 * root_3];
        for (x, z) in [(2, -3), (3, -3), (2, -2), (3, -2)] {
            let near = [0.01, -0.01].map(|d| place(f64::from(x) + d, f64::from(z) + 0.3 * d));
            for at in near {
                let heaviest =
                    tiles(0, at).into_iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
                assert_eq!(heaviest.unwrap().offset, offset(0, [x, z]));
            }
        }
    }

    #[test]
    fn offsets_fill_the_patch() {
        let mut quarters = [0; 16];
        for x in -20..20 {
            for z in -20..20 {
                let [u, v] = offset(3, [x, z]);
                assert!((0.0..1.0).contains(&u) && (0.0..1.0).contains(&v));
                quarters[(4.0 * u) as usize + 4 * (4.0 * v) as usize] += 1;
            }
        }
        assert!(quarters.iter().all(|&count| (50..150).contains(&count)), "{quarters:?}");
        assert_ne!(offset(0, [1, 1]), offset(1, [1, 1]));
    }
}
