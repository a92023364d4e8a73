//! The program behind each window: it opens window and device, brings them back where they are lost,
//! and passes events to its [`Mode`] and frames to the screen.

use std::sync::Arc;
use std::time::Duration;

use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Window, WindowAttributes, WindowId};

use super::AppError;
use super::messages::Messages;
use super::recovery::DeviceLosses;
use super::screen::{Opened, Screen};
use crate::app::platform::{self, Instant, Pending};
use crate::gpu::LimitsPreset;

/// The content of a window, and how it reacts to events.
pub(super) trait Mode {
    /// Whether each event brings the next frame forward.
    const DRAWS_AT_EVENTS: bool = false;

    /// Starts on a device: the first one, or another one after a loss.
    ///
    /// # Errors
    /// [`AppError`] where nothing can be shown on it.
    fn start(
        &mut self,
        event_loop: &ActiveEventLoop,
        opened: Opened,
        is_first: bool,
    ) -> Result<(), AppError>;

    /// Returns the device's side, where there is one.
    fn screen(&mut self) -> Option<&mut Screen>;

    /// Drops everything that lives on the device.
    fn drop_device(&mut self);

    /// Injects the faults of tests before the device is polled.
    fn inject_faults(&mut self) {}

    /// Draws a frame where there is a device, and returns how long to wait before the next.
    ///
    /// # Errors
    /// [`AppError`] where there is nothing to show.
    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<Option<Duration>, AppError>;

    /// Takes any event of the window.
    fn event(&mut self, event_loop: &ActiveEventLoop, window: &Window, event: &WindowEvent);

    /// Takes a movement of the mouse.
    fn mouse_moved(&mut self, _delta: (f64, f64)) {}

    /// Releases the pointer before the window goes.
    fn exiting(&mut self, _window: &Window) {}

    /// Stores the state that the next start finds.
    fn store(&mut self) {}
}

/// A window in one of its modes.
pub(super) struct Program<M> {
    mode: M,
    attributes: WindowAttributes,
    limits: LimitsPreset,
    messages: Messages,
    window: Option<Arc<Window>>,
    /// The device, while it is being opened.
    opening: Option<Pending<Result<Opened, AppError>>>,
    /// Why the previous device was lost, if there was one.
    lost: Option<String>,
    losses: DeviceLosses,
    /// When the next frame is due.
    next_frame: Option<Instant>,
    error: Option<AppError>,
}

impl<M: Mode> Program<M> {
    /// Creates a program that is to open a window of these attributes and as much of the adapter as
    /// `limits` says.
    pub fn new(
        mode: M,
        attributes: WindowAttributes,
        limits: LimitsPreset,
        messages: Messages,
    ) -> Self {
        Self {
            mode,
            attributes,
            limits,
            messages,
            window: None,
            opening: None,
            lost: None,
            losses: DeviceLosses::default(),
            next_frame: None,
            error: None,
        }
    }

    /// Stores the state, and returns the error that closed the window, if one did.
    pub fn finish(mut self) -> Result<(), AppError> {
        // The choices are saved first, whatever happens to the device; then the window goes, and pending work
        // finishes unseen.
        if self.error.is_none() {
            self.mode.store();
        }
        if let Some(window) = &self.window {
            window.set_visible(false);
        }
        self.mode.drop_device();
        self.window = None;
        self.error.map_or(Ok(()), Err)
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let window = event_loop.create_window(self.attributes.clone());
        let window = Arc::new(window.map_err(|error| AppError::window(&error))?);
        self.window = Some(Arc::clone(&window));
        self.open_device(event_loop, window)
    }

    fn open_device(
        &mut self,
        event_loop: &ActiveEventLoop,
        window: Arc<Window>,
    ) -> Result<(), AppError> {
        self.opening = Some(Opened::begin(event_loop, window, self.limits));
        self.take_device(event_loop)
    }

    /// Continues with the opened device, once it is there.
    fn take_device(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let Some(outcome) = self.opening.as_mut().and_then(Pending::take) else { return Ok(()) };
        self.opening = None;
        let lost = self.lost.take();
        outcome.and_then(|opened| self.mode.start(event_loop, opened, lost.is_none())).map_err(
            |error| match &lost {
                Some(reason) => AppError::DeviceLost { reason: format!("{reason}; {error}") },
                None => error,
            },
        )?;
        platform::report_opened();
        if let Some(reason) = lost {
            let text =
                format!("The graphics device was lost ({reason}) and has been opened again.");
            self.messages.warn(text);
        }
        Ok(())
    }

    /// The device is gone: everything that lived on it is made again.
    fn rebuild(&mut self, event_loop: &ActiveEventLoop, reason: String) -> Result<(), AppError> {
        log::error!("the graphics device was lost: {reason}");
        self.mode.drop_device();
        let try_again = self.losses.try_again(Instant::now());
        let Some(window) = self.window.clone().filter(|_| try_again) else {
            return Err(AppError::DeviceLost { reason });
        };
        self.lost = Some(reason);
        self.open_device(event_loop, window)
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        self.take_device(event_loop)?;
        self.mode.inject_faults();
        if let Some(reason) = self.mode.screen().and_then(|screen| screen.poll_device()) {
            self.rebuild(event_loop, reason)?;
        }
        let now = Instant::now();
        self.next_frame = self.mode.draw(event_loop)?.map(|rest| now + rest);
        Ok(())
    }

    fn check(&mut self, event_loop: &ActiveEventLoop, outcome: Result<(), AppError>) {
        if let Err(error) = outcome {
            platform::report_end(&error.to_string());
            self.error.get_or_insert(error);
            event_loop.exit();
        }
    }
}

impl<M: Mode> ApplicationHandler for Program<M> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.window.is_none() {
            let opened = self.open(event_loop);
            self.check(event_loop, opened);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(window) = self.window.clone() else { return };
        self.mode.event(event_loop, &window, &event);
        if event == WindowEvent::RedrawRequested {
            let drawn = self.draw(event_loop);
            self.check(event_loop, drawn);
            return;
        }
        if M::DRAWS_AT_EVENTS {
            self.next_frame = None;
        }
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(_) => {
                if let Some(screen) = self.mode.screen() {
                    screen.resize();
                }
            }
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta } = event {
            self.mode.mouse_moved(delta);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(window) = &self.window else { return };
        match self.next_frame {
            Some(due) if Instant::now() < due => {
                event_loop.set_control_flow(ControlFlow::WaitUntil(due));
            }
            _ => {
                event_loop.set_control_flow(platform::NEXT_FRAME);
                window.request_redraw();
            }
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(window) = &self.window {
            self.mode.exiting(window);
        }
    }
}
