//! The simulation that others embed: spectrum, Fourier transform and maps, wired in that order; or,
//! fused, as two dispatches that do all three.

#[cfg(feature = "tune")]
pub mod check;
pub mod cpu;
#[cfg(feature = "tune")]
pub mod timing;

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use crate::choice::choices;
use crate::fft::lab::Configuration;
use crate::fft::{self, Axis, FftError};
use crate::gpu::shader::ShaderError;
use crate::gpu::{Capabilities, Memory, RecordedU32};
use crate::maps::{
    CascadeSampling, MapFormat, Maps, MapsDescriptor, MapsError, MapsStage, StorePass,
};
use crate::profile::{self, Recorder};
use crate::settings::{Quality, SeaState};
use crate::spectrum::{EvolvePass, InitialSpectrum, SpectrumError, SpectrumStage};

choices! {
    /// How the spectrum gets to the transform and the transformed fields to the maps. The maps are
    /// the same but for roundings.
    pub enum OceanPath {
        /// Through memory: spectrum, transform and maps are passes of their own.
        Plain = "plain",
        /// The transform's first pass evolves the spectrum where it loads, and its last writes the
        /// maps where it stores ([`fft::LoadHook`]).
        Fused = "fused",
    }
}

choices! {
    /// A stage of a step, as it is timed.
    pub enum OceanStage {
        /// Moves the waves to the time, in memory.
        Spectrum = "spectrum",
        /// Transforms the rows.
        Rows = "rows",
        /// Moves the waves to the time and transforms the rows.
        SpectrumRows = "spectrum_rows",
        /// Transforms the columns.
        Columns = "columns",
        /// Stores level 0 of the maps.
        Maps = "maps",
        /// Transforms the columns and stores level 0 of the maps.
        ColumnsMaps = "columns_maps",
        /// Makes the other levels.
        Mips = "mips",
    }
}

impl OceanStage {
    /// The name in profiles.
    pub fn label(self) -> &'static str {
        match self {
            Self::Spectrum => "spectrum",
            Self::Rows => "fft rows",
            Self::SpectrumRows => "spectrum + fft rows",
            Self::Columns => "fft columns",
            Self::Maps => "maps",
            Self::ColumnsMaps => "fft columns + maps",
            Self::Mips => "mips",
        }
    }
}

/// What an [`Ocean`] costs and how it stores what it makes. The sea itself is the same with any
/// options, only finer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OceanOptions {
    /// Points along one side of each cascade; a power of two.
    pub size: u32,
    /// Cascades of ever finer waves, 1 to 4.
    pub cascades: u32,
    /// The Fourier transform's algorithm and its parameters, which change how fast it is and not what
    /// it gives; `None` for the best that is known for the device.
    pub algorithm: Option<Configuration>,
    /// How it is joined to spectrum and maps.
    pub path: OceanPath,
    /// Samples in a row along the longer side of a footprint when the maps are sampled, at most;
    /// 1 to 16.
    pub anisotropy: u32,
    /// How the maps store a number.
    pub map_format: MapFormat,
}

impl OceanOptions {
    /// What `quality` asks of the ocean, by the fastest means that are known.
    pub fn of(quality: &Quality) -> Self {
        Self {
            size: quality.size,
            cascades: quality.cascades,
            algorithm: None,
            path: OceanPath::Fused,
            anisotropy: quality.anisotropy,
            map_format: MapFormat::F16,
        }
    }

    /// As [`OceanOptions::of`], by means that depend on nothing that anybody measured: what is to
    /// come out the same to the bit on one adapter next year takes these.
    pub fn fixed(quality: &Quality) -> Self {
        let options = Self::of(quality);
        let webgpu = Capabilities::webgpu_defaults();
        let chosen = options
            .hooked_transform()
            .ok()
            .and_then(|transform| fft::lab::by_rule(&transform, &webgpu).ok());
        // What does not fit WebGPU's defaults: whatever its algorithm, the first that comes to mind.
        let algorithm = chosen.unwrap_or(fft::lab::Algorithm::StockhamR8.into());
        Self { algorithm: Some(algorithm), ..options }
    }

