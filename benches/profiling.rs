//! What profiling costs the processor in a frame: 10 passes, 10 stages and a dozen scopes, up to
//! the frame's entry in a history, with timing off and on, while a capture is recorded, and while
//! a thread writes one. Frames of all kinds take turns, so that a busy machine disturbs all, and the
//! medians are compared.
//!
//! The program runs without cargo: `profiling [FRAMES]`. It fails if profiling costs more than
//! it may, unless the adapter is a processor, whose drawing threads compete with the recording
//! for the same cores.

use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use seaway::frame::{Frame, FrameDesc};
use seaway::gpu::Context;
use seaway::profile::{Capture, CaptureInfo, FrameTimes, Profiler, Recorder};
use seaway::settings::{CameraPose, Light, Quality, QualityTier, SeaState};

/// What a frame may cost more with profiling on, in microseconds.
const MOST_US: f64 = 20.0;

const COMPUTE_PASSES: [&str; 4] = ["compute 1", "compute 2", "compute 3", "compute 4"];
const RENDER_PASSES: [&str; 6] =
    ["render 1", "render 2", "render 3", "render 4", "render 5", "render 6"];
const STAGES: [&str; 10] = [
    "stage 1", "stage 2", "stage 3", "stage 4", "stage 5", "stage 6", "stage 7", "stage 8",
    "stage 9", "stage 10",
];

/// Where a frame spends its time.
#[derive(Clone, Copy)]
enum Part {
    Begin,
    Record,
    Submit,
    Collect,
}

const PARTS: [(&str, Part); 4] = [
    ("begin_frame", Part::Begin),
    ("record", Part::Record),
    ("submit", Part::Submit),
    ("finished_frame, history", Part::Collect),
];

/// Frames of a kind come in runs: the first ones of a run follow those of another kind.
const RUN: usize = 10;

const KINDS: [&str; 4] = ["off", "on", "recording", "writing"];

/// Nanoseconds of each part, frame by frame.
struct Measured([Vec<f64>; 4]);

impl Measured {
    fn median_us(&self, part: Part) -> f64 {
        let mut sorted = self.0[part as usize].clone();
        sorted.sort_unstable_by(f64::total_cmp);
        seaway::profile::statistics::percentile(&sorted, 0.5).unwrap_or(f64::NAN) * 1e-3
    }

    fn sum_us(&self) -> f64 {
        PARTS.iter().map(|(_, part)| self.median_us(*part)).sum()
    }
}

/// As the window's: the newest thousand frames.
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

/// Records frames of each kind in turn: `frames` of each.
fn measure(
    context: &Context,
    frames: usize,
    mut record: impl FnMut(&mut Recorder<'_>, usize),
) -> [Measured; 4] {
    let (device, queue) = (&context.device, &context.queue);
    let mut profiler = Profiler::new(device, queue);
    let mut history = History(VecDeque::with_capacity(History::LEN));
    let mut measured = [const { Measured([const { Vec::new() }; 4]) }; 4];
    let folder = tempfile::tempdir().expect("a folder for captures");
    for run in 0..KINDS.len() * frames.div_ceil(RUN) {
        let kind = run % KINDS.len();
        profiler.set_timing(kind > 0);
        if kind == 2 {
            profiler.start_capture(RUN);
        }
        let is_over = Arc::new(AtomicBool::new(false));
        let writer = (kind == 3).then(|| {
            let capture = Capture::new(history.0.iter().cloned().collect(), true);
            let (folder, info) = (folder.path().join("capture"), CaptureInfo::default());
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    capture.write(&folder, &info).expect("the folder can be written");
                }
            })
        });
        for frame in 0..RUN {
            let mut parts = [0.0; 4];
            let mut at = Instant::now();
            let mut part = |part: Part, at: &mut Instant| {
                parts[part as usize] = at.elapsed().as_nanos() as f64;
                *at = Instant::now();
            };
            profiler.begin_frame();
            part(Part::Begin, &mut at);
            let mut encoder = device.create_command_encoder(&Default::default());
            at = Instant::now();
            record(&mut profiler.recorder(&mut encoder), run * RUN + frame);
            part(Part::Record, &mut at);
            profiler.submit(queue, [], encoder);
            part(Part::Submit, &mut at);
            device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
            at = Instant::now();
            while let Some(times) = profiler.finished_frame() {
                history.push(times);
            }
            part(Part::Collect, &mut at);
            if frame >= 2 && run >= 2 * KINDS.len() {
                for (all, one) in measured[kind].0.iter_mut().zip(parts) {
                    all.push(one);
                }
            }
        }
        if kind == 2 {
            profiler.finish_capture(device).expect("the device answers");
        }
        is_over.store(true, Ordering::Relaxed);
        if let Some(writer) = writer {
            writer.join().expect("no panic");
        }
    }
    let scopes = history.0.iter().map(|times| (times.cpu.len(), times.gpu_scopes().len())).max();
    let (cpu, gpu) = scopes.unwrap_or_default();
    println!("  up to {cpu} scopes on the processor and {gpu} on the GPU in a frame");
    measured
}

/// Prints what was measured; what timing costs, in microseconds.
fn report(measured: &[Measured; 4]) -> f64 {
    let line = |name: &str, us: [f64; 4]| {
        print!("  {name:<26}");
        us.iter().for_each(|us| print!("{us:>11.2}"));
        println!("{:>11.2}", us[1] - us[0]);
    };
    print!("  {:<26}", "us a frame (medians)");
    KINDS.iter().for_each(|kind| print!("{kind:>11}"));
    println!("{:>11}", "on - off");
    for (name, part) in PARTS {
        line(name, measured.each_ref().map(|measured| measured.median_us(part)));
    }
    let sums = measured.each_ref().map(Measured::sum_us);
    line("sum", sums);
    sums[1] - sums[0]
}

fn texture(device: &wgpu::Device, size: [u32; 2]) -> wgpu::TextureView {
    let [width, height] = size;
    let descriptor = wgpu::TextureDescriptor {
        label: Some("target"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    };
    device.create_texture(&descriptor).create_view(&Default::default())
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
}

fn main() -> ExitCode {
    let frames = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(2_000);
    let context =
        pollster::block_on(Context::new(Context::headless_instance(), Default::default()))
            .expect("the benchmark needs an adapter");
    println!("{}", context.describe());

    println!("10 passes, 10 stages, a dozen scopes:");
    let view = texture(&context.device, [16, 16]);
    let cost_us =
        report(&measure(&context, frames, |recorder, _| scopes_and_passes(recorder, &view)));

    // Recording does not depend on the resolution: small ones keep the GPU's part short.
    println!("the frame of seaway:");
    let quality = Quality { size: 16, msaa_samples: 1, ..Quality::of(QualityTier::High) };
    let format = wgpu::TextureFormat::Rgba8UnormSrgb;
    let (device, queue) = (&context.device, &context.queue);
    let mut frame = Frame::new(device, queue, &SeaState::default(), &quality, format)
        .expect("the smallest ocean runs anywhere");
    let of_seaway_us = report(&measure(&context, frames / 4, |recorder, index| {
        let time_s = index as f64 / 60.0;
        let desc = FrameDesc {
            time_s,
            resolution: [16, 16],
            camera: CameraPose { x_m: 10.0 * time_s, ..Default::default() },
            light: Light::default(),
            debug: Default::default(),
        };
        frame.record(recorder, &desc, &view);
    }));

    let is_gpu = context.adapter_info.device_type != wgpu::DeviceType::Cpu;
    if is_gpu && cost_us.max(of_seaway_us) > MOST_US {
        println!("profiling costs more than {MOST_US} us a frame");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
