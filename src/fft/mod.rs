//! Batched Fourier transforms of data in buffers: of lines, images and volumes, of complex or real
//! numbers, and cosine transforms ([`Kind`]). Knows nothing of oceans.
//!
//! X(ky, kx) = sum over y, x of exp(-2 pi i (ky y / height + kx x / width)) v(y, x) forward, with
//! the plus sign inverse, for any width, height and depth from 1 on, along any of these axes
//! ([`Axes`]). Neither is scaled unless
//! [`Descriptor::normalization`] says so: a round trip multiplies by the number of points. Natural
//! order in and out, row-major `[batch][z][y][x]`, or as a [`View`] says: with strides, and with zeros
//! beyond what is there.
//!
//! A [`Descriptor`] says what to transform. Each [`Algorithm`](lab::Algorithm) is a pure function
//! ([`program`](lab::program)) from it and the device's
//! [`Capabilities`](crate::gpu::Capabilities) to a [`Program`](lab::Program): kernels in WGSL and
//! the dispatches that run them, or the reason why not ([`Unsupported`]). A descriptor that names no
//! algorithm gets the best that is known for the device and the problem. A [`Plan`] is a program with
//! its pipelines; [`Plan::bind`] gives it buffers, and the [`Bound`] plan records itself into compute
//! passes.
//!
//! ```no_run
//! # fn example(device: &wgpu::Device, input: &wgpu::Buffer, output: &wgpu::Buffer,
//! #     pass: &mut wgpu::ComputePass<'_>) -> Result<(), seaway::fft::FftError> {
//! use seaway::fft::{Buffers, Descriptor, Direction, Plan};
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
//! # Two rooms
//! Here is what programs embed: [`Plan`], [`Buffers`], hooks, [`Convolution`] and errors. [`lab`] is what people
//! study: the algorithms with their parameters, their programs, how they are timed, checked and
//! chosen by measuring.

mod algorithms;
pub mod convolution;
mod descriptor;
mod error;
mod exact;
mod hook;
pub mod lab;
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
pub use error::{FftError, Unsupported};
pub use hook::{LoadHook, StoreHook};
pub use plan::{Bound, Buffers, Plan, Region};
