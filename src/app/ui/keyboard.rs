//! The keyboard in the panels. F6 gives it to them and takes it back. While they have it, Tab and the arrows
//! go from control to control, a ring shows the focused one, and Esc flies again. A clicked text field has it
//! without F6, until Esc, Enter or a click elsewhere.

use egui::{Context, FocusDirection, Id, Key, Popup, Stroke, Ui};

use super::theme;
use crate::app::input::Keyboard;
use crate::app::session::Session;

#[derive(Clone, Default)]
struct Memory {
    had_it: bool,
    /// The places of the focus, the latest last, to return to when the focused control disappears.
    trail: Vec<Id>,
}

const TRAIL: usize = 8;

fn memory_id() -> Id {
    Id::unique("keyboard in the panels")
}

pub(in crate::app) fn of(context: &Context, session: &Session) -> Keyboard {
    if context.text_edit_focused() {
        Keyboard::Text
    } else if session.panels_have_keyboard
        || context.egui_wants_keyboard_input()
        // Esc closes a list that the mouse has opened, and not the window.
        || Popup::is_any_open(context)
    {
        Keyboard::Panels
    } else {
        Keyboard::Sea
    }
}

/// The editing gesture in progress, if any: a button held down, a text field being written in, a key on a
/// control.
pub(in crate::app) fn gesture(context: &Context) -> Option<Id> {
    let (pointer, keys) = context.input(|input| {
        let pointer = input.pointer.any_down() || input.pointer.any_released();
        (pointer, !input.keys_down.is_empty())
    });
    let focused = context.memory(|memory| memory.focused());
    if pointer {
        Some(Id::unique("the pointer's gesture"))
    } else if context.text_edit_focused() {
        focused.map(|id| id.with("text"))
    } else if keys {
        focused.map(|id| id.with("keys"))
    } else {
        None
    }
}

/// To be called before the panels are shown.
pub(super) fn begin(context: &Context, session: &mut Session) {
    let mut memory: Memory = context.data(|data| data.get_temp(memory_id())).unwrap_or_default();
    session.panels_have_keyboard &= session.show_ui || session.show_help;
    let focused = context.memory(|memory| memory.focused());
    let (escape, pressed) =
        context.input(|input| (input.key_pressed(Key::Escape), input.pointer.any_pressed()));
    // Over a list that is open, Esc is meant for the list; a click is never meant for the sea.
    let is_elsewhere = pressed && !context.is_pointer_over_egui();
    if (escape || is_elsewhere) && !Popup::is_any_open(context) {
        session.panels_have_keyboard = false;
    }
    if session.panels_have_keyboard {
        if focused.is_none() {
            let is_there = |id: &Id| context.read_response(*id).is_some_and(|seen| seen.enabled());
            match memory.trail.iter().rev().copied().find(is_there) {
                Some(id) => context.memory_mut(|memory| memory.request_focus(id)),
                None => context.memory_mut(|memory| memory.move_focus(FocusDirection::Next)),
            }
        }
    } else if let Some(id) = focused
        && (memory.had_it || is_elsewhere)
    {
        context.memory_mut(|memory| memory.surrender_focus(id));
    }
    memory.had_it = session.panels_have_keyboard;
    context.data_mut(|data| data.insert_temp(memory_id(), memory));
}

/// To be called after they are shown.
pub(super) fn end(context: &Context, session: &mut Session) {
    let Some(focused) = context.memory(|memory| memory.focused()) else { return };
    // From a text field that was clicked, Tab goes on through the panels.
    if context.input(|input| input.key_pressed(Key::Tab)) {
        session.panels_have_keyboard = true;
    }
    context.data_mut(|data| {
        let memory: &mut Memory = data.get_temp_mut_or_default(memory_id());
        memory.had_it = session.panels_have_keyboard;
        if memory.trail.last() != Some(&focused) {
            memory.trail.retain(|id| *id != focused);
            memory.trail.push(focused);
            let surplus = memory.trail.len().saturating_sub(TRAIL);
            memory.trail.drain(..surplus);
        }
    });
    if session.panels_have_keyboard
        && let Some(control) = look_at(context, focused)
    {
        let ring = context.layer_painter(control.layer_id);
        let ring = ring.with_clip_rect(control.interact_rect.expand(3.0));
        let stroke = Stroke::new(2.0, theme::FOCUS);
        ring.rect_stroke(control.rect.expand(1.0), 4.0, stroke, egui::StrokeKind::Outside);
    }
}

/// The focused control. Asking for it in the pass of a click elsewhere takes its focus away, which it may
/// just have got by that click.
fn look_at(context: &Context, focused: Id) -> Option<egui::Response> {
    let control = context.read_response(focused);
    context.memory_mut(|memory| {
        if memory.focused() != Some(focused) {
            memory.request_focus(focused);
        }
    });
    control
}

/// Brings a newly focused control into view. To be called at the end of a scroll area.
pub(super) fn scroll_to_focus(ui: &Ui) {
    let Some(focused) = ui.memory(|memory| memory.focused()) else { return };
    let is_new = !ui.memory(|memory| memory.had_focus_last_frame(focused));
    if is_new
        && let Some(control) = look_at(ui.ctx(), focused)
        && control.layer_id == ui.layer_id()
    {
        ui.scroll_to_rect(control.rect.expand(6.0), None);
    }
}
