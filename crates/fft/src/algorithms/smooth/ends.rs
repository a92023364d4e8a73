//! The arrays at the ends of an axis and between its passes, in the caller's buffers or in scratch memory.

use super::fold::Fold;
use super::route::Route;
use crate::descriptor::{Axis, Kind, View};
use crate::error::Unsupported;
use crate::program::Problem;
use crate::program::kernel::{Array, Values};

/// The bytes of a memory transaction.
const SECTOR_BYTES: u32 = 32;

/// The arrays before the first pass of an axis and after its last.
pub fn ends(
    problem: &Problem<'_>,
    axis: Axis,
    fold: Option<&Fold>,
    is_last: bool,
) -> Result<[Array; 2], Unsupported> {
    let descriptor = problem.descriptor;
    let side = |values: Values, view: View, size: [u32; 3]| {
        let extent = view.extent[axis as usize];
        let whole = extent == size[axis as usize];
        let extent = if values == Values::RealPairs { extent / 2 } else { extent };
        Array { size: None, values, extent: (!whole).then_some(extent) }
    };
    let [loads, stores] = fold.map_or([Values::Complex; 2], |fold| [fold.loads, fold.stores]);
    let input = side(loads, descriptor.input_view(), descriptor.input_size());
    let mut output = side(stores, descriptor.output_view(), descriptor.output_size());
    if !is_last {
        let own = |size| size_of_its_own(problem, output.values, size);
        let sizes = [spectrum_in_scratch(problem), descriptor.spectrum_size()];
        output.size = own(sizes[0]).or_else(|_| own(sizes[1]))?;
    }
    Ok([input, output])
}

/// The size of a spectrum between passes. Rows of half a spectrum have an odd number of values and begin
/// anywhere in a memory sector: between two buffers they go through a third, in which each begins a sector.
fn spectrum_in_scratch(problem: &Problem<'_>) -> [u32; 3] {
    let descriptor = problem.descriptor;
    let [width, height, depth] = descriptor.spectrum_size();
    let elements = (SECTOR_BYTES / descriptor.element_bytes()).max(1);
    match descriptor.kind == Kind::Real && !problem.is_in_place() {
        true => [width.next_multiple_of(elements), height, depth],
        false => [width, height, depth],
    }
}

/// Returns `size` where such an array does not fit the output between two passes.
fn size_of_its_own(
    problem: &Problem<'_>,
    values: Values,
    size: [u32; 3],
) -> Result<Option<[u32; 3]>, Unsupported> {
    let descriptor = problem.descriptor;
    let is_whole = descriptor.output_view().extent == descriptor.output_size();
    // In place, the rows of real numbers are as long as those of their spectrum.
    let alike = (values == Values::Complex) != descriptor.stores_reals()
        || descriptor.kind == Kind::Real && problem.is_in_place();
    if is_whole && alike && size == descriptor.spectrum_size() {
        return Ok(None);
    }
    let needed = problem.bytes_of(size);
    let what = || {
        let [width, height, depth] = size;
        let layers = problem.layers();
        format!("scratch memory for {layers} layer(s) of {width} x {height} x {depth} points")
    };
    problem.within_index(what, needed)?;
    problem.within_buffer(what, needed)?;
    Ok(Some(size))
}

/// The array between the passes of a route.
pub fn between(
    problem: &Problem<'_>,
    axis: Axis,
    route: &Route,
    fold: Option<&Fold>,
    passes: usize,
) -> Result<Array, Unsupported> {
    if passes == 1 {
        return Ok(Array::default());
    }
    let mut size = problem.descriptor.spectrum_size();
    size[axis as usize] = route.points_between(problem, axis);
    // Other passes enter and leave folded lines than those that transform them.
    let own = fold.map(|_| size);
    let found = size_of_its_own(problem, Values::Complex, size)?;
    Ok(Array { size: found.or(own), ..Array::default() })
}

/// The bytes of a line where it enters and where it leaves.
pub fn outer_bytes(problem: &Problem<'_>, axis: Axis, fold: Option<&Fold>) -> [u64; 2] {
    let descriptor = problem.descriptor;
    let [loads, stores] = fold.map_or([Values::Complex; 2], |fold| [fold.loads, fold.stores]);
    let complex = descriptor.element_bytes();
    let bytes = |values: Values, view: View| {
        let element =
            if values == Values::Complex { complex } else { descriptor.precision.bytes() };
        u64::from(view.extent[axis as usize]) * u64::from(element)
    };
    [bytes(loads, descriptor.input_view()), bytes(stores, descriptor.output_view())]
}
