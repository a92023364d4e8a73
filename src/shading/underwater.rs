//! The light of the sea for an eye in it.

use super::{SceneBindings, Tiles, Visibility, Water};
use crate::gpu::shader::ShaderError;
use crate::gpu::{ComputePipeline, Pipelines};
use crate::profile::Stages;

pub(super) const SHADERS: &[&str] = &["shading/underwater.wgsl"];

/// The kernels that light the surface from below, and the water where nothing else is in view. They go
/// after [`SkyBackground`](super::SkyBackground), which takes such water for the sky.
#[derive(Debug)]
pub struct Underwater {
    surface: ComputePipeline,
    open_water: ComputePipeline,
}

impl Underwater {
    /// Builds the kernels for the bindings and the samples of `water`, with that number of steps through
    /// shafts of sunlight.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        water: &Water,
        shaft_steps: u32,
    ) -> Result<Self, ShaderError> {
        let kernel = |entry_point| {
            let mut kernel = water.surface_kernel("underwater", SHADERS[0], entry_point);
            kernel.constants.push(("SHAFT_STEPS", f64::from(shaft_steps)));
            pipelines.compute(kernel)
        };
        Ok(Self { surface: kernel("surface")?, open_water: kernel("open_water")? })
    }

    /// Lights the samples whose lines of sight begin in the water, except for those that see objects.
    pub fn light(
        &self,
        stages: &mut Stages<'_, '_>,
        water: &Water,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) {
        let kernels = [&self.surface, &self.open_water].map(|kernel| (kernel, Tiles::Many));
        water.light_by(stages, "underwater", kernels, scene, visibility);
    }
}
