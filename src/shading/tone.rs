//! From the HDR target to a display: filmic curve, encoding, dither.

use crate::gpu::shader::ShaderError;
use crate::gpu::{Uniform, wgsl_struct};
use crate::profile::Recorder;

pub(super) const SHADERS: &[&str] = &["shading/tone.wgsl"];

wgsl_struct! {
    /// `ToneUniform` of `shading/tone.wgsl`.
    struct ToneUniform {
        target_encodes: u32,
        dither_step: f32,
        frame: u32,
    }
}

/// The tone-mapping pass.
#[derive(Debug)]
pub struct ToneMap {
    pipeline: wgpu::RenderPipeline,
    bind_group_layout: wgpu::BindGroupLayout,
    uniform: Uniform<ToneUniform>,
    target_format: wgpu::TextureFormat,
}

/// An HDR target bound to a [`ToneMap`]: to be made once per target, not per frame.
#[derive(Debug)]
pub struct ToneSource(wgpu::BindGroup);

impl ToneMap {
    /// A pass that draws to views of `target_format`. Targets that are not of an sRGB format get
    /// sRGB-encoded values.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        device: &wgpu::Device,
        target_format: wgpu::TextureFormat,
    ) -> Result<Self, ShaderError> {
        let label = Some("ToneMap::pipeline");
        let module = crate::gpu::render_module(device, SHADERS[0])?;
        let bind_group_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("ToneMap::bind_group_layout"),
            entries: &[
                wgpu::BindGroupLayoutEntry {
                    binding: 0,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Buffer {
                        ty: wgpu::BufferBindingType::Uniform,
                        has_dynamic_offset: false,
                        min_binding_size: None,
                    },
                    count: None,
                },
                wgpu::BindGroupLayoutEntry {
                    binding: 1,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: false },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                    count: None,
                },
            ],
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&bind_group_layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(target_format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let uniform = Uniform::new(device, "ToneMap::uniform");
        Ok(Self { pipeline, bind_group_layout, uniform, target_format })
    }

    /// Binds an HDR target, of one sample a pixel.
    pub fn source(&self, device: &wgpu::Device, hdr: &wgpu::TextureView) -> ToneSource {
        ToneSource(device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("ToneMap::source"),
            layout: &self.bind_group_layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: self.uniform.binding() },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::TextureView(hdr),
                },
            ],
        }))
    }

    /// Draws `source` to `target`, which has the same size. The dither depends on the pixel and
    /// on `frame` alone.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        queue: &wgpu::Queue,
        source: &ToneSource,
        target: &wgpu::TextureView,
        frame: u32,
    ) {
        self.uniform.write(
            queue,
            &ToneUniform {
                target_encodes: self.target_format.is_srgb().into(),
                dither_step: dither_step(self.target_format),
                frame,
            },
        );
        recorder.render(
            &wgpu::RenderPassDescriptor {
                label: Some("tone map"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            },
            |pass| {
                pass.set_pipeline(&self.pipeline);
                pass.set_bind_group(0, &source.0, &[]);
                pass.draw(0..3, 0..1);
            },
        );
    }
}

/// One step of the format's encoding; 0 where steps are too fine to see.
fn dither_step(format: wgpu::TextureFormat) -> f32 {
    use wgpu::TextureFormat as F;
    match format {
        F::Rgba8Unorm | F::Rgba8UnormSrgb | F::Bgra8Unorm | F::Bgra8UnormSrgb => 1.0 / 255.0,
        F::Rgb10a2Unorm => 1.0 / 1023.0,
        _ => 0.0,
    }
}
