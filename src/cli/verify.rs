//! `seaway verify`: whether the transforms are right on this adapter.

use anyhow::ensure;
use seaway::choice::Choice as _;

use seaway::fft::lab::timing::Regime;
use seaway::fft::lab::{self, Gate, References, Workload};
use seaway::fft::{
    Descriptor, Direction, Layout, Normalization, Placement, Precision, Unsupported,
};
use seaway::gpu::Context;
use serde::Serialize;

use super::Global;
use super::auto::Auto;
use super::device::Gpu;
use super::fft_options::{ParameterOptions, Tasks};
use super::output::{self, Format};
use super::render::progress_bar;
use super::size::Size;

/// Every short length, powers of each prime that has a butterfly and products of them, primes, an
/// image that is no square, and lines so long that they take several passes.
const SIZES: &str = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,\
    30,31,32,36,48,49,60,64,77,81,100,121,125,128,169,243,256,343,512,625,1000,1009,1024,2039,\
    1080x1920,7x1024,1024x7,65536x1,1x65536,65537x1,1x65537,4194304x1,1x4194304";

#[derive(clap::Args)]
#[command(
    mut_arg("size", |size| size.default_value(SIZES)),
    mut_arg("batch", |batch| batch.default_value("1,4"))
)]
pub struct Args {
    #[command(flatten)]
    tasks: Tasks,
    /// How to write the list
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    auto: Auto,
    #[command(flatten)]
    parameters: ParameterOptions,
}

/// One algorithm on one task: the worst over those layouts and placements that the adapter can run. The field names are the keys
/// of the JSON output, which is stable.
#[derive(Serialize)]
struct Row {
    algorithm: &'static str,
    size: Size,
    batch: u32,
    direction: Direction,
    normalization: Normalization,
    precision: Precision,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Ran {
        relative_l2_error: Figure,
        max_error: Figure,
        passed: bool,
    },
    /// The adapter cannot run it in any of them.
    Skipped {
        skipped: String,
    },
}

/// An error, `null` in JSON where the result was not finite.
type Figure = Option<f64>;

impl Row {
    fn new(algorithm: &'static str, task: &Descriptor, outcome: Outcome) -> Self {
        let Descriptor { size, batch, direction, normalization, precision, .. } = *task;
        Self { algorithm, size: Size(size), batch, direction, normalization, precision, outcome }
    }

    fn missed(&self) -> bool {
        matches!(self.outcome, Outcome::Ran { passed: false, .. })
    }
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let Tasks { size, batch, algorithm, precision, scale } = &args.tasks;
    let gpu = Gpu::open(global.limits)?;
    // What `auto` would choose is among them already, and is checked where it is chosen.
    let algorithms = algorithm.list(&[]);
    args.parameters.check(&algorithms)?;
    let forms = precision.len() * Direction::ALL.len();
    let count = size.len() * batch.len() * forms * algorithms.len();
    let progress = progress_bar(count as u64, "transforms");
    let mut rows = Vec::new();
    for &size in size {
        // One size at a time: the references of all would fill the memory.
        let mut references = References::default();
        for &batch in batch {
            for &precision in precision {
                for &direction in Direction::ALL {
                    let task = Descriptor {
                        size: size.0,
                        batch,
                        direction,
                        normalization: scale.normalization(precision),
                        precision,
                        ..Default::default()
                    };
                    for &choice in &algorithms {
                        let resolve = |task: &Descriptor| match choice.named() {
                            Some(algorithm) => args.parameters.of(algorithm).map_or_else(
                                |reason| Ok(Err(reason)),
                                |configuration| Ok(Ok(task.clone().by(configuration))),
                            ),
                            None => {
                                progress.suspend(|| args.auto.resolve(&gpu, choice, task)).map(Ok)
                            }
                        };
                        let outcome = verify(&gpu, &task, resolve, &mut references)?;
                        rows.push(Row::new(choice.name(), &task, outcome));
                        progress.inc(1);
                    }
                }
            }
        }
    }
    progress.finish_and_clear();
    match args.format {
        Format::Json => output::print_json(&rows)?,
        Format::Table => output::print(&table(&rows))?,
    }
    let missed = rows.iter().filter(|row| row.missed()).count();
    let ran = rows.iter().filter(|row| matches!(row.outcome, Outcome::Ran { .. })).count();
    ensure!(missed == 0, "{missed} of {ran} transforms are not accurate enough");
    eprintln!("{ran} transforms passed, {} skipped", rows.len() - ran);
    Ok(())
}

