//! Checks transforms with hooks from a page. The hooks run alone, too: what the load hook computes is transformed
//! in double precision on the processor, and the store hook takes that. The result of the transform with both must
//! be the same.
//!
//! The buffers of a hook are as large as the data on its side, in 32-bit floats. Those of a load hook hold random
//! numbers.

use crate::bench::{Figures, Laboratory, Outcome};
use crate::fft::lab::reference::{self, Lines};
use crate::fft::lab::{self, Accuracy, Array, Gate, Shape, Stored, data};
use crate::fft::{Buffers, Descriptor, LoadHook, Plan, StoreHook};
use crate::gpu::{Context, bindings, read_buffer};

use super::host::hook_bytes;

/// The largest batch that is transformed on the processor, in values: some seconds of a browser's one thread.
const MOST_VALUES: u64 = 1 << 21;

/// How many times the gate's error passes after a store hook, whose own arithmetic rounds, too.
const ROOM: f64 = 4.0;

/// Invocations of a workgroup that runs a hook alone, and workgroups in a row of them.
const INVOCATIONS: u32 = 64;
const ROW: u32 = 65_535;

/// Reads the storage bindings that `wgsl`, the text of the hook called `hook`, declares in `group`.
///
/// # Errors
/// A message about a declaration that pages cannot bind.
pub fn bindings(
    hook: &str,
    wgsl: &str,
    group: u32,
) -> Result<Vec<wgpu::BindGroupLayoutEntry>, String> {
    let mut entries: Vec<wgpu::BindGroupLayoutEntry> = Vec::new();
    let refuse =
        |line: usize, message: &str| Err(format!("the hook {hook}, line {line}: {message}"));
    let mut attributes = String::new();
    for (line, text) in (1..).zip(wgsl.lines()) {
        let code: String = text.split("//").next().unwrap_or_default().split_whitespace().collect();
        if code.starts_with("#import") {
            return refuse(line, "a page has no files to import");
        }
        // Attributes may stand on lines of their own.
        attributes += &code;
        if !code.contains("var") && code.starts_with('@') {
            continue;
        }
        let declared = std::mem::take(&mut attributes);
        let number = |name: &str| -> Option<u32> {
            let (_, rest) = declared.split_once(&format!("@{name}("))?;
            rest.split_once(')')?.0.trim_end_matches('u').parse().ok()
        };
        let Some(binding) = number("binding") else { continue };
        if number("group") != Some(group) {
            return refuse(
                line,
                &format!("the bindings of this hook are those of @group({group})"),
            );
        }
        let ty = if declared.contains("var<storage,read_write>") {
            bindings::storage_read_write()
        } else if declared.contains("var<storage,read>") || declared.contains("var<storage>") {
            bindings::storage_read()
        } else {
            return refuse(
                line,
                "a hook of a page binds var<storage, read> or var<storage, read_write>",
            );
        };
        if binding > 9 || entries.iter().any(|entry| entry.binding == binding) {
            return refuse(line, "bindings have different numbers from 0 to 9");
        }
        entries.push(bindings::entry(binding, wgpu::ShaderStages::COMPUTE, ty));
    }
    Ok(entries)
}

/// An example of a load hook for `task`: a window along the rows.
pub fn load_example(task: &Descriptor) -> String {
    let [width, height, depth] = task.input_size();
    let (rows, points) = (height * depth, task.size[0]);
    let (numbers, value) = match task.loads_reals() {
        true => ("Real", "Element(window * values[place], 0.0)"),
        false => ("Element", "window * values[place]"),
    };
    format!(
        "// A Hann window along x.
@group(1) @binding(0) var<storage, read> values: array<{numbers}>;

fn load(layer: u32, y: u32, x: u32) -> Element {{
    let window = 0.5 - 0.5 * cos(6.2831853 * f32(x) / {points}.0);
    let place = (layer * {rows}u + y) * {width}u + x;
    return {value};
}}
"
    )
}

