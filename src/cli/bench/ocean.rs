//! `seaway bench --ocean`: the costs of a step of the simulation. `crate::ocean::timing` describes the
//! method.

mod report;
mod row;

use crate::bench::{Outcome, Size};
use crate::choice::Choice as _;
use crate::fft::Unsupported;
use crate::fft::lab::AlgorithmChoice;
use crate::fft::lab::timing::Method;
use crate::gpu::Context;
use crate::ocean::check::Reference;
use crate::ocean::timing::{self, OceanRegime, StepError, StepTimes};
use crate::settings::SeaState;
use crate::spectrum::InitialSpectrum;
use crate::{Ocean, OceanError, OceanOptions, OceanPath};

use super::stored::Stored;
use super::{Args, Format};
use crate::cli::device::Gpu;
use crate::cli::exit::Usage;
use crate::cli::render::progress_bar;
use crate::cli::size;
use crate::cli::{Global, args, output};
use row::{Figures, Form, Row};

/// The time at which the maps are checked, in seconds: far from the start, where a phase kept in
/// single precision would be wrong.
const CHECKED_TIME_S: f64 = 86_400.0 + 12.3;

// No documentation comment: clap would take it for the command's.

#[derive(clap::Args)]
pub struct Options {
    /// Time the stages of an ocean step instead: spectrum, FFT, maps and mips, repeated (regime
    /// `hot`) and once per submission between other work (regime `frame`)
    #[arg(
        long,
        conflicts_with_all = [
            "cpu", "batch", "dimensions", "kind", "precision", "normalization", "direction", "layout",
            "peer", "peer_file", "regime",
            "placement", "axes"
        ]
    )]
    pub ocean: bool,
    /// With --ocean: number of cascades, each of finer waves than the one before [1 to 4]
    #[arg(
        long,
        value_name = "N,..",
        value_delimiter = ',',
        default_value = "1,4",
        requires = "ocean",
        conflicts_with = "from",
        value_parser = args::number(1..=4_u32)
    )]
    cascades: Vec<u32>,
    /// With --ocean: `fused` evolves the spectrum and writes the maps within the FFT, `plain` uses
    /// a pass of its own for each
    #[arg(
        long,
        value_name = "NAME,..",
        value_delimiter = ',',
        default_value = "plain,fused",
        requires = "ocean",
        conflicts_with = "from",
        value_parser = args::choice::<OceanPath>()
    )]
    path: Vec<OceanPath>,
}

pub fn run(args: &Args, method: &Method, global: &Global) -> anyhow::Result<()> {
    if args.format == Format::Svg {
        return Err(Usage("--ocean cannot write --format svg: use table or markdown".into()).into());
    }
    if let Some(path) = &args.from {
        let mut stored = Stored::read(path)?;
        stored.write_to(args.out.as_deref())?;
        return print(&stored, args.format);
    }
    let algorithms = args.tasks.algorithm.list(&[]);
    args.parameters.check(&algorithms)?;
    let gpu = Gpu::open(global.limits)?;
    if !gpu.context.capabilities.timestamps {
        eprintln!(
            "this adapter has no GPU timestamps: the processor's clock times many steps from \
             submission to completion, and there are no times within a frame"
        );
    }
    let adapter = &gpu.context.adapter_info;
    let mut stored = Stored::new(adapter, Vec::new(), args.out.as_deref())?;
    let Options { cascades, path: paths, .. } = &args.ocean;
    let sizes = size::squares(&args.tasks.size, "an ocean", 8192)?;
    let oceans = sizes.len() * cascades.len() * paths.len() * algorithms.len();
    let progress = progress_bar(oceans as u64, "oceans");
    for size in sizes {
        for &cascades in cascades {
            // The reference of all oceans, computed once: in double precision that takes a while.
            let sea = Sea::new(size, cascades);
            for &path in paths {
                for &choice in &algorithms {
                    if progress.is_hidden() {
                        eprintln!(
                            "{size} x {size}, cascades {cascades}, {path}, {}",
                            choice.name()
                        );
                    }
                    // The surface itself in the maps, to be checked: a step costs the same.
                    let options = OceanOptions {
                        size,
                        cascades,
                        path,
                        cubic_cascades: 0,
                        ..Default::default()
                    };
                    let resolved = progress.suspend(|| resolve(args, &gpu, choice, options))?;
                    let rows = match resolved {
                        Ok(options) => rows(&gpu, &sea, choice, options, method),
                        // It lacks a requested parameter.
                        Err(reason) => rows_without(&gpu, choice, options, &reason.to_string()),
                    };
                    gpu.check()?;
                    stored.keep(rows)?;
                    progress.inc(1);
                }
            }
        }
    }
    progress.finish_and_clear();
    stored.finish()?;
    print(&stored, args.format)?;
    stored.check()
}

fn print(stored: &Stored<Row>, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Summary => output::print(&report::summary(stored)),
        format => super::report::print(&stored.rows, format),
    }
}

/// `options` with the algorithm of `choice` and the requested parameters.
fn resolve(
    args: &Args,
    gpu: &Gpu,
    choice: AlgorithmChoice,
    options: OceanOptions,
) -> anyhow::Result<Result<OceanOptions, Unsupported>> {
    Ok(match choice.named() {
        Some(algorithm) => args
            .parameters
            .of(algorithm)
            .map(|configuration| OceanOptions { algorithm: Some(configuration), ..options }),
        None => Ok(args.auto.resolve_ocean(gpu, choice, &options)?),
    })
}

