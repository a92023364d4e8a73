//! The sea, as a mode of the program: its keys, its pointer and its state from visit to visit.

use std::path::PathBuf;
use std::time::Duration;

use winit::event::{
    ElementState, KeyEvent, MouseButton, MouseScrollDelta, Touch, TouchPhase, WindowEvent,
};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{Key, ModifiersState, PhysicalKey};
use winit::window::{CursorGrabMode, Fullscreen, Window, WindowAttributes};

use super::graphics::Graphics;
use super::held::Held;
use super::input::{self, Action, Keyboard, Press, Route};
use super::messages::Messages;
use super::program::Mode;
use super::recovery::Fault;
use super::screen::{Opened, Screen};
use super::starts::Starts;
use super::touch::Touches;
use super::ui::Command;
use super::workspace::Workspace;
use super::{AppError, RunOptions, link, state};
use crate::app::platform::{self, FileInput, Instant};
use crate::settings::UserPresets;

/// The sea and its visitor.
pub(super) struct Sea {
    options: RunOptions,
    workspace: Workspace,
    /// The file of the session, if it is saved.
    state_path: Option<PathBuf>,
    /// The time of the last save of the window's state.
    remembered: Instant,
    /// Saving has failed, and that has been reported.
    write_failed: bool,
    /// Those before this one that have shown nothing.
    starts: Starts,
    graphics: Option<Graphics>,
    held: Held,
    /// The spectrum files that the user opens.
    file_input: FileInput,
    touches: Touches,
    modifiers: ModifiersState,
    /// The right mouse button turns the camera.
    looking: bool,
    last_frame: Option<Instant>,
    /// The fault that a test injects into the next frame.
    fault: Option<Fault>,
    /// Frames that have shown the sea.
    frames: u64,
}

impl Sea {
    /// Creates the mode from the options and the state of the last visit.
    pub fn new(options: RunOptions) -> Self {
        let state_path = if options.fresh { None } else { state::path() };
        let mut session = state_path.as_deref().map(state::load).unwrap_or_default();
        session.apply(&options);
        let mut options = options;
        let followed = platform::address().map(|link| link::follow(&mut session, &link));
        let followed = followed.unwrap_or_default();
        options.size = options.size.or(followed.size);
        let workspace = Workspace::new(session, UserPresets::of_user());
        let file_input = FileInput::new(&workspace.messages);
        for text in followed.messages() {
            workspace.messages.warn(text);
        }
        Self {
            options,
            workspace,
            state_path,
            remembered: Instant::now(),
            write_failed: false,
            starts: Starts::of_user(),
            graphics: None,
            held: Held::default(),
            file_input,
            touches: Touches::default(),
            modifiers: ModifiersState::empty(),
            looking: false,
            last_frame: None,
            fault: None,
            frames: 0,
        }
    }

    /// Returns the window to open and the messages in it.
    pub fn window(&self) -> (WindowAttributes, Messages) {
        let full = self.options.full_screen.then_some(Fullscreen::Borderless(None));
        let attributes = platform::window(self.workspace.session.window).with_title("Seaway");
        (attributes.with_fullscreen(full), self.workspace.messages.clone())
    }

    /// Writes down what is seen every now and then, where the end will not be told.
    fn remember(&mut self, now: Instant) {
        if platform::REMEMBER_EVERY.is_some_and(|rest| now - self.remembered > rest) {
            self.remembered = now;
            self.store();
            platform::set_address(&link::of(&self.workspace.session));
        }
    }

    fn command(&mut self, event_loop: &ActiveEventLoop, command: Command) {
        if let Some(graphics) = &mut self.graphics {
            graphics.screen.painter.touch();
        }
        let capabilities = self.graphics.as_ref().map(Graphics::capabilities);
        match self.workspace.command(command, capabilities) {
            Some(Command::Action(action)) => self.carry_out(event_loop, action),
            Some(Command::Compare(command)) => {
                if let Some(graphics) = &mut self.graphics {
                    graphics.compare(command, &self.workspace.session);
                }
            }
            Some(Command::ChooseSpectrumFiles) => self.file_input.choose(),
            Some(other) => log::error!("no handler for {other:?}"),
            None => {}
        }
    }

