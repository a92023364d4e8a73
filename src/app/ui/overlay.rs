//! What floats over the picture: progress, messages, the hint that there are keys.

use egui::{Align2, Color32, Context, RichText, vec2};

use super::{Facts, MARGIN, theme};
use crate::app::session::Session;

/// For how long the hint stays.
const HINT_S: f64 = 15.0;

/// That there is help.
pub(super) fn hint(context: &Context, facts: &Facts<'_>) {
    if facts.age_s > HINT_S || !facts.toasts.is_empty() {
        return;
    }
    area("hint", Align2::CENTER_BOTTOM, vec2(0.0, -MARGIN)).show(context, |ui| {
        theme::card().show(ui, |ui| {
            ui.label(
                RichText::new("F1 keys    Tab panels    W A S D and right mouse: fly")
                    .small()
                    .color(theme::WEAK),
            );
        });
    });
}

/// What the window is waiting for, `below` what else is at the top; gives the height that it takes
/// there.
pub(super) fn progress(context: &Context, session: &Session, facts: &Facts<'_>, below: f32) -> f32 {
    if facts.has_frame {
        return match (facts.building, facts.compiling) {
            (Some(building), _) => {
                let text = format!("{} {}: {building}", session.algorithm, session.quality.size);
                pill(context, &text, true, below)
            }
            (None, Some(compiling)) => pill(context, &format!("Shaders: {compiling}"), true, below),
            (None, None) if session.clock.paused => {
                pill(context, "Paused (Space goes on)", false, below)
            }
            (None, None) => 0.0,
        };
    }
    let Some(building) = facts.building else { return 0.0 };
    area("start", Align2::CENTER_CENTER, vec2(0.0, 0.0)).show(context, |ui| {
        ui.vertical_centered(|ui| {
            ui.label(RichText::new("Seaway").size(34.0).color(Color32::WHITE));
            ui.add_space(6.0);
            ui.add(egui::Spinner::new().size(22.0).color(theme::ACCENT));
            ui.add_space(6.0);
            ui.label(
                RichText::new(sentence(&building.to_string())).size(15.0).color(theme::ACCENT),
            );
            ui.label(RichText::new(facts.adapter).small().color(theme::WEAK));
            ui.label(
                RichText::new("The driver keeps them: the next start is quicker.")
                    .small()
                    .color(theme::WEAK),
            );
        });
    });
    0.0
}

/// What was done and what failed, `above` so much at the bottom.
pub(super) fn toasts(context: &Context, facts: &Facts<'_>, above: f32) {
    if facts.toasts.is_empty() && facts.gpu_errors.is_empty() {
        return;
    }
    area("toasts", Align2::CENTER_BOTTOM, vec2(0.0, -MARGIN - above)).show(context, |ui| {
        let width = (context.content_rect().width() - 4.0 * MARGIN).clamp(60.0, 460.0);
        ui.set_max_width(width);
        ui.vertical_centered(|ui| {
            for toast in facts.toasts {
                let colour = if toast.is_error { theme::ERROR } else { Color32::WHITE };
                line(ui, &toast.text, colour);
            }
            for error in facts.gpu_errors.iter().take(3) {
                let text = summary(&error.text);
                line(ui, &format!("GPU error ({}x): {text}", error.count), theme::ERROR);
            }
        });
    });
}

fn line(ui: &mut egui::Ui, text: &str, colour: Color32) {
    theme::card().show(ui, |ui| {
        let mode =
            if text.len() < 60 { egui::TextWrapMode::Extend } else { egui::TextWrapMode::Wrap };
        ui.add(egui::Label::new(RichText::new(text).color(colour)).wrap_mode(mode));
    });
}

/// The part of wgpu's many lines that fits on a screen; the log has the rest.
fn summary(text: &str) -> String {
    let text: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let text = text.join(" ");
    match text.char_indices().nth(220) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// With a capital to begin with.
fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).collect()
}

fn pill(context: &Context, text: &str, busy: bool, below: f32) -> f32 {
    let shown = area("pill", Align2::CENTER_TOP, vec2(0.0, MARGIN + below)).show(context, |ui| {
        theme::card().show(ui, |ui| {
            ui.horizontal(|ui| {
                if busy {
                    ui.spinner();
                }
                ui.label(RichText::new(text).color(theme::ACCENT));
            });
        });
    });
    shown.response.rect.height() + MARGIN
}

fn area(name: &str, anchor: Align2, offset: egui::Vec2) -> egui::Area {
    egui::Area::new(egui::Id::unique(("overlay", name)))
        .anchor(anchor, offset)
        .order(egui::Order::Foreground)
        .fade_in(false)
        .interactable(false)
}
