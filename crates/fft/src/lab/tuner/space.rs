//! The candidates of a search. Needs no GPU.

use crate::algorithms::{register_tiled, smooth};
use crate::choice::Choice as _;
use crate::configuration::{Algorithm, Configuration, Value};
use crate::descriptor::Descriptor;
use crate::gpu::Capabilities;
use crate::planner::LONGEST_DFT;

/// Every algorithm that can run `task` on a device of `capabilities`, with its defaults, the most promising
/// first. The algorithm of `task` itself is ignored.
pub fn candidates(task: &Descriptor, capabilities: &Capabilities) -> Vec<Configuration> {
    let promising = register_tiled::FAMILY.into_iter().chain([Algorithm::StockhamR4]);
    let others = Algorithm::ALL.iter().copied();
    let mut found: Vec<Configuration> = Vec::new();
    for algorithm in promising.chain(others) {
        let configuration = Configuration::from(algorithm);
        let runs = configuration.complete(task, capabilities).is_ok();
        if runs && !found.contains(&configuration) {
            found.push(configuration);
        }
    }
    let longest = task.axes.list().iter().map(|axis| task.length(*axis)).max();
    if found.len() > 1 && longest > Some(LONGEST_DFT) {
        found.retain(|configuration| configuration.algorithm() != Algorithm::Dft);
    }
    // Convolutions, mostly in twice the points, are for lengths that have no other way.
    let convolutions = [Algorithm::Bluestein, Algorithm::Rader];
    let is_slow = |algorithm| algorithm == Algorithm::Dft || convolutions.contains(&algorithm);
    if found.iter().any(|configuration| !is_slow(configuration.algorithm())) {
        found.retain(|configuration| !convolutions.contains(&configuration.algorithm()));
    }
    found
}

/// Parameters that are changed together, since the best value of one depends on the other, and the parameters
/// that are then left open again.
struct Knob {
    turned: &'static [&'static str],
    freed: &'static [&'static str],
}

/// The knobs of the register-tiled algorithms for powers of two, in the order of the search.
const KNOBS: [Knob; 7] = [
    Knob {
        turned: &["row-radix", "row-split", "row-lines"],
        freed: &["row-exchange", "row-padding"],
    },
    Knob {
        turned: &["column-radix", "column-split", "column-lines"],
        freed: &["column-exchange", "column-padding"],
    },
    Knob { turned: &["tiles", "row-lines", "column-lines"], freed: &[] },
    Knob { turned: &["row-exchange", "row-padding"], freed: &[] },
    Knob { turned: &["column-exchange", "column-padding"], freed: &[] },
    Knob { turned: &["layers-in-turn"], freed: &[] },
    Knob { turned: &["twiddles"], freed: &[] },
];

/// The knobs of the algorithms for any smooth length.
const SMOOTH_KNOBS: [Knob; 4] = [
    Knob { turned: &["row-radix", "row-values", "row-lines"], freed: &["row-exchange"] },
    Knob {
        turned: &["column-radix", "column-values", "column-lines"],
        freed: &["column-exchange"],
    },
    Knob { turned: &["row-exchange"], freed: &[] },
    Knob { turned: &["column-exchange"], freed: &[] },
];

/// The results of one change of one knob from `here`, knob by knob. Configurations that cannot run are left
/// out; the rest is complete, and has the name of its radix.
pub(super) fn moves(
    here: &Configuration,
    task: &Descriptor,
    capabilities: &Capabilities,
) -> Vec<Vec<Configuration>> {
    let Some(space) = Space::of(here, task, capabilities) else { return Vec::new() };
    space
        .knobs()
        .iter()
        .map(|knob| {
            let mut start = space.here;
            for name in knob.freed {
                set(&mut start, name, None);
            }
            let mut all = space.product(vec![start], knob.turned);
            all.retain(|configuration| configuration != here);
            all
        })
        .collect()
}

/// Every combination along one axis, the other as in `here`, for each way in which the axes depend on each
/// other: with and without tiles, of every possible width.
pub(super) fn along(
    here: &Configuration,
    axis: &str,
    task: &Descriptor,
    capabilities: &Capabilities,
) -> Vec<Configuration> {
    let Some(space) = Space::of(here, task, capabilities) else { return Vec::new() };
    let turned: &[&str] = match axis {
        "row" => {
            &["row-radix", "row-values", "row-split", "row-lines", "row-exchange", "row-padding"]
        }
        _ => &[
            "column-radix",
            "column-values",
            "column-split",
            "column-lines",
            "column-exchange",
            "column-padding",
        ],
    };
    space.product(vec![space.here], turned)
}

/// `here` with each value of one parameter.
pub(super) fn turned(
    here: &Configuration,
    parameter: &'static str,
    task: &Descriptor,
    capabilities: &Capabilities,
) -> Vec<Configuration> {
    let Some(space) = Space::of(here, task, capabilities) else { return Vec::new() };
    space.product(vec![space.here], &[parameter])
}

/// The rows of one and the columns of the other, the rest as in the first.
pub(super) fn crossed(
    rows: &Configuration,
    columns: &Configuration,
    task: &Descriptor,
    capabilities: &Capabilities,
) -> Option<Configuration> {
    let crossed = match register_tiled::parameters(rows) {
        Some(mut parameters) => {
            parameters.column = register_tiled::parameters(columns)?.column;
            register_tiled::configuration(parameters)
        }
        None => {
            let (mut crossed, mut columns) = (*rows, *columns);
            smooth::parameters_mut(&mut crossed)?.column =
                smooth::parameters_mut(&mut columns)?.column;
            crossed
        }
    };
    crossed.complete(task, capabilities).ok()
}

