//! `seaway bench`: the speed of transforms. `fft::lab::timing` describes the method.

pub mod cpu;
#[cfg_attr(not(feature = "cuda"), path = "no_cuda.rs")]
mod cuda;
mod ocean;
pub mod others;
pub mod peer;
pub mod peer_file;
pub mod peers;
mod plot;
mod report;
pub mod stored;
mod summary;
mod sweeps;

use std::path::PathBuf;

use crate::bench::{Figures, Laboratory, Outcome, Row};
use crate::fft::lab::timing::{Method, Regime};
use crate::fft::lab::{self, AlgorithmChoice, References, Workload};
use crate::fft::{Axis, Descriptor, Direction, Kind, Layout, Placement};
use anyhow::ensure;
use clap::builder::ArgPredicate;
use indicatif::ProgressBar;

use super::Global;
use super::args;
use super::auto::Auto;
use super::device::Gpu;
use super::exit::Usage;
use super::fft_options::{self, Form, ParameterOptions, Problem, Tasks};
use super::output;
use super::render::progress_bar;
use super::size::{self, Size};
use others::Other;
use peer::Peer;
use peer_file::PeerRows;
use peers::Peers;
use stored::Stored;
use sweeps::Variant;

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
  GB/s         bytes that the passes read and write, per second; needs GPU
               timestamps
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
        let lengths = size::squares(&args.tasks.size, "--cpu", cpu::LONGEST)?;
        return cpu::run(&lengths, args.form.direction, &method, args.format);
    }
    if !args.other.is_empty() {
        let sizes = size::squares(&args.tasks.size, "--other", others::LARGEST)?;
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
    let (mut stored, failures) = measure(args, &method, &gpu)?;
    peer_rows.add_to(&mut stored)?;
    print(&stored, args.format)?;
    stored.check()?;
    ensure!(failures.is_empty(), "not every peer could be timed: {}", failures.join("; "));
    Ok(())
}

/// Dimensions, and width, height and depth.
type Extent = (u32, [u32; 3]);

impl Args {
    /// The algorithms, and the sizes of lines, images or volumes.
    fn subjects(&self) -> Result<(Vec<AlgorithmChoice>, Vec<Extent>), Usage> {
        // Requested parameters leave nothing to choose.
        let open = [AlgorithmChoice::Best, AlgorithmChoice::Auto];
        let is_open = !self.parameters.is_set() && !self.sweeps.is_set();
        let open = if is_open { &open } else { &[][..] };
        let algorithms = self.sweeps.algorithms(&self.tasks.algorithm.list(open))?;
        self.parameters.check(&algorithms)?;
        let extents = match self.sweeps.is_of_a_line() {
            true => {
                let lines = size::squares(&self.tasks.size, "--invocations", sweeps::LONGEST)?;
                lines.into_iter().map(|length| (1, [length, 1, 1])).collect()
            }
            false => self.tasks.extents()?,
        };
        Ok((algorithms, extents))
    }

    /// Checks the arguments before a GPU is needed.
    fn check(&self) -> Result<(), Usage> {
        self.subjects().map(|_| ())
    }

    /// Whether the rows are of lines on one processor core.
    pub fn is_on_processor(&self) -> bool {
        self.cpu
    }

    /// The other measurements, in place of transforms.
    pub fn others(&self) -> &[Other] {
        &self.other
    }

    pub fn batch(&self) -> &[u32] {
        &self.tasks.batch
    }

    pub fn sizes(&self) -> &[Size] {
        &self.tasks.size
    }

    pub fn direction(&self) -> Direction {
        self.form.direction
    }

    pub fn method(&self) -> Method {
        Method { samples: self.samples, budget_us: self.budget_s * 1e6, ..Method::default() }
    }
}

