//! The twin of `maps/sample.wgsl` in double precision: box mips, interpolation by cubic B-splines,
//! bilinear and trilinear, blended patches, and the formulas for Jacobian, normal and foam.
//!
//! ```
//! use seaway::maps::CascadeSampling;
//! use seaway::maps::cpu::{Cascade, Sea, plane_wave, sum_of_cascades};
//!
//! // A wave of 8 m and an amplitude of 0.1 m, in a patch of 64 m with 64 texels.
//! let k = [std::f64::consts::TAU / 8.0, 0.0];
//! let at = |index: usize| plane_wave(k, 0.1, 0.0, [(index % 64) as f64, (index / 64) as f64]);
//! let texels: Vec<_> = (0..64 * 64).map(at).collect();
//! let cascades = vec![Cascade::new(CascadeSampling::plain(64.0, 8.0), 64, texels)];
//! let [_, _, height_m, ..] = sum_of_cascades(&cascades, [0.0, 0.0], 0.0);
//! assert!((height_m - 0.1).abs() < 1e-12);
//! let sea = Sea { cascades, choppiness: 1.0, foam_threshold: 0.0 };
//! let surface = sea.surface([0.0, 0.0], 0.0);
//! // The crest is compressed, by k a, and level.
//! assert!((surface.jacobian() - (1.0 - 0.1 * k[0])).abs() < 1e-9);
//! assert!(surface.normal()[1] > 0.999 && sea.foam(&surface) < 0.1);
//! ```

use std::f64::consts::TAU;

use super::CascadeSampling;
use super::tiles::tiles;
use crate::spectrum::Interpolation;

/// The eight fields of one point: (Dx, Dz, h, dh/dx, dh/dz, dDx/dz, dDx/dx, dDz/dz).
pub type Fields = [f64; 8];

/// The maps of one cascade with `FIELDS` fields.
#[derive(Clone, Debug)]
pub struct Cascade<const FIELDS: usize = 8> {
    sampling: CascadeSampling,
    size: usize,
    /// Every level's fields, indexed `[level][z][x]`.
    levels: Vec<Vec<[f64; FIELDS]>>,
}

impl<const FIELDS: usize> Cascade<FIELDS> {
    /// Makes the mips of `level_0`, `[z][x]` with `size` a power of two: `level_0` holds coefficients
    /// where `sampling` interpolates by splines.
    pub fn new(sampling: CascadeSampling, size: u32, level_0: Vec<[f64; FIELDS]>) -> Self {
        let size = size as usize;
        assert!(size.is_power_of_two() && level_0.len() == size * size);
        let mut levels = vec![level_0];
        let mut side = size;
        while side > 1 {
            let finer = levels.last().expect("starts with one");
            let coarser = (0..side * side / 4)
                .map(|index| {
                    let (x, z) = (2 * (index % (side / 2)), 2 * (index / (side / 2)));
                    let first = z * side + x;
                    let four = [first, first + 1, first + side, first + side + 1];
                    std::array::from_fn(|field| {
                        four.iter().map(|texel| finer[*texel][field]).sum::<f64>() / 4.0
                    })
                })
                .collect();
            levels.push(coarser);
            side /= 2;
        }
        Self { sampling, size, levels }
    }

    /// The texels of mip `level`, indexed `[z][x]`.
    pub fn level(&self, level: usize) -> &[[f64; FIELDS]] {
        &self.levels[level]
    }

    /// The fields at a position, `lod` levels up, of the cascade with the shader's number `cascade`.
    fn sample(&self, cascade: u32, position_m: [f64; 2], lod: f64) -> [f64; FIELDS] {
        let (sin, cos) = libm::sincos(self.sampling.rotation_rad);
        let [x, z] = position_m;
        let patches = [cos * x + sin * z, cos * z - sin * x]
            .map(|metres| metres / self.sampling.patch_size_m);
        if !self.sampling.blended {
            return self.texel(patches, lod);
        }
        let mut sum = [0.0; FIELDS];
        for tile in tiles(cascade, patches) {
            let at = [0, 1].map(|axis| patches[axis] + tile.offset[axis]);
            for (sum, field) in sum.iter_mut().zip(self.texel(at, lod)) {
                *sum += tile.weight * field;
            }
        }
        sum
    }

