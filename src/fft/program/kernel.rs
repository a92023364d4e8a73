//! Puts a kernel together: constants, the files that say how values are kept, loaded and stored,
//! and the algorithm's own file.

use std::fmt::Write as _;

use crate::fft::algorithms::Twiddles;
use crate::fft::descriptor::{Axis, Layout, Precision};
use crate::fft::hook::{LoadHook, StoreHook};
use crate::fft::program::Problem;
use crate::fft::program::{Access, HookLines, Kernel, Role, Table};
use crate::gpu::shader;

/// Numbers of the bindings in group 0, as the files under `shaders/fft/` have them.
const SOURCE: u32 = 0;
const DESTINATION: u32 = 1;
const TWIDDLES: u32 = 2;
const PARAMS: u32 = 3;
const CHIRPS: u32 = 4;

/// What distinguishes the kernels of a program from one another.
pub(in crate::fft) struct KernelParts<'a> {
    /// The algorithm's own WGSL, with imports.
    pub body: &'a str,
    pub axis: Axis,
    /// Where its values come from and go to.
    pub ends: Ends,
    /// Finishes its axis: what it stores is scaled.
    pub scales: bool,
    /// Stores the image transposed.
    pub transposes: bool,
    /// Binds a uniform with the dispatch's parameters.
    pub has_params: bool,
    /// Binds a table of chirps.
    pub has_chirps: bool,
    pub workgroup_size: u32,
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u32,
    /// Takes each `vec4` of layout `Pair` as two `vec2`: the buffer is one of planar images twice
    /// as wide, whose lines along either axis alternate between the two images.
    pub split: bool,
    /// Every index of the body is within bounds by construction, and it has no loops: may be compiled
    /// without checks.
    pub is_in_bounds: bool,
    /// Where twiddle factors come from: never the polynomial for a length that it does not know.
    pub twiddles: Twiddles,
    /// What factors are roots of unity of, where that is not the length of the axis.
    pub period: Option<Period>,
    /// Constants besides those of `common.wgsl`.
    pub constants: &'a [(&'a str, u32)],
}

/// Twiddle factors are exp(sign 2 pi i k / points), and in a table of `table_points` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fft) struct Period {
    pub points: u32,
    /// A multiple of the points.
    pub table_points: u32,
}

/// 2^32 / period, the step from one root of unity to the next in units of 2^-32 turns: what it has
/// before the point and after.
struct Turn {
    whole: u32,
    rest: f32,
}

impl Turn {
    fn of(period: u32) -> Self {
        let (turn, period) = (1_u64 << 32, u64::from(period));
        let rest = (turn % period) as f64 / period as f64;
        // Of one point there is no next: a whole turn is none.
        Self { whole: (turn / period) as u32, rest: rest as f32 }
    }
}

/// Where the values of a kernel come from and go to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::fft) struct Ends {
    pub load: Load,
    pub store: Store,
    /// Width and height of what is loaded, where those are not the image's.
    pub loaded: Option<[u32; 2]>,
    /// The same of what is stored.
    pub stored: Option<[u32; 2]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::fft) enum Load {
    /// A buffer of its own.
    Source,
    /// The buffer that it stores to.
    Destination,
    /// A buffer of its own, in tiles.
    Tiles,
    /// The plan's load hook.
    Hook,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::fft) enum Store {
    /// A buffer.
    Destination,
    /// A buffer, in tiles.
    Tiles,
    /// The plan's store hook.
    Hook,
}

impl Ends {
    /// From one buffer to another, or the same.
    pub fn buffers(source: Role, destination: Role) -> Self {
        let load = if source == destination { Load::Destination } else { Load::Source };
        Self { load, store: Store::Destination, loaded: None, stored: None }
    }

    /// Bytes of image data that a kernel with these ends reads.
    pub fn bytes_read(self, problem: &Problem<'_>) -> u64 {
        if self.load == Load::Hook { 0 } else { bytes(problem, self.loaded) }
    }

    /// Bytes of image data that a kernel with these ends writes.
    pub fn bytes_written(self, problem: &Problem<'_>) -> u64 {
        if self.store == Store::Hook { 0 } else { bytes(problem, self.stored) }
    }
}

