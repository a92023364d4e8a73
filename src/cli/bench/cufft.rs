//! NVIDIA's cuFFT, timed as it is at its best: the repetitions of a sample are captured into one
//! CUDA graph, so that no launch costs processor time, and CUDA events around the graph's replay
//! take the time. cuFFT's batch is ours; its data is planar.
//!
//! The libraries are opened at run time. cudarc panics where one is missing, so that is looked for
//! first.

use std::sync::Arc;

use anyhow::{Context as _, bail, ensure};
use cudarc::cufft::{result as cufft, sys as cufft_sys};
use cudarc::driver::{self, CudaContext, CudaEvent, CudaGraph, CudaStream, sys};
use seaway::fft::lab::timing::{Measurement, Method, Regime, Timer};
use seaway::fft::lab::{self, Array, Gate, Shape};
use seaway::fft::{Axis, Descriptor, Direction, Kind, Placement, Precision};

use seaway::fft::lab::MAX_SETS;
use seaway::fft::lab::References;

/// The oldest CUDA whose functions are called here, as its driver numbers itself.
const DRIVER_VERSION: i32 = 12_000;

/// cuFFT on one device.
pub struct Cufft {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    start: CudaEvent,
    end: CudaEvent,
    version: i32,
}

/// Device memory.
struct Memory {
    address: sys::CUdeviceptr,
    context: Arc<CudaContext>,
}

/// A transform of the whole batch.
struct Plan {
    handle: cufft_sys::cufftHandle,
    context: Arc<CudaContext>,
    direction: Direction,
    transform: cufft_sys::cufftType,
}

/// How a batch lies on one side of a transform.
#[derive(Clone, Copy)]
struct Side {
    shape: Shape,
    /// Numbers from one row to the next: of real ones in place there is room for half a spectrum.
    pitch: usize,
    number_bytes: usize,
}

/// That both libraries are there, else where they were looked for.
pub fn find() -> anyhow::Result<()> {
    // SAFETY: loading a library runs its initialisers; these are NVIDIA's, or what the user put in
    // their place.
    let (driver, cufft) = unsafe { (sys::is_culib_present(), cufft_sys::is_culib_present()) };
    let candidates = |library| {
        let mut names = cudarc::get_lib_name_candidates(library);
        names.retain(|name| cfg!(windows) || !name.contains("64"));
        names.dedup();
        names.join(", ")
    };
    ensure!(
        driver,
        "--peer cufft: the CUDA driver's library was not found (looked for {}): it comes with \
         NVIDIA's driver",
        candidates(if cfg!(windows) { "nvcuda" } else { "cuda" })
    );
    ensure!(
        cufft,
        "--peer cufft: the cuFFT library was not found (looked for {}): install cuFFT of CUDA 12 or \
         newer and, if the loader still does not find it, name its folder in {}",
        candidates("cufft"),
        if cfg!(windows) { "PATH" } else { "LD_LIBRARY_PATH" }
    );
    Ok(())
}

impl Cufft {
    /// Opens the device that `adapter` is.
    pub fn open(adapter: &wgpu::AdapterInfo) -> anyhow::Result<Self> {
        find()?;
        let mut driver_version = 0;
        // SAFETY: it writes one integer, and may be called before anything else.
        unsafe { sys::cuDriverGetVersion(&mut driver_version) }
            .result()
            .context("the CUDA driver does not tell its version")?;
        ensure!(
            driver_version >= DRIVER_VERSION,
            "--peer cufft: the driver is for CUDA {}, and cuFFT is used as of CUDA {}",
            version(driver_version, 10),
            version(DRIVER_VERSION, 10),
        );
        driver::result::init().context("CUDA does not start")?;
        let context = device(adapter)?;
        let stream = context.new_stream().context("no CUDA stream")?;
        let event = || context.new_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
        let (start, end) = (event()?, event()?);
        let version = cufft::get_version().context("cuFFT does not tell its version")?;
        Ok(Self { context, stream, start, end, version })
    }

    /// The library's version.
    pub fn describe(&self) -> String {
        format!("cuFFT {}", version(self.version, 100))
    }

