//! Named scenes: the ones that ship (`assets/presets`), and files of the same form.
//!
//! A file may state the `version` of its form. Within [`Preset::VERSION`], and where it states none, as
//! files written by hand, every name and value must be valid, so that a misspelling is an error. A file
//! of another version was valid for its program: unknown entries are left out, missing ones take their
//! defaults, and messages report both.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::table::{Entry, Field, Kind, SettingError, Settings, Value};
use super::{CameraPose, Clouds, Light, Scenery, SeaState};
use crate::spectrum_file::{self, SpectrumFileError};

/// Declares the groups of a scene, in the order of files: [`Preset`], its table of all their settings,
/// and the form of its files. What walks over settings (command line, links, undo, saved state) walks
/// over this table, so that a new group is one line here.
macro_rules! scene {
    ($( #[doc = $help:literal] $group:ident : $type:ty, )*) => {
        /// A scene: a sea, its light and where to stand.
        ///
        /// ```
        /// use seaway::settings::{Preset, beaufort};
        ///
        /// let mut preset = Preset::load("gale")?;
        /// assert_eq!(beaufort(preset.sea.wind_speed_mps).0, 8);
        /// preset.sea.wind_speed_mps = 12.0;
        /// let text = preset.to_versioned_toml();
        /// assert_eq!(Preset::parse("my gale.toml", &text)?, preset);
        /// # Ok::<(), seaway::settings::PresetError>(())
        /// ```
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Preset {
            /// One or two sentences for people.
            pub description: String,
            $( #[doc = $help] pub $group: $type, )*
        }

        /// The form of a file.
        #[derive(Default, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct File {
            /// Checked before the rest is parsed.
            #[serde(rename = "version")]
            _version: Option<toml::Value>,
            description: String,
            $( $group: $type, )*
        }

        impl From<File> for Preset {
            fn from(File { _version, description, $( $group, )* }: File) -> Self {
                Self { description, $( $group, )* }
            }
        }

        impl Preset {
            /// The names of the groups, as in files.
            pub const GROUPS: &'static [&'static str] = &[$( stringify!($group) ),*];
            const COUNT: usize = 0 $( + <$type>::FIELDS.len() )*;
        }

        impl Settings for Preset {
            const TITLE: &'static str = "Scene";
            const FIELDS: &'static [Field<Self>] = &{
                let none = Entry {
                    group: "",
                    name: "",
                    label: "",
                    unit: "",
                    help: "",
                    kind: Kind::Flag,
                    condition: "",
                };
                let none = Field::new(none, 0, |_, _| Value::Open, |_, _, _| false, |_, _| true);
                let mut fields = [none; Self::COUNT];
                let mut next = 0;
                $(
                    let group = <$type>::FIELDS;
                    let mut index = 0;
                    while index < group.len() {
                        fields[next] = Field::new(
                            Entry { group: stringify!($group), ..*group[index].entry() },
                            index,
                            |scene: &Self, index| <$type>::FIELDS[index].get(&scene.$group),
                            |scene: &mut Self, index, value| {
                                <$type>::FIELDS[index].store(&mut scene.$group, value)
                            },
                            |scene: &Self, index| <$type>::FIELDS[index].applies(&scene.$group),
                        );
                        next += 1;
                        index += 1;
                    }
                )*
                fields
            };
        }
    };
}

scene! {
    /// The state of the sea.
    sea: SeaState,
    /// The sun, the air and the exposure.
    light: Light,
    /// The clouds, through which the sun shines.
    clouds: Clouds,
    /// The first pose of the camera.
    camera: CameraPose,
    /// The objects that float in the sea.
    scenery: Scenery,
}

