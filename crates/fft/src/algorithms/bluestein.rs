//! Bluestein's algorithm: any length, primes above all, as a convolution with a chirp in at least
//! twice as many points. One dispatch per axis where that many points fit in a workgroup: the line
//! is multiplied by the chirp where it is loaded, transformed, multiplied by the filter, transformed
//! back and multiplied by the chirp where it is stored. Longer lines go through scratch memory.
//!
//! Bluestein, A linear filtering approach to the computation of discrete Fourier transform (IEEE
//! Trans. Audio Electroacoust. 18, 1970); `shaders/fft/chirps.wgsl` has the formula.

use super::smooth::{self, Route, is_smooth, smooth_algorithm};
use crate::descriptor::Axis;
use crate::error::Unsupported;
use crate::program::Problem;

/// The longest line. Its tables, made on the processor, have three times as many entries.
const LONGEST: u32 = 1 << 22;

// Lines and radices of an axis with several dispatches stay open unless given, since they differ between
// dispatches.
smooth_algorithm!(
    Bluestein,
    "any length as a convolution with a chirp, one dispatch per axis where twice the points fit in a \
     workgroup (Bluestein 1970)"
);

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
