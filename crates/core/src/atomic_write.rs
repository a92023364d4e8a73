//! Writes files atomically: a reader finds the old contents or the new ones.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _};
use std::path::Path;

/// Writes a file by `fill`, and then moves it to `path` in place of an existing one. Readers of `path`
/// find the old file or the new one, at any time and after any failure.
///
/// # Errors
/// An error where the folder of `path` cannot be written to, or `fill` fails; `path` is then unchanged.
///
/// A link stays a link, and its target is written. A pipe or a terminal receives everything or nothing.
pub fn write(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let mut draft = tempfile::tempfile()?;
        fill(&mut draft)?;
        draft.rewind()?;
        return io::copy(&mut draft, &mut OpenOptions::new().write(true).open(path)?).map(drop);
    }
    let target = std::fs::canonicalize(path);
    let path = target.as_deref().unwrap_or(path);
    // In the same folder, since moves between file systems are not atomic.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    // Usual permissions, since temporary files are private to their owner.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let draft = builder.tempfile_in(folder.unwrap_or(Path::new(".")));
    let mut draft = draft.map_err(without_draft)?;
    fill(draft.as_file_mut())?;
    draft.persist(path)?;
    Ok(())
}

/// Checks that files can be written in `folder`, and leaves it unchanged.
///
/// # Errors
/// An error where they cannot.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    tempfile::tempfile_in(folder).map(drop).map_err(without_draft)
}

/// The system's error without the name of the temporary file, which users do not know.
fn without_draft(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((said, _)) => io::Error::new(error.kind(), said),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use super::*;

    #[test]
    fn failed_writes_leave_only_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write(&path, |file| file.write_all(b"old")).unwrap();
        let broken = write(&path, |file| {
            file.write_all(b"half of the ne")?;
            Err(io::Error::other("the power fails"))
        });
        assert_eq!(broken.unwrap_err().to_string(), "the power fails");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write(&path, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let missing = folder.path().join("none").join("file");
        let error = write(&missing, |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains("none"), "{error}");
        check_folder(folder.path()).unwrap();
        assert!(check_folder(missing.parent().unwrap()).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn links_and_pipes_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let [target, link, pipe] = ["target", "link", "pipe"].map(|name| folder.path().join(name));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink("target", &link).unwrap();
        write(&link, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());

        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || fs::read(pipe).unwrap())
        };
        write(&pipe, |file| file.write_all(b"through")).unwrap();
        assert_eq!(reader.join().unwrap(), b"through");
        assert!(!fs::metadata(&pipe).unwrap().is_file());
    }

    #[test]
    #[cfg(unix)]
    fn others_may_read_it_as_they_may_any_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        let (whole, plain) = (folder.path().join("whole"), folder.path().join("plain"));
        write(&whole, |_| Ok(())).unwrap();
        fs::write(&plain, "").unwrap();
        assert_eq!(mode(&whole), mode(&plain));
    }
}
