//! Options that the commands about FFTs share: what to transform, and the parameters that change
//! the speed of an algorithm and not its result.

use clap::{Arg, ArgGroup, ArgMatches, Command};
use seaway::choice::Choice as _;
use seaway::fft::lab::{LineTuning, PingPong, Tuning, Twiddles};
use seaway::fft::{Axis, Direction, Layout, Normalization, Precision};

use super::args::{self, Algorithms};
use super::exit::Usage;

// No documentation comments on what is flattened: clap would take them for the command's.

// Several transforms at once. Each command has its own defaults (`mut_arg`).
#[derive(clap::Args)]
pub struct Tasks {
    /// Sides of the images, powers of two
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = args::side)]
    pub size: Vec<u32>,
    /// Complex images in a batch
    #[arg(
        long,
        value_name = "N,..",
        value_delimiter = ',',
        value_parser = args::number(1..=65_535_u32)
    )]
    pub batch: Vec<u32>,
    /// Algorithms: `all`, or names as in `seaway info`, or `auto` for the fastest of them
    #[arg(long, value_name = "A,..", default_value = "all", value_parser = Algorithms::parse)]
    pub algorithm: Algorithms,
    /// Width of the numbers in memory; computed is in 32-bit floats
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

// What the result is multiplied by.
#[derive(clap::Args)]
pub struct Scale {
    /// What the result is multiplied by: nothing, 1 / sqrt(points) or 1 / points [default: none, and
    /// ortho for numbers of 16 bits, which hold no more than 65504]
    #[arg(long, value_name = "NAME", value_parser = args::choice::<Normalization>())]
    normalization: Option<Normalization>,
}

impl Scale {
    /// For numbers of `precision`.
    pub fn normalization(&self, precision: Precision) -> Normalization {
        let usual = match precision {
            Precision::F32 => Normalization::None,
            Precision::F16 => Normalization::Ortho,
        };
        self.normalization.unwrap_or(usual)
    }
}

// One direction and layout.
#[derive(clap::Args)]
pub struct Form {
    /// Forward or inverse
    #[arg(
        long,
        value_name = "NAME",
        default_value = "inverse",
        value_parser = args::choice::<Direction>()
    )]
    pub direction: Direction,
    /// How the images lie in memory: each on its own, or two interleaved, as the ocean has them
    #[arg(
        long,
        value_name = "NAME",
        default_value = "planar",
        value_parser = args::choice::<Layout>()
    )]
    pub layout: Layout,
}

/// The tuning that was asked for. What the arguments alone show to be wrong ends the command with
/// 2; what an algorithm or an adapter cannot do is the library's to refuse.
pub struct TuningOptions(pub Tuning);

/// The group of all tuning options, for options that conflict with them.
pub const TUNING: &str = "tuning";

const HEADING: &str =
    "Tuning (each algorithm chooses what is not given, and ignores what it has not)";

/// A number for the lines along one axis: an option for each axis.
struct LineOption {
    /// For rows and for columns.
    names: [&'static str; 2],
    help: &'static str,
    parse: fn(&str) -> Result<u32, String>,
    field: fn(&mut LineTuning) -> &mut Option<u32>,
}

const LINE_OPTIONS: [LineOption; 5] = [
    LineOption {
        names: ["row-lines", "column-lines"],
        help: "adjacent AXIS that one workgroup transforms [a power of two, 1 to 1024]",
        parse: |text| power_of_two(text, 1, 1024),
        field: |line| &mut line.lines_per_workgroup,
    },
    LineOption {
        names: ["row-radix", "column-radix"],
        help: "largest radix of a stage for AXIS, by stockham-r8 and stockham-r16 [a power of two, \
               2 to 32]",
        parse: |text| power_of_two(text, 2, 32),
        field: |line| &mut line.radix,
    },
    LineOption {
        names: ["row-butterflies", "column-butterflies"],
        help: "butterflies that one invocation computes in each stage for AXIS [a power of two, 1 to \
               4096]",
        parse: |text| power_of_two(text, 1, 4096),
        field: |line| &mut line.butterflies_per_invocation,
    },
    LineOption {
        names: ["row-exchange", "column-exchange"],
        help: "floats of an element that cross workgroup memory at a time for AXIS, by stockham-r8 \
               and stockham-r16 [1, 2 or, in layout pair, 4]",
        parse: |text| power_of_two(text, 1, 4),
        field: |line| &mut line.exchange_floats,
    },
    LineOption {
        names: ["row-padding", "column-padding"],
        help: "one slot of workgroup memory in this many stays empty for AXIS, against bank \
               conflicts, by stockham-r8 and stockham-r16 [0 for none, or a power of two to 1024]",
        parse: |text| if text == "0" { Ok(0) } else { power_of_two(text, 1, 1024) },
        field: |line| &mut line.padding,
    },
];

fn power_of_two(text: &str, min: u32, max: u32) -> Result<u32, String> {
    let parsed = text
        .parse()
        .ok()
        .filter(|value: &u32| value.is_power_of_two() && (min..=max).contains(value));
    parsed.ok_or_else(|| format!("expected a power of two from {min} to {max}"))
}

/// What AXIS stands for in help.
fn lines(axis: Axis) -> &'static str {
    match axis {
        Axis::Row => "rows",
        Axis::Column => "columns",
    }
}

const SPLIT: [&str; 2] = ["row-split", "column-split"];

impl TuningOptions {
    /// Something was asked for.
    pub fn is_set(&self) -> bool {
        self.0 != Tuning::default()
    }

    /// Where `auto` is named, nothing else may be asked for: it chooses the tuning.
    pub fn refuse_with(&self, names_auto: bool) -> Result<(), Usage> {
        if names_auto && self.is_set() {
            return Err(Usage(format!(
                "{} cannot be given to --algorithm auto, which chooses the tuning: name an \
                 algorithm",
                flags(&self.0)
            )));
        }
        Ok(())
    }
}

