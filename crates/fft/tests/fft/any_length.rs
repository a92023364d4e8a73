//! Lengths that are no powers of two: every short one, and longer ones of every kind.

use seaway_fft::gpu::Capabilities;
use seaway_fft::lab::{Accuracy, Algorithm, Configuration, Gate, Value};
use seaway_fft::{Axes, Axis, Descriptor, Direction, Kind, Layout, Placement, Plan, Unsupported};

use crate::reference::transformed;
use crate::support::{gpu, random, run, run_plan, with};
use seaway_core::testing::tolerance::at_most;

/// Two forms in which kernels, placements and signs differ.
fn forms(descriptor: Descriptor) -> [Descriptor; 2] {
    [
        Descriptor { batch: 2, ..descriptor.clone() },
        Descriptor {
            batch: 3,
            layout: Layout::Pair,
            direction: Direction::Inverse,
            placement: Placement::InPlace,
            ..descriptor
        },
    ]
}

fn points(descriptor: &Descriptor) -> usize {
    descriptor.points() as usize
}

/// Checks `descriptor` against a reference that is not the library's, and says how large its error
/// is.
fn judge(descriptor: &Descriptor, result: &[[f32; 2]], images: &[[f32; 2]]) {
    let accuracy = Accuracy::of(result, &transformed(images, descriptor));
    let gate = Gate::of(descriptor);
    at_most(accuracy.relative_l2, gate.relative_l2, format_args!("error of {descriptor:?}"));
    at_most(accuracy.relative_max, gate.relative_max, format_args!("largest of {descriptor:?}"));
}

fn check(descriptor: &Descriptor) {
    let images = random(points(descriptor), descriptor.batch);
    judge(descriptor, &run(descriptor, &images), &images);
}

/// Within WebGPU's default limits, on a device that has more.
fn check_within_webgpu(descriptor: &Descriptor) -> seaway_fft::lab::Program {
    let program = seaway_fft::lab::program(descriptor, &Capabilities::webgpu_defaults())
        .unwrap_or_else(|error| panic!("{descriptor:?}: {error}"));
    let images = random(points(descriptor), descriptor.batch);
    let plan = Plan::from_program(&gpu().device, program.clone()).unwrap();
    judge(descriptor, &run_plan(&plan, descriptor, &images), &images);
    program
}

fn chosen(size: [u32; 2]) -> Algorithm {
    let descriptor = Descriptor { size, ..Default::default() };
    seaway_fft::lab::choose(&descriptor, &Capabilities::webgpu_defaults()).unwrap().algorithm()
}

/// Squares: rows and columns of each length, in forms that take turns.
fn check_lengths(lengths: impl IntoIterator<Item = u32>, algorithm: Option<Algorithm>) {
    for (number, length) in lengths.into_iter().enumerate() {
        let descriptor = Descriptor { size: [length; 2], ..Default::default() };
        let [planar, pair] = forms(descriptor);
        let descriptor = if number % 2 == 0 { planar } else { pair };
        check(&Descriptor { algorithm: algorithm.map(Configuration::from), ..descriptor });
    }
}

/// Bluestein's algorithm agrees with the definition in both forms.
#[test]
fn lengths_1_to_32() {
    for length in 1..=32 {
        for form in forms(Descriptor { size: [length; 2], ..Default::default() }) {
            check(&form);
        }
    }
}

/// Lengths that Bluestein has no memory for do not fall to the definition, which would take minutes.
#[test]
fn what_is_too_large_is_never_left_to_dft() {
    let webgpu = Capabilities::webgpu_defaults();
    for size in [[3007, 3007], [2053, 4096]] {
        let descriptor = Descriptor { size, ..Default::default() };
        let message = seaway_fft::lab::choose(&descriptor, &webgpu).unwrap_err().to_string();
        assert!(message.contains("bluestein: scratch memory"), "{message}");
        assert!(message.contains("a smaller batch or size"), "{message}");
    }
}

#[test]
fn short_lengths_by_algorithms_that_the_planner_avoids() {
    check_lengths([1, 2, 4, 8, 16, 32], Some(Algorithm::MixedRadix));
    check_lengths([1, 2, 3, 4, 9, 20, 32], Some(Algorithm::Bluestein));
    check_lengths([16, 21, 26, 30], Some(Algorithm::FourStep));
}

#[test]
fn lengths_with_large_primes_are_left_to_bluestein() {
    let webgpu = Capabilities::webgpu_defaults();
    for length in [17, 34, 1009, 2 * 1009] {
        for algorithm in [Algorithm::MixedRadix, Algorithm::FourStep] {
            let descriptor = Descriptor { size: [length, 4], ..Default::default() }.by(algorithm);
            let error = seaway_fft::lab::program(&descriptor, &webgpu).unwrap_err().to_string();
            assert!(error.contains("bluestein takes any"), "{error}");
        }
        assert_eq!(chosen([length, 4]), Algorithm::Bluestein);
    }
}

