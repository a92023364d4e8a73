//! The chapter of Ukidave, Schirner and Kaeli.

use crate::fft::lab::timing::Regime;
use crate::fft::{Kind, Precision};

use super::super::command::Bench;
use super::super::draw::{BySize, Compared, Drawn, EQUAL, Holds, Verdict, by_size, chart};
use super::{Claim, Figure, doubles, images, of_images, sides};
use crate::bench::Row;

const PAPER: &str = "Ukidave, Schirner and Kaeli, Fast Fourier Transform (FFT) on GPUs (2014)";

pub const FIGURES: &[Figure] = &[
    Figure {
        name: "16.7",
        paper: PAPER,
        number: "Figure 16.7",
        title: "1D transforms in single and double precision, GFLOPS",
        form: "The chapter's kernels of 2, 4 and 8 points work in global memory, as `global-r8` does \
            here. Single and double precision are compared with `best`, each by its own algorithm.",
        claims: &[
            Claim {
                found: "Double precision can affect the speed, compared with single.",
                quote: "Use of double precision data types can affect the execution performance of the \
                    FFT application when compared to using the single precision version.",
                place: "Section 16.4, last paragraph",
            },
            Claim {
                found: "Kernels of 16 and 32 points can be slower on large data, for want of registers.",
                quote: "When using hard-coded FFT kernels (e.g., 16-point and 32-point) for large data \
                    sets, each kernel will require a large number of registers per thread on the GPU. \
                    This can cause a reduction in number of active threads [..] which leads to \
                    degradation in execution performance of the application.",
                place: "Section 16.3, last paragraph but one",
            },
        ],
        commands: |quick| {
            let (most, batch) = if quick { (512, 64) } else { (8192, 4096) };
            let lines = || Bench::lines().size(&doubles(256, most)).batch(&[batch]);
            vec![
                lines().algorithm(&["global-r8", "global-r16", "global-r32", "best"]).into(),
                lines().algorithm(&["best"]).precision(Precision::F64).into(),
            ]
        },
        has_frames: false,
        draw: |m| {
            let line = |name: &'static str, precision: Precision| {
                // Many lines at once, unlike the lines of other figures.
                let has = move |row: &Row| {
                    row.form.dimensions == 1
                        && row.algorithm == name
                        && row.form.precision == precision
                        && row.form.kind == Kind::Complex
                        && row.form.regime == Regime::Hot
                        && row.form.batch >= 64
                };
                by_size(m, has, |figures| Some(figures.gflops))
            };
            let kernels =
                ["global-r8", "global-r16", "global-r32"].map(|name| line(name, Precision::F32));
            let (single, double) = (line("best", Precision::F32), line("best", Precision::F64));
            let chart = chart(
                "Lines: GFLOPS (5 n log2 n operations)",
                ["points of a line", "GFLOPS"],
                &[
                    ("global-r8", &kernels[0]),
                    ("global-r16", &kernels[1]),
                    ("global-r32", &kernels[2]),
                    ("best, single precision", &single),
                    ("best, double precision", &double),
                ],
            )?;
            Some(Drawn {
                chart,
                verdicts: vec![double_costs(&single, &double), large_kernels_degrade(&kernels)],
            })
        },
    },
    Figure {
        name: "16.8",
        paper: PAPER,
        number: "Figure 16.8",
        title: "2D transforms by rows and transposes, GFLOPS",
        form: "The chapter compares 2D transforms, by rows and transposes, with 1D transforms. Here the \
            1D transforms are the rows of the same images by the same kernel.",
        claims: &[Claim {
            found: "The transposes make 2D transforms slower than 1D ones.",
            quote: "We can notice the added overhead of launching the transpose in the kernels for the \
                2D FFT, as compared to the performance of the 1D FFT.",
            place: "Section 16.5",
        }],
        commands: |quick| {
            let sizes = sides(quick);
            vec![
                images(&sizes).algorithm(&["transpose", "stockham-r4", "best"]).into(),
                images(&sizes).algorithm(&["transpose"]).axes().into(),
            ]
        },
        has_frames: false,
        draw: |m| {
            let gflops =
                |name: &'static str| by_size(m, of_images(name), |figures| Some(figures.gflops));
            let [transposed, columns, best] = ["transpose", "stockham-r4", "best"].map(gflops);
            // The rows are half of the operations.
            let rows = by_size(m, of_images("transpose"), |figures| {
                Some(figures.gflops * figures.times.median_us / (2.0 * figures.row_us?))
            });
            let chart = chart(
                "2D transforms: GFLOPS (5 n log2 n operations)",
                ["side of an image", "GFLOPS"],
                &[
                    ("rows alone (1D)", &rows),
                    ("rows and transposes", &transposed),
                    ("rows and columns (stockham-r4)", &columns),
                    ("best", &best),
                ],
            )?;
            Some(Drawn { chart, verdicts: vec![transposes_cost(&rows, &transposed, &columns)] })
        },
    },
];

