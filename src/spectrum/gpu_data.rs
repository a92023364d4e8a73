//! What the evolve kernel and the processor share.

use crate::gpu::wgsl_struct;

wgsl_struct! {
    /// `EvolveParams` in `shaders/spectrum/evolve_params.wgsl`.
    pub(super) struct EvolveParams {
        /// The first two are the wave vector of index (1, 0) of each cascade.
        pub lattice_rad_per_m: [[f32; 4]; 4],
        /// N.
        pub size: u32,
        /// Of `Orbits`.
        pub depth_m: f32,
        /// Of `Orbits`.
        pub breaking_rad_per_m: f32,
        pub _padding: u32,
    }
}

impl EvolveParams {
    /// Of still, deep water.
    pub fn still(size: u32) -> Self {
        Self {
            lattice_rad_per_m: [[0.0; 4]; 4],
            size,
            depth_m: 1e4,
            breaking_rad_per_m: 1e4,
            _padding: 0,
        }
    }
}
