//! `seaway field`: the water itself as NumPy files. The files hold the surface, not the maps that pictures
//! are drawn from: 32-bit floats at the points of each cascade's grid.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::Ocean;
use crate::settings::{Preset, Quality, SeaState};
use anyhow::{Context as _, bail, ensure};
use indicatif::ProgressBar;
use serde::Serialize;

use super::Global;
use super::fields::{self, Source};
use super::frames::{Frames, SeaTime};
use super::npy;
use super::output;
use super::render::progress_bar;
use super::scene::{GridArgs, SeaArgs};

/// Describes the other files. Written last: if it exists, they all do.
const INDEX: &str = "field.json";

const DISPLACEMENT: [&str; 3] = ["x_m", "y_m", "z_m"];
const DERIVATIVES: [&str; 5] = ["dh_dx", "dh_dz", "ddx_dx", "ddz_dz", "ddx_dz"];

/// The text after the options in `--help`.
const FILES: &str = "\
Files in DIR, in little-endian float32 and C order, where N is --size:
  cascade0_displacement.npy  [N, N, 3], indexed [z][x]: how far the water that
                             rests at (x, 0, z) has moved along (x, y, z), in
                             metres, with y up; along x and z this includes the
                             choppiness, as in the drawn surface
  cascade0_derivatives.npy   [N, N, 5], indexed [z][x]: dh/dx, dh/dz, dDx/dx,
                             dDz/dz, dDx/dz, without units; h is the height and
                             D the horizontal displacement without the
                             choppiness
  cascade1_..                the cascades of finer waves, up to --cascades
  field.json                 describes the files; it is written last, so that
                             all files are complete where it exists
With --frames, names start with the number of the frame, for example
frame_0007_cascade0_displacement.npy. A frame does not depend on the run that
computes it. Runs that share a sequence need a folder each, because field.json
describes one run. Files of an earlier run are replaced if this run writes all
of them; otherwise the run stops with an error.

A cascade is a square patch that repeats without a seam and is turned by
rotation_deg from x towards z. Entry [z][x] is the point at rest at u = x *
spacing_m along its first axis and v = z * spacing_m along its second, which is
(u cos r - v sin r, u sin r + v cos r) for r = rotation_deg. (The values in the
files are along x and z, whatever the rotation.) The sea at a point is the sum
of all cascades, each read modulo its own patch; the patches differ in length.
Pictures of quality medium and above shift the patches of the longest waves by
random offsets to hide the repetition: an equally likely sea, but another one.

Keys of field.json:
  version, command_line (a list of words), adapter (null with --cpu),
  arithmetic (f32 or f64), preset, sea (every sea-state option), seed,
  choppiness, size
  significant_wave_height_m           Hs of the whole spectrum, by theory
  carried_significant_wave_height_m   Hs of the bands that the cascades carry,
                                      by theory
  measured_significant_wave_height_m  4 sqrt of the variance of the heights,
                                      summed over the cascades and averaged over
                                      the frames
  displacement_components, derivative_components: contents of the last axis
  cascades    for each: patch_size_m, spacing_m, rotation_deg, the band of
              wavenumbers from first_rad_per_m up to (but not including)
              last_rad_per_m, and variance_m2 by theory
  frames      for each: frame, time_s, measured_significant_wave_height_m, and
              files: for each cascade the names of its files (displacement,
              derivatives) and measured_variance_m2

Examples:
  seaway field --preset storm --time 20 --size 512 --out water
  seaway field --wind-speed-mps 12 --fetch-m 80000 --seed 7 --frames 300 --fps 10 --out series
  seaway field --frames 100..200 --cpu --out part";

#[derive(clap::Args)]
#[command(after_help = FILES)]
pub struct Args {
    /// Folder for the files listed below; created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write a sequence: the first N frames, or A..B for frames A to B - 1 [default: a single
    /// surface, at --time]
    #[arg(long, value_name = "N|A..B")]
    frames: Option<Frames>,
    #[command(flatten)]
    sea_time: SeaTime,
    #[command(flatten)]
    grid: GridArgs,
    /// Compute on the processor, in 64-bit floats that are rounded when written. This needs no
    /// adapter, but about 76 bytes of memory for each point of every cascade and 160 more for each
    /// point of one (2 GB at --size 2048, 31 GB at 8192)
    #[arg(long)]
    cpu: bool,
    #[command(flatten)]
    sea: SeaArgs,
}

