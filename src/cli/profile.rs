//! `seaway profile`: a capture without a window, or algorithms compared in frames.

mod compare;
mod plain_mesh;

use std::path::PathBuf;
use std::time::Duration;

use crate::choice::Choice as _;
use crate::eye::EyeLevel;
use crate::fft::lab::{AlgorithmChoice, PingPong};
use crate::gpu::Context;
use crate::profile::{Capture, CaptureInfo, Profiler, Recorder, Summary};
use crate::settings::{CameraPose, FrameSettings, Preset};
use crate::{OceanOptions, OceanPath};
use anyhow::bail;

use super::Global;
use super::args;
use super::auto::Auto;
use super::device::{Gpu, Limits};
use super::exit::Usage;
use super::headless::Headless;
use super::output::{self, TableFormat};
use super::render::progress_bar;
use super::scene::{QualityArgs, SceneArgs};

/// Frames before the capture: some drivers compile a shader when it first runs.
const WARM_UP_FRAMES: u32 = 3;

/// The text after the options in `--help`.
const FILES: &str = "\
Files in DIR:
  capture.puffin  opens in puffin_viewer
  trace.json      opens in Perfetto (ui.perfetto.dev) and chrome://tracing:
                  threads, GPU passes by frame, counters
  passes.csv      one row per frame and pass: frame, side (cpu or gpu), thread,
                  name, depth, start_us (from the start of the capture),
                  duration_us
  summary.json    adapter, driver, versions, settings, command line; count,
                  median, percentiles and worst of each pass and of the frame
                  interval, in microseconds
  summary.md      the same as Markdown
Either all of the files are written or none. The summary also goes to stdout. A
percentile is a value of the sample: the one at the place nearest to
fraction * (count - 1) in ascending order.";

#[derive(clap::Args)]
#[command(after_help = FILES)]
pub struct Args {
    /// Folder for the capture's files (listed below); created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Format of the summary on stdout
    #[arg(long, value_name = "FORM", value_enum, default_value = "table")]
    format: TableFormat,
    /// Number of frames to measure; with --compare, by each algorithm [1 to 100000]
    #[arg(long, value_name = "N", default_value = "300", value_parser = args::number(1u32..=100_000))]
    frames: u32,
    /// Compare these algorithms instead of writing a capture: in the frames that each drives, and
    /// side by side. cooley-tukey-multipass, which has a pass per stage, is always included
    #[arg(
        long,
        value_name = "A,B,..",
        value_delimiter = ',',
        value_parser = args::ocean_algorithm(),
        conflicts_with = "algorithm"
    )]
    compare: Vec<AlgorithmChoice>,
    /// With --compare: points along one side of each cascade's grid; powers of two [16 to 8192]
    /// [default: --size]
    #[arg(
        long,
        value_name = "N,..",
        value_delimiter = ',',
        value_parser = args::ocean_size,
        requires = "compare",
        conflicts_with = "size"
    )]
    sizes: Vec<u32>,
    /// With --compare: GPU time per frame for the side-by-side measurement, in milliseconds
    /// [0.1 to 1000] [default: 2; 25 on a software adapter]
    #[arg(
        long,
        value_name = "MS",
        requires = "compare",
        value_parser = args::number(0.1..=1000.0_f64)
    )]
    budget_ms: Option<f64>,
    /// With --compare: time limit for the side-by-side measurement to settle at one size, in
    /// seconds [0 to 86400]
    #[arg(
        long,
        value_name = "S",
        default_value = "60",
        requires = "compare",
        value_parser = args::number(0.0..=86_400.0_f64)
    )]
    patience_s: f64,
    /// With --compare: memory for results between the stages, of the algorithms that have a choice
    #[arg(
        long,
        value_name = "NAME",
        requires = "compare",
        value_parser = args::choice::<PingPong>()
    )]
    ping_pong: Option<PingPong>,
    /// With --compare: draw the sea as one mesh of N x N vertices with plain light, and nothing
    /// else; Mota's thesis drew about 2 million, which 1448 is [2 to 2048]
    #[arg(long, value_name = "N", requires = "compare", value_parser = args::number(2u32..=2048))]
    plain_mesh: Option<u32>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = args::resolution)]
    resolution: [u32; 2],
    /// Passes of the ocean: `fused` evolves the spectrum and writes the maps within the FFT,
    /// `plain` uses a pass of its own for each [default: fused; plain with --compare]
    #[arg(long, value_name = "NAME", value_parser = args::choice::<OceanPath>())]
    path: Option<OceanPath>,
    #[command(flatten)]
    auto: Auto,
    #[command(flatten)]
    quality: QualityArgs,
    #[command(flatten)]
    scene: SceneArgs,
}

