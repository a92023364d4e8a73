//! Prepares rows apart from the frames: compiles, checks and tries them on another device, so that waits and
//! late compilations of the driver delay no frame, and then builds them on the device that draws.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::work::{SharedBuffers, StepStages, Work};
use super::{Entry, Problem, RowKind};
use crate::bench::Outcome;
use crate::fft::lab::reference::Lines;
use crate::fft::lab::timing::{Clock, Timer, Turn};
use crate::fft::lab::{
    self, Accuracy, ClockStep, Configuration, Expected, Gate, WorkloadError, data, scope::scoped,
};
use crate::fft::{Descriptor, FftError, Precision};
use crate::gpu::{Context, ContextError, Destroyed, LimitsPreset, ReadbackError};
use crate::ocean::check::{OceanGate, Reference, check};
use crate::ocean::{Ocean, OceanError, OceanOptions};
use crate::platform::{self, Cooperative};
use crate::spectrum::{InitialSpectrum, SpectrumError};

/// Largest size at which steps are checked with all cascades, since the exact maps of a larger sea take
/// gigabytes. Beyond, only the first cascade is checked.
const CHECKED_SIZE: u32 = 1024;

/// The reasons why there is nothing to compare.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// The sea or its shape is out of range.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// There is no second device to try rows on.
    #[error(transparent)]
    Device(#[from] ContextError),
    /// The device did not answer in time.
    #[error(transparent)]
    Readback(#[from] ReadbackError),
    /// The device refuses the memory, or the spectra cannot be made.
    #[error(
        "{size} x {size}, {images} images: the GPU could not allocate buffers for the comparison: \
         {reason}"
    )]
    Refused {
        /// Points along one side of an image.
        size: u32,
        /// The number of complex images.
        images: u32,
        /// The device's message.
        reason: String,
    },
    /// The browser does not give pages the GPU's clock.
    #[error(
        "this browser gives no GPU times, and by its own clock the times would include the sea: \
         use bench.html, which runs without a sea."
    )]
    NoTimestamps,
    /// The steps of a coarse clock could not be measured.
    #[error("the clock cannot be used: {0}")]
    Clock(#[from] WorkloadError),
    /// The listener asked to stop.
    #[error("the comparison was cancelled")]
    Cancelled,
}

/// The properties of a row besides its times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Properties {
    /// The algorithm with all of its parameters; `None` for a copy.
    pub configuration: Option<Configuration>,
    /// Bytes of workgroup memory, the most of its transform's kernels.
    pub workgroup_bytes: u32,
    /// Bytes of image data that one run of a transform reads and writes.
    pub bytes_moved: Option<u64>,
    /// The number of images in a run: not all of them if those would exceed the budget.
    pub images: u32,
    /// The factor from a run's time to that of all images: one image is padded to a pair by its layout, so
    /// that of 16 it stands for 8.
    pub scale: f64,
    /// The error against double precision: of a transform's result, or of a step's maps.
    pub accuracy: Accuracy,
}

/// A row that is ready to run on the device that draws.
pub struct Candidate {
    pub(super) properties: Properties,
    pub(super) work: Work,
    /// Approximate time of one run, in microseconds.
    pub(super) once_us: f64,
}

impl Candidate {
    /// A row of a result that may have failed.
    fn of(work: Result<Work, String>, properties: Properties, once_us: f64) -> Outcome<Self> {
        match work {
            Ok(work) => Outcome::Measured(Self { properties, work, once_us }),
            Err(reason) => Outcome::skipped(reason),
        }
    }
}

/// A notice of the progress of a preparation. Row `entries.len()` is the copy.
pub enum Notice {
    /// The clock is coarse, with these steps.
    Clock(ClockStep),
    /// That row is being compiled and checked.
    Begun(usize),
    /// That row is ready, or never will be.
    Done(usize, Outcome<Box<Candidate>>),
}

/// The input of a preparation.
pub struct Preparation<'a> {
    /// The device that the frames are drawn on.
    pub drawing: &'a Context,
    /// How much of the adapter the device for trials is to use.
    pub limits: LimitsPreset,
    /// The problem that all rows solve.
    pub problem: &'a Problem,
    /// The rows to prepare, in their order.
    pub entries: &'a [Entry],
    /// Rows that take longer than this run on one image, or one cascade; microseconds.
    pub budget_us: f64,
}

