//! Runs the commands that figures are drawn from, and keeps every result: a command that fails leaves the
//! others, and a folder with measurements only gets those that it lacks.

use std::path::Path;

use crate::fft::lab::timing::Method;
use anyhow::{Context as _, bail};
use clap::Parser as _;

use super::catalogue::Figure;
use super::sizes::KernelSize;
use super::{Args, Measurements, read};
use crate::cli::Global;
use crate::cli::bench::peer::Peer;
use crate::cli::bench::peers::Peers;
use crate::cli::bench::stored::RunInfo;
use crate::cli::bench::{self, cpu, others};
use crate::cli::device::Gpu;
use crate::cli::{kernel, output, size};

/// The peer of commands with complex numbers only that are timed beside no other library.
pub const NO_PEER: &str = "--peer realfft";

/// The GPU is seldom idle between measurements, so that less warms it up than in `bench`.
const WARM_UP_US: f64 = 50_000.0;

const FILE: &str = "measurements.json";

/// A command line of `bench`, parsed as the program itself does.
#[derive(clap::Parser)]
struct BenchLine {
    #[command(flatten)]
    args: bench::Args,
}

/// A command line of `kernel`, of which only the size of the kernel is kept.
#[derive(clap::Parser)]
struct KernelLine {
    #[command(flatten)]
    args: kernel::Args,
}

/// Runs the commands of `figures`, each once. Also returns those that failed, with the reasons.
pub fn measure(
    figures: &[&'static Figure],
    args: &Args,
    global: &Global,
) -> anyhow::Result<(Measurements, Vec<String>)> {
    let mut lines: Vec<String> = Vec::new();
    for line in figures.iter().flat_map(|figure| (figure.commands)(args.quick)) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let mut gpu = Gpu::open(global.limits)?;
    let adapter = &gpu.context.adapter_info;
    // A library may be there, and the adapter another's.
    let is_there = |peer: &Peer| Peers::open(&[*peer], adapter, Method::default()).is_ok();
    let of_cuda: Vec<Peer> =
        [Peer::Cufft, Peer::CudaKernels].into_iter().filter(is_there).collect();
    let new = Measurements {
        taken: RunInfo::new(adapter, Vec::new()),
        quick: args.quick,
        commands: Vec::new(),
        rows: Vec::new(),
        cpu: Vec::new(),
        others: Vec::new(),
        kernels: Vec::new(),
        frames: None,
    };
    let mut measurements = if args.fresh { new } else { known(&args.out, new)? };
    if measurements.no_claim() {
        eprintln!(
            "these figures are no claim: {}",
            if args.quick {
                "measured in a hurry (--quick)"
            } else {
                "measured on a software adapter"
            }
        );
    }
    let mut failed = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if measurements.commands.contains(line) {
            continue;
        }
        eprintln!("{} of {}: seaway {line}", number + 1, lines.len());
        match run(line, &of_cuda, args.quick, &gpu, &mut measurements) {
            Ok(failures) => {
                failed.extend(failures);
                measurements.commands.push(line.clone());
                keep(&measurements, &args.out)?;
            }
            Err(error) => {
                eprintln!("it failed, and the others go on: {error:#}");
                failed.push(format!("seaway {line}: {error:#}"));
                // The device may be lost, and with it whatever else would be run on it.
                match Gpu::open(global.limits) {
                    Ok(another) => gpu = another,
                    Err(error) => {
                        failed.push(format!("and all after it: {error:#}"));
                        break;
                    }
                }
            }
        }
    }
    measurements.taken.complete = lines.iter().all(|line| measurements.commands.contains(line));
    keep(&measurements, &args.out)?;
    Ok((measurements, failed))
}

/// Runs one command, and adds its results. Returns the peers that could not be timed.
fn run(
    line: &str,
    of_cuda: &[Peer],
    quick: bool,
    gpu: &Gpu,
    measurements: &mut Measurements,
) -> anyhow::Result<Vec<String>> {
    if line.starts_with("kernel ") {
        let parsed = KernelLine::try_parse_from(line.split_whitespace());
        let KernelLine { args } = parsed.context("a figure's own command")?;
        measurements.kernels.push(KernelSize::of(&args, &gpu.context.capabilities)?);
        return Ok(Vec::new());
    }
    let (line, peer) = peers_of(line, of_cuda);
    // Commands with hundreds of kernels bring their own budget.
    let (budget, warm_up_us) = match (quick, line.contains("--budget-s")) {
        (true, _) => (" --samples 3 --budget-s 0.02", 2_000.0),
        (false, true) => ("", WARM_UP_US),
        (false, false) => (" --budget-s 0.1", WARM_UP_US),
    };
    let words = format!("{line}{peer}{budget}");
    let line = BenchLine::try_parse_from(words.split_whitespace());
    let BenchLine { args: line } = line.context("a figure's own command")?;
    let method = Method { warm_up_us, ..line.method() };
    if line.is_on_processor() {
        let lengths = size::squares(line.sizes(), "--cpu", cpu::LONGEST)?;
        measurements.cpu.extend(cpu::measure_all(&lengths, line.direction(), &method)?);
        return Ok(Vec::new());
    }
    if !line.others().is_empty() {
        let sizes = size::squares(line.sizes(), "--other", others::LARGEST)?;
        let rows = others::measure_all(line.others(), &sizes, line.batch(), &method, gpu)?;
        measurements.others.extend(rows);
        return Ok(Vec::new());
    }
    let (stored, failures) = bench::measure(&line, &method, gpu)?;
    measurements.rows.extend(stored.rows);
    for peer in stored.taken.peers {
        if !measurements.taken.peers.contains(&peer) {
            measurements.taken.peers.push(peer);
        }
    }
    Ok(failures)
}

/// The results of earlier runs into `out`, if any. Fails if they are from another adapter or method, which
/// are neither mixed nor overwritten.
fn known(out: &Path, new: Measurements) -> anyhow::Result<Measurements> {
    let path = out.join(FILE);
    if !path.exists() {
        return Ok(new);
    }
    let known = read(&path)?;
    let of = |all: &Measurements| {
        let RunInfo { adapter, driver, backend, seaway, .. } = &all.taken;
        let form = if all.quick { "in a hurry" } else { "at length" };
        format!("{adapter} ({backend}, {driver}), {form}, by version {seaway}")
    };
    if of(&known) != of(&new) {
        let path = path.display();
        bail!(
            "{path} was measured on {}, and this would be {}: give another --out, or --fresh to \
             measure everything anew",
            of(&known),
            of(&new)
        );
    }
    let (count, date) = (known.commands.len(), &known.taken.date);
    eprintln!("{} has {count} commands since {date}: --fresh measures them anew", path.display());
    Ok(known)
}

/// Writes the measurements to the folder of the figures, in place of earlier ones.
pub fn keep(measurements: &Measurements, out: &Path) -> anyhow::Result<()> {
    output::write(&out.join(FILE), &(serde_json::to_string(measurements)? + "\n"))
}

/// A command without its peers, and its available peers: cuFFT if it names none, else those that run on the
/// processor.
fn peers_of(line: &str, of_cuda: &[Peer]) -> (String, String) {
    if line.contains("--cpu") || line.contains("--other") || line.contains(NO_PEER) {
        return (line.into(), String::new());
    }
    let kernels = Peer::CudaKernels.option();
    let wanted = if line.contains(&kernels) { Peer::CudaKernels } else { Peer::Cufft };
    let peer = match of_cuda.contains(&wanted) {
        true => wanted.option(),
        false => "--peer rustfft,realfft".into(),
    };
    (line.replace(&kernels, ""), format!(" {peer}"))
}
