//! The surface at points of the world, asked of the GPU: against its twin in double precision, against
//! the vertices that are drawn, and as answers without a wait.

use glam::Vec3;
use seaway::gpu::Context;
use seaway::maps::MapFormat;
use seaway::mesh::{Grid, SeaBounds, View};
use seaway::query::{
    Answer, Point, Queries, QueryError, QueryOptions, Request, SurfacePoint, When, cpu,
};
use seaway::settings::{CameraPose, Preset, Quality, SeaState};
use seaway::{Ocean, OceanOptions};

use crate::sampling::{Footprint, sample};
use seaway_core::testing::context;
use seaway_core::testing::tolerance::{at_least, at_most, near};

const DRAWN: When = When::Drawn { time_s: TIME_S };
const TIME_S: f64 = 321.5;

fn steep_storm() -> SeaState {
    SeaState { wind_speed_mps: 28.0, fetch_m: 500_000.0, choppiness: 1.6, ..SeaState::default() }
}

fn options(size: u32) -> OceanOptions {
    OceanOptions { size, ..OceanOptions::default() }
}

fn ocean(context: &Context, sea: &SeaState, options: OceanOptions) -> Ocean {
    Ocean::new(&context.device, &context.queue, sea, options).unwrap()
}

fn queries(context: &Context, ocean: &Ocean, options: QueryOptions) -> Queries {
    Queries::new(&context.device, &context.queue, ocean, options).unwrap()
}

/// Moves the ocean to [`TIME_S`], and asks.
fn ask(
    context: &Context,
    queries: &mut Queries,
    ocean: &Ocean,
    when: When,
    points: &[Point],
) -> Result<Request, QueryError> {
    context.submit(|encoder| {
        ocean.encode(encoder, TIME_S);
        queries.encode(&context.queue, encoder, ocean, when, points)
    })
}

fn wait(context: &Context, mut request: Request) -> Answer {
    context.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    request.answer().expect("the device has nothing left to do").unwrap()
}

/// Places all over a square around `middle_m`.
fn places(count: u32, middle_m: [f64; 2], side_m: f64) -> Vec<Point> {
    (0..count)
        .map(|i| {
            // Roberts 2018: the additive recurrence on the plastic number fills a square evenly.
            let at = [0.754_877_67, 0.569_840_3].map(|step: f64| (f64::from(i) * step).fract());
            Point::at([0, 1].map(|axis| middle_m[axis] + side_m * (at[axis] - 0.5)))
        })
        .collect()
}

/// All that is known of a point, in several seas, with all waves and without the short ones.
#[test]
fn the_gpu_agrees_with_double_precision() {
    let context = context();
    let calm = SeaState { wind_speed_mps: 3.0, fetch_m: 10_000.0, ..SeaState::default() };
    let gale = Preset::load("gale").unwrap().sea;
    let rough = OceanOptions { cubic_cascades: 1, blended_cascades: 0, ..options(128) };
    for (sea, options) in [
        (&calm, options(128)),
        (&gale, options(256)),
        (&steep_storm(), options(128)),
        (&steep_storm(), rough),
    ] {
        let ocean = ocean(&context, sea, options);
        let capacity = 3_000;
        let mut queries =
            queries(&context, &ocean, QueryOptions { capacity, ..Default::default() });
        // Far from the ocean's origin.
        let mut points = places(capacity, [40_000.0, -70_000.0], 700.0);
        for (point, footprint_m) in points.iter_mut().zip([0.0, 0.0, 0.7, 5.0].iter().cycle()) {
            point.footprint_m = *footprint_m;
        }
        let request = ask(&context, &mut queries, &ocean, DRAWN, &points).unwrap();
        let answer = wait(&context, request);
        assert_eq!((answer.request, answer.time_s, answer.points.len()), (0, TIME_S, 3_000));

        let moment = cpu::Queries::new(ocean.spectrum().clone(), &options).at(TIME_S);
        let hs_m = ocean.spectrum().significant_wave_height_m();
        let twin = moment.query(&points);
        let upwards = twin.iter().map(|point| point.velocity_mps.unwrap()[1].powi(2));
        let speed_mps = (upwards.sum::<f64>() / f64::from(capacity)).sqrt();
        for ((got, twin), point) in answer.points.iter().zip(&twin).zip(&points) {
            if twin.jacobian < 0.1 {
                continue;
            }
            assert!(got.is_solved() && twin.is_solved(), "{got:?} {twin:?}");
            near(got.height_m, twin.height_m, 1e-3 + 1e-3 * hs_m, "height");
            // Ripples turn the normal within millimetres, so the rest is compared where the GPU found
            // the water: what is left are the 16 bits of the maps.
            let water = Point { is_at_rest: true, position_m: got.at_rest_m, ..*point };
            let expected = moment.surface_at(water);
            for i in 0..2 {
                for position_m in [expected.position_m[i], got.position_m[i]] {
                    near(position_m, point.position_m[i], 1e-3 + 1e-3 * hs_m, "position");
                }
            }
            near(got.jacobian, expected.jacobian, 4e-3, "J");
            for i in 0..3 {
                let compressed = 1.0 / expected.jacobian;
                near(got.normal[i], expected.normal[i], 2e-3 * compressed, "normal");
                let [got, expected] = [*got, expected].map(|point| point.velocity_mps.unwrap()[i]);
                near(got, expected, 6e-3 * speed_mps, "velocity");
            }
        }
    }
}

