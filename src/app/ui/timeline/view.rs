//! The state of the tab: the side, the frames, the selected one, and the last statistics.

use std::ops::Range;
use std::sync::Arc;

use super::figures::{Row, Sort, fill, top_of};
use crate::app::history::{History, Pacing, Periodic, Side};
use crate::app::session::Session;

/// Frames of the statistics, by the profiler's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marked {
    pub first: u64,
    pub last: u64,
}

/// The visible part of the flame view's time, in milliseconds of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Zoom {
    pub start_ms: f64,
    pub span_ms: f64,
}

/// The inputs of the last statistics.
#[derive(Clone, Debug, PartialEq)]
struct Basis {
    version: u64,
    window: Range<usize>,
    sort: Sort,
    side: Side,
    vsync: bool,
    capped: bool,
}

#[derive(Clone)]
pub(super) struct View {
    /// The history as it was when it was paused.
    frozen: Option<Arc<History>>,
    /// The selected frame while paused.
    selected: Option<u64>,
    side: Option<Side>,
    pub window: usize,
    /// How many of the newest frames the bars leave out; only while paused.
    skipped: usize,
    pub range: Option<Marked>,
    pub anchor: Option<u64>,
    pub sort: Sort,
    /// `None` shows all of the frame.
    pub zoom: Option<Zoom>,
    /// The first visible row of the flame view, in points.
    pub scroll: f32,
    pub rows: Vec<Row>,
    pub pacing: Pacing,
    /// The display's period in milliseconds, drawn as a line in the bars.
    pub period_ms: Option<f32>,
    /// The scale of the bars of processor and GPU.
    top_ms: [f32; 2],
    interval_ms: Option<f32>,
    basis: Option<Basis>,
    refreshed_s: f64,
}

impl Default for View {
    fn default() -> Self {
        Self {
            frozen: None,
            selected: None,
            side: None,
            window: Self::WINDOWS[1],
            skipped: 0,
            range: None,
            anchor: None,
            sort: Sort { by: None, turned: false },
            zoom: None,
            scroll: 0.0,
            rows: Vec::new(),
            pacing: Pacing::TooFew,
            period_ms: None,
            top_ms: [1.0; 2],
            interval_ms: None,
            basis: None,
            refreshed_s: f64::NEG_INFINITY,
        }
    }
}

impl View {
    pub const WINDOWS: [usize; 3] = [60, 240, History::LEN];

    /// Seconds between updates of the statistics: figures that change faster cannot be read, and cost too
    /// much.
    const REFRESH_S: f64 = 0.25;

    /// The history that is held, while paused.
    pub fn frozen(&self) -> Option<&Arc<History>> {
        self.frozen.as_ref()
    }

    pub fn side(&self, has_gpu_timers: bool) -> Side {
        self.side.unwrap_or(if has_gpu_timers { Side::Gpu } else { Side::Cpu })
    }

    pub fn set_side(&mut self, side: Side) {
        self.side = Some(side);
    }

    /// Shows `frames` frames, the selected one among them.
    pub fn set_window(&mut self, frames: usize) {
        self.window = frames;
        self.range = None;
        self.skipped = 0;
        if let (Some(history), Some(selected)) = (self.frozen.clone(), self.selected) {
            self.keep_in_sight(&history, selected);
        }
    }

    /// Pauses at the present frames.
    pub fn pause(&mut self, live: &History) {
        if self.frozen.is_none() {
            self.frozen = Some(Arc::new(live.clone()));
            self.selected = live.frames().back().map(|frame| frame.frame);
            self.skipped = 0;
        }
    }

    pub fn resume(&mut self) {
        self.frozen = None;
        self.selected = None;
        self.range = None;
        self.anchor = None;
        self.skipped = 0;
    }

    /// Selects the frame at `index` of `history`, and pauses.
    pub fn select(&mut self, history: &History, index: usize) {
        self.pause(history);
        if let Some(frame) = history.frames().get(index) {
            self.selected = Some(frame.frame);
            self.keep_in_sight(history, frame.frame);
        }
    }

    /// Selects a frame `steps` later, or earlier.
    pub fn step(&mut self, history: &History, steps: isize) {
        if let Some(last) = history.len().checked_sub(1) {
            let from = self.selected_index(history).unwrap_or(last);
            self.select(history, from.saturating_add_signed(steps).min(last));
        }
    }

