//! Particles that sink through the water around an eye in it, for scale.

use super::{SceneBindings, Visibility};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Allocations, Pipelines, RenderPipeline, Uniform, bindings, wgsl_struct};
use crate::mesh::View;

pub(super) const SHADER: &str = "shading/particles.wgsl";

wgsl_struct! {
    /// The layout of `ParticleLattice` in `shading/particles.wgsl`.
    struct ParticleLattice {
        eye_cell: [i32; 3],
        cells: u32,
        eye_in_cell: [f32; 3],
        _padding: f32,
        swirls: [f32; 2],
        _padding_2: [f32; 2],
    }
}

/// Must equal `PARTICLE_CELL_M` of `shading/particles.wgsl`.
const CELL_M: f64 = 0.35;
/// The speed at which flocs sink: 50 to 200 m a day (Alldredge and Gotschalk 1988), here the upper end.
const SINK_MPS: f64 = 0.0025;
/// The periods of the swirls.
const SWIRLS_S: [f64; 2] = [17.0, 23.0];
/// The cells after which the lattice repeats, so that their numbers are whole ones of 32 bits.
const PERIOD_CELLS: f64 = 16_777_216.0;

/// The pipeline that draws soft discs over the picture, where the eye is under water.
#[derive(Debug)]
pub(super) struct WaterParticles {
    cells: u32,
    pipeline: RenderPipeline,
    lattice: Uniform<ParticleLattice>,
    group: wgpu::BindGroup,
}

impl WaterParticles {
    /// Builds the pipeline for a lattice of `cells` along a side, over the scene that `visibility` sees.
    pub fn new(
        pipelines: &Pipelines,
        scene: &SceneBindings<'_>,
        visibility: &Visibility,
        cells: u32,
    ) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let lattice = Uniform::new(device, "WaterParticles::lattice");
        let own = bindings::bind(
            device,
            "WaterParticles::group",
            wgpu::ShaderStages::VERTEX,
            &[(bindings::uniform(), &lattice)],
        );
        let drawn = visibility.overlay(scene, "particles", SHADER, Some(&own.layout));
        let pipeline = pipelines.render(drawn)?;
        Ok(Self { cells, pipeline, lattice, group: own.bind_group })
    }

    /// Updates the lattice for the frame at `time_s`: it follows from time and place alone.
    pub fn update(&self, queue: &wgpu::Queue, view: &View, time_s: f64) {
        self.lattice.write(queue, &lattice(view.position_m.to_array(), time_s, self.cells));
    }

    /// Draws them over the scene that they were built for.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, scene: &SceneBindings<'_>) {
        self.pipeline.bind(pass, &scene.groups(Some(&self.group)));
        pass.draw(0..4, 0..self.cells.pow(3));
    }

    pub fn allocations<A: Allocations>(&self) -> A {
        self.lattice.allocations()
    }
}

fn lattice(eye_m: [f64; 3], time_s: f64, cells: u32) -> ParticleLattice {
    let [x, y, z] = eye_m.map(|metres| metres / CELL_M);
    let at = [x, y + time_s * SINK_MPS / CELL_M, z]
        .map(|at| if at.is_finite() { at.rem_euclid(PERIOD_CELLS) } else { 0.0 });
    ParticleLattice {
        eye_cell: at.map(|at| at.floor() as i32),
        cells,
        eye_in_cell: at.map(|at| at.fract() as f32),
        _padding: 0.0,
        swirls: SWIRLS_S.map(|period_s| (time_s / period_s).rem_euclid(1.0) as f32),
        _padding_2: [0.0; 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{assert_layout, shader};
    use seaway_core::testing::tolerance::near;

    #[test]
    fn the_shader_agrees() {
        let wgsl = shader::resolve(SHADER).unwrap();
        assert_layout::<ParticleLattice>(&wgsl);
        assert!(wgsl.contains(&format!("const PARTICLE_CELL_M: f32 = {CELL_M:?};")));
    }

    /// An eye that sinks with the particles sees them stand still, however late it is.
    #[test]
    fn particles_sink_at_their_speed() {
        for time_s in [0.0, 1.0, 1e4, 1e8] {
            let there = lattice([1.3, -2.0 - SINK_MPS * time_s, -4.2], time_s, 12);
            assert_eq!(there.eye_cell[0], 3);
            let height = f64::from(there.eye_cell[1]) + f64::from(there.eye_in_cell[1]);
            near(
                height.rem_euclid(PERIOD_CELLS),
                PERIOD_CELLS - 2.0 / CELL_M,
                1e-6,
                "height in cells",
            );
        }
    }
}
