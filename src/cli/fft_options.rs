//! Options that the commands about FFTs share: the transforms, and the parameters that change the speed of an
//! algorithm, and its result by roundings only.

use crate::choice::Choice as _;
use crate::fft::lab::{Algorithm, AlgorithmChoice, Configuration, Entry, Value};
use crate::fft::{Descriptor, Direction, Kind, Layout, Normalization, Precision, Unsupported};
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
    normalization: Option<Normalization>,
}

impl Scale {
    pub fn normalization(&self, precision: Precision) -> Normalization {
        let usual = match precision {
            Precision::F32 | Precision::F64 => Normalization::None,
            Precision::F16 => Normalization::Ortho,
        };
        self.normalization.unwrap_or(usual)
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

/// A transform without its precision and placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: Kind,
    /// From 1 to 3.
    pub dimensions: u32,
    /// Width, height and depth, 1 for missing dimensions.
    pub extent: [u32; 3],
    pub batch: u32,
}

impl Problem {
    /// It, in `layout`. Lines are the rows of one image: so they are next to each other, whatever
    /// their number.
    pub fn task(self, layout: Layout) -> Descriptor {
        let Self { kind, dimensions, extent: [width, height, depth], batch } = self;
        let task = match (dimensions, layout) {
            (1, Layout::Pair) if batch.is_multiple_of(2) => {
                Descriptor { batch: 2, ..Descriptor::lines(width, batch / 2) }
            }
            (1, _) => Descriptor::lines(width, batch),
            (2, _) => Descriptor { batch, ..Descriptor::image([width, height]) },
            _ => Descriptor { batch, ..Descriptor::volume([width, height, depth]) },
        };
        Descriptor { kind, layout, ..task }
    }

    pub fn size(self) -> Size {
        Size::of(self.extent, self.dimensions)
    }

    /// A description such as `64 x 64, batch 4` for sentences, with everything that is not the default.
    pub fn in_words(self) -> String {
        let sides = self.extent[..self.dimensions as usize].iter().map(u32::to_string);
        let mut words = sides.collect::<Vec<_>>().join(" x ");
        if self.dimensions == 1 {
            words += " points";
        }
        if self.kind != Kind::Complex {
            words += &format!(", {}", self.kind);
        }
        words + &format!(", batch {}", self.batch)
    }
}

impl Tasks {
    /// Every size in as many dimensions as it is written for, of every kind. Fails for a size that is written
    /// for none of the dimensions.
    pub fn extents(&self) -> Result<Vec<(u32, [u32; 3])>, Usage> {
        let mut extents = Vec::new();
        for &size in &self.size {
            let before = extents.len();
            for &dimensions in &self.dimensions {
                extents.extend(size.extent(dimensions).map(|extent| (dimensions, extent)));
            }
            if extents.len() == before {
                let sides = size.to_string().split('x').count();
                return Err(Usage(format!("--size {size} needs --dimensions {sides}")));
            }
        }
        Ok(extents)
    }
}

/// The requested parameters. One that no algorithm has ends the command with exit code 2; the library refuses
/// those that an algorithm or an adapter does not support.
#[derive(Default)]
pub struct ParameterOptions(Vec<(&'static str, Value)>);

/// The group of all parameters, for options that conflict with them.
pub const PARAMETERS: &str = "parameters";

const HEADING: &str =
    "Parameters (chosen by the algorithm unless given; an error for algorithms without them)";

/// Every parameter that any algorithm has, with the algorithms that have it.
fn parameters() -> Vec<(&'static Entry, Vec<Algorithm>)> {
    let mut all: Vec<(&Entry, Vec<Algorithm>)> = Vec::new();
    for &algorithm in Algorithm::ALL {
        for parameter in algorithm.parameters() {
            match all.iter_mut().find(|(known, _)| known.name == parameter.name) {
                Some((_, algorithms)) => algorithms.push(algorithm),
                None => all.push((parameter, vec![algorithm])),
            }
        }
    }
    all
}

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

/// A parameter and its values in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub name: &'static str,
    pub values: Vec<Value>,
}

pub fn sweep(text: &str) -> Result<Sweep, String> {
    let (name, values) =
        text.split_once('=').ok_or("expected NAME=V,.., as in row-butterflies=1,2,4,8")?;
    let known = parameters().into_iter().find(|(parameter, _)| parameter.name == name);
    let Some((parameter, _)) = known else {
        let names: Vec<_> = parameters().iter().map(|(parameter, _)| parameter.name).collect();
        return Err(format!(
            "no algorithm has a parameter {name}: the parameters are {}",
            names.join(", ")
        ));
    };
    let values = values.split(',').map(|value| parse(name, value)).collect::<Result<_, _>>()?;
    Ok(Sweep { name: parameter.name, values })
}

impl ParameterOptions {
    /// Adds `values`, in place of requested ones of the same names.
    pub fn with(&self, values: &[(&'static str, Value)]) -> Self {
        let is_new = |name: &str| values.iter().all(|(other, _)| *other != name);
        let kept = self.0.iter().copied().filter(|(name, _)| is_new(name));
        Self(kept.chain(values.iter().copied()).collect())
    }

    pub fn is_set(&self) -> bool {
        !self.0.is_empty()
    }

    /// The requested parameters as options.
    pub fn flags(&self) -> String {
        words(&self.0)
    }

    /// `algorithm` with the requested parameters. Fails for a parameter that it does not have.
    pub fn of(&self, algorithm: Algorithm) -> Result<Configuration, Unsupported> {
        let mut configuration = Configuration::from(algorithm);
        for (name, value) in &self.0 {
            configuration.set(name, Some(*value))?;
        }
        Ok(configuration)
    }

    /// If `choices` name one algorithm, it must have the requested parameters; if they leave the choice open,
    /// no parameter may be requested.
    pub fn check(&self, choices: &[AlgorithmChoice]) -> Result<(), Usage> {
        if !self.is_set() {
            return Ok(());
        }
        if let Some(open) = choices.iter().find(|choice| choice.named().is_none()) {
            return Err(Usage(format!(
                "{} cannot be given to --algorithm {open}, which chooses the parameters: name an \
                 algorithm",
                self.flags()
            )));
        }
        match choices {
            [AlgorithmChoice::Named(only)] => {
                self.of(*only).map(|_| ()).map_err(|error| Usage(error.to_string()))
            }
            _ => Ok(()),
        }
    }
}

/// The options for the parameters that `configuration` sets.
pub fn flags(configuration: &Configuration) -> String {
    words(&configuration.given())
}

fn words(given: &[(&'static str, Value)]) -> String {
    let words: Vec<_> = given.iter().map(|(name, value)| format!("--{name} {value}")).collect();
    words.join(" ")
}

impl clap::Args for ParameterOptions {
    fn augment_args(command: Command) -> Command {
        let mut options = Vec::new();
        for (parameter, algorithms) in parameters() {
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
        let given = parameters().into_iter().filter_map(|(parameter, _)| {
            let value = matches.get_one::<Value>(parameter.name)?;
            Some((parameter.name, *value))
        });
        Ok(Self(given.collect()))
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
        assert!(!parse("").unwrap().is_set());
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
