//! Lines of every kind in double precision, each by a complex transform.

use seaway::fft::lab::cpu::{self, Complex, root_of_unity};
use seaway::fft::{Axes, Direction, Kind};

use super::stages;

/// The transforms, not scaled, of `rows` of `length` points (of [`Kind::Real`] on the real side),
/// one after the other. Cosine transforms are of the type that `kind` names, whatever the direction.
pub fn rows(kind: Kind, direction: Direction, length: usize, rows: &[f64]) -> Vec<f64> {
    let [components, _] = stages::components(kind, direction);
    let [points, _] = stages::points(kind, direction, length);
    let lines = rows.chunks_exact(points * components);
    match (kind, direction) {
        (Kind::Complex, _) => by(
            lines,
            length,
            direction,
            |line| line.as_chunks().0.to_vec(),
            |line| line.as_flattened().to_vec(),
        ),
        (Kind::Real, Direction::Forward) => by(lines, length, direction, complex, |line| {
            line[..length / 2 + 1].as_flattened().to_vec()
        }),
        (Kind::Real, Direction::Inverse) => {
            by(lines, length, direction, |half| whole(half.as_chunks().0, length), real)
        }
        // The even sequence of 2 (N - 1) points of which the line is one half.
        (Kind::Dct1, _) => by(
            lines,
            2 * (length - 1),
            Direction::Forward,
            |line| {
                [complex(line), line[1..length - 1].iter().rev().map(to_complex).collect()].concat()
            },
            |line| real(&line[..length]),
        ),
        // J. Makhoul, "A fast cosine transform in one and two dimensions", 1980: the even points,
        // then the odd ones backwards, and a quarter of a turn over the spectrum.
        (Kind::Dct2, _) => {
            let turns = turns(length, 4 * length, |k| k, Direction::Forward);
            let sorted = |line: &[f64]| {
                let (even, odd) = (line.iter().step_by(2), line.iter().skip(1).step_by(2));
                even.map(to_complex).chain(odd.rev().map(to_complex)).collect()
            };
            by(lines, length, Direction::Forward, sorted, |line| twice_real(line, &turns))
        }
        // The same backwards.
        (Kind::Dct3, _) => {
            let turns = turns(length, 4 * length, |k| k, Direction::Inverse);
            let turned = |line: &[f64]| {
                let mirrored = |k: usize| if k == 0 { 0.0 } else { line[length - k] };
                (0..length).map(|k| product([line[k], -mirrored(k)], turns[k])).collect()
            };
            let place = |n: usize| if n.is_multiple_of(2) { n / 2 } else { length - 1 - n / 2 };
            by(lines, length, Direction::Inverse, turned, |line| {
                (0..length).map(|n| line[place(n)][0]).collect()
            })
        }
        // (2 k + 1) (2 n + 1) = 4 k n + 2 n + (2 k + 1): a transform of 2 N points, half of them
        // zero, between two turns.
        (Kind::Dct4, _) => {
            let before = turns(length, 4 * length, |n| n, Direction::Forward);
            let after = turns(length, 8 * length, |k| 2 * k + 1, Direction::Forward);
            let turned = |line: &[f64]| {
                let turned = line.iter().zip(&before);
                let mut turned: Vec<_> =
                    turned.map(|(value, turn)| turn.map(|part| value * part)).collect();
                turned.resize(2 * length, [0.0; 2]);
                turned
            };
            by(lines, 2 * length, Direction::Forward, turned, |line| {
                twice_real(&line[..length], &after)
            })
        }
    }
}

/// Makes complex lines of `length` points by `before`, transforms them all, and makes the result of
/// each by `after`.
fn by<'a>(
    lines: impl ExactSizeIterator<Item = &'a [f64]>,
    length: usize,
    direction: Direction,
    before: impl Fn(&[f64]) -> Vec<Complex>,
    after: impl Fn(&[Complex]) -> Vec<f64>,
) -> Vec<f64> {
    let count = lines.len();
    let mut image = Vec::with_capacity(count * length);
    lines.for_each(|line| image.extend(before(line)));
    cpu::transform(&mut image, [length as u32, count as u32], Axes::Rows, direction)
        .expect("that many lines of that length");
    image.chunks_exact(length).flat_map(after).collect()
}

/// A line of `length` points with this half of its spectrum. The imaginary parts of the first and,
/// of an even length, the middle one are taken for 0, as NumPy does.
fn whole(half: &[Complex], length: usize) -> Vec<Complex> {
    let real = |[re, _]: Complex| [re, 0.0];
    (0..length)
        .map(|k| match k {
            0 => real(half[0]),
            _ if 2 * k == length => real(half[k]),
            _ if 2 * k < length => half[k],
            _ => {
                let [re, im] = half[length - k];
                [re, -im]
            }
        })
        .collect()
}

/// exp(sign 2 pi i step(k) / n) for k below `count`.
fn turns(
    count: usize,
    n: usize,
    step: impl Fn(usize) -> usize,
    direction: Direction,
) -> Vec<Complex> {
    (0..count).map(|k| root_of_unity(step(k), n, direction)).collect()
}

fn to_complex(value: &f64) -> Complex {
    [*value, 0.0]
}

fn complex(line: &[f64]) -> Vec<Complex> {
    line.iter().map(to_complex).collect()
}

fn real(line: &[Complex]) -> Vec<f64> {
    line.iter().map(|[re, _]| *re).collect()
}

fn product(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// Twice the real parts of the products.
fn twice_real(line: &[Complex], turns: &[Complex]) -> Vec<f64> {
    line.iter().zip(turns).map(|(value, turn)| 2.0 * product(*value, *turn)[0]).collect()
}
