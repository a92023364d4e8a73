//! The name of an algorithm, `best` or `auto`.

use std::fmt;
use std::str::FromStr;

use crate::choice::Choice;
use crate::configuration::Algorithm;

/// A named [`Algorithm`], or a way to choose one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum AlgorithmChoice {
    /// The best that is known for the device and the problem, by [`choose`](crate::lab::choose).
    Best,
    /// The fastest as measured by [`tune`](super::tune).
    Auto,
    /// The algorithm of this name.
    Named(Algorithm),
}

impl AlgorithmChoice {
    /// The name of [`AlgorithmChoice::Best`] in options and files.
    pub const BEST: &'static str = "best";
    /// The name of [`AlgorithmChoice::Auto`] in options and files.
    pub const AUTO: &'static str = "auto";

    /// `best`, `auto`, then every algorithm.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Best, Self::Auto].into_iter().chain(Algorithm::ALL.iter().copied().map(Self::Named))
    }

    /// [`AlgorithmChoice::all`] without the algorithms that do not transform powers of two, as the sizes of an
    /// ocean are.
    pub fn of_powers_of_two() -> impl Iterator<Item = Self> {
        Self::all().filter(|choice| choice.named().is_none_or(Algorithm::takes_powers_of_two))
    }

    /// The name, as in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Best => Self::BEST,
            Self::Auto => Self::AUTO,
            Self::Named(algorithm) => algorithm.name(),
        }
    }

    /// The algorithm, if it was named.
    pub fn named(self) -> Option<Algorithm> {
        match self {
            Self::Best | Self::Auto => None,
            Self::Named(algorithm) => Some(algorithm),
        }
    }
}

impl From<Algorithm> for AlgorithmChoice {
    fn from(algorithm: Algorithm) -> Self {
        Self::Named(algorithm)
    }
}

impl fmt::Display for AlgorithmChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for AlgorithmChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let choice = Self::all().find(|choice| choice.name() == text);
        choice.ok_or_else(|| {
            let (best, auto) = (Self::BEST, Self::AUTO);
            format!("{text:?} is not one of {best}, {auto}, {}", Algorithm::NAMES.join(", "))
        })
    }
}

impl From<AlgorithmChoice> for String {
    fn from(choice: AlgorithmChoice) -> Self {
        choice.name().to_owned()
    }
}

impl TryFrom<String> for AlgorithmChoice {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_has_its_name() {
        for choice in AlgorithmChoice::all() {
            assert_eq!(choice.name().parse(), Ok(choice));
        }
        assert_eq!("auto".parse(), Ok(AlgorithmChoice::Auto));
        assert_eq!("dft".parse(), Ok(AlgorithmChoice::from(Algorithm::Dft)));
        let error = "fastest".parse::<AlgorithmChoice>().unwrap_err();
        assert!(error.contains("best, auto, stockham-r4"), "{error}");
    }
}
