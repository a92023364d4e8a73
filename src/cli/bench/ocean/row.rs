//! The results of one part of a step: the rows of the JSON output and of stored files.

use std::collections::BTreeMap;

use seaway::OceanPath;
use seaway::bench::Outcome;
use seaway::fft::lab::Configuration;
use seaway::fft::lab::timing::Timer;
use seaway::maps::MapFormat;
use seaway::ocean::timing::{OceanRegime, StageTimer};
use serde::{Deserialize, Serialize};

/// One part of a step of one ocean in one regime. The field names are the keys of the JSON output,
/// which is stable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Points along one side of a cascade.
    pub size: u32,
    pub cascades: u32,
    pub path: OceanPath,
    pub regime: OceanRegime,
    /// A stage, or `to_maps` (all but the mips), or `whole`.
    pub stage: String,
    pub algorithm: String,
    /// The complete configuration that `best` or `auto` chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Configuration>,
    pub map_format: MapFormat,
    pub adapter: String,
    /// The requested parameters; the algorithm chose the others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// Figures, or the reason why there are none: then the row is of the whole step.
    #[serde(flatten)]
    pub outcome: Outcome<Figures>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    pub median_us: f64,
    pub p5_us: f64,
    pub p95_us: f64,
    /// Number of times that the median is taken from, each over `repetitions`.
    pub samples: usize,
    pub repetitions: u32,
    pub timer: Timer,
    /// How the stages were told apart.
    pub stage_timer: StageTimer,
    /// Error of the maps against double precision, the worst of the fields.
    pub relative_l2_error: f64,
    /// Error of the mips against the mean of the level before, over its largest value.
    pub mips_error: f64,
}
