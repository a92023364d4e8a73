//! Radix-4 Stockham, one dispatch per axis; the kernel is `shaders/fft/stockham_r4.wgsl`.

use super::{AlgorithmFile, LineParameters};
use crate::error::Unsupported;
use crate::program::lines::LineAlgorithm;
use crate::program::{Problem, Program};

pub(crate) struct StockhamR4;

pub(super) const LINES: LineAlgorithm =
    LineAlgorithm { file: "fft/stockham_r4.wgsl", radix: 4, steps: 1, in_storage: true };

impl AlgorithmFile for StockhamR4 {
    const DESCRIPTION: &'static str =
        "radix-4 Stockham, one dispatch per axis (Mota 2022, listings A.7 and A.8)";

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
