//! The choices of [`tune`](super::tune) on disk: one JSON file for all programs of a user.
//!
//! The file is `tuned.json` in the folder `seaway` of the system's folder for caches
//! (`~/.cache/seaway/tuned.json` on Linux, where `XDG_CACHE_HOME` moves it;
//! `~/Library/Caches/seaway` on macOS; `%LOCALAPPDATA%\seaway` on Windows), or in the folder that
//! `SEAWAY_CACHE_DIR` names. It may be deleted at any time.
//!
//! ```json
//! {
//!   "format": 3,
//!   "entries": [
//!     {
//!       "key": {
//!         "adapter": {"name": "..", "vendor": 4318, "device": 9011, "backend": "vulkan",
//!                     "driver": "NVIDIA", "driver_info": "580.82"},
//!         "capabilities": {"max_workgroup_storage_bytes": 49152, "..": 0},
//!         "kernels": "93a1c0d2e4f56078",
//!         "problem": {"size": [512, 512], "batch": 16, "direction": "inverse", "..": 0}
//!       },
//!       "tuned": {"algorithm": "stockham-r8", "parameters": {"row": {"radix": 8}, "column": {}},
//!                 "median_us": 12.3, "timer": "gpu_timestamps", "ratio_to_default": 0.94,
//!                 "candidates": 41}
//!     }
//!   ]
//! }
//! ```
//!
//! An entry counts only if its whole key is equal: the adapter with its driver, the device's capabilities, the
//! kernels (a hash of the algorithms' default programs, so that a version with other kernels measures again)
//! and the problem, which is the [`Descriptor`] without its algorithm.
//!
//! Nothing here fails: a file that cannot be read, parsed or written costs a warning, and the time to measure
//! again. Writes are atomic, so that programs that run at once can at most lose each other's newest entry.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Tuned, candidates};
use crate::descriptor::Descriptor;
use crate::gpu::Capabilities;
use crate::planner::program;
use crate::platform::files::{self, Contents};

/// Raised when the form of the file changes.
const FORMAT: u32 = 3;

/// Most entries; older ones are dropped.
const MAX_ENTRIES: usize = 500;

/// The file of the measured choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    path: PathBuf,
}

/// The origin of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The choice was measured now.
    Measured,
    /// The choice was measured before and stored.
    Kept,
}

#[derive(Serialize, Deserialize)]
struct File {
    format: u32,
    entries: Vec<Entry>,
}

impl Default for File {
    fn default() -> Self {
        Self { format: FORMAT, entries: Vec::new() }
    }
}

#[derive(Serialize, Deserialize)]
struct Entry {
    key: Value,
    /// Kept as in the file, since another version may have written it.
    tuned: Value,
}

impl Store {
    /// The environment variable that sets the folder.
    pub const FOLDER_VARIABLE: &str = "SEAWAY_CACHE_DIR";

    /// The user's file; `None` if the system has no folder for it.
    pub fn of_user() -> Option<Self> {
        let named = std::env::var_os(Self::FOLDER_VARIABLE).filter(|folder| !folder.is_empty());
        let folder = match named {
            Some(folder) => PathBuf::from(folder),
            None => files::cache_folder()?.join("seaway"),
        };
        Some(Self::at(folder.join("tuned.json")))
    }

    /// The file at that path, which need not exist.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The stored choice for `task` on `device`, which is of `adapter`, if there is one.
    pub fn get(
        &self,
        device: &wgpu::Device,
        adapter: &wgpu::AdapterInfo,
        task: &Descriptor,
    ) -> Option<Tuned> {
        let capabilities = Capabilities::of(device);
        let tuned = self.lookup(&key(&capabilities, adapter, task))?;
        // A file that someone has edited may hold what cannot run.
        program(&tuned.apply(task), &capabilities).ok().map(|_| tuned)
    }

    /// Stores a choice for `task` on `device`, which is of `adapter`.
    pub fn put(
        &self,
        device: &wgpu::Device,
        adapter: &wgpu::AdapterInfo,
        task: &Descriptor,
        tuned: &Tuned,
    ) {
        self.keep(key(&Capabilities::of(device), adapter, task), tuned);
    }

    fn lookup(&self, key: &Value) -> Option<Tuned> {
        let file = self.read();
        let entry = file.entries.iter().rev().find(|entry| entry.key == *key)?;
        // From a version with other names: the same as nothing.
        serde_json::from_value(entry.tuned.clone()).ok()
    }