impl Preparation<'_> {
    /// Prepares the copy and then row after row, reporting each to `listener`. It waits for another device,
    /// so it is for a thread besides the one that draws.
    ///
    /// # Errors
    /// [`ComparisonError`] if nothing can be compared; errors of one row are reported to the listener.
    pub async fn run(
        &self,
        listener: &mut (dyn FnMut(Notice) -> ControlFlow<()> + Send),
    ) -> Result<(), ComparisonError> {
        let Self { drawing, problem, entries, .. } = self;
        let mut notify = |notice| match listener(notice) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ComparisonError::Cancelled),
        };
        // Reported before each long step: the listener can cancel here.
        let copy = entries.len();
        notify(Notice::Begun(copy))?;
        let Problem { sea, size, cascades, .. } = problem;
        let coop = &mut Cooperative::new();
        let initial = InitialSpectrum::new_in(coop, sea, *size, *cascades).await?;
        notify(Notice::Begun(copy))?;
        let trial = drawing.another(self.limits).await?;
        let _on_it = trial.destroy_on_drop();
        // Errors there are reported for their row, and do not concern the drawing device.
        trial.device.on_uncaptured_error(Arc::new(|error: wgpu::Error| log::debug!("{error}")));

        if drawing.is_in_browser() {
            let timer = Timer::of(&trial.device);
            if timer == Timer::Wall {
                return Err(ComparisonError::NoTimestamps);
            }
            let step = ClockStep::measure(&trial, timer).await?;
            notify(Notice::Clock(step.ok_or(ComparisonError::NoTimestamps)?))?;
        }
        if entries.iter().any(|entry| entry.kind == RowKind::Transform) {
            let mut transforms = Transforms {
                preparation: self,
                trial: Trial::new(&trial),
                tried: self.buffers(&trial, &initial).await?,
                drawn: self.buffers(drawing, &initial).await?,
            };
            notify(Notice::Done(copy, transforms.copy().await?.map(Box::new)))?;
            for (row, entry) in entries.iter().enumerate() {
                if entry.kind == RowKind::Transform {
                    notify(Notice::Begun(row))?;
                    let done = transforms.row(entry.configuration).await?;
                    notify(Notice::Done(row, done.map(Box::new)))?;
                }
            }
        }
        if entries.iter().any(|entry| entry.kind != RowKind::Transform) {
            let mut steps = Steps {
                preparation: self,
                trial: Trial::new(&trial),
                initial,
                single: None,
                reference: None,
                stages: [None, None],
            };
            for (row, entry) in entries.iter().enumerate() {
                if entry.kind != RowKind::Transform {
                    notify(Notice::Begun(row))?;
                    let done = steps.row(entry).await?;
                    notify(Notice::Done(row, done.map(Box::new)))?;
                }
            }
        }
        Ok(())
    }

    async fn buffers(
        &self,
        context: &Context,
        initial: &InitialSpectrum,
    ) -> Result<SharedBuffers, ComparisonError> {
        let Context { device, queue, capabilities, .. } = context;
        let refused = |reason| ComparisonError::Refused {
            size: self.problem.size,
            images: self.problem.images(),
            reason,
        };
        if self.problem.precision == Precision::F16 && !capabilities.shader_f16 {
            return Err(refused("this adapter has no 16-bit floats (SHADER_F16)".to_owned()));
        }
        made(device, || SharedBuffers::new(device, queue, self.problem, initial))
            .await
            .map_err(refused)
    }
}

/// Runs trials on another device.
struct Trial<'a> {
    context: &'a Context,
    clock: Clock,
}

impl<'a> Trial<'a> {
    fn new(context: &'a Context) -> Self {
        let Context { device, queue, .. } = context;
        Self { context, clock: Clock::by(Timer::of(device), device, queue, 1) }
    }