fn print(summary: &Summary, format: TableFormat) -> anyhow::Result<()> {
    match format {
        TableFormat::Table => output::print(&summary.text()),
        TableFormat::Json => output::print_json(summary),
        TableFormat::Csv => output::print(&summary.csv()),
        TableFormat::Markdown => output::print(&summary.markdown()),
    }
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    // The tier depends on the adapter, but what is wrong with the options does not.
    args.quality.resolve(QualityArgs::FIXED_TIER)?;
    let scene = args.scene.resolve()?;
    if !args.compare.is_empty() && args.scene.eye_level() != EyeLevel::OverStillWater {
        bail!(Usage(
            "--eye-above-water cannot be used with --compare, whose times do not depend on where \
             the eye is. Leave out one of the two"
                .into(),
        ));
    }
    if args.compare.is_empty() {
        // Before minutes of work, and not the folder itself: a new one is put in place whole.
        output::check_folder(&args.out)?;
        let algorithm = args.quality.algorithm();
        let gpu = Gpu::open(global.limits)?;
        let (capture, info) = record(args, gpu, global.limits, &scene, algorithm)?;
        let written = capture.write(&args.out, &info);
        if written.is_ok() {
            eprintln!("wrote {} ({})", args.out.display(), capture.describe());
            eprintln!("open capture.puffin with puffin_viewer, trace.json with ui.perfetto.dev");
        }
        // Printed first, so that a full disk does not lose the measurements.
        print(&capture.summary(&info), args.format)?;
        return Ok(written?);
    }
    output::make_folder(&args.out)?;
    let gpu = Gpu::open(global.limits)?;
    let (tier, quality) = args.quality.resolve_on(&gpu.context)?;
    let request = compare::Request {
        algorithms: &args.compare,
        sizes: if args.sizes.is_empty() { &[quality.size] } else { &args.sizes },
        scene: &scene,
        quality: &quality,
        tier,
        path: args.path.unwrap_or(OceanPath::Plain),
        resolution: args.resolution,
        frames: args.frames,
        budget_ms: args.budget_ms,
        patience: Duration::from_secs_f64(args.patience_s),
        ping_pong: args.ping_pong,
        plain_mesh: args.plain_mesh,
        auto: &args.auto,
        out: &args.out,
    };
    compare::run(&request, &gpu, global, args.format)
}

/// Runs each capture on its own device, so that none inherits another's memory or clocks.
fn record(
    args: &Args,
    gpu: Gpu,
    limits: Limits,
    scene: &Preset,
    algorithm: AlgorithmChoice,
) -> anyhow::Result<(Capture, CaptureInfo)> {
    let (_, quality) = &args.quality.resolve_on(&gpu.context)?;
    args.scene.warn_of_what_is_not_shown(quality);
    let path = args.path.unwrap_or(OceanPath::Fused);
    let ocean = OceanOptions { path, ..OceanOptions::of(quality) };
    let ocean = args.auto.resolve_frame(&gpu, algorithm, &ocean)?;
    let runs = ocean.configuration(&gpu.context.capabilities)?;
    let settings = FrameSettings {
        preset: args.scene.preset_name().to_owned(),
        scene: scene.clone(),
        eye_above_water_m: args.scene.eye_level().above_water_m(),
        quality: quality.clone(),
        algorithm: algorithm.to_string(),
        runs: runs.algorithm().to_string(),
        parameters: runs
            .given()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_string()))
            .collect(),
        path: path.name().to_owned(),
        resolution: args.resolution,
    };
    let mut command_line =
        format!("seaway profile --out DIR --frames {} {}", args.frames, settings.options());
    if limits == Limits::Webgpu {
        command_line += " --limits webgpu";
    }
    let mut info = CaptureInfo {
        command_line,
        settings: serde_json::to_value(&settings)?,
        ..CaptureInfo::of(&gpu.context.adapter_info)
    };

    let mut headless = Headless::new(gpu, scene, quality, ocean, args.resolution)?;
    headless.stand(args.scene.eye_level());
    let time_s = |frame: u32| f64::from(frame) / 60.0;
    // Before the first frame, which then waits for nothing but itself.
    let frames = 0..WARM_UP_FRAMES + args.frames;
    let eyes: Vec<CameraPose> =
        frames.clone().map(|frame| headless.eye_at(time_s(frame))).collect::<Result<_, _>>()?;
    if let Some(raised) = eyes.iter().find_map(|eye| headless.raised(eye)) {
        eprintln!("{raised}");
    }
    let mut profiler = Profiler::new(&headless.gpu.context.device, &headless.gpu.context.queue);
    let progress = progress_bar(u64::from(args.frames), "frames");
    for (frame, eye) in frames.zip(eyes) {
        if frame == WARM_UP_FRAMES {
            info.date = chrono::Local::now().to_rfc3339();
            profiler.start_capture(args.frames as usize);
        }
        headless.look_from(eye);
        let context = headless.gpu.context.clone();
        draw(&context, &mut profiler, |recorder| headless.record(recorder, time_s(frame)));
        // One frame at a time: a queue that runs ahead would outgrow the timers.
        headless.gpu.context.device.poll(wgpu::PollType::wait_indefinitely())?;
        headless.gpu.check()?;
        progress.set_position(u64::from(frame.saturating_sub(WARM_UP_FRAMES)));
    }
    let capture = profiler.finish_capture(&headless.gpu.context.device)?;
    progress.finish_and_clear();
    Ok((capture, info))
}

fn draw(context: &Context, profiler: &mut Profiler, record: impl FnOnce(&mut Recorder<'_>)) {
    profiler.begin_frame();
    let Context { device, queue, .. } = context;
    let mut encoder = device
        .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("headless frame") });
    record(&mut profiler.recorder(&mut encoder));
    profiler.submit(queue, [], encoder);
}
