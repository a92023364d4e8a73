//! The task that turns read-back data into measurements, on a thread, or cooperatively in a page.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::layers::ReadyLayers;
use super::points::Samples;
use super::series::Series;
use super::surface::{Layer, Look};
use super::{Measured, Subject, Surface, Theory, WhitecapCover};
use crate::platform::{Cooperative, Instant, Notify, Task, lock};

#[derive(Debug)]
pub(super) enum Job {
    /// Another sea, with its number.
    Sea(u64, Box<Subject>),
    Layers(ReadyLayers),
    Samples(Samples),
    Whitecaps(u64, WhitecapCover),
}

/// The measuring task, and its results.
#[derive(Debug)]
pub(super) struct Worker {
    shared: Arc<Shared>,
    task: Option<Task>,
}

#[derive(Debug, Default)]
struct Shared {
    given: Mutex<Given>,
    notify: Notify,
    results: Mutex<Results>,
    /// The number of the newest sea. Data of others is dropped.
    sea: AtomicU64,
}

#[derive(Debug, Default)]
struct Given {
    jobs: VecDeque<Job>,
    is_over: bool,
}

#[derive(Clone, Debug, Default)]
struct Results {
    measured: Option<Arc<Measured>>,
    busy: Duration,
}

impl Worker {
    /// Starts the task. Fails where the system cannot create a thread.
    pub fn start() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let of_task = Arc::clone(&shared);
        let task = Task::spawn("measurement", move || async move { work(&of_task).await })?;
        Ok(Self { shared, task: Some(task) })
    }

    pub fn give(&self, job: Job) {
        if let Job::Sea(sea, _) = &job {
            self.shared.sea.store(*sea, Ordering::Release);
        }
        lock(&self.shared.given).jobs.push_back(job);
        self.shared.notify.wake();
    }

    /// Ends without waiting, once, and returns the task, which finishes the current layer.
    pub fn end(&mut self) -> Option<Task> {
        // No sea has that number, so nothing more is done.
        self.shared.sea.store(u64::MAX, Ordering::Release);
        *lock(&self.shared.given) = Given { jobs: VecDeque::new(), is_over: true };
        self.shared.notify.wake();
        self.task.take()
    }

    /// The newest measurement, which belongs to the sea before until the newest theory is ready.
    pub fn measured(&self) -> Option<Arc<Measured>> {
        lock(&self.shared.results).measured.clone()
    }

    /// The time that the last measurement of a whole surface took.
    pub fn busy(&self) -> Duration {
        lock(&self.shared.results).busy
    }
}

impl Drop for Worker {
    /// Waits for the current layer where it is on a thread: a mapped buffer must not lose its device
    /// while it is read.
    fn drop(&mut self) {
        if let Some(task) = self.end() {
            task.finish();
        }
    }
}

impl Shared {
    fn is_current(&self, sea: u64) -> bool {
        self.sea.load(Ordering::Acquire) == sea
    }

    /// Returns `sea` if it has the given number and is still the newest.
    fn current<'a>(&self, sea: &'a mut Option<Sea>, number: u64) -> Option<&'a mut Sea> {
        sea.as_mut().filter(|sea| sea.number == number && self.is_current(number))
    }

    /// Waits for the next job; `None` after the last.
    async fn next_job(&self) -> Option<Job> {
        let next = || {
            let Given { jobs, is_over } = &mut *lock(&self.given);
            jobs.pop_front().map(Some).or_else(|| is_over.then_some(None))
        };
        self.notify.until(next).await
    }
}

async fn work(shared: &Shared) {
    let coop = &mut Cooperative::new();
    let mut sea: Option<Sea> = None;
    while let Some(job) = shared.next_job().await {
        match job {
            Job::Sea(number, subject) => {
                sea = None;
                if shared.is_current(number) {
                    let new = Sea::new(number, Theory::of_in(coop, *subject).await);
                    new.publish(shared);
                    sea = Some(new);
                }
            }
            Job::Layers(ready) => {
                let layers = ready.read();
                let Some(sea) = shared.current(&mut sea, ready.sea) else { continue };
                for layer in layers {
                    if shared.is_current(ready.sea) {
                        sea.add_layer(coop, layer, ready.time_s).await;
                    }
                }
                if sea.finish_surface() {
                    sea.publish(shared);
                }
            }
            Job::Samples(samples) => {
                let heights = samples.read();
                let Some(sea) = shared.current(&mut sea, samples.sea) else { continue };
                for (time_s, heights) in heights {
                    sea.series.push(&sea.theory, time_s, &heights);
                }
                sea.publish(shared);
            }
            Job::Whitecaps(number, cover) => {
                let Some(sea) = shared.current(&mut sea, number) else { continue };
                sea.whitecaps = Some(cover);
                sea.publish(shared);
            }
        }
    }
}

