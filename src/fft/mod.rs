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
//! let images = Descriptor::image([512, 512]);
//! let plan = Plan::new(
//!     device,
//!     &Descriptor { batch: 4, direction: Direction::Inverse, ..images },
//! )?;
//! let bound = plan.bind(device, &Buffers::new(input, output))?; // once
//! bound.encode(pass); // as often as needed
//! # Ok(())
//! # }
//! ```
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
//! A device must have been asked for what a transform needs beyond WebGPU's defaults:
//! [`requirements`] says what, before there is one. Of [`Precision::F64`] that is a feature which not
//! every adapter has.
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
