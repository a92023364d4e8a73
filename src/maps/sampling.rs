//! The properties of a cascade that sampling depends on.

use std::f64::consts::TAU;

use crate::spectrum::{InitialSpectrum, Interpolation};

/// The sampling of one cascade's maps.
#[derive(Clone, Debug, PartialEq)]
pub struct CascadeSampling {
    /// The side of the patch, after which the maps repeat.
    pub patch_size_m: f64,
    /// The angle from X towards Z by which the patch is turned.
    pub rotation_rad: f64,
    /// The longest wave in the cascade.
    pub longest_wave_m: f64,
    /// The interpolation of level 0, which must hold coefficients that were made for it
    /// ([`SpectrumStage::upload`](crate::spectrum::SpectrumStage::upload)).
    pub interpolation: Interpolation,
    /// Whether patches with random offsets cover the plane, blended into each other, and not one patch
    /// repeated.
    pub blended: bool,
    /// The losses of sampling each mip level from 0 up: the covariance (xx, zz, xz) of the slopes of the
    /// displaced surface ([`InitialSpectrum::displaced_over_rest`]), and the variance of the
    /// displacement's divergence. The last level shows nothing.
    pub lost_covariance: Vec<[f64; 4]>,
}

impl CascadeSampling {
    /// The sampling of one cascade of a sea.
    pub fn new(
        initial: &InitialSpectrum,
        cascade: usize,
        interpolation: Interpolation,
        blended: bool,
    ) -> Self {
        let band = &initial.cascades[cascade];
        let covariance = |[xx, zz, xz]: [f64; 3], divergence: f64| {
            let displaced = initial.displaced_over_rest;
            [displaced * xx, displaced * zz, displaced * xz, divergence]
        };
        Self {
            patch_size_m: band.patch_size_m,
            rotation_rad: band.rotation_rad(),
            longest_wave_m: TAU / band.first_rad_per_m,
            interpolation,
            blended,
            lost_covariance: (0..initial.size.ilog2())
                .map(|level| {
                    covariance(
                        initial.slope_covariance_lost(cascade, level, interpolation),
                        initial.divergence_variance_lost(cascade, level, interpolation),
                    )
                })
                .chain([covariance(
                    initial.slope_covariance(cascade),
                    initial.divergence_variance(cascade),
                )])
                .collect(),
        }
    }

    /// The sampling of a plain patch along X and Z: not turned, not blended, interpolated linearly, its
    /// slopes unknown.
    pub fn plain(patch_size_m: f64, longest_wave_m: f64) -> Self {
        Self {
            patch_size_m,
            rotation_rad: 0.0,
            longest_wave_m,
            interpolation: Interpolation::Linear,
            blended: false,
            lost_covariance: Vec::new(),
        }
    }

    /// The mip level, a real number, whose texels are as wide as the longest wave: the mean over a whole
    /// wave is 0, so this level and higher ones show nothing.
    ///
    /// It is at most the level of 4 texels, the coarsest that all maps have. Only waves longer than a
    /// quarter of the patch would need more; those of a sea are shorter than a sixth.
    pub fn last_lod(&self, size: u32) -> f64 {
        let texel_m = self.patch_size_m / f64::from(size);
        let coarsest = f64::from(coarsest_sampled_level(size));
        (self.longest_wave_m / texel_m).log2().clamp(1.0, coarsest)
    }

    /// The weight of the cascade at a level of detail, a real number, of maps `size` texels wide: it fades
    /// out over the last level that shows any of its waves. It is the twin of `ocean_cascade_weight`.
    pub fn weight(&self, size: u32, lod: f64) -> f64 {
        (self.last_lod(size) - lod).clamp(0.0, 1.0)
    }

    /// The missing slope covariance (xx, zz, xz) and variance of the divergence at a level drawn with
    /// `weight`. It is the twin of `ocean_lost_covariance`.
    pub fn lost(&self, lod: f64, weight: f64) -> [f64; 4] {
        let table = &self.lost_covariance;
        let Some(total) = table.last() else { return [0.0; 4] };
        let level = lod as usize;
        let at = |level: usize| table.get(level).unwrap_or(total);
        let mix = |a: f64, b: f64, share: f64| a + share * (b - a);
        std::array::from_fn(|i| {
            let lost = mix(at(level)[i], at(level + 1)[i], lod - level as f64);
            mix(total[i], lost, weight * weight)
        })
    }
}

/// The coarsest level that is ever sampled of maps `size` texels wide, with 4 x 4 texels. A cascade is
/// sampled below its [`CascadeSampling::last_lod`] only, and trilinear filtering reads the whole level above.
pub(super) fn coarsest_sampled_level(size: u32) -> u32 {
    size.ilog2() - 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{MapFormat, MapsDescriptor};
    use crate::settings::SeaState;

    #[test]
    fn last_level_is_as_wide_as_the_longest_wave() {
        let cascade = CascadeSampling::plain(64.0, 8.0);
        assert_eq!(cascade.last_lod(64), 3.0);
        assert_eq!(cascade.last_lod(128), 4.0);
    }

    #[test]
    fn every_level_that_is_sampled_is_made() {
        for size in (4..=13).map(|log2| 1 << log2) {
            let levels =
                MapsDescriptor { size, cascades: 1, format: MapFormat::F16, anisotropy: 1 }
                    .levels();
            for waves in 1..size / 2 {
                let cascade = CascadeSampling::plain(64.0, 64.0 / f64::from(waves));
                let lod = cascade.last_lod(size).next_down();
                assert!((lod.floor() as u32) + 1 < levels, "size {size}, {waves} waves");
            }
        }
    }

    #[test]
    fn the_longest_waves_show_up_to_their_last_level() {
        for cascade in crate::spectrum::cascades(&SeaState::default(), 4, 512) {
            let sampling =
                CascadeSampling::plain(cascade.patch_size_m, TAU / cascade.first_rad_per_m);
            for size in [16, 128, 512, 8192] {
                let texel_m = cascade.patch_size_m / f64::from(size);
                let texels = sampling.longest_wave_m / texel_m;
                assert_eq!(sampling.last_lod(size), texels.log2(), "size {size}");
            }
        }
    }
}
