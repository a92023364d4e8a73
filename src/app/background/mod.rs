//! The window's work behind the running frame. A task of its own (a thread, or slices of a page's time) makes
//! frames and seas, so that the window never waits. It works on the newest request only; requesting and
//! polling cost a short lock.

mod frames;
mod kernels;
mod state;
mod tuning;

use std::sync::{Arc, Mutex, MutexGuard};

use self::frames::FrameBuilder;
pub(super) use self::frames::{BuildKey, Built, FrameRequest};
pub(super) use self::kernels::{KernelRequest, Kernels, Wanted};
pub(super) use self::state::{Activity, Step};
use self::state::{Outcome, State};
pub(super) use self::tuning::Chosen;
use crate::app::platform::{Cooperative, Instant, Notify, Task, lock, pause};
use crate::fft::lab::Store;
use crate::foam::{FoamOptions, FoamSea};
use crate::gpu::{Context, LimitsPreset};
use crate::ocean::{Ocean, OceanOptions};
use crate::settings::SeaState;
use crate::spectrum::InitialSpectrum;

/// Something that the window lacks.
pub(super) enum Request {
    Frame(FrameRequest),
    /// Another sea for the running frame.
    Sea(SeaRequest),
    Kernels(Box<KernelRequest>),
}

pub(super) struct SeaRequest {
    pub sea: SeaState,
    pub ocean: OceanOptions,
    pub foam: FoamOptions,
}

pub(super) enum Product {
    Frame(Box<Built>),
    Sea(Box<InitialSpectrum>, Box<FoamSea>),
    Kernels(Box<Kernels>),
}

impl Request {
    /// Whether the result of this request is worth waiting for when `wanted` is lacking.
    fn leads_to(&self, wanted: &Self) -> bool {
        match (self, wanted) {
            (Self::Frame(one), Self::Frame(other)) => one.key == other.key,
            // While a slider moves, every sea is already another: each that is begun is shown, or
            // none would be before the slider rests.
            (Self::Sea(one), Self::Sea(other)) => one.ocean == other.ocean,
            (Self::Kernels(one), Self::Kernels(other)) => one.wanted == other.wanted,
            _ => false,
        }
    }
}

/// Makes frames and seas for one device.
pub(super) struct Background {
    shared: Arc<Shared>,
    task: Option<Task>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State<Request, Product>>,
    notify: Notify,
}

impl Background {
    /// `format` is the format that frames are drawn in. Fails where the system gives no thread.
    pub fn new(
        context: Context,
        limits: LimitsPreset,
        format: wgpu::TextureFormat,
        store: Option<Store>,
    ) -> std::io::Result<Self> {
        let mut frames = FrameBuilder::new(context, limits, format, store);
        Self::start(async move |job: &Job<'_>| match &**job.request {
            Request::Frame(wanted) => {
                frames.build(wanted, job).await.map(|built| Product::Frame(Box::new(built)))
            }
            Request::Kernels(wanted) => {
                let kernels = frames.compile(wanted, job).await;
                kernels.map(|kernels| Product::Kernels(Box::new(kernels)))
            }
            Request::Sea(wanted) => {
                job.reach(Step::DrawingSpectrum).await?;
                let SeaRequest { sea, ocean, foam } = wanted;
                let coop = &mut Cooperative::new();
                let initial = Ocean::prepare_in(coop, sea, ocean).await;
                let initial = initial.map_err(|error| error.to_string())?;
                let foam = FoamSea::new_in(coop, sea, ocean.cascades, foam).await;
                let foam = foam.map_err(|error| error.to_string())?;
                Ok(Product::Sea(Box::new(initial), Box::new(foam)))
            }
        })
    }

    fn start(
        mut work: impl AsyncFnMut(&Job<'_>) -> Outcome<Product> + Send + 'static,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let of_task = Arc::clone(&shared);
        let task = Task::spawn("background", move || async move {
            while let Some(request) = of_task.next_request().await {
                let outcome = work(&Job { shared: &of_task, request: &request }).await;
                // Dropped without the lock: a frame may take a while.
                let _unwanted = of_task.lock().finish(&request, outcome);
            }
        })?;
        Ok(Self { shared, task: Some(task) })
    }

    /// Requests what the window lacks, and withdraws any other request. Cheap to call in every frame.
    pub fn want(&self, lacking: Option<Request>) {
        let mut state = self.shared.lock();
        match (state.request(), lacking) {
            (None, None) => {}
            (Some(_), None) => state.withdraw(),
            (Some(asked), Some(wanted)) if asked.leads_to(&wanted) => {}
            (_, Some(wanted)) => {
                state.ask(Arc::new(wanted), Instant::now());
                drop(state);
                self.shared.notify.wake();
            }
        }
    }

    pub fn take(&self) -> Option<(Arc<Request>, Outcome<Product>)> {
        self.shared.lock().take()
    }

    /// The work in progress for the missing frame.
    pub fn building(&self) -> Option<Activity> {
        self.activity().filter(|_| self.owes_a_frame())
    }

    /// The work in progress for missing shaders.
    pub fn compiling(&self) -> Option<Activity> {
        self.activity().filter(|_| self.owes(|request| matches!(request, Request::Kernels(_))))
    }

    pub fn owes_a_frame(&self) -> bool {
        self.owes(|request| matches!(request, Request::Frame(_)))
    }

    pub fn owes_a_sea(&self) -> bool {
        self.owes(|request| matches!(request, Request::Sea(_)))
    }

    fn activity(&self) -> Option<Activity> {
        self.shared.lock().activity(Instant::now())
    }

    fn owes(&self, is_asked: fn(&Request) -> bool) -> bool {
        self.shared.lock().request().is_some_and(|request| is_asked(request))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State<Request, Product>> {
        lock(&self.state)
    }

    /// Waits for a request; returns `None` when the window closes.
    async fn next_request(&self) -> Option<Arc<Request>> {
        let next = || match &mut *self.lock() {
            State::Closed => Some(None),
            state => state.begin().map(Some),
        };
        self.notify.until(next).await
    }
}

impl Drop for Background {
    /// Waits for the current step to end: a driver must not lose its process in the middle of a call.
    fn drop(&mut self) {
        self.shared.lock().close();
        self.shared.notify.wake();
        if let Some(task) = self.task.take() {
            task.finish();
        }
    }
}

/// The request in progress, as its work sees it.
struct Job<'a> {
    shared: &'a Shared,
    request: &'a Arc<Request>,
}

