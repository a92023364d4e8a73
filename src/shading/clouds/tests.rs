//! Tests of the clouds on the GPU: their cover, their light, and that they have no history.

use glam::Vec3;

use super::moment::{Key, SLOTS, moments, slot};
use super::*;
use crate::gpu::shader::resolve;
use crate::gpu::{Memory, assert_layout, run_in_place};
use crate::settings::{CloudKind, Clouds};
use crate::shading::tests::{context, submit, texels};
use crate::shading::{Sky, atmosphere};
use seaway_core::testing::tolerance::{at_least, at_most, between, near};

const OPTIONS: CloudOptions = CloudOptions { steps: 24, texels: 64 };

#[test]
fn structs_have_wgsl_layout() {
    assert_layout::<CloudUniform>(&resolve("shading/cloud_dome.wgsl").unwrap());
    assert_layout::<CloudSlot>(&resolve("shading/cloud_shape.wgsl").unwrap());
}

#[test]
fn sizes_agree_with_the_shaders() {
    let wgsl = resolve("shading/cloud_mean.wgsl").unwrap();
    let [dome_x, dome_y, dome_z] = DOME_SIZE;
    for line in [
        format!("const CLOUD_LAYERS: f32 = {LAYERS}.0;"),
        format!("const CLOUD_SLOTS: f32 = {SLOTS}.0;"),
        format!("const CLOUD_LEVELS: f32 = {}.0;", LEVELS - 1),
        format!("const CLOUD_DOME_SIZE: vec3<f32> = vec3({dome_x}.0, {dome_y}.0, {dome_z}.0);"),
        format!("const AZIMUTHS: u32 = {}u;", MEAN_SIZE[0]),
        format!("const ELEVATIONS: u32 = {}u;", MEAN_SIZE[1] - 1),
        format!("const CLOUD_TILE_M: f32 = {:.1};", moment::TILE_M),
        format!("const CIRRUS_TILE_M: f32 = {:.1};", moment::CIRRUS_TILE_M),
        format!("const CLOUD_BEND_M: f32 = {:.1};", moment::BEND_M),
        format!("const CLOUD_DETAIL_TILES: f32 = {:.1};", moment::TILE_M / moment::DETAIL_TILE_M),
    ] {
        assert!(wgsl.contains(&line), "{line}");
    }
    let noise = resolve("shading/cloud_noise.wgsl").unwrap();
    assert!(noise.contains(&format!("const SOLID_SIZE: u32 = {SOLID_SIZE}u;")));
    assert!(noise.contains(&format!("const FLAT_SIZE: u32 = {FLAT_SIZE}u;")));
}

fn light(sun_elevation_deg: f64) -> Light {
    Light { sun_elevation_deg, sun_azimuth_deg: 0.0, ..Light::default() }
}

fn cover(cloud_cover: f64, cloud_kind: CloudKind) -> Clouds {
    Clouds { cloud_cover, cloud_kind, cirrus_cover: 0.0, ..Clouds::default() }
}

fn record(sky: &mut Sky, clouds: &Clouds, light: &Light, time_s: f64) {
    record_from(sky, clouds, light, time_s, [500.0, -70.0]);
}

fn record_from(sky: &mut Sky, clouds: &Clouds, light: &Light, time_s: f64, [x_m, z_m]: [f64; 2]) {
    let (wind_mps, eye_m) = ([6.0, 3.0], [x_m, 9.0, z_m]);
    let run_m = wind_mps.map(|mps| mps * time_s);
    let scene = CloudScene { clouds, time_s, wind_mps, run_m, eye_m };
    submit(|recorder| sky.record_under(recorder, &context().queue, light, &scene));
}

fn sky() -> Sky {
    Sky::with_clouds(&context().device, &context().queue, OPTIONS, None, None).unwrap()
}

