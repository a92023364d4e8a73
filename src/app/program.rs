//! The program behind the window: events in, frames out.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use winit::application::ApplicationHandler;
use winit::event::{
    DeviceEvent, DeviceId, ElementState, KeyEvent, MouseButton, MouseScrollDelta, Touch,
    TouchPhase, WindowEvent,
};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{Key, ModifiersState, PhysicalKey};
use winit::window::{CursorGrabMode, Fullscreen, Window, WindowId};

use super::graphics::{Drawn, Graphics, Opened};
use super::input::{self, Action, Held, Keyboard, Press, Route};
use super::recovery::{DeviceLosses, Fault};
use super::starts::Starts;
use super::touch::Touches;
use super::ui::Command;
use super::workspace::Workspace;
use super::{AppError, RunOptions, link, state};
use crate::app::platform::{self, Instant, Pending};
use crate::settings::UserPresets;

/// Interval at which a hidden window checks whether it can be seen.
const HIDDEN_INTERVAL: Duration = Duration::from_millis(100);

/// Delay before a surface without a texture is asked again.
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

pub(super) struct Program {
    options: RunOptions,
    workspace: Workspace,
    /// The file of the session, if it is saved.
    state_path: Option<PathBuf>,
    /// When the session was last saved.
    remembered: Instant,
    /// Saving failed, and the user has seen the message.
    write_failed: bool,
    window: Option<Arc<Window>>,
    /// The starts before this one that have shown nothing.
    starts: Starts,
    opening: Option<Pending<Result<Opened, AppError>>>,
    /// Why the previous device was lost, if there was one.
    lost: Option<String>,
    graphics: Option<Graphics>,
    held: Held,
    touches: Touches,
    modifiers: ModifiersState,
    /// The right mouse button turns the camera.
    looking: bool,
    last_frame: Option<Instant>,
    next_frame: Option<Instant>,
    losses: DeviceLosses,
    frames: u64,
    error: Option<AppError>,
}

impl Program {
    pub fn new(options: RunOptions) -> Self {
        let state_path = if options.fresh { None } else { state::path() };
        let mut session = state_path.as_deref().map(state::load).unwrap_or_default();
        session.apply(&options);
        let mut options = options;
        let followed = platform::address().map(|link| link::follow(&mut session, &link));
        let followed = followed.unwrap_or_default();
        options.size = options.size.or(followed.size);
        let workspace = Workspace::new(session, UserPresets::of_user());
        for text in followed.told() {
            workspace.messages.warn(text);
        }
        Self {
            options,
            workspace,
            state_path,
            remembered: Instant::now(),
            write_failed: false,
            window: None,
            starts: Starts::of_user(),
            opening: None,
            lost: None,
            graphics: None,
            held: Held::default(),
            touches: Touches::default(),
            modifiers: ModifiersState::empty(),
            looking: false,
            last_frame: None,
            next_frame: None,
            losses: DeviceLosses::default(),
            frames: 0,
            error: None,
        }
    }

    /// Saves the session; returns the error that closed the window, if one did.
    pub fn finish(mut self) -> Result<(), AppError> {
        // The choices are saved first, whatever happens to the device; then the window goes, and pending work
        // finishes unseen.
        if self.error.is_none() {
            self.write_down();
        }
        if let Some(window) = &self.window {
            window.set_visible(false);
        }
        self.graphics = None;
        self.window = None;
        self.error.map_or(Ok(()), Err)
    }

    fn write_down(&mut self) {
        if let Some(path) = &self.state_path
            && let Err(error) = state::save(path, &self.workspace.session)
            // A failed write would fail again a second later.
            && !std::mem::replace(&mut self.write_failed, true)
        {
            log::warn!("{} could not be written: {error}", path.display());
        }
    }

