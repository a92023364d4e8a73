//! Candidates on a device.

use std::collections::HashMap;

use half::f16;

use super::search::{Candidacy, Effort, Trial, fingerprint};
use super::{HookGroups, TuneError, check};
use crate::fft::algorithms::program;
use crate::fft::descriptor::{Descriptor, Layout, Placement, Precision};
use crate::fft::error::FftError;
use crate::fft::lab::timing::{self, Method, Timer};
use crate::fft::lab::{Gate, noise};
use crate::fft::plan::{Bound, Buffers, Plan, Region};
use crate::gpu::{self, Capabilities};

/// One run alone.
const PROBE: Method = method(1, 0.0, 1, 0.0);
/// To sort out.
const SHORT: Method = method(5, 400.0, 100, 4000.0);
/// To decide.
const LONG: Method = method(9, 1500.0, 200, 15_000.0);
/// For what is slow anyway.
const SINGLE: Method = method(3, 0.0, 1, 0.0);
/// Before anything is timed: `timing` says why. Where the processor plays GPU it does less.
const WARM_UP: Method = method(1, 1500.0, 200, 400_000.0);
/// What is that slow needs no repetitions to be timed.
const SLOW_US: f64 = 5000.0;

const fn method(samples: u32, sample_us: f64, max_repetitions: u32, warm_up_us: f64) -> Method {
    Method { samples, sample_us, max_repetitions, budget_us: f64::INFINITY, warm_up_us }
}

/// Runs candidates for one task, all on the same buffers.
pub(super) struct GpuTrial<'a> {
    hooks: HookGroups<'a>,
    device: &'a wgpu::Device,
    queue: &'a wgpu::Queue,
    task: Descriptor,
    data_bytes: u64,
    /// Which is the output too where the task is in place.
    input: wgpu::Buffer,
    output: wgpu::Buffer,
    scratch: Option<wgpu::Buffer>,
    timer: Timer,
    /// Compiled already, by the fingerprints of their programs.
    ready: HashMap<u64, (Plan, Option<String>)>,
    /// The processor plays GPU, and compiles when a kernel first runs.
    is_software: bool,
    budget_ms: f64,
    /// Known once clocks are up.
    deadline: Option<Deadline>,
}

impl<'a> GpuTrial<'a> {
    pub async fn new(
        device: &'a wgpu::Device,
        queue: &'a wgpu::Queue,
        task: &Descriptor,
        budget_ms: f64,
        hooks: HookGroups<'a>,
    ) -> Result<Self, TuneError> {
        let capabilities = Capabilities::of(device);
        let [width, height] = task.size.map(u64::from);
        let layers = u64::from(task.layout.layers(task.batch));
        let data_bytes = width * height * layers * u64::from(task.element_bytes());
        let (input, failed) = scoped(device, || storage(device, "tuner input", data_bytes)).await;
        failed.map_or(Ok(()), |error| Err(TuneError::Buffers(error)))?;
        let output = match task.placement {
            Placement::InPlace => input.clone(),
            Placement::OutOfPlace => {
                let output = scoped(device, || storage(device, "tuner output", data_bytes)).await;
                let (output, failed) = output;
                failed.map_or(Ok(()), |error| Err(TuneError::Buffers(error)))?;
                output
            }
        };
        let timer = match capabilities.timestamps {
            true => Timer::GpuTimestamps,
            false => Timer::Wall,
        };
        let trial = Self {
            hooks,
            device,
            queue,
            task: task.clone(),
            data_bytes,
            input,
            output,
            scratch: None,
            timer,
            ready: HashMap::new(),
            is_software: device.adapter_info().device_type == wgpu::DeviceType::Cpu,
            budget_ms,
            deadline: None,
        };
        trial.upload();
        Ok(trial)
    }

    /// Noise for the images that are checked, which are the first and the last. Each has its own, so
    /// that a kernel that mixes up the images of a batch is seen.
    fn upload(&self) {
        let layers = self.task.layout.layers(self.task.batch);
        let (points, layer_bytes) = (self.points(), self.layer_bytes());
        let mut ends = vec![0, layers - 1];
        ends.dedup();
        for layer in ends {
            let values: Vec<[f32; 2]> = match self.task.layout {
                Layout::Planar => noise(layer, points),
                Layout::Pair => noise(2 * layer, points)
                    .into_iter()
                    .zip(noise(2 * layer + 1, points))
                    .flat_map(|(a, b)| [a, b])
                    .collect(),
            };
            let offset = u64::from(layer) * layer_bytes;
            let bytes = match self.task.precision {
                Precision::F32 => bytemuck::cast_slice(&values).to_vec(),
                Precision::F16 => {
                    let halves: Vec<f16> =
                        values.as_flattened().iter().map(|part| f16::from_f32(*part)).collect();
                    bytemuck::cast_slice(&halves).to_vec()
                }
            };
            self.queue.write_buffer(&self.input, offset, &bytes);
        }
    }

    fn points(&self) -> usize {
        self.task.size[0] as usize * self.task.size[1] as usize
    }

