//! The method of timing transforms.
//!
//! A *sample* is one compute pass that runs a transform many times, between the two timestamps that begin and
//! end the pass; its time divided by the repetitions is one figure. One pass has many, because a separate
//! pass costs more than a small transform, and because a program that transforms every frame has other work
//! around it anyway. The repetitions depend on one another through their buffers, so each pays for its
//! dispatches' barriers, as in a frame. Passes before the first sample warm up: they compile what a driver
//! compiles late, say how many repetitions fill a sample, and raise the clocks, which drop while the GPU has
//! nothing to do and need some tenths of a second of work to come back: after two idle seconds an H200 was at
//! 345 of its 1980 MHz, stayed there for the first 80 ms of work at least, and took five times as long for
//! the same transform. The figure to quote is the median of the samples, with the 5th and 95th percentiles as
//! its spread. A transform so slow that its samples would exceed the budget gets fewer.
//!
//! *Hot* repetitions work on the same buffers, which stay in the cache if they fit; *streaming*
//! ones rotate over more buffers than any cache holds ([`Regime`]).
//!
//! Without reliable timestamps ([`Timer::of`]) a sample is timed by the processor's clock around submission
//! and completion ([`Timer::Wall`]), which includes both.
//!
//! ```no_run
//! use seaway_fft::Descriptor;
//! use seaway_fft::lab::timing::{Clock, Method, Regime, Turn, measure};
//! use seaway_fft::lab::{References, Workload};
//!
//! # async fn f(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), seaway_fft::lab::WorkloadError> {
//! // A transform on buffers of its own: first its errors, then its time.
//! let workload = Workload::new(device, queue, &Descriptor::image([512, 512]), Regime::Hot).await?;
//! println!("{:?}", workload.accuracy([0], &mut References::default()).await?);
//! let times = workload.measure(&Method::default(), None).await?.times();
//! println!("{} us, mostly {} to {}", times.median_us, times.p5_us, times.p95_us);
//!
//! // Any other commands, which here do nothing; or two kinds of them in turn.
//! let nothing = |_: &mut wgpu::ComputePass<'_>, _repetitions: u32| {};
//! println!("{} us", measure(device, queue, &Method::default(), nothing).await?.median_us());
//! let turn = || Turn { repetitions: 10, encode: Box::new(nothing) };
//! println!("{:?} us", Clock::new(device, queue, 2).time(&[turn(), turn()]).await?);
//! # Ok(())
//! # }
//! ```

use crate::choice::choices;
use crate::gpu::{self, Mark, ReadbackBuffer, ReadbackError, Timestamps, percentile};
use crate::platform::Timed;

choices! {
    /// The buffers of successive repetitions.
    pub enum Regime {
        /// Every run uses the same buffers, which caches may hold.
        Hot = "hot",
        /// Buffers in turn, together larger than the cache.
        Streaming = "streaming",
    }
}

impl Regime {
    /// Bytes over which streaming repetitions rotate: more than the largest existing caches (256 MiB on AMD's
    /// MI300).
    pub const STREAMING_BYTES: u64 = 512 << 20;
}

choices! {
    /// The clock that times are taken with.
    pub enum Timer {
        /// Timestamps of the GPU's own clock.
        GpuTimestamps = "gpu_timestamps",
        /// The processor's clock, around submission and completion.
        Wall = "wall",
    }
}

impl Timer {
    /// The best reliable timer, whatever else `device` does: on a software adapter, the threads that draw
    /// mark the beginnings of passes late once anything was drawn or a kernel has worked in images. Those of
    /// browsers do not, and their other work beside a page would affect the times of another clock.
    pub fn of(device: &wgpu::Device) -> Self {
        let info = device.adapter_info();
        let is_in_browser = info.backend == wgpu::Backend::BrowserWebGpu;
        let is_reliable = is_in_browser || info.device_type != wgpu::DeviceType::Cpu;
        if is_reliable && device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            Self::GpuTimestamps
        } else {
            Self::Wall
        }
    }
}

/// The extent of a measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// The number of samples to take.
    pub samples: u32,
    /// Approximate time of one sample, in microseconds.
    pub sample_us: f64,
    /// Most repetitions in a sample.
    pub max_repetitions: u32,
    /// Approximate time of all samples together, in microseconds: a transform too slow for it gets fewer
    /// samples, down to one.
    pub budget_us: f64,
    /// Approximate time of the work before the first sample, in microseconds. It is shorter on a software
    /// adapter, whose clock other work keeps up.
    pub warm_up_us: f64,
}

impl Default for Method {
    /// 15 samples of about 4 ms, of at most 200 repetitions, within 2 s and after 0.4 s.
    fn default() -> Self {
        Self {
            samples: 15,
            sample_us: 4000.0,
            max_repetitions: 200,
            budget_us: 2e6,
            warm_up_us: 400_000.0,
        }
    }
}

