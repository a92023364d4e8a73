//! The user's own presets: a folder of files, each named after its preset. A file that is no valid
//! preset is listed with its error, and never written, moved or removed here.

use std::io;
use std::path::{Path, PathBuf};

use super::preset::with_spectrum_file;
use super::preset::{Preset, PresetError};
use super::table::Settings as _;
use crate::platform::files::{self, Contents};

#[cfg(not(target_family = "wasm"))]
const NO_FOLDER: &str = "presets cannot be saved: this system has no configuration folder";
#[cfg(target_family = "wasm")]
const NO_FOLDER: &str = "presets cannot be saved: the browser stores nothing for this page";

/// The folder of the user's own presets.
///
/// ```no_run
/// use seaway::settings::{Preset, UserPreset, UserPresets};
///
/// # fn f(gale: &Preset) -> Result<(), seaway::settings::UserPresetError> {
/// let presets = UserPresets::at("my-seas".into());
/// presets.save("my gale", gale, false)?;
/// for UserPreset { name, content } in presets.list()? {
///     println!("{name}: {}", if content.is_ok() { "sound" } else { "broken" });
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct UserPresets {
    folder: PathBuf,
}

/// A file in the folder of presets.
#[derive(Clone, Debug, PartialEq)]
pub struct UserPreset {
    /// The file's name without `.toml`.
    pub name: String,
    /// The preset with messages about it, or the error of the file.
    pub content: Result<(Preset, Vec<String>), String>,
}

/// The reasons why a preset was not saved, renamed or removed. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UserPresetError {
    /// The system has no such folder.
    #[error("{}", NO_FOLDER)]
    NoFolder,
    /// The name is no valid file name on every system.
    #[error("{name:?} cannot be the name of a preset: {reason}")]
    Name {
        /// The requested name of the preset.
        name: String,
        /// The reason why it is invalid.
        reason: &'static str,
    },
    /// A preset of that name exists.
    #[error("there is already a preset {name:?}")]
    Exists {
        /// The name of the existing preset.
        name: String,
    },
    /// The preset has a spectrum file of many hours.
    #[error("the preset {name:?} would be larger than 8 MiB; use a spectrum file with fewer times")]
    TooLarge {
        /// The name of the preset.
        name: String,
    },
    /// No preset of that name exists.
    #[error("none of your own presets is called {name:?}")]
    Missing {
        /// The name of the missing preset.
        name: String,
    },
    /// The file of that name is no valid preset, and is left alone.
    #[error("{path} is not a preset and is left alone: {reason}")]
    NotAPreset {
        /// The path of the file.
        path: String,
        /// The error of the file.
        reason: String,
    },
    /// The preset could not be read again.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// The system refused the operation.
    #[error("{path}: {source}")]
    Io {
        /// The path of the file or folder.
        path: String,
        /// The error of the system.
        source: io::Error,
    },
}

impl UserPresets {
    /// The largest file that is read as a preset.
    const MAX_BYTES: u64 = 8 << 20;

    /// The folder `seaway/presets` in the user's configuration folder, or `None` where there is none.
    pub fn of_user() -> Option<Self> {
        Some(Self::at(files::config_folder()?.join("seaway").join("presets")))
    }

    /// The presets in `folder`, which need not exist.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Lists the contents of the folder, by name.
    ///
    /// # Errors
    /// [`UserPresetError::Io`] where the folder exists and cannot be read.
    pub fn list(&self) -> Result<Vec<UserPreset>, UserPresetError> {
        let mut presets = Vec::new();
        for path in files::paths_in(&self.folder).map_err(refused(&self.folder))? {
            let name = path.file_stem().and_then(|name| name.to_str());
            if let Some(name) = name.filter(|_| path.extension().is_some_and(|ext| ext == "toml")) {
                let content = self.load(name).map_err(|error| error.to_string());
                presets.push(UserPreset { name: name.to_owned(), content });
            }
        }
        presets.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(presets)
    }

    /// Loads the preset with the given name.
    ///
    /// # Errors
    /// [`UserPresetError::Missing`], or the reason why its file is invalid.
    pub fn load(&self, name: &str) -> Result<(Preset, Vec<String>), UserPresetError> {
        check_name(name)?;
        self.read(name)
    }

