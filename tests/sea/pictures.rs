//! Compares the program's pictures with ones that a person has looked at. The measure is FLIP
//! (Andersson et al. 2020): the difference that a viewer sees when flipping between the two, 0 to
//! 1 per pixel. Drivers round differently, so that pictures are alike and never equal. The mean
//! over the picture sees what changes everywhere a little; the largest mean over a block sees what is
//! wrong in one place, which the rest of the picture would hide.
//!
//! After a change that is meant to be seen, look at the new pictures and accept them with
//!
//! ```text
//! UPDATE_REFERENCES=1 cargo test --test sea pictures
//! ```
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{RgbImage, RgbaImage};
use nv_flip::{DEFAULT_PIXELS_PER_DEGREE, FlipImageRgb8, FlipPool};
use seaway::settings::{Preset, Quality, QualityTier};

use crate::studio::Studio;
use seaway_core::testing::tolerance;

/// The most that the mean over a picture may be. Lavapipe on another processor differs by 0.0034,
/// another seed of the breeze by 0.19.
const TOLERANCE: f32 = 0.01;
/// Side of a block in pixels.
const BLOCK: u32 = 16;
/// The most that the mean over a block may be. Lavapipe on another processor differs by 0.0071,
/// the dither of a smooth sky.
const BLOCK_TOLERANCE: f32 = 0.02;

const RESOLUTION: [u32; 2] = [256, 144];
const TIME_S: f64 = 20.0;

/// Returns the quality of `seaway render` without its parts that take a software adapter long: twelve
/// seconds of foam before a picture, a fine mesh, long footprints and clouds. Glitter is even, because
/// which single facet shines depends on the last bits of a position.
fn quality() -> Quality {
    Quality {
        tile_cells: 8,
        finest_spacing_m: 0.1,
        cell_pixels: 24.0,
        anisotropy: 4,
        foam_texels: 32,
        foam_steps_per_s: 10,
        spray_cells: 16,
        cloud_texels: 64,
        cloud_steps: 32,
        glints: false,
        ..Quality::of(QualityTier::High)
    }
}

fn reference_path(preset: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("assets/images/reference")
        .join(preset)
        .with_extension("png")
}

fn studio() -> Studio {
    Studio::new(&quality(), RESOLUTION, wgpu::TextureFormat::Rgba8UnormSrgb)
}

fn draw(studio: &mut Studio, preset: &Preset) -> RgbImage {
    let desc = studio.stage(preset, TIME_S);
    let [width, height] = RESOLUTION;
    let rgba =
        RgbaImage::from_raw(width, height, studio.draw(&desc, 1)).expect("four bytes a pixel");
    image::DynamicImage::from(rgba).into_rgb8()
}

/// A small file, for it is kept.
fn save(picture: &RgbImage, path: &Path) {
    fs::create_dir_all(path.parent().expect("a file in a folder")).unwrap();
    let file = BufWriter::new(fs::File::create(path).unwrap());
    let (smallest, filter) = (CompressionType::Best, FilterType::Adaptive);
    picture.write_with_encoder(PngEncoder::new_with_quality(file, smallest, filter)).unwrap();
}

fn load(path: &Path) -> RgbImage {
    let picture = image::open(path).unwrap_or_else(|error| {
        panic!("{}: {error}. UPDATE_REFERENCES=1 makes the references", path.display())
    });
    picture.to_rgb8()
}

/// The differences that a viewer sees.
struct Difference {
    /// The mean over the picture.
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

/// Returns a message where a preset does not look as its reference does.
fn compare(name: &str, drawn: &RgbImage) -> Option<String> {
    let reference = reference_path(name);
    let Difference { mean, block, block_at, map } = difference(&load(&reference), drawn);
    println!("{name:20} {mean:.4}, {block:.4} in the block at {block_at:?}");
    if mean <= TOLERANCE && block <= BLOCK_TOLERANCE {
        tolerance::at_most(mean, TOLERANCE, name);
        tolerance::at_most(block, BLOCK_TOLERANCE, format_args!("{name}, in a block"));
        return None;
    }
    let [drawn_path, map_path] = ["drawn", "difference"].map(|what| {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pictures/{name}/{what}.png"))
    });
    save(drawn, &drawn_path);
    save(&map, &map_path);
    Some(format!(
        "{name} looks different: {mean:.4} where {TOLERANCE} is allowed, {block:.4} in the block \
         at {block_at:?} where {BLOCK_TOLERANCE} is.\n  reference  {}\n  drawn      {}\n  difference {}",
        reference.display(),
        drawn_path.display(),
        map_path.display()
    ))
}

/// The names of all presets, calmest first.
fn names() -> [&'static str; Preset::SHIPPED.len()] {
    Preset::SHIPPED.map(|(name, _)| name)
}

/// Draws each of `presets` as it ships, but for its quality.
fn match_their_references(presets: &[&str]) {
    let mut studio = studio();
    let mut faults = Vec::new();
    for name in presets {
        let drawn = draw(&mut studio, &Preset::load(name).unwrap());
        if std::env::var_os("UPDATE_REFERENCES").is_some() {
            save(&drawn, &reference_path(name));
        } else {
            faults.extend(compare(name, &drawn));
        }
    }
    assert!(
        faults.is_empty(),
        "{}\nIf that is meant, look at it and run UPDATE_REFERENCES=1 cargo test --test sea pictures",
        faults.join("\n")
    );
}

#[test]
fn rough_seas_match_their_references() {
    match_their_references(&names()[Preset::SHIPPED.len() / 2..]);
}

/// Tests whose results are the same on any adapter. The checks on a second one leave them out
/// (.config/nextest.toml).
mod once {
    use super::*;

    /// One picture by itself, to try alone.
    const QUICK: &str = "breeze";

    #[test]
    fn a_breeze_matches_its_reference() {
        match_their_references(&[QUICK]);
    }

    /// Calm seas and rough ones are two tests, for two cores.
    #[test]
    fn calm_seas_match_their_references() {
        let presets = &names()[..Preset::SHIPPED.len() / 2];
        let others: Vec<_> = presets.iter().copied().filter(|name| *name != QUICK).collect();
        assert_eq!(others.len() + 1, presets.len(), "the other one is a test of its own");
        match_their_references(&others);
    }

    #[test]
    fn the_measure_tells_one_sea_from_another() {
        let sea = load(&reference_path("breeze"));
        let mut preset = Preset::load("breeze").unwrap();
        preset.sea.seed += 1;
        let other = draw(&mut studio(), &preset);
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
}
