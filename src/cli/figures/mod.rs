//! `seaway figures`: what the papers in which these algorithms stand have found, and what this
//! adapter gives.

mod catalogue;
mod draw;
mod page;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use clap::Parser as _;
use seaway::fft::lab::timing::Method;
use serde::{Deserialize, Serialize};

use super::Global;
use super::bench::stored::Taken;
use super::bench::{self, cpu, peers, row::Row};
use super::device::Gpu;
use super::exit::Usage;
use super::output;
use super::size;
use catalogue::Figure;

#[derive(clap::Args)]
pub struct Args {
    /// Where to put index.md, a picture and a table for each figure, and the measurements
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Only these figures, by their names in index.md, as in 13,16,table-2 [default: all]
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    figure: Vec<String>,
    /// Small sizes and few samples: minutes, and no claim
    #[arg(long, conflicts_with = "from")]
    quick: bool,
    /// Measure nothing: draw from the measurements of an earlier run, or of `bench --out`
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

/// What all figures are drawn from: the rows of `bench`, and of `bench --cpu`. The field names are
/// the keys of the file, which is stable; what `bench --out` writes is one, too.
#[derive(Serialize, Deserialize)]
pub struct Measurements {
    #[serde(flatten)]
    pub taken: Taken,
    /// Measured with `--quick`.
    #[serde(default)]
    pub quick: bool,
    /// The commands that it was measured by, where `figures` did it.
    #[serde(default)]
    pub commands: Vec<String>,
    pub rows: Vec<Row>,
    #[serde(default)]
    pub cpu: Vec<cpu::Row>,
}

/// A command line of `bench`, parsed as the program itself does.
#[derive(clap::Parser)]
struct BenchLine {
    #[command(flatten)]
    args: bench::Args,
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let figures = chosen(&args.figure)?;
    output::make_folder(&args.out)?;
    let start = Instant::now();
    let measurements = match &args.from {
        Some(path) => read(path)?,
        None => measure(&figures, args, global)?,
    };
    let no_claim = measurements.no_claim();
    let mut drawn = Vec::new();
    for figure in &figures {
        let result = (figure.draw)(&measurements);
        if let Some(result) = &result {
            let mut chart = result.chart.clone();
            chart.subtitle = measurements.taken.adapter.clone();
            if no_claim {
                chart.subtitle += ": no claim";
            }
            write(&args.out.join(format!("{}.svg", figure.name)), &chart.svg())?;
            write(&args.out.join(format!("{}.csv", figure.name)), &chart.csv())?;
        }
        drawn.push((*figure, result));
    }
    write(&args.out.join("index.md"), &page::markdown(&measurements, &drawn))?;
    let count = drawn.iter().filter(|(_, result)| result.is_some()).count();
    eprintln!(
        "{count} of {} figures in {}, after {:.0} s",
        drawn.len(),
        args.out.join("index.md").display(),
        start.elapsed().as_secs_f64()
    );
    if count < drawn.len() {
        eprintln!("index.md says what the others need");
    }
    let wrong = measurements.wrong();
    ensure!(wrong.is_empty(), "these gave wrong results, and have no times: {}", wrong.join(", "));
    Ok(())
}

impl Measurements {
    /// Why they say nothing about a GPU: measured in a hurry, or on a processor that plays one.
    pub fn no_claim(&self) -> bool {
        let plays = ["llvmpipe", "lavapipe", "SwiftShader", "Basic Render Driver"];
        self.quick || plays.iter().any(|name| self.taken.adapter.contains(name))
    }

    /// Algorithms whose results were wrong.
    pub fn wrong(&self) -> Vec<String> {
        let wrong = self.rows.iter().filter(|row| row.failed());
        wrong.map(|row| format!("{} {}", row.algorithm, row.size)).collect()
    }

    /// Keeps them, whatever comes after.
    fn write(&self, out: &Path) -> anyhow::Result<()> {
        write(&out.join("measurements.json"), &(serde_json::to_string(self)? + "\n"))
    }
}

/// The figures of these names; all, where there are none.
fn chosen(names: &[String]) -> Result<Vec<&'static Figure>, Usage> {
    let all = catalogue::ALL;
    if names.is_empty() {
        return Ok(all.iter().collect());
    }
    names
        .iter()
        .map(|name| {
            all.iter().find(|figure| figure.name == name).ok_or_else(|| {
                let names: Vec<_> = all.iter().map(|figure| figure.name).collect();
                Usage(format!("--figure {name}: there are {}", names.join(", ")))
            })
        })
        .collect()
}

fn read(path: &Path) -> anyhow::Result<Measurements> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name} could not be read"))?;
    serde_json::from_str(&text).with_context(|| {
        format!("{name} is no file that `seaway figures` or `seaway bench --out` wrote")
    })
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    use std::io::Write as _;
    seaway::whole_file::write(path, |file| file.write_all(text.as_bytes()))
        .with_context(|| format!("{} could not be written", path.display()))
}

/// Runs what `figures` need, each command once.
fn measure(
    figures: &[&'static Figure],
    args: &Args,
    global: &Global,
) -> anyhow::Result<Measurements> {
    let mut lines: Vec<String> = Vec::new();
    for line in figures.iter().flat_map(|figure| (figure.commands)(args.quick)) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let gpu = Gpu::open(global.limits)?;
    let adapter = &gpu.context.adapter_info;
    // Its libraries may be there, and the adapter another's.
    let has_cufft = peers::Peers::find(&[peers::Peer::Cufft]).is_ok()
        && peers::Peers::open(&[peers::Peer::Cufft], adapter, Method::default()).is_ok();
    let mut measurements = Measurements {
        taken: Taken::new(adapter, Vec::new()),
        quick: args.quick,
        commands: lines.clone(),
        rows: Vec::new(),
        cpu: Vec::new(),
    };
    if measurements.no_claim() {
        eprintln!(
            "these figures are no claim: {}",
            if args.quick { "measured in a hurry (--quick)" } else { "a processor plays GPU" }
        );
    }
    for (number, line) in lines.iter().enumerate() {
        eprintln!("{} of {}: seaway {line}", number + 1, lines.len());
        let peer = if has_cufft { "cufft" } else { "rustfft,realfft" };
        let peer = if line.contains("--cpu") { String::new() } else { format!(" --peer {peer}") };
        let budget = if args.quick { " --samples 3 --budget-s 0.02" } else { " --budget-s 0.3" };
        let words = format!("{line}{peer}{budget}");
        let line = BenchLine::try_parse_from(words.split_whitespace());
        let BenchLine { args: line } = line.context("a figure's own command")?;
        let mut method: Method = line.method();
        if args.quick {
            method.warm_up_us = 2_000.0;
        }
        if line.is_on_processor() {
            let lengths = size::squares(line.sizes(), "--cpu")?;
            measurements.cpu.extend(cpu::measure_all(&lengths, line.direction(), &method)?);
            continue;
        }
        let (stored, failures) = bench::measure(&line, &method, &gpu)?;
        for failure in failures {
            eprintln!("a peer was not timed: {failure}");
        }
        measurements.rows.extend(stored.rows);
        measurements.taken.peers = stored.taken.peers;
        measurements.write(&args.out)?;
    }
    measurements.taken.complete = true;
    measurements.write(&args.out)?;
    Ok(measurements)
}
