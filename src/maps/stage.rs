//! The passes that fill the maps. Level 0 comes from its own pass, or from a transform with
//! `MapsStage::store_hook`.

use wgpu::ShaderStages;
use wgpu::TextureViewDimension::D2Array;

use super::mips::Mips;
use super::{MapFormat, Maps, MapsDescriptor, MapsError};
use crate::fft;
use crate::gpu::bindings::{self, Resource};
use crate::gpu::shader::LIBRARY;
use crate::gpu::{self, ComputeDescriptor, ComputePipeline, Pipelines, Shader};

const STORE_SHADER: &str = "maps/store.wgsl";
const STORE_HOOK_SHADER: &str = "maps/store_hook.wgsl";
const STORE_WORKGROUP: u32 = 16;
/// The mips that the store hook takes from a transform: with level 0 they are three of the four storage
/// textures that WebGPU guarantees.
const MEANS: u32 = 2;

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
    mips: Mips,
    size: u32,
}

/// Stores the transformed fields in level 0 of the maps. Clones share what is on the GPU.
#[derive(Clone, Debug)]
pub struct StorePass {
    store: ComputePipeline,
    fields: wgpu::BindGroup,
    level_0: wgpu::BindGroup,
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
            level_0: bindings::group(
                device,
                "StorePass::level_0",
                &level_0_layout,
                &[&stored_view(maps, 0)],
            ),
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
    /// The store hook for the first levels of maps of `format`, whose bind group is
    /// [`MapsStage::hook_bind_group`]. Fails with [`MapsError::Shader`] where a shader file on disk was broken.
    pub(crate) fn store_hook(format: MapFormat) -> Result<fft::StoreHook, MapsError> {
        // A storage texture's format is part of its type, which WGSL cannot override.
        let module =
            LIBRARY.compose(STORE_HOOK_SHADER)?.replace(MapFormat::F16.wgsl(), format.wgsl());
        let levels = [stored_level(format); 1 + MEANS as usize];
        let bindings = bindings::entries(ShaderStages::COMPUTE, &levels);
        let mut hook = fft::StoreHook::new("maps", module, bindings).taking_means(MEANS);
        if format == MapFormat::F16 {
            hook = hook.keeping_halves();
        }
        // SAFETY: it writes a texture, where a place out of bounds is nowhere. No loops.
        Ok(unsafe { hook.unchecked() })
    }

    /// The bind group of `MapsStage::store_hook`. `layout` is that of the plan with the hook.
    pub(crate) fn hook_bind_group(
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        maps: &Maps,
    ) -> wgpu::BindGroup {
        let levels: [_; 1 + MEANS as usize] =
            std::array::from_fn(|level| stored_view(maps, level as u32));
        let levels = levels.each_ref().map(|level| level as &dyn Resource);
        bindings::group(device, "MapsStage::stored_levels", layout, &levels)
    }

    /// Builds the dispatches that make all levels but the first.
    ///
    /// # Errors
    /// [`MapsError::Shader`] where a shader file on disk was broken.
    pub fn new(pipelines: impl Into<Pipelines>, maps: &Maps) -> Result<Self, MapsError> {
        Self::after(&pipelines.into(), maps, 0)
    }

    /// Builds the dispatches that make all levels after `made`, which a transform stores.
    pub(crate) fn after(pipelines: &Pipelines, maps: &Maps, made: u32) -> Result<Self, MapsError> {
        let MapsDescriptor { size, format, .. } = *maps.descriptor();
        Ok(Self { mips: Mips::new(pipelines, maps.texture(), format, made)?, size })
    }

    /// The number of dispatches of [`MapsStage::encode_mips`].
    pub fn dispatch_count(&self) -> usize {
        self.mips.dispatch_count()
    }

    /// Makes the other levels, four or five to a dispatch.
    pub fn encode_mips(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.mips.encode(pass, [self.size; 2]);
    }
}

pub(super) fn store_shader(format: MapFormat) -> Shader {
    with_format(STORE_SHADER.into(), format)
}

pub(super) fn with_format(shader: Shader, format: MapFormat) -> Shader {
    shader.replacing(MapFormat::F16.wgsl(), format.wgsl())
}

fn stored_view(maps: &Maps, level: u32) -> wgpu::TextureView {
    maps.texture().create_view(&wgpu::TextureViewDescriptor {
        label: Some("MapsStage::level"),
        usage: Some(wgpu::TextureUsages::STORAGE_BINDING),
        ..gpu::one_level(level, D2Array)
    })
}

fn stored_level(format: MapFormat) -> wgpu::BindingType {
    bindings::storage_texture(format.texture_format(), D2Array)
}
