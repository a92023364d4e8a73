//! The last frames as stacked bars: each lane's own time on top of those before it.

use std::ops::Range;

use egui::{Align2, Color32, FontId, Mesh, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};

use super::super::{PanelData, theme};
use super::figures::{nice_ceiling, top_of, total_of};
use super::view::View;
use crate::app::history::{Column, History, Lane, Side};
use crate::app::platform::STRINGS;
use crate::profile::GpuTimes;

/// Minimum width of a bar in pixels: if frames get less, the longest of several represents them, so that no
/// spike is lost.
const BAR_PIXELS: f32 = 2.0;
/// Lower shapes are merged into the next one.
const LEAST_HEIGHT: f32 = 0.4;
const LISTED: usize = 7;

/// The layout of frames in the picture.
struct Bars<'a> {
    rect: Rect,
    history: &'a History,
    total_ms: &'a Column,
    shown: Range<usize>,
    slot_width: f32,
    /// Frames that share a bar.
    per_bar: usize,
    /// Slots to the left of the oldest frame.
    empty: usize,
}

impl<'a> Bars<'a> {
    fn new(
        rect: Rect,
        pixels_per_point: f32,
        history: &'a History,
        side: Side,
        shown: Range<usize>,
        slots: usize,
    ) -> Self {
        let most = (rect.width() * pixels_per_point / BAR_PIXELS).floor().max(1.0);
        Self {
            rect,
            total_ms: total_of(history, side),
            slot_width: rect.width() / slots as f32,
            per_bar: (slots as f32 / most).ceil().max(1.0) as usize,
            empty: slots.saturating_sub(shown.len()),
            history,
            shown,
        }
    }

    /// The frames of each bar, oldest first. Bars are counted from the first frame ever, so that the same
    /// frames share one as they move on.
    fn groups(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut start = self.shown.start;
        std::iter::from_fn(move || {
            let group = self.group_from(start)?;
            start = group.end;
            Some(group)
        })
    }

    fn group_from(&self, start: usize) -> Option<Range<usize>> {
        let before = (self.history.version() as usize).saturating_sub(self.history.len());
        let end = (before + start) / self.per_bar * self.per_bar + self.per_bar - before;
        (start < self.shown.end).then(|| start..end.min(self.shown.end))
    }

    /// The frame that represents a bar.
    fn longest(&self, group: Range<usize>) -> usize {
        let first = group.start;
        let longer = |a: usize, b: usize| {
            if self.total_ms.or_zero(b) > self.total_ms.or_zero(a) { b } else { a }
        };
        group.reduce(longer).unwrap_or(first)
    }

    fn x(&self, index: usize) -> f32 {
        let slot = self.empty + index - self.shown.start.min(index);
        self.rect.left() + slot as f32 * self.slot_width
    }

    fn at(&self, x: f32) -> Option<usize> {
        let slot = (x - self.rect.left()) / self.slot_width;
        if self.shown.is_empty() || !slot.is_finite() {
            return None;
        }
        // Past the ends are the first and the last: a drag may leave the picture.
        let slot = (slot.max(0.0) as usize).saturating_sub(self.empty);
        let index = (self.shown.start + slot).min(self.shown.end - 1);
        self.groups().find(|group| group.contains(&index)).map(|group| self.longest(group))
    }

    /// The bar of the frame at `index`, if that frame represents one.
    fn bar(&self, index: usize) -> Option<Rect> {
        let group = self.groups().find(|group| group.contains(&index))?;
        let (left, right) = (self.x(group.start), self.x(group.end));
        Some(Rect::from_x_y_ranges(left..=right, self.rect.y_range()))
    }

