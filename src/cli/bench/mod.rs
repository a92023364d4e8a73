//! `seaway bench`: the speed of transforms. `fft::lab::timing` describes the method.

pub mod cpu;
#[cfg_attr(not(feature = "cuda"), path = "no_cuda.rs")]
mod cuda;
mod ocean;
pub mod others;
pub mod peer_file;
pub mod peers;
mod plot;
mod report;
pub mod stored;
mod summary;
mod sweeps;

use std::path::{Path, PathBuf};

use crate::bench::cpu::LONGEST;
use crate::bench::other::{self, Other};
use crate::bench::series::Host;
use crate::bench::{Figures, Laboratory, Peer, Row, Series};
use crate::fft::lab::timing::{Method, Regime};
use crate::fft::lab::{AlgorithmChoice, References};
use crate::fft::{Descriptor, Placement};
#[cfg(test)]
use crate::figures::Command;
use anyhow::ensure;
use clap::builder::ArgPredicate;
use indicatif::ProgressBar;

use super::Global;
use super::args;
use super::auto::Auto;
use super::device::Gpu;
use super::exit::Usage;
use super::fft_options::{self, Form, ParameterOptions, Tasks};
use super::output;
use super::render::progress_bar;
use super::size;
use peer_file::PeerRows;
use peers::Peers;
use stored::Stored;

/// The headings of options in `--help`.
const TIMES: &str = "Times";
const OTHERS: &str = "Other measurements, in place of the default";
const RESULTS: &str = "Results";

/// The text after the options in `--help`.
const FIGURES: &str = "\
Every measurement checks its results first, repeats what it times until samples
are long enough, and prints one row for each result: FFTs by default, an FFT
with parameters swept (--sweep, --invocations), the steps of an ocean (--ocean),
textbook FFTs on the processor (--cpu), or what else papers measure (--other).

Figures:
  median       time of one transform, from samples of many transforms in one
               pass
  GB/s         bytes that the passes read and write, per second; not for a GPU
               without timestamps
  GFLOPS       5 n log2 n operations for a transform of n points, half as many
               for real data and cosine transforms, whatever the algorithm
               computes
  % of copy    time of a copy over the time of the algorithm; the copy moves the
               same bytes in the same passes, placement and regime (JSON has the
               inverse, copy_ratio: 1 is the ceiling)
  time / PEER  time of seaway over the time of the peer in the same run, so that
               less is better (peer_ratio in JSON)

Peers:
  cufft, cufft_in_place  cuFFT out of place and in place, planar, in the same
                         regime
  cuda_..                the kernels of Mota's thesis in CUDA, in linear memory
                         or in surfaces
  rustfft, realfft       one processor core, for complex and for real numbers
--peer-file adds others that scripts/peers measured, such as FFTW and VkFFT: a
row with the version of each, and a column for each ratio. Their results are
checked as those of Seaway.
Peers compute f64 in 64-bit floats, and the other precisions in 32-bit floats.
They have no cosine transforms.

With --ocean, each row of the JSON is one part of a step (stage): a stage,
to_maps (all stages but the mips), or whole. The regime hot repeats the step;
frame runs it once per submission, after a copy that empties the caches.
stage_timer says how the stages were timed separately.";

