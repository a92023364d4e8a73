//! What is known of one algorithm on one task: the rows of the JSON output and of stored files.

use std::collections::BTreeMap;

use seaway::fft::lab::timing::{Regime, Timer};
use seaway::fft::lab::{Configuration, Value};
use seaway::fft::{Descriptor, Direction, Kind, Layout, Normalization, Placement, Precision};
use serde::{Deserialize, Serialize};

use crate::cli::size::Size;

/// One algorithm on one task. The field names are the keys of the JSON output, which is stable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub algorithm: String,
    /// What `best` or `auto` came to, all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Configuration>,
    /// What is transformed to what.
    #[serde(default = "complex")]
    pub kind: Kind,
    /// 1 for lines, 2 for images, 3 for volumes.
    #[serde(default = "two")]
    pub dimensions: u32,
    /// A number for a line, a square or a cube, else [width, height] or [width, height, depth].
    pub size: Size,
    /// Lines, images or volumes.
    pub batch: u32,
    pub precision: Precision,
    pub direction: Direction,
    pub normalization: Normalization,
    pub layout: Layout,
    pub regime: Regime,
    /// `out_of_place` or `in_place`.
    pub placement: String,
    pub adapter: String,
    /// What was asked for; the algorithm chose the rest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// Of `--invocations`: those of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocations: Option<u32>,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What files of before there were kinds hold.
fn complex() -> Kind {
    Kind::Complex
}

/// Likewise.
fn two() -> u32 {
    2
}

/// Figures, or why there are none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Outcome {
    Measured(Box<Figures>),
    /// The adapter cannot run it.
    Skipped {
        skipped: String,
    },
    /// It ran, and its result was wrong.
    Failed {
        failed: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    pub median_us: f64,
    pub p5_us: f64,
    pub p95_us: f64,
    /// Times that the median is of, each over `repetitions` transforms.
    pub samples: usize,
    pub repetitions: u32,
    /// Only where the GPU's own clock was read.
    pub gb_per_s: Option<f64>,
    /// Of [`operations`], whatever the algorithm really computes.
    pub gflops: f64,
    /// A copy of the same bytes in the same passes and placement, in the same run: the ceiling.
    pub copy_us: Option<f64>,
    /// Median over `copy_us`.
    pub copy_ratio: Option<f64>,
    pub relative_l2_error: f64,
    pub timer: Timer,
    /// With `--axes`: one axis alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_us: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column_us: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_us: Option<f64>,
    /// With `--axes`: what the processor takes to record that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_encode_us: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column_encode_us: Option<f64>,
    /// Of a sweep: the median of its first values over this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_up: Option<f64>,
    /// Medians of the peers in the same run.
    pub peer_us: BTreeMap<String, f64>,
    /// Median over that of the peer: below 1 is faster than it.
    pub peer_ratio: BTreeMap<String, f64>,
}

impl Row {
    pub fn figures(&self) -> Option<&Figures> {
        match &self.outcome {
            Outcome::Measured(figures) => Some(figures),
            Outcome::Skipped { .. } | Outcome::Failed { .. } => None,
        }
    }

    /// Its result was wrong.
    pub fn failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed { .. })
    }

    /// What the task has besides size and batch.
    pub fn form(&self) -> Form<'_> {
        Form {
            kind: self.kind,
            dimensions: self.dimensions,
            precision: self.precision,
            direction: self.direction,
            layout: self.layout,
            regime: self.regime,
            placement: &self.placement,
        }
    }
}

/// How images are transformed, whatever their size and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form<'a> {
    pub kind: Kind,
    pub dimensions: u32,
    pub precision: Precision,
    pub direction: Direction,
    pub layout: Layout,
    pub regime: Regime,
    pub placement: &'a str,
}

