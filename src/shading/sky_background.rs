//! The sky where a pixel sees nothing else.

use super::visibility::of_samples;
use super::{HDR_FORMAT, SceneBindings, Visibility, depth_state};
use crate::gpu::shader::ShaderError;
use crate::gpu::{ComputeDescriptor, ComputePipeline, Pipelines, RenderDescriptor, RenderPipeline};
use crate::profile::Stages;

pub(super) const SHADERS: &[&str] = &["shading/sky_background.wgsl"];

/// The kernel that lights the sky, and the pipeline that adds the sun's disc.
#[derive(Debug)]
pub struct SkyBackground {
    light: ComputePipeline,
    sun: RenderPipeline,
}

impl SkyBackground {
    /// Builds the pipelines, for the samples of `visibility`.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) -> Result<Self, ShaderError> {
        let samples = visibility.samples();
        let light = pipelines.compute(ComputeDescriptor {
            groups: scene.layouts_with(visibility.surface_layout(), None),
            constants: scene.constants(&[("SAMPLES", f64::from(samples))]),
            ..ComputeDescriptor::new(
                "background",
                of_samples(SHADERS[0].into(), samples),
                "light",
                &[],
            )
        })?;
        let added = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let target = wgpu::ColorTargetState {
            format: HDR_FORMAT,
            blend: Some(wgpu::BlendState { color: added, alpha: added }),
            write_mask: Default::default(),
        };
        let sun = pipelines.render(RenderDescriptor {
            groups: scene.layouts(None),
            constants: scene.constants(&[]),
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            // Drawn at depth 0: passes where the clear value still stands.
            depth: depth_state(false, wgpu::CompareFunction::GreaterEqual),
            samples,
            ..RenderDescriptor::new("background", SHADERS[0], ["vertex", "fragment"], target)
        })?;
        Ok(Self { light, sun })
    }

    /// Lights the samples that see nothing of the scene.
    pub fn light(
        &self,
        stages: &mut Stages<'_, '_>,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) {
        stages.stage("background", |pass| {
            visibility.dispatch(pass, &self.light, scene, None);
        });
    }

    /// Adds the sun's disc, behind all that was drawn.
    pub fn draw_sun(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneBindings<'_>) {
        self.sun.bind(pass, &scene.groups(None));
        pass.draw(0..4, 0..1);
    }
}
