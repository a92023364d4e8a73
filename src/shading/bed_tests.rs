//! Tests of the caustics on the GPU against rays that are traced in double precision.

use std::num::NonZeroUsize;

use glam::{DVec2, DVec3, dvec2};

use super::bed::{Bed, BedScene, highest_bed_m};
use super::tests::{context, submit, texels};
use crate::gpu::Pipelines;
use crate::maps::CascadeSampling;
use crate::maps::cpu::{Cascade, Sea, sum_of_cascades};
use crate::ocean::{self, Ocean, OceanOptions};
use crate::settings::{Light, Preset, Quality, QualityTier, SeaBed, SeaState};
use crate::spectrum::{Interpolation, MAX_CASCADES};
use seaway_core::testing::tolerance::{at_most, near};

const TIME_S: f64 = 40.0;
const WATER_INDEX: f64 = 1.34;
const TEXELS: u32 = 128;

fn ocean(sea: &SeaState) -> Ocean {
    let low = Quality::of(QualityTier::Low);
    let quality = Quality { size: 128, cascades: 3, foam_texels: 0, ..low };
    let options = OceanOptions::fixed(&quality);
    let ocean = Ocean::new(&context().device, &context().queue, sea, options).unwrap();
    submit(|recorder| ocean.record(recorder, TIME_S));
    ocean
}

fn light() -> Light {
    Light { sun_elevation_deg: 55.0, sun_azimuth_deg: 70.0, turbidity: 0.0, ..Light::default() }
}

/// The caustics of a level of the map at `depth_m`, row by row.
fn caustics(
    ocean: &Ocean,
    light: &Light,
    depth_m: f64,
    unresolved_variance: f64,
    level: u32,
) -> Vec<f64> {
    let scene = BedScene { depth_m, unresolved_variance, ..scene(light) };
    map(ocean, &scene, level).iter().map(|texel| f64::from(texel[0])).collect()
}

fn scene(light: &Light) -> BedScene<'_> {
    BedScene {
        bed: SeaBed::Sand,
        depth_m: 4.0,
        waves_deg: 0.0,
        light,
        unresolved_variance: 0.0,
        reach_m: 1.0,
        eye_m: [0.0, 1.0, 0.0],
        anchor_m: [0.0; 2],
        may_be_below: true,
    }
}

/// A level of the map of `scene`, row by row.
fn map(ocean: &Ocean, scene: &BedScene<'_>, level: u32) -> Vec<[f32; 4]> {
    let pipelines = Pipelines::from(&context().device);
    let mut bed = Bed::new(&context().device, ocean.maps(), TEXELS);
    let on = (&pipelines, &context().queue);
    submit(|recorder| bed.record(recorder, on, scene, ocean.maps()).unwrap());
    texels(bed.map().texture(), level)
}

fn mean_and_contrast(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (variance / values.len() as f64).sqrt() / mean)
}

/// The light that reaches the bed is the light that entered: what waves focus in one place is missing in
/// others.
#[test]
fn caustics_have_a_mean_of_one() {
    for preset in ["reef-lagoon", "shallow-bay"] {
        let ocean = ocean(&Preset::load(preset).unwrap().sea);
        for sun_elevation_deg in [10.0, 30.0, 55.0, 90.0] {
            let light = Light { sun_elevation_deg, ..light() };
            for depth_m in [0.5, 1.0, 2.0, 5.0, 10.0, 20.0] {
                let (mean, contrast) =
                    mean_and_contrast(&caustics(&ocean, &light, depth_m, 1e-4, 1));
                let case = format!("in {preset}, {depth_m} m deep, the sun {sun_elevation_deg} up");
                println!("{case}: {mean} {contrast}");
                near(mean, 1.0, 0.02, format!("the mean {case}"));
                assert!(contrast > 0.02, "{case} the contrast is {contrast}");
            }
        }
    }
}

/// The sea of the maps in double precision.
fn twin(ocean: &Ocean) -> Sea {
    let (spectrum, options) = (ocean.spectrum(), ocean.options());
    let linear = Interpolation::Linear;
    let fields = ocean::cpu::coefficients(spectrum, &[linear; MAX_CASCADES as usize], TIME_S);
    let cascades = (0..)
        .zip(fields)
        .map(|(index, fields)| {
            let sampling = CascadeSampling::new(spectrum, index, linear, false);
            Cascade::new(sampling, options.size, fields)
        })
        .collect();
    Sea { cascades, choppiness: spectrum.choppiness(), foam_threshold: 0.0 }
}

