//! The buffers that rows share on one device, and rows that are ready to run on them.

use std::sync::Arc;

use super::Problem;
use crate::fft::lab::{Program, data};
use crate::fft::{Bound, Buffers, Descriptor, Plan, Precision, Region};
use crate::gpu::{self, Destroyed, Pipelines, Uniform, bindings, compute_kernel, wgsl_struct};
use crate::maps::{Maps, MapsStage, StorePass};
use crate::ocean::{OceanError, OceanOptions, OceanPath, Step};
use crate::platform;
use crate::spectrum::{EvolvePass, InitialSpectrum, SpectrumStage};

wgsl_struct! {
    /// Mirrors `Narrow` of `comparison/narrow.wgsl`.
    pub(super) struct Narrow {
        pub(super) factors: [[f32; 4]; 8],
        pub(super) points: u32,
        pub(super) _padding: [u32; 3],
    }
}

pub(super) const NARROW: &str = "comparison/narrow.wgsl";

/// Values that a workgroup of `narrow` converts.
const NARROW_WORKGROUP: u32 = 2048;

/// A buffer that is destroyed with its last owner, after everything that binds it.
pub(super) struct OwnedBuffer(wgpu::Buffer);

impl Drop for OwnedBuffer {
    fn drop(&mut self) {
        if platform::FREES_LATE {
            self.0.destroy();
        }
    }
}

/// The buffers of transforms. All read the same spectra and write over the same memory.
pub(super) struct SharedBuffers {
    device: wgpu::Device,
    input: Arc<OwnedBuffer>,
    output: Arc<OwnedBuffer>,
    scratch: Option<Arc<OwnedBuffer>>,
}

impl SharedBuffers {
    /// The spectra of `problem`, evolved from `initial`.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        problem: &Problem,
        initial: &InitialSpectrum,
    ) -> Result<Self, OceanError> {
        let task = problem.transform(problem.images(), None);
        let input = data::storage(device, "comparison input", data::data_bytes(&task));
        let mut stage = SpectrumStage::new(device, problem.size, problem.cascades)?;
        stage.upload(queue, initial, &[])?;
        let evolve = EvolvePass::new(device, &stage)?;
        let mut encoder = device.create_command_encoder(&Default::default());
        evolve.encode(
            &mut encoder.begin_compute_pass(&Default::default()),
            &stage.time_offsets(problem.time_s),
        );
        match problem.precision {
            Precision::F16 => {
                narrow(device, &mut encoder, problem, initial, stage.fields(), &input);
            }
            _ => encoder.copy_buffer_to_buffer(stage.fields(), 0, &input, 0, input.size()),
        }
        queue.submit([encoder.finish()]);
        if platform::FREES_LATE {
            let _: Destroyed = stage.allocations();
        }
        let output = data::storage(device, "comparison output", input.size());
        let [input, output] = [input, output].map(|buffer| Arc::new(OwnedBuffer(buffer)));
        Ok(Self { device: device.clone(), input, output, scratch: None })
    }

    pub fn input(&self) -> &wgpu::Buffer {
        &self.input.0
    }

    /// The result of the last transform.
    pub fn output(&self) -> &wgpu::Buffer {
        &self.output.0
    }

    /// Clears the output, so that a transform that writes nothing does not pass with an earlier result.
    pub fn clear(&self, queue: &wgpu::Queue) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(self.output(), 0, None);
        queue.submit([encoder.finish()]);
    }

    /// Drops the scratch memory, after the device has refused an allocation.
    pub fn forget_scratch(&mut self) {
        self.scratch = None;
    }

    pub fn transform(
        &mut self,
        queue: &wgpu::Queue,
        descriptor: &Descriptor,
    ) -> Result<Work, OceanError> {
        let plan = Plan::new(&self.device, descriptor)?;
        plan.write_tables(queue);
        self.bind(&plan)
    }

    /// The copy that bounds the speed of a transform.
    pub fn copy(&mut self, program: Program) -> Result<Work, OceanError> {
        let plan = Plan::from_program(&self.device, program)?;
        self.bind(&plan)
    }

    fn bind(&mut self, plan: &Plan) -> Result<Work, OceanError> {
        let scratch_bytes = plan.scratch_bytes();
        if scratch_bytes > self.scratch.as_ref().map_or(0, |scratch| scratch.0.size()) {
            let scratch = data::storage(&self.device, "comparison scratch", scratch_bytes);
            self.scratch = Some(Arc::new(OwnedBuffer(scratch)));
        }
        let buffers = Buffers {
            scratch: self.scratch.as_ref().map(|scratch| Region::from(&scratch.0)),
            ..Buffers::new(self.input(), self.output())
        };
        let bound = plan.bind(&self.device, &buffers)?;
        let held = [Some(&self.input), Some(&self.output), self.scratch.as_ref()];
        Ok(Work::Transform { bound, _buffers: held.map(|buffer| buffer.cloned()) })
    }
}

