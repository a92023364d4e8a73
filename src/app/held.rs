//! The keys that are held down to move the camera.

use winit::keyboard::KeyCode;

use crate::app::platform;

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

/// Keys that push the camera while they are held.
pub(super) const HOLDS: &[(&[KeyCode], Push)] = &[
    (&[KeyCode::KeyW, KeyCode::ArrowUp], Push::Forward),
    (&[KeyCode::KeyS, KeyCode::ArrowDown], Push::Back),
    (&[KeyCode::KeyA, KeyCode::ArrowLeft], Push::Left),
    (&[KeyCode::KeyD, KeyCode::ArrowRight], Push::Right),
    (&[KeyCode::KeyE, KeyCode::PageUp], Push::Up),
    (&[KeyCode::KeyQ, KeyCode::PageDown], Push::Down),
    (&[KeyCode::ShiftLeft, KeyCode::ShiftRight], Push::Fast),
    (platform::SLOW_KEYS, Push::Slow),
];

/// The keys held down, and the push of fingers.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    down: Vec<KeyCode>,
    /// To the right and forward, -1 to 1.
    fingers: [f64; 2],
}

impl Held {
    /// Records a key that went down or up.
    pub fn set(&mut self, key: KeyCode, pressed: bool) {
        self.down.retain(|down| *down != key);
        self.down.extend(pressed.then_some(key));
    }

    /// Sets the push of fingers to the right and forward, -1 to 1.
    pub fn push(&mut self, fingers: [f64; 2]) {
        self.fingers = fingers;
    }

    /// Releases all keys when the window loses the keyboard, since no key-up events will come.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether a key of that meaning is down.
    pub fn pushes(&self, push: Push) -> bool {
        let mut bound = HOLDS.iter().filter(|(_, pushes)| *pushes == push);
        bound.any(|(keys, _)| keys.iter().any(|key| self.down.contains(key)))
    }

    /// Whether any key that moves the camera is down.
    pub fn pushes_somewhere(&self) -> bool {
        use Push::{Back, Down, Forward, Left, Right, Up};
        let keys = [Forward, Back, Left, Right, Up, Down];
        self.fingers != [0.0; 2] || keys.into_iter().any(|push| self.pushes(push))
    }

    /// The combined push of two opposite keys and fingers, -1 to 1.
    pub fn axis(&self, plus: Push, minus: Push) -> f64 {
        let keys = f64::from(u8::from(self.pushes(plus))) - f64::from(u8::from(self.pushes(minus)));
        let fingers = match plus {
            Push::Right => self.fingers[0],
            Push::Forward => self.fingers[1],
            _ => 0.0,
        };
        (keys + fingers).clamp(-1.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(!held.pushes_somewhere());
        held.set(KeyCode::ShiftLeft, true);
        assert!(!held.pushes_somewhere(), "Shift alone goes nowhere");
    }
}
