//! The simulation for embedding: spectrum, Fourier transform and maps, wired in that order; or, fused,
//! as two dispatches that do all three.
//!
//! ```no_run
//! use seaway::settings::SeaState;
//! use seaway::{Ocean, OceanOptions, maps};
//!
//! # fn f(
//! #     device: &wgpu::Device, queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder, time_s: f64,
//! # ) -> Result<(), seaway::OceanError> {
//! let options = OceanOptions { size: 256, ..Default::default() };
//! let ocean = Ocean::new(device, queue, &SeaState::default(), options)?; // once
//! ocean.encode(encoder, time_s); // every frame
//! // Shaders that begin with these functions take `ocean.maps().bind_group()` at group 1.
//! let wgsl = maps::sample_wgsl(1);
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "tune")]
pub mod check;
pub mod cpu;
mod options;
mod step;
#[cfg(feature = "tune")]
pub mod timing;

use std::collections::BTreeSet;
use std::sync::Arc;

use self::options::HookResources;
pub use self::options::{OceanOptions, OceanPath};
pub use self::step::OceanStage;
pub(crate) use self::step::Step;
use crate::fft::{self, FftError};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Allocations, Capabilities, Declaration, Live, Pipelines, RecordedU32};
use crate::maps::{CascadeSampling, MapFormat, Maps, MapsError, MapsStage, StorePass};
#[cfg(feature = "app")]
use crate::platform::Cooperative;
use crate::profile::{self, Recorder, Stages};
use crate::settings::SeaState;
use crate::spectrum::{
    ChangePass, EvolvePass, InitialSpectrum, Interpolation, SpectrumError, SpectrumStage, whitecaps,
};

