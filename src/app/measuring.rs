//! Measures the running sea while its panel is open.

use std::sync::Arc;

use crate::app::platform::Task;
use crate::foam::Foam;
use crate::frame::Frame;
use crate::measurement::{Live, Measured};
use crate::profile::Recorder;
use crate::spectrum::InitialSpectrum;

#[derive(Debug, Default)]
pub(super) enum Measuring {
    #[default]
    Off,
    On(Box<Live>),
    /// Measuring failed; not tried again before it was off, or there is another frame.
    Refused(String),
}

#[derive(Clone, Debug, Default)]
pub(super) struct MeasuringData {
    pub measured: Option<Arc<Measured>>,
    pub refused: Option<String>,
}

impl Measuring {
    /// Switches measuring on or off. Returns the task that finishes pending work.
    #[must_use]
    pub fn keep_up(
        &mut self,
        is_wanted: bool,
        device: &wgpu::Device,
        frame: Option<&Frame>,
    ) -> Option<Task> {
        match (&self, frame.filter(|_| is_wanted)) {
            (Self::Off, Some(frame)) => {
                *self = match Live::new(device, frame.ocean(), Some(frame.foam())) {
                    Ok(live) => Self::On(Box::new(live)),
                    Err(error) => Self::Refused(error.to_string()),
                };
                None
            }
            (_, None) => self.stop(),
            _ => None,
        }
    }

    /// Switches measuring off, also when another frame with its own maps runs. Returns the task that finishes
    /// pending work.
    #[must_use]
    pub fn stop(&mut self) -> Option<Task> {
        match std::mem::take(self) {
            Self::On(live) => live.stop(),
            Self::Off | Self::Refused(_) => None,
        }
    }

    pub fn set_sea(&mut self, spectrum: &InitialSpectrum) {
        if let Self::On(live) = self {
            live.set_sea(spectrum);
        }
    }

    /// Records behind a frame of the sea at `time_s`.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, foam: &Foam, time_s: f64) {
        if let Self::On(live) = self {
            live.record(recorder, Some(foam), time_s);
        }
    }

    /// To be called once the frame is submitted.
    pub fn submitted(&mut self) {
        if let Self::On(live) = self {
            live.submitted();
        }
    }

    pub fn data(&self) -> MeasuringData {
        match self {
            Self::Off => MeasuringData::default(),
            Self::On(live) => MeasuringData { measured: live.measured(), refused: None },
            Self::Refused(error) => MeasuringData { measured: None, refused: Some(error.clone()) },
        }
    }
}
