//! The window: a fly camera over the sea, panels for everything that can be chosen, and the cost of each
//! choice.

mod background;
mod camera;
mod comparing;
mod fft_choice;
mod files;
#[cfg(feature = "cli")]
pub mod filter;
mod graphics;
mod held;
mod history;
mod input;
mod link;
mod measuring;
mod messages;
mod painter;
mod platform;
mod program;
mod recovery;
mod scaled;
mod screen;
mod sea;
mod session;
mod shader_watch;
mod starts;
mod state;
mod time;
mod touch;
mod ui;
mod undo;
mod window;
mod workspace;

use std::path::PathBuf;

use winit::event_loop::EventLoop;

#[cfg(all(feature = "web", target_family = "wasm"))]
pub(crate) use self::platform::report_end;
use self::program::{Mode, Program};
pub use self::recovery::Fault;
use self::sea::Sea;
pub use self::shader_watch::WatchError;
use crate::fft::lab::AlgorithmChoice;
use crate::gpu::{ContextError, LimitsPreset};
use crate::ocean::OceanPath;
use crate::settings::{Preset, QualityTier};

/// The options of `seaway run`. `None` means the value of the last session if there was one, and the default
/// otherwise.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The scene to start with, and the name it was loaded by.
    pub scene: Option<(String, Preset)>,
    /// Starts walking on the water, with the eye this many metres above it, within
    /// [`EyeLevel::HEIGHTS_M`](crate::eye::EyeLevel::HEIGHTS_M).
    pub eye_above_water_m: Option<f64>,
    /// The quality of the picture; `None` follows the adapter.
    pub tier: Option<QualityTier>,
    /// Points along one side of each cascade's grid, in place of the tier's.
    pub size: Option<u32>,
    /// The FFT algorithm, or how to choose it.
    pub algorithm: Option<AlgorithmChoice>,
    /// Whether the FFT is fused with spectrum and maps.
    pub path: Option<OceanPath>,
    /// For `auto`: neither read nor write the stored results.
    pub no_cache: bool,
    /// How much of the adapter to use.
    pub limits: LimitsPreset,
    /// Width and height of the window, in logical pixels.
    pub resolution: Option<[u32; 2]>,
    /// Starts the window in full screen.
    pub full_screen: bool,
    /// Wait for the display before each frame.
    pub vsync: Option<bool>,
    /// Maximum number of frames per second; 0 for no limit.
    pub frame_cap: Option<u32>,
    /// Serve live profiles to `puffin_viewer` on the loopback address.
    pub profile: bool,
    /// The folder of shaders to watch and reload from.
    pub watch_shaders: Option<PathBuf>,
    /// Starts moving through the hours of the spectrum file, at this many hours a minute.
    pub voyage_hours_per_min: Option<f64>,
    /// Ignore the settings of the last session, and do not save those of this one.
    pub fresh: bool,
    /// For tests: the faults to inject, each at a frame that shows the sea, counted from 1.
    pub faults: Vec<(Fault, u64)>,
}

/// Why the window could not be opened, or had to close.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// No display, or the window system refused.
    #[error(
        "the window could not be opened: {0}. {hint}", hint = platform::STRINGS.no_window
    )]
    Window(String),
    /// No adapter or no device for the requested limits. It is a cause, which the exit code follows.
    #[error("{0}")]
    Context(#[from] ContextError),
    /// The adapter cannot draw to the window.
    #[error("{adapter} cannot draw to this window: {reason}")]
    Surface {
        /// The name of the adapter.
        adapter: String,
        /// The capability that the adapter lacks.
        reason: String,
    },
    /// The frame's stages could not be built, and there is no other frame to show.
    #[error("{0}")]
    Frame(String),
    /// The GPU was lost several times in a row.
    #[error("the graphics device was lost ({reason}) and could not be opened again")]
    DeviceLost {
        /// The message of the driver.
        reason: String,
    },
    /// The folder of shaders does not exist or cannot be watched.
    #[error(transparent)]
    Watch(#[from] WatchError),
    /// The profiler's port is taken.
    #[error("the profile server could not listen on {address}: {reason}")]
    ProfileServer {
        /// The address and port of the server.
        address: &'static str,
        /// The message of the system.
        reason: String,
    },
}

impl AppError {
    fn window(error: &dyn std::fmt::Display) -> Self {
        let text = error.to_string();
        // winit names the line of its source that failed ("os error at FILE:LINE: ..").
        let said = match text.strip_prefix("os error at ").and_then(|rest| rest.split_once(": ")) {
            Some((_, said)) => said,
            None => &text,
        };
        Self::Window(said.trim_end_matches('.').to_owned())
    }
}

/// The address and port of the `--profile` server, which other machines cannot reach.
pub const PROFILE_ADDRESS: &str = "127.0.0.1:8585";

/// Returns the folder of shaders to watch where none is named.
pub fn default_shader_folder() -> PathBuf {
    shader_watch::default_folder()
}

/// Opens the window and runs until it closes; in a browser, returns at once.
///
/// # Errors
/// [`AppError`]; [`AppError::Context`] means that there is no usable adapter.
pub fn run(options: RunOptions) -> Result<(), AppError> {
    let _server = if options.profile { Some(serve_profiles()?) } else { None };
    let (limits, sea) = (options.limits, Sea::new(options));
    let (attributes, messages) = sea.window();
    open(Program::new(sea, attributes, limits, messages))
}

fn open(program: Program<impl Mode + 'static>) -> Result<(), AppError> {
    let event_loop = EventLoop::new().map_err(|error| AppError::window(&error))?;
    platform::run(event_loop, program, Program::finish, AppError::window)
}

fn serve_profiles() -> Result<platform::ProfileServer, AppError> {
    let address = PROFILE_ADDRESS;
    platform::serve_profiles(address).map_err(|reason| AppError::ProfileServer { address, reason })
}
