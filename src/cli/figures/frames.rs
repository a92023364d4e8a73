//! Frames of an ocean that each algorithm drives, as `seaway profile --compare` times them.

use serde::{Deserialize, Serialize};

use super::draw::BySize;
use crate::cli::profile::{Parts, SizeFrames};
use crate::fft::lab::PingPong;

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

    /// Whether the stages of their transforms alternate between images.
    pub fn are_in_images(&self) -> bool {
        let in_images = |at: &SizeFrames| at.ping_pong == Some(PingPong::Image);
        !self.comparisons.is_empty() && self.comparisons.iter().all(in_images)
    }

    /// Describes the frames in sentences.
    pub fn describe(&self) -> String {
        let day = self.date.split('T').next().unwrap_or_default();
        let Some(SizeFrames { cascades, resolution: [width, height], frames, plain_mesh, .. }) =
            self.comparisons.first()
        else {
            return String::new();
        };
        let picture = match plain_mesh {
            Some(side) => {
                format!("They draw one mesh of {side} x {side} vertices, and nothing else.")
            }
            None => "They draw all that the window does, without buoys.".to_owned(),
        };
        format!(
            "Medians of {frames} frames of {width} x {height} pixels, {day}. {picture} The ocean has \
             {cascades} cascade{}, which is {} transforms a frame.",
            if *cascades == 1 { "" } else { "s" },
            4 * cascades
        )
    }
}
