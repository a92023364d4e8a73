//! What `bench` prints.

use std::collections::BTreeMap;

use seaway::fft::timing::{Regime, Timer};
use seaway::fft::{Algorithm, Direction, Layout, Tuning};
use serde::Serialize;

use crate::cli::{fft_options, output};

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people
    Table,
    /// For programs: snake_case keys with units
    Json,
    /// For spreadsheets: the keys of the JSON output as columns
    Csv,
    /// For documents
    Markdown,
}

/// One algorithm on one task. The field names are the keys of the JSON output, which is stable.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub algorithm: &'static str,
    /// What `auto` came to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Chosen>,
    /// Side of an image.
    pub size: u32,
    pub batch: u32,
    pub precision: &'static str,
    pub direction: Direction,
    pub layout: Layout,
    pub regime: Regime,
    pub placement: &'static str,
    pub adapter: String,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// An algorithm with its tuning.
#[derive(Clone, Debug, Serialize)]
pub struct Chosen {
    pub algorithm: Algorithm,
    pub tuning: Tuning,
}

/// Figures, or why there are none.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    Measured(Figures),
    /// The adapter cannot run it.
    Skipped {
        skipped: String,
    },
    /// It ran, and its result was wrong.
    Failed {
        failed: String,
    },
}

#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    pub median_us: f64,
    pub p5_us: f64,
    pub p95_us: f64,
    /// Only where the GPU's own clock was read.
    pub gb_per_s: Option<f64>,
    pub gflops: f64,
    /// Time of a copy of the same bytes in the same passes and placement, in per cent of this.
    pub percent_of_copy: Option<f64>,
    pub relative_l2_error: f64,
    pub timer: Timer,
    /// With `--axes`: one axis alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row_us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column_us: Option<f64>,
    /// Median over that of the peer: below 1 is faster than it.
    pub peer_ratio: BTreeMap<String, f64>,
}

impl Row {
    fn figures(&self) -> Option<&Figures> {
        match &self.outcome {
            Outcome::Measured(figures) => Some(figures),
            Outcome::Skipped { .. } | Outcome::Failed { .. } => None,
        }
    }

    /// Rows that answer the same question.
    fn task(&self) -> (u32, u32, Regime) {
        (self.size, self.batch, self.regime)
    }
}

pub fn print(rows: &[Row], format: Format) -> anyhow::Result<()> {
    match format {
        Format::Json => output::print_json(&rows),
        Format::Csv => output::print(&csv(rows)),
        Format::Table => output::print(&(output::table(&cells(rows)) + &notes(rows))),
        Format::Markdown => output::print(&markdown(rows)),
    }
}

/// Headings and rows for people. The speed-up is over the slowest of the same task.
fn cells(rows: &[Row]) -> Vec<Vec<String>> {
    let peers: Vec<String> = match rows.iter().find_map(Row::figures) {
        Some(figures) => figures.peer_ratio.keys().cloned().collect(),
        None => Vec::new(),
    };
    let by_axis = rows.iter().filter_map(Row::figures).any(|figures| figures.row_us.is_some());
    let mut headings: Vec<String> =
        ["algorithm", "size", "batch", "regime", "median [us]", "5% - 95% [us]"]
            .map(String::from)
            .to_vec();
    if by_axis {
        headings.extend(["rows [us]", "columns [us]"].map(String::from));
    }
    headings.extend(["GB/s", "% of copy", "GFLOPS", "speed-up"].map(String::from));
    headings.extend(peers.iter().map(|peer| format!("time / {peer}")));
    headings.push("L2 error".into());
    let number = |value: Option<f64>| value.map_or("-".to_owned(), significant);
    let mut table = vec![headings];
    for row in rows {
        let mut line = vec![
            row.algorithm.to_owned(),
            row.size.to_string(),
            row.batch.to_string(),
            row.regime.to_string(),
        ];
        match &row.outcome {
            Outcome::Skipped { .. } => line.push("skipped".into()),
            Outcome::Failed { .. } => line.push("FAILED".into()),
            Outcome::Measured(figures) => {
                let slowest_us = rows
                    .iter()
                    .filter(|other| other.task() == row.task())
                    .filter_map(Row::figures)
                    .map(|figures| figures.median_us)
                    .fold(0.0, f64::max);
                line.push(significant(figures.median_us));
                line.push(format!(
                    "{} - {}",
                    significant(figures.p5_us),
                    significant(figures.p95_us)
                ));
                if by_axis {
                    line.extend([number(figures.row_us), number(figures.column_us)]);
                }
                line.extend([
                    number(figures.gb_per_s),
                    number(figures.percent_of_copy),
                    significant(figures.gflops),
                    format!("{}x", significant(slowest_us / figures.median_us)),
                ]);
                line.extend(peers.iter().map(|peer| number(figures.peer_ratio.get(peer).copied())));
                line.push(format!("{:.1e}", figures.relative_l2_error));
            }
        }
        table.push(line);
    }
    table
}

