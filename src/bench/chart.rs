//! Draws charts as SVG: lines over places along x, in one panel or several, with helpers for other pictures.

use std::fmt::{Display, Write as _};

use crate::text_table::TextTable;

/// Colours that the colour-blind can tell apart (Okabe and Ito 2008), then darker ones.
const COLOURS: [&str; 12] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d00", "#7f3c8d",
    "#666666", "#a5aa99", "#7a0019", "#3d5941",
];

/// A chart of lines over common places along x.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// The title above the panels.
    pub title: String,
    /// The line below the title, which names the adapter.
    pub subtitle: String,
    /// The label of the x axis: a quantity with its unit.
    pub x_label: String,
    /// The label of the y axis: a quantity with its unit.
    pub y_label: String,
    /// The places along x, from left to right.
    pub places: Vec<String>,
    /// Whether y grows by factors, and not by steps.
    pub logarithmic: bool,
    /// The least and the greatest value shown, in octaves; `None` lets the values decide.
    pub octaves: Option<[f64; 2]>,
    /// Whether the places are kinds and not steps of one quantity, so that their values are not joined.
    pub is_of_kinds: bool,
    /// The lines, in the order of the legend.
    pub lines: Vec<Line>,
}

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Line {
    /// The name in the legend.
    pub name: String,
    /// The value at each place, `None` where there is none: the line passes over it, and ends at what is not
    /// finite.
    pub values: Vec<Option<f64>>,
    /// Drawn in grey dashes, as a bound or the times of another library.
    pub is_reference: bool,
}

/// Margins around the axes for the labels, in pixels.
const LEFT: f64 = 74.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 48.0;
/// Width before a name in the legend, and about that of each character, in pixels.
const LEGEND_LEFT: f64 = 58.0;
const CHARACTER: f64 = 6.6;
const LEGEND_STEP: f64 = 18.0;
pub(super) const GRID: &str = "stroke=\"#ddd\"";
const WEAK: &str = "fill=\"#666\"";

/// The elements of an SVG file in progress.
pub(super) struct Svg(String);

impl Svg {
    pub fn new(width: f64, height: f64) -> Self {
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
        ))
    }

    /// Writes text at a place, aligned by `attributes`.
    pub fn text(&mut self, [x, y]: [f64; 2], attributes: &str, words: impl Display) {
        let words = escaped(&words.to_string());
        let _ = writeln!(self.0, "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{words}</text>");
    }

    pub fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], attributes: &str) {
        let _ = writeln!(
            self.0,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {attributes}/>"
        );
    }

    /// Draws a filled rectangle of this size from its upper left corner.
    pub fn rectangle(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], colour: &str) {
        let _ = writeln!(
            self.0,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill=\"{colour}\"/>"
        );
    }

    pub fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}

impl Chart {
    /// Returns the chart as an SVG file with its own title and legend.
    pub fn svg(&self) -> String {
        let size = [520.0, 300.0];
        let mut svg = self.begin([LEFT + size[0], TOP + size[1] + BOTTOM]);
        svg.text([LEFT, 22.0], "font-size=\"16\"", &self.title);
        svg.text([LEFT, 40.0], WEAK, &self.subtitle);
        self.panel(&mut svg, [LEFT, TOP], size);
        self.legend(&mut svg, [LEFT + size[0], TOP]);
        svg.finish()
    }

    /// Returns charts of the same lines as the panels of one SVG file, two in a row.
    pub fn panels(title: &str, subtitle: &str, panels: &[Self]) -> String {
        const HEAD: f64 = 48.0;
        let size = [360.0, 260.0];
        let (width, height) = (LEFT + size[0], TOP + size[1] + 16.0);
        let columns = panels.len().clamp(1, 2);
        let rows = panels.len().div_ceil(columns);
        let right = columns as f64 * width;
        let empty = Self::default();
        let first = panels.first().unwrap_or(&empty);
        let mut svg = first.begin([right, HEAD + rows as f64 * height + BOTTOM]);
        svg.text([LEFT, 24.0], "font-size=\"16\"", title);
        svg.text([LEFT, 44.0], WEAK, subtitle);
        for (index, panel) in panels.iter().enumerate() {
            let x = (index % columns) as f64 * width + LEFT;
            let y = HEAD + (index / columns) as f64 * height + TOP;
            svg.text([x, y - 10.0], "font-weight=\"bold\"", &panel.title);
            panel.panel(&mut svg, [x, y], size);
        }
        first.legend(&mut svg, [right, HEAD + TOP]);
        svg.finish()
    }

    /// A picture with room for the axes and the legend beside them.
    fn begin(&self, [right, bottom]: [f64; 2]) -> Svg {
        let longest = self.lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
        let legend_bottom = 2.0 * TOP + LEGEND_STEP * self.lines.len() as f64;
        let width = (right + LEGEND_LEFT + CHARACTER * longest as f64).ceil();
        Svg::new(width, bottom.max(legend_bottom))
    }

