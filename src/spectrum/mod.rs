//! From a sea state to the complex amplitudes of its waves at any time.
//!
//! Once per change of the sea, on the processor: [`SeaState`](crate::settings::SeaState) to
//! [`InitialSpectrum`], by way of the frequency spectrum ([`FrequencySpectrum`]), its spreading in
//! direction ([`Spreading`]), the dispersion relation ([`Dispersion`]) and the bands of the
//! [`cascades`]. Each frame, on the GPU: [`SpectrumStage`] evolves it to a time, into four packed
//! complex spectra per cascade, ready for an unscaled inverse FFT.
//!
//! After that transform the fields are `[cascade * 2]` = (Dx, Dz, h, dh/dx) and `[cascade * 2 + 1]` = (dh/dz,
//! dDx/dz, dDx/dx, dDz/dz): displacements and derivatives before choppiness. Waves go towards +k, and the
//! water's orbits are as flat as the depth makes them ([`Orbits`]).

mod cascades;
pub mod cpu;
mod directional;
mod dispersion;
mod error;
pub mod frequency;
mod gpu_data;
mod initial;
mod interpolation;
mod orbits;
mod phase;
mod short_waves;
mod slopes;
pub mod spreading;
mod stage;
mod summary;
mod system;
pub mod whitecaps;
pub mod wind;

pub use cascades::{Cascade, MAX_CASCADES, cascades};
pub use directional::{DirectionalSpectrum, Ring};
pub use dispersion::{Dispersion, GRAVITY_MPS2, SURFACE_TENSION_OVER_DENSITY};
pub use error::SpectrumError;
pub use frequency::FrequencySpectrum;
pub use initial::InitialSpectrum;
pub use interpolation::Interpolation;
pub use orbits::Orbits;
pub use phase::{Clock, UNLOOPED_PERIOD_S};
pub(crate) use slopes::kept_power;
pub use spreading::{Lobe, Spreading};
pub use stage::{EvolvePass, SpectrumStage};
pub use summary::{BreakingWarning, FullyDevelopedWarning, SeaSummary};
pub use system::WaveSystem;

/// Every shader that this stage compiles: label and complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    vec![stage::shader()]
}

#[cfg(test)]
mod tests {
    #[test]
    fn shaders_are_valid() {
        crate::gpu::assert_valid(super::shaders());
    }
}
