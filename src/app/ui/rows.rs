//! Rows of widgets, one for each field of a settings table, and lines of buttons.

use egui::{Align, Layout, RichText, Sense, Slider, SliderClamping, Ui, vec2};

use super::theme;
use crate::settings::{Field, Kind, Preset, Quality, Settings, Value};

const LABEL_WIDTH: f32 = 100.0;

/// Shows a row for every field in `wanted` (all, if it is empty) that has an effect beside the other values.
/// Returns whether a value changed.
pub(super) fn rows<S: Settings>(ui: &mut Ui, settings: &mut S, wanted: &[&str]) -> bool {
    let mut changed = false;
    for field in S::FIELDS {
        if (wanted.is_empty() || wanted.contains(&field.name)) && field.applies(settings) {
            changed |= row(ui, settings, field);
        }
    }
    changed
}

/// Shows one field. Returns whether its value changed.
pub(super) fn row<S: Settings>(ui: &mut Ui, settings: &mut S, field: &Field<S>) -> bool {
    let before = field.get(settings);
    let default = field.get(&S::default());
    let mut value = before;
    ui.horizontal(|ui| {
        // The keyboard has the dot for what a double click does.
        let label = egui::Label::new(field.label).truncate().selectable(false);
        let label = labelling(ui, LABEL_WIDTH, label.sense(egui::Sense::CLICK));
        let edited = edit(ui, field, &mut value).labelled_by(label.id);
        for response in [&label, &edited] {
            if response.double_clicked() {
                value = default;
            }
        }
        label.on_hover_ui(|ui| help(ui, field, default));
        if value != default {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if reset(ui, field.label, default) {
                    value = default;
                }
            });
        }
    });
    // A refused value (a NaN that was typed) leaves the setting as it was.
    value != before && field.set(settings, value).is_ok()
}

/// A row like those of the tables for a value without a table.
pub(super) fn labelled(ui: &mut Ui, label: &str, add: impl FnOnce(&mut Ui) -> egui::Response) {
    ui.horizontal(|ui| {
        let label = egui::Label::new(label).truncate().selectable(false);
        let label = labelling(ui, LABEL_WIDTH, label);
        add(ui).labelled_by(label.id);
    });
}

/// Shows a label of that width before the widget that it names.
pub(in crate::app) fn labelling(ui: &mut Ui, width: f32, label: egui::Label) -> egui::Response {
    let layout = Layout::left_to_right(Align::Center);
    let label = |ui: &mut Ui| {
        ui.set_min_width(width);
        ui.add(label)
    };
    ui.allocate_ui_with_layout(vec2(width, 17.0), layout, label).inner
}

/// Shows a section that can be opened.
pub(super) fn section(ui: &mut Ui, title: &str, add: impl FnOnce(&mut Ui)) {
    let header = egui::CollapsingHeader::new(title);
    #[cfg(test)]
    let header = header.default_open(OPENS_SECTIONS.get());
    header.show_unindented(ui, add);
}

#[cfg(test)]
thread_local! {
    /// Opens all sections from the start, so that a test sees their rows.
    pub(super) static OPENS_SECTIONS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Names below a row the quality setting that it needs, where that is missing.
pub(super) fn hidden(ui: &mut Ui, quality: &Quality, field: Option<&Field<Preset>>) {
    let Some(needed) = field.and_then(|field| quality.hidden(field)) else { return };
    let labels = needed.iter().filter_map(|(name, _)| Some(Quality::field(name)?.label));
    let labels: Vec<&str> = labels.collect();
    let verb = if labels.len() == 1 { "is" } else { "are" };
    under(ui, |ui| {
        let needed = labels.join(" and ");
        super::note(ui, format!("This is drawn only if {needed} (under Quality) {verb} above 0."));
    });
}

/// Indents a widget under the value of the row above it.
pub(super) fn under(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.add_space(LABEL_WIDTH + ui.spacing().item_spacing.x);
        add(ui);
    });
}

/// A dot that marks a value as changed, and resets it.
fn reset(ui: &mut Ui, label: &str, default: Value) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(11.0, 17.0), egui::Sense::click());
    let response = super::named(response, &format!("{label}: reset to {default}"));
    let colour = if response.hovered() { egui::Color32::WHITE } else { theme::ACCENT };
    ui.painter().circle_filled(rect.center(), 2.5, colour);
    response.on_hover_text(format!("Reset to {default}")).clicked()
}

