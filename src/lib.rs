//! Seaway is a real-time Tessendorf ocean on wgpu, and a laboratory for the Fourier transforms on the GPU
//! that drive it.
//!
//! # Where to begin
//! - [`Ocean`] is the simulation for programs of your own; [`maps::sample_wgsl`] samples it in your shaders.
//! - [`foam`] adds foam that remembers, and [`query`] the height of the water for boats and buoys.
//! - [`frame`] draws whole pictures, as the window and `seaway render` show them.
//! - [`fft`] transforms batches of any length; [`fft::lab`] is for their study.
//!
//! The pages of `docs/` are in this documentation, too:
//!
//! | page | content |
//! |---|---|
//! | [embedding](guide::embedding) | the ocean, foam, height queries and FFTs in your own program |
//! | [frame](guide::frame) | how a frame is made, stage by stage |
//! | [fft](guide::fft) | the FFT algorithms, and how one is chosen |
//! | [commands](guide::commands) | the commands and the keys of the program |
//! | [measuring](guide::measuring) | comparisons, captures, benchmarks and their method |
//! | [rendering](guide::rendering) | stills and sequences, and what each quality tier costs |
//! | [browser](guide::browser) | the pages for browsers |
//!
//! # The frame
//! Each stage is one module, and takes the output of the one before:
//!
//! ```text
//! settings -> spectrum -> fft -> maps -> mesh -> shading -> frame
//! ```
//!
//! [`Ocean`] wires [`spectrum`], [`fft`] and [`maps`] into the simulation (`examples/embed.rs`). [`frame`]
//! wires the ocean, [`foam`], [`spray`], [`mesh`], [`objects`] and [`shading`] into a picture, or into one of
//! its [debug views](debug_view). [`eye`] keeps the camera out of the waves. [`measurement`] compares the sea
//! with the expectations of oceanography. [`fft`] does not depend on oceans, and [`filter`] is another use of
//! it. Every module may use [`gpu`] and [`profile`], which use none of them.
//!
//! # Conventions
//! Units are SI, and stand in the names. Axes are right-handed with +Y up; still water lies at y = 0, and X and
//! Z are horizontal. A direction is the one *towards* which wind and waves go, from +X towards +Z. Transforms
//! between spaces are named `target_from_source`. In the FFT, forward has the minus sign, nothing is scaled
//! unless the plan says so, and the order is natural. Data is row-major, `[batch][y][x]`, where `batch` counts
//! complex images. Sizes are `[width, height]`.
//!
//! Equal settings give equal seas: the random number of a wave depends on seed, cascade and wave alone, so that
//! a larger transform refines the same sea.
//!
//! [`wgpu`] and [`glam`] are re-exported in the versions that stand in signatures here.
//!
//! # Features
//! - `app` is the window, and `cli` the `seaway` program with its commands. Both are on by default.
//! - `web` is the window as a page in a browser.
//! - `presets` reads and writes named scenes ([`Preset`](settings::Preset)), and needs `toml`.
//! - `profile` times passes on the GPU and captures them ([`profile`]).
//! - `tune` times transforms ([`fft::lab`]) and the ocean's stages ([`ocean::timing`]), and stores which
//!   transform was fastest.
//!
//! Without default features this is the lean library.

// All of it has a use where both the window and the commands are built.
#[cfg(feature = "app")]
#[cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
mod app;
#[cfg(any(feature = "app", feature = "cli"))]
#[cfg_attr(not(all(feature = "app", feature = "cli")), allow(dead_code, unused_imports))]
mod bench;
#[cfg(feature = "cli")]
mod cli;
pub mod debug_view;
pub mod eye;
#[cfg(any(feature = "cli", feature = "web"))]
#[cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
mod figures;
pub mod filter;
pub mod foam;
// Its binary for browsers calls it.
#[cfg(any(feature = "cli", feature = "web"))]
#[doc(hidden)]
pub mod foundry;
pub mod frame;
pub mod gpu;
#[cfg(doc)]
pub mod guide;
pub mod maps;
// It counts in the background, where only the window's build lets a browser's buffers go.
#[cfg(any(not(target_family = "wasm"), feature = "web"))]
pub mod measurement;
pub mod mesh;
pub mod objects;
pub mod ocean;
#[cfg(all(feature = "web", target_family = "wasm"))]
#[doc(hidden)]
pub mod pages;
pub mod profile;
pub mod query;
pub mod settings;
pub mod shading;
pub mod spectrum;
#[cfg(feature = "spectrum-files")]
pub mod spectrum_file;
pub mod spray;
#[cfg(feature = "profile")]
mod text_table;
#[cfg(test)]
#[path = "../tests/support/tone.rs"]
mod tone_twin;

// The versions whose types stand in this crate's signatures.
#[doc(no_inline)]
pub use glam;
pub use ocean::{Ocean, OceanError, OceanOptions, OceanPath};
#[doc(inline)]
pub use seaway_fft as fft;

#[doc(no_inline)]
pub use wgpu;

use seaway_core::{choice, platform, table};

/// Runs the `seaway` program, which is private to this library.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub fn main() -> std::process::ExitCode {
    cli::main()
}

/// Compiles the examples of the README with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
