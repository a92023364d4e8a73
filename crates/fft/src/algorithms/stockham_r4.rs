//! Radix-4 Stockham, one dispatch per axis; the kernel is `shaders/fft/stockham_r4.wgsl`.

use super::shared::line_algorithm;
use crate::program::lines::LineAlgorithm;

line_algorithm!(
    StockhamR4,
    LineAlgorithm { file: "fft/stockham_r4.wgsl", radix: 4, steps: 1, in_storage: true },
    "radix-4 Stockham, one dispatch per axis (Mota 2022, listings A.7 and A.8)"
);
