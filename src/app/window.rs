//! The window's surface: configured, resized, lost and made again.

use std::sync::Arc;
use std::time::Duration;

use winit::window::Window;

use super::AppError;
use super::messages::Messages;
use super::recovery::{self, Fault, Remedy, SurfaceHealth};
use crate::app::platform::{self, Pending};
use crate::gpu::Context;

pub(super) struct WindowSurface {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// The window has an area and the surface is configured for it.
    configured: bool,
    health: SurfaceHealth,
}

/// How often a window that cannot be seen looks whether it can.
const HIDDEN_INTERVAL: Duration = Duration::from_millis(100);

/// How soon to ask again a surface that had no texture.
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

impl WindowSurface {
    /// Prepares `surface`, which was made for `window`. Fails with [`AppError::Surface`] where the adapter
    /// has no format for it.
    pub fn new(
        window: Arc<Window>,
        surface: wgpu::Surface<'static>,
        context: &Context,
        vsync: bool,
    ) -> Result<Self, AppError> {
        let no_surface = |reason: &str| AppError::Surface {
            adapter: context.describe(),
            reason: reason.to_owned(),
        };
        let formats = surface.get_capabilities(&context.adapter).formats;
        let mut config = surface
            .get_default_config(&context.adapter, 1, 1)
            .ok_or_else(|| no_surface("it offers no format for it"))?;
        config.format = choose_format(&formats);
        config.present_mode = present_mode(vsync);
        // One frame ahead: less lag between hand and eye than the default of two.
        config.desired_maximum_frame_latency = 1;
        let mut this =
            Self { window, surface, config, configured: false, health: SurfaceHealth::default() };
        this.resize(context);
        Ok(this)
    }

    const CONFIGURE_ATTEMPTS: u32 = 8;

    pub fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Follows the window's size.
    pub fn resize(&mut self, context: &Context) {
        let size = self.window.inner_size();
        let largest = context.capabilities.max_texture_dimension_2d;
        // A window without area (minimised, or dragged to nothing) keeps its last textures.
        self.configured = size.width > 0 && size.height > 0;
        if self.configured {
            self.config.width = size.width.min(largest);
            self.config.height = size.height.min(largest);
            self.configure(&context.device);
        }
    }

    /// wgpu waits until the GPU is idle, and gives up if a thread that builds or compares submits meanwhile.
    /// That is rare, and hardly ever happens several times in a row.
    fn configure(&self, device: &wgpu::Device) {
        // A browser's surface never waits, and its errors arrive later.
        let attempts = if platform::CAN_WAIT { Self::CONFIGURE_ATTEMPTS } else { 1 };
        for _ in 1..attempts {
            let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
            self.surface.configure(device, &self.config);
            let Some(error) = Pending::start(scope.pop()).take().flatten() else { return };
            log::debug!("the surface was not configured, trying again: {error}");
        }
        // Its errors reach the same handler as all others.
        self.surface.configure(device, &self.config);
    }

    /// Switches waiting for the display before each frame.
    pub fn set_vsync(&mut self, context: &Context, vsync: bool) {
        if self.config.present_mode != present_mode(vsync) {
            self.config.present_mode = present_mode(vsync);
            self.resize(context);
        }
    }

    /// Returns the texture of the next frame, or how long to wait before asking again. A test injects
    /// `fault`.
    pub fn acquire(
        &mut self,
        context: &Context,
        messages: &Messages,
        fault: Option<Fault>,
    ) -> Result<wgpu::SurfaceTexture, Duration> {
        if !self.configured {
            return Err(HIDDEN_INTERVAL);
        }
        let size = self.window.inner_size();
        if [size.width, size.height] != self.size() {
            self.resize(context);
            if !self.configured {
                return Err(HIDDEN_INTERVAL);
            }
        }
        let outcome = match fault.and_then(Fault::of_surface) {
            Some(failure) => Err(failure),
            None => recovery::texture_of(self.surface.get_current_texture()),
        };
        let failure = match outcome {
            Ok(texture) => {
                self.health.succeeded();
                return Ok(texture);
            }
            Err(failure) => failure,
        };
        let remedy = self.health.failed(failure);
        log::debug!("the surface gave no texture ({failure:?}): {remedy:?}");
        match remedy {
            Remedy::Hide => return Err(HIDDEN_INTERVAL),
            Remedy::Retry => {}
            Remedy::Configure => self.resize(context),
            Remedy::Replace => match context.instance.create_surface(Arc::clone(&self.window)) {
                Ok(surface) => {
                    self.surface = surface;
                    self.resize(context);
                }
                Err(error) => messages.gpu_error(format!("the surface was lost: {error}")),
            },
        }
        if self.health.deserves_a_message() {
            messages.warn("The window's surface gives no textures; trying again.");
        }
        Err(RETRY_INTERVAL)
    }
}

/// 8 bits a channel without automatic sRGB encoding, which egui blends in; the tone mapping encodes by itself
/// where the format does not.
fn choose_format(formats: &[wgpu::TextureFormat]) -> wgpu::TextureFormat {
    let wanted = [wgpu::TextureFormat::Bgra8Unorm, wgpu::TextureFormat::Rgba8Unorm];
    formats
        .iter()
        .copied()
        .find(|format| wanted.contains(format))
        .or_else(|| formats.first().copied())
        .unwrap_or(wgpu::TextureFormat::Bgra8Unorm)
}

fn present_mode(vsync: bool) -> wgpu::PresentMode {
    if vsync { wgpu::PresentMode::AutoVsync } else { wgpu::PresentMode::AutoNoVsync }
}
