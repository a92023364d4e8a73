//! Requested parameters of algorithms, and one parameter at several values in turn.

use std::fmt;

use crate::choice::Choice as _;
use crate::fft::Unsupported;
use crate::fft::lab::{Algorithm, AlgorithmChoice, Configuration, Entry, Value};

/// The requested parameters; an algorithm chooses the others. The library refuses those that an algorithm or an
/// adapter does not support.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters(pub Vec<(&'static str, Value)>);

/// A parameter and its values in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub name: &'static str,
    pub values: Vec<Value>,
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<_> = self.values.iter().map(Value::to_string).collect();
        write!(f, "{}={}", self.name, values.join(","))
    }
}

/// Parameters of an algorithm as options of the command line.
pub fn options(given: &[(&'static str, Value)]) -> String {
    let words: Vec<_> = given.iter().map(|(name, value)| format!("--{name} {value}")).collect();
    words.join(" ")
}

/// Every parameter that any algorithm has, with the algorithms that have it.
pub fn all() -> Vec<(&'static Entry, Vec<Algorithm>)> {
    let mut all: Vec<(&Entry, Vec<Algorithm>)> = Vec::new();
    for &algorithm in Algorithm::ALL {
        for parameter in algorithm.parameters() {
            match all.iter_mut().find(|(known, _)| known.name == parameter.name) {
                Some((_, algorithms)) => algorithms.push(algorithm),
                None => all.push((parameter, vec![algorithm])),
            }
        }
    }
    all
}

impl Parameters {
    /// Adds `values`, in place of requested ones of the same names.
    pub fn with(&self, values: &[(&'static str, Value)]) -> Self {
        let is_new = |name: &str| values.iter().all(|(other, _)| *other != name);
        let kept = self.0.iter().copied().filter(|(name, _)| is_new(name));
        Self(kept.chain(values.iter().copied()).collect())
    }

    pub fn is_set(&self) -> bool {
        !self.0.is_empty()
    }

    /// The requested value of the parameter of that name.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// `algorithm` with the requested parameters. Fails for a parameter that it does not have.
    pub fn of(&self, algorithm: Algorithm) -> Result<Configuration, Unsupported> {
        let mut configuration = Configuration::from(algorithm);
        for (name, value) in &self.0 {
            configuration.set(name, Some(*value))?;
        }
        Ok(configuration)
    }

    /// If `choices` name one algorithm, it must have the requested parameters; if they leave the choice open,
    /// no parameter may be requested.
    pub fn check(&self, choices: &[AlgorithmChoice]) -> Result<(), String> {
        if !self.is_set() {
            return Ok(());
        }
        if let Some(open) = choices.iter().find(|choice| choice.named().is_none()) {
            return Err(format!(
                "{} cannot be given to --algorithm {open}, which chooses the parameters: name an \
                 algorithm",
                options(&self.0)
            ));
        }
        match choices {
            [AlgorithmChoice::Named(only)] => {
                self.of(*only).map(drop).map_err(|error| error.to_string())
            }
            _ => Ok(()),
        }
    }
}