fn luminance([r, g, b, _]: [f32; 4]) -> f32 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn light_on_the_sea(sky: &Sky) -> [[f32; 4]; 2] {
    let v: Vec<f32> = context().read(sky.light_buffer());
    [[v[0], v[1], v[2], 0.0], [v[4], v[5], v[6], 0.0]]
}

/// The clouds' transmittance at elevations whose sine squared is in a range, averaged over the sea.
fn passing(mean: &[[f32; 4]], rows: std::ops::Range<usize>) -> f32 {
    let width = MEAN_SIZE[0] as usize;
    let texels = &mean[rows.start * width..rows.end * width];
    texels.iter().map(|texel| texel[3]).sum::<f32>() / texels.len() as f32
}

/// The remaining share of the sunlight, which the shaders read in the row after the last.
fn sunlight(mean: &[[f32; 4]]) -> f32 {
    mean[(MEAN_SIZE[0] * (MEAN_SIZE[1] - 1)) as usize][3]
}

#[test]
fn clouds_cover_the_requested_share() {
    let mut sky = sky();
    for kind in [CloudKind::Cumulus, CloudKind::Stratus] {
        let mut last = 0.0;
        for share in [0.1, 0.3, 0.5, 0.7, 0.9, 1.0] {
            record(&mut sky, &cover(share, kind), &light(90.0), 40.0);
            let mean = texels(&sky.clouds.textures.mean, 0);
            let blocked = 1.0 - sunlight(&mean);
            println!("{kind} {share}: {blocked:.3}, {:.3}", 1.0 - passing(&mean, 29..32));
            // A tile has some dozen clouds, bulges reach over edges, and edges are thin.
            near(f64::from(blocked), share, 0.13, format_args!("sunlight blocked by {kind}"));
            at_least(blocked, last, format_args!("more cover blocks more: {kind} {share}"));
            last = blocked;
            // Rays upwards from a hundred places of the tile, 0.05 off at most by chance.
            let upwards = 1.0 - passing(&mean, 29..32);
            near(upwards, blocked, 0.15, format_args!("lines of sight blocked by {kind} {share}"));
        }
    }
}

/// The dome's transmittance above 30 degrees, weighted like the rows of the mean by the cosine to the zenith.
fn passing_dome(dome: &[[f32; 4]]) -> f32 {
    let side = DOME_SIZE[0] as usize;
    let (mut sum, mut weights) = (0.0, 0.0);
    for (index, texel) in dome.iter().enumerate() {
        let [u, v] =
            [index % side, index / side].map(|i| 2.0 * (i as f32 + 0.5) / side as f32 - 1.0);
        let [x, z] = [0.5 * (u + v), 0.5 * (u - v)];
        let y = 1.0 - x.abs() - z.abs();
        let length = (x * x + y * y + z * z).sqrt();
        if y / length > 0.5 {
            // A texel's solid angle, times the cosine.
            let weight = length.powi(-3) * y / length;
            sum += weight * texel[3];
            weights += weight;
        }
    }
    sum / weights
}

#[test]
fn the_dome_is_that_of_the_volume() {
    let mut sky = sky();
    for cloud_cover in [0.2, 0.5] {
        let clouds = cover(cloud_cover, CloudKind::Cumulus);
        let (mut dome, mut mean) = (0.0, 0.0);
        for place in 0..16 {
            let at = [place / 4, place % 4].map(|i| f64::from(i) * moment::TILE_M / 4.0);
            record_from(&mut sky, &clouds, &light(30.0), 12.0, at);
            dome += passing_dome(&texels(&sky.clouds.textures.dome, 0)) / 16.0;
            // From 30 degrees up: sines squared from a quarter.
            mean = passing(&texels(&sky.clouds.textures.mean, 0), 8..32);
        }
        println!("cover {cloud_cover}: dome {dome:.3}, mean {mean:.3}");
        // Sixteen views of three kilometres each, of a tile of twenty: some 0.06 off by chance.
        near(dome, mean, 0.15, format_args!("what passes at cover {cloud_cover}"));
    }
}