    /// The lines with their colours and dashes.
    fn styles(&self) -> impl Iterator<Item = (&Line, &'static str, &'static str)> {
        let mut own = 0;
        self.lines.iter().enumerate().map(move |(number, line)| match line.is_reference {
            true => (line, "#888888", ["7 4", "2 3", "9 3 2 3"][number % 3]),
            false => {
                let (round, colour) = (own / COLOURS.len(), own % COLOURS.len());
                own += 1;
                (line, COLOURS[colour], if round == 0 { "none" } else { "10 3" })
            }
        })
    }

    fn legend(&self, svg: &mut Svg, [x, y]: [f64; 2]) {
        for (number, (line, colour, dashes)) in self.styles().enumerate() {
            let (x, y) = (x + 18.0, y + LEGEND_STEP * number as f64);
            let stroke = stroke(colour, dashes);
            svg.line([x, y], [x + 26.0, y], &stroke);
            svg.text([x + 32.0, y + 4.0], "", &line.name);
        }
    }

    /// Draws the axes, from their upper left corner, and the lines.
    fn panel(&self, svg: &mut Svg, [left, top]: [f64; 2], [width, height]: [f64; 2]) {
        let (right, bottom) = (left + width, top + height);
        svg.text([left + width / 2.0, bottom + 40.0], "text-anchor=\"middle\"", &self.x_label);
        let turned = format!(
            "transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\"",
            left - 58.0,
            top + height / 2.0
        );
        svg.text([0.0, 0.0], &turned, &self.y_label);
        let scale = Scale::of(self);
        let level = |value: f64| bottom - height * scale.share(value);
        for (value, label) in scale.ticks() {
            let y = level(value);
            let is_one = self.octaves.is_some() && value == 1.0;
            svg.line([left, y], [right, y], if is_one { "stroke=\"#888\"" } else { GRID });
            svg.text([left - 6.0, y + 4.0], "text-anchor=\"end\"", label);
        }
        let place = |index: usize| {
            let last = (self.places.len().max(2) - 1) as f64;
            let share = if self.places.len() < 2 { 0.5 } else { index as f64 / last };
            left + width * (0.04 + 0.92 * share)
        };
        // Labels that would lie on one another are left out.
        let longest = self.places.iter().map(|place| place.chars().count()).max().unwrap_or(1);
        let room = width / self.places.len().max(1) as f64;
        let every = ((longest as f64 * 7.0 + 6.0) / room).ceil().max(1.0) as usize;
        for (index, name) in self.places.iter().enumerate().step_by(every) {
            svg.text([place(index), bottom + 18.0], "text-anchor=\"middle\"", name);
        }
        let radius = if self.is_of_kinds { 5.0 } else { 2.5 };
        for (line, colour, dashes) in self.styles() {
            let given = line.values.iter().enumerate().filter_map(|(index, value)| {
                let value = (*value)?;
                Some(scale.can_show(value).then(|| [place(index), level(value)]))
            });
            let points: Vec<Option<[f64; 2]>> = given.collect();
            let mut path = String::new();
            let pairs = points.windows(2).filter(|_| !self.is_of_kinds);
            for (from, to) in pairs.filter_map(|pair| pair[0].zip(pair[1])) {
                path += &segment(from, to, [top, bottom]).unwrap_or_default();
            }
            let stroke = stroke(colour, dashes);
            let _ = writeln!(svg.0, "<path d=\"{path}\" fill=\"none\" {stroke}/>");
            let shown = points.into_iter().flatten().filter(|_| !line.is_reference);
            for [x, y] in shown.filter(|[_, y]| (top - 0.1..=bottom + 0.1).contains(y)) {
                let _ = writeln!(
                    svg.0,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"/>"
                );
            }
        }
    }
}

fn stroke(colour: &str, dashes: &str) -> String {
    format!("stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"")
}

impl Chart {
    /// Returns the values as comma-separated text: a row for each place, a column for each line.
    pub fn csv(&self) -> String {
        let names = self.lines.iter().map(|line| line.name.clone());
        let mut table = TextTable::new(std::iter::once(self.x_label.clone()).chain(names));
        for (index, place) in self.places.iter().enumerate() {
            let values = self.lines.iter().map(|line| {
                let value = line.values.get(index).copied().flatten();
                value.map(number).unwrap_or_default()
            });
            table.rows.push(std::iter::once(place.clone()).chain(values).collect());
        }
        table.csv()
    }
}

/// Seven significant digits: more than are measured, and the same after a file is read again.
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

pub(crate) struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
    /// Whether its ticks are powers of two.
    is_in_octaves: bool,
}

