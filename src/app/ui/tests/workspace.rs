//! Panels and keys, from clicks to the session.

use egui::{Modifiers, pos2};
use egui_kittest::kittest::Queryable as _;
use winit::keyboard::KeyCode;

use super::super::*;
use super::bench::Bench;
use crate::app::camera::Cameras;
use crate::app::fft_choice::{FftChoice, SIZES};
use crate::app::held::Held;
use crate::app::input::{Action, Keyboard};
use crate::app::session::DockTab;
use crate::eye::{EyeLevel, Water};
use crate::fft::lab::AlgorithmChoice;
use crate::settings::{Preset, Quality, SeaState, Settings as _, SpectrumModel, SpreadingModel};

const LARGE: [f32; 2] = [1280.0, 1400.0];

#[test]
fn every_algorithm_and_size_is_chosen_from_its_list() {
    let mut bench = Bench::new(LARGE);
    let webgpu = Capabilities::webgpu_defaults();
    for algorithm in AlgorithmChoice::of_powers_of_two() {
        let offered = FftChoice { algorithm, ..bench.session().fft() };
        let before = bench.session().algorithm;
        bench.click("FFT algorithm");
        bench.click(algorithm.name());
        let expected = if offered.planned(&webgpu).is_ok() { algorithm } else { before };
        assert_eq!(bench.session().algorithm, expected);
    }
    let mut taken = 0;
    for size in SIZES {
        let offered = FftChoice { size, ..bench.session().fft() };
        let is_able = offered.planned(&webgpu).is_ok();
        bench.click("FFT size");
        bench.click(&size.to_string());
        assert_eq!(bench.session().quality.size == size, is_able, "{size}");
        taken += u32::from(is_able);
    }
    assert!(taken >= 6, "{taken} sizes");
    // Esc over a list that the mouse has opened is not for the window.
    bench.click("FFT size");
    bench.press(KeyCode::Escape);
    assert!(!egui::Popup::is_any_open(&bench.harness.ctx));
    assert_eq!(bench.world().left, []);
    bench.press(KeyCode::Escape);
    assert_eq!(bench.world().left, [Command::Action(Action::Quit)]);
}

/// A phone has no keys, and no room for the profiler's card.
#[test]
fn a_finger_reaches_what_keys_do() {
    let mut bench = Bench::new([390.0, 844.0]);
    bench.click("Seaway");
    for (name, action) in [
        ("Screenshot", Action::Screenshot),
        ("Full screen", Action::FullScreen),
        ("Record capture", Action::RecordCapture),
    ] {
        bench.click(name);
        assert_eq!(std::mem::take(&mut bench.world().left), [Command::Action(action)]);
    }
    bench.click("Pause the sea");
    assert!(bench.session().clock.paused);
    bench.click("Resume the sea");
    assert!(!bench.session().clock.paused);
    bench.click("Keys");
    assert!(bench.session().show_help);
    bench.click("Close (F1)");
    for (name, tab) in [
        ("Timeline", DockTab::Timeline),
        ("Compare FFTs", DockTab::Compare),
        ("Measure", DockTab::Measure),
    ] {
        bench.click(name);
        assert_eq!(bench.session().dock, Some(tab));
        bench.click("Close");
    }
}

#[test]
fn presets_are_saved_loaded_and_refused_in_the_panel() {
    let mut bench = Bench::prepared(LARGE, |folder| {
        std::fs::write(folder.join("torn.toml"), "sea = [").unwrap();
    });
    assert!(bench.said()[0].contains("torn.toml"), "{:?}", bench.said());
    bench.world().workspace.session.scene.sea.wind_speed_mps = 23.0;
    bench.settle();

    let save_as = |bench: &mut Bench, name: &str| {
        bench.click("Save as…");
        // The field has the keyboard at once.
        bench.press_with(KeyCode::KeyA, Modifiers::COMMAND);
        bench.frame(vec![egui::Event::Text(name.to_owned())]);
        bench.press(KeyCode::Enter);
        bench.settle();
    };
    save_as(&mut bench, "my sea");
    assert_eq!(bench.session().preset, "my sea");
    let file = bench.folder().join("my sea.toml");
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("version = 2\n"));

    // Saving other settings under the same name needs a confirmation.
    bench.world().workspace.session.scene.sea.wind_speed_mps = 3.0;
    save_as(&mut bench, "my sea");
    bench.harness.get_by_label("Replace “my sea”?");
    bench.click("Keep it");
    bench.click("Cancel");
    bench.click("Preset");
    bench.click("my sea");
    assert_eq!(bench.session().scene.sea.wind_speed_mps, 23.0);
    bench.world().workspace.session.scene.sea.wind_speed_mps = 3.0;
    save_as(&mut bench, "my sea");
    bench.click("Replace");
    bench.click("Preset");
    bench.click("storm");
    assert_eq!(bench.session().scene, Preset::load("storm").unwrap());
    bench.click("Preset");
    bench.click("my sea");
    assert_eq!(bench.session().scene.sea.wind_speed_mps, 3.0);

    // An invalid preset is in the list, and cannot be chosen.
    bench.click("Preset");
    bench.click("torn");
    assert_eq!(bench.session().preset, "my sea");
    assert_eq!(std::fs::read_to_string(bench.folder().join("torn.toml")).unwrap(), "sea = [");

    bench.click("Delete");
    bench.click("Delete it");
    assert!(!file.exists());
}

