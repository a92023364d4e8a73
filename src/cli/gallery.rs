//! `seaway gallery`: every preset under several suns and from several heights, and all of them on one sheet.

mod sheet;
mod sun;

use std::io;
use std::path::{Path, PathBuf};

use crate::OceanOptions;
use crate::eye::EyeLevel;
use crate::mesh::EARTH_RADIUS_M;
use crate::settings::{CameraPose, Light, Preset, Quality};
use anyhow::bail;

use self::sheet::Sheet;
use self::sun::Sun;
use super::Global;
use super::args;
use super::device::Gpu;
use super::estimate::{self, Work};
use super::exit::Usage;
use super::headless::Headless;
use super::output;
use super::render::png;
use super::render::progress_bar;
use super::render::stamp::Sequence;
use super::scene::{self, QualityArgs, SamplesArgs};

/// The text after the options in `--help`.
const FILES: &str = "\
Files in DIR (files of an earlier run are replaced, other files stay):
  PRESET-SUN-HEIGHTm.png  one picture, for example storm-low-30m.png; its
                          metadata has the settings, as in frames of
                          `seaway render`
  gallery.png             contact sheet: a row for each preset, a column for
                          each height and sun
The camera looks in the direction of the preset, with the horizon a third of the
way down the picture, or two thirds for an eye under water.";

#[derive(clap::Args)]
#[command(after_help = FILES)]
pub struct Args {
    /// Folder for the pictures; created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Presets to render: shipped ones, your own, or preset files [default: all that ship]
    #[arg(long, value_name = "NAME|FILE,..", value_delimiter = ',')]
    preset: Vec<String>,
    /// Positions of the sun. A position is a name, or ELEVATION@BEARING in degrees: the elevation above
    /// the horizon [-6 to 90], and the bearing clockwise from the direction of the camera [-180 to
    /// 180]. The names are low (4@12), afternoon (20@-55), high (55@70) and behind (12@165)
    #[arg(
        long,
        value_name = "SUN,..",
        value_delimiter = ',',
        default_value = "low,afternoon,high,behind",
        allow_hyphen_values = true
    )]
    suns: Vec<Sun>,
    /// Heights of the eye in metres: from 0.5 to 50 above the waves, others above still water, and below 0
    /// under it [-200 to 20000]
    #[arg(
        long,
        value_name = "METRES,..",
        value_delimiter = ',',
        default_value = "2,30,1500",
        allow_hyphen_values = true,
        value_parser = args::number(-200.0..=20_000.0)
    )]
    heights: Vec<f64>,
    /// Sea time in seconds [-10000000 to 10000000]
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "20",
        allow_negative_numbers = true,
        value_parser = args::number(-1.0e7..=1.0e7)
    )]
    time: f64,
    /// Width and height of each picture in pixels
    #[arg(long, value_name = "WxH", default_value = "960x540", value_parser = args::resolution)]
    resolution: [u32; 2],
    #[command(flatten)]
    quality: QualityArgs,
    #[command(flatten)]
    samples: SamplesArgs,
}

struct View {
    sun: Sun,
    height_m: f64,
}

impl View {
    /// The name of the picture without the preset's.
    fn label(&self) -> String {
        format!("{} {} m", self.sun, self.height_m)
    }

    fn file(&self, preset: &str) -> String {
        format!("{preset}-{}-{}m.png", self.sun, self.height_m)
    }

    fn light(&self, scene: &Preset) -> Light {
        Light {
            sun_azimuth_deg: wrapped_deg(scene.camera.yaw_deg + self.sun.bearing_deg),
            sun_elevation_deg: self.sun.elevation_deg,
            ..scene.light.clone()
        }
    }

    fn eye_level(&self) -> EyeLevel {
        if EyeLevel::HEIGHTS_M.contains(&self.height_m) {
            EyeLevel::OnWater { height_m: self.height_m }
        } else {
            EyeLevel::OverStillWater
        }
    }

