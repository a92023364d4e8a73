//! The exposure meter (`shading/meter.wgsl`): how bright a frame's picture will be, found before it
//! is drawn from where the eye looks, the light and the statistics of the waves. Takes the view, the
//! sky and the look of the water; gives [`Sky`] its exposure, and the mean radiance of the sea, which
//! facets see that mirror what lies below the horizon.

use std::collections::BTreeSet;

use super::{Sky, WaterLook, WaterOptics};
use crate::foam::FoamSea;
use crate::gpu::shader::{ShaderError, compose, depends};
use crate::gpu::{ComputeKernel, Holdings, Uniform, bindings, compute_kernel_with, wgsl_struct};
use crate::mesh::View;
use crate::profile::Recorder;

pub(super) const SHADERS: &[&str] = &["shading/meter.wgsl"];

wgsl_struct! {
    /// `MeterUniform` of `shading/meter.wgsl`.
    pub(super) struct MeterUniform {
        pub(super) right: [f32; 3],
        pub(super) eye_height_m: f32,
        pub(super) up: [f32; 3],
        pub(super) foam: f32,
        pub(super) forward: [f32; 3],
        pub(super) foam_albedo: f32,
        pub(super) covariance: [f32; 3],
        _padding_2: f32,
        pub(super) reflectance: [f32; 3],
        _padding_3: f32,
    }
}

/// The meter. Clones share what is on the GPU.
#[derive(Clone, Debug)]
pub struct ExposureMeter {
    uniform: Uniform<MeterUniform>,
    layout: wgpu::BindGroupLayout,
    sky_layout: wgpu::BindGroupLayout,
    constants: [(&'static str, f64); 1],
    bind_group: wgpu::BindGroup,
    kernel: ComputeKernel,
}

impl ExposureMeter {
    /// A meter that sets the exposure of `sky`.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file is missing.
    pub fn new(device: &wgpu::Device, sky: &Sky) -> Result<Self, ShaderError> {
        let uniform = Uniform::new(device, "ExposureMeter::uniform");
        let (layout, bind_group) = bindings::bind(
            device,
            "ExposureMeter::bind_group",
            wgpu::ShaderStages::COMPUTE,
            &[
                (bindings::uniform(), &uniform),
                (bindings::storage_read_write(), sky.exposure_buffer()),
            ],
        );
        let sky_layout = sky.bind_group_layout().clone();
        let constants = sky.constants();
        let kernel = Self::compile(device, &layout, &sky_layout, &constants)?;
        Ok(Self { uniform, layout, sky_layout, constants, bind_group, kernel })
    }

    fn compile(
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        sky_layout: &wgpu::BindGroupLayout,
        constants: &[(&str, f64)],
    ) -> Result<ComputeKernel, ShaderError> {
        let layouts = [Some(layout), None, Some(sky_layout)];
        let composed = compose(SHADERS[0])?;
        compute_kernel_with(device, SHADERS[0], &composed, "main", &layouts, constants)
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
        if !depends(SHADERS[0], changed)? {
            return Ok(None);
        }
        let kernel = Self::compile(device, &self.layout, &self.sky_layout, &self.constants)?;
        Ok(Some(Self { kernel, ..self.clone() }))
    }

    /// Sets the exposure of `sky`, which is up to date with the frame, for what `view` sees of a sea
    /// of that `look`, in water of those `optics`.
    pub fn record(
        &self,
        recorder: &mut Recorder<'_>,
        queue: &wgpu::Queue,
        view: &View,
        (look, optics): (&WaterLook, &WaterOptics),
        sky: &Sky,
    ) {
        let seen = view.uniform();
        self.uniform.write(
            queue,
            &MeterUniform {
                right: seen.right,
                eye_height_m: seen.height_m.max(0.0),
                up: seen.up,
                foam: look.foam_cover as f32,
                forward: seen.forward,
                foam_albedo: FoamSea::MEAN_ALBEDO as f32,
                covariance: look.covariance.map(|element| element as f32),
                _padding_2: 0.0,
                reflectance: optics.reflectance,
                _padding_3: 0.0,
            },
        );
        recorder.compute("exposure", |stages| {
            stages.stage("exposure", |pass| {
                pass.set_pipeline(&self.kernel.pipeline);
                pass.set_bind_group(0, &self.bind_group, &[]);
                pass.set_bind_group(2, sky.metering_bind_group(), &[]);
                pass.dispatch_workgroups(1, 1, 1);
            });
        });
    }

    /// What it takes.
    pub(crate) fn holdings<H: Holdings>(&self) -> H {
        self.uniform.holdings()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{assert_layout, shader};

    #[test]
    fn the_uniform_has_wgsl_layout() {
        assert_layout::<MeterUniform>(&shader::resolve(SHADERS[0]).unwrap());
    }
}
