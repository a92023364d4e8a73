//! Choosing by measuring, on a device.

use std::ops::ControlFlow;

use seaway_fft::lab::timing::{Method, Timer, measure};
use seaway_fft::lab::{Algorithm, Progress, TuneError, TuneOptions, Tuned, tune};
use seaway_fft::{
    Axes, Buffers, Descriptor, Direction, Layout, Normalization, Placement, Plan, Precision,
};

use crate::support::{check, gpu, storage};

fn tuned(task: &Descriptor, options: TuneOptions<'_>) -> Result<Tuned, TuneError> {
    pollster::block_on(tune(&gpu().device, &gpu().queue, task, options))
}

/// The shortest of several samples: what others do on the machine only adds.
fn shortest_us(descriptor: &Descriptor) -> f64 {
    let device = &gpu().device;
    let plan = Plan::new(device, descriptor).unwrap();
    let data = storage(plan.output_bytes());
    let bound = plan.bind(device, &Buffers::in_place(&data)).unwrap();
    let method = Method { samples: 9, sample_us: 2000.0, ..Method::default() };
    let encode = |pass: &mut wgpu::ComputePass<'_>, _| bound.encode(pass);
    let times = pollster::block_on(measure(device, &gpu().queue, &method, encode)).unwrap();
    times.quantile_us(0.0)
}

#[test]
fn the_winner_is_right_and_not_slower_than_default() {
    let task = Descriptor {
        size: [128, 64],
        batch: 3,
        direction: Direction::Inverse,
        layout: Layout::Pair,
        placement: Placement::InPlace,
        ..Descriptor::default()
    };
    let tuned = tuned(&task, TuneOptions::of(&gpu().device)).unwrap();
    assert_eq!(tuned.timer, Timer::of(&gpu().device));
    assert!(tuned.median_us > 0.0 && tuned.candidates >= 2, "{tuned:?}");
    let chosen = tuned.apply(&task);
    check(&chosen);
    let default = Descriptor { algorithm: Some(Algorithm::StockhamR4.into()), ..task.clone() };
    let (chosen_us, default_us) = (shortest_us(&chosen), shortest_us(&default));
    assert!(chosen_us <= 1.5 * default_us, "{chosen_us} us by {tuned:?}, {default_us} us");
}

#[test]
fn parameters_are_searched_out_of_place_along_one_axis() {
    for (axes, layout) in [(Axes::Both, Layout::Planar), (Axes::Columns, Layout::Pair)] {
        let task = Descriptor { size: [16, 8], batch: 2, axes, layout, ..Descriptor::default() };
        let mut last = None;
        let mut progress = |step: Progress| {
            last = Some(step);
            ControlFlow::Continue(())
        };
        let options = TuneOptions::of(&gpu().device);
        let options = TuneOptions {
            budget_ms: 2500.0,
            search: true,
            progress: Some(&mut progress),
            ..options
        };
        check(&tuned(&task, options).unwrap().apply(&task));
        let last = last.unwrap();
        assert!(last.candidate > 10 && last.candidate <= last.of, "{last:?}");
    }
}

#[test]
fn parameters_are_searched_for_any_length() {
    let task = Descriptor { size: [12, 10], batch: 2, ..Descriptor::default() };
    let mut last = None;
    let mut progress = |step: Progress| {
        last = Some(step);
        ControlFlow::Continue(())
    };
    let options = TuneOptions::of(&gpu().device);
    let options =
        TuneOptions { budget_ms: 2500.0, search: true, progress: Some(&mut progress), ..options };
    check(&tuned(&task, options).unwrap().apply(&task));
    let last = last.unwrap();
    assert!(last.candidate > 3 && last.candidate <= last.of, "{last:?}");
}

#[test]
fn half_floats_and_scaled_results_are_checked_as_such() {
    let task = Descriptor {
        size: [64, 32],
        batch: 3,
        layout: Layout::Pair,
        normalization: Normalization::Ortho,
        ..Descriptor::default()
    };
    for precision in [Precision::F32, Precision::F16] {
        let task = Descriptor { precision, ..task.clone() };
        match tuned(&task, TuneOptions::of(&gpu().device)) {
            Ok(tuned) => assert!(tuned.candidates > 0),
            Err(error) => {
                assert!(precision == Precision::F16 && !gpu().capabilities.shader_f16, "{error}");
            }
        }
    }
}

#[test]
fn impossible_tasks_are_refused_and_unwanted_ones_stop() {
    let too_large = Descriptor { size: [1 << 20; 2], ..Descriptor::default() };
    let refused = tuned(&too_large, TuneOptions::of(&gpu().device)).unwrap_err();
    assert!(matches!(refused, TuneError::Fft(_)), "{refused}");

    let mut stop = |_| ControlFlow::Break(());
    let options = TuneOptions { progress: Some(&mut stop), ..TuneOptions::of(&gpu().device) };
    let task = Descriptor { size: [8; 2], ..Descriptor::default() };
    assert!(matches!(tuned(&task, options), Err(TuneError::Cancelled)));
}

/// An executor may move the work from thread to thread.
#[test]
fn tuning_can_be_sent() {
    fn is_send<T: Send>(_: &T) {}
    let task = Descriptor::default();
    let context = gpu();
    is_send(&tune(&context.device, &context.queue, &task, TuneOptions::of(&context.device)));
}
