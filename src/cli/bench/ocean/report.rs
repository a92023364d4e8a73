//! Tables of the rows for people: the parts of a step side by side.

use crate::OceanPath;
use crate::bench::Size;
use crate::fft::lab::timing::Times;
use crate::ocean::timing::{OceanRegime, StageTimer};

use super::row::{Form, Row};
use crate::cli::bench::report::{Report, grouped, markdown_table, note, significant};
use crate::cli::bench::stored::Stored;

/// A column: its heading, its parts, one of which a path has, and the text for the fused path if that has the
/// part in another.
const COLUMNS: [(&str, &[&str], &str); 7] = [
    ("spectrum", &["spectrum"], "in rows"),
    ("rows", &["rows", "spectrum_rows"], "-"),
    ("columns", &["columns", "columns_maps"], "-"),
    ("maps", &["maps"], "in columns"),
    ("mips", &["mips"], "-"),
    ("to maps", &["to_maps"], "-"),
    ("whole", &["whole"], "-"),
];

struct Step<'a>(Vec<&'a Row>);

impl<'a> Step<'a> {
    /// All steps in the order of their first rows.
    fn all(rows: &'a [Row]) -> Vec<Self> {
        grouped(rows, key).into_iter().map(Self).collect()
    }

    fn first(&self) -> &'a Row {
        self.0[0]
    }

    fn key(&self) -> Key<'a> {
        key(self.first())
    }

    fn row(&self, stages: &[&str]) -> Option<&'a Row> {
        self.0.iter().copied().find(|row| stages.contains(&row.form.stage.as_str()))
    }
}

type Key<'a> = (Size, u32, OceanPath, OceanRegime, &'a str);

fn key(row: &Row) -> Key<'_> {
    let Form { cascades, path, regime, .. } = row.form;
    (row.size, cascades, path, regime, &row.algorithm)
}

impl Report for Row {
    /// Headings, and a line for each step.
    fn cells(rows: &[Self]) -> Vec<Vec<String>> {
        let several_algorithms = rows.iter().any(|row| row.algorithm != rows[0].algorithm);
        let mut headings = ["size", "cascades", "path", "regime"].map(String::from).to_vec();
        if several_algorithms {
            headings.push("algorithm".into());
        }
        headings.extend(COLUMNS.iter().map(|(heading, ..)| format!("{heading} [us]")));
        headings.extend(["5% - 95% of whole [us]", "L2 error"].map(String::from));
        let mut table = vec![headings];
        for step in Step::all(rows) {
            let first = step.first();
            let mut line = vec![
                first.size.to_string(),
                first.form.cascades.to_string(),
                first.form.path.to_string(),
                first.form.regime.to_string(),
            ];
            if several_algorithms {
                line.push(first.algorithm.clone());
            }
            line.extend(first.outcome.word().map(String::from));
            if let Some(figures) = first.figures() {
                let is_fused = step.row(&["spectrum_rows"]).is_some();
                line.extend(COLUMNS.iter().map(|(_, stages, elsewhere)| {
                    match step.row(stages).and_then(|row| row.figures()) {
                        Some(figures) => significant(figures.times.median_us),
                        None if is_fused => (*elsewhere).to_owned(),
                        None => "-".to_owned(),
                    }
                }));
                let whole = step.row(&["whole"]).and_then(|row| row.figures()).unwrap_or(figures);
                let Times { p5_us, p95_us, .. } = whole.times;
                line.push(format!("{} - {}", significant(p5_us), significant(p95_us)));
                line.push(format!("{:.1e}", figures.relative_l2_error));
            }
            table.push(line);
        }
        table
    }

    fn head(rows: &[Self]) -> String {
        rows.first().map(|row| format!("{}\n\n", row.adapter)).unwrap_or_default()
    }

    /// Why there are no figures, what `auto` came to, and how the stages of a frame were told apart.
    fn notes(rows: &[Self]) -> String {
        let mut text = String::new();
        for step in Step::all(rows) {
            let (size, cascades, path, regime, algorithm) = step.key();
            if let Some(note) = note(&step.first().outcome, step.first().chosen.as_ref()) {
                text += &format!("\n{size} x {cascades} {path} {regime} {algorithm} {note}\n");
            }
        }
        for (timer, how) in [
            (
                StageTimer::PassEach,
                "timestamps within a pass are missing or unreliable on this adapter: each stage was \
                 timed in a pass of its own",
            ),
            (
                StageTimer::SubmissionEach,
                "this is a software adapter, timed by the processor's clock: each stage was a \
                 submission of its own",
            ),
            (
                StageTimer::Unknown,
                "the times of the stages did not add up to the whole, and are left out",
            ),
        ] {
            let is_so =
                |row: &Row| row.figures().is_some_and(|figures| figures.stage_timer == timer);
            if rows.iter().any(is_so) {
                text += &format!("\nframe: {how}\n");
            }
        }
        text
    }
}

/// A short summary for documents: the method, and for each regime the paths side by side.
pub fn summary(stored: &Stored<Row>) -> String {
    let mut text = stored.taken.describe();
    for regime in [OceanRegime::Hot, OceanRegime::Frame] {
        let rows: Vec<_> =
            stored.rows.iter().filter(|row| row.form.regime == regime).cloned().collect();
        if !rows.is_empty() {
            text += "\n";
            text += &markdown_table(&summary_cells(&rows, regime));
        }
    }
    text
}

