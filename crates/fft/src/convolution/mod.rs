//! Convolution and correlation of images with a kernel of any size, by the convolution theorem.

mod hooks;
mod line;

pub use hooks::Samples;
pub use line::{Extent, Operation};

use hooks::{Source, Target, multiplying_hook};
use line::Line;

use crate::configuration::Configuration;
use crate::descriptor::{Axes, Descriptor, Direction, Kind, Normalization};
use crate::error::{FftError, Unsupported};
use crate::gpu::{Allocations, Capabilities, Limit, Memory, bindings};
use crate::plan::{Bound, Buffers, Plan, Region};

/// The sizes and the operation of a convolution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvolutionDescriptor {
    /// Width and height of an image.
    pub image: [u32; 2],
    /// Width and height of the kernel, which may be the larger of the two.
    pub kernel: [u32; 2],
    /// Number of images, which share one kernel.
    pub batch: u32,
    /// The values of images, kernel and result.
    pub samples: Samples,
    /// Whether to convolve or to correlate.
    pub operation: Operation,
    /// The extent of the result.
    pub extent: Extent,
    /// The algorithm of the transforms; `None` for the best that is known.
    pub algorithm: Option<Configuration>,
}

impl Default for ConvolutionDescriptor {
    /// One image of 256 x 256 real numbers and a kernel of 15 x 15; the result is as large as the image.
    fn default() -> Self {
        Self {
            image: [256; 2],
            kernel: [15; 2],
            batch: 1,
            samples: Samples::Real,
            operation: Operation::Convolution,
            extent: Extent::Same,
            algorithm: None,
        }
    }
}

/// The reasons why a convolution cannot be planned or run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvolutionError {
    /// The image, the kernel or the batch is empty.
    #[error(
        "a convolution of {batch} images of {image:?} points with a kernel of {kernel:?} is empty: \
         all must be at least 1"
    )]
    Empty {
        /// Width and height of an image.
        image: [u32; 2],
        /// Width and height of the kernel.
        kernel: [u32; 2],
        /// The number of images in the batch.
        batch: u32,
    },
    /// Neither the image nor the kernel lies within the other.
    #[error(
        "Extent::Valid is where the smaller of image and kernel lies within the larger, and of \
         {image:?} and {kernel:?} points each is smaller along one axis: use Extent::Full or Same"
    )]
    NeitherWithin {
        /// Width and height of an image.
        image: [u32; 2],
        /// Width and height of the kernel.
        kernel: [u32; 2],
    },
    /// The kernel has another number of values than the descriptor needs.
    #[error("the kernel has {given} floats, and the descriptor's takes {needed}")]
    KernelLength {
        /// The number of given floats.
        given: u64,
        /// The number of needed floats.
        needed: u64,
    },
    /// A transform of the convolution cannot be planned or bound.
    #[error(transparent)]
    Fft(#[from] FftError),
}

/// Convolves or correlates images with one kernel, by four dispatches if each transforms an axis:
///
/// 1. the rows of the images, whose load hook reads zeros beyond them,
/// 2. the columns, whose load hook does the same, so that rows of zeros are never transformed, and
///    whose store hook multiplies by the kernel's spectrum,
/// 3. the columns back, whose store hook keeps the rows of the result,
/// 4. those rows back, whose store hook writes the result.
///
/// By the convolution theorem the transform of a circular convolution is the product of the transforms, and
/// with enough zeros behind both it is the linear one (A. V. Oppenheim and R. W. Schafer, "Discrete-Time
/// Signal Processing", 3rd edition, sections 8.6.5 and 8.7.2). Lines are padded to a product of 2, 3, 5 and
/// 7. The relative error is that of two transforms, a few 1e-7 of the largest value of the result.
///
/// ```no_run
/// # fn example(device: &wgpu::Device, queue: &wgpu::Queue, photo: &wgpu::Buffer,
/// #     blurred: &wgpu::Buffer, pass: &mut wgpu::ComputePass<'_>)
/// #     -> Result<(), seaway_fft::ConvolutionError> {
/// use seaway_fft::convolution::{Extent, Samples};
/// use seaway_fft::{Convolution, ConvolutionDescriptor};
///
/// let convolution = Convolution::new(
///     device,
///     &ConvolutionDescriptor {
///         image: [1920, 1080],
///         kernel: [31, 31],
///         batch: 3, // red, green and blue, one after the other
///         samples: Samples::Real,
///         extent: Extent::Same, // darker at the edges, beyond which there is nothing
///         ..Default::default()
///     },
/// )?;
/// convolution.set_kernel(device, queue, &[1.0 / 961.0; 961])?; // again whenever it changes
/// let bound = convolution.bind(device, photo, blurred)?; // once
/// bound.encode(pass); // as often as needed
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Convolution {
    descriptor: ConvolutionDescriptor,
    lines: [Line; 2],
    /// Plans of the rows, columns, columns back and rows back.
    plans: [Plan; 4],
    /// Plans of the kernel's rows and columns.
    kernel_plans: [Plan; 2],
    /// The spectrum of the kernel, as `[y][bin]`.
    spectrum: wgpu::Buffer,
    /// The kernel's transformed rows, and the kernel itself if it comes from the processor.
    kernel_rows: wgpu::Buffer,
    kernel: wgpu::Buffer,
}

