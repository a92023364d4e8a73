//! Additive transforms on a GPU: the steps of a [`Transform`] as kernels in WGSL.
//!
//! Steps whose values lie within a window of workgroup memory run one after the other in one dispatch. Others
//! take a dispatch each. A buffer holds lines of elements, one u32 each.

use std::fmt::Write as _;

use super::transform::{Divisor, Step};
use super::{AdditiveError, Transform};
use crate::descriptor::Direction;
use crate::error::{FftError, Unsupported};
use crate::gpu::{self, Capabilities, Limit, bindings};

/// The way in which kernels multiply in the field. Results are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Product {
    /// By tables of logarithms and powers, 3 2^(m+2) bytes in a storage buffer: the faster way on an H200.
    #[default]
    Logs,
    /// By m shifts.
    Shifts,
}

impl Product {
    /// Both ways.
    pub const ALL: &[Self] = &[Self::Logs, Self::Shifts];
}

/// Values in a window, where there are as many.
const WINDOW_BITS: u32 = 10;

/// Neighbours in memory that a window holds if it has room: 64 bytes.
const ADJACENT_BITS: u32 = 4;

const INVOCATIONS: u32 = 256;

/// A kernel and its dispatch. Binding 0 of group 0 holds the lines, and binding 1 the tables.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The label for error messages.
    pub label: String,
    /// The WGSL of the whole module, with the entry point `main`.
    pub wgsl: String,
    /// The workgroups to dispatch along x and y.
    pub workgroups: [u32; 2],
}

/// All kernels of a transform of lines, as data.
#[derive(Clone, Debug)]
pub struct Program {
    /// The kernels of the forward transform, in their order.
    pub forward: Vec<Kernel>,
    /// The kernels of the inverse transform, in their order.
    pub inverse: Vec<Kernel>,
    /// Multiplies lines by those of binding 2, value by value.
    pub product: Kernel,
    /// The words of binding 1, for all kernels.
    pub tables: Vec<u32>,
    /// The bytes of the lines.
    pub bytes: u64,
}

impl Program {
    /// The kernels of `transform` for `lines` lines on a device of `capabilities`. It is pure, and needs no GPU.
    ///
    /// # Errors
    /// [`FftError::Unsupported`] if there are no lines, or if they exceed a limit.
    pub fn new(
        transform: &Transform,
        lines: u32,
        product: Product,
        capabilities: &Capabilities,
    ) -> Result<Self, FftError> {
        let length = transform.length() as u32;
        if lines == 0 {
            return Err(Unsupported::Empty { size: [length, 1, 1], batch: 0 }.into());
        }
        let bytes = 4 * u64::from(length) * u64::from(lines);
        let within = |what: &str, limit: Limit, needed: u64| {
            let available = limit.of(capabilities);
            let (algorithm, what) = (None, what.to_owned());
            match needed <= available {
                true => Ok(()),
                false => Err(Unsupported::Limit { algorithm, what, limit, needed, available }),
            }
        };
        for limit in [Limit::StorageBinding, Limit::Buffer] {
            within("an additive transform", limit, bytes)?;
        }
        let mut writer = Writer {
            transform,
            total: (bytes / 4) as u32,
            product,
            capabilities,
            powers: 0,
            tables: Vec::new(),
        };
        if product == Product::Logs {
            writer.table(&transform.field().logs);
            writer.powers = writer.table(&transform.field().powers);
        }
        let forward = writer.kernels(Direction::Forward)?;
        let inverse = writer.kernels(Direction::Inverse)?;
        let lanes = INVOCATIONS.min(capabilities.max_workgroup_invocations);
        let product = writer.kernel("product", lanes, writer.total.div_ceil(lanes), "")?;
        let program = Self { forward, inverse, product, tables: writer.tables, bytes };
        let kernels = [&program.forward, &program.inverse].into_iter().flatten();
        for count in kernels.chain([&program.product]).flat_map(|kernel| kernel.workgroups) {
            within("an additive transform", Limit::WorkgroupsPerDimension, count.into())?;
        }
        for limit in [Limit::StorageBinding, Limit::Buffer] {
            within("a table of factors", limit, 4 * program.tables.len() as u64)?;
        }
        Ok(program)
    }
}

struct Writer<'a> {
    transform: &'a Transform,
    total: u32,
    product: Product,
    capabilities: &'a Capabilities,
    powers: u32,
    tables: Vec<u32>,
}

