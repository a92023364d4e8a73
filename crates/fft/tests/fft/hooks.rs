//! Transforms that load and store through the caller's WGSL.

use seaway_core::choice::Choice as _;
use seaway_fft::gpu::bindings;
use seaway_fft::lab::{
    Accuracy, Algorithm, HookGroups, TuneError, TuneOptions, Value, program, tune,
};
use seaway_fft::{
    Axes, Buffers, Descriptor, Direction, FftError, Layout, LoadHook, Placement, Plan, StoreHook,
};

use crate::one_dispatch::joined;
use crate::support::{
    assert_accurate, download, exact, gpu, pack, random, run_plan, storage, submit, unpack,
    upload_floats, with,
};

const WIDTH: u32 = 64;
const HEIGHT: u32 = 32;
const BATCH: u32 = 4;

fn entry(ty: wgpu::BindingType) -> Vec<wgpu::BindGroupLayoutEntry> {
    bindings::entries(wgpu::ShaderStages::COMPUTE, &[ty])
}

/// Layer l counts (l + 1) times.
fn load_hook() -> LoadHook {
    load_hook_of([WIDTH, HEIGHT])
}

pub fn load_hook_of([width, height]: [u32; 2]) -> LoadHook {
    let wgsl = format!(
        "@group(1) @binding(0) var<storage, read> hook_from: array<Element>;
fn load(layer: u32, y: u32, x: u32) -> Element {{
    return hook_from[(layer * {height}u + y) * {width}u + x] * f32(layer + 1u);
}}
"
    );
    LoadHook::new("scaling load", wgsl, entry(bindings::storage_read()))
}

/// The same, of what was prepared for two layers.
fn preparing_hook() -> LoadHook {
    preparing_hook_of([WIDTH, HEIGHT])
}

fn preparing_hook_of([width, height]: [u32; 2]) -> LoadHook {
    let wgsl = format!(
        "@group(1) @binding(0) var<storage, read> hook_from: array<Element>;
struct Prepared {{ first: Element, second: Element }}
fn prepare(group: u32, y: u32, x: u32) -> Prepared {{
    let here = (group * 2u * {height}u + y) * {width}u + x;
    return Prepared(hook_from[here], hook_from[here + {height}u * {width}u]);
}}
fn load_prepared(prepared: Prepared, layer: u32, y: u32, x: u32) -> Element {{
    return select(prepared.first, prepared.second, layer % 2u == 1u) * f32(layer + 1u);
}}
"
    );
    LoadHook::preparing(2, "preparing load", wgsl, entry(bindings::storage_read()))
}

/// Halves, and writes from the last point to the first.
fn store_hook() -> StoreHook {
    store_hook_of([WIDTH, HEIGHT])
}

fn store_hook_of([width, height]: [u32; 2]) -> StoreHook {
    let wgsl = format!(
        "@group(2) @binding(0) var<storage, read_write> hook_to: array<Element>;
fn store(layer: u32, y: u32, x: u32, value: Element) {{
    let n = y * {width}u + x;
    hook_to[layer * {height}u * {width}u + {height}u * {width}u - 1u - n] = value * 0.5;
}}
"
    );
    StoreHook::new("reversing store", wgsl, entry(bindings::storage_read_write()))
}

fn group(layout: &wgpu::BindGroupLayout, buffer: &wgpu::Buffer) -> wgpu::BindGroup {
    bindings::group(&gpu().device, "hook", layout, &[buffer])
}

/// Transforms through whichever hooks `descriptor` has and compares with the reference.
fn check(descriptor: &Descriptor) {
    let (result, reference) = transformed(descriptor);
    assert_accurate(descriptor, &result, &reference);
}

/// Transforms through whichever hooks `descriptor` has; what came of it, and what should have.
fn transformed(descriptor: &Descriptor) -> (Vec<[f32; 2]>, Vec<[f64; 2]>) {
    transformed_by(&Plan::new(&gpu().device, descriptor).unwrap(), descriptor, 1)
}

