//! `seaway bake`: a sea that loops, as images and meshes for programs that know nothing of it.

mod files;
mod history;
mod images;
mod index;
mod looping;
mod mesh;
mod sequence;

use std::f64::consts::TAU;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use crate::Ocean;
use crate::foam::PatchFoam;
use crate::platform::lock;
use crate::settings::{Preset, Quality, SeaState, Value};
use crate::spectrum::{Cascade, InitialSpectrum, least_patch_size_m};
use anyhow::{Context as _, ensure};
use rayon::prelude::*;

use super::Global;
use super::args;
use super::fields::{self, Layer, Source, gigabytes};
use super::frames::Frames;
use super::npy;
use super::output;
use super::render::{progress_bar, stamp};
use super::scene::SeaArgs;
use files::{Depth, Format};
use history::History;
use images::{Image, Rgb};
use index::{Existing, FoamRow, Height, Index, PatchRow, Slope};
use looping::{LONGEST_LOOP_S, Loop};
use mesh::Mesh;
use sequence::{Content, Sequence, is_of_a_bake, patch_name};

/// The text after the options in `--help`.
const FILES: &str = "\
Files in DIR, where 00000 is the number of the frame, from 0:
  cascade0_displacement_00000.exr  how far water has moved along x, y and z, in
                                   metres; y is up, choppiness is applied
  cascade0_slopes_00000.exr        dh/dx, dh/dz, 0
  cascade0_stretches_00000.exr     dDx/dx, dDz/dz, dDx/dz, choppiness applied
  cascade1_..                      the cascades of finer waves; the sea is the
                                   sum of all of them
  bake.json                        the loop, the patches, and the scale of
                                   PNG files; it is written first
With --combine the sea is one patch, which repeats without a seam:
  sea_displacement_00000.exr       as above
  sea_normal_00000.exr             the unit normal of the displaced surface
  sea_foam_00000.exr               share of foam (0 to 1), the Jacobian J, 0
  sea_00000.glb                    with --mesh, in place of images

Red, green and blue are the three channels. Rows go along z, and texel (i, j) is
the water that rests at x = i side/size, z = j side/size of its patch; a cascade
is turned by turn_rad from x towards z, its vectors are along x and z. PNG files
have 16 bits, and a value is offset + scale * sample/65535. NumPy files are
float32 of shape [size, size, 3].

The loop is exact: the frame after the last is the first, to the bit. For that
the frequency of each wave is rounded down to a multiple of 1 / --loop-s: in a
loop of 20 s a swell of 14 s becomes one of 20 s. A loop of 8 peak periods or
more hides this. Foam remembers 14 s, which are computed before the first frame.

--combine draws other waves of the same spectrum than the cascades have: no
cascade is turned, and no patch is blended with itself.

Runs with different --frames may share a folder: a frame does not depend on the
run that computes it.

Examples:
  seaway bake --preset storm --out water
  seaway bake --preset gale --combine 600 --size 1024 --format exr,png --out gale
  seaway bake --preset gale --combine 600 --frames 500..1000 --resume --out gale
  seaway bake --preset gale --combine 600 --mesh --frames 40..41 --out gale";

/// The longest step of the foam.
const FOAM_STEP_S: f64 = 1.0 / 30.0;
/// The memory that frames may take before they are written.
const WAITING_BYTES: usize = 4_000_000_000;

