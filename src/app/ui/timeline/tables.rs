//! Tables: the times of lanes, the pacing of frames, the memory of stages.

use egui::{Align, Align2, Color32, FontId, Layout, Rect, RichText, Sense, Ui, pos2, vec2};

use super::super::{PanelData, note, theme};
use super::figures::{Column, Row, Sort};
use super::view::View;
use crate::app::history::{History, Pacing, Side};
use crate::app::platform::STRINGS;

const ROW: f32 = 14.0;
const FIGURE: f32 = 36.0;
const SIDE: f32 = 24.0;

/// The table of times. It `scrolls` by itself, or lies in an area that scrolls as a whole.
pub(super) fn times(
    ui: &mut Ui,
    view: &mut View,
    history: &History,
    data: &PanelData<'_>,
    scrolls: bool,
) {
    header(ui, view);
    let notes = notes(history, view, data);
    let below = if notes.is_some() { 28.0 } else { 0.0 };
    let height = (ui.available_height() - below).max(ROW);
    let spacing = std::mem::replace(&mut ui.spacing_mut().item_spacing.y, 0.0);
    if scrolls {
        egui::ScrollArea::vertical()
            .id_salt("times")
            .max_height(height)
            .auto_shrink([false, notes.is_some()])
            .show_rows(ui, ROW, view.rows.len(), |ui, shown| {
                view.rows[shown].iter().for_each(|row| line(ui, row));
            });
    } else {
        view.rows.iter().for_each(|row| line(ui, row));
    }
    ui.spacing_mut().item_spacing.y = spacing;
    if let Some(text) = notes {
        note(ui, text);
    }
}

/// Names the missing parts of the table, with the reason.
fn notes(history: &History, view: &View, data: &PanelData<'_>) -> Option<&'static str> {
    if !data.has_gpu_timers {
        Some(STRINGS.no_gpu_times)
    } else if data.has_dropped_stages {
        Some("Some stages are left out: their times do not add up to the time of their pass.")
    } else if history.lost_gpu_frames(view.examined(history)) > 0 {
        Some("The GPU times of some of these frames were lost.")
    } else {
        None
    }
}

/// The cells of a line: name, side, four figures.
fn cells(rect: Rect) -> [Rect; 6] {
    let cell = |from: f32, to: f32| {
        Rect::from_min_max(pos2(from, rect.top()), pos2(to.max(from + 1.0), rect.bottom()))
    };
    let figures = rect.right() - 6.0 - 4.0 * FIGURE;
    let side = figures - SIDE;
    let figure = |index: usize| {
        let left = figures + index as f32 * FIGURE;
        cell(left, left + FIGURE)
    };
    [cell(rect.left(), side), cell(side, figures), figure(0), figure(1), figure(2), figure(3)]
}

fn header(ui: &mut Ui, view: &mut View) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 15.0), Sense::hover());
    let columns = [
        (Column::Name, "pass (ms)", "Name of the scope or pass"),
        (Column::Side, "side", "Where it runs"),
        (Column::Median, "median", "Half of the frames took at most this long"),
        (Column::P95, "95 %", "95 of 100 frames took at most this long"),
        (Column::P99, "99 %", "99 of 100 frames took at most this long"),
        (Column::Worst, "worst", "The longest time"),
    ];
    for (cell, (column, title, help)) in cells(rect).into_iter().zip(columns) {
        let chosen = view.sort.by == Some(column);
        let colour = if chosen { theme::ACCENT } else { theme::WEAK };
        let is_figure = !matches!(column, Column::Name | Column::Side);
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(cell).layout(if is_figure {
            Layout::right_to_left(Align::Center)
        } else {
            Layout::left_to_right(Align::Center)
        }));
        child.spacing_mut().button_padding = vec2(0.0, 0.0);
        let title = RichText::new(title).small().color(colour);
        let button = child.add(egui::Button::new(title).frame(false));
        if chosen {
            let under = button.rect;
            let y = if view.sort.turned { under.top() } else { under.bottom() };
            ui.painter().hline(under.x_range(), y, egui::Stroke::new(1.0, theme::ACCENT));
        }
        if button.on_hover_text(format!("{help}. Click to sort.")).clicked() {
            view.sort = match view.sort {
                Sort { by, turned: false } if by == Some(column) => {
                    Sort { by: Some(column), turned: true }
                }
                Sort { by, turned: true } if by == Some(column) => Sort { by: None, turned: false },
                _ => Sort { by: Some(column), turned: false },
            };
        }
    }
}

