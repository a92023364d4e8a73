//! The names of other FFTs.

use crate::choice::choices;
use crate::fft::Kind;

choices! {
    /// The values of `--peer`.
    #[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
    pub enum Peer {
        /// rustfft on one processor core, for complex numbers
        Rustfft = "rustfft",
        /// realfft on one processor core, for real numbers
        Realfft = "realfft",
        /// NVIDIA's cuFFT, for both (needs a build with the feature `cuda`)
        Cufft = "cufft",
        /// The CUDA kernels of Mota's thesis, compiled by NVRTC (needs the feature `cuda`), for complex
        /// numbers in lines of a power of two, up to 2048 points (radix 4: 4096)
        CudaKernels = "cuda-kernels",
    }
}

impl Peer {
    pub fn takes(self, kind: Kind) -> bool {
        match self {
            Self::Rustfft | Self::CudaKernels => kind == Kind::Complex,
            Self::Realfft => kind == Kind::Real,
            Self::Cufft => !kind.is_cosine(),
        }
    }

    pub fn is_of_cuda(self) -> bool {
        matches!(self, Self::Cufft | Self::CudaKernels)
    }

    /// The option as written on the command line, for errors.
    pub fn option(self) -> String {
        format!("--peer {self}")
    }
}
