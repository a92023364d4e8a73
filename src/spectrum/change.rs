//! The compute pass that moves a stage's waves towards those of another sea (`shaders/spectrum/change.wgsl`).

use super::SpectrumStage;
use crate::gpu::bindings::{self, Resource};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Allocations, ComputeDescriptor, ComputePipeline, Pipelines, Uniform};

const SHADER: &str = "spectrum/change.wgsl";

/// The waves of the other sea, and the pass that moves the amplitudes and orbits of a stage towards them.
/// Phases stay, so that waves grow and shrink where they are.
#[derive(Debug)]
pub(crate) struct ChangePass {
    wanted: wgpu::Buffer,
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
        let wanted = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("ChangePass::wanted"),
            size: waves.size(),
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let share = Uniform::new(device, "ChangePass::share");
        let types = [bindings::uniform(), bindings::storage_read(), bindings::storage_read_write()];
        let visibility = wgpu::ShaderStages::COMPUTE;
        let layout = bindings::layout(device, "ChangePass::layout", visibility, &types);
        let resources: [&dyn Resource; 3] = [&share, &wanted, waves];
        Ok(Self {
            bind_group: bindings::group(device, "ChangePass::bind_group", &layout, &resources),
            pipeline: pipelines.compute(ComputeDescriptor::new(
                "spectrum change",
                SHADER,
                "change",
                &[Some(&layout)],
            ))?,
            workgroups: stage.workgroups_of_rows(stage.stored_rows()),
            wanted,
            share,
        })
    }

    /// The waves of the other sea, for [`SpectrumStage::upload_change`].
    pub fn wanted(&self) -> &wgpu::Buffer {
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
        self.share.allocations::<A>().with_buffer(&self.wanted)
    }
}

#[cfg(test)]
pub(super) fn shader() -> (String, String) {
    let wgsl =
        crate::gpu::shader::resolve(SHADER).expect("shipped shaders resolve, which a test checks");
    (SHADER.to_owned(), wgsl)
}
