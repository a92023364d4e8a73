//! Tests of the torn spray and its places, and that a frame does not depend on earlier ones.

use half::f16;

use super::gpu_data::{LEVELS, SpraySlot, TILE_M};
use super::{LIFE_S, Spray, SprayOptions, Tearing};
use crate::foam::{Foam, FoamOptions, FoamSea, Progress};
use crate::frame::{Frame, FrameDesc};
use crate::gpu::{Context, LimitsPreset, TextureSpec, run_in_place};
use crate::mesh::{Grid, Mesh};
use crate::ocean::{Ocean, OceanOptions};
use crate::profile::Recorder;
use crate::query::{Point, cpu};
use crate::settings::{CameraPose, Light, Preset, Quality, QualityTier, Scenery, SeaState};
use crate::shading::{SceneBindings, Sky, Visibility, Water, WaterDetail};
use seaway_core::testing::context_within;
use seaway_core::testing::tolerance::{at_least, at_most, near};

#[test]
fn shaders_are_valid() {
    crate::gpu::assert_valid(super::shaders());
}

#[test]
fn spray_grows_from_none_in_a_breeze_to_storms() {
    let of = |wind_speed_mps| Tearing::of(&SeaState { wind_speed_mps, ..SeaState::default() });
    assert_eq!(of(7.5).share, 0.0);
    let shares = [9.0, 12.0, 17.0, 21.0].map(|wind| of(wind).share);
    assert!(shares.is_sorted() && shares[0] > 0.0 && shares[3] < 1.0, "{shares:?}");
    assert_eq!(of(14.0).spindrift, 0.0);
    assert!(of(19.0).spindrift < of(24.0).spindrift);
    let none = Tearing::of(&SeaState { wind_speed_mps: 25.0, spray: 0.0, ..SeaState::default() });
    assert_eq!(none.share, 0.0);
}

#[test]
fn the_ring_holds_all_that_flies() {
    for steps_per_s in 1..=60 {
        let options = SprayOptions { cells: 8, steps_per_s };
        let lasts_s = options.interval_s() * options.moments() as f64;
        at_least(lasts_s, LIFE_S + options.interval_s(), "seconds in the ring");
    }
    let of = |spray_cells, foam_texels| {
        SprayOptions::of(&Quality { spray_cells, foam_texels, ..Quality::default() })
    };
    assert_eq!(of(0, 256), None);
    assert_eq!(of(32, 0), None);
    assert_eq!(of(9, 64).unwrap().cells, 16);
    // The farthest puff is distinct from repetitions of the tile, as are those left behind.
    let most = of(64, 64).unwrap();
    at_most(most.reach_m() + 0.5 * 4.8 * 64.0 + 60.0 * LIFE_S, 0.5 * TILE_M, "metres");
}

struct Bench {
    context: Context,
    sea: FoamSea,
    foam: Foam,
    spray: Spray,
}

impl Bench {
    fn new(sea: &SeaState, foam_texels: u32, cells: u32) -> Self {
        Self::with(sea, foam_texels, cells, |_| ())
    }

    /// Like [`Bench::new`], with another sea for the foam.
    fn with(
        sea: &SeaState,
        foam_texels: u32,
        cells: u32,
        change: impl FnOnce(&mut FoamSea),
    ) -> Self {
        let context = context_within(LimitsPreset::WebGpu);
        let (device, queue) = (&context.device, &context.queue);
        let options = OceanOptions { size: 16, cascades: 3, ..OceanOptions::default() };
        let ocean = Ocean::new(device, queue, sea, options).unwrap();
        let foam_options =
            FoamOptions { texels: foam_texels, steps_per_s: 10, ..FoamOptions::on(&options) };
        let mut sea = FoamSea::new(sea, 3, &foam_options).unwrap();
        change(&mut sea);
        let foam = Foam::new(device, queue, sea.clone()).unwrap();
        let (mesh, sky) = (Mesh::new(device, Grid::new(8, 0.4)), Sky::new(device).unwrap());
        let scene = SceneBindings::new(&mesh, ocean.maps(), &sky);
        let detail = WaterDetail { samples: 1, mirror_samples: 1, glints: false };
        let visibility = Visibility::new(ocean.pipelines(), &scene, &mesh, 1).unwrap();
        let of = (&mesh, &visibility);
        let water = Water::new(ocean.pipelines(), queue, &scene, of, &foam, detail).unwrap();
        let options = SprayOptions { cells, steps_per_s: 10 };
        let spray = Spray::new(
            ocean.pipelines(),
            options,
            &scene,
            (&mesh, &visibility),
            &foam,
            water.foam_noise(),
        );
        let spray = spray.unwrap().expect("the foam has a memory");
        Self { context, sea, foam, spray }
    }

