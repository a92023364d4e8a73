//! Long computations that let others have their turn.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::{Instant, pause};

/// A computation that is to be cut into slices, so that whatever shares its thread goes on. On a
/// thread of its own it is not cut.
#[derive(Debug)]
pub(crate) struct Slices {
    /// When this slice began; nothing for a computation in one piece.
    begun: Option<Instant>,
}

impl Slices {
    /// A page answers within 200 ms and shows a frame in 16: this leaves room for both.
    const LONGEST: Duration = Duration::from_millis(10);

    /// A computation that pauses where it shares its thread.
    pub fn new() -> Self {
        Self { begun: Some(Instant::now()) }
    }

    /// A computation in one piece: for those who cannot wait.
    pub fn one() -> Self {
        Self { begun: None }
    }

    /// Pauses if the slice has lasted long enough. To be called every millisecond or so.
    pub async fn turn(&mut self) {
        if let Some(begun) = &mut self.begun
            && begun.elapsed() >= Self::LONGEST
        {
            pause().await;
            *begun = Instant::now();
        }
    }

    /// The result of a computation that was given [`Slices::one`], and so has nothing to wait for.
    pub fn finish<R>(computation: impl Future<Output = R>) -> R {
        match pin!(computation).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => result,
            Poll::Pending => unreachable!("a computation in one piece does not pause"),
        }
    }
}
