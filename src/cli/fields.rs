//! The fields of a sea at given times, in memory: from the GPU in 32-bit floats, or from the processor in
//! 64-bit ones.

use std::collections::VecDeque;
use std::fs;
use std::sync::Mutex;

use crate::gpu::{Capabilities, Mark, ReadbackBuffer, Timestamps};
use crate::maps::cpu::Fields;
use crate::ocean::cpu;
use crate::platform::lock;
use crate::settings::Quality;
use crate::spectrum::InitialSpectrum;
use crate::{Ocean, OceanError, OceanOptions, OceanPath};
use anyhow::{Context as _, bail};
use rayon::prelude::*;

use super::Global;
use super::device::Gpu;
use super::scene::with_cure;

/// The processor or GPU that computes the sea.
pub enum Source {
    Gpu(Box<GpuSource>),
    Cpu(Box<InitialSpectrum>),
}

pub struct GpuSource {
    gpu: Gpu,
    ocean: Ocean,
    /// Two timestamps around the ocean, and the buffer that they are resolved to. A software adapter's
    /// miss most of the work.
    timestamps: Option<(Timestamps, wgpu::Buffer)>,
    /// Milliseconds of all times, and their number.
    timed_ms: Mutex<(f64, u32)>,
}

/// Times that the GPU computes before the first of them is read.
const IN_FLIGHT: usize = 3;
/// The memory that seas of several times may take at once on the processor.
const CPU_BYTES: u64 = 2_000_000_000;

impl Source {
    /// Computes the sea that `prepare` makes for an ocean of `grid`.
    pub fn new(
        grid: &Quality,
        cpu: bool,
        global: &Global,
        prepare: impl FnOnce(&OceanOptions) -> Result<InitialSpectrum, OceanError>,
    ) -> anyhow::Result<Self> {
        // The same numbers on one adapter whatever was measured there, and the fields in memory.
        let options = OceanOptions {
            path: OceanPath::Plain,
            cubic_cascades: 0,
            blended_cascades: 0,
            ..OceanOptions::fixed(grid)
        };
        if cpu {
            return Ok(Self::Cpu(Box::new(prepare(&options)?)));
        }
        let gpu = Gpu::open(global.limits)?;
        let (device, queue) = (&gpu.context.device, &gpu.context.queue);
        // The check comes before the spectrum, which takes long at sizes that will not fit.
        let ocean = options.check(&Capabilities::of(device)).and_then(|()| prepare(&options));
        let ocean =
            ocean.and_then(|spectrum| Ocean::with_spectrum(device, queue, spectrum, options));
        let ocean = ocean.map_err(with_cure)?;
        gpu.check()?;
        let has_time = device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
            && !gpu.context.is_software();
        let timestamps = has_time.then(|| {
            let timestamps = Timestamps::new(device, queue, "fields", 2);
            (timestamps, Timestamps::buffer(device, "fields", 2))
        });
        let timed_ms = Mutex::default();
        Ok(Self::Gpu(Box::new(GpuSource { gpu, ocean, timestamps, timed_ms })))
    }

    pub fn spectrum(&self) -> &InitialSpectrum {
        match self {
            Self::Gpu(source) => source.ocean.spectrum(),
            Self::Cpu(spectrum) => spectrum,
        }
    }

    pub fn adapter(&self) -> Option<String> {
        match self {
            Self::Gpu(source) => Some(source.gpu.context.describe()),
            Self::Cpu(_) => None,
        }
    }

