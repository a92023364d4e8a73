//! Batched 2D Fourier transforms of complex data in buffers. Knows nothing of oceans.
//!
//! X(ky, kx) = sum over y, x of exp(-2 pi i (ky y / height + kx x / width)) v(y, x) forward, with
//! the plus sign inverse. Neither is scaled unless [`Descriptor::normalization`] says so: a round
//! trip multiplies by the number of points. Natural order in and out, row-major `[batch][y][x]`.
//!
//! A [`Descriptor`] says what to transform. Each [`Algorithm`] is a pure function ([`program`])
//! from it and the device's [`Capabilities`] to a [`Program`]: kernels in WGSL and the dispatches
//! that run them, or the reason why not ([`Unsupported`]). A [`Plan`] is a program with its
//! pipelines; [`Plan::bind`] gives it buffers, and the [`Bound`] plan records itself into compute
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
//! # Adding an algorithm
//! One file here, with its WGSL under `shaders/fft/`, and its variant in [`Algorithm`] with the two
//! lines in this file that name the module. Everything else walks [`Algorithm::ALL`](Choice::ALL).

mod cooley_tukey;
mod cooley_tukey_multipass;
mod copy;
pub mod cpu;
mod dft;
mod error;
mod four_step;
mod gate;
mod global_r8;
mod hook;
mod kernel;
mod lines;
mod passes;
mod plan;
mod problem;
mod program;
mod register_tiled;
mod split_radix;
mod stockham_r2;
mod stockham_r4;
pub mod timing;
mod transpose;
mod tuner;

pub use copy::copy_program;
pub use error::{FftError, Unsupported};
pub use gate::{Accuracy, Gate, noise};
pub use hook::{LoadHook, StoreHook};
pub use plan::{Bound, Buffers, Plan, Region};
pub use program::{Access, Dispatch, Kernel, Program, Role, Table};
pub use register_tiled::StagePlan;
pub use tuner::{
    AlgorithmChoice, Candidate, HookGroups, Progress, ProgressCallback, TuneError, TuneOptions,
    Tuned, candidates, check_any, tune,
};

use crate::choice::choices;
use crate::gpu::Capabilities;
use problem::Problem;

#[cfg(doc)]
use crate::choice::Choice;

choices! {
    /// An FFT algorithm; see the WGSL file of the same name for its source.
    pub enum Algorithm {
        /// Radix-4 Stockham, one dispatch per axis.
        StockhamR4 = "stockham-r4",
        /// Register-tiled Stockham, 8 points an invocation.
        StockhamR8 = "stockham-r8",
        /// Register-tiled Stockham, 16 points an invocation.
        StockhamR16 = "stockham-r16",
        /// Radix-2 Stockham, one dispatch per axis.
        StockhamR2 = "stockham-r2",
        /// Radix-2 decimation in time, one dispatch per axis.
        CooleyTukey = "cooley-tukey",
        /// Radix-2 decimation in time, one dispatch per stage.
        CooleyTukeyMultipass = "cooley-tukey-multipass",
        /// Conjugate-pair split radix, one dispatch per axis.
        SplitRadix = "split-radix",
        /// Lines as matrices, two dispatches per axis: for lengths past one workgroup's memory.
        FourStep = "four-step",
        /// Rows, tiled transpose, rows, tiled transpose.
        Transpose = "transpose",
        /// Radix-8 Stockham in global memory, one dispatch per stage.
        GlobalR8 = "global-r8",
        /// The definition, for any length: slow.
        Dft = "dft",
    }
}

