//! Frames of an ocean that each algorithm drives, as `seaway profile --compare` times them.

use serde::{Deserialize, Serialize};

use super::draw::BySize;
use crate::cli::profile::{Parts, SizeFrames};

/// The frames in `compare.json`, which `seaway profile --compare` writes. The field names are keys of that
/// file; its other keys are ignored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Frames {
    pub adapter: String,
    /// The start of the command, in UTC.
    pub date: String,
    pub command: String,
    pub comparisons: Vec<SizeFrames>,
}

impl Frames {
    /// GPU times by the size of the ocean.
    pub fn by_size(&self, algorithm: &str, time_us: impl Fn(&Parts) -> Option<f64>) -> BySize {
        let at = |at: &SizeFrames| {
            let mut rows = at.frames_by_algorithm.iter();
            let row = rows.find(|row| row.algorithm == algorithm)?;
            Some((u64::from(at.size), time_us(&row.outcome.figures()?.gpu_us)?))
        };
        let mut line: BySize = self.comparisons.iter().filter_map(at).collect();
        line.sort_by_key(|(size, _)| *size);
        line
    }

    /// Describes the frames in a sentence.
    pub fn describe(&self) -> String {
        let day = self.date.split('T').next().unwrap_or_default();
        let Some(SizeFrames { cascades, resolution: [width, height], frames, .. }) =
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
