//! Summarises many rows in a few tables: algorithms down, sizes across.

use crate::fft::lab::timing::Regime;
use crate::fft::{Kind, Precision};

use super::report::{grouped, markdown_table, peer_name, significant};
use super::stored::Stored;
use crate::bench::{Form, Outcome, Row};
use crate::cli::size::Size;

/// Rows that differ in algorithm and size only: one table, or one panel of a plot.
pub struct Group<'a>(Vec<&'a Row>);

impl<'a> Group<'a> {
    /// All groups in the order of their first rows.
    pub fn all(rows: &'a [Row]) -> Vec<Self> {
        // Other libraries are lines of their own, from the times that the rows hold.
        let own = rows.iter().filter(|row| row.version.is_none());
        grouped(own, |row| &row.form).into_iter().map(Self).collect()
    }

    pub fn sizes(&self) -> Vec<Size> {
        let mut sizes: Vec<_> = self.0.iter().map(|row| row.size).collect();
        sizes.sort_by_key(|size| size.order());
        sizes.dedup();
        sizes
    }

    pub fn algorithms(&self) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        for row in &self.0 {
            if !names.contains(&row.algorithm.as_str()) {
                names.push(&row.algorithm);
            }
        }
        names
    }

    pub fn peers(&self) -> Vec<&'a str> {
        let figures = self.0.iter().filter_map(|row| row.figures());
        let mut names: Vec<&str> =
            figures.flat_map(|figures| figures.peer_us.keys().map(String::as_str)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    pub fn row(&self, algorithm: &str, size: Size) -> Option<&'a Row> {
        self.0.iter().copied().find(|row| (&*row.algorithm, row.size) == (algorithm, size))
    }

    /// A figure that all rows of that size share, from any of them.
    pub fn common_us(&self, size: Size, figure: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
        self.0.iter().filter(|row| row.size == size).find_map(|row| figure(row))
    }

    pub fn copy_us(&self, size: Size) -> Option<f64> {
        self.common_us(size, |row| row.figures()?.copy_us)
    }

    pub fn peer_us(&self, size: Size, peer: &str) -> Option<f64> {
        self.common_us(size, |row| row.figures()?.peer_us.get(peer).copied())
    }

    pub fn best_us(&self, size: Size) -> Option<f64> {
        let rows = self.0.iter().filter(|row| row.size == size);
        rows.filter_map(|row| Some(row.figures()?.times.median_us)).min_by(f64::total_cmp)
    }

    /// A title such as `batch 4, out of place`, with everything that is not the default.
    pub fn title(&self) -> String {
        let Form { kind, dimensions, batch, precision, regime, placement, .. } = &self.0[0].form;
        let mut words = vec![format!("batch {batch}")];
        if *kind != Kind::Complex {
            words.push(kind.to_string());
        }
        if *dimensions != 2 {
            words.push(format!("{dimensions}D"));
        }
        words.push(placement.replace('_', " "));
        if *precision != Precision::F32 {
            words.push(precision.to_string());
        }
        if *regime != Regime::Hot {
            words.push(regime.to_string());
        }
        words.join(", ")
    }
}

/// The method, and a table for each group, for documents.
pub fn markdown(stored: &Stored<Row>) -> String {
    let mut text = stored.taken.describe();
    for group in Group::all(&stored.rows) {
        text += "\n";
        text += &markdown_table(&cells(&group));
    }
    text
}

fn cells(group: &Group<'_>) -> Vec<Vec<String>> {
    let sizes = group.sizes();
    let line = |name: String, cell: &dyn Fn(Size) -> Option<String>| {
        let cells = sizes.iter().map(|&size| cell(size).unwrap_or_else(|| "-".into()));
        std::iter::once(name).chain(cells).collect::<Vec<_>>()
    };
    let mut table = vec![line(format!("{} [us]", group.title()), &|size| Some(size.to_string()))];
    for algorithm in group.algorithms() {
        table.push(line(algorithm.to_owned(), &|size| {
            let row = group.row(algorithm, size)?;
            match &row.outcome {
                Outcome::Measured(figures)
                    if group.best_us(size) == Some(figures.times.median_us) =>
                {
                    Some(format!("**{}**", significant(figures.times.median_us)))
                }
                Outcome::Measured(figures) => Some(significant(figures.times.median_us)),
                Outcome::Skipped { .. } => None,
                Outcome::Failed { .. } => Some("wrong".into()),
            }
        }));
    }
    let number = |value: Option<f64>| value.map(significant);
    table.push(line("copy of the same bytes".into(), &|size| number(group.copy_us(size))));
    for peer in group.peers() {
        table.push(line(peer_name(peer), &|size| number(group.peer_us(size, peer))));
    }
    let ratio = |us: Option<f64>, of_us: Option<f64>| Some(format!("{:.2}", us? / of_us?));
    let best = |size| group.best_us(size);
    table.push(line("best / copy".into(), &|size| ratio(best(size), group.copy_us(size))));
    for peer in group.peers() {
        let name = format!("best / {}", peer_name(peer));
        table.push(line(name, &|size| ratio(best(size), group.peer_us(size, peer))));
    }
    table
}

#[cfg(test)]
mod tests {
    use crate::fft::lab::timing::Timer;

    use super::super::rows::{measured, row};
    use super::*;

    #[test]
    fn algorithms_stand_down_and_sizes_across() {
        let at = |side: u32, row| Row { size: Size::Side(side), ..row };
        let wrong = Outcome::failed("relative L2 error 1");
        let skipped = Outcome::skipped("too long");
        let gpu = Timer::GpuTimestamps;
        let mut rows = [
            at(128, row("fast", measured(4.0, gpu))),
            at(64, row("fast", measured(2.0, gpu))),
            at(64, row("slow", measured(8.0, gpu))),
            at(128, row("slow", wrong)),
            at(64, row("rare", skipped)),
            row("fast", measured(3.0, gpu)),
            row("fast", measured(3.0, gpu)),
        ];
        rows[5].form.batch = 9;
        (rows[6].form.kind, rows[6].form.dimensions) = (Kind::Real, 3);
        let groups = Group::all(&rows);
        assert_eq!(
            groups.iter().map(Group::title).collect::<Vec<_>>(),
            ["batch 4, out of place", "batch 9, out of place", "batch 4, real, 3D, out of place"]
        );
        let lines: Vec<_> = cells(&groups[0]).iter().map(|cells| cells.join("|")).collect();
        assert_eq!(
            lines,
            [
                "batch 4, out of place [us]|64|128",
                "fast|**2.00**|**4.00**",
                "slow|8.00|wrong",
                "rare|-|-",
                "copy of the same bytes|1.00|1.00",
                "rustfft|8.00|16.0",
                "best / copy|2.00|4.00",
                "best / rustfft|0.25|0.25",
            ]
        );
    }
}
