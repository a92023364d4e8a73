//! The declarative settings table. `settings!` turns a list of fields with unit, range,
//! default and help into a serde struct and a `&'static [Field]` that the command line and the
//! panels walk, so that a new setting is one line in one place.

use std::fmt;

use crate::choice::Choice;

/// A setting's value of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A real number in the field's unit.
    Number(f64),
    /// A whole number without a sign.
    Integer(u32),
    /// A choice between yes and no.
    Flag(bool),
    /// One of the field's choices.
    Choice(&'static str),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Integer(integer) => write!(f, "{integer}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Choice(choice) => f.write_str(choice),
        }
    }
}

/// The possible values of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A real number within a closed range.
    Number {
        /// The least value that is allowed.
        min: f64,
        /// The largest value that is allowed.
        max: f64,
        /// Whether the range spans decades, so that a slider should be logarithmic.
        logarithmic: bool,
    },
    /// A whole number within a closed range.
    Integer {
        /// The least value that is allowed.
        min: u32,
        /// The largest value that is allowed.
        max: u32,
    },
    /// A choice between yes and no.
    Flag,
    /// One of the listed names.
    Choice(&'static [&'static str]),
}

/// A setting of the struct `S`.
pub struct Field<S: 'static> {
    /// The name in preset files and in Rust: `wind_speed_mps`.
    pub name: &'static str,
    /// The label for users, such as `Wind speed`.
    pub label: &'static str,
    /// The unit, such as `m/s`, or empty.
    pub unit: &'static str,
    /// Help in one or two sentences.
    pub help: &'static str,
    /// The possible values of the field.
    pub kind: Kind,
    /// Reads the field of a struct.
    pub get: fn(&S) -> Value,
    set: fn(&mut S, Value) -> bool,
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
    /// The value has another type, or is none of the choices.
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

impl<S> Field<S> {
    /// The name on the command line: `wind-speed-mps`.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Stores `value`.
    ///
    /// # Errors
    /// [`SettingError`] where it is out of range or has the wrong type; `settings` is unchanged.
    pub fn set(&self, settings: &mut S, value: Value) -> Result<(), SettingError> {
        self.check(value)?;
        if (self.set)(settings, value) { Ok(()) } else { Err(self.wrong_type(&value.to_string())) }
    }

    /// Stores the value that `text` holds.
    ///
    /// # Errors
    /// Those of [`Field::set`].
    pub fn set_text(&self, settings: &mut S, text: &str) -> Result<(), SettingError> {
        let value = match self.kind {
            Kind::Number { .. } => text.parse().ok().map(Value::Number),
            Kind::Integer { .. } => text.parse().ok().map(Value::Integer),
            Kind::Flag => text.parse().ok().map(Value::Flag),
            Kind::Choice(choices) => {
                choices.iter().find(|choice| **choice == text).copied().map(Value::Choice)
            }
        };
        self.set(settings, value.ok_or_else(|| self.wrong_type(text))?)
    }

    fn check(&self, value: Value) -> Result<(), SettingError> {
        let (number, min, max) = match (value, self.kind) {
            (Value::Number(number), Kind::Number { min, max, .. }) => (number, min, max),
            (Value::Integer(integer), Kind::Integer { min, max }) => {
                (f64::from(integer), f64::from(min), f64::from(max))
            }
            _ => return Ok(()),
        };
        if (min..=max).contains(&number) {
            return Ok(());
        }
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        Err(SettingError::OutOfRange { name: self.name, value: number, min, max, unit })
    }

    fn wrong_type(&self, text: &str) -> SettingError {
        let expected = match self.kind {
            Kind::Number { .. } => "a number".to_owned(),
            Kind::Integer { .. } => "a whole number".to_owned(),
            Kind::Flag => "true or false".to_owned(),
            Kind::Choice(choices) => format!("one of {}", choices.join(", ")),
        };
        SettingError::WrongType { name: self.name, value: text.to_owned(), expected }
    }
}

/// A struct declared by `settings!`.
pub trait Settings: Default + Clone + PartialEq + 'static {
    /// The heading of the struct in help and panels.
    const TITLE: &'static str;
    /// All fields, in the order of declaration.
    const FIELDS: &'static [Field<Self>];

    /// Checks every field, for values that did not come through [`Field::set`].
    ///
    /// # Errors
    /// The first field that is out of range.
    fn validate(&self) -> Result<(), SettingError> {
        Self::FIELDS.iter().try_for_each(|field| field.check((field.get)(self)))
    }
}

