//! What is worth trying. Pure: needs no GPU.

use crate::choice::Choice;
use crate::fft::algorithms::{Algorithm, LineTuning, StagePlan, Tuning, Twiddles, program};
use crate::fft::descriptor::{Axes, Axis, Descriptor, Layout};
use crate::fft::error::Unsupported;
use crate::gpu::Capabilities;

/// An algorithm with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its parameters.
    pub tuning: Tuning,
}

impl Candidate {
    /// `task` by this candidate.
    pub fn of(&self, task: &Descriptor) -> Descriptor {
        Descriptor { algorithm: self.algorithm, tuning: self.tuning, ..task.clone() }
    }

    /// The register-tiled algorithm with these lines.
    pub(super) fn register_tiled(row: LineTuning, column: LineTuning) -> Self {
        let all_16 = [row, column].iter().all(|line| line.radix == Some(16));
        let algorithm = if all_16 { Algorithm::StockhamR16 } else { Algorithm::StockhamR8 };
        Self { algorithm, tuning: Tuning { row, column, ..Tuning::default() } }
    }
}

/// Lines longer than this are not worth transforming by the definition where another algorithm can:
/// the work grows with the square.
const LONGEST_DFT: u32 = 32;

/// Every algorithm that a device of `capabilities` can run `task` by, as it comes, the most
/// promising first. The algorithm and tuning of `task` itself are not looked at.
pub fn candidates(task: &Descriptor, capabilities: &Capabilities) -> Vec<Candidate> {
    // By what they took on one GPU and one processor; the rest in their own order.
    let promising = [Algorithm::StockhamR8, Algorithm::StockhamR16, Algorithm::StockhamR4];
    let others = Algorithm::ALL.iter().filter(|algorithm| !promising.contains(algorithm));
    let runs = |algorithm: Algorithm| {
        let candidate = Candidate { algorithm, tuning: Tuning::default() };
        program(&candidate.of(task), capabilities).is_ok().then_some(candidate)
    };
    let mut found: Vec<_> = promising.iter().chain(others).copied().filter_map(runs).collect();
    let longest = task.axes.list().iter().map(|axis| length(task, *axis)).max();
    if found.len() > 1 && longest > Some(LONGEST_DFT) {
        found.retain(|candidate| candidate.algorithm != Algorithm::Dft);
    }
    found
}

/// Whether a device of `capabilities` can run `task` by any algorithm. The algorithm and tuning of
/// `task` itself are not looked at.
///
/// # Errors
/// Why the algorithm that comes to mind first cannot, where none can.
pub fn check_any(task: &Descriptor, capabilities: &Capabilities) -> Result<(), Unsupported> {
    if !candidates(task, capabilities).is_empty() {
        return Ok(());
    }
    let first =
        Descriptor { algorithm: Algorithm::StockhamR8, tuning: Tuning::default(), ..task.clone() };
    program(&first, capabilities).map(|_| ())
}

/// Where the search along one axis starts: the choices that decide how much an invocation holds,
/// each with each.
pub(super) fn seeds(task: &Descriptor, axis: Axis) -> Vec<LineTuning> {
    let has_hook = task.load.is_some() || task.store.is_some();
    let splits: &[Option<bool>] = match task.layout {
        Layout::Planar => &[None],
        // Hooks give and take whole pairs.
        Layout::Pair if has_hook => &[Some(false)],
        Layout::Pair => &[Some(true), Some(false)],
    };
    // Several largest radices may come to the same stages.
    let mut radices = vec![8, 16, 32];
    let length = length(task, axis);
    if length.is_power_of_two() && length > 1 {
        radices.dedup_by_key(|radix| StagePlan::new(length, *radix, 1).radices);
    }
    radices
        .into_iter()
        .flat_map(|radix| {
            splits.iter().map(move |&split_pairs| LineTuning {
                radix: Some(radix),
                split_pairs,
                ..LineTuning::default()
            })
        })
        .collect()
}

/// One parameter at a time: a function that sets it for each of its values, in the order in which
/// they are searched.
pub(super) fn knobs(axis: Axis) -> Vec<Vec<fn(&mut LineTuning)>> {
    let lines: Vec<fn(&mut LineTuning)> = match axis {
        Axis::Row => vec![
            |line| line.lines_per_workgroup = Some(1),
            |line| line.lines_per_workgroup = Some(2),
            |line| line.lines_per_workgroup = Some(4),
        ],
        Axis::Column => vec![
            |line| line.lines_per_workgroup = Some(2),
            |line| line.lines_per_workgroup = Some(4),
            |line| line.lines_per_workgroup = Some(8),
            |line| line.lines_per_workgroup = Some(16),
            |line| line.lines_per_workgroup = Some(32),
        ],
    };
    vec![
        lines,
        vec![
            |line| line.exchange_floats = Some(1),
            |line| line.exchange_floats = Some(2),
            |line| line.exchange_floats = Some(4),
        ],
        vec![|line| line.padding = Some(0), |line| line.padding = Some(8)],
    ]
}

