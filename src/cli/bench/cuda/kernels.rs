//! The kernels of Mota, High Performance Fourier Transforms on GPUs (2022), section 6.3 and listings C.1 to
//! C.3, rewritten in CUDA (`kernels/*.cu`) and compiled by NVRTC for the given size. One launch an axis, and
//! the stages of a line alternate between two sets of images in memory, as `--ping-pong storage` does in
//! WGSL.

use std::ffi::{CStr, CString};
use std::sync::Arc;

use crate::fft::lab::timing::{Measurement, Method, Regime};
use crate::fft::lab::{Layers, References, Stored};
use crate::fft::{Axis, Descriptor, Direction, Kind, Precision};
use anyhow::{Context as _, bail, ensure};
use cudarc::driver::{
    self, CudaContext, CudaFunction, CudaModule, CudaStream, LaunchConfig, PushKernelArg as _,
};
use cudarc::nvrtc::{self, Ptx};

use super::memory::{Memory, Surface};
use super::{Cuda, check, sets_of};
use crate::bench::Peer;
use crate::cli::exit::Lacking;

/// A kernel, and the kind of memory of its images.
#[derive(Clone, Copy)]
pub struct Kernel {
    /// The key in `peer_ratio`.
    pub name: &'static str,
    /// Points of a thread's butterfly.
    points: u32,
    source: &'static str,
    in_surfaces: bool,
}

const COOLEY_TUKEY: &str = include_str!("kernels/cooley_tukey.cu");
const STOCKHAM_R2: &str = include_str!("kernels/stockham_r2.cu");
const STOCKHAM_R4: &str = include_str!("kernels/stockham_r4.cu");

/// Threads in a block on every device.
const MAX_THREADS: u32 = 1024;

/// Rows of every device's surfaces, in which the images of a batch lie one below the other.
const MAX_SURFACE_ROWS: u64 = 32_768;

/// The oldest NVRTC whose functions are called here.
const NVRTC_VERSION: i32 = 12;

impl Kernel {
    const fn new(name: &'static str, points: u32, source: &'static str, in_surfaces: bool) -> Self {
        Self { name, points, source, in_surfaces }
    }

    /// All kernels, in linear memory and in surfaces.
    pub const ALL: [Self; 6] = [
        Self::new("cuda_cooley_tukey", 2, COOLEY_TUKEY, false),
        Self::new("cuda_cooley_tukey_surface", 2, COOLEY_TUKEY, true),
        Self::new("cuda_stockham_r2", 2, STOCKHAM_R2, false),
        Self::new("cuda_stockham_r2_surface", 2, STOCKHAM_R2, true),
        Self::new("cuda_stockham_r4", 4, STOCKHAM_R4, false),
        Self::new("cuda_stockham_r4_surface", 4, STOCKHAM_R4, true),
    ];

    /// Whether a block can transform its lines: complex ones of 32-bit floats, a power of two long.
    pub fn takes(&self, task: &Descriptor) -> bool {
        let fits = |axis| {
            let length = task.length(axis);
            let threads = length / self.points;
            length.is_power_of_two() && (1..=MAX_THREADS).contains(&threads)
        };
        let rows = u64::from(task.size[1]) * u64::from(task.batch);
        task.kind == Kind::Complex
            && task.precision == Precision::F32
            && task.depth == 1
            && task.axes.list().first() == Some(&Axis::Row)
            && task.axes.list().iter().all(|axis| fits(*axis))
            && (!self.in_surfaces || rows <= MAX_SURFACE_ROWS)
    }

    fn stages(&self, length: u32) -> u32 {
        length.ilog2().div_ceil(self.points.ilog2())
    }

    /// The source that NVRTC compiles for `task`.
    fn source(&self, task: &Descriptor) -> String {
        let [width, height] = task.size;
        let sign = match task.direction {
            Direction::Forward => "-1.0f",
            Direction::Inverse => "1.0f",
        };
        let mut text =
            format!("#define WIDTH {width}u\n#define HEIGHT {height}u\n#define SIGN ({sign})\n");
        if task.axes.list().contains(&Axis::Column) {
            text += "#define COLUMNS\n";
        }
        text += include_str!("kernels/complex.cu");
        text += match self.in_surfaces {
            true => include_str!("kernels/memory_surface.cu"),
            false => include_str!("kernels/memory_linear.cu"),
        };
        text += include_str!("kernels/line.cu");
        text += self.source;
        text + include_str!("kernels/entry_points.cu")
    }
}

pub struct Kernels {
    cuda: Arc<Cuda>,
    version: (i32, i32),
    /// The device's name for compilers.
    architecture: String,
}

