use std::ops::ControlFlow;

use super::*;
use crate::choice::Choice as _;
use crate::fft::Precision;
use crate::fft::lab::{Algorithm, AlgorithmChoice, Configuration};
use crate::gpu::{Context, LimitsPreset, assert_layout, shader};
use crate::settings::SeaState;
use seaway_core::testing::context;

fn problem(precision: Precision) -> Problem {
    Problem { sea: SeaState::default(), time_s: 12.3, size: 32, cascades: 2, precision }
}

fn entry(kind: RowKind, algorithm: Algorithm) -> Entry {
    Entry::new(kind, algorithm.into())
}

/// Prepares all rows, and then runs frames until each has the given number of samples.
fn compared(
    context: &Context,
    problem: &Problem,
    entries: &[Entry],
    budget_us: f64,
    samples: usize,
) -> Comparison {
    let Context { device, queue, .. } = context;
    let mut comparison =
        Comparison::new(device, queue, problem.clone(), entries.to_vec(), budget_us);
    assert_eq!(comparison.waiting(), entries.len());
    let preparation = Preparation {
        drawing: context,
        limits: LimitsPreset::Adapter,
        problem,
        entries,
        budget_us,
    };
    let mut listener = |notice| {
        comparison.receive(notice);
        ControlFlow::Continue(())
    };
    pollster::block_on(preparation.run(&mut listener)).unwrap();
    assert_eq!(comparison.waiting(), 0);
    // Whatever they were prepared for: enough to run all at once.
    comparison.set_budget_us(1e6);
    for _ in 0..10_000 {
        comparison.next_frame().unwrap();
        device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        let is_enough =
            |line: &Line| line.measured().is_none_or(|measured| measured.samples >= samples);
        if comparison.table().rows.iter().all(is_enough) {
            return comparison;
        }
    }
    panic!("no end: {:?}", comparison.table());
}

fn measured(line: &Line) -> &Measured {
    line.measured().unwrap_or_else(|| panic!("{}: {}", line.algorithm, line.note()))
}

#[test]
fn the_uniform_has_wgsl_layout() {
    assert_layout::<work::Narrow>(&shader::resolve(work::NARROW).unwrap());
}

#[test]
fn transforms_and_steps_run_beside_each_other() {
    let context = context();
    let algorithms = [Algorithm::StockhamR8, Algorithm::CooleyTukeyMultipass];
    let mut entries: Vec<Entry> = RowKind::ALL
        .iter()
        .flat_map(|kind| algorithms.map(|algorithm| entry(*kind, algorithm)))
        .collect();
    entries.push(Entry::new(RowKind::Transform, AlgorithmChoice::Best));
    let mut comparison = compared(&context, &problem(Precision::F32), &entries, 1e6, 3);
    let table = comparison.table();
    assert_eq!((table.size, table.batch, table.rows.len()), (32, 8, 1 + entries.len()));
    assert_eq!(table.rows[0].algorithm, "copy");
    assert_eq!(table.rows[7].chosen.as_deref().map(str::is_empty), Some(false));
    for line in &table.rows {
        let found = measured(line);
        let (p5, p95) = (found.p5_us.unwrap(), found.p95_us.unwrap());
        assert!(0.0 < p5 && p5 <= found.median_us.unwrap() && found.median_us.unwrap() <= p95);
        assert_eq!(found.images_measured, 8);
        assert_eq!(
            found.copy_share.is_some(),
            line.entry.is_some() && line.kind == RowKind::Transform
        );
        assert!(found.speed_up.unwrap() > 0.0);
        // Checked, and by another arithmetic than double precision's.
        assert_eq!(found.relative_max_error > 0.0, line.entry.is_some(), "{line:?}");
    }
    // Dispatches: two axes; a stage each; with spectrum, maps and mips.
    let dispatches: Vec<usize> = table.rows.iter().map(|line| measured(line).dispatches).collect();
    let mips = 1;
    assert_eq!(dispatches[1], 2);
    assert!(dispatches[2] >= 10, "{dispatches:?}");
    assert_eq!((dispatches[3], dispatches[4]), (4 + mips, dispatches[2] + 2 + mips));
    assert_eq!(dispatches[5], 2 + mips);

    // One baseline for each family; another begins again.
    let baselines: Vec<usize> = (0..8).filter(|row| table.rows[*row].baseline).collect();
    assert_eq!(baselines, [1, 3]);
    comparison.set_baseline(1);
    let table = comparison.table();
    assert!(table.rows[2].baseline && !table.rows[1].baseline);
    assert_eq!(measured(&table.rows[1]).speed_up, None);
    comparison.set_paused(true);
    // Pending samples arrive, and then no more.
    let samples = |comparison: &mut Comparison| {
        comparison.next_frame().unwrap();
        context.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        comparison.next_frame().unwrap();
        let rows = comparison.table().rows;
        rows.iter().map(|line| measured(line).samples).collect::<Vec<_>>()
    };
    let paused = samples(&mut comparison);
    assert_eq!(samples(&mut comparison), paused);
    comparison.set_paused(false);
    assert_ne!(samples(&mut comparison), paused);
}

