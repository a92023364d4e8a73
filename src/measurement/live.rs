//! An ocean that is measured while it runs.

use std::sync::Arc;
use std::time::Duration;

use super::layers::Layers;
use super::points::Points;
use super::worker::{Job, Worker};
use super::{Measured, MeasurementError, Subject, Whitecaps};
use crate::foam::Foam;
use crate::gpu::{Destroyed, Holdings};
use crate::ocean::Ocean;
use crate::platform::{self, Instant, Task};
use crate::profile::Recorder;
use crate::spectrum::{InitialSpectrum, Interpolation};

/// Measures an ocean's maps while frames go on: copies go into the frame's own commands, what comes
/// back is polled for, and a thread of its own does the rest, or in a browser its turns with the page.
/// Nothing here submits or waits, but for dropping it, which waits for the layer in hand of that thread.
///
/// In each frame: [`Live::encode`] or [`Live::record`] after what fills the maps, [`Live::submitted`] after the
/// submission. The device has to be polled now and then, as any program does.
#[derive(Debug)]
pub struct Live {
    layers: Layers,
    points: Points,
    whitecaps: Option<Whitecaps>,
    /// The number of the sea whose whitecaps were looked at last, and when they will be again.
    whitecaps_sea: u64,
    whitecaps_due: Instant,
    worker: Worker,
    sea: u64,
    interpolation: Vec<Interpolation>,
}

/// From one look at the whitecaps to the next.
const WHITECAPS_REST: Duration = Duration::from_millis(500);

impl Live {
    /// Begins to measure `ocean`, whose maps it keeps, and the foam that is drawn on it, if any.
    ///
    /// # Errors
    /// [`MeasurementError`] where its maps cannot be brought back, or the system gives no thread.
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

    /// The maps show another sea from the next commands on: everything begins anew.
    pub fn set_sea(&mut self, spectrum: &InitialSpectrum) {
        self.sea += 1;
        self.worker.give(Job::Sea(self.sea, Box::new(Subject::of(spectrum, &self.interpolation))));
    }

    /// As [`Live::record`], into an encoder, where nothing times the passes.
    pub fn encode(&mut self, encoder: &mut wgpu::CommandEncoder, foam: Option<&Foam>, time_s: f64) {
        self.record(&mut Recorder::new(encoder), foam, time_s);
    }

    /// Hands on what has come back, and records copies of the maps as they are at `time_s`, and what
    /// looks at the foam that is drawn on them.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, foam: Option<&Foam>, time_s: f64) {
        if let Some(layers) = self.layers.ready(self.worker.busy()) {
            self.worker.give(Job::Layers(layers));
        }
        if let Some(looks) = self.points.ready() {
            self.worker.give(Job::Looks(looks));
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

    /// The commands are submitted.
    pub fn submitted(&mut self) {
        self.points.submitted();
        self.layers.submitted();
    }

    /// Ends without waiting: gives back the task, which finishes the layer in hand.
    pub fn stop(mut self) -> Option<Task> {
        self.worker.end()
    }

    fn holdings<H: Holdings>(&self) -> H {
        let whitecaps = self.whitecaps.iter().map(Whitecaps::holdings::<H>);
        self.layers.holdings::<H>() + self.points.holdings() + whitecaps.sum()
    }

    /// The newest measurement; none before the theory of the first sea is worked out. A sea that has
    /// just been set takes the place of the one before as soon as its own theory is.
    pub fn measured(&self) -> Option<Arc<Measured>> {
        self.worker.measured()
    }
}

impl Drop for Live {
    /// What was recorded is submitted by then, and what has come back is taken out.
    fn drop(&mut self) {
        if platform::FREES_LATE {
            self.worker.end();
            let Destroyed = self.holdings();
        }
    }
}
