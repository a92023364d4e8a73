//! 64-bit floats: every short length and longer ones of every kind, against the definition in
//! numbers of twice their precision and, beyond what that is quick enough for, rustfft.
//!
//! An adapter without [`wgpu::Features::SHADER_F64`] has to refuse each of these plans by that name.

use rand::{RngExt as _, SeedableRng as _};
use seaway_core::choice::Choice as _;
use seaway_fft::gpu::{Capabilities, bindings};
use seaway_fft::lab::{Algorithm, Program, Value};
use seaway_fft::{
    self, Axes, Buffers, Descriptor, Direction, Layout, LoadHook, Normalization, Placement, Plan,
    Precision, StoreHook, Unsupported,
};

use crate::reference::transformed;
use crate::support::{download_bytes, gpu, pack, storage, submit, unpack, upload_bytes, with};
use seaway_core::testing::tolerance::{at_least, at_most};

/// The largest error that passes, of the Euclidean norm over that of the result. Most are off by less
/// than 1e-15, and by 3e-8 at least where a result is rounded to 32-bit floats.
const GATE: f64 = 1e-14;

fn random(points: usize, batch: u32) -> Vec<[f64; 2]> {
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(points as u64);
    (0..points * batch as usize)
        .map(|_| [random.random_range(-1.0..1.0), random.random_range(-1.0..1.0)])
        .collect()
}

fn points(descriptor: &Descriptor) -> usize {
    descriptor.points() as usize
}

fn double() -> Descriptor {
    Descriptor { precision: Precision::F64, ..Default::default() }
}

/// Two forms in which kernels, placements, signs and factors differ.
fn forms(descriptor: Descriptor) -> [Descriptor; 2] {
    [
        Descriptor { batch: 2, ..descriptor.clone() },
        Descriptor {
            batch: 3,
            layout: Layout::Pair,
            direction: Direction::Inverse,
            placement: Placement::InPlace,
            normalization: Normalization::Points,
            ..descriptor
        },
    ]
}

fn run_plan(plan: &Plan, descriptor: &Descriptor, images: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let points = points(descriptor);
    let numbers = pack(images, points, descriptor.layout);
    assert_eq!(plan.output_bytes(), 8 * numbers.len() as u64);
    let input = upload_bytes(bytemuck::cast_slice(&numbers));
    let result = match descriptor.placement {
        Placement::OutOfPlace => storage(plan.output_bytes()),
        Placement::InPlace => input.clone(),
    };
    let bound = plan.bind(&gpu().device, &Buffers::new(&input, &result)).unwrap();
    submit(|pass| bound.encode(pass));
    let numbers: Vec<f64> = bytemuck::pod_collect_to_vec(&download_bytes(&result));
    unpack(&numbers, points, descriptor.batch, descriptor.layout)
}

/// Returns the transform of `images` by the definition.
fn exact(images: &[[f64; 2]], descriptor: &Descriptor) -> Vec<[f64; 2]> {
    let mut values = transformed(images, descriptor);
    let scale = descriptor.scale();
    values.as_flattened_mut().iter_mut().for_each(|part| *part *= scale);
    values
}

/// The Euclidean norm of the error over that of the result.
fn error(result: &[[f64; 2]], exact: &[[f64; 2]]) -> f64 {
    assert_eq!(result.len(), exact.len());
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>().sqrt();
    let exact = exact.as_flattened();
    let differences = result.as_flattened().iter().zip(exact).map(|(a, b)| a - b);
    norm(&mut { differences }) / norm(&mut exact.iter().copied())
}

/// The program on this device, or within what WebGPU promises besides 64-bit floats; `None` where
/// the device has none of those, and says so.
fn program(descriptor: &Descriptor, capabilities: &Capabilities) -> Option<Program> {
    match seaway_fft::lab::program(descriptor, capabilities) {
        Ok(program) => Some(program),
        Err(refused) => {
            let (what, feature) = ("64-bit floats", "shader-f64");
            assert_eq!(refused, Unsupported::Feature { what, feature }, "{descriptor:?}");
            assert!(!gpu().capabilities.shader_f64);
            None
        }
    }
}

fn webgpu() -> Capabilities {
    Capabilities { shader_f64: gpu().capabilities.shader_f64, ..Capabilities::webgpu_defaults() }
}

