//! The GPU for all stages: the device and its capabilities, shader sources, bindings, pipelines,
//! uniforms and read-back.

pub mod bindings;
mod capabilities;
mod context;
#[cfg(test)]
mod in_place;
mod layout;
mod limits;
mod memory;
mod pipeline;
mod pipelines;
mod readback;
mod recorded;
pub mod shader;
mod texture;
mod timestamps;
mod uniform;

pub use capabilities::Capabilities;
pub use context::{Context, ContextError, ContextOptions, LimitsPreset, backends, list_adapters};
#[cfg(test)]
pub(crate) use in_place::run_in_place;
pub(crate) use layout::wgsl_struct;
pub use layout::{WgslField, WgslStruct};
#[cfg(test)]
pub(crate) use layout::{assert_layout, assert_valid};
pub use limits::{Limit, Requirements};
pub use memory::Memory;
pub(crate) use memory::{Allocations, Destroyed};
pub(crate) use pipeline::headline;
pub use pipeline::{
    CompileError, ComputeKernel, WGSL_LOG, checked, compute_kernel, try_compute_kernel,
    unchecked_compute_kernel,
};
pub use pipelines::{
    ComputeDescriptor, ComputePipeline, Constants, Declaration, Live, Pipelines, Rebuilt,
    RenderDescriptor, RenderPipeline, Shader,
};
pub use readback::{ReadbackBuffer, ReadbackError, read_buffer, read_texture};
pub use recorded::RecordedU32;
pub use texture::TextureSpec;
pub(crate) use texture::one_level;
pub use timestamps::{Mark, Timestamps, median, percentile};
pub use uniform::Uniform;
pub(crate) use uniform::filled;
