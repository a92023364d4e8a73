//! The results of one part of a step: the rows of the JSON output and of stored files.

use crate::OceanPath;
use crate::fft::lab::timing::Times;
use crate::maps::MapFormat;
use crate::ocean::timing::{OceanRegime, StageTimer};
use serde::{Deserialize, Serialize};

/// One part of a step of one ocean in one regime. Without figures the row is of the whole step.
pub type Row = crate::bench::Row<Form, Figures>;

/// The part of a step, and the ocean besides the points along one side of a cascade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Form {
    pub cascades: u32,
    pub path: OceanPath,
    pub regime: OceanRegime,
    /// A stage, or `to_maps` (all but the mips), or `whole`.
    pub stage: String,
    pub map_format: MapFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    #[serde(flatten)]
    pub times: Times,
    /// How the stages were told apart.
    pub stage_timer: StageTimer,
    /// Error of the maps against double precision, the worst of the fields.
    pub relative_l2_error: f64,
    /// Error of the mips against the mean of the level before, over its largest value.
    pub mips_error: f64,
}
