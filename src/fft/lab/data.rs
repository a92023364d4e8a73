//! Random images in the buffers of a transform, and what comes out of it.

use half::f16;
use half::slice::HalfFloatSliceExt as _;

use super::gate::noise;
use crate::fft::descriptor::{Descriptor, Layout, Precision};
use crate::gpu::{self, ReadbackError};

/// Most bytes that are uploaded at once: the queue keeps a copy until they have arrived.
const UPLOAD_BYTES: usize = 256 << 20;

/// Which layers of a batch are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    All,
    /// The first and the last: those that are looked at.
    Ends,
}

/// Bytes of one layer of `task`: an image, or two.
pub(super) fn layer_bytes(task: &Descriptor) -> u64 {
    task.points() * u64::from(task.element_bytes())
}

/// Bytes of the whole batch.
pub(crate) fn data_bytes(task: &Descriptor) -> u64 {
    layer_bytes(task) * u64::from(task.layout.layers(task.batch))
}

/// A buffer for transforms to work on.
pub(crate) fn storage(device: &wgpu::Device, label: &str, bytes: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Writes [`noise`] into the input of `task`, each image its own, so that a kernel that mixes up the
/// images of a batch is seen.
pub(super) fn upload(queue: &wgpu::Queue, task: &Descriptor, buffer: &wgpu::Buffer, which: Which) {
    let points = task.points() as usize;
    let layers = task.layout.layers(task.batch);
    let mut pending = 0;
    for layer in 0..layers {
        if which == Which::Ends && layer > 0 && layer + 1 < layers {
            continue;
        }
        let values: Vec<[f32; 2]> = match task.layout {
            Layout::Planar => noise(layer, points),
            // The padding of an odd batch is an image like the others.
            Layout::Pair => noise(2 * layer, points)
                .into_iter()
                .zip(noise(2 * layer + 1, points))
                .flat_map(|(a, b)| [a, b])
                .collect(),
        };
        let bytes = stored(values.as_flattened(), task.precision);
        queue.write_buffer(buffer, u64::from(layer) * layer_bytes(task), &bytes);
        pending += bytes.len();
        if pending >= UPLOAD_BYTES {
            queue.submit([]);
            pending = 0;
        }
    }
}

/// Numbers as `precision` keeps them.
fn stored(values: &[f32], precision: Precision) -> Vec<u8> {
    match precision {
        Precision::F32 => bytemuck::cast_slice(values).to_vec(),
        Precision::F16 => {
            let mut halves = vec![f16::ZERO; values.len()];
            halves.convert_from_f32_slice(values);
            bytemuck::cast_slice(&halves).to_vec()
        }
        Precision::F64 => {
            let wide: Vec<f64> = values.iter().copied().map(f64::from).collect();
            bytemuck::cast_slice(&wide).to_vec()
        }
    }
}

/// Numbers that `precision` has kept.
fn read(bytes: &[u8], precision: Precision) -> Vec<f32> {
    match precision {
        Precision::F32 => bytemuck::pod_collect_to_vec(bytes),
        Precision::F16 => {
            let halves: Vec<f16> = bytemuck::pod_collect_to_vec(bytes);
            let mut floats = vec![0.0; halves.len()];
            halves.convert_to_f32_slice(&mut floats);
            floats
        }
        Precision::F64 => {
            let wide: Vec<f64> = bytemuck::pod_collect_to_vec(bytes);
            wide.into_iter().map(|value| value as f32).collect()
        }
    }
}

/// Image `index` of what `task` wrote to `output`. Only its layer is read back.
pub(crate) async fn read_image(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    task: &Descriptor,
    output: &wgpu::Buffer,
    index: u32,
) -> Result<Vec<[f32; 2]>, ReadbackError> {
    let bytes = layer_bytes(task);
    let (layer, part, stride) = match task.layout {
        Layout::Planar => (index, 0, 1),
        Layout::Pair => (index / 2, (index % 2) as usize, 2),
    };
    let copy = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("fft::lab layer"),
        size: bytes,
        usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(output, u64::from(layer) * bytes, &copy, 0, bytes);
    queue.submit([encoder.finish()]);
    let floats = read(&gpu::read_buffer(device, queue, &copy).await?, task.precision);
    let (values, _) = floats.as_chunks();
    Ok(values.iter().copied().skip(part).step_by(stride).collect())
}
