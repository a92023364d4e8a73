//! Frames with known times, written and read back.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use super::*;
use crate::profile::{CpuScope, GpuScope};

const MS: u64 = 1_000_000;

/// A frame of 16 ms: two scopes, one within the other, and two passes, the first with a stage.
fn frame(number: u64, gpu: bool) -> Arc<FrameTimes> {
    let scope = |name: &str, thread: &str, start_ns, end_ns, depth| CpuScope {
        name: name.into(),
        thread: thread.into(),
        start_ns,
        end_ns,
        depth,
    };
    let pass = |label: &str, start_ns, end_ns, depth| GpuScope {
        label: label.into(),
        start_ns,
        end_ns,
        depth,
    };
    let cpu = vec![
        scope("record", "main", 1_000, 2_000_001 + number as i64 * 1_000, 0),
        scope("a \"pass\", twice", "main", 2_000, 3_000, 1),
        scope("a \"pass\", twice", "main", 4_000, 6_000, 1),
        // Begun before the frame, and the capture.
        scope("build", "worker", -40_000_000, 1_000, 0),
    ];
    let scopes = vec![
        pass("ocean", 0, 3 * MS, 0),
        pass("rows", 10, 2 * MS, 1),
        // It begins before its predecessor has ended, which GPUs allow.
        pass("water", 3 * MS - 100, 5 * MS, 0),
        pass("tone", 5 * MS, 6 * MS, 0),
    ];
    Arc::new(FrameTimes {
        frame: number,
        begin_ns: 1_700_000_000_000_000_000 + (number * 16 * MS) as i64,
        interval_ns: 16 * MS,
        cpu,
        // On the GPU a frame may begin when the next one has.
        gpu: if gpu { GpuTimes::Timed { start_ns: 14 * MS, scopes } } else { GpuTimes::Lost },
    })
}

fn capture() -> Capture {
    Capture::new((5..25).map(|number| frame(number, number % 10 != 7)).collect(), true)
}

fn info() -> CaptureInfo {
    CaptureInfo {
        adapter: "Tester".to_owned(),
        command_line: "seaway profile --out DIR".to_owned(),
        settings: serde_json::json!({"sea": {"wind_speed_mps": 8.5}, "path": "fused"}),
        ..CaptureInfo::default()
    }
}

/// Lines of a table without quoted line breaks, as fields.
fn fields(table: &str) -> Vec<Vec<String>> {
    let fields = |line: &str| {
        let (mut fields, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(String::new()),
                other => fields.last_mut().unwrap().push(other),
            }
        }
        fields
    };
    table.lines().map(fields).collect()
}

#[test]
fn the_table_has_a_row_for_each_scope() {
    let mut text = Vec::new();
    table::write(&capture().frames, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let rows = fields(&text);
    // 20 frames of four scopes, 18 of them with four passes.
    assert_eq!(rows.len(), 1 + 20 * 4 + 18 * 4);
    assert_eq!(rows[0].join(" "), "frame side thread name depth start_us duration_us");
    assert_eq!(rows[1].join(" "), "5 cpu main record 0 1.000 2004.001");
    assert_eq!(rows[4].join(" "), "5 cpu worker build 0 -40000.000 40001.000");
    assert_eq!(rows[6].join(" "), "5 gpu GPU rows 1 14000.010 1999.990");
    assert_eq!(rows[9].join(" "), "6 cpu main record 0 16001.000 2005.001");
    assert!(text.contains("\"a \"\"pass\"\", twice\""), "{}", &text[..400]);
    assert!(rows.iter().all(|row| row.len() == 7));
}

#[test]
fn the_summary_is_of_every_occurrence() {
    let summary = capture().summary(&info());
    assert_eq!((summary.frames, summary.frames_with_gpu, summary.frames_lost), (20, 18, 2));
    assert_eq!((summary.frames_dropped, summary.duration_s), (0, 0.32));
    assert_eq!(summary.frame_interval_us.unwrap().median_us, 16_000.0);
    // The worker's time is not the frame's.
    assert_eq!(summary.frame_cpu_us.unwrap().worst_us, 2_023.001);
    assert_eq!(summary.frame_gpu_us.unwrap().count, 18);
    let names: Vec<_> =
        summary.passes.iter().map(|pass| (pass.side, &*pass.name, pass.depth)).collect();
    let (cpu, gpu) = (Side::Cpu, Side::Gpu);
    assert_eq!(
        names,
        [
            (cpu, "record", 0),
            (cpu, "a \"pass\", twice", 1),
            (cpu, "build", 0),
            (gpu, "ocean", 0),
            (gpu, "rows", 1),
            (gpu, "water", 0),
            (gpu, "tone", 0)
        ]
    );
    let twice = summary.passes[1].times;
    assert_eq!((twice.count, twice.p5_us, twice.worst_us), (40, 1.0, 2.0));
    // The value nearest to index 0.5 * 19 of 5 to 24, in order.
    assert_eq!(summary.passes[0].times.median_us, 2_014.001);

    let missing = Capture::new(vec![frame(1, true), frame(4, true)], true).summary(&info());
    assert_eq!(missing.frames_dropped, 2);
    let none = Capture::new(Vec::new(), false).summary(&info());
    assert_eq!((none.frames, none.frame_interval_us), (0, None));
    assert!(none.markdown().contains("no timestamps"));
}

#[test]
fn gpu_times_of_browsers_have_no_meaningless_digits() {
    let of = |backend: &str| {
        let info = CaptureInfo { backend: backend.to_owned(), ..info() };
        capture().summary(&info)
    };
    let gpu = |summary: &Summary| -> Vec<String> {
        let rows = summary.table().rows.into_iter().filter(|row| row[0] == "gpu");
        rows.flat_map(|row| row[4..].to_vec()).collect()
    };
    let (native, page) = (of("vulkan"), of("webgpu"));
    assert!(gpu(&native).iter().all(|figure| figure.contains('.')), "{:?}", gpu(&native));
    assert!(gpu(&page).iter().all(|figure| !figure.contains('.')), "{:?}", gpu(&page));
    assert!(page.markdown().contains("GPU clock: rounded"), "{}", page.markdown());
    assert!(!native.markdown().contains("GPU clock"));
}

#[test]
fn the_summary_round_trips_and_names_its_subject() {
    let summary = capture().summary(&info());
    let mut text = Vec::new();
    summary.write_json(&mut text).unwrap();
    assert_eq!(serde_json::from_slice::<Summary>(&text).unwrap(), summary);
    let json: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["settings"]["sea"]["wind_speed_mps"], 8.5);
    assert_eq!(json["passes"][3]["median_us"], 3_000.0);
    let markdown = summary.markdown();
    for part in [
        "- adapter: Tester\n",
        "- sea.wind_speed_mps: 8.5\n",
        "- command line: seaway profile --out DIR\n",
        "18 with GPU times, 2 lost",
        "| gpu | GPU | &emsp;rows | 18 | 2000.0 |",
    ] {
        assert!(markdown.contains(part), "{part}: {markdown}");
    }
    assert!(!markdown.contains("settings: changed"));
    let csv = fields(&summary.csv());
    assert_eq!(csv.len(), 1 + summary.passes.len());
    assert!(csv.iter().all(|row| row.len() == csv[0].len()));
    let table = summary.table();
    assert!(table.rows.iter().all(|row| row.len() == table.headings.len()));
}

