//! The FFT: algorithm and size, switched while the sea runs.

use egui::{RichText, Ui};

use super::{Facts, note, theme};
use crate::app::fft_choice::{FftChoice, SIZES};
use crate::app::session::Session;
use crate::choice::Choice;
use crate::fft;
use crate::gpu::Capabilities;

/// Algorithm and size.
pub(super) fn show(ui: &mut Ui, session: &mut Session, facts: &Facts<'_>) {
    ui.horizontal(|ui| {
        egui::ComboBox::from_id_salt("algorithm")
            .width(160.0)
            .selected_text(session.algorithm.name())
            .show_ui(ui, |ui| {
                for algorithm in fft::Algorithm::ALL {
                    let offered = FftChoice { algorithm: *algorithm, ..session.fft() };
                    let reason = dispatches(ui, offered, facts.capabilities).err();
                    if choice(ui, algorithm.name(), *algorithm == session.algorithm, reason) {
                        session.algorithm = *algorithm;
                    }
                }
            });
        let mut size = session.quality.size;
        egui::ComboBox::from_id_salt("size").width(60.0).selected_text(size.to_string()).show_ui(
            ui,
            |ui| {
                for offered in SIZES {
                    let reason = FftChoice { size: offered, ..session.fft() };
                    let reason = dispatches(ui, reason, facts.capabilities).err();
                    if choice(ui, &offered.to_string(), offered == size, reason) {
                        size = offered;
                    }
                }
            },
        );
        session.set_fft_size(size);
    });
    let chosen = session.fft();
    if let Ok(dispatches) = dispatches(ui, chosen, facts.capabilities) {
        let (images, n) = (chosen.images(), chosen.size);
        note(ui, format!("{images} complex images of {n} x {n} in {dispatches} dispatches"));
    }
    if let Some(elapsed) = facts.compiling_for.filter(|_| facts.has_frame) {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label(
                RichText::new(format!("compiling, {:.1} s", elapsed.as_secs_f32()))
                    .small()
                    .color(theme::ACCENT),
            );
        });
    }
}

fn choice(ui: &mut Ui, name: &str, selected: bool, refusal: Option<String>) -> bool {
    let label = ui.add_enabled(refusal.is_none(), egui::Button::selectable(selected, name));
    match refusal {
        Some(reason) => {
            label.on_disabled_hover_text(reason);
            false
        }
        None => label.clicked(),
    }
}

/// [`FftChoice::dispatches`], asked once for each choice.
fn dispatches(ui: &Ui, choice: FftChoice, capabilities: &Capabilities) -> Result<usize, String> {
    let id = egui::Id::unique(("fft dispatches", choice));
    let known: Option<Result<usize, String>> = ui.data(|data| data.get_temp(id));
    known.unwrap_or_else(|| {
        let answer = choice.dispatches(capabilities);
        ui.data_mut(|data| data.insert_temp(id, answer.clone()));
        answer
    })
}
