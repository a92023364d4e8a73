//! The figures and tables: where each stands, what was found, what to measure and how to draw it.

use seaway::fft::lab::timing::Regime;
use seaway::fft::{Kind, Precision};

use super::Measurements;
use super::draw::{BySize, Drawn, Verdict, at, by_size, chart, faster, ratios, rows};
use crate::cli::bench::row::{Figures, Row};
use crate::cli::chart::{Chart, Line};

/// A figure or table of a paper.
pub struct Figure {
    /// On the command line, and of its files.
    pub name: &'static str,
    pub paper: &'static str,
    /// As the paper counts.
    pub number: &'static str,
    pub title: &'static str,
    pub found: &'static str,
    /// What it is drawn from, as arguments of `seaway`; in a hurry or not.
    pub commands: fn(bool) -> Vec<String>,
    pub draw: fn(&Measurements) -> Option<Drawn>,
}

const MOTA: &str = "Mota, High Performance Fourier Transforms on GPUs (2022)";
const UKIDAVE: &str = "Ukidave, Schirner and Kaeli, Fast Fourier Transform (FFT) on GPUs (2014)";
const LLOYD: &str =
    "Lloyd, Boyd and Govindaraju, Fast computation of general Fourier transforms on GPUs (2008)";
const ZHANG: &str = "Zhang et al., Parallel FFT on CUDA";
const GOVINDARAJU: &str = "Govindaraju et al., High Performance Discrete Fourier Transforms on Graphics Processors (2008), and Mateer, Fast Fourier Transform Algorithms (2008)";