/// The last of `turns` transforms, each of other images.
fn transformed_by(
    plan: &Plan,
    descriptor: &Descriptor,
    turns: u8,
) -> (Vec<[f32; 2]>, Vec<[f64; 2]>) {
    let points = descriptor.points() as usize;
    let images = random(points, BATCH);
    let device = &gpu().device;
    let floats = pack(&images, points, descriptor.layout);
    let bytes = plan.output_bytes();
    let (from, to, work) = (upload_floats(&floats), storage(bytes), storage(bytes));
    let load = plan.load_layout().map(|layout| group(layout, &from));
    let store = plan.store_layout().map(|layout| group(layout, &to));
    let buffers = Buffers {
        input: descriptor.load.is_none().then(|| (&from).into()),
        output: plan
            .needs_output()
            .then(|| if descriptor.store.is_some() { (&work).into() } else { (&to).into() }),
        load: load.as_ref(),
        store: store.as_ref(),
        ..Default::default()
    };
    let bound = plan.bind(device, &buffers).unwrap();
    for factor in (1..=turns).rev() {
        let floats: Vec<_> = floats.iter().map(|x| x * f32::from(factor)).collect();
        gpu().queue.write_buffer(&from, 0, bytemuck::cast_slice(&floats));
        submit(|pass| bound.encode(pass));
    }
    pollster::block_on(bound.check(device, &gpu().queue)).unwrap();
    let mut result = unpack(&download(&to), points, BATCH, descriptor.layout);

    let mut reference = exact(&images, descriptor);
    let images_per_layer = if descriptor.layout == Layout::Pair { 2 } else { 1 };
    for (image, (result, reference)) in
        result.chunks_mut(points).zip(reference.chunks_mut(points)).enumerate()
    {
        let mut factor = 1.0;
        if descriptor.load.is_some() {
            factor *= (image / images_per_layer + 1) as f64;
        }
        if descriptor.store.is_some() {
            result.reverse();
            factor *= 0.5;
        }
        reference.as_flattened_mut().iter_mut().for_each(|part| *part *= factor);
    }
    (result, reference)
}

fn descriptor(algorithm: Algorithm, layout: Layout) -> Descriptor {
    Descriptor {
        size: [WIDTH, HEIGHT],
        batch: BATCH,
        direction: Direction::Inverse,
        layout,
        algorithm: Some(algorithm.into()),
        ..Default::default()
    }
}

#[test]
fn every_algorithm_takes_hooks() {
    for algorithm in Algorithm::of_powers_of_two() {
        for &layout in Layout::ALL {
            let plain = descriptor(algorithm, layout);
            for load in [None, Some(load_hook()), Some(preparing_hook())] {
                for store in [None, Some(store_hook())] {
                    if load.is_some() || store.is_some() {
                        check(&Descriptor { load: load.clone(), store, ..plain.clone() });
                    }
                }
            }
        }
    }
}

/// Lines that no workgroup's divide, of odd lengths and of primes, in one pass and in several.
#[test]
fn hooks_work_at_any_length() {
    for (size, algorithm) in [
        ([15, 21], Algorithm::MixedRadix),
        ([35, 9], Algorithm::FourStep),
        ([17, 13], Algorithm::Bluestein),
        ([17, 13], Algorithm::Rader),
        ([27, 3], Algorithm::TwistedR3),
        ([7, 11], Algorithm::Dft),
    ] {
        for &layout in Layout::ALL {
            for load in [None, Some(load_hook_of(size)), Some(preparing_hook_of(size))] {
                for store in [None, Some(store_hook_of(size))] {
                    if load.is_some() || store.is_some() {
                        let plain = descriptor(algorithm, layout);
                        check(&Descriptor { size, load: load.clone(), store, ..plain });
                    }
                }
            }
        }
    }
}

#[test]
fn tiles_and_layers_in_turn_give_the_same_result() {
    let number = Value::Integer;
    for [row, row_radix, column, column_radix] in [[1, 8, 4, 8], [2, 16, 4, 4], [4, 2, 8, 32]] {
        for in_turn in [false, true] {
            for tiles in [false, true] {
                let parameters = [
                    ("row-lines", number(row)),
                    ("row-radix", number(row_radix)),
                    ("column-lines", number(column)),
                    ("column-radix", number(column_radix)),
                    ("layers-in-turn", Value::Flag(in_turn)),
                    ("tiles", Value::Flag(tiles)),
                ];
                let configuration = with(Algorithm::StockhamR32, &parameters);
                check(&Descriptor {
                    load: Some(preparing_hook()),
                    store: Some(store_hook()),
                    algorithm: Some(configuration),
                    ..descriptor(Algorithm::StockhamR32, Layout::Pair)
                });
            }
        }
    }
}

