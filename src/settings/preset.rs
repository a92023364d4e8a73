//! Named scenes: the ones that ship (`assets/presets`), and files of the same form.

use std::path::Path;

use super::table::{SettingError, Settings};
use super::{CameraPose, Light, SeaState};

/// A scene: a sea, its light and where to stand.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Preset {
    /// One or two sentences for people.
    pub description: String,
    /// The sea.
    pub sea: SeaState,
    /// Sun and air.
    pub light: Light,
    /// Where the camera starts.
    pub camera: CameraPose,
}

/// Why a preset could not be used.
#[derive(Debug, thiserror::Error)]
pub enum PresetError {
    /// Neither a shipped name nor a file.
    #[error(
        "there is no preset {name:?}: it is not a file, and the shipped presets are {}",
        Preset::SHIPPED.map(|(name, _)| name).join(", ")
    )]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The file is there but cannot be read.
    #[error("preset {path} could not be read: {source}")]
    Read {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The text is not a preset.
    #[error("preset {path} is malformed: {source}")]
    Malformed {
        /// The file.
        path: String,
        /// What is wrong, with the line.
        source: Box<toml::de::Error>,
    },
    /// A value is out of range or not a number.
    #[error("preset {path}: {source}")]
    Invalid {
        /// The file.
        path: String,
        /// The field and its range.
        source: SettingError,
    },
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../assets/presets/", $name, ".toml")))),*]
    };
}

impl Preset {
    /// The presets that ship, calmest first: name and TOML text.
    pub const SHIPPED: [(&'static str, &'static str); 6] =
        shipped!["calm", "breeze", "shallow-bay", "swell-at-sunset", "gale", "storm"];

    /// The name of the preset that the demo starts with.
    pub const DEFAULT_NAME: &'static str = "breeze";

    /// A shipped preset by name, else the file of that path.
    ///
    /// # Errors
    /// [`PresetError`] where there is neither, or the file is malformed or out of range.
    pub fn load(name_or_path: &str) -> Result<Self, PresetError> {
        if let Some((name, text)) = Self::SHIPPED.iter().find(|(name, _)| *name == name_or_path) {
            return Self::parse(name, text);
        }
        let path = Path::new(name_or_path);
        if !path.exists() {
            return Err(PresetError::Unknown { name: name_or_path.to_owned() });
        }
        let text = std::fs::read_to_string(path)
            .map_err(|source| PresetError::Read { path: name_or_path.to_owned(), source })?;
        Self::parse(name_or_path, &text)
    }

    /// Parses and checks the TOML of a preset; `path` is for messages.
    ///
    /// # Errors
    /// [`PresetError::Malformed`] or [`PresetError::Invalid`].
    pub fn parse(path: &str, text: &str) -> Result<Self, PresetError> {
        let preset: Self = toml::from_str(text).map_err(|source| PresetError::Malformed {
            path: path.to_owned(),
            source: Box::new(source),
        })?;
        preset
            .validate()
            .map_err(|source| PresetError::Invalid { path: path.to_owned(), source })?;
        Ok(preset)
    }

    /// Checks every value.
    ///
    /// # Errors
    /// The first setting that is out of range.
    pub fn validate(&self) -> Result<(), SettingError> {
        self.sea.validate()?;
        self.light.validate()?;
        self.camera.validate()
    }

    /// The TOML that [`Preset::parse`] reads back.
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).expect("plain data serialises")
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
        assert!(message("[sea]\nspectrum = \"phillips\"").contains("jonswap"));
        assert!(message("[sea").contains("my.toml is malformed"));
        let unknown = Preset::load("no-such-preset").unwrap_err().to_string();
        assert!(unknown.contains("no-such-preset") && unknown.contains("breeze"), "{unknown}");
    }
}
