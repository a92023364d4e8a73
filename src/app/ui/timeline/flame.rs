//! One frame: threads of the processor above, the GPU below, on one axis of time.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::super::{PanelData, theme};
use super::stacked::milliseconds;
use super::view::{View, Zoom};
use crate::app::history::{History, Side};
use crate::app::platform::STRINGS;
use crate::profile::{CpuScope, FrameTimes, GpuScope, GpuTimes};

/// Range of a row's height: as high as fits, so that the GPU's are seen beneath the processor's.
const ROWS: std::ops::RangeInclusive<f32> = 5.0..=16.0;
const NAMED_ROW: f32 = 10.0;
/// Height of the line that names a thread.
const TITLE: f32 = 12.0;
/// Gap between a thread's rows and the next one's name.
const GAP: f32 = 2.0;
/// Height of the axis at the top.
const AXIS: f32 = 13.0;
/// Shortest visible part of a frame, in milliseconds.
const FINEST_MS: f64 = 1e-4;
/// The last row, which also holds everything nested deeper.
const DEEPEST: u32 = 64;
/// Scopes of a frame that are searched for their colours.
const COLOURED: usize = 512;

struct Item<'a> {
    side: Side,
    name: &'a str,
    thread: &'a str,
    depth: u32,
    start_ms: f64,
    end_ms: f64,
}

struct Pointed {
    name: String,
    side: Side,
    place: String,
    start_ms: f64,
    took_ms: f64,
}

struct Axis {
    rect: Rect,
    zoom: Zoom,
}

impl Axis {
    fn x(&self, ms: f64) -> f32 {
        let share = (ms - self.zoom.start_ms) / self.zoom.span_ms;
        // Far outside of the picture all is alike; floats of some size would shake.
        self.rect.left() + (share.clamp(-2.0, 3.0) as f32) * self.rect.width()
    }

    fn ms(&self, x: f32) -> f64 {
        let share = f64::from((x - self.rect.left()) / self.rect.width());
        self.zoom.start_ms + share * self.zoom.span_ms
    }
}

pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    view: &mut View,
    history: &History,
    index: Option<usize>,
    data: &PanelData<'_>,
) {
    let response = ui.interact(rect, egui::Id::unique("flame view"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Flame view"));
    if rect.width() < 8.0 || rect.height() < 8.0 {
        return;
    }
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, theme::WELL);
    let Some(frame) = index.and_then(|index| history.frames().get(index)) else { return };

    let interval_ms = frame.interval_ns as f64 * 1e-6;
    let whole_ms = extent_ms(frame);
    let whole = Zoom { start_ms: 0.0, span_ms: 1.02 * whole_ms };
    let mut axis = Axis { rect, zoom: view.zoom.unwrap_or(whole) };
    navigate(ui, &response, view, &mut axis, whole_ms);

    let inside = Rect::from_min_max(rect.min + vec2(0.0, AXIS), rect.max);
    let clipped = painter.with_clip_rect(inside.intersect(painter.clip_rect()));
    let pointer = response.hover_pos().filter(|at| inside.contains(*at));
    let mut pointed = None;
    let mut top = inside.top() + 2.0 - view.scroll;
    let first_row = top;

    let row = row_height(frame, inside.height());
    for scopes in frame.cpu.chunk_by(|one, next| one.thread == next.thread) {
        let [CpuScope { thread, .. }, ..] = scopes else { continue };
        title(&clipped, top, rect, thread, None);
        top += TITLE;
        for (index, scope) in scopes.iter().enumerate() {
            let item = Item {
                side: Side::Cpu,
                name: &scope.name,
                thread: &scope.thread,
                depth: scope.depth,
                start_ms: scope.start_ns as f64 * 1e-6,
                end_ms: (scope.start_ns as f64 + scope.duration_ns() as f64) * 1e-6,
            };
            let alike = |other: &&CpuScope| other.name == scope.name && other.depth == scope.depth;
            let colour = colour(history, &item, before(scopes, index).filter(alike).count());
            paint(&clipped, &axis, [top, row], &item, colour, pointer, &mut pointed);
        }
        top += (deepest(scopes.iter().map(|scope| scope.depth)) + 1) as f32 * row + GAP;
    }

    title(&clipped, top, rect, "GPU", gpu_note(frame, data));
    top += TITLE;
    if let GpuTimes::Timed { start_ns, scopes } = &frame.gpu {
        let origin_ms = *start_ns as f64 * 1e-6;
        for (index, scope) in scopes.iter().enumerate() {
            let item = Item {
                side: Side::Gpu,
                name: &scope.label,
                thread: "",
                depth: scope.depth,
                start_ms: origin_ms + scope.start_ns as f64 * 1e-6,
                end_ms: origin_ms + scope.end_ns.max(scope.start_ns) as f64 * 1e-6,
            };
            let alike =
                |other: &&GpuScope| other.label == scope.label && other.depth == scope.depth;
            let colour = colour(history, &item, before(scopes, index).filter(alike).count());
            paint(&clipped, &axis, [top, row], &item, colour, pointer, &mut pointed);
        }
        top += (deepest(scopes.iter().map(|scope| scope.depth)) + 1) as f32 * row;
    }
    let below = (top - first_row + 4.0 - inside.height()).max(0.0);
    view.scroll = view.scroll.clamp(0.0, below);

    // Where the next frame begins.
    let end = axis.x(interval_ms);
    painter.vline(end, inside.y_range(), Stroke::new(1.0, Color32::from_white_alpha(70)));
    head(&painter, &axis, frame.frame);

    if let Some(pointed) = pointed.filter(|_| !response.dragged()) {
        response.on_hover_ui_at_pointer(|ui| tooltip(ui, &pointed, interval_ms));
    }
}

/// The height of each row within `height`.
fn row_height(frame: &FrameTimes, height: f32) -> f32 {
    let (mut rows, mut titles) = (0, 1);
    for scopes in frame.cpu.chunk_by(|one, next| one.thread == next.thread) {
        rows += deepest(scopes.iter().map(|scope| scope.depth)) + 1;
        titles += 1;
    }
    rows += deepest(frame.gpu_scopes().iter().map(|scope| scope.depth)) + 1;
    let left = height - 4.0 - titles as f32 * TITLE - (titles - 1) as f32 * GAP;
    (left / rows as f32).clamp(*ROWS.start(), *ROWS.end())
}

fn deepest(depths: impl Iterator<Item = u32>) -> u32 {
    depths.max().unwrap_or(0).min(DEEPEST)
}

/// Milliseconds from the frame's begin to the last end, and at least to the next frame.
fn extent_ms(frame: &FrameTimes) -> f64 {
    let gpu_ns = match frame.gpu {
        GpuTimes::Timed { start_ns, .. } => start_ns as f64 + frame.gpu_ns().unwrap_or(0) as f64,
        GpuTimes::Untimed | GpuTimes::Lost => 0.0,
    };
    let cpu_ns = frame.cpu.iter().map(|scope| scope.end_ns as f64).fold(0.0, f64::max);
    let ns = (frame.interval_ns as f64).max(gpu_ns).max(cpu_ns);
    (ns * 1e-6).clamp(FINEST_MS, 1e9)
}

/// The wheel zooms at the pointer, a drag moves, a double click resets the view.
fn navigate(ui: &Ui, response: &egui::Response, view: &mut View, axis: &mut Axis, whole_ms: f64) {
    if response.double_clicked() {
        view.zoom = None;
        view.scroll = 0.0;
        axis.zoom = Zoom { start_ms: 0.0, span_ms: 1.02 * whole_ms };
        return;
    }
    let mut zoom = axis.zoom;
    if let Some(at) = response.hover_pos() {
        let notches = super::wheel(ui);
        if notches != 0.0 {
            let fixed_ms = axis.ms(at.x);
            let span_ms = zoom.span_ms * 1.25_f64.powf(-f64::from(notches));
            let span_ms = span_ms.clamp(FINEST_MS, 4.0 * whole_ms);
            zoom.start_ms = fixed_ms - (fixed_ms - zoom.start_ms) * span_ms / zoom.span_ms;
            zoom.span_ms = span_ms;
        }
    }
    if response.dragged() {
        let by = response.drag_delta();
        zoom.start_ms -= f64::from(by.x / axis.rect.width()) * zoom.span_ms;
        view.scroll -= by.y;
    }
    if zoom != axis.zoom {
        // Something of the frame stays in sight.
        zoom.start_ms = zoom.start_ms.clamp(-0.8 * zoom.span_ms, whole_ms - 0.2 * zoom.span_ms);
        axis.zoom = zoom;
        view.zoom = Some(zoom);
    }
}

/// The scopes before the one at `index`, or none beyond the limit of the search.
fn before<T>(scopes: &[T], index: usize) -> std::slice::Iter<'_, T> {
    scopes[..if index < COLOURED { index } else { 0 }].iter()
}

fn colour(history: &History, item: &Item<'_>, occurrence: usize) -> Color32 {
    history
        .lane(item.side, item.name, item.thread, item.depth, occurrence as u32)
        .map_or(theme::WEAK, |lane| theme::lane(lane.colour))
}

fn title(painter: &Painter, top: f32, rect: Rect, name: &str, note: Option<&str>) {
    let font = FontId::proportional(9.5);
    let at = pos2(rect.left() + 4.0, top);
    let end = painter.text(at, Align2::LEFT_TOP, name, font.clone(), theme::WEAK).right();
    if let Some(note) = note {
        painter.text(pos2(end + 8.0, top), Align2::LEFT_TOP, note, font, theme::NOTICE);
    }
}

