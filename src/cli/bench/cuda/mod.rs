//! CUDA peers under their best conditions: the repetitions of a sample are captured into one CUDA graph, so
//! that no launch costs processor time, and CUDA events around the graph's replay take the time.
//!
//! The libraries are opened at run time. cudarc panics if one is missing, so they are searched for first.

mod cufft;
mod kernels;
mod memory;

pub use cufft::Cufft;
pub use kernels::{Kernel, Kernels};

use std::sync::Arc;

use crate::fft::Descriptor;
use crate::fft::lab::timing::{Measurement, Method, Regime, Timer};
use crate::fft::lab::{self, Gate, MAX_SETS, References, Stored};
use anyhow::{Context as _, bail, ensure};
use cudarc::driver::{self, CudaContext, CudaEvent, CudaGraph, CudaStream, sys};

use super::super::exit::Lacking;
use crate::bench::Peer;

/// The oldest CUDA whose functions are called here, in the driver's numbering.
const DRIVER_VERSION: i32 = 12_000;

/// One device with the stream and events for timing.
pub struct Cuda {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    start: CudaEvent,
    end: CudaEvent,
}

/// Checks that the libraries of `peer` exist; the error names the places that were searched.
pub fn find(peer: Peer) -> anyhow::Result<()> {
    let candidates = |library| {
        let mut names = cudarc::get_lib_name_candidates(library);
        names.retain(|name| cfg!(windows) || !name.contains("64"));
        names.dedup();
        names.join(", ")
    };
    // SAFETY: loading a library runs its initialisers; these are NVIDIA's, or what the user put in
    // their place.
    let driver = unsafe { sys::is_culib_present() };
    let option = peer.option();
    if !driver {
        bail!(Lacking(format!(
            "{option}: the CUDA driver's library was not found (looked for {}). Install NVIDIA's \
             driver",
            candidates(if cfg!(windows) { "nvcuda" } else { "cuda" })
        )));
    }
    // SAFETY: as above.
    let (library, name, present) = unsafe {
        match peer {
            Peer::Cufft => ("cufft", "cuFFT", cudarc::cufft::sys::is_culib_present()),
            Peer::CudaKernels => ("nvrtc", "NVRTC", cudarc::nvrtc::sys::is_culib_present()),
            Peer::Rustfft | Peer::Realfft => return Ok(()),
        }
    };
    if !present {
        bail!(Lacking(format!(
            "{option}: the {name} library was not found (looked for {}): install {name} of CUDA \
             12 or newer, and if the loader still does not find it, add its folder to {}",
            candidates(library),
            if cfg!(windows) { "PATH" } else { "LD_LIBRARY_PATH" }
        )));
    }
    Ok(())
}

impl Cuda {
    /// Opens the CUDA device of `adapter` for `peer`, which must have been found.
    pub fn open(adapter: &wgpu::AdapterInfo, peer: Peer) -> anyhow::Result<Arc<Self>> {
        let mut driver_version = 0;
        // SAFETY: it writes one integer, and may be called before anything else.
        unsafe { sys::cuDriverGetVersion(&mut driver_version) }
            .result()
            .context("the CUDA driver did not report its version")?;
        if driver_version < DRIVER_VERSION {
            bail!(Lacking(format!(
                "{} needs a driver for CUDA {} or newer, and the one installed is for CUDA {}",
                peer.option(),
                version(DRIVER_VERSION, 10),
                version(driver_version, 10),
            )));
        }
        driver::result::init().context("CUDA could not be initialised")?;
        let context = device(adapter, peer)?;
        let stream = context.new_stream().context("CUDA could not create a stream")?;
        let event = || context.new_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
        let (start, end) = (event()?, event()?);
        Ok(Arc::new(Self { context, stream, start, end }))
    }

    /// Times the commands that `record` puts into the stream, which work on set 0, 1, .. of `sets` in turn.
    fn measure(
        &self,
        sets: usize,
        method: &Method,
        record: impl Fn(usize) -> anyhow::Result<()>,
    ) -> anyhow::Result<Measurement> {
        // Ten, since one alone would be mostly launch.
        const FIRST: u32 = 10;
        let first = self.graph(sets, FIRST, &record)?;
        self.time_us(&first)?;
        let once_us = (self.time_us(&first)? / f64::from(FIRST)).max(0.1);
        // A replay starts from the first set again: it must have gone through all of them.
        let repetitions = method.repetitions(once_us).max(u32::try_from(sets)?);
        let samples = method.samples_within_budget(once_us * f64::from(repetitions));
        let graph = self.graph(sets, repetitions, &record)?;
        // As for our own transforms: the clocks come back with work.
        let mut worked_us = 0.0;
        while worked_us < method.warm_up_us {
            worked_us += self.time_us(&graph)?;
        }
        let mut samples_us = (0..samples)
            .map(|_| Ok(self.time_us(&graph)? / f64::from(repetitions)))
            .collect::<anyhow::Result<Vec<f64>>>()?;
        samples_us.sort_by(f64::total_cmp);
        Ok(Measurement { samples_us, repetitions, timer: Timer::GpuTimestamps })
    }

