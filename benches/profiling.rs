//! Measures the processor's cost of profiling a frame, up to the frame's entry in a history: with timing
//! off and on, while a capture is recorded, and while a thread writes one: the frame of seaway with
//! the scopes and the pass for panels that its window adds, and a synthetic one with more passes
//! and stages than it has.
//!
//! Runs of frames of all kinds take turns, in both directions, so that a busy machine disturbs all
//! alike. What both sides took is read for several frames at once, so a run counts with the mean of
//! its frames; what profiling costs is the median of the differences to the run without it that was
//! measured beside it.
//!
//! The program runs without cargo: `profiling [FRAMES]`. It fails if profiling the frame of seaway
//! costs more than it may, unless the adapter is a processor, whose drawing threads compete with
//! the recording for the same cores.

use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use seaway::frame::{Frame, FrameDesc};
use seaway::gpu::{Context, TextureSpec};
use seaway::profile::statistics::percentile;
use seaway::profile::{Capture, CaptureInfo, FrameTimes, Profiler, Recorder};
use seaway::settings::{CameraPose, Quality, QualityTier, Scenery, SeaState};

/// The largest allowed cost of profiling in a frame, in microseconds.
const MOST_US: f64 = 20.0;

const COMPUTE_PASSES: [&str; 4] = ["compute 1", "compute 2", "compute 3", "compute 4"];
const RENDER_PASSES: [&str; 6] =
    ["render 1", "render 2", "render 3", "render 4", "render 5", "render 6"];
const STAGES: [&str; 10] = [
    "stage 1", "stage 2", "stage 3", "stage 4", "stage 5", "stage 6", "stage 7", "stage 8",
    "stage 9", "stage 10",
];

/// The times that a frame spends on its parts.
#[derive(Clone, Copy)]
enum Part {
    Begin,
    Record,
    Submit,
    Collect,
}

const PARTS: [&str; 4] = ["begin_frame", "record", "submit", "finished_frame, history"];

/// Frames of a kind come in runs.
const RUN: usize = 24;

/// The first frames of a run follow those of another kind, and do not count.
const RUN_WARM_UP: usize = 8;

/// Rounds that do not count: pipelines and buffers are made in them.
const WARM_UP_ROUNDS: usize = 2;

const KINDS: [&str; 4] = ["off", "on", "recording", "writing"];

/// Microseconds of a frame by part, and in all: a run's mean.
type Mean = [f64; PARTS.len() + 1];

/// A run of each kind, taken one after the other.
type Round = [Mean; KINDS.len()];

fn median_us(rounds: &[Round], us: impl Fn(&Round) -> f64) -> f64 {
    let mut sorted: Vec<f64> = rounds.iter().map(us).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    percentile(&sorted, 0.5).unwrap_or(f64::NAN)
}

/// The newest thousand frames, as in the window's history.
struct History(VecDeque<Arc<FrameTimes>>);

impl History {
    const LEN: usize = 1000;

    fn push(&mut self, times: Arc<FrameTimes>) {
        if self.0.len() == Self::LEN {
            self.0.pop_front();
        }
        self.0.push_back(times);
    }
}

/// The measured frame, and the receivers of its times.
struct Subject<'a, F> {
    context: &'a Context,
    profiler: Profiler,
    history: History,
    /// The folder that captures are written to.
    folder: tempfile::TempDir,
    /// Records the frame of that number.
    record: F,
    drawn: usize,
}

impl<F: FnMut(&mut Recorder<'_>, usize)> Subject<'_, F> {
    /// One frame: its parts in microseconds, and their sum.
    fn frame(&mut self) -> Mean {
        let (device, queue) = (&self.context.device, &self.context.queue);
        let mut us = Mean::default();
        let mut at = Instant::now();
        let mut part = |part: Part, at: &mut Instant| {
            us[part as usize] = at.elapsed().as_secs_f64() * 1e6;
            *at = Instant::now();
        };
        self.profiler.begin_frame();
        part(Part::Begin, &mut at);
        let mut encoder = device.create_command_encoder(&Default::default());
        at = Instant::now();
        (self.record)(&mut self.profiler.recorder(&mut encoder), self.drawn);
        part(Part::Record, &mut at);
        self.profiler.submit(queue, [], encoder);
        part(Part::Submit, &mut at);
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
        at = Instant::now();
        while let Some(times) = self.profiler.finished_frame() {
            self.history.push(times);
        }
        part(Part::Collect, &mut at);
        self.drawn += 1;
        us[PARTS.len()] = us.iter().sum();
        us
    }

    /// A run of frames of one kind: the mean of those that count.
    fn run(&mut self, kind: &str) -> Mean {
        self.profiler.set_timing(kind != "off");
        if kind == "recording" {
            self.profiler.start_capture(RUN);
        }
        let is_over = Arc::new(AtomicBool::new(false));
        let writer = (kind == "writing").then(|| {
            let capture = Capture::new(self.history.0.iter().cloned().collect(), true);
            let (folder, info) = (self.folder.path().join("capture"), CaptureInfo::default());
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    capture.write(&folder, &info).expect("the folder can be written");
                }
            })
        });
        let mut mean = Mean::default();
        for frame in 0..RUN {
            let us = self.frame();
            if frame >= RUN_WARM_UP {
                let share = 1.0 / (RUN - RUN_WARM_UP) as f64;
                mean.iter_mut().zip(us).for_each(|(mean, us)| *mean += share * us);
            }
        }
        if kind == "recording" {
            self.profiler.finish_capture(&self.context.device).expect("the device answers");
        }
        is_over.store(true, Ordering::Relaxed);
        if let Some(writer) = writer {
            writer.join().expect("no panic");
        }
        mean
    }
}

