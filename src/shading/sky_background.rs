//! The sky where a pixel sees nothing else.

use super::{SceneBindings, Visibility};
use crate::gpu::shader::ShaderError;
use crate::gpu::{ComputePipeline, Pipelines};
use crate::profile::Stages;

pub(super) const SHADERS: &[&str] = &["shading/sky_background.wgsl"];

/// The kernel that lights the sky, with the sun's disc.
#[derive(Debug)]
pub struct SkyBackground {
    light: ComputePipeline,
}

impl SkyBackground {
    /// Builds the kernel, for the samples of `visibility`.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) -> Result<Self, ShaderError> {
        let light = pipelines.compute(visibility.kernel(scene, "background", SHADERS[0], None))?;
        Ok(Self { light })
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
}
