//! Everything of the window that lives as long as one device: surface, panels, the running frame and the work
//! behind it.

mod picture;
mod upkeep;

use std::time::Duration;

use winit::event_loop::ActiveEventLoop;

use super::background::{Background, BuildKey, Chosen};
use super::files::Writers;
use super::history::History;
use super::measuring::Measuring;
use super::messages::Messages;
use super::painter::Painted;
use super::recovery::Fault;
use super::scaled::{Scaled, scaled_size};
use super::screen::{Opened, Screen};
use super::session::{DockTab, Session};
use super::shader_watch::ShaderWatch;
use super::time::Voyage;
use super::ui::{self, Allocated, Command, CompareCommand, PanelData};
use super::workspace::Workspace;
use super::{AppError, RunOptions};
use crate::app::platform::{self, Instant, Task};
use crate::bench::comparison;
use crate::choice::Choice as _;
use crate::debug_view::{DebugChoice, Legend};
use crate::eye::EyeTracker;
use crate::fft::lab::Store;
use crate::frame::{Frame, automatic_tier};
use crate::gpu::{Capabilities, LimitsPreset};
use crate::profile::{self, CaptureInfo};
use crate::settings::{CameraPose, FrameSettings, Scenery, SeaState};
use crate::spectrum::SeaSummary;

/// The running frame and what it was made from.
struct Running {
    frame: Frame,
    /// Tracks the water around the eye.
    eye: EyeTracker,
    key: BuildKey,
    sea: SeaState,
    /// The change to this sea, while it is under way.
    change: Option<Change>,
    /// The FFT that `auto` chose.
    chosen: Option<Chosen>,
}

/// The real time within which the running frame changes to another sea.
struct Change {
    recorded: Instant,
    left_s: f64,
}

impl Change {
    /// A change that begins now, and takes as long as a step of a voyage.
    fn begin(now: Instant) -> Self {
        Self { recorded: now, left_s: Voyage::STEP_S }
    }

    /// The share of the remaining difference that is due `now`: the whole one at the end, and none while the
    /// sea is paused.
    fn share(&mut self, now: Instant, is_paused: bool) -> f64 {
        let passed_s = now.saturating_duration_since(self.recorded).as_secs_f64();
        self.recorded = now;
        if is_paused {
            return 0.0;
        }
        let share = if passed_s < self.left_s { passed_s / self.left_s } else { 1.0 };
        self.left_s -= passed_s;
        share
    }
}

/// The device's side of the window.
pub(super) struct Graphics {
    pub(super) screen: Screen,
    background: Background,
    comparing: Option<comparison::Running>,
    /// The measurement of the running sea.
    measuring: Measuring,
    /// Work in progress of comparisons and measurements that were ended.
    retired: Vec<Task>,
    limits: LimitsPreset,
    /// A sea that could not be made: not requested again until it changes.
    sea_refused: Option<SeaState>,
    summary: (SeaState, SeaSummary),
    running: Option<Running>,
    /// Frames drawn since the build of the next one began.
    frames_meanwhile: u32,
    /// Used where the picture has fewer pixels than the window.
    scaled: Option<Scaled>,
    writers: Writers,
    history: History,
    /// The last report of wgpu's allocator and its time.
    allocated: Option<(Instant, Option<Allocated>)>,
    /// Frames that have shown the sea.
    frames_shown: u32,
    screenshot_wanted: bool,
    capture_info: CaptureInfo,
    served_at: Option<&'static str>,
    /// The shaders on disk, where they are watched.
    shaders: Option<ShaderWatch>,
    /// Belongs to the current view and sea, since a spectrum's legend looks at every wave.
    legend: Option<(DebugChoice, SeaState, Option<Legend>)>,
}