/// Why rows have no figures, and what `auto` came to: too long for a cell.
fn notes(rows: &[Row]) -> String {
    let mut text = String::new();
    for Row { algorithm, chosen, size, batch, regime, outcome, .. } in rows {
        let reason = match outcome {
            Outcome::Measured(_) => match chosen {
                Some(Chosen { algorithm, tuning }) => {
                    format!("is {algorithm} {}", fft_options::flags(tuning))
                }
                None => continue,
            },
            Outcome::Skipped { skipped } => format!("skipped: {skipped}"),
            Outcome::Failed { failed } => format!("FAILED: {failed}"),
        };
        text += &format!("\n{algorithm} {size} batch {batch} {regime} {reason}\n");
    }
    text
}

fn markdown(rows: &[Row]) -> String {
    let cells = cells(rows);
    let mut text = String::new();
    if let Some(Row { adapter, precision, direction, layout, placement, .. }) = rows.first() {
        text = format!("{adapter}; {precision}, {direction}, {layout}, {placement}\n\n");
    }
    text + &markdown_table(&cells) + &notes(rows)
}

/// The first row holds the headings.
pub fn markdown_table(cells: &[Vec<String>]) -> String {
    let columns = cells[0].len();
    let mut text = String::new();
    for (index, line) in cells.iter().enumerate() {
        let mut line: Vec<_> = line.iter().map(|cell| cell.replace('|', "\\|")).collect();
        line.resize(columns, String::new());
        text += &format!("| {} |\n", line.join(" | "));
        if index == 0 {
            text += &format!("|{}\n", "---|".repeat(columns));
        }
    }
    text
}

