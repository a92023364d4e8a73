//! The pipelines of the views, and their bindings.

use super::legend::{cascade, map_reach, spectrum_decades, spectrum_high_m, spectrum_reach};
use super::{DebugChoice, DebugView};
use crate::choice::Choice as _;
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    ComputeDescriptor, ComputePipeline, Pipelines, RenderDescriptor, RenderPipeline, Uniform,
    bindings, wgsl_struct,
};
use crate::maps::Maps;
use crate::ocean::Ocean;
use crate::profile::Recorder;
use crate::shading::{ToneMap, Water};
use crate::spectrum::{Interpolation, SpectrumStage};

const SURFACE_SHADER: &str = "debug_view/surface.wgsl";
const DISPLAY_SHADER: &str = "debug_view/display.wgsl";
const MAP_SHADER: &str = "debug_view/map.wgsl";
const SPECTRUM_SHADER: &str = "debug_view/spectrum.wgsl";

#[cfg(test)]
pub(crate) const SHADERS: &[&str] = &[SURFACE_SHADER, DISPLAY_SHADER, MAP_SHADER, SPECTRUM_SHADER];

const SURFACE_VIEWS: [DebugView; 7] = [
    DebugView::Jacobian,
    DebugView::Roughness,
    DebugView::Foam,
    DebugView::Caustics,
    DebugView::Medium,
    DebugView::Lod,
    DebugView::Wireframe,
];

/// The name of the stage in reports of reloads.
const STAGE: &str = "debug views";

/// The corner and the side, in pixels, of the flat views' square on a picture of `resolution`. A legend
/// fits above it.
pub(super) fn flat_square(resolution: [u32; 2]) -> ([f32; 2], f32) {
    const SHARE: f32 = 0.76;
    let [width, height] = resolution.map(|side| side as f32);
    let side = (SHARE * width.min(height)).floor().max(1.0);
    let above = (height - side) * 2.0 / 3.0;
    ([0.5 * (width - side), above].map(f32::floor), side)
}

wgsl_struct! {
    /// The layout of `FlatUniform` in `debug_view/flat.wgsl`.
    pub(super) struct FlatUniform {
        pub(super) resolution_px: [f32; 2],
        pub(super) corner_px: [f32; 2],
        pub(super) side_px: f32,
        pub(super) low: f32,
        pub(super) high: f32,
        pub(super) reach: u32,
        pub(super) cascade: u32,
        pub(super) channel: u32,
        pub(super) target_encodes: u32,
        pub(super) cubic: u32,
    }
}

/// The declarations of the pipelines of all debug views.
#[derive(Clone, Debug)]
pub struct ViewDeclarations {
    surface: [ComputeDescriptor; SURFACE_VIEWS.len()],
    as_is: RenderDescriptor,
    luminance: RenderDescriptor,
    map: RenderDescriptor,
    spectrum: RenderDescriptor,
}

/// The pipelines of all debug views, once built.
#[derive(Clone, Debug)]
pub struct ViewPipelines {
    surface: Vec<ComputePipeline>,
    as_is: RenderPipeline,
    luminance: RenderPipeline,
    map: RenderPipeline,
    spectrum: RenderPipeline,
}

impl ViewDeclarations {
    /// Builds all pipelines, or finds them in the cache.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader is broken.
    pub fn build(&self, pipelines: &Pipelines) -> Result<ViewPipelines, ShaderError> {
        let render = |declaration: &RenderDescriptor| pipelines.render(declaration.clone());
        Ok(ViewPipelines {
            surface: self
                .surface
                .iter()
                .map(|declaration| pipelines.compute(declaration.clone()))
                .collect::<Result<_, _>>()?,
            as_is: render(&self.as_is)?,
            luminance: render(&self.luminance)?,
            map: render(&self.map)?,
            spectrum: render(&self.spectrum)?,
        })
    }
}

#[derive(Debug)]
pub(crate) struct Views {
    pipelines: ViewPipelines,
    flat: Uniform<FlatUniform>,
    flat_group: wgpu::BindGroup,
    waves_layout: bindings::Layout,
    target_format: wgpu::TextureFormat,
    ocean: Option<OfOcean>,
}

/// The properties of an ocean that views need, computed once per sea.
#[derive(Clone, Debug)]
struct OfOcean {
    waves: wgpu::BindGroup,
    /// The high end of each cascade's scale of the spectrum.
    spectrum_high_m: Vec<f64>,
}

