//! Small texts that are kept: files in the user's folders.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::whole_file;

/// What is found under a path.
pub(crate) enum Found {
    /// Its text.
    Text(String),
    /// It is larger than was allowed for.
    TooLarge,
    /// It is no file.
    NoFile,
}

/// The user's folder for what is configured, or nothing where the system has none.
pub(crate) fn config_folder() -> Option<PathBuf> {
    dirs::config_dir()
}

/// The user's folder for what can be made again, or nothing where the system has none.
#[cfg(feature = "tune")]
pub(crate) fn cache_folder() -> Option<PathBuf> {
    dirs::cache_dir()
}

/// The paths in `folder`; none where it is not there.
///
/// # Errors
/// Where it is there and cannot be read.
pub(crate) fn paths_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// What is found under `path`, of `most_bytes` bytes at most.
///
/// # Errors
/// Where nothing is, with [`io::ErrorKind::NotFound`], or it cannot be read.
pub(crate) fn read(path: &Path, most_bytes: u64) -> io::Result<Found> {
    let file = fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(Found::NoFile);
    }
    let mut text = String::new();
    file.take(most_bytes.saturating_add(1)).read_to_string(&mut text)?;
    Ok(if text.len() as u64 > most_bytes { Found::TooLarge } else { Found::Text(text) })
}

/// Whether there is something under `path`.
pub(crate) fn is_taken(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Keeps `text` under `path`, whole or not at all, in place of what is there.
///
/// # Errors
/// Where the folder or the file cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    whole_file::write(path, |file| file.write_all(text.as_bytes()))
}

/// Where `path` is, for people.
#[cfg(feature = "app")]
pub(crate) fn place(path: &Path) -> String {
    path.display().to_string()
}

/// Moves what is under `path` to `new_path`.
///
/// # Errors
/// As the system's.
pub(crate) fn rename(path: &Path, new_path: &Path) -> io::Result<()> {
    fs::rename(path, new_path)
}

/// Removes what is under `path`.
///
/// # Errors
/// As the system's.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}
