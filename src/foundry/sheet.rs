//! The description of a transform's kernels, and the comments that are made of it.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt::Write as _;

use crate::bench::parameters::options;
use crate::choice::Choice as _;
use crate::fft::lab::{Access, Dispatch, Image, Kernel, Program, Role};
use crate::fft::{
    Axes, Axis, Descriptor, Kind, Layout, LoadHook, Normalization, Precision, StoreHook,
};
use crate::gpu::Limit;
use serde::{Deserialize, Serialize};

use super::languages::Language;

/// The kernels of a transform, with everything that a host needs to run them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// The algorithm and the transform, in a line.
    pub title: String,
    /// The algorithm in a sentence, with its source.
    pub about: String,
    /// All parameters of the algorithm, as options of the command line.
    pub parameters: String,
    /// The version of seaway that wrote the kernels.
    pub version: String,
    /// The order and the format of the numbers.
    pub data: String,
    /// The bytes of each buffer, by its name in `Step::resources`, without tables and parameters.
    pub bytes: BTreeMap<String, u64>,
    /// The scratch images, by their names in `Step::resources`.
    pub images: BTreeMap<String, Texture>,
    /// Whether input and output are one buffer.
    pub in_place: bool,
    /// The optional features of a device that the kernels need, by their names in WebGPU.
    pub features: Vec<String>,
    /// The least values of a device's limits, by their names in WebGPU.
    pub limits: BTreeMap<String, u64>,
    /// The kernels, each compiled once.
    pub kernels: Vec<Shader>,
    /// The dispatches, each after the one before has finished.
    pub dispatches: Vec<Step>,
    /// The constant tables, by their names in `Step::resources`.
    pub tables: BTreeMap<String, Table>,
    /// A program in JavaScript that runs and checks the transform.
    pub host: String,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shader {
    /// The label for error messages.
    pub label: String,
    /// The WGSL of the whole module.
    pub wgsl: String,
    /// The name of its entry point.
    pub entry: String,
    /// The invocations of a workgroup.
    pub workgroup_size: u32,
    /// The bytes of workgroup memory.
    pub workgroup_bytes: u32,
    /// Its bindings, group by group.
    pub bindings: Vec<Binding>,
    /// The kernel in each language, with its header, or why it cannot be translated.
    #[serde(default)]
    pub texts: BTreeMap<Language, Result<String, String>>,
}

impl Shader {
    /// The kernel `main` with storage buffers of these types as group 0.
    #[cfg(feature = "cli")]
    pub fn of_buffers(label: &str, wgsl: &str, kinds: &[&str]) -> Self {
        let binding = |(binding, kind): (u32, &&str)| Binding {
            group: 0,
            binding,
            kind: (*kind).into(),
            format: None,
            text: String::new(),
        };
        Self {
            label: label.into(),
            wgsl: wgsl.into(),
            entry: "main".into(),
            workgroup_size: 0,
            workgroup_bytes: 0,
            bindings: (0..).zip(kinds).map(binding).collect(),
            texts: BTreeMap::new(),
        }
    }
}

/// A binding of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Binding {
    /// The bind group: 0, or that of a hook.
    pub group: u32,
    /// The number within the group.
    pub binding: u32,
    /// The type of the buffer in WebGPU, `read-only-storage`, `storage` or `uniform`; `texture` for an array of
    /// images or a table that is loaded from, or the access to a storage texture, `write-only` or `read-write`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The format of a storage texture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The bound resource, in words.
    pub text: String,
}

/// One run of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The index of the kernel.
    pub kernel: usize,
    /// The axis that it transforms.
    pub axis: Axis,
    /// Workgroups along x, y and z.
    pub workgroups: [u32; 3],
    /// The 32-bit integers of the uniform buffer `params`, if there are any.
    pub params: Vec<u32>,
    /// The names of the buffers and images for the kernel's bindings, in their order.
    pub resources: Vec<String>,
}

/// An array of images.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Texture {
    /// Texels along x and y.
    pub size: [u32; 2],
    /// The number of images.
    pub layers: u32,
    /// The format of a texel in WebGPU.
    pub format: String,
}

/// A table of complex numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The numbers in words.
    pub text: String,
    /// How many there are.
    pub count: usize,
    /// Its texture, whose rows they fill, if it does not lie in a buffer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture: Option<Texture>,
    /// The numbers themselves.
    #[serde(flatten)]
    pub contents: Contents,
}

/// The numbers of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Contents {
    /// exp(sign 2 pi i k / period).
    Roots {
        /// The points of a turn.
        period: u32,
        /// The sign of the exponent, -1 or 1.
        sign: i32,
    },
    /// Any numbers, (re, im), as little-endian floats in Base64.
    Numbers {
        /// The floats.
        base64: String,
    },
}

