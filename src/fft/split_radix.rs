//! Conjugate-pair split radix, one dispatch per axis; the kernel is `shaders/fft/split_radix.wgsl`.

use super::lines::LineAlgorithm;
use super::problem::Problem;
use super::{Program, Unsupported};

pub(super) const DESCRIPTION: &str =
    "conjugate-pair split radix, one dispatch per axis (Mateer 2008, figure 4.3)";

pub(super) fn program(problem: &Problem<'_>) -> Result<Program, Unsupported> {
    LineAlgorithm { file: "fft/split_radix.wgsl", radix: 4 }.program(problem)
}
