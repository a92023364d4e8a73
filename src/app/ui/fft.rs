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
                    let reason = refusal(*algorithm, size, session, facts.capabilities);
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
                    let reason = refusal(session.algorithm, offered, session, facts.capabilities);
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
    let descriptor = descriptor(session.algorithm, session.quality.size, session);
    if let Ok(program) = fft::program(&descriptor, facts.capabilities) {
        note(
            ui,
            format!(
                "{} complex images of {n} x {n} in {} dispatches",
                descriptor.batch,
                program.dispatches.len(),
                n = session.quality.size
            ),
        );
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

/// Why the adapter cannot run this, if it cannot.
fn refusal(
    algorithm: fft::Algorithm,
    size: u32,
    session: &Session,
    capabilities: &Capabilities,
) -> Option<String> {
    if size > capabilities.max_texture_dimension_2d {
        return Some(format!(
            "the maps need textures of {size} texels a side; this adapter has up to {}",
            capabilities.max_texture_dimension_2d
        ));
    }
    fft::program(&descriptor(algorithm, size, session), capabilities)
        .err()
        .map(|reason| reason.to_string())
}

/// The ocean's transform.
fn descriptor(algorithm: fft::Algorithm, size: u32, session: &Session) -> fft::Descriptor {
    fft::Descriptor {
        size: [size, size],
        batch: 4 * session.quality.cascades,
        direction: fft::Direction::Inverse,
        layout: fft::Layout::Pair,
        algorithm,
        ..fft::Descriptor::default()
    }
}