/// A convolution with its buffers, ready to record.
#[derive(Clone, Debug)]
pub struct BoundConvolution {
    steps: Vec<Bound>,
    memory: Memory,
}

impl Convolution {
    /// Plans `descriptor` for `device` and compiles its kernels. The kernel is zero until it is set.
    ///
    /// # Errors
    /// [`ConvolutionError`] if there is nothing to convolve, or if the device cannot run the transforms.
    pub fn new(
        device: &wgpu::Device,
        descriptor: &ConvolutionDescriptor,
    ) -> Result<Self, ConvolutionError> {
        let &ConvolutionDescriptor { image, kernel, batch, samples, operation, extent, .. } =
            descriptor;
        if batch == 0 || image.contains(&0) || kernel.contains(&0) {
            return Err(ConvolutionError::Empty { image, kernel, batch });
        }
        let is_within =
            |inner: [u32; 2], outer: [u32; 2]| inner[0] <= outer[0] && inner[1] <= outer[1];
        if extent == Extent::Valid && !is_within(image, kernel) && !is_within(kernel, image) {
            return Err(ConvolutionError::NeitherWithin { image, kernel });
        }
        let too_long = || Self::beyond(device, u64::MAX);
        let kind = samples.kind();
        // Rows of an even number of real points are complex ones of half as many.
        let step = if kind == Kind::Real { 2 } else { 1 };
        let line = |axis: usize, step| {
            Line::new(image[axis], kernel[axis], step, operation, extent).ok_or_else(too_long)
        };
        let lines = [line(0, step)?, line(1, 1)?];
        let [x, y] = lines;
        let bins = if kind == Kind::Real { x.padded / 2 + 1 } else { x.padded };
        let complex_bytes =
            |rows: u32| u64::from(bins).saturating_mul(u64::from(rows)).saturating_mul(8);
        let spectrum_bytes = complex_bytes(y.padded);
        let kernel_values = u64::from(kernel[0]) * u64::from(kernel[1]);
        let kernel_bytes = kernel_values.saturating_mul(samples.bytes());
        // The plans see to the images; a kernel that wraps around can be larger than those.
        let kernel_rows_bytes = complex_bytes(kernel[1]);
        for bytes in [kernel_bytes, kernel_rows_bytes] {
            if bytes > device.limits().max_storage_buffer_binding_size {
                return Err(Self::beyond(device, bytes));
            }
        }

        let image_from = Source { samples, size: image, period: image };
        let kernel_from = Source { samples, size: kernel, period: [x.padded, kernel[1]] };
        let rows_from = |rows: u32| Source {
            samples: Samples::Complex,
            size: [bins, rows],
            period: [bins, y.padded],
        };
        let plan = |axes: Axes, size: [u32; 2], batch, direction, load: Option<Source>, store| {
            let descriptor = Descriptor {
                size,
                batch,
                kind: if axes == Axes::Rows { kind } else { Kind::Complex },
                direction,
                normalization: match direction {
                    Direction::Forward => Normalization::None,
                    Direction::Inverse => Normalization::Points,
                },
                axes,
                algorithm: descriptor.algorithm,
                load: load.map(Source::hook),
                store,
                ..Descriptor::default()
            };
            Plan::new(device, &descriptor).map_err(ConvolutionError::from)
        };
        let (rows, columns) = (Axes::Rows, Axes::Columns);
        let (there, back) = (Direction::Forward, Direction::Inverse);
        let middle = [bins, y.padded];
        let multiply = multiplying_hook(operation, middle);
        let keep_rows = Target { samples: Samples::Complex, lines: [Line::whole(bins), y] }.hook();
        let result = Target { samples, lines: [x, Line::whole(y.result)] }.hook();
        let image_rows = rows_from(image[1]);
        let plans = [
            plan(rows, [x.padded, image[1]], batch, there, Some(image_from), None)?,
            plan(columns, middle, batch, there, Some(image_rows), Some(multiply))?,
            plan(columns, middle, batch, back, None, Some(keep_rows))?,
            plan(rows, [x.padded, y.result], batch, back, None, Some(result))?,
        ];
        let kernel_plans = [
            plan(rows, [x.padded, kernel[1]], 1, there, Some(kernel_from), None)?,
            plan(columns, middle, 1, there, Some(rows_from(kernel[1])), None)?,
        ];
        let storage = |label, size| storage(device, label, size);
        Ok(Self {
            descriptor: descriptor.clone(),
            lines,
            plans,
            kernel_plans,
            spectrum: storage("Convolution::spectrum", spectrum_bytes),
            kernel_rows: storage("Convolution::kernel_rows", kernel_rows_bytes),
            kernel: storage("Convolution::kernel", kernel_bytes),
        })
    }

