//! What is remembered from visit to visit: `view.toml` in the user's configuration folder. A
//! file that is missing, broken or from another version never stops the program: every part of
//! it that makes no sense falls back to its default.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::camera::{Bookmarks, FlyCamera, Kept, Walk};
use super::comparing::CompareChoice;
use super::session::{DockTab, Session, TierChoice};
use crate::eye::EyeLevel;
use crate::fft::lab::AlgorithmChoice;
use crate::ocean::OceanPath;
use crate::platform::files::{self, Found};
use crate::settings::{CameraPose, Clouds, Light, Quality, Scenery, SeaState, Settings};

/// The file's form.
#[derive(Serialize)]
struct File<'a> {
    preset: &'a str,
    tier: TierChoice,
    render_scale: f64,
    algorithm: AlgorithmChoice,
    path: OceanPath,
    vsync: bool,
    frame_cap: u32,
    speed_mps: f64,
    is_walking: bool,
    walking_speed_mps: f64,
    eye_above_water_m: f64,
    show_ui: bool,
    dock: Option<DockTab>,
    dock_height: f64,
    ui_scale: f64,
    capture_frames: u32,
    window: [u32; 2],
    compare: &'a CompareChoice,
    sea: &'a SeaState,
    light: &'a Light,
    clouds: &'a Clouds,
    camera: &'a CameraPose,
    scenery: &'a Scenery,
    quality: &'a Quality,
    bookmarks: Vec<Kept>,
}

/// More than a session comes to.
const MOST_BYTES: u64 = 1 << 20;

/// Where the state lies, or nowhere where the system has no such folder.
pub(super) fn path() -> Option<PathBuf> {
    Some(files::config_folder()?.join("seaway").join("view.toml"))
}

/// The session of the last visit.
pub(super) fn load(path: &Path) -> Session {
    match files::read(path, MOST_BYTES) {
        Ok(Found::Text(text)) => parse(&text),
        Ok(Found::TooLarge | Found::NoFile) => {
            log::warn!("{} is not a file of saved settings and is ignored", path.display());
            Session::default()
        }
        Err(error) => {
            if error.kind() != std::io::ErrorKind::NotFound {
                log::warn!("{} could not be read: {error}", path.display());
            }
            Session::default()
        }
    }
}

/// Writes the session down, whole or not at all.
///
/// # Errors
/// Where the folder or the file cannot be written.
pub(super) fn save(path: &Path, session: &Session) -> std::io::Result<()> {
    files::write(path, &text(session))
}

fn text(session: &Session) -> String {
    let file = File {
        preset: &session.preset,
        tier: session.tier,
        render_scale: session.render_scale,
        algorithm: session.algorithm,
        path: session.path,
        vsync: session.vsync,
        frame_cap: session.frame_cap,
        speed_mps: session.cameras.fly.speed_mps,
        is_walking: session.cameras.is_walking,
        walking_speed_mps: session.cameras.walk.speed_mps,
        eye_above_water_m: session.cameras.walk.height_m,
        show_ui: session.show_ui,
        dock: session.dock,
        dock_height: session.dock_height,
        ui_scale: session.ui_scale,
        capture_frames: session.capture_frames,
        window: session.window,
        compare: &session.compare,
        sea: &session.scene.sea,
        light: &session.scene.light,
        clouds: &session.scene.clouds,
        camera: &session.scene.camera,
        scenery: &session.scene.scenery,
        quality: &session.quality,
        bookmarks: session.cameras.bookmarks.kept(),
    };
    toml::to_string_pretty(&file).expect("plain data serialises")
}

