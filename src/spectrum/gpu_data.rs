use crate::gpu::wgsl_struct;

wgsl_struct! {
    /// The layout of `EvolveParams` in `shaders/spectrum/evolve_params.wgsl`.
    pub(super) struct EvolveParams {
        /// The first two are the wave vector of index (1, 0) of each cascade.
        pub lattice_rad_per_m: [[f32; 4]; 4],
        pub size: u32,
        pub _padding: [u32; 3],
    }
}

impl EvolveParams {
    pub fn still(size: u32) -> Self {
        Self { lattice_rad_per_m: [[0.0; 4]; 4], size, _padding: [0; 3] }
    }
}
