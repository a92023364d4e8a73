//! Of Ukidave, Schirner and Kaeli's chapter.

use seaway::fft::lab::timing::Regime;
use seaway::fft::{Kind, Precision};

use super::super::draw::{Drawn, Holds, Verdict, by_size, chart, ratios};
use super::{Figure, of_images};
use crate::cli::bench::row::Row;

const PAPER: &str = "Ukidave, Schirner and Kaeli, Fast Fourier Transform (FFT) on GPUs (2014)";

pub const FIGURES: &[Figure] = &[
    Figure {
        name: "16.7",
        paper: PAPER,
        number: "Figure 16.7",
        title: "1D transforms in single and double precision, GFLOPS",
        found: "double precision costs a good part of the speed of single",
        commands: |quick| {
            let (sizes, batch) =
                if quick { ("256,512,1024", 64) } else { ("256,512,1024,2048,4096,8192", 4096) };
            let form = format!("--dimensions 1 --size {sizes} --batch {batch} --algorithm");
            vec![
                format!("bench {form} global-r8,global-r16,global-r32,best"),
                format!("bench {form} best --precision f64"),
            ]
        },
        draw: |m| {
            let line = |name: &'static str, precision: Precision| {
                // Many lines at once, and none of what other figures ask for.
                let has = move |row: &Row| {
                    row.dimensions == 1
                        && row.algorithm == name
                        && row.precision == precision
                        && row.kind == Kind::Complex
                        && row.regime == Regime::Hot
                        && row.batch >= 64
                };
                by_size(m, has, |figures| Some(figures.gflops))
            };
            let (eight, sixteen, thirty_two) = (
                line("global-r8", Precision::F32),
                line("global-r16", Precision::F32),
                line("global-r32", Precision::F32),
            );
            let (single, double) = (line("best", Precision::F32), line("best", Precision::F64));
            let chart = chart(
                "Lines: GFLOPS (5 n log2 n operations)",
                ["points of a line", "GFLOPS"],
                &[
                    ("global-r8", &eight),
                    ("global-r16", &sixteen),
                    ("global-r32", &thirty_two),
                    ("best, single precision", &single),
                    ("best, double precision", &double),
                ],
            )?;
            let verdict = match double.is_empty() {
                true => Verdict {
                    holds: Holds::Unmeasured,
                    text: "This adapter has no 64-bit floats, or they were not measured.".into(),
                },
                false => {
                    let slower = ratios(&single, &double);
                    let list: Vec<_> =
                        slower.iter().map(|(n, r)| format!("{r:.2} at {n}")).collect();
                    Verdict {
                        holds: Holds::of(slower.iter().map(|(_, ratio)| *ratio > 1.03)),
                        text: format!(
                            "Single precision is {} times as fast; twice the bytes make 2.",
                            list.join(", ")
                        ),
                    }
                }
            };
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "16.8",
        paper: PAPER,
        number: "Figure 16.8",
        title: "2D transforms by rows and transposes, GFLOPS",
        found: "the transposes cost: a 2D transform by them is slower than its lines alone would be",
        commands: |quick| {
            let sizes = if quick { "64,128" } else { "128,256,512,1024,2048" };
            vec![format!(
                "bench --size {sizes} --batch 4 --layout pair --algorithm transpose,stockham-r4,best"
            )]
        },
        draw: |m| {
            let gflops =
                |name: &'static str| by_size(m, of_images(name), |figures| Some(figures.gflops));
            let (transposed, columns, best) =
                (gflops("transpose"), gflops("stockham-r4"), gflops("best"));
            let chart = chart(
                "2D transforms: GFLOPS (5 n log2 n operations)",
                ["side of an image", "GFLOPS"],
                &[
                    ("rows and transposes", &transposed),
                    ("rows and columns (stockham-r4)", &columns),
                    ("best", &best),
                ],
            )?;
            let gained = ratios(&columns, &transposed);
            let list: Vec<_> = gained.iter().map(|(n, r)| format!("{r:.2} at {n}")).collect();
            let verdict = Verdict {
                holds: Holds::of(gained.iter().map(|(_, ratio)| *ratio > 1.03)),
                text: format!(
                    "By columns in place of transposes there are {} times the GFLOPS.",
                    list.join(", ")
                ),
            };
            Some(Drawn { chart, verdict })
        },
    },
];
