//! The debug view: the choice in the panel, and over the picture its name and legend.

use egui::{Align2, Color32, Context, RichText, Ui, vec2};

use super::number::number;
use super::{Command, MARGIN, PanelData, dock, has_profiler, list, note, rows, theme};
use crate::app::input::Action;
use crate::app::platform::{self, STRINGS};
use crate::app::session::Session;
use crate::choice::Choice as _;
use crate::debug_view::{Colours, DebugView, Legend, MapChannel, Scale};

/// Width and height of a legend's bar.
const BAR: egui::Vec2 = vec2(260.0, 9.0);
const BAR_STEPS: usize = 52;

pub(super) fn show(
    ui: &mut Ui,
    session: &mut Session,
    data: &PanelData<'_>,
    commands: &mut Vec<Command>,
) {
    tools(ui, session, commands);
    let choice = &mut session.debug;
    ui.horizontal(|ui| {
        ui.label("View");
        list(ui, "View", 150.0, choice.view.title(), |ui| {
            for &view in DebugView::ALL {
                ui.selectable_value(&mut choice.view, view, view.title())
                    .on_hover_text(view.help());
            }
        });
        ui.label(RichText::new("V").color(theme::WEAK))
            .on_hover_text("V: next view, Shift V: previous view");
    });
    if choice.view == DebugView::Map {
        ui.horizontal_wrapped(|ui| {
            for &channel in MapChannel::ALL {
                ui.selectable_value(&mut choice.channel, channel, channel.symbol());
            }
        });
    }
    if choice.view.has_cascades() {
        ui.horizontal(|ui| {
            ui.label("Cascade").on_hover_text("From the longest waves to the shortest.");
            for cascade in 0..session.quality.cascades {
                ui.selectable_value(&mut choice.cascade, cascade, cascade.to_string());
            }
        });
    }
    note(ui, choice.view.help());
    rows::rows(ui, &mut session.scene.scenery, &[]);
    if let Some(folder) = data.watched_shaders {
        note(ui, format!("Shaders are reloaded from {folder}"));
    }
}

/// Buttons for keys, for users without a keyboard.
fn tools(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let sea = if session.clock.paused { "Resume the sea" } else { "Pause the sea" };
    let mut tools = vec![
        (sea, "Pauses or resumes the sea (Space)", Action::Pause),
        ("Keys", "Lists what keys, mouse and fingers do (F1)", Action::Help),
        ("Screenshot", "Saves the next frame as a picture (F12)", Action::Screenshot),
    ];
    if platform::can_fill_screen() {
        let help = "Switches full screen on or off (F11)";
        tools.push(("Full screen", help, Action::FullScreen));
    }
    // Where the profiler's card has no room, nothing else opens the dock.
    if !has_profiler(ui.ctx().content_rect()) {
        tools.extend(dock::TABS.map(|(_, name, help, action)| (name, help, action)));
        tools.push(("Record capture", STRINGS.capture_hover, Action::RecordCapture));
    }
    ui.horizontal_wrapped(|ui| {
        for (name, help, action) in tools {
            if ui.button(name).on_hover_text(help).clicked() {
                commands.push(Command::Action(action));
            }
        }
    });
}

/// The legend of the current view, at the top; returns its height.
pub(super) fn legend(context: &Context, data: &PanelData<'_>) -> f32 {
    let Some(legend) = data.legend else { return 0.0 };
    let shown = egui::Area::new(egui::Id::unique("legend"))
        .anchor(Align2::CENTER_TOP, vec2(0.0, MARGIN))
        .order(egui::Order::Foreground)
        .fade_in(false)
        .interactable(false)
        .show(context, |ui| {
            theme::card().show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.set_max_width(BAR.x);
                contents(ui, legend);
            });
        });
    shown.response.rect.height() + MARGIN
}