fn parse(text: &str) -> Session {
    let mut session = Session::default();
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => {
            log::warn!("the saved settings are malformed and are ignored: {error}");
            return session;
        }
    };
    let sound = |speed: &f64| FlyCamera::SPEEDS_MPS.contains(speed);
    read(&table, "preset", |_| true, &mut session.preset);
    read(&table, "tier", |_| true, &mut session.tier);
    let is_scale = |scale: &f64| Session::RENDER_SCALES.contains(scale);
    read(&table, "render_scale", is_scale, &mut session.render_scale);
    read(&table, "algorithm", |_| true, &mut session.algorithm);
    read(&table, "path", |_| true, &mut session.path);
    read(&table, "vsync", |_| true, &mut session.vsync);
    read(&table, "frame_cap", |cap| *cap <= 1_000, &mut session.frame_cap);
    read(&table, "speed_mps", sound, &mut session.cameras.fly.speed_mps);
    read(&table, "is_walking", |_| true, &mut session.cameras.is_walking);
    let is_pace = |speed: &f64| Walk::SPEEDS_MPS.contains(speed);
    read(&table, "walking_speed_mps", is_pace, &mut session.cameras.walk.speed_mps);
    let is_eye = |height: &f64| EyeLevel::HEIGHTS_M.contains(height);
    read(&table, "eye_above_water_m", is_eye, &mut session.cameras.walk.height_m);
    read(&table, "show_ui", |_| true, &mut session.show_ui);
    let mut dock = None;
    read(&table, "dock", |_| true, &mut dock);
    session.dock = dock;
    let is_height = |height: &f64| Session::DOCK_HEIGHTS.contains(height);
    read(&table, "dock_height", is_height, &mut session.dock_height);
    let is_ui_scale = |scale: &f64| Session::UI_SCALES.contains(scale);
    read(&table, "ui_scale", is_ui_scale, &mut session.ui_scale);
    read(&table, "capture_frames", |n| (1..=10_000).contains(n), &mut session.capture_frames);
    let is_window = |size: &[u32; 2]| size.iter().all(|side| (64..=16_384).contains(side));
    read(&table, "window", is_window, &mut session.window);
    read(&table, "compare", CompareChoice::is_sound, &mut session.compare);
    read(&table, "sea", |sea: &SeaState| sea.validate().is_ok(), &mut session.scene.sea);
    read(&table, "light", |light: &Light| light.validate().is_ok(), &mut session.scene.light);
    let are_clouds = |clouds: &Clouds| clouds.validate().is_ok();
    read(&table, "clouds", are_clouds, &mut session.scene.clouds);
    let is_pose = |pose: &CameraPose| pose.validate().is_ok();
    read(&table, "camera", is_pose, &mut session.scene.camera);
    let is_scenery = |scenery: &Scenery| scenery.validate().is_ok();
    read(&table, "scenery", is_scenery, &mut session.scene.scenery);
    let is_quality = |quality: &Quality| quality.validate().is_ok();
    read(&table, "quality", is_quality, &mut session.quality);
    let mut kept = Vec::new();
    read(&table, "bookmarks", |_| true, &mut kept);
    session.cameras.bookmarks = Bookmarks::of(kept, |error| {
        log::warn!("saved settings: a bookmark is ignored: {error}");
    });
    session
}

/// Reads one entry into `place`, unless it is missing or makes no sense.
fn read<T: for<'de> Deserialize<'de>>(
    table: &toml::Table,
    name: &str,
    is_sound: impl FnOnce(&T) -> bool,
    place: &mut T,
) {
    let Some(value) = table.get(name) else { return };
    match value.clone().try_into() {
        Ok(value) if is_sound(&value) => *place = value,
        Ok(_) => log::warn!("saved settings: {name} is out of range and is ignored"),
        Err(error) => log::warn!("saved settings: {name} is ignored: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_comes_back_as_it_was() {
        let mut session = Session { vsync: false, frame_cap: 60, ..Session::default() };
        session.scene.sea.wind_speed_mps = 21.5;
        session.scene.camera.yaw_deg = -77.25;
        session.tier = TierChoice::Custom;
        session.render_scale = 0.75;
        session.quality.cascades = 2;
        session.dock = Some(DockTab::Compare);
        session.dock_height = 333.5;
        session.cameras.fly.speed_mps = 40.0;
        session.cameras.is_walking = true;
        session.cameras.walk.speed_mps = 3.5;
        session.cameras.walk.height_m = 12.25;
        session.ui_scale = 1.3;
        session.cameras.bookmarks.set(7, Some(CameraPose { x_m: 7.0, ..CameraPose::default() }));
        for algorithm in AlgorithmChoice::all() {
            session.algorithm = algorithm;
            assert_eq!(parse(&text(&session)), session);
        }
        assert_eq!(parse("algorithm = \"turbo\""), Session::default());
    }

    #[test]
    fn broken_files_cost_only_what_is_broken() {
        assert_eq!(parse("sea = ["), Session::default());
        assert_eq!(parse(""), Session::default());
        let some = parse(
            "vsync = false\nframe_cap = -3\ntier = \"turbo\"\nspeed_mps = nan\neye_above_water_m = 0.1\nwalking_speed_mps = nan\nis_walking = 3\nunknown = 1\n\
             window = [0, 99999999]\ndock = \"flow\"\ndock_height = nan\n[sea]\nwind_speed_mps = nan\n[light]\nhaze = 2.0\n\
             [camera]\ny_m = \"high\"\n",
        );
        let mut expected = Session { vsync: false, ..Session::default() };
        expected.scene.light = Light { haze: 2.0, ..Light::default() };
        assert_eq!(some, expected);
    }

    #[test]
    fn saving_makes_the_folder_and_loading_tolerates_its_absence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("view.toml");
        assert_eq!(load(&path), Session::default());
        let session = Session { show_ui: false, ..Session::default() };
        save(&path, &session).unwrap();
        assert_eq!(load(&path), session);
    }
}
