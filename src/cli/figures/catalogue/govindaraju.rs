//! Of Govindaraju et al.'s paper, and of Mateer's dissertation.

use seaway::fft::lab::timing::Regime;

use super::super::draw::{Drawn, Holds, Verdict, by_size, chart, faster};
use super::{Figure, thesis_chart, time};
use crate::cli::bench::row::Row;

const PAPER: &str = "Govindaraju et al., High Performance Discrete Fourier Transforms on Graphics Processors (2008), and Mateer, Fast Fourier Transform Algorithms (2008)";

pub const FIGURES: &[Figure] = &[
    Figure {
        name: "004-radix",
        paper: PAPER,
        number: "Section 4",
        title: "registers and shared memory against global memory, and larger radices",
        found: "transforms in registers and shared memory beat those that go through global memory at every stage, and larger radices beat smaller ones",
        commands: |quick| {
            let sizes = if quick { "64,128" } else { "128,256,512,1024,2048" };
            vec![format!(
                "bench --size {sizes} --batch 4 --layout pair --algorithm stockham-r2,stockham-r4,stockham-r8,stockham-r16,global-r8"
            )]
        },
        draw: |m| {
            let lines = ["stockham-r2", "stockham-r4", "stockham-r8", "stockham-r16", "global-r8"];
            let times = lines.map(|name| time(m, name));
            let named: Vec<_> = lines.iter().copied().zip(&times).collect();
            let chart = thesis_chart("Four 2D transforms by radix and memory", &named)?;
            let [two, four, eight, _, global] = &times;
            let verdict = faster("Global memory", global, "radix 8 in registers", eight)
                .and(faster("Radix 2", two, "radix 4", four))
                .and(faster("Radix 4", four, "radix 8", eight));
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "004-hierarchy",
        paper: PAPER,
        number: "Section 4C",
        title: "lines past one workgroup's memory: the hierarchical transform",
        found: "the hierarchical transform takes lines of any length at the cost of one more pass over memory",
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
        draw: |m| {
            let of = |name: &'static str| {
                let has = move |row: &Row| {
                    row.dimensions == 1 && row.regime == Regime::Streaming && row.algorithm == name
                };
                by_size(m, has, |figures| figures.copy_ratio)
            };
            let (best, steps) = (of("best"), of("four-step"));
            let chart = chart(
                "Lines: time over that of a copy of the same bytes",
                ["points of a line", "time over a copy's"],
                &[("best", &best), ("four-step", &steps)],
            )?;
            let long: Vec<_> = steps.iter().filter(|(n, _)| *n > 16_384).collect();
            let list: Vec<_> = long.iter().map(|(n, r)| format!("{r:.2} at {n}")).collect();
            let verdict = Verdict {
                holds: Holds::of(long.iter().map(|(_, ratio)| *ratio < 3.5)),
                text: match list.is_empty() {
                    true => "No line was longer than a workgroup holds.".into(),
                    false => {
                        format!(
                            "Two passes over memory are 2 copies; here it is {}.",
                            list.join(", ")
                        )
                    }
                },
            };
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "004-split-radix",
        paper: PAPER,
        number: "Mateer, chapter 4",
        title: "split radix against radix 2 and 4",
        found: "split radix (conjugate pair) needs the fewest operations, and should take the least time",
        commands: |quick| {
            let sizes = if quick { "64,128" } else { "128,256,512,1024,2048" };
            vec![format!(
                "bench --size {sizes} --batch 4 --layout pair --algorithm cooley-tukey,stockham-r4,split-radix"
            )]
        },
        draw: |m| {
            let (two, four, split) =
                (time(m, "cooley-tukey"), time(m, "stockham-r4"), time(m, "split-radix"));
            let chart = thesis_chart(
                "Four 2D transforms: fewer operations",
                &[
                    ("cooley-tukey (radix 2)", &two),
                    ("stockham-r4", &four),
                    ("split-radix", &split),
                ],
            )?;
            let verdict = faster("Radix 2", &two, "split radix", &split)
                .and(faster("Radix 4", &four, "split radix", &split))
                .because(
                    "Fewer operations are not less time where memory and barriers are what is waited \
                     for: its stages are as many as those of radix 2, and uneven.",
                );
            Some(Drawn { chart, verdict })
        },
    },
];
