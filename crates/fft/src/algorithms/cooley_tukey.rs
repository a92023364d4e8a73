//! Radix-2 Cooley-Tukey, one dispatch per axis; the kernel is `shaders/fft/cooley_tukey.wgsl`.

use super::shared::line_algorithm;
use crate::program::lines::LineAlgorithm;

line_algorithm!(
    CooleyTukey,
    LineAlgorithm { file: "fft/cooley_tukey.wgsl", radix: 2, steps: 1, in_storage: true },
    "radix-2 Cooley-Tukey, one dispatch per axis (Mota 2022, listings A.3 and A.4)"
);
