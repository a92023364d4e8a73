//! Four-step: a line as a matrix, or as an array of more sides, in a dispatch for each side: for
//! lengths past one workgroup's memory. The kernels are those of `mixed-radix`, on parts of lines.
//!
//! Govindaraju et al., High Performance Discrete Fourier Transforms on Graphics Processors (SC
//! 2008), section 4C, "Hierarchical FFT". A line of N points is a row-major matrix whose columns
//! have N1 points and whose rows N2; the four steps are
//! 1. transform the columns: over n1, where n = n1 N2 + n2,
//! 2. multiply by exp(sign 2 pi i k1 n2 / N), on the stores of step 1,
//! 3. transform the rows: over n2,
//! 4. transpose: result (k1, k2) is point k2 N1 + k1, on the stores of step 3.
//!
//! Rows that are too long for a workgroup are matrices in turn. With the sides N1, N2, N3, .. every pass
//! but the last does steps 1 and 2 on its side, and the last reverses the digits.

use super::smooth::{self, Route, smooth_algorithm};
use crate::descriptor::Axis;
use crate::error::Unsupported;
use crate::program::Problem;

const SHORTEST: u32 = 16;

// Lines and radices stay open unless given, since they differ from step to step.
smooth_algorithm!(
    FourStep,
    "four-step, for lengths past one workgroup's memory, two dispatches per axis or more (Govindaraju \
     2008, section 4C)"
);

/// Lines that fit a workgroup stay whole, even beside an axis that is too long.
fn routes(problem: &Problem<'_>) -> Result<Vec<(Axis, Route)>, Unsupported> {
    smooth::check_smooth(problem)?;
    let axes = smooth::axes(problem);
    let fits = |axis: Axis| smooth::fits(problem, smooth::length(problem, axis));
    let all_fit = axes.iter().all(|axis| fits(*axis));
    let route = |axis: Axis| {
        let length = smooth::length(problem, axis);
        match length < SHORTEST || !all_fit && fits(axis) {
            true => Route::Whole,
            false => smooth::steps(problem, length),
        }
    };
    Ok(axes.into_iter().map(|axis| (axis, route(axis))).collect())
}
