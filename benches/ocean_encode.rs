//! Processor time to record one step of the ocean, from the time to the finished command buffer.
//! It does not depend on the size; a small one keeps the GPU's work, which is not timed, short.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use seaway::fft::lab::Algorithm;
use seaway::settings::SeaState;
use seaway::{Ocean, OceanOptions};
use seaway_core::choice::Choice;

fn encode(criterion: &mut Criterion) {
    let context = seaway_core::testing::context();
    let mut group = criterion.benchmark_group("Ocean::encode");
    for algorithm in Algorithm::of_powers_of_two() {
        let options =
            OceanOptions { size: 16, algorithm: Some(algorithm.into()), ..Default::default() };
        let ocean = Ocean::new(&context.device, &context.queue, &SeaState::default(), options)
            .expect("the smallest ocean runs anywhere");
        group.bench_function(algorithm.name(), |bencher| {
            bencher.iter_custom(|iterations| {
                let mut elapsed = Duration::ZERO;
                for iteration in 0..iterations {
                    let start = Instant::now();
                    let mut encoder = context.device.create_command_encoder(&Default::default());
                    ocean.encode(&mut encoder, iteration as f64 / 60.0);
                    let commands = encoder.finish();
                    elapsed += start.elapsed();
                    context.queue.submit([commands]);
                    context
                        .device
                        .poll(wgpu::PollType::wait_indefinitely())
                        .expect("the device answers");
                }
                elapsed
            });
        });
    }
    group.finish();
}

criterion_group!(benches, encode);
criterion_main!(benches);
