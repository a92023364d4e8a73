use super::handmade::{cpu, frame, gpu};
use super::*;
use crate::profile::GpuScope;

fn names(history: &History, side: Side) -> Vec<String> {
    let lanes = history.lanes().iter().filter(|lane| lane.side == side);
    lanes
        .map(|lane| format!("{}{}#{}", ">".repeat(lane.depth as usize), lane.name, lane.occurrence))
        .collect()
}

#[test]
fn the_newest_thousand_frames_are_kept() {
    let mut history = History::default();
    assert_eq!((history.len(), history.last(60)), (0, 0..0));
    for number in 1..=1_500 {
        history.push(frame(number, vec![], vec![gpu("ocean", 0, 0, number)]));
    }
    assert_eq!(history.len(), History::LEN);
    let numbers: Vec<u64> = history.frames().iter().map(|frame| frame.frame).collect();
    assert_eq!((numbers[0], numbers[999]), (501, 1_500));
    assert!(numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]));
    let lane = &history.lanes()[0];
    for index in [0, 1, 500, 999] {
        assert_eq!(lane.total_ms.get(index), Some(numbers[index] as f32));
        assert_eq!(history.index_of(numbers[index]), Some(index));
    }
    assert_eq!((history.index_of(500), lane.total_ms.get(1_000)), (None, None));
    assert_eq!(history.last(240), 760..1_000);
    assert_eq!(history.version(), 1_500);
}

#[test]
fn own_times_add_up_to_the_total() {
    let mut history = History::default();
    history.push(frame(
        1,
        vec![
            cpu("spectrum", "background", 0, 0, 16),
            cpu("frame", "main", 0, 0, 9),
            cpu("panels", "main", 1, 1, 3),
            cpu("encode", "main", 1, 3, 8),
            cpu("ocean", "main", 2, 4, 5),
            cpu("sky", "main", 2, 5, 7),
        ],
        vec![
            gpu("ocean", 0, 0, 6),
            gpu("rows", 1, 1, 3),
            gpu("columns", 1, 3, 6),
            gpu("water", 0, 6, 10),
        ],
    ));
    let own = |side| -> Vec<(String, f32)> {
        let lanes = history.stacked(side);
        lanes.map(|lane| (lane.name.to_string(), lane.own_ms.get(0).unwrap())).collect()
    };
    let named = |of: &[(&str, f32)]| -> Vec<(String, f32)> {
        of.iter().map(|(name, ms)| ((*name).to_owned(), *ms)).collect()
    };
    // Another thread's work is no part of the frame's.
    let expected = [("frame", 2.0), ("panels", 2.0), ("encode", 2.0), ("ocean", 1.0), ("sky", 2.0)];
    assert_eq!(own(Side::Cpu), named(&expected));
    let expected = [("ocean", 1.0), ("rows", 2.0), ("columns", 3.0), ("water", 4.0)];
    assert_eq!(own(Side::Gpu), named(&expected));
    for (side, total) in [(Side::Cpu, &history.cpu_ms), (Side::Gpu, &history.gpu_ms)] {
        let sum: f32 = own(side).iter().map(|(_, ms)| ms).sum();
        assert_eq!(Some(sum), total.get(0));
    }
    assert_eq!(history.lane(Side::Gpu, "rows", "", 1, 0).unwrap().total_ms.get(0), Some(2.0));
}

#[test]
fn lanes_are_told_apart_and_keep_order_and_colour() {
    let mut history = History::default();
    let passes = |names: &[&str]| -> Vec<GpuScope> {
        let each = names.iter().enumerate();
        each.map(|(index, name)| gpu(name, 0, index as u64, index as u64 + 1)).collect()
    };
    history.push(frame(1, vec![], passes(&["ocean", "water", "tone"])));
    let colours = |history: &History| -> Vec<(String, usize)> {
        let lanes = history.lanes().iter();
        lanes.map(|lane| (format!("{}{}", lane.name, lane.occurrence), lane.colour)).collect()
    };
    let first = colours(&history);
    history.push(frame(2, vec![], passes(&["ocean", "sky", "water", "tone", "tone"])));
    assert_eq!(names(&history, Side::Gpu), ["ocean#0", "sky#0", "water#0", "tone#0", "tone#1"]);
    for of in first {
        assert!(colours(&history).contains(&of), "{of:?}");
    }
    let distinct: std::collections::BTreeSet<usize> =
        colours(&history).into_iter().map(|(_, colour)| colour).collect();
    assert_eq!(distinct.len(), 5);
    // A name at another depth or on the other side is another lane.
    history.push(frame(
        3,
        vec![cpu("ocean", "main", 0, 0, 1)],
        vec![gpu("ocean", 0, 0, 4), gpu("ocean", 1, 0, 2)],
    ));
    assert_eq!(history.lanes().iter().filter(|lane| &*lane.name == "ocean").count(), 3);
    assert_eq!(history.lane(Side::Gpu, "sky", "", 0, 0).unwrap().total_ms.get(2), None);

    // Lanes without a time in all kept frames are dropped, and the others stay as they were.
    let before = history.lane(Side::Gpu, "water", "", 0, 0).unwrap().colour;
    for number in 4..1_100 {
        history.push(frame(number, vec![], passes(&["water", "foam"])));
    }
    assert_eq!(names(&history, Side::Gpu), ["water#0", "foam#0"]);
    assert_eq!(history.lane(Side::Gpu, "water", "", 0, 0).unwrap().colour, before);
}

#[test]
fn nothing_grows_without_bound() {
    let mut history = History::default();
    for number in 1..50 {
        let scopes = (0..5_000).map(|index| cpu("tile", "worker", 1, index, index + 1)).collect();
        history.push(frame(number, scopes, vec![]));
    }
    assert_eq!(history.lanes().len(), History::MAX_LANES);
}

#[test]
fn broken_frames_are_taken_as_they_come() {
    let mut history = History::default();
    let mut wild = FrameTimes::clone(&frame(
        1,
        vec![cpu("late", "main", 40, 9, 1), cpu("deep", "main", 900, 0, i64::MAX / 2_000_000)],
        vec![gpu("backwards", 3, 8, 2)],
    ));
    wild.interval_ns = u64::MAX;
    history.push(Arc::new(wild));
    assert!(history.lanes().iter().all(|lane| lane.own_ms.or_zero(0) >= 0.0));
    history.push(Arc::new(FrameTimes {
        gpu: GpuTimes::Lost,
        ..FrameTimes::clone(&frame(2, vec![], vec![]))
    }));
    assert_eq!((history.gpu_ms.get(1), history.cpu_ms.get(1)), (None, None));
    assert_eq!(history.lost_gpu_frames(0..2), 1);
}

#[test]
fn after_a_long_gap_the_past_begins_anew() {
    let mut history = History::default();
    history.push(frame(1, vec![], vec![]));
    history.push(frame(60, vec![], vec![]));
    assert_eq!(history.len(), 2);
    history.push(frame(1_000, vec![], vec![]));
    assert_eq!(history.len(), 1);
}
