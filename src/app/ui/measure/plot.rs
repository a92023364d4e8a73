//! The plot of S(omega): the measurement, over theory and its band of chance.

use std::f64::consts::TAU;

use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2};

use super::super::number::number;
use super::theme;
use crate::measurement::Measured;
use crate::settings::RecordedSpectrum;

/// Room for the labels of the axes.
const LEFT: f32 = 34.0;
const BOTTOM: f32 = 14.0;
/// Least distance of two labels of an axis.
const LABELS_APART: f32 = 26.0;
/// Most powers of ten shown below the peak.
const DECADES: f64 = 8.0;
const DOT_RADIUS: f32 = 2.0;
const FONT: FontId = FontId::proportional(9.5);

struct Axes {
    rect: Rect,
    /// ln of the frequencies at both ends, in rad/s.
    ln_omega: [f64; 2],
    /// ln of the densities at both ends, in m2 s/rad.
    ln_density: [f64; 2],
}

impl Axes {
    fn of(measured: &Measured, rect: Rect) -> Self {
        let bins = &measured.theory.bins;
        let ends = [0, bins.count()].map(|edge| bins.edge_rad_per_s(edge).ln());
        // Theory alone sets the axes, which stand still while the measurement moves.
        let densities = measured.theory.curve.iter().map(|[_, density]| *density);
        let (least, most) = densities
            .filter(|density| *density > 0.0)
            .fold((f64::INFINITY, f64::MIN_POSITIVE), |(least, most), density| {
                (least.min(density), most.max(density))
            });
        let top = (4.0 * most).ln();
        let bottom = (0.5 * least).ln().max(top - DECADES * std::f64::consts::LN_10);
        Self { rect, ln_omega: ends, ln_density: [bottom.min(top - 1.0), top] }
    }

    fn x(&self, omega_rad_per_s: f64) -> f32 {
        let [from, to] = self.ln_omega;
        let share = (omega_rad_per_s.ln() - from) / (to - from).max(1e-9);
        self.rect.left() + self.rect.width() * share as f32
    }

    /// Values below the plot are drawn at its lower edge.
    fn y(&self, density_m2_s: f64) -> f32 {
        let [from, to] = self.ln_density;
        let share = ((density_m2_s.ln() - from) / (to - from)).clamp(0.0, 1.0);
        self.rect.bottom() - self.rect.height() * if share.is_nan() { 0.0 } else { share as f32 }
    }

    fn at(&self, omega_rad_per_s: f64, density_m2_s: f64) -> Pos2 {
        pos2(self.x(omega_rad_per_s), self.y(density_m2_s))
    }

    fn omega_rad_per_s(&self, x: f32) -> f64 {
        let [from, to] = self.ln_omega;
        let share = (x - self.rect.left()) / self.rect.width();
        (from + (to - from) * f64::from(share)).exp()
    }
}

pub(super) fn show(ui: &mut Ui, area: Rect, measured: &Measured) {
    let response = ui.interact(area, egui::Id::unique("measured spectrum"), Sense::hover());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Measured spectrum"));
    if area.width() < 80.0 || area.height() < 40.0 {
        return;
    }
    let painter = ui.painter_at(area);
    painter.rect_filled(area, 3.0, theme::WELL);
    let inner =
        Rect::from_min_max(area.min + egui::vec2(LEFT, 3.0), area.max - egui::vec2(5.0, BOTTOM));
    let axes = Axes::of(measured, inner);
    grid(&painter, area, &axes);
    bands(&painter, &axes, measured);
    let line = measured.theory.curve.iter().filter(|[_, density]| *density > 0.0);
    let line = line.map(|[omega, density]| axes.at(*omega, *density)).collect();
    painter.add(Shape::line(line, Stroke::new(1.2, theme::ACCENT)));
    let hovered = response.hover_pos().filter(|at| inner.contains(*at));
    let hovered = hovered.map(|at| measured.theory.bins.index_of(axes.omega_rad_per_s(at.x)));
    dots(&painter, &axes, measured, hovered);
    if let Some(record) = &measured.theory.recorded {
        circles(&painter, &axes, record);
    }
    legend(&painter, inner, measured.theory.recorded.is_some());
    if let Some(index) = hovered {
        response.on_hover_ui_at_pointer(|ui| tooltip(ui, measured, index));
    }
}

/// The bands that hold two of three measurements, and nineteen of twenty.
fn bands(painter: &Painter, axes: &Axes, measured: &Measured) {
    let theory = &measured.theory;
    let mut mesh = Mesh::default();
    mesh.reserve_vertices(8 * theory.bins.count());
    mesh.reserve_triangles(4 * theory.bins.count());
    for (index, expected) in theory.expected.iter().enumerate() {
        if expected.variance_m2 <= 0.0 {
            continue;
        }
        let [left, right] = [index, index + 1].map(|edge| axes.x(theory.bins.edge_rad_per_s(edge)));
        for deviations in [2.0, 1.0] {
            let y = |deviations| axes.y(expected.density_m2_s * expected.ratio_at(deviations));
            let band = Rect::from_min_max(pos2(left, y(deviations)), pos2(right, y(-deviations)));
            mesh.add_colored_rect(band, theme::ACCENT.gamma_multiply(0.22));
        }
    }
    painter.add(Shape::mesh(mesh));
}

