//! Clouds.

use egui::Ui;

use super::{note, rows};
use crate::app::session::Session;

/// The clouds, as their table has them.
pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    rows::rows(ui, &mut session.scene.clouds, &[]);
    if session.quality.cloud_steps == 0 {
        note(ui, "Shown where the quality's cloud steps are not 0.");
    }
}
