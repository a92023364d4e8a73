//! The compute stage that moves the waves to a time: a pass of its own (`shaders/spectrum/evolve.wgsl`), or a
//! hook for the transform that follows (`shaders/spectrum/evolve_load.wgsl`).

use super::gpu_data::EvolveParams;
use super::waves::{Waves, stored_rows};
use super::{ChangePass, Clock, InitialSpectrum, Interpolation, SpectrumError};
use crate::fft;
use crate::gpu::bindings::{self, Resource};
use crate::gpu::shader::{LIBRARY, ShaderError};
use crate::gpu::{
    Allocations, Capabilities, ComputeDescriptor, ComputePipeline, Limit, Pipelines, RecordedU32,
    Uniform,
};

const SHADER: &str = "spectrum/evolve.wgsl";
const LOAD_SHADER: &str = "spectrum/evolve_load.wgsl";
const WORKGROUP: [u32; 2] = [16, 4];

/// The spectrum on the GPU. It takes an [`InitialSpectrum`] when the sea changes and a time each frame,
/// gives the packed spectra of that time: to memory by an [`EvolvePass`], or straight to a transform by
/// `SpectrumStage::load_hook`.
///
/// The time is part of the recorded commands ([`SpectrumStage::time_offsets`]): recording changes
/// nothing here, so that one submission may hold any number of times, recorded by any threads.
///
/// Clones share what is on the GPU.
#[derive(Clone, Debug)]
pub struct SpectrumStage {
    size: u32,
    cascades: u32,
    clock: Clock,
    waves: Waves,
    fields: wgpu::Buffer,
    params: Uniform<EvolveParams>,
    time: RecordedU32,
}

/// Writes the packed spectra to [`SpectrumStage::fields`]. Clones share what is on the GPU.
#[derive(Clone, Debug)]
pub struct EvolvePass {
    bind_group: wgpu::BindGroup,
    evolve: ComputePipeline,
    workgroups: [u32; 3],
}

impl SpectrumStage {
    /// A stage for `cascades` cascades of `size` x `size` points. The water is still until
    /// [`SpectrumStage::upload`].
    ///
    /// # Errors
    /// [`SpectrumError`] for an impossible shape, or one that the device cannot hold.
    pub fn new(device: &wgpu::Device, size: u32, cascades: u32) -> Result<Self, SpectrumError> {
        SpectrumError::check_shape(size, cascades)?;
        check_limits(&Capabilities::of(device), size, cascades)?;
        let fields = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("SpectrumStage::fields"),
            size: FIELD_BYTES * points(size, cascades),
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Ok(Self {
            size,
            cascades,
            clock: Clock::default(),
            waves: Waves::new(device, "SpectrumStage::waves", size, cascades),
            fields,
            // The size must be right from the start: kernels that do not check their indices rely on it.
            params: Uniform::with(device, "SpectrumStage::params", &EvolveParams::still(size)),
            time: RecordedU32::new(device, "SpectrumStage::time"),
        })
    }

    /// The spectra as a load hook, whose bind group is [`SpectrumStage::load_bind_group`]: both layers
    /// of a cascade are prepared from one height. The hook is unchecked, since an ocean's transform has
    /// the shape of its spectrum stage, of that `size`: it is for that transform alone.
    pub(crate) fn load_hook(size: u32) -> Result<fft::LoadHook, ShaderError> {
        let bindings = bindings::entries(wgpu::ShaderStages::COMPUTE, &inputs());
        // The places of waves then take less time, and wait for nothing.
        let module =
            LIBRARY.compose(LOAD_SHADER)?.replace("evolve_params.size", &format!("{size}u"));
        let hook = fft::LoadHook::preparing(2, "spectrum", module, bindings);
        // SAFETY: it indexes the waves by cascade, z and x, which are below those of the
        // transform, and an ocean's transform has the shape of its spectrum stage. Rows above N/2 are
        // those below it (wave_index), and the size is a constant. No loops.
        Ok(unsafe { hook.unchecked() })
    }