fn judge(descriptor: &Descriptor, program: Program) {
    let images = random(points(descriptor), descriptor.batch);
    let plan = Plan::from_program(&gpu().device, program).unwrap();
    let result = run_plan(&plan, descriptor, &images);
    let error = error(&result, &exact(&images, descriptor));
    if std::env::var_os("SEAWAY_PRINT_ERRORS").is_some() {
        let by = plan.program().configuration.map(|by| by.algorithm());
        println!("{error:.1e} {by:?} {:?} {}", descriptor.size, descriptor.layout);
    }
    at_most(error, GATE, format_args!("error of {descriptor:?}"));
}

fn check(descriptor: &Descriptor) {
    if let Some(program) = program(descriptor, &gpu().capabilities) {
        judge(descriptor, program);
    }
}

/// Along one axis, beside another on which nothing happens, in forms that take turns.
fn check_lines(lengths: &[u32], algorithm: Option<Algorithm>) {
    for (number, &length) in lengths.iter().enumerate() {
        for (axes, size) in [(Axes::Rows, [length, 5]), (Axes::Columns, [5, length])] {
            let forms = forms(Descriptor { size, axes, ..double() });
            let form = &forms[(number + usize::from(axes == Axes::Rows)) % 2];
            check(&Descriptor { algorithm: algorithm.map(Into::into), ..form.clone() });
        }
    }
}

#[test]
fn double_lengths_1_to_32() {
    for length in 1..=32 {
        for form in forms(Descriptor { size: [length; 2], ..double() }) {
            check(&form);
        }
    }
}

/// Past a workgroup's memory, which holds half as many numbers as of 32 bits.
#[test]
fn double_long_lines_go_through_memory() {
    let cases = [
        ([4096, 2], Algorithm::FourStep, 2),
        ([2, 4096], Algorithm::FourStep, 2),
        ([15_000, 1], Algorithm::FourStep, 2),
        ([3, 2039], Algorithm::Bluestein, 3),
        ([4099, 1], Algorithm::Bluestein, 3),
        ([1, 65_537], Algorithm::Bluestein, 3),
    ];
    for (number, (size, algorithm, dispatches)) in cases.into_iter().enumerate() {
        let axes = if size[0] > size[1] { Axes::Rows } else { Axes::Columns };
        let forms = forms(Descriptor { size, axes, ..double() });
        let descriptor = &forms[number % 2];
        let Some(program) = program(descriptor, &webgpu()) else { return };
        assert_eq!(program.configuration.unwrap().algorithm(), algorithm, "{size:?}");
        assert_eq!(program.dispatches.len(), dispatches, "{size:?}");
        judge(descriptor, program);
    }
}

#[test]
fn double_both_axes_in_every_form() {
    for &direction in Direction::ALL {
        for &layout in Layout::ALL {
            for &placement in Placement::ALL {
                for &normalization in Normalization::ALL {
                    // The axes go different ways: one is a convolution, the other a transform.
                    let size = [12, 17];
                    let of = Descriptor { size, batch: 3, direction, layout, ..double() };
                    check(&Descriptor { placement, normalization, ..of });
                }
            }
        }
    }
}

/// `wgsl` with every constant of 64 bits rounded to 32.
fn with_constants_rounded(wgsl: &str) -> String {
    let rounded = |text: &str| {
        let Some(before) = text.strip_suffix("lf") else { return text.to_owned() };
        let is_numeric = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | '-');
        let (before, number) = before.split_at(before.trim_end_matches(is_numeric).len());
        match number.parse::<f64>() {
            Ok(number) => format!("{before}{:?}lf", f64::from(number as f32)),
            Err(_) => text.to_owned(),
        }
    };
    wgsl.split_inclusive("lf").map(rounded).collect()
}