/// A sea of one shape, and the expected maps. If it cannot be computed, building its ocean finds the reason
/// again.
struct Sea {
    spectrum: Result<(InitialSpectrum, Reference), OceanError>,
}

impl Sea {
    fn new(size: u32, cascades: u32) -> Self {
        let options = OceanOptions { size, cascades, ..OceanOptions::default() };
        let spectrum = Ocean::prepare(&SeaState::default(), &options);
        let with_reference = |spectrum: InitialSpectrum| {
            let reference = Reference::new(&spectrum, CHECKED_TIME_S);
            (spectrum, reference)
        };
        Self { spectrum: spectrum.map(with_reference) }
    }
}

/// The results of one ocean: a row for each part of its step in each regime, or one for each regime that has
/// none.
fn rows(
    gpu: &Gpu,
    sea: &Sea,
    choice: AlgorithmChoice,
    options: OceanOptions,
    method: &Method,
) -> Vec<Row> {
    let Context { device, queue, .. } = &gpu.context;
    let (spectrum, reference) = match &sea.spectrum {
        Ok(sea) => sea,
        Err(reason) => return rows_without(gpu, choice, options, &reason.to_string()),
    };
    let ocean = match Ocean::with_spectrum(device, queue, spectrum.clone(), options) {
        Ok(ocean) => ocean,
        Err(reason) => return rows_without(gpu, choice, options, &reason.to_string()),
    };
    let mut rows = Vec::new();
    for &regime in OceanRegime::ALL {
        match time(gpu, &ocean, reference, regime, method) {
            Ok(times) => rows.extend(times.parts.iter().map(|(part, measurement)| {
                let figures = Figures {
                    times: measurement.times(),
                    stage_timer: times.stage_timer,
                    relative_l2_error: times.accuracy.fields.relative_l2,
                    mips_error: times.accuracy.mips_relative_max,
                };
                let figures = Box::new(figures);
                row(gpu, choice, options, regime, part.name(), Outcome::Measured(figures))
            })),
            Err(outcome) => rows.push(row(gpu, choice, options, regime, "whole", outcome)),
        }
    }
    rows
}

/// The rows of an ocean that cannot be built, with the reason.
fn rows_without(
    gpu: &Gpu,
    choice: AlgorithmChoice,
    options: OceanOptions,
    reason: &str,
) -> Vec<Row> {
    let row = |regime: &OceanRegime| {
        row(gpu, choice, options, *regime, "whole", Outcome::skipped(reason))
    };
    OceanRegime::ALL.iter().map(row).collect()
}

fn row(
    gpu: &Gpu,
    choice: AlgorithmChoice,
    options: OceanOptions,
    regime: OceanRegime,
    stage: &str,
    outcome: Outcome<Box<Figures>>,
) -> Row {
    let chosen = match choice.named() {
        Some(_) => None,
        None => options.configuration(&gpu.context.capabilities).ok(),
    };
    let OceanOptions { size, cascades, path, map_format, algorithm, .. } = options;
    let form = Form { cascades, path, regime, stage: stage.to_owned(), map_format };
    let (size, asked) = (Size::Side(size), choice.named().and(algorithm));
    Row::of_form(choice.name(), chosen, asked, size, form, gpu.context.describe(), outcome)
}

/// The times of `ocean`, or the reason why there are none.
fn time(
    gpu: &Gpu,
    ocean: &Ocean,
    reference: &Reference,
    regime: OceanRegime,
    method: &Method,
) -> Result<StepTimes, Outcome<Box<Figures>>> {
    let Context { device, queue, .. } = &gpu.context;
    let times = timing::measure(device, queue, ocean, reference, regime, method);
    pollster::block_on(times).map_err(|error| match error {
        StepError::NoTimestamps => Outcome::skipped(error),
        _ => Outcome::failed(error),
    })
}

#[cfg(test)]
mod tests {
    use crate::fft::lab::Algorithm;

    use super::*;
    use crate::cli::device::Limits;

    /// Compares the maps with another sea, so that the check must fail.
    #[test]
    fn wrong_maps_give_a_row_without_figures() {
        let gpu = Gpu::open(Limits::Adapter).expect("tests need an adapter");
        let mut sea = Sea::new(32, 1);
        let (spectrum, reference) = sea.spectrum.as_mut().unwrap();
        let other = SeaState { seed: 99, ..Default::default() };
        let algorithm = Algorithm::StockhamR4;
        let options = OceanOptions {
            size: 32,
            cascades: 1,
            algorithm: Some(algorithm.into()),
            cubic_cascades: 0,
            ..Default::default()
        };
        *reference = Reference::new(&Ocean::prepare(&other, &options).unwrap(), CHECKED_TIME_S);
        assert_eq!(spectrum.size, 32);
        let method = Method { samples: 3, budget_us: 1e4, ..Method::default() };
        let rows = rows(&gpu, &sea, algorithm.into(), options, &method);
        assert_eq!(rows.len(), OceanRegime::ALL.len());
        let json = serde_json::to_value(&rows).unwrap();
        for (row, json) in rows.iter().zip(json.as_array().unwrap()) {
            assert!(row.outcome.is_failed(), "{json}");
            assert!(json["failed"].as_str().unwrap().contains("the maps are wrong"), "{json}");
            assert!(json.get("median_us").is_none(), "{json}");
        }
    }
}
