//! How `bench` writes its rows one by one: for people, spreadsheets and documents.

use std::collections::BTreeMap;

use seaway::text_table::{TextTable, csv_cell};
use serde::Serialize;

use super::row::{Outcome, Row};
use crate::cli::{fft_options, output};

/// A column of the table that is left out where all rows agree.
pub type Distinction = (&'static str, fn(&Row) -> String);

pub const DISTINCTIONS: [Distinction; 6] = [
    ("kind", |row| row.kind.to_string()),
    ("dimensions", |row| format!("{}D", row.dimensions)),
    ("precision", |row| row.precision.to_string()),
    ("direction", |row| row.direction.to_string()),
    ("layout", |row| row.layout.to_string()),
    ("placement", |row| row.placement.replace('_', " ")),
];

/// For people.
pub fn table(rows: &[Row]) -> String {
    output::table(&cells(rows)) + &notes(rows)
}

/// For documents.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = String::new();
    if let Some(first) = rows.first() {
        let mut words = vec![first.adapter.clone()];
        let common = DISTINCTIONS.iter().filter(|(_, word)| !differ(rows, *word));
        // What is not said otherwise is a 2D transform of complex numbers.
        let words_of_rows = common.map(|(_, word)| word(first));
        words.extend(words_of_rows.filter(|word| !["complex", "2D"].contains(&&**word)));
        text = format!("{}\n\n", words.join("; "));
    }
    text + &markdown_table(&cells(rows)) + &notes(rows)
}

pub fn differ(rows: &[Row], word: fn(&Row) -> String) -> bool {
    rows.iter().any(|row| word(row) != word(&rows[0]))
}

/// Headings and rows for people. The speed-up is over the slowest of the same task, and in a sweep over
/// its first values.
fn cells(rows: &[Row]) -> Vec<Vec<String>> {
    let figures = || rows.iter().filter_map(Row::figures);
    let mut peers: Vec<&String> = figures().flat_map(|figures| figures.peer_ratio.keys()).collect();
    peers.sort();
    peers.dedup();
    let by_axis = figures().any(|figures| figures.row_us.is_some());
    let by_depth = figures().any(|figures| figures.depth_us.is_some());
    let distinctions: Vec<_> =
        DISTINCTIONS.iter().filter(|(_, word)| differ(rows, *word)).collect();

    let mut headings = ["algorithm", "size", "batch", "regime"].map(String::from).to_vec();
    headings.extend(distinctions.iter().map(|(name, _)| (*name).to_owned()));
    let swept = super::sweeps::differing(rows);
    let swept = if super::sweeps::are_swept(rows) { swept } else { Vec::new() };
    let by_invocations = rows.iter().any(|row| row.invocations.is_some());
    headings.extend(by_invocations.then(|| "invocations".to_owned()));
    headings.extend(swept.iter().filter(|_| !by_invocations).cloned());
    headings.extend(["median [us]", "5% - 95% [us]"].map(String::from));
    if by_axis {
        headings.extend(["rows [us]", "columns [us]"].map(String::from));
    }
    if by_depth {
        headings.push("depths [us]".into());
    }
    headings.extend(["GB/s", "% of copy", "GFLOPS", "speed-up"].map(String::from));
    headings.extend(peers.iter().map(|peer| format!("time / {}", peer_name(peer))));
    headings.push("L2 error".into());
    let number = |value: Option<f64>| value.map_or("-".to_owned(), significant);
    let mut table = vec![headings];
    for row in rows {
        let mut line = vec![
            row.algorithm.clone(),
            row.size.to_string(),
            row.batch.to_string(),
            row.regime.to_string(),
        ];
        line.extend(distinctions.iter().map(|(_, word)| word(row)));
        if by_invocations {
            line.push(row.invocations.map_or("-".to_owned(), |number| number.to_string()));
        } else {
            line.extend(swept.iter().map(|name| {
                row.parameters.get(name).map_or("-".to_owned(), super::sweeps::text_of)
            }));
        }
        match &row.outcome {
            Outcome::Skipped { .. } => line.push("skipped".into()),
            Outcome::Failed { .. } => line.push("FAILED".into()),
            Outcome::Measured(figures) => {
                let same_task = |other: &&Row| {
                    (other.size, other.batch) == (row.size, row.batch) && other.form() == row.form()
                };
                let slowest_us = rows
                    .iter()
                    .filter(same_task)
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
                if by_depth {
                    line.push(number(figures.depth_us));
                }
                line.extend([
                    number(figures.gb_per_s),
                    number(figures.copy_ratio.map(|ratio| 100.0 / ratio)),
                    significant(figures.gflops),
                    format!(
                        "{}x",
                        significant(figures.speed_up.unwrap_or(slowest_us / figures.median_us))
                    ),
                ]);
                let ratio = |peer: &&String| number(figures.peer_ratio.get(*peer).copied());
                line.extend(peers.iter().map(ratio));
                line.push(format!("{:.1e}", figures.relative_l2_error));
            }
        }
        table.push(line);
    }
    table
}