/// The field names are the keys of `field.json`, which is stable.
#[derive(Serialize)]
struct Index<'a> {
    version: &'static str,
    command_line: Vec<String>,
    adapter: Option<String>,
    arithmetic: &'static str,
    preset: &'a str,
    sea: &'a SeaState,
    seed: u32,
    choppiness: f64,
    size: u32,
    significant_wave_height_m: f64,
    carried_significant_wave_height_m: f64,
    measured_significant_wave_height_m: f64,
    displacement_components: [&'static str; 3],
    derivative_components: [&'static str; 5],
    cascades: Vec<CascadeRow>,
    frames: Vec<FrameRow>,
}

#[derive(Serialize)]
struct CascadeRow {
    patch_size_m: f64,
    spacing_m: f64,
    rotation_deg: f64,
    first_rad_per_m: f64,
    last_rad_per_m: f64,
    variance_m2: f64,
}

#[derive(Serialize)]
struct FrameRow {
    frame: u32,
    time_s: f64,
    measured_significant_wave_height_m: f64,
    files: Vec<FilesRow>,
}

#[derive(Serialize)]
struct FilesRow {
    displacement: String,
    derivatives: String,
    measured_variance_m2: f64,
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let grid = args.grid.resolve()?;
    let Preset { sea, .. } = args.sea.resolve()?;
    if args.cpu {
        fields::check_memory_of_cpu(&grid)?;
    }
    output::make_folder(&args.out)?;
    let older = older_files(args, &grid)?;
    let source = Source::new(&grid, args.cpu, global, |options| Ocean::prepare(&sea, options))?;

    // From here on files are replaced, the index first: it would speak of files that are gone. And all
    // of them at once, as a run that is interrupted must leave no mixture.
    let index_path = args.out.join(INDEX);
    for path in std::iter::once(&index_path).chain(&older) {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error)
                    .with_context(|| format!("{} could not be replaced", path.display()));
            }
            _ => {}
        }
    }
    let numbers = args.numbers();
    let surfaces = u64::from(numbers.end - numbers.start) * u64::from(grid.cascades);
    let progress = progress_bar(surfaces, "cascades");
    progress.tick();
    let mut frames = Vec::with_capacity(numbers.len());
    for frame in numbers {
        frames.push(write_frame(args, &source, frame, &progress)?);
    }
    progress.finish_and_clear();

    let index = index(args, &source, frames);
    let text = serde_json::to_string_pretty(&index)? + "\n";
    output::write(&index_path, &text)?;
    eprintln!(
        "wrote {} frame(s) of {} cascade(s) to {}: measured Hs {:.3} m, expected {:.3} m of these \
         cascades and {:.3} m of the whole sea",
        index.frames.len(),
        index.cascades.len(),
        args.out.display(),
        index.measured_significant_wave_height_m,
        index.carried_significant_wave_height_m,
        index.significant_wave_height_m,
    );
    Ok(())
}

impl Args {
    fn numbers(&self) -> Range<u32> {
        self.frames.as_ref().map_or(0..1, Frames::numbers)
    }
}

/// The files of earlier runs in the folder, all of which this run replaces. Fails if this run would not
/// replace some of them, since they would be mistaken for its own.
fn older_files(args: &Args, grid: &Quality) -> anyhow::Result<Vec<PathBuf>> {
    let failed = || format!("the folder {} could not be read", args.out.display());
    let (mut older, mut others) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(&args.out).with_context(failed)? {
        let name = entry.with_context(failed)?.file_name().to_string_lossy().into_owned();
        let Some((frame, cascade)) = place_of(&name) else { continue };
        let is_named_so = frame.is_some() == args.frames.is_some();
        let is_replaced =
            is_named_so && args.numbers().contains(&frame.unwrap_or(0)) && cascade < grid.cascades;
        if is_replaced { older.push(args.out.join(name)) } else { others.push(name) }
    }
    if let Some(first) = others.iter().min() {
        let more = match others.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        bail!(
            "{} holds {first}{more} of an earlier run, which this one would not replace: choose another \
             --out, or remove the earlier files",
            args.out.display()
        );
    }
    Ok(older)
}

/// The frame's number, if the file is one of a sequence, and the cascade in a file name of this command.
fn place_of(name: &str) -> Option<(Option<u32>, u32)> {
    let stem = name.strip_suffix(".npy")?;
    let stem = stem.strip_suffix("_displacement").or_else(|| stem.strip_suffix("_derivatives"))?;
    let (frame, cascade) = match stem.strip_prefix("frame_") {
        Some(rest) => {
            let (frame, cascade) = rest.split_once('_')?;
            (Some(frame.parse().ok()?), cascade)
        }
        None => (None, stem),
    };
    Some((frame, cascade.strip_prefix("cascade")?.parse().ok()?))
}

