//! The compute pass that moves a stage's waves towards those of another sea (`shaders/spectrum/change.wgsl`).

use super::SpectrumStage;
use super::waves::Waves;
use crate::gpu::bindings::{self, Resource};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Allocations, ComputeDescriptor, ComputePipeline, Pipelines, Uniform};

const SHADER: &str = "spectrum/change.wgsl";

/// The waves of the other sea, and the pass that moves the amplitudes and orbits of a stage towards them.
/// Phases stay, so that waves grow and shrink where they are.
#[derive(Debug)]
pub(crate) struct ChangePass {
    wanted: Waves,
    share: Uniform<f32>,
    bind_group: wgpu::BindGroup,
    pipeline: ComputePipeline,
    workgroups: [u32; 3],
}

impl ChangePass {
    /// Builds the pass for the waves of `stage`.
    pub fn new(pipelines: &Pipelines, stage: &SpectrumStage) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let waves = stage.waves();
        let wanted = Waves::new(device, "ChangePass::wanted", stage.size(), stage.cascades());
        let share = Uniform::new(device, "ChangePass::share");
        let mut types = vec![bindings::uniform()];
        types.extend([bindings::storage_read(); Waves::BINDINGS]);
        types.extend([bindings::storage_read_write(); Waves::BINDINGS]);
        let visibility = wgpu::ShaderStages::COMPUTE;
        let layout = bindings::layout(device, "ChangePass::layout", visibility, &types);
        let mut resources: Vec<&dyn Resource> = vec![&share];
        resources.extend(wanted.resources().into_iter().chain(waves.resources()));
        Ok(Self {
            bind_group: bindings::group(device, "ChangePass::bind_group", &layout, &resources),
            pipeline: pipelines.compute(ComputeDescriptor::new(
                "spectrum change",
                SHADER,
                "change",
                &[Some(&layout)],
            ))?,
            workgroups: stage.workgroups_of_waves(),
            wanted,
            share,
        })
    }

    /// The waves of the other sea, for [`SpectrumStage::upload_change`].
    pub(super) fn wanted(&self) -> &Waves {
        &self.wanted
    }

    /// Sets the part of the remaining difference, 0 to 1, for commands that are submitted after this call.
    pub fn set_share(&self, queue: &wgpu::Queue, share: f32) {
        self.share.write(queue, &share);
    }

    /// Records the pass.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        let [x, y, z] = self.workgroups;
        pass.set_pipeline(&self.pipeline.get());
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.dispatch_workgroups(x, y, z);
    }

    pub fn allocations<A: Allocations>(&self) -> A {
        self.share.allocations::<A>() + self.wanted.allocations()
    }
}

#[cfg(test)]
pub(super) fn shader() -> (String, String) {
    let wgsl =
        crate::gpu::shader::resolve(SHADER).expect("shipped shaders resolve, which a test checks");
    (SHADER.to_owned(), wgsl)
}