    /// Finds the preset for `--preset`: a shipped one or one of these by name, or the file at that path.
    /// Messages about it go to the log.
    ///
    /// # Errors
    /// [`PresetError`] where none exists, and [`UserPresetError`] where the user's own one is invalid.
    pub fn find(&self, name_or_path: &str) -> Result<Preset, UserPresetError> {
        let is_shipped = Preset::SHIPPED.iter().any(|(name, _)| *name == name_or_path);
        if !is_shipped && check_name(name_or_path).is_ok() {
            match self.read(name_or_path) {
                Ok((preset, notes)) => {
                    for note in notes {
                        log::warn!("preset {name_or_path}: {note}");
                    }
                    return Ok(preset);
                }
                Err(UserPresetError::Missing { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Preset::load(name_or_path).map_err(|error| match error {
            PresetError::Unknown { name, .. } => {
                let own = self.list().unwrap_or_default();
                let own = own.into_iter().filter(|own| own.content.is_ok());
                let own = own.map(|own| own.name).collect();
                PresetError::Unknown { name, own }.into()
            }
            error => error.into(),
        })
    }

    fn read(&self, name: &str) -> Result<(Preset, Vec<String>), UserPresetError> {
        let path = self.path(name);
        let shown = path.display().to_string();
        let missing = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => UserPresetError::Missing { name: name.to_owned() },
            _ => UserPresetError::Io { path: shown.clone(), source: error },
        };
        let reason = match files::read(&path, Self::MAX_BYTES).map_err(missing)? {
            Contents::Text(text) => {
                return Ok(Preset::read(&shown, &with_spectrum_file(&path, text)?)?);
            }
            Contents::TooLarge => "it is larger than 8 MiB",
            Contents::NoFile => "it is not a file",
        };
        Err(UserPresetError::NotAPreset { path: shown, reason: reason.to_owned() })
    }

    /// Saves `preset` under `name`. It replaces an existing one only if `replace` is set.
    ///
    /// # Errors
    /// [`UserPresetError`]; the existing preset is unchanged.
    pub fn save(
        &self,
        name: &str,
        preset: &Preset,
        replace: bool,
    ) -> Result<PathBuf, UserPresetError> {
        check_name(name)?;
        let path = self.path(name);
        let invalid = |source| PresetError::Invalid { path: name.to_owned(), source };
        preset.validate().map_err(invalid)?;
        if self.must_be_a_preset(name)? && !replace {
            return Err(UserPresetError::Exists { name: name.to_owned() });
        }
        let text = preset.to_versioned_toml();
        if text.len() as u64 > Self::MAX_BYTES {
            return Err(UserPresetError::TooLarge { name: name.to_owned() });
        }
        files::write(&path, &text).map_err(refused(&path))?;
        Ok(path)
    }

    /// Renames a preset to an unused name.
    ///
    /// # Errors
    /// [`UserPresetError`]; the preset keeps its old name then.
    pub fn rename(&self, name: &str, new_name: &str) -> Result<(), UserPresetError> {
        check_name(new_name)?;
        if !self.must_be_a_preset(name)? {
            return Err(UserPresetError::Missing { name: name.to_owned() });
        }
        // On systems that ignore case in names, a rename may change it.
        let is_itself = name.to_lowercase() == new_name.to_lowercase();
        if !is_itself && files::is_taken(&self.path(new_name)) {
            return Err(UserPresetError::Exists { name: new_name.to_owned() });
        }
        let path = self.path(name);
        files::rename(&path, &self.path(new_name)).map_err(refused(&path))
    }

    /// Removes a preset.
    ///
    /// # Errors
    /// [`UserPresetError`]; the preset still exists then.
    pub fn delete(&self, name: &str) -> Result<(), UserPresetError> {
        if !self.must_be_a_preset(name)? {
            return Err(UserPresetError::Missing { name: name.to_owned() });
        }
        let path = self.path(name);
        files::remove(&path).map_err(refused(&path))
    }

    /// Returns whether a preset of that name exists, or an error where its file is invalid.
    fn must_be_a_preset(&self, name: &str) -> Result<bool, UserPresetError> {
        match self.load(name) {
            Ok(_) => Ok(true),
            Err(UserPresetError::Missing { .. }) => Ok(false),
            Err(error @ (UserPresetError::Name { .. } | UserPresetError::NotAPreset { .. })) => {
                Err(error)
            }
            Err(error) => Err(UserPresetError::NotAPreset {
                path: self.path(name).display().to_string(),
                reason: error.to_string(),
            }),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.toml"))
    }
}

fn refused(path: &Path) -> impl Fn(io::Error) -> UserPresetError + '_ {
    move |source| UserPresetError::Io { path: path.display().to_string(), source }
}

/// Checks that every system accepts the name for a file.
///
/// # Errors
/// [`UserPresetError::Name`] with the reason.
pub(crate) fn check_name(name: &str) -> Result<(), UserPresetError> {
    // Names of devices on Windows, with any extension.
    let device = |stem: &str| {
        let stem = stem.to_ascii_lowercase();
        let numbered = ["com", "lpt"].iter().any(|port| {
            stem.strip_prefix(port)
                .is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit())
        });
        numbered || ["con", "prn", "aux", "nul"].contains(&stem.as_str())
    };
    let may_be_inside = |c: char| c.is_alphanumeric() || " -_.,+()".contains(c);
    let is_shipped = Preset::SHIPPED.iter().any(|(shipped, _)| name.eq_ignore_ascii_case(shipped));
    let reason = if name.is_empty() {
        "it is empty"
    } else if name.chars().count() > 64 || name.len() > 200 {
        "it is longer than 64 characters"
    } else if !name.chars().all(may_be_inside) {
        "it may only have letters, digits, spaces and - _ . , + ( )"
    } else if name.starts_with([' ', '.', '-']) || name.ends_with([' ', '.']) {
        "file names cannot start or end with that character"
    } else if device(name.split('.').next().unwrap_or_default()) {
        "Windows reserves it for a device"
    } else if is_shipped {
        "a shipped preset has this name"
    } else {
        return Ok(());
    };
    Err(UserPresetError::Name { name: name.to_owned(), reason })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::settings::SeaState;

    fn folder() -> (tempfile::TempDir, UserPresets) {
        let folder = tempfile::tempdir().unwrap();
        let presets = UserPresets::at(folder.path().join("deep").join("presets"));
        (folder, presets)
    }

    fn windy(wind_speed_mps: f64) -> Preset {
        let sea = SeaState { wind_speed_mps, ..SeaState::default() };
        Preset { sea, ..Preset::default() }
    }

    #[test]
    fn presets_are_kept_listed_renamed_and_removed() {
        let (_folder, presets) = folder();
        assert_eq!(presets.list().unwrap(), []);
        presets.save("b", &windy(5.0), false).unwrap();
        presets.save("Ålesund, 4 h", &windy(7.0), false).unwrap();
        let names: Vec<_> = presets.list().unwrap().into_iter().map(|own| own.name).collect();
        assert_eq!(names, ["b", "Ålesund, 4 h"]);
        assert_eq!(presets.load("b").unwrap(), (windy(5.0), vec![]));

        let error = presets.save("b", &windy(6.0), false).unwrap_err();
        assert!(matches!(error, UserPresetError::Exists { .. }), "{error}");
        assert_eq!(presets.load("b").unwrap().0, windy(5.0));
        presets.save("b", &windy(6.0), true).unwrap();
        assert_eq!(presets.load("b").unwrap().0, windy(6.0));

        presets.save("c", &windy(1.0), false).unwrap();
        assert!(presets.rename("b", "c").is_err());
        assert!(presets.rename("b", "storm").is_err() && presets.rename("none", "d").is_err());
        presets.rename("b", "d").unwrap();
        presets.rename("d", "D").unwrap();
        assert_eq!(presets.load("D").unwrap().0, windy(6.0));
        assert_eq!(presets.load("c").unwrap().0, windy(1.0));
        presets.delete("D").unwrap();
        assert!(matches!(presets.delete("D"), Err(UserPresetError::Missing { .. })));
        assert_eq!(presets.list().unwrap().len(), 2);
        assert!(presets.save("e", &windy(f64::NAN), true).is_err());
        assert_eq!(presets.list().unwrap().len(), 2);
    }

    #[test]
    fn invalid_files_are_listed_and_left_alone() {
        let (_folder, presets) = folder();
        fs::create_dir_all(presets.path("a folder")).unwrap();
        let large = " ".repeat(9 << 20);
        let bad = [
            ("broken", b"sea = [".as_slice()),
            ("binary", b"\xff\xfe\x00"),
            ("misspelt", b"version = 2\n[sea]\nwind = 9.0"),
            ("out of range", b"[sea]\nwind_speed_mps = 900.0"),
            ("large", large.as_bytes()),
        ];
        for (name, bytes) in bad {
            fs::write(presets.path(name), bytes).unwrap();
        }
        fs::write(presets.folder.join("notes.txt"), "not mine").unwrap();
        let listed = presets.list().unwrap();
        assert_eq!(listed.len(), bad.len() + 1);
        for own in listed {
            let name = own.name.as_str();
            assert!(own.content.is_err(), "{name}");
            for refusal in [
                presets.save(name, &windy(9.0), true).err(),
                presets.rename(name, "other").err(),
                presets.delete(name).err(),
            ] {
                let refusal = refusal.expect(name);
                assert!(matches!(refusal, UserPresetError::NotAPreset { .. }), "{name}: {refusal}");
            }
        }
        for (name, bytes) in bad {
            assert_eq!(fs::read(presets.path(name)).unwrap(), bytes, "{name}");
        }
        presets.save("good", &windy(9.0), false).unwrap();
        assert!(presets.rename("good", "broken").is_err());
        assert_eq!(fs::read(presets.path("broken")).unwrap(), b"sea = [");
    }

    #[test]
    fn names_suit_every_system() {
        for name in ["a", "My sea 2", "Ålesund", "v1.2", "x".repeat(64).as_str()] {
            check_name(name).unwrap();
        }
        for name in [
            "",
            " a",
            "a ",
            "a.",
            ".hidden",
            "-flag",
            "..",
            "a/b",
            "a\\b",
            "a\nb",
            "a\0",
            "c:",
            "what?",
            "nul",
            "COM1.x",
            "storm",
            "Breeze",
            "x".repeat(65).as_str(),
        ] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        let (_folder, presets) = folder();
        assert!(presets.load("../../view").is_err());
        fs::create_dir_all(&presets.folder).unwrap();
        fs::write(presets.path("storm"), windy(1.0).to_toml()).unwrap();
        assert!(presets.list().unwrap()[0].content.is_err(), "it can never be loaded");
    }

    #[test]
    fn names_find_shipped_presets_own_ones_then_files() {
        let (folder, presets) = folder();
        presets.save("mine", &windy(3.0), false).unwrap();
        let file = folder.path().join("mine.toml");
        fs::write(&file, windy(4.0).to_toml()).unwrap();
        assert_eq!(presets.find("mine").unwrap(), windy(3.0));
        assert_eq!(presets.find(file.to_str().unwrap()).unwrap(), windy(4.0));
        assert_eq!(presets.find("storm").unwrap(), Preset::load("storm").unwrap());
        let unknown = presets.find("none").unwrap_err().to_string();
        assert!(unknown.contains("your own are mine, and the shipped"), "{unknown}");
        let unknown = presets.find("Storm").unwrap_err().to_string();
        assert!(unknown.contains("\"Storm\" (did you mean storm?): it is not a file"), "{unknown}");
        fs::write(presets.path("bad"), "sea = 1").unwrap();
        let unknown = presets.find("none").unwrap_err().to_string();
        assert!(unknown.contains("your own are mine, and"), "{unknown}");
        assert!(presets.find("bad").unwrap_err().to_string().contains("malformed"));
    }

    #[test]
    fn an_impossible_folder_is_only_an_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        let presets = UserPresets::at(folder.path().join("file"));
        assert!(matches!(presets.list(), Err(UserPresetError::Io { .. })));
        let error = presets.save("a", &windy(9.0), false).unwrap_err().to_string();
        assert!(error.contains("file"), "{error}");
    }
}
