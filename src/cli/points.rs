//! `seaway points`: records of the water at points over time, as wave buoys make them.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::thread;

use crate::gpu;
use crate::maps::MapFormat;
use crate::query::{Point, Queries, QueryOptions, SurfacePoint, When, cpu};
use crate::settings::{Preset, SeaState};
use crate::{Ocean, OceanOptions};
use anyhow::{Context as _, bail, ensure};
use indicatif::ProgressBar;
use npyz::WriterBuilder as _;
use seaway_core::atomic_write;

use super::Global;
use super::args;
use super::device::Gpu;
use super::exit::Usage;
use super::npy;
use super::output;
use super::render::progress_bar;
use super::scene::{GridArgs, SeaArgs, with_cure};

/// The text after the options in `--help`.
const COLUMNS_HELP: &str = "\
Columns, one row for each point at each time:
  time_s            sea time
  point             the number of the point, from 0
  x_m, z_m          where the buoy is
  height_m          of the water there, over still water
  displacement_x_m, displacement_z_m
                    how far the waves have carried that water from rest; with
                    height_m the three displacements of a buoy that drifts
  slope_x, slope_z  dh/dx and dh/dz of the surface there
  velocity_x_mps, velocity_y_mps, velocity_z_mps
                    of the water there; y is up
A file named .npy holds float64 of shape [times, points, 10], the columns from
x_m on; the time of row i is --from + i / --hz. Waves travel by the angle from x
towards z, as --wind-direction-deg.

The sea is that of pictures at --quality high with the same --size: its points
lie on the drawn water. A moored buoy stays at its point, past which the water
moves; a drifting one follows the water that rests there. Where a surface folds
over there are several answers, of which one is given.

Examples:
  seaway points --preset north-sea --at 0,0 --to 1800 --out buoy.csv
  seaway points --at 0,0,30,0,0,30 --buoy drifting --hz 2.56 --out triangle.npy
  seaway points --file moorings.csv --from 600 --to 4200 | gzip > hour.csv.gz";

/// The columns of CSV files.
const COLUMNS: [&str; 12] = [
    "time_s",
    "point",
    "x_m",
    "z_m",
    "height_m",
    "displacement_x_m",
    "displacement_z_m",
    "slope_x",
    "slope_z",
    "velocity_x_mps",
    "velocity_y_mps",
    "velocity_z_mps",
];
/// Those that a NumPy file holds, too.
const VALUES: usize = COLUMNS.len() - 2;

/// The most points and the farthest place of one.
const MOST_POINTS: usize = 100_000;
const FARTHEST_M: f64 = 1e7;
/// The most samples of a record.
const MOST_SAMPLES: f64 = 1e8;
/// Times that the GPU computes before the first answer is read.
const IN_FLIGHT: u32 = 8;
/// The memory that seas of several times may take at once with `--cpu`.
const CPU_BYTES: usize = 2_000_000_000;

