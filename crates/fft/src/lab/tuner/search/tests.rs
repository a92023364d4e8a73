use std::cell::Cell;

use super::super::HookGroups;
use super::*;
use crate::configuration::{Algorithm, Twiddles};
use crate::descriptor::{Axes, Axis, Layout, Placement};

/// A device with the costs of `cost`.
struct Fake<C> {
    cost: C,
    wrong: Vec<Algorithm>,
    /// Comparisons before the time is up.
    budget: usize,
    comparisons: usize,
    /// Grows with every comparison, as when a clock falls.
    drift: f64,
    /// The comparisons so far, with their effort.
    compared: Vec<(u64, Configuration, Effort)>,
    dropped: Vec<Configuration>,
    /// Prepared candidates that were not compared yet.
    prepared: HashSet<u64>,
    worked: Cell<u32>,
}

impl<C: Fn(&Configuration) -> f64> Fake<C> {
    fn new(cost: C) -> Self {
        Self {
            cost,
            wrong: vec![],
            budget: usize::MAX,
            comparisons: 0,
            drift: 0.0,
            compared: vec![],
            dropped: vec![],
            prepared: HashSet::new(),
            worked: Cell::new(0),
        }
    }

    fn search(&mut self, task: &Descriptor, search: bool) -> Result<Tuned, TuneError> {
        let options = TuneOptions { search, ..defaults() };
        run(self, task, options)
    }
}

impl<C: Fn(&Configuration) -> f64> Evaluator for Fake<C> {
    fn prepare(&mut self, programs: &[Candidate]) {
        for Candidate { what, .. } in programs {
            assert!(self.prepared.insert(*what), "prepared twice");
        }
    }

    async fn warm_up(&mut self, program: &Candidate) -> Result<(), TuneError> {
        assert!(self.prepared.contains(&program.what));
        self.worked.set(self.worked.get() + 1);
        Ok(())
    }

    async fn compare(
        &mut self,
        incumbent: &Candidate,
        others: &[Candidate],
        effort: Effort,
    ) -> Result<Comparison, TuneError> {
        assert_eq!(self.worked.get(), 1, "nothing is timed cold");
        self.comparisons += 1;
        let slow = 1.0 + self.drift * self.comparisons as f64;
        let us = (self.cost)(&incumbent.configuration);
        let ratios = others
            .iter()
            .map(|other| {
                let ratio = (self.cost)(&other.configuration) / us;
                if ratio > 2.0 {
                    self.dropped.push(other.configuration);
                    return None;
                }
                self.compared.push((other.what, other.configuration, effort));
                Some(ratio)
            })
            .collect();
        Ok(Comparison { incumbent_us: Some(us * slow).filter(|us| !us.is_nan()), ratios })
    }

    async fn is_right(&mut self, descriptor: &Descriptor) -> Result<bool, TuneError> {
        let algorithm = descriptor.algorithm.unwrap().algorithm();
        Ok(!self.wrong.contains(&algorithm))
    }

    fn timer(&self) -> Timer {
        Timer::Wall
    }

    fn out_of_time(&self) -> bool {
        self.comparisons > self.budget
    }
}

fn run(
    trial: &mut impl Evaluator,
    task: &Descriptor,
    options: TuneOptions<'_>,
) -> Result<Tuned, TuneError> {
    pollster::block_on(search(trial, task, &capabilities(), options))
}

fn defaults() -> TuneOptions<'static> {
    TuneOptions { budget_ms: 0.0, search: true, progress: None, hooks: HookGroups::default() }
}

/// The capabilities of a GPU without measurements.
fn capabilities() -> Capabilities {
    Capabilities {
        max_workgroup_storage_bytes: 48 << 10,
        max_workgroup_invocations: 1024,
        ..Capabilities::webgpu_defaults()
    }
}

fn task() -> Descriptor {
    Descriptor {
        size: [512; 2],
        batch: 4,
        layout: Layout::Pair,
        placement: Placement::InPlace,
        ..Descriptor::default()
    }
}

/// Different costs for every algorithm, least for `best`.
fn by_algorithm(best: Algorithm) -> impl Fn(&Configuration) -> f64 {
    move |configuration| match configuration.algorithm() {
        algorithm if algorithm == best => 50.0,
        algorithm => 60.0 + f64::from(algorithm as u8),
    }
}

