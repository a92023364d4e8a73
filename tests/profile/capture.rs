//! A capture has both halves of every frame: written on a GPU, read back with puffin's reader.

use std::collections::{BTreeMap, BTreeSet};

use puffin::{FrameView, Reader, Stream};
use seaway::profile::{CaptureInfo, GpuTimes, Profiler, Summary};

use crate::{Target, device_without};
use seaway_core::testing::context;

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
fn captured_frames_hold_their_cpu_scopes_and_gpu_passes() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let context = context();
    let (device, queue) = (&context.device, &context.queue);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("target"),
        size: 1 << 20,
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let target = Target::new(device);

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
            target.draw(&mut recorder);
            profiler.submit(queue, [], encoder);
        }
        device.poll(wgpu::PollType::Poll).unwrap();
        while profiler.finished_frame().is_some() {}
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
    assert_eq!(capture.describe().contains("no timestamps"), !has_timers);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("capture.puffin");
    capture.write_puffin(&path).unwrap();
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
                // Each pass and each stage of it is a scope of its own on this side too.
                assert_eq!(names, ["encode", "simulate", "first stage", "second stage", "draw"]);
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
    let context = context();
    let mut profiler = Profiler::new(&context.device, &context.queue);
    assert!(profiler.finish_capture(&context.device).is_err());
    profiler.start_capture(1);
    let capture = profiler.finish_capture(&context.device).unwrap();
    assert_eq!(capture.frames(), 0);
    let error = capture.write_puffin(std::path::Path::new("/no/such/folder/x.puffin")).unwrap_err();
    assert!(error.to_string().contains("/no/such/folder/x.puffin"), "{error}");
}

fn run_empty_frame(profiler: &mut Profiler, device: &wgpu::Device, queue: &wgpu::Queue) {
    profiler.begin_frame();
    let mut encoder = device.create_command_encoder(&Default::default());
    profiler.recorder(&mut encoder).compute("simulate", |stages| stages.stage("stage", |_| {}));
    profiler.submit(queue, [], encoder);
}

#[test]
fn every_timed_frame_comes_once_and_in_order() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    for lacking in [
        wgpu::Features::empty(),
        wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES,
        wgpu::Features::TIMESTAMP_QUERY
            | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS
            | wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES,
    ] {
        let (device, queue) = device_without(lacking);
        let has_timers = device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        let mut profiler = Profiler::new(&device, &queue);
        assert_eq!(profiler.has_gpu_timers(), has_timers);
        let mut times = Vec::new();
        for frame in 1..=30 {
            // Frames 11 to 20 are not timed.
            profiler.set_timing(!(11..=20).contains(&frame));
            run_empty_frame(&mut profiler, &device, &queue);
            device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
            times.extend(std::iter::from_fn(|| profiler.finished_frame()));
        }
        // Results are read for several frames at once, and for all when timing ends.
        assert!(times.len() >= 10 && times.len() < 20, "{} frames", times.len());
        profiler.set_timing(false);
        profiler.begin_frame();
        device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        times.extend(std::iter::from_fn(|| profiler.finished_frame()));
        let numbers: Vec<u64> = times.iter().map(|times| times.frame).collect();
        assert_eq!(numbers, (1..=10).chain(21..=30).collect::<Vec<_>>());
        let mut gpu_end_ns = 0;
        for pair in times.windows(2).filter(|pair| pair[0].frame + 1 == pair[1].frame) {
            assert_eq!(pair[0].begin_ns + pair[0].interval_ns as i64, pair[1].begin_ns);
        }
        for times in &times {
            let cpu: Vec<_> = times.cpu.iter().map(|scope| (&*scope.name, scope.depth)).collect();
            assert_eq!(cpu, [("simulate", 0), ("stage", 1)]);
            for scope in &times.cpu {
                assert!(0 <= scope.start_ns && scope.start_ns <= scope.end_ns, "{times:?}");
                assert!(scope.end_ns as u64 <= times.interval_ns, "{times:?}");
            }
            match &times.gpu {
                GpuTimes::Timed { start_ns, scopes } => {
                    assert!(has_timers && !scopes.is_empty());
                    let begin_ns = times.begin_ns + *start_ns as i64;
                    assert!(begin_ns >= gpu_end_ns && begin_ns >= times.begin_ns);
                    gpu_end_ns = begin_ns + times.gpu_ns().unwrap() as i64;
                }
                other => assert_eq!((other, has_timers), (&GpuTimes::Untimed, false)),
            }
        }
    }
}

#[test]
fn frames_that_submit_nothing_come_too() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let (device, queue) = device_without(wgpu::Features::empty());
    let mut profiler = Profiler::new(&device, &queue);
    profiler.start_capture(40);
    for _ in 0..40 {
        profiler.begin_frame();
    }
    let capture = profiler.finish_capture(&device).unwrap();
    assert_eq!((capture.frames(), capture.frames_with_gpu()), (40, 0));
    let times: Vec<_> = std::iter::from_fn(|| profiler.finished_frame()).collect();
    let numbers: Vec<u64> = times.iter().map(|times| times.frame).collect();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
    assert!(times.iter().all(|times| times.gpu == GpuTimes::Untimed && times.cpu.is_empty()));
}