/// A peer's key, for people.
pub fn peer_name(key: &str) -> String {
    match key {
        "cufft" => "cuFFT".into(),
        "cufft_in_place" => "cuFFT in place".into(),
        other => match other.strip_prefix("cuda_") {
            Some(kernel) => format!("CUDA {}", kernel.replace('_', " ")),
            None => other.replace('_', " "),
        },
    }
}

/// Why rows have no figures, and what `auto` came to: too long for a cell.
fn notes(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let reason = match &row.outcome {
            Outcome::Measured(_) => match &row.chosen {
                Some(configuration) => {
                    let flags = fft_options::flags(configuration);
                    format!("is {} {flags}", configuration.algorithm())
                }
                None => continue,
            },
            Outcome::Skipped { skipped } => format!("skipped: {skipped}"),
            Outcome::Failed { failed } => format!("FAILED: {failed}"),
        };
        let Row { algorithm, size, batch, regime, .. } = row;
        let mut words = format!("{algorithm} {size} batch {batch} {regime}");
        for (_, word) in DISTINCTIONS.iter().filter(|(_, word)| differ(rows, *word)) {
            words += &format!(" {}", word(row));
        }
        text += &format!("\n{words} {}\n", reason.trim_end());
    }
    text
}

/// The first row holds the headings.
pub fn markdown_table(cells: &[Vec<String>]) -> String {
    TextTable::of(cells).markdown()
}

/// The keys of the JSON output as columns, those of every row; nested ones joined by an underscore.
pub fn csv(rows: &[impl Serialize]) -> String {
    let mut columns: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for row in rows {
        let value = serde_json::to_value(row).expect("strings, numbers and maps of them");
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
    const TASK: [&str; 16] = [
        "algorithm",
        "kind",
        "dimensions",
        "size",
        "batch",
        "cascades",
        "path",
        "precision",
        "direction",
        "normalization",
        "layout",
        "regime",
        "placement",
        "stage",
        "map_format",
        "adapter",
    ];
    columns.sort_by_key(|column| {
        let place = TASK.iter().position(|known| known == column).unwrap_or(TASK.len());
        (place, column.clone())
    });
    let cell = |value: Option<&serde_json::Value>| match value {
        None | Some(serde_json::Value::Null) => String::new(),
        Some(serde_json::Value::String(text)) => csv_cell(text).into_owned(),
        // The sides of an image.
        Some(serde_json::Value::Array(sides)) => {
            sides.iter().map(ToString::to_string).collect::<Vec<_>>().join("x")
        }
        Some(other) => csv_cell(&other.to_string()).into_owned(),
    };
    let mut text = columns.join(",") + "\n";
    for line in lines {
        let cells: Vec<_> = columns.iter().map(|column| cell(line.get(column))).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// Three significant digits, and never an exponent.
pub fn significant(value: f64) -> String {
    let digits = if value > 0.0 { 2 - value.log10().floor() as i32 } else { 2 };
    format!("{value:.*}", digits.clamp(0, 9) as usize)
}

#[cfg(test)]
mod tests {
    use seaway::fft::lab::timing::Timer;

    use super::super::row::tests::{measured, row};
    use super::*;

    #[test]
    fn what_was_skipped_is_said() {
        let skipped = Outcome::Skipped { skipped: "too, long".into() };
        let rows = [row("fast", measured(2.0, Timer::Wall)), row("slow", skipped)];
        let csv = csv(&rows);
        let lines: Vec<_> = csv.lines().collect();
        assert!(lines[0].starts_with(
            "algorithm,kind,dimensions,size,batch,precision,direction,normalization,layout,"
        ));
        assert!(lines[0].contains("peer_ratio_rustfft") && lines[0].contains("skipped"));
        assert!(lines[1].contains("\"A, \"\"B\"\"\""), "{csv}");
        assert!(lines[2].contains("\"too, long\""), "{csv}");
        assert_eq!(cells(&rows)[2].last().unwrap(), "skipped");
        assert!(notes(&rows).contains("slow 64 batch 4 hot skipped: too, long"));
    }

    #[test]
    fn the_speed_up_is_over_the_slowest_of_the_same_task() {
        let gpu = Timer::GpuTimestamps;
        let mut rows = vec![row("fast", measured(2.0, gpu)), row("slow", measured(8.0, gpu))];
        rows.push(Row { placement: "in_place".into(), ..row("slow", measured(99.0, gpu)) });
        let cells = cells(&rows);
        let column = |name: &str| cells[0].iter().position(|heading| heading == name).unwrap();
        assert_eq!(cells[1][column("speed-up")], "4.00x");
        assert_eq!(cells[2][column("speed-up")], "1.00x");
        assert_eq!(cells[2][column("% of copy")], "12.5");
        assert_eq!(cells[3][column("placement")], "in place");
        assert!(!cells[0].iter().any(|heading| heading == "layout"), "all have the same");
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
