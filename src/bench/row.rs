//! The results of one algorithm on one task: the rows of the JSON output and of stored files.

use std::collections::BTreeMap;

use crate::choice::Choice as _;
use crate::fft::lab::timing::{Regime, Times};
use crate::fft::lab::{Accuracy, Configuration};
use crate::fft::{Descriptor, Direction, Kind, Layout, Normalization, Precision};
use serde::{Deserialize, Serialize};

use super::{Outcome, Size};

/// One algorithm on one task. The field names are the keys of the JSON output, which is stable.
///
/// A row is of a transform, or of what has another form and other figures, such as a step of the ocean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row<F = Form, M = Figures> {
    /// Its name, `best` or `auto`; of another library's row, the library.
    pub algorithm: String,
    /// The version of another library. Seaway's own rows have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The change of another library's median from its first run to its last: 0.01 is 1% more time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<f64>,
    /// The complete configuration that `best` or `auto` chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Configuration>,
    /// A number for a line, a square or a cube, else [width, height] or [width, height, depth].
    pub size: Size,
    /// The task besides its size.
    #[serde(flatten)]
    pub form: F,
    /// The name of the adapter.
    pub adapter: String,
    /// The given parameters; the algorithm chose the rest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// With `--invocations`: the invocations of a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocations: Option<u32>,
    /// The figures, or why there are none.
    #[serde(flatten)]
    pub outcome: Outcome<Box<M>>,
}

/// How images are transformed, whatever their size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Form {
    /// The numbers before and after the transform.
    #[serde(default = "complex")]
    pub kind: Kind,
    /// 1 for lines, 2 for images, 3 for volumes.
    #[serde(default = "two")]
    pub dimensions: u32,
    /// The number of lines, images or volumes.
    pub batch: u32,
    /// The precision of the numbers in memory.
    pub precision: Precision,
    /// The direction, forward or inverse.
    pub direction: Direction,
    /// The factor of the results.
    pub normalization: Normalization,
    /// The layout of images in memory.
    pub layout: Layout,
    /// The buffers of successive transforms.
    pub regime: Regime,
    /// `out_of_place` or `in_place`.
    pub placement: String,
}

/// The kind in files older than kinds.
fn complex() -> Kind {
    Kind::Complex
}

/// The dimensions in such files.
fn two() -> u32 {
    2
}

/// The figures of one transform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Microseconds of one batch: the median of the samples.
    #[serde(flatten)]
    pub times: Times,
    /// Only where the time is that of the adapter alone: by a GPU's own clock, or on a software adapter outside
    /// of a browser.
    pub gb_per_s: Option<f64>,
    /// [`operations`] per nanosecond, whatever the algorithm computes.
    pub gflops: f64,
    /// Microseconds of a copy of the same bytes in the same passes and placement, in the same run: the
    /// ceiling.
    pub copy_us: Option<f64>,
    /// The median over `copy_us`: 1 is the ceiling.
    pub copy_ratio: Option<f64>,
    /// Relative error of the worst image, against double precision.
    pub relative_l2_error: f64,
    /// Largest error of a value over the largest magnitude, of the worst image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative_max_error: Option<f64>,
    /// The step of a coarse clock, as in browsers, in microseconds. Times are rounded to that over
    /// `repetitions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_step_us: Option<f64>,
    /// With `--axes`: microseconds of the rows alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_us: Option<f64>,
    /// With `--axes`: microseconds of the columns alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column_us: Option<f64>,
    /// With `--axes`: microseconds of the depths alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_us: Option<f64>,
    /// With `--axes`: the processor's microseconds to record the rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_encode_us: Option<f64>,
    /// With `--axes`: the processor's microseconds to record the columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column_encode_us: Option<f64>,
    /// In a sweep: the median of its first values over this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_up: Option<f64>,
    /// Medians of the peers in the same run, in microseconds.
    pub peer_us: BTreeMap<String, f64>,
    /// Median over the peer's: below 1 is faster.
    pub peer_ratio: BTreeMap<String, f64>,
}

impl Figures {
    /// The figures of a transform without axes and peers. `bytes_moved` gives its GB/s.
    pub fn new(
        task: &Descriptor,
        times: Times,
        accuracy: Accuracy,
        bytes_moved: Option<u64>,
    ) -> Self {
        Self {
            times,
            gb_per_s: bytes_moved.map(|bytes| bytes as f64 / times.median_us / 1000.0),
            gflops: operations(task) / times.median_us / 1000.0,
            copy_us: None,
            copy_ratio: None,
            relative_l2_error: accuracy.relative_l2,
            relative_max_error: Some(accuracy.relative_max),
            clock_step_us: None,
            row_us: None,
            column_us: None,
            depth_us: None,
            row_encode_us: None,
            column_encode_us: None,
            speed_up: None,
            peer_us: BTreeMap::new(),
            peer_ratio: BTreeMap::new(),
        }
    }
}

