//! The comparison's tab: the choice of FFTs, and the results.

use egui::{Align, Color32, Grid, Layout, RichText, Sense, Ui, vec2};

use super::{Command, PanelData, list, named, note, theme};
use crate::app::comparing::CompareChoice;
use crate::app::fft_choice::SIZES;
use crate::app::platform::STRINGS;
use crate::app::session::Session;
use crate::bench::Scale;
use crate::bench::comparison::{Line, Measured, Progress, RowKind, Table};
use crate::choice::{Choice as _, choices};
use crate::fft::Precision;
use crate::fft::lab::AlgorithmChoice;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum CompareCommand {
    /// Start the chosen comparison from the beginning.
    Start,
    /// End it, and drop its results.
    Stop,
    Pause(bool),
    Baseline(usize),
    /// Write the results to a file.
    Save(TableForm),
}

choices! {
    /// A file format of the results.
    pub enum TableForm {
        Csv = "csv",
        Markdown = "md",
        Svg = "svg",
        /// The transforms, as `seaway bench` writes them.
        Json = "json",
    }
}

impl TableForm {
    /// Formats `table`; `about` names the adapter.
    pub fn of(self, table: &Table, about: &str) -> String {
        match self {
            Self::Csv => table.csv(),
            Self::Markdown => table.markdown(about),
            Self::Svg => table.svg(about),
            Self::Json => {
                let rows = table.bench_rows(about);
                serde_json::to_string_pretty(&rows).expect("plain data serialises") + "\n"
            }
        }
    }
}

const BAR_WIDTH: f32 = 70.0;
const ROW_HEIGHT: f32 = 15.0;

pub(super) fn show(
    ui: &mut Ui,
    session: &mut Session,
    data: &PanelData<'_>,
    commands: &mut Vec<Command>,
) {
    let mut ask = |command| commands.push(Command::Compare(command));
    ui.horizontal_wrapped(|ui| {
        controls(ui, data, &mut ask);
        choice(ui, session, data);
    });
    let Some(comparing) = data.comparing else {
        note(
            ui,
            "Times the chosen algorithms in turn on the spectra of the frame, while the sea moves \
             on. Choose what to compare, then press Start.",
        );
        return;
    };
    if let Some(error) = comparing.error {
        ui.add(egui::Label::new(RichText::new(error).color(theme::ERROR)).wrap());
    }
    let table = comparing.table;
    ui.horizontal_wrapped(|ui| {
        // First, where they stay while the words beside them change.
        export(ui, table, data.adapter, &mut ask);
        note(ui, status(comparing));
    });
    egui::ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
        rows(ui, table, comparing, session, &mut ask);
    });
}

fn controls(ui: &mut Ui, data: &PanelData<'_>, ask: &mut impl FnMut(CompareCommand)) {
    let is_there = data.comparing.is_some();
    let start = if is_there { "Start again" } else { "Start" };
    let start = ui
        .add_enabled(data.has_frame, egui::Button::new(start))
        .on_hover_text("Compiles and checks the rows in the background, then times them.");
    traced(&start, "start");
    if start.clicked() {
        ask(CompareCommand::Start);
    }
    if let Some(comparing) = data.comparing {
        let is_paused = comparing.is_paused;
        let pause = if is_paused { "Resume" } else { "Pause" };
        if ui
            .button(pause)
            .on_hover_text(
                "Pauses the timing and keeps the results so far. Rows are still compiled.",
            )
            .clicked()
        {
            ask(CompareCommand::Pause(!is_paused));
        }
        if ui
            .button("Stop")
            .on_hover_text("Ends the comparison and discards its results.")
            .clicked()
        {
            ask(CompareCommand::Stop);
        }
    }
}

