//! What to transform, and how the data lies: the vocabulary that the rest of this folder is written
//! in. Knows no algorithm by what it does.

use super::algorithms::Configuration;
use super::hook::{LoadHook, StoreHook};
use crate::choice::choices;

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
    /// The other one.
    pub fn reverse(self) -> Self {
        match self {
            Self::Forward => Self::Inverse,
            Self::Inverse => Self::Forward,
        }
    }

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

impl Axis {
    /// The one that is not this one.
    pub fn other(self) -> Self {
        match self {
            Self::Row => Self::Column,
            Self::Column => Self::Row,
        }
    }
}

choices! {
    /// What the values are.
    pub enum Kind {
        /// Complex numbers, to complex numbers.
        Complex = "complex",
        /// Real numbers in space, and half of their spectrum. No algorithm transforms them yet:
        /// asking is an error that says so.
        Real = "real",
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
        /// A 64-bit float. No algorithm computes in it yet: asking is an error that says so.
        F64 = "f64",
    }
}

impl Precision {
    /// Bytes of one number.
    pub fn bytes(self) -> u32 {
        match self {
            Self::F32 => 4,
            Self::F16 => 2,
            Self::F64 => 8,
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

/// What to transform, and how. Serialised, it is the key that a measured choice is kept under.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Descriptor {
    /// Width and height of an image, in points: any, from 1 on. Most algorithms take powers of two
    /// only; without one by name the planner takes one for the length.
    pub size: [u32; 2],
    /// Points along the third axis: 1, until an algorithm transforms volumes.
    pub depth: u32,
    /// Number of complex images.
    pub batch: u32,
    /// Complex or real.
    pub kind: Kind,
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
    /// The algorithm and its parameters; `None` for the best that is known for the device and the
    /// problem.
    pub algorithm: Option<Configuration>,
    /// Gives the values in place of the input buffer.
    pub load: Option<LoadHook>,
    /// Takes the values in place of the output buffer, which then is working memory.
    pub store: Option<StoreHook>,
}

impl Descriptor {
    /// The same, by that algorithm.
    pub fn by(self, algorithm: impl Into<Configuration>) -> Self {
        Self { algorithm: Some(algorithm.into()), ..self }
    }

    /// Points of a line along `axis`.
    pub fn length(&self, axis: Axis) -> u32 {
        match axis {
            Axis::Row => self.size[0],
            Axis::Column => self.size[1],
        }
    }

    /// Points of one image.
    pub fn points(&self) -> u64 {
        u64::from(self.size[0]) * u64::from(self.size[1])
    }

    /// What a value of the result is multiplied by, over all transformed axes.
    pub fn scale(&self) -> f64 {
        let factor = |axis: &Axis| self.normalization.factor(self.length(*axis));
        self.axes.list().iter().map(factor).product()
    }

    /// Bytes of one element in the buffers: a complex number, or two in layout `Pair`.
    pub fn element_bytes(&self) -> u32 {
        self.layout.element_bytes() / 4 * self.precision.bytes()
    }
}

impl Default for Descriptor {
    /// One planar image of 256 x 256 points, forward, out of place, by the algorithm that is best
    /// for it.
    fn default() -> Self {
        Self {
            size: [256, 256],
            depth: 1,
            batch: 1,
            kind: Kind::Complex,
            direction: Direction::Forward,
            normalization: Normalization::None,
            axes: Axes::Both,
            layout: Layout::Planar,
            precision: Precision::F32,
            placement: Placement::OutOfPlace,
            algorithm: None,
            load: None,
            store: None,
        }
    }
}
