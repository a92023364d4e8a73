//! The paper of Govindaraju, Lloyd, Dotsenko, Smith and Manferdelli.

use crate::fft::lab::timing::Regime;

use super::super::draw::{BySize, Compared, Drawn, Holds, Verdict, by_size, chart, faster, side};
use super::{Claim, Figure, thesis_chart, time};
use crate::bench::Row;

const PAPER: &str = "Govindaraju, Lloyd, Dotsenko, Smith and Manferdelli, High Performance Discrete \
    Fourier Transforms on Graphics Processors (2008)";

pub const FIGURES: &[Figure] = &[
    Figure {
        name: "004-radix",
        paper: PAPER,
        number: "Sections IV-A and IV-B",
        title: "registers and shared memory against global memory, and larger radices",
        form: "Four images are transformed by Stockham of radix 2 to 16, in registers and workgroup \
            memory. Radix 8 also goes through global memory at every stage.",
        claims: &[
            Claim {
                found: "Registers and shared memory are substantially faster than global memory.",
                quote: "we can perform the entire FFT using only shared memory and registers without \
                    writing intermediate results back to global memory. This can result in substantial \
                    performance improvements.",
                place: "Section IV-B",
            },
            Claim {
                found: "The radix should be as large as registers and shared memory allow.",
                quote: "it is best to use a radix R that is as large as possible. However, the size of \
                    R is limited by the number of registers and the size of the shared memory on the \
                    multiprocessors.",
                place: "Section IV-A, on the FFT in global memory",
            },
        ],
        commands: |quick| {
            let sizes = if quick { "64,128" } else { "128,256,512,1024,2048" };
            vec![format!(
                "bench --size {sizes} --batch 4 --layout pair --algorithm stockham-r2,stockham-r4,stockham-r8,stockham-r16,global-r8"
            )]
        },
        has_frames: false,
        draw: |m| {
            let lines = ["stockham-r2", "stockham-r4", "stockham-r8", "stockham-r16", "global-r8"];
            let times = lines.map(|name| time(m, name));
            let named: Vec<_> = lines.iter().copied().zip(&times).collect();
            let chart = thesis_chart("Four 2D transforms by radix and memory", &named)?;
            let [two, four, eight, sixteen, global] = &times;
            let verdicts = vec![
                faster("radix 8 in global memory", global, "radix 8 in registers", eight),
                larger_radices([two, four, eight, sixteen]),
            ];
            Some(Drawn { chart, verdicts })
        },
    },
    Figure {
        name: "004-hierarchy",
        paper: PAPER,
        number: "Section IV-C",
        title: "lines past one workgroup's memory: the hierarchical transform",
        form: "The times of lines are those over a copy of the same bytes, from memory and not from \
            caches. Lines of more than 16,384 points fit no workgroup's memory.",
        claims: &[
            Claim {
                found: "Lines that no workgroup holds are made of FFTs that one does.",
                quote: "The hierarchical FFT computes the FFT of a large sequence by combining FFTs of \
                    subsequences that are small enough to be handled in shared memory.",
                place: "Section IV-C",
            },
            Claim {
                found: "Transposes that are part of the FFTs save time.",
                quote: "We reduce the memory transpose overheads in hierarchical algorithms by \
                    combining the transposes",
                place: "Abstract",
            },
        ],
        commands: |quick| {
            let (sizes, points) = if quick {
                (&[1024_u32, 4096, 16_384][..], 1 << 16)
            } else {
                (&[1024, 4096, 16_384, 65_536, 262_144, 1 << 20][..], 1 << 24)
            };
            sizes
                .iter()
                .map(|n| format!("bench --dimensions 1 --size {n} --batch {} --regime streaming --algorithm best,four-step", points / n))
                .collect()
        },
        has_frames: false,
        draw: |m| {
            let is_line = |name: &'static str| {
                move |row: &Row| {
                    row.form.dimensions == 1
                        && row.form.regime == Regime::Streaming
                        && row.algorithm == name
                }
            };
            let of = |name| by_size(m, is_line(name), |figures| figures.copy_ratio);
            let (best, steps) = (of("best"), of("four-step"));
            let chart = chart(
                "Lines: time over that of a copy of the same bytes",
                ["points of a line", "time over a copy's"],
                &[("best", &best), ("four-step", &steps)],
            )?;
            let rows = m.rows.iter().filter(|row| is_line("four-step")(row));
            let tried: Vec<_> = rows.map(|row| (side(row), row.figures().is_some())).collect();
            Some(Drawn { chart, verdicts: vec![long_lines(&tried), merged_transposes(&steps)] })
        },
    },
];