/// Water is followed from its rest to where the waves have carried it.
#[test]
fn the_gpu_follows_water() {
    let context = context();
    let options = options(128);
    let ocean = ocean(&context, &steep_storm(), options);
    let mut queries = queries(&context, &ocean, QueryOptions::default());
    let rests = places(500, [40_000.0, -70_000.0], 700.0).into_iter();
    let points: Vec<_> = rests.map(|point| Point::of_water(point.position_m)).collect();
    let request = ask(&context, &mut queries, &ocean, DRAWN, &points).unwrap();
    let answer = wait(&context, request);
    let moment = cpu::Queries::new(ocean.spectrum().clone(), &options).at(TIME_S);
    let within_m = 1e-3 + 1e-3 * ocean.spectrum().significant_wave_height_m();
    let mut farthest_m = 0.0_f64;
    for (got, point) in answer.points.iter().zip(&points) {
        let expected = moment.surface_at(*point);
        near(got.height_m, expected.height_m, within_m, "height");
        for i in 0..2 {
            near(got.at_rest_m[i], point.position_m[i], 1e-3, "rest");
            near(got.position_m[i], expected.position_m[i], within_m, "position");
            farthest_m = farthest_m.max((got.position_m[i] - got.at_rest_m[i]).abs());
        }
        assert!(got.is_solved() && expected.is_solved());
    }
    at_least(farthest_m, 1.0, "the largest displacement");
}

