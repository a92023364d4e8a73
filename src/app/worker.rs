//! A thread that does one kind of job, always the newest that was asked for.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Takes requests, works on the newest, and gives results; asking and looking never wait.
pub(super) struct Worker<Request, Answer> {
    shared: Arc<Shared<Request, Answer>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared<Request, Answer> {
    state: Mutex<State<Request, Answer>>,
    changed: Condvar,
}

struct State<Request, Answer> {
    request: Option<Request>,
    /// Since when work has been under way, requests that were replaced included.
    busy_since: Option<Instant>,
    answer: Option<Answer>,
    quit: bool,
}

impl<Request: Send + 'static, Answer: Send + 'static> Worker<Request, Answer> {
    /// Starts the thread. Requests are answered by `work`.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn new(
        name: &str,
        mut work: impl FnMut(Request) -> Answer + Send + 'static,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State { request: None, busy_since: None, answer: None, quit: false }),
            changed: Condvar::new(),
        });
        let thread_shared = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            while let Some(request) = thread_shared.next_request() {
                let answer = work(request);
                thread_shared.answer(answer);
            }
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Asks for work, in place of what was asked for but not begun.
    pub fn request(&self, request: Request) {
        let mut state = self.shared.lock();
        state.request = Some(request);
        state.busy_since.get_or_insert_with(Instant::now);
        self.shared.changed.notify_one();
    }

    /// The newest answer; each once.
    pub fn take_answer(&self) -> Option<Answer> {
        self.shared.lock().answer.take()
    }

    /// How long work has been under way.
    pub fn busy_for(&self) -> Option<Duration> {
        Some(self.shared.lock().busy_since?.elapsed())
    }
}

impl<Request, Answer> Shared<Request, Answer> {
    fn lock(&self) -> MutexGuard<'_, State<Request, Answer>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_request(&self) -> Option<Request> {
        let mut state = self.lock();
        loop {
            if state.quit {
                return None;
            }
            if let Some(request) = state.request.take() {
                return Some(request);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn answer(&self, answer: Answer) {
        let mut state = self.lock();
        state.answer = Some(answer);
        if state.request.is_none() {
            state.busy_since = None;
        }
    }
}

impl<Request, Answer> Drop for Worker<Request, Answer> {
    /// Waits for the job in hand: a driver must not lose its process in the middle of a call.
    fn drop(&mut self) {
        self.shared.lock().quit = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn the_newest_request_wins() {
        let (begin, begun) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let worker = Worker::new("test", move |request: u32| {
            begin.send(request).unwrap();
            released.recv().unwrap();
            request * 2
        })
        .unwrap();
        assert!(worker.busy_for().is_none() && worker.take_answer().is_none());
        worker.request(1);
        assert_eq!(begun.recv().unwrap(), 1);
        // While the first is worked on, the second is replaced by the third.
        worker.request(2);
        worker.request(3);
        release.send(()).unwrap();
        assert_eq!(begun.recv().unwrap(), 3);
        assert_eq!(worker.take_answer(), Some(2));
        assert!(worker.busy_for().is_some());
        release.send(()).unwrap();
        let answer = loop {
            if let Some(answer) = worker.take_answer() {
                break answer;
            }
            std::thread::yield_now();
        };
        assert_eq!(answer, 6);
        assert!(worker.busy_for().is_none());
    }
}