#[test]
fn without_a_search_the_fastest_algorithm_wins() {
    // No two algorithms are the same here; at 512, radix 8 and 16 have the same stages.
    let task = Descriptor { size: [4096, 1024], ..task() };
    for candidate in space::candidates(&task, &capabilities()) {
        let mut fake = Fake::new(by_algorithm(candidate.algorithm()));
        let tuned = fake.search(&task, false).unwrap();
        assert_eq!(tuned.configuration.algorithm(), candidate.algorithm());
        assert_eq!(tuned.timer, Timer::Wall);
        assert!((tuned.median_us - 50.0).abs() < 1e-9 && tuned.ratio_to_default <= 1.0);
        assert_eq!(tuned.apply(&task).algorithm, Some(tuned.configuration));
    }
}

#[test]
fn what_is_slow_is_dropped_after_one_run() {
    let slow = [Algorithm::CooleyTukeyMultipass, Algorithm::Transpose];
    let mut fake = Fake::new(
        |configuration: &Configuration| {
            if slow.contains(&configuration.algorithm()) { 5000.0 } else { 50.0 }
        },
    );
    let tuned = fake.search(&task(), true).unwrap();
    assert_eq!(fake.dropped.len(), 2);
    assert!(!slow.contains(&tuned.configuration.algorithm()));
}

/// Grows with the distance of the parameters from the best, which differ along the axes and from the
/// defaults; some only pay together.
fn tiled_cost(configuration: &Configuration) -> f64 {
    let Some(parameters) = register_tiled::parameters(configuration) else { return 100.0 };
    let apart = |a: Option<u32>, b: u32| {
        let log2 = |value: u32| f64::from(value.max(1)).log2();
        (log2(a.unwrap_or(1)) - log2(b)).abs()
    };
    let mut cost = 30.0;
    for (line, [radix, lines, exchange, padding], split) in
        [(parameters.row, [8, 2, 4, 0], false), (parameters.column, [32, 8, 1, 8], true)]
    {
        cost += apart(line.radix, radix) + apart(line.lines_per_workgroup, lines);
        cost += 0.5 * apart(line.exchange_floats, exchange) + 0.25 * apart(line.padding, padding);
        cost += if line.split_pairs == Some(split) { 0.0 } else { 1.0 };
    }
    // Tiles pay where both axes have the lines for them.
    let has_lines = parameters.column.lines_per_workgroup == Some(8);
    cost += match (parameters.tiles, has_lines) {
        (Some(true), true) => 0.0,
        (Some(true), false) => 6.0,
        _ => 3.0,
    };
    cost + if parameters.twiddles == Some(Twiddles::Powers) { 0.0 } else { 0.5 }
}

#[test]
fn the_search_finds_dependent_parameters_on_both_axes() {
    let mut fake = Fake::new(tiled_cost);
    fake.drift = 0.02;
    let tuned = fake.search(&task(), true).unwrap();
    let cost = tiled_cost(&tuned.configuration);
    assert_eq!(cost, 30.0, "{:?}", tuned.configuration);
    assert_eq!(tuned.configuration.algorithm(), Algorithm::StockhamR32);
    let default = planner::choose(&task(), &capabilities()).unwrap();
    let default = default.complete(&task(), &capabilities()).unwrap();
    let expected = cost / tiled_cost(&default);
    assert!((tuned.ratio_to_default - expected).abs() < 1e-9, "whatever the clocks did");
    // The winner was measured again, with care.
    let decided = fake.compared.iter().filter(|(_, _, effort)| *effort == Effort::Long);
    assert!(decided.clone().any(|(_, configuration, _)| *configuration == tuned.configuration));
    // Without a search, the algorithms are slower.
    assert!(expected < 0.9, "{expected}");
}

#[test]
fn a_sweep_finds_no_less() {
    let mut fake = Fake::new(tiled_cost);
    let options = TuneOptions { ..defaults() };
    let ranked = pollster::block_on(sweep(&mut fake, &task(), &capabilities(), options)).unwrap();
    assert_eq!(tiled_cost(&ranked[0].configuration), 30.0, "{:?}", ranked[0].configuration);
    assert!(ranked.len() > 20);
    assert!(ranked.is_sorted_by(|a, b| a.ratio_to_default <= b.ratio_to_default));
    // All of it: more than a search looks at.
    assert!(fake.compared.len() > 1000, "{}", fake.compared.len());
}

