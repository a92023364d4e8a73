//! The profiler of a program's frames: owns the GPU timers, knows which frame is running, and
//! gathers captures.

use std::collections::VecDeque;
use std::sync::Arc;

use puffin::{FrameData, FrameSinkId, FrameView, GlobalProfiler, NanoSecond};

use super::streams::{Inbox, Joiner, whole_frames};
use super::{Capture, CaptureError, GpuFrame, GpuTimers, Recorder};

/// Times the frames of one device. A frame is
///
/// ```text
/// profiler.begin_frame();
/// frame.record(&mut profiler.recorder(&mut encoder), ..);
/// profiler.submit(&queue, [], encoder);
/// while let Some(times) = profiler.gpu_frame() { .. }    // of frames before
/// ```
///
/// puffin's scopes are global: a program has one `Profiler` at a time.
pub struct Profiler {
    timers: Option<GpuTimers>,
    timing: bool,
    /// Number of the running frame, from 1.
    frame: u64,
    cpu_frames: Inbox,
    cpu_sink: FrameSinkId,
    /// Recorded frames that lack a half, oldest first.
    held: VecDeque<Held>,
    joiner: Joiner,
    recording: Option<Recording>,
    serving: bool,
}

/// A recorded frame.
struct Held {
    frame: u64,
    of_capture: bool,
    cpu: CpuHalf,
    gpu: GpuHalf,
}

enum CpuHalf {
    Running,
    Done(Option<Arc<FrameData>>),
}

enum GpuHalf {
    /// Nothing was submitted, or nothing can be timed.
    Nothing,
    Awaited {
        submitted_ns: NanoSecond,
    },
    Here {
        submitted_ns: NanoSecond,
        times: GpuFrame,
    },
}

/// A capture under way.
struct Recording {
    wanted: usize,
    begun: usize,
    joined: usize,
    with_gpu: usize,
    frames: Vec<Arc<FrameData>>,
}

impl Profiler {
    /// Frames after which GPU results are taken for lost.
    const PATIENCE_FRAMES: u64 = 16;

