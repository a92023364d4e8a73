//! Random input to the panels: clicks anywhere and on controls, drags, keys, typing, the wheel and resizes,
//! on a session without a GPU. Nothing panics, and every setting stays within its table.

use std::panic::{AssertUnwindSafe, catch_unwind};

use egui::{Event, Modifiers, Pos2, Vec2, pos2, vec2};
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use winit::keyboard::KeyCode;

use super::super::*;
use super::bench::{Bench, egui_key};
use crate::app::camera::{FlyCamera, Orbit, Walk};
use crate::app::held::Held;
use crate::app::state;
use crate::app::time::Clock;
use crate::eye::{EyeLevel, Water};
use crate::settings::Settings as _;

/// Actions of one seed, which bound the length of a reproduction.
const ACTIONS_PER_SEED: u64 = 100;

const KEYS: &[KeyCode] = &[
    KeyCode::KeyW,
    KeyCode::KeyS,
    KeyCode::KeyA,
    KeyCode::KeyD,
    KeyCode::KeyQ,
    KeyCode::KeyE,
    KeyCode::KeyF,
    KeyCode::KeyG,
    KeyCode::KeyM,
    KeyCode::KeyO,
    KeyCode::KeyY,
    KeyCode::KeyZ,
    KeyCode::Space,
    KeyCode::Period,
    KeyCode::BracketLeft,
    KeyCode::BracketRight,
    KeyCode::Tab,
    KeyCode::Tab,
    KeyCode::Tab,
    KeyCode::Enter,
    KeyCode::Escape,
    KeyCode::Backspace,
    KeyCode::Delete,
    KeyCode::ArrowUp,
    KeyCode::ArrowDown,
    KeyCode::ArrowLeft,
    KeyCode::ArrowRight,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::F1,
    KeyCode::F6,
    KeyCode::F6,
    KeyCode::F9,
    KeyCode::F11,
    KeyCode::F12,
    KeyCode::Digit0,
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit9,
    KeyCode::Minus,
    KeyCode::Equal,
];

const TEXTS: &[&str] =
    &["1", "-", "nan", "inf", "1e308", "0.5", "storm", "a", "../x", "海 €", " ", "\u{7f}"];

struct RandomUser {
    rng: Pcg64Mcg,
    size: Vec2,
}

impl RandomUser {
    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.rng.random_range(0..all.len())]
    }

    /// A place anywhere, or on a control.
    fn place(&mut self, bench: &Bench) -> Pos2 {
        let controls = bench.controls();
        if !controls.is_empty() && self.rng.random_range(0..4) > 0 {
            let rect = self.one_of(&controls).1;
            let share = vec2(self.rng.random(), self.rng.random());
            return rect.min + rect.size() * share;
        }
        let share = vec2(self.rng.random(), self.rng.random());
        (share * self.size).to_pos2()
    }

    /// Does something random, and describes it.
    fn act(&mut self, bench: &mut Bench) -> String {
        match self.rng.random_range(0..100) {
            0..40 => {
                let place = self.place(bench);
                bench.click_at(place);
                format!("click at {place:?}")
            }
            40..55 => {
                let from = self.place(bench);
                let by =
                    vec2(self.rng.random_range(-200.0..200.0), self.rng.random_range(-40.0..40.0));
                bench.drag(from, from + by);
                format!("drag from {from:?} by {by:?}")
            }
            55..80 => {
                let key = *self.one_of(KEYS);
                let modifiers = match self.rng.random_range(0..6) {
                    0 => Modifiers::COMMAND,
                    1 => Modifiers::SHIFT,
                    2 => Modifiers::COMMAND | Modifiers::SHIFT,
                    _ => Modifiers::NONE,
                };
                bench.press_with(key, modifiers);
                format!("{key:?} with {modifiers:?}")
            }
            80..87 => {
                let text = *self.one_of(TEXTS);
                bench.frame(vec![Event::Text(text.to_owned())]);
                format!("type {text:?}")
            }
            87..93 => {
                let (place, notches) = (self.place(bench), self.rng.random_range(-3.0..3.0_f32));
                bench.frame(vec![
                    Event::PointerMoved(place),
                    Event::MouseWheel {
                        unit: egui::MouseWheelUnit::Line,
                        delta: vec2(0.0, notches),
                        phase: egui::TouchPhase::Move,
                        source: egui::MouseWheelSource::Unknown,
                        modifiers: Modifiers::NONE,
                    },
                ]);
                bench.world().workspace.session.cameras.wheel(f64::from(notches));
                format!("wheel by {notches}")
            }
            93..97 => {
                let sizes = [[1.0, 1.0], [3.0, 700.0], [300.0, 200.0], [640.0, 360.0]];
                let more = [[1280.0, 720.0], [1280.0, 720.0], [3840.0, 2160.0]];
                let size = *self.one_of(&[&sizes[..], &more[..]].concat());
                self.size = size.into();
                bench.resize(self.size);
                format!("resize to {size:?}")
            }
            _ => {
                // Time passes, and the camera with it.
                let (seconds, x) =
                    (self.rng.random_range(0.0..0.3), self.rng.random_range(-400.0..400.0));
                let mut held = Held::default();
                held.set(*self.one_of(KEYS), true);
                let session = &mut bench.world().workspace.session;
                session.clock.advance(seconds);
                session.cameras.look(&mut session.scene.camera, (x, 0.3 * x));
                let ground = session.ground();
                session.cameras.advance(&mut session.scene.camera, &held, seconds, ground);
                let water = Water { level_m: 0.02 * x, highest_m: 0.02 * x + 0.5 };
                session.cameras.eye(&mut session.scene.camera, Some(&water), ground);
                format!("{seconds} s pass")
            }
        }
    }
}

