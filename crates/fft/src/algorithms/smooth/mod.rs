//! Register-tiled transforms of lines of any smooth length (a product of primes up to 13), and of the
//! parts of other lengths, as `mixed-radix`, `four-step`, `bluestein` and `rader` use them.
//!
//! A [`Route`] lists the passes of the lines along an axis. Each pass takes whole lines, or parts of
//! them (`shaders/fft/smooth_line.wgsl` says which), through stages ([`LinePlan`]) between which values
//! cross workgroup memory ([`Slots`]).

pub(super) mod code;
mod emit;
mod ends;
mod fold;
mod part;
mod pass;
mod plan;
mod room;
mod route;
mod shape;
mod slots;
mod stage;
mod tables;

pub use plan::LinePlan;
pub(crate) use plan::is_smooth;
pub(super) use room::fits;
pub(super) use route::{Route, chirp, generator, steps};

use ends::{between, ends, outer_bytes};
use fold::Fold;
pub(super) use fold::length;
use part::parts;
use pass::{pass, unfold};
use shape::Shape;
use tables::Tables;

use crate::configuration::{Algorithm, Configuration, SmoothParameters, Twiddles, Value};
use crate::descriptor::{Axis, Layout, Precision};
use crate::error::Unsupported;
use crate::program::kernel::Array;
use crate::program::passes::{self, Extra};
use crate::program::{Problem, Program};

/// Declares an algorithm whose lines go by its function `routes`.
macro_rules! smooth_algorithm {
    ($name:ident, $description:literal $(, $constant:ident = $value:expr)?) => {
        pub(crate) struct $name;

        impl $crate::algorithms::AlgorithmFile for $name {
            const DESCRIPTION: &'static str = $description;

            const IS_GENERAL: bool = true;

            $( const $constant: bool = $value; )?

            type Parameters = $crate::algorithms::SmoothParameters;

            fn complete(
                problem: &$crate::program::Problem<'_>,
                given: &Self::Parameters,
            ) -> Result<Self::Parameters, $crate::error::Unsupported> {
                smooth::complete(problem, given, &routes(problem)?)
            }

            fn program(
                problem: &$crate::program::Problem<'_>,
                parameters: &Self::Parameters,
            ) -> Result<$crate::program::Program, $crate::error::Unsupported> {
                smooth::program(problem, parameters, &routes(problem)?)
            }

            fn space(
                problem: &$crate::program::Problem<'_>,
            ) -> Vec<(&'static str, Vec<$crate::algorithms::Value>)> {
                smooth::space(problem)
            }
        }
    };
}
pub(super) use smooth_algorithm;

pub(crate) const FAMILY: [Algorithm; 4] =
    [Algorithm::MixedRadix, Algorithm::FourStep, Algorithm::Bluestein, Algorithm::Rader];

pub(crate) fn parameters_mut(configuration: &mut Configuration) -> Option<&mut SmoothParameters> {
    match configuration {
        Configuration::MixedRadix(parameters)
        | Configuration::FourStep(parameters)
        | Configuration::Bluestein(parameters)
        | Configuration::Rader(parameters) => Some(parameters),
        _ => None,
    }
}

/// Chooses the open `parameters` that are the same in all passes along an axis.
pub(super) fn complete(
    problem: &Problem<'_>,
    given: &SmoothParameters,
    routes: &[(Axis, Route)],
) -> Result<SmoothParameters, Unsupported> {
    let twiddles = Some(twiddles(problem, given.twiddles)?);
    let mut complete = SmoothParameters { twiddles, ..*given };
    // Columns and depths share parameters, but each reduces them to the limits by itself.
    let across = routes.iter().filter(|(axis, _)| *axis != Axis::Row).count();
    for (axis, route) in routes {
        let parts = parts(problem, *axis, route);
        for part in &parts {
            let shape = Shape::of(problem, part, given.line(*axis))?;
            if parts.len() == 1 && (*axis == Axis::Row || across == 1) {
                *complete.line_mut(*axis) = shape.parameters();
            }
        }
        if parts.len() > 1 && matches!(route, Route::Chirp(_) | Route::Generator(_)) {
            problem.check_rounding()?;
        }
    }
    Ok(complete)
}

/// The source of twiddle factors: the given one, if it is accurate enough.
fn twiddles(problem: &Problem<'_>, given: Option<Twiddles>) -> Result<Twiddles, Unsupported> {
    match (problem.descriptor.precision, given) {
        // Table factors need twice the memory traffic; their products are as accurate.
        (Precision::F64, None) => Ok(Twiddles::Powers),
        (Precision::F64, Some(twiddles @ (Twiddles::Table | Twiddles::Powers))) => Ok(twiddles),
        (Precision::F64, Some(twiddles)) => Err(problem.refuse(
            "twiddles",
            twiddles,
            "table or powers with 64-bit floats: the others have 32 bits",
        )),
        (_, given) => Ok(given.unwrap_or(Twiddles::Computed)),
    }
}

