//! The FFT: algorithm and size, switched while the sea runs.

use egui::{RichText, Ui};

use super::{Facts, note, theme};
use crate::app::session::{Session, TierChoice};
use crate::choice::Choice;
use crate::fft;
use crate::gpu::Capabilities;

/// Sizes that the panel offers, as far as the adapter goes.
const SIZES: [u32; 9] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

/// Algorithm and size.
pub(super) fn show(ui: &mut Ui, session: &mut Session, facts: &Facts<'_>) {
    ui.horizontal(|ui| {
        egui::ComboBox::from_id_salt("algorithm")
            .width(160.0)
            .selected_text(session.algorithm.name())
            .show_ui(ui, |ui| {
                for algorithm in fft::Algorithm::ALL {
                    let size = session.quality.size;
                    let reason =
                        dispatches(ui, *algorithm, size, session, facts.capabilities).err();
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
                    let reason =
                        dispatches(ui, session.algorithm, offered, session, facts.capabilities)
                            .err();
                    if choice(ui, &offered.to_string(), offered == size, reason) {
                        size = offered;
                    }
                }
            },
        );
        if size != session.quality.size {
            session.quality.size = size;
            session.tier = TierChoice::Custom;
        }
    });
    let n = session.quality.size;
    if let Ok(dispatches) = dispatches(ui, session.algorithm, n, session, facts.capabilities) {
        let images = images(session);
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

/// Dispatches of the ocean's transform, or why the adapter cannot run it. Asked once for each
/// choice: planning writes kernels, which is too much for every frame.
fn dispatches(
    ui: &Ui,
    algorithm: fft::Algorithm,
    size: u32,
    session: &Session,
    capabilities: &Capabilities,
) -> Result<usize, String> {
    let most = capabilities.max_texture_dimension_2d;
    if size > most {
        return Err(format!(
            "the maps need textures of {size} texels a side; this adapter has up to {most}"
        ));
    }
    let batch = images(session);
    let id = egui::Id::unique(("fft dispatches", algorithm, size, batch));
    let known: Option<Result<usize, String>> = ui.data(|data| data.get_temp(id));
    known.unwrap_or_else(|| {
        let descriptor = fft::Descriptor {
            size: [size, size],
            batch,
            direction: fft::Direction::Inverse,
            layout: fft::Layout::Pair,
            algorithm,
            ..fft::Descriptor::default()
        };
        let answer = fft::program(&descriptor, capabilities)
            .map(|program| program.dispatches.len())
            .map_err(|reason| reason.to_string());
        ui.data_mut(|data| data.insert_temp(id, answer.clone()));
        answer
    })
}

/// Complex images of the ocean's transform.
fn images(session: &Session) -> u32 {
    4 * session.quality.cascades
}
