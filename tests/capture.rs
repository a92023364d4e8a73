//! A capture has both halves of every frame: written on a GPU, read back with puffin's reader.
#![cfg(feature = "profile")]

use std::collections::BTreeSet;

use puffin::{FrameView, Reader, Stream};
use seaway::gpu::{Context, ContextOptions};
use seaway::profile::Profiler;

const FRAMES: usize = 12;

/// puffin's scopes are global to the process: one test at a time.
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Names of every scope of `stream`, with the start and end of each.
fn scopes(view: &FrameView, stream: &Stream, offset: u64) -> Vec<(String, i64, i64)> {
    let mut all = Vec::new();
    for scope in Reader::with_offset(stream, offset).unwrap() {
        let scope = scope.unwrap();
        let details = view.scope_collection().fetch_by_id(&scope.id).expect("a scope has a name");
        all.push((
            details.name().clone().into_owned(),
            scope.record.start_ns,
            scope.record.stop_ns(),
        ));
        all.extend(scopes(view, stream, scope.child_begin_position));
    }
    all
}

#[test]
fn a_capture_holds_cpu_scopes_and_gpu_passes_of_the_same_frame() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let context =
        pollster::block_on(Context::new(Context::headless_instance(), ContextOptions::default()))
            .unwrap();
    let (device, queue) = (&context.device, &context.queue);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("target"),
        size: 1 << 20,
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let target = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("target"),
        size: wgpu::Extent3d { width: 64, height: 64, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let view = target.create_view(&Default::default());

    let mut profiler = Profiler::new(device, queue);
    let run_frame = |profiler: &mut Profiler| {
        profiler.begin_frame();
        {
            puffin::profile_scope!("encode");
            let mut encoder = device.create_command_encoder(&Default::default());
            encoder.clear_buffer(&buffer, 0, None);
            let mut recorder = profiler.recorder(&mut encoder);
            recorder.compute("simulate", |stages| {
                stages.stage("first stage", |_| {});
                stages.stage("second stage", |_| {});
            });
            recorder.render(
                &wgpu::RenderPassDescriptor {
                    label: Some("draw"),
                    color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                        view: &view,
                        depth_slice: None,
                        resolve_target: None,
                        ops: wgpu::Operations::default(),
                    })],
                    ..Default::default()
                },
                |_| {},
            );
            profiler.submit(queue, [], encoder);
        }
        device.poll(wgpu::PollType::Poll).unwrap();
        while profiler.gpu_frame().is_some() {}
    };

    // Scopes are named before the capture starts, which must not lose their names.
    for _ in 0..3 {
        run_frame(&mut profiler);
    }
    profiler.start_capture(FRAMES);
    for _ in 0..2 {
        run_frame(&mut profiler);
    }
    // The second capture starts where every scope is long known.
    profiler.start_capture(FRAMES);
    for frame in 0..FRAMES {
        assert!(profiler.finished_capture().is_none(), "finished after {frame} frames");
        run_frame(&mut profiler);
    }
    let capture = profiler.finish_capture(device).unwrap();
    assert_eq!(capture.frames(), FRAMES);
    let has_timers = profiler.has_gpu_timers();
    assert_eq!(capture.frames_with_gpu(), if has_timers { FRAMES } else { 0 });
    assert_eq!(capture.summary().contains("no timestamps"), !has_timers);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("capture.puffin");
    capture.write(&path).unwrap();
    let read = FrameView::read(&mut std::fs::File::open(&path).unwrap()).unwrap();

    assert_eq!(read.recent_frames().count(), FRAMES);
    let now_ns = puffin::now_ns();
    let mut gpu_end_ns = 0;
    let mut frames_with_stages = 0;
    for frame in read.recent_frames() {
        let frame = frame.unpacked().unwrap();
        let (begin_ns, end_ns) = frame.range_ns();
        assert!(
            end_ns - begin_ns < 60_000_000_000,
            "a frame of {} s",
            (end_ns - begin_ns) / 1_000_000_000
        );
        assert!((now_ns - begin_ns).abs() < 600_000_000_000, "not on puffin's clock");
        let mut threads = BTreeSet::new();
        for (thread, info) in &frame.thread_streams {
            let names: Vec<_> = scopes(&read, &info.stream, 0);
            for (name, start, end) in &names {
                assert!(start <= end && begin_ns <= *start && *end <= end_ns, "{name}");
            }
            let names: Vec<&str> = names.iter().map(|(name, ..)| name.as_str()).collect();
            if thread.name == "GPU" {
                for (pass, least) in [("first stage", 0), ("second stage", 0), ("draw", 1)] {
                    let count = names.iter().filter(|name| **name == pass).count();
                    assert!((least..=1).contains(&count), "{pass}");
                    // On a busy machine the times of stages may not add up.
                    frames_with_stages += usize::from(least == 0 && count == 1);
                }
                assert!(info.range_ns.0 >= gpu_end_ns, "GPU frames overlap");
                gpu_end_ns = info.range_ns.1;
                threads.insert("GPU");
            } else {
                assert_eq!(names, ["encode"]);
                threads.insert("CPU");
            }
        }
        let expected: &[&str] = if has_timers { &["CPU", "GPU"] } else { &["CPU"] };
        assert_eq!(threads.into_iter().collect::<Vec<_>>(), expected);
    }
    assert_eq!(frames_with_stages > 0, has_timers);
}

#[test]
fn a_capture_that_cannot_be_written_says_where() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let context =
        pollster::block_on(Context::new(Context::headless_instance(), ContextOptions::default()))
            .unwrap();
    let mut profiler = Profiler::new(&context.device, &context.queue);
    assert!(profiler.finish_capture(&context.device).is_err());
    profiler.start_capture(1);
    let capture = profiler.finish_capture(&context.device).unwrap();
    assert_eq!(capture.frames(), 0);
    let error = capture.write(std::path::Path::new("/no/such/folder/x.puffin")).unwrap_err();
    assert!(error.to_string().contains("/no/such/folder/x.puffin"), "{error}");
}