    /// Opens the spectrum files that have come since the last frame.
    fn open_files(&mut self) {
        let Some(files) = self.file_input.take() else { return };
        if let Some(graphics) = &mut self.graphics {
            graphics.screen.painter.touch();
        }
        self.workspace.open_spectrum_files(&files);
    }

    fn act(&mut self, event_loop: &ActiveEventLoop, action: Action) {
        if let Some(graphics) = &mut self.graphics {
            graphics.screen.painter.touch();
        }
        let capabilities = self.graphics.as_ref().map(Graphics::capabilities);
        if let Some(action) = self.workspace.act(action, capabilities) {
            self.carry_out(event_loop, action);
        }
    }

    /// The actions that the workspace leaves to the window.
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
                if let Some(graphics) = self.graphics.as_ref().filter(|_| can) {
                    let window = &graphics.screen.window;
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

    /// Where a key goes; nowhere that is known where it has no place on a keyboard.
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
            .map_or(Keyboard::Sea, |graphics| graphics.screen.painter.keyboard(session));
        Some(input::route(press, keyboard))
    }

    /// The right button went down or up over the picture.
    fn look(&mut self, window: &Window, looking: bool) {
        if self.looking == looking {
            return;
        }
        self.looking = looking;
        // Not every platform can lock the pointer; confined is next best, and neither is needed to
        // look around.
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

    fn on_touch(&mut self, window: &Window, touch: &Touch) {
        // A finger that leaves has left, whether or not there is a device: else it would push for ever.
        if matches!(touch.phase, TouchPhase::Ended | TouchPhase::Cancelled) {
            self.touches.up(touch.id);
            self.held.push(self.touches.push());
            return;
        }
        let Some(graphics) = &mut self.graphics else { return };
        let at: [f64; 2] = touch.location.to_logical::<f64>(window.scale_factor()).into();
        match touch.phase {
            // Panels have fingers of their own.
            TouchPhase::Started if graphics.screen.painter.has_panel_at(window, touch.location) => {
            }
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

    /// The panels see the event first, but for the keys that are the window's everywhere.
    /// Says whether a panel used it up.
    fn offer_to_panels(&mut self, window: &Window, event: &WindowEvent) -> bool {
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
        let graphics = self.graphics.as_mut();
        graphics.is_some_and(|graphics| graphics.screen.painter.on_event(window, event))
    }
}

impl Mode for Sea {
    fn start(
        &mut self,
        event_loop: &ActiveEventLoop,
        opened: Opened,
        is_first: bool,
    ) -> Result<(), AppError> {
        // Not before: a page in a tab that nobody looks at opens no device, and is no failure.
        if is_first && self.starts.begin() {
            self.options.size = None;
            self.workspace.session.suit_the_adapter();
            self.workspace.messages.warn(
                "The last starts ended before the sea was shown, so the settings were reset to \
                 suit your graphics adapter.",
            );
        }
        let (options, messages) = (&self.options, self.workspace.messages.clone());
        let session = &mut self.workspace.session;
        self.graphics = Some(Graphics::new(event_loop, opened, options, session, messages)?);
        Ok(())
    }

    fn screen(&mut self) -> Option<&mut Screen> {
        self.graphics.as_mut().map(|graphics| &mut graphics.screen)
    }

    fn drop_device(&mut self) {
        self.graphics = None;
        // What the command line asked for has been settled: what was chosen since then stays.
        self.options.size = Some(self.workspace.session.quality.size);
    }

    fn inject_faults(&mut self) {
        self.fault = None;
        let Some(graphics) = &self.graphics else { return };
        if graphics.shows_the_sea() {
            self.frames += 1;
            // The first are those that ask for the memory.
            let without_objects = platform::FRAMES_WITHOUT_OBJECTS.unwrap_or(0);
            if self.frames == u64::from(without_objects) + 3 {
                self.starts.succeeded();
            }
            let due = self.options.faults.iter().find(|(_, frame)| *frame == self.frames);
            self.fault = due.map(|(fault, _)| *fault);
        }
        if self.fault == Some(Fault::DeviceLost) {
            graphics.lose_device();
        }
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<Option<Duration>, AppError> {
        self.open_files();
        let now = Instant::now();
        let interval = self.last_frame.map_or(Duration::ZERO, |last| now - last);
        self.last_frame = Some(now);
        let seconds = interval.as_secs_f64();
        self.workspace.session.clock.advance(seconds);
        let session = &mut self.workspace.session;
        let is_shown = self.graphics.as_ref().is_some_and(Graphics::shows_the_sea);
        let voyage_s = if is_shown && !session.clock.paused { seconds } else { 0.0 };
        session.voyage.advance(&mut session.scene.sea, voyage_s);
        let ground = session.ground();
        session.cameras.advance(&mut session.scene.camera, &self.held, seconds, ground);

        // What has not been seen yet may be what the device goes under with: the next visit would, too.
        let graphics = self.graphics.as_ref();
        if graphics.is_some_and(|graphics| graphics.shows_what_is_chosen(&self.workspace.session)) {
            self.remember(now);
        }
        let Some(graphics) = &mut self.graphics else { return Ok(None) };
        let commands = match graphics.draw(event_loop, &mut self.workspace, self.fault)? {
            Ok(commands) => commands,
            Err(rest) => return Ok(Some(rest)),
        };
        let cap = self.workspace.session.frame_cap;
        for command in commands {
            self.command(event_loop, command);
        }
        Ok((cap > 0).then(|| Duration::from_secs_f64(1.0 / f64::from(cap))))
    }

    fn event(&mut self, event_loop: &ActiveEventLoop, window: &Window, event: &WindowEvent) {
        let used_up = self.offer_to_panels(window, event);
        match event {
            WindowEvent::Resized(size)
                if window.fullscreen().is_none() && size.width >= 64 && size.height >= 64 =>
            {
                let logical = size.to_logical::<u32>(window.scale_factor());
                self.workspace.session.window = [logical.width, logical.height];
            }
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state(),
            WindowEvent::Focused(false) => {
                self.modifiers = ModifiersState::empty();
                self.held.clear();
                self.touches.clear();
                self.look(window, false);
            }
            WindowEvent::KeyboardInput { event, .. } if !used_up => {
                self.on_key(event_loop, event);
            }
            // A key that was pressed over the picture is released everywhere.
            WindowEvent::KeyboardInput { event, .. } => {
                if let PhysicalKey::Code(key) = event.physical_key {
                    self.held.set(key, false);
                }
            }
            WindowEvent::MouseInput { state, button: MouseButton::Right, .. } => {
                self.look(window, *state == ElementState::Pressed && !used_up);
            }
            WindowEvent::Touch(touch) => self.on_touch(window, touch),
            WindowEvent::DroppedFile(path) => self.file_input.add(path.clone()),
            WindowEvent::MouseWheel { delta, .. } if !used_up => self.on_wheel(*delta),
            _ => {}
        }
    }

    fn mouse_moved(&mut self, delta: (f64, f64)) {
        if self.looking {
            let session = &mut self.workspace.session;
            session.cameras.look(&mut session.scene.camera, delta);
        }
    }

    fn exiting(&mut self, window: &Window) {
        self.look(window, false);
    }

    fn store(&mut self) {
        if let Some(path) = &self.state_path
            && let Err(error) = state::save(path, &self.workspace.session)
            // What cannot be written now cannot be a second later.
            && !std::mem::replace(&mut self.write_failed, true)
        {
            log::warn!("{} could not be written: {error}", path.display());
        }
    }
}
