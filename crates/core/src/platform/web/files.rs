//! Small texts in the browser's storage for this page, by paths like those of files.

use std::io;
use std::path::{Path, PathBuf};

use web_sys::Storage;

/// The contents of a path, here always a text.
#[derive(Debug)]
pub enum Found {
    /// The whole text of a file.
    Text(String),
    /// The text exceeds the allowed size.
    TooLarge,
    /// The path is a folder, a pipe or a device.
    NoFile,
}

/// The path of the configuration, or `None` where the browser has no storage.
pub fn config_folder() -> Option<PathBuf> {
    storage().ok().map(|_| PathBuf::from("config"))
}

/// The path of caches, or `None` where the browser has no storage.
pub fn cache_folder() -> Option<PathBuf> {
    storage().ok().map(|_| PathBuf::from("cache"))
}

/// The paths in `folder`.
///
/// # Errors
/// An error where the browser has no storage.
pub fn paths_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let storage = storage()?;
    let count = storage.length().map_err(|_| refused())?;
    let keys = (0..count).filter_map(|place| storage.key(place).ok().flatten());
    let paths = keys.map(PathBuf::from);
    Ok(paths.filter(|path| path.parent() == Some(folder)).collect())
}

/// Reads the text at `path`, of at most `most_bytes` bytes.
///
/// # Errors
/// [`io::ErrorKind::NotFound`] where it does not exist, or another error where the browser has no
/// storage.
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Found> {
    let text = get(path)?.ok_or(io::ErrorKind::NotFound)?;
    Ok(if text.len() as u64 > most_bytes { Found::TooLarge } else { Found::Text(text) })
}

/// Returns whether something is at `path`.
pub fn is_taken(path: &Path) -> bool {
    get(path).is_ok_and(|text| text.is_some())
}

/// Writes `text` to `path`.
///
/// # Errors
/// An error where the browser has no storage, or it is full.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let full = |_| io::Error::new(io::ErrorKind::StorageFull, "this page's storage is full");
    storage()?.set_item(key(path)?, text).map_err(full)
}

/// The place of `path` for users, who see no paths of their browser's storage.
pub fn place(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str());
    format!("{} in this browser", name.display())
}

/// Moves the text at `path` to `new_path`.
///
/// # Errors
/// An error where the text cannot be read or written.
pub fn rename(path: &Path, new_path: &Path) -> io::Result<()> {
    let text = get(path)?.ok_or(io::ErrorKind::NotFound)?;
    if path != new_path {
        write(new_path, &text)?;
        remove(path)?;
    }
    Ok(())
}

/// Removes the text at `path`.
///
/// # Errors
/// An error where there is none, or it cannot be removed.
pub fn remove(path: &Path) -> io::Result<()> {
    storage()?.remove_item(key(path)?).map_err(|_| refused())
}

fn get(path: &Path) -> io::Result<Option<String>> {
    storage()?.get_item(key(path)?).map_err(|_| refused())
}

fn key(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| io::ErrorKind::InvalidFilename.into())
}

fn storage() -> io::Result<Storage> {
    let storage = web_sys::window().and_then(|window| window.local_storage().ok().flatten());
    storage.ok_or_else(refused)
}

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "the browser stores nothing for this page")
}
