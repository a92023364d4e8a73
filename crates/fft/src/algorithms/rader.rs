//! Rader's algorithm: prime lengths as a cyclic convolution of all points but the first, in the order of a
//! generator's powers. Where their number is smooth it needs no padding, so that it takes half of the points
//! of `bluestein`. One dispatch per axis where they fit in a workgroup; longer lines go through scratch memory.
//!
//! Rader, Discrete Fourier transforms when the number of data samples is prime (Proc. IEEE 56, 1968);
//! `shaders/fft/powers.wgsl` has the formula.

use super::smooth::{self, Route, is_smooth, smooth_algorithm};
use crate::descriptor::Axis;
use crate::error::Unsupported;
use crate::exact::primes;
use crate::program::Problem;

/// The longest line. Its powers are exact in 32-bit floats.
const LONGEST: u32 = 1 << 22;

// Lines and radices of an axis with several dispatches stay open unless given, since they differ between
// dispatches.
smooth_algorithm!(
    Rader,
    "prime lengths as a convolution of all points but one, one dispatch per axis where they fit in a \
     workgroup (Rader 1968)",
    TAKES_POWERS_OF_TWO = false
);

/// Beside an axis with a prime that no butterfly has, smooth axes use a simpler route, as in `bluestein`.
fn routes(problem: &Problem<'_>) -> Result<Vec<(Axis, Route)>, Unsupported> {
    problem.check_complex()?;
    let axes = smooth::axes(problem);
    let length = |axis: Axis| smooth::length(problem, axis);
    let all_smooth = axes.iter().all(|axis| is_smooth(length(*axis)));
    let is_prime = |length: u32| primes(length as usize) == [length as usize];
    let has_prime = axes.iter().any(|axis| is_prime(length(*axis)));
    let route = |axis: Axis| {
        let length = length(axis);
        let route = if is_prime(length) && (all_smooth || !is_smooth(length)) {
            problem.check_longest(axis, LONGEST)?;
            smooth::generator(problem, length)
        } else if !(is_smooth(length) && has_prime) {
            return Err(Unsupported::Prime { algorithm: problem.algorithm.clone(), axis, length });
        } else if smooth::fits(problem, length) {
            Route::Whole
        } else {
            smooth::steps(problem, length)
        };
        Ok((axis, route))
    };
    axes.into_iter().map(route).collect()
}
