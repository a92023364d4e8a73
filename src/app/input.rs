//! The keys and their actions: one table for the window and for the help overlay. Keys are physical, so that
//! they lie under the same fingers on every keyboard.

use winit::keyboard::KeyCode;

use super::camera::{BookmarkAct, Bookmarks};
use crate::app::platform;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Help,
    HideUi,
    Pause,
    Step,
    NextAlgorithm,
    NextView,
    PreviousView,
    SmallerFft,
    LargerFft,
    Quit,
    Timeline,
    CompareFfts,
    Measure,
    RecordCapture,
    FullScreen,
    Screenshot,
    Undo,
    Redo,
    Orbit,
    Walk,
    /// Gives the keyboard to the panels, or takes it back.
    Panels,
    Zoom(i8),
    /// Resets the panels to the size that the screen suggests.
    ZoomReset,
    Bookmark(BookmarkAct, u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Press {
    /// The key's physical position.
    pub key: KeyCode,
    /// The character on the key, if it is one: shortcuts go by the letter.
    pub character: Option<char>,
    /// Ctrl, or Cmd on a Mac.
    pub command: bool,
    pub shift: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyboard {
    Sea,
    Panels,
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    Panels,
    Workspace(Action),
    Camera,
}

/// Keys that act when they are pressed.
const PRESSES: &[(KeyCode, Action)] = &[
    (KeyCode::KeyO, Action::Orbit),
    (KeyCode::KeyG, Action::Walk),
    (KeyCode::F1, Action::Help),
    (KeyCode::F6, Action::Panels),
    (KeyCode::Tab, Action::HideUi),
    (KeyCode::Space, Action::Pause),
    (KeyCode::Period, Action::Step),
    (KeyCode::KeyF, Action::NextAlgorithm),
    (KeyCode::KeyV, Action::NextView),
    (KeyCode::BracketLeft, Action::SmallerFft),
    (KeyCode::BracketRight, Action::LargerFft),
    (KeyCode::KeyP, Action::Timeline),
    (KeyCode::KeyC, Action::CompareFfts),
    (KeyCode::KeyM, Action::Measure),
    (KeyCode::F9, Action::RecordCapture),
    (KeyCode::F11, Action::FullScreen),
    (KeyCode::F12, Action::Screenshot),
    (KeyCode::Escape, Action::Quit),
];

/// Headings of the help overlay, and their lines: keys and their effect.
pub(super) const HELP: &[(&str, &[(&str, &str)])] = &[
    (
        "Camera",
        &[
            ("W A S D", "fly (or the arrow keys)"),
            ("E  Q", "fly up, down"),
            ("Right mouse", "hold and move to look around"),
            ("Fingers", "one finger looks around, two fly"),
            (platform::STRINGS.speed_keys, "fly fast, slow"),
            ("Wheel", "change the flying speed"),
            ("O", "orbit a point; W S and the wheel: nearer, farther"),
            ("G", "walk on the water; E Q: raise, lower the eye"),
            ("1 .. 9", "go to a bookmark (Ctrl: store it)"),
        ],
    ),
    (
        "Sea and FFT",
        &[
            ("Space", "pause the sea"),
            (".", "pause and advance one step"),
            ("F", "next FFT algorithm"),
            ("V", "next debug view (Shift V: back)"),
            ("[  ]", "smaller, larger FFT"),
            ("Ctrl Z", "undo a setting (Ctrl Shift Z or Ctrl Y: redo)"),
        ],
    ),
    (
        "Panels",
        &[
            ("P", "timeline: where the time of each frame goes"),
            ("C", "compare FFTs"),
            ("M", "measure the sea: wave height, slopes, period, spectrum"),
            ("Tab", "hide or show the panels at the sides"),
            ("F6", "use panels by keyboard (Tab, arrows, Space; Esc: fly)"),
            ("Ctrl + - 0", "larger, smaller, normal panels"),
            ("F1", "this help"),
        ],
    ),
    (
        "Window",
        &[
            ("F9", platform::STRINGS.capture),
            ("F11", "full screen"),
            ("F12", "screenshot"),
            ("Esc", platform::STRINGS.escape),
        ],
    ),
];

/// Routes `press` while `keyboard` has the keyboard.
pub(super) fn route(press: Press, keyboard: Keyboard) -> Route {
    let action = action(press);
    let is_ours = match keyboard {
        Keyboard::Sea => true,
        Keyboard::Panels => action.is_some_and(|action| is_global(press, action)),
        // A text field undoes its own typing.
        Keyboard::Text => action.is_some_and(|action| {
            is_global(press, action) && !matches!(action, Action::Undo | Action::Redo)
        }),
    };
    match action {
        _ if !is_ours => Route::Panels,
        Some(action) => Route::Workspace(action),
        None => Route::Camera,
    }
}

/// The action of `press` while keys fly.
fn action(press: Press) -> Option<Action> {
    let Press { key, command, .. } = press;
    if command && let Some(action) = shortcut(press) {
        return Some(action);
    }
    if let Some(digit) = digit(key).filter(|digit| Bookmarks::DIGITS.contains(digit)) {
        return Some(Action::Bookmark(BookmarkAct::Go, digit));
    }
    match PRESSES.iter().find(|(bound, _)| *bound == key)?.1 {
        Action::NextView if press.shift => Some(Action::PreviousView),
        action => Some(action),
    }
}

/// The action of a key with Ctrl. Letters and signs are those printed on the keys, since layouts differ.
fn shortcut(press: Press) -> Option<Action> {
    match press.character.map(|character| character.to_ascii_lowercase()) {
        Some('z') if press.shift => return Some(Action::Redo),
        Some('z') => return Some(Action::Undo),
        Some('y') => return Some(Action::Redo),
        Some('+' | '=') => return Some(Action::Zoom(1)),
        Some('-' | '_') => return Some(Action::Zoom(-1)),
        _ => {}
    }
    match (press.key, digit(press.key)) {
        (KeyCode::Tab, _) => Some(Action::Panels),
        (KeyCode::NumpadAdd, _) => Some(Action::Zoom(1)),
        (KeyCode::NumpadSubtract, _) => Some(Action::Zoom(-1)),
        (_, Some(0)) => Some(Action::ZoomReset),
        (_, Some(digit)) => Some(Action::Bookmark(BookmarkAct::Store, digit)),
        _ => None,
    }
}

fn digit(key: KeyCode) -> Option<u8> {
    let name = format!("{key:?}");
    name.strip_prefix("Digit").or(name.strip_prefix("Numpad"))?.parse().ok()
}

/// Whether the action works in every mode: its key neither writes nor moves the focus.
fn is_global(press: Press, action: Action) -> bool {
    let with_command = press.command && shortcut(press) == Some(action);
    with_command
        || matches!(
            press.key,
            KeyCode::F1 | KeyCode::F6 | KeyCode::F9 | KeyCode::F11 | KeyCode::F12
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::held::HOLDS;

    #[test]
    fn no_key_has_two_meanings() {
        let held = HOLDS.iter().flat_map(|(keys, _)| *keys);
        let keys: Vec<_> = held.chain(PRESSES.iter().map(|(key, _)| key)).collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[index + 1..].contains(key), "{key:?}");
        }
    }

    fn plain(key: KeyCode) -> Press {
        Press { key, character: None, command: false, shift: false }
    }

    #[test]
    fn a_key_goes_to_who_has_the_keyboard() {
        let tab = plain(KeyCode::Tab);
        assert_eq!(route(tab, Keyboard::Sea), Route::Workspace(Action::HideUi));
        assert_eq!(route(plain(KeyCode::KeyW), Keyboard::Sea), Route::Camera);
        for keyboard in [Keyboard::Panels, Keyboard::Text] {
            for key in [KeyCode::Tab, KeyCode::KeyW, KeyCode::Space, KeyCode::Escape] {
                assert_eq!(route(plain(key), keyboard), Route::Panels, "{key:?}");
            }
            assert_eq!(route(plain(KeyCode::F6), keyboard), Route::Workspace(Action::Panels));
        }
        let control = |key, character| Press { command: true, character, ..plain(key) };
        // On a German keyboard, Z lies where Y does elsewhere.
        let undo = control(KeyCode::KeyY, Some('z'));
        assert_eq!(route(undo, Keyboard::Sea), Route::Workspace(Action::Undo));
        assert_eq!(route(undo, Keyboard::Panels), Route::Workspace(Action::Undo));
        assert_eq!(route(undo, Keyboard::Text), Route::Panels);
        let redo = Press { shift: true, character: Some('Z'), ..undo };
        assert_eq!(route(redo, Keyboard::Sea), Route::Workspace(Action::Redo));
        let store = Route::Workspace(Action::Bookmark(BookmarkAct::Store, 4));
        assert_eq!(route(control(KeyCode::Digit4, Some('4')), Keyboard::Text), store);
        let go = Route::Workspace(Action::Bookmark(BookmarkAct::Go, 4));
        assert_eq!(route(plain(KeyCode::Digit4), Keyboard::Sea), go);
        assert_eq!(route(plain(KeyCode::Digit4), Keyboard::Text), Route::Panels);
        let zoom = Route::Workspace(Action::ZoomReset);
        assert_eq!(route(control(KeyCode::Digit0, Some('0')), Keyboard::Panels), zoom);
        // Flying slowly forward is no shortcut.
        assert_eq!(route(control(KeyCode::KeyW, Some('w')), Keyboard::Sea), Route::Camera);
    }
}
