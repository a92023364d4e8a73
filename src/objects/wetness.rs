//! The wet band of hulls: how high the water has reached around each in the last seconds.

use std::num::NonZeroU64;

use super::gpu_data::{ObjectPlace, WetStep};
use super::moorings::COUNT;
use crate::foam::{Foam, StepTaken};
use crate::gpu::shader::ShaderError;
use crate::gpu::{ComputeDescriptor, ComputePipeline, Pipelines, bindings};

pub(super) const SHADER: &str = "objects/wet.wgsl";

/// The sides of a hull, `WET_SIDES` of the shader.
pub(super) const SIDES: usize = 16;
/// The speed at which the upper edge dries: within the foam's memory it sinks by all that it can rise, so that
/// nothing older matters.
const DRIES_MPS: f64 = 0.06;
/// The steps of the foam a second that it follows, about: enough for waves that are longer than a hull.
const FOLLOWED_PER_S: f64 = 7.5;
/// The distance between dynamic offsets, a multiple of what WebGPU guarantees.
const STRIDE: u64 = (size_of::<WetStep>() as u64).next_multiple_of(256);

/// The kernel that follows the steps of the foam.
#[derive(Debug)]
pub(super) struct Wetness {
    steps: wgpu::Buffer,
    group: wgpu::BindGroup,
    kernel: ComputePipeline,
}

/// Creates the heights, [object][side], which begin at the waterline.
pub(super) fn buffer(device: &wgpu::Device) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("Wetness::heights"),
        size: (4 * SIDES * COUNT) as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::UNIFORM,
        mapped_at_creation: false,
    })
}

impl Wetness {
    /// Builds the kernel; none where the foam has no steps.
    pub fn new(
        pipelines: &Pipelines,
        foam: &Foam,
        heights: &wgpu::Buffer,
    ) -> Result<Option<Self>, ShaderError> {
        let (Some(maps), Some(constants)) = (foam.maps(), foam.map_constants()) else {
            return Ok(None);
        };
        let device = pipelines.device();
        let bytes = NonZeroU64::new(size_of::<WetStep>() as u64);
        let layout = bindings::layout(
            device,
            "Wetness::layout",
            wgpu::ShaderStages::COMPUTE,
            &[
                wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: true,
                    min_binding_size: bytes,
                },
                bindings::storage_read_write(),
            ],
        );
        let steps = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Wetness::steps"),
            size: STRIDE * u64::from(Foam::MOST_STEPS),
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let parameters = wgpu::BufferBinding { buffer: &steps, offset: 0, size: bytes };
        let group = bindings::group(device, "Wetness::group", &layout, &[&parameters, heights]);
        let layouts = [Some(&layout), Some(&maps.group().layout)];
        let kernel = pipelines.compute(ComputeDescriptor {
            constants: constants.into(),
            ..ComputeDescriptor::new("objects", SHADER, "wetten", &layouts)
        })?;
        Ok(Some(Self { steps, group, kernel }))
    }

    /// Follows a step of the foam for objects at `places` from the origin of its waves, with those radii.
    pub fn follow(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        queue: &wgpu::Queue,
        step: &StepTaken<'_>,
        places: [ObjectPlace; COUNT],
        radii_m: [f32; COUNT],
    ) {
        let every = ((1.0 / (FOLLOWED_PER_S * step.seconds)).round() as i64).max(1);
        if step.number.rem_euclid(every) != 0 && !step.is_first {
            return;
        }
        let parameters = WetStep {
            places,
            radii_m: radii_m.map(|radius_m| [radius_m, 0.0, 0.0, 0.0]),
            dried_m: (DRIES_MPS * every as f64 * step.seconds) as f32,
            begins: u32::from(step.is_first),
            _padding: [0; 2],
        };
        let offset = STRIDE * u64::from(step.index);
        queue.write_buffer(&self.steps, offset, bytemuck::bytes_of(&parameters));
        pass.set_pipeline(&self.kernel.get());
        pass.set_bind_group(0, &self.group, &[offset as u32]);
        pass.set_bind_group(1, step.maps.bind_group(), &[]);
        pass.dispatch_workgroups(COUNT as u32, 1, 1);
    }
}
