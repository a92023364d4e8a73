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

pub fn shorter_frames(each: &BySize, one: &BySize) -> Verdict {
    match ratios(each, one).is_empty() {
        true => Verdict::unmeasured("No frames were drawn with both."),
        false => faster("a frame with a pass per stage", each, "a frame with one pass", one).because(
            "These frames draw an ocean, with the stages in workgroup memory. In storage none were \
             drawn.",
        ),
    }
}

pub fn one_pass(each: &BySize, storage: &BySize, inside: &BySize) -> Verdict {
    let verdict = faster("a pass per stage", each, "one pass in storage", storage);
    let compared = Compared::new("a pass per stage", each, "one pass in workgroup memory", inside);
    let range = compared.range();
    let verdict = match storage.is_empty() {
        true => verdict,
        false => verdict.because(
            "In storage a workgroup goes down its own columns at every stage. A pass per stage goes \
             along the rows.",
        ),
    };
    let inside = range.map(|range| format!("In workgroup memory the factor is {range}."));
    verdict.because(&inside.unwrap_or_default()).beside(compared)
}

pub fn stockham_leads(tukey: &BySize, stockham: &BySize) -> Verdict {
    let small = |line: &BySize| -> BySize {
        line.iter().copied().filter(|(size, _)| *size <= LARGEST).collect()
    };
    faster("Cooley-Tukey", &small(tukey), "Stockham", &small(stockham))
}

/// The largest side that the thesis measures.
const LARGEST: u64 = 1024;

/// Figure 14, its warning: Cooley-Tukey and Stockham in storage, and in workgroup memory.
pub fn lead_is_lost(storage: [&BySize; 2], inside: [&BySize; 2]) -> Verdict {
    let large = |[tukey, stockham]: [&BySize; 2], memory: &str| {
        let values = ratios(tukey, stockham).into_iter().filter(|(size, _)| *size > LARGEST);
        let what = format!("Cooley-Tukey / Stockham above {LARGEST}, in {memory}");
        Compared { what, values: values.collect() }
    };
    let (storage, inside) = (large(storage, "storage"), large(inside, "workgroup memory"));
    let beside = match inside.range() {
        Some(range) => format!(
            "In workgroup memory the time of Cooley-Tukey is {range} times that of Stockham there."
        ),
        None => String::new(),
    };
    let verdict = match storage.range() {
        Some(range) => {
            let lost = storage.values.iter().map(|(_, ratio)| *ratio < 1.0 - EQUAL);
            let text = format!(
                "Above {LARGEST} the time of Cooley-Tukey in storage is {range} times that of Stockham."
            );
            Verdict::new(Holds::of(lost), text)
        }
        None => Verdict::unmeasured(format!("No size above {LARGEST} was measured in storage.")),
    };
    verdict.because(&beside).beside(storage).beside(inside)
}

/// Figure 15: how much of the way in time from radix 2 to cuFFT radix 4 goes.
pub fn halfway(two: &BySize, four: &BySize, cufft: &BySize) -> Verdict {
    let share = |(size, two): &(u64, f64)| {
        let (four, cufft) = (at(four, *size)?, at(cufft, *size)?);
        (*two > cufft).then(|| (*size, (two - four) / (two - cufft)))
    };
    let values = two.iter().filter_map(share).collect();
    let compared = Compared { what: "share of the way from radix 2 to cuFFT".into(), values };
    let Some(range) = compared.range() else {
        return Verdict::unmeasured("CuFFT was not measured beside both.");
    };
    let holds = Holds::of(compared.values.iter().map(|(_, share)| *share >= 0.5));
    let text = format!("Radix 4 goes {range} of the way in time from radix 2 to cuFFT.");
    Verdict::new(holds, text)
        .beside(compared)
        .beside(Compared::new("radix 4", four, "cuFFT", cufft))
}