impl Algorithm {
    /// One line for lists and help: what it is and where it comes from.
    pub fn description(self) -> &'static str {
        match self {
            Self::StockhamR4 => stockham_r4::DESCRIPTION,
            Self::StockhamR8 => register_tiled::DESCRIPTION_R8,
            Self::StockhamR16 => register_tiled::DESCRIPTION_R16,
            Self::StockhamR2 => stockham_r2::DESCRIPTION,
            Self::CooleyTukey => cooley_tukey::DESCRIPTION,
            Self::CooleyTukeyMultipass => cooley_tukey_multipass::DESCRIPTION,
            Self::SplitRadix => split_radix::DESCRIPTION,
            Self::FourStep => four_step::DESCRIPTION,
            Self::Transpose => transpose::DESCRIPTION,
            Self::GlobalR8 => global_r8::DESCRIPTION,
            Self::Dft => dft::DESCRIPTION,
        }
    }

    /// Where it takes its twiddle factors from if nothing else is asked for: the register-tiled
    /// algorithms have arithmetic to spare, the others are written to be read.
    fn twiddles(self) -> Twiddles {
        match self {
            Self::StockhamR8 | Self::StockhamR16 => Twiddles::Computed,
            _ => Twiddles::Table,
        }
    }

    fn program(self, problem: &Problem<'_>) -> Result<Program, Unsupported> {
        if problem.descriptor.tuning.ping_pong == Some(PingPong::Storage) {
            match self {
                Self::StockhamR2 => return global_r8::program(problem, 2),
                Self::StockhamR4 => return global_r8::program(problem, 4),
                Self::StockhamR8 => return global_r8::program(problem, 8),
                _ => {}
            }
        }
        match self {
            Self::StockhamR4 => stockham_r4::program(problem),
            Self::StockhamR8 => register_tiled::program(problem, 8),
            Self::StockhamR16 => register_tiled::program(problem, 16),
            Self::StockhamR2 => stockham_r2::program(problem),
            Self::CooleyTukey => cooley_tukey::program(problem),
            Self::CooleyTukeyMultipass => cooley_tukey_multipass::program(problem),
            Self::SplitRadix => split_radix::program(problem),
            Self::FourStep => four_step::program(problem),
            Self::Transpose => transpose::program(problem),
            Self::GlobalR8 => global_r8::program(problem, 8),
            Self::Dft => dft::program(problem),
        }
    }
}

choices! {
    /// The sign of the exponent.
    pub enum Direction {
        /// Minus: from space to frequency.
        Forward = "forward",
        /// Plus: from frequency to space. Not scaled.
        Inverse = "inverse",
    }
}

impl Direction {
    /// -1 or +1.
    pub fn sign(self) -> f64 {
        match self {
            Self::Forward => -1.0,
            Self::Inverse => 1.0,
        }
    }
}

choices! {
    /// One of the two axes of an image.
    pub enum Axis {
        /// Along x: every row is transformed.
        Row = "row",
        /// Along y: every column is transformed.
        Column = "column",
    }
}

choices! {
    /// The axes that a plan transforms.
    pub enum Axes {
        /// Rows, then columns: the 2D transform.
        Both = "both",
        /// Rows only: `batch * height` transforms of length `width`.
        Rows = "rows",
        /// Columns only: `batch * width` transforms of length `height`.
        Columns = "columns",
    }
}

impl Axes {
    /// In the order of execution.
    pub fn list(self) -> &'static [Axis] {
        match self {
            Self::Both => &[Axis::Row, Axis::Column],
            Self::Rows => &[Axis::Row],
            Self::Columns => &[Axis::Column],
        }
    }
}

choices! {
    /// How complex values lie in a buffer of 32-bit floats.
    pub enum Layout {
        /// A `vec2<f32>` (re, im) per value: `[batch][y][x]`.
        Planar = "planar",
        /// A `vec4<f32>` per point of two images, (re, im) of image 2p and (re, im) of image
        /// 2p + 1: `[p][y][x]`. For an odd batch the buffer still holds whole pairs: the second
        /// half of the last pair is padding, which is transformed like any other image, and may
        /// hold anything finite.
        Pair = "pair",
    }
}

