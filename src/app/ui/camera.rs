//! The camera's section: its pose, its movement and bookmarks.

use std::ops::RangeInclusive;

use egui::{RichText, Ui, vec2};

use super::{Command, note, rows, theme};
use crate::app::camera::{BookmarkAct, Bookmarks, Cameras, FlyCamera, Orbit, Walk};
use crate::app::input::Action;
use crate::app::platform::STRINGS;
use crate::app::session::Session;
use crate::eye::EyeLevel;
use crate::settings::CameraPose;

/// Shows the pose by its table, the kind of movement, and the bookmarks.
pub(super) fn show(ui: &mut Ui, session: &mut Session, commands: &mut Vec<Command>) {
    ways(ui, &session.cameras, commands);
    let camera = &mut session.scene.camera;
    let is_walking = session.cameras.is_walking;
    match &mut session.cameras.orbit {
        None if is_walking => walking(ui, camera, &mut session.cameras.walk),
        None => {
            rows::rows(ui, camera, &["y_m", "yaw_deg", "pitch_deg", "fov_deg"]);
            place(ui, camera);
            rows::labelled(ui, "Flying speed", |ui| {
                let speed = &mut session.cameras.fly.speed_mps;
                ui.add(slider(speed, FlyCamera::SPEEDS_MPS).suffix(" m/s")).on_hover_text(format!(
                    "The mouse wheel changes it. Shift flies eight times as fast, {} an eighth as \
                     fast.",
                    STRINGS.slow_key
                ))
            });
        }
        Some(orbit) => {
            rows::rows(ui, camera, &["yaw_deg", "pitch_deg", "fov_deg"]);
            rows::labelled(ui, "Distance", |ui| {
                ui.add(slider(&mut orbit.distance_m, Orbit::DISTANCES_M).suffix(" m"))
                    .on_hover_text(
                        "From the point to the camera. W, S and the mouse wheel change it.",
                    )
            });
            let [x_m, _, z_m] = orbit.pivot_m;
            note(ui, format!("around X {x_m:.0} m, Z {z_m:.0} m; eye {:.1} m up", camera.y_m));
        }
    }
    bookmarks(ui, session, commands);
}

/// Buttons for the kinds of movement.
fn ways(ui: &mut Ui, cameras: &Cameras, commands: &mut Vec<Command>) {
    let (orbits, walks) = (cameras.orbit.is_some(), cameras.is_walking);
    // To fly again is to end what it does.
    let end = if walks { (Action::Walk, "G") } else { (Action::Orbit, "O") };
    ui.horizontal(|ui| {
        for (name, is_chosen, (action, key)) in [
            ("Fly", !orbits && !walks, end),
            ("Orbit a point", orbits, (Action::Orbit, "O")),
            ("Walk on the water", walks, (Action::Walk, "G")),
        ] {
            let choice = egui::Button::selectable(is_chosen, name);
            if ui.add(choice).on_hover_text(key).clicked() && !is_chosen {
                commands.push(Command::Action(action));
            }
        }
    });
}

fn walking(ui: &mut Ui, camera: &mut CameraPose, walk: &mut Walk) {
    rows::labelled(ui, "Above the water", |ui| {
        ui.add(slider(&mut walk.height_m, EyeLevel::HEIGHTS_M).suffix(" m")).on_hover_text(
            "Height of the eye above the waves that would lift a raft; E and Q change it. Where a \
             crest is higher, the eye is raised above it.",
        )
    });
    rows::rows(ui, camera, &["yaw_deg", "pitch_deg", "fov_deg"]);
    place(ui, camera);
    rows::labelled(ui, "Walking speed", |ui| {
        ui.add(slider(&mut walk.speed_mps, Walk::SPEEDS_MPS).suffix(" m/s")).on_hover_text(format!(
            "The mouse wheel changes it. Shift walks four times as fast, {} a quarter as fast.",
            STRINGS.slow_key
        ))
    });
}

/// Spans decades. Values changed by wheel and keys keep their digits.
fn slider(value: &mut f64, range: RangeInclusive<f64>) -> egui::Slider<'_> {
    egui::Slider::new(value, range)
        .logarithmic(true)
        .max_decimals(1)
        .clamping(egui::SliderClamping::Edits)
}

fn place(ui: &mut Ui, camera: &mut CameraPose) {
    rows::rows(ui, camera, &["x_m", "z_m"]);
    rows::under(ui, |ui| {
        if ui.button("To the origin").clicked() {
            camera.x_m = 0.0;
            camera.z_m = 0.0;
        }
    });
}

fn bookmarks(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    ui.add_space(4.0);
    ui.label("Bookmarks").on_hover_text(
        "Press 1 to 9 to go to a bookmark, with Ctrl to store the place of the camera.",
    );
    let mut send = |act, digit| commands.push(Command::Action(Action::Bookmark(act, digit)));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for digit in Bookmarks::DIGITS {
            let is_stored = session.cameras.bookmarks.get(digit).is_some();
            let (colour, act, help) = if is_stored {
                (theme::ACCENT, BookmarkAct::Go, format!("Go to bookmark {digit}"))
            } else {
                (theme::WEAK, BookmarkAct::Store, format!("Store this place as bookmark {digit}"))
            };
            let button = egui::Button::new(RichText::new(digit.to_string()).color(colour));
            let button = super::named(ui.add(button.min_size(vec2(22.0, 0.0))), &help);
            if button.on_hover_text(help).clicked() {
                send(act, digit);
            }
        }
    });
    for digit in Bookmarks::DIGITS {
        let Some(pose) = session.cameras.bookmarks.get(digit) else { continue };
        ui.horizontal(|ui| {
            let place =
                format!("{digit}   X {:.0}, Z {:.0}, {:.0} m up", pose.x_m, pose.z_m, pose.y_m);
            ui.add(egui::Label::new(RichText::new(place).color(theme::WEAK)).truncate());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let clear = format!("Clear bookmark {digit}");
                if super::named(ui.small_button("Clear"), &clear).clicked() {
                    send(BookmarkAct::Clear, digit);
                }
                let store = format!("Move bookmark {digit} here");
                if super::named(ui.small_button("Here"), &store).on_hover_text(&store).clicked() {
                    send(BookmarkAct::Store, digit);
                }
                if super::named(ui.small_button("Go"), &format!("Go to {digit}")).clicked() {
                    send(BookmarkAct::Go, digit);
                }
            });
        });
    }
}
