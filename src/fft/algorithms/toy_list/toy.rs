//! The definition again, an invocation for each result of a pass: the smallest possible file of this
//! folder.

use crate::fft::algorithms::{AlgorithmFile, PassParameters, Twiddles};
use crate::fft::error::Unsupported;
use crate::fft::program::kernel::KernelParts;
use crate::fft::program::passes::{self, Pass};
use crate::fft::program::{Problem, Program};

pub(in crate::fft) struct Toy;

const WGSL: &str = "
#import \"fft/common.wgsl\"

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) invocation: u32,
) {
    let index = workgroup_in_layer(workgroup, workgroups) * WORKGROUP_SIZE + invocation;
    if (index >= IMAGE_LINES * LENGTH) {
        return;
    }
    let line = index / LENGTH;
    let k = index % LENGTH;
    var sum = Element();
    for (var n = 0u; n < LENGTH; n++) {
        sum += times(load_point(workgroup.y, line, n), twiddle(k * n % LENGTH));
    }
    store_point(workgroup.y, line, k, sum);
}
";

impl AlgorithmFile for Toy {
    const DESCRIPTION: &'static str = "a toy: the definition, once more";

    type Parameters = PassParameters;

    fn complete(
        problem: &Problem<'_>,
        given: &PassParameters,
    ) -> Result<PassParameters, Unsupported> {
        Ok(PassParameters {
            twiddles: Some(given.twiddles.unwrap_or(Twiddles::Table)),
            workgroup_size: Some(problem.workgroup_size(given.workgroup_size)?),
        })
    }

    fn program(problem: &Problem<'_>, parameters: &PassParameters) -> Result<Program, Unsupported> {
        let twiddles = parameters.twiddles.unwrap_or(Twiddles::Table);
        let workgroup_size = problem.workgroup_size(parameters.workgroup_size)?;
        let points = problem.descriptor.points() as u32;
        let mut passes = Vec::new();
        for &axis in problem.descriptor.axes.list() {
            passes.push(Pass {
                axis,
                may_be_in_place: false,
                params: Vec::new(),
                extra: Default::default(),
                workgroups: problem.workgroups(points.div_ceil(workgroup_size))?,
                kernel: Box::new(move |ends| {
                    KernelParts {
                        body: WGSL,
                        axis,
                        ends,
                        scales: true,
                        transposes: false,
                        has_params: false,
                        has_chirps: false,
                        has_twists: false,
                        has_ping_pong: false,
                        workgroup_size,
                        workgroup_bytes: 0,
                        split: false,
                        is_in_bounds: false,
                        period: None,
                        length: None,
                        direction: problem.descriptor.direction,
                        twiddles,
                        constants: &[],
                    }
                    .compose(problem)
                }),
            });
        }
        passes::program(problem, twiddles, passes)
    }
}
