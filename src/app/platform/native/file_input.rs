//! Spectrum files that users drop on the window.

use std::path::PathBuf;

use crate::app::messages::Messages;
use crate::settings::RecordedSea;
use crate::spectrum_file::{self, SpectrumFileError};

/// Whether users can choose files in a dialog.
pub(crate) const CAN_CHOOSE_FILES: bool = false;

/// Whether windows receive files that are dropped on them. winit prefers Wayland where it finds a compositor,
/// and its windows receive none there.
pub(crate) fn receives_files() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_wayland = cfg!(all(unix, not(target_vendor = "apple")));
    !(has_wayland && (is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET")))
}

/// Files that a user opens together.
pub(crate) struct OpenedFiles(Vec<PathBuf>);

impl OpenedFiles {
    #[cfg(test)]
    pub fn of(paths: &[PathBuf]) -> Self {
        Self(paths.to_vec())
    }

    /// Returns the name for messages.
    pub fn name(&self) -> String {
        match &self.0[..] {
            [path] => path.display().to_string(),
            paths => format!("{} files", paths.len()),
        }
    }

    /// Reads the files as one record, with notes.
    ///
    /// # Errors
    /// Those of [`spectrum_file::open_all`].
    pub fn read(&self) -> Result<(RecordedSea, Vec<String>), SpectrumFileError> {
        spectrum_file::open_all(&self.0)
    }
}

/// Gathers the files that are dropped on the window: winit sends an event for each of them.
#[derive(Default)]
pub(crate) struct FileInput(Vec<PathBuf>);

impl FileInput {
    pub fn new(_messages: &Messages) -> Self {
        Self::default()
    }

    /// Adds a file of winit's event.
    pub fn add(&mut self, path: PathBuf) {
        self.0.push(path);
    }

    /// Does nothing: there is no dialog here.
    pub fn choose(&self) {}

    /// Returns the files since the last call.
    pub fn take(&mut self) -> Option<OpenedFiles> {
        let paths = std::mem::take(&mut self.0);
        (!paths.is_empty()).then_some(OpenedFiles(paths))
    }
}
