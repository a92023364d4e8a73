use super::super::draw::{BySize, Compared, Drawn, Holds, Verdict};
use super::{Claim, Figure, thesis_chart, time};

pub(super) const PAPER: &str = "Mateer, Fast Fourier Transform Algorithms with Applications (2008)";

pub const FIGURES: &[Figure] = &[Figure {
    name: "004-split-radix",
    paper: PAPER,
    number: "Figure 4.3",
    title: "split radix against radix 2 and 4",
    form: "This dissertation is about algorithms and not about GPUs. Of it only pseudocode was at hand, \
        which says nothing about speed. The times below are for interest.",
    claims: &[Claim {
        found: "The dissertation gives the algorithm. Nothing is claimed about its speed.",
        quote: "Algorithm: Split-radix IFFT (conjugate-pair version)",
        place: "Figure 4.3",
    }],
    commands: |quick| {
        let sizes = if quick { "64,128" } else { "128,256,512,1024,2048" };
        vec![format!(
            "bench --size {sizes} --batch 4 --layout pair --algorithm cooley-tukey,stockham-r4,split-radix"
        )]
    },
    has_frames: false,
    draw: |m| {
        let [two, four, split] =
            ["cooley-tukey", "stockham-r4", "split-radix"].map(|name| time(m, name));
        let chart = thesis_chart(
            "Four 2D transforms: fewer operations",
            &[("cooley-tukey (radix 2)", &two), ("stockham-r4", &four), ("split-radix", &split)],
        )?;
        Some(Drawn { chart, verdicts: vec![split_radix(&two, &four, &split)] })
    },
}];

/// Takes the times of radix 2, radix 4 and split radix: there is no claim to judge them by.
fn split_radix(two: &BySize, four: &BySize, split: &BySize) -> Verdict {
    let [two, four] = [("radix 2", two), ("radix 4", four)]
        .map(|(name, line)| Compared::new(name, line, "split radix", split));
    let mut verdict = Verdict::new(
        Holds::Unjudged,
        "Split radix needs about 4 n log2 n operations, where radix 2 needs 5. Since 2007 it is not \
         the fewest known: Johnson and Frigo, and Bernstein, have 34/9 n log2 n.",
    );
    for compared in [two, four] {
        if let Some(range) = compared.range() {
            let name = compared.what.split(" / ").next().unwrap_or_default();
            let text = format!("The time of {name} is {range} times that of split radix.");
            verdict = verdict.because(&text).beside(compared);
        }
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_radix_has_no_claim_to_judge() {
        let line: BySize = vec![(128, 1.0)];
        let verdict = split_radix(&line, &line, &line);
        assert_eq!((verdict.holds, verdict.compared.len()), (Holds::Unjudged, 2));
    }
}
