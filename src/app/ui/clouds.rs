//! Clouds.

use egui::Ui;

use super::{note, rows};
use crate::app::session::Session;

/// The clouds, as their table has them.
pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    rows::rows(ui, &mut session.scene.clouds, &[]);
    if session.quality.cloud_steps == 0 {
        note(ui, "Drawn only if Cloud steps (under Quality) is above 0.");
    }
}