    fn paint(&self, mesh: &mut Mesh, side: Side, top_ms: f32) {
        let lanes: Vec<(&Lane, Color32)> =
            self.history.stacked(side).map(|lane| (lane, theme::lane(lane.colour))).collect();
        let bars = self.shown.len() / self.per_bar + 2;
        mesh.reserve_vertices(4 * bars * lanes.len());
        mesh.reserve_triangles(2 * bars * lanes.len());
        let scale = self.rect.height() / top_ms;
        for group in self.groups() {
            let index = self.longest(group.clone());
            let (left, right) = (self.x(group.start), self.x(group.end));
            // A gap tells bars apart where there is room for one.
            let right = if right - left >= 4.0 { right - 1.0 } else { right };
            let mut bottom = self.rect.bottom();
            let mut height = 0.0;
            for (lane, colour) in &lanes {
                height += lane.own_ms.or_zero(index) * scale;
                if height >= LEAST_HEIGHT {
                    let top = (bottom - height).max(self.rect.top());
                    let rect = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
                    mesh.add_colored_rect(rect, *colour);
                    (bottom, height) = (top, 0.0);
                }
            }
            if self.total_ms.or_zero(index) > top_ms {
                let top = self.rect.top();
                let cut = Rect::from_min_max(pos2(left, top), pos2(right, top + 2.0));
                mesh.add_colored_rect(cut, Color32::WHITE);
            }
        }
    }
}

/// Shows the frames; returns the one under the pointer.
pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    view: &mut View,
    side: Side,
    history: &History,
    data: &PanelData<'_>,
) -> Option<usize> {
    let response = ui.interact(rect, egui::Id::unique("frame history"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Frame history"));
    if rect.width() < 8.0 || rect.height() < 8.0 {
        return None;
    }
    let pixels_per_point = ui.pixels_per_point();
    let bars = |view: &View| {
        Bars::new(rect, pixels_per_point, history, side, view.shown(history), view.window)
    };

    keys(ui, &response, view, history);
    // Where frames take long, a button goes down and up between two runs.
    if (response.is_pointer_button_down_on() || response.clicked())
        && let Some(at) = response.interact_pointer_pos()
        && let Some(index) = bars(view).at(at.x)
    {
        response.request_focus();
        if view.anchor.is_some() || ui.input(|input| input.modifiers.shift) {
            view.mark(history, index);
        } else {
            view.select(history, index);
        }
    } else {
        view.anchor = None;
    }
    let hover = response.hover_pos().filter(|_| !response.dragged());
    if hover.is_some() {
        let notches = super::wheel(ui);
        let step = (view.window / 8).max(1) as f32;
        view.scroll_bars(history, (notches * step).round() as isize);
    }
    let bars = bars(view);
    let hovered = hover.and_then(|at| bars.at(at.x));

    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, theme::WELL);
    if let Some(why) = nothing_to_show(&bars, side, data) {
        let font = FontId::proportional(11.5);
        let room = (rect.width() - 12.0).max(10.0);
        let galley = painter.layout(why.to_owned(), font, theme::WEAK, room);
        painter.galley(rect.center() - 0.5 * galley.size(), galley, theme::WEAK);
        return hovered;
    }
    let (top_ms, period_ms) = scale(view.top_ms(side), view.period_ms);
    let mut mesh = Mesh::default();
    bars.paint(&mut mesh, side, top_ms);
    painter.add(Shape::mesh(mesh));
    if view.range.is_some() {
        let marked = view.examined(history);
        let from = marked.start.max(bars.shown.start);
        let to = marked.end.min(bars.shown.end);
        if from < to {
            let marked = Rect::from_x_y_ranges(bars.x(from)..=bars.x(to), rect.y_range());
            painter.rect_filled(marked, 0.0, Color32::from_white_alpha(28));
        }
    }
    for (index, alpha) in
        [(hovered, 50), (view.selected_index(history).filter(|_| hovered.is_none()), 90)]
    {
        if let Some(bar) = index.and_then(|index| bars.bar(index)) {
            let bar = bar.expand2(vec2((3.0 - bar.width()).max(0.0) * 0.5, 0.0));
            painter.rect_filled(bar, 0.0, Color32::from_white_alpha(alpha));
        }
    }
    if let Some(index) = view.selected_index(history)
        && let Some(bar) = bars.bar(index)
    {
        painter.vline(bar.center().x, rect.y_range(), Stroke::new(1.0, Color32::WHITE));
    }
    labels(&painter, rect, top_ms, period_ms, view.period_ms);
    if response.has_focus() {
        let stroke = Stroke::new(1.0, theme::ACCENT);
        painter.rect_stroke(rect, 3.0, stroke, egui::StrokeKind::Inside);
    }
    if let Some(index) = hovered {
        response.on_hover_ui_at_pointer(|ui| tooltip(ui, history, side, index));
    }
    hovered
}

/// Bars of the newest frames, without interaction.
pub(in crate::app::ui) fn sketch(ui: &mut Ui, history: &History, side: Side, height: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, theme::WELL);
    let frames = View::WINDOWS[1];
    let shown = history.last(frames);
    if rect.width() < 8.0 || shown.is_empty() {
        return;
    }
    let top_ms = top_of(history, side, shown.clone(), &mut Vec::new());
    let bars = Bars::new(rect, ui.pixels_per_point(), history, side, shown, frames);
    let mut mesh = Mesh::default();
    bars.paint(&mut mesh, side, top_ms);
    painter.add(Shape::mesh(mesh));
    labels(&painter, rect, top_ms, None, None);
}

