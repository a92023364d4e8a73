//! Watches the folder of shaders while the window is open. When its files have changed and then rested for a
//! moment, there is a new revision, which the [background](super::background) compiles and the window takes
//! or refuses.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::app::platform::{FolderWatcher, Instant, lock, watch_folders};
use crate::gpu::shader::{self, LIBRARY, Sources};

/// Events that belong together: an editor writes a file aside, renames it, touches it again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Burst(Option<(Instant, Instant)>);

impl Burst {
    /// A burst is over after this long without an event.
    const QUIET: Duration = Duration::from_millis(120);
    /// A burst without an end is read at this interval.
    const LONGEST: Duration = Duration::from_secs(1);

    fn event(&mut self, now: Instant) {
        let first = self.0.map_or(now, |(first, _)| first);
        self.0 = Some((first, now));
    }

    /// Whether a burst is over at `now`; true once.
    fn is_over(&mut self, now: Instant) -> bool {
        let over = self.0.is_some_and(|(first, last)| {
            now.duration_since(last) >= Self::QUIET || now.duration_since(first) >= Self::LONGEST
        });
        if over {
            self.0 = None;
        }
        over
    }
}

/// The errors of watching a folder of shaders.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The folder has no shaders.
    #[error(
        "{} does not hold Seaway's shaders. Name the folder `shaders` of a clone of the \
         repository with --watch-shaders DIR, or start seaway in the clone",
        folder.display()
    )]
    NoShaders {
        /// The path of the folder.
        folder: PathBuf,
    },
    /// The system cannot watch the folder.
    #[error("{} cannot be watched: {reason}", folder.display())]
    System {
        /// The path of the folder.
        folder: PathBuf,
        /// The system's message.
        reason: String,
    },
}

/// The folder to watch where none is named: the one that the program was built from, or `shaders` in the
/// working directory.
pub(super) fn default_folder() -> PathBuf {
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    if has_shaders(&built_from) { built_from } else { PathBuf::from("shaders") }
}

fn has_shaders(folder: &Path) -> bool {
    LIBRARY.files().iter().any(|(name, _)| folder.join(name).is_file())
}

pub(super) struct ShaderWatch {
    folder: PathBuf,
    burst: Arc<Mutex<Burst>>,
    revision: u64,
    /// The last revision that was taken or refused.
    settled: u64,
    error: Option<String>,
    _watcher: FolderWatcher,
}

impl ShaderWatch {
    /// Watches `folder`, whose files are read once at the beginning. From now on all shaders come from
    /// memory: the embedded ones, until the folder's are known to compile. Fails with [`WatchError`] where
    /// the folder has no shaders or the system does not watch it.
    pub fn new(folder: PathBuf) -> Result<Self, WatchError> {
        if !has_shaders(&folder) {
            return Err(WatchError::NoShaders { folder });
        }
        let burst = Arc::new(Mutex::new(Burst::default()));
        let heard = Arc::clone(&burst);
        let watching = watch_folders(&shader::folders(&folder), move || {
            lock(&heard).event(Instant::now());
        });
        let watcher = match watching {
            Ok(watcher) => watcher,
            Err(reason) => return Err(WatchError::System { folder, reason }),
        };
        if Sources::installed().is_none() {
            LIBRARY.embedded().install();
        }
        log::info!("watching the shaders in {}", folder.display());
        Ok(Self { folder, burst, revision: 1, settled: 0, error: None, _watcher: watcher })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The revision that has not been read yet, if there is one at `now`.
    pub fn unsettled(&mut self, now: Instant) -> Option<u64> {
        let mut burst = lock(&self.burst);
        self.revision += u64::from(burst.is_over(now));
        (self.revision != self.settled).then_some(self.revision)
    }

    /// Records the outcome of `revision`. An error stays until a later revision succeeds.
    pub fn settle(&mut self, revision: u64, outcome: Result<(), String>) {
        self.settled = revision;
        self.error = outcome.err();
    }

    /// The error of the present shaders, if they have one.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(milliseconds: u64) -> Instant {
        static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        *START + Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_burst_of_events_is_reported_once() {
        let mut burst = Burst::default();
        assert!(!burst.is_over(after(0)));
        for at in [0, 30, 100, 200] {
            burst.event(after(at));
            assert!(!burst.is_over(after(at + 10)), "at {at}");
        }
        assert!(!burst.is_over(after(319)) && burst.is_over(after(320)));
        assert!(!burst.is_over(after(5_000)), "told twice");
        burst.event(after(6_000));
        assert!(burst.is_over(after(6_120)));
    }

    #[test]
    fn an_endless_burst_is_still_handled() {
        let mut burst = Burst::default();
        let mut looks = 0;
        for step in 0..100 {
            burst.event(after(50 * step));
            looks += u32::from(burst.is_over(after(50 * step)));
        }
        assert!((4..=5).contains(&looks), "{looks} looks in five seconds");
    }

    #[test]
    fn a_folder_without_shaders_is_refused_with_advice() {
        let folder = tempfile::tempdir().unwrap();
        let refused = ShaderWatch::new(folder.path().to_owned()).err().unwrap().to_string();
        assert!(refused.contains("--watch-shaders DIR"), "{refused}");
    }

    /// Saves as editors do: a file aside, then renamed.
    #[test]
    fn saving_makes_one_revision_and_reading_none() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in LIBRARY.files() {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut watch = ShaderWatch::new(folder.path().to_owned()).unwrap();
        assert_eq!(watch.unsettled(Instant::now()), Some(1));
        watch.settle(1, Err("broken".to_owned()));
        assert_eq!((watch.unsettled(Instant::now()), watch.error()), (None, Some("broken")));
        shader::read(folder.path()).unwrap();
        std::thread::sleep(3 * Burst::QUIET);
        assert_eq!(watch.unsettled(Instant::now()), None, "reading is taken for a change");

        let tone = folder.path().join("shading/tone.wgsl");
        let aside = folder.path().join("shading/4913");
        std::fs::write(&aside, "// mine").unwrap();
        std::fs::rename(&aside, &tone).unwrap();
        let start = Instant::now();
        while watch.unsettled(Instant::now()).is_none() {
            assert!(start.elapsed() < Duration::from_secs(60), "nobody noticed");
            std::thread::sleep(Duration::from_millis(5));
        }
        watch.settle(2, Ok(()));
        std::thread::sleep(3 * Burst::QUIET);
        assert_eq!((watch.unsettled(Instant::now()), watch.error()), (None, None));
    }
}
