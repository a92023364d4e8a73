//! The capabilities of a device, as plain data that is read once: a planner that takes [`Capabilities`]
//! can be tested without a GPU.

use std::pin::pin;
use std::task;

use super::bindings;

/// The limits and features that the stages use.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Capabilities {
    /// The PCI vendor of the adapter, or 0 where it is unknown. Measurements on similar adapters are
    /// found by it.
    pub vendor_id: u32,
    /// The bytes of workgroup memory that one workgroup may declare.
    pub max_workgroup_storage_bytes: u32,
    /// The number of invocations in one workgroup.
    pub max_workgroup_invocations: u32,
    /// The number of workgroups along one dimension of a dispatch.
    pub max_workgroups_per_dimension: u32,
    /// The bytes that one binding of a storage buffer may cover.
    pub max_storage_binding_bytes: u64,
    /// The bytes that one buffer may hold.
    pub max_buffer_bytes: u64,
    /// The number of layers of one array texture.
    pub max_texture_array_layers: u32,
    /// The number of texels along one side of a 2D texture.
    pub max_texture_dimension_2d: u32,
    /// The number of storage textures that one shader stage may bind.
    pub max_storage_textures_per_stage: u32,
    /// The alignment of a dynamic offset or a binding offset into a storage buffer, in bytes.
    pub min_storage_offset_alignment_bytes: u32,
    /// Whether shaders may `enable f16;`.
    pub shader_f16: bool,
    /// Whether shaders may compute in 64-bit floats.
    pub shader_f64: bool,
    /// The fewest invocations of a subgroup, or 0 where shaders have no subgroup operations. It is 0 in
    /// browsers, too, whose WGSL needs a directive for them that naga 30 does not know.
    pub min_subgroup_size: u32,
    /// Whether shaders may declare storage buffers whose writes all workgroups of a dispatch see.
    pub coherent_storage: bool,
    /// The number of workgroups of 256 invocations that were seen to run at once, so that they could wait
    /// for each other, or 0 where it is unknown. No API reports it: it is measured on an open device.
    pub waiting_workgroups: u32,
    /// Whether textures of 32-bit floats can be filtered.
    pub float32_filterable: bool,
    /// Whether a shader may read and write one texture of 32-bit floats, two or four to a texel.
    pub read_write_textures: bool,
    /// Whether passes can be timed.
    pub timestamps: bool,
    /// Whether dispatches within one pass can be timed.
    pub timestamps_inside_passes: bool,
}

impl Capabilities {
    /// The optional features that the stages use where the adapter has them.
    pub const WANTED_FEATURES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY
        .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS)
        .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES)
        .union(wgpu::Features::FLOAT32_FILTERABLE)
        .union(wgpu::Features::SHADER_F16)
        .union(wgpu::Features::SHADER_F64)
        .union(wgpu::Features::SUBGROUP)
        .union(wgpu::Features::MEMORY_DECORATION_COHERENT)
        .union(wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES);

    /// The formats of [`read_write_textures`](Self::read_write_textures).
    pub const READ_WRITE_FORMATS: [wgpu::TextureFormat; 2] =
        [wgpu::TextureFormat::Rg32Float, wgpu::TextureFormat::Rgba32Float];

    /// The capabilities that `device` was created with.
    pub fn of(device: &wgpu::Device) -> Self {
        let capabilities = Self::from_parts(device.features(), &device.limits());
        let adapter = device.adapter_info();
        Self {
            vendor_id: adapter.vendor,
            min_subgroup_size: min_subgroup_size(device.features(), &adapter),
            read_write_textures: capabilities.read_write_textures && takes_read_write(device),
            ..capabilities
        }
    }

    /// The capabilities of a device with `features` and `limits`, on an adapter of no known vendor that has
    /// what each feature allows. Subgroups have no size then, and are not used.
    pub fn from_parts(features: wgpu::Features, limits: &wgpu::Limits) -> Self {
        Self {
            vendor_id: 0,
            max_workgroup_storage_bytes: limits.max_compute_workgroup_storage_size,
            max_workgroup_invocations: limits
                .max_compute_invocations_per_workgroup
                .min(limits.max_compute_workgroup_size_x),
            max_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
            max_storage_binding_bytes: limits.max_storage_buffer_binding_size,
            max_buffer_bytes: limits.max_buffer_size,
            max_texture_array_layers: limits.max_texture_array_layers,
            max_texture_dimension_2d: limits.max_texture_dimension_2d,
            max_storage_textures_per_stage: limits.max_storage_textures_per_shader_stage,
            min_storage_offset_alignment_bytes: limits.min_storage_buffer_offset_alignment,
            shader_f16: features.contains(wgpu::Features::SHADER_F16),
            shader_f64: features.contains(wgpu::Features::SHADER_F64),
            min_subgroup_size: 0,
            coherent_storage: features.contains(wgpu::Features::MEMORY_DECORATION_COHERENT),
            waiting_workgroups: 0,
            float32_filterable: features.contains(wgpu::Features::FLOAT32_FILTERABLE),
            read_write_textures: features
                .contains(wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES),
            timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
            timestamps_inside_passes: features
                .contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES),
        }
    }

    /// A device with WebGPU's default limits and no optional feature: the least that Seaway supports.
    pub fn webgpu_defaults() -> Self {
        Self::from_parts(wgpu::Features::empty(), &wgpu::Limits::default())
    }
}

/// [`Capabilities::min_subgroup_size`] of a device with `features` on `adapter`.
pub fn min_subgroup_size(features: wgpu::Features, adapter: &wgpu::AdapterInfo) -> u32 {
    match features.contains(wgpu::Features::SUBGROUP) && !cfg!(target_arch = "wasm32") {
        true => adapter.subgroup_min_size,
        false => 0,
    }
}

/// Tries to bind textures that shaders read and write: the feature leaves their formats to the adapter,
/// which a device does not know. No browser has the feature, so the answer is there at once.
fn takes_read_write(device: &wgpu::Device) -> bool {
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let entries: Vec<_> = (0..)
        .zip(Capabilities::READ_WRITE_FORMATS)
        .map(|(binding, format)| {
            let ty = bindings::read_write_texture(format, wgpu::TextureViewDimension::D2Array);
            bindings::entry(binding, wgpu::ShaderStages::COMPUTE, ty)
        })
        .collect();
    let label = Some("capabilities");
    let descriptor = wgpu::BindGroupLayoutDescriptor { label, entries: &entries };
    let _tried = device.create_bind_group_layout(&descriptor);
    let mut context = task::Context::from_waker(task::Waker::noop());
    matches!(pin!(scope.pop()).poll(&mut context), task::Poll::Ready(None))
}
