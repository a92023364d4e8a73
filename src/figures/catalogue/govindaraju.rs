//! The paper of Govindaraju, Lloyd, Dotsenko, Smith and Manferdelli.

use crate::fft::lab::Value;
use crate::fft::lab::timing::Regime;

use super::super::command::{Bench, Command};
use super::super::draw::{
    BySize, Compared, Drawn, EQUAL, Holds, Verdict, by_place, by_size, chart, faster, faster_by,
    side,
};
use super::{
    Claim, Figure, doubles, images, is_of_lines, median, of_parameters, sides, thesis_chart, time,
};
use crate::bench::{Chart, Figures, Row};

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
            let stockham = ["stockham-r2", "stockham-r4", "stockham-r8", "stockham-r16"];
            let names = [&stockham[..], &["global-r8"]].concat();
            vec![images(&sides(quick)).algorithm(&names).into()]
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
        commands: long_and_short_lines,
        has_frames: false,
        draw: |m| {
            let of = |name| by_size(m, is_streamed(name), |figures| figures.copy_ratio);
            let (best, steps) = (of("best"), of("four-step"));
            let chart = chart(
                "Lines: time over that of a copy of the same bytes",
                ["points of a line", "time over a copy's"],
                &[("best", &best), ("four-step", &steps)],
            )?;
            let rows = m.rows.iter().filter(|row| is_streamed("four-step")(row));
            let tried: Vec<_> = rows.map(|row| (side(row), row.figures().is_some())).collect();
            Some(Drawn { chart, verdicts: vec![long_lines(&tried), merged_transposes(&steps)] })
        },
    },
    Figure {
        name: "004-padding",
        paper: PAPER,
        number: "Section IV-A, on bank conflicts",
        title: "padding of workgroup memory by radix",
        form: "Lines of one length are transformed by Stockham of radix 2 to 16. Real and imaginary \
            parts go through workgroup memory one after the other. With padding, one of every 32 slots \
            stays empty, since a GPU now has 32 banks.",
        claims: &[
            Claim {
                found: "For radix 2 the padded indices cost more than the bank conflicts.",
                quote: "For R=2 the extra cost of computing the padded indexes actually outweighs the \
                    benefit of avoiding bank conflicts",
                place: "Section IV-A",
            },
            Claim {
                found: "For radix 4 and 8 padding gains much.",
                quote: "for radix-4 and radix-8, the net gain is significant",
                place: "Section IV-A",
            },
        ],
        commands: |quick| {
            let (size, batch, radices): (_, _, &[u32]) = match quick {
                true => (256, 16, &[2, 4, 8]),
                false => (1024, 2048, &[2, 4, 8, 16]),
            };
            let integers =
                |all: &[u32]| all.iter().copied().map(Value::Integer).collect::<Vec<_>>();
            let lines = Bench::lines().size(&[size]).batch(&[batch]).algorithm(&["stockham-r16"]);
            let one = lines.with("row-exchange", Value::Integer(1));
            let swept = one.sweep("row-radix", integers(radices));
            vec![swept.sweep("row-padding", integers(&[0, 32])).into()]
        },
        has_frames: false,
        draw: |m| {
            let [bare, padded] = [0, 32].map(|padding| {
                let given = [("row-exchange", 1), ("row-padding", padding)];
                let place = move |row: &Row| {
                    let is_one = row.algorithm == "stockham-r16" && is_of_lines(&row.form);
                    of_parameters(row, &given, "row-radix").filter(|_| is_one)
                };
                by_place(m, place, median)
            });
            let chart = chart(
                "Lines by radix, with and without padding",
                ["radix", "time [us]"],
                &[("no padding", &bare), ("padding", &padded)],
            )?;
            Some(Drawn { chart, verdicts: padding(&bare, &padded) })
        },
    },
    Figure {
        name: "004-exchange",
        paper: PAPER,
        number: "Section IV-A, on the halved exchange",
        title: "both components through workgroup memory at once, or one after the other",
        form: "Lines are transformed by Stockham of radix 8. One component at a time takes half of the \
            workgroup memory and more barriers.",
        claims: &[Claim {
            found: "Exchanging one component at a time can be faster, for more threads fit.",
            quote: "To reduce the amount of shared memory by a factor of 2, it is possible to exchange \
                only one component at a time. This requires 3 synchronizations instead of 1, but can \
                result in a net gain in performance because it allows more in-flight threads.",
            place: "Section IV-A",
        }],
        commands: |quick| {
            let (sizes, batch) =
                if quick { (vec![64, 256], 16) } else { (doubles(256, 4096), 1024) };
            let lines = Bench::lines().size(&sizes).batch(&[batch]).algorithm(&["stockham-r8"]);
            let padded = lines.with("row-padding", Value::Integer(32));
            vec![padded.sweep("row-exchange", [1, 2].map(Value::Integer)).into()]
        },
        has_frames: false,
        draw: |m| {
            let [one, both] = [1, 2].map(|floats| {
                let given = [("row-padding", 32)];
                let is_one = move |row: &Row| {
                    row.algorithm == "stockham-r8"
                        && is_of_lines(&row.form)
                        && of_parameters(row, &given, "row-exchange") == Some(floats)
                };
                by_size(m, is_one, median)
            });
            let chart = chart(
                "Lines by the components that are exchanged at a time",
                ["points of a line", "time [us]"],
                &[("both components", &both), ("one component", &one)],
            )?;
            let verdict = faster("both components at once", &both, "one at a time", &one);
            Some(Drawn { chart, verdicts: vec![verdict] })
        },
    },
    Figure {
        name: "004-accuracy",
        paper: PAPER,
        number: "Abstract and Section I, on accuracy",
        title: "the error of 32-bit floats by length",
        form: "Random lines are transformed. The error is relative to the result in 64-bit floats (L2). \
            Twiddle factors come from a table made in 64-bit floats, in a buffer or a texture, or from the \
            GPU's sine and cosine.",
        claims: &[
            Claim {
                found: "The results are significantly more accurate than cuFFT's.",
                quote: "We also obtain significant improvements in numerical accuracy over CUFFT.",
                place: "Section I",
            },
            Claim {
                found: "Exact arithmetic for the chirp's angles keeps Bluestein's algorithm accurate.",
                quote: "We use modular arithmetic in Bluestein's algorithm to improve the accuracy.",
                place: "Abstract",
            },
        ],
        commands: |quick| {
            let sizes: &[u32] = if quick { &[64, 256] } else { &[16, 64, 256, 1024, 4096] };
            let lines = || Bench::lines().size(sizes).batch(&[16]);
            let twiddles = ["table", "texture", "sin-cos"].map(Value::Choice);
            vec![
                lines().algorithm(&["stockham-r8"]).sweep("twiddles", twiddles).into(),
                lines().algorithm(&["bluestein"]).into(),
            ]
        },
        has_frames: false,
        draw: |m| {
            let error = |figures: &Figures| Some(figures.relative_l2_error);
            let [table, texture, sines] = ["table", "texture", "sin-cos"].map(|twiddles| {
                let is_one = move |row: &Row| {
                    is_accuracy("stockham-r8", 1)(row)
                        && row.parameters.get("twiddles").is_some_and(|value| value == twiddles)
                };
                by_size(m, is_one, error)
            });
            let chirp = by_size(m, is_accuracy("bluestein", 0), error);
            let is_of_peer = |row: &Row| row.version.is_some() && is_accuracy("cufft", 0)(row);
            let cufft = by_size(m, is_of_peer, error);
            let chart = chart(
                "Error of 32-bit floats",
                ["points of a line", "relative L2 error"],
                &[
                    ("stockham-r8, factors from a table", &table),
                    ("stockham-r8, the table in a texture", &texture),
                    ("stockham-r8, sine and cosine", &sines),
                    ("bluestein", &chirp),
                    ("cuFFT", &cufft),
                ],
            )?;
            let texture = Compared::new("error with a texture", &texture, "with a table", &table);
            let verdicts = vec![
                more_accurate(&table, &sines, &cufft).beside(texture),
                exact_chirp(&chirp, &table),
            ];
            Some(Drawn { chart, verdicts })
        },
    },
    Figure {
        name: "004-length",
        paper: PAPER,
        number: "Abstract and Section I, GFLOPS by length",
        title: "GFLOPS of lines by length, beside other libraries",
        form: "Many lines are transformed together, from memory and not from caches. The cuFFT of today \
            is another than that of 2008.",
        claims: &[Claim {
            found: "Large transforms are typically 2 to 4 times as fast as cuFFT's.",
            quote: "We obtain typical performance improvements of 2–4× over CUFFT and 8–40× over MKL for \
                large sizes.",
            place: "Section I",
        }],
        commands: |quick| {
            let mut commands = Vec::new();
            if !quick {
                let short = Bench::lines().size(&[64, 256]).batch(&[32_768]);
                commands.push(short.streaming().algorithm(&["best"]).into());
            }
            commands.extend(long_and_short_lines(quick));
            commands
        },
        has_frames: false,
        draw: |m| {
            let gflops = |peer| by_size(m, is_streamed("best"), move |f| gflops_of(f, peer));
            let [own, cufft, vkfft, rustfft] =
                [None, Some("cufft"), Some("vkfft"), Some("rustfft")].map(gflops);
            let chart = gflops_chart(
                "GFLOPS of lines",
                "points of a line",
                [&own, &cufft, &vkfft, &rustfft],
            )?;
            Some(Drawn { chart, verdicts: vec![twice_cufft(&own, &cufft)] })
        },
    },
    Figure {
        name: "004-batch",
        paper: PAPER,
        number: "Section III-B, GFLOPS by batch",
        title: "GFLOPS of lines by their number",
        form: "Lines of one short and one long length are transformed, more and more of them together. \
            Their data stay in the caches where they fit.",
        claims: &[Claim {
            found: "Small transforms fill a GPU only if many are processed at the same time.",
            quote: "Processing multiple FFTs at the same time is important because the number of warps \
                used for small-sized FFTs may not be sufficient to achieve full utilization of the \
                multiprocessor or to hide memory latency while accessing global memory.",
            place: "Section III, on GPU_FFT()",
        }],
        commands: |quick| {
            let (sizes, batches): (&[u32], &[u32]) = match quick {
                true => (&[256], &[1, 16]),
                false => (&[256, 4096], &LINE_COUNTS),
            };
            vec![Bench::lines().size(sizes).batch(batches).algorithm(&["best"]).into()]
        },
        has_frames: false,
        draw: |m| {
            let of = |length: u64, peer| {
                let place = move |row: &Row| {
                    let is_one = row.algorithm == "best" && is_of_lines(&row.form);
                    // Other figures measure 8 lines.
                    let is_shown = LINE_COUNTS.contains(&row.form.batch);
                    (is_one && is_shown && side(row) == length).then_some(row.form.batch.into())
                };
                by_place(m, place, move |figures| gflops_of(figures, peer))
            };
            let [short, long] = [256, 4096].map(|length| of(length, None));
            // Other figures measure single lines.
            if short.len() < 2 {
                return None;
            }
            let [cufft, vkfft] = ["cufft", "vkfft"].map(|peer| of(256, Some(peer)));
            let chart = chart(
                "GFLOPS of lines by their number",
                ["lines", "GFLOPS"],
                &[
                    ("256 points", &short),
                    ("4096 points", &long),
                    ("cuFFT, 256 points", &cufft),
                    ("VkFFT, 256 points", &vkfft),
                ],
            )?;
            Some(Drawn { chart, verdicts: vec![batches_fill(&[short, long])] })
        },
    },
];

