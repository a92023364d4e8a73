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
        /// That table in a texture of `rg32float`, a factor a texel. Such plans need [`Plan::write_tables`].
        ///
        /// [`Plan::write_tables`]: crate::Plan::write_tables
        Texture = "texture",
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
        $crate::configuration::parameters::field!(
            "twiddles",
            "source of the twiddle factors: a table computed in double precision, in a buffer or a \
             texture, one factor from it and its powers, a polynomial, or the device's sine and \
             cosine",
            $crate::table::Kind::Choice(
                <$crate::configuration::Twiddles as $crate::choice::Choice>::NAMES
            ),
            twiddles
        )
    };
}
pub(super) use twiddles_field;

/// Declares a struct of parameters with its table. Each parameter has one line: its field and type, its name,
/// its kind and its help, of which the documentation is made. The source of twiddle factors comes first. A second
/// struct has the parameters of rows and, again, those of columns: `row-` and `column-` precede their names,
/// and the word `rows` or `columns` stands between the two parts of their help.
macro_rules! parameters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[$more:meta])*
                $field:ident : $type:ty = $option:literal, $kind:expr, $help:literal;
            )*
        }
        $(
            $(#[$line_meta:meta])*
            pub struct $line:ident {
                $(
                    $(#[$line_more:meta])*
                    $line_field:ident : $line_type:ty =
                        $line_option:literal, $line_kind:expr, $before:literal - $after:literal;
                )*
            }
        )?
    ) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            /// `twiddles`: source of the twiddle factors.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub twiddles: Option<$crate::configuration::Twiddles>,
            $(
                #[doc = concat!("`", $option, "`: ", $help, ".")]
                $(#[$more])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )*
            $(
                /// The distribution of rows over workgroups.
                pub row: $line,
                /// The distribution of columns over workgroups.
                pub column: $line,
            )?
        }

        impl $crate::configuration::parameters::Parameters for $name {
            const FIELDS: &'static [$crate::table::Field<Self>] = {
                use $crate::configuration::parameters::{field, twiddles_field};
                use $crate::table::Kind;
                &[
                    twiddles_field!(),
                    $( field!($option, $help, $kind, $field), )*
                    $(
                        $( field!(
                            concat!("row-", $line_option),
                            concat!($before, "rows", $after),
                            $line_kind,
                            row.$line_field
                        ), )*
                        $( field!(
                            concat!("column-", $line_option),
                            concat!($before, "columns", $after),
                            $line_kind,
                            column.$line_field
                        ), )*
                    )?
                ]
            };
        }

        $(
            impl $name {
                /// The parameters of lines along `axis`.
                pub fn line(&self, axis: $crate::layout::Axis) -> &$line {
                    match axis {
                        $crate::layout::Axis::Row => &self.row,
                        _ => &self.column,
                    }
                }

                /// The parameters of lines along `axis`, to change.
                pub fn line_mut(&mut self, axis: $crate::layout::Axis) -> &mut $line {
                    match axis {
                        $crate::layout::Axis::Row => &mut self.row,
                        _ => &mut self.column,
                    }
                }
            }

            $(#[$line_meta])*
            #[derive(
                Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
            )]
            #[serde(default, deny_unknown_fields)]
            pub struct $line {
                $(
                    #[doc = concat!(
                        "`row-", $line_option, "`, `column-", $line_option, "`: ",
                        $before, "lines", $after, "."
                    )]
                    $(#[$line_more])*
                    #[serde(skip_serializing_if = "Option::is_none")]
                    pub $line_field: Option<$line_type>,
                )*
            }
        )?
    };
}
pub(super) use parameters;
