//! Every algorithm on a GPU against the reference in double precision.
//!
//! Needs an adapter, if only a software one, and fails without.

mod any_length;
mod binding;
mod convolution;
mod double;
mod general;
mod golden;
mod hooks;
mod one_dispatch;
mod reference;
mod storage;
mod support;

use seaway_core::choice::Choice as _;
use seaway_fft::gpu::{Capabilities, LimitsPreset};
use seaway_fft::lab::{Accuracy, Algorithm, Gate, Value, cpu};
use seaway_fft::{Axes, Descriptor, Direction, Layout, Placement, Plan};

use seaway_core::testing::context_within;
use seaway_core::testing::tolerance::{at_most, near};
use support::{assert_accurate, check, check_all, exact, gpu, random, run, run_plan, with};

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
fn the_shortest_lengths() {
    for algorithm in Algorithm::of_powers_of_two() {
        for size in [[2, 2], [2, 8], [4, 4], [4, 2], [8, 4]] {
            for &placement in Placement::ALL {
                let descriptor = Descriptor {
                    size,
                    batch: 2,
                    algorithm: Some(algorithm.into()),
                    placement,
                    ..Default::default()
                };
                check(&descriptor);
            }
        }
    }
}

#[test]
fn one_axis_beside_another_of_any_length() {
    for algorithm in Algorithm::of_powers_of_two() {
        for (axes, size) in [(Axes::Rows, [64, 7]), (Axes::Columns, [5, 64])] {
            for &placement in Placement::ALL {
                let layout = Layout::Pair;
                let batch = 3;
                check(&Descriptor {
                    size,
                    axes,
                    batch,
                    algorithm: Some(algorithm.into()),
                    layout,
                    placement,
                    ..Default::default()
                });
            }
        }
    }
}

#[test]
fn dispatches_spread_over_the_third_dimension() {
    for algorithm in Algorithm::of_powers_of_two() {
        let descriptor = Descriptor {
            batch: 3,
            algorithm: Some(algorithm.into()),
            ..Descriptor::lines(512, 31)
        };
        // The limit allows just enough workgroups along one dimension; some dispatches have too many then.
        let ordinary = seaway_fft::lab::program(&descriptor, &gpu().capabilities).unwrap();
        let counts = ordinary.dispatches.iter().map(|dispatch| dispatch.workgroups[0]);
        let limit = f64::from(counts.max().unwrap()).sqrt().ceil() as u32;
        let capabilities = Capabilities {
            max_workgroups_per_dimension: limit.max(descriptor.batch),
            ..gpu().capabilities.clone()
        };
        let program = seaway_fft::lab::program(&descriptor, &capabilities).unwrap();
        assert!(program.dispatches[0].workgroups[2] > 1, "{algorithm}");
        let images = random(512 * 31, 3);
        let plan = Plan::from_program(&gpu().device, program).unwrap();
        let result = run_plan(&plan, &descriptor, &images);
        assert_accurate(&descriptor, &result, &exact(&images, &descriptor));
    }
}

