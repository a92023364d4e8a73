//! Builds frames and seas behind the running one, on threads of their own, so that the window
//! never waits.
//!
//! A driver that plays GPU on the processor compiles a shader at its first *dispatch*, which
//! blocks the queue for as long: there, the frame is first run on a second device of the same
//! adapter, which fills the driver's cache, and only then built on the one that draws.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::tuning::{Chosen, Tuner, TuningProgress};
use super::worker::Worker;
use crate::fft::lab::{AlgorithmChoice, Configuration, Progress};
use crate::frame::{Frame, FrameDesc};
use crate::gpu::{Context, LimitsPreset};
use crate::ocean::{Ocean, OceanOptions, OceanPath};
use crate::profile::Recorder;
use crate::settings::{Preset, Quality, SeaState};
use crate::spectrum::InitialSpectrum;
use crate::tuned::Store;

/// What cannot change without new kernels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BuildKey {
    /// What the picture may cost.
    pub quality: Quality,
    /// The FFT.
    pub algorithm: AlgorithmChoice,
    /// Whether it is joined to spectrum and maps.
    pub path: OceanPath,
}

/// A frame to build.
#[derive(Clone)]
struct BuildRequest {
    key: BuildKey,
    scene: Preset,
    time_s: f64,
    /// Counts the requests.
    number: u64,
}

/// A frame that is ready to draw, or why there is none.
pub(super) struct Built {
    /// What it was built from.
    pub key: BuildKey,
    /// The sea that it shows.
    pub sea: SeaState,
    /// The frame, or why there is none.
    pub frame: Result<Frame, String>,
    /// What `auto` came to.
    pub chosen: Option<Chosen>,
    /// How long it took.
    pub took: Duration,
}

/// Builds frames for one device.
pub(super) struct Builder {
    worker: Worker<BuildRequest, Built>,
    wanted: Option<BuildKey>,
    tuning: TuningProgress,
    /// The number of the newest request.
    newest: Arc<AtomicU64>,
    /// The window closes: the rest of the job in hand is not wanted.
    cancelled: Arc<AtomicBool>,
}

