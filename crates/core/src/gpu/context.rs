//! The choice of an adapter and its device, for the demo, the command line, tests and benchmarks.
//! Embedders bring their own device.

use super::Capabilities;
use crate::platform;

/// Advice where there is no adapter.
#[cfg(not(target_family = "wasm"))]
const NO_ADAPTER: &str = "Install a Vulkan driver: your GPU vendor's, or Mesa's software driver (Debian and \
     Ubuntu: apt install mesa-vulkan-drivers). WGPU_BACKEND limits the back ends that are tried; Seaway runs \
     on vulkan, metal and dx12.";
#[cfg(target_family = "wasm")]
const NO_ADAPTER: &str = "The browser no longer gives this page a GPU: restart the browser.";

/// An open device and its properties.
#[derive(Debug, Clone)]
pub struct Context {
    /// The instance that the adapter came from; surfaces must come from the same one.
    pub instance: wgpu::Instance,
    /// The adapter that was chosen.
    pub adapter: wgpu::Adapter,
    /// The adapter's name, driver and back end.
    pub adapter_info: wgpu::AdapterInfo,
    /// The device that was opened.
    pub device: wgpu::Device,
    /// The only queue of the device.
    pub queue: wgpu::Queue,
    /// The limits and features that the device was opened with.
    pub capabilities: Capabilities,
}

/// The part of the adapter's limits to request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LimitsPreset {
    /// Everything that the adapter offers.
    #[default]
    Adapter,
    /// Only the guarantees of every WebGPU implementation, and of optional features only timestamps,
    /// which change no kernel: shows that the program runs in a browser's limits.
    WebGpu,
}

impl LimitsPreset {
    /// The features and limits that a device of `adapter` is opened with.
    pub fn of(self, adapter: &wgpu::Adapter) -> (wgpu::Features, wgpu::Limits) {
        let timers = wgpu::Features::TIMESTAMP_QUERY
            | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS
            | wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES;
        // A processor runs few workgroups at a time, so that they must not wait for each other.
        let unwanted = match adapter.get_info().device_type {
            wgpu::DeviceType::Cpu => wgpu::Features::MEMORY_DECORATION_COHERENT,
            _ => wgpu::Features::empty(),
        };
        let (wanted, limits) = match self {
            Self::Adapter => (Capabilities::WANTED_FEATURES - unwanted, adapter.limits()),
            Self::WebGpu => (timers, wgpu::Limits::default()),
        };
        let mut features = adapter.features() & wanted;
        let reads_and_writes = |format| {
            let flags = adapter.get_texture_format_features(format).flags;
            flags.contains(wgpu::TextureFormatFeatureFlags::STORAGE_READ_WRITE)
        };
        if !Capabilities::READ_WRITE_FORMATS.into_iter().all(reads_and_writes) {
            features.remove(wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES);
        }
        (features, limits)
    }
}

/// The requirements of a device.
#[derive(Debug, Default)]
pub struct ContextOptions<'a> {
    /// The limits to open the device with.
    pub limits: LimitsPreset,
    /// A surface that the adapter must be able to present to.
    pub compatible_surface: Option<&'a wgpu::Surface<'static>>,
}

/// The reasons why no device could be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// The machine has no adapter at all, or none for this back end or window.
    #[error(
        "no usable graphics adapter was found (back ends tried: {}). {}",
        names(*backends),
        NO_ADAPTER
    )]
    NoAdapter {
        /// The back ends that were tried.
        backends: wgpu::Backends,
    },
    /// The variable `WGPU_BACKEND` names no back end of this system.
    #[error(
        "WGPU_BACKEND={wanted:?} names no back end that can be used here: Seaway runs on vulkan, \
         metal and dx12, and this system has {}",
        names(*available)
    )]
    NoSuchBackend {
        /// The value of the variable.
        wanted: String,
        /// The back ends that it could name.
        available: wgpu::Backends,
    },
    /// The variable `WGPU_ADAPTER_NAME` matches no adapter.
    #[error(
        "no graphics adapter matches WGPU_ADAPTER_NAME={wanted:?}. The adapters are: {}",
        available.join("; ")
    )]
    NoSuchAdapter {
        /// The value of the variable.
        wanted: String,
        /// The names of the adapters that exist.
        available: Vec<String>,
    },
    /// The adapter offers less than WebGPU guarantees.
    #[error("{adapter} could not open a device: {source}")]
    Device {
        /// The name of the adapter.
        adapter: String,
        /// The error that wgpu reports.
        source: wgpu::RequestDeviceError,
    },
}

