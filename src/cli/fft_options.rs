//! Options that the commands about FFTs share: the transforms, and the parameters that change the speed of an
//! algorithm, and its result by roundings only.

pub use crate::bench::Problem;
use crate::bench::parameters::options;
use crate::bench::parameters::{self, Parameters, Sweep};
use crate::bench::series::{self, Extent};
use crate::choice::Choice as _;
use crate::fft::lab::{Algorithm, AlgorithmChoice, Configuration, Value};
use crate::fft::{Direction, Kind, Layout, Normalization, Precision, Unsupported};
use clap::{Arg, ArgGroup, ArgMatches, Command};

use super::args::{self, Algorithms};
use super::exit::Usage;
use super::size::Size;

// No documentation comments on what is flattened: clap would take them for the command's.

// Several transforms at once. Each command has its own defaults (`mut_arg`).
#[derive(clap::Args)]
pub struct Tasks {
    /// Sizes: N (the points of a line, or the side of a square or a cube), WIDTHxHEIGHT or
    /// WIDTHxHEIGHTxDEPTH, for example 256,1080x1920,128x128x64. N is taken in each of --dimensions
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub size: Vec<Size>,
    /// Number of lines, images or volumes in a batch [1 to 65535]
    #[arg(
        long,
        value_name = "N,..",
        value_delimiter = ',',
        value_parser = args::number(1..=65_535_u32)
    )]
    pub batch: Vec<u32>,
    /// Dimensions of the transform: 1 (lines), 2 (images) or 3 (volumes)
    #[arg(
        long,
        value_name = "1,2,3",
        value_delimiter = ',',
        default_value = "2",
        value_parser = args::number(1..=3_u32)
    )]
    pub dimensions: Vec<u32>,
    /// Kind of transform: complex numbers, real numbers to half of their spectrum (and back, with
    /// the inverse), or a cosine transform
    #[arg(
        long,
        value_name = "NAME,..",
        value_delimiter = ',',
        default_value = "complex",
        value_parser = args::choice::<Kind>()
    )]
    pub kind: Vec<Kind>,
    /// Algorithms: `all`, or a list of names as in `seaway info`, `best` (the best known for the
    /// adapter) and `auto` (the fastest as measured)
    #[arg(long, value_name = "A,..", default_value = "all", value_parser = Algorithms::parse)]
    pub algorithm: Algorithms,
    /// Precision of the numbers in memory; f16 and f32 are computed in 32-bit floats, f64 in 64-bit floats
    #[arg(
        long,
        value_name = "NAME,..",
        value_delimiter = ',',
        default_value = "f32",
        value_parser = args::choice::<Precision>()
    )]
    pub precision: Vec<Precision>,
    #[command(flatten)]
    pub scale: Scale,
}

// The factor of the result.
#[derive(Clone, Copy, clap::Args)]
pub struct Scale {
    /// Factor of the result: none (1), ortho (1 / sqrt(points)) or points (1 / points) [default:
    /// none; ortho for f16, whose largest number is 65504]
    #[arg(long, value_name = "NAME", value_parser = args::choice::<Normalization>())]
    pub normalization: Option<Normalization>,
}

impl Scale {
    pub fn normalization(&self, precision: Precision) -> Normalization {
        series::normalization(self.normalization, precision)
    }
}

// One direction and layout.
#[derive(clap::Args)]
pub struct Form {
    /// Direction of the transform
    #[arg(
        long,
        value_name = "NAME",
        default_value = "inverse",
        value_parser = args::choice::<Direction>()
    )]
    pub direction: Direction,
    /// Memory layout of the images: planar (one after another), or pair (two interleaved, as in the ocean)
    #[arg(long, value_name = "NAME", value_parser = args::choice::<Layout>())]
    pub layout: Option<Layout>,
}

impl Tasks {
    /// Every size in as many dimensions as it is written for, of every kind. Fails for a size that is written
    /// for none of the dimensions.
    pub fn extents(&self) -> Result<Vec<Extent>, Usage> {
        series::extents(&self.size, &self.dimensions).map_err(Usage)
    }
}

/// The requested parameters. One that no algorithm has ends the command with exit code 2.
#[derive(Default)]
pub struct ParameterOptions(pub Parameters);

/// The group of all parameters, for options that conflict with them.
pub const PARAMETERS: &str = "parameters";

const HEADING: &str =
    "Parameters (chosen by the algorithm unless given; an error for algorithms without them)";

/// The values of the parameter of that name: some algorithms take more of it than others.
fn values(name: &str) -> String {
    let mut all: Vec<String> = Vec::new();
    for parameter in Algorithm::ALL.iter().flat_map(|algorithm| algorithm.parameters()) {
        let values = parameter.kind.to_string();
        if parameter.name == name && !all.contains(&values) {
            all.push(values);
        }
    }
    all.join("; or ")
}