#[test]
fn candidates_over_budget_run_on_one_image() {
    let context = context();
    let entries = [
        entry(RowKind::Transform, Algorithm::StockhamR4),
        entry(RowKind::FusedStep, Algorithm::StockhamR4),
    ];
    let comparison = compared(&context, &problem(Precision::F32), &entries, 1e-3, 2);
    let table = comparison.table();
    assert_eq!(measured(&table.rows[1]).images_measured, 1);
    // The scales of 8 images in pairs, and of one padded to a pair.
    assert_eq!((measured(&table.rows[1]).scale, measured(&table.rows[2]).scale), (4.0, 2.0));
    assert_eq!(measured(&table.rows[2]).images_measured, 4, "a cascade");
    for line in &table.rows[1..] {
        assert!(table.note(line, measured(line)).contains("of 8 images"));
    }
}

#[test]
fn sixteen_bits_hold_the_spectra_of_every_cascade() {
    let context = context();
    let entries = [
        entry(RowKind::Transform, Algorithm::StockhamR8),
        entry(RowKind::PlainStep, Algorithm::StockhamR8),
    ];
    if !context.capabilities.shader_f16 {
        return;
    }
    for sea in [SeaState::default(), SeaState { wind_speed_mps: 1.0, ..SeaState::default() }] {
        let problem = Problem { sea, ..problem(Precision::F16) };
        let table = compared(&context, &problem, &entries, 1e6, 1).table();
        let error = measured(&table.rows[1]).relative_l2_error;
        assert!((1e-5..5e-4).contains(&error), "{error}");
        let note = table.rows[2].note();
        assert!(note.starts_with("skipped: ") && note.contains("32-bit"), "{note}");
    }
}

#[test]
fn skipped_candidates_give_reasons_and_wrong_ones_no_times() {
    let context = context();
    // More workgroup memory than there is.
    let mut impossible = Configuration::from(Algorithm::StockhamR8);
    impossible.set("row-lines", Some(crate::fft::lab::Value::Integer(1024))).unwrap();
    let entries = [
        Entry {
            configuration: Some(impossible),
            ..entry(RowKind::Transform, Algorithm::StockhamR8)
        },
        Entry {
            configuration: Some(impossible),
            ..entry(RowKind::FusedStep, Algorithm::StockhamR8)
        },
    ];
    let comparison = compared(&context, &problem(Precision::F32), &entries, 1e6, 1);
    for line in &comparison.table().rows[1..] {
        let note = line.note();
        assert!(note.starts_with("skipped: ") && note.contains("row-lines"), "{note}");
    }

    let Context { device, queue, .. } = &context;
    let mut comparison =
        Comparison::new(device, queue, problem(Precision::F32), entries.to_vec(), 1e6);
    comparison.receive(Notice::Done(0, Outcome::failed("relative L2 error 1e0")));
    assert!(comparison.table().rows[1].is_failed());
    assert!(!comparison.has_settled(), "one is still to be prepared");
}

#[test]
fn a_listener_ends_it_and_bad_sizes_are_errors() {
    let context = context();
    let entries = [entry(RowKind::Transform, Algorithm::StockhamR8)];
    let problem = problem(Precision::F32);
    let prepare = |problem: &Problem,
                   listener: &mut (dyn FnMut(Notice) -> ControlFlow<()> + Send)| {
        let (drawing, limits) = (&context, LimitsPreset::Adapter);
        let preparation =
            Preparation { drawing, limits, problem, entries: &entries, budget_us: 1e6 };
        pollster::block_on(preparation.run(listener))
    };
    let mut notices = 0;
    let stopped = prepare(&problem, &mut |_| {
        notices += 1;
        ControlFlow::Break(())
    });
    assert!(matches!(stopped, Err(ComparisonError::Cancelled)));
    assert_eq!(notices, 1);
    let error = prepare(&Problem { size: 17, ..problem }, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(error, Err(ComparisonError::Spectrum(_))));
}
