//! Every algorithm on a GPU against the reference in double precision.
//!
//! Needs an adapter, if only a software one, and fails without.

use std::sync::OnceLock;

use rand::{RngExt as _, SeedableRng as _};
use seaway::choice::Choice as _;
use seaway::fft::{
    self, Accuracy, Algorithm, Axes, Axis, Buffers, Descriptor, Direction, FftError, Gate, Layout,
    Placement, Plan, Region, Tuning, Twiddles, cpu,
};
use seaway::gpu::{Capabilities, Context, ContextOptions, LimitsPreset, read_buffer};

/// One device for all tests of this process.
fn gpu() -> &'static Context {
    static CONTEXT: OnceLock<Context> = OnceLock::new();
    CONTEXT.get_or_init(|| {
        pollster::block_on(Context::new(Context::headless_instance(), Default::default()))
            .expect("these tests need an adapter")
    })
}

/// Random images in [-1, 1], no two alike: `[batch][y][x]`.
fn random(points: usize, batch: u32) -> Vec<[f32; 2]> {
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(points as u64);
    (0..points * batch as usize)
        .map(|_| [random.random_range(-1.0..1.0), random.random_range(-1.0..1.0)])
        .collect()
}

fn exact(values: &[[f32; 2]], descriptor: &Descriptor) -> Vec<[f64; 2]> {
    let [width, height] = descriptor.size;
    let mut values: Vec<_> = values.iter().map(|value| value.map(f64::from)).collect();
    for image in values.chunks_exact_mut((width * height) as usize) {
        cpu::transform(image, descriptor.size, descriptor.axes, descriptor.direction).unwrap();
    }
    values
}

