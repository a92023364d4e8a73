//! GPU time of passes and stages, by timestamp queries. Results come frames late and in ticks of the GPU's
//! own clock; [`GpuTimers::finished`] returns them as nanoseconds after the first tick of their frame.
//!
//! Frames share a query set and its buffers, a [`Batch`], and these rotate: once warm, timing a pass costs an
//! entry in a list and two queries, and the results of several frames are requested at once, which costs the
//! processor as much as those of one.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use super::cpu_scopes;
use super::marks::{Settler, UNMARKED_BY_THREADS_NS, UNMARKED_NS, drop_stages_that_do_not_add_up};
use crate::gpu::{Mark, ReadbackBuffer, Timestamps};

/// The timers of one device.
pub struct GpuTimers {
    device: wgpu::Device,
    queue: wgpu::Queue,
    splits_passes: bool,
    /// Used where marks within passes come late.
    settler: Option<Settler>,
    /// Stages have been left out, which was logged.
    dropped_stages: bool,
    /// The batch of the running frame.
    running: RefCell<Running>,
    /// Batches whose results are still to come, oldest first.
    pending: VecDeque<Batch>,
    free: Vec<Batch>,
    /// Frames with their results, oldest first.
    finished: VecDeque<GpuFrame>,
    /// Queries reserved for a frame: the most of any frame so far.
    queries_a_frame: u32,
}

/// GPU times of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuFrame {
    /// The number given to [`GpuTimers::end_frame`].
    pub frame: u64,
    /// Passes in the order of execution, each followed by the stages within it, unless their times do not add
    /// up to the pass's: then they are unknown.
    pub scopes: Vec<GpuScope>,
}

/// GPU time of one pass or stage.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuScope {
    /// The name of the pass or stage.
    pub label: Arc<str>,
    /// Nanoseconds from the start of the frame's first pass.
    pub start_ns: u64,
    /// The end in nanoseconds, counted as `start_ns`.
    pub end_ns: u64,
    /// 0 for a pass, 1 for a stage within one.
    pub depth: u32,
}

/// Room for the timestamps of several frames, one after the other.
struct Batch {
    timestamps: Timestamps,
    resolved: wgpu::Buffer,
    readback: ReadbackBuffer,
    spans: Vec<Span>,
    frames: Vec<FrameSpans>,
    /// Used queries: those of submitted frames are all written.
    used: u32,
}

struct FrameSpans {
    frame: u64,
    /// End of its spans, and begin of the next frame's.
    end: usize,
    queries_end: u32,
}

impl Batch {
    fn new(device: &wgpu::Device, queue: &wgpu::Queue, count: u32) -> Self {
        Self {
            timestamps: Timestamps::new(device, queue, "GpuTimers::queries", count),
            resolved: Timestamps::buffer(device, "GpuTimers::resolved", count),
            readback: ReadbackBuffer::new(device, "GpuTimers::readback", Timestamps::bytes(count)),
            spans: Vec::with_capacity(count as usize / 2),
            frames: Vec::with_capacity(GpuTimers::FRAMES_A_BATCH),
            used: 0,
        }
    }

    /// Discards everything of unsubmitted frames.
    fn rewind(&mut self) {
        let (spans, queries) =
            self.frames.last().map_or((0, 0), |last| (last.end, last.queries_end));
        self.spans.truncate(spans);
        self.used = queries;
    }

    /// The next `count` queries, if there are that many.
    fn take(&mut self, count: u32) -> Option<u32> {
        let begin = self.used;
        let end = begin.checked_add(count).filter(|end| *end <= self.timestamps.count())?;
        self.used = end;
        Some(begin)
    }

    /// Copies the results to the read-back buffer.
    fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        if self.used > 0 {
            self.timestamps.resolve(encoder, self.used, &self.resolved);
            let bytes = Timestamps::bytes(self.used);
            encoder.copy_buffer_to_buffer(&self.resolved, 0, self.readback.buffer(), 0, bytes);
        }
    }
}