/// The lines that are transformed together for the figure of GFLOPS by batch.
const LINE_COUNTS: [u32; 4] = [1, 16, 256, 4096];

/// The commands of lines on both sides of [`LONGEST`], or of short ones only with `--quick`.
fn long_and_short_lines(quick: bool) -> Vec<Command> {
    let (sizes, points) = if quick {
        (&[1024_u32, 4096][..], 1 << 16)
    } else {
        (&[1024, 4096, 16_384, 65_536, 262_144, 1 << 20][..], 1 << 24)
    };
    let lines = |n: &u32| {
        let lines = Bench::lines().size(&[*n]).batch(&[points / n]).streaming();
        lines.algorithm(&["best", "four-step"]).into()
    };
    sizes.iter().map(lines).collect()
}

fn is_streamed(name: &'static str) -> impl Fn(&Row) -> bool {
    move |row| {
        row.form.dimensions == 1
            && row.form.regime == Regime::Streaming
            && row.algorithm == name
            && row.version.is_none()
    }
}

/// Selects rows of the 16 lines of the figure on accuracy, with a number of given parameters.
fn is_accuracy(name: &'static str, parameters: usize) -> impl Fn(&Row) -> bool {
    move |row| {
        row.algorithm == name
            && is_of_lines(&row.form)
            && row.form.batch == 16
            && row.parameters.len() == parameters
    }
}

