//! The sea state.

use egui::{RichText, Ui};

use super::{Facts, note, overlay, rows, theme};
use crate::app::session::Session;
use crate::app::time::Clock;
use crate::settings::{SeaState, SpectrumModel, SpreadingModel, beaufort, knots};

/// The sea state, as its table has it.
pub(super) fn show(ui: &mut Ui, session: &mut Session, facts: &Facts<'_>) {
    let sea = &mut session.scene.sea;
    rows::rows(ui, sea, &["wind_speed_mps"]);
    let (force, name) = beaufort(sea.wind_speed_mps);
    rows::under(ui, |ui| {
        note(ui, format!("{:.1} kn, Beaufort {force}, {name}", knots(sea.wind_speed_mps)));
    });
    rows::rows(ui, sea, &["wind_direction_deg"]);
    if !matches!(sea.spectrum, SpectrumModel::PiersonMoskowitz | SpectrumModel::Phillips) {
        rows::rows(ui, sea, &["fetch_m"]);
    }
    rows::rows(ui, sea, &["depth_m", "choppiness", "foam", "spray"]);
    if session.quality.spray_cells == 0 {
        rows::under(ui, |ui| {
            note(ui, "Spray is drawn only if Spray cells (under Quality) is above 0.")
        });
    }
    let summary = facts.summary;
    note(
        ui,
        format!(
            "Tp {:.1} s, {:.0} m long; Tz {:.1} s",
            summary.peak_period_s, summary.peak_wavelength_m, summary.mean_zero_crossing_period_s
        ),
    );
    if let Some(warning) = &summary.fully_developed_warning {
        ui.label(
            RichText::new("The fetch is longer than this wind needs").small().color(theme::NOTICE),
        )
        .on_hover_text(format!("{}.", overlay::sentence(&warning.to_string())));
    }
    if let Some(warning) = &summary.breaking_warning {
        ui.label(RichText::new("Waves this high would break").small().color(theme::NOTICE))
            .on_hover_text(format!("{}.", overlay::sentence(&warning.to_string())));
    }
    egui::CollapsingHeader::new("Swell").show_unindented(ui, |ui| swells(ui, sea));
    egui::CollapsingHeader::new("Spectrum and time").show_unindented(ui, |ui| {
        spectrum(ui, sea);
        ui.horizontal(|ui| {
            ui.checkbox(&mut session.clock.paused, "Paused").on_hover_text("Space");
            if ui.button("Step").on_hover_text("One thirtieth of a second (.)").clicked() {
                session.clock.step();
            }
            ui.label(RichText::new(format!("{:.1} s", session.clock.time_s)).color(theme::WEAK));
        });
        rows::labelled(ui, "Speed of time", |ui| {
            ui.add(
                egui::Slider::new(&mut session.clock.rate, Clock::RATES)
                    .logarithmic(true)
                    .max_decimals(2)
                    .suffix(" x"),
            )
        });
    });
}

fn swells(ui: &mut Ui, sea: &mut SeaState) {
    rows::rows(ui, sea, &["swell_height_m"]);
    if sea.swell_height_m > 0.0 {
        rows::rows(ui, sea, &["swell_period_s", "swell_direction_deg", "swell_spreading_exponent"]);
    }
    rows::rows(ui, sea, &["swell_2_height_m"]);
    if sea.swell_2_height_m > 0.0 {
        rows::rows(
            ui,
            sea,
            &["swell_2_period_s", "swell_2_direction_deg", "swell_2_spreading_exponent"],
        );
    }
}

fn spectrum(ui: &mut Ui, sea: &mut SeaState) {
    rows::rows(ui, sea, &["spectrum"]);
    if matches!(sea.spectrum, SpectrumModel::Jonswap | SpectrumModel::Tma) {
        rows::rows(ui, sea, &["peak_enhancement"]);
    }
    rows::rows(ui, sea, &["peak_period_s", "significant_wave_height_m"]);
    // Phillips' spectrum has its own.
    if sea.spectrum != SpectrumModel::Phillips {
        rows::rows(ui, sea, &["spreading"]);
        if sea.spreading == SpreadingModel::Cos2s {
            rows::rows(ui, sea, &["spreading_exponent"]);
        }
        if sea.spreading != SpreadingModel::Elfouhaily {
            rows::rows(ui, sea, &["swell_elongation"]);
        }
    }
    rows::rows(ui, sea, &["upwind_share", "short_waves", "capillary", "loop_period_s", "seed"]);
}
