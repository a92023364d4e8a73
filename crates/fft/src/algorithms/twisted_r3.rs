//! Twisted radix 3 with conjugate factors, one dispatch per axis; the kernel is
//! `shaders/fft/twisted_r3.wgsl`.

use super::shared::line_algorithm;
use crate::program::lines::LineAlgorithm;

line_algorithm!(
    TwistedR3,
    LineAlgorithm { file: "fft/twisted_r3.wgsl", radix: 3, steps: 1, in_storage: false },
    "twisted radix 3 with conjugate factors, for powers of three, one dispatch per axis (Mateer 2008, figure \
     4.4)",
    TAKES_POWERS_OF_TWO = false
);
