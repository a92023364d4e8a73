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
/// The fewest levels that a dispatch makes.
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
    /// Its levels from 1 to `made` are made otherwise.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file on disk was broken.
    pub fn new(
        pipelines: &Pipelines,
        texture: &wgpu::Texture,
        format: MapFormat,
        made: u32,
    ) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let levels = texture.mip_level_count();
        let storable = device.limits().max_storage_textures_per_shader_stage;
        let per_dispatch = levels_per_dispatch(levels, made, storable);
        let (source, filter) = match SourceReads::of(format) {
            SourceReads::Sampled => (bindings::texture(D2Array), wgpu::FilterMode::Linear),
            SourceReads::Loaded => {
                (bindings::unfiltered_texture(D2Array), wgpu::FilterMode::Nearest)
            }
        };
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("Mips::source"),
            mag_filter: filter,
            min_filter: filter,
            ..Default::default()
        });
        let stored = bindings::storage_texture(format.texture_format(), D2Array);
        let mut types = vec![source, bindings::sampler()];
        types.extend((0..per_dispatch).map(|_| stored));
        let layout = bindings::layout(device, "Mips::levels", ShaderStages::COMPUTE, &types);
        let view = |level, usage| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                label: Some("Mips::level"),
                usage: Some(usage),
                ..gpu::one_level(level, D2Array)
            })
        };
        let dispatches = sources(levels, made, per_dispatch)
            .map(|finest| {
                let source = view(finest, wgpu::TextureUsages::TEXTURE_BINDING);
                let targets: Vec<_> = (1..=per_dispatch)
                    .map(|above| view(finest + above, wgpu::TextureUsages::STORAGE_BINDING))
                    .collect();
                let mut resources: Vec<&dyn Resource> = vec![&source, &sampler];
                resources.extend(targets.iter().map(|target| target as &dyn Resource));
                (bindings::group(device, "Mips::levels", &layout, &resources), finest)
            })
            .collect();
        let entry = if per_dispatch == 5 { "five_levels" } else { "four_levels" };
        let shader = shader(format);
        let kernel =
            pipelines.compute(ComputeDescriptor::new("mips", shader, entry, &[Some(&layout)]))?;
        Ok(Self { kernel, dispatches, layers: texture.depth_or_array_layers() })
    }

    /// The number of dispatches of [`Mips::encode`].
    pub fn dispatch_count(&self) -> usize {
        self.dispatches.len()
    }

    /// Makes the levels from the first `size` texels of level 0.
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

/// Five levels a dispatch where that saves one, and a device stores `storable` textures at once.
fn levels_per_dispatch(levels: u32, made: u32, storable: u32) -> u32 {
    let dispatches = |per_dispatch| sources(levels, made, per_dispatch).count();
    let saves = levels > 5 && dispatches(5) < dispatches(LEVELS_PER_DISPATCH);
    if saves && storable >= 5 { 5 } else { LEVELS_PER_DISPATCH }
}

/// The level that each dispatch starts from, where the levels up to `made` are there already. If fewer levels
/// are left than a dispatch makes, the last starts early and makes some a second time, so that one kernel serves
/// every size.
fn sources(levels: u32, made: u32, per_dispatch: u32) -> impl Iterator<Item = u32> {
    let last_source = levels - 1 - per_dispatch;
    (made..last_source).step_by(per_dispatch as usize).chain([last_source])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::MapsDescriptor;

    #[test]
    fn dispatches_make_every_level() {
        for levels in 5..=14 {
            for (made, storable) in [(0, 4), (2, 4), (0, 8), (2, 8), (3, 8)] {
                let per_dispatch = levels_per_dispatch(levels, made, storable);
                let sources = || sources(levels, made, per_dispatch);
                let of_dispatches = sources().flat_map(|source| source + 1..=source + per_dispatch);
                let all: std::collections::BTreeSet<u32> =
                    (1..=made).chain(of_dispatches).collect();
                assert_eq!(all, (1..levels).collect(), "{levels} levels, {made} made");
                let mut done = made;
                for source in sources() {
                    assert!(source <= done);
                    done = source + per_dispatch;
                }
            }
        }
    }

    /// A dispatch that depends on the one before costs 1 to 3 us on a fast card, which is more than its work.
    #[test]
    fn few_dispatches_make_the_mips() {
        let dispatches = |size, made, storable| {
            let descriptor =
                MapsDescriptor { size, cascades: 4, format: MapFormat::F16, anisotropy: 1 };
            let levels = descriptor.levels();
            sources(levels, made, levels_per_dispatch(levels, made, storable)).count()
        };
        let sizes = [16, 64, 128, 256, 512, 1024, 2048, 8192];
        assert_eq!(sizes.map(|size| dispatches(size, 0, 4)), [1, 1, 2, 2, 2, 2, 3, 3]);
        assert_eq!(sizes.map(|size| dispatches(size, 0, 8)), [1, 1, 1, 2, 2, 2, 2, 3]);
        assert_eq!(sizes.map(|size| dispatches(size, 2, 4)), [1, 1, 1, 1, 2, 2, 2, 3]);
        assert_eq!(sizes.map(|size| dispatches(size, 2, 8)), [1, 1, 1, 1, 1, 2, 2, 2]);
    }
}