impl Graphics {
    /// Starts building the first frame on the opened device. Fails with [`AppError`] where the adapter cannot
    /// draw to the window.
    pub fn new(
        event_loop: &ActiveEventLoop,
        opened: Opened,
        options: &RunOptions,
        session: &mut Session,
        messages: Messages,
    ) -> Result<Self, AppError> {
        let mut screen = Screen::new(event_loop, opened, session.vsync, messages)?;
        screen.profiler.set_serving(options.profile);
        let context = &screen.context;
        session.settle_quality(automatic_tier(&context.adapter_info), options.size);
        let store = if options.no_cache { None } else { Store::of_user() };
        let format = screen.surface.format();
        let background = Background::new(context.clone(), options.limits, format, store)
            .map_err(|error| AppError::Frame(error.to_string()))?;
        let shaders = options.watch_shaders.clone().map(ShaderWatch::new).transpose()?;
        let sea = session.scene.sea.clone();
        Ok(Self {
            screen,
            background,
            comparing: None,
            measuring: Measuring::default(),
            retired: Vec::new(),
            limits: options.limits,
            sea_refused: None,
            summary: (sea.clone(), SeaSummary::of(&sea)),
            running: None,
            frames_meanwhile: 0,
            scaled: None,
            writers: Writers::default(),
            history: History::default(),
            allocated: None,
            frames_shown: 0,
            screenshot_wanted: false,
            capture_info: CaptureInfo::default(),
            served_at: options.profile.then_some(super::PROFILE_ADDRESS),
            shaders,
            legend: None,
        })
    }

    pub fn capabilities(&self) -> &Capabilities {
        &self.screen.context.capabilities
    }

    /// Whether there is a frame to draw behind the panels.
    pub fn shows_the_sea(&self) -> bool {
        self.running.is_some()
    }

    /// Whether the frame on the screen is of the session's choices, and not an older one.
    pub fn shows_what_is_chosen(&self, session: &Session) -> bool {
        let has_objects =
            platform::FRAMES_WITHOUT_OBJECTS.is_none_or(|frames| self.frames_shown > frames);
        has_objects && self.running.as_ref().is_some_and(|running| running.key == key(session))
    }

    /// Makes the device go, as a driver that crashes does.
    pub fn lose_device(&self) {
        self.screen.context.device.destroy();
    }

    pub fn take_screenshot(&mut self) {
        self.screenshot_wanted = true;
    }

    /// Records the next frames: as many as `session` says.
    pub fn start_capture(&mut self, session: &Session) {
        if self.screen.profiler.capture_progress().is_none() {
            self.capture_info = self.capture_info(session);
            self.screen.profiler.start_capture(session.capture_frames as usize);
        }
    }

    /// The metadata of a capture of the next frames.
    fn capture_info(&self, session: &Session) -> CaptureInfo {
        let options = self.running.as_ref().map(|running| running.frame.ocean().options());
        let runs = options.and_then(|options| options.configuration(self.capabilities()).ok());
        let parameters = runs.iter().flat_map(|runs| runs.given());
        let settings = FrameSettings {
            preset: session.preset.clone(),
            scene: session.scene.clone(),
            eye_above_water_m: session.cameras.eye_level().above_water_m(),
            quality: session.quality.clone(),
            algorithm: session.algorithm.to_string(),
            runs: runs.map(|runs| runs.algorithm().to_string()).unwrap_or_default(),
            parameters: parameters
                .map(|(name, value)| (name.to_owned(), value.to_string()))
                .collect(),
            path: session.path.name().to_owned(),
            resolution: scaled_size(self.screen.surface.size(), session.render_scale),
        };
        CaptureInfo {
            date: chrono::Local::now().to_rfc3339(),
            command_line: format!(
                "seaway profile --out DIR --frames {} {}",
                session.capture_frames,
                settings.options()
            ),
            settings: serde_json::to_value(&settings).unwrap_or_default(),
            ..CaptureInfo::of(&self.screen.context.adapter_info)
        }
    }

    pub fn compare(&mut self, command: CompareCommand, session: &Session) {
        self.screen.painter.touch();
        match (command, &mut self.comparing) {
            (CompareCommand::Start, _) => self.start_comparing(session),
            (CompareCommand::Stop, _) => self.stop_comparing(),
            (CompareCommand::Pause(paused), Some(comparing)) => comparing.set_paused(paused),
            (CompareCommand::Baseline(row), Some(comparing)) => comparing.set_baseline(row),
            (CompareCommand::Save(form), Some(comparing)) => {
                let text = form.of(comparing.progress().table, &self.screen.adapter);
                self.writers.text("comparison", form.name(), text, &self.screen.messages);
            }
            (_, None) => {}
        }
    }