/// Every figure, paper by paper.
pub const ALL: &[Figure] = &[
    Figure {
        name: "table-2",
        paper: MOTA,
        number: "Table 2",
        title: "the textbook algorithms on one processor core, milliseconds",
        found: "the DFT grows with the square of the length; decimation in time and in frequency take as long as each other, and the recursive FFT a little longer",
        commands: |quick| {
            let sizes = if quick { "128,256,512" } else { "128,256,512,1024,2048" };
            vec![format!("bench --cpu --size {sizes}")]
        },
        draw: table_2,
    },
    Figure {
        name: "13",
        paper: MOTA,
        number: "Figure 13",
        title: "a pass per stage or one pass, radix-2 Cooley-Tukey",
        found: "one pass that keeps its stages in the kernel is far faster than a pass per stage",
        commands: thesis,
        draw: |m| {
            let (each, one) = (time(m, "cooley-tukey-multipass"), time(m, "cooley-tukey"));
            let storage = time_in_storage(m, "cooley-tukey");
            let chart = thesis_chart(
                "Four 2D transforms: a pass per stage and one pass",
                &[
                    ("a pass per stage", &each),
                    ("one pass, stages in storage (as the thesis)", &storage),
                    ("one pass, stages in workgroup memory", &one),
                ],
            )?;
            let as_thesis = if storage.is_empty() { &one } else { &storage };
            let verdict = faster("A pass per stage", &each, "one pass", as_thesis);
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "14",
        paper: MOTA,
        number: "Figure 14",
        title: "radix-2 Cooley-Tukey and Stockham beside cuFFT",
        found: "radix-2 Stockham is faster than Cooley-Tukey with its bit reversal, and cuFFT than both",
        commands: thesis,
        draw: |m| {
            let (tukey, stockham) = in_thesis_form(m, "cooley-tukey", "stockham-r2");
            let cufft = peer(m, "cufft");
            let chart = thesis_chart(
                "Four 2D transforms of radix 2",
                &[("cooley-tukey", &tukey), ("stockham-r2", &stockham), ("cuFFT", &cufft)],
            )?;
            let mut verdict = faster("Cooley-Tukey", &tukey, "Stockham", &stockham);
            if !cufft.is_empty() {
                verdict = verdict.and(faster("Stockham", &stockham, "cuFFT", &cufft));
            }
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "15",
        paper: MOTA,
        number: "Figure 15",
        title: "radix-4 Stockham beside cuFFT",
        found: "radix-4 Stockham is much faster than radix 2, halfway to cuFFT",
        commands: thesis,
        draw: |m| {
            let (two, four) = in_thesis_form(m, "stockham-r2", "stockham-r4");
            let (cufft, best) = (peer(m, "cufft"), time(m, "best"));
            let chart = thesis_chart(
                "Four 2D transforms: radix 2, radix 4, cuFFT",
                &[
                    ("stockham-r2", &two),
                    ("stockham-r4", &four),
                    ("best of this library", &best),
                    ("cuFFT", &cufft),
                ],
            )?;
            let mut verdict = faster("Radix 2", &two, "radix 4", &four);
            if !cufft.is_empty() {
                verdict.text += &format!(" {}", faster("Radix 4", &four, "cuFFT", &cufft).text);
            }
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "16",
        paper: MOTA,
        number: "Figure 16",
        title: "several butterflies in each invocation, radix-2 Stockham",
        found: "more butterflies in each invocation, and so fewer invocations, make nothing faster",
        commands: |quick| {
            let sizes = if quick { "64,128" } else { "128,256,512,1024" };
            let form = "--batch 4 --layout pair --algorithm stockham-r2";
            ["1", "2", "4", "8"]
                .map(|count| {
                    format!(
                        "bench --size {sizes} {form} --row-butterflies {count} --column-butterflies {count}"
                    )
                })
                .to_vec()
        },
        draw: |m| {
            let lines = [1, 2, 4, 8].map(|count: u64| {
                let has = move |row: &Row| {
                    let is = |name: &str| {
                        row.parameters.get(name).and_then(|v| v.as_u64()) == Some(count)
                    };
                    row.algorithm == "stockham-r2"
                        && is("row-butterflies")
                        && is("column-butterflies")
                };
                by_size(m, has, median)
            });
            let [one, two, four, eight] = &lines;
            let chart = thesis_chart(
                "Four 2D transforms: butterflies of each invocation",
                &[("1", one), ("2", two), ("4", four), ("8", eight)],
            )?;
            let all = [("2", two), ("4", four), ("8", eight)];
            let compared: Vec<_> =
                all.iter().flat_map(|(_, line)| ratios(line, one)).map(|(_, r)| r).collect();
            let says = |(count, line): &(&str, &BySize)| {
                let list = ratios(line, one).into_iter().map(|(n, r)| format!("{r:.2} at {n}"));
                format!(
                    "With {count} it takes {} of the time.",
                    list.collect::<Vec<_>>().join(", ")
                )
            };
            let text = all.iter().map(says).collect::<Vec<_>>().join(" ");
            let holds = (!compared.is_empty()).then(|| compared.iter().all(|ratio| *ratio > 0.97));
            let verdict = Verdict { holds, text }.because(
                "Registers that hold more values are better used by larger radices, as in \
                 stockham-r8.",
            );
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "20",
        paper: MOTA,
        number: "Figure 20",
        title: "GPU time of the horizontal and vertical passes of an ocean of 512",
        found: "radix-2 Stockham in one pass each takes far less than radix-2 Cooley-Tukey with a pass per stage",
        commands: |quick| ocean_passes(quick, 512),
        draw: |m| passes(m, 512, &["cooley-tukey-multipass", "stockham-r2"]),
    },
    Figure {
        name: "21",
        paper: MOTA,
        number: "Figure 21",
        title: "GPU time of the passes of an ocean of 1024",
        found: "radix-4 Stockham stands out: a pass per stage, then radix 2 in one pass, then radix 4",
        commands: |quick| ocean_passes(quick, 1024),
        draw: |m| passes(m, 1024, &["cooley-tukey-multipass", "stockham-r2", "stockham-r4"]),
    },
    Figure {
        name: "16.7",
        paper: UKIDAVE,
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
                    holds: None,
                    text: "This adapter has no 64-bit floats, or they were not measured.".into(),
                },
                false => {
                    let slower = ratios(&single, &double);
                    let list: Vec<_> =
                        slower.iter().map(|(n, r)| format!("{r:.2} at {n}")).collect();
                    Verdict {
                        holds: (!slower.is_empty())
                            .then(|| slower.iter().all(|(_, ratio)| *ratio > 1.03)),
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
        paper: UKIDAVE,
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
            let verdict =
                faster("By columns in place of transposes", &columns, "transposes", &transposed);
            let text = verdict
                .text
                .replace("takes", "has")
                .replace("times as long as", "times the GFLOPS of");
            Some(Drawn { chart, verdict: Verdict { text, ..verdict } })
        },
    },
    Figure {
        name: "002-8",
        paper: LLOYD,
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
                    let complex = Row {
                        kind: Kind::Complex,
                        layout: seaway::fft::Layout::Pair,
                        ..row.clone()
                    };
                    row.algorithm == "best"
                        && row.kind == kind
                        && row.layout == seaway::fft::Layout::Planar
                        && is_of_images(&complex)
                        && wanted(super::draw::side(row))
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
            let list: Vec<_> = shares.iter().map(|(n, r)| format!("{r:.2} at {n}")).collect();
            let verdict = Verdict {
                holds: (!shares.is_empty()).then(|| shares.iter().all(|(_, share)| *share < 0.75)),
                text: format!(
                    "Real data take {} of the complex time. Products of small primes need no \
                     convolution here (mixed-radix); primes still do (bluestein).",
                    list.join(", ")
                ),
            };
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "003-table-2",
        paper: ZHANG,
        number: "Table 2, Figures 6 and 7",
        title: "a line by one invocation, by many, and by the processor",
        found: "one invocation is far slower than a processor, and many are faster from some size on: 50 times at 32,768 points",
        commands: |quick| {
            let sizes = if quick { "128,256" } else { "128,256,512,1024,2048,4096" };
            let cpu = if quick { "128,256,512" } else { "128,256,512,1024,2048" };
            vec![
                format!("bench --size {sizes} --invocations 1 --algorithm stockham-r2"),
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
        paper: ZHANG,
        number: "Table 3, Figure 8",
        title: "512 points by 1 to 256 invocations",
        found: "the speed-up S_p = T_1 / T_p stays below p, and falls behind it as p grows: 168 at 256",
        commands: |quick| {
            let size = if quick { "128 --invocations 1..64" } else { "512 --invocations 1..256" };
            vec![format!("bench --size {size} --algorithm stockham-r2,cooley-tukey")]
        },
        draw: invocations,
    },
    Figure {
        name: "004-radix",
        paper: GOVINDARAJU,
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
        paper: GOVINDARAJU,
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
                holds: (!long.is_empty()).then(|| long.iter().all(|(_, ratio)| *ratio < 3.5)),
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
        paper: GOVINDARAJU,
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

/// Of figures 13 to 15.
fn thesis(quick: bool) -> Vec<String> {
    let sizes = if quick { "64,128" } else { "128,256,512,1024" };
    let form = format!("bench --size {sizes} --batch 4 --layout pair --algorithm");
    vec![
        format!("{form} cooley-tukey-multipass,cooley-tukey,stockham-r2,stockham-r4,best"),
        format!("{form} cooley-tukey,stockham-r2,stockham-r4 --ping-pong storage"),
    ]
}

fn ocean_passes(quick: bool, size: u32) -> Vec<String> {
    let size = if quick { size / 4 } else { size };
    vec![format!(
        "bench --size {size} --batch 4 --layout pair --placement in-place --axes --algorithm \
         cooley-tukey-multipass,stockham-r2,stockham-r4"
    )]
}

fn median(figures: &Figures) -> Option<f64> {
    Some(figures.median_us)
}

/// Four complex images by `name` as it comes.
fn of_images(name: &'static str) -> impl Fn(&Row) -> bool {
    move |row| row.algorithm == name && is_of_images(row)
}

fn is_of_images(row: &Row) -> bool {
    row.dimensions == 2
        && row.kind == Kind::Complex
        && row.batch == 4
        && row.precision == Precision::F32
        && row.regime == Regime::Hot
        && row.placement == "out_of_place"
        && row.layout == seaway::fft::Layout::Pair
        && row.parameters.is_empty()
}

fn time(m: &Measurements, name: &'static str) -> BySize {
    by_size(m, of_images(name), median)
}

/// As the thesis' kernels: the stages of one dispatch alternate between two images in memory.
fn time_in_storage(m: &Measurements, name: &'static str) -> BySize {
    let has = move |row: &Row| {
        let in_storage = row.parameters.get("ping-pong").is_some_and(|value| value == "storage");
        let form = Row { parameters: Default::default(), ..row.clone() };
        row.algorithm == name && in_storage && is_of_images(&form)
    };
    by_size(m, has, median)
}

/// Both in storage where that was measured, as in the thesis, else both as they come.
fn in_thesis_form(m: &Measurements, a: &'static str, b: &'static str) -> (BySize, BySize) {
    let storage = (time_in_storage(m, a), time_in_storage(m, b));
    if storage.0.is_empty() { (time(m, a), time(m, b)) } else { storage }
}

fn peer(m: &Measurements, key: &'static str) -> BySize {
    by_size(m, is_of_images, |figures| figures.peer_us.get(key).copied())
}

fn on_processor(m: &Measurements, name: &str) -> BySize {
    let mut line: BySize = Vec::new();
    for row in m.cpu.iter().filter(|row| row.algorithm == name) {
        if line.iter().all(|(known, _)| *known != u64::from(row.length)) {
            line.push((row.length.into(), row.median_us));
        }
    }
    line
}

fn thesis_chart(title: &str, lines: &[(&str, &BySize)]) -> Option<Chart> {
    chart(title, ["side of an image", "time [us]"], lines)
}

fn table_2(m: &Measurements) -> Option<Drawn> {
    let names = ["dft", "dit", "dif", "recursive", "rustfft"];
    let ms = |name: &str| -> BySize {
        on_processor(m, name).into_iter().map(|(n, us)| (n, us / 1000.0)).collect()
    };
    let lines = names.map(ms);
    let named: Vec<_> = names.iter().copied().zip(&lines).collect();
    let chart = chart("One line on one processor core", ["points", "time [ms]"], &named)?;
    let [dft, dit, dif, recursive, _] = &lines;
    let growth: Vec<_> = dft.windows(2).map(|pair| pair[1].1 / pair[0].1).collect();
    let grows = growth.iter().all(|times| (3.0..6.0).contains(times));
    let alike = ratios(dit, dif).iter().all(|(_, ratio)| (0.7..1.4).contains(ratio));
    let list: Vec<_> = growth.iter().map(|times| format!("{times:.1}")).collect();
    let verdict = Verdict {
        holds: (!growth.is_empty()).then_some(grows && alike),
        text: format!(
            "From one length to twice it the DFT takes {} times as long.",
            list.join(", ")
        ),
    }
    .and(faster("Recursion", recursive, "decimation in time", dit));
    Some(Drawn { chart, verdict })
}

/// Rows and columns of each algorithm, at `size` or at what stands for it.
fn passes(m: &Measurements, size: u64, names: &[&'static str]) -> Option<Drawn> {
    let found = |name: &str, size: u64| {
        let has = |row: &Row| {
            let elsewhere = Row { placement: "out_of_place".into(), ..row.clone() };
            row.algorithm == name
                && row.placement == "in_place"
                && super::draw::side(row) == size
                && is_of_images(&elsewhere)
        };
        let mut both =
            rows(m, has).filter_map(|(_, figures)| Some([figures.row_us?, figures.column_us?]));
        both.next()
    };
    // In a hurry a quarter stands for it.
    let size = [size, size / 4].into_iter().find(|size| found(names[0], *size).is_some())?;
    let lines = names.iter().filter_map(|name| {
        let values = found(name, size)?.map(Some).to_vec();
        Some(Line { name: (*name).to_owned(), values, is_reference: false })
    });
    let lines: Vec<_> = lines.collect();
    // Of one alone there is nothing to say.
    if lines.len() < 2 {
        return None;
    }
    let total = |line: &Line| line.values.iter().flatten().sum::<f64>();
    let list: Vec<_> =
        lines.iter().map(|line| format!("{} {:.1} us", line.name, total(line))).collect();
    let falls = lines.windows(2).all(|pair| total(&pair[0]) > 1.03 * total(&pair[1]));
    Some(Drawn {
        verdict: Verdict {
            holds: Some(falls),
            text: format!(
                "Both passes together, at {size}: {}. `seaway profile --compare` times them in the frames \
                 that they drive, the processor's side too.",
                list.join(", ")
            ),
        },
        chart: Chart {
            title: format!("Four transforms of {size} x {size}, in place"),
            x_label: "pass".into(),
            y_label: "time [us]".into(),
            places: vec!["horizontal".into(), "vertical".into()],
            lines,
            ..Chart::default()
        },
    })
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
    let most = stockham.last().copied().unwrap_or((1, 1.0));
    let holds = stockham.iter().all(|(p, speed_up)| *speed_up <= 1.05 * *p as f64);
    let half = at(&stockham, most.0 / 2).unwrap_or(most.1);
    Some(Drawn {
        chart,
        verdict: Verdict {
            holds: (stockham.len() > 1).then_some(holds && most.1 / half < 2.0),
            text: format!(
                "{:.1} at {} invocations, {half:.1} at half as many. Neighbouring invocations share \
                 transactions with memory, which one alone pays for by itself.",
                most.1, most.0
            ),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_one_figure_each() {
        for (number, figure) in ALL.iter().enumerate() {
            assert!(ALL[..number].iter().all(|other| other.name != figure.name), "{}", figure.name);
            assert!(!(figure.commands)(true).is_empty() && !(figure.commands)(false).is_empty());
        }
    }

    /// Of nothing measured nothing is drawn.
    #[test]
    fn without_measurements_there_are_no_figures() {
        let json = r#"{"adapter": "A", "driver": "", "backend": "", "peers": [], "date": "",
            "seaway": "", "command": "", "complete": true, "rows": []}"#;
        let nothing: Measurements = serde_json::from_str(json).unwrap();
        for figure in ALL {
            assert!((figure.draw)(&nothing).is_none(), "{}", figure.name);
        }
    }
}
