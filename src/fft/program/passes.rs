//! Programs of several dispatches per axis: which buffer each of them reads and writes.

use crate::fft::algorithms::Twiddles;
use crate::fft::descriptor::Axis;
use crate::fft::error::Unsupported;
use crate::fft::program::Problem;
use crate::fft::program::kernel::{self, Ends, KernelParts, Load, Store};
use crate::fft::program::{Dispatch, Kernel, Program, Role};

/// One pass over the data.
pub(in crate::fft) struct Pass<'a> {
    /// The axis that it works on.
    pub axis: Axis,
    /// Its workgroups write only where the same workgroup has read before, so that it may store to
    /// the buffer that it loads from.
    pub may_be_in_place: bool,
    /// Contents of its uniform.
    pub params: Vec<u32>,
    pub workgroups: [u32; 3],
    /// Its kernel.
    pub kernel: Box<dyn Fn(Ends) -> Kernel + 'a>,
}

/// The program that runs `passes` in order.
///
/// They are placed from the last to the first: the last writes the output, a pass that may work in
/// place does, and any other reads scratch memory if it writes the output and the output if it
/// writes scratch memory. The first reads the caller's data wherever that is. With a store hook the
/// last writes nothing, and the output is working memory like the scratch.
pub(in crate::fft) fn program<'a>(
    problem: &'a Problem<'a>,
    twiddles: Twiddles,
    mut passes: Vec<Pass<'a>>,
) -> Result<Program, Unsupported> {
    let first = problem.source();
    let mut destinations = destinations(first, &passes);
    if destinations.is_none() {
        passes.insert(0, copy(problem, twiddles, passes[0].axis)?);
        destinations = self::destinations(first, &passes);
    }
    let destinations = destinations.expect("a copy makes an odd number of passes even");

    let mut kernels: Vec<Kernel> = Vec::new();
    let mut dispatches = Vec::new();
    let mut source = first;
    for (number, (pass, &destination)) in passes.iter().zip(&destinations).enumerate() {
        let mut ends = Ends::buffers(source, destination);
        if number == 0 && problem.descriptor.load.is_some() {
            ends.load = Load::Hook;
        }
        if number + 1 == passes.len() && problem.descriptor.store.is_some() {
            ends.store = Store::Hook;
            if ends.load == Load::Destination {
                ends.load = Load::Source;
            }
        }
        let kernel = (pass.kernel)(ends);
        let index = kernels.iter().position(|known| *known == kernel).unwrap_or_else(|| {
            kernels.push(kernel);
            kernels.len() - 1
        });
        dispatches.push(Dispatch {
            kernel: index,
            axis: pass.axis,
            roles: kernel::roles(&kernels[index], source, destination, problem.table(pass.axis)),
            params: pass.params.clone(),
            workgroups: pass.workgroups,
            bytes_read: ends.bytes_read(problem),
            bytes_written: ends.bytes_written(problem),
        });
        source = destination;
    }
    Ok(Program::new(problem, twiddles, kernels, dispatches))
}

/// Where each pass writes; `None` where an odd number of passes would have to end where it began.
fn destinations(first: Role, passes: &[Pass<'_>]) -> Option<Vec<Role>> {
    let other = |role| if role == Role::Output { Role::Scratch } else { Role::Output };
    let mut destinations = vec![Role::Output; passes.len()];
    for index in (1..passes.len()).rev() {
        let destination = destinations[index];
        destinations[index - 1] =
            if passes[index].may_be_in_place { destination } else { other(destination) };
    }
    if first == destinations[0] && !passes[0].may_be_in_place {
        // Everything before the first pass that works in place changes buffers; that pass then
        // does so too.
        let flexible = passes.iter().position(|pass| pass.may_be_in_place)?;
        destinations[..flexible].iter_mut().for_each(|role| *role = other(*role));
    }
    Some(destinations)
}

/// A pass that only copies.
fn copy<'a>(
    problem: &'a Problem<'a>,
    twiddles: Twiddles,
    axis: Axis,
) -> Result<Pass<'a>, Unsupported> {
    let [width, height] = problem.descriptor.size;
    let workgroup_size = problem.workgroup_size(None)?;
    Ok(Pass {
        axis,
        may_be_in_place: false,
        params: Vec::new(),
        workgroups: problem.workgroups((width * height).div_ceil(workgroup_size))?,
        kernel: Box::new(move |ends| {
            KernelParts {
                body: "#import \"fft/to_scratch.wgsl\"\n",
                axis,
                ends,
                scales: false,
                transposes: false,
                has_params: false,
                workgroup_size,
                workgroup_bytes: 0,
                split: false,
                is_in_bounds: false,
                twiddles,
                constants: &[],
            }
            .compose(problem)
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(first: Role, in_place: &[bool]) -> Option<Vec<Role>> {
        let passes: Vec<_> = in_place
            .iter()
            .map(|&may_be_in_place| Pass {
                axis: Axis::Row,
                may_be_in_place,
                params: Vec::new(),
                workgroups: [1; 3],
                kernel: Box::new(|_| unreachable!("nothing is composed")),
            })
            .collect();
        destinations(first, &passes)
    }

    #[test]
    fn passes_end_in_the_output_and_none_that_must_not_is_in_place() {
        use Role::{Input, Output, Scratch};
        assert_eq!(chain(Input, &[false]), Some(vec![Output]));
        assert_eq!(chain(Output, &[false]), None);
        assert_eq!(chain(Output, &[true]), Some(vec![Output]));
        assert_eq!(chain(Output, &[false, false]), Some(vec![Scratch, Output]));
        assert_eq!(chain(Input, &[true, false]), Some(vec![Scratch, Output]));
        // The pass that could work in place must not here, or the first would.
        assert_eq!(chain(Output, &[false, true]), Some(vec![Scratch, Output]));
        assert_eq!(chain(Input, &[false, true]), Some(vec![Output, Output]));
        for first in [Input, Output] {
            for count in 1..7 {
                for bits in 0..1_u32 << count {
                    let may: Vec<_> = (0..count).map(|index| bits >> index & 1 == 1).collect();
                    let Some(roles) = chain(first, &may) else {
                        assert!(first == Output && count % 2 == 1 && bits == 0);
                        continue;
                    };
                    assert_eq!(roles.last(), Some(&Output));
                    let mut source = first;
                    for (role, may) in roles.into_iter().zip(may) {
                        assert!(may || role != source, "{first:?} {count} {bits:b}");
                        source = role;
                    }
                }
            }
        }
    }
}
