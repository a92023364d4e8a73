//! Radix-2 Stockham, one dispatch per axis; the kernel is `shaders/fft/stockham_r2.wgsl`.

use super::shared::line_algorithm;
use crate::program::lines::LineAlgorithm;

line_algorithm!(
    StockhamR2,
    LineAlgorithm { file: "fft/stockham_r2.wgsl", radix: 2, steps: 1, in_storage: true },
    "radix-2 Stockham, one dispatch per axis (Mota 2022, listings A.5 and A.6)"
);