/// The hooks of both axes in one kernel, also where the rows of two layers share prepared values.
#[test]
fn one_dispatch_takes_hooks() {
    let size = [32; 2];
    for (load, store) in [
        (Some(load_hook_of(size)), None),
        (None, Some(store_hook_of(size))),
        (Some(preparing_hook_of(size)), Some(store_hook_of(size))),
        (Some(preparing_hook_of(size)), Some(store_hook_of(size).keeping_halves())),
    ] {
        for (in_turn, layout, placement) in [
            (false, Layout::Pair, Placement::OutOfPlace),
            (true, Layout::Pair, Placement::InPlace),
            (false, Layout::Planar, Placement::OutOfPlace),
        ] {
            let descriptor = Descriptor {
                size,
                placement: if load.is_some() == store.is_some() {
                    placement
                } else {
                    Placement::OutOfPlace
                },
                load: load.clone(),
                store: store.clone(),
                ..descriptor(Algorithm::StockhamR8, layout)
            };
            let parameters = [
                ("layers-in-turn", Value::Flag(in_turn)),
                ("half-intermediates", Value::Flag(true)),
            ];
            let lines = gpu().is_software().then_some(size[0]);
            let program = joined(Algorithm::StockhamR8, &descriptor, &parameters, lines);
            assert_eq!(program.dispatches.len(), 1);
            let plan = Plan::from_program(&gpu().device, program).unwrap();
            for turns in [1, 2] {
                let (result, reference) = transformed_by(&plan, &descriptor, turns);
                match (&descriptor.load, &descriptor.store) {
                    (Some(_), Some(store)) if store.keeps_halves() => {
                        // The first of two floats has 10 bits.
                        let error = Accuracy::of(&result, &reference).relative_l2;
                        assert!((2e-5..2.0_f64.powi(-10)).contains(&error), "{error}");
                    }
                    _ => assert_accurate(&descriptor, &result, &reference),
                }
            }
        }
    }
}

/// Whatever the rows of a tile: fewer than a workgroup's, and all of the image's.
#[test]
fn tiles_have_any_number_of_rows() {
    for rows in [1, 4, HEIGHT] {
        let parameters = [
            ("tiles", Value::Flag(true)),
            ("tile-rows", Value::Integer(rows)),
            ("row-lines", Value::Integer(2)),
        ];
        let algorithm = Some(with(Algorithm::StockhamR8, &parameters));
        for layout in [Layout::Pair, Layout::Planar] {
            let plain = Descriptor { algorithm, ..descriptor(Algorithm::StockhamR8, layout) };
            check(&plain);
            check(&Descriptor { store: Some(store_hook()), ..plain });
        }
    }
}

/// 11 bits of each value between the passes are kept where the store hook allows it, and only there.
#[test]
fn hooks_that_keep_halves_may_have_them_between_passes() {
    let halves = [("tiles", Value::Flag(true)), ("half-intermediates", Value::Flag(true))];
    for store in [store_hook(), store_hook().keeping_halves()] {
        let descriptor = Descriptor {
            load: Some(preparing_hook()),
            store: Some(store),
            algorithm: Some(with(Algorithm::StockhamR8, &halves)),
            ..descriptor(Algorithm::StockhamR8, Layout::Pair)
        };
        let (result, reference) = transformed(&descriptor);
        let error = Accuracy::of(&result, &reference).relative_l2;
        let is_allowed = descriptor.store.as_ref().is_some_and(StoreHook::keeps_halves);
        if is_allowed {
            // Rounded to the nearest of 11 bits, each value is off by 2^-12 of itself at most, or
            // 2^-11 where a device cuts bits off.
            assert!((2e-5..2.0_f64.powi(-11) + 1e-6).contains(&error), "{error}");
        } else {
            assert_accurate(&descriptor, &result, &reference);
        }
        let program = program(&descriptor, &gpu().capabilities).unwrap();
        let points = u64::from(WIDTH * HEIGHT * BATCH);
        assert_eq!(program.bytes_moved(), if is_allowed { 2 * 4 } else { 2 * 8 } * points);
    }
}

