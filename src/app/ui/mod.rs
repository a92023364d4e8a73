//! The panels: they show [`PanelData`], change the [`Session`], and return [`Command`]s that only the program can
//! carry out.

mod camera;
mod clouds;
mod compare;
mod dock;
mod fft;
mod help;
pub(super) mod keyboard;
mod light;
mod measure;
mod number;
pub(super) mod overlay;
mod presets;
mod profiler;
mod quality;
pub(super) mod rows;
mod sea;
pub(super) mod theme;
mod timeline;
mod view;

use egui::{Align2, RichText, Ui, vec2};

pub(super) use self::compare::CompareCommand;
use super::background::{Activity, Chosen};
use super::history::History;
use super::input::Action;
use super::measuring::MeasuringData;
use super::messages::{GpuError, Toast};
use super::session::{Group, Session};
use crate::bench::comparison::Progress;
use crate::choice::Choice as _;
use crate::debug_view::Legend;
use crate::frame::FrameMemory;
use crate::gpu::Capabilities;
use crate::settings::{QualityTier, UserPreset};
use crate::spectrum::SeaSummary;

/// Read-only data that the panels show.
pub(super) struct PanelData<'a> {
    pub adapter: &'a str,
    pub capabilities: &'a Capabilities,
    pub is_software: bool,
    pub comparing: Option<Progress<'a>>,
    pub measuring: &'a MeasuringData,
    /// The tier of the adapter's kind.
    pub automatic_tier: QualityTier,
    /// The result of `auto`, if it runs.
    pub chosen: Option<&'a Chosen>,
    /// The work on the next frame, while one is being built.
    pub building: Option<Activity>,
    pub computing_sea: bool,
    /// Whether a frame can be seen behind the panels.
    pub has_frame: bool,
    /// Seconds since the window opened.
    pub age_s: f64,
    /// The times of the last frames.
    pub history: &'a History,
    /// GPU memory of the frame's stages.
    pub memory: Option<FrameMemory>,
    /// The report of wgpu's allocator, where it is available.
    pub allocated: Option<Allocated>,
    pub has_gpu_timers: bool,
    /// Some stages within passes are not timed, since their timestamps are unreliable.
    pub has_dropped_stages: bool,
    pub capture: Option<(usize, usize)>,
    /// The address of the profile server.
    pub served_at: Option<&'a str>,
    pub resolution: [u32; 2],
    pub toasts: &'a [Toast],
    pub gpu_errors: &'a [GpuError],
    pub compiling: Option<Activity>,
    /// The legend of the current debug view.
    pub legend: Option<&'a Legend>,
    /// The error of the shaders on disk.
    pub shader_error: Option<&'a str>,
    pub watched_shaders: Option<&'a str>,
    /// Oceanography's figures for the chosen sea.
    pub summary: &'a SeaSummary,
    pub workspace: WorkspaceData<'a>,
}

#[cfg(test)]
impl<'a> PanelData<'a> {
    /// A running frame without anything special, as the default of tests.
    fn plain(
        capabilities: &'a Capabilities,
        history: &'a History,
        summary: &'a SeaSummary,
    ) -> Self {
        Self {
            adapter: "An adapter of the bench",
            capabilities,
            is_software: false,
            comparing: None,
            measuring: const { &MeasuringData { measured: None, refused: None } },
            automatic_tier: QualityTier::Low,
            chosen: None,
            building: None,
            computing_sea: false,
            has_frame: true,
            age_s: 60.0,
            history,
            memory: Some(FrameMemory::default()),
            allocated: None,
            has_gpu_timers: true,
            has_dropped_stages: false,
            capture: None,
            served_at: None,
            resolution: [1280, 720],
            toasts: &[],
            gpu_errors: &[],
            compiling: None,
            legend: None,
            shader_error: None,
            watched_shaders: None,
            summary,
            workspace: WorkspaceData::default(),
        }
    }
}

/// Data of the [`Workspace`](super::workspace::Workspace) for the panels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WorkspaceData<'a> {
    pub own_presets: &'a [UserPreset],
    pub can_undo: bool,
    pub can_redo: bool,
}

/// A device's memory as reported by wgpu's allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allocated {
    /// Bytes that buffers and textures use.
    pub used_bytes: u64,
    /// Bytes taken from the driver for them.
    pub reserved_bytes: u64,
}

/// A request of a panel to the program.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Action(Action),
    Compare(CompareCommand),
    Preset(PresetCommand),
    /// Open the dialog that chooses spectrum files.
    ChooseSpectrumFiles,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum PresetCommand {
    /// Read the user's folder again.
    Look,
    /// Start from a shipped preset or one of the user's own.
    Load(String),
    /// Save sea, light and camera.
    Save {
        name: String,
        /// Replace a preset of the user that has this name.
        replace: bool,
    },
    /// Rename one of the user's presets.
    Rename { name: String, new_name: String },
    /// Remove one of the user's presets.
    Delete(String),
}

