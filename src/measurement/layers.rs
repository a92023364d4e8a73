//! Level 0 of the maps, brought back a few layers at a time: no frame copies more than it can hide,
//! and no more memory is held than one such part takes, and its waves in double precision.

use std::sync::Arc;
use std::time::Duration;

use super::MeasurementError;
use super::surface::Layer;
use super::waves::{Texels, texel_bytes};
use crate::gpu::{Holdings, Shuttle};
use crate::maps::{MapFormat, Maps};
use crate::platform::Instant;

/// Bytes that one frame copies: less than a millisecond of any bus. One layer is the least.
const TRIP_BYTES: u64 = 4 << 20;
/// From the end of one look at the whole surface to the next.
const REST: Duration = Duration::from_millis(500);

/// Reads all layers of some maps, again and again. At most one part is under way.
#[derive(Debug)]
pub(super) struct Layers {
    maps: Maps,
    shuttle: Shuttle,
    /// Bytes of a layer, rows padded.
    layer_bytes: u64,
    row_bytes: u32,
    /// Layers that are brought back together, at most.
    layers_a_trip: u32,
    /// The first layer that is still to be read.
    next: u32,
    trip: Option<Trip>,
    /// Nothing is read before.
    due: Instant,
    /// The number of the sea whose layers are read.
    sea: u64,
    /// Held by whoever has layers in hand: nothing more is brought back meanwhile.
    in_hand: Arc<()>,
}

/// Layers that are under way.
#[derive(Debug)]
struct Trip {
    layers: std::ops::Range<u32>,
    time_s: f64,
    /// They are submitted and asked for, and not only recorded.
    is_away: bool,
}

/// Layers that are here.
#[derive(Debug)]
pub(super) struct Arrived {
    /// The number of the sea.
    pub sea: u64,
    /// The sea's time.
    pub time_s: f64,
    /// Which layers: those of displacement first, then those of derivatives.
    pub layers: std::ops::Range<u32>,
    shuttle: Shuttle,
    layer_bytes: usize,
    row_bytes: usize,
    size: u32,
    cascades: u32,
    format: MapFormat,
    _in_hand: Arc<()>,
}

impl Layers {
    /// A reader of `maps`.
    ///
    /// # Errors
    /// [`MeasurementError::TooLarge`] where a layer does not fit a buffer of the device.
    pub fn new(device: &wgpu::Device, maps: &Maps) -> Result<Self, MeasurementError> {
        let descriptor = maps.descriptor();
        let row_bytes = descriptor.size * texel_bytes(descriptor.format) as u32;
        let row_bytes = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let layer_bytes = u64::from(row_bytes) * u64::from(descriptor.size);
        let available = device.limits().max_buffer_size;
        if layer_bytes > available {
            return Err(MeasurementError::TooLarge { needed: layer_bytes, available });
        }
        let fitting = (TRIP_BYTES.min(available) / layer_bytes).max(1);
        let layers_a_trip = fitting.min(u64::from(2 * descriptor.cascades)) as u32;
        let bytes = u64::from(layers_a_trip) * layer_bytes;
        Ok(Self {
            maps: maps.clone(),
            shuttle: Shuttle::new(device, "Layers::shuttle", bytes),
            layer_bytes,
            row_bytes,
            layers_a_trip,
            next: 0,
            trip: None,
            due: Instant::now(),
            sea: 0,
            in_hand: Arc::new(()),
        })
    }

    pub fn holdings<H: Holdings>(&self) -> H {
        self.shuttle.holdings()
    }

    /// Records the copy of the layers whose turn it is, if it is time, as the maps have them at
    /// `time_s`, of the sea of that number.
    pub fn record(&mut self, encoder: &mut wgpu::CommandEncoder, sea: u64, time_s: f64) {
        let is_in_hand = Arc::strong_count(&self.in_hand) > 1;
        let is_away = self.trip.is_some() || !self.shuttle.is_free();
        if is_away || is_in_hand || Instant::now() < self.due {
            return;
        }
        if self.sea != sea {
            self.sea = sea;
            self.next = 0;
        }
        let all = 2 * self.maps.descriptor().cascades;
        let layers = self.next..(self.next + self.layers_a_trip).min(all);
        let size = self.maps.descriptor().size;
        encoder.copy_texture_to_buffer(
            wgpu::TexelCopyTextureInfo {
                texture: self.maps.texture(),
                mip_level: 0,
                origin: wgpu::Origin3d { x: 0, y: 0, z: layers.start },
                aspect: wgpu::TextureAspect::All,
            },
            wgpu::TexelCopyBufferInfo {
                buffer: self.shuttle.buffer(),
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
        self.trip = Some(Trip { layers, time_s, is_away: false });
    }

    /// What was recorded is submitted: sends for it.
    pub fn submitted(&mut self) {
        if let Some(trip) = self.trip.as_mut().filter(|trip| !trip.is_away) {
            trip.is_away = true;
            self.shuttle.depart();
        }
    }

    /// Layers that have come back. `busy` is how long the last look at the whole surface took: the
    /// processor rests twice as long.
    pub fn arrived(&mut self, busy: Duration) -> Option<Arrived> {
        if !self.shuttle.has_arrived() {
            return None;
        }
        let Trip { layers, time_s, .. } = self.trip.take()?;
        if self.next == 0 {
            self.due = Instant::now() + REST.max(2 * busy);
        }
        let descriptor = self.maps.descriptor();
        Some(Arrived {
            sea: self.sea,
            time_s,
            layers,
            shuttle: self.shuttle.clone(),
            layer_bytes: self.layer_bytes as usize,
            row_bytes: self.row_bytes as usize,
            size: descriptor.size,
            cascades: descriptor.cascades,
            format: descriptor.format,
            _in_hand: Arc::clone(&self.in_hand),
        })
    }
}

impl Arrived {
    /// Takes out of them what there is of a surface; on any thread. Once.
    pub fn unload(&self) -> Vec<Layer> {
        let mut layers = Vec::new();
        let Self { row_bytes, size, cascades, format, .. } = *self;
        let read = |bytes: &[u8]| {
            for (index, bytes) in self.layers.clone().zip(bytes.chunks_exact(self.layer_bytes)) {
                let texels = Texels { bytes, row_bytes, size, format };
                layers.push(Layer::read(index, cascades, &texels));
            }
        };
        if let Err(error) = self.shuttle.unload(read) {
            log::warn!("the measured maps did not come back: {error}");
        }
        layers
    }
}