    /// Checks that a device can run these options, before anything is made.
    ///
    /// # Errors
    /// [`OceanError`], naming the limit that stands in the way.
    pub fn check(&self, capabilities: &Capabilities) -> Result<(), OceanError> {
        self.planned(capabilities).map(|_| ())
    }

    /// The algorithm of the transform on a device of `capabilities`, and its dispatches.
    ///
    /// # Errors
    /// As [`OceanOptions::check`].
    pub fn planned(
        &self,
        capabilities: &Capabilities,
    ) -> Result<(fft::lab::Algorithm, usize), OceanError> {
        self.maps().check(capabilities)?;
        let program = fft::lab::program(&self.hooked_transform()?, capabilities);
        let program = program.map_err(FftError::from)?;
        let configuration = program.configuration.expect("a program of an algorithm");
        Ok((configuration.algorithm(), program.dispatches.len()))
    }

    /// The algorithm of the transform on a device of `capabilities`, with all of its parameters.
    ///
    /// # Errors
    /// As [`OceanOptions::check`].
    pub fn configuration(&self, capabilities: &Capabilities) -> Result<Configuration, OceanError> {
        self.maps().check(capabilities)?;
        let transform = self.hooked_transform()?;
        let configuration = match self.algorithm {
            Some(configuration) => configuration,
            None => fft::lab::choose(&transform, capabilities).map_err(FftError::from)?,
        };
        Ok(configuration.complete(&transform, capabilities).map_err(FftError::from)?)
    }

    /// [`OceanOptions::transform`], with the hooks of the path: what runs.
    pub(crate) fn hooked_transform(&self) -> Result<fft::Descriptor, OceanError> {
        let (load, store) = match self.path {
            OceanPath::Plain => (None, None),
            OceanPath::Fused => {
                (Some(SpectrumStage::load_hook()), Some(MapsStage::store_hook(self.map_format)?))
            }
        };
        Ok(fft::Descriptor { load, store, ..self.transform() })
    }

    /// The Fourier transform: all fields of all cascades in one batch, four complex images each,
    /// over themselves.
    pub fn transform(&self) -> fft::Descriptor {
        fft::Descriptor {
            size: [self.size; 2],
            batch: self.cascades.saturating_mul(4),
            direction: fft::Direction::Inverse,
            layout: fft::Layout::Pair,
            placement: fft::Placement::InPlace,
            algorithm: self.algorithm,
            ..Default::default()
        }
    }

    /// The transform with its hooks bound to a spectrum and maps of these options' shape; plain, it
    /// works in place on the spectrum's fields.
    pub(crate) fn bind(
        &self,
        device: &wgpu::Device,
        spectrum: &SpectrumStage,
        maps: &Maps,
    ) -> Result<fft::Bound, OceanError> {
        let plan = fft::Plan::new(device, &self.hooked_transform()?)?;
        let load = plan.load_layout().map(|layout| spectrum.load_bind_group(device, layout));
        let store =
            plan.store_layout().map(|layout| MapsStage::store_bind_group(device, layout, maps));
        let buffers = fft::Buffers {
            load: load.as_ref(),
            store: store.as_ref(),
            ..fft::Buffers::in_place(spectrum.fields())
        };
        Ok(plan.bind(device, &buffers)?)
    }

    /// The shape of the maps.
    pub(crate) fn maps(&self) -> MapsDescriptor {
        MapsDescriptor {
            size: self.size,
            cascades: self.cascades,
            format: self.map_format,
            anisotropy: self.anisotropy,
        }
    }
}

impl Default for OceanOptions {
    fn default() -> Self {
        Self::of(&Quality::default())
    }
}

/// Why an ocean cannot be made.
#[derive(Debug, thiserror::Error)]
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

/// A sea that moves. Give it a time, and it fills its maps with the surface at that time.
///
/// It works through a device that it does not own: it never submits and never waits. Once built
/// it allocates nothing.
#[derive(Debug)]
pub struct Ocean {
    options: OceanOptions,
    spectrum: InitialSpectrum,
    spectrum_stage: SpectrumStage,
    kernels: Kernels,
    maps: Maps,
}

