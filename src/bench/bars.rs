//! Draws a comparison as SVG: horizontal bars on a logarithmic scale, since algorithms differ by orders of
//! magnitude.

use super::chart::{GRID, Svg};
use super::comparison::{Line, Measured, Table, microseconds};

/// Pixels of a row, of the labels before the bars, of the bars, and after them.
const ROW: f64 = 22.0;
const LABELS: f64 = 300.0;
const BARS: f64 = 460.0;
const AFTER: f64 = 220.0;
const HEAD: f64 = 64.0;
const FOOT: f64 = 30.0;

/// Colours of the bars of transforms, of the copy, and of steps (Okabe and Ito 2008).
const TRANSFORM: &str = "#0072b2";
const COPY: &str = "#999999";
const STEP: &str = "#009e73";
const WRONG: &str = "#c0392b";

impl Table {
    /// Draws the table as SVG: a bar for the median of each row, with its spread.
    pub fn svg(&self, about: &str) -> String {
        let scale = self.scale();
        let x = |us: f64| LABELS + BARS * scale.share(us).clamp(0.0, 1.0);
        let height = HEAD + ROW * self.rows.len() as f64 + FOOT;
        let bottom = height - FOOT + 4.0;
        let mut svg = Svg::new(LABELS + BARS + AFTER, height);
        svg.text([12.0, 24.0], "font-size=\"16\"", self.title());
        let spread = "medians in microseconds, lines from the 5th to the 95th percentile";
        svg.text([12.0, 44.0], "", format_args!("{about}; {spread}"));
        for (us, label) in scale.ticks() {
            svg.line([x(us), HEAD], [x(us), bottom], GRID);
            svg.text([x(us), bottom + 16.0], "text-anchor=\"middle\"", label);
        }
        for (index, line) in self.rows.iter().enumerate() {
            let y = HEAD + ROW * index as f64;
            let middle = y + 0.5 * ROW;
            let weight = if line.baseline { "bold" } else { "normal" };
            let attributes = format!("text-anchor=\"end\" font-weight=\"{weight}\"");
            let name = format_args!("{}, {}", line.name(), line.kind.label());
            svg.text([LABELS - 8.0, middle + 4.0], &attributes, name);
            let times = line.measured().and_then(Measured::times_us);
            let Some([p5, median, p95]) = times else {
                let note = match line.measured() {
                    Some(_) => "no time yet".to_owned(),
                    None => line.note(),
                };
                let colour = if line.is_failed() { WRONG } else { "#777" };
                let short: String = note.chars().take(90).collect();
                svg.text([LABELS + 6.0, middle + 4.0], &format!("fill=\"{colour}\""), short);
                continue;
            };
            let colour = match (line.entry, line.kind.path()) {
                (None, _) => COPY,
                (_, None) => TRANSFORM,
                (_, Some(_)) => STEP,
            };
            svg.rectangle([LABELS, y + 4.0], [x(median) - LABELS, ROW - 8.0], colour);
            svg.line([x(p5), middle], [x(p95), middle], "stroke=\"#222\" stroke-width=\"2\"");
            svg.text([x(p95) + 6.0, middle + 4.0], "", label(self, line, median));
        }
        svg.finish()
    }
}

fn label(table: &Table, line: &Line, median_us: f64) -> String {
    let Some(measured) = line.measured() else { return String::new() };
    let mut text = format!("{} us", microseconds(median_us, measured.known_us));
    if measured.images_measured < table.batch {
        text += &format!(", {} of {} images", measured.images_measured, table.batch);
    }
    if !measured.settled {
        text += ", settling";
    }
    text
}
