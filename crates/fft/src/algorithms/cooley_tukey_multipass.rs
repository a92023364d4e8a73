//! Radix-2 Cooley-Tukey, one dispatch per stage; the kernel is `shaders/fft/cooley_tukey_multipass.wgsl`. The
//! first stages may share a dispatch, whose kernel is `shaders/fft/cooley_tukey_blocks.wgsl`.

use super::{AlgorithmFile, MultipassParameters, Twiddles};
use crate::configuration::PingPong;
use crate::error::Unsupported;
use crate::gpu::{Limit, wgsl_struct};
use crate::program::kernel::KernelParts;
use crate::program::passes::{self, Pass};
use crate::program::{Problem, Program};

pub(crate) struct CooleyTukeyMultipass;

const BODY: &str = "#import \"fft/cooley_tukey_multipass.wgsl\"\n";
const BLOCKS: &str = "#import \"fft/cooley_tukey_blocks.wgsl\"\n";

/// The points of a block without any, whose one stage is a dispatch like the others.
const NO_BLOCK: u32 = 2;

wgsl_struct! {
    pub(super) struct Stage {
        pub number: u32,
        pub reverse: u32,
    }
}

impl AlgorithmFile for CooleyTukeyMultipass {
    const DESCRIPTION: &'static str =
        "radix-2 Cooley-Tukey, one dispatch per stage (Mota 2022, listings A.1 and A.2)";

    type Parameters = MultipassParameters;

    fn complete(
        problem: &Problem<'_>,
        given: &MultipassParameters,
    ) -> Result<MultipassParameters, Unsupported> {
        problem.check_powers_of_two(2)?;
        problem.check_rounding()?;
        let axes = problem.descriptor.axes.list().iter();
        let shortest = axes.map(|axis| problem.length(*axis)).min().unwrap_or(NO_BLOCK);
        let points = problem.number("block-points", given.block_points, shortest, || NO_BLOCK)?;
        let what = || format!("a workgroup with a block of {points} points");
        let bytes = u64::from(points) * u64::from(problem.element_bytes());
        problem.within(what, Limit::WorkgroupStorage, bytes)?;
        problem.within(what, Limit::WorkgroupInvocations, u64::from(points / 2))?;
        let ping_pong = given.ping_pong.unwrap_or(PingPong::Storage);
        if ping_pong == PingPong::Image {
            problem.check_images(false)?;
        }
        Ok(MultipassParameters {
            twiddles: Some(problem.twiddles(given.twiddles, Twiddles::Table)?),
            workgroup_size: Some(problem.workgroup_size(given.workgroup_size)?),
            block_points: Some(points),
            ping_pong: Some(ping_pong),
        })
    }

    fn program(
        problem: &Problem<'_>,
        parameters: &MultipassParameters,
    ) -> Result<Program, Unsupported> {
        let in_images = parameters.ping_pong == Some(PingPong::Image);
        let twiddles = parameters.twiddles.unwrap_or(Twiddles::Table);
        let workgroup_size = problem.workgroup_size(parameters.workgroup_size)?;
        let block_points = parameters.block_points.unwrap_or(NO_BLOCK);

        let mut passes = Vec::new();
        for &axis in problem.descriptor.axes.list() {
            let length = problem.length(axis);
            let (lines, stages) = (problem.image_lines(axis), length.ilog2());
            let mut first = 0;
            if block_points > NO_BLOCK {
                first = block_points.ilog2();
                let workgroups = problem.workgroups(lines * (length / block_points))?;
                passes.push(Pass {
                    // A workgroup reads a whole line before it writes it, or parts of other blocks.
                    may_be_in_place: first == stages,
                    stores_to_image: in_images,
                    ..Pass::new(axis, workgroups, move |ends| {
                        KernelParts {
                            body: BLOCKS,
                            scales: first == stages,
                            workgroup_bytes: block_points * problem.element_bytes(),
                            constants: &[("POINTS", block_points), ("LOG2_POINTS", first)],
                            ..KernelParts::new(problem, axis, ends, twiddles, block_points / 2)
                        }
                        .compose(problem)
                    })
                });
            }
            let workgroups = problem.workgroups((lines * (length / 2)).div_ceil(workgroup_size))?;
            for number in first..stages {
                let params = Stage { number, reverse: u32::from(number == 0) };
                passes.push(Pass {
                    // The bit reversal moves points between lines' halves, so the first stage cannot work in
                    // place except for two points, where the reversal is the identity. All later ones can.
                    may_be_in_place: number > 0 || stages == 1,
                    stores_to_image: in_images,
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
        // The last stage of all stores to the caller's buffer.
        let last = passes.last_mut().expect("at least one axis of two points");
        last.stores_to_image = false;
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
