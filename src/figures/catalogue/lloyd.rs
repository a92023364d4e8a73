//! The paper of Lloyd, Boyd and Govindaraju.

use crate::fft::{Kind, Layout};

use super::super::command::{Bench, Command, NO_PEER};
use super::super::draw::{
    BySize, Compared, Drawn, EQUAL, Holds, Verdict, at, by_size, chart, faster_by, ratios, side,
};
use super::{Claim, Figure, doubles, is_of_images, is_of_lines, median, other};
use crate::bench::other::Other;
use crate::bench::{Figures, Form, Row};

const PAPER: &str =
    "Lloyd, Boyd and Govindaraju, Fast computation of general Fourier transforms on GPUs (2008)";

pub const FIGURES: &[Figure] = &[FIGURE_8, STEPS, PRIMES, BANDWIDTH, FILTER];

const FIGURE_8: Figure = Figure {
    name: "002-8",
    paper: PAPER,
    number: "Figure 8",
    title: "complex and real 2D transforms of powers of two and others",
    form: "The paper sends every size that is no power of two through the chirp of Bluestein, a \
        convolution. Here that is for sizes with a large prime factor; products of 2, 3, 5 and 7 need \
        none. The cuFFT of today is another than that of 2008.",
    claims: &[
        Claim {
            found: "Packing real numbers in pairs halves the data to transform.",
            quote: "We pack two real-valued sequences x and y into a complex sequence z, thus reducing \
                the amount of data [..] to transform by a factor of two",
            place: "Section 4.5",
        },
        Claim {
            found: "Real transforms are significantly faster than cuFFT's.",
            quote: "for real data our implementation significantly out-performs CUFFT",
            place: "Section 5",
        },
        Claim {
            found: "The chirp is 4 to 8 times slower than a power of two of similar size.",
            quote: "the algorithm is roughly 4 to 8 times slower than the Stockham algorithm would on \
                similar power-of-two sizes",
            place: "Section 4.3",
        },
        Claim {
            found: "Other sizes go in steps with the power of two that the convolution needs.",
            quote: "our FFTs show a fairly consistent pattern in performance that correlates with steps \
                in the size of the underlying POT FFT and inverse FFT used to perform the convolution",
            place: "Section 5",
        },
    ],
    commands: |quick| {
        let (powers, others, chirps): (_, &[u32], &[u32]) = match quick {
            true => (doubles(64, 128), &[60, 61], &[61, 67, 90]),
            false => (
                doubles(256, 2048),
                &[250, 251, 500, 509, 1000, 1009],
                &[150, 200, 250, 260, 350, 500, 520, 700, 1000],
            ),
        };
        let planar =
            |sizes: &[u32]| Bench::default().size(sizes).batch(&[4]).layout(Layout::Planar);
        let best =
            |kind| planar(&[&powers, others].concat()).algorithm(&["best"]).kind(kind).into();
        let chirps = planar(chirps).algorithm(&["bluestein"]).into();
        vec![best(Kind::Complex), best(Kind::Real), chirps]
    },
    has_frames: false,
    draw: |m| {
        let line = |algorithm: &'static str, kind: Kind, value: fn(&Figures) -> Option<f64>| {
            by_size(m, is_planar(algorithm, kind), value)
        };
        let [complex, real] = [Kind::Complex, Kind::Real].map(|kind| line("best", kind, median));
        let chirps = line("bluestein", Kind::Complex, median);
        let of_chirp = by_size(
            m,
            |row| {
                let chosen = row.chosen.as_ref();
                is_planar("best", Kind::Complex)(row)
                    && chosen.is_some_and(|chosen| chosen.algorithm().to_string() == "bluestein")
            },
            median,
        );
        let powers = |line: &BySize, wanted: bool| -> BySize {
            line.iter().copied().filter(|(n, _)| n.is_power_of_two() == wanted).collect()
        };
        let chart = chart(
            "Four 2D transforms, microseconds",
            ["side of an image", "time [us]"],
            &[
                ("complex, powers of two", &powers(&complex, true)),
                ("real, powers of two", &powers(&real, true)),
                ("complex, other sizes", &powers(&complex, false)),
                ("real, other sizes", &powers(&real, false)),
                ("complex, by the chirp", &chirps),
            ],
        )?;
        let [complex_bytes, real_bytes] = [Kind::Complex, Kind::Real].map(|kind| {
            line("best", kind, |figures| Some(figures.gb_per_s? * figures.times.median_us * 1000.0))
        });
        let cufft = line("best", Kind::Real, |figures| figures.peer_us.get("cufft").copied());
        Some(Drawn {
            chart,
            verdicts: vec![
                half_the_data([&real_bytes, &complex_bytes], [&real, &complex]),
                outperforms_cufft(&real, &cufft),
                chirp_costs(&of_chirp, &complex),
                goes_in_steps(if chirps.is_empty() { &of_chirp } else { &chirps }),
            ],
        })
    },
};

