//! The options that set an ocean's cost, and its transform.

use super::OceanError;
use crate::choice::choices;
use crate::fft::lab::Configuration;
use crate::fft::{self, FftError};
use crate::gpu::Capabilities;
use crate::maps::{MapFormat, Maps, MapsDescriptor, MapsStage};
use crate::settings::Quality;
use crate::spectrum::{Interpolation, SpectrumError, SpectrumStage};

choices! {
    /// The way from the spectrum to the transform and from the transformed fields to the maps. The maps
    /// are the same except for roundings.
    pub enum OceanPath {
        /// Through memory: spectrum, transform and maps are separate passes.
        Plain = "plain",
        /// The transform's first pass evolves the spectrum as it loads, and its last writes the maps as
        /// it stores ([`fft::LoadHook`]).
        Fused = "fused",
    }
}

/// The options that set the cost of an [`Ocean`](super::Ocean) and the format of its results. The sea is
/// the same with any options, only finer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OceanOptions {
    /// The number of points along one side of each cascade, a power of two.
    pub size: u32,
    /// The number of cascades of ever finer waves, 1 to 4.
    pub cascades: u32,
    /// The Fourier transform's algorithm and its parameters, which change its speed, and its results by
    /// roundings only. `None` takes the best known for the device, which may store data between the
    /// fused passes as 16-bit floats like the maps.
    pub algorithm: Option<Configuration>,
    /// The connection of the transform to spectrum and maps.
    pub path: OceanPath,
    /// The most samples in a row along the longer side of a footprint when the maps are sampled, 1 to 16.
    pub anisotropy: u32,
    /// The format of numbers in the maps.
    pub map_format: MapFormat,
    /// The number of cascades, from the coarsest, that are sampled by cubic B-splines where they are
    /// magnified: level 0 of their maps holds coefficients, and not the surface itself. Without, a wave
    /// of five texels pulses by a fifth as it crosses the grid. Where the device cannot filter the maps
    /// ([`Maps::filterable`]) there are none; larger numbers mean all cascades.
    pub cubic_cascades: u32,
    /// The number of cascades, from the coarsest, that blend their patch with itself at random offsets,
    /// which hides repetition at three times the samples. The sea at a point is then not the sum of the
    /// cascades' patches there, but an equally likely sea. Larger numbers mean all cascades.
    pub blended_cascades: u32,
}

impl OceanOptions {
    /// The ocean's options at a `quality`, with the fastest known algorithms.
    pub fn of(quality: &Quality) -> Self {
        Self {
            size: quality.size,
            cascades: quality.cascades,
            algorithm: None,
            path: OceanPath::Fused,
            anisotropy: quality.anisotropy,
            map_format: MapFormat::F16,
            cubic_cascades: quality.cubic_cascades,
            blended_cascades: quality.blended_cascades,
        }
    }

    pub(crate) fn interpolation(&self, cascade: usize, maps: &Maps) -> Interpolation {
        if cascade < self.cubic_cascades as usize && maps.filterable() {
            Interpolation::Cubic
        } else {
            Interpolation::Linear
        }
    }

    /// The options of [`OceanOptions::of`] with choices that no measurement affects, for results that
    /// remain bit-identical on one adapter.
    pub fn fixed(quality: &Quality) -> Self {
        let options = Self::of(quality);
        let webgpu = Capabilities::webgpu_defaults();
        let chosen = options
            .hooked_transform()
            .ok()
            .and_then(|transform| fft::lab::by_rule(&transform, &webgpu).ok());
        // WebGPU's default limits cannot hold it, so any algorithm will do.
        let algorithm = chosen.unwrap_or(fft::lab::Algorithm::StockhamR8.into());
        Self { algorithm: Some(algorithm), ..options }
    }

    /// Checks that a device can run these options.
    ///
    /// # Errors
    /// [`OceanError`] that names the exceeded limit.
    pub fn check(&self, capabilities: &Capabilities) -> Result<(), OceanError> {
        self.planned(capabilities).map(|_| ())
    }

    /// The algorithm of the transform on a device of `capabilities`, and its dispatches.
    ///
    /// # Errors
    /// Those of [`OceanOptions::check`].
    pub fn planned(
        &self,
        capabilities: &Capabilities,
    ) -> Result<(fft::lab::Algorithm, usize), OceanError> {
        self.check_maps(capabilities)?;
        let program = fft::lab::program(&self.hooked_transform()?, capabilities);
        let program = program.map_err(FftError::from)?;
        let configuration = program.configuration.expect("a program of an algorithm");
        Ok((configuration.algorithm(), program.dispatches.len()))
    }

    /// The algorithm of the transform on a device of `capabilities`, with all of its parameters.
    ///
    /// # Errors
    /// Those of [`OceanOptions::check`].
    pub fn configuration(&self, capabilities: &Capabilities) -> Result<Configuration, OceanError> {
        self.check_maps(capabilities)?;
        let transform = self.hooked_transform()?;
        let configuration = match self.algorithm {
            Some(configuration) => configuration,
            None => fft::lab::choose(&transform, capabilities).map_err(FftError::from)?,
        };
        Ok(configuration.complete(&transform, capabilities).map_err(FftError::from)?)
    }

    /// Checks the shape, with the errors of [`Ocean::prepare`](super::Ocean::prepare).
    pub(super) fn check_shape(&self) -> Result<(), OceanError> {
        Ok(SpectrumError::check_shape(self.size, self.cascades)?)
    }

    fn check_maps(&self, capabilities: &Capabilities) -> Result<(), OceanError> {
        self.check_shape()?;
        Ok(self.maps().check(capabilities)?)
    }

