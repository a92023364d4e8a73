//! The figures of the tab: the rows of the table of times, and the tops of the bars.

use std::ops::Range;

use egui::Color32;

use super::super::theme;
use crate::app::history::{self, History, Lane, Side, Summary};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Name,
    Side,
    Median,
    P95,
    P99,
    Worst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sort {
    /// The column; `None` is the order of execution.
    pub by: Option<Column>,
    /// The largest, or the first letter, comes last.
    pub turned: bool,
}

#[derive(Clone)]
pub(super) struct Row {
    pub name: String,
    pub depth: u32,
    pub side: Option<Side>,
    pub colour: Option<Color32>,
    pub summary: Option<Summary>,
    pub figures: [String; 4],
}

impl Row {
    fn new(
        name: String,
        depth: u32,
        side: Option<Side>,
        colour: Option<Color32>,
        summary: Option<Summary>,
    ) -> Self {
        let figures = match summary {
            Some(Summary { median, p95, p99, worst }) => {
                [median, p95, p99, worst].map(|ms| super::figure(side.unwrap_or(Side::Cpu), ms))
            }
            None => std::array::from_fn(|_| "-".to_owned()),
        };
        Self { name, depth, side, colour, summary, figures }
    }
}

/// Makes the lines: the frame's, then those of all lanes, sorted; unsorted, `side` comes first.
pub(super) fn fill(
    rows: &mut Vec<Row>,
    history: &History,
    window: Range<usize>,
    sort: Sort,
    side: Side,
) {
    let mut room = Vec::with_capacity(window.len());
    let mut of = |column| Summary::of(column, window.clone(), &mut room);
    rows.clear();
    rows.push(Row::new("frame interval".into(), 0, None, None, of(&history.interval_ms)));
    rows.push(Row::new("CPU".into(), 0, Some(Side::Cpu), None, of(&history.cpu_ms)));
    rows.push(Row::new("GPU".into(), 0, Some(Side::Gpu), None, of(&history.gpu_ms)));
    let frames = rows.len();
    let other = if side == Side::Cpu { Side::Gpu } else { Side::Cpu };
    for side in [side, other] {
        for lane in history.lanes().iter().filter(|lane| lane.side == side) {
            // Lanes that did not run in the window have no summary.
            if let Some(summary) = of(&lane.total_ms) {
                let colour = Some(theme::lane(lane.colour));
                rows.push(Row::new(name(lane), lane.depth, Some(side), colour, Some(summary)));
            }
        }
    }
    let lanes = &mut rows[frames..];
    let by = |of: fn(&Summary) -> f32| {
        move |a: &Row, b: &Row| {
            let of = |row: &Row| row.summary.as_ref().map_or(f32::NEG_INFINITY, of);
            of(b).total_cmp(&of(a))
        }
    };
    match sort.by {
        None => return,
        Some(Column::Name) => lanes.sort_by(|a, b| a.name.cmp(&b.name)),
        Some(Column::Side) => lanes.sort_by_key(|row| row.side),
        Some(Column::Median) => lanes.sort_by(by(|summary| summary.median)),
        Some(Column::P95) => lanes.sort_by(by(|summary| summary.p95)),
        Some(Column::P99) => lanes.sort_by(by(|summary| summary.p99)),
        Some(Column::Worst) => lanes.sort_by(by(|summary| summary.worst)),
    }
    if sort.turned {
        lanes.reverse();
    }
    // Out of the order of execution, nothing is within what stands above it.
    lanes.iter_mut().for_each(|row| row.depth = 0);
}

fn name(lane: &Lane) -> String {
    match lane.occurrence {
        0 => lane.name.to_string(),
        earlier => format!("{} ({})", lane.name, earlier + 1),
    }
}

pub(super) fn total_of(history: &History, side: Side) -> &history::Column {
    match side {
        Side::Cpu => &history.cpu_ms,
        Side::Gpu => &history.gpu_ms,
    }
}

/// A round number of milliseconds that all but the longest frames stay below.
pub(super) fn top_of(
    history: &History,
    side: Side,
    shown: Range<usize>,
    sorted: &mut Vec<f32>,
) -> f32 {
    sorted.clear();
    sorted.extend(total_of(history, side).present(shown));
    sorted.sort_unstable_by(f32::total_cmp);
    let high = sorted.get((0.98 * sorted.len() as f32) as usize).copied();
    nice_ceiling(1.05 * high.unwrap_or(0.0))
}

/// The next of 1, 2, 5, 10, .. that is not below `value`.
pub(super) fn nice_ceiling(value: f32) -> f32 {
    let value = value.clamp(0.01, 1e6);
    let decade = 10.0_f32.powf(value.log10().floor());
    let steps = [1.0, 1.5, 2.0, 3.0, 5.0, 7.5, 10.0].map(|step| step * decade);
    steps.into_iter().find(|step| *step >= value).unwrap_or(value)
}
