//! `seaway filter`: a band-pass filter of a picture, by a command or in a window.

use std::path::{Path, PathBuf};

use crate::fft::lab::AlgorithmChoice;
use crate::fft::lab::timing::{self, Method};
use crate::filter::picture::{Depth, Format, Picture};
use crate::filter::{Band, Channels, FilterDescriptor, ImageFilter, log_power};
use crate::gpu::{self, Context};
use anyhow::{bail, ensure};

use super::Global;
use super::args;
use super::auto::Auto;
use super::device::Gpu;
use super::exit::Usage;
use super::output;

const NOTES: &str = "\
Examples:
  seaway filter photo.jpg                                a window with sliders
  seaway filter photo.jpg soft.png --high 40 --falloff 20
  seaway filter photo.jpg edges.png --low 60 --offset 0.5
  seaway filter photo.png bands.exr --low 8 --high 64 --spectrum power.png

The frequency of a wave with kx cycles across the width of the picture and ky
across its height is f = sqrt(kx^2 + ky^2). Its gain is 1 where low <= f <=
high, and 1/2 + 1/2 cos(pi d / falloff) at d < falloff cycles from the nearer
end of the band; otherwise it is 0. Values are filtered as stored, integers as a
fraction of their maximum; opacity does not change. The transform treats the
picture as periodic: what blurs over one edge reappears at the opposite one. PNG
files keep the bit depth of the input and JPEG files have 8 bits; OpenEXR files
hold 32-bit floats, including values below 0 and above 1.";

#[derive(clap::Args)]
#[command(after_help = NOTES)]
pub struct Args {
    /// Picture to filter: PNG, JPEG or OpenEXR, of any size
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File for the filtered picture, in the format of its extension: .png, .jpg or .exr. Without
    /// it, a window opens
    #[arg(value_name = "OUT")]
    output: Option<PathBuf>,
    /// Lowest frequency that passes, in cycles per image; 0 includes the mean
    #[arg(long, value_name = "CYCLES", default_value = "0", value_parser = cycles())]
    low: f64,
    /// Highest frequency that passes, in cycles per image [default: no limit]
    #[arg(long, value_name = "CYCLES", value_parser = cycles())]
    high: Option<f64>,
    /// Width over which the gain falls to 0 beyond either end of the band, in cycles; 0 gives sharp
    /// edges, which ring
    #[arg(long, value_name = "CYCLES", default_value = "0", value_parser = cycles())]
    falloff: f64,
    /// Value to add to every value of the result; 0.5 shows a band without the mean around grey
    #[arg(
        long,
        value_name = "VALUE",
        default_value = "0",
        allow_negative_numbers = true,
        value_parser = args::number(-1.0..=1.0_f64)
    )]
    offset: f64,
    /// Filter linear light: decode PNG and JPEG from sRGB, and encode the result again
    #[arg(long)]
    linear: bool,
    /// Also write a picture of the power spectrum of the result, from -120 to 0 dB, with frequency
    /// 0 in the middle
    #[arg(long, value_name = "FILE", requires = "output")]
    spectrum: Option<PathBuf>,
    /// Also print the time on the GPU, as the median of many runs
    #[arg(long, requires = "output")]
    time: bool,
    /// FFT algorithm [default: the best known for the adapter]
    #[arg(long, value_name = "NAME", value_parser = args::algorithm())]
    algorithm: Option<AlgorithmChoice>,
    #[command(flatten)]
    auto: Auto,
}

fn cycles() -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    args::number(0.0..=1e6_f64)
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let band = Band::new(args.low, args.high.unwrap_or(f64::INFINITY), args.falloff)
        .map_err(|error| Usage(error.to_string()))?;
    match &args.output {
        Some(output) => write(args, &band, output, global),
        None => open(args, band, global),
    }
}

#[cfg(feature = "app")]
fn open(args: &Args, band: Band, global: &Global) -> anyhow::Result<()> {
    use crate::app::filter::{self, FilterOptions};

    if args.algorithm == Some(AlgorithmChoice::Auto) {
        let why = "--algorithm auto needs an output file; without one, choose the algorithm in \
                   the window";
        bail!(Usage(why.into()));
    }
    let picture = Picture::read(&args.input)?;
    let options = FilterOptions {
        path: args.input.clone(),
        picture,
        band,
        offset: args.offset as f32,
        linear: args.linear,
        algorithm: args.algorithm,
        limits: global.limits.into(),
    };
    Ok(filter::run(options)?)
}