/// The parameters of the register-tiled algorithms around one of them, or of one for any smooth length.
struct Space<'a> {
    /// The configuration with the largest radix, which admits all values.
    here: Configuration,
    values: Vec<(&'static str, Vec<Value>)>,
    task: &'a Descriptor,
    capabilities: &'a Capabilities,
}

impl<'a> Space<'a> {
    /// The space around `here`, if it is one of these algorithms.
    fn of(
        here: &Configuration,
        task: &'a Descriptor,
        capabilities: &'a Capabilities,
    ) -> Option<Self> {
        let here = match register_tiled::parameters(here) {
            Some(parameters) => Configuration::StockhamR32(parameters),
            None => *smooth::FAMILY.contains(&here.algorithm()).then_some(here)?,
        };
        let values = here.space(task, capabilities);
        Some(Self { here, values, task, capabilities })
    }

    fn knobs(&self) -> &'static [Knob] {
        match smooth::FAMILY.contains(&self.here.algorithm()) {
            true => &SMOOTH_KNOBS,
            false => &KNOBS,
        }
    }

    /// Every combination of values of the parameters `turned`, from each of `starts`.
    fn product(&self, starts: Vec<Configuration>, turned: &[&str]) -> Vec<Configuration> {
        let mut all = starts;
        for name in turned {
            let Some((_, values)) = self.values.iter().find(|(known, _)| known == name) else {
                continue;
            };
            all = all
                .iter()
                .flat_map(|start| {
                    values.iter().map(move |value| {
                        let mut turned = *start;
                        set(&mut turned, name, Some(*value));
                        turned
                    })
                })
                .collect();
        }
        let mut complete: Vec<Configuration> = Vec::new();
        for configuration in all {
            let Ok(configuration) = configuration.complete(self.task, self.capabilities) else {
                continue;
            };
            let parameters = register_tiled::parameters(&configuration);
            let named = parameters.map_or(configuration, register_tiled::configuration);
            if !complete.contains(&named) {
                complete.push(named);
            }
        }
        complete
    }
}

fn set(configuration: &mut Configuration, parameter: &str, value: Option<Value>) {
    configuration.set(parameter, value).expect("a parameter that it has");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::{Layout, Placement};
    use crate::planner;

    fn names(task: &Descriptor) -> Vec<Algorithm> {
        let candidates = candidates(task, &Capabilities::webgpu_defaults());
        candidates.iter().map(Configuration::algorithm).collect()
    }

    fn square(side: u32) -> Descriptor {
        Descriptor { size: [side; 2], ..Descriptor::default() }
    }

    #[test]
    fn the_definition_is_tried_only_where_it_is_cheap() {
        let usual = names(&square(256));
        assert_eq!(usual[0], Algorithm::StockhamR8);
        assert_eq!(usual.len(), Algorithm::of_powers_of_two().count() - 2);
        assert!(!usual.contains(&Algorithm::Dft) && !usual.contains(&Algorithm::Bluestein));
        assert_eq!(names(&square(16)).len(), Algorithm::of_powers_of_two().count() - 1);
        assert_eq!(names(&square(48)), [Algorithm::MixedRadix, Algorithm::FourStep]);
        assert_eq!(names(&square(1009)), [Algorithm::Bluestein, Algorithm::Rader]);
        // A batch is not held against them, nor is what the descriptor names.
        let named = Descriptor { batch: 3, ..square(256) }.by(Algorithm::Dft);
        assert_eq!(names(&named), usual);
    }

    #[test]
    fn long_lines_leave_those_that_fit() {
        let task = Descriptor::lines(8192, 64);
        let names = names(&task);
        assert!(names.contains(&Algorithm::FourStep) && !names.contains(&Algorithm::StockhamR4));
    }

    #[test]
    fn moves_run_and_together_reach_every_parameter() {
        let webgpu = Capabilities::webgpu_defaults();
        for layout in Layout::ALL {
            let (layout, placement) = (*layout, Placement::InPlace);
            let task = Descriptor { layout, placement, batch: 4, ..square(512) };
            let start = Configuration::from(Algorithm::StockhamR8).complete(&task, &webgpu);
            let start = start.unwrap();
            let mut changed: Vec<&str> = Vec::new();
            for configuration in moves(&start, &task, &webgpu).concat() {
                assert_ne!(configuration, start);
                assert!(configuration.complete(&task, &webgpu).is_ok());
                let before = start.given();
                changed.extend(
                    configuration
                        .given()
                        .iter()
                        .zip(before)
                        .filter(|(after, before)| *after != before)
                        .map(|(after, _)| after.0),
                );
            }
            for (parameter, values) in start.space(&task, &webgpu) {
                assert!(values.len() == 1 || changed.contains(&parameter), "{parameter}");
            }
        }
        assert!(moves(&Algorithm::StockhamR4.into(), &square(512), &webgpu).is_empty());
    }

    #[test]
    fn configurations_are_named_for_their_larger_radix() {
        let webgpu = Capabilities::webgpu_defaults();
        let task = square(1024);
        let start = planner::choose(&task, &webgpu).unwrap().complete(&task, &webgpu).unwrap();
        for configuration in along(&start, "column", &task, &webgpu) {
            let given = configuration.given();
            let radix = |name| given.iter().find(|(known, _)| *known == name).unwrap().1;
            let larger = match (radix("row-radix"), radix("column-radix")) {
                (Value::Integer(row), Value::Integer(column)) => row.max(column),
                _ => unreachable!("numbers"),
            };
            assert_eq!(configuration.algorithm().to_string(), format!("stockham-r{larger}"));
        }
    }
}