#[derive(clap::Args)]
#[command(after_help = FILES)]
pub struct Args {
    /// Folder for the files listed below; created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Time in seconds after which the sea repeats, rounded to whole frames [0.1 to 3600]
    /// [default: 8 peak periods]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = args::number(0.1..=LONGEST_LOOP_S))]
    loop_s: Option<f64>,
    /// Frames per second of the sea's time [0.001 to 1000]
    #[arg(long, value_name = "NUMBER", default_value = "30", allow_negative_numbers = true, value_parser = args::number(0.001..=1000.0))]
    fps: f64,
    /// Frames to write: the first N, or A..B for frames A to B - 1 [default: the loop; with --mesh
    /// the first]
    #[arg(long, value_name = "N|A..B")]
    frames: Option<Frames>,
    /// Points along one side of each patch; a power of two [16 to 8192]
    #[arg(long, value_name = "INTEGER", default_value = "512", value_parser = args::ocean_size)]
    size: u32,
    /// Number of cascades, each of finer waves than the one before [1 to 4] [default: 4]
    #[arg(long, value_name = "INTEGER", value_parser = args::one_setting::<Quality>("cascades"))]
    cascades: Option<Value>,
    /// Bake all waves into one patch with a side of this length in metres, with normals and foam
    /// [1 to 1000000]
    #[arg(long, value_name = "SIDE_M", conflicts_with = "cascades", allow_negative_numbers = true, value_parser = args::number(1.0..=1e6))]
    combine: Option<f64>,
    /// Kinds of files
    #[arg(long, value_name = "KIND,..", value_delimiter = ',', default_value = "exr", value_enum)]
    format: Vec<Format>,
    /// Floats of EXR files [default: half, and float for displacements that it rounds by a
    /// millimetre or more]
    #[arg(long, value_name = "FLOATS", value_enum)]
    depth: Option<Depth>,
    /// Keep the complete files of the same bake, and write those that are missing or incomplete
    #[arg(long)]
    resume: bool,
    /// Write the displaced grid of each frame as binary glTF in place of images, with normals, and
    /// foam as the attribute _FOAM and in the colours
    #[arg(long, requires = "combine", conflicts_with_all = ["format", "depth", "resume"])]
    mesh: bool,
    /// Compute on the processor, in 64-bit floats. This needs no adapter
    #[arg(long)]
    cpu: bool,
    #[command(flatten)]
    sea: SeaArgs,
}

/// Scripts that import a bake into other programs: their paths in the folder, and their text.
const IMPORTERS: [(&str, &str); 10] = [
    ("IMPORT.md", include_str!("../../assets/import/README.md")),
    ("blender.py", include_str!("../../assets/import/blender.py")),
    ("godot/seaway.gd", include_str!("../../assets/import/godot/seaway.gd")),
    ("godot/seaway.gdshader", include_str!("../../assets/import/godot/seaway.gdshader")),
    ("threejs/index.html", include_str!("../../assets/import/threejs/index.html")),
    ("threejs/seaway-bake.js", include_str!("../../assets/import/threejs/seaway-bake.js")),
    ("unreal/README.md", include_str!("../../assets/import/unreal/README.md")),
    ("unity/SeawayBake.cs", include_str!("../../assets/import/unity/SeawayBake.cs")),
    ("unity/SeawayBake.hlsl", include_str!("../../assets/import/unity/SeawayBake.hlsl")),
    ("unity/SeawayBake.shader", include_str!("../../assets/import/unity/SeawayBake.shader")),
];

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    if args.mesh {
        mesh::check_size(args.size)?;
    }
    let Preset { mut sea, .. } = args.sea.resolve()?;
    let timing = Loop::new(args.loop_s, args.fps, &sea)?;
    sea.loop_period_s = timing.seconds();
    timing.describe(&sea);
    let mut grid = Quality { size: args.size, ..Quality::default() };
    match args.cascades {
        _ if args.combine.is_some() => grid.cascades = 1,
        Some(Value::Integer(cascades)) => grid.cascades = cascades,
        _ => {}
    }
    if args.cpu {
        fields::check_memory_of_cpu(&grid)?;
    }
    output::make_folder(&args.out)?;
    let source = Source::new(&grid, args.cpu, global, |options| match args.combine {
        Some(side_m) => Ok(InitialSpectrum::of_patch(&sea, options.size, side_m)?),
        None => Ocean::prepare(&sea, options),
    })?;
    let bake = Bake::new(args, timing, &source);
    let mut index = bake.index();
    describe_sea(&index, &sea);
    let mut jobs = bake.jobs();
    bake.estimate(jobs.len() as u64);
    if args.mesh {
        return bake.write(&jobs).map(drop);
    }
    let is_same = bake.claim_folder(&index)?;
    if args.resume && is_same {
        bake.skip_complete(&mut jobs)?;
    }
    // The index of an earlier run is the same, and it may know the foam of the whole loop.
    if !is_same {
        bake.write_index(&index)?;
    }
    for (path, text) in IMPORTERS {
        let path = args.out.join(path);
        output::make_folder(path.parent().unwrap_or(&args.out))?;
        // Users may have changed theirs.
        if !path.exists() {
            output::write(&path, text)?;
        }
    }
    if jobs.is_empty() {
        eprintln!("nothing to write: all frames are complete in {}", args.out.display());
        return Ok(());
    }
    let difference = bake.write(&jobs)?;
    if let (Some(foam), Some(difference)) = (&mut index.foam, difference) {
        foam.loop_difference = Some(difference);
        bake.write_index(&index)?;
    }
    Ok(())
}

