//! The passes that fill the maps. Level 0 comes from its own pass, or from a transform with
//! `MapsStage::store_hook`.

use wgpu::ShaderStages;
use wgpu::TextureViewDimension::D2Array;

use super::{MapFormat, Maps, MapsError};
use crate::fft;
use crate::gpu::bindings::{self, Resource};
use crate::gpu::shader::LIBRARY;
use crate::gpu::{self, ComputeDescriptor, ComputePipeline, Pipelines, Shader};

const STORE_SHADER: &str = "maps/store.wgsl";
const STORE_HOOK_SHADER: &str = "maps/store_hook.wgsl";
const MIPS_SHADER: &str = "maps/mips.wgsl";
const STORE_WORKGROUP: u32 = 16;
/// The side in texels of the source tile that a workgroup of `mips` reduces.
pub(crate) const MIPS_TILE: u32 = 32;
pub(crate) const LEVELS_PER_DISPATCH: u32 = 4;

/// Makes the mips of the maps. Clones share what is on the GPU.
///
/// The steps of [`Ocean`](crate::Ocean) with a transform of one's own between spectrum and maps:
///
/// ```no_run
/// use seaway::maps::{MapFormat, Maps, MapsDescriptor, MapsStage, StorePass};
/// use seaway::spectrum::{EvolvePass, InitialSpectrum, SpectrumStage};
///
/// # fn f(
/// #     device: &wgpu::Device, queue: &wgpu::Queue, initial: &InitialSpectrum, time_s: f64,
/// #     transform: impl Fn(&mut wgpu::ComputePass<'_>), pass: &mut wgpu::ComputePass<'_>,
/// # ) -> Result<(), Box<dyn std::error::Error>> {
/// let (size, cascades) = (initial.size, initial.cascades.len() as u32);
/// let mut spectrum = SpectrumStage::new(device, size, cascades)?;
/// spectrum.upload(queue, initial, &[])?;
/// let evolve = EvolvePass::new(device, &spectrum)?;
/// let maps = Maps::new(
///     device,
///     &MapsDescriptor { size, cascades, format: MapFormat::F16, anisotropy: 4 },
/// )?;
/// let store = StorePass::new(device, spectrum.fields().as_entire_buffer_binding(), &maps)?;
/// let mips = MapsStage::new(device, &maps)?;
///
/// evolve.encode(pass, &spectrum.time_offsets(time_s));
/// transform(pass); // an inverse FFT of `spectrum.fields()`, in place
/// store.encode(pass);
/// mips.encode_mips(pass);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct MapsStage {
    mips: ComputePipeline,
    mip_dispatches: Vec<MipDispatch>,
}

/// Stores the transformed fields in level 0 of the maps. Clones share what is on the GPU.
#[derive(Clone, Debug)]
pub struct StorePass {
    store: ComputePipeline,
    fields: wgpu::BindGroup,
    level_0: wgpu::BindGroup,
    workgroups: [u32; 3],
}

#[derive(Clone, Debug)]
struct MipDispatch {
    bind_group: wgpu::BindGroup,
    workgroups: [u32; 3],
}

impl StorePass {
    /// Builds the pass from `fields`, `vec4<f32>` `[cascade][s][z][x]`, to `maps`.
    ///
    /// # Errors
    /// [`MapsError::Shader`] where a shader file on disk was broken.
    pub fn new(
        pipelines: impl Into<Pipelines>,
        fields: wgpu::BufferBinding<'_>,
        maps: &Maps,
    ) -> Result<Self, MapsError> {
        let pipelines = pipelines.into();
        let device = pipelines.device();
        let descriptor = maps.descriptor();
        let format = descriptor.format;
        let side = descriptor.size.div_ceil(STORE_WORKGROUP);
        let fields = bindings::bind(
            device,
            "StorePass::fields",
            ShaderStages::COMPUTE,
            &[(bindings::storage_read(), &fields)],
        );
        let level_0_layout = bindings::layout(
            device,
            "StorePass::level_0",
            ShaderStages::COMPUTE,
            &[stored_level(format)],
        );
        Ok(Self {
            fields: fields.bind_group,
            level_0: MapsStage::store_bind_group(device, &level_0_layout, maps),
            store: pipelines.compute(ComputeDescriptor::new(
                "maps",
                store_shader(format),
                "store",
                &[Some(&fields.layout), None, Some(&level_0_layout)],
            ))?,
            workgroups: [side, side, descriptor.layers()],
        })
    }

    /// Records the pass, one dispatch.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        let [x, y, z] = self.workgroups;
        self.store.bind(pass, &[Some(&self.fields), None, Some(&self.level_0)]);
        pass.dispatch_workgroups(x, y, z);
    }
}

impl MapsStage {
    /// The store hook for level 0 of maps of `format`, whose bind group is [`MapsStage::store_bind_group`].
    /// Fails with [`MapsError::Shader`] where a shader file on disk was broken.
    pub(crate) fn store_hook(format: MapFormat) -> Result<fft::StoreHook, MapsError> {
        // A storage texture's format is part of its type, which WGSL cannot override.
        let module =
            LIBRARY.compose(STORE_HOOK_SHADER)?.replace(MapFormat::F16.wgsl(), format.wgsl());
        let bindings = bindings::entries(ShaderStages::COMPUTE, &[stored_level(format)]);
        let mut hook = fft::StoreHook::new("maps", module, bindings);
        if format == MapFormat::F16 {
            hook = hook.keeping_halves();
        }
        // SAFETY: it writes a texture, where a place out of bounds is nowhere. No loops.
        Ok(unsafe { hook.unchecked() })
    }