impl Scale {
    /// Round numbers around all values.
    fn of(chart: &Chart) -> Self {
        let logarithmic = chart.logarithmic;
        if let Some([low, high]) = chart.octaves {
            return Self { low, high, logarithmic: true, is_in_octaves: true };
        }
        let values = chart.lines.iter().flat_map(|line| line.values.iter().flatten().copied());
        let values = values.filter(|value| value.is_finite() && (!logarithmic || *value > 0.0));
        if logarithmic {
            return Self::decades(values);
        }
        let (low, high) = bounds(values, 0.0);
        let high = if high > 0.0 { high } else { 1.0 };
        let step = step_of(high);
        let high = (high / step).ceil() * step;
        Self { low: low.min(0.0), high, logarithmic, is_in_octaves: false }
    }

    /// Powers of ten around `values`, which are above 0.
    pub fn decades(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = bounds(values, 1.0);
        let [low, high] = [low.log10().floor(), high.log10().ceil()];
        let [low, high] = [low, high.max(low + 1.0)].map(|power| 10_f64.powf(power));
        Self { low, high, logarithmic: true, is_in_octaves: false }
    }

    fn can_show(&self, value: f64) -> bool {
        value.is_finite() && (!self.logarithmic || value > 0.0)
    }

    /// The position of `value` from 0 at the bottom of the axis to 1 at its top.
    pub fn share(&self, value: f64) -> f64 {
        match self.logarithmic {
            true => (value / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        }
    }

    pub fn ticks(&self) -> Vec<(f64, String)> {
        let label = |value: f64| {
            let text = format!("{value:.6}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        if self.is_in_octaves {
            let values = std::iter::successors(Some(self.low), |value| Some(2.0 * value));
            let values = values.take_while(|value| *value <= self.high);
            return values.map(|value| (value, label(value))).collect();
        }
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

/// The least and the greatest value, or `least` and 10 without any.
fn bounds(values: impl Iterator<Item = f64>, least: f64) -> (f64, f64) {
    let bounds = values.map(|value| (value, value));
    bounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((least, 10.0))
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

/// The part of the line from `a` to `b` between `top` and `bottom`, as a path. (Clip paths do not work in
/// every viewer.)
fn segment(a: [f64; 2], b: [f64; 2], [top, bottom]: [f64; 2]) -> Option<String> {
    let at = |share: f64| [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
    let [mut from, mut to] = [0.0_f64, 1.0_f64];
    let rise = b[1] - a[1];
    if rise == 0.0 {
        if !(top..=bottom).contains(&a[1]) {
            return None;
        }
    } else {
        let [first, last] = [(top - a[1]) / rise, (bottom - a[1]) / rise];
        from = from.max(first.min(last));
        to = to.min(first.max(last));
    }
    let ([x, y], [end_x, end_y]) = (at(from), at(to));
    (from < to).then(|| format!("M{x:.1} {y:.1}L{end_x:.1} {end_y:.1}"))
}

fn escaped(text: &str) -> String {
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
        assert!((scale.share(1000.0) - 1.0).abs() < 1e-9 && scale.share(1.0).abs() < 1e-9);
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
        // NaN and nothing are not drawn.
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(!svg.contains("NaN"));
        assert_eq!(chart.csv(), "threads,one,other\n1,1,\n2,20,2\n\"4, 5\",300,NaN\n");
    }

    #[test]
    fn lines_pass_over_places_without_values() {
        let path = |middle| {
            let mut chart = chart(true);
            chart.lines.truncate(1);
            chart.lines[0].values[1] = middle;
            let svg = chart.svg();
            let path = svg.split("<path d=\"").nth(1).and_then(|rest| rest.split('"').next());
            path.unwrap().matches('M').count()
        };
        assert_eq!([Some(20.0), None, Some(f64::NAN)].map(path), [2, 1, 0]);
    }

    #[test]
    fn lines_of_one_colour_differ_by_their_dashes() {
        let mut chart = chart(true);
        chart.lines = vec![chart.lines[0].clone(); COLOURS.len() + 1];
        let styles: Vec<_> = chart.styles().map(|(_, colour, dashes)| (colour, dashes)).collect();
        assert_eq!(styles[0].0, styles[COLOURS.len()].0);
        assert_ne!(styles[0].1, styles[COLOURS.len()].1);
    }

    #[test]
    fn lines_end_at_the_axes() {
        let axes = [10.0, 20.0];
        let path = |a, b| segment(a, b, axes);
        assert_eq!(path([0.0, 12.0], [4.0, 18.0]).as_deref(), Some("M0.0 12.0L4.0 18.0"));
        assert_eq!(path([0.0, 0.0], [4.0, 20.0]).as_deref(), Some("M2.0 10.0L4.0 20.0"));
        assert_eq!(path([0.0, 25.0], [4.0, 5.0]).as_deref(), Some("M1.0 20.0L3.0 10.0"));
        assert_eq!(path([0.0, 15.0], [4.0, 15.0]).as_deref(), Some("M0.0 15.0L4.0 15.0"));
        assert_eq!(path([0.0, 5.0], [4.0, 5.0]), None);
        assert_eq!(path([0.0, 5.0], [4.0, 9.0]), None);
    }
}
