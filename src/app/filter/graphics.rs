//! Everything that lives as long as one device: surface, panel and the filter.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::Controls;
use super::loader::{Job, Loaded, Loader};
use super::panel::{self, Command, Facts, Shown};
use super::panes::{self, Panes};
use crate::app::AppError;
use crate::app::messages::{DeviceWatch, Messages};
use crate::app::painter::Painter;
use crate::app::window::{Acquired, WindowSurface};
use crate::fft::lab::AlgorithmChoice;
use crate::filter::picture::{Depth, Format, Picture};
use crate::gpu::{self, Context, ContextOptions, LimitsPreset};
use crate::profile::Profiler;

/// The name of the filter's stage in profiles.
const FILTER_STAGE: &str = "filter";

pub enum Drawn {
    Frame(Vec<Command>),
    NotNow,
    Hidden,
}

pub struct Graphics {
    context: Context,
    watch: DeviceWatch,
    adapter: String,
    window: Arc<Window>,
    surface: WindowSurface,
    painter: Painter,
    profiler: Profiler,
    panes: Panes,
    linear: bool,
    shown: Option<Loaded>,
    loader: Option<Loader>,
    /// A picture dropped while another was loading.
    dropped: Option<PathBuf>,
    /// The last requested algorithm, and whether it was refused.
    asked: AlgorithmChoice,
    /// The controls of the last run: equal ones need no other.
    filtered: Option<Controls>,
    writers: Vec<JoinHandle<()>>,
    messages: Messages,
    last_frame: Option<Instant>,
    frame_ms: f64,
    filter_ms: Option<f64>,
}

