//! The host in JavaScript: some fifty lines besides the kernels that run a transform in an empty page. Without
//! hooks it checks some of the results against the definition in double precision.

use crate::fft::lab::{Gate, Stored};
use crate::fft::{Descriptor, Direction, Kind, LoadHook, Normalization, Precision, StoreHook};

use super::sheet::{Binding, Contents, Sheet, Texture};

/// How many times the gate's error passes: the gate is for the whole of a result, and these are a few values.
const ROOM: f64 = 4.0;

/// Returns the host of `sheet`, which describes `task`.
pub fn text(task: &Descriptor, sheet: &Sheet) -> String {
    let kernels = sheet.kernels.iter().map(|kernel| {
        let code = kernel.wgsl.trim_end().replace('\\', "\\\\").replace('`', "\\`");
        let code = code.replace("${", "\\${");
        let groups: Vec<_> = groups(&kernel.bindings)
            .into_iter()
            .map(|group| {
                listed(group.iter().map(|one| format!("[{}, {}]", one.binding, layout(one))))
            })
            .collect();
        let entry = &kernel.entry;
        format!(
            "\n    {{ entryPoint: \"{entry}\", groups: {}, code: `\n{code}\n` }},",
            listed(groups)
        )
    });
    let dispatches = sheet.dispatches.iter().map(|step| {
        let own = step.resources.iter().map(|name| match name.as_str() {
            "params" => format!("{:?}", step.params),
            name => format!("\"{name}\""),
        });
        let hooked = groups(&sheet.kernels[step.kernel].bindings).into_iter().skip(1);
        let hooked =
            hooked.map(|group| listed(group.iter().map(|one| format!("\"{}\"", hook_buffer(one)))));
        let bind = listed(std::iter::once(listed(own)).chain(hooked));
        format!(
            "\n    {{ kernel: {}, workgroups: {:?}, bind: {bind} }},",
            step.kernel, step.workgroups
        )
    });
    let usual = crate::gpu::Capabilities::webgpu_defaults();
    let usual = |name: &str| match name {
        "maxComputeWorkgroupStorageSize" => usual.max_workgroup_storage_bytes.into(),
        "maxComputeInvocationsPerWorkgroup" | "maxComputeWorkgroupSizeX" => {
            usual.max_workgroup_invocations.into()
        }
        "maxComputeWorkgroupsPerDimension" => usual.max_workgroups_per_dimension.into(),
        "maxStorageBufferBindingSize" => usual.max_storage_binding_bytes,
        "maxBufferSize" => usual.max_buffer_bytes,
        _ => 0,
    };
    let limits = sheet.limits.iter().filter(|(name, needed)| **needed > usual(name));
    let limits: Vec<_> = limits.map(|(name, needed)| format!("{name}: {needed}")).collect();
    let features: Vec<_> = sheet.features.iter().map(|name| format!("\"{name}\"")).collect();

    let is_bound = |name: &str| {
        sheet.dispatches.iter().any(|step| step.resources.iter().any(|one| one == name))
    };
    let mut hooks: Vec<&Binding> = Vec::new();
    for one in sheet.kernels.iter().flat_map(|kernel| &kernel.bindings).filter(|one| one.group > 0)
    {
        if !hooks.iter().any(|known| (known.group, known.binding) == (one.group, one.binding)) {
            hooks.push(one);
        }
    }
    let in_place = sheet.in_place;
    let mut buffers = Vec::new();
    for (name, bytes) in &sheet.bytes {
        if is_bound(name) || in_place && name == "output" {
            buffers.push(format!("{name}: memory({bytes})"));
        }
    }
    let [loaded, stored] =
        [task.input_bytes(), task.output_bytes()].map(|bytes| hook_bytes(task, bytes));
    for one in &hooks {
        let bytes = if one.group == LoadHook::GROUP { loaded } else { stored };
        buffers.push(format!("{}: memory({bytes})", hook_buffer(one)));
    }
    let floats = match task.precision {
        Precision::F64 => "Float64Array",
        _ => "Float32Array",
    };
    let mut helpers = String::new();
    let images = sheet.images.iter().map(|(name, image)| {
        let Texture { size: [width, height], layers, format } = image;
        format!("{name}: image([{width}, {height}, {layers}], \"{format}\")")
    });
    let mut images: Vec<_> = images.collect();
    for (name, table) in &sheet.tables {
        // The roots of a texture fill its last row, too.
        let texels = table.texture.as_ref().map(|texture| texture.size);
        let count = texels.map_or(table.count, |[width, height]| (width * height) as usize);
        let (helper, value) = match &table.contents {
            Contents::Roots { period, sign } => {
                (ROOTS, format!("roots({count}, {period}, {sign})"))
            }
            Contents::Numbers { base64 } => (NUMBERS, format!("numbers(\"{base64}\")")),
        };
        for helper in [Some(helper), texels.map(|_| TEXELS)].into_iter().flatten() {
            if !helpers.contains(helper) {
                helpers += helper;
            }
        }
        match texels {
            Some(size) => images.push(format!("{name}: texels({size:?}, {value})")),
            None => buffers.push(format!("{name}: filled({value})")),
        }
    }
    let named =
        |group: u32| hooks.iter().filter(move |one| one.group == group).map(|one| hook_buffer(one));
    let sources: Vec<_> = match task.load {
        Some(_) => named(LoadHook::GROUP).collect(),
        None if in_place => vec!["output".to_owned()],
        None => vec!["input".to_owned()],
    };
    let result = named(StoreHook::GROUP).next().unwrap_or_else(|| "output".to_owned());
    let is_hooked = task.load.is_some() || task.store.is_some();
    let number_bytes = u64::from(task.precision.bytes());
    let count = if task.load.is_some() { loaded / 4 } else { task.input_bytes() / number_bytes };
    // Hooks work on 32-bit floats.
    let array = |is_hooked: bool| match task.precision {
        Precision::F16 if !is_hooked => "Float16Array".to_owned(),
        _ => floats.to_owned(),
    };
    let mut text = include_str!("host.js").to_owned();
    if is_hooked {
        text += "console.log(\"Hooks change these values: kernel.html checks them.\", output);\n";
    } else {
        text += &check(task);
    }
    let sources: Vec<_> = sources.iter().map(|name| format!("\"{name}\"")).collect();
    for (name, value) in [
        ("TITLE", sheet.title.clone()),
        ("VERSION", sheet.version.clone()),
        ("DISPATCHES", dispatches.collect::<String>()),
        ("FEATURES", features.join(", ")),
        ("LIMITS", limits.join(", ")),
        ("HELPERS", helpers.replace("Float32Array", floats)),
        ("BUFFERS", buffers.join(", ")),
        ("IMAGES", images.join(", ")),
        ("SOURCES", sources.join(", ")),
        ("RESULT", result),
        ("IN", array(task.load.is_some())),
        ("OUT", array(task.store.is_some())),
        ("COUNT", count.to_string()),
        // The last one: kernels may contain any text.
        ("KERNELS", kernels.collect::<String>()),
    ] {
        text = text.replace(&format!("${name}"), &value);
    }
    text
}