#[derive(clap::Args)]
#[command(
    after_help = FIGURES,
    mut_arg("size", |size| size.default_value("256,512,1024")),
    mut_arg("batch", |batch| batch.default_value("4").help(
        "Number of lines, images or volumes in a batch; cannot be used with --ocean, which has its \
         --cascades [1 to 65535]"
    )),
    mut_arg("layout", |layout| layout.help(
        "Memory layout of the images: planar (one after another), or pair (two interleaved, as in \
         the ocean) [default: pair; planar for lines, volumes and real numbers]"
    )),
    // A step of the ocean is timed to be compared with another, not with every algorithm's.
    mut_arg("algorithm", |algorithm| {
        algorithm.default_value_if("ocean", ArgPredicate::Equals("true".into()), "best")
    })
)]
pub struct Args {
    #[command(flatten, next_help_heading = "Transforms")]
    tasks: Tasks,
    #[command(flatten, next_help_heading = "Transforms")]
    form: Form,
    /// FFT libraries to time on the same tasks
    #[arg(
        long,
        value_delimiter = ',',
        value_enum,
        default_value = "rustfft,realfft",
        help_heading = TIMES
    )]
    peer: Vec<Peer>,
    /// Rows of other FFT libraries that scripts/peers wrote, to set beside those of the same problems. A
    /// second file is a later run of the same libraries, whose drift is then stated
    #[arg(long, value_name = "FILE,..", value_delimiter = ',', help_heading = RESULTS)]
    peer_file: Vec<PathBuf>,
    /// Buffers of successive transforms: always the same ones (hot), or more than the caches hold (streaming)
    #[arg(
        long,
        value_name = "NAME,..",
        value_delimiter = ',',
        default_value = "hot",
        help_heading = TIMES,
        value_parser = args::choice::<Regime>()
    )]
    regime: Vec<Regime>,
    /// Where results are written: to other buffers (out-of-place), or over the input (in-place)
    #[arg(
        long,
        value_name = "NAME,..",
        value_delimiter = ',',
        default_value = "out-of-place",
        help_heading = TIMES,
        value_parser = args::choice::<Placement>()
    )]
    placement: Vec<Placement>,
    /// Also time each axis on its own: rows, columns and depths
    #[arg(long, help_heading = TIMES)]
    axes: bool,
    /// Time the textbook algorithms on one processor core instead, on lines of --size points in
    /// 64-bit floats, beside rustfft (Mota 2022, table 2)
    #[arg(
        long,
        help_heading = OTHERS,
        conflicts_with_all = [
            "batch", "dimensions", "kind", "algorithm", "precision", "normalization", "layout",
            "peer", "peer_file", "regime", "placement", "axes", "out", "from", "no_cache",
            fft_options::PARAMETERS
        ]
    )]
    cpu: bool,
    /// Time something else instead, in lines or images of --size
    #[arg(
        long,
        value_name = "NAME,..",
        value_delimiter = ',',
        value_enum,
        help_heading = OTHERS,
        conflicts_with_all = [
            "cpu", "ocean", "dimensions", "kind", "algorithm", "precision", "normalization",
            "direction", "layout", "peer", "peer_file", "regime", "placement", "axes", "out", "from",
            "no_cache", "sweep", "invocations", fft_options::PARAMETERS
        ]
    )]
    other: Vec<Other>,
    #[command(flatten, next_help_heading = OTHERS)]
    sweeps: sweeps::Sweeps,
    #[command(flatten, next_help_heading = OTHERS)]
    ocean: ocean::Options,
    /// Number of samples that each median is taken from [3 to 1000]
    #[arg(
        long,
        value_name = "N",
        default_value = "15",
        help_heading = TIMES,
        value_parser = args::number(3..=1000_u32)
    )]
    samples: u32,
    /// Time limit for all samples of one transform, in seconds; slow transforms get fewer samples,
    /// but at least one [0.001 to 3600]
    #[arg(
        long,
        value_name = "S",
        default_value = "2",
        help_heading = TIMES,
        value_parser = args::number(0.001..=3600.0_f64)
    )]
    budget_s: f64,
    /// Also write the rows to a JSON file as they are measured, with the adapter, driver, date and command
    #[arg(long, value_name = "FILE", help_heading = RESULTS)]
    out: Option<PathBuf>,
    /// Measure nothing, and show the rows of a file that --out wrote; --out then writes them with those of
    /// --peer-file
    #[arg(
        long,
        value_name = "FILE",
        help_heading = RESULTS,
        conflicts_with_all = [
            "size", "batch", "dimensions", "kind", "algorithm", "precision", "normalization", "direction", "layout", "peer", "regime",
            "placement", "axes", "samples", "budget_s", "no_cache", fft_options::PARAMETERS
        ]
    )]
    from: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table, help_heading = RESULTS)]
    format: Format,
    #[command(flatten, next_help_heading = RESULTS)]
    auto: Auto,
    #[command(flatten)]
    parameters: ParameterOptions,
}

