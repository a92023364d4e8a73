use std::sync::Arc;

use super::History;
use crate::profile::{CpuScope, FrameTimes, GpuScope, GpuTimes};

pub(in crate::app) fn cpu(
    name: &str,
    thread: &str,
    depth: u32,
    start_ms: i64,
    end_ms: i64,
) -> CpuScope {
    CpuScope {
        name: name.into(),
        thread: thread.into(),
        start_ns: start_ms * 1_000_000,
        end_ns: end_ms * 1_000_000,
        depth,
    }
}

/// A pass or a stage.
pub(in crate::app) fn gpu(label: &str, depth: u32, start_ms: u64, end_ms: u64) -> GpuScope {
    GpuScope {
        label: label.into(),
        start_ns: start_ms * 1_000_000,
        end_ns: end_ms * 1_000_000,
        depth,
    }
}

pub(in crate::app) fn frame(frame: u64, cpu: Vec<CpuScope>, gpu: Vec<GpuScope>) -> Arc<FrameTimes> {
    Arc::new(FrameTimes {
        frame,
        begin_ns: frame as i64 * 16_000_000,
        interval_ns: 16_000_000,
        cpu,
        gpu: GpuTimes::Timed { start_ns: 1_000_000, scopes: gpu },
    })
}

/// Frames `numbers` as the window's are, each a little different.
pub(in crate::app) fn usual(numbers: std::ops::Range<u64>) -> History {
    let mut history = History::default();
    numbers.for_each(|number| history.push(usual_frame(number)));
    history
}

pub(in crate::app) fn usual_frame(number: u64) -> Arc<FrameTimes> {
    let late = (number % 7) as i64;
    let wait = number % 5;
    frame(
        number,
        vec![
            cpu("frame", "main", 0, 0, 9 + late),
            cpu("panels", "main", 1, 0, 3),
            cpu("encode", "main", 1, 3, 8 + late),
            cpu("ocean", "main", 2, 3, 5),
            cpu("light", "main", 2, 5, 8),
            cpu("submit", "main", 1, 8 + late, 9 + late),
        ],
        vec![
            gpu("ocean", 0, 0, 4),
            gpu("fft rows", 1, 0, 2),
            gpu("fft columns", 1, 2, 4),
            gpu("light", 0, 4, 9 + wait),
            gpu("tone map", 0, 9 + wait, 10 + wait),
        ],
    )
}

/// Frames that no device should produce.
pub(in crate::app) fn wild() -> History {
    let mut history = History::default();
    let extremes = [(0, u64::MAX), (1, 0), (u64::MAX / 4, 1), (0, 1), (u64::MAX, u64::MAX)];
    for (number, (start_ns, end_ns)) in (1..).zip(extremes) {
        let scopes = [0, 1, 9, u32::MAX].map(|depth| GpuScope {
            label: format!("a pass of a rather long name, {depth}").into(),
            start_ns,
            end_ns,
            depth,
        });
        let cpu = [0, 3, u32::MAX].map(|depth| CpuScope {
            name: "scope".into(),
            thread: format!("thread {depth}").into(),
            start_ns: -(start_ns.min(i64::MAX as u64) as i64),
            end_ns: end_ns.min(i64::MAX as u64) as i64,
            depth,
        });
        history.push(Arc::new(FrameTimes {
            frame: number,
            begin_ns: i64::MIN,
            interval_ns: end_ns,
            cpu: cpu.into(),
            gpu: match number {
                2 => GpuTimes::Lost,
                3 => GpuTimes::Untimed,
                _ => GpuTimes::Timed { start_ns, scopes: scopes.into() },
            },
        }));
    }
    history
}
