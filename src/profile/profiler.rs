//! The profiler of a program's frames: owns the GPU timers, tracks the running frame, joins both halves of
//! each frame, and gathers captures.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::Arc;

use puffin::{FrameSinkId, GlobalProfiler, NanoSecond};

use super::cpu_scopes::StreamReader;
use super::streams::{Inbox, Replay, whole_frames};
use super::{Capture, CaptureError, CpuScope, FrameTimes, GpuFrame, GpuTimers, GpuTimes, Recorder};

/// Times the frames of one device. A frame is
///
/// ```text
/// profiler.begin_frame();
/// frame.record(&mut profiler.recorder(&mut encoder), ..);
/// profiler.submit(&queue, [], encoder);
/// while let Some(times) = profiler.finished_frame() { .. }    // of frames before
/// ```
///
/// puffin's scopes are global: a program has one `Profiler` at a time.
pub struct Profiler {
    timers: Option<GpuTimers>,
    timing: bool,
    serving: bool,
    /// Number of the running frame, from 1.
    frame: u64,
    cpu_frames: Inbox,
    cpu_sink: FrameSinkId,
    streams: StreamReader,
    /// Timed frames that lack a half, oldest first.
    held: VecDeque<Held>,
    /// When the processor's scopes were last read, on puffin's clock.
    read_ns: NanoSecond,
    /// When the GPU's results were last requested, on puffin's clock.
    asked_ns: NanoSecond,
    /// When the GPU finished the last frame, on puffin's clock.
    gpu_end_ns: NanoSecond,
    /// Complete frames that were not taken yet, oldest first.
    finished: VecDeque<Arc<FrameTimes>>,
    live: Replay,
    recording: Option<Recording>,
}

struct Held {
    frame: u64,
    begin_ns: NanoSecond,
    /// The begin of the next frame; `None` while it runs.
    end_ns: Option<NanoSecond>,
    /// The processor's scopes, once they are read.
    cpu: Option<Vec<CpuScope>>,
    gpu: GpuHalf,
}

enum GpuHalf {
    /// Nothing was submitted, or nothing can be timed.
    Nothing,
    Awaited {
        submitted_ns: NanoSecond,
    },
    Lost,
    Here {
        submitted_ns: NanoSecond,
        times: GpuFrame,
    },
}

struct Recording {
    first: u64,
    wanted: usize,
    frames: Vec<Arc<FrameTimes>>,
}

impl Recording {
    fn wants(&self, frame: u64) -> bool {
        (self.first..self.first.saturating_add(self.wanted as u64)).contains(&frame)
    }

    fn ends_at(&self, frame: u64) -> bool {
        self.wants(frame) && !self.wants(frame + 1)
    }
}

impl Profiler {
    /// Frames after which missing GPU results count as lost.
    const PATIENCE_FRAMES: u64 = 48;

    /// Longest time between reads of both sides: several frames are read at once, as most of the cost does
    /// not depend on their number.
    const READ_AFTER_NS: NanoSecond = 50_000_000;

    /// Complete frames that are kept until they are taken: the newest ones.
    const UNASKED_FRAMES: usize = 64;