/// Figure 16.7: GFLOPS in single and double precision.
fn double_costs(single: &BySize, double: &BySize) -> Verdict {
    let compared = Compared::new("GFLOPS in single precision", single, "in double", double);
    let Some(range) = compared.range() else {
        return Verdict::unmeasured(
            "This adapter has no 64-bit floats, or they were not measured.",
        );
    };
    let holds = Holds::of(compared.values.iter().map(|(_, ratio)| *ratio > 1.0 + EQUAL));
    let text =
        format!("Single precision has {range} times the GFLOPS. Twice the bytes alone make 2.");
    Verdict::new(holds, text).beside(compared)
}

/// The warning of section 16.3: GFLOPS of kernels of 8, 16 and 32 points.
fn large_kernels_degrade([eight, sixteen, thirty_two]: &[BySize; 3]) -> Verdict {
    let compared = [("16", sixteen), ("32", thirty_two)].map(|(points, large)| {
        Compared::new("GFLOPS of 8-point kernels", eight, &format!("{points}-point"), large)
    });
    let is_slower = |(_, ratio): &(u64, f64)| *ratio > 1.0 + EQUAL;
    let holds = Holds::of(compared.iter().flat_map(|c| &c.values).map(is_slower));
    if holds == Holds::Unmeasured {
        return Verdict::unmeasured("Kernels of 16 and 32 points were not measured beside 8.");
    }
    let counts = compared.each_ref().map(|compared| {
        let slower = compared.values.iter().filter(|value| is_slower(value)).count();
        format!("{slower} of {}", compared.values.len())
    });
    let text = format!(
        "The kernels of 16 points are slower than those of 8 at {} lengths. Those of 32 points are at \
         {}.",
        counts[0], counts[1]
    );
    compared.into_iter().fold(Verdict::new(holds, text), Verdict::beside)
}

/// Figure 16.8: GFLOPS of rows alone, of rows and transposes, and of rows and columns.
fn transposes_cost(rows: &BySize, transposed: &BySize, columns: &BySize) -> Verdict {
    let compared =
        Compared::new("GFLOPS of rows alone", rows, "of rows and transposes", transposed);
    let beside =
        Compared::new("GFLOPS of rows and columns", columns, "of rows and transposes", transposed);
    let holds = Holds::of(compared.values.iter().map(|(_, ratio)| *ratio > 1.0 + EQUAL));
    let text = match compared.range() {
        Some(range) => format!("Rows alone have {range} times the GFLOPS of the 2D transform."),
        None => "The rows alone, which are the 1D transforms, were not measured.".into(),
    };
    let range = beside.range().map_or(String::new(), |range| {
        format!("Columns in place of the transposes give {range} times the GFLOPS.")
    });
    Verdict::new(holds, text).because(&range).beside(compared).beside(beside)
}

#[cfg(test)]
mod tests {
    use Holds::{InPart, No, Unmeasured, Yes};

    use super::super::tests::doubling;
    use super::*;

    fn line(values: &[f64]) -> BySize {
        doubling(256, values)
    }

    #[test]
    fn double_precision_is_judged_by_gflops() {
        let judge = |double: &[f64]| double_costs(&line(&[4.0, 4.0]), &line(double)).holds;
        assert_eq!(judge(&[2.0, 3.8]), Yes);
        assert_eq!(judge(&[2.0, 4.0]), InPart);
        assert_eq!(judge(&[4.0, 5.0]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }

    #[test]
    fn large_kernels_are_judged_beside_8_points() {
        let judge = |sixteen: &[f64], thirty_two: &[f64]| {
            large_kernels_degrade(&[line(&[4.0, 4.0]), line(sixteen), line(thirty_two)]).holds
        };
        assert_eq!(judge(&[3.0, 3.0], &[2.0, 2.0]), Yes);
        assert_eq!(judge(&[3.0, 3.0], &[2.0, 4.0]), InPart);
        assert_eq!(judge(&[4.0, 5.0], &[4.0, 5.0]), No);
        assert_eq!(judge(&[], &[]), Unmeasured);
    }

    #[test]
    fn transposes_are_judged_beside_rows_alone() {
        let judge = |rows: &[f64]| {
            transposes_cost(&line(rows), &line(&[1.0, 1.0]), &line(&[2.0, 2.0])).holds
        };
        assert_eq!(judge(&[2.0, 1.1]), Yes);
        assert_eq!(judge(&[2.0, 1.0]), InPart);
        assert_eq!(judge(&[0.9, 1.0]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }
}
