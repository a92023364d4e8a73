//! What the picture may cost.

use egui::Ui;

use super::{Facts, note, rows};
use crate::app::session::{Session, TierChoice};
use crate::choice::Choice;
use crate::platform::{self, WORDS};
use crate::settings::Quality;
use crate::settings::table::{Settings, Value};

/// Sample counts that every adapter has.
const MSAA: [u32; 2] = [1, 4];
const MIRRORED: [u32; 2] = [1, 3];
const FOAM_TEXELS: [u32; 6] = [0, 64, 128, 256, 512, 1024];
const ANISOTROPY: [u32; 5] = [1, 2, 4, 8, 16];

/// Tier, the settings behind it, and how often to draw.
pub(super) fn show(ui: &mut Ui, session: &mut Session, facts: &Facts<'_>) {
    let tier_before = session.tier;
    ui.horizontal(|ui| {
        ui.label("Tier");
        let shown = match session.tier {
            TierChoice::Auto => format!("auto ({})", facts.automatic_tier),
            tier => tier.to_string(),
        };
        let list = egui::ComboBox::from_id_salt("tier").width(130.0).selected_text(shown);
        let list = list.show_ui(ui, |ui| {
            for tier in TierChoice::ALL {
                ui.selectable_value(&mut session.tier, *tier, tier.name());
            }
        });
        super::called(list.response, "Tier of quality");
    });
    if session.tier != tier_before {
        session.follow_tier(facts.automatic_tier);
    }
    let before = (session.quality.clone(), session.render_scale);
    let mesh = ["cascades", "tile_cells", "finest_spacing_m", "cell_pixels"];
    rows::rows(ui, &mut session.quality, &mesh);
    session.quality.tile_cells = session.quality.tile_cells.next_multiple_of(2);
    list(ui, &mut session.quality, "msaa_samples", &MSAA);
    list(ui, &mut session.quality, "anisotropy", &ANISOTROPY);
    egui::CollapsingHeader::new("Light, foam and air").show_unindented(ui, |ui| {
        let quality = &mut session.quality;
        rows::rows(ui, quality, &["lens_glare", "glints"]);
        list(ui, quality, "mirror_samples", &MIRRORED);
        list(ui, quality, "foam_texels", &FOAM_TEXELS);
        rows::rows(
            ui,
            quality,
            &["foam_steps_per_s", "spray_cells", "cloud_steps", "cloud_pixels"],
        );
        quality.spray_cells = quality.spray_cells.next_multiple_of(8);
    });
    rows::labelled(ui, "Render scale", |ui| {
        ui.add(
            egui::Slider::new(&mut session.render_scale, Session::RENDER_SCALES)
                .max_decimals(2)
                .clamping(egui::SliderClamping::Always),
        )
        .on_hover_text(
            "Pixels of the picture per pixel of the window, along each side. The panels keep full \
             resolution.",
        )
    });
    if (session.quality.clone(), session.render_scale) != before {
        session.tier = TierChoice::Custom;
    }
    ui.separator();
    ui.horizontal(|ui| {
        let vsync = egui::Checkbox::new(&mut session.vsync, "Vsync");
        ui.add_enabled(platform::HAS_VSYNC_CHOICE, vsync)
            .on_hover_text(WORDS.vsync)
            .on_disabled_hover_text(WORDS.vsync);
        ui.label("Frame cap");
        let name = |cap: u32| if cap == 0 { "none".to_owned() } else { format!("{cap} fps") };
        let list = egui::ComboBox::from_id_salt("cap").selected_text(name(session.frame_cap));
        let list = list.show_ui(ui, |ui| {
            for cap in Session::FRAME_CAPS {
                ui.selectable_value(&mut session.frame_cap, cap, name(cap));
            }
        });
        super::called(list.response, "Maximum frames per second");
    });
    ui.horizontal(|ui| {
        ui.label("Panels").on_hover_text("Size of the panels: Ctrl with +, - and 0");
        for (steps, text, name) in [(-1, "-", "Smaller panels"), (1, "+", "Larger panels")] {
            if super::named(ui.button(text), name).on_hover_text(name).clicked() {
                session.zoom(steps);
            }
        }
        ui.label(format!("{:.0} %", 100.0 * session.ui_scale));
    });
    note(ui, format!("{} x {} pixels", facts.resolution[0], facts.resolution[1]));
}

/// A field of which only some values make sense.
fn list(ui: &mut Ui, quality: &mut Quality, name: &str, values: &[u32]) {
    let Some(field) = Quality::FIELDS.iter().find(|field| field.name == name) else { return };
    let Value::Integer(mut value) = (field.get)(quality) else { return };
    ui.horizontal(|ui| {
        ui.label(field.label).on_hover_text(field.help.trim());
        for offered in values {
            ui.selectable_value(&mut value, *offered, offered.to_string());
        }
    });
    // Every offered value is within the range.
    let _ = field.set(quality, Value::Integer(value));
}