/// Parses a value of `name`, for any algorithm that has it.
fn parse(name: &str, text: &str) -> Result<Value, String> {
    let algorithms = Algorithm::ALL.iter().flat_map(|algorithm| algorithm.parameters());
    let parsed = algorithms.filter(|parameter| parameter.name == name).map(|parameter| {
        let allowed = |value: &Value| parameter.kind.contains(*value);
        let value = parameter.kind.parse(text).ok().filter(allowed);
        value.ok_or_else(|| format!("expected {}", parameter.kind))
    });
    let mut first_error = None;
    for value in parsed {
        match value {
            Ok(value) => return Ok(value),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_default())
}

/// Parses a sweep, as in `row-butterflies=1,2,4,8`.
pub fn sweep(text: &str) -> Result<Sweep, String> {
    let (name, values) =
        text.split_once('=').ok_or("expected NAME=V,.., as in row-butterflies=1,2,4,8")?;
    let known = parameters::all().into_iter().find(|(parameter, _)| parameter.name == name);
    let Some((parameter, _)) = known else {
        let names: Vec<_> = parameters::all().iter().map(|(parameter, _)| parameter.name).collect();
        return Err(format!(
            "no algorithm has a parameter {name}: the parameters are {}",
            names.join(", ")
        ));
    };
    let values = values.split(',').map(|value| parse(name, value)).collect::<Result<_, _>>()?;
    Ok(Sweep { name: parameter.name, values })
}

impl ParameterOptions {
    /// `algorithm` with the requested parameters. Fails for a parameter that it does not have.
    pub fn of(&self, algorithm: Algorithm) -> Result<Configuration, Unsupported> {
        self.0.of(algorithm)
    }

    /// [`Parameters::check`] for the arguments of commands.
    pub fn check(&self, choices: &[AlgorithmChoice]) -> Result<(), Usage> {
        self.0.check(choices).map_err(Usage)
    }
}

/// The options for the parameters that `configuration` sets.
pub fn flags(configuration: &Configuration) -> String {
    options(&configuration.given())
}

impl clap::Args for ParameterOptions {
    fn augment_args(command: Command) -> Command {
        let mut options = Vec::new();
        for (parameter, algorithms) in parameters::all() {
            let name = parameter.name;
            let of: Vec<_> = algorithms.iter().map(|algorithm| algorithm.name()).collect();
            let of = if of.len() == Algorithm::ALL.len() {
                String::new()
            } else {
                format!(" ({})", of.join(", "))
            };
            let help = parameter.help;
            options.push(
                Arg::new(name)
                    .value_name("VALUE")
                    .help(format!(
                        "{}{}{of} [{}]",
                        help[..1].to_uppercase(),
                        &help[1..],
                        values(name)
                    ))
                    .value_parser(move |text: &str| parse(name, text)),
            );
        }
        let group = ArgGroup::new(PARAMETERS)
            .multiple(true)
            .args(options.iter().map(|option| option.get_id().clone()));
        let options = options.into_iter().map(|option| {
            let name = clap::builder::Str::from(option.get_id().clone());
            option.long(name).help_heading(HEADING)
        });
        command.args(options).group(group)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for ParameterOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = parameters::all().into_iter().filter_map(|(parameter, _)| {
            let value = matches.get_one::<Value>(parameter.name)?;
            Some((parameter.name, *value))
        });
        Ok(Self(Parameters(given.collect())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        parameters: ParameterOptions,
    }

    fn parse(line: &str) -> Result<ParameterOptions, clap::Error> {
        let words = std::iter::once("program").chain(line.split_whitespace());
        Program::try_parse_from(words).map(|program| program.parameters)
    }

    #[test]
    fn every_parameter_of_every_algorithm_has_an_option() {
        for &algorithm in Algorithm::ALL {
            let mut all = Configuration::from(algorithm);
            for parameter in algorithm.parameters() {
                let value = *parameter.kind.values().last().unwrap();
                all.set(parameter.name, Some(value)).unwrap();
            }
            let parsed = parse(&flags(&all)).unwrap();
            assert_eq!(parsed.of(algorithm).unwrap(), all, "{algorithm}");
        }
        assert_eq!(flags(&Algorithm::StockhamR8.into()), "");
        assert!(!parse("").unwrap().0.is_set());
    }

    #[test]
    fn unknown_parameters_are_refused_with_the_known_ones() {
        for wrong in [
            "--twiddles guessed",
            "--workgroup-size 96",
            "--workgroup-size 2048",
            "--row-lines 0",
            "--row-radix 64",
            "--column-radix 1",
            "--column-butterflies -1",
            "--row-exchange 8",
            "--row-padding 3",
            "--row-split maybe",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        let padding = parse("--row-padding 8").unwrap();
        let only = |algorithm: Algorithm| padding.check(&[algorithm.into()]);
        assert!(only(Algorithm::StockhamR16).is_ok());
        let Usage(message) = only(Algorithm::CooleyTukey).unwrap_err();
        assert!(message.contains("has no parameter row-padding: it has twiddles"), "{message}");
        let Usage(message) = padding.check(&[AlgorithmChoice::Auto]).unwrap_err();
        assert!(message.contains("--row-padding 8"), "{message}");
        // Among several algorithms, those that have the parameter take it.
        let several = [Algorithm::StockhamR8.into(), Algorithm::Dft.into()];
        assert!(padding.check(&several).is_ok());
    }
}