fn line(ui: &mut Ui, row: &Row) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &row.name));
    if !ui.is_rect_visible(rect) {
        return;
    }
    let painter = ui.painter();
    if response.hovered() {
        painter.rect_filled(rect, 2.0, Color32::from_white_alpha(14));
    }
    let [name, side, figures @ ..] = cells(rect);
    let mut left = name.left() + 5.0 * row.depth.min(8) as f32;
    if let Some(colour) = row.colour {
        let dot = Rect::from_center_size(pos2(left + 3.0, rect.center().y), vec2(6.0, 6.0));
        painter.rect_filled(dot, 1.0, colour);
        left += 10.0;
    }
    let ink = if row.colour.is_some() { theme::TEXT } else { Color32::WHITE };
    let room = (name.right() - left - 2.0).max(1.0);
    let galley = egui::WidgetText::from(RichText::new(row.name.as_str()).size(10.5).color(ink))
        .into_galley(ui, Some(egui::TextWrapMode::Truncate), room, FontId::proportional(10.5));
    painter.galley(pos2(left, rect.center().y - 0.5 * galley.size().y), galley, ink);
    let text = |at: Rect, align: Align2, text: &str, font: FontId, colour: Color32| {
        painter.text(align.pos_in_rect(&at), align, text, font, colour);
    };
    let side_name = match row.side {
        Some(Side::Cpu) => "CPU",
        Some(Side::Gpu) => "GPU",
        None => "",
    };
    text(side, Align2::LEFT_CENTER, side_name, FontId::proportional(9.5), theme::WEAK);
    for (index, (cell, figure)) in figures.into_iter().zip(&row.figures).enumerate() {
        let colour = if index == 0 { Color32::WHITE } else { theme::TEXT };
        text(cell, Align2::RIGHT_CENTER, figure, FontId::monospace(10.0), colour);
    }
}

fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).strong().small().color(theme::ACCENT));
}

pub(super) fn pacing(ui: &mut Ui, view: &View) {
    heading(ui, "Frame pacing");
    let text = match view.pacing {
        Pacing::NoVsync => "Without vsync there is no refresh to meet.".to_owned(),
        Pacing::Capped => "A frame cap sets the pace of the frames, not the display.".to_owned(),
        Pacing::TooFew => "Too few frames to tell.".to_owned(),
        Pacing::Irregular => "The frames follow no regular refresh.".to_owned(),
        Pacing::Periodic(periodic) => {
            let hertz = 1e3 / periodic.period_ms;
            let refreshes = match periodic.missed {
                0 => "no refresh missed".to_owned(),
                1 => "1 refresh missed".to_owned(),
                missed => format!("{missed} refreshes missed"),
            };
            format!(
                "{refreshes} in {} frames, at {hertz:.1} Hz (both estimated from the intervals)",
                periodic.frames
            )
        }
    };
    let weak = !matches!(view.pacing, Pacing::Periodic(_));
    let colour = if weak { theme::WEAK } else { theme::TEXT };
    ui.add(egui::Label::new(RichText::new(text).small().color(colour)).wrap());
}

pub(super) fn memory(ui: &mut Ui, data: &PanelData<'_>) {
    heading(ui, "GPU memory");
    let Some(memory) = &data.memory else {
        return note(ui, "Nothing is drawn yet.");
    };
    let line = |ui: &mut Ui, cells: [&str; 3], colour: Color32| {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 13.0), Sense::hover());
        let [left, right] = [rect.left(), rect.right() - 6.0];
        let column = ((right - left - 56.0) / 2.0).clamp(20.0, 76.0);
        let name_at = pos2(left, rect.center().y);
        let painter = ui.painter();
        let (words, figures) = (FontId::proportional(10.5), FontId::monospace(10.0));
        painter.text(name_at, Align2::LEFT_CENTER, cells[0], words, colour);
        for (index, text) in cells[1..].iter().enumerate() {
            let at = pos2(left + 56.0 + (index + 1) as f32 * column, rect.center().y);
            painter.text(at, Align2::RIGHT_CENTER, text, figures.clone(), colour);
        }
    };
    let spacing = std::mem::replace(&mut ui.spacing_mut().item_spacing.y, 0.0);
    line(ui, ["", "buffers", "textures"], theme::WEAK);
    for &(stage, memory) in memory.stages() {
        let [buffers, textures] = [memory.buffer_bytes, memory.texture_bytes].map(bytes);
        line(ui, [stage, &buffers, &textures], theme::TEXT);
    }
    let total = memory.total();
    let [buffers, textures] = [total.buffer_bytes, total.texture_bytes].map(bytes);
    line(ui, ["all", &buffers, &textures], Color32::WHITE);
    ui.spacing_mut().item_spacing.y = spacing;
    if let Some(allocated) = data.allocated {
        let [used, reserved] = [allocated.used_bytes, allocated.reserved_bytes].map(bytes);
        note(ui, format!("wgpu's allocator: {used} in use, {reserved} reserved, panels included"));
    }
}

/// In the unit that leaves up to four digits.
fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes == 0 {
        return "-".to_owned();
    }
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = usize::from(value < 10.0) + usize::from(value < 100.0);
    format!("{value:.digits$} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_keep_a_readable_unit() {
        let found = [0, 12, 1_024, 65_568, 1_048_576, 1_023_000_000, 1 << 40].map(bytes);
        assert_eq!(found, ["-", "12 B", "1.00 KiB", "64.0 KiB", "1.00 MiB", "976 MiB", "1.00 TiB"]);
    }
}
