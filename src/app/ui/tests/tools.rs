//! The tools of profiling and shader editing, from the panel to a real device and back.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui_kittest::kittest::Queryable as _;
use winit::keyboard::KeyCode;

use super::super::*;
use super::bench::Bench;
use crate::app::files::Writers;
use crate::frame::{Frame, FrameDesc};
use crate::gpu::shader::{LIBRARY, Sources};
use crate::gpu::{Context, TextureSpec};
use crate::profile::{CaptureInfo, Profiler};
use crate::settings::{Quality, SeaState};
use seaway_core::testing::context;

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

fn frame(context: &Context) -> Frame {
    let low = Quality::of(QualityTier::Low);
    let quality = Quality { size: 16, cascades: 1, ..low };
    Frame::new(&context.device, &context.queue, &SeaState::default(), &quality, FORMAT).unwrap()
}

fn target(context: &Context) -> wgpu::TextureView {
    TextureSpec::target("target", [32, 18], FORMAT).create_view(&context.device)
}

#[test]
fn a_capture_is_recorded_shown_and_written() {
    let context = context();
    let (mut frame, target) = (frame(&context), target(&context));
    let mut profiler = Profiler::new(&context.device, &context.queue);
    let mut bench = Bench::new([1280.0, 900.0]);
    bench.click("Record capture");
    bench.press(KeyCode::F9);
    let record = Command::Action(Action::RecordCapture);
    assert_eq!(std::mem::take(&mut bench.world().left), [record.clone(), record]);

    profiler.start_capture(4);
    let mut seen = BTreeSet::new();
    let capture = loop {
        profiler.begin_frame();
        let mut encoder = context.device.create_command_encoder(&Default::default());
        let session = bench.session();
        let desc = FrameDesc {
            time_s: 1.0,
            resolution: [32, 18],
            debug: session.debug,
            ..FrameDesc::from(&session.scene)
        };
        frame.record(&mut profiler.recorder(&mut encoder), &desc, &target);
        profiler.submit(&context.queue, [], encoder);
        context.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        while profiler.finished_frame().is_some() {}
        bench.world().capture = profiler.capture_progress();
        bench.settle();
        if let Some((done, wanted)) = bench.world().capture {
            bench.harness.get_by_label_contains(&format!("{done} of {wanted} frames"));
            seen.insert(done);
        }
        if let Some(capture) = profiler.finished_capture() {
            break capture;
        }
    };
    assert!(seen.len() > 2, "{seen:?}");
    assert_eq!(capture.frames(), 4);
    bench.world().capture = profiler.capture_progress();

    // Written by a thread, which says where.
    let folder = tempfile::tempdir().unwrap();
    let messages = bench.world().workspace.messages.clone();
    let write = |capture, folder| {
        let mut writers = Writers::within(folder);
        writers.capture(capture, CaptureInfo::of(&context.adapter_info), &messages);
    };
    write(capture, folder.path().to_owned());
    let said = bench.said().join("\n");
    assert!(said.contains(folder.path().to_str().unwrap()), "{said}");
    let written = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    for file in ["capture.puffin", "trace.json", "passes.csv", "summary.json", "summary.md"] {
        assert!(written.join(file).is_file(), "{file}");
    }
    bench.settle();
    bench.harness.get_by_label("Record capture");

    // Where it cannot be written that is said, and nothing else happens.
    profiler.start_capture(1);
    profiler.begin_frame();
    let capture = profiler.finish_capture(&context.device).unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    write(capture, file);
    let said = bench.said().join("\n");
    assert!(said.contains("The capture could not be saved"), "{said}");
}

#[test]
fn a_broken_shader_is_named_until_it_is_mended() {
    let context = context();
    let uncaptured = Arc::new(std::sync::Mutex::new(Vec::new()));
    let heard = Arc::clone(&uncaptured);
    context.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        heard.lock().unwrap().push(error.to_string());
    }));
    let mut frame = frame(&context);
    let mut bench = Bench::new([1280.0, 720.0]);
    let name = "shading/tone.wgsl";
    let sound = LIBRARY.embedded();
    let text = sound.get(name).unwrap();
    let broken = sound.with(name, format!("{text}\nfn more() -> f32 {{ return nothing; }}\n"));
    let line = text.matches('\n').count() + 2;
    let changed = BTreeSet::from([name.to_owned()]);
    let mut reload = |sources: &Sources| sources.during(|| frame.reload(&changed));

    let error = reload(&broken).unwrap_err().to_string();
    let place = format!("{name}:{line}");
    assert!(error.starts_with(&place), "{error}");
    bench.world().shader_error = Some(error);
    bench.settle();
    bench.harness.get_by_label_contains(&place);
    // It is no message that goes away.
    bench.press(KeyCode::Tab);
    bench.harness.get_by_label_contains(&place);

    assert_eq!(reload(&sound).unwrap(), ["tone map"]);
    bench.world().shader_error = None;
    bench.settle();
    assert!(bench.harness.query_by_label_contains(name).is_none());
    assert_eq!(*uncaptured.lock().unwrap(), Vec::<String>::new());
}