/// Figure 16: the times with each number of butterflies, in storage and in workgroup memory.
pub fn more_butterflies(storage: &[BySize; 4], inside: &[BySize; 4]) -> Verdict {
    let over_one = |lines: &[BySize; 4], memory: &str| -> Vec<Compared> {
        let more = BUTTERFLIES.iter().zip(lines).skip(1);
        let one = format!("1, in {memory}");
        let over_one = more.map(|(count, line)| {
            Compared::new(&format!("{count} butterflies"), line, &one, &lines[0])
        });
        over_one.filter(|compared| !compared.values.is_empty()).collect()
    };
    let (storage, inside) = (over_one(storage, "storage"), over_one(inside, "workgroup memory"));
    let says = |compared: &[Compared], memory: &str| {
        let all = compared.iter().flat_map(|compared| compared.values.clone()).collect();
        let range = Compared { what: String::new(), values: all }.range();
        range.map(|range| {
            format!("In {memory}, more butterflies take {range} times as long as one.")
        })
    };
    let ratios = storage.iter().flat_map(|compared| &compared.values);
    let holds = Holds::of(ratios.map(|(_, ratio)| *ratio > 1.0 - EQUAL));
    let text = says(&storage, "storage")
        .unwrap_or("In storage, the form of figures 13 to 15, this was not measured.".into());
    let verdict =
        Verdict::new(holds, text).because(&says(&inside, "workgroup memory").unwrap_or_default());
    storage.into_iter().chain(inside).fold(verdict, Verdict::beside)
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

/// Figure 20, the passes: a pass per stage and one pass for each axis, whole in storage, in workgroup
/// memory, and in the processor's time.
pub fn shorter_passes(
    storage: [&BySize; 2],
    inside: [&BySize; 2],
    processor: [&BySize; 2],
) -> Verdict {
    let compared = |[each, two]: [&BySize; 2], form: &str| {
        Compared::new("a pass per stage", each, &format!("radix 2, {form}"), two)
    };
    let inside = compared(inside, "in workgroup memory");
    let processor = compared(processor, "time of the processor");
    let mut verdict = faster("a pass per stage", storage[0], "radix 2 in storage", storage[1]);
    let forms = ["In workgroup memory", "For the processor, which records the dispatches,"];
    for (compared, form) in [&inside, &processor].into_iter().zip(forms) {
        if let Some(range) = compared.range() {
            verdict = verdict.because(&format!("{form} the factor is {range}."));
        }
    }
    verdict.beside(inside).beside(processor)
}

/// Figure 21, the passes: a pass per stage, radix 2 and radix 4, in storage and in workgroup memory.
pub fn radix_4_stands_out(storage: [&BySize; 3], inside: [BySize; 3]) -> Verdict {
    let [each, two, four] = storage;
    let [each_inside, two_inside, four_inside] = &inside;
    let form = "radix 4, in workgroup memory";
    faster("a pass per stage", each, "radix 4 in storage", four)
        .and(faster("radix 2 in storage", two, "radix 4 in storage", four))
        .beside(Compared::new("a pass per stage", each_inside, form, four_inside))
        .beside(Compared::new("radix 2", two_inside, form, four_inside))
}

/// Figures 20 and 21, the frames: `promised` percent, and the GPU times of frames and of their passes
/// with a pass per stage, of frames with one pass for each axis by `name`, and of both in storage.
pub fn frame_rate(
    promised: f64,
    name: &str,
    [each_frame, each_passes, one_frame]: [&BySize; 3],
    storage: [&BySize; 2],
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
    if let Some((each, one)) = at(storage[0], size).zip(at(storage[1], size)) {
        let order = if each < one { "Here the order reverses." } else { "" };
        verdict = verdict
            .because(&format!(
                "In storage no frames were drawn. There four transforms take {each:.0} us with a pass \
                 per stage, and {one:.0} us with {name}."
            ))
            .because(order);
    }
    verdict.beside(compared)
}

#[cfg(test)]
mod tests {
    use Holds::{InPart, No, Unmeasured, Yes};

    use super::super::super::tests::doubling;
    use super::*;

    fn line(values: &[f64]) -> BySize {
        doubling(512, values)
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
        let frames = |each: &[f64]| shorter_frames(&line(each), &line(&[1.0, 1.0])).holds;
        assert_eq!(frames(&[1.2, 1.1]), Yes);
        assert_eq!(frames(&[1.02, 1.1]), InPart);
        assert_eq!(frames(&[1.02, 0.9]), No);
        assert_eq!(frames(&[]), Unmeasured);
        // Workgroup memory decides nothing.
        let passes = |storage: &[f64]| {
            one_pass(&line(&[2.0, 2.0]), &line(storage), &line(&[1.0, 1.0])).holds
        };
        assert_eq!(passes(&[1.0, 1.5]), Yes);
        assert_eq!(passes(&[1.0, 2.5]), InPart);
        assert_eq!(passes(&[2.0, 2.5]), No);
        assert_eq!(passes(&[]), Unmeasured);
    }

    #[test]
    fn figure_14_is_judged_up_to_1024() {
        let judge = |tukey: &[f64]| {
            let (tukey, stockham) = (line(tukey), line(&[1.0; 4]));
            let inside = line(&[9.0; 4]);
            let warning = lead_is_lost([&tukey, &stockham], [&inside, &stockham]);
            assert_eq!(warning.compared.len(), 1 + usize::from(tukey.len() > 2));
            [stockham_leads(&tukey, &stockham).holds, warning.holds]
        };
        assert_eq!(judge(&[1.2, 1.2, 0.9, 0.8]), [Yes, Yes]);
        assert_eq!(judge(&[1.2, 1.0, 1.2, 0.8]), [InPart, InPart]);
        assert_eq!(judge(&[1.0, 0.5, 1.2, 1.0]), [No, No]);
        assert_eq!(judge(&[1.2, 1.2]), [Yes, Unmeasured]);
    }

    #[test]
    fn figure_15_is_judged_by_the_way_to_cufft() {
        let judge =
            |four: &[f64]| halfway(&line(&[9.0, 9.0]), &line(four), &line(&[1.0, 1.0])).holds;
        assert_eq!(judge(&[5.0, 2.0]), Yes);
        assert_eq!(judge(&[5.0, 6.0]), InPart);
        assert_eq!(judge(&[5.2, 9.0]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }

    #[test]
    fn figure_16_is_judged_in_storage() {
        let judge = |two: &[f64], eight: &[f64]| {
            let one = || line(&[1.0, 1.0]);
            let storage = [one(), line(two), BySize::new(), line(eight)];
            more_butterflies(&storage, &[one(), line(&[2.0]), one(), one()]).holds
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
            let (each, fast) = (line(&[3.0]), line(&[1.0]));
            shorter_passes([&each, &line(storage)], [&each, &fast], [&each, &fast]).holds
        };
        assert_eq!(two_passes(&[2.0]), Yes);
        assert_eq!(two_passes(&[3.1]), No);
        assert_eq!(two_passes(&[]), Unmeasured);
        let stands_out = |each: f64, two: f64| {
            let lines = [each, two, 1.0].map(|us| line(&[us]));
            radix_4_stands_out(lines.each_ref(), lines.clone()).holds
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
            frame_rate(20.0, "one", lines, [&line(&[306.0]), &line(&[316.0])])
        };
        assert_eq!(judge(&[12_001.0]).holds, Yes);
        assert_eq!(judge(&[10_260.0]).holds, InPart);
        assert_eq!(judge(&[10_050.0]).holds, No);
        assert_eq!(judge(&[]).holds, Unmeasured);
        assert_eq!(frame_rate(20.0, "one", [&none; 3], [&none; 2]).holds, Unmeasured);
        let text = judge(&[10_500.0]).text;
        let words =
            ["by +5.0%", "up to +20%", "10.5 ms", "0.50 ms", "306 us", "316 us", "reverses"];
        for words in words {
            assert!(text.contains(words), "{text}");
        }
    }
}
