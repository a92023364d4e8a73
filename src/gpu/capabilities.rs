//! What a device can do, decided once and as plain data: a planner that takes [`Capabilities`]
//! can be tested without a GPU.

/// The limits and features that the stages look at.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Capabilities {
    /// PCI vendor of the adapter, or 0 where nobody says: what was measured on its like is looked up
    /// by it.
    pub vendor_id: u32,
    /// Bytes of workgroup memory one workgroup may declare.
    pub max_workgroup_storage_bytes: u32,
    /// Invocations in one workgroup.
    pub max_workgroup_invocations: u32,
    /// Workgroups along one dimension of a dispatch.
    pub max_workgroups_per_dimension: u32,
    /// Bytes one storage-buffer binding may cover.
    pub max_storage_binding_bytes: u64,
    /// Bytes one buffer may hold.
    pub max_buffer_bytes: u64,
    /// Layers of one array texture.
    pub max_texture_array_layers: u32,
    /// Texels along one side of a 2D texture.
    pub max_texture_dimension_2d: u32,
    /// Storage textures that one shader stage may bind.
    pub max_storage_textures_per_stage: u32,
    /// Alignment of a dynamic offset or a binding offset into a storage buffer, in bytes.
    pub min_storage_offset_alignment_bytes: u32,
    /// `enable f16;` is allowed.
    pub shader_f16: bool,
    /// Shaders may compute in 64-bit floats.
    pub shader_f64: bool,
    /// Subgroup operations are allowed.
    pub subgroups: bool,
    /// Textures of 32-bit floats can be filtered.
    pub float32_filterable: bool,
    /// Passes can be timed.
    pub timestamps: bool,
    /// Dispatches within one pass can be timed.
    pub timestamps_inside_passes: bool,
}

impl Capabilities {
    /// Features that the stages use where the adapter has them; none is required.
    pub const WANTED_FEATURES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY
        .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS)
        .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES)
        .union(wgpu::Features::FLOAT32_FILTERABLE)
        .union(wgpu::Features::SHADER_F16)
        .union(wgpu::Features::SHADER_F64)
        .union(wgpu::Features::SUBGROUP);

    /// The capabilities that `device` was created with.
    pub fn of(device: &wgpu::Device) -> Self {
        Self {
            vendor_id: device.adapter_info().vendor,
            ..Self::from_parts(device.features(), &device.limits())
        }
    }

    /// The capabilities that `features` and `limits` amount to, on an adapter of no known vendor.
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
            subgroups: features.contains(wgpu::Features::SUBGROUP),
            float32_filterable: features.contains(wgpu::Features::FLOAT32_FILTERABLE),
            timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
            timestamps_inside_passes: features
                .contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES),
        }
    }

    /// A device with WebGPU's default limits and no optional feature: the least that Seaway
    /// supports.
    pub fn webgpu_defaults() -> Self {
        Self::from_parts(wgpu::Features::empty(), &wgpu::Limits::default())
    }
}
