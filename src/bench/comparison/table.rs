//! The results of a comparison as plain data, for panels and files.

use serde::Serialize;

use super::{Candidate, Comparison, Figures, Problem, RowKind, State};
use crate::bench::{Outcome, Scale};
use crate::fft::Precision;
use crate::fft::lab::timing::Timer;
use crate::fft::lab::{Configuration, to_known};
use crate::text_table::{TextTable, merged};

/// All rows, in the requested order, after the copy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// Points along one side of each image.
    pub size: u32,
    /// The number of complex images.
    pub batch: u32,
    /// Precision of numbers in memory.
    pub precision: Precision,
    /// The clock of the times.
    pub timer: Timer,
    /// Microseconds between values of a coarse clock, as in browsers. Figures are rounded to its resolution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_step_us: Option<f64>,
    /// The rows, of which the first is the copy.
    pub rows: Vec<Line>,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Index among the entries; `None` for the copy of the same bytes.
    #[serde(skip)]
    pub entry: Option<usize>,
    /// The kind of work that was timed.
    pub kind: RowKind,
    /// The requested algorithm, or `copy`.
    pub algorithm: String,
    /// The choice of `best` or `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
    /// The complete configuration, once it runs.
    #[serde(skip)]
    pub configuration: Option<Configuration>,
    /// Whether the others of its family are compared with this row.
    pub baseline: bool,
    /// The present step of the preparation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<&'static str>,
    /// The figures, or why there are none, once the row is prepared.
    #[serde(flatten)]
    pub outcome: Option<Outcome<Measured>>,
}

/// The figures of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Median in microseconds; `None` before the first sample.
    pub median_us: Option<f64>,
    /// The 5th percentile in microseconds.
    pub p5_us: Option<f64>,
    /// The 95th percentile in microseconds.
    pub p95_us: Option<f64>,
    /// The copy's time over its own: 1 is the ceiling. `None` for steps.
    pub copy_share: Option<f64>,
    /// The baseline's time over its own: more is faster.
    pub speed_up: Option<f64>,
    /// Its largest error over the largest magnitude of the reference in double precision.
    pub relative_max_error: f64,
    /// Euclidean norm of its error over that of the reference.
    pub relative_l2_error: f64,
    /// Bytes of workgroup memory, the most of the transform's kernels.
    pub workgroup_bytes: u32,
    /// The number of dispatches in one run.
    pub dispatches: usize,
    /// The number of images in a run. If they are fewer than the batch, times are multiplied by `scale`.
    pub images_measured: u32,
    /// The factor from a run's time to that of the batch.
    pub scale: f64,
    /// The number of samples behind the figures.
    pub samples: usize,
    /// Whether more samples would change little.
    pub settled: bool,
    /// Resolution of a coarse clock for one run, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_us: Option<f64>,
    /// Repetitions in its newest sample.
    pub repetitions: u32,
    /// Bytes that one run of a transform reads and writes.
    #[serde(skip)]
    pub bytes_moved: Option<u64>,
}

impl Table {
    pub(super) fn new(comparison: &Comparison, copy: usize) -> Self {
        let Problem { size, precision, .. } = comparison.problem;
        let figures = |row| comparison.rounds.figures(row);
        // Both in the same frames as the baseline, where there is one: then drift is in neither.
        let relative = |row| {
            figures(row).map(|figures: Figures| (figures.ratio_to_baseline, figures.median_us))
        };
        let copy_of = relative(copy);
        // The resolution of a coarse clock, as a share of the time.
        let known_share = |row| figures(row).map_or(0.0, |figures: Figures| figures.known_share);
        let mut rows = Vec::new();
        let has_copy = comparison.entries.iter().any(|entry| entry.kind == RowKind::Transform);
        for row in has_copy.then_some(copy).into_iter().chain(0..comparison.entries.len()) {
            let entry = comparison.entries.get(row);
            let kind = comparison.kind(row);
            let is_baseline = comparison.rounds.baseline(kind.family()) == Some(row);
            let measured = |candidate: &Candidate| {
                let share = (kind == RowKind::Transform && row != copy)
                    .then(|| {
                        let share = ratio(copy_of?, relative(row)?, is_baseline);
                        Some(to_known(share, share * (known_share(copy) + known_share(row))))
                    })
                    .flatten();
                Measured::new(candidate, figures(row), share, is_baseline)
            };
            let (pending, done) = match &comparison.states[row] {
                State::Pending(pending) => (Some(*pending), None),
                State::Done(done) => (None, Some(done)),
            };
            let configuration = done
                .and_then(Outcome::figures)
                .and_then(|candidate| candidate.properties.configuration);
            rows.push(Line {
                entry: entry.map(|_| row),
                kind,
                algorithm: entry.map_or("copy", |entry| entry.algorithm.name()).to_owned(),
                chosen: entry
                    .filter(|entry| entry.algorithm.named().is_none())
                    .and(configuration)
                    .map(|configuration| configuration.algorithm().to_string()),
                configuration,
                baseline: is_baseline,
                pending,
                outcome: done.map(|done| done.as_ref().map(|candidate| measured(candidate))),
            });
        }
        let batch = comparison.problem.images();
        let clock_step_us = comparison.clock_step.map(|clock| clock.step_us);
        Self { size, batch, precision, timer: comparison.timer(), clock_step_us, rows }
    }
}

