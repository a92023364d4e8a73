//! The settings of a picture, to be recorded beside its cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CameraPose, Preset, Quality, QualityTier, Settings as _};
use crate::choice::Choice as _;

/// The settings of a recorded capture.
///
/// ```
/// use seaway::settings::FrameSettings;
///
/// fn label(of: &FrameSettings) -> String {
///     format!("{} by {}, {} points a side", of.preset, of.runs, of.quality.size)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameSettings {
    /// Name or file of the preset that the scene started from.
    pub preset: String,
    /// Sea, light, clouds, camera and scenery.
    pub scene: Preset,
    /// The height of a camera that stands on the water. Its own height then does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eye_above_water_m: Option<f64>,
    /// The quality, which sets the cost of the picture.
    pub quality: Quality,
    /// The name of the requested FFT algorithm, which may be `best` or `auto`.
    pub algorithm: String,
    /// The name of the algorithm that ran.
    pub runs: String,
    /// The parameters of the algorithm that were set.
    pub parameters: BTreeMap<String, String>,
    /// The path of the ocean, `fused` or `plain`.
    pub path: String,
    /// The width and height of the picture in pixels.
    pub resolution: [u32; 2],
}

impl FrameSettings {
    /// The options of `seaway profile` for the same frames.
    pub fn options(&self) -> String {
        let [width, height] = self.resolution;
        let mut words = vec![
            format!("--preset {}", shell_word(&self.preset)),
            format!("--resolution {width}x{height}"),
            format!("--algorithm {}", self.algorithm),
            format!("--path {}", self.path),
        ];
        let preset = Preset::load(&self.preset).unwrap_or_default();
        let scene = &self.scene;
        let tier = self.closest_tier();
        words.push(format!("--quality {tier}"));
        for field in self.quality.differences(&Quality::of(tier)) {
            words.push(format!("--{} {}", field.flag(), field.get(&self.quality)));
        }
        // The camera has options of its own.
        for field in scene.differences(&preset).filter(|field| field.group != "camera") {
            words.push(format!("--{} {}", field.flag(), field.get(scene)));
        }
        if scene.camera != preset.camera {
            let CameraPose { x_m, y_m, z_m, yaw_deg, pitch_deg, fov_deg } = &scene.camera;
            words.push(format!("--camera {x_m},{y_m},{z_m},{yaw_deg},{pitch_deg}"));
            words.push(format!("--fov-deg {fov_deg}"));
        }
        if let Some(height_m) = self.eye_above_water_m {
            words.push(format!("--eye-above-water {height_m}"));
        }
        words.join(" ")
    }

    /// The tier with the fewest settings that differ from the quality's.
    fn closest_tier(&self) -> QualityTier {
        let differing =
            |tier: &&QualityTier| self.quality.differences(&Quality::of(**tier)).count();
        *QualityTier::ALL.iter().min_by_key(differing).expect("there are tiers")
    }
}

/// `text` quoted as one word of a shell.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./+=:@".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_from_preset_and_tier_become_options() {
        let scene = Preset::load("storm").unwrap();
        let mut settings = FrameSettings {
            preset: "storm".to_owned(),
            scene,
            eye_above_water_m: None,
            quality: Quality::of(QualityTier::High),
            algorithm: "best".to_owned(),
            runs: "stockham-r8".to_owned(),
            parameters: BTreeMap::new(),
            path: "fused".to_owned(),
            resolution: [64, 36],
        };
        let plain =
            "--preset storm --resolution 64x36 --algorithm best --path fused --quality high";
        assert_eq!(settings.options(), plain);
        settings.scene.sea.wind_speed_mps = 12.5;
        settings.scene.camera.yaw_deg = -3.25;
        settings.scene.clouds.cloud_cover = 0.5;
        settings.quality.size = 64;
        settings.eye_above_water_m = Some(1.7);
        let CameraPose { x_m, y_m, z_m, pitch_deg, fov_deg, .. } = settings.scene.camera;
        assert_eq!(
            settings.options(),
            format!(
                "{plain} --size 64 --wind-speed-mps 12.5 --cloud-cover 0.5 \
                 --camera {x_m},{y_m},{z_m},-3.25,{pitch_deg} --fov-deg {fov_deg} \
                 --eye-above-water 1.7"
            )
        );
        settings.quality = Quality { size: 64, ..Quality::of(QualityTier::Low) };
        assert!(settings.options().contains("--path fused --quality low --size 64 --wind"));
    }

    #[test]
    fn names_of_files_are_one_word() {
        assert_eq!(shell_word("my seas/it's.toml"), r"'my seas/it'\''s.toml'");
        assert_eq!(shell_word("a/b-c_1.toml"), "a/b-c_1.toml");
        assert_eq!(shell_word(""), "''");
    }
}
