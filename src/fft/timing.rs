//! How transforms are timed.
//!
//! A *sample* is one compute pass that runs a transform many times, between the two timestamps
//! that begin and end the pass; its time divided by the repetitions is one figure. Many in one
//! pass, because a pass of its own costs more than a small transform, and because a program that
//! transforms every frame has other work around it anyway. The repetitions depend on one another
//! through their buffers, so each pays for its dispatches' barriers, as in a frame. Passes before
//! the first sample warm up: they compile what a driver compiles late, say how many repetitions
//! fill a sample, and raise the clocks, which drop while the GPU has nothing to do and need some
//! tenths of a second of work to come back: after two idle seconds an H200 was at 345 of its 1980
//! MHz, stayed there for the first 80 ms of work at least, and took five times as long for the same
//! transform. The figure to quote is the median of the samples, with the 5th and 95th percentiles as
//! its spread. What is so slow that the samples would outlast the budget gets fewer.
//!
//! *Hot* repetitions work on the same buffers, which stay in the cache if they fit; *streaming*
//! ones rotate over more buffers than any cache holds ([`Regime`]).
//!
//! Without timestamps a sample is timed by the processor's clock around submission and
//! completion ([`Timer::Wall`]), which includes both.

use crate::choice::choices;
use crate::gpu::{self, ReadbackError};

choices! {
    /// What successive repetitions work on.
    pub enum Regime {
        /// The same buffers.
        Hot = "hot",
        /// Buffers in turn, together larger than the cache.
        Streaming = "streaming",
    }
}

impl Regime {
    /// Bytes over which streaming repetitions rotate: more than the largest caches there are
    /// (256 MiB on AMD's MI300).
    pub const STREAMING_BYTES: u64 = 512 << 20;
}

choices! {
    /// What times were taken with.
    pub enum Timer {
        /// The GPU's own clock.
        GpuTimestamps = "gpu_timestamps",
        /// The processor's, around submission and completion.
        Wall = "wall",
    }
}

impl Timer {
    /// The best that `device` has.
    pub fn of(device: &wgpu::Device) -> Self {
        if device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            Self::GpuTimestamps
        } else {
            Self::Wall
        }
    }
}

/// How much to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// Number of samples.
    pub samples: u32,
    /// About how long one sample should take, in microseconds.
    pub sample_us: f64,
    /// Most repetitions in a sample.
    pub max_repetitions: u32,
    /// About how long all samples together may take, in microseconds: a transform too slow for it
    /// gets fewer samples, down to one.
    pub budget_us: f64,
    /// About how long to work before the first sample, in microseconds. Less is done where the
    /// processor plays GPU, whose clock others keep up.
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
    /// Repetitions that fill a sample of what takes `once_us` microseconds.
    pub fn repetitions(&self, once_us: f64) -> u32 {
        ((self.sample_us / once_us) as u32).clamp(1, self.max_repetitions.max(1))
    }

    /// Samples that the budget leaves, of `sample_us` microseconds each.
    pub fn samples_within_budget(&self, sample_us: f64) -> u32 {
        ((self.budget_us / sample_us) as u32).clamp(1, self.samples.max(1))
    }
}

/// Times of one transform.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Microseconds per repetition, one value a sample, shortest first.
    pub samples_us: Vec<f64>,
    /// Repetitions in a sample.
    pub repetitions: u32,
    /// What they were taken with.
    pub timer: Timer,
}

impl Measurement {
    /// The time that a share of the samples stay below, in microseconds: 0.5 is the median.
    pub fn quantile_us(&self, share: f64) -> f64 {
        let last = self.samples_us.len() - 1;
        self.samples_us[(share * last as f64).round() as usize]
    }

    /// The median, in microseconds.
    pub fn median_us(&self) -> f64 {
        self.quantile_us(0.5)
    }
}

