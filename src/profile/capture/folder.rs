//! Writes a recording's files into a folder.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::{Capture, CaptureError, CaptureInfo, Fill, puffin};

impl Capture {
    /// Writes the files into `folder`, which is made if it does not exist; other files in it stay. They are
    /// written elsewhere and moved there when all are complete.
    ///
    /// # Errors
    /// [`CaptureError::Write`] if the folder cannot be made or a file cannot be filled; then `folder` is as
    /// before.
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

    /// Returns the files' names, the summary's last, or that of the file that could not be written.
    fn write_files(
        &self,
        folder: &Path,
        info: &CaptureInfo,
    ) -> Result<[&'static str; 5], (&'static str, io::Error)> {
        let puffin: Fill<'_> = Box::new(|file| puffin::write(&self.frames, file));
        let [trace, table, words, summary] = self.files(info);
        let files = [("capture.puffin", puffin), trace, table, words, summary];
        let names = files.each_ref().map(|(name, _)| *name);
        for (name, fill) in files {
            write_file(&folder.join(name), fill).map_err(|error| (name, error))?;
        }
        Ok(names)
    }

    /// Writes `capture.puffin` alone to `path`, replacing an existing file.
    ///
    /// # Errors
    /// [`CaptureError::Write`] if the file cannot be created or filled.
    pub fn write_puffin(&self, path: &Path) -> Result<(), CaptureError> {
        write_file(path, |file| puffin::write(&self.frames, file))
            .map_err(|error| CaptureError::write(path, &error))
    }
}

/// Synchronises the file, since a full disk may report its error only then.
fn write_file(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    fill(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}
