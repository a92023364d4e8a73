//! Transforms of random images with buffers of their own, and what they should give: what `bench`
//! and `verify` have in common.

use std::collections::HashMap;

use half::f16;
use half::slice::HalfFloatSliceExt as _;
use seaway::fft::lab::{Accuracy, Program, cpu, noise};
use seaway::fft::{
    Axes, Bound, Buffers, Descriptor, Direction, Layout, Placement, Plan, Precision,
};
use seaway::gpu;

use super::device::Gpu;

/// Most bytes that are uploaded at once: the queue keeps a copy until they have arrived.
const UPLOAD_BYTES: usize = 256 << 20;

/// Exact transforms of [`image`]s, each computed once.
#[derive(Default)]
pub struct References(HashMap<(u32, [u32; 2], Direction, Precision), Vec<cpu::Complex>>);

impl References {
    /// What the 2D transform of image `index` of `task` should be if it did not scale. Sides are
    /// powers of two.
    pub fn of(&mut self, index: u32, task: &Descriptor) -> &[cpu::Complex] {
        let Descriptor { size, direction, precision, .. } = *task;
        self.0.entry((index, size, direction, precision)).or_insert_with(|| {
            let image = image(index, points(size), precision);
            let mut values: Vec<_> = image.into_iter().map(|value| value.map(f64::from)).collect();
            cpu::transform(&mut values, size, Axes::Both, direction)
                .expect("the sides are powers of two");
            values
        })
    }
}

/// A random image, of numbers that `precision` can hold.
fn image(index: u32, points: usize, precision: Precision) -> Vec<[f32; 2]> {
    let mut image = noise(index, points);
    if precision == Precision::F16 {
        for part in image.as_flattened_mut() {
            *part = f16::from_f32(*part).to_f32();
        }
    }
    image
}

/// What `task` multiplies its result by.
fn scale(task: &Descriptor) -> f64 {
    task.size.map(|length| task.normalization.factor(length)).iter().product()
}

/// Points of one image.
pub fn points(size: [u32; 2]) -> usize {
    size[0] as usize * size[1] as usize
}

fn to_halves(values: &[f32]) -> Vec<f16> {
    let mut halves = vec![f16::ZERO; values.len()];
    halves.convert_from_f32_slice(values);
    halves
}

/// A program with one or more sets of buffers.
pub struct Workload<'a> {
    gpu: &'a Gpu,
    descriptor: Descriptor,
    /// Input and output of each set, which are one where the program works in place.
    buffers: Vec<[wgpu::Buffer; 2]>,
    bound: Vec<Bound>,
}

impl<'a> Workload<'a> {
    /// Compiles `program` and binds it to `sets` of buffers, which hold the same images.
    pub fn new(
        gpu: &'a Gpu,
        descriptor: &Descriptor,
        program: Program,
        sets: usize,
    ) -> anyhow::Result<Self> {
        let device = &gpu.context.device;
        let plan = Plan::from_program(device, program);
        let storage = |label| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: plan.data_bytes(),
                usage: wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::COPY_SRC
                    | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let buffers: Vec<_> = (0..sets)
            .map(|_| {
                let input = storage("workload input");
                let output = match descriptor.placement {
                    Placement::OutOfPlace => storage("workload output"),
                    Placement::InPlace => input.clone(),
                };
                [input, output]
            })
            .collect();
        let bound = buffers
            .iter()
            .map(|[input, output]| plan.bind(device, &Buffers::new(input, output)))
            .collect::<Result<_, _>>()?;
        gpu.check()?;
        let workload = Self { gpu, descriptor: descriptor.clone(), buffers, bound };
        workload.upload();
        gpu.check()?;
        Ok(workload)
    }

    fn layer_bytes(&self) -> u64 {
        let Descriptor { size, layout, precision, .. } = &self.descriptor;
        let floats = layout.element_bytes() / Precision::F32.bytes();
        points(*size) as u64 * u64::from(floats * precision.bytes())
    }