impl Writer<'_> {
    /// Appends a table, and returns its place.
    fn table(&mut self, values: &[u32]) -> u32 {
        self.tables.extend(values);
        (self.tables.len() - values.len()) as u32
    }

    fn kernels(&mut self, direction: Direction) -> Result<Vec<Kernel>, FftError> {
        let transform = self.transform;
        let mut steps: Vec<&Step> = transform.steps.iter().collect();
        if direction == Direction::Inverse {
            steps.reverse();
        }
        // At least a pair.
        let total_bits = self.total.next_power_of_two().ilog2().max(1);
        let capacity = (self.capabilities.max_workgroup_storage_bytes / 4).max(2).ilog2();
        let mut kernels = Vec::new();
        let mut rest = &steps[..];
        while let Some(first) = rest.first() {
            let std::ops::Range { mut start, mut end } = first.window();
            if end - start > capacity {
                kernels.push(self.in_storage(first, direction)?);
                rest = &rest[1..];
                continue;
            }
            let mut count = 0;
            for step in rest {
                let window = step.window();
                let wider = start.min(window.start)..end.max(window.end);
                if wider.end - wider.start > capacity {
                    break;
                }
                (start, end) = (wider.start, wider.end);
                count += 1;
            }
            let lowest = end.saturating_sub(capacity);
            let low = start.saturating_sub(ADJACENT_BITS).max(lowest);
            let high = end.max((low + WINDOW_BITS.min(capacity)).min(total_bits));
            kernels.push(self.in_workgroup(&rest[..count], low..high, direction)?);
            rest = &rest[count..];
        }
        Ok(kernels)
    }

    fn in_workgroup(
        &mut self,
        steps: &[&Step],
        window: std::ops::Range<u32>,
        direction: Direction,
    ) -> Result<Kernel, FftError> {
        let (low, points) = (window.start, 1 << (window.end - window.start));
        let lanes = INVOCATIONS.min(self.capabilities.max_workgroup_invocations).min(points / 2);
        // The last windows may be partly empty.
        let windows = self.total.div_ceil(1 << window.end) << low;
        let mut text = format!(
            "const LOW: u32 = {low}u;\nconst POINTS: u32 = {points}u;\nconst WINDOWS: u32 = {windows}u;\n\
             const LENGTH: u32 = {}u;\n#import \"fft/additive_steps.wgsl\"\n\
             fn run_steps(window: u32, lane: u32) {{\n",
            self.transform.length()
        );
        for step in steps {
            let body = self.body(step, direction, "points", low, "index_of(window, low)");
            let _ = write!(
                text,
                "    for (var pair = lane; pair < POINTS / 2u; pair += LANES) {{\n{body}    }}\n    \
                 workgroupBarrier();\n"
            );
        }
        text += "}\n";
        self.kernel(&format!("{direction} in workgroups"), lanes, windows, &text)
    }

    fn in_storage(&mut self, step: &Step, direction: Direction) -> Result<Kernel, FftError> {
        let lanes = INVOCATIONS.min(self.capabilities.max_workgroup_invocations);
        let body = self.body(step, direction, "data", 0, "low");
        let text =
            format!("#import \"fft/additive_step.wgsl\"\nfn run_pair(pair: u32) {{\n{body}}}\n");
        self.kernel(
            &format!("{direction} in storage"),
            lanes,
            (self.total / 2).div_ceil(lanes),
            &text,
        )
    }

    /// The WGSL of a step for one pair of values `array[low]` and `array[high]`, where bit 0 of a place in
    /// `array` is bit `first` of an address, and `index` is the place of `low` in its line.
    fn body(
        &mut self,
        step: &Step,
        direction: Direction,
        array: &str,
        first: u32,
        index: &str,
    ) -> String {
        let bit = match step {
            Step::Quotient(Divisor { bit, .. }) | Step::Remainder(Divisor { bit, .. }) => {
                bit - first
            }
            Step::Scale { .. } => 0,
            Step::Butterfly { bit, .. } => bit - first,
        };
        let half = 1_u32 << bit;
        let mut text = format!("let low = lower_of(pair, {bit}u);\nlet high = low + {half}u;\n");
        let product = |a: u32, value: String| match a {
            1 => value,
            _ => format!("times({a}u, {value})"),
        };
        match step {
            Step::Quotient(Divisor { terms, .. }) => {
                let _ = writeln!(text, "let n = low & {}u;\nvar sum = {array}[high];", half - 1);
                for (d, a) in terms {
                    let width = 1 << (d - first);
                    let up = half - width;
                    let value = format!("{array}[high + select(0u, {up}u, n < {width}u)]");
                    let value = product(*a, value);
                    let _ = writeln!(text, "sum ^= select(0u, {value}, n < {width}u);");
                }
                let _ = writeln!(text, "{array}[high] = sum;");
            }
            Step::Remainder(Divisor { terms, .. }) => {
                let _ = writeln!(text, "let n = low & {}u;\nvar sum = {array}[low];", half - 1);
                for (d, a) in terms {
                    let width = 1_u32 << (d - first);
                    let value = product(*a, format!("{array}[high - {width}u]"));
                    let _ = writeln!(text, "sum ^= select(0u, {value}, n >= {width}u);");
                }
                let _ = writeln!(text, "{array}[low] = sum;");
            }
            Step::Scale { shift, factors } => {
                let field = self.transform.field();
                let factors: Vec<u32> =
                    factors.iter().map(|factor| field.toward(*factor, direction)).collect();
                let (table, mask) = (self.table(&factors), factors.len() - 1);
                let step = 1_u32 << first;
                for (point, index) in
                    [("low", index.to_owned()), ("high", format!("({index} + {step}u)"))]
                {
                    let _ = writeln!(
                        text,
                        "{array}[{point}] = times(tables[{table}u + (({index} >> {shift}u) & {mask}u)], \
                         {array}[{point}]);"
                    );
                }
            }
            Step::Butterfly { bit, weights } => {
                let table = self.table(weights);
                let shift = bit + 1;
                let _ = writeln!(text, "let weight = tables[{table}u + ({index} >> {shift}u)];");
                text += &match direction {
                    Direction::Forward => format!(
                        "let a = {array}[low] ^ times(weight, {array}[high]);\n\
                         {array}[low] = a;\n{array}[high] ^= a;\n"
                    ),
                    Direction::Inverse => format!(
                        "let b = {array}[high] ^ {array}[low];\n{array}[high] = b;\n\
                         {array}[low] ^= times(weight, b);\n"
                    ),
                };
            }
        }
        text
    }

    fn kernel(
        &self,
        name: &str,
        lanes: u32,
        workgroups: u32,
        text: &str,
    ) -> Result<Kernel, FftError> {
        let (transform, field) = (self.transform, self.transform.field());
        let label = format!(
            "fft::additive {:?} {} over GF(2^{}) {name}",
            transform.method(),
            transform.length(),
            field.degree()
        );
        let times = match self.product {
            Product::Logs => "logs",
            Product::Shifts => "shifts",
        };
        let text = match text {
            "" => "#import \"fft/additive_product.wgsl\"\n",
            text => text,
        };
        let text = format!(
            "const DEGREE: u32 = {}u;\nconst MODULUS: u32 = {}u;\nconst LOGS: u32 = 0u;\n\
             const POWERS: u32 = {}u;\nconst TOTAL: u32 = {}u;\nconst LANES: u32 = {lanes}u;\n\
             @group(0) @binding(0) var<storage, read_write> data: array<u32>;\n\
             @group(0) @binding(1) var<storage, read> tables: array<u32>;\n\
             #import \"fft/additive_times_by_{times}.wgsl\"\n{text}",
            field.degree(),
            field.modulus(),
            self.powers,
            self.total,
        );
        let wgsl = crate::SHADERS.resolve_text(&label, &text)?;
        let most = self.capabilities.max_workgroups_per_dimension.max(1);
        let y = workgroups.div_ceil(most);
        Ok(Kernel { label, wgsl, workgroups: [workgroups.div_ceil(y), y] })
    }
}

