//! Where the eye is and how it flies.

use egui::{RichText, Ui};

use super::{rows, theme};
use crate::app::fly_camera::FlyCamera;
use crate::app::session::Session;

/// The pose, as its table has it, and the flying speed.
pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    let camera = &mut session.scene.camera;
    rows::rows(ui, camera, &["y_m", "yaw_deg", "pitch_deg", "fov_deg"]);
    ui.horizontal(|ui| {
        ui.label(
            RichText::new(format!("X {:.0} m   Z {:.0} m", camera.x_m, camera.z_m))
                .color(theme::WEAK),
        );
        if ui.button("To the origin").clicked() {
            camera.x_m = 0.0;
            camera.z_m = 0.0;
        }
    });
    ui.horizontal(|ui| {
        ui.label("Flying speed");
        ui.add(
            egui::Slider::new(&mut session.fly.speed_mps, FlyCamera::SPEEDS_MPS)
                .logarithmic(true)
                .max_decimals(1)
                .suffix(" m/s"),
        )
        .on_hover_text("The wheel changes it; Shift flies eight times as fast, Ctrl an eighth.");
    });
}
