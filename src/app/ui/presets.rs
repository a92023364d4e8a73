//! The scenes that ship and the user's own: loaded, saved, renamed, removed.

use egui::{Id, Key, RichText, TextEdit, Ui};

use super::{Command, PanelData, PresetCommand, note, theme};
use crate::app::input::Action;
use crate::app::session::Session;
use crate::settings::{Preset, UserPreset, check_preset_name};

/// The open question below the list.
#[derive(Clone, Default)]
enum Question {
    #[default]
    None,
    /// The name to save under, and whether to replace the preset of that name.
    Save { name: String, replace: bool },
    /// The preset, and its new name so far.
    Rename { name: String, new_name: String },
    /// The preset that is to be removed.
    Delete { name: String },
}

/// The list with its buttons, and those of undo.
pub(super) fn show(
    ui: &mut Ui,
    session: &mut Session,
    data: &PanelData<'_>,
    commands: &mut Vec<Command>,
) {
    let id = Id::unique("preset question");
    let mut question: Question = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        list(ui, session, data, commands);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(
                RichText::new(format!("Hs {:.2} m", data.summary.significant_wave_height_m))
                    .color(theme::ACCENT),
            )
            .on_hover_text(
                "Significant wave height: the mean height of the highest third of the waves, as \
                 the spectrum predicts it.",
            );
            if data.computing_sea {
                ui.spinner();
            }
        });
    });
    let own = data.workspace.own_presets;
    let chosen = own.iter().find(|own| own.name == session.preset && own.content.is_ok());
    ui.horizontal(|ui| {
        for (action, name, keys, is_able) in [
            (Action::Undo, "Undo", "Ctrl+Z", data.workspace.can_undo),
            (Action::Redo, "Redo", "Ctrl+Shift+Z or Ctrl+Y", data.workspace.can_redo),
        ] {
            if ui.add_enabled(is_able, egui::Button::new(name)).on_hover_text(keys).clicked() {
                commands.push(Command::Action(action));
            }
        }
        ui.add_space(6.0);
        if ui
            .button("Save as…")
            .on_hover_text("Save sea, light, clouds and camera as a preset.")
            .clicked()
        {
            let name = chosen.map(|own| own.name.clone()).unwrap_or_default();
            question = Question::Save { name, replace: false };
        }
        if let Some(chosen) = chosen {
            if ui.button("Rename").clicked() {
                let (name, new_name) = (chosen.name.clone(), chosen.name.clone());
                question = Question::Rename { name, new_name };
            }
            if ui.button("Delete").clicked() {
                question = Question::Delete { name: chosen.name.clone() };
            }
        }
    });
    let question = ask(ui, question, own, commands);
    ui.data_mut(|data| data.insert_temp(id, question));
    if !session.scene.description.is_empty() {
        note(ui, session.scene.description.clone());
    }
}

fn list(ui: &mut Ui, session: &Session, data: &PanelData<'_>, commands: &mut Vec<Command>) {
    let load = |name: &str| Command::Preset(PresetCommand::Load(name.to_owned()));
    let shown = egui::ComboBox::from_id_salt("preset")
        .width(140.0)
        .truncate()
        .height(320.0)
        .selected_text(&session.preset)
        .show_ui(ui, |ui| {
            for (name, text) in Preset::SHIPPED {
                let chosen = ui.selectable_label(session.preset == name, name);
                if let Ok(preset) = Preset::parse(name, text) {
                    let chosen = chosen.on_hover_text(&preset.description);
                    if chosen.clicked() {
                        commands.push(load(name));
                    }
                }
            }
            if !data.workspace.own_presets.is_empty() {
                ui.separator();
            }
            for UserPreset { name, content } in data.workspace.own_presets {
                let row = egui::Button::selectable(session.preset == *name, name);
                let row = ui.add_enabled(content.is_ok(), row);
                match content {
                    Ok((preset, notes)) => {
                        let notes = notes.iter().map(String::as_str);
                        let lines = std::iter::once(preset.description.as_str()).chain(notes);
                        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
                        let clicked = row.clicked();
                        if !lines.is_empty() {
                            row.on_hover_text(lines.join("\n"));
                        }
                        if clicked {
                            commands.push(load(name));
                        }
                    }
                    Err(reason) => {
                        row.on_disabled_hover_text(reason);
                    }
                }
            }
        })
        .response;
    if super::called(shown, "Preset").clicked() {
        // Files may have come and gone.
        commands.push(Command::Preset(PresetCommand::Look));
    }
}

