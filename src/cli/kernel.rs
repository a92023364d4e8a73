//! `seaway kernel`: prints the kernels as they run, for use elsewhere.

mod translate;

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};

use crate::choice::Choice as _;
use crate::fft::lab::{self, Access, AlgorithmChoice, Program, Role, Table};
use crate::fft::{Axes, Axis, Descriptor, Kind, Layout, Normalization, Precision};
use crate::gpu::{Capabilities, ContextError};
use anyhow::{Context as _, bail, ensure};

use super::Global;
use super::args;
use super::auto::Auto;
use super::device::{Gpu, Limits};
use super::exit::Usage;
use super::fft_options::{self, Form, ParameterOptions, Problem, Scale};
use super::output;
use super::size::Size;
use translate::Language;

#[derive(clap::Args)]
pub struct Args {
    /// FFT algorithm
    #[arg(long, value_name = "NAME", default_value = "best", value_parser = args::algorithm())]
    algorithm: AlgorithmChoice,
    /// Size: N (the points of a line, or the side of a square or a cube), WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH
    #[arg(long, value_name = "N")]
    size: Size,
    /// Dimensions of the transform: 1 (lines), 2 (images) or 3 (volumes) [default: 2; 3 for a size
    /// with three sides]
    #[arg(long, value_name = "N", value_parser = args::number(1..=3_u32))]
    dimensions: Option<u32>,
    /// Kind of transform: complex numbers, real numbers to half of their spectrum (and back, with
    /// the inverse), or a cosine transform
    #[arg(
        long,
        value_name = "NAME",
        default_value = "complex",
        value_parser = args::choice::<Kind>()
    )]
    kind: Kind,
    /// Axes whose kernels to print
    #[arg(
        long,
        value_name = "AXIS,..",
        value_delimiter = ',',
        default_value = "row",
        value_parser = args::choice::<Axis>()
    )]
    axis: Vec<Axis>,
    /// Shading language to print
    #[arg(long, value_enum, default_value_t = Language::Wgsl)]
    lang: Language,
    /// Print only this kernel, counted from 1
    #[arg(long, value_name = "N", value_parser = args::number(1..=1000_usize))]
    kernel: Option<usize>,
    /// Number of lines, images or volumes in a batch, which sets the number of workgroups to dispatch
    #[arg(long, value_name = "N", default_value = "4", value_parser = args::number(1..=65_535_u32))]
    batch: u32,
    /// Precision of the numbers in memory; f16 and f32 are computed in 32-bit floats, f64 in 64-bit floats
    #[arg(
        long,
        value_name = "NAME",
        default_value = "f32",
        value_parser = args::choice::<Precision>()
    )]
    precision: Precision,
    #[command(flatten)]
    scale: Scale,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    auto: Auto,
    #[command(flatten)]
    parameters: ParameterOptions,
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let binary = args.lang == Language::Spirv;
    if binary && io::stdout().is_terminal() {
        bail!(Usage("SPIR-V is binary: redirect stdout to a file, as in > kernel.spv".into(),));
    }
    args.parameters.check(&[args.algorithm])?;
    let volume = matches!(args.size, Size::Volume(_));
    let dimensions = args.dimensions.unwrap_or(if volume { 3 } else { 2 });
    let Some(extent) = args.size.extent(dimensions) else {
        let size = args.size;
        bail!(Usage(format!("--size {size} cannot have --dimensions {dimensions}")));
    };
    if args.lang == Language::Msl && args.precision == Precision::F64 {
        bail!(Usage(
            "Metal has no 64-bit floats: use another --lang than msl for --precision f64".into(),
        ));
    }
    let problem = Problem { kind: args.kind, dimensions, extent, batch: args.batch };
    let task = Descriptor {
        direction: args.form.direction,
        normalization: args.scale.normalization(args.precision),
        precision: args.precision,
        ..problem.task(args.form.layout.unwrap_or(Layout::Planar))
    };
    let (descriptor, capabilities) = match args.algorithm {
        AlgorithmChoice::Named(algorithm) => {
            let configuration = args.parameters.of(algorithm)?;
            (task.by(configuration), capabilities(global.limits)?)
        }
        AlgorithmChoice::Best => (task, capabilities(global.limits)?),
        AlgorithmChoice::Auto => {
            let gpu = Gpu::open(global.limits)?;
            let chosen = args.auto.resolve(&gpu, args.algorithm, &task)?;
            (chosen, gpu.context.capabilities)
        }
    };
    let program = lab::program(&descriptor, &capabilities)?;
    let configuration = program.configuration.context("a program of an algorithm")?;
    let algorithm = configuration.algorithm();
    let kernels: Vec<_> = (0..program.kernels.len())
        .filter(|kernel| {
            let mut runs = program.dispatches.iter().filter(|run| run.kernel == *kernel);
            runs.any(|run| args.axis.contains(&run.axis))
        })
        .collect();
    for axis in &args.axis {
        let has_it = program.dispatches.iter().any(|run| run.axis == *axis);
        ensure!(has_it, "this transform has no axis {axis}: use {}", what_there_is(&program));
    }
    let chosen: Vec<_> = match args.kernel {
        None => kernels.clone(),
        Some(number) => {
            ensure!(
                number <= kernels.len(),
                "there is no kernel {number}: {} has {} for this axis",
                algorithm,
                kernels.len()
            );
            vec![kernels[number - 1]]
        }
    };
    if binary {
        let [only] = chosen[..] else {
            let count = chosen.len();
            bail!(Usage(format!(
                "{} has {count} kernels, and a SPIR-V file holds one: choose one with --kernel, \
                 from 1 to {count}",
                algorithm
            )));
        };
        eprint!("{}", header(&descriptor, &program, only));
        let words = translate::spirv(&program.kernels[only])?;
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        return io::stdout().write_all(bytes).context("the kernel could not be written");
    }
    let mut text = String::new();
    for (place, &kernel) in chosen.iter().enumerate() {
        if place > 0 {
            text += "\n";
        }
        let body = translate::text(&program.kernels[kernel], args.lang)?;
        // GLSL wants its version first.
        let (first, rest) = match body.strip_prefix("#version") {
            Some(_) => body.split_once('\n').unwrap_or((&body, "")),
            None => ("", &*body),
        };
        if !first.is_empty() {
            text += &format!("{first}\n");
        }
        text += &header(&descriptor, &program, kernel);
        text += translate::notes(args.lang);
        text += "\n";
        text += rest;
    }
    output::print(&text)
}