    fn layer_bytes(&self) -> u64 {
        self.data_bytes / u64::from(self.task.layout.layers(self.task.batch))
    }

    /// `program` with its pipelines and buffers; `None` where the driver refuses it.
    async fn bind(&mut self, Candidacy { what, program }: Candidacy) -> Option<Bound> {
        let scratch_bytes = program.scratch_bytes;
        if scratch_bytes > self.scratch.as_ref().map_or(0, wgpu::Buffer::size) {
            let scratch = || storage(self.device, "tuner scratch", scratch_bytes);
            let (scratch, failed) = scoped(self.device, scratch).await;
            self.scratch = failed.is_none().then_some(scratch);
        }
        if scratch_bytes > 0 && self.scratch.is_none() {
            return None;
        }
        // A part of the transform works in place on what the part before it has written.
        let input = if program.in_place { &self.output } else { &self.input };
        let (plan, refused) = match self.ready.remove(&what) {
            Some(ready) => ready,
            None => scoped(self.device, || Plan::from_program(self.device, program)).await,
        };
        let (bound, failed) = scoped(self.device, || {
            let buffers = Buffers {
                scratch: self.scratch.as_ref().map(Region::from),
                load: self.hooks.load.filter(|_| plan.load_layout().is_some()),
                store: self.hooks.store.filter(|_| plan.store_layout().is_some()),
                ..Buffers::new(input, &self.output)
            };
            plan.bind(self.device, &buffers)
        })
        .await;
        match (bound, refused.or(failed)) {
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

    async fn median_us(&self, bound: &Bound, method: &Method) -> Result<f64, TuneError> {
        let encode = |pass: &mut wgpu::ComputePass<'_>, _| {
            for axis in self.task.axes.list() {
                bound.encode_axis_at(pass, *axis, self.hooks.load_offsets);
            }
        };
        let measured = timing::measure(self.device, self.queue, method, encode).await?;
        Ok(measured.median_us())
    }

    /// The first set of values of layer `layer` of the output: image by image.
    async fn layer(&self, layer: u32) -> Result<Vec<[f32; 2]>, TuneError> {
        let bytes = self.layer_bytes();
        let copy = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("tuner layer"),
            size: bytes,
            usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let offset = u64::from(layer) * bytes;
        encoder.copy_buffer_to_buffer(&self.output, offset, &copy, 0, bytes);
        self.queue.submit([encoder.finish()]);
        let read = gpu::read_buffer(self.device, self.queue, &copy).await?;
        Ok(match self.task.precision {
            Precision::F32 => bytemuck::pod_collect_to_vec(&read),
            Precision::F16 => {
                let halves: Vec<[f16; 2]> = bytemuck::pod_collect_to_vec(&read);
                halves.into_iter().map(|value| value.map(f16::to_f32)).collect()
            }
        })
    }
}

impl Trial for GpuTrial<'_> {
    fn prepare(&mut self, programs: Vec<Candidacy>) {
        if !self.is_software && programs.len() > 1 {
            self.ready.extend(compile(self.device, programs));
        }
    }

    async fn time(
        &mut self,
        _: &Descriptor,
        program: Candidacy,
        limit_us: f64,
        effort: Effort,
    ) -> Result<Option<f64>, TuneError> {
        let Some(bound) = self.bind(program).await else { return Ok(None) };
        if self.deadline.is_none() {
            self.median_us(&bound, &WARM_UP).await?;
            self.deadline = Some(Deadline::after(self.budget_ms));
        }
        let once_us = self.median_us(&bound, &PROBE).await?;
        // Not a number where there is no clock.
        if once_us.is_nan() || once_us > limit_us {
            return Ok(None);
        }
        let method = match effort {
            _ if once_us > SLOW_US => &SINGLE,
            Effort::Short => &SHORT,
            Effort::Long => &LONG,
        };
        Ok(Some(self.median_us(&bound, method).await?))
    }

