//! Frames in puffin's form, for its live server and its files.
//!
//! puffin takes a frame's range over all of its streams, and its clock is the Unix clock, while GPU results
//! come frames late and count ticks of another clock. So complete frames, whose GPU half has been moved to
//! the time of its submission, are replayed into a second [`puffin::GlobalProfiler`], whose frames the live
//! server receives.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

use puffin::{FrameData, GlobalProfiler, NanoSecond, ScopeId, Stream, StreamInfo, ThreadInfo};

use super::cpu_scopes::Names;
use super::{FrameTimes, GpuTimes};
use crate::platform::lock;

/// The profiler of complete frames. A static, because puffin's server installs its sink by a function
/// pointer.
pub(super) fn whole_frames() -> MutexGuard<'static, GlobalProfiler> {
    static WHOLE_FRAMES: LazyLock<Mutex<GlobalProfiler>> = LazyLock::new(Mutex::default);
    lock(&WHOLE_FRAMES)
}

#[derive(Default)]
pub(super) struct Replay {
    /// The numbers of scopes in that profiler.
    ids: HashMap<Arc<str>, ScopeId>,
    /// Threads in the order of their first scopes.
    threads: HashMap<Arc<str>, ThreadInfo>,
}

impl Replay {
    /// The GPU's track among the threads.
    pub(super) const GPU: &str = "GPU";

    /// Sends `frame` to the sinks of `profiler`.
    pub(super) fn play(&mut self, profiler: &mut GlobalProfiler, frame: &FrameTimes) {
        let cpu = frame.cpu.chunk_by(|one, next| one.thread == next.thread);
        for scopes in cpu {
            let thread = &scopes[0].thread;
            let began_ns = frame.begin_ns + scopes[0].start_ns;
            let info = self.thread(thread, || began_ns);
            let stream = stream(scopes.iter().map(|scope| {
                let id = self.id(profiler, &scope.name);
                (id, frame.begin_ns + scope.start_ns, frame.begin_ns + scope.end_ns, scope.depth)
            }));
            profiler.report_user_scopes(info, &stream.as_stream_into_ref());
        }
        if let GpuTimes::Timed { start_ns, scopes } = &frame.gpu {
            let origin_ns = frame.begin_ns.saturating_add_unsigned(*start_ns);
            let at = |ns: u64| origin_ns.saturating_add_unsigned(ns);
            // Sorts the stream after the threads that issue its work.
            let info = self.thread(&Self::GPU.into(), || NanoSecond::MAX);
            let stream = stream(scopes.iter().map(|scope| {
                let id = self.id(profiler, &scope.label);
                (id, at(scope.start_ns), at(scope.end_ns), scope.depth)
            }));
            profiler.report_user_scopes(info, &stream.as_stream_into_ref());
        }
        profiler.new_frame();
    }

    fn id(&mut self, profiler: &mut GlobalProfiler, name: &Arc<str>) -> ScopeId {
        *self.ids.entry(Arc::clone(name)).or_insert_with(|| {
            let details = Names::lock().details(name);
            profiler.register_user_scopes(&[details])[0]
        })
    }

    fn thread(&mut self, name: &Arc<str>, began_ns: impl FnOnce() -> NanoSecond) -> ThreadInfo {
        let info = self.threads.entry(Arc::clone(name)).or_insert_with(|| ThreadInfo {
            start_time_ns: Some(began_ns()),
            name: name.as_ref().to_owned(),
        });
        info.clone()
    }
}