impl Layout {
    /// Bytes of one element in 32-bit floats.
    pub fn element_bytes(self) -> u32 {
        match self {
            Self::Planar => 8,
            Self::Pair => 16,
        }
    }

    /// Layers of elements that `batch` images take.
    pub fn layers(self, batch: u32) -> u32 {
        match self {
            Self::Planar => batch,
            Self::Pair => batch.div_ceil(2),
        }
    }
}

choices! {
    /// Where the result goes.
    pub enum Placement {
        /// Into a buffer of its own; the input stays as it is.
        OutOfPlace = "out-of-place",
        /// Over the input. (A buffer bound both for reading and for writing is an error in
        /// WebGPU, so kernels that work in place are compiled for it.)
        InPlace = "in-place",
    }
}

choices! {
    /// How a number is kept in the buffers. Kernels compute in 32-bit floats in any case.
    pub enum Precision {
        /// A 32-bit float.
        F32 = "f32",
        /// A 16-bit float, for devices with [`wgpu::Features::SHADER_F16`]: half the memory to move,
        /// at a relative error of up to 5e-4. Its largest number is 65504, which an unscaled round
        /// trip of 256 x 256 points exceeds: scale by [`Normalization::Ortho`]. Not for algorithms
        /// that store the result of every stage.
        F16 = "f16",
    }
}

impl Precision {
    /// Bytes of one number.
    pub fn bytes(self) -> u32 {
        match self {
            Self::F32 => 4,
            Self::F16 => 2,
        }
    }
}

choices! {
    /// What a transform along one axis of n points is multiplied by.
    pub enum Normalization {
        /// Nothing.
        None = "none",
        /// 1 / sqrt(n): the transform is unitary.
        Ortho = "ortho",
        /// 1 / n: the inverse of an unscaled forward transform.
        Points = "points",
    }
}

impl Normalization {
    /// The factor for an axis of `points` points.
    pub fn factor(self, points: u32) -> f64 {
        match self {
            Self::None => 1.0,
            Self::Ortho => f64::from(points).sqrt().recip(),
            Self::Points => f64::from(points).recip(),
        }
    }
}

choices! {
    /// Where twiddle factors come from.
    pub enum Twiddles {
        /// A table computed in double precision.
        Table = "table",
        /// One factor of a butterfly from the table, the others its powers: fewer reads and a
        /// rounding or three more. For algorithms that know no powers the same as the table.
        Powers = "powers",
        /// One factor of a butterfly from a polynomial, the others its powers: no memory read, and
        /// nearly as accurate as the table. For algorithms that know no powers, each from the
        /// polynomial; for lengths that are no powers of two, from the table.
        Computed = "computed",
        /// The device's sine and cosine: no memory read, but an accuracy that WGSL hardly bounds.
        SinCos = "sin-cos",
    }
}

choices! {
    /// Where the stages of a transform leave their results for one another.
    pub enum PingPong {
        /// In workgroup memory: a line never leaves its workgroup, one dispatch per axis.
        Workgroup = "workgroup",
        /// In storage buffers: one dispatch per stage.
        Storage = "storage",
    }
}

/// Choices that change the speed of an algorithm and not its result. `None` lets the algorithm
/// choose; one that has no such parameter ignores it. All numbers are powers of two.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(default, deny_unknown_fields)]
pub struct Tuning {
    /// Where twiddle factors come from: from the table, unless an algorithm knows better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twiddles: Option<Twiddles>,
    /// Where stages exchange their results (`stockham-r2`, `stockham-r4` and `stockham-r8`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ping_pong: Option<PingPong>,
    /// Whether the image lies in tiles between the two passes of a 2D transform, so that both touch
    /// whole cache lines (register-tiled algorithms). The second pass then cannot work in place:
    /// without a store hook it takes scratch memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<bool>,
    /// With a load hook that prepares values for several layers: whether a workgroup prepares once
    /// and transforms those layers in turn (register-tiled algorithms).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers_in_turn: Option<bool>,
    /// Invocations in a workgroup, where the other choices leave it open (multi-pass algorithms).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workgroup_size: Option<u32>,
    /// How rows are spread over workgroups.
    pub row: LineTuning,
    /// How columns are spread over workgroups.
    pub column: LineTuning,
}

