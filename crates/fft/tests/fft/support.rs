//! Running plans on the one device of these tests, and comparing with the reference.

use half::f16;
use rand::{RngExt as _, SeedableRng as _};
use seaway_core::choice::Choice as _;
use seaway_fft::gpu::read_buffer;
use seaway_fft::lab::{Accuracy, Algorithm, Configuration, Gate, Value, cpu};
use seaway_fft::{Buffers, Descriptor, Direction, Layout, Placement, Plan, Precision};

pub use seaway_core::testing::shared_context as gpu;
use seaway_core::testing::tolerance::at_most;

/// `algorithm` with those of `parameters` that it has, and takes with that value.
pub fn with(algorithm: Algorithm, parameters: &[(&str, Value)]) -> Configuration {
    let mut configuration = Configuration::from(algorithm);
    for (name, value) in parameters {
        let _ = configuration.set(name, Some(*value));
    }
    configuration
}

/// Random images in [-1, 1], no two alike: `[batch][y][x]`.
pub fn random(points: usize, batch: u32) -> Vec<[f32; 2]> {
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(points as u64);
    (0..points * batch as usize)
        .map(|_| [random.random_range(-1.0..1.0), random.random_range(-1.0..1.0)])
        .collect()
}

pub fn exact(values: &[[f32; 2]], descriptor: &Descriptor) -> Vec<[f64; 2]> {
    let [width, height] = descriptor.size;
    let mut values: Vec<_> = values.iter().map(|value| value.map(f64::from)).collect();
    for image in values.chunks_exact_mut((width * height) as usize) {
        cpu::transform(image, descriptor.size, descriptor.axes, descriptor.direction).unwrap();
    }
    let scale = descriptor.scale();
    values.as_flattened_mut().iter_mut().for_each(|part| *part *= scale);
    values
}

/// `images` as 16-bit floats can hold them.
pub fn rounded(images: &[[f32; 2]]) -> Vec<[f32; 2]> {
    images.iter().map(|value| value.map(|part| f16::from_f32(part).to_f32())).collect()
}

/// Images as they lie in a buffer.
pub fn pack<T: Copy + From<f32>>(images: &[[T; 2]], points: usize, layout: Layout) -> Vec<T> {
    match layout {
        Layout::Planar => images.as_flattened().to_vec(),
        Layout::Pair => {
            let padding = vec![[0.25, -0.75].map(T::from); points];
            let images: Vec<_> = images.chunks_exact(points).collect();
            images
                .chunks(2)
                .flat_map(|pair| {
                    let second = *pair.get(1).unwrap_or(&padding.as_slice());
                    pair[0].iter().zip(second).flat_map(|(a, b)| [a[0], a[1], b[0], b[1]])
                })
                .collect()
        }
    }
}

/// Returns the images of a buffer in which [`pack`] put them.
pub fn unpack<T: Copy>(floats: &[T], points: usize, batch: u32, layout: Layout) -> Vec<[T; 2]> {
    match layout {
        Layout::Planar => floats.as_chunks().0.to_vec(),
        Layout::Pair => floats
            .chunks_exact(4 * points)
            .flat_map(|pair| {
                let (elements, _) = pair.as_chunks::<4>();
                let first = elements.iter().map(|e| [e[0], e[1]]);
                let second = elements.iter().map(|e| [e[2], e[3]]);
                first.chain(second).collect::<Vec<_>>()
            })
            .take(points * batch as usize)
            .collect(),
    }
}