/// Each of what is accurate to 32 bits only is noticed: the result, tables, constants.
#[test]
fn double_errors_as_of_32_bits_do_not_pass() {
    let rounded = |values: &mut [[f64; 2]]| {
        values.as_flattened_mut().iter_mut().for_each(|part| *part = f64::from(*part as f32));
    };
    let cases = [
        ([60, 4], Algorithm::MixedRadix),
        ([60, 4], Algorithm::FourStep),
        ([17, 4], Algorithm::Bluestein),
        ([17, 4], Algorithm::Rader),
    ];
    for (size, algorithm) in cases {
        let descriptor = Descriptor { size, axes: Axes::Rows, ..double() }.by(algorithm);
        let Some(sound) = program(&descriptor, &gpu().capabilities) else { return };
        let images = random(points(&descriptor), 1);
        let exact = exact(&images, &descriptor);
        let run = |program: Program| {
            run_plan(&Plan::from_program(&gpu().device, program).unwrap(), &descriptor, &images)
        };
        let is_noticed = |result: &[[f64; 2]], what: &str| {
            let error = error(result, &exact);
            at_least(error, 1e5 * GATE, format_args!("{what} of {algorithm}"));
            at_most(error, 1e-6, format_args!("{what} of {algorithm}"));
        };
        let mut result = run(sound.clone());
        at_most(error(&result, &exact), GATE, algorithm);
        rounded(&mut result);
        is_noticed(&result, "results");

        let mut program = sound.clone();
        program.tables.iter_mut().for_each(|table| rounded(&mut table.values));
        is_noticed(&run(program), "tables");

        let mut program = sound.clone();
        for kernel in &mut program.kernels {
            kernel.wgsl = with_constants_rounded(&kernel.wgsl);
        }
        assert_ne!(program, sound);
        is_noticed(&run(program), "constants");
    }
}

/// Layer l counts (l + 1) times; the result is halved and goes from the last point to the first.
#[test]
fn double_hooks_give_and_take_64_bit_floats() {
    const WIDTH: u32 = 30;
    const HEIGHT: u32 = 17;
    if !gpu().capabilities.shader_f64 {
        return;
    }
    let load = format!(
        "@group(1) @binding(0) var<storage, read> hook_from: array<Element>;
fn load(layer: u32, y: u32, x: u32) -> Element {{
    return hook_from[(layer * {HEIGHT}u + y) * {WIDTH}u + x] * Real(layer + 1u);
}}
"
    );
    let store = format!(
        "@group(2) @binding(0) var<storage, read_write> hook_to: array<Element>;
fn store(layer: u32, y: u32, x: u32, value: Element) {{
    let n = y * {WIDTH}u + x;
    hook_to[(layer + 1u) * {HEIGHT}u * {WIDTH}u - 1u - n] = value * Real(0.5);
}}
"
    );
    let entry = |ty| bindings::entries(wgpu::ShaderStages::COMPUTE, &[ty]);
    let points = (WIDTH * HEIGHT) as usize;
    let device = &gpu().device;
    for &layout in Layout::ALL {
        let descriptor = Descriptor {
            size: [WIDTH, HEIGHT],
            batch: 2,
            layout,
            load: Some(LoadHook::new("scaling load", &load, entry(bindings::storage_read()))),
            store: Some(StoreHook::new(
                "reversing store",
                &store,
                entry(bindings::storage_read_write()),
            )),
            ..double()
        };
        let images = random(points, descriptor.batch);
        let plan = Plan::new(device, &descriptor).unwrap();
        let from = upload_bytes(bytemuck::cast_slice(&pack(&images, points, layout)));
        let [to, work] = [(); 2].map(|()| storage(plan.output_bytes()));
        let group = |layout: Option<&wgpu::BindGroupLayout>, buffer: &wgpu::Buffer| {
            bindings::group(device, "hook", layout.expect("a hook binds"), &[buffer])
        };
        let (load, store) = (group(plan.load_layout(), &from), group(plan.store_layout(), &to));
        let buffers = Buffers {
            output: Some((&work).into()),
            load: Some(&load),
            store: Some(&store),
            ..Default::default()
        };
        let bound = plan.bind(device, &buffers).unwrap();
        submit(|pass| bound.encode(pass));
        let numbers: Vec<f64> = bytemuck::pod_collect_to_vec(&download_bytes(&to));
        let mut result = unpack(&numbers, points, descriptor.batch, layout);

        let mut reference = exact(&images, &descriptor);
        let images_per_layer = if layout == Layout::Pair { 2 } else { 1 };
        let both = result.chunks_mut(points).zip(reference.chunks_mut(points));
        for (image, (result, reference)) in both.enumerate() {
            result.reverse();
            let factor = 0.5 * (image / images_per_layer + 1) as f64;
            reference.as_flattened_mut().iter_mut().for_each(|part| *part *= factor);
        }
        at_most(error(&result, &reference), GATE, format_args!("hooks in {layout}"));
    }
}