    fn beyond(device: &wgpu::Device, needed: u64) -> ConvolutionError {
        let limit = Limit::StorageBinding;
        let refused = Unsupported::Limit {
            algorithm: Some("convolution".into()),
            what: "the padded images or the kernel".into(),
            limit,
            needed,
            available: limit.of(&Capabilities::of(device)),
        };
        ConvolutionError::Fft(refused.into())
    }

    /// The descriptor that it was made from.
    pub fn descriptor(&self) -> &ConvolutionDescriptor {
        &self.descriptor
    }

    /// Width and height of an image of the result.
    pub fn result_size(&self) -> [u32; 2] {
        self.lines.map(|line| line.result)
    }

    /// Width and height of the transforms, padded with zeros.
    pub fn padded_size(&self) -> [u32; 2] {
        self.lines.map(|line| line.padded)
    }

    /// Bytes of all images, `[batch][y][x]`.
    pub fn input_bytes(&self) -> u64 {
        self.bytes(self.descriptor.image, self.descriptor.batch)
    }

    /// Bytes of the result, `[batch][y][x]`.
    pub fn output_bytes(&self) -> u64 {
        self.bytes(self.result_size(), self.descriptor.batch)
    }

    /// Bytes of the kernel, `[y][x]`.
    pub fn kernel_bytes(&self) -> u64 {
        self.bytes(self.descriptor.kernel, 1)
    }

    fn bytes(&self, [width, height]: [u32; 2], count: u32) -> u64 {
        self.descriptor.samples.bytes() * u64::from(width) * u64::from(height) * u64::from(count)
    }

    /// [`Plan::write_tables`] of its plans, which they need before anything is bound.
    pub fn write_tables(&self, queue: &wgpu::Queue) {
        self.plans.iter().chain(&self.kernel_plans).for_each(|plan| plan.write_tables(queue));
    }

    /// Transforms `kernel`, `[y][x]`, of complex numbers the real and the imaginary part of each. All later
    /// submissions use it, whenever they were bound or recorded.
    ///
    /// # Errors
    /// [`ConvolutionError::KernelLength`] if `kernel` is not of the descriptor's size.
    pub fn set_kernel(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        kernel: &[f32],
    ) -> Result<(), ConvolutionError> {
        let (given, needed) = (kernel.len() as u64, self.kernel_bytes() / 4);
        if given != needed {
            return Err(ConvolutionError::KernelLength { given, needed });
        }
        queue.write_buffer(&self.kernel, 0, bytemuck::cast_slice(kernel));
        let transform = self.bind_kernel(device, &self.kernel)?;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("Convolution::set_kernel"),
        });
        transform.encode(&mut encoder.begin_compute_pass(&Default::default()));
        queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Binds the transform of a kernel that is on the GPU already, `[y][x]`. Commands recorded after it use
    /// that kernel.
    ///
    /// # Errors
    /// [`FftError`] if the region is too small, misaligned or not for storage.
    pub fn bind_kernel<'a>(
        &self,
        device: &wgpu::Device,
        kernel: impl Into<Region<'a>>,
    ) -> Result<BoundConvolution, ConvolutionError> {
        let kernel = checked(device, "kernel", kernel.into(), self.kernel_bytes())?;
        let [rows, columns] = &self.kernel_plans;
        let memory = Memory::default();
        let (rows, memory) = step(
            device,
            rows,
            memory,
            Ends { output: Some(&self.kernel_rows), load: &[kernel], ..Ends::default() },
        )?;
        let (columns, memory) = step(
            device,
            columns,
            memory,
            Ends {
                output: Some(&self.spectrum),
                load: &[whole(&self.kernel_rows)],
                ..Ends::default()
            },
        )?;
        Ok(BoundConvolution { steps: vec![rows, columns], memory })
    }

    /// Binds the images and the place of the result, in two buffers, and allocates the working memory between
    /// the transforms. Two bound convolutions can run at the same time.
    ///
    /// # Errors
    /// [`FftError`] if a region is too small, misaligned or not for storage, or if both lie in one buffer.
    pub fn bind<'a>(
        &self,
        device: &wgpu::Device,
        input: impl Into<Region<'a>>,
        output: impl Into<Region<'a>>,
    ) -> Result<BoundConvolution, ConvolutionError> {
        let input = checked(device, "input", input.into(), self.input_bytes())?;
        let output = checked(device, "output", output.into(), self.output_bytes())?;
        if input.buffer == output.buffer {
            return Err(FftError::SharedBuffer { first: "input", second: "output" }.into());
        }
        let [rows, columns, columns_back, rows_back] = &self.plans;
        // The rows of the result come to where those of the images were.
        let rows_bytes = rows.output_bytes().max(rows_back.input_bytes());
        let row_memory = storage(device, "Convolution::rows", rows_bytes);
        let bytes = columns.output_bytes();
        let column_memory = storage(device, "Convolution::columns", bytes);
        let memory = Memory::default().with_buffer(&row_memory).with_buffer(&column_memory);
        let memory = memory.with_buffer(&self.spectrum);
        let (rows, memory) = step(
            device,
            rows,
            memory,
            Ends { output: Some(&row_memory), load: &[input], ..Ends::default() },
        )?;
        let (columns, memory) = step(
            device,
            columns,
            memory,
            Ends {
                load: &[whole(&row_memory)],
                store: &[whole(&self.spectrum), whole(&column_memory)],
                ..Ends::default()
            },
        )?;
        let (columns_back, memory) = step(
            device,
            columns_back,
            memory,
            Ends { input: Some(&column_memory), store: &[whole(&row_memory)], ..Ends::default() },
        )?;
        let (rows_back, memory) = step(
            device,
            rows_back,
            memory,
            Ends { input: Some(&row_memory), store: &[output], ..Ends::default() },
        )?;
        Ok(BoundConvolution { steps: vec![rows, columns, columns_back, rows_back], memory })
    }
}

