//! A comparison, from the button to its end, and its exports.

use egui_kittest::kittest::Queryable as _;
use winit::keyboard::KeyCode;

use super::super::compare::TableForm;
use super::super::*;
use super::bench::Bench;
use crate::app::session::DockTab;
use crate::bench::comparison::RowKind;
use crate::bench::comparison::Running;
use crate::fft::lab::{Algorithm, AlgorithmChoice};
use crate::gpu::{Context, LimitsPreset};
use crate::ocean::OceanPath;
use seaway_core::testing::context;

fn asked(bench: &mut Bench) -> Vec<Command> {
    std::mem::take(&mut bench.world().left)
}

/// Carries out the window's commands.
fn carry_out(bench: &mut Bench, context: &Context) {
    for command in asked(bench) {
        let Command::Compare(command) = command else { panic!("{command:?}") };
        let world = bench.world();
        match (command, &mut world.comparing) {
            (CompareCommand::Start, _) => {
                let session = &world.workspace.session;
                let problem = session.compare.problem(&session.scene.sea, 3.0, &session.quality);
                let entries = session.compare.entries(None);
                let comparing =
                    Running::start(context, LimitsPreset::Adapter, problem, entries, 1e6);
                world.comparing = Some(comparing.unwrap());
            }
            (CompareCommand::Pause(paused), Some(comparing)) => comparing.set_paused(paused),
            (CompareCommand::Baseline(row), Some(comparing)) => comparing.set_baseline(row),
            (CompareCommand::Stop, comparing) => *comparing = None,
            (command, _) => panic!("{command:?}"),
        }
    }
}

/// Runs frames until the comparison `is_enough`.
fn run(bench: &mut Bench, context: &Context, is_enough: impl Fn(Progress<'_>) -> bool) {
    let begun = std::time::Instant::now();
    loop {
        let comparing = bench.world().comparing.as_mut().expect("it was started");
        comparing.next_frame(1e6);
        context.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        assert_eq!(comparing.progress().error, None);
        if is_enough(comparing.progress()) {
            return;
        }
        assert!(begun.elapsed().as_secs() < 120, "no end: {:?}", comparing.progress().table);
    }
}

#[test]
fn a_comparison_runs_to_its_end() {
    let context = context();
    let mut bench = Bench::new([1280.0, 1000.0]);
    bench.press(KeyCode::KeyC);
    assert_eq!(bench.session().dock, Some(DockTab::Compare));
    let compare = &mut bench.world().workspace.session.compare;
    compare.algorithms =
        [Algorithm::StockhamR8, Algorithm::CooleyTukey].map(AlgorithmChoice::from).to_vec();
    (compare.size, compare.cascades) = (Some(16), Some(1));
    bench.settle();

    // Transforms and, chosen from the list, fused steps.
    bench.click("transforms");
    bench.click(RowKind::FusedStep.label());
    assert_eq!(bench.session().compare.kinds, [RowKind::Transform, RowKind::FusedStep]);
    bench.click("Start");
    assert_eq!(bench.world().left, [Command::Compare(CompareCommand::Start)]);
    carry_out(&mut bench, &context);
    bench.settle();
    run(&mut bench, &context, |data| data.waiting == 0);
    // Its table is made again a few times a second.
    run(&mut bench, &context, |data| {
        data.table.rows.iter().all(|line| {
            assert!(line.outcome.is_none() || line.measured().is_some(), "{line:?}");
            line.measured().is_some_and(|measured| measured.samples >= 2)
        })
    });
    bench.settle();

    // One click for another baseline, and one to make a row the ocean's.
    bench.click("Compare with cooley-tukey, transform");
    carry_out(&mut bench, &context);
    bench.settle();
    let table = bench.world().comparing.as_ref().unwrap().progress().table.clone();
    let baselines = table.rows.iter().filter(|line| line.baseline);
    let baselines: Vec<&str> = baselines.map(|line| line.algorithm.as_str()).collect();
    assert_eq!(baselines, ["cooley-tukey", "stockham-r8"]);
    bench.world().workspace.session.path = OceanPath::Plain;
    bench.settle();
    bench.click("Use cooley-tukey, ocean step, fused");
    assert_eq!(bench.session().algorithm, AlgorithmChoice::from(Algorithm::CooleyTukey));
    assert_eq!(bench.session().path, OceanPath::Fused);
    // The choice can be undone like any other setting.
    bench.press_with(KeyCode::KeyZ, egui::Modifiers::COMMAND);
    assert_eq!(bench.session().path, OceanPath::Plain);

    bench.click("Pause");
    carry_out(&mut bench, &context);
    bench.settle();
    bench.harness.get_by_label("Resume");
    bench.click("Copy as CSV");
    bench.click("Save as CSV");
    assert_eq!(asked(&mut bench), [Command::Compare(CompareCommand::Save(TableForm::Csv))]);
    let csv = TableForm::Csv.of(&table, "");
    assert_eq!(csv.lines().count(), 1 + 5);
    bench.click("Stop");
    carry_out(&mut bench, &context);
    bench.settle();
    assert!(bench.harness.query_by_label("Pause").is_none());
}

#[test]
fn wrong_and_impossible_rows_are_shown_at_every_size() {
    let table = crate::bench::comparison::example_table();
    let (webgpu, history) = (Capabilities::webgpu_defaults(), History::default());
    let mut session = Session { dock: Some(DockTab::Compare), ..Session::default() };
    let summary = SeaSummary::of(&session.scene.sea);
    let entries = session.compare.entries(None);
    let context = egui::Context::default();
    theme::apply(&context);
    for error in [None, Some("the GPU could not allocate buffers for the comparison ".repeat(9))] {
        let data = PanelData {
            comparing: Some(Progress {
                table: &table,
                entries: &entries,
                waiting: 1,
                has_settled: false,
                is_paused: false,
                error: error.as_deref(),
            }),
            ..PanelData::plain(&webgpu, &history, &summary)
        };
        for size in [[1280.0, 720.0], [300.0, 200.0], [1.0, 1.0]] {
            for _ in 0..3 {
                super::show_once(&context, size, &mut session, &data);
            }
        }
    }
}
