//! The entries of declarative tables: the allowed values of a setting of the sea or of a parameter of an FFT.
//! Files, command line, links, panels and the library check a value by its [`Kind`].

use std::fmt;
use std::ops::Deref;

use crate::choice::Choice;

/// The value of an entry, of any type.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A real number in the entry's unit.
    Number(f64),
    /// A whole number that is not negative.
    Integer(u32),
    /// A flag, on or off.
    Flag(bool),
    /// One of the entry's choices.
    Choice(&'static str),
    /// No value: the program chooses one. Only entries of type `Option` take it.
    Open,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Integer(integer) => write!(f, "{integer}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Choice(choice) => f.write_str(choice),
            Self::Open => f.write_str("open"),
        }
    }
}

/// The values that an entry may have. Ranges include both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A real number within a range.
    Number {
        /// The least value that is allowed.
        min: f64,
        /// The largest value that is allowed.
        max: f64,
        /// The range spans decades: a slider should be logarithmic.
        logarithmic: bool,
    },
    /// A whole number within a range.
    Integer {
        /// The least value that is allowed.
        min: u32,
        /// The largest value that is allowed.
        max: u32,
    },
    /// A power of two within a range.
    PowerOfTwo {
        /// The least value that is allowed.
        min: u32,
        /// The largest value that is allowed.
        max: u32,
    },
    /// 0, or a power of two within a range.
    ZeroOrPowerOfTwo {
        /// The least allowed value besides 0.
        min: u32,
        /// The largest value that is allowed.
        max: u32,
    },
    /// A multiple of a number, within a range.
    MultipleOf {
        /// The number that divides every allowed value.
        step: u32,
        /// The least value that is allowed.
        min: u32,
        /// The largest value that is allowed.
        max: u32,
    },
    /// One of these whole numbers, in ascending order.
    OneOf(&'static [u32]),
    /// A flag, on or off.
    Flag,
    /// One of the names of an enum.
    Choice(&'static [&'static str]),
}

impl Kind {
    /// Returns whether `value` is allowed. [`Value::Open`] never is.
    pub fn contains(self, value: Value) -> bool {
        match (self, value) {
            (Self::Number { min, max, .. }, Value::Number(number)) => (min..=max).contains(&number),
            (Self::Flag, Value::Flag(_)) => true,
            (Self::Choice(names), Value::Choice(name)) => names.contains(&name),
            (_, Value::Integer(integer)) => self.contains_integer(integer),
            _ => false,
        }
    }

    fn contains_integer(self, integer: u32) -> bool {
        match self {
            Self::Integer { min, max } => (min..=max).contains(&integer),
            Self::PowerOfTwo { min, max } => {
                integer.is_power_of_two() && (min..=max).contains(&integer)
            }
            Self::ZeroOrPowerOfTwo { min, max } => {
                integer == 0 || Self::PowerOfTwo { min, max }.contains_integer(integer)
            }
            Self::MultipleOf { step, min, max } => {
                integer.is_multiple_of(step) && (min..=max).contains(&integer)
            }
            Self::OneOf(integers) => integers.contains(&integer),
            _ => false,
        }
    }

    /// Parses `text`, as it is written in files and on the command line.
    ///
    /// # Errors
    /// A description of the expected text, if `text` is not of the right type; the range is not checked.
    pub fn parse(self, text: &str) -> Result<Value, String> {
        let value = match self {
            Self::Number { .. } => text.parse().ok().map(Value::Number),
            Self::Flag => text.parse().ok().map(Value::Flag),
            Self::Choice(names) => {
                names.iter().find(|name| **name == text).copied().map(Value::Choice)
            }
            _ => text.parse().ok().map(Value::Integer),
        };
        value.ok_or_else(|| match self {
            Self::Number { .. } => "a number".to_owned(),
            Self::Flag | Self::Choice(_) => self.to_string(),
            _ => "a whole number".to_owned(),
        })
    }

