//! The states of the background and the transitions between them, as plain data without the thread that does
//! the work.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::app::platform::Instant;
use crate::fft::lab::Progress;

/// The state of the newest request; older ones are dropped.
#[derive(Debug, Default)]
pub(super) enum State<Request, Product> {
    #[default]
    Idle,
    Working {
        request: Arc<Request>,
        step: Step,
        /// The time of the first unanswered request, including those that were replaced.
        since: Instant,
    },
    /// It is made or cannot be, which the window has not taken yet.
    Done { request: Arc<Request>, outcome: Outcome<Product> },
    /// The window is closing: nothing is begun any more.
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Step {
    /// The thread is still busy with an earlier request.
    Waiting,
    Planning,
    Measuring(Progress),
    /// Drawing the random numbers of the sea's waves.
    DrawingSpectrum,
    /// Compiling on a second device, where the driver would block the one that draws.
    Compiling,
    Building,
    WarmingUp,
}

/// A step, and how long the window has been waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) struct Activity {
    pub step: Step,
    /// Time since the request, or since the first of those that it replaced.
    pub elapsed: Duration,
}

pub(super) type Outcome<Product> = Result<Product, String>;

impl<Request, Product> State<Request, Product> {
    /// Requests `request` in place of any earlier request.
    pub fn ask(&mut self, request: Arc<Request>, now: Instant) {
        let since = match self {
            Self::Closed => return,
            Self::Working { since, .. } => *since,
            Self::Idle | Self::Done { .. } => now,
        };
        *self = Self::Working { request, step: Step::Waiting, since };
    }

    pub fn withdraw(&mut self) {
        if !matches!(self, Self::Closed) {
            *self = Self::Idle;
        }
    }

    pub fn close(&mut self) {
        *self = Self::Closed;
    }

    /// Returns the request that the idle thread is to begin, each request once.
    pub fn begin(&mut self) -> Option<Arc<Request>> {
        match self {
            Self::Working { request, step: step @ Step::Waiting, .. } => {
                *step = Step::Planning;
                Some(Arc::clone(request))
            }
            _ => None,
        }
    }

    /// Records a step of `request`. Returns whether the request still stands.
    pub fn reach(&mut self, request: &Arc<Request>, reached: Step) -> bool {
        match self {
            Self::Working { request: newest, step, .. } if Arc::ptr_eq(newest, request) => {
                *step = reached;
                true
            }
            _ => false,
        }
    }

    /// Records the outcome of `request`. Returns products that are no longer wanted.
    pub fn finish(
        &mut self,
        request: &Arc<Request>,
        outcome: Outcome<Product>,
    ) -> Option<Outcome<Product>> {
        if !self.is_working_on(request) {
            return Some(outcome);
        }
        *self = Self::Done { request: Arc::clone(request), outcome };
        None
    }

    pub fn take(&mut self) -> Option<(Arc<Request>, Outcome<Product>)> {
        match std::mem::take(self) {
            Self::Done { request, outcome } => Some((request, outcome)),
            other => {
                *self = other;
                None
            }
        }
    }

    pub fn is_working_on(&self, request: &Arc<Request>) -> bool {
        matches!(self, Self::Working { request: newest, .. } if Arc::ptr_eq(newest, request))
    }

    pub fn request(&self) -> Option<&Arc<Request>> {
        match self {
            Self::Working { request, .. } | Self::Done { request, .. } => Some(request),
            Self::Idle | Self::Closed => None,
        }
    }

    pub fn activity(&self, now: Instant) -> Option<Activity> {
        match self {
            Self::Working { step, since, .. } => {
                Some(Activity { step: *step, elapsed: now.duration_since(*since) })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Waiting => "waiting",
            Self::Planning => "planning",
            Self::Measuring(Progress { candidate, of }) => {
                return write!(f, "measuring FFT {candidate} of {of}");
            }
            Self::DrawingSpectrum => "computing the spectrum",
            Self::Compiling => "compiling kernels",
            Self::Building => "building the frame",
            Self::WarmingUp => "warming up",
        })
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:.1} s", self.step, self.elapsed.as_secs_f32())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Example = State<&'static str, u32>;