/// The reasons why a preset cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PresetError {
    /// The name is neither a shipped preset nor a file.
    #[error(
        "there is no preset {name:?}{}: it is not a file, {}and the shipped presets are {}",
        meant(name, own),
        if own.is_empty() { String::new() } else { format!("your own are {}, ", own.join(", ")) },
        Preset::SHIPPED.map(|(name, _)| name).join(", ")
    )]
    Unknown {
        /// The requested name or path.
        name: String,
        /// The names of the user's own presets, where they were searched.
        own: Vec<String>,
    },
    /// The file exists but cannot be read.
    #[error("preset {path} could not be read: {source}")]
    Read {
        /// The path of the file.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The text is not a preset.
    #[error("preset {path} is malformed: {source}")]
    Malformed {
        /// The path of the file.
        path: String,
        /// The error of the parser, with the line.
        source: Box<toml::de::Error>,
    },
    /// The spectrum file that the preset names cannot be used.
    #[error("preset {path}: {source}")]
    SpectrumFile {
        /// The path of the preset.
        path: String,
        /// The error, with the file and the line.
        source: Box<SpectrumFileError>,
    },
    /// The file has an impossible version.
    #[error("preset {path}: version = {version} is not a whole number from 1")]
    Version {
        /// The path of the file.
        path: String,
        /// The version in the file.
        version: String,
    },
    /// A value is out of range or not a number.
    #[error("preset {path}: {source}")]
    Invalid {
        /// The path of the file.
        path: String,
        /// The error, with the field and its range.
        source: SettingError,
    },
}

/// A hint at a preset whose name differs in capitals only.
fn meant(name: &str, own: &[String]) -> String {
    let shipped = Preset::SHIPPED.iter().map(|(shipped, _)| *shipped);
    let is_meant = |known: &&str| known.to_lowercase() == name.trim().to_lowercase();
    match shipped.chain(own.iter().map(String::as_str)).find(is_meant) {
        Some(known) => format!(" (did you mean {known}?)"),
        None => String::new(),
    }
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../assets/presets/", $name, ".toml")))),*]
    };
}

impl Preset {
    /// The shipped presets, calmest first: name and TOML text.
    pub const SHIPPED: [(&'static str, &'static str); 18] = shipped![
        "mirror-calm-at-dawn",
        "calm",
        "reef-lagoon",
        "shallow-bay",
        "breeze",
        "swell-at-sunset",
        "long-swell",
        "trade-winds",
        "north-sea",
        "opposing-seas",
        "young-sea",
        "hurricane-swell",
        "squall",
        "crossing-seas",
        "measured-gale",
        "gale",
        "under-a-gale",
        "storm"
    ];

    /// The version of the files that this program writes.
    pub const VERSION: u32 = 2;

    /// The name of the preset that the demo starts with.
    pub const DEFAULT_NAME: &'static str = "breeze";

    /// Loads a shipped preset by name, or the file at that path.
    ///
    /// # Errors
    /// [`PresetError`] where neither exists, or the file is malformed or out of range.
    pub fn load(name_or_path: &str) -> Result<Self, PresetError> {
        if let Some((name, text)) = Self::SHIPPED.iter().find(|(name, _)| *name == name_or_path) {
            return Self::parse(name, text);
        }
        let path = Path::new(name_or_path);
        if !path.exists() {
            return Err(PresetError::Unknown { name: name_or_path.to_owned(), own: Vec::new() });
        }
        let text = std::fs::read_to_string(path)
            .map_err(|source| PresetError::Read { path: name_or_path.to_owned(), source })?;
        Self::parse(name_or_path, &with_spectrum_file(path, text)?)
    }

    /// Parses and checks the TOML of a preset; `path` is for messages.
    ///
    /// # Errors
    /// Those of [`Preset::read`].
    pub fn parse(path: &str, text: &str) -> Result<Self, PresetError> {
        let (preset, notes) = Self::read(path, text)?;
        for note in notes {
            log::warn!("preset {path}: {note}");
        }
        Ok(preset)
    }

    /// Parses a preset as [`Preset::parse`] does, and returns messages about a file of another version.
    ///
    /// # Errors
    /// [`PresetError::Malformed`], [`PresetError::Version`] or [`PresetError::Invalid`].
    pub fn read(path: &str, text: &str) -> Result<(Self, Vec<String>), PresetError> {
        let malformed = |source: toml::de::Error| PresetError::Malformed {
            path: path.to_owned(),
            source: Box::new(source),
        };
        let table: toml::Table = text.parse().map_err(malformed)?;
        let version = match table.get("version") {
            None => Self::VERSION,
            Some(toml::Value::Integer(version @ 1..=0xffff_ffff)) => *version as u32,
            Some(other) => {
                let version = other.to_string();
                return Err(PresetError::Version { path: path.to_owned(), version });
            }
        };
        if version != Self::VERSION {
            return Ok(Self::of_version(version, &table));
        }
        let preset = Self::from(toml::from_str::<File>(text).map_err(malformed)?);
        preset
            .validate()
            .map_err(|source| PresetError::Invalid { path: path.to_owned(), source })?;
        Ok((preset, Vec::new()))
    }

