//! The picture of an eye in the water, against geometry: the surface from below, what it hides, and no flash on the way
//! down.

use seaway::frame::FrameDesc;
use seaway::settings::{
    CameraPose, Clouds, Light, Preset, Quality, QualityTier, Scenery, SeaState, ShortWaves,
};
use seaway_core::testing::tolerance::{at_least, at_most, near};

use crate::layers::{Bench, desc, quality, rays};
use crate::studio::Studio;

fn luminance(light: &[half::f16; 4]) -> f64 {
    let [red, green, blue, _] = light.map(|channel| channel.to_f64());
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// An almost flat sea is bright within 48.3 degrees of the vertical, as far away as its height says, and
/// dark beyond; lines of sight that go down meet nothing.
#[test]
fn a_calm_sea_from_below_is_snells_window() {
    let calm = SeaState {
        significant_wave_height_m: 0.01,
        short_waves: ShortWaves::Model,
        ..SeaState::default()
    };
    let mut bench = Bench::with_layers(&calm, &Quality { size: 32, cascades: 1, ..quality() });
    let depth_m = 2.0;
    let camera =
        CameraPose { y_m: -depth_m, pitch_deg: 60.0, fov_deg: 100.0, ..Default::default() };
    let light = Light { sun_elevation_deg: 5.0, ..Default::default() };
    let desc = FrameDesc { light, clouds: Clouds::none(), ..desc([160, 120], camera) };
    let drawn = bench.draw(&desc);
    let (mut window, mut mirror) = ((0.0, 0), (0.0, 0));
    for ((ray, light), found_m) in rays(&desc).into_iter().zip(&drawn.hdr).zip(&drawn.depth_m) {
        if ray.y < -0.01 {
            assert_eq!(*found_m, f32::INFINITY);
        } else if ray.y > 0.1 {
            // Waves of a hand, seen along the ray.
            near(*found_m, depth_m / ray.y, 0.03 / ray.y + 0.01, "distance of the surface");
            let angle_deg = ray.y.acos().to_degrees();
            let sum = if angle_deg < 40.0 { &mut window } else { &mut mirror };
            if !(40.0..55.0).contains(&angle_deg) {
                *sum = (sum.0 + luminance(light), sum.1 + 1);
            }
        }
    }
    at_least(window.1.min(mirror.1), 1000, "pixels of both");
    let [window, mirror] = [window, mirror].map(|(sum, count)| sum / f64::from(count));
    at_least(window / mirror, 3.0, "light of the window over that beyond it");
}

/// With a level view over a flat sea, an eye at height h sees the surface cross the near plane, 0.05 m before it,
/// at a slope of h / 0.05 below the horizon. The meniscus is there, dark towards the air, as the eye sinks.
#[test]
fn the_meniscus_follows_the_surface_across_the_lens() {
    let calm = SeaState {
        significant_wave_height_m: 0.01,
        short_waves: ShortWaves::Model,
        ..SeaState::default()
    };
    let mut bench = Bench::with_layers(&calm, &Quality { size: 32, cascades: 1, ..quality() });
    for y_m in [0.02, 0.01, -0.01, -0.02] {
        let camera = CameraPose { y_m, pitch_deg: 0.0, fov_deg: 80.0, ..Default::default() };
        let light = Light { sun_elevation_deg: 60.0, ..Default::default() };
        let desc = FrameDesc { light, clouds: Clouds::none(), ..desc([40, 240], camera) };
        let drawn = bench.draw(&desc);
        let middle: Vec<(f64, f64)> = (0..240)
            .map(|row| (rays(&desc)[40 * row + 20], luminance(&drawn.hdr[40 * row + 20])))
            .map(|(ray, light)| (-ray.y / ray.x.hypot(ray.z), light))
            .collect();
        let contrast = |row: usize| middle[row].1 / middle[row - 8].1.min(middle[row + 8].1);
        let rows = (8..232).filter(|row| middle[*row].0.abs() < 0.7);
        let darkest = rows.min_by(|a, b| contrast(*a).total_cmp(&contrast(*b))).unwrap();
        // Waves of half a centimetre.
        near(middle[darkest].0, y_m / 0.05, 0.15, "slope of the line of sight to the meniscus");
        at_most(contrast(darkest), 0.95, "its light over that beside it");
    }
}

/// A still has the particles of the same frame in a sequence.
#[test]
fn particles_are_the_same_alone_and_in_a_sequence() {
    let sea = Preset::load("trade-winds").unwrap().sea;
    let quality = Quality { size: 64, foam_texels: 0, ..Quality::of(QualityTier::Low) };
    let camera = CameraPose { y_m: -4.0, pitch_deg: -20.0, ..Default::default() };
    let at = |time_s: f64| FrameDesc { time_s, ..desc([160, 90], camera.clone()) };
    let mut bench = Bench::with_layers(&sea, &quality);
    let before = bench.picture(&at(19.0));
    let in_sequence = bench.picture(&at(20.0));
    assert_eq!(in_sequence, Bench::with_layers(&sea, &quality).picture(&at(20.0)));
    let none = Quality { particle_cells: 0, ..quality };
    let without = Bench::with_layers(&sea, &none).picture(&at(20.0));
    let changed = |other: &[[u8; 4]]| {
        in_sequence.iter().zip(other).filter(|(one, other)| one != other).count() as u32
    };
    at_least(changed(&without), 20, "pixels of particles");
    at_least(changed(&before), 20, "pixels of particles that have moved");
}

/// The surface hides the spray of a gale from an eye in the water.
#[test]
fn an_eye_in_the_water_sees_no_spray() {
    let gale = Preset::load("gale").unwrap();
    let [mut with, mut without] = [24, 0].map(|spray_cells| {
        let quality = Quality { spray_cells, particle_cells: 0, ..Quality::of(QualityTier::Low) };
        Studio::new(&quality, [320, 200], wgpu::TextureFormat::Rgba8UnormSrgb)
    });
    let [staged, _] = [&mut with, &mut without].map(|studio| studio.stage(&gale, 20.0));
    for (y_m, pitch_deg, is_seen) in [(-10.0, 25.0, false), (8.0, -8.0, true)] {
        let camera = CameraPose { y_m, pitch_deg, yaw_deg: 35.0, ..Default::default() };
        let [with, without] = [&mut with, &mut without]
            .map(|studio| studio.draw(&FrameDesc { camera: camera.clone(), ..staged.clone() }, 1));
        assert_eq!(with != without, is_seen, "spray in sight from {y_m} m");
    }
}

/// Run on one GPU only: see .config/nextest.toml.
mod once {
    use super::*;

    /// The eye sinks by a centimetre a frame through the surface of a gale: no frame is much brighter or darker than the
    /// one before.
    #[test]
    fn no_frame_flashes_on_the_way_down() {
        let sea = Preset::load("gale").unwrap().sea;
        let mut bench =
            Bench::with_layers(&sea, &Quality { size: 64, ..Quality::of(QualityTier::Low) });
        let scenery = Scenery { buoys: 0, ..Default::default() };
        let mut mean = |y_m: f64| {
            let camera = CameraPose { y_m, pitch_deg: 20.0, ..Default::default() };
            let scene = FrameDesc { scenery: scenery.clone(), ..desc([96, 54], camera) };
            let picture = bench.picture(&scene);
            let sum: u32 =
                picture.iter().flat_map(|pixel| &pixel[..3]).map(|byte| u32::from(*byte)).sum();
            f64::from(sum) / (3 * picture.len()) as f64
        };
        // Foam and spray come over some frames, all of one time.
        (0..60).for_each(|_| _ = mean(1.0));
        // The surface is 0.5 m up here, and waves rise before the eye.
        let means: Vec<f64> = (0..=100).map(|step| mean(1.1 - 0.01 * f64::from(step))).collect();
        let [least, most] =
            [f64::min, f64::max].map(|of| means.iter().copied().reduce(of).unwrap());
        at_least(most - least, 10.0, "what is above and below differs");
        for (centimetre, pair) in means.windows(2).enumerate() {
            let change = (pair[1] - pair[0]).abs() / (most - least);
            at_most(change, 0.3, format!("change at centimetre {centimetre}, in that difference"));
        }
    }

    /// Shafts of sunlight, the bed with its caustics and hulls are the same in a picture alone and in a sequence.
    #[test]
    fn a_still_below_is_bit_identical() {
        let bay = Preset::load("shallow-bay").unwrap();
        let quality = Quality {
            size: 64,
            cell_pixels: 32.0,
            foam_texels: 0,
            cloud_steps: 0,
            ..Quality::of(QualityTier::Medium)
        };
        let camera = CameraPose {
            x_m: 18.0,
            y_m: -1.2,
            z_m: 18.0,
            yaw_deg: 37.0,
            pitch_deg: 0.0,
            ..Default::default()
        };
        let studio = || {
            let mut studio = Studio::new(&quality, [96, 60], wgpu::TextureFormat::Rgba8UnormSrgb);
            let staged = studio.stage(&bay, 20.0);
            (studio, FrameDesc { camera: camera.clone(), ..staged })
        };
        let (mut alone, desc) = studio();
        let still = alone.draw(&desc, 1);
        let (mut sequence, _) = studio();
        for time_s in [19.0, 19.5] {
            assert!(
                sequence.draw(&FrameDesc { time_s, ..desc.clone() }, 1) != still,
                "it stands still"
            );
        }
        sequence.stage(&bay, 20.0);
        assert!(sequence.draw(&desc, 1) == still);
        // Each of them is there.
        let without_buoys = Scenery { buoys: 0, ..desc.scenery.clone() };
        assert!(
            alone.draw(&FrameDesc { scenery: without_buoys, ..desc.clone() }, 1) != still,
            "hulls"
        );
        let no_shafts = Quality { shaft_steps: 0, ..quality.clone() };
        let mut plain = Studio::new(&no_shafts, [96, 60], wgpu::TextureFormat::Rgba8UnormSrgb);
        plain.stage(&bay, 20.0);
        assert!(plain.draw(&desc, 1) != still, "shafts");
    }
}