#[derive(clap::Args)]
#[command(after_help = COLUMNS_HELP)]
pub struct Args {
    /// Points on the water, in metres: the x and z of each
    #[arg(
        long,
        value_name = "X,Z[,X,Z..]",
        allow_hyphen_values = true,
        required_unless_present = "file"
    )]
    at: Option<Places>,
    /// File with a point on each line, x,z in metres; a line of headings and lines that begin with #
    /// may be among them. They follow those of --at
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Sea time of the first sample, in seconds [-10000000 to 10000000]
    #[arg(long, value_name = "SECONDS", default_value = "0", allow_negative_numbers = true, value_parser = args::number(-1.0e7..=1.0e7))]
    from: f64,
    /// Sea time at which the record ends, in seconds: there is no sample at that time itself
    /// [-10000000 to 10000000]
    #[arg(long, value_name = "SECONDS", default_value = "1800", allow_negative_numbers = true, value_parser = args::number(-1.0e7..=1.0e7))]
    to: f64,
    /// Samples per second of sea time [0.001 to 1000]
    #[arg(long, value_name = "NUMBER", default_value = "4", allow_negative_numbers = true, value_parser = args::number(0.001..=1000.0))]
    hz: f64,
    /// How the buoy moves
    #[arg(long, value_enum, default_value_t = Buoy::Moored)]
    buoy: Buoy,
    /// Width of the buoy in metres, which does not feel waves much shorter than that; 0 feels all
    /// [0 to 1000]
    #[arg(long, value_name = "NUMBER", default_value = "0", allow_negative_numbers = true, value_parser = args::number(0.0..=1000.0))]
    footprint_m: f64,
    /// File for the record: .npy for NumPy, others for comma-separated values [default: - (stdout)]
    #[arg(long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    out: PathBuf,
    #[command(flatten)]
    grid: GridArgs,
    /// Compute on the processor in 64-bit floats. This needs no adapter, and takes a tenth of a second
    /// for each time at --size 256
    #[arg(long)]
    cpu: bool,
    #[command(flatten)]
    sea: SeaArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Buoy {
    /// It stays at its point
    Moored,
    /// It follows the water that rests at its point
    Drifting,
}

/// The value of `--at`.
#[derive(Clone, Debug, PartialEq)]
struct Places(Vec<[f64; 2]>);

impl FromStr for Places {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<_> = text.split(',').map(coordinate).collect::<Result<_, _>>()?;
        match numbers.as_chunks() {
            (pairs, []) if !pairs.is_empty() => Ok(Self(pairs.to_vec())),
            _ => Err(format!("expected x and z of each point, and {} is odd", numbers.len())),
        }
    }
}

fn coordinate(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|at| at.abs() <= FARTHEST_M);
    number.ok_or_else(|| {
        format!("expected numbers of metres from -{FARTHEST_M} to {FARTHEST_M}: {}", text.trim())
    })
}

