//! Radix-2 Cooley-Tukey in natural order, one dispatch per axis; the kernel is
//! `shaders/fft/cooley_tukey_natural.wgsl`.

use super::shared::line_algorithm;
use crate::program::lines::LineAlgorithm;

line_algorithm!(
    CooleyTukeyNatural,
    LineAlgorithm { file: "fft/cooley_tukey_natural.wgsl", radix: 2, steps: 2, in_storage: true },
    "radix-2 Cooley-Tukey in natural order, which composes even and odd points after every stage, one \
     dispatch per axis (Mota 2022, section 4.1)"
);
