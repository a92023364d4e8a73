//! The user's work without the window: keys and panels come here first, and commands that need a window or a
//! device are returned. The program, the panels' tests and random actions share it.

use std::sync::Arc;

use egui::Id;

use super::camera::BookmarkAct;
use super::input::Action;
use super::messages::Messages;
use super::session::{DockTab, Session};
use super::ui::{Command, PresetCommand, WorkspaceData, overlay};
use super::undo::{Choices, Undo};
use crate::app::platform::{OpenedFiles, STRINGS, files};
use crate::gpu::Capabilities;
use crate::settings::{Preset, UserPreset, UserPresetError, UserPresets};
use crate::spectrum_file;

/// The session, its undo steps, the user's presets and messages.
#[derive(Default)]
pub(super) struct Workspace {
    pub session: Session,
    pub messages: Messages,
    undo: Undo,
    /// The user's folder of presets, where the system has one.
    folder: Option<UserPresets>,
    /// Its contents when it was last read.
    own: Vec<UserPreset>,
}

impl Workspace {
    pub fn new(session: Session, folder: Option<UserPresets>) -> Self {
        let mut workspace = Self { session, folder, ..Self::default() };
        workspace.look_for_presets();
        for own in &workspace.own {
            if let Err(reason) = &own.content {
                workspace.messages.warn(format!("One of your presets cannot be used: {reason}"));
            }
        }
        workspace
    }

