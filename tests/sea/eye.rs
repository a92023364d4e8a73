//! The eye over a sea that moves: never in a wave, and on the water where it is to be, against the sea in
//! double precision; for those who wait and those who cannot.

use seaway::eye::{self, CLEARANCE_M, EyeLevel, EyeTracker, Water};
use seaway::foam::FoamSea;
use seaway::frame::{Frame, FrameDesc};
use seaway::gpu::{Context, TextureSpec};
use seaway::profile::Recorder;
use seaway::query::{Point, Queries, QueryOptions, When, cpu};
use seaway::settings::{CameraPose, Quality, QualityTier, Scenery, SeaState};
use seaway::{Ocean, OceanOptions};

use seaway_core::testing::context;
use seaway_core::testing::tolerance::{at_least, at_most, near};

const LOW_M: f64 = 0.2;

fn storm() -> SeaState {
    SeaState { wind_speed_mps: 24.0, fetch_m: 400_000.0, choppiness: 1.2, ..SeaState::default() }
}

/// Highest water of the twin at many places within a metre of `eye_m`.
fn highest_m(sea: &cpu::Moment, eye_m: [f64; 2], spacing_m: f64) -> f64 {
    let heights = (0..150).map(|i| {
        // Vogel 1979: evenly over the disc.
        let (turn, away_m) = (f64::from(i) * 2.399_963, (f64::from(i) / 149.0).sqrt());
        let position_m = [eye_m[0] + away_m * turn.cos(), eye_m[1] + away_m * turn.sin()];
        sea.surface_at(Point { position_m, footprint_m: spacing_m, ..Point::default() }).height_m
    });
    heights.fold(f64::MIN, f64::max)
}

/// Returns the allowed error of a height, in metres, from half floats in the maps and from places
/// between points.
fn allowed_m(hs_m: f64) -> f64 {
    1e-3 + 1e-3 * hs_m
}

#[test]
fn eyes_and_walkers_stay_above_the_drawn_storm() {
    let context = context();
    let (device, queue) = (&context.device, &context.queue);
    let options = OceanOptions { size: 128, ..OceanOptions::default() };
    let ocean = Ocean::new(device, queue, &storm(), options).unwrap();
    let hs_m = ocean.spectrum().significant_wave_height_m();
    at_least(hs_m, 4.0, "Hs");
    let capacity = eye::POINTS as u32;
    let query = QueryOptions { capacity, velocity: false, ..QueryOptions::default() };
    let mut queries = Queries::new(device, queue, &ocean, query).unwrap();
    let mut twin = cpu::Queries::new(ocean.spectrum().clone(), &options);
    let spacing_m = Quality::default().finest_spacing_m;
    let mut raised = 0;
    let times = 24;
    for i in 0..times {
        let time_s = 50.0 + 3.7 * f64::from(i);
        let eye_m = [211.0 * f64::from(i), -97.0 * f64::from(i)];
        let points = eye::points(eye_m, spacing_m);
        let mut request = context.submit(|encoder| {
            ocean.encode(encoder, time_s);
            queries.encode(queue, encoder, &ocean, When::Drawn { time_s }, &points).unwrap()
        });
        device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        let water = Water::of(&request.answer().unwrap().unwrap().points);

        let sea = twin.at(time_s);
        let height_m = EyeLevel::OverStillWater.height_m(LOW_M, &water);
        assert!(height_m >= LOW_M, "lowered");
        let below_m = sea
            .surface_at(Point { position_m: eye_m, footprint_m: spacing_m, ..Point::default() })
            .height_m;
        let lacking_m = below_m + CLEARANCE_M - height_m;
        at_most(lacking_m, allowed_m(hs_m), "of the clearance over the water below");
        // Between points 0.5 m apart, half of the clearance is the water's: a slope of 0.7.
        let highest_m = highest_m(&sea, eye_m, spacing_m);
        at_least(height_m - highest_m, 0.5 * CLEARANCE_M, "over the water around");
        if height_m > LOW_M {
            raised += 1;
            near(height_m, water.highest_m + CLEARANCE_M, 1e-12, "no more than it needs");
        }

        let raft = EyeLevel::OnWater { height_m: 3.0 };
        let level_m = sea.surface_at(points[0]).height_m;
        near(raft.height_m(LOW_M, &water), level_m + 3.0, allowed_m(hs_m), "on the water");
    }
    // A Gaussian sea stands over -0.2 m half of the time.
    assert!((4..times - 4).contains(&raised), "{raised} of {times} raised");
}

