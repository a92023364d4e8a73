mod verdicts;

use crate::fft::Layout;
use crate::fft::lab::{Algorithm, Value};

use super::super::Measurements;
use super::super::command::{Bench, Command, KernelOf};
use super::super::draw::{BySize, Drawn, Verdict, by_size, chart, rows, side};
use super::super::frames::Frames;
use super::super::sizes::{growth, reversal};
use super::{
    Claim, Figure, doubles, images, is_of_images, median, on_processor, thesis_chart, time,
};
use crate::bench::{Chart, Form, Line, Peer, Row};
use verdicts::{
    Form as StagesIn, cuda_is_slower, frame_rate, halfway, in_storage, lead_is_lost,
    more_butterflies, one_pass, order_differs, radix_4_is_faster, radix_4_leads,
    radix_4_stands_out, shorter_frames, shorter_passes, stockham_leads, stockham_loses, textbook,
};

const PAPER: &str = "Mota, High Performance Fourier Transforms on GPUs (2022)";

const IN_IMAGES: &str = "As in the thesis, the stages alternate between two images. The first loads a \
    buffer, and the last stores to one. One pass for all stages needs images that a kernel reads and \
    writes. Storage buffers and workgroup memory stand beside them, and decide where such images are \
    missing.";

const IN_SURFACES: &str = "The thesis' CUDA kernels work in surfaces, which lie in tiles as its images \
    do. The kernels in WGSL work in storage buffers here. CUDA's are timed in surfaces, the form of the \
    thesis, and in linear memory. Each workgroup transforms one line.";

const IN_FRAMES: &str = "The thesis draws an ocean of four transforms, as one mesh of about 2 million \
    vertices, with its kernels in images. The picture shows the passes of four transforms here, in \
    place.";

const SECTION_6_4_2: &str = "Section 6.4.2, page 47";

