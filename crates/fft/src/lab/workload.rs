//! Transforms of random images with their own buffers, and the expected results: shared by the bench,
//! `verify` and the window.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::check::References;
use super::data::{self, Which};
use super::gate::Accuracy;
use super::reference::Array;
use super::scope::scoped;
use super::timing::{self, Measurement, Method, Regime, Timer};
use crate::descriptor::{Axis, Descriptor, Placement};
use crate::error::{FftError, WaitError};
use crate::gpu::{Allocations as _, Capabilities, Destroyed, ReadbackError};
use crate::plan::{Bound, Buffers, Plan, Trust};
use crate::planner;
use crate::platform::{self, Cooperative};
use crate::program::Program;

/// Most sets of buffers that are made to exceed the caches.
pub const MAX_SETS: u64 = 2048;

/// The reasons why a workload could not be run.
#[derive(Debug, thiserror::Error)]
pub enum WorkloadError {
    /// The transform cannot be planned or bound.
    #[error(transparent)]
    Fft(#[from] FftError),
    /// Its workgroups waited for each other in vain: [`WaitError::InVain`].
    #[error(transparent)]
    Wait(WaitError),
    /// The device did not answer in time.
    #[error(transparent)]
    Readback(#[from] ReadbackError),
    /// The device refuses the workload, mostly for its memory.
    #[error("the GPU rejected it: {0}")]
    Refused(String),
    /// The transform is too small to exceed the caches by any number of buffers.
    #[error(
        "streaming past every cache would take {sets} sets of buffers of {set_bytes} bytes, and \
         {most} is the most: a larger batch takes fewer"
    )]
    TooSmall {
        /// The needed number of sets of buffers.
        sets: u64,
        /// Bytes of each set of buffers.
        set_bytes: u64,
        /// The largest number of sets.
        most: u64,
    },
}

impl From<WaitError> for WorkloadError {
    fn from(error: WaitError) -> Self {
        match error {
            WaitError::InVain => Self::Wait(error),
            WaitError::Readback(error) => Self::Readback(error),
        }
    }
}

/// A program with one or more sets of buffers that hold random images.
pub struct Workload<'a> {
    device: &'a wgpu::Device,
    queue: &'a wgpu::Queue,
    descriptor: Descriptor,
    /// Input and output of each set, which are one buffer if the program works in place.
    buffers: Vec<[wgpu::Buffer; 2]>,
    bound: Vec<Bound>,
    bytes_moved: u64,
}

impl<'a> Workload<'a> {
    /// Compiles `descriptor` and binds it to the sets of buffers of `regime`, which hold the same images.
    ///
    /// # Errors
    /// [`WorkloadError`] if the device cannot plan, allocate or run it.
    pub async fn new(
        device: &'a wgpu::Device,
        queue: &'a wgpu::Queue,
        descriptor: &Descriptor,
        regime: Regime,
    ) -> Result<Self, WorkloadError> {
        let program = planner::program(descriptor, &Capabilities::of(device));
        let program = program.map_err(FftError::from)?;
        Self::run_by(device, queue, descriptor, program, regime).await
    }

    /// The copy that bounds the speed of `descriptor`: [`copy_program`](super::copy_program).
    ///
    /// # Errors
    /// [`WorkloadError`] if the device cannot plan, allocate or run it.
    pub async fn copy(
        device: &'a wgpu::Device,
        queue: &'a wgpu::Queue,
        descriptor: &Descriptor,
        regime: Regime,
    ) -> Result<Self, WorkloadError> {
        let program = super::copy_program(descriptor, &Capabilities::of(device));
        let program = program.map_err(FftError::from)?;
        Self::run_by(device, queue, descriptor, program, regime).await
    }

    /// The passes of `cooley-tukey-multipass` on `descriptor` without their arithmetic:
    /// [`without_arithmetic`](super::without_arithmetic).
    ///
    /// # Errors
    /// [`WorkloadError`] if the device cannot plan, allocate or run it.
    pub async fn without_arithmetic(
        device: &'a wgpu::Device,
        queue: &'a wgpu::Queue,
        descriptor: &Descriptor,
        regime: Regime,
    ) -> Result<Self, WorkloadError> {
        let program = super::without_arithmetic(descriptor, &Capabilities::of(device));
        let program = program.map_err(FftError::from)?;
        Self::run_by(device, queue, descriptor, program, regime).await
    }

    async fn run_by(
        device: &'a wgpu::Device,
        queue: &'a wgpu::Queue,
        descriptor: &Descriptor,
        program: Program,
        regime: Regime,
    ) -> Result<Self, WorkloadError> {
        let sets = sets(&program, regime)?;
        let bytes_moved = program.bytes_moved();
        // Made by this library a moment ago, and unchanged since.
        let plan = Plan::compile(device, program, Trust::Own)?;
        plan.write_tables(queue);
        let make = || {
            let storage = |label, bytes| data::storage(device, label, bytes);
            let whole = plan.input_bytes().max(plan.output_bytes());
            let buffers: Vec<_> = (0..sets)
                .map(|_| {
                    if descriptor.placement == Placement::InPlace {
                        let both = storage("workload data", whole);
                        return [both.clone(), both];
                    }
                    let input = storage("workload input", plan.input_bytes());
                    [input, storage("workload output", plan.output_bytes())]
                })
                .collect();
            let bound = buffers
                .iter()
                .map(|[input, output]| plan.bind(device, &Buffers::new(input, output)))
                .collect::<Result<Vec<_>, _>>();
            (buffers, bound)
        };
        let ((buffers, bound), refused) = scoped(device, make).await;
        if let Some(reason) = refused {
            return Err(WorkloadError::Refused(reason));
        }
        let (bound, descriptor) = (bound?, descriptor.clone());
        let workload = Self { device, queue, descriptor, buffers, bound, bytes_moved };
        let ((), refused) = scoped(device, || workload.upload()).await;
        match refused {
            Some(reason) => Err(WorkloadError::Refused(reason)),
            None => Ok(workload),
        }
    }