#[test]
fn identities_of_the_transform() {
    let size = [32, 64];
    let points = (size[0] * size[1]) as usize;
    for algorithm in Algorithm::of_powers_of_two() {
        let forward =
            Descriptor { size, batch: 2, algorithm: Some(algorithm.into()), ..Default::default() };
        let inverse = Descriptor { direction: Direction::Inverse, ..forward.clone() };
        let plan = Plan::new(&gpu().device, &forward).unwrap();
        let images = random(points, 2);
        let spectrum = run_plan(&plan, &forward, &images);

        // Round trip: the number of points times what went in.
        let back = run(&inverse, &spectrum);
        let scaled: Vec<_> =
            images.iter().map(|value| value.map(|part| f64::from(part) * points as f64)).collect();
        let accuracy = Accuracy::of(&back, &scaled);
        at_most(accuracy.relative_l2, 2e-6, format_args!("{algorithm}: round trip"));

        // Parseval, image by image.
        let energy = |values: &[[f32; 2]]| -> f64 {
            values.as_flattened().iter().map(|part| f64::from(*part).powi(2)).sum()
        };
        for (image, spectrum) in images.chunks(points).zip(spectrum.chunks(points)) {
            let ratio = energy(spectrum) / (energy(image) * points as f64);
            near(ratio, 1.0, 1e-6, format_args!("{algorithm}: Parseval"));
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
        // The gate allows a convolution the same.
        let allowed = if algorithm == Algorithm::Bluestein { 2e-6 } else { 1e-6 };
        at_most(accuracy.relative_max, allowed, format_args!("{algorithm}: impulse"));

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
        at_most(accuracy.relative_l2, 2e-6, format_args!("{algorithm}: shift"));
    }
}

#[test]
fn a_broken_kernel_fails_the_gate() {
    let broken_lines = [
        (Algorithm::StockhamR4, "twiddle(3u * sp)", "twiddle(2u * sp)"),
        (Algorithm::StockhamR2, "v.a - v.b, twiddle(sp)", "v.a - v.b, twiddle(0u)"),
        (Algorithm::CooleyTukey, "idx + shift, a - wb)", "idx + shift, a + wb)"),
        (Algorithm::CooleyTukeyNatural, "q + s * p + k * HALF", "q + s * p"),
        (Algorithm::CooleyTukeyMultipass, "stage.reverse == 1u", "stage.reverse == 2u"),
        (Algorithm::SplitRadix, "v.a - beta", "v.a + beta"),
        (Algorithm::TwistedR2, "b - a, d, m", "b - a, 0u, m"),
        (Algorithm::TwistedR3, "x - alpha", "x - beta"),
        (Algorithm::MixedRadix, "% 8u * 1u", "% 8u * 0u"),
        (Algorithm::FourStep, "twiddle(k * place.after * BEFORE)", "twiddle(k)"),
        (Algorithm::Bluestein, "value, chirp(at)", "value, chirp(0u)"),
        (Algorithm::Rader, "first + sum", "first"),
        (
            Algorithm::Transpose,
            "first_y + y, points[y * PITCH + x]",
            "first_y + y, points[x * PITCH + y]",
        ),
        (Algorithm::StockhamR8, "Element(2.0)", "Element(1.0)"),
        (Algorithm::StockhamR16, "Element(2.0)", "Element(1.0)"),
        (Algorithm::StockhamR32, "Element(2.0)", "Element(1.0)"),
        (Algorithm::GlobalR8, "twiddle(r * within", "twiddle(within"),
        (Algorithm::GlobalR16, "twiddle(r * within", "twiddle(within"),
        (Algorithm::GlobalR32, "thread.gid + r * GBL_SIZE", "thread.gid + r"),
        (Algorithm::Dft, "kn += k;", "kn += k + 1u;"),
    ];
    for &algorithm in Algorithm::ALL {
        let table = with(algorithm, &[("twiddles", Value::Choice("table"))]);
        let side = match algorithm {
            Algorithm::Rader => 61,
            Algorithm::TwistedR3 => 81,
            _ => 64,
        };
        let descriptor = Descriptor { size: [side; 2], ..Default::default() }.by(table);
        let images = random(descriptor.points() as usize, 1);
        let reference = exact(&images, &descriptor);
        let sound = seaway_fft::lab::program(&descriptor, &gpu().capabilities).unwrap();
        let accuracy = |program: seaway_fft::lab::Program| {
            let plan = Plan::from_program(&gpu().device, program).unwrap();
            Accuracy::of(&run_plan(&plan, &descriptor, &images), &reference)
        };

        {
            let (_, line, broken) = broken_lines
                .iter()
                .find(|(candidate, ..)| *candidate == algorithm)
                .expect("a way to break every algorithm");
            let mut program = sound.clone();
            let sound: String = program.kernels.iter().map(|kernel| &*kernel.wgsl).collect();
            assert!(sound.contains(line), "{algorithm}: {line}");
            for kernel in &mut program.kernels {
                kernel.wgsl = kernel.wgsl.replace(line, broken);
            }
            let accuracy = accuracy(program);
            assert!(!Gate::of(&descriptor).passes(accuracy), "{algorithm}: {accuracy:?}");
        }

        // Twiddle factors that are a little off, as those of a poor sine would be.
        let mut program = sound;
        for (index, value) in program.tables[0].values.iter_mut().enumerate() {
            value[0] += if index % 2 == 0 { 1e-5 } else { -1e-5 };
        }
        let accuracy = accuracy(program);
        assert!(!Gate::of(&descriptor).passes(accuracy), "{algorithm}: {accuracy:?}");
        assert!(accuracy.relative_l2 < 1e-4, "{algorithm}: {accuracy:?}");
    }
}

/// Tests whose results are the same on any adapter. The checks on a second one leave them out
/// (.config/nextest.toml).
mod once {
    mod lengths;
    mod properties;
    mod texture;
    mod tuner;

    use super::*;

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
        // Batches are those of the smaller squares.
        check_all([1024, 1024], 1, &[Layout::Pair], OUT_OF_PLACE);
    }

    #[test]
    fn images_that_are_not_square() {
        check_all([64, 16], 3, &[Layout::Pair], OUT_OF_PLACE);
        check_all([32, 256], 2, &[Layout::Planar], Placement::ALL);
        check_all([1024, 4], 1, &[Layout::Pair], OUT_OF_PLACE);
        check_all([4, 512], 3, &[Layout::Pair], OUT_OF_PLACE);
    }

    #[test]
    fn lengths_up_to_what_workgroup_memory_holds() {
        let memory = gpu().capabilities.max_workgroup_storage_bytes;
        for &layout in Layout::ALL {
            let longest = (memory / layout.element_bytes()).min(4096);
            let longest = 1 << longest.ilog2();
            for algorithm in Algorithm::of_powers_of_two() {
                // In several passes here, and as long as it is in one in `any_length`.
                if algorithm == Algorithm::Bluestein {
                    continue;
                }
                for size in [[longest, 4], [4, longest]] {
                    check(&Descriptor {
                        size,
                        algorithm: Some(algorithm.into()),
                        layout,
                        ..Default::default()
                    });
                }
            }
        }
    }

    #[test]
    fn webgpu_default_limits_are_enough_for_1024() {
        let limited = context_within(LimitsPreset::WebGpu);
        for algorithm in Algorithm::of_powers_of_two() {
            for (layout, size) in [(Layout::Pair, [1024, 16]), (Layout::Planar, [16, 1024])] {
                let descriptor = Descriptor {
                    size,
                    algorithm: Some(algorithm.into()),
                    layout,
                    ..Default::default()
                };
                // A device with these limits takes the plan ...
                let scope = limited.device.push_error_scope(wgpu::ErrorFilter::Validation);
                let plan = Plan::new(&limited.device, &descriptor).unwrap();
                let refused = pollster::block_on(scope.pop());
                assert!(refused.is_none(), "{refused:?}: {descriptor:?}");
                // ... and its result is right; run on the other device, where the helpers are.
                let plan = Plan::from_program(&gpu().device, plan.program().clone()).unwrap();
                let images = random(1024 * 16, 1);
                let result = run_plan(&plan, &descriptor, &images);
                assert_accurate(&descriptor, &result, &exact(&images, &descriptor));
            }
        }
    }

    #[test]
    fn parameters_change_no_result() {
        let number = Value::Integer;
        let lines = |of: &'static [(&'static str, Value)]| of.to_vec();
        let choices = [
            lines(&[("twiddles", Value::Choice("sin-cos"))]),
            vec![
                ("twiddles", Value::Choice("powers")),
                ("row-butterflies", number(4)),
                ("column-butterflies", number(4)),
            ],
            vec![
                ("twiddles", Value::Choice("texture")),
                ("row-lines", number(8)),
                ("row-butterflies", number(2)),
                ("column-lines", number(2)),
                ("column-butterflies", number(2)),
            ],
            vec![("radix", number(2)), ("workgroup-size", number(16)), ("block-points", number(8))],
            vec![("radix", number(4)), ("column-lines", number(1)), ("block-points", number(32))],
            vec![
                ("tiles", Value::Flag(true)),
                ("row-lines", number(2)),
                ("column-lines", number(2)),
            ],
            vec![
                ("tiles", Value::Flag(true)),
                ("row-lines", number(1)),
                ("row-split", Value::Flag(false)),
                ("column-lines", number(16)),
            ],
            vec![
                ("row-exchange", number(1)),
                ("column-exchange", number(1)),
                ("row-padding", number(16)),
                ("column-padding", number(1)),
            ],
            vec![
                ("row-exchange", number(2)),
                ("row-padding", number(0)),
                ("column-padding", number(4)),
            ],
            vec![
                ("twiddles", Value::Choice("computed")),
                ("row-split", Value::Flag(true)),
                ("column-split", Value::Flag(true)),
            ],
        ];
        for algorithm in Algorithm::of_powers_of_two() {
            for choice in &choices {
                let configuration = with(algorithm, choice);
                let layout = Layout::Pair;
                let size = [64, 32];
                check(
                    &Descriptor { size, batch: 3, layout, ..Default::default() }.by(configuration),
                );
            }
        }
    }

    #[test]
    fn repeated_runs_are_bit_identical() {
        for algorithm in Algorithm::of_powers_of_two() {
            let descriptor = Descriptor {
                size: [256, 128],
                batch: 5,
                layout: Layout::Pair,
                algorithm: Some(algorithm.into()),
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
}
