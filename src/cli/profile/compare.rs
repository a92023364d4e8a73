//! `seaway profile --compare`: algorithms in whole frames, as in Figures 20 and 21 of Mota (2022), and side
//! by side as in the window.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::bench::comparison::{
    Entry, Problem, Progress, RowKind, Running, Table, microseconds, named,
};
use crate::bench::{Outcome, RunInfo};
use crate::choice::Choice as _;
use crate::fft::Precision;
use crate::fft::lab::{Algorithm, AlgorithmChoice, PingPong, Value};
use crate::figures::{FrameRow, FrameTimes, Gain, Parts, SizeFrames};
use crate::gpu::median;
use crate::profile::{Profiler, Recorder};
use crate::settings::{Preset, Quality, QualityTier, Scenery};
use crate::text_table::{TextTable, merged};
use crate::{OceanOptions, OceanPath};
use anyhow::{Context as _, ensure};
use serde::Serialize;

use super::plain_mesh::PlainMesh;
use super::{WARM_UP_FRAMES, draw};
use crate::cli::Global;
use crate::cli::auto::Auto;
use crate::cli::bench::stored;
use crate::cli::device::Gpu;
use crate::cli::headless::Headless;
use crate::cli::output::{self, TableFormat};
use crate::cli::render::progress_bar;

/// The reference of the others: a dispatch for each stage, as the thesis' ocean had it at first.
const PASS_PER_STAGE: Algorithm = Algorithm::CooleyTukeyMultipass;

/// Time during which frames are not counted, while the GPU's clocks rise.
const WARM_UP: Duration = Duration::from_millis(400);

pub struct Request<'a> {
    pub algorithms: &'a [AlgorithmChoice],
    pub sizes: &'a [u32],
    pub scene: &'a Preset,
    pub quality: &'a Quality,
    pub tier: QualityTier,
    pub path: OceanPath,
    pub resolution: [u32; 2],
    pub frames: u32,
    /// GPU time that a frame may spend on the rows side by side.
    pub budget_ms: Option<f64>,
    /// Time limit of these rows at one size.
    pub patience: Duration,
    /// The memory for results between stages, of algorithms that have a choice.
    pub ping_pong: Option<PingPong>,
    /// The vertices along a side of the only thing that is drawn, if not all that the window shows.
    pub plain_mesh: Option<u32>,
    pub auto: &'a Auto,
    pub out: &'a Path,
}

#[derive(Serialize)]
pub struct Comparisons {
    #[serde(flatten)]
    taken: RunInfo,
    quality: QualityTier,
    comparisons: Vec<SizeComparison>,
}

#[derive(Serialize)]
struct SizeComparison {
    #[serde(flatten)]
    frames: SizeFrames,
    path: OceanPath,
    /// The rows side by side, while frames are drawn.
    side_by_side: Table,
}

