//! Whitecaps: foam that is made where waves break, stays with the water, and fades.
//!
//! Takes the sea (as an ocean of its own, of the waves that make foam) and a time; gives textures around
//! the eye, and a share of the water to be covered anywhere. An [`Ocean`](crate::Ocean) needs no foam:
//! its renderer decides.
//!
//! - [`FoamSea`]: the properties of the sea state alone, computed on the processor: the waves that make
//!   foam, the compression at which water breaks so that the observed share of the sea is white
//!   ([`cover`]), the foam's drift and albedo.
//! - `Schedule`: which steps are due. Steps are at whole multiples of their length, so that foam does
//!   not depend on the frame rate, and none older than [`MEMORY_S`] matters, so that it does not
//!   depend on the way to a moment either.
//! - `Clipmap`: levels of square windows around the eye, each with four times coarser texels, in a frame
//!   that drifts with the foam: foam at rest needs no advection, and is not blurred.
//! - [`PatchFoam`]: the same foam on a patch that repeats, without a GPU, for maps that are stored.
//! - [`Foam`]: the ocean, the levels, and the compute pass that takes both one step on.
//!
//! In a program of your own, for an [`Ocean`](crate::Ocean) of `options`:
//!
//! ```no_run
//! use seaway::OceanOptions;
//! use seaway::foam::{Foam, FoamOptions, FoamSea};
//! use seaway::settings::SeaState;
//!
//! # fn f(
//! #     device: &wgpu::Device, queue: &wgpu::Queue, sea: &SeaState, options: &OceanOptions,
//! #     time_s: f64, eye_m: [f64; 2], origin_m: [f64; 2],
//! # ) -> Result<(), Box<dyn std::error::Error>> {
//! // Once, and again for another sea; the first takes a fifth of a second: on any thread.
//! let foam_sea = FoamSea::new(sea, options.cascades, &FoamOptions::on(options))?;
//! let mut foam = Foam::new(device, queue, foam_sea)?;
//!
//! // Every frame, beside `Ocean::encode`; then bind `foam.bind_group()` for shaders with
//! // `foam::sample_wgsl`.
//! let mut encoder = device.create_command_encoder(&Default::default());
//! // `Progress::FillingIn` where the time has jumped: later frames record the other steps.
//! let progress = foam.encode(&mut encoder, queue, time_s, eye_m, origin_m);
//! foam.update(queue, time_s, origin_m);
//! queue.submit([encoder.finish()]);
//! # Ok(())
//! # }
//! ```

mod clipmap;
pub mod cover;
mod gpu_data;
mod patch;
mod schedule;
mod sea;
mod stage;
mod streaks;

pub use patch::PatchFoam;
pub use sea::FoamSea;
pub use stage::{Foam, FoamOptions, Progress, StepTaken};

/// Waves shorter than this break without entraining air (Phillips 1985; Sutherland and Melville 2013).
pub const SHORTEST_BREAKING_WAVE_M: f64 = 1.5;

/// The age in seconds at which foam has vanished.
pub const MEMORY_S: f64 = 12.0;

/// WGSL functions that sample foam at a point of the water, for your own shaders: `foam_at` gives fresh
/// and old foam, `foam_share` and `foam_albedo` its cover and albedo; `foam_found` adds its resolution
/// there. They read [`Foam::bind_group`] at bind group `group`, and their names all start with `foam`,
/// `Foam` or `FOAM_`. [`maps::sample_wgsl`](crate::maps::sample_wgsl) samples the ocean beside them.
pub fn sample_wgsl(group: u32) -> String {
    include_str!("../../shaders/foam/sample.wgsl").replace("@group(3)", &format!("@group({group})"))
}