    /// Puts the horizon a third of the picture below its top, and tilts the camera down by its dip. In the water,
    /// which shows more above it, the horizon is a third over the picture's foot.
    fn camera(&self, scene: &Preset) -> CameraPose {
        let over_middle = (0.5 * scene.camera.fov_deg.to_radians()).tan() / 3.0;
        let dip = (EARTH_RADIUS_M / (EARTH_RADIUS_M + self.height_m.max(0.0))).acos();
        let down_deg = (over_middle.atan() + dip).to_degrees();
        let pitch_deg = if self.height_m < 0.0 { down_deg } else { -down_deg };
        CameraPose { y_m: self.height_m, pitch_deg, ..scene.camera.clone() }
    }
}

fn wrapped_deg(angle_deg: f64) -> f64 {
    (angle_deg + 180.0).rem_euclid(360.0) - 180.0
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let algorithm = args.quality.fixed_algorithm("gallery")?;
    let mut quality =
        args.quality.resolve(args.quality.tier().unwrap_or(QualityArgs::FIXED_TIER))?;
    args.samples.apply(&mut quality);
    let mut ocean = OceanOptions::fixed(&quality);
    if let Some(named) = algorithm {
        ocean.algorithm = Some(named.into());
    }
    let scenes = args.scenes()?;
    let views = args.views();
    args.check_files(&scenes, &views)?;
    output::make_folder(&args.out)?;

    let gpu = Gpu::open(global.limits)?;
    let count = scenes.len() * views.len();
    let samples = u64::from(args.samples.samples);
    let work = Work {
        seas: scenes.len() as f64,
        warm_ups: scenes.len() as f64,
        pixels: (count as u64 * samples) as f64 * estimate::pixels(args.resolution),
    };
    estimate::warn_of_software(&gpu, &scenes[0].1, &args.quality, &work)?;
    let names = scenes.iter().map(|(name, _)| name.as_str());
    let labels: Vec<String> = views.iter().map(View::label).collect();
    let mut sheet = Sheet::new(args.resolution, names, &labels)?;
    let what = if samples > 1 { "samples" } else { "pictures" };
    let progress = progress_bar(count as u64 * samples, what);
    for (row, (name, scene)) in scenes.iter().enumerate() {
        progress.set_message(format!("{what} ({name})"));
        // One ocean a preset: only the sun and the eye move.
        let mut headless = Headless::new(gpu.clone(), scene, &quality, ocean, args.resolution)?;
        for (column, view) in views.iter().enumerate() {
            let (camera, light) = (view.camera(scene), view.light(scene));
            headless.place(camera.clone(), view.eye_level(), light.clone());
            let eye = headless.eye_at(args.time)?;
            if let Some(raised) = headless.raised(&eye) {
                progress.suspend(|| eprintln!("{}: {raised}", view.file(name)));
            }
            headless.look_from(eye);
            headless.draw(args.time, args.samples.samples, |_| progress.inc(1))?;
            let rgba = headless.picture()?;
            let shown = Preset { camera, light, ..scene.clone() };
            let stamp = args.stamp(&shown, view, &quality, &ocean);
            let bytes = png::encode(args.resolution, &rgba, stamp(&gpu.context.describe()));
            args.put(&view.file(name), bytes)?;
            sheet.put(column, row, &rgba);
        }
    }
    progress.finish_and_clear();
    args.put(SHEET, sheet.encode())?;
    eprintln!("wrote {count} picture(s) and {SHEET} to {}", args.out.display());
    Ok(())
}

const SHEET: &str = "gallery.png";

impl Args {
    /// The presets with the names of their files.
    fn scenes(&self) -> anyhow::Result<Vec<(String, Preset)>> {
        let shipped = || Preset::SHIPPED.iter().map(|(name, _)| (*name).to_owned()).collect();
        let asked = if self.preset.is_empty() { shipped() } else { self.preset.clone() };
        let mut scenes: Vec<(String, Preset)> = Vec::new();
        for preset in asked {
            let name =
                Path::new(&preset).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let name = name.unwrap_or_else(|| preset.clone());
            if scenes.iter().any(|(other, _)| *other == name) {
                bail!(Usage(format!("--preset names {name} twice")));
            }
            let mut scene = scene::load(&preset)?;
            scene.sea.keep_hour();
            scenes.push((name, scene));
        }
        Ok(scenes)
    }