/// Width of the panels at the sides.
const CARD_WIDTH: f32 = 284.0;
/// Width of a panel's contents beside the scroll bar.
const CONTENT_WIDTH: f32 = CARD_WIDTH - 8.0;
/// Distance of a panel from the window's edge.
pub(super) const MARGIN: f32 = 8.0;
/// Width of a panel from edge to edge: the content's width, twice the inner margin and the border.
pub(super) const CARD_OUTER_WIDTH: f32 = CARD_WIDTH + 22.0;

/// Shows everything over the picture.
pub(super) fn show(ui: &mut Ui, session: &mut Session, data: &PanelData<'_>) -> Vec<Command> {
    let mut commands = Vec::new();
    let context = ui.ctx().clone();
    let screen = context.content_rect();
    context.set_zoom_factor(zoom(screen.size() * context.zoom_factor(), session.ui_scale));
    keyboard::begin(&context, session);
    let has_profiler = session.show_ui && has_profiler(screen);
    let dock = session.dock.map(|tab| {
        let height = session.dock_height as f32;
        (tab, dock::Place::of(screen, height, session.show_ui, has_profiler))
    });
    if session.show_ui {
        let whole = (screen.height() - 2.0 * MARGIN).max(40.0);
        let height = dock.map_or(whole, |(_, place)| place.left_height);
        card(&context, "Seaway", Align2::LEFT_TOP, height, |ui| {
            settings(ui, session, data, &mut commands);
        });
        if has_profiler {
            let height = dock.map_or(whole, |(_, place)| place.right_height);
            card(&context, "Profiler", Align2::RIGHT_TOP, height, |ui| {
                profiler::show(ui, session, data, &mut commands);
            });
        }
    }
    if let Some((tab, place)) = dock {
        dock::show(&context, place, tab, session, data, &mut commands);
    }
    let below = view::legend(&context, data);
    let above = dock.map_or(0.0, |(_, place)| place.rect.height() + MARGIN);
    let keyboard = keyboard::of(&context, session);
    let below = below + overlay::show(&context, session, data, keyboard, [below, above]);
    view::shader_error(&context, data, below);
    if session.show_help {
        help::show(&context, session, data);
    }
    keyboard::end(&context, session);
    commands
}

/// The panels' size: 1 in windows of up to 1920 x 1080 logical pixels (in the system's own scale), larger in
/// larger ones by quarters, times the user's factor. On a 4K screen without system scaling, text for reading
/// at arm's length is twice as large.
fn zoom(logical_size: egui::Vec2, ui_scale: f64) -> f32 {
    let room = (logical_size.x / 1920.0).min(logical_size.y / 1080.0);
    let automatic = ((room * 4.0).floor() / 4.0).clamp(1.0, 4.0);
    (automatic * ui_scale as f32).clamp(0.5, 6.0)
}

/// Whether the profiler's card fits beside the other one.
fn has_profiler(screen: egui::Rect) -> bool {
    screen.width() >= 2.0 * (CARD_WIDTH + 3.0 * MARGIN)
}

/// A panel in a corner, as high as its contents and at most `height`, that folds into its title.
pub(super) fn card(
    context: &egui::Context,
    title: &str,
    corner: Align2,
    height: f32,
    add: impl FnOnce(&mut Ui),
) {
    let sign = if corner.x() == egui::Align::Max { -1.0 } else { 1.0 };
    let id = egui::Id::unique(("card", title));
    let room = context.content_rect().width() - 2.0 * MARGIN;
    let outer_width = room.clamp(1.0, CARD_OUTER_WIDTH);
    // On a phone, the first thing to see is the sea.
    let has_room = room >= 1.5 * CARD_OUTER_WIDTH;
    egui::Area::new(id)
        .anchor(corner, vec2(sign * MARGIN, MARGIN))
        .order(egui::Order::Middle)
        .fade_in(false)
        .show(context, |ui| {
            // An area offers what its contents took the last time.
            ui.set_max_size(vec2(outer_width, height));
            theme::card().show(ui, |ui| {
                let width = (outer_width - (CARD_OUTER_WIDTH - CARD_WIDTH)).max(1.0);
                ui.set_width(width);
                let folds = id.with("open");
                let mut open = ui.data(|data| data.get_temp(folds).unwrap_or(has_room));
                let text = RichText::new(title).heading().color(egui::Color32::WHITE);
                if fold(ui, title, text, open).clicked() {
                    open = !open;
                    ui.data_mut(|data| data.insert_temp(folds, open));
                }
                if open {
                    egui::ScrollArea::vertical()
                        .max_height((height - 46.0).max(20.0))
                        .auto_shrink([false, true])
                        .show(ui, |ui| {
                            ui.set_width((width - (CARD_WIDTH - CONTENT_WIDTH)).max(1.0));
                            add(ui);
                            keyboard::scroll_to_focus(ui);
                        });
                }
            });
        });
}