impl Sheet {
    /// Describes `program`, which computes `task` by an algorithm.
    pub fn new(task: &Descriptor, program: &Program) -> Self {
        let configuration = program.configuration.as_ref().expect("a program of an algorithm");
        let algorithm = configuration.algorithm();
        let scale = match task.normalization {
            Normalization::None => "not scaled",
            Normalization::Ortho => "scaled by 1 / sqrt(points)",
            Normalization::Points => "scaled by 1 / points",
        };
        let floats = match task.precision {
            Precision::F32 => "32-bit floats",
            Precision::F64 => "64-bit floats",
            Precision::F16 => "16-bit floats",
        };
        let number =
            |(table, values): (usize, &_)| (table_name(table), Table::new(values, task.precision));
        let tables: BTreeMap<_, _> = program.tables.iter().enumerate().map(number).collect();
        let mut bytes = BTreeMap::new();
        for (name, count) in [
            ("input", program.input_bytes),
            ("output", program.output_bytes),
            ("scratch", program.scratch_bytes),
            ("second_scratch", program.second_scratch_bytes),
            ("turns", program.turns_bytes),
            ("passed", program.passed_bytes),
        ] {
            if count > 0 {
                bytes.insert(name.to_owned(), count);
            }
        }
        let requirements = program.requirements();
        let features = [
            (requirements.features.contains(wgpu::Features::SHADER_F16), "shader-f16"),
            (requirements.features.contains(wgpu::Features::SHADER_F64), "shader-f64"),
            (requirements.features.contains(wgpu::Features::SUBGROUP), "subgroups"),
        ];
        let mut limits: BTreeMap<String, u64> = requirements
            .limits
            .iter()
            .map(|(limit, needed)| (limit.name().to_owned(), *needed))
            .collect();
        // Workgroups are one row of invocations.
        if let Some(invocations) = limits.get(Limit::WorkgroupInvocations.name()) {
            limits.insert("maxComputeWorkgroupSizeX".to_owned(), *invocations);
        }
        let mut sheet = Self {
            title: format!("{algorithm}: {} {}, {scale}", task.direction, what(task)),
            about: algorithm.description().to_owned(),
            parameters: options(&configuration.given()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data: format!("row-major, natural order, {}, {floats}", data(task)),
            bytes,
            images: program.images.iter().enumerate().map(texture).collect(),
            in_place: program.in_place,
            features: features
                .iter()
                .filter(|(is_needed, _)| *is_needed)
                .map(|(_, name)| (*name).to_owned())
                .collect(),
            limits,
            kernels: Vec::new(),
            dispatches: program.dispatches.iter().map(Step::new).collect(),
            tables,
            host: String::new(),
        };
        sheet.kernels =
            (0..program.kernels.len()).map(|index| sheet.shader(program, index)).collect();
        sheet.host = super::host::text(task, &sheet);
        sheet
    }

    fn shader(&self, program: &Program, index: usize) -> Shader {
        let Kernel { label, wgsl, entry, workgroup_size, workgroup_bytes, .. } =
            &program.kernels[index];
        let kernel = &program.kernels[index];
        let own = kernel.bindings.iter().enumerate().map(|(place, (binding, access))| Binding {
            group: 0,
            binding: *binding,
            kind: match access {
                Access::Read => "read-only-storage",
                Access::ReadWrite => "storage",
                Access::Uniform => "uniform",
                Access::TextureLoad => "texture",
                Access::TextureStore(_) => "write-only",
                Access::TextureReadWrite(_) => "read-write",
            }
            .to_owned(),
            format: match access {
                Access::TextureStore(layout) | Access::TextureReadWrite(layout) => {
                    Some(format_of(*layout).to_owned())
                }
                _ => None,
            },
            text: self.resources(index, place),
        });
        let hook = |group: u32, name: &'static str, entries: &[wgpu::BindGroupLayoutEntry]| {
            let binding = move |entry: &wgpu::BindGroupLayoutEntry| Binding {
                group,
                binding: entry.binding,
                kind: match entry.ty {
                    wgpu::BindingType::Buffer {
                        ty: wgpu::BufferBindingType::Storage { read_only: true },
                        ..
                    } => "read-only-storage",
                    wgpu::BindingType::Buffer { ty: wgpu::BufferBindingType::Uniform, .. } => {
                        "uniform"
                    }
                    _ => "storage",
                }
                .to_owned(),
                format: None,
                text: format!("the buffer of the {name} hook"),
            };
            entries.iter().map(binding).collect::<Vec<_>>()
        };
        let mut bindings: Vec<_> = own.collect();
        if kernel.loads_by_hook {
            bindings.extend(hook(LoadHook::GROUP, "load", &program.load_bindings));
        }
        if kernel.stores_by_hook {
            bindings.extend(hook(StoreHook::GROUP, "store", &program.store_bindings));
        }
        Shader {
            label: label.clone(),
            wgsl: wgsl.clone(),
            entry: (*entry).to_owned(),
            workgroup_size: *workgroup_size,
            workgroup_bytes: *workgroup_bytes,
            bindings,
            texts: BTreeMap::new(),
        }
    }

