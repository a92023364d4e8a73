//! Measurements as a picture (SVG): time over that of a copy of the same bytes, by size, a panel
//! for each group.

use std::fmt::Write as _;

use super::report::peer_name;
use super::row::Row;
use super::stored::Stored;
use super::summary::Group;
use crate::cli::chart::{COLOURS, escaped};
use crate::cli::size::Size;

/// The largest ratio drawn, and the smallest.
const RATIOS: [f64; 2] = [0.5, 32.0];

/// Of a panel's axes, in pixels.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 260.0;
/// Around them: what the labels take.
const LEFT: f64 = 48.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 30.0;
const LEGEND_WIDTH: f64 = 190.0;
const HEAD: f64 = 56.0;

struct Series<'a> {
    name: String,
    colour: &'a str,
    dashes: &'a str,
    times: Times<'a>,
}

/// Whose times.
enum Times<'a> {
    Algorithm(&'a str),
    Peer(&'a str),
}

impl Series<'_> {
    /// Microseconds in a group, at a size.
    fn time_us(&self, group: &Group<'_>, size: Size) -> Option<f64> {
        match self.times {
            Times::Algorithm(name) => Some(group.row(name, size)?.figures()?.median_us),
            Times::Peer(name) => group.peer_us(size, name),
        }
    }
}

/// The picture.
pub fn svg(stored: &Stored<Row>) -> String {
    let groups = Group::all(&stored.rows);
    let series = series(&groups);
    let columns = groups.len().clamp(1, 2);
    let (panel_width, panel_height) = (LEFT + WIDTH + 16.0, TOP + HEIGHT + BOTTOM);
    let panel_rows = groups.len().div_ceil(columns).max(1);
    let width = columns as f64 * panel_width + LEGEND_WIDTH;
    let legend_height = HEAD + TOP + 18.0 * series.len() as f64;
    let height = (HEAD + panel_rows as f64 * panel_height + 8.0).max(legend_height);
    let images = stored.rows.iter().all(|row| row.dimensions == 2);
    let (what, passes) = match images {
        true => ("a 2D FFT", "two passes over memory"),
        false => ("an FFT", "a pass over memory for each axis"),
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">Time of {what} relative to a copy of the \
         same bytes: {}</text>\n\
         <text x=\"{LEFT}\" y=\"44\">by the side of the images; 1 is the ceiling of {passes}; \
         times above {} are cut off</text>\n",
        escaped(&stored.taken.adapter),
        RATIOS[1]
    );
    for (index, group) in groups.iter().enumerate() {
        let x = (index % columns) as f64 * panel_width + LEFT;
        let y = HEAD + (index / columns) as f64 * panel_height + TOP;
        text += &panel(group, &series, [x, y]);
    }
    let x = columns as f64 * panel_width;
    for (index, Series { name, colour, dashes, .. }) in series.iter().enumerate() {
        let y = HEAD + TOP + 18.0 * index as f64;
        let _ = writeln!(
            text,
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{colour}\" \
             stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            x + 26.0,
            x + 32.0,
            y + 4.0,
            escaped(name)
        );
    }
    text + "</svg>\n"
}

/// A line for each algorithm, and for each peer that runs on the GPU.
fn series<'a>(groups: &[Group<'a>]) -> Vec<Series<'a>> {
    let mut series: Vec<Series<'a>> = Vec::new();
    for algorithm in groups.iter().flat_map(Group::algorithms) {
        if series.iter().all(|known| known.name != algorithm) {
            series.push(Series {
                name: algorithm.to_owned(),
                colour: COLOURS[series.len() % COLOURS.len()],
                dashes: "none",
                times: Times::Algorithm(algorithm),
            });
        }
    }
    for peer in groups.iter().flat_map(Group::peers).filter(|peer| *peer != "rustfft") {
        let name = peer_name(peer);
        if series.iter().all(|known| known.name != name) {
            series.push(Series {
                name,
                colour: "#000",
                dashes: if peer.ends_with("in_place") { "2 3" } else { "7 4" },
                times: Times::Peer(peer),
            });
        }
    }
    series
}

/// One group, its axes' upper left corner at `x`, `y`.
fn panel(group: &Group<'_>, series: &[Series<'_>], [x, y]: [f64; 2]) -> String {
    let sizes = group.sizes();
    let place = |size: Size| {
        let last = (sizes.len() - 1).max(1) as f64;
        let index = sizes.iter().position(|known| *known == size).unwrap_or(0);
        x + WIDTH * (0.04 + 0.92 * index as f64 / last)
    };
    let [low, high] = RATIOS.map(f64::log2);
    let level = |ratio: f64| y + HEIGHT * (high - ratio.log2()) / (high - low);
    let mut text = format!(
        "<text x=\"{x}\" y=\"{}\" font-weight=\"bold\">{}</text>\n",
        y - 10.0,
        escaped(&group.title())
    );
    let mut ratio = RATIOS[0];
    while ratio <= RATIOS[1] {
        let at = level(ratio);
        let stroke = if ratio == 1.0 { "#888" } else { "#ddd" };
        let _ = writeln!(
            text,
            "<line x1=\"{x}\" y1=\"{at:.1}\" x2=\"{}\" y2=\"{at:.1}\" stroke=\"{stroke}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{ratio}</text>",
            x + WIDTH,
            x - 6.0,
            at + 4.0
        );
        ratio *= 2.0;
    }
    for &size in &sizes {
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{size}</text>",
            place(size),
            y + HEIGHT + 18.0
        );
    }
    for line in series {
        let Series { colour, dashes, .. } = line;
        let points: Vec<[f64; 2]> = sizes
            .iter()
            .filter_map(|&size| {
                let ratio = line.time_us(group, size)? / group.copy_us(size)?;
                Some([place(size), level(ratio)])
            })
            .collect();
        let segments: String = points
            .windows(2)
            .filter_map(|pair| segment(pair[0], pair[1], [y, y + HEIGHT]))
            .collect();
        let _ = write!(
            text,
            "<g fill=\"{colour}\"><path d=\"{segments}\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>"
        );
        for [x, at] in points {
            if (y..=y + HEIGHT).contains(&at) {
                let _ = write!(text, "<circle cx=\"{x:.1}\" cy=\"{at:.1}\" r=\"2.5\"/>");
            }
        }
        text += "</g>\n";
    }
    text
}

/// What of the line from `a` to `b` lies between `top` and `bottom`, as a path. (Clip paths would do
/// it too, but not in every viewer.)
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

#[cfg(test)]
mod tests {
    use super::*;

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
