//! Any smooth length, a whole line in the registers of a workgroup, one dispatch per axis.
//!
//! Singleton, An algorithm for computing the mixed radix fast Fourier transform (IEEE Trans. Audio
//! Electroacoust. 17, 1969), in the Stockham form of Govindaraju et al. 2008, whose figure 2 holds
//! for any radices; `smooth/` generates the kernels.

use super::smooth::{self, Route, smooth_algorithm};
use crate::descriptor::Axis;
use crate::error::Unsupported;
use crate::program::Problem;

smooth_algorithm!(
    MixedRadix,
    "register-tiled stages of mixed radices, for lengths whose primes are at most 13, one dispatch per \
     axis (Singleton 1969, Govindaraju 2008)"
);

fn routes(problem: &Problem<'_>) -> Result<Vec<(Axis, Route)>, Unsupported> {
    smooth::check_smooth(problem)?;
    Ok(smooth::axes(problem).into_iter().map(|axis| (axis, Route::Whole)).collect())
}