/// The choice of what to compare, and the budget of a frame.
fn choice(ui: &mut Ui, session: &mut Session, data: &PanelData<'_>) {
    let quality = session.quality.clone();
    let compare = &mut session.compare;
    let count = compare.algorithms.len();
    ui.menu_button(format!("{count} algorithms"), |ui| {
        ui.set_min_width(190.0);
        ui.horizontal(|ui| {
            if ui.button("All").clicked() {
                compare.algorithms = AlgorithmChoice::of_powers_of_two().collect();
            }
            if ui.button("None").clicked() {
                compare.algorithms.clear();
            }
            if ui
                .button("Default")
                .on_hover_text("All algorithms except the plain definition (dft).")
                .clicked()
            {
                compare.algorithms = CompareChoice::default().algorithms;
            }
        });
        for algorithm in AlgorithmChoice::of_powers_of_two() {
            let mut is_in = compare.algorithms.contains(&algorithm);
            if ui.checkbox(&mut is_in, algorithm.name()).changed() {
                compare.toggle(algorithm);
            }
        }
    })
    .response
    .on_hover_text("auto has a row among the ocean steps if it chose the FFT of the frame.");
    ui.menu_button(kinds(&compare.kinds), |ui| {
        for kind in RowKind::ALL {
            let mut is_in = compare.kinds.contains(kind);
            if ui.checkbox(&mut is_in, kind.label()).changed() {
                compare.toggle_kind(*kind);
            }
        }
    })
    .response
    .on_hover_text(
        "Transforms of all images, from a copy of the frame's spectra into a buffer, or whole \
         steps of the ocean, from the waves to the maps with their mips.",
    );
    let own = quality.size;
    list(
        ui,
        "Size",
        60.0,
        compare.size.map_or(format!("{own} (frame)"), |n| n.to_string()),
        |ui| {
            ui.selectable_value(&mut compare.size, None, format!("{own} (frame)"));
            for size in SIZES {
                ui.selectable_value(&mut compare.size, Some(size), size.to_string());
            }
        },
    )
    .on_hover_text("Points along one side of an image.");
    let own = 4 * quality.cascades;
    let images = |cascades: Option<u32>| {
        cascades
            .map_or(format!("{own} images (frame)"), |cascades| format!("{} images", 4 * cascades))
    };
    list(ui, "Batch", 60.0, images(compare.cascades), |ui| {
        for cascades in [None, Some(1), Some(2), Some(3), Some(4)] {
            ui.selectable_value(&mut compare.cascades, cascades, images(cascades));
        }
    })
    .on_hover_text("Images per transform: four complex images for each cascade.");
    list(ui, "Precision", 60.0, compare.precision.to_string(), |ui| {
        ui.selectable_value(&mut compare.precision, Precision::F32, "f32");
        let f16 = egui::Button::selectable(compare.precision == Precision::F16, "f16");
        let f16 = ui.add_enabled(data.capabilities.shader_f16, f16);
        if f16.on_disabled_hover_text("This adapter has no 16-bit floats.").clicked() {
            compare.precision = Precision::F16;
        }
    })
    .on_hover_text("Precision of the numbers in memory.");
    let mut budget_ms = compare.budget_ms(data.is_software);
    let budget = ui
        .add(
            egui::DragValue::new(&mut budget_ms)
                .range(CompareChoice::BUDGETS_MS)
                .speed(0.05)
                .max_decimals(1)
                .suffix(" ms per frame"),
        )
        .on_hover_text(
            "Mean GPU time per frame for the comparison. A row whose single run takes longer is \
             measured on one image.",
        );
    if budget.changed() {
        compare.budget_ms = Some(budget_ms);
    }
}

fn kinds(kinds: &[RowKind]) -> String {
    match kinds {
        [] => "nothing".to_owned(),
        [one] => format!("{}s", one.label()),
        several => format!("{} kinds of row", several.len()),
    }
}

/// Describes the step under way.
fn status(comparing: Progress<'_>) -> String {
    let doing = if comparing.error.is_some() {
        "ended".to_owned()
    } else if comparing.waiting > 0 {
        format!("{} rows to compile and check", comparing.waiting)
    } else if comparing.is_paused {
        "paused".to_owned()
    } else if comparing.has_settled {
        "settled".to_owned()
    } else {
        "settling".to_owned()
    };
    format!("{}: {doing}", comparing.table.title())
}

