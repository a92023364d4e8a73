//! Descriptions of transforms. This module knows no particular algorithm.

pub use super::layout::{
    Axes, Axis, Direction, Kind, Layout, Normalization, Placement, Precision, View,
};

use super::configuration::Configuration;
use super::hook::{LoadHook, StoreHook};

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
