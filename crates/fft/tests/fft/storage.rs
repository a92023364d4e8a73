//! How results are kept: 16-bit floats, and factors on the way out.

use seaway_core::choice::Choice as _;
use seaway_fft::gpu::Capabilities;
use seaway_fft::lab::Algorithm;
use seaway_fft::lab::Value;
use seaway_fft::{Axes, Descriptor, Direction, Layout, Normalization, Precision};
use seaway_fft::{Placement, Plan, Unsupported};

use crate::support::{assert_accurate, check, exact, gpu, random, rounded, run, with};

#[test]
fn every_normalization_scales_each_axis_once() {
    for algorithm in Algorithm::of_powers_of_two() {
        for &normalization in Normalization::ALL {
            for axes in Axes::OF_IMAGES {
                check(&Descriptor {
                    size: [64, 16],
                    batch: 2,
                    algorithm: Some(algorithm.into()),
                    normalization,
                    axes,
                    ..Default::default()
                });
            }
        }
    }
}

/// Lengths that are odd, and primes, in 16-bit floats and with the unitary scale.
#[test]
fn any_length_is_kept_in_sixteen_bits_and_scaled() {
    for (size, algorithm) in [
        ([15, 21], Algorithm::MixedRadix),
        ([35, 9], Algorithm::FourStep),
        ([17, 13], Algorithm::Bluestein),
        ([17, 13], Algorithm::Rader),
        ([27, 9], Algorithm::TwistedR3),
    ] {
        let images = random((size[0] * size[1]) as usize, 3);
        for (layout, placement) in
            [(Layout::Planar, Placement::OutOfPlace), (Layout::Pair, Placement::InPlace)]
        {
            for precision in [Precision::F32, Precision::F16] {
                let images = match precision {
                    Precision::F16 => rounded(&images),
                    _ => images.clone(),
                };
                let descriptor = Descriptor {
                    size,
                    batch: 3,
                    normalization: Normalization::Ortho,
                    layout,
                    placement,
                    precision,
                    algorithm: Some(algorithm.into()),
                    ..Default::default()
                };
                let result = run(&descriptor, &images);
                assert_accurate(&descriptor, &result, &exact(&images, &descriptor));
            }
        }
    }
}

#[test]
fn without_the_feature_sixteen_bit_floats_name_it() {
    let descriptor = Descriptor { precision: Precision::F16, ..Default::default() };
    let error =
        seaway_fft::lab::program(&descriptor, &Capabilities::webgpu_defaults()).unwrap_err();
    assert!(error.to_string().contains("shader-f16"), "{error}");
}

#[test]
fn tiles_take_scratch_memory_and_halve_with_the_precision() {
    let descriptor = |precision| {
        Descriptor { size: [64, 64], precision, ..Default::default() }
            .by(with(Algorithm::StockhamR8, &[("tiles", Value::Flag(true))]))
    };
    let scratch =
        |precision| Plan::new(&gpu().device, &descriptor(precision)).unwrap().scratch_bytes();
    assert_eq!(scratch(Precision::F32), 64 * 64 * 8);
    assert_eq!(scratch(Precision::F16), 64 * 64 * 4);
}

/// Tests whose results are the same on any adapter. The checks on a second one leave them out
/// (.config/nextest.toml).
mod once {
    use super::*;

    #[test]
    fn sixteen_bit_floats_pass_their_gate_or_are_refused() {
        let mut refused = Vec::new();
        for size in [[64, 64], [512, 64], [1024, 1024]] {
            let images = rounded(&random((size[0] * size[1]) as usize, 2));
            let task = Descriptor {
                size,
                batch: 2,
                direction: Direction::Inverse,
                normalization: Normalization::Ortho,
                precision: Precision::F16,
                ..Default::default()
            };
            let reference = exact(&images, &task);
            for algorithm in Algorithm::of_powers_of_two() {
                if algorithm == Algorithm::Dft && size[0] > 64 {
                    continue;
                }
                let placements = if size[0] > 512 { &Placement::ALL[..1] } else { Placement::ALL };
                for (&layout, &placement) in Layout::ALL
                    .iter()
                    .flat_map(|layout| placements.iter().map(move |p| (layout, p)))
                {
                    let descriptor = Descriptor { layout, placement, ..task.clone().by(algorithm) };
                    match seaway_fft::lab::program(&descriptor, &gpu().capabilities) {
                        Ok(_) => {
                            assert_accurate(&descriptor, &run(&descriptor, &images), &reference);
                        }
                        Err(error) => {
                            assert_eq!(
                                error,
                                Unsupported::Rounding { algorithm: algorithm.to_string() }
                            );
                            refused.push(algorithm);
                        }
                    }
                }
            }
        }
        refused.dedup();
        assert_eq!(refused[..2], [Algorithm::CooleyTukeyMultipass, Algorithm::GlobalR8]);
    }
}
