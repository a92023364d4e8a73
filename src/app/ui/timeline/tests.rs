//! The tab by pointer and keys, on synthetic frames.

use std::sync::Arc;

use egui::{Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::figures::{Column, Sort};
use super::view::{Marked, Zoom};
use super::*;
use crate::app::history::handmade;
use crate::app::session::DockTab;
use crate::app::ui::Allocated;
use crate::gpu::Capabilities;
use crate::spectrum::SeaSummary;

struct Scene {
    session: Session,
    history: History,
    has_gpu_timers: bool,
    has_dropped_stages: bool,
}

impl Scene {
    fn new(history: History) -> Self {
        let session =
            Session { show_ui: false, dock: Some(DockTab::Timeline), ..Session::default() };
        Self { session, history, has_gpu_timers: true, has_dropped_stages: false }
    }

    fn show(&mut self, ui: &mut Ui) {
        let capabilities = Capabilities::webgpu_defaults();
        let summary = SeaSummary::of(&self.session.scene.sea);
        let data = PanelData {
            allocated: Some(Allocated { used_bytes: 3 << 20, reserved_bytes: 1 << 30 }),
            has_gpu_timers: self.has_gpu_timers,
            has_dropped_stages: self.has_dropped_stages,
            ..PanelData::plain(&capabilities, &self.history, &summary)
        };
        crate::app::ui::show(ui, &mut self.session, &data);
    }

    fn open(self, size: [f32; 2]) -> Harness<'static, Self> {
        let mut harness = Harness::builder()
            .with_size(egui::Vec2::from(size))
            .with_context_setup(theme::apply)
            .with_step_dt(1.0 / 60.0)
            // Checks the tab's own widgets, and not the cards.
            .with_accessibility_check(!self.session.show_ui)
            .build_ui_state(|ui, scene: &mut Self| scene.show(ui), self);
        harness.run_steps(3);
        harness
    }
}

fn view(harness: &Harness<'_, Scene>) -> View {
    let view: Option<View> = harness.ctx.data(|data| data.get_temp(egui::Id::unique("timeline")));
    view.expect("the tab was shown")
}

fn click(harness: &mut Harness<'_, Scene>, label: &str) {
    harness.get_by_role_and_label(egui::Role::Button, label).click();
    harness.run_steps(2);
}

/// A place in the picture of that name, in shares of its size.
fn place(harness: &Harness<'_, Scene>, picture: &str, [x, y]: [f32; 2]) -> Pos2 {
    let rect = harness.get_by_label(picture).rect();
    rect.min + vec2(x, y) * rect.size()
}

fn drag(harness: &mut Harness<'_, Scene>, from: Pos2, to: Pos2, modifiers: Modifiers) {
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers,
    };
    harness.hover_at(from);
    harness.event(egui::Event::ModifiersChanged(modifiers));
    harness.event(button(from, true));
    harness.hover_at(from.lerp(to, 0.5));
    harness.hover_at(to);
    harness.step();
    harness.event(button(to, false));
    harness.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    harness.step();
}

fn wheel(harness: &mut Harness<'_, Scene>, at: Pos2, notches: f32) {
    harness.hover_at(at);
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, notches),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    harness.step();
}

/// The number of the frame in the flame view while the pointer is not on the bars.
fn in_sight(harness: &Harness<'_, Scene>) -> u64 {
    let view = view(harness);
    let live = &harness.state().history;
    let history = view.frozen().map_or(live, |frozen| frozen);
    history.frames()[view.frame_in_sight(history, None).unwrap()].frame
}

#[test]
fn a_pause_holds_the_view_while_frames_go_on() {
    let mut harness = Scene::new(handmade::usual(1..400)).open([1280.0, 720.0]);
    assert_eq!(in_sight(&harness), 399);
    click(&mut harness, "Pause");
    for number in 400..450 {
        harness.state_mut().history.push(handmade::usual_frame(number));
    }
    harness.run_steps(2);
    assert_eq!(in_sight(&harness), 399);
    assert_eq!(view(&harness).frozen().unwrap().len(), 399);
    click(&mut harness, "Resume");
    assert!(view(&harness).frozen().is_none());
    assert_eq!(in_sight(&harness), 449);
}

