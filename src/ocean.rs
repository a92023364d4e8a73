//! The simulation that others embed: spectrum, Fourier transform and maps, wired in that order.

use crate::fft;
use crate::maps::{MapFormat, Maps, MapsDescriptor, MapsError};
use crate::profile::Recorder;
use crate::settings::{Quality, SeaState};

/// What an [`Ocean`] costs and how it stores what it makes. The sea itself is the same with any
/// options, only finer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OceanOptions {
    /// Points along one side of each cascade; a power of two.
    pub size: u32,
    /// Cascades of ever finer waves, 1 to 4.
    pub cascades: u32,
    /// The Fourier transform.
    pub algorithm: fft::Algorithm,
    /// Samples in a row along the longer side of a footprint when the maps are sampled, at most;
    /// 1 to 16.
    pub anisotropy: u32,
    /// How the maps store a number.
    pub map_format: MapFormat,
}

impl OceanOptions {
    /// What `quality` asks of the ocean.
    pub fn of(quality: &Quality, algorithm: fft::Algorithm) -> Self {
        Self {
            size: quality.size,
            cascades: quality.cascades,
            algorithm,
            anisotropy: quality.anisotropy,
            map_format: MapFormat::F16,
        }
    }

    fn maps(&self) -> MapsDescriptor {
        MapsDescriptor {
            size: self.size,
            cascades: self.cascades,
            format: self.map_format,
            anisotropy: self.anisotropy,
        }
    }
}

impl Default for OceanOptions {
    fn default() -> Self {
        Self::of(&Quality::default(), fft::Algorithm::StockhamR4)
    }
}

/// Why an ocean cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum OceanError {
    /// The maps cannot be made.
    #[error(transparent)]
    Maps(#[from] MapsError),
}

/// A sea that moves. Give it a time, and it fills its maps with the surface at that time.
#[derive(Debug)]
pub struct Ocean {
    options: OceanOptions,
    maps: Maps,
}

impl Ocean {
    /// Builds the sea of `sea_state` and everything that moves it. May run on any thread.
    ///
    /// # Errors
    /// [`OceanError`] where the options are out of range or the device cannot run them.
    pub fn new(
        device: &wgpu::Device,
        _queue: &wgpu::Queue,
        _sea_state: &SeaState,
        options: OceanOptions,
    ) -> Result<Self, OceanError> {
        Ok(Self { options, maps: Maps::new(device, &options.maps())? })
    }

    /// Moves the point that positions in shaders are relative to; see [`Maps::set_origin`].
    pub fn set_origin(&mut self, queue: &wgpu::Queue, origin_m: [f64; 2]) {
        self.maps.set_origin(queue, origin_m);
    }

    /// Records what fills the maps with the sea at `time_s`. Neither submits nor waits, and may
    /// be called several times for one submission.
    pub fn encode(&self, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder, time_s: f64) {
        self.record(&mut Recorder::new(encoder), queue, time_s);
    }

    /// As [`Ocean::encode`], timing each stage where `recorder` does.
    pub fn record(&self, recorder: &mut Recorder<'_>, _queue: &wgpu::Queue, _time_s: f64) {
        recorder.compute("ocean", |_| {});
    }

    /// The sea at the time recorded last.
    pub fn maps(&self) -> &Maps {
        &self.maps
    }

    /// What the ocean was built with.
    pub fn options(&self) -> &OceanOptions {
        &self.options
    }
}