#[test]
fn a_click_gives_the_name_field_the_keyboard() {
    let mut bench = Bench::new(LARGE);
    let button = bench.harness.get_by_label("Save as…").rect().center();
    bench.click_at(button);
    bench.settle();
    assert_eq!(keyboard::of(&bench.harness.ctx, bench.session()), Keyboard::Text);
    // Both halves of a click in one frame, as where frames are slow.
    let mut bench = Bench::new(LARGE);
    bench.frame(vec![
        egui::Event::PointerMoved(button),
        super::bench::button(button, true),
        super::bench::button(button, false),
    ]);
    bench.settle();
    assert_eq!(keyboard::of(&bench.harness.ctx, bench.session()), Keyboard::Text);
}

#[test]
fn a_key_undoes_a_drag_and_a_button_redoes() {
    let mut bench = Bench::new(LARGE);
    let before = bench.session().scene.sea.clone();
    let slider = bench
        .controls()
        .into_iter()
        .find(|(name, _)| name.starts_with("Slider") && name.contains("Wind speed"))
        .expect("the wind's slider")
        .1;
    bench.drag(slider.left_center() + egui::vec2(10.0, 0.0), slider.center());
    let after = bench.session().scene.sea.clone();
    assert_ne!(after, before);
    bench.press_with(KeyCode::KeyZ, Modifiers::COMMAND);
    assert_eq!(bench.session().scene.sea, before, "one drag, one step");
    bench.click("Redo");
    assert_eq!(bench.session().scene.sea, after);
    bench.click("Undo");
    assert_eq!(bench.session().scene.sea, before);
    bench.press_with(KeyCode::KeyZ, Modifiers::COMMAND | Modifiers::SHIFT);
    assert_eq!(bench.session().scene.sea, after);

    bench.click("Reset Sea");
    assert_eq!(bench.session().scene.sea, SeaState::default());
    let reset = bench.controls().into_iter().any(|(name, _)| name.contains("Reset Sea"));
    assert!(!reset, "there is nothing left to reset");
    bench.press_with(KeyCode::KeyZ, Modifiers::COMMAND);
    assert_eq!(bench.session().scene.sea, after);
}

#[test]
fn the_camera_panel_keeps_places_and_switches_to_orbit() {
    let mut bench = Bench::new(LARGE);
    bench.click("Camera");
    bench.press_with(KeyCode::Digit4, Modifiers::COMMAND);
    bench.click("Store this place as bookmark 7");
    let stored = |bench: &Bench, digit| bench.session().cameras.bookmarks.get(digit).cloned();
    assert_eq!(stored(&bench, 4).as_ref(), Some(&bench.session().scene.camera));
    assert_eq!(stored(&bench, 7), stored(&bench, 4));
    bench.click("Clear bookmark 7");
    assert_eq!(stored(&bench, 7), None);
    bench.click("Orbit a point");
    assert!(bench.session().cameras.orbit.is_some());
    bench.press(KeyCode::KeyO);
    assert!(bench.session().cameras.orbit.is_none());
    bench.press(KeyCode::Digit4);
    assert_ne!(bench.session().cameras, Cameras::default(), "on its way");
    bench.press(KeyCode::F1);
    bench.click("Close (F1)");
    assert!(!bench.session().show_help);
}