    /// Returns the microseconds of `encode`. The first run may compile.
    async fn time(
        &self,
        encode: &(dyn Fn(&mut wgpu::ComputePass<'_>, u32) + Sync),
    ) -> Result<f64, ReadbackError> {
        let turn = || [Turn { repetitions: 1, encode: Box::new(encode) }];
        let first = self.clock.time(&turn());
        first.await?;
        let second = self.clock.time(&turn());
        Ok(second.await?[0])
    }
}

/// Most by which the time of a part may overestimate that of the whole, since a small part leaves most of a
/// GPU idle. Rows that would still exceed the budget are not tried whole, as the sea waits meanwhile.
const OVERSTATED: f64 = 8.0;

struct Transforms<'a> {
    preparation: &'a Preparation<'a>,
    trial: Trial<'a>,
    tried: SharedBuffers,
    drawn: SharedBuffers,
}

/// A row's outcome, unless the device is lost.
type Prepared = Result<Outcome<Candidate>, ReadbackError>;

/// Returns the result of `make`, or the device's refusal.
async fn made<T>(
    device: &wgpu::Device,
    make: impl FnOnce() -> Result<T, OceanError>,
) -> Result<T, String> {
    match scoped(device, make).await {
        (Ok(value), None) => Ok(value),
        (Err(error), _) => Err(error.to_string()),
        (_, Some(reason)) => Err(reason),
    }
}

impl Transforms<'_> {
    async fn row(&mut self, configuration: Option<Configuration>) -> Prepared {
        let problem = self.preparation.problem;
        let all = problem.transform(problem.images(), configuration);
        let capabilities = &self.trial.context.capabilities;
        let program = match lab::program(&all, capabilities) {
            Ok(program) => program,
            Err(reason) => return Ok(Outcome::skipped(reason)),
        };
        let device = &self.trial.context.device;
        let layers = |images| f64::from(all.layout.layers(images));
        let mut chosen = None;
        // One image first: how long all would take is not known.
        for images in [1, problem.images()] {
            let descriptor = Descriptor { batch: images, ..all.clone() };
            let transform = || self.tried.transform(&self.trial.context.queue, &descriptor);
            let work = match made(device, transform).await {
                Ok(work) => work,
                Err(reason) => {
                    self.tried.forget_scratch();
                    return Ok(Outcome::skipped(reason));
                }
            };
            self.tried.clear(&self.trial.context.queue);
            let once_us =
                self.trial.time(&|pass, repetition| work.encode(pass, repetition)).await?;
            let mut accuracy = Accuracy::NONE;
            for index in [0, images - 1] {
                accuracy = accuracy.worse(self.accuracy(&descriptor, index).await?);
            }
            let gate = Gate::of(&descriptor);
            if !gate.passes(accuracy) {
                return Ok(Outcome::failed(gate.describe(accuracy)));
            }
            let whole_us = once_us * layers(problem.images()) / layers(images);
            if chosen.is_none() || whole_us <= self.preparation.budget_us {
                chosen = Some((descriptor, once_us, accuracy));
            }
            if whole_us > OVERSTATED * self.preparation.budget_us {
                break;
            }
        }
        let (descriptor, once_us, accuracy) = chosen.expect("one image was tried");
        let scale = layers(problem.images()) / layers(descriptor.batch);
        let properties = Properties {
            configuration: program.configuration,
            workgroup_bytes: workgroup_bytes(&program),
            bytes_moved: Some((program.bytes_moved() as f64 / scale) as u64),
            images: descriptor.batch,
            scale,
            accuracy,
        };
        let Context { device, queue, .. } = self.preparation.drawing;
        let work = made(device, || self.drawn.transform(queue, &descriptor)).await;
        if work.is_err() {
            self.drawn.forget_scratch();
        }
        Ok(Candidate::of(work, properties, once_us))
    }

    /// The copy of the same bytes, of all images.
    async fn copy(&mut self) -> Prepared {
        let problem = self.preparation.problem;
        let task = problem.transform(problem.images(), None);
        let program = match lab::copy_program(&task, &self.trial.context.capabilities) {
            Ok(program) => program,
            Err(reason) => return Ok(Outcome::skipped(reason)),
        };
        let bytes_moved = program.bytes_moved();
        let context = self.trial.context;
        let work = match made(&context.device, || self.tried.copy(program.clone())).await {
            Ok(work) => work,
            Err(reason) => return Ok(Outcome::skipped(reason)),
        };
        self.tried.clear(&context.queue);
        let once_us = self.trial.time(&|pass, repetition| work.encode(pass, repetition)).await?;
        for index in [0, problem.images() - 1] {
            let read =
                |buffer| data::read_output(&context.device, &context.queue, &task, buffer, index);
            let (given, copied) =
                (read(self.tried.input()).await?, read(self.tried.output()).await?);
            if given != copied {
                return Ok(Outcome::failed("the copy differs from its source"));
            }
        }
        let properties = Properties {
            configuration: None,
            workgroup_bytes: 0,
            bytes_moved: Some(bytes_moved),
            images: problem.images(),
            scale: 1.0,
            accuracy: Accuracy::NONE,
        };
        let device = &self.preparation.drawing.device;
        Ok(Candidate::of(made(device, || self.drawn.copy(program)).await, properties, once_us))
    }

