//! Transforms that load and store through the caller's WGSL.

use seaway::choice::Choice as _;
use seaway::fft::lab::{Algorithm, HookGroups, LineTuning, TuneError, TuneOptions, Tuning, tune};
use seaway::fft::{
    Axes, Buffers, Descriptor, Direction, FftError, Layout, LoadHook, Placement, Plan, StoreHook,
};

use crate::support::{
    assert_accurate, download, exact, gpu, pack, random, storage, submit, unpack, upload_floats,
};

const WIDTH: u32 = 64;
const HEIGHT: u32 = 32;
const BATCH: u32 = 4;

fn entry(read_only: bool) -> Vec<wgpu::BindGroupLayoutEntry> {
    vec![wgpu::BindGroupLayoutEntry {
        binding: 0,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }]
}

/// Layer l counts (l + 1) times.
fn load_hook() -> LoadHook {
    let wgsl = format!(
        "@group(1) @binding(0) var<storage, read> hook_from: array<Element>;
fn load(layer: u32, y: u32, x: u32) -> Element {{
    return hook_from[(layer * {HEIGHT}u + y) * {WIDTH}u + x] * f32(layer + 1u);
}}
"
    );
    LoadHook::new(wgsl, entry(true))
}

/// The same, of what was prepared for two layers.
fn preparing_hook() -> LoadHook {
    let wgsl = format!(
        "@group(1) @binding(0) var<storage, read> hook_from: array<Element>;
struct Prepared {{ first: Element, second: Element }}
fn prepare(group: u32, y: u32, x: u32) -> Prepared {{
    let here = (group * 2u * {HEIGHT}u + y) * {WIDTH}u + x;
    return Prepared(hook_from[here], hook_from[here + {HEIGHT}u * {WIDTH}u]);
}}
fn load_prepared(prepared: Prepared, layer: u32, y: u32, x: u32) -> Element {{
    return select(prepared.first, prepared.second, layer % 2u == 1u) * f32(layer + 1u);
}}
"
    );
    LoadHook::preparing(2, wgsl, entry(true))
}

/// Halves, and writes from the last point to the first.
fn store_hook() -> StoreHook {
    let wgsl = format!(
        "@group(2) @binding(0) var<storage, read_write> hook_to: array<Element>;
fn store(layer: u32, y: u32, x: u32, value: Element) {{
    let n = y * {WIDTH}u + x;
    hook_to[layer * {HEIGHT}u * {WIDTH}u + {HEIGHT}u * {WIDTH}u - 1u - n] = value * 0.5;
}}
"
    );
    StoreHook::new(wgsl, entry(false))
}

fn group(layout: &wgpu::BindGroupLayout, buffer: &wgpu::Buffer) -> wgpu::BindGroup {
    gpu().device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
    })
}

/// Transforms through whichever hooks `descriptor` has and compares with the reference.
fn check(descriptor: &Descriptor) {
    let points = (WIDTH * HEIGHT) as usize;
    let images = random(points, BATCH);
    let device = &gpu().device;
    let plan = Plan::new(device, descriptor).unwrap();
    let floats = pack(&images, points, descriptor.layout);
    let bytes = plan.data_bytes();
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
    submit(|pass| bound.encode(pass));
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
    assert_accurate(descriptor, &result, &reference);
}

fn descriptor(algorithm: Algorithm, layout: Layout) -> Descriptor {
    Descriptor {
        size: [WIDTH, HEIGHT],
        batch: BATCH,
        direction: Direction::Inverse,
        layout,
        algorithm,
        ..Default::default()
    }
}

#[test]
fn every_algorithm_takes_hooks() {
    for &algorithm in Algorithm::ALL {
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

#[test]
fn hooks_work_on_one_axis_and_in_place() {
    for &algorithm in Algorithm::ALL {
        for &axes in Axes::ALL {
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
    let data = storage(plan.data_bytes());
    let store = group(plan.store_layout().unwrap(), &storage(plan.data_bytes()));
    let buffers = Buffers { store: Some(&store), ..Buffers::in_place(&data) };
    plan.bind(&gpu().device, &buffers).unwrap();
}

#[test]
fn tiles_and_layers_in_turn_give_the_same_result() {
    let line = |lines_per_workgroup, radix| LineTuning {
        lines_per_workgroup: Some(lines_per_workgroup),
        radix: Some(radix),
        ..Default::default()
    };
    for algorithm in [Algorithm::StockhamR8, Algorithm::StockhamR16] {
        for (row, column) in
            [(line(1, 8), line(4, 8)), (line(2, 16), line(4, 4)), (line(4, 2), line(8, 32))]
        {
            for layers_in_turn in [Some(false), Some(true)] {
                for tiles in [Some(false), Some(true)] {
                    check(&Descriptor {
                        load: Some(preparing_hook()),
                        store: Some(store_hook()),
                        tuning: Tuning { row, column, tiles, layers_in_turn, ..Default::default() },
                        ..descriptor(algorithm, Layout::Pair)
                    });
                }
            }
        }
    }
}

#[test]
fn what_hooks_need_is_checked() {
    let device = &gpu().device;
    let hooked =
        Descriptor { load: Some(load_hook()), ..descriptor(Algorithm::StockhamR4, Layout::Planar) };
    let plan = Plan::new(device, &hooked).unwrap();
    let output = storage(plan.data_bytes());
    let buffers = Buffers { output: Some((&output).into()), ..Default::default() };
    let error = plan.bind(device, &buffers).unwrap_err();
    assert_eq!(error, FftError::Hook { hook: "load" });

    let plain = Plan::new(device, &Descriptor { load: None, ..hooked.clone() }).unwrap();
    let error = plain.bind(device, &buffers).unwrap_err();
    assert_eq!(error, FftError::Missing { region: "input" });

    let odd = Descriptor { batch: 3, load: Some(preparing_hook()), ..hooked };
    let error = Plan::new(device, &odd).unwrap_err().to_string();
    assert!(error.contains("prepares 2 layers at a time, and there are 3"), "{error}");
}

#[test]
fn what_is_chosen_by_measuring_runs_with_its_hooks() {
    let task = Descriptor {
        size: [WIDTH, HEIGHT],
        batch: BATCH,
        layout: Layout::Pair,
        algorithm: Algorithm::StockhamR8,
        load: Some(preparing_hook()),
        store: Some(store_hook()),
        ..Descriptor::default()
    };
    let context = gpu();
    let plan = Plan::new(&context.device, &task).unwrap();
    let (from, to) = (storage(plan.data_bytes()), storage(plan.data_bytes()));
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