/// Converts the spectra of a sea to 16-bit floats. The scale of each image is that of its result: heights and
/// displacements by the waves' height, derivatives by their slope.
fn narrow(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    problem: &Problem,
    initial: &InitialSpectrum,
    wide: &wgpu::Buffer,
    narrowed: &wgpu::Buffer,
) {
    let mut params: Narrow = bytemuck::Zeroable::zeroed();
    params.points = problem.size * problem.size;
    for cascade in 0..problem.cascades as usize {
        let height = initial.variance_m2[cascade].sqrt();
        let [xx, zz, _] = initial.slope_covariance(cascade);
        let slope = (xx + zz).sqrt();
        let [moved, raised] = [height, height.max(slope)].map(factor);
        params.factors[2 * cascade] = [moved, moved, raised, raised];
        params.factors[2 * cascade + 1] = [factor(slope); 4];
    }
    let uniform = Uniform::with(device, "comparison narrow", &params);
    let bindings::Group { layout, bind_group } = bindings::bind(
        device,
        "comparison narrow",
        wgpu::ShaderStages::COMPUTE,
        &[
            (bindings::uniform(), &uniform),
            (bindings::storage_read(), wide),
            (bindings::storage_read_write(), narrowed),
        ],
    );
    let wgsl = gpu::shader::resolve(NARROW).expect("shipped shaders resolve, which a test checks");
    let kernel = compute_kernel(device, NARROW, &wgsl, "narrow", &[Some(&layout)]);
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&kernel.pipeline);
    pass.set_bind_group(0, &bind_group, &[]);
    pass.dispatch_workgroups(params.points.div_ceil(NARROW_WORKGROUP), 2 * problem.cascades, 1);
}

/// The power of two that brings numbers of that size to about 8: far from the largest 16-bit float, 65504,
/// with room below for waves that are a millionth as high.
fn factor(deviation: f64) -> f32 {
    if deviation > 0.0 { (8.0 / deviation).log2().round().exp2() as f32 } else { 1.0 }
}

/// The stages of a step around the transform, which steps share.
pub(super) struct StepStages {
    spectrum: SpectrumStage,
    evolve: EvolvePass,
    store: StorePass,
    maps: Maps,
    pipelines: Pipelines,
    time_s: f64,
}

impl StepStages {
    /// The stages for a sea of `initial` at `time_s`, with maps as `options` have them.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        initial: &InitialSpectrum,
        time_s: f64,
        options: &OceanOptions,
    ) -> Result<Self, OceanError> {
        let mut spectrum = SpectrumStage::new(device, initial.size, initial.cascades.len() as u32)?;
        // Whatever prefilter a window's maps have: a step costs the same.
        spectrum.upload(queue, initial, &[])?;
        let maps = Maps::new(device, &options.maps())?;
        let fields = spectrum.fields().as_entire_buffer_binding();
        let (evolve, store) =
            (EvolvePass::new(device, &spectrum)?, StorePass::new(device, fields, &maps)?);
        Ok(Self { spectrum, evolve, store, maps, pipelines: device.into(), time_s })
    }

    /// A step of `options` with these stages.
    pub fn step(
        self: &Arc<Self>,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        options: &OceanOptions,
    ) -> Result<Work, OceanError> {
        let transform = options.bind(device, queue, &self.spectrum, &self.maps)?;
        let mips = MapsStage::after(&self.pipelines, &self.maps, transform.means())?;
        Ok(Work::Step { stages: Arc::clone(self), transform, mips, path: options.path })
    }
}

impl Drop for StepStages {
    fn drop(&mut self) {
        if platform::FREES_LATE {
            let spectrum: Destroyed = self.spectrum.allocations();
            let _ = spectrum + self.maps.allocations();
        }
    }
}

impl Drop for Work {
    /// Its bindings are destroyed with their last owner; this buffer is its own.
    fn drop(&mut self) {
        if platform::FREES_LATE {
            let (Self::Transform { bound, .. } | Self::Step { transform: bound, .. }) = self;
            let _: Destroyed = bound.allocations();
        }
    }
}

pub(super) enum Work {
    Transform { bound: Bound, _buffers: [Option<Arc<OwnedBuffer>>; 3] },
    Step { stages: Arc<StepStages>, transform: Bound, mips: MapsStage, path: OceanPath },
}

impl Work {
    /// Records one run; `repetition` advances a step's time.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>, repetition: u32) {
        match self {
            Self::Transform { bound, .. } => bound.encode(pass),
            Self::Step { stages, transform, mips, path } => {
                let step = Step {
                    spectrum: &stages.spectrum,
                    transform,
                    passes: (*path == OceanPath::Plain).then_some((&stages.evolve, &stages.store)),
                    maps: mips,
                };
                let time_s = stages.time_s + f64::from(repetition) / 60.0;
                step.stages(time_s, |_, encode| encode(pass));
            }
        }
    }

    pub fn dispatches(&self) -> usize {
        match self {
            Self::Transform { bound, .. } => bound.dispatch_count(),
            Self::Step { transform, mips, path, .. } => {
                let around = if *path == OceanPath::Plain { 2 } else { 0 };
                transform.dispatch_count() + around + mips.dispatch_count()
            }
        }
    }
}
