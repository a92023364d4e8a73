//! Transforms of any length in double precision on the processor, for tables and as the reference of all
//! other results.

pub use super::roots::{Complex, root_of_unity};

use super::descriptor::Direction;

/// Longest prime length that is transformed by the definition. A longer one becomes a convolution of a power
/// of two of points.
const LARGEST_PRIME: usize = 61;

/// (a + i b) (c + i d)
fn multiply(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

fn conjugate([re, im]: Complex) -> Complex {
    [re, -im]
}

/// Transforms `line` in place, unscaled: X(k) = sum over n of x(n) exp(sign 2 pi i k n / N), with
/// the relative error of a few roundings.
pub fn transform(line: &mut [Complex], direction: Direction) {
    if line.len() > 1 {
        Line::new(line.len(), direction).transform(line);
    }
}

/// The data that transforms of one length share.
#[derive(Clone, Debug)]
pub struct Line {
    length: usize,
    /// exp(sign 2 pi i k / N) for k < N.
    roots: Vec<Complex>,
    /// The factors of the length; the last is transformed first.
    radices: Vec<usize>,
    /// Chirps for the primes among the radices that are too large for the definition.
    chirps: Vec<Chirp>,
}

/// Bluestein's algorithm, which `shaders/fft/chirps.wgsl` explains, for a prime.
#[derive(Clone, Debug)]
struct Chirp {
    prime: usize,
    chirp: Vec<Complex>,
    filter: Vec<Complex>,
    line: Box<Line>,
}

impl Line {
    /// Prepares lines of `length` points, which is at least 1.
    pub fn new(length: usize, direction: Direction) -> Self {
        let roots = (0..length).map(|k| root_of_unity(k, length, direction)).collect();
        let mut radices = primes(length);
        // Pairs of twos are cheaper as fours.
        let twos = radices.iter().filter(|prime| **prime == 2).count();
        radices.retain(|prime| *prime != 2);
        radices.splice(..0, [4].repeat(twos / 2).into_iter().chain([2].repeat(twos % 2)));
        let mut large: Vec<_> = radices.iter().filter(|prime| **prime > LARGEST_PRIME).collect();
        large.dedup();
        let chirps = large.into_iter().map(|prime| Chirp::new(*prime, direction)).collect();
        Self { length, roots, radices, chirps }
    }

    /// Transforms `line` in place.
    ///
    /// # Panics
    /// Panics if the length of `line` differs from the prepared one.
    pub fn transform(&self, line: &mut [Complex]) {
        assert_eq!(line.len(), self.length, "length of the line");
        let mut result = vec![[0.0; 2]; line.len()];
        self.step(&self.radices, line, 1, &mut result);
        line.copy_from_slice(&result);
    }

    /// Writes to `result` the transform of the values of `line` that are `stride` apart: n = a b by
    /// decimation in time, transforms of b values, factors, transforms of a.
    fn step(&self, radices: &[usize], line: &[Complex], stride: usize, result: &mut [Complex]) {
        let Some((&a, radices)) = radices.split_first() else {
            result[0] = line[0];
            return;
        };
        let b = result.len() / a;
        for (i, part) in result.chunks_exact_mut(b).enumerate() {
            self.step(radices, &line[i * stride..], stride * a, part);
        }
        let chirp = self.chirps.iter().find(|chirp| chirp.prime == a);
        let root = |k: usize, n: usize| self.roots[k % n * (self.length / n)];
        let turns: Vec<_> = match chirp {
            Some(_) => Vec::new(),
            None => (0..a).map(|k| root(k, a)).collect(),
        };
        let mut column = vec![[0.0; 2]; a];
        for k in 0..b {
            for (i, value) in column.iter_mut().enumerate() {
                *value = multiply(result[i * b + k], root(i * k, a * b));
            }
            if let Some(chirp) = chirp {
                chirp.transform(&mut column);
                for (m, value) in column.iter().enumerate() {
                    result[m * b + k] = *value;
                }
                continue;
            }
            for m in 0..a {
                let mut sum = [0.0; 2];
                for (i, value) in column.iter().enumerate() {
                    let [re, im] = multiply(*value, turns[i * m % a]);
                    sum = [sum[0] + re, sum[1] + im];
                }
                result[m * b + k] = sum;
            }
        }
    }
}

impl Chirp {
    fn new(prime: usize, direction: Direction) -> Self {
        let turn = 2 * prime as u64;
        let chirp: Vec<Complex> = (0..prime as u64)
            .map(|n| root_of_unity((n * n % turn) as usize, turn as usize, direction))
            .collect();
        let padded = (2 * prime - 1).next_power_of_two();
        let mut filter = vec![[0.0; 2]; padded];
        for (n, value) in chirp.iter().enumerate() {
            filter[n] = conjugate(*value);
            filter[(padded - n) % padded] = conjugate(*value);
        }
        let line = Box::new(Line::new(padded, direction));
        line.transform(&mut filter);
        filter.iter_mut().flatten().for_each(|part| *part /= padded as f64);
        Self { prime, chirp, filter, line }
    }

    fn transform(&self, line: &mut [Complex]) {
        let mut padded = vec![[0.0; 2]; self.filter.len()];
        for ((to, value), c) in padded.iter_mut().zip(&*line).zip(&self.chirp) {
            *to = multiply(*value, *c);
        }
        self.line.transform(&mut padded);
        // The transform back is the conjugate of the transform of the conjugate.
        for (value, factor) in padded.iter_mut().zip(&self.filter) {
            *value = conjugate(multiply(*value, *factor));
        }
        self.line.transform(&mut padded);
        for ((to, value), c) in line.iter_mut().zip(padded).zip(&self.chirp) {
            *to = multiply(conjugate(value), *c);
        }
    }
}

/// The prime factors of `number`, in rising order.
pub(crate) fn primes(mut number: usize) -> Vec<usize> {
    let mut primes = Vec::new();
    let mut prime = 2;
    while prime <= number / prime {
        if number.is_multiple_of(prime) {
            primes.push(prime);
            number /= prime;
        } else {
            prime += 1;
        }
    }
    if number > 1 {
        primes.push(number);
    }
    primes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice as _;
    use crate::lab::{cpu, noise};

    #[test]
    fn every_length_is_the_definition() {
        let lengths = (1..=150).chain([243, 509, 512, 625, 1000, 67 * 71, 4 * 1009]);
        for length in lengths {
            for &direction in Direction::ALL {
                let line: Vec<Complex> =
                    noise(1, length).into_iter().map(|value| value.map(f64::from)).collect();
                let exact = cpu::dft(&line, direction);
                let mut fast = line;
                transform(&mut fast, direction);
                let norm = |values: &mut dyn Iterator<Item = f64>| {
                    values.map(|part| part * part).sum::<f64>().sqrt()
                };
                let differences = fast.as_flattened().iter().zip(exact.as_flattened());
                let error = norm(&mut differences.map(|(a, b)| a - b))
                    / norm(&mut exact.as_flattened().iter().copied());
                // The definition's own roundings grow with its terms.
                assert!(error < 1e-13, "{length} {direction}: {error:.1e}");
            }
        }
    }
}