    /// Describes the resources that the dispatches of a kernel bind at `place`.
    fn resources(&self, kernel: usize, place: usize) -> String {
        let mut words: Vec<String> = Vec::new();
        for step in self.dispatches.iter().filter(|step| step.kernel == kernel) {
            let name = step.resources[place].as_str();
            let bytes = self.bytes.get(name).copied().unwrap_or_default();
            if let Some(Texture { size: [width, height], layers, .. }) = self.images.get(name) {
                words.push(format!("scratch {name}, {width} x {height} in {layers} layer(s)"));
                continue;
            }
            let said = match name {
                "input" | "output" => format!("the {name}"),
                "scratch" => format!("scratch memory of {bytes} bytes"),
                "second_scratch" => format!("more scratch memory, of {bytes} bytes"),
                "turns" => format!(
                    "zeros at first, {bytes} bytes, a word for each workgroup: kept between transforms, or \
                     cleared together with binding 9. The workgroups of an image wait for each other, so all must \
                     run at once, and bit 1 is set where they did not"
                ),
                "passed" => format!(
                    "zeros at first, {bytes} bytes, for what workgroups pass to each other: kept between \
                     transforms, or cleared together with binding 8"
                ),
                "params" => "the dispatch's parameters, 32-bit integers".to_owned(),
                table => self.tables[table].text.clone(),
            };
            if !words.contains(&said) {
                words.push(said);
            }
        }
        words.join(" or ")
    }

    /// The comment before kernel `index`: its transform, its bindings and all dispatches.
    pub fn header(&self, index: usize) -> String {
        let kernel = &self.kernels[index];
        let mut lines = vec![
            self.title.clone(),
            self.about.clone(),
            format!("All of its parameters: {}.", self.parameters),
            format!(
                "Kernel {} of {} of the transform, from seaway {} (MIT or Apache-2.0).",
                index + 1,
                self.kernels.len(),
                self.version
            ),
            String::new(),
            format!(
                "Data: {}; {} bytes in, {} bytes out.",
                self.data, self.bytes["input"], self.bytes["output"]
            ),
            format!(
                "Workgroups of {} invocations, {} bytes of workgroup memory. Entry point: {}.",
                kernel.workgroup_size, kernel.workgroup_bytes, kernel.entry
            ),
            String::new(),
        ];
        for (place, one) in kernel.bindings.iter().enumerate() {
            let Binding { group, binding, kind, format, text } = one;
            let format = format.as_deref().unwrap_or_default();
            if place == 0 || *group != kernel.bindings[place - 1].group {
                lines.push(format!("Bindings of group {group}:"));
            }
            let kind = match kind.as_str() {
                "read-only-storage" => "storage buffer, read".to_owned(),
                "storage" => "storage buffer, read and written".to_owned(),
                "texture" => "2D array texture, loaded from".to_owned(),
                "write-only" => format!("2D array storage texture of {format}, written"),
                "read-write" => format!("2D array storage texture of {format}, read and written"),
                _ => "uniform buffer".to_owned(),
            };
            lines.push(format!("  {binding}: {kind}: {text}"));
        }
        lines.push(
            "Dispatches of the whole transform, each after the one before has finished:".into(),
        );
        for (number, step) in (1..).zip(&self.dispatches) {
            let [x, y, z] = step.workgroups;
            let which = if step.kernel == index { "This" } else { "Another" };
            let params = match &step.params[..] {
                [] => String::new(),
                params => format!(", with parameters {params:?}"),
            };
            let data = step.resources.iter().filter_map(|name| match name.as_str() {
                "second_scratch" => Some("scratch"),
                "turns" | "passed" => None,
                name if self.images.contains_key(name) => Some("image"),
                name => self.bytes.contains_key(name).then_some(name),
            });
            let waits = step.resources.iter().any(|name| name == "turns");
            let on =
                if waits { "rows, then columns".to_owned() } else { format!("{}s", step.axis) };
            lines.push(format!(
                "  {number}. {which} kernel works on {on} in {x} x {y} x {z} workgroups{params}: {}",
                data.collect::<Vec<_>>().join(" -> ")
            ));
        }
        let mut text = String::new();
        for line in lines {
            writeln!(text, "{}", format!("// {line}").trim_end()).expect("writing to a string");
        }
        text
    }
}