    /// Returns the least and the largest allowed number, for kinds of numbers.
    pub fn range(self) -> Option<(f64, f64)> {
        match self {
            Self::Number { min, max, .. } => Some((min, max)),
            Self::ZeroOrPowerOfTwo { max, .. } => Some((0.0, max.into())),
            Self::Integer { min, max }
            | Self::PowerOfTwo { min, max }
            | Self::MultipleOf { min, max, .. } => Some((min.into(), max.into())),
            Self::OneOf([min, .., max]) => Some((f64::from(*min), f64::from(*max))),
            Self::OneOf(_) | Self::Flag | Self::Choice(_) => None,
        }
    }

    /// Returns every allowed value in ascending order, or both ends of a range of numbers that is
    /// continuous or has more than 10,000 values.
    pub fn values(self) -> Vec<Value> {
        let among =
            |min: u32, max: u32| (min..=max).filter(move |integer| self.contains_integer(*integer));
        match self {
            Self::Number { min, max, .. } => vec![Value::Number(min), Value::Number(max)],
            Self::Integer { min, max } if max - min > 10_000 => {
                vec![Value::Integer(min), Value::Integer(max)]
            }
            Self::Integer { min, max }
            | Self::PowerOfTwo { min, max }
            | Self::MultipleOf { min, max, .. } => among(min, max).map(Value::Integer).collect(),
            Self::ZeroOrPowerOfTwo { max, .. } => among(0, max).map(Value::Integer).collect(),
            Self::OneOf(integers) => integers.iter().copied().map(Value::Integer).collect(),
            Self::Flag => vec![Value::Flag(false), Value::Flag(true)],
            Self::Choice(names) => names.iter().copied().map(Value::Choice).collect(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { min, max, .. } => write!(f, "a number from {min} to {max}"),
            Self::Integer { min, max } => write!(f, "a number from {min} to {max}"),
            Self::PowerOfTwo { min, max } => write!(f, "a power of two from {min} to {max}"),
            Self::ZeroOrPowerOfTwo { min: 1, max } => write!(f, "0, or a power of two up to {max}"),
            Self::ZeroOrPowerOfTwo { min, max } => {
                write!(f, "0, or a power of two from {min} to {max}")
            }
            Self::MultipleOf { step, min, max } => {
                write!(f, "a multiple of {step} from {min} to {max}")
            }
            Self::OneOf(integers) => {
                let words: Vec<String> = integers.iter().map(u32::to_string).collect();
                write!(f, "one of {}", words.join(", "))
            }
            Self::Flag => f.write_str("true or false"),
            Self::Choice(names) => write!(f, "one of {}", names.join(", ")),
        }
    }
}

/// The properties of an entry that do not depend on its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The group that it belongs to, as in files (`sea`), or an empty text.
    pub group: &'static str,
    /// Its name in files: `wind_speed_mps`, `row-lines`.
    pub name: &'static str,
    /// Its name for people: `Wind speed`.
    pub label: &'static str,
    /// The unit, such as `m/s`, or an empty text.
    pub unit: &'static str,
    /// The help, one or two sentences.
    pub help: &'static str,
    /// The values that the field may have.
    pub kind: Kind,
    /// The condition under which it has an effect (`the spectrum is jonswap`), or empty for always.
    pub condition: &'static str,
}

impl Entry {
    /// Returns the name on the command line: `wind-speed-mps`.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Returns a space and the unit, or an empty text if there is no unit.
    pub fn unit_suffix(&self) -> String {
        if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) }
    }
}

/// One field of the struct `S`, with its entry of the table.
pub struct Field<S: 'static> {
    entry: Entry,
    index: usize,
    get: fn(&S, usize) -> Value,
    set: fn(&mut S, usize, Value) -> bool,
    applies: fn(&S, usize) -> bool,
}

impl<S> Clone for Field<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Field<S> {}

impl<S> Deref for Field<S> {
    type Target = Entry;

    fn deref(&self) -> &Entry {
        &self.entry
    }
}