/// Values beyond the limit between the passes end there, so that a store hook may trust in `WITHIN_HALVES`.
#[test]
fn values_stay_within_halves() {
    let halves = [("tiles", Value::Flag(true)), ("half-intermediates", Value::Flag(true))];
    let load = "fn load(layer: u32, y: u32, x: u32) -> Element { return Element(1e6); }\n";
    let wgsl =
        store_hook().wgsl().replace("value * 0.5", "value * select(0.0, 1.0, WITHIN_HALVES)");
    let store = StoreHook::new("trusting", wgsl, entry(bindings::storage_read_write()));
    let device = &gpu().device;
    for (store, expected) in [(store.clone(), 0.0), (store.keeping_halves(), 46304.0 / 512.0)] {
        let descriptor = Descriptor {
            load: Some(LoadHook::new("large", load, Vec::new())),
            store: Some(store),
            algorithm: Some(with(Algorithm::StockhamR8, &halves)),
            ..descriptor(Algorithm::StockhamR8, Layout::Pair)
        };
        let plan = Plan::new(device, &descriptor).unwrap();
        let (work, to) = (storage(plan.output_bytes()), storage(plan.output_bytes()));
        let groups = [
            bindings::group(device, "load", plan.load_layout().unwrap(), &[]),
            group(plan.store_layout().unwrap(), &to),
        ];
        let buffers = Buffers {
            output: plan.needs_output().then(|| (&work).into()),
            load: Some(&groups[0]),
            store: Some(&groups[1]),
            ..Default::default()
        };
        let bound = plan.bind(device, &buffers).unwrap();
        submit(|pass| bound.encode(pass));
        let largest = download(&to).into_iter().fold(0.0_f32, |largest, v| largest.max(v.abs()));
        // The rows of a constant have one value that is not 0, and the columns add up as many as they have points.
        assert!((largest - expected * HEIGHT as f32).abs() <= 1e-6 * largest, "{largest}");
    }
}

/// Each level is checked against the values of the level before, which the same kernel stored.
#[test]
fn store_hooks_receive_means_of_squares() {
    means_of_squares(false);
}

/// Subgroups of 8 invocations are large enough for one level of 2 or 4 lines.
#[test]
fn subgroups_make_means_of_squares() {
    means_of_squares(true);
}

fn is_llvmpipe() -> bool {
    gpu().device.adapter_info().name.contains("llvmpipe")
}

fn means_of_squares(in_subgroups: bool) {
    let width = std::env::var_os("LP_NATIVE_VECTOR_WIDTH");
    if is_llvmpipe() && width.is_some_and(|width| width == "512") {
        assert_eq!(gpu().capabilities.min_subgroup_size, 16);
    }
    let number = Value::Integer;
    // The largest radix, the butterflies of an invocation, lines, levels, and the invocations of a line.
    let cases = [
        (8, 1, 4, 2, 4),
        (8, 1, 2, 1, 4),
        (8, 1, 4, 1, 4),
        (8, 1, 1, 0, 4),
        (4, 1, 4, 2, 8),
        (2, 1, 4, 2, 16),
        (2, 1, 4, 1, 16),
        (16, 1, 8, 2, 4),
        (8, 2, 4, 2, 2),
        (8, 2, 2, 1, 2),
    ];
    for (radix, butterflies, lines, levels, lanes) in cases {
        for (layout, exchange) in [(Layout::Pair, 1), (Layout::Pair, 4), (Layout::Planar, 2)] {
            let parameters = [
                ("column-radix", number(radix)),
                ("column-butterflies", number(butterflies)),
                ("column-lines", number(lines)),
                ("column-exchange", number(exchange)),
                ("means", number(levels)),
                ("means-in-subgroups", Value::Flag(in_subgroups)),
            ];
            let descriptor = Descriptor {
                store: Some(means_hook()),
                algorithm: Some(with(Algorithm::StockhamR16, &parameters)),
                ..descriptor(Algorithm::StockhamR16, layout)
            };
            check_means(&descriptor, levels);
            let complete = descriptor.algorithm.unwrap();
            let complete = complete.complete(&descriptor, &gpu().capabilities).unwrap();
            let are_in_subgroups = complete.get("means-in-subgroups") == Some(Value::Flag(true));
            let fit = lines << levels <= gpu().capabilities.min_subgroup_size;
            let expected = in_subgroups && levels > 0 && fit && lanes >> levels > 0;
            assert_eq!(are_in_subgroups, expected, "{descriptor:?}");
        }
    }
    for algorithm in [Algorithm::StockhamR4, Algorithm::MixedRadix] {
        check_means(
            &Descriptor { store: Some(means_hook()), ..descriptor(algorithm, Layout::Pair) },
            0,
        );
    }
}