/// A window, without the window.
struct Window {
    context: Context,
    frame: Frame,
    eye: EyeTracker,
    target: wgpu::TextureView,
    /// Frames between two looks for answers.
    patience: u32,
    frames: u32,
}

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

impl Window {
    fn new(patience: u32) -> Self {
        let context = context();
        let (device, queue) = (&context.device, &context.queue);
        let quality =
            Quality { size: 64, cascades: 3, foam_texels: 0, ..Quality::of(QualityTier::Low) };
        let frame = Frame::new(device, queue, &storm(), &quality, FORMAT).unwrap();
        let eye = EyeTracker::new(device, queue, &frame).unwrap();
        let target = TextureSpec::target("target", [16, 9], FORMAT).create_view(device);
        Self { context, frame, eye, target, patience, frames: 0 }
    }

    /// Draws a frame; the water as it was known for it.
    fn draw(&mut self, eye_level: EyeLevel, eye_m: [f64; 3], time_s: f64) -> Option<Water> {
        let water = self.eye.water(&self.frame, eye_level, eye_m, time_s);
        let y_m = water.map_or(eye_m[1], |water| eye_level.height_m(eye_m[1], &water));
        let desc = FrameDesc {
            time_s,
            resolution: [16, 9],
            camera: CameraPose { x_m: eye_m[0], y_m, z_m: eye_m[2], ..CameraPose::default() },
            scenery: Scenery { buoys: 0, ..Default::default() },
            ..Default::default()
        };
        let Self { context: Context { device, queue, .. }, .. } = self;
        let mut encoder = device.create_command_encoder(&Default::default());
        let recorder = &mut Recorder::new(&mut encoder);
        self.frame.record(recorder, &desc, &self.target);
        self.eye.record(recorder, &self.frame);
        queue.submit([encoder.finish()]);
        self.frames += 1;
        if self.frames.is_multiple_of(self.patience) {
            device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        }
        water
    }

    fn twin(&self) -> cpu::Queries {
        let ocean = self.frame.ocean();
        cpu::Queries::new(ocean.spectrum().clone(), ocean.options())
    }

    /// Draws some frames, and then has the water of the last one.
    fn settled(&mut self, eye_m: [f64; 3], time_s: f64) -> Water {
        let eye_level = EyeLevel::OnWater { height_m: 1.7 };
        for _ in 0..4 {
            self.draw(eye_level, eye_m, time_s);
        }
        self.draw(eye_level, eye_m, time_s).expect("answers have come")
    }

    fn check(&mut self, water: Water, eye_m: [f64; 3], time_s: f64, what: &str) {
        let hs_m = self.frame.ocean().spectrum().significant_wave_height_m();
        let place_m = [eye_m[0], eye_m[2]];
        let raft = eye::points(place_m, 1.0)[0];
        let level_m = self.twin().at(time_s).surface_at(raft).height_m;
        near(water.level_m, level_m, allowed_m(hs_m), format_args!("level, {what}"));
    }
}

