//! The shadow of an object on the water, its hull below the surface, foam around it and the glitter of its lamp, by
//! pictures with it and without. (`mirror.rs` tests its mirror image.)

use glam::{DVec2, DVec3};
use seaway::frame::FrameDesc;
use seaway::objects::{Character, Lamp, Object, buoy};
use seaway::settings::{
    CameraPose, Clouds, Light, Preset, Quality, QualityTier, Scenery, SeaState, ShortWaves,
};
use seaway_core::testing::tolerance::{at_least, at_most, near};

use crate::layers::{Bench, desc, rays};

const BUOY_M: DVec2 = DVec2::new(8.0, 0.0);
/// The radius of its hull at the water.
const RADIUS_M: f64 = 1.25;

fn flat() -> SeaState {
    SeaState {
        significant_wave_height_m: 0.001,
        short_waves: ShortWaves::Model,
        ..SeaState::default()
    }
}

/// An eye 6 m up and 6 m from the buoy, which it looks at.
fn scene(light: Light) -> FrameDesc {
    let camera = CameraPose {
        x_m: BUOY_M.x - 6.0,
        z_m: BUOY_M.y,
        y_m: 6.0,
        pitch_deg: -42.0,
        yaw_deg: 0.0,
        fov_deg: 60.0,
    };
    let scenery = Scenery { buoys: 1, ..Default::default() };
    FrameDesc { light, clouds: Clouds::none(), scenery, ..desc([160, 120], camera) }
}

/// A pixel that sees water in both pictures.
struct Seen {
    /// The place of a level sea there.
    place_m: DVec2,
    /// The light with the buoy and without.
    with: DVec3,
    without: DVec3,
}

/// The water with the buoy and without it.
fn compare(bench: &mut Bench, scene: &FrameDesc, lamp: Option<Lamp>) -> Vec<Seen> {
    let mut draw = |buoys| {
        let scenery = Scenery { buoys, ..scene.scenery.clone() };
        let position_m = BUOY_M.to_array();
        let object = Object { position_m, paint: [0.02, 0.3, 0.1], lamp, ..Default::default() };
        bench.set_objects(&[buoy()], vec![object]);
        let drawn = bench.draw(&FrameDesc { scenery, ..scene.clone() });
        let exposure = bench.exposure(&scene.light);
        let light = drawn
            .hdr
            .iter()
            .map(|[r, g, b, _]| DVec3::new(r.to_f64(), g.to_f64(), b.to_f64()) / exposure);
        (light.collect::<Vec<_>>(), drawn.depth_m)
    };
    let (with, with_m) = draw(1);
    let (without, without_m) = draw(0);
    let eye_m = DVec2::new(scene.camera.x_m, scene.camera.z_m);
    // On the way to the surface, from either side of it.
    let is_water = |index: usize, ray: DVec3| {
        ray.y * scene.camera.y_m.signum() < -0.02 && with_m[index] == without_m[index]
    };
    rays(scene)
        .into_iter()
        .enumerate()
        .filter(|(index, ray)| is_water(*index, *ray))
        .map(|(index, ray)| Seen {
            place_m: eye_m + DVec2::new(ray.x, ray.z) * (scene.camera.y_m / -ray.y),
            with: with[index],
            without: without[index],
        })
        .collect()
}

/// The mean light around a place with the buoy over that without it.
fn ratio(seen: &[Seen], place_m: DVec2) -> f64 {
    let near: Vec<_> = seen.iter().filter(|seen| seen.place_m.distance(place_m) < 0.3).collect();
    at_least(near.len() as u32, 10, "pixels around a place");
    let sum = |light: fn(&Seen) -> DVec3| near.iter().map(|seen| light(seen).element_sum()).sum();
    let [with, without]: [f64; 2] = [sum(|seen| seen.with), sum(|seen| seen.without)];
    with / without
}

/// The mean relative change of the light around a place by the buoy.
fn change(seen: &[Seen], place_m: DVec2) -> f64 {
    let close: Vec<_> = seen.iter().filter(|seen| seen.place_m.distance(place_m) < 0.2).collect();
    at_least(close.len() as u32, 8, "pixels around a place");
    let relative =
        |seen: &&Seen| (seen.with - seen.without).abs().element_sum() / seen.without.element_sum();
    close.iter().map(relative).sum::<f64>() / close.len() as f64
}

#[test]
fn water_lies_in_the_shadow_of_a_buoy() {
    let quality = Quality { foam_texels: 0, ..Quality::of(QualityTier::Low) };
    let mut bench = Bench::with_layers(&flat(), &quality);
    // The sun stands to the side: neither place mirrors the buoy.
    let light = Light { sun_elevation_deg: 25.0, sun_azimuth_deg: 90.0, ..Default::default() };
    let [x, y, z] = light.to_sun();
    assert!(x.abs() < 1e-9 && y > 0.0, "{x} {y}");
    let seen = compare(&mut bench, &scene(light), None);
    let aside = DVec2::new(0.0, (RADIUS_M + 0.8) * z.signum());
    at_most(ratio(&seen, BUOY_M - aside), 0.9, "light of water in the shadow");
    near(ratio(&seen, BUOY_M + aside), 1.0, 0.03, "light of water in the sun");
}

