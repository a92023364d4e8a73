use super::parameters::{Twiddles, parameters};
use crate::choice::{Choice as _, choices};
use crate::error::Unsupported;
use crate::program::Problem;

choices! {
    /// The memory for results between the stages of a line.
    pub enum PingPong {
        /// Workgroup memory, as in Zhang et al.
        Workgroup = "workgroup",
        /// Two arrays in storage, like the thesis' images, within one dispatch (Mota 2022, section 5.3).
        Storage = "storage",
    }
}

/// The largest values of lines and butterflies.
pub(super) const MOST_LINES: u32 = 1024;
pub(super) const MOST_BUTTERFLIES: u32 = 4096;

parameters! {
    /// The parameters of algorithms that transform whole lines in workgroup memory.
    pub struct LineParameters {
        ping_pong: PingPong = "ping-pong", Kind::Choice(PingPong::NAMES),
            "memory for results between the stages of a line within a dispatch: workgroup memory, \
             or two arrays in storage as in Mota's thesis";
    }

    /// The distribution of the lines along one axis over workgroups and invocations.
    pub struct LineShape {
        lines_per_workgroup: u32 = "lines", Kind::PowerOfTwo { min: 1, max: MOST_LINES },
            "adjacent " - " that one workgroup transforms";
        /// See Mota 2022, figure 16.
        butterflies_per_invocation: u32 =
            "butterflies", Kind::PowerOfTwo { min: 1, max: MOST_BUTTERFLIES },
            "butterflies that one invocation computes in each stage for " - "";
    }
}

/// Declares an algorithm that transforms whole lines in workgroup memory, and its `LINES`.
macro_rules! line_algorithm {
    ($name:ident, $lines:expr, $description:literal) => {
        pub(crate) struct $name;

        pub(super) const LINES: LineAlgorithm = $lines;

        impl $crate::algorithms::AlgorithmFile for $name {
            const DESCRIPTION: &'static str = $description;

            type Parameters = $crate::algorithms::LineParameters;

            fn complete(
                problem: &$crate::program::Problem<'_>,
                given: &Self::Parameters,
            ) -> Result<Self::Parameters, $crate::error::Unsupported> {
                LINES.complete(problem, given)
            }

            fn program(
                problem: &$crate::program::Problem<'_>,
                parameters: &Self::Parameters,
            ) -> Result<$crate::program::Program, $crate::error::Unsupported> {
                LINES.program(problem, parameters)
            }
        }
    };
}
pub(super) use line_algorithm;

parameters! {
    /// The parameters of algorithms with several passes over the whole image.
    pub struct PassParameters {
        workgroup_size: u32 = "workgroup-size", Kind::PowerOfTwo { min: 1, max: 1024 },
            "invocations in a workgroup";
    }
}

impl PassParameters {
    /// Chooses what is open: twiddle factors from a table, and the usual workgroups.
    pub(super) fn complete(&self, problem: &Problem<'_>) -> Result<Self, Unsupported> {
        Ok(Self {
            twiddles: Some(self.twiddles.unwrap_or(Twiddles::Table)),
            workgroup_size: Some(problem.workgroup_size(self.workgroup_size)?),
        })
    }
}