    /// The transform that runs: [`OceanOptions::transform`] with the hooks of the path.
    pub(crate) fn hooked_transform(&self) -> Result<fft::Descriptor, OceanError> {
        let (load, store) = match self.path {
            OceanPath::Plain => (None, None),
            OceanPath::Fused => (
                Some(SpectrumStage::load_hook(self.size)?),
                Some(MapsStage::store_hook(self.map_format)?),
            ),
        };
        Ok(fft::Descriptor { load, store, ..self.transform() })
    }

    /// The Fourier transform: all fields of all cascades in one batch, four complex images each, in place.
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

    /// Binds the transform and its hooks to a spectrum and maps of these options' shape. The plain one
    /// works in place on the spectrum's fields.
    pub(crate) fn bind(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        spectrum: &SpectrumStage,
        maps: &Maps,
    ) -> Result<fft::Bound, OceanError> {
        let plan = fft::Plan::new(device, &self.hooked_transform()?)?;
        plan.write_tables(queue);
        let load = plan.load_layout().map(|layout| spectrum.load_bind_group(device, layout));
        let store =
            plan.store_layout().map(|layout| MapsStage::hook_bind_group(device, layout, maps));
        let buffers = fft::Buffers {
            load: load.as_ref(),
            store: store.as_ref(),
            ..fft::Buffers::in_place(spectrum.fields())
        };
        Ok(plan.bind(device, &buffers)?)
    }

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

/// The resources that the hooks of an ocean's transform bind while it is measured. A sea of no waves
/// costs the same as any other.
pub(super) struct HookResources {
    load: Option<wgpu::BindGroup>,
    load_offsets: Vec<u32>,
    store: Option<wgpu::BindGroup>,
}

impl HookResources {
    pub(super) fn new(
        device: &wgpu::Device,
        options: &OceanOptions,
        task: &fft::Descriptor,
    ) -> Result<Self, OceanError> {
        options.check_maps(&Capabilities::of(device))?;
        let spectrum = SpectrumStage::new(device, options.size, options.cascades)?;
        let maps = Maps::new(device, &options.maps())?;
        // The hooks' groups have the same layouts in any plan.
        let plan = fft::Plan::new(device, task)?;
        let load = plan.load_layout().map(|layout| spectrum.load_bind_group(device, layout));
        Ok(Self {
            load_offsets: load.iter().flat_map(|_| spectrum.time_offsets(0.0)).collect(),
            load,
            store: plan
                .store_layout()
                .map(|layout| MapsStage::hook_bind_group(device, layout, &maps)),
        })
    }

    pub(super) fn groups(&self) -> fft::lab::HookGroups<'_> {
        fft::lab::HookGroups {
            load: self.load.as_ref(),
            load_offsets: &self.load_offsets,
            store: self.store.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ocean::Ocean;
    use crate::settings::SeaState;

    fn options(size: u32) -> OceanOptions {
        OceanOptions { size, ..Default::default() }
    }

    #[test]
    fn webgpus_default_limits_do_up_to_1024() {
        for algorithm in fft::lab::Algorithm::of_powers_of_two() {
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
        algorithm.set("row-lines", Some(fft::lab::Value::Integer(128))).unwrap();
        let options = OceanOptions { algorithm: Some(algorithm), ..options(128) };
        assert_eq!(options.transform().algorithm, Some(algorithm));
        let error = options.check(&Capabilities::webgpu_defaults()).unwrap_err().to_string();
        assert!(error.contains("row(s) of 128 points needs"), "{error}");
    }

    #[test]
    fn default_and_fixed_options_share_the_algorithm_family() {
        let options = OceanOptions::default();
        assert_eq!((options.path, options.algorithm), (OceanPath::Fused, None));
        let fixed = OceanOptions::fixed(&Quality::default());
        let names = fixed.algorithm.map(|configuration| configuration.algorithm());
        assert_eq!((fixed.path, names), (OceanPath::Fused, Some(fft::lab::Algorithm::StockhamR8)));
        // Large seas exceed WebGPU's limits, but have an algorithm.
        let large = OceanOptions::fixed(&Quality { size: 4096, ..Quality::default() });
        assert!(large.algorithm.is_some());
    }

    #[test]
    fn options_out_of_range_are_errors() {
        let webgpu = Capabilities::webgpu_defaults();
        let cases = [
            (OceanOptions { cascades: u32::MAX, ..options(64) }, "4294967295 cascades"),
            (OceanOptions { cascades: 0, ..options(64) }, "0 cascades"),
            (options(0), "0 x 0 points is not possible: use a power of two from 16 to 8192"),
            (options(17), "17 x 17 points is not possible"),
            (options(16384), "16384 x 16384 points is not possible"),
            (OceanOptions { anisotropy: 17, ..options(64) }, "an anisotropy of 17"),
        ];
        for (options, expected) in cases {
            let errors = [
                Ocean::required_limits(&options).unwrap_err(),
                options.configuration(&webgpu).unwrap_err(),
                options.check(&webgpu).unwrap_err(),
            ];
            for error in &errors {
                assert!(error.to_string().contains(expected), "{error}");
            }
            if let Err(error) = Ocean::prepare(&SeaState::default(), &options) {
                assert_eq!(error.to_string(), errors[0].to_string());
            }
        }
    }

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
    fn required_limits_are_enough() {
        for size in [2048, 4096] {
            let options = OceanOptions { cascades: 2, ..options(size) };
            let limits = Ocean::required_limits(&options).unwrap();
            options
                .check(&Capabilities::from_parts(Ocean::required_features(&options), &limits))
                .unwrap();
            assert!(limits.max_storage_buffer_binding_size > 128 << 20);
        }
        // No binding can hold 16 GiB.
        assert!(Ocean::required_limits(&options(8192)).is_err());
        assert!(Ocean::required_limits(&OceanOptions { cascades: 5, ..options(64) }).is_err());
    }
}
