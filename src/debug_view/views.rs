//! The pipelines of the views, and what they bind.

use std::collections::BTreeSet;

use super::legend::{cascade, map_reach, spectrum_decades, spectrum_high_m, spectrum_reach};
use super::{DebugChoice, DebugView};
use crate::gpu::shader::{ShaderError, depends};
use crate::gpu::{Uniform, bindings, render_module, wgsl_struct};
use crate::maps::Maps;
use crate::ocean::Ocean;
use crate::profile::Recorder;
use crate::shading::{ToneMap, Water};
use crate::spectrum::{Interpolation, SpectrumStage};

const SURFACE_SHADER: &str = "debug_view/surface.wgsl";
const DISPLAY_SHADER: &str = "debug_view/display.wgsl";
const MAP_SHADER: &str = "debug_view/map.wgsl";
const SPECTRUM_SHADER: &str = "debug_view/spectrum.wgsl";

/// Every shader of the views.
pub(crate) const SHADERS: &[&str] = &[SURFACE_SHADER, DISPLAY_SHADER, MAP_SHADER, SPECTRUM_SHADER];

/// What is behind a view painted on the water: no sky, which would be taken for a value.
pub(crate) const SURFACE_BACKGROUND: wgpu::Color =
    wgpu::Color { r: 0.115, g: 0.13, b: 0.145, a: 1.0 };

/// The flat views' square on a picture of `resolution`: its corner and its side, in pixels. Above it
/// is room for a legend.
pub(super) fn flat_square(resolution: [u32; 2]) -> ([f32; 2], f32) {
    const SHARE: f32 = 0.76;
    let [width, height] = resolution.map(|side| side as f32);
    let side = (SHARE * width.min(height)).floor().max(1.0);
    let above = (height - side) * 2.0 / 3.0;
    ([0.5 * (width - side), above].map(f32::floor), side)
}

wgsl_struct! {
    /// `FlatUniform` of `debug_view/flat.wgsl`.
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

/// The pipelines of all views. Clones share what is on the GPU.
#[derive(Clone, Debug)]
pub(crate) struct Views {
    surface: Vec<(DebugView, wgpu::RenderPipeline)>,
    as_is: wgpu::RenderPipeline,
    luminance: wgpu::RenderPipeline,
    map: wgpu::RenderPipeline,
    spectrum: wgpu::RenderPipeline,
    flat: Uniform<FlatUniform>,
    flat_group: wgpu::BindGroup,
    waves_layout: wgpu::BindGroupLayout,
    target_format: wgpu::TextureFormat,
    /// Of the ocean that is shown.
    ocean: Option<OfOcean>,
}

/// What the views take from an ocean, found once per sea.
#[derive(Clone, Debug)]
struct OfOcean {
    waves: wgpu::BindGroup,
    /// Per cascade, the high end of its spectrum's scale.
    spectrum_high_m: Vec<f64>,
}

impl Views {
    /// Builds all pipelines: those on the water with `water`'s bindings and samples, those for the
    /// display with `tone_map`'s.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader is broken.
    pub fn new(
        device: &wgpu::Device,
        water: &Water,
        tone_map: &ToneMap,
        maps: &Maps,
    ) -> Result<Self, ShaderError> {
        let visibility = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let flat = Uniform::new(device, "Views::flat");
        let (flat_layout, flat_group) =
            bindings::bind(device, "Views::flat", visibility, &[(bindings::uniform(), &flat)]);
        let waves_layout = SpectrumStage::waves_layout(device, wgpu::ShaderStages::FRAGMENT);

        let module = render_module(device, SURFACE_SHADER)?;
        let surface = [
            (DebugView::Jacobian, "vertex", "jacobian"),
            (DebugView::Roughness, "vertex", "roughness"),
            (DebugView::Foam, "vertex", "foam"),
            (DebugView::Lod, "grid_point", "lod"),
            (DebugView::Wireframe, "grid_point", "wireframe"),
        ]
        .map(|(view, vertex, fragment)| {
            (view, water.surface_pipeline(device, &module, [vertex, fragment]))
        });
        let module = render_module(device, DISPLAY_SHADER)?;
        let target_format = tone_map.target_format();
        let over_picture = |name, entry_point, group: &wgpu::BindGroupLayout| {
            let module = render_module(device, name)?;
            let layouts = [Some(&flat_layout), Some(group)];
            Ok::<_, ShaderError>(flat_pipeline(
                device,
                &module,
                entry_point,
                &layouts,
                target_format,
            ))
        };
        Ok(Self {
            surface: surface.into(),
            as_is: tone_map.pass_pipeline(device, &module, "as_is"),
            luminance: tone_map.pass_pipeline(device, &module, "luminance"),
            map: over_picture(MAP_SHADER, "map", maps.bind_group_layout())?,
            spectrum: over_picture(SPECTRUM_SHADER, "spectrum", &waves_layout)?,
            flat,
            flat_group,
            waves_layout,
            target_format,
            ocean: None,
        })
    }

    /// Whether one of the views is made of one of `changed`, files under `shaders/`.
    ///
    /// # Errors
    /// Where its files cannot be put together.
    pub fn depend(changed: &BTreeSet<String>) -> Result<bool, ShaderError> {
        for name in SHADERS {
            if depends(name, changed)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The ocean, or its sea, is another.
    pub fn forget_ocean(&mut self) {
        self.ocean = None;
    }

    /// The pipeline that draws the water for `view`, where it is painted on the water.
    pub fn surface(&self, view: DebugView) -> Option<&wgpu::RenderPipeline> {
        self.surface.iter().find(|(of, _)| *of == view).map(|(_, pipeline)| pipeline)
    }

    /// The pipeline that stands in for the tone map; nothing where that is drawn itself.
    pub fn display(&self, view: DebugView) -> Option<&wgpu::RenderPipeline> {
        match view.kind() {
            super::Kind::Surface => Some(&self.as_is),
            super::Kind::Display => Some(&self.luminance),
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
        recorder.render(
            &wgpu::RenderPassDescriptor {
                label: Some("debug view"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            },
            |pass| {
                pass.set_bind_group(0, &self.flat_group, &[]);
                if choice.view == DebugView::Spectrum {
                    pass.set_pipeline(&self.spectrum);
                    pass.set_bind_group(1, &of_ocean.waves, &time);
                } else {
                    pass.set_pipeline(&self.map);
                    pass.set_bind_group(1, ocean.maps().bind_group(), &[]);
                }
                pass.draw(0..4, 0..1);
            },
        );
    }
}

fn flat_pipeline(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    entry_point: &str,
    layouts: &[Option<&wgpu::BindGroupLayout>],
    target_format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let label = format!("Views::{entry_point}");
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(&label),
        bind_group_layouts: layouts,
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(&label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vertex"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(entry_point),
            compilation_options: Default::default(),
            targets: &[Some(target_format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