/// Powers of every prime that has a butterfly, and products of them; each along one axis, with lines
/// that no workgroup's divide.
#[test]
fn longer_smooth_lengths() {
    for (number, length) in
        [81, 125, 243, 343, 121, 169, 625, 210, 1000, 1536].into_iter().enumerate()
    {
        let [planar, pair] = forms(Descriptor::default());
        let (size, axes) = match number % 2 {
            0 => ([length, 7], Axes::Rows),
            _ => ([7, length], Axes::Columns),
        };
        assert_eq!(chosen(size), Algorithm::MixedRadix);
        let form = if number % 4 < 2 { planar } else { pair };
        check(&Descriptor { size, axes, ..form });
    }
}

#[test]
fn primes_and_their_multiples() {
    for (number, length) in [37, 101, 257, 34, 1009, 2039].into_iter().enumerate() {
        let [planar, pair] = forms(Descriptor::default());
        let (size, axes) = match number % 2 {
            0 => ([length, 5], Axes::Rows),
            _ => ([5, length], Axes::Columns),
        };
        assert_eq!(chosen(size), Algorithm::Bluestein);
        let form = if number % 4 < 2 { planar } else { pair };
        let descriptor = Descriptor { size, axes, ..form };
        check(&descriptor);
        if length < 2000 {
            let program = seaway_fft::lab::program(&descriptor, &gpu().capabilities).unwrap();
            assert_eq!(program.dispatches.len(), 1, "{length}");
        }
    }
}

#[test]
fn rader_refuses_other_lengths_and_real_data() {
    let webgpu = Capabilities::webgpu_defaults();
    let error = |descriptor: Descriptor| {
        let descriptor = descriptor.by(Algorithm::Rader);
        seaway_fft::lab::program(&descriptor, &webgpu).unwrap_err()
    };
    for (size, length) in
        [([1, 1], 1), ([4, 4], 4), ([9, 1], 9), ([17, 34], 34), ([64, 1021 * 2], 64)]
    {
        let error = error(Descriptor { size, ..Default::default() });
        assert!(matches!(error, Unsupported::Prime { length: found, .. } if found == length));
        assert!(error.to_string().contains("bluestein takes any"), "{error}");
    }
    let real = Descriptor { size: [17, 17], kind: Kind::Real, ..Default::default() };
    assert!(matches!(error(real), Unsupported::Plain { .. }));
    let long = error(Descriptor { size: [4_194_319, 1], ..Default::default() });
    assert!(matches!(long, Unsupported::TooLong { .. }), "{long}");
}

#[test]
fn an_image_of_1080_by_1920() {
    let descriptor = Descriptor { size: [1080, 1920], ..Default::default() };
    let program = check_within_webgpu(&descriptor);
    assert_eq!(program.dispatches.len(), 2);
}

#[test]
fn axes_go_different_ways() {
    for (size, dispatches) in [([12, 17], 2), ([17, 12], 2), ([1, 12], 1), ([12, 1], 1)] {
        let [planar, pair] = forms(Descriptor { size, ..Default::default() });
        let program = check_within_webgpu(if size[0] < size[1] { &planar } else { &pair });
        assert_eq!(program.dispatches.len(), dispatches, "{size:?}");
    }
}

/// Past a workgroup's memory: two and three steps, and convolutions of as many points.
#[test]
fn long_lines_go_through_memory() {
    for (size, dispatches) in
        [([15_000, 2], 3), ([2, 15_000], 3), ([4099, 2], 4), ([3, 4099], 4), ([1, 65_537], 3)]
    {
        let [planar, pair] = forms(Descriptor { size, ..Default::default() });
        let program = check_within_webgpu(if size[0] < size[1] { &planar } else { &pair });
        assert_eq!(program.dispatches.len(), dispatches, "{size:?}");
    }
}

