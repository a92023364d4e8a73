use crate::gpu::wgsl_struct;

use crate::spectrum::MAX_CASCADES;

pub(super) const MAX_LEVELS: usize = 4;

wgsl_struct! {
    /// The layout of `FoamLevel` in `foam/step.wgsl`.
    pub(super) struct FoamLevel {
        pub first: [i32; 2],
        pub first_before: [i32; 2],
        pub place_m: [f32; 2],
        pub made: [f32; 2],
        pub texel_m: f32,
        pub threshold: f32,
        pub steepness: f32,
        pub fresh_kept: f32,
        pub fading: f32,
        pub old_decay: f32,
        pub half_before: u32,
        pub spaced_count: u32,
        pub cascade_count: u32,
        pub point_count: u32,
        pub _padding: [u32; 2],
    }
}

wgsl_struct! {
    /// The layout of `FoamCascade` in `foam/step.wgsl`.
    pub(super) struct FoamCascade {
        pub lod: f32,
        pub weight: f32,
        pub spacing: u32,
        pub first_point: u32,
    }
}

wgsl_struct! {
    /// The layout of `FoamStep` in `foam/step.wgsl`.
    pub(super) struct FoamStep {
        pub levels: [FoamLevel; MAX_LEVELS],
        pub cascades: [[FoamCascade; MAX_CASCADES as usize]; MAX_LEVELS],
        pub level_count: u32,
        pub texels: u32,
        pub has_before: u32,
        pub _padding: u32,
    }
}

wgsl_struct! {
    /// The layout of `FoamWindow` in `foam/sample.wgsl`.
    pub(super) struct FoamWindow {
        pub origin_uv: [f32; 2],
        pub middle_m: [f32; 2],
        pub windows_per_m: f32,
        pub texel_m: f32,
        pub half_m: f32,
        pub _padding: f32,
    }
}

wgsl_struct! {
    /// The layout of `FoamMap` in `foam/sample.wgsl`.
    pub(super) struct FoamMap {
        pub windows: [FoamWindow; MAX_LEVELS],
        pub mean: [f32; 2],
        pub albedo: [f32; 2],
        pub streaks_from_metres: [f32; 2],
        pub streaks_origin: [f32; 2],
        pub streaks: f32,
        pub level_count: u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{assert_layout, shader};

    #[test]
    fn layouts_match_the_shaders() {
        let step = shader::resolve(super::super::stage::STEP_SHADER).unwrap();
        let sampling = super::super::sample_wgsl(3);
        assert_layout::<FoamLevel>(&step);
        assert_layout::<FoamCascade>(&step);
        assert_layout::<FoamStep>(&step);
        assert_layout::<FoamWindow>(&sampling);
        assert_layout::<FoamMap>(&sampling);
    }
}
