//! Tests of views of known seas, whose colours are looked up in the legend.

use std::f64::consts::TAU;

use half::f16;

use super::legend::{self, Legend, Scale};
use super::views::{FlatUniform, flat_square};
use super::*;
use crate::choice::Choice as _;
use crate::frame::{Frame, FrameDesc};
use crate::gpu::{Context, TextureSpec, assert_layout, shader};
use crate::mesh::View;
use crate::ocean::{Ocean, OceanOptions};
use crate::profile::Recorder;
use crate::settings::{CameraPose, Quality, QualityTier, Scenery, SeaState};
use crate::spectrum::InitialSpectrum;
use crate::tone_twin::{encode, tone_map};
use seaway_core::testing::context;
use seaway_core::testing::tolerance::{at_most, near};

const SIDE: u32 = 160;
/// A format that holds encoded values unchanged, to 5e-4.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

fn quality() -> Quality {
    Quality { size: 32, cascades: 2, foam_texels: 0, ..Quality::of(QualityTier::Low) }
}

/// A sea whose only wave is `amplitude_m` high and lies at (`x`, `z`) of cascade 0, or a flat sea.
fn one_wave(options: &OceanOptions, wave: Option<([i32; 2], f32)>) -> InitialSpectrum {
    let mut spectrum = Ocean::prepare(&SeaState::default(), options).unwrap();
    spectrum.h0.fill([0.0; 2]);
    if let Some(([x, z], amplitude_m)) = wave {
        let n = options.size as i32;
        let place = z.rem_euclid(n) * n + x.rem_euclid(n);
        // h = h0(k) e^(..) + its mirror image.
        spectrum.h0[place as usize] = [0.5 * amplitude_m, 0.0];
    }
    spectrum
}

struct Bench {
    context: Context,
    frame: Frame,
    target: wgpu::Texture,
}

impl Bench {
    fn new(wave: Option<([i32; 2], f32)>) -> Self {
        let context = context();
        let (device, queue) = (&context.device, &context.queue);
        let options = OceanOptions::fixed(&quality());
        let spectrum = one_wave(&options, wave);
        let ocean = Ocean::with_spectrum(device, queue, spectrum, options).unwrap();
        let frame = Frame::with_ocean(device, queue, ocean, &quality(), FORMAT).unwrap();
        let target = TextureSpec::target("target", [SIDE; 2], FORMAT)
            .with_usage(wgpu::TextureUsages::COPY_SRC)
            .create(device);
        Self { context, frame, target }
    }

    /// The encoded picture of `debug` from `y_m` above, straight down or to the horizon, indexed `[y][x]`.
    fn picture(&mut self, debug: DebugChoice, y_m: f64, pitch_deg: f64) -> Vec<[f64; 3]> {
        let Self { context, frame, target } = self;
        let desc = FrameDesc {
            time_s: 0.0,
            resolution: [SIDE; 2],
            camera: camera(y_m, pitch_deg),
            scenery: Scenery { buoys: 0, ..Default::default() },
            debug,
            ..Default::default()
        };
        let view = target.create_view(&Default::default());
        context.submit(|encoder| frame.record(&mut Recorder::new(encoder), &desc, &view));
        let texels: Vec<[f16; 4]> = context.read_texels(target, 0, 0);
        texels.iter().map(|[r, g, b, _]| [r, g, b].map(|part| part.to_f64())).collect()
    }

    fn legend(&self, choice: &DebugChoice) -> Legend {
        self.frame.legend(choice).expect("no picture")
    }
}

fn camera(y_m: f64, pitch_deg: f64) -> CameraPose {
    CameraPose { x_m: 0.0, y_m, z_m: 0.0, pitch_deg, yaw_deg: 0.0, ..CameraPose::default() }
}

fn of(view: DebugView) -> DebugChoice {
    DebugChoice { view, ..DebugChoice::default() }
}

