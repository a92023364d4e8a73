//! Which lengths there are: every power of two up to 8192 within WebGPU's default limits, and any
//! length by the definition.

use seaway_core::choice::Choice as _;
use seaway_fft::gpu::Capabilities;
use seaway_fft::lab::timing::Regime;
use seaway_fft::lab::{Accuracy, Algorithm, Gate, References, Value, Workload};
use seaway_fft::{Axes, Descriptor, Direction, Layout};
use seaway_fft::{Placement, Plan};

use crate::reference::transformed;
use crate::support::{assert_accurate, check, exact, gpu, random, run, run_plan, with};
use seaway_core::testing::tolerance::at_most;

#[test]
fn powers_of_two_to_8192_within_webgpus_limits() {
    let webgpu = Capabilities::webgpu_defaults();
    for bits in 1..=13 {
        let length = 1 << bits;
        for (layout, size) in [(Layout::Planar, [length, 2]), (Layout::Pair, [2, length])] {
            let axes = if size[0] == length { Axes::Rows } else { Axes::Columns };
            let images = random(2 * length as usize, 2);
            let mut reference = None;
            let mut takers = 0;
            // Without `dft`, which takes every length.
            for &algorithm in Algorithm::ALL.iter().filter(|other| **other != Algorithm::Dft) {
                let descriptor = Descriptor {
                    size,
                    batch: 2,
                    layout,
                    axes,
                    algorithm: Some(algorithm.into()),
                    ..Default::default()
                };
                let Ok(program) = seaway_fft::lab::program(&descriptor, &webgpu) else { continue };
                takers += 1;
                // The lengths between are those of other tests, and so are convolutions.
                if bits > 3 && (bits < 11 || algorithm == Algorithm::Bluestein) {
                    continue;
                }
                let plan = Plan::from_program(&gpu().device, program).unwrap();
                let result = run_plan(&plan, &descriptor, &images);
                let reference = reference.get_or_insert_with(|| exact(&images, &descriptor));
                assert_accurate(&descriptor, &result, reference);
            }
            assert!(takers >= 2, "{length} {layout}: {takers}");
        }
    }
}

#[test]
fn the_definition_takes_any_length() {
    for size in [[12, 10], [1, 7], [7, 1], [97, 30], [1000, 3]] {
        for &placement in Placement::ALL {
            for axes in Axes::OF_IMAGES {
                let (direction, twiddles) = match placement {
                    Placement::OutOfPlace => (Direction::Forward, "table"),
                    Placement::InPlace => (Direction::Inverse, "computed"),
                };
                let batch = 2;
                let descriptor =
                    Descriptor { size, batch, direction, axes, placement, ..Default::default() }
                        .by(with(Algorithm::Dft, &[("twiddles", Value::Choice(twiddles))]));
                let images = random((size[0] * size[1]) as usize, batch);
                let reference = transformed(&images, &descriptor);
                assert_accurate(&descriptor, &run(&descriptor, &images), &reference);
            }
        }
    }
}

#[test]
fn the_definition_is_accurate_where_it_is_long() {
    let size = [4096, 2];
    let axes = Axes::Rows;
    let descriptor =
        Descriptor { size, axes, algorithm: Some(Algorithm::Dft.into()), ..Default::default() };
    let images = random(8192, 1);
    let accuracy = Accuracy::of(&run(&descriptor, &images), &exact(&images, &descriptor));
    assert!(Gate::of(&descriptor).passes(accuracy), "{accuracy:?}");
    at_most(accuracy.relative_l2, 6e-7, "the definition at 4096");
}

