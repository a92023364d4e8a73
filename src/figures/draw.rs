//! Turns measurements into the lines of a chart and into verdicts.

use super::Measurements;
use crate::bench::{Chart, Line};
use crate::bench::{Figures, Row};

pub struct Drawn {
    pub chart: Chart,
    /// One for each claim of the figure, in the same order.
    pub verdicts: Vec<Verdict>,
}

pub struct Verdict {
    pub holds: Holds,
    /// The measured result, and why the claim holds or does not, in sentences.
    pub text: String,
    pub compared: Vec<Compared>,
}

/// Numbers by size, for the table below the verdicts of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// A description, mostly of one time over another, as in `radix 2 / radix 4`.
    pub what: String,
    pub values: BySize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    Yes,
    No,
    /// Holds in some cases, or by less than in the paper.
    InPart,
    /// These measurements lack something that the claim needs.
    Unmeasured,
    /// The claim is about something that this program cannot measure.
    Unjudged,
}

impl Holds {
    /// Combines several cases of one claim.
    pub fn of(cases: impl IntoIterator<Item = bool>) -> Self {
        let (mut yes, mut no) = (false, false);
        cases.into_iter().for_each(|case| *(if case { &mut yes } else { &mut no }) = true);
        match (yes, no) {
            (true, false) => Self::Yes,
            (false, true) => Self::No,
            (true, true) => Self::InPart,
            (false, false) => Self::Unmeasured,
        }
    }

    /// Combines two parts of a claim.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Unjudged, _) | (_, Self::Unjudged) => Self::Unjudged,
            (Self::Unmeasured, _) | (_, Self::Unmeasured) => Self::Unmeasured,
            _ => Self::InPart,
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Yes => "holds",
            Self::No => "does not hold",
            Self::InPart => "in part",
            Self::Unmeasured => "not measured",
            Self::Unjudged => "cannot be judged here",
        }
    }
}

/// A line by size: points and a value, in ascending order.
pub type BySize = Vec<(u64, f64)>;

/// Rows of `measurements` that `wanted` selects, with their figures.
pub fn rows<'a>(
    measurements: &'a Measurements,
    wanted: impl Fn(&Row) -> bool + 'a,
) -> impl Iterator<Item = (&'a Row, &'a Figures)> + 'a {
    let rows = measurements.rows.iter().filter(move |row| wanted(row));
    rows.filter_map(|row| Some((row, row.figures()?)))
}

/// `value` of the first row of each size that `wanted` selects.
pub fn by_size(
    measurements: &Measurements,
    wanted: impl Fn(&Row) -> bool,
    value: impl Fn(&Figures) -> Option<f64>,
) -> BySize {
    by_place(measurements, |row| wanted(row).then(|| side(row)), value)
}

/// `value` of the first row at each place along x. Rows without a place are left out.
pub fn by_place(
    measurements: &Measurements,
    place: impl Fn(&Row) -> Option<u64>,
    value: impl Fn(&Figures) -> Option<f64>,
) -> BySize {
    // Once, and not for each figure: pages are downloaded.
    fn line(
        measurements: &Measurements,
        place: &dyn Fn(&Row) -> Option<u64>,
        value: &dyn Fn(&Figures) -> Option<f64>,
    ) -> BySize {
        let all = rows(measurements, |_| true);
        in_order(all.filter_map(|(row, figures)| Some((place(row)?, value(figures)?))))
    }
    line(measurements, &place, &value)
}

/// The first value of each place, in ascending order of places.
pub fn in_order(values: impl IntoIterator<Item = (u64, f64)>) -> BySize {
    let mut line: BySize = Vec::new();
    for (place, value) in values {
        if let Err(index) = line.binary_search_by_key(&place, |(known, _)| *known) {
            line.insert(index, (place, value));
        }
    }
    line
}

/// The places of all lines, in ascending order.
pub fn places<'a>(lines: impl Iterator<Item = &'a BySize>) -> Vec<u64> {
    in_order(lines.flatten().copied()).into_iter().map(|(place, _)| place).collect()
}

/// The side of a square or a cube, or the points of a line; of others the width.
pub fn side(row: &Row) -> u64 {
    let text = row.size.to_string();
    text.split('x').next().and_then(|side| side.parse().ok()).unwrap_or(0)
}

/// A chart of lines by size; `None` where no line has a value. Lines without any are left out.
pub fn chart(
    title: &str,
    [x_label, y_label]: [&str; 2],
    lines: &[(&str, &BySize)],
) -> Option<Chart> {
    let sizes = places(lines.iter().map(|(_, line)| *line));
    let lines: Vec<Line> = lines
        .iter()
        .filter(|(_, line)| !line.is_empty())
        .map(|(name, line)| Line {
            name: (*name).to_owned(),
            values: sizes.iter().map(|size| at(line, *size)).collect(),
            is_reference: name.contains("cuFFT") || name.contains("rustfft"),
        })
        .collect();
    (!lines.is_empty()).then(|| Chart {
        title: title.into(),
        x_label: x_label.into(),
        y_label: y_label.into(),
        places: sizes.iter().map(u64::to_string).collect(),
        logarithmic: true,
        lines,
        ..Chart::default()
    })
}