/// The GFLOPS of a row, or of a peer on the same task.
fn gflops_of(figures: &Figures, peer: Option<&str>) -> Option<f64> {
    match peer {
        None => Some(figures.gflops),
        Some(peer) => {
            // VkFFT over CUDA, or where there is none, over Vulkan.
            let peer_us = ["", "_cuda", "_vulkan"]
                .iter()
                .find_map(|suffix| figures.peer_us.get(&format!("{peer}{suffix}")))?;
            Some(figures.gflops * figures.times.median_us / peer_us)
        }
    }
}

fn gflops_chart(title: &str, x_label: &str, lines: [&BySize; 4]) -> Option<Chart> {
    let names = ["best of this library", "cuFFT", "VkFFT", "rustfft (one processor core)"];
    let named: Vec<_> = names.into_iter().zip(lines).collect();
    chart(title, [x_label, "GFLOPS"], &named)
}

/// A gain that is called significant.
const SIGNIFICANT: f64 = 0.1;

/// Judges the times without and with padding, by radix: radix 2, then 4 and 8.
fn padding(bare: &BySize, padded: &BySize) -> Vec<Verdict> {
    let of = |line: &BySize, radices: &[u64]| -> BySize {
        line.iter().copied().filter(|(radix, _)| radices.contains(radix)).collect()
    };
    let two = [padded, bare].map(|line| of(line, &[2]));
    let more = [bare, padded].map(|line| of(line, &[4, 8]));
    let all = Compared::new("no padding", bare, "padding", padded);
    vec![
        faster("radix 2 with padding", &two[0], "radix 2 without", &two[1]),
        faster_by(SIGNIFICANT, "radix 4 and 8 without padding", &more[0], "with it", &more[1])
            .because("A gain of more than a tenth counts as significant.")
            .beside(all),
    ]
}

