//! The event loop of the filter's window.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{Window, WindowId};

use super::graphics::{Drawn, Graphics};
use super::loader::Job;
use super::panel::Command;
use super::{Controls, FilterOptions};
use crate::app::AppError;
use crate::app::messages::Messages;
use crate::app::recovery::DeviceLosses;
use crate::fft::lab::AlgorithmChoice;
use crate::filter::picture::Picture;
use crate::gpu::LimitsPreset;

/// Interval at which a hidden window checks whether it can be seen.
const HIDDEN_INTERVAL: Duration = Duration::from_millis(100);

/// Delay before a surface without a texture is asked again.
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

pub struct Program {
    limits: LimitsPreset,
    linear: bool,
    controls: Controls,
    path: PathBuf,
    /// Shown again if the device is lost.
    picture: Arc<Picture>,
    window: Option<Arc<Window>>,
    graphics: Option<Graphics>,
    messages: Messages,
    losses: DeviceLosses,
    hovered: bool,
    next_frame: Option<Instant>,
    error: Option<AppError>,
}

impl Program {
    pub fn new(options: FilterOptions) -> Self {
        let FilterOptions { path, picture, band, offset, linear, algorithm, limits } = options;
        let controls = Controls {
            low: band.low(),
            high: band.high(),
            falloff: band.falloff(),
            offset,
            algorithm: algorithm.unwrap_or(AlgorithmChoice::Best),
            output: Picture::default_name(&path).display().to_string(),
        };
        Self {
            limits,
            linear,
            controls,
            path,
            picture: Arc::new(picture),
            window: None,
            graphics: None,
            messages: Messages::default(),
            losses: DeviceLosses::default(),
            hovered: false,
            next_frame: None,
            error: None,
        }
    }

    /// Returns the error that closed the window, if one did.
    pub fn finish(mut self) -> Result<(), AppError> {
        self.graphics = None;
        self.window = None;
        self.error.map_or(Ok(()), Err)
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let attributes = Window::default_attributes()
            .with_title("Seaway filter")
            .with_inner_size(LogicalSize::new(1280, 720))
            .with_min_inner_size(LogicalSize::new(1, 1));
        let window =
            event_loop.create_window(attributes).map_err(|error| AppError::window(&error))?;
        let window = Arc::new(window);
        self.window = Some(Arc::clone(&window));
        self.graphics = Some(self.graphics(event_loop, window)?);
        Ok(())
    }

    fn graphics(
        &mut self,
        event_loop: &ActiveEventLoop,
        window: Arc<Window>,
    ) -> Result<Graphics, AppError> {
        let first = Job::Show(self.path.clone(), Arc::clone(&self.picture));
        let (messages, algorithm) = (self.messages.clone(), self.controls.algorithm);
        Graphics::new(event_loop, window, self.limits, self.linear, messages, first, algorithm)
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: AppError) {
        self.error.get_or_insert(error);
        event_loop.exit();
    }

    /// Makes everything again that lived on the lost device.
    fn rebuild(&mut self, event_loop: &ActiveEventLoop, reason: String) -> Result<(), AppError> {
        if let Some((path, picture)) = self.graphics.as_ref().and_then(Graphics::picture) {
            (self.path, self.picture) = (path, picture);
        }
        self.graphics = None;
        let try_again = self.losses.try_again(Instant::now());
        let Some(window) = self.window.clone().filter(|_| try_again) else {
            return Err(AppError::DeviceLost { reason });
        };
        let graphics = self
            .graphics(event_loop, window)
            .map_err(|error| AppError::DeviceLost { reason: format!("{reason}; {error}") })?;
        self.graphics = Some(graphics);
        self.messages
            .warn(format!("The graphics device was lost ({reason}) and has been opened again."));
        Ok(())
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        if let Some(reason) = self.graphics.as_ref().and_then(Graphics::poll_device) {
            self.rebuild(event_loop, reason)?;
        }
        let Some(graphics) = &mut self.graphics else { return Ok(()) };
        let now = Instant::now();
        let drawn = graphics.draw(event_loop, &mut self.controls, &mut self.path, self.hovered)?;
        match drawn {
            Drawn::Hidden => self.next_frame = Some(now + HIDDEN_INTERVAL),
            Drawn::NotNow => self.next_frame = Some(now + RETRY_INTERVAL),
            Drawn::Frame(commands) => {
                self.next_frame = graphics.idle().map(|idle| now + idle);
                for command in commands {
                    match command {
                        Command::Save => self.save(),
                    }
                }
            }
        }
        Ok(())
    }

    fn save(&mut self) {
        if let Some(graphics) = &mut self.graphics {
            graphics.save(PathBuf::from(&self.controls.output));
        }
    }
}

impl ApplicationHandler for Program {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.window.is_none()
            && let Err(error) = self.open(event_loop)
        {
            self.fail(event_loop, error);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let used_up = match (&self.window, &mut self.graphics) {
            (Some(window), Some(graphics)) => graphics.painter().on_event(window, &event),
            _ => false,
        };
        if !matches!(event, WindowEvent::RedrawRequested) {
            self.next_frame = None;
        }
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested => {
                if let Err(error) = self.draw(event_loop) {
                    self.fail(event_loop, error);
                }
            }
            WindowEvent::Resized(_) => {
                if let Some(graphics) = &mut self.graphics {
                    graphics.resize();
                }
            }
            WindowEvent::HoveredFile(_) => self.hovered = true,
            WindowEvent::HoveredFileCancelled => self.hovered = false,
            WindowEvent::DroppedFile(path) => {
                self.hovered = false;
                if let Some(graphics) = &mut self.graphics {
                    graphics.open(path);
                }
            }
            WindowEvent::KeyboardInput { event, .. }
                if !used_up && event.state == ElementState::Pressed && !event.repeat =>
            {
                match event.physical_key {
                    PhysicalKey::Code(KeyCode::Escape) => event_loop.exit(),
                    PhysicalKey::Code(KeyCode::KeyS) => self.save(),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(window) = &self.window else { return };
        match self.next_frame {
            Some(due) if Instant::now() < due => {
                event_loop.set_control_flow(ControlFlow::WaitUntil(due));
            }
            _ => {
                event_loop.set_control_flow(ControlFlow::Poll);
                window.request_redraw();
            }
        }
    }
}
