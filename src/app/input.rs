//! What the keys do: one table for the window and for the help overlay. Keys are physical, so
//! that they lie under the same fingers on every keyboard.

use winit::keyboard::KeyCode;

/// What one press of a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Help,
    HideUi,
    Pause,
    Step,
    NextAlgorithm,
    SmallerFft,
    LargerFft,
    Quit,
    RecordCapture,
    FullScreen,
    Screenshot,
}

/// Where a held key pushes the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Push {
    Forward,
    Back,
    Left,
    Right,
    Up,
    Down,
    Fast,
    Slow,
}

/// A key's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Press(Action),
    Hold(Push),
}

/// Keys that mean the same, their name and what they do, in the help's order.
struct Binding {
    keys: &'static [KeyCode],
    meaning: Meaning,
}

const fn press(keys: &'static [KeyCode], action: Action) -> Binding {
    Binding { keys, meaning: Meaning::Press(action) }
}

const fn hold(keys: &'static [KeyCode], push: Push) -> Binding {
    Binding { keys, meaning: Meaning::Hold(push) }
}

const BINDINGS: &[Binding] = &[
    hold(&[KeyCode::KeyW, KeyCode::ArrowUp], Push::Forward),
    hold(&[KeyCode::KeyS, KeyCode::ArrowDown], Push::Back),
    hold(&[KeyCode::KeyA, KeyCode::ArrowLeft], Push::Left),
    hold(&[KeyCode::KeyD, KeyCode::ArrowRight], Push::Right),
    hold(&[KeyCode::KeyE, KeyCode::PageUp], Push::Up),
    hold(&[KeyCode::KeyQ, KeyCode::PageDown], Push::Down),
    hold(&[KeyCode::ShiftLeft, KeyCode::ShiftRight], Push::Fast),
    hold(&[KeyCode::ControlLeft, KeyCode::ControlRight], Push::Slow),
    press(&[KeyCode::F1], Action::Help),
    press(&[KeyCode::Tab], Action::HideUi),
    press(&[KeyCode::Space], Action::Pause),
    press(&[KeyCode::Period], Action::Step),
    press(&[KeyCode::KeyF], Action::NextAlgorithm),
    press(&[KeyCode::BracketLeft], Action::SmallerFft),
    press(&[KeyCode::BracketRight], Action::LargerFft),
    press(&[KeyCode::F9], Action::RecordCapture),
    press(&[KeyCode::F11], Action::FullScreen),
    press(&[KeyCode::F12], Action::Screenshot),
    press(&[KeyCode::Escape], Action::Quit),
];

/// The help overlay's lines: keys and what they do.
pub(super) const HELP: &[(&str, &str)] = &[
    ("W A S D", "fly (the arrow keys too)"),
    ("E  Q", "fly up, down"),
    ("Right mouse", "hold and move to look around"),
    ("Shift  Ctrl", "fly fast, slow"),
    ("Wheel", "change the flying speed"),
    ("Space", "pause the sea"),
    (".", "pause and step"),
    ("F", "next FFT algorithm"),
    ("[  ]", "smaller, larger FFT"),
    ("Tab", "hide or show the panels"),
    ("F1", "this help"),
    ("F9", "record a capture (Perfetto, puffin, CSV)"),
    ("F11", "full screen"),
    ("F12", "screenshot"),
    ("Esc", "quit"),
];

/// What a press of `key` does.
pub(super) fn action(key: KeyCode) -> Option<Action> {
    BINDINGS.iter().find_map(|binding| match binding.meaning {
        Meaning::Press(action) if binding.keys.contains(&key) => Some(action),
        _ => None,
    })
}

/// The action works even where a text field has the keyboard.
pub(super) fn is_global(key: KeyCode) -> bool {
    matches!(key, KeyCode::F1 | KeyCode::F9 | KeyCode::F11 | KeyCode::F12)
}

/// The keys that are held down.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    /// One bit per binding and key.
    down: u64,
}

impl Held {
    /// A key went down or up.
    pub fn set(&mut self, key: KeyCode, pressed: bool) {
        let mut bit = 0;
        for binding in BINDINGS {
            for bound in binding.keys {
                if *bound == key {
                    let mask = 1_u64 << bit;
                    self.down = if pressed { self.down | mask } else { self.down & !mask };
                }
                bit += 1;
            }
        }
    }

    /// The window lost the keyboard: no key-up events will come.
    pub fn clear(&mut self) {
        self.down = 0;
    }

    /// A key of that meaning is down.
    pub fn pushes(&self, push: Push) -> bool {
        let mut bit = 0;
        for binding in BINDINGS {
            for _ in binding.keys {
                if binding.meaning == Meaning::Hold(push) && self.down & (1 << bit) != 0 {
                    return true;
                }
                bit += 1;
            }
        }
        false
    }

    /// +1, 0 or -1, as the two keys push.
    pub fn axis(&self, plus: Push, minus: Push) -> f64 {
        f64::from(u8::from(self.pushes(plus))) - f64::from(u8::from(self.pushes(minus)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_has_two_meanings() {
        let keys: Vec<_> = BINDINGS.iter().flat_map(|binding| binding.keys).collect();
        assert!(keys.len() <= 64);
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[index + 1..].contains(key), "{key:?}");
        }
    }

    #[test]
    fn held_keys_are_independent() {
        let mut held = Held::default();
        held.set(KeyCode::KeyW, true);
        held.set(KeyCode::ArrowUp, true);
        held.set(KeyCode::KeyA, true);
        held.set(KeyCode::F35, true);
        assert_eq!(held.axis(Push::Forward, Push::Back), 1.0);
        assert_eq!(held.axis(Push::Right, Push::Left), -1.0);
        held.set(KeyCode::KeyW, false);
        assert!(held.pushes(Push::Forward), "the arrow is still down");
        held.set(KeyCode::KeyS, true);
        assert_eq!(held.axis(Push::Forward, Push::Back), 0.0);
        held.clear();
        assert!(!held.pushes(Push::Left));
        assert_eq!((action(KeyCode::Tab), action(KeyCode::KeyW)), (Some(Action::HideUi), None));
    }
}
