//! Blurs an image by a Gaussian kernel, in four dispatches however large the kernel is.
//!
//!     cargo run -p seaway-fft --example convolve
//!
//! The image is a disc on a dark ground. Blurred, it has the same sum, but for what leaves the image,
//! and at every pixel the weighted mean of what is around it.

use seaway_fft::gpu::{self, Context};
use seaway_fft::{Convolution, ConvolutionDescriptor};

const IMAGE: [u32; 2] = [160, 120];
/// Odd, so that it has a middle.
const KERNEL: u32 = 41;
const SIGMA: f32 = 6.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context =
        pollster::block_on(Context::new(Context::headless_instance(), Default::default()))?;
    let (device, queue) = (&context.device, &context.queue);

    let convolution = Convolution::new(
        device,
        &ConvolutionDescriptor { image: IMAGE, kernel: [KERNEL; 2], ..Default::default() },
    )?;
    let kernel = gaussian();
    convolution.set_kernel(device, queue, &kernel)?;

    let image = disc();
    let storage = |bytes, usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: bytes,
            usage: wgpu::BufferUsages::STORAGE | usage,
            mapped_at_creation: false,
        })
    };
    let pixels = storage(convolution.input_bytes(), wgpu::BufferUsages::COPY_DST);
    let blurred = storage(convolution.output_bytes(), wgpu::BufferUsages::COPY_SRC);
    queue.write_buffer(&pixels, 0, bytemuck::cast_slice(&image));
    let bound = convolution.bind(device, &pixels, &blurred)?;
    let mut encoder = device.create_command_encoder(&Default::default());
    bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    queue.submit([encoder.finish()]);

    let bytes = pollster::block_on(gpu::read_buffer(device, queue, &blurred))?;
    let result: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes);
    let [width, height] = convolution.padded_size();
    println!("{} dispatches of {width} x {height} points", bound.dispatch_count());
    let sum = |values: &[f32]| values.iter().map(|value| f64::from(*value)).sum::<f64>();
    println!("sum before {:.3}, after {:.3}", sum(&image), sum(&result));
    // A row through the middle of the disc, by the definition.
    let worst = (0..IMAGE[0])
        .map(|x| (result[at(60, x)] - weighted_mean(&image, &kernel, 60, x)).abs())
        .fold(0.0, f32::max);
    println!("largest difference from the definition: {worst:.1e}");
    if worst > 1e-5 {
        return Err("that is no blur".into());
    }
    Ok(())
}

#[test]
fn the_blur_is_a_weighted_mean() {
    main().unwrap();
}

fn at(y: u32, x: u32) -> usize {
    (y * IMAGE[0] + x) as usize
}

/// 1 within 30 pixels of the middle, else 0.
fn disc() -> Vec<f32> {
    let pixel = |n: u32| {
        let (x, y) = ((n % IMAGE[0]) as f32 - 80.0, (n / IMAGE[0]) as f32 - 60.0);
        if x.hypot(y) < 30.0 { 1.0 } else { 0.0 }
    };
    (0..IMAGE[0] * IMAGE[1]).map(pixel).collect()
}

/// The bell's values at the pixels of the kernel, with a sum of 1.
fn gaussian() -> Vec<f32> {
    let bell = |n: u32| (-0.5 * ((n as f32 - (KERNEL / 2) as f32) / SIGMA).powi(2)).exp();
    let values: Vec<f32> =
        (0..KERNEL * KERNEL).map(|n| bell(n % KERNEL) * bell(n / KERNEL)).collect();
    let sum: f32 = values.iter().sum();
    values.into_iter().map(|value| value / sum).collect()
}

/// The definition, at one pixel: beyond the image there is nothing.
fn weighted_mean(image: &[f32], kernel: &[f32], y: u32, x: u32) -> f32 {
    let half = KERNEL / 2;
    let mut sum = 0.0;
    for n in 0..KERNEL * KERNEL {
        // The kernel's first value lies on what is below and to the right.
        let (row, column) = (y + half, x + half);
        let (row, column) = (row.checked_sub(n / KERNEL), column.checked_sub(n % KERNEL));
        if let (Some(row), Some(column)) = (row, column)
            && row < IMAGE[1]
            && column < IMAGE[0]
        {
            sum += image[at(row, column)] * kernel[n as usize];
        }
    }
    sum
}
