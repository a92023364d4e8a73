//! Programs of several dispatches per axis: the choice of the buffers that each reads and writes.

use crate::configuration::Twiddles;
use crate::descriptor::Axis;
use crate::error::Unsupported;
use crate::program::Problem;
use crate::program::kernel::{self, Array, Ends, KernelParts, Load, Store, TableNumbers};
use crate::program::{Dispatch, Kernel, Program, Role, Table};

pub(crate) struct Pass<'a> {
    pub axis: Axis,
    /// Whether its workgroups write only places that they have read before, so that it may store to the
    /// buffer that it loads from.
    pub may_be_in_place: bool,
    /// Whether it stores to a scratch image, and not to a buffer.
    pub stores_to_image: bool,
    pub params: Vec<u32>,
    pub extra: Extra,
    pub workgroups: [u32; 3],
    pub kernel: Box<dyn Fn(Ends) -> Kernel + 'a>,
}

impl<'a> Pass<'a> {
    /// A pass over whole images that needs another buffer to store to, and no parameters.
    pub fn new(axis: Axis, workgroups: [u32; 3], kernel: impl Fn(Ends) -> Kernel + 'a) -> Self {
        Self {
            axis,
            may_be_in_place: false,
            stores_to_image: false,
            params: Vec::new(),
            extra: Extra::default(),
            workgroups,
            kernel: Box::new(kernel),
        }
    }
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Extra {
    /// The array that it loads. One with its own size lies in scratch memory of that size.
    pub loaded: Array,
    /// The array that it stores, like `loaded`.
    pub stored: Array,
    /// The bytes that it reads and writes, where it does not touch all of the images.
    pub moved: [Option<u64>; 2],
    /// The tables that it binds, where they differ from the problem's.
    pub tables: Option<TableNumbers>,
    /// The bytes of each of the two scratch buffers that it works in.
    pub works_in: u64,
}

/// The program that runs `passes` in order, with the problem's tables.
pub(crate) fn program<'a>(
    problem: &'a Problem<'a>,
    twiddles: Twiddles,
    passes: Vec<Pass<'a>>,
) -> Result<Program, Unsupported> {
    program_with(problem, twiddles, kernel::tables(problem, twiddles), passes)
}

/// The program that runs `passes` in order.
///
/// The last writes the output; in between, results go to scratch memory where they are padded or where
/// the next pass could otherwise not write to the output. The first reads the caller's data. With a
/// store hook the last writes nothing, and the output is working memory like the scratch.
pub(crate) fn program_with<'a>(
    problem: &'a Problem<'a>,
    twiddles: Twiddles,
    tables: Vec<Table>,
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
    let mut scratch_bytes = [0; 2];
    for (number, (pass, &destination)) in passes.iter().zip(&destinations).enumerate() {
        let Extra { loaded, stored, moved, tables, works_in } = pass.extra;
        scratch_bytes = scratch_bytes.map(|bytes: u64| bytes.max(works_in));
        let mut ends = Ends { loaded, stored, ..Ends::buffers(source, destination) };
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
        let tables = tables.unwrap_or_else(|| problem.table_numbers(pass.axis));
        dispatches.push(Dispatch {
            kernel: index,
            axis: pass.axis,
            roles: kernel::roles(&kernels[index], source, destination, tables),
            params: pass.params.clone(),
            workgroups: pass.workgroups,
            bytes_read: ends.bytes_read(problem, moved[0]),
            bytes_written: ends.bytes_written(problem, moved[1]),
        });
        let scratch = [Role::Scratch, Role::SecondScratch];
        for (bytes, _) in
            scratch_bytes.iter_mut().zip(scratch).filter(|(_, role)| *role == destination)
        {
            *bytes = stored.scratch_bytes(problem).max(*bytes);
        }
        source = destination;
    }
    let [scratch_bytes, second_scratch_bytes] = scratch_bytes;
    Ok(Program {
        tables,
        scratch_bytes,
        second_scratch_bytes,
        ..Program::new(problem, twiddles, kernels, dispatches)
    })
}

