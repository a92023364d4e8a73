//! One task that waits until others have something for it.

use std::future::poll_fn;
use std::sync::{Mutex, PoisonError};
use std::task::{Poll, Waker};

/// Where a task waits. One at a time.
#[derive(Debug, Default)]
pub(crate) struct Waiting(Mutex<Option<Waker>>);

impl Waiting {
    /// Waits until `ready` gives something: it is asked at once, and again after each [`Waiting::wake`].
    pub async fn until<T>(&self, mut ready: impl FnMut() -> Option<T>) -> T {
        poll_fn(|context| {
            // Said first: what is there from now on wakes the task.
            *self.task() = Some(context.waker().clone());
            ready().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// There may be something.
    pub fn wake(&self) {
        let task = self.task().take();
        if let Some(task) = task {
            task.wake();
        }
    }

    fn task(&self) -> std::sync::MutexGuard<'_, Option<Waker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