    fn upload(&self) {
        let gpu::Context { device, queue, .. } = &self.gpu.context;
        let points = points(self.descriptor.size);
        let [first, _] = &self.buffers[0];
        let mut pending = 0;
        for layer in 0..self.descriptor.layout.layers(self.descriptor.batch) {
            let values: Vec<[f32; 2]> = match self.descriptor.layout {
                Layout::Planar => noise(layer, points),
                // The padding of an odd batch is an image like the others.
                Layout::Pair => noise(2 * layer, points)
                    .into_iter()
                    .zip(noise(2 * layer + 1, points))
                    .flat_map(|(a, b)| [a, b])
                    .collect(),
            };
            let halves;
            let bytes: &[u8] = match self.descriptor.precision {
                Precision::F32 => bytemuck::cast_slice(&values),
                Precision::F16 => {
                    halves = to_halves(values.as_flattened());
                    bytemuck::cast_slice(&halves)
                }
            };
            queue.write_buffer(first, u64::from(layer) * self.layer_bytes(), bytes);
            pending += bytes.len();
            if pending >= UPLOAD_BYTES {
                queue.submit([]);
                pending = 0;
            }
        }
        let mut encoder = device.create_command_encoder(&Default::default());
        for [other, _] in &self.buffers[1..] {
            encoder.copy_buffer_to_buffer(first, 0, other, 0, first.size());
        }
        queue.submit([encoder.finish()]);
    }

    /// Transforms the first set once.
    pub fn run(&self) {
        let gpu::Context { device, queue, .. } = &self.gpu.context;
        let mut encoder = device.create_command_encoder(&Default::default());
        self.bound[0].encode(&mut encoder.begin_compute_pass(&Default::default()));
        queue.submit([encoder.finish()]);
    }

    /// What to record, set by set.
    pub fn bound(&self, repetition: usize) -> &Bound {
        &self.bound[repetition % self.bound.len()]
    }

    /// Image `index` of the first set's output, without its scale. Only its layer is read back.
    fn result(&self, index: u32) -> anyhow::Result<Vec<[f32; 2]>> {
        let gpu::Context { device, queue, .. } = &self.gpu.context;
        let bytes = self.layer_bytes();
        let (layer, part) = match self.descriptor.layout {
            Layout::Planar => (index, 0),
            Layout::Pair => (index / 2, (index % 2) as usize),
        };
        let copy = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("workload layer"),
            size: bytes,
            usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let [_, output] = &self.buffers[0];
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(output, u64::from(layer) * bytes, &copy, 0, bytes);
        queue.submit([encoder.finish()]);
        let read = pollster::block_on(gpu::read_buffer(device, queue, &copy));
        // The GPU's own complaint comes first: it is the cause of a failed read-back.
        self.gpu.check()?;
        let bytes = read?;
        let floats: Vec<f32> = match self.descriptor.precision {
            Precision::F32 => bytemuck::pod_collect_to_vec(&bytes),
            Precision::F16 => {
                let halves: Vec<f16> = bytemuck::pod_collect_to_vec(&bytes);
                let mut floats = vec![0.0; halves.len()];
                halves.convert_to_f32_slice(&mut floats);
                floats
            }
        };
        // A power of two, so that no rounding is added.
        let unscale = scale(&self.descriptor).recip() as f32;
        let values: Vec<[f32; 2]> =
            floats.chunks_exact(2).map(|value| [value[0] * unscale, value[1] * unscale]).collect();
        let stride = match self.descriptor.layout {
            Layout::Planar => 1,
            Layout::Pair => 2,
        };
        Ok(values.into_iter().skip(part).step_by(stride).collect())
    }

    /// The worst error of the images `indices` of the first set's output.
    pub fn accuracy(
        &self,
        indices: impl IntoIterator<Item = u32>,
        references: &mut References,
    ) -> anyhow::Result<Accuracy> {
        let mut worst = Accuracy { relative_l2: 0.0, relative_max: 0.0 };
        for index in indices {
            let reference = references.of(index, &self.descriptor);
            let accuracy = Accuracy::of(&self.result(index)?, reference);
            worst.relative_l2 = worst.relative_l2.max(accuracy.relative_l2);
            worst.relative_max = worst.relative_max.max(accuracy.relative_max);
        }
        Ok(worst)
    }
}
