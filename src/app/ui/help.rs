//! The keys.

use egui::{Align2, RichText};

use super::{Facts, theme};
use crate::app::input;
use crate::app::session::Session;

/// A card in the middle with every key.
pub(super) fn show(context: &egui::Context, session: &mut Session, facts: &Facts<'_>) {
    let mut open = true;
    egui::Window::new(RichText::new("Keys").strong())
        .id(egui::Id::unique("help"))
        .open(&mut open)
        .anchor(Align2::CENTER_CENTER, egui::Vec2::ZERO)
        .order(egui::Order::Foreground)
        .frame(theme::card().fill(egui::Color32::from_rgba_unmultiplied(10, 16, 22, 240)))
        .collapsible(false)
        .resizable(false)
        .fade_in(false)
        .max_height(context.content_rect().height() - 40.0)
        .vscroll(true)
        .show(context, |ui| {
            egui::Grid::new("keys").num_columns(2).spacing([18.0, 4.0]).show(ui, |ui| {
                for (keys, what) in input::HELP {
                    ui.label(RichText::new(*keys).color(theme::ACCENT));
                    ui.label(*what);
                    ui.end_row();
                }
            });
            ui.separator();
            ui.label(RichText::new(facts.adapter).small().color(theme::WEAK));
            ui.label(
                RichText::new(
                    "Double click a setting for its default; point at it for what it means.",
                )
                .small()
                .color(theme::WEAK),
            );
        });
    session.show_help &= open;
}
