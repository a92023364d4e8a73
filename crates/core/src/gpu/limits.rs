//! Limits by name, for errors and for requests to devices.

use std::collections::BTreeMap;
use std::fmt;

use super::Capabilities;

/// A limit of a device that Seaway can exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// The bytes of workgroup memory in one workgroup.
    WorkgroupStorage,
    /// The number of invocations in one workgroup.
    WorkgroupInvocations,
    /// The number of workgroups along one dimension of a dispatch.
    WorkgroupsPerDimension,
    /// The bytes that one binding of a storage buffer covers.
    StorageBinding,
    /// The bytes of one buffer.
    Buffer,
    /// The number of texels along one side of a 2D texture.
    TextureDimension2d,
    /// The number of layers of one array texture.
    TextureArrayLayers,
    /// The number of storage textures that one shader stage binds.
    StorageTextures,
}

impl Limit {
    /// The limit's name in WebGPU.
    pub fn name(self) -> &'static str {
        match self {
            Self::WorkgroupStorage => "maxComputeWorkgroupStorageSize",
            Self::WorkgroupInvocations => "maxComputeInvocationsPerWorkgroup",
            Self::WorkgroupsPerDimension => "maxComputeWorkgroupsPerDimension",
            Self::StorageBinding => "maxStorageBufferBindingSize",
            Self::Buffer => "maxBufferSize",
            Self::TextureDimension2d => "maxTextureDimension2D",
            Self::TextureArrayLayers => "maxTextureArrayLayers",
            Self::StorageTextures => "maxStorageTexturesPerShaderStage",
        }
    }

    /// The unit of the limit, such as "bytes".
    pub fn unit(self) -> &'static str {
        match self {
            Self::WorkgroupStorage | Self::StorageBinding | Self::Buffer => "bytes",
            Self::WorkgroupInvocations => "invocations",
            Self::WorkgroupsPerDimension => "workgroups along one dimension",
            Self::TextureDimension2d => "texels along a side",
            Self::TextureArrayLayers => "layers",
            Self::StorageTextures => "storage textures",
        }
    }

    /// The value of the limit in `capabilities`.
    pub fn of(self, capabilities: &Capabilities) -> u64 {
        match self {
            Self::WorkgroupStorage => capabilities.max_workgroup_storage_bytes.into(),
            Self::WorkgroupInvocations => capabilities.max_workgroup_invocations.into(),
            Self::WorkgroupsPerDimension => capabilities.max_workgroups_per_dimension.into(),
            // Kernels index with 32 bits, so more is useless.
            Self::StorageBinding => {
                capabilities.max_storage_binding_bytes.min(Self::LARGEST_BINDING_BYTES)
            }
            Self::Buffer => capabilities.max_buffer_bytes,
            Self::TextureDimension2d => capabilities.max_texture_dimension_2d.into(),
            Self::TextureArrayLayers => capabilities.max_texture_array_layers.into(),
            Self::StorageTextures => capabilities.max_storage_textures_per_stage.into(),
        }
    }

    /// The size of the largest binding that kernels can index.
    pub const LARGEST_BINDING_BYTES: u64 = u32::MAX as u64;

    fn raise(self, limits: &mut wgpu::Limits, needed: u64) {
        let narrow = u32::try_from(needed).unwrap_or(u32::MAX);
        let raise = |limit: &mut u32| *limit = narrow.max(*limit);
        let raise_wide = |limit: &mut u64| *limit = needed.max(*limit);
        match self {
            Self::WorkgroupStorage => raise(&mut limits.max_compute_workgroup_storage_size),
            Self::WorkgroupInvocations => {
                raise(&mut limits.max_compute_workgroup_size_x);
                raise(&mut limits.max_compute_invocations_per_workgroup);
            }
            Self::WorkgroupsPerDimension => raise(&mut limits.max_compute_workgroups_per_dimension),
            Self::StorageBinding => raise_wide(&mut limits.max_storage_buffer_binding_size),
            Self::Buffer => raise_wide(&mut limits.max_buffer_size),
            Self::TextureDimension2d => raise(&mut limits.max_texture_dimension_2d),
            Self::TextureArrayLayers => raise(&mut limits.max_texture_array_layers),
            Self::StorageTextures => raise(&mut limits.max_storage_textures_per_shader_stage),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The limits and features that something needs of a device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// The needed values of limits; others do not matter.
    pub limits: BTreeMap<Limit, u64>,
    /// The optional features that are needed.
    pub features: wgpu::Features,
}

impl Requirements {
    /// Requires at least `needed` of `limit`.
    pub fn need(&mut self, limit: Limit, needed: u64) {
        let known = self.limits.entry(limit).or_default();
        *known = needed.max(*known);
    }

    /// Returns the requirements of both together.
    pub fn and(mut self, other: &Self) -> Self {
        other.limits.iter().for_each(|(limit, needed)| self.need(*limit, *needed));
        self.features |= other.features;
        self
    }

    /// Raises `limits` to these requirements.
    pub fn raise(&self, mut limits: wgpu::Limits) -> wgpu::Limits {
        self.limits.iter().for_each(|(limit, needed)| limit.raise(&mut limits, *needed));
        limits
    }

    /// The first limit that a device of `capabilities` does not meet, with the needed value.
    pub fn missing(&self, capabilities: &Capabilities) -> Option<(Limit, u64)> {
        let mut limits = self.limits.iter().map(|(limit, needed)| (*limit, *needed));
        limits.find(|(limit, needed)| *needed > limit.of(capabilities))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_raised_only_as_needed() {
        let mut requirements = Requirements::default();
        requirements.need(Limit::WorkgroupStorage, 40_000);
        requirements.need(Limit::WorkgroupStorage, 30_000);
        requirements.need(Limit::WorkgroupInvocations, 64);
        let webgpu = Capabilities::webgpu_defaults();
        assert_eq!(requirements.missing(&webgpu), Some((Limit::WorkgroupStorage, 40_000)));
        let raised = requirements.raise(wgpu::Limits::default());
        let expected =
            wgpu::Limits { max_compute_workgroup_storage_size: 40_000, ..wgpu::Limits::default() };
        assert_eq!(raised, expected);
        let capabilities = Capabilities::from_parts(wgpu::Features::empty(), &raised);
        assert_eq!(requirements.missing(&capabilities), None);
    }

    #[test]
    fn every_limit_can_be_raised() {
        let webgpu = Capabilities::webgpu_defaults();
        for limit in [
            Limit::WorkgroupStorage,
            Limit::WorkgroupInvocations,
            Limit::WorkgroupsPerDimension,
            Limit::StorageBinding,
            Limit::Buffer,
            Limit::TextureDimension2d,
            Limit::TextureArrayLayers,
            Limit::StorageTextures,
        ] {
            let mut requirements = Requirements::default();
            let needed = limit.of(&webgpu) + 1;
            requirements.need(limit, needed);
            let raised = requirements.raise(wgpu::Limits::default());
            let capabilities = Capabilities::from_parts(wgpu::Features::empty(), &raised);
            assert_eq!(limit.of(&capabilities), needed, "{limit}");
        }
    }
}