/// The vertices of the mesh within 50 m of the eye, as they are drawn but for the earth's curve: asked
/// about with their own spacing, the water at their place has their height.
#[test]
fn drawn_vertices_lie_on_the_surface_that_is_found() {
    let context = context();
    let quality = Quality::default();
    let options = OceanOptions::of(&quality);
    let [gale, storm] = ["gale", "storm"].map(|name| Preset::load(name).unwrap().sea);
    for (name, sea) in [
        ("default", SeaState::default()),
        ("gale", gale),
        ("storm", storm),
        ("steep", steep_storm()),
    ] {
        let mut ocean = ocean(&context, &sea, options);
        let hs_m = ocean.spectrum().significant_wave_height_m();
        let grid = Grid::of(&quality);
        let camera = CameraPose {
            x_m: 1_234.5,
            y_m: 0.6 * hs_m + 2.0,
            z_m: -987.6,
            yaw_deg: 50.0,
            pitch_deg: -25.0,
            ..CameraPose::default()
        };
        let view = View::new(&camera, [1280, 720]);
        let anchor_m = grid.anchor_m(view.position_m);
        ocean.set_origin(&context.queue, anchor_m);

        // The places at rest are those of the vertex stage.
        let mut tiles = Vec::new();
        grid.select(&view, SeaBounds::from_wave_height(hs_m, sea.choppiness), &mut tiles);
        let eye = (view.position_m - glam::DVec3::new(anchor_m[0], 0.0, anchor_m[1])).as_vec3();
        let vertices: Vec<_> = tiles
            .iter()
            .flat_map(|tile| (0..grid.tile_vertices()).map(|index| grid.vertex(tile, index, eye)))
            .filter(|(at, _)| Vec3::new(at.x, 0.0, at.y).distance(eye) < 60.0)
            .map(|(at, spacing_m)| Footprint::square(at.to_array(), spacing_m))
            .step_by(7)
            .collect();
        context.submit(|encoder| ocean.encode(encoder, TIME_S));
        let drawn: Vec<_> = vertices
            .iter()
            .zip(sample(&context, ocean.maps(), &vertices))
            .map(|(vertex, drawn)| {
                let [dx, h, dz] = drawn.displacement;
                let [x, z] = vertex.position_m;
                (Vec3::new(x + dx, h, z + dz), vertex.spacing_m, drawn.jacobian)
            })
            .filter(|(at, _, jacobian)| at.distance(eye) < 50.0 && *jacobian >= 0.1)
            .collect();
        at_least(drawn.len() as f64, 1_000.0, "vertices");
        let points: Vec<_> = drawn
            .iter()
            .map(|(at, spacing_m, _)| Point {
                position_m: [anchor_m[0] + f64::from(at.x), anchor_m[1] + f64::from(at.z)],
                footprint_m: (*spacing_m).into(),
                ..Point::default()
            })
            .collect();

        let capacity = points.len() as u32;
        let mut queries = queries(
            &context,
            &ocean,
            QueryOptions { capacity, velocity: false, ..Default::default() },
        );
        let request = ask(&context, &mut queries, &ocean, DRAWN, &points).unwrap();
        let by_gpu = wait(&context, request).points;
        let mut twin = cpu::Queries::new(ocean.spectrum().clone(), &options);
        let by_twin = twin.at(TIME_S).query(&points);
        let allowed_m = 1e-3 + 1e-3 * hs_m;
        let mut worst = [0.0_f64; 2];
        for ((at, ..), found) in drawn.iter().zip(by_gpu.iter().zip(&by_twin)) {
            for (worst, found) in worst.iter_mut().zip([found.0, found.1]) {
                assert!(found.is_solved(), "{name}: {found:?}");
                *worst = worst.max((found.height_m - f64::from(at.y)).abs());
            }
        }
        at_most(worst[0], allowed_m, format_args!("{name}: height found by the GPU"));
        at_most(worst[1], allowed_m, format_args!("{name}: height found by the twin"));
    }
}

/// The velocity is how fast the water that is at the point moves, by the surface a moment before and
/// after.
#[test]
fn velocity_is_that_of_the_water() {
    let context = context();
    // Differences of 16-bit floats would be noise.
    let options = OceanOptions { map_format: MapFormat::F32, ..options(128) };
    let sea = SeaState { choppiness: 1.3, ..SeaState::default() };
    let ocean = ocean(&context, &sea, options);
    let mut queries = queries(&context, &ocean, QueryOptions::default());
    let points = places(1_000, [0.0; 2], 300.0);
    let request = ask(&context, &mut queries, &ocean, DRAWN, &points).unwrap();
    let found = wait(&context, request).points;
    let at_rest: Vec<_> = found
        .iter()
        .map(|point| Footprint::square(point.at_rest_m.map(|at| at as f32), 1e-3))
        .collect();
    // 256 ticks of the clock.
    let step_s = 256.0 / 32_768.0;
    let [from, to] = [TIME_S - step_s, TIME_S + step_s].map(|time_s| {
        context.submit(|encoder| ocean.encode(encoder, time_s));
        sample(&context, ocean.maps(), &at_rest)
    });
    for (found, (from, to)) in found.iter().zip(from.iter().zip(&to)) {
        for i in 0..3 {
            let moved_m = f64::from(to.displacement[i]) - f64::from(from.displacement[i]);
            let got = found.velocity_mps.unwrap()[i];
            near(got, moved_m / (2.0 * step_s), 2e-3, "velocity");
        }
    }
}

