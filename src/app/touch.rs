//! Fingers on the picture: one looks around, two fly. Plain numbers, apart from the window.

#[derive(Clone, Copy, Debug, PartialEq)]
struct Finger {
    id: u64,
    start: [f64; 2],
    at: [f64; 2],
}

/// The fingers that are down, in logical pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Touches {
    fingers: Vec<Finger>,
}

impl Touches {
    /// Radius within which a resting finger trembles.
    const DEAD_PX: f64 = 8.0;
    /// Distance from their start at which two fingers fly at full speed.
    const FULL_PX: f64 = 90.0;

    pub fn down(&mut self, id: u64, at: [f64; 2]) {
        self.up(id);
        self.fingers.push(Finger { id, start: at, at });
        if self.fingers.len() == 2 {
            // Where the first one has been was for looking.
            self.fingers[0].start = self.fingers[0].at;
        }
    }

    /// Moves a finger. Returns the pixels by which the view is to turn, as for a mouse: the picture follows
    /// the finger.
    pub fn moved(&mut self, id: u64, at: [f64; 2]) -> Option<(f64, f64)> {
        let is_alone = self.fingers.len() == 1;
        let finger = self.fingers.iter_mut().find(|finger| finger.id == id)?;
        let moved = [0, 1].map(|axis| at[axis] - finger.at[axis]);
        finger.at = at;
        is_alone.then_some((-moved[0], -moved[1]))
    }

    /// Removes a finger that went up or no longer counts.
    pub fn up(&mut self, id: u64) {
        self.fingers.retain(|finger| finger.id != id);
    }

    pub fn clear(&mut self) {
        self.fingers.clear();
    }

    /// The push of two fingers to the right and forward, -1 to 1, by their distance from where they went
    /// down.
    pub fn push(&self) -> [f64; 2] {
        let [one, two] = self.fingers[..] else { return [0.0; 2] };
        let [right, down] = [0, 1]
            .map(|axis| 0.5 * (one.at[axis] - one.start[axis] + two.at[axis] - two.start[axis]));
        let length = right.hypot(down);
        if length <= Self::DEAD_PX {
            return [0.0; 2];
        }
        let strength = ((length - Self::DEAD_PX) / (Self::FULL_PX - Self::DEAD_PX)).min(1.0);
        [strength * right / length, -strength * down / length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_finger_looks_and_two_fly() {
        let mut touches = Touches::default();
        assert_eq!(touches.moved(7, [1.0, 1.0]), None, "it never went down here");
        touches.down(7, [100.0, 100.0]);
        assert_eq!(touches.moved(7, [110.0, 95.0]), Some((-10.0, 5.0)));
        assert_eq!(touches.push(), [0.0; 2]);

        touches.down(9, [200.0, 100.0]);
        assert_eq!(touches.push(), [0.0; 2], "what has been looked at is not flown");
        assert_eq!(touches.moved(7, [110.0, 0.0]), None);
        touches.moved(9, [200.0, 0.0]);
        let [right, forward] = touches.push();
        assert!(right.abs() < 1e-12 && (forward - 1.0).abs() < 1e-12, "{right} {forward}");
        touches.moved(7, [110.0, 92.0]);
        touches.moved(9, [203.0, 98.0]);
        assert_eq!(touches.push(), [0.0; 2], "they rest");

        touches.up(7);
        assert_eq!(touches.push(), [0.0; 2]);
        assert_eq!(touches.moved(9, [204.0, 98.0]), Some((-1.0, -0.0)));
        touches.clear();
        assert_eq!(touches, Touches::default());
    }

    #[test]
    fn a_third_finger_is_no_pilot() {
        let mut touches = Touches::default();
        for id in 0..3 {
            touches.down(id, [0.0; 2]);
        }
        for id in 0..3 {
            assert_eq!(touches.moved(id, [0.0, -90.0]), None);
        }
        assert_eq!(touches.push(), [0.0; 2]);
    }
}