/// Says what the patches carry of `sea`.
fn describe_sea(index: &Index<'_>, sea: &SeaState) {
    let Height { theoretical, carried, measured } = index.significant_wave_height_m;
    eprintln!(
        "Hs {theoretical:.3} m: {carried:.3} m expected in the patches, and {measured:.3} m of these waves"
    );
    let Slope { carried_share, shortest_wave_m, .. } = index.mean_square_slope;
    eprintln!(
        "{}the patches carry {:.0}% of the mean square slope, of waves down to {shortest_wave_m:.2} m",
        if carried_share < 0.9 { "warning: " } else { "" },
        100.0 * carried_share
    );
    if !index.combined {
        return;
    }
    eprintln!("{}", index.realization);
    let patch = &index.patches[0];
    if (carried / theoretical - 1.0).abs() > 0.01 {
        let least_m = least_patch_size_m(sea);
        let cure = if patch.side_m < least_m {
            format!("use --combine {:.0} or more", least_m.ceil())
        } else {
            "use a larger --size".to_owned()
        };
        eprintln!(
            "warning: a patch of {} m has {:.1}% of the height of the sea: {cure}",
            patch.side_m,
            100.0 * carried / theoretical
        );
    }
}

/// A frame to write, and the indices of its files.
struct Job {
    frame: u32,
    files: Vec<usize>,
}

/// A sea and the files to write of it.
struct Bake<'a> {
    args: &'a Args,
    timing: Loop,
    source: &'a Source,
    sequences: Vec<Sequence>,
    foam: Option<PatchFoam>,
    /// Steps of the foam for each frame.
    per_frame: u32,
}

impl<'a> Bake<'a> {
    fn new(args: &'a Args, timing: Loop, source: &'a Source) -> Self {
        let spectrum = source.spectrum();
        let combined = args.combine.is_some();
        let per_frame = if combined {
            ((timing.fps * FOAM_STEP_S).recip() - 1e-9).ceil().max(1.0) as u32
        } else {
            1
        };
        let step_s = (timing.fps * f64::from(per_frame)).recip();
        let sequences = (0..spectrum.cascades.len())
            .flat_map(|cascade| Self::sequences(args, spectrum, cascade))
            .collect();
        let foam = combined.then(|| PatchFoam::new(spectrum, step_s));
        Self { args, timing, source, sequences, foam, per_frame }
    }

