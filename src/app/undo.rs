//! Undo and redo of settings, step by step, as plain data. Flying is no change: a step knows both sides of
//! each setting, and undoing it touches only those that it changed, so that a camera that was turned in a
//! panel and then flown stays where it has flown to.

use std::collections::VecDeque;

use egui::Id;

use super::session::{Session, SessionField, SessionVisitor};
use crate::settings::Settings;

/// A session of which the fields that can be undone count.
#[derive(Clone, Debug)]
pub(super) struct Choices(Session);

impl Choices {
    pub fn of(session: &Session) -> Self {
        Self(session.clone())
    }
}

impl PartialEq for Choices {
    fn eq(&self, other: &Self) -> bool {
        let mut equality = Equality { sessions: [&self.0, &other.0], holds: true };
        Session::visit(&mut equality);
        equality.holds
    }
}

struct Equality<'a> {
    sessions: [&'a Session; 2],
    holds: bool,
}

impl SessionVisitor for Equality<'_> {
    fn field<T: PartialEq>(&mut self, field: SessionField<T>) {
        let [one, other] = self.sessions.map(field.get);
        self.holds &= !field.uses.undone || one == other;
    }

    fn table<S: Settings>(&mut self, table: SessionField<S>) {
        let [one, other] = self.sessions.map(table.get);
        self.holds &= one.differences(other).next().is_none();
    }
}

/// Applies the difference of two sessions to a third.
struct Applied<'a> {
    from: &'a Session,
    to: &'a Session,
    session: &'a mut Session,
}

impl SessionVisitor for Applied<'_> {
    fn field<T: Clone + PartialEq>(&mut self, field: SessionField<T>) {
        let (from, to) = ((field.get)(self.from), (field.get)(self.to));
        if field.uses.undone && from != to {
            (field.get_mut)(self.session).clone_from(to);
        }
    }

    fn table<S: Settings>(&mut self, table: SessionField<S>) {
        let place = (table.get_mut)(self.session);
        copy_fields((table.get)(self.from), (table.get)(self.to), place);
    }
}

/// One change, from both sides.
#[derive(Clone, Debug, PartialEq)]
struct Step {
    before: Choices,
    after: Choices,
}

impl Step {
    /// Ends the camera's movement where the step has moved it. Walking continues from there.
    fn put_the_camera(&self, session: &mut Session) {
        let moves_it = self.before.0.scene.camera != self.after.0.scene.camera;
        if moves_it && !session.cameras.is_walking {
            session.cameras.stay();
        }
    }
}

fn copy_fields<S: Settings>(from: &S, to: &S, place: &mut S) {
    for field in from.differences(to) {
        // Values of a session were in range when it got them.
        let _ = field.set(place, field.get(to));
    }
}

/// The steps done and undone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Undo {
    done: VecDeque<Step>,
    undone: Vec<Step>,
    /// The gesture of the last step, while it lasts: its further changes belong to the same step.
    gesture: Option<Id>,
}

impl Undo {
    pub const MAX_STEPS: usize = 200;

    /// Records the change from `before` to `session`. All changes of one `gesture` (a button held down, a
    /// text field being written in) are one step.
    pub fn record(&mut self, before: Choices, session: &Session, gesture: Option<Id>) {
        let after = Choices::of(session);
        let goes_on = gesture.is_some() && gesture == self.gesture;
        if before != after {
            self.undone.clear();
            match self.done.back_mut().filter(|_| goes_on) {
                Some(step) => {
                    // Only the changes of this gesture are taken. Meanwhile the camera may have flown and
                    // the sea have moved through the hours of a record.
                    let session = &mut step.after.0;
                    Session::visit(&mut Applied { from: &before.0, to: &after.0, session });
                }
                None => self.done.push_back(Step { before, after }),
            }
            self.gesture = gesture;
            if self.done.back().is_some_and(|step| step.before == step.after) {
                // The hand has gone back to where it began.
                self.done.pop_back();
                self.gesture = None;
            }
            if self.done.len() > Self::MAX_STEPS {
                self.done.pop_front();
            }
        } else if !goes_on {
            self.gesture = None;
        }
    }

    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Takes the last step back.
    pub fn undo(&mut self, session: &mut Session) {
        self.gesture = None;
        let Some(step) = self.done.pop_back() else { return };
        Session::visit(&mut Applied { from: &step.after.0, to: &step.before.0, session });
        step.put_the_camera(session);
        self.undone.push(step);
    }

