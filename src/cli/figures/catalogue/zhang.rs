//! Of Zhang et al.'s paper.

use seaway::fft::Precision;

use super::super::Measurements;
use super::super::draw::{BySize, Drawn, Holds, Verdict, at, by_size, chart, faster, rows};
use super::{Figure, median, on_processor};
use crate::cli::chart::Line;

const PAPER: &str = "Zhang et al., Parallel FFT on CUDA";

pub const FIGURES: &[Figure] = &[
    Figure {
        name: "003-table-2",
        paper: PAPER,
        number: "Table 2, Figures 6 and 7",
        title: "a line by one invocation, by many, and by the processor",
        found: "one invocation is far slower than a processor, and many are faster from some size on: 50 times at 32,768 points",
        commands: |quick| {
            let sizes = if quick { "128,256" } else { "128,256,512,1024,2048,4096" };
            let cpu = if quick { "128,256,512" } else { "128,256,512,1024,2048" };
            // More of a line than 1024 points are too much for the registers of one invocation: an
            // H200 was lost at 2048.
            let one = if quick { sizes } else { "128,256,512,1024" };
            vec![
                format!("bench --size {one} --invocations 1 --algorithm stockham-r2"),
                format!("bench --dimensions 1 --batch 1 --size {sizes} --algorithm best"),
                format!("bench --cpu --size {cpu}"),
            ]
        },
        draw: |m| {
            let one = by_size(
                m,
                |row| row.invocations == Some(1) && row.algorithm == "stockham-r2",
                median,
            );
            let many = by_size(
                m,
                |row| {
                    row.dimensions == 1
                        && row.batch == 1
                        && row.algorithm == "best"
                        && row.invocations.is_none()
                        && row.precision == Precision::F32
                },
                median,
            );
            let cpu = on_processor(m, "dit");
            let chart = chart(
                "One line: microseconds",
                ["points", "time [us]"],
                &[
                    ("one invocation", &one),
                    ("as many as are best", &many),
                    ("one processor core, decimation in time, 64-bit floats", &cpu),
                ],
            )?;
            let verdict = faster("One invocation", &one, "the processor", &cpu)
                .and(faster("The processor", &cpu, "many invocations", &many))
                .because("A single line leaves most of a GPU idle: batches are what it is for.");
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "003-table-3",
        paper: PAPER,
        number: "Table 3, Figure 8",
        title: "512 points by 1 to 256 invocations",
        found: "the speed-up S_p = T_1 / T_p stays below p, and falls behind it as p grows: 168 at 256",
        commands: |quick| {
            let size = if quick { "128 --invocations 1..64" } else { "512 --invocations 1..256" };
            vec![format!("bench --size {size} --algorithm stockham-r2,cooley-tukey")]
        },
        draw: invocations,
    },
];

fn invocations(m: &Measurements) -> Option<Drawn> {
    let line = |name: &'static str| -> BySize {
        let mut line: BySize = Vec::new();
        for (row, figures) in rows(m, |row| row.algorithm == name) {
            let (Some(number), Some(speed_up)) = (row.invocations, figures.speed_up) else {
                continue;
            };
            // A sweep of one says nothing.
            let others = rows(m, |other| other.algorithm == name && other.size == row.size);
            let is_sweep = others.filter(|(other, _)| other.invocations > Some(1)).count() > 0;
            if is_sweep && line.iter().all(|(known, _)| *known != u64::from(number)) {
                line.push((number.into(), speed_up));
            }
        }
        line.sort_by_key(|(number, _)| *number);
        line
    };
    let (stockham, tukey) = (line("stockham-r2"), line("cooley-tukey"));
    let mut chart = chart(
        "Speed-up of one line over one invocation",
        ["invocations p", "S_p = T_1 / T_p"],
        &[("stockham-r2", &stockham), ("cooley-tukey", &tukey)],
    )?;
    let values = chart.places.iter().map(|place| place.parse().ok()).collect();
    chart.lines.push(Line { name: "S_p = p".into(), values, is_reference: true });
    let most = stockham.last().copied().unwrap_or((1, 1.0));
    let above = stockham.iter().filter(|(p, speed_up)| *speed_up > 1.05 * *p as f64);
    let above: Vec<_> = above.map(|(p, speed_up)| format!("{speed_up:.1} at {p}")).collect();
    let half = at(&stockham, most.0 / 2).unwrap_or(most.1);
    Some(Drawn {
        chart,
        verdict: Verdict {
            holds: match stockham.len() {
                0 | 1 => Holds::Unmeasured,
                _ => Holds::of([above.is_empty()]).and(Holds::of([most.1 / half < 2.0])),
            },
            text: format!(
                "{:.1} at {} invocations, {half:.1} at half as many; above p: {}. Neighbouring \
                 invocations share transactions with memory, which one alone pays for by itself.",
                most.1,
                most.0,
                if above.is_empty() { "nowhere".to_owned() } else { above.join(", ") }
            ),
        },
    })
}
