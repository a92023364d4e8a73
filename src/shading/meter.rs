//! The exposure meter (`shading/meter.wgsl`): the brightness of a frame's picture, computed before it is
//! drawn from the direction of view, the light and the statistics of the waves. Takes the view, the sky and
//! the look of the water; gives [`Sky`] its exposure, and the mean radiance of the sea, which facets that
//! look below the horizon mirror.

use super::{Sky, WaterLook};
use crate::foam::FoamSea;
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, Uniform, bindings, wgsl_struct,
};
use crate::mesh::View;
use crate::profile::Recorder;

pub(super) const SHADERS: &[&str] = &["shading/meter.wgsl"];

wgsl_struct! {
    /// The layout of `MeterUniform` in `shading/meter.wgsl`.
    pub(super) struct MeterUniform {
        pub(super) right: [f32; 3],
        pub(super) eye_height_m: f32,
        pub(super) up: [f32; 3],
        pub(super) foam: f32,
        pub(super) forward: [f32; 3],
        pub(super) foam_albedo: f32,
        pub(super) covariance: [f32; 3],
        pub(super) below: f32,
    }
}

/// Sets the exposure of a sky from the view, the light and the waves.
#[derive(Debug)]
pub struct ExposureMeter {
    uniform: Uniform<MeterUniform>,
    bind_group: wgpu::BindGroup,
    kernel: ComputePipeline,
}

impl ExposureMeter {
    /// Builds a meter that sets the exposure of `sky`.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(pipelines: &Pipelines, sky: &Sky) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let uniform = Uniform::new(device, "ExposureMeter::uniform");
        let bindings::Group { layout, bind_group } = bindings::bind(
            device,
            "ExposureMeter::bind_group",
            wgpu::ShaderStages::COMPUTE,
            &[
                (bindings::uniform(), &uniform),
                (bindings::storage_read_write(), sky.exposure_buffer()),
            ],
        );
        let layouts = [Some(&layout), None, Some(&sky.group().layout)];
        let kernel = pipelines.compute(ComputeDescriptor {
            constants: sky.constants().into(),
            ..ComputeDescriptor::new("exposure", SHADERS[0], "main", &layouts)
        })?;
        Ok(Self { uniform, bind_group, kernel })
    }

    /// Sets the exposure of `sky`, which is up to date with the frame, for the part of a sea that `view`
    /// shows, with that `look`.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        queue: &wgpu::Queue,
        view: &View,
        look: &WaterLook,
        sky: &Sky,
    ) {
        let seen = view.uniform();
        self.uniform.write(
            queue,
            &MeterUniform {
                right: seen.right,
                eye_height_m: seen.height_m,
                up: seen.up,
                foam: look.foam_cover as f32,
                forward: seen.forward,
                foam_albedo: FoamSea::MEAN_ALBEDO as f32,
                covariance: look.covariance.map(|element| element as f32),
                below: metered_below(view.position_m.y, look.height_deviation_m) as f32,
            },
        );
        recorder.compute("exposure", |stages| {
            stages.stage("exposure", |pass| {
                let groups = [Some(&self.bind_group), None, Some(sky.metering_bind_group())];
                self.kernel.bind(pass, &groups);
                pass.dispatch_workgroups(1, 1, 1);
            });
        });
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        self.uniform.allocations()
    }
}

/// The share of a picture's light that is metered under water: all of it two deviations of the sea's
/// height below still water, so that no wave that passes makes the exposure jump.
fn metered_below(eye_height_m: f64, height_deviation_m: f64) -> f64 {
    let t = (-eye_height_m / (2.0 * height_deviation_m + 0.2)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{assert_layout, shader};

    #[test]
    fn the_uniform_has_wgsl_layout() {
        let wgsl = shader::resolve(SHADERS[0]).unwrap();
        assert_layout::<MeterUniform>(&wgsl);
    }
}