/// What an ocean compiles, bound to what it works on. Clones share both.
#[derive(Clone, Debug)]
struct Kernels {
    transform: fft::Bound,
    /// The passes before and after the transform, where it has no hooks.
    passes: Option<(EvolvePass, StorePass)>,
    maps_stage: MapsStage,
}

/// Compiles an ocean's kernels again, on any thread, while the ocean goes on: see
/// [`Ocean::compiler`].
#[derive(Clone, Debug)]
pub(crate) struct OceanCompiler {
    device: wgpu::Device,
    options: OceanOptions,
    spectrum_stage: SpectrumStage,
    maps: Maps,
    kernels: Kernels,
}

/// Kernels to put in place of an ocean's.
#[derive(Clone, Debug)]
pub(crate) struct OceanKernels(Kernels);

impl Ocean {
    /// Features to ask a device for, where its adapter has them. None is needed for maps of
    /// 16-bit floats.
    pub fn required_features(options: &OceanOptions) -> wgpu::Features {
        match options.map_format {
            MapFormat::F16 => wgpu::Features::empty(),
            MapFormat::F32 => wgpu::Features::FLOAT32_FILTERABLE,
        }
    }

    /// Limits to ask a device for: WebGPU's defaults, and more where `options` need more.
    ///
    /// # Errors
    /// [`OceanError`] where no limits would do: an option is out of range.
    pub fn required_limits(options: &OceanOptions) -> Result<wgpu::Limits, OceanError> {
        let webgpu =
            Capabilities::from_parts(Self::required_features(options), &wgpu::Limits::default());
        let maps = options.maps().requirements()?;
        let transform = options.hooked_transform()?;
        let transform = fft::lab::requirements(&transform, &webgpu).map_err(FftError::from)?;
        let limits = transform.and(&maps).raise(wgpu::Limits::default());
        // Whatever no limit would help against.
        options.check(&Capabilities::from_parts(Self::required_features(options), &limits))?;
        Ok(limits)
    }

    /// The sea of `sea_state` as plain data: the slow part of a change of the sea, which needs
    /// no GPU and may run on any thread.
    ///
    /// # Errors
    /// [`OceanError::Spectrum`] where a setting or an option is out of range.
    pub fn prepare(
        sea_state: &SeaState,
        options: &OceanOptions,
    ) -> Result<InitialSpectrum, OceanError> {
        Ok(InitialSpectrum::new(sea_state, options.size, options.cascades)?)
    }