/// Bytes of the batch in images of `size`, or of their own.
fn bytes(problem: &Problem<'_>, size: Option<[u32; 2]>) -> u64 {
    size.map_or(problem.data_bytes(), |size| problem.bytes_of(size))
}

impl KernelParts<'_> {
    pub fn compose(&self, problem: &Problem<'_>) -> Kernel {
        let descriptor = problem.descriptor;
        let layout = match descriptor.layout {
            Layout::Pair if !self.split => "pair",
            _ => "planar",
        };
        let real = match descriptor.precision {
            Precision::F32 | Precision::F16 => "real_f32",
            Precision::F64 => "real_f64",
        };
        let stored = match (descriptor.precision, layout) {
            (Precision::F32 | Precision::F64, _) => "stored_as_computed",
            (Precision::F16, "pair") => "stored_pair_f16",
            (Precision::F16, _) => "stored_planar_f16",
        };
        let load = match self.ends.load {
            Load::Source => Some("load"),
            Load::Destination => Some("load_in_place"),
            Load::Tiles => Some("load_tiles"),
            Load::Hook => None,
        };
        let store = match self.ends.store {
            Store::Destination => Some("store"),
            Store::Tiles => Some("store_tiles"),
            Store::Hook => None,
        };
        let twiddle = match self.twiddles {
            Twiddles::Table | Twiddles::Powers => "twiddle_table",
            Twiddles::SinCos => "twiddle_sincos",
            Twiddles::Computed => "twiddle_computed",
        };
        let [width, height] = descriptor.size;
        let axis = self.axis;
        let label = format!("fft::{} {axis} {width}x{height} {layout}", problem.algorithm);
        let own = "the files of shaders/fft are part of the library";
        let mut module = shader::Module::default();
        module.add(&label, &self.constants(problem)).expect(own);
        let parts = [Some(real), Some(layout), Some(stored), load, store, Some(twiddle)];
        for part in parts.into_iter().flatten() {
            module.add(&label, &format!("#import \"fft/{part}.wgsl\"\n")).expect(own);
        }
        let load_hook = descriptor.load.as_ref().filter(|_| self.ends.load == Load::Hook);
        let store_hook = descriptor.store.as_ref().filter(|_| self.ends.store == Store::Hook);
        let mut hooks = Vec::new();
        let hook_texts = [
            load_hook.map(|hook| (hook.name(), hook.wgsl(), hook.parts())),
            store_hook.map(|hook| (hook.name(), hook.wgsl(), hook.parts())),
        ];
        for (name, wgsl, parts) in hook_texts.into_iter().flatten() {
            let lines =
                module.add_composed(name, wgsl, parts).expect("checked when the problem was made");
            hooks.push(HookLines { hook: name.to_owned(), lines });
        }
        if load_hook.is_some_and(|hook| hook.layers_per_prepare().is_some()) {
            module.add(&label, "#import \"fft/load_prepared.wgsl\"\n").expect(own);
        }
        module.add(&label, self.body).expect(own);
        let (wgsl, parts) = module.composed().into_parts();
        let mut bindings = Vec::new();
        if matches!(self.ends.load, Load::Source | Load::Tiles) {
            bindings.push((SOURCE, Access::Read));
        }
        if self.ends.store != Store::Hook {
            bindings.push((DESTINATION, Access::ReadWrite));
        }
        if uses_table(self.twiddles) {
            bindings.push((TWIDDLES, Access::Read));
        }
        if self.has_params {
            bindings.push((PARAMS, Access::Uniform));
        }
        if self.has_chirps {
            bindings.push((CHIRPS, Access::Read));
        }
        Kernel {
            label,
            wgsl,
            entry: "main",
            bindings,
            workgroup_size: self.workgroup_size,
            workgroup_bytes: self.workgroup_bytes,
            // With a hook in it, the kernel is as trustworthy as the hook.
            is_in_bounds: self.is_in_bounds
                && load_hook.is_none_or(LoadHook::is_in_bounds)
                && store_hook.is_none_or(StoreHook::is_in_bounds),
            loads_by_hook: load_hook.is_some(),
            stores_by_hook: store_hook.is_some(),
            hooks,
            parts,
        }
    }

    fn constants(&self, problem: &Problem<'_>) -> String {
        let [width, height] = problem.descriptor.size;
        let length = problem.length(self.axis);
        let parts = if self.split { 2 } else { 1 };
        let descriptor = problem.descriptor;
        let scale = if self.scales { descriptor.factor(self.axis) } else { 1.0 };
        let enables = match descriptor.precision {
            Precision::F32 | Precision::F64 => "",
            Precision::F16 => "enable f16;\n",
        };
        let Period { points, table_points } =
            self.period.unwrap_or_else(|| problem.period(self.axis));
        let mut text = format!(
            "{enables}const ROWS: bool = {};\nconst SIGN: Real = {};\nconst SCALE: Real = {};\n",
            self.axis == Axis::Row,
            literal(descriptor.direction.sign(), descriptor.precision),
            literal(scale, descriptor.precision),
        );
        if self.twiddles == Twiddles::Computed {
            let Turn { whole, rest } = Turn::of(points);
            writeln!(text, "const TURN: u32 = {whole}u;\nconst TURN_REST: f32 = {rest:?};")
                .expect("writing to a string");
        }
        let own = [width * parts, height];
        let [load_width, load_height] = self.ends.loaded.unwrap_or(own);
        let [store_width, store_height] = match self.transposes {
            true => [height, width * parts],
            false => self.ends.stored.unwrap_or(own),
        };
        let common = [
            ("WIDTH", width * parts),
            ("HEIGHT", height),
            ("LOAD_WIDTH", load_width),
            ("LOAD_HEIGHT", load_height),
            ("STORE_WIDTH", store_width),
            ("STORE_HEIGHT", store_height),
            ("IMAGE_LINES", problem.image_lines(self.axis) * parts),
            ("LENGTH", length),
            ("LOG2_LENGTH", length.ilog2()),
            ("PERIOD", points),
            ("TABLE_STEP", table_points / points),
            ("WORKGROUP_SIZE", self.workgroup_size),
        ];
        let per_prepare = descriptor.load.as_ref().and_then(|hook| hook.layers_per_prepare());
        let per_prepare = per_prepare.map(|layers| ("LAYERS_PER_PREPARE", layers));
        for (name, value) in common.iter().chain(self.constants).chain(&per_prepare) {
            writeln!(text, "const {name}: u32 = {value}u;").expect("writing to a string");
        }
        text
    }
}

