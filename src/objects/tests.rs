//! Tests of objects on a GPU: their poses against double precision, and their places in pictures.

use glam::{DVec3, Vec3};
use half::f16;

use super::gpu_data::ObjectPose;
use super::stage::footprint_m;
use super::{
    HullPoint, MOORINGS, Model, Mooring, Object, Objects, ObjectsError, Stand, buoy, fairway, post,
};
use crate::frame::{Frame, FrameDesc};
use crate::gpu::{Context, LimitsPreset, TextureSpec};
use crate::mesh::{Grid, Mesh, SeaBounds, View};
use crate::ocean::{Ocean, OceanOptions};
use crate::profile::Recorder;
use crate::query::{Point, cpu};
use crate::settings::{CameraPose, Preset, Quality, QualityTier, Scenery, SeaState};
use crate::shading::{SceneBindings, Sky, Visibility};
use seaway_core::testing::context_within;
use seaway_core::testing::tolerance::{at_least, near};

#[test]
fn shaders_are_valid() {
    crate::gpu::assert_valid(super::shaders());
}

fn cameras() -> [CameraPose; 2] {
    let above =
        CameraPose { x_m: 70.0, y_m: 400.0, z_m: 60.0, pitch_deg: -88.0, ..Default::default() };
    [above, CameraPose::default()]
}

#[test]
fn buoys_lie_on_the_water_of_the_reference() {
    let gpu = context_within(LimitsPreset::WebGpu);
    let (device, queue) = (&gpu.device, &gpu.queue);
    let grid = Grid::new(8, 0.4);
    for preset in ["breeze", "gale"] {
        let sea = Preset::load(preset).unwrap().sea;
        let options = OceanOptions { size: 64, ..OceanOptions::default() };
        let mut ocean = Ocean::new(device, queue, &sea, options).unwrap();
        let hs_m = ocean.spectrum().significant_wave_height_m();
        let bounds = SeaBounds::from_wave_height(hs_m, sea.choppiness);
        let (mesh, sky) = (Mesh::new(device, grid), Sky::new(device).unwrap());
        let scene = SceneBindings::new(&mesh, ocean.maps(), &sky);
        let visibility = Visibility::new(ocean.pipelines(), &scene, &mesh, 1).unwrap();
        let mut objects =
            Objects::new(ocean.pipelines(), &scene, ocean.maps(), &visibility).unwrap();
        let mut twin = cpu::Queries::new(ocean.spectrum().clone(), &options);
        let mut lean: f64 = 0.0;
        for (time_s, camera) in [0.0, 3.7, 86_400.25].iter().zip(cameras().iter().cycle()) {
            let view = View::new(camera, [1280, 720]);
            let anchor_m = grid.anchor_m(view.position_m);
            ocean.set_origin(queue, anchor_m);
            objects.select(queue, &view, &grid, bounds, 8, *time_s);
            gpu.submit(|encoder| {
                let recorder = &mut Recorder::new(encoder);
                ocean.record_with(recorder, *time_s, |stages| objects.record(stages, ocean.maps()));
            });
            at_least(objects.shown(), 4, "buoys in view");

            let poses: Vec<ObjectPose> = gpu.read(objects.poses());
            let moment = twin.at(*time_s);
            for pose in &poses[..objects.shown() as usize] {
                let position_m = objects.object(pose.number).position_m;
                for (axis, at_m) in [pose.position[0], pose.position[2]].into_iter().enumerate() {
                    near(anchor_m[axis] + f64::from(at_m), position_m[axis], 1e-3, "place");
                }
                let (least_m, levels) = (buoy().footprint_m, grid.levels(&view, bounds));
                let footprint_m = footprint_m(position_m, least_m, &view, &levels);
                at_least(footprint_m, least_m, "footprint");
                let point = Point { position_m, footprint_m, ..Point::default() };
                let expected = moment.surface_at(point);
                assert!(expected.is_solved());
                near(pose.position[1], expected.height_m, 1e-3 + 1e-3 * hs_m, "height");
                for (up, normal) in pose.up.iter().zip(expected.normal) {
                    near(*up, normal, 3e-3 / expected.jacobian, "a component of the normal");
                }
                lean = lean.max(expected.normal[1].acos());
            }
        }
        at_least(lean.to_degrees(), 1.0, "degrees that one of them leans");
    }
}

struct Bench {
    context: Context,
    frame: Frame,
}

