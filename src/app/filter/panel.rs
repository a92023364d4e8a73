use std::path::Path;

use egui::{Align2, RichText, Slider, SliderClamping, Ui, vec2};

use super::Controls;
use crate::app::messages::{GpuError, Toast};
use crate::app::ui::{self, overlay, rows, theme};
use crate::choice::Choice as _;
use crate::fft::Unsupported;
use crate::fft::lab::{self, AlgorithmChoice};
use crate::filter::{Channels, FilterDescriptor, ImageFilter};
use crate::gpu::Capabilities;

/// Read-only data that the panel shows.
pub struct FilterPanelData<'a> {
    pub adapter: &'a str,
    pub capabilities: &'a Capabilities,
    /// The file of the current or next picture.
    pub path: &'a Path,
    /// The filtered picture, once it is there.
    pub shown: Option<Shown<'a>>,
    pub loading: bool,
    pub hovered: bool,
    /// Time between frames, in milliseconds.
    pub frame_ms: f64,
    /// GPU time of the filter alone, in milliseconds.
    pub filter_ms: Option<f64>,
    pub toasts: &'a [Toast],
    pub gpu_errors: &'a [GpuError],
}

#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub descriptor: &'a FilterDescriptor,
    pub dispatches: usize,
}

/// Pixels that the panel takes from the left edge, at one pixel a point.
pub fn width() -> f32 {
    ui::CARD_OUTER_WIDTH + ui::MARGIN
}

/// Shows the panel, and returns whether the filtered picture is to be saved.
pub fn show(ui: &mut Ui, controls: &mut Controls, data: &FilterPanelData<'_>) -> bool {
    let mut saves = false;
    let context = ui.ctx().clone();
    let height = (context.content_rect().height() - 2.0 * ui::MARGIN).max(40.0);
    ui::card(&context, "Band-pass filter", Align2::LEFT_TOP, height, |ui| {
        picture(ui, data);
        ui.add_space(6.0);
        if let Some(shown) = &data.shown {
            band(ui, controls, highest(shown.descriptor.size));
        }
        ui.add_space(6.0);
        algorithm(ui, controls, data);
        ui.add_space(6.0);
        saves = save(ui, controls, data);
        times(ui, data);
    });
    messages(&context, data);
    saves
}

fn picture(ui: &mut Ui, data: &FilterPanelData<'_>) {
    let name = data.path.file_name().unwrap_or_default().to_string_lossy();
    ui.label(RichText::new(name).color(theme::ACCENT));
    if let Some(Shown { descriptor, .. }) = data.shown {
        let [width, height] = descriptor.size;
        let channels = match descriptor.channels {
            Channels::Grey => "grey",
            Channels::Colour => "colour",
        };
        ui::note(ui, format!("{width} x {height}, {channels}"));
    }
    if data.loading {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label(RichText::new("loading").small().color(theme::ACCENT));
        });
    }
    ui::note(ui, "Drop another picture on the window to filter it.");
}

/// Sliders up to `most` cycles.
fn band(ui: &mut Ui, controls: &mut Controls, most: f64) {
    ui.label("Frequencies that pass, in cycles per image");
    let mut high = controls.high.min(most);
    let slider = |value: &mut f64, what: &str, hover: &str, ui: &mut Ui| {
        ui.horizontal(|ui| {
            rows::labelling(ui, 52.0, egui::Label::new(what).selectable(false));
            ui.spacing_mut().slider_width = 130.0;
            let slider = Slider::new(value, 0.0..=most)
                .logarithmic(true)
                .smallest_positive(1.0)
                // Values from the command line are not rounded to the shown digits.
                .clamping(SliderClamping::Edits)
                .max_decimals(1);
            let response = ui.add(slider).on_hover_text(hover);
            // Where it is, for those who drag it from outside.
            log::trace!("filter: {what} at {:?}", response.rect.left_center());
            ui::called(response.clone(), what);
            response.changed()
        })
        .inner
    };
    if slider(
        &mut controls.low,
        "low",
        "The lowest frequency that passes. 0 includes the mean.",
        ui,
    ) {
        high = high.max(controls.low);
        controls.high = controls.high.max(controls.low);
    }
    if slider(
        &mut high,
        "high",
        "The highest frequency that passes. At the right end there is no limit.",
        ui,
    ) {
        controls.high = if high >= most { f64::INFINITY } else { high };
        controls.low = controls.low.min(high);
    }
    slider(
        &mut controls.falloff,
        "falloff",
        "Cycles over which the gain falls to 0 beyond either end of the band, along half a cosine \
         wave. 0 is a sharp edge, which rings.",
        ui,
    );
    ui.horizontal(|ui| {
        let presets = [
            ("All", 0.0, f64::INFINITY, 0.0, "The unfiltered picture"),
            ("Soft", 0.0, most / 32.0, most / 32.0, "Low frequencies: a blurred picture"),
            ("Band", most / 32.0, most / 8.0, most / 64.0, "A range of scales"),
            ("Edges", most / 8.0, f64::INFINITY, most / 16.0, "High frequencies: edges and detail"),
        ];
        for (name, low, high, falloff, hover) in presets {
            if ui.button(name).on_hover_text(hover).clicked() {
                (controls.low, controls.high, controls.falloff) =
                    (low.round(), high.round(), falloff.round());
            }
        }
    });
    let mut grey = controls.offset != 0.0;
    let hover = "Adds 0.5 to every value: without its mean, a picture has as many values below 0 \
                 as above.";
    if ui.checkbox(&mut grey, "around middle grey").on_hover_text(hover).changed() {
        controls.offset = if grey { 0.5 } else { 0.0 };
    }
}