impl Context {
    /// Creates an instance of [`backends`] without a display, configured by the `WGPU_*` environment
    /// variables.
    pub fn headless_instance() -> wgpu::Instance {
        wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: backends(),
            ..wgpu::InstanceDescriptor::new_without_display_handle_from_env()
        })
    }

    /// Opens the adapter that `WGPU_ADAPTER_NAME` names (part of its name, any case), else the fastest one.
    ///
    /// # Errors
    /// [`ContextError`] where there is no such back end, no adapter, none of that name, or no device.
    pub async fn new(
        instance: wgpu::Instance,
        options: ContextOptions<'_>,
    ) -> Result<Self, ContextError> {
        let backends = backends();
        let wanted = std::env::var("WGPU_BACKEND").ok().filter(|_| backends.is_empty());
        if let Some(wanted) = wanted {
            return Err(ContextError::NoSuchBackend { wanted, available: usable_backends() });
        }
        let wanted = std::env::var("WGPU_ADAPTER_NAME").ok().filter(|name| !name.is_empty());
        let adapter = match wanted {
            Some(wanted) => {
                let adapters = instance.enumerate_adapters(backends).await;
                let available: Vec<String> =
                    adapters.iter().map(|adapter| describe(&adapter.get_info())).collect();
                let matching = adapters.into_iter().find(|adapter| {
                    adapter.get_info().name.to_lowercase().contains(&wanted.to_lowercase())
                        && options
                            .compatible_surface
                            .is_none_or(|surface| adapter.is_surface_supported(surface))
                });
                match matching {
                    Some(adapter) => adapter,
                    None if available.is_empty() => {
                        return Err(ContextError::NoAdapter { backends });
                    }
                    None => return Err(ContextError::NoSuchAdapter { wanted, available }),
                }
            }
            None => instance
                .request_adapter(&wgpu::RequestAdapterOptions {
                    power_preference: wgpu::PowerPreference::HighPerformance,
                    force_fallback_adapter: false,
                    compatible_surface: options.compatible_surface,
                    ..Default::default()
                })
                .await
                .map_err(|_| ContextError::NoAdapter { backends })?,
        };
        Self::open(instance, adapter, options.limits).await
    }

    /// Opens `adapter`.
    ///
    /// # Errors
    /// [`ContextError::Device`] where the adapter refuses.
    pub async fn open(
        instance: wgpu::Instance,
        adapter: wgpu::Adapter,
        limits: LimitsPreset,
    ) -> Result<Self, ContextError> {
        let mut adapter_info = adapter.get_info();
        if adapter_info.name.is_empty() {
            adapter_info.name = platform::adapter_name().await;
        }
        let (required_features, required_limits) = limits.of(&adapter);
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("seaway"),
                required_features,
                required_limits,
                ..Default::default()
            })
            .await
            .map_err(|source| ContextError::Device {
                adapter: adapter_info.name.clone(),
                source,
            })?;
        let capabilities = Capabilities::of(&device);
        Ok(Self { instance, adapter, adapter_info, device, queue, capabilities })
    }

    /// Opens another device of the same adapter.
    ///
    /// # Errors
    /// Those of [`Context::open`], and in a browser [`ContextError::NoAdapter`].
    pub async fn another(&self, limits: LimitsPreset) -> Result<Self, ContextError> {
        let (instance, mut adapter) = (self.instance.clone(), self.adapter.clone());
        if self.is_in_browser() {
            // In a browser, an adapter makes only one device.
            let options = wgpu::RequestAdapterOptions {
                power_preference: wgpu::PowerPreference::HighPerformance,
                ..Default::default()
            };
            let backends = backends();
            let again = instance.request_adapter(&options).await;
            adapter = again.map_err(|_| ContextError::NoAdapter { backends })?;
        }
        Self::open(instance, adapter, limits).await
    }

    /// Returns a guard that destroys the device with everything on it when dropped, for temporary
    /// devices.
    pub fn destroy_on_drop(&self) -> TemporaryDevice {
        TemporaryDevice(self.device.clone())
    }

    /// Describes it in one line: name, back end, driver.
    pub fn describe(&self) -> String {
        describe(&self.adapter_info)
    }

    /// Returns whether the adapter is a software adapter (lavapipe, WARP, SwiftShader).
    pub fn is_software(&self) -> bool {
        self.adapter_info.device_type == wgpu::DeviceType::Cpu
    }

    /// Returns whether the adapter compiles a shader when it first runs, which blocks its device, and no
    /// other. A browser compiles at once, one device's shaders after the other's.
    pub fn compiles_late(&self) -> bool {
        self.is_software() && !self.is_in_browser()
    }

    /// Returns whether the adapter is the one of a browser.
    pub fn is_in_browser(&self) -> bool {
        self.adapter_info.backend == wgpu::Backend::BrowserWebGpu
    }
}

pub struct TemporaryDevice(wgpu::Device);

impl Drop for TemporaryDevice {
    fn drop(&mut self) {
        if platform::FREES_LATE {
            self.0.destroy();
        }
    }
}

/// The back ends for finding an adapter: those that `WGPU_BACKEND` names, or all except OpenGL. naga 30
/// writes the size of a layered storage texture in a way that GLSL does not have, and where Vulkan is
/// missing too, such an adapter would only fail later.
#[doc(hidden)]
pub fn backends() -> wgpu::Backends {
    usable_backends() & wgpu::Backends::all().with_env()
}

/// The supported back ends that this build includes.
fn usable_backends() -> wgpu::Backends {
    wgpu::Backends::PRIMARY & wgpu::Instance::enabled_backend_features()
}

fn names(backends: wgpu::Backends) -> String {
    let names: Vec<_> = wgpu::Backend::ALL
        .into_iter()
        .filter(|backend| backends.contains((*backend).into()))
        .map(wgpu::Backend::to_str)
        .collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Every adapter there is, in the order that wgpu lists them.
pub async fn list_adapters(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    instance.enumerate_adapters(backends()).await
}

fn describe(info: &wgpu::AdapterInfo) -> String {
    let mut line = format!("{} ({:?}", info.name, info.backend);
    for part in [&info.driver, &info.driver_info] {
        if !part.is_empty() {
            line.push_str(", ");
            line.push_str(part);
        }
    }
    line.push(')');
    line
}