/// How the lines along one axis are spread over workgroups and invocations.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(default, deny_unknown_fields)]
pub struct LineTuning {
    /// Largest radix of a stage (register-tiled algorithms, in place of the one they are named
    /// for).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radix: Option<u32>,
    /// Adjacent lines that one workgroup transforms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines_per_workgroup: Option<u32>,
    /// Butterflies that one invocation computes in each stage (Mota 2022, figure 16).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub butterflies_per_invocation: Option<u32>,
    /// Floats of an element that cross workgroup memory at a time (register-tiled algorithms):
    /// fewer take less memory and more barriers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange_floats: Option<u32>,
    /// One slot of workgroup memory in this many stays empty, against bank conflicts; 0 for none
    /// (register-tiled algorithms).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub padding: Option<u32>,
    /// Layout [`Pair`](Layout::Pair): whether each invocation holds values of one image of a pair
    /// only, so that twice as many invocations hold half as much each (register-tiled algorithms).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split_pairs: Option<bool>,
}

impl Tuning {
    /// The part for lines along `axis`.
    pub fn line(&self, axis: Axis) -> &LineTuning {
        match axis {
            Axis::Row => &self.row,
            Axis::Column => &self.column,
        }
    }

    /// The same for both axes.
    pub fn lines(line: LineTuning) -> Self {
        Self { row: line, column: line, ..Default::default() }
    }
}

/// What to transform, and how. Serialised, it is the key that a measured choice is kept under.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Descriptor {
    /// Width and height of an image, in points. The length of every transformed axis is a power
    /// of two, except for `dft`, which takes any.
    pub size: [u32; 2],
    /// Number of complex images.
    pub batch: u32,
    /// Forward or inverse.
    pub direction: Direction,
    /// What the result is multiplied by.
    pub normalization: Normalization,
    /// The axes to transform.
    pub axes: Axes,
    /// How the values lie in the buffers.
    pub layout: Layout,
    /// How a number is kept there.
    pub precision: Precision,
    /// Whether the result replaces the input.
    pub placement: Placement,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its parameters.
    pub tuning: Tuning,
    /// Gives the values in place of the input buffer.
    pub load: Option<LoadHook>,
    /// Takes the values in place of the output buffer, which then is working memory.
    pub store: Option<StoreHook>,
}

impl Descriptor {
    /// Bytes of one element in the buffers: a complex number, or two in layout `Pair`.
    pub fn element_bytes(&self) -> u32 {
        self.layout.element_bytes() / 4 * self.precision.bytes()
    }
}

impl Default for Descriptor {
    /// One planar image of 256 x 256 points, forward, out of place, by `stockham-r4`.
    fn default() -> Self {
        Self {
            size: [256, 256],
            batch: 1,
            direction: Direction::Forward,
            normalization: Normalization::None,
            axes: Axes::Both,
            layout: Layout::Planar,
            precision: Precision::F32,
            placement: Placement::OutOfPlace,
            algorithm: Algorithm::StockhamR4,
            tuning: Tuning::default(),
            load: None,
            store: None,
        }
    }
}

/// The kernels and dispatches that compute `descriptor` on a device of `capabilities`. Pure: needs
/// no GPU.
///
/// # Errors
/// [`Unsupported`], naming the limit that stands in the way.
pub fn program(
    descriptor: &Descriptor,
    capabilities: &Capabilities,
) -> Result<Program, Unsupported> {
    let problem = Problem::new(descriptor, capabilities)?;
    descriptor.algorithm.program(&problem)
}

#[cfg(test)]
mod tests;
