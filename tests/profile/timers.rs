//! GPU times of stages on a real device: each stage gets the time that it took.

use seaway::gpu::{bindings, compute_kernel};
use seaway::profile::{GpuFrame, GpuTimers, Recorder};

use crate::{Target, device_without};
use seaway_core::testing::context;

/// Steps that wait for each other, as dispatches of it do: on every GPU a stage's time follows
/// their number. (llvmpipe ends a loop after 65535 turns.)
const WGSL: &str = "
    @group(0) @binding(0) var<storage, read_write> values: array<f32>;
    @compute @workgroup_size(64)
    fn main(@builtin(local_invocation_index) index: u32) {
        var value = values[index];
        for (var i = 0u; i < 50000u; i++) { value = fma(value, 0.999, 0.1); }
        values[index] = value;
    }";

/// The names of the stages, and their numbers of dispatches.
const STAGES: [(&str, u32); 3] = [("one", 1), ("two", 2), ("four", 4)];

const INSIDE_PASSES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES;

/// Draws and then computes, frame after frame, until the times of one, and of those before, are
/// enough; None if they never are.
fn frames(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    mut is_enough: impl FnMut(&GpuFrame) -> bool,
) -> Option<()> {
    let values = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 256,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    let bindings::Group { layout, bind_group } = bindings::bind(
        device,
        "steps",
        wgpu::ShaderStages::COMPUTE,
        &[(bindings::storage_read_write(), &values)],
    );
    let kernel = compute_kernel(device, "steps", WGSL, "main", &[Some(&layout)]);
    let target = Target::new(device);

    let mut timers = GpuTimers::new(device, queue).expect("tests need an adapter with timestamps");
    for frame in 0..200 {
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut recorder = Recorder::timed(&mut encoder, Some(&timers));
        // llvmpipe marks differently once something was drawn.
        target.draw(&mut recorder);
        recorder.compute("compute", |stages| {
            for (label, dispatches) in STAGES {
                stages.stage(label, |pass| {
                    pass.set_pipeline(&kernel.pipeline);
                    pass.set_bind_group(0, &bind_group, &[]);
                    (0..dispatches).for_each(|_| pass.dispatch_workgroups(1, 1, 1));
                });
            }
        });
        timers.resolve(&mut encoder, frame % 3 == 2);
        queue.submit([encoder.finish()]);
        timers.end_frame(frame);
        device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        while let Some(times) = timers.finished() {
            // The first compiles.
            if times.frame > 0 && is_enough(&times) {
                return Some(());
            }
        }
    }
    None
}

#[test]
fn stages_have_their_own_times_within_their_pass() {
    let context = context();
    check(&context.device, &context.queue);
}

/// On devices that time passes only as a whole, each stage is a pass.
#[test]
fn stages_that_are_passes_have_their_own_times() {
    let (device, queue) = device_without(INSIDE_PASSES);
    check(&device, &queue);
}

fn check(device: &wgpu::Device, queue: &wgpu::Queue) {
    // The shortest of several, and the frame that its stages fill best: what others do on the
    // machine only takes time.
    let mut shortest = [f64::INFINITY; 3];
    let mut filled = if device.features().contains(INSIDE_PASSES) { 0.0 } else { 1.0 };
    frames(device, queue, |frame| {
        let ns = |label: &str| {
            let scope = frame.scopes.iter().find(|scope| *scope.label == *label);
            scope.map(|scope| (scope.end_ns - scope.start_ns) as f64)
        };
        let stages = STAGES.map(|(label, _)| ns(label));
        for (shortest, time) in shortest.iter_mut().zip(stages) {
            *shortest = time.map_or(*shortest, |time| shortest.min(time));
        }
        if let Some(whole) = ns("compute") {
            let share = stages.iter().flatten().sum::<f64>() / whole;
            assert!(share <= 1.0, "{share} of the pass: {frame:?}");
            filled = share.max(filled);
        }
        let as_expected = shortest.iter().zip(STAGES).all(|(time, (_, dispatches))| {
            (0.5..2.0).contains(&(time / shortest[0] / f64::from(dispatches)))
        });
        as_expected && filled > 0.9
    })
    .unwrap_or_else(|| panic!("{shortest:?} ns, {filled} of the pass"));
}
