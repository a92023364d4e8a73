//! Parameters that change the speed of an algorithm and not its result.

use crate::choice::choices;
use crate::fft::descriptor::Axis;
#[cfg(doc)]
use crate::fft::descriptor::Layout;

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