    /// Reads the known parts of a file of another version, and returns messages about the others.
    fn of_version(version: u32, table: &toml::Table) -> (Self, Vec<String>) {
        let age = if version > Self::VERSION { "a later" } else { "an earlier" };
        let mut notes = vec![format!("it has {age} version ({version})")];
        let mut preset = Self::default();
        for (name, value) in table {
            match (name.as_str(), value) {
                ("version", _) => {}
                ("description", toml::Value::String(text)) => preset.description.clone_from(text),
                (name, value) if Self::GROUPS.contains(&name) => {
                    salvage(&mut preset, name, value, &mut notes);
                }
                (name, _) => notes.push(format!("{name} is unknown and is ignored")),
            }
        }
        for name in Self::GROUPS.iter().filter(|name| !table.contains_key(**name)) {
            notes.push(format!("{name} is missing and has its defaults"));
        }
        (preset, notes)
    }

    /// The TOML that [`Preset::parse`] reads back.
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).expect("plain data serialises")
    }

    /// [`Preset::to_toml`], with the version of its form.
    pub fn to_versioned_toml(&self) -> String {
        format!("version = {}\n{}", Self::VERSION, self.to_toml())
    }
}

/// Replaces `spectrum_file` of the group sea in the text of a preset, a path from its folder or a list of
/// them, by the contents of the files. Settings that the files know (wind, depth) and the preset does not name
/// are theirs.
pub(super) fn with_spectrum_file(path: &Path, text: String) -> Result<String, PresetError> {
    let Ok(mut table) = text.parse::<toml::Table>() else { return Ok(text) };
    let sea = table.get_mut("sea").and_then(toml::Value::as_table_mut);
    let Some((sea, named)) =
        sea.and_then(|sea| sea.remove("spectrum_file").map(|named| (sea, named)))
    else {
        return Ok(text);
    };
    // Faults of the preset are reported by the lines of its own text.
    let is_file = |line: &str| line.trim_start().starts_with("spectrum_file");
    let own = text.lines().map(|line| if is_file(line) { "" } else { line });
    let own = own.collect::<Vec<_>>().join("\n");
    // A list over several lines leaves an end behind, and would be a fault of its own.
    if own
        .parse::<toml::Table>()
        .is_ok_and(|own| own.get("sea").is_none_or(|sea| sea.get("spectrum_file").is_none()))
    {
        Preset::read(&path.display().to_string(), &own)?;
    }
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let path_of = |name: &toml::Value| name.as_str().map(|name| folder.join(name));
    let files: Option<Vec<PathBuf>> = match &named {
        toml::Value::Array(names) => names.iter().map(path_of).collect(),
        name => path_of(name).map(|path| vec![path]),
    };
    let Some(files) = files.filter(|files| !files.is_empty()) else { return Ok(text) };
    let (record, notes) = spectrum_file::open_all(&files).map_err(|source| {
        PresetError::SpectrumFile { path: path.display().to_string(), source: Box::new(source) }
    })?;
    for note in notes {
        log::warn!("{note}");
    }
    let mut recorded = SeaState::default();
    recorded.use_record(Arc::new(record));
    let number =
        |value: &toml::Value| value.as_float().or(value.as_integer().map(|hour| hour as f64));
    if let Some(hour) = sea.get("record_hour").and_then(number) {
        recorded.use_hour(hour);
    }
    let mut merged = toml::Table::try_from(&recorded).expect("plain data serialises");
    merged.extend(std::mem::take(sea));
    *sea = merged;
    Ok(toml::to_string(&table).expect("a table that was parsed"))
}

