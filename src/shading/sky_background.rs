//! Draws the sky where nothing else was drawn.

use std::collections::BTreeSet;

use super::{DEPTH_FORMAT, HDR_FORMAT, Sky};
use crate::gpu::shader::{ShaderError, depends};

pub(super) const SHADERS: &[&str] = &["shading/sky_background.wgsl"];

/// The pipelines that draw sky and sun behind everything. Clones share what is on the GPU.
#[derive(Clone, Debug)]
pub struct SkyBackground {
    layout: wgpu::PipelineLayout,
    samples: u32,
    constants: [(&'static str, f64); 1],
    sky: wgpu::RenderPipeline,
    sun: wgpu::RenderPipeline,
}

impl SkyBackground {
    /// Pipelines for [`HDR_FORMAT`] and [`DEPTH_FORMAT`] with `samples` samples a pixel.
    /// `view_layout` is the layout of group 0, with the view uniform at binding 0
    /// (`mesh/view.wgsl`). `maps_layout` is that of group 1 of the pipelines drawn before in the
    /// same pass, which the sky does not use: bound groups stay bound only between pipelines
    /// whose layouts agree in all groups up to them, and wgpu 30 does not bind group 2 again where
    /// group 1 is left out.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        device: &wgpu::Device,
        view_layout: &wgpu::BindGroupLayout,
        maps_layout: Option<&wgpu::BindGroupLayout>,
        sky: &Sky,
        samples: u32,
    ) -> Result<Self, ShaderError> {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("SkyBackground::layout"),
            bind_group_layouts: &[Some(view_layout), maps_layout, Some(sky.bind_group_layout())],
            immediate_size: 0,
        });
        Self::with_layout(device, layout, samples, sky.constants())
    }

    /// The same with its shader compiled again, where that is made of one of `changed`, files under
    /// `shaders/`.
    ///
    /// # Errors
    /// [`ShaderError`] where the shader is broken.
    pub(crate) fn recompiled(
        &self,
        device: &wgpu::Device,
        changed: &BTreeSet<String>,
    ) -> Result<Option<Self>, ShaderError> {
        let changes = depends(SHADERS[0], changed)?;
        let compiled =
            || Self::with_layout(device, self.layout.clone(), self.samples, self.constants);
        changes.then(compiled).transpose()
    }

    fn with_layout(
        device: &wgpu::Device,
        layout: wgpu::PipelineLayout,
        samples: u32,
        constants: [(&'static str, f64); 1],
    ) -> Result<Self, ShaderError> {
        let compilation_options =
            wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
        let module = crate::gpu::render_module(device, SHADERS[0])?;
        let added = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let pipeline = |label, vertex, fragment, topology, blend| {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(label),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(vertex),
                    compilation_options: compilation_options.clone(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState { topology, ..Default::default() },
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: DEPTH_FORMAT,
                    depth_write_enabled: Some(false),
                    // Drawn at depth 0: passes where the clear value still stands.
                    depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(fragment),
                    compilation_options: compilation_options.clone(),
                    targets: &[Some(wgpu::ColorTargetState {
                        format: HDR_FORMAT,
                        blend,
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        Ok(Self {
            sky: pipeline(
                "SkyBackground::sky",
                "vertex",
                "fragment",
                wgpu::PrimitiveTopology::TriangleList,
                None,
            ),
            sun: pipeline(
                "SkyBackground::sun",
                "sun_vertex",
                "sun_fragment",
                wgpu::PrimitiveTopology::TriangleStrip,
                Some(wgpu::BlendState { color: added, alpha: added }),
            ),
            layout,
            samples,
            constants,
        })
    }

    /// Draws the sky; to be called last in a pass over the opaque scene, so that hidden pixels
    /// are not shaded. `view` is the bind group of group 0.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, view: &wgpu::BindGroup, sky: &Sky) {
        pass.set_bind_group(0, view, &[]);
        pass.set_bind_group(2, sky.bind_group(), &[]);
        pass.set_pipeline(&self.sky);
        pass.draw(0..3, 0..1);
        pass.set_pipeline(&self.sun);
        pass.draw(0..4, 0..1);
    }
}