/// Reads the points of `--file`.
fn places_of(path: &Path) -> anyhow::Result<Vec<[f64; 2]>> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name} could not be read"))?;
    let mut places = Vec::new();
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let mut lines = lines
        .map(|(number, line)| (number, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .peekable();
    // Headings have no numbers.
    lines.next_if(|(_, line)| line.split(',').all(|part| part.trim().parse::<f64>().is_err()));
    for (number, line) in lines {
        let parsed: Places =
            line.parse().map_err(|error| anyhow::anyhow!("{name}:{number}: {error}"))?;
        ensure!(
            parsed.0.len() == 1,
            "{name}:{number}: expected x,z and found {} numbers",
            2 * parsed.0.len()
        );
        places.extend(parsed.0);
    }
    ensure!(!places.is_empty(), "{name} has no points: write x,z in metres on a line for each");
    Ok(places)
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let places = args.places()?;
    let times = args.times()?;
    ensure!(
        f64::from(times) * places.len() as f64 <= MOST_SAMPLES,
        Usage(format!(
            "{times} times at {} points are more than {MOST_SAMPLES:e} samples: choose a lower --hz, \
             or record in parts by --from and --to",
            places.len()
        ))
    );
    if !npy::is_stdout(&args.out) {
        output::check_file(&args.out)?;
    }
    let grid = args.grid.resolve()?;
    let Preset { sea, .. } = args.sea.resolve()?;
    let mut source = Source::new(args, global, &sea, OceanOptions::fixed(&grid), places.len())?;
    let mut record = Record::new(args, places, times);
    record.write(&mut source)?;
    let expected_m = source.significant_wave_height_m();
    eprintln!(
        "{times} times at {} point(s): Hs {:.3} m, expected {expected_m:.3} m",
        record.points.len(),
        record.heights.significant_m(),
    );
    if record.folded > 0 {
        eprintln!(
            "warning: the surface was folded over in {} sample(s), which are of the nearest water",
            record.folded
        );
    }
    Ok(())
}

impl Args {
    fn places(&self) -> anyhow::Result<Vec<[f64; 2]>> {
        let mut places = self.at.as_ref().map_or(Vec::new(), |at| at.0.clone());
        if let Some(path) = &self.file {
            places.extend(places_of(path)?);
        }
        ensure!(
            places.len() <= MOST_POINTS,
            "{} points are more than {MOST_POINTS}: record them in parts",
            places.len()
        );
        Ok(places)
    }

    /// The number of samples at each point.
    fn times(&self) -> anyhow::Result<u32> {
        let Self { from, to, hz, .. } = self;
        if to <= from {
            bail!(Usage(format!(
                "--to {to} is not after --from {from}: the record would be empty"
            )));
        }
        // A hair less, by which the last sample would be at the end itself.
        let times = ((to - from) * hz - 1e-6).ceil().max(1.0);
        ensure!(
            times <= MOST_SAMPLES,
            Usage(format!("{times} times are more than {MOST_SAMPLES:e}"))
        );
        Ok(times as u32)
    }

    fn time_s(&self, index: u32) -> f64 {
        self.from + f64::from(index) / self.hz
    }
}

/// The processor or GPU that computes the sea.
enum Source {
    Gpu { gpu: Box<Gpu>, ocean: Box<Ocean>, queries: Box<Queries> },
    Cpu { queries: Box<cpu::Queries>, threads: usize, expected_m: f64 },
}

impl Source {
    fn new(
        args: &Args,
        global: &Global,
        sea: &SeaState,
        options: OceanOptions,
        points: usize,
    ) -> anyhow::Result<Self> {
        if args.cpu {
            let initial = Ocean::prepare(sea, &options)?;
            let expected_m = initial.significant_wave_height_m();
            // Eight fields, three rates and their mips, of 64-bit floats.
            let texels = options.cascades as usize * (options.size as usize).pow(2);
            let most = (CPU_BYTES / (texels * 11 * 8 * 4 / 3)).max(1);
            let threads = thread::available_parallelism().map_or(1, NonZero::get).min(most);
            let queries = Box::new(cpu::Queries::new(initial, &options));
            return Ok(Self::Cpu { queries, threads, expected_m });
        }
        let gpu = Gpu::open(global.limits)?;
        let gpu::Context { device, queue, .. } = &gpu.context;
        // Records need no speed, and 16-bit floats round waves to millimetres.
        let map_format = match gpu.context.capabilities.float32_filterable {
            true => MapFormat::F32,
            false => MapFormat::F16,
        };
        let options = OceanOptions { map_format, ..options };
        let ocean = Ocean::new(device, queue, sea, options).map_err(with_cure)?;
        let asked = QueryOptions {
            capacity: points as u32,
            in_flight: IN_FLIGHT,
            velocity: true,
            ahead: false,
        };
        let queries = Queries::new(device, queue, &ocean, asked)?;
        gpu.check()?;
        Ok(Self::Gpu { ocean: Box::new(ocean), queries: Box::new(queries), gpu: Box::new(gpu) })
    }

    /// Hs of the waves of the cascades.
    fn significant_wave_height_m(&self) -> f64 {
        match self {
            Self::Gpu { ocean, .. } => ocean.spectrum().significant_wave_height_m(),
            Self::Cpu { expected_m, .. } => *expected_m,
        }
    }

    /// Times that are computed together.
    fn at_once(&self) -> usize {
        match self {
            Self::Gpu { .. } => IN_FLIGHT as usize,
            Self::Cpu { threads, .. } => *threads,
        }
    }

    /// The surface at the points at each of those times, at most [`Source::at_once`].
    fn sample(
        &mut self,
        times_s: &[f64],
        points: &[Point],
    ) -> anyhow::Result<Vec<Vec<SurfacePoint>>> {
        let (gpu, ocean, queries) = match self {
            Self::Gpu { gpu, ocean, queries } => (gpu, ocean, queries),
            Self::Cpu { queries, .. } => {
                return Ok(thread::scope(|scope| {
                    let started: Vec<_> = times_s
                        .iter()
                        .map(|&time_s| {
                            let mut queries = queries.clone();
                            scope.spawn(move || queries.at(time_s).query(points))
                        })
                        .collect();
                    let joined = started.into_iter().map(|thread| thread.join());
                    joined.map(|found| found.expect("queries do not panic")).collect()
                }));
            }
        };
        let gpu::Context { device, queue, .. } = &gpu.context;
        let mut requests = Vec::with_capacity(times_s.len());
        for &time_s in times_s {
            let mut encoder = device
                .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("points") });
            ocean.encode(&mut encoder, time_s);
            let when = When::Drawn { time_s };
            requests.push(queries.encode(queue, &mut encoder, ocean, when, points)?);
            queue.submit([encoder.finish()]);
        }
        device.poll(wgpu::PollType::wait_indefinitely())?;
        // The GPU's own complaint comes first.
        gpu.check()?;
        let answer = |mut request: crate::query::Request| {
            let answer = request.answer().context("the water did not come back from the GPU")??;
            Ok(answer.points)
        };
        requests.into_iter().map(answer).collect()
    }
}