/// The values of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// An aligned table
    Table,
    /// JSON, whose snake_case keys name the units
    Json,
    /// Comma-separated values, whose columns are the keys of the JSON output
    Csv,
    /// A Markdown table
    Markdown,
    /// A short Markdown table in microseconds: a row for each algorithm, a column for each size
    Summary,
    /// A plot (SVG) of the times relative to the copy
    Svg,
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let method = args.method();
    if args.cpu {
        let lengths = size::squares(&args.tasks.size, "--cpu", LONGEST)?;
        return cpu::run(&lengths, args.form.direction, &method, args.format);
    }
    if !args.other.is_empty() {
        let sizes = size::squares(&args.tasks.size, "--other", other::LARGEST)?;
        let gpu = Gpu::open(global.limits)?;
        return others::run(&args.other, &sizes, &args.tasks.batch, &method, &gpu, args.format);
    }
    if args.ocean.ocean {
        return ocean::run(args, &method, global);
    }
    if let Some(path) = &args.from {
        let mut stored = Stored::read(path)?;
        stored.write_to(args.out.as_deref())?;
        PeerRows::read(&args.peer_file)?.add_to(&mut stored)?;
        return print(&stored, args.format);
    }
    args.check()?;
    let peer_rows = PeerRows::read(&args.peer_file)?;
    Peers::find(&args.peer)?;
    let gpu = Gpu::open(global.limits)?;
    let out = args.out.as_deref();
    let (mut stored, failures) =
        measure(&args.series(), &args.peer, &method, &args.auto, out, &gpu)?;
    peer_rows.add_to(&mut stored)?;
    print(&stored, args.format)?;
    stored.check()?;
    ensure!(failures.is_empty(), "not every peer could be timed: {}", failures.join("; "));
    Ok(())
}

impl Args {
    /// The transforms to measure.
    pub fn series(&self) -> Series {
        let Self { tasks, form, parameters, sweeps, .. } = self;
        // Requested parameters leave nothing to choose.
        let is_open =
            !parameters.0.is_set() && sweeps.sweep.is_empty() && sweeps.invocations.is_none();
        let open = [AlgorithmChoice::Best, AlgorithmChoice::Auto];
        Series {
            algorithms: tasks.algorithm.list(if is_open { &open } else { &[] }),
            sizes: tasks.size.clone(),
            dimensions: tasks.dimensions.clone(),
            batch: tasks.batch.clone(),
            kinds: tasks.kind.clone(),
            precisions: tasks.precision.clone(),
            normalization: tasks.scale.normalization,
            direction: form.direction,
            layout: form.layout,
            placements: self.placement.clone(),
            regimes: self.regime.clone(),
            axes: self.axes,
            parameters: parameters.0.clone(),
            sweeps: sweeps.sweep.clone(),
            invocations: sweeps.invocations.as_ref().map(|numbers| numbers.0.clone()),
        }
    }

    /// The transforms with the peers, samples and seconds, for tests of lines that other code writes.
    #[cfg(test)]
    pub fn described(&self) -> (Series, &[Peer], (u32, f64)) {
        (self.series(), &self.peer, (self.samples, self.budget_s))
    }

    /// The figures' command of the same measurement, which is none of transforms.
    #[cfg(test)]
    pub fn other_command(&self) -> Command {
        let sizes = size::squares(&self.tasks.size, "a figure", other::LARGEST);
        let sizes = sizes.expect("powers of two");
        match self.other[..] {
            [] if self.cpu => Command::Cpu(sizes),
            [other] => {
                let batch = (self.tasks.batch != [4]).then_some(self.tasks.batch[0]);
                Command::Other { other, sizes, batch }
            }
            _ => panic!("one measurement"),
        }
    }

    /// Checks the arguments before a GPU is needed.
    fn check(&self) -> Result<(), Usage> {
        self.series().subjects().map(drop).map_err(Usage)
    }

    pub fn method(&self) -> Method {
        Method { samples: self.samples, budget_us: self.budget_s * 1e6, ..Method::default() }
    }
}