    /// The layout of [`SpectrumStage::load_bind_group`] for shaders of `visibility` that import
    /// `spectrum/evolve_load.wgsl` and evolve single waves.
    pub(crate) fn waves_layout(
        device: &wgpu::Device,
        visibility: wgpu::ShaderStages,
    ) -> bindings::Layout {
        bindings::layout(device, "SpectrumStage::waves_layout", visibility, &inputs())
    }

    /// The bind group of `SpectrumStage::load_hook`, with [`SpectrumStage::time_offsets`] as its dynamic
    /// offsets. `layout` is that of the plan with the hook.
    pub fn load_bind_group(
        &self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
    ) -> wgpu::BindGroup {
        self.bind_group(device, layout, None)
    }

    /// The dynamic offsets that stand for `time_s`, for the commands of an [`EvolvePass`] or of a
    /// transform with `SpectrumStage::load_hook`.
    pub fn time_offsets(&self, time_s: f64) -> [u32; RecordedU32::BINDINGS] {
        RecordedU32::offsets(self.clock.ticks(time_s))
    }

    fn bind_group(
        &self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        fields: Option<&wgpu::Buffer>,
    ) -> wgpu::BindGroup {
        let mut resources: Vec<&dyn Resource> = vec![&self.params];
        resources.extend([&self.time as &dyn Resource; RecordedU32::BINDINGS]);
        resources.extend(self.waves.resources());
        if let Some(fields) = fields {
            resources.push(fields);
        }
        bindings::group(device, "SpectrumStage::bind_group", layout, &resources)
    }

    /// Replaces the sea, for all commands submitted after this call. Record them after it, too: the
    /// offsets of a time depend on the sea's clock.
    ///
    /// `interpolation` has the sampling of each cascade's maps, by default linear: the waves are
    /// uploaded with its prefilter, so that [`InitialSpectrum`] keeps their true amplitudes.
    ///
    /// # Errors
    /// [`SpectrumError::Shape`] where `initial` has another size or count of cascades,
    /// [`SpectrumError::Values`] where its arrays do not have that size.
    pub fn upload(
        &mut self,
        queue: &wgpu::Queue,
        initial: &InitialSpectrum,
        interpolation: &[Interpolation],
    ) -> Result<(), SpectrumError> {
        self.check(initial)?;
        self.waves.write(queue, initial, interpolation);
        self.clock = initial.clock;
        let mut params = EvolveParams::still(self.size);
        for (lattice, cascade) in params.lattice_rad_per_m.iter_mut().zip(&initial.cascades) {
            let [kx, kz] = cascade.wave_vector([1, 0]);
            *lattice = [kx as f32, kz as f32, 0.0, 0.0];
        }
        self.params.write(queue, &params);
        Ok(())
    }

    /// Uploads the waves of another sea to `change`, whose wave vectors and frequencies are those of
    /// the uploaded sea. The stage's own waves stay until the pass is recorded.
    ///
    /// # Errors
    /// Those of [`SpectrumStage::upload`].
    pub(crate) fn upload_change(
        &self,
        queue: &wgpu::Queue,
        initial: &InitialSpectrum,
        interpolation: &[Interpolation],
        change: &ChangePass,
    ) -> Result<(), SpectrumError> {
        self.check(initial)?;
        change.wanted().write(queue, initial, interpolation);
        Ok(())
    }

    /// Fails where `initial` has another shape.
    fn check(&self, initial: &InitialSpectrum) -> Result<(), SpectrumError> {
        let (given_size, given_cascades) = (initial.size, initial.cascades.len() as u32);
        if (given_size, given_cascades) != (self.size, self.cascades) {
            return Err(SpectrumError::Shape {
                size: self.size,
                cascades: self.cascades,
                given_size,
                given_cascades,
            });
        }
        let points = u64::from(self.cascades) * u64::from(self.size).pow(2);
        for (what, needed, given) in [
            ("h0", points, initial.h0.len()),
            ("omega", points, initial.omega.len()),
            ("variance_m2", u64::from(self.cascades), initial.variance_m2.len()),
        ] {
            let (size, cascades, given) = (self.size, self.cascades, given as u64);
            if given != needed {
                return Err(SpectrumError::Values { what, size, cascades, needed, given });
            }
        }
        Ok(())
    }

