//! The GPU for all stages: the device and its capabilities, shader sources, bindings, pipelines,
//! uniforms and read-back.

pub mod bindings;
mod capabilities;
mod context;
mod layout;
mod limits;
mod memory;
mod pipeline;
mod readback;
mod recorded;
pub mod shader;
mod texture;
mod timestamps;
mod uniform;

#[doc(inline)]
pub use crate::wgsl_struct;
pub use capabilities::Capabilities;
pub use context::{Context, ContextError, ContextOptions, LimitsPreset, backends, list_adapters};
pub use layout::{WgslField, WgslStruct};
pub use limits::{Limit, Requirements};
pub use memory::Memory;
pub use memory::{Allocations, Destroyed};
pub use pipeline::headline;
pub use pipeline::{
    CompileError, ComputeKernel, WGSL_LOG, checked, compute_kernel, module_of, try_compute_kernel,
    unchecked_compute_kernel,
};
pub use readback::{ReadbackBuffer, ReadbackError, read_buffer, read_texture};
pub use recorded::RecordedU32;
pub use texture::{TextureSpec, color_attachment, one_level};
pub use timestamps::{Mark, Timestamps, median, percentile};
pub use uniform::Uniform;
pub use uniform::filled;