/// Stages alternate between two images, in one dispatch an axis or in one a stage, as in the thesis.
#[test]
fn stages_may_leave_their_results_in_images() {
    let image = [("ping-pong", Value::Choice("image"))];
    for algorithm in [
        Algorithm::CooleyTukeyMultipass,
        Algorithm::CooleyTukey,
        Algorithm::CooleyTukeyNatural,
        Algorithm::StockhamR2,
        Algorithm::StockhamR4,
    ] {
        for (size, layout, placement, direction) in [
            ([2, 1], Layout::Planar, Placement::InPlace, Direction::Forward),
            ([64, 64], Layout::Planar, Placement::OutOfPlace, Direction::Forward),
            ([128, 64], Layout::Pair, Placement::OutOfPlace, Direction::Inverse),
            ([32, 128], Layout::Planar, Placement::InPlace, Direction::Inverse),
        ] {
            let axes = if size[1] == 1 { Axes::Rows } else { Axes::Both };
            let descriptor = Descriptor {
                size,
                layout,
                placement,
                direction,
                axes,
                batch: 3,
                ..Default::default()
            }
            .by(with(algorithm, &image));
            let program = seaway_fft::lab::program(&descriptor, &gpu().capabilities).unwrap();
            let passes = match algorithm {
                Algorithm::CooleyTukeyMultipass => (size[0] * size[1]).ilog2() as usize,
                _ => axes.list().len(),
            };
            assert_eq!(program.dispatches.len(), passes, "{algorithm}");
            assert_eq!(program.scratch_bytes + program.second_scratch_bytes, 0, "{algorithm}");
            let is_one_stage = passes == 1 && algorithm == Algorithm::CooleyTukeyMultipass;
            let images = if is_one_stage { 0 } else { 2 };
            assert_eq!(program.image_bytes(), images * program.output_bytes, "{algorithm}");
            check(&descriptor);
        }
        // A kernel that takes the other image is noticed.
        let descriptor =
            Descriptor { size: [64, 4], ..Default::default() }.by(with(algorithm, &image));
        let mut program = seaway_fft::lab::program(&descriptor, &gpu().capabilities).unwrap();
        let (is, broken) = match algorithm {
            Algorithm::CooleyTukeyMultipass => ("vec2(x, y), layer, to", "vec2(y, x), layer, to"),
            _ => ("textureLoad(pingpong1", "textureLoad(pingpong0"),
        };
        for kernel in &mut program.kernels {
            kernel.wgsl = kernel.wgsl.replace(is, broken);
        }
        let images = random(64 * 4, 1);
        let plan = Plan::from_program(&gpu().device, program).unwrap();
        let result = run_plan(&plan, &descriptor, &images);
        let accuracy = Accuracy::of(&result, &exact(&images, &descriptor));
        assert!(!Gate::of(&descriptor).passes(accuracy), "{algorithm}: {accuracy:?}");
    }
}

/// Stages alternate between two arrays in storage, in one dispatch an axis, as in the thesis.
#[test]
fn stages_may_leave_their_results_in_storage() {
    let storage = [("ping-pong", Value::Choice("storage"))];
    for algorithm in [
        Algorithm::CooleyTukey,
        Algorithm::CooleyTukeyNatural,
        Algorithm::StockhamR2,
        Algorithm::StockhamR4,
    ] {
        for (size, layout, placement) in [
            ([2, 4], Layout::Planar, Placement::OutOfPlace),
            ([8, 64], Layout::Pair, Placement::InPlace),
            ([256, 32], Layout::Planar, Placement::InPlace),
            ([512, 16], Layout::Pair, Placement::OutOfPlace),
            // More than workgroup memory holds within WebGPU's defaults.
            ([4, 4096], Layout::Pair, Placement::OutOfPlace),
        ] {
            let descriptor = Descriptor { size, layout, placement, batch: 3, ..Default::default() }
                .by(with(algorithm, &storage));
            let program = seaway_fft::lab::program(&descriptor, &gpu().capabilities).unwrap();
            assert_eq!(program.dispatches.len(), 2, "{algorithm}");
            assert!(program.kernels.iter().all(|kernel| kernel.workgroup_bytes == 0));
            let bytes = program.output_bytes;
            assert_eq!([program.scratch_bytes, program.second_scratch_bytes], [bytes; 2]);
            check(&descriptor);
        }
    }
    let inplace = Descriptor::default().by(with(Algorithm::SplitRadix, &storage));
    let error = seaway_fft::lab::program(&inplace, &gpu().capabilities).unwrap_err().to_string();
    assert!(error.contains("ping-pong is storage, which must be workgroup"), "{error}");
}

/// The device copies the images of large batches that come again; the last round is not whole.
#[test]
fn images_that_come_again_are_copied() {
    let lines = Descriptor { size: [8, 1], axes: Axes::Rows, ..Descriptor::default() };
    let pairs = Descriptor { layout: Layout::Pair, ..Descriptor::image([4; 2]) };
    for task in [lines, pairs].map(|task| Descriptor { batch: 140, ..task }) {
        let accuracy = pollster::block_on(async {
            let workload = Workload::new(&gpu().device, &gpu().queue, &task, Regime::Hot).await;
            let workload = workload.unwrap();
            workload.run();
            workload.accuracy(0..140, &mut References::default()).await.unwrap()
        });
        assert!(Gate::of(&task).passes(accuracy), "{}", Gate::of(&task).describe(accuracy));
    }
}