/// The reasons why an ocean cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OceanError {
    /// The sea state is out of range, or its spectrum does not fit.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// The Fourier transform cannot run.
    #[error(transparent)]
    Fft(#[from] FftError),
    /// The maps cannot be made.
    #[error(transparent)]
    Maps(#[from] MapsError),
    /// A shader file on disk was broken; the embedded ones are sound.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// No transform could be chosen by measuring.
    #[error(transparent)]
    Tune(#[from] fft::lab::TuneError),
}

/// A sea that moves. [`Ocean::encode`] fills its maps with the surface at a time.
///
/// It records into command encoders of the caller's device: it never submits, never waits, and once
/// built does not allocate.
#[derive(Debug)]
pub struct Ocean {
    options: OceanOptions,
    spectrum: InitialSpectrum,
    spectrum_stage: SpectrumStage,
    pipelines: Pipelines,
    kernels: Kernels,
    maps: Maps,
    /// The number of seas that it has shown.
    seas: u64,
    /// The pass of [`Ocean::change_spectrum`], once there was a change.
    change: Option<ChangePass>,
    is_changing: bool,
}

#[derive(Debug)]
struct Kernels {
    transform: Live<Transform>,
    /// The passes around a transform without hooks.
    passes: Option<(EvolvePass, StorePass)>,
    maps_stage: MapsStage,
}

/// The declaration of the transform: its kernels are generated around hooks from shader files.
#[derive(Debug)]
struct Transform {
    device: wgpu::Device,
    queue: wgpu::Queue,
    options: OceanOptions,
    spectrum_stage: SpectrumStage,
    maps: Maps,
}

impl Declaration for Transform {
    type Built = Arc<fft::Bound>;

    fn stage(&self) -> &'static str {
        "fft"
    }

    fn depends(&self, changed: &BTreeSet<String>) -> Result<bool, ShaderError> {
        let transform = self.options.hooked_transform().map_err(refused)?;
        let capabilities = Capabilities::of(&self.device);
        let program = fft::lab::program(&transform, &capabilities);
        let program = program.map_err(|error| refused(FftError::from(error).into()))?;
        Ok(program.depends(changed))
    }

    fn build(&self, _: &Pipelines) -> Result<Self::Built, ShaderError> {
        self.bind().map_err(refused)
    }
}

impl Transform {
    fn bind(&self) -> Result<Arc<fft::Bound>, OceanError> {
        let Self { device, queue, options, spectrum_stage, maps } = self;
        Ok(Arc::new(options.bind(device, queue, spectrum_stage, maps)?))
    }
}

/// The error of a transform that compiled before, and now does not because a shader file is broken.
fn refused(error: OceanError) -> ShaderError {
    match error {
        OceanError::Shader(error)
        | OceanError::Maps(MapsError::Shader(error))
        | OceanError::Fft(FftError::Shader(error)) => error,
        other => ShaderError::Refused { label: "fft".to_owned(), message: other.to_string() },
    }
}

impl Ocean {
    /// The features to request from a device, where its adapter has them. Maps of 16-bit floats need none.
    pub fn required_features(options: &OceanOptions) -> wgpu::Features {
        match options.map_format {
            MapFormat::F16 => wgpu::Features::empty(),
            MapFormat::F32 => wgpu::Features::FLOAT32_FILTERABLE,
        }
    }

    /// The limits to request from a device: WebGPU's defaults, and more where `options` need more.
    ///
    /// # Errors
    /// [`OceanError`] where no limits suffice because an option is out of range.
    pub fn required_limits(options: &OceanOptions) -> Result<wgpu::Limits, OceanError> {
        let webgpu =
            Capabilities::from_parts(Self::required_features(options), &wgpu::Limits::default());
        options.check_shape()?;
        let maps = options.maps().requirements()?;
        let transform = options.hooked_transform()?;
        let transform = fft::lab::requirements(&transform, &webgpu).map_err(FftError::from)?;
        let limits = transform.and(&maps).raise(wgpu::Limits::default());
        // Errors that no limit would prevent.
        options.check(&Capabilities::from_parts(Self::required_features(options), &limits))?;
        Ok(limits)
    }

    /// Computes the spectrum of `sea_state` as plain data: the slow part of a change of the sea, which
    /// needs no GPU and may run on any thread.
    ///
    /// # Errors
    /// [`OceanError::Spectrum`] where a setting or an option is out of range.
    pub fn prepare(
        sea_state: &SeaState,
        options: &OceanOptions,
    ) -> Result<InitialSpectrum, OceanError> {
        Ok(InitialSpectrum::new(sea_state, options.size, options.cascades)?)
    }

    #[cfg(feature = "app")]
    pub(crate) async fn prepare_in(
        coop: &mut Cooperative,
        sea_state: &SeaState,
        options: &OceanOptions,
    ) -> Result<InitialSpectrum, OceanError> {
        let OceanOptions { size, cascades, .. } = *options;
        Ok(InitialSpectrum::new_in(coop, sea_state, size, cascades).await?)
    }

    /// Builds an ocean of `sea_state` on a device, or on that of shared [`Pipelines`]. It may run on any
    /// thread.
    ///
    /// # Errors
    /// [`OceanError`] where a setting or an option is out of range or the device cannot run it.
    pub fn new(
        device: impl Into<Pipelines>,
        queue: &wgpu::Queue,
        sea_state: &SeaState,
        options: OceanOptions,
    ) -> Result<Self, OceanError> {
        let pipelines = device.into();
        // The check comes before the spectrum, which takes long and much memory at sizes that will not fit.
        options.check(&Capabilities::of(pipelines.device()))?;
        Self::with_spectrum(&pipelines, queue, Self::prepare(sea_state, &options)?, options)
    }

    /// Builds an ocean with a spectrum that [`Ocean::prepare`] made for the same options.
    ///
    /// # Errors
    /// Those of [`Ocean::new`], and where `spectrum` was made for another size or number of cascades.
    pub fn with_spectrum(
        device: impl Into<Pipelines>,
        queue: &wgpu::Queue,
        spectrum: InitialSpectrum,
        options: OceanOptions,
    ) -> Result<Self, OceanError> {
        profile::scope!("Ocean::with_spectrum");
        let pipelines = device.into();
        let device = pipelines.device();
        options.check(&Capabilities::of(device))?;
        let mut spectrum_stage = SpectrumStage::new(device, options.size, options.cascades)?;
        let mut maps = Maps::new(device, &options.maps())?;
        show(&options, &mut spectrum_stage, &mut maps, queue, &spectrum)?;
        let transform = Transform {
            device: device.clone(),
            queue: queue.clone(),
            options,
            spectrum_stage: spectrum_stage.clone(),
            maps: maps.clone(),
        };
        let bound = transform.bind()?;
        let maps_stage = MapsStage::after(&pipelines, &maps, bound.means())?;
        let kernels = Kernels {
            transform: pipelines.watch(transform, bound),
            passes: match options.path {
                OceanPath::Fused => None,
                OceanPath::Plain => {
                    let fields = spectrum_stage.fields().as_entire_buffer_binding();
                    Some((
                        EvolvePass::new(&pipelines, &spectrum_stage)?,
                        StorePass::new(&pipelines, fields, &maps)?,
                    ))
                }
            },
            maps_stage,
        };
        Ok(Self {
            options,
            spectrum,
            spectrum_stage,
            pipelines,
            kernels,
            maps,
            seas: 1,
            change: None,
            is_changing: false,
        })
    }

    pub(crate) fn pipelines(&self) -> &Pipelines {
        &self.pipelines
    }

    /// Chooses the fastest transform for an ocean of `options`, whatever their algorithm, by measuring
    /// it with the hooks and placement of the ocean. It compiles, submits and waits; put the result into
    /// [`OceanOptions::algorithm`].
    ///
    /// # Errors
    /// Those of the tuner, [`fft::lab::TuneError`].
    pub async fn tune(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        options: &OceanOptions,
        tune: fft::lab::TuneOptions<'_>,
    ) -> Result<fft::lab::Tuned, OceanError> {
        let task = options.hooked_transform()?;
        let resources = HookResources::new(device, options, &task)?;
        let tune = tune.with_hooks(resources.groups());
        Ok(fft::lab::tune(device, queue, &task, tune).await?)
    }

    /// The stored transform for an ocean of `options` on `device`, which is of `adapter`, or else the result
    /// of [`Ocean::tune`], which is then stored.
    ///
    /// # Errors
    /// Those of [`Ocean::tune`].
    #[cfg(feature = "tune")]
    pub async fn choose_tuned(
        store: Option<&fft::lab::Store>,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        adapter: &wgpu::AdapterInfo,
        options: &OceanOptions,
        tune: fft::lab::TuneOptions<'_>,
    ) -> Result<(fft::lab::Tuned, fft::lab::Origin), OceanError> {
        let task = options.hooked_transform()?;
        let tuning = Self::tune(device, queue, options, tune);
        fft::lab::choose_tuned(store, device, adapter, &task, tuning).await
    }

    /// Searches all parameters as [`fft::lab::sweep`] does, and returns the fastest transforms of an ocean.
    ///
    /// # Errors
    /// Those of [`Ocean::tune`].
    pub async fn sweep(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        options: &OceanOptions,
        tune: fft::lab::TuneOptions<'_>,
    ) -> Result<Vec<fft::lab::Ranked>, OceanError> {
        let task = options.hooked_transform()?;
        let resources = HookResources::new(device, options, &task)?;
        let tune = tune.with_hooks(resources.groups());
        Ok(fft::lab::sweep(device, queue, &task, tune).await?)
    }

    /// Replaces the sea, for commands submitted after this call. It does not compile.
    ///
    /// # Errors
    /// [`OceanError::Spectrum`] where `spectrum` was made for another size or number of cascades.
    pub fn set_spectrum(
        &mut self,
        queue: &wgpu::Queue,
        spectrum: &InitialSpectrum,
    ) -> Result<(), OceanError> {
        let Self { options, spectrum_stage, maps, .. } = self;
        show(options, spectrum_stage, maps, queue, spectrum)?;
        self.spectrum.clone_from(spectrum);
        self.seas += 1;
        self.is_changing = false;
        Ok(())
    }

    /// Begins to change the sea to that of `spectrum` without a jump: [`Ocean::record_change`] moves the
    /// amplitudes of the waves, and their phases stay. Returns false, with the sea as it was, where
    /// `spectrum` has other waves ([`InitialSpectrum::has_the_waves_of`]): use [`Ocean::set_spectrum`] then.
    ///
    /// The first change compiles a small pipeline. [`Queries`](crate::query::Queries) of other times than the
    /// drawn one, and velocities, are those of `spectrum` at once.
    ///
    /// # Errors
    /// [`OceanError`] for arrays of a wrong size, or where a shader file on disk is broken.
    pub fn change_spectrum(
        &mut self,
        queue: &wgpu::Queue,
        spectrum: &InitialSpectrum,
    ) -> Result<bool, OceanError> {
        if !self.spectrum.has_the_waves_of(spectrum) {
            return Ok(false);
        }
        let change = match &mut self.change {
            Some(change) => change,
            none => none.insert(ChangePass::new(&self.pipelines, &self.spectrum_stage)?),
        };
        let interpolation = interpolations(&self.options, &self.maps, spectrum);
        self.spectrum_stage.upload_change(queue, spectrum, &interpolation, change)?;
        let sampling = sampling(&self.options, spectrum, &interpolation);
        let threshold = whitecaps::foam_threshold(spectrum);
        self.maps.prepare_sea(&sampling, spectrum.sea.choppiness, threshold);
        self.spectrum.clone_from(spectrum);
        self.seas += 1;
        self.is_changing = true;
        Ok(true)
    }

    /// Records a part of the change that [`Ocean::change_spectrum`] began: `share` of the remaining
    /// difference, from 0 to 1. At 1 the change is complete, and the sea is the same as after
    /// [`Ocean::set_spectrum`]. Call it at most once a submission, before [`Ocean::record`].
    pub fn record_change(&mut self, recorder: &mut Recorder<'_>, queue: &wgpu::Queue, share: f64) {
        recorder.compute("change", |stages| {
            stages.stage("spectrum change", |pass| self.encode_change(pass, queue, share));
        });
    }

    /// Records the same as [`Ocean::record_change`] into an open pass.
    pub(crate) fn encode_change(
        &mut self,
        pass: &mut wgpu::ComputePass<'_>,
        queue: &wgpu::Queue,
        share: f64,
    ) {
        let Some(change) = self.change.as_ref().filter(|_| self.is_changing) else { return };
        let part = if share >= 1.0 { 1.0 } else { share.max(0.0) as f32 };
        change.set_share(queue, part);
        self.maps.change(queue, part);
        change.encode(pass);
        self.is_changing = part < 1.0;
    }

    /// Moves the origin of positions in shaders; see [`Maps::set_origin`]. A coordinate that is NaN or
    /// infinite is 0.
    pub fn set_origin(&mut self, queue: &wgpu::Queue, origin_m: [f64; 2]) {
        self.maps.set_origin(queue, origin_m);
    }

    /// Records the commands that fill the maps with the sea at `time_s`. It neither submits nor waits,
    /// and changes only the encoder: the time, in seconds, is part of the commands. A time that is NaN
    /// or infinite is 0.
    ///
    /// One submission may hold any number of these, recorded by any threads. Commands that read the maps
    /// between two of them see the sea of the first.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, time_s: f64) {
        self.record(&mut Recorder::new(encoder), time_s);
    }

    /// Records the same as [`Ocean::encode`], and times each stage where `recorder` does.
    pub fn record(&self, recorder: &mut Recorder<'_>, time_s: f64) {
        self.record_with(recorder, time_s, |_| ());
    }

    /// Records the same as [`Ocean::record`], with more stages in the same pass, which read the maps.
    pub(crate) fn record_with(
        &self,
        recorder: &mut Recorder<'_>,
        time_s: f64,
        more: impl FnOnce(&mut Stages<'_, '_>),
    ) {
        profile::scope!("Ocean::record");
        recorder.compute("ocean", |stages| {
            self.stages(time_s, |stage, encode| stages.stage(stage.label(), encode));
            more(stages);
        });
    }

    /// The stages of a step in order, each with its recording function.
    fn stages(
        &self,
        time_s: f64,
        visit: impl FnMut(OceanStage, &dyn Fn(&mut wgpu::ComputePass<'_>)),
    ) {
        let Kernels { transform, passes, maps_stage } = &self.kernels;
        let step = Step {
            spectrum: &self.spectrum_stage,
            transform: &transform.get(),
            passes: passes.as_ref().map(|(evolve, store)| (evolve, store)),
            maps: maps_stage,
        };
        step.stages(time_s, visit);
    }

    /// Records a whole step into an open pass.
    pub(crate) fn encode_step(&self, pass: &mut wgpu::ComputePass<'_>, time_s: f64) {
        self.stages(time_s, |_, encode| encode(pass));
    }

    /// The maps with the sea at the time recorded last.
    pub fn maps(&self) -> &Maps {
        &self.maps
    }

    /// The eight fields at the time recorded last, in 32-bit floats: `vec4<f32>` `[cascade * 2 +
    /// s][z][x]`, where s = 0 is (Dx, Dz, h, dh/dx) and s = 1 is (dh/dz, dDx/dz, dDx/dx, dDz/dz). They
    /// are never in memory on the fused path. With [`OceanOptions::cubic_cascades`] they are
    /// coefficients of splines and not the surface: `None` too.
    pub fn fields(&self) -> Option<&wgpu::Buffer> {
        let surface = self.interpolation(0) == Interpolation::Linear;
        self.kernels.passes.as_ref().filter(|_| surface).map(|_| self.spectrum_stage.fields())
    }

    /// The bind group for shaders that evolve single waves, by `layout` of
    /// [`SpectrumStage::waves_layout`], with [`Ocean::time_offsets`] as its dynamic offsets.
    pub(crate) fn waves(
        &self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
    ) -> wgpu::BindGroup {
        self.spectrum_stage.load_bind_group(device, layout)
    }

    pub(crate) fn time_offsets(&self, time_s: f64) -> [u32; RecordedU32::BINDINGS] {
        self.spectrum_stage.time_offsets(time_s)
    }

    /// The interpolation of a cascade's maps where they are magnified.
    pub fn interpolation(&self, cascade: usize) -> Interpolation {
        self.options.interpolation(cascade, &self.maps)
    }

    /// The number of the current sea, which changes with [`Ocean::set_spectrum`] and
    /// [`Ocean::change_spectrum`].
    pub(crate) fn sea_number(&self) -> u64 {
        self.seas
    }

    /// The spectrum of the current sea.
    pub fn spectrum(&self) -> &InitialSpectrum {
        &self.spectrum
    }

    /// The options that the ocean was built with.
    pub fn options(&self) -> &OceanOptions {
        &self.options
    }

    /// The memory of the sea and its spectra.
    pub(crate) fn spectrum_allocations<A: Allocations>(&self) -> A {
        let stage = self.spectrum_stage.allocations::<A>();
        match &self.change {
            Some(change) => stage + change.allocations(),
            None => stage,
        }
    }

    /// The memory of the transform for tables, parameters and scratch. It works on the spectra's memory.
    pub(crate) fn fft_allocations<A: Allocations>(&self) -> A {
        self.kernels.transform.get().allocations()
    }

    pub(crate) fn allocations<A: Allocations>(&self) -> A {
        self.spectrum_allocations::<A>() + self.fft_allocations() + self.maps.allocations()
    }

    /// The number of dispatches of the Fourier transform of all fields of all cascades.
    pub fn fft_dispatch_count(&self) -> usize {
        self.kernels.transform.get().dispatch_count()
    }

    /// Waits for the submitted steps, and checks that no workgroup of the transform has waited in vain for
    /// another. Only transforms of the parameter `one-dispatch` have such workgroups.
    ///
    /// # Errors
    /// [`fft::WaitError`] if one has, or if the device does not answer.
    pub async fn check_waits(&self, queue: &wgpu::Queue) -> Result<(), fft::WaitError> {
        self.kernels.transform.get().check(self.pipelines.device(), queue).await
    }
}

/// Uploads a sea to the stages on both sides of the transform.
fn show(
    options: &OceanOptions,
    stage: &mut SpectrumStage,
    maps: &mut Maps,
    queue: &wgpu::Queue,
    spectrum: &InitialSpectrum,
) -> Result<(), SpectrumError> {
    let interpolation = interpolations(options, maps, spectrum);
    stage.upload(queue, spectrum, &interpolation)?;
    let sampling = sampling(options, spectrum, &interpolation);
    maps.set_sea(queue, &sampling, spectrum.sea.choppiness, whitecaps::foam_threshold(spectrum));
    Ok(())
}

/// The interpolation of each cascade's maps.
fn interpolations(
    options: &OceanOptions,
    maps: &Maps,
    spectrum: &InitialSpectrum,
) -> Vec<Interpolation> {
    (0..spectrum.cascades.len()).map(|cascade| options.interpolation(cascade, maps)).collect()
}

/// The sampling of each cascade's maps. Cascades without waves, which come last, are not sampled.
fn sampling(
    options: &OceanOptions,
    spectrum: &InitialSpectrum,
    interpolation: &[Interpolation],
) -> Vec<CascadeSampling> {
    (0..spectrum.cascades.len())
        .filter(|&cascade| !spectrum.cascades[cascade].is_empty())
        .map(|cascade| {
            let blended = cascade < options.blended_cascades as usize;
            CascadeSampling::new(spectrum, cascade, interpolation[cascade], blended)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ocean_can_be_built_on_another_thread() {
        fn is_send<T: Send>() {}
        is_send::<Ocean>();
        is_send::<InitialSpectrum>();
        is_send::<OceanError>();
    }
}