    /// The error of image `index` of the last run.
    async fn accuracy(&self, task: &Descriptor, index: u32) -> Result<Accuracy, ReadbackError> {
        let Context { device, queue, .. } = self.trial.context;
        let given = data::read_input(device, queue, task, self.tried.input(), index).await?;
        let result = data::read_output(device, queue, task, self.tried.output(), index).await?;
        let (coop, lines) = (&mut Cooperative::new(), &mut Lines::default());
        Ok(Expected::of_in(coop, task, given, lines).await.accuracy(&result))
    }
}

/// An ocean that is only tried.
struct TrialOcean(Ocean);

impl Drop for TrialOcean {
    fn drop(&mut self) {
        if platform::FREES_LATE {
            let _: Destroyed = self.0.allocations();
        }
    }
}

struct Steps<'a> {
    preparation: &'a Preparation<'a>,
    trial: Trial<'a>,
    initial: InitialSpectrum,
    single: Option<InitialSpectrum>,
    /// The expected maps, and their number of cascades.
    reference: Option<(u32, Reference)>,
    /// The stages on the device that draws: of all cascades, of one.
    stages: [Option<Arc<StepStages>>; 2],
}

impl Steps<'_> {
    async fn row(&mut self, entry: &Entry) -> Prepared {
        let Preparation { problem, budget_us, drawing, .. } = self.preparation;
        let path = entry.kind.path().expect("a step has a path");
        if problem.precision != Precision::F32 {
            return Ok(Outcome::skipped("a step of the ocean computes in 32-bit floats"));
        }
        let Context { device, queue, capabilities, .. } = self.trial.context;
        let options = |cascades| problem.ocean(cascades, path, entry.configuration);
        if let Err(reason) = options(problem.cascades).check(capabilities) {
            return Ok(Outcome::skipped(reason));
        }
        // One cascade first: how long all would take is not known.
        let mut single_us = None;
        let mut chosen = None;
        for cascades in [1, problem.cascades] {
            let initial = self.initial_of(cascades).await.clone();
            let make = || Ocean::with_spectrum(device, queue, initial, options(cascades));
            let ocean = match made(device, make).await {
                Ok(ocean) => TrialOcean(ocean),
                Err(reason) => return Ok(Outcome::skipped(reason)),
            };
            let once_us =
                self.trial.time(&|pass, _| ocean.0.encode_step(pass, problem.time_s)).await?;
            let single_us = *single_us.get_or_insert(once_us);
            let whole_us = once_us * f64::from(problem.cascades) / f64::from(cascades);
            let is_last = cascades == problem.cascades
                || problem.size > CHECKED_SIZE
                || whole_us > OVERSTATED * budget_us;
            if is_last {
                let reference = self.reference_of(cascades).await;
                let accuracy = check(device, queue, &ocean.0, reference).await?;
                let gate = OceanGate::of(ocean.0.options().map_format);
                if !gate.passes(&accuracy) {
                    return Ok(Outcome::failed(gate.describe(&accuracy)));
                }
                let (run, once_us) = match whole_us > *budget_us {
                    true => (1, single_us),
                    false => (problem.cascades, whole_us),
                };
                chosen = Some((run, once_us, accuracy.fields));
                break;
            }
        }
        let (cascades, once_us, accuracy) = chosen.expect("one of the two is the last");
        let options = options(cascades);
        let make = || -> Result<(Work, u32, Configuration), OceanError> {
            let stages = self.stages(cascades, &options)?;
            let configuration = options.configuration(capabilities)?;
            let transform = options.hooked_transform()?.by(configuration);
            let program = lab::program(&transform, capabilities).map_err(FftError::from)?;
            let work = stages.step(&drawing.device, &drawing.queue, &options)?;
            Ok((work, workgroup_bytes(&program), configuration))
        };
        Ok(match made(&drawing.device, make).await {
            Ok((work, workgroup_bytes, configuration)) => {
                let properties = Properties {
                    configuration: Some(configuration),
                    workgroup_bytes,
                    bytes_moved: None,
                    images: 4 * cascades,
                    scale: f64::from(problem.cascades) / f64::from(cascades),
                    accuracy,
                };
                Candidate::of(Ok(work), properties, once_us)
            }
            Err(reason) => Outcome::skipped(reason),
        })
    }

    async fn initial_of(&mut self, cascades: u32) -> &InitialSpectrum {
        let Problem { sea, size, cascades: all, .. } = self.preparation.problem;
        if cascades == *all {
            return &self.initial;
        }
        if self.single.is_none() {
            let single =
                InitialSpectrum::new_in(&mut Cooperative::new(), sea, *size, cascades).await;
            self.single = Some(single.expect("fewer cascades of a sea that there is"));
        }
        self.single.as_ref().expect("made above")
    }

    async fn reference_of(&mut self, cascades: u32) -> &Reference {
        if self.reference.as_ref().is_none_or(|(of, _)| *of != cascades) {
            let time_s = self.preparation.problem.time_s;
            let initial = self.initial_of(cascades).await;
            let reference = Reference::new_in(&mut Cooperative::new(), initial, time_s).await;
            self.reference = Some((cascades, reference));
        }
        &self.reference.as_ref().expect("made above").1
    }

    fn stages(
        &mut self,
        cascades: u32,
        options: &OceanOptions,
    ) -> Result<Arc<StepStages>, OceanError> {
        let problem = self.preparation.problem;
        let place = usize::from(cascades != problem.cascades);
        if let Some(stages) = &self.stages[place] {
            return Ok(Arc::clone(stages));
        }
        let Context { device, queue, .. } = self.preparation.drawing;
        let single = self.single.as_ref().filter(|_| cascades != problem.cascades);
        let initial = single.unwrap_or(&self.initial);
        let stages = Arc::new(StepStages::new(device, queue, initial, problem.time_s, options)?);
        self.stages[place] = Some(Arc::clone(&stages));
        Ok(stages)
    }
}

