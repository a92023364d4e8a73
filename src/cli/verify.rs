//! `seaway verify`: checks the transforms on this adapter.

mod additive;

use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::bench::Outcome;
use crate::choice::Choice as _;
use crate::fft::lab::timing::Regime;
use crate::fft::lab::{self, Accuracy, AlgorithmChoice, Gate, References, Workload};
use crate::fft::{
    Descriptor, Direction, Kind, Layout, Normalization, Placement, Precision, Unsupported,
};
use crate::gpu::Context;
use anyhow::{Context as _, ensure};
use serde::Serialize;

use super::Global;
use super::args::Algorithms;
use super::auto::Auto;
use super::device::Gpu;
use super::exit::Usage;
use super::fft_options::{ParameterOptions, Problem, Tasks};
use super::output::{self, Format};
use super::render::progress_bar;
use super::size::Size;

/// Default sizes of some kinds of transforms: the kinds, the dimensions, the precisions, the sizes of the short
/// list, and those that `--all` adds.
type Listed = (&'static [Kind], u32, &'static [Precision], &'static str, &'static str);

const COMPLEX: &[Kind] = &[Kind::Complex];
const REAL: &[Kind] = &[Kind::Real];
const COSINES: &[Kind] = &[Kind::Dct1, Kind::Dct2, Kind::Dct3, Kind::Dct4];
const HALF: &[Precision] = &[Precision::F16];
const SINGLE: &[Precision] = &[Precision::F32];
const DOUBLE: &[Precision] = &[Precision::F64];
const BOTH: &[Precision] = &[Precision::F32, Precision::F64];

/// The short list has some sizes of each: powers of two, products of small primes, primes, and sizes with
/// unequal sides. With `--all`, complex images have every short length, powers of each prime that has a
/// butterfly and products of them, more primes, and lines so long that they take several passes.
const LIST: &[Listed] = &[
    (
        COMPLEX,
        2,
        SINGLE,
        "1,2,5,8,16,31,60,64,77,101,128,243,7x256,65536x1",
        "3,4,6,7,9,10,11,12,13,14,15,17,18,19,20,21,22,23,24,25,26,27,28,29,30,32,36,48,49,81,100,121,\
         125,169,256,343,512,625,1000,1009,1024,2039,1080x1920,7x1024,1024x7,1x65536,65537x1,1x65537,\
         4194304x1,1x4194304",
    ),
    (COMPLEX, 2, HALF, "15,64,101x30,256", "8,17,60,1000x7,1024"),
    (
        COMPLEX,
        2,
        DOUBLE,
        "2,16,60,77,97x30",
        "1,3,4,5,7,8,11,13,17,31,64,128,1000x7,4096x2,2x4096,4099x2",
    ),
    (COMPLEX, 1, BOTH, "60,64,101,4096", "1,1000,65536"),
    (COMPLEX, 3, BOTH, "8,12x10x6,17x5x9", "2,7,1x6x4,32,64x16x100"),
    (REAL, 1, BOTH, "2,9,60,64,101", "1,3,4,5,6,7,8,16,17,30,1000,4096,65536"),
    (REAL, 2, SINGLE, "16,31x20,65x64", "2,4,7,60,256,1080x1920,1024x7,7x1024"),
    (REAL, 2, DOUBLE, "16,31x20", "2,7,60"),
    (REAL, 3, BOTH, "8,12x10x7", "2,31x4x5"),
    (COSINES, 1, BOTH, "9,60", "2,3,5,8,16,17,33,65,101,1000"),
    (COSINES, 2, BOTH, "9x16", "8,65,60x17"),
    (COSINES, 3, BOTH, "9x5x12", ""),
];

/// If there are more algorithms, each takes a part of the short list, except powers of two.
const ALGORITHMS_A_CASE: usize = 6;

/// Images of more points come alone.
const LARGE_POINTS: u64 = 1 << 20;

/// Time between progress messages if there is no progress bar.
const SAID_EVERY: Duration = Duration::from_secs(10);