/// A request for another time is one for the drawn time, once the ocean is there.
#[test]
fn a_time_ahead_is_the_time_of_drawing() {
    let context = context();
    let ocean = ocean(&context, &SeaState::default(), options(64));
    let options = QueryOptions { capacity: 100, ahead: true, ..Default::default() };
    let mut queries = queries(&context, &ocean, options);
    let points = places(100, [5_000.0, 3.0], 400.0);
    let encode = |queries: &mut Queries, encoder: &mut _, when| {
        queries.encode(&context.queue, encoder, &ocean, when, &points).unwrap()
    };
    // Three in one submission.
    let mut encoder = context.device.create_command_encoder(&Default::default());
    let later = encode(&mut queries, &mut encoder, When::At { time_s: TIME_S + 9.0 });
    let sooner = encode(&mut queries, &mut encoder, When::At { time_s: TIME_S });
    ocean.encode(&mut encoder, TIME_S);
    let drawn = encode(&mut queries, &mut encoder, DRAWN);
    context.queue.submit([encoder.finish()]);
    let [later, sooner, drawn] = [later, sooner, drawn].map(|request| wait(&context, request));
    assert_eq!(later.time_s, TIME_S + 9.0);
    assert_eq!([later.request, sooner.request, drawn.request], [0, 1, 2]);
    assert_eq!(sooner.points, drawn.points);
    assert_ne!(later.points, drawn.points);
}

/// The answers do not depend on the origin of positions in shaders, whenever it changes.
#[test]
fn the_oceans_origin_does_not_matter() {
    let context = context();
    let mut ocean = ocean(&context, &SeaState::default(), options(64));
    let mut queries = queries(&context, &ocean, QueryOptions::default());
    let points = places(100, [5_000.0, 3.0], 400.0);
    let first = ask(&context, &mut queries, &ocean, DRAWN, &points).unwrap();
    ocean.set_origin(&context.queue, [5_000.0, 0.0]);
    let mut encoder = context.device.create_command_encoder(&Default::default());
    let second = queries.encode(&context.queue, &mut encoder, &ocean, DRAWN, &points).unwrap();
    ocean.set_origin(&context.queue, [-1_000_000.0, 77.0]);
    context.queue.submit([encoder.finish()]);
    assert_eq!(wait(&context, first).points, wait(&context, second).points);
}