/// The buffer that each pass writes, with as few as possible in scratch memory. `None` where an odd
/// number of passes would have to end where it began. Passes that store to images alternate between two.
fn destinations(first: Role, passes: &[Pass<'_>]) -> Option<Vec<Role>> {
    const WORKING: [Role; 5] =
        [Role::Output, Role::Scratch, Role::SecondScratch, Role::Image(0), Role::Image(1)];
    // The best way to each buffer so far: its uses of scratch memory, where the second buffer counts for
    // more than all uses of the first, and the buffer of each pass.
    let mut ways: [Option<(usize, Vec<Role>)>; 5] = Default::default();
    for (number, pass) in passes.iter().enumerate() {
        let before = ways;
        ways = WORKING.map(|to| {
            // The second buffer is for arrays in scratch memory whose source is in scratch memory, too.
            let is_elsewhere = pass.extra.stored.size.is_some();
            let cost = match to {
                _ if matches!(to, Role::Image(_)) != pass.stores_to_image => return None,
                Role::Output if is_elsewhere => return None,
                Role::SecondScratch if !is_elsewhere => return None,
                Role::Image(number) => number,
                Role::Output => 0,
                Role::Scratch => 1,
                _ => 1 + passes.len(),
            };
            let is_image = pass.stores_to_image;
            let fits = |from: Role| (pass.may_be_in_place && !is_image) || from != to;
            if number == 0 {
                return fits(first).then(|| (cost, vec![to]));
            }
            let came = before.iter().zip(WORKING).filter(|(_, from)| fits(*from));
            let came = came.filter_map(|(way, _)| way.as_ref());
            let (costs, roles) = came.min_by_key(|(costs, _)| *costs)?;
            Some((costs + cost, [&roles[..], &[to]].concat()))
        });
    }
    ways[0].take().map(|(_, roles)| roles)
}

fn copy<'a>(
    problem: &'a Problem<'a>,
    twiddles: Twiddles,
    axis: Axis,
) -> Result<Pass<'a>, Unsupported> {
    let [width, height] = problem.descriptor.size;
    let workgroup_size = problem.workgroup_size(None)?;
    let workgroups = problem.workgroups((width * height).div_ceil(workgroup_size))?;
    Ok(Pass::new(axis, workgroups, move |ends| {
        KernelParts {
            body: "#import \"fft/to_scratch.wgsl\"\n",
            scales: false,
            ..KernelParts::new(problem, axis, ends, twiddles, workgroup_size)
        }
        .compose(problem)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(first: Role, in_place: &[bool]) -> Option<Vec<Role>> {
        let passes: Vec<_> = in_place
            .iter()
            .map(|&may_be_in_place| Pass {
                may_be_in_place,
                ..Pass::new(Axis::Row, [1; 3], |_| unreachable!("nothing is composed"))
            })
            .collect();
        destinations(first, &passes)
    }

    #[test]
    fn padded_arrays_lie_in_scratch_memory() {
        use Role::{Input, Output, Scratch};
        let pass = |may_be_in_place, loaded: bool, stored: bool| Pass {
            may_be_in_place,
            extra: Extra {
                loaded: Array { size: loaded.then_some([8, 1, 1]), ..Array::default() },
                stored: Array { size: stored.then_some([8, 1, 1]), ..Array::default() },
                ..Extra::default()
            },
            ..Pass::new(Axis::Row, [1; 3], |_| unreachable!("nothing is composed"))
        };
        // Forward, in the middle and back along one axis, then along the other.
        let mut passes =
            vec![pass(false, false, true), pass(true, true, true), pass(false, true, false)];
        for first in [Input, Output] {
            let found = destinations(first, &passes);
            assert_eq!(found, Some(vec![Scratch, Scratch, Output]));
        }
        passes.push(pass(true, false, false));
        assert_eq!(destinations(Output, &passes), Some(vec![Scratch, Scratch, Output, Output]));
        passes.push(pass(false, false, true));
        passes.push(pass(false, true, false));
        let roles = destinations(Input, &passes).unwrap();
        assert_eq!(roles[3..], [Output, Scratch, Output]);
    }

    #[test]
    fn passes_end_in_the_output_without_illegal_aliasing() {
        use Role::{Input, Output, Scratch};
        assert_eq!(chain(Input, &[false]), Some(vec![Output]));
        assert_eq!(chain(Output, &[false]), None);
        assert_eq!(chain(Output, &[true]), Some(vec![Output]));
        assert_eq!(chain(Output, &[false, false]), Some(vec![Scratch, Output]));
        assert_eq!(chain(Input, &[true, false]), Some(vec![Scratch, Output]));
        // The pass that could work in place must not here, or the first would have to.
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
