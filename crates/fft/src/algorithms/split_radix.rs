//! Conjugate-pair split radix, one dispatch per axis; the kernel is `shaders/fft/split_radix.wgsl`.

use super::{AlgorithmFile, LineParameters};
use crate::error::Unsupported;
use crate::program::lines::LineAlgorithm;
use crate::program::{Problem, Program};

pub(crate) struct SplitRadix;

pub(super) const LINES: LineAlgorithm =
    LineAlgorithm { file: "fft/split_radix.wgsl", radix: 4, steps: 1, in_storage: false };

impl AlgorithmFile for SplitRadix {
    const DESCRIPTION: &'static str =
        "conjugate-pair split radix, one dispatch per axis (Mateer 2008, figure 4.3)";

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
