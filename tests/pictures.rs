//! What the program draws, against pictures that a person has looked at. The measure is FLIP
//! (Andersson et al. 2020): the difference that a viewer sees when flipping between the two, 0 to
//! 1 per pixel. Drivers round differently, so that pictures are alike and never equal. The mean
//! over the picture sees what changes everywhere a little; the largest mean over a block sees what is
//! wrong in one place, which the rest of the picture would hide.
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

/// The most that the mean over a picture may be. Lavapipe on another processor differs by 0.0034,
/// another seed of the breeze by 0.19.
const TOLERANCE: f32 = 0.01;
/// Side of a block in pixels.
const BLOCK: u32 = 16;
/// The most that the mean over a block may be. Lavapipe on another processor differs by 0.0071,
/// the dither of a smooth sky.
const BLOCK_TOLERANCE: f32 = 0.02;

/// Foam as coarse as will do: a processor that plays GPU takes minutes for the twelve seconds of it
/// that come before a picture of high quality. Coarse clouds, for the same reason.
/// And glitter that is even: which single facet shines depends on the last bits of a position.
const OPTIONS: [&str; 14] = [
    "--resolution",
    "256x144",
    "--time",
    "20",
    "--foam-texels",
    "32",
    "--foam-steps-per-s",
    "10",
    "--cloud-texels",
    "64",
    "--cloud-steps",
    "32",
    "--glints",
    "false",
];

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

/// The differences that a viewer sees.
struct Difference {
    /// Mean over the picture.
    mean: f32,
    /// The largest mean over a block of [`BLOCK`] x [`BLOCK`] pixels, and where its corner is.
    block: f32,
    block_at: [u32; 2],
    /// Dark where the pictures are alike.
    map: RgbImage,
}

fn difference(reference: &RgbImage, picture: &RgbImage) -> Difference {
    assert_eq!(reference.dimensions(), picture.dimensions());
    let (width, height) = reference.dimensions();
    let image = |pixels: &RgbImage| FlipImageRgb8::with_data(width, height, pixels.as_raw());
    let error = nv_flip::flip(image(reference), image(picture), DEFAULT_PIXELS_PER_DEGREE);
    let map = error.apply_color_lut(&nv_flip::magma_lut()).to_vec();
    let map = RgbImage::from_raw(width, height, map).expect("three bytes a pixel");
    let pixels = error.to_vec();
    let block_mean = |[x, y]: [u32; 2]| {
        let rows = (y..y + BLOCK).map(|y| &pixels[(y * width + x) as usize..][..BLOCK as usize]);
        rows.flatten().sum::<f32>() / (BLOCK * BLOCK) as f32
    };
    // They overlap by half, so that a fault of a block's size lies to a good part in one of them.
    let every = BLOCK as usize / 2;
    let (block, block_at) = (0..=height - BLOCK)
        .step_by(every)
        .flat_map(|y| (0..=width - BLOCK).step_by(every).map(move |x| [x, y]))
        .map(|at| (block_mean(at), at))
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .expect("a picture holds a block");
    Difference { mean: FlipPool::from_image(&error).mean(), block, block_at, map }
}

fn matches_its_reference(preset: &str) {
    let drawn = draw(preset, &[]);
    let reference = reference_path(preset);
    if std::env::var_os("UPDATE_REFERENCES").is_some() {
        fs::create_dir_all(reference.parent().expect("a file in a folder")).unwrap();
        fs::copy(&drawn, &reference).unwrap();
        return;
    }
    let Difference { mean, block, block_at, map } = difference(&load(&reference), &load(&drawn));
    if mean > TOLERANCE || block > BLOCK_TOLERANCE {
        let map_path = drawn.with_file_name("difference.png");
        map.save(&map_path).unwrap();
        panic!(
            "{preset} looks different: {mean:.4} where {TOLERANCE} is allowed, {block:.4} in the block \
             at {block_at:?} where {BLOCK_TOLERANCE} is.\n  reference  {}\n  drawn      {}\n  difference {}\nIf it is meant to, look at it and run \
             UPDATE_REFERENCES=1 cargo test --test pictures",
            reference.display(),
            drawn.display(),
            map_path.display()
        );
    }
    tolerance::at_most(mean, TOLERANCE, preset);
    tolerance::at_most(block, BLOCK_TOLERANCE, format_args!("{preset}, in a block"));
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
    assert_eq!(difference(&sea, &sea).mean, 0.0);
    let Difference { mean, block, .. } = difference(&sea, &other);
    println!("another seed: {mean:.4}, {block:.4} in a block");
    assert!(mean > 2.0 * TOLERANCE, "another sea differs by {mean} only");
}

/// A place that is wrong, on the water and not on the grid of blocks: the mean over the picture misses
/// it, and a block does not.
#[test]
fn the_measure_finds_a_fault_in_one_place() {
    // Where each pixel of the block at a corner is taken from.
    type Fault = fn([u32; 2], [u32; 2]) -> [u32; 2];
    let faults: [(&str, Fault); 2] = [
        ("shifted by three pixels", |_, [x, y]| [x + 3, y]),
        ("painted in one colour", |corner, _| corner),
    ];
    for preset in ["breeze", "storm", "swell-at-sunset"] {
        let reference = load(&reference_path(preset));
        for (name, fault) in faults {
            for corner in [[125, 101], [44, 116], [203, 97]] {
                let mut faulty = reference.clone();
                for y in corner[1]..corner[1] + BLOCK {
                    for x in corner[0]..corner[0] + BLOCK {
                        let [from_x, from_y] = fault(corner, [x, y]);
                        faulty.put_pixel(x, y, *reference.get_pixel(from_x, from_y));
                    }
                }
                let Difference { mean, block, .. } = difference(&reference, &faulty);
                println!("{preset} {name} at {corner:?}: {mean:.4}, {block:.4} in a block");
                assert!(mean < TOLERANCE, "{preset} {name}: the mean finds it too: {mean}");
                assert!(block > BLOCK_TOLERANCE, "{preset} {name} at {corner:?}: {block}");
            }
        }
    }
}
