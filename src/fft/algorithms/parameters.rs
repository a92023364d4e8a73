//! Parameters that change the speed of an algorithm, and its result by roundings only: each algorithm
//! has its own struct of them, which every list (options, panels, searches, files) walks by name.

use std::fmt;

use crate::choice::{Choice as _, choices};

choices! {
    /// The sources of twiddle factors.
    pub enum Twiddles {
        /// A table computed in double precision.
        Table = "table",
        /// One factor of a butterfly from the table, the others its powers: fewer reads and a rounding
        /// or three more. Algorithms without powers read all from the table.
        Powers = "powers",
        /// One factor of a butterfly from a polynomial, the others its powers: no memory read, and
        /// nearly as accurate as the table. Algorithms without powers take each from the polynomial.
        Computed = "computed",
        /// The device's sine and cosine: no memory read, but with an accuracy that WGSL hardly bounds.
        SinCos = "sin-cos",
    }
}

/// The description of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name on the command line: `column-lines`.
    pub name: &'static str,
    /// The effect, in a sentence without a full stop.
    pub help: &'static str,
    /// The values that are possible on some device. Checks against a problem and a device happen when a
    /// program is made.
    pub values: Values,
}

/// The possible values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// The powers of two from one number to another.
    PowersOfTwo(u32, u32),
    /// 0, or a power of two up to a number.
    ZeroOrPowersOfTwo(u32),
    /// All numbers from one to another.
    Numbers(u32, u32),
    /// A choice between yes and no.
    Flag,
    /// One of the listed names.
    Names(&'static [&'static str]),
}

/// A value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The value of a count.
    Number(u32),
    /// The value of a yes or no.
    Flag(bool),
    /// The value of a choice.
    Name(&'static str),
}

impl Values {
    /// Returns whether `value` is among them.
    pub fn contains(self, value: Value) -> bool {
        match (self, value) {
            (Self::PowersOfTwo(from, to), Value::Number(number)) => {
                number.is_power_of_two() && (from..=to).contains(&number)
            }
            (Self::ZeroOrPowersOfTwo(to), Value::Number(number)) => {
                number == 0 || number.is_power_of_two() && number <= to
            }
            (Self::Numbers(from, to), Value::Number(number)) => (from..=to).contains(&number),
            (Self::Flag, Value::Flag(_)) => true,
            (Self::Names(names), Value::Name(name)) => names.contains(&name),
            _ => false,
        }
    }

    /// Parses the text of a value.
    ///
    /// # Errors
    /// A description of the expected values.
    pub fn parse(self, text: &str) -> Result<Value, String> {
        let value = match self {
            Self::PowersOfTwo(..) | Self::ZeroOrPowersOfTwo(_) | Self::Numbers(..) => {
                text.parse().ok().map(Value::Number)
            }
            Self::Flag => text.parse().ok().map(Value::Flag),
            Self::Names(names) => {
                names.iter().find(|name| **name == text).map(|name| Value::Name(name))
            }
        };
        value.filter(|value| self.contains(*value)).ok_or_else(|| format!("expected {self}"))
    }

