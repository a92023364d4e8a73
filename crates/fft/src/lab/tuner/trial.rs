use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::search::{Candidate, Comparison, Effort, Evaluator};
use super::{HookGroups, TuneError};
use crate::descriptor::{Descriptor, Placement};
use crate::error::FftError;
use crate::gpu::{Capabilities, median};
use crate::lab::data::{self, Which, storage};
use crate::lab::scope::scoped;
use crate::lab::timing::{Clock, Timer, Turn};
use crate::lab::{Gate, References};
use crate::plan::{self, Bound, Buffers, HookLayouts, Pipeline, Plan, Region, Trust};
use crate::planner::program;
use crate::platform::{self, Instant};
use crate::program::{Kernel, Program};

/// Multiple of the incumbent's time beyond which a candidate is dropped after one run.
const DROP_FACTOR: f64 = 2.0;
/// Extra time of a single run over one among many, in microseconds.
const DROP_MARGIN_US: f64 = 20.0;
/// Length of a window of work for steady clocks, in microseconds.
const WINDOW_US: f64 = 40_000.0;
/// Largest relative difference of windows with steady clocks.
const STEADY: f64 = 0.01;
/// Consecutive steady windows: an idle H200 stays at its lowest clock for the first 80 ms.
const STEADY_WINDOWS: usize = 3;
const WARM_UP_US: f64 = 400_000.0;
const LONGEST_WARM_UP_US: f64 = 3_000_000.0;
const MOST_WINDOWS: usize = 500;
const PASSES: u32 = 256;
/// A pass that keeps the clocks up while kernels compile, in microseconds.
const BUSY_US: f64 = 2000.0;

/// The time of one pass, in microseconds, and the number of turns of each candidate, if the incumbent takes
/// `us`: short runs are noisy, and cheap to repeat.
fn method(effort: Effort, us: f64) -> (f64, u32) {
    match effort {
        Effort::Short if us < SHORT_US => (300.0, 11),
        Effort::Short => (300.0, 5),
        Effort::Long => (1200.0, 11),
    }
}

/// A few dispatches take at least this long.
const SHORT_US: f64 = 20.0;

/// Runs candidates for one task, all on the same buffers.
pub(super) struct GpuEvaluator<'a> {
    hooks: HookGroups<'a>,
    device: &'a wgpu::Device,
    queue: &'a wgpu::Queue,
    clock: Clock,
    task: Descriptor,
    /// Also the output if the task is in place.
    input: wgpu::Buffer,
    output: wgpu::Buffer,
    scratch: Option<wgpu::Buffer>,
    /// Compiled kernels by their text: candidates that differ along one axis share the kernel of the other.
    /// `None` if the driver refuses it.
    pipelines: HashMap<String, Option<Pipeline>>,
    /// A software adapter compiles when a kernel first runs.
    is_software: bool,
    /// The work that keeps the clocks up, and microseconds of one run.
    busy: Option<(Bound, f64)>,
    references: References,
    budget_ms: f64,
    /// Set once the clocks are up.
    deadline: Option<Deadline>,
}

impl<'a> GpuEvaluator<'a> {
    pub async fn new(
        device: &'a wgpu::Device,
        queue: &'a wgpu::Queue,
        task: &Descriptor,
        budget_ms: f64,
        hooks: HookGroups<'a>,
    ) -> Result<Self, TuneError> {
        let make = || {
            let bytes = data::data_bytes(task);
            let input = storage(device, "tuner input", bytes);
            let output = match task.placement {
                Placement::InPlace => input.clone(),
                Placement::OutOfPlace => storage(device, "tuner output", bytes),
            };
            (input, output)
        };
        let ((input, output), refused) = scoped(device, make).await;
        if let Some(reason) = refused {
            return Err(TuneError::Buffers(reason));
        }
        let trial = Self {
            hooks,
            device,
            queue,
            clock: Clock::by(Timer::of(device), device, queue, PASSES),
            task: task.clone(),
            input,
            output,
            scratch: None,
            pipelines: HashMap::new(),
            is_software: device.adapter_info().device_type == wgpu::DeviceType::Cpu,
            busy: None,
            references: References::default(),
            budget_ms,
            deadline: None,
        };
        // Only the first and the last image are checked.
        data::upload(device, queue, task, &trial.input, Which::Ends);
        Ok(trial)
    }