fn dots(painter: &Painter, axes: &Axes, measured: &Measured, hovered: Option<usize>) {
    let bins = &measured.theory.bins;
    for index in 0..bins.count() {
        let Some(density) = measured.density_m2_s(index) else { continue };
        let at = axes.at(bins.centre_rad_per_s(index), density);
        let (radius, colour) = if hovered == Some(index) {
            (1.6 * DOT_RADIUS, Color32::WHITE)
        } else {
            (DOT_RADIUS, theme::NOTICE)
        };
        painter.circle_filled(at, radius, colour);
    }
}

/// The spectrum file, at its own frequencies.
fn circles(painter: &Painter, axes: &Axes, record: &RecordedSpectrum) {
    for (hz, density) in record.frequencies_hz.iter().zip(&record.density_m2_per_hz) {
        let at = axes.at(TAU * hz, density / TAU);
        if *density > 0.0 && axes.rect.contains(at) {
            painter.circle_stroke(at, 1.6 * DOT_RADIUS, Stroke::new(1.0, Color32::WHITE));
        }
    }
}

fn grid(painter: &Painter, area: Rect, axes: &Axes) {
    let inner = axes.rect;
    let faint = Stroke::new(1.0, Color32::from_white_alpha(18));
    let mut free_from = area.left();
    // The unit stands at the right end.
    let unit = painter.text(
        pos2(inner.right(), area.bottom() - 1.0),
        Align2::RIGHT_BOTTOM,
        "rad/s",
        FONT,
        theme::WEAK,
    );
    let decade = (axes.ln_omega[0] / std::f64::consts::LN_10).floor() as i32;
    for omega in (decade..decade + 6).flat_map(|ten| [1.0, 2.0, 5.0].map(|n| n * 10_f64.powi(ten)))
    {
        let x = axes.x(omega);
        if !inner.x_range().contains(x) {
            continue;
        }
        painter.vline(x, inner.y_range(), faint);
        if x - 9.0 > free_from && x + 12.0 < unit.left() {
            let at = pos2(x, area.bottom() - 1.0);
            let written = painter.text(at, Align2::CENTER_BOTTOM, number(omega), FONT, theme::TEXT);
            free_from = written.right();
        }
    }
    painter.text(
        area.min + egui::vec2(3.0, 1.0),
        Align2::LEFT_TOP,
        "S  m² s/rad",
        FONT,
        theme::WEAK,
    );
    let [low, high] = axes.ln_density.map(|ln| ln / std::f64::consts::LN_10);
    let a_decade = inner.height() / (high - low) as f32;
    let step = (LABELS_APART / a_decade).ceil().max(1.0) as i32;
    for ten in low.ceil() as i32..=high.floor() as i32 {
        let y = axes.y(10_f64.powi(ten));
        painter.hline(inner.x_range(), y, faint);
        if ten.rem_euclid(step) == 0 && y > area.top() + 16.0 {
            let at = pos2(inner.left() - 3.0, y);
            let text =
                if (-2..4).contains(&ten) { number(10_f64.powi(ten)) } else { format!("1e{ten}") };
            painter.text(at, Align2::RIGHT_CENTER, text, FONT, theme::TEXT);
        }
    }
}

fn legend(painter: &Painter, inner: Rect, has_file: bool) {
    if inner.width() < 200.0 || inner.height() < 60.0 {
        return;
    }
    let entries = [
        ("theory", theme::ACCENT),
        ("± 1, 2 standard errors", theme::ACCENT.gamma_multiply(0.6)),
        ("measured", theme::NOTICE),
        ("spectrum file", Color32::WHITE),
    ];
    let shown = if has_file { 4 } else { 3 };
    for (row, (text, colour)) in (0_u8..).zip(entries).take(shown) {
        let at = inner.right_top() + egui::vec2(-4.0, 2.0 + 12.0 * f32::from(row));
        painter.text(at, Align2::RIGHT_TOP, text, FONT, colour);
    }
}

/// Shows the values of one bin.
fn tooltip(ui: &mut Ui, measured: &Measured, index: usize) {
    let theory = &measured.theory;
    let omega = theory.bins.centre_rad_per_s(index);
    let expected = &theory.expected[index];
    let wavelength_m = TAU / theory.dispersion.wavenumber_rad_per_m(omega);
    let [from, to] = [index, index + 1].map(|edge| theory.bins.edge_rad_per_s(edge));
    egui::Grid::new("bin").num_columns(2).spacing([14.0, 1.0]).show(ui, |ui| {
        let mut row = |name: &str, colour: Color32, value: String| {
            ui.colored_label(colour, name);
            ui.monospace(value);
            ui.end_row();
        };
        row("frequency", theme::TEXT, format!("{from:.3} to {to:.3} rad/s"));
        row("period", theme::TEXT, format!("{:.2} s", TAU / omega));
        row("wavelength", theme::TEXT, format!("{wavelength_m:.2} m"));
        row("theory", theme::ACCENT, format!("{:.3e} m² s/rad", expected.density_m2_s));
        if expected.variance_m2 > 0.0 {
            let percent = 100.0 * expected.relative_standard_error();
            row("chance", theme::ACCENT, format!("± {percent:.0} %"));
        }
        if let Some(density) = measured.density_m2_s(index) {
            let ratio = density / expected.density_m2_s;
            row("measured", theme::NOTICE, format!("{density:.3e} ({ratio:.2} of theory)"));
        }
        if let Some([measured_deg, expected_deg]) = measured.direction_deg(index) {
            row("towards", theme::NOTICE, format!("{measured_deg:.0}° of {expected_deg:.0}°"));
        }
        row("waves", theme::TEXT, format!("{} wave vectors", 2 * expected.pairs));
    });
}
