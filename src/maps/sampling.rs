//! What sampling needs to know of a cascade.

/// How one cascade's maps are to be sampled.
#[derive(Clone, Debug, PartialEq)]
pub struct CascadeSampling {
    /// Side of the patch, after which the maps repeat.
    pub patch_size_m: f64,
    /// Longest wave in the cascade.
    pub longest_wave_m: f64,
    /// Per mip level from 0 up, the covariance (xx, zz, xz) of the slopes that sampling the
    /// level with bilinear interpolation does not show; the last level shows none.
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

#[cfg(test)]
mod tests {
    use super::*;

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
