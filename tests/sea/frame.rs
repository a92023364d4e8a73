//! The whole frame on a GPU: any resolution, any view, the same picture every time, and changes
//! of the sea and of the quality while it runs.

use seaway::fft::lab::{Algorithm, Configuration, Value};
use seaway::foam::FoamSea;
use seaway::frame::{Frame, FrameDesc};
use seaway::gpu::{Context, TextureSpec};
use seaway::profile::Recorder;
use seaway::settings::{CameraPose, Clouds, Light, Quality, QualityTier, Scenery, SeaState};
use seaway::{Ocean, OceanOptions};

use seaway_core::testing::context;
use seaway_core::testing::tolerance::{at_least, near};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

fn quality() -> Quality {
    Quality { size: 64, cascades: 3, foam_texels: 0, ..Quality::of(QualityTier::Low) }
}

fn frame(context: &Context) -> Frame {
    let (device, queue) = (&context.device, &context.queue);
    let sea = SeaState::default();
    Frame::new(device, queue, &sea, &quality(), FORMAT).unwrap()
}

fn desc(resolution: [u32; 2]) -> FrameDesc {
    FrameDesc {
        time_s: 3.0,
        resolution,
        scenery: Scenery { buoys: 0, ..Default::default() },
        ..Default::default()
    }
}

/// Draws a frame, and returns its pixels as RGBA, row by row.
fn draw(context: &Context, frame: &mut Frame, desc: &FrameDesc) -> Vec<[u8; 4]> {
    let texture = TextureSpec::target("target", desc.resolution, FORMAT)
        .with_usage(wgpu::TextureUsages::COPY_SRC)
        .create(&context.device);
    let view = texture.create_view(&Default::default());
    context.submit(|encoder| frame.record(&mut Recorder::new(encoder), desc, &view));
    context.read_texels(&texture, 0, 0)
}

fn mean(pixels: &[[u8; 4]]) -> [f64; 3] {
    std::array::from_fn(|channel| {
        pixels.iter().map(|pixel| f64::from(pixel[channel])).sum::<f64>() / pixels.len() as f64
    })
}

#[test]
fn any_resolution_gives_a_picture() {
    let context = context();
    let mut frame = frame(&context);
    for resolution in [[96, 54], [1, 1], [200, 3], [3, 200], [96, 54]] {
        let picture = draw(&context, &mut frame, &desc(resolution));
        let [red, green, blue] = mean(&picture);
        at_least(red + green + blue, 60.0, format_args!("light at {resolution:?}"));
        assert!(picture.iter().all(|pixel| pixel[3] == 255));
    }
}

#[test]
fn the_same_description_gives_the_same_picture() {
    let context = context();
    let mut first = frame(&context);
    let before = draw(&context, &mut first, &desc([96, 54]));
    // Other frames in between leave nothing behind.
    let elsewhere = FrameDesc {
        time_s: 77.0,
        camera: CameraPose { x_m: -4000.0, y_m: 300.0, pitch_deg: -50.0, ..Default::default() },
        light: Light { sun_elevation_deg: 3.0, turbidity: 0.9, ..Default::default() },
        ..desc([50, 40])
    };
    draw(&context, &mut first, &elsewhere);
    assert!(before == draw(&context, &mut first, &desc([96, 54])));
    assert!(before == draw(&context, &mut frame(&context), &desc([96, 54])));
}

/// Returns a quality with clouds at little cost.
fn clouded() -> Quality {
    Quality { cloud_steps: 12, cloud_texels: 32, ..quality() }
}

fn clouded_frame(context: &Context) -> Frame {
    let (device, queue) = (&context.device, &context.queue);
    Frame::new(device, queue, &SeaState::default(), &clouded(), FORMAT).unwrap()
}

#[test]
fn no_clouds_give_the_picture_without_them() {
    let context = context();
    let up = CameraPose { pitch_deg: 5.0, ..CameraPose::default() };
    let desc = FrameDesc { camera: up, ..desc([96, 54]) };
    let none = FrameDesc { clouds: Clouds::none(), ..desc.clone() };
    let plain = draw(&context, &mut frame(&context), &desc);
    let mut clouded = clouded_frame(&context);
    let differs = |picture: &[[u8; 4]]| {
        let differences = picture.iter().zip(&plain);
        differences.map(|(a, b)| (0..4).map(|i| a[i].abs_diff(b[i])).max().unwrap()).max().unwrap()
    };
    let cloudless = differs(&draw(&context, &mut clouded, &none));
    // Another pipeline may round in another place.
    assert!(cloudless <= 1, "{cloudless} steps");
    assert!(differs(&draw(&context, &mut clouded, &desc)) > 20, "clouds are to be seen");
    // They leave nothing behind, here either.
    assert!(differs(&draw(&context, &mut clouded, &none)) <= 1);
}

