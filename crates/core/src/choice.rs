//! Enums whose variants have kebab-case names: on the command line, in files and in panels.

/// An enum declared by `choices!`.
pub trait Choice: Copy + Eq + 'static {
    /// Every choice, in the order of declaration.
    const ALL: &'static [Self];
    /// The names of all choices, in the same order.
    const NAMES: &'static [&'static str];

    /// The kebab-case name, as in files and on the command line.
    fn name(self) -> &'static str;

    /// The choice with that name, if there is one.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.name() == name)
    }
}

/// Declares an enum with a name for every variant, and [`Choice`], `Display`, `FromStr` and serde
/// by that name.
#[macro_export]
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$variant_meta:meta])* $variant:ident = $text:literal ),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $( $(#[$variant_meta])* #[serde(rename = $text)] $variant ),* }

        impl $crate::choice::Choice for $name {
            const ALL: &'static [Self] = &[ $( Self::$variant ),* ];
            const NAMES: &'static [&'static str] = &[ $( $text ),* ];

            fn name(self) -> &'static str {
                match self { $( Self::$variant => $text ),* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad($crate::choice::Choice::name(*self))
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                <Self as $crate::choice::Choice>::from_name(text).ok_or_else(|| {
                    let names = <Self as $crate::choice::Choice>::NAMES;
                    format!("{text:?} is not one of {}", names.join(", "))
                })
            }
        }
    };
}
#[doc(inline)]
pub use crate::choices;
