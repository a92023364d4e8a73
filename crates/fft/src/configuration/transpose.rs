//! The parameters of the algorithm `transpose`.

use super::parameters::{Field, Kind, Parameters, Twiddles, field, twiddles_field};
use super::shared::{LineShape, MOST_BUTTERFLIES, MOST_LINES};

/// The parameters of the algorithm `transpose`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(default, deny_unknown_fields)]
pub struct TransposeParameters {
    /// The source of twiddle factors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twiddles: Option<Twiddles>,
    /// The most invocations that transpose a tile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workgroup_size: Option<u32>,
    /// The distribution of rows over workgroups.
    pub row: LineShape,
    /// The distribution of columns, after they became rows.
    pub column: LineShape,
}

impl Parameters for TransposeParameters {
    const FIELDS: &'static [Field<Self>] = &[
        twiddles_field!(),
        field!(
            "workgroup-size",
            "maximum number of invocations that transpose a tile",
            Kind::PowerOfTwo { min: 1, max: 1024 },
            workgroup_size
        ),
        field!(
            "row-lines",
            "rows that one workgroup transforms",
            Kind::PowerOfTwo { min: 1, max: MOST_LINES },
            row.lines_per_workgroup
        ),
        field!(
            "row-butterflies",
            "butterflies that one invocation computes in each stage for rows",
            Kind::PowerOfTwo { min: 1, max: MOST_BUTTERFLIES },
            row.butterflies_per_invocation
        ),
        field!(
            "column-lines",
            "columns (transposed to rows) that one workgroup transforms",
            Kind::PowerOfTwo { min: 1, max: MOST_LINES },
            column.lines_per_workgroup
        ),
        field!(
            "column-butterflies",
            "butterflies that one invocation computes in each stage for columns",
            Kind::PowerOfTwo { min: 1, max: MOST_BUTTERFLIES },
            column.butterflies_per_invocation
        ),
    ];
}
