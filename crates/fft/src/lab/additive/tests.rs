use rand::{RngExt as _, SeedableRng as _};

use super::basis::{Linearized, span};
use super::*;
use crate::descriptor::Direction;

/// Random elements of `field`.
pub(super) fn random(field: &Field, count: usize, seed: u64) -> Vec<u32> {
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    (0..count).map(|_| random.random_range(0..field.size())).collect()
}

fn fields() -> impl Iterator<Item = Field> {
    (1..=MAX_DEGREE).map(|degree| Field::new(degree).unwrap())
}

pub(super) fn product_by_definition(field: &Field, a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut product = vec![0; a.len() + b.len() - 1];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            product[i + j] ^= field.multiply(*a, *b);
        }
    }
    product
}

#[test]
fn powers_of_x_are_all_elements_but_zero() {
    for field in fields() {
        let mut powers = field.powers[..field.powers.len() / 2].to_vec();
        powers.sort_unstable();
        assert!(powers.into_iter().eq(1..field.size()), "{}", field.degree());
    }
}

#[test]
fn products_are_those_of_polynomials_modulo_the_primitive_one() {
    for field in fields() {
        for pair in random(&field, 200, 1).chunks_exact(2) {
            let [a, b] = [pair[0], pair[1]];
            let mut product = (0..16).fold(0, |sum, i| sum ^ ((a << i) * (b >> i & 1)));
            for bit in (field.degree()..32).rev() {
                product ^= (field.modulus() << (bit - field.degree())) * (product >> bit & 1);
            }
            assert_eq!(field.multiply(a, b), product);
            assert_eq!(field.multiply(a, field.invert(a)), u32::from(a != 0));
        }
    }
}

#[test]
fn the_basis_is_cantors_as_far_as_the_field_allows() {
    for field in fields() {
        let (basis, degree) = (Basis::new(&field), field.degree());
        let (elements, cantor) = (basis.elements(), basis.cantor_dimension() as usize);
        assert_eq!(elements.len(), degree as usize);
        assert_eq!(cantor, 1 << degree.trailing_zeros());
        for pair in elements[..cantor].windows(2) {
            assert_eq!(field.multiply(pair[1], pair[1]) ^ pair[1], pair[0]);
        }
        let mut points = span(elements);
        assert!((0..).zip(&points).all(|(index, point)| basis.point(index) == *point));
        points.sort_unstable();
        assert!(points.into_iter().eq(0..field.size()), "{degree}");
    }
}

#[test]
fn linearized_polynomials_vanish_on_the_spans() {
    for field in fields() {
        let basis = Basis::new(&field);
        let mut s = Linearized::first();
        for (i, beta) in basis.elements().iter().enumerate().take(9) {
            let zeros: Vec<u32> = (0..field.size()).filter(|x| s.at(&field, *x) == 0).collect();
            let mut expected = span(&basis.elements()[..i]);
            expected.sort_unstable();
            assert_eq!(zeros, expected);
            if i < basis.cantor_dimension() as usize {
                assert_eq!(s.at(&field, *beta), 1);
                // Binomial coefficients modulo 2.
                let terms: Vec<_> = s.lower_terms().collect();
                let odd = (0..i as u32).filter(|d| d & !(i as u32) == 0).map(|d| (d, 1));
                assert_eq!(terms, odd.collect::<Vec<_>>());
            }
            s = s.next(&field, *beta);
        }
    }
}

#[test]
fn transforms_are_evaluations_at_every_point() {
    for field in fields() {
        let basis = Basis::new(&field);
        for bits in 0..=field.degree() {
            let length = 1_usize << bits;
            let mut impulse = vec![0; length];
            impulse[length - 1] = field.size() - 1;
            for polynomial in [random(&field, length, bits.into()), impulse] {
                // All points of short lines, and some of long ones.
                let points = (0..length).step_by((length / 512).max(1) | 1);
                let expected: Vec<(usize, u32)> = points
                    .map(|i| (i, field.evaluate(&polynomial, basis.point(i as u32))))
                    .collect();
                let mut results = Vec::new();
                for &method in Method::ALL {
                    let transform = Transform::new(&field, method, bits).unwrap();
                    let mut line = polynomial.clone();
                    transform.transform(&mut line, Direction::Forward).unwrap();
                    for (i, value) in &expected {
                        assert_eq!(line[*i], *value, "{method:?} 2^{bits} of {}", field.degree());
                    }
                    results.push(line.clone());
                    transform.transform(&mut line, Direction::Inverse).unwrap();
                    assert_eq!(line, polynomial, "{method:?} 2^{bits} of {}", field.degree());
                }
                assert_eq!(results[0], results[1]);
            }
        }
    }
}

