//! Frames as a trace: `trace.json`, in the trace-event format, which Perfetto and chrome://tracing open
//! (<https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>).
//!
//! One process with a track `Frames`, where each frame reaches from its begin to the next one's; a track for
//! each thread; and the track `GPU`, where each frame's passes stand in a slice of the frame, and an arrow
//! leads there from `Frames`. A pass that begins before the end of the one before it, as GPUs allow, goes to
//! another track, `GPU, overlapping`: slices of one track must not cross. Every slice has its frame's number.
//! Counters: the frame's interval, the processor's time and the GPU's, in milliseconds. Times are
//! microseconds from the earliest one.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use super::table::{Micros, Row, origin_ns, rows};
use super::{Side, Summary};
use crate::profile::{FrameTimes, GpuTimes};

pub(super) fn write(
    frames: &[Arc<FrameTimes>],
    summary: &Summary,
    out: &mut dyn Write,
) -> io::Result<()> {
    let origin_ns = origin_ns(frames);
    let starts = frames.iter().flat_map(|frame| rows(frame, origin_ns).map(|row| row.start_ns));
    let mut trace = Trace {
        out,
        origin_ns,
        // Perfetto refuses times before zero, and threads may have begun before the capture.
        earliest_ns: starts.min().unwrap_or(0).min(0),
        is_first: true,
        tracks: Vec::new(),
    };
    write!(trace.out, "{{\n\"displayTimeUnit\": \"ms\",\n\"otherData\": ")?;
    summary.write_head_json(trace.out)?;
    write!(trace.out, ",\n\"traceEvents\": [")?;
    trace.name(None, "seaway")?;
    trace.name(Some(FRAMES), "Frames")?;
    for frame in frames {
        trace.frame(frame)?;
    }
    writeln!(trace.out, "\n]\n}}")
}

/// The only process, and its tracks. Threads follow, then the GPU.
const PROCESS: u32 = 1;
const FRAMES: u32 = 1;
const FIRST_THREAD: u32 = 2;
const GPU: u32 = 1_000_000;

struct Trace<'a> {
    out: &'a mut dyn Write,
    origin_ns: i64,
    earliest_ns: i64,
    is_first: bool,
    /// Number and name of the tracks that were introduced.
    tracks: Vec<(u32, Arc<str>)>,
}