/// Every image of `task`'s batch, in every layout and placement, each by what `resolve` makes of it.
fn verify(
    gpu: &Gpu,
    task: &Descriptor,
    resolve: impl Fn(&Descriptor) -> anyhow::Result<Result<Descriptor, Unsupported>>,
    references: &mut References,
) -> anyhow::Result<Outcome> {
    let (mut relative_l2, mut relative_max, mut passed) = (0.0_f64, 0.0_f64, true);
    // One form may be more than the adapter has room for, and others not.
    let (mut refused, mut any) = (None, false);
    for &layout in Layout::ALL {
        for &placement in Placement::ALL {
            let resolved = resolve(&Descriptor { layout, placement, ..task.clone() })?;
            let descriptor = resolved.and_then(|descriptor| {
                lab::program(&descriptor, &gpu.context.capabilities).map(|_| descriptor)
            });
            let descriptor = match descriptor {
                Ok(descriptor) => descriptor,
                Err(reason) => {
                    refused.get_or_insert(reason);
                    continue;
                }
            };
            let Context { device, queue, .. } = &gpu.context;
            let workload = Workload::new(device, queue, &descriptor, Regime::Hot);
            let workload = pollster::block_on(workload)?;
            workload.run();
            let accuracy = pollster::block_on(workload.accuracy(0..task.batch, references));
            // The GPU's own complaint comes first: it is the cause of a failed read-back.
            gpu.check()?;
            let accuracy = accuracy?;
            relative_l2 = relative_l2.max(accuracy.relative_l2);
            relative_max = relative_max.max(accuracy.relative_max);
            passed &= Gate::of(&descriptor).passes(accuracy);
            any = true;
        }
    }
    if let Some(reason) = refused.filter(|_| !any) {
        return Ok(Outcome::Skipped { skipped: reason.to_string() });
    }
    let figure = |error: f64| error.is_finite().then_some(error);
    Ok(Outcome::Ran {
        relative_l2_error: figure(relative_l2),
        max_error: figure(relative_max),
        passed,
    })
}

fn table(rows: &[Row]) -> String {
    let headings =
        ["algorithm", "size", "batch", "precision", "direction", "L2 error", "max error", "result"];
    let mut table = vec![headings.map(String::from).to_vec()];
    for row in rows {
        let error = |figure: Figure| figure.map_or("inf".into(), |error| format!("{error:.1e}"));
        let cells = match &row.outcome {
            Outcome::Ran { relative_l2_error, max_error, passed } => [
                error(*relative_l2_error),
                error(*max_error),
                if *passed { "passed" } else { "FAILED" }.to_owned(),
            ],
            Outcome::Skipped { skipped } => ["-".into(), "-".into(), format!("skipped: {skipped}")],
        };
        let task = [
            row.algorithm.to_owned(),
            row.size.to_string(),
            row.batch.to_string(),
            row.precision.to_string(),
            row.direction.to_string(),
        ];
        table.push(task.into_iter().chain(cells).collect());
    }
    output::table(&table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_miss_is_seen_in_both_formats() {
        let task = Descriptor::default();
        let row = |outcome| Row::new("a", &task, outcome);
        let rows = [
            row(Outcome::Ran { relative_l2_error: None, max_error: Some(0.5), passed: false }),
            row(Outcome::Skipped { skipped: "too long".into() }),
        ];
        assert!(rows[0].missed() && !rows[1].missed());
        let json = serde_json::to_value(&rows).unwrap();
        assert_eq!(json[0]["passed"], false);
        assert!(json[0]["relative_l2_error"].is_null());
        assert_eq!(json[1]["skipped"], "too long");
        let table = table(&rows);
        assert!(table.contains("FAILED") && table.contains("skipped: too long"), "{table}");
    }
}