#[test]
fn memory_is_that_of_the_textures() {
    let n = u64::from(OPTIONS.texels);
    let volume: u64 = (0..4).map(|level| (n >> level).pow(2) * (96 >> level)).sum();
    let shadow: u64 = (0..=6).map(|level| 3 * (n >> level).pow(2)).sum();
    let bytes = 4 * (volume + shadow + 32 * n * n + 64 * 64 * 64 + 256 * 256)
        + 8 * (128 * 128 + 32 * 32 * 16 + 64 * 64 + 64 * 64 * 6 + 32 * 33);
    assert_eq!(sky().cloud_allocations::<Memory>().texture_bytes, bytes);
    let none = Sky::new(&context().device).unwrap().cloud_allocations::<Memory>();
    assert!(none.bytes() < 256, "{none:?}");
}

#[test]
fn without_cover_all_light_passes() {
    let mut sky = sky();
    let sun = light(30.0);
    record(&mut sky, &cover(0.6, CloudKind::Cumulus), &sun, 3.0);
    record(&mut sky, &Clouds::none(), &sun, 4.0);
    for texture in [&sky.clouds.textures.blurred, &sky.clouds.textures.mean] {
        for texel in texels(texture, 0) {
            assert_eq!([texel[0], texel[1], texel[2], texel[3]], [0.0, 0.0, 0.0, 1.0]);
        }
    }
    let mut plain = Sky::new(&context().device).unwrap();
    submit(|recorder| plain.record(recorder, &context().queue, &sun, 9.0));
    let (found, expected) = (light_on_the_sea(&sky), light_on_the_sea(&plain));
    for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
        near(*found, *expected, 1e-4 * expected.abs() + 1e-6, "light on the sea");
    }
}

#[test]
fn an_overcast_day_is_grey_and_has_no_sun() {
    let mut sky = sky();
    let sun = light(40.0);
    record(&mut sky, &cover(1.0, CloudKind::Stratus), &sun, 3.0);
    let mean = texels(&sky.clouds.textures.mean, 0);
    at_most(sunlight(&mean), 0.05, "sunlight through an overcast");
    let [_, under] = light_on_the_sea(&sky);
    record(&mut sky, &Clouds::none(), &sun, 3.0);
    let [clear_sun, clear_sky] = light_on_the_sea(&sky);
    // Stratus lets a tenth to a half of the light through (Stephens 1978).
    let total = luminance(clear_sky) + luminance(clear_sun) * 40_f32.to_radians().sin();
    between(luminance(under) / total, 0.08, 0.6, "light under an overcast");
    between(under[2] / under[0], 0.7, 1.5, format_args!("blue over red in {under:?}"));
    at_least(clear_sky[2] / clear_sky[0], 1.5, "blue over red of a clear sky");
}

/// Irradiance of the sun on a plane that faces it, at a height, in klx.
fn sun_aloft_klx(height_km: f64, light: &Light) -> f32 {
    let cosine = light.sun_elevation_deg.to_radians().sin();
    let spectral = atmosphere::transmittance(height_km, cosine, light.haze, 200);
    let [r, g, b] = atmosphere::rgb_from_spectral(spectral)
        .map(|share| (share * atmosphere::SUN_ILLUMINANCE_KLX) as f32);
    luminance([r, g, b, 0.0])
}

