//! Rows and columns of square images in one dispatch, whose workgroups wait for each other in between. A
//! dispatch that depends on the one before costs about a microsecond whatever it does, which is a fourth of
//! the time of small images.

use super::{Shape, Tiles};
use crate::configuration::{RegisterTiledLine, RegisterTiledParameters, Twiddles};
use crate::descriptor::{Axes, Axis};
use crate::error::Unsupported;
use crate::gpu::{Limit, shader};
use crate::program::join::join;
use crate::program::kernel::{self, Ends, Load, Store, TURNS};
use crate::program::{Access, Dispatch, HookLines, Kernel, Problem, Program, Role};

/// How often an invocation looks again at most: as often as a loop may run in Mesa's software driver.
const LOOKS: u32 = 65_535;

/// Checks that `problem` can have one dispatch, and returns the parameters given for both axes together.
pub(super) fn check(
    problem: &Problem<'_>,
    given: &RegisterTiledParameters,
) -> Result<RegisterTiledLine, Unsupported> {
    let descriptor = problem.descriptor;
    let refuse = |expected| Err(problem.refuse("one-dispatch", true, expected));
    if descriptor.axes != Axes::Both || descriptor.size[0] != descriptor.size[1] {
        return refuse("false: the images are not square, or only one axis is transformed");
    }
    if given.tiles == Some(true) {
        return refuse("false with tiles");
    }
    problem.check_coherent()?;
    Ok(shared(&given.row.or(&given.column)))
}

/// The parameters of `line` that both axes must share.
pub(super) fn shared(line: &RegisterTiledLine) -> RegisterTiledLine {
    RegisterTiledLine { exchange_floats: None, padding: None, ..*line }
}

/// Checks that as many invocations of a workgroup transform as many rows as columns.
pub(super) fn check_complete(
    problem: &Problem<'_>,
    RegisterTiledParameters { row, column, .. }: &RegisterTiledParameters,
) -> Result<(), Unsupported> {
    if shared(row) != shared(column) {
        let expected = "false: rows and columns differ in lines, radix, butterflies or split";
        return Err(problem.refuse("one-dispatch", true, expected));
    }
    Ok(())
}

pub(super) fn program(
    problem: &Problem<'_>,
    [rows, columns]: [&Shape; 2],
    parameters: &RegisterTiledParameters,
    twiddles: Twiddles,
) -> Result<Program, Unsupported> {
    // Out of place the input stays as it is, so that another plan can begin again.
    let source = problem.source();
    let mut ends = [Ends::buffers(source, Role::Passed), Ends::buffers(Role::Passed, Role::Output)];
    let descriptor = problem.descriptor;
    // A store hook leaves nobody else to bind the output.
    if source == Role::Output && descriptor.store.is_none() {
        ends[0].load = Load::Destination;
    }
    if descriptor.load.is_some() {
        ends[0].load = Load::Hook;
    }
    if descriptor.store.is_some() {
        ends[1].store = Store::Hook;
    }
    let halves = parameters.half_intermediates == Some(true);
    let moved = halves.then(|| problem.data_bytes() / 2);
    for end in &mut ends {
        end.in_halves = halves;
    }
    let in_turn = parameters.layers_in_turn == Some(true);
    let means = columns.means(Axis::Column, parameters.means);
    // So a workgroup of the columns reads one contiguous range.
    let tiles = Some(Tiles { rows: descriptor.size[1], columns: columns.image_lines() });
    let (row, workgroups) =
        rows.kernel(problem, Axis::Row, ends[0], tiles, in_turn, 0, twiddles)?;
    let (column, of_columns) =
        columns.kernel(problem, Axis::Column, ends[1], tiles, false, means, twiddles)?;
    debug_assert_eq!([workgroups[0], workgroups[2]], [of_columns[0], of_columns[2]]);
    if workgroups[2] > 1 {
        let expected =
            "false: an image takes more workgroups than a dispatch has along one dimension";
        return Err(problem.refuse("one-dispatch", true, expected));
    }

    let label = row.label.replace(" row ", " row, column ");
    let mut module = shader::Module::new(&crate::SHADERS);
    let own = format!(
        "const LOOKS: u32 = {LOOKS}u;\nconst LAYER_WORKGROUPS: u32 = {}u;\n\
         const LAYERS_IN_TURN: u32 = {}u;\n#import \"fft/register_tiled_both.wgsl\"\n",
        workgroups[0],
        of_columns[1] / workgroups[1]
    );
    module.add(&label, &own).expect("the files of shaders/fft are part of the library");
    let (own, parts) = module.composed().into_parts();
    let apart = ["find_place", "transform_line"];
    let wgsl = join(&row.wgsl, &column.wgsl, "column_", &apart) + &own;
    let between = "var<storage, read_write> passed:";
    let mut bindings = row.bindings.clone();
    bindings.extend(column.bindings.iter().filter(|one| !row.bindings.contains(one)));
    bindings.push((TURNS, Access::ReadWrite));
    // Both axes share one array for the exchange where they declare it alike.
    let bytes = [&row, &column].map(|kernel| kernel.workgroup_bytes);
    let is_shared = !wgsl.contains("> column_exchange:");
    let kernel = Kernel {
        label,
        wgsl: wgsl.replace(between, &format!("@coherent {between}")),
        bindings,
        workgroup_bytes: if is_shared { bytes[0] } else { bytes[0] + bytes[1] },
        is_in_bounds: row.is_in_bounds && column.is_in_bounds,
        stores_by_hook: column.stores_by_hook,
        // The lines of the other hook are no longer those of its author.
        hooks: row.hooks.into_iter().chain(column.hooks.into_iter().map(without_lines)).collect(),
        parts: row.parts.of_both(&column.parts).of_both(&parts),
        ..row
    };
    let what = || "a workgroup that transforms both axes".to_owned();
    problem.within(what, Limit::WorkgroupStorage, kernel.workgroup_bytes.into())?;
    // A workgroup that has all of an image waits for itself alone.
    if workgroups[0] > 1 {
        problem.check_waiting(workgroups, &kernel)?;
    }
    let passed_bytes = moved.unwrap_or_else(|| problem.passed_bytes());
    let what = || "the memory in which columns wait for values".to_owned();
    problem.within_buffer(what, passed_bytes)?;
    let dispatch = Dispatch {
        kernel: 0,
        axis: Axis::Row,
        roles: kernel::roles(&kernel, source, Role::Output, problem.table_numbers(Axis::Row)),
        params: Vec::new(),
        workgroups,
        bytes_read: ends[0].bytes_read(problem, moved)
            + ends[1].bytes_read(problem, Some(passed_bytes)),
        bytes_written: ends[0].bytes_written(problem, Some(passed_bytes))
            + ends[1].bytes_written(problem, moved),
    };
    Ok(Program {
        means,
        turns_bytes: 4 * u64::from(workgroups[0] * workgroups[1]),
        passed_bytes,
        ..Program::new(problem, twiddles, vec![kernel], vec![dispatch])
    })
}

fn without_lines(hook: HookLines) -> HookLines {
    HookLines { lines: 0..0, ..hook }
}