    fn upload(&self) {
        let [first, _] = &self.buffers[0];
        data::upload(self.device, self.queue, &self.descriptor, first, Which::All);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        for [other, _] in &self.buffers[1..] {
            encoder.copy_buffer_to_buffer(first, 0, other, 0, first.size());
        }
        self.queue.submit([encoder.finish()]);
    }

    /// Transforms the first set once, without waiting.
    pub fn run(&self) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.bound[0].encode(&mut encoder.begin_compute_pass(&Default::default()));
        self.queue.submit([encoder.finish()]);
    }

    /// Times the transform, or one axis of it, on the next set with each repetition.
    ///
    /// # Errors
    /// [`WorkloadError::Readback`] if the device does not answer, and [`WorkloadError::Wait`] if a workgroup
    /// waited in vain for another.
    pub async fn measure(
        &self,
        method: &Method,
        axis: Option<Axis>,
    ) -> Result<Measurement, WorkloadError> {
        self.measure_by(Timer::of(self.device), method, axis).await
    }

    /// [`Workload::measure`] by `timer`, which the device must have.
    ///
    /// # Errors
    /// Those of [`Workload::measure`].
    pub async fn measure_by(
        &self,
        timer: Timer,
        method: &Method,
        axis: Option<Axis>,
    ) -> Result<Measurement, WorkloadError> {
        // Over passes and samples too: a sample shorter than the round must not find its own
        // buffers in the cache.
        let next = AtomicUsize::new(0);
        let encode = |pass: &mut wgpu::ComputePass<'_>, _| {
            let bound = &self.bound[next.fetch_add(1, Ordering::Relaxed) % self.bound.len()];
            match axis {
                None => bound.encode(pass),
                Some(axis) => bound.encode_axis(pass, axis),
            }
        };
        let measured = timing::measure_by(timer, self.device, self.queue, method, encode).await?;
        for bound in &self.bound {
            bound.check(self.device, self.queue).await?;
        }
        Ok(measured)
    }

    /// Records one axis of the transform `repetitions` times into a compute pass that is never submitted, to
    /// time the processor's share of the work.
    pub fn record(&self, axis: Axis, repetitions: u32) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        (0..repetitions).for_each(|_| self.bound[0].encode_axis(&mut pass, axis));
        drop(pass);
        encoder.finish();
    }

    /// Bytes of image data that one transform reads and writes.
    pub fn bytes_moved(&self) -> u64 {
        self.bytes_moved
    }

    /// Image or volume `index` of the first set's output.
    ///
    /// # Errors
    /// [`WorkloadError::Readback`] if the device does not answer.
    pub async fn output(&self, index: u32) -> Result<Array, WorkloadError> {
        let [_, output] = &self.buffers[0];
        Ok(data::read_output(self.device, self.queue, &self.descriptor, output, index).await?)
    }

    /// The worst error of the images `indices` of the first set's output.
    ///
    /// # Errors
    /// [`WorkloadError::Readback`] if the device does not answer, and [`WorkloadError::Wait`] as in
    /// [`Bound::check`].
    pub async fn accuracy(
        &self,
        indices: impl IntoIterator<Item = u32>,
        references: &mut References,
    ) -> Result<Accuracy, WorkloadError> {
        self.bound[0].check(self.device, self.queue).await?;
        let mut worst = Accuracy::NONE;
        let mut coop = Cooperative::new();
        for index in indices {
            let result = self.output(index).await?;
            let expected = references.of_in(&mut coop, index, &self.descriptor).await;
            worst = worst.worse(expected.accuracy(&result));
        }
        Ok(worst)
    }
}

impl Drop for Workload<'_> {
    /// Destroys the buffers, since a browser would fill the GPU's memory before it collects them.
    fn drop(&mut self) {
        if platform::FREES_LATE {
            let data: Destroyed =
                self.buffers.iter().flatten().fold(Destroyed, Destroyed::with_buffer);
            let _ = data + self.bound.iter().map(Bound::allocations).sum();
        }
    }
}

/// Number of sets of buffers that `program` cycles through.
fn sets(program: &Program, regime: Regime) -> Result<usize, WorkloadError> {
    if regime == Regime::Hot {
        return Ok(1);
    }
    let input_bytes = if program.in_place { 0 } else { program.input_bytes };
    let scratch_bytes =
        program.scratch_bytes + program.second_scratch_bytes + program.image_bytes();
    let set_bytes = input_bytes + program.output_bytes + scratch_bytes;
    let sets = Regime::STREAMING_BYTES.div_ceil(set_bytes).max(2);
    if sets > MAX_SETS {
        return Err(WorkloadError::TooSmall { sets, set_bytes, most: MAX_SETS });
    }
    Ok(sets as usize)
}
