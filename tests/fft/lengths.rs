//! Which lengths there are: every power of two up to 8192 within WebGPU's default limits, and any
//! length by the definition.

use seaway::choice::Choice as _;
use seaway::fft::lab::Value;
use seaway::fft::lab::{Accuracy, Algorithm, Gate};
use seaway::fft::{self, Axes, Descriptor, Direction, Layout};
use seaway::fft::{Placement, Plan};
use seaway::gpu::Capabilities;

use crate::reference::transformed;
use crate::support::{assert_accurate, exact, gpu, random, run, run_plan, with};
use crate::tolerance::at_most;

#[test]
fn every_power_of_two_to_8192_within_webgpus_default_limits() {
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
                let Ok(program) = fft::lab::program(&descriptor, &webgpu) else { continue };
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
                        .by(with(Algorithm::Dft, &[("twiddles", Value::Name(twiddles))]));
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