/// Measures everything that `args` request; also returns the peers that could not be timed.
pub fn measure(
    args: &Args,
    method: &Method,
    gpu: &Gpu,
) -> anyhow::Result<(Stored<Row>, Vec<String>)> {
    let (algorithms, extents) = args.subjects()?;
    let method = *method;
    let peers = Peers::open(&args.peer, &gpu.context.adapter_info, method)?;
    for line in peers.describe() {
        eprintln!("peer: {line}");
    }
    if !gpu.context.capabilities.timestamps {
        eprintln!(
            "this adapter has no GPU timestamps: the processor's clock times many transforms from \
             submission to completion, and GB/s are left out"
        );
    }
    let adapter = &gpu.context.adapter_info;
    let stored = Stored::new(adapter, peers.describe(), args.out.as_deref())?;
    let Tasks { batch, kind, precision, .. } = &args.tasks;
    let batch = if args.sweeps.is_of_a_line() { &vec![1] } else { batch };
    let forms = kind.len() * precision.len() * args.placement.len() * args.regime.len();
    let tasks = extents.len() * batch.len() * forms;
    let progress = progress_bar((tasks * algorithms.len()) as u64, "transforms");
    let laboratory = Laboratory::new(&gpu.context, method);
    let mut bench = Bench { args, gpu, method, peers, laboratory, stored, progress };
    for (dimensions, extent) in extents {
        for &kind in kind {
            // One size at a time: the references of all would fill the memory.
            *bench.laboratory.references() = References::default();
            for &batch in batch {
                let problem = Problem { kind, dimensions, extent, batch };
                for task in bench.tasks(problem) {
                    for &regime in &args.regime {
                        bench.rows(&algorithms, problem, &task, regime)?;
                    }
                }
            }
        }
    }
    bench.finish()
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
    args: &'a Args,
    gpu: &'a Gpu,
    method: Method,
    peers: Peers,
    laboratory: Laboratory<'a>,
    stored: Stored<Row>,
    progress: ProgressBar,
}

