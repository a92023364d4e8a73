//! The algorithms: one file each, and the list of them. Each is a pure function from a problem to a
//! [`Program`].
//!
//! # Adding an algorithm
//! One file here, with its WGSL under `shaders/fft/`, and its variant in [`Algorithm`] with the two
//! lines in this file that name the module. Everything else walks [`Algorithm::ALL`](Choice::ALL).

mod cooley_tukey;
mod cooley_tukey_multipass;
mod dft;
mod four_step;
mod global_r8;
mod register_tiled;
mod split_radix;
mod stockham_r2;
mod stockham_r4;
mod transpose;
mod tuning;

pub use register_tiled::StagePlan;
pub use tuning::{LineTuning, PingPong, Tuning, Twiddles};

use crate::choice::choices;
use crate::fft::descriptor::Descriptor;
use crate::fft::error::Unsupported;
use crate::fft::program::{Problem, Program};
use crate::gpu::Capabilities;

#[cfg(doc)]
use crate::choice::Choice;

choices! {
    /// An FFT algorithm; see the WGSL file of the same name for its source.
    pub enum Algorithm {
        /// Radix-4 Stockham, one dispatch per axis.
        StockhamR4 = "stockham-r4",
        /// Register-tiled Stockham, 8 points an invocation.
        StockhamR8 = "stockham-r8",
        /// Register-tiled Stockham, 16 points an invocation.
        StockhamR16 = "stockham-r16",
        /// Radix-2 Stockham, one dispatch per axis.
        StockhamR2 = "stockham-r2",
        /// Radix-2 decimation in time, one dispatch per axis.
        CooleyTukey = "cooley-tukey",
        /// Radix-2 decimation in time, one dispatch per stage.
        CooleyTukeyMultipass = "cooley-tukey-multipass",
        /// Conjugate-pair split radix, one dispatch per axis.
        SplitRadix = "split-radix",
        /// Lines as matrices, two dispatches per axis: for lengths past one workgroup's memory.
        FourStep = "four-step",
        /// Rows, tiled transpose, rows, tiled transpose.
        Transpose = "transpose",
        /// Radix-8 Stockham in global memory, one dispatch per stage.
        GlobalR8 = "global-r8",
        /// The definition, for any length: slow.
        Dft = "dft",
    }
}

impl Algorithm {
    /// One line for lists and help: what it is and where it comes from.
    pub fn description(self) -> &'static str {
        match self {
            Self::StockhamR4 => stockham_r4::DESCRIPTION,
            Self::StockhamR8 => register_tiled::DESCRIPTION_R8,
            Self::StockhamR16 => register_tiled::DESCRIPTION_R16,
            Self::StockhamR2 => stockham_r2::DESCRIPTION,
            Self::CooleyTukey => cooley_tukey::DESCRIPTION,
            Self::CooleyTukeyMultipass => cooley_tukey_multipass::DESCRIPTION,
            Self::SplitRadix => split_radix::DESCRIPTION,
            Self::FourStep => four_step::DESCRIPTION,
            Self::Transpose => transpose::DESCRIPTION,
            Self::GlobalR8 => global_r8::DESCRIPTION,
            Self::Dft => dft::DESCRIPTION,
        }
    }

    /// Where it takes its twiddle factors from if nothing else is asked for: the register-tiled
    /// algorithms have arithmetic to spare, the others are written to be read.
    pub(in crate::fft) fn twiddles(self) -> Twiddles {
        match self {
            Self::StockhamR8 | Self::StockhamR16 => Twiddles::Computed,
            _ => Twiddles::Table,
        }
    }

    fn program(self, problem: &Problem<'_>) -> Result<Program, Unsupported> {
        if problem.descriptor.tuning.ping_pong == Some(PingPong::Storage) {
            match self {
                Self::StockhamR2 => return global_r8::program(problem, 2),
                Self::StockhamR4 => return global_r8::program(problem, 4),
                Self::StockhamR8 => return global_r8::program(problem, 8),
                _ => {}
            }
        }
        match self {
            Self::StockhamR4 => stockham_r4::program(problem),
            Self::StockhamR8 => register_tiled::program(problem, 8),
            Self::StockhamR16 => register_tiled::program(problem, 16),
            Self::StockhamR2 => stockham_r2::program(problem),
            Self::CooleyTukey => cooley_tukey::program(problem),
            Self::CooleyTukeyMultipass => cooley_tukey_multipass::program(problem),
            Self::SplitRadix => split_radix::program(problem),
            Self::FourStep => four_step::program(problem),
            Self::Transpose => transpose::program(problem),
            Self::GlobalR8 => global_r8::program(problem, 8),
            Self::Dft => dft::program(problem),
        }
    }
}

/// The kernels and dispatches that compute `descriptor` on a device of `capabilities`. Pure: needs
/// no GPU.
///
/// # Errors
/// [`Unsupported`], naming the limit that stands in the way.
pub fn program(
    descriptor: &Descriptor,
    capabilities: &Capabilities,
) -> Result<Program, Unsupported> {
    let problem = Problem::new(descriptor, capabilities)?;
    descriptor.algorithm.program(&problem)
}
