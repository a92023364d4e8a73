mod cores;
#[cfg(feature = "files")]
pub mod files;
mod timed;
mod work;

pub use std::time::Instant;

pub use self::cores::side_by_side;
pub use self::timed::Timed;
pub use self::work::Task;
pub use self::work::{CAN_WAIT, Pending, sleep};

/// Whether dropped resources are freed late, and have to be destroyed to be freed at once: not natively.
pub const FREES_LATE: bool = false;

/// Whether shaders are compiled in this process, so that errors are known at once.
pub const COMPILES_HERE: bool = true;

/// The name of an adapter whose driver does not report one: none natively.
pub async fn adapter_name() -> String {
    String::new()
}

/// Lets other tasks run: threads do anyway.
pub async fn pause() {}
