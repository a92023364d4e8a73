//! The light of the sea for an eye in it, and what is close before the eye: particles, and the water's edge on the
//! lens.

use super::particles::{self, WaterParticles};
use super::{SceneBindings, Tiles, Visibility, Water};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Allocations, ComputeDescriptor, ComputePipeline, Pipelines, RenderPipeline};
use crate::mesh::View;
use crate::profile::Stages;

pub(super) const SHADERS: &[&str] =
    &["shading/underwater.wgsl", "shading/meniscus.wgsl", particles::SHADER];

/// The work for an eye in the water.
#[derive(Clone, Copy, Debug)]
pub struct UnderwaterDetail {
    /// The steps through shafts of sunlight; 0 for none.
    pub shaft_steps: u32,
    /// The particles around the eye along a side of their lattice; 0 for none.
    pub particle_cells: u32,
}

/// The kernels that light the surface from below, and the water where nothing else is in view, and the pipelines
/// that draw over them.
#[derive(Debug)]
pub struct Underwater {
    surface: ComputePipeline,
    /// Lights the surface where it may show objects.
    near_objects: Option<ComputePipeline>,
    open_water: ComputePipeline,
    meniscus: RenderPipeline,
    particles: Option<WaterParticles>,
}

impl Underwater {
    /// Builds them for the bindings and the samples of `water`, which `visibility` sees.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
        water: &Water,
        detail: UnderwaterDetail,
    ) -> Result<Self, ShaderError> {
        let kernel = |mut kernel: ComputeDescriptor| {
            kernel.constants.push(("SHAFT_STEPS", f64::from(detail.shaft_steps)));
            pipelines.compute(kernel)
        };
        let [stage, shader] = ["underwater", SHADERS[0]];
        let near_objects = water.kernel_near_objects(stage, shader, "surface").map(kernel);
        let particles = Some(detail.particle_cells)
            .filter(|cells| *cells > 0)
            .map(|cells| WaterParticles::new(pipelines, scene, visibility, cells));
        Ok(Self {
            surface: kernel(water.surface_kernel(stage, shader, "surface"))?,
            near_objects: near_objects.transpose()?,
            open_water: kernel(water.surface_kernel(stage, shader, "open_water"))?,
            meniscus: pipelines.render(visibility.overlay(scene, "meniscus", SHADERS[1], None))?,
            particles: particles.transpose()?,
        })
    }

    /// Updates the particles for the frame at `time_s`: they follow from time and place alone.
    pub fn update(&self, queue: &wgpu::Queue, view: &View, time_s: f64) {
        if let Some(particles) = &self.particles {
            particles.update(queue, view, time_s);
        }
    }

    /// Lights the samples whose lines of sight begin in the water, except for those that see objects. This goes
    /// after [`SkyBackground`](super::SkyBackground), which takes open water for the sky.
    pub fn light(
        &self,
        stages: &mut Stages<'_, '_>,
        water: &Water,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
    ) {
        let near_objects = self.near_objects.iter().map(|kernel| (kernel, Tiles::Few));
        let kernels = [&self.surface, &self.open_water].map(|kernel| (kernel, Tiles::Many));
        let kernels = kernels.into_iter().chain(near_objects);
        water.light_by(stages, "underwater", kernels, scene, visibility);
    }

    /// Draws the particles, and the meniscus where the surface crosses the lens, over the scene that they were built
    /// for ([`Visibility::over`]).
    pub fn draw_over(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneBindings<'_>) {
        if let Some(particles) = &self.particles {
            particles.draw(pass, scene);
        }
        self.meniscus.bind(pass, &scene.groups(None));
        pass.draw(0..3, 0..1);
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        self.particles.iter().map(WaterParticles::allocations).sum()
    }
}