struct Running {
    /// `None` if too many batches are pending.
    batch: Option<Batch>,
    /// Queries that the running frame has requested.
    asked: u32,
    /// The batch's results were requested with this frame's commands.
    is_resolved: bool,
}

/// A timed pass or stage.
struct Span {
    label: Arc<str>,
    depth: u32,
    /// The query of its begin, before that of its end; `None` if its stages give its times.
    query: Option<u32>,
}

impl GpuTimers {
    /// Most frames that request their results together.
    pub(super) const FRAMES_A_BATCH: usize = 8;

    /// More frames than a swap chain queues, and the batch that is being filled: none goes untimed.
    const MAX_PENDING_BATCHES: usize = 3;

    /// Queries of the first frame: two for each pass, one for each stage, and some to spare. wgpu walks all
    /// queries of a set for every render pass, so it has no more than it needs.
    const QUERIES_A_FRAME: u32 = 16;

    /// Timers for `device`, or `None` if it has no timestamps.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Self> {
        let features = device.features();
        features.contains(wgpu::Features::TIMESTAMP_QUERY).then(|| {
            let mut timers = Self {
                device: device.clone(),
                queue: queue.clone(),
                splits_passes: !features.contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES),
                settler: Settler::for_device(device),
                dropped_stages: false,
                running: RefCell::new(Running { batch: None, asked: 0, is_resolved: false }),
                pending: VecDeque::with_capacity(Self::MAX_PENDING_BATCHES),
                free: Vec::with_capacity(Self::MAX_PENDING_BATCHES + 1),
                finished: VecDeque::new(),
                queries_a_frame: Self::QUERIES_A_FRAME,
            };
            timers.refill();
            timers
        })
    }

    /// Whether times of stages did not add up to their pass's and were left out.
    pub(crate) fn has_dropped_stages(&self) -> bool {
        self.dropped_stages
    }

    /// Whether stages can be timed only as separate passes.
    pub(super) fn splits_passes(&self) -> bool {
        self.splits_passes
    }

    /// To be called after a stage has begun: its later commands leave the marks before it as they are.
    pub(super) fn settle(&self, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(settler) = &self.settler {
            settler.encode(pass);
        }
    }

    /// Times a pass (depth 0), or a stage that is a separate pass (1). `None` if this frame has no room for
    /// it; the next one will.
    pub(super) fn mark(&self, label: &str, depth: u32) -> Option<Mark> {
        let mut running = self.running.borrow_mut();
        running.asked += 2;
        let batch = running.batch.as_mut()?;
        let begin = batch.take(2)?;
        batch.spans.push(Span { label: cpu_scopes::label(label), depth, query: Some(begin) });
        Some(batch.timestamps.mark(begin))
    }

    /// Times a stage within the last pass. One that follows `before` begins with the mark that ended that
    /// stage: nothing comes between. `None` as for [`GpuTimers::mark`].
    pub(super) fn mark_stage(&self, label: &str, before: Option<Mark>) -> Option<Mark> {
        let mut running = self.running.borrow_mut();
        let count = if before.is_some() { 1 } else { 2 };
        running.asked += count;
        let batch = running.batch.as_mut()?;
        let first = batch.take(count)?;
        let begin = before.map_or(first, |before| before.begin + 1);
        batch.spans.push(Span { label: cpu_scopes::label(label), depth: 1, query: Some(begin) });
        Some(batch.timestamps.mark(begin))
    }

    /// Begins a pass that is split into passes, one for each of its stages.
    pub(super) fn split(&self, label: &str) {
        if let Some(batch) = &mut self.running.borrow_mut().batch {
            let label = cpu_scopes::label(label);
            batch.spans.push(Span { label, depth: 0, query: None });
        }
    }

    /// Begins a frame: commands recorded since the last submission were dropped, and their timestamps will
    /// never be written.
    pub fn begin_frame(&mut self) {
        let running = self.running.get_mut();
        running.asked = 0;
        if let Some(batch) = &mut running.batch {
            batch.rewind();
        }
    }

    /// To be called once a frame, after its last pass: `encoder` is to be submitted. Requests the results of
    /// this frame and those before it if `now` is set, or if the next one would find no room; returns whether
    /// it did.
    pub fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder, now: bool) -> bool {
        let running = self.running.get_mut();
        let asked = std::mem::take(&mut running.asked);
        self.queries_a_frame = self.queries_a_frame.max(asked);
        let Some(batch) = &mut running.batch else { return false };
        running.is_resolved = now
            || batch.frames.len() + 1 >= Self::FRAMES_A_BATCH
            || batch.used + self.queries_a_frame > batch.timestamps.count();
        if running.is_resolved {
            batch.resolve(encoder);
        }
        running.is_resolved
    }

    /// Ends frame number `frame`, after its submission. If too many frames are pending, its results will not
    /// come.
    pub fn end_frame(&mut self, frame: u64) {
        let running = self.running.get_mut();
        if let Some(batch) = &mut running.batch {
            let (end, queries_end) = (batch.spans.len(), batch.used);
            batch.frames.push(FrameSpans { frame, end, queries_end });
        }
        if std::mem::take(&mut running.is_resolved)
            && let Some(batch) = running.batch.take()
        {
            batch.readback.map();
            self.pending.push_back(batch);
        }
        self.refill();
    }

    /// Requests the results of all frames that have been submitted.
    pub fn flush(&mut self) {
        self.begin_frame();
        let running = self.running.get_mut();
        if let Some(batch) = running.batch.take_if(|batch| !batch.frames.is_empty()) {
            let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("GpuTimers::flush"),
            });
            batch.resolve(&mut encoder);
            self.queue.submit([encoder.finish()]);
            batch.readback.map();
            self.pending.push_back(batch);
            self.refill();
        }
    }

    /// Queries for the running frame, if there may be more.
    fn refill(&mut self) {
        let count = self.queries_a_batch();
        let running = self.running.get_mut();
        if running.batch.is_none() {
            running.batch = self.free.pop();
        }
        if running.batch.is_none() && self.pending.len() < Self::MAX_PENDING_BATCHES {
            running.batch = Some(Batch::new(&self.device, &self.queue, count));
        }
    }

    fn queries_a_batch(&self) -> u32 {
        // In steps, so that one pass more makes no new sets.
        let a_frame = self.queries_a_frame.next_multiple_of(8);
        a_frame.saturating_mul(Self::FRAMES_A_BATCH as u32).min(wgpu::QUERY_SET_MAX_QUERIES)
    }

    /// Returns the oldest frame whose results are back, if any. The device must have been polled.
    pub fn finished(&mut self) -> Option<GpuFrame> {
        while self.finished.is_empty() {
            if self.pending.front()?.readback.is_pending() {
                return None;
            }
            let mut batch = self.pending.pop_front()?;
            let read = batch.readback.read(|timestamps| self.read(&batch, timestamps));
            // A batch that failed, or has become too small, is not used again.
            if matches!(read, Some(Ok(()))) && batch.timestamps.count() >= self.queries_a_batch() {
                batch.spans.clear();
                batch.frames.clear();
                batch.used = 0;
                self.free.push(batch);
            }
            self.refill();
        }
        self.finished.pop_front()
    }

    fn read(&mut self, batch: &Batch, timestamps: &[u8]) {
        let mut begin = 0;
        for &FrameSpans { frame, end, .. } in &batch.frames {
            let mut scopes = scopes(&batch.spans[begin..end], timestamps, |from, to| {
                batch.timestamps.between_ns(from, to)
            });
            self.judge(&mut scopes);
            self.finished.push_back(GpuFrame { frame, scopes });
            begin = end;
        }
    }

    /// Drops stages with inconsistent times.
    fn judge(&mut self, scopes: &mut Vec<GpuScope>) {
        if self.splits_passes {
            return;
        }
        let unmarked_ns = if self.settler.is_some() { UNMARKED_BY_THREADS_NS } else { UNMARKED_NS };
        let measured = scopes.len();
        drop_stages_that_do_not_add_up(scopes, unmarked_ns);
        if scopes.len() < measured && !std::mem::replace(&mut self.dropped_stages, true) {
            log::warn!(
                "GPU times of some stages do not add up to the time of their pass and are not shown"
            );
        }
    }
}

