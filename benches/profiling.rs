//! What profiling costs the processor in a frame: 10 passes, 10 stages and a dozen scopes, with
//! timing off and on, up to the frame's entry in a history. Frames of both kinds take turns, so
//! that a busy machine disturbs both, and the medians are compared.
//!
//! The program runs without cargo: `profiling [FRAMES]`. It fails if profiling costs more than
//! it may, unless the adapter is a processor, whose drawing threads compete with the recording
//! for the same cores.

use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use seaway::frame::{Frame, FrameDesc};
use seaway::gpu::Context;
use seaway::profile::{FrameTimes, Profiler, Recorder};
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

/// Nanoseconds of each part, frame by frame.
#[derive(Default)]
struct Measured([Vec<f64>; 4]);

impl Measured {
    fn median_us(&self, part: Part) -> f64 {
        let mut sorted = self.0[part as usize].clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted[sorted.len() / 2] * 1e-3
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

/// Records a frame of each kind in turn.
fn measure(
    context: &Context,
    frames: usize,
    mut record: impl FnMut(&mut Recorder<'_>, usize),
) -> [Measured; 2] {
    let (device, queue) = (&context.device, &context.queue);
    let mut profiler = Profiler::new(device, queue);
    let mut history = History(VecDeque::with_capacity(History::LEN));
    let mut measured = [Measured::default(), Measured::default()];
    // Runs of a few frames: a frame's first scopes and results follow a frame of the same kind.
    const RUN: usize = 10;
    for frame in 0..2 * frames {
        let timing = frame / RUN % 2 == 1;
        profiler.set_timing(timing);
        let counts = frame % RUN >= 2 && frame >= frames / 5;
        let mut at = Instant::now();
        let mut parts = [0.0; 4];
        let mut part = |part: Part, at: &mut Instant| {
            parts[part as usize] = at.elapsed().as_nanos() as f64;
            *at = Instant::now();
        };
        profiler.begin_frame();
        part(Part::Begin, &mut at);
        let mut encoder = device.create_command_encoder(&Default::default());
        at = Instant::now();
        record(&mut profiler.recorder(&mut encoder), frame);
        part(Part::Record, &mut at);
        profiler.submit(queue, [], encoder);
        part(Part::Submit, &mut at);
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
        at = Instant::now();
        while let Some(times) = profiler.finished_frame() {
            history.push(times);
        }
        part(Part::Collect, &mut at);
        if counts {
            for (all, one) in measured[usize::from(timing)].0.iter_mut().zip(parts) {
                all.push(one);
            }
        }
    }
    let scopes = history.0.iter().map(|times| (times.cpu.len(), times.gpu_scopes().len())).max();
    let (cpu, gpu) = scopes.unwrap_or_default();
    println!("  a frame of {cpu} scopes on the processor and {gpu} on the GPU");
    measured
}

/// Prints what was measured; what profiling costs, in microseconds.
fn report([off, on]: &[Measured; 2]) -> f64 {
    println!("  {:<26}{:>10}{:>10}{:>10}", "us a frame (medians)", "off", "on", "cost");
    for (name, part) in PARTS {
        let [off, on] = [off, on].map(|measured| measured.median_us(part));
        println!("  {name:<26}{off:>10.2}{on:>10.2}{:>10.2}", on - off);
    }
    let [off, on] = [off.sum_us(), on.sum_us()];
    println!("  {:<26}{off:>10.2}{on:>10.2}{:>10.2}", "sum", on - off);
    on - off
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
