//! Multiplies polynomials over GF(2^16) by additive Fourier transforms, on the processor and on the GPU, and
//! prints the operations and the times of the transforms.
//!
//!     cargo run --release -p seaway-fft --example polynomials [-- BITS]
//!
//! The GPU's times are of 2^BITS values, 2^16 unless BITS says otherwise, in as many lines as they make.

use std::time::Instant;

use seaway_fft::Direction::Forward;
use seaway_fft::gpu::{Context, filled, read_buffer};
use seaway_fft::lab::additive::{AdditivePlan, Field, Method, Product, Transform};
use seaway_fft::lab::timing::{self, measure};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let batch_bits: u32 = std::env::args().nth(1).map_or(Ok(16), |bits| bits.parse())?;
    let context =
        pollster::block_on(Context::new(Context::headless_instance(), Default::default()))?;
    let (device, queue) = (&context.device, &context.queue);
    let field = Field::new(16)?;
    let storage = |values: &[u32]| {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        filled(device, "polynomials", usage, bytemuck::cast_slice(values))
    };

    // Two polynomials whose product has 4095 coefficients.
    let [a, b] =
        [1, 3].map(|seed| (0..2048).map(|n| (n * n * seed) & 0xffff).collect::<Vec<u32>>());
    for &method in Method::ALL {
        let transform = Transform::new(&field, method, 12)?;
        let product = transform.multiply(&a, &b)?;
        let plan = AdditivePlan::new(device, &transform, 1, Product::default())?;
        let [on_gpu, other] = [&a, &b].map(|factor| {
            let mut line = factor.clone();
            line.resize(transform.length(), 0);
            storage(&line)
        });
        let bound = plan.bind_product(device, &on_gpu, &other)?;
        let mut encoder = device.create_command_encoder(&Default::default());
        bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
        queue.submit([encoder.finish()]);
        let bytes = pollster::block_on(read_buffer(device, queue, &on_gpu))?;
        let found: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
        if found[..product.len()] != product {
            return Err("the GPU's product differs".into());
        }
        println!("{method:?}: the processor and {} agree", context.describe());
    }

    let timed_by = timing::Method::default();
    println!("length method products sums processor-us gpu-us-by-logs gpu-us-by-shifts dispatches");
    for bits in [8, 10, 12, 14, 16] {
        for &method in Method::ALL {
            let transform = Transform::new(&field, method, bits)?;
            let mut line: Vec<u32> = (0..1 << bits).map(|n| (n * 40503) & 0xffff).collect();
            let count = 1 << (17 - bits);
            let start = Instant::now();
            (0..count).try_for_each(|_| transform.transform(&mut line, Forward))?;
            let processor_us = start.elapsed().as_secs_f64() * 1e6 / f64::from(count);
            let lines = 1 << batch_bits.saturating_sub(bits);
            let buffer = storage(&line.repeat(lines as usize));
            let mut gpu_us = Vec::new();
            let mut dispatches = 0;
            for &product in Product::ALL {
                let plan = AdditivePlan::new(device, &transform, lines, product)?;
                let bound = plan.bind(device, &buffer)?;
                let timed = measure(device, queue, &timed_by, |pass, _| {
                    bound.encode(pass, Forward);
                });
                gpu_us.push(pollster::block_on(timed)?.median_us());
                dispatches = plan.dispatch_count(Forward);
            }
            let operations = transform.operations();
            println!(
                "{} {method:?} {} {} {processor_us:.1} {:.1} {:.1} {dispatches}",
                transform.length(),
                operations.multiplications,
                operations.additions,
                gpu_us[0],
                gpu_us[1]
            );
        }
    }
    Ok(())
}
