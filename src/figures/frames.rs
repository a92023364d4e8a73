//! Frames of an ocean that each algorithm drives, as `seaway profile --compare` times them.

use serde::{Deserialize, Serialize};

use super::draw::{BySize, in_order};
use crate::bench::Outcome;
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

/// The frames of oceans of one size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SizeFrames {
    /// Points along one side of each cascade's grid.
    pub size: u32,
    /// Cascades, of four 2D transforms each.
    pub cascades: u32,
    /// Width and height of the pictures, in pixels.
    pub resolution: [u32; 2],
    /// The number of frames that the medians are taken from.
    pub frames: u32,
    /// The requested memory for results between stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ping_pong: Option<PingPong>,
    /// The vertices along a side of the mesh, where the frames show nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plain_mesh: Option<u32>,
    pub frames_by_algorithm: Vec<FrameRow>,
}

/// An algorithm in the frames that it drives: medians, in microseconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FrameRow {
    pub algorithm: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
    #[serde(flatten)]
    pub outcome: Outcome<FrameTimes>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct FrameTimes {
    pub cpu_us: Parts,
    pub gpu_us: Parts,
    #[serde(default)]
    pub gain: Gain,
}

/// Times of the parts of a frame; `None` where the adapter does not report them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// The transform of the rows; fused, with the spectrum.
    pub horizontal: Option<f64>,
    /// The transform of the columns; fused, with the maps.
    pub vertical: Option<f64>,
    pub ocean: Option<f64>,
    pub frame: Option<f64>,
}

/// GPU time of pass-per-stage over its own: 2 is half the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Gain {
    /// Gain of both passes together.
    pub transform: Option<f64>,
    pub ocean: Option<f64>,
    pub frame: Option<f64>,
}

impl Frames {
    /// GPU times by the size of the ocean.
    pub fn by_size(&self, algorithm: &str, time_us: impl Fn(&Parts) -> Option<f64>) -> BySize {
        let at = |at: &SizeFrames| {
            let mut rows = at.frames_by_algorithm.iter();
            let row = rows.find(|row| row.algorithm == algorithm)?;
            Some((u64::from(at.size), time_us(&row.outcome.figures()?.gpu_us)?))
        };
        in_order(self.comparisons.iter().filter_map(at))
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
