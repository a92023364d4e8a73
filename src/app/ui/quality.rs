use egui::Ui;

use super::{PanelData, list, note, rows};
use crate::app::platform::{self, STRINGS};
use crate::app::session::{Session, TierChoice};
use crate::choice::Choice;
use crate::settings::{Quality, Settings as _};

/// The settings of the mesh and of sampling the maps, which are always shown.
const MESH: [&str; 8] = [
    "cascades",
    "tile_cells",
    "finest_spacing_m",
    "cell_pixels",
    "msaa_samples",
    "anisotropy",
    "cubic_cascades",
    "blended_cascades",
];

/// Tier, the settings behind it, and the frame rate.
pub(super) fn show(ui: &mut Ui, session: &mut Session, data: &PanelData<'_>) {
    let tier_before = session.tier;
    ui.horizontal(|ui| {
        ui.label("Tier");
        let shown = match session.tier {
            TierChoice::Auto => format!("auto ({})", data.automatic_tier),
            tier => tier.to_string(),
        };
        list(ui, "Tier of quality", 130.0, shown, |ui| {
            for tier in TierChoice::ALL {
                ui.selectable_value(&mut session.tier, *tier, tier.name());
            }
        });
    });
    if session.tier != tier_before {
        session.follow_tier(data.automatic_tier);
    }
    let before = (session.quality.clone(), session.render_scale);
    rows::rows(ui, &mut session.quality, &MESH);
    rows::section(ui, "Light, foam and air", |ui| {
        // The section of the FFT has its size.
        let others = Quality::FIELDS.iter().map(|field| field.name);
        let others = others.filter(|name| *name != "size" && !MESH.contains(name));
        rows::rows(ui, &mut session.quality, &others.collect::<Vec<_>>());
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
            .on_hover_text(STRINGS.vsync)
            .on_disabled_hover_text(STRINGS.vsync);
        ui.label("Frame cap");
        let name = |cap: u32| if cap == 0 { "none".to_owned() } else { format!("{cap} fps") };
        list(ui, "Maximum frames per second", 100.0, name(session.frame_cap), |ui| {
            for cap in Session::FRAME_CAPS {
                ui.selectable_value(&mut session.frame_cap, cap, name(cap));
            }
        });
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
    note(ui, format!("{} x {} pixels", data.resolution[0], data.resolution[1]));
}
