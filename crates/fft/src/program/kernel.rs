//! Composes a kernel: constants, the files for storing, loading and keeping values, and the algorithm's
//! own file.

use std::fmt::Write as _;

use crate::configuration::{PingPong, Twiddles};
use crate::descriptor::{Axis, Direction, Kind, Layout, Precision, whole_words};
use crate::gpu::shader;
use crate::hook::{LoadHook, StoreHook};
use crate::program::Problem;
use crate::program::{Access, HookLines, Kernel, Role, Table};

/// The numbers of the bindings in group 0, as in the files under `shaders/fft/`.
const SOURCE: u32 = 0;
const DESTINATION: u32 = 1;
const TWIDDLES: u32 = 2;
const PARAMS: u32 = 3;
const CHIRPS: u32 = 4;
const TWISTS: u32 = 5;
/// The binding for results between stages of one dispatch.
const PING: u32 = 6;
const PONG: u32 = 7;
/// Those of what the workgroups of a dispatch wait by.
pub(crate) const TURNS: u32 = 8;
const PASSED: u32 = 9;

/// The longest line whose result 16-bit floats hold when they held its input, as `stored_pair_packed.wgsl` keeps
/// it. Twiddle factors must lie on the circle, which WGSL does not promise of the device's own.
const LONGEST_WITHIN_HALVES: u32 = 512;

/// The differences between the kernels of a program.
pub(crate) struct KernelParts<'a> {
    pub body: &'a str,
    pub axis: Axis,
    /// The source and the destination of its values.
    pub ends: Ends,
    /// Whether it finishes its axis, so that its results are scaled.
    pub scales: bool,
    pub transposes: bool,
    /// Whether it binds a uniform with the dispatch's parameters.
    pub has_params: bool,
    pub has_chirps: bool,
    /// Whether it binds a table of the factors between real lines and complex ones, if it binds tables.
    pub has_twists: bool,
    /// The memory for results between stages of one dispatch: both scratch buffers or images are bound.
    pub ping_pong: PingPong,
    pub workgroup_size: u32,
    /// The bytes of workgroup memory.
    pub workgroup_bytes: u32,
    /// Whether it treats each `vec4` of layout `Pair` as two `vec2`: the buffer is one of planar images
    /// twice as wide, whose lines along either axis alternate between the two images.
    pub split: bool,
    /// Whether every index of the body is within bounds by construction, and it has no endless loop, so that
    /// it may be compiled without checks.
    pub is_in_bounds: bool,
    /// The source of twiddle factors: never the polynomial for a length that it does not know.
    pub twiddles: Twiddles,
    /// The order of the roots of unity, where it is not the length of the axis.
    pub period: Option<Period>,
    /// The complex points of a line, where they differ from those of the axis.
    pub length: Option<u32>,
    /// The direction of the transform, which may differ from the descriptor's for real data.
    pub direction: Direction,
    /// Constants besides those of `common.wgsl`.
    pub constants: &'a [(&'a str, u32)],
}

/// The order of twiddle factors, which are exp(sign 2 pi i k / points), in a table of `table_points`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Period {
    pub points: u32,
    pub table_points: u32,
}

/// 2^32 / period, the step from one root of unity to the next in units of 2^-32 turns, as its whole part
/// and its fraction.
pub(crate) fn turn(period: u32) -> (u32, f32) {
    let (turn, period) = (1_u64 << 32, u64::from(period));
    let rest = (turn % period) as f64 / period as f64;
    // A single point has no step: a whole turn is none.
    ((turn / period) as u32, rest as f32)
}

/// The source and the destination of a kernel's values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ends {
    pub load: Load,
    pub store: Store,
    /// The buffers, whatever hooks read or write in place of them.
    pub source: Role,
    pub destination: Role,
    pub loaded: Array,
    pub stored: Array,
    /// Whether its buffers hold 16-bit floats, whatever the transform's precision.
    pub in_halves: bool,
}

