//! `seaway filter IMAGE`: a picture and its power spectrum, filtered while sliders move.

mod graphics;
mod loader;
mod panel;
mod panes;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use winit::event::{ElementState, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::Window;

use self::graphics::Graphics;
use super::AppError;
use super::messages::Messages;
use super::program::{Mode, Program};
use super::screen::{Opened, Screen};
use crate::app::platform;
use crate::fft::lab::AlgorithmChoice;
use crate::filter::Band;
use crate::filter::picture::Picture;
use crate::gpu::LimitsPreset;

/// The initial state of the window.
#[derive(Clone, Debug)]
pub struct FilterOptions {
    /// The file of the picture, shown in the panel.
    pub path: PathBuf,
    /// The picture, in the sRGB encoding or the linear values of its file.
    pub picture: Picture,
    /// The frequencies that pass, in cycles per image.
    pub band: Band,
    /// Added to every value of the result.
    pub offset: f32,
    /// Filter linear light: whole numbers are decoded from sRGB.
    pub linear: bool,
    /// The algorithm of the transforms; `None` for the best that is known.
    pub algorithm: Option<AlgorithmChoice>,
    /// How much of the adapter to use.
    pub limits: LimitsPreset,
}

/// Opens the window and runs until it closes.
///
/// # Errors
/// As [`super::run`].
pub fn run(options: FilterOptions) -> Result<(), AppError> {
    let FilterOptions { path, picture, band, offset, linear, algorithm, limits } = options;
    let controls = Controls {
        low: band.low(),
        high: band.high(),
        falloff: band.falloff(),
        offset,
        algorithm: algorithm.unwrap_or(AlgorithmChoice::Best),
        output: Picture::default_name(&path).display().to_string(),
    };
    let picture = Arc::new(picture);
    let messages = Messages::default();
    let filter = Filter {
        subject: Subject { linear, controls, path, picture, dropped: None, hovered: false },
        messages: messages.clone(),
        graphics: None,
    };
    let attributes = platform::window([1280, 720]).with_title("Seaway filter");
    super::open(Program::new(filter, attributes, limits, messages))
}

#[derive(Clone, Debug, PartialEq)]
struct Controls {
    /// The lower end of the band, in cycles per image.
    low: f64,
    /// Infinite where everything above `low` passes.
    high: f64,
    falloff: f64,
    offset: f32,
    algorithm: AlgorithmChoice,
    output: String,
}

impl Controls {
    /// The band that passes. The sliders keep its ends in order.
    fn band(&self) -> Band {
        Band::new(self.low, self.high.max(self.low), self.falloff).unwrap_or(Band::ALL)
    }
}

/// The picture and what is to be done with it: everything that outlives a device.
struct Subject {
    /// Whether to filter linear light.
    linear: bool,
    controls: Controls,
    path: PathBuf,
    picture: Arc<Picture>,
    /// A file to show in place of the picture.
    dropped: Option<PathBuf>,
    /// Whether a file is held over the window.
    hovered: bool,
}

/// The filter's window, as a mode of the program.
struct Filter {
    subject: Subject,
    messages: Messages,
    graphics: Option<Graphics>,
}

impl Mode for Filter {
    // Frames that cost the processor time are rare unless users do something.
    const DRAWS_AT_EVENTS: bool = true;

    fn start(
        &mut self,
        event_loop: &ActiveEventLoop,
        opened: Opened,
        _is_first: bool,
    ) -> Result<(), AppError> {
        let screen = Screen::new(event_loop, opened, true, self.messages.clone())?;
        self.graphics = Some(Graphics::new(screen, &self.subject)?);
        Ok(())
    }

    fn screen(&mut self) -> Option<&mut Screen> {
        self.graphics.as_mut().map(|graphics| &mut graphics.screen)
    }

    fn drop_device(&mut self) {
        self.graphics = None;
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<Option<Duration>, AppError> {
        let graphics = self.graphics.as_mut();
        graphics.map_or(Ok(None), |graphics| graphics.draw(event_loop, &mut self.subject))
    }

    fn event(&mut self, event_loop: &ActiveEventLoop, window: &Window, event: &WindowEvent) {
        let Some(graphics) = &mut self.graphics else { return };
        let used_up = graphics.screen.painter.on_event(window, event);
        match event {
            WindowEvent::HoveredFile(_) => self.subject.hovered = true,
            WindowEvent::HoveredFileCancelled => self.subject.hovered = false,
            WindowEvent::DroppedFile(path) => {
                self.subject.hovered = false;
                self.subject.dropped = Some(path.clone());
                graphics.screen.painter.touch();
            }
            WindowEvent::KeyboardInput { event, .. }
                if !used_up && event.state == ElementState::Pressed && !event.repeat =>
            {
                match event.physical_key {
                    PhysicalKey::Code(KeyCode::Escape) => event_loop.exit(),
                    PhysicalKey::Code(KeyCode::KeyS) => graphics.save(&self.subject),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}