/// The results of one frame, row by row.
#[derive(PartialEq)]
struct Drawn {
    hdr: Vec<[f16; 4]>,
    depth_m: Vec<f32>,
}

const RESOLUTION: [u32; 2] = [160, 90];

impl Bench {
    fn new() -> Self {
        let context = context_within(LimitsPreset::WebGpu);
        let quality =
            Quality { size: 64, cascades: 3, foam_texels: 0, ..Quality::of(QualityTier::Low) };
        let (device, queue) = (&context.device, &context.queue);
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let mut frame = Frame::new(device, queue, &SeaState::default(), &quality, format).unwrap();
        frame.keep_layers().unwrap();
        Self { context, frame }
    }

    fn draw(&mut self, desc: &FrameDesc) -> Drawn {
        let Self { context, frame } = self;
        let view = TextureSpec::target("target", RESOLUTION, wgpu::TextureFormat::Rgba8Unorm)
            .create_view(&context.device);
        context.submit(|encoder| frame.record(&mut Recorder::new(encoder), desc, &view));
        let layers = frame.layers().expect("they are kept");
        Drawn {
            hdr: context.read_texels(layers.hdr, 0, 0),
            depth_m: context.read_texels(layers.depth_m, 0, 0),
        }
    }
}

fn desc(time_s: f64, yaw_deg: f64, buoys: u32) -> FrameDesc {
    FrameDesc {
        time_s,
        resolution: RESOLUTION,
        camera: CameraPose { yaw_deg, ..Default::default() },
        scenery: Scenery { buoys, ..Default::default() },
        ..Default::default()
    }
}

/// The pixel of a point over a mooring, the pixels per metre there, and the distance.
fn projected(view: &View, mooring: &Mooring, y_m: f64) -> (glam::Vec2, f32, f32) {
    let [x, z] = mooring.position_m;
    let relative = (DVec3::new(x, y_m, z) - view.position_m).as_vec3();
    let clip = view.clip_from_relative * relative.extend(1.0);
    let ndc = Vec3::new(clip.x, -clip.y, clip.z) / clip.w;
    let size = glam::vec2(RESOLUTION[0] as f32, RESOLUTION[1] as f32);
    let metre = 1.0 / (relative.length() * view.pixel_angle_rad);
    ((ndc.truncate() * 0.5 + 0.5) * size, metre, relative.length())
}

#[test]
fn buoys_show_at_their_moorings_and_nowhere_else() {
    let mut bench = Bench::new();
    let with = desc(3.0, 20.0, 8);
    let drawn = bench.draw(&with);
    let without = bench.draw(&desc(3.0, 20.0, 0));
    let view = View::new(&with.camera, RESOLUTION);
    let [width, height] = RESOLUTION.map(|pixels| pixels as usize);
    let differs =
        |x: usize, y: usize| drawn.depth_m[y * width + x] != without.depth_m[y * width + x];

    // A buoy is 4 m high, and the sea lifts it by up to Hs.
    let reach_m = (buoy().reach_m() + 1.0) as f32;
    for y in 0..height {
        for x in (0..width).filter(|x| differs(*x, y)) {
            let pixel = glam::vec2(x as f32 + 0.5, y as f32 + 0.5);
            let is_near = |mooring: &Mooring| {
                let (at, metre, _) = projected(&view, mooring, 0.0);
                // A metre is wider off the middle of the picture.
                pixel.distance(at) < 1.5 * reach_m * metre + 1.0
            };
            assert!(MOORINGS.iter().any(is_near), "{pixel} has changed");
        }
    }
    let (mut seen, mut as_far) = (0, 0);
    for mooring in &MOORINGS {
        let (at, metre, distance_m) = projected(&view, mooring, 1.5);
        let (x, y) = (at.x as usize, at.y as usize);
        if metre < 1.0 || at.x < 0.0 || x >= width {
            continue;
        }
        // The float and the boards are wide; between them there is a lattice.
        seen += u32::from((y.saturating_sub(2)..=y + 2).any(|y| differs(x, y)));
        let depth_m = |y: usize| drawn.depth_m[y * width + x];
        let is_here = |y: usize| (depth_m(y) - distance_m).abs() < 2.0;
        as_far += u32::from((y.saturating_sub(2)..=y + 2).any(is_here));
    }
    assert_eq!((seen, as_far), (2, 2), "the nearest to the left and to the right");

    // Pixels that show an object have its light. Those of its mirror image have changed as well.
    let [mut changed, mut alike] = [0, 0];
    for index in 0..drawn.hdr.len() {
        let light = drawn.hdr[index] != without.hdr[index];
        let distance = drawn.depth_m[index] != without.depth_m[index];
        changed += u32::from(distance);
        alike += u32::from(light && distance);
    }
    at_least(changed, 60, "pixels that show buoys");
    at_least(f64::from(alike) / f64::from(changed), 0.95, "share of them in both layers");
}

