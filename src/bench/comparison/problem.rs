//! What is compared, and by whom.

use crate::choice::choices;
use crate::fft::lab::{AlgorithmChoice, Configuration};
use crate::fft::{Descriptor, Direction, Layout, Placement, Precision};
use crate::ocean::{OceanOptions, OceanPath};
use crate::settings::SeaState;

/// The problem that every row solves: the spectra of one sea at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The sea.
    pub sea: SeaState,
    /// The moment.
    pub time_s: f64,
    /// Points along one side of each image.
    pub size: u32,
    /// Cascades, each of four complex images: the batch.
    pub cascades: u32,
    /// How transforms keep numbers in memory. A step of the ocean keeps 32 bits.
    pub precision: Precision,
}

choices! {
    /// What a row times.
    pub enum RowKind {
        /// The inverse transform of all images, from one buffer into another.
        Transform = "transform",
        /// A step of the ocean, from the waves to the maps with their mips, in passes of their own.
        PlainStep = "plain-step",
        /// The same step, its transform joined to spectrum and maps.
        FusedStep = "fused-step",
    }
}

impl RowKind {
    /// Rows of one family are compared with one baseline.
    pub const FAMILIES: usize = 2;

    /// Transforms are one family, steps the other.
    pub fn family(self) -> usize {
        match self {
            Self::Transform => 0,
            Self::PlainStep | Self::FusedStep => 1,
        }
    }

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Transform => "transform",
            Self::PlainStep => "ocean step, plain",
            Self::FusedStep => "ocean step, fused",
        }
    }

    /// The step's path.
    pub fn path(self) -> Option<OceanPath> {
        match self {
            Self::Transform => None,
            Self::PlainStep => Some(OceanPath::Plain),
            Self::FusedStep => Some(OceanPath::Fused),
        }
    }
}

/// One row: what is timed, and by which algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// What is timed.
    pub kind: RowKind,
    /// What was asked for.
    pub algorithm: AlgorithmChoice,
    /// What that comes to; `None` for the best that is known.
    pub configuration: Option<Configuration>,
}

impl Entry {
    /// A named algorithm as it comes, or the best that is known.
    pub fn new(kind: RowKind, algorithm: AlgorithmChoice) -> Self {
        Self { kind, algorithm, configuration: algorithm.named().map(Configuration::from) }
    }
}

impl Problem {
    /// Complex images.
    pub fn images(&self) -> u32 {
        4 * self.cascades
    }

    /// The transform of its first `images` images, by `configuration`.
    pub fn transform(&self, images: u32, configuration: Option<Configuration>) -> Descriptor {
        Descriptor {
            size: [self.size; 2],
            batch: images,
            direction: Direction::Inverse,
            layout: Layout::Pair,
            precision: self.precision,
            placement: Placement::OutOfPlace,
            algorithm: configuration,
            ..Descriptor::default()
        }
    }

    /// The ocean of `cascades` of its cascades whose step an entry times.
    pub fn ocean(
        &self,
        cascades: u32,
        path: OceanPath,
        configuration: Option<Configuration>,
    ) -> OceanOptions {
        OceanOptions {
            size: self.size,
            cascades,
            path,
            algorithm: configuration,
            // The surface itself in the maps, to be checked: a step costs the same.
            cubic_cascades: 0,
            ..OceanOptions::default()
        }
    }
}
