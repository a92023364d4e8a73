//! The paper of Zhang, Shen, Xu and Wang.

use crate::fft::Precision;
use crate::fft::lab::Value;

use super::super::Measurements;
use super::super::command::{Bench, Command, NO_PEER};
use super::super::draw::{
    BySize, Compared, Drawn, EQUAL, Holds, Verdict, at, by_size, chart, faster, in_order, rows,
};
use super::{Claim, Figure, doubles, is_of_lines, median, on_processor};
use crate::bench::other::{self, Other};
use crate::bench::{Chart, Line, Row};

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
            let sizes = |most: u32, quickly: u32| match quick {
                true => doubles(64, quickly),
                false => doubles(128, most),
            };
            let single =
                |sizes: &[u32]| Bench::lines().batch(&[1]).size(sizes).algorithm(&["best"]);
            // Lines of more than 1024 points are too much for the registers of one invocation: an
            // H200 was lost at 2048.
            let one = Bench::default().size(&sizes(1024, 64));
            let mut commands = vec![
                one.invocations(1..=1).algorithm(&["stockham-r2"]).into(),
                single(&sizes(4096, 128)).into(),
                Command::Cpu(sizes(2048, 256)),
            ];
            if !quick {
                commands.extend([
                    single(&doubles(8192, 32_768)).into(),
                    Command::Cpu(doubles(4096, 8192)),
                ]);
            }
            commands
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
            let (size, most) = if quick { (32, 16) } else { (512, 256) };
            let bench = Bench::default().size(&[size]).invocations(1..=most);
            vec![bench.algorithm(&["stockham-r2", "cooley-tukey"]).into()]
        },
        has_frames: false,
        draw: invocations,
    },
    Figure {
        name: "003-schedule",
        paper: PAPER,
        number: "Section 3.3.3, Figure 5",
        title: "long lines by two kernels: the first stages in shared memory, the others in global memory",
        form: "Eight lines are transformed by radix 2, one dispatch for each stage. With two kernels, the \
            first dispatch takes blocks of 256 points through eight stages in workgroup memory.",
        claims: &[
            Claim {
                found: "Stages in shared memory are faster than stages in global memory.",
                quote: "data can be stored in shared memory during algorithm operation and fetched back to \
                    the global memory after finishing operation. It is efficient to reduce access and \
                    storage latency.",
                place: "Section 3.3.2",
            },
            Claim {
                found: "Long lines pay for the last stages, which only global memory can hold.",
                quote: "And then all the data can only be stored on the global memory to support the data \
                    volume with sacrifice of performance of this part.",
                place: "Section 3.3.3",
            },
        ],
        commands: |quick| {
            let (sizes, batch): (&[u32], _) = match quick {
                true => (&[1024, 4096], 2),
                false => (&[4096, 16_384, 65_536, 262_144, 1 << 20], 8),
            };
            let lines = || Bench::lines().size(sizes).batch(&[batch]).peer(NO_PEER);
            let block = Value::Integer(256);
            vec![
                lines().algorithm(&["cooley-tukey-multipass", "best"]).into(),
                lines().algorithm(&["cooley-tukey-multipass"]).with("block-points", block).into(),
            ]
        },
        has_frames: false,
        draw: |m| {
            let of = |name: &'static str, parameters: usize| {
                let is_one = move |row: &Row| {
                    // Those of another figure are one line.
                    row.algorithm == name
                        && is_of_lines(&row.form)
                        && [2, 8].contains(&row.form.batch)
                        && row.parameters.len() == parameters
                };
                by_size(m, is_one, median)
            };
            let multipass = "cooley-tukey-multipass";
            let [each, two, best] = [(multipass, 0), (multipass, 1), ("best", 0)]
                .map(|(name, parameters)| of(name, parameters));
            let chart = chart(
                "Lines: a pass per stage and two kernels",
                ["points of a line", "time [us]"],
                &[
                    ("a pass per stage", &each),
                    ("two kernels", &two),
                    ("best of this library", &best),
                ],
            )?;
            let verdicts = vec![
                faster("a pass per stage", &each, "two kernels", &two),
                last_stages(&each, &two),
            ];
            Some(Drawn { chart, verdicts })
        },
    },
    Figure {
        name: "003-threads",
        paper: PAPER,
        number: "Section 4.3, at 32,768 points",
        title: "32,768 points by 1 to 1024 invocations",
        form: "One line is transformed by one workgroup of p invocations. No workgroup memory holds such a \
            line, so Cooley-Tukey keeps its stages in storage.",
        claims: &[Claim {
            found: "With much data, more threads stop saving time at some point.",
            quote: "when the amount of data is large enough, when the degree of parallelism reaches a \
                certain point, the memory and other aspects of the additional consumption will offset the \
                degree of parallelism to improve time savings",
            place: "Section 4.3",
        }],
        commands: |quick| {
            let (size, most) = if quick { (1024, 16) } else { (32_768, 1024) };
            let bench = Bench::default().size(&[size]).invocations(1..=most);
            let bench = bench.with("ping-pong", Value::Choice("storage"));
            vec![bench.algorithm(&["cooley-tukey"]).peer(NO_PEER).into()]
        },
        has_frames: false,
        draw: |m| {
            let tukey = speed_up(m, "cooley-tukey", true);
            let chart = speed_up_chart(&[("cooley-tukey, in storage", &tukey)])?;
            Some(Drawn { chart, verdicts: vec![stops_saving(&tukey)] })
        },
    },
    Figure {
        name: "003-shared",
        paper: PAPER,
        number: "Sections 1 and 5, on both processors",
        title: "the processor and the GPU share one batch",
        form: "Lines lie in the processor's memory, and so do the results. All cores transform a share by \
            rustfft. Meanwhile the GPU gets the others, transforms them and sends them back.",
        claims: &[Claim {
            found: "Multi-core processors and the GPU together are faster than either alone.",
            quote: "A combined algorithm that utilizes multi-core CPUs and the GPU to speed up the FFT \
                algorithm when data volume occurs.",
            place: "Section 1",
        }],
        commands: |quick| {
            let (sizes, batch) = if quick { (vec![256], 64) } else { (vec![1024, 4096], 1024) };
            vec![Command::Other { other: Other::SharedBatch, sizes, batch: Some(batch) }]
        },
        has_frames: false,
        draw: |m| {
            let mut sizes: Vec<u32> =
                m.others.iter().filter(is_shared).map(|row| row.size).collect();
            sizes.dedup();
            let shares = |size: u32| -> BySize {
                let rows = m.others.iter().filter(|row| is_shared(row) && row.size == size);
                in_order(rows.filter_map(|row| {
                    let percent = row.case.split('%').next()?.parse().ok()?;
                    Some((percent, row.times.median_us))
                }))
            };
            let lines: Vec<(String, BySize)> =
                sizes.iter().map(|size| (format!("lines of {size}"), shares(*size))).collect();
            let named: Vec<_> = lines.iter().map(|(name, line)| (&**name, line)).collect();
            let chart = chart(
                "One batch on both processors",
                ["share of the processor [%]", "time [us]"],
                &named,
            )?;
            Some(Drawn { chart, verdicts: vec![sharing_pays(&lines)] })
        },
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

fn is_shared(row: &&other::Row) -> bool {
    row.measurement == Other::SharedBatch && row.is_right()
}

fn invocations(m: &Measurements) -> Option<Drawn> {
    let [stockham, tukey] = ["stockham-r2", "cooley-tukey"].map(|name| speed_up(m, name, false));
    let chart = speed_up_chart(&[("stockham-r2", &stockham), ("cooley-tukey", &tukey)])?;
    Some(Drawn { chart, verdicts: vec![stays_below(&stockham), falls_behind(&stockham)] })
}

/// Speed-ups by the number of invocations.
fn speed_up(m: &Measurements, name: &'static str, in_storage: bool) -> BySize {
    let is_one = move |row: &Row| {
        row.algorithm == name && row.parameters.contains_key("ping-pong") == in_storage
    };
    in_order(rows(m, is_one).filter_map(|(row, figures)| {
        // A sweep of one says nothing.
        let others = rows(m, |other| is_one(other) && other.size == row.size);
        let is_sweep = others.filter(|(other, _)| other.invocations > Some(1)).count() > 0;
        Some((u64::from(row.invocations?), figures.speed_up.filter(|_| is_sweep)?))
    }))
}

fn speed_up_chart(lines: &[(&str, &BySize)]) -> Option<Chart> {
    let title = "Speed-up of one line over one invocation";
    let mut chart = chart(title, ["invocations p", "S_p = T_1 / T_p"], lines)?;
    let values = chart.places.iter().map(|place| place.parse().ok()).collect();
    chart.lines.push(Line { name: "S_p = p".into(), values, is_reference: true });
    Some(chart)
}

/// Takes the times with a pass per stage, and with the first [`FIRST_STAGES`] stages in one kernel.
fn last_stages(each: &BySize, two: &BySize) -> Verdict {
    /// Stages of blocks of 256 points.
    const FIRST_STAGES: f64 = 8.0;
    // With a pass per stage, every stage costs the same.
    let stage = |(n, us): &(u64, f64)| (*n, us / n.max(&2).ilog2() as f64);
    let global: BySize = each.iter().map(stage).collect();
    let last: BySize = global
        .iter()
        .filter_map(|(n, us)| {
            let stages = f64::from(n.max(&2).ilog2()) - FIRST_STAGES;
            Some((*n, stages * us / at(two, *n)?))
        })
        .collect();
    let compared = Compared { what: "share of the last stages".into(), values: last };
    let Some(range) = compared.range() else {
        return Verdict::unmeasured("Both were not measured beside each other.");
    };
    // More than half of the time for less than its share of the stages.
    let shares = compared.values.iter().map(|(n, share)| {
        let stages = f64::from(n.max(&2).ilog2());
        *share > (1.0 + EQUAL) * (stages - FIRST_STAGES) / stages
    });
    let text = format!(
        "By the times of a pass per stage, the stages after the eighth take {range} of the time. The claim \
         holds where that is more than their share of the stages."
    );
    Verdict::new(Holds::of(shares), text).beside(compared)
}

/// Takes speed-ups by the number of invocations.
fn stops_saving(speed_up: &BySize) -> Verdict {
    let Some((p, most)) = speed_up.last().filter(|_| speed_up.len() > 1) else {
        return Verdict::unmeasured("No speed-up was measured.");
    };
    let gains: Vec<(u64, f64)> =
        speed_up.windows(2).map(|pair| (pair[1].0, pair[1].1 / pair[0].1)).collect();
    let last = gains.iter().find(|(_, gain)| *gain <= 1.0 + EQUAL);
    let text = format!("{p} invocations are {most:.0} times as fast as one.");
    let (holds, why) = match last {
        Some((p, gain)) => {
            (Holds::Yes, format!("The step to {p} gives a factor of {gain:.2} only."))
        }
        None => (Holds::No, "Every doubling saves time.".to_owned()),
    };
    let compared = Compared { what: "S_p over that of half as many".into(), values: gains };
    Verdict::new(holds, text)
        .because(&why)
        .beside(Compared { what: "S_p".into(), values: speed_up.clone() })
        .beside(compared)
}

/// Takes the times of a batch by the processor's share in percent, for each length.
fn sharing_pays(lengths: &[(String, BySize)]) -> Verdict {
    let mut verdict = Verdict::new(Holds::Unmeasured, "");
    let mut cases = Vec::new();
    for (name, line) in lengths {
        let (Some(gpu), Some(processor)) = (at(line, 0), at(line, 100)) else { continue };
        let shared = line.iter().filter(|(percent, _)| (1..100).contains(percent));
        let Some((percent, us)) = shared.min_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        let gain = gpu.min(processor) / us;
        cases.push(gain > 1.0 + EQUAL);
        verdict = verdict.because(&format!(
            "With {percent}% on the processor, {name} are {gain:.2} times as fast as on {} alone, the \
             faster one.",
            if gpu <= processor { "the GPU" } else { "the processor" }
        ));
        let values = line.iter().map(|(percent, us)| (*percent, us / gpu)).collect();
        verdict =
            verdict.beside(Compared { what: format!("{name}: time / the GPU alone"), values });
    }
    match cases.is_empty() {
        true => Verdict::unmeasured("No batch was shared."),
        false => Verdict { holds: Holds::of(cases), ..verdict },
    }
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

    #[test]
    fn last_stages_are_judged_by_their_share_of_the_time() {
        // The last 8 of 16 stages have a dispatch each. A pass per stage takes 1 us for each.
        let judge = |two: &[f64]| {
            let each = vec![(1 << 16, 16.0), (1 << 17, 17.0)];
            last_stages(&each, &(16..).map(|bits| 1 << bits).zip(two.iter().copied()).collect())
                .holds
        };
        assert_eq!(judge(&[10.0, 11.0]), Yes);
        assert_eq!(judge(&[10.0, 18.0]), InPart);
        assert_eq!(judge(&[16.0, 18.0]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }

    #[test]
    fn threads_stop_saving_where_a_doubling_gains_nothing() {
        let judge = |speed_up: &[f64]| stops_saving(&doubling(1, speed_up)).holds;
        assert_eq!(judge(&[1.0, 1.9, 3.0, 3.0]), Yes);
        assert_eq!(judge(&[1.0, 1.9, 3.0, 4.0]), No);
        assert_eq!(judge(&[1.0]), Unmeasured);
    }

    #[test]
    fn sharing_pays_where_it_beats_both_alone() {
        let line = |shared: f64| vec![(0, 2.0), (50, shared), (100, 1.5)];
        let judge = |shared: &[f64]| {
            let lines: Vec<_> = shared.iter().map(|us| ("lines".to_owned(), line(*us))).collect();
            sharing_pays(&lines).holds
        };
        assert_eq!(judge(&[1.0, 1.4]), Yes);
        assert_eq!(judge(&[1.0, 1.6]), InPart);
        assert_eq!(judge(&[1.5]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }
}
