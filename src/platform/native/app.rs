//! The window's system.

use std::path::Path;
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event_loop::{ControlFlow, EventLoop};
use winit::keyboard::KeyCode;
use winit::window::{Window, WindowAttributes};

use crate::profile::Profiler;

/// Whether the program can be left from within.
pub(crate) const CAN_QUIT: bool = true;

/// The keys that fly slowly while they are held.
pub(crate) const SLOW_KEYS: &[KeyCode] = &[KeyCode::ControlLeft, KeyCode::ControlRight];

/// Whether a frame can be shown without waiting for the display.
pub(crate) const HAS_VSYNC_CHOICE: bool = true;

/// Whether what was asked for gives way to what the adapter can run. Natively, it was asked for here, by
/// someone who is told why not.
pub(crate) const GIVES_WAY: bool = false;

/// Whether starts that show nothing are counted. Natively, whoever starts the program sees how it ends,
/// and has options for another start.
pub(crate) const COUNTS_STARTS: bool = false;

/// Pixels of the screen, where nobody knows how fast the adapter fills them: here its kind is known.
pub(crate) fn screen_pixels() -> Option<f64> {
    None
}

/// Whether the window can fill the screen.
pub(crate) fn can_fill_screen() -> bool {
    true
}

/// Whether fingers are all that whoever looks has.
pub(crate) fn has_fingers_only() -> bool {
    false
}

/// How often to write down what is remembered; nothing where the program's end is told.
pub(crate) const REMEMBER_EVERY: Option<Duration> = None;

/// How the event loop goes on to the next frame, which has been asked for.
pub(crate) const NEXT_FRAME: ControlFlow = ControlFlow::Poll;

/// A window of that size in logical pixels.
pub(crate) fn window([width, height]: [u32; 2]) -> WindowAttributes {
    Window::default_attributes()
        .with_inner_size(LogicalSize::new(width, height))
        .with_min_inner_size(LogicalSize::new(1, 1))
}

/// Runs `program` until its window closes, and gives what `end` makes of it.
pub(crate) fn run<Program: ApplicationHandler + 'static, E>(
    event_loop: EventLoop<()>,
    mut program: Program,
    end: impl FnOnce(Program) -> Result<(), E>,
    failed: impl FnOnce(&dyn std::fmt::Display) -> E,
) -> Result<(), E> {
    let ran = event_loop.run_app(&mut program);
    end(program)?;
    ran.map_err(|error| failed(&error))
}

/// Tells the user that the window has something to show from now on: they see it.
pub(crate) fn tell_opened() {}

/// Tells the user why the program ends: whoever started it does.
pub(crate) fn tell_end(_reason: &str) {}

/// The scene that the program was given by address.
pub(crate) fn address() -> Option<String> {
    None
}

/// Makes `link` the address of what is shown.
pub(crate) fn set_address(_link: &str) {}

/// Puts `text` where other programs paste from: egui-winit does by itself.
pub(crate) fn copy(_text: &str, _refused: impl FnOnce() + 'static) {}

/// Serves live profiles while it lives.
pub(crate) type ProfileServer = puffin_http::Server;

/// Serves live profiles at `address`.
///
/// # Errors
/// What the system says.
pub(crate) fn serve_profiles(address: &str) -> Result<ProfileServer, String> {
    let (add, remove) = (Profiler::add_live_sink, Profiler::remove_live_sink);
    puffin_http::Server::new_custom(address, add, remove).map_err(|error| format!("{error:#}"))
}

/// Watches a folder while it lives.
pub(crate) type FolderWatcher = RecommendedWatcher;

/// Calls `changed` whenever something in `folder` does.
///
/// # Errors
/// What the system says.
pub(crate) fn watch_folder(
    folder: &Path,
    changed: impl Fn() + Send + 'static,
) -> Result<FolderWatcher, String> {
    let handler = move |event: notify::Result<notify::Event>| {
        // Reading the files is an event as well.
        if !event.is_ok_and(|event| matches!(event.kind, EventKind::Access(_))) {
            changed();
        }
    };
    let watching = notify::recommended_watcher(handler).and_then(|mut watcher| {
        watcher.watch(folder, RecursiveMode::Recursive)?;
        Ok(watcher)
    });
    watching.map_err(|error| error.to_string())
}