/// A puffin stream of scopes (id, start, end, depth), each followed by those within it.
fn stream(scopes: impl Iterator<Item = (ScopeId, NanoSecond, NanoSecond, u32)>) -> StreamInfo {
    let mut info = StreamInfo::default();
    let mut stream = Stream::default();
    // Offset and end of the scopes that are still open.
    let mut open: Vec<(usize, NanoSecond)> = Vec::new();
    for (id, start_ns, end_ns, depth) in scopes {
        while open.len() > depth as usize {
            let (offset, end_ns) = open.pop().expect("longer than the depth");
            stream.end_scope(offset, end_ns);
        }
        let end_ns = end_ns.max(start_ns);
        let (offset, _) = stream.begin_scope(|| start_ns, id, "");
        open.push((offset, end_ns));
        info.num_scopes += 1;
        info.depth = info.depth.max(open.len());
        info.range_ns = (info.range_ns.0.min(start_ns), info.range_ns.1.max(end_ns));
    }
    while let Some((offset, end_ns)) = open.pop() {
        stream.end_scope(offset, end_ns);
    }
    info.stream = stream;
    info
}

#[derive(Clone, Default)]
pub(super) struct Inbox(Arc<Mutex<Vec<Arc<FrameData>>>>);

impl Inbox {
    pub(super) fn sink(&self) -> puffin::FrameSink {
        let inbox = self.clone();
        Box::new(move |frame| inbox.lock().push(frame))
    }

    pub(super) fn take(&self) -> Vec<Arc<FrameData>> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<FrameData>>> {
        lock(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{CpuScope, GpuScope};

    #[test]
    fn scopes_keep_their_order_nesting_and_times() {
        let pass = |label: &str, start_ns, end_ns, depth| GpuScope {
            label: label.into(),
            start_ns,
            end_ns,
            depth,
        };
        let scope = |name: &str, thread: &str, start_ns, end_ns, depth| CpuScope {
            name: name.into(),
            thread: thread.into(),
            start_ns,
            end_ns,
            depth,
        };
        let frame = FrameTimes {
            frame: 7,
            begin_ns: 1_000,
            interval_ns: 500,
            cpu: vec![
                scope("record", "main", 5, 90, 0),
                scope("encode", "main", 10, 20, 1),
                scope("pass", "main", 12, 14, 2),
                scope("submit", "main", 30, 80, 1),
                scope("build", "worker", -900, 100, 0),
            ],
            gpu: GpuTimes::Timed {
                start_ns: 200,
                scopes: vec![
                    pass("ocean", 0, 90, 0),
                    pass("rows", 10, 40, 1),
                    pass("columns", 40, 80, 1),
                    pass("water", 100, 300, 0),
                ],
            },
        };
        let (inbox, mut profiler) = (Inbox::default(), GlobalProfiler::default());
        profiler.add_sink(inbox.sink());
        Replay::default().play(&mut profiler, &frame);
        let played = inbox.take().pop().unwrap();
        assert_eq!(played.range_ns(), (100, 1_500));
        assert_eq!(played.meta().num_scopes, 9);
        // puffin's own reader agrees on what is in the streams.
        let streams = played.unpacked().unwrap();
        for (info, stream) in &streams.thread_streams {
            let parsed = StreamInfo::parse(stream.stream.clone()).unwrap();
            assert_eq!(
                (parsed.num_scopes, parsed.depth, parsed.range_ns),
                (stream.num_scopes, stream.depth, stream.range_ns),
                "{info:?}"
            );
        }
        let threads: Vec<&str> =
            streams.thread_streams.keys().map(|info| info.name.as_str()).collect();
        assert_eq!(threads, ["worker", "main", "GPU"]);

        let read = super::super::cpu_scopes::StreamReader::default().read(&played, frame.begin_ns);
        let of_cpu = |thread: &str| -> Vec<CpuScope> {
            read.iter().filter(|scope| &*scope.thread == thread).cloned().collect()
        };
        assert_eq!([of_cpu("main"), of_cpu("worker")].concat(), frame.cpu);
        let gpu: Vec<_> = of_cpu("GPU")
            .iter()
            .map(|scope| (scope.name.to_string(), scope.start_ns, scope.end_ns, scope.depth))
            .collect();
        let named = |name: &str, start, end, depth| (name.to_owned(), start, end, depth);
        assert_eq!(
            gpu,
            [
                named("ocean", 200, 290, 0),
                named("rows", 210, 240, 1),
                named("columns", 240, 280, 1),
                named("water", 300, 500, 0)
            ]
        );
    }
}
