use super::super::Measurements;
use super::super::draw::{BySize, Compared, Drawn, Holds, Verdict, at};
use super::{Claim, Figure, images, sides, thesis_chart, time};

pub(super) const PAPER: &str = "Mateer, Fast Fourier Transform Algorithms with Applications (2008)";

const FORM: &str = "This dissertation is about algorithms and not about GPUs. Of it only pseudocode was at hand, \
    which says nothing about speed. The times below are for interest.";

const FOUND: &str = "The dissertation gives the algorithm. Nothing is claimed about its speed.";

pub const FIGURES: &[Figure] = &[
    Figure {
        name: "004-twisted-radix-2",
        paper: PAPER,
        number: "Figure 4.2",
        title: "twisted radix 2 against other algorithms of radix 2",
        form: FORM,
        claims: &[Claim {
            found: FOUND,
            quote: "Algorithm: Twisted radix-2 IFFT",
            place: "Figure 4.2",
        }],
        commands: |quick| {
            let names = ["cooley-tukey", "stockham-r2", "twisted-r2"];
            vec![images(&sides(quick)).algorithm(&names).into()]
        },
        has_frames: false,
        draw: |m| {
            let [cooley_tukey, stockham, twisted] =
                beside_own(m, ["cooley-tukey", "stockham-r2", "twisted-r2"])?;
            let chart = thesis_chart(
                "Four 2D transforms: twisted radix 2",
                &[
                    ("cooley-tukey", &cooley_tukey),
                    ("stockham-r2", &stockham),
                    ("twisted-r2", &twisted),
                ],
            )?;
            let verdict = beside(
                "All three take 10 operations for two points, 5 n log2 n in all.",
                &[("Cooley-Tukey", &cooley_tukey), ("Stockham", &stockham)],
                ("twisted radix 2", &twisted),
            );
            Some(Drawn { chart, verdicts: vec![verdict] })
        },
    },
    Figure {
        name: "004-split-radix",
        paper: PAPER,
        number: "Figure 4.3",
        title: "split radix against radix 2 and 4",
        form: FORM,
        claims: &[Claim {
            found: FOUND,
            quote: "Algorithm: Split-radix IFFT (conjugate-pair version)",
            place: "Figure 4.3",
        }],
        commands: |quick| {
            let names = ["cooley-tukey", "stockham-r4", "split-radix"];
            vec![images(&sides(quick)).algorithm(&names).into()]
        },
        has_frames: false,
        draw: |m| {
            let [two, four, split] =
                ["cooley-tukey", "stockham-r4", "split-radix"].map(|name| time(m, name));
            let chart = thesis_chart(
                "Four 2D transforms: fewer operations",
                &[
                    ("cooley-tukey (radix 2)", &two),
                    ("stockham-r4", &four),
                    ("split-radix", &split),
                ],
            )?;
            let verdict = beside(
                "Split radix needs about 4 n log2 n operations, where radix 2 needs 5. Since 2007 it is \
                 not the fewest known: Johnson and Frigo, and Bernstein, have 34/9 n log2 n.",
                &[("radix 2", &two), ("radix 4", &four)],
                ("split radix", &split),
            );
            Some(Drawn { chart, verdicts: vec![verdict] })
        },
    },
    Figure {
        name: "004-twisted-radix-3",
        paper: PAPER,
        number: "Figure 4.4",
        title: "twisted radix 3 against mixed radices",
        form: FORM,
        claims: &[Claim {
            found: FOUND,
            quote: "Algorithm: New twisted radix-3 IFFT",
            place: "Figure 4.4",
        }],
        commands: |quick| {
            let sizes: &[u32] = if quick { &[27, 81] } else { &[81, 243, 729] };
            vec![images(sizes).algorithm(&["mixed-radix", "twisted-r3"]).into()]
        },
        has_frames: false,
        draw: |m| {
            let [mixed, twisted] = beside_own(m, ["mixed-radix", "twisted-r3"])?;
            let chart = thesis_chart(
                "Four 2D transforms of powers of three",
                &[("mixed-radix", &mixed), ("twisted-r3", &twisted)],
            )?;
            let verdict = beside(
                "Three points take 8 multiplications and 16 additions, where three points after two \
                 factors take 12 and 16. That makes 5.05 n log2 n operations in place of 5.89. Mixed \
                 radices keep up to 16 points in the registers of an invocation.",
                &[("mixed radices", &mixed)],
                ("twisted radix 3", &twisted),
            );
            Some(Drawn { chart, verdicts: vec![verdict] })
        },
    },
];

/// The times of algorithms at the sizes that the last one has; `None` where it has none.
fn beside_own<const N: usize>(m: &Measurements, names: [&'static str; N]) -> Option<[BySize; N]> {
    let mut lines = names.map(|name| time(m, name));
    let own = lines.last()?.clone();
    lines.iter_mut().for_each(|line| line.retain(|(size, _)| at(&own, *size).is_some()));
    (!own.is_empty()).then_some(lines)
}

/// Compares the times of `others` with `own`, each by its name: there is no claim to judge them by.
fn beside(operations: &str, others: &[(&str, &BySize)], own: (&str, &BySize)) -> Verdict {
    let mut verdict = Verdict::new(Holds::Unjudged, operations);
    for (name, line) in others {
        let compared = Compared::new(name, line, own.0, own.1);
        if let Some(range) = compared.range() {
            let text = format!("The time of {name} is {range} times that of {}.", own.0);
            verdict = verdict.because(&text).beside(compared);
        }
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::super::tests::long_sentence;
    use super::*;

    #[test]
    fn there_is_no_claim_to_judge() {
        let line: BySize = vec![(128, 1.0)];
        let verdict = beside("It takes 5.", &[("a", &line), ("b", &line)], ("c", &line));
        assert_eq!((verdict.holds, verdict.compared.len()), (Holds::Unjudged, 2));
        assert!(verdict.text.contains("The time of b is "), "{}", verdict.text);
        assert_eq!(long_sentence(&verdict.text), None);
    }
}
