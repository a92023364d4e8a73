use crate::gpu::wgsl_struct;

pub(super) const MAX_CASCADES: usize = 4;
/// Enough from 8192 texels a side, the largest map, to one.
pub(super) const MAX_LEVELS: usize = 14;

wgsl_struct! {
    pub(super) struct OceanCascade {
        pub(super) origin_uv: [f32; 2],
        pub(super) axis_patches_per_m: [f32; 2],
        pub(super) origin_cell: [i32; 2],
        pub(super) origin_in_cell: [f32; 2],
        pub(super) log2_texel_m: f32,
        pub(super) last_lod: f32,
        pub(super) cubic: u32,
        pub(super) blended: u32,
    }
}

wgsl_struct! {
    /// The inputs of sampling besides the textures.
    pub(super) struct OceanMaps {
        pub(super) cascades: [OceanCascade; MAX_CASCADES],
        pub(super) cascade_count: u32,
        pub(super) choppiness: f32,
        pub(super) foam_threshold: f32,
        pub(super) anisotropy: f32,
        pub(super) texels: f32,
        pub(super) _padding: [f32; 3],
        pub(super) lost_covariance: [[f32; 4]; MAX_CASCADES * MAX_LEVELS],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::assert_layout;
    use crate::maps::sample_wgsl;

    #[test]
    fn layouts_match_the_shader() {
        let sampling = sample_wgsl(1);
        assert_layout::<OceanCascade>(&sampling);
        assert_layout::<OceanMaps>(&sampling);
        for constant in [
            format!("const OCEAN_MAX_CASCADES: u32 = {MAX_CASCADES}u;"),
            format!("const OCEAN_MAX_LEVELS: u32 = {MAX_LEVELS}u;"),
        ] {
            assert!(sampling.contains(&constant), "{constant}");
        }
    }
}
