//! Parameters that change the speed of an algorithm, and its result by roundings only: each algorithm
//! has its own struct of them, which every list (options, panels, searches, files) walks by name.

use std::fmt;

use crate::choice::choices;
pub use crate::table::{Entry, Field, Kind, Value};

choices! {
    /// The sources of twiddle factors.
    #[non_exhaustive]
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

/// A struct of parameters, each of which may be left open.
pub trait Parameters: Copy + Default + PartialEq + fmt::Debug + 'static {
    /// All fields, in the order of display.
    const FIELDS: &'static [Field<Self>];

    /// The field of the named parameter.
    fn field(name: &str) -> Option<&'static Field<Self>> {
        Self::FIELDS.iter().find(|field| field.name == name)
    }
}

/// A [`Field`]: `field!("row-lines", "what it does", Kind::Flag, row.lines)`.
macro_rules! field {
    ($name:expr, $help:expr, $kind:expr, $($path:ident).+) => {
        $crate::table::Field::new(
            $crate::table::Entry {
                group: "",
                name: $name,
                label: $name,
                unit: "",
                help: $help,
                kind: $kind,
                condition: "",
            },
            0,
            |parameters, _| $crate::table::read_open(&parameters.$($path).+),
            |parameters, _, value| $crate::table::write_open(&mut parameters.$($path).+, value),
            |_, _| true,
        )
    };
}
pub(super) use field;

/// The field for the source of twiddle factors.
macro_rules! twiddles_field {
    () => {
        $crate::algorithms::parameters::field!(
            "twiddles",
            "source of the twiddle factors: a table computed in double precision, one factor from \
             it and its powers, a polynomial, or the device's sine and cosine",
            $crate::table::Kind::Choice(
                <$crate::algorithms::Twiddles as $crate::choice::Choice>::NAMES
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
