//! Runs the commands that figures are drawn from, and keeps every result: a command that fails leaves the
//! others, and a folder with measurements only gets those that it lacks.

use std::path::Path;

use anyhow::{bail, ensure};

use super::{Args, read};
use crate::bench::{Peer, RunInfo};
use crate::cli::Global;
use crate::cli::auto::Auto;
use crate::cli::bench::peers::Peers;
use crate::cli::bench::{self, cpu, others, stored};
use crate::cli::device::Gpu;
use crate::cli::output;
use crate::fft::Direction;
use crate::fft::lab::timing::Method;
use crate::figures::{self, Bench, Command, Figure, KernelSize, Measurements, NO_PEER};

const FILE: &str = "measurements.json";

/// Runs the commands of `figures`, each once. Also returns those that failed, with the reasons.
pub fn measure(
    figures: &[&'static Figure],
    args: &Args,
    global: &Global,
) -> anyhow::Result<(Measurements, Vec<String>)> {
    let commands = figures::commands(figures, |figure| (figure.commands)(args.quick));
    let mut gpu = Gpu::open(global.limits)?;
    let adapter = &gpu.context.adapter_info;
    // A library may be there, and the adapter another's.
    let is_there = |peer: &Peer| Peers::open(&[*peer], adapter, Method::default()).is_ok();
    let of_cuda: Vec<Peer> =
        [Peer::Cufft, Peer::CudaKernels].into_iter().filter(is_there).collect();
    let new = Measurements::new(RunInfo::new(adapter, Vec::new(), stored::command()), args.quick);
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
    for (number, command) in commands.iter().enumerate() {
        let line = command.to_string();
        if measurements.commands.contains(&line) {
            continue;
        }
        eprintln!("{} of {}: seaway {line}", number + 1, commands.len());
        match run(command, &of_cuda, args.quick, &gpu, &mut measurements) {
            Ok(failures) => {
                failed.extend(failures);
                measurements.commands.push(line);
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
    measurements.taken.complete = commands.iter().all(|command| measurements.has(command));
    keep(&measurements, &args.out)?;
    Ok((measurements, failed))
}

/// Runs one command, and adds its results. Returns the peers that could not be timed.
fn run(
    command: &Command,
    of_cuda: &[Peer],
    quick: bool,
    gpu: &Gpu,
    measurements: &mut Measurements,
) -> anyhow::Result<Vec<String>> {
    let method = command.method(quick, &Method::default());
    match command {
        Command::Kernel(kernel) => {
            let size = KernelSize::of(kernel, &gpu.context.capabilities)?;
            measurements.kernels.push(size);
        }
        Command::Cpu(lengths) => {
            measurements.cpu.extend(cpu::measure_all(lengths, Direction::Inverse, &method)?);
        }
        Command::Other { other, sizes, batch } => {
            let batch = batch.as_slice();
            let rows = others::measure_all(&[*other], sizes, batch, &method, gpu)?;
            measurements.others.extend(rows);
        }
        Command::Bench(bench) => {
            let peers = peers_of(bench, of_cuda);
            let auto = Auto { no_cache: false };
            let (stored, failures) =
                bench::measure(&bench.series, &peers, &method, &auto, None, gpu)?;
            measurements.rows.extend(stored.rows);
            for peer in stored.taken.peers {
                if !measurements.taken.peers.contains(&peer) {
                    measurements.taken.peers.push(peer);
                }
            }
            return Ok(failures);
        }
    }
    Ok(Vec::new())
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
/// Checks that measurements of `--from` do not replace others in `out`.
pub fn check_keeps(from: &Measurements, out: &Path) -> anyhow::Result<()> {
    let kept = out.join(FILE);
    if kept.exists() {
        ensure!(
            read(&kept)?.taken.date == from.taken.date,
            "--out: {} holds other measurements than --from; choose another folder",
            kept.display()
        );
    }
    Ok(())
}

pub fn keep(measurements: &Measurements, out: &Path) -> anyhow::Result<()> {
    output::write(&out.join(FILE), &(serde_json::to_string(measurements)? + "\n"))
}

/// The available peers of a command: cuFFT if it names none, else those that run on the processor.
fn peers_of(bench: &Bench, of_cuda: &[Peer]) -> Vec<Peer> {
    let wanted = bench.peer.unwrap_or(Peer::Cufft);
    match wanted == NO_PEER || of_cuda.contains(&wanted) {
        true => vec![wanted],
        false => vec![Peer::Rustfft, Peer::Realfft],
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::kernel;

    #[derive(clap::Parser)]
    struct BenchLine {
        #[command(flatten)]
        args: bench::Args,
    }

    #[derive(clap::Parser)]
    struct KernelLine {
        #[command(flatten)]
        args: kernel::Args,
    }

    fn all() -> impl Iterator<Item = (&'static str, Command)> {
        let figures = figures::chosen(&[]).unwrap().into_iter();
        let natively = figures.flat_map(|figure| {
            [true, false]
                .into_iter()
                .flat_map(|quick| (figure.commands)(quick))
                .map(|one| (figure.name, one))
        });
        natively.flat_map(|(name, command)| {
            let on_page = command.on_page().ok().flatten();
            [Some(command), on_page].into_iter().flatten().map(move |one| (name, one))
        })
    }

    #[test]
    fn printed_commands_are_parsed_to_the_same_data() {
        for (figure, command) in all() {
            let line = command.to_string();
            match &command {
                Command::Kernel(kernel) => {
                    let KernelLine { args } = KernelLine::parse_from(line.split_whitespace());
                    assert_eq!(
                        args.described(),
                        (kernel.task(), kernel.number),
                        "{figure}: {line}"
                    );
                }
                Command::Bench(bench) => {
                    let BenchLine { args } = BenchLine::parse_from(line.split_whitespace());
                    let (mut series, peers, effort) = args.described();
                    // clap has the parameters in the order of its options.
                    let mut bench = bench.clone();
                    for series in [&mut series, &mut bench.series] {
                        series.parameters.0.sort_by_key(|(name, _)| *name);
                    }
                    let usual = [Peer::Rustfft, Peer::Realfft];
                    assert_eq!(series, bench.series, "{figure}: {line}");
                    assert_eq!(peers, bench.peer.as_ref().map_or(&usual[..], std::slice::from_ref));
                    assert_eq!(effort, bench.effort.unwrap_or((15, 2.0)), "{line}");
                }
                Command::Cpu(_) | Command::Other { .. } => {
                    let BenchLine { args } = BenchLine::parse_from(line.split_whitespace());
                    assert_eq!(args.other_command(), command, "{line}");
                }
            }
        }
    }

    /// Files of earlier versions hold the lines of commands: they must stay as they are.
    #[test]
    fn stored_commands_are_those_of_today() {
        let path = "measurements/nvidia-h200-figures/measurements.json";
        let stored = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        let lines: Vec<String> = all().map(|(_, command)| command.to_string()).collect();
        assert!(stored.commands.len() > 20);
        for line in &stored.commands {
            assert!(lines.contains(line), "{line}");
        }
    }
}