const STEPS: Figure = Figure {
    name: "002-steps",
    paper: PAPER,
    number: "Sections 4.3 and 5, lines of 200 lengths",
    title: "the chirp at 200 lengths, beside Stockham at powers of two",
    form: "Batches of 256 lines are transformed. The chirp takes every fifth length from 65 to 1060, and \
        Stockham of radix 8 takes powers of two. The convolution may have any length that is a product \
        of 2, 3 and 5, as it suits.",
    claims: &[
        Claim {
            found: "The chirp is 4 to 8 times slower than a power of two of similar size.",
            quote: "the algorithm is roughly 4 to 8 times slower than the Stockham algorithm would on \
                similar power-of-two sizes",
            place: "Section 4.3",
        },
        Claim {
            found: "Other sizes go in steps with the power of two that the convolution needs.",
            quote: "our FFTs show a fairly consistent pattern in performance that correlates with steps \
                in the size of the underlying POT FFT and inverse FFT used to perform the convolution",
            place: "Section 5",
        },
    ],
    commands: |quick| {
        let lines = |sizes: &[u32], algorithm: &str| {
            let lines = Bench::lines().size(sizes).batch(&[256]);
            let lines = lines.algorithm(&[algorithm]).peer(NO_PEER);
            if quick { lines.into() } else { lines.effort(5, 0.05).into() }
        };
        let (chirps, powers) = match quick {
            true => (vec![100, 120, 130], vec![128]),
            false => ((65..=1060).step_by(5).collect(), doubles(64, 1024)),
        };
        vec![lines(&chirps, "bluestein"), lines(&powers, "stockham-r8")]
    },
    has_frames: false,
    draw: |m| {
        let of = |name: &'static str| {
            let is_one = move |row: &Row| {
                row.algorithm == name
                    && is_of_lines(&row.form)
                    && row.form.batch == 256
                    && row.parameters.is_empty()
            };
            by_size(m, is_one, median)
        };
        let (chirps, powers) = (of("bluestein"), of("stockham-r8"));
        let chart = chart(
            "256 lines: the chirp and Stockham",
            ["points of a line", "time [us]"],
            &[("the chirp", &chirps), ("Stockham, radix 8", &powers)],
        )?;
        Some(Drawn { chart, verdicts: vec![chirp_costs(&chirps, &powers), goes_in_steps(&chirps)] })
    },
};

/// Primes p up to the longest line measured, where p - 1 has no prime factor above 13, and where it has one.
const SMOOTH_PRIMES: [u32; 11] = [61, 127, 251, 421, 601, 1009, 2017, 4001, 7681, 10_753, 12_289];
const OTHER_PRIMES: [u32; 6] = [59, 263, 509, 1019, 2039, 4099];

