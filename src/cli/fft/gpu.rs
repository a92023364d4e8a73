//! The stages on the GPU: as one plan where the device can, in parts of a batch where it is large, else axis
//! by axis and line by line.

use crate::fft::lab::{self, AlgorithmChoice, Configuration};
use crate::fft::{Bound, Buffers, Descriptor, FftError, Plan, Precision, Unsupported};
use crate::gpu;
use anyhow::Context as _;

use super::Args;
use super::stages::{Lines, Stage};
use crate::cli::Global;
use crate::cli::auto::Auto;
use crate::cli::device::Gpu;
use crate::cli::exit::Lacking;
use crate::cli::render::progress_bar;

/// Most bytes of input or output that are transformed at once.
const CHUNK_BYTES: u64 = 64 << 20;

/// An open device, and its last plan.
pub struct Transformer<'a> {
    gpu: Gpu,
    auto: &'a Auto,
    choice: AlgorithmChoice,
    precision: Precision,
    /// The algorithm for a stage of any number of items, chosen for the size of most parts.
    chosen: Option<(Stage, Option<Configuration>)>,
    ready: Option<(Stage, Ready)>,
}

struct Ready {
    bound: Bound,
    source: wgpu::Buffer,
    destination: wgpu::Buffer,
}

impl<'a> Transformer<'a> {
    /// Opens the adapter and chooses the precision. `single` means that the input has at most 32-bit floats;
    /// `first` is the first stage.
    pub fn open(
        args: &'a Args,
        global: &Global,
        single: bool,
        first: &Stage,
    ) -> anyhow::Result<Self> {
        let gpu = Gpu::open(global.limits)?;
        let choice = args.algorithm.unwrap_or(AlgorithmChoice::Best);
        let has_doubles = gpu.context.capabilities.shader_f64;
        let precision = match args.precision {
            Some(Precision::F64) if !has_doubles => {
                return Err(Lacking(
                    "--precision f64 needs the feature SHADER_F64, which this adapter lacks: use \
                     --cpu to compute in 64-bit floats"
                        .into(),
                )
                .into());
            }
            Some(precision) => precision,
            None if single => Precision::F32,
            None => {
                let has_f64 = has_doubles && takes_doubles(&gpu, choice, first);
                if !has_f64 {
                    let who = match choice {
                        AlgorithmChoice::Named(algorithm) if has_doubles => algorithm.to_string(),
                        _ => "this adapter".to_owned(),
                    };
                    eprintln!(
                        "computed in 32-bit floats, because {who} has no 64-bit floats; use --cpu \
                         for those"
                    );
                }
                if has_f64 { Precision::F64 } else { Precision::F32 }
            }
        };
        Ok(Self { gpu, auto: &args.auto, choice, precision, chosen: None, ready: None })
    }

    pub fn run(&mut self, stage: &Stage, parts: Vec<f64>) -> anyhow::Result<Vec<f64>> {
        match self.whole(stage, &parts)? {
            Ok(result) => Ok(result),
            // Too large for one plan, or an algorithm that transforms images only.
            Err(refused) if stage.axes.list().len() > 1 => {
                log::debug!("axis by axis: {refused}");
                stage.split().iter().try_fold(parts, |parts, stage| self.run(stage, parts))
            }
            Err(refused) => {
                let lines = stage.lines().context("a stage of one axis")?;
                if lines.inner == 1 {
                    return Err(refused.into());
                }
                log::debug!("line by line: {refused}");
                let at_once = CHUNK_BYTES as usize / self.precision.bytes() as usize;
                super::line_by_line(stage, &parts, at_once, |kind, direction, length, rows| {
                    let outer =
                        rows.len() / (length * super::stages::components(kind, direction)[0]);
                    let stage = Stage::of_lines(kind, direction, Lines { outer, length, inner: 1 });
                    self.whole(&stage, rows)?.map_err(anyhow::Error::from)
                })
            }
        }
    }