#[derive(clap::Args)]
#[command(
    mut_arg("size", |size| size.help(
        "Sizes: N (the points of a line, or the side of a square or a cube), WIDTHxHEIGHT or \
         WIDTHxHEIGHTxDEPTH, for example 256,1080x1920,128x128x64; each is checked in every \
         layout and placement [default: a short list with sizes of every kind, narrowed by the \
         options below, with directions, layouts, placements and batches in turn; of many \
         algorithms, each takes a part of it]"
    )),
    mut_arg("algorithm", |algorithm| algorithm.value_parser(Algorithms::parse_with_additive).help(
        "Algorithms: `all`, or a list of names as in `seaway info`, `best` (the best known for the \
         adapter) and `auto` (the fastest as measured), and the additive transforms \
         `wang-zhu-cantor` and `gao-mateer` of lines over GF(65536), which `all` checks without \
         --size and in fields of several sizes"
    )),
    mut_arg("batch", |batch| batch.help(
        "Number of lines, images or volumes in a batch [default: 1 and 4]"
    )),
    mut_arg("dimensions", |dimensions| dimensions.default_value(None).help(
        "Dimensions of the transform: 1 (lines), 2 (images) or 3 (volumes) [default: 2; without \
         --size, all in the list]"
    )),
    mut_arg("kind", |kind| kind.default_value(None).help(
        "Kind of transform: complex numbers, real numbers to half of their spectrum (and back, \
         with the inverse), or a cosine transform [default: complex; without --size, all in the \
         list]"
    )),
    mut_arg("precision", |precision| precision.default_value(None).help(
        "Precision of the numbers in memory; f16 and f32 are computed in 32-bit floats, f64 in \
         64-bit floats [default: f32; without --size, all in the list]"
    ))
)]
pub struct Args {
    #[command(flatten)]
    tasks: Tasks,
    /// Check every algorithm on all sizes of a longer list, in both directions: this takes minutes
    /// on a GPU, and hours on a software adapter
    #[arg(long, conflicts_with = "size")]
    all: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    auto: Auto,
    #[command(flatten)]
    parameters: ParameterOptions,
}

/// One algorithm on one task: the worst over the requested layouts and placements that the adapter can run, or of
/// an additive transform over its ways to multiply. The field names are the keys of the JSON output, which is stable.
#[derive(Serialize)]
struct Row {
    algorithm: &'static str,
    /// A [`Kind`], or `additive`.
    kind: &'static str,
    dimensions: u32,
    size: Size,
    batch: u32,
    direction: Direction,
    normalization: Normalization,
    /// A [`Precision`], or the field of the values.
    precision: String,
    #[serde(flatten)]
    outcome: Outcome<Errors>,
}

/// The errors of the results, the worst of all forms. Of additive transforms, which are exact, both are the share of
/// wrong values.
#[derive(Serialize)]
struct Errors {
    relative_l2_error: Figure,
    max_error: Figure,
    passed: bool,
}

/// An error, `null` in JSON if the result was not finite.
type Figure = Option<f64>;

/// A case that every algorithm is checked on.
#[derive(Clone, Debug, PartialEq)]
struct Case {
    problem: Problem,
    precision: Precision,
    direction: Direction,
    normalization: Normalization,
    forms: Vec<(Layout, Placement)>,
}

impl Case {
    fn tasks(&self) -> Vec<Descriptor> {
        let Self { problem, precision, direction, normalization, .. } = *self;
        let task = |&(layout, placement): &(Layout, Placement)| Descriptor {
            precision,
            direction,
            normalization,
            placement,
            ..problem.task(layout)
        };
        self.forms.iter().map(task).collect()
    }

    /// Complex images in 32 bits whose sides are powers of two.
    fn is_of_powers_of_two(&self) -> bool {
        let Problem { kind, dimensions, extent, .. } = self.problem;
        (kind, dimensions, self.precision) == (Kind::Complex, 2, Precision::F32)
            && extent.iter().all(|side| side.is_power_of_two())
    }