/// `name: durations in microseconds` of each side, from `passes.csv`.
fn durations(table: &str) -> BTreeMap<(String, String), Vec<f64>> {
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("frame,side,thread,name,depth,start_us,duration_us"));
    let mut durations: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for line in lines {
        let [_, side, _, name, _, start_us, duration_us] =
            line.split(',').collect::<Vec<_>>().try_into().expect("seven columns");
        assert!(start_us.parse::<f64>().unwrap() >= 0.0, "{line}");
        let duration_us: f64 = duration_us.parse().unwrap();
        assert!(duration_us >= 0.0, "{line}");
        durations.entry((side.to_owned(), name.to_owned())).or_default().push(duration_us);
    }
    durations
}

#[test]
fn the_files_of_a_folder_agree() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let none = wgpu::Features::TIMESTAMP_QUERY
        | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS
        | wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES;
    for lacking in [wgpu::Features::empty(), wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES, none] {
        let (device, queue) = device_without(lacking);
        let mut profiler = Profiler::new(&device, &queue);
        let has_timers = profiler.has_gpu_timers();
        profiler.start_capture(FRAMES);
        for _ in 0..FRAMES {
            run_empty_frame(&mut profiler, &device, &queue);
            device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        }
        let capture = profiler.finish_capture(&device).unwrap();
        let info = CaptureInfo::of(&device.adapter_info());
        let folder = tempfile::tempdir().unwrap();
        capture.write(&folder.path().join("capture"), &info).unwrap();
        let read = |name: &str| std::fs::read(folder.path().join("capture").join(name)).unwrap();

        let durations = durations(&String::from_utf8(read("passes.csv")).unwrap());
        let count = |side: &str, name: &str| {
            durations.get(&(side.to_owned(), name.to_owned())).map_or(0, Vec::len)
        };
        assert_eq!((count("cpu", "simulate"), count("cpu", "stage")), (FRAMES, FRAMES));
        // Where a stage's time does not add up with its pass's, it is left out.
        assert_eq!(count("gpu", "simulate"), if has_timers { FRAMES } else { 0 });
        assert!(count("gpu", "stage") <= count("gpu", "simulate"));

        let puffin = FrameView::read(&mut read("capture.puffin").as_slice()).unwrap();
        assert_eq!(puffin.recent_frames().count(), FRAMES);
        let mut of_puffin: BTreeMap<(String, String), usize> = BTreeMap::new();
        for frame in puffin.recent_frames() {
            for (thread, info) in &frame.unpacked().unwrap().thread_streams {
                let side = if thread.name == "GPU" { "gpu" } else { "cpu" };
                for (name, ..) in scopes(&puffin, &info.stream, 0) {
                    *of_puffin.entry((side.to_owned(), name)).or_default() += 1;
                }
            }
        }
        let of_table: BTreeMap<_, _> =
            durations.iter().map(|(key, times)| (key.clone(), times.len())).collect();
        assert_eq!(of_puffin, of_table);

        let trace: serde_json::Value = serde_json::from_slice(&read("trace.json")).unwrap();
        let events = trace["traceEvents"].as_array().unwrap();
        let mut of_trace: BTreeMap<(String, String), usize> = BTreeMap::new();
        for event in events.iter().filter(|event| event["ph"] == "X") {
            let text = |key: &str| event[key].as_str().unwrap().to_owned();
            *of_trace.entry((text("cat"), text("name"))).or_default() += 1;
        }
        of_trace.retain(|(category, _), _| category != "frame");
        assert_eq!(of_trace, of_table);

        let summary: Summary = serde_json::from_slice(&read("summary.json")).unwrap();
        assert_eq!((summary.frames, summary.gpu_timestamps), (FRAMES, has_timers));
        assert_eq!(summary.frames_with_gpu, if has_timers { FRAMES } else { 0 });
        assert_eq!((summary.frames_lost, summary.frames_dropped), (0, 0));
        assert_eq!(summary.passes.len(), durations.len());
        for pass in &summary.passes {
            let mut times = durations[&(pass.side.to_string(), pass.name.clone())].clone();
            times.sort_by(f64::total_cmp);
            assert_eq!(pass.times.count, times.len());
            let place = (0.5 * (times.len() - 1) as f64).round() as usize;
            assert_eq!(pass.times.median_us, times[place], "{}", pass.name);
            assert_eq!(pass.times.worst_us, times[times.len() - 1], "{}", pass.name);
        }
    }
}

/// A frame whose commands are never submitted leaves marks that are never written: to wait for them
/// would be to wait for ever.
#[test]
fn a_frame_that_is_thrown_away_disturbs_no_other() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let (device, queue) = device_without(wgpu::Features::empty());
    let mut profiler = Profiler::new(&device, &queue);
    profiler.start_capture(30);
    for frame in 0..30 {
        if frame % 3 == 1 {
            profiler.begin_frame();
            let mut encoder = device.create_command_encoder(&Default::default());
            let mut recorder = profiler.recorder(&mut encoder);
            recorder.compute("lost", |stages| stages.stage("lost stage", |_| {}));
        } else {
            run_empty_frame(&mut profiler, &device, &queue);
        }
    }
    let capture = profiler.finish_capture(&device).unwrap();
    assert_eq!((capture.frames(), capture.frames_with_gpu()), (30, 20));
    let times = std::iter::from_fn(|| profiler.finished_frame());
    for times in times {
        let expected = if times.frame % 3 == 2 { "lost" } else { "simulate" };
        assert_eq!(&*times.cpu[0].name, expected, "{times:?}");
        match &times.gpu {
            GpuTimes::Timed { scopes, .. } => assert_eq!(&*scopes[0].label, "simulate"),
            other => assert_eq!((other, expected), (&GpuTimes::Untimed, "lost")),
        }
    }
}
