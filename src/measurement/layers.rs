//! Read-back of level 0 of the maps in parts of a few layers, which bounds the bytes copied by a frame,
//! and the memory for a part and its waves in double precision.

use std::sync::Arc;
use std::time::Duration;

use super::MeasurementError;
use super::surface::Layer;
use super::waves::{Texels, texel_bytes};
use crate::gpu::{Allocations, ReadbackBuffer};
use crate::maps::{MapFormat, Maps};
use crate::platform::Instant;

/// The bytes that one frame copies, less than a millisecond of any bus, and one layer at least.
const PART_BYTES: u64 = 4 << 20;
/// The pause from the end of one pass over the whole surface to the next.
const REST: Duration = Duration::from_millis(500);

/// Reads all layers of some maps repeatedly. At most one part is pending.
#[derive(Debug)]
pub(super) struct Layers {
    maps: Maps,
    readback: ReadbackBuffer,
    /// The bytes of a layer, with padded rows.
    layer_bytes: u64,
    row_bytes: u32,
    /// The most layers of a part.
    layers_a_part: u32,
    /// The first layer of the next part.
    next: u32,
    part: Option<Part>,
    due: Instant,
    sea: u64,
    /// Shared with the layers in hand: no copies are made while they are read.
    in_hand: Arc<()>,
}

#[derive(Debug)]
struct Part {
    layers: std::ops::Range<u32>,
    time_s: f64,
    is_submitted: bool,
}

#[derive(Debug)]
pub(super) struct ReadyLayers {
    /// The number of the sea that the layers belong to.
    pub sea: u64,
    pub time_s: f64,
    /// The range of layers: those of displacement first, then those of derivatives.
    pub layers: std::ops::Range<u32>,
    readback: ReadbackBuffer,
    layer_bytes: usize,
    row_bytes: usize,
    size: u32,
    cascades: u32,
    format: MapFormat,
    _in_hand: Arc<()>,
}

impl Layers {
    /// Creates a reader of `maps`. Fails with [`MeasurementError::TooLarge`] where a layer does not fit a
    /// buffer of the device.
    pub fn new(device: &wgpu::Device, maps: &Maps) -> Result<Self, MeasurementError> {
        let descriptor = maps.descriptor();
        let row_bytes = descriptor.size * texel_bytes(descriptor.format) as u32;
        let row_bytes = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let layer_bytes = u64::from(row_bytes) * u64::from(descriptor.size);
        let available = device.limits().max_buffer_size;
        if layer_bytes > available {
            return Err(MeasurementError::TooLarge { needed: layer_bytes, available });
        }
        let fitting = (PART_BYTES.min(available) / layer_bytes).max(1);
        let layers_a_part = fitting.min(u64::from(2 * descriptor.cascades)) as u32;
        let bytes = u64::from(layers_a_part) * layer_bytes;
        Ok(Self {
            maps: maps.clone(),
            readback: ReadbackBuffer::new(device, "Layers::readback", bytes),
            layer_bytes,
            row_bytes,
            layers_a_part,
            next: 0,
            part: None,
            due: Instant::now(),
            sea: 0,
            in_hand: Arc::new(()),
        })
    }

    pub fn allocations<A: Allocations>(&self) -> A {
        self.readback.allocations()
    }

    /// Records the copy of the next layers, if it is time, from the maps at `time_s` of the sea with the
    /// given number.
    pub fn record(&mut self, encoder: &mut wgpu::CommandEncoder, sea: u64, time_s: f64) {
        let is_in_hand = Arc::strong_count(&self.in_hand) > 1;
        let is_pending = self.part.is_some() || !self.readback.is_free();
        if is_pending || is_in_hand || Instant::now() < self.due {
            return;
        }
        if self.sea != sea {
            self.sea = sea;
            self.next = 0;
        }
        let all = 2 * self.maps.descriptor().cascades;
        let layers = self.next..(self.next + self.layers_a_part).min(all);
        let size = self.maps.descriptor().size;
        encoder.copy_texture_to_buffer(
            wgpu::TexelCopyTextureInfo {
                texture: self.maps.texture(),
                mip_level: 0,
                origin: wgpu::Origin3d { x: 0, y: 0, z: layers.start },
                aspect: wgpu::TextureAspect::All,
            },
            wgpu::TexelCopyBufferInfo {
                buffer: self.readback.buffer(),
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(self.row_bytes),
                    rows_per_image: Some(size),
                },
            },
            wgpu::Extent3d {
                width: size,
                height: size,
                depth_or_array_layers: layers.end - layers.start,
            },
        );
        self.next = if layers.end == all { 0 } else { layers.end };
        self.part = Some(Part { layers, time_s, is_submitted: false });
    }

    /// Maps the recorded copy, after its submission.
    pub fn submitted(&mut self) {
        if let Some(part) = self.part.as_mut().filter(|part| !part.is_submitted) {
            part.is_submitted = true;
            self.readback.map();
        }
    }

    /// Returns the layers that are ready, once. `busy` is the duration of the last pass over the whole
    /// surface: the processor rests twice as long.
    pub fn ready(&mut self, busy: Duration) -> Option<ReadyLayers> {
        if !self.readback.is_ready() {
            return None;
        }
        let Part { layers, time_s, .. } = self.part.take()?;
        if self.next == 0 {
            self.due = Instant::now() + REST.max(2 * busy);
        }
        let descriptor = self.maps.descriptor();
        Some(ReadyLayers {
            sea: self.sea,
            time_s,
            layers,
            readback: self.readback.clone(),
            layer_bytes: self.layer_bytes as usize,
            row_bytes: self.row_bytes as usize,
            size: descriptor.size,
            cascades: descriptor.cascades,
            format: descriptor.format,
            _in_hand: Arc::clone(&self.in_hand),
        })
    }
}

impl ReadyLayers {
    /// Reads them once, on any thread.
    pub fn read(&self) -> Vec<Layer> {
        let mut layers = Vec::new();
        let Self { row_bytes, size, cascades, format, .. } = *self;
        let read = |bytes: &[u8]| {
            for (index, bytes) in self.layers.clone().zip(bytes.chunks_exact(self.layer_bytes)) {
                let texels = Texels { bytes, row_bytes, size, format };
                layers.push(Layer::read(index, cascades, &texels));
            }
        };
        if let Some(Err(error)) = self.readback.read(read) {
            log::warn!("the measured maps did not come back: {error}");
        }
        layers
    }
}
