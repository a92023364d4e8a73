//! Bind groups and their layouts. Bindings count from 0 in the order of their declaration.
//!
//! ```no_run
//! # fn f(device: &wgpu::Device, view: &wgpu::TextureView, wrap: &wgpu::Sampler, out: &wgpu::TextureView) {
//! use seaway_core::gpu::bindings::{self, Binding};
//! use wgpu::TextureViewDimension::D2;
//!
//! let format = wgpu::TextureFormat::Rgba16Float;
//! let bound: [Binding<'_>; 3] = [
//!     (bindings::texture(D2), view), // or `unfiltered_texture`, `texture_of_samples`, `number_texture`
//!     (bindings::sampler(), wrap), // or `nearest_sampler`
//!     (bindings::storage_texture(format, D2), out),
//! ];
//! let bindings::Group { layout, bind_group } =
//!     bindings::bind(device, "group", wgpu::ShaderStages::COMPUTE, &bound);
//! // Other resources in the same layout, and an entry of a layout by wgpu itself.
//! let another = bindings::group(device, "another", &layout, &[view, wrap, out]);
//! let entry = bindings::entry(0, wgpu::ShaderStages::FRAGMENT, bindings::storage_read());
//! # }
//! ```

use std::ops::Deref;
use std::sync::Arc;

use wgpu::{
    BindGroup, BindGroupLayout, BindGroupLayoutEntry, BindingResource, BindingType,
    BufferBindingType, ShaderStages, TextureViewDimension,
};

use super::Uniform;

/// A resource that bind groups can hold.
pub trait Resource {
    /// The resource for a bind group. A buffer is bound as a whole.
    fn resource(&self) -> BindingResource<'_>;
}

impl Resource for wgpu::Buffer {
    fn resource(&self) -> BindingResource<'_> {
        self.as_entire_binding()
    }
}

impl Resource for wgpu::BufferBinding<'_> {
    fn resource(&self) -> BindingResource<'_> {
        BindingResource::Buffer(self.clone())
    }
}

impl<T: bytemuck::Pod> Resource for Uniform<T> {
    fn resource(&self) -> BindingResource<'_> {
        self.buffer().as_entire_binding()
    }
}

impl Resource for wgpu::TextureView {
    fn resource(&self) -> BindingResource<'_> {
        BindingResource::TextureView(self)
    }
}

impl Resource for wgpu::Sampler {
    fn resource(&self) -> BindingResource<'_> {
        BindingResource::Sampler(self)
    }
}

/// The type of a uniform buffer.
pub fn uniform() -> BindingType {
    buffer(BufferBindingType::Uniform)
}

/// The type of a storage buffer that is only read.
pub fn storage_read() -> BindingType {
    buffer(BufferBindingType::Storage { read_only: true })
}

/// The type of a storage buffer that is read and written.
pub fn storage_read_write() -> BindingType {
    buffer(BufferBindingType::Storage { read_only: false })
}

fn buffer(ty: BufferBindingType) -> BindingType {
    BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

/// The type of a texture of floats that [`sampler`] may filter.
pub fn texture(view_dimension: TextureViewDimension) -> BindingType {
    float_texture(view_dimension, true)
}

/// The type of a texture of floats in any format, for loads or [`nearest_sampler`].
pub fn unfiltered_texture(view_dimension: TextureViewDimension) -> BindingType {
    float_texture(view_dimension, false)
}

fn float_texture(view_dimension: TextureViewDimension, filterable: bool) -> BindingType {
    BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension,
        multisampled: false,
    }
}

/// The type of a texture of floats, or a depth, with the given number of samples a texel.
pub fn texture_of_samples(samples: u32) -> BindingType {
    BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: false },
        view_dimension: TextureViewDimension::D2,
        multisampled: samples > 1,
    }
}

/// The type of a texture of unsigned integers, with the given number of samples a texel.
pub fn number_texture(samples: u32) -> BindingType {
    BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Uint,
        view_dimension: TextureViewDimension::D2,
        multisampled: samples > 1,
    }
}

/// The type of a storage texture that is only written.
pub fn storage_texture(
    format: wgpu::TextureFormat,
    view_dimension: TextureViewDimension,
) -> BindingType {
    let access = wgpu::StorageTextureAccess::WriteOnly;
    BindingType::StorageTexture { access, format, view_dimension }
}

/// The type of a storage texture that is read and written.
pub fn read_write_texture(
    format: wgpu::TextureFormat,
    view_dimension: TextureViewDimension,
) -> BindingType {
    let access = wgpu::StorageTextureAccess::ReadWrite;
    BindingType::StorageTexture { access, format, view_dimension }
}

/// The type of a sampler that filters.
pub fn sampler() -> BindingType {
    BindingType::Sampler(wgpu::SamplerBindingType::Filtering)
}

/// The type of a sampler that takes the nearest texel and level.
pub fn nearest_sampler() -> BindingType {
    BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering)
}

/// The layout entry of one binding.
pub fn entry(binding: u32, visibility: ShaderStages, ty: BindingType) -> BindGroupLayoutEntry {
    BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

/// The layout entries of bindings of the given types, from 0 up.
pub fn entries(visibility: ShaderStages, types: &[BindingType]) -> Vec<BindGroupLayoutEntry> {
    (0..).zip(types).map(|(binding, ty)| entry(binding, visibility, *ty)).collect()
}

/// A bind group layout that knows its entries. Layouts with equal entries are equal, and interchangeable
/// in WebGPU.
#[derive(Clone, Debug)]
pub struct Layout {
    handle: BindGroupLayout,
    entries: Arc<[BindGroupLayoutEntry]>,
}

impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Deref for Layout {
    type Target = BindGroupLayout;

    fn deref(&self) -> &BindGroupLayout {
        &self.handle
    }
}

/// Creates the layout of bindings of the given types.
pub fn layout(
    device: &wgpu::Device,
    label: &str,
    visibility: ShaderStages,
    types: &[BindingType],
) -> Layout {
    let entries: Arc<[_]> = entries(visibility, types).into();
    let handle = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &entries,
    });
    Layout { handle, entries }
}

/// Creates a bind group of the given resources.
pub fn group(
    device: &wgpu::Device,
    label: &str,
    layout: &BindGroupLayout,
    resources: &[&dyn Resource],
) -> BindGroup {
    let entries: Vec<_> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.resource() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout,
        entries: &entries,
    })
}

/// A resource and its type in shaders.
pub type Binding<'a> = (BindingType, &'a dyn Resource);

/// A bind group with its layout.
#[derive(Clone, Debug)]
pub struct Group {
    /// The layout, for building pipelines.
    pub layout: Layout,
    /// The bind group, for passes.
    pub bind_group: BindGroup,
}

/// Creates a bind group and its layout, whose label is `label` with `_layout` appended.
pub fn bind(
    device: &wgpu::Device,
    label: &str,
    visibility: ShaderStages,
    bindings: &[Binding<'_>],
) -> Group {
    let (types, resources): (Vec<_>, Vec<_>) = bindings.iter().copied().unzip();
    let layout = layout(device, &format!("{label}_layout"), visibility, &types);
    let bind_group = group(device, label, &layout, &resources);
    Group { layout, bind_group }
}
