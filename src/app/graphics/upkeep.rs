//! Requests what the running frame lacks, and takes it once it is made.

use super::{Change, Graphics, Running, key};
use crate::app::AppError;
use crate::app::background::{
    Built, Chosen, FrameRequest, KernelRequest, Kernels, Product, Request, SeaRequest, Wanted,
};
use crate::app::history::History;
use crate::app::platform::{self, Instant};
use crate::app::session::{Session, TierChoice};
use crate::app::time::Clock;
use crate::debug_view::DebugView;
use crate::foam::FoamSea;
use crate::frame::{FrameError, automatic_tier};
use crate::settings::{Preset, SeaState};
use crate::spectrum::{InitialSpectrum, SeaSummary};

impl Graphics {
    /// Takes finished work, and requests what the frame lacks.
    pub(super) fn keep_up(&mut self, session: &mut Session) -> Result<(), AppError> {
        if let Some((request, outcome)) = self.background.take() {
            match (outcome, &*request) {
                (Ok(Product::Frame(built)), _) => self.show_frame(*built),
                (Ok(Product::Sea(initial, foam)), _) => {
                    self.show_sea(&initial, *foam, &session.clock);
                }
                (Ok(Product::Kernels(kernels)), Request::Kernels(request)) => {
                    self.show_kernels(*kernels, &request.wanted);
                }
                // A request and its product are of one kind.
                (Ok(Product::Kernels(_)), _) => {}
                (Err(error), Request::Kernels(request)) => {
                    self.keep_kernels(session, &request.wanted, error);
                }
                (Err(error), Request::Frame(_)) => self.keep_frame(session, error)?,
                (Err(error), Request::Sea(SeaRequest { sea, .. })) => {
                    self.refuse_sea(sea.clone(), error);
                }
            }
        }
        let sea = &session.scene.sea;
        if self.summary.0 != *sea {
            self.summary = (sea.clone(), SeaSummary::of(sea));
        }
        let changed = self.shaders.as_mut().and_then(|shaders| shaders.unsettled(Instant::now()));
        self.background.want(self.lacking(session, changed));
        Ok(())
    }

    /// Returns what is missing to show the session's choices, with the shaders of revision `changed`.
    fn lacking(&self, session: &Session, changed: Option<u64>) -> Option<Request> {
        let Session { scene, clock, .. } = session;
        let key = key(session);
        match &self.running {
            Some(running) if running.key == key => {
                let sea = &scene.sea;
                let is_settled = running.sea == *sea || self.sea_refused.as_ref() == Some(sea);
                if !is_settled {
                    let ocean = *running.frame.ocean().options();
                    let foam = *running.frame.foam().options();
                    return Some(Request::Sea(SeaRequest { sea: sea.clone(), ocean, foam }));
                }
                let lacks_views =
                    session.debug.view != DebugView::Picture && !running.frame.has_views();
                let wanted = match (&self.shaders, changed) {
                    (Some(shaders), Some(revision)) => {
                        Wanted::Shaders { folder: shaders.folder().to_owned(), revision }
                    }
                    _ if lacks_views => Wanted::Views,
                    _ => return None,
                };
                let like = FrameRequest { key, scene: scene.clone(), time_s: clock.time_s };
                let request = KernelRequest::new(wanted, &running.frame, like);
                Some(Request::Kernels(Box::new(request)))
            }
            _ => {
                let time_s = clock.time_s;
                let scene = Preset { scenery: self.scenery(session), ..scene.clone() };
                Some(Request::Frame(FrameRequest { key, scene, time_s }))
            }
        }
    }

    fn show_frame(&mut self, built: Built) {
        self.screen.painter.touch();
        let Built { mut frame, mut eye, key, sea, chosen, took } = built;
        log::info!(
            "{} {} ready after {took:.2?}, {} frames meanwhile",
            key.algorithm,
            key.quality.size,
            self.frames_meanwhile
        );
        if self.running.is_none() {
            // The costs of the empty window say nothing about the sea.
            self.history = History::default();
        }
        if let Some(Chosen { measured: Err(error), .. }) = &chosen {
            self.screen.messages.warn(format!(
                "auto uses the best known FFT, because nothing could be measured: {error}"
            ));
        }
        self.legend = None;
        self.retired.extend(self.measuring.stop());
        if let Some(before) = &mut self.running {
            frame.continue_from(&mut before.frame);
            eye.go_on_from(&before.eye);
        }
        // A foam that the frame takes over may be in the middle of a change.
        let change = self.running.take().and_then(|before| before.change);
        self.running = Some(Running { frame, eye, key, sea, change, chosen });
    }

