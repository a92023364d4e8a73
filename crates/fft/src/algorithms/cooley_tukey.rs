//! Radix-2 Cooley-Tukey, one dispatch per axis; the kernel is `shaders/fft/cooley_tukey.wgsl`.

use super::{AlgorithmFile, LineParameters};
use crate::error::Unsupported;
use crate::program::lines::LineAlgorithm;
use crate::program::{Problem, Program};

pub(crate) struct CooleyTukey;

pub(super) const LINES: LineAlgorithm =
    LineAlgorithm { file: "fft/cooley_tukey.wgsl", radix: 2, steps: 1, in_storage: true };

impl AlgorithmFile for CooleyTukey {
    const DESCRIPTION: &'static str =
        "radix-2 Cooley-Tukey, one dispatch per axis (Mota 2022, listings A.3 and A.4)";

    type Parameters = LineParameters;

    fn complete(
        problem: &Problem<'_>,
        given: &LineParameters,
    ) -> Result<LineParameters, Unsupported> {
        LINES.complete(problem, given)
    }

    fn program(problem: &Problem<'_>, parameters: &LineParameters) -> Result<Program, Unsupported> {
        LINES.program(problem, parameters)
    }
}