    fn start_comparing(&mut self, session: &Session) {
        self.stop_comparing();
        let Session { compare, scene, clock, quality, .. } = session;
        let problem = compare.problem(&scene.sea, clock.time_s, quality);
        // What `auto` came to is for what runs.
        let tuned = self.running.as_ref().and_then(|running| {
            let BuildKey { quality, path, .. } = &running.key;
            let is_same = (problem.size, problem.cascades) == (quality.size, quality.cascades);
            let configuration = running.chosen.as_ref()?.configuration?;
            is_same.then_some((configuration, *path))
        });
        let entries = compare.entries(tuned);
        if entries.is_empty() {
            self.screen
                .messages
                .warn("There is nothing to compare: choose algorithms and kinds of rows.");
            return;
        }
        let budget_us = 1e3 * compare.budget_ms(self.screen.context.is_software());
        match comparison::Running::start(
            &self.screen.context,
            self.limits,
            problem,
            entries,
            budget_us,
        ) {
            Ok(comparing) => self.comparing = Some(comparing),
            Err(error) => {
                self.screen.messages.warn(format!("The comparison could not start: {error}"))
            }
        }
    }

    fn stop_comparing(&mut self) {
        self.retired.retain(|task| !task.is_finished());
        self.retired.extend(self.comparing.take().and_then(comparison::Running::stop));
    }

    /// Draws one frame and returns the panels' commands, or how long to wait before trying again where
    /// the surface has no texture. A test injects `fault`.
    ///
    /// # Errors
    /// [`AppError::Frame`] where there is no frame to show and none can be built.
    pub fn draw(
        &mut self,
        event_loop: &ActiveEventLoop,
        workspace: &mut Workspace,
        fault: Option<Fault>,
    ) -> Result<Result<Vec<Command>, Duration>, AppError> {
        self.keep_up(&mut workspace.session)?;
        self.screen.surface.set_vsync(&self.screen.context, workspace.session.vsync);
        let texture = match self.screen.acquire(fault) {
            Ok(texture) => texture,
            Err(rest) => return Ok(Err(rest)),
        };
        // With the display's wait behind it, the processor's part begins.
        self.screen.profiler.begin_frame();
        let commands = {
            profile::scope!(History::FRAME_SCOPE);
            let (painted, commands) = if self.screen.painter.is_due(self.screen.surface.size()) {
                let (painted, commands) = self.panels(event_loop, workspace);
                (Some(painted), commands)
            } else {
                (None, Vec::new())
            };
            let camera = self.eye(&mut workspace.session);
            self.record(&workspace.session, camera, &texture, painted.as_ref());
            commands
        };
        let building = self.running.is_some() && self.background.owes_a_frame();
        self.frames_meanwhile = if building { self.frames_meanwhile + 1 } else { 0 };
        self.screen.present(texture);
        if let Some(comparing) = &mut self.comparing {
            profile::scope!("comparison");
            comparing.next_frame(
                1e3 * workspace.session.compare.budget_ms(self.screen.context.is_software()),
            );
        }
        self.collect(&workspace.session);
        Ok(Ok(commands))
    }

    fn panels(
        &mut self,
        event_loop: &ActiveEventLoop,
        workspace: &mut Workspace,
    ) -> (Painted, Vec<Command>) {
        profile::scope!("panels");
        let allocated = self.allocated(&workspace.session);
        let toasts = self.screen.messages.toasts();
        let gpu_errors = self.screen.messages.gpu_errors();
        let shown = self.shown(&workspace.session);
        if let Some(running) = &self.running
            && self.legend.as_ref().is_none_or(|(of, sea, _)| *of != shown || *sea != running.sea)
        {
            self.legend = Some((shown, running.sea.clone(), running.frame.legend(&shown)));
        }
        let measuring = self.measuring.data();
        let watched = self.shaders.as_ref().map(|shaders| shaders.folder().display().to_string());
        self.screen.profiler.set_timing(workspace.session.shows_times());
        workspace.edit(|session, workspace| {
            let data = PanelData {
                workspace,
                compiling: self.background.compiling(),
                legend: self.legend.as_ref().and_then(|(_, _, legend)| legend.as_ref()),
                shader_error: self.shaders.as_ref().and_then(ShaderWatch::error),
                watched_shaders: watched.as_deref(),
                adapter: &self.screen.adapter,
                capabilities: &self.screen.context.capabilities,
                is_software: self.screen.context.is_software(),
                comparing: self.comparing.as_ref().map(comparison::Running::progress),
                measuring: &measuring,
                automatic_tier: automatic_tier(&self.screen.context.adapter_info),
                chosen: self.running.as_ref().and_then(|running| running.chosen.as_ref()),
                building: self.background.building(),
                computing_sea: self.background.owes_a_sea(),
                has_frame: self.running.is_some(),
                age_s: self.screen.since.elapsed().as_secs_f64(),
                history: &self.history,
                memory: self.running.as_ref().map(|running| running.frame.memory()),
                allocated,
                has_gpu_timers: self.screen.profiler.has_gpu_timers(),
                has_dropped_stages: self.screen.profiler.has_dropped_stages(),
                capture: self.screen.profiler.capture_progress(),
                served_at: self.served_at,
                resolution: scaled_size(self.screen.surface.size(), session.render_scale),
                toasts: &toasts,
                gpu_errors: &gpu_errors,
                summary: &self.summary.1,
            };
            let mut commands = Vec::new();
            let painted = self.screen.painter.run(
                &self.screen.context,
                &self.screen.window,
                event_loop,
                self.screen.surface.size(),
                |ui| {
                    commands.append(&mut ui::show(ui, session, &data));
                },
            );
            ((painted, commands), self.screen.painter.gesture())
        })
    }

