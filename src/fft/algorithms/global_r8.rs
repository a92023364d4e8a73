//! Stockham in global memory, with butterflies of 8, 4 and 2 points: one dispatch per stage. With a
//! largest radix of 2 or 4 it is what the Stockham algorithms of these radices become where stages
//! exchange their results in storage (Mota 2022) and not in workgroup memory (Zhang et al.). The
//! kernels are `shaders/fft/global_8.wgsl`, `global_4.wgsl` and `global_2.wgsl`.

use super::parameters::{Field, Parameters, Values, field, parameters, twiddles_field};
use super::{AlgorithmFile, Twiddles, Value};
use crate::fft::error::Unsupported;
use crate::fft::program::kernel::KernelParts;
use crate::fft::program::passes::{self, Pass};
use crate::fft::program::{Problem, Program};
use crate::gpu::wgsl_struct;

pub(in crate::fft) struct GlobalR8;

const LARGEST_RADIX: u32 = 8;

parameters! {
    /// Of `global-r8`.
    pub struct GlobalParameters {
        /// Where twiddle factors come from.
        pub twiddles: Twiddles,
        /// Invocations in a workgroup.
        pub workgroup_size: u32,
        /// Points of the largest butterfly.
        pub radix: u32,
    }
}

impl Parameters for GlobalParameters {
    const FIELDS: &'static [Field<Self>] = &[
        twiddles_field!(),
        field!(
            "workgroup-size",
            "invocations in a workgroup",
            Values::PowersOfTwo(1, 1024),
            workgroup_size
        ),
        field!(
            "radix",
            "points of the largest butterfly",
            Values::PowersOfTwo(2, LARGEST_RADIX),
            radix
        ),
    ];
}

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

impl AlgorithmFile for GlobalR8 {
    const DESCRIPTION: &'static str = "8, 4 and 2-point kernels in global memory, one dispatch per \
        stage (Ukidave 2014, section 16.3)";

    type Parameters = GlobalParameters;

    fn complete(
        problem: &Problem<'_>,
        given: &GlobalParameters,
    ) -> Result<GlobalParameters, Unsupported> {
        problem.check_powers_of_two(2)?;
        problem.check_rounding()?;
        Ok(GlobalParameters {
            twiddles: Some(given.twiddles.unwrap_or(Twiddles::Table)),
            workgroup_size: Some(problem.workgroup_size(given.workgroup_size)?),
            radix: given.radix.or(Some(LARGEST_RADIX)),
        })
    }

    fn program(
        problem: &Problem<'_>,
        parameters: &GlobalParameters,
    ) -> Result<Program, Unsupported> {
        let twiddles = parameters.twiddles.unwrap_or(Twiddles::Table);
        let workgroup_size = problem.workgroup_size(parameters.workgroup_size)?;
        let mut passes = Vec::new();
        for &axis in problem.descriptor.axes.list() {
            let length = problem.length(axis);
            let mut num_stage = 1;
            for radix in radices(length, parameters.radix.unwrap_or(LARGEST_RADIX)) {
                let threads = problem.image_lines(axis) * (length / radix);
                let is_last = num_stage * radix == length;
                passes.push(Pass {
                    axis,
                    // The last stage writes the points that it has read, in the same order.
                    may_be_in_place: is_last,
                    params: bytemuck::cast_slice(&[GlobalStage { num_stage }]).to_vec(),
                    extra: Default::default(),
                    workgroups: problem.workgroups(threads.div_ceil(workgroup_size))?,
                    kernel: Box::new(move |ends| {
                        KernelParts {
                            body: &format!("#import \"fft/global_{radix}.wgsl\"\n"),
                            axis,
                            ends,
                            scales: is_last,
                            transposes: false,
                            has_params: true,
                            has_chirps: false,
                            has_twists: false,
                            workgroup_size,
                            workgroup_bytes: 0,
                            split: false,
                            is_in_bounds: false,
                            period: None,
                            length: None,
                            direction: problem.descriptor.direction,
                            twiddles,
                            constants: &[("KERN_SIZE", radix)],
                        }
                        .compose(problem)
                    }),
                });
                num_stage *= radix;
            }
        }
        passes::program(problem, twiddles, passes)
    }

    fn space(_: &Problem<'_>) -> Vec<(&'static str, Vec<Value>)> {
        vec![("radix", Values::PowersOfTwo(4, LARGEST_RADIX).all())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fft::Descriptor;
    use crate::fft::lab::Algorithm;

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
        let descriptor = Descriptor::default().by(Algorithm::GlobalR8);
        let program =
            crate::fft::lab::program(&descriptor, &crate::gpu::Capabilities::webgpu_defaults())
                .unwrap();
        crate::gpu::assert_layout::<GlobalStage>(&program.kernels[0].wgsl);
    }
}