pub const FIGURES: &[Figure] = &[
    Figure {
        name: "table-2",
        paper: PAPER,
        number: "Table 2",
        title: "the textbook algorithms on one processor core, milliseconds",
        form: "One line is transformed on one processor core, in 64-bit floats and in one direction. \
            The thesis gives times for both directions.",
        claims: &[
            Claim {
                found: "All FFTs are far faster than the DFT.",
                quote: "all FFT variants perform critically better than the original formulation",
                place: "Chapter 3, page 19",
            },
            Claim {
                found: "The time of the DFT grows exponentially with the length.",
                quote: "the Discrete Fourier Transform increases exponentially for higher sized \
                    sequences",
                place: "Chapter 3, page 19",
            },
            Claim {
                found: "Decimation in time and in frequency are the fastest at every length.",
                quote: "the DIT and DIF algorithms overrule the other alternatives for every sized \
                    input",
                place: "Chapter 3, page 19",
            },
        ],
        commands: |quick| {
            let sizes = if quick { doubles(64, 256) } else { doubles(128, 2048) };
            vec![Command::Cpu(sizes)]
        },
        has_frames: false,
        draw: |m| {
            let names = ["dft", "dit", "dif", "recursive", "rustfft"];
            // Other figures measure longer lines.
            let ms = |name: &str| -> BySize {
                let line = on_processor(m, name).into_iter();
                line.filter(|(n, _)| *n <= 2048).map(|(n, us)| (n, us / 1000.0)).collect()
            };
            let lines = names.map(ms);
            let named: Vec<_> = names.iter().copied().zip(&lines).collect();
            let chart = chart("One line on one processor core", ["points", "time [ms]"], &named)?;
            let [dft, dit, dif, recursive, _] = &lines;
            Some(Drawn { chart, verdicts: textbook(dft, dit, dif, recursive) })
        },
    },
    Figure {
        name: "kernel-sizes",
        paper: PAPER,
        number: "Sections 5.3.1 and 6.2",
        title: "the sizes of kernels, bytes of SPIR-V",
        form: "The thesis measures with glslang, which makes SPIR-V of GLSL. Here naga makes it of WGSL, \
            for rows of images of 256 x 256, with the stages in images. `reverseBits` is WGSL's name \
            of `bitfieldReverse`.",
        claims: &[
            Claim {
                found: "The built-in bit reversal makes the kernel about 400 bytes smaller than one by hand.",
                quote: "using these functions instead of a handmade implementation reduces the kernel size \
                    significantly about approximately 400 bytes (evaluated using glslang)",
                place: "Section 5.3.1",
            },
            Claim {
                found: "The kernel of radix 4 is 70% larger than that of radix 2, which fewer barriers make \
                    up for.",
                quote: "less stages means less sync points, hence, compensating the 70% kernel size \
                    increase of the radix-4 version",
                place: "Section 6.2, after Figure 13",
            },
        ],
        commands: |_| {
            let kernel = |algorithm, number| Command::Kernel(KernelOf { algorithm, number });
            vec![
                kernel(Algorithm::CooleyTukeyMultipass, Some(2)),
                kernel(Algorithm::CooleyTukey, None),
                kernel(Algorithm::StockhamR2, None),
                kernel(Algorithm::StockhamR4, None),
            ]
        },
        has_frames: false,
        draw: |m| {
            let size = |name: &str| m.kernels.iter().find(|kernel| kernel.algorithm == name);
            let names = ["cooley-tukey-multipass", "cooley-tukey", "stockham-r2", "stockham-r4"];
            let sizes = names.map(|name| size(name).map(|kernel| kernel.spirv_bytes as f64));
            let chart = Chart {
                title: "Kernels of rows of 256 points, with the stages in images".into(),
                x_label: "kernel".into(),
                y_label: "SPIR-V [bytes]".into(),
                places: names.map(String::from).to_vec(),
                is_of_kinds: true,
                lines: vec![Line {
                    name: "bytes".into(),
                    values: sizes.to_vec(),
                    is_reference: false,
                }],
                ..Chart::default()
            };
            let verdicts =
                vec![reversal(size(names[0])?), growth(size(names[2])?, size(names[3])?, 256)];
            Some(Drawn { chart, verdicts })
        },
    },
    Figure {
        name: "13",
        paper: PAPER,
        number: "Figure 13",
        title: "a pass per stage or one pass, radix-2 Cooley-Tukey",
        form: IN_IMAGES,
        claims: &[
            Claim {
                found: "Frames are clearly shorter with one pass for each axis than with a pass per \
                    stage.",
                quote: "we can clearly notice this difference in Figure 13",
                place: "Section 6.2, page 39; the caption reads \"Frame time difference\"",
            },
            Claim {
                found: "A pass per stage costs much time between the stages.",
                quote: "The pass per stage approach introduces a lot of runtime overhead in between \
                    stages, since it needs to update the stage for the next iteration dispatch",
                place: "Section 6.2, page 39",
            },
        ],
        commands: thesis,
        has_frames: true,
        draw: |m| {
            let [each, one] = ["cooley-tukey-multipass", "cooley-tukey"];
            let images = [each, one].map(|name| time_in(m, name, IMAGE));
            let buffers = [time(m, each), time_in(m, one, STORAGE)];
            let inside = time(m, one);
            let chart = thesis_chart(
                "Four 2D transforms: a pass per stage and one pass",
                &[
                    ("a pass per stage (images)", &images[0]),
                    ("one pass, stages in images", &images[1]),
                    ("a pass per stage (buffers)", &buffers[0]),
                    ("one pass, stages in storage", &buffers[1]),
                    ("one pass, stages in workgroup memory", &inside),
                ],
            )?;
            let frames = [each, one].map(|name| frame_us(m, name));
            let verdicts = vec![
                shorter_frames(&frames[0], &frames[1], are_in_images(m)),
                one_pass(&[
                    ("images", images),
                    ("storage", buffers),
                    ("workgroup memory", [time(m, each), inside]),
                ]),
            ];
            Some(Drawn { chart, verdicts })
        },
    },
    Figure {
        name: "14",
        paper: PAPER,
        number: "Figure 14",
        title: "radix-2 Cooley-Tukey and Stockham beside cuFFT",
        form: IN_IMAGES,
        claims: &[
            Claim {
                found: "Radix-2 Stockham is faster than Cooley-Tukey with its bit reversal.",
                quote: "the GLSL radix-2 implementation of the Stockham algorithm has overall better \
                    performance comparing it to the Cooley-Tukey version",
                place: "Section 6.2, page 39",
            },
            Claim {
                found: "Stockham may lose this lead above 1024 points, for it reads less locally.",
                quote: "therefore, these results may not hold this way for larger sizes",
                place: "Section 6.2, page 39",
            },
        ],
        commands: |quick| {
            let mut commands = thesis(quick);
            let in_memory = |memory| {
                let larger = images(&[2048, 4096]).algorithm(&["cooley-tukey", "stockham-r2"]);
                larger.with(PING_PONG, Value::Choice(memory)).into()
            };
            if !quick {
                commands.extend([STORAGE, IMAGE].map(in_memory));
            }
            commands
        },
        has_frames: false,
        draw: |m| {
            let names = ["cooley-tukey", "stockham-r2"];
            let images = names.map(|name| time_in(m, name, IMAGE));
            let storage = names.map(|name| time_in(m, name, STORAGE));
            let inside = names.map(|name| time(m, name));
            let cufft = peer(m, "cufft");
            let chart = thesis_chart(
                "Four 2D transforms of radix 2",
                &[
                    ("cooley-tukey, in images", &images[0]),
                    ("stockham-r2, in images", &images[1]),
                    ("cooley-tukey, in storage", &storage[0]),
                    ("stockham-r2, in storage", &storage[1]),
                    ("cooley-tukey, in workgroup memory", &inside[0]),
                    ("stockham-r2, in workgroup memory", &inside[1]),
                    ("cuFFT", &cufft),
                ],
            )?;
            let forms = [("images", images), ("storage", storage), ("workgroup memory", inside)];
            let verdicts = vec![stockham_leads(&forms), lead_is_lost(&forms)];
            Some(Drawn { chart, verdicts })
        },
    },
    Figure {
        name: "15",
        paper: PAPER,
        number: "Figure 15",
        title: "radix-4 Stockham beside cuFFT",
        form: IN_IMAGES,
        claims: &[
            Claim {
                found: "Radix-4 Stockham is faster than radix 2.",
                quote: "the results for the radix-4 version of the Stockham algorithm outperform \
                    radix-2",
                place: "Section 6.2, page 39",
            },
            Claim {
                found: "Radix 4 brings the time halfway from radix 2 to cuFFT.",
                quote: "it drastically improved the performance halfway close to the cuFFT",
                place: "Section 6.2, page 39",
            },
        ],
        commands: thesis,
        has_frames: false,
        draw: |m| {
            let names = ["stockham-r2", "stockham-r4"];
            let images = names.map(|name| time_in(m, name, IMAGE));
            let storage = names.map(|name| time_in(m, name, STORAGE));
            let (cufft, best) = (peer(m, "cufft"), time(m, "best"));
            let chart = thesis_chart(
                "Four 2D transforms: radix 2, radix 4, cuFFT",
                &[
                    ("stockham-r2, in images", &images[0]),
                    ("stockham-r4, in images", &images[1]),
                    ("stockham-r2, in storage", &storage[0]),
                    ("stockham-r4, in storage", &storage[1]),
                    ("best of this library", &best),
                    ("cuFFT", &cufft),
                ],
            )?;
            let forms = [("images", images), ("storage", storage)];
            let verdicts = vec![radix_4_is_faster(&forms), halfway(&forms, &cufft)];
            Some(Drawn { chart, verdicts })
        },
    },
    Figure {
        name: "16",
        paper: PAPER,
        number: "Figure 16",
        title: "several butterflies in each invocation, radix-2 Stockham",
        form: IN_IMAGES,
        claims: &[Claim {
            found: "More butterflies in each invocation, and so fewer invocations, make nothing \
                faster.",
            quote: "This approach didn't improve the performance overall",
            place: "Section 6.2, after Figure 13",
        }],
        commands: |quick| {
            let in_memory = |memory: Option<&'static str>, count: u64| {
                let count = Value::Integer(count as u32);
                let mut bench = images(&swept_sizes(quick)).algorithm(&["stockham-r2"]);
                if let Some(memory) = memory {
                    bench = bench.with(PING_PONG, Value::Choice(memory));
                }
                bench.with("row-butterflies", count).with("column-butterflies", count).into()
            };
            [None, Some(STORAGE), Some(IMAGE)]
                .into_iter()
                .flat_map(|memory| BUTTERFLIES.map(|count| in_memory(memory, count)))
                .collect()
        },
        has_frames: false,
        draw: |m| {
            let forms =
                [("images", Some(IMAGE)), ("storage", Some(STORAGE)), ("workgroup memory", None)];
            let forms = forms.map(|(words, memory)| {
                let line = |count| by_size(m, has_butterflies(count, memory), median);
                (words, BUTTERFLIES.map(line))
            });
            let lines = forms.iter().flat_map(|(words, lines)| {
                let name = move |count: &u64| format!("{count}, in {words}");
                BUTTERFLIES.iter().map(name).zip(lines)
            });
            let lines: Vec<(String, &BySize)> = lines.collect();
            let named: Vec<_> = lines.iter().map(|(name, line)| (&**name, *line)).collect();
            let chart = thesis_chart("Four 2D transforms: butterflies of each invocation", &named)?;
            Some(Drawn { chart, verdicts: vec![more_butterflies(&forms)] })
        },
    },
    Figure {
        name: "17",
        paper: PAPER,
        number: "Figure 17",
        title: "the same radix-2 kernels in CUDA and in WGSL",
        form: IN_SURFACES,
        claims: &[
            Claim {
                found: "The kernels in GLSL are slightly faster than the same in CUDA.",
                quote: "The GLSL implementations have slightly better benchmarks and the Radix-2 \
                    Stockham version outperforms the implementations written in CUDA.",
                place: "Section 6.3, page 41",
            },
            Claim {
                found: "In CUDA, radix-2 Stockham is slower than Cooley-Tukey above 256 points, unlike \
                    in GLSL.",
                quote: "the CUDA implementation of Radix-2 Stockham has worst performance when sizes \
                    are above 256 than the Cooley-Tukey version which doesn't happen in GLSL",
                place: "Section 6.3, page 41",
            },
        ],
        commands: cuda,
        has_frames: false,
        draw: |m| {
            let names = ["cooley-tukey", "stockham-r2"];
            let wgsl = names.map(|name| line_by_line(m, name));
            let linear = ["cooley_tukey", "stockham_r2"].map(|name| by_cuda(m, name));
            let surface =
                ["cooley_tukey_surface", "stockham_r2_surface"].map(|name| by_cuda(m, name));
            if linear[0].is_empty() {
                return None;
            }
            let chart = thesis_chart(
                "Four 2D transforms: CUDA and WGSL, radix 2",
                &[
                    ("cooley-tukey, WGSL", &wgsl[0]),
                    ("cooley-tukey, CUDA, linear memory", &linear[0]),
                    ("cooley-tukey, CUDA, surfaces", &surface[0]),
                    ("stockham-r2, WGSL", &wgsl[1]),
                    ("stockham-r2, CUDA, linear memory", &linear[1]),
                    ("stockham-r2, CUDA, surfaces", &surface[1]),
                ],
            )?;
            let verdicts =
                vec![cuda_is_slower(&wgsl, &surface, &linear), stockham_loses(&wgsl, &surface)];
            Some(Drawn { chart, verdicts })
        },
    },
    Figure {
        name: "18",
        paper: PAPER,
        number: "Figure 18",
        title: "radix-4 Stockham in CUDA and in WGSL",
        form: IN_SURFACES,
        claims: &[
            Claim {
                found: "Radix-4 Stockham is faster than radix 2.",
                quote: "were we find that the Radix-4 version have overall better performance",
                place: "Section 6.3, page 41",
            },
            Claim {
                found: "The order of preference in GLSL, with radix-4 Stockham first, does not carry \
                    over to CUDA.",
                quote: "preferably in GLSL a programmer might want to implement this Radix-2 Stockham \
                    algorithm on the GPU, and if the target input buffer has a size multiple of 4, then \
                    the Radix-4 version should be used instead. However, this logic doesn't not apply \
                    the same way for CUDA implementations.",
                place: "Section 6.3, page 41",
            },
        ],
        commands: cuda,
        has_frames: false,
        draw: |m| {
            let names = ["stockham-r2", "stockham-r4"];
            let wgsl = names.map(|name| line_by_line(m, name));
            let linear = ["stockham_r2", "stockham_r4"].map(|name| by_cuda(m, name));
            let surface =
                ["stockham_r2_surface", "stockham_r4_surface"].map(|name| by_cuda(m, name));
            if linear[1].is_empty() {
                return None;
            }
            let chart = thesis_chart(
                "Four 2D transforms: CUDA and WGSL, radix 4",
                &[
                    ("stockham-r2, WGSL", &wgsl[0]),
                    ("stockham-r2, CUDA, linear memory", &linear[0]),
                    ("stockham-r2, CUDA, surfaces", &surface[0]),
                    ("stockham-r4, WGSL", &wgsl[1]),
                    ("stockham-r4, CUDA, linear memory", &linear[1]),
                    ("stockham-r4, CUDA, surfaces", &surface[1]),
                ],
            )?;
            let tukey = by_cuda(m, "cooley_tukey_surface");
            let verdicts = vec![
                radix_4_leads(&wgsl, &surface, &linear),
                order_differs(&tukey, &surface[0], &surface[1]),
            ];
            Some(Drawn { chart, verdicts })
        },
    },
    Figure {
        name: "20",
        paper: PAPER,
        number: "Figure 20",
        title: "the horizontal and vertical passes of an ocean of 512, on the GPU and the processor",
        form: IN_FRAMES,
        claims: &[
            Claim {
                found: "One radix-2 Stockham pass for each axis takes far less time than a pass per \
                    stage.",
                quote: "overall there is a huge improvement just by removing the stage update phase \
                    that is done on the CPU side",
                place: SECTION_6_4_2,
            },
            Claim {
                found: "This raises the frame rate by up to 20%.",
                quote: "When running the application its notable the performance difference, and the \
                    frame rate is improved up to 20%.",
                place: SECTION_6_4_2,
            },
        ],
        commands: |quick| ocean_passes(quick, 512),
        has_frames: true,
        draw: |m| {
            let ocean = Ocean::of(m, 512)?;
            let [each, two] = ["cooley-tukey-multipass", "stockham-r2"];
            let processor = |memory| [each, two].map(|name| ocean.both(m, name, memory, PROCESSOR));
            let images = processor(Some(IMAGE));
            let has_images = images.iter().all(|line| !line.is_empty());
            let verdicts = vec![
                shorter_passes(
                    &ocean.forms(m, &[each, two]),
                    &[each, two].map(|name| ocean.both(m, name, None, GPU)),
                    &if has_images { images } else { processor(None) },
                ),
                ocean.frame_rate(m, 20.0, two),
            ];
            Some(Drawn { chart: ocean.chart(m, &[each, two])?, verdicts })
        },
    },
    Figure {
        name: "21",
        paper: PAPER,
        number: "Figure 21",
        title: "the horizontal and vertical passes of an ocean of 1024, on the GPU and the processor",
        form: IN_FRAMES,
        claims: &[
            Claim {
                found: "The passes of radix-4 Stockham stand out as the fastest.",
                quote: "Testing the demo for higher quality waves the radix-4 Stockham performance \
                    stands out in Figure 21, as predicted.",
                place: SECTION_6_4_2,
            },
            Claim {
                found: "Radix-2 Stockham raises the frame rate by up to 20%.",
                quote: "the frame rate using Stockham radix-2 being improved by up to 20%",
                place: SECTION_6_4_2,
            },
            Claim {
                found: "Radix-4 Stockham raises the frame rate by up to 60%.",
                quote: "the radix-4 delivers a frame rate of up to 60%",
                place: SECTION_6_4_2,
            },
        ],
        commands: |quick| ocean_passes(quick, 1024),
        has_frames: true,
        draw: |m| {
            let ocean = Ocean::of(m, 1024)?;
            let [each, two, four] = ["cooley-tukey-multipass", "stockham-r2", "stockham-r4"];
            let verdicts = vec![
                radix_4_stands_out(
                    &ocean.forms(m, &[each, two, four]),
                    &[each, two, four].map(|name| ocean.both(m, name, None, GPU)),
                ),
                ocean.frame_rate(m, 20.0, two),
                ocean.frame_rate(m, 60.0, four),
            ];
            Some(Drawn { chart: ocean.chart(m, &[each, two, four])?, verdicts })
        },
    },
];

