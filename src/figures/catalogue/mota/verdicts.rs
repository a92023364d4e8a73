//! Judges the thesis' claims by the measured times.

use super::super::super::draw::{BySize, Compared, EQUAL, Holds, Verdict, at, faster, ratios};
use super::BUTTERFLIES;

pub fn textbook(dft: &BySize, dit: &BySize, dif: &BySize, recursive: &BySize) -> Vec<Verdict> {
    let [time, frequency] = ["decimation in time", "decimation in frequency"];
    let ffts = faster("the DFT", dft, time, dit)
        .and(faster("the DFT", dft, frequency, dif))
        .and(faster("the DFT", dft, "recursion", recursive));
    let fastest = faster("recursion", recursive, time, dit)
        .and(faster("recursion", recursive, frequency, dif))
        .because(
            "The thesis' table has 1.14 to 1.67 for decimation in time. The recursion here makes new \
             arrays at every level.",
        );
    vec![ffts, exponential(dft), fastest]
}

fn exponential(dft: &BySize) -> Verdict {
    let growth = Compared {
        what: "the DFT / the DFT of half the length".into(),
        values: dft
            .iter()
            .filter_map(|(length, time)| Some((*length, time / at(dft, length / 2)?)))
            .collect(),
    };
    let Some(range) = growth.range() else {
        return Verdict::unmeasured("No two lengths differ by a factor of 2.");
    };
    // The factor itself is squared with every doubling.
    let grows = |pair: &[(u64, f64)]| pair[1].1 > 1.5 * pair[0].1;
    let text = format!(
        "Twice the length takes {range} times as long, and 3.3 to 4.3 times in the thesis' table. The \
         square of the length gives 4. Exponential growth would square the factor at every doubling."
    );
    Verdict::new(Holds::of(growth.values.windows(2).map(grows)), text).beside(growth)
}