    /// Memory for the packed spectra, `[cascade * 2 + s][z][x]` of `vec4<f32>`: s = 0 is
    /// (X(Dx) + i X(Dz), X(h) + i X(dh/dx)), s = 1 is
    /// (X(dh/dz) + i X(dDx/dz), X(dDx/dx) + i X(dDz/dz)). An [`EvolvePass`] writes them there.
    pub fn fields(&self) -> &wgpu::Buffer {
        &self.fields
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        (self.params.allocations::<A>() + self.time.allocations() + self.waves.allocations())
            .with_buffer(&self.fields)
    }

    pub(super) fn waves(&self) -> &Waves {
        &self.waves
    }

    /// The grid of a dispatch of one invocation for each stored wave.
    pub(super) fn workgroups_of_waves(&self) -> [u32; 3] {
        self.workgroups_of_rows(stored_rows(self.size))
    }

    /// The grid of a dispatch of one invocation for each wave vector of the first `rows` of every cascade.
    fn workgroups_of_rows(&self, rows: u32) -> [u32; 3] {
        [self.size / WORKGROUP[0], rows.div_ceil(WORKGROUP[1]), self.cascades]
    }

    /// Points along one side of each cascade's grid.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Returns the number of cascades.
    pub fn cascades(&self) -> u32 {
        self.cascades
    }
}

impl EvolvePass {
    /// Builds the pass of `stage`.
    ///
    /// # Errors
    /// [`ShaderError`] where a shader file on disk was broken.
    pub fn new(
        pipelines: impl Into<Pipelines>,
        stage: &SpectrumStage,
    ) -> Result<Self, ShaderError> {
        let pipelines = pipelines.into();
        let device = pipelines.device();
        let mut types = inputs();
        types.push(bindings::storage_read_write());
        let visibility = wgpu::ShaderStages::COMPUTE;
        let layout = bindings::layout(device, "EvolvePass::bind_group_layout", visibility, &types);
        Ok(Self {
            bind_group: stage.bind_group(device, &layout, Some(&stage.fields)),
            evolve: pipelines.compute(ComputeDescriptor::new(
                "spectrum",
                SHADER,
                "evolve",
                &[Some(&layout)],
            ))?,
            workgroups: stage.workgroups_of_rows(stage.size),
        })
    }

    /// Records the pass, one dispatch for all cascades, at the time of [`SpectrumStage::time_offsets`].
    pub fn encode(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        time_offsets: &[u32; RecordedU32::BINDINGS],
    ) {
        let [x, y, z] = self.workgroups;
        pass.set_pipeline(&self.evolve.get());
        pass.set_bind_group(0, &self.bind_group, time_offsets);
        pass.dispatch_workgroups(x, y, z);
    }
}

/// The inputs of both kernels: parameters, the bytes of the time, and the waves.
fn inputs() -> Vec<wgpu::BindingType> {
    let mut types = vec![bindings::uniform()];
    types.extend([RecordedU32::binding_type(); RecordedU32::BINDINGS]);
    types.extend([bindings::storage_read(); Waves::BINDINGS]);
    types
}

#[cfg(test)]
pub(super) fn shader() -> (String, String) {
    let wgsl =
        crate::gpu::shader::resolve(SHADER).expect("shipped shaders resolve, which a test checks");
    (SHADER.to_owned(), wgsl)
}

const FIELD_BYTES: u64 = 32;

fn points(size: u32, cascades: u32) -> u64 {
    u64::from(size) * u64::from(size) * u64::from(cascades)
}

fn check_limits(
    capabilities: &Capabilities,
    size: u32,
    cascades: u32,
) -> Result<(), SpectrumError> {
    let needed = FIELD_BYTES * points(size, cascades);
    for limit in [Limit::StorageBinding, Limit::Buffer] {
        let available = limit.of(capabilities);
        if needed > available {
            return Err(SpectrumError::Limit { size, cascades, limit, needed, available });
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "stage_tests.rs"]
mod tests;
