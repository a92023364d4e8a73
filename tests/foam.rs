//! Foam on a GPU: as much as there should be, whatever the way to a moment.

mod support;

use seaway::OceanOptions;
use seaway::foam::{Foam, FoamOptions, FoamSea, cover};
use seaway::frame::{Frame, FrameDesc};
use seaway::gpu::{Context, read_texture};
use seaway::measurement::{WhitecapSquare, Whitecaps};
use seaway::profile::Recorder;
use seaway::settings::{CameraPose, Preset, Quality, QualityTier, SeaState};
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
    let sea = FoamSea::new(sea, ocean.cascades, &options).unwrap();
    Foam::new(&context.device, &context.queue, sea).unwrap()
}

/// Whatever is asked for, there is foam, and it says what it was made with.
#[test]
fn options_out_of_range_become_the_nearest_in_it() {
    let context = context();
    let most = FoamOptions {
        texels: u32::MAX,
        levels: 9,
        steps_per_s: 1000,
        cubic_cascades: 99,
        blended_cascades: 99,
    };
    let least = FoamOptions {
        texels: 1,
        levels: 0,
        steps_per_s: 0,
        cubic_cascades: 0,
        blended_cascades: 0,
    };
    assert_eq!(most.within_range().texels, 1024);
    for options in [FoamOptions { texels: 100, ..most }, least] {
        let sea = FoamSea::new(&sea(8.0), 1, &options).unwrap();
        let foam = Foam::new(&context.device, &context.queue, sea).unwrap();
        assert_eq!(*foam.options(), options.within_range());
        assert!([16, 128].contains(&foam.options().texels));
    }
}

/// Takes all steps to `time_s`.
fn settle(context: &Context, foam: &mut Foam, time_s: f64, eye_m: [f64; 2]) {
    loop {
        let mut encoder = context.device.create_command_encoder(&Default::default());
        let recorder = &mut Recorder::new(&mut encoder);
        let more = foam.record(
            recorder,
            &context.queue,
            time_s,
            eye_m,
            [0.0; 2],
            Foam::MOST_STEPS,
            &mut |_, _| (),
        );
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
    let halves: &[[half::f16; 4]] = bytemuck::cast_slice(&bytes);
    halves.iter().map(|texel| [texel[0], texel[1]].map(f64::from)).collect()
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
        at_most(worst, 1.0 / 255.0, format_args!("{fps} frames a second"));
    }
}

/// Whitecap cover of a sea as it is drawn, near and far: the mean over some looks at different times and
/// places, and its standard error, at a tenth of each level's reach and within it.
fn drawn_cover(
    context: &Context,
    sea: &SeaState,
    quality: &Quality,
    looks: u32,
) -> [(f64, f64); LEVELS as usize] {
    let Context { device, queue, .. } = context;
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let mut frame = Frame::new(device, queue, sea, quality, format).unwrap();
    let mut meter = Whitecaps::new(device, frame.ocean().maps(), frame.foam()).unwrap();
    let target = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 16, height: 16, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let view = target.create_view(&Default::default());
    let mut found = vec![[0.0; LEVELS as usize]; looks as usize];
    for (look, found) in (0..looks).zip(&mut found) {
        let desc = FrameDesc {
            time_s: 100.0 + 37.3 * f64::from(look),
            resolution: [16, 16],
            // Kilometres apart, and upwards, where there is no sea to be drawn.
            camera: CameraPose {
                x_m: 7_000.0 * f64::from(look),
                y_m: 100.0,
                pitch_deg: 60.0,
                ..Default::default()
            },
            light: Default::default(),
            clouds: Default::default(),
            debug: Default::default(),
            buoys: 0,
        };
        frame.settle(&desc);
        for (level, found) in found.iter_mut().enumerate() {
            let texel_m = 77.0 / f64::from(quality.foam_texels) * 4_f64.powi(level as i32);
            let half_m = 0.4 * texel_m * f64::from(quality.foam_texels);
            meter.look_at(
                queue,
                &WhitecapSquare {
                    middle_m: [0.0; 2],
                    half_m: half_m as f32,
                    footprint_m: texel_m as f32,
                },
            );
            let mut encoder = device.create_command_encoder(&Default::default());
            let recorder = &mut Recorder::new(&mut encoder);
            frame.record(recorder, &desc, &view);
            assert!(meter.record(recorder, frame.foam(), desc.time_s));
            queue.submit([encoder.finish()]);
            device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
            *found = meter.arrived().unwrap().share;
        }
    }
    std::array::from_fn(|level| {
        let count = f64::from(looks);
        let mean = found.iter().map(|found| found[level]).sum::<f64>() / count;
        let squares: f64 = found.iter().map(|found| (found[level] - mean).powi(2)).sum();
        (mean, (squares / (count * (count - 1.0).max(1.0))).sqrt())
    })
}

