//! NVIDIA's cuFFT, on the same batch as Seaway's transforms, with planar data.

use std::sync::Arc;

use crate::fft::lab::timing::{Measurement, Method, Regime};
use crate::fft::lab::{Layers, References, Stored};
use crate::fft::{Axis, Descriptor, Direction, Kind, Placement, Precision};
use anyhow::{Context as _, bail, ensure};
use cudarc::cufft::{result as cufft, sys as cufft_sys};
use cudarc::driver::{self, CudaContext, sys};

use super::memory::Memory;
use super::{Cuda, check, sets_of, version};

pub struct Cufft {
    cuda: Arc<Cuda>,
    version: i32,
}

struct Plan {
    handle: cufft_sys::cufftHandle,
    context: Arc<CudaContext>,
    direction: Direction,
    transform: cufft_sys::cufftType,
}

impl Cufft {
    /// Opens cuFFT on the device of `cuda`; the library must have been found.
    pub fn open(cuda: Arc<Cuda>) -> anyhow::Result<Self> {
        let version = cufft::get_version().context("cuFFT did not report its version")?;
        Ok(Self { cuda, version })
    }

    pub fn describe(&self) -> String {
        format!("cuFFT {}", version(self.version, 100))
    }

    /// Times `task`, which is planar and not scaled, after checking its result.
    pub fn measure(
        &self,
        task: &Descriptor,
        regime: Regime,
        method: &Method,
        references: &mut References,
    ) -> anyhow::Result<Measurement> {
        let cuda = &self.cuda;
        cuda.context.bind_to_thread()?;
        let batch = u64::from(task.batch);
        let [from, to] =
            [Stored::input(task), Stored::output(task)].map(|side| side.layer_bytes() * batch);
        let set_bytes = match task.placement {
            Placement::OutOfPlace => from + to,
            Placement::InPlace => from.max(to),
        };
        let plan = self.plan(task)?;
        let memory = |bytes: u64| Memory::new(&cuda.context, bytes);
        let mut buffers = Vec::new();
        for _ in 0..sets_of(regime, set_bytes)? {
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
        cuda.measure(addresses.len(), method, |set| {
            // SAFETY: see `Plan::execute`; the buffers outlive the measurement.
            unsafe { plan.execute(addresses[set]) }
        })
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
            "cuFFT is only timed on rows, images and volumes"
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
            (kind, ..) => bail!("cuFFT has no transform of kind {kind}"),
        };
        // Complex numbers are packed, one row after the other, which needs no words. Others say how
        // long their rows are, in place too.
        let mut embedded = Vec::new();
        for side in [Stored::input(task), Stored::output(task)] {
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
        .context("cuFFT could not plan the transform")?;
        let (context, direction) = (self.cuda.context.clone(), task.direction);
        let plan = Plan { handle, context, direction, transform };
        // SAFETY: both are alive; plan and stream belong to one context.
        unsafe { cufft::set_stream(handle, self.cuda.stream.cu_stream().cast()) }
            .context("cuFFT rejected the stream")?;
        Ok(plan)
    }

    /// Uploads the images of a workload into every set.
    fn upload(&self, task: &Descriptor, addresses: &[[sys::CUdeviceptr; 2]]) -> anyhow::Result<()> {
        let mut images = Layers::new(task);
        let (&[[first, _], ref others @ ..], different) = (addresses, images.different()) else {
            return Ok(());
        };
        for index in 0..different {
            let bytes = images.bytes(index);
            let address = first + u64::from(index) * bytes.len() as u64;
            // SAFETY: the input has room for the batch.
            unsafe { driver::result::memcpy_htod_sync(address, bytes) }
                .context("CUDA could not upload the images")?;
        }
        let image_bytes = Stored::input(task).layer_bytes();
        let whole = u64::from(task.batch) * image_bytes;
        let copy = |to, bytes: u64| {
            // SAFETY: every input has room for the batch, and no copy overlaps its source.
            unsafe { driver::result::memcpy_dtod_sync(to, first, usize::try_from(bytes)?) }
                .context("CUDA could not copy the images")
        };
        // Those that come again: the first of them, twice as many each time.
        let mut filled = u64::from(different) * image_bytes;
        while filled < whole {
            let bytes = filled.min(whole - filled);
            copy(first + filled, bytes)?;
            filled += bytes;
        }
        others.iter().try_for_each(|[input, _]| copy(*input, whole))?;
        // The copies on the default stream must end before our stream, which does not wait for it, reads
        // them.
        self.cuda.context.synchronize().context("CUDA could not upload the images")
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
        self.cuda.stream.synchronize().context("cuFFT failed")?;
        let side = Stored::output(task);
        check(task, references, |index| {
            let mut bytes = vec![0_u8; usize::try_from(side.layer_bytes())?];
            // SAFETY: the output has room for the batch; the stream that wrote it has finished.
            unsafe {
                let address = addresses[1] + u64::from(index) * bytes.len() as u64;
                driver::result::memcpy_dtoh_sync(&mut bytes, address)
            }
            .context("CUDA could not read the result back")?;
            Ok(bytes)
        })
    }
}

impl Plan {
    /// Transforms from the first address to the second, which may be the same.
    ///
    /// # Safety
    /// Both must have room for the plan's batch, until the work has finished.
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
        .context("cuFFT could not run the transform")
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
