//! Wakes a task when others have something for it.

use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard};
use std::task::{Poll, Waker};

/// Wakes the one task that waits for a condition.
#[derive(Debug, Default)]
pub struct Notify(Mutex<Option<Waker>>);

impl Notify {
    /// Waits until `ready` returns a value. It is called at once, and again after each [`Notify::wake`].
    pub async fn until<T>(&self, mut ready: impl FnMut() -> Option<T>) -> T {
        poll_fn(|context| {
            // The waker comes first, so that later values wake the task.
            *self.task() = Some(context.waker().clone());
            ready().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Wakes the task to call `ready` again.
    pub fn wake(&self) {
        let task = self.task().take();
        if let Some(task) = task {
            task.wake();
        }
    }

    fn task(&self) -> MutexGuard<'_, Option<Waker>> {
        super::lock(&self.0)
    }
}
