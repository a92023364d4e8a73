//! The problem of a comparison and its rows.

use crate::choice::choices;
use crate::fft::lab::{AlgorithmChoice, Configuration};
use crate::fft::{Descriptor, Direction, Layout, Placement, Precision};
use crate::ocean::{OceanOptions, OceanPath};
use crate::settings::SeaState;

/// The problem that every row solves: the spectra of one sea at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The sea whose spectra are transformed.
    pub sea: SeaState,
    /// The sea's time in seconds.
    pub time_s: f64,
    /// Points along one side of each image.
    pub size: u32,
    /// Cascades, each of four complex images: the batch.
    pub cascades: u32,
    /// Precision of numbers in memory. A step of the ocean uses 32 bits.
    pub precision: Precision,
}

choices! {
    /// The kind of work that a row times.
    pub enum RowKind {
        /// The inverse transform of all images, from one buffer into another.
        Transform = "transform",
        /// A step of the ocean, from the waves to the maps with their mips, in separate passes.
        PlainStep = "plain-step",
        /// The same step, with its transform fused with spectrum and maps.
        FusedStep = "fused-step",
    }
}

impl RowKind {
    /// Rows of one family are compared with one baseline.
    pub const FAMILIES: usize = 2;

    /// Returns 0 for transforms, 1 for steps.
    pub fn family(self) -> usize {
        match self {
            Self::Transform => 0,
            Self::PlainStep | Self::FusedStep => 1,
        }
    }

    /// A short name for tables and panels.
    pub fn label(self) -> &'static str {
        match self {
            Self::Transform => "transform",
            Self::PlainStep => "ocean step, plain",
            Self::FusedStep => "ocean step, fused",
        }
    }

    /// The path of a step; `None` for a transform.
    pub fn path(self) -> Option<OceanPath> {
        match self {
            Self::Transform => None,
            Self::PlainStep => Some(OceanPath::Plain),
            Self::FusedStep => Some(OceanPath::Fused),
        }
    }
}

/// One row: the kind of work and the algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The kind of work that is timed.
    pub kind: RowKind,
    /// The requested algorithm, which may be `best` or `auto`.
    pub algorithm: AlgorithmChoice,
    /// The algorithm with its parameters; `None` for the best that is known.
    pub configuration: Option<Configuration>,
}

impl Entry {
    /// An entry with the algorithm's default parameters, or the best known algorithm.
    pub fn new(kind: RowKind, algorithm: AlgorithmChoice) -> Self {
        Self { kind, algorithm, configuration: algorithm.named().map(Configuration::from) }
    }
}

impl Problem {
    /// Returns the number of complex images.
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