/// One slice of a trace.
#[derive(Debug)]
struct Slice {
    name: String,
    category: String,
    frame: u64,
    /// In nanoseconds: times are written without loss.
    start: i64,
    end: i64,
}

/// The slices of each track, by the trace-event format's rules.
fn slices(trace: &Value) -> BTreeMap<String, Vec<Slice>> {
    let events = trace["traceEvents"].as_array().unwrap();
    let mut names = BTreeMap::new();
    let mut tracks: BTreeMap<String, Vec<Slice>> = BTreeMap::new();
    let mut flows = BTreeMap::new();
    let ns = |value: &Value| (value.as_f64().unwrap() * 1e3).round() as i64;
    for event in events {
        assert_eq!(event["pid"], 1, "{event}");
        assert!(event["name"].is_string(), "{event}");
        let track = || event["tid"].as_u64().unwrap_or_else(|| panic!("{event}"));
        match event["ph"].as_str().unwrap() {
            "M" => {
                if event["name"] == "thread_name" {
                    let name = event["args"]["name"].as_str().unwrap().to_owned();
                    assert!(names.insert(track(), name).is_none(), "named twice: {event}");
                }
            }
            "X" => {
                let (start, duration) = (ns(&event["ts"]), ns(&event["dur"]));
                assert!(start >= 0 && duration >= 0, "{event}");
                tracks.entry(names[&track()].clone()).or_default().push(Slice {
                    name: event["name"].as_str().unwrap().to_owned(),
                    category: event["cat"].as_str().unwrap().to_owned(),
                    frame: event["args"]["frame"].as_u64().unwrap(),
                    start,
                    end: start + duration,
                });
            }
            "C" => assert!(event["args"]["ms"].as_f64().unwrap() >= 0.0 && ns(&event["ts"]) >= 0),
            phase @ ("s" | "f") => {
                let begins = phase == "s";
                assert_eq!(event["bp"] == "e", !begins);
                let flow = flows.entry(event["id"].as_u64().unwrap()).or_insert((0, 0, 0));
                if begins {
                    flow.0 += 1
                } else {
                    flow.1 += 1
                }
                // Never back in time.
                flow.2 = if begins { ns(&event["ts"]) } else { ns(&event["ts"]) - flow.2 };
                assert!(flow.2 >= 0, "{event}");
            }
            other => panic!("{other}: {event}"),
        }
    }
    assert!(flows.values().all(|flow| (flow.0, flow.1) == (1, 1)));
    tracks
}