const PRIMES: Figure = Figure {
    name: "002-primes",
    paper: PAPER,
    number: "Section 4.3, prime lengths",
    title: "the chirp and Rader's algorithm at prime lengths",
    form: "Rader's algorithm (1968) takes a line of p points to a convolution of p - 1 points. It needs no \
        padding where p - 1 has only small prime factors. The chirp needs 2p - 1 points or more. Batches of \
        1024 lines are transformed, or fewer on a page.",
    claims: &[Claim {
        found: "The chirp does for all other lengths, so that primes need no algorithm of their own.",
        quote: "Rather than implement a large number of special cases for different lengths, we currently \
            use what is commonly called the Bluestein z-chirp algorithm [..], which handles all \
            non-power-of-two sizes.",
        place: "Section 4.3",
    }],
    commands: |quick| {
        let sizes = match quick {
            true => vec![61, 59],
            false => [&SMOOTH_PRIMES[..], &OTHER_PRIMES].concat(),
        };
        let lines = Bench::lines().size(&sizes).batch(&[1024]);
        let lines = lines.algorithm(&["rader", "bluestein"]).peer(NO_PEER);
        vec![if quick { lines.into() } else { lines.effort(5, 0.05).into() }]
    },
    has_frames: false,
    draw: |m| {
        let of = |name: &'static str, primes: &'static [u32]| {
            let is_one = move |row: &Row| {
                row.algorithm == name
                    && is_of_lines(&row.form)
                    && row.parameters.is_empty()
                    && primes.iter().any(|prime| side(row) == u64::from(*prime))
            };
            by_size(m, is_one, median)
        };
        let [rader, chirp] = ["rader", "bluestein"].map(|name| of(name, &SMOOTH_PRIMES));
        let [padded, other_chirp] = ["rader", "bluestein"].map(|name| of(name, &OTHER_PRIMES));
        let chart = chart(
            "Lines of a prime length p",
            ["points of a line", "time [us]"],
            &[
                ("Rader, p - 1 of small factors", &rader),
                ("the chirp, p - 1 of small factors", &chirp),
                ("Rader, other p", &padded),
                ("the chirp, other p", &other_chirp),
            ],
        )?;
        Some(Drawn {
            chart,
            verdicts: vec![chirp_suffices([&chirp, &rader], [&other_chirp, &padded])],
        })
    },
};

const BANDWIDTH: Figure = Figure {
    name: "002-bandwidth",
    paper: PAPER,
    number: "Section 5, on bandwidth",
    title: "passes without their arithmetic, beside a copy",
    form: "Four images are transformed by radix 2 with a pass for each stage, as the paper does it. Its \
        passes then move the same points and compute nothing. A copy of the data is counted once for \
        each stage.",
    claims: &[Claim {
        found: "The passes are limited by memory: without arithmetic they gain less than 10%.",
        quote: "The performance of our FFTs is mostly bandwidth limited. When we eliminate the \
            computations from our fragment programs and only read the input values, the performance \
            improves by less than 10%.",
        place: "Section 5",
    }],
    commands: |quick| vec![other_of_images(Other::Passes, quick)],
    has_frames: false,
    draw: |m| {
        let of = |case| other(m, Other::Passes, case);
        let (whole, bare) = (of("with arithmetic"), of("without"));
        let stages = |n: u64| f64::from(n.max(2).ilog2());
        let copies = of("a copy").into_iter().map(|(n, us)| (n, us * stages(n))).collect();
        let chart = chart(
            "Four 2D transforms: passes with and without arithmetic",
            ["side of an image", "time [us]"],
            &[
                ("with arithmetic", &whole),
                ("without arithmetic", &bare),
                ("a copy for each stage", &copies),
            ],
        )?;
        Some(Drawn { chart, verdicts: vec![limited_by_memory(&whole, &bare, &copies)] })
    },
};

const FILTER: Figure = Figure {
    name: "002-1",
    paper: PAPER,
    number: "Figure 1",
    title: "a band-pass filter of images, filters per second",
    form: "An image is transformed, weighed and transformed back, as `seaway filter` does. The paper's \
        rate is that of an application, which also draws the image and its spectrum.",
    claims: &[Claim {
        found: "An image of 1024 x 1024 is filtered at an interactive rate: 66 Hz in the paper.",
        quote: "Using our FFT implementation the application runs at 66 Hz for a 1024 × 1024 image.",
        place: "Figure 1",
    }],
    commands: |quick| vec![other_of_images(Other::Filter, quick)],
    has_frames: false,
    draw: |m| {
        let [grey, colour] = ["grey", "colour"].map(|case| -> BySize {
            let times = other(m, Other::Filter, case).into_iter();
            times.map(|(size, us)| (size, 1e6 / us)).collect()
        });
        let chart = chart(
            "Filters per second",
            ["side of an image", "filters per second [Hz]"],
            &[("grey", &grey), ("colour", &colour)],
        )?;
        Some(Drawn { chart, verdicts: vec![interactive(&[grey, colour])] })
    },
};

