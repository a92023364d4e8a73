//! From measurements to lines of a chart, and to what they say.

use super::Measurements;
use crate::cli::bench::row::{Figures, Row};
use crate::cli::chart::{Chart, Line};

/// A figure as it came out.
pub struct Drawn {
    pub chart: Chart,
    pub verdict: Verdict,
}

/// Whether what the paper found holds here.
pub struct Verdict {
    pub holds: Holds,
    /// What was measured, and why it holds or not.
    pub text: String,
}

/// Whether a finding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    Yes,
    No,
    /// In some cases.
    InPart,
    /// Something that it speaks of was not measured.
    Unmeasured,
}

impl Holds {
    /// Of a finding that holds in these cases, and not in those.
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

    /// Of two findings.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Unmeasured, _) | (_, Self::Unmeasured) => Self::Unmeasured,
            _ => Self::InPart,
        }
    }

    /// For index.md.
    pub fn words(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::InPart => "in part",
            Self::Unmeasured => "not measured",
        }
    }
}

/// A line by size: points and a value, in ascending order.
pub type BySize = Vec<(u64, f64)>;

/// Rows of `measurements` that `wanted` names, with their figures.
pub fn rows<'a>(
    measurements: &'a Measurements,
    wanted: impl Fn(&Row) -> bool + 'a,
) -> impl Iterator<Item = (&'a Row, &'a Figures)> + 'a {
    let rows = measurements.rows.iter().filter(move |row| wanted(row));
    rows.filter_map(|row| Some((row, row.figures()?)))
}

/// `value` of the first row of each size that `wanted` names.
pub fn by_size(
    measurements: &Measurements,
    wanted: impl Fn(&Row) -> bool,
    value: impl Fn(&Figures) -> Option<f64>,
) -> BySize {
    let mut line: BySize = Vec::new();
    for (row, figures) in rows(measurements, wanted) {
        let (size, Some(value)) = (side(row), value(figures)) else { continue };
        if line.iter().all(|(known, _)| *known != size) {
            line.push((size, value));
        }
    }
    line.sort_by_key(|(size, _)| *size);
    line
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
    let mut sizes: Vec<u64> =
        lines.iter().flat_map(|(_, line)| line.iter().map(|(size, _)| *size)).collect();
    sizes.sort_unstable();
    sizes.dedup();
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

/// The value of a line at a size.
pub fn at(line: &BySize, size: u64) -> Option<f64> {
    line.iter().find(|(known, _)| *known == size).map(|(_, value)| *value)
}

/// How many times as large `a` is as `b`, where both have a value.
pub fn ratios(a: &BySize, b: &BySize) -> Vec<(u64, f64)> {
    let common = a.iter().filter_map(|(size, value)| Some((*size, value / at(b, *size)?)));
    common.collect()
}

/// Times below which two are called equal.
const EQUAL: f64 = 0.03;

/// Whether `slow` takes longer than `fast` at every size, with a sentence that says by how much.
pub fn faster(slow_name: &str, slow: &BySize, fast_name: &str, fast: &BySize) -> Verdict {
    let ratios = ratios(slow, fast);
    if ratios.is_empty() {
        let text = format!("{slow_name} and {fast_name} were not measured beside each other.");
        return Verdict { holds: Holds::Unmeasured, text };
    }
    let list: Vec<_> = ratios.iter().map(|(size, ratio)| format!("{ratio:.2} at {size}")).collect();
    let text = format!("{slow_name} takes {} times as long as {fast_name}.", list.join(", "));
    let holds = Holds::of(ratios.iter().map(|(_, ratio)| *ratio > 1.0 + EQUAL));
    Verdict { holds, text }
}

impl Verdict {
    /// Both hold, or neither, or it depends.
    pub fn and(self, other: Self) -> Self {
        let holds = self.holds.and(other.holds);
        Self { holds, text: format!("{} {}", self.text, other.text) }
    }

    /// And why, where there is something to explain.
    pub fn because(self, why: &str) -> Self {
        if self.holds == Holds::Unmeasured {
            return self;
        }
        Self { text: format!("{} {why}", self.text), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_faster_everywhere_holds() {
        let line = |values: &[f64]| -> BySize { (1..).zip(values.iter().copied()).collect() };
        let verdict = |slow: &[f64], fast: &[f64]| faster("a", &line(slow), "b", &line(fast)).holds;
        assert_eq!(verdict(&[2.0, 3.0], &[1.0, 1.0]), Holds::Yes);
        assert_eq!(verdict(&[0.5, 1.0], &[1.0, 1.0]), Holds::No);
        assert_eq!(verdict(&[2.0, 0.5], &[1.0, 1.0]), Holds::InPart);
        assert_eq!(verdict(&[], &[1.0]), Holds::Unmeasured);
        assert_eq!(Holds::Yes.and(Holds::No), Holds::InPart);
        assert_eq!(Holds::Yes.and(Holds::Unmeasured), Holds::Unmeasured);
        let text = faster("a", &line(&[2.0]), "b", &line(&[1.0])).text;
        assert_eq!(text, "a takes 2.00 at 1 times as long as b.");
    }
}