/// The numbers of butterflies in each invocation of figure 16.
const BUTTERFLIES: [u64; 4] = [1, 2, 4, 8];

/// The memory for results between stages, as in `--ping-pong`.
const STORAGE: &str = "storage";
const IMAGE: &str = "image";

/// The parameter that chooses it.
const PING_PONG: &str = "ping-pong";

/// The algorithms of the thesis, which run in images. All but the first have one pass for all stages.
const OF_THESIS: [&str; 4] = [EACH, "cooley-tukey", "stockham-r2", "stockham-r4"];

/// The sides of images of figures 13 to 15.
fn sizes(quick: bool) -> Vec<u32> {
    if quick { doubles(64, 128) } else { doubles(128, 1024) }
}

/// The sides of images of figures 16 to 18. `--quick` has one, since a software adapter compiles the kernels of
/// each size slowly.
fn swept_sizes(quick: bool) -> Vec<u32> {
    if quick { vec![64] } else { sizes(quick) }
}

/// The commands of figures 13 to 15.
fn thesis(quick: bool) -> Vec<Command> {
    let form = |names: &[&str]| images(&sizes(quick)).algorithm(names);
    let one_pass = &OF_THESIS[1..];
    vec![
        form(&[&OF_THESIS[..], &["best"]].concat()).into(),
        form(one_pass).with(PING_PONG, Value::Choice(STORAGE)).into(),
        form(&OF_THESIS).with(PING_PONG, Value::Choice(IMAGE)).into(),
    ]
}

