//! Twiddle factors, the factors between real and complex lines, and chirps, as tables.

use super::fold::{Fold, direction, length};
use super::route::Route;
use crate::algorithms::Twiddles;
use crate::descriptor::{Axis, Direction};
use crate::error::Unsupported;
use crate::program::kernel::{TableNumbers, uses_table};
use crate::program::{Problem, Table};

pub struct Tables<'a> {
    problem: &'a Problem<'a>,
    twiddles: Twiddles,
    pub list: Vec<Table>,
}

impl<'a> Tables<'a> {
    pub fn new(problem: &'a Problem<'a>, twiddles: Twiddles) -> Self {
        Self { problem, twiddles, list: Vec::new() }
    }

    pub fn of(&mut self, axis: Axis, route: &Route) -> Result<TableNumbers, Unsupported> {
        let direction = direction(self.problem, axis);
        let length = length(self.problem, axis);
        let period = route.points(self.problem, axis);
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

    /// Checks that a table with the given number of factors can be bound.
    fn check(&self, factors: u32) -> Result<(), Unsupported> {
        let what = || format!("a table of {factors} factors");
        let needed = 2 * u64::from(self.problem.float_bytes()) * u64::from(factors);
        self.problem.within_buffer(what, needed)
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

/// Bluestein's chirp c(n) = exp(sign pi i n^2 / N) for n < N, then the filter: the transform of
/// conj(c(n)), |n| < N, in M points, over M; result k_1 + s_1 k_2 + s_1 s_2 k_3 + .. of it at place
/// ((k_1 s_2 + k_2) s_3 + k_3) .., in the order of the passes over the sides s of M.
fn chirps(length: u32, sides: &[u32], direction: Direction) -> Table {
    use crate::exact::{Complex, root_of_unity, transform};
    let turn = 2 * u64::from(length);
    let chirp: Vec<Complex> = (0..u64::from(length))
        // Only the fraction of turns of n^2 counts, for precision in f64.
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
    fn chirp_tables_have_a_descriptive_label() {
        let table = chirps(5, &[4, 3], Direction::Forward);
        assert_eq!(table.values.len(), 5 + 12);
        assert_eq!(table.label, "chirps 5 in 4 x 3 forward");
        // The filter at 0 is the mean of the transformed values.
        let chirp = &table.values[..5];
        let sum = chirp.iter().skip(1).fold(1.0, |sum, [re, _]| sum + 2.0 * re);
        assert!((table.values[5][0] - sum / 12.0).abs() < 1e-15);
    }
}
