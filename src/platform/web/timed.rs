//! What submissions take by the browser's clock: a page cannot wait, and is told when one is over.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use wasm_bindgen_futures::spawn_local;
use web_time::Instant;

use super::work::sleep;

/// How often to look whether something is over: what it took is known by then.
const LOOK: Duration = Duration::from_millis(1);

/// Durations in microseconds, which come when they are known.
pub(crate) struct Timed(Rc<RefCell<Option<Vec<f64>>>>);

impl Timed {
    /// Submits one of `commands` after the other, each when the one before is over.
    ///
    /// # Errors
    /// Never: natively, the device may not answer.
    pub fn begin(
        _device: &wgpu::Device,
        queue: &wgpu::Queue,
        commands: Vec<wgpu::CommandBuffer>,
    ) -> Result<Self, wgpu::PollError> {
        let place = Rc::new(RefCell::new(None));
        let (of_task, queue) = (Rc::clone(&place), queue.clone());
        spawn_local(async move {
            // What was submitted before is not to be in the first time.
            over(&queue).await;
            let mut durations_us = Vec::with_capacity(commands.len());
            for commands in commands {
                durations_us.push(duration_us(&queue, commands).await);
            }
            *of_task.borrow_mut() = Some(durations_us);
        });
        Ok(Self(place))
    }

    /// The durations, once they are there, and once only.
    pub fn take(&mut self) -> Option<Vec<f64>> {
        self.0.borrow_mut().take()
    }

    /// The durations.
    pub async fn finish(mut self) -> Vec<f64> {
        loop {
            match self.take() {
                Some(durations_us) => return durations_us,
                None => sleep(LOOK).await,
            }
        }
    }
}

async fn duration_us(queue: &wgpu::Queue, commands: wgpu::CommandBuffer) -> f64 {
    let start = Instant::now();
    queue.submit([commands]);
    (over(queue).await - start).as_secs_f64() * 1e6
}

/// When everything that was submitted is over.
async fn over(queue: &wgpu::Queue) -> Instant {
    let over = Arc::new(OnceLock::new());
    let of_queue = Arc::clone(&over);
    queue.on_submitted_work_done(move || {
        // It is called once.
        let _ = of_queue.set(Instant::now());
    });
    loop {
        match over.get() {
            Some(time) => return *time,
            None => sleep(LOOK).await,
        }
    }
}