/// The time of the copy over that of a row, each as (ratio to the baseline, median): by the ratios if both
/// are known.
fn ratio(copy: (Option<f64>, f64), row: (Option<f64>, f64), is_baseline: bool) -> f64 {
    match (copy.0, if is_baseline { Some(1.0) } else { row.0 }) {
        (Some(copy), Some(row)) => copy / row,
        _ => copy.1 / row.1,
    }
}

impl Table {
    /// One line for people: the problem and the clock.
    pub fn title(&self) -> String {
        let Self { size, batch, precision, timer, .. } = self;
        let by = match timer {
            Timer::GpuTimestamps => "GPU timestamps",
            Timer::Wall => "the processor's clock",
        };
        let step = self.clock_step().map(|step| format!(" {step}")).unwrap_or_default();
        format!(
            "Inverse FFT of {batch} images of {size} x {size}, {precision}, timed by {by}{step}"
        )
    }

    /// The step of the clock in words, if it exceeds a native one's tenth of a microsecond.
    fn clock_step(&self) -> Option<String> {
        let step_us = self.clock_step_us.filter(|step_us| *step_us >= 0.1)?;
        let digits = usize::from(step_us < 10.0);
        Some(format!("in steps of {step_us:.digits$} us"))
    }

    /// The columns for people, a row for each line.
    pub fn text(&self) -> TextTable {
        let mut table = TextTable::new([
            "row",
            "algorithm",
            "median [us]",
            "p5 to p95 [us]",
            "% of copy",
            "speed-up",
            "largest error",
            "workgroup memory [B]",
            "dispatches",
            "note",
        ]);
        table.rows.extend(self.rows.iter().map(|line| self.cells(line)));
        table
    }

    /// The cells of a row below the headings of [`Table::text`].
    pub fn cells(&self, line: &Line) -> Vec<String> {
        let mut cells = vec![line.kind.label().to_owned(), line.name()];
        match line.measured() {
            Some(measured) => {
                let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
                let spread = measured.p5_us.zip(measured.p95_us);
                let microseconds = |us| microseconds(us, measured.known_us);
                cells.extend([
                    or_dash(measured.median_us.map(microseconds)),
                    or_dash(
                        spread.map(|(p5, p95)| {
                            format!("{} to {}", microseconds(p5), microseconds(p95))
                        }),
                    ),
                    or_dash(measured.copy_share.map(|share| format!("{:.0}", 100.0 * share))),
                    or_dash(measured.speed_up.map(|speed_up| format!("{speed_up:.2}"))),
                    match line.entry {
                        Some(_) => format!("{:.1e}", measured.relative_max_error),
                        None => "-".to_owned(),
                    },
                    measured.workgroup_bytes.to_string(),
                    measured.dispatches.to_string(),
                    self.note(line, measured),
                ]);
            }
            None => {
                cells.resize(9, "-".to_owned());
                cells.push(line.note());
            }
        }
        cells
    }

    /// Remarks on a row's figures.
    pub(super) fn note(&self, line: &Line, measured: &Measured) -> String {
        let mut notes = Vec::new();
        if line.baseline {
            notes.push("baseline".to_owned());
        }
        if measured.images_measured < self.batch {
            notes.push(format!(
                "measured on {} of {} images, multiplied by {}",
                measured.images_measured, self.batch, measured.scale
            ));
        }
        if !measured.settled {
            notes.push("settling".to_owned());
        }
        notes.join("; ")
    }

