//! Register-tiled transforms of lines of any smooth length (a product of primes up to 13), and of
//! what other lengths are made of: what `mixed-radix`, `four-step` and `bluestein` share.
//!
//! A [`Route`] says in which passes the lines along an axis are transformed. Each pass takes whole
//! lines, or parts of them (`shaders/fft/smooth_line.wgsl` says which), through stages
//! ([`LinePlan`]) between which values cross workgroup memory ([`Slots`]).

mod code;
mod emit;
mod fold;
mod parameters;
mod plan;
mod route;
mod shape;
mod slots;

pub use parameters::{SmoothLine, SmoothParameters};
pub use plan::LinePlan;
pub(in crate::fft) use plan::is_smooth;
pub(super) use route::{Route, chirp, steps};
pub(super) use shape::fits;

use fold::Fold;

use super::{Algorithm, Configuration, Twiddles, Value};
use crate::choice::Choice as _;
use crate::fft::descriptor::{Axis, Direction, Kind, Layout, Precision, View};
use crate::fft::error::Unsupported;
use crate::fft::program::kernel::{Array, KernelParts, Period, TableNumbers, Values, uses_table};
use crate::fft::program::passes::{self, Extra, Pass};
use crate::fft::program::{Problem, Program, Table};
use crate::gpu::Limit;
use emit::{Emission, Stage};
use shape::Shape;

/// The algorithms of this kind.
pub(in crate::fft) const FAMILY: [Algorithm; 3] =
    [Algorithm::MixedRadix, Algorithm::FourStep, Algorithm::Bluestein];

/// The parameters of an algorithm of this kind, to change.
pub(in crate::fft) fn parameters_mut(
    configuration: &mut Configuration,
) -> Option<&mut SmoothParameters> {
    match configuration {
        Configuration::MixedRadix(parameters)
        | Configuration::FourStep(parameters)
        | Configuration::Bluestein(parameters) => Some(parameters),
        _ => None,
    }
}

/// Everything that `parameters` leave open and that is the same in all passes along an axis, chosen.
pub(super) fn complete(
    problem: &Problem<'_>,
    given: &SmoothParameters,
    routes: &[(Axis, Route)],
) -> Result<SmoothParameters, Unsupported> {
    let twiddles = Some(twiddles(problem, given.twiddles)?);
    let mut complete = SmoothParameters { twiddles, ..*given };
    for (axis, route) in routes {
        let parts = parts(problem, *axis, route);
        for part in &parts {
            let shape = Shape::of(problem, part, given.line(*axis))?;
            // Where rows, columns and depths share parameters, the last have theirs.
            if parts.len() == 1 {
                *complete.line_mut(*axis) = shape.parameters();
            }
        }
        if parts.len() > 1 && matches!(route, Route::Chirp(_)) {
            problem.check_rounding()?;
        }
    }
    Ok(complete)
}

/// Where twiddle factors come from: what is given, if it is accurate enough.
fn twiddles(problem: &Problem<'_>, given: Option<Twiddles>) -> Result<Twiddles, Unsupported> {
    match (problem.descriptor.precision, given) {
        // A table's factors cross memory twice as wide as others; their products are as accurate.
        (Precision::F64, None) => Ok(Twiddles::Powers),
        (Precision::F64, Some(twiddles)) if !uses_table(twiddles) => Err(Unsupported::Parameter {
            algorithm: problem.algorithm.clone(),
            parameter: "twiddles",
            value: Value::Name(twiddles.name()),
            expected: "table or powers with 64-bit floats: the others are made of 32-bit ones"
                .into(),
        }),
        (_, given) => Ok(given.unwrap_or(Twiddles::Computed)),
    }
}

/// The program that goes these ways, each axis in turn.
pub(super) fn program(
    problem: &Problem<'_>,
    parameters: &SmoothParameters,
    routes: &[(Axis, Route)],
) -> Result<Program, Unsupported> {
    let twiddles = twiddles(problem, parameters.twiddles)?;
    let mut tables = Tables { problem, twiddles, list: Vec::new() };
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
        let inner = Some(lines * u64::from(points(problem, *axis, route)) * complex_bytes);
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
            };
            passes.push(pass(problem, part, shape, twiddles, extra, finishes)?);
        }
        if let Some(fold) = fold.filter(|_| unfolds) {
            let extra = Extra {
                loaded: between,
                stored: ends[1],
                moved: [inner, outer[1]],
                tables: Some(numbers),
            };
            passes.push(unfold(problem, *axis, fold, twiddles, extra)?);
        }
        arrives = ends[1];
    }
    let list = tables.list;
    passes::program_with(problem, twiddles, list, passes)
}

