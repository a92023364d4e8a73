//! The parameters of a register-tiled kernel.

use super::parameters::parameters;

/// The largest radix: 32 values fill the registers of an invocation.
const LARGEST_RADIX: u32 = 32;
pub(crate) const MOST_BUTTERFLIES: u32 = 4;

const MOST_TILE_ROWS: u32 = 1 << 16;

parameters! {
    /// The parameters of the register-tiled algorithms.
    pub struct RegisterTiledParameters {
        /// Both passes then touch whole cache lines. The second pass cannot work in place: without a store
        /// hook it takes scratch memory.
        tiles: bool = "tiles", Kind::Flag,
            "whether images are stored in tiles between the passes of a 2D transform, which needs \
             scratch memory";
        /// More rows make the reads of a column pass longer.
        tile_rows: u32 = "tile-rows", Kind::PowerOfTwo { min: 1, max: MOST_TILE_ROWS },
            "rows of a tile (see tiles), which has as many columns as a workgroup transforms";
        /// That halves the bytes and rounds to 11 bits. It needs hooks at both ends, and a
        /// [`StoreHook`](crate::StoreHook) that is [`keeping_halves`](crate::StoreHook::keeping_halves).
        half_intermediates: bool = "half-intermediates", Kind::Flag,
            "with tiles or in one dispatch, and with hooks that store 16-bit floats as in the ocean: \
             whether the data between the passes is stored in 16-bit floats, too";
        layers_in_turn: bool = "layers-in-turn", Kind::Flag,
            "with a load hook that prepares values for several layers: whether a workgroup prepares \
             once and transforms those layers in turn";
        /// All workgroups of an image must run at once. [`Bound::check`](crate::Bound::check) tells whether
        /// they did. Rows pass their values on in memory of their own, and never write the data that they read. It was
        /// tried on NVIDIA's adapters only: other compilers may not look at that memory again.
        one_dispatch: bool = "one-dispatch", Kind::Flag,
            "for square images without tiles: whether one dispatch transforms rows and columns, which \
             wait for each of their values";
        /// [`StoreHook::taking_means`](crate::StoreHook::taking_means) declares the most.
        means: u32 = "means", Kind::ZeroOrPowerOfTwo { min: 1, max: 2 },
            "with a store hook that takes means, such as the mips of the ocean's maps: their levels";
        /// That takes no barriers. A subgroup must hold four rows of a workgroup's columns, or two for one level.
        /// Subgroups must be cut from a workgroup in the order of its invocations. No API promises that, and
        /// `seaway bench --ocean` checks it.
        means_in_subgroups: bool = "means-in-subgroups", Kind::Flag,
            "with means: whether the invocations of a subgroup add them up among themselves, where \
             subgroups are large enough, instead of through workgroup memory";
    }

    /// The distribution of the lines along one axis over workgroups and invocations.
    pub struct RegisterTiledLine {
        lines_per_workgroup: u32 = "lines", Kind::PowerOfTwo { min: 1, max: 1024 },
            "adjacent " - " that one workgroup transforms";
        radix: u32 = "radix", Kind::PowerOfTwo { min: 2, max: LARGEST_RADIX },
            "largest radix of a stage for " - ", at most the radix in the algorithm's name";
        /// They are butterflies of the largest radix.
        butterflies_per_invocation: u32 =
            "butterflies", Kind::PowerOfTwo { min: 1, max: MOST_BUTTERFLIES },
            "butterflies that one invocation computes in each stage for " - "";
        /// Fewer take less memory and more barriers.
        exchange_floats: u32 = "exchange", Kind::PowerOfTwo { min: 1, max: 4 },
            "floats of an element that are exchanged through workgroup memory at a time for "
            - "; up to 4 in layout pair";
        padding: u32 = "padding", Kind::ZeroOrPowerOfTwo { min: 1, max: 1024 },
            "number of slots of workgroup memory of which one stays empty for "
            - ", against bank conflicts";
        /// Twice as many invocations then hold half as much each.
        split_pairs: bool = "split", Kind::Flag,
            "whether each invocation holds values of only one image of a pair for "
            - "; needs layout pair and no hooks";
    }
}

impl RegisterTiledParameters {
    /// Sets both axes to `line`.
    pub fn lines(line: RegisterTiledLine) -> Self {
        Self { row: line, column: line, ..Self::default() }
    }
}

impl RegisterTiledLine {
    /// Takes the parameters that are open from `other`.
    pub(crate) fn or(&self, other: &Self) -> Self {
        Self {
            lines_per_workgroup: self.lines_per_workgroup.or(other.lines_per_workgroup),
            radix: self.radix.or(other.radix),
            butterflies_per_invocation: self
                .butterflies_per_invocation
                .or(other.butterflies_per_invocation),
            exchange_floats: self.exchange_floats.or(other.exchange_floats),
            padding: self.padding.or(other.padding),
            split_pairs: self.split_pairs.or(other.split_pairs),
        }
    }
}