impl Bench<'_> {
    /// The tasks of every algorithm for `problem`: one for each precision and placement.
    fn tasks(&self, problem: Problem) -> Vec<Descriptor> {
        let Tasks { precision, scale, .. } = &self.args.tasks;
        let usual = match (problem.kind, problem.dimensions) {
            (Kind::Complex, 2) => Layout::Pair,
            _ => Layout::Planar,
        };
        let layout = self.args.form.layout.unwrap_or(usual);
        let mut tasks = Vec::new();
        for &precision in precision {
            for &placement in &self.args.placement {
                tasks.push(Descriptor {
                    direction: self.args.form.direction,
                    normalization: scale.normalization(precision),
                    precision,
                    placement,
                    ..problem.task(layout)
                });
            }
        }
        tasks
    }

    /// Measures all of `algorithms` on `task`.
    fn rows(
        &mut self,
        algorithms: &[AlgorithmChoice],
        problem: Problem,
        task: &Descriptor,
        regime: Regime,
    ) -> anyhow::Result<()> {
        if self.progress.is_hidden() {
            let Descriptor { precision, placement, .. } = task;
            eprintln!("{}, {precision}, {placement}, {regime}", problem.in_words());
        }
        let copy_us = pollster::block_on(self.laboratory.copy_us(task, regime));
        let copy_us = self.gpu.check().ok().and(copy_us.ok());
        for &choice in algorithms {
            match choice.named() {
                Some(algorithm) => {
                    let capabilities = &self.gpu.context.capabilities;
                    let Args { sweeps, parameters, .. } = self.args;
                    let variants = sweeps.variants(algorithm, parameters, task, capabilities);
                    self.variants(choice, variants, task, regime, copy_us)?;
                }
                None => {
                    let resolve = || self.args.auto.resolve(self.gpu, choice, task);
                    let descriptor = self.progress.suspend(resolve)?;
                    let outcome = self.outcome(&descriptor, regime, copy_us)?;
                    let row = self.row(choice, &descriptor, regime, outcome);
                    self.stored.keep([row])?;
                }
            }
            self.progress.inc(1);
        }
        Ok(())
    }

    /// Measures one algorithm with one set of parameters after another.
    fn variants(
        &mut self,
        choice: AlgorithmChoice,
        variants: Vec<Variant>,
        task: &Descriptor,
        regime: Regime,
        copy_us: Option<f64>,
    ) -> anyhow::Result<()> {
        let is_sweep = self.args.sweeps.is_set();
        let mut first_us = None;
        for Variant { configuration, invocations } in variants {
            let row = match configuration {
                // It lacks a requested parameter.
                Err(reason) => self.row(choice, task, regime, Outcome::skipped(reason)),
                Ok(configuration) => {
                    let descriptor = task.clone().by(configuration);
                    let mut outcome = self.outcome(&descriptor, regime, copy_us)?;
                    if let Outcome::Measured(figures) = &mut outcome {
                        let first_us = *first_us.get_or_insert(figures.times.median_us);
                        figures.speed_up = is_sweep.then_some(first_us / figures.times.median_us);
                    }
                    self.row(choice, &descriptor, regime, outcome)
                }
            };
            self.stored.keep([Row { invocations, ..row }])?;
        }
        Ok(())
    }

    /// Marks the measurement as complete.
    fn finish(mut self) -> anyhow::Result<(Stored<Row>, Vec<String>)> {
        self.progress.finish_and_clear();
        self.stored.finish()?;
        Ok((self.stored, self.peers.failures))
    }

    fn row(
        &self,
        choice: AlgorithmChoice,
        descriptor: &Descriptor,
        regime: Regime,
        outcome: Outcome<Box<Figures>>,
    ) -> Row {
        let capabilities = &self.gpu.context.capabilities;
        let chosen = match choice.named() {
            Some(_) => None,
            None => descriptor
                .algorithm
                .or_else(|| lab::choose(descriptor, capabilities).ok())
                .map(|configuration| configuration.complete(descriptor, capabilities))
                .and_then(Result::ok),
        };
        let adapter = self.gpu.context.describe();
        Row::new(choice.name(), chosen, descriptor, regime, adapter, outcome)
    }

    fn outcome(
        &mut self,
        descriptor: &Descriptor,
        regime: Regime,
        copy_us: Option<f64>,
    ) -> anyhow::Result<Outcome<Box<Figures>>> {
        // Before anything is timed: a wrong result has no time.
        let checked = pollster::block_on(self.laboratory.check(descriptor, regime));
        // The GPU's own complaint comes first: it is the cause of a failed read-back.
        self.gpu.check()?;
        let checked = match checked?.measured() {
            Ok(checked) => checked,
            Err(other) => return Ok(other),
        };
        let figures = pollster::block_on(self.laboratory.figures(&checked, copy_us));
        self.gpu.check()?;
        let mut outcome = figures?;
        if let Outcome::Measured(figures) = &mut outcome {
            self.add_axes(figures, &checked.workload, descriptor)?;
            figures.peer_us = self.peers.times(descriptor, regime, self.laboratory.references());
            let ratio = |(peer, us): (&String, &f64)| (peer.clone(), figures.times.median_us / us);
            figures.peer_ratio = figures.peer_us.iter().map(ratio).collect();
        }
        Ok(outcome)
    }

    /// Times each axis on its own, and the processor's time to record it, where requested.
    fn add_axes(
        &self,
        figures: &mut Figures,
        workload: &Workload<'_>,
        descriptor: &Descriptor,
    ) -> anyhow::Result<()> {
        // With a single repetition, the time would be that of the pass.
        const TOGETHER: u32 = 50;
        if descriptor.algorithm.is_some_and(|known| known.is_of_one_dispatch()) {
            return Ok(());
        }
        for &axis in descriptor.axes.list().iter().filter(|_| self.args.axes) {
            let times = pollster::block_on(self.laboratory.times(workload, Some(axis)));
            self.gpu.check()?;
            let us = Some(times?.median_us);
            let record = || workload.record(axis, TOGETHER);
            let record = || peers::measure(&self.method, record).median_us() / f64::from(TOGETHER);
            match axis {
                Axis::Row => (figures.row_us, figures.row_encode_us) = (us, Some(record())),
                Axis::Column => {
                    (figures.column_us, figures.column_encode_us) = (us, Some(record()))
                }
                Axis::Depth => figures.depth_us = us,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod rows {
    use crate::fft::lab::Accuracy;
    use crate::fft::lab::timing::{Timer, Times};

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
        Outcome::Measured(Box::new(Figures {
            copy_us: Some(1.0),
            copy_ratio: Some(median_us),
            peer_us: [("rustfft".into(), 4.0 * median_us)].into(),
            peer_ratio: [("rustfft".into(), 0.25)].into(),
            ..Figures::new(&Descriptor::default(), times, accuracy, 1 << 20)
        }))
    }
}