/// What is worth measuring: how the values of a line are spread over invocations and the lines over
/// workgroups, for each axis.
pub(super) fn space(problem: &Problem<'_>) -> Vec<(&'static str, Vec<Value>)> {
    let numbers = |values: &[u32]| values.iter().copied().map(Value::Number).collect::<Vec<_>>();
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

/// The axes along which there is something to transform: of the others, which have one point, one
/// if all are, for a pass must move the data.
pub(super) fn axes(problem: &Problem<'_>) -> Vec<Axis> {
    let axes = problem.order();
    let changes = |axis: &Axis| problem.length(*axis) > 1 || Fold::of(problem, *axis).is_some();
    let long: Vec<_> = axes.iter().copied().filter(changes).collect();
    if long.is_empty() { axes[..1].to_vec() } else { long }
}

/// Complex points of the lines along `axis`: fewer than they have where they are real.
pub(super) fn length(problem: &Problem<'_>, axis: Axis) -> u32 {
    Fold::of(problem, axis).map_or_else(|| problem.length(axis), |fold| fold.points)
}

/// The direction in which complex lines along `axis` are transformed.
fn direction(problem: &Problem<'_>, axis: Axis) -> Direction {
    let direction = problem.descriptor.direction;
    Fold::of(problem, axis).map_or(direction, |fold| fold.direction)
}

/// Every transformed axis has complex lines whose length is a product of 2, 3, 5, 7, 11 and 13.
pub(super) fn check_smooth(problem: &Problem<'_>) -> Result<(), Unsupported> {
    match axes(problem).into_iter().find(|axis| !is_smooth(length(problem, *axis))) {
        Some(axis) => {
            let algorithm = problem.algorithm.clone();
            Err(Unsupported::Smooth { algorithm, axis, length: problem.length(axis) })
        }
        None => Ok(()),
    }
}

/// Points of the complex lines between the passes of a route.
fn points(problem: &Problem<'_>, axis: Axis, route: &Route) -> u32 {
    match route {
        Route::Chirp(sides) => sides.iter().product(),
        Route::Whole | Route::Steps(_) => length(problem, axis),
    }
}

/// What lies at the ends of an axis, the last one or not: before its first pass and after its last.
fn ends(
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
        output.size = size_of_its_own(problem, output.values, descriptor.spectrum_size())?;
    }
    Ok([input, output])
}

/// `size`, where an array of it cannot lie in the output between two passes.
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
    problem.within(what, Limit::StorageBinding, needed)?;
    problem.within(what, Limit::Buffer, needed)?;
    Ok(Some(size))
}

/// What lies between the passes of a route.
fn between(
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
    size[axis as usize] = points(problem, axis, route);
    // A folded line is entered and left by passes that read what others have written.
    let own = fold.map(|_| size);
    let found = size_of_its_own(problem, Values::Complex, size)?;
    Ok(Array { size: found.or(own), ..Array::default() })
}

/// Bytes of a line where it is entered, and where it is left.
fn outer_bytes(problem: &Problem<'_>, axis: Axis, fold: Option<&Fold>) -> [u64; 2] {
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

/// What a pass loads and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loads {
    Plain,
    Turned,
    Chirped,
}

/// What a pass stores and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stores {
    Plain,
    Turned,
    Reversed,
    Chirped,
}

/// In which direction a pass transforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    There,
    Back,
    /// There, through the filter, and back.
    Both,
}

/// The parts of lines that one pass transforms, in the terms of `smooth_line.wgsl`.
#[derive(Clone, Debug)]
struct Part {
    axis: Axis,
    points: u32,
    before: Vec<u32>,
    after: u32,
    loads: Loads,
    stores: Stores,
    way: Way,
    /// Points of what is a whole line to its passes.
    period: u32,
    /// Complex points of the line.
    length: u32,
    /// The first points of the line, beyond which there are only zeros to load.
    loaded: u32,
    /// The first results of the line, beyond which none is stored.
    stored: u32,
    direction: Direction,
    /// How the lines are real ones, to the passes that enter and leave them.
    fold: Option<Fold>,
    enters: bool,
    leaves: bool,
}