    /// Captures `repetitions` transforms, each on the next set.
    fn graph(
        &self,
        sets: usize,
        repetitions: u32,
        record: impl Fn(usize) -> anyhow::Result<()>,
    ) -> anyhow::Result<CudaGraph> {
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        self.stream.begin_capture(mode).context("CUDA could not start to capture a graph")?;
        let recorded =
            (0..repetitions as usize).try_for_each(|repetition| record(repetition % sets));
        // The capture ends in any case: nothing else could run on the stream.
        let graph = self.stream.end_capture(sys::CUgraphInstantiate_flags(0));
        recorded?;
        graph.context("CUDA could not capture a graph")?.context("nothing was recorded")
    }

    fn time_us(&self, graph: &CudaGraph) -> anyhow::Result<f64> {
        self.start.record(&self.stream)?;
        graph.launch()?;
        self.end.record(&self.stream)?;
        let ms = self.start.elapsed_ms(&self.end).context("the GPU's work failed")?;
        ensure!(ms.is_finite() && ms > 0.0, "CUDA's events reported no time");
        Ok(f64::from(ms) * 1000.0)
    }
}

/// The number of buffer sets that successive transforms cycle through.
fn sets_of(regime: Regime, set_bytes: u64) -> anyhow::Result<usize> {
    let sets = match regime {
        Regime::Hot => 1,
        Regime::Streaming => Regime::STREAMING_BYTES.div_ceil(set_bytes).max(2),
    };
    ensure!(
        sets <= MAX_SETS,
        "streaming needs {sets} sets of buffers, and the maximum is {MAX_SETS}: use a larger batch"
    );
    Ok(usize::try_from(sets)?)
}

/// Checks the first and the last image of a result; `download` reads an image's bytes.
fn check(
    task: &Descriptor,
    references: &mut References,
    download: impl Fn(u32) -> anyhow::Result<Vec<u8>>,
) -> anyhow::Result<()> {
    let side = Stored::output(task);
    for index in lab::ends(task.batch) {
        let array = side.image(&download(index)?, 0);
        let accuracy = references.of(index, task).accuracy(&array);
        ensure!(Gate::of(task).passes(accuracy), "the result is wrong: {accuracy:?}");
    }
    Ok(())
}

/// The CUDA device of `adapter`: the one in the same slot, else the one of the same name.
fn device(adapter: &wgpu::AdapterInfo, peer: Peer) -> anyhow::Result<Arc<CudaContext>> {
    use sys::CUdevice_attribute as Attribute;
    let count = CudaContext::device_count().context("CUDA could not list its devices")?;
    let mut found: Vec<(String, String, usize)> = Vec::new();
    for ordinal in 0..usize::try_from(count).unwrap_or(0) {
        let device = driver::result::device::get(i32::try_from(ordinal)?)?;
        // SAFETY: the device was just given by CUDA.
        let part = |attribute| unsafe { driver::result::device::get_attribute(device, attribute) };
        let slot = format!(
            "{:04x}:{:02x}:{:02x}.0",
            part(Attribute::CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID)?,
            part(Attribute::CU_DEVICE_ATTRIBUTE_PCI_BUS_ID)?,
            part(Attribute::CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID)?,
        );
        found.push((slot, driver::result::device::get_name(device)?, ordinal));
    }
    let chosen = found
        .iter()
        .find(|(slot, ..)| *slot == adapter.device_pci_bus_id.to_lowercase())
        .or_else(|| found.iter().find(|(_, name, _)| *name == adapter.name));
    match chosen {
        Some(&(.., ordinal)) => {
            CudaContext::new(ordinal).context("the CUDA device could not be opened")
        }
        None => {
            let names: Vec<_> = found.iter().map(|(_, name, _)| name.as_str()).collect();
            bail!(Lacking(format!(
                "{}: {} is not one of the devices that CUDA lists ({}): choose one with \
                 WGPU_ADAPTER_NAME",
                peer.option(),
                adapter.name,
                names.join(", ")
            )))
        }
    }
}

/// Formats a version number of CUDA (1000 per major version, and `minor` per minor one) or cuFFT.
fn version(number: i32, minor: i32) -> String {
    format!("{}.{}", number / 1000, number % 1000 / minor)
}
