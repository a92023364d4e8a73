//! What everything costs.

use egui::{RichText, Ui, vec2};
use egui_plot::{GridMark, Line, Plot, PlotPoint, PlotPoints};

use super::{CONTENT_WIDTH, Command, Facts, note, theme};
use crate::app::history::{PassHistory, Series};
use crate::app::input::Action;
use crate::app::session::Session;

/// Frames over which a figure is averaged, so that it can be read.
const SMOOTH: usize = 20;

/// Frame rate, CPU and GPU times, captures.
pub(super) fn show(
    ui: &mut Ui,
    session: &mut Session,
    facts: &Facts<'_>,
    commands: &mut Vec<Command>,
) {
    let frame_ms = facts.frame_ms.mean_of_last(SMOOTH);
    let fps = if frame_ms > 0.0 { 1_000.0 / frame_ms } else { 0.0 };
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("{fps:.0} fps")).heading().color(theme::ACCENT));
        ui.label(format!("{frame_ms:.1} ms"));
        ui.label(
            RichText::new(format!("CPU {:.2} ms", facts.cpu_ms.mean_of_last(SMOOTH)))
                .color(theme::WEAK),
        )
        .on_hover_text("The processor's part of a frame, without waiting for display or GPU.");
    });
    let [median, late, latest] = facts.frame_ms.percentiles([0.5, 0.95, 0.99]);
    note(ui, format!("median {median:.1}   95 % {late:.1}   99 % {latest:.1} ms"));
    ui.add_space(2.0);
    if facts.has_gpu_timers {
        plot(ui, facts);
        passes(ui, facts);
    } else {
        note(ui, "This adapter has no timestamps: GPU times are unknown.");
    }
    ui.separator();
    capture(ui, session, facts, commands);
    note(ui, facts.adapter);
}

fn points(series: &Series) -> PlotPoints<'static> {
    let points = series.iter().enumerate();
    PlotPoints::Owned(
        points.map(|(index, value)| PlotPoint::new(index as f64, f64::from(value))).collect(),
    )
}

/// The next of 1, 2, 5, 10, .. that is not below `value`.
fn nice_ceiling(value: f64) -> f64 {
    let value = value.clamp(0.1, 1e6);
    let decade = 10.0_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * decade);
    steps.into_iter().find(|step| *step >= value).unwrap_or(value)
}

fn plot(ui: &mut Ui, facts: &Facts<'_>) {
    let [top] = facts.gpu.total_ms.percentiles([0.98]);
    let top = nice_ceiling(f64::from(top.max(facts.frame_ms.percentiles([0.9])[0])));
    Plot::new("gpu times")
        .height(92.0)
        .width(CONTENT_WIDTH)
        .default_x_bounds(0.0, Series::LEN as f64)
        .default_y_bounds(0.0, top)
        .show_axes([false, true])
        .y_grid_spacer(move |_| {
            let mark = |value| GridMark { value, step_size: 0.5 * top };
            vec![mark(0.0), mark(0.5 * top), mark(top)]
        })
        .y_axis_min_width(26.0)
        .show_grid([false, true])
        .show_x(false)
        .show_crosshair(false)
        .set_margin_fraction(vec2(0.0, 0.0))
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_background(false)
        .show(ui, |plot| {
            plot.set_plot_bounds_x(0.0..=Series::LEN as f64);
            // Room for half a label at the top.
            plot.set_plot_bounds_y(0.0..=1.08 * top);
            plot.line(
                Line::new("frame (ms)", points(facts.frame_ms))
                    .color(egui::Color32::from_white_alpha(60))
                    .width(1.0),
            );
            for pass in facts.gpu.passes.iter().filter(|pass| pass.depth == 0) {
                plot.line(
                    Line::new(format!("{} (ms)", pass.label), points(&pass.times_ms))
                        .color(colour(pass))
                        .width(1.2),
                );
            }
        });
}

fn colour(pass: &PassHistory) -> egui::Color32 {
    theme::SERIES[pass.colour % theme::SERIES.len()]
}

fn passes(ui: &mut Ui, facts: &Facts<'_>) {
    egui::Grid::new("passes").num_columns(2).spacing([8.0, 1.0]).show(ui, |ui| {
        let time = |ui: &mut Ui, series: &Series, colour| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let mean = series.mean_of_last(SMOOTH);
                let digits = if mean < 10.0 { 3 } else { 1 };
                ui.label(RichText::new(format!("{mean:.digits$} ms")).monospace().color(colour));
            });
        };
        for pass in &facts.gpu.passes {
            let shown = if pass.depth == 0 { colour(pass) } else { theme::WEAK };
            ui.horizontal(|ui| {
                ui.add_space(10.0 * pass.depth as f32);
                ui.label(RichText::new(&*pass.label).color(shown));
            });
            time(ui, &pass.times_ms, shown);
            ui.end_row();
        }
        ui.label(RichText::new("GPU").strong());
        time(ui, &facts.gpu.total_ms, egui::Color32::WHITE);
        ui.end_row();
    });
}

fn capture(ui: &mut Ui, session: &mut Session, facts: &Facts<'_>, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| match facts.capture {
        Some((done, wanted)) => {
            let share = done as f32 / wanted.max(1) as f32;
            ui.add(
                egui::ProgressBar::new(share)
                    .desired_width(CONTENT_WIDTH)
                    .text(format!("recording {done} of {wanted} frames")),
            );
        }
        None => {
            let help = "Records CPU scopes and GPU passes of the next frames into a folder: for Perfetto, for puffin_viewer, as a table and in short (F9).";
            if ui.button("Record capture").on_hover_text(help).clicked() {
                commands.push(Command::Action(Action::RecordCapture));
            }
            ui.add(
                egui::DragValue::new(&mut session.capture_frames)
                    .range(1..=10_000)
                    .suffix(" frames"),
            );
        }
    });
    if let Some(address) = facts.served_at {
        note(ui, format!("Live: puffin_viewer --url {address}"));
    }
}
