//! FFTs side by side.

use egui::Ui;

use super::{Command, Facts, note};
use crate::app::session::Session;

/// The dock's tab.
pub(super) fn show(
    ui: &mut Ui,
    _session: &mut Session,
    _facts: &Facts<'_>,
    _commands: &mut Vec<Command>,
) {
    note(ui, "Nothing is compared yet.");
}