fn settings(ui: &mut Ui, session: &mut Session, data: &PanelData<'_>, commands: &mut Vec<Command>) {
    presets::show(ui, session, data, commands);
    section(ui, "View", true, |ui| view::show(ui, session, data, commands));
    group(ui, session, data, Group::Fft, true, |ui, session| fft::show(ui, session, data));
    group(ui, session, data, Group::Sea, true, |ui, session| {
        sea::show(ui, session, data, commands)
    });
    group(ui, session, data, Group::Light, true, light::show);
    group(ui, session, data, Group::Clouds, true, clouds::show);
    group(ui, session, data, Group::Camera, false, |ui, session| {
        camera::show(ui, session, commands);
    });
    group(ui, session, data, Group::Quality, false, |ui, session| {
        quality::show(ui, session, data);
    });
}

/// A section whose header has a button that resets all of it.
fn group(
    ui: &mut Ui,
    session: &mut Session,
    data: &PanelData<'_>,
    group: Group,
    open: bool,
    add: impl FnOnce(&mut Ui, &mut Session),
) {
    let differs = session.differs(group, data.automatic_tier);
    let reset = |ui: &mut Ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let button = ui.add_enabled(differs, egui::Button::new("Reset").small());
            named(button, &format!("Reset {group}"))
                .on_hover_text("Reset these settings to their defaults")
                .on_disabled_hover_text("All of these settings have their defaults.")
                .clicked()
        })
        .inner
    };
    if section_with(ui, group.name(), open, reset, |ui| add(ui, session)) {
        session.reset(group, data.automatic_tier);
    }
}

/// A part of a panel that folds into its title.
fn section(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    section_with(ui, title, open, |_| (), add);
}

/// [`section`] with a widget beside the title, whose result it returns.
fn section_with<R>(
    ui: &mut Ui,
    title: &str,
    open: bool,
    beside: impl FnOnce(&mut Ui) -> R,
    add: impl FnOnce(&mut Ui),
) -> R {
    let id = ui.make_persistent_id(title);
    #[cfg(test)]
    let open = open || rows::OPENS_SECTIONS.get();
    let mut state =
        egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, open);
    let result = ui
        .horizontal(|ui| {
            let text = RichText::new(title).strong().color(theme::ACCENT);
            if fold(ui, title, text, state.is_open()).clicked() {
                state.toggle(ui);
            }
            beside(ui)
        })
        .inner;
    state.show_body_unindented(ui, add);
    result
}

/// A title that folds the contents under it, by click, Space or Enter.
fn fold(ui: &mut Ui, title: &str, text: RichText, open: bool) -> egui::Response {
    let wrap = Some(egui::TextWrapMode::Truncate);
    let icon = ui.spacing().icon_width;
    let width = ui.available_width() - icon - 4.0;
    let galley = egui::WidgetText::from(text).into_galley(ui, wrap, width, egui::TextStyle::Button);
    let height = galley.size().y.max(ui.spacing().interact_size.y);
    let size = vec2(icon + 4.0 + galley.size().x, height);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::DisclosureTriangle, ui.is_enabled(), title)
    });
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_expanded(open));
    if ui.is_rect_visible(rect) {
        let centre = rect.left_center() + vec2(0.5 * icon, 0.0);
        let at = egui::Rect::from_center_size(centre, egui::Vec2::splat(0.75 * icon));
        let openness = if open { 1.0 } else { 0.0 };
        let place = response.clone().with_new_rect(at);
        egui::collapsing_header::paint_default_icon(ui, openness, &place);
        let left = rect.left() + icon + 4.0;
        let top = rect.center().y - 0.5 * galley.size().y;
        ui.painter().galley(egui::pos2(left, top), galley, egui::Color32::WHITE);
    }
    response
}

/// A list that opens, of `width` points, with `shown` as its value.
pub(super) fn list(
    ui: &mut Ui,
    name: &str,
    width: f32,
    shown: impl Into<egui::WidgetText>,
    add: impl FnOnce(&mut Ui),
) -> egui::Response {
    let list = egui::ComboBox::from_id_salt(name).width(width).selected_text(shown);
    called(list.show_ui(ui, add).response, name)
}

/// An entry of a list, which cannot be chosen where it is refused. Returns whether it was chosen.
pub(super) fn entry(ui: &mut Ui, name: &str, selected: bool, refusal: Option<String>) -> bool {
    let label = ui.add_enabled(refusal.is_none(), egui::Button::selectable(selected, name));
    match refusal {
        Some(reason) => {
            label.on_disabled_hover_text(reason);
            false
        }
        None => label.clicked(),
    }
}

/// A list with a name: what it shows is its value.
pub(super) fn called(list: egui::Response, name: &str) -> egui::Response {
    list.ctx.accesskit_node_builder(list.id, |node| node.set_label(name));
    list.on_hover_text(name)
}

/// Gives a button an accessible name that says more than its text.
fn named(button: egui::Response, name: &str) -> egui::Response {
    let enabled = button.enabled();
    button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, name));
    button
}

/// Adds a line of small text.
pub(super) fn note(ui: &mut Ui, text: impl Into<String>) {
    ui.add(egui::Label::new(RichText::new(text).small().color(theme::WEAK)).wrap());
}

#[cfg(test)]
mod tests;