/// The keys of the JSON output as columns, those of every row; nested ones joined by an underscore.
pub fn csv(rows: &[impl Serialize]) -> String {
    let mut columns: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for row in rows {
        let value = serde_json::to_value(row).expect("strings, numbers and one map");
        let mut line = BTreeMap::new();
        for (key, value) in value.as_object().expect("a row is an object") {
            match value.as_object() {
                Some(nested) => {
                    for (name, value) in nested {
                        line.insert(format!("{key}_{name}"), value.clone());
                    }
                }
                None => drop(line.insert(key.clone(), value.clone())),
            }
        }
        for key in line.keys() {
            if !columns.contains(key) {
                columns.push(key.clone());
            }
        }
        lines.push(line);
    }
    // The task first, then the figures, in an order that does not depend on what was skipped.
    const TASK: [&str; 9] = [
        "algorithm",
        "size",
        "batch",
        "precision",
        "direction",
        "layout",
        "regime",
        "placement",
        "adapter",
    ];
    columns.sort_by_key(|column| {
        let place = TASK.iter().position(|known| known == column).unwrap_or(TASK.len());
        (place, column.clone())
    });
    let cell = |value: Option<&serde_json::Value>| match value {
        None | Some(serde_json::Value::Null) => String::new(),
        Some(serde_json::Value::String(text)) => quoted(text),
        Some(other) => other.to_string(),
    };
    let mut text = columns.join(",") + "\n";
    for line in lines {
        let cells: Vec<_> = columns.iter().map(|column| cell(line.get(column))).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// A field of a CSV file (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Three significant digits, and never an exponent.
pub fn significant(value: f64) -> String {
    let digits = if value > 0.0 { 2 - value.log10().floor() as i32 } else { 2 };
    format!("{value:.*}", digits.clamp(0, 9) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(algorithm: &'static str, outcome: Outcome) -> Row {
        Row {
            algorithm,
            size: 64,
            batch: 4,
            precision: "f32",
            direction: Direction::Inverse,
            layout: Layout::Pair,
            regime: Regime::Hot,
            placement: "out_of_place",
            adapter: "A, \"B\"".into(),
            chosen: None,
            outcome,
        }
    }

    fn measured(median_us: f64, timer: Timer) -> Outcome {
        Outcome::Measured(Figures {
            median_us,
            p5_us: median_us,
            p95_us: median_us,
            gb_per_s: (timer == Timer::GpuTimestamps).then_some(100.0),
            gflops: 1.0,
            percent_of_copy: Some(50.0),
            relative_l2_error: 1e-7,
            timer,
            row_us: None,
            column_us: None,
            peer_ratio: [("rustfft".to_owned(), 0.25)].into(),
        })
    }

    #[test]
    fn a_skipped_row_carries_its_reason_in_place_of_figures() {
        let skipped = Outcome::Skipped { skipped: "too, long".into() };
        let rows = [row("fast", measured(2.0, Timer::Wall)), row("slow", skipped)];
        let json = serde_json::to_value(&rows).unwrap();
        assert_eq!(json[0]["median_us"], 2.0);
        assert_eq!(json[0]["placement"], "out_of_place");
        assert_eq!(json[0]["gb_per_s"], serde_json::Value::Null, "timed by the wall clock");
        assert_eq!(json[0]["timer"], "wall");
        assert_eq!(json[0]["peer_ratio"]["rustfft"], 0.25);
        assert_eq!(json[1]["skipped"], "too, long");
        assert!(json[1].get("median_us").is_none());

        let csv = csv(&rows);
        let lines: Vec<_> = csv.lines().collect();
        assert!(lines[0].starts_with("algorithm,size,batch,precision,direction,layout,"));
        assert!(lines[0].contains("peer_ratio_rustfft") && lines[0].contains("skipped"));
        assert!(lines[1].contains("\"A, \"\"B\"\"\""), "{csv}");
        assert!(lines[2].contains("\"too, long\""), "{csv}");
        assert_eq!(cells(&rows)[2].last().unwrap(), "skipped");
        assert!(notes(&rows).contains("slow 64 batch 4 hot skipped: too, long"));
    }

    #[test]
    fn the_speed_up_is_over_the_slowest() {
        let gpu = Timer::GpuTimestamps;
        let rows = [row("fast", measured(2.0, gpu)), row("slow", measured(8.0, gpu))];
        let cells = cells(&rows);
        let column = cells[0].iter().position(|heading| heading == "speed-up").unwrap();
        assert_eq!(cells[1][column], "4.00x");
        assert_eq!(cells[2][column], "1.00x");
        let markdown = markdown(&rows);
        assert!(markdown.lines().skip(2).all(|line| line.starts_with('|') && line.ends_with('|')));
    }

    #[test]
    fn three_digits() {
        for (value, text) in [
            (0.0, "0.00"),
            (0.012_34, "0.0123"),
            (1.234, "1.23"),
            (123.4, "123"),
            (98_765.0, "98765"),
        ] {
            assert_eq!(significant(value), text);
        }
    }
}