/// Queries show the sea that the ocean shows.
#[test]
fn another_sea_is_followed() {
    let context = context();
    let options = options(64);
    let mut ocean = ocean(&context, &SeaState::default(), options);
    let mut queries = queries(&context, &ocean, QueryOptions { ahead: true, ..Default::default() });
    let another = SeaState { wind_speed_mps: 15.0, seed: 7, ..SeaState::default() };
    ocean.set_spectrum(&context.queue, &Ocean::prepare(&another, &options).unwrap()).unwrap();
    let points = places(100, [0.0; 2], 400.0);
    let [drawn, ahead] = [DRAWN, When::At { time_s: TIME_S }].map(|when| {
        let request = ask(&context, &mut queries, &ocean, when, &points).unwrap();
        wait(&context, request).points
    });
    assert_eq!(drawn, ahead);
    let twin = cpu::Queries::new(ocean.spectrum().clone(), &options).at(TIME_S).query(&points);
    for (got, expected) in drawn.iter().zip(twin) {
        near(got.height_m, expected.height_m, 0.02, "height");
        let [got, expected] = [*got, expected].map(|point| point.velocity_mps.unwrap()[1]);
        near(got, expected, 0.05, "velocity");
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let context = context();
    let ocean = ocean(&context, &SeaState::default(), options(16));
    let options = QueryOptions { capacity: 10, in_flight: 2, velocity: false, ahead: false };
    let none = QueryOptions { in_flight: 0, ..options };
    let error = Queries::new(&context.device, &context.queue, &ocean, none).unwrap_err();
    assert!(matches!(error, QueryError::NoRequests), "{error}");
    let none = QueryOptions { capacity: 0, ..options };
    let error = Queries::new(&context.device, &context.queue, &ocean, none).unwrap_err();
    assert!(matches!(error, QueryError::NoPoints), "{error}");
    let error = error.to_string();
    assert!(error.contains("capacity is 0: it must be at least 1"), "{error}");
    let mut queries = queries(&context, &ocean, options);
    let points = places(11, [0.0; 2], 100.0);
    let mut ask = |when, points| ask(&context, &mut queries, &ocean, when, points);

    let error = ask(DRAWN, &points).unwrap_err().to_string();
    assert_eq!(error, "a request has 11 points, and QueryOptions::capacity is 10");
    let error = ask(When::At { time_s: 1.0 }, &points[..1]).unwrap_err();
    assert!(matches!(error, QueryError::NotAhead));

    // Two under way, a full one and an empty one, and one too many.
    let full = ask(DRAWN, &points[..10]).unwrap();
    let empty = ask(DRAWN, &[]).unwrap();
    let error = ask(DRAWN, &points[..1]).unwrap_err().to_string();
    assert!(error.starts_with("all 2 requests are in flight"), "{error}");
    let full = wait(&context, full);
    assert_eq!(full.points.len(), 10);
    assert!(full.points.iter().all(|point| point.velocity_mps.is_none() && point.is_solved()));
    assert_eq!(wait(&context, empty).points, []);
    ask(DRAWN, &points[..1]).unwrap();

    let other =
        Ocean::new(&context.device, &context.queue, &SeaState::default(), self::options(16));
    let mut encoder = context.device.create_command_encoder(&Default::default());
    let error =
        queries.encode(&context.queue, &mut encoder, &other.unwrap(), DRAWN, &[]).unwrap_err();
    assert!(matches!(error, QueryError::OtherOcean));
}

/// Requests and answers that no caller takes, and commands that are never submitted, leave nothing behind.
#[test]
fn what_is_dropped_is_forgotten() {
    let context = context();
    let ocean = ocean(&context, &SeaState::default(), options(16));
    let options = QueryOptions { capacity: 10, in_flight: 1, velocity: false, ahead: false };
    let mut queries = queries(&context, &ocean, options);
    let points = places(10, [0.0; 2], 100.0);
    let settle = || context.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();

    // Before it arrives, and after.
    drop(ask(&context, &mut queries, &ocean, DRAWN, &points).unwrap());
    settle();
    let arrived = ask(&context, &mut queries, &ocean, DRAWN, &points).unwrap();
    settle();
    drop(arrived);

    let mut encoder = context.device.create_command_encoder(&Default::default());
    let mut request = queries.encode(&context.queue, &mut encoder, &ocean, DRAWN, &points).unwrap();
    assert!(request.answer().is_none());
    drop(encoder);
    assert!(matches!(request.answer(), Some(Err(QueryError::NotSubmitted))));
    assert!(request.answer().is_none());

    // Answers outlive their queries.
    let mut last = ask(&context, &mut queries, &ocean, DRAWN, &points).unwrap();
    drop(queries);
    settle();
    assert_eq!(last.answer().unwrap().unwrap().request, 3);
    assert!(last.answer().is_none());
}

/// Places that do not exist have no answer, and do no harm to others.
#[test]
fn points_that_are_no_numbers_are_not_solved() {
    let context = context();
    let ocean = ocean(&context, &SeaState::default(), options(64));
    let mut queries = queries(&context, &ocean, QueryOptions::default());
    let good = Point::at([10.0, 20.0]);
    let bad = [[f64::NAN, 0.0], [f64::INFINITY, 0.0]].map(Point::at);
    let request = ask(&context, &mut queries, &ocean, DRAWN, &[good, bad[0], bad[1], good]);
    let found = wait(&context, request.unwrap()).points;
    assert_eq!(found[0], found[3]);
    let solved: Vec<_> = found.iter().map(SurfacePoint::is_solved).collect();
    assert_eq!(solved, [true, false, false, true]);
}
