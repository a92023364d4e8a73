//! Radix-2 Cooley-Tukey, one dispatch per stage; the kernel is `shaders/fft/cooley_tukey_multipass.wgsl`.

use super::{AlgorithmFile, PassParameters, Twiddles};
use crate::error::Unsupported;
use crate::gpu::wgsl_struct;
use crate::program::kernel::KernelParts;
use crate::program::passes::{self, Pass};
use crate::program::{Problem, Program};

pub(crate) struct CooleyTukeyMultipass;

const BODY: &str = "#import \"fft/cooley_tukey_multipass.wgsl\"\n";

wgsl_struct! {
    pub(super) struct Stage {
        pub number: u32,
        pub reverse: u32,
    }
}

impl AlgorithmFile for CooleyTukeyMultipass {
    const DESCRIPTION: &'static str =
        "radix-2 Cooley-Tukey, one dispatch per stage (Mota 2022, listings A.1 and A.2)";

    type Parameters = PassParameters;

    fn complete(
        problem: &Problem<'_>,
        given: &PassParameters,
    ) -> Result<PassParameters, Unsupported> {
        problem.check_powers_of_two(2)?;
        problem.check_rounding()?;
        given.complete(problem)
    }

    fn program(problem: &Problem<'_>, parameters: &PassParameters) -> Result<Program, Unsupported> {
        let twiddles = parameters.twiddles.unwrap_or(Twiddles::Table);
        let workgroup_size = problem.workgroup_size(parameters.workgroup_size)?;

        let mut passes = Vec::new();
        for &axis in problem.descriptor.axes.list() {
            let stages = problem.length(axis).ilog2();
            let workgroups = problem.workgroups(
                (problem.image_lines(axis) * (problem.length(axis) / 2)).div_ceil(workgroup_size),
            )?;
            for number in 0..stages {
                let params = Stage { number, reverse: u32::from(number == 0) };
                passes.push(Pass {
                    // The bit reversal moves points between lines' halves, so the first stage cannot work in
                    // place except for two points, where the reversal is the identity. All later ones can.
                    may_be_in_place: number > 0 || stages == 1,
                    params: bytemuck::cast_slice(&[params]).to_vec(),
                    ..Pass::new(axis, workgroups, move |ends| {
                        KernelParts {
                            body: BODY,
                            scales: number + 1 == stages,
                            has_params: true,
                            ..KernelParts::new(problem, axis, ends, twiddles, workgroup_size)
                        }
                        .compose(problem)
                    })
                });
            }
        }
        passes::program(problem, twiddles, passes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Descriptor;
    use crate::lab::Algorithm;

    #[test]
    fn the_stage_has_the_layout_of_its_twin() {
        let descriptor = Descriptor::default().by(Algorithm::CooleyTukeyMultipass);
        let program =
            crate::lab::program(&descriptor, &crate::gpu::Capabilities::webgpu_defaults()).unwrap();
        seaway_core::testing::assert_layout::<Stage>(&program.kernels[0].wgsl);
    }
}
