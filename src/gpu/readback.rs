//! Bringing results back to the CPU. Nothing here blocks on the web: the futures resolve when
//! the browser has mapped the buffer; natively they wait for the device.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Poll, Waker};

/// Why data did not come back.
#[derive(Debug, thiserror::Error)]
pub enum ReadbackError {
    /// The buffer could not be mapped.
    #[error("the GPU's result could not be mapped for reading: {0}")]
    Map(#[from] wgpu::BufferAsyncError),
    /// The device stopped answering.
    #[error("the GPU did not finish its work: {0}")]
    Poll(#[from] wgpu::PollError),
    /// The mapped range could not be read.
    #[error("the GPU's result could not be read: {0}")]
    Range(#[from] wgpu::MapRangeError),
}

/// The contents of `buffer`, which needs [`wgpu::BufferUsages::COPY_SRC`].
pub async fn read_buffer(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
) -> Result<Vec<u8>, ReadbackError> {
    map(device, &copied(device, queue, buffer)).await
}

/// The texels of one array layer and mip level of `texture`, rows tightly packed; the texture
/// needs [`wgpu::TextureUsages::COPY_SRC`].
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
    let staging = staging_buffer(device, u64::from(padded_row_bytes) * u64::from(height));
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
            buffer: &staging,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded_row_bytes),
                rows_per_image: None,
            },
        },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
    queue.submit([encoder.finish()]);
    let padded = map(device, &staging).await?;
    Ok(padded
        .chunks_exact(padded_row_bytes as usize)
        .flat_map(|row| &row[..row_bytes as usize])
        .copied()
        .collect())
}

/// A buffer on its way back, for those who cannot wait: neither this nor what it does blocks.
#[derive(Debug)]
pub struct Reading {
    staging: wgpu::Buffer,
    mapped: Arc<OnceLock<Result<(), wgpu::BufferAsyncError>>>,
}

impl Reading {
    /// Submits the copy of `buffer`, which needs [`wgpu::BufferUsages::COPY_SRC`].
    pub fn start(device: &wgpu::Device, queue: &wgpu::Queue, buffer: &wgpu::Buffer) -> Self {
        let staging = copied(device, queue, buffer);
        let mapped = Arc::new(OnceLock::new());
        let result = Arc::clone(&mapped);
        staging.map_async(wgpu::MapMode::Read, .., move |said| {
            // It is called once.
            let _ = result.set(said);
        });
        Self { staging, mapped }
    }

    /// The contents, once they are here and the device was polled since.
    ///
    /// # Errors
    /// [`ReadbackError`] where they never will be.
    pub fn contents(&self) -> Option<Result<Vec<u8>, ReadbackError>> {
        let mapped = self.mapped.get()?.clone();
        Some(mapped.map_err(ReadbackError::from).and_then(|()| take(&self.staging)))
    }
}

/// Submits the copy of `buffer` to one that can be mapped.
fn copied(device: &wgpu::Device, queue: &wgpu::Queue, buffer: &wgpu::Buffer) -> wgpu::Buffer {
    let staging = staging_buffer(device, buffer.size());
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
        label: Some("gpu::read_buffer"),
    });
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
    queue.submit([encoder.finish()]);
    staging
}

fn staging_buffer(device: &wgpu::Device, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("gpu::readback"),
        size,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    })
}

async fn map(device: &wgpu::Device, staging: &wgpu::Buffer) -> Result<Vec<u8>, ReadbackError> {
    #[derive(Default)]
    struct Shared {
        result: Option<Result<(), wgpu::BufferAsyncError>>,
        waker: Option<Waker>,
    }
    let shared = Arc::new(Mutex::new(Shared::default()));
    let callback_shared = Arc::clone(&shared);
    staging.map_async(wgpu::MapMode::Read, .., move |result| {
        let mut shared = callback_shared.lock().expect("no panic while held");
        shared.result = Some(result);
        if let Some(waker) = shared.waker.take() {
            waker.wake();
        }
    });
    // A no-op in the browser, which calls back from its event loop.
    device.poll(wgpu::PollType::wait_indefinitely())?;
    poll_fn(|context| {
        let mut shared = shared.lock().expect("no panic while held");
        match shared.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                shared.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    })
    .await?;
    take(staging)
}

/// What a mapped buffer holds, which is no more after that: a browser would keep it for long.
fn take(staging: &wgpu::Buffer) -> Result<Vec<u8>, ReadbackError> {
    let bytes = staging.get_mapped_range(..)?.to_vec();
    staging.unmap();
    staging.destroy();
    Ok(bytes)
}
