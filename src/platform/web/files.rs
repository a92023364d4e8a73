//! Small texts that are kept: in the browser's storage for this page, by paths as of files.

use std::io;
use std::path::{Path, PathBuf};

use web_sys::Storage;

/// What is found under a path. Here everything is a text.
pub(crate) enum Found {
    /// Its text.
    Text(String),
    /// It is larger than was allowed for.
    TooLarge,
    /// It is no file.
    #[expect(dead_code, reason = "natively there are folders and pipes")]
    NoFile,
}

/// Where what is configured is kept, or nothing where the browser keeps nothing.
pub(crate) fn config_folder() -> Option<PathBuf> {
    storage().ok().map(|_| PathBuf::from("config"))
}

/// Where what can be made again is kept, or nothing where the browser keeps nothing.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    storage().ok().map(|_| PathBuf::from("cache"))
}

/// The paths in `folder`.
///
/// # Errors
/// Where the browser keeps nothing.
pub(crate) fn paths_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let storage = storage()?;
    let count = storage.length().map_err(|_| refused())?;
    let keys = (0..count).filter_map(|place| storage.key(place).ok().flatten());
    let paths = keys.map(PathBuf::from);
    Ok(paths.filter(|path| path.parent() == Some(folder)).collect())
}

/// What is found under `path`, of `most_bytes` bytes at most.
///
/// # Errors
/// Where nothing is, with [`io::ErrorKind::NotFound`], or the browser keeps nothing.
pub(crate) fn read(path: &Path, most_bytes: u64) -> io::Result<Found> {
    let text = get(path)?.ok_or(io::ErrorKind::NotFound)?;
    Ok(if text.len() as u64 > most_bytes { Found::TooLarge } else { Found::Text(text) })
}

/// Whether there is something under `path`.
pub(crate) fn is_taken(path: &Path) -> bool {
    get(path).is_ok_and(|text| text.is_some())
}

/// Keeps `text` under `path`, in place of what is there.
///
/// # Errors
/// Where the browser keeps nothing, or no more.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    let full = |_| io::Error::new(io::ErrorKind::StorageFull, "this page's storage is full");
    storage()?.set_item(key(path)?, text).map_err(full)
}

/// Where `path` is, for people, who see no paths of their browser's storage.
#[cfg(feature = "web")]
pub(crate) fn place(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str());
    format!("{} in this browser", name.display())
}

/// Moves what is under `path` to `new_path`.
///
/// # Errors
/// As [`read`] and [`write`].
pub(crate) fn rename(path: &Path, new_path: &Path) -> io::Result<()> {
    let text = get(path)?.ok_or(io::ErrorKind::NotFound)?;
    if path != new_path {
        write(new_path, &text)?;
        remove(path)?;
    }
    Ok(())
}

/// Removes what is under `path`.
///
/// # Errors
/// Where the browser keeps nothing.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
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
