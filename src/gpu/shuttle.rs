//! A buffer that brings data back again and again, for those who cannot wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::{Holdings, ReadbackError};

/// Copies may be recorded into it.
const FREE: u8 = 0;
/// Its contents have been asked for.
const UNDER_WAY: u8 = 1;
/// Its contents can be read.
const ARRIVED: u8 = 2;
/// They never will be: the device is gone.
const LOST: u8 = 3;
/// They never will be: the commands that were to fill it were dropped.
const LEFT: u8 = 4;

/// A buffer between the GPU and the processor, used in turn by one and by the other. Nothing here
/// waits or submits. Clones are the same buffer: one records and asks, another may read on a thread
/// of its own.
#[derive(Clone, Debug)]
pub struct Shuttle {
    buffer: wgpu::Buffer,
    stage: Arc<AtomicU8>,
}

impl Shuttle {
    /// An empty one of `bytes` bytes.
    pub fn new(device: &wgpu::Device, label: &str, bytes: u64) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        Self { buffer, stage: Arc::new(AtomicU8::new(FREE)) }
    }

    /// What copies go to, while it [is free](Self::is_free).
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Whether copies may be recorded and submitted.
    pub fn is_free(&self) -> bool {
        self.stage.load(Ordering::Acquire) == FREE
    }

    /// Asks for the contents, once the copies are submitted.
    pub fn depart(&self) {
        self.stage.store(UNDER_WAY, Ordering::Release);
        let stage = Arc::clone(&self.stage);
        self.buffer.map_async(wgpu::MapMode::Read, .., move |said| {
            stage.store(if said.is_ok() { ARRIVED } else { LOST }, Ordering::Release);
        });
    }

    /// As [`Self::depart`], when the commands of `encoder` are submitted: to be called after the copies
    /// are recorded. Where they are dropped instead, the shuttle [is left](Self::is_left).
    pub fn depart_with(&self, encoder: &wgpu::CommandEncoder) {
        self.stage.store(UNDER_WAY, Ordering::Release);
        let journey = Journey(Arc::clone(&self.stage));
        encoder.map_buffer_on_submit(&self.buffer, wgpu::MapMode::Read, .., move |said| {
            journey.0.store(if said.is_ok() { ARRIVED } else { LOST }, Ordering::Release);
        });
    }

    /// Whether the commands that were to fill it were dropped.
    pub fn is_left(&self) -> bool {
        self.stage.load(Ordering::Acquire) == LEFT
    }

    /// Makes it free again, whatever it holds, if that can be.
    pub fn clear(&self) {
        match self.stage.load(Ordering::Acquire) {
            ARRIVED => self.buffer.unmap(),
            LEFT => {}
            _ => return,
        }
        self.stage.store(FREE, Ordering::Release);
    }

    /// Whether the contents are here. It takes a poll of the device for that to change.
    pub fn has_arrived(&self) -> bool {
        self.stage.load(Ordering::Acquire) == ARRIVED
    }

    /// Whether the contents will never be here.
    pub fn is_lost(&self) -> bool {
        self.stage.load(Ordering::Acquire) == LOST
    }

    /// Hands the contents to `read`, and frees the shuttle for other copies. To be called once it
    /// has arrived.
    ///
    /// # Errors
    /// [`ReadbackError`] where the contents are not here.
    pub fn unload<R>(&self, read: impl FnOnce(&[u8]) -> R) -> Result<R, ReadbackError> {
        let result = read(&self.buffer.get_mapped_range(..)?);
        self.buffer.unmap();
        self.stage.store(FREE, Ordering::Release);
        Ok(result)
    }

    /// What it holds.
    pub(crate) fn holdings<H: Holdings>(&self) -> H {
        H::default().with_buffer(&self.buffer)
    }
}

/// Lives for as long as the commands may still be submitted, or the contents still come.
struct Journey(Arc<AtomicU8>);

impl Drop for Journey {
    fn drop(&mut self) {
        // It changes nothing if the contents, or word of them, have come.
        let _ = self.0.compare_exchange(UNDER_WAY, LEFT, Ordering::AcqRel, Ordering::Acquire);
    }
}