/// The top of the scale, and the position of the display's period: a period far above the bars would leave
/// nothing of them.
fn scale(top_ms: f32, period_ms: Option<f32>) -> (f32, Option<f32>) {
    match period_ms {
        Some(period) if period <= top_ms => (top_ms, period_ms),
        Some(period) if period <= 3.0 * top_ms => (nice_ceiling(1.05 * period), period_ms),
        _ => (top_ms, None),
    }
}

fn keys(ui: &Ui, response: &egui::Response, view: &mut View, history: &History) {
    if response.clicked_elsewhere() && response.has_focus() {
        response.surrender_focus();
    }
    if !response.has_focus() {
        return;
    }
    let filter = egui::EventFilter { horizontal_arrows: true, ..Default::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |key| ui.input(|input| input.num_presses(key)) as isize;
    let stride = if ui.input(|input| input.modifiers.shift) { 10 } else { 1 };
    let steps = pressed(egui::Key::ArrowRight) - pressed(egui::Key::ArrowLeft);
    if steps != 0 {
        view.step(history, steps * stride);
    }
    for (key, far) in [(egui::Key::Home, isize::MIN), (egui::Key::End, isize::MAX)] {
        if pressed(key) > 0 {
            view.step(history, far);
        }
    }
}

/// Why there are no bars, if there are none.
fn nothing_to_show(bars: &Bars<'_>, side: Side, data: &PanelData<'_>) -> Option<&'static str> {
    if side == Side::Gpu && !data.has_gpu_timers {
        return Some(STRINGS.no_gpu_times);
    }
    if bars.shown.is_empty() {
        return Some("No frame has been timed yet.");
    }
    if bars.total_ms.present(bars.shown.clone()).next().is_some() {
        return None;
    }
    let lost = bars.history.lost_gpu_frames(bars.shown.clone()) > 0;
    Some(match side {
        Side::Cpu => "No scope was timed in these frames.",
        Side::Gpu if lost => "The GPU times of these frames were lost.",
        Side::Gpu => "No pass was timed in these frames.",
    })
}