impl Views {
    /// The declarations of all pipelines: those on the water with `water`'s bindings and samples, those
    /// for the display with `tone_map`'s.
    pub fn declarations(
        device: &wgpu::Device,
        water: &Water,
        tone_map: &ToneMap,
        maps: &Maps,
    ) -> ViewDeclarations {
        let surface = |entry_point| water.surface_kernel(STAGE, SURFACE_SHADER, entry_point);
        let display = |fragment| tone_map.pass_descriptor(STAGE, DISPLAY_SHADER, fragment);
        let over_picture = |shader, fragment, group: bindings::Layout| RenderDescriptor {
            groups: vec![Some(flat_layout(device)), Some(group)],
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            ..RenderDescriptor::new(STAGE, shader, ["vertex", fragment], tone_map.target_format())
        };
        ViewDeclarations {
            surface: SURFACE_VIEWS.map(|view| surface(view.name())),
            as_is: display("as_is"),
            luminance: display("luminance"),
            map: over_picture(MAP_SHADER, "map", maps.group().layout.clone()),
            spectrum: over_picture(SPECTRUM_SHADER, "spectrum", waves_layout(device)),
        }
    }

    /// Builds all pipelines, or finds them in the cache. Fails with [`ShaderError`] where a shader is broken.
    pub fn new(
        pipelines: &Pipelines,
        water: &Water,
        tone_map: &ToneMap,
        maps: &Maps,
    ) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let flat = Uniform::new(device, "Views::flat");
        let flat_group = bindings::group(device, "Views::flat", &flat_layout(device), &[&flat]);
        Ok(Self {
            pipelines: Self::declarations(device, water, tone_map, maps).build(pipelines)?,
            flat,
            flat_group,
            waves_layout: waves_layout(device),
            target_format: tone_map.target_format(),
            ocean: None,
        })
    }

    /// Forgets the ocean after a change of it, or of its sea.
    pub fn forget_ocean(&mut self) {
        self.ocean = None;
    }

    /// The kernel that replaces the water's light where `view` is painted on the water.
    pub fn surface(&self, view: DebugView) -> Option<&ComputePipeline> {
        let index = SURFACE_VIEWS.iter().position(|of| *of == view)?;
        Some(&self.pipelines.surface[index])
    }

    /// The pipeline that replaces the tone map; none where that is drawn itself.
    pub fn display(&self, view: DebugView) -> Option<&RenderPipeline> {
        match view.kind() {
            super::Kind::Surface => Some(&self.pipelines.as_is),
            super::Kind::Display => Some(&self.pipelines.luminance),
            super::Kind::Picture | super::Kind::Flat => None,
        }
    }

    /// Draws a flat view over the picture in `target`, which has `resolution`.
    pub fn record_flat(
        &mut self,
        recorder: &mut Recorder<'_>,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        choice: &DebugChoice,
        ocean: &Ocean,
        time_s: f64,
        (target, resolution): (&wgpu::TextureView, [u32; 2]),
    ) {
        let spectrum = ocean.spectrum();
        let of_ocean = self.ocean.get_or_insert_with(|| OfOcean {
            waves: ocean.waves(device, &self.waves_layout),
            spectrum_high_m: (0..spectrum.cascades.len())
                .map(|cascade| spectrum_high_m(spectrum, cascade))
                .collect(),
        });
        let cascade = cascade(choice, spectrum);
        let [low, high] = match choice.view {
            DebugView::Spectrum => spectrum_decades(of_ocean.spectrum_high_m[cascade]),
            _ => {
                let reach = map_reach(choice.channel, spectrum, cascade);
                [-reach, reach]
            }
        };
        let (corner_px, side_px) = flat_square(resolution);
        self.flat.write(
            queue,
            &FlatUniform {
                resolution_px: resolution.map(|side| side as f32),
                corner_px,
                side_px,
                low: low as f32,
                high: high as f32,
                reach: spectrum_reach(spectrum, cascade),
                cascade: cascade as u32,
                channel: choice.channel.index(),
                target_encodes: self.target_format.is_srgb().into(),
                cubic: u32::from(ocean.interpolation(cascade) == Interpolation::Cubic),
            },
        );
        let time = ocean.time_offsets(time_s);
        recorder.render_to("debug view", target, wgpu::LoadOp::Load, |pass| {
            pass.set_bind_group(0, &self.flat_group, &[]);
            if choice.view == DebugView::Spectrum {
                pass.set_pipeline(&self.pipelines.spectrum.get());
                pass.set_bind_group(1, &of_ocean.waves, &time);
            } else {
                pass.set_pipeline(&self.pipelines.map.get());
                pass.set_bind_group(1, ocean.maps().bind_group(), &[]);
            }
            pass.draw(0..4, 0..1);
        });
    }
}

fn flat_layout(device: &wgpu::Device) -> bindings::Layout {
    let visibility = wgpu::ShaderStages::VERTEX_FRAGMENT;
    bindings::layout(device, "Views::flat_layout", visibility, &[bindings::uniform()])
}

fn waves_layout(device: &wgpu::Device) -> bindings::Layout {
    SpectrumStage::waves_layout(device, wgpu::ShaderStages::FRAGMENT)
}
