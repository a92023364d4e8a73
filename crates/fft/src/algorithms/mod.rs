//! The algorithms: one file each, and the list of them. Each is a pure function from a problem and its
//! own typed parameters to a [`Program`], or to an error.
//!
//! # Adding an algorithm
//! An algorithm is one file here, with an [`AlgorithmFile`] in it and its WGSL under `shaders/fft/`, a line
//! that declares its module, and one in the list below. The command line's options, the panel, the tuner, the stored files, the
//! tests and `verify` walk the list. `toy_list.rs` is a list of one algorithm, for a test, and
//! `toy_list/toy.rs` the smallest possible file.

mod bluestein;
mod cooley_tukey;
mod cooley_tukey_multipass;
mod cooley_tukey_natural;
mod dft;
mod four_step;
pub(crate) mod global;
mod global_r16;
mod global_r32;
mod global_r8;
mod list;
mod mixed_radix;
pub(crate) mod parameters;
pub(crate) mod register_tiled;
mod shared_parameters;
pub(crate) mod smooth;
mod split_radix;
mod stockham_r16;
mod stockham_r2;
mod stockham_r32;
mod stockham_r4;
mod stockham_r8;
#[cfg(test)]
mod toy_list;
mod transpose;

pub use global::GlobalParameters;
pub use parameters::{Entry, Field, Kind, Parameters, Twiddles, Value};
pub use register_tiled::{RegisterTiledLine, RegisterTiledParameters, StagePlan};
pub use shared_parameters::{LineParameters, LineShape, PassParameters, PingPong};
pub(crate) use smooth::is_smooth;
pub use smooth::{LinePlan, SmoothLine, SmoothParameters};
pub use transpose::TransposeParameters;

use list::algorithms;

use crate::descriptor::Descriptor;
use crate::error::Unsupported;
use crate::gpu::Capabilities;
use crate::program::{Problem, Program};

/// The contents of a file of this folder: everything about an algorithm.
pub(crate) trait AlgorithmFile {
    /// A line of description for lists and help, with the source of the algorithm.
    const DESCRIPTION: &'static str;

    /// Whether it transforms real data, volumes and parts of buffers, too, and not only complex images.
    const IS_GENERAL: bool = false;

    /// The parameters that change its speed, and not its result.
    type Parameters: Parameters;

    /// Checks `given`, and chooses its open parameters for `problem`. Fails where the algorithm does not
    /// support the problem, a given parameter does not suit it, or the device is too small for every choice.
    fn complete(
        problem: &Problem<'_>,
        given: &Self::Parameters,
    ) -> Result<Self::Parameters, Unsupported>;

    /// The program that computes `problem` with parameters from [`complete`](Self::complete). Fails for a
    /// limit of the device that no parameter can change.
    fn program(
        problem: &Problem<'_>,
        parameters: &Self::Parameters,
    ) -> Result<Program, Unsupported>;

    /// The parameters that are worth measuring on `problem`, each with its values; others are left open.
    /// Callers sort out those that cannot run.
    fn space(_problem: &Problem<'_>) -> Vec<(&'static str, Vec<Value>)> {
        Vec::new()
    }
}

algorithms! {
    /// Radix-4 Stockham, one dispatch per axis.
    StockhamR4 = "stockham-r4" in stockham_r4, LineParameters;
    /// Register-tiled Stockham, at most 8 points a butterfly.
    StockhamR8 = "stockham-r8" in stockham_r8, RegisterTiledParameters;
    /// Register-tiled Stockham, at most 16 points a butterfly.
    StockhamR16 = "stockham-r16" in stockham_r16, RegisterTiledParameters;
    /// Register-tiled Stockham, at most 32 points a butterfly.
    StockhamR32 = "stockham-r32" in stockham_r32, RegisterTiledParameters;
    /// Radix-2 Stockham, one dispatch per axis.
    StockhamR2 = "stockham-r2" in stockham_r2, LineParameters;
    /// Radix-2 decimation in time, one dispatch per axis.
    CooleyTukey = "cooley-tukey" in cooley_tukey, LineParameters;
    /// Radix-2 decimation in frequency in natural order, one dispatch per axis.
    CooleyTukeyNatural = "cooley-tukey-natural" in cooley_tukey_natural, LineParameters;
    /// Radix-2 decimation in time, one dispatch per stage.
    CooleyTukeyMultipass = "cooley-tukey-multipass" in cooley_tukey_multipass, PassParameters;
    /// Conjugate-pair split radix, one dispatch per axis.
    SplitRadix = "split-radix" in split_radix, LineParameters;
    /// Register-tiled stages of mixed radices, one dispatch per axis: for lengths whose primes are at
    /// most 13.
    MixedRadix = "mixed-radix" in mixed_radix, SmoothParameters;
    /// Lines as matrices, two dispatches per axis or more: for lengths past one workgroup's memory.
    FourStep = "four-step" in four_step, SmoothParameters;
    /// Any length as a convolution with a chirp.
    Bluestein = "bluestein" in bluestein, SmoothParameters;
    /// Rows, tiled transpose, rows, tiled transpose.
    Transpose = "transpose" in transpose, TransposeParameters;
    /// Stockham in global memory, one dispatch per stage.
    GlobalR8 = "global-r8" in global_r8, GlobalParameters;
    /// Stockham in global memory with butterflies of up to 16 points.
    GlobalR16 = "global-r16" in global_r16, GlobalParameters;
    /// Stockham in global memory with butterflies of up to 32 points.
    GlobalR32 = "global-r32" in global_r32, GlobalParameters;
    /// The definition, for any length, which is slow.
    Dft = "dft" in dft, PassParameters;
}

impl Configuration {
    /// The program that computes `descriptor`, optionally without enforcing limits.
    pub(crate) fn program(
        &self,
        descriptor: &Descriptor,
        capabilities: &Capabilities,
        enforces_limits: bool,
    ) -> Result<Program, Unsupported> {
        let (program, complete) = self.build(descriptor, capabilities, enforces_limits)?;
        Ok(Program { configuration: Some(complete), ..program })
    }
}
