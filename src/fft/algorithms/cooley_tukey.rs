//! Radix-2 Cooley-Tukey, one dispatch per axis; the kernel is `shaders/fft/cooley_tukey.wgsl`.

use crate::fft::error::Unsupported;
use crate::fft::program::Problem;
use crate::fft::program::Program;
use crate::fft::program::lines::LineAlgorithm;

pub(super) const DESCRIPTION: &str =
    "radix-2 Cooley-Tukey, one dispatch per axis (Mota 2022, listings A.3 and A.4)";

pub(super) fn program(problem: &Problem<'_>) -> Result<Program, Unsupported> {
    LineAlgorithm { file: "fft/cooley_tukey.wgsl", radix: 2 }.program(problem)
}