/// The command of figures 17 and 18: CUDA's kernels, and the same in WGSL with their invocations. The batch
/// is planar, as theirs is.
fn cuda(quick: bool) -> Vec<Command> {
    let form = Bench::default().size(&swept_sizes(quick)).batch(&[4]).layout(Layout::Planar);
    let form = form.algorithm(&OF_THESIS[1..]).with(PING_PONG, Value::Choice(STORAGE));
    let ones = ["row-lines", "column-lines", "row-butterflies", "column-butterflies"];
    let form = ones.into_iter().fold(form, |form, name| form.with(name, Value::Integer(1)));
    vec![form.peer(Peer::CudaKernels).into()]
}

/// The commands of figures 20 and 21: the passes one by one, and the whole transforms.
fn ocean_passes(quick: bool, size: u32) -> Vec<Command> {
    let size = if quick { size / 8 } else { size };
    let form = |names: &[&str]| images(&[size]).in_place().axes().algorithm(names);
    let names = [EACH, "stockham-r2", "stockham-r4"];
    let mut commands: Vec<Command> = vec![
        form(&names).into(),
        form(&names[1..]).with(PING_PONG, Value::Choice(STORAGE)).into(),
        form(&names).with(PING_PONG, Value::Choice(IMAGE)).into(),
    ];
    commands.extend(thesis(quick));
    commands
}

