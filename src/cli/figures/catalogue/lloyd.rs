//! Of Lloyd, Boyd and Govindaraju's paper.

use seaway::fft::{Kind, Layout};

use super::super::draw::{BySize, Drawn, Holds, Verdict, at, by_size, chart, ratios, side};
use super::{Figure, is_of_images, median};
use crate::cli::bench::row::Row;

const PAPER: &str =
    "Lloyd, Boyd and Govindaraju, Fast computation of general Fourier transforms on GPUs (2008)";

pub const FIGURES: &[Figure] = &[Figure {
    name: "002-8",
    paper: PAPER,
    number: "Figure 8",
    title: "complex and real 2D transforms of powers of two and others",
    found: "sizes that are no powers of two go in steps with the size of the convolution behind them, and real data takes half the time of complex data",
    commands: |quick| {
        let (powers, others) = if quick {
            ("64,128", "60,61,100")
        } else {
            ("256,512,1024,2048", "250,251,500,509,1000,1009")
        };
        let form = "--batch 4 --layout planar --algorithm best";
        ["complex", "real"]
            .map(|kind| format!("bench --size {powers},{others} {form} --kind {kind}"))
            .to_vec()
    },
    draw: |m| {
        let line = |kind: Kind, wanted: fn(u64) -> bool| {
            let has = move |row: &Row| {
                let complex = Row { kind: Kind::Complex, layout: Layout::Pair, ..row.clone() };
                row.algorithm == "best"
                    && row.kind == kind
                    && row.layout == Layout::Planar
                    && is_of_images(&complex)
                    && wanted(side(row))
            };
            by_size(m, has, median)
        };
        let (power, other) = (
            u64::is_power_of_two as fn(u64) -> bool,
            (|n: u64| !n.is_power_of_two()) as fn(u64) -> bool,
        );
        let (complex, real) = (line(Kind::Complex, power), line(Kind::Real, power));
        let (complex_other, real_other) = (line(Kind::Complex, other), line(Kind::Real, other));
        let chart = chart(
            "Four 2D transforms, microseconds",
            ["side of an image", "time [us]"],
            &[
                ("complex, powers of two", &complex),
                ("real, powers of two", &real),
                ("complex, other sizes", &complex_other),
                ("real, other sizes", &real_other),
            ],
        )?;
        let shares = ratios(&real, &complex);
        // A convolution has twice the points and more: with one, a size costs more than the power of
        // two above it.
        let above: BySize = complex_other
            .iter()
            .filter_map(|(n, us)| Some((*n, us / at(&complex, n.next_power_of_two())?)))
            .collect();
        let list = |ratios: &[(u64, f64)]| {
            let list: Vec<_> = ratios.iter().map(|(n, r)| format!("{r:.2} at {n}")).collect();
            list.join(", ")
        };
        let has_convolution = above.iter().map(|(_, ratio)| *ratio > 1.2);
        let is_half = shares.iter().map(|(_, share)| *share < 0.75);
        let verdict = Verdict {
            holds: Holds::of(has_convolution).and(Holds::of(is_half)),
            text: format!(
                "Other sizes take {} of the time of the next power of two: products of small primes need \
                 no convolution here (mixed-radix), primes still do (bluestein). Real data take {} of \
                 the complex time: small ones wait for their dispatches, whatever the bytes.",
                list(&above),
                list(&shares)
            ),
        };
        Some(Drawn { chart, verdict })
    },
}];
