//! `seaway render`: frames without a window.

pub mod exr;
pub mod png;
mod resume;
pub mod stamp;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

use crate::settings::{CameraPose, Quality, Settings as _};
use crate::{OceanOptions, OceanPath};
use anyhow::{anyhow, bail};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use super::Global;
use super::args;
use super::device::Gpu;
use super::estimate::{self, Slowdown, Work};
use super::exit::Usage;
use super::frames::{Frames, SeaTime};
use super::headless::{Headless, Layers};
use super::output;
use super::scene::{QualityArgs, SamplesArgs, SceneArgs};
use super::video::Video;
use super::view::ViewArgs;
use resume::{Contents, ExistingFile};
use stamp::{Sequence, Stamp};

#[derive(clap::Args)]
pub struct Args {
    /// Folder for frame_0000.png, frame_0001.png and so on; created if it does not exist
    #[arg(long, value_name = "DIR", required_unless_present = "video")]
    out: Option<PathBuf>,
    /// Files to write to --out: png, the picture; exr, linear light before tone mapping (R, G, B;
    /// middle grey is 0.18) and the distance from the eye in metres (Z)
    #[arg(
        long,
        value_name = "KIND,..",
        value_delimiter = ',',
        default_value = "png",
        value_enum,
        requires = "out"
    )]
    format: Vec<Format>,
    /// Video file to write, for example sea.mp4; needs ffmpeg on PATH
    #[arg(long, value_name = "FILE")]
    video: Option<PathBuf>,
    /// Frames to render: the first N, or A..B for frames A to B - 1. A frame does not depend on the
    /// run that draws it, so that several runs can share a sequence and a folder
    #[arg(long, value_name = "N|A..B", default_value = "1")]
    frames: Frames,
    /// Keep the complete frames in --out, and draw those that are missing or incomplete. Frames
    /// drawn with other settings are an error
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    sea_time: SeaTime,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = args::resolution)]
    resolution: [u32; 2],
    /// Passes of the ocean: `fused` evolves the spectrum and writes the maps within the FFT,
    /// `plain` uses a pass of its own for each
    #[arg(long, value_name = "NAME", default_value = "fused", value_parser = args::choice::<OceanPath>())]
    path: OceanPath,
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    quality: QualityArgs,
    /// Choose the best tier whose frames take at most this time, in seconds, as estimated from a small
    /// frame; frames then depend on the machine. --quality overrides it [1 to 86400]
    #[arg(
        long,
        value_name = "SECONDS",
        conflicts_with = "resume",
        value_parser = args::number(1.0..=86_400.0_f64),
        help_heading = Quality::TITLE
    )]
    within_s: Option<f64>,
    #[command(flatten)]
    samples: SamplesArgs,
    #[command(flatten)]
    scene: SceneArgs,
}

/// A kind of file for each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The picture
    Png,
    /// Light and depth
    Exr,
}

impl Format {
    fn path(self, out: &Path, frame: u32) -> PathBuf {
        let extension = match self {
            Self::Png => "png",
            Self::Exr => "exr",
        };
        out.join(format!("frame_{frame:04}.{extension}"))
    }

