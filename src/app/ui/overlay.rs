//! Floating parts over the picture: progress, messages, the hint that there are keys. All of it wraps, and
//! the rest is cut, so that nothing leaves the window.

use std::sync::Arc;

use egui::{Align2, Color32, Context, FontId, Galley, Rect, pos2, vec2};

use super::{CARD_OUTER_WIDTH, MARGIN, PanelData, has_profiler, theme};
use crate::app::input::Keyboard;
use crate::app::messages::{GpuError, Toast};
use crate::app::platform::{self, STRINGS};
use crate::app::session::Session;

const HINT_S: f64 = 15.0;

/// Maximum width of a message, in points.
const MAX_WIDTH: f32 = 460.0;

/// A window with less room than this shows no messages.
const LEAST: egui::Vec2 = vec2(60.0, 36.0);

/// Width of the spinner and the gap after it.
const SPINNER: f32 = 18.0;

const GAP: f32 = 4.0;

/// A message at the edge of the window.
pub(in crate::app) struct Line {
    text: String,
    colour: Color32,
    size: f32,
    busy: bool,
}

impl Line {
    fn new(text: impl Into<String>, colour: Color32) -> Self {
        Self { text: text.into(), colour, size: 12.5, busy: false }
    }
}

/// Shows everything that floats, without the `taken` heights at the top and at the bottom. Returns the height
/// that it takes at the top.
pub(super) fn show(
    context: &Context,
    session: &Session,
    data: &PanelData<'_>,
    keyboard: Keyboard,
    taken: [f32; 2],
) -> f32 {
    let mut screen = context.content_rect();
    screen.min.y += taken[0];
    screen.max.y -= taken[1];
    if screen.width() < LEAST.x || screen.height() < LEAST.y {
        return 0.0;
    }
    let mut height = 0.0;
    let mut lines = Vec::new();
    if !data.has_frame {
        start(context, data);
    } else if let Some(line) = progress(session, data) {
        // Between the panels, where there is room.
        let free = between_panels(screen, session);
        if free.width() >= 200.0 {
            height = stack(context, "progress", free, Align2::CENTER_TOP, vec![line]);
        } else {
            lines.push(line);
        }
    }
    lines.extend(notices(data.toasts, data.gpu_errors));
    if let Some(hint) = hint(session, data, keyboard)
        && lines.is_empty()
    {
        lines.push(Line { size: 11.0, ..Line::new(hint, theme::WEAK) });
    }
    stack(context, "messages", screen.shrink(MARGIN), Align2::CENTER_BOTTOM, lines);
    height
}

/// The messages of late, the first GPU errors last.
pub(in crate::app) fn notices(toasts: &[Toast], gpu_errors: &[GpuError]) -> Vec<Line> {
    let mut lines = Vec::new();
    for toast in toasts {
        let colour = if toast.is_error { theme::ERROR } else { Color32::WHITE };
        lines.push(Line::new(&toast.text, colour));
    }
    for error in gpu_errors.iter().take(3) {
        let text = format!("GPU error ({}x): {}", error.count, summary(&error.text));
        lines.push(Line::new(text, theme::ERROR));
    }
    lines
}