/// Sunlight through the surface above a square of the bed around the origin: `rays` along a side reach
/// texels of a map like the finest level's.
fn traced(sea: &Sea, depth_m: f64, rays: usize) -> Vec<f64> {
    let size_m = 20.0;
    let texel_m = size_m / f64::from(TEXELS);
    let side = TEXELS as usize;
    let (sun_sin, sun_cos) = light().sun_elevation_deg.to_radians().sin_cos();
    let (sin, cos) = light().sun_azimuth_deg.to_radians().sin_cos();
    let to_sun = DVec3::new(sun_cos * cos, sun_sin, sun_cos * sin);
    let sine = sun_cos / WATER_INDEX;
    let shift = depth_m * sine / (1.0 - sine * sine).sqrt();
    let margin_m = 1.0 + 0.3 * depth_m;
    let spacing_m = (size_m + 2.0 * margin_m) / rays as f64;
    let first = DVec2::splat(-0.5 * size_m - margin_m) + shift * dvec2(cos, sin);
    let trace = |row: usize, column: usize, map: &mut [f64]| {
        let rest = first + spacing_m * (dvec2(column as f64, row as f64) + 0.5);
        let fields = sum_of_cascades(&sea.cascades, rest.into(), 0.0);
        let surface = sea.surface_of(&fields);
        let normal = DVec3::from(surface.normal());
        let [dx, dz, height_m, ..] = fields;
        let place = rest + sea.choppiness * dvec2(dx, dz);
        // The area of the surface over that at rest, as the sun sees it.
        let area = surface.jacobian() / normal.y;
        let light = (normal.dot(to_sun) * area / to_sun.y).max(0.0);
        let along = (-to_sun).refract(normal, 1.0 / WATER_INDEX);
        let arrives = place + dvec2(along.x, along.z) * ((depth_m + height_m) / -along.y);
        let texel = ((arrives + 0.5 * size_m) / texel_m).floor();
        let range = 0.0..side as f64;
        if range.contains(&texel.x) && range.contains(&texel.y) {
            map[texel.y as usize * side + texel.x as usize] +=
                light * (spacing_m / texel_m).powi(2);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let maps: Vec<Vec<f64>> = std::thread::scope(|scope| {
        let of_thread = |thread: usize| {
            move || {
                let mut map = vec![0.0; side * side];
                for row in (thread..rays).step_by(threads) {
                    (0..rays).for_each(|column| trace(row, column, &mut map));
                }
                map
            }
        };
        let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(of_thread(thread))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    let sum = |texel: usize| maps.iter().map(|map| map[texel]).sum();
    (0..side * side).map(sum).collect()
}

/// The map blurred as the GPU blurs it, with a deviation in texels.
fn blurred(map: &[f64], deviation: f64) -> Vec<f64> {
    let side = TEXELS as i64;
    let at = |x: i64, z: i64| map[(z.clamp(0, side - 1) * side + x.clamp(0, side - 1)) as usize];
    let steps: Vec<(i64, i64)> = (-3..=3).flat_map(|z| (-3..=3).map(move |x| (x, z))).collect();
    let weight = |x: i64, z: i64| (-0.5 * (x * x + z * z) as f64 / deviation.powi(2)).exp();
    let sum: f64 = steps.iter().map(|(x, z)| weight(*x, *z)).sum();
    (0..side * side)
        .map(|index| {
            let (x, z) = (index % side, index / side);
            steps.iter().map(|(dx, dz)| weight(*dx, *dz) * at(x + dx, z + dz)).sum::<f64>() / sum
        })
        .collect()
}

/// Ten million rays through the same surface make the same caustics.
#[test]
fn caustics_are_those_of_traced_rays() {
    let sea = Preset::load("reef-lagoon").unwrap().sea;
    let ocean = ocean(&sea);
    let twin = twin(&ocean);
    // The mesh does not hold the shortest waves, which matter most where it is shallow.
    for (depth_m, most) in [(0.5, 0.75), (1.0, 0.5), (4.0, 0.5), (12.0, 0.5)] {
        // Without other blur, the mesh spreads light by one texel, and the map by half a texel's deviation.
        let found = caustics(&ocean, &light(), depth_m, 0.0, 0);
        let expected = blurred(&traced(&twin, depth_m, 3200), 0.65);
        let ((_, found_contrast), (_, contrast)) =
            (mean_and_contrast(&found), mean_and_contrast(&expected));
        near(found_contrast / contrast, 1.0, 0.15, format!("the contrast {depth_m} m deep"));
        let difference: Vec<f64> =
            found.iter().zip(&expected).map(|(found, expected)| found - expected).collect();
        let (_, rms) = mean_and_contrast(&difference.iter().map(|d| d + 1.0).collect::<Vec<_>>());
        at_most(rms, most * contrast, format!("the difference {depth_m} m deep"));
    }
}

/// Lines of sight are followed from the highest ground on, and eyes stay over it.
#[test]
fn no_ground_is_higher_than_the_highest() {
    let ocean = ocean(&Preset::load("reef-lagoon").unwrap().sea);
    let light = &light();
    for (bed, depth_m) in [(SeaBed::Sand, 3.0), (SeaBed::Reef, 4.5), (SeaBed::Reef, 9.0)] {
        for eye_m in [[0.0, -1.0, 0.0], [1020.0, -1.0, -1027.0], [-5130.0, -1.0, 20480.0]] {
            let scene = BedScene { bed, depth_m, eye_m, ..scene(light) };
            let of = |level| map(&ocean, &scene, level).into_iter().map(|texel| texel[1]);
            let highest_m = of(0).chain(of(1)).reduce(f32::max).unwrap();
            at_most(f64::from(highest_m), highest_bed_m(bed, depth_m), format!("{bed:?}"));
            assert!(f64::from(highest_m) > 0.2 * highest_bed_m(bed, depth_m), "it is flat");
        }
    }
}