/// Takes the settings that this version knows from `value`, the table `group` of a file of another version.
fn salvage(preset: &mut Preset, group: &str, value: &toml::Value, notes: &mut Vec<String>) {
    let Some(table) = value.as_table() else {
        notes.push(format!("{group} is not a table and is ignored"));
        return;
    };
    let fields = || Preset::FIELDS.iter().filter(|field| field.group == group);
    for (name, value) in table {
        if (group, name.as_str()) == ("sea", "recorded") {
            match value.clone().try_into() {
                Ok(record) => preset.sea.recorded = Some(Arc::new(record)),
                Err(error) => notes.push(format!("sea.recorded is ignored: {error}")),
            }
            continue;
        }
        let Some(field) = fields().find(|field| field.name == name) else {
            notes.push(format!("{group}.{name} is unknown and is ignored"));
            continue;
        };
        let text = match value {
            toml::Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let default = field.get(preset);
        if field.set_text(preset, &text).is_err() {
            notes.push(format!(
                "{group}.{name} = {value} is not possible; {default} is used instead"
            ));
        }
    }
    for field in fields().filter(|field| !table.contains_key(field.name)) {
        let default = field.get(preset);
        notes.push(format!("{group}.{} is missing; {default} is used", field.name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_preset_parses_and_round_trips() {
        for (name, text) in Preset::SHIPPED {
            let preset = Preset::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
            assert!(!preset.description.is_empty(), "{name} has no description");
            assert_eq!(Preset::parse(name, &preset.to_toml()).unwrap(), preset);
        }
        assert!(Preset::SHIPPED.iter().any(|(name, _)| *name == Preset::DEFAULT_NAME));
    }

    #[test]
    fn bad_presets_say_what_is_wrong() {
        let message = |text: &str| Preset::parse("my.toml", text).unwrap_err().to_string();
        assert!(message("[sea]\nwind_speed_mps = nan").contains("wind_speed_mps = NaN"));
        assert!(message("[sea]\nwind_speed_mps = 900.0").contains("0.5 to 40 m/s"));
        assert!(message("[sea]\nwind_sped_mps = 9.0").contains("wind_speed_mps"));
        assert!(message("[sea]\nspectrum = \"neumann\"").contains("jonswap"));
        assert!(message("[sea").contains("my.toml is malformed"));
        let unknown = Preset::load("no-such-preset").unwrap_err().to_string();
        assert!(unknown.contains("no-such-preset") && unknown.contains("breeze"), "{unknown}");
        assert!(message("version = 0").contains("version = 0 is not"));
        assert!(message("version = \"new\"").contains("not a whole number"));
        let strict = message("version = 2\n[sea]\nwind_sped_mps = 9.0");
        assert!(strict.contains("wind_sped_mps") && strict.contains("line 3"), "{strict}");
        assert!(message("version = 2\n[light]\nhaze = 900.0").contains("haze = 900"));
    }

    #[test]
    fn any_saved_preset_round_trips() {
        let mut preset = Preset::load("storm").unwrap();
        preset.description = "= \"\"\" \n[sea]\n# 海".to_owned();
        let (back, notes) = Preset::read("mine", &preset.to_versioned_toml()).unwrap();
        assert_eq!((back, notes), (preset, vec![]));
    }

    #[test]
    fn files_of_other_versions_load_their_known_parts() {
        let text = "version = 7\ndescription = \"mine\"\nmoon = true\n[sea]\n\
                    wind_speed_mps = 12\nice = 0.5\ndepth_m = 1e9\nspectrum = \"neumann\"\n\
                    seed = -1\ncapillary = false\n[camera]\ny_m = nan\n";
        let (preset, notes) = Preset::read("later.toml", text).unwrap();
        let sea = SeaState { wind_speed_mps: 12.0, capillary: false, ..SeaState::default() };
        assert_eq!(preset, Preset { description: "mine".to_owned(), sea, ..Preset::default() });
        for said in [
            "a later version (7)",
            "moon is unknown",
            "sea.ice is unknown",
            "sea.depth_m = 1000000000.0 is not possible; 1000 is used instead",
            "sea.spectrum = \"neumann\" is not possible; jonswap",
            "sea.seed = -1 is not possible; 1 is",
            "camera.y_m = nan is not possible",
            "sea.fetch_m is missing; 140000 is used",
            "light is missing",
            "clouds is missing",
        ] {
            assert!(notes.iter().any(|note| note.contains(said)), "{said}: {notes:#?}");
        }
    }
}
