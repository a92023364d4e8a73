//! Descriptions of transforms and of the layout of their data. This module knows no particular algorithm.

use super::algorithms::Configuration;
use super::hook::{LoadHook, StoreHook};
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
    /// Returns the direction that undoes this one.
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
        /// [`Descriptor::size`] is that of the real side in both directions. The imaginary parts of a row's
        /// first value and, for an even width, of its middle one are ignored. In place
        /// ([`Placement::InPlace`]) a row of real numbers is padded to the `2 (width / 2 + 1)` floats of its
        /// spectrum, as in FFTW, and there are no views.
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
        /// 32-bit floats, in IEEE 754.
        F32 = "f32",
        /// A 16-bit float, for devices with [`wgpu::Features::SHADER_F16`]: half the memory to move,
        /// at a relative error of up to 5e-4. Its largest number is 65504, which an unscaled round
        /// trip of 256 x 256 points exceeds: scale by [`Normalization::Ortho`]. Not for algorithms
        /// that store the result of every stage.
        F16 = "f16",
        /// A 64-bit float, computed in 64-bit floats, for devices with
        /// [`wgpu::Features::SHADER_F64`]: a relative error below 1e-14. For `mixed-radix`,
        /// `four-step` and `bluestein`.
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

/// A transform and the layout of its data. Serialised, it is the key of a measured choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Descriptor {
    /// Width and height of an image, in points, from 1 on. Most algorithms take powers of two only; if none
    /// is named, the planner chooses one for the length.
    pub size: [u32; 2],
    /// Slices of a volume, `[batch][z][y][x]`; 1 for images.
    pub depth: u32,
    /// Number of images or volumes.
    pub batch: u32,
    /// The kinds of numbers on both sides.
    pub kind: Kind,
    /// The direction, forward or inverse.
    pub direction: Direction,
    /// The factor of the result.
    pub normalization: Normalization,
    /// The axes to transform, in the order of [`Axes::list`].
    pub axes: Axes,
    /// The layout of values in the buffers.
    pub layout: Layout,
    /// The format of numbers in the buffers.
    pub precision: Precision,
    /// Whether the result replaces the input.
    pub placement: Placement,
    /// The layout of the input, if it is not dense and whole.
    pub input: Option<View>,
    /// The layout of the output, or of both if the plan works in place.
    pub output: Option<View>,
    /// The algorithm and its parameters; `None` for the best that is known for the device and the problem.
    pub algorithm: Option<Configuration>,
    /// Computes the values in place of the input buffer.
    pub load: Option<LoadHook>,
    /// Takes the values in place of the output buffer, which then is working memory.
    pub store: Option<StoreHook>,
}

impl Descriptor {
    /// Transforms `lines` lines of `length` points, `[lines][length]`: like numpy's `fft`.
    pub fn lines(length: u32, lines: u32) -> Self {
        Self { axes: Axes::Rows, ..Self::image([length, lines]) }
    }

    /// Transforms an image `[width, height]`: like numpy's `fft2`.
    pub fn image(size: [u32; 2]) -> Self {
        Self { size, ..Self::default() }
    }

    /// Transforms a volume `[width, height, depth]`: like numpy's `fftn`.
    pub fn volume([width, height, depth]: [u32; 3]) -> Self {
        Self { depth, axes: Axes::All, ..Self::image([width, height]) }
    }

    /// The same between real numbers and half of their spectrum ([`Kind::Real`]): like numpy's `rfft`.
    pub fn real(self) -> Self {
        Self { kind: Kind::Real, ..self }
    }

    /// Returns the descriptor with that algorithm.
    pub fn by(self, algorithm: impl Into<Configuration>) -> Self {
        Self { algorithm: Some(algorithm.into()), ..self }
    }

    /// Points of a line along `axis`.
    pub fn length(&self, axis: Axis) -> u32 {
        match axis {
            Axis::Row => self.size[0],
            Axis::Column => self.size[1],
            Axis::Depth => self.depth,
        }
    }

    /// The axes in the order of their transforms: that of [`Axes::list`], except that an inverse real
    /// transform ends with its rows.
    pub fn order(&self) -> Vec<Axis> {
        let mut axes = self.axes.list().to_vec();
        if self.stores_reals() && self.loads_spectrum() {
            axes.reverse();
        }
        axes
    }

    /// Whether the input is real numbers.
    pub fn loads_reals(&self) -> bool {
        self.kind.is_cosine() || self.kind == Kind::Real && self.direction == Direction::Forward
    }

    /// Whether the output is real numbers.
    pub fn stores_reals(&self) -> bool {
        self.kind.is_cosine() || self.kind == Kind::Real && self.direction == Direction::Inverse
    }

