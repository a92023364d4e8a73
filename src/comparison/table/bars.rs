//! A comparison as a picture (SVG): horizontal bars on a logarithmic scale, since algorithms differ
//! by orders of magnitude.

use std::fmt::Write as _;

use super::{Line, Measured, Outcome, Table, microseconds};

/// Pixels of a row, of the labels before the bars, of the bars, and after them.
const ROW: f64 = 22.0;
const LABELS: f64 = 300.0;
const BARS: f64 = 460.0;
const AFTER: f64 = 220.0;
const HEAD: f64 = 64.0;
const FOOT: f64 = 30.0;

/// Bars of transforms, of the copy, and of steps (Okabe and Ito 2008).
const TRANSFORM: &str = "#0072b2";
const COPY: &str = "#999999";
const STEP: &str = "#009e73";
const WRONG: &str = "#c0392b";

pub(super) fn svg(table: &Table, about: &str) -> String {
    let measured = |line: &Line| match &line.outcome {
        Outcome::Measured(Measured { median_us, p5_us, p95_us, .. }) => {
            Some([(*p5_us)?, (*median_us)?, (*p95_us)?])
        }
        _ => None,
    };
    let times: Vec<[f64; 3]> = table.rows.iter().filter_map(measured).collect();
    let least = times.iter().map(|[p5, ..]| *p5).fold(f64::INFINITY, f64::min);
    let most = times.iter().map(|[.., p95]| *p95).fold(0.0, f64::max);
    // From a power of ten below to one above, so that no bar is without length.
    let low = if least.is_finite() { least.max(1e-3).log10().floor() } else { 0.0 };
    let high = if most > 0.0 { most.log10().ceil().max(low + 1.0) } else { low + 1.0 };
    let x = |us: f64| LABELS + BARS * ((us.max(1e-3).log10() - low) / (high - low)).clamp(0.0, 1.0);

    let width = LABELS + BARS + AFTER;
    let height = HEAD + ROW * table.rows.len() as f64 + FOOT;
    let bottom = height - FOOT + 4.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"12\" y=\"24\" font-size=\"16\">{}</text>\n\
         <text x=\"12\" y=\"44\">{}; medians, lines from the 5th to the 95th percentile</text>\n",
        escaped(&table.title()),
        escaped(about),
    );
    let mut decade = low;
    while decade <= high {
        let (at, us) = (x(10.0_f64.powf(decade)), 10.0_f64.powf(decade));
        let _ = writeln!(
            text,
            "<line x1=\"{at:.1}\" y1=\"{HEAD}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{us} us</text>",
            bottom + 16.0
        );
        decade += 1.0;
    }
    for (index, line) in table.rows.iter().enumerate() {
        let y = HEAD + ROW * index as f64;
        let middle = y + 0.5 * ROW;
        let chosen = line.chosen.iter().map(|chosen| format!(" ({chosen})")).collect::<String>();
        let name = format!("{}{chosen}, {}", line.algorithm, line.kind.label());
        let weight = if line.baseline { "bold" } else { "normal" };
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" font-weight=\"{weight}\">{}</text>",
            LABELS - 8.0,
            middle + 4.0,
            escaped(&name)
        );
        match measured(line) {
            Some([p5, median, p95]) => {
                let colour = match (line.entry, line.kind.path()) {
                    (None, _) => COPY,
                    (_, None) => TRANSFORM,
                    (_, Some(_)) => STEP,
                };
                let _ = writeln!(
                    text,
                    "<rect x=\"{LABELS}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                     fill=\"{colour}\"/>\
                     <line x1=\"{:.1}\" y1=\"{middle:.1}\" x2=\"{:.1}\" y2=\"{middle:.1}\" \
                     stroke=\"#222\" stroke-width=\"2\"/>\
                     <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    y + 4.0,
                    x(median) - LABELS,
                    ROW - 8.0,
                    x(p5),
                    x(p95),
                    x(p95) + 6.0,
                    middle + 4.0,
                    escaped(&label(table, line, median))
                );
            }
            None => {
                let note = line.outcome.note().unwrap_or_else(|| "no time yet".to_owned());
                let is_wrong = matches!(line.outcome, Outcome::Failed { .. });
                let colour = if is_wrong { WRONG } else { "#777" };
                let short: String = note.chars().take(90).collect();
                let _ = writeln!(
                    text,
                    "<text x=\"{}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
                    LABELS + 6.0,
                    middle + 4.0,
                    escaped(&short)
                );
            }
        }
    }
    text + "</svg>\n"
}

/// The median, and what is to be said of it.
fn label(table: &Table, line: &Line, median_us: f64) -> String {
    let Outcome::Measured(measured) = &line.outcome else { return String::new() };
    let mut text = format!("{} us", microseconds(median_us, measured.known_us));
    if measured.images_measured < table.batch {
        text += &format!(", {} of {} images", measured.images_measured, table.batch);
    }
    if !measured.settled {
        text += ", settling";
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
