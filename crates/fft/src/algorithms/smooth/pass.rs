//! Passes, with their kernels and numbers of workgroups.

use super::emit::Emission;
use super::fold::Fold;
use super::part::{Loads, Part, Stores, Transforms};
use super::shape::Shape;
use crate::algorithms::Twiddles;
use crate::descriptor::Axis;
use crate::error::Unsupported;
use crate::program::Problem;
use crate::program::kernel::{KernelParts, Period};
use crate::program::passes::{Extra, Pass};

pub fn pass<'a>(
    problem: &'a Problem<'a>,
    part: Part,
    shape: Shape,
    twiddles: Twiddles,
    extra: Extra,
    scales: bool,
) -> Result<Pass<'a>, Unsupported> {
    let (axis, count) = (part.axis, problem.image_lines(part.axis) * part.in_line());
    Ok(Pass {
        axis,
        // Its workgroups write the parts that they have read, unless those move or change their layout.
        may_be_in_place: part.stores != Stores::Reversed
            && extra.loaded.size == extra.stored.size
            && (part.in_line() == 1
                || part.fold.is_none()
                    && part.loads != Loads::Permuted
                    && part.stores != Stores::Permuted),
        stores_to_image: false,
        params: Vec::new(),
        extra,
        workgroups: problem.workgroups(count.div_ceil(shape.lines))?,
        kernel: Box::new(move |ends| {
            let Shape { plan, stages, lines, exchange_floats, slots, .. } = &shape;
            let mut body = part.imports(problem.descriptor.precision, twiddles);
            let mut constants = vec![
                ("LINES", *lines),
                ("LANES", plan.lanes),
                ("COUNT", count),
                ("RAGGED", u32::from(!count.is_multiple_of(*lines))),
                ("PARTS", part.in_line()),
                ("PART", part.points),
                ("BEFORE", part.before_count()),
                ("AFTER", part.after),
            ];
            if let Some([loaded, stored]) = part.first {
                constants.extend([("FIRST_LOADED", loaded), ("FIRST_STORED", stored)]);
            }
            if plan.lanes > 1 && stages.len() > 1 {
                let exchanged = match exchange_floats {
                    1 => "Real",
                    2 => "vec2<Real>",
                    _ => "vec4<Real>",
                };
                body += "#import \"fft/smooth_exchange.wgsl\"\n";
                body += "// What crosses workgroup memory at a time.\n";
                body += &format!("alias Exchanged = {exchanged};\n\n");
                constants.extend([
                    ("LINE_SLOTS", slots.line_slots),
                    ("LINES_ABREAST", slots.lines_abreast),
                ]);
            }
            body += &format!("// {plan}\n");
            let emission = Emission {
                points: part.points,
                lanes: plan.lanes,
                stages,
                slots,
                direction: part.direction,
                precision: problem.descriptor.precision,
                element_floats: problem.descriptor.layout.element_floats(),
                exchange_floats: *exchange_floats,
                twiddles,
                period: part.period,
                loaded: part.loaded(),
                stored: part.stored(),
                loads_along: part.loads_along(),
                stores_along: part.stores_along(),
                pairs_of: part.pairs_of(),
                first: part.first.map(|_| part.transforms == Transforms::Both),
            };
            body += &emission.function();
            KernelParts {
                body: &body,
                scales,
                has_chirps: part.has_chirps(),
                has_twists: has_twists(&part),
                workgroup_bytes: shape.workgroup_bytes as u32,
                is_in_bounds: true,
                period: Some(Period { points: part.period, table_points: part.period }),
                length: Some(part.length),
                direction: part.direction,
                constants: &constants,
                ..KernelParts::new(problem, axis, ends, twiddles, lines * plan.lanes)
            }
            .compose(problem)
        }),
    })
}

fn has_twists(part: &Part) -> bool {
    let fold = part.fold.as_ref().filter(|_| part.enters || part.leaves);
    fold.is_some_and(|fold| fold.has_twists)
}

/// The pass that combines the results of folded lines in pairs, after other passes have left them in
/// scratch memory.
pub fn unfold<'a>(
    problem: &'a Problem<'a>,
    axis: Axis,
    fold: Fold,
    twiddles: Twiddles,
    extra: Extra,
) -> Result<Pass<'a>, Unsupported> {
    let lines = problem.image_lines(axis);
    let workgroup_size = problem.workgroup_size(None)?;
    let pairs = fold.pair_count();
    Ok(Pass {
        axis,
        may_be_in_place: false,
        stores_to_image: false,
        params: Vec::new(),
        extra,
        workgroups: problem.workgroups(lines.saturating_mul(pairs).div_ceil(workgroup_size))?,
        kernel: Box::new(move |ends| {
            let body = format!(
                "#import \"fft/smooth_pairs.wgsl\"\n{}",
                fold.imports(false, true, problem.descriptor.precision, twiddles)
            );
            KernelParts {
                body: &body,
                has_twists: fold.has_twists,
                is_in_bounds: true,
                period: Some(Period { points: fold.points, table_points: fold.points }),
                length: Some(fold.points),
                direction: fold.direction,
                constants: &[("PAIRS", pairs), ("LINES_OF_IMAGE", lines)],
                ..KernelParts::new(problem, axis, ends, twiddles, workgroup_size)
            }
            .compose(problem)
        }),
    })
}
