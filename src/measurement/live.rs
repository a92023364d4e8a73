//! An ocean that is measured while it runs.

use std::sync::Arc;
use std::thread::JoinHandle;

use super::layers::Layers;
use super::points::Points;
use super::worker::{Job, Worker};
use super::{Measured, MeasurementError, Subject};
use crate::ocean::Ocean;
use crate::profile::Recorder;
use crate::spectrum::{InitialSpectrum, Interpolation};

/// Measures an ocean's maps while frames go on: copies go into the frame's own commands, what comes
/// back is polled for, and a thread of its own does the rest. Nothing here submits or waits, but for
/// dropping it, which waits for the layer in hand.
///
/// In each frame: [`Live::record`] after what fills the maps, [`Live::submitted`] after the
/// submission. The device has to be polled now and then, as any program does.
#[derive(Debug)]
pub struct Live {
    layers: Layers,
    points: Points,
    worker: Worker,
    sea: u64,
    interpolation: Vec<Interpolation>,
}

impl Live {
    /// Begins to measure `ocean`, whose maps it keeps.
    ///
    /// # Errors
    /// [`MeasurementError`] where its maps cannot be brought back, or the system gives no thread.
    pub fn new(device: &wgpu::Device, ocean: &Ocean) -> Result<Self, MeasurementError> {
        let mut live = Self {
            layers: Layers::new(device, ocean.maps())?,
            points: Points::new(device, ocean.maps())?,
            worker: Worker::start().map_err(|error| MeasurementError::Thread(error.to_string()))?,
            sea: 0,
            interpolation: (0..ocean.spectrum().cascades.len())
                .map(|cascade| ocean.interpolation(cascade))
                .collect(),
        };
        live.set_sea(ocean.spectrum());
        Ok(live)
    }

    /// The maps show another sea from the next commands on: everything begins anew.
    pub fn set_sea(&mut self, spectrum: &InitialSpectrum) {
        self.sea += 1;
        self.worker.give(Job::Sea(self.sea, Box::new(Subject::of(spectrum, &self.interpolation))));
    }

    /// Hands on what has come back, and records copies of the maps as they are at `time_s`.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, time_s: f64) {
        if let Some(arrived) = self.layers.arrived(self.worker.busy()) {
            self.worker.give(Job::Layers(arrived));
        }
        if let Some(looks) = self.points.arrived() {
            self.worker.give(Job::Looks(looks));
        }
        self.points.record(recorder, self.sea, time_s);
        self.layers.record(recorder.encoder(), self.sea, time_s);
    }

    /// The commands are submitted.
    pub fn submitted(&mut self) {
        self.points.submitted();
        self.layers.submitted();
    }

    /// Ends without waiting: gives back the thread, which finishes the layer in hand.
    pub fn stop(self) -> Option<JoinHandle<()>> {
        self.worker.stop()
    }

    /// The newest measurement; none before the theory of the first sea is worked out. A sea that has
    /// just been set takes the place of the one before as soon as its own theory is.
    pub fn measured(&self) -> Option<Arc<Measured>> {
        self.worker.measured()
    }
}