    /// The bind group of `MapsStage::store_hook`. `layout` is that of the plan with the hook.
    pub fn store_bind_group(
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        maps: &Maps,
    ) -> wgpu::BindGroup {
        let level_0 = level_view(maps, 0, wgpu::TextureUsages::STORAGE_BINDING);
        bindings::group(device, "MapsStage::level_0", layout, &[&level_0])
    }

    /// Builds the dispatches that make all levels but the first.
    ///
    /// # Errors
    /// [`MapsError::Shader`] where a shader file on disk was broken.
    pub fn new(pipelines: impl Into<Pipelines>, maps: &Maps) -> Result<Self, MapsError> {
        let pipelines = pipelines.into();
        let device = pipelines.device();
        let descriptor = maps.descriptor();
        let format = descriptor.format;
        let reads = SourceReads::of(format);
        let sampler = (reads == SourceReads::Sampled).then(|| {
            device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("MapsStage::source"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            })
        });
        let source = match reads {
            SourceReads::Sampled => bindings::texture(D2Array),
            SourceReads::Loaded => bindings::unfiltered_texture(D2Array),
        };
        let mut types = vec![source];
        types.extend([stored_level(format); LEVELS_PER_DISPATCH as usize]);
        types.extend(sampler.as_ref().map(|_| bindings::sampler()));
        let mips_layout =
            bindings::layout(device, "MapsStage::mips", ShaderStages::COMPUTE, &types);
        let mip_dispatches = mip_sources(descriptor.levels())
            .map(|source_level| {
                let source = level_view(maps, source_level, wgpu::TextureUsages::TEXTURE_BINDING);
                let targets = [1, 2, 3, 4].map(|above| {
                    level_view(maps, source_level + above, wgpu::TextureUsages::STORAGE_BINDING)
                });
                let [first, second, third, fourth] = &targets;
                let mut resources: Vec<&dyn Resource> = vec![&source, first, second, third, fourth];
                if let Some(sampler) = &sampler {
                    resources.push(sampler);
                }
                let bind_group =
                    bindings::group(device, "MapsStage::mips", &mips_layout, &resources);
                let side = (descriptor.size >> source_level).div_ceil(MIPS_TILE);
                MipDispatch { bind_group, workgroups: [side, side, descriptor.layers()] }
            })
            .collect();
        let mips = pipelines.compute(ComputeDescriptor::new(
            "mips",
            mips_shader(format, reads),
            "mips",
            &[Some(&mips_layout)],
        ))?;
        Ok(Self { mips, mip_dispatches })
    }

    /// The number of dispatches of [`MapsStage::encode_mips`].
    pub fn dispatch_count(&self) -> usize {
        self.mip_dispatches.len()
    }

    /// Makes the other levels from level 0, four to a dispatch.
    pub fn encode_mips(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.mips.get());
        for dispatch in &self.mip_dispatches {
            let [x, y, z] = dispatch.workgroups;
            pass.set_bind_group(0, &dispatch.bind_group, &[]);
            pass.dispatch_workgroups(x, y, z);
        }
    }
}

/// The reads of `mips` from its source level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceReads {
    /// A bilinear sample reads 2 x 2 texels.
    Sampled,
    /// A load reads one texel.
    Loaded,
}

impl SourceReads {
    /// The wider reads where every device supports them: few can filter 32-bit floats.
    pub(super) fn of(format: MapFormat) -> Self {
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

/// The level that each dispatch of `mips` starts from. Where the levels left are fewer than four (of 128
/// and 2048 texels), the last dispatch starts early and makes some twice with the same result, so that
/// one kernel serves every size from 16 up.
fn mip_sources(levels: u32) -> impl Iterator<Item = u32> {
    let last_source = levels - 1 - LEVELS_PER_DISPATCH;
    (0..last_source).step_by(LEVELS_PER_DISPATCH as usize).chain([last_source])
}

pub(super) fn store_shader(format: MapFormat) -> Shader {
    with_format(STORE_SHADER.into(), format)
}

pub(crate) fn mips_shader(format: MapFormat, reads: SourceReads) -> Shader {
    with_format(Shader::from(reads.shader()).followed_by(MIPS_SHADER), format)
}

fn with_format(shader: Shader, format: MapFormat) -> Shader {
    shader.replacing(MapFormat::F16.wgsl(), format.wgsl())
}

fn level_view(maps: &Maps, level: u32, usage: wgpu::TextureUsages) -> wgpu::TextureView {
    maps.texture().create_view(&wgpu::TextureViewDescriptor {
        label: Some("MapsStage::level"),
        usage: Some(usage),
        ..gpu::one_level(level, D2Array)
    })
}

fn stored_level(format: MapFormat) -> wgpu::BindingType {
    bindings::storage_texture(format.texture_format(), D2Array)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::MapsDescriptor;

    #[test]
    fn mip_dispatches_make_every_level() {
        for levels in 5..=14 {
            let made: std::collections::BTreeSet<u32> =
                mip_sources(levels).flat_map(|source| source + 1..=source + 4).collect();
            assert_eq!(made, (1..levels).collect(), "{levels} levels");
            let mut done = 0;
            for source in mip_sources(levels) {
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
            mip_sources(descriptor.levels()).count()
        };
        assert_eq!([16, 64, 128, 256, 512, 1024].map(dispatches), [1, 1, 2, 2, 2, 2]);
        assert_eq!([2048, 4096, 8192].map(dispatches), [3, 3, 3]);
    }
}