/// Whether `row` has that choice of `--ping-pong`, or none.
fn has_stages_in(row: &Row, memory: Option<&str>) -> bool {
    row.parameters.get(PING_PONG).and_then(|value| value.as_str()) == memory
}

/// The time with the stages in `memory` and the library's own choices otherwise.
fn time_in(m: &Measurements, name: &'static str, memory: &'static str) -> BySize {
    let has = move |row: &Row| {
        let is_alone = row.parameters.len() == 1 && has_stages_in(row, Some(memory));
        row.algorithm == name && is_alone && is_of_images(&row.form)
    };
    by_size(m, has, median)
}

/// Selects rows of radix-2 Stockham with `count` butterflies in each invocation.
fn has_butterflies(count: u64, memory: Option<&'static str>) -> impl Fn(&Row) -> bool {
    move |row| {
        let is = |name: &str| row.parameters.get(name).and_then(|v| v.as_u64()) == Some(count);
        row.algorithm == "stockham-r2"
            && is("row-butterflies")
            && is("column-butterflies")
            && row.parameters.len() == 2 + usize::from(memory.is_some())
            && has_stages_in(row, memory)
            && is_of_images(&row.form)
    }
}

/// The time in WGSL in the form of the thesis' kernels: one line for each workgroup and one butterfly for
/// each invocation.
fn line_by_line(m: &Measurements, name: &'static str) -> BySize {
    by_size(m, is_line_by_line(name), median)
}

