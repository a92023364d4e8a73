//! Radix-2 Cooley-Tukey in natural order, one dispatch per axis; the kernel is
//! `shaders/fft/cooley_tukey_natural.wgsl`.

use super::{AlgorithmFile, LineParameters};
use crate::error::Unsupported;
use crate::program::lines::LineAlgorithm;
use crate::program::{Problem, Program};

pub(crate) struct CooleyTukeyNatural;

const LINES: LineAlgorithm =
    LineAlgorithm { file: "fft/cooley_tukey_natural.wgsl", radix: 2, steps: 2, in_storage: true };

impl AlgorithmFile for CooleyTukeyNatural {
    const DESCRIPTION: &'static str = "radix-2 Cooley-Tukey in natural order, which composes even and \
        odd points after every stage, one dispatch per axis (Mota 2022, section 4.1)";

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
