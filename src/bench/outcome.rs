//! The result of a measurement: figures, or the reason why there are none.

use serde::{Deserialize, Serialize};

/// The result of checking and measuring something. Its JSON has the keys of the figures, or one of `skipped`
/// and `failed` with the reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Outcome<Figures> {
    /// It ran, and its result was right.
    Measured(Figures),
    /// The adapter cannot run it, or cannot time it.
    Skipped {
        /// The reason, for people.
        skipped: String,
    },
    /// It ran, and its result was wrong.
    Failed {
        /// The size of the error, for people.
        failed: String,
    },
}

impl<Figures> Outcome<Figures> {
    /// The outcome of something that was skipped for this reason.
    pub fn skipped(reason: impl ToString) -> Self {
        Self::Skipped { skipped: reason.to_string() }
    }

    /// The outcome of a wrong result, for this reason.
    pub fn failed(reason: impl ToString) -> Self {
        Self::Failed { failed: reason.to_string() }
    }

    /// The figures, if there are any.
    pub fn figures(&self) -> Option<&Figures> {
        match self {
            Self::Measured(figures) => Some(figures),
            Self::Skipped { .. } | Self::Failed { .. } => None,
        }
    }

    /// Whether the result was wrong.
    pub fn is_failed(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }

    /// `skipped` or `FAILED` if there are no figures, for a cell of a table.
    pub fn word(&self) -> Option<&'static str> {
        match self {
            Self::Measured(_) => None,
            Self::Skipped { .. } => Some("skipped"),
            Self::Failed { .. } => Some("FAILED"),
        }
    }

    /// [`Self::word`] with the reason, as in `skipped: the adapter has no 64-bit floats`.
    pub fn note(&self) -> Option<String> {
        let (Self::Skipped { skipped: reason } | Self::Failed { failed: reason }) = self else {
            return None;
        };
        Some(format!("{}: {reason}", self.word()?))
    }

    /// The same outcome with its figures by reference.
    pub fn as_ref(&self) -> Outcome<&Figures> {
        match self {
            Self::Measured(figures) => Outcome::Measured(figures),
            Self::Skipped { skipped } => Outcome::skipped(skipped),
            Self::Failed { failed } => Outcome::failed(failed),
        }
    }

    /// The figures, or else the same reason as the outcome of something else.
    pub fn measured<Other>(self) -> Result<Figures, Outcome<Other>> {
        match self {
            Self::Measured(figures) => Ok(figures),
            Self::Skipped { skipped } => Err(Outcome::Skipped { skipped }),
            Self::Failed { failed } => Err(Outcome::Failed { failed }),
        }
    }

    /// The same outcome with other figures.
    pub fn map<Other>(self, map: impl FnOnce(Figures) -> Other) -> Outcome<Other> {
        self.measured().map_or_else(|other| other, |figures| Outcome::Measured(map(figures)))
    }
}