    fn after(seconds: u64) -> Instant {
        static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        *START + Duration::from_secs(seconds)
    }

    fn doing(state: &Example, seconds: u64) -> String {
        state.activity(after(seconds)).map_or("nothing".to_owned(), |doing| doing.to_string())
    }

    #[test]
    fn a_request_passes_its_steps_and_is_taken_once() {
        let mut state = Example::default();
        assert!(state.begin().is_none() && state.take().is_none());
        let wanted = Arc::new("a frame");
        state.ask(Arc::clone(&wanted), after(0));
        assert_eq!(doing(&state, 1), "waiting, 1.0 s");
        assert!(Arc::ptr_eq(&state.begin().unwrap(), &wanted));
        assert!(state.begin().is_none(), "begun twice");
        assert_eq!(doing(&state, 2), "planning, 2.0 s");
        let progress = Progress { candidate: 12, of: 40 };
        assert!(state.reach(&wanted, Step::Measuring(progress)));
        assert_eq!(doing(&state, 3), "measuring FFT 12 of 40, 3.0 s");
        assert!(state.reach(&wanted, Step::Compiling) && state.take().is_none());
        assert_eq!(state.finish(&wanted, Ok(7)), None);
        assert_eq!(doing(&state, 4), "nothing");
        assert_eq!(state.request(), Some(&wanted));
        assert_eq!(state.take(), Some((wanted, Ok(7))));
        assert!(state.take().is_none() && state.request().is_none());
    }

    #[test]
    fn the_newest_request_waits_from_the_first() {
        let mut state = Example::default();
        state.ask(Arc::new("first"), after(0));
        let first = state.begin().unwrap();
        state.ask(Arc::new("second"), after(1));
        state.ask(Arc::new("third"), after(2));
        assert_eq!(doing(&state, 3), "waiting, 3.0 s");
        // The thread notices at its next step, or gets what it made back.
        assert!(!state.is_working_on(&first) && !state.reach(&first, Step::Building));
        assert_eq!(state.finish(&first, Ok(1)), Some(Ok(1)));
        assert_eq!(doing(&state, 3), "waiting, 3.0 s");
        let third = state.begin().unwrap();
        assert_eq!((*third, state.begin()), ("third", None));
        assert_eq!(state.finish(&third, Ok(3)), None);
        // A product that was not taken in time is replaced, too, and an equal text is another request.
        state.ask(Arc::new("third"), after(9));
        assert!(!state.is_working_on(&third) && state.take().is_none());
        assert_eq!(doing(&state, 10), "waiting, 1.0 s");
    }

    #[test]
    fn what_is_withdrawn_is_stopped_and_never_comes() {
        let mut state = Example::default();
        state.ask(Arc::new("a frame"), after(0));
        state.withdraw();
        assert!(state.begin().is_none(), "begun though nobody wants it");
        state.ask(Arc::new("a frame"), after(1));
        let begun = state.begin().unwrap();
        state.withdraw();
        assert!(!state.reach(&begun, Step::Building));
        assert_eq!(state.finish(&begun, Ok(1)), Some(Ok(1)));
        assert!(matches!(state, State::Idle));
    }

    #[test]
    fn a_failure_is_reported_once_before_the_next_request() {
        let mut state = Example::default();
        state.ask(Arc::new("too large"), after(0));
        let begun = state.begin().unwrap();
        assert_eq!(state.finish(&begun, Err("does not fit".to_owned())), None);
        assert_eq!(state.take(), Some((begun, Err("does not fit".to_owned()))));
        assert!(state.take().is_none());
        state.ask(Arc::new("smaller"), after(5));
        assert_eq!(doing(&state, 6), "waiting, 1.0 s");
    }

    #[test]
    fn closing_ends_everything() {
        let mut state = Example::default();
        state.ask(Arc::new("a frame"), after(0));
        let begun = state.begin().unwrap();
        state.close();
        assert!(!state.reach(&begun, Step::Building));
        assert_eq!(state.finish(&begun, Ok(1)), Some(Ok(1)));
        state.ask(Arc::new("another"), after(1));
        state.withdraw();
        assert!(state.begin().is_none() && state.take().is_none());
        assert!(matches!(state, State::Closed));
    }
}
