//! The state kept from visit to visit: `view.toml` in the user's configuration folder. A file that is
//! missing, broken or from another version never stops the program: every invalid part of it falls back to
//! its default.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::session::{Session, SessionField, SessionVisitor};
use crate::app::platform::files::{self, Contents};
use crate::settings::Settings;

/// More than a session comes to, with the spectra of [`SeaState::MAX_RECORD_NUMBERS`].
///
/// [`SeaState::MAX_RECORD_NUMBERS`]: crate::settings::SeaState::MAX_RECORD_NUMBERS
const MOST_BYTES: u64 = 8 << 20;

/// The path of the state, or `None` where the system has no such folder.
pub(super) fn path() -> Option<PathBuf> {
    Some(files::config_folder()?.join("seaway").join("view.toml"))
}

pub(super) fn load(path: &Path) -> Session {
    match files::read(path, MOST_BYTES) {
        Ok(Contents::Text(text)) => parse(&text),
        Ok(Contents::TooLarge | Contents::NoFile) => {
            log::warn!("{} is not a file of saved settings and is ignored", path.display());
            Session::default()
        }
        Err(error) => {
            if error.kind() != std::io::ErrorKind::NotFound {
                log::warn!("{} could not be read: {error}", path.display());
            }
            Session::default()
        }
    }
}

/// Saves the session by an atomic write. Fails where the folder or the file cannot be written.
pub(super) fn save(path: &Path, session: &Session) -> std::io::Result<()> {
    files::write(path, &text(session))
}

fn text(session: &Session) -> String {
    let mut writer = Writer { session, table: toml::Table::new() };
    Session::visit(&mut writer);
    let text = toml::to_string(&writer.table).expect("plain data serialises");
    if text.len() as u64 <= MOST_BYTES {
        return text;
    }
    // A file that is not read again would lose everything else.
    writer.table.remove("spectrum_file");
    toml::to_string(&writer.table).expect("plain data serialises")
}

struct Writer<'a> {
    session: &'a Session,
    table: toml::Table,
}

impl SessionVisitor for Writer<'_> {
    fn field<T: Serialize>(&mut self, field: SessionField<T>) {
        // TOML has no word for nothing: such a field is left out.
        let value = toml::Value::try_from((field.get)(self.session)).ok();
        if let Some(value) = value.filter(|_| field.uses.saved) {
            self.table.insert(field.name.to_owned(), value);
        }
    }

    fn table<S: Settings>(&mut self, table: SessionField<S>) {
        let settings = (table.get)(self.session);
        for field in S::FIELDS {
            let name = if field.group.is_empty() { table.name } else { field.group };
            let group = self.table.entry(name).or_insert_with(|| toml::Table::new().into());
            let value = toml::Value::try_from(field.get(settings)).expect("settings have values");
            if let Some(group) = group.as_table_mut() {
                group.insert(field.name.to_owned(), value);
            }
        }
    }
}

fn parse(text: &str) -> Session {
    match text.parse() {
        Ok(table) => {
            let mut reader = Reader { table, session: Session::default() };
            Session::visit(&mut reader);
            reader.session
        }
        Err(error) => {
            log::warn!("the saved settings are malformed and are ignored: {error}");
            Session::default()
        }
    }
}

struct Reader {
    table: toml::Table,
    session: Session,
}

impl SessionVisitor for Reader {
    fn field<T: DeserializeOwned>(&mut self, field: SessionField<T>) {
        let name = field.name;
        let Some(value) = self.table.get(name).filter(|_| field.uses.saved) else { return };
        match value.clone().try_into() {
            Ok(value) if (field.is_sound)(&value) => *(field.get_mut)(&mut self.session) = value,
            Ok(_) => log::warn!("saved settings: {name} is out of range and is ignored"),
            Err(error) => log::warn!("saved settings: {name} is ignored: {error}"),
        }
    }

    fn table<S: Settings>(&mut self, table: SessionField<S>) {
        let settings = (table.get_mut)(&mut self.session);
        for field in S::FIELDS {
            let name = if field.group.is_empty() { table.name } else { field.group };
            let Some(group) = self.table.get(name).and_then(toml::Value::as_table) else {
                continue;
            };
            // A setting that is missing or out of range takes its default, not the preset's.
            let value = match group.get(field.name) {
                Some(toml::Value::String(text)) => Some(field.parse(text)),
                Some(value) => Some(field.parse(&value.to_string())),
                None => None,
            };
            let sound = value.and_then(|value| {
                value.inspect_err(|error| log::warn!("saved settings: {error}")).ok()
            });
            field.store(settings, sound.unwrap_or_else(|| field.get(&S::default())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::session::{DockTab, TierChoice};
    use crate::fft::lab::AlgorithmChoice;
    use crate::settings::{CameraPose, Light, SeaState};

    #[test]
    fn a_session_comes_back_as_it_was() {
        let mut session = Session { vsync: false, frame_cap: 60, ..Session::default() };
        let measured = crate::settings::Preset::load("measured-gale").unwrap();
        session.scene.sea.recorded = measured.sea.recorded;
        session.scene.sea.wind_speed_mps = 21.5;
        session.scene.camera.yaw_deg = -77.25;
        session.tier = TierChoice::Custom;
        session.render_scale = 0.75;
        session.quality.cascades = 2;
        session.dock = Some(DockTab::Compare);
        session.dock_height = 333.5;
        session.cameras.fly.speed_mps = 40.0;
        session.cameras.is_walking = true;
        session.cameras.walk.speed_mps = 3.5;
        session.cameras.walk.height_m = 12.25;
        session.ui_scale = 1.3;
        session.cameras.bookmarks.set(7, Some(CameraPose { x_m: 7.0, ..CameraPose::default() }));
        for algorithm in AlgorithmChoice::of_powers_of_two() {
            session.algorithm = algorithm;
            assert_eq!(parse(&text(&session)), session);
        }
        assert_eq!(parse("algorithm = \"turbo\""), Session::default());
    }

    #[test]
    fn broken_files_cost_only_what_is_broken() {
        assert_eq!(parse("sea = ["), Session::default());
        assert_eq!(parse(""), Session::default());
        let some = parse(
            "vsync = false\nframe_cap = -3\ntier = \"turbo\"\nspeed_mps = nan\neye_above_water_m = 0.1\nwalking_speed_mps = nan\nis_walking = 3\nunknown = 1\n\
             window = [0, 99999999]\ndock = \"flow\"\ndock_height = nan\n[sea]\nwind_speed_mps = nan\n[light]\nhaze = 2.0\n\
             [camera]\ny_m = \"high\"\n",
        );
        let mut expected = Session { vsync: false, ..Session::default() };
        expected.scene.sea = SeaState::default();
        expected.scene.camera = CameraPose::default();
        expected.scene.light = Light { haze: 2.0, ..Light::default() };
        assert_eq!(some, expected);
    }

    #[test]
    fn saving_makes_the_folder_and_loading_tolerates_its_absence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("view.toml");
        assert_eq!(load(&path), Session::default());
        let session = Session { show_ui: false, ..Session::default() };
        save(&path, &session).unwrap();
        assert_eq!(load(&path), session);
    }
}
