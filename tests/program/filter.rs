//! Tests of the command `seaway filter`.

use std::fs;
use std::path::Path;

use seaway::fft::lab::cpu;
use seaway::fft::{Axes, Direction};
use seaway::filter::picture::{Depth, Picture};
use seaway::filter::{Band, Channels};

use crate::support::{NO_ADAPTER, Outcome, folder, seaway, seaway_with};
use seaway_core::testing::tolerance::at_most;

fn filter(input: &Path, output: &Path, options: &str) -> Outcome {
    seaway(&format!("filter {} {} {options}", input.display(), output.display()))
}

/// Returns a picture with the features of a photograph: large shapes, edges, and noise.
fn photograph(size: [u32; 2], channels: Channels, depth: Depth) -> Picture {
    let [width, height] = size;
    let floats = channels.floats();
    let mut noise = 0x2545_f491_u32;
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let (u, v) = (x as f32 / width as f32, y as f32 / height as f32);
            for channel in 0..floats - 1 {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let grain = (noise >> 8) as f32 / (1 << 24) as f32 - 0.5;
                let disc = (u - 0.4).hypot(v - 0.5) < 0.2 + 0.03 * channel as f32;
                let value = 0.2 + 0.5 * v + 0.25 * f32::from(u8::from(disc)) + 0.1 * grain;
                let steps = if depth == Depth::Bits8 { 255.0 } else { 65_535.0 };
                let whole = (value.clamp(0.0, 1.0) * steps).round();
                pixels.push((f64::from(whole) / f64::from(steps)) as f32);
            }
            pixels.push(1.0);
        }
    }
    Picture { size, channels, pixels, depth, has_opacity: false }
}

/// The definition, in 64-bit floats.
fn exact(picture: &Picture, band: &Band) -> Vec<f64> {
    let [width, height] = picture.size;
    let floats = picture.channels.floats();
    let mut pixels: Vec<f64> = picture.pixels.iter().map(|value| f64::from(*value)).collect();
    let cycles = |at: u32, side: u32| {
        let (at, side) = (at as i32, side as i32);
        if 2 * at > side { at - side } else { at }
    };
    for channel in 0..floats - 1 {
        let values = pixels.iter().skip(channel).step_by(floats);
        let mut image: Vec<[f64; 2]> = values.map(|value| [*value, 0.0]).collect();
        cpu::transform(&mut image, picture.size, Axes::Both, Direction::Forward).unwrap();
        for (place, value) in (0..).zip(&mut image) {
            let gain = band.gain([cycles(place % width, width), cycles(place / width, height)]);
            *value = value.map(|part| part * gain / f64::from(width * height));
        }
        cpu::transform(&mut image, picture.size, Axes::Both, Direction::Inverse).unwrap();
        for (pixel, [value, _]) in pixels.chunks_exact_mut(floats).zip(image) {
            pixel[channel] = value;
        }
    }
    pixels
}

#[track_caller]
fn check(name: &str, size: [u32; 2], channels: Channels, options: &str, band: Band, offset: f64) {
    let folder = folder(&format!("filter-{name}"));
    let (input, output) = (folder.join("in.png"), folder.join("out.exr"));
    let picture = photograph(size, channels, Depth::Bits8);
    picture.write(&input).unwrap();
    filter(&input, &output, options).expect(0, &["dispatches"]);
    let found = Picture::read(&output).unwrap();
    assert_eq!((found.size, found.channels), (size, channels));
    let floats = channels.floats();
    let mut worst = 0.0_f64;
    for (place, (found, exact)) in found.pixels.iter().zip(exact(&picture, &band)).enumerate() {
        let is_opacity = place % floats == floats - 1;
        let exact = if is_opacity { 1.0 } else { exact + offset };
        worst = worst.max((f64::from(*found) - exact).abs());
    }
    at_most(worst, 1e-5, format_args!("{size:?} {options}"));
}

#[test]
fn what_passes_is_what_the_definition_says() {
    let band = |low, high, falloff| Band::new(low, high, falloff).unwrap();
    let infinite = f64::INFINITY;
    check("low", [160, 90], Channels::Colour, "--high 20", band(0.0, 20.0, 0.0), 0.0);
    check(
        "band",
        [97, 131],
        Channels::Colour,
        "--low 4.5 --high 17 --falloff 6 --offset 0.5",
        band(4.5, 17.0, 6.0),
        0.5,
    );
    check("high", [64, 64], Channels::Grey, "--low 9 --falloff 3", band(9.0, infinite, 3.0), 0.0);
    check("line", [300, 1], Channels::Grey, "--high 7", band(0.0, 7.0, 0.0), 0.0);
    // An end next to the root of a whole number, which rounds to either side.
    check("root", [40, 30], Channels::Grey, "--low 2.236068", band(2.236068, infinite, 0.0), 0.0);
    let named = "--high 30 --algorithm stockham-r4";
    check("named", [128, 64], Channels::Colour, named, band(0.0, 30.0, 0.0), 0.0);
}