/// The command of another measurement of images.
fn other_of_images(other: Other, quick: bool) -> Command {
    let sizes = if quick { vec![64] } else { doubles(256, 2048) };
    Command::Other { other, sizes, batch: None }
}

/// Takes the times of passes with and without arithmetic, and of as many copies.
fn limited_by_memory(whole: &BySize, bare: &BySize, copies: &BySize) -> Verdict {
    let compared = Compared::new("with arithmetic", whole, "without", bare);
    let beside = Compared::new("without arithmetic", bare, "a copy for each stage", copies);
    let Some(range) = compared.range() else {
        return Verdict::unmeasured("Passes without arithmetic were not measured beside others.");
    };
    let holds = Holds::of(compared.values.iter().map(|(_, ratio)| *ratio < 1.1));
    let text = format!("The passes take {range} times as long with arithmetic as without.");
    let copy = beside.range().map_or(String::new(), |range| {
        format!("Without it they take {range} times as long as copies.")
    });
    Verdict::new(holds, text).because(&copy).beside(compared).beside(beside)
}

/// Takes the rates of grey and of coloured images.
fn interactive(rates: &[BySize; 2]) -> Verdict {
    const PAPER_HZ: f64 = 66.0;
    let at_paper: Vec<f64> = rates.iter().filter_map(|line| at(line, 1024)).collect();
    let lines = [("grey", &rates[0]), ("colour", &rates[1])];
    let compared =
        lines.map(|(name, line)| Compared { what: format!("Hz, {name}"), values: line.clone() });
    let verdict = match at_paper.iter().copied().reduce(f64::min) {
        None => Verdict::unmeasured("No image of 1024 x 1024 was filtered."),
        Some(least) => Verdict::new(
            Holds::of(at_paper.iter().map(|rate| *rate >= PAPER_HZ)),
            format!("At 1024 x 1024 there are at least {least:.0} filters per second."),
        ),
    };
    compared.into_iter().fold(verdict, Verdict::beside)
}

fn is_planar(algorithm: &'static str, kind: Kind) -> impl Fn(&Row) -> bool {
    move |row| {
        let form = Form { kind: Kind::Complex, layout: Layout::Pair, ..row.form.clone() };
        row.algorithm == algorithm
            && row.form.kind == kind
            && row.form.layout == Layout::Planar
            && is_of_images(&form)
            && row.parameters.is_empty()
            && side(row) > 0
    }
}

/// Takes the bytes that real and complex transforms move, and their times.
fn half_the_data(bytes: [&BySize; 2], times: [&BySize; 2]) -> Verdict {
    let compared = Compared::new("bytes of real data", bytes[0], "of complex data", bytes[1]);
    let times = Compared::new("time of real data", times[0], "of complex data", times[1]);
    let Some(range) = compared.range() else {
        return Verdict::unmeasured("The bytes that both move were not measured.").beside(times);
    };
    let holds = Holds::of(compared.values.iter().map(|(_, ratio)| (ratio - 0.5).abs() < EQUAL));
    let mut verdict = Verdict::new(holds, format!("Real data move {range} of the bytes."));
    if let Some(range) = times.range() {
        verdict = verdict.because(&format!(
            "The time is {range} of that of complex data, of which the paper says nothing."
        ));
    }
    verdict.beside(compared).beside(times)
}

/// Takes the times of real transforms here and by cuFFT. The sentence is about powers of two.
fn outperforms_cufft(real: &BySize, cufft: &BySize) -> Verdict {
    /// The smallest lead that is called significant.
    const SIGNIFICANT: f64 = 0.1;
    let powers = |line: &BySize| -> BySize {
        line.iter().copied().filter(|(size, _)| size.is_power_of_two()).collect()
    };
    let (cufft_powers, real_powers) = (powers(cufft), powers(real));
    let verdict =
        faster_by(SIGNIFICANT, "cuFFT (real)", &cufft_powers, "this library", &real_powers);
    if verdict.holds == Holds::Unmeasured {
        return verdict;
    }
    let others = ratios(cufft, real).into_iter().filter(|(size, _)| !size.is_power_of_two());
    let others = Compared { what: String::new(), values: others.collect() };
    let text = others
        .range()
        .map_or(String::new(), |range| format!("At other sizes it is {range} times."));
    Verdict { compared: Vec::new(), ..verdict }
        .because("A lead of more than a tenth counts as significant.")
        .because(&text)
        .beside(Compared::new("cuFFT (real)", cufft, "this library", real))
}