fn workgroup_bytes(program: &lab::Program) -> u32 {
    program.kernels.iter().map(|kernel| kernel.workgroup_bytes).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fft::Direction;
    use crate::settings::SeaState;
    use seaway_core::testing::context;

    /// Replaces the kernel by that of another transform.
    #[test]
    fn spectra_of_a_sea_reveal_wrong_results() {
        let context = context();
        for size in [32, 1024] {
            let (sea, precision) = (SeaState::default(), Precision::F32);
            let problem = Problem { sea, time_s: 1.0, size, cascades: 1, precision };
            let preparation = Preparation {
                drawing: &context,
                limits: LimitsPreset::Adapter,
                problem: &problem,
                entries: &[],
                budget_us: 1e6,
            };
            let initial = InitialSpectrum::new(&problem.sea, size, 1).unwrap();
            let buffers = || pollster::block_on(preparation.buffers(&context, &initial)).unwrap();
            let mut transforms = Transforms {
                preparation: &preparation,
                trial: Trial::new(&context),
                tried: buffers(),
                drawn: buffers(),
            };
            let right = problem.transform(4, None);
            let wrong = Descriptor { direction: Direction::Forward, ..right.clone() };
            for (task, passes) in [(&right, true), (&wrong, false)] {
                let work = transforms.tried.transform(&context.queue, task).unwrap();
                pollster::block_on(transforms.trial.time(&|pass, _| work.encode(pass, 0))).unwrap();
                let accuracy = pollster::block_on(transforms.accuracy(&right, 3)).unwrap();
                assert_eq!(Gate::of(&right).passes(accuracy), passes, "{size}: {accuracy:?}");
            }
            // A kernel that writes nothing, after one that was right.
            let work = transforms.tried.transform(&context.queue, &right).unwrap();
            pollster::block_on(transforms.trial.time(&|pass, _| work.encode(pass, 0))).unwrap();
            transforms.tried.clear(&context.queue);
            let accuracy = pollster::block_on(transforms.accuracy(&right, 3)).unwrap();
            assert!(!Gate::of(&right).passes(accuracy), "{accuracy:?}");
        }
    }
}
