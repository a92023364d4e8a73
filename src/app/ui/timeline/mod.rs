//! The live profiler: the last frames as stacked bars, one of them as a flame view, and their statistics.

mod figures;
mod flame;
mod stacked;
mod tables;
mod view;

use egui::{Align, Layout, Rect, RichText, Ui, UiBuilder, pos2};

pub(super) use self::stacked::sketch;
use self::view::View;
use super::{PanelData, theme};
use crate::app::history::{History, Side};
use crate::app::platform::STRINGS;
use crate::app::session::Session;

/// With less width, tables go below the pictures.
const TWO_COLUMNS: f32 = 560.0;
/// With this width, memory has its own column.
const THREE_COLUMNS: f32 = 980.0;
const TABLE_WIDTH: f32 = 316.0;
const MEMORY_WIDTH: f32 = 226.0;
const GAP: f32 = 10.0;

pub(super) fn show(ui: &mut Ui, session: &Session, data: &PanelData<'_>) {
    let id = egui::Id::unique("timeline");
    // RunInfo out while it is in use: a copy of it would be one of its tables.
    let view: Option<View> = ui.data_mut(|data| data.remove_temp(id));
    let mut view = view.unwrap_or_default();
    contents(ui, &mut view, session, data);
    ui.data_mut(|data| data.insert_temp(id, view));
}

fn contents(ui: &mut Ui, view: &mut View, session: &Session, data: &PanelData<'_>) {
    let side = view.side(data.has_gpu_timers);
    super::rows::buttons(ui, |ui| toolbar(ui, view, side, data));
    let frozen = view.frozen().cloned();
    let history = frozen.as_deref().unwrap_or(data.history);
    let area = ui.available_rect_before_wrap();
    if area.width() < 40.0 || area.height() < 20.0 {
        return;
    }
    let column = |from: f32, to: f32| {
        Rect::from_min_max(pos2(from, area.top()), pos2(to.max(from + 1.0), area.bottom()))
    };
    let (left, right) = (area.left(), area.right());
    if area.width() >= THREE_COLUMNS {
        let memory = right - MEMORY_WIDTH;
        let table = memory - GAP - TABLE_WIDTH;
        pictures(ui, column(left, table - GAP), view, side, history, session, data);
        within(ui, column(table, memory - GAP), |ui| tables::times(ui, view, history, data, true));
        within(ui, column(memory, right), |ui| {
            scrolled(ui, "memory", |ui| {
                tables::pacing(ui, view);
                tables::memory(ui, data);
            });
        });
    } else if area.width() >= TWO_COLUMNS {
        let table = right - TABLE_WIDTH;
        pictures(ui, column(left, table - GAP), view, side, history, session, data);
        within(ui, column(table, right), |ui| everything(ui, view, history, data));
    } else {
        let middle = area.top() + (0.6 * area.height()).max(area.height() - 150.0).min(240.0);
        let upper = Rect::from_min_max(area.min, pos2(right, middle));
        let lower = Rect::from_min_max(pos2(left, middle + 4.0), area.max);
        pictures(ui, upper, view, side, history, session, data);
        within(ui, lower, |ui| everything(ui, view, history, data));
    }
    ui.allocate_rect(area, egui::Sense::hover());
}

/// Statistics, pacing and memory below each other.
fn everything(ui: &mut Ui, view: &mut View, history: &History, data: &PanelData<'_>) {
    scrolled(ui, "everything", |ui| {
        tables::times(ui, view, history, data, false);
        ui.add_space(4.0);
        tables::pacing(ui, view);
        ui.add_space(4.0);
        tables::memory(ui, data);
    });
}

fn scrolled(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    egui::ScrollArea::vertical().id_salt(name).auto_shrink([false, false]).show(ui, add);
}

/// Shows `add` within `rect` whatever its size.
pub(super) fn within(ui: &mut Ui, rect: Rect, add: impl FnOnce(&mut Ui)) {
    // Not a part of the layout, which what does not fit would widen.
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::top_down(Align::Min)));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    add(&mut child);
}

/// History above, the frame below.
fn pictures(
    ui: &mut Ui,
    rect: Rect,
    view: &mut View,
    side: Side,
    history: &History,
    session: &Session,
    data: &PanelData<'_>,
) {
    view.refresh(ui.input(|input| input.time), history, side, session);
    let share = if rect.height() < 130.0 { 0.42 } else { 0.36 };
    let middle = rect.top() + share * rect.height();
    let upper = Rect::from_min_max(rect.min, pos2(rect.right(), middle));
    let lower = Rect::from_min_max(pos2(rect.left(), middle + 4.0), rect.max);
    let hovered = stacked::show(ui, upper, view, side, history, data);
    let frame = view.frame_in_sight(history, hovered);
    flame::show(ui, lower, view, history, frame, data);
}

/// Notches of the wheel since the last run, away from the user. Not smoothed, since panels do not run in
/// every frame.
fn wheel(ui: &Ui) -> f32 {
    const POINTS_PER_NOTCH: f32 = 50.0;
    ui.input(|input| {
        let notches = input.events.iter().map(|event| match event {
            egui::Event::MouseWheel { unit: egui::MouseWheelUnit::Point, delta, .. } => {
                (delta.x + delta.y) / POINTS_PER_NOTCH
            }
            egui::Event::MouseWheel { delta, .. } => delta.x + delta.y,
            _ => 0.0,
        });
        notches.filter(|notches| notches.is_finite()).sum::<f32>().clamp(-50.0, 50.0)
    })
}

/// Whether the clock of that side has a resolution of tenths of milliseconds at best.
fn is_coarse(side: Side) -> bool {
    side == Side::Gpu && STRINGS.gpu_times.is_some()
}

/// Milliseconds with as many digits as are legible, and as the clock of that side has.
fn figure(side: Side, ms: f32) -> String {
    let is_coarse = is_coarse(side);
    let digits = match ms.abs() {
        ms if is_coarse && ms < 100.0 => 1,
        ms if ms < 1.0 => 3,
        ms if ms < 10.0 => 2,
        ms if ms < 100.0 => 1,
        _ => 0,
    };
    format!("{ms:.digits$}")
}

fn toolbar(ui: &mut Ui, view: &mut View, side: Side, data: &PanelData<'_>) {
    let roomy = ui.available_width() >= 420.0;
    let paused = view.frozen().is_some();
    let name = if paused { "Resume" } else { "Pause" };
    let help = "Freezes the view; frames are still recorded. Click or drag over the bars, or \
                press Left and Right there, to choose a frame. Shift-drag marks a range.";
    let button = ui.selectable_label(paused, name).on_hover_text(help);
    if button.clicked() {
        if paused { view.resume() } else { view.pause(data.history) }
    }
    ui.separator();
    for (each, name) in [(Side::Cpu, "CPU"), (Side::Gpu, "GPU")] {
        if ui.selectable_label(each == side, name).clicked() {
            view.set_side(each);
        }
    }
    ui.separator();
    for frames in View::WINDOWS {
        let label = ui.selectable_label(view.window == frames, frames.to_string());
        if label.on_hover_text(format!("The last {frames} frames")).clicked() {
            view.set_window(frames);
        }
    }
    if roomy {
        ui.label(RichText::new("frames").color(theme::WEAK));
    }
    if let Some(range) = view.range {
        let marked = range.last - range.first + 1;
        if ui.button(format!("{marked} marked ×")).on_hover_text("Clear the mark").clicked() {
            view.range = None;
        }
    }
    if roomy {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(view.headline()).color(theme::WEAK));
        });
    }
}

#[cfg(test)]
mod tests;
