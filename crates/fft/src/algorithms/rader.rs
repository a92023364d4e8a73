//! Rader's algorithm: prime lengths as a cyclic convolution of all points but the first, in the order of a
//! generator's powers. Where their number is smooth it needs no padding, so that it takes half of the points
//! of `bluestein`. One dispatch per axis where they fit in a workgroup; longer lines go through scratch memory.
//!
//! Rader, Discrete Fourier transforms when the number of data samples is prime (Proc. IEEE 56, 1968);
//! `shaders/fft/powers.wgsl` has the formula.

use super::smooth::{self, Route, is_smooth, smooth_algorithm};
use crate::descriptor::{Axis, Kind};
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

fn is_prime(length: u32) -> bool {
    primes(length as usize) == [length as usize]
}

/// Whether a plan takes this algorithm and not Bluestein's: every length that needs a convolution is a prime p with
/// a smooth p - 1, whose convolution here fits in a workgroup, while that of Bluestein's algorithm does not.
///
/// (Measured on an H200 with 1024 lines: 7681 points took 0.49 of Bluestein's time, 10,753 points 0.59, and 12,289
/// points 0.74. Where both fit, it was 0.90 at 4001 points, and 1.1 to 1.6 up to 2017.)
pub fn beats_bluestein(problem: &Problem<'_>) -> bool {
    let is_one_pass =
        |route| matches!(route, Route::Chirp(sides) | Route::Generator(sides) if sides.len() == 1);
    let is_shorter = |length: u32| {
        is_prime(length)
            && is_smooth(length - 1)
            && is_one_pass(smooth::generator(problem, length))
            && !is_one_pass(smooth::chirp(problem, length))
    };
    let lengths = smooth::axes(problem).into_iter().map(|axis| smooth::length(problem, axis));
    let mut convolved = lengths.filter(|length| !is_smooth(*length)).peekable();
    problem.descriptor.kind == Kind::Complex
        && convolved.peek().is_some()
        && convolved.all(is_shorter)
}
