//! Foam on a GPU: as much as there should be, whatever the way to a moment.

mod support;

use seaway::OceanOptions;
use seaway::foam::{Foam, FoamOptions, FoamSea};
use seaway::gpu::{Context, read_texture};
use seaway::profile::Recorder;
use seaway::settings::{Quality, QualityTier, SeaState};
use support::context;
use support::tolerance::{at_most, near};

const TEXELS: u32 = 32;
const LEVELS: u32 = 4;

fn sea(wind_speed_mps: f64) -> SeaState {
    SeaState { wind_speed_mps, fetch_m: 300_000.0, ..Default::default() }
}

fn foam(context: &Context, sea: &SeaState) -> Foam {
    let ocean =
        OceanOptions { cubic_cascades: 3, ..OceanOptions::of(&Quality::of(QualityTier::Low)) };
    let options = FoamOptions {
        texels: TEXELS,
        levels: LEVELS,
        steps_per_s: 10,
        cubic_cascades: ocean.cubic_cascades,
        blended_cascades: ocean.blended_cascades,
    };
    let sea = FoamSea::new(sea, &ocean).unwrap();
    Foam::new(&context.device, &context.queue, sea, options).unwrap()
}

/// Takes all steps to `time_s`.
fn settle(context: &Context, foam: &mut Foam, time_s: f64, eye_m: [f64; 2]) {
    loop {
        let mut encoder = context.device.create_command_encoder(&Default::default());
        let recorder = &mut Recorder::new(&mut encoder);
        let more = foam.record(recorder, &context.queue, time_s, eye_m, [0.0; 2], Foam::MOST_STEPS);
        context.queue.submit([encoder.finish()]);
        if !more {
            return;
        }
    }
}

/// Fresh and old foam of every texel of a level, 0 to 1.
fn level(context: &Context, foam: &Foam, level: u32) -> Vec<[f64; 2]> {
    let texture = foam.texture().texture();
    let bytes =
        pollster::block_on(read_texture(&context.device, &context.queue, texture, 0, level));
    let bytes = bytes.unwrap();
    bytes.chunks_exact(4).map(|texel| [0, 1].map(|i| f64::from(texel[i]) / 255.0)).collect()
}

/// The same moment at 24, 60 and 144 frames a second, and at once.
#[test]
fn the_way_to_a_moment_does_not_matter() {
    let context = context();
    let sea = sea(16.0);
    let all =
        |foam: &Foam| (0..LEVELS).flat_map(|of| level(&context, foam, of)).collect::<Vec<_>>();
    let mut at_once = foam(&context, &sea);
    settle(&context, &mut at_once, 40.0, [3.0, -5.0]);
    let expected = all(&at_once);
    assert!(expected.iter().any(|texel| texel[0] > 0.2), "there is foam");
    for fps in [24.0, 60.0, 144.0] {
        let mut foam = foam(&context, &sea);
        // From another moment, with its foam.
        settle(&context, &mut foam, 26.5, [3.0, -5.0]);
        let frames = (13.5 * fps) as u32;
        for frame in 0..=frames {
            let time_s = if frame == frames { 40.0 } else { 26.5 + f64::from(frame) / fps };
            settle(&context, &mut foam, time_s, [3.0, -5.0]);
        }
        let worst = all(&foam)
            .as_flattened()
            .iter()
            .zip(expected.as_flattened())
            .map(|(got, expected)| (got - expected).abs())
            .fold(0.0, f64::max);
        at_most(worst, 1.5 / 255.0, format_args!("{fps} frames a second"));
    }
}

/// What is drawn is what the threshold was solved for, in windows of every size.
#[test]
fn there_is_as_much_foam_as_is_observed() {
    let context = context();
    let mut foam = foam(&context, &sea(18.0));
    let cover = foam.sea().cover;
    let mut sums = [[0.0; 2]; LEVELS as usize];
    let times = 4;
    for time in 0..times {
        // Far apart, so that each is another piece of sea.
        let eye_m = [7_000.0 * f64::from(time), 0.0];
        settle(&context, &mut foam, 100.0 * f64::from(time), eye_m);
        for (index, sum) in sums.iter_mut().enumerate() {
            let texels = level(&context, &foam, index as u32);
            let count = (texels.len() * times as usize) as f64;
            for texel in texels {
                sum[0] += texel[0] / count;
                sum[1] += texel[1] / count;
            }
        }
    }
    let expected = cover.at_rest;
    for (index, sum) in sums.iter().enumerate() {
        println!("level {index}: {sum:.4?} of {expected:.4?}");
    }
    // The finest windows hold a few waves only; the coarsest, hundreds.
    for (index, sum) in sums.iter().enumerate().skip(2) {
        for (state, (sum, expected)) in sum.iter().zip(expected).enumerate() {
            near(sum / expected, 1.0, 0.35, format_args!("level {index}, state {state}"));
        }
    }
}