    /// Takes up to `most` steps towards a time.
    fn step(&mut self, time_s: f64, eye_m: [f64; 2], most: u32) -> Progress {
        let Self { context, foam, spray, .. } = self;
        let queue = &context.queue;
        let origin_m = [64.0, -32.0];
        context.submit(|encoder| {
            let recorder = &mut Recorder::new(encoder);
            foam.record(recorder, queue, time_s, eye_m, origin_m, most, &mut |pass, step| {
                spray.tear(pass, queue, step, eye_m, origin_m)
            })
        })
    }

    fn slots(&self) -> Vec<SpraySlot> {
        self.context.read(self.spray.slots())
    }
}

fn gale() -> SeaState {
    Preset::load("gale").unwrap().sea
}

/// Compares the puffs of one moment of a gale with double precision: each starts on breaking water.
#[test]
fn spray_comes_from_breaking_water() {
    const FIRST_S: f64 = 8.0;
    let eye_m = [103.0, -51.0];
    let mut bench = Bench::new(&gale(), 256, 32);
    bench.step(FIRST_S + crate::foam::MEMORY_S, eye_m, 1);
    let moments: Vec<f64> = bench.spray.moments_s().collect();
    assert_eq!(moments, [FIRST_S]);
    let slots = bench.slots();
    let per_moment = slots.len() / bench.spray.options.moments();
    let first = (FIRST_S * 10.0) as usize % bench.spray.options.moments() * per_moment;
    let torn = &slots[first..first + per_moment];
    let mut twin = cpu::Queries::new(bench.sea.waves.clone(), &bench.sea.ocean_options());
    let moment = twin.at(FIRST_S);
    let (mut count, mut on_water) = (0, 0);
    let is_torn = |slot: &&SpraySlot| slot.radius_m > 0.0;
    // Only the finest level's texels show all of the water.
    for slot in torn[..per_moment / LEVELS].iter().filter(is_torn) {
        let [x, y, z] = slot.place.map(f64::from);
        let world_m = [0, 1].map(|axis| {
            let from_eye = [x, z][axis] - eye_m[axis];
            eye_m[axis] + from_eye - TILE_M * (from_eye / TILE_M).round()
        });
        let reach_m = 0.5 * 32.0 * 4.8 + 4.0 * 4.8;
        for axis in 0..2 {
            at_most((world_m[axis] - eye_m[axis]).abs(), reach_m, "metres from the eye");
        }
        let (side_m, threshold) = bench.sea.level(0);
        let found = moment.surface_at(Point {
            position_m: world_m,
            footprint_m: side_m,
            ..Point::default()
        });
        count += 1;
        // Where water folds over, the twin may find another sheet of it.
        let breaks = found.jacobian < threshold + 4.0 * crate::foam::cover::BREAKING_EDGE;
        on_water += u32::from((found.height_m - y).abs() < 0.05 && breaks);
        // The wind blows puffs forwards, and they start upwards.
        let Tearing { wind_mps: [wind_x, wind_z], .. } = Tearing::of(&gale());
        let [u, v, w] = slot.velocity_mps.map(f64::from);
        assert!(v > 0.0 && u * wind_x + w * wind_z > 0.0, "{slot:?}");
    }
    at_least(count, 8, "puffs near the eye");
    at_least(f64::from(on_water) / f64::from(count), 0.9, "share of them on water that breaks");

    // Coarser levels leave out the reach of finer ones.
    for (level, slots) in torn.chunks(per_moment / LEVELS).enumerate().skip(1) {
        let inner_m = 0.5 * 32.0 * 4.8 * 4f64.powi(level as i32 - 1);
        for slot in slots.iter().filter(is_torn) {
            let [x, _, z] = slot.place.map(f64::from);
            let away = [x - eye_m[0], z - eye_m[1]]
                .map(|away| (away + 0.5 * TILE_M).rem_euclid(TILE_M) - 0.5 * TILE_M);
            // Half a cell of the next level, and the waves' displacement.
            let least_m = inner_m - 0.6 * 4.8 * 4f64.powi(level as i32) - 10.0;
            at_least(away[0].abs().max(away[1].abs()), least_m, "metres from the eye");
        }
    }
}