impl BoundConvolution {
    /// Records the dispatches of the whole convolution.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.steps.iter().for_each(|step| step.encode(pass));
    }

    /// The number of dispatches: one for each axis, there and back, except for lengths of which the algorithm
    /// takes several.
    pub fn dispatch_count(&self) -> usize {
        self.steps.iter().map(Bound::dispatch_count).sum()
    }

    /// The memory that it keeps besides the given buffers.
    pub fn memory(&self) -> Memory {
        self.memory
    }
}

/// The input and output of one plan of a [`Convolution`], by its hooks or without.
#[derive(Default)]
struct Ends<'a> {
    input: Option<&'a wgpu::Buffer>,
    output: Option<&'a wgpu::Buffer>,
    load: &'a [wgpu::BufferBinding<'a>],
    store: &'a [wgpu::BufferBinding<'a>],
}

/// `plan` with its buffers, and the memory that it adds.
fn step(
    device: &wgpu::Device,
    plan: &Plan,
    memory: Memory,
    ends: Ends<'_>,
) -> Result<(Bound, Memory), ConvolutionError> {
    let group = |layout: Option<&wgpu::BindGroupLayout>, resources: &[wgpu::BufferBinding<'_>]| {
        let resources: Vec<&dyn bindings::Resource> =
            resources.iter().map(|resource| resource as &dyn bindings::Resource).collect();
        layout.map(|layout| bindings::group(device, "Convolution", layout, &resources))
    };
    let load = group(plan.load_layout(), ends.load);
    let store = group(plan.store_layout(), ends.store);
    // With a store hook the output is working memory, which algorithms of several dispatches need.
    let working;
    let mut memory = memory;
    let output = match ends.output {
        None if plan.needs_output() => {
            working = storage(device, "Convolution::working", plan.output_bytes());
            memory = memory.with_buffer(&working);
            Some(&working)
        }
        given => given,
    };
    let bound = plan.bind(
        device,
        &Buffers {
            input: ends.input.map(Region::from),
            output: output.map(Region::from),
            load: load.as_ref(),
            store: store.as_ref(),
            ..Buffers::default()
        },
    )?;
    let memory = memory + bound.memory();
    Ok((bound, memory))
}

fn whole(buffer: &wgpu::Buffer) -> wgpu::BufferBinding<'_> {
    buffer.as_entire_buffer_binding()
}

/// Checks `region` and returns its bound part.
fn checked<'a>(
    device: &wgpu::Device,
    name: &'static str,
    region: Region<'a>,
    needed: u64,
) -> Result<wgpu::BufferBinding<'a>, FftError> {
    let Region { buffer, offset } = region;
    if !buffer.usage().contains(wgpu::BufferUsages::STORAGE) {
        return Err(FftError::Usage { region: name });
    }
    let alignment = device.limits().min_storage_buffer_offset_alignment;
    if !offset.is_multiple_of(u64::from(alignment)) {
        return Err(FftError::Misaligned { region: name, offset, alignment });
    }
    let available = buffer.size().saturating_sub(offset);
    if available < needed {
        return Err(FftError::TooSmall { region: name, needed, offset, available });
    }
    Ok(wgpu::BufferBinding { buffer, offset, size: wgpu::BufferSize::new(needed) })
}

fn storage(device: &wgpu::Device, label: &str, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