#[test]
fn only_silver_linings_outshine_a_white_wall() {
    let mut sky = sky();
    let none = cover(0.0, CloudKind::Cumulus);
    // Their tops and heights in km: the sun is brighter up there.
    let kinds = [
        (cover(0.5, CloudKind::Cumulus), 2.4),
        (cover(1.0, CloudKind::Stratus), 2.4),
        (Clouds { cirrus_cover: 1.0, ..none }, 9.0),
    ];
    for (elevation, (clouds, height_km)) in
        [5.0, 20.0, 30.0, 70.0].into_iter().flat_map(|e| kinds.iter().map(move |kind| (e, kind)))
    {
        let sun = light(elevation);
        record(&mut sky, &none, &sun, 3.0);
        let [_, sky_klx] = light_on_the_sea(&sky);
        // The radiance of a white wall that faces the sun.
        let white = (sun_aloft_klx(*height_km, &sun) + luminance(sky_klx)) / std::f32::consts::PI;
        record(&mut sky, clouds, &sun, 3.0);
        let mean = texels(&sky.clouds.textures.mean, 0);
        let mut most = [0.0_f32; 2];
        for (index, texel) in mean[..32 * 32].iter().enumerate() {
            assert!(texel.iter().all(|value| value.is_finite() && *value >= 0.0), "{texel:?}");
            // Columns go from the sun's azimuth to the opposite one.
            let side = usize::from(index % 32 >= 12);
            most[side] = most[side].max(luminance(*texel) / white);
        }
        println!("{elevation}, {height_km} km: {most:.3?} of a white wall");
        // The silver lining: forward scattering by drops is ten times as strong as by a wall.
        at_most(most[0], 5.0, format_args!("towards the sun at {elevation}"));
        // Normal light makes the densest cloud 1.06 times as bright as a wall (Chandrasekhar 1960,
        // H(1)), and the air before it adds light.
        at_most(most[1], 1.1, format_args!("away from the sun at {elevation}"));
    }
}

/// A tent of two texels on each side leaves a step of at most 0.44 between neighbours.
#[test]
fn shadows_have_edges_without_teeth() {
    let mut sky = sky();
    for elevation in [10.0, 20.0, 60.0] {
        record(&mut sky, &cover(0.35, CloudKind::Cumulus), &light(elevation), 3.0);
        let (moment, _) = moments(3.0);
        let texture = &sky.clouds.textures.shadow;
        let layer = slot(moment) as u32;
        let bytes: Vec<u8> = context().read_texels(texture, layer, 0);
        let side = OPTIONS.texels as usize;
        let passing =
            |x: usize, y: usize| f32::from(bytes[4 * ((y % side) * side + x % side)]) / 255.0;
        let mut steepest = 0.0_f32;
        for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
            for next in [passing(x + 1, y), passing(x, y + 1)] {
                steepest = steepest.max((passing(x, y) - next).abs());
            }
        }
        println!("{elevation}: {steepest:.3}");
        // Rays of two texels through one point have separate steps, which cause a difference of 0.17.
        at_most(steepest, 0.8, format_args!("difference of neighbours, sun at {elevation}"));
    }
}

fn dome_passing(dome: &[[f32; 4]], direction: Vec3) -> f32 {
    let p = direction / (direction.x.abs() + direction.y + direction.z.abs());
    let side = DOME_SIZE[0];
    let texel = |v: f32| (((0.5 * v + 0.5) * side as f32) as u32).min(side - 1) as usize;
    dome[texel(p.x - p.z) * side as usize + texel(p.x + p.z)][3]
}

