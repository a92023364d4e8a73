//! Batched Fourier transforms of data in buffers: of lines, images and volumes, of complex or real
//! numbers, and cosine transforms ([`Kind`]). This module does not depend on oceans.
//!
//! X(ky, kx) = sum over y, x of exp(-2 pi i (ky y / height + kx x / width)) v(y, x) forward, with the plus
//! sign inverse, for any width, height and depth from 1 on, along any of these axes ([`Axes`]). Neither is
//! scaled unless [`Descriptor::normalization`] says so: a round trip multiplies by the number of points.
//! Natural order in and out, row-major `[batch][z][y][x]`, or by a [`View`] with strides, and with zeros
//! beyond its extent.
//!
//! A [`Descriptor`] describes a transform. Each [`Algorithm`](lab::Algorithm) is a pure function
//! ([`program`](lab::program)) from it and the device's [`Capabilities`](crate::gpu::Capabilities) to a
//! [`Program`](lab::Program): kernels in WGSL and the dispatches that run them, or an error
//! ([`Unsupported`]). A descriptor that names no algorithm gets the best that is known for the device and the
//! problem. A [`Plan`] is a program with its pipelines; [`Plan::bind`] gives it buffers, and the [`Bound`]
//! plan records itself into compute passes.
//!
//! ```no_run
//! # fn example(device: &wgpu::Device, input: &wgpu::Buffer, output: &wgpu::Buffer,
//! #     pass: &mut wgpu::ComputePass<'_>) -> Result<(), seaway_fft::FftError> {
//! use seaway_fft::{Buffers, Descriptor, Direction, Plan};
//!
//! let plan = Plan::new(
//!     device,
//!     &Descriptor {
//!         size: [512, 512],
//!         batch: 4,
//!         direction: Direction::Inverse,
//!         ..Default::default()
//!     },
//! )?;
//! let bound = plan.bind(device, &Buffers::new(input, output))?; // once
//! bound.encode(pass); // as often as needed
//! # Ok(())
//! # }
//! ```
//!
//! The names of other libraries:
//!
//! | numpy, scipy | [`Descriptor`] |
//! |---|---|
//! | `fft(a)` of lines `[lines][n]` | `size: [n, lines], axes: Axes::Rows` |
//! | `fft2(a)` of images `[batch][h][w]` | `size: [w, h], batch` |
//! | `ifftn(a)` of a volume `[d][h][w]` | `size: [w, h], depth: d, axes: Axes::All, direction: Direction::Inverse, normalization: Normalization::Points` |
//! | `rfft2(a)`, `irfft2(a, (h, w))` | `kind: Kind::Real, size: [w, h]`, `direction` as above |
//! | `dctn(a, type=2)` | `kind: Kind::Dct2, size: [w, h]` |
//! | `fft(a, axis=0)` | `axes: Axes::Columns` |
//!
//! Some transforms need more than WebGPU's defaults: [`requirements`] returns the features and limits to request
//! before a device is opened. [`Precision::F64`] needs a feature that not every adapter has.
//!
//! # Two parts
//! This module has the parts that programs embed: [`Plan`], [`Buffers`], hooks, [`Convolution`] and errors. [`lab`]
//! is for study: the algorithms with their parameters and programs, their timing, checks and tuning.

mod algorithms;
pub mod convolution;
mod descriptor;
mod error;
mod exact;
pub mod hook;
pub mod lab;
mod plan;
mod planner;
mod program;
mod roots;
#[cfg(test)]
mod tests;

pub use algorithms::requirements;
pub use convolution::{BoundConvolution, Convolution, ConvolutionDescriptor, ConvolutionError};
pub use descriptor::{
    Axes, Axis, Descriptor, Direction, Kind, Layout, Normalization, Placement, Precision, View,
};
pub use error::{FftError, Unsupported};
pub use hook::{LoadHook, StoreHook};
pub use plan::{Bound, Buffers, Plan, Region};

use include_dir::include_dir;
pub use seaway_core::gpu;
use seaway_core::gpu::shader::Library;
use seaway_core::{choice, platform, table};

/// The shaders of the transforms, which those of other crates may import.
pub static SHADERS: Library = Library {
    files: include_dir!("$CARGO_MANIFEST_DIR/shaders"),
    folder: concat!(env!("CARGO_MANIFEST_DIR"), "/shaders"),
    below: &[],
};