/// Over a sea without choppiness, J is 1 everywhere: for each threshold the same share of every piece of
/// water breaks. The cells' draws have a scatter of 3% where they are fewest.
#[test]
fn spray_follows_what_breaks_at_every_level() {
    const CELLS: u32 = 24;
    let still = SeaState { wind_speed_mps: 26.0, choppiness: 0.0, ..gale() };
    let mut found = Vec::new();
    for breaking in [0.03, 0.3] {
        let deviations = crate::spectrum::whitecaps::normal_quantile(breaking);
        let mut bench = Bench::with(&still, 16, CELLS, |sea| {
            sea.level_thresholds.fill(1.0 + deviations * crate::foam::cover::BREAKING_EDGE);
        });
        while bench.step(20.0, [0.0; 2], Foam::MOST_STEPS) == Progress::FillingIn {}
        let moments = bench.spray.moments_s().count() as f64;
        let slots = bench.slots();
        let per_level = slots.len() / bench.spray.options.moments() / LEVELS;
        for level in 0..LEVELS {
            let of_level = slots.chunks(per_level).skip(level).step_by(LEVELS).flatten();
            let squares_m2: f64 = of_level.map(|slot| f64::from(slot.radius_m).powi(2)).sum();
            let cell_m = 4.8 * 4f64.powi(level as i32);
            let inner = if level == 0 { 0 } else { CELLS * CELLS / 16 };
            let area_m2 = f64::from(CELLS * CELLS - inner) * cell_m * cell_m;
            found.push(squares_m2 / (moments * breaking * area_m2));
        }
    }
    let mean = found.iter().sum::<f64>() / found.len() as f64;
    println!("squared radii over what breaks: {mean:.5}, {found:.5?}");
    for (index, found) in found.iter().enumerate() {
        near(found / mean, 1.0, 0.15, format_args!("case {index}: spray over what breaks"));
    }
}

#[test]
fn spray_does_not_depend_on_earlier_frames() {
    let eye_m = [0.0, 0.0];
    let mut at_once = Bench::new(&gale(), 16, 8);
    while at_once.step(20.0, eye_m, Foam::MOST_STEPS) == Progress::FillingIn {}
    let mut in_frames = Bench::new(&gale(), 16, 8);
    for time_s in [16.9, 17.4, 17.45, 18.9, 19.96, 20.0] {
        while in_frames.step(time_s, eye_m, 7) == Progress::FillingIn {}
    }
    let [a, b] = [&at_once, &in_frames].map(|bench| bench.spray.moments_s().collect::<Vec<_>>());
    assert_eq!(a, b);
    let [a, b] = [at_once.slots(), in_frames.slots()];
    assert_eq!(bytemuck::cast_slice::<_, u8>(&a), bytemuck::cast_slice::<_, u8>(&b));
    at_least(a.iter().filter(|slot| slot.radius_m > 0.0).count() as u32, 20, "puffs");

    // A jump back begins again, without spray of later times.
    at_once.step(3.0, eye_m, Foam::MOST_STEPS);
    for at_s in at_once.spray.moments_s() {
        at_most(at_s, 3.0, "s");
    }
}

