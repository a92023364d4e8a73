//! Radix-2 Cooley-Tukey, one dispatch per stage; the kernel is
//! `shaders/fft/cooley_tukey_multipass.wgsl`.

use super::kernel::{self, KernelParts};
use super::problem::Problem;
use super::{Dispatch, Placement, Program, Role, Unsupported};
use crate::gpu::wgsl_struct;

pub(super) const DESCRIPTION: &str =
    "radix-2 Cooley-Tukey, one dispatch per stage (Mota 2022, listings A.1 and A.2)";

const BODY: &str = "#import \"fft/cooley_tukey_multipass.wgsl\"\n";

wgsl_struct! {
    /// What changes from stage to stage.
    pub(super) struct Stage {
        pub number: u32,
        pub reverse: u32,
    }
}

pub(super) fn program(problem: &Problem<'_>) -> Result<Program, Unsupported> {
    problem.check_powers_of_two(2)?;
    let workgroup_size = problem.workgroup_size()?;

    let mut kernels = Vec::new();
    let mut dispatches = Vec::new();
    let mut source = problem.source();
    let mut scratch_bytes = 0;
    for &axis in problem.descriptor.axes.list() {
        let stages = problem.length(axis).ilog2();
        let workgroups = problem.workgroups(
            (problem.image_lines(axis) * (problem.length(axis) / 2)).div_ceil(workgroup_size),
        )?;
        // The bit reversal moves points between lines' halves, so the first stage cannot work in
        // place (of two points it is the identity: there it can). All later stages can. An axis
        // whose data is not the input goes through scratch memory and comes back with its last
        // stage.
        let through_scratch = source == Role::Output && stages > 1;
        let mut kernel_of = [None; 2];
        for stage in 0..stages {
            let destination =
                if through_scratch && stage + 1 < stages { Role::Scratch } else { Role::Output };
            let in_place = source == destination;
            let index = *kernel_of[usize::from(in_place)].get_or_insert_with(|| {
                kernels.push(
                    KernelParts {
                        body: BODY,
                        axis,
                        in_place,
                        has_params: true,
                        workgroup_size,
                        workgroup_bytes: 0,
                        split: false,
                        trusted: false,
                        constants: &[],
                    }
                    .compose(problem),
                );
                kernels.len() - 1
            });
            let params = Stage { number: stage, reverse: u32::from(stage == 0) };
            dispatches.push(Dispatch {
                kernel: index,
                axis,
                roles: kernel::roles(&kernels[index], source, destination),
                params: bytemuck::cast_slice(&[params]).to_vec(),
                workgroups,
                bytes_read: problem.data_bytes(),
                bytes_written: problem.data_bytes(),
            });
            if destination == Role::Scratch {
                scratch_bytes = problem.data_bytes();
            }
            source = destination;
        }
    }
    Ok(Program {
        kernels,
        dispatches,
        tables: kernel::tables(problem),
        data_bytes: problem.data_bytes(),
        scratch_bytes,
        in_place: problem.descriptor.placement == Placement::InPlace,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stage_has_the_layout_of_its_twin() {
        let descriptor = super::super::Descriptor {
            algorithm: super::super::Algorithm::CooleyTukeyMultipass,
            ..Default::default()
        };
        let program =
            super::super::program(&descriptor, &crate::gpu::Capabilities::webgpu_defaults())
                .unwrap();
        crate::gpu::assert_layout::<Stage>(&program.kernels[0].wgsl);
    }
}
