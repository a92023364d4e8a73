//! The costs in short; the dock's timeline has the details.

use egui::{RichText, Ui};

use super::{CONTENT_WIDTH, Command, PanelData, dock, note, theme, timeline};
use crate::app::history::{Column, Side, Summary};
use crate::app::input::Action;
use crate::app::platform::STRINGS;
use crate::app::session::Session;

/// Frames that a figure is averaged over, to keep it legible.
const SMOOTH: usize = 20;
const RECENT: usize = 240;

pub(super) fn show(
    ui: &mut Ui,
    session: &mut Session,
    data: &PanelData<'_>,
    commands: &mut Vec<Command>,
) {
    let history = data.history;
    let smooth = |column: &Column| column.mean(history.last(SMOOTH));
    let frame_ms = smooth(&history.interval_ms).unwrap_or(0.0);
    let fps = if frame_ms > 0.0 { 1_000.0 / frame_ms } else { 0.0 };
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("{fps:.0} fps")).heading().color(theme::ACCENT));
        ui.label(format!("{frame_ms:.1} ms"));
        if let Some(cpu_ms) = smooth(&history.cpu_ms) {
            ui.label(RichText::new(format!("CPU {cpu_ms:.2} ms")).color(theme::WEAK))
                .on_hover_text(
                    "Processor time of a frame, without waiting for the display or the GPU.",
                );
        }
    });
    let recent = Summary::of(&history.interval_ms, history.last(RECENT), &mut Vec::new());
    if let Some(Summary { median, p95, p99, .. }) = recent {
        note(ui, format!("median {median:.1}   95 % {p95:.1}   99 % {p99:.1} ms"));
    }
    ui.add_space(2.0);
    if data.has_gpu_timers {
        timeline::sketch(ui, history, Side::Gpu, 64.0);
        passes(ui, data);
        STRINGS.gpu_times.into_iter().for_each(|coarse| note(ui, coarse));
    } else {
        note(ui, STRINGS.no_gpu_times);
    }
    ui.horizontal(|ui| {
        for (tab, name, help, action) in dock::TABS {
            let open = session.dock == Some(tab);
            if ui.add(egui::Button::selectable(open, name)).on_hover_text(help).clicked() {
                commands.push(Command::Action(action));
            }
        }
    });
    ui.separator();
    capture(ui, session, data, commands);
    note(ui, data.adapter);
}

fn passes(ui: &mut Ui, data: &PanelData<'_>) {
    let history = data.history;
    egui::Grid::new("passes").num_columns(2).spacing([8.0, 1.0]).show(ui, |ui| {
        let time = |ui: &mut Ui, ms: f32, colour| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let digits = if ms < 10.0 && STRINGS.gpu_times.is_none() { 3 } else { 1 };
                ui.label(RichText::new(format!("{ms:.digits$} ms")).monospace().color(colour));
            });
        };
        for lane in history.stacked(Side::Gpu) {
            // The timeline has lanes without recent times.
            let Some(ms) = lane.total_ms.mean(history.last(SMOOTH)) else { continue };
            let shown = if lane.depth == 0 { theme::lane(lane.colour) } else { theme::WEAK };
            ui.horizontal(|ui| {
                ui.add_space(10.0 * lane.depth as f32);
                ui.label(RichText::new(&*lane.name).color(shown));
            });
            time(ui, ms, shown);
            ui.end_row();
        }
        if let Some(ms) = history.gpu_ms.mean(history.last(SMOOTH)) {
            ui.label(RichText::new("GPU").strong());
            time(ui, ms, egui::Color32::WHITE);
            ui.end_row();
        }
    });
}

fn capture(ui: &mut Ui, session: &mut Session, data: &PanelData<'_>, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| match data.capture {
        Some((done, wanted)) => {
            let share = done as f32 / wanted.max(1) as f32;
            ui.add(
                egui::ProgressBar::new(share)
                    .desired_width(CONTENT_WIDTH)
                    .text(format!("recording {done} of {wanted} frames")),
            );
        }
        None => {
            if ui.button("Record capture").on_hover_text(STRINGS.capture_hover).clicked() {
                commands.push(Command::Action(Action::RecordCapture));
            }
            ui.add(
                egui::DragValue::new(&mut session.capture_frames)
                    .range(1..=10_000)
                    .suffix(" frames"),
            )
            .on_hover_text("Number of frames to record");
        }
    });
    if let Some(address) = data.served_at {
        note(ui, format!("Live: puffin_viewer --url {address}"));
    }
}
