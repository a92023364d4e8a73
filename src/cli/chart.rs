//! Line charts as pictures (SVG): a few lines over the same places along x.

use std::fmt::Write as _;

/// Colours that stay apart for the colour-blind (Okabe and Ito 2008), then darker ones.
pub const COLOURS: [&str; 12] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d00", "#7f3c8d",
    "#666666", "#a5aa99", "#7a0019", "#3d5941",
];

/// A picture of lines.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    pub title: String,
    /// Below the title: what it was measured on.
    pub subtitle: String,
    pub x_label: String,
    pub y_label: String,
    /// The places along x, from left to right.
    pub places: Vec<String>,
    /// y grows by factors, and not by steps.
    pub logarithmic: bool,
    /// The places are kinds and no steps of one quantity: what stands at them is not joined.
    pub is_of_kinds: bool,
    pub lines: Vec<Line>,
}

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Line {
    pub name: String,
    /// A value at each place where there is one.
    pub values: Vec<Option<f64>>,
    /// Drawn in grey dashes: what is not measured, or not ours.
    pub is_reference: bool,
}

/// Of the axes, in pixels.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 300.0;
/// Around them: what the labels take.
const LEFT: f64 = 74.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 48.0;
/// Before a name in the legend, and of each of its characters, about.
const LEGEND_LEFT: f64 = 58.0;
const CHARACTER: f64 = 6.6;
/// Of a line of the legend.
const LEGEND_STEP: f64 = 18.0;

impl Chart {
    /// The picture.
    pub fn svg(&self) -> String {
        let legend_height = TOP + LEGEND_STEP * self.lines.len() as f64;
        let longest = self.lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
        let width = (LEFT + WIDTH + LEGEND_LEFT + CHARACTER * longest as f64).ceil();
        let height = (TOP + HEIGHT + BOTTOM).max(legend_height + 8.0);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"16\">{}</text>\n\
             <text x=\"{LEFT}\" y=\"40\" fill=\"#666\">{}</text>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            escaped(&self.title),
            escaped(&self.subtitle),
            LEFT + WIDTH / 2.0,
            TOP + HEIGHT + 40.0,
            escaped(&self.x_label),
            TOP + HEIGHT / 2.0,
            escaped(&self.y_label),
        );
        let scale = Scale::of(self);
        for (value, label) in scale.ticks() {
            let y = scale.level(value);
            let _ = writeln!(
                text,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                LEFT + WIDTH,
                LEFT - 6.0,
                y + 4.0
            );
        }
        // Labels that would lie on one another are left out.
        let longest = self.places.iter().map(|place| place.chars().count()).max().unwrap_or(1);
        let room = WIDTH / self.places.len().max(1) as f64;
        let every = ((longest as f64 * 7.0 + 6.0) / room).ceil().max(1.0) as usize;
        for (index, place) in self.places.iter().enumerate().step_by(every) {
            let _ = writeln!(
                text,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                self.place(index),
                TOP + HEIGHT + 18.0,
                escaped(place)
            );
        }
        let mut own = 0;
        for (number, line) in self.lines.iter().enumerate() {
            let (colour, dashes) = match line.is_reference {
                true => ("#888888", ["7 4", "2 3", "9 3 2 3"][number % 3]),
                false => {
                    own += 1;
                    (COLOURS[(own - 1) % COLOURS.len()], "none")
                }
            };
            text += &self.line(line, &scale, colour, dashes);
            let (x, y) = (LEFT + WIDTH + 18.0, TOP + LEGEND_STEP * number as f64);
            let _ = writeln!(
                text,
                "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{colour}\" \
                 stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>\
                 <text x=\"{}\" y=\"{}\">{}</text>",
                x + 26.0,
                x + 32.0,
                y + 4.0,
                escaped(&line.name)
            );
        }
        text + "</svg>\n"
    }

    fn place(&self, index: usize) -> f64 {
        let last = (self.places.len().max(2) - 1) as f64;
        let share = if self.places.len() < 2 { 0.5 } else { index as f64 / last };
        LEFT + WIDTH * (0.04 + 0.92 * share)
    }

    fn line(&self, line: &Line, scale: &Scale, colour: &str, dashes: &str) -> String {
        let mut text = format!(
            "<g fill=\"{colour}\"><path fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dashes}\" d=\""
        );
        let mut command = 'M';
        let drawn = |value: &Option<f64>| value.filter(|value| scale.can_show(*value));
        for (index, value) in line.values.iter().enumerate() {
            match drawn(value) {
                Some(value) => {
                    let _ =
                        write!(text, "{command}{:.1} {:.1}", self.place(index), scale.level(value));
                    command = if self.is_of_kinds { 'M' } else { 'L' };
                }
                None => command = 'M',
            }
        }
        text += "\"/>";
        let radius = if self.is_of_kinds { 5.0 } else { 2.5 };
        let points = line.values.iter().enumerate().filter(|_| !line.is_reference);
        for (index, value) in points.filter_map(|(index, value)| Some((index, drawn(value)?))) {
            let (x, y) = (self.place(index), scale.level(value));
            let _ = write!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>");
        }
        text + "</g>\n"
    }
}

