//! Of Mota's thesis.

use seaway::fft::Layout;

use super::super::Measurements;
use super::super::draw::{
    BySize, Drawn, Holds, Verdict, at, by_size, chart, faster, ratios, rows, side,
};
use super::{Figure, is_of_images, median, on_processor, thesis_chart, time};
use crate::cli::bench::row::Row;
use crate::cli::chart::{Chart, Line};

const PAPER: &str = "Mota, High Performance Fourier Transforms on GPUs (2022)";

pub const FIGURES: &[Figure] = &[
    Figure {
        name: "table-2",
        paper: PAPER,
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
        paper: PAPER,
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
            let mut verdict = faster("A pass per stage", &each, "one pass", as_thesis);
            if !storage.is_empty() {
                let inside = faster("a pass per stage", &each, "one pass", &one);
                let why = "In storage a workgroup goes down its own columns at every stage, where a \
                           pass per stage goes along the rows; in workgroup memory";
                verdict = verdict.because(&format!("{why} {}", inside.text));
            }
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "14",
        paper: PAPER,
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
        paper: PAPER,
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
                // Halfway on a scale of factors: as far from radix 2 as from cuFFT.
                let is_halfway = |(side, gained): &(u64, f64)| {
                    at(&cufft, *side)
                        .zip(at(&four, *side))
                        .is_some_and(|(cufft, four)| *gained >= four / cufft)
                };
                let halfway = Verdict {
                    holds: Holds::of(ratios(&two, &four).iter().map(is_halfway)),
                    text: faster("Radix 4", &four, "cuFFT", &cufft).text,
                };
                verdict = verdict.and(halfway);
            }
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "16",
        paper: PAPER,
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
            let holds = Holds::of(compared.iter().map(|ratio| *ratio > 0.97));
            let verdict = Verdict { holds, text }.because(
                "Registers that hold more values are better used by larger radices, as in \
                 stockham-r8.",
            );
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "17",
        paper: PAPER,
        number: "Figure 17",
        title: "the same radix-2 kernels in CUDA and in WGSL",
        found: "CUDA takes a little longer than GLSL, and in CUDA radix-2 Stockham takes longer than Cooley-Tukey as of 512 points, which in GLSL it does not",
        commands: cuda,
        draw: |m| {
            let [wgsl_tukey, wgsl_stockham] =
                ["cooley-tukey", "stockham-r2"].map(|name| line_by_line(m, name));
            let [tukey, stockham] = ["cooley_tukey", "stockham_r2"].map(|name| by_cuda(m, name));
            let [tukey_surface, stockham_surface] =
                ["cooley_tukey_surface", "stockham_r2_surface"].map(|name| by_cuda(m, name));
            if tukey.is_empty() {
                return None;
            }
            let chart = thesis_chart(
                "Four 2D transforms: CUDA and WGSL, radix 2",
                &[
                    ("cooley-tukey, WGSL", &wgsl_tukey),
                    ("cooley-tukey, CUDA, linear memory", &tukey),
                    ("cooley-tukey, CUDA, surfaces", &tukey_surface),
                    ("stockham-r2, WGSL", &wgsl_stockham),
                    ("stockham-r2, CUDA, linear memory", &stockham),
                    ("stockham-r2, CUDA, surfaces", &stockham_surface),
                ],
            )?;
            let verdict = faster("Cooley-Tukey in CUDA", &tukey, "in WGSL", &wgsl_tukey)
                .and(faster("Stockham in CUDA", &stockham, "in WGSL", &wgsl_stockham));
            // In surfaces, as in the thesis.
            let large = |line: &BySize| -> BySize {
                line.iter().copied().filter(|(side, _)| *side >= 512).collect()
            };
            let within_cuda = faster(
                "Within CUDA, in surfaces, Stockham",
                &large(&stockham_surface),
                "Cooley-Tukey",
                &large(&tukey_surface),
            );
            let surfaces = faster(
                "Cooley-Tukey in CUDA in linear memory",
                &tukey,
                "in surfaces",
                &tukey_surface,
            );
            let why = "Small images wait between dispatches, which a CUDA graph brings closer to \
                       one another. Surfaces lie in tiles, of which what goes down a column gains.";
            let verdict = verdict.and(within_cuda).because(why).because(&surfaces.text);
            Some(Drawn { chart, verdict })
        },
    },
    Figure {
        name: "18",
        paper: PAPER,
        number: "Figure 18",
        title: "radix-4 Stockham in CUDA and in WGSL",
        found: "radix 4 is faster than radix 2 in CUDA as in GLSL",
        commands: cuda,
        draw: |m| {
            let [wgsl_two, wgsl_four] =
                ["stockham-r2", "stockham-r4"].map(|name| line_by_line(m, name));
            let [two, four] = ["stockham_r2", "stockham_r4"].map(|name| by_cuda(m, name));
            let [two_surface, four_surface] =
                ["stockham_r2_surface", "stockham_r4_surface"].map(|name| by_cuda(m, name));
            if four.is_empty() {
                return None;
            }
            let chart = thesis_chart(
                "Four 2D transforms: CUDA and WGSL, radix 4",
                &[
                    ("stockham-r2, WGSL", &wgsl_two),
                    ("stockham-r2, CUDA, linear memory", &two),
                    ("stockham-r2, CUDA, surfaces", &two_surface),
                    ("stockham-r4, WGSL", &wgsl_four),
                    ("stockham-r4, CUDA, linear memory", &four),
                    ("stockham-r4, CUDA, surfaces", &four_surface),
                ],
            )?;
            let verdict = faster("In surfaces, radix 2", &two_surface, "radix 4", &four_surface)
                .and(faster("In linear memory, radix 2", &two, "radix 4", &four))
                .and(faster("In WGSL, radix 2", &wgsl_two, "radix 4", &wgsl_four));
            let languages = faster("Radix 4 in CUDA", &four, "in WGSL", &wgsl_four);
            Some(Drawn { chart, verdict: verdict.because(&languages.text) })
        },
    },
    Figure {
        name: "20",
        paper: PAPER,
        number: "Figure 20",
        title: "time of the GPU and the processor for the horizontal and vertical passes of an ocean of 512",
        found: "radix-2 Stockham in one pass each takes far less than radix-2 Cooley-Tukey with a pass per stage",
        commands: |quick| ocean_passes(quick, 512),
        draw: |m| passes(m, 512, &["cooley-tukey-multipass", "stockham-r2"]),
    },
    Figure {
        name: "21",
        paper: PAPER,
        number: "Figure 21",
        title: "time of both for the passes of an ocean of 1024",
        found: "radix-4 Stockham stands out: a pass per stage, then radix 2 in one pass, then radix 4",
        commands: |quick| ocean_passes(quick, 1024),
        draw: |m| passes(m, 1024, &["cooley-tukey-multipass", "stockham-r2", "stockham-r4"]),
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

/// Of figures 17 and 18: CUDA's kernels, and the same in WGSL with their invocations. The batch is
/// planar, as theirs is.
fn cuda(quick: bool) -> Vec<String> {
    let sizes = if quick { "64,128" } else { "128,256,512,1024" };
    vec![format!(
        "bench --size {sizes} --batch 4 --layout planar --algorithm cooley-tukey,stockham-r2,stockham-r4 \
         --ping-pong storage --row-lines 1 --column-lines 1 --row-butterflies 1 \
         --column-butterflies 1 --peer cuda-kernels"
    )]
}

/// In WGSL as the thesis' kernels: a line a workgroup, a butterfly an invocation.
fn line_by_line(m: &Measurements, name: &'static str) -> BySize {
    by_size(m, is_line_by_line(name), median)
}

fn is_line_by_line(name: &'static str) -> impl Fn(&Row) -> bool {
    move |row| {
        let form = Row { parameters: Default::default(), layout: Layout::Pair, ..row.clone() };
        let is_one = |name: &str| row.parameters.get(name).and_then(|v| v.as_u64()) == Some(1);
        row.algorithm == name
            && row.layout == Layout::Planar
            && row.parameters.get("ping-pong").is_some_and(|value| value == "storage")
            && is_one("row-lines")
            && is_one("column-lines")
            && is_of_images(&form)
    }
}

/// By one of CUDA's kernels, in the same run.
fn by_cuda(m: &Measurements, name: &str) -> BySize {
    let key = format!("cuda_{name}");
    by_size(m, is_line_by_line("stockham-r2"), |figures| figures.peer_us.get(&key).copied())
}

fn ocean_passes(quick: bool, size: u32) -> Vec<String> {
    let size = if quick { size / 4 } else { size };
    vec![format!(
        "bench --size {size} --batch 4 --layout pair --placement in-place --axes --algorithm \
         cooley-tukey-multipass,stockham-r2,stockham-r4"
    )]
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
        holds: Holds::of((!growth.is_empty()).then_some(grows && alike)),
        text: format!(
            "From one length to twice it the DFT takes {} times as long.",
            list.join(", ")
        ),
    }
    .and(faster("Recursion", recursive, "decimation in time", dit));
    // A little longer, it said.
    let is_little = ratios(recursive, dit).iter().all(|(_, ratio)| *ratio < 2.0);
    let holds = match verdict.holds {
        Holds::Yes if !is_little => Holds::InPart,
        holds => holds,
    };
    let verdict = Verdict { holds, ..verdict }
        .because("It makes new arrays at every level, where the others work in place.");
    Some(Drawn { chart, verdict })
}