    /// Makes the profiler of `device`, whose frames `queue` runs.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let cpu_frames = Inbox::default();
        let cpu_sink = {
            let mut global = GlobalProfiler::lock();
            // Scopes that other code has registered by now.
            global.emit_scope_snapshot();
            global.add_sink(cpu_frames.sink())
        };
        Self {
            timers: GpuTimers::new(device, queue),
            timing: true,
            serving: false,
            frame: 0,
            cpu_frames,
            cpu_sink,
            streams: StreamReader::default(),
            held: VecDeque::new(),
            read_ns: NanoSecond::MIN,
            asked_ns: NanoSecond::MIN,
            gpu_end_ns: NanoSecond::MIN,
            finished: VecDeque::new(),
            live: Replay::default(),
            recording: None,
        }
    }

    /// Whether the device can time passes.
    pub fn has_gpu_timers(&self) -> bool {
        self.timers.is_some()
    }

    /// Whether times of stages within a pass did not add up to the pass's, and were left out.
    pub fn has_dropped_stages(&self) -> bool {
        self.timers.as_ref().is_some_and(GpuTimers::has_dropped_stages)
    }

    /// Turns timing off while it is not shown, from the next frame on; captures and the server time
    /// regardless.
    pub fn set_timing(&mut self, timing: bool) {
        self.timing = timing;
    }

    /// Sends every frame, GPU passes included, to the sinks of [`Profiler::add_live_sink`].
    pub fn set_serving(&mut self, serving: bool) {
        self.serving = serving;
    }

    /// Adds a sink for complete frames; the signature is that of `puffin_http`.
    pub fn add_live_sink(sink: puffin::FrameSink) -> FrameSinkId {
        let mut whole = whole_frames();
        whole.emit_scope_snapshot();
        whole.add_sink(sink)
    }

    /// Removes a sink added by [`Profiler::add_live_sink`].
    pub fn remove_live_sink(id: FrameSinkId) {
        whole_frames().remove_sink(id);
    }

    /// Ends the frame before and begins one; no scope may be open on this thread.
    pub fn begin_frame(&mut self) {
        let is_recorded =
            self.recording.as_ref().is_some_and(|recording| recording.wants(self.frame + 1));
        let timed = self.timing || self.serving || is_recorded;
        let was_timed = self.is_timed();
        let now_ns = if timed || was_timed { puffin::now_ns() } else { 0 };
        if was_timed {
            self.end_cpu_half(now_ns, !timed);
        }
        self.frame += 1;
        if timed != was_timed {
            puffin::set_scopes_on(timed);
        }
        if let Some(timers) = &mut self.timers {
            if timed {
                timers.begin_frame();
            } else if was_timed {
                timers.flush();
            }
        }
        if timed {
            if !was_timed {
                // Scopes that were open when timing ended belong to no frame.
                GlobalProfiler::lock().new_frame();
                self.cpu_frames.take();
            }
            self.held.push_back(Held {
                frame: self.frame,
                begin_ns: now_ns,
                end_ns: None,
                cpu: None,
                gpu: GpuHalf::Nothing,
            });
        }
        self.release();
    }

    /// A recorder that times the commands recorded into `encoder`.
    pub fn recorder<'a>(&'a self, encoder: &'a mut wgpu::CommandEncoder) -> Recorder<'a> {
        Recorder::timed(encoder, self.timers.as_ref().filter(|_| self.is_timed()))
    }

    /// Submits the frame: `first`, then `encoder`, which must hold all of the frame's timed passes.
    pub fn submit(
        &mut self,
        queue: &wgpu::Queue,
        first: impl IntoIterator<Item = wgpu::CommandBuffer>,
        mut encoder: wgpu::CommandEncoder,
    ) {
        let timed = self.is_timed();
        if timed {
            self.ask_for_results(&mut encoder);
        }
        let commands = encoder.finish();
        let submitted_ns = if timed { puffin::now_ns() } else { 0 };
        queue.submit(first.into_iter().chain([commands]));
        if let Some(timers) = self.timers.as_mut().filter(|_| timed) {
            timers.end_frame(self.frame);
            if let Some(held) = self.held.back_mut() {
                held.gpu = GpuHalf::Awaited { submitted_ns };
            }
        }
    }

    /// Takes the oldest timed frame, once both its halves are there: every frame once and in order, also if
    /// the GPU's results were lost. They come back when the device is polled, which presenting and submitting
    /// do, too.
    pub fn finished_frame(&mut self) -> Option<Arc<FrameTimes>> {
        self.release();
        self.finished.pop_front()
    }

    /// Records the next `frames` frames, dropping a capture in progress.
    pub fn start_capture(&mut self, frames: usize) {
        let wanted = frames.max(1);
        self.recording = Some(Recording {
            first: self.frame + 1,
            wanted,
            frames: Vec::with_capacity(wanted.min(100_000)),
        });
    }

    /// Frames recorded and frames wanted, while a capture is in progress.
    pub fn capture_progress(&self) -> Option<(usize, usize)> {
        self.recording.as_ref().map(|recording| (recording.frames.len(), recording.wanted))
    }

    /// Takes the capture, once both halves of its last frame are there; never waits.
    pub fn finished_capture(&mut self) -> Option<Capture> {
        let recording = self.recording.as_ref()?;
        (recording.frames.len() == recording.wanted).then(|| self.take_capture()).flatten()
    }

    /// Ends a capture, and the running frame, now: waits for the GPU and takes the frames that are there.
    ///
    /// # Errors
    /// [`CaptureError::NotStarted`] without a capture in progress, [`CaptureError::Poll`] if the device
    /// stopped answering.
    pub fn finish_capture(&mut self, device: &wgpu::Device) -> Result<Capture, CaptureError> {
        if self.is_timed() {
            self.end_cpu_half(puffin::now_ns(), true);
        } else {
            self.read_cpu_halves();
        }
        if let Some(timers) = &mut self.timers {
            timers.flush();
        }
        device.poll(wgpu::PollType::wait_indefinitely())?;
        self.take_gpu_halves();
        for held in &mut self.held {
            if let GpuHalf::Awaited { .. } = held.gpu {
                held.gpu = GpuHalf::Lost;
            }
        }
        self.release();
        self.take_capture().ok_or(CaptureError::NotStarted)
    }

    /// Requests the GPU's results with the running frame's commands, if it is time to.
    fn ask_for_results(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let (Some(timers), Some(held)) = (&mut self.timers, self.held.back()) else { return };
        let ends_capture =
            self.recording.as_ref().is_some_and(|recording| recording.ends_at(self.frame));
        let is_due = held.begin_ns.saturating_sub(self.asked_ns) >= Self::READ_AFTER_NS;
        if timers.resolve(encoder, ends_capture || is_due) {
            self.asked_ns = held.begin_ns;
        }
    }

    fn is_timed(&self) -> bool {
        self.held.back().is_some_and(|held| held.end_ns.is_none())
    }

    /// Ends the processor's half of the running frame at `now_ns`, and reads it and those before if `now` is
    /// set, or if it is time to.
    fn end_cpu_half(&mut self, now_ns: NanoSecond, now: bool) {
        let Some(held) = self.held.back_mut() else { return };
        held.end_ns = Some(now_ns);
        let ends_capture =
            self.recording.as_ref().is_some_and(|recording| recording.ends_at(held.frame));
        let is_due = now_ns.saturating_sub(self.read_ns) >= Self::READ_AFTER_NS;
        let unread = self.held.iter().rev().take_while(|held| held.cpu.is_none()).count();
        if now || ends_capture || is_due || unread >= GpuTimers::FRAMES_A_BATCH {
            self.read_ns = now_ns;
            self.read_cpu_halves();
        }
    }

    /// Takes the scopes of the frames that have ended.
    fn read_cpu_halves(&mut self) {
        GlobalProfiler::lock().new_frame();
        let scopes = match self.cpu_frames.take().pop() {
            Some(scopes) => self.streams.read(&scopes, 0),
            None => Vec::new(),
        };
        let unread = self.held.iter_mut().filter(|held| held.cpu.is_none());
        let mut unread: Vec<&mut Held> = unread.filter(|held| held.end_ns.is_some()).collect();
        let Some(last) = unread.len().checked_sub(1) else { return };
        for held in &mut unread {
            held.cpu = Some(Vec::with_capacity(scopes.len() / (last + 1)));
        }
        // A scope, with those within it, belongs to the frame that it ended in. What ended on
        // another thread since the last one did goes with that.
        let mut index = last;
        for scope in scopes {
            if scope.depth == 0 {
                let ended = |held: &&mut Held| held.end_ns.is_some_and(|end| end < scope.end_ns);
                index = unread.partition_point(ended).min(last);
            }
            let held = &mut unread[index];
            let begin_ns = held.begin_ns;
            let (start_ns, end_ns) = (scope.start_ns - begin_ns, scope.end_ns - begin_ns);
            let of_frame = held.cpu.get_or_insert_default();
            of_frame.push(CpuScope { start_ns, end_ns, ..scope });
        }
    }

    fn take_gpu_halves(&mut self) {
        let Some(timers) = &mut self.timers else { return };
        while let Some(times) = timers.finished() {
            for held in &mut self.held {
                let GpuHalf::Awaited { submitted_ns } = held.gpu else { continue };
                match held.frame.cmp(&times.frame) {
                    // Results come in order: these have been left out.
                    Ordering::Less => held.gpu = GpuHalf::Lost,
                    Ordering::Equal => {
                        held.gpu = GpuHalf::Here { submitted_ns, times };
                        break;
                    }
                    Ordering::Greater => break,
                }
            }
        }
    }

    /// Joins and passes on complete frames, in order.
    fn release(&mut self) {
        if self.held.is_empty() {
            return;
        }
        self.take_gpu_halves();
        while let Some(front) = self.held.front()
            && front.cpu.is_some()
        {
            match front.gpu {
                GpuHalf::Awaited { .. } if front.frame + Self::PATIENCE_FRAMES >= self.frame => {
                    break;
                }
                _ => {}
            }
            let Some(Held { frame, begin_ns, end_ns: Some(end_ns), cpu: Some(cpu), gpu }) =
                self.held.pop_front()
            else {
                break;
            };
            let gpu = self.gpu_times(begin_ns, gpu);
            let interval_ns = end_ns.saturating_sub(begin_ns).max(0) as u64;
            self.send(Arc::new(FrameTimes { frame, begin_ns, interval_ns, cpu, gpu }));
        }
    }

    fn gpu_times(&mut self, begin_ns: NanoSecond, gpu: GpuHalf) -> GpuTimes {
        match gpu {
            GpuHalf::Nothing => GpuTimes::Untimed,
            GpuHalf::Awaited { .. } | GpuHalf::Lost => GpuTimes::Lost,
            GpuHalf::Here { submitted_ns, times } => {
                // The queue runs one submission after the other.
                let origin_ns = submitted_ns.max(self.gpu_end_ns);
                let took_ns = times.scopes.iter().map(|scope| scope.end_ns).max().unwrap_or(0);
                self.gpu_end_ns = origin_ns.saturating_add_unsigned(took_ns);
                let start_ns = origin_ns.saturating_sub(begin_ns).max(0) as u64;
                GpuTimes::Timed { start_ns, scopes: times.scopes }
            }
        }
    }

    fn send(&mut self, times: Arc<FrameTimes>) {
        if self.serving {
            self.live.play(&mut whole_frames(), &times);
        }
        if let Some(recording) = &mut self.recording
            && recording.wants(times.frame)
        {
            recording.frames.push(Arc::clone(&times));
        }
        if self.finished.len() == Self::UNASKED_FRAMES {
            self.finished.pop_front();
        }
        self.finished.push_back(times);
    }

    fn take_capture(&mut self) -> Option<Capture> {
        let recording = self.recording.take()?;
        Some(Capture::new(recording.frames, self.timers.is_some()))
    }
}

impl Drop for Profiler {
    fn drop(&mut self) {
        puffin::set_scopes_on(false);
        GlobalProfiler::lock().remove_sink(self.cpu_sink);
    }
}