    /// The key of cases that share references, apart from the batch.
    fn group(&self) -> (Kind, u32, [u32; 3]) {
        (self.problem.kind, self.problem.dimensions, self.problem.extent)
    }
}

impl Row {
    fn new(algorithm: &'static str, case: &Case, outcome: Outcome<Errors>) -> Self {
        let Case { problem, precision, direction, normalization, .. } = *case;
        let Problem { kind, dimensions, batch, .. } = problem;
        let size = problem.size();
        Self {
            algorithm,
            kind: kind.name(),
            dimensions,
            size,
            batch,
            direction,
            normalization,
            precision: precision.to_string(),
            outcome,
        }
    }

    fn missed(&self) -> bool {
        self.outcome.figures().is_some_and(|errors| !errors.passed)
    }
}

/// The cases for the given sizes: every size in every form.
fn asked(tasks: &Tasks) -> Result<Vec<Case>, Usage> {
    fn or<T: Clone>(given: &[T], usual: &[T]) -> Vec<T> {
        if given.is_empty() { usual.to_vec() } else { given.to_vec() }
    }
    let tasks = &Tasks {
        size: tasks.size.clone(),
        batch: or(&tasks.batch, &[1, 4]),
        dimensions: or(&tasks.dimensions, &[2]),
        kind: or(&tasks.kind, &[Kind::Complex]),
        algorithm: tasks.algorithm.clone(),
        precision: or(&tasks.precision, &[Precision::F32]),
        scale: tasks.scale,
    };
    let forms: Vec<_> = Layout::ALL
        .iter()
        .flat_map(|layout| Placement::ALL.iter().map(|placement| (*layout, *placement)))
        .collect();
    let mut cases = Vec::new();
    for (dimensions, extent) in tasks.extents()? {
        for &kind in &tasks.kind {
            for &batch in &tasks.batch {
                for &precision in &tasks.precision {
                    for &direction in Direction::ALL {
                        cases.push(Case {
                            problem: Problem { kind, dimensions, extent, batch },
                            precision,
                            direction,
                            normalization: tasks.scale.normalization(precision),
                            forms: forms.clone(),
                        });
                    }
                }
            }
        }
    }
    Ok(cases)
}