/// The array at one end of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Array {
    /// The width, height and depth in scratch memory, where they differ from the transform's.
    pub size: Option<[u32; 3]>,
    pub values: Values,
    /// The valid part of a line: beyond it zeros are loaded and nothing is stored.
    pub extent: Option<u32>,
}

/// The type of the values of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Values {
    #[default]
    Complex,
    Real,
    /// Real numbers, of which two neighbours in a row form a complex one.
    RealPairs,
}

/// The layout of an array in its buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Form {
    /// The elements from one row to the next, and the rows of a layer and of a slice.
    width: u32,
    height: u32,
    slice: u32,
    /// The number of elements before the first.
    offset: u32,
    /// The strides along x, y, z and the layers, where elements are not dense.
    strides: Option<[u32; 4]>,
}

impl Array {
    fn form(self, problem: &Problem<'_>, role: Role) -> Form {
        let descriptor = problem.descriptor;
        let [_, canonical, depth] = descriptor.spectrum_size();
        let dense = |[width, height, depth]: [u32; 3]| Form {
            width,
            height: height * depth,
            slice: height,
            offset: 0,
            strides: None,
        };
        if let Some(size) = self.size {
            return dense(size);
        }
        let view = match role {
            Role::Input => descriptor.input.map(|_| descriptor.input_view()),
            Role::Output => descriptor.output.map(|_| descriptor.output_view()),
            _ => None,
        };
        if let Some(view) = view {
            let (offset, strides) = match self.values {
                // This holds for dense rows only.
                Values::RealPairs => {
                    let [_, y, z, layer] = view.strides;
                    (view.offset / 2, [1, y / 2, z / 2, layer / 2])
                }
                Values::Complex | Values::Real => (view.offset, view.strides),
            };
            let form = dense([0, canonical, depth]);
            return Form { offset, strides: Some(strides), ..form };
        }
        let [spectrum, ..] = descriptor.spectrum_size();
        // In place, the rows of half a spectrum replace those of real numbers.
        let of_spectrum = descriptor.kind == Kind::Real && problem.is_in_place();
        let reals = if of_spectrum { 2 * spectrum } else { descriptor.size[0] };
        let width = match self.values {
            Values::Complex => spectrum,
            Values::Real => reals,
            Values::RealPairs => reals / 2,
        };
        dense([width, canonical, depth])
    }