    fn sequences(args: &Args, spectrum: &InitialSpectrum, cascade: usize) -> Vec<Sequence> {
        if args.mesh {
            return vec![Sequence { cascade, content: Content::Mesh, stem: "sea".into() }];
        }
        let combined = args.combine.is_some();
        let bounds = images::bounds(spectrum, cascade);
        let choppiness = spectrum.choppiness();
        let images = if combined { Image::OF_SEA } else { Image::OF_CASCADE };
        let mut formats: Vec<Format> = Vec::new();
        for &format in &args.format {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
        let of_image = |image: Image| {
            let range = image.range(&bounds, choppiness);
            let patch = patch_name(combined, cascade);
            let depth = args.depth.unwrap_or_else(|| image.depth(&range));
            let stem = format!("{patch}_{}", image.name());
            let of_format = move |format| {
                let content = Content::Image { image, format, depth, range };
                Sequence { cascade, content, stem: stem.clone() }
            };
            formats.iter().copied().map(of_format).collect::<Vec<_>>()
        };
        images.into_iter().flat_map(of_image).collect()
    }

    fn step_s(&self) -> f64 {
        (self.timing.fps * f64::from(self.per_frame)).recip()
    }

    /// The steps before a frame that matter to its foam.
    fn memory_steps(&self) -> i64 {
        let memory_s = if self.foam.is_some() { PatchFoam::LONGEST_MEMORY_S } else { 0.0 };
        (memory_s / self.step_s()).ceil() as i64
    }

    fn loop_steps(&self) -> i64 {
        i64::from(self.timing.frames) * i64::from(self.per_frame)
    }

    /// The time of a step, within the loop: equal for steps that are a loop apart.
    fn time_s(&self, number: i64) -> f64 {
        number.rem_euclid(self.loop_steps()) as f64 * self.step_s()
    }

    fn index(&self) -> Index<'a> {
        let spectrum = self.source.spectrum();
        let combined = self.args.combine.is_some();
        let cascades = 0..spectrum.cascades.len();
        let carried: Vec<[f64; 2]> =
            cascades.clone().map(|cascade| spectrum.lattice_sums(cascade)).collect();
        let sum = |part: usize| carried.iter().map(|sums| sums[part]).sum::<f64>();
        let measured_m2: f64 =
            cascades.clone().map(|cascade| images::variance_m2(spectrum, cascade)).sum();
        let theoretical = spectrum.summary.mean_square_slope;
        let last_rad_per_m = spectrum.cascades.iter().map(|cascade| cascade.last_rad_per_m);
        let patch = |(number, cascade): (usize, &Cascade)| PatchRow {
            name: patch_name(combined, number),
            side_m: cascade.patch_size_m,
            size: spectrum.size,
            turn_rad: cascade.rotation_rad(),
            first_rad_per_m: cascade.first_rad_per_m,
            last_rad_per_m: cascade.last_rad_per_m,
            images: self
                .sequences
                .iter()
                .filter(|sequence| sequence.cascade == number)
                .filter_map(Sequence::row)
                .collect(),
        };
        Index {
            format: "seaway-bake",
            version: 1,
            software: stamp::SOFTWARE,
            command: output::command_line().join(" "),
            adapter: self.source.adapter(),
            arithmetic: self.source.arithmetic(),
            sea: &spectrum.sea,
            loop_s: self.timing.seconds(),
            fps: self.timing.fps,
            frames: self.timing.frames,
            time_step_s: self.timing.fps.recip(),
            axes: index::AXES,
            texels: index::TEXELS,
            significant_wave_height_m: Height {
                theoretical: spectrum.summary.significant_wave_height_m,
                carried: 4.0 * sum(0).sqrt(),
                measured: 4.0 * measured_m2.sqrt(),
            },
            mean_square_slope: Slope {
                theoretical,
                carried: sum(1),
                carried_share: sum(1) / theoretical,
                shortest_wave_m: TAU / last_rad_per_m.fold(f64::MIN_POSITIVE, f64::max),
            },
            choppiness: spectrum.choppiness(),
            combined,
            realization: match combined {
                true => "one patch draws other waves of the same spectrum than the cascades do",
                false => "the waves of the cascades, whose patches are not blended",
            },
            foam: self.foam.as_ref().map(|foam| FoamRow {
                history_s: PatchFoam::LONGEST_MEMORY_S,
                step_s: foam.step_s,
                jacobian_threshold: foam.threshold,
                expected_share: foam.cover.share,
                loop_difference: None,
            }),
            patches: spectrum.cascades.iter().enumerate().map(patch).collect(),
        }
    }

    fn write_index(&self, index: &Index<'_>) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(index)? + "\n";
        output::write(&self.args.out.join(index::NAME), &text)
    }

    /// The frames to write, with all their files.
    fn jobs(&self) -> Vec<Job> {
        let numbers = match &self.args.frames {
            Some(frames) => frames.numbers(),
            None if self.args.mesh => 0..1,
            None => 0..self.timing.frames,
        };
        let files = (0..self.sequences.len()).collect::<Vec<_>>();
        numbers.map(|frame| Job { frame, files: files.clone() }).collect()
    }

    /// Says how much the frames take.
    fn estimate(&self, frames: u64) {
        let points = u64::from(self.args.size).pow(2);
        let of = |sequence: &Sequence| match sequence.content {
            Content::Image { format, depth, .. } => format.bytes(depth) * points,
            Content::Mesh => mesh::buffer_bytes(self.args.size),
        };
        let bytes = frames * self.sequences.iter().map(of).sum::<u64>();
        eprintln!(
            "{frames} frame(s) of {} file(s), {:.2} GB before compression",
            self.sequences.len(),
            gigabytes(bytes)
        );
    }

