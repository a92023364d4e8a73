//! Views that the frame shows in place of its picture, to look into the simulation: values painted on
//! the sea ([`DebugView::Jacobian`] and others), the picture's own light in stops, or maps and spectrum
//! as they are, flat. [`DebugChoice`] is part of the frame's description
//! ([`FrameDesc`](crate::frame::FrameDesc)), [`Legend`] explains its colours.
//!
//! The pipelines of views, `Views`, are built on the first request. The picture without them is the same
//! to the bit and costs the same.

pub mod colours;
mod legend;
#[cfg(test)]
mod tests;
mod views;

pub use legend::{Class, Colours, Legend, Scale};
#[cfg(test)]
use views::SHADERS;
pub(crate) use views::Views;
pub use views::{ViewDeclarations, ViewPipelines};

use crate::choice::choices;

choices! {
    /// The view that a frame shows.
    #[non_exhaustive]
    pub enum DebugView {
        /// The picture of the sea, without a debug view.
        Picture = "picture",
        /// Area over area at rest, J: where waves compress the water and where they fold over.
        Jacobian = "jacobian",
        /// Slopes that the pixel averages away, which the shading takes as roughness.
        Roughness = "roughness",
        /// Share of the water that foam should cover.
        Foam = "foam",
        /// Sunlight that waves focus on the bed, or a few metres below an eye in deep water.
        Caustics = "caustics",
        /// Whether lines of sight begin in the air or in the water.
        Medium = "medium",
        /// Levels of detail of the mesh, and its tiles.
        Lod = "lod",
        /// The triangles of the mesh.
        Wireframe = "wireframe",
        /// The picture's luminance in stops, before the tone map.
        Luminance = "luminance",
        /// A channel of a cascade's maps, flat.
        Map = "map",
        /// The heights of a cascade's waves over their wave vectors, flat.
        Spectrum = "spectrum",
    }
}

choices! {
    /// A channel of the maps, before choppiness.
    pub enum MapChannel {
        /// The displacement along X, Dx.
        Dx = "dx",
        /// The displacement along Z, Dz.
        Dz = "dz",
        /// The height over still water.
        Height = "h",
        /// The slope along X, dh/dx.
        HByX = "dh-dx",
        /// The slope along Z, dh/dz.
        HByZ = "dh-dz",
        /// Derivative of the displacement along X by z.
        DxByZ = "ddx-dz",
        /// Derivative of the displacement along X by x.
        DxByX = "ddx-dx",
        /// Derivative of the displacement along Z by z.
        DzByZ = "ddz-dz",
    }
}

/// The view that a frame shows, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DebugChoice {
    /// The view to show in place of the picture.
    pub view: DebugView,
    /// The channel that [`DebugView::Map`] shows.
    pub channel: MapChannel,
    /// The cascade of [`DebugView::Map`] and [`DebugView::Spectrum`], from the longest waves to the
    /// shortest; the last where there are fewer.
    pub cascade: u32,
}

impl Default for DebugChoice {
    fn default() -> Self {
        Self { view: DebugView::Picture, channel: MapChannel::Height, cascade: 0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The frame's own passes draw it.
    Picture,
    Surface,
    /// It replaces the tone map.
    Display,
    Flat,
}

impl DebugView {
    /// The title to show to users.
    pub fn title(self) -> &'static str {
        match self {
            Self::Picture => "Picture",
            Self::Jacobian => "Jacobian J",
            Self::Roughness => "Roughness",
            Self::Foam => "Foam",
            Self::Caustics => "Caustics",
            Self::Medium => "Medium",
            Self::Lod => "Level of detail",
            Self::Wireframe => "Wireframe",
            Self::Luminance => "Luminance",
            Self::Map => "Map",
            Self::Spectrum => "Spectrum",
        }
    }

    /// A sentence of help to show to users.
    pub fn help(self) -> &'static str {
        match self {
            Self::Picture => "The sea as it looks.",
            Self::Jacobian => {
                "Area of the water over its area at rest: red is compressed (where foam appears), \
                 blue is stretched. Magenta marks where the surface has folded over."
            }
            Self::Roughness => {
                "Root mean square of the slopes that are too fine for the pixel, which the \
                 shading treats as roughness."
            }
            Self::Foam => {
                "Fraction of the water that foam should cover, before the foam's pattern is \
                 applied."
            }
            Self::Caustics => {
                "Sunlight that waves focus on the bed, or where the water is deep a few metres \
                 below the eye, over its mean. On the surface it is shown where the light has come \
                 through."
            }
            Self::Medium => {
                "What each line of sight meets first: the surface from above, the surface from \
                 below, or water without a surface."
            }
            Self::Lod => {
                "Levels of detail of the mesh, each twice as coarse as the one before, and its \
                 tiles."
            }
            Self::Wireframe => "The mesh's triangles, in the colours of their level of detail.",
            Self::Luminance => {
                "Light of the picture before tone mapping, in stops above middle grey. Stripes \
                 mark what is white on the display."
            }
            Self::Map => {
                "One channel of one cascade's maps, seen from above: x to the right, z down, \
                 before choppiness."
            }
            Self::Spectrum => {
                "|h(k, t)| of one cascade's waves over their wave vectors: k = 0 in the middle, \
                 kx to the right, kz down. Waves travel towards +k."
            }
        }
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Picture => Kind::Picture,
            Self::Jacobian
            | Self::Roughness
            | Self::Foam
            | Self::Caustics
            | Self::Medium
            | Self::Lod
            | Self::Wireframe => Kind::Surface,
            Self::Luminance => Kind::Display,
            Self::Map | Self::Spectrum => Kind::Flat,
        }
    }

    /// Returns whether it has a choice of cascades.
    pub fn has_cascades(self) -> bool {
        self.kind() == Kind::Flat
    }
}

impl MapChannel {
    /// The mathematical symbol, such as "dh/dx".
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Dx => "Dx",
            Self::Dz => "Dz",
            Self::Height => "h",
            Self::DxByZ => "dDx/dz",
            Self::HByX => "dh/dx",
            Self::HByZ => "dh/dz",
            Self::DxByX => "dDx/dx",
            Self::DzByZ => "dDz/dz",
        }
    }

    /// Its index in the two maps: 0 to 3 of the displacement, 4 to 7 of the derivatives.
    pub(crate) fn index(self) -> u32 {
        self as u32
    }

    /// The unit: "m", or empty for ratios.
    pub fn unit(self) -> &'static str {
        if self.is_length() { "m" } else { "" }
    }

    pub(crate) fn is_length(self) -> bool {
        matches!(self, Self::Dx | Self::Dz | Self::Height)
    }
}

/// Every shader that the views compile: label, complete WGSL.
#[cfg(test)]
pub(crate) fn shaders() -> Vec<(String, String)> {
    let resolved = |name| crate::gpu::shader::resolve(name).expect("shipped shaders resolve");
    SHADERS.iter().map(|name| ((*name).to_owned(), resolved(name))).collect()
}