    /// The bytes of the whole batch in scratch memory.
    pub fn scratch_bytes(self, problem: &Problem<'_>) -> u64 {
        let bytes = problem.bytes_of(self.size.unwrap_or(problem.descriptor.spectrum_size()));
        if self.values == Values::Complex { bytes } else { whole_words(bytes / 2) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    Source,
    Destination,
    Tiles,
    Passed,
    Image,
    Hook,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    Destination,
    Tiles,
    Passed,
    Image,
    Hook,
}

impl Ends {
    /// The ends that read one buffer and write another, or the same. Either may be an image.
    pub fn buffers(source: Role, destination: Role) -> Self {
        let load = match source {
            Role::Image(_) => Load::Image,
            Role::Passed => Load::Passed,
            _ if source == destination => Load::Destination,
            _ => Load::Source,
        };
        let store = match destination {
            Role::Image(_) => Store::Image,
            Role::Passed => Store::Passed,
            _ => Store::Destination,
        };
        let [loaded, stored] = [Array::default(); 2];
        Self { load, store, source, destination, loaded, stored, in_halves: false }
    }

    /// The bytes of image data that a kernel with these ends reads: whole images unless `moved` is given.
    pub fn bytes_read(self, problem: &Problem<'_>, moved: Option<u64>) -> u64 {
        if self.load == Load::Hook { 0 } else { moved.unwrap_or(problem.data_bytes()) }
    }

    /// The bytes that it writes, by the rules of [`Ends::bytes_read`].
    pub fn bytes_written(self, problem: &Problem<'_>, moved: Option<u64>) -> u64 {
        if self.store == Store::Hook { 0 } else { moved.unwrap_or(problem.data_bytes()) }
    }

    fn forms(self, problem: &Problem<'_>) -> [Form; 2] {
        [self.loaded.form(problem, self.source), self.stored.form(problem, self.destination)]
    }

    fn files(self, problem: &Problem<'_>) -> Vec<&'static str> {
        let is_strided = self.forms(problem).map(|form| form.strides.is_some());
        let loads_reals = self.loaded.values == Values::Real;
        let stores_reals = self.stored.values == Values::Real;
        let mut files = vec![match (self.load, loads_reals, stores_reals) {
            (Load::Source, false, _) => "load",
            (Load::Source, true, _) => "load_real",
            (Load::Destination, false, false) => "load_in_place",
            (Load::Destination, true, true) => "load_real_in_place",
            (Load::Destination, true, false) => "load_real_of_complex",
            (Load::Destination, false, true) => "load_in_place",
            (Load::Tiles, ..) => "load_tiles",
            (Load::Passed, ..) => "load_passed",
            (Load::Image, ..) => "load_image",
            (Load::Hook, false, _) => "",
            (Load::Hook, true, _) => "load_real_by_hook",
        }];
        files.push(match (self.store, stores_reals) {
            (Store::Destination, false) => "store",
            (Store::Destination, true) => match (self.load, loads_reals) {
                (Load::Destination, false) => "store_real_in_complex",
                _ => "store_real",
            },
            (Store::Tiles, _) => "store_tiles",
            (Store::Passed, _) => "store_passed",
            (Store::Image, _) => "store_image",
            (Store::Hook, false) => "",
            (Store::Hook, true) => "store_real_by_hook",
        });
        if matches!(self.load, Load::Source | Load::Destination) {
            files.push(if is_strided[0] { "load_strided" } else { "load_dense" });
        }
        if matches!(self.store, Store::Destination) {
            files.push(if is_strided[1] { "store_strided" } else { "store_dense" });
        }
        files.push(if problem.descriptor.depth > 1 {
            "lines_of_volumes"
        } else {
            "lines_of_images"
        });
        files.push(if loads_reals { "load_real_point" } else { "load_point" });
        files.push(if stores_reals { "store_real_point" } else { "store_point" });
        files.retain(|file| !file.is_empty());
        files
    }
}

impl KernelParts<'_> {
    /// The parts of a kernel that finishes its axis, without a body and without what only some have.
    pub fn new(
        problem: &Problem<'_>,
        axis: Axis,
        ends: Ends,
        twiddles: Twiddles,
        workgroup_size: u32,
    ) -> Self {
        Self {
            body: "",
            axis,
            ends,
            scales: true,
            transposes: false,
            has_params: false,
            has_chirps: false,
            has_twists: false,
            ping_pong: PingPong::Workgroup,
            workgroup_size,
            workgroup_bytes: 0,
            split: false,
            is_in_bounds: false,
            twiddles,
            period: None,
            length: None,
            direction: problem.descriptor.direction,
            constants: &[],
        }
    }

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
            _ if self.has_halves(problem) => "stored_pair_halves",
            _ if self.ends.in_halves && layout == "pair" => "stored_pair_packed",
            _ if self.ends.in_halves => "stored_planar_packed",
            (Precision::F32 | Precision::F64, _) => "stored_as_computed",
            (Precision::F16, "pair") => "stored_pair_f16",
            (Precision::F16, _) => "stored_planar_f16",
        };
        let twiddle = match self.twiddles {
            Twiddles::Table | Twiddles::Powers => "twiddle_table",
            Twiddles::Texture => "twiddle_texture",
            Twiddles::SinCos => "twiddle_sincos",
            Twiddles::Computed => "twiddle_computed",
        };
        let [width, height] = descriptor.size;
        let axis = self.axis;
        let depth = match descriptor.depth {
            1 => String::new(),
            depth => format!("x{depth}"),
        };
        let kind = match descriptor.kind {
            Kind::Complex => String::new(),
            kind => format!(" {kind}"),
        };
        let label =
            format!("fft::{}{kind} {axis} {width}x{height}{depth} {layout}", problem.algorithm);
        let own = "the files of shaders/fft are part of the library";
        let mut module = shader::Module::new(&crate::SHADERS);
        module.add(&label, &self.constants(problem)).expect(own);
        let mut files = vec![real, layout, stored];
        if [self.ends.loaded, self.ends.stored].iter().any(|array| array.values == Values::Real) {
            files.push(match descriptor.precision {
                Precision::F16 => "stored_real_f16",
                Precision::F32 | Precision::F64 => "stored_real_as_computed",
            });
        }
        let has_images = self.ping_pong == PingPong::Image
            || self.ends.load == Load::Image
            || self.ends.store == Store::Image;
        if has_images {
            files.push(if layout == "pair" { "image_pair" } else { "image_planar" });
        }
        if self.ends.load == Load::Passed || self.ends.store == Store::Passed {
            files.push(match layout {
                "pair" if self.ends.in_halves => "passed_pair_packed",
                "pair" => "passed_pair",
                _ if self.ends.in_halves => "passed_planar_packed",
                _ => "passed_planar",
            });
        }
        files.extend(self.ends.files(problem));
        files.push(twiddle);
        if self.has_twists {
            files.push(if uses_table(self.twiddles) { "twist_table" } else { "twist_computed" });
        }
        for file in files {
            module.add(&label, &format!("#import \"fft/{file}.wgsl\"\n")).expect(own);
        }
        let load_hook = descriptor.load.as_ref().filter(|_| self.ends.load == Load::Hook);
        let store_hook = descriptor.store.as_ref().filter(|_| self.ends.store == Store::Hook);
        let mut hooks = Vec::new();
        let hook_texts = [
            load_hook.map(|hook| (hook.name(), hook.module(), hook.signatures())),
            store_hook.map(|hook| (hook.name(), hook.module(), hook.signatures())),
        ];
        for (name, wgsl, calls) in hook_texts.into_iter().flatten() {
            let lines = module.add_composed(name, wgsl).expect("checked when the problem was made");
            hooks.push(HookLines { hook: name.to_owned(), calls, lines });
        }
        if load_hook.is_some_and(|hook| hook.layers_per_prepare().is_some()) {
            module.add(&label, "#import \"fft/load_prepared.wgsl\"\n").expect(own);
        }
        module.add(&label, self.body).expect(own);
        let (wgsl, parts) = module.composed().into_parts();
        let mut bindings = Vec::new();
        match self.ends.load {
            Load::Source | Load::Tiles => bindings.push((SOURCE, Access::Read)),
            Load::Image => bindings.push((SOURCE, Access::TextureLoad)),
            Load::Passed => bindings.push((PASSED, Access::ReadWrite)),
            Load::Destination | Load::Hook => {}
        }
        match self.ends.store {
            Store::Destination | Store::Tiles => bindings.push((DESTINATION, Access::ReadWrite)),
            Store::Image => bindings.push((DESTINATION, Access::TextureStore(descriptor.layout))),
            Store::Passed => bindings.push((PASSED, Access::ReadWrite)),
            Store::Hook => {}
        }
        match self.twiddles {
            Twiddles::Table | Twiddles::Powers => bindings.push((TWIDDLES, Access::Read)),
            Twiddles::Texture => bindings.push((TWIDDLES, Access::TextureLoad)),
            Twiddles::Computed | Twiddles::SinCos => {}
        }
        if self.has_params {
            bindings.push((PARAMS, Access::Uniform));
        }
        if self.has_chirps {
            bindings.push((CHIRPS, Access::Read));
        }
        if self.has_twists && uses_table(self.twiddles) {
            bindings.push((TWISTS, Access::Read));
        }
        let between = match self.ping_pong {
            PingPong::Workgroup => None,
            PingPong::Storage => Some(Access::ReadWrite),
            PingPong::Image => Some(Access::TextureReadWrite(descriptor.layout)),
        };
        bindings.extend([PING, PONG].into_iter().zip(between.iter().cycle().copied()));
        Kernel {
            label,
            wgsl,
            entry: "main",
            bindings,
            workgroup_size: self.workgroup_size,
            workgroup_bytes: self.workgroup_bytes,
            // A kernel is as safe as its hooks.
            is_in_bounds: self.is_in_bounds
                && load_hook.is_none_or(LoadHook::is_in_bounds)
                && store_hook.is_none_or(StoreHook::is_in_bounds),
            loads_by_hook: load_hook.is_some(),
            stores_by_hook: store_hook.is_some(),
            hooks,
            parts,
        }
    }

