//! The search with costs that are known.

use std::collections::HashSet;

use super::super::HookGroups;
use super::*;
use crate::choice::Choice as _;
use crate::fft::algorithms::Twiddles;
use crate::fft::descriptor::Layout;

/// A device on which everything costs what `cost` says.
struct Fake<C> {
    cost: C,
    /// What gives a wrong result.
    wrong: Vec<Algorithm>,
    /// Measurements before the time is up.
    budget: usize,
    /// What was measured to the end, in order.
    measured: Vec<(Descriptor, Effort)>,
    dropped: Vec<Descriptor>,
    /// What was prepared and not yet timed.
    prepared: HashSet<u64>,
}

impl<C: Fn(&Descriptor) -> f64> Fake<C> {
    fn new(cost: C) -> Self {
        Self {
            cost,
            wrong: vec![],
            budget: usize::MAX,
            measured: vec![],
            dropped: vec![],
            prepared: HashSet::new(),
        }
    }

    fn search(&mut self, task: &Descriptor, search: bool) -> Result<Tuned, TuneError> {
        let options = TuneOptions { search, ..defaults() };
        run(self, task, options)
    }
}

impl<C: Fn(&Descriptor) -> f64> Trial for Fake<C> {
    fn prepare(&mut self, programs: Vec<Candidacy>) {
        for Candidacy { what, .. } in programs {
            assert!(self.prepared.insert(what), "prepared twice");
        }
    }

    async fn time(
        &mut self,
        descriptor: &Descriptor,
        program: Candidacy,
        limit_us: f64,
        effort: Effort,
    ) -> Result<Option<f64>, TuneError> {
        self.prepared.remove(&program.what);
        let us = (self.cost)(descriptor);
        if us > limit_us {
            self.dropped.push(descriptor.clone());
            return Ok(None);
        }
        self.measured.push((descriptor.clone(), effort));
        Ok(Some(us))
    }

    async fn is_right(&mut self, descriptor: &Descriptor) -> Result<bool, TuneError> {
        Ok(!self.wrong.contains(&descriptor.algorithm))
    }

    fn timer(&self) -> Timer {
        Timer::Wall
    }

    fn out_of_time(&self) -> bool {
        self.measured.len() >= self.budget
    }
}

fn run(
    trial: &mut impl Trial,
    task: &Descriptor,
    options: TuneOptions<'_>,
) -> Result<Tuned, TuneError> {
    pollster::block_on(search(trial, task, &Capabilities::webgpu_defaults(), options))
}

fn defaults() -> TuneOptions<'static> {
    TuneOptions { budget_ms: 0.0, search: true, progress: None, hooks: HookGroups::default() }
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

/// Different for every algorithm, `best` the least.
fn by_algorithm(best: Algorithm) -> impl Fn(&Descriptor) -> f64 {
    move |descriptor| match descriptor.algorithm {
        algorithm if algorithm == best => 50.0,
        algorithm => 60.0 + f64::from(algorithm as u8),
    }
}

#[test]
fn without_a_search_the_fastest_algorithm_wins_whichever_it_is() {
    // No two algorithms are the same here; at 512, radix 8 and 16 have the same stages.
    let task = Descriptor { size: [1024; 2], ..task() };
    for candidate in candidates::candidates(&task, &Capabilities::webgpu_defaults()) {
        let mut fake = Fake::new(by_algorithm(candidate.algorithm));
        let tuned = fake.search(&task, false).unwrap();
        assert_eq!((tuned.algorithm, tuned.tuning), (candidate.algorithm, candidate.tuning));
        assert_eq!((tuned.median_us, tuned.timer), (50.0, Timer::Wall));
        assert_eq!(tuned.apply(&task), candidate.of(&task));
    }
}

#[test]
fn what_is_slow_is_dropped_after_one_run() {
    let mut fake = Fake::new(|descriptor: &Descriptor| match descriptor.algorithm {
        Algorithm::CooleyTukeyMultipass | Algorithm::Transpose => 5000.0,
        _ => 50.0,
    });
    let tuned = fake.search(&task(), true).unwrap();
    let slow = |descriptor: &Descriptor| {
        [Algorithm::CooleyTukeyMultipass, Algorithm::Transpose].contains(&descriptor.algorithm)
    };
    assert_eq!(fake.dropped.iter().filter(|descriptor| slow(descriptor)).count(), 2);
    assert!(fake.measured.iter().all(|(descriptor, _)| !slow(descriptor)));
    assert!(!slow(&tuned.apply(&task())));
}

/// What the search should find: another for each axis, and neither what is there by itself.
fn best_line(axis: Axis) -> LineTuning {
    let (radix, lines, exchange_floats, split) = match axis {
        Axis::Row => (32, 2, 4, false),
        Axis::Column => (8, 2, 1, true),
    };
    LineTuning {
        radix: Some(radix),
        lines_per_workgroup: Some(lines),
        exchange_floats: Some(exchange_floats),
        padding: Some(0),
        split_pairs: Some(split),
        ..LineTuning::default()
    }
}