    fn reader(self) -> fn(&Path, [u32; 2]) -> io::Result<Contents> {
        match self {
            Self::Png => png::read,
            Self::Exr => exr::read_file,
        }
    }
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let [width, height] = args.resolution;
    if args.video.is_some() && (width % 2 != 0 || height % 2 != 0) {
        bail!(Usage(format!(
            "--video needs an even width and height, but --resolution is {width}x{height}"
        )));
    }
    if args.video.is_some() && args.resume {
        bail!(Usage(
            "--video needs every frame, but --resume skips the existing ones: finish the frames \
             with --out and --resume, then make the video with `ffmpeg -framerate FPS -i \
             DIR/frame_%04d.png FILE`"
                .into(),
        ));
    }
    let algorithm = args.quality.fixed_algorithm("render")?;
    let tier = args.quality.tier().unwrap_or(QualityArgs::FIXED_TIER);
    let mut quality = args.quality.resolve(tier)?;
    let samples = args.samples.samples;
    let scene = args.scene.resolve()?;
    let work =
        |frames| Work::of_sequence(frames, 1.0 / args.sea_time.fps, samples, args.resolution);
    let mut opened = None;
    if let (None, Some(within_s)) = (args.quality.tier(), args.within_s) {
        let gpu = opened.insert(Gpu::open(global.limits)?);
        let within = Duration::from_secs_f64(within_s);
        let work = work(args.frames.count());
        let tier = Slowdown::measure(gpu, &scene)?.best_tier(&args.quality, &work, within)?;
        quality = args.quality.resolve(tier)?;
    }
    args.samples.apply(&mut quality);
    let view = args.view.choice(quality.cascades)?;
    let mut ocean = OceanOptions { path: args.path, ..OceanOptions::fixed(&quality) };
    if let Some(named) = algorithm {
        ocean.algorithm = Some(named.into());
    }
    let mut sequence = Sequence::new(&scene, &quality, &ocean, args.resolution, args.sea_time.fps);
    sequence.stand(args.scene.eye_level());
    sequence.sample(samples);

    args.check_files()?;
    let plan = args.plan(&sequence)?;
    if plan.jobs.is_empty() {
        eprintln!("nothing to draw: {}", plan.there(args.out.as_deref()));
        return Ok(());
    }
    if let Some(out) = &args.out {
        output::make_folder(out)?;
    }
    args.scene.warn_of_what_is_not_shown(&quality);
    let gpu = match opened {
        Some(gpu) => gpu,
        None => {
            let gpu = Gpu::open(global.limits)?;
            let work = work(plan.jobs.len() as u32);
            estimate::warn_of_software(&gpu, &scene, &args.quality, &work)?;
            gpu
        }
    };
    let adapter = gpu.context.describe();
    let mut headless = Headless::new(gpu, &scene, &quality, ocean, args.resolution)?;
    if plan.jobs.iter().any(|job| job.writes(Format::Exr)) {
        headless.keep_layers()?;
    }
    headless.show(view)?;
    headless.stand(args.scene.eye_level());
    let sink = Sink {
        resolution: args.resolution,
        fps: args.sea_time.fps,
        adapter,
        out: args.out.clone(),
        video: args
            .video
            .as_deref()
            .map(|file| Video::start(file, args.resolution, args.sea_time.fps))
            .transpose()?,
    };

    // Where a frame takes long, its samples are what is counted.
    let what = if samples > 1 { "samples" } else { "frames" };
    let progress = progress_bar(u64::from(args.frames.count()) * u64::from(samples), what);
    progress.set_message(format!("{what}{}", plan.summary()));
    progress.set_position(u64::from(plan.whole) * u64::from(samples));
    progress.reset_eta();
    // Encoding a PNG takes about as long as drawing it: the two overlap, a few frames deep.
    let (send, receive) = sync_channel::<Drawn>(2);
    let encoder = {
        let progress = progress.clone();
        thread::spawn(move || sink.consume(&receive, &progress))
    };
    let mut drawn = Ok(());
    let mut has_said = false;
    for job in &plan.jobs {
        match draw(&mut headless, job, &sequence, samples, &progress) {
            // The encoder hangs up when it fails, and says why below.
            Ok(frame) => {
                let raised = headless.raised(&frame.eye).filter(|_| !has_said);
                if let Some(raised) = raised {
                    has_said = true;
                    progress.suspend(|| eprintln!("{raised}"));
                }
                if send.send(frame).is_err() {
                    break;
                }
            }
            Err(error) => {
                drawn = Err(error);
                break;
            }
        }
    }
    drop(send);
    let (finished, encoded) = encoder.join().map_err(|_| anyhow!("writing the frames failed"))?;
    progress.finish_and_clear();
    drawn.and(encoded).map_err(|error| {
        // A video is drawn whole.
        let out = args.out.as_deref().filter(|_| args.video.is_none());
        let kept = plan.kept(finished, out, may_be_cured(&error));
        error.context(kept)
    })?;
    if let Some(out) = &args.out {
        eprintln!("wrote {} frame(s) to {}{}", finished, out.display(), plan.summary());
    }
    if let Some(video) = &args.video {
        eprintln!("wrote {} frame(s) to {}", finished, video.display());
    }
    Ok(())
}

