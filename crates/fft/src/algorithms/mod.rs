//! The algorithms: one file each, and the list of them. Each is a pure function from a problem and its
//! own typed parameters to a [`Program`], or to an error.
//!
//! # Adding an algorithm
//! An algorithm is one file here, with an [`AlgorithmFile`] in it and its WGSL under `shaders/fft/`, a line
//! that declares its module, and one in the list of `configuration/mod.rs`. The command line's options, the
//! panel, the tuner, the stored files, the tests and `verify` walk the list. `toy_list.rs` is a list of one
//! algorithm, for a test, and `toy_list/toy.rs` the smallest possible file.

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
mod rader;
pub(crate) mod register_tiled;
mod shared;
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
mod twisted_r2;
mod twisted_r3;

pub(crate) use rader::beats_bluestein;
pub use register_tiled::StagePlan;
pub use smooth::LinePlan;
pub(crate) use smooth::is_smooth;

use list::algorithms;

use crate::configuration::{
    Algorithm, Configuration, GlobalParameters, LineShape, MultipassParameters, Parameters,
    PassParameters, RegisterTiledParameters, SmoothParameters, TransposeParameters, Twiddles,
    Value, for_all_algorithms,
};
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

    /// Whether it transforms every power of two from 2 up, within limits.
    const TAKES_POWERS_OF_TWO: bool = true;

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

for_all_algorithms!(algorithms);

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
