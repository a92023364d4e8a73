//! The code that several algorithms share.

use super::{PassParameters, Twiddles};
use crate::error::Unsupported;
use crate::program::Problem;

/// Declares an algorithm that transforms whole lines in workgroup memory, and its `LINES`.
macro_rules! line_algorithm {
    ($name:ident, $lines:expr, $description:literal $(, $constant:ident = $value:expr)?) => {
        pub(crate) struct $name;

        pub(super) const LINES: LineAlgorithm = $lines;

        impl $crate::algorithms::AlgorithmFile for $name {
            const DESCRIPTION: &'static str = $description;

            $( const $constant: bool = $value; )?

            type Parameters = $crate::configuration::LineParameters;

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

impl PassParameters {
    /// Chooses what is open: twiddle factors from a table, and the usual workgroups.
    pub(super) fn complete(&self, problem: &Problem<'_>) -> Result<Self, Unsupported> {
        Ok(Self {
            twiddles: Some(problem.twiddles(self.twiddles, Twiddles::Table)?),
            workgroup_size: Some(problem.workgroup_size(self.workgroup_size)?),
        })
    }
}
