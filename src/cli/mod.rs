//! The command line. Each command is one file with an `Args` and a `run`, and one arm in
//! [`Command`]. Data goes to stdout, progress and messages to stderr.

mod args;
mod auto;
mod bake;
mod bench;
mod device;
mod estimate;
mod exit;
mod fft;
mod fft_options;
mod field;
mod fields;
mod figures;
mod filter;
mod frames;
mod gallery;
mod headless;
mod info;
mod kernel;
mod npy;
mod output;
mod points;
mod presets;
mod profile;
mod render;
mod run;
mod scene;
mod size;
mod spectrum;
mod sweep;
mod verify;
mod video;
mod view;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use device::Limits;

const USAGE: &str = "seaway [OPTIONS] [COMMAND]";

const ENVIRONMENT: &str = "\
Environment:
  WGPU_BACKEND       back ends to try: vulkan, metal, dx12 (comma-separated)
  WGPU_ADAPTER_NAME  part of the name of the adapter to use; `seaway info` lists
                     the adapters
  SEAWAY_CACHE_DIR   folder of tuned.json, the stored results of
                     --algorithm auto
  RUST_LOG           messages to log to stderr, for example seaway=debug
  NO_COLOR           set to any value to turn off colours

Exit codes: 0 success, 1 failure, 2 wrong usage, 3 no usable adapter.";

/// A real-time Tessendorf ocean, and a laboratory for the GPU Fourier transforms that drive it.
/// Without a command, seaway opens the window (`seaway run`).
#[derive(Parser)]
#[command(
    name = "seaway",
    version,
    after_help = ENVIRONMENT,
    override_usage = USAGE,
    args_override_self = true
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// The options that every command accepts.
#[derive(clap::Args)]
struct Global {
    /// Features and limits to request from the adapter. Commands that use no adapter, such as
    /// `presets` and `spectrum`, accept it without effect
    #[arg(
        long,
        global = true,
        value_name = "WHICH",
        default_value = "adapter",
        value_enum,
        help_heading = "Adapter"
    )]
    limits: Limits,
}

#[derive(Subcommand)]
enum Command {
    /// Opens the window, to fly over the sea, change it and measure it
    Run(Box<run::Args>),
    /// Renders frames to PNG or EXR files, or to a video, without a window
    Render(Box<render::Args>),
    /// Renders every preset under several suns and from several heights, with a contact sheet
    Gallery(Box<gallery::Args>),
    /// Measures every CPU and GPU pass of the frame without a window, and writes captures for
    /// puffin_viewer and Perfetto
    Profile(Box<profile::Args>),
    /// Times FFTs, checks each against double precision, and compares them with other libraries and
    /// a plain copy
    Bench(Box<bench::Args>),
    /// Repeats the measurements behind the figures of the source papers, and compares their claims
    /// with the results
    Figures(figures::Args),
    /// Searches all parameters of the generated FFTs for the fastest on this adapter
    Sweep(sweep::Args),
    /// Checks every FFT on this adapter against a reference in double precision
    Verify(verify::Args),
    /// Transforms a NumPy file as numpy.fft and scipy.fft do: complex, real and cosine transforms
    Fft(fft::Args),
    /// Filters a picture to a band of spatial frequencies, into a file or in a window with sliders
    Filter(filter::Args),
    /// Writes the sea surface as NumPy files: displacements and derivatives of every cascade
    Field(field::Args),
    /// Writes a sea that loops as images and meshes for other programs: displacement, normals and foam
    Bake(Box<bake::Args>),
    /// Records the water at points over time, as wave buoys do, as CSV or a NumPy file
    Points(points::Args),
    /// Prints the kernels of an FFT, for use in other programs
    Kernel(kernel::Args),
    /// Prints what oceanography predicts of a sea: wave height, periods, slopes and the spectrum S(omega)
    Spectrum(spectrum::Args),
    /// Lists the adapters, their limits, and the FFTs that each can run
    Info(info::Args),
    /// Lists the presets: the sea states that ship with seaway, and your own
    Presets(presets::Args),
}

impl Command {
    fn run(self, global: &Global) -> anyhow::Result<()> {
        match self {
            Self::Run(args) => run::run(&args, global),
            Self::Render(args) => render::run(&args, global),
            Self::Gallery(args) => gallery::run(&args, global),
            Self::Profile(args) => profile::run(&args, global),
            Self::Bench(args) => bench::run(&args, global),
            Self::Figures(args) => figures::run(&args, global),
            Self::Sweep(args) => sweep::run(&args, global),
            Self::Verify(args) => verify::run(&args, global),
            Self::Fft(args) => fft::run(&args, global),
            Self::Filter(args) => filter::run(&args, global),
            Self::Field(args) => field::run(&args, global),
            Self::Bake(args) => bake::run(&args, global),
            Self::Points(args) => points::run(&args, global),
            Self::Kernel(args) => kernel::run(&args, global),
            Self::Spectrum(args) => spectrum::run(&args),
            Self::Info(args) => info::run(&args, global),
            Self::Presets(args) => presets::run(&args),
        }
    }
}

pub fn main() -> ExitCode {
    /// Messages of wgpu are shown only on request. A missing back end, which wgpu-hal logs as an
    /// error, matters only where there is no other.
    const QUIET: &str = "error,wgpu_hal=off,seaway=info";
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(QUIET))
        .format_target(false)
        .format_timestamp(None)
        .init();
    let cli = match Cli::try_parse_from(with_default_command(std::env::args_os().collect())) {
        Ok(cli) => cli,
        // Help and version go to stdout and are no errors; clap knows which is which.
        Err(error) => error.exit(),
    };
    match cli.command.run(&cli.global) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit::report(&error),
    }
}

/// `seaway` alone, or with nothing but options, is `seaway run`.
fn with_default_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let command = Cli::command();
    let is_command = |argument: &OsString| {
        argument == "help" || command.get_subcommands().any(|known| *argument == *known.get_name())
    };
    let asks_for_help = |argument: &OsString| {
        ["-h", "--help", "-V", "--version"].iter().any(|flag| argument == flag)
    };
    let given = arguments.get(1..).unwrap_or_default();
    let only_options = match given.first() {
        None => true,
        Some(first) => first.to_string_lossy().starts_with('-'),
    };
    if only_options && !given.iter().any(|given| is_command(given) || asks_for_help(given)) {
        arguments.insert(1.min(arguments.len()), "run".into());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(with_default_command(line.split(' ').map(OsString::from).collect()))
    }

    #[test]
    fn the_commands_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn without_a_command_it_runs() {
        for line in ["seaway", "seaway --preset storm", "seaway --limits webgpu", "seaway run"] {
            let cli = parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(matches!(cli.command, Command::Run(_)), "{line}");
        }
    }

    #[test]
    fn a_global_option_may_stand_before_the_command() {
        let cli = parse("seaway --limits webgpu presets").unwrap();
        assert!(matches!(cli.command, Command::Presets(_)));
        assert_eq!(cli.global.limits, Limits::Webgpu);
    }

    #[test]
    fn the_last_of_two_wins() {
        let line = "seaway presets --format table --limits adapter --format json --limits webgpu";
        let cli = parse(line).unwrap();
        assert_eq!(cli.global.limits, Limits::Webgpu);
    }

    #[test]
    fn an_unknown_command_is_named() {
        let error = parse("seaway rendr").err().expect("no such command");
        assert_eq!(error.kind(), clap::error::ErrorKind::InvalidSubcommand);
    }
}