/// The passes of a route. Where they leave results of which two must meet, [`unfold`] follows, unless
/// there is one pass.
fn parts(problem: &Problem<'_>, axis: Axis, route: &Route) -> Vec<Part> {
    let mut parts = parts_of_complex(problem, axis, route);
    let fold = Fold::of(problem, axis);
    let descriptor = problem.descriptor;
    let length = length(problem, axis);
    let last = parts.len() - 1;
    let within = |view: View, in_order: usize| {
        let extent = view.extent[axis as usize];
        match &fold {
            None => extent,
            Some(fold) if fold.in_order[in_order] => fold.points_within(extent).min(length),
            Some(_) => length,
        }
    };
    let loaded = within(descriptor.input_view(), 0);
    let stored = within(descriptor.output_view(), 1);
    let stored = fold.as_ref().map_or(stored, |fold| stored.min(fold.needed_results()));
    parts[0].loaded = loaded;
    parts[last].stored = stored;
    if let Some(fold) = fold {
        parts[0].enters = fold.enters();
        parts[last].leaves = fold.leaves() && !(fold.pairs && last > 0);
        if fold.pairs {
            parts[last].stored = length;
        }
        parts.iter_mut().for_each(|part| part.fold = Some(fold.clone()));
    }
    parts
}

/// The passes of a route on complex lines.
fn parts_of_complex(problem: &Problem<'_>, axis: Axis, route: &Route) -> Vec<Part> {
    let length = length(problem, axis);
    let period = points(problem, axis, route);
    let direction = direction(problem, axis);
    let whole = [length];
    let sides = match route {
        Route::Whole => &whole[..],
        Route::Steps(sides) | Route::Chirp(sides) => sides,
    };
    let last = sides.len() - 1;
    let part = |side: usize, loads, stores, way| Part {
        axis,
        points: sides[side],
        before: sides[..side].to_vec(),
        after: sides[side + 1..].iter().product(),
        loads,
        stores,
        way,
        period,
        length,
        loaded: period,
        stored: period,
        direction,
        fold: None,
        enters: false,
        leaves: false,
    };
    let Route::Chirp(_) = route else {
        let stores = |side| match side == last {
            false => Stores::Turned,
            true if last > 0 => Stores::Reversed,
            true => Stores::Plain,
        };
        return (0..=last).map(|side| part(side, Loads::Plain, stores(side), Way::There)).collect();
    };
    let loads = |side| if side == 0 { Loads::Chirped } else { Loads::Plain };
    let stores = |side| if side == 0 { Stores::Chirped } else { Stores::Plain };
    let mut parts: Vec<_> =
        (0..last).map(|side| part(side, loads(side), Stores::Turned, Way::There)).collect();
    parts.push(part(last, loads(last), stores(last), Way::Both));
    parts.extend((0..last).rev().map(|side| part(side, Loads::Turned, stores(side), Way::Back)));
    parts
}

impl Part {
    /// Results of which two are stored together.
    fn pairs_of(&self) -> Option<u32> {
        let fold = self.fold.as_ref().filter(|fold| self.leaves && fold.pairs);
        fold.map(|fold| fold.points)
    }

    /// Points of a part that are loaded, beyond which there are only zeros.
    fn loaded(&self) -> u32 {
        let line = if self.loads == Loads::Chirped { self.length } else { self.period };
        line.min(self.loaded).div_ceil(self.after).min(self.points)
    }

    /// Results of a part that are stored.
    fn stored(&self) -> u32 {
        let line = if self.stores == Stores::Chirped { self.length } else { self.period };
        let apart = if self.stores == Stores::Reversed { self.before_count() } else { self.after };
        line.min(self.stored).div_ceil(apart).min(self.points)
    }

    /// Parts before this one in the line that neighbour it by `after`.
    fn before_count(&self) -> u32 {
        self.before.iter().product()
    }

    /// Parts of a line.
    fn in_line(&self) -> u32 {
        self.before_count() * self.after
    }

    /// Neighbouring points of the part are neighbours in memory where it is loaded.
    fn loads_along(&self) -> bool {
        self.axis == Axis::Row && self.after == 1
    }

    /// As `loads_along`, where it is stored.
    fn stores_along(&self) -> bool {
        self.loads_along() && self.stores != Stores::Reversed
    }

    fn stages(&self, radices: &[u32]) -> Vec<Stage> {
        let mut stages = Stage::all(radices, self.way == Way::Both);
        if self.way == Way::Back {
            stages.iter_mut().for_each(|stage| stage.back = true);
        }
        stages
    }

    /// What they are called in messages.
    fn name(&self) -> String {
        let Self { axis, .. } = self;
        if self.in_line() == 1 { format!("{axis}(s)") } else { format!("part(s) of a {axis}") }
    }

