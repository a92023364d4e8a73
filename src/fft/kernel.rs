//! Puts a kernel together: constants, the files that say how values are kept, loaded and stored,
//! and the algorithm's own file.

use std::fmt::Write as _;

use super::problem::Problem;
use super::{Access, Axis, Kernel, Layout, Role, Table, Twiddles};
use crate::gpu::shader;

/// Numbers of the bindings in group 0, as the files under `shaders/fft/` have them.
const SOURCE: u32 = 0;
const DESTINATION: u32 = 1;
const TWIDDLES: u32 = 2;
const PARAMS: u32 = 3;

/// What distinguishes the kernels of a program from one another.
pub(super) struct KernelParts<'a> {
    /// The algorithm's own WGSL, with imports.
    pub body: &'a str,
    pub axis: Axis,
    /// Loads from the buffer that it stores to.
    pub in_place: bool,
    /// Binds a uniform with the dispatch's parameters.
    pub has_params: bool,
    pub workgroup_size: u32,
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u32,
    /// Takes each `vec4` of layout `Pair` as two `vec2`: the buffer is one of planar images twice
    /// as wide, whose lines along either axis alternate between the two images.
    pub split: bool,
    /// See [`Kernel::trusted`].
    pub trusted: bool,
    /// Constants besides those of `common.wgsl`.
    pub constants: &'a [(&'a str, u32)],
}

impl KernelParts<'_> {
    pub fn compose(&self, problem: &Problem<'_>) -> Kernel {
        let descriptor = problem.descriptor;
        let layout = match descriptor.layout {
            Layout::Pair if !self.split => "pair",
            _ => "planar",
        };
        let load = if self.in_place { "load_in_place" } else { "load" };
        let twiddle = match problem.twiddles() {
            Twiddles::Table | Twiddles::Powers => "twiddle_table",
            Twiddles::SinCos => "twiddle_sincos",
            Twiddles::Computed => "twiddle_computed",
        };
        let mut text = String::new();
        for part in [layout, load, "store", twiddle] {
            writeln!(text, "#import \"fft/{part}.wgsl\"").expect("writing to a string");
        }
        text.push_str(self.body);

        let [width, height] = descriptor.size;
        let axis = self.axis;
        let label = format!("fft::{} {axis} {width}x{height} {layout}", problem.algorithm());
        let body = shader::resolve_text(&label, &text)
            .expect("the files of shaders/fft are part of the library");
        let mut bindings = vec![(DESTINATION, Access::ReadWrite)];
        if !self.in_place {
            bindings.insert(0, (SOURCE, Access::Read));
        }
        if uses_table(problem) {
            bindings.push((TWIDDLES, Access::Read));
        }
        if self.has_params {
            bindings.push((PARAMS, Access::Uniform));
        }
        Kernel {
            label,
            wgsl: format!("{}\n{body}", self.constants(problem)),
            entry: "main",
            bindings,
            workgroup_size: self.workgroup_size,
            workgroup_bytes: self.workgroup_bytes,
            trusted: self.trusted,
        }
    }

    fn constants(&self, problem: &Problem<'_>) -> String {
        let [width, height] = problem.descriptor.size;
        let length = problem.length(self.axis);
        let parts = if self.split { 2 } else { 1 };
        let mut text = format!(
            "const ROWS: bool = {};\nconst SIGN: f32 = {:?};\n",
            self.axis == Axis::Row,
            problem.descriptor.direction.sign(),
        );
        let common = [
            ("WIDTH", width * parts),
            ("HEIGHT", height),
            ("IMAGE_LINES", problem.image_lines(self.axis) * parts),
            ("LENGTH", length),
            ("LOG2_LENGTH", length.ilog2()),
            ("TABLE_STEP", problem.table_periods()[problem.table(self.axis)] / length),
            ("WORKGROUP_SIZE", self.workgroup_size),
        ];
        for (name, value) in common.iter().chain(self.constants) {
            writeln!(text, "const {name}: u32 = {value}u;").expect("writing to a string");
        }
        text
    }
}

/// What a dispatch binds to `kernel` when it reads `source` and writes `destination`, in the order
/// of its bindings.
pub(super) fn roles(kernel: &Kernel, source: Role, destination: Role) -> Vec<Role> {
    let role = |binding: u32| match binding {
        SOURCE => source,
        DESTINATION => destination,
        TWIDDLES => Role::Table(0),
        _ => Role::Params,
    };
    kernel.bindings.iter().map(|(binding, _)| role(*binding)).collect()
}

/// The tables that kernels of this module bind: twiddle factors, or none.
pub(super) fn tables(problem: &Problem<'_>) -> Vec<Table> {
    if !uses_table(problem) {
        return Vec::new();
    }
    let direction = problem.descriptor.direction;
    let periods = problem.table_periods().into_iter();
    periods.map(|period| Table::twiddles(period, direction)).collect()
}

fn uses_table(problem: &Problem<'_>) -> bool {
    matches!(problem.twiddles(), Twiddles::Table | Twiddles::Powers)
}
