//! From the settings tables to clap: every setting is an option of the same name, checked while the arguments
//! are parsed. Also the parsers that several commands share.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::choice::Choice;
use crate::fft::lab::{Algorithm, AlgorithmChoice, additive};
use crate::settings::{Field, Kind, Preset, Quality, SeaState, SettingError, Settings, Value};
use clap::builder::{PossibleValuesParser, TypedValueParser as _, ValueParser};
use clap::{Arg, ArgMatches, Command};

/// The settings of `S` that were given on the command line.
pub struct Overrides<S: Settings>(Vec<(&'static Field<S>, Value)>);

impl<S: Settings> Overrides<S> {
    /// The settings that were given.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field<S>> {
        self.0.iter().map(|(field, _)| *field)
    }

    /// The given value of the setting named `name`.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.0.iter().find(|(field, _)| field.name == name).map(|(_, value)| *value)
    }

    pub fn apply(&self, settings: &mut S) -> Result<(), SettingError> {
        self.0.iter().try_for_each(|(field, value)| field.set(settings, *value))
    }
}

/// The tables that become options of a command.
pub trait Options: Settings {
    /// Returns whether the setting has an option; the others have options of another form.
    fn has_option(field: &Field<Self>) -> bool {
        let _ = field;
        true
    }
}

impl Options for SeaState {}
impl Options for Quality {}

/// Commands without a picture have the options of the sea alone, and the camera has a list.
impl Options for Preset {
    fn has_option(field: &Field<Self>) -> bool {
        !["sea", "camera"].contains(&field.group)
    }
}

