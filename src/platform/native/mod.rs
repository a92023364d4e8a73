mod cores;
#[cfg(any(feature = "app", feature = "cli", feature = "tune"))]
pub(crate) mod files;
mod timed;
mod work;

pub(crate) use std::time::Instant;

pub(crate) use self::cores::side_by_side;
pub(crate) use self::timed::Timed;
pub use self::work::Task;
#[cfg(feature = "app")]
pub(crate) use self::work::{CAN_WAIT, Pending, sleep};

/// Whether dropped resources are freed late, and have to be destroyed to be freed at once: not natively.
pub(crate) const FREES_LATE: bool = false;

/// Whether shaders are compiled in this process, so that errors are known at once.
pub(crate) const COMPILES_HERE: bool = true;

/// The name of an adapter whose driver does not report one: none natively.
pub(crate) async fn adapter_name() -> String {
    String::new()
}

/// Lets other tasks run: threads do anyway.
pub(crate) async fn pause() {}
