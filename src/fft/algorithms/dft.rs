//! The definition, one invocation per result; the kernel is `shaders/fft/dft.wgsl`.

use crate::fft::error::Unsupported;
use crate::fft::program::Problem;
use crate::fft::program::kernel::KernelParts;
use crate::fft::program::passes::{self, Pass};
use crate::fft::program::{Program, Role};

pub(super) const DESCRIPTION: &str =
    "the definition, any length, one invocation per result (Mota 2022, section 2.2)";

/// The longest line: the work grows with the square, and a driver stops kernels that take seconds.
const LONGEST: u32 = 8192;

pub(super) fn program(problem: &Problem<'_>) -> Result<Program, Unsupported> {
    let mut passes = Vec::new();
    for &axis in problem.descriptor.axes.list() {
        problem.check_longest(axis, LONGEST)?;
        let workgroup_size = problem.workgroup_size()?;
        let [width, height] = problem.descriptor.size;
        passes.push(Pass {
            axis,
            may_be_in_place: false,
            params: Vec::new(),
            workgroups: problem.workgroups((width * height).div_ceil(workgroup_size))?,
            kernel: Box::new(move |ends| {
                KernelParts {
                    body: "#import \"fft/dft.wgsl\"\n",
                    axis,
                    ends,
                    scales: true,
                    transposes: false,
                    has_params: false,
                    workgroup_size,
                    workgroup_bytes: 0,
                    split: false,
                    trusted: false,
                    constants: &[],
                }
                .compose(problem)
            }),
        });
    }
    let mut program = passes::program(problem, passes)?;
    for dispatch in &mut program.dispatches {
        for role in &mut dispatch.roles {
            if let Role::Table(table) = role {
                *table = problem.table(dispatch.axis);
            }
        }
    }
    Ok(program)
}