    /// Samples at a place in units of patches.
    fn texel(&self, patches: [f64; 2], lod: f64) -> [f64; FIELDS] {
        let lod = lod.clamp(0.0, (self.levels.len() - 1) as f64);
        let level = lod as usize;
        let of_level = |level: usize| match self.sampling.interpolation {
            Interpolation::Cubic if level == 0 => self.cubic(patches),
            _ => self.bilinear(patches, level),
        };
        let finer = of_level(level);
        let coarser_share = lod - level as f64;
        if coarser_share == 0.0 {
            return finer;
        }
        let coarser = of_level(level + 1);
        std::array::from_fn(|field| mix(finer[field], coarser[field], coarser_share))
    }

    fn bilinear(&self, patches: [f64; 2], level: usize) -> [f64; FIELDS] {
        self.spline(patches, level, |x| [(0, 1.0 - x), (1, x)])
    }

    fn cubic(&self, patches: [f64; 2]) -> [f64; FIELDS] {
        // The uniform cubic B-spline's four pieces.
        self.spline(patches, 0, |x| {
            let (s, t) = (1.0 - x, x);
            let near = |t: f64| 2.0 / 3.0 - t * t + 0.5 * t.powi(3);
            [(-1, s.powi(3) / 6.0), (0, near(t)), (1, near(s)), (2, t.powi(3) / 6.0)]
        })
    }

    /// The texels around a place, each with the product of its weights along both axes. `weights` gives
    /// those of the neighbours by the distance of the place past texel 0.
    fn spline<const N: usize>(
        &self,
        patches: [f64; 2],
        level: usize,
        weights: impl Fn(f64) -> [(i64, f64); N],
    ) -> [f64; FIELDS] {
        let side = self.size >> level;
        let [x, z] = patches.map(|patches| {
            // Level 0's texel 0 is centred on 0 m, and a mip's texel on the texels it averages.
            let uv = patches + 0.5 / self.size as f64;
            uv * side as f64 - 0.5
        });
        // A power of two makes the remainder a mask.
        let place =
            |at: f64, step: i64| (at.floor() as i64).wrapping_add(step) as usize & (side - 1);
        let along_x = weights(x - x.floor());
        let mut sum = [0.0; FIELDS];
        for (step_z, weight_z) in weights(z - z.floor()) {
            let row = &self.levels[level][place(z, step_z) * side..][..side];
            for (step_x, weight_x) in along_x {
                let texel = row[place(x, step_x)];
                sum.iter_mut()
                    .zip(texel)
                    .for_each(|(sum, field)| *sum += weight_z * weight_x * field);
            }
        }
        sum
    }

    fn lod(&self, length_m: f64) -> f64 {
        (length_m * self.size as f64 / self.sampling.patch_size_m).log2().max(0.0)
    }

    fn weight(&self, lod: f64) -> f64 {
        self.sampling.weight(self.size as u32, lod)
    }

    fn lost(&self, lod: f64, weight: f64) -> [f64; 4] {
        self.sampling.lost(lod, weight)
    }
}

/// A sea of up to four cascades.
#[derive(Clone, Debug)]
pub struct Sea {
    /// The cascades, from the longest waves to the shortest.
    pub cascades: Vec<Cascade>,
    /// The scale of the horizontal displacement.
    pub choppiness: f64,
    /// The Jacobian below which foam appears.
    pub foam_threshold: f64,
}

/// The surface at a point, as the shader's `OceanSurface`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surface {
    /// The slope (dh/dx, dh/dz) at rest.
    pub slope: [f64; 2],
    /// The derivative dDx/dx, times the choppiness.
    pub dxx: f64,
    /// The derivative dDz/dz, times the choppiness.
    pub dzz: f64,
    /// The derivative dDx/dz, times the choppiness.
    pub dxz: f64,
    /// The covariance (xx, zz, xz) of the slopes too fine for the footprint.
    pub lost: [f64; 3],
    /// The variance of dDx/dx + dDz/dz, before choppiness, of the waves too fine for the footprint.
    pub lost_divergence: f64,
}