/// From high up, a place of the sea mirrors the clouds above it, and not those above the eye.
#[test]
fn a_high_eye_sees_clouds_mirrored_below() {
    let clouds = cover(0.35, CloudKind::Cumulus);
    let mut sky = sky();
    let mut dome = |eye_m| {
        let (wind_mps, run_m) = ([6.0, 3.0], [72.0, 36.0]);
        let scene = CloudScene { clouds: &clouds, time_s: 12.0, wind_mps, run_m, eye_m };
        submit(|recorder| sky.record_under(recorder, &context().queue, &light(30.0), &scene));
        texels(&sky.clouds.textures.dome, 0)
    };
    let directions: Vec<Vec3> = (0..400)
        .map(|i| {
            let (sin, cos) = (2.4 * i as f32).sin_cos();
            let up = 0.35 + 0.6 * (i as f32 + 0.5) / 400.0;
            let across = (1.0 - up * up).sqrt();
            Vec3::new(across * cos, up, across * sin)
        })
        .collect();
    let mut differences = [0.0; 2];
    for place in 0..4 {
        let [x_m, z_m] = [3000.0 + 900.0 * f64::from(place), -1700.0 * f64::from(place)];
        let there = dome([x_m, 0.0, z_m]);
        let high = dome([0.0, 1500.0, 0.0]);
        let cases: Vec<[f32; 8]> = directions
            .iter()
            .map(|d| {
                let base_m = clouds.cloud_base_m as f32;
                [d.x, d.y, d.z, 1500.0, x_m as f32, z_m as f32, base_m, 0.0]
            })
            .collect();
        let wgsl = "#import \"shading/cloud_map.wgsl\"
            struct Case { direction: vec4<f32>, place: vec4<f32> }
            fn update(i: u32) {
                let c = cases[i];
                cases[i].direction =
                    cloud_dome_aim(c.direction.xyz, c.place.xy, c.direction.w, c.place.z);
            }";
        let aims = run_in_place("aim", wgsl, &cases);
        for (direction, [x, y, z, ..]) in directions.iter().zip(aims) {
            let expected = dome_passing(&there, *direction);
            let found = [dome_passing(&high, Vec3::new(x, y, z)), dome_passing(&high, *direction)];
            for (sum, found) in differences.iter_mut().zip(found) {
                *sum += (found - expected).abs() / (4.0 * directions.len() as f32);
            }
        }
    }
    println!("{differences:.3?}");
    // Clouds are as thick as they are high, so that other places show other sides.
    at_most(differences[0], 0.6 * differences[1], "clouds that are mirrored wrongly");
}

#[test]
fn moments_do_not_depend_on_earlier_ones() {
    let volume = |sky: &Sky| context().read_texels::<u8>(&sky.clouds.textures.volume, 0, 0);
    let clouds = cover(0.4, CloudKind::Cumulus);
    let (mut alone, mut after) = (sky(), sky());
    for time_s in [5.0, 22.0, 50.0, 1e6, 61.0, 70.0, 80.0] {
        record(&mut after, &clouds, &light(30.0), time_s);
    }
    record(&mut alone, &clouds, &light(30.0), 91.0);
    record(&mut after, &clouds, &light(30.0), 91.0);
    let (alone, after) = (volume(&alone), volume(&after));
    let bytes = alone.len() / SLOTS as usize;
    let (now, _) = moments(91.0);
    for moment in [now, now + 1] {
        let at = slot(moment) * bytes;
        assert!(alone[at..at + bytes] == after[at..at + bytes], "moment {moment}");
    }
}

#[test]
fn late_times_and_far_places_keep_precision() {
    let clouds = Clouds::default();
    let scene = |time_s, x_m| CloudScene {
        clouds: &clouds,
        time_s,
        wind_mps: [8.0, 0.0],
        run_m: [8.0 * time_s, 0.0],
        eye_m: [x_m, 9.0, 0.0],
    };
    let eye_uv =
        |time_s, x_m| moment::uniform(&scene(time_s, x_m), &Light::default(), 1, 64).eye_uv[0];
    for (time_s, x_m) in [(0.0, 0.0), (4.0e5, 1.0e7)] {
        let here = eye_uv(time_s, x_m);
        let later = (here - eye_uv(time_s + 0.1, x_m)).rem_euclid(1.0);
        near(f64::from(later) * moment::TILE_M, 1.12, 0.01, "metres of drift");
        let farther = (eye_uv(time_s, x_m + 1.0) - here).rem_euclid(1.0);
        near(f64::from(farther) * moment::TILE_M, 1.0, 0.01, "metres of way");
    }
    let key = |moment| Key::new(moment, &clouds, &Light::default());
    assert_ne!(key(1), key(2));
    assert_eq!((moments(-1.0).0, slot(-1)), (-1, 2));
}