fn furthest(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.into_iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn at(picture: &[[f64; 3]], x: u32, y: u32) -> [f64; 3] {
    picture[(y * SIDE + x) as usize]
}

/// The corner and the side of the flat views' square.
fn square() -> ([u32; 2], u32) {
    let (corner, side) = flat_square([SIDE; 2]);
    (corner.map(|pixels| pixels as u32), side as u32)
}

#[test]
fn shaders_are_valid_and_agree_with_the_processor() {
    crate::gpu::assert_valid(shaders());
    assert_layout::<FlatUniform>(&shader::resolve("debug_view/map.wgsl").unwrap());
    let surface = shader::source("debug_view/surface.wgsl").unwrap();
    let display = shader::source("debug_view/display.wgsl").unwrap();
    for (wgsl, name, value) in [
        (&surface, "DEBUG_JACOBIAN_REACH", legend::JACOBIAN_REACH),
        (&surface, "DEBUG_ROUGHNESS_MOST", legend::ROUGHNESS_MOST),
        (&surface, "DEBUG_CAUSTICS_MOST", legend::CAUSTICS_MOST),
        (&display, "DEBUG_STOPS_LOW", legend::STOPS_LOW),
        (&display, "DEBUG_STOPS_HIGH", legend::STOPS_HIGH),
        (&display, "DEBUG_STOPS_WHITE", legend::STOPS_WHITE),
    ] {
        let declared = format!("const {name}: f32 = {value:?};");
        assert!(wgsl.contains(&declared), "{declared}");
    }
}

#[test]
fn over_exposed_is_what_is_white_on_the_display() {
    let shown = |stops: f64| {
        let [grey, ..] = tone_map([0.18 * stops.exp2(); 3]);
        255.0 * encode(grey)
    };
    near(shown(legend::STOPS_WHITE), 254.5, 0.02, "the step that rounds to white");
}

#[test]
fn still_water_shows_jacobian_one_and_nothing_else() {
    let mut bench = Bench::new(None);
    for (view, value) in [(DebugView::Jacobian, 1.0), (DebugView::Map, 0.0)] {
        let choice = of(view);
        let expected = bench.legend(&choice).scale.colour(value);
        let picture = bench.picture(choice, 30.0, -89.0);
        for y in (SIDE / 4..3 * SIDE / 4).step_by(7) {
            let found = at(&picture, SIDE / 2, y);
            at_most(furthest(found, expected), 5e-3, format_args!("{view} at {y}: {found:?}"));
        }
    }
    // The sky has none of the colours.
    let horizon = bench.picture(of(DebugView::Jacobian), 30.0, 10.0);
    let background = [0.115, 0.13, 0.145];
    at_most(furthest(at(&horizon, SIDE / 2, 2), background), 1e-3, "the sky");
}

/// For h = a cos(k x) at time 0, the map's columns show the wave, and its Jacobian is 1 - a k cos(k x)
/// times choppiness, least on the crest.
#[test]
fn the_map_of_one_wave_is_that_wave() {
    let (waves, amplitude_m) = (3, 0.4_f32);
    let mut bench = Bench::new(Some(([waves, 0], amplitude_m)));
    let ([left, top], side) = square();
    for (channel, amplitude, phase) in [
        (MapChannel::Height, f64::from(amplitude_m), 0.0),
        // D = -a sin(k x) along k.
        (MapChannel::Dx, -f64::from(amplitude_m), -0.25),
        (MapChannel::Dz, 0.0, 0.0),
    ] {
        let choice = DebugChoice { channel, ..of(DebugView::Map) };
        let scale = bench.legend(&choice).scale;
        let picture = bench.picture(choice, 30.0, -30.0);
        for (column, row) in [(2, 5), (17, 40), (51, 90), (80, 3), (120, 120)] {
            let texel = ((f64::from(column) + 0.5) / f64::from(side) * 32.0).floor();
            let turns = f64::from(waves) * texel / 32.0;
            let value = amplitude * (TAU * (turns + phase)).cos();
            let found = at(&picture, left + column, top + row);
            let expected = scale.colour(value);
            at_most(
                furthest(found, expected),
                8e-3,
                format_args!("{channel} at {column}, {row}: {found:?} for {value}"),
            );
        }
    }
}

#[test]
fn the_spectrum_peaks_at_both_wave_vectors() {
    let [x, z] = [5, -3];
    let amplitude_m = 0.5_f32;
    let mut bench = Bench::new(Some(([x, z], amplitude_m)));
    let choice = of(DebugView::Spectrum);
    let Scale::Logarithmic { low, high, .. } = bench.legend(&choice).scale else {
        panic!("a linear spectrum");
    };
    assert!((1e-5..1.0).contains(&low) && high >= 0.5, "{low} to {high}");
    let expected = bench.legend(&choice).scale.colour(0.5 * f64::from(amplitude_m));
    let reach = legend::spectrum_reach(bench.frame.ocean().spectrum(), 0) as i32;
    let picture = bench.picture(choice, 30.0, -30.0);
    let ([left, top], side) = square();
    let place = |index: i32| {
        let middle = (f64::from(index + reach) + 0.5) / f64::from(2 * reach + 1);
        (middle * f64::from(side)) as u32
    };
    for sign in [1, -1] {
        let found = at(&picture, left + place(sign * x), top + place(sign * z));
        at_most(furthest(found, expected), 8e-3, format_args!("the wave at {sign}: {found:?}"));
    }
    // All other places have the colour of no wave.
    let none = [0.03, 0.03, 0.04];
    for (dx, dz) in [(1, 0), (0, 1), (-2, 1)] {
        let found = at(&picture, left + place(x + dx), top + place(z + dz));
        at_most(furthest(found, none), 1e-3, format_args!("beside the wave: {found:?}"));
    }
}

#[test]
fn levels_follow_the_selected_tiles() {
    let mut bench = Bench::new(None);
    let grid = crate::mesh::Grid::of(&quality());
    let (y_m, pitch_deg) = (14.0, -40.0);
    let view = View::new(&camera(y_m, pitch_deg), [SIDE; 2]);
    let mut tiles = Vec::new();
    let bounds = crate::mesh::SeaBounds::from_wave_height(1.0, 1.0);
    grid.select(&view, bounds, &mut tiles);
    let picture = bench.picture(of(DebugView::Lod), y_m, pitch_deg);
    let anchor_m = grid.anchor_m(view.position_m);
    let mut levels = std::collections::BTreeSet::new();
    for y in (4..SIDE).step_by(9) {
        for x in (4..SIDE).step_by(9) {
            let ndc = [x, y].map(|pixel| 2.0 * (f64::from(pixel) + 0.5) / f64::from(SIDE) - 1.0);
            let ray = view.forward + view.right * view.half_extent[0] * ndc[0] as f32
                - view.up * view.half_extent[1] * ndc[1] as f32;
            if ray.y >= -0.05 {
                continue;
            }
            let along = -y_m / f64::from(ray.y);
            let place = [
                (f64::from(ray.x) * along - anchor_m[0]) / grid.finest_spacing_m,
                (f64::from(ray.z) * along - anchor_m[1]) / grid.finest_spacing_m,
            ];
            let cells = f64::from(grid.tile_cells);
            // The point is well inside a tile: its edges are drawn, and slide.
            let tile = tiles.iter().find(|tile| {
                let width = cells * f64::from(tile.spacing);
                (0..2).all(|axis| {
                    let inside = (place[axis] - f64::from(tile.corner[axis])) / width;
                    (0.15..0.85).contains(&inside)
                })
            });
            let Some(tile) = tile else { continue };
            let level = tile.spacing.log2() as u32;
            let expected = colours::category(level);
            let found = at(&picture, x, y);
            // Shading darkens the same hue.
            let brightness = found.iter().sum::<f64>() / expected.iter().sum::<f64>();
            assert!((0.3..=1.01).contains(&brightness), "{found:?} for {expected:?}");
            let off = furthest(found, expected.map(|channel| channel * brightness));
            at_most(off, 0.02, format_args!("level {level} at {x}, {y}: {found:?}"));
            levels.insert(level);
        }
    }
    assert!(levels.len() >= 2, "only levels {levels:?} are seen");
}

#[test]
fn views_draw_and_leave_the_picture_unchanged() {
    let mut bench = Bench::new(Some(([3, 1], 0.3)));
    let before = bench.picture(DebugChoice::default(), 10.0, -10.0);
    assert!(!bench.frame.has_views(), "built though no caller asked");
    let mut seen: Vec<Vec<[f64; 3]>> = vec![before.clone()];
    for &view in DebugView::ALL.iter().skip(1) {
        let picture = bench.picture(of(view), 10.0, -10.0);
        assert!(picture.iter().flatten().all(|value| (0.0..=1.0).contains(value)), "{view}");
        assert!(!seen.contains(&picture), "{view} shows what another shows");
        assert!(bench.frame.legend(&of(view)).is_some(), "{view} has no legend");
        seen.push(picture);
    }
    assert!(bench.picture(DebugChoice::default(), 10.0, -10.0) == before);
    // A cascade beyond the last shows the last.
    let far = DebugChoice { cascade: 9, ..of(DebugView::Spectrum) };
    let last = DebugChoice { cascade: 1, ..far };
    assert_eq!(bench.legend(&far), bench.legend(&last));
    assert!(bench.picture(far, 10.0, -10.0) == bench.picture(last, 10.0, -10.0));
}
