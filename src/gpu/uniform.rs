use std::marker::PhantomData;

use super::Allocations;

/// A uniform buffer that holds one `T`. Clones are the same buffer.
#[derive(Clone, Debug)]
pub struct Uniform<T> {
    buffer: wgpu::Buffer,
    contents: PhantomData<T>,
}

impl<T: bytemuck::Pod> Uniform<T> {
    /// Creates a uniform that holds zeros.
    pub fn new(device: &wgpu::Device, label: &str) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: size_of::<T>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { buffer, contents: PhantomData }
    }

    /// Creates a uniform that holds `value`.
    pub fn with(device: &wgpu::Device, label: &str, value: &T) -> Self {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = filled(device, label, usage, bytemuck::bytes_of(value));
        Self { buffer, contents: PhantomData }
    }

    /// Replaces the contents for all commands submitted after this call.
    pub fn write(&self, queue: &wgpu::Queue, value: &T) {
        queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(value));
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        A::default().with_buffer(&self.buffer)
    }

    /// The buffer itself, for copies into it.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
}

/// Creates a buffer that holds `contents`.
pub(crate) fn filled(
    device: &wgpu::Device,
    label: &str,
    usage: wgpu::BufferUsages,
    contents: &[u8],
) -> wgpu::Buffer {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: (contents.len() as u64).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT),
        usage,
        mapped_at_creation: true,
    });
    // A lost device has no memory to write to, which users of the buffer report. wgpu's own helper would
    // end the program.
    if let Ok(mut mapped) = buffer.get_mapped_range_mut(..) {
        mapped.slice(..contents.len()).copy_from_slice(contents);
    }
    buffer.unmap();
    buffer
}