    /// Saves the session at intervals, where the end of the program is not announced.
    fn remember(&mut self, now: Instant) {
        if platform::REMEMBER_EVERY.is_some_and(|rest| now - self.remembered > rest) {
            self.remembered = now;
            self.write_down();
            platform::set_address(&link::of(&self.workspace.session));
        }
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let attributes = platform::window(self.workspace.session.window)
            .with_title("Seaway")
            .with_fullscreen(self.options.full_screen.then_some(Fullscreen::Borderless(None)));
        let window =
            event_loop.create_window(attributes).map_err(|error| AppError::window(&error))?;
        let window = Arc::new(window);
        self.window = Some(Arc::clone(&window));
        self.open_device(event_loop, window)
    }

    fn open_device(
        &mut self,
        event_loop: &ActiveEventLoop,
        window: Arc<Window>,
    ) -> Result<(), AppError> {
        self.opening = Some(Opened::begin(event_loop, window, self.options.limits));
        self.take_device(event_loop)
    }

    /// Continues with the opened device, once it is there.
    fn take_device(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let Some(outcome) = self.opening.as_mut().and_then(Pending::take) else { return Ok(()) };
        self.opening = None;
        let lost = self.lost.take();
        // Not before: a page in a hidden tab opens no device, and is no failure.
        if lost.is_none() && outcome.is_ok() && self.starts.begin() {
            self.options.size = None;
            self.workspace.session.suit_the_adapter();
            self.workspace.messages.warn(
                "The last starts ended before the sea was shown, so the settings were reset to \
                 suit your graphics adapter.",
            );
        }
        let (options, messages) = (&self.options, self.workspace.messages.clone());
        let session = &mut self.workspace.session;
        let graphics = outcome
            .and_then(|opened| Graphics::new(event_loop, opened, options, session, messages))
            .map_err(|error| match &lost {
                Some(reason) => AppError::DeviceLost { reason: format!("{reason}; {error}") },
                None => error,
            })?;
        self.graphics = Some(graphics);
        platform::tell_opened();
        if let Some(reason) = lost {
            let text =
                format!("The graphics device was lost ({reason}) and has been opened again.");
            self.workspace.messages.warn(text);
        }
        Ok(())
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: AppError) {
        platform::tell_end(&error.to_string());
        self.error.get_or_insert(error);
        event_loop.exit();
    }

    /// Makes everything again that lived on the lost device.
    fn rebuild(&mut self, event_loop: &ActiveEventLoop, reason: String) -> Result<(), AppError> {
        log::error!("the graphics device was lost: {reason}");
        self.graphics = None;
        let try_again = self.losses.try_again(Instant::now());
        let Some(window) = self.window.clone().filter(|_| try_again) else {
            return Err(AppError::DeviceLost { reason });
        };
        // The command line's requests are settled: later choices stay.
        self.options.size = Some(self.workspace.session.quality.size);
        self.lost = Some(reason);
        self.open_device(event_loop, window)
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        self.take_device(event_loop)?;
        let mut fault = None;
        if let Some(graphics) = &self.graphics {
            if graphics.shows_the_sea() {
                self.frames += 1;
                // The first are those that ask for the memory.
                if self.frames == 3 {
                    self.starts.succeeded();
                }
                let due = self.options.faults.iter().find(|(_, frame)| *frame == self.frames);
                fault = due.map(|(fault, _)| *fault);
            }
            if fault == Some(Fault::DeviceLost) {
                graphics.lose_device();
            }
            if let Some(reason) = graphics.poll_device() {
                self.rebuild(event_loop, reason)?;
            }
        }
        let now = Instant::now();
        let interval = self.last_frame.map_or(Duration::ZERO, |last| now - last);
        self.last_frame = Some(now);
        let seconds = interval.as_secs_f64();
        self.workspace.session.clock.advance(seconds);
        let session = &mut self.workspace.session;
        session.cameras.advance(&mut session.scene.camera, &self.held, seconds);

        // Settings that have not been drawn yet may be those that lose the device, also at the next visit.
        let graphics = self.graphics.as_ref();
        if graphics.is_some_and(|graphics| graphics.shows_what_is_chosen(&self.workspace.session)) {
            self.remember(now);
        }
        let Some(graphics) = &mut self.graphics else { return Ok(()) };
        match graphics.draw(event_loop, &mut self.workspace, fault)? {
            Drawn::Hidden => self.next_frame = Some(now + HIDDEN_INTERVAL),
            Drawn::Nothing => self.next_frame = Some(now + RETRY_INTERVAL),
            Drawn::Frame(commands) => {
                self.next_frame = match self.workspace.session.frame_cap {
                    0 => None,
                    cap => Some(now + Duration::from_secs_f64(1.0 / f64::from(cap))),
                };
                for command in commands {
                    self.command(event_loop, command);
                }
            }
        }
        Ok(())
    }

