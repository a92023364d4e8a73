//! The water's edge on the lens, where the surface crosses it.

use super::{HDR_FORMAT, SceneBindings, Visibility, of_samples};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Pipelines, RenderDescriptor, RenderPipeline};

pub(super) const SHADERS: &[&str] = &["shading/meniscus.wgsl"];

/// The pipeline that draws the meniscus over pictures that are partly under water.
#[derive(Debug)]
pub struct Meniscus {
    pipeline: RenderPipeline,
}

impl Meniscus {
    /// Builds the pipeline over the scene that `visibility` sees.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) -> Result<Self, ShaderError> {
        let target = wgpu::ColorTargetState {
            format: HDR_FORMAT,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::ALL,
        };
        let samples = visibility.samples();
        let shader = of_samples(SHADERS[0].into(), samples);
        let pipeline = pipelines.render(RenderDescriptor {
            groups: visibility.over(scene).layouts(None),
            constants: scene.constants(&[("SAMPLES", f64::from(samples))]),
            ..RenderDescriptor::new("meniscus", shader, ["vertex", "fragment"], target)
        })?;
        Ok(Self { pipeline })
    }

    /// Draws it over the scene that it was built for ([`Visibility::over`]).
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneBindings<'_>) {
        self.pipeline.bind(pass, &scene.groups(None));
        pass.draw(0..3, 0..1);
    }
}