/// An additive transform of lines on a device, in place.
#[derive(Clone, Debug)]
pub struct AdditivePlan {
    forward: Vec<Compiled>,
    inverse: Vec<Compiled>,
    product: Compiled,
    layout: bindings::Layout,
    product_layout: bindings::Layout,
    tables: wgpu::Buffer,
    bytes: u64,
}

#[derive(Clone, Debug)]
struct Compiled {
    pipeline: wgpu::ComputePipeline,
    workgroups: [u32; 2],
}

impl Compiled {
    fn encode(&self, pass: &mut wgpu::ComputePass<'_>, group: &wgpu::BindGroup) {
        let [x, y] = self.workgroups;
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.dispatch_workgroups(x, y, 1);
    }
}

impl AdditivePlan {
    /// Compiles `transform` for `lines` lines, one after the other in a buffer.
    ///
    /// # Errors
    /// [`AdditiveError::Fft`] if there are no lines, or if they exceed a limit of the device.
    pub fn new(
        device: &wgpu::Device,
        transform: &Transform,
        lines: u32,
        product: Product,
    ) -> Result<Self, AdditiveError> {
        let program = Program::new(transform, lines, product, &Capabilities::of(device))?;
        Ok(Self::from_program(device, &program))
    }

    pub(super) fn from_program(device: &wgpu::Device, program: &Program) -> Self {
        let types =
            [bindings::storage_read_write(), bindings::storage_read(), bindings::storage_read()];
        let layout = |types: &[_]| {
            bindings::layout(device, "fft::additive_layout", wgpu::ShaderStages::COMPUTE, types)
        };
        let (layout, product_layout) = (layout(&types[..2]), layout(&types));
        let compile = |kernel: &Kernel, layout: &bindings::Layout| {
            let Kernel { label, wgsl, workgroups } = kernel;
            let layouts: [Option<&wgpu::BindGroupLayout>; 1] = [Some(layout)];
            let compiled = gpu::compute_kernel(device, label, wgsl, "main", &layouts);
            Compiled { pipeline: compiled.pipeline, workgroups: *workgroups }
        };
        let all =
            |kernels: &[Kernel]| kernels.iter().map(|kernel| compile(kernel, &layout)).collect();
        // A binding is not empty.
        let words = if program.tables.is_empty() { &[0][..] } else { &program.tables };
        let usage = wgpu::BufferUsages::STORAGE;
        Self {
            forward: all(&program.forward),
            inverse: all(&program.inverse),
            product: compile(&program.product, &product_layout),
            tables: gpu::filled(device, "fft::additive_tables", usage, bytemuck::cast_slice(words)),
            layout,
            product_layout,
            bytes: program.bytes,
        }
    }

