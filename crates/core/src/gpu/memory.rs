//! The buffers and textures of something, to be counted or destroyed.

use std::iter::Sum;
use std::ops::Add;

/// The result of visiting some buffers and textures: [`Memory`] counts their bytes, [`Destroyed`]
/// destroys them. Owners list them once, for both.
pub trait Allocations: Default + Add<Output = Self> + Sum {
    /// Visits `buffer`, and returns the visitor.
    fn with_buffer(self, buffer: &wgpu::Buffer) -> Self;

    /// Visits `texture`, and returns the visitor.
    fn with_texture(self, texture: &wgpu::Texture) -> Self;
}

/// Buffers and textures that were destroyed, whatever other handles exist. Submitted work runs to its
/// end, and no other may use them.
///
/// Devices free resources without handles. Browsers do so only when they collect garbage, unaware of the
/// GPU memory behind a small handle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Destroyed;

impl Allocations for Destroyed {
    fn with_buffer(self, buffer: &wgpu::Buffer) -> Self {
        buffer.destroy();
        self
    }

    fn with_texture(self, texture: &wgpu::Texture) -> Self {
        texture.destroy();
        self
    }
}

impl Add for Destroyed {
    type Output = Self;

    fn add(self, _: Self) -> Self {
        self
    }
}

impl Sum for Destroyed {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self, Self::add)
    }
}

/// The memory of some buffers and textures, by the sizes that they were created with. A driver may round
/// them up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The bytes in all buffers.
    pub buffer_bytes: u64,
    /// The bytes in textures, with all mip levels, layers and samples.
    pub texture_bytes: u64,
}

impl Memory {
    /// The bytes in buffers and textures.
    pub fn bytes(self) -> u64 {
        self.buffer_bytes + self.texture_bytes
    }
}

impl Allocations for Memory {
    fn with_buffer(self, buffer: &wgpu::Buffer) -> Self {
        Self { buffer_bytes: self.buffer_bytes + buffer.size(), ..self }
    }

    fn with_texture(self, texture: &wgpu::Texture) -> Self {
        let (format, size) = (texture.format(), texture.size());
        let levels = (0..texture.mip_level_count())
            .map(|level| size.mip_level_size(level, texture.dimension()))
            .map(|size| format.theoretical_memory_footprint(size));
        let bytes = levels.sum::<u64>() * u64::from(texture.sample_count());
        Self { texture_bytes: self.texture_bytes + bytes, ..self }
    }
}

impl Add for Memory {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            buffer_bytes: self.buffer_bytes + other.buffer_bytes,
            texture_bytes: self.texture_bytes + other.texture_bytes,
        }
    }
}

impl Sum for Memory {
    fn sum<I: Iterator<Item = Self>>(memories: I) -> Self {
        memories.fold(Self::default(), Self::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{LimitsPreset, TextureSpec};
    use crate::testing::context_within;

    #[test]
    fn levels_layers_samples_and_blocks_count() {
        let gpu = context_within(LimitsPreset::WebGpu);
        let bytes = |spec: TextureSpec<'_>| {
            Memory::default().with_texture(&spec.create(&gpu.device)).bytes()
        };
        use wgpu::TextureFormat::{Depth32Float, Rg8Unorm, Rgba16Float};
        let sampled = wgpu::TextureUsages::TEXTURE_BINDING;
        // The number of layers is the same at all levels; the depth of a solid halves.
        let array = 8 * 3 * (16 * 8 + 8 * 4 + 4 * 2 + 2 + 1);
        let spec = TextureSpec::new("array", [16, 8], Rgba16Float, sampled);
        assert_eq!(bytes(spec.layers(3).levels(5)), array);
        let spec = TextureSpec::new("solid", [16, 8], Rg8Unorm, sampled);
        assert_eq!(bytes(spec.solid(4).levels(2)), 2 * (16 * 8 * 4 + 8 * 4 * 2));
        let spec = TextureSpec::target("depth", [30, 20], Depth32Float);
        assert_eq!(bytes(spec.samples(4)), 4 * 4 * 30 * 20);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 96,
            usage: wgpu::BufferUsages::UNIFORM,
            mapped_at_creation: false,
        });
        let memory = Memory { buffer_bytes: 4, texture_bytes: 5 }.with_buffer(&buffer);
        let sum: Memory = [memory, memory].into_iter().sum();
        assert_eq!(sum, Memory { buffer_bytes: 200, texture_bytes: 10 });
        assert_eq!(sum.bytes(), 210);
    }
}