impl Kernels {
    /// Opens NVRTC for the device of `cuda`; it must have been found.
    pub fn open(cuda: Arc<Cuda>) -> anyhow::Result<Self> {
        let mut version = (0, 0);
        // SAFETY: it writes two integers, and may be called before anything else.
        unsafe { nvrtc::sys::nvrtcVersion(&mut version.0, &mut version.1) }
            .result()
            .context("NVRTC did not report its version")?;
        if version.0 < NVRTC_VERSION {
            bail!(Lacking(format!(
                "{} needs NVRTC of CUDA {NVRTC_VERSION} or newer, and the one installed is of \
                 CUDA {}.{}",
                Peer::CudaKernels.option(),
                version.0,
                version.1
            )));
        }
        let (major, minor) = cuda.context.compute_capability()?;
        Ok(Self { cuda, version, architecture: format!("sm_{major}{minor}") })
    }

    pub fn describe(&self) -> String {
        format!("NVRTC {}.{}", self.version.0, self.version.1)
    }

    /// Times `task` by a kernel that takes it, after checking its result.
    pub fn measure(
        &self,
        kernel: &Kernel,
        task: &Descriptor,
        regime: Regime,
        method: &Method,
        references: &mut References,
    ) -> anyhow::Result<Measurement> {
        let cuda = &self.cuda;
        cuda.context.bind_to_thread()?;
        let passes = self.passes(kernel, task)?;
        let side = Stored::input(task);
        let images = || Images::new(&cuda.context, kernel.in_surfaces, task);
        let sets = sets_of(regime, 2 * side.layer_bytes() * u64::from(task.batch))?;
        let sets = (0..sets)
            .map(|_| Ok([images()?, images()?]))
            .collect::<anyhow::Result<Vec<[Images; 2]>>>()?;
        let mut images = Layers::new(task);
        for index in 0..task.batch {
            let bytes = images.bytes(index);
            sets.iter().try_for_each(|[first, _]| first.upload(task, index, bytes))?;
        }
        // The copies on the default stream must end before our stream, which does not wait for it, reads
        // them.
        cuda.context.synchronize().context("CUDA could not upload the images")?;

        let record = |set: usize| {
            let mut first = 0;
            passes.iter().try_for_each(|pass| {
                let [from, to] = [first, 1 - first].map(|side| sets[set][side].handle());
                first = (first + pass.stages as usize) % 2;
                pass.launch(&cuda.stream, from, to)
            })
        };
        // Whatever began has ended before the images go.
        let recorded = record(0);
        cuda.stream.synchronize().context("the kernels failed")?;
        recorded?;
        let last = passes.iter().map(|pass| pass.stages as usize).sum::<usize>() % 2;
        check(task, references, |index| {
            let mut bytes = vec![0; usize::try_from(side.layer_bytes())?];
            sets[0][last].download(task, index, &mut bytes)?;
            Ok(bytes)
        })?;
        cuda.measure(sets.len(), method, record)
    }

    /// Compiles the passes along the axes of `task`, in their order.
    fn passes(&self, kernel: &Kernel, task: &Descriptor) -> anyhow::Result<Vec<Pass>> {
        let module = self.compile(&kernel.source(task))?;
        let [width, height] = task.size;
        task.axes
            .list()
            .iter()
            .map(|axis| {
                let (name, lines) = match axis {
                    Axis::Row => ("along_rows", height),
                    Axis::Column | Axis::Depth => ("along_columns", width),
                };
                let length = task.length(*axis);
                Ok(Pass {
                    function: module
                        .load_function(name)
                        .context("a kernel is missing from NVRTC's module")?,
                    stages: kernel.stages(length),
                    launch: LaunchConfig {
                        grid_dim: (lines, task.batch, 1),
                        block_dim: (length / kernel.points, 1, 1),
                        shared_mem_bytes: 0,
                    },
                })
            })
            .collect()
    }

    /// Compiles to machine code, so that a driver older than NVRTC takes it.
    fn compile(&self, source: &str) -> anyhow::Result<Arc<CudaModule>> {
        let source = CString::new(source)?;
        let options = [format!("--gpu-architecture={}", self.architecture), "-std=c++17".into()];
        let program = Program(
            nvrtc::result::create_program(&source, None)
                .context("NVRTC could not create a program")?,
        );
        // SAFETY: the program was just made; its log and its code are as long as NVRTC says.
        let code = unsafe {
            if let Err(error) = nvrtc::result::compile_program(program.0, &options) {
                let log = nvrtc::result::get_program_log(program.0).unwrap_or_default();
                let log = CStr::from_ptr(log.as_ptr()).to_string_lossy().into_owned();
                return Err(error).context(format!("NVRTC could not compile a kernel: {log}"));
            }
            let mut length = 0;
            nvrtc::sys::nvrtcGetCUBINSize(program.0, &mut length).result()?;
            let mut code = vec![0_u8; length];
            nvrtc::sys::nvrtcGetCUBIN(program.0, code.as_mut_ptr().cast()).result()?;
            code
        };
        ensure!(!code.is_empty(), "NVRTC generated no code for {}", self.architecture);
        let module = self.cuda.context.load_module(Ptx::from_binary(code));
        module.context("the driver rejected NVRTC's code")
    }
}

