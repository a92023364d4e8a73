//! Conjugate-pair split radix, one dispatch per axis; the kernel is `shaders/fft/split_radix.wgsl`.

use super::shared::line_algorithm;
use crate::program::lines::LineAlgorithm;

line_algorithm!(
    SplitRadix,
    LineAlgorithm { file: "fft/split_radix.wgsl", radix: 4, steps: 1, in_storage: false },
    "conjugate-pair split radix, one dispatch per axis (Mateer 2008, figure 4.3)"
);