/// Measures `series` beside `peers`, writing the rows to `out` as they come. Also returns the peers that could
/// not be timed.
pub fn measure(
    series: &Series,
    peers: &[Peer],
    method: &Method,
    auto: &Auto,
    out: Option<&Path>,
    gpu: &Gpu,
) -> anyhow::Result<(Stored<Row>, Vec<String>)> {
    let subjects = series.subjects().map_err(Usage)?;
    let peers = Peers::open(peers, &gpu.context.adapter_info, *method)?;
    for line in peers.describe() {
        eprintln!("peer: {line}");
    }
    if !gpu.context.capabilities.timestamps {
        eprintln!(
            "this adapter has no GPU timestamps: the processor's clock times many transforms from \
             submission to completion, and GB/s are left out"
        );
    }
    let stored = Stored::new(&gpu.context.adapter_info, peers.describe(), out)?;
    let progress = progress_bar(series.steps() as u64, "transforms");
    let mut laboratory = Laboratory::new(&gpu.context, *method);
    let mut bench = Bench { gpu, auto, peers, stored, progress };
    pollster::block_on(series.measure(subjects, &gpu.context, &mut laboratory, &mut bench))?;
    bench.progress.finish_and_clear();
    bench.stored.finish()?;
    Ok((bench.stored, bench.peers.failures))
}

fn print(stored: &Stored<Row>, format: Format) -> anyhow::Result<()> {
    let rows = &stored.rows;
    match format {
        Format::Summary => output::print(&summary::markdown(stored)),
        Format::Svg if report::are_swept(rows) => output::print(&sweeps::chart(stored).svg()),
        Format::Svg => output::print(&plot::svg(stored)),
        format => report::print(rows, format),
    }
}

struct Bench<'a> {
    gpu: &'a Gpu,
    auto: &'a Auto,
    peers: Peers,
    stored: Stored<Row>,
    progress: ProgressBar,
}

impl Host for Bench<'_> {
    type Error = anyhow::Error;

    fn begin(&mut self, words: &str) -> anyhow::Result<()> {
        if self.progress.is_hidden() {
            eprintln!("{words}");
        }
        Ok(())
    }

    async fn resolve(
        &mut self,
        choice: AlgorithmChoice,
        task: &Descriptor,
    ) -> anyhow::Result<Descriptor> {
        self.progress.suspend(|| self.auto.resolve(self.gpu, choice, task))
    }

    fn check(&mut self) -> anyhow::Result<()> {
        self.gpu.check()
    }

    fn add_peers(
        &mut self,
        figures: &mut Figures,
        task: &Descriptor,
        regime: Regime,
        references: &mut References,
    ) {
        figures.peer_us = self.peers.times(task, regime, references);
        let ratio = |(peer, us): (&String, &f64)| (peer.clone(), figures.times.median_us / us);
        figures.peer_ratio = figures.peer_us.iter().map(ratio).collect();
    }

    fn keep(&mut self, row: Row) -> anyhow::Result<()> {
        self.stored.keep([row])
    }

    fn advance(&mut self) {
        self.progress.inc(1);
    }
}

#[cfg(test)]
mod rows {
    use crate::bench::Outcome;
    use crate::fft::lab::Accuracy;
    use crate::fft::lab::timing::{Timer, Times};
    use crate::fft::{Direction, Layout};

    use super::*;

    pub fn row(algorithm: &str, outcome: Outcome<Box<Figures>>) -> Row {
        let task = Descriptor {
            size: [64; 2],
            batch: 4,
            direction: Direction::Inverse,
            layout: Layout::Pair,
            ..Descriptor::default()
        };
        Row::new(algorithm, None, &task, Regime::Hot, "A, \"B\"".into(), outcome)
    }

    pub fn measured(median_us: f64, timer: Timer) -> Outcome<Box<Figures>> {
        let times = Times {
            median_us,
            p5_us: median_us,
            p95_us: median_us,
            samples: 15,
            repetitions: 200,
            timer,
        };
        let accuracy = Accuracy { relative_l2: 1e-7, relative_max: 1e-6 };
        let bytes_moved = (timer == Timer::GpuTimestamps).then_some(1 << 20);
        Outcome::Measured(Box::new(Figures {
            copy_us: Some(1.0),
            copy_ratio: Some(median_us),
            peer_us: [("rustfft".into(), 4.0 * median_us)].into(),
            peer_ratio: [("rustfft".into(), 0.25)].into(),
            ..Figures::new(&Descriptor::default(), times, accuracy, bytes_moved)
        }))
    }
}
