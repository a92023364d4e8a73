//! The FFT's section: algorithm and size, switched while the sea runs.

use egui::{RichText, Ui};

use super::{PanelData, entry, list, note, theme};
use crate::app::background::Chosen;
use crate::app::fft_choice::{FftChoice, Planned, SIZES};
use crate::app::platform::STRINGS;
use crate::app::session::Session;
use crate::fft::lab::AlgorithmChoice;
use crate::gpu::Capabilities;
use crate::ocean::OceanPath;

pub(super) fn show(ui: &mut Ui, session: &mut Session, data: &PanelData<'_>) {
    ui.horizontal(|ui| {
        list(ui, "FFT algorithm", 160.0, session.algorithm.name(), |ui| {
            for algorithm in AlgorithmChoice::of_powers_of_two() {
                let offered = FftChoice { algorithm, ..session.fft() };
                let reason = planned(ui, offered, data.capabilities).err();
                if entry(ui, algorithm.name(), algorithm == session.algorithm, reason) {
                    session.algorithm = algorithm;
                }
            }
        });
        let mut size = session.quality.size;
        list(ui, "FFT size", 60.0, size.to_string(), |ui| {
            for offered in SIZES {
                let reason = FftChoice { size: offered, ..session.fft() };
                let reason = planned(ui, reason, data.capabilities).err();
                if entry(ui, &offered.to_string(), offered == size, reason) {
                    size = offered;
                }
            }
        });
        session.set_fft_size(size);
    });
    let mut fused = session.path == OceanPath::Fused;
    ui.checkbox(&mut fused, "fused with spectrum and maps").on_hover_text(
        "The first pass of the transform evolves the waves as it loads them, and the last pass \
         writes the maps. If this is off, spectrum, transform and maps are separate passes \
         through memory: the same sea, but slower.",
    );
    session.path = if fused { OceanPath::Fused } else { OceanPath::Plain };
    let chosen = session.fft();
    if let Ok(planned) = planned(ui, chosen, data.capabilities) {
        let (images, n) = (chosen.images(), chosen.size);
        let how = match planned {
            Some((algorithm, dispatches)) => format!(" in {dispatches} dispatches of {algorithm}"),
            None => String::new(),
        };
        note(ui, format!("{images} complex images of {n} x {n}{how}"));
    }
    if session.algorithm == AlgorithmChoice::Auto
        && let Some(Chosen { measured, .. }) = data.chosen
    {
        let (text, hover) = match measured {
            Ok(tuned) => {
                let given = tuned.configuration.given();
                let lines: Vec<_> =
                    given.iter().map(|(name, value)| format!("{name} {value}")).collect();
                let gain = (1.0 - tuned.ratio_to_default) * 100.0;
                let text = format!(
                    "{}: {}, {gain:.0} % less than the best known, of {} measured",
                    tuned.configuration.algorithm(),
                    microseconds(tuned.median_us),
                    tuned.candidates
                );
                (text, lines.join("\n"))
            }
            Err(error) => ("the best known: nothing could be measured".into(), error.clone()),
        };
        let hover = if hover.trim().is_empty() { "default parameters" } else { hover.trim() };
        ui.add(egui::Label::new(RichText::new(text).small().color(theme::WEAK)).wrap())
            .on_hover_text(hover);
    }
    if let Some(building) = data.building.filter(|_| data.has_frame) {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label(RichText::new(building.to_string()).small().color(theme::ACCENT));
        });
    }
    STRINGS.laboratory.into_iter().for_each(|laboratory| note(ui, laboratory));
}

fn microseconds(us: f64) -> String {
    if us < 1000.0 { format!("{us:.1} us") } else { format!("{:.2} ms", us / 1000.0) }
}

/// [`FftChoice::planned`], asked once for each choice.
fn planned(ui: &Ui, choice: FftChoice, capabilities: &Capabilities) -> Result<Planned, String> {
    let id = egui::Id::unique(("fft planned", choice));
    let known: Option<Result<Planned, String>> = ui.data(|data| data.get_temp(id));
    known.unwrap_or_else(|| {
        let answer = choice.planned(capabilities);
        ui.data_mut(|data| data.insert_temp(id, answer.clone()));
        answer
    })
}