/// Whatever is chosen of what an algorithm leaves open.
#[test]
fn parameters_change_no_result() {
    let number = Value::Integer;
    use Algorithm::{Bluestein, FourStep, MixedRadix};
    let choices: [(Algorithm, &[(&str, Value)]); 7] = [
        (MixedRadix, &[("twiddles", Value::Choice("powers")), ("row-lines", number(3))]),
        (
            MixedRadix,
            &[("row-radix", number(5)), ("row-values", number(30)), ("row-exchange", number(2))],
        ),
        (
            MixedRadix,
            &[("row-radix", number(32)), ("row-exchange", number(1)), ("row-lines", number(2))],
        ),
        (
            FourStep,
            &[
                ("twiddles", Value::Choice("table")),
                ("row-radix", number(3)),
                ("row-lines", number(7)),
            ],
        ),
        (FourStep, &[("row-bank-padding", Value::Flag(false)), ("row-lines", number(5))]),
        (
            Bluestein,
            &[
                ("twiddles", Value::Choice("texture")),
                ("row-radix", number(4)),
                ("row-values", number(4)),
            ],
        ),
        (Bluestein, &[("row-bank-padding", Value::Flag(false)), ("row-lines", number(5))]),
    ];
    for (algorithm, choice) in choices {
        let configuration: Configuration = with(algorithm, choice);
        assert_eq!(configuration.given().len(), choice.len());
        let size = [180, 11];
        check(&Descriptor { size, axes: Axes::Rows, ..Default::default() }.by(configuration));
    }
}

/// A NaN or an infinity is in every result of its line, and in no other line, as in NumPy.
#[test]
fn what_is_not_finite_stays_in_its_line() {
    for (length, algorithm) in [
        (60, Algorithm::MixedRadix),
        (21, Algorithm::FourStep),
        (17, Algorithm::Bluestein),
        (17, Algorithm::Rader),
    ] {
        for bad in [f32::NAN, f32::INFINITY] {
            for (axes, size) in [(Axes::Rows, [length, 5]), (Axes::Columns, [5, length])] {
                let layouts = [Layout::Planar, Layout::Pair];
                for layout in if axes == Axes::Rows { &layouts[1..] } else { &layouts[..1] } {
                    let layout = *layout;
                    let descriptor =
                        Descriptor { size, axes, layout, batch: 3, ..Default::default() }
                            .by(algorithm);
                    let plan = Plan::new(&gpu().device, &descriptor).unwrap();
                    let mut images = random(points(&descriptor), 3);
                    let sound = run_plan(&plan, &descriptor, &images);
                    // The second image, third line, its last point.
                    let [width, height] = size.map(|side| side as usize);
                    let is_in_line = |place: usize| {
                        let (x, y) = (place % width, place / width % height);
                        let line = if axes == Axes::Rows { y } else { x };
                        place / (width * height) == 1 && line == 2
                    };
                    let place = (0..images.len()).rev().find(|place| is_in_line(*place)).unwrap();
                    images[place][0] = bad;
                    let result = run_plan(&plan, &descriptor, &images);
                    for (place, (value, before)) in result.iter().zip(&sound).enumerate() {
                        let finite = value.iter().all(|part| part.is_finite());
                        assert_eq!(finite, !is_in_line(place), "{descriptor:?} at {place}");
                        assert!(!finite || value == before, "{descriptor:?} at {place}");
                    }
                }
            }
        }
    }
}

#[test]
fn sizes_that_cannot_be_are_errors() {
    let webgpu = Capabilities::webgpu_defaults();
    let error = |size: [u32; 2], batch: u32| {
        let descriptor = Descriptor { size, batch, ..Default::default() };
        seaway_fft::lab::program(&descriptor, &webgpu).unwrap_err()
    };
    for (size, batch) in [([0, 5], 1), ([5, 0], 1), ([5, 5], 0)] {
        let message = error(size, batch).to_string();
        assert!(message.contains("all must be at least 1"), "{message}");
    }
    for (size, batch) in [([u32::MAX; 2], u32::MAX), ([u32::MAX, 1], 1), ([65_521; 2], 7)] {
        let message = error(size, batch).to_string();
        assert!(message.contains("maxStorageBufferBindingSize"), "{message}");
        assert!(message.contains("a smaller batch or size takes less"), "{message}");
    }
    // The data between the passes is more than the images.
    let message = error([3_999_971, 1], 3).to_string();
    assert!(message.contains("bluestein: scratch memory for 3 layer(s) of "), "{message}");
    let message = error([5_000_011, 1], 1).to_string();
    assert!(message.contains("bluestein takes lengths up to 4194304"), "{message}");
    assert!(message.contains("products of 2, 3, 5, 7, 11 and 13"), "{message}");
    let mixed = Descriptor { size: [8192, 3], ..Default::default() }.by(Algorithm::MixedRadix);
    match seaway_fft::lab::program(&mixed, &webgpu).unwrap_err() {
        Unsupported::Limit { needed, available, .. } => {
            assert_eq!((needed, available), (32_768, 16_384));
        }
        other => panic!("{other}"),
    }
}

/// Tests whose results are the same on any adapter. The checks on a second one leave them out
/// (.config/nextest.toml).
mod once {
    use super::*;