/// Stores level 0, and behind it levels 1 and 2, each of all layers.
fn means_hook() -> StoreHook {
    let wgsl = format!(
        "@group(2) @binding(0) var<storage, read_write> hook_to: array<Element>;
fn store(layer: u32, y: u32, x: u32, value: Element) {{
    hook_to[(layer * {HEIGHT}u + y) * {WIDTH}u + x] = value;
}}
fn store_mean(level: u32, layer: u32, y: u32, x: u32, mean: Element) {{
    let layers = arrayLength(&hook_to) / {}u;
    let first = layers * select({}u, {}u, level == 2u);
    let rows = layer * ({HEIGHT}u >> level) + y;
    hook_to[first + rows * ({WIDTH}u >> level) + x] = mean;
}}
",
        2 * WIDTH * HEIGHT,
        WIDTH * HEIGHT,
        WIDTH * HEIGHT * 5 / 4,
    );
    StoreHook::new("means", wgsl, entry(bindings::storage_read_write())).taking_means(2)
}

fn check_means(descriptor: &Descriptor, levels: u32) {
    let points = descriptor.points() as usize;
    let device = &gpu().device;
    let plan = Plan::new(device, descriptor).unwrap();
    let floats = pack(&random(points, BATCH), points, descriptor.layout);
    let bytes = plan.output_bytes();
    let (input, work, to) = (upload_floats(&floats), storage(bytes), storage(2 * bytes));
    let store = plan.store_layout().map(|layout| group(layout, &to));
    let buffers = Buffers {
        input: Some((&input).into()),
        output: plan.needs_output().then(|| (&work).into()),
        store: store.as_ref(),
        ..Default::default()
    };
    let bound = plan.bind(device, &buffers).unwrap();
    assert_eq!(bound.means(), levels, "{:?}", descriptor.algorithm);
    submit(|pass| bound.encode(pass));
    let stored = download(&to);
    let element = if descriptor.layout == Layout::Pair { 4 } else { 2 };
    let (mut finer, mut rest) = stored.split_at(stored.len() / 2);
    let (mut width, mut height) = (WIDTH as usize, HEIGHT as usize);
    for level in 1..=2 {
        let (coarser, others) = rest.split_at(finer.len() / 4);
        if level > levels {
            assert!(coarser.iter().all(|value| *value == 0.0));
            continue;
        }
        let largest = finer.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        for (index, mean) in coarser.iter().enumerate() {
            let (part, texel) = (index % element, index / element);
            let (x, y) = (texel % (width / 2), texel / (width / 2) % (height / 2));
            let layer = texel / (width / 2 * (height / 2));
            let value = |right, down| {
                let row = layer * height + 2 * y + down;
                f64::from(finer[(row * width + 2 * x + right) * element + part])
            };
            let expected = 0.25 * (value(0, 0) + value(1, 0) + value(0, 1) + value(1, 1));
            let error = (f64::from(*mean) - expected).abs();
            assert!(error <= 1e-6 * f64::from(largest), "level {level} at {x}, {y}: {error}");
        }
        (finer, rest, width, height) = (coarser, others, width / 2, height / 2);
    }
}