#[test]
fn a_frame_does_not_depend_on_earlier_frames() {
    let mut bench = Bench::new();
    let first = bench.draw(&desc(3.0, 20.0, 8));
    bench.draw(&desc(7.5, 60.0, 3));
    assert!(bench.draw(&desc(3.0, 20.0, 8)) == first);
    assert!(Bench::new().draw(&desc(3.0, 20.0, 8)) == first);
    // There are no buoys behind the eye.
    let none = bench.draw(&desc(3.0, 160.0, 0));
    assert!(bench.draw(&desc(3.0, 160.0, 8)) == none);
    assert!(Bench::new().draw(&desc(3.0, 160.0, 0)) == none);
}

#[test]
fn invisible_buoys_are_not_drawn() {
    let gpu = context_within(LimitsPreset::WebGpu);
    let (device, queue) = (&gpu.device, &gpu.queue);
    let grid = Grid::new(8, 0.4);
    let options = OceanOptions { size: 16, cascades: 1, ..OceanOptions::default() };
    let ocean = Ocean::new(device, queue, &SeaState::default(), options).unwrap();
    let (mesh, sky) = (Mesh::new(device, grid), Sky::new(device).unwrap());
    let scene = SceneBindings::new(&mesh, ocean.maps(), &sky);
    let visibility = Visibility::new(ocean.pipelines(), &scene, &mesh, 1).unwrap();
    let mut objects = Objects::new(ocean.pipelines(), &scene, ocean.maps(), &visibility).unwrap();
    let mut shown = |camera: &CameraPose, count| {
        let view = View::new(camera, [1280, 720]);
        objects.select(queue, &view, &grid, SeaBounds::from_wave_height(2.0, 1.0), count, 0.0);
        objects.shown()
    };
    let [above, deck] = cameras();
    assert_eq!([0, 3, 8, 1_000].map(|count| shown(&above, count)), [0, 3, 8, 8]);
    // The others are behind or beside the eye.
    assert_eq!(shown(&deck, 8), 6);
    assert_eq!(shown(&CameraPose { yaw_deg: 160.0, ..deck.clone() }, 8), 0);
    assert_eq!(shown(&CameraPose { x_m: -9_000.0, ..deck.clone() }, 8), 0);
    assert_eq!(shown(&CameraPose { y_m: 9_000.0, ..above }, 8), 0);
    assert_eq!(shown(&CameraPose { x_m: 1e7, z_m: -1e7, ..deck }, 8), 0);
}

/// A raft on four barrels, far apart along its heading.
fn raft() -> Model {
    let barrel = |x, z| HullPoint { position_m: [x, -0.4, z], waterplane_m2: 1.0 };
    let hull = vec![barrel(-4.0, -1.0), barrel(4.0, -1.0), barrel(4.0, 1.0), barrel(-4.0, 1.0)];
    Model { hull, mass_kg: 2_050.0, footprint_m: 1.0, ..buoy() }
}