/// The cases of the short list, or of all of it, that the options select.
fn listed(tasks: &Tasks, all: bool) -> Vec<Case> {
    fn wanted<T: PartialEq>(given: &[T], one: &T) -> bool {
        given.is_empty() || given.contains(one)
    }
    let forms = [
        (Layout::Planar, Placement::OutOfPlace, 4),
        (Layout::Pair, Placement::InPlace, 1),
        (Layout::Pair, Placement::OutOfPlace, 4),
        (Layout::Planar, Placement::InPlace, 1),
    ];
    let mut turn = 0;
    let mut cases = Vec::new();
    let lists = LIST.iter().filter(|listed| wanted(&tasks.dimensions, &listed.1));
    for &(kinds, dimensions, precisions, few, more) in lists {
        let kinds = kinds.iter().filter(|kind| wanted(&tasks.kind, kind));
        for (kind, precision) in kinds.flat_map(|kind| {
            precisions
                .iter()
                .filter(|precision| wanted(&tasks.precision, precision))
                .map(move |precision| (*kind, *precision))
        }) {
            let sizes = few.split(',').chain(more.split(',').filter(|_| all));
            for size in sizes.filter(|size| !size.is_empty()) {
                let size: Size = size.parse().expect("the list's own sizes");
                let extent = size.extent(dimensions).expect("the list's own dimensions");
                for &direction in Direction::ALL {
                    // The inverse of a cosine transform is itself or one of the others.
                    if kind.is_cosine() && direction == Direction::Inverse {
                        continue;
                    }
                    // Each form has both in turn.
                    let in_turn = Direction::ALL[turn / forms.len() % 2];
                    if !all && !kind.is_cosine() && direction != in_turn {
                        continue;
                    }
                    // Two layouts of real numbers are one more than there are.
                    let (layout, placement, usual) = forms[turn % forms.len()];
                    let layout = if kind == Kind::Complex { layout } else { Layout::Planar };
                    turn += 1;
                    let points = extent.iter().map(|side| u64::from(*side)).product::<u64>();
                    let usual = if points > LARGE_POINTS { vec![1] } else { vec![usual] };
                    for &batch in if tasks.batch.is_empty() { &usual } else { &tasks.batch } {
                        cases.push(Case {
                            problem: Problem { kind, dimensions, extent, batch },
                            precision,
                            direction,
                            normalization: tasks.scale.normalization(precision),
                            forms: vec![(layout, placement)],
                        });
                    }
                }
            }
            // So that the next has its sizes in other forms.
            turn += 1;
        }
    }
    cases
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let tasks = &args.tasks;
    // The choice of `auto` is among them already, and is checked where it is chosen.
    let algorithms = tasks.algorithm.list(&[]);
    let cases = match tasks.size.is_empty() {
        // Additive transforms alone.
        _ if algorithms.is_empty() => Vec::new(),
        true => listed(tasks, args.all),
        false => asked(tasks)?,
    };
    args.parameters.check(&algorithms)?;
    if algorithms.is_empty() && args.parameters.0.is_set() {
        return Err(Usage("additive transforms have no parameters".to_owned()).into());
    }
    let gpu = Gpu::open(global.limits)?;
    // The short list ends within a minute on a GPU, and within three on a software adapter.
    let share = match tasks.size.is_empty() && !args.all {
        true => algorithms.len().div_ceil(ALGORITHMS_A_CASE),
        false => 1,
    };
    let mut rows = rows(args, &gpu, &cases, &algorithms, share.max(1))?;
    additive::verify_all(args, &gpu, &mut rows)?;
    match args.format {
        Format::Json => output::print_json(&rows)?,
        Format::Table => output::print(&table(&rows))?,
    }
    let missed = rows.iter().filter(|row| row.missed()).count();
    let ran = rows.iter().filter(|row| row.outcome.figures().is_some()).count();
    ensure!(missed == 0, "{missed} of {ran} transforms are not accurate enough");
    eprintln!("{ran} transforms passed, {} skipped", rows.len() - ran);
    Ok(())
}

/// Runs `algorithms` on `cases`, each on one of `share` cases in turn, beside threads that compute the
/// references.
fn rows(
    args: &Args,
    gpu: &Gpu,
    cases: &[Case],
    algorithms: &[AlgorithmChoice],
    share: usize,
) -> anyhow::Result<Vec<Row>> {
    let powers = cases.iter().filter(|case| case.is_of_powers_of_two()).count();
    let count = (powers + (cases.len() - powers) / share) * algorithms.len();
    let progress = progress_bar(count as u64, "transforms");
    let mut rows = Vec::with_capacity(count);
    let (mut said, mut turn) = (Instant::now(), 0);
    let groups: Vec<_> = cases.chunk_by(|a, b| a.group() == b.group()).collect();
    std::thread::scope(|scope| {
        // One group each at a time: the references of all would fill the memory.
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = workers.min(groups.len()).max(1);
        let ready: Vec<_> = (0..workers)
            .map(|worker| {
                let (sender, receiver) = mpsc::sync_channel(1);
                let own = groups.clone().into_iter().skip(worker).step_by(workers);
                scope.spawn(move || own.map(references).try_for_each(|one| sender.send(one)));
                receiver
            })
            .collect();
        for (group, ready) in groups.iter().zip(ready.iter().cycle()) {
            let mut references = ready.recv().context("the references could not be computed")?;
            for case in *group {
                turn += 1;
                // Most algorithms have no other sizes.
                let share = if case.is_of_powers_of_two() { 1 } else { share };
                let takes_turn = |number: usize, choice: &AlgorithmChoice| {
                    // The list has few sizes for these algorithms.
                    let is_rare = choice.named().is_some_and(|one| !one.takes_powers_of_two());
                    number % share == turn % share || is_rare
                };
                let choices = algorithms.iter().enumerate();
                for (_, &choice) in choices.filter(|(number, choice)| takes_turn(*number, choice)) {
                    let resolve = |task: &Descriptor| match choice.named() {
                        Some(algorithm) => args.parameters.of(algorithm).map_or_else(
                            |reason| Ok(Err(reason)),
                            |configuration| Ok(Ok(task.clone().by(configuration))),
                        ),
                        None => progress.suspend(|| args.auto.resolve(gpu, choice, task)).map(Ok),
                    };
                    let outcome = verify(gpu, case, resolve, &mut references)?;
                    rows.push(Row::new(choice.name(), case, outcome));
                    progress.inc(1);
                    if progress.is_hidden() && said.elapsed() > SAID_EVERY {
                        said = Instant::now();
                        eprintln!("{} of {count}: {}", rows.len(), case.problem.in_words());
                    }
                }
            }
        }
        anyhow::Ok(())
    })?;
    progress.finish_and_clear();
    Ok(rows)
}