pub fn at(line: &BySize, size: u64) -> Option<f64> {
    line.iter().find(|(known, _)| *known == size).map(|(_, value)| *value)
}

/// The ratios of `a` to `b`, where both have a value.
pub fn ratios(a: &BySize, b: &BySize) -> Vec<(u64, f64)> {
    let common = a.iter().filter_map(|(size, value)| Some((*size, value / at(b, *size)?)));
    common.collect()
}

/// Times that differ by no more than this share are called equal.
pub const EQUAL: f64 = 0.03;

/// Whether `slow` takes longer than `fast` at every size.
pub fn faster(slow_name: &str, slow: &BySize, fast_name: &str, fast: &BySize) -> Verdict {
    faster_by(EQUAL, slow_name, slow, fast_name, fast)
}

/// Whether `slow` takes more than this share longer than `fast` at every size.
pub fn faster_by(
    share: f64,
    slow_name: &str,
    slow: &BySize,
    fast_name: &str,
    fast: &BySize,
) -> Verdict {
    let compared = Compared::new(slow_name, slow, fast_name, fast);
    let Some(range) = compared.range() else {
        return Verdict::new(
            Holds::Unmeasured,
            format!("These were not measured beside each other: {slow_name}, {fast_name}."),
        );
    };
    let holds = Holds::of(compared.values.iter().map(|(_, ratio)| *ratio > 1.0 + share));
    let text = format!("The time of {slow_name} is {range} times that of {fast_name}.");
    Verdict::new(holds, text).beside(compared)
}

impl Compared {
    pub fn new(a_name: &str, a: &BySize, b_name: &str, b: &BySize) -> Self {
        Self { what: format!("{a_name} / {b_name}"), values: ratios(a, b) }
    }

    /// From the smallest to the largest, as in `0.78 to 2.03`.
    pub fn range(&self) -> Option<String> {
        let values = || self.values.iter().map(|(_, value)| *value);
        let (least, most) = (values().reduce(f64::min)?, values().reduce(f64::max)?);
        let (least, most) = (format!("{least:.2}"), format!("{most:.2}"));
        Some(if least == most { least } else { format!("{least} to {most}") })
    }
}

impl Verdict {
    pub fn new(holds: Holds, text: impl Into<String>) -> Self {
        Self { holds, text: text.into(), compared: Vec::new() }
    }

    /// The verdict on a claim that was not measured.
    pub fn unmeasured(text: impl Into<String>) -> Self {
        Self::new(Holds::Unmeasured, text)
    }

    /// The verdict on a claim of two parts.
    pub fn and(self, other: Self) -> Self {
        let holds = self.holds.and(other.holds);
        let verdict = Self { holds, ..self.because(&other.text) };
        other.compared.into_iter().fold(verdict, Self::beside)
    }

    pub fn because(self, why: &str) -> Self {
        Self { text: format!("{} {why}", self.text).trim().to_owned(), ..self }
    }

    /// Adds numbers to the table, unless there are none.
    pub fn beside(mut self, compared: Compared) -> Self {
        if !compared.values.is_empty() {
            self.compared.push(compared);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_holds_where_every_case_does() {
        let line = |values: &[f64]| -> BySize { (1..).zip(values.iter().copied()).collect() };
        let verdict = |slow: &[f64], fast: &[f64]| faster("a", &line(slow), "b", &line(fast)).holds;
        assert_eq!(verdict(&[2.0, 1.04], &[1.0, 1.0]), Holds::Yes);
        assert_eq!(verdict(&[0.5, 1.02], &[1.0, 1.0]), Holds::No);
        assert_eq!(verdict(&[2.0, 0.5], &[1.0, 1.0]), Holds::InPart);
        assert_eq!(verdict(&[], &[1.0]), Holds::Unmeasured);
        assert_eq!(Holds::Yes.and(Holds::No), Holds::InPart);
        assert_eq!(Holds::No.and(Holds::InPart), Holds::InPart);
        assert_eq!(Holds::Yes.and(Holds::Unmeasured), Holds::Unmeasured);
        assert_eq!(Holds::Unmeasured.and(Holds::Unjudged), Holds::Unjudged);
        let verdict = faster("a", &line(&[2.0, 3.0]), "b", &line(&[1.0, 1.0]));
        assert_eq!(verdict.text, "The time of a is 2.00 to 3.00 times that of b.");
        let values = vec![(1, 2.0), (2, 3.0)];
        assert_eq!(verdict.compared, [Compared { what: "a / b".into(), values }]);
    }
}