    /// Whether it keeps intermediate pairs in 16-bit floats of the device. Workgroups that wait for each other
    /// pass on whole words instead.
    fn has_halves(&self, problem: &Problem<'_>) -> bool {
        let passes = self.ends.load == Load::Passed || self.ends.store == Store::Passed;
        let is_pair = problem.descriptor.layout == Layout::Pair && !self.split;
        self.ends.in_halves && is_pair && !passes && problem.capabilities.shader_f16
    }

    fn constants(&self, problem: &Problem<'_>) -> String {
        let [width, height] = problem.descriptor.size;
        let length = problem.length(self.axis);
        let parts = if self.split { 2 } else { 1 };
        let descriptor = problem.descriptor;
        let scale = if self.scales { descriptor.factor(self.axis) } else { 1.0 };
        let has_halves = descriptor.precision == Precision::F16 || self.has_halves(problem);
        let enables = if has_halves { "enable f16;\n" } else { "" };
        let Period { points, table_points } =
            self.period.unwrap_or_else(|| problem.period(self.axis));
        let mut text = format!(
            "{enables}const ROWS: bool = {};\nconst SIGN: Real = {};\nconst SCALE: Real = {};\n",
            self.axis == Axis::Row,
            literal(self.direction.sign(), descriptor.precision),
            literal(scale, descriptor.precision),
        );
        if self.twiddles == Twiddles::Computed {
            let (whole, rest) = turn(points);
            writeln!(text, "const TURN: u32 = {whole}u;\nconst TURN_REST: f32 = {rest:?};")
                .expect("writing to a string");
        }
        if self.twiddles == Twiddles::Texture {
            writeln!(text, "const TABLE_ROW: u32 = {}u;", Table::ROW).expect("writing to a string");
        }
        let [loaded, stored] = self.ends.forms(problem);
        let [store_width, store_height] = match self.transposes {
            true => [height, width * parts],
            false => [stored.width * parts, stored.height],
        };
        let length = self.length.unwrap_or(length);
        let common = [
            ("WIDTH", width * parts),
            ("HEIGHT", height),
            ("LOAD_WIDTH", loaded.width * parts),
            ("LOAD_HEIGHT", loaded.height),
            ("LOAD_SLICE", loaded.slice),
            ("STORE_WIDTH", store_width),
            ("STORE_HEIGHT", store_height),
            ("STORE_SLICE", stored.slice),
            ("IMAGE_LINES", problem.image_lines(self.axis) * parts),
            ("LENGTH", length),
            ("LOG2_LENGTH", length.ilog2()),
            ("PERIOD", points),
            ("TABLE_STEP", table_points / points),
            ("WORKGROUP_SIZE", self.workgroup_size),
        ];
        let per_prepare = descriptor.load.as_ref().and_then(|hook| hook.layers_per_prepare());
        let per_prepare = per_prepare.map(|layers| ("LAYERS_PER_PREPARE", layers));
        let ends = [("LOAD", self.ends.loaded, loaded), ("STORE", self.ends.stored, stored)];
        for (end, array, form) in ends {
            writeln!(
                text,
                "const {end}_IS_CLIPPED: bool = {};\nconst {end}_EXTENT: u32 = {}u;",
                array.extent.is_some(),
                array.extent.unwrap_or(length)
            )
            .expect("writing to a string");
            if form.strides.is_some() {
                writeln!(text, "const {end}_OFFSET: u32 = {}u;", form.offset)
                    .expect("writing to a string");
            }
            for (axis, stride) in ["X", "Y", "Z", "LAYER"].iter().zip(form.strides.iter().flatten())
            {
                writeln!(text, "const {end}_STRIDE_{axis}: u32 = {stride}u;")
                    .expect("writing to a string");
            }
        }
        if descriptor.depth > 1 {
            let [count, _] = problem.line_counts(self.axis);
            let depths = self.axis == Axis::Depth;
            writeln!(text, "const DEPTHS: bool = {depths};\nconst LINE_COUNT: u32 = {count}u;")
                .expect("writing to a string");
        }
        if self.ends.store == Store::Hook {
            let within_halves = self.ends.in_halves
                && length <= LONGEST_WITHIN_HALVES
                && self.twiddles != Twiddles::SinCos;
            writeln!(text, "const WITHIN_HALVES: bool = {within_halves};")
                .expect("writing to a string");
        }
        for (name, value) in common.iter().chain(self.constants).chain(&per_prepare) {
            writeln!(text, "const {name}: u32 = {value}u;").expect("writing to a string");
        }
        text
    }
}