/// Takes errors with factors from a table, with the GPU's sine and cosine, and of cuFFT.
fn more_accurate(table: &BySize, sines: &BySize, cufft: &BySize) -> Verdict {
    let sines = Compared::new("error with sine and cosine", sines, "with a table", table);
    let cufft = Compared::new("error of cuFFT", cufft, "of this library", table);
    let verdict = match cufft.range() {
        None => Verdict::unmeasured(
            "The error of cuFFT was not measured. `--peer-file` gives it, for batches of 16 lines.",
        ),
        Some(range) => Verdict::new(
            Holds::of(cufft.values.iter().map(|(_, ratio)| *ratio > 1.0 + SIGNIFICANT)),
            format!("The error of cuFFT is {range} times that of Stockham here."),
        ),
    };
    let text = sines.range().map_or(String::new(), |range| {
        format!("Sine and cosine of the GPU give {range} times the error of a table.")
    });
    verdict.because(&text).beside(cufft).beside(sines)
}

/// Takes errors of the chirp and of Stockham. Three transforms of twice the length, and products between them,
/// make some times the error of one. Angles n^2 pi / N in 32-bit floats would make some hundred times.
fn exact_chirp(chirp: &BySize, stockham: &BySize) -> Verdict {
    const SOME: f64 = 5.0;
    let compared = Compared::new("error of Bluestein", chirp, "of Stockham", stockham);
    let Some(range) = compared.range() else {
        return Verdict::unmeasured("Both were not measured beside each other.");
    };
    let holds = Holds::of(compared.values.iter().map(|(_, ratio)| *ratio < SOME));
    let text = format!(
        "The error of Bluestein is {range} times that of Stockham. Up to {SOME} is what its three \
         transforms explain. Here the angles are reduced in integers, too."
    );
    Verdict::new(holds, text).beside(compared)
}