/// Rows and columns of each algorithm, at `size` or at what stands for it.
fn passes(m: &Measurements, size: u64, names: &[&'static str]) -> Option<Drawn> {
    let found = |name: &str, size: u64| {
        let has = |row: &Row| {
            let elsewhere = Row { placement: "out_of_place".into(), ..row.clone() };
            row.algorithm == name
                && row.placement == "in_place"
                && side(row) == size
                && is_of_images(&elsewhere)
        };
        // What the processor takes is not in older measurements.
        let mut all = rows(m, has).filter_map(|(_, figures)| {
            Some([
                Some(figures.row_us?),
                Some(figures.column_us?),
                figures.row_encode_us,
                figures.column_encode_us,
            ])
        });
        all.next()
    };
    // In a hurry a quarter stands for it.
    let size = [size, size / 4].into_iter().find(|size| found(names[0], *size).is_some())?;
    let lines = names.iter().filter_map(|name| {
        let values = found(name, size)?.to_vec();
        Some(Line { name: (*name).to_owned(), values, is_reference: false })
    });
    let lines: Vec<_> = lines.collect();
    // Of one alone there is nothing to say.
    if lines.len() < 2 {
        return None;
    }
    let total = |line: &Line, side: std::ops::Range<usize>| -> f64 {
        line.values[side].iter().flatten().sum()
    };
    let (gpu, cpu) = (0..2, 2..4);
    let list: Vec<_> = lines
        .iter()
        .map(|line| {
            let (gpu_us, cpu_us) = (total(line, gpu.clone()), total(line, cpu.clone()));
            // Older measurements do not know it.
            let processor = match line.values[cpu.clone()].iter().all(Option::is_some) {
                true => format!(" and {cpu_us:.1} us of the processor"),
                false => String::new(),
            };
            format!("{} {gpu_us:.1} us of the GPU{processor}", line.name)
        })
        .collect();
    let falls = lines
        .windows(2)
        .all(|pair| total(&pair[0], gpu.clone()) > 1.03 * total(&pair[1], gpu.clone()));
    Some(Drawn {
        verdict: Verdict {
            holds: Holds::of([falls]),
            text: format!(
                "Both passes together, at {size}: {}. The processor records dispatches; the thesis' \
                 sets a stage number between them, too. `seaway profile --compare` times all of it in \
                 the frames that the passes drive.",
                list.join("; ")
            ),
        },
        chart: Chart {
            title: format!("Four transforms of {size} x {size}, in place"),
            x_label: "pass".into(),
            y_label: "time [us]".into(),
            places: ["horizontal, GPU", "vertical, GPU", "horizontal, CPU", "vertical, CPU"]
                .map(String::from)
                .to_vec(),
            logarithmic: true,
            is_of_kinds: true,
            lines,
            ..Chart::default()
        },
    })
}
