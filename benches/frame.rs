//! Processor time to record a whole frame, from its description to the finished command buffer,
//! while the camera moves and the sun does not. It does not depend on the resolution; a small one
//! keeps the GPU's work, which is not timed, short.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use seaway::frame::{Frame, FrameDesc};
use seaway::gpu::TextureSpec;
use seaway::profile::Recorder;
use seaway::settings::{CameraPose, Quality, QualityTier, Scenery, SeaState};
use seaway_core::choice::Choice;

fn record(criterion: &mut Criterion) {
    let context = seaway_core::testing::context();
    let (device, queue) = (&context.device, &context.queue);
    let format = wgpu::TextureFormat::Rgba8UnormSrgb;
    let target = TextureSpec::target("target", [16, 9], format).create_view(device);

    let mut group = criterion.benchmark_group("Frame::record");
    group.sample_size(20);
    for &tier in QualityTier::ALL {
        // The sea's size is the GPU's affair.
        let quality = Quality { size: 16, msaa_samples: 1, ..Quality::of(tier) };
        let sea = SeaState::default();
        let mut frame = Frame::new(device, queue, &sea, &quality, format)
            .expect("the smallest ocean runs anywhere");
        group.bench_function(tier.name(), |bencher| {
            bencher.iter_custom(|iterations| {
                let mut elapsed = Duration::ZERO;
                for iteration in 0..iterations {
                    let time_s = iteration as f64 / 60.0;
                    let desc = FrameDesc {
                        time_s,
                        resolution: [16, 9],
                        camera: CameraPose { x_m: 10.0 * time_s, ..Default::default() },
                        scenery: Scenery { buoys: 5, ..Default::default() },
                        ..Default::default()
                    };
                    let start = Instant::now();
                    let mut encoder = device.create_command_encoder(&Default::default());
                    frame.record(&mut Recorder::new(&mut encoder), &desc, &target);
                    let commands = encoder.finish();
                    elapsed += start.elapsed();
                    queue.submit([commands]);
                    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
                }
                elapsed
            });
        });
    }
    group.finish();
}

criterion_group!(benches, record);
criterion_main!(benches);