/// A raft lies as high and as steep as the heights of the reference under its barrels say; a post stands still.
#[test]
fn rafts_lie_on_the_water_and_posts_stand() {
    let gpu = context_within(LimitsPreset::WebGpu);
    let (device, queue) = (&gpu.device, &gpu.queue);
    let grid = Grid::new(8, 0.4);
    let sea = Preset::load("breeze").unwrap().sea;
    let options = OceanOptions { size: 64, ..OceanOptions::default() };
    let mut ocean = Ocean::new(device, queue, &sea, options).unwrap();
    let hs_m = ocean.spectrum().significant_wave_height_m();
    let bounds = SeaBounds::from_wave_height(hs_m, sea.choppiness);
    let (mesh, sky) = (Mesh::new(device, grid), Sky::new(device).unwrap());
    let scene = SceneBindings::new(&mesh, ocean.maps(), &sky);
    let visibility = Visibility::new(ocean.pipelines(), &scene, &mesh, 1).unwrap();
    let mut objects = Objects::new(ocean.pipelines(), &scene, ocean.maps(), &visibility).unwrap();
    let heading_rad: f64 = 0.7;
    let floating = Object { position_m: [12.0, 3.0], heading_rad, ..Default::default() };
    let standing = Object {
        model: 1,
        position_m: [15.0, -2.0],
        stand: Stand::Fixed { height_m: 0.4 },
        ..Default::default()
    };
    objects.set(device, &[raft(), post()], vec![floating, standing]).unwrap();
    let view = View::new(&CameraPose::default(), [1280, 720]);
    let anchor_m = grid.anchor_m(view.position_m);
    ocean.set_origin(queue, anchor_m);
    objects.select(queue, &view, &grid, bounds, 8, 3.7);
    gpu.submit(|encoder| {
        let recorder = &mut Recorder::new(encoder);
        ocean.record_with(recorder, 3.7, |stages| objects.record(stages, ocean.maps()));
    });
    let poses: Vec<ObjectPose> = gpu.read(objects.poses());
    assert_eq!(objects.shown(), 2);

    let mut twin = cpu::Queries::new(ocean.spectrum().clone(), &options);
    let moment = twin.at(3.7);
    let footprint_m = footprint_m(floating.position_m, 1.0, &view, &grid.levels(&view, bounds));
    let height_m = |position_m| {
        moment.surface_at(Point { position_m, footprint_m, ..Point::default() }).height_m
    };
    let (sin, cos) = heading_rad.sin_cos();
    let corners = raft().hull.into_iter().map(|point| {
        let [x, _, z] = point.position_m;
        let [east, south] = [x * cos - z * sin, x * sin + z * cos];
        let [at_x, at_z] = floating.position_m;
        DVec3::new(east, height_m([at_x + east, at_z + south]), south)
    });
    let corners: Vec<DVec3> = corners.collect();
    // Barrels in a rectangle: slopes along its sides are those of the means of its ends.
    let mean_m = corners.iter().map(|corner| corner.y).sum::<f64>() / 4.0;
    let along = (corners[1].y + corners[2].y - corners[0].y - corners[3].y) / 16.0;
    let across = (corners[2].y + corners[3].y - corners[0].y - corners[1].y) / 4.0;
    let slopes = [along * cos - across * sin, along * sin + across * cos];
    let up = DVec3::new(-slopes[0], 1.0, -slopes[1]).normalize();
    let raft = poses.iter().find(|pose| pose.number == 0).unwrap();
    at_least(slopes[0].hypot(slopes[1]), 0.005, "slope");
    for (found, expected) in raft.up.into_iter().zip(up.to_array()) {
        near(f64::from(found), expected, 2e-3, "a component of its mast");
    }
    // 2,050 kg on 4 m2 sink by half a metre, and the barrels hang 0.4 m under its origin.
    near(f64::from(raft.position[1]), mean_m - 0.1 * up.y, 3e-3, "height");
    near(f64::from(raft.waterline_m), 0.1, 1e-6, "waterline");

    let post = poses.iter().find(|pose| pose.number == 1).unwrap();
    assert_eq!((post.position[1], post.up), (0.4, [0.0, 1.0, 0.0]));
    let water_m = height_m(standing.position_m);
    near(f64::from(post.waterline_m), water_m - 0.4, 1e-2, "water at the post");
}

#[test]
fn objects_that_cannot_be_drawn_are_refused() {
    let mut bench = Bench::new();
    let mut set = |models: &[Model], objects| bench.frame.set_objects(models, objects).unwrap_err();
    let object = Object::default();
    let many = vec![object; 9];
    assert_eq!(set(&[buoy()], many), ObjectsError::TooMany { found: 9, most: 8 });
    let error = set(&[buoy(), buoy()], fairway());
    assert_eq!(error, ObjectsError::Materials { found: 18, most: 16 });
    let error = set(&[post()], vec![Object { model: 1, ..object }]);
    assert_eq!(error, ObjectsError::NoModel { object: 0, model: 1, models: 1 });
    let broken = Model { materials: vec![], ..post() };
    assert_eq!(set(&[broken], vec![object]), ObjectsError::Broken { model: 0 });
    let sinks = Model { hull: vec![], ..post() };
    assert_eq!(set(&[sinks], vec![object]), ObjectsError::Hull { model: 0, most: 8 });
}