fn contents(ui: &mut Ui, legend: &Legend) {
    let unit = if legend.unit.is_empty() { String::new() } else { format!(" ({})", legend.unit) };
    ui.horizontal(|ui| {
        ui.label(RichText::new(&legend.title).color(Color32::WHITE).strong());
        ui.label(RichText::new(unit.trim()).color(theme::WEAK));
    });
    match &legend.scale {
        Scale::Linear { low, high, colours } => {
            bar(ui, *colours);
            ends(ui, [*low, 0.5 * (low + high), *high]);
        }
        Scale::Logarithmic { low, high, colours } => {
            bar(ui, *colours);
            ends(ui, [*low, (low * high).sqrt(), *high]);
        }
        Scale::Classes(classes) => {
            egui::Grid::new("classes").num_columns(4).spacing([10.0, 2.0]).show(ui, |ui| {
                for (index, class) in classes.iter().enumerate() {
                    ui.horizontal(|ui| {
                        let (rect, _) =
                            ui.allocate_exact_size(vec2(9.0, 9.0), egui::Sense::hover());
                        ui.painter().rect_filled(rect, 2.0, colour(class.colour));
                        ui.label(RichText::new(&class.name).small());
                    });
                    if index % 4 == 3 {
                        ui.end_row();
                    }
                }
            });
        }
    }
    note(ui, &legend.note);
}

fn bar(ui: &mut Ui, colours: Colours) {
    let (rect, _) = ui.allocate_exact_size(BAR, egui::Sense::hover());
    let step = rect.width() / BAR_STEPS as f32;
    for index in 0..BAR_STEPS {
        let left = rect.left() + step * index as f32;
        let part = egui::Rect::from_min_size(egui::pos2(left, rect.top()), vec2(step + 0.5, BAR.y));
        let position = index as f64 / (BAR_STEPS - 1) as f64;
        ui.painter().rect_filled(part.intersect(rect), 0.0, colour(colours.at(position)));
    }
}

/// The values at both ends of a bar and in its middle.
fn ends(ui: &mut Ui, values: [f64; 3]) {
    let (rect, _) = ui.allocate_exact_size(vec2(BAR.x, 13.0), egui::Sense::hover());
    let font = egui::TextStyle::Small.resolve(ui.style());
    let places = [
        (rect.left_center(), Align2::LEFT_CENTER),
        (rect.center(), Align2::CENTER_CENTER),
        (rect.right_center(), Align2::RIGHT_CENTER),
    ];
    for (value, (place, anchor)) in values.into_iter().zip(places) {
        ui.painter().text(place, anchor, number(value), font.clone(), Color32::WHITE);
    }
}

fn colour(colour: [f64; 3]) -> Color32 {
    let [r, g, b] = colour.map(|channel| (255.0 * channel).round() as u8);
    Color32::from_rgb(r, g, b)
}

/// The error of the shaders, `below` other messages at the top, until it is fixed.
pub(super) fn shader_error(context: &Context, data: &PanelData<'_>, below: f32) {
    let Some(error) = data.shader_error else { return };
    let (said, source) = error.split_once('\n').unwrap_or((error, ""));
    egui::Area::new(egui::Id::unique("shader error"))
        .anchor(Align2::CENTER_TOP, vec2(0.0, MARGIN + below))
        .order(egui::Order::Foreground)
        .fade_in(false)
        .interactable(false)
        .show(context, |ui| {
            let width = (context.content_rect().width() - 4.0 * MARGIN).clamp(60.0, 460.0);
            ui.set_max_width(width);
            theme::card().fill(Color32::from_rgba_unmultiplied(40, 12, 12, 235)).show(ui, |ui| {
                ui.label(
                    RichText::new("The shaders do not compile; the last working ones stay in use")
                        .small()
                        .color(theme::WEAK),
                );
                ui.add(egui::Label::new(RichText::new(said).color(theme::ERROR)).wrap());
                if !source.is_empty() {
                    ui.add(
                        egui::Label::new(RichText::new(source).monospace().color(Color32::WHITE))
                            .wrap(),
                    );
                }
            });
        });
}