/// Names the missing part of the frame's GPU half, with the reason.
fn gpu_note(frame: &FrameTimes, data: &PanelData<'_>) -> Option<&'static str> {
    match &frame.gpu {
        _ if !data.has_gpu_timers => Some(STRINGS.no_gpu_times),
        GpuTimes::Untimed => Some("nothing was submitted in this frame"),
        GpuTimes::Lost => Some("the times of this frame were lost"),
        GpuTimes::Timed { scopes, .. } => {
            let has_stages = scopes.iter().any(|scope| scope.depth > 0);
            (data.has_dropped_stages && !has_stages).then_some(
                "some stages are left out: their times do not add up to the time of their pass",
            )
        }
    }
}

fn paint(
    painter: &Painter,
    axis: &Axis,
    [top, row]: [f32; 2],
    item: &Item<'_>,
    colour: Color32,
    pointer: Option<Pos2>,
    pointed: &mut Option<Pointed>,
) {
    let (left, right) = (axis.x(item.start_ms), axis.x(item.end_ms));
    let top = top + item.depth.min(DEEPEST) as f32 * row;
    let rect = Rect::from_min_max(pos2(left, top), pos2(right.max(left + 1.0), top + row - 1.0));
    let seen = rect.intersect(painter.clip_rect());
    if !seen.is_positive() {
        return;
    }
    let under_pointer = pointer.is_some_and(|at| seen.expand2(vec2(1.0, 0.5)).contains(at));
    let fill = if under_pointer { colour.lerp_to_gamma(Color32::WHITE, 0.3) } else { colour };
    let radius = if rect.width() >= 6.0 { 2.0 } else { 0.0 };
    painter.rect_filled(rect, radius, fill);
    if seen.width() > 14.0 && row >= NAMED_ROW {
        let font = FontId::proportional(if row < 13.0 { 9.0 } else { 10.0 });
        let ink = Color32::from_rgb(8, 14, 20);
        let galley = painter.layout_no_wrap(item.name.to_owned(), font, ink);
        if galley.size().x + 6.0 <= seen.width() {
            let at = pos2(seen.left() + 3.0, rect.center().y - 0.5 * galley.size().y);
            painter.galley(at, galley, ink);
        }
    }
    if under_pointer {
        *pointed = Some(Pointed {
            name: item.name.to_owned(),
            side: item.side,
            place: if item.side == Side::Gpu { "GPU" } else { item.thread }.to_owned(),
            start_ms: item.start_ms,
            took_ms: item.end_ms - item.start_ms,
        });
    }
}

fn head(painter: &Painter, axis: &Axis, frame: u64) {
    let rect = axis.rect;
    let head = Rect::from_min_max(rect.min, pos2(rect.right(), rect.top() + AXIS));
    painter.rect_filled(head, 3.0, Color32::from_rgb(8, 12, 17));
    let font = FontId::proportional(9.5);
    let number = pos2(rect.right() - 4.0, rect.top() + 1.0);
    let text = format!("frame {frame}");
    let number = painter.text(number, Align2::RIGHT_TOP, text, font.clone(), theme::TEXT).left();
    let wanted = f64::from((rect.width() / 70.0).clamp(2.0, 24.0));
    let rough = axis.zoom.span_ms / wanted;
    let decade = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|each| each * decade);
    let step = step.into_iter().find(|each| *each >= rough).unwrap_or(rough);
    let digits = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    let first = (axis.zoom.start_ms / step).ceil();
    for count in 0..32 {
        let ms = (first + f64::from(count)) * step;
        let x = axis.x(ms);
        if !ms.is_finite() || x > rect.right() {
            break;
        }
        painter.vline(x, rect.y_range(), Stroke::new(1.0, Color32::from_white_alpha(14)));
        let unit = if count == 0 { " ms" } else { "" };
        // No minus before a zero.
        let text = format!("{:.digits$}{unit}", ms + 0.0);
        let galley = painter.layout_no_wrap(text, font.clone(), theme::WEAK);
        if x + 3.0 + galley.size().x < number - 4.0 {
            painter.galley(pos2(x + 3.0, rect.top() + 1.0), galley, theme::WEAK);
        }
    }
}

fn tooltip(ui: &mut Ui, pointed: &Pointed, interval_ms: f64) {
    ui.strong(&pointed.name);
    let side = pointed.side;
    let took = milliseconds(side, pointed.took_ms as f32);
    let share = 100.0 * pointed.took_ms / interval_ms;
    let text = if share.is_finite() {
        let digits = if super::is_coarse(side) { 0 } else { 1 };
        let frame = milliseconds(Side::Cpu, interval_ms as f32);
        format!("{took}, {share:.digits$} % of the frame's {frame}")
    } else {
        took
    };
    ui.label(text);
    let start = milliseconds(side, pointed.start_ms as f32);
    let text = format!("{}, from {start}", pointed.place);
    ui.label(egui::RichText::new(text).small().color(theme::WEAK));
}