fn edit<S>(ui: &mut Ui, field: &Field<S>, value: &mut Value) -> egui::Response {
    let suffix = field.unit_suffix();
    match (&mut *value, field.kind) {
        // Too wide to slide over.
        (Value::Number(number), Kind::Number { min, max, logarithmic: false })
            if max - min > 100_000.0 =>
        {
            ui.add(egui::DragValue::new(number).range(min..=max).max_decimals(1).suffix(suffix))
        }
        (Value::Number(number), Kind::Number { min, max, logarithmic }) => {
            let decimals = decimals(min, max, *number);
            ui.add(
                Slider::new(number, min..=max)
                    .logarithmic(logarithmic)
                    // Values that change by themselves are not rounded to the shown digits.
                    .clamping(SliderClamping::Edits)
                    .max_decimals(decimals)
                    .suffix(suffix),
            )
        }
        // Too many to slide over.
        (Value::Integer(integer), Kind::Integer { min, max }) if max - min > 100_000 => {
            ui.add(egui::DragValue::new(integer).range(min..=max).speed(1.0).suffix(suffix))
        }
        (Value::Integer(integer), Kind::Integer { min, max }) => {
            ui.add(Slider::new(integer, min..=max).clamping(SliderClamping::Always).suffix(suffix))
        }
        (Value::Integer(integer), Kind::MultipleOf { step, min, max }) => ui.add(
            Slider::new(integer, min..=max)
                .step_by(step.into())
                .clamping(SliderClamping::Always)
                .suffix(suffix),
        ),
        (Value::Integer(_), kind) if kind.values().len() <= 5 => {
            let offered = |ui: &mut Ui| {
                for offered in kind.values() {
                    ui.selectable_value(value, offered, offered.to_string());
                }
            };
            ui.horizontal(offered).response
        }
        (Value::Integer(_) | Value::Choice(_), kind) => {
            egui::ComboBox::from_id_salt(field.name)
                .width(130.0)
                .selected_text(format!("{value}{suffix}"))
                .show_ui(ui, |ui| {
                    for offered in kind.values() {
                        ui.selectable_value(value, offered, offered.to_string());
                    }
                })
                .response
        }
        (Value::Flag(flag), _) => ui.checkbox(flag, ""),
        // The table's kind and its value's type agree, or its tests fail.
        (value, _) => ui.label(value.to_string()),
    }
}

/// Digits after the point that tell neighbouring pixels of a slider apart.
fn decimals(min: f64, max: f64, value: f64) -> usize {
    let scale = if max - min > 2_000.0 { value.abs().max(1.0) } else { max - min };
    if scale > 200.0 {
        0
    } else if scale > 20.0 {
        1
    } else {
        2
    }
}

fn help<S>(ui: &mut Ui, field: &Field<S>, default: Value) {
    ui.label(field.help.trim());
    let unit = field.unit_suffix();
    let range = match field.kind {
        Kind::Number { min, max, .. } => format!("{min} to {max}{unit}, "),
        Kind::Flag | Kind::Choice(_) => String::new(),
        kind => format!("{kind}, "),
    };
    ui.label(RichText::new(format!("{range}default {default}{unit}")).color(theme::WEAK).small());
    ui.label(
        RichText::new(format!("{}   (double-click to reset)", field.name))
            .color(theme::WEAK)
            .small()
            .monospace(),
    );
}

/// A line of buttons, clipped where it does not fit.
pub(super) fn buttons(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let size = vec2(ui.available_width().max(1.0), ui.spacing().interact_size.y);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let layout = Layout::left_to_right(Align::Center);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(layout));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    add(&mut child);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Preset, Quality};

    fn sweep<S: Settings + std::fmt::Debug>() {
        let context = egui::Context::default();
        for field in S::FIELDS {
            for at_max in [false, true] {
                let mut settings = S::default();
                let values = field.kind.values();
                let value = values[if at_max { values.len() - 1 } else { 0 }];
                field.set(&mut settings, value).unwrap();
                let before = settings.clone();
                for _ in 0..2 {
                    let output = context.run_ui(egui::RawInput::default(), |ui| {
                        rows(ui, &mut settings, &[]);
                    });
                    output.drop_without_applying_deltas();
                }
                assert_eq!(settings, before, "showing {} changes nothing", field.name);
                settings.validate().unwrap();
            }
        }
    }

    #[test]
    fn every_field_is_shown_unchanged_at_its_extremes() {
        sweep::<Preset>();
        sweep::<Quality>();
    }
}
