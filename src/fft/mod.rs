//! Batched 2D Fourier transforms of complex data in buffers. Knows nothing of oceans.

use crate::choice::choices;

choices! {
    /// An FFT algorithm; see the module of the same name for its source.
    pub enum Algorithm {
        /// Radix-4 Stockham, one dispatch per axis.
        StockhamR4 = "stockham-r4",
        /// Radix-2 Stockham, one dispatch per axis.
        StockhamR2 = "stockham-r2",
        /// Radix-2 decimation in time, one dispatch per axis.
        CooleyTukey = "cooley-tukey",
        /// Radix-2 decimation in time, one dispatch per stage.
        CooleyTukeyMultipass = "cooley-tukey-multipass",
    }
}