fn is_line_by_line(name: &'static str) -> impl Fn(&Row) -> bool {
    move |row| {
        let form = Form { layout: Layout::Pair, ..row.form.clone() };
        let is_one = |name: &str| row.parameters.get(name).and_then(|v| v.as_u64()) == Some(1);
        row.algorithm == name
            && row.form.layout == Layout::Planar
            && has_stages_in(row, Some(STORAGE))
            && is_one("row-lines")
            && is_one("column-lines")
            && is_of_images(&form)
    }
}

/// The time of one of CUDA's kernels in the same run.
fn by_cuda(m: &Measurements, name: &str) -> BySize {
    let key = format!("cuda_{name}");
    by_size(m, is_line_by_line("stockham-r2"), |figures| figures.peer_us.get(&key).copied())
}

fn peer(m: &Measurements, key: &'static str) -> BySize {
    let has = |row: &Row| is_of_images(&row.form) && row.parameters.is_empty();
    by_size(m, has, |figures| figures.peer_us.get(key).copied())
}

fn are_in_images(m: &Measurements) -> bool {
    m.frames.as_ref().is_some_and(Frames::are_in_images)
}

fn frame_us(m: &Measurements, name: &str) -> BySize {
    m.frames.as_ref().map_or(BySize::new(), |frames| frames.by_size(name, |parts| parts.frame))
}