    fn keep(&self, key: Value, tuned: &Tuned) {
        let written = serde_json::to_value(tuned).map_err(io::Error::from).and_then(|tuned| {
            let mut file = self.read();
            file.entries.retain(|entry| entry.key != key);
            file.entries.push(Entry { key, tuned });
            let surplus = file.entries.len().saturating_sub(MAX_ENTRIES);
            file.entries.drain(..surplus);
            self.write(&file)
        });
        if let Err(error) = written {
            log::warn!("{} could not be written: {error}", self.path.display());
        }
    }

    /// The file's contents; empty if it is missing, unreadable or of another form.
    fn read(&self) -> File {
        let path = self.path.display();
        let text = match files::read(&self.path, u64::MAX) {
            Ok(Contents::Text(text)) => text,
            Ok(Contents::TooLarge | Contents::NoFile) => {
                log::warn!("{path} is not a file and is ignored");
                return File::default();
            }
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    log::warn!("{path} could not be read: {error}");
                }
                return File::default();
            }
        };
        match serde_json::from_str::<File>(&text) {
            Ok(file) if file.format == FORMAT => file,
            Ok(file) => {
                log::warn!("{path} has format {}, not {FORMAT}, and is ignored", file.format);
                File::default()
            }
            Err(error) => {
                log::warn!("{path} is malformed and is ignored: {error}");
                File::default()
            }
        }
    }

    fn write(&self, file: &File) -> io::Result<()> {
        let text = serde_json::to_string_pretty(file).map_err(io::Error::from)?;
        files::write(&self.path, &text)
    }
}

/// The fastest algorithm for `task` on `device`, which is of `adapter`: the one in `store`, else the result
/// of `tune`, which is then stored. Without a store it is measured in any case and not kept.
///
/// # Errors
/// Those of `tune`.
pub async fn choose<Error>(
    store: Option<&Store>,
    device: &wgpu::Device,
    adapter: &wgpu::AdapterInfo,
    task: &Descriptor,
    tune: impl Future<Output = Result<Tuned, Error>>,
) -> Result<(Tuned, Origin), Error> {
    if let Some(tuned) = store.and_then(|store| store.get(device, adapter, task)) {
        return Ok((tuned, Origin::Kept));
    }
    let tuned = tune.await?;
    if let Some(store) = store {
        store.put(device, adapter, task, &tuned);
    }
    Ok((tuned, Origin::Measured))
}

/// Everything that may affect which transform is fastest.
fn key(capabilities: &Capabilities, adapter: &wgpu::AdapterInfo, task: &Descriptor) -> Value {
    let mut problem = serde_json::to_value(task).expect("plain data serialises");
    if let Value::Object(fields) = &mut problem {
        fields.remove("algorithm");
        // The hash of the kernels covers the hooks' work.
        for hook in ["load", "store"] {
            if let Some(value) = fields.get_mut(hook) {
                *value = (!value.is_null()).into();
            }
        }
    }
    serde_json::json!({
        "adapter": {
            "name": adapter.name,
            "vendor": adapter.vendor,
            "device": adapter.device,
            "backend": adapter.backend.to_str(),
            "driver": adapter.driver,
            "driver_info": adapter.driver_info,
        },
        "capabilities": capabilities,
        "kernels": kernels(task, capabilities),
        "problem": problem,
    })
}

