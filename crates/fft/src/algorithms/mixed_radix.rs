//! Any smooth length, a whole line in the registers of a workgroup, one dispatch per axis.
//!
//! Singleton, An algorithm for computing the mixed radix fast Fourier transform (IEEE Trans. Audio
//! Electroacoust. 17, 1969), in the Stockham form of Govindaraju et al. 2008, whose figure 2 holds
//! for any radices; `smooth/` generates the kernels.

use super::smooth::{self, Route, SmoothParameters};
use super::{AlgorithmFile, Value};
use crate::descriptor::Axis;
use crate::error::Unsupported;
use crate::program::{Problem, Program};

pub(crate) struct MixedRadix;

impl AlgorithmFile for MixedRadix {
    const DESCRIPTION: &'static str = "register-tiled stages of mixed radices, for lengths whose \
        primes are at most 13, one dispatch per axis (Singleton 1969, Govindaraju 2008)";

    const IS_GENERAL: bool = true;

    type Parameters = SmoothParameters;

    fn complete(
        problem: &Problem<'_>,
        given: &SmoothParameters,
    ) -> Result<SmoothParameters, Unsupported> {
        smooth::check_smooth(problem)?;
        smooth::complete(problem, given, &routes(problem))
    }

    fn program(
        problem: &Problem<'_>,
        parameters: &SmoothParameters,
    ) -> Result<Program, Unsupported> {
        smooth::program(problem, parameters, &routes(problem))
    }

    fn space(problem: &Problem<'_>) -> Vec<(&'static str, Vec<Value>)> {
        smooth::space(problem)
    }
}

fn routes(problem: &Problem<'_>) -> Vec<(Axis, Route)> {
    smooth::axes(problem).into_iter().map(|axis| (axis, Route::Whole)).collect()
}
