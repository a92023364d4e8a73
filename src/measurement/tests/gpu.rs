use std::time::{Duration, Instant};

use super::*;
use crate::gpu::Context;
use crate::measurement::points::Points;
use crate::ocean::{Ocean, OceanOptions};
use crate::profile::Recorder;
use crate::settings::SeaState;
use seaway_core::testing::context;

fn ocean(context: &Context, sea: &SeaState, size: u32, map_format: MapFormat) -> Ocean {
    let options = OceanOptions { size, cascades: 2, map_format, ..Default::default() };
    Ocean::new(&context.device, &context.queue, sea, options).unwrap()
}

fn frame(context: &Context, ocean: &Ocean, live: &mut Live, time_s: f64) {
    context.submit(|encoder| {
        let mut recorder = Recorder::new(encoder);
        ocean.record(&mut recorder, time_s);
        live.record(&mut recorder, None, time_s);
    });
    live.submitted();
    context.device.poll(wgpu::PollType::Poll).unwrap();
    // On a single core the other thread needs a turn.
    std::thread::sleep(Duration::from_millis(1));
}

/// Runs frames at the times of `clock` until `done` accepts the measurement.
fn until(
    context: &Context,
    ocean: &Ocean,
    live: &mut Live,
    mut clock: impl FnMut() -> f64,
    done: impl Fn(&Measured) -> bool,
) -> Arc<Measured> {
    let begun = Instant::now();
    loop {
        frame(context, ocean, live, clock());
        if let Some(measured) = live.measured().filter(|measured| done(measured)) {
            return measured;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "nothing is measured");
    }
}

#[test]
fn measurements_match_the_surface_and_restart_for_another_sea() {
    let context = context();
    let sea = SeaState::default();
    // 32 texels of 16-bit floats are 256 bytes a row, 16 are padded; at 1024 each layer is read alone.
    for (size, format, tolerance) in
        [(16, MapFormat::F16, 2e-3), (64, MapFormat::F32, 1e-4), (64, MapFormat::F16, 2e-3)]
    {
        let mut ocean = ocean(&context, &sea, size, format);
        let mut live = Live::new(&context.device, &ocean, None).unwrap();
        let paused_at = 86_400.3;
        let has_surface = |measured: &Measured| measured.surface.is_some();
        let seen = until(&context, &ocean, &mut live, || paused_at, has_surface);
        let check = |seen: &Measured, initial: &InitialSpectrum| {
            let surface = seen.surface.as_ref().unwrap();
            let exact = surface_of(initial, &seen.theory, paused_at);
            let near = |got: f64, expected: f64, of: f64, what: &str| {
                let off = (got - expected).abs();
                assert!(off < tolerance * of, "{what} at {size} {format}: {got}, not {expected}");
            };
            near(surface.variance_m2, exact.variance_m2, exact.variance_m2, "height");
            let slope = exact.slope_covariance[0] + exact.slope_covariance[1];
            for (got, expected) in surface.slope_covariance.iter().zip(exact.slope_covariance) {
                near(*got, expected, slope, "slope");
            }
            for (got, expected) in surface.bins_m2.iter().zip(&exact.bins_m2) {
                near(*got, *expected, exact.variance_m2, "bin");
            }
            assert_eq!(surface.time_s, paused_at);
        };
        check(&seen, ocean.spectrum());
        assert_eq!(seen.period, None, "time stands still");

        let other = SeaState { wind_speed_mps: 6.0, ..sea.clone() };
        let initial = Ocean::prepare(&other, ocean.options()).unwrap();
        ocean.set_spectrum(&context.queue, &initial).unwrap();
        live.set_sea(&initial);
        let is_other = |measured: &Measured| {
            // The sea before is shown with its theory until the new one is ready.
            measured.theory.subject.sea == other && measured.surface.is_some()
        };
        let seen = until(&context, &ocean, &mut live, || paused_at, is_other);
        check(&seen, &initial);
    }
}

#[test]
fn measured_points_have_the_surface_s_heights() {
    let context = context();
    for size in [16, 128] {
        let ocean = ocean(&context, &SeaState::default(), size, MapFormat::F32);
        let mut points = Points::new(ocean.pipelines(), ocean.maps()).unwrap();
        // A slow frame may return a single sample at first.
        let times_s = [3.0, 3.5, 3.5, 4.25];
        let mut seen = Vec::new();
        let mut frames = 0;
        while seen.len() < 3 {
            let time_s = times_s.get(frames).copied().unwrap_or(5.0 + frames as f64);
            context.submit(|encoder| {
                let mut recorder = Recorder::new(encoder);
                ocean.record(&mut recorder, time_s);
                points.record(&mut recorder, 1, time_s);
            });
            points.submitted();
            context.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
            if let Some(samples) = points.ready() {
                seen.extend(samples.read());
            }
            frames += 1;
        }
        let times: Vec<f64> = seen.iter().take(3).map(|(time_s, _)| *time_s).collect();
        assert_eq!(times, [3.0, 3.5, 4.25], "one sample at each time");
        for (time_s, at_points) in &seen[..3] {
            let cascades = [0, 1].map(|cascade| heights(ocean.spectrum(), cascade, *time_s));
            let largest = cascades.iter().flatten().fold(0.0_f64, |most, h| most.max(h.abs()));
            for (point, height) in at_points.iter().enumerate() {
                let texel = |index: usize| index * size as usize / POINTS_A_SIDE;
                let [x, z] = [point % POINTS_A_SIDE, point / POINTS_A_SIDE].map(texel);
                let expected: f64 =
                    cascades.iter().map(|heights| heights[z * size as usize + x]).sum();
                let off = (f64::from(*height) - expected).abs();
                assert!(off < 1e-4 * largest, "point {point} at {size}: {height}, not {expected}");
            }
        }
    }
}

#[test]
fn measured_waves_are_counted_while_the_sea_moves() {
    let context = context();
    let sea = SeaState::default();
    let ocean = ocean(&context, &sea, 32, MapFormat::F16);
    let mut live = Live::new(&context.device, &ocean, None).unwrap();
    let mut time_s = 50.0;
    let clock = || {
        time_s += 0.2;
        time_s
    };
    let seen = until(&context, &ocean, &mut live, clock, |measured| {
        measured.period.is_some_and(|period| period.waves > 300)
    });
    let tz = seen.mean_zero_crossing_period_s();
    // Six standard errors occur once in a thousand million seas.
    assert!(tz.deviations().unwrap().abs() < 6.0, "{tz:?}");
    assert!(seen.surface.is_some() || live.measured().is_some());
}
