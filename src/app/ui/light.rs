//! Sun and air.

use egui::Ui;

use super::rows;
use crate::app::session::Session;

/// The light, as its table has it.
pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    rows::rows(ui, &mut session.scene.light, &[]);
}