fn labels(
    painter: &egui::Painter,
    rect: Rect,
    top_ms: f32,
    shown_period_ms: Option<f32>,
    period_ms: Option<f32>,
) {
    let font = FontId::proportional(9.5);
    let text = |at: Pos2, anchor: Align2, text: String, colour: Color32| {
        let galley = painter.layout_no_wrap(text, font.clone(), colour);
        let rect = anchor.anchor_size(at, galley.size());
        painter.rect_filled(rect.expand2(vec2(2.0, 0.0)), 2.0, Color32::from_black_alpha(200));
        painter.galley(rect.min, galley, colour);
    };
    let grid = Stroke::new(1.0, Color32::from_white_alpha(22));
    painter.hline(rect.x_range(), rect.center().y, grid);
    let left = rect.left() + 4.0;
    text(
        pos2(left, rect.top() + 1.0),
        Align2::LEFT_TOP,
        milliseconds(Side::Cpu, top_ms),
        theme::TEXT,
    );
    if rect.height() >= 40.0 {
        let half = milliseconds(Side::Cpu, 0.5 * top_ms);
        text(pos2(left, rect.center().y), Align2::LEFT_CENTER, half, theme::TEXT);
    }
    let right = rect.right() - 4.0;
    match (shown_period_ms, period_ms) {
        (Some(period), _) => {
            let y = rect.bottom() - rect.height() * period / top_ms;
            painter.hline(rect.x_range(), y, Stroke::new(1.0, theme::NOTICE));
            let name = format!("refresh {period:.1} ms (estimated)");
            let (anchor, y) = if y - rect.top() > 14.0 {
                (Align2::RIGHT_BOTTOM, y - 1.0)
            } else {
                (Align2::RIGHT_TOP, y + 1.0)
            };
            text(pos2(right, y), anchor, name, theme::NOTICE);
        }
        (None, Some(period)) => {
            let name = format!("refresh {period:.1} ms (estimated): above the plot");
            text(pos2(right, rect.top() + 1.0), Align2::RIGHT_TOP, name, theme::NOTICE);
        }
        (None, None) => {}
    }
}

/// With as many digits as are legible.
pub(super) fn milliseconds(side: Side, ms: f32) -> String {
    format!("{} ms", super::figure(side, ms))
}

fn tooltip(ui: &mut Ui, history: &History, side: Side, index: usize) {
    let Some(frame) = history.frames().get(index) else { return };
    ui.strong(format!("Frame {}", frame.frame));
    egui::Grid::new("frame").num_columns(2).spacing([14.0, 1.0]).show(ui, |ui| {
        let mut row = |name: &str, colour: Color32, value: String| {
            ui.colored_label(colour, name);
            ui.monospace(value);
            ui.end_row();
        };
        let known =
            |side, ms: Option<f32>| ms.map_or("unknown".to_owned(), |ms| milliseconds(side, ms));
        row("interval", theme::TEXT, known(Side::Cpu, history.interval_ms.get(index)));
        row("CPU", theme::TEXT, known(Side::Cpu, history.cpu_ms.get(index)));
        let gpu = match &frame.gpu {
            GpuTimes::Untimed => "not timed".to_owned(),
            GpuTimes::Lost => "lost".to_owned(),
            GpuTimes::Timed { .. } => known(Side::Gpu, history.gpu_ms.get(index)),
        };
        row("GPU", theme::TEXT, gpu);
        let mut lanes: Vec<(&Lane, f32)> = history
            .stacked(side)
            .filter_map(|lane| Some((lane, lane.own_ms.get(index)?)))
            .collect();
        lanes.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        for (lane, own_ms) in lanes.into_iter().take(LISTED) {
            row(&lane.name, theme::lane(lane.colour), milliseconds(side, own_ms));
        }
    });
    ui.label(egui::RichText::new("own times, without nested passes").small().color(theme::WEAK));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round_and_keep_the_bars_visible() {
        assert_eq!([0.0, 0.9, 1.1, 16.0, 31.0].map(nice_ceiling), [0.01, 1.0, 1.5, 20.0, 50.0]);
        assert_eq!(scale(20.0, Some(16.7)), (20.0, Some(16.7)));
        assert_eq!(scale(10.0, Some(16.7)), (20.0, Some(16.7)));
        assert_eq!(scale(1.0, Some(16.7)), (1.0, None));
        assert_eq!(scale(f32::MIN_POSITIVE, None), (f32::MIN_POSITIVE, None));
    }
}