/// The times of some lines with the stages in one kind of memory, and that memory in words.
pub type Form<const N: usize> = (&'static str, [BySize; N]);

/// The memory that decides nothing, since the thesis has no such kernels.
const INSIDE: &str = "workgroup memory";

/// Judges by the first form that was measured, and says what the others give.
fn in_forms<const N: usize>(
    forms: &[Form<N>],
    judge: impl Fn(&str, &[BySize; N]) -> Verdict,
) -> Verdict {
    let mut judged: Vec<_> =
        forms.iter().map(|(memory, lines)| (*memory, judge(memory, lines))).collect();
    let is_measured = |verdict: &Verdict| verdict.holds != Holds::Unmeasured;
    let decides =
        judged.iter().position(|(memory, verdict)| *memory != INSIDE && is_measured(verdict));
    let (_, verdict) = judged.remove(decides.unwrap_or(0));
    let others = judged.into_iter().map(|(_, verdict)| verdict).filter(is_measured);
    others.fold(verdict, |verdict, other| {
        other.compared.into_iter().fold(verdict.because(&other.text), Verdict::beside)
    })
}

/// The forms with only the sizes that `keeps` selects.
fn at_sizes<const N: usize>(forms: &[Form<N>], keeps: impl Fn(u64) -> bool) -> Vec<Form<N>> {
    let kept = |line: &BySize| line.iter().copied().filter(|(size, _)| keeps(*size)).collect();
    forms.iter().map(|(memory, lines)| (*memory, lines.each_ref().map(kept))).collect()
}

pub fn shorter_frames(each: &BySize, one: &BySize, are_in_images: bool) -> Verdict {
    let how = match are_in_images {
        true => "These frames draw an ocean, with the stages in images.",
        false => {
            "These frames draw an ocean, with the stages in workgroup memory. In images none were \
             drawn."
        }
    };
    match ratios(each, one).is_empty() {
        true => Verdict::unmeasured("No frames were drawn with both."),
        false => {
            faster("a frame with a pass per stage", each, "a frame with one pass", one).because(how)
        }
    }
}

/// Figure 13, the passes: a pass per stage and one pass.
pub fn one_pass(forms: &[Form<2>; 3]) -> Verdict {
    let verdict = in_forms(forms, |memory, [each, one]| {
        faster("a pass per stage", each, &format!("one pass in {memory}"), one)
    });
    match verdict.holds {
        Holds::Unmeasured => verdict,
        _ => verdict.because(
            "In images and in storage a workgroup goes down its own columns at every stage. A pass per \
             stage goes along the rows.",
        ),
    }
}

/// Figure 14: Cooley-Tukey and Stockham.
pub fn stockham_leads(forms: &[Form<2>; 3]) -> Verdict {
    let small = at_sizes(&forms[..2], |size| size <= LARGEST);
    in_forms(&small, |memory, [tukey, stockham]| {
        let [slow, fast] = ["Cooley-Tukey", "Stockham"].map(|name| format!("{name} in {memory}"));
        faster(&slow, tukey, &fast, stockham)
    })
}

/// The largest side that the thesis measures.
const LARGEST: u64 = 1024;

/// Figure 14, its warning: Cooley-Tukey and Stockham.
pub fn lead_is_lost(forms: &[Form<2>; 3]) -> Verdict {
    in_forms(&at_sizes(forms, |size| size > LARGEST), |memory, [tukey, stockham]| {
        let what = format!("Cooley-Tukey / Stockham above {LARGEST}, in {memory}");
        let compared = Compared { what, values: ratios(tukey, stockham) };
        let Some(range) = compared.range() else {
            return Verdict::unmeasured(format!(
                "No size above {LARGEST} was measured in {memory}."
            ));
        };
        let lost = compared.values.iter().map(|(_, ratio)| *ratio < 1.0 - EQUAL);
        let text = format!(
            "Above {LARGEST} the time of Cooley-Tukey in {memory} is {range} times that of Stockham."
        );
        Verdict::new(Holds::of(lost), text).beside(compared)
    })
}

/// Figure 15: radix 2 and radix 4.
pub fn radix_4_is_faster(forms: &[Form<2>; 2]) -> Verdict {
    in_forms(forms, |memory, [two, four]| {
        let [slow, fast] = ["radix 2", "radix 4"].map(|name| format!("{name} in {memory}"));
        faster(&slow, two, &fast, four)
    })
}

/// Figure 15: how much of the way in time from radix 2 to cuFFT radix 4 goes.
pub fn halfway(forms: &[Form<2>; 2], cufft: &BySize) -> Verdict {
    in_forms(forms, |memory, [two, four]| {
        let share = |(size, two): &(u64, f64)| {
            let (four, cufft) = (at(four, *size)?, at(cufft, *size)?);
            (*two > cufft).then(|| (*size, (two - four) / (two - cufft)))
        };
        let what = format!("share of the way from radix 2 to cuFFT, in {memory}");
        let compared = Compared { what, values: two.iter().filter_map(share).collect() };
        let Some(range) = compared.range() else {
            return Verdict::unmeasured("CuFFT was not measured beside both.");
        };
        let holds = Holds::of(compared.values.iter().map(|(_, share)| *share >= 0.5));
        let text =
            format!("In {memory}, radix 4 goes {range} of the way in time from radix 2 to cuFFT.");
        let four = Compared::new(&format!("radix 4 in {memory}"), four, "cuFFT", cufft);
        Verdict::new(holds, text).beside(compared).beside(four)
    })
}

/// Figure 16: the times with each number of butterflies.
pub fn more_butterflies(forms: &[Form<4>; 3]) -> Verdict {
    in_forms(forms, |memory, lines| {
        let one = format!("1, in {memory}");
        let over_one: Vec<_> = BUTTERFLIES
            .iter()
            .zip(lines)
            .skip(1)
            .map(|(count, line)| {
                Compared::new(&format!("{count} butterflies"), line, &one, &lines[0])
            })
            .collect();
        let values = over_one.iter().flat_map(|compared| compared.values.clone()).collect();
        let all = Compared { what: String::new(), values };
        let Some(range) = all.range() else {
            return Verdict::unmeasured(format!("In {memory} this was not measured."));
        };
        let holds = Holds::of(all.values.iter().map(|(_, ratio)| *ratio > 1.0 - EQUAL));
        let text = format!("In {memory}, more butterflies take {range} times as long as one.");
        over_one.into_iter().fold(Verdict::new(holds, text), Verdict::beside)
    })
}

/// Figure 17: Cooley-Tukey and Stockham in WGSL, in CUDA's surfaces and in its linear memory.
pub fn cuda_is_slower(wgsl: &[BySize; 2], surface: &[BySize; 2], linear: &[BySize; 2]) -> Verdict {
    let names = ["Cooley-Tukey", "Stockham"];
    let verdicts = [0, 1].map(|index| {
        let [cuda, wgsl_name] =
            ["CUDA, surfaces", "WGSL"].map(|language| format!("{} ({language})", names[index]));
        faster(&cuda, &surface[index], &wgsl_name, &wgsl[index])
    });
    let [tukey, stockham] = verdicts;
    let verdict = tukey.and(stockham);
    let in_linear = [0, 1].map(|index| {
        let cuda = format!("{} (CUDA, linear memory)", names[index]);
        Compared::new(&cuda, &linear[index], &format!("{} (WGSL)", names[index]), &wgsl[index])
    });
    let all = in_linear.iter().flat_map(|compared| compared.values.clone()).collect();
    let range = Compared { what: String::new(), values: all }.range();
    let verdict = verdict.because(&range.map_or(String::new(), |range| {
        format!("In linear memory CUDA's times are {range} times those of WGSL.")
    }));
    in_linear.into_iter().fold(verdict, Verdict::beside)
}

/// Figure 17: Cooley-Tukey and Stockham in WGSL and in CUDA's surfaces.
pub fn stockham_loses(wgsl: &[BySize; 2], surface: &[BySize; 2]) -> Verdict {
    let large = |line: &BySize| -> BySize {
        line.iter().copied().filter(|(size, _)| *size > 256).collect()
    };
    let [tukey, stockham] = surface;
    faster("Stockham in surfaces", &large(stockham), "Cooley-Tukey in surfaces", &large(tukey))
        .beside(Compared::new("Stockham in WGSL", &wgsl[1], "Cooley-Tukey in WGSL", &wgsl[0]))
}

/// Figure 18: radix 2 and 4 in WGSL, in CUDA's surfaces and in its linear memory.
pub fn radix_4_leads(wgsl: &[BySize; 2], surface: &[BySize; 2], linear: &[BySize; 2]) -> Verdict {
    faster("radix 2 in surfaces", &surface[0], "radix 4 in surfaces", &surface[1])
        .and(faster("radix 2 in WGSL", &wgsl[0], "radix 4 in WGSL", &wgsl[1]))
        .beside(Compared::new(
            "radix 2 in linear memory",
            &linear[0],
            "radix 4 in linear memory",
            &linear[1],
        ))
}

/// Figure 18: whether CUDA has another order than Cooley-Tukey, radix 2, radix 4, the slowest first.
pub fn order_differs(tukey: &BySize, two: &BySize, four: &BySize) -> Verdict {
    let first = Compared::new("Cooley-Tukey in surfaces", tukey, "radix 2 in surfaces", two);
    let second = Compared::new("radix 2 in surfaces", two, "radix 4 in surfaces", four);
    let Some((first_range, second_range)) = first.range().zip(second.range()) else {
        return Verdict::unmeasured("CUDA's kernels were not measured in surfaces.");
    };
    let differs = first.values.iter().filter_map(|(size, ratio)| {
        let least = ratio.min(at(&second.values, *size)?);
        Some(least < 1.0 - EQUAL)
    });
    let text = format!(
        "In CUDA's surfaces Cooley-Tukey takes {first_range} times as long as Stockham. Radix 2 takes \
         {second_range} times as long as radix 4. The order differs from GLSL's where a ratio is below \
         1."
    );
    Verdict::new(Holds::of(differs), text).beside(first)
}

/// Figure 20, the passes: a pass per stage and one pass for each axis, also in workgroup memory and in the
/// processor's time.
pub fn shorter_passes(
    forms: &[Form<2>; 2],
    inside: &[BySize; 2],
    processor: &[BySize; 2],
) -> Verdict {
    let compared = |[each, two]: &[BySize; 2], form: &str| {
        Compared::new("a pass per stage", each, &format!("radix 2, {form}"), two)
    };
    let inside = compared(inside, "in workgroup memory");
    let processor = compared(processor, "time of the processor");
    let mut verdict = in_forms(forms, |memory, [each, two]| {
        faster("a pass per stage", each, &format!("radix 2 in {memory}"), two)
    });
    let words = ["In workgroup memory", "For the processor, which records the dispatches,"];
    for (compared, words) in [&inside, &processor].into_iter().zip(words) {
        if let Some(range) = compared.range() {
            verdict = verdict.because(&format!("{words} the factor is {range}."));
        }
    }
    verdict.beside(inside).beside(processor)
}

/// Figure 21, the passes: a pass per stage, radix 2 and radix 4, also in workgroup memory.
pub fn radix_4_stands_out(forms: &[Form<3>; 2], inside: &[BySize; 3]) -> Verdict {
    let [each_inside, two_inside, four_inside] = inside;
    let form = "radix 4, in workgroup memory";
    in_forms(forms, |memory, [each, two, four]| {
        let [two_name, four_name] =
            ["radix 2", "radix 4"].map(|name| format!("{name} in {memory}"));
        faster("a pass per stage", each, &four_name, four)
            .and(faster(&two_name, two, &four_name, four))
    })
    .beside(Compared::new("a pass per stage", each_inside, form, four_inside))
    .beside(Compared::new("radix 2", two_inside, form, four_inside))
}

/// Figures 20 and 21, the frames: `promised` percent, and the GPU times of frames and of their passes
/// with a pass per stage, and of frames with one pass for each axis by `name`.
pub fn frame_rate(
    promised: f64,
    name: &str,
    [each_frame, each_passes, one_frame]: [&BySize; 3],
) -> Verdict {
    /// A change of the frame rate that is none: medians of frames scatter by less.
    const NONE: f64 = 0.01;
    let with = format!("with {name}");
    let compared = Compared::new("a frame with a pass per stage", each_frame, &with, one_frame);
    let Some((size, gain)) = compared.values.first().copied() else {
        return Verdict::unmeasured("No frames were drawn with both.");
    };
    let holds = match gain - 1.0 {
        rise if rise >= promised / 100.0 => Holds::Yes,
        rise if rise > NONE => Holds::InPart,
        _ => Holds::No,
    };
    let text = format!(
        "The frame rate changes by {:+.1}%, where the thesis has up to +{promised}%.",
        100.0 * (gain - 1.0)
    );
    let mut verdict = Verdict::new(holds, text);
    if let Some((frame, passes)) = at(each_frame, size).zip(at(each_passes, size)) {
        verdict = verdict.because(&format!(
            "A frame with a pass per stage takes {:.1} ms, of which the passes are {:.2} ms. Passes \
             that took no time at all would give {:+.1}%.",
            frame / 1000.0,
            passes / 1000.0,
            100.0 * (frame / (frame - passes) - 1.0)
        ));
    }
    verdict.beside(compared)
}

/// Adds what the passes of frames with one in workgroup memory would take in storage.
pub fn in_storage(verdict: Verdict, name: &str, storage: &[BySize; 2]) -> Verdict {
    let one = |(size, each): &(u64, f64)| Some((*each, at(&storage[1], *size)?));
    let Some((each, one)) = storage[0].first().and_then(one) else { return verdict };
    if verdict.holds == Holds::Unmeasured {
        return verdict;
    }
    let order = if each < one { "Here the order reverses." } else { "" };
    verdict
        .because(&format!(
            "These frames keep stages in workgroup memory. In storage, four transforms take {each:.0} us \
             with a pass per stage, and {one:.0} us with {name}."
        ))
        .because(order)
}

#[cfg(test)]
mod tests {
    use Holds::{InPart, No, Unmeasured, Yes};

    use super::super::super::tests::doubling;
    use super::*;

    fn line(values: &[f64]) -> BySize {
        doubling(512, values)
    }

    fn none_in_images<const N: usize>() -> Form<N> {
        ("images", std::array::from_fn(|_| BySize::new()))
    }

    #[test]
    fn images_decide_where_they_were_measured() {
        let form = |memory, four: f64| (memory, [line(&[1.0]), line(&[four])]);
        let judge = |images: Form<2>| radix_4_is_faster(&[images, form("storage", 0.5)]);
        assert_eq!(judge(form("images", 2.0)).holds, No);
        let verdict = judge(none_in_images());
        assert_eq!((verdict.holds, verdict.compared.len()), (Yes, 1));
        let verdict = judge(form("images", 0.25));
        assert_eq!(verdict.compared.len(), 2);
        let words = ["radix 2 in images is 4.00 times", "radix 2 in storage is 2.00 times"];
        assert!(words.iter().all(|words| verdict.text.contains(words)), "{}", verdict.text);
    }

    #[test]
    fn textbook_verdicts_follow_the_times() {
        let judge = |dft: &[f64], dit: &[f64], recursive: &[f64]| {
            let (dft, dit, recursive) = (line(dft), line(dit), line(recursive));
            let verdicts = textbook(&dft, &dit, &dit, &recursive);
            verdicts.iter().map(|verdict| verdict.holds).collect::<Vec<_>>()
        };
        let one = [1.0, 1.0, 1.0];
        assert_eq!(judge(&[4.0, 16.0, 256.0], &one, &[2.0; 3]), [Yes, Yes, Yes]);
        assert_eq!(judge(&[4.0, 16.0, 64.0], &one, &[0.5; 3]), [Yes, No, No]);
        let growth = [4.0, 8.0, 32.0, 64.0];
        assert_eq!(judge(&growth, &[1.0, 9.0, 1.0, 1.0], &[2.0, 1.0, 2.0, 2.0]), [InPart; 3]);
        assert_eq!(judge(&[], &[], &[]), [Unmeasured; 3]);
    }

    #[test]
    fn figure_13_is_judged_by_frames_and_in_storage() {
        let frames = |each: &[f64]| shorter_frames(&line(each), &line(&[1.0, 1.0]), true).holds;
        assert_eq!(frames(&[1.2, 1.1]), Yes);
        assert_eq!(frames(&[1.02, 1.1]), InPart);
        assert_eq!(frames(&[1.02, 0.9]), No);
        assert_eq!(frames(&[]), Unmeasured);
        // Workgroup memory decides nothing.
        let passes = |storage: &[f64]| {
            let each = || line(&[2.0, 2.0]);
            let inside = ("workgroup memory", [each(), line(&[1.0, 1.0])]);
            one_pass(&[none_in_images(), ("storage", [each(), line(storage)]), inside]).holds
        };
        assert_eq!(passes(&[1.0, 1.5]), Yes);
        assert_eq!(passes(&[1.0, 2.5]), InPart);
        assert_eq!(passes(&[2.0, 2.5]), No);
        assert_eq!(passes(&[]), Unmeasured);
    }

    #[test]
    fn figure_14_is_judged_up_to_1024() {
        let judge = |tukey: &[f64]| {
            let lines = |tukey: &[f64]| [line(tukey), line(&[1.0; 4])];
            let forms = [
                none_in_images(),
                ("storage", lines(tukey)),
                ("workgroup memory", lines(&[9.0; 4])),
            ];
            let warning = lead_is_lost(&forms);
            assert_eq!(warning.compared.len(), 1 + usize::from(tukey.len() > 2));
            [stockham_leads(&forms).holds, warning.holds]
        };
        assert_eq!(judge(&[1.2, 1.2, 0.9, 0.8]), [Yes, Yes]);
        assert_eq!(judge(&[1.2, 1.0, 1.2, 0.8]), [InPart, InPart]);
        assert_eq!(judge(&[1.0, 0.5, 1.2, 1.0]), [No, No]);
        assert_eq!(judge(&[1.2, 1.2]), [Yes, Unmeasured]);
    }

    #[test]
    fn figure_15_is_judged_by_the_way_to_cufft() {
        let judge = |four: &[f64]| {
            let storage = ("storage", [line(&[9.0, 9.0]), line(four)]);
            halfway(&[none_in_images(), storage], &line(&[1.0, 1.0])).holds
        };
        assert_eq!(judge(&[5.0, 2.0]), Yes);
        assert_eq!(judge(&[5.0, 6.0]), InPart);
        assert_eq!(judge(&[5.2, 9.0]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }

    #[test]
    fn figure_16_is_judged_in_storage() {
        let judge = |two: &[f64], eight: &[f64]| {
            let one = || line(&[1.0, 1.0]);
            let storage = ("storage", [one(), line(two), BySize::new(), line(eight)]);
            let inside = ("workgroup memory", [one(), line(&[2.0]), one(), one()]);
            more_butterflies(&[none_in_images(), storage, inside]).holds
        };
        assert_eq!(judge(&[1.0, 1.5], &[2.0]), Yes);
        assert_eq!(judge(&[1.0, 0.9], &[2.0]), InPart);
        assert_eq!(judge(&[0.9], &[0.5]), No);
        assert_eq!(judge(&[], &[]), Unmeasured);
    }

    #[test]
    fn figure_17_is_judged_in_surfaces() {
        let one = || [line(&[1.0, 1.0]), line(&[1.0, 1.0])];
        let judge = |tukey: &[f64], stockham: &[f64]| {
            let surface = [line(tukey), line(stockham)];
            let linear = [line(&[9.0]), line(&[9.0])];
            [
                cuda_is_slower(&one(), &surface, &linear).holds,
                stockham_loses(&one(), &surface).holds,
            ]
        };
        assert_eq!(judge(&[1.1, 1.1], &[1.2, 1.2]), [Yes, Yes]);
        assert_eq!(judge(&[1.1, 1.1], &[1.2, 0.9]), [InPart, InPart]);
        assert_eq!(judge(&[0.5, 0.5], &[0.5, 0.4]), [No, No]);
        assert_eq!(judge(&[], &[]), [Unmeasured, Unmeasured]);
        // The sentence is about sizes above 256.
        let small = [doubling(128, &[1.0, 1.0]), doubling(128, &[2.0, 2.0])];
        assert_eq!(stockham_loses(&one(), &small).holds, Unmeasured);
    }

    #[test]
    fn figure_18_is_judged_by_radix_and_by_order() {
        let judge = |tukey: &[f64], two: &[f64], four: &[f64]| {
            let surface = [line(two), line(four)];
            let wgsl = [line(&[2.0, 2.0]), line(&[1.0, 1.0])];
            [
                radix_4_leads(&wgsl, &surface, &wgsl).holds,
                order_differs(&line(tukey), &surface[0], &surface[1]).holds,
            ]
        };
        assert_eq!(judge(&[3.0, 3.0], &[2.0, 2.0], &[1.0, 1.0]), [Yes, No]);
        assert_eq!(judge(&[3.0, 3.0], &[2.0, 2.0], &[1.0, 2.5]), [InPart, InPart]);
        assert_eq!(judge(&[1.0, 1.0], &[2.0, 2.0], &[1.0, 1.0]), [Yes, Yes]);
        assert_eq!(judge(&[], &[], &[]), [Unmeasured, Unmeasured]);
        let slow = [line(&[1.0, 1.0]), line(&[2.0, 2.0])];
        assert_eq!(radix_4_leads(&slow, &slow, &slow).holds, No);
    }

    #[test]
    fn passes_are_judged_in_storage() {
        let two_passes = |storage: &[f64]| {
            let lines = |other: &[f64]| [line(&[3.0]), line(other)];
            let forms = [none_in_images(), ("storage", lines(storage))];
            shorter_passes(&forms, &lines(&[1.0]), &lines(&[1.0])).holds
        };
        assert_eq!(two_passes(&[2.0]), Yes);
        assert_eq!(two_passes(&[3.1]), No);
        assert_eq!(two_passes(&[]), Unmeasured);
        let stands_out = |each: f64, two: f64| {
            let lines = [each, two, 1.0].map(|us| line(&[us]));
            radix_4_stands_out(&[none_in_images(), ("storage", lines.clone())], &lines).holds
        };
        assert_eq!(stands_out(2.0, 2.0), Yes);
        assert_eq!(stands_out(2.0, 0.9), InPart);
        assert_eq!(stands_out(0.9, 0.9), No);
    }

    #[test]
    fn frame_rates_hold_from_what_the_thesis_has() {
        let none = BySize::new();
        let judge = |each: &[f64]| {
            let lines = [&line(each), &line(&[500.0]), &line(&[10_000.0])];
            in_storage(frame_rate(20.0, "one", lines), "one", &[line(&[306.0]), line(&[316.0])])
        };
        assert_eq!(judge(&[12_001.0]).holds, Yes);
        assert_eq!(judge(&[10_260.0]).holds, InPart);
        assert_eq!(judge(&[10_050.0]).holds, No);
        assert_eq!(judge(&[]).holds, Unmeasured);
        assert_eq!(frame_rate(20.0, "one", [&none; 3]).holds, Unmeasured);
        let text = judge(&[10_500.0]).text;
        let words =
            ["by +5.0%", "up to +20%", "10.5 ms", "0.50 ms", "306 us", "316 us", "reverses"];
        for words in words {
            assert!(text.contains(words), "{text}");
        }
    }
}
