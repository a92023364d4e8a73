//! `seaway fft`: the 2D transform of a NumPy file, with the meaning of `numpy.fft.fft2` and
//! `ifft2`.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use seaway::fft::lab::{AlgorithmChoice, cpu};
use seaway::fft::{Axes, Buffers, Descriptor, Direction, Plan};
use seaway::gpu;

use super::Global;
use super::args;
use super::auto::Auto;
use super::device::Gpu;
use super::npy::{self, Array};

/// Most bytes of images that are transformed at once.
const CHUNK_BYTES: u64 = 64 << 20;

/// `--norm`: which direction divides, as in NumPy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Norm {
    /// The inverse divides by the number of points
    Backward,
    /// Both divide by its square root
    Ortho,
    /// The forward transform divides
    Forward,
}

impl Norm {
    /// What a transform of `points` points is multiplied by.
    fn scale(self, direction: Direction, points: f64) -> f64 {
        match (self, direction) {
            (Self::Backward, Direction::Forward) | (Self::Forward, Direction::Inverse) => 1.0,
            (Self::Backward, Direction::Inverse) | (Self::Forward, Direction::Forward) => {
                1.0 / points
            }
            (Self::Ortho, _) => 1.0 / points.sqrt(),
        }
    }
}

#[derive(clap::Args)]
pub struct Args {
    /// The array to transform along its last two axes; earlier axes are a batch. Real or complex, in C or Fortran order
    #[arg(value_name = "IN.npy")]
    input: PathBuf,
    /// Where to write the result: complex64 from 32-bit input, complex128 from any other, in C
    /// order
    #[arg(value_name = "OUT.npy")]
    output: PathBuf,
    /// From frequency to space, as numpy.fft.ifft2
    #[arg(long)]
    inverse: bool,
    /// Which direction divides: the inverse, both or the forward one
    #[arg(long, value_enum, default_value_t = Norm::Backward)]
    norm: Norm,
    /// The algorithm; without, the best that is known
    #[arg(long, value_name = "NAME", value_parser = args::algorithm())]
    algorithm: Option<AlgorithmChoice>,
    #[command(flatten)]
    auto: Auto,
    /// Compute on the processor, in 64-bit floats
    #[arg(long, conflicts_with = "algorithm")]
    cpu: bool,
}

pub fn run(args: &Args, global: &Global) -> anyhow::Result<()> {
    let mut array = npy::read(&args.input)?;
    let task = Task::of(&array, args)?;
    if args.cpu {
        let [width, height] = task.size;
        for image in array.values.chunks_exact_mut(width as usize * height as usize) {
            if let Some(axes) = task.axes {
                cpu::transform(image, task.size, axes, task.direction)
                    .context("the array is not of its shape")?;
            }
        }
    } else if let Some(axes) = task.axes {
        let gpu = Gpu::open(global.limits)?;
        if !array.single {
            eprintln!("computed in 32-bit floats; --cpu computes in 64-bit ones");
        }
        on_gpu(&gpu, &task, axes, args, &mut array.values)?;
    }
    let points = f64::from(task.size[0]) * f64::from(task.size[1]);
    let scale = args.norm.scale(task.direction, points);
    array.values.iter_mut().flatten().for_each(|part| *part *= scale);
    npy::write(&args.output, &array)
}

/// What to do with an array.
struct Task {
    size: [u32; 2],
    /// Those that are longer than one point, if any.
    axes: Option<Axes>,
    direction: Direction,
}

