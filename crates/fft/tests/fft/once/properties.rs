//! Properties of every Fourier transform, at random sizes, batches and choices.

use proptest::prelude::*;
use seaway_core::choice::Choice as _;
use seaway_fft::lab::{Accuracy, Algorithm, Configuration, cpu};
use seaway_fft::{Axes, Descriptor, Direction, Layout, Normalization, Placement};

use crate::support::{check, gpu, random, run};
use seaway_core::testing::tolerance::{at_most, near};

/// Errors of a transform and of what it is compared with, which is computed from another.
const TOLERANCE: f64 = 2e-6;

/// A transform of at least 2 and at most 2^8 points a side.
fn descriptor() -> impl Strategy<Value = Descriptor> {
    let choice = |count: usize| 0..count;
    (
        (1_u32..=8, 1_u32..=8, 1_u32..=4),
        choice(Algorithm::of_powers_of_two().count()),
        choice(Layout::ALL.len()),
        choice(Placement::ALL.len()),
        choice(Normalization::ALL.len()),
        choice(Direction::ALL.len()),
    )
        .prop_map(|((x, y, batch), algorithm, layout, placement, normalization, direction)| {
            Descriptor {
                size: [1 << x, 1 << y],
                batch,
                direction: Direction::ALL[direction],
                normalization: Normalization::ALL[normalization],
                layout: Layout::ALL[layout],
                placement: Placement::ALL[placement],
                ..Default::default()
            }
            .by(Algorithm::of_powers_of_two().nth(algorithm).unwrap())
        })
}

fn points(descriptor: &Descriptor) -> usize {
    (descriptor.size[0] * descriptor.size[1]) as usize
}

/// Returns the factor that the result is multiplied by.
fn scale(descriptor: &Descriptor) -> f64 {
    Descriptor { axes: Axes::Both, ..descriptor.clone() }.scale()
}

fn close(found: &[[f32; 2]], wanted: &[[f64; 2]], what: &str, descriptor: &Descriptor) {
    let accuracy = Accuracy::of(found, wanted);
    at_most(accuracy.relative_l2, TOLERANCE, format_args!("{what} of {descriptor:?}"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn linearity(descriptor in descriptor(), a in -2.0_f32..2.0, b in -2.0_f32..2.0) {
        let images = random(2 * points(&descriptor), descriptor.batch);
        let (x, y) = images.split_at(images.len() / 2);
        let sum: Vec<_> =
            x.iter().zip(y).map(|(x, y)| [a * x[0] + b * y[0], a * x[1] + b * y[1]]).collect();
        let [x, y] = [x, y].map(|images| run(&descriptor, images));
        let wanted: Vec<_> = x
            .iter()
            .zip(&y)
            .map(|(x, y)| [0, 1].map(|part| {
                f64::from(a) * f64::from(x[part]) + f64::from(b) * f64::from(y[part])
            }))
            .collect();
        // Where a and b nearly cancel, what is left is no measure of the error.
        let found = run(&descriptor, &sum);
        if a.abs().max(b.abs()) > 0.1 {
            close(&found, &wanted, "linearity", &descriptor);
        }
    }

    #[test]
    fn parseval_and_round_trip(descriptor in descriptor()) {
        let points = points(&descriptor);
        let images = random(points, descriptor.batch);
        let spectrum = run(&descriptor, &images);
        let energy = |values: &[[f32; 2]]| -> f64 {
            values.as_flattened().iter().map(|part| f64::from(*part).powi(2)).sum()
        };
        let expected = points as f64 * scale(&descriptor).powi(2);
        for (image, spectrum) in images.chunks(points).zip(spectrum.chunks(points)) {
            let ratio = energy(spectrum) / energy(image) / expected;
            near(ratio, 1.0, TOLERANCE, format_args!("Parseval of {descriptor:?}"));
        }

        let direction = match descriptor.direction {
            Direction::Forward => Direction::Inverse,
            Direction::Inverse => Direction::Forward,
        };
        let back = run(&Descriptor { direction, ..descriptor.clone() }, &spectrum);
        let factor = points as f64 * scale(&descriptor).powi(2);
        let wanted: Vec<_> =
            images.iter().map(|value| value.map(|part| f64::from(part) * factor)).collect();
        close(&back, &wanted, "round trip", &descriptor);
    }

    #[test]
    fn impulse_and_shift(descriptor in descriptor(), x in 0_u32..256, y in 0_u32..256) {
        let [width, height] = descriptor.size;
        let [x, y] = [x % width, y % height];
        let points = points(&descriptor);
        // exp(sign 2 pi i (kx x / width + ky y / height))
        let wave = |index: usize| -> [f64; 2] {
            let (kx, ky) = (index as u32 % width, index as u32 / width);
            let turn = |k: u32, n: u32, length: u32| {
                cpu::root_of_unity((k * n % length) as usize, length as usize, descriptor.direction)
            };
            let ([a, b], [c, d]) = (turn(kx, x, width), turn(ky, y, height));
            [a * c - b * d, a * d + b * c]
        };

        // An impulse in the last image is a plane wave there, and nothing in the others.
        let last = points * (descriptor.batch as usize - 1);
        let mut impulse = vec![[0.0; 2]; points * descriptor.batch as usize];
        impulse[last + (y * width + x) as usize] = [1.0, 0.0];
        let mut wanted = vec![[0.0; 2]; impulse.len()];
        for (index, value) in wanted[last..].iter_mut().enumerate() {
            *value = wave(index).map(|part| part * scale(&descriptor));
        }
        close(&run(&descriptor, &impulse), &wanted, "impulse", &descriptor);

        // A cyclic shift by (x, y) turns each frequency by the same wave.
        let images = random(points, descriptor.batch);
        let shifted: Vec<_> = images
            .chunks(points)
            .flat_map(|image| (0..points as u32).map(move |index| {
                let from_x = (index % width + width - x) % width;
                let from_y = (index / width + height - y) % height;
                image[(from_y * width + from_x) as usize]
            }))
            .collect();
        let wanted: Vec<_> = run(&descriptor, &images)
            .iter()
            .enumerate()
            .map(|(index, value)| {
                let ([c, s], [re, im]) = (wave(index % points), value.map(f64::from));
                [re * c - im * s, re * s + im * c]
            })
            .collect();
        close(&run(&descriptor, &shifted), &wanted, "shift", &descriptor);
    }

    /// Any parameters that an algorithm takes give the right result, and NaN is none.
    #[test]
    fn parameters(
        descriptor in descriptor(),
        numbers in proptest::collection::vec(proptest::option::of(any::<u32>()), 16),
    ) {
        let algorithm = descriptor.algorithm.unwrap().algorithm();
        let mut configuration = Configuration::from(algorithm);
        for (parameter, number) in algorithm.parameters().iter().zip(&numbers) {
            let Some(number) = number else { continue };
            let values = parameter.kind.values();
            let mut changed = configuration;
            changed.set(parameter.name, Some(values[*number as usize % values.len()])).unwrap();
            // Not for this problem, or not beside the others: without it, then.
            if changed.complete(&descriptor, &gpu().capabilities).is_ok() {
                configuration = changed;
            }
        }
        check(&descriptor.by(configuration));
    }
}