/// A type that a field can have.
pub trait SettingType: Copy {
    /// Returns the value as a [`Value`].
    fn to_value(self) -> Value;
    /// Returns a value from a [`Value`] of the same type.
    fn from_value(value: Value) -> Option<Self>;
}

impl SettingType for f64 {
    fn to_value(self) -> Value {
        Value::Number(self)
    }
    fn from_value(value: Value) -> Option<Self> {
        if let Value::Number(number) = value { Some(number) } else { None }
    }
}

impl SettingType for u32 {
    fn to_value(self) -> Value {
        Value::Integer(self)
    }
    fn from_value(value: Value) -> Option<Self> {
        if let Value::Integer(integer) = value { Some(integer) } else { None }
    }
}

impl SettingType for bool {
    fn to_value(self) -> Value {
        Value::Flag(self)
    }
    fn from_value(value: Value) -> Option<Self> {
        if let Value::Flag(flag) = value { Some(flag) } else { None }
    }
}

impl<T: Choice> SettingType for T {
    fn to_value(self) -> Value {
        Value::Choice(self.name())
    }
    fn from_value(value: Value) -> Option<Self> {
        if let Value::Choice(name) = value { T::from_name(name) } else { None }
    }
}

/// Declares a settings struct; see [`Settings`]. A field reads
/// `name: Type = default, "Label" ["unit"], kind;` under its help, which is one doc line. The
/// kind is `number (MIN..=MAX)`, `logarithmic (MIN..=MAX)`, `integer (MIN..=MAX)`, `flag` or
/// `choice`.
macro_rules! settings {
    (
        $(#[$meta:meta])*
        pub struct $name:ident as $title:literal {
            $(
                #[doc = $help:literal]
                $field:ident : $type:ty = $default:expr, $label:literal [$unit:literal],
                $kind:ident $(($min:literal ..= $max:literal))? ;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $( #[doc = $help] pub $field: $type, )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $crate::settings::table::Settings for $name {
            const TITLE: &'static str = $title;
            const FIELDS: &'static [$crate::settings::table::Field<Self>] = &[
                $( $crate::settings::table::Field::new(
                    stringify!($field),
                    $label,
                    $unit,
                    $help,
                    $crate::settings::table::settings!(@kind $type, $kind $(($min ..= $max))?),
                    |settings| $crate::settings::table::SettingType::to_value(settings.$field),
                    |settings, value| {
                        let value = $crate::settings::table::SettingType::from_value(value);
                        if let Some(value) = value {
                            settings.$field = value;
                        }
                        value.is_some()
                    },
                ), )*
            ];
        }
    };
    (@kind $type:ty, number ($min:literal ..= $max:literal)) => {
        $crate::settings::table::Kind::Number { min: $min, max: $max, logarithmic: false }
    };
    (@kind $type:ty, logarithmic ($min:literal ..= $max:literal)) => {
        $crate::settings::table::Kind::Number { min: $min, max: $max, logarithmic: true }
    };
    (@kind $type:ty, integer ($min:literal ..= $max:literal)) => {
        $crate::settings::table::Kind::Integer { min: $min, max: $max }
    };
    (@kind $type:ty, flag) => { $crate::settings::table::Kind::Flag };
    (@kind $type:ty, choice) => { $crate::settings::table::Kind::Choice(<$type as $crate::choice::Choice>::NAMES) };
}
pub(crate) use settings;

impl<S> Field<S> {
    pub(crate) const fn new(
        name: &'static str,
        label: &'static str,
        unit: &'static str,
        help: &'static str,
        kind: Kind,
        get: fn(&S) -> Value,
        set: fn(&mut S, Value) -> bool,
    ) -> Self {
        Self { name, label, unit, help, kind, get, set }
    }
}

/// A struct with each setting drawn from its whole range.
#[cfg(test)]
pub(crate) fn random<S: Settings>(rng: &mut impl rand::Rng) -> S {
    use rand::RngExt as _;
    let mut settings = S::default();
    for field in S::FIELDS {
        let value = match field.kind {
            Kind::Number { min, max, logarithmic: true } => {
                Value::Number((min.ln() + rng.random::<f64>() * (max / min).ln()).exp())
            }
            // The ends are as likely as with sliders.
            Kind::Number { min, max, .. } => Value::Number(match rng.random_range(0..8) {
                0 => min,
                1 => max,
                _ => min + rng.random::<f64>() * (max - min),
            }),
            Kind::Integer { min, max } => Value::Integer(rng.random_range(min..=max)),
            Kind::Flag => Value::Flag(rng.random()),
            Kind::Choice(choices) => Value::Choice(choices[rng.random_range(0..choices.len())]),
        };
        field.set(&mut settings, value).unwrap();
    }
    settings
}
