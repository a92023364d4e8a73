//! Builds frames. A software driver compiles a shader at its first *dispatch*, which blocks the queue for as
//! long. There the frame runs first on a second device of the same adapter, which fills the driver's cache,
//! and is built on the drawing device only then.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::tuning::{Chosen, Tuner};
use super::{Job, Step};
use crate::app::platform::{Cooperative, Instant, sleep};
use crate::debug_view::DebugChoice;
use crate::eye::{EyeLevel, EyeTracker};
use crate::fft::lab::Store;
use crate::fft::lab::{AlgorithmChoice, Configuration};
use crate::frame::{Frame, FrameDesc};
use crate::gpu::shader::Sources;
use crate::gpu::{Context, LimitsPreset, Pipelines, TextureSpec};
use crate::ocean::{Ocean, OceanOptions, OceanPath};
use crate::profile::Recorder;
use crate::settings::{CameraPose, Preset, Quality, SeaState};
use crate::spectrum::InitialSpectrum;

/// A change of any of these needs new kernels.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct BuildKey {
    pub quality: Quality,
    pub algorithm: AlgorithmChoice,
    pub path: OceanPath,
}

pub(in crate::app) struct FrameRequest {
    pub key: BuildKey,
    pub scene: Preset,
    pub time_s: f64,
}

pub(in crate::app) struct Built {
    pub frame: Frame,
    /// Tracks the water around the frame's eye.
    pub eye: EyeTracker,
    pub key: BuildKey,
    pub sea: SeaState,
    /// The FFT that `auto` chose.
    pub chosen: Option<Chosen>,
    pub took: Duration,
}

pub(super) struct FrameBuilder {
    pub(super) context: Context,
    /// A frame that is like an earlier one finds its pipelines in this cache.
    pipelines: Pipelines,
    limits: LimitsPreset,
    format: wgpu::TextureFormat,
    tuner: Tuner,
    /// Tries shaders before the running frame gets them.
    pub(super) stand_in: Option<StandIn>,
}

/// A frame that is never shown.
pub(super) struct StandIn {
    pub(super) context: Context,
    pub(super) frame: Frame,
    pub(super) like: BuildKey,
    pub(super) sources: Sources,
    pub(super) errors: Arc<Mutex<Vec<String>>>,
}

impl FrameBuilder {
    /// `format` is the format that frames are drawn in.
    pub fn new(
        context: Context,
        limits: LimitsPreset,
        format: wgpu::TextureFormat,
        store: Option<Store>,
    ) -> Self {
        let (pipelines, tuner) = (Pipelines::new(&context.device), Tuner::new(limits, store));
        Self { context, pipelines, limits, format, tuner, stand_in: None }
    }

    /// Builds the requested frame, and runs it once. The error is the reason why the frame cannot be built,
    /// or a note that the request was withdrawn.
    pub async fn build(&mut self, request: &FrameRequest, job: &Job<'_>) -> Result<Built, String> {
        let start = Instant::now();
        let (options, chosen) = self.options(&request.key, job).await?;
        options.check(&self.context.capabilities).map_err(|error| error.to_string())?;
        job.reach(Step::DrawingSpectrum).await?;
        let sea = &request.scene.sea;
        let coop = &mut Cooperative::new();
        let spectrum = Ocean::prepare_in(coop, sea, &options).await;
        let spectrum = spectrum.map_err(|error| error.to_string())?;
        if self.context.compiles_late() {
            job.reach(Step::Compiling).await?;
            self.rehearse(request, options, spectrum.clone(), job).await;
        }
        job.reach(Step::Building).await?;
        let frame = self.new_frame_in(coop, request, options, spectrum);
        let mut frame = frame.await?;
        job.reach(Step::WarmingUp).await?;
        let mut eye = new_eye(&self.context, &frame)?;
        let picture = DebugChoice::default();
        self.run_once(&self.context, &mut frame, Some(&mut eye), request, picture, job).await;
        let (key, sea) = (request.key.clone(), sea.clone());
        Ok(Built { frame, eye, key, sea, chosen, took: start.elapsed() })
    }