/// Records a frame at a time in seconds.
type Drawing = Box<dyn FnMut(&mut Recorder<'_>, f64)>;

/// Measures, writes `compare.*` to the folder, and prints.
pub fn run(
    request: &Request<'_>,
    gpu: &Gpu,
    global: &Global,
    form: TableFormat,
) -> anyhow::Result<()> {
    let mut algorithms = request.algorithms.to_vec();
    if !algorithms.contains(&PASS_PER_STAGE.into()) {
        algorithms.push(PASS_PER_STAGE.into());
    }
    let mut found = Comparisons {
        taken: RunInfo::new(&gpu.context.adapter_info, Vec::new(), stored::command()),
        quality: request.tier,
        comparisons: Vec::new(),
    };
    for &size in request.sizes {
        let quality = Quality { size, ..request.quality.clone() };
        found.comparisons.push(compare(request, gpu, global, &algorithms, &quality)?);
        // As it comes: an hour's work is not lost with its last size.
        found.taken.complete = found.comparisons.len() == request.sizes.len();
        found.write(request.out)?;
    }
    let files = request.out.join("compare.{json,csv,md}");
    eprintln!("wrote {}, and a CSV and an SVG file for each size", files.display());
    found.print(form)
}

fn compare(
    request: &Request<'_>,
    gpu: &Gpu,
    global: &Global,
    algorithms: &[AlgorithmChoice],
    quality: &Quality,
) -> anyhow::Result<SizeComparison> {
    let size = quality.size;
    let mut rows = Vec::new();
    let mut chosen = Vec::new();
    // The last one that draws, to draw the frames that the others run beside.
    let mut drawing = None;
    let progress = progress_bar(u64::from(request.frames) * algorithms.len() as u64, "frames");
    for &algorithm in algorithms {
        progress.set_message(format!("frames, {algorithm} {size}"));
        let ocean = OceanOptions { path: request.path, ..OceanOptions::of(quality) };
        let mut ocean = progress.suspend(|| request.auto.resolve_frame(gpu, algorithm, &ocean))?;
        if let (Some(memory), Some(configuration)) = (request.ping_pong, &mut ocean.algorithm) {
            // Others keep their only memory.
            let _ = configuration.set("ping-pong", Some(Value::Choice(memory.name())));
        }
        let row =
            |chosen, outcome| FrameRow { algorithm: algorithm.name().to_owned(), chosen, outcome };
        let configuration = match ocean.configuration(&gpu.context.capabilities) {
            Ok(configuration) => configuration,
            Err(error) => {
                rows.push(row(None, Outcome::skipped(error)));
                continue;
            }
        };
        chosen.push((algorithm, ocean.algorithm));
        // Objects float in the ocean's pass, and are no part of what is compared.
        let scene = &Preset {
            scenery: Scenery { buoys: 0, ..Default::default() },
            ..request.scene.clone()
        };
        let mut record = match drawing_of(request, gpu, scene, quality, ocean) {
            Ok(record) => record,
            Err(error) => {
                rows.push(row(None, Outcome::skipped(format!("{error:#}"))));
                continue;
            }
        };
        let (cpu_us, gpu_us) = profile(gpu, request.frames, &mut record, || progress.inc(1))?;
        let chosen = algorithm.named().is_none().then(|| configuration.algorithm().to_string());
        let gain = Gain::default();
        rows.push(row(chosen, Outcome::Measured(FrameTimes { cpu_us, gpu_us, gain })));
        drawing = Some(record);
    }
    progress.finish_and_clear();
    // The choice of `auto` is for the step of that path.
    let entry = |kind: RowKind| {
        let is_for = move |algorithm| {
            algorithm != AlgorithmChoice::Auto || kind.path() == Some(request.path)
        };
        let entry = move |&(algorithm, configuration)| Entry { kind, algorithm, configuration };
        chosen.iter().filter(move |(algorithm, _)| is_for(*algorithm)).map(entry)
    };
    let entries = RowKind::ALL.iter().flat_map(|kind| entry(*kind)).collect();
    let record = drawing.context("no algorithm runs at this size on this adapter")?;
    let side_by_side = beside(request, gpu, record, global, entries, quality)?;
    drop_wrong(&mut rows, &side_by_side, request.path);
    gains(&mut rows);
    let frames = SizeFrames {
        size,
        cascades: quality.cascades,
        resolution: request.resolution,
        frames: request.frames,
        ping_pong: request.ping_pong,
        plain_mesh: request.plain_mesh,
        frames_by_algorithm: rows,
    };
    Ok(SizeComparison { frames, path: request.path, side_by_side })
}

/// The frames that an ocean with those options drives.
fn drawing_of(
    request: &Request<'_>,
    gpu: &Gpu,
    scene: &Preset,
    quality: &Quality,
    ocean: OceanOptions,
) -> anyhow::Result<Drawing> {
    if let Some(side) = request.plain_mesh {
        let mesh = PlainMesh::new(gpu, scene, ocean, request.resolution, side)?;
        return Ok(Box::new(move |recorder, time_s| mesh.record(recorder, time_s)));
    }
    let mut headless = Headless::new(gpu.clone(), scene, quality, ocean, request.resolution)?;
    Ok(Box::new(move |recorder, time_s| headless.record(recorder, time_s)))
}

/// Medians of the parts of `frames` frames, for processor and GPU.
fn profile(
    gpu: &Gpu,
    frames: u32,
    record: &mut Drawing,
    mut notify: impl FnMut(),
) -> anyhow::Result<(Parts, Parts)> {
    let context = &gpu.context;
    let mut profiler = Profiler::new(&context.device, &context.queue);
    let mut samples = Samples::default();
    let begun = Instant::now();
    let (mut warm_up, mut counted) = (0_u32, 0);
    while counted < frames {
        let is_warm =
            warm_up >= WARM_UP_FRAMES && (context.is_software() || begun.elapsed() >= WARM_UP);
        let begin = Instant::now();
        let time_s = f64::from(warm_up + counted) / 60.0;
        draw(context, &mut profiler, |recorder| record(recorder, time_s));
        let cpu_us = begin.elapsed().as_secs_f64() * 1e6;
        // One frame at a time: its GPU's part is its own.
        context.device.poll(wgpu::PollType::wait_indefinitely())?;
        gpu.check()?;
        if is_warm {
            samples.cpu.frame.push(cpu_us);
            counted += 1;
            notify();
        } else {
            warm_up += 1;
        }
        samples.take_finished(&mut profiler, warm_up);
    }
    // Frames that are still in flight.
    profiler.set_timing(false);
    profiler.begin_frame();
    context.device.poll(wgpu::PollType::wait_indefinitely())?;
    samples.take_finished(&mut profiler, warm_up);
    Ok((samples.cpu.medians(), samples.gpu.medians()))
}

#[derive(Default)]
struct Samples {
    cpu: PartSamples,
    gpu: PartSamples,
}

#[derive(Default)]
struct PartSamples {
    horizontal: Vec<f64>,
    vertical: Vec<f64>,
    ocean: Vec<f64>,
    frame: Vec<f64>,
}

impl Samples {
    /// Takes the frames whose times are there, except for the first `warm_up` ones.
    fn take_finished(&mut self, profiler: &mut Profiler, warm_up: u32) {
        while let Some(times) = profiler.finished_frame() {
            if times.frame > u64::from(warm_up) {
                self.take(&times);
            }
        }
    }

    fn take(&mut self, times: &crate::profile::FrameTimes) {
        for scope in &times.cpu {
            self.cpu.push(&scope.name, scope.duration_ns());
        }
        for scope in times.gpu_scopes() {
            self.gpu.push(&scope.label, scope.end_ns.saturating_sub(scope.start_ns));
        }
        if let Some(ns) = times.gpu_ns() {
            self.gpu.frame.push(ns as f64 / 1000.0);
        }
    }
}

impl PartSamples {
    fn push(&mut self, label: &str, ns: u64) {
        use crate::ocean::OceanStage::{Columns, ColumnsMaps, Rows, SpectrumRows};
        let is = |stages: [crate::ocean::OceanStage; 2]| {
            stages.iter().any(|stage| stage.label() == label)
        };
        let us = ns as f64 / 1000.0;
        if is([Rows, SpectrumRows]) {
            self.horizontal.push(us);
        } else if is([Columns, ColumnsMaps]) {
            self.vertical.push(us);
        } else if label == "ocean" {
            self.ocean.push(us);
        }
    }

    fn medians(&mut self) -> Parts {
        Parts {
            horizontal: median(&mut self.horizontal),
            vertical: median(&mut self.vertical),
            ocean: median(&mut self.ocean),
            frame: median(&mut self.frame),
        }
    }
}

/// Removes the times of rows whose step failed the check beside the others.
fn drop_wrong(rows: &mut [FrameRow], side_by_side: &Table, path: OceanPath) {
    for row in rows {
        let step = side_by_side
            .rows
            .iter()
            .find(|line| line.algorithm == row.algorithm && line.kind.path() == Some(path));
        if let Some(Some(Outcome::Failed { failed })) = step.map(|line| &line.outcome) {
            row.outcome = Outcome::failed(failed);
        }
    }
}

/// Computes each row's gain over pass-per-stage.
fn gains(rows: &mut [FrameRow]) {
    let transform = |parts: &Parts| Some(parts.horizontal? + parts.vertical?);
    let baseline = rows.iter().find(|row| row.algorithm == PASS_PER_STAGE.name());
    let Some(FrameTimes { gpu_us: baseline, .. }) =
        baseline.and_then(|row| row.outcome.figures().copied())
    else {
        return;
    };
    for row in rows {
        if let Outcome::Measured(FrameTimes { gpu_us, gain, .. }) = &mut row.outcome {
            let over = |of: &dyn Fn(&Parts) -> Option<f64>| Some(of(&baseline)? / of(gpu_us)?);
            *gain = Gain {
                transform: over(&transform),
                ocean: over(&|parts| parts.ocean),
                frame: over(&|parts| parts.frame),
            };
        }
    }
}

/// Times all rows side by side, between the frames of `record`, as the window does.
fn beside(
    request: &Request<'_>,
    gpu: &Gpu,
    mut record: Drawing,
    global: &Global,
    entries: Vec<Entry>,
    quality: &Quality,
) -> anyhow::Result<Table> {
    let context = &gpu.context;
    let budget_ms = request.budget_ms.unwrap_or(if context.is_software() { 25.0 } else { 2.0 });
    let budget_us = 1e3 * budget_ms;
    let problem = Problem {
        sea: request.scene.sea.clone(),
        time_s: 0.0,
        size: quality.size,
        cascades: quality.cascades,
        precision: Precision::F32,
    };
    let bar = progress_bar(entries.len() as u64, "rows compared");
    let limits = global.limits.into();
    let mut running = Running::start(context, limits, problem, entries.clone(), budget_us)?;
    // Ranks are by what all of them are compared with.
    for (row, entry) in entries.iter().enumerate() {
        if entry.algorithm == PASS_PER_STAGE.into() && entry.kind != RowKind::FusedStep {
            running.set_baseline(row);
        }
    }
    let mut profiler = Profiler::new(&context.device, &context.queue);
    profiler.set_timing(false);
    let mut ready = None;
    for frame in 0_u32.. {
        draw(context, &mut profiler, |recorder| record(recorder, f64::from(frame) / 60.0));
        running.next_frame(budget_us);
        context.device.poll(wgpu::PollType::wait_indefinitely())?;
        gpu.check()?;
        let Progress { waiting, has_settled, error, .. } = running.progress();
        ensure!(error.is_none(), "{}", error.unwrap_or_default());
        bar.set_position((entries.len() - waiting) as u64);
        if waiting == 0 {
            let since = *ready.get_or_insert_with(Instant::now);
            if has_settled || since.elapsed() > request.patience {
                break;
            }
        }
    }
    bar.finish_and_clear();
    Ok(running.finish())
}

impl Comparisons {
    fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let json = serde_json::to_string_pretty(self)? + "\n";
        let mut files = vec![
            ("compare.json".to_owned(), json),
            ("compare.csv".to_owned(), self.csv()),
            ("compare.md".to_owned(), self.markdown()),
        ];
        for comparison in &self.comparisons {
            let svg = comparison.side_by_side.svg(&self.taken.adapter);
            files.push((format!("compare-{}.svg", comparison.frames.size), svg));
            let csv = comparison.side_by_side.csv();
            files.push((format!("compare-{}.csv", comparison.frames.size), csv));
        }
        for (name, text) in files {
            let path = folder.join(name);
            output::write(&path, &text)?;
        }
        Ok(())
    }

    fn print(&self, form: TableFormat) -> anyhow::Result<()> {
        match form {
            TableFormat::Json => output::print_json(self),
            TableFormat::Csv => output::print(&self.csv()),
            TableFormat::Markdown => output::print(&self.markdown()),
            TableFormat::Table => output::print(&self.text(TextTable::aligned)),
        }
    }

    fn markdown(&self) -> String {
        format!("{}\n{}", self.taken.describe(), self.text(TextTable::markdown))
    }

    fn text(&self, form: fn(&TextTable) -> String) -> String {
        let mut text = String::new();
        let quality = self.quality;
        for SizeComparison { frames: measured, path, side_by_side } in &self.comparisons {
            let SizeFrames { size, cascades, resolution: [width, height], frames, .. } = measured;
            let picture = match measured.plain_mesh {
                Some(side) => format!("that draw one mesh of {side} x {side} vertices"),
                None => format!("at quality {quality}"),
            };
            let memory = match measured.ping_pong {
                Some(memory) => format!(", with --ping-pong {memory}"),
                None => String::new(),
            };
            text += &format!(
                "Frames of {width} x {height} pixels {picture}, with an ocean of \
                 {cascades} x {size} x {size} points, {path}{memory}: medians of {frames} frames, in \
                 microseconds. A gain is the time of {PASS_PER_STAGE} over the time of the row.\n\n"
            );
            text += &form(&measured.table());
            text += &format!("\n{}, measured side by side.\n\n", side_by_side.title());
            text += &(form(&side_by_side.text()) + "\n");
        }
        text
    }

    /// Frames only: the rows side by side have their own columns and files.
    fn csv(&self) -> String {
        const COLUMNS: [(&str, &str); 19] = [
            ("algorithm", "algorithm"),
            ("chosen", "chosen"),
            ("size", "size"),
            ("cascades", "cascades"),
            ("path", "path"),
            ("frames", "frames"),
            ("gpu_horizontal_us", "gpu_us/horizontal"),
            ("gpu_vertical_us", "gpu_us/vertical"),
            ("gpu_ocean_us", "gpu_us/ocean"),
            ("gpu_frame_us", "gpu_us/frame"),
            ("cpu_horizontal_us", "cpu_us/horizontal"),
            ("cpu_vertical_us", "cpu_us/vertical"),
            ("cpu_ocean_us", "cpu_us/ocean"),
            ("cpu_frame_us", "cpu_us/frame"),
            ("gain_transform", "gain/transform"),
            ("gain_ocean", "gain/ocean"),
            ("gain_frame", "gain/frame"),
            ("skipped", "skipped"),
            ("failed", "failed"),
        ];
        let rows = self.comparisons.iter().flat_map(|comparison| {
            comparison.frames.frames_by_algorithm.iter().map(move |row| merged(comparison, row))
        });
        TextTable::of_values(COLUMNS, rows).csv()
    }
}

