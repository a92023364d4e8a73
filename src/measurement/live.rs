use std::sync::Arc;
use std::time::Duration;

use super::layers::Layers;
use super::points::Points;
use super::worker::{Job, Worker};
use super::{Measured, MeasurementError, Subject, Whitecaps};
use crate::foam::Foam;
use crate::gpu::{Allocations, Destroyed};
use crate::ocean::Ocean;
use crate::platform::{self, Instant, Task};
use crate::profile::Recorder;
use crate::spectrum::{InitialSpectrum, Interpolation};

/// Measures an ocean's maps while frames continue: copies are part of the frame's commands, read-back is
/// polled, and a separate thread does the rest, or in a browser a cooperative task. No function submits
/// or waits, except dropping it, which waits for that thread's current layer.
///
/// Call [`Live::encode`] or [`Live::record`] in each frame after the commands that fill the maps, and
/// [`Live::submitted`] after the submission. The device has to be polled now and then.
#[derive(Debug)]
pub struct Live {
    layers: Layers,
    points: Points,
    whitecaps: Option<Whitecaps>,
    /// The number of the sea of the last whitecap cover, and the time of the next.
    whitecaps_sea: u64,
    whitecaps_due: Instant,
    worker: Worker,
    sea: u64,
    interpolation: Vec<Interpolation>,
}

/// The pause between measurements of whitecaps.
const WHITECAPS_REST: Duration = Duration::from_millis(500);

impl Live {
    /// Starts to measure `ocean`, whose maps it keeps, and the foam on it, if any.
    ///
    /// # Errors
    /// [`MeasurementError`] where its maps cannot be read back, or the system cannot create a thread.
    pub fn new(
        device: &wgpu::Device,
        ocean: &Ocean,
        foam: Option<&Foam>,
    ) -> Result<Self, MeasurementError> {
        let mut live = Self {
            layers: Layers::new(device, ocean.maps())?,
            points: Points::new(ocean.pipelines(), ocean.maps())?,
            whitecaps: foam
                .map(|foam| Whitecaps::new(ocean.pipelines(), ocean.maps(), foam))
                .transpose()?,
            whitecaps_sea: 0,
            whitecaps_due: Instant::now(),
            worker: Worker::start().map_err(|error| MeasurementError::Thread(error.to_string()))?,
            sea: 0,
            interpolation: (0..ocean.spectrum().cascades.len())
                .map(|cascade| ocean.interpolation(cascade))
                .collect(),
        };
        live.set_sea(ocean.spectrum());
        Ok(live)
    }

    /// Starts again with another sea, which the maps show from the next commands on.
    pub fn set_sea(&mut self, spectrum: &InitialSpectrum) {
        self.sea += 1;
        self.worker.give(Job::Sea(self.sea, Box::new(Subject::of(spectrum, &self.interpolation))));
    }

    /// Records into an encoder as [`Live::record`] does, without timing.
    pub fn encode(&mut self, encoder: &mut wgpu::CommandEncoder, foam: Option<&Foam>, time_s: f64) {
        self.record(&mut Recorder::new(encoder), foam, time_s);
    }

    /// Passes on what has arrived, and records copies of the maps at `time_s` and a measurement of the
    /// foam on them.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, foam: Option<&Foam>, time_s: f64) {
        if let Some(layers) = self.layers.ready(self.worker.busy()) {
            self.worker.give(Job::Layers(layers));
        }
        if let Some(samples) = self.points.ready() {
            self.worker.give(Job::Samples(samples));
        }
        if let (Some(whitecaps), Some(foam)) = (&mut self.whitecaps, foam) {
            if let Some(cover) = whitecaps.ready() {
                self.worker.give(Job::Whitecaps(self.whitecaps_sea, cover));
            }
            let is_due = Instant::now() >= self.whitecaps_due;
            if is_due && whitecaps.record(recorder, foam, time_s) {
                self.whitecaps_sea = self.sea;
                self.whitecaps_due = Instant::now() + WHITECAPS_REST;
            }
        }
        self.points.record(recorder, self.sea, time_s);
        self.layers.record(recorder.encoder(), self.sea, time_s);
    }

    /// Maps the copies after the submission of their commands.
    pub fn submitted(&mut self) {
        self.points.submitted();
        self.layers.submitted();
    }

    /// Ends without waiting, and returns the task, which finishes the current layer.
    pub fn stop(mut self) -> Option<Task> {
        self.worker.end()
    }

    fn allocations<A: Allocations>(&self) -> A {
        let whitecaps = self.whitecaps.iter().map(Whitecaps::allocations::<A>);
        self.layers.allocations::<A>() + self.points.allocations() + whitecaps.sum()
    }

    /// The newest measurement; none before the theory of the first sea is ready. A new sea replaces the
    /// one before once its theory is ready.
    pub fn measured(&self) -> Option<Arc<Measured>> {
        self.worker.measured()
    }
}

impl Drop for Live {
    /// The recorded copies are submitted by then, and their results are dropped.
    fn drop(&mut self) {
        if platform::FREES_LATE {
            self.worker.end();
            let Destroyed = self.allocations();
        }
    }
}