    /// The table as comma-separated values, with the keys of its JSON as columns.
    pub fn csv(&self) -> String {
        const COLUMNS: &[&str] = &[
            "kind",
            "algorithm",
            "chosen",
            "size",
            "batch",
            "precision",
            "timer",
            "baseline",
            "median_us",
            "p5_us",
            "p95_us",
            "copy_share",
            "speed_up",
            "relative_max_error",
            "relative_l2_error",
            "workgroup_bytes",
            "dispatches",
            "images_measured",
            "scale",
            "samples",
            "settled",
            "clock_step_us",
            "pending",
            "skipped",
            "failed",
        ];
        let rows = self.rows.iter().map(|line| merged(self, line));
        TextTable::of_values(COLUMNS.iter().map(|name| (*name, *name)), rows).csv()
    }

    /// The table as Markdown, below its title and `about` (such as the adapter).
    pub fn markdown(&self, about: &str) -> String {
        format!("{} ({about}).\n\n{}", self.title(), self.text().markdown())
    }

    /// A picture as SVG: a bar for the median of each row, with its spread.
    pub(crate) fn scale(&self) -> Scale {
        let times = self.rows.iter().filter_map(|line| line.measured()?.times_us());
        // The least that a coarse clock shows is nothing.
        Scale::decades(times.flat_map(|[p5, _, p95]| [p5.max(1e-3), p95.max(1e-3)]))
    }
}

/// Formats a time with its significant digits, and no finer than the resolution of a coarse clock.
pub fn microseconds(us: f64, known_us: Option<f64>) -> String {
    let digits = match us {
        us if us < 10.0 => 2,
        us if us < 1000.0 => 1,
        _ => 0,
    };
    let known = known_us.map_or(digits, |known_us| (-known_us.log10()).ceil().max(0.0) as usize);
    format!("{us:.*}", digits.min(known))
}

/// `algorithm` with the choice of `best` or `auto`, as in `best (stockham-r8)`.
pub fn named(algorithm: &str, chosen: Option<&str>) -> String {
    chosen.map_or_else(|| algorithm.to_owned(), |chosen| format!("{algorithm} ({chosen})"))
}

impl Line {
    /// The figures, if there are any.
    pub fn measured(&self) -> Option<&Measured> {
        self.outcome.as_ref()?.figures()
    }

    /// Whether its result was wrong.
    pub fn is_failed(&self) -> bool {
        self.outcome.as_ref().is_some_and(Outcome::is_failed)
    }

    /// The algorithm, with the choice of `best` or `auto`.
    pub fn name(&self) -> String {
        named(&self.algorithm, self.chosen.as_deref())
    }

    /// The text in place of figures.
    pub fn note(&self) -> String {
        let note = self.outcome.as_ref().and_then(Outcome::note);
        note.unwrap_or_else(|| self.pending.unwrap_or_default().to_owned())
    }
}

impl Measured {
    /// The 5th percentile, the median and the 95th percentile, in microseconds, once there are samples.
    pub fn times_us(&self) -> Option<[f64; 3]> {
        Some([self.p5_us?, self.median_us?, self.p95_us?])
    }

    fn new(
        candidate: &Candidate,
        figures: Option<Figures>,
        copy_share: Option<f64>,
        is_baseline: bool,
    ) -> Self {
        let Candidate { properties, work, .. } = candidate;
        let ratio = figures.and_then(|figures| figures.ratio_to_baseline);
        Self {
            median_us: figures.map(|figures| figures.median_us),
            p5_us: figures.map(|figures| figures.p5_us),
            p95_us: figures.map(|figures| figures.p95_us),
            copy_share,
            speed_up: figures.and_then(|Figures { known_share, .. }| match is_baseline {
                true => Some(1.0),
                false => ratio.map(|ratio| to_known(1.0 / ratio, known_share / ratio)),
            }),
            relative_max_error: properties.accuracy.relative_max,
            relative_l2_error: properties.accuracy.relative_l2,
            workgroup_bytes: properties.workgroup_bytes,
            dispatches: work.dispatches(),
            images_measured: properties.images,
            scale: properties.scale,
            samples: figures.map_or(0, |figures| figures.samples),
            settled: figures.is_some_and(|figures| figures.settled),
            known_us: figures.map(|figures| figures.known_us).filter(|known_us| *known_us > 0.0),
            repetitions: figures.map_or(1, |figures| figures.repetitions),
            bytes_moved: properties.bytes_moved,
        }
    }
}