impl<S: Options> clap::FromArgMatches for Overrides<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |field: &'static Field<S>| {
            matches.get_one::<Value>(field.name).map(|value| (field, *value))
        };
        let fields = S::FIELDS.iter().filter(|field| S::has_option(field));
        Ok(Self(fields.filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<S: Options> clap::Args for Overrides<S> {
    fn augment_args(command: Command) -> Command {
        command.args(S::FIELDS.iter().filter(|field| S::has_option(field)).map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn option<S: Settings>(field: &'static Field<S>) -> Arg {
    let about = field.help.trim().trim_end_matches('.');
    let unit = field.unit_suffix();
    let (help, value_name) = match field.kind {
        Kind::Number { min, max, .. } => (format!("{about} [{min} to {max}{unit}]"), "NUMBER"),
        Kind::Integer { min, max } => (format!("{about} [{min} to {max}{unit}]"), "INTEGER"),
        Kind::Flag => (about.to_owned(), "BOOL"),
        Kind::Choice(_) => (about.to_owned(), "NAME"),
        kind => (format!("{about} [{kind}{unit}]"), "INTEGER"),
    };
    let heading = match field.group.split_at_checked(1) {
        Some((first, rest)) => format!("{}{rest}", first.to_uppercase()),
        None => S::TITLE.to_owned(),
    };
    // clap keeps names for the life of the program, and this is called once for each.
    let flag: &'static str = field.flag().leak();
    Arg::new(field.name)
        .long(flag)
        .value_name(value_name)
        .help(help)
        .help_heading(&*heading.leak())
        .allow_negative_numbers(true)
        .value_parser(setting(field))
}

fn setting<S: Settings>(field: &'static Field<S>) -> ValueParser {
    let judged = move |text: &str| field.parse(text);
    let names: &[&str] = match field.kind {
        Kind::Choice(names) => names,
        Kind::Flag => &["true", "false"],
        _ => return ValueParser::new(judged),
    };
    PossibleValuesParser::new(names).try_map(move |text| judged(&text)).into()
}

/// Parses a single setting by name, for a command that has no options for the others of its table.
pub fn one_setting<S: Settings>(name: &'static str) -> ValueParser {
    setting(field::<S>(name))
}

/// Parses the size of an ocean's FFT.
pub fn ocean_size(text: &str) -> Result<u32, String> {
    match field::<Quality>("size").parse(text) {
        Ok(Value::Integer(size)) => Ok(size),
        Ok(other) => Err(format!("{other} is not a size")),
        Err(error) => Err(error.to_string()),
    }
}

pub fn field<S: Settings>(name: &'static str) -> &'static Field<S> {
    S::field(name).expect("a setting of this table")
}

/// Parses several settings at once, as in `--sun 20,35`; each is checked like its own option.
pub fn setting_list<S: Settings, const COUNT: usize>(
    names: [&'static str; COUNT],
) -> impl Fn(&str) -> Result<[Value; COUNT], String> + Clone + Send + Sync + 'static {
    move |text| {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        if parts.len() != COUNT {
            return Err(format!(
                "expected {COUNT} numbers separated by commas: {}",
                names.join(",")
            ));
        }
        let mut values = [Value::Flag(false); COUNT];
        for ((value, name), part) in values.iter_mut().zip(names).zip(parts) {
            *value = field::<S>(name).parse(part).map_err(|error| error.to_string())?;
        }
        Ok(values)
    }
}

/// Parses a name of one of the library's enums.
pub fn choice<T: Choice + Send + Sync>() -> ValueParser {
    PossibleValuesParser::new(T::NAMES)
        .map(|name| T::from_name(&name).expect("one of the possible values"))
        .into()
}

/// Parses a number within `range`, which excludes NaN.
pub fn number<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        text.parse()
            .ok()
            .filter(|number| range.contains(number))
            .ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Algorithms {
    All,
    /// The algorithms given, which may include `best` and `auto`, and the additive transforms.
    These(Vec<AlgorithmChoice>, Vec<additive::Method>),
}

impl Algorithms {
    /// Parses names of algorithms, or `all`.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            _ => {
                let named = text.split(',').map(str::parse).collect::<Result<_, _>>();
                named.map(|named| Self::These(named, Vec::new()))
            }
        }
    }

    /// Parses names of algorithms and of additive transforms, or `all`.
    pub fn parse_with_additive(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self::All);
        }
        let (additive, others): (Vec<_>, Vec<_>) =
            text.split(',').partition(|name| additive::Method::NAMES.contains(name));
        let named = others.into_iter().map(str::parse).collect::<Result<_, String>>();
        let named =
            named.map_err(|error| format!("{error}, {}", additive::Method::NAMES.join(", ")))?;
        let additive = additive.into_iter().filter_map(additive::Method::from_name).collect();
        Ok(Self::These(named, additive))
    }

    /// Lists the algorithms; `all` is every algorithm, followed by `all_and`.
    pub fn list(&self, all_and: &[AlgorithmChoice]) -> Vec<AlgorithmChoice> {
        match self {
            Self::All => {
                let named = Algorithm::ALL.iter().map(|&name| name.into());
                named.chain(all_and.iter().copied()).collect()
            }
            Self::These(these, _) => these.clone(),
        }
    }
}

/// Parses `best`, `auto` or the name of an algorithm.
pub fn algorithm() -> ValueParser {
    one_of(AlgorithmChoice::all())
}

/// An FFT algorithm or an additive transform.
#[derive(Clone, Copy, Debug)]
pub enum Either {
    Fft(AlgorithmChoice),
    Additive(additive::Method),
}

/// [`algorithm`], or the name of an additive transform.
pub fn algorithm_or_additive() -> ValueParser {
    let names = AlgorithmChoice::all().map(AlgorithmChoice::name);
    PossibleValuesParser::new(names.chain(additive::Method::NAMES.iter().copied()))
        .map(|name| match additive::Method::from_name(&name) {
            Some(method) => Either::Additive(method),
            None => Either::Fft(name.parse().expect("one of the possible values")),
        })
        .into()
}

/// [`algorithm`], for the sizes of an ocean.
pub fn ocean_algorithm() -> ValueParser {
    one_of(AlgorithmChoice::of_powers_of_two())
}

fn one_of(choices: impl Iterator<Item = AlgorithmChoice>) -> ValueParser {
    PossibleValuesParser::new(choices.map(AlgorithmChoice::name))
        .map(|name| name.parse::<AlgorithmChoice>().expect("one of the possible values"))
        .into()
}

pub fn resolution(text: &str) -> Result<[u32; 2], String> {
    // More than any GPU's textures hold; what the one at hand holds is known when it is open.
    let side = number(1..=32_768);
    let (width, height) = text.split_once('x').ok_or("expected WIDTHxHEIGHT, as in 1280x720")?;
    Ok([side(width)?, side(height)?])
}

#[cfg(test)]
mod tests {
    use crate::settings::Light;

    use super::*;

    #[test]
    fn every_setting_parses_its_own_default() {
        fn check<S: Settings>() {
            for field in S::FIELDS {
                let default = field.get(&S::default());
                assert_eq!(field.parse(&default.to_string()).unwrap(), default);
            }
        }
        check::<Preset>();
        check::<Quality>();
    }

    #[test]
    fn lists_are_judged_like_single_settings() {
        let sun = setting_list::<Light, 2>(["sun_azimuth_deg", "sun_elevation_deg"]);
        assert_eq!(sun("-20, 35.5"), Ok([Value::Number(-20.0), Value::Number(35.5)]));
        assert!(sun("20").unwrap_err().contains("sun_azimuth_deg,sun_elevation_deg"));
        assert!(sun("20,95").unwrap_err().contains("sun_elevation_deg = 95 is out of range"));
        assert!(sun("20,NaN").unwrap_err().contains("out of range"));
        assert!(sun("20,up").unwrap_err().contains("sun_elevation_deg"));
    }

    #[test]
    fn resolutions() {
        assert_eq!(resolution("1280x720"), Ok([1280, 720]));
        for wrong in ["1280", "1280x", "0x720", "-1x5", "1280x720x3", "99999x1"] {
            assert!(resolution(wrong).is_err(), "{wrong}");
        }
    }
}
