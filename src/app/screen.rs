//! The parts of one device that every window needs: its surface, its panels and its clock.

use std::sync::Arc;
use std::time::Duration;

use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::AppError;
use super::messages::{DeviceWatch, Messages};
use super::painter::Painter;
use super::recovery::Fault;
use super::window::WindowSurface;
use crate::app::platform::{Instant, Pending};
use crate::gpu::{self, Context, ContextOptions, LimitsPreset};
use crate::profile::Profiler;

/// A device that can draw to the window.
pub(super) struct Opened {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    context: Context,
    since: Instant,
}

impl Opened {
    /// Opens the adapter for `window`.
    ///
    /// # Errors
    /// [`AppError`] where no adapter can draw to the window.
    pub fn begin(
        event_loop: &ActiveEventLoop,
        window: Arc<Window>,
        limits: LimitsPreset,
    ) -> Pending<Result<Self, AppError>> {
        let since = Instant::now();
        let display = Box::new(event_loop.owned_display_handle());
        let descriptor = wgpu::InstanceDescriptor {
            backends: gpu::backends(),
            ..wgpu::InstanceDescriptor::new_with_display_handle_from_env(display)
        };
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(Arc::clone(&window));
        Pending::start(async move {
            let surface = surface.map_err(|error| AppError::window(&error))?;
            let options = ContextOptions { limits, compatible_surface: Some(&surface) };
            let context = Context::new(instance, options).await?;
            log::info!("drawing on {} (opened in {:.2?})", context.describe(), since.elapsed());
            Ok(Self { window, surface, context, since })
        })
    }
}

/// A window on its device.
pub(super) struct Screen {
    pub context: Context,
    watch: DeviceWatch,
    /// The adapter in one line.
    pub adapter: String,
    pub window: Arc<Window>,
    pub surface: WindowSurface,
    pub painter: Painter,
    pub profiler: Profiler,
    pub messages: Messages,
    /// When opening the adapter began.
    pub since: Instant,
}

impl Screen {
    /// Prepares the surface and the panels on the device that was opened.
    ///
    /// # Errors
    /// [`AppError::Surface`] where the adapter cannot draw to the window.
    pub fn new(
        event_loop: &ActiveEventLoop,
        opened: Opened,
        vsync: bool,
        messages: Messages,
    ) -> Result<Self, AppError> {
        let Opened { window, surface, context, since } = opened;
        let watch = messages.listen_to(&context.device);
        let surface = WindowSurface::new(Arc::clone(&window), surface, &context, vsync)?;
        let painter =
            Painter::new(&context, &window, event_loop, surface.format(), messages.clone());
        Ok(Self {
            adapter: context.describe(),
            profiler: Profiler::new(&context.device, &context.queue),
            context,
            watch,
            window,
            surface,
            painter,
            messages,
            since,
        })
    }

    /// Lets wgpu call back what is due. Returns why the device is gone, if it is.
    pub fn poll_device(&self) -> Option<String> {
        let _ = self.context.device.poll(wgpu::PollType::Poll);
        self.watch.lost()
    }

    /// Follows a change of the window's size.
    pub fn resize(&mut self) {
        self.surface.resize(&self.context);
    }

    /// Returns the texture of the next frame, or how long to wait before asking again. A test injects
    /// `fault`.
    pub fn acquire(&mut self, fault: Option<Fault>) -> Result<wgpu::SurfaceTexture, Duration> {
        self.surface.acquire(&self.context, &self.messages, fault)
    }

    /// Shows a texture whose commands are submitted.
    pub fn present(&self, texture: wgpu::SurfaceTexture) {
        self.window.pre_present_notify();
        self.context.queue.present(texture);
    }
}