/// The task's state of one sea.
struct Sea {
    number: u64,
    theory: Arc<Theory>,
    series: Series,
    partial: Surface,
    looks: Vec<Look>,
    layers: u32,
    /// The time that they took, and that of the whole surface: in a page, with the frames in between.
    busy: Duration,
    whole_busy: Duration,
    whole: Option<Arc<Surface>>,
    whitecaps: Option<WhitecapCover>,
}

impl Sea {
    fn new(number: u64, theory: Theory) -> Self {
        Self {
            number,
            partial: Surface::empty(&theory),
            theory: Arc::new(theory),
            looks: Vec::new(),
            series: Series::default(),
            layers: 0,
            busy: Duration::ZERO,
            whole_busy: Duration::ZERO,
            whole: None,
            whitecaps: None,
        }
    }

    async fn add_layer(&mut self, coop: &mut Cooperative, layer: Layer, time_s: f64) {
        let begun = Instant::now();
        if layer.index == 0 {
            self.partial = Surface::empty(&self.theory);
            self.layers = 0;
            self.busy = Duration::ZERO;
        }
        if layer.index != self.layers {
            // The measurement began with another sea.
            return;
        }
        self.partial.add(coop, &self.theory, layer, time_s, &mut self.looks).await;
        self.partial.time_s = time_s;
        self.layers += 1;
        self.busy += begun.elapsed();
    }

    fn finish_surface(&mut self) -> bool {
        let is_whole = self.layers as usize == 2 * self.theory.subject.cascades.len();
        if is_whole {
            let next = Surface::empty(&self.theory);
            let whole = std::mem::replace(&mut self.partial, next);
            log::debug!(
                "measured: Hs {:.3} m, expected {:.3} m",
                4.0 * whole.variance_m2.sqrt(),
                self.theory.significant_wave_height_m()
            );
            self.whole = Some(Arc::new(whole));
            self.whole_busy = self.busy;
            self.layers = 0;
        }
        is_whole
    }

    fn publish(&self, shared: &Shared) {
        let measured = Measured {
            theory: Arc::clone(&self.theory),
            surface: self.whole.clone(),
            period: self.series.period(&self.theory),
            whitecaps: self.whitecaps,
        };
        let mut results = lock(&shared.results);
        results.busy = self.whole_busy;
        if shared.is_current(self.number) {
            results.measured = Some(Arc::new(measured));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::MapFormat;
    use crate::measurement::waves::{Texels, texel_bytes};
    use crate::settings::SeaState;
    use crate::spectrum::InitialSpectrum;

    /// The rest after one measurement depends on its time alone.
    #[test]
    fn each_look_at_the_surface_is_timed_by_itself() {
        let (size, cascades, format) = (16, 2, MapFormat::F32);
        let initial = InitialSpectrum::new(&SeaState::default(), size, cascades).unwrap();
        let mut sea = Sea::new(1, Theory::of(Subject::of(&initial, &[])));
        let row_bytes = size as usize * texel_bytes(format);
        let bytes = vec![0; size as usize * row_bytes];
        let texels = Texels { bytes: &bytes, row_bytes, size, format };
        let day = Duration::from_secs(86_400);
        for look in 0..3 {
            sea.busy = day;
            for index in 0..2 * cascades {
                assert!(!sea.finish_surface(), "look {look} is not over before layer {index}");
                let layer = Layer::read(index, cascades, &texels);
                Cooperative::finish(sea.add_layer(&mut Cooperative::blocking(), layer, 1.0));
            }
            assert!(sea.finish_surface(), "look {look}");
            assert!(sea.whole_busy < day, "{:?}", sea.whole_busy);
        }
        // Layers of another sea's measurement are dropped.
        let layer = Layer::read(2, cascades, &texels);
        Cooperative::finish(sea.add_layer(&mut Cooperative::blocking(), layer, 1.0));
        assert_eq!(sea.layers, 0);
    }
}