impl Args {
    /// Refuses to start if a folder has the name of a file to write.
    fn check_files(&self) -> anyhow::Result<()> {
        let frames = self.out.iter().flat_map(|out| {
            let names = move |frame| self.format.iter().map(move |format| format.path(out, frame));
            self.frames.numbers().flat_map(names)
        });
        let mut files = frames.chain(self.video.clone());
        files.try_for_each(|path| output::check_name(&path, "name"))
    }

    /// Plans the frames to draw; without `--resume`, all of them.
    fn plan(&self, sequence: &Sequence) -> anyhow::Result<Plan> {
        let mut plan = Plan {
            frames: self.frames.clone(),
            jobs: Vec::new(),
            resumed: self.resume,
            whole: 0,
            torn: 0,
        };
        let resumed = self.out.as_deref().filter(|_| self.resume);
        let progress = progress_bar(u64::from(self.frames.count()), "frames checked");
        for frame in self.frames.numbers() {
            let time_s = self.sea_time.time_s(frame);
            let formats = self.out.iter().flat_map(|_| self.format.iter().copied()).collect();
            let mut job = Job { frame, time_s, formats };
            if let Some(out) = resumed {
                let torn = skip_whole(&mut job, out, self.resolution, &sequence.stamp(time_s))?;
                progress.inc(1);
                if job.formats.is_empty() {
                    plan.whole += 1;
                    continue;
                }
                plan.torn += u32::from(torn);
            }
            plan.jobs.push(job);
        }
        progress.finish_and_clear();
        Ok(plan)
    }
}

/// Removes the complete files in `out` from `job`, and returns whether one of them is incomplete.
fn skip_whole(
    job: &mut Job,
    out: &Path,
    resolution: [u32; 2],
    stamp: &Stamp,
) -> anyhow::Result<bool> {
    let mut torn = false;
    let mut missing = Vec::new();
    for &format in &job.formats {
        let path = format.path(out, job.frame);
        match resume::examine(&path, resolution, stamp, format.reader()) {
            ExistingFile::Frame => continue,
            ExistingFile::Nothing => {}
            ExistingFile::Incomplete(why) => {
                eprintln!("{} is incomplete and is drawn again: {why}", path.display());
                torn = true;
            }
            ExistingFile::Other(why) => bail!(
                "{} was drawn with other settings: {why}. Resume with the settings of the \
                 existing frames, choose another --out, or leave out --resume to replace them",
                path.display()
            ),
        }
        missing.push(format);
    }
    job.formats = missing;
    Ok(torn)
}

struct Plan {
    frames: Frames,
    jobs: Vec<Job>,
    /// Complete frames are kept.
    resumed: bool,
    /// Complete frames that exist already.
    whole: u32,
    /// Incomplete frames among the jobs.
    torn: u32,
}

impl Plan {
    fn there(&self, out: Option<&Path>) -> String {
        let out = out.map(|out| format!(" in {}", out.display())).unwrap_or_default();
        format!("all {} frame(s) are complete{out}", self.frames.count())
    }

    /// A summary of the plan; empty without `--resume`.
    fn summary(&self) -> String {
        if !self.resumed {
            return String::new();
        }
        let new = self.jobs.len() as u32 - self.torn;
        format!(" ({new} new, {} redone, {} skipped)", self.torn, self.whole)
    }

