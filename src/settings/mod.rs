//! The settings of users: plain data with units in the names. Each struct is declared once, in a table
//! ([`table`]) of name, unit, range, default and help, which feeds preset files, the command line and
//! the panels. This module knows no GPU.
//!
//! Every setting is in its group's table:
//!
//! ```
//! use seaway::settings::{Light, SeaState, SettingError, Settings, Value, knots};
//!
//! for field in SeaState::FIELDS {
//!     let entry = field.entry();
//!     println!("{} [{}]: {} {:?}", entry.label, entry.unit, entry.help, entry.kind);
//! }
//! let mut light = Light::default();
//! let sun = Light::field("sun_elevation_deg").unwrap();
//! sun.set(&mut light, Value::Number(6.0))?;
//! assert!(matches!(sun.set_text(&mut light, "120"), Err(SettingError::OutOfRange { .. })));
//! assert!((knots(10.0) - 19.4).abs() < 0.1);
//! # Ok::<(), SettingError>(())
//! ```

mod camera;
mod clouds;
#[cfg(feature = "presets")]
mod frame_settings;
mod light;
#[cfg(feature = "presets")]
mod preset;
mod quality;
mod recorded_sea;
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
pub use recorded_sea::{
    RecordedDirections, RecordedSea, RecordedSeaError, RecordedSpectrum, RecordedSpreading,
    RecordedSummary, RecordedWind,
};
pub use scenery::{Scenery, SeaBed};
pub use sea_state::{SeaState, ShortWaves, SpectrumModel, SpreadingModel};
pub use table::{Field, Kind, SettingError, Settings, Value};
#[cfg(feature = "app")]
pub(crate) use user_presets::check_name as check_preset_name;
#[cfg(any(feature = "app", feature = "cli"))]
pub use user_presets::{UserPreset, UserPresetError, UserPresets};
pub use wind::{beaufort, knots};
