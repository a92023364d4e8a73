//! The tab of measurements: the sea's figures beside theory's, and the spectrum.

mod plot;

use egui::{Grid, Label, RichText, Ui};

use super::timeline::within;
use super::{PanelData, note, theme};
use crate::measurement::{Figure, Measured, POINTS};

/// With less width, the plot goes below the table.
const TWO_COLUMNS: f32 = 560.0;
const TABLE_WIDTH: f32 = 326.0;
/// Height of the table with its notes, where the plot is below it.
const TABLE_HEIGHT: f32 = 170.0;
const GAP: f32 = 10.0;

/// More decimals would widen the table beyond the dock.
const MOST_DECIMALS: usize = 5;

/// Standard errors beyond which a figure stands out: by chance one in twenty does.
const NOTICEABLE: f64 = 2.0;

pub(super) fn show(ui: &mut Ui, data: &PanelData<'_>) {
    if let Some(refused) = &data.measuring.refused {
        ui.add(Label::new(RichText::new(refused).color(theme::ERROR)).wrap());
        return;
    }
    let Some(measured) = &data.measuring.measured else {
        note(ui, "Working out the theoretical values of this sea …");
        return;
    };
    let area = ui.available_rect_before_wrap();
    if area.width() < 40.0 || area.height() < 20.0 {
        return;
    }
    let (table, spectrum) = if area.width() >= TWO_COLUMNS {
        let (spectrum, table) = area.split_left_right_at_x(area.right() - TABLE_WIDTH);
        (table, spectrum.with_max_x(spectrum.right() - GAP))
    } else {
        let middle = area.top() + TABLE_HEIGHT.min(0.6 * area.height());
        let (table, spectrum) = area.split_top_bottom_at_y(middle);
        (table, spectrum.with_min_y(middle + 4.0))
    };
    plot::show(ui, spectrum, measured);
    within(ui, table, |ui| {
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            figures(ui, measured);
            notes(ui, measured);
        });
    });
    ui.allocate_rect(area, egui::Sense::hover());
}

struct Row {
    name: &'static str,
    unit: &'static str,
    help: &'static str,
    figure: Figure,
}

fn rows(measured: &Measured) -> [Row; 6] {
    let [along, across] = measured.mean_square_slopes();
    [
        Row {
            name: "Hs",
            unit: "m",
            help: "Significant wave height: 4 times the standard deviation of the height, close \
                   to the mean height of the highest third of the waves.",
            figure: measured.significant_wave_height_m(),
        },
        Row {
            name: "Slope² along",
            unit: "",
            help: "Mean square slope along the wind, of the surface before choppiness.",
            figure: along,
        },
        Row {
            name: "Slope² across",
            unit: "",
            help: "Mean square slope across the wind, of the surface before choppiness.",
            figure: across,
        },
        Row {
            name: "Tz",
            unit: "s",
            help: "Mean time between two upward crossings of the still-water level, counted at \
                   fixed points from frame to frame. Crossings between two frames are missed, and \
                   the theoretical value leaves them out too.",
            figure: measured.mean_zero_crossing_period_s(),
        },
        Row {
            name: "Direction",
            unit: "°",
            help: "Mean direction towards which the waves run, from east (0) to south (90), by two looks \
                   at the surface. The whole sea's is that of the spectrum file, if there is one.",
            figure: measured.mean_direction_deg(),
        },
        Row {
            name: "Whitecaps",
            unit: "%",
            help: "Share of the sea that foam covers, within 600 m of the camera, beside the share \
                   observed at this wind (Monahan and O'Muircheartaigh 1980, above 17 m/s \
                   Salisbury et al. 2013) times the Foam setting.",
            figure: measured.whitecap_cover().times(100.0),
        },
    ]
}

const HEADINGS: [(&str, &str); 4] = [
    ("", ""),
    ("measured", "Values of the maps that the GPU has made, read back once or twice a second."),
    (
        "theory ± chance",
        "Expected value for the waves in the maps, and the standard error of one measurement: \
         about two of three seeds lie within it.",
    ),
    ("whole sea", "Expected value with the waves that are too short for the maps."),
];

