//! The axes, kinds and directions of transforms, and the layout of their data.

use crate::choice::choices;

choices! {
    /// The direction of a transform: the sign of the exponent.
    pub enum Direction {
        /// From space to frequency: the exponent has a minus sign.
        Forward = "forward",
        /// From frequency to space, unscaled: the exponent has a plus sign.
        Inverse = "inverse",
    }
}

impl Direction {
    /// Returns the opposite direction.
    pub fn reverse(self) -> Self {
        match self {
            Self::Forward => Self::Inverse,
            Self::Inverse => Self::Forward,
        }
    }

    /// The sign of the exponent, -1 or +1.
    pub fn sign(self) -> f64 {
        match self {
            Self::Forward => -1.0,
            Self::Inverse => 1.0,
        }
    }
}

choices! {
    /// One of the axes of an image or a volume.
    pub enum Axis {
        /// Along x: every row is transformed.
        Row = "row",
        /// Along y: every column is transformed.
        Column = "column",
        /// Along z, through the slices of a volume.
        Depth = "depth",
    }
}

choices! {
    /// The kinds of numbers on both sides of a transform.
    pub enum Kind {
        /// Complex numbers to complex numbers.
        Complex = "complex",
        /// Forward, real numbers to the half of their spectrum that determines the other half: `width / 2 +
        /// 1` complex numbers a row, in the layout of `numpy.fft.rfftn`. Inverse, that half to real numbers,
        /// as `numpy.fft.irfftn`. Rows are among the axes.
        ///
        /// [`Descriptor::size`](crate::Descriptor::size) is that of the real side in both directions. The
        /// imaginary parts of a row's first value and, for an even width, of its middle one are ignored. In
        /// place ([`Placement::InPlace`]) a row of real numbers is padded to the `2 (width / 2 + 1)` floats of
        /// its spectrum, as in FFTW, and there are no views.
        Real = "real",
        /// The discrete cosine transform of type I of real numbers, with `scipy.fft.dct`'s factors: y(k) =
        /// x(0) + (-1)^k x(N - 1) + 2 sum over 0 < n < N - 1 of x(n) cos(pi k n / (N - 1)). Its own inverse
        /// up to the factor 2 (N - 1); for lengths from 2 on.
        Dct1 = "dct1",
        /// Type II: y(k) = 2 sum over n of x(n) cos(pi k (2 n + 1) / (2 N)). Its inverse is type III up to
        /// the factor 2 N: a plan with the direction `Inverse` computes type III.
        Dct2 = "dct2",
        /// Type III: y(k) = x(0) + 2 sum over n > 0 of x(n) cos(pi (2 k + 1) n / (2 N)); type II
        /// with the direction `Inverse`.
        Dct3 = "dct3",
        /// Type IV: y(k) = 2 sum over n of x(n) cos(pi (2 k + 1) (2 n + 1) / (4 N)). Its own inverse up to
        /// the factor 2 N.
        Dct4 = "dct4",
    }
}

impl Kind {
    /// Whether it is a discrete cosine transform.
    pub fn is_cosine(self) -> bool {
        matches!(self, Self::Dct1 | Self::Dct2 | Self::Dct3 | Self::Dct4)
    }

    /// The factor of a round trip along an axis of `points` points: N, and for cosine transforms the length
    /// of their periodic continuation, 2 N or 2 (N - 1).
    pub fn period(self, points: u32) -> f64 {
        let points = f64::from(points);
        match self {
            Self::Complex | Self::Real => points,
            Self::Dct1 => 2.0 * (points - 1.0),
            Self::Dct2 | Self::Dct3 | Self::Dct4 => 2.0 * points,
        }
    }
}

choices! {
    /// The axes that a plan transforms.
    pub enum Axes {
        /// Rows, then columns: the 2D transform.
        Both = "both",
        /// Rows only: `batch * depth * height` transforms of length `width`.
        Rows = "rows",
        /// Columns only: `batch * depth * width` transforms of length `height`.
        Columns = "columns",
        /// Through the slices only: `batch * height * width` transforms of length `depth`.
        Depths = "depths",
        /// Rows, then through the slices.
        RowsAndDepths = "rows-and-depths",
        /// Columns, then through the slices.
        ColumnsAndDepths = "columns-and-depths",
        /// Rows, columns, then through the slices: the 3D transform.
        All = "all",
    }
}

impl Axes {
    /// The sets of axes that an image has.
    pub const OF_IMAGES: [Self; 3] = [Self::Both, Self::Rows, Self::Columns];

    /// The axes in order: rows before columns before depths.
    pub fn list(self) -> &'static [Axis] {
        use Axis::{Column, Depth, Row};
        match self {
            Self::Both => &[Row, Column],
            Self::Rows => &[Row],
            Self::Columns => &[Column],
            Self::Depths => &[Depth],
            Self::RowsAndDepths => &[Row, Depth],
            Self::ColumnsAndDepths => &[Column, Depth],
            Self::All => &[Row, Column, Depth],
        }
    }
}

choices! {
    /// The layout of complex values in a buffer, here of 32-bit floats.
    pub enum Layout {
        /// A `vec2<f32>` (re, im) per value: `[batch][y][x]`.
        Planar = "planar",
        /// A `vec4<f32>` per point of two images, (re, im) of image 2p and (re, im) of image 2p + 1:
        /// `[p][y][x]`. For an odd batch the buffer still holds whole pairs: the second half of the last pair
        /// is padding, which is transformed like any other image, and may hold any finite values.
        Pair = "pair",
    }
}