/// The algorithm with a pass per stage.
const EACH: &str = "cooley-tukey-multipass";

/// The times of figures 20 and 21 at one size.
struct Ocean {
    size: u64,
}

/// The rows and columns of `Ocean::parts` on each side.
const GPU: std::ops::Range<usize> = 0..2;
const PROCESSOR: std::ops::Range<usize> = 2..4;

impl Ocean {
    /// The ocean of `size`, or of an eighth of it, which `--quick` measures.
    fn of(m: &Measurements, size: u64) -> Option<Self> {
        let oceans = [size, size / 8].map(|size| Self { size });
        let is_measured = |ocean: &Self| {
            let names = ["cooley-tukey-multipass", "stockham-r2"];
            names.iter().all(|name| ocean.parts(m, name, None).is_some())
        };
        oceans.into_iter().find(is_measured)
    }

    /// The rows and columns on the GPU, and the processor's time to record them, in place. Older measurements
    /// lack the latter.
    fn parts(
        &self,
        m: &Measurements,
        name: &str,
        memory: Option<&str>,
    ) -> Option<[Option<f64>; 4]> {
        let has = |row: &Row| {
            let form = Form { placement: "out_of_place".into(), ..row.form.clone() };
            row.algorithm == name
                && row.form.placement == "in_place"
                && row.parameters.len() == usize::from(memory.is_some())
                && has_stages_in(row, memory)
                && side(row) == self.size
                && is_of_images(&form)
        };
        let mut all = rows(m, has).filter_map(|(_, figures)| {
            Some([
                Some(figures.row_us?),
                Some(figures.column_us?),
                figures.row_encode_us,
                figures.column_encode_us,
            ])
        });
        all.next()
    }

