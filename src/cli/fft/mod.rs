//! `seaway fft`: transforms of a NumPy file, with the meaning of `numpy.fft.fftn` and `rfftn` and
//! of `scipy.fft.dctn`, and of their inverses.

mod cpu;
mod gpu;
mod stages;
mod task;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use crate::choice::Choice as _;
use crate::fft::lab::AlgorithmChoice;
use crate::fft::{Kind, Precision};
use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser as _, ValueParser};

use super::Global;
use super::args;
use super::auto::Auto;
use super::exit::Usage;
use super::npy;
use super::output;
use super::render::progress_bar;
use stages::Stage;
use task::{Norm, Task};

const EXAMPLES: &str = "\
Examples:
  seaway fft image.npy spectrum.npy                      numpy.fft.fft2(image)
  seaway fft image.npy half.npy --kind real              numpy.fft.rfft2(image)
  seaway fft half.npy image.npy --kind real --inverse --last-length 501
  seaway fft block.npy out.npy --kind dct2 --axes 0,1,2 --norm ortho";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Array to transform, of any shape: complex, real, integer or bool, in C or Fortran order
    #[arg(value_name = "IN.npy")]
    input: PathBuf,
    /// File for the result, in C order, or - for stdout; it has 32-bit floats if the input has 16
    /// or 32 bits, else 64-bit floats
    #[arg(value_name = "OUT.npy")]
    output: PathBuf,
    /// Kind of transform: complex numbers as in numpy.fft.fftn; real numbers to half of their
    /// spectrum as in rfftn (with --inverse back, as in irfftn); or a cosine transform of real
    /// numbers, of type I to IV, as in scipy.fft.dctn
    #[arg(long, default_value_t = Kind::Complex, value_parser = args::choice::<Kind>())]
    kind: Kind,
    /// Axes to transform, counted from 0, or from the end if negative; the other axes are a batch.
    /// With --kind real, the last axis given holds the real numbers [default: -2,-1; -1 for an
    /// array with one axis]
    #[arg(
        long,
        value_name = "AXIS,..",
        value_delimiter = ',',
        num_args = 1,
        allow_hyphen_values = true
    )]
    axes: Vec<i64>,
    /// Transform from frequency to space, as ifftn, irfftn and idctn do
    #[arg(long)]
    inverse: bool,
    /// With --kind real --inverse: number of real numbers along the last of --axes, which half of a
    /// spectrum does not determine [default: 2 (bins - 1), which is even]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 30))]
    last_length: Option<u32>,
    /// Normalization as in NumPy: the direction that divides
    #[arg(long, value_enum, default_value_t = Norm::Backward)]
    norm: Norm,
    /// Precision of the computation on the GPU: f32 or f64 [default: that of the input; f32 if the
    /// adapter has no 64-bit floats]
    #[arg(long, value_name = "FLOATS", value_parser = precision())]
    precision: Option<Precision>,
    /// FFT algorithm [default: the best known for the adapter]
    #[arg(long, value_name = "NAME", value_parser = args::algorithm())]
    algorithm: Option<AlgorithmChoice>,
    #[command(flatten)]
    auto: Auto,
    /// Compute on the processor, in 64-bit floats
    #[arg(long, conflicts_with_all = ["algorithm", "precision"])]
    cpu: bool,
}

fn precision() -> ValueParser {
    PossibleValuesParser::new([Precision::F32, Precision::F64].map(Precision::name))
        .map(|name| Precision::from_name(&name).expect("one of the possible values"))
        .into()
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    task::check(args)?;
    if !npy::is_stdout(&args.output) {
        output::check_file(&args.output)?;
    } else if io::stdout().is_terminal() {
        let why = "a NumPy file is binary: name a file, or redirect stdout to one, as in - > \
                   out.npy";
        bail!(Usage(why.into()));
    }
    let array = npy::read(&args.input)?;
    let task = Task::of(&array, args)?;
    let result = if args.cpu {
        task.apply(array, on_cpu)?
    } else {
        let mut gpu = None;
        let single = array.single;
        task.apply(array, |stage, parts| {
            // Opened where there is something to compute.
            if gpu.is_none() {
                gpu = Some(gpu::Transformer::open(args, global, single, stage)?);
            }
            gpu.as_mut().expect("just opened").run(stage, parts)
        })?
    };
    npy::write(&args.output, &result)
}

fn on_cpu(stage: &Stage, parts: Vec<f64>) -> anyhow::Result<Vec<f64>> {
    /// Numbers that are transformed between two steps of the progress bar.
    const AT_ONCE: usize = 1 << 19;
    stage.split().iter().try_fold(parts, |parts, stage| {
        let by_rows = |kind, direction, length: usize, rows: &[f64]| {
            Ok(cpu::rows(kind, direction, length, rows))
        };
        line_by_line(stage, &parts, AT_ONCE, by_rows)
    })
}

/// Transforms `stage`, of one axis, in parts of about `at_once` numbers by `rows`, which takes contiguous
/// lines of the given number of points (for [`Kind::Real`], on the real side).
fn line_by_line(
    stage: &Stage,
    parts: &[f64],
    at_once: usize,
    mut by_rows: impl FnMut(Kind, crate::fft::Direction, usize, &[f64]) -> anyhow::Result<Vec<f64>>,
) -> anyhow::Result<Vec<f64>> {
    let (kind, direction) = (stage.kind, stage.direction);
    let lines = stage.lines().expect("a stage of one axis");
    let points = stages::points(kind, direction, lines.length);
    let components = stages::components(kind, direction);
    let [from, to] = points.map(|length| stages::Lines { length, ..lines });
    let line_parts = (points[0] * components[0]).max(points[1] * components[1]);
    let block = (at_once / line_parts).clamp(1, lines.count());
    let mut result = vec![0.0; lines.count() * points[1] * components[1]];
    let bar = progress_bar(lines.count().div_ceil(block) as u64, "parts transformed");
    for first in (0..lines.count()).step_by(block) {
        let count = block.min(lines.count() - first);
        let rows = from.gather(parts, components[0], first, count);
        let rows = by_rows(kind, direction, lines.length, &rows)?;
        to.scatter(&rows, components[1], first, &mut result);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(result)
}
