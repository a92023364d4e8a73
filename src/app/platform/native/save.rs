//! Results that users keep, in files with unused names.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::profile::{Capture, CaptureInfo};
use seaway_core::atomic_write;

/// Saves captures and tables as files.
#[derive(Clone, Debug)]
pub(crate) struct Exporter {
    folder: PathBuf,
}

impl Default for Exporter {
    /// Saves in the current folder.
    fn default() -> Self {
        Self::within(working_folder())
    }
}

impl Exporter {
    pub fn within(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Saves `bytes` as `NAME-DATE.EXTENSION`, and returns a message with the place. The error is a message
    /// with the reason.
    pub fn file(&self, name: &str, extension: &str, bytes: &[u8]) -> Result<String, String> {
        save(&self.folder, name, extension, bytes)
    }

    /// Saves a picture as [`Exporter::file`] does, among the user's pictures where there is a folder for them.
    pub fn picture(&self, name: &str, extension: &str, bytes: &[u8]) -> Result<String, String> {
        let pictures = dirs::picture_dir().filter(|folder| folder.is_dir());
        save(&pictures.unwrap_or_else(working_folder), name, extension, bytes)
    }

    /// Saves the files of a capture, and returns a message with the place.
    pub fn capture(&self, capture: &Capture, info: &CaptureInfo) -> Result<String, String> {
        let folder = unused_path(&self.folder, "seaway", "");
        capture.write(&folder, info).map_err(|error| error.to_string())?;
        Ok(folder.display().to_string())
    }
}

fn save(folder: &Path, name: &str, extension: &str, bytes: &[u8]) -> Result<String, String> {
    let path = unused_path(folder, name, extension);
    let written = atomic_write::write(&path, |file| file.write_all(bytes));
    written.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path.display().to_string())
}

fn working_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| std::env::temp_dir())
}

/// An unused path `folder/name-date-time.extension`, or without an extension for a folder, with a number
/// appended where that exists.
fn unused_path(folder: &Path, name: &str, extension: &str) -> PathBuf {
    let stamp = chrono::Local::now().format("%Y-%m-%d_%H-%M-%S");
    let dot = if extension.is_empty() { "" } else { "." };
    let plain = folder.join(format!("{name}-{stamp}{dot}{extension}"));
    let mut numbered =
        (2..).map(|number| folder.join(format!("{name}-{stamp}-{number}{dot}{extension}")));
    if plain.exists() { numbered.find(|path| !path.exists()).unwrap_or(plain) } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_never_replace_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let mut paths = Vec::new();
        for _ in 0..4 {
            let path = unused_path(folder.path(), "seaway", "png");
            assert!(!path.exists(), "{}", path.display());
            std::fs::write(&path, []).unwrap();
            paths.push(path);
        }
        paths.dedup();
        assert_eq!(paths.len(), 4);
    }
}
