//! Conjugate-pair split radix, one dispatch per axis; the kernel is `shaders/fft/split_radix.wgsl`.

use crate::fft::error::Unsupported;
use crate::fft::program::Problem;
use crate::fft::program::Program;
use crate::fft::program::lines::LineAlgorithm;

pub(super) const DESCRIPTION: &str =
    "conjugate-pair split radix, one dispatch per axis (Mateer 2008, figure 4.3)";

pub(super) fn program(problem: &Problem<'_>) -> Result<Program, Unsupported> {
    LineAlgorithm { file: "fft/split_radix.wgsl", radix: 4 }.program(problem)
}
