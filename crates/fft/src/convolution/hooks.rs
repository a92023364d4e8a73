//! The hooks that load and store for a convolution's transforms.

use super::line::{Line, Operation};
use crate::choice::choices;
use crate::descriptor::Kind;
use crate::gpu::bindings;
use crate::hook::{LoadHook, StoreHook};

choices! {
    /// The values of images, kernel and result.
    pub enum Samples {
        /// A 32-bit float per point.
        Real = "real",
        /// Two 32-bit floats per point: real and imaginary part.
        Complex = "complex",
    }
}

impl Samples {
    /// The kind of the row transforms: real ones need half of the spectrum, and half of the work.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Real => Kind::Real,
            Self::Complex => Kind::Complex,
        }
    }

    /// The bytes of one value.
    pub(super) fn bytes(self) -> u64 {
        match self {
            Self::Real => 4,
            Self::Complex => 8,
        }
    }

    /// Its type in WGSL, and the conversions from and to an `Element`.
    fn wgsl(self) -> [&'static str; 3] {
        match self {
            Self::Real => ["f32", "vec2(sample, 0.0)", "value.x"],
            Self::Complex => ["vec2<f32>", "sample", "value"],
        }
    }
}

/// An array `[layer][y][x]` that is read with zeros beyond it.
pub struct Source {
    pub samples: Samples,
    pub size: [u32; 2],
    /// Values that are this far apart along x and y are added up: data longer than the circle wraps around
    /// it.
    pub period: [u32; 2],
}

impl Source {
    pub fn hook(self) -> LoadHook {
        let Self { samples, size: [width, height], period: [period_x, period_y] } = self;
        let [ty, element, _] = samples.wgsl();
        let one = format!(
            "    let sample = convolution_from[(layer * {height}u + y) * {width}u + x];
    return {element};
"
        );
        let wraps = width > period_x || height > period_y;
        let body = match wraps {
            false => format!(
                "    if (x >= {width}u || y >= {height}u) {{
        return Element();
    }}
{one}"
            ),
            true => format!(
                "    var sum = Element();
    for (var row = y; row < {height}u; row += {period_y}u) {{
        for (var column = x; column < {width}u; column += {period_x}u) {{
            let sample = convolution_from[(layer * {height}u + row) * {width}u + column];
            sum += {element};
        }}
    }}
    return sum;
"
            ),
        };
        let wgsl = format!(
            "@group(1) @binding(0) var<storage, read> convolution_from: array<{ty}>;

fn load(layer: u32, y: u32, x: u32) -> Element {{
{body}}}
"
        );
        let bindings = bindings::entries(wgpu::ShaderStages::COMPUTE, &[bindings::storage_read()]);
        let hook = LoadHook::new("convolution's load", wgsl, bindings);
        // SAFETY: it reads within the width and the height of as many layers as the plan has, which
        // is what is bound; its loops end at those.
        unsafe { hook.unchecked() }
    }
}

/// An array `[layer][y][x]` of the kept part of the transforms.
pub struct Target {
    pub samples: Samples,
    /// The kept lines along x and y.
    pub lines: [Line; 2],
}

impl Target {
    pub fn hook(self) -> StoreHook {
        let Self { samples, lines: [x, y] } = self;
        let [ty, _, sample] = samples.wgsl();
        // The places come in order, and start somewhere in the circle.
        let place = |name: &str, line: Line| match line.start {
            0 => name.to_owned(),
            start => format!(
                "select({name} - {start}u, {name} + {}u, {name} < {start}u)",
                line.padded - start
            ),
        };
        let (column, row) = (place("x", x), place("y", y));
        let (width, height) = (x.result, y.result);
        let wgsl = format!(
            "@group(2) @binding(0) var<storage, read_write> convolution_to: array<{ty}>;

fn store(layer: u32, y: u32, x: u32, value: Element) {{
    let column = {column};
    let row = {row};
    if (column < {width}u && row < {height}u) {{
        convolution_to[(layer * {height}u + row) * {width}u + column] = {sample};
    }}
}}
"
        );
        let types = [bindings::storage_read_write()];
        let bindings = bindings::entries(wgpu::ShaderStages::COMPUTE, &types);
        let hook = StoreHook::new("convolution's store", wgsl, bindings);
        // SAFETY: it writes within the width and the height of as many layers as the plan has, which
        // is what is bound. No loops.
        unsafe { hook.unchecked() }
    }
}

/// Multiplies a spectrum of `size` by the kernel's, conjugated for correlations.
pub fn multiplying_hook(operation: Operation, [width, height]: [u32; 2]) -> StoreHook {
    let product = match operation {
        Operation::Convolution => "value.x * k - value.y * k.yx * vec2(1.0, -1.0)",
        Operation::Correlation => "value.x * k * vec2(1.0, -1.0) + value.y * k.yx",
    };
    let wgsl = format!(
        "@group(2) @binding(0) var<storage, read> convolution_kernel: array<vec2<f32>>;
@group(2) @binding(1) var<storage, read_write> convolution_product: array<vec2<f32>>;

fn store(layer: u32, y: u32, x: u32, value: Element) {{
    let point = y * {width}u + x;
    let k = convolution_kernel[point];
    convolution_product[layer * {points}u + point] = {product};
}}
",
        points = u64::from(width) * u64::from(height)
    );
    let types = [bindings::storage_read(), bindings::storage_read_write()];
    let bindings = bindings::entries(wgpu::ShaderStages::COMPUTE, &types);
    let hook = StoreHook::new("convolution's product", wgsl, bindings);
    // SAFETY: it reads and writes within the width and the height of as many layers as the plan has,
    // which is what is bound. No loops.
    unsafe { hook.unchecked() }
}
