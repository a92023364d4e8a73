//! The definition, one invocation per result; the kernel is `shaders/fft/dft.wgsl`.

use super::{AlgorithmFile, PassParameters, Twiddles};
use crate::error::Unsupported;
use crate::program::kernel::KernelParts;
use crate::program::passes::{self, Pass};
use crate::program::{Problem, Program};

pub(crate) struct Dft;

/// The longest line. The work grows with the square, and a driver stops kernels that take seconds.
const LONGEST: u32 = 8192;

impl AlgorithmFile for Dft {
    const DESCRIPTION: &'static str =
        "the definition, any length, one invocation per result (Mota 2022, section 2.2)";

    type Parameters = PassParameters;

    fn complete(
        problem: &Problem<'_>,
        given: &PassParameters,
    ) -> Result<PassParameters, Unsupported> {
        for &axis in problem.descriptor.axes.list() {
            problem.check_longest(axis, LONGEST)?;
        }
        given.complete(problem)
    }

    fn program(problem: &Problem<'_>, parameters: &PassParameters) -> Result<Program, Unsupported> {
        let twiddles = parameters.twiddles.unwrap_or(Twiddles::Table);
        let workgroup_size = problem.workgroup_size(parameters.workgroup_size)?;
        let mut passes = Vec::new();
        for &axis in problem.descriptor.axes.list() {
            let [width, height] = problem.descriptor.size;
            let workgroups = problem.workgroups((width * height).div_ceil(workgroup_size))?;
            passes.push(Pass::new(axis, workgroups, move |ends| {
                KernelParts {
                    body: "#import \"fft/dft.wgsl\"\n",
                    ..KernelParts::new(problem, axis, ends, twiddles, workgroup_size)
                }
                .compose(problem)
            }));
        }
        passes::program(problem, twiddles, passes)
    }
}
