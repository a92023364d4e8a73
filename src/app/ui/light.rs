use egui::Ui;

use super::rows;
use crate::app::session::Session;

pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    rows::rows(ui, &mut session.scene.light, &[]);
}