    /// The report of wgpu's allocator, where it is shown; asked once a second, since the report lists every
    /// allocation.
    fn allocated(&mut self, session: &Session) -> Option<Allocated> {
        if session.dock != Some(DockTab::Timeline) {
            return None;
        }
        match self.allocated {
            Some((asked, answer)) if asked.elapsed() < Duration::from_secs(1) => answer,
            _ => {
                let report = self.screen.context.device.generate_allocator_report();
                let answer = report.map(|report| Allocated {
                    used_bytes: report.total_allocated_bytes,
                    reserved_bytes: report.total_reserved_bytes,
                });
                self.allocated = Some((Instant::now(), answer));
                answer
            }
        }
    }

    /// The objects to show: at the start, those of the session may still be missing.
    fn scenery(&self, session: &Session) -> Scenery {
        let mut scenery = session.scene.scenery.clone();
        if platform::FRAMES_WITHOUT_OBJECTS.is_some_and(|frames| self.frames_shown < frames) {
            scenery.buoys = 0;
        }
        scenery
    }

    /// The chosen view, once its pipelines are there; the picture until then.
    fn shown(&self, session: &Session) -> DebugChoice {
        match &self.running {
            Some(running) if running.frame.has_views() => session.debug,
            _ => DebugChoice::default(),
        }
    }

    /// The pose of the picture: the camera, above the waves and the bed.
    fn eye(&mut self, session: &mut Session) -> CameraPose {
        let ground = session.ground();
        let Session { cameras, scene, clock, .. } = session;
        let CameraPose { x_m, y_m, z_m, .. } = scene.camera;
        let water = self.running.as_mut().and_then(|Running { frame, eye, .. }| {
            eye.water(frame, cameras.eye_level(), [x_m, y_m, z_m], clock.time_s)
        });
        cameras.eye(&mut scene.camera, water.as_ref(), ground)
    }

    /// Collects the times of frames, and a finished capture.
    fn collect(&mut self, session: &Session) {
        while let Some(times) = self.screen.profiler.finished_frame() {
            self.history.push(times);
        }
        if let Some(capture) = self.screen.profiler.finished_capture() {
            let mut info = std::mem::take(&mut self.capture_info);
            info.settings_changed = self.capture_info(session).settings != info.settings;
            self.writers.capture(capture, info, &self.screen.messages);
        }
        if self.running.is_some() {
            self.frames_shown = self.frames_shown.saturating_add(1);
        }
        if self.frames_shown == 1 {
            log::info!(
                "first frame {:.2?} after opening the adapter began",
                self.screen.since.elapsed()
            );
        }
    }
}

impl Drop for Graphics {
    /// Ends the work of comparisons before the device.
    fn drop(&mut self) {
        self.stop_comparing();
        self.retired.extend(self.measuring.stop());
        self.retired.drain(..).for_each(Task::finish);
    }
}

/// The part of `session` that needs new kernels when it changes.
fn key(session: &Session) -> BuildKey {
    let Session { quality, algorithm, path, .. } = session;
    BuildKey { quality: quality.clone(), algorithm: *algorithm, path: *path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_takes_its_time_and_waits_in_a_pause() {
        let start = Instant::now();
        let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
        let mut change = Change::begin(start);
        assert!((change.share(at(0.5), false) - 0.25).abs() < 1e-9);
        assert_eq!(change.share(at(9.0), true), 0.0);
        // A half of the remaining 1.5 s.
        assert!((change.share(at(9.75), false) - 0.5).abs() < 1e-9);
        assert_eq!(change.share(at(10.6), false), 1.0);
    }
}
