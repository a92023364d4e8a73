//! Cooperative computations, which let other work of their thread run.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::{Instant, pause};

/// A long computation that pauses regularly where it shares its thread with other work.
#[derive(Debug)]
pub struct Cooperative {
    /// The time of the last pause; `None` for a computation without pauses.
    begun: Option<Instant>,
}

impl Default for Cooperative {
    fn default() -> Self {
        Self::new()
    }
}

impl Cooperative {
    /// The longest time between pauses. A page answers within 200 ms and shows a frame in 16: this
    /// leaves room for both.
    const LONGEST: Duration = Duration::from_millis(10);

    /// A computation that pauses where it shares its thread.
    pub fn new() -> Self {
        Self { begun: Some(Instant::now()) }
    }

    /// A computation without pauses, for callers that cannot wait.
    pub fn blocking() -> Self {
        Self { begun: None }
    }

    /// Pauses if the last pause is long ago. Call it every millisecond or so.
    pub async fn yield_if_due(&mut self) {
        if let Some(begun) = &mut self.begun
            && begun.elapsed() >= Self::LONGEST
        {
            pause().await;
            *begun = Instant::now();
        }
    }

    /// The result of a computation with [`Cooperative::blocking`], which never has to wait.
    pub fn finish<R>(computation: impl Future<Output = R>) -> R {
        match pin!(computation).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => result,
            Poll::Pending => unreachable!("a computation in one piece does not pause"),
        }
    }
}