#[test]
fn pictures_keep_their_form() {
    let folder = folder("filter-form");
    for (depth, channels, name) in [
        (Depth::Bits8, Channels::Grey, "grey.png"),
        (Depth::Bits16, Channels::Colour, "wide.png"),
        (Depth::Float, Channels::Colour, "light.exr"),
    ] {
        let input = folder.join(name);
        let mut picture = photograph([40, 30], channels, depth);
        picture.has_opacity = true;
        let floats = channels.floats();
        picture.pixels[5 * floats - 1] = 0.2;
        picture.write(&input).unwrap();
        let picture = Picture::read(&input).unwrap();
        // All frequencies: the picture itself, opacity and all.
        let output = folder.join(format!("out-{name}"));
        filter(&input, &output, "").expect(0, &[]);
        let found = Picture::read(&output).unwrap();
        assert_eq!((found.depth, found.channels, found.has_opacity), (depth, channels, true));
        for (found, value) in found.pixels.iter().zip(&picture.pixels) {
            assert!((found - value).abs() < 2e-5, "{name}: {found} {value}");
        }
    }
    // JPEG is read and written, and has no opacity.
    let (input, output) = (folder.join("grey.png"), folder.join("out.jpg"));
    filter(&input, &output, "--high 5").expect(0, &["the opacity was left out"]);
    assert!(Picture::read(&output).is_ok());
    // Without its mean, a picture is below 0 as often as above.
    let output = folder.join("edges.png");
    filter(&input, &output, "--low 3").expect(0, &["--offset", "below 0 or above 1"]);
    // One value of 4096 is clamped, or none.
    let mut picture = photograph([64, 64], Channels::Grey, Depth::Bits8);
    picture.pixels.chunks_mut(2).for_each(|pixel| pixel[0] = 0.2);
    picture.pixels[0] = 0.9;
    picture.write(&input).unwrap();
    filter(&input, &output, "--offset 0.5").expect(0, &["Less than 0.1% of the values"]);
    let whole = filter(&input, &output, "").expect(0, &[]);
    assert!(!whole.stderr.contains("clamped"), "{}", whole.stderr);
}

#[test]
fn the_power_spectrum_and_time_are_given_on_request() {
    let folder = folder("filter-power");
    let (input, output) = (folder.join("in.png"), folder.join("out.png"));
    let power = folder.join("power.png");
    photograph([64, 48], Channels::Colour, Depth::Bits8).write(&input).unwrap();
    let options = format!("--high 6 --time --spectrum {}", power.display());
    filter(&input, &output, &options).expect(0, &["us for the whole filter"]);
    let found = Picture::read(&power).unwrap();
    assert_eq!(found.size, [64, 48]);
    let at = |x: usize, y: usize| found.pixels[(y * 64 + x) * 4];
    // The mean in the middle, and nothing beyond the band.
    assert!(at(32, 24) > 0.9 && at(32 + 3, 24) > 0.3 && at(32 + 8, 24) == 0.0 && at(0, 0) == 0.0);
}

#[test]
fn what_cannot_be_filtered_says_what_can() {
    let folder = folder("filter-refused");
    let path = |name: &str| folder.join(name);
    let picture = photograph([8, 8], Channels::Grey, Depth::Bits8);
    picture.write(&path("in.png")).unwrap();
    fs::write(path("text.png"), "no picture").unwrap();
    let refused = |input: &str, output: &str, options: &str, code: i32, words: &[&str]| {
        filter(&path(input), &path(output), options).expect_failure(code, words);
        assert!(!path(output).exists(), "{output}");
    };
    refused("text.png", "out.png", "", 1, &["text.png is not a picture", "PNG, JPEG and OpenEXR"]);
    refused("none.png", "out.png", "", 1, &["none.png could not be read"]);
    refused("in.png", "out.bmp", "", 2, &[".png, .jpg or .exr"]);
    refused("in.png", "none/out.png", "", 1, &["there is no folder"]);
    refused("in.png", "out.png", "--low 9 --high 3", 2, &["is reversed"]);
    refused("in.png", "out.png", "--algorithm dft --spectrum x.gif", 2, &["x.gif", ".png"]);
    let same = format!("--spectrum {}", path("out.png").display());
    refused("in.png", "out.png", &same, 2, &["one file"]);
    let outcome = filter(&path("in.png"), &path("out.png"), "--low -3");
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    // An existing file stays as it is.
    fs::write(path("kept.png"), "kept").unwrap();
    filter(&path("text.png"), &path("kept.png"), "").expect_failure(1, &[]);
    assert_eq!(fs::read_to_string(path("kept.png")).unwrap(), "kept");
    let line = format!("filter {} {}", path("in.png").display(), path("out.png").display());
    seaway_with(&line, &NO_ADAPTER).expect_failure(3, &["adapter"]);
    assert!(!path("out.png").exists());
}

/// Tests whose results are the same on any adapter. The checks on a second one leave them out
/// (.config/nextest.toml).
mod once {
    use super::*;

    /// A whole photograph, of the size that people have.
    #[test]
    fn a_picture_of_1920_by_1080() {
        let band = Band::new(10.0, 200.0, 20.0).unwrap();
        let options = "--low 10 --high 200 --falloff 20";
        check("large", [1920, 1080], Channels::Colour, options, band, 0.0);
    }
}
