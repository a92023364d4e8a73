//! The figures and tables of the papers: each paper's claims, the commands that measure them, and the
//! drawing. Each paper has a file; this one holds the shared parts.

mod additive;
mod govindaraju;
mod lloyd;
mod mateer;
mod mota;
mod ukidave;
mod zhang;

use crate::fft::lab::timing::Regime;
use crate::fft::{Kind, Layout, Precision};

use super::Measurements;
use super::command::{Bench, Command};
use super::draw::{BySize, Drawn, by_size, chart, in_order};
use crate::bench::other::{self, Other};
use crate::bench::{Chart, Figures, Form, Row};

/// A figure or table of a paper.
pub struct Figure {
    /// The name on the command line and of the figure's files.
    pub name: &'static str,
    pub paper: &'static str,
    pub number: &'static str,
    pub title: &'static str,
    /// The measurement, and its differences from the paper's, in sentences.
    pub form: &'static str,
    pub claims: &'static [Claim],
    /// The commands that measure it; the flag is `--quick`.
    pub commands: fn(bool) -> Vec<Command>,
    /// Whether it also needs the frames of `seaway profile --compare`.
    pub has_frames: bool,
    pub draw: fn(&Measurements) -> Option<Drawn>,
}

pub struct Claim {
    /// The claim in plain words, one sentence.
    pub found: &'static str,
    /// The sentence of the paper, word for word; ` [..] ` stands for omitted words.
    pub quote: &'static str,
    /// The page or section of the sentence.
    pub place: &'static str,
}

/// Every figure, paper by paper.
pub fn all() -> impl Iterator<Item = &'static Figure> {
    [
        mota::FIGURES,
        ukidave::FIGURES,
        lloyd::FIGURES,
        zhang::FIGURES,
        govindaraju::FIGURES,
        mateer::FIGURES,
        additive::FIGURES,
    ]
    .into_iter()
    .flatten()
}

/// `first` and its doubles up to `last`.
#[inline(never)]
fn doubles(first: u32, last: u32) -> Vec<u32> {
    std::iter::successors(Some(first), |size| size.checked_mul(2))
        .take_while(|size| *size <= last)
        .collect()
}

/// The sides of images of figures that have the usual ones.
fn sides(quick: bool) -> Vec<u32> {
    if quick { doubles(64, 128) } else { doubles(128, 2048) }
}

/// Four images of each size, interleaved in pairs.
#[inline(never)]
fn images(sizes: &[u32]) -> Bench {
    Bench::default().size(sizes).batch(&[4]).layout(Layout::Pair)
}

fn median(figures: &Figures) -> Option<f64> {
    Some(figures.times.median_us)
}

/// Selects rows of four complex images by `name` with its own choices.
fn of_images(name: &'static str) -> impl Fn(&Row) -> bool {
    move |row| row.algorithm == name && is_of_images(&row.form) && row.parameters.is_empty()
}

fn is_of_images(form: &Form) -> bool {
    form.dimensions == 2
        && form.kind == Kind::Complex
        && form.batch == 4
        && form.precision == Precision::F32
        && form.regime == Regime::Hot
        && form.placement == "out_of_place"
        && form.layout == Layout::Pair
}

/// Whether complex lines in 32-bit floats were transformed, planar, with their data in the caches.
fn is_of_lines(form: &Form) -> bool {
    form.dimensions == 1
        && form.kind == Kind::Complex
        && form.precision == Precision::F32
        && form.regime == Regime::Hot
        && form.placement == "out_of_place"
        && form.layout == Layout::Planar
}

/// The value of the parameter `swept`, of a row with that one and the `given` ones, and no others.
fn of_parameters(row: &Row, given: &[(&str, u64)], swept: &str) -> Option<u64> {
    let value = |name: &str| row.parameters.get(name).and_then(|value| value.as_u64());
    let is_given = given.iter().all(|(name, wanted)| value(name) == Some(*wanted));
    value(swept).filter(|_| is_given && row.parameters.len() == given.len() + 1)
}

fn time(m: &Measurements, name: &'static str) -> BySize {
    by_size(m, of_images(name), median)
}

fn on_processor(m: &Measurements, name: &str) -> BySize {
    let rows = m.cpu.iter().filter(|row| row.algorithm == name);
    in_order(rows.map(|row| (row.length.into(), row.median_us)))
}

/// The times of one case of `bench --other` by size, if its results are right.
fn other(m: &Measurements, measurement: Other, case: &str) -> BySize {
    let is_one = |row: &&other::Row| row.measurement == measurement && row.case == case;
    let rows = m.others.iter().filter(is_one).filter(|row| row.is_right());
    in_order(rows.map(|row| (row.size.into(), row.times.median_us)))
}

fn thesis_chart(title: &str, lines: &[(&str, &BySize)]) -> Option<Chart> {
    chart(title, ["side of an image", "time [us]"], lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line whose sizes are `first` and its doubles.
    pub fn doubling(first: u64, values: &[f64]) -> BySize {
        values.iter().enumerate().map(|(index, value)| (first << index, *value)).collect()
    }

    /// The longest sentence that index.md may have.
    const MOST_WORDS: usize = 25;

    /// The first sentence of `text` that has too many words.
    pub fn long_sentence(text: &str) -> Option<&str> {
        text.split(". ").find(|sentence| sentence.split_whitespace().count() > MOST_WORDS)
    }

    #[test]
    fn names_are_of_one_figure_each() {
        for (number, figure) in all().enumerate() {
            assert!(all().take(number).all(|other| other.name != figure.name), "{}", figure.name);
            assert!(!(figure.commands)(true).is_empty() && !(figure.commands)(false).is_empty());
        }
    }

    #[test]
    fn claims_are_short_and_carry_their_sentence() {
        for figure in all() {
            assert!(!figure.claims.is_empty(), "{}", figure.name);
            let found = figure.claims.iter().map(|claim| claim.found);
            for text in found.chain([figure.form]) {
                assert!(text.ends_with('.'), "{text}");
                assert_eq!(long_sentence(text), None, "{}", figure.name);
            }
            for claim in figure.claims {
                assert!(claim.found.len() <= 160, "{}", claim.found);
                assert!(!claim.quote.is_empty() && !claim.place.is_empty(), "{}", claim.found);
            }
        }
    }

    #[test]
    fn without_measurements_there_are_no_figures() {
        let json = r#"{"adapter": "A", "driver": "", "backend": "", "peers": [], "date": "",
            "seaway": "", "command": "", "complete": true, "rows": []}"#;
        let nothing: Measurements = serde_json::from_str(json).unwrap();
        for figure in all() {
            assert!((figure.draw)(&nothing).is_none(), "{}", figure.name);
        }
    }
}
