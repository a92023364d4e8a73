//! The keys.

use egui::{Align2, RichText, vec2};

use super::{Facts, note, theme};
use crate::app::input;
use crate::app::session::Session;

/// A card in the middle with every key.
pub(super) fn show(context: &egui::Context, session: &mut Session, facts: &Facts<'_>) {
    egui::Area::new(egui::Id::unique("help"))
        .anchor(Align2::CENTER_CENTER, egui::Vec2::ZERO)
        .order(egui::Order::Foreground)
        .fade_in(false)
        .show(context, |ui| {
            ui.set_max_size(vec2(340.0, (context.content_rect().height() - 16.0).max(40.0)));
            let solid = egui::Color32::from_rgb(12, 19, 26);
            theme::card().fill(solid).show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.label(RichText::new("Keys").heading().color(egui::Color32::WHITE));
                    if ui.button("Close (F1)").clicked() {
                        session.show_help = false;
                    }
                });
                let height = (ui.available_height() - 4.0).max(20.0);
                egui::ScrollArea::vertical().max_height(height).show(ui, |ui| contents(ui, facts));
            });
        });
}

fn contents(ui: &mut egui::Ui, facts: &Facts<'_>) {
    egui::Grid::new("keys").num_columns(2).spacing([18.0, 4.0]).show(ui, |ui| {
        for (keys, what) in input::HELP {
            ui.label(RichText::new(*keys).color(theme::ACCENT));
            ui.label(*what);
            ui.end_row();
        }
    });
    ui.separator();
    note(ui, facts.adapter);
    note(ui, "Double click a setting for its default; point at it for what it means.");
}
