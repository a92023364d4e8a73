//! Work behind the frames: in turns with them.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Whether what is awaited can be waited for on the spot.
pub(crate) const CAN_WAIT: bool = false;

/// Work that goes on by itself: in turns with the page. Dropping it leaves it to itself.
#[derive(Debug)]
pub struct Task(Rc<RefCell<bool>>);

impl Task {
    /// Begins the work that `make` gives, as soon as the page has time for it.
    ///
    /// # Errors
    /// Never: natively, it may find no thread.
    pub(crate) fn spawn<Work: Future<Output = ()>>(
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

    /// Whether it has come to its end.
    pub fn is_finished(&self) -> bool {
        *self.0.borrow()
    }

    /// Lets it go on to its end: a page waits for nothing.
    pub fn finish(self) {}
}

/// What is on its way.
#[derive(Debug)]
pub(crate) struct Pending<T>(Rc<RefCell<Option<T>>>);

impl<T: 'static> Pending<T> {
    /// Has `work` done.
    pub fn start(work: impl Future<Output = T> + 'static) -> Self {
        let place = Rc::new(RefCell::new(None));
        let of_work = Rc::clone(&place);
        spawn_local(async move {
            let done = work.await;
            *of_work.borrow_mut() = Some(done);
        });
        Self(place)
    }

    /// What came of it, once it is there, and once only.
    pub fn take(&mut self) -> Option<T> {
        self.0.borrow_mut().take()
    }
}

/// Does nothing for so long.
pub(crate) async fn sleep(duration: Duration) {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        let milliseconds = duration.as_millis().try_into().unwrap_or(i32::MAX);
        let set = web_sys::window().and_then(|window| {
            window
                .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds)
                .ok()
        });
        if set.is_none() {
            // Better at once than never.
            let _ = resolve.call0(&JsValue::NULL);
        }
    });
    // It has no way to fail.
    let _ = JsFuture::from(promise).await;
}