#[test]
fn clouds_are_the_same_alone_and_in_a_sequence() {
    let context = context();
    let at = |time_s: f64| FrameDesc {
        time_s,
        camera: CameraPose { pitch_deg: 12.0, ..CameraPose::default() },
        ..desc([96, 54])
    };
    let mut sequence = clouded_frame(&context);
    // Across the moments that shapes are computed for, then far away, then back into one of them.
    for time_s in [0.0, 7.0, 14.0, 29.0, 31.0, 44.0, 59.0, 4e5, 61.0, 80.0] {
        draw(&context, &mut sequence, &at(time_s));
    }
    let after = draw(&context, &mut sequence, &at(91.5));
    assert!(after == draw(&context, &mut clouded_frame(&context), &at(91.5)));
}

/// Looks at the sea from near and far, into the sun and away from it: no pixel is black or has
/// lost its way, which is what becomes of numbers that are not.
#[test]
fn every_view_has_light_in_every_pixel() {
    let context = context();
    let mut frame = frame(&context);
    for y_m in [0.2, 2.0, 30.0, 2000.0, 20_000.0] {
        for pitch_deg in [-89.0, -30.0, -2.0, 20.0] {
            for sun_elevation_deg in [0.5, 30.0, 90.0] {
                let desc = FrameDesc {
                    camera: CameraPose { y_m, pitch_deg, ..Default::default() },
                    light: Light { sun_elevation_deg, ..Default::default() },
                    ..desc([64, 36])
                };
                let picture = draw(&context, &mut frame, &desc);
                let darkest = picture
                    .iter()
                    .map(|p| u32::from(p[0]) + u32::from(p[1]) + u32::from(p[2]))
                    .min();
                // Dither makes a 3 of black at most.
                at_least(
                    darkest.expect("a picture has pixels"),
                    4,
                    format_args!("darkest from {y_m} m, {pitch_deg} deg, sun {sun_elevation_deg}"),
                );
            }
        }
    }
}

#[test]
fn far_from_the_origin_the_sea_looks_the_same() {
    let context = context();
    let mut frame = frame(&context);
    let here = mean(&draw(&context, &mut frame, &desc([96, 54])));
    let far = FrameDesc {
        camera: CameraPose { x_m: 9.0e6, z_m: -7.0e6, ..Default::default() },
        ..desc([96, 54])
    };
    let there = mean(&draw(&context, &mut frame, &far));
    for channel in 0..3 {
        near(there[channel], here[channel], 12.0, format_args!("{here:?} {there:?}"));
    }
}

#[test]
fn the_sea_changes_while_it_runs() {
    let context = context();
    let mut frame = frame(&context);
    let desc = desc([96, 54]);
    let breeze = draw(&context, &mut frame, &desc);

    let storm = SeaState { wind_speed_mps: 25.0, fetch_m: 500_000.0, ..SeaState::default() };
    let options = *frame.ocean().options();
    let foam = FoamSea::new(&storm, options.cascades, frame.foam().options()).unwrap();
    frame.set_spectrum(&Ocean::prepare(&storm, &options).unwrap(), foam.clone()).unwrap();
    let stormy = draw(&context, &mut frame, &desc);
    assert!(breeze != stormy);
    let of_another_size = OceanOptions { size: 32, ..options };
    let refused = frame.set_spectrum(&Ocean::prepare(&storm, &of_another_size).unwrap(), foam);
    assert!(refused.is_err());
    assert!(stormy == draw(&context, &mut frame, &desc), "a refused sea must change nothing");

    // More butterflies than a line of a smaller size has.
    let mut algorithm = Configuration::from(Algorithm::CooleyTukey);
    algorithm.set("row-butterflies", Some(Value::Integer(32))).unwrap();
    let options = OceanOptions { algorithm: Some(algorithm), ..options };
    let ocean = Ocean::new(&context.device, &context.queue, &SeaState::default(), options).unwrap();
    let (device, queue) = (&context.device, &context.queue);
    let mut frame = Frame::with_ocean(device, queue, ocean, &quality(), FORMAT).unwrap();
    let same = draw(&context, &mut frame, &desc);
    near(mean(&same)[2], mean(&breeze)[2], 0.5, "blue of the same sea by another algorithm");

    let other = Quality { size: 48, ..quality() };
    assert!(Frame::new(device, queue, &SeaState::default(), &other, FORMAT).is_err());
}
