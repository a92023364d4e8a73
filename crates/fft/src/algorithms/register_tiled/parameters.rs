//! The parameters of a register-tiled kernel.

use crate::algorithms::parameters::{
    Field, Kind, Parameters, Twiddles, field, parameters, twiddles_field,
};
use crate::descriptor::Axis;

/// The parameters of the register-tiled algorithms.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(default, deny_unknown_fields)]
pub struct RegisterTiledParameters {
    /// The source of twiddle factors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twiddles: Option<Twiddles>,
    /// Whether the image lies in tiles between the two passes of a 2D transform, so that both touch whole
    /// cache lines. The second pass then cannot work in place: without a store hook it takes scratch memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<bool>,
    /// Rows of such a tile; it has as many columns as a workgroup transforms. More rows make the reads
    /// of a column pass longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile_rows: Option<u32>,
    /// With tiles, hooks at both ends and a [`StoreHook`](crate::StoreHook) that is
    /// [`keeping_halves`](crate::StoreHook::keeping_halves): whether intermediate values are 16-bit
    /// floats, which halves the bytes and rounds to 11 bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_intermediates: Option<bool>,
    /// With a load hook that prepares values for several layers: whether a workgroup prepares once
    /// and transforms those layers in turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers_in_turn: Option<bool>,
    /// The distribution of rows over workgroups.
    pub row: RegisterTiledLine,
    /// The distribution of columns over workgroups.
    pub column: RegisterTiledLine,
}

parameters! {
    /// The distribution of the lines along one axis over workgroups and invocations.
    pub struct RegisterTiledLine {
        /// Largest radix of a stage, at most the one that the algorithm is named for.
        pub radix: u32,
        /// Adjacent lines that one workgroup transforms.
        pub lines_per_workgroup: u32,
        /// Butterflies of the largest radix that one invocation computes in each stage.
        pub butterflies_per_invocation: u32,
        /// Floats of an element that cross workgroup memory at a time: fewer take less memory and
        /// more barriers.
        pub exchange_floats: u32,
        /// The distance between empty slots of workgroup memory, against bank conflicts; 0 for none.
        pub padding: u32,
        /// Whether, in layout `Pair`, each invocation holds values of one image of a pair only, so that
        /// twice as many invocations hold half as much each.
        pub split_pairs: bool,
    }
}

impl RegisterTiledParameters {
    /// The parameters of lines along `axis`.
    pub fn line(&self, axis: Axis) -> &RegisterTiledLine {
        match axis {
            Axis::Row => &self.row,
            Axis::Column | Axis::Depth => &self.column,
        }
    }

    /// The parameters of lines along `axis`, to change.
    pub fn line_mut(&mut self, axis: Axis) -> &mut RegisterTiledLine {
        match axis {
            Axis::Row => &mut self.row,
            Axis::Column | Axis::Depth => &mut self.column,
        }
    }

    /// Sets both axes to `line`.
    pub fn lines(line: RegisterTiledLine) -> Self {
        Self { row: line, column: line, ..Self::default() }
    }
}

/// The largest radix: 32 values fill the registers of an invocation.
pub(super) const LARGEST_RADIX: u32 = 32;
pub(super) const MOST_BUTTERFLIES: u32 = 4;

const MOST_TILE_ROWS: u32 = 1 << 16;

macro_rules! line_fields {
    ($axis:ident, $lines:literal) => {
        [
            field!(
                concat!(stringify!($axis), "-lines"),
                concat!("adjacent ", $lines, " that one workgroup transforms"),
                Kind::PowerOfTwo { min: 1, max: 1024 },
                $axis.lines_per_workgroup
            ),
            field!(
                concat!(stringify!($axis), "-radix"),
                concat!(
                    "largest radix of a stage for ",
                    $lines,
                    ", at most the radix in the algorithm's name"
                ),
                Kind::PowerOfTwo { min: 2, max: LARGEST_RADIX },
                $axis.radix
            ),
            field!(
                concat!(stringify!($axis), "-butterflies"),
                concat!("butterflies that one invocation computes in each stage for ", $lines),
                Kind::PowerOfTwo { min: 1, max: MOST_BUTTERFLIES },
                $axis.butterflies_per_invocation
            ),
            field!(
                concat!(stringify!($axis), "-exchange"),
                concat!(
                    "floats of an element that are exchanged through workgroup memory at a time \
                     for ",
                    $lines,
                    "; up to 4 in layout pair"
                ),
                Kind::PowerOfTwo { min: 1, max: 4 },
                $axis.exchange_floats
            ),
            field!(
                concat!(stringify!($axis), "-padding"),
                concat!(
                    "number of slots of workgroup memory of which one stays empty for ",
                    $lines,
                    ", against bank conflicts"
                ),
                Kind::ZeroOrPowerOfTwo { min: 1, max: 1024 },
                $axis.padding
            ),
            field!(
                concat!(stringify!($axis), "-split"),
                concat!(
                    "whether each invocation holds values of only one image of a pair for ",
                    $lines,
                    "; needs layout pair and no hooks"
                ),
                Kind::Flag,
                $axis.split_pairs
            ),
        ]
    };
}

impl Parameters for RegisterTiledParameters {
    const FIELDS: &'static [Field<Self>] = {
        const ROW: [Field<RegisterTiledParameters>; 6] = line_fields!(row, "rows");
        const COLUMN: [Field<RegisterTiledParameters>; 6] = line_fields!(column, "columns");
        const COMMON: [Field<RegisterTiledParameters>; 5] = [
            twiddles_field!(),
            field!(
                "tiles",
                "whether images are stored in tiles between the passes of a 2D transform, which \
                 needs scratch memory",
                Kind::Flag,
                tiles
            ),
            field!(
                "tile-rows",
                "rows of a tile (see tiles), which has as many columns as a workgroup transforms",
                Kind::PowerOfTwo { min: 1, max: MOST_TILE_ROWS },
                tile_rows
            ),
            field!(
                "half-intermediates",
                "with tiles, and with hooks that store 16-bit floats as in the ocean: whether the \
                 data between the passes is stored in 16-bit floats, too",
                Kind::Flag,
                half_intermediates
            ),
            field!(
                "layers-in-turn",
                "with a load hook that prepares values for several layers: whether a workgroup \
                 prepares once and transforms those layers in turn",
                Kind::Flag,
                layers_in_turn
            ),
        ];
        let ([a, b, c, d, e], [f, g, h, i, j, k], [l, m, n, o, p, q]) = (COMMON, ROW, COLUMN);
        &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q]
    };
}