/// Judges the times of radix 2, 4, 8 and 16.
fn larger_radices([two, four, eight, sixteen]: [&BySize; 4]) -> Verdict {
    faster("radix 2", two, "radix 4", four)
        .and(faster("radix 4", four, "radix 8", eight))
        .and(faster("radix 8", eight, "radix 16", sixteen))
}

/// The longest line that a workgroup holds.
const LONGEST: u64 = 16_384;

/// Takes lengths, and whether the hierarchical transform gave a right result.
fn long_lines(tried: &[(u64, bool)]) -> Verdict {
    let long = || tried.iter().filter(|(length, _)| *length > LONGEST);
    let right: Vec<_> =
        long().filter(|(_, is_right)| *is_right).map(|(n, _)| n.to_string()).collect();
    let text = match (long().count(), &*right) {
        (0, _) => "No line was longer than a workgroup holds.".to_owned(),
        (_, []) => "No such line gave a right result.".to_owned(),
        _ => format!("Right results came for {} points.", right.join(", ")),
    };
    Verdict::new(Holds::of(long().map(|(_, is_right)| *is_right)), text)
}

/// Takes times of the hierarchical transform over that of a copy.
fn merged_transposes(steps: &BySize) -> Verdict {
    let values = steps.iter().copied().filter(|(length, _)| *length > LONGEST).collect();
    let compared = Compared { what: "four-step / a copy".into(), values };
    let Some(range) = compared.range() else {
        return Verdict::unmeasured("No line was longer than a workgroup holds.");
    };
    let text = format!(
        "Two passes over memory cost two copies, and a transpose of its own would make it three. Here \
         it is {range}."
    );
    Verdict::new(Holds::of(compared.values.iter().map(|(_, ratio)| *ratio < 3.0)), text)
        .beside(compared)
}

#[cfg(test)]
mod tests {
    use Holds::{InPart, No, Unmeasured, Yes};

    use super::super::tests::doubling;
    use super::*;

    #[test]
    fn larger_radices_are_judged_up_to_16() {
        let judge = |eight: f64, sixteen: &[f64]| {
            let lines: [&[f64]; 4] = [&[4.0, 4.0], &[3.0, 3.0], &[eight; 2], sixteen];
            let lines = lines.map(|values| doubling(128, values));
            larger_radices(lines.each_ref()).holds
        };
        assert_eq!(judge(2.0, &[1.0, 1.0]), Yes);
        assert_eq!(judge(2.0, &[2.1, 1.0]), InPart);
        assert_eq!(judge(2.0, &[]), Unmeasured);
        let level = doubling(128, &[1.0, 1.0]);
        assert_eq!(larger_radices([&level; 4]).holds, No);
    }

    #[test]
    fn long_lines_are_judged_by_right_results() {
        assert_eq!(long_lines(&[(16_384, false), (65_536, true)]).holds, Yes);
        assert_eq!(long_lines(&[(65_536, true), (262_144, false)]).holds, InPart);
        assert_eq!(long_lines(&[(65_536, false)]).holds, No);
        assert_eq!(long_lines(&[(16_384, true)]).holds, Unmeasured);
    }

    #[test]
    fn merged_transposes_take_less_than_three_copies() {
        let judge = |ratios: &[f64]| merged_transposes(&doubling(65_536, ratios)).holds;
        assert_eq!(judge(&[2.3, 2.8]), Yes);
        assert_eq!(judge(&[2.3, 3.1]), InPart);
        assert_eq!(judge(&[3.0, 3.1]), No);
        assert_eq!(merged_transposes(&vec![(1024, 2.0)]).holds, Unmeasured);
    }
}