    /// What the kernel has besides its stages.
    fn imports(&self, precision: Precision, twiddles: Twiddles) -> String {
        let loads = match self.loads {
            Loads::Plain => "smooth_load",
            Loads::Turned => "smooth_load_turned",
            Loads::Chirped => "smooth_load_chirped",
        };
        let stores = match self.stores {
            Stores::Plain => "smooth_store",
            Stores::Turned => "smooth_store_turned",
            Stores::Reversed => "smooth_store_reversed",
            Stores::Chirped => "smooth_store_chirped",
        };
        let stores = match (self.pairs_of(), self.stores) {
            (None, _) => stores,
            (Some(_), Stores::Chirped) => "smooth_finish_chirped",
            (Some(_), _) => "smooth_finish",
        };
        let mut files = vec!["smooth_line", loads, stores];
        files.extend(self.pairs_of().map(|_| "smooth_store_pair"));
        files.extend(self.has_chirps().then_some("chirps"));
        files.extend((self.way == Way::Both).then_some("smooth_filter"));
        files.extend((!self.enters && self.loads != Loads::Turned).then_some("smooth_enter"));
        let leaves_plainly = !self.leaves && self.stores != Stores::Turned;
        files.extend(leaves_plainly.then_some("smooth_leave"));
        let files = files.into_iter();
        let mut text: String = files.map(|file| format!("#import \"fft/{file}.wgsl\"\n")).collect();
        if let Some(fold) = self.fold.as_ref().filter(|_| self.enters || self.leaves) {
            text += &fold.imports(self.enters, self.leaves, precision, twiddles);
        }
        text += "// Which `before` a part has.\nfn before_of(part: u32) -> u32 {\n    return ";
        text += &match self.stores {
            Stores::Reversed => reversed(&self.before),
            _ if self.after == 1 => "part".to_owned(),
            _ => format!("part / {}u", self.after),
        };
        text += ";\n}\n\n";
        text
    }

    fn has_chirps(&self) -> bool {
        self.way == Way::Both || self.loads == Loads::Chirped || self.stores == Stores::Chirped
    }
}

/// The number whose digits, in the mixed radix of `sides`, are those of `part` in reverse.
fn reversed(sides: &[u32]) -> String {
    let mut text = String::new();
    let mut before = 1;
    for (number, side) in sides.iter().enumerate() {
        let digit = match before {
            1 => format!("part % {side}u"),
            _ => format!("part / {before}u % {side}u"),
        };
        text = match number {
            0 => digit,
            _ => format!("({text}) * {side}u + {digit}"),
        };
        before *= side;
    }
    if text.is_empty() { "0u".into() } else { text }
}

fn pass<'a>(
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
        // Its workgroups write the parts that they have read, unless those move or are kept in other
        // places.
        may_be_in_place: part.stores != Stores::Reversed
            && extra.loaded.size == extra.stored.size
            && (part.in_line() == 1 || part.fold.is_none()),
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
            };
            body += &emission.function();
            KernelParts {
                body: &body,
                axis,
                ends,
                scales,
                transposes: false,
                has_params: false,
                has_chirps: part.has_chirps(),
                has_twists: has_twists(&part),
                workgroup_size: lines * plan.lanes,
                workgroup_bytes: shape.workgroup_bytes as u32,
                split: false,
                is_in_bounds: true,
                twiddles,
                period: Some(Period { points: part.period, table_points: part.period }),
                length: Some(part.length),
                direction: part.direction,
                constants: &constants,
            }
            .compose(problem)
        }),
    })
}

fn has_twists(part: &Part) -> bool {
    let fold = part.fold.as_ref().filter(|_| part.enters || part.leaves);
    fold.is_some_and(|fold| fold.has_twists)
}

/// The pass that brings the results of folded lines together in pairs, where the passes before leave
/// them in scratch memory.
fn unfold<'a>(
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
                axis,
                ends,
                scales: true,
                transposes: false,
                has_params: false,
                has_chirps: false,
                has_twists: fold.has_twists,
                workgroup_size,
                workgroup_bytes: 0,
                split: false,
                is_in_bounds: true,
                twiddles,
                period: Some(Period { points: fold.points, table_points: fold.points }),
                length: Some(fold.points),
                direction: fold.direction,
                constants: &[("PAIRS", pairs), ("LINES_OF_IMAGE", lines)],
            }
            .compose(problem)
        }),
    })
}

