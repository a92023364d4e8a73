//! The differences between a native program and a page in a browser, behind the same names. No other
//! module needs to know which of the two it runs in.
//!
//! | | native | web |
//! |---|---|---|
//! | clock | the system's | `performance.now()`, as coarse as the browser makes it |
//! | compiling shaders | in this process, on several threads | in another process, which answers later |
//! | background work | threads, which may wait | cooperative tasks of the page's event loop |
//! | what is remembered, presets | files in the user's folders | the browser's storage |

mod cooperative;
mod notify;
#[cfg(not(target_family = "wasm"))]
#[path = "native/mod.rs"]
mod side;
#[cfg(target_family = "wasm")]
#[path = "web/mod.rs"]
mod side;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use self::cooperative::Cooperative;
pub use self::notify::Notify;
pub use self::side::Task;
pub use self::side::*;

/// Locks data that stays sound where a thread panics while it holds the lock.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