    /// Builds the sea of `sea_state` and everything that moves it. May run on any thread.
    ///
    /// # Errors
    /// [`OceanError`] where a setting or an option is out of range or the device cannot run it.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        sea_state: &SeaState,
        options: OceanOptions,
    ) -> Result<Self, OceanError> {
        // Before the spectrum, which takes long and much memory at sizes that will not fit.
        options.check(&Capabilities::of(device))?;
        Self::with_spectrum(device, queue, Self::prepare(sea_state, &options)?, options)
    }

    /// As [`Ocean::new`], with a spectrum that [`Ocean::prepare`] made for the same options.
    ///
    /// # Errors
    /// As [`Ocean::new`], and where `spectrum` was made for another size or number of cascades.
    pub fn with_spectrum(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        spectrum: InitialSpectrum,
        options: OceanOptions,
    ) -> Result<Self, OceanError> {
        profile::scope!("Ocean::with_spectrum");
        options.check(&Capabilities::of(device))?;
        let mut spectrum_stage = SpectrumStage::new(device, options.size, options.cascades)?;
        spectrum_stage.upload(queue, &spectrum)?;
        let mut maps = Maps::new(device, &options.maps())?;
        let kernels = Kernels {
            transform: options.bind(device, &spectrum_stage, &maps)?,
            passes: match options.path {
                OceanPath::Fused => None,
                OceanPath::Plain => Some((
                    EvolvePass::new(device, &spectrum_stage)?,
                    Kernels::store(device, &spectrum_stage, &maps)?,
                )),
            },
            maps_stage: MapsStage::new(device, &maps)?,
        };
        show(&mut maps, queue, &spectrum);
        Ok(Self { options, spectrum, spectrum_stage, kernels, maps })
    }

    /// What compiles the kernels again from shaders that have changed since, on any thread:
    /// [`Ocean::adopt`] takes what comes of it.
    pub(crate) fn compiler(&self, device: &wgpu::Device) -> OceanCompiler {
        OceanCompiler {
            device: device.clone(),
            options: self.options,
            spectrum_stage: self.spectrum_stage.clone(),
            maps: self.maps.clone(),
            kernels: self.kernels.clone(),
        }
    }

    /// Takes kernels of this ocean's own [`Ocean::compiler`], for commands recorded after this call.
    pub(crate) fn adopt(&mut self, kernels: OceanKernels) {
        self.kernels = kernels.0;
    }

    /// Chooses the fastest transform for an ocean of `options`, whose own is not looked at, by
    /// measuring what will run: hooks, placement and all. Compiles, submits and waits; put what it
    /// chose into [`OceanOptions::algorithm`].
    ///
    /// # Errors
    /// [`fft::lab::TuneError`].
    pub async fn tune(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        options: &OceanOptions,
        tune: fft::lab::TuneOptions<'_>,
    ) -> Result<fft::lab::Tuned, OceanError> {
        let task = options.hooked_transform()?;
        let rig = Rig::new(device, options, &task)?;
        let tune = tune.with_hooks(rig.groups());
        Ok(fft::lab::tune(device, queue, &task, tune).await?)
    }

    /// As [`Ocean::tune`], all that there is to be found: [`fft::lab::sweep`].
    ///
    /// # Errors
    /// As [`Ocean::tune`].
    pub async fn sweep(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        options: &OceanOptions,
        tune: fft::lab::TuneOptions<'_>,
    ) -> Result<Vec<fft::lab::Ranked>, OceanError> {
        let task = options.hooked_transform()?;
        let rig = Rig::new(device, options, &task)?;
        let tune = tune.with_hooks(rig.groups());
        Ok(fft::lab::sweep(device, queue, &task, tune).await?)
    }

    /// Puts another sea in place of the current one, for commands submitted after this call.
    /// Compiles nothing.
    ///
    /// # Errors
    /// [`OceanError::Spectrum`] where `spectrum` was made for another size or number of cascades.
    pub fn set_spectrum(
        &mut self,
        queue: &wgpu::Queue,
        spectrum: &InitialSpectrum,
    ) -> Result<(), OceanError> {
        self.spectrum_stage.upload(queue, spectrum)?;
        show(&mut self.maps, queue, spectrum);
        self.spectrum.clone_from(spectrum);
        Ok(())
    }

    /// Moves the point that positions in shaders are relative to; see [`Maps::set_origin`].
    pub fn set_origin(&mut self, queue: &wgpu::Queue, origin_m: [f64; 2]) {
        self.maps.set_origin(queue, origin_m);
    }

    /// Records what fills the maps with the sea at `time_s`. Neither submits nor waits, nor touches
    /// anything but the encoder: the time is part of the commands.
    ///
    /// One submission may hold this as often as one likes, recorded by one thread or by several;
    /// what reads the maps between two of them sees the sea of the first.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, time_s: f64) {
        self.record(&mut Recorder::new(encoder), time_s);
    }

    /// As [`Ocean::encode`], timing each stage where `recorder` does.
    pub fn record(&self, recorder: &mut Recorder<'_>, time_s: f64) {
        profile::scope!("Ocean::record");
        recorder.compute("ocean", |stages| {
            self.stages(time_s, |stage, encode| stages.stage(stage.label(), encode));
        });
    }

    /// The stages of a step in order, each with what records it.
    fn stages(
        &self,
        time_s: f64,
        visit: impl FnMut(OceanStage, &dyn Fn(&mut wgpu::ComputePass<'_>)),
    ) {
        let Kernels { transform, passes, maps_stage } = &self.kernels;
        let step = Step {
            spectrum: &self.spectrum_stage,
            transform,
            passes: passes.as_ref().map(|(evolve, store)| (evolve, store)),
            maps: maps_stage,
        };
        step.stages(time_s, visit);
    }

    /// Records a whole step into a pass that is under way.
    #[cfg(feature = "tune")]
    pub(crate) fn encode_step(&self, pass: &mut wgpu::ComputePass<'_>, time_s: f64) {
        self.stages(time_s, |_, encode| encode(pass));
    }

    /// The sea at the time recorded last.
    pub fn maps(&self) -> &Maps {
        &self.maps
    }

    /// The eight fields at the time recorded last, in 32-bit floats: `vec4<f32>`
    /// `[cascade * 2 + s][z][x]`, where s = 0 is (Dx, Dz, h, dDx/dz) and s = 1 is
    /// (dh/dx, dh/dz, dDx/dx, dDz/dz). On the fused path they are never in memory: only the maps
    /// have them.
    pub fn fields(&self) -> Option<&wgpu::Buffer> {
        self.kernels.passes.as_ref().map(|_| self.spectrum_stage.fields())
    }

    /// What a shader binds that evolves single waves, by `layout` of
    /// [`SpectrumStage::waves_layout`], with [`Ocean::time_offsets`] as its dynamic offsets.
    pub(crate) fn waves(
        &self,
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
    ) -> wgpu::BindGroup {
        self.spectrum_stage.load_bind_group(device, layout)
    }

    /// The dynamic offsets that stand for `time_s`.
    pub(crate) fn time_offsets(&self, time_s: f64) -> [u32; RecordedU32::BINDINGS] {
        self.spectrum_stage.time_offsets(time_s)
    }

    /// The sea that moves.
    pub fn spectrum(&self) -> &InitialSpectrum {
        &self.spectrum
    }

    /// What the ocean was built with.
    pub fn options(&self) -> &OceanOptions {
        &self.options
    }

    /// What the sea and its spectra take.
    pub fn spectrum_memory(&self) -> Memory {
        self.spectrum_stage.memory()
    }

    /// What the transform takes: tables, parameters, scratch. It works on the spectra's memory.
    pub fn fft_memory(&self) -> Memory {
        self.kernels.transform.memory()
    }

    /// Dispatches in the Fourier transform of all fields of all cascades.
    pub fn fft_dispatch_count(&self) -> usize {
        self.kernels.transform.dispatch_count()
    }
}

impl Kernels {
    fn store(
        device: &wgpu::Device,
        spectrum_stage: &SpectrumStage,
        maps: &Maps,
    ) -> Result<StorePass, OceanError> {
        let fields = spectrum_stage.fields().as_entire_buffer_binding();
        Ok(StorePass::new(device, fields, maps)?)
    }
}

impl OceanCompiler {
    /// What the ocean was built with.
    pub(crate) fn options(&self) -> OceanOptions {
        self.options
    }

    /// Compiles what is made of one of `changed`, files under `shaders/`, and takes the rest as it
    /// is. Tells `rebuilt` what it compiles.
    ///
    /// # Errors
    /// [`OceanError`] where a shader is broken.
    pub(crate) fn compile(
        &self,
        changed: &BTreeSet<String>,
        rebuilt: &mut Vec<&'static str>,
    ) -> Result<Option<OceanKernels>, OceanError> {
        let Self { device, options, spectrum_stage, maps, .. } = self;
        let before = rebuilt.len();
        let mut kernels = self.kernels.clone();
        let transform = options.hooked_transform()?;
        let program = fft::lab::program(&transform, &Capabilities::of(device));
        if program.map_err(FftError::from)?.depends(changed) {
            rebuilt.push("fft");
            kernels.transform = options.bind(device, spectrum_stage, maps)?;
        }
        if let Some((evolve, store)) = &mut kernels.passes {
            if EvolvePass::depends(changed)? {
                rebuilt.push("spectrum");
                *evolve = EvolvePass::new(device, spectrum_stage)?;
            }
            if StorePass::depends(changed)? {
                rebuilt.push("maps");
                *store = Kernels::store(device, spectrum_stage, maps)?;
            }
        }
        if MapsStage::depends(options.map_format, changed)? {
            rebuilt.push("mips");
            kernels.maps_stage = MapsStage::new(device, maps)?;
        }
        Ok((rebuilt.len() > before).then_some(OceanKernels(kernels)))
    }
}

/// What takes an ocean from the waves to the maps.
pub(crate) struct Step<'a> {
    pub(crate) spectrum: &'a SpectrumStage,
    pub(crate) transform: &'a fft::Bound,
    /// Those before and after the transform, where it has no hooks.
    pub(crate) passes: Option<(&'a EvolvePass, &'a StorePass)>,
    pub(crate) maps: &'a MapsStage,
}

