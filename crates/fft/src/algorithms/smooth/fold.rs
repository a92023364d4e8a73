//! The transform of a line of real numbers as a complex one, of half as many points where its length is
//! even: the files that enter and leave the complex line, and their constants. The files
//! `shaders/fft/fold_*.wgsl` have the formulas.

use std::fmt::Write as _;

use crate::algorithms::Twiddles;
use crate::descriptor::{Axis, Direction, Kind, Normalization, Precision};
use crate::program::Problem;
use crate::program::kernel::{Values, literal, turn, uses_table};

/// A real line along one axis, and its complex equivalent.
#[derive(Clone, Debug)]
pub struct Fold {
    /// The length of the real sequence: the points of the line, with their mirror images for a cosine
    /// transform of type I.
    reals: u32,
    pub points: u32,
    pub direction: Direction,
    /// The order of the factors between the two.
    pub period: u32,
    /// The ratio of that order to the order of the factors that combine the halves of a complex line.
    step: u32,
    pub loads: Values,
    pub stores: Values,
    /// The files that enter and leave it; none where memory holds the complex line.
    enters: Vec<&'static str>,
    leaves: Vec<&'static str>,
    /// Whether two results of the complex line together give two of the real one.
    pub pairs: bool,
    /// Whether factors lie between the two, computed or from a table.
    pub has_twists: bool,
    /// Whether neighbours in the line remain neighbours in the complex line, where it is loaded and
    /// where it is stored, so that both have the same start.
    pub in_order: [bool; 2],
    /// The factors of the ends of a line, where it enters and where it leaves.
    edges: [f64; 2],
    eighth: [f64; 2],
}

/// The complex points of the lines along `axis`, fewer than the line's where that is real.
pub(in crate::algorithms) fn length(problem: &Problem<'_>, axis: Axis) -> u32 {
    Fold::of(problem, axis).map_or_else(|| problem.length(axis), |fold| fold.points)
}

/// The direction of the complex lines along `axis`, which differs from the transform's for some real ones.
pub fn direction(problem: &Problem<'_>, axis: Axis) -> Direction {
    let direction = problem.descriptor.direction;
    Fold::of(problem, axis).map_or(direction, |fold| fold.direction)
}

/// The type of a transform along one axis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    ToSpectrum,
    FromSpectrum,
    Cosine(u32),
}

