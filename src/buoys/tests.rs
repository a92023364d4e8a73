//! Tests of buoys on a GPU: their poses against double precision, and their places in pictures.

use glam::{DVec3, Vec3};
use half::f16;

use super::gpu_data::BuoyPose;
use super::stage::footprint_m;
use super::{Buoys, MOORINGS, Mooring};
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
        let mut buoys = Buoys::new(ocean.pipelines(), &scene, ocean.maps(), &visibility).unwrap();
        let mut twin = cpu::Queries::new(ocean.spectrum().clone(), &options);
        let mut lean: f64 = 0.0;
        for (time_s, camera) in [0.0, 3.7, 86_400.25].iter().zip(cameras().iter().cycle()) {
            let view = View::new(camera, [1280, 720]);
            let anchor_m = grid.anchor_m(view.position_m);
            ocean.set_origin(queue, anchor_m);
            buoys.select(queue, &view, &grid, bounds, 8, *time_s);
            gpu.submit(|encoder| {
                let recorder = &mut Recorder::new(encoder);
                ocean.record_with(recorder, *time_s, |stages| buoys.record(stages, ocean.maps()));
            });
            at_least(buoys.shown(), 4, "buoys in view");

            let poses: Vec<BuoyPose> = gpu.read(buoys.poses());
            let moment = twin.at(*time_s);
            for pose in &poses[..buoys.shown() as usize] {
                let position_m = [0, 1].map(|axis| {
                    anchor_m[axis] + f64::from([pose.position[0], pose.position[2]][axis])
                });
                let is_here = |mooring: &&Mooring| {
                    let [x, z] = mooring.position_m;
                    (x - position_m[0]).hypot(z - position_m[1]) < 1e-3
                };
                let mooring = MOORINGS.iter().find(is_here).expect("a buoy is where it is moored");
                assert_eq!(pose.mark, mooring.mark as u32);
                let footprint_m = footprint_m(mooring, &view, &grid.levels(&view, bounds));
                at_least(footprint_m, super::FOOTPRINT_M, "footprint");
                let point = Point { position_m: mooring.position_m, footprint_m };
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
    let differs = |x: usize, y: usize| drawn.hdr[y * width + x] != without.hdr[y * width + x];

    // A buoy is 4 m high, and the sea lifts it by up to Hs.
    let reach_m = (super::model::REACH_M + 1.0) as f32;
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

    // Light and distance show the same objects.
    let [mut changed, mut alike] = [0, 0];
    for index in 0..drawn.hdr.len() {
        let light = drawn.hdr[index] != without.hdr[index];
        let distance = drawn.depth_m[index] != without.depth_m[index];
        changed += u32::from(light || distance);
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
    let mut buoys = Buoys::new(ocean.pipelines(), &scene, ocean.maps(), &visibility).unwrap();
    let mut shown = |camera: &CameraPose, count| {
        let view = View::new(camera, [1280, 720]);
        buoys.select(queue, &view, &grid, SeaBounds::from_wave_height(2.0, 1.0), count, 0.0);
        buoys.shown()
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
