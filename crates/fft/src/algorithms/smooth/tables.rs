//! Twiddle factors, the factors between real and complex lines, and chirps, as tables.

use super::fold::{Fold, direction, length};
use super::route::Route;
use crate::algorithms::Twiddles;
use crate::descriptor::{Axis, Direction};
use crate::error::Unsupported;
use crate::exact::{Complex, primes, root_of_unity, transform};
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
            let in_texture = self.twiddles == Twiddles::Texture;
            match in_texture {
                true => self.problem.check_texture(period)?,
                false => self.check(period)?,
            }
            let table = Table::twiddles(period, direction);
            numbers.twiddles = self.add(Table { in_texture, ..table });
            if let Some(fold) = Fold::of(self.problem, axis).filter(|fold| fold.has_twists) {
                self.check(fold.period / 2 + 1)?;
                numbers.twists = self.add(twists(fold.period));
            }
        }
        if let Route::Chirp(sides) = route {
            self.check(length + period)?;
            numbers.chirps = self.add(chirps(length, sides, direction));
        }
        if let Route::Generator(sides) = route {
            self.check(length + period)?;
            numbers.chirps = self.add(powers(length, sides, direction));
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
    Table { label: format!("twists {period}"), values, in_texture: false }
}

/// Bluestein's chirp c(n) = exp(sign pi i n^2 / N) for n < N, then the filter: the transform of
/// conj(c(n)), |n| < N, in M points.
fn chirps(length: u32, sides: &[u32], direction: Direction) -> Table {
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
    let values = chirp.iter().copied().chain(transformed(filter, sides, direction));
    let label = label("chirps", length, sides, direction);
    Table { label, values: values.collect(), in_texture: false }
}

/// Rader's permutation, (g^n mod p, g^-n mod p) for n < p with a generator g of the prime p, then the filter: the
/// transform of exp(sign 2 pi i g^-n / p), |n| < p - 1, in M points.
fn powers(prime: u32, sides: &[u32], direction: Direction) -> Table {
    let others = prime as usize - 1;
    let generator = generator(prime);
    let mut power = 1;
    let mut powers: Vec<u32> = Vec::new();
    for _ in 0..prime {
        powers.push(power);
        power = times(power, generator, prime);
    }
    let inverse = |n: usize| powers[(others - n % others) % others];
    let padded = sides.iter().product::<u32>() as usize;
    let mut filter = vec![[0.0, 0.0]; padded];
    for n in 0..others {
        filter[n] = root_of_unity(inverse(n) as usize, prime as usize, direction);
        filter[(padded - n) % padded] =
            root_of_unity(powers[n] as usize, prime as usize, direction);
    }
    let order = powers.iter().enumerate().map(|(n, power)| [*power, inverse(n)].map(f64::from));
    let values = order.chain(transformed(filter, sides, direction));
    let label = label("powers", prime, sides, direction);
    Table { label, values: values.collect(), in_texture: false }
}

/// a b mod `modulus`.
fn times(a: u32, b: u32, modulus: u32) -> u32 {
    (u64::from(a) * u64::from(b) % u64::from(modulus)) as u32
}

/// The least number whose powers are all of 1 to p - 1 modulo the prime p.
fn generator(prime: u32) -> u32 {
    let others = prime - 1;
    let factors = primes(others as usize);
    let power = |base: u32, exponent: u32| {
        let bits = (0..u32::BITS - exponent.leading_zeros()).rev();
        bits.fold(1, |power, bit| {
            let square = times(power, power, prime);
            if exponent >> bit & 1 == 1 { times(square, base, prime) } else { square }
        })
    };
    let generates =
        |base: &u32| factors.iter().all(|factor| power(*base, others / *factor as u32) != 1);
    (1..prime).find(generates).unwrap_or(1)
}

fn label(what: &str, length: u32, sides: &[u32], direction: Direction) -> String {
    let sides: Vec<_> = sides.iter().map(u32::to_string).collect();
    format!("{what} {length} in {} {direction}", sides.join(" x "))
}

/// The transform of `filter`, over its M points; result k_1 + s_1 k_2 + s_1 s_2 k_3 + .. of it at place
/// ((k_1 s_2 + k_2) s_3 + k_3) .., in the order of the passes over the sides s of M.
fn transformed(
    mut filter: Vec<Complex>,
    sides: &[u32],
    direction: Direction,
) -> impl Iterator<Item = Complex> {
    let padded = filter.len() as f64;
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
    places.into_iter().map(move |k| filter[k].map(|part| part / padded))
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

    #[test]
    fn powers_of_the_generator_are_every_other_point() {
        for prime in [2, 3, 5, 17, 101, 1009, 65_537] {
            let table = powers(prime, &[prime - 1], Direction::Forward);
            assert_eq!(table.values.len(), 2 * prime as usize - 1);
            let powers = &table.values[..prime as usize - 1];
            let mut seen: Vec<_> = powers.iter().map(|[power, _]| *power as u32).collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(1..prime), "{prime}");
            let inverse =
                |[power, inverse]: &[f64; 2]| times(*power as u32, *inverse as u32, prime) == 1;
            assert!(powers.iter().all(inverse), "{prime}");
            // The filter at 0 is the mean of all roots of unity but 1.
            let [re, im] = table.values[prime as usize];
            let mean = -f64::from(prime - 1).recip();
            assert!((re - mean).abs() < 1e-13 && im.abs() < 1e-13, "{prime}: {re} {im}");
        }
        assert_eq!(powers(5, &[4], Direction::Inverse).label, "powers 5 in 4 inverse");
    }
}