    /// `program` with its pipelines and buffers; `None` if the driver refuses it.
    async fn bind(&mut self, program: &Program) -> Option<Bound> {
        let scratch_bytes = program.scratch_bytes;
        if scratch_bytes > self.scratch.as_ref().map_or(0, wgpu::Buffer::size) {
            let scratch = || storage(self.device, "tuner scratch", scratch_bytes);
            let (scratch, refused) = scoped(self.device, scratch).await;
            self.scratch = refused.is_none().then_some(scratch);
        }
        if scratch_bytes > 0 && self.scratch.is_none() {
            return None;
        }
        self.compile(&[program]);
        let pipelines: Option<Vec<_>> =
            program.kernels.iter().map(|kernel| self.pipelines[&kernel.wgsl].clone()).collect();
        let pipelines = pipelines?;
        // A part of the transform works in place on what the part before it has written.
        let input = if program.in_place { &self.output } else { &self.input };
        let (bound, refused) = scoped(self.device, || {
            let hooks = HookLayouts::of(self.device, program);
            let plan = Plan::of_pipelines(self.device, program.clone(), hooks, pipelines);
            plan.write_tables(self.queue);
            let buffers = Buffers {
                scratch: self.scratch.as_ref().map(Region::from),
                load: self.hooks.load.filter(|_| plan.load_layout().is_some()),
                store: self.hooks.store.filter(|_| plan.store_layout().is_some()),
                ..Buffers::new(input, &self.output)
            };
            plan.bind(self.device, &buffers)
        })
        .await;
        match (bound, refused) {
            (Ok(bound), None) => Some(bound),
            (Err(error), _) => {
                log::debug!("a candidate could not be bound: {error}");
                None
            }
            (_, Some(error)) => {
                log::debug!("a candidate was refused: {error}");
                None
            }
        }
    }

    /// Compiles the missing kernels of `programs`, with the device at work meanwhile, so that its clocks stay
    /// up.
    fn compile(&mut self, programs: &[&Program]) {
        let mut kernels: Vec<(&Kernel, &Program)> = Vec::new();
        for program in programs {
            for kernel in &program.kernels {
                let is_there = |(other, _): &(&Kernel, _)| other.wgsl == kernel.wgsl;
                if !self.pipelines.contains_key(&kernel.wgsl) && !kernels.iter().any(is_there) {
                    kernels.push((kernel, program));
                }
            }
        }
        if kernels.is_empty() {
            return;
        }
        let busy = self.busy.as_ref().filter(|_| !self.is_software);
        let compiled = compile_all(self.device, &kernels, || match busy {
            Some((bound, once_us)) => self.work(bound, (BUSY_US / once_us).max(1.0) as u32),
            None => std::thread::yield_now(),
        });
        let texts = kernels.into_iter().map(|(kernel, _)| kernel.wgsl.clone());
        self.pipelines.extend(texts.zip(compiled));
    }

    /// Runs `bound` several times, and waits for it.
    fn work(&self, bound: &Bound, repetitions: u32) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            (0..repetitions).for_each(|_| self.encode(bound, &mut pass));
        }
        self.queue.submit([encoder.finish()]);
        // An error here shows again in a call that returns it.
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
    }

    fn encode(&self, bound: &Bound, pass: &mut wgpu::ComputePass<'_>) {
        for axis in self.task.axes.list() {
            bound.encode_axis_at(pass, *axis, self.hooks.load_offsets);
        }
    }

    /// Microseconds of one repetition of each of `turns`.
    async fn time<'b>(&'b self, turns: &'b [(&'b Bound, u32)]) -> Result<Vec<f64>, TuneError> {
        // The recorders are dropped before the first wait.
        let timing = {
            let turn = |&(bound, repetitions): &'b (&'b Bound, u32)| {
                let encode = move |pass: &mut wgpu::ComputePass<'_>, _| self.encode(bound, pass);
                Turn { repetitions, encode: Box::new(encode) }
            };
            self.clock.time(&turns.iter().map(turn).collect::<Vec<_>>())
        };
        Ok(timing.await?)
    }
}

