//! GPU time of passes and stages, by timestamp queries. Results come frames late and in ticks of
//! the GPU's own clock; [`GpuTimers::finished`] gives them as nanoseconds after the first tick of
//! their frame.
//!
//! Each frame has a query set and buffers of its own, which go round: once warm, timing a pass is
//! an entry in a list and two queries, and a frame's results are read at once. The differences
//! are taken of whole ticks: NVIDIA counts nanoseconds since 1970, of which a double in seconds
//! keeps every 238th.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::cpu_scopes;
use super::marks::{Settler, UNMARKED_BY_THREADS_NS, UNMARKED_NS, drop_stages_that_do_not_add_up};

/// The timers of one device.
pub struct GpuTimers {
    device: wgpu::Device,
    timestamp_period_ns: f64,
    splits_passes: bool,
    /// Where marks come late by themselves.
    settler: Option<Settler>,
    /// Stages have been left out, which was said.
    dropped_stages: bool,
    /// What the running frame has timed so far.
    running: RefCell<Running>,
    /// Submitted frames whose results are still to come, oldest first.
    pending: VecDeque<Pending>,
    free: Vec<Queries>,
    /// Queries of new sets: as many as a frame has ever asked for.
    capacity: u32,
}

/// GPU times of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuFrame {
    /// The number given to [`GpuTimers::end_frame`].
    pub frame: u64,
    /// Passes in the order of execution, each followed by the stages within it, unless their times
    /// do not add up to the pass's: then they are not known.
    pub scopes: Vec<GpuScope>,
}

/// GPU time of one pass or stage.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuScope {
    /// The pass's or stage's name.
    pub label: Arc<str>,
    /// Nanoseconds from the start of the frame's first pass.
    pub start_ns: u64,
    /// As `start_ns`.
    pub end_ns: u64,
    /// 0 for a pass, 1 for a stage within one.
    pub depth: u32,
}

/// Room for the timestamps of one frame.
struct Queries {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
    count: u32,
    spans: Vec<Span>,
    state: Arc<AtomicU8>,
}

const AWAITED: u8 = 0;
const READABLE: u8 = 1;
const FAILED: u8 = 2;

impl Queries {
    fn new(device: &wgpu::Device, count: u32) -> Self {
        let buffer = |label, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: u64::from(count * wgpu::QUERY_SIZE),
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            set: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("GpuTimers::queries"),
                ty: wgpu::QueryType::Timestamp,
                count,
            }),
            resolved: buffer(
                "GpuTimers::resolved",
                wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            ),
            read: buffer(
                "GpuTimers::read",
                wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            ),
            count,
            spans: Vec::with_capacity(count as usize / 2),
            state: Arc::new(AtomicU8::new(AWAITED)),
        }
    }
}

struct Running {
    /// None where too many frames are pending.
    queries: Option<Queries>,
    /// Queries that the frame has asked for.
    asked: u32,
}

struct Pending {
    frame: u64,
    queries: Queries,
    /// How many of the queries were used.
    used: u32,
}

/// A pass or stage that is timed.
struct Span {
    label: Arc<str>,
    depth: u32,
    /// The query of its begin, before that of its end; None where it is what its stages are.
    query: Option<u32>,
}

/// Where a pass or stage is to leave its timestamps.
pub(super) struct Mark {
    set: wgpu::QuerySet,
    begin: u32,
}

impl Mark {
    pub(super) fn compute_writes(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(self.begin),
            end_of_pass_write_index: Some(self.begin + 1),
        }
    }

    pub(super) fn render_writes(&self) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(self.begin),
            end_of_pass_write_index: Some(self.begin + 1),
        }
    }

    pub(super) fn begin(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.write_timestamp(&self.set, self.begin);
    }

    pub(super) fn end(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.write_timestamp(&self.set, self.begin + 1);
    }
}

impl GpuTimers {
    /// More frames than a swap chain queues: none goes untimed.
    const MAX_PENDING_FRAMES: usize = 8;

    /// Queries at first: two for each pass and stage of a frame, and some to spare.
    const QUERIES: u32 = 64;

