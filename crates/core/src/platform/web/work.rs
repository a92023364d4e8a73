//! Background work in turns with the page.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Whether callers can block until a result is ready.
pub const CAN_WAIT: bool = false;

/// Background work in turns with the page. Dropping it lets it continue.
#[derive(Debug)]
pub struct Task(Rc<RefCell<bool>>);

impl Task {
    /// Starts the work that `make` returns, as soon as the page has time for it.
    ///
    /// # Errors
    /// Never, unlike natively, where there may be no thread.
    pub fn spawn<Work: Future<Output = ()>>(
        _name: &str,
        make: impl FnOnce() -> Work + Send + 'static,
    ) -> io::Result<Self> {
        let is_finished = Rc::new(RefCell::new(false));
        let of_work = Rc::clone(&is_finished);
        spawn_local(async move {
            make().await;
            *of_work.borrow_mut() = true;
        });
        Ok(Self(is_finished))
    }

    /// Returns whether the work has ended.
    pub fn is_finished(&self) -> bool {
        *self.0.borrow()
    }

    /// Lets the work continue: a page cannot wait.
    pub fn finish(self) {}
}

/// A result that may not be ready yet.
#[derive(Debug)]
pub struct Pending<T>(Rc<RefCell<Option<T>>>);

impl<T: 'static> Pending<T> {
    /// Starts `work` in the background.
    pub fn start(work: impl Future<Output = T> + 'static) -> Self {
        let place = Rc::new(RefCell::new(None));
        let of_work = Rc::clone(&place);
        spawn_local(async move {
            let done = work.await;
            *of_work.borrow_mut() = Some(done);
        });
        Self(place)
    }

    /// Returns the result when it is ready, once.
    pub fn take(&mut self) -> Option<T> {
        self.0.borrow_mut().take()
    }
}

/// Waits until `duration` has passed.
pub async fn sleep(duration: Duration) {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        let milliseconds = duration.as_millis().try_into().unwrap_or(i32::MAX);
        let set = web_sys::window().and_then(|window| {
            window
                .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds)
                .ok()
        });
        if set.is_none() {
            // Returning at once is better than never.
            let _ = resolve.call0(&JsValue::NULL);
        }
    });
    let _ = JsFuture::from(promise).await;
}