pub fn storage(bytes: u64) -> wgpu::Buffer {
    gpu().device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("test"),
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_DST
            | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

pub fn upload_floats(floats: &[f32]) -> wgpu::Buffer {
    upload_bytes(bytemuck::cast_slice(floats))
}

pub fn upload_bytes(bytes: &[u8]) -> wgpu::Buffer {
    let buffer = storage(bytes.len() as u64);
    gpu().queue.write_buffer(&buffer, 0, bytes);
    buffer
}

pub fn upload(images: &[[f32; 2]]) -> wgpu::Buffer {
    upload_floats(images.as_flattened())
}

pub fn submit(encode: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
    let mut encoder = gpu().device.create_command_encoder(&Default::default());
    encode(&mut encoder.begin_compute_pass(&Default::default()));
    gpu().queue.submit([encoder.finish()]);
}

pub fn download(buffer: &wgpu::Buffer) -> Vec<f32> {
    bytemuck::pod_collect_to_vec(&download_bytes(buffer))
}

pub fn download_bytes(buffer: &wgpu::Buffer) -> Vec<u8> {
    let context = gpu();
    pollster::block_on(read_buffer(&context.device, &context.queue, buffer)).unwrap()
}

/// Transforms `images` by `plan` on the shared device, and reads the result back.
pub fn run_plan(plan: &Plan, descriptor: &Descriptor, images: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let points = (descriptor.size[0] * descriptor.size[1]) as usize;
    let floats = pack(images, points, descriptor.layout);
    assert_eq!(plan.output_bytes(), u64::from(descriptor.precision.bytes()) * floats.len() as u64);
    let input = match descriptor.precision {
        Precision::F64 => unreachable!("`double` has its own"),
        Precision::F32 => upload_floats(&floats),
        Precision::F16 => {
            let halves: Vec<f16> = floats.iter().map(|part| f16::from_f32(*part)).collect();
            upload_bytes(bytemuck::cast_slice(&halves))
        }
    };
    let result = match descriptor.placement {
        Placement::OutOfPlace => storage(plan.output_bytes()),
        Placement::InPlace => input.clone(),
    };
    plan.write_tables(&gpu().queue);
    let bound = plan.bind(&gpu().device, &Buffers::new(&input, &result)).unwrap();
    submit(|pass| bound.encode(pass));
    let floats = match descriptor.precision {
        Precision::F64 => unreachable!("`double` has its own"),
        Precision::F32 => download(&result),
        Precision::F16 => {
            let halves: Vec<f16> = bytemuck::pod_collect_to_vec(&download_bytes(&result));
            halves.into_iter().map(f16::to_f32).collect()
        }
    };
    unpack(&floats, points, descriptor.batch, descriptor.layout)
}

pub fn run(descriptor: &Descriptor, images: &[[f32; 2]]) -> Vec<[f32; 2]> {
    run_plan(&Plan::new(&gpu().device, descriptor).unwrap(), descriptor, images)
}

#[track_caller]
pub fn assert_accurate(descriptor: &Descriptor, result: &[[f32; 2]], reference: &[[f64; 2]]) {
    let accuracy = Accuracy::of(result, reference);
    let gate = Gate::of(descriptor);
    at_most(accuracy.relative_l2, gate.relative_l2, format_args!("error of {descriptor:?}"));
    at_most(accuracy.relative_max, gate.relative_max, format_args!("largest of {descriptor:?}"));
}

/// Checks `descriptor` on random data.
pub fn check(descriptor: &Descriptor) {
    let points = (descriptor.size[0] * descriptor.size[1]) as usize;
    let images = random(points, descriptor.batch);
    assert_accurate(descriptor, &run(descriptor, &images), &exact(&images, descriptor));
}

/// The longest lines that `dft` is tested on here, whose work grows with the square, and `bluestein`,
/// whose kernels take long to compile and whose longer lines are tested for themselves.
const LONGEST_SLOW: u32 = 256;

/// Every algorithm and direction in each of `layouts` and `placements`, against one reference.
pub fn check_all(size: [u32; 2], batch: u32, layouts: &[Layout], placements: &[Placement]) {
    let points = (size[0] * size[1]) as usize;
    let images = random(points, batch);
    for &direction in Direction::ALL {
        let mut descriptor = Descriptor { size, batch, direction, ..Default::default() };
        let reference = exact(&images, &descriptor);
        for algorithm in Algorithm::of_powers_of_two() {
            let is_slow = matches!(algorithm, Algorithm::Dft | Algorithm::Bluestein);
            if is_slow && size.into_iter().any(|side| side > LONGEST_SLOW) {
                continue;
            }
            for &layout in layouts {
                for &placement in placements {
                    descriptor.algorithm = Some(algorithm.into());
                    descriptor.layout = layout;
                    descriptor.placement = placement;
                    assert_accurate(&descriptor, &run(&descriptor, &images), &reference);
                }
            }
        }
    }
}