#[test]
fn transforms_are_linear() {
    for field in fields() {
        for &method in Method::ALL {
            let transform = Transform::new(&field, method, field.degree().min(7)).unwrap();
            let of = |mut line: Vec<u32>| {
                transform.transform(&mut line, Direction::Forward).unwrap();
                line
            };
            let [a, b] = [1, 2].map(|seed| random(&field, transform.length(), seed));
            let combine = |a: &[u32], b: &[u32]| -> Vec<u32> {
                let factor = field.size() - 1;
                a.iter().zip(b).map(|(a, b)| field.multiply(factor, *a) ^ b).collect()
            };
            assert_eq!(of(combine(&a, &b)), combine(&of(a), &of(b)));
        }
    }
}

#[test]
fn operations_follow_the_formulas_of_cantors_basis() {
    for field in [4, 8, 16].map(|degree| Field::new(degree).unwrap()) {
        for k in 1..=u64::from(field.degree()) {
            let n = 1 << k;
            let count = |method| Transform::new(&field, method, k as u32).unwrap().operations();
            let [cantor, new] = [Method::WangZhuCantor, Method::GaoMateer].map(count);
            let terms: u64 = (0..k).map(|i| (1 << i.count_ones()) - 1).sum();
            assert_eq!(cantor.multiplications, n * k / 2 + 1 - n);
            assert_eq!(cantor.additions, n * k + 1 - n + n / 2 * terms);
            assert_eq!(new.multiplications, cantor.multiplications);
            assert!(new.additions <= cantor.additions);
            if k.is_power_of_two() {
                assert_eq!(terms, 3_u64.pow(k.ilog2()) - k);
                assert_eq!(new.additions, n * k + 1 - n + n * k * u64::from(k.ilog2()) / 4);
            }
        }
    }
}

#[test]
fn products_are_those_by_definition() {
    for field in fields() {
        for &method in Method::ALL {
            let bits = field.degree().min(9);
            let transform = Transform::new(&field, method, bits).unwrap();
            for lengths in
                [[1, transform.length()], [transform.length() / 2, transform.length() / 2 + 1]]
            {
                let [a, b] = lengths.map(|length| random(&field, length, length as u64));
                let product = transform.multiply(&a, &b).unwrap();
                assert_eq!(product, product_by_definition(&field, &a, &b));
            }
        }
    }
}

#[test]
fn errors_name_the_sizes() {
    let message = |error: AdditiveError| error.to_string();
    assert_eq!(
        message(Field::new(17).unwrap_err()),
        "there are fields of 2^m elements for m from 1 to 16, and m is 17"
    );
    let field = Field::new(4).unwrap();
    let new = |bits| Transform::new(&field, Method::GaoMateer, bits);
    assert_eq!(
        message(new(5).unwrap_err()),
        "a line of 32 values needs as many points, and GF(2^4) has 16 elements"
    );
    assert!(new(u32::MAX).is_err());
    let transform = new(3).unwrap();
    assert_eq!(
        message(transform.multiply(&[1; 5], &[1; 5]).unwrap_err()),
        "the product has 9 coefficients, and the transform's lines have 8"
    );
    assert!(transform.multiply(&[], &[1]).unwrap().is_empty());
    assert_eq!(
        message(transform.transform(&mut [0; 4], Direction::Forward).unwrap_err()),
        "the transform takes lines of 8 values, and this one has 4"
    );
    assert_eq!(
        message(transform.transform(&mut [16; 8], Direction::Inverse).unwrap_err()),
        "16 is no element of GF(2^4), whose elements are below 16"
    );
}