/// Measures `frames` frames of each kind and prints what they took; what timing costs, in
/// microseconds a frame.
fn measure(context: &Context, frames: usize, record: impl FnMut(&mut Recorder<'_>, usize)) -> f64 {
    let mut subject = Subject {
        context,
        profiler: Profiler::new(&context.device, &context.queue),
        history: History(VecDeque::with_capacity(History::LEN)),
        folder: tempfile::tempdir().expect("a folder for captures"),
        record,
        drawn: 0,
    };
    let rounds = (0..WARM_UP_ROUNDS + frames.div_ceil(RUN)).map(|round| {
        let mut means = Round::default();
        for turn in 0..KINDS.len() {
            let kind = if round % 2 == 0 { turn } else { KINDS.len() - 1 - turn };
            means[kind] = subject.run(KINDS[kind]);
        }
        means
    });
    let rounds: Vec<Round> = rounds.skip(WARM_UP_ROUNDS).collect();
    let of_frames =
        subject.history.0.iter().map(|times| (times.cpu.len(), times.gpu_scopes().len()));
    let (cpu, gpu) = of_frames.max().unwrap_or_default();
    println!("  up to {cpu} scopes on the processor and {gpu} on the GPU in a frame");
    report(&rounds)
}

/// Prints what was measured; what timing costs, in microseconds.
fn report(rounds: &[Round]) -> f64 {
    print!("  {:<26}", "us a frame");
    KINDS.iter().for_each(|kind| print!("{kind:>11}"));
    println!("{:>11}", "on - off");
    let mut cost_us = f64::NAN;
    for (part, name) in PARTS.into_iter().chain(["in all"]).enumerate() {
        print!("  {name:<26}");
        for kind in 0..KINDS.len() {
            print!("{:>11.2}", median_us(rounds, |round| round[kind][part]));
        }
        cost_us = median_us(rounds, |round| round[1][part] - round[0][part]);
        println!("{cost_us:>11.2}");
    }
    cost_us
}

fn texture(device: &wgpu::Device, size: [u32; 2]) -> wgpu::TextureView {
    TextureSpec::target("target", size, wgpu::TextureFormat::Rgba8UnormSrgb).create_view(device)
}

/// A dozen scopes around passes and stages that do nothing.
fn scopes_and_passes(recorder: &mut Recorder<'_>, view: &wgpu::TextureView) {
    puffin::profile_scope!("frame");
    macro_rules! leaves {
        ($($name:literal)*) => { $( { puffin::profile_scope!($name); } )* };
    }
    leaves!("scope 1" "scope 2" "scope 3" "scope 4" "scope 5" "scope 6" "scope 7" "scope 8"
        "scope 9" "scope 10");
    puffin::profile_scope!("record");
    for (index, label) in COMPUTE_PASSES.into_iter().enumerate() {
        recorder.compute(label, |stages| {
            for label in STAGES.into_iter().skip(index).step_by(COMPUTE_PASSES.len()) {
                stages.stage(label, |_| {});
            }
        });
    }
    for label in RENDER_PASSES {
        draw_nothing(recorder, label, view);
    }
}

/// A render pass with nothing in it.
fn draw_nothing(recorder: &mut Recorder<'_>, label: &str, view: &wgpu::TextureView) {
    let attachment = wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations::default(),
    };
    let descriptor = wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(attachment)],
        ..Default::default()
    };
    recorder.render(&descriptor, |_| {});
}

/// The frame of seaway and what its window adds, without the panels' drawing.
fn window_frame(
    recorder: &mut Recorder<'_>,
    frame: &mut Frame,
    index: usize,
    view: &wgpu::TextureView,
) {
    let time_s = index as f64 / 60.0;
    let desc = FrameDesc {
        time_s,
        // Recording does not depend on it: small ones keep the GPU's part short.
        resolution: [16, 16],
        camera: CameraPose { x_m: 10.0 * time_s, ..Default::default() },
        scenery: Scenery { buoys: 5, ..Default::default() },
        ..Default::default()
    };
    puffin::profile_scope!("frame");
    {
        puffin::profile_scope!("panels");
    }
    {
        puffin::profile_scope!("encode");
        frame.record(recorder, &desc, view);
        draw_nothing(recorder, "panels", view);
    }
    puffin::profile_scope!("submit");
}

fn main() -> ExitCode {
    let frames = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(2_000);
    let context = seaway_core::testing::context();
    println!("{}", context.describe());
    let view = texture(&context.device, [16, 16]);

    println!("10 passes, 10 stages, a dozen scopes:");
    measure(&context, frames, |recorder, _| scopes_and_passes(recorder, &view));

    println!("the frame of seaway:");
    let quality = Quality { size: 16, msaa_samples: 1, ..Quality::of(QualityTier::High) };
    let (device, queue) = (&context.device, &context.queue);
    let format = wgpu::TextureFormat::Rgba8UnormSrgb;
    let mut frame = Frame::new(device, queue, &SeaState::default(), &quality, format)
        .expect("the smallest ocean runs anywhere");
    let cost_us = measure(&context, frames, |recorder, index| {
        window_frame(recorder, &mut frame, index, &view)
    });

    let is_gpu = context.adapter_info.device_type != wgpu::DeviceType::Cpu;
    if is_gpu && cost_us > MOST_US {
        println!("profiling costs more than {MOST_US} us a frame");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