impl Trace<'_> {
    fn frame(&mut self, frame: &FrameTimes) -> io::Result<()> {
        let number = frame.frame;
        let title = format!("frame {number}");
        let begin_ns = frame.begin_ns - self.origin_ns;
        self.slice(FRAMES, "frame", &title, number, begin_ns, frame.interval_ns)?;

        let origin_ns = self.origin_ns;
        let mut lanes = Lanes::default();
        let mut lane = GPU;
        if let GpuTimes::Timed { start_ns, .. } = &frame.gpu
            && let Some(gpu_ns) = frame.gpu_ns()
        {
            let gpu_begin_ns = begin_ns.saturating_add_unsigned(*start_ns);
            self.track(GPU, "GPU")?;
            self.slice(GPU, "frame", &title, number, gpu_begin_ns, gpu_ns)?;
            self.flow("s", FRAMES, number, begin_ns)?;
            self.flow("f", GPU, number, gpu_begin_ns)?;
        }
        for row in rows(frame, origin_ns) {
            let Row { side, thread, name, depth, start_ns, duration_ns, .. } = row;
            let track = match side {
                Side::Cpu => self.thread(thread)?,
                Side::Gpu => {
                    if depth == 0 {
                        lane = GPU + lanes.place(start_ns, duration_ns);
                    }
                    if lane != GPU {
                        self.track(lane, "GPU, overlapping")?;
                    }
                    lane
                }
            };
            self.slice(track, side.name(), name, number, start_ns, duration_ns)?;
        }
        self.counter("frame interval (ms)", begin_ns, frame.interval_ns)?;
        self.counter("CPU (ms)", begin_ns, frame.cpu_ns())?;
        match frame.gpu_ns() {
            Some(gpu_ns) => self.counter("GPU (ms)", begin_ns, gpu_ns),
            None => Ok(()),
        }
    }

    /// The track of a thread, which is introduced when it is first seen.
    fn thread(&mut self, name: &str) -> io::Result<u32> {
        if let Some((track, _)) =
            self.tracks.iter().find(|(track, known)| *track < GPU && **known == *name)
        {
            return Ok(*track);
        }
        let track =
            FIRST_THREAD + self.tracks.iter().filter(|(track, _)| *track < GPU).count() as u32;
        self.track(track, name)?;
        Ok(track)
    }

    fn track(&mut self, track: u32, name: &str) -> io::Result<()> {
        if self.tracks.iter().any(|(known, _)| *known == track) {
            return Ok(());
        }
        self.tracks.push((track, name.into()));
        self.name(Some(track), name)
    }

    /// Names a track, or the process, and keeps their order.
    fn name(&mut self, track: Option<u32>, name: &str) -> io::Result<()> {
        let text = Text(name);
        match track {
            None => self.event(format_args!(
                r#""ph":"M","name":"process_name","pid":{PROCESS},"args":{{"name":{text}}}"#
            )),
            Some(track) => {
                self.event(format_args!(
                    r#""ph":"M","name":"thread_name","pid":{PROCESS},"tid":{track},"args":{{"name":{text}}}"#
                ))?;
                self.event(format_args!(
                    r#""ph":"M","name":"thread_sort_index","pid":{PROCESS},"tid":{track},"args":{{"sort_index":{track}}}"#
                ))
            }
        }
    }

    fn slice(
        &mut self,
        track: u32,
        category: &str,
        name: &str,
        frame: u64,
        start_ns: i64,
        duration_ns: u64,
    ) -> io::Result<()> {
        let (name, ts, dur) = (Text(name), self.time(start_ns), Micros(duration_ns as i64));
        self.event(format_args!(
            r#""ph":"X","cat":"{category}","name":{name},"pid":{PROCESS},"tid":{track},"ts":{ts},"dur":{dur},"args":{{"frame":{frame}}}"#
        ))
    }

    /// The begin (`s`) or the end (`f`) of the arrow of a frame.
    fn flow(&mut self, phase: &str, track: u32, frame: u64, at_ns: i64) -> io::Result<()> {
        let ts = self.time(at_ns);
        let binding = if phase == "f" { r#","bp":"e""# } else { "" };
        self.event(format_args!(
            r#""ph":"{phase}"{binding},"cat":"frame","name":"to the GPU","id":{frame},"pid":{PROCESS},"tid":{track},"ts":{ts}"#
        ))
    }

    fn counter(&mut self, name: &str, at_ns: i64, value_ns: u64) -> io::Result<()> {
        let (name, ts, ms) = (Text(name), self.time(at_ns), value_ns as f64 / 1e6);
        self.event(format_args!(
            r#""ph":"C","name":{name},"pid":{PROCESS},"ts":{ts},"args":{{"ms":{ms}}}"#
        ))
    }

    fn time(&self, ns: i64) -> Micros {
        Micros(ns - self.earliest_ns)
    }

    fn event(&mut self, fields: fmt::Arguments<'_>) -> io::Result<()> {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        write!(self.out, "{comma}\n{{{fields}}}")
    }
}

/// The end of the last pass on each track of the GPU, within one frame.
#[derive(Default)]
struct Lanes(Vec<i64>);

impl Lanes {
    /// The first track that is free for a pass.
    fn place(&mut self, start_ns: i64, duration_ns: u64) -> u32 {
        let free = self.0.iter().position(|end_ns| *end_ns <= start_ns);
        let lane = free.unwrap_or(self.0.len());
        let end_ns = start_ns.saturating_add_unsigned(duration_ns);
        match self.0.get_mut(lane) {
            Some(end) => *end = end_ns,
            None => self.0.push(end_ns),
        }
        lane as u32
    }
}

struct Text<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::Value::from(self.0).to_string())
    }
}
