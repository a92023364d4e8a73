//! The heights of a few fixed points in every frame: one dispatch of one workgroup and a copy of 256
//! bytes, read back many frames at a time.

use std::time::Duration;

use wgpu::ShaderStages;

use super::series::{Heights, POINTS};
use crate::gpu::shader::ShaderError;
use crate::gpu::{
    Allocations, ComputeDescriptor, ComputePipeline, Pipelines, ReadbackBuffer, bindings,
};
use crate::maps::Maps;
use crate::platform::Instant;
use crate::profile::Recorder;

pub(super) const SHADER: &str = "measurement/points.wgsl";

/// The bytes of one sample of the points.
const SAMPLE_BYTES: u64 = size_of::<Heights>() as u64;
/// The most samples of a batch.
const SAMPLES: usize = 64;
/// The longest time of a batch.
const GATHERING: Duration = Duration::from_millis(500);

/// Samples the heights of the points in some maps.
#[derive(Debug)]
pub(super) struct Points {
    kernel: ComputePipeline,
    bind_group: wgpu::BindGroup,
    maps: wgpu::BindGroup,
    heights: wgpu::Buffer,
    /// One batch is filled while the other is read.
    batches: [Batch; 2],
    filling: usize,
    last_s: f64,
}

#[derive(Debug)]
struct Batch {
    readback: ReadbackBuffer,
    times_s: Vec<f64>,
    sea: u64,
    begun: Option<Instant>,
    is_submitted: bool,
}

#[derive(Debug)]
pub(super) struct Samples {
    /// The number of the sea.
    pub sea: u64,
    readback: ReadbackBuffer,
    times_s: Vec<f64>,
}

impl Points {
    /// Prepares the samples of `maps`. Fails with [`ShaderError`] where the shader on disk is broken.
    pub fn new(pipelines: &Pipelines, maps: &Maps) -> Result<Self, ShaderError> {
        let device = pipelines.device();
        let heights = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("Points::heights"),
            size: SAMPLE_BYTES,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let bindings::Group { layout, bind_group } = bindings::bind(
            device,
            "Points::bind_group",
            ShaderStages::COMPUTE,
            &[(bindings::storage_read_write(), &heights)],
        );
        let layouts = [Some(&layout), Some(&maps.group().layout)];
        let kernel = pipelines.compute(ComputeDescriptor::new(
            "measured points",
            SHADER,
            "points",
            &layouts,
        ))?;
        let batches = [(); 2].map(|()| Batch {
            readback: ReadbackBuffer::new(
                device,
                "Points::readback",
                SAMPLES as u64 * SAMPLE_BYTES,
            ),
            times_s: Vec::with_capacity(SAMPLES),
            sea: 0,
            begun: None,
            is_submitted: false,
        });
        Ok(Self {
            kernel,
            bind_group,
            maps: maps.bind_group().clone(),
            heights,
            batches,
            filling: 0,
            last_s: f64::NAN,
        })
    }

    pub fn allocations<A: Allocations>(&self) -> A {
        let batches = self.batches.iter().map(|batch| batch.readback.allocations::<A>());
        A::default().with_buffer(&self.heights) + batches.sum()
    }

    /// Records a sample of the points of the maps at `time_s`, of the sea with the given number; none
    /// where time stands still, or both batches are submitted.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, sea: u64, time_s: f64) {
        let batch = &mut self.batches[self.filling];
        let has_room =
            !batch.is_submitted && batch.readback.is_free() && batch.times_s.len() < SAMPLES;
        if !has_room || time_s == self.last_s {
            return;
        }
        self.last_s = time_s;
        if batch.sea != sea {
            batch.sea = sea;
            batch.times_s.clear();
            batch.begun = None;
        }
        let (kernel, bind_group, maps) = (&self.kernel, &self.bind_group, &self.maps);
        recorder.compute("measured points", |stages| {
            stages.stage("points", |pass| {
                pass.set_pipeline(&kernel.get());
                pass.set_bind_group(0, bind_group, &[]);
                pass.set_bind_group(1, maps, &[]);
                pass.dispatch_workgroups(1, 1, 1);
            });
        });
        let at = batch.times_s.len() as u64 * SAMPLE_BYTES;
        let buffer = batch.readback.buffer();
        recorder.encoder().copy_buffer_to_buffer(&self.heights, 0, buffer, at, SAMPLE_BYTES);
        batch.times_s.push(time_s);
        batch.begun.get_or_insert_with(Instant::now);
    }

    /// Maps the recorded samples after their submission, if they are enough.
    pub fn submitted(&mut self) {
        let batch = &mut self.batches[self.filling];
        let is_due = batch.times_s.len() == SAMPLES
            || batch.begun.is_some_and(|begun| begun.elapsed() >= GATHERING);
        if !batch.is_submitted && is_due {
            batch.readback.map();
            batch.is_submitted = true;
            self.filling = 1 - self.filling;
        }
    }

    /// The samples that are ready, oldest first.
    pub fn ready(&mut self) -> Option<Samples> {
        // If both are submitted, the batch to be filled next is the older one.
        let next = &self.batches[self.filling];
        let first = if next.is_submitted { self.filling } else { 1 - self.filling };
        let batch = &mut self.batches[first];
        if !batch.is_submitted || !batch.readback.is_ready() {
            return None;
        }
        batch.is_submitted = false;
        batch.begun = None;
        let times_s = std::mem::replace(&mut batch.times_s, Vec::with_capacity(SAMPLES));
        Some(Samples { sea: batch.sea, readback: batch.readback.clone(), times_s })
    }
}

impl Samples {
    /// Returns times, in seconds of the sea, and heights: once and on any thread.
    pub fn read(&self) -> Vec<(f64, Heights)> {
        let mut samples = Vec::with_capacity(self.times_s.len());
        let read = |bytes: &[u8]| {
            for (time_s, bytes) in
                self.times_s.iter().zip(bytes.chunks_exact(SAMPLE_BYTES as usize))
            {
                let mut heights = [0.0_f32; POINTS];
                bytemuck::cast_slice_mut(&mut heights).copy_from_slice(bytes);
                samples.push((*time_s, heights));
            }
        };
        if let Some(Err(error)) = self.readback.read(read) {
            log::warn!("the measured points did not come back: {error}");
        }
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::POINTS_A_SIDE;

    #[test]
    fn the_shader_has_as_many_points() {
        let module = crate::gpu::shader::LIBRARY.compose(SHADER).unwrap();
        for line in [
            format!("array<f32, {POINTS}>"),
            format!("const POINTS_A_SIDE: u32 = {POINTS_A_SIDE}u;"),
            format!("@workgroup_size({POINTS_A_SIDE}, {POINTS_A_SIDE})"),
        ] {
            assert!(module.text().contains(&line), "{line}");
        }
    }
}
