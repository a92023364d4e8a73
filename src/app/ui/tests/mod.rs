mod bench;
mod compare;
mod measure;
mod random;
mod tools;
mod workspace;

use std::time::Duration;

use super::*;
use crate::app::background::Step;
use crate::app::history::handmade;
use crate::app::messages::Messages;
use crate::app::session::DockTab;
use crate::debug_view::{DebugChoice, DebugView};
use crate::fft::lab::timing::Timer;
use crate::fft::lab::{Algorithm, AlgorithmChoice, Configuration, Progress, Tuned, Value};
use crate::settings::SeaState;

fn show_once(context: &egui::Context, size: [f32; 2], session: &mut Session, data: &PanelData<'_>) {
    let input = egui::RawInput {
        screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size.into())),
        ..egui::RawInput::default()
    };
    let output = context.run_ui(input, |ui| {
        show(ui, session, data);
    });
    let shapes = output.shapes.clone();
    output.drop_without_applying_deltas();
    for primitive in context.tessellate(shapes, 1.0) {
        if let egui::epaint::Primitive::Mesh(mesh) = primitive.primitive {
            assert!(mesh.vertices.iter().all(|vertex| vertex.pos.is_finite()), "NaN in the panels");
        }
    }
}

#[test]
fn panels_survive_every_size_and_state() {
    let messages = Messages::default();
    messages.say("Saved.");
    messages.warn("Not saved: ".repeat(40));
    messages.gpu_error("line one\nline two ".repeat(60));
    let (toasts, gpu_errors) = (messages.toasts(), messages.gpu_errors());
    let histories =
        [handmade::wild(), History::default(), handmade::usual(1..30), handmade::usual(1..1_200)];
    let webgpu = Capabilities::webgpu_defaults();
    let mut configuration = Configuration::from(Algorithm::StockhamR32);
    configuration.set("column-radix", Some(Value::Integer(32))).unwrap();
    let timer = Timer::GpuTimestamps;
    let progress = Progress { candidate: 12, of: 40 };
    let tuned =
        Tuned { configuration, median_us: 1e5, timer, ratio_to_default: 0.9, candidates: 41 };
    let chosen = Chosen { configuration: Some(configuration), measured: Ok(tuned) };
    let unmeasured = Chosen { measured: Err("no clock ".repeat(30)), ..chosen.clone() };
    let spectrum = crate::spectrum::InitialSpectrum::new(&SeaState::default(), 16, 2).unwrap();
    let grid = crate::mesh::Grid::new(16, 0.25);
    let legends: Vec<_> =
        [DebugView::Lod, DebugView::Spectrum, DebugView::Map, DebugView::Luminance]
            .iter()
            .filter_map(|&view| {
                Legend::of(&DebugChoice { view, ..Default::default() }, &spectrum, &grid)
            })
            .collect();
    let measurings = [
        measure::data(None, None),
        MeasuringData { measured: None, refused: Some("They are too large. ".repeat(20)) },
        measure::data(Some(1.0), None),
        measure::data(Some(f64::NAN), Some(f64::NAN)),
    ];
    for (index, (size, has_frame)) in
        [([1.0, 1.0], true), ([320.0, 200.0], false), ([960.0, 540.0], true), ([4e3, 2e3], true)]
            .into_iter()
            .enumerate()
    {
        let context = egui::Context::default();
        theme::apply(&context);
        let mut session = Session { show_help: index % 2 == 0, ..Session::default() };
        session.scene.sea = SeaState { fetch_m: 2e6, wind_speed_mps: 0.5, ..SeaState::default() };
        session.algorithm = match index % 2 {
            0 => AlgorithmChoice::Auto,
            _ => Algorithm::Dft.into(),
        };
        session.quality.size = 4_096;
        session.debug.view = DebugView::ALL[DebugView::ALL.len() - 1 - index];
        let summary = SeaSummary::of(&session.scene.sea);
        let data = PanelData {
            adapter: "A rather long adapter name (Vulkan, of some driver and version)",
            measuring: &measurings[index],
            chosen: if index == 0 { Some(&unmeasured) } else { Some(&chosen) },
            building: [Step::Compiling, Step::WarmingUp, Step::Measuring(progress)]
                .get(index)
                .map(|&step| Activity { step, elapsed: Duration::from_millis(1_234) }),
            computing_sea: index == 0,
            has_frame,
            age_s: 1.0,
            memory: has_frame.then(FrameMemory::default),
            allocated: (index == 3).then_some(Allocated { used_bytes: 1, reserved_bytes: 1 << 40 }),
            has_gpu_timers: index != 2,
            has_dropped_stages: index == 3,
            capture: (index == 3).then_some((3, 120)),
            served_at: Some("127.0.0.1:8585"),
            compiling: (index == 3)
                .then(|| Activity { step: Step::Compiling, elapsed: Duration::from_millis(77) }),
            legend: legends.get(index),
            shader_error: (index != 1).then_some(
                "shading/tone.wgsl:35: no definition in scope for identifier: `raized`\nreturn raized;",
            ),
            watched_shaders: (index == 2).then_some("/a/rather/long/folder/of/shaders"),
            resolution: [1, 1],
            toasts: &toasts,
            gpu_errors: &gpu_errors,
            ..PanelData::plain(&webgpu, &histories[index], &summary)
        };
        for dock in [None].into_iter().chain(DockTab::ALL.iter().copied().map(Some)) {
            session.dock = dock;
            for _ in 0..4 {
                show_once(&context, size, &mut session, &data);
            }
        }
    }
}