/// The literal of `value` in kernels of `precision`.
pub(crate) fn literal(value: f64, precision: Precision) -> String {
    match precision {
        Precision::F32 | Precision::F16 => format!("{:?}", value as f32),
        Precision::F64 => format!("{value:?}lf"),
    }
}

/// The numbers of the tables that a dispatch binds, as far as its kernel has bindings for them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TableNumbers {
    pub twiddles: usize,
    pub chirps: usize,
    pub twists: usize,
}

/// The bindings of a dispatch of `kernel` that reads `source` and writes `destination`, in order.
pub(crate) fn roles(
    kernel: &Kernel,
    source: Role,
    destination: Role,
    tables: TableNumbers,
) -> Vec<Role> {
    let role = |(binding, access): &(u32, Access)| match (*binding, access) {
        (SOURCE, _) => source,
        (DESTINATION, _) => destination,
        (TWIDDLES, _) => Role::Table(tables.twiddles),
        (CHIRPS, _) => Role::Table(tables.chirps),
        (TWISTS, _) => Role::Table(tables.twists),
        (PING, Access::TextureReadWrite(_)) => Role::Image(0),
        (PONG, Access::TextureReadWrite(_)) => Role::Image(1),
        (PING, _) => Role::Scratch,
        (PONG, _) => Role::SecondScratch,
        (TURNS, _) => Role::Turns,
        (PASSED, _) => Role::Passed,
        _ => Role::Params,
    };
    kernel.bindings.iter().map(role).collect()
}

pub(crate) fn tables(problem: &Problem<'_>, twiddles: Twiddles) -> Vec<Table> {
    if !uses_table(twiddles) {
        return Vec::new();
    }
    let direction = problem.descriptor.direction;
    let periods = problem.table_periods().into_iter();
    let in_texture = twiddles == Twiddles::Texture;
    periods.map(|period| Table { in_texture, ..Table::twiddles(period, direction) }).collect()
}

pub(crate) fn uses_table(twiddles: Twiddles) -> bool {
    matches!(twiddles, Twiddles::Table | Twiddles::Texture | Twiddles::Powers)
}