    /// Lets `panels` edit the session. All changes of one gesture, which they return, are one step to undo.
    pub fn edit<R>(
        &mut self,
        panels: impl FnOnce(&mut Session, WorkspaceData<'_>) -> (R, Option<Id>),
    ) -> R {
        let before = Choices::of(&self.session);
        let data = WorkspaceData {
            own_presets: &self.own,
            can_undo: self.undo.can_undo(),
            can_redo: self.undo.can_redo(),
        };
        let (result, gesture) = panels(&mut self.session, data);
        self.undo.record(before, &self.session, gesture);
        result
    }

    /// Carries out a panel's command; returns it if only the window can. Without `capabilities` there is no
    /// device yet, and no FFT to choose.
    pub fn command(
        &mut self,
        command: Command,
        capabilities: Option<&Capabilities>,
    ) -> Option<Command> {
        match command {
            Command::Action(action) => self.act(action, capabilities).map(Command::Action),
            Command::Preset(command) => {
                self.preset(command);
                None
            }
            // The comparison runs where the device is, and the dialog is the window's.
            Command::Compare(_) | Command::ChooseSpectrumFiles => Some(command),
        }
    }

    /// Carries out a key's action; returns it if only the window can.
    pub fn act(&mut self, action: Action, capabilities: Option<&Capabilities>) -> Option<Action> {
        let session = &mut self.session;
        match action {
            Action::Help => session.show_help = !session.show_help,
            Action::HideUi => session.show_ui = !session.show_ui,
            Action::Panels => {
                session.panels_have_keyboard = !session.panels_have_keyboard;
                session.show_ui |= session.panels_have_keyboard;
            }
            Action::Zoom(steps) => session.zoom(steps),
            Action::ZoomReset => session.ui_scale = 1.0,
            Action::Pause => session.clock.paused = !session.clock.paused,
            Action::Step => session.clock.step(),
            Action::NextView => session.next_view(false),
            Action::PreviousView => session.next_view(true),
            Action::Timeline => session.toggle_dock(DockTab::Timeline),
            Action::CompareFfts => session.toggle_dock(DockTab::Compare),
            Action::Measure => session.toggle_dock(DockTab::Measure),
            Action::Orbit => session.cameras.toggle_orbit(&mut session.scene.camera),
            Action::Walk => session.cameras.toggle_walk(),
            Action::Bookmark(act, digit) => self.bookmark(act, digit),
            Action::NextAlgorithm => {
                if let Some(capabilities) = capabilities {
                    let before = Choices::of(session);
                    session.algorithm = session.fft().next_algorithm(capabilities);
                    self.undo.record(before, &self.session, None);
                }
            }
            Action::SmallerFft | Action::LargerFft => {
                let larger = action == Action::LargerFft;
                if let Some(capabilities) = capabilities {
                    let before = Choices::of(session);
                    match session.fft().other_size(larger, capabilities) {
                        Ok(size) => session.set_fft_size(size),
                        Err(reason) => self.messages.warn(reason),
                    }
                    self.undo.record(before, &self.session, None);
                }
            }
            Action::Undo => self.undo.undo(session),
            Action::Redo => self.undo.redo(session),
            // Over the help, Esc is not meant for the window.
            Action::Quit if session.show_help => session.show_help = false,
            Action::Quit | Action::RecordCapture | Action::FullScreen | Action::Screenshot => {
                return Some(action);
            }
        }
        None
    }

    fn bookmark(&mut self, act: BookmarkAct, digit: u8) {
        let Session { cameras, scene, .. } = &mut self.session;
        match act {
            BookmarkAct::Store => {
                cameras.bookmarks.set(digit, Some(scene.camera.clone()));
                self.messages.say(format!(
                    "Bookmark {digit} is stored: press {digit} to return to this place."
                ));
            }
            BookmarkAct::Clear => cameras.bookmarks.set(digit, None),
            BookmarkAct::Go => match cameras.bookmarks.get(digit).cloned() {
                Some(target) => cameras.glide_to(&scene.camera, target),
                None => self.messages.say(format!(
                    "There is no bookmark {digit} yet: press Ctrl+{digit} to store this place."
                )),
            },
        }
    }

    fn preset(&mut self, command: PresetCommand) {
        let done = match command {
            PresetCommand::Look => Ok(()),
            PresetCommand::Load(name) => self.load(&name),
            PresetCommand::Save { name, replace } => self.save(&name, replace),
            PresetCommand::Rename { name, new_name } => {
                self.folder().and_then(|folder| folder.rename(&name, &new_name)).map(|()| {
                    if self.session.preset == name {
                        self.session.preset = new_name;
                    }
                })
            }
            PresetCommand::Delete(name) => self
                .folder()
                .and_then(|folder| folder.delete(&name))
                .map(|()| self.messages.say(format!("The preset {name:?} is deleted."))),
        };
        if let Err(error) = done {
            self.messages.warn(overlay::sentence(&error.to_string()));
        }
        self.look_for_presets();
    }

    fn folder(&self) -> Result<&UserPresets, UserPresetError> {
        self.folder.as_ref().ok_or(UserPresetError::NoFolder)
    }

    fn load(&mut self, name: &str) -> Result<(), UserPresetError> {
        let is_shipped = Preset::SHIPPED.iter().any(|(shipped, _)| *shipped == name);
        let (preset, notes) = if is_shipped {
            (Preset::load(name)?, Vec::new())
        } else {
            self.folder()?.load(name)?
        };
        if !notes.is_empty() {
            self.messages.warn(format!("Preset {name:?}: {}.", notes.join("; ")));
        }
        let before = Choices::of(&self.session);
        self.session.preset = name.to_owned();
        self.session.scene = preset;
        self.session.voyage.is_under_way = false;
        self.session.cameras.stay();
        self.undo.record(before, &self.session, None);
        Ok(())
    }

    fn save(&mut self, name: &str, replace: bool) -> Result<(), UserPresetError> {
        let Session { preset, scene, .. } = &self.session;
        let mut scene = scene.clone();
        if Preset::SHIPPED.iter().any(|(shipped, _)| shipped == preset) {
            // The description of the shipped preset may be wrong for this one.
            scene.description = format!("Your own, based on {preset}.");
        }
        let path = self.folder()?.save(name, &scene, replace)?;
        self.session.preset = name.to_owned();
        self.session.scene = scene;
        self.messages.say(format!("Saved as {}", files::place(&path)));
        Ok(())
    }

    /// Replaces the waves by those of spectrum files, which are one record. Files that cannot be used are
    /// reported, and the sea stays as it is.
    pub fn open_spectrum_files(&mut self, opened: &OpenedFiles) {
        let (record, notes) = match opened.read() {
            Ok(read) => read,
            Err(error) => return self.messages.warn(error.to_string()),
        };
        let mut sea = self.session.scene.sea.clone();
        sea.use_record(Arc::new(record));
        let limited = sea.limit_record();
        let before = Choices::of(&self.session);
        let Some(record) = sea.recorded.clone() else { return };
        let spectrum = record.at_hour(sea.record_hour);
        self.session.scene.sea = sea;
        self.session.voyage.is_under_way = false;
        self.undo.record(before, &self.session, None);
        let summary = spectrum.summary();
        let time =
            spectrum.time_unix_s.map(|time| format!(" at {}", spectrum_file::iso_time(time)));
        self.messages.say(format!(
            "The sea of {}{} is shown: Hs {:.1} m, Tp {:.1} s. Press Ctrl+Z to return to the previous sea.",
            opened.name(),
            time.unwrap_or_default(),
            summary.significant_wave_height_m,
            summary.peak_period_s
        ));
        if let Some(count) = limited {
            let kept = record.spectra().len();
            self.messages.say(format!("{kept} of {count} times are kept, around the highest sea."));
        }
        if let Some(text) = STRINGS.record_is_not_shared {
            self.messages.say(text);
        }
        let more = notes.len().saturating_sub(3);
        for note in notes.into_iter().take(3) {
            self.messages.warn(note);
        }
        if more > 0 {
            self.messages
                .warn(format!("{more} more notes: `seaway spectrum --spectrum-file` prints all."));
        }
    }

    fn look_for_presets(&mut self) {
        match self.folder.as_ref().map_or_else(|| Ok(Vec::new()), UserPresets::list) {
            Ok(own) => self.own = own,
            Err(error) => self.messages.warn(format!("Your presets cannot be listed: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::input::Action as A;
    use crate::app::platform::FileInput;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        let presets = UserPresets::at(folder.path().join("presets"));
        (folder, Workspace::new(Session::default(), Some(presets)))
    }

    fn preset(workspace: &mut Workspace, command: PresetCommand) {
        assert_eq!(workspace.command(Command::Preset(command), None), None);
    }

    fn names(workspace: &Workspace) -> Vec<&str> {
        workspace.own.iter().map(|own| own.name.as_str()).collect()
    }

    #[test]
    fn only_requests_to_the_window_are_returned() {
        let (_folder, mut workspace) = workspace();
        let webgpu = Capabilities::webgpu_defaults();
        for action in [A::Quit, A::RecordCapture, A::FullScreen, A::Screenshot] {
            assert_eq!(workspace.act(action, Some(&webgpu)), Some(action));
        }
        assert_eq!(workspace.session, Session::default());
        for action in [A::Help, A::HideUi, A::Pause, A::LargerFft] {
            assert_eq!(workspace.act(action, Some(&webgpu)), None);
        }
        assert!(
            workspace.session.show_help
                && !workspace.session.show_ui
                && workspace.session.clock.paused
        );
        assert_eq!(workspace.session.quality.size, 2 * Session::default().quality.size);
        // Esc closes the help and then the window.
        assert_eq!(workspace.act(A::Quit, None), None);
        assert_eq!(workspace.act(A::Quit, None), Some(A::Quit));
        workspace.act(A::Panels, None);
        assert!(workspace.session.show_ui, "hidden panels have no use for the keyboard");
        for _ in 0..50 {
            workspace.act(A::Zoom(1), None);
        }
        assert_eq!(workspace.session.ui_scale, 3.0);
        workspace.act(A::ZoomReset, None);
        assert_eq!(workspace.session.ui_scale, 1.0);
    }

    #[test]
    fn presets_and_algorithms_are_undone_and_flights_are_not() {
        let (_folder, mut workspace) = workspace();
        let webgpu = Capabilities::webgpu_defaults();
        let start = workspace.session.clone();
        preset(&mut workspace, PresetCommand::Load("storm".to_owned()));
        assert_eq!(workspace.session.scene, Preset::load("storm").unwrap());
        workspace.act(A::NextAlgorithm, Some(&webgpu));
        workspace.act(A::SmallerFft, Some(&webgpu));
        workspace.act(A::Orbit, None);
        workspace.act(A::Bookmark(BookmarkAct::Store, 3), None);
        workspace.act(A::Bookmark(BookmarkAct::Go, 3), None);
        for _ in 0..3 {
            workspace.act(A::Undo, None);
        }
        assert!(!workspace.undo.can_undo());
        assert_eq!(workspace.session.preset, start.preset);
        assert_eq!((&workspace.session.scene.sea, &workspace.session.scene.light), {
            let scene = &start.scene;
            (&scene.sea, &scene.light)
        });
        assert_eq!((workspace.session.algorithm, workspace.session.quality.size), {
            (start.algorithm, start.quality.size)
        });
        workspace.act(A::Redo, None);
        assert_eq!(workspace.session.preset, "storm");
        assert!(workspace.session.cameras.bookmarks.get(3).is_some(), "stored is stored");
    }

    #[test]
    fn a_preset_is_saved_loaded_renamed_and_removed() {
        let (_folder, mut workspace) = workspace();
        workspace.session.scene.sea.wind_speed_mps = 17.0;
        let save = |name: &str, replace| PresetCommand::Save { name: name.to_owned(), replace };
        preset(&mut workspace, save("mine", false));
        assert_eq!((names(&workspace), workspace.session.preset.as_str()), (vec!["mine"], "mine"));
        let saved = workspace.session.scene.clone();
        assert_eq!(saved.description, "Your own, based on breeze.");
        preset(&mut workspace, PresetCommand::Load("calm".to_owned()));
        preset(&mut workspace, save("mine", false));
        preset(&mut workspace, PresetCommand::Load("mine".to_owned()));
        assert_eq!(workspace.session.scene, saved, "nothing is replaced unasked");
        let (name, new_name) = ("mine".to_owned(), "ours".to_owned());
        preset(&mut workspace, PresetCommand::Rename { name, new_name });
        assert_eq!((names(&workspace), workspace.session.preset.as_str()), (vec!["ours"], "ours"));
        preset(&mut workspace, save("a/b", true));
        assert_eq!(names(&workspace), ["ours"]);
        preset(&mut workspace, PresetCommand::Delete("ours".to_owned()));
        assert!(names(&workspace).is_empty());
        assert_eq!(workspace.session.scene, saved, "the scene stays");
        let said = workspace.messages.toasts();
        assert!(said.iter().any(|toast| toast.is_error && toast.text.contains("already")));
    }

    #[test]
    fn a_bad_file_is_reported_and_the_scene_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bad.toml");
        std::fs::write(&file, "sea = 3").unwrap();
        let presets = UserPresets::at(folder.path().to_owned());
        let mut workspace = Workspace::new(Session::default(), Some(presets));
        let errors = |workspace: &Workspace| {
            let toasts = workspace.messages.toasts();
            toasts.iter().filter(|toast| toast.is_error && toast.text.contains("bad.toml")).count()
        };
        assert_eq!(errors(&workspace), 1);
        for command in [
            PresetCommand::Load("bad".to_owned()),
            PresetCommand::Save { name: "bad".to_owned(), replace: true },
            PresetCommand::Delete("bad".to_owned()),
        ] {
            preset(&mut workspace, command);
        }
        assert!(errors(&workspace) >= 3);
        assert_eq!(workspace.session, Session::default());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "sea = 3");
    }

    #[test]
    fn dropped_files_become_one_sea() {
        let (folder, mut workspace) = workspace();
        let spectrum = |hour: u32, density: u32| {
            let header = "# direction: from, nautical\n# density: m2/Hz/deg\n# wind: 8 m/s, 120\n";
            let rows = format!("frequency_hz,0,120,240\n0.1,0,0,0\n0.2,0,0.{density},0\n");
            format!("{header}# time: 2020-06-08T{hour:02}:00:00Z\n{rows}")
        };
        let write = |name: &str, text: String| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let files = [write("b.csv", spectrum(4, 3)), write("a.csv", spectrum(3, 2))];
        let missing = folder.path().join("missing.csv");
        let start = workspace.session.clone();
        workspace.open_spectrum_files(&OpenedFiles::of(&[files[0].clone(), missing]));
        assert_eq!(workspace.session, start, "one file cannot be read");
        let is_error = |workspace: &Workspace| workspace.messages.toasts().pop().unwrap().is_error;
        assert!(is_error(&workspace));
        workspace.open_spectrum_files(&OpenedFiles::of(&files));
        let sea = &workspace.session.scene.sea;
        let hours: Vec<f64> = sea.recorded.as_ref().unwrap().hours().collect();
        assert_eq!((hours, sea.record_hour), (vec![0.0, 1.0], 1.0));
        assert!((sea.wind_speed_mps - 8.0).abs() < 1e-9, "{}", sea.wind_speed_mps);
        let said = workspace.messages.toasts().pop().unwrap().text;
        assert!(said.contains("2 files") && said.contains("2020-06-08T04"), "{said}");
        workspace.act(A::Undo, None);
        assert_eq!(workspace.session.scene, start.scene);
        // Files that come one after another, as winit sends them, are opened together.
        let mut input = FileInput::new(&workspace.messages);
        files.into_iter().for_each(|path| input.add(path));
        workspace.open_spectrum_files(&input.take().unwrap());
        assert_eq!(workspace.session.scene.sea.record_hour, 1.0);
        assert!(input.take().is_none());
    }

    #[test]
    fn without_a_folder_there_are_the_presets_that_ship() {
        let mut workspace = Workspace::new(Session::default(), None);
        preset(&mut workspace, PresetCommand::Save { name: "mine".to_owned(), replace: false });
        assert!(workspace.messages.toasts()[0].text.contains("cannot be saved"));
        preset(&mut workspace, PresetCommand::Load("gale".to_owned()));
        assert_eq!(workspace.session.preset, "gale");
    }
}
