//! What is known of one algorithm on one task: the rows of the JSON output and of stored files.

use std::collections::BTreeMap;

use crate::fft::lab::Configuration;
use crate::fft::lab::timing::{Regime, Timer};
use crate::fft::{Descriptor, Direction, Kind, Layout, Normalization, Placement, Precision};
use serde::{Deserialize, Serialize};

use super::Size;

/// One algorithm on one task. The field names are the keys of the JSON output, which is stable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its name, `best` or `auto`.
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
    /// Of what is stored and computed.
    pub precision: Precision,
    /// Forward or inverse.
    pub direction: Direction,
    /// What results are multiplied by.
    pub normalization: Normalization,
    /// How images lie in memory.
    pub layout: Layout,
    /// What successive transforms work on.
    pub regime: Regime,
    /// `out_of_place` or `in_place`.
    pub placement: String,
    /// What it ran on.
    pub adapter: String,
    /// What was asked for; the algorithm chose the rest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// Of `--invocations`: those of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocations: Option<u32>,
    /// What came of it.
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
    /// It ran, and its result was right.
    Measured(Box<Figures>),
    /// The adapter cannot run it.
    Skipped {
        /// Why not.
        skipped: String,
    },
    /// It ran, and its result was wrong.
    Failed {
        /// How wrong.
        failed: String,
    },
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Microseconds that one batch takes: the median of the samples.
    pub median_us: f64,
    /// The 5th percentile.
    pub p5_us: f64,
    /// The 95th percentile.
    pub p95_us: f64,
    /// Times that the median is of, each over `repetitions` transforms.
    pub samples: usize,
    /// Transforms of the batch in each sample.
    pub repetitions: u32,
    /// Only where the GPU's own clock was read.
    pub gb_per_s: Option<f64>,
    /// Of [`operations`], whatever the algorithm really computes.
    pub gflops: f64,
    /// A copy of the same bytes in the same passes and placement, in the same run: the ceiling.
    pub copy_us: Option<f64>,
    /// Median over `copy_us`.
    pub copy_ratio: Option<f64>,
    /// Of the worst image, against double precision.
    pub relative_l2_error: f64,
    /// What the times were taken with.
    pub timer: Timer,
    /// Where the clock is coarse, as in browsers: its step in microseconds. The times are rounded to
    /// what it can tell, which is that over `repetitions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_step_us: Option<f64>,
    /// With `--axes`: one axis alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_us: Option<f64>,
    /// Likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column_us: Option<f64>,
    /// Likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_us: Option<f64>,
    /// With `--axes`: what the processor takes to record that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_encode_us: Option<f64>,
    /// Likewise.
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
    /// What was measured, if anything was.
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
    /// What is transformed to what.
    pub kind: Kind,
    /// 1 for lines, 2 for images, 3 for volumes.
    pub dimensions: u32,
    /// Of what is stored and computed.
    pub precision: Precision,
    /// Forward or inverse.
    pub direction: Direction,
    /// How images lie in memory.
    pub layout: Layout,
    /// What successive transforms work on.
    pub regime: Regime,
    /// `out_of_place` or `in_place`.
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
    let json = |value| serde_json::to_value(value).expect("plain data");
    given.map(|(name, value)| (name.to_owned(), json(value))).collect()
}