/// A buoy stands between the low sun and another, or beyond it.
#[test]
fn hulls_lie_in_the_shadow_of_others() {
    let quality = Quality { foam_texels: 0, ..Quality::of(QualityTier::Low) };
    let mut bench = Bench::with_layers(&flat(), &quality);
    let light = Light { sun_elevation_deg: 12.0, sun_azimuth_deg: 180.0, ..Default::default() };
    let mut scene = scene(light);
    // From the side, so that none is before the other.
    scene.camera = CameraPose {
        x_m: BUOY_M.x - 4.0,
        z_m: -14.0,
        y_m: 2.0,
        pitch_deg: 0.0,
        yaw_deg: 80.0,
        ..scene.camera
    };
    let mut hull = |other_m: f64, buoys: u32| {
        let object = |x_m| Object { position_m: [x_m, 0.0], ..Default::default() };
        bench.set_objects(&[buoy()], vec![object(BUOY_M.x), object(BUOY_M.x + other_m)]);
        scene.scenery.buoys = buoys;
        let drawn = bench.draw(&scene);
        let exposure = bench.exposure(&scene.light);
        let light = drawn
            .hdr
            .into_iter()
            .map(move |[r, g, b, _]| (r.to_f64() + g.to_f64() + b.to_f64()) / exposure);
        (light.collect::<Vec<_>>(), drawn.depth_m)
    };
    let ((_, water_m), (alone, alone_m)) = (hull(0.0, 0), hull(0.0, 1));
    // The shares of the first hull's pixels, where it hides the other one, that are much darker beside it, and that are
    // not.
    let mut change = |other_m: f64| {
        let (with, with_m) = hull(other_m, 2);
        let is_hull = |index: &usize| {
            alone_m[*index] == with_m[*index] && alone_m[*index] < 0.9 * water_m[*index]
        };
        let ratios = (0..alone.len()).filter(is_hull).map(|index| with[index] / alone[index]);
        let ratios: Vec<f64> = ratios.collect();
        let count = ratios.len() as f64;
        at_least(count, 100.0, "pixels of the hull");
        let share = |is: fn(&&f64) -> bool| ratios.iter().filter(is).count() as f64 / count;
        [share(|ratio| **ratio < 0.7), share(|ratio| (0.97..1.03).contains(*ratio))]
    };
    let [dark, _] = change(-5.0);
    at_least(dark, 0.04, "share of a hull in the shadow of another");
    let [dark, alike] = change(5.0);
    assert_eq!(dark, 0.0, "share of a hull in the shadow of what stands beyond it");
    at_least(alike, 0.95, "share of that hull that is lit as before");
}

#[test]
fn clear_water_shows_the_hull_that_turbid_water_hides() {
    let quality = Quality { foam_texels: 0, ..Quality::of(QualityTier::Low) };
    let mut bench = Bench::with_layers(&flat(), &quality);
    let mut hull = |turbidity| {
        // The eye looks away from the sun, so that the hull is lit.
        let light = Light {
            sun_elevation_deg: 50.0,
            sun_azimuth_deg: 180.0,
            turbidity,
            ..Default::default()
        };
        let seen = compare(&mut bench, &scene(light), None);
        change(&seen, BUOY_M - DVec2::new(RADIUS_M + 0.3, 0.0))
    };
    let [clear, turbid] = [0.0, 1.0].map(&mut hull);
    at_least(clear, 0.15, "relative change of the light by the hull");
    at_least(clear / turbid, 1.05, "that in clear water over that in turbid water");
}

/// An eye in the water sees what is above it where Snell's law says, and the hull where the surface mirrors it.
#[test]
fn an_eye_in_the_water_sees_a_buoy_through_the_surface_and_its_hull_in_it() {
    const EYE_M: f64 = 6.0;
    const DEPTH_M: f64 = 3.0;
    // The buoy's boards, and the side of its hull.
    const BOARDS_M: f64 = 2.2;
    const HULL_M: f64 = 0.5;
    let light = Light { sun_elevation_deg: 50.0, sun_azimuth_deg: 180.0, ..Default::default() };
    let mut scene = scene(light);
    (scene.camera.y_m, scene.camera.pitch_deg) = (-DEPTH_M, 45.0);
    let [mut through_m, mut too_far_m] = [0.0, EYE_M];
    for _ in 0..40 {
        let middle_m: f64 = 0.5 * (through_m + too_far_m);
        let sine = 1.34 * middle_m / middle_m.hypot(DEPTH_M);
        let needed = (EYE_M - middle_m) / (EYE_M - middle_m).hypot(BOARDS_M);
        *(if sine < needed { &mut through_m } else { &mut too_far_m }) = middle_m;
    }
    let mirrored_m = (EYE_M - RADIUS_M) * DEPTH_M / (DEPTH_M + HULL_M);
    for tier in [QualityTier::Low, QualityTier::High] {
        let quality = Quality { foam_texels: 0, shaft_steps: 0, ..Quality::of(tier) };
        let mut bench = Bench::with_layers(&flat(), &quality);
        let seen = compare(&mut bench, &scene, None);
        let at = |ahead_m, aside_m| change(&seen, BUOY_M + DVec2::new(ahead_m - EYE_M, aside_m));
        at_least(at(through_m, 0.0), 0.2, format_args!("change above the water, {tier}"));
        at_least(at(mirrored_m, 0.0), 0.05, format_args!("change by the hull, {tier}"));
        at_most(at(through_m, 1.5), 0.01, format_args!("change beside the boards, {tier}"));
        at_most(at(mirrored_m, 2.5), 0.01, format_args!("change beside the hull, {tier}"));
    }
}