#[test]
fn double_plans_that_cannot_be_say_why() {
    let without = Capabilities::webgpu_defaults();
    let with_f64 = Capabilities { shader_f64: true, ..without.clone() };
    let program = |descriptor: &Descriptor, capabilities: &Capabilities| {
        seaway_fft::lab::program(descriptor, capabilities)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    let descriptor = Descriptor { size: [64, 64], ..double() };
    let algorithms = Algorithm::of_powers_of_two().map(Some);
    for algorithm in algorithms.chain([None]) {
        let computes = matches!(
            algorithm,
            None | Some(Algorithm::MixedRadix | Algorithm::FourStep | Algorithm::Bluestein)
        );
        let descriptor = Descriptor { algorithm: algorithm.map(Into::into), ..descriptor.clone() };
        let refused = program(&descriptor, &without).unwrap_err();
        if computes {
            assert_eq!(
                refused,
                "64-bit floats need the feature shader-f64, which this device lacks: use \
                 32-bit floats"
            );
            assert_eq!(program(&descriptor, &with_f64), Ok(()));
            // A device can be asked for it.
            let requirements = seaway_fft::lab::requirements(&descriptor, &without).unwrap();
            assert!(requirements.features.contains(wgpu::Features::SHADER_F64));
        } else {
            assert!(refused.contains("does not transform 64-bit floats"), "{refused}");
            assert_eq!(program(&descriptor, &with_f64), Err(refused));
        }
    }

    for twiddles in ["texture", "computed", "sin-cos"] {
        let given = with(Algorithm::MixedRadix, &[("twiddles", Value::Choice(twiddles))]);
        assert_eq!(
            program(&descriptor.clone().by(given), &with_f64).unwrap_err(),
            format!(
                "mixed-radix: twiddles is {twiddles}, which must be table or powers with 64-bit \
                 floats: the others have 32 bits"
            )
        );
    }

    // Bytes are those of 64-bit floats.
    let long = Descriptor { size: [4096, 3], ..double() }.by(Algorithm::MixedRadix);
    match seaway_fft::lab::program(&long, &with_f64).unwrap_err() {
        Unsupported::Limit { needed, available, .. } => {
            assert_eq!((needed, available), (32_768, 16_384));
        }
        other => panic!("{other}"),
    }
    let large = program(&Descriptor { size: [4096, 4096], ..double() }, &with_f64).unwrap_err();
    assert!(large.contains("needs 268435456 bytes"), "{large}");
    // Bluestein's tables are longer than a line and what it is padded to.
    let table = program(&Descriptor { size: [2_900_017, 1], ..double() }, &with_f64).unwrap_err();
    assert!(table.contains("bluestein: a table of "), "{table}");
    assert_eq!(
        seaway_fft::lab::choose(&Descriptor { size: [2048, 3], ..double() }, &with_f64)
            .unwrap()
            .algorithm(),
        Algorithm::MixedRadix
    );
}

/// Tests whose results are the same on any adapter. The checks on a second one leave them out
/// (.config/nextest.toml).
mod once {
    use super::*;

    #[test]
    fn double_longer_smooth_lengths() {
        check_lines(&[512, 1000, 1024, 1080, 2187], None);
        check_lines(&[81, 125, 343, 121, 169], Some(Algorithm::MixedRadix));
    }

    #[test]
    fn double_primes_and_their_multiples() {
        check_lines(&[37, 257, 1009, 2039], None);
        check_lines(&[20, 32, 500], Some(Algorithm::Bluestein));
    }

    #[test]
    fn double_parameters_change_no_result() {
        let number = Value::Integer;
        use Algorithm::{Bluestein, FourStep, MixedRadix};
        let powers = ("twiddles", Value::Choice("powers"));
        let choices: [(Algorithm, &[(&str, Value)]); 6] = [
            (MixedRadix, &[powers, ("row-lines", number(3)), ("row-radix", number(16))]),
            (MixedRadix, &[("row-radix", number(5)), ("row-exchange", number(2))]),
            (MixedRadix, &[powers, ("row-radix", number(32)), ("row-exchange", number(4))]),
            (FourStep, &[powers, ("row-radix", number(3)), ("row-lines", number(7))]),
            (FourStep, &[("row-bank-padding", Value::Flag(false)), ("row-lines", number(5))]),
            (Bluestein, &[powers, ("row-radix", number(4)), ("row-values", number(4))]),
        ];
        for (algorithm, choice) in choices {
            let configuration = with(algorithm, choice);
            assert_eq!(configuration.given().len(), choice.len());
            let size = [180, 11];
            let layout = Layout::Pair;
            check(&Descriptor { size, layout, axes: Axes::Rows, ..double() }.by(configuration));
        }
    }
}