/// Compares the closed form with many small steps of the drag's equation.
#[test]
fn spray_flies_by_the_law_of_drag() {
    // Velocity, wind and response as drawn; the position replaces the first.
    let cases: Vec<[f32; 8]> = [0.05, 0.3, 1.0, 2.8]
        .into_iter()
        .flat_map(|seconds| {
            [0.08f32, 0.4, 1.2]
                .map(|response_s| [9.0, 3.5, -2.0, response_s, 14.0, -1.1, 6.0, seconds])
        })
        .collect();
    let wgsl = "
        #import \"spray/flight.wgsl\"
        struct Case { velocity: vec3<f32>, response_s: f32, wind: vec3<f32>, seconds: f32 }
        fn update(i: u32) {
            let it = cases[i];
            cases[i].velocity = spray_flight(it.velocity, it.wind, it.response_s, it.seconds);
        }";
    let flown = run_in_place("spray flight", wgsl, &cases);
    for (case, flown) in cases.iter().zip(flown) {
        let [response_s, seconds] = [case[3], case[7]].map(f64::from);
        for axis in 0..3 {
            let (mut speed, wind) = (f64::from(case[axis]), f64::from(case[4 + axis]));
            const STEPS: u32 = 20_000;
            let step_s = seconds / f64::from(STEPS);
            let mut place = 0.0;
            for _ in 0..STEPS {
                let middle = speed + 0.5 * step_s * (wind - speed) / response_s;
                speed += step_s * (wind - middle) / response_s;
                place += step_s * middle;
            }
            // exp has an error of about 1e-6 of its argument, and the cancelled terms have the size of
            // the path.
            near(f64::from(flown[axis]), place, 2e-4 * (1.0 + place.abs()), "metres");
        }
    }
}

const RESOLUTION: [u32; 2] = [96, 54];

/// The HDR layer of a storm, by the cells of its spray and its setting.
fn drawn(spray_cells: u32, spray: f64, samples: u32) -> Vec<[f16; 4]> {
    let context = context_within(LimitsPreset::WebGpu);
    let (device, queue) = (&context.device, &context.queue);
    let quality = Quality {
        size: 32,
        cascades: 3,
        foam_texels: 16,
        spray_cells,
        msaa_samples: samples,
        ..Quality::of(QualityTier::Low)
    };
    let sea = SeaState { spray, ..Preset::load("storm").unwrap().sea };
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let mut frame = Frame::new(device, queue, &sea, &quality, format).unwrap();
    frame.keep_layers().unwrap();
    let view = TextureSpec::target("target", RESOLUTION, format).create_view(device);
    let desc = FrameDesc {
        time_s: 20.0,
        resolution: RESOLUTION,
        camera: CameraPose { y_m: 9.0, pitch_deg: -6.0, ..CameraPose::default() },
        // Exposure is fixed for the comparison.
        light: Light { exposure_ev: 0.0, ..Light::default() },
        scenery: Scenery { buoys: 0, ..Default::default() },
        ..Default::default()
    };
    frame.settle(&desc);
    context.submit(|encoder| frame.record(&mut Recorder::new(encoder), &desc, &view));
    context.read_texels(frame.layers().unwrap().hdr, 0, 0)
}

fn light_changed(with: &[[f16; 4]], without: &[[f16; 4]]) -> f64 {
    let green = |light: &[f16; 4]| f64::from(light[1].to_f32());
    with.iter().zip(without).map(|(a, b)| (green(a) - green(b)).abs()).sum()
}

#[test]
fn spray_shows_over_the_water_only() {
    let without = drawn(0, 1.0, 1);
    assert!(without == drawn(8, 0.0, 1), "the dial is at 0");
    let width = RESOLUTION[0] as usize;
    // The upper quarter is sky above the reach of spray.
    let sky = ..without.len() / 4 / width * width;
    let changed = |of: &[[f16; 4]]| {
        assert!(without[sky] == of[sky]);
        for light in of {
            assert!(light[..3].iter().all(|c| c.is_finite() && c.to_f32() >= 0.0), "{light:?}");
        }
        let share =
            of.iter().zip(&without).filter(|(a, b)| a != b).count() as f64 / of.len() as f64;
        at_least(share, 0.01, "share of the picture that shows spray");
        light_changed(of, &without)
    };
    let [few, most] = [0.1, 4.0].map(|spray| changed(&drawn(8, spray, 1)));
    at_least(most, 1.2 * few, "light that more of it changes");
}

#[test]
fn spray_is_blended_sample_by_sample() {
    let [one, four] = [1, 4].map(|samples| {
        let [with, without] = [8, 0].map(|cells| drawn(cells, 4.0, samples));
        let changed =
            with.iter().zip(&without).map(|(a, b)| f64::from(a[1].to_f32() - b[1].to_f32()).abs());
        changed.sum::<f64>()
    });
    assert!(one > 0.0);
    near(four / one, 1.0, 0.15, "light that it changes, over that with one sample");
}
