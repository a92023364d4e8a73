//! The GPU for all stages: the device and its capabilities, shader sources, bindings, pipelines,
//! uniforms and read-back.
//!
//! A kernel of one's own, from the device to its result:
//!
//! ```no_run
//! use seaway_core::gpu::{
//!     Context, ContextOptions, Uniform, bindings, compute_kernel, filled, read_buffer, wgsl_struct,
//! };
//!
//! wgsl_struct! {
//!     struct Scale { factor: f32 }
//! }
//!
//! # async fn f() -> Result<(), Box<dyn std::error::Error>> {
//! let instance = Context::headless_instance();
//! let context = Context::new(instance, ContextOptions::default()).await?;
//! let (device, queue) = (&context.device, &context.queue);
//! let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
//! let values = filled(device, "values", usage, bytemuck::cast_slice(&[1.0f32, 2.0]));
//! let scale = Uniform::with(device, "scale", &Scale { factor: 3.0 });
//! let group = bindings::bind(
//!     device,
//!     "group",
//!     wgpu::ShaderStages::COMPUTE,
//!     &[(bindings::uniform(), &scale), (bindings::storage_read_write(), &values)],
//! );
//! let wgsl = "
//!     struct Scale { factor: f32 }
//!     @group(0) @binding(0) var<uniform> scale: Scale;
//!     @group(0) @binding(1) var<storage, read_write> values: array<f32>;
//!     @compute @workgroup_size(2)
//!     fn main(@builtin(global_invocation_id) id: vec3<u32>) { values[id.x] *= scale.factor; }";
//! let kernel = compute_kernel(device, "scale", wgsl, "main", &[Some(&group.layout)]);
//! let mut encoder = device.create_command_encoder(&Default::default());
//! let mut pass = encoder.begin_compute_pass(&Default::default());
//! pass.set_pipeline(&kernel.pipeline);
//! pass.set_bind_group(0, &group.bind_group, &[]);
//! pass.dispatch_workgroups(1, 1, 1);
//! drop(pass);
//! queue.submit([encoder.finish()]);
//! let bytes = read_buffer(device, queue, &values).await?;
//! assert_eq!(bytemuck::cast_slice::<u8, f32>(&bytes), [3.0, 6.0]);
//! # Ok(())
//! # }
//! ```
//!
//! Times and pictures, and read-back without waiting:
//!
//! ```no_run
//! use seaway_core::gpu::{
//!     Context, ReadbackBuffer, TextureSpec, Timestamps, color_attachment, list_adapters, median,
//!     one_level, percentile,
//! };
//!
//! # async fn f(device: &wgpu::Device, queue: &wgpu::Queue) {
//! for adapter in list_adapters(&Context::headless_instance()).await {
//!     println!("{}", adapter.get_info().name);
//! }
//! let format = wgpu::TextureFormat::Rgba8Unorm;
//! let texture = TextureSpec::target("picture", [640, 480], format).create(device);
//! let view = texture.create_view(&one_level(0, wgpu::TextureViewDimension::D2));
//! let times = Timestamps::new(device, queue, "times", 2);
//! let ticks = Timestamps::buffer(device, "ticks", 2);
//! let mut encoder = device.create_command_encoder(&Default::default());
//! drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
//!     color_attachments: &[Some(color_attachment(&view, wgpu::LoadOp::Load))],
//!     timestamp_writes: Some(times.mark(0).render_writes()),
//!     ..Default::default()
//! }));
//! times.resolve(&mut encoder, 2, &ticks);
//! queue.submit([encoder.finish()]);
//! let readback = ReadbackBuffer::copy_of(device, queue, &ticks);
//! // In a later frame; `None` while it is under way.
//! if let Some(Ok(bytes)) = readback.take() {
//!     let mut passes_ns: Vec<f64> = times.pairs_ns(&bytes).collect();
//!     println!("{:?} {:?}", median(&mut passes_ns), percentile(&passes_ns, 0.95));
//! }
//! # }
//! ```

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
pub use capabilities::{Capabilities, min_subgroup_size};
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
