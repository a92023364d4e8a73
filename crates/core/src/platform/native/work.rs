use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Whether callers can block until a result is ready.
pub const CAN_WAIT: bool = true;

/// Background work on its own thread. Dropping it detaches the thread.
#[derive(Debug)]
pub struct Task(JoinHandle<()>);

impl Task {
    /// Starts the work that `make` returns on its own thread, with the given name.
    ///
    /// # Errors
    /// An error where the system cannot create a thread.
    pub fn spawn<Work: Future<Output = ()>>(
        name: &str,
        make: impl FnOnce() -> Work + Send + 'static,
    ) -> io::Result<Self> {
        let thread = thread::Builder::new().name(name.to_owned());
        thread.spawn(move || pollster::block_on(make())).map(Self)
    }

    /// Returns whether it has ended.
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for the end of the work.
    pub fn finish(self) {
        // The thread has already reported its panic.
        let _ = self.0.join();
    }
}

/// A result that may not be ready yet.
#[derive(Debug)]
pub struct Pending<T>(Option<T>);

impl<T> Pending<T> {
    /// Does `work`, and keeps its result.
    pub fn start(work: impl Future<Output = T>) -> Self {
        Self(Some(pollster::block_on(work)))
    }

    /// Takes the result once it is there.
    pub fn take(&mut self) -> Option<T> {
        self.0.take()
    }
}

/// Waits until `duration` has passed.
pub async fn sleep(duration: Duration) {
    thread::sleep(duration);
}