/// The expected results of the cases of a group.
fn references(group: &[Case]) -> References {
    let mut references = References::default();
    for task in group.iter().flat_map(Case::tasks).filter(is_possible) {
        for index in 0..task.batch {
            references.of(index, &task);
        }
    }
    references
}

/// Whether the transform exists: one of type I has two ends.
fn is_possible(task: &Descriptor) -> bool {
    let too_short = |axis: &crate::fft::Axis| task.length(*axis) < 2;
    task.kind != Kind::Dct1 || !task.axes.list().iter().any(too_short)
}

/// Checks every image of `case`'s batch, in its layouts and placements, by the algorithm that `resolve`
/// returns.
fn verify(
    gpu: &Gpu,
    case: &Case,
    resolve: impl Fn(&Descriptor) -> anyhow::Result<Result<Descriptor, Unsupported>>,
    references: &mut References,
) -> anyhow::Result<Outcome<Errors>> {
    let (mut worst, mut passed) = (Accuracy::NONE, true);
    // One form may be more than the adapter has room for, and others not.
    let (mut refused, mut any) = (None, false);
    for task in case.tasks() {
        let resolved = resolve(&task)?;
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
        worst = worst.worse(accuracy);
        passed &= Gate::of(&descriptor).passes(accuracy);
        any = true;
    }
    if let Some(reason) = refused.filter(|_| !any) {
        return Ok(Outcome::skipped(reason));
    }
    let figure = |error: f64| error.is_finite().then_some(error);
    Ok(Outcome::Measured(Errors {
        relative_l2_error: figure(worst.relative_l2),
        max_error: figure(worst.relative_max),
        passed,
    }))
}

