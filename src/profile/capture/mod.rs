//! A finished recording and its folder.
//!
//! | file | for |
//! |---|---|
//! | `capture.puffin` | `puffin_viewer` |
//! | `trace.json` | Perfetto (ui.perfetto.dev) and chrome://tracing: see [`trace`] |
//! | `passes.csv` | spreadsheets and scripts, a row for each frame and scope: see [`table`] |
//! | `summary.json` | programs: [`Summary`] |
//! | `summary.md` | people |

#[cfg(not(target_family = "wasm"))]
mod folder;
#[cfg(not(target_family = "wasm"))]
mod puffin;
mod summary;
mod table;
mod trace;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{FrameTimes, GpuTimes};

pub use summary::{PassSummary, Side, Summary};

/// Complete frames, ready to be written.
///
/// ```no_run
/// use std::path::Path;
///
/// use seaway::profile::{CaptureError, CaptureInfo, Profiler};
///
/// # fn f(
/// #     device: &wgpu::Device, queue: &wgpu::Queue, adapter: &wgpu::AdapterInfo,
/// #     mut draw: impl FnMut(&mut Profiler),
/// # ) -> Result<(), CaptureError> {
/// let mut profiler = Profiler::new(device, queue);
/// profiler.start_capture(100);
/// for _ in 0..100 {
///     draw(&mut profiler); // from `begin_frame` to `submit`
/// }
/// let capture = profiler.finish_capture(device)?;
/// let info = CaptureInfo::of(adapter);
/// println!("{}", capture.summary(&info).markdown());
/// capture.write(Path::new("capture"), &info)?; // all files, in a folder
/// capture.write_puffin(Path::new("frames.puffin"))?; // one file, for `puffin_viewer`
/// # Ok(())
/// # }
/// ```
pub struct Capture {
    frames: Vec<Arc<FrameTimes>>,
    has_timers: bool,
}

/// Metadata of a capture that the profiler does not have: enough to record it again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CaptureInfo {
    /// Name of the graphics adapter.
    pub adapter: String,
    /// Its driver and the driver's version.
    pub driver: String,
    /// The API: `vulkan`, `metal`, `dx12` or `webgpu`.
    pub backend: String,
    /// Date and time of the first frame.
    pub date: String,
    /// The command that records it again.
    pub command_line: String,
    /// The program's settings, by name.
    pub settings: serde_json::Value,
    /// Whether settings changed while the frames were recorded: `settings` holds those of the first.
    pub settings_changed: bool,
}

impl CaptureInfo {
    /// The metadata with the adapter's part filled in.
    pub fn of(adapter: &wgpu::AdapterInfo) -> Self {
        let driver = [adapter.driver.as_str(), adapter.driver_info.as_str()];
        let driver: Vec<_> = driver.into_iter().filter(|part| !part.is_empty()).collect();
        Self {
            adapter: adapter.name.clone(),
            driver: driver.join(", "),
            backend: adapter.backend.to_string(),
            ..Self::default()
        }
    }
}

/// The reasons why a capture could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// A file or folder could not be made or filled.
    #[error("the capture could not be written to {}: {message}", path.display())]
    Write {
        /// The path of the file or folder.
        path: PathBuf,
        /// The message of the system or of puffin.
        message: String,
    },
    /// The device stopped answering during the wait for the last frames.
    #[error("the GPU did not finish the frames of the capture: {0}")]
    Poll(#[from] wgpu::PollError),
    /// [`Profiler::start_capture`](super::Profiler::start_capture) was not called.
    #[error("no capture is under way")]
    NotStarted,
}

impl CaptureError {
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "a page has no folders"))]
    fn write(path: &Path, error: &dyn std::fmt::Display) -> Self {
        Self::Write { path: path.to_owned(), message: error.to_string() }
    }
}

impl Capture {
    /// A capture of frames in order; `has_timers` means that the device can time passes.
    pub fn new(frames: Vec<Arc<FrameTimes>>, has_timers: bool) -> Self {
        Self { frames, has_timers }
    }

    /// The number of frames in the capture.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// The number of frames that hold GPU passes, too: all of them, unless the adapter has no timestamps or
    /// lost some.
    pub fn frames_with_gpu(&self) -> usize {
        let is_timed = |frame: &&Arc<FrameTimes>| matches!(frame.gpu, GpuTimes::Timed { .. });
        self.frames.iter().filter(is_timed).count()
    }

    /// One line for people: the contents of the capture, and the reasons for missing parts.
    pub fn describe(&self) -> String {
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

    /// Medians and percentiles of each pass, with the metadata.
    pub fn summary(&self, info: &CaptureInfo) -> Summary {
        Summary::of(&self.frames, self.has_timers, info)
    }

    /// The files with the functions that fill them, except puffin's; the summary is the last.
    pub(crate) fn files(&self, info: &CaptureInfo) -> [(&'static str, Fill<'_>); 4] {
        let summary = Rc::new(self.summary(info));
        let [of_trace, of_table] = [Rc::clone(&summary), Rc::clone(&summary)];
        [
            ("trace.json", Box::new(move |file| trace::write(&self.frames, &of_trace, file))),
            ("passes.csv", Box::new(|file| table::write(&self.frames, file))),
            ("summary.md", Box::new(move |file| file.write_all(of_table.markdown().as_bytes()))),
            ("summary.json", Box::new(move |file| summary.write_json(file))),
        ]
    }
}

pub(crate) type Fill<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;

#[cfg(test)]
mod tests;
