//! The two halves of a frame in one: processor scopes from puffin, GPU passes from
//! [`GpuTimers`](super::GpuTimers).
//!
//! puffin takes a frame's range over all of its streams, and its clock is the Unix clock, while
//! GPU results come frames late and count ticks of another clock. So a frame is held until its
//! GPU half is back, the GPU half is moved to the time of its submission, and both are replayed
//! into a second [`puffin::GlobalProfiler`], whose frames captures and the live server receive.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use puffin::{
    FrameData, FrameSinkId, GlobalProfiler, NanoSecond, ScopeDetails, ScopeId, Stream, StreamInfo,
    ThreadInfo,
};

use super::GpuFrame;

/// The profiler that whole frames go to. A static, because puffin's server installs its sink by a
/// function pointer.
pub(super) fn whole_frames() -> MutexGuard<'static, GlobalProfiler> {
    static WHOLE_FRAMES: LazyLock<Mutex<GlobalProfiler>> = LazyLock::new(Mutex::default);
    WHOLE_FRAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Replays both halves of frames into [`whole_frames`].
pub(super) struct Joiner {
    /// Ids of GPU scopes by label; labels are few and do not change.
    scope_ids: BTreeMap<String, ScopeId>,
    gpu_thread: ThreadInfo,
    /// End of the last GPU frame, on puffin's clock.
    gpu_end_ns: NanoSecond,
    joined: Inbox,
    sink: FrameSinkId,
}

/// A frame with what is known of it.
pub(super) struct Whole {
    /// None where the frame held no scope at all.
    pub(super) frame: Option<Arc<FrameData>>,
    /// GPU passes are in it.
    pub(super) has_gpu: bool,
}

impl Joiner {
    pub(super) fn new() -> Self {
        let joined = Inbox::default();
        let sink = whole_frames().add_sink(joined.sink());
        Self {
            scope_ids: BTreeMap::new(),
            gpu_thread: ThreadInfo {
                // Sorts the stream after the threads that issue its work.
                start_time_ns: Some(NanoSecond::MAX),
                name: "GPU".to_owned(),
            },
            gpu_end_ns: NanoSecond::MIN,
            joined,
            sink,
        }
    }

    /// Makes one frame of its processor scopes and of its GPU passes, which were submitted at
    /// `submitted_ns` on puffin's clock, and sends it to the live sinks. `first_of_file`: it
    /// must name every scope there is, not only the new ones.
    pub(super) fn join(
        &mut self,
        cpu: Option<&FrameData>,
        gpu: Option<(&GpuFrame, NanoSecond)>,
        first_of_file: bool,
    ) -> Whole {
        let mut whole = whole_frames();
        if first_of_file {
            whole.emit_scope_snapshot();
        }
        if let Some(cpu) = cpu
            && let Ok(unpacked) = cpu.unpacked()
        {
            let mut new_scopes: Vec<ScopeDetails> =
                cpu.scope_delta.iter().map(|details| ScopeDetails::clone(details)).collect();
            for (thread, stream) in &unpacked.thread_streams {
                whole.report(thread.clone(), &new_scopes, &stream.as_stream_into_ref());
                new_scopes.clear();
            }
        }
        let mut has_gpu = false;
        if let Some((gpu, submitted_ns)) = gpu
            && !gpu.scopes.is_empty()
        {
            // The queue runs one submission after the other.
            let origin_ns = submitted_ns.max(self.gpu_end_ns);
            let info = gpu_stream(gpu, origin_ns, |label| {
                *self.scope_ids.entry(label.to_owned()).or_insert_with(|| {
                    let details = ScopeDetails::from_scope_name(label.to_owned());
                    whole.register_user_scopes(&[details])[0]
                })
            });
            self.gpu_end_ns = info.range_ns.1;
            whole.report_user_scopes(self.gpu_thread.clone(), &info.as_stream_into_ref());
            has_gpu = true;
        }
        whole.new_frame();
        drop(whole);
        Whole { frame: self.joined.take().pop(), has_gpu }
    }
}

impl Drop for Joiner {
    fn drop(&mut self) {
        whole_frames().remove_sink(self.sink);
    }
}

/// `gpu` as a puffin stream whose first tick is at `origin_ns`.
fn gpu_stream(
    gpu: &GpuFrame,
    origin_ns: NanoSecond,
    mut scope_id: impl FnMut(&str) -> ScopeId,
) -> StreamInfo {
    let at = |ns: u64| origin_ns.saturating_add_unsigned(ns);
    let mut info = StreamInfo::default();
    let mut stream = Stream::default();
    // Offset and end of the scopes that are still open.
    let mut open: Vec<(usize, NanoSecond)> = Vec::new();
    for scope in &gpu.scopes {
        while open.len() > scope.depth as usize {
            let (offset, end_ns) = open.pop().expect("longer than the depth");
            stream.end_scope(offset, end_ns);
        }
        let (start_ns, end_ns) = (at(scope.start_ns), at(scope.end_ns.max(scope.start_ns)));
        let (offset, _) = stream.begin_scope(|| start_ns, scope_id(&scope.label), "");
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

/// Frames that arrive at a puffin sink.
#[derive(Clone, Default)]
pub(super) struct Inbox(Arc<Mutex<Vec<Arc<FrameData>>>>);

impl Inbox {
    /// A sink that fills this inbox.
    pub(super) fn sink(&self) -> puffin::FrameSink {
        let inbox = self.clone();
        Box::new(move |frame| inbox.lock().push(frame))
    }

    /// Takes what has arrived.
    pub(super) fn take(&self) -> Vec<Arc<FrameData>> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<FrameData>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::GpuScope;

    #[test]
    fn gpu_passes_keep_their_order_nesting_and_times() {
        let scope = |label: &str, start_ns, end_ns, depth| GpuScope {
            label: label.to_owned(),
            start_ns,
            end_ns,
            depth,
        };
        let gpu = GpuFrame {
            frame: 7,
            scopes: vec![
                scope("ocean", 0, 90, 0),
                scope("rows", 10, 40, 1),
                scope("columns", 40, 80, 1),
                scope("water", 100, 300, 0),
            ],
        };
        let labels = ["ocean", "rows", "columns", "water"];
        let ids = labels.map(|label| ScopeDetails::from_scope_name(format!("test {label}")));
        let ids = GlobalProfiler::default().register_user_scopes(&ids);
        let info = gpu_stream(&gpu, 1_000, |label| {
            ids[labels.iter().position(|known| *known == label).unwrap()]
        });
        assert_eq!((info.num_scopes, info.depth, info.range_ns), (4, 2, (1_000, 1_300)));
        let parsed = StreamInfo::parse(info.stream.clone()).unwrap();
        assert_eq!((parsed.num_scopes, parsed.depth, parsed.range_ns), (4, 2, (1_000, 1_300)));
        let top = puffin::Reader::from_start(&info.stream).read_top_scopes().unwrap();
        assert_eq!(top.iter().map(|scope| scope.id).collect::<Vec<_>>(), [ids[0], ids[3]]);
        let nested = puffin::Reader::with_offset(&info.stream, top[0].child_begin_position)
            .unwrap()
            .read_top_scopes()
            .unwrap();
        assert_eq!(nested.iter().map(|scope| scope.id).collect::<Vec<_>>(), [ids[1], ids[2]]);
        assert_eq!((nested[1].record.start_ns, nested[1].record.stop_ns()), (1_040, 1_080));
    }
}
