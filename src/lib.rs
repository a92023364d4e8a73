//! Seaway: a real-time Tessendorf ocean on wgpu, and the GPU Fourier transforms that drive it.
//!
//! # The frame
//! Each stage is one module, and takes the output of the one before:
//!
//! ```text
//! settings -> spectrum -> fft -> maps -> mesh -> shading -> frame
//! ```
//!
//! [`Ocean`] wires [`spectrum`], [`fft`] and [`maps`] into the simulation that other programs embed
//! (`examples/embed.rs`); [`frame`] wires the ocean, [`mesh`] and [`shading`] into a picture, or into one of its
//! [debug views](debug_view); [`buoys`] float in it. [`fft`]
//! stands on its own and knows nothing of oceans; [`filter`] is another application of it. Around them, known by all and knowing none:
//! [`gpu`] and [`profile`]. [`measurement`] looks at what the ocean has made, against what
//! oceanography expects of it. [`query`] says how high the sea is at points of the world, for what floats
//! there (`examples/buoy.rs`), and [`eye`] keeps the eye of a picture out of it.
//!
//! # Conventions
//! SI units everywhere, with units in the names. Right-handed, +Y up, still water at y = 0, X and
//! Z horizontal. Directions are the direction *towards* which wind and waves go, from +X towards
//! +Z. Transforms between spaces are named `target_from_source`. FFT: forward has the minus sign;
//! nothing is scaled unless the plan says so; natural order in and out; row-major
//! `[batch][y][x]`, `batch` counting complex images, sizes given as `[width, height]`.
//!
//! Equal settings give equal seas: the random number of a wave depends on seed, cascade and wave
//! alone, so a larger transform refines the same sea.
//!
//! # Features
//! `app` is the window and `cli` the `seaway` binary with its headless commands, both by default; `web` is
//! the window as a page in a browser; without default features this is the lean library. Of what the command line has, two parts serve other
//! programs too: `profile` times passes on the GPU and captures them ([`profile`]), and `tune` times
//! the ocean's stages ([`ocean`]), compares algorithms while frames are drawn (`comparison`) and stores
//! which transform was fastest (`tuned`).

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "tune")]
pub mod bench;
pub mod buoys;
pub mod choice;
#[cfg(feature = "tune")]
pub mod comparison;
pub mod debug_view;
pub mod eye;
pub mod fft;
pub mod filter;
pub mod foam;
pub mod frame;
pub mod gpu;
pub mod maps;
// It counts behind the frames, where only the window's build lets a browser's buffers go.
#[cfg(any(not(target_family = "wasm"), feature = "web"))]
pub mod measurement;
pub mod mesh;
pub mod ocean;
mod platform;
pub mod profile;
pub mod query;
pub mod settings;
pub mod shading;
pub mod spectrum;
pub mod spray;
#[cfg(any(feature = "profile", feature = "tune"))]
pub mod text_table;
#[cfg(test)]
#[path = "../tests/support/tolerance.rs"]
mod tolerance;
#[cfg(test)]
#[path = "../tests/support/tone.rs"]
mod tone_twin;
#[cfg(feature = "tune")]
pub mod tuned;
#[cfg(all(feature = "tune", not(target_family = "wasm")))]
pub mod whole_file;

pub use foam::SAMPLE_FOAM_WGSL;
pub use maps::SAMPLE_OCEAN_WGSL;
pub use ocean::{Ocean, OceanError, OceanOptions, OceanPath};