/// A record while it is written.
struct Record<'a> {
    args: &'a Args,
    places: Vec<[f64; 2]>,
    points: Vec<Point>,
    times: u32,
    heights: Heights,
    folded: u64,
}

impl<'a> Record<'a> {
    fn new(args: &'a Args, places: Vec<[f64; 2]>, times: u32) -> Self {
        let point = |position_m: &[f64; 2]| Point {
            position_m: *position_m,
            footprint_m: args.footprint_m,
            is_at_rest: args.buoy == Buoy::Drifting,
        };
        let points = places.iter().map(point).collect();
        Self { args, places, points, times, heights: Heights::default(), folded: 0 }
    }

    /// Writes the record to `--out`: the whole of it, or nothing. Standard output gets it as it comes.
    fn write(&mut self, source: &mut Source) -> anyhow::Result<()> {
        let out = self.args.out.clone();
        if npy::is_stdout(&out) {
            let text = self.write_csv(source, &mut io::stdout().lock());
            return text.or_else(|error| match error.downcast_ref::<io::Error>() {
                // A reader that closes the pipe is no error.
                Some(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                _ => Err(error.context("the record could not be written")),
            });
        }
        let is_npy = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"));
        let mut failed = None;
        let written = atomic_write::write(&out, |file| {
            let filled = match is_npy {
                true => self.write_npy(source, file),
                false => self.write_csv(source, file),
            };
            filled.map_err(|error| match error.downcast() {
                Ok(error) => error,
                Err(error) => {
                    failed = Some(error);
                    io::Error::other("the sea could not be computed")
                }
            })
        });
        match failed {
            Some(error) => Err(error),
            None => written.with_context(|| format!("{} could not be written", out.display())),
        }
    }

    fn write_csv(&mut self, source: &mut Source, to: &mut dyn io::Write) -> anyhow::Result<()> {
        let mut to = BufWriter::new(to);
        writeln!(to, "{}", COLUMNS.join(","))?;
        self.each(source, |time_s, point, values| {
            write!(to, "{time_s:.6},{point}")?;
            values.iter().try_for_each(|value| write!(to, ",{value:.6}"))?;
            writeln!(to)
        })?;
        Ok(to.flush()?)
    }

    fn write_npy(&mut self, source: &mut Source, file: &mut File) -> anyhow::Result<()> {
        let shape = [u64::from(self.times), self.points.len() as u64, VALUES as u64];
        let mut to = BufWriter::new(file);
        let options = npyz::WriteOptions::new().default_dtype().shape(&shape);
        let mut writer = options.writer(&mut to).begin_nd()?;
        self.each(source, |_, _, values| writer.extend(values))?;
        writer.finish()?;
        Ok(to.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?)
    }

    /// Calls `visit` with the time, the point and its values in each sample, in the order of the rows.
    fn each(
        &mut self,
        source: &mut Source,
        mut visit: impl FnMut(f64, usize, [f64; VALUES]) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let progress = Progress::new(u64::from(self.times));
        let step = source.at_once() as u32;
        for first in (0..self.times).step_by(step as usize) {
            let range = first..self.times.min(first + step);
            let times_s: Vec<_> = range.map(|index| self.args.time_s(index)).collect();
            let surfaces = source.sample(&times_s, &self.points)?;
            for (time_s, surfaces) in times_s.iter().zip(surfaces) {
                for (point, surface) in surfaces.iter().enumerate() {
                    let values = values(surface, self.place_m(point, surface));
                    ensure!(
                        values.iter().all(|value| value.is_finite()),
                        "the water at {time_s} s is not finite: the adapter computes wrong results. \
                         Check it with `seaway verify`, or use --cpu"
                    );
                    self.heights.push(surface.height_m);
                    self.folded += u64::from(!surface.is_solved());
                    visit(*time_s, point, values)?;
                }
            }
            progress.0.inc(times_s.len() as u64);
        }
        Ok(())
    }

    /// The place of a buoy.
    fn place_m(&self, point: usize, surface: &SurfacePoint) -> [f64; 2] {
        match self.args.buoy {
            Buoy::Moored => self.places[point],
            Buoy::Drifting => surface.position_m,
        }
    }
}

fn values(surface: &SurfacePoint, [x, z]: [f64; 2]) -> [f64; VALUES] {
    let SurfacePoint { height_m, normal: [nx, ny, nz], position_m, at_rest_m, .. } = *surface;
    let [dx, dz] = [0, 1].map(|axis| position_m[axis] - at_rest_m[axis]);
    let [vx, vy, vz] = surface.velocity_mps.unwrap_or_default();
    [x, z, height_m, dx, dz, -nx / ny, -nz / ny, vx, vy, vz]
}

/// A progress bar that disappears when the work ends, well or not.
struct Progress(ProgressBar);

impl Progress {
    fn new(times: u64) -> Self {
        let bar = progress_bar(times, "times");
        bar.tick();
        Self(bar)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The sums by which the heights of a record have their variance.
#[derive(Default)]
struct Heights {
    count: f64,
    mean_m: f64,
    squares_m2: f64,
}

impl Heights {
    /// Adds a height (Welford 1962).
    fn push(&mut self, height_m: f64) {
        self.count += 1.0;
        let from_mean_m = height_m - self.mean_m;
        self.mean_m += from_mean_m / self.count;
        self.squares_m2 += from_mean_m * (height_m - self.mean_m);
    }

    /// Hs, four standard deviations.
    fn significant_m(&self) -> f64 {
        4.0 * (self.squares_m2 / self.count.max(1.0)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_pairs() {
        assert_eq!("1,-2.5".parse(), Ok(Places(vec![[1.0, -2.5]])));
        assert_eq!(" 1, 2 ,3,4".parse(), Ok(Places(vec![[1.0, 2.0], [3.0, 4.0]])));
        for (text, hint) in
            [("1", "1 is odd"), ("1,2,3", "3 is odd"), ("", "numbers"), ("a,b", ": a")]
        {
            let error = text.parse::<Places>().unwrap_err();
            assert!(error.contains(hint), "{text}: {error}");
        }
        for text in ["nan,1", "1,inf", "1e9,0"] {
            assert!(text.parse::<Places>().is_err(), "{text}");
        }
    }

    #[test]
    fn hs_is_four_standard_deviations() {
        let mut heights = Heights::default();
        for index in 0..1000 {
            heights.push(5.0 + if index % 2 == 0 { 0.25 } else { -0.25 });
        }
        assert!((heights.significant_m() - 1.0).abs() < 1e-12);
    }
}