#[test]
fn the_known_choice_stays_unless_another_is_clearly_faster() {
    let default = planner::choose(&task(), &capabilities()).unwrap();
    let default = default.complete(&task(), &capabilities()).unwrap();
    let mut fake =
        Fake::new(move |other: &Configuration| if *other == default { 50.0 } else { 49.9 });
    let tuned = fake.search(&task(), true).unwrap();
    assert_eq!((tuned.configuration, tuned.ratio_to_default), (default, 1.0));
}

#[test]
fn nothing_is_measured_twice_to_sort_out() {
    let mut fake = Fake::new(tiled_cost);
    fake.search(&task(), true).unwrap();
    let mut seen = HashSet::new();
    for (what, configuration, effort) in &fake.compared {
        assert!(*effort == Effort::Long || seen.insert(*what), "{configuration:?}");
    }
}

#[test]
fn one_axis_alone_is_searched_too() {
    for axes in [Axes::Rows, Axes::Columns] {
        let axis = axes.list()[0];
        let cost = move |configuration: &Configuration| {
            let Some(parameters) = register_tiled::parameters(configuration) else { return 100.0 };
            let line = parameters.line(axis);
            let lines = if axis == Axis::Row { 4 } else { 16 };
            let wrong = [line.lines_per_workgroup != Some(lines), line.exchange_floats != Some(1)];
            10.0 + f64::from(wrong.iter().map(|wrong| u8::from(*wrong)).sum::<u8>())
        };
        let mut fake = Fake::new(cost);
        let tuned = fake.search(&Descriptor { axes, ..task() }, true).unwrap();
        assert!((tuned.median_us - 10.0).abs() < 1e-9, "{axis} {:?}", tuned.configuration);
    }
}

#[test]
fn a_wrong_result_is_never_chosen() {
    let mut fake = Fake::new(by_algorithm(Algorithm::GlobalR8));
    fake.wrong = vec![Algorithm::GlobalR8];
    let tuned = fake.search(&task(), false).unwrap();
    assert_eq!(tuned.configuration.algorithm(), Algorithm::StockhamR4, "the next best");

    // Not even where the planner takes it.
    let mut fake = Fake::new(by_algorithm(Algorithm::StockhamR8));
    fake.wrong = vec![Algorithm::StockhamR8];
    let tuned = fake.search(&task(), false).unwrap();
    assert_ne!(tuned.configuration.algorithm(), Algorithm::StockhamR8);

    let mut fake = Fake::new(by_algorithm(Algorithm::GlobalR8));
    fake.wrong = Algorithm::ALL.to_vec();
    let error = fake.search(&task(), false).unwrap_err();
    assert!(matches!(error, TuneError::Wrong { candidates } if candidates > 5), "{error}");
}

#[test]
fn the_budget_ends_a_search_and_something_is_chosen() {
    for budget in [0, 1, 5, 20] {
        let mut fake = Fake::new(tiled_cost);
        fake.budget = budget;
        let tuned = fake.search(&task(), true).unwrap();
        // One decision is made in any case.
        assert!(fake.comparisons <= budget + 2, "{budget}");
        assert!(tuned.ratio_to_default <= 1.0);
    }
}

#[test]
fn progress_counts_up_and_a_callback_may_stop_it() {
    let (send, receive) = std::sync::mpsc::channel();
    let mut progress = |progress: Progress| {
        send.send(progress).unwrap();
        ControlFlow::Continue(())
    };
    let options = TuneOptions { progress: Some(&mut progress), ..defaults() };
    run(&mut Fake::new(tiled_cost), &task(), options).unwrap();
    let seen: Vec<Progress> = receive.try_iter().collect();
    assert!(seen.len() > 20, "{}", seen.len());
    assert!(seen.is_sorted_by(|a, b| a.candidate <= b.candidate && a.of <= b.of));
    assert!(seen.iter().all(|step| step.candidate <= step.of));

    let mut stop = |progress: Progress| match progress.candidate {
        ..5 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let mut fake = Fake::new(tiled_cost);
    let options = TuneOptions { progress: Some(&mut stop), ..defaults() };
    assert!(matches!(run(&mut fake, &task(), options), Err(TuneError::Cancelled)));
    assert!(fake.compared.len() + fake.dropped.len() <= 4);
}

#[test]
fn without_times_nothing_is_chosen() {
    let mut fake = Fake::new(|_: &Configuration| f64::NAN);
    assert!(matches!(fake.search(&task(), true), Err(TuneError::NoTimes)));
}