#[test]
fn waves_make_foam_around_a_hull() {
    let rough = Preset::load("trade-winds").unwrap().sea;
    let light = Light { sun_elevation_deg: 50.0, sun_azimuth_deg: 180.0, ..Default::default() };
    let [flat, rough] = [flat(), rough].map(|sea| {
        let mut bench = Bench::with_layers(&sea, &Quality::of(QualityTier::Low));
        let seen = compare(&mut bench, &scene(light.clone()), None);
        let is_white = |seen: &&Seen| seen.with.min_element() > 2.0 * seen.without.max_element();
        seen.iter().filter(is_white).count() as u32
    });
    assert_eq!(flat, 0, "foam on flat water");
    at_least(rough, 10, "pixels of foam in waves");
}

#[test]
fn a_lamp_glitters_on_the_water_before_it() {
    let sea = Preset::load("calm").unwrap().sea;
    let mut bench = Bench::with_layers(&sea, &Quality::of(QualityTier::Low));
    let character = Character { period_s: 10.0, lit_s: &[[-1.0, 11.0]] };
    let lamp = Lamp { height_m: 3.15, intensity_cd: 200.0, colour: [1.0, 0.02, 0.02], character };
    let light = Light { sun_elevation_deg: -6.0, ..Default::default() };
    let mut scene = scene(light);
    scene.camera = CameraPose {
        x_m: BUOY_M.x - 30.0,
        y_m: 2.0,
        pitch_deg: -4.0,
        yaw_deg: 0.0,
        ..scene.camera
    };
    let [dark, lit] = [None, Some(lamp)].map(|lamp| compare(&mut bench, &scene, lamp));
    let mut streak = DVec3::ZERO;
    let mut beside = DVec3::ZERO;
    for (dark, lit) in dark.iter().zip(&lit) {
        let from_eye = lit.place_m - DVec2::new(scene.camera.x_m, scene.camera.z_m);
        let aside_deg = from_eye.y.atan2(from_eye.x).to_degrees().abs();
        let sum = if aside_deg < 6.0 { &mut streak } else { &mut beside };
        *sum += lit.with - dark.with;
    }
    at_least(streak.x / streak.y.abs().max(1e-9), 5.0, "red over green of the glitter");
    at_least(streak.x / beside.x.abs().max(1e-9), 3.0, "glitter before the lamp over that beside");
}

/// The waves of the last seconds have wetted a hull higher than still water does, and it is darker there.
#[test]
fn waves_wet_a_hull_above_the_waterline() {
    let sea = Preset::load("trade-winds").unwrap().sea;
    let light = Light { sun_elevation_deg: 50.0, sun_azimuth_deg: 180.0, ..Default::default() };
    let mut scene = scene(light);
    // Without foam no waves are followed.
    let [dry, wet] = [0, 64].map(|foam_texels| {
        let quality = Quality { foam_texels, ..Quality::of(QualityTier::Low) };
        let mut bench = Bench::with_layers(&sea, &quality);
        let object =
            Object { position_m: BUOY_M.to_array(), paint: [0.02, 0.3, 0.1], ..Default::default() };
        bench.set_objects(&[buoy()], vec![object]);
        for step in 0..60 {
            scene.time_s = 3.0 + 0.1 * f64::from(step);
            bench.picture(&scene);
        }
        let drawn = bench.draw(&scene);
        let exposure = bench.exposure(&scene.light);
        let scenery = Scenery { buoys: 0, ..scene.scenery.clone() };
        let water_m = bench.draw(&FrameDesc { scenery, ..scene.clone() }).depth_m;
        let lights = drawn.hdr.into_iter().zip(drawn.depth_m).zip(water_m);
        let hull = lights.map(|((light, found_m), water_m)| {
            let [r, g, b, _] = light.map(|part| part.to_f64() / exposure);
            (found_m != water_m).then_some(r + g + b)
        });
        hull.collect::<Vec<_>>()
    });
    let both = dry.iter().zip(&wet).filter_map(|(dry, wet)| Some(wet.as_ref()? / dry.as_ref()?));
    let ratios: Vec<f64> = both.collect();
    let count = |is: fn(&f64) -> bool| ratios.iter().filter(|ratio| is(ratio)).count() as u32;
    at_least(count(|ratio| *ratio < 0.9), 15, "pixels of the hull that waves have wetted");
    at_least(count(|ratio| (0.97..1.03).contains(ratio)), 200, "pixels that no wave reaches");
}
