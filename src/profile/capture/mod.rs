//! A finished recording and its folder.
//!
//! | file | for |
//! |---|---|
//! | `capture.puffin` | `puffin_viewer` |
//! | `trace.json` | Perfetto (ui.perfetto.dev) and chrome://tracing: see [`trace`] |
//! | `passes.csv` | spreadsheets and scripts, a row for each frame and scope: see [`table`] |
//! | `summary.json` | programs: [`Summary`] |
//! | `summary.md` | people |

mod puffin;
mod summary;
mod table;
mod trace;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{FrameTimes, GpuTimes};

pub use summary::{PassSummary, Side, Summary};

/// Whole frames, ready to be written.
pub struct Capture {
    frames: Vec<Arc<FrameTimes>>,
    has_timers: bool,
}

/// What a capture shows, as far as the profiler cannot know it: enough to record it again.
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
    /// What to type for the same again.
    pub command_line: String,
    /// What the program was set to, by name.
    pub settings: serde_json::Value,
    /// They were changed while the frames were recorded: `settings` holds those of the first.
    pub settings_changed: bool,
}

impl CaptureInfo {
    /// With the adapter filled in.
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

/// Why a capture could not be written.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// A file or folder could not be made or filled.
    #[error("the capture could not be written to {}: {message}", path.display())]
    Write {
        /// The file or folder.
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

impl CaptureError {
    fn write(path: &Path, error: &dyn std::fmt::Display) -> Self {
        Self::Write { path: path.to_owned(), message: error.to_string() }
    }
}

impl Capture {
    /// Of frames in order; `has_timers`: the device can time passes.
    pub fn new(frames: Vec<Arc<FrameTimes>>, has_timers: bool) -> Self {
        Self { frames, has_timers }
    }

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

    /// Medians and percentiles of each pass, and what they were measured on.
    pub fn summary(&self, info: &CaptureInfo) -> Summary {
        Summary::of(&self.frames, self.has_timers, info)
    }

    /// Writes the files into `folder`, which is made if it is not there; other files in it stay.
    /// They are written elsewhere and moved there when all are complete.
    ///
    /// # Errors
    /// [`CaptureError::Write`] where the folder cannot be made or a file not be filled; then
    /// `folder` is as before.
    pub fn write(&self, folder: &Path, info: &CaptureInfo) -> Result<(), CaptureError> {
        let failed = |error: io::Error| CaptureError::write(folder, &error);
        // In the folder or beside it: from another file system nothing could be moved in one
        // step. What is left of a failure goes with the draft.
        let is_there = folder.is_dir();
        let parent = match folder.parent() {
            _ if is_there => folder,
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(failed)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".seaway-capture-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let draft = builder.tempdir_in(parent).map_err(failed)?;

        let names = self
            .write_files(draft.path(), info)
            .map_err(|(name, error)| CaptureError::write(&folder.join(name), &error))?;
        if !is_there {
            return fs::rename(draft.path(), folder).map_err(failed);
        }
        names.iter().try_for_each(|name| {
            let path = folder.join(name);
            fs::rename(draft.path().join(name), &path)
                .map_err(|error| CaptureError::write(&path, &error))
        })
    }

    /// The files' names, the summary's last, or that of the file that could not be written.
    fn write_files(
        &self,
        folder: &Path,
        info: &CaptureInfo,
    ) -> Result<[&'static str; 5], (&'static str, io::Error)> {
        let summary = self.summary(info);
        type Fill<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;
        let files: [(&'static str, Fill<'_>); 5] = [
            ("capture.puffin", Box::new(|file| puffin::write(&self.frames, file))),
            ("trace.json", Box::new(|file| trace::write(&self.frames, &summary, file))),
            ("passes.csv", Box::new(|file| table::write(&self.frames, file))),
            ("summary.md", Box::new(|file| file.write_all(summary.markdown().as_bytes()))),
            ("summary.json", Box::new(|file| summary.write_json(file))),
        ];
        let names = files.each_ref().map(|(name, _)| *name);
        for (name, fill) in files {
            write_file(&folder.join(name), fill).map_err(|error| (name, error))?;
        }
        Ok(names)
    }

    /// Writes `capture.puffin` alone to `path`, replacing what is there.
    ///
    /// # Errors
    /// [`CaptureError::Write`] where the file cannot be created or filled.
    pub fn write_puffin(&self, path: &Path) -> Result<(), CaptureError> {
        write_file(path, |file| puffin::write(&self.frames, file))
            .map_err(|error| CaptureError::write(path, &error))
    }
}

/// A disk that is full may say so only when the file is synchronised.
fn write_file(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    fill(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

#[cfg(test)]
mod tests;