/// Slices of one track contain each other or do not touch.
fn assert_nested(name: &str, slices: &[Slice]) {
    let mut order: Vec<_> = slices.iter().collect();
    order.sort_by_key(|slice| (slice.start, std::cmp::Reverse(slice.end)));
    let mut open: Vec<&Slice> = Vec::new();
    for slice in order {
        while open.last().is_some_and(|outer| outer.end <= slice.start) {
            open.pop();
        }
        if let Some(outer) = open.last() {
            assert!(slice.end <= outer.end, "{name}: {slice:?} crosses {outer:?}");
        }
        open.push(slice);
    }
}

#[test]
fn the_trace_keeps_the_formats_rules() {
    // One build a capture: the worker cannot do them all at once.
    let mut frames = capture().frames;
    for frame in &mut frames[1..] {
        Arc::make_mut(frame).cpu.pop();
    }
    let capture = Capture::new(frames, true);
    let mut text = Vec::new();
    trace::write(&capture.frames, &capture.summary(&info()), &mut text).unwrap();
    let trace: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(trace["otherData"]["adapter"], "Tester");
    let tracks = slices(&trace);
    let names: BTreeSet<_> = tracks.keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["Frames", "main", "worker", "GPU", "GPU, overlapping"]));
    for (name, slices) in &tracks {
        assert_nested(name, slices);
    }
    assert_eq!(tracks["Frames"].len(), 20);
    assert_eq!(tracks["main"].len(), 60);
    // The trace begins with what began first.
    assert_eq!(tracks["worker"][0].start, 0);
    assert_eq!(tracks["Frames"][0].start, 40_000_000);
    let of_gpu: Vec<_> = tracks["GPU"].iter().chain(&tracks["GPU, overlapping"]).collect();
    assert_eq!(of_gpu.len(), 18 * 5);
    for slice in &of_gpu {
        let frame = of_gpu
            .iter()
            .find(|frame| frame.category == "frame" && frame.frame == slice.frame)
            .unwrap();
        assert!(frame.start <= slice.start && slice.end <= frame.end, "{slice:?} in {frame:?}");
        assert_eq!(frame.name, format!("frame {}", slice.frame));
    }
    let counters = trace["traceEvents"].as_array().unwrap();
    let count = |name: &str| counters.iter().filter(|event| event["name"] == name).count();
    assert_eq!((count("frame interval (ms)"), count("CPU (ms)"), count("GPU (ms)")), (20, 20, 18));
}

struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no room"));
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_noticed_wherever_it_ends() {
    let capture = capture();
    let summary = capture.summary(&info());
    type Fill<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;
    let fills: [Fill<'_>; 4] = [
        &|out| puffin::write(&capture.frames, out),
        &|out| trace::write(&capture.frames, &summary, out),
        &|out| table::write(&capture.frames, out),
        &|out| summary.write_json(out),
    ];
    for (index, fill) in fills.into_iter().enumerate() {
        let mut whole = Vec::new();
        fill(&mut whole).unwrap();
        // puffin's numbers of scopes, and so their bytes, differ from time to time.
        for room in [0, 1, whole.len() / 2, whole.len() - whole.len() / 10] {
            let error = fill(&mut Full(room)).expect_err("there is no room");
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{index}, {room}: {error}");
        }
        fill(&mut Full(2 * whole.len())).unwrap();
    }
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_folder_is_whole_or_not_there() {
    let (capture, info) = (capture(), info());
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("a/b");
    capture.write(&folder, &info).unwrap();
    let files = ["capture.puffin", "passes.csv", "summary.json", "summary.md", "trace.json"]
        .map(String::from);
    assert_eq!(names(&folder), BTreeSet::from(files.clone()));
    assert_eq!(names(&parent.path().join("a")), BTreeSet::from(["b".to_owned()]));

    // A folder that is there keeps what else it holds.
    fs::write(folder.join("notes"), "mine").unwrap();
    fs::write(folder.join("trace.json"), "old").unwrap();
    capture.write(&folder, &info).unwrap();
    assert_eq!(fs::read_to_string(folder.join("notes")).unwrap(), "mine");
    assert!(fs::metadata(folder.join("trace.json")).unwrap().len() > 1_000);
    assert_eq!(names(&folder).len(), 6);

    // Below a file there is no folder.
    let below = folder.join("notes/x");
    let error = capture.write(&below, &info).unwrap_err().to_string();
    assert!(error.contains(&below.display().to_string()), "{error}");
    let error = capture.write(&folder.join("notes"), &info).unwrap_err().to_string();
    assert!(error.contains("notes"), "{error}");
    assert_eq!(fs::read_to_string(folder.join("notes")).unwrap(), "mine");
    assert_eq!(names(&folder).len(), 6);

    // A file that cannot be put in place.
    let blocked = parent.path().join("blocked");
    fs::create_dir_all(blocked.join("trace.json/full")).unwrap();
    let error = capture.write(&blocked, &info).unwrap_err().to_string();
    assert!(error.contains("trace.json"), "{error}");
    // The summary comes last: without it, the folder is not whole.
    assert!(!blocked.join("summary.json").exists());
}
