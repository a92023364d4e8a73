//! What a mip level of a map shows of each wave, and what it loses.

use std::f64::consts::TAU;

/// How one cascade's maps are to be sampled.
#[derive(Clone, Debug, PartialEq)]
pub struct CascadeSampling {
    /// Side of the patch, after which the maps repeat.
    pub patch_size_m: f64,
    /// Longest wave in the cascade.
    pub longest_wave_m: f64,
    /// Per mip level from 0 up, the covariance (xx, zz, xz) of the slopes that sampling the
    /// level does not show; the last level shows none.
    pub lost_slope_covariance: Vec<[f64; 3]>,
}

impl CascadeSampling {
    /// The mip level, a real number, whose texels are as wide as the longest wave: the mean over
    /// a whole wave is 0, so this level and those above it have nothing to show.
    pub fn last_lod(&self, size: u32) -> f64 {
        let texel_m = self.patch_size_m / f64::from(size);
        (self.longest_wave_m / texel_m).log2().clamp(1.0, f64::from(size.ilog2()))
    }
}

/// Share of a wave's variance, 0 to 1, that is left when mip level `level` is sampled with
/// bilinear interpolation; `phase_per_texel` is the wave's phase step from one texel of level 0
/// to the next along x and z, in radians.
///
/// Along each axis, `level` halvings of the resolution, each the mean of two texels, leave
/// product over j of cos(2^j phase / 2) of the amplitude; interpolating between two texels whose
/// phases differ by p leaves the variance |1 - t + t e^(i p)|^2, on average over t
/// 2/3 + cos(p)/3.
pub fn kept_share(phase_per_texel: [f64; 2], level: u32) -> f64 {
    phase_per_texel
        .iter()
        .map(|phase| {
            let halvings: f64 =
                (0..level).map(|j| (phase * f64::from(1 << j) / 2.0).cos()).product();
            let interpolation = (2.0 + (phase * f64::from(1 << level) % TAU).cos()) / 3.0;
            halvings * halvings * interpolation
        })
        .product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_waves_are_kept_and_short_ones_lost() {
        assert!(kept_share([1e-3, 1e-3], 0) > 0.999_999);
        assert!((kept_share([TAU / 2.0, 0.0], 0) - 1.0 / 3.0).abs() < 1e-12);
        assert!(kept_share([TAU / 2.0, 0.0], 1) < 1e-12, "two texels of the Nyquist wave cancel");
        let shares: Vec<f64> = (0..6).map(|level| kept_share([TAU / 16.0, 0.0], level)).collect();
        assert!(shares.windows(2).all(|pair| pair[1] <= pair[0]), "{shares:?}");
        assert!(shares[4] < 1e-12, "a texel as wide as the wave shows none of it");
    }

    #[test]
    fn last_level_is_as_wide_as_the_longest_wave() {
        let cascade = CascadeSampling {
            patch_size_m: 64.0,
            longest_wave_m: 8.0,
            lost_slope_covariance: Vec::new(),
        };
        assert_eq!(cascade.last_lod(64), 3.0);
        assert_eq!(cascade.last_lod(128), 4.0);
    }
}