    fn command(&mut self, event_loop: &ActiveEventLoop, command: Command) {
        if let Some(graphics) = &mut self.graphics {
            graphics.painter().touch();
        }
        let capabilities = self.graphics.as_ref().map(Graphics::capabilities);
        match self.workspace.command(command, capabilities) {
            Some(Command::Action(action)) => self.carry_out(event_loop, action),
            Some(Command::Compare(command)) => {
                if let Some(graphics) = &mut self.graphics {
                    graphics.compare(command, &self.workspace.session);
                }
            }
            Some(other) => log::error!("no handler for {other:?}"),
            None => {}
        }
    }

    fn act(&mut self, event_loop: &ActiveEventLoop, action: Action) {
        if let Some(graphics) = &mut self.graphics {
            graphics.painter().touch();
        }
        let capabilities = self.graphics.as_ref().map(Graphics::capabilities);
        if let Some(action) = self.workspace.act(action, capabilities) {
            self.carry_out(event_loop, action);
        }
    }

    /// Handles actions that the workspace leaves to the window.
    fn carry_out(&mut self, event_loop: &ActiveEventLoop, action: Action) {
        match action {
            Action::Quit if platform::CAN_QUIT => event_loop.exit(),
            Action::Quit => {}
            Action::RecordCapture => {
                if let Some(graphics) = &mut self.graphics {
                    graphics.start_capture(&self.workspace.session);
                }
            }
            Action::FullScreen => {
                let can = platform::can_fill_screen();
                if let Some(window) = self.window.as_ref().filter(|_| can) {
                    let full = window.fullscreen().is_none();
                    window.set_fullscreen(full.then_some(Fullscreen::Borderless(None)));
                }
            }
            Action::Screenshot => {
                if let Some(graphics) = &mut self.graphics {
                    graphics.take_screenshot();
                }
            }
            _ => log::error!("no handler for {action:?}"),
        }
    }

    fn on_key(&mut self, event_loop: &ActiveEventLoop, event: &KeyEvent) {
        let PhysicalKey::Code(key) = event.physical_key else { return };
        let pressed = event.state == ElementState::Pressed;
        let route = self.route(event);
        self.held.set(key, pressed && route != Some(Route::Panels));
        if !pressed || event.repeat {
            return;
        }
        if let Some(Route::Workspace(action)) = route {
            self.act(event_loop, action);
        }
    }

    /// Routes a key; `None` if it has no place on a keyboard.
    fn route(&mut self, event: &KeyEvent) -> Option<Route> {
        let PhysicalKey::Code(key) = event.physical_key else { return None };
        let character = match &event.logical_key {
            Key::Character(text) => text.chars().next(),
            _ => None,
        };
        let command = self.modifiers.control_key() || self.modifiers.super_key();
        let press = Press { key, character, command, shift: self.modifiers.shift_key() };
        let session = &self.workspace.session;
        let keyboard = self
            .graphics
            .as_mut()
            .map_or(Keyboard::Sea, |graphics| graphics.painter().keyboard(session));
        Some(input::route(press, keyboard))
    }

    /// Records the right button over the picture.
    fn look(&mut self, looking: bool) {
        if self.looking == looking {
            return;
        }
        self.looking = looking;
        if let Some(window) = &self.window {
            // Not every platform can lock the pointer; confined is next best, and neither is
            // needed to look around.
            if looking {
                let locked = window.set_cursor_grab(CursorGrabMode::Locked);
                if locked.is_err() {
                    let _ = window.set_cursor_grab(CursorGrabMode::Confined);
                }
            } else {
                let _ = window.set_cursor_grab(CursorGrabMode::None);
            }
            window.set_cursor_visible(!looking);
        }
    }