/// An example of a store hook for `task`: half of each value.
pub fn store_example(task: &Descriptor) -> String {
    let [width, height, depth] = task.output_size();
    let rows = height * depth;
    let (numbers, value) = match task.stores_reals() {
        true => ("Real", "value.x"),
        false => ("Element", "value"),
    };
    format!(
        "// Half of each value.
@group(2) @binding(0) var<storage, read_write> results: array<{numbers}>;

fn store(layer: u32, y: u32, x: u32, value: Element) {{
    results[(layer * {rows}u + y) * {width}u + x] = 0.5 * {value};
}}
"
    )
}

/// Checks `task`, which has a hook, and times it.
///
/// # Errors
/// A message for the user, with the line of an error in a hook.
pub async fn figures(
    context: &Context,
    laboratory: &Laboratory<'_>,
    task: &Descriptor,
) -> Result<Outcome<Box<Figures>>, String> {
    let program = lab::program(task, &context.capabilities).map_err(message)?;
    let plan = Plan::new_async(&context.device, task).await.map_err(message)?;
    plan.write_tables(&context.queue);
    let hooks = Hooks { context, task, layers: task.layout.layers(task.batch) };
    let values =
        u64::from(hooks.layers) * task.points() * u64::from(task.layout.element_floats()) / 2;
    if values > MOST_VALUES {
        return Ok(Outcome::skipped(format!(
            "{values} values take too long in double precision: {MOST_VALUES} are the most with hooks"
        )));
    }
    let bytes = data::data_bytes(task).max(plan.input_bytes()).max(plan.output_bytes());
    let [input, output] = [hooks.memory(bytes), hooks.memory(bytes)];
    let images = task.layout.element_floats() / 2;
    let stored = Stored::input(task);
    let layers = (0..hooks.layers).map(|layer| {
        let images: Vec<_> =
            (0..images).map(|image| lab::input(task, layer * images + image)).collect();
        stored.layer(&images)
    });
    let mut bytes: Vec<u8> = layers.flatten().collect();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    context.queue.write_buffer(&input, 0, &bytes);

    let in_place = task.placement == crate::fft::Placement::InPlace && task.load.is_none();
    let load = plan.load_layout().map(|layout| hooks.group(layout, Side::Load));
    let store = plan.store_layout().map(|layout| hooks.group(layout, Side::Store));
    let buffers = Buffers {
        load: load.as_ref().map(|group| &group.handle),
        store: store.as_ref().map(|group| &group.handle),
        ..Buffers::new(&input, if in_place { &input } else { &output })
    };
    let bound = plan.bind(&context.device, &buffers).map_err(message)?;
    hooks.submit(|pass| bound.encode(pass));

    let mut expected = Vec::new();
    let mut lines = Lines::default();
    let plain = Descriptor { load: None, store: None, ..task.clone() };
    let loaded = match &load {
        Some(group) => Some(hooks.loaded(group).await?),
        None => None,
    };
    for image in 0..hooks.layers * images {
        let values = match &loaded {
            Some(loaded) => hooks.image(loaded, image),
            None => lab::input(task, image),
        };
        expected
            .push(reference::transform(values, &plain, &mut lines).expect("an input of the task"));
    }
    let gate = Gate::of(&plain);
    let (accuracy, most) = match &store {
        Some(group) => {
            let got = hooks.floats(&group.buffers).await?;
            let alone = hooks.stored(&expected, group.layout).await?;
            let wide: Vec<f64> = alone.iter().map(|part| f64::from(*part)).collect();
            (Accuracy::of_real(&got, &wide), ROOM * gate.relative_l2)
        }
        None => {
            let stored = Stored::output(task);
            let result = if in_place { &input } else { &output };
            let bytes = hooks.read(result).await?;
            let layer_bytes = stored.layer_bytes() as usize;
            let mut worst = Accuracy::NONE;
            for (image, exact) in expected.iter().enumerate() {
                let (layer, place) = (image / images as usize, image % images as usize);
                let got = stored.image(&bytes[layer * layer_bytes..][..layer_bytes], place);
                worst = worst.worse(Accuracy::between(&got, exact));
            }
            (worst, gate.relative_l2)
        }
    };
    if accuracy.relative_l2 > most {
        return Ok(Outcome::failed(format!(
            "relative L2 error {:.1e} beside the hooks alone, of which at most {most:.1e} passes",
            accuracy.relative_l2
        )));
    }
    let encode = |pass: &mut wgpu::ComputePass<'_>, _| bound.encode(pass);
    let figures = laboratory.figures_of(task, accuracy, program.bytes_moved(), encode);
    figures.await.map_err(message)
}

fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Load,
    Store,
}

/// The bind group of a hook, with its buffers in the order of its bindings.
struct Group<'a> {
    layout: &'a wgpu::BindGroupLayout,
    handle: wgpu::BindGroup,
    buffers: Vec<wgpu::Buffer>,
}

struct Hooks<'a> {
    context: &'a Context,
    task: &'a Descriptor,
    layers: u32,
}

impl Hooks<'_> {
    fn memory(&self, bytes: u64) -> wgpu::Buffer {
        data::storage(&self.context.device, "foundry", bytes)
    }

    fn submit(&self, encode: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        let Context { device, queue, .. } = self.context;
        let mut encoder = device.create_command_encoder(&Default::default());
        encode(&mut encoder.begin_compute_pass(&Default::default()));
        queue.submit([encoder.finish()]);
    }

    async fn read(&self, buffer: &wgpu::Buffer) -> Result<Vec<u8>, String> {
        let Context { device, queue, .. } = self.context;
        read_buffer(device, queue, buffer).await.map_err(message)
    }

    async fn floats(&self, buffers: &[wgpu::Buffer]) -> Result<Vec<f32>, String> {
        let mut floats = Vec::new();
        for buffer in buffers {
            floats.extend(bytemuck::pod_collect_to_vec::<u8, f32>(&self.read(buffer).await?));
        }
        Ok(floats)
    }

    /// The extent and the floats of an element's buffer on one side of the transform.
    fn shape(&self, side: Side) -> Shape {
        match side {
            Side::Load => Shape::input(self.task),
            Side::Store => Shape::output(self.task),
        }
    }

    fn group<'b>(&self, layout: &'b wgpu::BindGroupLayout, side: Side) -> Group<'b> {
        let task = self.task;
        let (bindings, bytes) = match side {
            Side::Load => (task.load.as_ref().map(LoadHook::bindings), task.input_bytes()),
            Side::Store => (task.store.as_ref().map(StoreHook::bindings), task.output_bytes()),
        };
        let bindings = bindings.unwrap_or_default();
        let bytes = hook_bytes(task, bytes);
        let buffers: Vec<_> = (0..)
            .zip(bindings)
            .map(|(index, _)| {
                let buffer = self.memory(bytes);
                if side == Side::Load {
                    let numbers = lab::noise(index, bytes.div_ceil(8) as usize);
                    let numbers: &[u8] = bytemuck::cast_slice(&numbers);
                    self.context.queue.write_buffer(&buffer, 0, &numbers[..bytes as usize]);
                }
                buffer
            })
            .collect();
        let entries: Vec<_> = bindings
            .iter()
            .zip(&buffers)
            .map(|(entry, buffer)| wgpu::BindGroupEntry {
                binding: entry.binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let handle = self.context.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("foundry hook"),
            layout,
            entries: &entries,
        });
        Group { layout, handle, buffers }
    }

    /// Runs `body` for every element of `side`, with the text of its hook. `data` is bound to `elements`.
    fn alone(&self, side: Side, body: &str, data: &wgpu::Buffer, group: &Group<'_>) {
        let Context { device, .. } = self.context;
        let [width, height, depth] = self.shape(side).extent;
        let (rows, count) = (height * depth, width * height * depth * self.layers as usize);
        let (number, hook) = match side {
            Side::Load => (LoadHook::GROUP, self.task.load.as_ref().map(LoadHook::wgsl)),
            Side::Store => (StoreHook::GROUP, self.task.store.as_ref().map(StoreHook::wgsl)),
        };
        let wgsl = format!(
            "alias Real = f32;
alias Element = vec{floats}<f32>;
const WITHIN_HALVES: bool = false;
{hook}
@group(0) @binding(0) var<storage, read_write> elements_alone: array<Element>;
@compute @workgroup_size({INVOCATIONS})
fn hook_alone(@builtin(global_invocation_id) id: vec3<u32>) {{
    let place_alone = id.y * {row}u + id.x;
    if (place_alone < {count}u) {{
        let x_alone = place_alone % {width}u;
        let y_alone = place_alone / {width}u % {rows}u;
        let layer_alone = place_alone / {slice}u;
        {body}
    }}
}}
",
            floats = self.task.layout.element_floats(),
            hook = hook.unwrap_or_default(),
            row = ROW * INVOCATIONS,
            slice = width * rows,
        );
        let own = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("foundry"),
            entries: &[bindings::entry(
                0,
                wgpu::ShaderStages::COMPUTE,
                bindings::storage_read_write(),
            )],
        });
        let mut layouts = vec![Some(&own), None, None];
        layouts[number as usize] = Some(group.layout);
        layouts.truncate(number as usize + 1);
        let kernel =
            crate::gpu::compute_kernel(device, "a hook alone", &wgsl, "hook_alone", &layouts);
        let own = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("foundry"),
            layout: &own,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: data.as_entire_binding() }],
        });
        let workgroups = (count as u32).div_ceil(INVOCATIONS);
        self.submit(|pass| {
            pass.set_pipeline(&kernel.pipeline);
            pass.set_bind_group(0, &own, &[]);
            pass.set_bind_group(number, &group.handle, &[]);
            pass.dispatch_workgroups(workgroups.min(ROW), workgroups.div_ceil(ROW), 1);
        });
    }

    fn element_bytes(&self, side: Side) -> u64 {
        let elements = self.shape(side).values() as u64 * u64::from(self.layers);
        elements * u64::from(self.task.layout.element_bytes())
    }

    /// The values that the load hook computes, in elements.
    async fn loaded(&self, group: &Group<'_>) -> Result<Vec<f32>, String> {
        let taken = self.memory(self.element_bytes(Side::Load));
        let body = "elements_alone[place_alone] = load(layer_alone, y_alone, x_alone);";
        self.alone(Side::Load, body, &taken, group);
        self.floats(&[taken]).await
    }

    /// The values that the store hook stores for `results`.
    async fn stored(
        &self,
        results: &[Array],
        layout: &wgpu::BindGroupLayout,
    ) -> Result<Vec<f32>, String> {
        let group = self.group(layout, Side::Store);
        let floats = self.task.layout.element_floats() as usize;
        let images = floats / 2;
        let shape = self.shape(Side::Store);
        let mut elements = vec![0_f32; self.element_bytes(Side::Store) as usize / 4];
        for (index, image) in results.iter().enumerate() {
            let layer = &mut elements[index / images * shape.values() * floats..];
            for (place, value) in image.numbers().chunks_exact(shape.parts()).enumerate() {
                for (part, number) in value.iter().enumerate() {
                    layer[place * floats + index % images * 2 + part] = *number as f32;
                }
            }
        }
        let data = self.memory(self.element_bytes(Side::Store));
        self.context.queue.write_buffer(&data, 0, bytemuck::cast_slice(&elements));
        let body = "store(layer_alone, y_alone, x_alone, elements_alone[place_alone]);";
        self.alone(Side::Store, body, &data, &group);
        self.floats(&group.buffers).await
    }

    /// Image `index` of loaded elements.
    fn image(&self, elements: &[f32], index: u32) -> Array {
        let floats = self.task.layout.element_floats() as usize;
        let images = floats / 2;
        let shape = self.shape(Side::Load);
        let index = index as usize;
        let layer =
            &elements[index / images * shape.values() * floats..][..shape.values() * floats];
        let value = |element: &[f32]| element[index % images * 2..][..shape.parts()].to_vec();
        let numbers = layer.chunks_exact(floats).flat_map(value).map(f64::from).collect();
        Array::of_numbers(numbers, shape.is_real)
    }
}
