//! The sea state and the presets.

use egui::{RichText, Ui};

use super::{Command, Facts, note, rows, theme};
use crate::app::session::Session;
use crate::app::time::Clock;
use crate::settings::{Preset, SeaState, SpectrumModel, SpreadingModel};

/// The scenes that ship.
pub(super) fn presets(
    ui: &mut Ui,
    session: &mut Session,
    facts: &Facts<'_>,
    commands: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        egui::ComboBox::from_id_salt("preset").width(150.0).selected_text(&session.preset).show_ui(
            ui,
            |ui| {
                for (name, text) in Preset::SHIPPED {
                    let chosen = ui.selectable_label(session.preset == name, name);
                    if let Ok(preset) = Preset::parse(name, text) {
                        let chosen = chosen.on_hover_text(&preset.description);
                        if chosen.clicked() {
                            commands.push(Command::LoadPreset(name));
                        }
                    }
                }
            },
        );
        ui.label(
            RichText::new(format!("Hs {:.2} m", facts.summary.significant_wave_height_m))
                .color(theme::ACCENT),
        )
        .on_hover_text(
            "Significant wave height: the mean height of the highest third of the waves, as the \
             spectrum predicts it.",
        );
        if facts.computing_sea {
            ui.spinner();
        }
    });
    note(ui, session.scene.description.clone());
}

/// The sea state, as its table has it.
pub(super) fn show(ui: &mut Ui, session: &mut Session, facts: &Facts<'_>) {
    let sea = &mut session.scene.sea;
    rows::rows(ui, sea, &["wind_speed_mps", "wind_direction_deg"]);
    if sea.spectrum != SpectrumModel::PiersonMoskowitz {
        rows::rows(ui, sea, &["fetch_m"]);
    }
    rows::rows(ui, sea, &["depth_m", "choppiness", "foam_threshold"]);
    let summary = facts.summary;
    note(
        ui,
        format!(
            "Tp {:.1} s, {:.0} m long; Tz {:.1} s",
            summary.peak_period_s, summary.peak_wavelength_m, summary.mean_zero_crossing_period_s
        ),
    );
    if let Some(warning) = &summary.fully_developed_warning {
        ui.label(RichText::new("Longer fetch than this wind needs").small().color(theme::NOTICE))
            .on_hover_text(sentence(warning));
    }
    egui::CollapsingHeader::new("Spectrum and time").show_unindented(ui, |ui| {
        spectrum(ui, sea);
        ui.horizontal(|ui| {
            ui.checkbox(&mut session.clock.paused, "Paused").on_hover_text("Space");
            if ui.button("Step").on_hover_text("One thirtieth of a second (.)").clicked() {
                session.clock.step();
            }
            ui.label(RichText::new(format!("{:.1} s", session.clock.time_s)).color(theme::WEAK));
        });
        ui.horizontal(|ui| {
            ui.label("Speed of time");
            ui.add(
                egui::Slider::new(&mut session.clock.rate, Clock::RATES)
                    .logarithmic(true)
                    .max_decimals(2)
                    .suffix(" x"),
            );
        });
    });
}

fn spectrum(ui: &mut Ui, sea: &mut SeaState) {
    rows::rows(ui, sea, &["spectrum"]);
    if sea.spectrum != SpectrumModel::PiersonMoskowitz {
        rows::rows(ui, sea, &["peak_enhancement"]);
    }
    rows::rows(ui, sea, &["peak_period_s", "significant_wave_height_m", "spreading"]);
    if sea.spreading == SpreadingModel::Cos2s {
        rows::rows(ui, sea, &["spreading_exponent"]);
    }
    rows::rows(ui, sea, &["capillary", "loop_period_s", "seed"]);
}

fn sentence(text: &impl std::fmt::Display) -> String {
    let text = text.to_string();
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), characters.as_str()),
        None => text,
    }
}
