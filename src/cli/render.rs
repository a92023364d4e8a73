//! `seaway render`: frames without a window.

use std::fs;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use anyhow::{Context as _, anyhow};
use image::ImageEncoder as _;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use indicatif::{ProgressBar, ProgressStyle};
use seaway::fft::lab::AlgorithmChoice;
use seaway::{OceanOptions, OceanPath};

use super::Global;
use super::args;
use super::device::Gpu;
use super::exit::Usage;
use super::headless::Headless;
use super::scene::{QualityArgs, SceneArgs};
use super::video::Video;
use super::view::ViewArgs;

#[derive(clap::Args)]
pub struct Args {
    /// Folder for frame_0000.png, frame_0001.png, ..; made if it is not there
    #[arg(long, value_name = "DIR", required_unless_present = "video")]
    out: Option<PathBuf>,
    /// Video to write, as in sea.mp4; needs ffmpeg on PATH
    #[arg(long, value_name = "FILE")]
    video: Option<PathBuf>,
    /// How many frames
    #[arg(long, value_name = "N", default_value = "1", value_parser = args::number(1u32..=1_000_000))]
    frames: u32,
    /// Frames per second of the sea's time
    #[arg(long, value_name = "NUMBER", default_value = "30", value_parser = args::number(0.001..=1000.0))]
    fps: f64,
    /// The sea's time at the first frame, in seconds
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "0",
        allow_negative_numbers = true,
        value_parser = args::number(-1.0e7..=1.0e7)
    )]
    time: f64,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = args::resolution)]
    resolution: [u32; 2],
    /// Whether the FFT evolves the spectrum and writes the maps itself; plain, each is a pass of its
    /// own
    #[arg(long, value_name = "NAME", default_value = "fused", value_parser = args::choice::<OceanPath>())]
    path: OceanPath,
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    quality: QualityArgs,
    #[command(flatten)]
    scene: SceneArgs,
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let [width, height] = args.resolution;
    if args.video.is_some() && (width % 2 != 0 || height % 2 != 0) {
        return Err(Usage(format!(
            "--video needs an even width and height, and --resolution is {width}x{height}"
        ))
        .into());
    }
    let algorithm = args.quality.asked_algorithm();
    if let Some(open @ (AlgorithmChoice::Auto | AlgorithmChoice::Best)) = algorithm {
        return Err(Usage(format!(
            "--algorithm {open} goes by what was measured, which may differ from day to day: render, \
             whose frames are the same every time, takes an algorithm by name"
        ))
        .into());
    }
    let quality = args.quality.resolve(args.quality.tier().unwrap_or(QualityArgs::FIXED_TIER))?;
    let scene = args.scene.resolve()?;
    if let Some(out) = &args.out {
        fs::create_dir_all(out)
            .with_context(|| format!("the folder {} could not be made", out.display()))?;
    }
    let gpu = Gpu::open(global.limits)?;
    let mut ocean = OceanOptions { path: args.path, ..OceanOptions::fixed(&quality) };
    if let Some(named) = algorithm.and_then(AlgorithmChoice::named) {
        ocean.algorithm = Some(named.into());
    }
    let mut headless = Headless::new(gpu, &scene, &quality, ocean, args.resolution)?;
    headless.show(args.view.choice())?;
    let sink = Sink {
        resolution: args.resolution,
        out: args.out.clone(),
        video: args
            .video
            .as_deref()
            .map(|file| Video::start(file, args.resolution, args.fps))
            .transpose()?,
    };

    let progress = progress_bar(u64::from(args.frames), "frames");
    // Encoding a PNG takes about as long as drawing it: the two overlap, a few frames deep.
    let (send, receive) = sync_channel::<Vec<u8>>(2);
    let encoder = {
        let progress = progress.clone();
        thread::spawn(move || sink.consume(&receive, &progress))
    };
    let mut drawn = Ok(());
    for frame in 0..args.frames {
        let time_s = args.time + f64::from(frame) / args.fps;
        match headless.picture(time_s) {
            // The encoder hangs up when it fails, and says why below.
            Ok(picture) => {
                if send.send(picture).is_err() {
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
    let encoded = encoder.join().map_err(|_| anyhow!("writing the frames failed"))?;
    progress.finish_and_clear();
    drawn.and(encoded)?;
    for place in [&args.out, &args.video].into_iter().flatten() {
        eprintln!("wrote {} frame(s) to {}", args.frames, place.display());
    }
    Ok(())
}

/// Where pictures go.
struct Sink {
    resolution: [u32; 2],
    out: Option<PathBuf>,
    video: Option<Video>,
}

impl Sink {
    fn consume(
        mut self,
        pictures: &Receiver<Vec<u8>>,
        progress: &ProgressBar,
    ) -> anyhow::Result<()> {
        for (index, rgba) in pictures.iter().enumerate() {
            if let Some(out) = &self.out {
                write_png(&out.join(format!("frame_{index:04}.png")), self.resolution, &rgba)?;
            }
            if let Some(video) = &mut self.video {
                video.push(&rgba)?;
            }
            progress.inc(1);
        }
        self.video.take().map_or(Ok(()), Video::finish)
    }
}

/// Writes a picture without its alpha, which means nothing here.
fn write_png(path: &Path, [width, height]: [u32; 2], rgba: &[u8]) -> anyhow::Result<()> {
    let rgb: Vec<u8> = rgba.chunks_exact(4).flat_map(|texel| &texel[..3]).copied().collect();
    let failed = || format!("{} could not be written", path.display());
    let file = BufWriter::new(File::create(path).with_context(failed)?);
    PngEncoder::new_with_quality(file, CompressionType::Fast, FilterType::Adaptive)
        .write_image(&rgb, width, height, image::ExtendedColorType::Rgb8)
        .with_context(failed)
}

/// A bar on stderr; nothing where stderr is no terminal.
pub fn progress_bar(count: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}, {eta} left")
        .expect("a valid template");
    ProgressBar::new(count).with_style(style).with_message(what)
}
