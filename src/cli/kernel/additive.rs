//! The kernels of an additive transform over GF(2^m).

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anyhow::{Context as _, bail};

use super::{Args, Global, Language, Usage, capabilities, languages, output};
use crate::choice::Choice as _;
use crate::fft::lab::additive::{Field, Kernel, Method, Product, Program, Transform};
use crate::fft::{Axis, Direction, Kind, Precision};
use crate::foundry::Shader;

/// The degree of the field where no option names one: that of `bench --other additive`.
const DEGREE: u32 = 16;

pub fn run(args: &Args, method: Method, global: &Global) -> anyhow::Result<()> {
    args.check_additive()?;
    let length = match args.size.extent(1) {
        Some([length, ..]) if length.is_power_of_two() && length > 1 => length,
        _ => bail!(Usage(format!(
            "--size {} has no additive transform: lines have 2, 4, 8 or another power of two of values",
            args.size
        ))),
    };
    let field = Field::new(args.degree.unwrap_or(DEGREE))?;
    let transform = Transform::new(&field, method, length.ilog2())?;
    let capabilities = capabilities(global.limits)?;
    let program = Program::new(&transform, args.batch, Product::default(), &capabilities)?;
    let kernels = match args.form.direction {
        Direction::Forward => &program.forward,
        Direction::Inverse => &program.inverse,
    };
    let chosen = match args.kernel {
        Some(number) if number > kernels.len() => {
            let count = kernels.len();
            bail!("there is no kernel {number}: the last of {} is {count}", method.name())
        }
        Some(number) => number - 1..number,
        None => 0..kernels.len(),
    };
    let header = |index: usize| header(args, &transform, &program, kernels, index);
    if args.lang == Language::Spirv && chosen.len() != 1 {
        let count = kernels.len();
        bail!(Usage(format!(
            "{} has {count} kernels, and a SPIR-V file holds one: choose one with --kernel, from 1 \
             to {count}",
            method.name()
        )));
    }
    if let Some(file) = &args.tables {
        let bytes: Vec<u8> = program.tables.iter().flat_map(|word| word.to_le_bytes()).collect();
        output::write_encoded(file, Ok(bytes))?;
    }
    if args.lang == Language::Spirv {
        eprint!("{}", header(chosen.start));
        let words = languages::spirv(&shader(&kernels[chosen.start]))?;
        return io::stdout()
            .write_all(bytemuck::cast_slice(&words))
            .context("the kernel could not be written");
    }
    let mut text = String::new();
    for index in chosen {
        let gap = if text.is_empty() { "" } else { "\n" };
        let body = languages::text(&shader(&kernels[index]), args.lang)?;
        // GLSL wants its version first.
        let (version, rest) = match body.strip_prefix("#version") {
            Some(_) => body.split_at(body.find('\n').map_or(body.len(), |end| end + 1)),
            None => ("", &*body),
        };
        let notes = languages::notes(args.lang);
        let _ = write!(text, "{gap}{version}{}{notes}\n{rest}", header(index));
    }
    output::print(&text)
}

impl Args {
    /// Refuses what only other transforms have.
    fn check_additive(&self) -> Result<(), Usage> {
        let others = [
            ("--dimensions", self.dimensions.is_some_and(|dimensions| dimensions != 1)),
            ("--kind", self.kind != Kind::Complex),
            ("--axis", self.axis != [Axis::Row]),
            ("--precision", self.precision != Precision::F32),
            ("--normalization", self.scale.normalization.is_some()),
            ("--layout", self.form.layout.is_some()),
            ("--html", self.html.is_some()),
        ];
        let given = others.iter().find(|(_, is_given)| *is_given).map(|(name, _)| *name);
        match given.or(self.parameters.0.is_set().then_some("a parameter of an FFT")) {
            None => Ok(()),
            Some(name) => Err(Usage(format!(
                "an additive transform takes --size, --batch, --degree, --direction, --tables, \
                 --lang and --kernel, and not {name}"
            ))),
        }
    }
}

/// The kernel for its translation: both of its bindings are of group 0.
fn shader(kernel: &Kernel) -> Shader {
    Shader::of_buffers(&kernel.label, &kernel.wgsl, &["storage", "read-only-storage"])
}

/// A comment that says which kernel it is, which buffers to bind and how to dispatch.
fn header(
    args: &Args,
    transform: &Transform,
    program: &Program,
    kernels: &[Kernel],
    index: usize,
) -> String {
    let (degree, length) = (transform.field().degree(), transform.length());
    let [x, y] = kernels[index].workgroups;
    let tables = match &args.tables {
        Some(file) => format!("in {}", output::shown(&file.display())),
        None => "which --tables FILE writes".to_owned(),
    };
    format!(
        "// {}: {} additive transform of {} lines of {length} values of GF(2^{degree}), in place\n\
         // Kernel {} of {}, each after the one before has finished.\n\
         // Binding 0: storage buffer, read and written: the lines, one after the other, 32 bits for each value, \
         {} bytes.\n\
         // Binding 1: storage buffer, read: {} integers of 32 bits, {tables}.\n\
         // Dispatch: {x} x {y} x 1 workgroups. Entry point: main.\n",
        transform.method().name(),
        args.form.direction,
        args.batch,
        index + 1,
        kernels.len(),
        program.bytes,
        program.tables.len(),
    )
}