    /// Moves the bars by `frames` frames towards the past, or back.
    pub fn scroll_bars(&mut self, history: &History, frames: isize) {
        if self.frozen.is_some() {
            let most = history.len().saturating_sub(self.window);
            self.skipped = self.skipped.saturating_add_signed(frames).min(most);
        }
    }

    /// Marks the frames from the anchor to the one at `index`, and pauses.
    pub fn mark(&mut self, history: &History, index: usize) {
        self.pause(history);
        let Some(frame) = history.frames().get(index) else { return };
        let anchor = *self.anchor.get_or_insert(frame.frame);
        self.range = Some(Marked { first: anchor.min(frame.frame), last: anchor.max(frame.frame) });
    }

    fn keep_in_sight(&mut self, history: &History, frame: u64) {
        let Some(index) = history.index_of(frame) else { return };
        let shown = self.shown(history);
        if index < shown.start {
            self.skipped += shown.start - index;
            // The last of a window that reaches further than the history is the last of all.
            self.skipped = self.skipped.min(history.len().saturating_sub(self.window));
        } else if index >= shown.end {
            self.skipped = history.len() - 1 - index;
        }
    }

    /// The index of the selected frame, while paused.
    pub fn selected_index(&self, history: &History) -> Option<usize> {
        history.index_of(self.selected?)
    }

    pub fn shown(&self, history: &History) -> Range<usize> {
        let end = history.len().saturating_sub(self.skipped);
        end.saturating_sub(self.window)..end
    }

    /// The frames of the statistics: those that are marked, or else those that are shown.
    pub fn examined(&self, history: &History) -> Range<usize> {
        let Some(Marked { first, last }) = self.range else { return self.shown(history) };
        let below = |number: u64| history.frames().partition_point(|frame| frame.frame < number);
        below(first)..below(last.saturating_add(1))
    }

    /// The frame in the flame view: the one under the pointer, the selected, or the newest.
    pub fn frame_in_sight(&self, history: &History, hovered: Option<usize>) -> Option<usize> {
        hovered.or_else(|| self.selected_index(history)).or(history.len().checked_sub(1))
    }

    /// Updates the statistics, if their inputs have changed.
    pub fn refresh(&mut self, now_s: f64, history: &History, side: Side, session: &Session) {
        let basis = Basis {
            version: history.version(),
            window: self.examined(history),
            sort: self.sort,
            side,
            vsync: session.vsync,
            capped: session.frame_cap != 0,
        };
        let Some(last) = &self.basis else { return self.examine(now_s, history, basis) };
        // Changes by the user show at once, those by frames at intervals.
        let by_hand = (basis.sort, basis.side) != (last.sort, last.side)
            || (basis.vsync, basis.capped) != (last.vsync, last.capped)
            || basis.window.len() != last.window.len()
            || self.frozen.is_some();
        let is_due = by_hand || !(0.0..Self::REFRESH_S).contains(&(now_s - self.refreshed_s));
        if is_due && basis != *last {
            self.examine(now_s, history, basis);
        }
    }

    fn examine(&mut self, now_s: f64, history: &History, basis: Basis) {
        self.refreshed_s = now_s;
        let window = basis.window.clone();
        fill(&mut self.rows, history, window.clone(), basis.sort, basis.side);
        let intervals: Vec<f32> = history.interval_ms.present(window.clone()).collect();
        self.pacing = Pacing::estimate(&intervals, basis.vsync, basis.capped);
        self.period_ms = match self.pacing {
            Pacing::Periodic(periodic) => Some(periodic.period_ms),
            _ => None,
        };
        self.interval_ms = history.interval_ms.mean(window);
        let shown = self.shown(history);
        let mut room = Vec::with_capacity(shown.len());
        self.top_ms =
            [Side::Cpu, Side::Gpu].map(|side| top_of(history, side, shown.clone(), &mut room));
        self.basis = Some(basis);
    }

    /// The top of the bars of `side`, in milliseconds.
    pub fn top_ms(&self, side: Side) -> f32 {
        self.top_ms[usize::from(side == Side::Gpu)]
    }

    /// Mean frame rate of the examined frames, and missed refreshes.
    pub fn headline(&self) -> String {
        let rate = match self.interval_ms {
            Some(ms) if ms > 0.0 => format!("{:.1} fps on average", 1e3 / ms),
            _ => String::new(),
        };
        match self.pacing {
            Pacing::Periodic(Periodic { missed, .. }) => format!("{rate}, about {missed} missed"),
            _ => rate,
        }
    }
}
