//! Summarises a capture: `summary.json` and `summary.md`.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::io;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::CaptureInfo;
use super::table::{origin_ns, rows};
use crate::profile::statistics::TimeStatistics;
use crate::profile::{FrameTimes, GpuTimes};
use crate::text_table::TextTable;

/// The form of `summary.json`, whose keys are the fields' names. Percentiles are
/// [`percentile`](crate::profile::statistics::percentile)'s.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The version of the form, [`Summary::VERSION`].
    pub version: u32,
    /// The version of the program or library.
    pub seaway_version: String,
    /// The operating system and the processor's kind.
    pub os: String,
    /// Adapter and settings. Its keys stand beside the others.
    #[serde(flatten)]
    pub info: CaptureInfo,
    /// The number of frames in the capture.
    pub frames: usize,
    /// The number of frames whose GPU passes are known.
    pub frames_with_gpu: usize,
    /// The number of frames whose GPU results were lost.
    pub frames_lost: usize,
    /// The number of frames between the first and the last that are not in the capture.
    pub frames_dropped: usize,
    /// Whether the adapter can time passes.
    pub gpu_timestamps: bool,
    /// From the begin of the first frame to the end of the last, in seconds.
    pub duration_s: f64,
    /// From a frame's begin to the next one's.
    pub frame_interval_us: Option<TimeStatistics>,
    /// The processor's time for a frame: its outermost scopes on the thread that draws.
    pub frame_cpu_us: Option<TimeStatistics>,
    /// The GPU's time for a frame: from the begin of the first pass to the end of the last.
    pub frame_gpu_us: Option<TimeStatistics>,
    /// Each scope, pass and stage, in the order of `passes.csv`. One that ran more than once in a frame
    /// counts as often.
    pub passes: Vec<PassSummary>,
}

/// The processor or the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The processor, which runs scopes.
    Cpu,
    /// The graphics adapter, which runs passes and stages.
    Gpu,
}

impl Side {
    /// The name in files: `cpu` or `gpu`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// All occurrences of one scope, pass or stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassSummary {
    /// The side that ran it.
    pub side: Side,
    /// The thread; `GPU` for passes.
    pub thread: String,
    /// The name of the scope, pass or stage.
    pub name: String,
    /// The number of scopes around it: 0 for outermost ones.
    pub depth: u32,
    /// Its times. Their keys stand beside the others.
    #[serde(flatten)]
    pub times: TimeStatistics,
}

impl Summary {
    /// Changes when the meaning of a key does. New keys may be added without a change.
    pub const VERSION: u32 = 1;

    pub(super) fn of(frames: &[Arc<FrameTimes>], gpu_timestamps: bool, info: &CaptureInfo) -> Self {
        let all = |value: &dyn Fn(&FrameTimes) -> Option<u64>| {
            let mut values: Vec<u64> = frames.iter().filter_map(|frame| value(frame)).collect();
            TimeStatistics::of_ns(&mut values)
        };
        let count =
            |is: fn(&GpuTimes) -> bool| frames.iter().filter(|frame| is(&frame.gpu)).count();
        let duration_ns: u64 = frames.iter().map(|frame| frame.interval_ns).sum();
        let numbers = frames.windows(2).map(|pair| pair[1].frame - pair[0].frame - 1);
        Self {
            version: Self::VERSION,
            seaway_version: env!("CARGO_PKG_VERSION").to_owned(),
            os: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            info: info.clone(),
            frames: frames.len(),
            frames_with_gpu: count(|gpu| matches!(gpu, GpuTimes::Timed { .. })),
            frames_lost: count(|gpu| matches!(gpu, GpuTimes::Lost)),
            frames_dropped: numbers.sum::<u64>() as usize,
            gpu_timestamps,
            duration_s: duration_ns as f64 / 1e9,
            frame_interval_us: all(&|frame| Some(frame.interval_ns)),
            frame_cpu_us: all(&|frame| Some(frame.cpu_ns())),
            frame_gpu_us: all(&FrameTimes::gpu_ns),
            passes: passes(frames),
        }
    }

    /// The times of frames and passes in microseconds, as an aligned table.
    pub fn text(&self) -> String {
        self.table().aligned()
    }

    pub(super) fn table(&self) -> TextTable {
        let mut table = TextTable::new([
            "side",
            "thread",
            "pass",
            "count",
            "median us",
            "p5",
            "p95",
            "p99",
            "worst",
        ]);
        let frames = [
            ("frame", "interval", &self.frame_interval_us),
            ("cpu", "frame", &self.frame_cpu_us),
            ("gpu", "frame", &self.frame_gpu_us),
        ];
        let frames = frames.into_iter().filter_map(|(side, name, times)| {
            Some(self.row(side, "", name.to_owned(), times.as_ref()?))
        });
        let passes = self.passes.iter().map(|pass| {
            let indent = "  ".repeat(pass.depth as usize);
            self.row(pass.side.name(), &pass.thread, format!("{indent}{}", pass.name), &pass.times)
        });
        table.rows = frames.chain(passes).collect();
        table
    }