impl Method {
    /// Repetitions that fill a sample if one takes `once_us` microseconds.
    pub fn repetitions(&self, once_us: f64) -> u32 {
        ((self.sample_us / once_us) as u32).clamp(1, self.max_repetitions.max(1))
    }

    /// Samples within the budget, of `sample_us` microseconds each.
    pub fn samples_within_budget(&self, sample_us: f64) -> u32 {
        ((self.budget_us / sample_us) as u32).clamp(1, self.samples.max(1))
    }
}

/// The times of one transform, sample by sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Microseconds per repetition, one value a sample, shortest first.
    pub samples_us: Vec<f64>,
    /// The number of repetitions in a sample.
    pub repetitions: u32,
    /// The clock of the times.
    pub timer: Timer,
}

impl Measurement {
    /// The time that a share of the samples is below, in microseconds: 0.5 is the median.
    pub fn quantile_us(&self, share: f64) -> f64 {
        percentile(&self.samples_us, share).expect("at least one sample")
    }

    /// The median time, in microseconds per repetition.
    pub fn median_us(&self) -> f64 {
        self.quantile_us(0.5)
    }

    /// The median and the percentiles.
    pub fn times(&self) -> Times {
        Times {
            median_us: self.median_us(),
            p5_us: self.quantile_us(0.05),
            p95_us: self.quantile_us(0.95),
            samples: self.samples_us.len(),
            repetitions: self.repetitions,
            timer: self.timer,
        }
    }
}

/// The summary of a [`Measurement`].
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Times {
    /// Microseconds per repetition: the median of the samples.
    pub median_us: f64,
    /// The 5th percentile of the samples, in microseconds.
    pub p5_us: f64,
    /// The 95th percentile of the samples, in microseconds.
    pub p95_us: f64,
    /// The number of samples behind the figures.
    pub samples: usize,
    /// The number of repetitions in a sample.
    pub repetitions: u32,
    /// The clock of the times.
    pub timer: Timer,
}

/// Times the commands of `encode`, which receives the number of the repetition.
///
/// # Errors
/// [`ReadbackError`] if the device does not answer.
pub async fn measure(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    method: &Method,
    encode: impl Fn(&mut wgpu::ComputePass<'_>, u32),
) -> Result<Measurement, ReadbackError> {
    measure_by(Timer::of(device), device, queue, method, encode).await
}

/// [`measure`] by `timer`, which `device` must have.
///
/// # Errors
/// Those of [`measure`].
pub async fn measure_by(
    timer: Timer,
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    method: &Method,
    encode: impl Fn(&mut wgpu::ComputePass<'_>, u32),
) -> Result<Measurement, ReadbackError> {
    let clock = Clock::by(timer, device, queue, method.samples.max(1));
    // Given away before anything is waited for, so that the work may move from thread to thread.
    let time = |repetitions, passes: u32| {
        let turn = |_| Turn { repetitions, encode: Box::new(&encode) };
        clock.time(&(0..passes).map(turn).collect::<Vec<_>>())
    };
    let warm_up_us = match device.adapter_info().device_type {
        wgpu::DeviceType::Cpu => method.warm_up_us.min(20_000.0),
        _ => method.warm_up_us,
    };
    // The first run may compile.
    time(1, 1).await?;
    let mut repetitions = 1;
    let mut worked_us = 0.0;
    let (once, once_us) = loop {
        let once = time(repetitions, 1).await?;
        let once_us = once[0].max(0.1);
        worked_us += once_us * f64::from(repetitions);
        repetitions = method.repetitions(once_us);
        if worked_us >= warm_up_us {
            break (once, once_us);
        }
    };
    let samples = method.samples_within_budget(once_us * f64::from(repetitions));
    if samples == 1 && repetitions == 1 && method.samples > 1 {
        // Too slow to be run again for the same figure.
        return Ok(Measurement { samples_us: once, repetitions, timer: clock.timer() });
    }
    time(repetitions, 1).await?;
    let mut samples_us = time(repetitions, samples).await?;
    samples_us.sort_by(f64::total_cmp);
    Ok(Measurement { samples_us, repetitions, timer: clock.timer() })
}

/// Records work once, given the number of the repetition.
pub type Encode<'a> = dyn Fn(&mut wgpu::ComputePass<'_>, u32) + 'a;

/// A pass to be timed.
pub struct Turn<'a> {
    /// The number of repetitions in the pass.
    pub repetitions: u32,
    /// Records one repetition, whose number it receives.
    pub encode: Box<Encode<'a>>,
}

impl Turn<'_> {
    fn run(&self, pass: &mut wgpu::ComputePass<'_>) {
        (0..self.repetitions).for_each(|repetition| (self.encode)(pass, repetition));
    }
}