#[cfg(not(feature = "app"))]
fn open(_args: &Args, _band: Band, _global: &Global) -> anyhow::Result<()> {
    Err(Usage(
        "this seaway was built without the window: name an output file, as in `seaway filter \
         photo.jpg filtered.png --high 40`"
            .into(),
    )
    .into())
}

fn write(args: &Args, band: &Band, out: &Path, global: &Global) -> anyhow::Result<()> {
    // Before anything is computed: whether it can be written at all.
    if args.spectrum.as_deref() == Some(out) {
        let why = "--spectrum and OUT are one file: give the spectrum another name";
        bail!(Usage(why.into()));
    }
    for file in [Some(out), args.spectrum.as_deref()].into_iter().flatten() {
        Format::of(file).map_err(|error| Usage(error.to_string()))?;
        output::check_file(file)?;
    }
    let mut picture = Picture::read(&args.input)?;
    let integers = picture.depth != Depth::Float;
    if args.linear && integers {
        picture.decode_srgb();
    }
    let gpu = Gpu::open(global.limits)?;
    let Context { device, queue, .. } = &gpu.context;
    let task = FilterDescriptor { size: picture.size, channels: picture.channels, algorithm: None };
    let choice = args.algorithm.unwrap_or(AlgorithmChoice::Best);
    let algorithm = match choice {
        // The plan then has two dispatches, since nothing here looks whether a workgroup waited in vain.
        AlgorithmChoice::Best => None,
        _ => args.auto.resolve(&gpu, choice, &ImageFilter::task(&task))?.algorithm,
    };
    let task = FilterDescriptor { algorithm, ..task };
    let filter = ImageFilter::new(device, queue, &task)?;
    filter.set_pixels(queue, &picture.pixels);
    filter.set_band(queue, band, args.offset as f32);
    let mut encoder = device.create_command_encoder(&Default::default());
    filter.encode(&mut encoder.begin_compute_pass(&Default::default()));
    queue.submit([encoder.finish()]);
    let read = |buffer: &wgpu::Buffer| -> anyhow::Result<Vec<f32>> {
        let bytes = pollster::block_on(gpu::read_buffer(device, queue, buffer));
        // The GPU's own complaint comes first: it is the cause of a failed read-back.
        gpu.check()?;
        Ok(bytemuck::pod_collect_to_vec(&bytes?))
    };
    picture.pixels = read(filter.result())?;
    if args.linear && Format::of(out)? != Format::Exr {
        picture.encode_srgb();
    }
    let power = match &args.spectrum {
        Some(file) => {
            Some((file, log_power(&read(filter.spectrum())?, picture.size, picture.channels)))
        }
        None => None,
    };
    let time = args.time.then(|| {
        let encode = |pass: &mut wgpu::ComputePass<'_>, _: u32| filter.encode(pass);
        pollster::block_on(timing::measure(device, queue, &Method::default(), encode))
    });
    let time = time.transpose()?;
    gpu.check()?;

    let clipped = picture.write(out)?;
    let [width, height] = picture.size;
    let channels = match picture.channels {
        Channels::Grey => "grey",
        Channels::Colour => "colour",
    };
    let count = filter.dispatch_count();
    eprintln!("{}: {width} x {height}, {channels}, {count} dispatches", out.display());
    if let Some(time) = time {
        eprintln!(
            "{:.1} us for the whole filter ({}, {} samples of {})",
            time.median_us(),
            time.timer,
            time.samples_us.len(),
            time.repetitions
        );
    }
    if clipped > 0.0 {
        let share = match 100.0 * clipped {
            ..0.1 => "Less than 0.1%".to_owned(),
            percent => format!("{percent:.1}%"),
        };
        eprintln!(
            "{share} of the values were below 0 or above 1 and were clamped. Use --offset 0.5 for \
             a band without the mean, or an .exr file, which holds all values"
        );
    }
    if picture.has_opacity && Format::of(out)? == Format::Jpeg {
        eprintln!("the opacity was left out, because JPEG has none");
    }
    if let Some((file, pixels)) = power {
        let has_opacity = false;
        let depth = Depth::Bits8;
        let power = Picture { pixels, has_opacity, depth, ..picture };
        let clipped = power.write(file)?;
        ensure!(clipped == 0.0, "a power spectrum lies between 0 and 1");
    }
    Ok(())
}