impl<S> Field<S> {
    /// Makes the field at place `index` of a table; the functions receive that place.
    pub const fn new(
        entry: Entry,
        index: usize,
        get: fn(&S, usize) -> Value,
        set: fn(&mut S, usize, Value) -> bool,
        applies: fn(&S, usize) -> bool,
    ) -> Self {
        Self { entry, index, get, set, applies }
    }

    /// Returns whether it has an effect beside the other values of `settings`: [`Entry::condition`] in words.
    pub fn applies(&self, settings: &S) -> bool {
        (self.applies)(settings, self.index)
    }

    /// Returns the entry, which does not depend on the value.
    pub const fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Returns the field's value in `settings`.
    pub fn get(&self, settings: &S) -> Value {
        (self.get)(settings, self.index)
    }

    /// Stores `value` where it has the field's type, and returns whether it has. The kind is not
    /// judged.
    pub fn store(&self, settings: &mut S, value: Value) -> bool {
        (self.set)(settings, self.index, value)
    }
}

/// A type that an entry can have.
pub trait EntryType: Copy {
    /// Converts to a [`Value`] of this type.
    fn to_value(self) -> Value;
    /// Converts from a [`Value`] of the same type.
    fn from_value(value: Value) -> Option<Self>;
}

macro_rules! entry_type {
    ($type:ty, $variant:ident) => {
        impl EntryType for $type {
            fn to_value(self) -> Value {
                Value::$variant(self)
            }

            fn from_value(value: Value) -> Option<Self> {
                if let Value::$variant(value) = value { Some(value) } else { None }
            }
        }
    };
}
entry_type!(f64, Number);
entry_type!(u32, Integer);
entry_type!(bool, Flag);

impl<T: Choice> EntryType for T {
    fn to_value(self) -> Value {
        Value::Choice(self.name())
    }

    fn from_value(value: Value) -> Option<Self> {
        if let Value::Choice(name) = value { T::from_name(name) } else { None }
    }
}

/// Reads a field of any type.
pub fn read<T: EntryType>(place: &T) -> Value {
    place.to_value()
}

/// Writes `value` to a field, if it has its type.
pub fn write<T: EntryType>(place: &mut T, value: Value) -> bool {
    let typed = T::from_value(value);
    if let Some(typed) = typed {
        *place = typed;
    }
    typed.is_some()
}

/// Reads a field that may be left open.
pub fn read_open<T: EntryType>(place: &Option<T>) -> Value {
    place.map_or(Value::Open, T::to_value)
}

/// Writes `value` to a field that may be left open, if it has its type or is [`Value::Open`].
pub fn write_open<T: EntryType>(place: &mut Option<T>, value: Value) -> bool {
    let typed = T::from_value(value);
    let fits = typed.is_some() || value == Value::Open;
    if fits {
        *place = typed;
    }
    fits
}

/// The reasons why a value is refused.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum SettingError {
    /// The value is NaN, infinite or outside the range.
    #[error("{name} = {value} is out of range: {min} to {max}{unit}")]
    OutOfRange {
        /// The name of the field.
        name: &'static str,
        /// The value that was given.
        value: f64,
        /// The least value that is allowed.
        min: f64,
        /// The largest value that is allowed.
        max: f64,
        /// A space and the unit, or empty.
        unit: String,
    },
    /// Within the range, but not one of the field's values.
    #[error("{name} = {value} is not {kind}{}", nearest(*kind, *value))]
    NotAllowed {
        /// The name of the field.
        name: &'static str,
        /// The value that was given.
        value: u32,
        /// The values that the field may have.
        kind: Kind,
    },
    /// Not the field's type or not one of its choices.
    #[error("{name}: {value:?} is not {expected}")]
    WrongType {
        /// The name of the field.
        name: &'static str,
        /// The value that was given.
        value: String,
        /// A description of the expected values.
        expected: String,
    },
}