    /// All possible values, smallest first.
    pub fn all(self) -> Vec<Value> {
        let powers = |from: u32, to: u32| (from.ilog2()..=to.ilog2()).map(|bits| 1 << bits);
        match self {
            Self::PowersOfTwo(from, to) => powers(from, to).map(Value::Number).collect(),
            Self::ZeroOrPowersOfTwo(to) => {
                std::iter::once(0).chain(powers(1, to)).map(Value::Number).collect()
            }
            Self::Numbers(from, to) => (from..=to).map(Value::Number).collect(),
            Self::Flag => vec![Value::Flag(false), Value::Flag(true)],
            Self::Names(names) => names.iter().map(|name| Value::Name(name)).collect(),
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PowersOfTwo(from, to) => write!(f, "a power of two from {from} to {to}"),
            Self::ZeroOrPowersOfTwo(to) => write!(f, "0, or a power of two up to {to}"),
            Self::Numbers(from, to) => write!(f, "a number from {from} to {to}"),
            Self::Flag => f.write_str("true or false"),
            Self::Names(names) => write!(f, "one of {}", names.join(", ")),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Flag(flag) => flag.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

/// A type that a parameter can have.
pub trait ParameterType: Copy {
    /// Returns it as a [`Value`].
    fn to_value(self) -> Value;
    /// Returns it from a value of the same type.
    fn from_value(value: Value) -> Option<Self>;
}

impl ParameterType for u32 {
    fn to_value(self) -> Value {
        Value::Number(self)
    }

    fn from_value(value: Value) -> Option<Self> {
        if let Value::Number(number) = value { Some(number) } else { None }
    }
}

impl ParameterType for bool {
    fn to_value(self) -> Value {
        Value::Flag(self)
    }

    fn from_value(value: Value) -> Option<Self> {
        if let Value::Flag(flag) = value { Some(flag) } else { None }
    }
}

impl ParameterType for Twiddles {
    fn to_value(self) -> Value {
        Value::Name(self.name())
    }

    fn from_value(value: Value) -> Option<Self> {
        if let Value::Name(name) = value { Self::from_name(name) } else { None }
    }
}

/// A struct of parameters, each of which may be left open.
pub trait Parameters: Copy + Default + PartialEq + fmt::Debug + 'static {
    /// All fields, in the order of display.
    const FIELDS: &'static [Field<Self>];

    /// The field of the named parameter.
    fn field(name: &str) -> Option<&'static Field<Self>> {
        Self::FIELDS.iter().find(|field| field.parameter.name == name)
    }
}

/// The accessors of one parameter of `P`.
pub struct Field<P> {
    /// The description of the parameter.
    pub parameter: Parameter,
    /// Reads its value, where it is not left open.
    pub get: fn(&P) -> Option<Value>,
    /// Sets it, or leaves it open; `false` where the value is not of its type.
    pub set: fn(&mut P, Option<Value>) -> bool,
}

/// A [`Field`]: `field!("row-lines", "what it does", Values::Flag, row.lines)`.
macro_rules! field {
    ($name:expr, $help:expr, $values:expr, $($path:ident).+) => {
        $crate::fft::algorithms::parameters::Field {
            parameter: $crate::fft::algorithms::parameters::Parameter {
                name: $name,
                help: $help,
                values: $values,
            },
            get: |parameters| {
                use $crate::fft::algorithms::parameters::ParameterType as _;
                parameters.$($path).+.map(|value| value.to_value())
            },
            set: |parameters, value| {
                use $crate::fft::algorithms::parameters::ParameterType as _;
                let typed = match value {
                    None => None,
                    Some(value) => match <_>::from_value(value) {
                        None => return false,
                        typed => typed,
                    },
                };
                parameters.$($path).+ = typed;
                true
            },
        }
    };
}
pub(super) use field;

/// The field for the source of twiddle factors.
macro_rules! twiddles_field {
    () => {
        $crate::fft::algorithms::parameters::field!(
            "twiddles",
            "source of the twiddle factors: a table computed in double precision, one factor from \
             it and its powers, a polynomial, or the device's sine and cosine",
            $crate::fft::algorithms::parameters::Values::Names(
                <$crate::fft::algorithms::Twiddles as $crate::choice::Choice>::NAMES
            ),
            twiddles
        )
    };
}
pub(super) use twiddles_field;

/// Declares a struct of parameters: optional fields, of which those left open are not written.
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $( $(#[$field_meta:meta])* pub $field:ident : $type:ty ),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $(
                $(#[$field_meta])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )*
        }
    };
}
pub(super) use parameters;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_parsed_and_listed() {
        let powers = Values::PowersOfTwo(2, 32);
        assert_eq!(powers.parse("16"), Ok(Value::Number(16)));
        for wrong in ["1", "64", "3", "-2", "x"] {
            assert!(powers.parse(wrong).unwrap_err().contains("a power of two from 2 to 32"));
        }
        assert_eq!(Values::ZeroOrPowersOfTwo(4).all().len(), 4);
        assert!(!Values::ZeroOrPowersOfTwo(8).contains(Value::Number(3)));
        assert_eq!(Values::Flag.parse("true"), Ok(Value::Flag(true)));
        let names = Values::Names(Twiddles::NAMES);
        assert_eq!(names.parse("powers"), Ok(Value::Name("powers")));
        assert!(names.parse("guessed").unwrap_err().contains("sin-cos"));
        for values in [powers, Values::ZeroOrPowersOfTwo(1024), Values::Flag, names] {
            assert!(values.all().into_iter().all(|value| values.contains(value)));
            for value in values.all() {
                assert_eq!(values.parse(&value.to_string()), Ok(value));
            }
        }
    }
}
