//! Tests of the window of `seaway filter IMAGE`.

use std::f64::consts::TAU;
use std::path::Path;

use seaway::fft::lab::cpu;
use seaway::fft::{Axes, Direction};
use seaway::filter::picture::{Depth, Picture};
use seaway::filter::{Band, Channels};

use crate::window::support::{Display, Folder, Program, S, TAB, assert_clean};

const SIZE: [u32; 2] = [120, 75];

/// Waves of many lengths in three colours.
fn picture() -> Picture {
    let [width, height] = SIZE;
    let wave = |x: u32, y: u32, channel: u32| {
        let waves = [[2, 1], [7, 3], [11, 20], [40, 5]].into_iter().enumerate();
        let sum: f64 = waves
            .map(|(n, [kx, ky])| {
                let angle =
                    f64::from(kx * x) / f64::from(width) + f64::from(ky * y) / f64::from(height);
                (TAU * angle + f64::from(channel) * (n + 1) as f64).cos()
            })
            .sum();
        (0.5 + 0.12 * sum) as f32
    };
    let pixels = (0..height)
        .flat_map(|y| {
            (0..width).flat_map(move |x| [wave(x, y, 0), wave(x, y, 1), wave(x, y, 2), 1.0])
        })
        .collect();
    Picture {
        size: SIZE,
        channels: Channels::Colour,
        pixels,
        depth: Depth::Float,
        has_opacity: false,
    }
}

/// The same by 64-bit floats on the processor.
fn filtered(picture: &Picture, band: &Band) -> Vec<f64> {
    let [width, height] = picture.size;
    let mut pixels: Vec<f64> = picture.pixels.iter().map(|value| f64::from(*value)).collect();
    for channel in 0..3 {
        let mut image: Vec<[f64; 2]> =
            pixels.iter().skip(channel).step_by(4).map(|value| [*value, 0.0]).collect();
        cpu::transform(&mut image, picture.size, Axes::Both, Direction::Forward).unwrap();
        for (place, value) in (0..).zip(&mut image) {
            let cycles = |at: u32, side: u32| {
                if 2 * at > side { at as i32 - side as i32 } else { at as i32 }
            };
            let gain = band.gain([cycles(place % width, width), cycles(place / width, height)]);
            *value = value.map(|part| part * gain / f64::from(width * height));
        }
        cpu::transform(&mut image, picture.size, Axes::Both, Direction::Inverse).unwrap();
        for (pixel, [value, _]) in pixels.chunks_exact_mut(4).zip(image) {
            pixel[channel] = value;
        }
    }
    pixels
}

fn largest_difference(path: &Path, expected: &[f64]) -> f64 {
    let found = Picture::read(path).unwrap();
    assert_eq!(found.size, SIZE);
    let pairs = found.pixels.iter().zip(expected);
    pairs.map(|(found, expected)| (f64::from(*found) - expected).abs()).fold(0.0, f64::max)
}

/// The window filters as the definition says, to 1e-5, at its start and after a slider moved.
#[test]
fn the_filter_window_filters_saves_and_quits() {
    let display = Display::start();
    let folder = Folder::new("filter");
    let picture = picture();
    picture.write(&folder.0.path().join("waves.exr")).unwrap();
    let arguments = ["filter", "waves.exr", "--low", "3", "--high", "12", "--falloff", "4"];
    let mut program = Program::start_command(&display, folder, &arguments, "Seaway filter");
    let out = program.folder.0.path().join("waves-filtered.exr");

    // Nothing is saved before there is something.
    let saved = |program: &mut Program| {
        program.wait("the filtered picture", |program| {
            program.press(S);
            std::thread::sleep(std::time::Duration::from_millis(300));
            program.folder.files("exr").contains(&out).then_some(())
        });
        Picture::read(&out).unwrap()
    };
    let before = saved(&mut program);
    let band = Band::new(3.0, 12.0, 4.0).unwrap();
    let error = largest_difference(&out, &filtered(&picture, &band));
    assert!(error < 1e-5, "{error:.1e}");
    assert_ne!(before.pixels, picture.pixels);

    // At the slider's end low frequencies pass, too.
    let [x, y] = program.traced("filter: low");
    program.click([x + 1, y]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    std::fs::remove_file(&out).unwrap();
    saved(&mut program);
    let band = Band::new(0.0, 12.0, 4.0).unwrap();
    let error = largest_difference(&out, &filtered(&picture, &band));
    assert!(error < 1e-5, "{error:.1e}");

    program.resize(500, 900);
    program.resize(1000, 600);
    program.press(TAB);
    program.check_alive();
    let (status, stderr, _folder) = program.quit();
    assert_clean(status, &stderr);
}
