//! `seaway filter IMAGE`: a picture and its power spectrum, filtered while sliders move.

mod graphics;
mod loader;
mod panel;
mod panes;
mod program;

use std::path::PathBuf;

use winit::event_loop::EventLoop;

use super::AppError;
use crate::fft::lab::AlgorithmChoice;
use crate::filter::Band;
use crate::filter::picture::Picture;
use crate::gpu::LimitsPreset;
use program::Program;

/// The initial state of the window.
#[derive(Clone, Debug)]
pub struct FilterOptions {
    /// The file of the picture, shown in the panel.
    pub path: PathBuf,
    /// The picture, in the sRGB encoding or the linear values of its file.
    pub picture: Picture,
    /// The frequencies that pass, in cycles per image.
    pub band: Band,
    /// Added to every value of the result.
    pub offset: f32,
    /// Filter linear light: whole numbers are decoded from sRGB.
    pub linear: bool,
    /// The algorithm of the transforms; `None` for the best that is known.
    pub algorithm: Option<AlgorithmChoice>,
    /// How much of the adapter to use.
    pub limits: LimitsPreset,
}

/// Opens the window and runs until it closes.
///
/// # Errors
/// As [`super::run`].
pub fn run(options: FilterOptions) -> Result<(), AppError> {
    let event_loop = EventLoop::new().map_err(|error| AppError::window(&error))?;
    let mut program = Program::new(options);
    let ran = event_loop.run_app(&mut program);
    program.finish()?;
    ran.map_err(|error| AppError::window(&error))
}

#[derive(Clone, Debug, PartialEq)]
struct Controls {
    /// Cycles per image.
    low: f64,
    /// Infinite where everything above `low` passes.
    high: f64,
    falloff: f64,
    offset: f32,
    algorithm: AlgorithmChoice,
    output: String,
}

impl Controls {
    /// The band that passes. The sliders keep its ends in order.
    fn band(&self) -> Band {
        Band::new(self.low, self.high.max(self.low), self.falloff).unwrap_or(Band::ALL)
    }
}