#[test]
fn the_camera_walks_on_the_drawn_water() {
    let mut bench = Bench::new(LARGE);
    bench.click("Camera");
    let start = bench.session().scene.camera.clone();
    bench.press(KeyCode::KeyG);
    assert!(bench.session().cameras.is_walking);
    let names = |bench: &Bench| bench.controls().into_iter().map(|(name, _)| name);
    assert!(names(&bench).any(|name| name.contains("Above the water")));
    assert!(!names(&bench).any(|name| name.contains("Height")), "the water has it");

    // Does the window's work of every frame.
    let frames = |bench: &mut Bench, count: u32, water: Water| {
        let session = &mut bench.world().workspace.session;
        for _ in 0..count {
            let ground = session.ground();
            session.cameras.advance(
                &mut session.scene.camera,
                &Held::default(),
                1.0 / 60.0,
                ground,
            );
            session.cameras.eye(&mut session.scene.camera, Some(&water), ground);
        }
        bench.settle();
    };
    let crest = Water { level_m: 3.0, highest_m: 3.1 };
    frames(&mut bench, 120, crest);
    let height_m = bench.session().scene.camera.y_m;
    assert!((height_m - 4.7).abs() < 1e-9, "{height_m}");

    // The row moves the eye, and that can be undone; the wave that carries it meanwhile cannot.
    let slider = bench
        .controls()
        .into_iter()
        .find(|(name, _)| name.starts_with("Slider") && name.contains("Above the water"))
        .expect("the eye's slider")
        .1;
    bench.drag(slider.left_center() + egui::vec2(10.0, 0.0), slider.center());
    let raised_m = bench.session().cameras.walk.height_m;
    assert!(raised_m > 2.0, "{raised_m}");
    bench.press_with(KeyCode::KeyZ, Modifiers::COMMAND);
    assert_eq!(bench.session().cameras.walk.height_m, EyeLevel::STANDING_M);
    assert!(bench.session().cameras.is_walking);

    // Keys move it by less than the row shows, and are no step to undo.
    let session = &mut bench.world().workspace.session;
    let mut held = Held::default();
    held.set(KeyCode::KeyE, true);
    let ground = session.ground();
    session.cameras.advance(&mut session.scene.camera, &held, 1e-3, ground);
    bench.settle();
    let height_m = bench.session().cameras.walk.height_m;
    assert!(height_m > EyeLevel::STANDING_M, "{height_m}");
    bench.press_with(KeyCode::KeyZ, Modifiers::COMMAND);
    assert_eq!(bench.session().cameras.walk.height_m, height_m);

    // Off the water: where the eye was.
    frames(&mut bench, 1, crest);
    let seen = bench.session().scene.camera.clone();
    bench.click("Fly");
    assert!(!bench.session().cameras.is_walking);
    assert_eq!(bench.session().scene.camera, seen);
    assert_eq!((seen.x_m, seen.z_m), (start.x_m, start.z_m));

    // From any way to any other.
    bench.click("Walk on the water");
    bench.click("Orbit a point");
    assert!(bench.session().cameras.orbit.is_some() && !bench.session().cameras.is_walking);
    bench.click("Walk on the water");
    assert!(bench.session().cameras.orbit.is_none() && bench.session().cameras.is_walking);
    bench.click("Reset Camera");
    assert!(!bench.session().cameras.is_walking);
}

#[test]
fn the_keyboard_reaches_every_control_and_returns() {
    for size in [LARGE, [620.0, 400.0]] {
        let mut bench = Bench::new(size);
        for closed in ["Camera", "Quality", "Spectrum and time"] {
            bench.click(closed);
        }
        assert_eq!(bench.harness.unnamed_widgets(), Vec::<String>::new());
        let all = bench.controls();
        assert!(all.len() > 50, "{} controls", all.len());
        bench.press(KeyCode::F6);
        let mut reached = std::collections::BTreeSet::new();
        let focused = |bench: &Bench| bench.harness.ctx.memory(|memory| memory.focused());
        for _ in 0..3 * all.len() {
            let id = focused(&bench).expect("something has the focus");
            if !reached.insert(id.accesskit_id().0) {
                break;
            }
            bench.press(KeyCode::Tab);
        }
        let nodes = bench.harness.root();
        use egui_kittest::kittest::NodeT as _;
        let missed: Vec<String> = nodes
            .children_recursive()
            .map(|node| node.accesskit_node())
            .filter(|node| egui::accessibility::is_input(node.role()) && !node.is_disabled())
            .filter(|node| !reached.contains(&node.locate().0.0))
            .map(|node| format!("{:?} {:?}", node.role(), node.label()))
            .collect();
        assert_eq!(missed, Vec::<String>::new(), "not reached at {size:?}");

        // The arrows move a slider, and Esc gives the keys back to flying.
        let wind = bench.session().scene.sea.wind_speed_mps;
        bench.harness.get_all_by_label("Wind speed").last().unwrap();
        let slider = bench
            .harness
            .root()
            .children_recursive()
            .find(|node| {
                let access = node.accesskit_node();
                access.role() == egui::accesskit::Role::Slider
                    && access.label().as_deref() == Some("Wind speed")
            })
            .expect("the wind's slider");
        slider.focus();
        bench.harness.run_steps(2);
        bench.press(KeyCode::ArrowRight);
        bench.press(KeyCode::ArrowRight);
        assert!(bench.session().scene.sea.wind_speed_mps > wind);
        bench.press(KeyCode::Escape);
        assert_eq!(focused(&bench), None);
        assert!(!bench.session().panels_have_keyboard);
        bench.press(KeyCode::Tab);
        assert!(!bench.session().show_ui, "Tab hides the panels again");
    }
}

