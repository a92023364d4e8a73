//! The declarative settings table. `settings!` turns a list of fields with unit, range,
//! default and help into a serde struct and a `&'static [Field]` that the command line and the
//! panels walk, so that a new setting is one line in one place.

pub use crate::table::{Entry, Field, Kind, SettingError, Value};

/// A struct declared by `settings!`, or several of them as the groups of one table.
pub trait Settings: Default + Clone + PartialEq + 'static {
    /// The heading of the struct in help and panels.
    const TITLE: &'static str;
    /// All fields, in the order of declaration.
    const FIELDS: &'static [Field<Self>];

    /// Returns the field named `name`.
    fn field(name: &str) -> Option<&'static Field<Self>> {
        Self::FIELDS.iter().find(|field| field.name == name)
    }

    /// Returns the fields in which `self` and `other` differ.
    fn differences<'a>(
        &'a self,
        other: &'a Self,
    ) -> impl Iterator<Item = &'static Field<Self>> + 'a {
        Self::FIELDS.iter().filter(move |field| field.get(self) != field.get(other))
    }

    /// Checks every field, for values that did not come through [`Field::set`].
    ///
    /// # Errors
    /// The first field that is out of range.
    fn validate(&self) -> Result<(), SettingError> {
        Self::FIELDS.iter().try_for_each(|field| field.check(field.get(self)))
    }
}

/// Declares a settings struct; see [`Settings`]. A field reads `name: Type = default, "Label" ["unit"],
/// kind;` under its help, which is one doc line. The kind is `number (MIN..=MAX)`, `logarithmic (MIN..=MAX)`,
/// `integer (MIN..=MAX)`, `power_of_two (MIN..=MAX)`, `zero_or_power_of_two (MIN..=MAX)`, `multiple_of STEP
/// (MIN..=MAX)`, `one_of [A, B, ..]`, `flag` or `choice`. A setting that does not always have an effect ends
/// in `, if "the condition in words" |settings| condition`. Data that are no single value, such as the
/// contents of a file, follow the fields in `data { name: Type }`; their default is that of their type.
macro_rules! settings {
    (
        $(#[$meta:meta])*
        pub struct $name:ident as $title:literal {
            $(
                #[doc = $help:literal]
                $field:ident : $type:ty = $default:expr, $label:literal [$unit:literal],
                $kind:ident $($step:literal)? $([$($one:literal),*])? $(($min:literal ..= $max:literal))?
                $(, if $condition:literal |$settings:ident| $applies:expr)? ;
            )*
            $(data { $( #[doc = $data_help:literal] $data:ident : $data_type:ty ),* })?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $( #[doc = $help] pub $field: $type, )*
            $($(
                #[doc = $data_help]
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $data: $data_type,
            )*)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* $($( $data: Default::default(), )*)? }
            }
        }

        impl $crate::settings::table::Settings for $name {
            const TITLE: &'static str = $title;
            const FIELDS: &'static [$crate::settings::table::Field<Self>] = &[
                $( $crate::settings::table::Field::new(
                    $crate::settings::table::Entry {
                        group: "",
                        name: stringify!($field),
                        label: $label,
                        unit: $unit,
                        help: $help,
                        kind: $crate::settings::table::settings!(
                            @kind $type, $kind $($step)? $([$($one),*])? $(($min ..= $max))?
                        ),
                        condition: concat!("" $(, $condition)?),
                    },
                    0,
                    |settings, _| $crate::table::read(&settings.$field),
                    |settings, _, value| $crate::table::write(&mut settings.$field, value),
                    $crate::settings::table::settings!(@applies $(|$settings| $applies)?),
                ), )*
            ];
        }
    };
    (@applies) => { |_, _| true };
    (@applies |$settings:ident| $applies:expr) => { |$settings, _| $applies };
    (@kind $type:ty, number ($min:literal ..= $max:literal)) => {
        $crate::settings::table::Kind::Number { min: $min, max: $max, logarithmic: false }
    };
    (@kind $type:ty, logarithmic ($min:literal ..= $max:literal)) => {
        $crate::settings::table::Kind::Number { min: $min, max: $max, logarithmic: true }
    };
    (@kind $type:ty, integer ($min:literal ..= $max:literal)) => {
        $crate::settings::table::Kind::Integer { min: $min, max: $max }
    };
    (@kind $type:ty, power_of_two ($min:literal ..= $max:literal)) => {
        $crate::settings::table::Kind::PowerOfTwo { min: $min, max: $max }
    };
    (@kind $type:ty, zero_or_power_of_two ($min:literal ..= $max:literal)) => {
        $crate::settings::table::Kind::ZeroOrPowerOfTwo { min: $min, max: $max }
    };
    (@kind $type:ty, multiple_of $step:literal ($min:literal ..= $max:literal)) => {
        $crate::settings::table::Kind::MultipleOf { step: $step, min: $min, max: $max }
    };
    (@kind $type:ty, one_of [$($one:literal),*]) => {
        $crate::settings::table::Kind::OneOf(&[$($one),*])
    };
    (@kind $type:ty, flag) => { $crate::settings::table::Kind::Flag };
    (@kind $type:ty, choice) => { $crate::settings::table::Kind::Choice(<$type as $crate::choice::Choice>::NAMES) };
}
pub(crate) use settings;

/// Every setting drawn from its whole range.
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
            kind => {
                let values = kind.values();
                values[rng.random_range(0..values.len())]
            }
        };
        field.set(&mut settings, value).unwrap();
    }
    settings
}