fn table(rows: &[Row]) -> String {
    let headings = [
        "algorithm",
        "kind",
        "dimensions",
        "size",
        "batch",
        "precision",
        "direction",
        "L2 error",
        "max error",
        "result",
    ];
    let mut table = vec![headings.map(String::from).to_vec()];
    for row in rows {
        let error = |figure: Figure| figure.map_or("inf".into(), |error| format!("{error:.1e}"));
        let cells = match row.outcome.figures() {
            Some(Errors { relative_l2_error, max_error, passed }) => [
                error(*relative_l2_error),
                error(*max_error),
                if *passed { "passed" } else { "FAILED" }.to_owned(),
            ],
            None => ["-".into(), "-".into(), row.outcome.note().unwrap_or_default()],
        };
        let task = [
            row.algorithm.to_owned(),
            row.kind.to_owned(),
            format!("{}D", row.dimensions),
            row.size.to_string(),
            row.batch.to_string(),
            row.precision.clone(),
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
        let (kind, dimensions, extent, batch) = (Kind::Complex, 2, [8, 8, 1], 1);
        let case = Case {
            problem: Problem { kind, dimensions, extent, batch },
            precision: Precision::F32,
            direction: Direction::Forward,
            normalization: Normalization::None,
            forms: Vec::new(),
        };
        let row = |outcome| Row::new("a", &case, outcome);
        let rows = [
            row(Outcome::Measured(Errors {
                relative_l2_error: None,
                max_error: Some(0.5),
                passed: false,
            })),
            row(Outcome::skipped("too long")),
        ];
        assert!(rows[0].missed() && !rows[1].missed());
        let json = serde_json::to_value(&rows).unwrap();
        assert_eq!(json[0]["passed"], false);
        assert!(json[0]["relative_l2_error"].is_null());
        assert_eq!(json[1]["skipped"], "too long");
        let table = table(&rows);
        assert!(table.contains("FAILED") && table.contains("skipped: too long"), "{table}");
    }
    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        args: Args,
    }

    fn tasks(line: &str) -> Tasks {
        use clap::Parser as _;
        let words = std::iter::once("program").chain(line.split_whitespace());
        Program::try_parse_from(words).unwrap().args.tasks
    }

    #[test]
    fn the_list_is_complete_in_bounded_cases() {
        let [few, all] = [false, true].map(|all| listed(&tasks(""), all));
        assert!(few.len() < 100 && all.len() < 600, "{} of {}", few.len(), all.len());
        let extent = |case: &Case| case.group();
        assert!(few.iter().all(|case| all.iter().any(|other| extent(other) == extent(case))));
        for cases in [few, all] {
            has_every_kind(&cases);
        }
    }

    fn has_every_kind(cases: &[Case]) {
        let has = |is_it: &dyn Fn(&Case) -> bool| cases.iter().any(is_it);
        for &kind in Kind::ALL {
            for dimensions in 1..=3 {
                for precision in [Precision::F32, Precision::F64] {
                    assert!(
                        has(&|case| {
                            let Problem { kind: k, dimensions: d, .. } = case.problem;
                            (k, d, case.precision) == (kind, dimensions, precision)
                        }),
                        "{kind} {dimensions}D {precision}"
                    );
                }
            }
        }
        assert!(has(&|case| case.precision == Precision::F16));
        for &layout in Layout::ALL {
            for &placement in Placement::ALL {
                for &direction in Direction::ALL {
                    assert!(has(&|case| {
                        case.forms == [(layout, placement)] && case.direction == direction
                    }));
                }
            }
        }
    }

    #[test]
    fn additive_transforms_are_among_all_algorithms() {
        let rows = |line: &str| {
            let words = std::iter::once("program").chain(line.split_whitespace());
            let args = <Program as clap::Parser>::try_parse_from(words).unwrap().args;
            additive::methods(&args).len() * additive::cases(&args).len()
        };
        let [few, all] = [rows(""), rows("--all")];
        assert!(few > 10 && all > few, "{few} of {all}");
        assert_eq!(few, rows("--dimensions 1"));
        for line in ["--algorithm dft", "--kind real", "--dimensions 2", "--size 8"] {
            assert_eq!(rows(line), 0, "{line}");
        }
        assert_eq!(rows("--algorithm gao-mateer --size 8"), 2);
        assert_eq!(rows("--algorithm gao-mateer,dft --size 8,16 --batch 3"), 2);
    }

    #[test]
    fn options_choose_from_the_list_or_make_another() {
        let some = listed(&tasks("--kind dct4 --dimensions 3 --precision f64 --batch 2"), false);
        assert!(!some.is_empty());
        for case in &some {
            let Problem { kind, dimensions, batch, .. } = case.problem;
            assert_eq!((kind, dimensions, batch), (Kind::Dct4, 3, 2));
            assert_eq!(case.precision, Precision::F64);
        }
        // Two batches, two directions, each in four forms.
        let asked = asked(&tasks("--size 12 --kind real --dimensions 1,3")).unwrap();
        assert_eq!(asked.len(), 2 * 2 * 2);
        assert!(asked.iter().all(|case| case.forms.len() == 4 && case.tasks().len() == 4));
        let Err(Usage(message)) = super::asked(&tasks("--size 4x4 --dimensions 3")) else {
            panic!("an image is no volume")
        };
        assert!(message.contains("--dimensions 2"), "{message}");
    }
}