/// Shows a question, and returns the next one, if any.
fn ask(
    ui: &mut Ui,
    question: Question,
    own: &[UserPreset],
    commands: &mut Vec<Command>,
) -> Question {
    let mut send = |command| {
        commands.push(Command::Preset(command));
        Question::None
    };
    match question {
        Question::None => Question::None,
        Question::Save { mut name, replace } => {
            if replace {
                return match confirm(ui, &format!("Replace “{name}”?"), "Replace") {
                    Some(true) => send(PresetCommand::Save { name, replace: true }),
                    Some(false) => Question::Save { name, replace: false },
                    None => Question::Save { name, replace },
                };
            }
            match text(ui, &mut name, "Save") {
                Some(true) if own.iter().any(|own| own.name == name) => {
                    Question::Save { name, replace: true }
                }
                Some(true) => send(PresetCommand::Save { name, replace: false }),
                Some(false) => Question::None,
                None => Question::Save { name, replace },
            }
        }
        Question::Rename { name, mut new_name } => {
            match text(ui, &mut new_name, "Rename to this") {
                Some(true) => send(PresetCommand::Rename { name, new_name }),
                Some(false) => Question::None,
                None => Question::Rename { name, new_name },
            }
        }
        Question::Delete { name } => {
            match confirm(ui, &format!("Delete “{name}” for good?"), "Delete it") {
                Some(true) => send(PresetCommand::Delete(name)),
                Some(false) => Question::None,
                None => Question::Delete { name },
            }
        }
    }
}

/// Yes, no, or no answer yet.
fn confirm(ui: &mut Ui, question: &str, yes: &str) -> Option<bool> {
    ui.add(egui::Label::new(RichText::new(question).color(theme::NOTICE)).wrap());
    ui.horizontal(|ui| {
        let answers = [ui.button(yes).clicked(), ui.button("Keep it").clicked()];
        match answers {
            [true, _] => Some(true),
            [_, true] => Some(false),
            _ => None,
        }
    })
    .inner
}

/// Edits a name: whether to take it, once that is decided.
fn text(ui: &mut Ui, name: &mut String, take: &str) -> Option<bool> {
    let refusal = check_preset_name(name).err();
    let answer = ui
        .horizontal(|ui| {
            let field = TextEdit::singleline(name).char_limit(64).desired_width(116.0);
            let field = ui.add(field.hint_text("Name of the preset"));
            // A question that is new has the keyboard.
            let asked = field.id.with("asked");
            let pass = ui.ctx().cumulative_pass_nr();
            let last: Option<u64> = ui.data(|data| data.get_temp(asked));
            if last.is_none_or(|last| last + 2 < pass) {
                field.request_focus();
            }
            ui.data_mut(|data| data.insert_temp(asked, pass));
            let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let escape = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape));
            let taken = ui.add_enabled(refusal.is_none(), egui::Button::new(take)).clicked();
            let left = ui.button("Cancel").clicked();
            if taken || enter && refusal.is_none() {
                Some(true)
            } else if left || escape {
                Some(false)
            } else {
                None
            }
        })
        .inner;
    if let Some(reason) = refusal.filter(|_| !name.is_empty()) {
        let text = RichText::new(reason.to_string()).small().color(theme::NOTICE);
        ui.add(egui::Label::new(text).wrap());
    }
    answer
}
