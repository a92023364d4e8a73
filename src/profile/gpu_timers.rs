//! GPU time of passes and stages, by wgpu-profiler. Its results come frames late and in ticks of
//! the GPU's own clock; [`GpuTimers::finished`] gives them as nanoseconds after the first tick
//! of their frame.

use std::collections::VecDeque;
use std::sync::Arc;

use wgpu_profiler::{GpuProfiler, GpuProfilerSettings, GpuTimerQueryResult};

use super::marks::{Settler, UNMARKED_BY_THREADS_NS, UNMARKED_NS, drop_stages_that_do_not_add_up};

/// The timers of one device.
pub struct GpuTimers {
    profiler: GpuProfiler,
    timestamp_period_ns: f32,
    splits_passes: bool,
    /// Where marks come late by themselves.
    settler: Option<Settler>,
    /// Stages have been left out, which was said.
    dropped_stages: bool,
    /// Numbers of the frames whose results are still to come, oldest first.
    pending: VecDeque<u64>,
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

impl GpuTimers {
    /// More frames than a swap chain queues: none is dropped before it is read.
    const MAX_PENDING_FRAMES: usize = 8;

    /// Timers for `device`, or none where it has no timestamps.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Self> {
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let profiler = GpuProfiler::new(
            device,
            GpuProfilerSettings {
                enable_timer_queries: true,
                enable_debug_groups: false,
                max_num_pending_frames: Self::MAX_PENDING_FRAMES,
            },
        )
        .expect("the settings are valid");
        Some(Self {
            profiler,
            timestamp_period_ns: queue.get_timestamp_period(),
            splits_passes: !device
                .features()
                .contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES),
            settler: Settler::for_device(device),
            dropped_stages: false,
            pending: VecDeque::with_capacity(Self::MAX_PENDING_FRAMES + 1),
        })
    }

    /// Stages can be timed only as passes of their own.
    pub(crate) fn splits_passes(&self) -> bool {
        self.splits_passes
    }

    /// To be called where a stage has begun: what it does then leaves the marks before it as they
    /// are.
    pub(crate) fn settle(&self, pass: &mut wgpu::ComputePass<'_>) {
        if let Some(settler) = &self.settler {
            settler.encode(pass);
        }
    }

    pub(crate) fn profiler(&self) -> &GpuProfiler {
        &self.profiler
    }

    /// Resolves the frame's timestamps: to be called once, after its last pass.
    pub fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.profiler.resolve_queries(encoder);
    }

    /// Ends frame number `frame`, after its submission.
    pub fn end_frame(&mut self, frame: u64) {
        match self.profiler.end_frame() {
            Ok(()) => {
                // The profiler drops its oldest frame when too many are pending.
                if self.pending.len() == Self::MAX_PENDING_FRAMES {
                    self.pending.pop_front();
                }
                self.pending.push_back(frame);
            }
            Err(error) => log::warn!("GPU timers lost a frame: {error}"),
        }
    }

    /// The oldest frame whose results are back, if any. Needs the device to have been polled.
    pub fn finished(&mut self) -> Option<GpuFrame> {
        let results = self.profiler.process_finished_frame(self.timestamp_period_ns)?;
        let frame = self.pending.pop_front()?;
        let origin = results
            .iter()
            .filter_map(|result| result.time.as_ref())
            .map(|time| time.start)
            .fold(f64::INFINITY, f64::min);
        let mut scopes = Vec::new();
        flatten(&results, origin, 0, &mut scopes);
        let unmarked_ns = if self.settler.is_some() { UNMARKED_BY_THREADS_NS } else { UNMARKED_NS };
        let measured = scopes.len();
        drop_stages_that_do_not_add_up(&mut scopes, unmarked_ns);
        if scopes.len() < measured && !std::mem::replace(&mut self.dropped_stages, true) {
            log::warn!("GPU times of stages do not add up to their pass's: some are not shown");
        }
        Some(GpuFrame { frame, scopes })
    }
}

fn flatten(results: &[GpuTimerQueryResult], origin_s: f64, depth: u32, out: &mut Vec<GpuScope>) {
    for result in results {
        if let Some(time) = &result.time {
            let ns = |seconds: f64| ((seconds - origin_s).max(0.0) * 1e9).round() as u64;
            out.push(GpuScope {
                label: result.label.as_str().into(),
                start_ns: ns(time.start),
                end_ns: ns(time.end),
                depth,
            });
        }
        flatten(&result.nested_queries, origin_s, depth + 1, out);
    }
}
