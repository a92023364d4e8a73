//! The settings of a frame, as text within its file: they are enough to draw it again, and `--resume`
//! compares them to recognise frames of the same sequence.

use std::collections::BTreeMap;

use crate::OceanOptions;
use crate::choice::Choice as _;
use crate::eye::EyeLevel;
use crate::settings::{CameraPose, Clouds, Light, Preset, Quality, Scenery, SeaState};
use toml::{Table, Value};

use crate::cli::output;

pub const SOFTWARE: &str = concat!("seaway ", env!("CARGO_PKG_VERSION"));

/// The key of the text in PNG and EXR files.
pub const KEY: &str = "seaway";

/// The part that names the adapter, since frames of several machines may form one sequence.
const DRAWN: &str = "drawn";

/// Everything that a sequence's frames share and that changes the picture.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Sequence {
    /// Pictures differ from version to version.
    software: &'static str,
    resolution: [u32; 2],
    fps: f64,
    algorithm: Option<String>,
    path: &'static str,
    eye_above_water_m: Option<f64>,
    /// Set if there are several.
    samples: Option<u32>,
    quality: Quality,
    sea: SeaState,
    light: Light,
    clouds: Clouds,
    camera: CameraPose,
    scenery: Scenery,
}

impl Sequence {
    pub fn new(
        scene: &Preset,
        quality: &Quality,
        ocean: &OceanOptions,
        resolution: [u32; 2],
        fps: f64,
    ) -> Self {
        Self {
            software: SOFTWARE,
            resolution,
            fps,
            algorithm: ocean.algorithm.map(|algorithm| algorithm.algorithm().name().to_owned()),
            path: ocean.path.name(),
            eye_above_water_m: None,
            samples: None,
            quality: quality.clone(),
            sea: scene.sea.clone(),
            light: scene.light.clone(),
            clouds: scene.clouds.clone(),
            camera: scene.camera.clone(),
            scenery: scene.scenery.clone(),
        }
    }

    /// Sets the reference of the eye's height.
    pub fn stand(&mut self, eye_level: EyeLevel) {
        self.eye_above_water_m = eye_level.above_water_m();
    }

    /// Sets the number of samples that each frame is the mean of.
    pub fn sample(&mut self, samples: u32) {
        self.samples = (samples > 1).then_some(samples);
    }

    pub fn stamp(&self, time_s: f64) -> Stamp {
        let mut table = Table::try_from(self).expect("plain data serialises");
        table.insert("time_s".into(), time_s.into());
        Stamp(table)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stamp(Table);

impl Stamp {
    /// Formats as TOML, with the frame's number and the `adapter` that drew it, which do not count when
    /// stamps are compared.
    pub fn text(&self, frame: u32, adapter: &str) -> String {
        let mut table = self.0.clone();
        // Whatever a driver calls itself, the text is ASCII, which every format can hold.
        let adapter: String = adapter.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect();
        let drawn = Table::from_iter([
            ("adapter".to_owned(), Value::from(adapter)),
            ("frame".to_owned(), i64::from(frame).into()),
        ]);
        table.insert(DRAWN.into(), drawn.into());
        toml::to_string(&table).expect("plain data serialises")
    }

    /// Describes the difference between the frame whose file holds `text` and this one.
    pub fn difference(&self, text: &str) -> Option<String> {
        let Ok(mut found) = text.parse::<Table>() else {
            return Some("the settings in the file cannot be read".into());
        };
        found.remove(DRAWN);
        let (there, here) = (flat(&found), flat(&self.0));
        let names: Vec<&String> = here
            .keys()
            .chain(there.keys().filter(|name| !here.contains_key(*name)))
            .filter(|name| here.get(*name) != there.get(*name))
            .collect();
        let value = |values: &BTreeMap<String, Value>, name: &str| {
            values.get(name).map_or_else(|| "nothing".to_owned(), output::shown)
        };
        let said = |name: &&String| {
            format!("{name} is {} there and {} here", value(&there, name), value(&here, name))
        };
        // Another version may have other settings: that it is another says enough.
        if let Some(software) = names.iter().find(|name| **name == "software") {
            return Some(said(software));
        }
        const SAID: usize = 3;
        let mut text = names.iter().take(SAID).map(said).collect::<Vec<_>>().join(", ");
        if names.len() > SAID {
            text += &format!(", and {} more", names.len() - SAID);
        }
        (!names.is_empty()).then_some(text)
    }
}

/// The values by name, as in `sea.wind_speed_mps`.
fn flat(table: &Table) -> BTreeMap<String, Value> {
    let mut values = BTreeMap::new();
    for (name, value) in table {
        match value {
            Value::Table(inner) => values.extend(
                flat(inner).into_iter().map(|(key, value)| (format!("{name}.{key}"), value)),
            ),
            value => {
                values.insert(name.clone(), value.clone());
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(preset: &str) -> Sequence {
        let quality = Quality::default();
        let scene = Preset::load(preset).unwrap();
        Sequence::new(&scene, &quality, &OceanOptions::fixed(&quality), [96, 54], 30.0)
    }

    #[test]
    fn a_stamp_differs_from_itself_in_nothing_whoever_draws() {
        for (preset, _) in Preset::SHIPPED {
            // A time that no short decimal says.
            let stamp = sequence(preset).stamp(1.0 / 3.0);
            assert_eq!(
                stamp.difference(&stamp.text(10, "one \"GPU\" of\nmany\u{2122}")),
                None,
                "{preset}"
            );
        }
    }

    #[test]
    fn every_difference_is_named() {
        let breeze = sequence("breeze");
        let stamp = breeze.stamp(2.0);
        let against = |other: Stamp| stamp.difference(&other.text(0, "")).unwrap();
        assert_eq!(against(breeze.stamp(2.5)), "time_s is 2.5 there and 2.0 here");
        let mut other = breeze.clone();
        other.sea.wind_speed_mps += 1.0;
        assert!(against(other.stamp(2.0)).starts_with("sea.wind_speed_mps is "));
        let mut other = breeze.clone();
        other.resolution[0] += 1;
        assert!(against(other.stamp(2.0)).contains("resolution is [97, 54] there and [96, 54]"));
        assert!(against(sequence("storm").stamp(2.0)).contains(" more"));
        let other = Sequence { software: "seaway 0.0.1", fps: 24.0, ..breeze.clone() };
        let software = against(other.stamp(2.0));
        assert!(software.contains("seaway 0.0.1") && !software.contains("fps"), "{software}");
        // A setting that the other has not, or has too many.
        let mut table = stamp.0.clone();
        table.remove("fps");
        assert_eq!(against(Stamp(table.clone())), "fps is nothing there and 30.0 here");
        table.insert("fps".into(), 30.0.into());
        table.insert("tide_m".into(), 1.5.into());
        assert_eq!(against(Stamp(table)), "tide_m is 1.5 there and nothing here");
        assert!(stamp.difference("half of a li").unwrap().contains("cannot be read"));
    }
}
