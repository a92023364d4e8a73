//! The paper of Zhang, Shen, Xu and Wang.

use crate::fft::Precision;

use super::super::Measurements;
use super::super::draw::{
    BySize, Compared, Drawn, EQUAL, Holds, Verdict, by_size, chart, faster, rows,
};
use super::{Claim, Figure, median, on_processor};
use crate::bench::Line;

const PAPER: &str = "Zhang, Shen, Xu and Wang, Design and Implementation of Parallel FFT on CUDA";

pub const FIGURES: &[Figure] = &[
    Figure {
        name: "003-table-2",
        paper: PAPER,
        number: "Table 2, Figures 6 and 7",
        title: "a line by one invocation, by many, and by the processor",
        form: "One line is transformed. The processor is one core that decimates in time, in 64-bit \
            floats; the paper does not describe its own further.",
        claims: &[
            Claim {
                found: "One thread of a GPU is much slower than a processor.",
                quote: "Single-threaded GPU computing ability is much weaker than CPU's",
                place: "Section 4.2",
            },
            Claim {
                found: "The lead of many threads over the processor grows with the length.",
                quote: "performance is not obvious, but when the data groups increase, the performance \
                    is more obvious",
                place: "Section 4.2",
            },
            Claim {
                found: "Above 30,000 points many threads are more than 50 times as fast as the \
                    processor.",
                quote: "when it reaches more than thirty thousand groups of data, performance has \
                    reached more than 50 times",
                place: "Section 4.2",
            },
        ],
        commands: |quick| {
            let sizes = if quick { "128,256" } else { "128,256,512,1024,2048,4096" };
            let cpu = if quick { "128,256,512" } else { "128,256,512,1024,2048" };
            // Lines of more than 1024 points are too much for the registers of one invocation: an
            // H200 was lost at 2048.
            let one = if quick { sizes } else { "128,256,512,1024" };
            let mut lines = vec![
                format!("bench --size {one} --invocations 1 --algorithm stockham-r2"),
                format!("bench --dimensions 1 --batch 1 --size {sizes} --algorithm best"),
                format!("bench --cpu --size {cpu}"),
            ];
            if !quick {
                lines.extend([
                    "bench --dimensions 1 --batch 1 --size 8192,16384,32768 --algorithm best"
                        .into(),
                    "bench --cpu --size 4096,8192".into(),
                ]);
            }
            lines
        },
        has_frames: false,
        draw: |m| {
            let one = by_size(
                m,
                |row| row.invocations == Some(1) && row.algorithm == "stockham-r2",
                median,
            );
            let many = by_size(
                m,
                |row| {
                    row.form.dimensions == 1
                        && row.form.batch == 1
                        && row.algorithm == "best"
                        && row.invocations.is_none()
                        && row.form.precision == Precision::F32
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
            let verdicts = vec![
                faster("one invocation", &one, "the processor", &cpu),
                lead_grows(&cpu, &many),
                fifty_times(&cpu, &many),
            ];
            Some(Drawn { chart, verdicts })
        },
    },
    Figure {
        name: "003-table-3",
        paper: PAPER,
        number: "Table 3, Figure 8",
        title: "512 points by 1 to 256 invocations",
        form: "One line of 512 points is transformed by one workgroup of p invocations.",
        claims: &[
            Claim {
                found: "The speed-up S_p = T_1 / T_p of p threads stays below p.",
                quote: "you can see the basic speed up ratio curve is under the curve in the power of 2",
                place: "Section 4.3",
            },
            Claim {
                found: "The speed-up falls further behind p as p grows.",
                quote: "Speed up ratio curves deviate gradually with the power of 2 curves.",
                place: "Section 4.3",
            },
        ],
        commands: |quick| {
            let size = if quick { "128 --invocations 1..64" } else { "512 --invocations 1..256" };
            vec![format!("bench --size {size} --algorithm stockham-r2,cooley-tukey")]
        },
        has_frames: false,
        draw: invocations,
    },
];

/// Takes the processor's times and those of many invocations, by length.
fn lead_grows(cpu: &BySize, many: &BySize) -> Verdict {
    let compared = lead(cpu, many);
    let Some(range) = compared.range() else {
        return Verdict::unmeasured("Both were not measured beside each other.");
    };
    let grows = compared.values.windows(2).map(|pair| pair[1].1 > (1.0 + EQUAL) * pair[0].1);
    let text = format!("The processor takes {range} times as long as many invocations.");
    Verdict::new(Holds::of(grows), text)
        .because("A single line leaves most of a GPU idle.")
        .beside(compared)
}

/// Takes the same times, of lines with more than 30,000 points.
fn fifty_times(cpu: &BySize, many: &BySize) -> Verdict {
    const PAPER: &str = "The paper's Table 2 has 62 / 0.792, which is 78, at 32,768 points.";
    let values = lead(cpu, many).values;
    let Some((longest, times)) = values.last().copied() else {
        return Verdict::unmeasured("Both were not measured beside each other.").because(PAPER);
    };
    let long = values.iter().filter(|(length, _)| *length > 30_000);
    let cases: Vec<_> = long.map(|(_, times)| *times).collect();
    let text = format!("The processor takes {times:.1} times as long at {longest} points.");
    let verdict = match cases.iter().copied().reduce(f64::min) {
        None => Verdict::unmeasured("No line here has more than 30,000 points.").because(&text),
        Some(least) if least > 50.0 => Verdict::new(Holds::Yes, text),
        Some(least) if least > 1.0 + EQUAL => Verdict::new(Holds::InPart, text),
        Some(_) => Verdict::new(Holds::No, text),
    };
    verdict.because(PAPER)
}

fn lead(cpu: &BySize, many: &BySize) -> Compared {
    Compared::new("the processor", cpu, "many invocations", many)
}

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
    Some(Drawn { chart, verdicts: vec![stays_below(&stockham), falls_behind(&stockham)] })
}

fn stays_below(speed_up: &BySize) -> Verdict {
    let several = || speed_up.iter().filter(|(p, _)| *p > 1);
    let is_above = |(p, times): &&(u64, f64)| *times > (1.0 + EQUAL) * *p as f64;
    let above: Vec<_> = several().filter(is_above).map(|(p, _)| p.to_string()).collect();
    let Some((p, most)) = speed_up.last().filter(|(p, _)| *p > 1) else {
        return Verdict::unmeasured("No speed-up was measured.");
    };
    let text = match &*above {
        [] => "It is above p nowhere.".to_owned(),
        above => format!(
            "It is above p at {}. Neighbouring invocations share transactions with memory, which a \
             single one pays for alone.",
            above.join(", ")
        ),
    };
    Verdict::new(Holds::of(several().map(|value| !is_above(&value))), text)
        .because(&format!("At {p} invocations it is {most:.1}; the paper has 168.5 at 256."))
        .beside(Compared { what: "S_p".into(), values: speed_up.clone() })
}

fn falls_behind(speed_up: &BySize) -> Verdict {
    let shares: BySize = speed_up.iter().map(|(p, times)| (*p, times / *p as f64)).collect();
    let Some((p, last)) = shares.last().filter(|_| shares.len() > 1) else {
        return Verdict::unmeasured("No speed-up was measured.");
    };
    let text = format!("S_p / p is {last:.2} at {p} invocations; the paper has 0.66 at 256.");
    let falls = shares.windows(2).map(|pair| pair[1].1 < (1.0 - EQUAL) * pair[0].1);
    let holds = Holds::of(falls);
    Verdict::new(holds, text).beside(Compared { what: "S_p / p".into(), values: shares })
}

#[cfg(test)]
mod tests {
    use Holds::{InPart, No, Unmeasured, Yes};

    use super::super::tests::doubling;
    use super::*;

    #[test]
    fn the_lead_is_judged_from_length_to_length() {
        let judge = |cpu: &[f64]| lead_grows(&doubling(128, cpu), &doubling(128, &[1.0; 3])).holds;
        assert_eq!(judge(&[0.8, 1.9, 3.2]), Yes);
        assert_eq!(judge(&[0.8, 1.9, 1.9]), InPart);
        assert_eq!(judge(&[2.0, 1.9, 1.8]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }

    #[test]
    fn fifty_times_need_more_than_30_000_points() {
        let judge =
            |cpu: &[f64]| fifty_times(&doubling(16_384, cpu), &doubling(16_384, &[1.0; 2])).holds;
        assert_eq!(judge(&[10.0, 51.0]), Yes);
        assert_eq!(judge(&[90.0, 20.0]), InPart);
        assert_eq!(judge(&[90.0, 1.0]), No);
        assert_eq!(judge(&[90.0]), Unmeasured);
        assert_eq!(judge(&[]), Unmeasured);
    }

    #[test]
    fn speed_ups_are_judged_by_their_share() {
        let judge = |speed_up: &[f64]| {
            let line = doubling(1, speed_up);
            [stays_below(&line).holds, falls_behind(&line).holds]
        };
        assert_eq!(judge(&[1.0, 1.9, 3.5, 6.0]), [Yes, Yes]);
        assert_eq!(judge(&[1.0, 2.5, 4.5, 6.0]), [InPart, InPart]);
        assert_eq!(judge(&[1.0, 2.2, 4.6, 9.5]), [No, No]);
        assert_eq!(judge(&[]), [Unmeasured, Unmeasured]);
    }
}
