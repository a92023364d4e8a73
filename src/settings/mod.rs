//! The settings of users: plain data with units in the names. Each struct is declared once, in a table
//! ([`table`]) of name, unit, range, default and help, which feeds preset files, the command line and
//! the panels. This module knows no GPU.

mod camera;
mod clouds;
#[cfg(feature = "presets")]
mod frame_settings;
mod light;
#[cfg(feature = "presets")]
mod preset;
mod quality;
mod scenery;
mod sea_state;
pub mod table;
#[cfg(any(feature = "app", feature = "cli"))]
mod user_presets;
mod wind;

pub use camera::CameraPose;
pub use clouds::{CloudKind, Clouds};
#[cfg(feature = "presets")]
pub use frame_settings::FrameSettings;
pub use light::Light;
#[cfg(feature = "presets")]
pub use preset::{Preset, PresetError};
pub use quality::{Quality, QualityTier};
pub use scenery::{Scenery, SeaBed};
pub use sea_state::{SeaState, ShortWaves, SpectrumModel, SpreadingModel};
pub use table::{Field, Kind, SettingError, Settings, Value};
#[cfg(feature = "app")]
pub(crate) use user_presets::check_name as check_preset_name;
#[cfg(any(feature = "app", feature = "cli"))]
pub use user_presets::{UserPreset, UserPresetError, UserPresets};
pub use wind::{beaufort, knots};