impl Chart {
    /// The values as a table: a column for each line.
    pub fn csv(&self) -> String {
        let cell = |text: &str| seaway::text_table::csv_cell(text).into_owned();
        let names = self.lines.iter().map(|line| cell(&line.name));
        let mut rows = vec![std::iter::once(cell(&self.x_label)).chain(names).collect::<Vec<_>>()];
        for (index, place) in self.places.iter().enumerate() {
            let values = self.lines.iter().map(|line| {
                let value = line.values.get(index).copied().flatten();
                value.map(number).unwrap_or_default()
            });
            rows.push(std::iter::once(cell(place)).chain(values).collect());
        }
        rows.into_iter().map(|row| row.join(",") + "\n").collect()
    }
}

/// Seven significant digits: more than was measured, and the same after a file was read again.
fn number(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return value.to_string();
    }
    let decimals = (6 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// From values to pixels.
struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
}

impl Scale {
    /// Round numbers around all values.
    fn of(chart: &Chart) -> Self {
        let logarithmic = chart.logarithmic;
        let values = chart.lines.iter().flat_map(|line| line.values.iter().flatten().copied());
        let values = values.filter(|value| value.is_finite() && (!logarithmic || *value > 0.0));
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        if low > high {
            return Self { low: if logarithmic { 1.0 } else { 0.0 }, high: 10.0, logarithmic };
        }
        if logarithmic {
            let [low, high] = [low.log10().floor(), high.log10().ceil()];
            return Self {
                low: 10_f64.powf(low),
                high: 10_f64.powf(high.max(low + 1.0)),
                logarithmic,
            };
        }
        let high = if high > 0.0 { high } else { 1.0 };
        let step = step_of(high);
        Self { low: low.min(0.0), high: (high / step).ceil() * step, logarithmic }
    }

    fn can_show(&self, value: f64) -> bool {
        value.is_finite() && (!self.logarithmic || value > 0.0)
    }

    fn level(&self, value: f64) -> f64 {
        let share = match self.logarithmic {
            true => (value / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        };
        TOP + HEIGHT * (1.0 - share)
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        let label = |value: f64| {
            let text = format!("{value:.6}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        if !self.logarithmic {
            let step = step_of(self.high);
            let count = ((self.high - self.low) / step).round() as u32;
            let values = (0..=count).map(|number| self.low + f64::from(number) * step);
            return values.map(|value| (value, label(value))).collect();
        }
        let decades = (self.high / self.low).log10().round() as i32;
        let between: &[f64] = if decades <= 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let first = self.low.log10().round() as i32;
        let values = (first..=first + decades)
            .flat_map(|power| between.iter().map(move |times| times * 10_f64.powi(power)));
        values
            .filter(|value| *value <= self.high * 1.001)
            .map(|value| (value, label(value)))
            .collect()
    }
}

/// A round step that makes four to ten of `high`.
fn step_of(high: f64) -> f64 {
    let decade = 10_f64.powf(high.log10().floor());
    match high / decade {
        part if part <= 1.5 => 0.2 * decade,
        part if part <= 4.0 => 0.5 * decade,
        _ => decade,
    }
}

/// As XML wants it.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(logarithmic: bool) -> Chart {
        let line = |name: &str, values: &[Option<f64>]| Line {
            name: name.into(),
            values: values.to_vec(),
            is_reference: false,
        };
        Chart {
            title: "A & B".into(),
            x_label: "threads".into(),
            places: vec!["1".into(), "2".into(), "4, 5".into()],
            logarithmic,
            lines: vec![
                line("one", &[Some(1.0), Some(20.0), Some(300.0)]),
                line("other", &[None, Some(2.0), Some(f64::NAN)]),
            ],
            ..Chart::default()
        }
    }

    #[test]
    fn values_lie_between_round_numbers() {
        let scale = Scale::of(&chart(true));
        assert_eq!((scale.low, scale.high), (1.0, 1000.0));
        assert!((scale.level(1000.0) - TOP).abs() < 1e-9);
        assert!((scale.level(1.0) - TOP - HEIGHT).abs() < 1e-9);
        assert_eq!(scale.ticks().first().unwrap().1, "1");
        assert_eq!(scale.ticks().last().unwrap().1, "1000");
        let scale = Scale::of(&chart(false));
        assert_eq!((scale.low, scale.high), (0.0, 300.0));
        assert_eq!(scale.ticks().len(), 7);
        let empty = Scale::of(&Chart::default());
        assert!(empty.low < empty.high);
    }

    #[test]
    fn numbers_have_seven_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.1 + 0.2, "0.3"),
            (1_234.567_89, "1234.568"),
            (2e-5, "0.00002"),
            (1e9, "1000000000"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn a_chart_is_a_picture_and_a_table() {
        let chart = chart(true);
        let svg = chart.svg();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("A &amp; B"));
        // Gaps stay gaps: NaN and nothing are not drawn.
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(!svg.contains("NaN"));
        assert_eq!(chart.csv(), "threads,one,other\n1,1,\n2,20,2\n\"4, 5\",300,NaN\n");
    }
}