#[test]
fn frames_are_chosen_by_pointer_and_by_keys() {
    let mut harness = Scene::new(handmade::usual(1..400)).open([1280.0, 720.0]);
    // The bars show the newest 240: from 160 to 399.
    let [first, last] = [0.0, 1.0].map(|x| place(&harness, "Frame history", [x, 0.5]));
    drag(&mut harness, last - vec2(4.0, 0.0), first + vec2(1.0, 0.0), Modifiers::NONE);
    harness.remove_cursor();
    harness.run_steps(2);
    assert_eq!(in_sight(&harness), 160);
    assert!(view(&harness).frozen().is_some(), "choosing a frame pauses");

    // Keys go on past the left end of the bars, and stop at the first frame that is kept.
    for (key, steps, expected) in [
        (Key::ArrowRight, 3, 163),
        (Key::ArrowLeft, 5, 158),
        (Key::Home, 1, 1),
        (Key::ArrowLeft, 2, 1),
        (Key::End, 1, 399),
        (Key::ArrowRight, 1, 399),
    ] {
        for _ in 0..steps {
            harness.key_press(key);
            harness.step();
        }
        assert_eq!(in_sight(&harness), expected, "{key:?}");
        let view = view(&harness);
        let history = view.frozen().unwrap();
        let index = view.selected_index(history).unwrap();
        assert!(view.shown(history).contains(&index), "{key:?}: it is in the bars, too");
    }

    // A pointer on the bars shows another frame for as long as it is there.
    let middle = place(&harness, "Frame history", [0.5, 0.5]);
    harness.hover_at(middle);
    harness.run_steps(2);
    assert_eq!(in_sight(&harness), 399);
}

#[test]
fn a_marked_range_is_what_statistics_are_of() {
    let mut harness = Scene::new(handmade::usual(1..61)).open([1280.0, 720.0]);
    click(&mut harness, "60");
    let [from, to] = [10.5 / 60.0, 29.5 / 60.0].map(|x| place(&harness, "Frame history", [x, 0.5]));
    drag(&mut harness, to, from, Modifiers::SHIFT);
    harness.run_steps(2);
    let marked = view(&harness);
    assert_eq!(marked.range, Some(Marked { first: 11, last: 30 }));
    let history = marked.frozen().unwrap();
    assert_eq!(marked.examined(history), 10..30);
    // Frames 11 to 30 wait 1, 2, 3, 4, 0, .. ms: the GPU takes 10 to 14.
    let gpu = marked.rows.iter().find(|row| row.name == "GPU").unwrap().summary.unwrap();
    assert_eq!([gpu.median, gpu.p95, gpu.worst], [12.0, 14.0, 14.0]);
    click(&mut harness, "20 marked ×");
    assert_eq!(view(&harness).examined(history), 0..60);
}

#[test]
fn the_table_sorts_by_any_column_and_back() {
    let mut harness = Scene::new(handmade::usual(1..100)).open([1280.0, 720.0]);
    let order = |harness: &Harness<'_, Scene>| -> Vec<String> {
        view(harness).rows.iter().map(|row| format!("{:?} {}", row.side, row.name)).collect()
    };
    let unsorted = order(&harness);
    assert_eq!(unsorted[..3], ["None frame interval", "Some(Cpu) CPU", "Some(Gpu) GPU"]);
    assert_eq!(unsorted[3], "Some(Gpu) ocean", "the side that the bars show comes first");
    for (label, column) in [
        ("pass (ms)", Column::Name),
        ("side", Column::Side),
        ("median", Column::Median),
        ("95 %", Column::P95),
        ("99 %", Column::P99),
        ("worst", Column::Worst),
    ] {
        click(&mut harness, label);
        assert_eq!(view(&harness).sort, Sort { by: Some(column), turned: false });
        let once = order(&harness);
        let figures = |harness: &Harness<'_, Scene>| -> Vec<f32> {
            let rows = view(harness).rows;
            rows[3..].iter().map(|row| row.summary.unwrap().worst).collect()
        };
        if column == Column::Worst {
            assert!(figures(&harness).is_sorted_by(|a, b| a >= b));
        }
        click(&mut harness, label);
        assert_eq!(view(&harness).sort, Sort { by: Some(column), turned: true });
        let turned: Vec<String> = order(&harness)[3..].iter().rev().cloned().collect();
        assert_eq!(once[3..], turned);
        click(&mut harness, label);
        assert_eq!(order(&harness), unsorted);
    }
    click(&mut harness, "CPU");
    assert_eq!(order(&harness)[3], "Some(Cpu) frame");
}

#[test]
fn the_flame_view_zooms_pans_and_comes_back() {
    let mut harness = Scene::new(handmade::usual(1..100)).open([1280.0, 720.0]);
    let middle = place(&harness, "Flame view", [0.5, 0.5]);
    assert_eq!(view(&harness).zoom, None);
    wheel(&mut harness, middle, 3.0);
    let zoom = view(&harness).zoom.unwrap();
    // Frame 99 goes on until its GPU half ends, 15 ms after it began; the interval is 16.
    assert!((zoom.span_ms - 16.0 * 1.02 / 1.25_f64.powi(3)).abs() < 1e-6, "{zoom:?}");
    assert!((zoom.start_ms + 0.5 * zoom.span_ms - 8.16).abs() < 0.02, "at the pointer: {zoom:?}");
    drag(&mut harness, middle, middle - vec2(40.0, 0.0), Modifiers::NONE);
    let panned = view(&harness).zoom.unwrap();
    assert!(panned.start_ms > zoom.start_ms && panned.span_ms == zoom.span_ms, "{panned:?}");
    for _ in 0..60 {
        wheel(&mut harness, middle, 40.0);
    }
    let Zoom { start_ms, span_ms } = view(&harness).zoom.unwrap();
    assert!(span_ms > 0.0 && start_ms.is_finite());
    for _ in 0..2 {
        harness.drag_at(middle);
        harness.event(egui::Event::PointerButton {
            pos: middle,
            button: PointerButton::Primary,
            pressed: false,
            modifiers: Modifiers::NONE,
        });
        harness.step();
    }
    assert_eq!(view(&harness).zoom, None);
}

