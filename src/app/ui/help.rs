use egui::{Align2, RichText, vec2};

use super::{MARGIN, PanelData, note, theme};
use crate::app::input;
use crate::app::session::Session;

/// Widths of the columns of keys and of their effects, in points.
const COLUMNS: [f32; 2] = [84.0, 290.0];

/// Shows a card in the middle with every key.
pub(super) fn show(context: &egui::Context, session: &mut Session, data: &PanelData<'_>) {
    let screen = context.content_rect().shrink(MARGIN);
    let frame = theme::message();
    let inside = screen.size() - frame.total_margin().sum();
    if inside.x < 20.0 || inside.y < 20.0 {
        return;
    }
    let width = inside.x.min(COLUMNS.iter().sum::<f32>() + 26.0);
    egui::Area::new(egui::Id::unique("help"))
        .anchor(Align2::CENTER_CENTER, egui::Vec2::ZERO)
        .order(egui::Order::Foreground)
        .fade_in(false)
        .show(context, |ui| {
            ui.set_max_size(screen.size());
            frame.show(ui, |ui| {
                ui.set_width(width);
                ui.horizontal(|ui| {
                    ui.label(RichText::new("Keys").heading().color(egui::Color32::WHITE));
                    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                        if ui.button("Close (F1)").clicked() {
                            session.show_help = false;
                        }
                    });
                });
                let height = (inside.y - 30.0).max(10.0);
                egui::ScrollArea::vertical()
                    .max_height(height)
                    .auto_shrink([false, true])
                    .show(ui, |ui| contents(ui, data));
            });
        });
}

fn contents(ui: &mut egui::Ui, data: &PanelData<'_>) {
    ui.spacing_mut().item_spacing.y = 4.0;
    for (title, lines) in input::HELP {
        ui.add_space(2.0);
        ui.label(RichText::new(*title).small().color(theme::WEAK));
        for (keys, what) in *lines {
            ui.horizontal_top(|ui| {
                let column = |ui: &mut egui::Ui, width: f32, text: RichText| {
                    let layout = egui::Layout::top_down(egui::Align::Min);
                    ui.allocate_ui_with_layout(vec2(width, 0.0), layout, |ui| {
                        ui.set_width(width);
                        ui.add(egui::Label::new(text).wrap());
                    });
                };
                let keys_width = COLUMNS[0].min(0.35 * ui.available_width());
                column(ui, keys_width, RichText::new(*keys).color(theme::ACCENT));
                let rest = (ui.available_width() - 8.0).max(10.0);
                column(ui, rest, RichText::new(*what));
            });
        }
    }
    ui.separator();
    note(ui, data.adapter);
    note(ui, "Double-click a setting to reset it; point at it to see what it means.");
}