/// Takes the times of sizes computed by the chirp, and of all sizes.
fn chirp_costs(of_chirp: &BySize, all: &BySize) -> Verdict {
    let nearest = |n: u64| {
        let above = n.next_power_of_two();
        if above - n <= n - above / 2 { above } else { above / 2 }
    };
    let over = |(n, us): &(u64, f64)| Some((*n, us / at(all, nearest(*n))?));
    let compared = Compared {
        what: "the chirp / the nearest power of two".into(),
        values: of_chirp.iter().filter_map(over).collect(),
    };
    let Some(range) = compared.range() else {
        return Verdict::unmeasured("No size went by the chirp beside a power of two.");
    };
    let holds = Holds::of(compared.values.iter().map(|(_, ratio)| (4.0..=8.0).contains(ratio)));
    let text = format!("The chirp takes {range} times as long as the nearest power of two.");
    Verdict::new(holds, text).beside(compared)
}

/// Whether the chirp is as fast as Rader's algorithm, at primes p with and without a smooth p - 1.
fn chirp_suffices(smooth: [&BySize; 2], others: [&BySize; 2]) -> Verdict {
    let compared = |what: &str, [chirp, rader]: [&BySize; 2]| Compared {
        what: what.into(),
        values: ratios(chirp, rader),
    };
    let smooth = compared("the chirp / Rader, p - 1 of small factors", smooth);
    let others = compared("the chirp / Rader, other p", others);
    let Some(range) = smooth.range() else {
        return Verdict::unmeasured("No prime was transformed by both.");
    };
    let all = smooth.values.iter().chain(&others.values);
    let holds = Holds::of(all.map(|(_, ratio)| *ratio <= 1.0 + EQUAL));
    let mut text = format!(
        "The chirp takes {range} times as long as Rader's algorithm where p - 1 has only small factors."
    );
    if let Some(range) = others.range() {
        text += &format!(" Elsewhere it takes {range} times as long.");
    }
    Verdict::new(holds, text).beside(smooth).beside(others)
}

/// Whether the time of a row stays level while the convolution needs the same power of two, and rises where
/// it needs the next one.
fn goes_in_steps(chirps: &BySize) -> Verdict {
    /// A rise that counts as a step, between that of a level line and that of twice the points.
    const STEP: f64 = 1.4;
    let power = |n: u64| (2 * n - 1).next_power_of_two();
    let rise = |pair: &[(u64, f64)]| {
        let [(a, a_us), (b, b_us)] = [pair[0], pair[1]];
        (power(a) != power(b), b, (b_us / b as f64) / (a_us / a as f64))
    };
    let rises: Vec<_> = chirps.windows(2).map(rise).collect();
    let has = |step: bool| rises.iter().any(|(is_step, ..)| *is_step == step);
    if !(has(true) && has(false)) {
        return Verdict::unmeasured(
            "So few sizes show no steps. That takes several with the same power of two, and some with \
             the next.",
        );
    }
    let holds = Holds::of(rises.iter().map(|(is_step, _, rise)| (*rise > STEP) == *is_step));
    let of = |step: bool, what: &str| {
        let wanted = rises.iter().filter(|(is_step, ..)| *is_step == step);
        let values = wanted.map(|(_, n, rise)| (*n, *rise)).collect();
        Compared { what: what.into(), values }
    };
    let steps = of(true, "rise of a row's time over the last size, at a step");
    let levels = of(false, "the same between steps");
    let [step, level] = [&steps, &levels].map(|rises| rises.range().unwrap_or_default());
    let text = format!(
        "A row's time changes by a factor of {step} at steps, and of {level} between them. The \
         convolution here may have any length that is a product of 2, 3 and 5."
    );
    Verdict::new(holds, text).beside(steps).beside(levels)
}

#[cfg(test)]
mod tests {
    use Holds::{InPart, No, Unmeasured, Yes};

    use super::super::tests::doubling;
    use super::*;