fn figures(ui: &mut Ui, measured: &Measured) {
    Grid::new("measured").striped(true).num_columns(4).spacing([8.0, 3.0]).show(ui, |ui| {
        for (heading, help) in HEADINGS {
            let heading = RichText::new(heading).small().color(theme::WEAK);
            ui.add(Label::new(heading).extend()).on_hover_text(help);
        }
        ui.end_row();
        for Row { name, unit, help, figure } in rows(measured) {
            let name = if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
            ui.add(Label::new(name).extend()).on_hover_text(help);
            let decimals = decimals(&figure);
            let value = |value| text(value, decimals);
            let noticeable = figure.deviations().is_some_and(|by| by.abs() > NOTICEABLE);
            let colour = if noticeable { theme::NOTICE } else { theme::ACCENT };
            let text = figure.measured.map_or_else(|| "…".to_owned(), value);
            let label = ui.add(Label::new(RichText::new(text).monospace().color(colour)).extend());
            if let Some(by) = figure.deviations() {
                label.on_hover_text(format!("{by:+.1} standard errors from the theoretical value"));
            }
            let expected = match figure.standard_error {
                Some(error) => format!("{} ± {}", value(figure.expected), value(error)),
                None => value(figure.expected),
            };
            ui.add(Label::new(RichText::new(expected).monospace()).extend());
            let whole = RichText::new(value(figure.whole)).monospace().color(theme::WEAK);
            ui.add(Label::new(whole).extend());
            ui.end_row();
        }
    });
}

/// A number with `decimals` decimals, or with two digits and an exponent where there would be more than
/// [`MOST_DECIMALS`].
fn text(value: f64, decimals: usize) -> String {
    if decimals > MOST_DECIMALS && value != 0.0 {
        format!("{value:.1e}")
    } else {
        format!("{value:.*}", decimals.min(MOST_DECIMALS))
    }
}

/// Shows two digits of the standard error, or three of the value where none is known.
fn decimals(figure: &Figure) -> usize {
    let of = |value: f64, digits: f64| {
        let places = digits - 1.0 - value.abs().log10().floor();
        if places.is_finite() { places.max(0.0) as usize } else { 2 }
    };
    match figure.standard_error {
        Some(error) => of(error, 2.0),
        None => of(figure.expected, 3.0),
    }
}

fn notes(ui: &mut Ui, measured: &Measured) {
    let counted = match &measured.period {
        Some(period) => {
            format!("Tz: {} waves at {POINTS} points in {:.0} s.", period.waves, period.duration_s)
        }
        None => "Tz: counting waves while the sea moves …".to_owned(),
    };
    note(ui, counted);
    let subject = &measured.theory.subject;
    let (size, cascades) = (subject.size, subject.cascades.len());
    note(ui, format!("Other values: one instant of {cascades} maps of {size} × {size} points."));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_the_digits_that_mean_something() {
        let figure = |expected, standard_error| Figure {
            measured: None,
            expected,
            standard_error,
            whole: 0.0,
        };
        assert_eq!(decimals(&figure(2.139, Some(0.071))), 3);
        assert_eq!(decimals(&figure(10.2, Some(0.49))), 2);
        assert_eq!(decimals(&figure(0.0213, Some(0.000_43))), 5);
        assert_eq!(decimals(&figure(4.25, None)), 2);
        assert_eq!(decimals(&figure(123.0, Some(77.0))), 0);
        assert_eq!(decimals(&figure(0.0, Some(0.0))), 2);
        assert_eq!(decimals(&figure(f64::NAN, None)), 2);
        // The whitecaps of a light wind, in percent.
        let whitecaps = figure(3.21e-5, Some(4.4e-7));
        let texts = [3.21e-5, 4.4e-7, 0.0].map(|value| text(value, decimals(&whitecaps)));
        assert_eq!(texts, ["3.2e-5", "4.4e-7", "0.00000"]);
        assert_eq!(text(0.0213, 5), "0.02130");
    }
}
