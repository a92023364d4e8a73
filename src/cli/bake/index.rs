//! `bake.json`, which describes the images of a folder.

use std::path::Path;

use crate::settings::SeaState;
use serde::Serialize;
use serde_json::Value;

use crate::cli::output;

pub const NAME: &str = "bake.json";

/// The field names are the keys of `bake.json`, which is stable.
#[derive(Serialize)]
pub struct Index<'a> {
    pub format: &'static str,
    pub version: u32,
    pub software: &'static str,
    pub command: String,
    pub adapter: Option<String>,
    pub arithmetic: &'static str,
    pub sea: &'a SeaState,
    pub loop_s: f64,
    pub fps: f64,
    pub frames: u32,
    pub time_step_s: f64,
    pub axes: &'static str,
    pub texels: &'static str,
    pub significant_wave_height_m: Height,
    pub mean_square_slope: Slope,
    pub choppiness: f64,
    pub combined: bool,
    pub realization: &'static str,
    pub foam: Option<FoamRow>,
    pub patches: Vec<PatchRow>,
}

pub const AXES: &str = "x and z horizontal, y up, right-handed, metres";
pub const TEXELS: &str = "row-major [z][x]; texel (i, j) is the water that at rest is at x = i side/size, z = j \
                          side/size of its patch, along the patch's own axes; the patch repeats";

#[derive(Serialize)]
pub struct Height {
    /// The height of the whole spectrum.
    pub theoretical: f64,
    /// The expected height of the waves in the patches.
    pub carried: f64,
    /// The height of the drawn waves, over the patches and the loop.
    pub measured: f64,
}

#[derive(Serialize)]
pub struct Slope {
    pub theoretical: f64,
    pub carried: f64,
    pub carried_share: f64,
    pub shortest_wave_m: f64,
}

#[derive(Serialize)]
pub struct FoamRow {
    /// The steps that lead to the first frame.
    pub history_s: f64,
    pub step_s: f64,
    pub jacobian_threshold: f64,
    pub expected_share: f64,
    /// The difference of the frame after the last from the first; null if no run wrote the whole loop.
    pub loop_difference: Option<f64>,
}

#[derive(Serialize)]
pub struct PatchRow {
    pub name: String,
    pub side_m: f64,
    pub size: u32,
    pub turn_rad: f64,
    pub first_rad_per_m: f64,
    pub last_rad_per_m: f64,
    pub images: Vec<ImageRow>,
}

#[derive(Serialize)]
pub struct ImageRow {
    pub name: &'static str,
    pub channels: [&'static str; 3],
    pub file: String,
    pub frame_digits: usize,
    pub format: &'static str,
    /// The type of the samples: half, float or uint16.
    pub sample: &'static str,
    pub offset: [f64; 3],
    pub scale: [f64; 3],
}

impl Index<'_> {
    /// Describes the difference of the bake in `folder` from this one, if it has one. Its command and adapter
    /// may differ, as those of a farm's machines do.
    pub fn difference(&self, folder: &Path) -> Existing {
        let path = folder.join(NAME);
        if !path.exists() {
            return Existing::Nothing;
        }
        let Ok(there) = output::read_json::<Value>(&path, "seaway bake") else {
            return Existing::Other("its bake.json cannot be read".into());
        };
        let here = serde_json::to_value(self).expect("plain data serialises");
        match difference("", &there, &here) {
            Some(difference) => Existing::Other(difference),
            None => Existing::Same,
        }
    }
}

/// The bake that a folder holds.
#[derive(Debug, PartialEq, Eq)]
pub enum Existing {
    Nothing,
    Same,
    /// Another one, with the difference.
    Other(String),
}

fn difference(name: &str, there: &Value, here: &Value) -> Option<String> {
    if ["command", "adapter", "foam.loop_difference"].contains(&name) || there == here {
        return None;
    }
    let inner = |key: &str, there: Option<&Value>, here: Option<&Value>| {
        let name = if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
        difference(&name, there.unwrap_or(&Value::Null), here.unwrap_or(&Value::Null))
    };
    match (there, here) {
        (Value::Object(there), Value::Object(here)) => {
            // The settings that determine others come first.
            let causes = ["sea", "fps", "loop_s"].into_iter();
            let keys = causes.chain(here.keys().chain(there.keys()).map(String::as_str));
            keys.into_iter().find_map(|key| inner(key, there.get(key), here.get(key)))
        }
        (Value::Array(there), Value::Array(here)) if there.len() != here.len() => {
            Some(format!("{name} has {} entries there and {} here", there.len(), here.len()))
        }
        (Value::Array(there), Value::Array(here)) => (0..here.len())
            .find_map(|index| inner(&index.to_string(), there.get(index), here.get(index))),
        _ => {
            let [there, here] = [there, here].map(output::shown);
            Some(format!("{name} is {there} there and {here} here"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_are_named() {
        let here = json!({"command": "a", "sea": {"seed": 1}, "patches": [1], "fps": 30.0});
        let differs = |there| difference("", &there, &here);
        assert_eq!(differs(here.clone()), None);
        let mut there = here.clone();
        there["command"] = json!("b");
        assert_eq!(differs(there.clone()), None);
        there["sea"]["seed"] = json!(2);
        assert_eq!(differs(there), Some("sea.seed is 2 there and 1 here".into()));
        let mut there = here.clone();
        there["patches"] = json!([2]);
        assert_eq!(differs(there.clone()), Some("patches.0 is 2 there and 1 here".into()));
        there["patches"] = json!([1, 2]);
        assert_eq!(differs(there), Some("patches has 2 entries there and 1 here".into()));
        let mut there = here.clone();
        there["tide_m"] = json!(1.5);
        assert_eq!(differs(there), Some("tide_m is 1.5 there and null here".into()));
    }
}
