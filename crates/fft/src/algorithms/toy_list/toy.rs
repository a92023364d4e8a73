//! The least that a file of this folder has, here with the kernel of `dft.rs`.

use crate::algorithms::{AlgorithmFile, PassParameters, Twiddles};
use crate::error::Unsupported;
use crate::program::kernel::KernelParts;
use crate::program::passes::{self, Pass};
use crate::program::{Problem, Program};

pub(crate) struct Toy;

impl AlgorithmFile for Toy {
    const DESCRIPTION: &'static str = "a toy: the definition, once more";

    type Parameters = PassParameters;

    fn complete(
        problem: &Problem<'_>,
        given: &PassParameters,
    ) -> Result<PassParameters, Unsupported> {
        given.complete(problem)
    }

    fn program(problem: &Problem<'_>, parameters: &PassParameters) -> Result<Program, Unsupported> {
        let twiddles = parameters.twiddles.unwrap_or(Twiddles::Table);
        let workgroup_size = problem.workgroup_size(parameters.workgroup_size)?;
        let points = problem.descriptor.points() as u32;
        let mut passes = Vec::new();
        for &axis in problem.descriptor.axes.list() {
            let workgroups = problem.workgroups(points.div_ceil(workgroup_size))?;
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