impl Job<'_> {
    /// Reports the progress of the work. Fails where the request was withdrawn, so that the work ends there.
    async fn reach(&self, step: Step) -> Result<(), String> {
        log::debug!("{step}");
        // A waiting request may make this step needless.
        pause().await;
        self.report(step)
    }

    /// [`Job::reach`] for callers that cannot wait.
    fn report(&self, step: Step) -> Result<(), String> {
        let is_wanted = self.shared.lock().reach(self.request, step);
        is_wanted.then_some(()).ok_or_else(|| "the request was withdrawn".to_owned())
    }

    fn is_wanted(&self) -> bool {
        self.shared.lock().is_working_on(self.request)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::settings::Quality;

    fn sea(wind_speed_mps: f64, size: u32) -> Request {
        let sea = SeaState { wind_speed_mps, ..SeaState::default() };
        let ocean = OceanOptions { size, cascades: 1, ..Default::default() };
        let foam = FoamOptions { texels: 0, ..FoamOptions::of(&Quality::default()) };
        Request::Sea(SeaRequest { sea, ocean, foam })
    }

    /// A background whose seas report that they have begun, and wait to be released.
    fn background() -> (Background, mpsc::Receiver<u32>, mpsc::Sender<()>) {
        let (begin, begun) = mpsc::channel();
        let (release, released) = mpsc::channel();
        let background = Background::start(async move |job: &Job<'_>| {
            let Request::Sea(wanted) = &**job.request else { unreachable!("no frames here") };
            begin.send(wanted.ocean.size).unwrap();
            released.recv().unwrap();
            job.reach(Step::DrawingSpectrum).await?;
            let initial = Ocean::prepare(&wanted.sea, &wanted.ocean).unwrap();
            let foam = FoamSea::new(&wanted.sea, wanted.ocean.cascades, &wanted.foam).unwrap();
            Ok(Product::Sea(Box::new(initial), Box::new(foam)))
        });
        (background.unwrap(), begun, release)
    }

    fn wait_for_sea(background: &Background) -> Box<InitialSpectrum> {
        loop {
            match background.take() {
                Some((_, Ok(Product::Sea(initial, _)))) => return initial,
                Some(_) => panic!("no sea"),
                None => std::thread::yield_now(),
            }
        }
    }

    #[test]
    fn only_the_newest_request_is_made() {
        let (background, begun, release) = background();
        background.want(Some(sea(5.0, 16)));
        assert_eq!(begun.recv().unwrap(), 16);
        background.want(Some(sea(5.0, 32)));
        background.want(Some(sea(5.0, 64)));
        assert!(background.owes_a_sea() && !background.owes_a_frame());
        release.send(()).unwrap();
        assert_eq!(begun.recv().unwrap(), 64);
        assert!(background.take().is_none() && background.building().is_none());
        release.send(()).unwrap();
        assert_eq!(wait_for_sea(&background).size, 64);
        assert!(!background.owes_a_sea());
    }

    #[test]
    fn a_moving_slider_waits_for_the_sea_in_progress() {
        let (background, begun, release) = background();
        background.want(Some(sea(5.0, 16)));
        begun.recv().unwrap();
        background.want(Some(sea(6.0, 16)));
        release.send(()).unwrap();
        assert_eq!(wait_for_sea(&background).sea.wind_speed_mps, 5.0);
        background.want(Some(sea(6.0, 16)));
        begun.recv().unwrap();
        release.send(()).unwrap();
        assert_eq!(wait_for_sea(&background).sea.wind_speed_mps, 6.0);
    }

    #[test]
    fn closing_waits_only_for_work_that_is_needed() {
        let (background, begun, release) = background();
        background.want(Some(sea(5.0, 16)));
        begun.recv().unwrap();
        background.want(None);
        assert!(!background.owes_a_sea());
        release.send(()).unwrap();
        background.want(Some(sea(5.0, 32)));
        begun.recv().unwrap();
        assert!(background.take().is_none());
        release.send(()).unwrap();
        drop(background);
        assert!(begun.recv().is_err(), "begun after closing");
    }
}
