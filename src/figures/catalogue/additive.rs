//! The additive transforms of Mateer's dissertation.

use super::super::command::Command;
use super::super::draw::{BySize, Compared, Drawn, Holds, Verdict, chart};
use super::mateer::PAPER;
use super::{Claim, Figure, other as times_of};
use crate::bench::other::{self, METHODS, Other};
use crate::fft::lab::additive::{Field, Transform};

pub const FIGURES: &[Figure] = &[Figure {
    name: "004-additive",
    paper: PAPER,
    number: "Figures 4.5 and 4.6",
    title: "additive transforms over GF(65536), back to the coefficients",
    form: "Of the dissertation only pseudocode was at hand, which says nothing about speed. Lines of \
        65,536 values in all are transformed back to polynomials, by one processor core and by the GPU.",
    claims: &[
        Claim {
            found: "The transform of Wang, Zhu and Cantor gives the polynomial of the values.",
            quote: "Return f mod (s_{i+1} − ϖ_j) = q · (s_i − ϖ_{2j}) + r.",
            place: "Figure 4.5",
        },
        Claim {
            found: "The new transform gives it, too.",
            quote: "Pseudocode for the new additive IFFT",
            place: "Figure 4.6",
        },
    ],
    commands: |quick| {
        let sizes = if quick { vec![256] } else { vec![256, 1024, 4096, 16_384, 65_536] };
        vec![Command::Other { other: Other::Additive, sizes, batch: None }]
    },
    has_frames: false,
    draw: |m| {
        let names = METHODS.map(|(name, _)| ["processor", "GPU"].map(|on| format!("{name}, {on}")));
        let times = names
            .each_ref()
            .map(|names| names.each_ref().map(|name| times_of(m, Other::Additive, name)));
        let named: Vec<(&str, &BySize)> =
            names.as_flattened().iter().map(String::as_str).zip(times.as_flattened()).collect();
        let chart = chart("65,536 values in lines", ["values of a line", "time [us]"], &named)?;
        let is_of = |row: &other::Row, name: &str| {
            row.measurement == Other::Additive && row.case.starts_with(name)
        };
        let [cantor, new] = [0, 1].map(|number| {
            let (name, _) = METHODS[number];
            let results = m.others.iter().filter(|row| is_of(row, name)).map(|row| row.is_right());
            let [processor, gpu] = &times[number];
            exact(results, Compared::new(&names[number][0], processor, "GPU", gpu))
        });
        let new = match times[1][1].last() {
            Some((most, _)) => new.because(&operations(*most as u32)),
            None => new,
        };
        Some(Drawn { chart, verdicts: vec![cantor, new] })
    },
}];

/// Takes whether results were exact, and the times of the processor and the GPU.
fn exact(results: impl Iterator<Item = bool>, times: Compared) -> Verdict {
    let results: Vec<bool> = results.collect();
    let right = results.iter().filter(|is_right| **is_right).count();
    let text = match results.len() {
        0 => "It was not measured.".to_owned(),
        all => format!("The coefficients were exact in {right} of {all} cases."),
    };
    let verdict = Verdict::new(Holds::of(results), text);
    match times.range() {
        Some(range) => verdict
            .because(&format!("One processor core takes {range} times as long as the GPU."))
            .beside(times),
        None => verdict,
    }
}

/// The numbers of operations of both transforms for one line, in a sentence.
fn operations(length: u32) -> String {
    let counts = METHODS.map(|(_, method)| {
        let field = Field::new(16).ok()?;
        Some(Transform::new(&field, method, length.ilog2()).ok()?.operations())
    });
    match counts {
        [Some(cantor), Some(new)] => format!(
            "For {length} values it takes {} sums, and the other takes {}. Both take {} products.",
            new.additions, cantor.additions, new.multiplications
        ),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use Holds::{InPart, No, Unmeasured, Yes};

    use super::*;

    #[test]
    fn additive_transforms_are_judged_by_exact_results() {
        let judge = |results: &[bool]| {
            let times = Compared { what: String::new(), values: Vec::new() };
            exact(results.iter().copied(), times).holds
        };
        assert_eq!(judge(&[true, true]), Yes);
        assert_eq!(judge(&[true, false]), InPart);
        assert_eq!(judge(&[false]), No);
        assert_eq!(judge(&[]), Unmeasured);
    }

    #[test]
    fn the_new_transform_takes_fewer_sums() {
        // The formulas of Transform::operations for n = 65536 and k = 16, by hand.
        assert_eq!(
            operations(1 << 16),
            "For 65536 values it takes 2031617 sums, and the other takes 3112961. Both take 458753 products."
        );
    }
}
