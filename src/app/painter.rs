//! Draws the egui panels: window events in, triangles out.

use std::time::Duration;

use egui::{ClippedPrimitive, TextureId};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use winit::dpi::PhysicalPosition;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::input::Keyboard;
use super::messages::Messages;
use super::scaled::Scaled;
use super::session::Session;
use super::ui::{self, theme};
use crate::app::platform::{self, Instant};
use crate::gpu::{Context, color_attachment};
use crate::profile::Recorder;

pub(super) struct Painter {
    egui: egui::Context,
    input: egui_winit::State,
    renderer: Renderer,
    messages: Messages,
    /// The panels' last picture, where they cost more than the sea.
    cache: Option<Cache>,
    /// Whether an event that may change the panels has come since they ran.
    touched: bool,
    last_run: Option<Instant>,
    /// Textures that the frame before was the last to use.
    free: Vec<TextureId>,
}

/// The result of one run of the panels.
pub(super) struct Painted {
    primitives: Vec<ClippedPrimitive>,
    screen: ScreenDescriptor,
}

/// The panels as a texture, blended over each frame. A software adapter takes some 30 ms to draw the panels
/// and 2 ms to blend them.
struct Cache {
    picture: Scaled,
    is_empty: bool,
}

impl Cache {
    /// Longest age of the panels without events.
    const MAX_AGE: Duration = Duration::from_millis(250);

    fn new(device: &wgpu::Device, format: wgpu::TextureFormat, size: [u32; 2]) -> Self {
        Self { picture: Scaled::overlay(device, format, size), is_empty: true }
    }
}

impl Painter {
    pub fn new(
        context: &Context,
        window: &Window,
        event_loop: &ActiveEventLoop,
        format: wgpu::TextureFormat,
        messages: Messages,
    ) -> Self {
        let egui = egui::Context::default();
        theme::apply(&egui);
        let input = egui_winit::State::new(
            egui.clone(),
            egui::ViewportId::ROOT,
            event_loop,
            Some(window.scale_factor() as f32),
            None,
            Some(context.capabilities.max_texture_dimension_2d as usize),
        );
        let renderer = Renderer::new(&context.device, format, RendererOptions::default());
        let cache = context.is_software().then(|| Cache::new(&context.device, format, [1, 1]));
        Self {
            egui,
            input,
            renderer,
            messages,
            cache,
            touched: true,
            last_run: None,
            free: Vec::new(),
        }
    }

    /// Feeds one event. Returns whether a panel used it up.
    pub fn on_event(&mut self, window: &Window, event: &WindowEvent) -> bool {
        let response = self.input.on_window_event(window, event);
        // Asking for the redraw of every frame is no touch.
        self.touched |= response.repaint && !matches!(event, WindowEvent::RedrawRequested);
        response.consumed
    }

    /// Whether there is a panel at that point of the window.
    pub fn has_panel_at(&self, window: &Window, at: PhysicalPosition<f64>) -> bool {
        let pixels_per_point = egui_winit::pixels_per_point(&self.egui, window);
        let [x, y] = [at.x, at.y].map(|pixels| pixels as f32 / pixels_per_point);
        let layer = self.egui.layer_id_at(egui::pos2(x, y));
        layer.is_some_and(|layer| layer.order != egui::Order::Background)
    }

    /// Whether the panels must run again: always, unless their last picture is kept and still valid.
    pub fn is_due(&self, size: [u32; 2]) -> bool {
        let Some(cache) = &self.cache else { return true };
        self.touched
            || cache.picture.size() != size
            || self.last_run.is_none_or(|run| run.elapsed() > Cache::MAX_AGE)
    }

    /// Marks the panels as changed by something other than events.
    pub fn touch(&mut self) {
        self.touched = true;
    }

    pub fn keyboard(&self, session: &Session) -> Keyboard {
        ui::keyboard::of(&self.egui, session)
    }

    /// The editing gesture in progress, if any.
    pub fn gesture(&self) -> Option<egui::Id> {
        ui::keyboard::gesture(&self.egui)
    }

    /// Runs the panels for a target of `size` pixels.
    pub fn run(
        &mut self,
        context: &Context,
        window: &Window,
        event_loop: &ActiveEventLoop,
        size: [u32; 2],
        add: impl FnMut(&mut egui::Ui),
    ) -> Painted {
        self.touched = false;
        self.last_run = Some(Instant::now());
        let input = self.input.take_egui_input(window);
        let mut output = self.egui.run_ui(input, add);
        for command in &output.platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                let messages = self.messages.clone();
                platform::copy(text, move || {
                    messages.warn("The browser does not allow this page to copy to the clipboard.")
                });
            }
        }
        self.input.handle_platform_output_with_event_loop(
            window,
            event_loop,
            std::mem::take(&mut output.platform_output),
        );
        for id in std::mem::replace(&mut self.free, output.textures_delta.free.drain().collect()) {
            self.renderer.free_texture(&id);
        }
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in deltas {
                self.renderer.update_texture(&context.device, &context.queue, id, &delta);
            }
        }
        let pixels_per_point = output.pixels_per_point;
        let primitives =
            self.egui.tessellate(std::mem::take(&mut output.shapes), output.pixels_per_point);
        Painted { primitives, screen: ScreenDescriptor { size_in_pixels: size, pixels_per_point } }
    }

    /// Uploads the data of [`Painter::paint`].
    pub fn upload(
        &mut self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        painted: &Painted,
    ) {
        // Only paint callbacks, which the panels do not use, give commands of their own.
        self.renderer.update_buffers(
            &context.device,
            &context.queue,
            encoder,
            &painted.primitives,
            &painted.screen,
        );
    }

    /// Draws the panels over `target`: `painted`, or their last picture.
    pub fn paint(
        &mut self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        target: &wgpu::TextureView,
        painted: Option<&Painted>,
    ) {
        let Some(cache) = &mut self.cache else {
            if let Some(painted) = painted {
                self.render(recorder, target, wgpu::LoadOp::Load, painted);
            }
            return;
        };
        if let Some(painted) = painted {
            let size = painted.screen.size_in_pixels;
            if cache.picture.size() != size {
                *cache = Cache::new(&context.device, cache.picture.format(), size);
            }
            cache.is_empty = painted.primitives.is_empty();
            if !cache.is_empty {
                let view = cache.picture.view().clone();
                let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
                self.render(recorder, &view, clear, painted);
            }
        }
        if let Some(cache) = self.cache.as_ref().filter(|cache| !cache.is_empty) {
            cache.picture.stretch(&context.device, recorder, target);
        }
    }

    fn render(
        &self,
        recorder: &mut Recorder<'_>,
        target: &wgpu::TextureView,
        load: wgpu::LoadOp<wgpu::Color>,
        painted: &Painted,
    ) {
        recorder.render(
            &wgpu::RenderPassDescriptor {
                label: Some("panels"),
                color_attachments: &[Some(color_attachment(target, load))],
                ..Default::default()
            },
            |pass| self.renderer.render(pass, &painted.primitives, &painted.screen),
        );
    }
}