    /// Times `task`, which is planar and not scaled, after its result was found right.
    pub fn measure(
        &self,
        task: &Descriptor,
        regime: Regime,
        method: &Method,
        references: &mut References,
    ) -> anyhow::Result<Measurement> {
        self.context.bind_to_thread()?;
        let batch = u64::from(task.batch);
        let [from, to] = Side::of(task).map(|side| side.bytes() as u64 * batch);
        let set_bytes = match task.placement {
            Placement::OutOfPlace => from + to,
            Placement::InPlace => from.max(to),
        };
        let sets = match regime {
            Regime::Hot => 1,
            Regime::Streaming => Regime::STREAMING_BYTES.div_ceil(set_bytes).max(2),
        };
        ensure!(sets <= MAX_SETS, "streaming would take {sets} sets of buffers");
        let plan = self.plan(task)?;
        let memory = |bytes: u64| Memory::new(&self.context, usize::try_from(bytes)?);
        let mut buffers = Vec::new();
        for _ in 0..sets {
            let (input, output) = match task.placement {
                Placement::OutOfPlace => (memory(from)?, Some(memory(to)?)),
                Placement::InPlace => (memory(from.max(to))?, None),
            };
            buffers.push((input, output));
        }
        let addresses: Vec<_> = buffers
            .iter()
            .map(|(input, output)| [input.address, output.as_ref().unwrap_or(input).address])
            .collect();
        self.upload(task, &addresses)?;
        self.check(&plan, task, addresses[0], references)?;

        // Ten, since one alone would be mostly launch.
        const FIRST: u32 = 10;
        let first = self.graph(&plan, &addresses, FIRST)?;
        self.time_us(&first)?;
        let once_us = (self.time_us(&first)? / f64::from(FIRST)).max(0.1);
        // A replay starts from the first set again: it must have gone through all of them.
        let repetitions = method.repetitions(once_us).max(u32::try_from(sets)?);
        let samples = method.samples_within_budget(once_us * f64::from(repetitions));
        let graph = self.graph(&plan, &addresses, repetitions)?;
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

    fn plan(&self, task: &Descriptor) -> anyhow::Result<Plan> {
        use cufft_sys::cufftType;
        // The slowest axis comes first. Lines are the rows of an image.
        let mut lengths = Vec::new();
        for &axis in task.axes.list().iter().rev() {
            lengths.push(i32::try_from(task.length(axis))?);
        }
        let is_whole = task.axes.list().starts_with(&[Axis::Row, Axis::Column]);
        let is_volume = lengths.len() == 3 || task.depth == 1;
        ensure!(
            lengths.len() == 1 && task.axes.list() == [Axis::Row] || is_whole && is_volume,
            "cuFFT is asked for rows, images and volumes only"
        );
        let transforms = task.points() * u64::from(task.batch)
            / lengths.iter().map(|length| *length as u64).product::<u64>();
        let wide = task.precision == Precision::F64;
        let transform = match (task.kind, task.direction, wide) {
            (Kind::Complex, _, false) => cufftType::CUFFT_C2C,
            (Kind::Complex, _, true) => cufftType::CUFFT_Z2Z,
            (Kind::Real, Direction::Forward, false) => cufftType::CUFFT_R2C,
            (Kind::Real, Direction::Forward, true) => cufftType::CUFFT_D2Z,
            (Kind::Real, Direction::Inverse, false) => cufftType::CUFFT_C2R,
            (Kind::Real, Direction::Inverse, true) => cufftType::CUFFT_Z2D,
            (kind, ..) => bail!("cuFFT knows no {kind}"),
        };
        // Complex numbers are packed, one row after the other, which needs no words. Others say how
        // long their rows are, in place too.
        let mut embedded = Vec::new();
        for side in Side::of(task) {
            let mut lengths = lengths.clone();
            let row = lengths.last_mut().expect("rows are transformed");
            *row = i32::try_from(side.pitch / side.shape.parts())?;
            let distance = lengths.iter().map(|length| i64::from(*length)).product::<i64>();
            embedded.push((lengths, i32::try_from(distance)?));
        }
        let [(from, from_distance), (to, to_distance)] = &mut embedded[..] else {
            bail!("a transform has two sides")
        };
        let packed = task.kind == Kind::Complex;
        let pointer = |lengths: &mut Vec<i32>| match packed {
            true => std::ptr::null_mut(),
            false => lengths.as_mut_ptr(),
        };
        let distance = |distance: i32| if packed { 0 } else { distance };
        // SAFETY: `lengths`, and what is embedded where it is given, hold as many lengths as the rank
        // says; the context is current.
        let handle = unsafe {
            cufft::plan_many(
                i32::try_from(lengths.len())?,
                lengths.as_mut_ptr(),
                pointer(from),
                1,
                distance(*from_distance),
                pointer(to),
                1,
                distance(*to_distance),
                transform,
                i32::try_from(transforms)?,
            )
        }
        .context("cuFFT cannot plan it")?;
        let (context, direction) = (self.context.clone(), task.direction);
        let plan = Plan { handle, context, direction, transform };
        // SAFETY: both are alive; plan and stream belong to one context.
        unsafe { cufft::set_stream(handle, self.stream.cu_stream().cast()) }
            .context("cuFFT refuses the stream")?;
        Ok(plan)
    }

    /// The images of a workload, into every set.
    fn upload(&self, task: &Descriptor, addresses: &[[sys::CUdeviceptr; 2]]) -> anyhow::Result<()> {
        let [side, _] = Side::of(task);
        for index in 0..task.batch {
            let bytes = side.stored(&lab::input(task, index));
            for [input, _] in addresses {
                // SAFETY: every input has room for the batch.
                unsafe {
                    let address = input + u64::from(index) * bytes.len() as u64;
                    driver::result::memcpy_htod_sync(address, &bytes)
                }
                .context("CUDA could not upload the images")?;
            }
        }
        // What was copied on the default stream is there before ours, which does not wait for it,
        // reads it.
        self.context.synchronize().context("CUDA could not upload the images")
    }

    /// Runs the plan once and checks its first and last image.
    fn check(
        &self,
        plan: &Plan,
        task: &Descriptor,
        addresses: [sys::CUdeviceptr; 2],
        references: &mut References,
    ) -> anyhow::Result<()> {
        // SAFETY: see `Plan::execute`.
        unsafe { plan.execute(addresses) }?;
        self.stream.synchronize().context("cuFFT failed")?;
        let [_, side] = Side::of(task);
        for index in [0, task.batch - 1] {
            let mut bytes = vec![0_u8; side.bytes()];
            // SAFETY: the output has room for the batch; the stream that wrote it has finished.
            unsafe {
                let address = addresses[1] + u64::from(index) * bytes.len() as u64;
                driver::result::memcpy_dtoh_sync(&mut bytes, address)
            }
            .context("CUDA could not read the result back")?;
            let accuracy = references.of(index, task).accuracy(&side.array(&bytes));
            let gate = Gate::of(task);
            ensure!(gate.passes(accuracy), "cuFFT gave a wrong result: {accuracy:?}");
        }
        Ok(())
    }

    /// Captures `repetitions` transforms, going on to the next set with each.
    fn graph(
        &self,
        plan: &Plan,
        addresses: &[[sys::CUdeviceptr; 2]],
        repetitions: u32,
    ) -> anyhow::Result<CudaGraph> {
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        self.stream.begin_capture(mode).context("CUDA captures no graph")?;
        let recorded = (0..repetitions as usize).try_for_each(|repetition| {
            // SAFETY: see `Plan::execute`; the buffers outlive the graph.
            unsafe { plan.execute(addresses[repetition % addresses.len()]) }
        });
        // The capture ends in any case: nothing else could run on the stream.
        let graph = self.stream.end_capture(sys::CUgraphInstantiate_flags(0));
        recorded?;
        graph.context("CUDA makes no graph")?.context("cuFFT recorded nothing")
    }

    /// Microseconds of one replay.
    fn time_us(&self, graph: &CudaGraph) -> anyhow::Result<f64> {
        self.start.record(&self.stream)?;
        graph.launch()?;
        self.end.record(&self.stream)?;
        let ms = self.start.elapsed_ms(&self.end).context("cuFFT failed")?;
        ensure!(ms.is_finite() && ms > 0.0, "CUDA's events give no time");
        Ok(f64::from(ms) * 1000.0)
    }
}

impl Side {
    /// Of what `task` transforms, and of what it gives.
    fn of(task: &Descriptor) -> [Self; 2] {
        let number_bytes = task.precision.bytes() as usize;
        [Shape::input(task), Shape::output(task)].map(|shape| {
            let pitch = match (task.kind, task.placement) {
                (Kind::Real, Placement::InPlace) => 2 * (task.size[0] as usize / 2 + 1),
                _ => shape.extent[0] * shape.parts(),
            };
            Self { shape, pitch, number_bytes }
        })
    }

