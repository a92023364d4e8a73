use super::fold::{Fold, direction, length};
use super::route::Route;
use super::stage::Stage;
use crate::algorithms::Twiddles;
use crate::descriptor::{Axis, Direction, Precision, View};
use crate::program::Problem;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loads {
    Plain,
    Turned,
    Chirped,
    /// In the order of a generator's powers.
    Permuted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    Plain,
    Turned,
    Reversed,
    Chirped,
    Permuted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transforms {
    Forward,
    Inverse,
    /// Forward, through the filter, and inverse.
    Both,
}

/// The parts of lines that one pass transforms, in the terms of `smooth_line.wgsl`.
#[derive(Clone, Debug)]
pub struct Part {
    pub axis: Axis,
    pub points: u32,
    pub before: Vec<u32>,
    pub after: u32,
    pub loads: Loads,
    pub stores: Stores,
    pub transforms: Transforms,
    /// The points of a whole line for its passes.
    pub period: u32,
    pub length: u32,
    /// The first points of the line, beyond which all are zero.
    pub loaded: u32,
    /// The first results of the line, beyond which none is stored.
    pub stored: u32,
    pub direction: Direction,
    /// The places, loaded and stored, of the point that is no power of a generator.
    pub first: Option<[u32; 2]>,
    /// The fold of real lines, for the passes that enter and leave them.
    pub fold: Option<Fold>,
    pub enters: bool,
    pub leaves: bool,
}

/// The passes of a route. Where two of their results must be combined, [`unfold`] follows, unless there
/// is one pass.
pub fn parts(problem: &Problem<'_>, axis: Axis, route: &Route) -> Vec<Part> {
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
    // Permuted points can be anywhere.
    if !matches!(route, Route::Generator(_)) {
        parts[0].loaded = loaded;
        parts[last].stored = stored;
    }
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

fn parts_of_complex(problem: &Problem<'_>, axis: Axis, route: &Route) -> Vec<Part> {
    let length = length(problem, axis);
    let period = route.points(problem, axis);
    let direction = direction(problem, axis);
    let whole = [length];
    let sides = match route {
        Route::Whole => &whole[..],
        Route::Steps(sides) | Route::Chirp(sides) | Route::Generator(sides) => sides,
    };
    let last = sides.len() - 1;
    let part = |side: usize, loads, stores, transforms| Part {
        axis,
        points: sides[side],
        before: sides[..side].to_vec(),
        after: sides[side + 1..].iter().product(),
        loads,
        stores,
        transforms,
        period,
        length,
        loaded: period,
        stored: period,
        direction,
        first: None,
        fold: None,
        enters: false,
        leaves: false,
    };
    let (first_loads, last_stores) = match route {
        Route::Generator(_) => (Loads::Permuted, Stores::Permuted),
        _ => (Loads::Chirped, Stores::Chirped),
    };
    if matches!(route, Route::Whole | Route::Steps(_)) {
        let stores = |side| match side == last {
            false => Stores::Turned,
            true if last > 0 => Stores::Reversed,
            true => Stores::Plain,
        };
        return (0..=last)
            .map(|side| part(side, Loads::Plain, stores(side), Transforms::Forward))
            .collect();
    }
    let loads = |side| if side == 0 { first_loads } else { Loads::Plain };
    let stores = |side| if side == 0 { last_stores } else { Stores::Plain };
    let mut parts: Vec<_> = (0..last)
        .map(|side| part(side, loads(side), Stores::Turned, Transforms::Forward))
        .collect();
    parts.push(part(last, loads(last), stores(last), Transforms::Both));
    parts.extend(
        (0..last).rev().map(|side| part(side, Loads::Turned, stores(side), Transforms::Inverse)),
    );
    if let Route::Generator(_) = route {
        let end = parts.len() - 1;
        for (number, part) in parts.iter_mut().enumerate() {
            let place = |is_outside| if is_outside { 0 } else { period };
            part.first = Some([place(number == 0), place(number == end)]);
        }
    }
    parts
}

impl Part {
    pub fn pairs_of(&self) -> Option<u32> {
        let fold = self.fold.as_ref().filter(|fold| self.leaves && fold.pairs);
        fold.map(|fold| fold.points)
    }

    /// The points of a part that are loaded. The others are zero.
    pub fn loaded(&self) -> u32 {
        let line = match self.loads {
            Loads::Chirped => self.length,
            Loads::Permuted => self.length - 1,
            Loads::Plain | Loads::Turned => self.period,
        };
        line.min(self.loaded).div_ceil(self.after).min(self.points)
    }

    pub fn stored(&self) -> u32 {
        let line = match self.stores {
            Stores::Chirped => self.length,
            Stores::Permuted => self.length - 1,
            Stores::Plain | Stores::Turned | Stores::Reversed => self.period,
        };
        let apart = if self.stores == Stores::Reversed { self.before_count() } else { self.after };
        line.min(self.stored).div_ceil(apart).min(self.points)
    }

    pub fn before_count(&self) -> u32 {
        self.before.iter().product()
    }

    pub fn in_line(&self) -> u32 {
        self.before_count() * self.after
    }

    /// Returns whether neighbouring points of the part are neighbours in memory where it is loaded.
    pub fn loads_along(&self) -> bool {
        self.axis == Axis::Row && self.after == 1
    }

    /// Returns whether neighbouring points of the part are neighbours in memory where it is stored.
    pub fn stores_along(&self) -> bool {
        self.loads_along() && self.stores != Stores::Reversed
    }

    pub fn stages(&self, radices: &[u32]) -> Vec<Stage> {
        let mut stages = Stage::all(radices, self.transforms == Transforms::Both);
        if self.transforms == Transforms::Inverse {
            stages.iter_mut().for_each(|stage| stage.back = true);
        }
        stages
    }

    pub fn name(&self) -> String {
        let Self { axis, .. } = self;
        if self.in_line() == 1 { format!("{axis}(s)") } else { format!("part(s) of a {axis}") }
    }

    /// The imports of the kernel besides its stages.
    pub fn imports(&self, precision: Precision, twiddles: Twiddles) -> String {
        let loads = match self.loads {
            Loads::Plain => "smooth_load",
            Loads::Turned => "smooth_load_turned",
            Loads::Chirped => "smooth_load_chirped",
            Loads::Permuted => "smooth_load_permuted",
        };
        let stores = match self.stores {
            Stores::Plain => "smooth_store",
            Stores::Turned => "smooth_store_turned",
            Stores::Reversed => "smooth_store_reversed",
            Stores::Chirped => "smooth_store_chirped",
            Stores::Permuted => "smooth_store_permuted",
        };
        let stores = match (self.pairs_of(), self.stores) {
            (None, _) => stores,
            (Some(_), Stores::Chirped) => "smooth_finish_chirped",
            (Some(_), _) => "smooth_finish",
        };
        let mut files = vec!["smooth_line", loads, stores];
        files.extend(self.pairs_of().map(|_| "smooth_store_pair"));
        let table = if self.first.is_some() { "powers" } else { "chirps" };
        files.extend(self.has_chirps().then_some(table));
        files.extend((self.transforms == Transforms::Both).then_some("smooth_filter"));
        files.extend(self.first.map(|_| match self.transforms {
            Transforms::Both => "smooth_first_joins",
            Transforms::Forward | Transforms::Inverse => "smooth_first_follows",
        }));
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

    pub fn has_chirps(&self) -> bool {
        self.transforms == Transforms::Both
            || matches!(self.loads, Loads::Chirped | Loads::Permuted)
            || matches!(self.stores, Stores::Chirped | Stores::Permuted)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_reversed() {
        assert_eq!(reversed(&[]), "0u");
        assert_eq!(reversed(&[8]), "part % 8u");
        assert_eq!(reversed(&[8, 4]), "(part % 8u) * 4u + part / 8u % 4u");
    }
}