/// Buttons that copy and save the table.
fn export(ui: &mut Ui, table: &Table, adapter: &str, ask: &mut impl FnMut(CompareCommand)) {
    note(ui, "Copy");
    for (name, form) in [("Markdown", TableForm::Markdown), ("CSV", TableForm::Csv)] {
        let button = named(ui.small_button(name), &format!("Copy as {name}"));
        if button.on_hover_text("To the clipboard.").clicked() {
            ui.ctx().copy_text(form.of(table, adapter));
        }
    }
    note(ui, "Save");
    for (name, form, help) in [
        ("CSV", TableForm::Csv, "The table."),
        ("SVG", TableForm::Svg, "A picture of it."),
        ("JSON", TableForm::Json, "The transforms, as seaway bench --format json writes them."),
    ] {
        let button = named(ui.small_button(name), &format!("Save as {name}"));
        let button = button.on_hover_text(format!("{help} {}", STRINGS.tables_go));
        traced(&button, form.name());
        if button.clicked() {
            ask(CompareCommand::Save(form));
        }
    }
}

fn rows(
    ui: &mut Ui,
    table: &Table,
    comparing: Progress<'_>,
    session: &mut Session,
    ask: &mut impl FnMut(CompareCommand),
) {
    let scale = table.scale();
    Grid::new("comparison").striped(true).spacing([6.0, 2.0]).show(ui, |ui| {
        for (heading, help) in HEADINGS {
            ui.add(egui::Label::new(RichText::new(*heading).small().color(theme::WEAK)).extend())
                .on_hover_text(*help);
        }
        ui.end_row();
        for line in &table.rows {
            let entry = line.entry.and_then(|row| comparing.entries.get(row));
            let is_active = entry.is_some_and(|entry| {
                entry.algorithm == session.algorithm
                    && entry.kind.path().is_none_or(|path| path == session.path)
            });
            name(ui, line, is_active, ask);
            match line.measured() {
                Some(measured) => figures(ui, table, line, measured, &scale),
                None => {
                    let colour = if line.is_failed() { theme::ERROR } else { theme::WEAK };
                    let text = line.note();
                    let short: String = text.chars().take(64).collect();
                    let label = egui::Label::new(RichText::new(short).small().color(colour));
                    ui.add(label.extend()).on_hover_text(text);
                    (0..HEADINGS.len() - 3).for_each(|_| drop(ui.label("")));
                }
            }
            if let Some(entry) = entry.filter(|_| line.measured().is_some()) {
                let button = egui::Button::new(if is_active { "in use" } else { "use" }).small();
                let name = format!("Use {}, {}", line.algorithm, line.kind.label());
                let button = named(ui.add_enabled(!is_active, button), &name);
                let button = button.on_hover_text("Use this FFT for the ocean.");
                if button.clicked() {
                    session.algorithm = entry.algorithm;
                    session.path = entry.kind.path().unwrap_or(session.path);
                }
            } else {
                ui.label("");
            }
            ui.end_row();
        }
    });
}

const HEADINGS: &[(&str, &str)] = &[
    ("algorithm", "Click an algorithm to make it the baseline of the speed-ups of its kind."),
    (
        "median",
        "Median of one run, on a logarithmic scale; the line goes from the 5th to the 95th \
         percentile.",
    ),
    ("us", "Median of one run, in microseconds."),
    ("5 to 95 %", "Spread of the samples, in microseconds."),
    ("% copy", "Time of a copy of the same bytes over the time of the row: 100 is the ceiling."),
    ("speed-up", "Time of the baseline over the time of the row, measured in the same frames."),
    (
        "error",
        "Largest difference from a result in double precision, over the largest value of that \
         result.",
    ),
    ("memory", "Workgroup memory of the largest kernel, in bytes."),
    ("runs", "Dispatches of one run."),
    ("", ""),
];

