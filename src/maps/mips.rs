//! The coarser levels of a texture, each texel the mean of the 2 x 2 under it in the level before.

use wgpu::ShaderStages;
use wgpu::TextureViewDimension::D2Array;

use super::MapFormat;
use super::stage::with_format;
use crate::gpu::bindings::{self, Resource};
use crate::gpu::shader::ShaderError;
use crate::gpu::{self, ComputeDescriptor, ComputePipeline, Pipelines, Shader};

const SHADER: &str = "maps/mips.wgsl";
/// The side in texels of the source tile that a workgroup reduces.
const TILE: u32 = 32;
pub(crate) const LEVELS_PER_DISPATCH: u32 = 4;

/// Makes all levels of a texture but the first. Textures of one format share the kernel. Clones share what is
/// on the GPU.
#[derive(Clone, Debug)]
pub(crate) struct Mips {
    kernel: ComputePipeline,
    /// The dispatches, and the level that each starts from.
    dispatches: Vec<(wgpu::BindGroup, u32)>,
    layers: u32,
}

impl Mips {
    /// Builds the dispatches for `texture`, an array whose sides are powers of two, with at least five levels.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file on disk was broken.
    pub fn new(
        pipelines: &Pipelines,
        texture: &wgpu::Texture,
        format: MapFormat,
    ) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let reads = SourceReads::of(format);
        let sampler = (reads == SourceReads::Sampled).then(|| {
            device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("Mips::source"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            })
        });
        let source = match reads {
            SourceReads::Sampled => bindings::texture(D2Array),
            SourceReads::Loaded => bindings::unfiltered_texture(D2Array),
        };
        let stored = bindings::storage_texture(format.texture_format(), D2Array);
        let mut types = vec![source];
        types.extend([stored; LEVELS_PER_DISPATCH as usize]);
        types.extend(sampler.as_ref().map(|_| bindings::sampler()));
        let layout = bindings::layout(device, "Mips::levels", ShaderStages::COMPUTE, &types);
        let view = |level, usage| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                label: Some("Mips::level"),
                usage: Some(usage),
                ..gpu::one_level(level, D2Array)
            })
        };
        let dispatches = sources(texture.mip_level_count())
            .map(|finest| {
                let source = view(finest, wgpu::TextureUsages::TEXTURE_BINDING);
                let targets = [1, 2, 3, 4]
                    .map(|above| view(finest + above, wgpu::TextureUsages::STORAGE_BINDING));
                let [first, second, third, fourth] = &targets;
                let mut resources: Vec<&dyn Resource> = vec![&source, first, second, third, fourth];
                if let Some(sampler) = &sampler {
                    resources.push(sampler);
                }
                (bindings::group(device, "Mips::levels", &layout, &resources), finest)
            })
            .collect();
        let shader = shader(format);
        let kernel =
            pipelines.compute(ComputeDescriptor::new("mips", shader, "mips", &[Some(&layout)]))?;
        Ok(Self { kernel, dispatches, layers: texture.depth_or_array_layers() })
    }

    /// The number of dispatches of [`Mips::encode`].
    pub fn dispatch_count(&self) -> usize {
        self.dispatches.len()
    }

    /// Makes the levels from the first `size` texels of level 0, four levels to a dispatch.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>, size: [u32; 2]) {
        pass.set_pipeline(&self.kernel.get());
        for (bind_group, finest) in &self.dispatches {
            let [x, y] = size.map(|texels| (texels >> finest).div_ceil(TILE));
            pass.set_bind_group(0, bind_group, &[]);
            pass.dispatch_workgroups(x, y, self.layers);
        }
    }
}

pub(super) fn shader(format: MapFormat) -> Shader {
    with_format(Shader::from(SourceReads::of(format).shader()).followed_by(SHADER), format)
}

/// The reads from the source level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SourceReads {
    /// A bilinear sample reads 2 x 2 texels.
    Sampled,
    /// A load reads one texel.
    Loaded,
}

impl SourceReads {
    /// The wider reads where every device supports them: few can filter 32-bit floats.
    fn of(format: MapFormat) -> Self {
        match format {
            MapFormat::F16 => Self::Sampled,
            MapFormat::F32 => Self::Loaded,
        }
    }

    fn shader(self) -> &'static str {
        match self {
            Self::Sampled => "maps/mips_sampled.wgsl",
            Self::Loaded => "maps/mips_loaded.wgsl",
        }
    }
}

/// The level that each dispatch starts from. Where the levels left are fewer than four (of 128 and 2048
/// texels), the last dispatch starts early and makes some twice with the same result, so that one kernel
/// serves every size from 16 up.
fn sources(levels: u32) -> impl Iterator<Item = u32> {
    let last_source = levels - 1 - LEVELS_PER_DISPATCH;
    (0..last_source).step_by(LEVELS_PER_DISPATCH as usize).chain([last_source])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::MapsDescriptor;

    #[test]
    fn dispatches_make_every_level() {
        for levels in 5..=14 {
            let made: std::collections::BTreeSet<u32> =
                sources(levels).flat_map(|source| source + 1..=source + 4).collect();
            assert_eq!(made, (1..levels).collect(), "{levels} levels");
            let mut done = 0;
            for source in sources(levels) {
                assert!(source <= done);
                done = source + 4;
            }
        }
    }

    /// A dependent dispatch costs some 2.3 us on a fast card, which is more than its work.
    #[test]
    fn mips_take_one_to_three_dispatches() {
        let dispatches = |size| {
            let descriptor =
                MapsDescriptor { size, cascades: 4, format: MapFormat::F16, anisotropy: 1 };
            sources(descriptor.levels()).count()
        };
        assert_eq!([16, 64, 128, 256, 512, 1024].map(dispatches), [1, 1, 2, 2, 2, 2]);
        assert_eq!([2048, 4096, 8192].map(dispatches), [3, 3, 3]);
    }
}