/// A hash of the programs of all algorithms with their defaults: FNV-1a, which stays the same from version to
/// version (Fowler, Noll, Vo; RFC 9923).
fn kernels(task: &Descriptor, capabilities: &Capabilities) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for candidate in candidates(task, capabilities) {
        let Ok(program) = program(&task.clone().by(candidate), capabilities) else {
            continue;
        };
        for byte in program.kernels.iter().flat_map(|kernel| kernel.wgsl.bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::Direction;
    use crate::lab::timing::Timer;
    use crate::lab::{self, Algorithm, Configuration};

    fn tuned(algorithm: Algorithm) -> Tuned {
        let mut configuration = Configuration::from(algorithm);
        configuration.set("twiddles", Some(lab::Value::Choice("powers"))).unwrap();
        Tuned {
            configuration,
            median_us: 12.5,
            timer: Timer::GpuTimestamps,
            ratio_to_default: 0.75,
            candidates: 41,
        }
    }

    #[test]
    fn a_stored_choice_returns_only_under_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path().join("deep").join("tuned.json"));
        let key = |size: u32| serde_json::json!({"size": size});
        assert_eq!(store.lookup(&key(1)), None);
        store.keep(key(1), &tuned(Algorithm::StockhamR8));
        store.keep(key(2), &tuned(Algorithm::GlobalR8));
        assert_eq!(store.lookup(&key(1)), Some(tuned(Algorithm::StockhamR8)));
        assert_eq!(store.lookup(&key(2)), Some(tuned(Algorithm::GlobalR8)));
        assert_eq!(store.lookup(&key(3)), None);
        store.keep(key(1), &tuned(Algorithm::Dft));
        assert_eq!(store.lookup(&key(1)), Some(tuned(Algorithm::Dft)));
        assert_eq!(store.read().entries.len(), 2);
        // Nothing but the file stays behind.
        assert_eq!(std::fs::read_dir(store.path().parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn broken_files_are_ignored_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path().join("tuned.json"));
        let key = Value::from("key");
        for text in ["", "{", "[]", "{\"format\": 1, \"entries\": []}", "\u{0}\u{1}"] {
            std::fs::write(store.path(), text).unwrap();
            assert_eq!(store.lookup(&key), None, "{text}");
            store.keep(key.clone(), &tuned(Algorithm::StockhamR8));
            assert_eq!(store.lookup(&key), Some(tuned(Algorithm::StockhamR8)), "{text}");
        }
        // An entry of a version that knows other algorithms is nothing, and stays.
        let text = std::fs::read_to_string(store.path()).unwrap();
        std::fs::write(store.path(), text.replace("stockham-r8", "stockham-r64")).unwrap();
        assert_eq!(store.lookup(&key), None);
        store.keep(Value::from("other"), &tuned(Algorithm::Dft));
        assert!(std::fs::read_to_string(store.path()).unwrap().contains("stockham-r64"));
    }

    #[test]
    fn where_nothing_can_be_written_nothing_fails() {
        let folder = tempfile::tempdir().unwrap();
        // A file where a folder should be: not even root can write there.
        std::fs::write(folder.path().join("file"), "").unwrap();
        let store = Store::at(folder.path().join("file").join("tuned.json"));
        store.keep(Value::from("key"), &tuned(Algorithm::StockhamR8));
        assert_eq!(store.lookup(&Value::from("key")), None);
        // A folder where the file should be.
        let store = Store::at(folder.path());
        store.keep(Value::from("key"), &tuned(Algorithm::StockhamR8));
        assert_eq!(store.lookup(&Value::from("key")), None);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn writers_at_once_leave_a_atomic_write() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path().join("tuned.json"));
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let store = &store;
                scope.spawn(move || {
                    for number in 0..20 {
                        store.keep(Value::from(writer * 100 + number), &tuned(Algorithm::Dft));
                        assert_eq!(store.read().format, FORMAT);
                    }
                });
            }
        });
        let whole: File = serde_json::from_slice(&std::fs::read(store.path()).unwrap()).unwrap();
        assert!(!whole.entries.is_empty() && whole.entries.len() <= 80);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_oldest_entries_give_way() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path().join("tuned.json"));
        let entry = |number: usize| Entry { key: number.into(), tuned: Value::Null };
        let entries = (0..MAX_ENTRIES).map(entry).collect();
        store.write(&File { format: FORMAT, entries }).unwrap();
        store.keep(Value::from("new"), &tuned(Algorithm::Dft));
        let file = store.read();
        assert_eq!(file.entries.len(), MAX_ENTRIES);
        assert_eq!(file.entries[0].key, Value::from(1));
    }

    #[test]
    fn the_kernels_tell_problems_and_devices_apart() {
        let task = Descriptor { size: [64; 2], ..Descriptor::default() };
        let webgpu = Capabilities::webgpu_defaults();
        let hash = kernels(&task, &webgpu);
        assert_eq!(hash, kernels(&task.clone().by(Algorithm::Dft), &webgpu));
        let inverse = Descriptor { direction: Direction::Inverse, ..task.clone() };
        assert_ne!(hash, kernels(&inverse, &webgpu));
        let less = Capabilities { max_workgroup_storage_bytes: 1024, ..webgpu };
        assert_ne!(hash, kernels(&task, &less));
    }
}
