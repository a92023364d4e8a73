//! Radix-2 Cooley-Tukey, one dispatch per axis; the kernel is `shaders/fft/cooley_tukey.wgsl`.

use super::lines::LineAlgorithm;
use super::problem::Problem;
use super::{Program, Unsupported};

pub(super) const DESCRIPTION: &str =
    "radix-2 Cooley-Tukey, one dispatch per axis (Mota 2022, listings A.3 and A.4)";

pub(super) fn program(problem: &Problem<'_>) -> Result<Program, Unsupported> {
    LineAlgorithm { file: "fft/cooley_tukey.wgsl", radix: 2 }.program(problem)
}