/// The program of the given routes, one axis after another.
pub(super) fn program(
    problem: &Problem<'_>,
    parameters: &SmoothParameters,
    routes: &[(Axis, Route)],
) -> Result<Program, Unsupported> {
    let twiddles = twiddles(problem, parameters.twiddles)?;
    let mut tables = Tables::new(problem, twiddles);
    let mut passes = Vec::new();
    let mut arrives = Array::default();
    for (number_of_axis, (axis, route)) in routes.iter().enumerate() {
        let parts = parts(problem, *axis, route);
        let fold = Fold::of(problem, *axis);
        let numbers = tables.of(*axis, route)?;
        let between = between(problem, *axis, route, fold.as_ref(), parts.len())?;
        let ends = ends(problem, *axis, fold.as_ref(), number_of_axis + 1 == routes.len())?;
        let unfolds = parts.len() > 1 && fold.as_ref().is_some_and(|fold| fold.pairs);
        let last = parts.len() - 1;
        let lines = u64::from(problem.image_lines(*axis)) * u64::from(problem.layers());
        let complex_bytes = u64::from(problem.descriptor.element_bytes());
        let inner = Some(lines * u64::from(route.points_between(problem, *axis)) * complex_bytes);
        let outer = outer_bytes(problem, *axis, fold.as_ref()).map(|bytes| Some(lines * bytes));
        for (number, part) in parts.into_iter().enumerate() {
            let shape = Shape::of(problem, &part, parameters.line(*axis))?;
            let (begins, finishes) = (number == 0, number == last && !unfolds);
            let loaded = Array { size: arrives.size, ..ends[0] };
            let extra = Extra {
                loaded: if begins { loaded } else { between },
                stored: if finishes { ends[1] } else { between },
                moved: [
                    if begins { outer[0] } else { inner },
                    if finishes { outer[1] } else { inner },
                ],
                tables: Some(numbers),
                works_in: 0,
            };
            passes.push(pass(problem, part, shape, twiddles, extra, finishes)?);
        }
        if let Some(fold) = fold.filter(|_| unfolds) {
            let extra = Extra {
                loaded: between,
                stored: ends[1],
                moved: [inner, outer[1]],
                tables: Some(numbers),
                works_in: 0,
            };
            passes.push(unfold(problem, *axis, fold, twiddles, extra)?);
        }
        arrives = ends[1];
    }
    let list = tables.list;
    passes::program_with(problem, twiddles, list, passes)
}

/// The parameters worth measuring: for each axis, the values of an invocation and the lines of a workgroup.
pub(super) fn space(problem: &Problem<'_>) -> Vec<(&'static str, Vec<Value>)> {
    let numbers = |values: &[u32]| values.iter().copied().map(Value::Integer).collect::<Vec<_>>();
    let floats: &[u32] = match problem.descriptor.layout {
        Layout::Planar => &[1, 2],
        Layout::Pair => &[1, 2, 4],
    };
    let mut space = Vec::new();
    for &axis in problem.descriptor.axes.list() {
        let [radix, values, lines, exchange] = match axis {
            Axis::Row => ["row-radix", "row-values", "row-lines", "row-exchange"],
            Axis::Column | Axis::Depth => {
                ["column-radix", "column-values", "column-lines", "column-exchange"]
            }
        };
        let line_counts: &[u32] = match axis {
            Axis::Row => &[1, 2, 4],
            Axis::Column | Axis::Depth => &[2, 4, 8, 16],
        };
        space.push((radix, numbers(&[8, 12, 16, 32])));
        space.push((values, numbers(&[8, 16, 24, 32])));
        space.push((lines, numbers(line_counts)));
        space.push((exchange, numbers(floats)));
    }
    space
}

/// The axes with more than one point, or one axis if there are none, since a pass must move the data.
pub(super) fn axes(problem: &Problem<'_>) -> Vec<Axis> {
    let axes = problem.order();
    let changes = |axis: &Axis| problem.length(*axis) > 1 || Fold::of(problem, *axis).is_some();
    let long: Vec<_> = axes.iter().copied().filter(changes).collect();
    if long.is_empty() { axes[..1].to_vec() } else { long }
}

/// Checks that every transformed axis has complex lines whose length is a product of 2, 3, 5, 7, 11 and 13.
pub(super) fn check_smooth(problem: &Problem<'_>) -> Result<(), Unsupported> {
    match axes(problem).into_iter().find(|axis| !is_smooth(length(problem, *axis))) {
        Some(axis) => {
            let algorithm = problem.algorithm.clone();
            Err(Unsupported::Smooth { algorithm, axis, length: problem.length(axis) })
        }
        None => Ok(()),
    }
}
