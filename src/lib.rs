//! Seaway: a real-time Tessendorf ocean on wgpu, and the GPU Fourier transforms that drive it.
//!
//! # Conventions
//! SI units everywhere, with units in the names. Right-handed, +Y up, still water at y = 0, X and
//! Z horizontal. Directions are the direction *towards* which wind and waves go, from +X towards
//! +Z. Transforms between spaces are named `target_from_source`. FFT: forward has the minus sign;
//! nothing is scaled unless the plan says so; natural order in and out; row-major
//! `[batch][y][x]`, `batch` counting complex images, sizes given as `[width, height]`.

#[cfg(feature = "app")]
pub mod app;
pub mod choice;
pub mod fft;
pub mod frame;
pub mod gpu;
pub mod maps;
pub mod mesh;
pub mod ocean;
pub mod profile;
pub mod settings;
pub mod shading;
pub mod spectrum;

pub use maps::SAMPLE_OCEAN_WGSL;
pub use ocean::{Ocean, OceanError, OceanOptions};
