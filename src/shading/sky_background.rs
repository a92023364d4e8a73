//! Draws the sky where nothing else was drawn.

use super::{HDR_FORMAT, SceneBindings, depth_state};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Pipelines, RenderDescriptor, RenderPipeline};

pub(super) const SHADERS: &[&str] = &["shading/sky_background.wgsl"];

/// The pipelines that draw sky and sun behind everything.
#[derive(Debug)]
pub struct SkyBackground {
    sky: RenderPipeline,
    sun: RenderPipeline,
}

impl SkyBackground {
    /// Pipelines for [`HDR_FORMAT`] and [`DEPTH_FORMAT`](super::DEPTH_FORMAT) with `samples` samples a
    /// pixel.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        samples: u32,
    ) -> Result<Self, ShaderError> {
        let pipeline = |entry_points, topology, blend| {
            let target = wgpu::ColorTargetState {
                format: HDR_FORMAT,
                blend,
                write_mask: Default::default(),
            };
            pipelines.render(RenderDescriptor {
                groups: scene.layouts(None),
                constants: scene.constants(&[]),
                primitive: wgpu::PrimitiveState { topology, ..Default::default() },
                // Drawn at depth 0: passes where the clear value still stands.
                depth: depth_state(false, wgpu::CompareFunction::GreaterEqual),
                samples,
                ..RenderDescriptor::new("background", SHADERS[0], entry_points, target)
            })
        };
        let added = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let added = wgpu::BlendState { color: added, alpha: added };
        use wgpu::PrimitiveTopology::{TriangleList, TriangleStrip};
        Ok(Self {
            sky: pipeline(["vertex", "fragment"], TriangleList, None)?,
            sun: pipeline(["sun_vertex", "sun_fragment"], TriangleStrip, Some(added))?,
        })
    }

    /// Draws the sky; to be called last in a pass over the opaque scene, so that hidden pixels
    /// are not shaded.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneBindings<'_>) {
        self.sky.bind(pass, &scene.groups(None));
        pass.draw(0..3, 0..1);
        self.sun.bind(pass, &scene.groups(None));
        pass.draw(0..4, 0..1);
    }
}