    /// Both passes together, one by one.
    fn both(
        &self,
        m: &Measurements,
        name: &str,
        memory: Option<&str>,
        side: std::ops::Range<usize>,
    ) -> BySize {
        let parts = self.parts(m, name, memory);
        let sum = parts.and_then(|parts| parts[side].iter().copied().sum::<Option<f64>>());
        sum.map(|sum| (self.size, sum)).into_iter().collect()
    }

    /// The whole transforms, in images and with the stages of one pass in storage.
    fn forms<const N: usize>(
        &self,
        m: &Measurements,
        names: &[&'static str; N],
    ) -> [StagesIn<N>; 2] {
        let buffers = |name| match name {
            EACH => time(m, name),
            name => time_in(m, name, STORAGE),
        };
        [
            ("images", names.map(|name| self.only(time_in(m, name, IMAGE)))),
            ("storage", names.map(|name| self.only(buffers(name)))),
        ]
    }

    fn only(&self, line: BySize) -> BySize {
        line.into_iter().filter(|(size, _)| *size == self.size).collect()
    }

    fn frame_rate(&self, m: &Measurements, promised: f64, name: &'static str) -> Verdict {
        let passes = m.frames.as_ref().map_or(BySize::new(), |frames| {
            frames.by_size(EACH, |parts| Some(parts.horizontal? + parts.vertical?))
        });
        let [each, one] = [EACH, name].map(|name| self.only(frame_us(m, name)));
        let verdict = frame_rate(promised, name, [&each, &self.only(passes), &one]);
        match are_in_images(m) {
            true => verdict,
            false => in_storage(verdict, name, &self.forms(m, &[EACH, name])[1].1),
        }
    }

    fn chart(&self, m: &Measurements, names: &[&'static str]) -> Option<Chart> {
        let line = |name: &str, memory: Option<&str>| {
            let words = match memory {
                Some(IMAGE) => ", in images",
                Some(_) => ", in storage",
                None => "",
            };
            let values = self.parts(m, name, memory)?.to_vec();
            Some(Line { name: format!("{name}{words}"), values, is_reference: false })
        };
        let forms = [Some(IMAGE), None, Some(STORAGE)].into_iter();
        let lines = forms.flat_map(|form| names.iter().filter_map(move |name| line(name, form)));
        Some(Chart {
            title: format!("Four transforms of {0} x {0}, in place", self.size),
            x_label: "pass".into(),
            y_label: "time [us]".into(),
            places: ["horizontal, GPU", "vertical, GPU", "horizontal, CPU", "vertical, CPU"]
                .map(String::from)
                .to_vec(),
            logarithmic: true,
            is_of_kinds: true,
            lines: lines.collect(),
            ..Chart::default()
        })
    }
}