    /// Makes sure that the folder holds files of this bake alone, and returns whether it has its index. Files of
    /// another bake are removed where this run replaces all of them.
    fn claim_folder(&self, index: &Index<'_>) -> anyhow::Result<bool> {
        let out = self.args.out.display();
        let difference = match index.difference(&self.args.out) {
            Existing::Same => return Ok(true),
            Existing::Nothing => return Ok(false),
            Existing::Other(difference) => difference,
        };
        ensure!(
            !self.args.resume,
            "{out} holds another bake: {difference}. Resume with its settings, choose another --out, or \
             leave out --resume to replace it"
        );
        ensure!(
            self.args.frames.is_none(),
            "{out} holds another bake: {difference}. Choose another --out, or leave out --frames to \
             replace it"
        );
        let failed = || format!("the other bake in {out} could not be replaced");
        // The index first: it would speak of files that are gone.
        fs::remove_file(self.args.out.join(index::NAME)).with_context(failed)?;
        for entry in fs::read_dir(&self.args.out).with_context(failed)? {
            let entry = entry.with_context(failed)?;
            if is_of_a_bake(&entry.file_name().to_string_lossy()) {
                fs::remove_file(entry.path()).with_context(failed)?;
            }
        }
        Ok(false)
    }

    /// Removes complete files from the jobs.
    fn skip_complete(&self, jobs: &mut Vec<Job>) -> anyhow::Result<()> {
        let all = jobs.len();
        let progress = progress_bar(all as u64, "frames checked");
        jobs.par_iter_mut().for_each(|job| {
            job.files.retain(|&file| {
                let sequence = &self.sequences[file];
                let Content::Image { format, depth, .. } = sequence.content else { return true };
                let path = sequence.path(&self.args.out, job.frame);
                !files::is_complete(&path, format, depth, self.args.size)
            });
            progress.inc(1);
        });
        progress.finish_and_clear();
        jobs.retain(|job| !job.files.is_empty());
        eprintln!("{} of {all} frame(s) are complete", all - jobs.len());
        Ok(())
    }

    /// The most frames that are computed and not written yet.
    fn most_waiting(&self) -> usize {
        // The fields in 32 or 64 bits, and the values of an image.
        let bytes = 96 * self.source.spectrum().h0.len();
        (WAITING_BYTES / bytes).clamp(1, rayon::current_num_threads() + 1)
    }

    /// Writes the files of the jobs, and returns how far the foam after the loop's last frame is from that of
    /// its first, if the jobs are a whole loop.
    fn write(&self, jobs: &[Job]) -> anyhow::Result<Option<f64>> {
        let begun = Instant::now();
        let frames: Vec<u32> = jobs.iter().map(|job| job.frame).collect();
        let mut steps = history::steps(&frames, self.per_frame, self.memory_steps());
        if self.foam.is_some() {
            history::close(&mut steps, self.per_frame, self.timing.frames);
        }
        let times_s: Vec<f64> = steps.iter().map(|step| self.time_s(step.number)).collect();
        let choppiness = self.source.spectrum().choppiness();
        let points = self.args.size as usize * self.args.size as usize;
        let history = |foam: &PatchFoam| History::new(foam.clone(), choppiness, self.loop_steps());
        let mut history = self.foam.as_ref().map(history);
        let progress = progress_bar(steps.len() as u64, "steps");
        progress.tick();

        let (permit, permits) = sync_channel(self.most_waiting());
        let permits = Mutex::new(permits);
        let written = Mutex::new(Written::default());
        let mut jobs_left = jobs.iter();
        let computed = rayon::in_place_scope(|scope| {
            self.source.each_time(&times_s, |index, layers| {
                let step = &steps[index];
                if let Some(history) = &mut history {
                    history.step(step, points, &layers[0]);
                }
                if step.frame.is_none() {
                    progress.inc(1);
                    return Ok(());
                }
                let job = jobs_left.next().context("a job for each frame")?;
                let foam = history.as_ref().map_or_else(Vec::new, History::shares);
                permit.send(()).context("the frames are not written")?;
                ensure!(lock(&written).failed.is_none(), "an earlier frame failed");
                let (written, permits, progress) = (&written, &permits, &progress);
                scope.spawn(move |_| {
                    let result = self.write_frame(job, &layers, &foam);
                    lock(written).add(job, result);
                    // It never waits: a permit was sent for each frame.
                    let _ = lock(permits).recv();
                    progress.inc(1);
                });
                Ok(())
            })
        });
        progress.finish_and_clear();

        let written = written.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let out = self.args.out.display();
        written.failed.map_or(computed, Err).with_context(|| {
            let resume = if self.args.mesh { "" } else { "; --resume continues from there" };
            format!(
                "stopped with {} of {} frame(s) written to {out}{resume}",
                written.frames,
                jobs.len()
            )
        })?;
        let seconds = begun.elapsed().as_secs_f64();
        eprintln!(
            "wrote {} frame(s), {:.1} MB, to {out} in {seconds:.1} s: {:.1} MB/s{}",
            written.frames,
            1e-6 * written.bytes as f64,
            1e-6 * written.bytes as f64 / seconds.max(1e-9),
            self.source.gpu_ms().map_or_else(String::new, |ms| format!(
                "; the GPU computes a time of the sea in {ms:.3} ms"
            ))
        );
        if written.frames > 0 {
            let mean_m2 = written.variances_m2 / f64::from(written.frames);
            eprintln!("measured Hs {:.3} m in these frames", 4.0 * mean_m2.sqrt());
        }
        let difference = history.and_then(|history| history.loop_difference);
        if let Some(difference) = difference {
            eprintln!(
                "the foam after the last frame differs from that of the first by {difference} at most"
            );
        }
        Ok(difference)
    }