/// Errors in a hook give its name, the line, and the words.
#[test]
fn errors_in_hooks_have_their_name_and_line() {
    let device = &gpu().device;
    let refused = |load: LoadHook, store: Option<StoreHook>| {
        let plain = descriptor(Algorithm::StockhamR8, Layout::Pair);
        Plan::new(device, &Descriptor { load: Some(load), store, ..plain }).unwrap_err()
    };
    let load = |wgsl: &str| LoadHook::new("my load", wgsl, entry(bindings::storage_read()));

    let error = refused(load("\n#import shared/complex.wgsl\n"), None);
    assert!(matches!(&error, FftError::Unsupported(_)), "{error:?}");
    assert!(error.to_string().contains("the hook my load: my load:2: expected #import"), "{error}");
    let error = refused(load("#import \"no/such.wgsl\"\n"), None).to_string();
    assert!(error.contains("my load") && error.contains("no/such.wgsl"), "{error}");

    // An import is a line, too, whatever comes in its place.
    let wgsl = "#import \"shared/complex.wgsl\"
fn load(layer: u32, y: u32, x: u32) -> Element {
    return Element(0.0 + );
}
";
    let FftError::HookSource { hook, line, message } = refused(load(wgsl), None) else {
        panic!("another error");
    };
    assert_eq!((&*hook, line), ("my load", 3), "{message}");
    assert!(message.ends_with("\nreturn Element(0.0 + );"), "{message}");
    let store = "fn store(layer: u32, y: u32, x: u32, value: Element) {
    let n: u32 = 1.5;
}
";
    let store = StoreHook::new("my store", store, Vec::new());
    let error = refused(load_hook(), Some(store));
    assert!(
        matches!(&error, FftError::HookSource { hook, line: 2, .. } if hook == "my store"),
        "{error:?}"
    );
    // A hook that is well formed may still not fit: the kernel calls it otherwise, or no caller gives
    // its bindings.
    let wgsl = "fn load(layer: u32, y: u32, x: i32) -> Element {\n    return Element();\n}\n";
    let error = refused(load(wgsl), None);
    assert!(
        matches!(&error, FftError::Kernel { hooks, .. } if hooks[..] == ["my load"]),
        "{error:?}"
    );
    let error = error.to_string();
    let calls = "it calls `fn load(layer: u32, y: u32, x: u32) -> Element`";
    assert!(error.contains("with my load") && error.contains(calls), "{error}");
    // Nothing in it points at the library's lines, nor at those of the module.
    assert!(!error.contains("wgsl:") && !error.contains('│'), "{error}");
    let open = "fn load(layer: u32, y: u32, x: u32) -> Element {\n    return Element();\n";
    let error = refused(load(open), None).to_string();
    assert_eq!(error, "the hook my load, line 1: this { is never closed");
    let wgsl = "@group(1) @binding(7) var<storage, read> elsewhere: array<Element>;
fn load(layer: u32, y: u32, x: u32) -> Element {
    return elsewhere[x];
}
";
    let error = refused(load(wgsl), None).to_string();
    assert!(error.contains("my load"), "{error}");
    // Nothing of this reached wgpu's handler, which panics; the device goes on.
    let hooked = descriptor(Algorithm::StockhamR8, Layout::Pair);
    let hooked = Descriptor { load: Some(load_hook()), ..hooked };
    Plan::new(device, &hooked).unwrap();
    pollster::block_on(Plan::new_async(device, &hooked)).unwrap();
}

/// Bindings are the caller's own, too: nothing of them reaches wgpu's handler either.
#[test]
fn bindings_that_the_device_refuses_are_errors() {
    let device = &gpu().device;
    let [good] = entry(bindings::storage_read())[..] else { panic!("one entry") };
    let numbered = |binding| wgpu::BindGroupLayoutEntry { binding, ..good };
    let too_many = device.limits().max_storage_buffers_per_shader_stage + 1;
    let several = wgpu::BindGroupLayoutEntry { count: std::num::NonZeroU32::new(4), ..good };
    let cases = [
        vec![good, good],
        vec![numbered(100_000)],
        vec![several],
        (0..too_many).map(numbered).collect(),
    ];
    for bindings in cases {
        let plain = descriptor(Algorithm::StockhamR8, Layout::Pair);
        let wgsl = "fn load(layer: u32, y: u32, x: u32) -> Element {\n    return Element();\n}\n";
        let load = LoadHook::new("my load", wgsl, bindings.clone());
        let wgsl = "fn store(layer: u32, y: u32, x: u32, value: Element) {}\n";
        let store = StoreHook::new("my store", wgsl, bindings);
        let loads = Descriptor { load: Some(load), ..plain.clone() };
        let stores = Descriptor { store: Some(store), ..plain };
        for (hook, task) in [("load", loads), ("store", stores)] {
            match Plan::new(device, &task).unwrap_err() {
                FftError::HookBindings { hook: of, .. } => assert_eq!(of, hook),
                error => panic!("{error:?}"),
            }
        }
    }
}