/// `value` as kernels of `precision` have it.
pub(in crate::fft) fn literal(value: f64, precision: Precision) -> String {
    match precision {
        Precision::F32 | Precision::F16 => format!("{:?}", value as f32),
        Precision::F64 => format!("{value:?}lf"),
    }
}

/// The tables that a dispatch binds, as far as its kernel has bindings for them.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::fft) struct TableNumbers {
    pub twiddles: usize,
    pub chirps: usize,
}

/// What a dispatch binds to `kernel` when it reads `source` and writes `destination`, in the order
/// of its bindings.
pub(in crate::fft) fn roles(
    kernel: &Kernel,
    source: Role,
    destination: Role,
    tables: TableNumbers,
) -> Vec<Role> {
    let role = |binding: u32| match binding {
        SOURCE => source,
        DESTINATION => destination,
        TWIDDLES => Role::Table(tables.twiddles),
        CHIRPS => Role::Table(tables.chirps),
        _ => Role::Params,
    };
    kernel.bindings.iter().map(|(binding, _)| role(*binding)).collect()
}

/// The tables that kernels of this module bind: twiddle factors, or none.
pub(in crate::fft) fn tables(problem: &Problem<'_>, twiddles: Twiddles) -> Vec<Table> {
    if !uses_table(twiddles) {
        return Vec::new();
    }
    let direction = problem.descriptor.direction;
    let periods = problem.table_periods().into_iter();
    periods.map(|period| Table::twiddles(period, direction)).collect()
}

pub(in crate::fft) fn uses_table(twiddles: Twiddles) -> bool {
    matches!(twiddles, Twiddles::Table | Twiddles::Powers)
}