/// Takes GFLOPS of this library and of cuFFT.
fn twice_cufft(own: &BySize, cufft: &BySize) -> Verdict {
    let compared = Compared::new("GFLOPS of this library", own, "of cuFFT", cufft);
    let Some(range) = compared.range() else {
        return Verdict::unmeasured("cuFFT was not measured beside it.");
    };
    let values = || compared.values.iter().map(|(_, ratio)| *ratio);
    let leads = values().filter(|ratio| *ratio > 1.0 + EQUAL).count();
    // A smaller lead than the paper's, at half of the lengths or more, holds in part.
    let holds = match Holds::of(values().map(|ratio| ratio >= 2.0)) {
        Holds::No if 2 * leads >= values().count() => Holds::InPart,
        holds => holds,
    };
    Verdict::new(holds, format!("This library has {range} times the GFLOPS of cuFFT."))
        .beside(compared)
}

/// Takes GFLOPS by the number of lines, of a short and a long length.
fn batches_fill(lengths: &[BySize; 2]) -> Verdict {
    let gains: Vec<(u64, f64)> = lengths
        .iter()
        .filter_map(|line| Some((line.last()?.0, line.last()?.1 / line.first()?.1)))
        .collect();
    let is_sweep = lengths[0].len() > 1;
    let Some((most, gain)) = gains.first().filter(|_| is_sweep) else {
        return Verdict::unmeasured("Lines were not measured in several numbers.");
    };
    let fewest = lengths[0][0].0;
    let mut text = format!("{most} short lines have {gain:.1} times the GFLOPS of {fewest}.");
    if let Some((most, gain)) = gains.get(1) {
        text += &format!(" {most} long lines have {gain:.1} times.");
    }
    let holds = Holds::of(gains.iter().map(|(_, gain)| *gain > 2.0));
    let compared = [("256 points", &lengths[0]), ("4096 points", &lengths[1])]
        .map(|(what, line)| Compared { what: format!("GFLOPS of {what}"), values: line.clone() });
    compared.into_iter().fold(Verdict::new(holds, text), Verdict::beside)
}

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

    #[test]
    fn padding_is_judged_by_radix() {
        let judge = |padded: [f64; 3]| {
            let line = |values: &[f64]| doubling(2, values);
            let verdicts = padding(&line(&[1.0, 1.0, 1.0]), &line(&padded));
            [verdicts[0].holds, verdicts[1].holds]
        };
        assert_eq!(judge([1.1, 0.8, 0.7]), [Yes, Yes]);
        assert_eq!(judge([0.9, 0.8, 0.95]), [No, InPart]);
        assert_eq!(judge([1.0, 1.0, 1.2]), [No, No]);
        let nothing = padding(&Vec::new(), &Vec::new());
        assert!(nothing.iter().all(|verdict| verdict.holds == Unmeasured));
    }

    #[test]
    fn accuracy_is_judged_beside_cufft_and_stockham() {
        let table = doubling(16, &[1.0, 1.0]);
        let judge = |cufft: &[f64]| more_accurate(&table, &table, &doubling(16, cufft)).holds;
        assert_eq!(judge(&[1.5, 1.2]), Yes);
        assert_eq!(judge(&[1.5, 1.0]), InPart);
        assert_eq!(judge(&[0.9, 1.0]), No);
        assert_eq!(judge(&[]), Unmeasured);
        let judge = |chirp: &[f64]| exact_chirp(&doubling(16, chirp), &table).holds;
        assert_eq!(judge(&[2.0, 3.0]), Yes);
        assert_eq!(judge(&[2.0, 30.0]), InPart);
        assert_eq!(judge(&[20.0, 300.0]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }

    #[test]
    fn a_lead_of_less_than_twice_cufft_holds_in_part() {
        let cufft = doubling(64, &[1.0, 1.0]);
        let judge = |own: &[f64]| twice_cufft(&doubling(64, own), &cufft).holds;
        assert_eq!(judge(&[2.0, 3.5]), Yes);
        assert_eq!(judge(&[1.0, 1.2]), InPart);
        assert_eq!(judge(&[0.9, 1.0]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }

    #[test]
    fn batches_are_judged_by_their_gain() {
        let judge = |short: &[f64], long: &[f64]| {
            batches_fill(&[doubling(1, short), doubling(1, long)]).holds
        };
        assert_eq!(judge(&[1.0, 9.0], &[1.0, 3.0]), Yes);
        assert_eq!(judge(&[1.0, 9.0], &[1.0, 1.5]), InPart);
        assert_eq!(judge(&[1.0, 1.5], &[]), No);
        assert_eq!(judge(&[1.0], &[]), Unmeasured);
    }
}