    /// Convolutions of p - 1 points, padded ones, both in one pass and in several, and beside them other axes.
    #[test]
    fn primes_by_rader() {
        let lengths = [2, 3, 5, 7, 17, 47, 97, 101, 257].map(|length| (length, 1));
        let lengths = lengths.into_iter().chain([(12_289, 3), (4099, 3)]);
        for (number, (length, dispatches)) in lengths.enumerate() {
            let [planar, pair] = forms(Descriptor::default());
            let (size, axes) = match number % 2 {
                0 => ([length, 3], Axes::Rows),
                _ => ([3, length], Axes::Columns),
            };
            let form = if number % 4 < 2 { planar } else { pair };
            let descriptor = Descriptor { size, axes, ..form }.by(Algorithm::Rader);
            let program = check_within_webgpu(&descriptor);
            assert_eq!(program.dispatches.len(), dispatches, "{length}");
        }
        let [planar, pair] = forms(Descriptor { size: [12, 17], ..Default::default() });
        for form in [planar, Descriptor { size: [17, 4], ..pair }] {
            check(&form.by(Algorithm::Rader));
        }
    }

    /// Lines and workgroups that powers of two do not divide, and every parameter.
    #[test]
    fn powers_of_three_by_twisted_radix_3() {
        let number = Value::Integer;
        for (number_of_case, (size, parameters)) in [
            ([3, 9], vec![]),
            ([27, 3], vec![("row-lines", number(2)), ("row-butterflies", number(4))]),
            ([9, 243], vec![("twiddles", Value::Choice("computed")), ("column-lines", number(4))]),
            ([729, 3], vec![]),
        ]
        .into_iter()
        .enumerate()
        {
            let [planar, pair] = forms(Descriptor { size, ..Default::default() });
            let form = if number_of_case % 2 == 0 { planar } else { pair };
            check(&form.by(with(Algorithm::TwistedR3, &parameters)));
        }
        let error = |size| {
            let descriptor = Descriptor { size, ..Default::default() }.by(Algorithm::TwistedR3);
            seaway_fft::lab::program(&descriptor, &Capabilities::webgpu_defaults()).unwrap_err()
        };
        for (size, axis, length) in [([1, 3], Axis::Row, 1), ([81, 18], Axis::Column, 18)] {
            let algorithm = "twisted-r3".to_owned();
            assert_eq!(error(size), Unsupported::PowerOfThree { algorithm, axis, length });
        }
    }

    /// Convolutions with enough points to be cubes, in little memory at a short length and in a
    /// small one's at a long one.
    #[test]
    fn convolutions_of_three_sides() {
        let little = Capabilities {
            max_workgroup_storage_bytes: 256,
            max_workgroup_invocations: 16,
            ..Capabilities::webgpu_defaults()
        };
        for (size, axes, algorithm) in [
            ([1031, 3], Axes::Rows, Algorithm::Bluestein),
            ([2, 1031], Axes::Columns, Algorithm::Bluestein),
            ([1153, 3], Axes::Rows, Algorithm::Rader),
            ([2, 1031], Axes::Columns, Algorithm::Rader),
        ] {
            let [planar, pair] = forms(Descriptor { size, axes, ..Default::default() });
            let forms = match (algorithm, axes) {
                (Algorithm::Rader, Axes::Rows) => vec![planar],
                (Algorithm::Rader, _) => vec![pair],
                _ => vec![planar, pair],
            };
            for form in forms {
                let descriptor = form.by(algorithm);
                let steps = |capabilities: &Capabilities| {
                    seaway_fft::lab::program(&descriptor, capabilities).unwrap().dispatches.len()
                };
                assert!(steps(&little) > steps(&Capabilities::webgpu_defaults()));
                let program = seaway_fft::lab::program(&descriptor, &little).unwrap();
                assert_eq!(program.dispatches.len(), 5, "three sides there, and back");
                let images = random(points(&descriptor), descriptor.batch);
                let plan = Plan::from_program(&gpu().device, program).unwrap();
                judge(&descriptor, &run_plan(&plan, &descriptor, &images), &images);
            }
        }
        // Beyond the square of what a workgroup holds of two images at once.
        let long = Descriptor { batch: 2, layout: Layout::Pair, ..Descriptor::lines(2_100_011, 1) };
        let program = check_within_webgpu(&long);
        assert_eq!(program.dispatches.len(), 5);
    }

    #[test]
    fn a_line_of_4194304_points() {
        assert_eq!(chosen([1 << 22, 1]), Algorithm::FourStep);
        assert_eq!(chosen([1, 1 << 22]), Algorithm::FourStep);
        let program = check_within_webgpu(&Descriptor { size: [1 << 22, 1], ..Default::default() });
        assert_eq!(program.dispatches.len(), 3);
    }
}