impl Step {
    fn new(dispatch: &Dispatch) -> Self {
        let Dispatch { kernel, axis, workgroups, params, roles, .. } = dispatch;
        let name = |role: &Role| match role {
            Role::Input => "input".to_owned(),
            Role::Output => "output".to_owned(),
            Role::Scratch => "scratch".to_owned(),
            Role::SecondScratch => "second_scratch".to_owned(),
            Role::Params => "params".to_owned(),
            Role::Turns => "turns".to_owned(),
            Role::Passed => "passed".to_owned(),
            Role::Table(table) => table_name(*table),
            Role::Image(image) => image_name(*image),
        };
        Self {
            kernel: *kernel,
            axis: *axis,
            workgroups: *workgroups,
            params: params.clone(),
            resources: roles.iter().map(name).collect(),
        }
    }
}

fn table_name(table: usize) -> String {
    format!("table{table}")
}

fn image_name(image: usize) -> String {
    format!("image{image}")
}

fn texture((index, image): (usize, &Image)) -> (String, Texture) {
    let Image { size, layers, layout } = *image;
    (image_name(index), Texture { size, layers, format: format_of(layout).to_owned() })
}

/// WebGPU's name of [`Image::format_of`].
fn format_of(layout: Layout) -> &'static str {
    match layout {
        Layout::Planar => "rg32float",
        Layout::Pair => "rgba32float",
    }
}

impl Table {
    fn new(table: &crate::fft::lab::Table, precision: Precision) -> Self {
        let values = &table.values;
        let count = values.len();
        let texture = table.in_texture.then(|| Texture {
            size: table.texture_size(),
            layers: 1,
            format: format_of(Layout::Planar).to_owned(),
        });
        // The table's own second root tells its period and its sign.
        let angle = values.get(1).map_or(0.0, |[re, im]| im.atan2(*re));
        let period = if angle == 0.0 { 1 } else { (TAU / angle.abs()).round() as u32 };
        let sign = if angle > 0.0 { 1 } else { -1 };
        let is_root = |(k, [re, im]): (usize, &[f64; 2])| {
            let angle = f64::from(sign) * TAU * (k as f64 / f64::from(period));
            (re - angle.cos()).abs() < 1e-12 && (im - angle.sin()).abs() < 1e-12
        };
        if values.iter().enumerate().all(is_root) {
            let shown = if sign > 0 { "+" } else { "-" };
            let mut text = format!(
                "twiddle factors, (re, im) of exp({shown}2 pi i k / {period}) for k in 0..{count}"
            );
            if let Some(Texture { size: [width, height], format, .. }) = &texture {
                text += &format!(", {width} in each of {height} row(s) of {format}");
            }
            return Self { text, count, texture, contents: Contents::Roots { period, sign } };
        }
        let parts = values.as_flattened();
        let bytes: Vec<u8> = match precision.computed_bytes() {
            8 => parts.iter().flat_map(|part| part.to_le_bytes()).collect(),
            _ => parts.iter().flat_map(|part| (*part as f32).to_le_bytes()).collect(),
        };
        let what = match table.label.starts_with("powers") {
            true => "Rader's permutation (g^n, g^-n) and filter",
            false => "Bluestein's chirp and filter",
        };
        let text = format!("{what}, {count} of (re, im)");
        Self { text, count, texture, contents: Contents::Numbers { base64: base64(&bytes) } }
    }
}

/// `bytes` in the alphabet of RFC 4648, section 4, padded.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |place: usize| u32::from(chunk.get(place).copied().unwrap_or_default());
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            let index = (bits >> (18 - 6 * digit) & 63) as usize;
            text.push(if digit <= chunk.len() { ALPHABET[index].into() } else { '=' });
        }
    }
    text
}

/// Describes the transform of `task` for sentences.
fn what(task: &Descriptor) -> String {
    let Descriptor { size: [width, height], depth, batch, kind, axes, .. } = task;
    let name = if kind.is_cosine() { kind.name() } else { "FFT" };
    let numbers = if *kind == Kind::Complex { "complex" } else { "real" };
    match (axes, depth) {
        (Axes::Rows, _) => {
            format!("{name} of {} {numbers} lines of {width} points", batch * height)
        }
        (_, 1) => format!("{name} of {batch} {numbers} images of {width} x {height}"),
        _ => format!("{name} of {batch} {numbers} volumes of {width} x {height} x {depth}"),
    }
}

/// Describes the order of its numbers.
fn data(task: &Descriptor) -> String {
    let order = if task.depth > 1 { "[z][y][x]" } else { "[y][x]" };
    let complex = match task.layout {
        Layout::Planar => format!("[batch]{order} of (re, im)"),
        Layout::Pair => format!(
            "[pair]{order} of (re, im, re, im), the same point of two images; an odd batch is padded"
        ),
    };
    match task.kind {
        Kind::Complex => complex,
        Kind::Real => format!(
            "[batch]{order} of real numbers, and of the first width / 2 + 1 complex ones of each \
             row's spectrum"
        ),
        _ => format!("[batch]{order} of real numbers"),
    }
}
