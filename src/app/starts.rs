//! Counts starts that have shown no sea. A page that wants more memory than it gets ends, and the settings
//! behind it are remembered: without a count, each further visit would end as well.

use std::path::PathBuf;

use crate::app::platform::{self, files};

/// A file with the number of starts in a row that have shown nothing, this one included.
#[derive(Debug, Default)]
pub(super) struct Starts {
    /// `None` where starts are not counted, or not any more.
    path: Option<PathBuf>,
}

impl Starts {
    /// This many starts that have shown nothing are no accident.
    const MOST: u32 = 2;

    /// More than a number takes.
    const MOST_BYTES: u64 = 64;

    /// Counts in the user's configuration folder, on platforms where a program can end without a message.
    pub fn of_user() -> Self {
        let folder = files::config_folder().filter(|_| platform::COUNTS_STARTS);
        Self { path: folder.map(|folder| folder.join("seaway").join("starts")) }
    }

    /// Counts a start. Returns whether so many before it have failed that other settings are to be tried.
    pub fn begin(&self) -> bool {
        let Some(path) = &self.path else { return false };
        let before = match files::read(path, Self::MOST_BYTES) {
            Ok(files::Contents::Text(text)) => text.trim().parse().unwrap_or(0_u32),
            _ => 0,
        };
        if let Err(error) = files::write(path, &before.saturating_add(1).to_string()) {
            log::warn!("{} could not be written: {error}", path.display());
        }
        before >= Self::MOST
    }

    /// Clears the count, once the sea is shown.
    pub fn succeeded(&mut self) {
        if let Some(path) = self.path.take()
            && let Err(error) = files::remove(&path)
        {
            log::warn!("{} could not be removed: {error}", path.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_failed_starts_lead_to_another_sea() {
        let folder = tempfile::tempdir().unwrap();
        let starts = || Starts { path: Some(folder.path().join("seaway").join("starts")) };
        assert_eq!([(); 4].map(|()| starts().begin()), [false, false, true, true]);
        let mut shown = starts();
        shown.succeeded();
        // It is shown frame by frame.
        shown.succeeded();
        assert!(!starts().begin());
        std::fs::write(starts().path.unwrap(), "many\n").unwrap();
        assert!(!starts().begin());
        // Natively, users see how the program ended.
        assert!(!Starts::of_user().begin() && Starts::of_user().path.is_none());
    }
}