#[test]
fn tabs_switch_and_the_dock_closes_and_grows() {
    let mut harness = Scene::new(handmade::usual(1..100)).open([1280.0, 720.0]);
    click(&mut harness, "Compare FFTs");
    assert_eq!(harness.state().session.dock, Some(DockTab::Compare));
    assert!(harness.query_by_label("Frame history").is_none());
    click(&mut harness, "Timeline");
    let before = harness.state().session.dock_height;
    let edge = egui::pos2(640.0, 720.0 - 8.0 - before as f32 + 2.0);
    drag(&mut harness, edge, edge - vec2(0.0, 100.0), Modifiers::NONE);
    let after = harness.state().session.dock_height;
    assert!((after - before - 100.0).abs() < 1.0, "{before} to {after}");
    click(&mut harness, "Close");
    assert_eq!(harness.state().session.dock, None);
}

#[test]
fn what_is_not_known_is_said() {
    let says = |scene: Scene, text: &str| {
        scene.open([1280.0, 720.0]).query_by_label_contains(text).is_some()
    };
    let usual = || Scene::new(handmade::usual(1..30));
    assert!(!says(usual(), "no timestamps") && !says(usual(), "left out"));
    assert!(says(Scene { has_gpu_timers: false, ..usual() }, "no timestamps"));
    assert!(says(Scene { has_dropped_stages: true, ..usual() }, "left out"));
    assert!(says(Scene::new(handmade::wild()), "were lost"));
}

#[test]
fn every_size_shows_every_past_within_the_window() {
    let histories = [
        History::default(),
        handmade::usual(1..2),
        handmade::usual(1..40),
        handmade::usual(1..1_300),
        handmade::wild(),
    ];
    for history in histories {
        for size in [[1.0, 1.0], [120.0, 90.0], [300.0, 200.0], [640.0, 360.0], [3840.0, 2160.0]] {
            for show_ui in [false, true] {
                let mut scene = Scene::new(history.clone());
                scene.session.show_ui = show_ui;
                let mut harness = scene.open(size);
                let screen = egui::Rect::from_min_size(Pos2::ZERO, size.into());
                for share in [0.0, 0.3, 0.97] {
                    harness.hover_at(screen.min + share * screen.size());
                    harness.step();
                }
                if size[0] >= 300.0 {
                    let dock = egui::Id::unique("dock");
                    let area = harness.ctx.memory(|memory| memory.area_rect(dock)).unwrap();
                    assert!(screen.contains_rect(area), "{area:?} in {screen:?}");
                }
                let shapes = harness.output().shapes.clone();
                for primitive in harness.ctx.tessellate(shapes, 1.0) {
                    if let egui::epaint::Primitive::Mesh(mesh) = primitive.primitive {
                        let finite = mesh.vertices.iter().all(|vertex| vertex.pos.is_finite());
                        assert!(finite, "{size:?}");
                    }
                }
            }
        }
    }
}

/// Bars of many frames show the longest of them, and the same frames share a bar as time goes on.
#[test]
fn spikes_are_seen_however_narrow_the_bars() {
    let spike = 700;
    let mut history = History::default();
    for number in 1..=1_000 {
        let mut frame = history_frame(number);
        if number == spike {
            frame.interval_ns = 1;
            if let crate::profile::GpuTimes::Timed { scopes, .. } = &mut frame.gpu {
                scopes.last_mut().unwrap().end_ns += 90_000_000;
            }
        }
        history.push(Arc::new(frame));
    }
    let mut scene = Scene::new(history);
    scene.session.show_ui = false;
    let mut harness = scene.open([300.0, 300.0]);
    click(&mut harness, "1000");
    let rect = harness.get_by_label("Frame history").rect();
    let at = rect.min + vec2(0.6995, 0.5) * rect.size();
    drag(&mut harness, at, at, Modifiers::NONE);
    assert_eq!(in_sight(&harness), spike);
}

fn history_frame(number: u64) -> crate::profile::FrameTimes {
    (*handmade::usual_frame(number)).clone()
}
