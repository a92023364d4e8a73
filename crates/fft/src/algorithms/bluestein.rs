//! Bluestein's algorithm: any length, primes above all, as a convolution with a chirp in at least
//! twice as many points. One dispatch per axis where that many points fit in a workgroup: the line
//! is multiplied by the chirp where it is loaded, transformed, multiplied by the filter, transformed
//! back and multiplied by the chirp where it is stored. Longer lines go through scratch memory.
//!
//! Bluestein, A linear filtering approach to the computation of discrete Fourier transform (IEEE
//! Trans. Audio Electroacoust. 18, 1970); `shaders/fft/chirps.wgsl` has the formula.

use super::smooth::{self, Route, SmoothParameters, is_smooth};
use super::{AlgorithmFile, Value};
use crate::descriptor::Axis;
use crate::error::Unsupported;
use crate::program::{Problem, Program};

pub(crate) struct Bluestein;

/// The longest line. Its tables, made on the processor, have three times as many entries.
const LONGEST: u32 = 1 << 22;

impl AlgorithmFile for Bluestein {
    const DESCRIPTION: &'static str = "any length as a convolution with a chirp, one dispatch per \
        axis where twice the points fit in a workgroup (Bluestein 1970)";

    const IS_GENERAL: bool = true;

    type Parameters = SmoothParameters;

    /// Lines and radices of an axis with several dispatches stay open unless given, since they differ
    /// between dispatches.
    fn complete(
        problem: &Problem<'_>,
        given: &SmoothParameters,
    ) -> Result<SmoothParameters, Unsupported> {
        smooth::complete(problem, given, &routes(problem)?)
    }

    fn program(
        problem: &Problem<'_>,
        parameters: &SmoothParameters,
    ) -> Result<Program, Unsupported> {
        smooth::program(problem, parameters, &routes(problem)?)
    }

    fn space(problem: &Problem<'_>) -> Vec<(&'static str, Vec<Value>)> {
        smooth::space(problem)
    }
}

/// Axes that need no chirp use a simpler route: whole as in `mixed-radix`, or in the steps of `four-step`.
fn routes(problem: &Problem<'_>) -> Result<Vec<(Axis, Route)>, Unsupported> {
    let axes = smooth::axes(problem);
    let all_smooth = axes.iter().all(|axis| is_smooth(smooth::length(problem, *axis)));
    let route = |axis: Axis| {
        let length = smooth::length(problem, axis);
        let route = if all_smooth || !is_smooth(length) {
            problem.check_longest(axis, LONGEST)?;
            smooth::chirp(problem, length)
        } else if smooth::fits(problem, length) {
            Route::Whole
        } else {
            smooth::steps(problem, length)
        };
        Ok((axis, route))
    };
    axes.into_iter().map(route).collect()
}