/// As much of the sea is white as is observed at its wind, as the shading draws it, near and far.
///
/// `SEAWAY_FOAM_LOOKS=60` takes every preset at four winds, at full quality, in so many places: a
/// minute or two of a GPU, and hours of a processor that plays one.
#[test]
fn there_is_as_much_foam_as_is_observed() {
    let context = context();
    let looks = std::env::var("SEAWAY_FOAM_LOOKS").ok().and_then(|looks| looks.parse().ok());
    let Some(looks) = looks else {
        let quality = Quality { foam_texels: TEXELS, ..Quality::of(QualityTier::Low) };
        let sea = sea(18.0);
        let drawn = drawn_cover(&context, &sea, &quality, 3);
        let wanted = cover::wanted(&sea);
        println!("{drawn:.4?} of {wanted:.4}");
        // The finest windows hold a few waves only; the coarsest, hundreds.
        for (level, (drawn, _)) in drawn.iter().enumerate().skip(2) {
            near(drawn / wanted, 1.0, 0.35, format_args!("level {level}"));
        }
        return;
    };
    let mut misses = Vec::new();
    println!("preset, wind [m/s], wanted [%], drawn over wanted within 31 m, 123 m, 490 m, 2 km");
    for (name, _) in Preset::SHIPPED {
        let preset = Preset::load(name).unwrap();
        for wind_speed_mps in [6.0, 12.0, 18.0, 24.0] {
            let sea = SeaState { wind_speed_mps, ..preset.sea.clone() };
            let drawn = drawn_cover(&context, &sea, &Quality::default(), looks);
            let wanted = cover::wanted(&sea);
            let ratios = drawn.map(|(mean, error)| (mean / wanted, error / wanted));
            let shown = ratios.map(|(ratio, error)| format!("{ratio:.2} +- {error:.2}"));
            println!("{name:16} {wind_speed_mps:4} {:7.3}  {}", 100.0 * wanted, shown.join("  "));
            // Of the whole sea within 2 km.
            let areas = [0, 1, 2, 3].map(|level| 16_f64.powi(level));
            let whole =
                areas.iter().zip(ratios).map(|(area, (ratio, _))| area * ratio).sum::<f64>()
                    / areas.iter().sum::<f64>();
            let mut check = |what: &str, ratio: f64, error: f64, allowed: f64| {
                if (ratio - 1.0).abs() > allowed + 2.0 * error {
                    misses.push(format!("{name} at {wind_speed_mps} m/s, {what}: {ratio:.2}"));
                }
            };
            check("within 2 km", whole, 0.0, 0.15);
            for (level, (ratio, error)) in ratios.into_iter().enumerate() {
                // In a light wind waves break where they are 3.5 deviations high: 2% of their slope
                // is a quarter of the foam.
                let allowed = if wanted < 0.006 { 0.25 } else { 0.15 };
                check(&format!("level {level}"), ratio, error, allowed);
            }
        }
    }
    assert!(misses.is_empty(), "{misses:#?}");
}