impl Builder {
    /// A builder for `context`'s device, whose frames draw in `format`.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn new(
        context: Context,
        limits: LimitsPreset,
        format: wgpu::TextureFormat,
        store: Option<Store>,
    ) -> std::io::Result<Self> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let is_cancelled = Arc::clone(&cancelled);
        let newest = Arc::new(AtomicU64::new(0));
        let is_newest = Arc::clone(&newest);
        let tuning = TuningProgress::default();
        let mut tuner = Tuner::new(limits, store, tuning.clone());
        let worker = Worker::new("build", move |request: BuildRequest| {
            let start = Instant::now();
            let unwanted = || {
                is_cancelled.load(Ordering::Relaxed)
                    || is_newest.load(Ordering::Relaxed) != request.number
            };
            let mut chosen = None;
            let frame = options(&context, &request.key, &mut tuner, &mut chosen, unwanted)
                .and_then(|options| {
                    build(&context, limits, format, &request, options, &is_cancelled)
                });
            let took = start.elapsed();
            Built { key: request.key, sea: request.scene.sea, frame, chosen, took }
        })?;
        Ok(Self { worker, wanted: None, tuning, newest, cancelled })
    }

    /// Asks for a frame, once however often it is called.
    pub fn request(&mut self, key: &BuildKey, scene: &Preset, time_s: f64) {
        if self.wanted.as_ref() != Some(key) {
            self.wanted = Some(key.clone());
            let number = self.newest.fetch_add(1, Ordering::Relaxed) + 1;
            let (key, scene) = (key.clone(), scene.clone());
            self.worker.request(BuildRequest { key, scene, time_s, number });
        }
    }

    /// The frame asked for last, once it is there.
    pub fn take(&mut self) -> Option<Built> {
        let built = self.worker.take_answer()?;
        if self.wanted.as_ref() == Some(&built.key) {
            self.wanted = None;
            return Some(built);
        }
        // Nobody wants it any more: another is under way.
        None
    }

    /// A frame was asked for and has not been taken.
    pub fn is_building(&self) -> bool {
        self.wanted.is_some()
    }

    /// How far the measuring for `auto` is, while it is under way.
    pub fn tuning(&self) -> Option<Progress> {
        self.tuning.get()
    }

    /// How long the frame asked for has been under way.
    pub fn busy_for(&self) -> Option<Duration> {
        self.worker.busy_for()
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// The ocean of `key`, its FFT measured if that is what is asked for.
fn options(
    context: &Context,
    key: &BuildKey,
    tuner: &mut Tuner,
    chosen: &mut Option<Chosen>,
    unwanted: impl Fn() -> bool + Send + Sync,
) -> Result<OceanOptions, String> {
    let algorithm = key.algorithm.named().map(Configuration::from);
    let mut options = OceanOptions { path: key.path, algorithm, ..OceanOptions::of(&key.quality) };
    if key.algorithm == AlgorithmChoice::Auto {
        let choice = tuner.choose(context, &options, unwanted)?;
        options.algorithm = choice.configuration;
        *chosen = Some(choice);
    }
    Ok(options)
}

fn build(
    context: &Context,
    limits: LimitsPreset,
    format: wgpu::TextureFormat,
    request: &BuildRequest,
    options: OceanOptions,
    cancelled: &AtomicBool,
) -> Result<Frame, String> {
    let mut lap = Lap(Instant::now());
    options.check(&context.capabilities).map_err(|error| error.to_string())?;
    let spectrum =
        Ocean::prepare(&request.scene.sea, &options).map_err(|error| error.to_string())?;
    lap.done("drew the sea's spectrum");
    if context.is_software() {
        let rehearsal = pollster::block_on(Context::open(
            context.instance.clone(),
            context.adapter.clone(),
            limits,
        ));
        match rehearsal {
            Ok(rehearsal) => {
                // What is wrong here is reported by the frame that is meant to be seen.
                rehearsal.device.on_uncaptured_error(Arc::new(|_| {}));
                if let Ok(mut frame) =
                    new_frame(&rehearsal, format, request, options, spectrum.clone())
                {
                    run_once(&rehearsal, &mut frame, format, request, cancelled);
                }
            }
            Err(error) => log::warn!("no second device to compile on: {error}"),
        }
        lap.done("compiled on a second device");
    }
    if cancelled.load(Ordering::Relaxed) {
        return Err("the window closed".to_owned());
    }
    let mut frame = new_frame(context, format, request, options, spectrum)?;
    lap.done("built the frame");
    run_once(context, &mut frame, format, request, cancelled);
    lap.done("warmed the frame up");
    Ok(frame)
}

/// Tells where the time goes.
struct Lap(Instant);

impl Lap {
    fn done(&mut self, what: &str) {
        log::debug!("{what} in {:.2?}", self.0.elapsed());
        self.0 = Instant::now();
    }
}

fn new_frame(
    context: &Context,
    format: wgpu::TextureFormat,
    request: &BuildRequest,
    options: OceanOptions,
    spectrum: InitialSpectrum,
) -> Result<Frame, String> {
    let (device, queue) = (&context.device, &context.queue);
    let ocean = Ocean::with_spectrum(device, queue, spectrum, options)
        .map_err(|error| error.to_string())?;
    Frame::with_ocean(device, queue, ocean, &request.key.quality, format)
        .map_err(|error| error.to_string())
}

/// Draws the frame once, small and unseen, and waits without holding the device up for others.
fn run_once(
    context: &Context,
    frame: &mut Frame,
    format: wgpu::TextureFormat,
    request: &BuildRequest,
    cancelled: &AtomicBool,
) {
    const SIZE: u32 = 64;
    let target = context.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("Builder::target"),
        size: wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let desc = FrameDesc {
        time_s: request.time_s,
        resolution: [SIZE, SIZE],
        camera: request.scene.camera.clone(),
        light: request.scene.light.clone(),
    };
    let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
        label: Some("Builder::run_once"),
    });
    let view = target.create_view(&wgpu::TextureViewDescriptor::default());
    frame.record(&mut Recorder::new(&mut encoder), &desc, &view);
    context.queue.submit([encoder.finish()]);
    let done = Arc::new(AtomicBool::new(false));
    let is_done = Arc::clone(&done);
    context.queue.on_submitted_work_done(move || is_done.store(true, Ordering::Release));
    while !done.load(Ordering::Acquire) && !cancelled.load(Ordering::Relaxed) {
        if context.device.poll(wgpu::PollType::Poll).is_err() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