    fn row(&self, side: &str, thread: &str, name: String, times: &TimeStatistics) -> Vec<String> {
        let digits = if side == Side::Gpu.name() && self.is_gpu_clock_coarse() { 0 } else { 1 };
        let us = |us: f64| format!("{us:.digits$}");
        let TimeStatistics { count, median_us, p5_us, p95_us, p99_us, worst_us } = *times;
        let times = [us(median_us), us(p5_us), us(p95_us), us(p99_us), us(worst_us)];
        let names = [side.to_owned(), thread.to_owned(), name, count.to_string()];
        names.into_iter().chain(times).collect()
    }

    /// Whether the GPU's clock is rounded, as in browsers.
    fn is_gpu_clock_coarse(&self) -> bool {
        self.info.backend == wgpu::Backend::BrowserWebGpu.to_str()
    }

    /// The metadata and the method, line by line: a name and its value.
    pub fn head(&self) -> Vec<(String, String)> {
        let info = &self.info;
        let mut frames = format!("{} in {:.3} s", self.frames, self.duration_s);
        match (self.gpu_timestamps, self.frames_with_gpu) {
            (false, _) => frames += ", without GPU times: this adapter has no timestamps",
            (true, with_gpu) if with_gpu == self.frames => frames += ", all with GPU times",
            (true, with_gpu) => {
                let _ = write!(frames, ", {with_gpu} with GPU times, {} lost", self.frames_lost);
            }
        }
        if self.frames_dropped > 0 {
            let _ = write!(frames, ", {} dropped", self.frames_dropped);
        }
        let mut head = vec![
            ("frames".to_owned(), frames),
            ("adapter".to_owned(), info.adapter.clone()),
            ("driver".to_owned(), info.driver.clone()),
            ("backend".to_owned(), info.backend.clone()),
            ("seaway".to_owned(), self.seaway_version.clone()),
            ("system".to_owned(), self.os.clone()),
            ("date".to_owned(), info.date.clone()),
            ("command line".to_owned(), info.command_line.clone()),
        ];
        if self.is_gpu_clock_coarse() {
            let note = "rounded by the browser (by Chromium to 100 us): finer digits mean nothing";
            head.push(("GPU clock".to_owned(), note.to_owned()));
        }
        if info.settings_changed {
            let note = "changed during the recording; these are those of the first frame";
            head.push(("settings".to_owned(), note.to_owned()));
        }
        flatten("", &info.settings, &mut head);
        head.retain(|(_, value)| !value.is_empty());
        head
    }

    /// Returns the contents of `summary.md`.
    pub fn markdown(&self) -> String {
        let mut text = String::from("# Seaway capture\n\n");
        for (name, value) in self.head() {
            let _ = writeln!(text, "- {name}: {value}");
        }
        text += "\nTimes in microseconds. A pass that ran several times in a frame is counted \
                 each time.\n\n";
        let mut table = self.table();
        // Spaces at the beginning of a cell are lost: these are not.
        table.rows.iter_mut().for_each(|row| row[2] = row[2].replace("  ", "&emsp;"));
        let numbers = "---|---|---|---:|---:|---:|---:|---:|---:|";
        text + &table.markdown().replacen(&"---|".repeat(9), numbers, 1)
    }

    /// The passes as comma-separated values.
    pub fn csv(&self) -> String {
        const COLUMNS: [&str; 10] = [
            "side",
            "thread",
            "name",
            "depth",
            "count",
            "median_us",
            "p5_us",
            "p95_us",
            "p99_us",
            "worst_us",
        ];
        let passes = self.passes.iter().map(|pass| serde_json::to_value(pass).expect("plain data"));
        TextTable::of_values(COLUMNS.map(|name| (name, name)), passes).csv()
    }

    pub(super) fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    pub(super) fn write_head_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        Ok(serde_json::to_writer(out, &Self { passes: Vec::new(), ..self.clone() })?)
    }
}

fn passes(frames: &[Arc<FrameTimes>]) -> Vec<PassSummary> {
    let origin_ns = origin_ns(frames);
    let mut places: HashMap<(Side, &str, &str, u32), usize> = HashMap::new();
    let mut passes = Vec::new();
    for row in frames.iter().flat_map(|frame| rows(frame, origin_ns)) {
        let key = (row.side, row.thread, &**row.name, row.depth);
        let place = *places.entry(key).or_insert_with(|| {
            passes.push((key, Vec::with_capacity(frames.len())));
            passes.len() - 1
        });
        passes[place].1.push(row.duration_ns);
    }
    // The GPU's after the processor's, also where they came first.
    passes.sort_by_key(|((side, ..), _)| *side == Side::Gpu);
    let summary = passes.into_iter().filter_map(|((side, thread, name, depth), mut times_ns)| {
        let times = TimeStatistics::of_ns(&mut times_ns)?;
        Some(PassSummary { side, thread: thread.to_owned(), name: name.to_owned(), depth, times })
    });
    summary.collect()
}

/// Settings as lines, nested ones with their path: `sea.wind_speed_mps`.
fn flatten(path: &str, value: &serde_json::Value, lines: &mut Vec<(String, String)>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(&path, value, lines);
            }
        }
        serde_json::Value::Null => {}
        serde_json::Value::String(text) => lines.push((path.to_owned(), text.clone())),
        other => lines.push((path.to_owned(), other.to_string())),
    }
}
