//! Compiles shaders for the frame that runs: those that have changed on disk, and those of the debug
//! views when the first is asked for.
//!
//! Everything is tried first on a stand-in: another frame on another device of the same adapter, which
//! is kept from one change to the next and recompiles only what has changed, as the running frame does.
//! A shader that is wrong in a way that only drawing shows, or that hangs the GPU, ends the stand-in
//! and not the window; and a driver that compiles at the first draw does so where nobody waits.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::frames::{FrameBuilder, FrameRequest};
use super::{Job, Step};
use crate::choice::Choice as _;
use crate::debug_view::{DebugChoice, DebugView};
use crate::frame::{Compiled, Compiler, Frame};
use crate::gpu::Context;
use crate::gpu::shader::Sources;

/// Shaders to compile for a frame that runs.
pub(in crate::app) struct KernelRequest {
    /// What is wanted.
    pub wanted: Wanted,
    /// The running frame's.
    pub compiler: Compiler,
    /// What the stand-in is built from: the running frame's own.
    pub like: FrameRequest,
}

/// What is to be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) enum Wanted {
    /// The debug views.
    Views,
    /// What has changed in `folder`, of which this is revision `revision`.
    Shaders {
        /// Where the shaders are.
        folder: PathBuf,
        /// Tells one request from the next.
        revision: u64,
    },
}

/// What was compiled.
pub(in crate::app) struct Kernels {
    /// For the running frame.
    pub compiled: Compiled,
    /// The shaders as they are known to compile now, to be installed.
    pub sources: Sources,
}

/// A frame that nobody sees.
pub(super) struct StandIn {
    context: Context,
    frame: Frame,
    like: super::BuildKey,
    /// The shaders that it is made of.
    sources: Sources,
    errors: Arc<Mutex<Vec<String>>>,
}

impl FrameBuilder {
    /// Compiles what is asked for, if it compiles and draws on the stand-in.
    ///
    /// # Errors
    /// What is wrong with the shaders, with file and line where that is known, or that nobody wants
    /// them any more.
    pub fn compile(&mut self, request: &KernelRequest, job: &Job<'_>) -> Result<Kernels, String> {
        let good = Sources::installed().unwrap_or_else(Sources::embedded);
        job.reach(Step::Compiling)?;
        match &request.wanted {
            Wanted::Views => {
                // A driver that compiles when it is told to does no harm.
                if self.context.is_software() {
                    self.try_out(request, &good, &good, job)?;
                }
                let compiled = good.during(|| request.compiler.compile_views());
                Ok(Kernels {
                    compiled: compiled.map_err(|error| error.to_string())?,
                    sources: good,
                })
            }
            Wanted::Shaders { folder, .. } => {
                let sources = Sources::read(folder)
                    .map_err(|error| format!("{}: {error}", folder.display()))?;
                sources.check().map_err(|error| error.to_string())?;
                let changed = sources.changed_since(&good);
                if !changed.is_empty() {
                    self.try_out(request, &good, &sources, job)?;
                }
                let compiled = sources.during(|| request.compiler.compile(&changed));
                Ok(Kernels { compiled: compiled.map_err(|error| error.to_string())?, sources })
            }
        }
    }

    /// Has the stand-in draw with `sources`; without one, from those that are known to be `good`. One
    /// that fails is not kept.
    fn try_out(
        &mut self,
        request: &KernelRequest,
        good: &Sources,
        sources: &Sources,
        job: &Job<'_>,
    ) -> Result<(), String> {
        let kept = self.stand_in.take().filter(|kept| kept.like == request.like.key);
        let mut stand_in = match kept {
            Some(kept) => kept,
            None => match good.during(|| self.new_stand_in(request, good, job)) {
                Ok(new) => new,
                Err(error) => {
                    // Then the running frame is the first to try, within an error scope.
                    log::warn!("shaders are not tried out first: {error}");
                    return Ok(());
                }
            },
        };
        let changed = sources.changed_since(&stand_in.sources);
        let rebuilt = sources
            .during(|| {
                let rebuilt = stand_in.frame.reload(&changed)?;
                let of_views = changed.iter().any(|name| name.starts_with("debug_view/"));
                if request.wanted == Wanted::Views || request.compiler.has_views() || of_views {
                    stand_in.frame.build_views()?;
                }
                Ok(rebuilt)
            })
            .map_err(|error: crate::frame::FrameError| error.to_string())?;
        let mut views = vec![DebugView::Picture];
        if stand_in.frame.has_views()
            && (request.wanted == Wanted::Views || rebuilt.contains(&"debug views"))
        {
            views = DebugView::ALL.to_vec();
        }
        for view in views {
            job.reach(Step::WarmingUp)?;
            let choice = DebugChoice { view, ..DebugChoice::default() };
            let StandIn { context, frame, .. } = &mut stand_in;
            self.run_once(context, frame, &request.like, choice, job);
            let errors = stand_in.errors.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(error) = errors.first() {
                return Err(crate::gpu::headline(error));
            }
        }
        stand_in.sources = sources.clone();
        self.stand_in = Some(stand_in);
        Ok(())
    }

    fn new_stand_in(
        &mut self,
        request: &KernelRequest,
        good: &Sources,
        job: &Job<'_>,
    ) -> Result<StandIn, String> {
        let context = self.second_device()?;
        let errors = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&errors);
        context.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            heard.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
        }));
        let like = &request.like;
        let options = request.compiler.ocean_options();
        job.reach(Step::DrawingSpectrum)?;
        let spectrum = crate::ocean::Ocean::prepare(&like.scene.sea, &options)
            .map_err(|error| error.to_string())?;
        job.reach(Step::Compiling)?;
        let frame = self.new_frame(&context, like, options, spectrum)?;
        Ok(StandIn { context, frame, like: like.key.clone(), sources: good.clone(), errors })
    }
}