    /// Writes the files of a frame, and returns their bytes and the variance of its heights.
    fn write_frame(&self, job: &Job, layers: &[Layer], foam: &[f32]) -> anyhow::Result<(u64, f64)> {
        let size = self.args.size;
        let points = size as usize * size as usize;
        let variance_m2: f64 = layers.iter().map(|layer| variance_m2(layer, points)).sum();
        // Numbers that are none are no surface, whatever the driver says.
        ensure!(
            variance_m2.is_finite(),
            "the sea of frame {} is not finite: the adapter computes wrong results. Check it with \
             `seaway verify`, or use --cpu",
            job.frame
        );
        let write = |file: &usize| {
            let sequence = &self.sequences[*file];
            let path = sequence.path(&self.args.out, job.frame);
            let bytes = self.encode(sequence, &layers[sequence.cascade], foam, job.frame);
            let length = bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
            output::write_encoded(&path, bytes).map(|()| length)
        };
        let bytes = job.files.par_iter().map(write).sum::<anyhow::Result<u64>>()?;
        Ok((bytes, variance_m2))
    }

    fn encode(
        &self,
        sequence: &Sequence,
        layer: &Layer,
        foam: &[f32],
        frame: u32,
    ) -> io::Result<Vec<u8>> {
        let size = self.args.size;
        let choppiness = self.source.spectrum().choppiness();
        let foam_at = |at: usize| foam.get(at).map_or(0.0, |foam| f64::from(*foam));
        match sequence.content {
            Content::Mesh => Mesh {
                size,
                side_m: self.source.spectrum().cascades[0].patch_size_m,
                choppiness,
                fields: |at| layer.fields(at),
                foam,
                extras: serde_json::json!({
                    "command": output::command_line().join(" "),
                    "frame": frame,
                    "time_s": self.time_s(i64::from(frame) * i64::from(self.per_frame)),
                    "sea": self.source.spectrum().sea,
                }),
            }
            .glb(),
            Content::Image { image, format, depth, range } => {
                let points = 0..size as usize * size as usize;
                let values: Vec<Rgb> = points
                    .map(|at| image.values(&layer.fields(at), choppiness, foam_at(at)))
                    .collect();
                match format {
                    Format::Exr => files::exr(size, depth, &values),
                    Format::Png => files::png(size, &range, &values),
                    Format::Npy => {
                        let shape = [size, size, 3].map(u64::from);
                        npy::encode_f32(&shape, values.into_iter().flatten())
                    }
                }
            }
        }
    }
}

/// The variance of the heights of a layer. Where another field is not finite, neither is it.
fn variance_m2(layer: &Layer, points: usize) -> f64 {
    let mut squares = 0.0;
    let mut others = 0.0;
    for fields in (0..points).map(|at| layer.fields(at)) {
        squares += fields[2] * fields[2];
        others += fields.iter().map(|field| 0.0 * field).sum::<f64>();
    }
    squares / points as f64 + others
}

/// The frames and bytes written so far.
#[derive(Default)]
struct Written {
    frames: u32,
    bytes: u64,
    variances_m2: f64,
    failed: Option<anyhow::Error>,
}

impl Written {
    fn add(&mut self, job: &Job, frame: anyhow::Result<(u64, f64)>) {
        match frame {
            Ok((bytes, variance_m2)) => {
                self.frames += 1;
                self.bytes += bytes;
                self.variances_m2 += variance_m2;
            }
            Err(error) => {
                let named = error.context(format!("frame {}", job.frame));
                self.failed.get_or_insert(named);
            }
        }
    }
}
