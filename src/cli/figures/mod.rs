//! `seaway figures`: the claims of the papers on these algorithms, and whether they hold on this adapter.

mod catalogue;
mod draw;
mod frames;
mod measure;
mod page;

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::bench::Row;
use anyhow::ensure;
use serde::{Deserialize, Serialize};

use super::Global;
use super::bench::peer_file::PeerRows;
use super::bench::stored::RunInfo;
use super::bench::{cpu, others};
use super::exit::Usage;
use super::output;
use catalogue::Figure;
use frames::Frames;

#[derive(clap::Args)]
pub struct Args {
    /// Folder for index.md, a picture and a table for each figure, and the measurements
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Only these figures, by their names in index.md, as in 13,16,table-2 [default: all]
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    figure: Vec<String>,
    /// Small sizes and few samples, in a minute or two: for a first look, not for claims
    #[arg(long, conflicts_with = "from")]
    quick: bool,
    /// Measure everything again, and ignore earlier results in --out
    #[arg(long, conflicts_with = "from")]
    fresh: bool,
    /// Measure nothing: draw from the measurements of an earlier run, or of `bench --out`
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Keep the frames of figures 13, 20 and 21 with the measurements: compare.json, as `profile
    /// --compare` writes it
    #[arg(long, value_name = "FILE")]
    frames: Option<PathBuf>,
    /// Rows of other FFT libraries that scripts/peers wrote, to draw beside those of the same problems
    #[arg(long, value_name = "FILE,..", value_delimiter = ',')]
    peer_file: Vec<PathBuf>,
}

/// The data of all figures: the rows of `bench`, and of `bench --cpu`. The field names are the keys of the
/// file, which is stable; files of `bench --out` have this form, too.
#[derive(Serialize, Deserialize)]
pub struct Measurements {
    #[serde(flatten)]
    pub taken: RunInfo,
    #[serde(default)]
    pub quick: bool,
    /// The commands that measured it so far, where `figures` ran them.
    #[serde(default)]
    pub commands: Vec<String>,
    pub rows: Vec<Row>,
    #[serde(default)]
    pub cpu: Vec<cpu::Row>,
    /// The rows of `bench --other`.
    #[serde(default)]
    pub others: Vec<others::Row>,
    /// Frames that `profile --compare` times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames: Option<Frames>,
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let figures = chosen(&args.figure)?;
    let peer_rows = PeerRows::read(&args.peer_file)?;
    output::make_folder(&args.out)?;
    let start = Instant::now();
    let frames = args.frames.as_deref().map(read_frames).transpose()?;
    let (mut measurements, failed) = match &args.from {
        Some(path) => (read(path)?, Vec::new()),
        None => measure::measure(&figures, args, global)?,
    };
    if let Some(frames) = frames {
        let adapter = &measurements.taken.adapter;
        ensure!(
            frames.adapter == *adapter,
            "--frames: these were drawn on {}, and the measurements were taken on {adapter}",
            frames.adapter
        );
        measurements.frames = Some(frames);
        measure::keep(&measurements, &args.out)?;
    }
    peer_rows.set_beside(&mut measurements.taken, &mut measurements.rows);
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
            output::write(&args.out.join(format!("{}.svg", figure.name)), &chart.svg())?;
            output::write(&args.out.join(format!("{}.csv", figure.name)), &chart.csv())?;
        }
        drawn.push((*figure, result));
    }
    output::write(&args.out.join("index.md"), &page::markdown(&measurements, &drawn))?;
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
    ensure!(
        failed.is_empty(),
        "not everything could be measured; the same command again tries the rest: {}",
        failed.join("; ")
    );
    Ok(())
}

impl Measurements {
    /// Whether the measurements say nothing about a GPU, being of `--quick` or of a software adapter.
    pub fn no_claim(&self) -> bool {
        let plays = ["llvmpipe", "lavapipe", "SwiftShader", "Basic Render Driver"];
        self.quick || plays.iter().any(|name| self.taken.adapter.contains(name))
    }

    pub fn wrong(&self) -> Vec<String> {
        let wrong = self.rows.iter().filter(|row| row.outcome.is_failed());
        let names = wrong.map(|row| format!("{} {}", row.algorithm, row.size));
        let others = self.others.iter().filter(|row| !row.is_right());
        names.chain(others.map(|row| format!("{} {}", row.case, row.size))).collect()
    }
}

/// The figures of these names, or all if there are no names.
fn chosen(names: &[String]) -> Result<Vec<&'static Figure>, Usage> {
    if names.is_empty() {
        return Ok(catalogue::all().collect());
    }
    names
        .iter()
        .map(|name| {
            catalogue::all().find(|figure| figure.name == name).ok_or_else(|| {
                let names: Vec<_> = catalogue::all().map(|figure| figure.name).collect();
                Usage(format!("--figure {name}: there are {}", names.join(", ")))
            })
        })
        .collect()
}

fn read(path: &Path) -> anyhow::Result<Measurements> {
    output::read_json(path, "`seaway figures` or `seaway bench --out`")
}

fn read_frames(path: &Path) -> anyhow::Result<Frames> {
    output::read_json(path, "`seaway profile --compare`, as compare.json")
}
