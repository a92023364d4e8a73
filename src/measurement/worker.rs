//! The thread that makes measurements of what has come back.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::layers::Arrived;
use super::points::Looks;
use super::series::Series;
use super::waves::Texels;
use super::{Measured, Subject, Surface, Theory, WhitecapCover};
use crate::platform::Instant;

/// What the thread is given.
pub(super) enum Job {
    /// Another sea, of that number.
    Sea(u64, Box<Subject>),
    /// Layers of the maps.
    Layers(Arrived),
    /// Looks at the points.
    Looks(Looks),
    /// The whitecap cover of the sea of that number.
    Whitecaps(u64, WhitecapCover),
}

/// The thread, and what it has found.
#[derive(Debug)]
pub(super) struct Worker {
    shared: Arc<Shared>,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    found: Mutex<Found>,
    /// The number of the newest sea: what belongs to others is left.
    sea: AtomicU64,
}

#[derive(Clone, Debug, Default)]
struct Found {
    measured: Option<Arc<Measured>>,
    busy: Duration,
}

impl Worker {
    /// Starts the thread.
    ///
    /// # Errors
    /// Where the system gives none.
    pub fn start() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (jobs, given) = mpsc::channel();
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("measurement".to_owned())
            .spawn(move || work(&of_thread, &given))?;
        Ok(Self { shared, jobs: Some(jobs), thread: Some(thread) })
    }

    /// Gives the thread something to do.
    pub fn give(&self, job: Job) {
        if let Job::Sea(sea, _) = &job {
            self.shared.sea.store(*sea, Ordering::Release);
        }
        if let Some(jobs) = &self.jobs {
            // It takes jobs for as long as there is somebody to give them.
            let _ = jobs.send(job);
        }
    }

    /// Ends without waiting: gives back the thread, which finishes the layer in hand.
    pub fn stop(mut self) -> Option<JoinHandle<()>> {
        self.end()
    }

    fn end(&mut self) -> Option<JoinHandle<()>> {
        self.jobs = None;
        // No sea has that number: nothing more is wanted.
        self.shared.sea.store(u64::MAX, Ordering::Release);
        self.thread.take()
    }

    /// The newest measurement: of the sea before for as long as the theory of the newest is not worked
    /// out.
    pub fn measured(&self) -> Option<Arc<Measured>> {
        self.shared.change(|found| found.measured.clone())
    }

    /// How long the last look at a whole surface kept the thread busy.
    pub fn busy(&self) -> Duration {
        self.shared.change(|found| found.busy)
    }
}

impl Drop for Worker {
    /// Waits for the layer in hand: a mapped buffer must not lose its device while it is read.
    fn drop(&mut self) {
        if let Some(thread) = self.end() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn change<R>(&self, change: impl FnOnce(&mut Found) -> R) -> R {
        change(&mut self.found.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_current(&self, sea: u64) -> bool {
        self.sea.load(Ordering::Acquire) == sea
    }
}

/// What the thread knows of one sea.
struct Sea {
    number: u64,
    theory: Arc<Theory>,
    series: Series,
    /// What has come back of the surface.
    partial: Surface,
    /// Layers in it: they come in order.
    layers: u32,
    busy: Duration,
    whole: Option<Arc<Surface>>,
    whitecaps: Option<WhitecapCover>,
}

fn work(shared: &Shared, jobs: &Receiver<Job>) {
    let mut sea: Option<Sea> = None;
    for job in jobs {
        let of = |sea: &mut Option<Sea>, number: u64| -> Option<Sea> {
            sea.take_if(|sea| sea.number == number && shared.is_current(number))
        };
        match job {
            Job::Sea(number, subject) => {
                sea = None;
                if shared.is_current(number) {
                    let new = Sea::new(number, Theory::of(*subject));
                    new.publish(shared);
                    sea = Some(new);
                }
            }
            Job::Layers(arrived) => {
                let mut known = of(&mut sea, arrived.sea);
                arrived.unload(|layer, texels| {
                    let is_current = shared.is_current(arrived.sea);
                    if let Some(sea) = known.as_mut().filter(|_| is_current) {
                        sea.add_layer(layer, texels, arrived.time_s);
                    }
                });
                if let Some(sea) = &mut known
                    && sea.finish_surface()
                {
                    sea.publish(shared);
                }
                sea = known.or(sea);
            }
            Job::Looks(looks) => {
                let mut known = of(&mut sea, looks.sea);
                looks.unload(|time_s, heights| {
                    if let Some(Sea { theory, series, .. }) = &mut known {
                        series.push(theory, time_s, heights);
                    }
                });
                if let Some(sea) = &known {
                    sea.publish(shared);
                }
                sea = known.or(sea);
            }
            Job::Whitecaps(number, cover) => {
                if let Some(mut known) = of(&mut sea, number) {
                    known.whitecaps = Some(cover);
                    known.publish(shared);
                    sea = Some(known);
                }
            }
        }
    }
}

impl Sea {
    fn new(number: u64, theory: Theory) -> Self {
        Self {
            number,
            partial: Surface::empty(&theory),
            theory: Arc::new(theory),
            series: Series::default(),
            layers: 0,
            busy: Duration::ZERO,
            whole: None,
            whitecaps: None,
        }
    }

    fn add_layer(&mut self, layer: u32, texels: &Texels<'_>, time_s: f64) {
        let begun = Instant::now();
        if layer != self.layers {
            // The first of another look.
            self.partial = Surface::empty(&self.theory);
            self.layers = 0;
            self.busy = Duration::ZERO;
            if layer != 0 {
                return;
            }
        }
        let cascades = self.theory.subject.cascades.len() as u32;
        let (theory, cascade) = (&self.theory, (layer % cascades) as usize);
        if layer < cascades {
            self.partial.add_heights(theory, cascade, texels);
        } else {
            self.partial.add_slopes(theory, cascade, texels);
        }
        self.partial.time_s = time_s;
        self.layers += 1;
        self.busy += begun.elapsed();
    }

    /// Whether the surface is whole now.
    fn finish_surface(&mut self) -> bool {
        let is_whole = self.layers as usize == 2 * self.theory.subject.cascades.len();
        if is_whole {
            let next = Surface::empty(&self.theory);
            self.whole = Some(Arc::new(std::mem::replace(&mut self.partial, next)));
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
        shared.change(|found| {
            found.busy = self.busy;
            if shared.is_current(self.number) {
                found.measured = Some(Arc::new(measured));
            }
        });
    }
}