impl SizeFrames {
    /// Returns the table that people read.
    fn table(&self) -> TextTable {
        type Column = (&'static str, fn(&FrameTimes) -> Option<f64>);
        const GAIN: &str = "gain";
        const COLUMNS: [Column; 11] = [
            ("GPU horizontal", |times| times.gpu_us.horizontal),
            ("GPU vertical", |times| times.gpu_us.vertical),
            (GAIN, |times| times.gain.transform),
            ("GPU ocean", |times| times.gpu_us.ocean),
            (GAIN, |times| times.gain.ocean),
            ("GPU frame", |times| times.gpu_us.frame),
            (GAIN, |times| times.gain.frame),
            ("CPU horizontal", |times| times.cpu_us.horizontal),
            ("CPU vertical", |times| times.cpu_us.vertical),
            ("CPU ocean", |times| times.cpu_us.ocean),
            ("CPU frame", |times| times.cpu_us.frame),
        ];
        let headings = COLUMNS.map(|(heading, _)| heading);
        let mut table = TextTable::new(std::iter::once("algorithm").chain(headings));
        for row in &self.frames_by_algorithm {
            let mut cells = vec![named(&row.algorithm, row.chosen.as_deref())];
            cells.extend(row.outcome.note());
            if let Some(times) = row.outcome.figures() {
                cells.extend(COLUMNS.map(|(heading, value)| match value(times) {
                    None => "-".to_owned(),
                    Some(gain) if heading == GAIN => format!("{gain:.2}x"),
                    Some(us) => microseconds(us, None),
                }));
            }
            table.rows.push(cells);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(algorithm: &str, horizontal: f64) -> FrameRow {
        let parts = |by: f64| Parts {
            horizontal: Some(by),
            vertical: Some(2.0 * by),
            ocean: Some(4.0 * by),
            frame: None,
        };
        let (cpu_us, gpu_us) = (parts(1.0), parts(horizontal));
        let outcome = Outcome::Measured(FrameTimes { cpu_us, gpu_us, gain: Gain::default() });
        FrameRow { algorithm: algorithm.to_owned(), chosen: None, outcome }
    }

    #[test]
    fn gains_are_over_pass_per_stage() {
        let mut rows = vec![row("stockham-r8", 5.0), row("cooley-tukey-multipass", 20.0)];
        gains(&mut rows);
        let gain = |row: &FrameRow| row.outcome.figures().unwrap().gain;
        let expected = Gain { transform: Some(4.0), ocean: Some(4.0), frame: None };
        assert_eq!(gain(&rows[0]), expected);
        assert_eq!(gain(&rows[1]).transform, Some(1.0));
    }

    #[test]
    fn stages_are_told_apart_on_both_paths() {
        let mut samples = PartSamples::default();
        for (label, ns) in [
            ("fft rows", 1000),
            ("spectrum + fft rows", 3000),
            ("fft columns", 2000),
            ("fft columns + maps", 4000),
            ("ocean", 9000),
            ("mips", 1),
        ] {
            samples.push(label, ns);
        }
        let parts = samples.medians();
        assert_eq!((parts.horizontal, parts.vertical), (Some(3.0), Some(4.0)));
        assert_eq!((parts.ocean, parts.frame), (Some(9.0), None));
    }
}
