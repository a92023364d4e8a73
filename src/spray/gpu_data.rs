use crate::gpu::wgsl_struct;

pub(super) const LEVELS: usize = 3;
pub(super) const MOST_MOMENTS: usize = 48;

/// Must equal `SPRAY_TILE_M` of `spray/slot.wgsl`.
pub(super) const TILE_M: f64 = 8192.0;

wgsl_struct! {
    /// The layout of `SpraySlot` in `spray/slot.wgsl`.
    pub(super) struct SpraySlot {
        pub place: [f32; 3],
        pub radius_m: f32,
        pub velocity_mps: [f32; 3],
        pub seed: f32,
    }
}

wgsl_struct! {
    /// The layout of `SprayPlaced` in `spray/placed.wgsl`.
    pub(super) struct SprayPlaced {
        pub ends: [[f32; 4]; 2],
        pub ups: [[f32; 4]; 2],
        pub noise: [f32; 4],
        pub lights: [u32; 4],
    }
}

impl SprayPlaced {
    pub(super) const ATTRIBUTES: [wgpu::VertexAttribute; 6] = wgpu::vertex_attr_array![
        0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4, 4 => Float32x4, 5 => Uint32x4
    ];
}

wgsl_struct! {
    /// The layout of `SprayLevel` in `spray/tear.wgsl`.
    pub(super) struct SprayLevel {
        pub first: [i32; 2],
        pub corner_m: [f32; 2],
        pub inner: [i32; 2],
        pub inner_cells: i32,
        pub cell_m: f32,
        pub side_m: f32,
        pub threshold: f32,
        pub radius_m: f32,
        pub area_m2: f32,
    }
}

wgsl_struct! {
    /// The layout of `SprayStep` in `spray/tear.wgsl`.
    pub(super) struct SprayStep {
        pub levels: [SprayLevel; LEVELS],
        pub wind_mps: [f32; 2],
        pub origin_m: [f32; 2],
        pub cells: u32,
        pub first_slot: u32,
        pub number: u32,
        pub torn: f32,
    }
}

wgsl_struct! {
    /// The layout of `SprayView` in `spray/place.wgsl`.
    pub(super) struct SprayView {
        pub eye_m: [f32; 2],
        pub wind_mps: [f32; 2],
        pub spindrift: f32,
        pub interval_s: f32,
        pub reach_m: f32,
        pub waves_m: f32,
        pub slots_per_moment: u32,
        pub slots: u32,
        pub _padding: [u32; 2],
        pub ages_s: [[f32; 4]; MOST_MOMENTS / 4],
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::{PLACE, TEAR};
    use super::*;
    use crate::gpu::{assert_layout, shader};

    #[test]
    fn layouts_match_the_shaders() {
        let tear = shader::resolve(TEAR).unwrap();
        assert_layout::<SpraySlot>(&tear);
        assert_layout::<SprayLevel>(&tear);
        assert_layout::<SprayStep>(&tear);
        let place = shader::resolve(PLACE).unwrap();
        assert_layout::<SprayPlaced>(&place);
        assert_layout::<SprayView>(&place);
    }
}