/// Checks every setting against its table or range.
fn check(session: &Session) {
    session.scene.validate().unwrap();
    session.quality.validate().unwrap();
    assert!(Session::UI_SCALES.contains(&session.ui_scale), "{}", session.ui_scale);
    assert!(Session::RENDER_SCALES.contains(&session.render_scale), "{}", session.render_scale);
    assert!(Clock::RATES.contains(&session.clock.rate), "{}", session.clock.rate);
    assert!(session.clock.time_s.is_finite());
    assert!(FlyCamera::SPEEDS_MPS.contains(&session.cameras.fly.speed_mps));
    let cameras = &session.cameras;
    assert!(Walk::SPEEDS_MPS.contains(&cameras.walk.speed_mps), "{:?}", cameras.walk);
    assert!(EyeLevel::HEIGHTS_M.contains(&cameras.walk.height_m), "{:?}", cameras.walk);
    assert!(!cameras.is_walking || cameras.orbit.is_none());
    if let Some(orbit) = &session.cameras.orbit {
        // The wheel's change is brought into the range when the camera next moves.
        assert!(orbit.distance_m > 0.0 && orbit.distance_m < 1e3 * Orbit::DISTANCES_M.end());
    }
    assert!(session.quality.size.is_power_of_two() && session.quality.tile_cells.is_multiple_of(2));
    assert!((1..=10_000).contains(&session.capture_frames) && session.frame_cap <= 1_000);
}

fn run(seed: u64, actions: u64) {
    let size = vec2(1280.0, 720.0);
    let mut user = RandomUser { rng: Pcg64Mcg::seed_from_u64(seed), size };
    let mut done = vec![format!("first draw {}", user.rng.next_u32())];
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut bench = Bench::new(size.into());
        for _ in 0..actions {
            done.push(user.act(&mut bench));
            check(bench.session());
        }
        // The resulting session can be saved and loaded.
        let path = bench.folder().join("view.toml");
        state::save(&path, bench.session()).unwrap();
        let kept = state::load(&path);
        assert_eq!(kept.scene.sea, bench.session().scene.sea);
        assert_eq!(kept.cameras.bookmarks, bench.session().cameras.bookmarks);
    }));
    if let Err(panic) = outcome {
        eprintln!("seed {seed} failed (SEAWAY_RANDOM_SEED={seed} repeats it) after:");
        for action in &done {
            eprintln!("  {action}");
        }
        std::panic::resume_unwind(panic);
    }
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{variable}={text:?}: {error}")))
}

/// `SEAWAY_RANDOM_ACTIONS` is the number of actions, 1000 by default; `SEAWAY_RANDOM_SEED` repeats one seed.
#[test]
fn random_hands_break_nothing() {
    if let Some(seed) = number("SEAWAY_RANDOM_SEED") {
        return run(seed, ACTIONS_PER_SEED);
    }
    let actions = number("SEAWAY_RANDOM_ACTIONS").unwrap_or(1_000);
    for seed in 0..actions.div_ceil(ACTIONS_PER_SEED) {
        run(seed, ACTIONS_PER_SEED.min(actions - seed * ACTIONS_PER_SEED));
    }
}

#[test]
fn the_hands_have_keys_that_the_panels_know() {
    for key in KEYS {
        assert!(egui_key(*key).is_some(), "{key:?}");
    }
    let mut bench = Bench::new([1280.0, 720.0]);
    let title = bench.controls();
    assert!(title.iter().any(|(name, _)| name.contains("Seaway")), "{title:?}");
    bench.click_at(pos2(5.0, 700.0));
    check(bench.session());
}