/// The sum of the fields of some cascades at a position, without the waves that a mesh with vertices
/// `spacing_m` apart cannot show.
pub fn sum_of_cascades<const FIELDS: usize>(
    cascades: &[Cascade<FIELDS>],
    position_m: [f64; 2],
    spacing_m: f64,
) -> [f64; FIELDS] {
    let mut sum = [0.0; FIELDS];
    for (index, cascade) in (0..).zip(cascades) {
        let lod = cascade.lod(spacing_m);
        let weight = cascade.weight(lod);
        if weight > 0.0 {
            let fields = cascade.sample(index, position_m, lod);
            sum.iter_mut().zip(fields).for_each(|(sum, field)| *sum += weight * field);
        }
    }
    sum
}

impl Sea {
    /// The displacement (x, y, z), as by `ocean_displacement` of the shader.
    pub fn displacement(&self, position_m: [f64; 2], spacing_m: f64) -> [f64; 3] {
        let [dx, dz, h, ..] = sum_of_cascades(&self.cascades, position_m, spacing_m);
        [self.choppiness * dx, h, self.choppiness * dz]
    }

    /// The twin of `ocean_surface` with an isotropic footprint of side `footprint_m`.
    pub fn surface(&self, position_m: [f64; 2], footprint_m: f64) -> Surface {
        let mut surface =
            self.surface_of(&sum_of_cascades(&self.cascades, position_m, footprint_m));
        for cascade in &self.cascades {
            let lod = cascade.lod(footprint_m);
            let [xx, zz, xz, divergence] = cascade.lost(lod, cascade.weight(lod));
            surface.lost.iter_mut().zip([xx, zz, xz]).for_each(|(sum, lost)| *sum += lost);
            surface.lost_divergence += divergence;
        }
        surface
    }

    /// The surface with known fields, of which nothing is lost.
    pub fn surface_of(&self, &[_, _, _, hx, hz, dxz, dxx, dzz]: &Fields) -> Surface {
        let [dxx, dzz, dxz] = [dxx, dzz, dxz].map(|stretch| self.choppiness * stretch);
        Surface { slope: [hx, hz], dxx, dzz, dxz, ..Default::default() }
    }

    /// The share of foam, as by `ocean_foam` of the shader.
    pub fn foam(&self, surface: &Surface) -> f64 {
        let variance =
            self.choppiness.powi(2) * surface.lost_divergence.max(0.0) + FOAM_EDGE.powi(2);
        let x = (self.foam_threshold - surface.jacobian()) / variance.sqrt();
        0.5 * (1.0 + libm::erf(x / std::f64::consts::SQRT_2))
    }
}

const FOAM_EDGE: f64 = 0.03;

impl Surface {
    /// The Jacobian, as by `ocean_jacobian` of the shader.
    pub fn jacobian(&self) -> f64 {
        (1.0 + self.dxx) * (1.0 + self.dzz) - self.dxz * self.dxz
    }

    /// The unit normal, as by `ocean_normal` of the shader.
    pub fn normal(&self) -> [f64; 3] {
        let [hx, hz] = self.slope;
        let normal = [
            self.dxz * hz - (1.0 + self.dzz) * hx,
            self.jacobian().max(1e-3),
            self.dxz * hx - (1.0 + self.dxx) * hz,
        ];
        let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
        normal.map(|n| n / length)
    }
}

/// The eight fields of the plane wave h = `amplitude_m` cos(k . x - `phase_rad`) in deep water,
/// `position_m` at rest.
///
/// Horizontally, D(k) = i k/|k| h(k) moves water towards the crest, as in Gerstner's trochoid:
/// D = -k/|k| `amplitude_m` sin(k . x - `phase_rad`).
pub fn plane_wave(
    k_rad_per_m: [f64; 2],
    amplitude_m: f64,
    phase_rad: f64,
    position_m: [f64; 2],
) -> Fields {
    let [kx, kz] = k_rad_per_m;
    let k = kx.hypot(kz);
    let (sin, cos) = ((kx * position_m[0] + kz * position_m[1] - phase_rad) % TAU).sin_cos();
    let [a_sin, a_cos] = [amplitude_m * sin, amplitude_m * cos];
    [
        -kx / k * a_sin,
        -kz / k * a_sin,
        a_cos,
        -kx * a_sin,
        -kz * a_sin,
        -kx * kz / k * a_cos,
        -kx * kx / k * a_cos,
        -kz * kz / k * a_cos,
    ]
}

fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + t * (b - a)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One plane wave, 4 across and 3 along a 64 m patch, sampled finely.
    fn sea(size: u32, amplitude_m: f64) -> (Sea, [f64; 2]) {
        let patch_size_m = 64.0;
        let k = [4.0 * TAU / patch_size_m, 3.0 * TAU / patch_size_m];
        let texel_m = patch_size_m / f64::from(size);
        let level_0 = (0..size * size)
            .map(|index| {
                let at = [index % size, index / size].map(|i| f64::from(i) * texel_m);
                plane_wave(k, amplitude_m, 0.4, at)
            })
            .collect();
        let sampling = CascadeSampling::plain(patch_size_m, TAU / k[0].hypot(k[1]));
        let cascade = Cascade::new(sampling, size, level_0);
        (Sea { cascades: vec![cascade], choppiness: 1.0, foam_threshold: 0.0 }, k)
    }

    /// Expects the trochoid's normal and Jacobian from its definition: finite differences of the
    /// displaced surface, without the formulas under test.
    #[test]
    fn plane_wave_gives_the_trochoid() {
        let (sea, k) = sea(512, 0.8);
        let displaced = |x: f64, z: f64| {
            let [dx, dz, h, ..] = plane_wave(k, 0.8, 0.4, [x, z]);
            [x + dx, h, z + dz]
        };
        for i in 0..40 {
            let [x, z] = [1.7 * f64::from(i), -0.9 * f64::from(i)];
            let surface = sea.surface([x, z], 1e-3);
            let step = 1e-4;
            let along = |dx: f64, dz: f64| {
                let (a, b) = (displaced(x + dx, z + dz), displaced(x - dx, z - dz));
                [0, 1, 2].map(|c| (a[c] - b[c]) / (2.0 * step))
            };
            let (u, v) = (along(step, 0.0), along(0.0, step));
            // Tangent along z cross tangent along x points up.
            let cross =
                [v[1] * u[2] - v[2] * u[1], v[2] * u[0] - v[0] * u[2], v[0] * u[1] - v[1] * u[0]];
            let length = cross.iter().map(|c| c * c).sum::<f64>().sqrt();
            assert!((surface.jacobian() - cross[1]).abs() < 2e-3, "J at {x} {z}");
            for (normal, cross) in surface.normal().iter().zip(cross) {
                assert!((normal - cross / length).abs() < 2e-3, "normal at {x} {z}");
            }
            let [dx, h, dz] = sea.displacement([x, z], 1e-3);
            let expected = displaced(x, z);
            for (got, expected) in [x + dx, h, z + dz].iter().zip(expected) {
                assert!((got - expected).abs() < 2e-3);
            }
        }
    }

    #[test]
    fn crests_are_compressed() {
        let (sea, k) = sea(256, 0.5);
        let steepness = 0.5 * k[0].hypot(k[1]);
        let crest = [0.4 / k[0], 0.0];
        let surface = sea.surface(crest, 1e-3);
        assert!((surface.jacobian() - (1.0 - steepness)).abs() < 1e-3);
        assert!(surface.normal()[1] > 0.999);
    }

    #[test]
    fn a_far_footprint_shows_nothing() {
        let (sea, _) = sea(64, 0.5);
        assert_eq!(sea.surface([3.0, 5.0], 64.0), Surface::default());
        assert_eq!(sea.displacement([3.0, 5.0], 64.0), [0.0; 3]);
    }

    #[test]
    fn mips_are_means() {
        let level_0 = (0..256).map(|i| [f64::from(i); 8]).collect();
        let sampling = CascadeSampling::plain(1.0, 1.0);
        let cascade = Cascade::new(sampling, 16, level_0);
        assert_eq!(cascade.level(1)[0][3], (0.0 + 1.0 + 16.0 + 17.0) / 4.0);
        assert_eq!(cascade.level(4)[0][3], 127.5);
    }
}