impl Fold {
    /// The fold of the lines along `axis`; none for complex ones.
    pub fn of(problem: &Problem<'_>, axis: Axis) -> Option<Self> {
        let descriptor = problem.descriptor;
        let form = match (descriptor.kind, descriptor.direction, axis) {
            (Kind::Complex, ..) => return None,
            (Kind::Real, Direction::Forward, Axis::Row) => Form::ToSpectrum,
            (Kind::Real, Direction::Inverse, Axis::Row) => Form::FromSpectrum,
            (Kind::Real, ..) => return None,
            (Kind::Dct1, ..) => Form::Cosine(1),
            (Kind::Dct2, Direction::Forward, _) | (Kind::Dct3, Direction::Inverse, _) => {
                Form::Cosine(2)
            }
            (Kind::Dct3, Direction::Forward, _) | (Kind::Dct2, Direction::Inverse, _) => {
                Form::Cosine(3)
            }
            (Kind::Dct4, ..) => Form::Cosine(4),
        };
        let line = problem.length(axis);
        let reals = if form == Form::Cosine(1) { 2 * (line - 1) } else { line };
        let is_even = reals.is_multiple_of(2);
        let points = if is_even { reals / 2 } else { reals };
        let back = matches!(form, Form::FromSpectrum | Form::Cosine(3));
        let period = match form {
            Form::Cosine(2 | 3) => 4 * reals,
            Form::Cosine(4) if is_even => 8 * reals,
            _ => reals,
        };
        let sequence = match form {
            Form::Cosine(1) => "fold_reals_mirrored",
            Form::Cosine(2) => "fold_reals_in_turn",
            Form::Cosine(4) => "fold_reals_of_dct4",
            _ => "fold_reals",
        };
        let bins = match form {
            Form::Cosine(1) => "fold_bins_of_dct1",
            Form::Cosine(2) => "fold_bins_of_dct2",
            Form::Cosine(4) => "fold_bins_of_dct4",
            _ => "fold_bins",
        };
        let (mut enters, mut leaves) = match (back, is_even) {
            (false, true) => (vec![sequence, "fold_enter_even"], vec![bins, "fold_leave_pair"]),
            (false, false) => (vec![sequence, "fold_enter_odd"], vec![bins, "fold_leave_half"]),
            (true, _) => {
                let cosine = form == Form::Cosine(3);
                let spectrum = if cosine { "fold_spectrum_of_dct3" } else { "fold_spectrum" };
                let put = if cosine { "fold_put_reals_in_turn" } else { "fold_put_reals" };
                let [enter, leave] = match is_even {
                    true => ["fold_enter_bins_even", "fold_leave_even"],
                    false => ["fold_enter_bins_odd", "fold_leave_odd"],
                };
                (vec![spectrum, enter], vec![put, leave])
            }
        };
        let mut loads = if form == Form::FromSpectrum { Values::Complex } else { Values::Real };
        let mut stores = if form == Form::ToSpectrum { Values::Complex } else { Values::Real };
        if form == Form::Cosine(4) && is_even {
            (enters, leaves) = (vec!["fold_enter_dct4"], vec!["fold_leave_dct4"]);
        }
        // Neighbours in memory are read together.
        let pairs_lie_together = |view: crate::View, is_given: bool| {
            let [x, others @ ..] = view.strides;
            let even = |number: &u32| number.is_multiple_of(2);
            let whole = even(&view.extent[0]) && even(&view.offset);
            !is_given || x == 1 && others.iter().all(even) && whole
        };
        if is_even && axis == Axis::Row {
            let (input, output) = (descriptor.input, descriptor.output);
            if form == Form::ToSpectrum
                && descriptor.load.is_none()
                && pairs_lie_together(descriptor.input_view(), input.is_some())
            {
                (loads, enters) = (Values::RealPairs, Vec::new());
            }
            if form == Form::FromSpectrum
                && descriptor.store.is_none()
                && pairs_lie_together(descriptor.output_view(), output.is_some())
            {
                (stores, leaves) = (Values::RealPairs, Vec::new());
            }
        }
        let ortho = descriptor.normalization == Normalization::Ortho;
        let root = std::f64::consts::SQRT_2;
        let edges = match form {
            Form::Cosine(1) if ortho => [root, root.recip()],
            Form::Cosine(2) if ortho => [1.0, root.recip()],
            Form::Cosine(3) if ortho => [root, 1.0],
            _ => [1.0; 2],
        };
        let angle = f64::from(line % 8) * std::f64::consts::FRAC_PI_4;
        Some(Self {
            reals,
            points,
            direction: if back { Direction::Inverse } else { Direction::Forward },
            period,
            step: period / reals,
            loads,
            stores,
            pairs: leaves.contains(&"fold_leave_pair"),
            has_twists: is_even || matches!(form, Form::Cosine(2 | 3)),
            in_order: [form == Form::ToSpectrum, form == Form::FromSpectrum],
            enters,
            leaves,
            edges,
            eighth: [angle.cos(), angle.sin()],
        })
    }

    pub fn points_within(&self, extent: u32) -> u32 {
        if self.points < self.reals { extent.div_ceil(2) } else { extent }
    }

    /// The number of used results of the complex line.
    pub fn needed_results(&self) -> u32 {
        match self.leaves.contains(&"fold_leave_half") {
            true => self.points / 2 + 1,
            false => self.points,
        }
    }

    /// The number of pairs of results of a line, where those that are their own partners count with the
    /// first.
    pub fn pair_count(&self) -> u32 {
        self.points.div_ceil(2)
    }

    /// The imports of a kernel that enters the line, leaves it, or both.
    pub fn imports(
        &self,
        enters: bool,
        leaves: bool,
        precision: Precision,
        twiddles: Twiddles,
    ) -> String {
        let mut files: Vec<&str> = Vec::new();
        files.extend(self.enters.iter().filter(|_| enters));
        files.extend(self.leaves.iter().filter(|_| leaves));
        let mut text: String =
            files.iter().map(|file| format!("#import \"fft/{file}.wgsl\"\n")).collect();
        for (name, value) in
            [("REALS", self.reals), ("TWISTS", self.period), ("TWIST_STEP", self.step)]
        {
            writeln!(text, "const {name}: u32 = {value}u;").expect("writing to a string");
        }
        if !uses_table(twiddles) {
            let (whole, rest) = turn(self.period);
            writeln!(text, "const TWIST_TURN: u32 = {whole}u;\nconst TWIST_REST: f32 = {rest:?};")
                .expect("writing to a string");
        }
        let [enter, leave] = self.edges;
        let [cosine, sine] = self.eighth;
        let constants =
            [("EDGE_IN", enter), ("EDGE_OUT", leave), ("COSINE", cosine), ("SINE", sine)];
        for (name, value) in constants {
            let value = literal(value, precision);
            writeln!(text, "const {name}: Real = {value};").expect("writing to a string");
        }
        text
    }

    /// Returns whether the line needs more than loading complex points.
    pub fn enters(&self) -> bool {
        !self.enters.is_empty()
    }

    /// Returns whether the line needs more than storing complex results.
    pub fn leaves(&self) -> bool {
        !self.leaves.is_empty()
    }
}