/// The axes of `program`, by the names of the option.
fn what_there_is(program: &Program) -> String {
    let mut axes: Vec<_> = program.dispatches.iter().map(|run| run.axis.name()).collect();
    axes.dedup();
    format!("--axis {}", axes.join(","))
}

/// The adapter's capabilities, or WebGPU's defaults if they are requested or there is no adapter: printing a
/// kernel needs no GPU.
fn capabilities(limits: Limits) -> anyhow::Result<Capabilities> {
    if limits == Limits::Webgpu {
        return Ok(Capabilities::webgpu_defaults());
    }
    match Gpu::open(limits) {
        Ok(gpu) => Ok(gpu.context.capabilities),
        Err(error) => match error.downcast_ref() {
            Some(ContextError::NoAdapter { .. }) => {
                eprintln!(
                    "no adapter was found: the kernels are those for WebGPU's default limits"
                );
                Ok(Capabilities::webgpu_defaults())
            }
            _ => Err(error),
        },
    }
}

/// Describes the bindings and the dispatch of kernel `index` of `program`.
fn header(descriptor: &Descriptor, program: &Program, index: usize) -> String {
    let kernel = &program.kernels[index];
    let Descriptor { direction, layout, .. } = descriptor;
    let configuration = program.configuration.as_ref().expect("a program of an algorithm");
    let algorithm = configuration.algorithm();
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "{}", format!("// {words}").trim_end());
    let mut write = || -> std::fmt::Result {
        let scale = match descriptor.normalization {
            Normalization::None => "not scaled",
            Normalization::Ortho => "scaled by 1 / sqrt(points)",
            Normalization::Points => "scaled by 1 / points",
        };
        line(format!("{algorithm}: {direction} {}, {scale}", what(descriptor)))?;
        line(algorithm.description().to_owned())?;
        line(format!("All of its parameters: {}.", fft_options::flags(configuration)))?;
        line(format!(
            "Kernel {} of {} of the transform, from seaway {} (MIT or Apache-2.0).",
            index + 1,
            program.kernels.len(),
            env!("CARGO_PKG_VERSION")
        ))?;
        line(String::new())?;
        line(format!(
            "Data: row-major, natural order, {}, {}; {} bytes in, {} bytes out.",
            data(descriptor, *layout),
            match descriptor.precision {
                Precision::F32 => "32-bit floats",
                Precision::F64 => "64-bit floats",
                Precision::F16 => "16-bit floats",
            },
            program.input_bytes,
            program.output_bytes
        ))?;
        line(format!(
            "Workgroups of {} invocations, {} bytes of workgroup memory. Entry point: {}.",
            kernel.workgroup_size, kernel.workgroup_bytes, kernel.entry
        ))?;
        line(String::new())?;
        line("Bindings of group 0:".into())?;
        for (binding, access) in &kernel.bindings {
            line(format!("  {binding}: {}", binding_text(program, index, *binding, *access)))?;
        }
        line("Dispatches of the whole transform, each after the one before has finished:".into())?;
        for (number, dispatch) in program.dispatches.iter().enumerate() {
            let [x, y, z] = dispatch.workgroups;
            let which = if dispatch.kernel == index { "This" } else { "Another" };
            let params = match &dispatch.params[..] {
                [] => String::new(),
                params => format!(", with parameters {params:?}"),
            };
            let roles: Vec<_> = dispatch
                .roles
                .iter()
                .filter_map(|role| match role {
                    Role::Input => Some("input"),
                    Role::Output => Some("output"),
                    Role::Scratch | Role::SecondScratch => Some("scratch"),
                    Role::Table(_) | Role::Params | Role::Arrivals => None,
                })
                .collect();
            let lines = match dispatch.roles.contains(&Role::Arrivals) {
                true => "rows, then columns".to_owned(),
                false => format!("{}s", dispatch.axis),
            };
            line(format!(
                "  {}. {which} kernel works on {lines} in {x} x {y} x {z} workgroups{params}: {}",
                number + 1,
                roles.join(" -> ")
            ))?;
        }
        Ok(())
    };
    write().expect("writing to a string");
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

