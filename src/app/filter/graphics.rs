//! The filter's side of one device.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use winit::event_loop::ActiveEventLoop;

use super::loader::{self, Job, Loaded};
use super::panel::{self, FilterPanelData, Shown};
use super::panes::{self, Panes};
use super::{Controls, Subject};
use crate::app::AppError;
use crate::app::screen::Screen;
use crate::fft::lab::AlgorithmChoice;
use crate::filter::picture::{Depth, Format, Picture};
use crate::gpu::{self, Context};

/// The name of the filter's stage in profiles.
const FILTER_STAGE: &str = "filter";

pub struct Graphics {
    pub screen: Screen,
    panes: Panes,
    shown: Option<Loaded>,
    loader: Option<JoinHandle<Result<Loaded, String>>>,
    /// The algorithm that was asked for last, and whether it was refused.
    asked: AlgorithmChoice,
    /// The controls of the last run: equal ones need no other.
    filtered: Option<Controls>,
    writers: Vec<JoinHandle<()>>,
    last_frame: Option<Instant>,
    frame_ms: f64,
    filter_ms: Option<f64>,
}

impl Graphics {
    /// Starts loading the picture of `subject`.
    ///
    /// # Errors
    /// [`AppError::Frame`] where the panes' shader does not compile.
    pub fn new(screen: Screen, subject: &Subject) -> Result<Self, AppError> {
        let panes = Panes::new(&screen.context.device, screen.surface.format())
            .map_err(|error| AppError::Frame(error.to_string()))?;
        let mut this = Self {
            screen,
            panes,
            shown: None,
            loader: None,
            asked: subject.controls.algorithm,
            filtered: None,
            writers: Vec::new(),
            last_frame: None,
            frame_ms: 0.0,
            filter_ms: None,
        };
        this.load(Job::Show(subject.path.clone(), Arc::clone(&subject.picture)), subject);
        Ok(this)
    }

    /// Begins `job` by the algorithm that is chosen.
    fn load(&mut self, job: Job, subject: &Subject) {
        let (context, linear) = (self.screen.context.clone(), subject.linear);
        let algorithm = subject.controls.algorithm;
        self.asked = algorithm;
        self.loader =
            Some(std::thread::spawn(move || loader::load(&context, job, algorithm, linear)));
    }