impl Row {
    /// The row of `task` on `adapter`. `chosen` is the choice of `best` or `auto`; without it, the parameters
    /// are those of the task.
    pub fn new(
        algorithm: &str,
        chosen: Option<Configuration>,
        task: &Descriptor,
        regime: Regime,
        adapter: String,
        outcome: Outcome<Box<Figures>>,
    ) -> Self {
        let [width, height] = task.size;
        let dimensions = task.axes.list().len() as u32;
        // Lines are the rows of images.
        let (extent, batch) = match dimensions {
            1 => ([width, 1, 1], task.batch * height),
            _ => ([width, height, task.depth], task.batch),
        };
        let form = Form {
            kind: task.kind,
            dimensions,
            batch,
            precision: task.precision,
            direction: task.direction,
            normalization: task.normalization,
            layout: task.layout,
            regime,
            placement: task.placement.name().replace('-', "_"),
        };
        let (size, asked) = (Size::of(extent, dimensions), task.algorithm);
        Self::of_form(algorithm, chosen, asked, size, form, adapter, outcome)
    }
}

impl<F, M> Row<F, M> {
    /// The row of a task of some form. `chosen` is what `best` or `auto` came to; without it, the parameters are
    /// those of `asked`.
    pub fn of_form(
        algorithm: &str,
        chosen: Option<Configuration>,
        asked: Option<Configuration>,
        size: Size,
        form: F,
        adapter: String,
        outcome: Outcome<Box<M>>,
    ) -> Self {
        let asked = asked.filter(|_| chosen.is_none());
        Self {
            algorithm: algorithm.to_owned(),
            version: None,
            drift: None,
            chosen,
            size,
            form,
            adapter,
            parameters: asked.map(|asked| parameters(&asked)).unwrap_or_default(),
            invocations: None,
            outcome,
        }
    }

    /// The figures, if there are any.
    pub fn figures(&self) -> Option<&M> {
        self.outcome.figures().map(|figures| &**figures)
    }
}

/// The conventional cost of a batch of transforms in FFT benchmarks, whatever the true cost: 5 n log2 n
/// floating-point operations for each transform of n complex points, and half of that for real ones (Frigo
/// and Johnson, benchFFT).
pub fn operations(task: &Descriptor) -> f64 {
    let points: f64 = task.axes.list().iter().map(|axis| f64::from(task.length(*axis))).product();
    let each = if task.kind == Kind::Complex { 5.0 } else { 2.5 };
    each * points.log2() * task.points() as f64 * f64::from(task.batch)
}

/// The parameters that `configuration` sets, by their names on the command line.
fn parameters(configuration: &Configuration) -> BTreeMap<String, serde_json::Value> {
    let given = configuration.given().into_iter();
    let json = |value| serde_json::to_value(value).expect("plain data");
    given.map(|(name, value)| (name.to_owned(), json(value))).collect()
}

#[cfg(test)]
mod tests {
    use crate::fft::lab::timing::Timer;

    use super::*;

    #[test]
    fn a_batch_has_the_operations_of_its_transforms() {
        let image = |size, batch| Descriptor { size, batch, ..Descriptor::default() };
        assert_eq!(operations(&image([8, 4], 1)), 5.0 * 32.0 * 5.0);
        assert_eq!(operations(&image([128, 128], 16)), 16.0 * 5.0 * 16_384.0 * 14.0);
        // Lines are rows of an image, and each is a transform.
        let rows = crate::fft::Axes::Rows;
        let lines = Descriptor { axes: rows, kind: Kind::Real, ..image([64, 10], 1) };
        assert_eq!(operations(&lines), 10.0 * 2.5 * 64.0 * 6.0);
        let axes = crate::fft::Axes::All;
        let volume = Descriptor { axes, depth: 2, ..image([8, 4], 3) };
        assert_eq!(operations(&volume), 3.0 * 5.0 * 64.0 * 6.0);
    }

    #[test]
    fn a_skipped_row_has_a_reason_without_figures() {
        let task = Descriptor { layout: Layout::Pair, batch: 4, ..Descriptor::default() };
        let times = Times {
            median_us: 2.0,
            p5_us: 2.0,
            p95_us: 2.0,
            samples: 15,
            repetitions: 200,
            timer: Timer::Wall,
        };
        let mut figures = Figures::new(&task, times, Accuracy::NONE, None);
        figures.peer_ratio.insert("rustfft".into(), 0.25);
        let row = |name, outcome| Row::new(name, None, &task, Regime::Hot, "A".into(), outcome);
        let fast = row("fast", Outcome::Measured(Box::new(figures)));
        let rows = [fast, row("slow", Outcome::skipped("too, long"))];
        let json = serde_json::to_value(&rows).unwrap();
        assert_eq!(json[0]["median_us"], 2.0);
        assert_eq!(json[0]["placement"], "out_of_place");
        assert_eq!(json[0]["gb_per_s"], serde_json::Value::Null, "its bytes are not known");
        assert_eq!(json[0]["timer"], "wall");
        assert_eq!(json[0]["peer_ratio"]["rustfft"], 0.25);
        assert_eq!(json[1]["skipped"], "too, long");
        assert!(json[1].get("median_us").is_none() && json[1].get("parameters").is_none());
        assert_eq!((&json[0]["kind"], &json[0]["dimensions"]), (&"complex".into(), &2.into()));
        let mut json = json;
        let read: Vec<Row> = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(read, rows);
        // As files of before there were kinds have it.
        for row in json.as_array_mut().unwrap() {
            let row = row.as_object_mut().unwrap();
            assert!(row.remove("kind").is_some() && row.remove("dimensions").is_some());
        }
        let read: Vec<Row> = serde_json::from_value(json).unwrap();
        assert_eq!(read, rows);
    }
}
