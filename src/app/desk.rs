//! What the user works at, without the window: keys and panels come here first, and what only a
//! window or a device can do goes back to whoever has one. The program, the panels' tests and
//! random actions share it.

use super::input::Action;
use super::messages::Messages;
use super::session::Session;
use super::ui::Command;
use crate::gpu::Capabilities;
use crate::settings::Preset;

/// The session and what is said about it.
#[derive(Default)]
pub(super) struct Desk {
    /// What is seen and has been chosen.
    pub session: Session,
    /// What is said in the corner.
    pub messages: Messages,
}

impl Desk {
    /// A desk with that session on it.
    pub fn new(session: Session) -> Self {
        Self { session, ..Self::default() }
    }

    /// Does what a panel asks for; gives it back where only the window can. Without
    /// `capabilities` there is no device yet, and no FFT to choose.
    pub fn command(
        &mut self,
        command: Command,
        capabilities: Option<&Capabilities>,
    ) -> Option<Command> {
        match command {
            Command::Action(action) => self.act(action, capabilities).map(Command::Action),
            Command::LoadPreset(name) => {
                self.load_preset(name);
                None
            }
        }
    }

    /// Does what a key stands for; gives it back where only the window can.
    pub fn act(&mut self, action: Action, capabilities: Option<&Capabilities>) -> Option<Action> {
        let session = &mut self.session;
        match action {
            Action::Help => session.show_help = !session.show_help,
            Action::HideUi => session.show_ui = !session.show_ui,
            Action::Pause => session.clock.paused = !session.clock.paused,
            Action::Step => session.clock.step(),
            Action::NextAlgorithm => {
                if let Some(capabilities) = capabilities {
                    session.algorithm = session.fft().next_algorithm(capabilities);
                }
            }
            Action::SmallerFft | Action::LargerFft => {
                let larger = action == Action::LargerFft;
                if let Some(capabilities) = capabilities {
                    match session.fft().other_size(larger, capabilities) {
                        Ok(size) => session.set_fft_size(size),
                        Err(reason) => self.messages.warn(reason),
                    }
                }
            }
            Action::Quit | Action::RecordCapture | Action::FullScreen | Action::Screenshot => {
                return Some(action);
            }
        }
        None
    }

    fn load_preset(&mut self, name: &str) {
        match Preset::load(name) {
            Ok(preset) => {
                self.session.preset = name.to_owned();
                self.session.scene = preset;
            }
            Err(error) => self.messages.warn(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_a_window_comes_back_and_the_rest_is_done() {
        let mut desk = Desk::default();
        let webgpu = Capabilities::webgpu_defaults();
        for action in [Action::Quit, Action::RecordCapture, Action::FullScreen, Action::Screenshot]
        {
            assert_eq!(desk.act(action, Some(&webgpu)), Some(action));
        }
        assert_eq!(desk.session, Session::default());
        for action in [Action::Help, Action::HideUi, Action::Pause, Action::LargerFft] {
            assert_eq!(desk.act(action, Some(&webgpu)), None);
        }
        assert!(desk.session.show_help && !desk.session.show_ui && desk.session.clock.paused);
        assert_eq!(desk.session.quality.size, 2 * Session::default().quality.size);
        assert_eq!(desk.command(Command::LoadPreset("storm"), None), None);
        assert_eq!(desk.session.scene, Preset::load("storm").unwrap());
    }
}
