//! A finished recording and its file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use puffin::{FrameView, GlobalProfiler};

use super::streams::{Inbox, Replay};
use super::{FrameTimes, GpuTimes};

/// Whole frames, ready to be written as one `.puffin` file, which `puffin_viewer` opens.
pub struct Capture {
    pub(super) frames: Vec<Arc<FrameTimes>>,
    pub(super) has_timers: bool,
}

/// Why a capture could not be written.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The file could not be created or filled.
    #[error("the capture could not be written to {}: {message}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system or puffin says.
        message: String,
    },
    /// The device stopped answering while the last frames were awaited.
    #[error("the GPU did not finish the frames of the capture: {0}")]
    Poll(#[from] wgpu::PollError),
    /// [`Profiler::start_capture`](super::Profiler::start_capture) was not called.
    #[error("no capture is under way")]
    NotStarted,
}

impl Capture {
    /// Frames in the capture.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Frames that hold GPU passes too: all of them, unless the adapter has no timestamps or
    /// lost some.
    pub fn frames_with_gpu(&self) -> usize {
        let is_timed = |frame: &&Arc<FrameTimes>| matches!(frame.gpu, GpuTimes::Timed { .. });
        self.frames.iter().filter(is_timed).count()
    }

    /// One line for people: what is in the capture, and why something is not.
    pub fn summary(&self) -> String {
        let frames = self.frames();
        match self.frames_with_gpu() {
            with_gpu if with_gpu == frames => format!("{frames} frames, CPU scopes and GPU passes"),
            _ if !self.has_timers => {
                format!("{frames} frames, CPU scopes only: this adapter has no timestamps")
            }
            with_gpu => format!(
                "{frames} frames, CPU scopes; GPU passes in {with_gpu} of them (the GPU's timers lost the others)"
            ),
        }
    }

    /// Writes the capture to `path`, replacing what is there.
    ///
    /// # Errors
    /// [`CaptureError::Write`] where the file cannot be created or filled.
    pub fn write(&self, path: &Path) -> Result<(), CaptureError> {
        let failed = |message: String| CaptureError::Write { path: path.to_owned(), message };
        let file = File::create(path).map_err(|error| failed(error.to_string()))?;
        let mut file = BufWriter::new(file);
        self.view().write(&mut file).map_err(|error| failed(format!("{error:#}")))?;
        file.flush().map_err(|error| failed(error.to_string()))
    }

    /// The frames as puffin's viewer takes them.
    fn view(&self) -> FrameView {
        let mut view = FrameView::default();
        // puffin's default drops all but the last 1000.
        view.set_max_recent(self.frames.len());
        let (inbox, mut profiler, mut replay) =
            (Inbox::default(), GlobalProfiler::default(), Replay::default());
        profiler.add_sink(inbox.sink());
        for frame in &self.frames {
            replay.play(&mut profiler, frame);
            for frame in inbox.take() {
                view.add_frame(frame);
            }
        }
        view
    }
}