/// Times of `spans`, those of one frame, from its batch's `timestamps`: ticks, each eight bytes.
fn scopes(
    spans: &[Span],
    timestamps: &[u8],
    between_ns: impl Fn(u64, u64) -> f64,
) -> Vec<GpuScope> {
    let tick = |query: u32| Timestamps::tick(timestamps, query);
    let begins = spans.iter().filter_map(|span| span.query).map(tick);
    let origin = begins.min().unwrap_or(0);
    let ns = |tick: u64| between_ns(origin, tick).round() as u64;
    let mut scopes: Vec<GpuScope> = Vec::with_capacity(spans.len());
    // The pass that its stages are still to fill.
    let mut split: Option<usize> = None;
    for span in spans {
        let label = Arc::clone(&span.label);
        let (start_ns, end_ns) = match span.query {
            Some(query) => (ns(tick(query)), ns(tick(query + 1))),
            None => (u64::MAX, 0),
        };
        match split {
            Some(pass) if span.depth > 0 => {
                let pass = &mut scopes[pass];
                pass.start_ns = pass.start_ns.min(start_ns);
                pass.end_ns = pass.end_ns.max(end_ns);
            }
            _ => split = span.query.is_none().then_some(scopes.len()),
        }
        scopes.push(GpuScope { label, start_ns, end_ns, depth: span.depth });
    }
    // A pass without stages took no time, at an unknown moment.
    scopes.retain(|scope| scope.start_ns < u64::MAX);
    scopes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(label: &str, depth: u32, query: Option<u32>) -> Span {
        Span { label: label.into(), depth, query }
    }

    fn times(spans: &[Span], ticks: &[u64], period_ns: f64) -> Vec<(String, u32, u64, u64)> {
        let bytes: Vec<u8> = ticks.iter().flat_map(|tick| tick.to_le_bytes()).collect();
        scopes(spans, &bytes, |from, to| (to - from) as f64 * period_ns)
            .iter()
            .map(|scope| (scope.label.to_string(), scope.depth, scope.start_ns, scope.end_ns))
            .collect()
    }

    fn is(label: &str, depth: u32, start_ns: u64, end_ns: u64) -> (String, u32, u64, u64) {
        (label.to_owned(), depth, start_ns, end_ns)
    }

    #[test]
    fn ticks_become_nanoseconds_without_loss() {
        // NVIDIA counts from 1970: a double of as many nanoseconds is exact to 256.
        let at = 1_790_000_000_123_456_789;
        let spans = [span("ocean", 0, Some(0)), span("rows", 1, Some(2)), span("sky", 0, Some(4))];
        let ticks = [0, 1_001, 32, 999, 1_002, 1_003].map(|ns| at + ns);
        let expected =
            [is("ocean", 0, 0, 1_001), is("rows", 1, 32, 999), is("sky", 0, 1_002, 1_003)];
        assert_eq!(times(&spans, &ticks, 1.0), expected);
        let doubled: Vec<_> = expected
            .iter()
            .map(|(label, depth, start, end)| is(label, *depth, 2 * start, 2 * end))
            .collect();
        assert_eq!(times(&spans, &ticks, 2.0), doubled);
    }

    #[test]
    fn a_split_pass_is_what_its_stages_are() {
        let spans = [
            span("ocean", 0, None),
            span("rows", 1, Some(0)),
            span("columns", 1, Some(2)),
            span("empty", 0, None),
            span("water", 0, Some(4)),
        ];
        assert_eq!(
            times(&spans, &[100, 110, 120, 150, 160, 170], 1.0),
            [
                is("ocean", 0, 0, 50),
                is("rows", 1, 0, 10),
                is("columns", 1, 20, 50),
                is("water", 0, 60, 70)
            ]
        );
        assert_eq!(times(&[], &[], 1.0), []);
    }
}