#[test]
fn messages_stay_within_any_window() {
    let long = "/a/path/without/any/space/".repeat(20);
    for (width, height) in [
        (1.0, 1.0),
        (59.0, 300.0),
        (80.0, 60.0),
        (300.0, 200.0),
        (300.0, 40.0),
        (300.0, 900.0),
        (640.0, 360.0),
        (1280.0, 720.0),
    ] {
        for has_frame in [true, false] {
            let mut bench = Bench::new([width, height]);
            let world = bench.world();
            world.has_frame = has_frame;
            world.workspace.session.show_ui = false;
            world.workspace.session.clock.paused = true;
            world.workspace.messages.warn(format!("Not saved: {long}"));
            world
                .workspace
                .messages
                .say("Words of usual length, and some more of them. ".repeat(9));
            world.workspace.messages.gpu_error("a validation error ".repeat(30));
            bench.settle();
            bench.settle();
            let screen = egui::Rect::from_min_size(pos2(0.0, 0.0), egui::vec2(width, height));
            let context = bench.harness.ctx.clone();
            let shapes = bench.harness.output().shapes.clone();
            let mut letters = 0;
            for primitive in context.tessellate(shapes, 1.0) {
                let egui::epaint::Primitive::Mesh(mesh) = primitive.primitive else { continue };
                for vertex in &mesh.vertices {
                    let inside = screen.expand(0.6).contains(vertex.pos);
                    assert!(inside, "{:?} outside of {width} x {height}", vertex.pos);
                    letters += 1;
                }
            }
            let must_show = width >= 80.0 && height >= 60.0;
            assert!(letters > 100 || !must_show, "nothing shown at {width} x {height}");
        }
    }
}

#[test]
fn panels_are_as_large_as_the_screen_suggests() {
    let size = |width, height| zoom(egui::vec2(width, height), 1.0);
    assert_eq!(size(1280.0, 720.0), 1.0);
    assert_eq!(size(1.0, 1.0), 1.0);
    assert_eq!(size(1920.0, 1080.0), 1.0);
    assert_eq!(size(2560.0, 1440.0), 1.25);
    assert_eq!(size(3840.0, 2160.0), 2.0);
    // Wide and low, as when half of a screen: as the height has it.
    assert_eq!(size(3840.0, 1080.0), 1.0);
    assert_eq!(zoom(egui::vec2(1280.0, 720.0), 1.5), 1.5);
    let mut bench = Bench::new([3840.0, 2160.0]);
    bench.settle();
    assert_eq!(bench.harness.ctx.zoom_factor(), 2.0);
    bench.press_with(KeyCode::Minus, Modifiers::COMMAND);
    bench.settle();
    assert_eq!(bench.harness.ctx.zoom_factor(), 1.8);
}

#[test]
fn every_setting_is_in_a_panel() {
    rows::OPENS_SECTIONS.set(true);
    let mut bench = Bench::new([1280.0, 4000.0]);
    let sea = &mut bench.world().workspace.session.scene.sea;
    (sea.spectrum, sea.spreading) = (SpectrumModel::Jonswap, SpreadingModel::Cos2s);
    (sea.swell_height_m, sea.swell_2_height_m) = (1.0, 1.0);
    let scene = Preset::FIELDS.iter().map(|field| field.entry());
    let mut missing: Vec<_> =
        scene.chain(Quality::FIELDS.iter().map(|field| field.entry())).collect();
    for is_recorded in [false, true] {
        if is_recorded {
            let gale = Preset::load("measured-gale").unwrap().sea;
            bench.world().workspace.session.scene.sea = gale;
        }
        bench.settle();
        missing.retain(|entry| bench.harness.query_all_by_label(entry.label).next().is_none());
    }
    let names: Vec<_> = missing.iter().map(|entry| entry.name).collect();
    assert!(names.is_empty(), "{names:?} are in no panel");
    rows::OPENS_SECTIONS.set(false);
}

/// The panel shows a decimal of the hour, and a slow voyage moves by less.
#[test]
fn an_open_panel_leaves_the_hour_of_a_record() {
    rows::OPENS_SECTIONS.set(true);
    let mut bench = Bench::new([1280.0, 4000.0]);
    let mut sea = Preset::load("measured-gale").unwrap().sea;
    sea.record_hour = 3.07;
    bench.world().workspace.session.scene.sea = sea.clone();
    bench.world().workspace.session.voyage.hours_per_min = 0.25;
    bench.settle();
    assert!(bench.harness.query_all_by_label("Move through the hours").next().is_some());
    assert_eq!(bench.session().scene.sea, sea);
    assert_eq!(bench.session().voyage.hours_per_min, 0.25);
    rows::OPENS_SECTIONS.set(false);
}
