//! Radix-4 Stockham, one dispatch per axis; the kernel is `shaders/fft/stockham_r4.wgsl`.

use crate::fft::error::Unsupported;
use crate::fft::program::Problem;
use crate::fft::program::Program;
use crate::fft::program::lines::LineAlgorithm;

pub(super) const DESCRIPTION: &str =
    "radix-4 Stockham, one dispatch per axis (Mota 2022, listings A.7 and A.8)";

pub(super) const LINES: LineAlgorithm = LineAlgorithm { file: "fft/stockham_r4.wgsl", radix: 4 };

pub(super) fn program(problem: &Problem<'_>) -> Result<Program, Unsupported> {
    LINES.program(problem)
}