    /// The floats of the computation.
    pub fn arithmetic(&self) -> &'static str {
        match self {
            Self::Gpu(_) => "f32",
            Self::Cpu(_) => "f64",
        }
    }

    /// The mean time in milliseconds that the GPU took for a time of the sea, if it can tell.
    pub fn gpu_ms(&self) -> Option<f64> {
        let Self::Gpu(source) = self else { return None };
        let (sum, count) = *lock(&source.timed_ms);
        (count > 0).then(|| sum / f64::from(count))
    }

    /// The cascades at one time, in order. Those of the processor are computed one after the other.
    pub fn at(&self, time_s: f64) -> anyhow::Result<Box<dyn Iterator<Item = Layer> + '_>> {
        match self {
            Self::Gpu(source) => {
                let mut found = Vec::new();
                source.each_time(&[time_s], |_, layers| {
                    found = layers;
                    Ok(())
                })?;
                Ok(Box::new(found.into_iter()))
            }
            Self::Cpu(spectrum) => {
                Ok(Box::new(cpu::each_cascade(spectrum, time_s).map(Layer::Double)))
            }
        }
    }

    /// Calls `visit` with the index of each of `times_s` in order, and the cascades at that time. The next
    /// times are computed meanwhile.
    pub fn each_time(
        &self,
        times_s: &[f64],
        mut visit: impl FnMut(usize, Vec<Layer>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let spectrum = match self {
            Self::Gpu(source) => return source.each_time(times_s, visit),
            Self::Cpu(spectrum) => spectrum,
        };
        // The fields and their packed spectra.
        let bytes = 128 * spectrum.h0.len() as u64;
        let most = (CPU_BYTES / bytes).max(1) as usize;
        let at_once = rayon::current_num_threads().min(most);
        for (first, times_s) in (0..).step_by(at_once).zip(times_s.chunks(at_once)) {
            let of = |time_s: &f64| -> Vec<Layer> {
                cpu::each_cascade(spectrum, *time_s).map(Layer::Double).collect()
            };
            let found: Vec<_> = times_s.par_iter().map(of).collect();
            for (index, layers) in (first..).zip(found) {
                visit(index, layers)?;
            }
        }
        Ok(())
    }
}

impl GpuSource {
    fn each_time(
        &self,
        times_s: &[f64],
        mut visit: impl FnMut(usize, Vec<Layer>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let device = &self.gpu.context.device;
        let (mut pending, mut free) = (VecDeque::new(), Vec::new());
        let mut times = times_s.iter();
        for index in 0..times_s.len() {
            while let Some(time_s) = times.as_slice().first()
                && pending.len() < IN_FLIGHT
            {
                times.next();
                pending.push_back(self.begin(*time_s, free.pop())?);
            }
            let (readback, submission): (ReadbackBuffer, _) =
                pending.pop_front().expect("one is begun for each index");
            let submission_index = Some(submission);
            let waited = device.poll(wgpu::PollType::Wait { submission_index, timeout: None });
            if readback.is_pending() {
                device.poll(wgpu::PollType::wait_indefinitely())?;
            }
            // The GPU's own complaint comes first: it is the cause of a failed read-back.
            self.gpu.check()?;
            waited?;
            let layers = readback.read(|bytes| self.layers(bytes));
            visit(index, layers.context("the sea did not come back from the GPU")??)?;
            free.push(readback);
        }
        Ok(())
    }

    /// Submits the commands for the sea at a time, and for its copy.
    fn begin(
        &self,
        time_s: f64,
        free: Option<ReadbackBuffer>,
    ) -> anyhow::Result<(ReadbackBuffer, wgpu::SubmissionIndex)> {
        let (device, queue) = (&self.gpu.context.device, &self.gpu.context.queue);
        let fields = self.ocean.fields().context("the ocean keeps no fields")?;
        let readback = free.unwrap_or_else(|| {
            let bytes = fields.size() + Timestamps::bytes(2);
            ReadbackBuffer::new(device, "fields", bytes)
        });
        let label = Some("fields");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let mark = self.timestamps.as_ref().map(|(timestamps, _)| timestamps.mark(0));
        self.ocean.encode_step(
            &mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label,
                timestamp_writes: mark.as_ref().map(Mark::compute_writes),
            }),
            time_s,
        );
        encoder.copy_buffer_to_buffer(fields, 0, readback.buffer(), 0, fields.size());
        if let Some((timestamps, resolved)) = &self.timestamps {
            timestamps.resolve(&mut encoder, 2, resolved);
            let (to, bytes) = (fields.size(), resolved.size());
            encoder.copy_buffer_to_buffer(resolved, 0, readback.buffer(), to, bytes);
        }
        readback.map_on_submit(&encoder);
        Ok((readback, queue.submit([encoder.finish()])))
    }

    fn layers(&self, bytes: &[u8]) -> Vec<Layer> {
        let (fields, times) = bytes.split_at(bytes.len() - Timestamps::bytes(2) as usize);
        if let Some((timestamps, _)) = &self.timestamps {
            let mut timed_ms = lock(&self.timed_ms);
            timed_ms.0 += timestamps.pairs_ns(times).map(|ns| 1e-6 * ns).sum::<f64>();
            timed_ms.1 += 1;
        }
        let cascades = self.ocean.spectrum().cascades.len();
        let of_cascade = fields.chunks_exact(fields.len() / cascades);
        of_cascade.map(|bytes| Layer::Single(bytemuck::pod_collect_to_vec(bytes))).collect()
    }
}

