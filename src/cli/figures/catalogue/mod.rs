//! The figures and tables: where each stands, what was found, what to measure and how to draw it. A
//! file a paper; here is what they share.

mod govindaraju;
mod lloyd;
mod mota;
mod ukidave;
mod zhang;

use seaway::fft::lab::timing::Regime;
use seaway::fft::{Kind, Layout, Precision};

use super::Measurements;
use super::draw::{BySize, Drawn, by_size, chart};
use crate::cli::bench::row::{Figures, Row};
use crate::cli::chart::Chart;

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

/// Every figure, paper by paper.
pub fn all() -> impl Iterator<Item = &'static Figure> {
    [mota::FIGURES, ukidave::FIGURES, lloyd::FIGURES, zhang::FIGURES, govindaraju::FIGURES]
        .into_iter()
        .flatten()
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
        && row.layout == Layout::Pair
        && row.parameters.is_empty()
}

fn time(m: &Measurements, name: &'static str) -> BySize {
    by_size(m, of_images(name), median)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_one_figure_each() {
        for (number, figure) in all().enumerate() {
            assert!(all().take(number).all(|other| other.name != figure.name), "{}", figure.name);
            assert!(!(figure.commands)(true).is_empty() && !(figure.commands)(false).is_empty());
        }
    }

    /// Of nothing measured nothing is drawn.
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
