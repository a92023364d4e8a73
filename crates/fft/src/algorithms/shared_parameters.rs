use super::parameters::{Field, Kind, Parameters, Twiddles, field, parameters, twiddles_field};
use crate::choice::{Choice as _, choices};
use crate::descriptor::Axis;

choices! {
    /// The memory for results between the stages of a line.
    pub enum PingPong {
        /// Workgroup memory, as in Zhang et al.
        Workgroup = "workgroup",
        /// Two arrays in storage, like the thesis' images, within one dispatch (Mota 2022, section 5.3).
        Storage = "storage",
    }
}

/// The parameters of algorithms that transform whole lines in workgroup memory.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(default, deny_unknown_fields)]
pub struct LineParameters {
    /// The source of twiddle factors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twiddles: Option<Twiddles>,
    /// The memory for results between stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ping_pong: Option<PingPong>,
    /// The distribution of rows over workgroups.
    pub row: LineShape,
    /// The distribution of columns over workgroups.
    pub column: LineShape,
}

parameters! {
    /// The distribution of the lines along one axis over workgroups and invocations.
    pub struct LineShape {
        /// Adjacent lines that one workgroup transforms.
        pub lines_per_workgroup: u32,
        /// Butterflies that one invocation computes in each stage (Mota 2022, figure 16).
        pub butterflies_per_invocation: u32,
    }
}

impl LineParameters {
    /// The parameters of lines along `axis`.
    pub fn line(&self, axis: Axis) -> &LineShape {
        match axis {
            Axis::Row => &self.row,
            Axis::Column | Axis::Depth => &self.column,
        }
    }

    /// The parameters of lines along `axis`, to change.
    pub fn line_mut(&mut self, axis: Axis) -> &mut LineShape {
        match axis {
            Axis::Row => &mut self.row,
            Axis::Column | Axis::Depth => &mut self.column,
        }
    }
}

/// The largest values of lines and butterflies.
pub(super) const MOST_LINES: u32 = 1024;
pub(super) const MOST_BUTTERFLIES: u32 = 4096;

impl Parameters for LineParameters {
    const FIELDS: &'static [Field<Self>] = &[
        twiddles_field!(),
        field!(
            "ping-pong",
            "memory for results between the stages of a line within a dispatch: workgroup memory, \
             or two arrays in storage as in Mota's thesis",
            Kind::Choice(PingPong::NAMES),
            ping_pong
        ),
        field!(
            "row-lines",
            "adjacent rows that one workgroup transforms",
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
            "adjacent columns that one workgroup transforms",
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

parameters! {
    /// The parameters of algorithms with several passes over the whole image.
    pub struct PassParameters {
        /// The source of twiddle factors.
        pub twiddles: Twiddles,
        /// The number of invocations in a workgroup.
        pub workgroup_size: u32,
    }
}

impl Parameters for PassParameters {
    const FIELDS: &'static [Field<Self>] = &[
        twiddles_field!(),
        field!(
            "workgroup-size",
            "invocations in a workgroup",
            Kind::PowerOfTwo { min: 1, max: 1024 },
            workgroup_size
        ),
    ];
}
