//! Twisted radix 2, one dispatch per axis; the kernel is `shaders/fft/twisted_r2.wgsl`.

use super::shared::line_algorithm;
use crate::program::lines::LineAlgorithm;

line_algorithm!(
    TwistedR2,
    LineAlgorithm { file: "fft/twisted_r2.wgsl", radix: 2, steps: 1, in_storage: false },
    "twisted radix 2, in time for the inverse and in frequency for the forward transform, one dispatch per \
     axis (Mateer 2008, figure 4.2)"
);
