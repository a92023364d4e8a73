//! What the program draws, against pictures that a person has looked at. The measure is FLIP
//! (Andersson et al. 2020): the difference that a viewer sees when flipping between the two, 0 to
//! 1 per pixel. Drivers round differently, so that pictures are alike and never equal.
//!
//! After a change that is meant to be seen, look at the new pictures and accept them with
//!
//! ```text
//! UPDATE_REFERENCES=1 cargo test --test pictures
//! ```
#![cfg(feature = "cli")]

#[path = "support/tolerance.rs"]
mod tolerance;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use image::RgbImage;
use nv_flip::{DEFAULT_PIXELS_PER_DEGREE, FlipImageRgb8, FlipPool};

/// The most that the mean over a picture may be; another seed of the breeze differs by 0.19.
const TOLERANCE: f32 = 0.02;

const OPTIONS: [&str; 4] = ["--resolution", "256x144", "--time", "20"];

fn reference_path(preset: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("assets/images/reference")
        .join(preset)
        .with_extension("png")
}

/// Draws a preset as `seaway render` does, with its own settings but for `options`.
fn draw(preset: &str, options: &[&str]) -> PathBuf {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("pictures")
        .join(format!("{preset}{}", options.concat()));
    let output = Command::new(env!("CARGO_BIN_EXE_seaway"))
        .args(["render", "--preset", preset, "--out"])
        .arg(&out)
        .args(OPTIONS)
        .args(options)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    out.join("frame_0000.png")
}

fn load(path: &Path) -> RgbImage {
    let picture = image::open(path).unwrap_or_else(|error| {
        panic!("{}: {error}. UPDATE_REFERENCES=1 makes the references", path.display())
    });
    picture.to_rgb8()
}

/// The mean difference that a viewer sees, and a map of it.
fn difference(reference: &RgbImage, picture: &RgbImage) -> (f32, RgbImage) {
    assert_eq!(reference.dimensions(), picture.dimensions());
    let (width, height) = reference.dimensions();
    let image = |pixels: &RgbImage| FlipImageRgb8::with_data(width, height, pixels.as_raw());
    let error = nv_flip::flip(image(reference), image(picture), DEFAULT_PIXELS_PER_DEGREE);
    let map = error.apply_color_lut(&nv_flip::magma_lut()).to_vec();
    let map = RgbImage::from_raw(width, height, map).expect("three bytes a pixel");
    (FlipPool::from_image(&error).mean(), map)
}

fn matches_its_reference(preset: &str) {
    let drawn = draw(preset, &[]);
    let reference = reference_path(preset);
    if std::env::var_os("UPDATE_REFERENCES").is_some() {
        fs::create_dir_all(reference.parent().expect("a file in a folder")).unwrap();
        fs::copy(&drawn, &reference).unwrap();
        return;
    }
    let (mean, map) = difference(&load(&reference), &load(&drawn));
    if mean > TOLERANCE {
        let map_path = drawn.with_file_name("difference.png");
        map.save(&map_path).unwrap();
        panic!(
            "{preset} looks different: {mean:.4} where {TOLERANCE} is allowed.\n  reference  {}\n  \
             drawn      {}\n  difference {}\nIf it is meant to, look at it and run \
             UPDATE_REFERENCES=1 cargo test --test pictures",
            reference.display(),
            drawn.display(),
            map_path.display()
        );
    }
    tolerance::at_most(mean, TOLERANCE, preset);
}

#[test]
fn breeze() {
    matches_its_reference("breeze");
}

#[test]
fn storm() {
    matches_its_reference("storm");
}

#[test]
fn swell_at_sunset() {
    matches_its_reference("swell-at-sunset");
}

#[test]
fn the_measure_tells_one_sea_from_another() {
    let [sea, other] = [&["--seed", "1"], &["--seed", "2"]].map(|seed| load(&draw("breeze", seed)));
    assert_eq!(difference(&sea, &sea).0, 0.0);
    let (mean, _) = difference(&sea, &other);
    println!("another seed: {mean:.4}");
    assert!(mean > 2.0 * TOLERANCE, "another sea differs by {mean} only");
}
