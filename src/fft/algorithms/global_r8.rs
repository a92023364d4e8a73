//! Stockham in global memory, radix 8, 4 and 2: one dispatch per stage. It is `global-r8`, and what
//! the Stockham algorithms become that ping-pong in storage. The kernels are
//! `shaders/fft/global_8.wgsl`, `global_4.wgsl` and `global_2.wgsl`.

use crate::fft::error::Unsupported;
use crate::fft::program::Problem;
use crate::fft::program::Program;
use crate::fft::program::kernel::KernelParts;
use crate::fft::program::passes::{self, Pass};
use crate::gpu::wgsl_struct;

pub(super) const DESCRIPTION: &str = "8, 4 and 2-point kernels in global memory, one dispatch per stage (Ukidave 2014, section 16.3)";

wgsl_struct! {
    /// What changes from stage to stage.
    pub(super) struct GlobalStage {
        pub num_stage: u32,
    }
}

/// `max_radix` as often as it goes, then what is left.
fn radices(length: u32, max_radix: u32) -> Vec<u32> {
    let (bits, radix_bits) = (length.ilog2(), max_radix.ilog2());
    let mut radices = vec![max_radix; (bits / radix_bits) as usize];
    if !bits.is_multiple_of(radix_bits) {
        radices.push(1 << (bits % radix_bits));
    }
    radices
}

/// Stages of at most `max_radix`: 2, 4 or 8.
pub(super) fn program(problem: &Problem<'_>, max_radix: u32) -> Result<Program, Unsupported> {
    problem.check_powers_of_two(2)?;
    problem.check_rounding()?;
    let workgroup_size = problem.workgroup_size()?;
    let mut passes = Vec::new();
    for &axis in problem.descriptor.axes.list() {
        let length = problem.length(axis);
        let mut num_stage = 1;
        for radix in radices(length, max_radix) {
            let threads = problem.image_lines(axis) * (length / radix);
            let is_last = num_stage * radix == length;
            passes.push(Pass {
                axis,
                // The last stage writes the points that it has read, in the same order.
                may_be_in_place: is_last,
                params: bytemuck::cast_slice(&[GlobalStage { num_stage }]).to_vec(),
                workgroups: problem.workgroups(threads.div_ceil(workgroup_size))?,
                kernel: Box::new(move |ends| {
                    KernelParts {
                        body: &format!("#import \"fft/global_{radix}.wgsl\"\n"),
                        axis,
                        ends,
                        scales: is_last,
                        transposes: false,
                        has_params: true,
                        workgroup_size,
                        workgroup_bytes: 0,
                        split: false,
                        trusted: false,
                        constants: &[("KERN_SIZE", radix)],
                    }
                    .compose(problem)
                }),
            });
            num_stage *= radix;
        }
    }
    passes::program(problem, passes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_radices_of_a_line_multiply_to_its_length() {
        for bits in 1_u32..20 {
            for max_radix in [2_u32, 4, 8] {
                let radices = radices(1 << bits, max_radix);
                assert_eq!(radices.iter().product::<u32>(), 1 << bits);
                assert_eq!(radices.len() as u32, bits.div_ceil(max_radix.ilog2()));
            }
        }
    }

    #[test]
    fn the_stage_has_the_layout_of_its_twin() {
        let descriptor = crate::fft::Descriptor {
            algorithm: crate::fft::lab::Algorithm::GlobalR8,
            ..Default::default()
        };
        let program =
            crate::fft::lab::program(&descriptor, &crate::gpu::Capabilities::webgpu_defaults())
                .unwrap();
        crate::gpu::assert_layout::<GlobalStage>(&program.kernels[0].wgsl);
    }
}