impl Layout {
    /// The number of floats of one element.
    pub fn element_floats(self) -> u32 {
        match self {
            Self::Planar => 2,
            Self::Pair => 4,
        }
    }

    /// Bytes of one element in 32-bit floats.
    pub fn element_bytes(self) -> u32 {
        4 * self.element_floats()
    }

    /// The number of layers of elements for `batch` images.
    pub fn layers(self, batch: u32) -> u32 {
        match self {
            Self::Planar => batch,
            Self::Pair => batch.div_ceil(2),
        }
    }
}

choices! {
    /// The place of the result.
    pub enum Placement {
        /// Into another buffer; the input stays as it is.
        OutOfPlace = "out-of-place",
        /// Over the input. (A buffer bound both for reading and for writing is an error in
        /// WebGPU, so kernels that work in place are compiled for it.)
        InPlace = "in-place",
    }
}

choices! {
    /// The format of numbers in the buffers. Kernels compute in 32-bit floats, or in 64-bit ones.
    pub enum Precision {
        /// A 32-bit float.
        F32 = "f32",
        /// A 16-bit float, for devices with [`wgpu::Features::SHADER_F16`]: half the memory to move,
        /// at a relative error of up to 5e-4. Its largest number is 65504, which an unscaled round
        /// trip of 256 x 256 points exceeds: scale by [`Normalization::Ortho`]. Not for algorithms
        /// that store the result of every stage.
        F16 = "f16",
        /// A 64-bit float, computed in 64-bit floats, for devices with
        /// [`wgpu::Features::SHADER_F64`]: a relative error below 1e-14. For `mixed-radix`,
        /// `four-step`, `bluestein` and `rader`.
        F64 = "f64",
    }
}

impl Precision {
    /// Bytes of one number in a buffer.
    pub fn bytes(self) -> u32 {
        match self {
            Self::F32 => 4,
            Self::F16 => 2,
            Self::F64 => 8,
        }
    }

    /// Bytes of one number in registers and workgroup memory.
    pub fn computed_bytes(self) -> u32 {
        match self {
            Self::F32 | Self::F16 => 4,
            Self::F64 => 8,
        }
    }
}

choices! {
    /// The factor of a transform along one axis, where n is its number of points, or [`Kind::period`].
    pub enum Normalization {
        /// The factor 1: the result is not scaled.
        None = "none",
        /// 1 / sqrt(n): the transform is unitary. (For cosine transforms, the ends of the lines have further
        /// factors of sqrt(2), as with scipy's `norm="ortho"`.)
        Ortho = "ortho",
        /// 1 / n: the inverse of an unscaled transform the other way.
        Points = "points",
    }
}

impl Normalization {
    /// The factor for an axis on which a round trip multiplies by `period`.
    pub fn factor(self, period: f64) -> f64 {
        match self {
            Self::None => 1.0,
            Self::Ortho => period.sqrt().recip(),
            Self::Points => period.recip(),
        }
    }
}

/// The part of a buffer that an array takes, if it is not dense: strides as in numpy and FFTW, and an extent.
/// Numbers count elements: complex numbers, or real ones on the real side of a transform.
///
/// ```
/// use seaway_fft::{Descriptor, View};
///
/// // The green of 100 x 60 pixels of red, green and blue, as the upper left corner of 128 x 64 points.
/// let green = View { offset: 1, extent: [100, 60, 1], strides: [3, 300, 18_000, 18_000] };
/// let descriptor = Descriptor { input: Some(green), ..Descriptor::image([128, 64]).real() };
/// # assert!(descriptor.loads_reals());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct View {
    /// Elements before the first value, for positions that a binding cannot start at: the green of
    /// interleaved red, green and blue is 1, with strides of 3.
    pub offset: u32,
    /// Width, height and depth of the array. Values of the input beyond it count as zero, and take neither
    /// memory nor time; values of the output beyond it are not stored. At most the transform's own extent,
    /// and less only along transformed axes.
    pub extent: [u32; 3],
    /// Elements from a value to the next one along x, y, z, and from one image or volume of the batch to the
    /// next; in layout `Pair` an element is two values, and the last stride goes from pair to pair. No two
    /// written values share a place; values that are only read may overlap, as the windows of a signal do.
    pub strides: [u32; 4],
}

impl View {
    /// A view without gaps: rows of `extent[0]`, slices of rows, volumes of slices.
    pub fn dense(extent: [u32; 3]) -> Self {
        let [width, height, depth] = extent;
        let slice = width.saturating_mul(height);
        Self { offset: 0, extent, strides: [1, width, slice, slice.saturating_mul(depth)] }
    }

    /// Elements up to the last of `batch` images or volumes, including those before the first.
    pub fn elements(&self, batch: u32) -> u64 {
        let [width, height, depth] = self.extent;
        let counts = [width, height, depth, batch];
        let last = |(count, stride): (u32, &u32)| {
            u64::from(count.saturating_sub(1)).saturating_mul(u64::from(*stride))
        };
        counts
            .into_iter()
            .zip(&self.strides)
            .map(last)
            .fold(1 + u64::from(self.offset), u64::saturating_add)
    }
}
