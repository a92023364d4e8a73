//! What the evolve kernel and the processor share.

use crate::gpu::wgsl_struct;

wgsl_struct! {
    /// `EvolveParams` in `shaders/spectrum/evolve_params.wgsl`.
    pub(super) struct EvolveParams {
        /// Spacing of the wave vectors of each cascade, 2 pi/L.
        pub dk_rad_per_m: [f32; 4],
        /// N.
        pub size: u32,
        pub _padding: [u32; 3],
    }
}
