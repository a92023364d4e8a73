//! The tab of measurements, from the key to the figures.

use std::sync::{Arc, OnceLock};

use egui_kittest::kittest::Queryable as _;
use winit::keyboard::KeyCode;

use super::super::*;
use super::bench::Bench;
use crate::app::session::DockTab;
use crate::foam::cover::wanted;
use crate::measurement::{Measured, Period, Subject, Surface, Theory, WhitecapCover};
use crate::settings::SeaState;
use crate::spectrum::InitialSpectrum;

fn theory() -> Arc<Theory> {
    static THEORY: OnceLock<Arc<Theory>> = OnceLock::new();
    let theory = || {
        let initial = InitialSpectrum::new(&SeaState::default(), 32, 3).unwrap();
        Arc::new(Theory::of(Subject::of(&initial, &[])))
    };
    Arc::clone(THEORY.get_or_init(theory))
}

/// Data of a sea whose variances are `times` theory's, and whose waves come every `period_s` seconds.
pub(super) fn data(times: Option<f64>, period_s: Option<f64>) -> MeasuringData {
    let theory = theory();
    let surface = times.map(|times| {
        let subject = &theory.subject;
        Arc::new(Surface {
            time_s: 12.0,
            variance_m2: times * subject.variance_m2,
            slope_covariance: subject.slope_covariance.map(|part| times * part),
            bins_m2: theory.expected.iter().map(|bin| times * bin.variance_m2).collect(),
            towards_m2: theory
                .expected
                .iter()
                .map(|bin| [1.0, bin.towards[0], bin.towards[1]].map(|part| part * bin.variance_m2))
                .collect(),
        })
    });
    let period = period_s.map(|mean_zero_crossing_period_s| Period {
        mean_zero_crossing_period_s,
        expected_s: 4.0,
        standard_error_s: 0.1,
        waves: 12_345,
        duration_s: 777.0,
    });
    let whitecaps = times.map(|times| WhitecapCover {
        share: times * wanted(&theory.subject.sea),
        standard_error: 0.0004,
        time_s: 12.0,
    });
    let measured = Measured { theory, surface, period, whitecaps };
    MeasuringData { measured: Some(Arc::new(measured)), refused: None }
}

#[test]
fn a_key_opens_measurements_beside_theory() {
    for size in [[1280.0, 720.0], [800.0, 500.0]] {
        let mut bench = Bench::new(size);
        bench.press(KeyCode::KeyM);
        assert_eq!(bench.session().dock, Some(DockTab::Measure));
        bench.harness.get_by_label_contains("Working out");

        bench.world().measuring = data(None, None);
        bench.settle();
        bench.harness.get_by_label_contains("counting waves");

        // Heights are as the square root of the variance.
        bench.world().measuring = data(Some(4.0), Some(3.25));
        bench.settle();
        let theory = theory();
        let expected_m = theory.significant_wave_height_m();
        let error_m = 0.5 * theory.variance_error * expected_m;
        let decimals = (1.0 - error_m.log10().floor()) as usize;
        bench.harness.get_by_label(&format!("{:.decimals$}", 2.0 * expected_m));
        bench.harness.get_by_label(&format!("{expected_m:.decimals$} ± {error_m:.decimals$}"));
        bench.harness.get_by_label("3.25");
        bench.harness.get_by_label("4.00 ± 0.10");
        bench.harness.get_by_label_contains("12345 waves at 64 points in 777 s");
        // Every line of the table lies within the dock.
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
        for name in ["Hs [m]", "Slope² along", "Slope² across", "Tz [s]", "whole sea"] {
            let rect = bench.harness.get_by_label(name).rect();
            assert!(screen.contains_rect(rect), "{name} at {size:?}: {rect:?}");
        }
        let plot = bench.harness.get_by_label("Measured spectrum").rect();
        assert!(screen.contains_rect(plot) && plot.height() > 80.0, "{plot:?} at {size:?}");

        bench.frame(vec![egui::Event::PointerMoved(plot.center())]);
        for _ in 0..60 {
            bench.frame(Vec::new());
        }
        bench.harness.get_by_label_contains("wave vectors");

        bench.world().measuring =
            MeasuringData { measured: None, refused: Some("too large".to_owned()) };
        bench.settle();
        bench.harness.get_by_label("too large");
        bench.press(KeyCode::KeyM);
        assert_eq!(bench.session().dock, None);
    }
}