/// The tables of a program, each once.
struct Tables<'a> {
    problem: &'a Problem<'a>,
    twiddles: Twiddles,
    list: Vec<Table>,
}

impl Tables<'_> {
    fn of(&mut self, axis: Axis, route: &Route) -> Result<TableNumbers, Unsupported> {
        let direction = direction(self.problem, axis);
        let length = length(self.problem, axis);
        let period = points(self.problem, axis, route);
        let mut numbers = TableNumbers::default();
        if uses_table(self.twiddles) {
            self.check(period)?;
            numbers.twiddles = self.add(Table::twiddles(period, direction));
            if let Some(fold) = Fold::of(self.problem, axis).filter(|fold| fold.has_twists) {
                self.check(fold.period / 2 + 1)?;
                numbers.twists = self.add(twists(fold.period));
            }
        }
        if let Route::Chirp(sides) = route {
            self.check(length + period)?;
            numbers.chirps = self.add(chirps(length, sides, direction));
        }
        Ok(numbers)
    }

    /// That a table of so many factors can be bound.
    fn check(&self, factors: u32) -> Result<(), Unsupported> {
        let what = || format!("a table of {factors} factors");
        let needed = 2 * u64::from(self.problem.float_bytes()) * u64::from(factors);
        self.problem.within(what, Limit::StorageBinding, needed)?;
        self.problem.within(what, Limit::Buffer, needed)
    }

    fn add(&mut self, table: Table) -> usize {
        let known = self.list.iter().position(|known| known.label == table.label);
        known.unwrap_or_else(|| {
            self.list.push(table);
            self.list.len() - 1
        })
    }
}

/// exp(-2 pi i k / period) for the first half of a turn, its end included.
fn twists(period: u32) -> Table {
    let table = Table::twiddles(period, Direction::Forward);
    let values = table.values[..=period as usize / 2].to_vec();
    Table { label: format!("twists {period}"), values }
}

/// Bluestein's chirp c(n) = exp(sign pi i n^2 / N) for n < N, then his filter: the transform of
/// conj(c(n)), |n| < N, in M points, over M; result k_1 + s_1 k_2 + s_1 s_2 k_3 + .. of it at place
/// ((k_1 s_2 + k_2) s_3 + k_3) .., where the passes over the sides s of M leave theirs.
fn chirps(length: u32, sides: &[u32], direction: Direction) -> Table {
    use crate::fft::exact::{Complex, root_of_unity, transform};
    let turn = 2 * u64::from(length);
    let chirp: Vec<Complex> = (0..u64::from(length))
        // Of n^2 only what is left of whole turns counts: all of it would be no angle in f64.
        .map(|n| root_of_unity((n * n % turn) as usize, turn as usize, direction))
        .collect();
    let padded = sides.iter().product::<u32>() as usize;
    let mut filter = vec![[0.0, 0.0]; padded];
    for (n, [re, im]) in chirp.iter().copied().enumerate() {
        filter[n] = [re, -im];
        filter[(padded - n) % padded] = [re, -im];
    }
    transform(&mut filter, direction);
    let mut places = vec![0_usize];
    let mut step = 1;
    for side in sides {
        let digits = |place: &usize| {
            let place = *place;
            (0..*side as usize).map(move |digit| place + digit * step)
        };
        places = places.iter().flat_map(digits).collect();
        step *= *side as usize;
    }
    let filter = places.into_iter().map(|k| filter[k].map(|part| part / padded as f64));
    let values = chirp.iter().copied().chain(filter);
    let sides: Vec<_> = sides.iter().map(u32::to_string).collect();
    let label = format!("chirps {length} in {} {direction}", sides.join(" x "));
    Table { label, values: values.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_reversed() {
        assert_eq!(reversed(&[]), "0u");
        assert_eq!(reversed(&[8]), "part % 8u");
        assert_eq!(reversed(&[8, 4]), "(part % 8u) * 4u + part / 8u % 4u");
    }

    #[test]
    fn a_table_of_chirps_says_what_it_is_of() {
        let table = chirps(5, &[4, 3], Direction::Forward);
        assert_eq!(table.values.len(), 5 + 12);
        assert_eq!(table.label, "chirps 5 in 4 x 3 forward");
        // The filter at 0 is the sum of what was transformed, over the points.
        let chirp = &table.values[..5];
        let sum = chirp.iter().skip(1).fold(1.0, |sum, [re, _]| sum + 2.0 * re);
        assert!((table.values[5][0] - sum / 12.0).abs() < 1e-15);
    }
}