/// Times what `encode` records, which is given the number of the repetition.
///
/// # Errors
/// [`ReadbackError`] where the device does not answer.
pub async fn measure(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    method: &Method,
    encode: impl Fn(&mut wgpu::ComputePass<'_>, u32),
) -> Result<Measurement, ReadbackError> {
    measure_by(Timer::of(device), device, queue, method, encode).await
}

/// As [`measure`], by `timer`, which `device` has.
///
/// # Errors
/// As [`measure`].
pub async fn measure_by(
    timer: Timer,
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    method: &Method,
    encode: impl Fn(&mut wgpu::ComputePass<'_>, u32),
) -> Result<Measurement, ReadbackError> {
    let clock = Clock::new(timer, device, queue, method.samples.max(1));
    let warm_up_us = match device.adapter_info().device_type {
        wgpu::DeviceType::Cpu => method.warm_up_us.min(20_000.0),
        _ => method.warm_up_us,
    };
    // The first run may compile.
    clock.passes(device, queue, 1, 1, &encode).await?;
    let mut repetitions = 1;
    let mut worked_us = 0.0;
    let (once, once_us) = loop {
        let once = clock.passes(device, queue, 1, repetitions, &encode).await?;
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
    clock.passes(device, queue, 1, repetitions, &encode).await?;
    let mut samples_us = clock.passes(device, queue, samples, repetitions, &encode).await?;
    samples_us.sort_by(f64::total_cmp);
    Ok(Measurement { samples_us, repetitions, timer: clock.timer() })
}

/// Timestamps for a number of passes, or none.
struct Clock {
    queries: Option<(wgpu::QuerySet, wgpu::Buffer)>,
    period_ns: f64,
}

impl Clock {
    fn new(timer: Timer, device: &wgpu::Device, queue: &wgpu::Queue, samples: u32) -> Self {
        let queries = (timer == Timer::GpuTimestamps).then(|| {
            let count = 2 * samples;
            let set = device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("fft::timing"),
                ty: wgpu::QueryType::Timestamp,
                count,
            });
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("fft::timing"),
                size: u64::from(count) * u64::from(wgpu::QUERY_SIZE),
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            });
            (set, buffer)
        });
        Self { queries, period_ns: f64::from(queue.get_timestamp_period()) }
    }

    fn timer(&self) -> Timer {
        if self.queries.is_some() { Timer::GpuTimestamps } else { Timer::Wall }
    }

    /// Runs `count` passes and gives microseconds per repetition of each.
    async fn passes(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        count: u32,
        repetitions: u32,
        encode: &impl Fn(&mut wgpu::ComputePass<'_>, u32),
    ) -> Result<Vec<f64>, ReadbackError> {
        let record = |encoder: &mut wgpu::CommandEncoder, writes| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("fft::timing"),
                timestamp_writes: writes,
            });
            (0..repetitions).for_each(|repetition| encode(&mut pass, repetition));
        };
        let Some((set, resolved)) = &self.queries else {
            return wall_times(device, queue, count, repetitions, |encoder| record(encoder, None));
        };
        let mut encoder = device.create_command_encoder(&Default::default());
        for sample in 0..count {
            let writes = wgpu::ComputePassTimestampWrites {
                query_set: set,
                beginning_of_pass_write_index: Some(2 * sample),
                end_of_pass_write_index: Some(2 * sample + 1),
            };
            record(&mut encoder, Some(writes));
        }
        encoder.resolve_query_set(set, 0..2 * count, resolved, 0);
        queue.submit([encoder.finish()]);
        let bytes = gpu::read_buffer(device, queue, resolved).await?;
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&bytes);
        Ok(ticks
            .chunks_exact(2)
            .take(count as usize)
            .map(|pair| {
                let ns = pair[1].saturating_sub(pair[0]) as f64 * self.period_ns;
                ns / 1000.0 / f64::from(repetitions)
            })
            .collect())
    }
}

/// As [`Clock::passes`], by the processor's clock.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn wall_times(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    count: u32,
    repetitions: u32,
    record: impl Fn(&mut wgpu::CommandEncoder),
) -> Result<Vec<f64>, ReadbackError> {
    (0..count)
        .map(|_| {
            let mut encoder = device.create_command_encoder(&Default::default());
            record(&mut encoder);
            let commands = encoder.finish();
            let start = std::time::Instant::now();
            queue.submit([commands]);
            device.poll(wgpu::PollType::wait_indefinitely())?;
            Ok(start.elapsed().as_secs_f64() * 1e6 / f64::from(repetitions))
        })
        .collect()
}

/// A browser without timestamps gives no times.
#[cfg(target_arch = "wasm32")]
pub(crate) fn wall_times(
    _: &wgpu::Device,
    _: &wgpu::Queue,
    count: u32,
    _: u32,
    _: impl Fn(&mut wgpu::CommandEncoder),
) -> Result<Vec<f64>, ReadbackError> {
    Ok(vec![f64::NAN; count as usize])
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
