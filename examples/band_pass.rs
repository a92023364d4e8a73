//! Another use of the FFT's hooks than an ocean: a band-pass filter, which keeps the detail of an
//! image between two wavelengths. Four dispatches in all, forward and back:
//!
//! 1. rows, whose load hook makes complex numbers of real pixels,
//! 2. columns, whose store hook multiplies each frequency by the filter,
//! 3. rows back,
//! 4. columns back, whose store hook writes real pixels and divides by their number.
//!
//! A convolution is the same with the transform of its kernel in place of the filter.
//!
//!     cargo run --example band_pass
//!
//! The image is two waves, of 4 and of 32 pixels. The filter lets wavelengths from 16 to 64 pass: the
//! long wave stays and the short one goes.

use seaway::fft::{Buffers, Descriptor, Direction, LoadHook, Normalization, Plan, StoreHook};
use seaway::gpu::{self, Context};

const SIZE: u32 = 128;

/// Real pixels in, as complex numbers.
const LOAD_PIXELS: &str = "
@group(1) @binding(0) var<storage, read> pixels_in: array<f32>;
fn load(layer: u32, y: u32, x: u32) -> Element {
    return vec2(pixels_in[y * 128u + x], 0.0);
}
";

/// Frequencies out, those outside the band set to zero.
const STORE_FILTERED: &str = "
@group(2) @binding(0) var<storage, read_write> spectrum_out: array<vec2<f32>>;
fn store(layer: u32, y: u32, x: u32, value: Element) {
    // Indices above the middle are negative frequencies.
    let index = vec2<i32>(vec2(x, y)) - select(vec2(0i), vec2(128i), vec2(x, y) >= vec2(64u));
    let waves = length(vec2<f32>(index));
    let passes = waves >= 128.0 / 64.0 && waves <= 128.0 / 16.0;
    spectrum_out[y * 128u + x] = select(vec2(0.0), value, passes);
}
";

/// A store hook that keeps the real part.
const STORE_PIXELS: &str = "
@group(2) @binding(0) var<storage, read_write> pixels_out: array<f32>;
fn store(layer: u32, y: u32, x: u32, value: Element) {
    pixels_out[y * 128u + x] = value.x;
}
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context =
        pollster::block_on(Context::new(Context::headless_instance(), Default::default()))?;
    let (device, queue) = (&context.device, &context.queue);

    let forward = Plan::new(
        device,
        &Descriptor {
            load: Some(LoadHook::new("image", LOAD_PIXELS, vec![storage_entry(true)])),
            store: Some(StoreHook::new("filter", STORE_FILTERED, vec![storage_entry(false)])),
            ..Descriptor::image([SIZE; 2])
        },
    )?;
    let back = Plan::new(
        device,
        &Descriptor {
            direction: Direction::Inverse,
            normalization: Normalization::Points,
            store: Some(StoreHook::new("filter", STORE_PIXELS, vec![storage_entry(false)])),
            ..Descriptor::image([SIZE; 2])
        },
    )?;

    let points = u64::from(SIZE * SIZE);
    let pixels = storage(device, 4 * points);
    let filtered = storage(device, 4 * points);
    let spectrum = storage(device, 8 * points);
    // With a store hook the output is working memory between the passes.
    let work = storage(device, 8 * points);
    let group = |layout: Option<&wgpu::BindGroupLayout>, buffer: &wgpu::Buffer| {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: layout.expect("a plan with a hook has its layout"),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        })
    };
    let forward = forward.bind(
        device,
        &Buffers {
            output: Some((&work).into()),
            load: Some(&group(forward.load_layout(), &pixels)),
            store: Some(&group(forward.store_layout(), &spectrum)),
            ..Default::default()
        },
    )?;
    let back = back.bind(
        device,
        &Buffers {
            store: Some(&group(back.store_layout(), &filtered)),
            ..Buffers::new(&spectrum, &work)
        },
    )?;

    let wave = |wavelength: f32, x: u32| (std::f32::consts::TAU * x as f32 / wavelength).cos();
    let image: Vec<f32> =
        (0..SIZE * SIZE).map(|n| wave(32.0, n % SIZE) + wave(4.0, n / SIZE)).collect();
    queue.write_buffer(&pixels, 0, bytemuck::cast_slice(&image));
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        forward.encode(&mut pass);
        back.encode(&mut pass);
    }
    queue.submit([encoder.finish()]);

    let bytes = pollster::block_on(gpu::read_buffer(device, queue, &filtered))?;
    let result: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes);
    let worst = result
        .iter()
        .zip(0..)
        .map(|(pixel, n)| (pixel - wave(32.0, n % SIZE)).abs())
        .fold(0.0, f32::max);
    println!("{} dispatches", forward.dispatch_count() + back.dispatch_count());
    println!("largest difference from the long wave alone: {worst:.1e}");
    if worst > 1e-5 {
        return Err("the filter let something else pass".into());
    }
    Ok(())
}

#[test]
fn only_the_long_wave_passes() {
    main().unwrap();
}

fn storage_entry(read_only: bool) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding: 0,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}

fn storage(device: &wgpu::Device, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_DST
            | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}
