//! The sea that runs, measured, while somebody looks at it.

use std::sync::Arc;

use crate::app::platform::Task;
use crate::foam::Foam;
use crate::frame::Frame;
use crate::measurement::{Live, Measured};
use crate::profile::Recorder;
use crate::spectrum::InitialSpectrum;

/// Measures while it is on; off, it costs nothing.
#[derive(Debug, Default)]
pub(super) enum Measuring {
    /// Nobody looks.
    #[default]
    Off,
    /// The frame's ocean is measured.
    On(Box<Live>),
    /// It cannot be; not tried again before it was off, or there is another frame.
    Refused(String),
}

/// What panels show of it.
#[derive(Clone, Debug, Default)]
pub(super) struct MeasuringFacts {
    /// What was measured last.
    pub measured: Option<Arc<Measured>>,
    /// Why nothing can be.
    pub refused: Option<String>,
}

impl Measuring {
    /// Goes on or off, as it `is_wanted`. Gives back what finishes what it has in hand.
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

    /// Goes off, also where another frame runs, with maps of its own. Gives back what
    /// finishes what it has in hand.
    #[must_use]
    pub fn stop(&mut self) -> Option<Task> {
        match std::mem::take(self) {
            Self::On(live) => live.stop(),
            Self::Off | Self::Refused(_) => None,
        }
    }

    /// The frame shows another sea.
    pub fn set_sea(&mut self, spectrum: &InitialSpectrum) {
        if let Self::On(live) = self {
            live.set_sea(spectrum);
        }
    }

    /// Behind a frame that shows the sea at `time_s`.
    pub fn record(&mut self, recorder: &mut Recorder<'_>, foam: &Foam, time_s: f64) {
        if let Self::On(live) = self {
            live.record(recorder, Some(foam), time_s);
        }
    }

    /// The frame is submitted.
    pub fn submitted(&mut self) {
        if let Self::On(live) = self {
            live.submitted();
        }
    }

    /// What panels show of it.
    pub fn facts(&self) -> MeasuringFacts {
        match self {
            Self::Off => MeasuringFacts::default(),
            Self::On(live) => MeasuringFacts { measured: live.measured(), refused: None },
            Self::Refused(error) => MeasuringFacts { measured: None, refused: Some(error.clone()) },
        }
    }
}