/// The highest frequency: that of the corner of the spectrum of a picture of `size`.
fn highest(size: [u32; 2]) -> f64 {
    let [x, y] = size.map(|side| f64::from(side / 2));
    x.hypot(y).ceil().max(1.0)
}

fn algorithm(ui: &mut Ui, controls: &mut Controls, data: &FilterPanelData<'_>) {
    ui::list(ui, "FFT algorithm", 170.0, controls.algorithm.name(), |ui| {
        for choice in AlgorithmChoice::all().filter(|choice| *choice != AlgorithmChoice::Auto) {
            let refused = data.shown.and_then(|shown| refusal(ui, choice, &shown, data));
            if ui::entry(ui, choice.name(), choice == controls.algorithm, refused) {
                controls.algorithm = choice;
            }
        }
    });
    if let Some(Shown { descriptor, dispatches }) = data.shown {
        let images = ImageFilter::task(descriptor).batch;
        let images = if images == 1 { "one complex image" } else { "a pair of complex images" };
        ui::note(ui, format!("{images}, {dispatches} dispatches"));
    }
}

/// The reason why `choice` cannot run the current picture, computed once for each.
fn refusal(
    ui: &Ui,
    choice: AlgorithmChoice,
    shown: &Shown<'_>,
    data: &FilterPanelData<'_>,
) -> Option<String> {
    let algorithm = choice.named()?;
    let FilterDescriptor { size, channels, .. } = *shown.descriptor;
    let id = egui::Id::unique(("filter refusal", algorithm.name(), size, channels));
    let known: Option<Option<String>> = ui.data(|data| data.get_temp(id));
    known.unwrap_or_else(|| {
        let task = ImageFilter::task(&FilterDescriptor {
            algorithm: Some(algorithm.into()),
            ..shown.descriptor.clone()
        });
        let program = lab::program(&task, data.capabilities);
        let answer = program.err().map(|error: Unsupported| error.to_string());
        ui.data_mut(|data| data.insert_temp(id, answer.clone()));
        answer
    })
}

fn save(ui: &mut Ui, controls: &mut Controls, data: &FilterPanelData<'_>) -> bool {
    let row = ui.horizontal(|ui| {
        let hover = "Writes the filtered picture: .png, .jpg or .exr (S)";
        let button = ui.add_enabled(data.shown.is_some(), egui::Button::new("Save"));
        let edit = egui::TextEdit::singleline(&mut controls.output).desired_width(f32::INFINITY);
        ui::called(ui.add(edit), "Save to");
        button.on_hover_text(hover).clicked()
    });
    row.inner
}

fn times(ui: &mut Ui, data: &FilterPanelData<'_>) {
    let text = match data.filter_ms {
        Some(ms) => format!("{ms:.3} ms to filter, {:.1} ms per frame", data.frame_ms),
        // A software adapter filters what has changed, and its timestamps are not believed.
        None => format!("{:.1} ms per frame", data.frame_ms),
    };
    ui.label(text);
    ui::note(ui, data.adapter);
}

/// Results and errors at the bottom, and a hint while a file is held over the window.
fn messages(context: &egui::Context, data: &FilterPanelData<'_>) {
    let room = context.content_rect().shrink(ui::MARGIN);
    let lines = overlay::notices(data.toasts, data.gpu_errors);
    overlay::stack(context, "messages", room, Align2::RIGHT_BOTTOM, lines);
    if data.hovered {
        egui::Area::new(egui::Id::unique("filter drop"))
            .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
            .order(egui::Order::Foreground)
            .show(context, |ui| {
                theme::message().show(ui, |ui| {
                    ui.label(RichText::new("Drop the picture to filter it").heading());
                });
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_frequency_is_in_the_corner() {
        assert_eq!(highest([8, 6]), 5.0);
        assert_eq!(highest([1, 1]), 1.0);
    }

    #[test]
    fn the_panel_leaves_what_it_shows_alone() {
        let context = egui::Context::default();
        theme::apply(&context);
        let capabilities = Capabilities::webgpu_defaults();
        let descriptor =
            FilterDescriptor { size: [1920, 1080], channels: Channels::Colour, algorithm: None };
        for (low, high) in [(0.0, f64::INFINITY), (12.5678, 300.25), (1101.0, f64::INFINITY)] {
            let mut controls = Controls {
                low,
                high,
                falloff: 3.0,
                offset: 0.0,
                algorithm: AlgorithmChoice::Best,
                output: "out.png".into(),
            };
            let before = controls.clone();
            for _ in 0..3 {
                let output = context.run_ui(egui::RawInput::default(), |ui| {
                    let data = FilterPanelData {
                        adapter: "an adapter",
                        capabilities: &capabilities,
                        path: Path::new("photo.jpg"),
                        shown: Some(Shown { descriptor: &descriptor, dispatches: 4 }),
                        loading: true,
                        hovered: true,
                        frame_ms: 16.7,
                        filter_ms: Some(0.12),
                        toasts: &[],
                        gpu_errors: &[],
                    };
                    assert!(!show(ui, &mut controls, &data));
                });
                output.drop_without_applying_deltas();
            }
            assert_eq!(controls, before);
        }
    }
}