/// Times passes one after the other: compared transforms run in turn, so that drifting clocks affect all of
/// them alike.
pub struct Clock {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// Two for each pass; `None` if only the processor's clock is available.
    timestamps: Option<Timestamps>,
}

impl Clock {
    /// A clock that times up to `passes` passes without a pause between them.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, passes: u32) -> Self {
        Self::by(Timer::of(device), device, queue, passes)
    }

    /// [`Clock::new`] by `timer`, which `device` must have.
    pub fn by(timer: Timer, device: &wgpu::Device, queue: &wgpu::Queue, passes: u32) -> Self {
        let passes = passes.clamp(1, wgpu::QUERY_SET_MAX_QUERIES / 2);
        let timestamps = (timer == Timer::GpuTimestamps)
            .then(|| Timestamps::new(device, queue, "fft::timing", 2 * passes));
        Self { device: device.clone(), queue: queue.clone(), timestamps }
    }

    /// The source of its times.
    pub fn timer(&self) -> Timer {
        if self.timestamps.is_some() { Timer::GpuTimestamps } else { Timer::Wall }
    }

    /// Runs `turns` in order, and returns microseconds per repetition of each. They are submitted before this
    /// returns; the future waits for them.
    ///
    /// # Errors
    /// [`ReadbackError`] if the device does not answer.
    pub fn time(
        &self,
        turns: &[Turn<'_>],
    ) -> impl Future<Output = Result<Vec<f64>, ReadbackError>> + use<'_> {
        let submitted = self.submit_all(turns);
        async {
            let mut times = Vec::new();
            for part in submitted? {
                match part {
                    Submitted::Timed { timed, repetitions } => {
                        times.extend(each_us(&timed.finish().await, &repetitions));
                    }
                    Submitted::Pending { ticks, repetitions } => {
                        let ticks = gpu::read_buffer(&self.device, &self.queue, &ticks).await?;
                        times.extend(each_us(&self.times_us(&ticks), &repetitions));
                    }
                }
            }
            Ok(times)
        }
    }

    /// [`Clock::time`] for programs that draw frames meanwhile: take the result with [`Clock::times_of`].
    /// Only the processor's clock makes it wait.
    ///
    /// # Errors
    /// Those of [`Clock::time`].
    pub fn start(&self, turns: &[Turn<'_>]) -> Result<Timing, ReadbackError> {
        let parts = self.submit_all(turns)?.into_iter().map(|part| match part {
            Submitted::Timed { timed, repetitions } => Part::Timed(timed, repetitions),
            Submitted::Pending { ticks, repetitions } => {
                let ticks = ReadbackBuffer::copy_of(&self.device, &self.queue, &ticks);
                Part::Pending(ticks, repetitions)
            }
        });
        Ok(Timing { parts: parts.collect() })
    }

    /// The times of `timing`, microseconds per repetition of each turn, once all are there and the device was
    /// polled since.
    ///
    /// # Errors
    /// Those of [`Clock::time`].
    pub fn times_of(&self, timing: &mut Timing) -> Option<Result<Vec<f64>, ReadbackError>> {
        for part in &mut timing.parts {
            match part {
                Part::Pending(ticks, repetitions) => match ticks.take()? {
                    Ok(ticks) => *part = Part::Done(each_us(&self.times_us(&ticks), repetitions)),
                    Err(error) => return Some(Err(error)),
                },
                Part::Timed(timed, repetitions) => {
                    *part = Part::Done(each_us(&timed.take()?, repetitions));
                }
                Part::Done(_) => {}
            }
        }
        let done = timing.parts.drain(..).flat_map(|part| match part {
            Part::Done(times) => times,
            Part::Pending(..) | Part::Timed(..) => unreachable!("every part is done"),
        });
        Some(Ok(done.collect()))
    }

    fn submit_all(&self, turns: &[Turn<'_>]) -> Result<Vec<Submitted>, ReadbackError> {
        match &self.timestamps {
            Some(timestamps) => {
                let chunks = turns.chunks(timestamps.count() as usize / 2);
                Ok(chunks.map(|turns| self.submit(turns)).collect())
            }
            None => {
                let commands = turns.iter().map(|turn| {
                    let mut encoder = self.device.create_command_encoder(&Default::default());
                    let label = Some("fft::timing");
                    let descriptor = wgpu::ComputePassDescriptor { label, timestamp_writes: None };
                    turn.run(&mut encoder.begin_compute_pass(&descriptor));
                    encoder.finish()
                });
                let timed = Timed::begin(&self.device, &self.queue, commands.collect())?;
                let repetitions = turns.iter().map(|turn| turn.repetitions).collect();
                Ok(vec![Submitted::Timed { timed, repetitions }])
            }
        }
    }

    /// Microseconds between the pairs of timestamps in `ticks`.
    fn times_us(&self, ticks: &[u8]) -> Vec<f64> {
        let pairs_ns = self.timestamps.iter().flat_map(|timestamps| timestamps.pairs_ns(ticks));
        pairs_ns.map(|ns| ns / 1000.0).collect()
    }

    fn submit(&self, turns: &[Turn<'_>]) -> Submitted {
        let mut passes = self.passes().expect("it has timestamps");
        let mut commands = Vec::with_capacity(turns.len() + 1);
        for turn in turns {
            let mut encoder = self.device.create_command_encoder(&Default::default());
            turn.run(&mut passes.pass(&mut encoder));
            commands.push(encoder.finish());
        }
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let ticks = passes.resolve(&mut encoder);
        commands.push(encoder.finish());
        self.queue.submit(commands);
        let repetitions = turns.iter().map(|turn| turn.repetitions).collect();
        Submitted::Pending { ticks, repetitions }
    }

    /// Passes that callers record and submit themselves, to be timed by timestamps; `None` if only the
    /// processor's clock is available.
    pub fn passes(&self) -> Option<Passes<'_>> {
        let timestamps = self.timestamps.as_ref()?;
        Some(Passes { clock: self, timestamps, count: 0 })
    }
}

/// Recorded passes, up to the number that their [`Clock`] was made for.
pub struct Passes<'a> {
    clock: &'a Clock,
    timestamps: &'a Timestamps,
    count: u32,
}

