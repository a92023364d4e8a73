//! Radix-2 Stockham, one dispatch per axis; the kernel is `shaders/fft/stockham_r2.wgsl`.

use crate::fft::error::Unsupported;
use crate::fft::program::Problem;
use crate::fft::program::Program;
use crate::fft::program::lines::LineAlgorithm;

pub(super) const DESCRIPTION: &str =
    "radix-2 Stockham, one dispatch per axis (Mota 2022, listings A.5 and A.6)";

pub(super) fn program(problem: &Problem<'_>) -> Result<Program, Unsupported> {
    LineAlgorithm { file: "fft/stockham_r2.wgsl", radix: 2 }.program(problem)
}