impl Step<'_> {
    /// The stages in order, each with what records it.
    pub(crate) fn stages(
        &self,
        time_s: f64,
        mut visit: impl FnMut(OceanStage, &dyn Fn(&mut wgpu::ComputePass<'_>)),
    ) {
        let time = &self.spectrum.time_offsets(time_s);
        let transform = self.transform;
        match self.passes {
            Some((evolve, store)) => {
                visit(OceanStage::Spectrum, &|pass| evolve.encode(pass, time));
                visit(OceanStage::Rows, &|pass| transform.encode_axis(pass, Axis::Row));
                visit(OceanStage::Columns, &|pass| transform.encode_axis(pass, Axis::Column));
                visit(OceanStage::Maps, &|pass| store.encode(pass));
            }
            None => {
                let axis = |pass: &mut wgpu::ComputePass<'_>, axis| {
                    transform.encode_axis_at(pass, axis, time);
                };
                visit(OceanStage::SpectrumRows, &|pass| axis(pass, Axis::Row));
                visit(OceanStage::ColumnsMaps, &|pass| axis(pass, Axis::Column));
            }
        }
        visit(OceanStage::Mips, &|pass| self.maps.encode_mips(pass));
    }
}

/// What the hooks of an ocean's transform bind while it is measured: a sea of no waves costs what any
/// other does.
struct Rig {
    load: Option<wgpu::BindGroup>,
    load_offsets: Vec<u32>,
    store: Option<wgpu::BindGroup>,
}

