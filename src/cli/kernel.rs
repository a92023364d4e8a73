//! `seaway kernel`: prints the kernels as they run, for use elsewhere.

mod additive;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use crate::choice::Choice as _;
use crate::fft::lab::additive::MAX_DEGREE;
use crate::fft::lab::{self, Algorithm, AlgorithmChoice, Program};
use crate::fft::{Axis, Descriptor, Kind, Layout, Precision};
use crate::foundry::languages::{self, Language};
use crate::foundry::{Sheet, html};
use crate::gpu::{Capabilities, ContextError};
use anyhow::{Context as _, bail, ensure};

use super::Global;
use super::args::{self, Either};
use super::auto::Auto;
use super::device::{Gpu, Limits};
use super::exit::Usage;
use super::fft_options::{Form, ParameterOptions, Problem, Scale};
use super::output;
use super::size::Size;

#[derive(clap::Args)]
pub struct Args {
    /// FFT algorithm, or an additive transform (wang-zhu-cantor, gao-mateer) of lines over GF(2^m)
    #[arg(long, value_name = "NAME", default_value = "best", value_parser = args::algorithm_or_additive())]
    algorithm: Either,
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
    /// Write a page instead, to FILE or stdout: every kernel in every language, what to bind, how to
    /// dispatch, and a JavaScript host that runs and checks the transform in a browser
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["axis", "lang", "kernel"])]
    html: Option<Option<PathBuf>>,
    /// Print only this kernel, counted from 1
    #[arg(long, value_name = "N", value_parser = args::number(1..=1000_usize))]
    kernel: Option<usize>,
    /// For an additive transform: m of the field GF(2^m) [default: 16]
    #[arg(long, value_name = "M", value_parser = args::number(1..=MAX_DEGREE))]
    degree: Option<u32>,
    /// For an additive transform: also write its tables to FILE, 32-bit integers with the lowest byte first
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
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
    let algorithm = match args.algorithm {
        Either::Fft(choice) => choice,
        Either::Additive(method) => return additive::run(args, method, global),
    };
    if args.degree.is_some() || args.tables.is_some() {
        bail!(Usage("--degree and --tables are for wang-zhu-cantor and gao-mateer".into()));
    }
    let task = args.task(algorithm)?;
    let (descriptor, capabilities) = match algorithm {
        AlgorithmChoice::Named(algorithm) => {
            let configuration = args.parameters.of(algorithm)?;
            (task.by(configuration), capabilities(global.limits)?)
        }
        AlgorithmChoice::Best => (task, capabilities(global.limits)?),
        AlgorithmChoice::Auto => {
            let gpu = Gpu::open(global.limits)?;
            let chosen = args.auto.resolve(&gpu, algorithm, &task)?;
            (chosen, gpu.context.capabilities)
        }
    };
    // A page runs in browsers, which have neither.
    let is_native = args.html.is_none();
    let capabilities = Capabilities {
        coherent_storage: is_native && capabilities.coherent_storage,
        read_write_textures: is_native && capabilities.read_write_textures,
        ..capabilities
    };
    let program = lab::program(&descriptor, &capabilities)?;
    if let Some(file) = &args.html {
        let page = html::page(&Sheet::new(&descriptor, &program));
        return match file {
            Some(file) => output::write(file, &page),
            None => output::print(&page),
        };
    }
    let configuration = program.configuration.context("a program of an algorithm")?;
    let algorithm = configuration.algorithm();
    let chosen = args.chosen(&program, algorithm)?;
    let sheet = Sheet::new(&descriptor, &program);
    if binary {
        let [only] = chosen[..] else {
            let count = chosen.len();
            bail!(Usage(format!(
                "{} has {count} kernels, and a SPIR-V file holds one: choose one with --kernel, \
                 from 1 to {count}",
                algorithm
            )));
        };
        eprint!("{}", sheet.header(only));
        let words = languages::spirv(&sheet.kernels[only])?;
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        return io::stdout().write_all(bytes).context("the kernel could not be written");
    }
    let texts = chosen.iter().map(|kernel| sheet.text(*kernel, args.lang));
    let text = texts.collect::<Result<Vec<_>, _>>()?.join("\n");
    output::print(&text)
}

impl Args {
    /// The transform, without an algorithm.
    fn task(&self, algorithm: AlgorithmChoice) -> anyhow::Result<Descriptor> {
        self.parameters.check(&[algorithm])?;
        let volume = matches!(self.size, Size::Volume(_));
        let dimensions = self.dimensions.unwrap_or(if volume { 3 } else { 2 });
        let Some(extent) = self.size.extent(dimensions) else {
            let size = self.size;
            bail!(Usage(format!("--size {size} cannot have --dimensions {dimensions}")));
        };
        if self.lang == Language::Msl && self.precision == Precision::F64 {
            bail!(Usage(
                "Metal has no 64-bit floats: use another --lang than msl for --precision f64"
                    .into(),
            ));
        }
        let problem = Problem { kind: self.kind, dimensions, extent, batch: self.batch };
        Ok(Descriptor {
            direction: self.form.direction,
            normalization: self.scale.normalization(self.precision),
            precision: self.precision,
            ..problem.task(self.form.layout.unwrap_or(Layout::Planar))
        })
    }

    /// The transform and the number of the kernel, for tests of lines that other code writes.
    #[cfg(test)]
    pub fn described(&self) -> (Descriptor, Option<usize>) {
        let Either::Fft(choice) = self.algorithm else { panic!("an FFT") };
        let algorithm = choice.named().expect("an algorithm by name");
        let configuration = self.parameters.of(algorithm).expect("its parameters");
        (self.task(choice).expect("a transform").by(configuration), self.kernel)
    }

    /// The indices of the kernels to print.
    fn chosen(&self, program: &Program, algorithm: Algorithm) -> anyhow::Result<Vec<usize>> {
        let kernels: Vec<_> = (0..program.kernels.len())
            .filter(|kernel| {
                let mut runs = program.dispatches.iter().filter(|run| run.kernel == *kernel);
                runs.any(|run| self.axis.contains(&run.axis))
            })
            .collect();
        for axis in &self.axis {
            let has_it = program.dispatches.iter().any(|run| run.axis == *axis);
            ensure!(has_it, "this transform has no axis {axis}: use {}", what_there_is(program));
        }
        let Some(number) = self.kernel else { return Ok(kernels) };
        ensure!(
            number <= kernels.len(),
            "there is no kernel {number}: {algorithm} has {} for this axis",
            kernels.len()
        );
        Ok(vec![kernels[number - 1]])
    }
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