    fn loads_spectrum(&self) -> bool {
        self.kind == Kind::Real && self.direction == Direction::Inverse
    }

    /// Width, height and depth of the complex numbers of a transform: of its spectrum, of which
    /// there is half where its other side is real.
    pub(crate) fn spectrum_size(&self) -> [u32; 3] {
        let [width, height] = self.size;
        let width = if self.kind == Kind::Real { width / 2 + 1 } else { width };
        [width, height, self.depth]
    }

    /// Width, height and depth of the input.
    pub fn input_size(&self) -> [u32; 3] {
        let [width, height] = self.size;
        if self.loads_spectrum() { self.spectrum_size() } else { [width, height, self.depth] }
    }

    /// Width, height and depth of the output.
    pub fn output_size(&self) -> [u32; 3] {
        let [width, height] = self.size;
        if self.stores_reals() { [width, height, self.depth] } else { self.spectrum_size() }
    }

    /// The layout of the input: [`Descriptor::input`], or in place the output's, or dense. Rows of real
    /// numbers that a half spectrum replaces are as long as its rows.
    pub fn input_view(&self) -> View {
        let given = self.input.or(self.output.filter(|_| self.is_in_place()));
        given.unwrap_or_else(|| self.usual_view(self.input_size(), self.loads_reals()))
    }

    /// The layout of the output; see [`Descriptor::input_view`].
    pub fn output_view(&self) -> View {
        self.output.unwrap_or_else(|| self.usual_view(self.output_size(), self.stores_reals()))
    }

    fn usual_view(&self, extent: [u32; 3], reals: bool) -> View {
        if !(self.kind == Kind::Real && reals && self.is_in_place()) {
            return View::dense(extent);
        }
        let [width, height, depth] = self.spectrum_size();
        let dense = View::dense([width.saturating_mul(2), height, depth]);
        View { extent, ..dense }
    }

    /// Bytes of one element of the input: a real number, or [`Descriptor::element_bytes`].
    pub fn input_element_bytes(&self) -> u32 {
        if self.loads_reals() { self.precision.bytes() } else { self.element_bytes() }
    }

    /// Bytes of one element of the output; see [`Descriptor::input_element_bytes`].
    pub fn output_element_bytes(&self) -> u32 {
        if self.stores_reals() { self.precision.bytes() } else { self.element_bytes() }
    }

    /// The result replaces what is read: not where a hook gives the values.
    pub(crate) fn is_in_place(&self) -> bool {
        self.placement == Placement::InPlace && self.load.is_none()
    }

    /// Bytes of the input, from its first element to its last, in whole words of 4 bytes.
    pub fn input_bytes(&self) -> u64 {
        let layers = self.layout.layers(self.batch);
        let elements = self.input_view().elements(layers);
        whole_words(elements.saturating_mul(u64::from(self.input_element_bytes())))
    }

    /// Bytes of the output; see [`Descriptor::input_bytes`].
    pub fn output_bytes(&self) -> u64 {
        let layers = self.layout.layers(self.batch);
        let elements = self.output_view().elements(layers);
        whole_words(elements.saturating_mul(u64::from(self.output_element_bytes())))
    }

    /// Points of one image or volume.
    pub fn points(&self) -> u64 {
        let [width, height] = self.size.map(u64::from);
        (width * height).saturating_mul(u64::from(self.depth))
    }

    /// Whether it asks for nothing but complex images, whole and one after the other.
    pub(crate) fn is_plain(&self) -> bool {
        let views = self.input.is_some() || self.output.is_some();
        self.kind == Kind::Complex && self.depth == 1 && !views
    }

    /// The factor of a transform along `axis`.
    pub fn factor(&self, axis: Axis) -> f64 {
        self.normalization.factor(self.kind.period(self.length(axis)))
    }

    /// The factor of the result, over all transformed axes.
    pub fn scale(&self) -> f64 {
        let factor = |axis: &Axis| self.factor(*axis);
        self.axes.list().iter().map(factor).product()
    }

    /// Bytes of one element in the buffers: a complex number, or two in layout `Pair`.
    pub fn element_bytes(&self) -> u32 {
        self.layout.element_floats() * self.precision.bytes()
    }
}

/// `bytes` and what is missing to 4: what storage buffers are bound in.
pub(crate) fn whole_words(bytes: u64) -> u64 {
    bytes.checked_next_multiple_of(4).unwrap_or(bytes)
}

impl Default for Descriptor {
    /// One planar image of 256 x 256 points, forward, out of place, by the best known algorithm.
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
            input: None,
            output: None,
            algorithm: None,
            load: None,
            store: None,
        }
    }
}