/// Computes a frame and writes its files.
fn write_frame(
    args: &Args,
    source: &Source,
    frame: u32,
    progress: &ProgressBar,
) -> anyhow::Result<FrameRow> {
    let spectrum = source.spectrum();
    let side = u64::from(spectrum.size);
    let points = spectrum.size as usize * spectrum.size as usize;
    let choppiness = spectrum.choppiness();
    let time_s = args.sea_time.time_s(frame);
    let layers = source.at(time_s)?;
    // One frame of a sequence is named like any other of it.
    let prefix = args.frames.as_ref().map_or(String::new(), |_| format!("frame_{frame:04}_"));

    let mut files = Vec::with_capacity(spectrum.cascades.len());
    for (cascade, layer) in layers.enumerate() {
        let mut displacement = Vec::with_capacity(points * DISPLACEMENT.len());
        let mut derivatives = Vec::with_capacity(points * DERIVATIVES.len());
        for [dx, dz, h, h_dx, h_dz, dx_dz, dx_dx, dz_dz] in (0..points).map(|at| layer.fields(at)) {
            displacement.extend([choppiness * dx, h, choppiness * dz].map(|metres| metres as f32));
            derivatives.extend([h_dx, h_dz, dx_dx, dz_dz, dx_dz].map(|slope| slope as f32));
        }
        // Numbers that are none are no surface, whatever the driver says.
        ensure!(
            displacement.iter().chain(&derivatives).all(|value| value.is_finite()),
            "the surface of cascade {cascade} at {time_s} s is not finite: the adapter computes \
             wrong results. Check it with `seaway verify`, or use --cpu"
        );
        let name = |what: &str| format!("{prefix}cascade{cascade}_{what}.npy");
        let row = FilesRow {
            displacement: name("displacement"),
            derivatives: name("derivatives"),
            measured_variance_m2: height_variance_m2(&displacement),
        };
        let write = |name: &str, components: usize, values: &[f32]| {
            npy::write_f32(&args.out.join(name), &[side, side, components as u64], values)
        };
        write(&row.displacement, DISPLACEMENT.len(), &displacement)?;
        write(&row.derivatives, DERIVATIVES.len(), &derivatives)?;
        files.push(row);
        progress.inc(1);
    }
    let variance_m2: f64 = files.iter().map(|row| row.measured_variance_m2).sum();
    Ok(FrameRow {
        frame,
        time_s,
        measured_significant_wave_height_m: 4.0 * variance_m2.sqrt(),
        files,
    })
}

/// The variance of the heights among displacements (x, y, z), of the rounded numbers, so that readers of the
/// file compute the same.
fn height_variance_m2(displacement: &[f32]) -> f64 {
    let heights = displacement.chunks_exact(DISPLACEMENT.len()).map(|point| f64::from(point[1]));
    let count = heights.len() as f64;
    let mean = heights.clone().sum::<f64>() / count;
    heights.map(|height| (height - mean).powi(2)).sum::<f64>() / count
}

fn index<'a>(args: &'a Args, source: &'a Source, frames: Vec<FrameRow>) -> Index<'a> {
    let spectrum = source.spectrum();
    let squares = frames.iter().map(|row| row.measured_significant_wave_height_m.powi(2));
    let mean_square_m2 = squares.sum::<f64>() / frames.len() as f64;
    Index {
        version: env!("CARGO_PKG_VERSION"),
        command_line: output::command_line(),
        adapter: source.adapter(),
        arithmetic: source.arithmetic(),
        preset: args.sea.preset_name(),
        sea: &spectrum.sea,
        seed: spectrum.sea.seed,
        choppiness: spectrum.choppiness(),
        size: spectrum.size,
        significant_wave_height_m: spectrum.summary.significant_wave_height_m,
        carried_significant_wave_height_m: spectrum.significant_wave_height_m(),
        measured_significant_wave_height_m: mean_square_m2.sqrt(),
        displacement_components: DISPLACEMENT,
        derivative_components: DERIVATIVES,
        cascades: spectrum
            .cascades
            .iter()
            .zip(&spectrum.variance_m2)
            .map(|(cascade, &variance_m2)| CascadeRow {
                patch_size_m: cascade.patch_size_m,
                spacing_m: cascade.patch_size_m / f64::from(spectrum.size),
                rotation_deg: cascade.rotation_rad().to_degrees(),
                first_rad_per_m: cascade.first_rad_per_m,
                last_rad_per_m: cascade.last_rad_per_m,
                variance_m2,
            })
            .collect(),
        frames,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_its_place() {
        assert_eq!(place_of("cascade0_displacement.npy"), Some((None, 0)));
        assert_eq!(place_of("frame_12345_cascade3_derivatives.npy"), Some((Some(12_345), 3)));
        for name in ["field.json", "cascade0.npy", "frame_1_displacement.npy", "cascade_x.npy"] {
            assert_eq!(place_of(name), None, "{name}");
        }
    }

    #[test]
    fn the_variance_is_that_of_heights_about_their_mean() {
        let displacement = [9.0, 1.0, -7.0, 5.0, 3.0, 0.0];
        assert_eq!(height_variance_m2(&displacement), 1.0);
    }
}