/// What the keys do that one does not guess.
fn hint(session: &Session, data: &PanelData<'_>, keyboard: Keyboard) -> Option<&'static str> {
    if session.panels_have_keyboard && keyboard != Keyboard::Sea {
        return Some("Tab and arrows: move between controls    Space: press    Esc: fly");
    }
    if !session.show_ui || data.age_s > HINT_S {
        return None;
    }
    Some(if platform::has_fingers_only() {
        "One finger looks around, two fly"
    } else {
        "F1: keys    Tab: panels    F6: panels by keyboard    W A S D and right mouse: fly"
    })
}

/// The work that the window is waiting for.
fn progress(session: &Session, data: &PanelData<'_>) -> Option<Line> {
    match data.building {
        Some(building) => {
            let text = format!("{} {}: {building}", session.algorithm, session.quality.size);
            Some(Line { busy: true, ..Line::new(text, theme::ACCENT) })
        }
        None if data.compiling.is_some() => data.compiling.map(|compiling| {
            let text = format!("Shaders: {compiling}");
            Line { busy: true, ..Line::new(text, theme::ACCENT) }
        }),
        None if session.clock.paused => Some(Line::new("Paused (Space to resume)", theme::ACCENT)),
        None => None,
    }
}

/// The area that the panels leave free.
fn between_panels(screen: Rect, session: &Session) -> Rect {
    let mut free = screen.shrink(MARGIN);
    if session.show_ui {
        free.min.x += CARD_OUTER_WIDTH + MARGIN;
        if has_profiler(screen) {
            free.max.x -= CARD_OUTER_WIDTH + MARGIN;
        }
    }
    free
}

/// The window before there is a sea in it.
fn start(context: &Context, data: &PanelData<'_>) {
    let Some(building) = data.building else { return };
    let screen = context.content_rect().shrink(MARGIN);
    let line = |text: &str, colour, size| Line { size, ..Line::new(text, colour) };
    let kept = STRINGS.next_start;
    let mut lines = vec![
        line("Seaway", Color32::WHITE, 34.0),
        Line { busy: true, ..line(&sentence(&building.to_string()), theme::ACCENT, 15.0) },
        line(data.adapter, theme::WEAK, 11.0),
    ];
    lines.extend(kept.map(|kept| line(kept, theme::WEAK, 11.0)));
    // The progress stays longest, then the name.
    let height = |context: &Context, lines: &[Line]| -> f32 {
        lines.iter().map(|line| galley(context, line, screen.width(), 4).size().y + 8.0).sum()
    };
    while lines.len() > 1 && height(context, &lines) > screen.height() {
        match lines.len() {
            2 => lines.remove(0),
            _ => lines.remove(lines.len() - 1),
        };
    }
    area("start", Align2::CENTER_CENTER, screen).show(context, |ui| {
        ui.set_max_width(screen.width());
        ui.vertical_centered(|ui| {
            for line in &lines {
                // A spinner above its text.
                if line.busy && height(ui.ctx(), &lines) + 30.0 < screen.height() {
                    ui.add(egui::Spinner::new().size(22.0).color(theme::ACCENT));
                }
                let rows = ((screen.height() / (1.4 * line.size)) as usize).clamp(1, 4);
                ui.label(galley(ui.ctx(), line, screen.width(), rows));
                ui.add_space(4.0);
            }
        });
    });
}

/// Cards under each other within `room`, as many of the latest as fit, the first of those cut short
/// if it must be. Gives the height that they take.
pub(in crate::app) fn stack(
    context: &Context,
    name: &str,
    room: Rect,
    anchor: Align2,
    lines: Vec<Line>,
) -> f32 {
    let frame = theme::message();
    let around = frame.total_margin().sum();
    let spinner = |line: &Line| if line.busy { SPINNER } else { 0.0 };
    let mut left = room.height();
    let mut shown: Vec<(Arc<Galley>, bool)> = Vec::new();
    for line in lines.into_iter().rev() {
        let width = (room.width() - around.x).min(MAX_WIDTH) - spinner(&line);
        let rows = ((left - around.y) / (1.3 * line.size)).floor();
        if rows < 1.0 || width < 20.0 {
            break;
        }
        let galley = galley(context, &line, width, rows as usize);
        left -= galley.size().y + around.y + GAP;
        shown.push((galley, line.busy));
    }
    if shown.is_empty() {
        return 0.0;
    }
    area(name, anchor, room).show(context, |ui| {
        ui.set_max_width(room.width().min(MAX_WIDTH + around.x));
        ui.spacing_mut().item_spacing.y = GAP;
        ui.vertical_centered(|ui| {
            for (galley, busy) in shown.into_iter().rev() {
                // Placed by hand: a row would be as wide as the widest.
                let spinner = if busy { SPINNER } else { 0.0 };
                let size = galley.size() + vec2(spinner, 0.0) + around;
                let (outer, card) = ui.allocate_exact_size(size, egui::Sense::hover());
                card.widget_info(|| {
                    egui::WidgetInfo::labeled(egui::Role::Label, true, galley.text())
                });
                let inner = outer - frame.total_margin();
                ui.painter().add(frame.paint(inner));
                if busy {
                    let place = Align2::LEFT_CENTER.align_size_within_rect(vec2(12.0, 12.0), inner);
                    egui::Spinner::new().color(theme::ACCENT).paint_at(ui, place);
                }
                let text = inner.min + vec2(spinner, 0.0);
                ui.painter().galley(text, galley, Color32::WHITE);
            }
        });
    });
    room.height() - left
}

/// The text, wrapped at `width` points, with … if it has more than `rows`.
fn galley(context: &Context, line: &Line, width: f32, rows: usize) -> Arc<Galley> {
    let font = FontId::proportional(line.size);
    let mut job = egui::text::LayoutJob::simple(line.text.clone(), font, line.colour, width);
    job.wrap.max_rows = rows.max(1);
    context.fonts_mut(|fonts| fonts.layout_job(job))
}

/// The first of wgpu's many lines, as far as they fit on a screen; the log has the rest.
fn summary(text: &str) -> String {
    let text: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let text = text.join(" ");
    match text.char_indices().nth(220) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns `text` with a capital letter at its start.
pub(in crate::app) fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).collect()
}

/// An area anchored within `room`.
fn area(name: &str, anchor: Align2, room: Rect) -> egui::Area {
    let place = pos2(
        [room.left(), room.center().x, room.right()][(anchor.x().to_factor() * 2.0) as usize],
        [room.top(), room.center().y, room.bottom()][(anchor.y().to_factor() * 2.0) as usize],
    );
    egui::Area::new(egui::Id::unique(("overlay", name)))
        .pivot(anchor)
        .fixed_pos(place)
        .constrain_to(room)
        .order(egui::Order::Foreground)
        .fade_in(false)
        .interactable(false)
}