#[test]
fn a_program_of_unfitting_parts_is_an_error() {
    use seaway_fft::lab::{Program, Role};

    let task = descriptor(Algorithm::StockhamR4, Layout::Planar);
    let sound = program(&task, &gpu().capabilities).unwrap();
    let refused = |change: &dyn Fn(&mut Program)| {
        let mut program = sound.clone();
        change(&mut program);
        match Plan::from_program(&gpu().device, program).unwrap_err() {
            FftError::Program { message } => message,
            error => panic!("{error:?}"),
        }
    };
    Plan::from_program(&gpu().device, sound.clone()).unwrap();
    assert!(refused(&|program| program.dispatches[0].kernel = 99).contains("kernel 99 of"));
    assert!(refused(&|program| program.dispatches[0].params = vec![0; 100]).contains("parameters"));
    assert!(refused(&|program| program.dispatches[0].roles.clear()).contains("other resources"));
    assert!(
        refused(&|program| {
            let bindings = &mut program.kernels[0].bindings;
            bindings.push(bindings[0]);
        })
        .contains("two bindings")
    );
    assert!(
        refused(&|program| program.dispatches[0].workgroups[0] = u32::MAX)
            .contains("maxComputeWorkgroupsPerDimension")
    );
    let with_tables = sound.dispatches.iter().flat_map(|dispatch| &dispatch.roles);
    assert!(with_tables.clone().any(|role| matches!(role, Role::Table(_))), "tables are read");
    assert!(refused(&|program| program.tables.clear()).contains("is empty"));
    assert!(refused(&|program| program.tables[0].values.clear()).contains("is empty"));
}

#[test]
fn a_changed_program_is_compiled_with_all_checks() {
    let device = &gpu().device;
    let hooked = descriptor(Algorithm::StockhamR8, Layout::Planar);
    let mut program = program(&hooked, &gpu().capabilities).unwrap();
    // Far out of bounds of what it is given: with checks that is some other element, or none.
    for kernel in &mut program.kernels {
        kernel.wgsl = kernel.wgsl.replace("* WIDTH + x]", "* WIDTH + x + 500000000u]");
    }
    let plan = Plan::from_program(device, program.clone()).unwrap();
    let images = random((WIDTH * HEIGHT) as usize, BATCH);
    let result = run_plan(&plan, &hooked, &images);
    assert_eq!(result.len(), images.len());
    program.kernels[0].wgsl = "fn main( {".to_owned();
    let error = Plan::from_program(device, program).unwrap_err();
    assert!(matches!(&error, FftError::Kernel { hooks, .. } if hooks.is_empty()), "{error:?}");
}

#[test]
fn what_hooks_need_is_checked() {
    let device = &gpu().device;
    let hooked =
        Descriptor { load: Some(load_hook()), ..descriptor(Algorithm::StockhamR4, Layout::Planar) };
    let plan = Plan::new(device, &hooked).unwrap();
    let output = storage(plan.output_bytes());
    let buffers = Buffers { output: Some((&output).into()), ..Default::default() };
    let error = plan.bind(device, &buffers).unwrap_err();
    assert_eq!(error, FftError::Hook { hook: "load" });

    let plain = Plan::new(device, &Descriptor { load: None, ..hooked.clone() }).unwrap();
    let error = plain.bind(device, &buffers).unwrap_err();
    assert_eq!(error, FftError::Missing { region: "input" });

    // A bind group that does not fit is found before anything is recorded.
    let uniform = entry(bindings::uniform());
    let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some("other"), entries: &uniform };
    let other = device.create_bind_group_layout(&descriptor);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 256,
        usage: wgpu::BufferUsages::UNIFORM,
        mapped_at_creation: false,
    });
    let misfit = group(&other, &buffer);
    let error = plan.bind(device, &Buffers { load: Some(&misfit), ..buffers }).unwrap_err();
    assert!(matches!(error, FftError::HookGroup { .. }), "{error:?}");
    assert!(error.to_string().contains("Make them for Plan::load_layout"), "{error}");
    let fitting = group(plan.load_layout().unwrap(), &storage(plan.output_bytes()));
    plan.bind(device, &Buffers { load: Some(&fitting), ..buffers }).unwrap();

    let odd = Descriptor { batch: 3, load: Some(preparing_hook()), ..hooked };
    let error = Plan::new(device, &odd).unwrap_err().to_string();
    assert!(error.contains("prepares 2 layers at a time, and there are 3"), "{error}");
    let none = LoadHook::preparing(0, "none", preparing_hook().wgsl(), Vec::new());
    let error = Plan::new(device, &Descriptor { load: Some(none), ..odd }).unwrap_err().to_string();
    assert!(
        error.contains("prepares 0 layers") && error.ends_with("prepare at least 1"),
        "{error}"
    );
}

