use crate::gpu::wgsl_struct;

wgsl_struct! {
    pub(super) struct QueryParams {
        pub(super) count: u32,
        pub(super) has_velocity: u32,
    }
}

wgsl_struct! {
    /// The shader's result at a point.
    pub(super) struct QueryAnswer {
        pub(super) at_rest: [f32; 2],
        pub(super) height_m: f32,
        pub(super) residual_m: f32,
        pub(super) normal: [f32; 3],
        pub(super) jacobian: f32,
        pub(super) velocity_mps: [f32; 3],
        pub(super) _padding: f32,
        pub(super) position: [f32; 2],
        pub(super) _padding_2: [f32; 2],
    }
}

/// The point (x, z) from the request's origin, its footprint, and 1 where it is that of water at rest.
pub(super) type QueryPoint = [f32; 4];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::assert_layout;
    use crate::query::{LEAST_STRETCH, MAX_ITERATIONS, TOLERANCE_M, gpu};

    #[test]
    fn the_shader_agrees() {
        let wgsl = crate::gpu::shader::resolve(gpu::SHADER).unwrap();
        assert_layout::<QueryParams>(&wgsl);
        assert_layout::<QueryAnswer>(&wgsl);
        for line in [
            format!("const QUERY_ITERATIONS: u32 = {MAX_ITERATIONS}u;"),
            format!("const QUERY_TOLERANCE_M: f32 = {TOLERANCE_M:e};"),
            format!("const QUERY_LEAST_STRETCH: f32 = {LEAST_STRETCH};"),
            format!("@workgroup_size({})", gpu::WORKGROUP),
        ] {
            assert!(wgsl.contains(&line), "{line}");
        }
    }
}