fn name(ui: &mut Ui, line: &Line, is_active: bool, ask: &mut impl FnMut(CompareCommand)) {
    let mut text = line.name();
    match line.kind {
        RowKind::Transform => {}
        RowKind::PlainStep => text += ", plain step",
        RowKind::FusedStep => text += ", fused step",
    }
    if line.entry.is_none() {
        text = "copy of the same bytes".to_owned();
    }
    let colour = match (line.is_failed(), is_active) {
        (true, _) => theme::ERROR,
        (_, true) => theme::ACCENT,
        _ => Color32::from_rgb(0xdc, 0xe6, 0xec),
    };
    let text = RichText::new(if line.baseline { format!("{text}  = 1") } else { text });
    let Some(row) = line.entry else {
        ui.add(egui::Label::new(text.small().color(colour)).extend().selectable(false));
        return;
    };
    let button = egui::Button::new(text.small().color(colour)).small().frame(false);
    let can_run = line.measured().is_some() || line.pending.is_some();
    let button = ui.add_enabled(can_run, button.wrap_mode(egui::TextWrapMode::Extend));
    let button = named(button, &format!("Compare with {}, {}", line.algorithm, line.kind.label()));
    if button.on_hover_text("Click to compare the other rows with this one.").clicked() {
        ask(CompareCommand::Baseline(row));
    }
}

/// A logarithmic scale of medians.
fn figures(ui: &mut Ui, table: &Table, line: &Line, measured: &Measured, scale: &Scale) {
    bar(ui, line, measured, scale);
    let cells = table.cells(line);
    let approximately = if measured.images_measured < table.batch { "~" } else { "" };
    let (settling, colour) = match measured.settled {
        true => ("", Color32::WHITE),
        false => (" …", theme::NOTICE),
    };
    let mut hover = format!("{} samples", measured.samples);
    if !cells[9].is_empty() {
        hover += &format!("; {}", cells[9]);
    }
    let median = format!("{approximately}{}{settling}", cells[2]);
    right(ui, &median, colour).on_hover_text(hover);
    let colours =
        [theme::WEAK, Color32::WHITE, theme::ACCENT, theme::WEAK, theme::WEAK, theme::WEAK];
    for (cell, colour) in cells[3..].iter().zip(colours) {
        right(ui, cell, colour);
    }
}

fn right(ui: &mut Ui, text: &str, colour: Color32) -> egui::Response {
    let layout = Layout::right_to_left(Align::Center);
    let label = egui::Label::new(RichText::new(text).small().monospace().color(colour)).extend();
    ui.with_layout(layout, |ui| ui.add(label)).inner
}

fn bar(ui: &mut Ui, line: &Line, measured: &Measured, scale: &Scale) {
    let (rect, _) = ui.allocate_exact_size(vec2(BAR_WIDTH, ROW_HEIGHT), Sense::hover());
    let Some([p5, median, p95]) = measured.times_us() else { return };
    let colour = match (line.entry, line.kind) {
        (None, _) => theme::SERIES[7],
        (_, RowKind::Transform) => theme::SERIES[0],
        (_, RowKind::PlainStep) => theme::SERIES[1],
        (_, RowKind::FusedStep) => theme::SERIES[2],
    };
    let x = |us: f64| rect.left() + rect.width() * scale.share(us).clamp(0.0, 1.0) as f32;
    let mut filled = rect.shrink2(vec2(0.0, 3.0));
    filled.set_right(x(median).max(rect.left() + 1.0));
    ui.painter().rect_filled(filled, 1.0, colour.gamma_multiply(0.7));
    let stroke = egui::Stroke::new(1.0, Color32::WHITE);
    ui.painter().hline(x(p5)..=x(p95).max(x(p5) + 1.0), rect.center().y, stroke);
}

/// Logs the button's position, for tests that press it from outside.
fn traced(button: &egui::Response, name: &str) {
    log::trace!("compare: {name} at {:?}", button.rect.center());
}
