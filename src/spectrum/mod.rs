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
//!
//! The waves of a sea can be studied without a GPU:
//!
//! ```
//! use seaway::settings::SeaState;
//! use seaway::spectrum::{DirectionalSpectrum, SeaSummary};
//!
//! let sea = SeaState { wind_speed_mps: 12.0, fetch_m: 80_000.0, ..Default::default() };
//! let SeaSummary { significant_wave_height_m, peak_wavelength_m, .. } = SeaSummary::of(&sea);
//! assert!((1.0..4.0).contains(&significant_wave_height_m));
//!
//! // Most of the variance belongs to waves between a half and twice the length of the peak.
//! let spectrum = DirectionalSpectrum::of(&sea);
//! let peak_rad_per_m = std::f64::consts::TAU / peak_wavelength_m;
//! let variance_m2 = spectrum.band_variance_m2(0.5 * peak_rad_per_m, 2.0 * peak_rad_per_m);
//! assert!(variance_m2 > 0.5 * (significant_wave_height_m / 4.0).powi(2));
//! let frequency_rad_per_s = spectrum.dispersion.omega_rad_per_s(peak_rad_per_m);
//! # assert!((0.5..1.5).contains(&frequency_rad_per_s));
//! ```

mod cascades;
mod change;
pub mod cpu;
mod directional;
mod dispersion;
mod distribution;
mod error;
pub mod frequency;
mod gpu_data;
mod initial;
mod interpolation;
mod mixture;
mod orbits;
mod phase;
mod recorded;
mod short_waves;
mod slopes;
pub mod spreading;
mod stage;
mod summary;
mod system;
mod waves;
pub mod whitecaps;
pub mod wind;

pub use cascades::{Cascade, MAX_CASCADES, cascades, least_patch_size_m};
pub(crate) use change::ChangePass;
pub use directional::{DirectionalSpectrum, Ring};
pub use dispersion::{Dispersion, GRAVITY_MPS2, SURFACE_TENSION_OVER_DENSITY};
pub use error::SpectrumError;
pub use frequency::FrequencySpectrum;
pub use initial::InitialSpectrum;
pub use interpolation::Interpolation;
pub use orbits::Orbits;
pub use phase::{Clock, UNLOOPED_PERIOD_S};
pub use recorded::{RecordedWaves, equilibrium_wind};
pub(crate) use slopes::kept_power;
pub use spreading::{Lobe, Spreading};
pub use stage::{EvolvePass, SpectrumStage};
pub use summary::{BreakingWarning, FullyDevelopedWarning, SeaSummary};
pub use system::{WaveDirections, WaveSystem};

/// Every shader that this stage compiles: label and complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    vec![stage::shader(), change::shader()]
}

#[cfg(test)]
mod tests {
    #[test]
    fn shaders_are_valid() {
        crate::gpu::assert_valid(super::shaders());
    }
}