    /// A profiler for `device`.
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
            frame: 0,
            cpu_frames,
            cpu_sink,
            held: VecDeque::new(),
            joiner: Joiner::new(),
            recording: None,
            serving: false,
        }
    }

    /// The device can time passes.
    pub fn has_gpu_timers(&self) -> bool {
        self.timers.is_some()
    }

    /// Turns GPU timers off where nobody looks at them; captures and the server time regardless.
    pub fn set_timing(&mut self, timing: bool) {
        self.timing = timing;
    }

    /// Sends every frame, GPU passes included, to the sinks of
    /// [`Profiler::add_live_sink`].
    pub fn set_serving(&mut self, serving: bool) {
        self.serving = serving;
    }

    /// Adds a sink for whole frames; the signature is the one that `puffin_http` wants.
    pub fn add_live_sink(sink: puffin::FrameSink) -> FrameSinkId {
        let mut whole = whole_frames();
        whole.emit_scope_snapshot();
        whole.add_sink(sink)
    }

    /// Removes a sink of [`Profiler::add_live_sink`].
    pub fn remove_live_sink(id: FrameSinkId) {
        whole_frames().remove_sink(id);
    }

    /// Ends the frame before and begins one; no scope may be open on this thread.
    pub fn begin_frame(&mut self) {
        self.end_cpu_half();
        self.frame += 1;
        let of_capture = match &mut self.recording {
            Some(recording) if recording.begun < recording.wanted => {
                recording.begun += 1;
                true
            }
            _ => false,
        };
        let recorded = of_capture || self.serving;
        puffin::set_scopes_on(recorded);
        if recorded {
            self.held.push_back(Held {
                frame: self.frame,
                of_capture,
                cpu: CpuHalf::Running,
                gpu: GpuHalf::Nothing,
            });
        }
        self.release();
    }

    /// A recorder that times what is recorded into `encoder`.
    pub fn recorder<'a>(&'a self, encoder: &'a mut wgpu::CommandEncoder) -> Recorder<'a> {
        Recorder::timed(encoder, self.active_timers())
    }

    /// Submits the frame: `first`, then what `encoder` holds, which carries all of the frame's
    /// timed passes.
    pub fn submit(
        &mut self,
        queue: &wgpu::Queue,
        first: impl IntoIterator<Item = wgpu::CommandBuffer>,
        mut encoder: wgpu::CommandEncoder,
    ) {
        let timed = self.active_timers().is_some();
        if timed && let Some(timers) = &mut self.timers {
            timers.resolve(&mut encoder);
        }
        let commands = encoder.finish();
        let submitted_ns = puffin::now_ns();
        queue.submit(first.into_iter().chain([commands]));
        if timed && let Some(timers) = &mut self.timers {
            timers.end_frame(self.frame);
            if let Some(held) = self.held.back_mut()
                && held.frame == self.frame
            {
                held.gpu = GpuHalf::Awaited { submitted_ns };
            }
        }
    }

    /// GPU times of the oldest frame whose results are back; each frame once. Results come back
    /// when the device is polled, which presenting and submitting do too.
    pub fn gpu_frame(&mut self) -> Option<GpuFrame> {
        let times = self.timers.as_mut()?.finished()?;
        if let Some(held) = self.held.iter_mut().find(|held| held.frame == times.frame)
            && let GpuHalf::Awaited { submitted_ns } = held.gpu
        {
            held.gpu = GpuHalf::Here { submitted_ns, times: times.clone() };
        }
        Some(times)
    }

    /// Records the next `frames` frames, dropping a capture under way.
    pub fn start_capture(&mut self, frames: usize) {
        for held in &mut self.held {
            held.of_capture = false;
        }
        self.recording = Some(Recording {
            wanted: frames.max(1),
            begun: 0,
            joined: 0,
            with_gpu: 0,
            frames: Vec::with_capacity(frames.min(10_000)),
        });
    }

    /// Frames recorded and frames wanted, while a capture is under way.
    pub fn capture_progress(&self) -> Option<(usize, usize)> {
        self.recording.as_ref().map(|recording| (recording.joined, recording.wanted))
    }

    /// The capture, once both halves of its last frame are there; no waiting.
    pub fn finished_capture(&mut self) -> Option<Capture> {
        let recording = self.recording.as_ref()?;
        (recording.joined == recording.wanted).then(|| self.take_capture()).flatten()
    }

    /// Ends a capture now: waits for the GPU and takes the frames there are.
    ///
    /// # Errors
    /// [`CaptureError::NotStarted`] without a capture under way, [`CaptureError::Poll`] where the
    /// device stopped answering.
    pub fn finish_capture(&mut self, device: &wgpu::Device) -> Result<Capture, CaptureError> {
        self.end_cpu_half();
        device.poll(wgpu::PollType::wait_indefinitely())?;
        while self.gpu_frame().is_some() {}
        for held in &mut self.held {
            if let GpuHalf::Awaited { .. } = held.gpu {
                held.gpu = GpuHalf::Nothing;
            }
        }
        self.release();
        self.take_capture().ok_or(CaptureError::NotStarted)
    }

    fn active_timers(&self) -> Option<&GpuTimers> {
        let recorded = self.held.back().is_some_and(|held| held.frame == self.frame);
        self.timers.as_ref().filter(|_| self.timing || recorded)
    }

    /// Takes the running frame's processor scopes.
    fn end_cpu_half(&mut self) {
        GlobalProfiler::lock().new_frame();
        // Scopes of frames that are not recorded still bring the names of new scopes: those come
        // again with the snapshot that a capture asks for, so long as they were joined once.
        let cpu = self.cpu_frames.take().pop();
        match self.held.back_mut().filter(|held| held.frame == self.frame) {
            Some(held) => held.cpu = CpuHalf::Done(cpu),
            None => {
                if cpu.is_some_and(|cpu| !cpu.scope_delta.is_empty()) {
                    GlobalProfiler::lock().emit_scope_snapshot();
                }
            }
        }
    }

    /// Joins and sends on what is whole, in order.
    fn release(&mut self) {
        while let Some(front) = self.held.front() {
            let CpuHalf::Done(cpu) = &front.cpu else { break };
            let gpu = match &front.gpu {
                GpuHalf::Nothing => None,
                GpuHalf::Here { submitted_ns, times } => Some((times, *submitted_ns)),
                GpuHalf::Awaited { .. } if front.frame + Self::PATIENCE_FRAMES < self.frame => None,
                GpuHalf::Awaited { .. } => break,
            };
            let mut recording = self.recording.as_mut().filter(|_| front.of_capture);
            let first = recording.as_ref().is_some_and(|recording| recording.frames.is_empty());
            let whole = self.joiner.join(cpu.as_deref(), gpu, first);
            if let Some(recording) = &mut recording {
                recording.joined += 1;
                recording.with_gpu += usize::from(whole.has_gpu);
                recording.frames.extend(whole.frame);
            }
            self.held.pop_front();
        }
    }

    fn take_capture(&mut self) -> Option<Capture> {
        let recording = self.recording.take()?;
        let mut view = FrameView::default();
        // puffin's default drops all but the last 1000.
        view.set_max_recent(recording.wanted);
        let frames = recording.frames.len();
        for frame in recording.frames {
            view.add_frame(frame);
        }
        Some(Capture {
            view,
            frames,
            frames_with_gpu: recording.with_gpu,
            has_timers: self.timers.is_some(),
        })
    }
}

impl Drop for Profiler {
    fn drop(&mut self) {
        puffin::set_scopes_on(false);
        GlobalProfiler::lock().remove_sink(self.cpu_sink);
    }
}
