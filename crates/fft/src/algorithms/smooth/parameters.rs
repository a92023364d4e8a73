//! The parameters of a kernel for smooth lengths.

use crate::algorithms::parameters::{
    Field, Kind, Parameters, Twiddles, field, parameters, twiddles_field,
};
use crate::descriptor::Axis;

/// The parameters of the algorithms for any length.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(default, deny_unknown_fields)]
pub struct SmoothParameters {
    /// The source of twiddle factors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twiddles: Option<Twiddles>,
    /// The distribution of rows over workgroups.
    pub row: SmoothLine,
    /// The distribution of columns over workgroups.
    pub column: SmoothLine,
}

parameters! {
    /// The distribution of the lines along one axis, or of their parts, over workgroups and invocations.
    pub struct SmoothLine {
        /// Largest radix of a stage, except for primes beyond it.
        pub radix: u32,
        /// The most values of one invocation, unless a butterfly of the largest radix has more.
        pub values_per_invocation: u32,
        /// The lines that one workgroup transforms.
        pub lines_per_workgroup: u32,
        /// Floats of an element that cross workgroup memory at a time: fewer take less memory and
        /// more barriers.
        pub exchange_floats: u32,
        /// Whether some slots of workgroup memory stay empty against bank conflicts.
        pub bank_padding: bool,
    }
}

impl SmoothParameters {
    /// The parameters of lines along `axis`.
    pub fn line(&self, axis: Axis) -> &SmoothLine {
        match axis {
            Axis::Row => &self.row,
            Axis::Column | Axis::Depth => &self.column,
        }
    }

    /// The parameters of lines along `axis`, to change.
    pub fn line_mut(&mut self, axis: Axis) -> &mut SmoothLine {
        match axis {
            Axis::Row => &mut self.row,
            Axis::Column | Axis::Depth => &mut self.column,
        }
    }
}

/// The largest radix: 32 values fill the registers of an invocation.
pub(super) const LARGEST_RADIX: u32 = 32;
pub(super) const MOST_LINES: u32 = 1024;

macro_rules! line_fields {
    ($axis:ident, $lines:literal) => {
        [
            field!(
                concat!(stringify!($axis), "-radix"),
                concat!("largest radix of a stage for ", $lines),
                Kind::Integer { min: 2, max: LARGEST_RADIX },
                $axis.radix
            ),
            field!(
                concat!(stringify!($axis), "-values"),
                concat!("maximum number of values that one invocation holds for ", $lines),
                Kind::Integer { min: 2, max: 64 },
                $axis.values_per_invocation
            ),
            field!(
                concat!(stringify!($axis), "-lines"),
                concat!("adjacent ", $lines, " that one workgroup transforms"),
                Kind::Integer { min: 1, max: MOST_LINES },
                $axis.lines_per_workgroup
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
                concat!(stringify!($axis), "-bank-padding"),
                concat!(
                    "whether some slots of workgroup memory stay empty against bank conflicts for ",
                    $lines
                ),
                Kind::Flag,
                $axis.bank_padding
            ),
        ]
    };
}

impl Parameters for SmoothParameters {
    const FIELDS: &'static [Field<Self>] = {
        const ROW: [Field<SmoothParameters>; 5] = line_fields!(row, "rows");
        const COLUMN: [Field<SmoothParameters>; 5] = line_fields!(column, "columns");
        const COMMON: [Field<SmoothParameters>; 1] = [twiddles_field!()];
        let ([a], [b, c, d, e, f], [g, h, i, j, k]) = (COMMON, ROW, COLUMN);
        &[a, b, c, d, e, f, g, h, i, j, k]
    };
}