    async fn is_right(&mut self, descriptor: &Descriptor) -> Result<bool, TuneError> {
        let capabilities = Capabilities::of(self.device);
        // Nobody but their maker knows what hooks make of values.
        let plain = Descriptor { load: None, store: None, ..descriptor.clone() };
        let program = program(&plain, &capabilities).map_err(FftError::from)?;
        let what = fingerprint(&program);
        let Some(bound) = self.bind(Candidacy { what, program }).await else { return Ok(false) };
        self.upload();
        let mut encoder = self.device.create_command_encoder(&Default::default());
        bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
        self.queue.submit([encoder.finish()]);

        let gate = Gate::of(descriptor);
        let last = self.task.batch - 1;
        for image in [0, last] {
            let (layer, part, stride) = match self.task.layout {
                Layout::Planar => (image, 0, 1),
                Layout::Pair => (image / 2, image as usize % 2, 2),
            };
            let layer = self.layer(layer).await?;
            let result: Vec<_> = layer.into_iter().skip(part).step_by(stride).collect();
            let accuracy = check::accuracy(&self.task, image, &result);
            if !gate.passes(accuracy) {
                log::debug!("image {image} of {descriptor:?}: {accuracy:?}");
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn timer(&self) -> Timer {
        self.timer
    }

    fn out_of_time(&self) -> bool {
        self.deadline.as_ref().is_some_and(Deadline::is_past)
    }
}

fn storage(device: &wgpu::Device, label: &str, bytes: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// What `work` gives, and what the device says against it: a candidate that the driver does not
/// take is no error of the program around it.
async fn scoped<V>(device: &wgpu::Device, work: impl FnOnce() -> V) -> (V, Option<String>) {
    let (value, errors) = {
        let scopes = Scopes::open(device);
        (work(), scopes.close())
    };
    let mut said = None;
    for error in errors {
        said = said.or(error.await.map(|error| error.to_string()));
    }
    (value, said)
}

/// Catches every kind of error that this thread's work brings about.
struct Scopes([wgpu::ErrorScopeGuard; 3]);

impl Scopes {
    fn open(device: &wgpu::Device) -> Self {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        Self([Internal, OutOfMemory, Validation].map(|filter| device.push_error_scope(filter)))
    }

    fn close(self) -> [impl Future<Output = Option<wgpu::Error>> + use<>; 3] {
        let [first, second, third] = self.0;
        // The innermost first.
        let third = third.pop();
        let second = second.pop();
        [third, second, first.pop()]
    }
}

/// Compiles on half of the processor's cores: the drivers of most GPUs compile when a pipeline is
/// made, for tens of milliseconds each.
#[cfg(not(target_arch = "wasm32"))]
fn compile(device: &wgpu::Device, programs: Vec<Candidacy>) -> Vec<(u64, (Plan, Option<String>))> {
    use std::pin::pin;
    use std::sync::{Mutex, PoisonError};
    use std::task::{Context, Poll, Waker};

    // Errors stay with the thread whose scope they fell into, and are there at once.
    let compile = |program| {
        let scopes = Scopes::open(device);
        let plan = Plan::from_program(device, program);
        let mut context = Context::from_waker(Waker::noop());
        let said =
            scopes.close().into_iter().find_map(|error| match pin!(error).poll(&mut context) {
                Poll::Ready(error) => error.map(|error| error.to_string()),
                Poll::Pending => None,
            });
        (plan, said)
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = (cores / 2).clamp(1, 8).min(programs.len());
    let waiting = Mutex::new(programs.into_iter());
    let done = Mutex::new(Vec::new());
    let work = || {
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(Candidacy { what, program }) = next else { return };
            let compiled = compile(program);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((what, compiled));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Without a thread this one does it all.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// A browser compiles on its own.
#[cfg(target_arch = "wasm32")]
fn compile(_: &wgpu::Device, _: Vec<Candidacy>) -> Vec<(u64, (Plan, Option<String>))> {
    Vec::new()
}

/// When to stop.
#[cfg(not(target_arch = "wasm32"))]
struct Deadline(std::time::Instant);

#[cfg(not(target_arch = "wasm32"))]
impl Deadline {
    fn after(budget_ms: f64) -> Self {
        let budget = std::time::Duration::try_from_secs_f64(budget_ms / 1000.0);
        // A budget without end, or none: an hour is as good as either.
        let budget = budget.unwrap_or(std::time::Duration::from_secs(3600));
        Self(std::time::Instant::now() + budget)
    }

    fn is_past(&self) -> bool {
        std::time::Instant::now() > self.0
    }
}

/// A browser's clock is no business of this library: every candidate is tried.
#[cfg(target_arch = "wasm32")]
struct Deadline;

#[cfg(target_arch = "wasm32")]
impl Deadline {
    fn after(_: f64) -> Self {
        Self
    }

    fn is_past(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fft::lab::Algorithm;
    use crate::gpu::Context;

    #[test]
    fn what_is_compiled_on_many_threads_is_all_there_with_what_was_refused() {
        let context = Context::new(Context::headless_instance(), Default::default());
        let context = pollster::block_on(context).expect("tests need an adapter");
        let good = |size, algorithm| {
            let task = Descriptor { size: [size, 4], algorithm, ..Descriptor::default() };
            program(&task, &context.capabilities).unwrap()
        };
        let mut programs: Vec<_> = [8, 16, 32, 64]
            .into_iter()
            .flat_map(|size| [good(size, Algorithm::StockhamR4), good(size, Algorithm::StockhamR8)])
            .map(|program| Candidacy { what: fingerprint(&program), program })
            .collect();
        programs[5].program.kernels[0].wgsl = "fn main( {".to_owned();
        let asked: Vec<_> = programs.iter().map(|program| program.what).collect();
        let mut compiled = compile(&context.device, programs);
        compiled.sort_by_key(|(what, _)| asked.iter().position(|other| other == what));
        assert_eq!(compiled.iter().map(|(what, _)| *what).collect::<Vec<_>>(), asked);
        for (place, (_, (_, refused))) in compiled.iter().enumerate() {
            assert_eq!(refused.is_some(), place == 5, "{refused:?}");
        }
    }
}