    fn views(&self) -> Vec<View> {
        let views = self.heights.iter().flat_map(|&height_m| {
            self.suns.iter().map(move |sun| View { sun: sun.clone(), height_m })
        });
        views.collect()
    }

    /// Refuses to start if a folder has the name of a file to write.
    fn check_files(&self, scenes: &[(String, Preset)], views: &[View]) -> anyhow::Result<()> {
        let pictures = scenes.iter().flat_map(|(name, _)| views.iter().map(|view| view.file(name)));
        let mut files = pictures.chain([SHEET.to_owned()]);
        files.try_for_each(|file| output::check_name(&self.out.join(file), "--out"))
    }

    /// The settings of a picture, given the adapter, as a sequence of one frame.
    fn stamp(
        &self,
        shown: &Preset,
        view: &View,
        quality: &Quality,
        ocean: &OceanOptions,
    ) -> impl Fn(&str) -> String {
        const FPS: f64 = 30.0;
        let mut sequence = Sequence::new(shown, quality, ocean, self.resolution, FPS);
        sequence.stand(view.eye_level());
        sequence.sample(self.samples.samples);
        let stamp = sequence.stamp(self.time);
        move |adapter| stamp.text(0, adapter)
    }

    fn put(&self, file: &str, bytes: io::Result<Vec<u8>>) -> anyhow::Result<()> {
        output::write_encoded(&self.out.join(file), bytes)
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh;

    use super::*;

    fn view(sun: &str, height_m: f64) -> View {
        View { sun: sun.parse().unwrap(), height_m }
    }

    #[test]
    fn the_horizon_lies_at_a_third_from_any_height() {
        for (name, _) in Preset::SHIPPED {
            let scene = Preset::load(name).unwrap();
            for height_m in [2.0, 30.0, 1500.0, 20_000.0] {
                let camera = view("low", height_m).camera(&scene);
                let eye = mesh::View::new(&camera, [960, 540]);
                let radius_m = EARTH_RADIUS_M + height_m;
                let sine = -(1.0 - (EARTH_RADIUS_M / radius_m).powi(2)).sqrt();
                // In the vertical plane that the camera looks along.
                let level = glam::Vec3::new(eye.forward.x, 0.0, eye.forward.z).normalize();
                let ray = level * (1.0 - sine * sine).sqrt() as f32 + glam::Vec3::Y * sine as f32;
                let clip = eye.clip_from_relative * ray.extend(0.0);
                assert!((clip.y / clip.w - 1.0 / 3.0).abs() < 1e-3, "{name}, {height_m} m");
            }
        }
    }

    #[test]
    fn suns_are_where_their_names_say() {
        let scene = Preset::load("breeze").unwrap();
        let turn_deg = |sun: &str| {
            let light = view(sun, 2.0).light(&scene);
            wrapped_deg(light.sun_azimuth_deg - scene.camera.yaw_deg)
        };
        assert!(turn_deg("low").abs() < 30.0 && turn_deg("afternoon") < -40.0);
        assert!(turn_deg("high") > 40.0 && turn_deg("behind").abs() > 140.0);
        assert_eq!(view("20@-35.5", 30.0).file("storm"), "storm-20@-35.5-30m.png");
        assert!((turn_deg("20@-35.5") + 35.5).abs() < 1e-9);
        assert_eq!(view("low", 2.5).file("storm"), "storm-low-2.5m.png");
    }

    #[test]
    fn an_eye_in_the_water_looks_up() {
        let scene = Preset::load("reef-lagoon").unwrap();
        let below = view("high", -2.0);
        let [up, down] = [below.camera(&scene), view("high", 2.0).camera(&scene)];
        assert!(up.pitch_deg > 5.0 && (up.pitch_deg + down.pitch_deg).abs() < 0.1, "{up:?}");
        assert_eq!((below.eye_level(), up.y_m), (EyeLevel::OverStillWater, -2.0));
        assert_eq!(below.file("reef-lagoon"), "reef-lagoon-high--2m.png");
    }
}