    /// Bytes of one image or volume.
    fn bytes(&self) -> usize {
        let [_, height, depth] = self.shape.extent;
        self.pitch * height * depth * self.number_bytes
    }

    /// One image or volume as it lies in memory.
    fn stored(&self, array: &Array) -> Vec<u8> {
        let row = self.shape.extent[0] * self.shape.parts();
        let mut bytes = Vec::with_capacity(self.bytes());
        for numbers in array.numbers().chunks_exact(row) {
            for place in 0..self.pitch {
                let number = numbers.get(place).copied().unwrap_or(0.0);
                match self.number_bytes {
                    8 => bytes.extend(number.to_ne_bytes()),
                    _ => bytes.extend((number as f32).to_ne_bytes()),
                }
            }
        }
        bytes
    }

    /// The reverse.
    fn array(&self, bytes: &[u8]) -> Array {
        let row = self.shape.extent[0] * self.shape.parts();
        let mut numbers = Vec::with_capacity(self.shape.numbers());
        for bytes in bytes.chunks_exact(self.pitch * self.number_bytes) {
            let bytes = &bytes[..row * self.number_bytes];
            match self.number_bytes {
                8 => numbers
                    .extend(bytes.as_chunks().0.iter().map(|bytes| f64::from_ne_bytes(*bytes))),
                _ => numbers.extend(
                    bytes.as_chunks().0.iter().map(|bytes| f64::from(f32::from_ne_bytes(*bytes))),
                ),
            }
        }
        Array::of_numbers(numbers, self.shape.is_real)
    }
}

impl Memory {
    fn new(context: &Arc<CudaContext>, bytes: usize) -> anyhow::Result<Self> {
        // SAFETY: it is filled, or written by cuFFT, before it is read.
        let address = unsafe { driver::result::malloc_sync(bytes) }
            .with_context(|| format!("CUDA has no {bytes} bytes left"))?;
        Ok(Self { address, context: context.clone() })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated in `new`, freed once; cuMemFree waits for the work that uses it.
        let freed = unsafe { driver::result::free_sync(self.address) };
        // Reported by the next call that can.
        self.context.record_err(freed);
    }
}

impl Plan {
    /// Transforms from the first address to the second, which may be the same.
    ///
    /// # Safety
    /// Both have room for the plan's batch, until the work has finished.
    unsafe fn execute(&self, [input, output]: [sys::CUdeviceptr; 2]) -> anyhow::Result<()> {
        // CUFFT_FORWARD and CUFFT_INVERSE: the sign of the exponent; neither is scaled.
        let sign = match self.direction {
            Direction::Forward => -1,
            Direction::Inverse => 1,
        };
        use cufft_sys::cufftType;
        let (handle, from, to) = (self.handle, input, output);
        // SAFETY: the plan is alive and of the type that is asked for, and the caller vouches for the
        // buffers.
        unsafe {
            match self.transform {
                cufftType::CUFFT_C2C => cufft::exec_c2c(handle, from as *mut _, to as *mut _, sign),
                cufftType::CUFFT_Z2Z => cufft::exec_z2z(handle, from as *mut _, to as *mut _, sign),
                cufftType::CUFFT_R2C => cufft::exec_r2c(handle, from as *mut _, to as *mut _),
                cufftType::CUFFT_D2Z => cufft::exec_d2z(handle, from as *mut _, to as *mut _),
                cufftType::CUFFT_C2R => cufft::exec_c2r(handle, from as *mut _, to as *mut _),
                cufftType::CUFFT_Z2D => cufft::exec_z2d(handle, from as *mut _, to as *mut _),
            }
        }
        .context("cuFFT cannot run it")
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        self.context.record_err(self.context.bind_to_thread());
        // SAFETY: planned once, destroyed once.
        if let Err(error) = unsafe { cufft::destroy(self.handle) } {
            log::warn!("cuFFT could not free a plan: {error}");
        }
    }
}

/// The CUDA device that is `adapter`: the one in the same slot, else the one of the same name.
fn device(adapter: &wgpu::AdapterInfo) -> anyhow::Result<Arc<CudaContext>> {
    use sys::CUdevice_attribute as Attribute;
    let count = CudaContext::device_count().context("CUDA lists no devices")?;
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
        Some(&(.., ordinal)) => CudaContext::new(ordinal).context("the CUDA device cannot be used"),
        None => {
            let names: Vec<_> = found.iter().map(|(_, name, _)| name.as_str()).collect();
            bail!(
                "--peer cufft: {} is none of the devices that CUDA sees ({}): choose one by \
                 WGPU_ADAPTER_NAME",
                adapter.name,
                names.join(", ")
            )
        }
    }
}

/// CUDA's and cuFFT's way of numbering: 1000 for a major version, and `minor` for a minor one.
fn version(number: i32, minor: i32) -> String {
    format!("{}.{}", number / 1000, number % 1000 / minor)
}