/// Answers that come some frames late, of an eye that walks, and of one that flies fast.
#[test]
fn a_window_knows_the_water_that_it_draws() {
    for (patience, speed_mps) in [(1, 60.0), (3, 1.4)] {
        let mut window = Window::new(patience);
        let hs_m = window.frame.ocean().spectrum().significant_wave_height_m();
        let spacing_m = window.frame.quality().finest_spacing_m;
        let mut twin = window.twin();
        let mut known = 0;
        for frame in 0..27 {
            let time_s = 100.0 + f64::from(frame) / 60.0;
            let eye_m = [speed_mps * f64::from(frame) / 60.0, LOW_M, 30.0];
            let Some(water) = window.draw(EyeLevel::OverStillWater, eye_m, time_s) else {
                assert!(frame <= 3, "nothing is known in frame {frame}");
                continue;
            };
            known += 1;
            if frame % 3 > 0 && frame > 6 {
                // The twin takes longer than the frame.
                continue;
            }
            let height_m = EyeLevel::OverStillWater.height_m(LOW_M, &water);
            let place_m = [eye_m[0], eye_m[2]];
            let highest_m = highest_m(&twin.at(time_s), place_m, spacing_m);
            at_least(height_m - highest_m, 0.4 * CLEARANCE_M, format_args!("in frame {frame}"));
            // A walker's water is known to centimetres, since it is asked for where they will be; it
            // goes on for five frames at most, while gravity could move it by 3 cm.
            if speed_mps < 2.0 && frame > 8 {
                let raft = eye::points(place_m, spacing_m)[0];
                let level_m = twin.at(time_s).surface_at(raft).height_m;
                let allowed_m = 0.03 + 5.0 * allowed_m(hs_m);
                near(water.level_m, level_m, allowed_m, format_args!("level in frame {frame}"));
            }
        }
        assert!(known >= 23, "{known} frames knew the water");
    }
}

/// The sea stands still, time jumps, the eye jumps, another sea, another ocean, another frame: some frames
/// later, what is known is right.
#[test]
fn nothing_stale_is_used_for_long() {
    let mut window = Window::new(1);
    let eye_m = [10.0, 2.0, 20.0];
    let water = window.settled(eye_m, 5.0);
    window.check(water, eye_m, 5.0, "paused");
    let water = window.settled(eye_m, 4_000.0);
    window.check(water, eye_m, 4_000.0, "another time");
    let far_m = [-70_000.0, 2.0, 3_000.0];
    let water = window.settled(far_m, 4_000.0);
    window.check(water, far_m, 4_000.0, "another place");

    let gale = SeaState { wind_speed_mps: 17.0, seed: 5, ..storm() };
    let options = *window.frame.ocean().options();
    let spectrum = Ocean::prepare(&gale, &options).unwrap();
    let foam = FoamSea::new(&gale, options.cascades, window.frame.foam().options()).unwrap();
    window.frame.set_spectrum(&spectrum, foam).unwrap();
    let water = window.settled(eye_m, 6.0);
    window.check(water, eye_m, 6.0, "another sea");

    // A frame that was built behind this one knows at once what this one knew, and soon its own.
    let Context { device, queue, .. } = &window.context;
    let quality = window.frame.quality().clone();
    let frame = Frame::new(device, queue, &gale, &quality, FORMAT).unwrap();
    let mut eye = EyeTracker::new(device, queue, &frame).unwrap();
    eye.go_on_from(&window.eye);
    (window.frame, window.eye) = (frame, eye);
    let first = window.draw(EyeLevel::OnWater { height_m: 1.7 }, eye_m, 7.0).unwrap();
    near(first.level_m, water.level_m, 1e-9, "as the frame before");
    let water = window.settled(eye_m, 7.0);
    window.check(water, eye_m, 7.0, "another frame");

    // High above the waves nothing is known, since nothing is asked.
    for _ in 0..12 {
        let water = window.draw(EyeLevel::OverStillWater, [10.0, 200.0, 20.0], 8.0);
        assert_eq!(water, None);
    }
    // And what was known before then is forgotten.
    assert_eq!(window.draw(EyeLevel::OverStillWater, eye_m, 8.0), None);
    // Requests that are recorded and never submitted are sent again.
    let eye_level = EyeLevel::OnWater { height_m: 1.7 };
    for _ in 0..5 {
        window.eye.water(&window.frame, eye_level, eye_m, 8.0);
        let mut encoder = window.context.device.create_command_encoder(&Default::default());
        window.eye.record(&mut Recorder::new(&mut encoder), &window.frame);
    }
    let water = window.settled(eye_m, 8.0);
    window.check(water, eye_m, 8.0, "after commands that were dropped");
    // A device that is gone asks nothing any more, and breaks nothing.
    window.context.device.destroy();
    let _ = window.eye.water(&window.frame, eye_level, eye_m, 9.0);
}