    /// Returns the ocean of `key`, measuring its FFT where `auto` asks for that.
    async fn options(
        &mut self,
        key: &BuildKey,
        job: &Job<'_>,
    ) -> Result<(OceanOptions, Option<Chosen>), String> {
        let algorithm = key.algorithm.named().map(Configuration::from);
        let options = OceanOptions { path: key.path, algorithm, ..OceanOptions::of(&key.quality) };
        if key.algorithm != AlgorithmChoice::Auto {
            return Ok((options, None));
        }
        let mut report = |progress| match job.report(Step::Measuring(progress)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        let chosen = self.tuner.choose(&self.context, &options, &mut report).await?;
        Ok((OceanOptions { algorithm: chosen.configuration, ..options }, Some(chosen)))
    }

    /// Compiles everything on a second device. The build of the real frame reports any errors.
    async fn rehearse(
        &self,
        request: &FrameRequest,
        options: OceanOptions,
        spectrum: InitialSpectrum,
        job: &Job<'_>,
    ) {
        match self.second_device().await {
            Ok(context) => {
                context.device.on_uncaptured_error(Arc::new(|_| {}));
                if let Ok(mut frame) = self.new_frame(&context, request, options, spectrum) {
                    let mut eye = new_eye(&context, &frame).ok();
                    let picture = DebugChoice::default();
                    self.run_once(&context, &mut frame, eye.as_mut(), request, picture, job).await;
                }
            }
            Err(error) => log::warn!("no second device for compiling: {error}"),
        }
    }

    pub(super) async fn second_device(&self) -> Result<Context, String> {
        self.context.another(self.limits).await.map_err(|error| error.to_string())
    }

    pub(super) fn new_frame(
        &self,
        context: &Context,
        request: &FrameRequest,
        options: OceanOptions,
        spectrum: InitialSpectrum,
    ) -> Result<Frame, String> {
        // Frames on another device are few and short-lived: they share nothing.
        let (device, queue) = (&context.device, &context.queue);
        let ocean = Ocean::with_spectrum(device, queue, spectrum, options)
            .map_err(|error| error.to_string())?;
        Frame::with_ocean(device, queue, ocean, &request.key.quality, self.format)
            .map_err(|error| error.to_string())
    }

    /// Builds a frame on the device that draws; see [`FrameBuilder::new_frame`].
    async fn new_frame_in(
        &self,
        coop: &mut Cooperative,
        request: &FrameRequest,
        options: OceanOptions,
        spectrum: InitialSpectrum,
    ) -> Result<Frame, String> {
        let Context { device, queue, .. } = &self.context;
        coop.yield_if_due().await;
        let ocean = Ocean::with_spectrum(&self.pipelines, queue, spectrum, options)
            .map_err(|error| error.to_string())?;
        let quality = &request.key.quality;
        let frame = Frame::with_ocean_in(coop, device, queue, ocean, quality, self.format).await;
        frame.map_err(|error| error.to_string())
    }

    /// Draws the frame once, small and unseen, without holding the device up for others. `eye` asks for the
    /// water, too, so that no picture waits for its kernel.
    pub(super) async fn run_once(
        &self,
        context: &Context,
        frame: &mut Frame,
        eye: Option<&mut EyeTracker>,
        request: &FrameRequest,
        debug: DebugChoice,
        job: &Job<'_>,
    ) {
        const SIZE: u32 = 64;
        let target = TextureSpec::target("FrameBuilder::target", [SIZE; 2], self.format)
            .create(&context.device);
        let desc = FrameDesc {
            time_s: request.time_s,
            resolution: [SIZE, SIZE],
            debug,
            ..FrameDesc::from(&request.scene)
        };
        let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("FrameBuilder::run_once"),
        });
        let view = target.create_view(&Default::default());
        let mut recorder = Recorder::new(&mut encoder);
        frame.record(&mut recorder, &desc, &view);
        if let Some(eye) = eye {
            let CameraPose { x_m, y_m, z_m, .. } = desc.camera;
            let eye_level = EyeLevel::OnWater { height_m: EyeLevel::STANDING_M };
            eye.water(frame, eye_level, [x_m, y_m, z_m], desc.time_s);
            eye.record(&mut recorder, frame);
        }
        context.queue.submit([encoder.finish()]);
        let done = Arc::new(AtomicBool::new(false));
        let is_done = Arc::clone(&done);
        context.queue.on_submitted_work_done(move || is_done.store(true, Ordering::Release));
        while !done.load(Ordering::Acquire) && job.is_wanted() {
            if context.device.poll(wgpu::PollType::Poll).is_err() {
                return;
            }
            sleep(Duration::from_millis(2)).await;
        }
    }
}

fn new_eye(context: &Context, frame: &Frame) -> Result<EyeTracker, String> {
    let (device, queue) = (&context.device, &context.queue);
    EyeTracker::new(device, queue, frame).map_err(|error| error.to_string())
}
