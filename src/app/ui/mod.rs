//! The panels: what they show comes in as [`Facts`], what they change is the [`Session`], and
//! what only the program can do goes out as [`Command`]s.

mod camera;
mod compare;
mod dock;
mod fft;
mod help;
mod light;
mod overlay;
mod profiler;
mod quality;
mod rows;
mod sea;
pub(super) mod theme;
mod timeline;
mod view;

use egui::{Align2, RichText, Ui, vec2};

pub(super) use self::compare::CompareCommand;
use super::background::{Activity, Chosen};
use super::comparing::ComparingFacts;
use super::history::History;
use super::input::Action;
use super::messages::{GpuError, Toast};
use super::session::Session;
use crate::debug_view::Legend;
use crate::frame::FrameMemory;
use crate::gpu::Capabilities;
use crate::settings::QualityTier;
use crate::spectrum::SeaSummary;

/// What the panels show and cannot change.
pub(super) struct Facts<'a> {
    /// The adapter in one line.
    pub adapter: &'a str,
    /// What the device can do.
    pub capabilities: &'a Capabilities,
    /// The adapter is a processor that plays GPU.
    pub is_software: bool,
    /// FFTs side by side, while they are compared.
    pub comparing: Option<ComparingFacts<'a>>,
    /// The tier that the adapter's kind gets.
    pub automatic_tier: QualityTier,
    /// What `auto` came to, if it is what runs.
    pub chosen: Option<&'a Chosen>,
    /// What is being done for the next frame, while one is being built.
    pub building: Option<Activity>,
    /// A sea is being computed.
    pub computing_sea: bool,
    /// There is something to see behind the panels.
    pub has_frame: bool,
    /// Seconds since the window opened.
    pub age_s: f64,
    /// What the last frames took.
    pub history: &'a History,
    /// What the frame's stages keep on the GPU.
    pub memory: Option<FrameMemory>,
    /// What wgpu's allocator says, where it is asked and tells.
    pub allocated: Option<Allocated>,
    /// The device has timestamps.
    pub has_gpu_timers: bool,
    /// Some stages within passes are not timed, since their times cannot be believed.
    pub has_dropped_stages: bool,
    /// Frames recorded and frames wanted, while a capture is under way.
    pub capture: Option<(usize, usize)>,
    /// Where live profiles are served.
    pub served_at: Option<&'a str>,
    /// Width and height of the picture.
    pub resolution: [u32; 2],
    /// Lines in the corner.
    pub toasts: &'a [Toast],
    /// Errors of the GPU so far.
    pub gpu_errors: &'a [GpuError],
    /// What is being done for shaders, while some are compiled behind the frame.
    pub compiling: Option<Activity>,
    /// Of the debug view that is shown.
    pub legend: Option<&'a Legend>,
    /// What is wrong with the shaders on disk.
    pub shader_error: Option<&'a str>,
    /// The folder of shaders that is watched.
    pub watched_shaders: Option<&'a str>,
    /// What oceanography says of the sea that is chosen.
    pub summary: &'a SeaSummary,
}

/// Memory of a device as wgpu's allocator knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allocated {
    /// Bytes that buffers and textures use.
    pub used_bytes: u64,
    /// Bytes that were taken from the driver for them.
    pub reserved_bytes: u64,
}

/// What a panel asks the program for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// What a key would do.
    Action(Action),
    /// About the comparison of FFTs.
    Compare(CompareCommand),
    /// Start from a shipped preset.
    LoadPreset(&'static str),
}

/// Width of the panels at the sides.
const CARD_WIDTH: f32 = 268.0;
/// Of what is in a panel, beside the scroll bar.
const CONTENT_WIDTH: f32 = CARD_WIDTH - 8.0;
/// From the window's edge to a panel.
const MARGIN: f32 = 8.0;