    /// Takes the last undo back.
    pub fn redo(&mut self, session: &mut Session) {
        self.gesture = None;
        let Some(step) = self.undone.pop() else { return };
        Session::visit(&mut Applied { from: &step.before.0, to: &step.after.0, session });
        step.put_the_camera(session);
        self.done.push_back(step);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::app::session::{Group, TierChoice};
    use crate::choice::Choice as _;
    use crate::fft::lab::AlgorithmChoice;
    use crate::settings::{Kind, Preset, QualityTier, SeaState, Value};

    #[derive(Clone, Debug)]
    enum Edit {
        Scene(usize, f64),
        Quality(usize, f64),
        Preset(usize),
        Tier(usize),
        Algorithm(usize),
        Reset(usize),
    }

    fn edits() -> impl Strategy<Value = Edit> {
        let part = || (0..128_usize, 0.0..=1.0);
        prop_oneof![
            3 => part().prop_map(|(field, share)| Edit::Scene(field, share)),
            1 => part().prop_map(|(field, share)| Edit::Quality(field, share)),
            1 => (0..6_usize).prop_map(Edit::Preset),
            1 => (0..6_usize).prop_map(Edit::Tier),
            1 => (0..32_usize).prop_map(Edit::Algorithm),
            1 => (0..8_usize).prop_map(Edit::Reset),
        ]
    }

    fn set<S: Settings>(settings: &mut S, index: usize, share: f64) {
        let field = &S::FIELDS[index % S::FIELDS.len()];
        let value = match field.kind {
            Kind::Number { min, max, .. } => Value::Number(min + share * (max - min)),
            kind => {
                let values = kind.values();
                values[(share * (values.len() - 1) as f64) as usize]
            }
        };
        field.set(settings, value).unwrap();
    }

    fn make(edit: &Edit, session: &mut Session) {
        match *edit {
            Edit::Scene(field, share) => set(&mut session.scene, field, share),
            Edit::Quality(field, share) => {
                set(&mut session.quality, field, share);
                session.tier = TierChoice::Custom;
            }
            Edit::Preset(index) => {
                let (name, _) = Preset::SHIPPED[index % Preset::SHIPPED.len()];
                session.preset = name.to_owned();
                session.scene = Preset::load(name).unwrap();
            }
            Edit::Tier(index) => {
                session.tier = TierChoice::ALL[index % TierChoice::ALL.len()];
                if let Some(tier) = session.tier.tier(QualityTier::Medium) {
                    session.set_tier(tier);
                }
            }
            Edit::Algorithm(index) => {
                let all: Vec<_> = AlgorithmChoice::of_powers_of_two().collect();
                session.algorithm = all[index % all.len()];
            }
            Edit::Reset(index) => {
                session.reset(Group::ALL[index % Group::ALL.len()], QualityTier::Medium);
            }
        }
    }

    #[test]
    fn a_gesture_takes_nothing_of_a_voyage() {
        let (mut session, mut undo) = (Session::default(), Undo::default());
        let start = session.scene.light.sun_elevation_deg;
        for hour in [1.0, 2.0, 3.0] {
            let before = Choices::of(&session);
            session.scene.light.sun_elevation_deg = start + hour;
            undo.record(before, &session, Some(Id::unique("sun")));
            // Between two frames of the gesture.
            session.scene.sea.record_hour = hour;
        }
        undo.undo(&mut session);
        let scene = &session.scene;
        assert_eq!((scene.light.sun_elevation_deg, scene.sea.record_hour), (start, 3.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn undoing_and_redoing_all_reaches_both_ends(
            edits in prop::collection::vec((edits(), any::<bool>()), 0..60),
            detours in prop::collection::vec(any::<bool>(), 0..40),
        ) {
            let start = Session::default();
            let (mut session, mut undo) = (start.clone(), Undo::default());
            let hand = Id::unique("a hand");
            for (edit, is_dragged) in &edits {
                let before = Choices::of(&session);
                make(edit, &mut session);
                undo.record(before, &session, is_dragged.then_some(hand));
            }
            let end = session.clone();
            // Back and forth on the way changes nothing.
            for back in detours {
                if back { undo.undo(&mut session) } else { undo.redo(&mut session) }
            }
            while undo.can_redo() {
                undo.redo(&mut session);
            }
            prop_assert_eq!(Choices::of(&session), Choices::of(&end));
            while undo.can_undo() {
                undo.undo(&mut session);
            }
            prop_assert_eq!(Choices::of(&session), Choices::of(&start));
            while undo.can_redo() {
                undo.redo(&mut session);
            }
            prop_assert_eq!(Choices::of(&session), Choices::of(&end));
        }
    }

    fn blow(session: &mut Session, undo: &mut Undo, wind_speed_mps: f64, gesture: Option<Id>) {
        let before = Choices::of(session);
        session.scene.sea.wind_speed_mps = wind_speed_mps;
        undo.record(before, session, gesture);
    }

    #[test]
    fn each_drag_is_one_step_of_undo() {
        let (mut session, mut undo) = (Session::default(), Undo::default());
        let at_first = session.scene.sea.wind_speed_mps;
        let hand = Some(Id::unique("a hand"));
        for speed in [10.0, 11.0, 12.0] {
            blow(&mut session, &mut undo, speed, hand);
        }
        // Held still for a frame, and dragged on.
        blow(&mut session, &mut undo, 12.0, hand);
        blow(&mut session, &mut undo, 13.0, hand);
        blow(&mut session, &mut undo, 13.0, None);
        blow(&mut session, &mut undo, 14.0, hand);
        // There and back is no step.
        blow(&mut session, &mut undo, 14.0, None);
        blow(&mut session, &mut undo, 20.0, hand);
        blow(&mut session, &mut undo, 14.0, hand);
        for expected in [13.0, at_first] {
            undo.undo(&mut session);
            assert_eq!(session.scene.sea.wind_speed_mps, expected);
        }
        assert!(!undo.can_undo());
        undo.redo(&mut session);
        assert_eq!(session.scene.sea.wind_speed_mps, 13.0);
        blow(&mut session, &mut undo, 5.0, None);
        assert!(!undo.can_redo(), "another way was taken");
    }

    #[test]
    fn flying_is_not_undone() {
        let (mut session, mut undo) = (Session::default(), Undo::default());
        let before = Choices::of(&session);
        let pitch_deg = session.scene.camera.pitch_deg;
        session.scene.camera.pitch_deg = -30.0;
        undo.record(before, &session, None);
        session.scene.camera.x_m = 500.0;
        undo.undo(&mut session);
        let camera = &session.scene.camera;
        assert_eq!((camera.pitch_deg, camera.x_m), (pitch_deg, 500.0));
    }

    #[test]
    fn undo_leaves_a_carried_camera_to_other_drags() {
        let (mut session, mut undo) = (Session::default(), Undo::default());
        session.cameras.toggle_walk();
        let hand = Some(Id::unique("a hand"));
        for step in 1..5 {
            blow(&mut session, &mut undo, 10.0 + f64::from(step), hand);
            session.scene.camera.y_m = 1.0 + 0.5 * f64::from(step);
        }
        undo.undo(&mut session);
        assert_eq!(session.scene.sea, Session::default().scene.sea);
        assert_eq!((session.scene.camera.y_m, session.cameras.is_walking), (3.0, true));
    }

    #[test]
    fn the_history_is_bounded() {
        let (mut session, mut undo) = (Session::default(), Undo::default());
        for seed in 0..3 * Undo::MAX_STEPS as u32 {
            let before = Choices::of(&session);
            session.scene.sea = SeaState { seed: seed + 10, ..SeaState::default() };
            undo.record(before, &session, None);
        }
        let mut steps = 0;
        while undo.can_undo() {
            undo.undo(&mut session);
            steps += 1;
        }
        assert_eq!(steps, Undo::MAX_STEPS);
    }
}
