//! Read-back from the GPU: a reusable buffer that never waits, and two functions that do.

use std::future::poll_fn;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

use super::Allocations;

/// The reasons why data did not come back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadbackError {
    /// The buffer could not be mapped, for instance because the device is lost.
    #[error("the GPU's result could not be mapped for reading: {0}")]
    Map(#[from] wgpu::BufferAsyncError),
    /// The commands that fill the buffer were dropped.
    #[error("the read-back has no result: its commands were dropped before they were submitted")]
    NotSubmitted,
    /// The device stopped answering to polls.
    #[error("the GPU did not finish its work: {0}")]
    Poll(#[from] wgpu::PollError),
    /// The mapped range could not be read.
    #[error("the GPU's result could not be read: {0}")]
    Range(#[from] wgpu::MapRangeError),
}

const FREE: u8 = 0;
const PENDING: u8 = 1;
const READY: u8 = 2;
/// The state of a buffer that can never be mapped.
const LOST: u8 = 3;
const DROPPED: u8 = 4;

/// A buffer for repeated read-back: copies fill it, it is mapped, its contents are read, and it is free
/// again. It neither waits nor submits, and a poll of the device maps it. Clones share the buffer and
/// its state, also between threads.
#[derive(Clone, Debug)]
pub struct ReadbackBuffer {
    buffer: wgpu::Buffer,
    mapping: Arc<Mapping>,
}

#[derive(Debug)]
struct Mapping {
    state: AtomicU8,
    /// Wakes the task that waits for the contents.
    waker: Mutex<Option<Waker>>,
}

impl ReadbackBuffer {
    /// Creates a free buffer of `bytes` bytes.
    pub fn new(device: &wgpu::Device, label: &str, bytes: u64) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mapping = Mapping { state: AtomicU8::new(FREE), waker: Mutex::new(None) };
        Self { buffer, mapping: Arc::new(mapping) }
    }

    /// Submits a copy of `source`, which needs [`wgpu::BufferUsages::COPY_SRC`], and maps it.
    pub fn copy_of(device: &wgpu::Device, queue: &wgpu::Queue, source: &wgpu::Buffer) -> Self {
        let readback = Self::new(device, "gpu::read_buffer", source.size());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("gpu::read_buffer"),
        });
        encoder.copy_buffer_to_buffer(source, 0, &readback.buffer, 0, source.size());
        queue.submit([encoder.finish()]);
        readback.map();
        readback
    }

    /// The destination of copies, valid while it [is free](Self::is_free).
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Maps the buffer, after the copies to it are submitted.
    pub fn map(&self) {
        self.buffer.map_async(wgpu::MapMode::Read, .., self.begin());
    }

    /// Maps the buffer when the commands of `encoder` are submitted. Call it after recording the copies.
    /// If the commands are dropped instead, [`Self::read`] returns [`ReadbackError::NotSubmitted`].
    pub fn map_on_submit(&self, encoder: &wgpu::CommandEncoder) {
        encoder.map_buffer_on_submit(&self.buffer, wgpu::MapMode::Read, .., self.begin());
    }

    fn begin(&self) -> impl FnOnce(Result<(), wgpu::BufferAsyncError>) + use<> {
        self.mapping.state.store(PENDING, Ordering::Release);
        let mut pending = Pending(Some(Arc::clone(&self.mapping)));
        move |result| pending.end(if result.is_ok() { READY } else { LOST })
    }

    fn state(&self) -> u8 {
        self.mapping.state.load(Ordering::Acquire)
    }

    /// Returns whether copies may be recorded and submitted.
    pub fn is_free(&self) -> bool {
        self.state() == FREE
    }

    /// Returns whether [`Self::read`] has no result yet: the device has to be polled.
    pub fn is_pending(&self) -> bool {
        self.state() == PENDING
    }

    /// Returns whether the contents can be read.
    pub fn is_ready(&self) -> bool {
        self.state() == READY
    }

    /// Returns whether the commands that fill the buffer were dropped.
    pub fn is_dropped(&self) -> bool {
        self.state() == DROPPED
    }

    /// Passes the contents to `read` and frees the buffer for other copies. `None` while the buffer is
    /// free or pending.
    ///
    /// # Errors
    /// [`ReadbackError::NotSubmitted`] if the commands were dropped, which frees the buffer as well. Other
    /// [`ReadbackError`]s, from then on, if the device was lost.
    pub fn read<R>(&self, read: impl FnOnce(&[u8]) -> R) -> Option<Result<R, ReadbackError>> {
        match self.state() {
            READY => {}
            LOST => return Some(Err(wgpu::BufferAsyncError.into())),
            DROPPED => {
                self.reset();
                return Some(Err(ReadbackError::NotSubmitted));
            }
            _ => return None,
        }
        let result = match self.buffer.get_mapped_range(..) {
            Ok(contents) => read(&contents),
            Err(error) => return Some(Err(error.into())),
        };
        self.reset();
        Some(Ok(result))
    }

    /// Returns the contents as [`Self::read`] does and destroys the buffer, which a browser would keep
    /// for a long time.
    pub fn take(&self) -> Option<Result<Vec<u8>, ReadbackError>> {
        let contents = self.read(<[u8]>::to_vec)?;
        self.buffer.destroy();
        Some(contents)
    }

    /// Frees a buffer that is ready or whose commands were dropped, without reading it.
    pub fn reset(&self) {
        match self.state() {
            READY => self.buffer.unmap(),
            DROPPED => {}
            _ => return,
        }
        self.mapping.state.store(FREE, Ordering::Release);
    }

    /// Takes the contents once they arrive. On native platforms it waits for the device.
    async fn wait(&self, device: &wgpu::Device) -> Result<Vec<u8>, ReadbackError> {
        // This does nothing in a browser, which calls back from its event loop.
        device.poll(wgpu::PollType::wait_indefinitely())?;
        poll_fn(|context| {
            *self.mapping.waker.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(context.waker().clone());
            self.take().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Visits the buffers that it holds.
    pub fn allocations<A: Allocations>(&self) -> A {
        A::default().with_buffer(&self.buffer)
    }
}

/// A pending mapping: `None` once it has ended. It is dropped before that if its commands are.
struct Pending(Option<Arc<Mapping>>);

impl Pending {
    fn end(&mut self, state: u8) {
        let Some(mapping) = self.0.take() else { return };
        mapping.state.store(state, Ordering::Release);
        let waker = mapping.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.end(DROPPED);
    }
}

/// Reads the contents of `buffer`, which needs [`wgpu::BufferUsages::COPY_SRC`]. Natively this waits for
/// the device; in a browser the future resolves when the browser has mapped the copy.
///
/// # Errors
/// [`ReadbackError`] if the device is lost.
pub async fn read_buffer(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
) -> Result<Vec<u8>, ReadbackError> {
    ReadbackBuffer::copy_of(device, queue, buffer).wait(device).await
}

/// Reads the texels of one array layer and mip level of `texture`, rows tightly packed; the texture
/// needs [`wgpu::TextureUsages::COPY_SRC`]. It waits as [`read_buffer`] does.
///
/// # Errors
/// [`ReadbackError`] if the device is lost.
pub async fn read_texture(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
    mip_level: u32,
    layer: u32,
) -> Result<Vec<u8>, ReadbackError> {
    let width = (texture.width() >> mip_level).max(1);
    let height = (texture.height() >> mip_level).max(1);
    let texel_bytes = texture
        .format()
        .block_copy_size(Some(wgpu::TextureAspect::All))
        .expect("a colour format has a texel size");
    let row_bytes = width * texel_bytes;
    let padded_row_bytes = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let bytes = u64::from(padded_row_bytes) * u64::from(height);
    let readback = ReadbackBuffer::new(device, "gpu::read_texture", bytes);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
        label: Some("gpu::read_texture"),
    });
    encoder.copy_texture_to_buffer(
        wgpu::TexelCopyTextureInfo {
            texture,
            mip_level,
            origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
            aspect: wgpu::TextureAspect::All,
        },
        wgpu::TexelCopyBufferInfo {
            buffer: readback.buffer(),
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded_row_bytes),
                rows_per_image: None,
            },
        },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
    queue.submit([encoder.finish()]);
    readback.map();
    let padded = readback.wait(device).await?;
    Ok(padded
        .chunks_exact(padded_row_bytes as usize)
        .flat_map(|row| &row[..row_bytes as usize])
        .copied()
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{Context, LimitsPreset, filled};
    use crate::testing::context_within;

    #[test]
    fn a_buffer_is_reusable_until_its_device_is_lost() {
        let Context { device, queue, .. } = context_within(LimitsPreset::WebGpu);
        let source = filled(&device, "source", wgpu::BufferUsages::COPY_SRC, &[1, 2, 3, 4]);
        let readback = ReadbackBuffer::new(&device, "readback", 4);
        let poll = || device.poll(wgpu::PollType::wait_indefinitely());
        let copy = || {
            assert!(readback.is_free() && readback.read(<[u8]>::to_vec).is_none());
            let mut encoder = device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(&source, 0, readback.buffer(), 0, 4);
            readback.map_on_submit(&encoder);
            assert!(readback.is_pending() && readback.read(<[u8]>::to_vec).is_none());
            encoder
        };
        for _ in 0..2 {
            queue.submit([copy().finish()]);
            poll().unwrap();
            assert!(readback.is_ready());
            assert_eq!(readback.read(<[u8]>::to_vec).unwrap().unwrap(), [1, 2, 3, 4]);

            drop(copy());
            assert!(readback.is_dropped());
            let error = readback.read(<[u8]>::to_vec).unwrap().unwrap_err();
            assert!(matches!(error, ReadbackError::NotSubmitted), "{error}");
        }
        queue.submit([copy().finish()]);
        poll().unwrap();
        readback.reset();
        assert!(readback.is_free());

        device.destroy();
        readback.map();
        let _ = poll();
        for _ in 0..2 {
            let error = readback.read(<[u8]>::to_vec).unwrap().unwrap_err();
            assert!(matches!(error, ReadbackError::Map(_)), "{error}");
        }
        assert!(!readback.is_free() && !readback.is_ready());
    }
}