/// Names the allowed values on either side of `value`.
fn nearest(kind: Kind, value: u32) -> String {
    let allowed = kind.values();
    let integers = allowed.iter().filter_map(|value| match value {
        Value::Integer(integer) => Some(*integer),
        _ => None,
    });
    match (
        integers.clone().rfind(|other| *other < value),
        integers.clone().find(|other| *other > value),
    ) {
        (Some(below), Some(above)) => format!(": {below} and {above} are"),
        _ => String::new(),
    }
}

impl<S> Field<S> {
    /// Stores `value`.
    ///
    /// # Errors
    /// [`SettingError`] where it is out of range or has the wrong type; `settings` is unchanged.
    pub fn set(&self, settings: &mut S, value: Value) -> Result<(), SettingError> {
        self.check(value)?;
        if self.store(settings, value) { Ok(()) } else { Err(self.wrong_type(&value)) }
    }

    /// Stores the value that `text` holds.
    ///
    /// # Errors
    /// Those of [`Field::set`].
    pub fn set_text(&self, settings: &mut S, text: &str) -> Result<(), SettingError> {
        self.set(settings, self.parse(text)?)
    }
}

impl Entry {
    /// Parses and judges `text`.
    ///
    /// # Errors
    /// [`SettingError`] where it is out of range or of the wrong type.
    pub fn parse(&self, text: &str) -> Result<Value, SettingError> {
        let wrong = |expected| SettingError::WrongType {
            name: self.name,
            value: text.to_owned(),
            expected,
        };
        let value = self.kind.parse(text).map_err(wrong)?;
        self.check(value).map(|()| value)
    }

    /// Judges `value`.
    ///
    /// # Errors
    /// Those of [`Entry::parse`].
    pub fn check(&self, value: Value) -> Result<(), SettingError> {
        if self.kind.contains(value) {
            return Ok(());
        }
        let number = match value {
            Value::Number(number) => number,
            Value::Integer(integer) => integer.into(),
            _ => return Err(self.wrong_type(&value)),
        };
        match (self.kind.range(), value) {
            (Some((min, max)), _) if !(min..=max).contains(&number) => {
                let (name, unit) = (self.name, self.unit_suffix());
                Err(SettingError::OutOfRange { name, value: number, min, max, unit })
            }
            (Some(_), Value::Integer(value)) => {
                Err(SettingError::NotAllowed { name: self.name, value, kind: self.kind })
            }
            _ => Err(self.wrong_type(&value)),
        }
    }

    fn wrong_type(&self, value: &Value) -> SettingError {
        let (value, expected) = (value.to_string(), self.kind.to_string());
        SettingError::WrongType { name: self.name, value, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_parsed_and_listed() {
        let powers = Kind::PowerOfTwo { min: 2, max: 32 };
        assert_eq!(powers.parse("16"), Ok(Value::Integer(16)));
        assert!(["1", "64", "3"].iter().all(|text| !powers.contains(powers.parse(text).unwrap())));
        assert!(powers.parse("-2").is_err() && powers.parse("x").is_err());
        assert_eq!(Kind::ZeroOrPowerOfTwo { min: 1, max: 4 }.values().len(), 4);
        assert_eq!(Kind::MultipleOf { step: 8, min: 0, max: 64 }.values().len(), 9);
        let names = Kind::Choice(&["table", "powers"]);
        assert!(names.parse("guessed").unwrap_err().contains("table, powers"));
        for kind in [
            powers,
            names,
            Kind::ZeroOrPowerOfTwo { min: 16, max: 1024 },
            Kind::MultipleOf { step: 2, min: 4, max: 64 },
            Kind::OneOf(&[1, 4]),
            Kind::Flag,
            Kind::Integer { min: 0, max: u32::MAX },
            Kind::Number { min: -1.5, max: 2.25, logarithmic: false },
        ] {
            for value in kind.values() {
                assert!(kind.contains(value), "{kind}: {value}");
                assert_eq!(kind.parse(&value.to_string()), Ok(value));
            }
            assert!(!kind.contains(Value::Open) && !kind.contains(Value::Number(f64::NAN)));
        }
    }
}
