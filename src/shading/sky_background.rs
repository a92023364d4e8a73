//! Draws the sky where nothing else was drawn.

use super::{DEPTH_FORMAT, HDR_FORMAT, Sky};
use crate::gpu::shader::ShaderError;

pub(super) const SHADERS: &[&str] = &["shading/sky_background.wgsl"];

/// The pipeline that draws sky and sun behind everything.
#[derive(Debug)]
pub struct SkyBackground {
    pipeline: wgpu::RenderPipeline,
}

impl SkyBackground {
    /// A pipeline for [`HDR_FORMAT`] and [`DEPTH_FORMAT`] with `samples` samples a pixel.
    /// `view_layout` is the layout of group 0, with the view uniform at binding 0
    /// (`mesh/view.wgsl`).
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        device: &wgpu::Device,
        view_layout: &wgpu::BindGroupLayout,
        sky: &Sky,
        samples: u32,
    ) -> Result<Self, ShaderError> {
        let label = Some("SkyBackground::pipeline");
        let module = crate::gpu::render_module(device, SHADERS[0])?;
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(view_layout), None, Some(sky.bind_group_layout())],
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
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(false),
                // The triangle lies at depth 0: it passes where the clear value still stands.
                depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(HDR_FORMAT.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        Ok(Self { pipeline })
    }

    /// Draws the sky; to be called last in a pass over the opaque scene, so that hidden pixels
    /// are not shaded. `view` is the bind group of group 0.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, view: &wgpu::BindGroup, sky: &Sky) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, view, &[]);
        pass.set_bind_group(2, sky.bind_group(), &[]);
        pass.draw(0..3, 0..1);
    }
}