    /// Draws a frame, and returns how long to wait before the next.
    ///
    /// # Errors
    /// [`AppError::Frame`] where there is nothing to show.
    pub fn draw(
        &mut self,
        event_loop: &ActiveEventLoop,
        subject: &mut Subject,
    ) -> Result<Option<Duration>, AppError> {
        /// How soon to draw again where nothing happens and frames cost the processor time.
        const LOOK: Duration = Duration::from_millis(60);
        self.keep_up(subject)?;
        let texture = match self.screen.acquire(None) {
            Ok(texture) => texture,
            Err(rest) => return Ok(Some(rest)),
        };
        self.measure();
        let Screen { context, adapter, window, surface, painter, profiler, messages, .. } =
            &mut self.screen;
        let Subject { linear, controls, path, hovered, .. } = subject;
        let is_software = context.is_software();
        profiler.begin_frame();
        let size = surface.size();
        let mut saves = false;
        let shown = self.shown.as_ref().map(|loaded| Shown {
            descriptor: loaded.filter.descriptor(),
            dispatches: loaded.filter.dispatch_count(),
        });
        let (toasts, gpu_errors) = (messages.toasts(), messages.gpu_errors());
        let painted = painter.is_due(size).then(|| {
            let data = FilterPanelData {
                adapter,
                capabilities: &context.capabilities,
                path,
                shown,
                loading: self.loader.is_some(),
                hovered: *hovered,
                frame_ms: self.frame_ms,
                filter_ms: self.filter_ms,
                toasts: &toasts,
                gpu_errors: &gpu_errors,
            };
            painter.run(context, window, event_loop, size, |ui| {
                saves |= panel::show(ui, controls, &data);
            })
        });

        let Context { device, queue, .. } = &*context;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("Graphics::draw"),
        });
        if let Some(painted) = &painted {
            painter.upload(context, &mut encoder, painted);
        }
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        {
            let mut recorder = profiler.recorder(&mut encoder);
            if let Some(Loaded { filter, picture, .. }) = &self.shown {
                // This frame shows the present sliders.
                filter.set_band(queue, &controls.band(), controls.offset);
                let left = panel::width() * window.scale_factor() as f32;
                let places = panes::arrange(size, left, filter.descriptor().size);
                let is_linear = *linear || picture.depth == Depth::Float;
                self.panes.place(queue, filter, places, is_linear);
                // A software adapter filters again only what has changed.
                if !is_software || self.filtered.as_ref() != Some(controls) {
                    recorder.compute(FILTER_STAGE, |stages| {
                        stages.stage(FILTER_STAGE, |pass| filter.encode(pass));
                    });
                    self.filtered = Some(controls.clone());
                }
            }
            self.panes.record(&mut recorder, &view);
            painter.paint(context, &mut recorder, &view, painted.as_ref());
        }
        profiler.submit(queue, [], encoder);
        self.screen.present(texture);
        if saves {
            self.save(subject);
        }
        Ok(is_software.then_some(LOOK))
    }

    /// Takes what was loaded, and asks for the algorithm that was chosen.
    fn keep_up(&mut self, subject: &mut Subject) -> Result<(), AppError> {
        if let Some(loader) = self.loader.take_if(|loader| loader.is_finished()) {
            self.screen.painter.touch();
            let ended = |_| Err("the loading thread has ended".to_owned());
            match loader.join().unwrap_or_else(ended) {
                Ok(loaded) => {
                    if subject.path != loaded.path {
                        let output = Picture::default_name(&loaded.path);
                        subject.controls.output = output.display().to_string();
                    }
                    subject.path.clone_from(&loaded.path);
                    subject.picture = Arc::clone(&loaded.picture);
                    self.panes.show(&self.screen.context.device, &loaded.filter);
                    self.shown = Some(loaded);
                    self.filtered = None;
                    self.filter_ms = None;
                }
                // Nothing to show: the window has no purpose.
                Err(error) if self.shown.is_none() => return Err(AppError::Frame(error)),
                Err(error) => {
                    self.screen.messages.warn(error);
                    if let Some(shown) = &self.shown {
                        subject.controls.algorithm = shown.algorithm;
                        self.asked = shown.algorithm;
                    }
                }
            }
        }
        if self.loader.is_some() {
            return Ok(());
        }
        if let Some(path) = subject.dropped.take() {
            self.load(Job::Open(path), subject);
        } else if let Some(shown) = &self.shown
            && self.asked != subject.controls.algorithm
        {
            let (path, picture) = (shown.path.clone(), Arc::clone(&shown.picture));
            self.load(Job::By(path, picture, Box::new(shown.filter.clone())), subject);
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
        while let Some(times) = self.screen.profiler.finished_frame() {
            let of_filter = |scope: &&crate::profile::GpuScope| &*scope.label == FILTER_STAGE;
            let found = times.gpu_scopes().iter().find(of_filter);
            if let Some(scope) = found.filter(|_| !self.screen.context.is_software()) {
                let ms = (scope.end_ns.saturating_sub(scope.start_ns)) as f64 / 1e6;
                self.filter_ms = Some(smooth(self.filter_ms.unwrap_or(0.0), ms));
            }
        }
    }

    /// Writes the filtered picture, behind the next frames.
    pub fn save(&mut self, subject: &Subject) {
        let Some(Loaded { filter, picture, .. }) = &self.shown else { return };
        let (out, linear) = (PathBuf::from(&subject.controls.output), subject.linear);
        let (filter, picture) = (filter.clone(), Arc::clone(picture));
        let (context, messages) = (self.screen.context.clone(), self.screen.messages.clone());
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
        self.screen.painter.touch();
    }
}

impl Drop for Graphics {
    /// A picture that was saved just before the window closed is still written.
    fn drop(&mut self) {
        self.loader.take().map(JoinHandle::join);
        for writer in self.writers.drain(..) {
            let _ = writer.join();
        }
    }
}
