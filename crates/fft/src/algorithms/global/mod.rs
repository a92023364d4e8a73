//! Stockham in global memory, one dispatch per stage, as `global-r8`, `-r16` and `-r32` use it. With a
//! largest radix of 2 or 4 it serves the Stockham algorithms of these radices when stages exchange their
//! results in storage, a dispatch each. The kernels of 8, 4 and 2 points are
//! `shaders/fft/global_8.wgsl`, `global_4.wgsl` and `global_2.wgsl`; those of 16 and 32 are generated.
//!
//! Ukidave, Schirner and Kaeli, Fast Fourier Transform (FFT) on GPUs (2014), section 16.3, weigh larger
//! butterflies, which go over memory less often, against the registers that they take. A butterfly of R
//! points holds them all at once, 2 R floats, and half as many again while it computes: about 24, 48 and
//! 96 registers of 4 bytes for 8, 16 and 32 points, where a GPU has 64 to 255 for an invocation, and
//! fewer invocations at a time the more each takes.

use super::smooth::code::{Code, Term};
use super::{GlobalParameters, Twiddles};
use crate::error::Unsupported;
use crate::gpu::wgsl_struct;
use crate::program::kernel::KernelParts;
use crate::program::passes::{self, Pass};
use crate::program::{Problem, Program};

const LARGEST_BY_HAND: u32 = 8;

wgsl_struct! {
    pub(super) struct GlobalStage {
        pub num_stage: u32,
    }
}

/// Returns the radices of the stages: `max_radix` as often as possible, then the rest.
fn radices(length: u32, max_radix: u32) -> Vec<u32> {
    let (bits, radix_bits) = (length.ilog2(), max_radix.ilog2());
    let mut radices = vec![max_radix; (bits / radix_bits) as usize];
    if !bits.is_multiple_of(radix_bits) {
        radices.push(1 << (bits % radix_bits));
    }
    radices
}

/// Chooses all parameters of the algorithm whose butterflies have at most `largest` points.
pub(super) fn complete(
    problem: &Problem<'_>,
    given: &GlobalParameters,
    largest: u32,
) -> Result<GlobalParameters, Unsupported> {
    problem.check_powers_of_two(2)?;
    problem.check_rounding()?;
    if let Some(radix) = given.radix.filter(|radix| *radix > largest) {
        let expected = format!("a power of two from 2 to {largest}");
        return Err(problem.refuse("radix", radix, expected));
    }
    Ok(GlobalParameters {
        twiddles: Some(problem.twiddles(given.twiddles, Twiddles::Table)?),
        workgroup_size: Some(problem.workgroup_size(given.workgroup_size)?),
        radix: given.radix.or(Some(largest)),
    })
}

fn body(problem: &Problem<'_>, radix: u32) -> String {
    if radix <= LARGEST_BY_HAND {
        return format!("#import \"fft/global_{radix}.wgsl\"\n");
    }
    let mut code = Code::of(problem.descriptor.precision);
    code.line("#import \"fft/global_stage.wgsl\"");
    code.line("");
    code.open("fn transform_points(thread: Thread)");
    let load = |r: u32| match r {
        0 => "load_point(thread.layer, thread.line, thread.gid)".to_owned(),
        _ => format!("load_twiddled(thread, {r}u)"),
    };
    let values: Vec<Term> = (0..radix).map(|r| Term::Value(code.bind(load(r)))).collect();
    let results = code.transform(&values, problem.descriptor.direction);
    for (r, result) in results.iter().enumerate() {
        let Term::Value(value) = result else { unreachable!("nothing is padded") };
        code.line(format!("store_result(thread, {r}u, {value});"));
    }
    code.close();
    code.text
}

pub(super) fn program(
    problem: &Problem<'_>,
    parameters: &GlobalParameters,
) -> Result<Program, Unsupported> {
    let twiddles = parameters.twiddles.unwrap_or(Twiddles::Table);
    let workgroup_size = problem.workgroup_size(parameters.workgroup_size)?;
    let mut passes = Vec::new();
    for &axis in problem.descriptor.axes.list() {
        let length = problem.length(axis);
        let mut num_stage = 1;
        for radix in radices(length, parameters.radix.unwrap_or(LARGEST_BY_HAND)) {
            let threads = problem.image_lines(axis) * (length / radix);
            let is_last = num_stage * radix == length;
            let workgroups = problem.workgroups(threads.div_ceil(workgroup_size))?;
            passes.push(Pass {
                may_be_in_place: is_last,
                params: bytemuck::cast_slice(&[GlobalStage { num_stage }]).to_vec(),
                ..Pass::new(axis, workgroups, move |ends| {
                    KernelParts {
                        body: &body(problem, radix),
                        scales: is_last,
                        has_params: true,
                        constants: &[("KERN_SIZE", radix)],
                        ..KernelParts::new(problem, axis, ends, twiddles, workgroup_size)
                    }
                    .compose(problem)
                })
            });
            num_stage *= radix;
        }
    }
    passes::program(problem, twiddles, passes)
}

/// Declares the algorithm whose butterflies have at most the given number of points.
macro_rules! global {
    ($name:ident, $largest:literal, $description:literal) => {
        use super::AlgorithmFile;
        use super::global;
        use crate::configuration::{GlobalParameters, Kind, Value};
        use crate::error::Unsupported;
        use crate::program::{Problem, Program};

        pub(crate) struct $name;

        impl AlgorithmFile for $name {
            const DESCRIPTION: &'static str = $description;

            type Parameters = GlobalParameters;

            fn complete(
                problem: &Problem<'_>,
                given: &GlobalParameters,
            ) -> Result<GlobalParameters, Unsupported> {
                global::complete(problem, given, $largest)
            }

            fn program(
                problem: &Problem<'_>,
                parameters: &GlobalParameters,
            ) -> Result<Program, Unsupported> {
                global::program(problem, parameters)
            }

            fn space(_: &Problem<'_>) -> Vec<(&'static str, Vec<Value>)> {
                vec![("radix", Kind::PowerOfTwo { min: 4, max: $largest }.values())]
            }
        }
    };
}
pub(super) use global;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Descriptor;
    use crate::lab::Algorithm;

    #[test]
    fn the_radices_of_a_line_multiply_to_its_length() {
        for bits in 1_u32..20 {
            for max_radix in [2_u32, 4, 8, 16, 32] {
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
            crate::lab::program(&descriptor, &crate::gpu::Capabilities::webgpu_defaults()).unwrap();
        seaway_core::testing::assert_layout::<GlobalStage>(&program.kernels[0].wgsl);
    }
}
