//! The system's side.

#[cfg(feature = "app")]
mod app;
mod cores;
#[cfg(any(feature = "app", feature = "cli", feature = "tune"))]
pub(crate) mod files;
#[cfg(feature = "app")]
mod save;
mod timed;
mod work;

pub(crate) use std::time::Instant;

#[cfg(feature = "app")]
pub(crate) use self::app::*;
pub(crate) use self::cores::side_by_side;
#[cfg(feature = "app")]
pub(crate) use self::save::Saver;
pub(crate) use self::timed::Timed;
pub use self::work::Task;
#[cfg(feature = "app")]
pub(crate) use self::work::{CAN_WAIT, Pending, sleep};

/// Whether what is dropped is freed late, and has to be destroyed to be freed at once: not here.
pub(crate) const FREES_LATE: bool = false;

/// Whether shaders are compiled in this process, so that what is said of them is there at once.
pub(crate) const COMPILES_HERE: bool = true;

/// What is known of an adapter whose driver gives it no name: nothing.
pub(crate) async fn adapter_name() -> String {
    String::new()
}

/// Lets others have their turn: threads have it anyway.
pub(crate) async fn pause() {}
