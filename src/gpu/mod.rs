//! The GPU for all stages: the sea's shaders and the cache of the pipelines made from them, beside the
//! device, bindings, uniforms and read-back of `seaway-core`.

#[cfg(test)]
mod in_place;
mod pipelines;
pub mod shader;

#[cfg(test)]
pub(crate) use in_place::run_in_place;
pub use pipelines::{
    ComputeDescriptor, ComputePipeline, Constants, Declaration, Live, Pipelines, Rebuilt,
    RenderDescriptor, RenderPipeline, Shader,
};
pub use seaway_core::gpu::*;
#[cfg(test)]
pub(crate) use seaway_core::testing::{assert_layout, assert_valid};