/// What FFT benchmarks take a batch of transforms to cost, whatever it does cost: 5 n log2 n
/// floating-point operations for each transform of n complex points, and half of that of real ones
/// (Frigo and Johnson, benchFFT).
pub fn operations(task: &Descriptor) -> f64 {
    let points: f64 = task.axes.list().iter().map(|axis| f64::from(task.length(*axis))).product();
    let each = if task.kind == Kind::Complex { 5.0 } else { 2.5 };
    each * points.log2() * task.points() as f64 * f64::from(task.batch)
}

/// The key of a placement in JSON.
pub fn placement(placement: Placement) -> &'static str {
    match placement {
        Placement::OutOfPlace => "out_of_place",
        Placement::InPlace => "in_place",
    }
}

/// The parameters that `configuration` does not leave open, by their names on the command line.
pub fn parameters(configuration: &Configuration) -> BTreeMap<String, serde_json::Value> {
    let given = configuration.given().into_iter();
    given
        .map(|(name, value)| {
            let value = match value {
                Value::Number(number) => number.into(),
                Value::Flag(flag) => flag.into(),
                Value::Name(name) => name.into(),
            };
            (name.to_owned(), value)
        })
        .collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn row(algorithm: &str, outcome: Outcome) -> Row {
        Row {
            algorithm: algorithm.into(),
            chosen: None,
            kind: Kind::Complex,
            dimensions: 2,
            size: Size::Side(64),
            batch: 4,
            precision: Precision::F32,
            direction: Direction::Inverse,
            normalization: Normalization::None,
            layout: Layout::Pair,
            regime: Regime::Hot,
            placement: "out_of_place".into(),
            adapter: "A, \"B\"".into(),
            parameters: BTreeMap::new(),
            invocations: None,
            outcome,
        }
    }

    pub fn measured(median_us: f64, timer: Timer) -> Outcome {
        Outcome::Measured(Box::new(Figures {
            median_us,
            p5_us: median_us,
            p95_us: median_us,
            samples: 15,
            repetitions: 200,
            gb_per_s: (timer == Timer::GpuTimestamps).then_some(100.0),
            gflops: 1.0,
            copy_us: Some(1.0),
            copy_ratio: Some(median_us),
            relative_l2_error: 1e-7,
            timer,
            row_us: None,
            row_encode_us: None,
            column_encode_us: None,
            column_us: None,
            depth_us: None,
            speed_up: None,
            peer_us: [("rustfft".into(), 4.0 * median_us)].into(),
            peer_ratio: [("rustfft".into(), 0.25)].into(),
        }))
    }

    #[test]
    fn the_operations_of_a_batch_are_those_of_its_transforms() {
        let image = |size, batch| Descriptor { size, batch, ..Descriptor::default() };
        assert_eq!(operations(&image([8, 4], 1)), 5.0 * 32.0 * 5.0);
        assert_eq!(operations(&image([128, 128], 16)), 16.0 * 5.0 * 16_384.0 * 14.0);
        // Lines are rows of an image, and each is a transform.
        let rows = seaway::fft::Axes::Rows;
        let lines = Descriptor { axes: rows, kind: Kind::Real, ..image([64, 10], 1) };
        assert_eq!(operations(&lines), 10.0 * 2.5 * 64.0 * 6.0);
        let axes = seaway::fft::Axes::All;
        let volume = Descriptor { axes, depth: 2, ..image([8, 4], 3) };
        assert_eq!(operations(&volume), 3.0 * 5.0 * 64.0 * 6.0);
    }

    #[test]
    fn a_skipped_row_carries_its_reason_in_place_of_figures() {
        let skipped = Outcome::Skipped { skipped: "too, long".into() };
        let rows = [row("fast", measured(2.0, Timer::Wall)), row("slow", skipped)];
        let json = serde_json::to_value(&rows).unwrap();
        assert_eq!(json[0]["median_us"], 2.0);
        assert_eq!(json[0]["placement"], "out_of_place");
        assert_eq!(json[0]["gb_per_s"], serde_json::Value::Null, "timed by the wall clock");
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