impl Rig {
    fn new(
        device: &wgpu::Device,
        options: &OceanOptions,
        task: &fft::Descriptor,
    ) -> Result<Self, OceanError> {
        options.maps().check(&Capabilities::of(device))?;
        let spectrum = SpectrumStage::new(device, options.size, options.cascades)?;
        let maps = Maps::new(device, &options.maps())?;
        // Any plan's layouts of the hooks' groups are every plan's.
        let plan = fft::Plan::new(device, task)?;
        let load = plan.load_layout().map(|layout| spectrum.load_bind_group(device, layout));
        Ok(Self {
            load_offsets: load.iter().flat_map(|_| spectrum.time_offsets(0.0)).collect(),
            load,
            store: plan
                .store_layout()
                .map(|layout| MapsStage::store_bind_group(device, layout, &maps)),
        })
    }

    fn groups(&self) -> fft::lab::HookGroups<'_> {
        fft::lab::HookGroups {
            load: self.load.as_ref(),
            load_offsets: &self.load_offsets,
            store: self.store.as_ref(),
        }
    }
}

/// Tells the maps what sea they show.
fn show(maps: &mut Maps, queue: &wgpu::Queue, spectrum: &InitialSpectrum) {
    let cascades: Vec<CascadeSampling> = spectrum
        .cascades
        .iter()
        .enumerate()
        .map(|(index, cascade)| CascadeSampling {
            patch_size_m: cascade.patch_size_m,
            longest_wave_m: TAU / cascade.first_rad_per_m,
            lost_slope_covariance: (0..spectrum.size.ilog2())
                .map(|level| spectrum.slope_covariance_lost(index, level))
                .chain([spectrum.slope_covariance(index)])
                .collect(),
        })
        .collect();
    maps.set_sea(queue, &cascades, spectrum.sea.choppiness, spectrum.sea.foam_threshold);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;

    fn options(size: u32) -> OceanOptions {
        OceanOptions { size, ..Default::default() }
    }

    #[test]
    fn webgpus_default_limits_do_up_to_1024() {
        for &algorithm in fft::lab::Algorithm::ALL {
            for size in [16, 128, 256, 512, 1024] {
                let options = OceanOptions { algorithm: Some(algorithm.into()), ..options(size) };
                options.check(&Capabilities::webgpu_defaults()).unwrap();
                assert_eq!(Ocean::required_limits(&options).unwrap(), wgpu::Limits::default());
            }
        }
    }

    #[test]
    fn a_size_that_does_not_fit_names_the_limit() {
        let error = options(2048).check(&Capabilities::webgpu_defaults()).unwrap_err().to_string();
        assert!(error.contains("maxStorageBufferBindingSize"), "{error}");
        assert!(error.contains("536870912") && error.contains("134217728"), "{error}");
        let error = options(16384).check(&Capabilities::webgpu_defaults()).unwrap_err();
        assert!(error.to_string().contains("16 to 8192"), "{error}");
    }

    #[test]
    fn parameters_reach_the_transform() {
        let mut algorithm = Configuration::from(fft::lab::Algorithm::StockhamR8);
        algorithm.set("row-lines", Some(fft::lab::Value::Number(128))).unwrap();
        let options = OceanOptions { algorithm: Some(algorithm), ..options(128) };
        assert_eq!(options.transform().algorithm, Some(algorithm));
        let error = options.check(&Capabilities::webgpu_defaults()).unwrap_err().to_string();
        assert!(error.contains("row(s) of 128 points needs"), "{error}");
    }

    #[test]
    fn strangers_get_what_the_window_shows_and_pictures_the_same_family() {
        let options = OceanOptions::default();
        assert_eq!((options.path, options.algorithm), (OceanPath::Fused, None));
        let fixed = OceanOptions::fixed(&Quality::default());
        let names = fixed.algorithm.map(|configuration| configuration.algorithm());
        assert_eq!((fixed.path, names), (OceanPath::Fused, Some(fft::lab::Algorithm::StockhamR8)));
        // Large seas do not fit WebGPU's limits, and have one all the same.
        let large = OceanOptions::fixed(&Quality { size: 4096, ..Quality::default() });
        assert!(large.algorithm.is_some());
    }

    #[test]
    fn options_out_of_range_are_errors_whoever_asks() {
        let webgpu = Capabilities::webgpu_defaults();
        let cases = [
            (OceanOptions { cascades: u32::MAX, ..options(64) }, "cascades"),
            (OceanOptions { cascades: 0, ..options(64) }, "cascades"),
            (options(0), "16 to 8192"),
            (options(17), "16 to 8192"),
            (options(16384), "16 to 8192"),
        ];
        for (options, expected) in cases {
            let errors = [
                Ocean::required_limits(&options).unwrap_err(),
                options.configuration(&webgpu).unwrap_err(),
                options.check(&webgpu).unwrap_err(),
            ];
            for error in errors {
                assert!(error.to_string().contains(expected), "{error}");
            }
        }
    }

    /// More memory is what adapters have; more invocations in a workgroup than WebGPU's few have.
    #[test]
    fn large_seas_ask_for_memory_only() {
        for size in [2048, 4096, 8192] {
            let limits = Ocean::required_limits(&OceanOptions { cascades: 1, ..options(size) });
            let limits = limits.unwrap();
            let webgpu = wgpu::Limits::default();
            assert_eq!(
                limits.max_compute_invocations_per_workgroup,
                webgpu.max_compute_invocations_per_workgroup
            );
            assert_eq!(
                limits.max_compute_workgroup_storage_size,
                webgpu.max_compute_workgroup_storage_size
            );
        }
    }

    #[test]
    fn the_limits_asked_for_are_enough() {
        for size in [2048, 4096] {
            let options = OceanOptions { cascades: 2, ..options(size) };
            let limits = Ocean::required_limits(&options).unwrap();
            options
                .check(&Capabilities::from_parts(Ocean::required_features(&options), &limits))
                .unwrap();
            assert!(limits.max_storage_buffer_binding_size > 128 << 20);
        }
        // 16 GiB: no binding can hold that.
        assert!(Ocean::required_limits(&options(8192)).is_err());
        assert!(Ocean::required_limits(&OceanOptions { cascades: 5, ..options(64) }).is_err());
    }

    #[test]
    fn an_ocean_can_be_built_on_another_thread() {
        fn is_send<T: Send>() {}
        is_send::<Ocean>();
        is_send::<InitialSpectrum>();
        is_send::<OceanError>();
    }
}