    /// The bytes of the lines.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of dispatches in a direction.
    pub fn dispatch_count(&self, direction: Direction) -> usize {
        self.kernels(direction).len()
    }

    fn kernels(&self, direction: Direction) -> &[Compiled] {
        match direction {
            Direction::Forward => &self.forward,
            Direction::Inverse => &self.inverse,
        }
    }

    /// Binds the buffer that holds the lines. Its values must be elements of the field.
    ///
    /// # Errors
    /// [`AdditiveError::Fft`] if the buffer is too small or has no usage for storage.
    pub fn bind(
        &self,
        device: &wgpu::Device,
        lines: &wgpu::Buffer,
    ) -> Result<BoundAdditive, AdditiveError> {
        check("input", lines, self.bytes)?;
        let group = bindings::group(device, "fft::additive", &self.layout, &[lines, &self.tables]);
        Ok(BoundAdditive { plan: self.clone(), group })
    }

    /// Binds two buffers of polynomials, of which the first receives the products. The coefficients of each line
    /// must leave room for those of its product.
    ///
    /// # Errors
    /// Those of [`AdditivePlan::bind`], and [`AdditiveError::Fft`] if both are one buffer.
    pub fn bind_product(
        &self,
        device: &wgpu::Device,
        a: &wgpu::Buffer,
        b: &wgpu::Buffer,
    ) -> Result<BoundPolynomialProduct, AdditiveError> {
        if a == b {
            return Err(FftError::SharedBuffer { first: "factor", second: "other factor" }.into());
        }
        let factors = [self.bind(device, a)?, self.bind(device, b)?];
        let resources: [&dyn bindings::Resource; 3] = [a, &self.tables, b];
        let group = bindings::group(device, "fft::additive", &self.product_layout, &resources);
        Ok(BoundPolynomialProduct { factors, group })
    }
}

fn check(region: &'static str, buffer: &wgpu::Buffer, needed: u64) -> Result<(), FftError> {
    if !buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
        return Err(FftError::Usage { region });
    }
    let available = buffer.size();
    match needed <= available {
        true => Ok(()),
        false => Err(FftError::TooSmall { region, needed, offset: 0, available }),
    }
}

/// An [`AdditivePlan`] with its buffer.
#[derive(Clone, Debug)]
pub struct BoundAdditive {
    plan: AdditivePlan,
    group: wgpu::BindGroup,
}

impl BoundAdditive {
    /// Records the transform.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>, direction: Direction) {
        self.plan.kernels(direction).iter().for_each(|kernel| kernel.encode(pass, &self.group));
    }
}

/// The products of polynomials in two buffers.
#[derive(Clone, Debug)]
pub struct BoundPolynomialProduct {
    factors: [BoundAdditive; 2],
    group: wgpu::BindGroup,
}

impl BoundPolynomialProduct {
    /// Records the products: two transforms, a product of their values, and a transform back.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        let [a, b] = &self.factors;
        a.encode(pass, Direction::Forward);
        b.encode(pass, Direction::Forward);
        a.plan.product.encode(pass, &self.group);
        a.encode(pass, Direction::Inverse);
    }
}

#[cfg(test)]
mod tests;