    /// Describes the state of a run that failed after `finished` frames.
    fn kept(&self, finished: u32, out: Option<&Path>, may_be_cured: bool) -> String {
        let all = self.frames.count();
        match out {
            Some(out) => format!(
                "stopped with {} of {all} frame(s) complete in {}{}",
                self.whole + finished,
                out.display(),
                // A failure at the first frame without an outside cause will happen again.
                if finished > 0 || may_be_cured { "; --resume continues from there" } else { "" }
            ),
            None => format!("stopped after {finished} of {all} frame(s)"),
        }
    }
}

#[derive(Clone)]
struct Job {
    frame: u32,
    time_s: f64,
    formats: Vec<Format>,
}

impl Job {
    fn writes(&self, format: Format) -> bool {
        self.formats.contains(&format)
    }
}

/// A drawn frame before its files are written.
struct Drawn {
    job: Job,
    stamp: Stamp,
    eye: CameraPose,
    rgba: Vec<u8>,
    /// The layers, if they are written.
    layers: Option<Layers>,
}

fn draw(
    headless: &mut Headless,
    job: &Job,
    sequence: &Sequence,
    samples: u32,
    progress: &ProgressBar,
) -> anyhow::Result<Drawn> {
    let eye = headless.eye_at(job.time_s)?;
    headless.look_from(eye.clone());
    // The last counts when it is written.
    headless.draw(job.time_s, samples, |sample| progress.inc(u64::from(!sample.is_last())))?;
    let layers = job.writes(Format::Exr).then(|| headless.layers()).transpose()?;
    let stamp = sequence.stamp(job.time_s);
    Ok(Drawn { job: job.clone(), stamp, eye, rgba: headless.picture()?, layers })
}

/// Whether the same command may succeed later: a disk was full, or not there.
fn may_be_cured(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.is::<io::Error>())
}

struct Sink {
    resolution: [u32; 2],
    fps: f64,
    adapter: String,
    out: Option<PathBuf>,
    video: Option<Video>,
}

impl Sink {
    /// Writes every frame, and returns the number of finished ones.
    fn consume(
        mut self,
        frames: &Receiver<Drawn>,
        progress: &ProgressBar,
    ) -> (u32, anyhow::Result<()>) {
        let mut finished = 0;
        for frame in frames {
            if let Err(error) = self.write(&frame) {
                return (finished, Err(error));
            }
            finished += 1;
            progress.inc(1);
        }
        (finished, self.video.take().map_or(Ok(()), Video::finish))
    }

    fn write(&mut self, drawn: &Drawn) -> anyhow::Result<()> {
        let stamp = || drawn.stamp.text(drawn.job.frame, &self.adapter);
        if drawn.job.writes(Format::Png) {
            let bytes = png::encode(self.resolution, &drawn.rgba, stamp());
            self.put(Format::Png, drawn.job.frame, bytes)?;
        }
        if let Some(layers) = &drawn.layers {
            let header = exr::Header {
                resolution: self.resolution,
                fps: self.fps,
                camera: &drawn.eye,
                stamp: stamp(),
            };
            self.put(Format::Exr, drawn.job.frame, exr::encode(&header, layers))?;
        }
        if let Some(video) = &mut self.video {
            video.push(&drawn.rgba)?;
        }
        Ok(())
    }

    fn put(&self, format: Format, frame: u32, bytes: io::Result<Vec<u8>>) -> anyhow::Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        output::write_encoded(&format.path(out, frame), bytes)
    }
}

/// Creates a progress bar on stderr; hidden if stderr is not a terminal.
pub fn progress_bar(count: u64, what: &'static str) -> ProgressBar {
    // Before the first step the time is unknown, and indicatif would show 0 s.
    let left = |state: &ProgressState, text: &mut dyn fmt::Write| {
        let eta = state.eta();
        if !eta.is_zero() {
            let _ = write!(text, ", {:#} left", HumanDuration(eta));
        }
    };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}{left}")
        .expect("a valid template")
        .with_key("left", left);
    ProgressBar::new(count).with_style(style).with_message(what)
}
