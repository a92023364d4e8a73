mod file_input;
mod save;

use std::path::PathBuf;
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event_loop::{ControlFlow, EventLoop};
use winit::keyboard::KeyCode;
use winit::window::{Window, WindowAttributes};

pub(crate) use self::file_input::{CAN_CHOOSE_FILES, FileInput, OpenedFiles, receives_files};
pub(crate) use self::save::Exporter;
use crate::profile::Profiler;

/// Whether the program can be quit from within.
pub(crate) const CAN_QUIT: bool = true;

/// The keys for slow flight while they are held.
pub(crate) const SLOW_KEYS: &[KeyCode] = &[KeyCode::ControlLeft, KeyCode::ControlRight];

/// Whether a frame can be shown without waiting for the display.
pub(crate) const HAS_VSYNC_CHOICE: bool = true;

/// Whether requests give way to the adapter's limits. Natively they come from a user who reads the error.
pub(crate) const GIVES_WAY: bool = false;

/// The frames that show the sea without objects at first; `None` where all shaders are compiled behind the empty
/// window.
pub(crate) const FRAMES_WITHOUT_OBJECTS: Option<u32> = None;

/// Whether failed starts are counted. Natively, users see how the program ends, and can start it with
/// other options.
pub(crate) const COUNTS_STARTS: bool = false;

/// The pixels of the screen, where the adapter's speed is unknown; natively its kind is known.
pub(crate) fn screen_pixels() -> Option<f64> {
    None
}

pub(crate) fn can_fill_screen() -> bool {
    true
}

/// Whether the user has a touch screen only.
pub(crate) fn has_fingers_only() -> bool {
    false
}

/// The interval of saving the state; `None` where the program is notified of its end.
pub(crate) const REMEMBER_EVERY: Option<Duration> = None;

/// The event loop's way to the next frame, once that is requested.
pub(crate) const NEXT_FRAME: ControlFlow = ControlFlow::Poll;

/// The attributes of a window of the given size in logical pixels.
pub(crate) fn window([width, height]: [u32; 2]) -> WindowAttributes {
    Window::default_attributes()
        .with_inner_size(LogicalSize::new(width, height))
        .with_min_inner_size(LogicalSize::new(1, 1))
}

/// Runs `program` until its window closes, and returns the result of `end`.
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

/// Reports that the window has something to show: natively, users see it.
pub(crate) fn report_opened() {}

/// Reports why the program ends: natively, its caller does.
pub(crate) fn report_end(_reason: &str) {}

/// The scene in the program's address.
pub(crate) fn address() -> Option<String> {
    None
}

pub(crate) fn set_address(_link: &str) {}

/// Copies `text` to the clipboard: egui-winit does so by itself.
pub(crate) fn copy(_text: &str, _refused: impl FnOnce() + 'static) {}

pub(crate) type ProfileServer = puffin_http::Server;

/// Serves live profiles at `address`. The error is the system's message.
pub(crate) fn serve_profiles(address: &str) -> Result<ProfileServer, String> {
    let (add, remove) = (Profiler::add_live_sink, Profiler::remove_live_sink);
    puffin_http::Server::new_custom(address, add, remove).map_err(|error| format!("{error:#}"))
}

pub(crate) type FolderWatcher = RecommendedWatcher;

/// Calls `changed` whenever a file in one of `folders` changes.
///
/// # Errors
/// The message of the system.
pub(crate) fn watch_folders(
    folders: &[PathBuf],
    changed: impl Fn() + Send + 'static,
) -> Result<FolderWatcher, String> {
    let handler = move |event: notify::Result<notify::Event>| {
        // Reads of the files are events, too.
        if !event.is_ok_and(|event| matches!(event.kind, EventKind::Access(_))) {
            changed();
        }
    };
    let watching = notify::recommended_watcher(handler).and_then(|mut watcher| {
        folders.iter().try_for_each(|folder| watcher.watch(folder, RecursiveMode::Recursive))?;
        Ok(watcher)
    });
    watching.map_err(|error| error.to_string())
}