/// Describes the layout of its numbers.
fn data(task: &Descriptor, layout: Layout) -> String {
    let order = if task.depth > 1 { "[z][y][x]" } else { "[y][x]" };
    let complex = match layout {
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

fn binding_text(program: &Program, kernel: usize, binding: u32, access: Access) -> String {
    let bindings = &program.kernels[kernel].bindings;
    let place = bindings.iter().position(|(number, _)| *number == binding).expect("its own");
    let mut roles: Vec<Role> = Vec::new();
    for dispatch in program.dispatches.iter().filter(|dispatch| dispatch.kernel == kernel) {
        if !roles.contains(&dispatch.roles[place]) {
            roles.push(dispatch.roles[place]);
        }
    }
    let names: Vec<_> = roles
        .iter()
        .map(|role| match role {
            Role::Input => "the input".to_owned(),
            Role::Output => "the output".to_owned(),
            Role::Scratch => format!("scratch memory of {} bytes", program.scratch_bytes),
            Role::SecondScratch => {
                format!("more scratch memory, of {} bytes", program.second_scratch_bytes)
            }
            Role::Arrivals => format!(
                "zeros at first, {} bytes, by which the workgroups of an image wait for each other: all must \
                 run at once, and word 1 of 32 is not 0 where they did not",
                program.arrivals_bytes
            ),
            Role::Params => "the dispatch's parameters, 32-bit integers".to_owned(),
            Role::Table(table) => {
                let Table { label, values } = &program.tables[*table];
                if label.starts_with("chirps") {
                    return format!("Bluestein's chirp and filter, {} of (re, im)", values.len());
                }
                let sign = if values.get(1).is_some_and(|w| w[1] > 0.0) { "+" } else { "-" };
                format!(
                    "twiddle factors, (re, im) of exp({sign}2 pi i k / {0}) for k in 0..{0}",
                    values.len()
                )
            }
        })
        .collect();
    let kind = match access {
        Access::Read => "storage buffer, read",
        Access::ReadWrite => "storage buffer, read and written",
        Access::Uniform => "uniform buffer",
    };
    format!("{kind}: {}", names.join(" or "))
}

#[cfg(test)]
mod tests {
    use crate::fft::lab::Algorithm;

    use super::*;

    /// Every kernel of every algorithm, in one small and one usual size.
    fn kernels() -> Vec<(Descriptor, Program)> {
        let mut programs = Vec::new();
        for &algorithm in Algorithm::ALL {
            for size in [[4; 2], [256; 2], [60, 17], [1, 1 << 16]] {
                for &layout in Layout::ALL {
                    let descriptor =
                        Descriptor { size, layout, ..Default::default() }.by(algorithm);
                    if let Ok(program) = lab::program(&descriptor, &Capabilities::webgpu_defaults())
                    {
                        programs.push((descriptor, program));
                    }
                }
            }
        }
        programs
    }

    #[test]
    fn every_kernel_translates_to_every_language() {
        for (descriptor, program) in kernels() {
            for (index, kernel) in program.kernels.iter().enumerate() {
                for lang in [Language::Wgsl, Language::Glsl, Language::Hlsl, Language::Msl] {
                    let text = translate::text(kernel, lang)
                        .unwrap_or_else(|error| panic!("{} {lang:?}: {error}", kernel.label));
                    assert!(text.contains("main"), "{} {lang:?}", kernel.label);
                    assert!(!text.contains("fake"), "{} {lang:?}: unbound", kernel.label);
                }
                let header = header(&descriptor, &program, index);
                for (binding, _) in &kernel.bindings {
                    assert!(header.contains(&format!("\n//   {binding}: ")), "{header}");
                }
                assert!(header.contains("This kernel works on "), "{header}");
            }
        }
    }

    #[test]
    fn wgsl_and_spirv_survive_a_round_trip() {
        use naga::valid::{Capabilities, ValidationFlags, Validator};
        for (descriptor, program) in kernels() {
            for (index, kernel) in program.kernels.iter().enumerate() {
                let words = translate::spirv(kernel).unwrap();
                let bytes: &[u8] = bytemuck::cast_slice(&words);
                let read = naga::front::spv::parse_u8_slice(bytes, &Default::default())
                    .unwrap_or_else(|error| panic!("{}: {error}", kernel.label));
                let text = header(&descriptor, &program, index)
                    + &translate::text(kernel, Language::Wgsl).unwrap();
                let written = naga::front::wgsl::parse_str(&text).unwrap();
                for module in [read, written] {
                    Validator::new(ValidationFlags::all(), Capabilities::empty())
                        .validate(&module)
                        .unwrap_or_else(|error| panic!("{}: {error:?}", kernel.label));
                    let [entry] = &module.entry_points[..] else { panic!("one entry point") };
                    assert_eq!(entry.workgroup_size, [kernel.workgroup_size, 1, 1]);
                }
            }
        }
    }
}