    /// Transforms by one plan, unless that is refused.
    fn whole(
        &mut self,
        stage: &Stage,
        parts: &[f64],
    ) -> anyhow::Result<Result<Vec<f64>, Unsupported>> {
        let [from, to] = stage.item_parts();
        let item_bytes = from.max(to) as u64 * u64::from(self.precision.bytes());
        let limits = &self.gpu.context.capabilities;
        let most = CHUNK_BYTES.min(limits.max_storage_binding_bytes).min(limits.max_buffer_bytes);
        // Layers of a batch are one dimension of a dispatch; rows are not.
        let layers = u64::from(limits.max_workgroups_per_dimension);
        let largest = if stage.is_rows() { u64::from(u32::MAX) } else { layers };
        let items = stage.items();
        let mut at_once = (most / item_bytes).clamp(1, largest).min(items as u64) as usize;
        // Its other buffers may need more than its input.
        while let Err(refused) = self.prepare(&stage.of_items(at_once))? {
            if !matches!(refused, Unsupported::Limit { .. }) || at_once == 1 {
                return Ok(Err(refused));
            }
            at_once = at_once.div_ceil(2);
        }
        let mut result = Vec::with_capacity(items * to);
        let bar = progress_bar(items.div_ceil(at_once) as u64, "parts transformed");
        for chunk in parts.chunks(at_once * from) {
            match self.chunk(&stage.of_items(chunk.len() / from), chunk)? {
                Ok(chunk) => result.extend(chunk),
                Err(refused) => return Ok(Err(refused)),
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(Ok(result))
    }

    fn chunk(
        &mut self,
        stage: &Stage,
        parts: &[f64],
    ) -> anyhow::Result<Result<Vec<f64>, Unsupported>> {
        if let Err(refused) = self.prepare(stage)? {
            return Ok(Err(refused));
        }
        let (_, ready) = self.ready.as_ref().expect("just prepared");
        let gpu::Context { device, queue, .. } = &self.gpu.context;
        let [from, to] = stage.item_parts();
        // A power of two brings the largest value of each item near 1, exactly: 64-bit values of any
        // size fit in 32 bits, but for what is too small to count beside it.
        let exponents: Vec<i32> = match self.precision {
            Precision::F64 => Vec::new(),
            _ => parts.chunks(from).map(exponent).collect(),
        };
        match self.precision {
            Precision::F64 => queue.write_buffer(&ready.source, 0, bytemuck::cast_slice(parts)),
            _ => {
                let items = parts.chunks(from).zip(&exponents);
                let singles: Vec<f32> = items
                    .flat_map(|(item, exponent)| {
                        let down = 2.0_f64.powi(-exponent);
                        item.iter().map(move |part| (part * down) as f32)
                    })
                    .collect();
                queue.write_buffer(&ready.source, 0, bytemuck::cast_slice(&singles));
            }
        }
        let mut encoder = device.create_command_encoder(&Default::default());
        ready.bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
        queue.submit([encoder.finish()]);
        let read = pollster::block_on(gpu::read_buffer(device, queue, &ready.destination));
        // The GPU's own complaint comes first: it is the cause of a failed read-back.
        self.gpu.check()?;
        let read = read?;
        Ok(Ok(match self.precision {
            Precision::F64 => bytemuck::pod_collect_to_vec(&read),
            _ => {
                let singles: Vec<f32> = bytemuck::pod_collect_to_vec(&read);
                let items = singles.chunks(to).zip(exponents);
                items
                    .flat_map(|(item, exponent)| {
                        let up = 2.0_f64.powi(exponent);
                        item.iter().map(move |part| f64::from(*part) * up)
                    })
                    .collect()
            }
        }))
    }

    /// Makes the plan of `stage`, unless it is there.
    fn prepare(&mut self, stage: &Stage) -> anyhow::Result<Result<(), Unsupported>> {
        if self.ready.as_ref().is_some_and(|(known, _)| known == stage) {
            return Ok(Ok(()));
        }
        self.ready = None;
        let Some(descriptor) = descriptor(stage, self.precision) else {
            anyhow::bail!("the array is too large: a side has more than 2^32 points");
        };
        let kind_of_stage = stage.of_items(1);
        let algorithm = match &self.chosen {
            Some((known, algorithm)) if *known == kind_of_stage => *algorithm,
            _ => self.auto.resolve(&self.gpu, self.choice, &descriptor)?.algorithm,
        };
        self.chosen = Some((kind_of_stage, algorithm));
        let descriptor = Descriptor { algorithm, ..descriptor };
        let device = &self.gpu.context.device;
        let plan = match Plan::new(device, &descriptor) {
            Ok(plan) => plan,
            Err(FftError::Unsupported(refused)) => return Ok(Err(refused)),
            Err(error) => return Err(error.into()),
        };
        let storage = |size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("fft command"),
                size,
                usage: wgpu::BufferUsages::STORAGE | usage,
                mapped_at_creation: false,
            })
        };
        let source = storage(plan.input_bytes(), wgpu::BufferUsages::COPY_DST);
        let destination = storage(plan.output_bytes(), wgpu::BufferUsages::COPY_SRC);
        let bound = plan.bind(device, &Buffers::new(&source, &destination))?;
        self.ready = Some((stage.clone(), Ready { bound, source, destination }));
        Ok(Ok(()))
    }
}

/// The plan's descriptor of `stage`, unless its numbers exceed 32 bits.
fn descriptor(stage: &Stage, precision: Precision) -> Option<Descriptor> {
    let number = |length: usize| u32::try_from(length).ok();
    let [width, height, depth] = stage.size;
    Some(Descriptor {
        size: [number(width)?, number(height)?],
        depth: number(depth)?,
        batch: number(stage.batch)?,
        kind: stage.kind,
        direction: stage.direction,
        axes: stage.axes,
        precision,
        ..Descriptor::default()
    })
}

/// Whether the requested algorithm computes in 64-bit floats.
fn takes_doubles(gpu: &Gpu, choice: AlgorithmChoice, stage: &Stage) -> bool {
    let descriptor = descriptor(&stage.of_items(1), Precision::F64);
    let descriptor = descriptor.map(|descriptor| match choice {
        AlgorithmChoice::Named(algorithm) => descriptor.by(algorithm),
        _ => descriptor,
    });
    let program = descriptor.map(|descriptor| lab::program(&descriptor, &gpu.context.capabilities));
    !matches!(program, Some(Err(Unsupported::Plain { .. } | Unsupported::Feature { .. })))
}

/// The exponent of two of the largest number, within the range of a 64-bit float and its reciprocal.
fn exponent(parts: &[f64]) -> i32 {
    let finite = parts.iter().filter(|part| part.is_finite());
    let largest = finite.fold(0.0_f64, |largest, part| largest.max(part.abs()));
    if largest > 0.0 { (largest.log2().floor() as i32).clamp(-1000, 1000) } else { 0 }
}
