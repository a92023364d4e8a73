//! `seaway figures`: the claims of the papers on these algorithms, and whether they hold on this adapter.

mod measure;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::ensure;

use super::Global;
use super::bench::peer_file::PeerRows;
use super::exit::Usage;
use super::output;
use crate::figures::{self, Drawn, Frames, Measurements};

#[derive(clap::Args)]
pub struct Args {
    /// Folder for index.md, a picture and a table for each figure, and the measurements
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Only these figures, by their names in index.md, as in 13,16,table-2 [default: all]
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    figure: Vec<String>,
    /// Small sizes and few samples, in less than a minute: for a first look, not for claims
    #[arg(long, conflicts_with = "from")]
    quick: bool,
    /// Measure everything again, and ignore earlier results in --out
    #[arg(long, conflicts_with = "from")]
    fresh: bool,
    /// Measure nothing: draw from the measurements of an earlier run, or of `bench --out`
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Also write all figures to one HTML file that needs no other
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Keep the frames of figures 13, 20 and 21 with the measurements: compare.json, as `profile
    /// --compare` writes it
    #[arg(long, value_name = "FILE")]
    frames: Option<PathBuf>,
    /// Rows of other FFT libraries that scripts/peers wrote, to keep with the measurements and to draw
    /// beside those of the same problems
    #[arg(long, value_name = "FILE,..", value_delimiter = ',')]
    peer_file: Vec<PathBuf>,
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let figures = figures::chosen(&args.figure).map_err(Usage)?;
    let peer_rows = PeerRows::read(&args.peer_file)?;
    output::make_folder(&args.out)?;
    let start = Instant::now();
    let frames = args.frames.as_deref().map(read_frames).transpose()?;
    let (mut measurements, failed) = match &args.from {
        Some(path) => (read(path)?, Vec::new()),
        None => measure::measure(&figures, args, global)?,
    };
    if args.from.is_some() && (args.frames.is_some() || !args.peer_file.is_empty()) {
        measure::check_keeps(&measurements, &args.out)?;
    }
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
    if !args.peer_file.is_empty() {
        peer_rows.set_beside(&mut measurements.taken, &mut measurements.rows);
        measure::keep(&measurements, &args.out)?;
    }
    let mut drawn = Vec::new();
    for figure in &figures {
        let result = measurements.draw(figure);
        if let Some(Drawn { chart, .. }) = &result {
            output::write(&args.out.join(format!("{}.svg", figure.name)), &chart.svg())?;
            output::write(&args.out.join(format!("{}.csv", figure.name)), &chart.csv())?;
        }
        drawn.push((*figure, result));
    }
    output::write(&args.out.join("index.md"), &figures::markdown(&measurements, &drawn))?;
    if let Some(path) = &args.html {
        output::write(path, &figures::html(&measurements, &drawn))?;
    }
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

fn read(path: &Path) -> anyhow::Result<Measurements> {
    output::read_json(path, "`seaway figures` or `seaway bench --out`")
}

fn read_frames(path: &Path) -> anyhow::Result<Frames> {
    output::read_json(path, "`seaway profile --compare`, as compare.json")
}
