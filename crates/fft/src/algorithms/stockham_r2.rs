//! Radix-2 Stockham, one dispatch per axis; the kernel is `shaders/fft/stockham_r2.wgsl`.

use super::{AlgorithmFile, LineParameters};
use crate::error::Unsupported;
use crate::program::lines::LineAlgorithm;
use crate::program::{Problem, Program};

pub(crate) struct StockhamR2;

pub(super) const LINES: LineAlgorithm =
    LineAlgorithm { file: "fft/stockham_r2.wgsl", radix: 2, steps: 1, in_storage: true };

impl AlgorithmFile for StockhamR2 {
    const DESCRIPTION: &'static str =
        "radix-2 Stockham, one dispatch per axis (Mota 2022, listings A.5 and A.6)";

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
