#![doc = include_str!("../README.md")]
//!
//! # The transform
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
//! The same in other libraries:
//!
//! | numpy, scipy | [`Descriptor`] |
//! |---|---|
//! | `fft(a)` of lines `[lines][n]` | `Descriptor::lines(n, lines)` |
//! | `fft2(a)` of images `[batch][h][w]` | `Descriptor { batch, ..Descriptor::image([w, h]) }` |
//! | `fftn(a)` of a volume `[d][h][w]` | `Descriptor::volume([w, h, d])` |
//! | `rfft2(a)`, `irfft2(a, (h, w))` | `Descriptor::image([w, h]).real()` |
//! | `dctn(a, type=2)` | `Descriptor { kind: Kind::Dct2, ..Descriptor::image([w, h]) }` |
//! | `fft(a, axis=0)` | `Descriptor { axes: Axes::Columns, ..Descriptor::image([w, h]) }` |
//! | `ifft(a)`, .. | with `direction: Direction::Inverse, normalization: Normalization::Points` |
//!
//! Some transforms need more than WebGPU's defaults: [`requirements`] returns the features and limits to request
//! before a device is opened. [`Precision::F64`] needs a feature that not every adapter has.
//!
//! # Two parts
//! The root has the parts that programs embed: [`Plan`], [`Buffers`], hooks, [`Convolution`] and errors. [`lab`]
//! is for study: the algorithms with their parameters and programs, their timing, checks and tuning.

mod algorithms;
mod configuration;
pub mod convolution;
mod descriptor;
mod error;
mod exact;
pub mod hook;
pub mod lab;
mod layout;
mod plan;
mod planner;
mod program;
mod roots;
#[cfg(test)]
mod tests;

pub use convolution::{BoundConvolution, Convolution, ConvolutionDescriptor, ConvolutionError};
pub use descriptor::{
    Axes, Axis, Descriptor, Direction, Kind, Layout, Normalization, Placement, Precision, View,
};
pub use error::{FftError, Unsupported, WaitError};
pub use hook::{LoadHook, StoreHook};
pub use plan::{Bound, Buffers, Plan, Region};
pub use planner::requirements;

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
