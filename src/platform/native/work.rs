//! Work behind the frames: on threads.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Whether what is awaited can be waited for on the spot.
pub(crate) const CAN_WAIT: bool = true;

/// Work that goes on by itself: on a thread of its own. Dropping it leaves it to itself.
#[derive(Debug)]
pub struct Task(JoinHandle<()>);

impl Task {
    /// Begins the work that `make` gives, called `name`, on a thread of its own.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub(crate) fn spawn<Work: Future<Output = ()>>(
        name: &str,
        make: impl FnOnce() -> Work + Send + 'static,
    ) -> io::Result<Self> {
        let thread = thread::Builder::new().name(name.to_owned());
        thread.spawn(move || pollster::block_on(make())).map(Self)
    }

    /// Whether it has come to its end.
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for its end.
    pub fn finish(self) {
        // A panic has been told on its own thread.
        let _ = self.0.join();
    }
}

/// What is on its way.
#[derive(Debug)]
pub(crate) struct Pending<T>(Option<T>);

impl<T> Pending<T> {
    /// Has `work` done: here and now.
    pub fn start(work: impl Future<Output = T>) -> Self {
        Self(Some(pollster::block_on(work)))
    }

    /// What came of it, once.
    pub fn take(&mut self) -> Option<T> {
        self.0.take()
    }
}

/// Does nothing for so long.
pub(crate) async fn sleep(duration: Duration) {
    thread::sleep(duration);
}