/// As [`knobs`], for what both axes have in common. Of the twiddle factors those that are as
/// accurate as the gate asks.
pub(super) fn common_knobs(task: &Descriptor) -> Vec<Vec<fn(&mut Tuning)>> {
    let mut knobs: Vec<Vec<fn(&mut Tuning)>> = vec![vec![
        |tuning| tuning.twiddles = Some(Twiddles::Computed),
        |tuning| tuning.twiddles = Some(Twiddles::Powers),
        |tuning| tuning.twiddles = Some(Twiddles::Table),
    ]];
    if task.axes == Axes::Both {
        knobs.push(vec![|tuning| tuning.tiles = Some(true), |tuning| tuning.tiles = Some(false)]);
    }
    if task.load.as_ref().is_some_and(|load| load.layers_per_prepare.is_some()) {
        knobs.push(vec![|tuning| tuning.layers_in_turn = Some(true), |tuning| {
            tuning.layers_in_turn = Some(false)
        }]);
    }
    knobs
}

fn length(task: &Descriptor, axis: Axis) -> u32 {
    match axis {
        Axis::Row => task.size[0],
        Axis::Column => task.size[1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fft::Placement;

    fn names(task: &Descriptor) -> Vec<Algorithm> {
        candidates(task, &Capabilities::webgpu_defaults())
            .iter()
            .map(|candidate| candidate.algorithm)
            .collect()
    }

    fn square(side: u32) -> Descriptor {
        Descriptor { size: [side; 2], ..Descriptor::default() }
    }

    #[test]
    fn all_that_can_run_are_tried_and_the_definition_only_where_it_is_cheap() {
        let usual = names(&square(256));
        assert_eq!(usual[0], Algorithm::StockhamR8);
        assert_eq!(usual.len(), Algorithm::ALL.len() - 1);
        assert!(!usual.contains(&Algorithm::Dft));
        assert_eq!(names(&square(16)).len(), Algorithm::ALL.len());
        assert_eq!(names(&square(48)), [Algorithm::Dft]);
        // A batch is not held against them, nor is what the descriptor names.
        let named = Descriptor { algorithm: Algorithm::Dft, batch: 3, ..square(256) };
        assert_eq!(names(&named), usual);
    }

    #[test]
    fn long_lines_leave_those_that_fit() {
        let task = Descriptor { size: [8192, 64], axes: Axes::Rows, ..Descriptor::default() };
        let names = names(&task);
        assert!(names.contains(&Algorithm::FourStep) && !names.contains(&Algorithm::StockhamR4));
    }

    #[test]
    fn where_nothing_fits_the_limit_is_named() {
        let webgpu = Capabilities::webgpu_defaults();
        let task = square(8192);
        assert!(candidates(&task, &webgpu).is_empty());
        let error = check_any(&task, &webgpu).unwrap_err().to_string();
        assert!(error.contains("maxStorageBufferBindingSize"), "{error}");
        assert!(check_any(&square(64), &webgpu).is_ok());
    }

    #[test]
    fn seeds_differ_in_what_they_run() {
        for layout in Layout::ALL {
            for side in [2, 8, 64, 512] {
                let task = Descriptor {
                    layout: *layout,
                    placement: Placement::InPlace,
                    batch: 2,
                    ..square(side)
                };
                let found = seeds(&task, Axis::Row);
                assert!(!found.is_empty());
                let mut kernels: Vec<_> = found
                    .iter()
                    .map(|line| {
                        let candidate = Candidate::register_tiled(*line, *line);
                        let program =
                            program(&candidate.of(&task), &Capabilities::webgpu_defaults());
                        program.unwrap().kernels.swap_remove(0).wgsl
                    })
                    .collect();
                kernels.sort();
                kernels.dedup();
                assert!(side < 64 || kernels.len() == found.len(), "{layout} {side}");
                let pairs = if *layout == Layout::Pair { 2 } else { 1 };
                assert!(side < 512 || found.len() == 2 * pairs, "{layout} {side}: 8 8 8 and 32 16");
            }
        }
    }

    #[test]
    fn every_knob_turns() {
        for axis in Axis::ALL {
            for knob in knobs(*axis) {
                let mut values: Vec<LineTuning> = Vec::new();
                for set in knob {
                    let mut line = LineTuning::default();
                    set(&mut line);
                    assert!(!values.contains(&line) && line != LineTuning::default());
                    values.push(line);
                }
            }
        }
    }
}
