//! Small texts in files of the user's folders.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::atomic_write;

/// The contents of a path.
#[derive(Debug)]
pub enum Found {
    /// The whole text of a file.
    Text(String),
    /// The file exceeds the allowed size.
    TooLarge,
    /// The path is a folder, a pipe or a device.
    NoFile,
}

/// The user's folder for configuration, or `None` where the system has none.
pub fn config_folder() -> Option<PathBuf> {
    dirs::config_dir()
}

/// The user's folder for caches, or `None` where the system has none.
pub fn cache_folder() -> Option<PathBuf> {
    dirs::cache_dir()
}

/// The paths in `folder`; none where it does not exist.
///
/// # Errors
/// An error where it exists and cannot be read.
pub fn paths_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Reads the file at `path`, of at most `most_bytes` bytes.
///
/// # Errors
/// [`io::ErrorKind::NotFound`] where it does not exist, or another error where it cannot be read.
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Found> {
    let file = fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(Found::NoFile);
    }
    let mut text = String::new();
    file.take(most_bytes.saturating_add(1)).read_to_string(&mut text)?;
    Ok(if text.len() as u64 > most_bytes { Found::TooLarge } else { Found::Text(text) })
}

/// Returns whether something is at `path`.
pub fn is_taken(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Writes `text` atomically to `path`.
///
/// # Errors
/// An error where the folder or the file cannot be written.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    atomic_write::write(path, |file| file.write_all(text.as_bytes()))
}

/// The name of `path` in messages.
pub fn place(path: &Path) -> String {
    path.display().to_string()
}

/// Moves the text at `path` to `new_path`.
///
/// # Errors
/// An error where the text cannot be read or written.
pub fn rename(path: &Path, new_path: &Path) -> io::Result<()> {
    fs::rename(path, new_path)
}

/// Removes the text at `path`.
///
/// # Errors
/// An error where there is none, or it cannot be removed.
pub fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}
