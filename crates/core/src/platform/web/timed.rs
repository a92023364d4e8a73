//! The durations of submissions by the browser's clock: a page cannot wait, and is notified when one ends.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use wasm_bindgen_futures::spawn_local;
use web_time::Instant;

use super::work::sleep;

/// The interval of polls, which tell the duration of ended submissions.
const LOOK: Duration = Duration::from_millis(1);

/// Durations in microseconds, available later.
#[derive(Debug)]
pub struct Timed(Rc<RefCell<Option<Vec<f64>>>>);

impl Timed {
    /// Submits `commands` one after the other, each when the one before has ended.
    pub fn begin(
        _device: &wgpu::Device,
        queue: &wgpu::Queue,
        commands: Vec<wgpu::CommandBuffer>,
    ) -> Result<Self, wgpu::PollError> {
        let place = Rc::new(RefCell::new(None));
        let (of_task, queue) = (Rc::clone(&place), queue.clone());
        spawn_local(async move {
            // The first time must not include earlier submissions.
            over(&queue).await;
            let mut durations_us = Vec::with_capacity(commands.len());
            for commands in commands {
                durations_us.push(duration_us(&queue, commands).await);
            }
            *of_task.borrow_mut() = Some(durations_us);
        });
        Ok(Self(place))
    }

    /// Returns the durations when all commands have ended, once.
    pub fn take(&mut self) -> Option<Vec<f64>> {
        self.0.borrow_mut().take()
    }

    /// Waits for the end of all commands, and returns their durations.
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

/// The time when all submissions have ended.
async fn over(queue: &wgpu::Queue) -> Instant {
    let over = Arc::new(OnceLock::new());
    let of_queue = Arc::clone(&over);
    queue.on_submitted_work_done(move || {
        let _ = of_queue.set(Instant::now());
    });
    loop {
        match over.get() {
            Some(time) => return *time,
            None => sleep(LOOK).await,
        }
    }
}