fn summary_cells(rows: &[Row], regime: OceanRegime) -> Vec<Vec<String>> {
    let several_algorithms = rows.iter().any(|row| row.algorithm != rows[0].algorithm);
    let headings = [
        &*format!("{regime} [us], size x cascades"),
        "fused, to the maps",
        "plain, to the maps",
        "fused, with mips",
        "plain, with mips",
        "fused / plain",
    ];
    let mut table = vec![headings.map(String::from).to_vec()];
    for group in grouped(rows, |row| (row.size, row.form.cascades, &row.algorithm)) {
        let median_us = |path: OceanPath, stage| {
            let is_it = |row: &&&Row| row.form.path == path && row.form.stage == stage;
            Some(group.iter().find(is_it)?.figures()?.times.median_us)
        };
        let Row { size, form: Form { cascades, .. }, algorithm, .. } = group[0];
        let cell = |us: Option<f64>| us.map_or("-".to_owned(), significant);
        let name = format!("{size} x {cascades}");
        let mut line = vec![if several_algorithms { format!("{name}, {algorithm}") } else { name }];
        for stage in ["to_maps", "whole"] {
            line.push(cell(median_us(OceanPath::Fused, stage)));
            line.push(cell(median_us(OceanPath::Plain, stage)));
        }
        let whole = |path| median_us(path, "whole");
        let ratio = whole(OceanPath::Fused).zip(whole(OceanPath::Plain));
        line.push(ratio.map_or("-".to_owned(), |(fused, plain)| format!("{:.2}", fused / plain)));
        table.push(line);
    }
    table
}

#[cfg(test)]
mod tests {
    use crate::bench::Outcome;
    use crate::fft::lab::timing::Timer;
    use crate::maps::MapFormat;

    use super::super::row::Figures;
    use super::*;

    fn row(path: OceanPath, regime: OceanRegime, stage: &str, median_us: f64) -> Row {
        let stage = stage.into();
        let form = Form { cascades: 4, path, regime, stage, map_format: MapFormat::F16 };
        let figures = Figures {
            times: Times {
                median_us,
                p5_us: median_us - 1.0,
                p95_us: median_us + 1.0,
                samples: 15,
                repetitions: 1,
                timer: Timer::GpuTimestamps,
            },
            stage_timer: StageTimer::PassEach,
            relative_l2_error: 2e-4,
            mips_error: 4e-4,
        };
        let outcome = Outcome::Measured(Box::new(figures));
        Row::of_form("stockham-r8", None, None, Size::Side(512), form, "A".into(), outcome)
    }

    fn rows() -> Vec<Row> {
        let frame = OceanRegime::Frame;
        let plain = [
            ("spectrum", 12.0),
            ("rows", 15.0),
            ("columns", 16.0),
            ("maps", 14.0),
            ("mips", 27.0),
            ("to_maps", 60.0),
            ("whole", 88.0),
        ];
        let fused = [
            ("spectrum_rows", 31.0),
            ("columns_maps", 23.0),
            ("mips", 27.0),
            ("to_maps", 55.0),
            ("whole", 80.0),
        ];
        let plain = plain.map(|(stage, us)| row(OceanPath::Plain, frame, stage, us));
        let fused = fused.map(|(stage, us)| row(OceanPath::Fused, frame, stage, us));
        plain.into_iter().chain(fused).collect()
    }

    #[test]
    fn the_parts_of_a_step_stand_side_by_side() {
        let lines: Vec<_> = Row::cells(&rows()).iter().map(|cells| cells.join("|")).collect();
        assert_eq!(
            lines[1..],
            [
                "512|4|plain|frame|12.0|15.0|16.0|14.0|27.0|60.0|88.0|87.0 - 89.0|2.0e-4",
                "512|4|fused|frame|in rows|31.0|23.0|in columns|27.0|55.0|80.0|79.0 - 81.0|2.0e-4",
            ]
        );
        assert!(Row::notes(&rows()).contains("a pass of its own"));
    }

    #[test]
    fn what_has_no_figures_says_why() {
        let mut rows = rows();
        rows.truncate(1);
        rows[0].form.stage = "whole".into();
        rows[0].outcome = Outcome::skipped("too large");
        assert_eq!(Row::cells(&rows)[1].join("|"), "512|4|plain|frame|skipped");
        let text = Row::notes(&rows);
        assert!(text.contains("512 x 4 plain frame stockham-r8 skipped: too large"), "{text}");
    }

    #[test]
    fn the_summary_compares_the_paths() {
        let cells = summary_cells(&rows(), OceanRegime::Frame);
        assert_eq!(cells[1].join("|"), "512 x 4|55.0|60.0|80.0|88.0|0.91");
        let only_plain: Vec<_> = rows().into_iter().take(7).collect();
        let cells = summary_cells(&only_plain, OceanRegime::Frame);
        assert_eq!(cells[1].join("|"), "512 x 4|-|60.0|-|88.0|-");
    }
}