/// Images as they lie in a buffer.
fn pack(images: &[[f32; 2]], points: usize, layout: Layout) -> Vec<f32> {
    match layout {
        Layout::Planar => images.as_flattened().to_vec(),
        Layout::Pair => {
            let padding = vec![[0.25, -0.75]; points];
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

/// The reverse of [`pack`].
fn unpack(floats: &[f32], points: usize, batch: u32, layout: Layout) -> Vec<[f32; 2]> {
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

fn storage(bytes: u64) -> wgpu::Buffer {
    gpu().device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("test"),
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_DST
            | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

fn upload_floats(floats: &[f32]) -> wgpu::Buffer {
    let buffer = storage(4 * floats.len() as u64);
    gpu().queue.write_buffer(&buffer, 0, bytemuck::cast_slice(floats));
    buffer
}

fn upload(images: &[[f32; 2]]) -> wgpu::Buffer {
    upload_floats(images.as_flattened())
}

fn submit(encode: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
    let mut encoder = gpu().device.create_command_encoder(&Default::default());
    encode(&mut encoder.begin_compute_pass(&Default::default()));
    gpu().queue.submit([encoder.finish()]);
}

fn download(buffer: &wgpu::Buffer) -> Vec<f32> {
    let context = gpu();
    let bytes = pollster::block_on(read_buffer(&context.device, &context.queue, buffer)).unwrap();
    bytemuck::pod_collect_to_vec(&bytes)
}

/// Transforms `images` by `plan`.
fn run_plan(plan: &Plan, descriptor: &Descriptor, images: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let points = (descriptor.size[0] * descriptor.size[1]) as usize;
    let floats = pack(images, points, descriptor.layout);
    assert_eq!(plan.data_bytes(), 4 * floats.len() as u64);
    let input = upload_floats(&floats);
    let result = match descriptor.placement {
        Placement::OutOfPlace => storage(plan.data_bytes()),
        Placement::InPlace => input.clone(),
    };
    let bound = plan.bind(&gpu().device, &Buffers::new(&input, &result)).unwrap();
    submit(|pass| bound.encode(pass));
    unpack(&download(&result), points, descriptor.batch, descriptor.layout)
}

fn run(descriptor: &Descriptor, images: &[[f32; 2]]) -> Vec<[f32; 2]> {
    run_plan(&Plan::new(&gpu().device, descriptor).unwrap(), descriptor, images)
}

fn gate(descriptor: &Descriptor) -> Gate {
    let axes = descriptor.axes.list().iter();
    let points = axes
        .map(|axis| match axis {
            Axis::Row => u64::from(descriptor.size[0]),
            Axis::Column => u64::from(descriptor.size[1]),
        })
        .product();
    Gate::new(points, descriptor.tuning.twiddles)
}

#[track_caller]
fn assert_accurate(descriptor: &Descriptor, result: &[[f32; 2]], reference: &[[f64; 2]]) {
    let accuracy = Accuracy::of(result, reference);
    assert!(gate(descriptor).passes(accuracy), "{accuracy:?}: {descriptor:?}");
}

/// Checks `descriptor` on random data.
fn check(descriptor: &Descriptor) {
    let points = (descriptor.size[0] * descriptor.size[1]) as usize;
    let images = random(points, descriptor.batch);
    assert_accurate(descriptor, &run(descriptor, &images), &exact(&images, descriptor));
}

/// Every algorithm and direction in each of `layouts` and `placements`, against one reference.
fn check_all(size: [u32; 2], batch: u32, layouts: &[Layout], placements: &[Placement]) {
    let points = (size[0] * size[1]) as usize;
    let images = random(points, batch);
    for &direction in Direction::ALL {
        let mut descriptor = Descriptor { size, batch, direction, ..Default::default() };
        let reference = exact(&images, &descriptor);
        for &algorithm in Algorithm::ALL {
            for &layout in layouts {
                for &placement in placements {
                    descriptor.algorithm = algorithm;
                    descriptor.layout = layout;
                    descriptor.placement = placement;
                    assert_accurate(&descriptor, &run(&descriptor, &images), &reference);
                }
            }
        }
    }
}

const OUT_OF_PLACE: &[Placement] = &[Placement::OutOfPlace];

#[test]
fn small_squares_in_every_layout_and_placement() {
    for batch in [1, 3, 8] {
        check_all([16, 16], batch, Layout::ALL, Placement::ALL);
    }
}

#[test]
fn squares_of_32_to_128() {
    for batch in [1, 3, 8] {
        check_all([32, 32], batch, &[Layout::Pair], OUT_OF_PLACE);
        check_all([64, 64], batch, &[Layout::Planar], OUT_OF_PLACE);
        check_all([128, 128], batch, &[Layout::Pair], OUT_OF_PLACE);
    }
}

#[test]
fn squares_of_256() {
    check_all([256, 256], 3, &[Layout::Planar], OUT_OF_PLACE);
    check_all([256, 256], 8, &[Layout::Pair], OUT_OF_PLACE);
}

#[test]
fn squares_of_512() {
    check_all([512, 512], 1, &[Layout::Planar], OUT_OF_PLACE);
    check_all([512, 512], 3, &[Layout::Pair], OUT_OF_PLACE);
}

#[test]
fn squares_of_1024() {
    check_all([1024, 1024], 3, &[Layout::Pair], OUT_OF_PLACE);
}

#[test]
fn images_that_are_not_square() {
    check_all([64, 16], 3, &[Layout::Pair], OUT_OF_PLACE);
    check_all([32, 256], 2, &[Layout::Planar], Placement::ALL);
    check_all([1024, 4], 1, &[Layout::Pair], OUT_OF_PLACE);
    check_all([4, 512], 3, &[Layout::Pair], OUT_OF_PLACE);
}

#[test]
fn the_shortest_lengths() {
    for &algorithm in Algorithm::ALL {
        for size in [[2, 2], [2, 8], [4, 4], [4, 2], [8, 4]] {
            for &placement in Placement::ALL {
                let descriptor =
                    Descriptor { size, batch: 2, algorithm, placement, ..Default::default() };
                match Plan::new(&gpu().device, &descriptor) {
                    Ok(_) => check(&descriptor),
                    Err(error) => {
                        assert_eq!(algorithm, Algorithm::StockhamR4, "{error}");
                        assert!(size.contains(&2), "{error}");
                    }
                }
            }
        }
    }
}

#[test]
fn one_axis_beside_another_of_any_length() {
    for &algorithm in Algorithm::ALL {
        for (axes, size) in [(Axes::Rows, [64, 7]), (Axes::Columns, [5, 64])] {
            let layout = Layout::Pair;
            check(&Descriptor { size, axes, batch: 3, algorithm, layout, ..Default::default() });
        }
    }
}

#[test]
fn lengths_up_to_what_workgroup_memory_holds() {
    let memory = gpu().capabilities.max_workgroup_storage_bytes;
    for &layout in Layout::ALL {
        let longest = (memory / layout.element_bytes()).min(4096);
        let longest = 1 << longest.ilog2();
        for &algorithm in Algorithm::ALL {
            for size in [[longest, 4], [4, longest]] {
                check(&Descriptor { size, algorithm, layout, ..Default::default() });
            }
        }
    }
}

#[test]
fn webgpu_default_limits_are_enough_for_1024() {
    let instance = Context::headless_instance();
    let options = ContextOptions { limits: LimitsPreset::WebGpu, ..Default::default() };
    let limited = pollster::block_on(Context::new(instance, options)).unwrap();
    for &algorithm in Algorithm::ALL {
        for (layout, size) in [(Layout::Pair, [1024, 16]), (Layout::Planar, [16, 1024])] {
            let descriptor = Descriptor { size, algorithm, layout, ..Default::default() };
            // A device with these limits takes the plan ...
            let scope = limited.device.push_error_scope(wgpu::ErrorFilter::Validation);
            let plan = Plan::new(&limited.device, &descriptor).unwrap();
            let refused = pollster::block_on(scope.pop());
            assert!(refused.is_none(), "{refused:?}: {descriptor:?}");
            // ... and its result is right; run on the other device, where the helpers are.
            let plan = Plan::from_program(&gpu().device, plan.program().clone());
            let images = random(1024 * 16, 1);
            let result = run_plan(&plan, &descriptor, &images);
            assert_accurate(&descriptor, &result, &exact(&images, &descriptor));
        }
    }
}

#[test]
fn every_tuning_gives_the_same_result() {
    let tunings = [
        Tuning { twiddles: Twiddles::SinCos, ..Default::default() },
        Tuning { butterflies_per_invocation: Some(4), ..Default::default() },
        Tuning {
            rows_per_workgroup: Some(8),
            columns_per_workgroup: Some(2),
            butterflies_per_invocation: Some(2),
            ..Default::default()
        },
        Tuning { workgroup_size: Some(16), columns_per_workgroup: Some(1), ..Default::default() },
    ];
    for &algorithm in Algorithm::ALL {
        for tuning in &tunings {
            let tuning = tuning.clone();
            let layout = Layout::Pair;
            let size = [64, 32];
            check(&Descriptor { size, batch: 3, algorithm, layout, tuning, ..Default::default() });
        }
    }
}

#[test]
fn dispatches_spread_over_the_third_dimension() {
    // Seven rows of one image and five of a layer's workgroups, three workgroups a dimension.
    let capabilities =
        Capabilities { max_workgroups_per_dimension: 3, ..gpu().capabilities.clone() };
    for &algorithm in Algorithm::ALL {
        let descriptor = Descriptor {
            size: [64, 7],
            axes: Axes::Rows,
            batch: 3,
            algorithm,
            ..Default::default()
        };
        let program = fft::program(&descriptor, &capabilities).unwrap();
        assert!(program.dispatches[0].workgroups[2] > 1, "{algorithm}");
        let images = random(64 * 7, 3);
        let plan = Plan::from_program(&gpu().device, program);
        let result = run_plan(&plan, &descriptor, &images);
        assert_accurate(&descriptor, &result, &exact(&images, &descriptor));
    }
}

#[test]
fn identities_of_the_transform() {
    let size = [32, 64];
    let points = (size[0] * size[1]) as usize;
    for &algorithm in Algorithm::ALL {
        let forward = Descriptor { size, batch: 2, algorithm, ..Default::default() };
        let inverse = Descriptor { direction: Direction::Inverse, ..forward.clone() };
        let plan = Plan::new(&gpu().device, &forward).unwrap();
        let images = random(points, 2);
        let spectrum = run_plan(&plan, &forward, &images);

        // Round trip: the number of points times what went in.
        let back = run(&inverse, &spectrum);
        let scaled: Vec<_> =
            images.iter().map(|value| value.map(|part| f64::from(part) * points as f64)).collect();
        let accuracy = Accuracy::of(&back, &scaled);
        assert!(accuracy.relative_l2 < 2e-6, "{algorithm}: round trip {accuracy:?}");

        // Parseval, image by image.
        let energy = |values: &[[f32; 2]]| -> f64 {
            values.as_flattened().iter().map(|part| f64::from(*part).powi(2)).sum()
        };
        for (image, spectrum) in images.chunks(points).zip(spectrum.chunks(points)) {
            let ratio = energy(spectrum) / (energy(image) * points as f64);
            assert!((ratio - 1.0).abs() < 1e-6, "{algorithm}: Parseval {ratio}");
        }

        // An impulse at (x, y) = (3, 5) is a plane wave; nothing of it in the second image.
        let mut impulse = vec![[0.0; 2]; 2 * points];
        impulse[5 * size[0] as usize + 3] = [1.0, 0.0];
        let wave = run_plan(&plan, &forward, &impulse);
        let mut expected = vec![[0.0; 2]; 2 * points];
        for (index, value) in expected[..points].iter_mut().enumerate() {
            let (kx, ky) = (index % size[0] as usize, index / size[0] as usize);
            // In units of 1 / 64 of a turn.
            let turn = kx * 3 * 2 + ky * 5;
            *value = cpu::root_of_unity(turn, 64, Direction::Forward);
        }
        let accuracy = Accuracy::of(&wave, &expected);
        assert!(accuracy.relative_max < 1e-6, "{algorithm}: impulse {accuracy:?}");

        // A cyclic shift by (1, 2) turns the phase of each frequency.
        let shifted: Vec<_> = images
            .chunks(points)
            .flat_map(|image| {
                (0..points).map(|index| {
                    let (x, y) = (index % size[0] as usize, index / size[0] as usize);
                    let from_x = (x + size[0] as usize - 1) % size[0] as usize;
                    let from_y = (y + size[1] as usize - 2) % size[1] as usize;
                    image[from_y * size[0] as usize + from_x]
                })
            })
            .collect();
        let turned: Vec<_> = spectrum
            .iter()
            .enumerate()
            .map(|(index, value)| {
                let (kx, ky) = (index % size[0] as usize, index % points / size[0] as usize);
                let [re, im] = value.map(f64::from);
                let [c, s] = cpu::root_of_unity(2 * kx + 2 * ky, 64, Direction::Forward);
                [re * c - im * s, re * s + im * c]
            })
            .collect();
        let accuracy = Accuracy::of(&run_plan(&plan, &forward, &shifted), &turned);
        assert!(accuracy.relative_l2 < 2e-6, "{algorithm}: shift {accuracy:?}");
    }
}

#[test]
fn repeated_runs_are_bit_identical() {
    for &algorithm in Algorithm::ALL {
        let descriptor = Descriptor {
            size: [256, 128],
            batch: 5,
            layout: Layout::Pair,
            algorithm,
            ..Default::default()
        };
        let images = random(256 * 128, 5);
        let plan = Plan::new(&gpu().device, &descriptor).unwrap();
        let first = run_plan(&plan, &descriptor, &images);
        for _ in 0..5 {
            assert!(run_plan(&plan, &descriptor, &images) == first, "{algorithm}");
        }
    }
}

#[test]
fn axis_by_axis_is_the_whole() {
    for &algorithm in Algorithm::ALL {
        let descriptor = Descriptor { size: [32, 64], batch: 2, algorithm, ..Default::default() };
        let images = random(32 * 64, 2);
        let plan = Plan::new(&gpu().device, &descriptor).unwrap();
        let (input, whole, parts) =
            (upload(&images), storage(plan.data_bytes()), storage(plan.data_bytes()));
        let bind = |output| plan.bind(&gpu().device, &Buffers::new(&input, output)).unwrap();
        let (bound, by_axis) = (bind(&whole), bind(&parts));
        submit(|pass| bound.encode(pass));
        submit(|pass| by_axis.encode_axis(pass, Axis::Row));
        submit(|pass| by_axis.encode_axis(pass, Axis::Column));
        assert!(download(&whole) == download(&parts), "{algorithm}");
    }
}

#[test]
fn one_dispatch_an_axis_or_one_a_stage() {
    for &algorithm in Algorithm::ALL {
        let descriptor = Descriptor {
            size: [64, 32],
            batch: 8,
            layout: Layout::Pair,
            algorithm,
            ..Default::default()
        };
        let plan = Plan::new(&gpu().device, &descriptor).unwrap();
        let (input, output) = (storage(plan.data_bytes()), storage(plan.data_bytes()));
        let bound = plan.bind(&gpu().device, &Buffers::new(&input, &output)).unwrap();
        let expected = if algorithm == Algorithm::CooleyTukeyMultipass { 6 + 5 } else { 2 };
        assert_eq!(bound.dispatch_count(), expected, "{algorithm}");
    }
}

#[test]
fn offsets_are_kept_to() {
    let size = [32, 16];
    let points = 32 * 16;
    // Unequal offsets into buffers with something on both sides.
    let margin = 512_usize.max(gpu().capabilities.min_storage_offset_alignment_bytes as usize);
    for &algorithm in Algorithm::ALL {
        for &placement in Placement::ALL {
            let descriptor =
                Descriptor { size, batch: 3, algorithm, placement, ..Default::default() };
            let plan = Plan::new(&gpu().device, &descriptor).unwrap();
            let images = random(points, 3);
            let length = plan.data_bytes() as usize;
            let sentinel = 7.5_f32;
            let framed = |offset: usize, data: &[f32]| {
                let mut floats = vec![sentinel; (offset + length + margin) / 4];
                floats[offset / 4..][..data.len()].copy_from_slice(data);
                upload_floats(&floats)
            };
            let input = framed(margin, images.as_flattened());
            let output = match placement {
                Placement::OutOfPlace => framed(2 * margin, &[]),
                Placement::InPlace => input.clone(),
            };
            let (from, to) = match placement {
                Placement::OutOfPlace => (margin, 2 * margin),
                Placement::InPlace => (margin, margin),
            };
            let scratch = framed(margin, &[]);
            let region = |buffer, offset: usize| Region { buffer, offset: offset as u64 };
            let buffers = Buffers {
                input: region(&input, from),
                output: region(&output, to),
                scratch: Some(region(&scratch, margin)),
            };
            let bound = plan.bind(&gpu().device, &buffers).unwrap();
            submit(|pass| bound.encode(pass));
            let result = download(&output);
            let (before, rest) = result.split_at(to / 4);
            let (data, after) = rest.split_at(length / 4);
            assert!(before.iter().chain(after).all(|value| *value == sentinel), "{descriptor:?}");
            let scratch = download(&scratch);
            let outside = scratch[..margin / 4].iter().chain(&scratch[(margin + length) / 4..]);
            assert!(outside.into_iter().all(|value| *value == sentinel), "{descriptor:?}");
            if placement == Placement::OutOfPlace {
                let input = download(&input);
                assert!(input[margin / 4..][..length / 4] == *images.as_flattened());
            }
            assert_accurate(&descriptor, data.as_chunks().0, &exact(&images, &descriptor));
        }
    }
}

#[test]
fn a_broken_kernel_fails_the_gate() {
    let broken_lines = [
        (Algorithm::StockhamR4, "twiddle(3u * sp)", "twiddle(2u * sp)"),
        (Algorithm::StockhamR2, "v.a - v.b, twiddle(sp)", "v.a - v.b, twiddle(0u)"),
        (Algorithm::CooleyTukey, "idx + shift)] = a - wb", "idx + shift)] = a + wb"),
        (Algorithm::CooleyTukeyMultipass, "stage.reverse == 1u", "stage.reverse == 2u"),
    ];
    for &algorithm in Algorithm::ALL {
        let descriptor = Descriptor { size: [64, 64], algorithm, ..Default::default() };
        let images = random(64 * 64, 1);
        let reference = exact(&images, &descriptor);
        let sound = fft::program(&descriptor, &gpu().capabilities).unwrap();
        let accuracy = |program: fft::Program| {
            let plan = Plan::from_program(&gpu().device, program);
            Accuracy::of(&run_plan(&plan, &descriptor, &images), &reference)
        };

        if let Some((_, line, broken)) =
            broken_lines.iter().find(|(candidate, ..)| *candidate == algorithm)
        {
            let mut program = sound.clone();
            let wgsl = &mut program.kernels[0].wgsl;
            assert!(wgsl.contains(line), "{algorithm}: {line}");
            *wgsl = wgsl.replace(line, broken);
            let accuracy = accuracy(program);
            assert!(!gate(&descriptor).passes(accuracy), "{algorithm}: {accuracy:?}");
        }

        // Twiddle factors that are a little off, as those of a poor sine would be.
        let mut program = sound;
        for (index, value) in program.tables[0].values.iter_mut().enumerate() {
            value[0] += if index % 2 == 0 { 1e-5 } else { -1e-5 };
        }
        let accuracy = accuracy(program);
        assert!(!gate(&descriptor).passes(accuracy), "{algorithm}: {accuracy:?}");
        assert!(accuracy.relative_l2 < 1e-4, "{algorithm}: {accuracy:?}");
    }
}

#[test]
fn regions_that_do_not_fit_are_refused() {
    let device = &gpu().device;
    let size = [16, 16];
    let plan = Plan::new(device, &Descriptor { size, ..Default::default() }).unwrap();
    let bytes = plan.data_bytes();
    let (a, b, small) = (storage(bytes), storage(2 * bytes), storage(bytes / 2));
    let bind = |plan: &Plan, input, output| {
        plan.bind(device, &Buffers::new(input, output)).map(|_| ()).unwrap_err()
    };

    assert_eq!(
        bind(&plan, Region::from(&small), Region::from(&b)),
        FftError::TooSmall { region: "input", needed: bytes, offset: 0, available: bytes / 2 }
    );
    assert_eq!(
        bind(&plan, Region::from(&a), Region { buffer: &b, offset: bytes + 256 }),
        FftError::TooSmall {
            region: "output",
            needed: bytes,
            offset: bytes + 256,
            available: bytes - 256
        }
    );
    assert!(matches!(
        bind(&plan, Region::from(&a), Region { buffer: &b, offset: 4 }),
        FftError::Misaligned { region: "output", offset: 4, .. }
    ));
    assert_eq!(
        bind(&plan, Region::from(&b), Region { buffer: &b, offset: bytes }),
        FftError::SharedBuffer { first: "input", second: "output" }
    );
    let uniform = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: bytes,
        usage: wgpu::BufferUsages::UNIFORM,
        mapped_at_creation: false,
    });
    assert_eq!(
        bind(&plan, Region::from(&uniform), Region::from(&b)),
        FftError::Usage { region: "input" }
    );

    let placement = Placement::InPlace;
    let in_place =
        Plan::new(device, &Descriptor { size, placement, ..Default::default() }).unwrap();
    assert_eq!(bind(&in_place, Region::from(&a), Region::from(&b)), FftError::NotInPlace);

    let algorithm = Algorithm::CooleyTukeyMultipass;
    let multipass =
        Plan::new(device, &Descriptor { size, algorithm, ..Default::default() }).unwrap();
    assert_eq!(multipass.scratch_bytes(), bytes);
    let buffers = Buffers { scratch: Some(Region::from(&a)), ..Buffers::new(&a, &b) };
    assert_eq!(
        multipass.bind(device, &buffers).map(|_| ()).unwrap_err(),
        FftError::SharedBuffer { first: "input", second: "scratch" }
    );
}

#[test]
fn a_plan_beyond_the_device_is_refused() {
    let error = Plan::new(&gpu().device, &Descriptor { size: [1 << 16, 16], ..Default::default() })
        .unwrap_err();
    assert!(error.to_string().contains("maxComputeWorkgroupStorageSize"), "{error}");
}