/// Everything that lies over the picture.
pub(super) fn show(ui: &mut Ui, session: &mut Session, facts: &Facts<'_>) -> Vec<Command> {
    let mut commands = Vec::new();
    let context = ui.ctx().clone();
    let screen = context.content_rect();
    // Where both do not fit beside each other, the profiler gives way.
    let has_profiler = session.show_ui && screen.width() >= 2.0 * (CARD_WIDTH + 3.0 * MARGIN);
    let dock = session.dock.map(|tab| {
        let height = session.dock_height as f32;
        (tab, dock::Place::of(screen, height, session.show_ui, has_profiler))
    });
    if session.show_ui {
        let whole = (screen.height() - 2.0 * MARGIN).max(40.0);
        let height = dock.map_or(whole, |(_, place)| place.left_height);
        card(&context, "Seaway", Align2::LEFT_TOP, height, |ui| {
            settings(ui, session, facts, &mut commands);
        });
        if has_profiler {
            let height = dock.map_or(whole, |(_, place)| place.right_height);
            card(&context, "Profiler", Align2::RIGHT_TOP, height, |ui| {
                profiler::show(ui, session, facts, &mut commands);
            });
        }
        if dock.is_none() {
            overlay::hint(&context, facts);
        }
    }
    if let Some((tab, place)) = dock {
        dock::show(&context, place, tab, session, facts, &mut commands);
    }
    let below = view::legend(&context, facts);
    let below = below + overlay::progress(&context, session, facts, below);
    view::shader_error(&context, facts, below);
    overlay::toasts(&context, facts, dock.map_or(0.0, |(_, place)| place.rect.height() + MARGIN));
    if session.show_help {
        help::show(&context, session, facts);
    }
    commands
}

/// A panel in a corner, as high as its contents and at most `height`, that folds into its title.
fn card(
    context: &egui::Context,
    title: &str,
    corner: Align2,
    height: f32,
    add: impl FnOnce(&mut Ui),
) {
    let sign = if corner.x() == egui::Align::Max { -1.0 } else { 1.0 };
    let id = egui::Id::unique(("card", title));
    egui::Area::new(id)
        .anchor(corner, vec2(sign * MARGIN, MARGIN))
        .order(egui::Order::Middle)
        .fade_in(false)
        .show(context, |ui| {
            // An area offers what its contents took the last time.
            ui.set_max_size(vec2(CARD_WIDTH + 22.0, height));
            theme::card().show(ui, |ui| {
                ui.set_width(CARD_WIDTH);
                let folds = id.with("open");
                let mut open = ui.data(|data| data.get_temp(folds).unwrap_or(true));
                let heading = RichText::new(title).heading().color(egui::Color32::WHITE);
                let heading = egui::Label::new(heading).selectable(false);
                if ui.add(heading.sense(egui::Sense::click())).clicked() {
                    open = !open;
                    ui.data_mut(|data| data.insert_temp(folds, open));
                }
                if open {
                    egui::ScrollArea::vertical()
                        .max_height((height - 46.0).max(20.0))
                        .auto_shrink([false, true])
                        .show(ui, |ui| {
                            ui.set_width(CONTENT_WIDTH);
                            add(ui);
                        });
                }
            });
        });
}

fn settings(ui: &mut Ui, session: &mut Session, facts: &Facts<'_>, commands: &mut Vec<Command>) {
    sea::presets(ui, session, facts, commands);
    section(ui, "View", true, |ui| view::show(ui, session, facts));
    section(ui, "FFT", true, |ui| fft::show(ui, session, facts));
    section(ui, "Sea", true, |ui| sea::show(ui, session, facts));
    section(ui, "Light", true, |ui| light::show(ui, session));
    section(ui, "Camera", false, |ui| camera::show(ui, session));
    section(ui, "Quality", false, |ui| quality::show(ui, session, facts));
}

fn section(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(RichText::new(title).strong().color(theme::ACCENT))
        .default_open(open)
        .show_unindented(ui, add);
}

/// Small print.
fn note(ui: &mut Ui, text: impl Into<String>) {
    ui.add(egui::Label::new(RichText::new(text).small().color(theme::WEAK)).wrap());
}

#[cfg(test)]
mod tests;