impl Graphics {
    pub fn new(
        event_loop: &ActiveEventLoop,
        window: Arc<Window>,
        limits: LimitsPreset,
        linear: bool,
        messages: Messages,
        first: Job,
        algorithm: AlgorithmChoice,
    ) -> Result<Self, AppError> {
        let display = Box::new(event_loop.owned_display_handle());
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: gpu::backends(),
            ..wgpu::InstanceDescriptor::new_with_display_handle_from_env(display)
        });
        let surface = instance
            .create_surface(Arc::clone(&window))
            .map_err(|error| AppError::window(&error))?;
        let options = ContextOptions { limits, compatible_surface: Some(&surface) };
        let context = pollster::block_on(Context::new(instance, options))?;
        log::info!("drawing on {}", context.describe());
        let watch = messages.listen_to(&context.device);
        let surface = WindowSurface::new(Arc::clone(&window), surface, &context, true)?;
        let painter =
            Painter::new(&context, &window, event_loop, surface.format(), messages.clone());
        let panes = Panes::new(&context.device, surface.format())
            .map_err(|error| AppError::Frame(error.to_string()))?;
        let loader = Some(Loader::start(&context, first, algorithm, linear));
        Ok(Self {
            adapter: context.describe(),
            profiler: Profiler::new(&context.device, &context.queue),
            context,
            watch,
            window,
            surface,
            painter,
            panes,
            linear,
            shown: None,
            loader,
            dropped: None,
            asked: algorithm,
            filtered: None,
            writers: Vec::new(),
            messages,
            last_frame: None,
            frame_ms: 0.0,
            filter_ms: None,
        })
    }

    pub fn painter(&mut self) -> &mut Painter {
        &mut self.painter
    }

    pub fn resize(&mut self) {
        self.surface.resize(&self.context);
    }

    /// The reason why the device was lost, if it was.
    pub fn poll_device(&self) -> Option<String> {
        let _ = self.context.device.poll(wgpu::PollType::Poll);
        self.watch.lost()
    }

    /// The interval of frames without events: zero where frames cost the processor nothing.
    pub fn idle(&self) -> Option<Duration> {
        const LOOK: Duration = Duration::from_millis(60);
        self.context.is_software().then_some(LOOK)
    }

    /// The current picture, to show it again on another device.
    pub fn picture(&self) -> Option<(PathBuf, Arc<Picture>)> {
        let shown = self.shown.as_ref()?;
        Some((shown.path.clone(), Arc::clone(&shown.picture)))
    }

    /// Loads a file, and shows it once it is there.
    pub fn open(&mut self, path: PathBuf) {
        self.dropped = Some(path);
        self.painter.touch();
    }

    pub fn draw(
        &mut self,
        event_loop: &ActiveEventLoop,
        controls: &mut Controls,
        path: &mut PathBuf,
        hovered: bool,
    ) -> Result<Drawn, AppError> {
        self.keep_up(controls, path)?;
        let texture = match self.surface.acquire(&self.context, &self.messages, None) {
            Acquired::Texture(texture) => texture,
            Acquired::Hidden => return Ok(Drawn::Hidden),
            Acquired::NotNow => return Ok(Drawn::NotNow),
        };
        self.measure();
        self.profiler.begin_frame();
        let size = self.surface.size();
        let mut commands = Vec::new();
        let shown = self.shown.as_ref().map(|loaded| Shown {
            descriptor: loaded.filter.descriptor(),
            dispatches: loaded.filter.dispatch_count(),
        });
        let (toasts, gpu_errors) = (self.messages.toasts(), self.messages.gpu_errors());
        let painted = self.painter.is_due(size).then(|| {
            let facts = Facts {
                adapter: &self.adapter,
                capabilities: &self.context.capabilities,
                path,
                shown,
                loading: self.loader.is_some(),
                hovered,
                frame_ms: self.frame_ms,
                filter_ms: self.filter_ms,
                toasts: &toasts,
                gpu_errors: &gpu_errors,
            };
            self.painter.run(&self.context, &self.window, event_loop, size, |ui| {
                commands.extend(panel::show(ui, controls, &facts));
            })
        });

        let Context { device, queue, .. } = &self.context;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("Graphics::draw"),
        });
        if let Some(painted) = &painted {
            self.painter.upload(&self.context, &mut encoder, painted);
        }
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        {
            let mut recorder = self.profiler.recorder(&mut encoder);
            if let Some(Loaded { filter, picture, .. }) = &self.shown {
                // This frame shows the present sliders.
                filter.set_band(queue, &controls.band(), controls.offset);
                let left = panel::width() * self.window.scale_factor() as f32;
                let places = panes::arrange(size, left, filter.descriptor().size);
                let is_linear = self.linear || picture.depth == Depth::Float;
                self.panes.place(queue, filter, places, is_linear);
                // A software adapter filters again only what has changed.
                if !self.context.is_software() || self.filtered.as_ref() != Some(controls) {
                    recorder.compute(FILTER_STAGE, |stages| {
                        stages.stage(FILTER_STAGE, |pass| filter.encode(pass));
                    });
                    self.filtered = Some(controls.clone());
                }
            }
            self.panes.record(&mut recorder, &view);
            self.painter.paint(&self.context, &mut recorder, &view, painted.as_ref());
        }
        self.profiler.submit(queue, [], encoder);
        if let Some(painted) = &painted {
            self.painter.free(painted);
        }
        self.window.pre_present_notify();
        self.context.queue.present(texture);
        Ok(Drawn::Frame(commands))
    }

    /// Takes the loaded picture, and requests the chosen algorithm.
    fn keep_up(&mut self, controls: &mut Controls, path: &mut PathBuf) -> Result<(), AppError> {
        if let Some(result) = self.loader.as_ref().and_then(Loader::take) {
            self.loader = None;
            self.painter.touch();
            match result {
                Ok(loaded) => {
                    if *path != loaded.path {
                        controls.output = Picture::default_name(&loaded.path).display().to_string();
                    }
                    path.clone_from(&loaded.path);
                    self.panes.show(&self.context.device, &loaded.filter);
                    self.shown = Some(loaded);
                    self.filtered = None;
                    self.filter_ms = None;
                }
                // Nothing to show: the window has no purpose.
                Err(error) if self.shown.is_none() => return Err(AppError::Frame(error)),
                Err(error) => {
                    self.messages.warn(error);
                    if let Some(shown) = &self.shown {
                        controls.algorithm = shown.algorithm;
                        self.asked = shown.algorithm;
                    }
                }
            }
        }
        if let Some(path) = self.dropped.take_if(|_| self.loader.is_none()) {
            let job = Job::Open(path);
            self.asked = controls.algorithm;
            let loader = Loader::start(&self.context, job, controls.algorithm, self.linear);
            self.loader = Some(loader);
        }
        if let (None, Some(shown)) = (&self.loader, &self.shown)
            && self.asked != controls.algorithm
        {
            self.asked = controls.algorithm;
            let (path, picture) = (shown.path.clone(), Arc::clone(&shown.picture));
            let job = Job::By(path, picture, Box::new(shown.filter.clone()));
            let loader = Loader::start(&self.context, job, controls.algorithm, self.linear);
            self.loader = Some(loader);
        }
        Ok(())
    }

    /// Collects the times of finished frames.
    fn measure(&mut self) {
        /// The weight of the last time in the shown mean, which keeps the figures legible.
        const WEIGHT: f64 = 0.1;
        let smooth = |old: f64, new: f64| if old == 0.0 { new } else { old + WEIGHT * (new - old) };
        let now = Instant::now();
        if let Some(last) = self.last_frame.replace(now) {
            self.frame_ms = smooth(self.frame_ms, (now - last).as_secs_f64() * 1e3);
        }
        while let Some(times) = self.profiler.finished_frame() {
            let of_filter = |scope: &&crate::profile::GpuScope| &*scope.label == FILTER_STAGE;
            let found = times.gpu_scopes().iter().find(of_filter);
            if let Some(scope) = found.filter(|_| !self.context.is_software()) {
                let ms = (scope.end_ns.saturating_sub(scope.start_ns)) as f64 / 1e6;
                self.filter_ms = Some(smooth(self.filter_ms.unwrap_or(0.0), ms));
            }
        }
    }

    /// Writes the filtered picture, behind the next frames.
    pub fn save(&mut self, out: PathBuf) {
        let Some(Loaded { filter, picture, .. }) = &self.shown else { return };
        let context = self.context.clone();
        let (filter, picture) = (filter.clone(), Arc::clone(picture));
        let (messages, linear) = (self.messages.clone(), self.linear);
        self.writers.retain(|writer| !writer.is_finished());
        self.writers.push(std::thread::spawn(move || {
            let Context { device, queue, .. } = &context;
            let read = pollster::block_on(gpu::read_buffer(device, queue, filter.result()));
            let written = read.map_err(|error| error.to_string()).and_then(|bytes| {
                let pixels = bytemuck::pod_collect_to_vec(&bytes);
                let mut result = Picture { pixels, ..Picture::clone(&picture) };
                let format = Format::of(&out).map_err(|error| error.to_string())?;
                if linear && format != Format::Exr {
                    result.encode_srgb();
                }
                result.write(&out).map_err(|error| error.to_string())
            });
            match written {
                Ok(clipped) if clipped > 0.001 => messages.say(format!(
                    "Saved as {}. {:.1}% of the values were below 0 or above 1 and were clamped; \
                     an .exr file holds all values.",
                    out.display(),
                    100.0 * clipped
                )),
                Ok(_) => messages.say(format!("Saved as {}", out.display())),
                Err(error) => messages.warn(error),
            }
        }));
        self.painter.touch();
    }
}

impl Drop for Graphics {
    fn drop(&mut self) {
        for writer in self.writers.drain(..) {
            let _ = writer.join();
        }
    }
}