    #[test]
    fn half_the_data_is_judged_by_bytes() {
        let line = |values: &[f64]| doubling(256, values);
        let judge = |real: &[f64]| {
            let (bytes, slow) = (line(&[8.0, 8.0]), line(&[1.0, 1.0]));
            half_the_data([&line(real), &bytes], [&slow, &slow]).holds
        };
        assert_eq!(judge(&[4.0, 4.1]), Yes);
        assert_eq!(judge(&[4.0, 6.0]), InPart);
        assert_eq!(judge(&[8.0, 6.0]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }

    #[test]
    fn cufft_is_outperformed_at_powers_of_two() {
        let judge = |cufft: [f64; 2]| {
            let cufft = vec![(250, 9.0), (256, cufft[0]), (512, cufft[1])];
            let verdict = outperforms_cufft(&vec![(250, 1.0), (256, 1.0), (512, 1.0)], &cufft);
            assert!(verdict.text.contains("9.00"), "{}", verdict.text);
            verdict.holds
        };
        assert_eq!(judge([1.2, 1.2]), Yes);
        assert_eq!(judge([1.2, 1.05]), InPart);
        assert_eq!(judge([0.9, 1.05]), No);
        assert_eq!(outperforms_cufft(&Vec::new(), &Vec::new()).holds, Unmeasured);
    }

    #[test]
    fn chirps_are_judged_beside_the_nearest_power_of_two() {
        let all = vec![(256, 1.0), (512, 2.0)];
        let judge = |a: f64, b: f64| chirp_costs(&vec![(257, a), (509, b)], &all).holds;
        assert_eq!(judge(4.0, 16.0), Yes);
        assert_eq!(judge(4.0, 4.0), InPart);
        assert_eq!(judge(2.0, 17.0), No);
        assert_eq!(chirp_costs(&vec![(2000, 1.0)], &all).holds, Unmeasured);
    }

    #[test]
    fn steps_need_level_rows_and_rises() {
        // The power of two is 512 up to 256 points, and 1024 for the others.
        let judge = |us_of_a_row: [f64; 4]| {
            let sizes = [200_u64, 250, 260, 300];
            let times = sizes.iter().zip(us_of_a_row).map(|(n, us)| (*n, us * *n as f64));
            goes_in_steps(&times.collect()).holds
        };
        assert_eq!(judge([1.0, 1.0, 2.0, 2.1]), Yes);
        assert_eq!(judge([1.0, 1.0, 1.1, 1.2]), InPart);
        assert_eq!(judge([1.0, 1.5, 1.6, 2.4]), No);
        assert_eq!(goes_in_steps(&vec![(251, 1.0), (509, 2.0), (1009, 4.0)]).holds, Unmeasured);
    }

    #[test]
    fn the_chirp_suffices_where_rader_is_no_faster() {
        let line = |us: f64| vec![(61, us)];
        let judge = |chirp: f64, other: f64| {
            let rader = line(1.0);
            chirp_suffices([&line(chirp), &rader], [&line(other), &rader]).holds
        };
        assert_eq!(judge(1.0, 0.7), Yes);
        assert_eq!(judge(1.5, 0.7), InPart);
        assert_eq!(judge(1.5, 1.7), No);
        let none = Vec::new();
        assert_eq!(chirp_suffices([&none, &none], [&none, &none]).holds, Unmeasured);
    }

    #[test]
    fn memory_limits_passes_that_gain_less_than_a_tenth() {
        let line = |values: &[f64]| doubling(256, values);
        let judge = |whole: &[f64]| {
            limited_by_memory(&line(whole), &line(&[1.0, 1.0]), &line(&[1.0])).holds
        };
        assert_eq!(judge(&[1.05, 1.0]), Yes);
        assert_eq!(judge(&[1.05, 1.2]), InPart);
        assert_eq!(judge(&[1.5, 1.2]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }

    #[test]
    fn filters_are_judged_at_the_papers_size() {
        let judge = |rates: [f64; 2]| interactive(&rates.map(|rate| vec![(1024, rate)])).holds;
        assert_eq!(judge([70.0, 5000.0]), Yes);
        assert_eq!(judge([70.0, 60.0]), InPart);
        assert_eq!(judge([20.0, 10.0]), No);
        assert_eq!(interactive(&[vec![(512, 1e4)], Vec::new()]).holds, Unmeasured);
    }
}