impl Passes<'_> {
    fn next(&mut self) -> Mark {
        let mark = self.timestamps.mark(2 * self.count);
        self.count += 1;
        mark
    }

    /// Begins a compute pass whose time is taken.
    pub fn pass<'e>(&mut self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::ComputePass<'e> {
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("fft::timing"),
            timestamp_writes: Some(self.next().compute_writes()),
        })
    }

    /// Times a part of a pass; the device must have [`wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES`].
    pub fn part(
        &mut self,
        pass: &mut wgpu::ComputePass<'_>,
        encode: impl FnOnce(&mut wgpu::ComputePass<'_>),
    ) {
        let mark = self.next();
        mark.begin(pass);
        encode(pass);
        mark.end(pass);
    }

    fn resolve(&self, encoder: &mut wgpu::CommandEncoder) -> wgpu::Buffer {
        let count = 2 * self.count;
        let ticks = Timestamps::buffer(&self.clock.device, "fft::timing", count);
        self.timestamps.resolve(encoder, count, &ticks);
        ticks
    }

    /// The microseconds of each pass and part in order, after all were submitted.
    ///
    /// # Errors
    /// [`ReadbackError`] if the device does not answer.
    pub async fn times_us(self) -> Result<Vec<f64>, ReadbackError> {
        let Clock { device, queue, .. } = self.clock;
        let mut encoder = device.create_command_encoder(&Default::default());
        let ticks = self.resolve(&mut encoder);
        queue.submit([encoder.finish()]);
        let ticks = gpu::read_buffer(device, queue, &ticks).await?;
        Ok(self.clock.times_us(&ticks))
    }
}

/// Passes of [`Clock::start`] whose times are still to come.
pub struct Timing {
    parts: Vec<Part>,
}

enum Part {
    Done(Vec<f64>),
    /// Timestamps, and the repetitions between each pair of them.
    Pending(ReadbackBuffer, Vec<u32>),
    /// Times of the processor's clock, and the repetitions in each.
    Timed(Timed, Vec<u32>),
}

enum Submitted {
    /// Times of the processor's clock, one after the other.
    Timed { timed: Timed, repetitions: Vec<u32> },
    /// The buffer of the timestamps, and the repetitions in each.
    Pending { ticks: wgpu::Buffer, repetitions: Vec<u32> },
}

fn each_us(durations_us: &[f64], repetitions: &[u32]) -> Vec<f64> {
    durations_us.iter().zip(repetitions).map(|(us, count)| us / f64::from(*count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_the_samples() {
        let samples_us = (0..21).map(f64::from).collect();
        let measurement = Measurement { samples_us, repetitions: 1, timer: Timer::GpuTimestamps };
        assert_eq!(measurement.median_us(), 10.0);
        assert_eq!(measurement.quantile_us(0.05), 1.0);
        assert_eq!(measurement.quantile_us(0.95), 19.0);
    }

    #[test]
    fn slow_transforms_get_fewer_samples() {
        let method = Method::default();
        for (once_us, repetitions, samples) in [
            (5.0, 200, 15),
            (40.0, 100, 15),
            (3000.0, 1, 15),
            (500_000.0, 1, 4),
            (1e9, 1, 1),
            (f64::INFINITY, 1, 1),
        ] {
            assert_eq!(method.repetitions(once_us), repetitions, "{once_us}");
            let sample_us = once_us * f64::from(repetitions);
            assert_eq!(method.samples_within_budget(sample_us), samples, "{once_us}");
        }
    }
}
