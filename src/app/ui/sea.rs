use egui::{RichText, Ui};

use super::{Command, PanelData, note, overlay, rows, theme};
use crate::app::platform::{self, STRINGS};
use crate::app::session::Session;
use crate::app::time::{Clock, Voyage};
use crate::settings::{Preset, SeaState, Settings as _, beaufort, knots};
use crate::spectrum_file;

pub(super) fn show(
    ui: &mut Ui,
    session: &mut Session,
    data: &PanelData<'_>,
    commands: &mut Vec<Command>,
) {
    let sea = &mut session.scene.sea;
    rows::rows(ui, sea, &["wind_speed_mps"]);
    let (force, name) = beaufort(sea.wind_speed_mps);
    rows::under(ui, |ui| {
        note(ui, format!("{:.1} kn, Beaufort {force}, {name}", knots(sea.wind_speed_mps)));
    });
    rows::rows(ui, sea, &["wind_direction_deg", "fetch_m", "depth_m", "choppiness"]);
    for name in ["foam", "spray"] {
        rows::rows(ui, sea, &[name]);
        rows::hidden(ui, &session.quality, Preset::field(name));
    }
    let summary = data.summary;
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
    rows::section(ui, "Swell", |ui| {
        let swell = SeaState::FIELDS.iter().map(|field| field.name);
        let is_swell = |name: &&str| name.starts_with("swell_") && *name != "swell_elongation";
        rows::rows(ui, sea, &swell.filter(is_swell).collect::<Vec<_>>());
    });
    rows::section(ui, "Spectrum and time", |ui| {
        recorded(ui, sea, &mut session.voyage);
        open_files(ui, commands);
        rows::rows(
            ui,
            sea,
            &[
                "spectrum",
                "peak_enhancement",
                "peak_period_s",
                "significant_wave_height_m",
                "spreading",
                "spreading_exponent",
                "swell_elongation",
                "upwind_share",
                "short_waves",
                "capillary",
                "loop_period_s",
                "seed",
            ],
        );
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

/// The spectrum file, if the sea comes from one.
fn recorded(ui: &mut Ui, sea: &mut SeaState, voyage: &mut Voyage) {
    let Some(record) = sea.recorded.clone() else {
        let receives_files = platform::receives_files();
        note(ui, if receives_files { STRINGS.open_spectra } else { STRINGS.start_with_spectra });
        return;
    };
    let spectrum = record.at_hour(sea.record_hour);
    let summary = spectrum.summary();
    let station = if record.station().is_empty() { "Spectrum file" } else { record.station() };
    let time = spectrum.time_unix_s.map(|time| format!(", {}", spectrum_file::iso_time(time)));
    note(ui, format!("{station} ({}){}", record.source(), time.unwrap_or_default()));
    note(
        ui,
        format!(
            "Hs {:.2} m, Tp {:.1} s, towards {:.0} deg, spread {:.0} deg",
            summary.significant_wave_height_m,
            summary.peak_period_s,
            summary.direction_deg,
            summary.spread_deg
        ),
    );
    if record.last_hour() > 0.0 {
        hours(ui, sea, voyage, record.last_hour());
    }
    rows::rows(ui, sea, &["recorded_spreading"]);
    if ui.button("Remove the spectrum file").clicked() {
        sea.recorded = None;
        voyage.is_under_way = false;
    }
}

/// The hour of a record, by hand or as a voyage.
fn hours(ui: &mut Ui, sea: &mut SeaState, voyage: &mut Voyage, last_hour: f64) {
    let field = SeaState::field("record_hour").expect("a setting of the sea");
    let mut hour = sea.record_hour;
    let mut is_moved = false;
    rows::labelled(ui, field.label, |ui| {
        let slider = slider(&mut hour, 0.0..=last_hour).suffix(" h");
        let moved = ui.add(slider).on_hover_text(field.help);
        is_moved = moved.changed();
        moved
    });
    if is_moved {
        sea.use_hour(hour);
    }
    let mut is_under_way = voyage.is_under_way;
    let moving = ui
        .checkbox(&mut is_under_way, "Move through the hours")
        .on_hover_text("The waves and the wind change from hour to hour, without a jump.");
    if moving.changed() {
        voyage.set_under_way(sea, is_under_way);
    }
    rows::labelled(ui, "Hours a minute", |ui| {
        ui.add(slider(&mut voyage.hours_per_min, Voyage::SPEEDS).logarithmic(true))
    });
}

/// A slider that shows a decimal, and leaves values that it does not move as they are.
fn slider(value: &mut f64, range: std::ops::RangeInclusive<f64>) -> egui::Slider<'_> {
    egui::Slider::new(value, range).clamping(egui::SliderClamping::Edits).max_decimals(1)
}

/// The button that opens spectrum files, where there is a dialog for files.
fn open_files(ui: &mut Ui, commands: &mut Vec<Command>) {
    if platform::CAN_CHOOSE_FILES && ui.button("Open a spectrum file").clicked() {
        commands.push(Command::ChooseSpectrumFiles);
    }
}