/// The helpers for tables; the first entry of a group gives its name to a table's numbers.
const ROOTS: &str =
    "const roots = (count, period, sign) => Float32Array.from({ length: 2 * count }, (_, part) =>
    [Math.cos, Math.sin][part % 2]((sign * 2 * Math.PI * (part >> 1)) / period));
";
const TEXELS: &str = "function texels(size, values) {
    const texture = device.createTexture({ size, format: \"rg32float\", usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST });
    device.queue.writeTexture({ texture }, values, { bytesPerRow: 8 * size[0] }, size);
    return texture.createView({ dimension: \"2d-array\" });
}
";
const NUMBERS: &str = "const numbers = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
";

/// The lines that compute some results by the definition.
fn check(task: &Descriptor) -> String {
    let [from, to] = [Stored::input(task), Stored::output(task)];
    let pair = task.layout.element_floats() as usize / 2;
    let points = [task.size[0], task.size[1], task.depth];
    let axes: Vec<_> = task.axes.list().iter().map(|axis| (*axis as usize).to_string()).collect();
    let gate = ROOM * Gate::of(task).relative_l2;
    let extent = |side: &Stored| format!("{:?}", side.shape.extent);
    let mut text = include_str!("check.js").to_owned();
    for (name, value) in [
        ("FROM_PITCH", (from.pitch * pair).to_string()),
        ("FROM_PARTS", from.shape.parts().to_string()),
        ("FROM", extent(&from)),
        ("TO_PITCH", (to.pitch * pair).to_string()),
        ("TO_PARTS", to.shape.parts().to_string()),
        ("TO", extent(&to)),
        ("PAIR", pair.to_string()),
        ("SIGN2", (2.0 * task.direction.sign()).to_string()),
        ("WEIGHT", weight(task)),
        ("AXES", axes.join(", ")),
        ("POINTS", points.map(|side| side.to_string()).join(", ")),
        ("SCALE", task.scale().to_string()),
        ("BATCH", task.batch.to_string()),
        ("GATE", format!("{gate:e}")),
    ] {
        text = text.replace(&format!("${name}"), &value);
    }
    text
}

/// The weight of value n of a line in its result k, as in [`Kind`], in JavaScript.
fn weight(task: &Descriptor) -> String {
    use Direction::Inverse;
    let kind = match (task.kind, task.direction) {
        (Kind::Dct2, Inverse) => Kind::Dct3,
        (Kind::Dct3, Inverse) => Kind::Dct2,
        (kind, _) => kind,
    };
    // scipy's factors of the ends with norm="ortho".
    let ortho = |text| if task.normalization == Normalization::Ortho { text } else { "" };
    match kind {
        Kind::Complex => "turn(n * k, points)".to_owned(),
        Kind::Real if task.direction == Inverse => "turn(n * k, points).map((part) => \
             (axis === 0 && n > 0 && 2 * n < points ? 2 : 1) * part)"
            .to_owned(),
        Kind::Real => "turn(n * k, points)".to_owned(),
        Kind::Dct1 => format!(
            "[(n % (points - 1) ? 2 : 1){} * turn(n * k, 2 * (points - 1))[0], 0]",
            ortho(" * (n % (points - 1) ? 1 : Math.SQRT2) * (k % (points - 1) ? 1 : Math.SQRT1_2)")
        ),
        Kind::Dct2 => format!(
            "[2{} * turn((2 * n + 1) * k, 4 * points)[0], 0]",
            ortho(" * (k ? 1 : Math.SQRT1_2)")
        ),
        Kind::Dct3 => format!(
            "[(n ? 2 : 1){} * turn(n * (2 * k + 1), 4 * points)[0], 0]",
            ortho(" * (n ? 1 : Math.SQRT2)")
        ),
        Kind::Dct4 => "[2 * turn((2 * n + 1) * (2 * k + 1), 8 * points)[0], 0]".to_owned(),
    }
}

/// The bytes of a hook's buffer for data of `bytes` bytes: hooks work on 32-bit floats.
pub fn hook_bytes(task: &Descriptor, bytes: u64) -> u64 {
    bytes / u64::from(task.precision.bytes()) * 4
}

fn hook_buffer(binding: &Binding) -> String {
    let hook = if binding.group == LoadHook::GROUP { "load" } else { "store" };
    format!("{hook}{}", binding.binding)
}

/// The entry of a binding in the layout of its group.
fn layout(binding: &Binding) -> String {
    let kind = &binding.kind;
    match (kind.as_str(), &binding.format) {
        ("texture", _) => {
            "{ texture: { sampleType: \"unfilterable-float\", viewDimension: \"2d-array\" } }"
                .to_owned()
        }
        (_, Some(format)) => format!(
            "{{ storageTexture: {{ access: \"{kind}\", format: \"{format}\", viewDimension: \"2d-array\" }} }}"
        ),
        (_, None) => format!("{{ buffer: {{ type: \"{kind}\" }} }}"),
    }
}

/// The bindings by group, up to the last group that has any.
fn groups(bindings: &[Binding]) -> Vec<Vec<&Binding>> {
    let last = bindings.iter().map(|one| one.group).max().unwrap_or(0);
    (0..=last).map(|group| bindings.iter().filter(|one| one.group == group).collect()).collect()
}

fn listed(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}
