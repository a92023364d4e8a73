//! Small texts in files of the user's folders.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::atomic_write;

pub(crate) enum Found {
    Text(String),
    /// The file exceeds the allowed size.
    TooLarge,
    NoFile,
}

/// The user's folder for configuration, or `None` where the system has none.
pub(crate) fn config_folder() -> Option<PathBuf> {
    dirs::config_dir()
}

/// The user's folder for caches, or `None` where the system has none.
#[cfg(feature = "tune")]
pub(crate) fn cache_folder() -> Option<PathBuf> {
    dirs::cache_dir()
}

/// The paths in `folder`; none where it does not exist. Fails where it exists and cannot be read.
pub(crate) fn paths_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Reads the file at `path`, of at most `most_bytes` bytes. Fails with [`io::ErrorKind::NotFound`] where it
/// does not exist, or another error where it cannot be read.
pub(crate) fn read(path: &Path, most_bytes: u64) -> io::Result<Found> {
    let file = fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(Found::NoFile);
    }
    let mut text = String::new();
    file.take(most_bytes.saturating_add(1)).read_to_string(&mut text)?;
    Ok(if text.len() as u64 > most_bytes { Found::TooLarge } else { Found::Text(text) })
}

pub(crate) fn is_taken(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Writes `text` atomically to `path`. Fails where the folder or the file cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    atomic_write::write(path, |file| file.write_all(text.as_bytes()))
}

#[cfg(feature = "app")]
pub(crate) fn place(path: &Path) -> String {
    path.display().to_string()
}

pub(crate) fn rename(path: &Path, new_path: &Path) -> io::Result<()> {
    fs::rename(path, new_path)
}

pub(crate) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}