/// The eight fields of one cascade at one time, `[z][x]`.
pub enum Layer {
    /// Four fields of all points, and then the other four, as [`Ocean::fields`] has them.
    Single(Vec<[f32; 4]>),
    Double(Vec<Fields>),
}

impl Layer {
    /// The fields of a point.
    pub fn fields(&self, at: usize) -> Fields {
        match self {
            Self::Single(texels) => {
                let (first, second) = texels.split_at(texels.len() / 2);
                let ([a, b, c, d], [e, f, g, h]) = (first[at], second[at]);
                [a, b, c, d, e, f, g, h].map(f64::from)
            }
            Self::Double(fields) => fields[at],
        }
    }
}

const GB: u64 = 1_000_000_000;

pub fn gigabytes(bytes: u64) -> f64 {
    bytes as f64 / GB as f64
}

/// Refuses a sea that the processor has no memory for, and says what a large one takes.
pub fn check_memory_of_cpu(grid: &Quality) -> anyhow::Result<()> {
    let needed = cpu_bytes(grid);
    check_memory(grid, needed, machine_bytes())?;
    if needed >= GB {
        eprintln!(
            "computing the waves with --cpu: this takes a while, and about {:.0} GB of memory",
            gigabytes(needed)
        );
    }
    Ok(())
}

/// Memory that the processor needs for a surface: the waves of all cascades and their spectra at a time, and
/// the images, fields and files of one cascade.
fn cpu_bytes(grid: &Quality) -> u64 {
    let points = u64::from(grid.size).pow(2);
    points * (76 * u64::from(grid.cascades) + 160)
}

/// The machine's memory, where the system has a file with it (Linux).
fn machine_bytes() -> Option<u64> {
    total_bytes(&fs::read_to_string("/proc/meminfo").ok()?)
}

/// Parses `meminfo`, which counts in KiB and calls them kB.
fn total_bytes(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(1024 * line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?)
}

/// Fails early, before the system ends the program for lack of memory.
fn check_memory(grid: &Quality, needed: u64, there: Option<u64>) -> anyhow::Result<()> {
    let Some(there) = there.filter(|&there| there < needed) else { return Ok(()) };
    bail!(
        "--cpu with {} cascade(s) of {size} x {size} points needs about {:.0} GB of memory, and \
         this machine has {:.0} GB: choose a smaller --size or fewer --cascades",
        grid.cascades,
        gigabytes(needed),
        gigabytes(there),
        size = grid.size,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_memory_holds_is_refused() {
        let grid = Quality { size: 8192, cascades: 4, ..Quality::default() };
        let needed = cpu_bytes(&grid);
        let meminfo = "MemTotal:       16384000 kB\nMemFree: 1 kB\n";
        assert_eq!(total_bytes(meminfo), Some(16_384_000 * 1024));
        assert_eq!(total_bytes("MemFree: 1 kB"), None);
        let error = check_memory(&grid, needed, total_bytes(meminfo)).unwrap_err().to_string();
        for words in ["31 GB", "17 GB", "smaller --size"] {
            assert!(error.contains(words), "{error}");
        }
        check_memory(&grid, needed, None).unwrap();
        check_memory(&grid, needed, Some(needed)).unwrap();
    }
}