#[test]
fn what_is_chosen_by_measuring_runs_with_its_hooks() {
    let task = Descriptor {
        size: [WIDTH, HEIGHT],
        batch: BATCH,
        layout: Layout::Pair,
        algorithm: Some(Algorithm::StockhamR8.into()),
        load: Some(preparing_hook()),
        store: Some(store_hook()),
        ..Descriptor::default()
    };
    let context = gpu();
    let plan = Plan::new(&context.device, &task).unwrap();
    let (from, to) = (storage(plan.output_bytes()), storage(plan.output_bytes()));
    let load = group(plan.load_layout().unwrap(), &from);
    let store = group(plan.store_layout().unwrap(), &to);
    let choose = |hooks| {
        let budget =
            TuneOptions { budget_ms: 2000.0, search: true, ..TuneOptions::of(&context.device) };
        let options = TuneOptions { hooks, ..budget };
        pollster::block_on(tune(&context.device, &context.queue, &task, options))
    };
    let groups = HookGroups { load: Some(&load), store: Some(&store), ..HookGroups::default() };
    check(&choose(groups).unwrap().apply(&task));
    // Without what they bind nothing can run.
    assert!(matches!(choose(HookGroups::default()), Err(TuneError::NoTimes)));
}

/// Tests whose results are the same on any adapter. The checks on a second one leave them out
/// (.config/nextest.toml).
mod once {
    use super::*;

    /// Two levels, where Mesa's software driver has vectors of 16 floats, which are its subgroups. (GPUs have
    /// subgroups as large.)
    #[test]
    fn subgroups_of_sixteen_make_two_levels() {
        #[cfg(target_arch = "x86_64")]
        if is_llvmpipe() && std::is_x86_feature_detected!("avx512f") {
            let test = std::env::current_exe().unwrap();
            let output = std::process::Command::new(test)
                .args(["--exact", "hooks::subgroups_make_means_of_squares"])
                .env("LP_NATIVE_VECTOR_WIDTH", "512")
                .env("MESA_SHADER_CACHE_DISABLE", "true")
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && text.contains("1 passed"), "{text}");
            return;
        }
        eprintln!("SKIPPED: this needs Mesa's software driver on a processor with AVX-512");
    }

    #[test]
    fn hooks_work_on_one_axis_and_in_place() {
        for algorithm in Algorithm::of_powers_of_two() {
            for axes in Axes::OF_IMAGES {
                for (load, store) in
                    [(None, Some(store_hook())), (Some(preparing_hook()), Some(store_hook()))]
                {
                    let plain = descriptor(algorithm, Layout::Pair);
                    check(&Descriptor { axes, load, store, ..plain });
                }
            }
        }
        let store = Some(store_hook());
        let placement = Placement::InPlace;
        let descriptor =
            Descriptor { placement, store, ..descriptor(Algorithm::StockhamR8, Layout::Planar) };
        let plan = Plan::new(&gpu().device, &descriptor).unwrap();
        let data = storage(plan.output_bytes());
        let store = group(plan.store_layout().unwrap(), &storage(plan.output_bytes()));
        let buffers = Buffers { store: Some(&store), ..Buffers::in_place(&data) };
        plan.bind(&gpu().device, &buffers).unwrap();
    }
}
