//! Writes single rows of `bench` for people, spreadsheets and documents.

use crate::bench::{Form, Outcome, Row};
use crate::fft::lab::Configuration;
use crate::text_table::TextTable;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Format, peer_file};
use crate::cli::{fft_options, output};

/// A column of the table that is left out where all rows agree.
pub type Distinction = (&'static str, fn(&Row) -> String);

pub const DISTINCTIONS: [Distinction; 6] = [
    ("kind", |row| row.form.kind.to_string()),
    ("dimensions", |row| format!("{}D", row.form.dimensions)),
    ("precision", |row| row.form.precision.to_string()),
    ("direction", |row| row.form.direction.to_string()),
    ("layout", |row| row.form.layout.to_string()),
    ("placement", |row| row.form.placement.replace('_', " ")),
];

/// Rows of one kind with their tables.
pub trait Report: Serialize + DeserializeOwned {
    /// Headings, then the lines of a table.
    fn cells(rows: &[Self]) -> Vec<Vec<String>>
    where
        Self: Sized;

    /// The adapter and the properties that all rows share, above a table in documents.
    fn head(_: &[Self]) -> String
    where
        Self: Sized,
    {
        String::new()
    }

    /// Texts that are too long for a cell, below the table.
    fn notes(_: &[Self]) -> String
    where
        Self: Sized,
    {
        String::new()
    }
}

/// Writes rows to stdout. Formats other than tables differ between the kinds of rows.
pub fn print<R: Report>(rows: &[R], format: Format) -> anyhow::Result<()> {
    match format {
        Format::Json => output::print_json(&rows),
        Format::Csv => output::print(&csv(rows)),
        Format::Table => output::print(&(output::table(&R::cells(rows)) + &R::notes(rows))),
        Format::Markdown | Format::Summary | Format::Svg => output::print(&markdown(rows)),
    }
}

fn markdown<R: Report>(rows: &[R]) -> String {
    R::head(rows) + &markdown_table(&R::cells(rows)) + &R::notes(rows)
}

impl Report for Row {
    /// Headings and rows for people. The speed-up is over the slowest of the same task, and in a sweep over
    /// its first values.
    fn cells(rows: &[Self]) -> Vec<Vec<String>> {
        let figures = || rows.iter().filter_map(Row::figures);
        let mut peers: Vec<&String> =
            figures().flat_map(|figures| figures.peer_ratio.keys()).collect();
        peers.sort();
        peers.dedup();
        let by_axis = figures().any(|figures| figures.row_us.is_some());
        let by_depth = figures().any(|figures| figures.depth_us.is_some());
        let distinctions: Vec<_> =
            DISTINCTIONS.iter().filter(|(_, word)| differ(rows, *word)).collect();

        let mut headings = ["algorithm", "size", "batch", "regime"].map(String::from).to_vec();
        headings.extend(distinctions.iter().map(|(name, _)| (*name).to_owned()));
        let swept = differing(rows);
        let swept = if are_swept(rows) { swept } else { Vec::new() };
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
        let with_peers = rows.iter().any(|row| row.version.is_some());
        headings.extend(with_peers.then(|| "largest error".to_owned()));
        let with_drift = rows.iter().any(|row| row.drift.is_some());
        headings.extend(with_drift.then(|| "drift".to_owned()));
        let number = |value: Option<f64>| value.map_or("-".to_owned(), significant);
        let mut table = vec![headings];
        for row in rows {
            let mut line = vec![
                peer_file::name(row),
                row.size.to_string(),
                row.form.batch.to_string(),
                row.form.regime.to_string(),
            ];
            line.extend(distinctions.iter().map(|(_, word)| word(row)));
            if by_invocations {
                line.push(row.invocations.map_or("-".to_owned(), |number| number.to_string()));
            } else {
                line.extend(
                    swept
                        .iter()
                        .map(|name| row.parameters.get(name).map_or("-".to_owned(), text_of)),
                );
            }
            line.extend(row.outcome.word().map(String::from));
            if let Some(figures) = row.figures() {
                let is_peer = row.version.is_some();
                let same_task = |other: &&Row| {
                    other.size == row.size && other.form == row.form && other.version.is_none()
                };
                let slowest_us = rows
                    .iter()
                    .filter(same_task)
                    .filter_map(Row::figures)
                    .map(|figures| figures.times.median_us)
                    .fold(0.0, f64::max);
                line.push(significant(figures.times.median_us));
                line.push(format!(
                    "{} - {}",
                    significant(figures.times.p5_us),
                    significant(figures.times.p95_us)
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
                    match is_peer {
                        true => "-".to_owned(),
                        false => format!(
                            "{}x",
                            significant(
                                figures.speed_up.unwrap_or(slowest_us / figures.times.median_us)
                            )
                        ),
                    },
                ]);
                let ratio = |peer: &&String| number(figures.peer_ratio.get(*peer).copied());
                line.extend(peers.iter().map(ratio));
                line.push(format!("{:.1e}", figures.relative_l2_error));
                if with_peers {
                    let error = figures.relative_max_error;
                    line.push(error.map_or("-".to_owned(), |error| format!("{error:.1e}")));
                }
                if with_drift {
                    let drift = |drift: f64| format!("{:+.1}%", 100.0 * drift);
                    line.push(row.drift.map_or("-".to_owned(), drift));
                }
            }
            table.push(line);
        }
        table
    }

    fn head(rows: &[Self]) -> String {
        let Some(first) = rows.first() else { return String::new() };
        let mut words = vec![first.adapter.clone()];
        let common = DISTINCTIONS.iter().filter(|(_, word)| !differ(rows, *word));
        // The default, which is not mentioned, is a 2D transform of complex numbers.
        let words_of_rows = common.map(|(_, word)| word(first));
        words.extend(words_of_rows.filter(|word| !["complex", "2D"].contains(&&**word)));
        format!("{}\n\n", words.join("; "))
    }

    /// Why rows have no figures, and what `auto` came to: too long for a cell.
    fn notes(rows: &[Self]) -> String {
        let mut text = String::new();
        for row in rows {
            let Some(note) = note(&row.outcome, row.chosen.as_ref()) else { continue };
            let Row { size, form: Form { batch, regime, .. }, .. } = row;
            let mut words = format!("{} {size} batch {batch} {regime}", peer_file::name(row));
            for (_, word) in DISTINCTIONS.iter().filter(|(_, word)| differ(rows, *word)) {
                words += &format!(" {}", word(row));
            }
            text += &format!("\n{words} {note}\n");
        }
        text
    }
}

/// Rows of the same key together, each group where its first row stands.
pub fn grouped<'a, R: 'a, K: PartialEq>(
    rows: impl IntoIterator<Item = &'a R>,
    key: impl Fn(&'a R) -> K,
) -> Vec<Vec<&'a R>> {
    let mut groups: Vec<Vec<&R>> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|group| key(group[0]) == key(row)) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

pub fn differ(rows: &[Row], word: fn(&Row) -> String) -> bool {
    rows.iter().any(|row| word(row) != word(&rows[0]))
}

/// The names of parameters that differ among `rows`.
pub fn differing(rows: &[Row]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in rows.iter().flat_map(|row| row.parameters.keys()) {
        let differs = || {
            let values = rows.iter().map(|row| row.parameters.get(name));
            rows.first().is_some_and(|first| {
                values.clone().any(|value| value != first.parameters.get(name))
            })
        };
        if !names.contains(name) && differs() {
            names.push(name.clone());
        }
    }
    names
}

pub fn are_swept(rows: &[Row]) -> bool {
    rows.iter().filter_map(Row::figures).any(|figures| figures.speed_up.is_some())
}

/// A parameter's value without quotation marks.
pub fn text_of(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The name of a peer in headings.
pub fn peer_name(key: &str) -> String {
    match key {
        "cufft" => "cuFFT".into(),
        "fftw" => "FFTW".into(),
        "vkfft_cuda" => "VkFFT (CUDA)".into(),
        "vkfft_vulkan" => "VkFFT (Vulkan)".into(),
        other => match (other.strip_suffix("_in_place"), other.strip_prefix("cuda_")) {
            (Some(peer), _) => format!("{} in place", peer_name(peer)),
            (None, Some(kernel)) => format!("CUDA {}", kernel.replace('_', " ")),
            (None, None) => other.replace('_', " "),
        },
    }
}

/// Reasons for missing figures, and the choices of `auto`, which are too long for a cell.
pub fn note<F>(outcome: &Outcome<F>, chosen: Option<&Configuration>) -> Option<String> {
    outcome.note().or_else(|| {
        let flags = fft_options::flags(chosen?);
        Some(format!("is {} {flags}", chosen?.algorithm()).trim_end().to_owned())
    })
}

/// The first row holds the headings.
pub fn markdown_table(cells: &[Vec<String>]) -> String {
    TextTable::of(cells).markdown()
}

/// The keys of the JSON output as columns, those of every row; nested ones joined by an underscore.
pub fn csv(rows: &[impl Serialize]) -> String {
    // The task first, then the figures, in an order that does not depend on what was skipped.
    const TASK: [&str; 17] = [
        "algorithm",
        "version",
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
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| serde_json::to_value(row).expect("strings, numbers and maps of them"))
        .collect();
    let mut columns: Vec<(String, String)> = Vec::new();
    for (key, value) in rows.iter().filter_map(Value::as_object).flatten() {
        match value.as_object() {
            Some(nested) => {
                let names = nested.keys();
                columns
                    .extend(names.map(|name| (format!("{key}_{name}"), format!("{key}/{name}"))));
            }
            None => columns.push((key.clone(), key.clone())),
        }
    }
    columns.sort_by_key(|(name, _)| {
        (TASK.iter().position(|known| known == name).unwrap_or(TASK.len()), name.clone())
    });
    columns.dedup();
    let columns = columns.iter().map(|(name, place)| (name.as_str(), place.as_str()));
    TextTable::of_values(columns, rows).csv()
}

/// Three significant digits, and never an exponent.
pub fn significant(value: f64) -> String {
    let digits = if value > 0.0 { 2 - value.log10().floor() as i32 } else { 2 };
    format!("{value:.*}", digits.clamp(0, 9) as usize)
}

#[cfg(test)]
mod tests {
    use crate::fft::lab::timing::Timer;

    use super::super::rows::{measured, row};
    use super::*;

    #[test]
    fn what_was_skipped_is_said() {
        let skipped = Outcome::skipped("too, long");
        let rows = [row("fast", measured(2.0, Timer::Wall)), row("slow", skipped)];
        let csv = csv(&rows);
        let lines: Vec<_> = csv.lines().collect();
        assert!(lines[0].starts_with(
            "algorithm,kind,dimensions,size,batch,precision,direction,normalization,layout,"
        ));
        assert!(lines[0].contains("peer_ratio_rustfft") && lines[0].contains("skipped"));
        assert!(lines[1].contains("\"A, \"\"B\"\"\""), "{csv}");
        assert!(lines[2].contains("\"too, long\""), "{csv}");
        assert_eq!(Row::cells(&rows)[2].last().unwrap(), "skipped");
        assert!(Row::notes(&rows).contains("slow 64 batch 4 hot skipped: too, long"));
    }

    #[test]
    fn speed_up_is_over_the_slowest_of_a_task() {
        let gpu = Timer::GpuTimestamps;
        let mut rows = vec![row("fast", measured(2.0, gpu)), row("slow", measured(8.0, gpu))];
        rows.push(row("slow", measured(99.0, gpu)));
        rows[2].form.placement = "in_place".into();
        let cells = Row::cells(&rows);
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
