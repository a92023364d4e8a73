//! Radix-4 Stockham, one dispatch per axis; the kernel is `shaders/fft/stockham_r4.wgsl`.

use super::lines::LineAlgorithm;
use super::problem::Problem;
use super::{Program, Unsupported};

pub(super) const DESCRIPTION: &str =
    "radix-4 Stockham, one dispatch per axis (Mota 2022, listings A.7 and A.8)";

pub(super) const LINES: LineAlgorithm = LineAlgorithm { file: "fft/stockham_r4.wgsl", radix: 4 };

pub(super) fn program(problem: &Problem<'_>) -> Result<Program, Unsupported> {
    LINES.program(problem)
}
