//! The choice of what to compare, as the panel edits it: plain data, kept from visit to visit.

use serde::{Deserialize, Serialize};

use crate::app::fft_choice::SIZES;
use crate::bench::comparison::{Entry, Problem, RowKind};
use crate::choice::Choice as _;
use crate::fft::Precision;
use crate::fft::lab::{Algorithm, AlgorithmChoice, Configuration};
use crate::ocean::OceanPath;
use crate::settings::{Quality, SeaState};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct CompareChoice {
    /// The algorithms, in the order of [`AlgorithmChoice::of_powers_of_two`].
    pub algorithms: Vec<AlgorithmChoice>,
    pub kinds: Vec<RowKind>,
    /// Points along one side of an image; `None` for the frame's.
    pub size: Option<u32>,
    /// Cascades of four images each; `None` for the frame's.
    pub cascades: Option<u32>,
    pub precision: Precision,
    /// GPU time that a frame may spend, in milliseconds; `None` for the adapter's default.
    pub budget_ms: Option<f64>,
}

impl Default for CompareChoice {
    /// Every algorithm except the definition, which takes as long as all others together.
    fn default() -> Self {
        let quick = |choice: &AlgorithmChoice| {
            !matches!(choice, AlgorithmChoice::Auto | AlgorithmChoice::Named(Algorithm::Dft))
        };
        Self {
            algorithms: AlgorithmChoice::of_powers_of_two().filter(quick).collect(),
            kinds: vec![RowKind::Transform],
            size: None,
            cascades: None,
            precision: Precision::F32,
            budget_ms: None,
        }
    }
}

impl CompareChoice {
    /// Range of the panel, in milliseconds.
    pub const BUDGETS_MS: std::ops::RangeInclusive<f64> = 0.1..=100.0;

    /// A GPU's frame has 2 ms to spare; a software adapter takes longer for a single run.
    pub fn budget_ms(&self, is_software: bool) -> f64 {
        self.budget_ms.unwrap_or(if is_software { 25.0 } else { 2.0 })
    }

    /// Whether every value is one that the panel offers.
    pub fn is_sound(&self) -> bool {
        self.size.is_none_or(|size| SIZES.contains(&size))
            && self.cascades.is_none_or(|cascades| (1..=4).contains(&cascades))
            && self.budget_ms.is_none_or(|budget| Self::BUDGETS_MS.contains(&budget))
            && self.precision != Precision::F64
    }

    pub fn toggle(&mut self, algorithm: AlgorithmChoice) {
        toggle(&mut self.algorithms, algorithm);
        let place = |one: &AlgorithmChoice| {
            AlgorithmChoice::of_powers_of_two().position(|known| known == *one)
        };
        self.algorithms.sort_by_key(place);
    }

    pub fn toggle_kind(&mut self, kind: RowKind) {
        toggle(&mut self.kinds, kind);
        self.kinds.sort_by_key(|one| RowKind::ALL.iter().position(|known| known == one));
    }

    pub fn problem(&self, sea: &SeaState, time_s: f64, quality: &Quality) -> Problem {
        Problem {
            sea: sea.clone(),
            time_s,
            size: self.size.unwrap_or(quality.size),
            cascades: self.cascades.unwrap_or(quality.cascades),
            precision: self.precision,
        }
    }

    /// Returns the rows. The configuration that `auto` chose is a row where it was measured: `tuned`, with
    /// its path.
    pub fn entries(&self, tuned: Option<(Configuration, OceanPath)>) -> Vec<Entry> {
        let mut entries = Vec::new();
        for &kind in &self.kinds {
            for &algorithm in &self.algorithms {
                if algorithm != AlgorithmChoice::Auto {
                    entries.push(Entry::new(kind, algorithm));
                } else if let Some((tuned, path)) = tuned
                    && kind.path() == Some(path)
                {
                    entries.push(Entry { kind, algorithm, configuration: Some(tuned) });
                }
            }
        }
        entries
    }
}

fn toggle<T: PartialEq>(list: &mut Vec<T>, value: T) {
    match list.iter().position(|one| *one == value) {
        Some(place) => drop(list.remove(place)),
        None => list.push(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_every_kind_of_every_algorithm() {
        let mut choice = CompareChoice::default();
        assert!(choice.is_sound());
        assert_eq!(choice.entries(None).len(), Algorithm::of_powers_of_two().count());
        choice.toggle(AlgorithmChoice::Named(Algorithm::Dft));
        choice.toggle_kind(RowKind::FusedStep);
        choice.toggle_kind(RowKind::PlainStep);
        assert_eq!(choice.kinds, RowKind::ALL);
        assert_eq!(choice.entries(None).len(), 3 * (Algorithm::of_powers_of_two().count() + 1));
        choice.toggle(AlgorithmChoice::Auto);
        assert_eq!(choice.algorithms, AlgorithmChoice::of_powers_of_two().collect::<Vec<_>>());
        // Without a measurement, `auto` adds no row.
        assert_eq!(choice.entries(None).len(), 3 * (Algorithm::of_powers_of_two().count() + 1));
        let tuned = Configuration::from(Algorithm::StockhamR16);
        let entries = choice.entries(Some((tuned, OceanPath::Fused)));
        assert_eq!(entries.len(), 3 * (Algorithm::of_powers_of_two().count() + 1) + 1);
        assert!(
            entries.iter().any(|entry| entry.algorithm == AlgorithmChoice::Auto
                && entry.configuration == Some(tuned))
        );
    }

    #[test]
    fn the_frame_s_shape_is_the_default() {
        let (sea, quality) = (SeaState::default(), Quality::default());
        let mut choice = CompareChoice::default();
        let problem = choice.problem(&sea, 3.0, &quality);
        assert_eq!((problem.size, problem.cascades), (quality.size, quality.cascades));
        choice.size = Some(1024);
        choice.cascades = Some(1);
        assert_eq!(choice.problem(&sea, 3.0, &quality).images(), 4);
        choice.size = Some(100);
        assert!(!choice.is_sound());
    }
}