/// Grows with the distance of what runs along `axis` from the best: parameters that come to the
/// same kernel cost the same.
fn line_cost(descriptor: &Descriptor, axis: Axis) -> f64 {
    let kernel = |descriptor: &Descriptor| {
        let program = program(descriptor, &Capabilities::webgpu_defaults()).unwrap();
        let mut dispatches = program.dispatches.iter();
        let dispatch = dispatches.find(|dispatch| dispatch.axis == axis).unwrap();
        (program.kernels[dispatch.kernel].clone(), dispatch.workgroups[0])
    };
    let best = Candidate::register_tiled(best_line(axis), best_line(axis)).of(descriptor);
    let ((is, tiles), (should, best_tiles)) = (kernel(descriptor), kernel(&best));
    let apart = |a: u32, b: u32| (f64::from(a) / f64::from(b)).log2().abs();
    10.0 + apart(is.workgroup_size * tiles, should.workgroup_size * best_tiles)
        + apart(tiles, best_tiles)
        + 0.1 * apart(is.workgroup_bytes, should.workgroup_bytes)
}

fn tiled_cost(descriptor: &Descriptor) -> f64 {
    match descriptor.algorithm {
        Algorithm::StockhamR8 | Algorithm::StockhamR16 => {
            let axes = descriptor.axes.list().iter();
            let lines: f64 = axes.map(|axis| line_cost(descriptor, *axis)).sum();
            lines + if descriptor.tuning.twiddles == Some(Twiddles::Powers) { 0.0 } else { 1.0 }
        }
        _ => 100.0,
    }
}

#[test]
fn parameters_are_found_for_each_axis_on_its_own() {
    let mut fake = Fake::new(tiled_cost);
    let tuned = fake.search(&task(), true).unwrap();
    assert_eq!(tuned.median_us, 20.0, "{:?}", tuned.tuning);
    assert_eq!(tuned.tuning.twiddles, Some(Twiddles::Powers));
    assert!(tuned.candidates as usize <= fake.measured.len());
    // The winner was measured again, with care.
    let winner = (tuned.apply(&task()), Effort::Long);
    assert!(fake.measured.contains(&winner));
    // As they come, the algorithms are slower.
    assert!(tiled_cost(&Descriptor { algorithm: Algorithm::StockhamR8, ..task() }) > 21.0);
}

#[test]
fn nothing_is_measured_twice_to_sort_out() {
    let mut fake = Fake::new(tiled_cost);
    fake.search(&task(), true).unwrap();
    let capabilities = Capabilities::webgpu_defaults();
    let mut seen = HashSet::new();
    for (descriptor, effort) in &fake.measured {
        let program = program(descriptor, &capabilities).unwrap();
        assert!(*effort == Effort::Long || seen.insert(fingerprint(&program)), "{descriptor:?}");
    }
    assert!(fake.prepared.is_empty(), "compiled for nothing");
}

#[test]
fn one_axis_alone_is_searched_too() {
    for (axes, axis) in [(Axes::Rows, Axis::Row), (Axes::Columns, Axis::Column)] {
        let mut fake = Fake::new(tiled_cost);
        let tuned = fake.search(&Descriptor { axes, ..task() }, true).unwrap();
        assert_eq!(tuned.median_us, 10.0, "{axis} {:?}", tuned.tuning);
    }
}

#[test]
fn a_wrong_result_is_never_chosen() {
    let mut fake = Fake::new(by_algorithm(Algorithm::GlobalR8));
    fake.wrong = vec![Algorithm::GlobalR8];
    let tuned = fake.search(&task(), false).unwrap();
    assert_eq!(tuned.algorithm, Algorithm::StockhamR4, "the next best");

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
        assert!(fake.measured.len() <= budget.max(1), "{budget}");
        assert!(tuned.median_us <= 40.0, "the best so far");
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
    assert!(seen.iter().enumerate().all(|(place, step)| step.candidate == place as u32 + 1));
    assert!(seen.iter().all(|step| step.candidate <= step.of && step.of == seen[0].of));

    let mut stop = |progress: Progress| match progress.candidate {
        ..5 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let mut fake = Fake::new(tiled_cost);
    let options = TuneOptions { progress: Some(&mut stop), ..defaults() };
    assert!(matches!(run(&mut fake, &task(), options), Err(TuneError::Cancelled)));
    assert!(fake.measured.len() + fake.dropped.len() <= 4);
}

#[test]
fn without_times_nothing_is_chosen() {
    let mut fake = Fake::new(|_: &Descriptor| f64::NAN);
    assert!(matches!(fake.search(&task(), true), Err(TuneError::NoTimes)));
}