    fn on_touch(&mut self, touch: &Touch) {
        // A finger that leaves has left, whether or not there is a device: else it would push for ever.
        if matches!(touch.phase, TouchPhase::Ended | TouchPhase::Cancelled) {
            self.touches.up(touch.id);
            self.held.push(self.touches.push());
            return;
        }
        let (Some(window), Some(graphics)) = (&self.window, &mut self.graphics) else { return };
        let at: [f64; 2] = touch.location.to_logical::<f64>(window.scale_factor()).into();
        match touch.phase {
            // Panels have fingers of their own.
            TouchPhase::Started if graphics.painter().has_panel_at(window, touch.location) => {}
            TouchPhase::Started => self.touches.down(touch.id, at),
            TouchPhase::Moved => {
                if let Some(delta) = self.touches.moved(touch.id, at) {
                    let session = &mut self.workspace.session;
                    session.cameras.look(&mut session.scene.camera, delta);
                }
            }
            TouchPhase::Ended | TouchPhase::Cancelled => {}
        }
        self.held.push(self.touches.push());
    }

    fn on_wheel(&mut self, delta: MouseScrollDelta) {
        const PIXELS_PER_NOTCH: f64 = 50.0;
        self.workspace.session.cameras.wheel(match delta {
            MouseScrollDelta::LineDelta(_, lines) => f64::from(lines),
            MouseScrollDelta::PixelDelta(pixels) => pixels.y / PIXELS_PER_NOTCH,
        });
    }

    /// Offers the event to the panels first, except for the window's own keys. Returns whether a panel used
    /// it up.
    fn offer_to_panels(&mut self, event: &WindowEvent) -> bool {
        // The pointer is held while it turns the camera.
        if self.looking && matches!(event, WindowEvent::CursorMoved { .. }) {
            return false;
        }
        if let WindowEvent::KeyboardInput { event, .. } = event
            && event.state == ElementState::Pressed
            && self.route(event) != Some(Route::Panels)
        {
            // Tab would move egui's focus, and Space press its focused button.
            return false;
        }
        let (Some(window), Some(graphics)) = (&self.window, &mut self.graphics) else {
            return false;
        };
        graphics.painter().on_event(window, event)
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
        let used_up = self.offer_to_panels(&event);
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested => {
                if let Err(error) = self.draw(event_loop) {
                    self.fail(event_loop, error);
                }
            }
            WindowEvent::Resized(size) => {
                if let Some(graphics) = &mut self.graphics {
                    graphics.resize();
                }
                if let Some(window) = &self.window
                    && window.fullscreen().is_none()
                    && size.width >= 64
                    && size.height >= 64
                {
                    let logical = size.to_logical::<u32>(window.scale_factor());
                    self.workspace.session.window = [logical.width, logical.height];
                }
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::Focused(false) => {
                self.modifiers = ModifiersState::empty();
                self.held.clear();
                self.touches.clear();
                self.look(false);
            }
            WindowEvent::KeyboardInput { event, .. } if !used_up => self.on_key(event_loop, &event),
            // A key that was pressed over the picture is released everywhere.
            WindowEvent::KeyboardInput { event, .. } => {
                if let PhysicalKey::Code(key) = event.physical_key {
                    self.held.set(key, false);
                }
            }
            WindowEvent::MouseInput { state, button: MouseButton::Right, .. } => {
                self.look(state == ElementState::Pressed && !used_up);
            }
            WindowEvent::Touch(touch) => self.on_touch(&touch),
            WindowEvent::MouseWheel { delta, .. } if !used_up => self.on_wheel(delta),
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta } = event
            && self.looking
        {
            let session = &mut self.workspace.session;
            session.cameras.look(&mut session.scene.camera, delta);
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
        self.look(false);
    }
}
