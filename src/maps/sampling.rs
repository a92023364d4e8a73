//! What sampling needs to know of a cascade.

use std::f64::consts::TAU;

use crate::spectrum::{InitialSpectrum, Interpolation};

/// How one cascade's maps are to be sampled.
#[derive(Clone, Debug, PartialEq)]
pub struct CascadeSampling {
    /// Side of the patch, after which the maps repeat.
    pub patch_size_m: f64,
    /// Angle from X towards Z by which the patch is turned.
    pub rotation_rad: f64,
    /// Longest wave in the cascade.
    pub longest_wave_m: f64,
    /// How level 0 is interpolated. It must hold coefficients that were made for it
    /// ([`SpectrumStage::upload`](crate::spectrum::SpectrumStage::upload)).
    pub interpolation: Interpolation,
    /// The plane is covered by the patch again and again with random offsets, blended into each
    /// other, in place of the patch repeated.
    pub blended: bool,
    /// Per mip level from 0 up, what sampling the level does not show: the covariance (xx, zz, xz) of
    /// the slopes of the displaced surface ([`InitialSpectrum::displaced_over_rest`]), and the
    /// variance of the displacement's divergence. The last level shows nothing.
    pub lost_covariance: Vec<[f64; 4]>,
}

impl CascadeSampling {
    /// Of one cascade of a sea.
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

    /// Of a patch as it is, along X and Z: not turned, not blended, interpolated linearly, its
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

    /// The mip level, a real number, whose texels are as wide as the longest wave: the mean over
    /// a whole wave is 0, so this level and those above it have nothing to show.
    ///
    /// At most the level of 4 texels, the coarsest that maps are sure to have. It would take a
    /// wave longer than a quarter of the patch to be sampled further; those of a sea are less than
    /// a sixth.
    pub fn last_lod(&self, size: u32) -> f64 {
        let texel_m = self.patch_size_m / f64::from(size);
        let coarsest = f64::from(coarsest_sampled_level(size));
        (self.longest_wave_m / texel_m).log2().clamp(1.0, coarsest)
    }

    /// What is drawn of the cascade at a level of detail, a real number, of maps `size` texels wide: it
    /// fades out over the last level that shows any of its waves. Twin of `ocean_cascade_weight`.
    pub fn weight(&self, size: u32, lod: f64) -> f64 {
        (self.last_lod(size) - lod).clamp(0.0, 1.0)
    }

    /// Slope covariance (xx, zz, xz) and variance of the divergence that are missing there, drawn with
    /// `weight`. Twin of `ocean_lost_covariance`.
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

/// The coarsest level that is ever sampled, of maps `size` texels wide: the one of 4 x 4 texels.
/// A cascade is sampled below its [`CascadeSampling::last_lod`] only, and trilinear filtering reads
/// the whole level above.
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
                // The largest level of detail at which the cascade has any weight.
                let lod = cascade.last_lod(size).next_down();
                assert!((lod.floor() as u32) + 1 < levels, "size {size}, {waves} waves");
            }
        }
    }

    /// No sea has a cascade that ends before its longest wave does.
    #[test]
    fn the_longest_waves_of_a_sea_are_shown_to_their_last_level() {
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