    /// Keeps the old frame, and the settings that fit it, where the chosen frame cannot be built.
    fn keep_frame(&mut self, session: &mut Session, error: String) -> Result<(), AppError> {
        self.screen.painter.touch();
        let Some(running) = &self.running else {
            let auto = automatic_tier(&self.screen.context.adapter_info);
            if platform::GIVES_WAY && session.give_way(auto) {
                let instead = format!("{} at {}", session.algorithm, session.quality.size);
                self.screen.messages.warn(format!("{error}. Using {instead} instead."));
                return Ok(());
            }
            return Err(AppError::Frame(error));
        };
        session.tier = TierChoice::Custom;
        session.quality = running.key.quality.clone();
        session.algorithm = running.key.algorithm;
        session.path = running.key.path;
        self.screen.messages.warn(error);
        Ok(())
    }

    fn show_sea(&mut self, initial: &InitialSpectrum, foam: FoamSea, clock: &Clock) {
        let Some(running) = &mut self.running else { return };
        match show(running, initial, foam, clock) {
            Ok(change) => {
                running.sea = initial.sea.clone();
                // Otherwise once the sea has changed.
                if change.is_none() {
                    self.measuring.set_sea(initial);
                }
                running.change = change;
            }
            Err(error) => self.refuse_sea(initial.sea.clone(), error.to_string()),
        }
    }

    fn show_kernels(&mut self, kernels: Kernels, wanted: &Wanted) {
        self.screen.painter.touch();
        let Some(running) = &mut self.running else { return };
        let Kernels { rebuilt, views, sources } = kernels;
        let stages = rebuilt.stages().join(", ");
        rebuilt.install();
        if views.is_some()
            && let Err(error) = running.frame.build_views()
        {
            self.screen.messages.warn(error.to_string());
        }
        if let (Wanted::Shaders { revision, .. }, Some(shaders)) = (wanted, &mut self.shaders) {
            sources.install();
            let was_broken = shaders.error().is_some();
            shaders.settle(*revision, Ok(()));
            match (stages.is_empty(), was_broken) {
                (false, _) => self.screen.messages.say(format!("Shaders reloaded: {stages}")),
                (true, true) => {
                    self.screen.messages.say("The shaders compile without errors again.")
                }
                (true, false) => {}
            }
        }
    }

    /// Keeps the frame as it is, since the shaders do not compile.
    fn keep_kernels(&mut self, session: &mut Session, wanted: &Wanted, error: String) {
        self.screen.painter.touch();
        match (wanted, &mut self.shaders) {
            (Wanted::Shaders { revision, .. }, Some(shaders)) => {
                log::warn!("shaders: {error}");
                shaders.settle(*revision, Err(error));
            }
            _ => {
                session.debug.view = DebugView::Picture;
                self.screen.messages.warn(error);
            }
        }
    }

    fn refuse_sea(&mut self, sea: SeaState, error: String) {
        self.sea_refused = Some(sea);
        self.screen.messages.warn(error);
    }
}

/// Shows another sea: another hour of the same record little by little, and everything else at once. A paused
/// sea has no time to change in.
fn show(
    running: &mut Running,
    initial: &InitialSpectrum,
    foam: FoamSea,
    clock: &Clock,
) -> Result<Option<Change>, FrameError> {
    let is_same_record =
        initial.sea.recorded.is_some() && initial.sea.recorded == running.sea.recorded;
    let is_other_hour = is_same_record && initial.sea.record_hour != running.sea.record_hour;
    if is_other_hour
        && !clock.paused
        && running.frame.change_spectrum(initial, foam.clone(), clock.time_s)?
    {
        return Ok(Some(Change::begin(Instant::now())));
    }
    running.frame.set_spectrum(initial, foam)?;
    Ok(None)
}
