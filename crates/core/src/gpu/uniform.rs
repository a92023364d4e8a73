use std::sync::{Arc, Mutex, PoisonError};

use super::Allocations;

/// A uniform buffer that holds one `T`. Clones are the same buffer.
#[derive(Clone, Debug)]
pub struct Uniform<T> {
    buffer: wgpu::Buffer,
    /// The value that was written last. Each write takes the processor 5 to 10 us, and most values of a
    /// frame are those of the frame before.
    written: Arc<Mutex<Option<T>>>,
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
        Self { buffer, written: Arc::default() }
    }

    /// Creates a uniform that holds `value`.
    pub fn with(device: &wgpu::Device, label: &str, value: &T) -> Self {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = filled(device, label, usage, bytemuck::bytes_of(value));
        Self { buffer, written: Arc::new(Mutex::new(Some(*value))) }
    }

    /// Replaces the contents for all commands submitted after this call. Nothing else may write to the
    /// buffer: contents that equal the last value are not written again.
    pub fn write(&self, queue: &wgpu::Queue, value: &T) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = bytemuck::bytes_of(value);
        if written.as_ref().map(bytemuck::bytes_of) != Some(bytes) {
            queue.write_buffer(&self.buffer, 0, bytes);
            *written = Some(*value);
        }
    }

    /// Visits the buffers that it holds.
    pub fn allocations<A: Allocations>(&self) -> A {
        A::default().with_buffer(&self.buffer)
    }

    /// Returns the buffer, to bind it or to copy from it.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
}

/// Creates a buffer that holds `contents`.
pub fn filled(
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
