//! Frames of an ocean that each algorithm drives, as `seaway profile --compare` times them.

use serde::{Deserialize, Serialize};

use super::draw::BySize;
use crate::cli::profile::Parts;

/// The frames in `compare.json`, which `seaway profile --compare` writes. The field names are keys of that
/// file; its other keys are ignored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Frames {
    pub adapter: String,
    /// The start of the command, in UTC.
    pub date: String,
    pub command: String,
    pub comparisons: Vec<AtSize>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AtSize {
    /// Points along one side of each cascade's grid.
    pub size: u32,
    /// Cascades, of four 2D transforms each.
    pub cascades: u32,
    pub resolution: [u32; 2],
    pub frames: u32,
    pub frames_by_algorithm: Vec<FrameRow>,
}

/// The medians of one algorithm. Without times it could not run, or its result was wrong.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FrameRow {
    pub algorithm: String,
    #[serde(default)]
    pub cpu_us: Parts,
    #[serde(default)]
    pub gpu_us: Parts,
}

impl Frames {
    /// GPU times by the size of the ocean.
    pub fn by_size(&self, algorithm: &str, time_us: impl Fn(&Parts) -> Option<f64>) -> BySize {
        let at = |at: &AtSize| {
            let mut rows = at.frames_by_algorithm.iter();
            let row = rows.find(|row| row.algorithm == algorithm)?;
            Some((u64::from(at.size), time_us(&row.gpu_us)?))
        };
        let mut line: BySize = self.comparisons.iter().filter_map(at).collect();
        line.sort_by_key(|(size, _)| *size);
        line
    }

    /// Describes the frames in a sentence.
    pub fn describe(&self) -> String {
        let day = self.date.split('T').next().unwrap_or_default();
        let Some(AtSize { cascades, resolution: [width, height], frames, .. }) =
            self.comparisons.first()
        else {
            return String::new();
        };
        format!(
            "Medians of {frames} frames of {width} x {height} pixels, {day}. The ocean has {cascades} \
             cascades, which is {} transforms a frame.",
            4 * cascades
        )
    }
}