struct Program(nvrtc::sys::nvrtcProgram);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: made once, destroyed once.
        if let Err(error) = unsafe { nvrtc::result::destroy_program(self.0) } {
            log::warn!("NVRTC could not free a program: {error}");
        }
    }
}

struct Pass {
    function: CudaFunction,
    stages: u32,
    launch: LaunchConfig,
}

impl Pass {
    fn launch(&self, stream: &Arc<CudaStream>, from: u64, to: u64) -> anyhow::Result<()> {
        let mut arguments = stream.launch_builder(&self.function);
        arguments.arg(&from).arg(&to);
        // SAFETY: the kernel takes two images of the task's size, which outlive the stream's work.
        unsafe { arguments.launch(self.launch) }.context("a kernel could not be launched")?;
        Ok(())
    }
}

/// The images of a batch, one below the other.
enum Images {
    Linear(Memory),
    Surface(Surface),
}

impl Images {
    fn new(
        context: &Arc<CudaContext>,
        in_surfaces: bool,
        task: &Descriptor,
    ) -> anyhow::Result<Self> {
        let side = Stored::input(task);
        if !in_surfaces {
            let bytes = side.layer_bytes() * u64::from(task.batch);
            return Ok(Self::Linear(Memory::new(context, bytes)?));
        }
        let [width, height] = task.size.map(|length| length as usize);
        Ok(Self::Surface(Surface::new(context, width, height * task.batch as usize)?))
    }

    fn handle(&self) -> u64 {
        match self {
            Self::Linear(memory) => memory.address,
            Self::Surface(surface) => surface.object,
        }
    }

    fn upload(&self, task: &Descriptor, index: u32, bytes: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::Linear(memory) => {
                let address = memory.address + u64::from(index) * bytes.len() as u64;
                // SAFETY: there is room for the batch.
                unsafe { driver::result::memcpy_htod_sync(address, bytes) }
                    .context("CUDA could not upload the images")
            }
            Self::Surface(surface) => surface.upload((index * task.size[1]) as usize, bytes),
        }
    }

    fn download(&self, task: &Descriptor, index: u32, bytes: &mut [u8]) -> anyhow::Result<()> {
        match self {
            Self::Linear(memory) => {
                let address = memory.address + u64::from(index) * bytes.len() as u64;
                // SAFETY: there is room for the batch; the stream that wrote it has finished.
                unsafe { driver::result::memcpy_dtoh_sync(bytes, address) }
                    .context("CUDA could not read the result back")
            }
            Self::Surface(surface) => surface.download((index * task.size[1]) as usize, bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fft::Axes;

    use super::*;

    #[test]
    fn kernels_take_lines_of_a_block() {
        let task = |size, axes| Descriptor { size, axes, batch: 4, ..Descriptor::default() };
        let [two, _, _, _, four, _] = Kernel::ALL;
        for (size, axes, by_two, by_four) in [
            ([1024, 1024], Axes::Both, true, true),
            ([2048, 4], Axes::Both, true, true),
            ([2048, 2], Axes::Both, true, false),
            ([4096, 4096], Axes::Both, false, true),
            ([4096, 3], Axes::Rows, false, true),
            ([8192, 1], Axes::Rows, false, false),
            ([48, 64], Axes::Both, false, false),
            ([64, 64], Axes::Columns, false, false),
        ] {
            let task = task(size, axes);
            assert_eq!((two.takes(&task), four.takes(&task)), (by_two, by_four), "{task:?}");
        }
        let [.., in_linear_memory, in_surfaces] = Kernel::ALL;
        let large = Descriptor { batch: 65, ..task([1024, 1024], Axes::Both) };
        assert!(in_linear_memory.takes(&large) && !in_surfaces.takes(&large));
        let real = Descriptor { kind: Kind::Real, ..task([64, 64], Axes::Both) };
        assert!(Kernel::ALL.iter().all(|kernel| !kernel.takes(&real)));
    }

    /// One stage for each factor of the radix, and one for the rest.
    #[test]
    fn stages_are_counted() {
        let [two, _, _, _, four, _] = Kernel::ALL;
        assert_eq!([4, 512, 1024].map(|length| two.stages(length)), [2, 9, 10]);
        assert_eq!([4, 512, 1024].map(|length| four.stages(length)), [1, 5, 5]);
    }
}