    /// Timers for `device`, or none where it has no timestamps.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Self> {
        let features = device.features();
        let first = || Running { queries: Some(Queries::new(device, Self::QUERIES)), asked: 0 };
        features.contains(wgpu::Features::TIMESTAMP_QUERY).then(|| Self {
            device: device.clone(),
            timestamp_period_ns: f64::from(queue.get_timestamp_period()),
            splits_passes: !features.contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES),
            settler: Settler::for_device(device),
            dropped_stages: false,
            running: RefCell::new(first()),
            pending: VecDeque::with_capacity(Self::MAX_PENDING_FRAMES),
            free: Vec::with_capacity(Self::MAX_PENDING_FRAMES + 1),
            capacity: Self::QUERIES,
        })
    }

    /// Times of stages did not add up to their pass's and were left out.
    pub(crate) fn has_dropped_stages(&self) -> bool {
        self.dropped_stages
    }

    /// Stages can be timed only as passes of their own.
    pub(super) fn splits_passes(&self) -> bool {
        self.splits_passes
    }

    /// To be called where a stage has begun: what it does then leaves the marks before it as they
    /// are.
    pub(super) fn settle(&self, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(settler) = &self.settler {
            settler.encode(pass);
        }
    }

    /// Times a pass (depth 0) or a stage within the last one (1). None where this frame has no
    /// room for it; the next one will.
    pub(super) fn mark(&self, label: &str, depth: u32) -> Option<Mark> {
        let mut running = self.running.borrow_mut();
        let begin = running.asked;
        running.asked += 2;
        let asked = running.asked;
        let queries = running.queries.as_mut().filter(|queries| asked <= queries.count)?;
        let label = cpu_scopes::label(label);
        queries.spans.push(Span { label, depth, query: Some(begin) });
        Some(Mark { set: queries.set.clone(), begin })
    }

    /// Begins a pass that is split into passes, one for each of its stages.
    pub(super) fn split(&self, label: &str) {
        if let Some(queries) = &mut self.running.borrow_mut().queries {
            let label = cpu_scopes::label(label);
            queries.spans.push(Span { label, depth: 0, query: None });
        }
    }

    /// Resolves the frame's timestamps: to be called once, after its last pass.
    pub fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let running = self.running.get_mut();
        if let Some(queries) = &running.queries {
            let count = running.asked.min(queries.count);
            if count > 0 {
                encoder.resolve_query_set(&queries.set, 0..count, &queries.resolved, 0);
                let bytes = u64::from(count * wgpu::QUERY_SIZE);
                encoder.copy_buffer_to_buffer(&queries.resolved, 0, &queries.read, 0, bytes);
            }
        }
    }

    /// Ends frame number `frame`, after its submission. Where too many frames are pending, its
    /// results will not come.
    pub fn end_frame(&mut self, frame: u64) {
        let running = self.running.get_mut();
        let asked = std::mem::take(&mut running.asked);
        self.capacity = self.capacity.max(asked.next_power_of_two());
        if let Some(queries) = running.queries.take() {
            let used = asked.min(queries.count);
            if used > 0 {
                queries.state.store(AWAITED, Ordering::Relaxed);
                let state = Arc::clone(&queries.state);
                let bytes = u64::from(used * wgpu::QUERY_SIZE);
                queries.read.slice(..bytes).map_async(wgpu::MapMode::Read, move |mapped| {
                    let now = if mapped.is_ok() { READABLE } else { FAILED };
                    state.store(now, Ordering::Release);
                });
            } else {
                queries.state.store(READABLE, Ordering::Relaxed);
            }
            self.pending.push_back(Pending { frame, queries, used });
        }
        self.refill();
    }

    /// Queries for the running frame, if there may be more.
    fn refill(&mut self) {
        let running = self.running.get_mut();
        if running.queries.is_none() {
            running.queries = self.free.pop();
        }
        if running.queries.is_none() && self.pending.len() < Self::MAX_PENDING_FRAMES {
            running.queries = Some(Queries::new(&self.device, self.capacity));
        }
    }

    /// The oldest frame whose results are back, if any. Needs the device to have been polled.
    pub fn finished(&mut self) -> Option<GpuFrame> {
        loop {
            let state = self.pending.front()?.queries.state.load(Ordering::Acquire);
            if state == AWAITED {
                return None;
            }
            let Pending { frame, mut queries, used } = self.pending.pop_front()?;
            let scopes = (state == READABLE).then(|| self.scopes(&queries, used)).flatten();
            if used > 0 && state == READABLE {
                queries.read.unmap();
            }
            // What failed, or has become too small, is not used again.
            if scopes.is_some() && queries.count >= self.capacity {
                queries.spans.clear();
                self.free.push(queries);
            }
            self.refill();
            if let Some(scopes) = scopes {
                return Some(GpuFrame { frame, scopes });
            }
        }
    }

    /// None where the mapped timestamps cannot be read.
    fn scopes(&mut self, queries: &Queries, used: u32) -> Option<Vec<GpuScope>> {
        if used == 0 {
            return Some(Vec::new());
        }
        let bytes = u64::from(used * wgpu::QUERY_SIZE);
        let mapped = queries.read.slice(..bytes).get_mapped_range().ok()?;
        let mut scopes = scopes(&queries.spans, &mapped, self.timestamp_period_ns);
        drop(mapped);
        if !self.splits_passes {
            let unmarked_ns =
                if self.settler.is_some() { UNMARKED_BY_THREADS_NS } else { UNMARKED_NS };
            let measured = scopes.len();
            drop_stages_that_do_not_add_up(&mut scopes, unmarked_ns);
            if scopes.len() < measured && !std::mem::replace(&mut self.dropped_stages, true) {
                log::warn!("GPU times of stages do not add up to their pass's: some are not shown");
            }
        }
        Some(scopes)
    }
}

/// Times of `spans` from the frame's `timestamps`: ticks, each eight bytes.
fn scopes(spans: &[Span], timestamps: &[u8], period_ns: f64) -> Vec<GpuScope> {
    let (timestamps, _) = timestamps.as_chunks::<{ wgpu::QUERY_SIZE as usize }>();
    let tick = |query: u32| u64::from_le_bytes(timestamps[query as usize]);
    let begins = spans.iter().filter_map(|span| span.query).map(tick);
    let origin = begins.min().unwrap_or(0);
    let ns = |tick: u64| (tick.saturating_sub(origin) as f64 * period_ns).round() as u64;
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
    // One without stages took no time, and nobody knows when.
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
        scopes(spans, &bytes, period_ns)
            .iter()
            .map(|scope| (scope.label.to_string(), scope.depth, scope.start_ns, scope.end_ns))
            .collect()
    }

    fn is(label: &str, depth: u32, start_ns: u64, end_ns: u64) -> (String, u32, u64, u64) {
        (label.to_owned(), depth, start_ns, end_ns)
    }

    #[test]
    fn ticks_become_nanoseconds_without_loss() {
        // As NVIDIA counts: a double of so many nanoseconds is exact to 256.
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