impl Evaluator for GpuEvaluator<'_> {
    fn prepare(&mut self, programs: &[Candidate]) {
        // Where a kernel is compiled when it first runs there is nothing to prepare.
        if !self.is_software {
            let programs: Vec<_> = programs.iter().map(|candidate| &candidate.program).collect();
            self.compile(&programs);
        }
    }

    async fn warm_up(&mut self, program: &Candidate) -> Result<(), TuneError> {
        let Some(bound) = self.bind(&program.program).await else {
            return Err(TuneError::NoTimes);
        };
        // The first run may compile.
        self.time(&[(&bound, 1)]).await?;
        let mut once_us = self.time(&[(&bound, 1)]).await?[0];
        // Nothing takes no time: then the device did nothing.
        if once_us.is_nan() || once_us == 0.0 {
            return Err(TuneError::NoTimes);
        }
        let (window_us, least_us) =
            if self.is_software { (1.0, 0.0) } else { (WINDOW_US, WARM_UP_US) };
        let (mut worked_us, mut steady, mut last) = (0.0, 0, f64::INFINITY);
        for _ in 0..MOST_WINDOWS {
            if steady >= STEADY_WINDOWS || worked_us >= LONGEST_WARM_UP_US {
                break;
            }
            once_us = once_us.max(0.1);
            let repetitions = (window_us / 16.0 / once_us).clamp(1.0, 2000.0) as u32;
            let passes = if self.is_software { 1 } else { 16 };
            let mut times = self.time(&vec![(&bound, repetitions); passes]).await?;
            once_us = median(&mut times).unwrap_or(once_us);
            worked_us += once_us * f64::from(repetitions) * passes as f64;
            let is_same = (once_us / last - 1.0).abs() < STEADY || self.is_software;
            steady = if is_same && worked_us >= least_us { steady + 1 } else { 0 };
            last = once_us;
        }
        self.busy = Some((bound, once_us));
        self.deadline = Some(Deadline::after(self.budget_ms));
        Ok(())
    }

    async fn compare(
        &mut self,
        incumbent: &Candidate,
        others: &[Candidate],
        effort: Effort,
    ) -> Result<Comparison, TuneError> {
        let mut bound = Vec::new();
        for candidate in std::iter::once(incumbent).chain(others) {
            bound.push(self.bind(&candidate.program).await);
        }
        let mut comparison = Comparison { incumbent_us: None, ratios: vec![None; others.len()] };
        let Some(Some(first)) = bound.first() else { return Ok(comparison) };
        // Once each, on its own: what may compile late compiles now, and what is slow is dropped.
        let probes: Vec<_> = bound.iter().flatten().map(|bound| (bound, 1)).collect();
        self.time(&probes).await?;
        let once = self.time(&probes).await?;
        let limit_us = once[0] * DROP_FACTOR + DROP_MARGIN_US;
        let mut once = once.into_iter();
        let once: Vec<Option<f64>> = bound
            .iter()
            .map(|bound| bound.as_ref().and_then(|_| once.next()))
            .map(|us| us.filter(|us| !us.is_nan() && *us <= limit_us))
            .collect();

        let (pass_us, rounds) = method(effort, once[0].unwrap_or(f64::INFINITY));
        let repetitions = |us: f64| (pass_us / us.max(0.1)).clamp(1.0, 400.0) as u32;
        let mut places = Vec::new();
        let mut round = Vec::new();
        for (place, (bound, us)) in bound.iter().zip(&once).enumerate() {
            if let (Some(bound), Some(us)) = (bound, us) {
                places.push(place);
                round.push((bound, repetitions(*us)));
            }
        }
        if places.first() != Some(&0) {
            log::debug!("{:?} could not be timed", first);
            return Ok(comparison);
        }
        let mut incumbent_us = Vec::new();
        let mut ratios = vec![Vec::new(); others.len()];
        for _ in 0..rounds {
            let times = self.time(&round).await?;
            incumbent_us.push(times[0]);
            for (place, us) in places.iter().zip(&times).skip(1) {
                ratios[place - 1].push(us / times[0]);
            }
        }
        comparison.incumbent_us = median(&mut incumbent_us);
        comparison.ratios = ratios.iter_mut().map(|ratios| median(ratios)).collect();
        Ok(comparison)
    }

    async fn is_right(&mut self, descriptor: &Descriptor) -> Result<bool, TuneError> {
        let capabilities = Capabilities::of(self.device);
        // Hooks have no known reference.
        let plain = Descriptor { load: None, store: None, ..descriptor.clone() };
        let program = program(&plain, &capabilities).map_err(FftError::from)?;
        let Some(bound) = self.bind(&program).await else { return Ok(false) };
        data::upload(self.device, self.queue, &self.task, &self.input, Which::Ends);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
        self.queue.submit([encoder.finish()]);

        let gate = Gate::of(descriptor);
        for image in data::ends(self.task.batch) {
            let read =
                data::read_output(self.device, self.queue, &self.task, &self.output, image).await?;
            let accuracy = self.references.of(image, &self.task).accuracy(&read);
            if !gate.passes(accuracy) {
                log::debug!("image {image} of {descriptor:?}: {accuracy:?}");
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn timer(&self) -> Timer {
        self.clock.timer()
    }

    fn out_of_time(&self) -> bool {
        self.deadline.as_ref().is_some_and(Deadline::is_past)
    }
}

/// Compiles in parallel if possible: the drivers of most GPUs compile when a pipeline is made, for tens of
/// milliseconds each. This thread repeats `meanwhile`.
fn compile_all(
    device: &wgpu::Device,
    kernels: &[(&Kernel, &Program)],
    meanwhile: impl Fn(),
) -> Vec<Option<Pipeline>> {
    let done = Mutex::new(vec![None; kernels.len()]);
    let compile = |place: usize| {
        let (kernel, program) = kernels[place];
        let compiled = compile_one(device, kernel, program);
        done.lock().unwrap_or_else(PoisonError::into_inner)[place] = compiled;
    };
    platform::side_by_side(kernels.len(), compile, meanwhile);
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Compiles one kernel of the library; `None` if the driver refuses it. Errors stay with the thread whose
/// scope they fell into, and natively are there at once.
fn compile_one(device: &wgpu::Device, kernel: &Kernel, program: &Program) -> Option<Pipeline> {
    let listens = platform::COMPILES_HERE;
    let compiling = async {
        let hooks = match listens {
            true => HookLayouts::checked(device, program).await?,
            false => HookLayouts::of(device, program),
        };
        plan::compile(device, kernel, &hooks, Trust::Own, listens).await
    };
    match plan::at_once(compiling) {
        Ok(pipeline) => Some(pipeline),
        Err(error) => {
            log::debug!("a candidate was refused: {error}");
            None
        }
    }
}

struct Deadline(Instant);

impl Deadline {
    fn after(budget_ms: f64) -> Self {
        let budget = Duration::try_from_secs_f64(budget_ms / 1000.0);
        // A budget without end, or none: an hour is as good as either.
        Self(Instant::now() + budget.unwrap_or(Duration::from_secs(3600)))
    }

    fn is_past(&self) -> bool {
        Instant::now() > self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::Algorithm;

    #[test]
    fn threads_compile_every_program_that_is_not_refused() {
        let context = seaway_core::testing::context();
        let good = |size, algorithm| {
            let task = Descriptor { size: [size, 4], ..Descriptor::default() }.by(algorithm);
            program(&task, &context.capabilities).unwrap()
        };
        let mut programs: Vec<_> = [8, 16, 32, 64]
            .into_iter()
            .flat_map(|size| [good(size, Algorithm::StockhamR4), good(size, Algorithm::StockhamR8)])
            .collect();
        programs[5].kernels[0].wgsl = "fn main( {".to_owned();
        let kernels: Vec<_> =
            programs.iter().map(|program| (&program.kernels[0], program)).collect();
        let compiled = compile_all(&context.device, &kernels, std::thread::yield_now);
        for (place, pipeline) in compiled.iter().enumerate() {
            assert_eq!(pipeline.is_none(), place == 5);
        }
    }
}