impl Task {
    fn of(array: &Array, args: &Args) -> anyhow::Result<Self> {
        let name = args.input.display();
        let shape = &array.shape;
        let [.., height, width] = shape[..] else {
            anyhow::bail!("{name} has {} axes, and a 2D transform needs two", shape.len());
        };
        ensure!(!array.values.is_empty(), "{name} is empty: its shape is {shape:?}");
        for length in [height, width] {
            ensure!(
                length <= 1 << 30,
                "the last two axes of {name} have {height} and {width} points: both can be at most \
                 2^30"
            );
        }
        Ok(Self {
            size: [width as u32, height as u32],
            axes: match (width > 1, height > 1) {
                (true, true) => Some(Axes::Both),
                (true, false) => Some(Axes::Rows),
                (false, true) => Some(Axes::Columns),
                (false, false) => None,
            },
            direction: if args.inverse { Direction::Inverse } else { Direction::Forward },
        })
    }
}

fn on_gpu(
    gpu: &Gpu,
    task: &Task,
    axes: Axes,
    args: &Args,
    values: &mut [cpu::Complex],
) -> anyhow::Result<()> {
    let points = task.size[0] as usize * task.size[1] as usize;
    let images = values.len() / points;
    let most = (CHUNK_BYTES / (8 * points as u64)).clamp(1, images as u64) as u32;
    // A power of two brings the largest value near 1, exactly: 64-bit values of any size fit in 32
    // bits, but for what is too small to count beside it.
    let largest = values
        .iter()
        .flatten()
        .filter(|part| part.is_finite())
        .fold(0.0_f64, |largest, part| largest.max(part.abs()));
    // Within what a 64-bit float and its reciprocal can be.
    let exponent =
        if largest > 0.0 { (largest.log2().floor() as i32).clamp(-1000, 1000) } else { 0 };
    let (down, up) = (2.0_f64.powi(-exponent), 2.0_f64.powi(exponent));
    let descriptor = |images: usize| Descriptor {
        size: task.size,
        batch: images as u32,
        direction: task.direction,
        axes,
        ..Descriptor::default()
    };
    // Once, for what most chunks are: the last may be shorter.
    let choice = args.algorithm.unwrap_or(AlgorithmChoice::Best);
    let chosen = args.auto.resolve(gpu, choice, &descriptor(images.min(most as usize)))?;
    for chunk in values.chunks_mut(most as usize * points) {
        let descriptor = descriptor(chunk.len() / points);
        let descriptor = Descriptor { algorithm: chosen.algorithm, ..descriptor };
        let input: Vec<[f32; 2]> =
            chunk.iter().map(|value| value.map(|part| (part * down) as f32)).collect();
        for (value, result) in chunk.iter_mut().zip(transform(gpu, &descriptor, &input)?) {
            *value = result.map(|part| f64::from(part) * up);
        }
    }
    Ok(())
}

fn transform(
    gpu: &Gpu,
    descriptor: &Descriptor,
    input: &[[f32; 2]],
) -> anyhow::Result<Vec<[f32; 2]>> {
    let gpu::Context { device, queue, .. } = &gpu.context;
    let plan = Plan::new(device, descriptor)?;
    let storage = |usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("fft command"),
            size: plan.output_bytes(),
            usage: wgpu::BufferUsages::STORAGE | usage,
            mapped_at_creation: false,
        })
    };
    let source = storage(wgpu::BufferUsages::COPY_DST);
    let destination = storage(wgpu::BufferUsages::COPY_SRC);
    let bound = plan.bind(device, &Buffers::new(&source, &destination))?;
    queue.write_buffer(&source, 0, bytemuck::cast_slice(input));
    let mut encoder = device.create_command_encoder(&Default::default());
    bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    queue.submit([encoder.finish()]);
    let read = pollster::block_on(gpu::read_buffer(device, queue, &destination));
    // The GPU's own complaint comes first: it is the cause of a failed read-back.
    gpu.check()?;
    Ok(bytemuck::pod_collect_to_vec(&read?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_trip_scales_by_one() {
        for norm in [Norm::Backward, Norm::Ortho, Norm::Forward] {
            let there = norm.scale(Direction::Forward, 64.0);
            let back = norm.scale(Direction::Inverse, 64.0);
            assert!((there * back * 64.0 - 1.0).abs() < 1e-15, "{norm:?}");
        }
    }
}
