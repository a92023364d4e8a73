use egui::Ui;

use super::rows;
use crate::app::session::Session;
use crate::settings::{Preset, Settings as _};

pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    rows::rows(ui, &mut session.scene.clouds, &[]);
    rows::hidden(ui, &session.quality, Preset::field("cloud_cover"));
}
