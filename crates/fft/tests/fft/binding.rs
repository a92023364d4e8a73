//! Tests of the buffers that plans bind.

use seaway_core::choice::Choice as _;
use seaway_fft::lab::Algorithm;
use seaway_fft::{Axis, Buffers, Descriptor, FftError, Layout, Placement, Plan, Region};

use crate::support::{
    assert_accurate, download, exact, gpu, random, storage, submit, upload, upload_floats,
};

#[test]
fn axis_by_axis_is_the_whole() {
    for algorithm in Algorithm::of_powers_of_two() {
        let descriptor = Descriptor {
            size: [32, 64],
            batch: 2,
            algorithm: Some(algorithm.into()),
            ..Default::default()
        };
        let images = random(32 * 64, 2);
        let plan = Plan::new(&gpu().device, &descriptor).unwrap();
        let (input, whole, parts) =
            (upload(&images), storage(plan.output_bytes()), storage(plan.output_bytes()));
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
    for algorithm in Algorithm::of_powers_of_two() {
        let descriptor = Descriptor {
            size: [64, 32],
            batch: 8,
            layout: Layout::Pair,
            algorithm: Some(algorithm.into()),
            ..Default::default()
        };
        let plan = Plan::new(&gpu().device, &descriptor).unwrap();
        let (input, output) = (storage(plan.output_bytes()), storage(plan.output_bytes()));
        let bound = plan.bind(&gpu().device, &Buffers::new(&input, &output)).unwrap();
        let expected = match algorithm {
            Algorithm::CooleyTukeyMultipass => 6 + 5,
            Algorithm::GlobalR8
            | Algorithm::GlobalR16
            | Algorithm::Transpose
            | Algorithm::FourStep => 4,
            Algorithm::GlobalR32 => 3,
            _ => 2,
        };
        assert_eq!(bound.dispatch_count(), expected, "{algorithm}");
    }
}

#[test]
fn offsets_are_kept_to() {
    let size = [32, 16];
    let points = 32 * 16;
    // Unequal offsets into buffers with something on both sides.
    let margin = 512_usize.max(gpu().capabilities.min_storage_offset_alignment_bytes as usize);
    for algorithm in Algorithm::of_powers_of_two() {
        for &placement in Placement::ALL {
            let descriptor = Descriptor {
                size,
                batch: 3,
                algorithm: Some(algorithm.into()),
                placement,
                ..Default::default()
            };
            let plan = Plan::new(&gpu().device, &descriptor).unwrap();
            let images = random(points, 3);
            let length = plan.output_bytes() as usize;
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
                input: Some(region(&input, from)),
                output: Some(region(&output, to)),
                scratch: Some(region(&scratch, margin)),
                ..Default::default()
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
fn regions_that_do_not_fit_are_refused() {
    let device = &gpu().device;
    let size = [16, 16];
    let plan = Plan::new(device, &Descriptor { size, ..Default::default() }).unwrap();
    let bytes = plan.output_bytes();
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
    let multipass = Plan::new(
        device,
        &Descriptor { size, algorithm: Some(algorithm.into()), ..Default::default() },
    )
    .unwrap();
    assert_eq!(multipass.scratch_bytes(), bytes);
    let buffers = Buffers { scratch: Some(Region::from(&a)), ..Buffers::new(&a, &b) };
    assert_eq!(
        multipass.bind(device, &buffers).map(|_| ()).unwrap_err(),
        FftError::SharedBuffer { first: "input", second: "scratch" }
    );
}

#[test]
fn a_plan_beyond_the_device_is_refused() {
    let long = Descriptor { size: [1 << 16, 16], ..Default::default() };
    let error = Plan::new(&gpu().device, &long.clone().by(Algorithm::StockhamR4)).unwrap_err();
    assert!(error.to_string().contains("maxComputeWorkgroupStorageSize"), "{error}");
    // Unless the choice is the planner's, which knows another.
    Plan::new(&gpu().device, &long).unwrap();
}