/// The options that ask for `tuning`.
pub fn flags(tuning: &Tuning) -> String {
    let mut words = Vec::new();
    let mut word = |name: &str, value: Option<String>| {
        words.extend(value.map(|value| format!("--{name} {value}")));
    };
    word("twiddles", tuning.twiddles.map(|value| value.to_string()));
    word("ping-pong", tuning.ping_pong.map(|value| value.to_string()));
    word("workgroup-size", tuning.workgroup_size.map(|value| value.to_string()));
    word("tiles", tuning.tiles.map(|value| value.to_string()));
    for &axis in Axis::ALL {
        let mut line = *tuning.line(axis);
        for option in &LINE_OPTIONS {
            let value = (option.field)(&mut line).map(|value| value.to_string());
            word(option.names[axis as usize], value);
        }
        word(SPLIT[axis as usize], line.split_pairs.map(|value| value.to_string()));
    }
    words.join(" ")
}

impl clap::Args for TuningOptions {
    fn augment_args(command: Command) -> Command {
        let mut options = vec![
            Arg::new("twiddles")
                .value_name("NAME")
                .help(
                    "Where twiddle factors come from: a table computed in double precision, one of \
                     them from it and the others its powers, a polynomial, or the device's sine and \
                     cosine",
                )
                .value_parser(args::choice::<Twiddles>()),
            Arg::new("ping-pong")
                .value_name("NAME")
                .help(
                    "Where stages leave their results for one another: in workgroup memory, or in \
                     storage buffers (stockham-r2, -r4 and -r8)",
                )
                .value_parser(args::choice::<PingPong>()),
            Arg::new("workgroup-size")
                .value_name("N")
                .help(
                    "Invocations in a workgroup, where the other choices leave it open (algorithms \
                     of many passes) [a power of two, 1 to 1024]",
                )
                .value_parser(|text: &str| power_of_two(text, 1, 1024)),
            Arg::new("tiles")
                .value_name("BOOL")
                .help(
                    "Whether images lie in tiles between the passes of a 2D transform, which takes \
                     scratch memory (stockham-r8 and stockham-r16)",
                )
                .value_parser(clap::value_parser!(bool)),
        ];
        for &axis in Axis::ALL {
            for option in &LINE_OPTIONS {
                let help = option.help.replace("AXIS", lines(axis));
                let help = help[..1].to_uppercase() + &help[1..];
                let parse = option.parse;
                options.push(
                    Arg::new(option.names[axis as usize])
                        .value_name("N")
                        .help(help)
                        .value_parser(move |text: &str| parse(text)),
                );
            }
            options.push(
                Arg::new(SPLIT[axis as usize])
                    .value_name("BOOL")
                    .help(format!(
                        "Whether each invocation holds values of one image of a pair only for {}, by \
                         stockham-r8 and stockham-r16 in layout pair",
                        lines(axis)
                    ))
                    .value_parser(clap::value_parser!(bool)),
            );
        }
        let group = ArgGroup::new(TUNING)
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

impl clap::FromArgMatches for TuningOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut tuning = Tuning {
            twiddles: matches.get_one("twiddles").copied(),
            ping_pong: matches.get_one("ping-pong").copied(),
            workgroup_size: matches.get_one("workgroup-size").copied(),
            tiles: matches.get_one("tiles").copied(),
            ..Tuning::default()
        };
        for &axis in Axis::ALL {
            let line = match axis {
                Axis::Row => &mut tuning.row,
                Axis::Column => &mut tuning.column,
            };
            for option in &LINE_OPTIONS {
                if let Some(value) = matches.get_one(option.names[axis as usize]) {
                    *(option.field)(line) = Some(*value);
                }
            }
            line.split_pairs = matches.get_one(SPLIT[axis as usize]).copied();
        }
        Ok(Self(tuning))
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
        tuning: TuningOptions,
    }

    fn parse(line: &str) -> Result<Tuning, clap::Error> {
        let words = std::iter::once("program").chain(line.split_whitespace());
        Program::try_parse_from(words).map(|program| program.tuning.0)
    }

    /// As JSON: a parameter that the library gains and the command line lacks shows here.
    #[test]
    fn every_parameter_has_an_option() {
        let mut line =
            "--twiddles powers --ping-pong storage --workgroup-size 128 --tiles true".to_owned();
        for axis in Axis::NAMES {
            line += &format!(
                " --{axis}-lines 2 --{axis}-radix 16 --{axis}-butterflies 1 --{axis}-exchange 4 \
                 --{axis}-padding 8 --{axis}-split true"
            );
        }
        let axis = LineTuning {
            radix: Some(16),
            lines_per_workgroup: Some(2),
            butterflies_per_invocation: Some(1),
            exchange_floats: Some(4),
            padding: Some(8),
            split_pairs: Some(true),
        };
        let all = Tuning {
            twiddles: Some(Twiddles::Powers),
            ping_pong: Some(PingPong::Storage),
            workgroup_size: Some(128),
            tiles: Some(true),
            // For hooks, which no command has.
            layers_in_turn: None,
            row: axis,
            column: axis,
        };
        assert_eq!(parse(&line).unwrap(), all);
        assert_eq!(parse(&flags(&all)).unwrap(), all);
        assert_eq!(flags(&Tuning::default()), "");
        assert_eq!(parse("").unwrap(), Tuning::default());
        let one = parse("--column-padding 0").unwrap();
        assert_eq!((one.column.padding, one.row.padding), (Some(0), None));
    }

    #[test]
    fn what_no_device_takes_is_refused() {
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
    }
}
